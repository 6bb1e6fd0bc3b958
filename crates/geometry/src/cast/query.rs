//! From a question in the world to a kernel, and back: checks, scales, frames, rounding.

use super::span::Passage;
use crate::pair::place::Turn;
use crate::{Error, Hit, scale};
use carom_math::{Number, Real, Vector, power_of_two};

/// The powers of two by which lengths and directions are multiplied before a kernel runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// For coordinates and sizes.
    pub(crate) length: f64,
    /// For the direction or the velocity.
    pub(crate) direction: f64,
}

impl Scales {
    /// Everything stays as it is.
    pub(crate) const NONE: Scales = Scales { length: 1.0, direction: 1.0 };

    /// The parameter in the caller's units: with origin·λ and direction·μ, t is t′·μ/λ.
    #[inline]
    pub(crate) fn parameter(self, t: f64) -> f64 {
        // Both are 1, most often.
        if self.direction == self.length {
            return t;
        }
        let ratio = self.direction / self.length;
        if ratio.is_finite() && f64::MIN_POSITIVE <= ratio {
            t * ratio
        } else {
            // Both push the same way, so an overflow or underflow on the way is final.
            t * self.direction / self.length
        }
    }
}

/// A point in straight motion, seen from the shape that it may meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<V> {
    pub(crate) origin: V,
    pub(crate) velocity: V,
}

/// The first touch of two shapes, in the frame of the second at that time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<V> {
    pub(crate) t: f64,
    /// A common point.
    pub(crate) point: V,
    /// The unit vector from the first to the second.
    pub(crate) normal: V,
}

/// What a kernel says about two shapes in motion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meeting<V> {
    /// They touch at t = 0, as far as the kernel can tell.
    AtStart,
    /// They never do.
    Never,
    /// The first touch.
    At(Touch<V>),
    /// The time of the first touch and its normal, from the first to the second, but not yet the place.
    Somewhere { t: f64, normal: V },
}

/// The band of [`crate::scale::towards_one`] for casts, 2^±30: they form eighth powers with 106 bits below
/// them, which have to stay within the range of `f64`.
const BAND: i32 = 30;

/// Kernels that see a touch after some way see it through this much rounding, times the sizes.
pub(crate) const WAY_NOISE: f64 = 256.0 * f64::EPSILON;

/// The power of two by which lengths or directions of this size are multiplied.
#[inline]
pub(crate) fn towards_one(size: f64) -> f64 {
    scale::towards_one(size, BAND)
}

/// to − from, and the power of two by which it had to be shrunk to be finite (1 but for huge numbers).
#[inline]
pub(crate) fn difference<V: Vector<Scalar = f64>>(from: V, to: V) -> (V, f64) {
    let shrink = scale::shrinking(from.max_abs().max_of(to.max_abs()));
    (to * shrink - from * shrink, shrink)
}

/// Whether a parameter is beyond the last one, as it is told, rounded: what was found is found again when it is the last one.
#[inline(always)]
pub(crate) fn is_late<T: Real>(t: f64, max: T) -> bool {
    max < T::from_f64(t)
}

/// A parameter that none is beyond that is not late, for leaving early.
pub(crate) fn latest<T: Real>(max: T) -> f64 {
    max.to_f64() * (1.0 + 1e-9 + T::EPSILON.to_f64())
}

/// The answer in the caller's numbers: the point met by the world's own ray, a unit normal, and
/// `None` beyond `max`. A passage without normal was met from inside: it gets −direction.
pub(crate) fn ray_hit<W: Vector>(
    passage: Option<Passage<W::Wide>>,
    scales: Scales,
    max: W::Scalar,
    origin: W,
    direction: W,
    to_world: impl FnOnce(W::Wide) -> W::Wide,
) -> Result<Option<Hit<W>>, Error> {
    let Some(passage) = passage else { return Ok(None) };
    let t = scales.parameter(passage.t);
    if is_late(t, max) {
        return Ok(None);
    }
    let (origin, direction) = (origin.widen(), direction.widen());
    let normal = match passage.normal.normalized() {
        Some(normal) => to_world(normal),
        None => -direction.normalized().unwrap_or(W::Wide::ZERO),
    };
    hit::<W>(t, origin + direction * t, normal, passage.feature)
}

/// Rounds an answer, or says that it is out of range. Always a hit; the caller's type spares it a copy.
#[inline(always)]
pub(crate) fn hit<W: Vector>(
    t: f64,
    point: W::Wide,
    normal: W::Wide,
    feature: u32,
) -> Result<Option<Hit<W>>, Error> {
    match hit_in_range(t, point, normal, feature) {
        Some(hit) => Ok(Some(hit)),
        None => Err(Error::Overflow { what: "the hit", number: W::Scalar::NAME }),
    }
}

/// Rounds an answer; `None` when it is out of range.
#[inline(always)]
pub(crate) fn hit_in_range<W: Vector>(
    t: f64,
    point: W::Wide,
    normal: W::Wide,
    feature: u32,
) -> Option<Hit<W>> {
    // The sum turns −0 into 0.
    let (t, point) = (W::Scalar::from_f64(t + 0.0), W::narrow(point));
    (t.finite() & point.finite()).then(|| Hit { t, point, normal: W::narrow(normal), feature })
}

/// The same where the answer is certainly in range; `None` also for the few that are next to its end.
#[inline(always)]
pub(crate) fn hit_if_near<W: Vector>(
    t: f64,
    point: W::Wide,
    normal: W::Wide,
    feature: u32,
) -> Option<Hit<W>> {
    let is_in_range = t + point.sum_of_magnitudes() <= 0.25 * W::Scalar::MAX.to_f64();
    is_in_range.then(|| {
        // The sum turns −0 into 0.
        Hit { t: W::Scalar::from_f64(t + 0.0), point: W::narrow(point), normal: W::narrow(normal), feature }
    })
}

/// A ray of ordinary size in the frame of a shape: nothing has to be rescaled.
///
/// Lengths and directions between 2⁻²⁶ and 2²⁸ are in the band of [`towards_one`] whatever else takes part;
/// the sums of their components are compared, which a NaN does not pass.
#[inline(always)]
pub(crate) fn is_ordinary<V: Vector<Scalar = f64>>(origin: V, direction: V, size: f64) -> bool {
    let (largest, least) = (power_of_two(28), power_of_two(-26));
    let (far, long) = (origin.sum_of_magnitudes(), direction.sum_of_magnitudes());
    (far + size <= largest) & (least <= far + size) & (least <= long) & (long <= largest)
}

/// A line that kernels can ask for, if it is in order for a shape of some size, in the frame of that shape; kernels for
/// answers in `f32` take any size.
// Not a closure: what is called for more than one kind would not become part of the code for each.
pub(crate) trait LocalLine<V> {
    fn origin_and_direction(&self, size: Option<f64>) -> Option<[V; 2]>;
}

/// In the frame of the shape and in order already.
impl<V: Copy> LocalLine<V> for [V; 2] {
    #[inline(always)]
    fn origin_and_direction(&self, _: Option<f64>) -> Option<[V; 2]> {
        Some(*self)
    }
}

/// Seen from the origin of the shape, but with the axes of the world.
pub(crate) struct LineInWorld<V, M> {
    pub(crate) from: V,
    pub(crate) direction: V,
    /// From the frame of the shape to the world.
    pub(crate) turn: M,
}

impl<V: Vector<Scalar = f64>, M: Turn<V>> LocalLine<V> for LineInWorld<V, M> {
    #[inline(always)]
    fn origin_and_direction(&self, size: Option<f64>) -> Option<[V; 2]> {
        let turned = self.turn.undo(self.direction);
        let is_in_order = match size {
            // Not finite when a number of the rotation is not.
            Some(size) => is_ordinary(self.from, self.direction, size) & turned.finite(),
            // Kernels for any size do not answer for NaN, which is all that a wrong rotation leaves.
            None => self.from.sum_of_magnitudes() < f64::INFINITY,
        };
        is_in_order.then(|| [self.turn.undo(self.from), turned])
    }
}

/// Whether a hit at this parameter is in range of every number type.
#[inline(always)]
pub(crate) fn is_near<V: Vector<Scalar = f64>>(t: f64, direction: V) -> bool {
    (t <= power_of_two(60)) & (direction.sum_of_magnitudes() <= power_of_two(28))
}
