//! From a question in the world to a kernel, and back: checks, scales, frames, rounding.

use super::span::Passage;
use crate::error::finite_vector;
use crate::{Error, Hit};
use carom_math::{Number, Real, Vector, power_of_two};

/// Beyond this the difference of two coordinates could overflow.
const LARGE: f64 = power_of_two(1000);

/// The powers of two by which lengths and directions are multiplied before a kernel runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// For coordinates and sizes.
    pub(crate) length: f64,
    /// For the direction or the velocity.
    pub(crate) direction: f64,
}

impl Scales {
    /// The parameter in the caller's units: with origin·λ and direction·μ, t is t′·μ/λ.
    pub(crate) fn parameter(self, t: f64) -> f64 {
        let ratio = self.direction / self.length;
        if ratio.is_finite() && f64::MIN_POSITIVE <= ratio {
            t * ratio
        } else {
            // Both push the same way, so an overflow or underflow on the way is final.
            t * self.direction / self.length
        }
    }
}

/// The power of two that brings a size to [1, 2), or 1 when it is between 2⁻³⁰ and 2³⁰ already: eighth
/// powers, with 106 bits below them, stay within the range of `f64`.
pub(crate) fn towards_one(size: f64) -> f64 {
    if size == 0.0 || !size.is_finite() || (power_of_two(-30)..=power_of_two(30)).contains(&size) {
        return 1.0;
    }
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    power_of_two((-exponent).min(1022))
}

/// to − from, and the power of two by which it had to be shrunk to be finite (1 but for huge numbers).
pub(crate) fn difference<V: Vector<Scalar = f64>>(from: V, to: V) -> (V, f64) {
    let shrink = if from.max_abs().max_of(to.max_abs()) < LARGE { 1.0 } else { power_of_two(-10) };
    (to * shrink - from * shrink, shrink)
}

/// An error that names the pose when a number in it is not finite.
pub(crate) fn finite_pose<V: Vector>(
    what: &'static str,
    translation: V,
    rotation_is_finite: bool,
) -> Result<(), Error> {
    finite_vector(what, translation)?;
    if rotation_is_finite { Ok(()) } else { Err(Error::NotFinite { what, value: f64::NAN }) }
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
    if max.to_f64() < t {
        return Ok(None);
    }
    let (origin, direction) = (origin.widen(), direction.widen());
    let normal = match passage.normal.normalized() {
        Some(normal) => to_world(normal),
        None => -direction.normalized().unwrap_or(W::Wide::ZERO),
    };
    hit::<W>(t, origin + direction * t, normal).map(Some)
}

/// Rounds an answer, or says that it is out of range.
pub(crate) fn hit<W: Vector>(t: f64, point: W::Wide, normal: W::Wide) -> Result<Hit<W>, Error> {
    // The sum turns −0 into 0.
    let answer = Hit { t: W::Scalar::from_f64(t + 0.0), point: W::narrow(point), normal: W::narrow(normal) };
    if answer.t.finite() && answer.point.finite() {
        Ok(answer)
    } else {
        Err(Error::Overflow { what: "the hit", number: W::Scalar::NAME })
    }
}

/// `cast_ray` of a dimension, over its own `span(&Shape<f64>, origin, direction)`.
macro_rules! ray_query {
    ($(#[$documentation:meta])* $vector:ident, $pose:ident) => {
        $(#[$documentation])*
        pub fn cast_ray<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            let pose: $pose<T> = pose.into();
            query::finite_pose("pose", pose.translation, pose.rotation.finite())?;
            let options = options.check()?;
            let pose = pose.widen();
            let shape = shape.as_shape().widen();
            let (origin, shrink) = query::difference(pose.translation, ray.origin().widen());
            let direction = ray.direction().widen();
            let length = query::towards_one(origin.max_abs().max_of(shape.size() * shrink));
            let scales =
                Scales { length: shrink * length, direction: query::towards_one(direction.max_abs()) };
            let to_local = pose.rotation.inverse();
            let shape = if scales.length == 1.0 { shape } else { shape.resized(scales.length) };
            let (span, thin) = span(
                &shape,
                to_local.rotate(origin * length),
                to_local.rotate(direction * scales.direction),
            );
            let passage = span.and_then(|span| span.first_hit(options.solid || thin));
            query::ray_hit(passage, scales, options.max, ray.origin(), ray.direction(), |normal| {
                pose.rotation.rotate(normal)
            })
        }
    };
}

pub(crate) use ray_query;
