//! The short way: where a ray that starts outside first meets a shape, in plain numbers.
//!
//! Each kernel answers what is beyond doubt and nothing else: `Some(None)` for a miss, `Some(Some(_))` for a hit
//! ahead of an origin that is surely outside, and `None` where the way by [`span`](super::span) has to decide:
//! grazing, origins inside or next to the surface, lines nearly along an axis. The formulas, their derivations and
//! their bounds are those of [`round`](super::round) and [`flat`](super::flat); what is left out is where the
//! line goes out, and whatever only that needs.
//!
//! Frame: that of the shape. Lengths and directions are near 1; see [`is_ordinary`](super::query::is_ordinary).

use super::moving::box_feature;
use super::precision::lift;
use super::round::across;
use super::span::Passage;
use crate::manifold::feature::{Kind, number};
use carom_math::{Number, Real, Vector, power_of_two};

/// A first hit, a miss (`Some(None)`), or neither for certain (`None`).
pub(crate) type Quick<V> = Option<Option<Passage<V>>>;

/// How many digits a discriminant must have kept for the answer to be right.
///
/// With D = r²α − |m × d|², whose error is at most the doubt, t errs by half the relative error of D times half the
/// chord. An answer in `f32` needs no more than 2⁻²⁶ of the chord; for one in `f64`, D has to be a sixteenth of its
/// terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Care {
    /// Answers are rounded to `f32`: formulas that lose half of the digits of `f64` will do.
    pub(crate) is_narrow: bool,
    doubts: f64,
    share: f64,
    /// γ = |m|² − r² may have cancelled to this part of r².
    surface: f64,
    /// One over the square of the least sine between a line and the axis of a cylinder.
    askew: f64,
}

impl Care {
    /// For answers in this number type.
    #[inline(always)]
    pub(crate) fn of<T: Real>() -> Self {
        if f64::EPSILON < T::EPSILON.to_f64() {
            let (doubts, surface) = (power_of_two(26), power_of_two(-20));
            Care { is_narrow: true, doubts, share: 0.0, surface, askew: f64::INFINITY }
        } else {
            Care { is_narrow: false, doubts: 1.0, share: 1.0 / 16.0, surface: 1.0 / 16.0, askew: 16.0 }
        }
    }

    /// The size, where the kernels ask for an ordinary one: those for answers in `f32` reckon in `f64`, where no number
    /// of `f32` is out of range.
    #[inline(always)]
    pub(crate) fn size(self, size: impl FnOnce() -> f64) -> Option<f64> {
        if self.is_narrow { None } else { Some(size()) }
    }

    /// The normal of a kernel with a length of 1; for answers in `f32`, which neither see the rounding of one more product
    /// nor come from numbers whose squares are out of range, with one division.
    #[inline(always)]
    pub(crate) fn unit<V: Vector<Scalar = f64>>(self, normal: V) -> Option<V> {
        if self.is_narrow { Some(normal * (1.0 / normal.dot(normal).sqrt())) } else { normal.normalized() }
    }

    #[inline(always)]
    fn is_enough(self, discriminant: f64, doubt: f64, reach: f64) -> bool {
        self.doubts * doubt < discriminant && self.share * reach < discriminant
    }
}

/// |m × d|², in the plane without the components that are zero there.
#[inline(always)]
fn moment_squared<V: Vector<Scalar = f64>>(m: V, d: V) -> f64 {
    if V::DIM == 2 {
        let crossed = cross_in_plane(m, d);
        return crossed * crossed;
    }
    let crossed = lift::<f64, V>(m).cross(lift(d));
    crossed.dot(crossed)
}

/// The third component of a × b.
#[inline(always)]
pub(crate) fn cross_in_plane<V: Vector<Scalar = f64>>(a: V, b: V) -> f64 {
    a.get(0) * b.get(1) - a.get(1) * b.get(0)
}

/// A ball about the point from which `m` leads to the origin of the ray. The normal is as long as the radius.
#[inline(always)]
pub(crate) fn ball_hit<V: Vector<Scalar = f64>>(m: V, d: V, radius: f64, care: Care) -> Quick<V> {
    if care.is_narrow {
        return narrow_ball_hit(m, d, radius, care);
    }
    let (alpha, beta, square) = (d.dot(d), m.dot(d), radius * radius);
    let gamma = m.dot(m) - square;
    let (reach, moment) = (square * alpha, (gamma + square) * alpha);
    let discriminant = reach - moment_squared(m, d);
    let doubt = 16.0 * f64::EPSILON * (moment + reach);
    if discriminant < -doubt {
        return Some(None);
    }
    // Next to the surface γ cancels, and inside there are other questions.
    let is_outside = care.surface * square < gamma;
    if !is_outside {
        return None;
    }
    // Both parameters have the sign of −β.
    if 0.0 <= beta {
        return Some(None);
    }
    if !care.is_enough(discriminant, doubt, reach) {
        return None;
    }
    let t = gamma / (discriminant.sqrt() - beta);
    Some(Some(Passage::new(t, m + d * t)))
}

/// The same for answers in `f32`: β² − αγ instead of r²α − |m × d|², which costs less and errs by no more than the
/// doubt. What was made of numbers in `f32` neither overflows nor underflows here; infinite and NaN are left to the
/// long way.
#[inline(always)]
pub(super) fn narrow_ball_hit<V: Vector<Scalar = f64>>(m: V, d: V, radius: f64, care: Care) -> Quick<V> {
    let (alpha, beta, far, square) = (d.dot(d), m.dot(d), m.dot(m), radius * radius);
    let gamma = far - square;
    // β² <= αm² and αγ are no larger than α(m² + r²) and err by less than 4ε of it each, and so does their difference.
    let doubt = 16.0 * f64::EPSILON * (alpha * (far + square));
    let discriminant = beta * beta - alpha * gamma;
    // Not where the doubt is infinite or NaN.
    if discriminant < -doubt {
        return Some(None);
    }
    let is_outside = care.surface * square < gamma;
    if !(is_outside & (doubt < f64::INFINITY)) {
        return None;
    }
    if 0.0 <= beta {
        return Some(None);
    }
    let is_enough = care.doubts * doubt < discriminant;
    if !is_enough {
        return None;
    }
    let t = gamma / (discriminant.sqrt() - beta);
    Some(Some(Passage::new(t, m + d * t)))
}

/// The points within `radius`, which is not zero, of a segment. The normal is as long as the radius.
///
/// The line comes into the endless cylinder between the ends: that is the hit. It comes in beyond an end: then it
/// reaches nothing but through the ball about that end, whose equator closes the cylinder.
#[inline(always)]
pub(crate) fn capsule_hit<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    [a, b]: [V; 2],
    radius: f64,
    care: Care,
) -> Quick<V> {
    let (from_a, axis) = (origin - a, b - a);
    if care.is_narrow {
        return narrow_capsule_hit(from_a, direction, axis, radius, care);
    }
    let length = axis.dot(axis);
    let Sideways { alpha, beta, gamma, offset, far } = Sideways::of(from_a, direction, axis);
    let square = radius * radius;
    // At the seams both surfaces are met, and which of them is named should not depend on rounding.
    let seam = 1e-9 * length;
    let first_cap = || Some(ball_hit(from_a, direction, radius, care)?.map(|cap| cap.on(Kind::Vertex, 0)));
    let last_cap = || Some(ball_hit(origin - b, direction, radius, care)?.map(|cap| cap.on(Kind::Vertex, 1)));
    // From within the endless cylinder beyond an end the way leads through the ball there.
    let (gamma, close) = (gamma - square * length, care.surface * (square * length));
    if gamma < -close {
        let along = from_a.dot(axis);
        return if along < -seam {
            first_cap()
        } else if length + seam < along {
            last_cap()
        } else {
            None
        };
    }
    // Nearly along the axis the cylinder says little; a segment without length has no axis.
    let most = direction.dot(direction) * length;
    let is_askew = most < care.askew * alpha;
    if !is_askew {
        return None;
    }
    let reach = square * alpha;
    let discriminant = reach - offset * offset;
    // With s the sine between line and axis, d × e errs by 2ε/s of itself, so that the squares err by 8ε/s of their
    // terms: 64ε where s is more than a quarter, and no more than that by (1/4s)² below.
    let doubt = 64.0 * f64::EPSILON * (far + square) * alpha.max_of(most / 16.0);
    // Past the endless cylinder is past the balls in it.
    if discriminant < -doubt {
        return Some(None);
    }
    if !care.is_enough(discriminant, doubt, reach) {
        return None;
    }
    let is_outside = close < gamma;
    if !is_outside {
        return None;
    }
    if 0.0 <= beta {
        return Some(None);
    }
    let t = gamma / ((discriminant * length).sqrt() - beta);
    let along = from_a.dot(axis) + t * direction.dot(axis);
    if !(seam < along.abs() && seam < (along - length).abs()) {
        return None;
    }
    if along < 0.0 {
        return first_cap();
    }
    if length < along {
        return last_cap();
    }
    let normal = across(from_a + direction * t, axis) * (1.0 / length);
    Some(Some(Passage::new(t, normal).on(Kind::Edge, 0)))
}

/// The same for answers in `f32`, from products of the three vectors instead of their parts across the axis:
///
/// ```text
/// α = e²d² − (e·d)²    β = e²(m·d) − (e·m)(e·d)    γ = e²(m² − r²) − (e·m)²    Δ = β² − αγ
/// ```
///
/// With M = e²d² and G = e²(m² + r²), none of them is larger than M, √(MG) and G, and they err by less than 8εM, 8ε√(MG)
/// and 9εG: seven to nine roundings by ε/2 in each of two terms. So Δ errs by less than 36εMG.
#[inline(always)]
pub(super) fn narrow_capsule_hit<V: Vector<Scalar = f64>>(
    m: V,
    d: V,
    e: V,
    radius: f64,
    care: Care,
) -> Quick<V> {
    let (length, along_line, far) = (e.dot(e), d.dot(d), m.dot(m));
    let (ahead, along, closing) = (e.dot(d), e.dot(m), m.dot(d));
    let square = radius * radius;
    let (most, reach) = (length * along_line, length * (far + square));
    let size = most * reach;
    // Infinite and NaN are left to the long way, and so is what may underflow.
    if !((size < f64::INFINITY) & (power_of_two(-400) < size)) {
        return None;
    }
    let (alpha, beta) = (most - ahead * ahead, length * closing - along * ahead);
    let gamma = length * (far - square) - along * along;
    let (discriminant, doubt) = (beta * beta - alpha * gamma, 64.0 * f64::EPSILON * size);
    // Past the endless cylinder is past the balls in it.
    if discriminant < -doubt {
        return Some(None);
    }
    // Next to the surface of the endless cylinder γ has lost too many digits.
    let close = care.doubts * 16.0 * f64::EPSILON * reach;
    // At the seams both surfaces are met, and which of them is named should not depend on rounding.
    let seam = 1e-9 * length;
    // From within the endless cylinder beyond an end the way leads through the ball there.
    let mut at = along;
    if -close <= gamma {
        if !((care.doubts * doubt < discriminant) & (close < gamma)) {
            return None;
        }
        if 0.0 <= beta {
            return Some(None);
        }
        let t = gamma / (discriminant.sqrt() - beta);
        at = along + t * ahead;
        if (seam < at) & (at < length - seam) {
            let normal = m + d * t - e * (at / length);
            return Some(Some(Passage::new(t, normal).on(Kind::Edge, 0)));
        }
    }
    if at < -seam {
        Some(narrow_ball_hit(m, d, radius, care)?.map(|cap| cap.on(Kind::Vertex, 0)))
    } else if length + seam < at {
        Some(narrow_ball_hit(m - e, d, radius, care)?.map(|cap| cap.on(Kind::Vertex, 1)))
    } else {
        None
    }
}

/// A line across an axis e through the point that m leads from: |d × e|², (m × e)·(d × e), |m × e|² and m·(d × e), no
/// larger than √far·|d × e|. In the plane that is 0.
struct Sideways {
    alpha: f64,
    beta: f64,
    gamma: f64,
    offset: f64,
    far: f64,
}

impl Sideways {
    #[inline(always)]
    fn of<V: Vector<Scalar = f64>>(m: V, d: V, e: V) -> Self {
        if V::DIM == 2 {
            let (d_across, m_across) = (cross_in_plane(d, e), cross_in_plane(m, e));
            let (alpha, beta, gamma) = (d_across * d_across, m_across * d_across, m_across * m_across);
            return Sideways { alpha, beta, gamma, offset: 0.0, far: 0.0 };
        }
        let [m, d, e] = [m, d, e].map(lift::<f64, V>);
        let (d_across, m_across) = (d.cross(e), m.cross(e));
        Sideways {
            alpha: d_across.dot(d_across),
            beta: m_across.dot(d_across),
            gamma: m_across.dot(m_across),
            offset: m.dot(d_across),
            far: m.dot(m),
        }
    }
}

/// When a line comes into a box, and the axis of the face that it comes in by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    pub(crate) enter: f64,
    pub(crate) axis: usize,
}

/// The part of the line in the box between −`half_extents` and +`half_extents`, where that lies ahead and is
/// longer than rounding.
#[inline(always)]
pub(crate) fn cuboid_slice<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    half_extents: V,
) -> Option<Option<Slice>> {
    let (mut enter, mut exit, mut entered) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    for axis in 0..V::DIM {
        let (position, speed, half) = (origin.get(axis), direction.get(axis), half_extents.get(axis));
        if speed == 0.0 {
            if half < position.abs() {
                return Some(None);
            }
            continue;
        }
        let leaving = half.copysign(speed);
        let (near, far) = ((-leaving - position) / speed, (leaving - position) / speed);
        if enter < near {
            (enter, entered) = (near, axis);
        }
        exit = if far < exit { far } else { exit };
    }
    // Each end errs by at most ε of itself; see `Slabs`.
    let doubt = 4.0 * f64::EPSILON * enter.abs().max_of(exit.abs());
    if exit < enter - doubt || exit < 0.0 {
        return Some(None);
    }
    (0.0 < enter && enter + doubt < exit).then_some(Some(Slice { enter, axis: entered }))
}

/// The name of the face of a box on a side of an axis.
#[inline(always)]
pub(crate) fn face_of_cuboid<V: Vector>(axis: usize, is_negative: bool) -> u32 {
    number(if V::DIM == 2 { Kind::Edge } else { Kind::Face }, 2 * axis + usize::from(is_negative))
}

/// The axis of a face of a box, and whether the face is on the negative side, from its name.
#[inline(always)]
pub(crate) fn axis_of_face(feature: u32) -> (usize, bool) {
    ((feature >> 3) as usize, feature & 4 != 0)
}

/// A box. The normal is of unit length.
#[inline(always)]
pub(crate) fn cuboid_hit<V: Vector<Scalar = f64>>(origin: V, direction: V, half_extents: V) -> Quick<V> {
    let Some(Slice { enter, axis }) = cuboid_slice(origin, direction, half_extents)? else {
        return Some(None);
    };
    let is_negative = 0.0 < direction.get(axis);
    let normal = V::ZERO.with(axis, if is_negative { -1.0 } else { 1.0 });
    Some(Some(Passage { t: enter, normal, feature: face_of_cuboid::<V>(axis, is_negative) }))
}

/// The points within `radius` of a box: a box with rounded edges and corners, in pieces as in
/// [`moving`](super::moving), from where the line comes into the box around it.
#[inline(always)]
pub(crate) fn rounded_cuboid_hit<V: Vector<Scalar = f64>>(
    origin: V,
    velocity: V,
    half_extents: V,
    radius: f64,
    care: Care,
) -> Quick<V> {
    // A step up, since a box that is too small by rounding would hide a touch.
    let bounds = half_extents.map(|half| (half + radius).step_up());
    let Some(Slice { enter, .. }) = cuboid_slice(origin, velocity, bounds)? else { return Some(None) };
    let mut time = enter - 4.0 * f64::EPSILON * enter;
    let mut planes = [[f64::INFINITY; 2]; 3];
    for (axis, plane) in planes.iter_mut().enumerate().take(V::DIM) {
        let (position, speed) = (origin.get(axis), velocity.get(axis));
        if speed != 0.0 {
            let leaving = half_extents.get(axis).copysign(speed);
            *plane = [(-leaving - position) / speed, (leaving - position) / speed];
        }
    }
    let square = radius * radius;
    // Six planes part the line into seven pieces.
    for _ in 0..=2 * V::DIM {
        let mut next = f64::INFINITY;
        let sides = V::from_fn(|axis| {
            let (position, speed, [near, far]) = (origin.get(axis), velocity.get(axis), planes[axis]);
            if speed == 0.0 {
                let is_out = half_extents.get(axis) < position.abs();
                return if is_out { 1.0_f64.copysign(position) } else { 0.0 };
            }
            let ahead = (-1.0_f64).copysign(-speed);
            if time < near {
                next = if near < next { near } else { next };
                ahead
            } else if time < far {
                next = if far < next { far } else { next };
                0.0
            } else {
                -ahead
            }
        });
        let only = |v: V| sides.zip(v, |side, x| if side == 0.0 { 0.0 } else { x });
        let m = only(origin) - sides.zip(half_extents, |side, half| side * half);
        let d = only(velocity);
        let (alpha, beta) = (d.dot(d), m.dot(d));
        // In a piece that is not approached the gap does not close.
        if beta + alpha * time < 0.0 {
            let gamma = m.dot(m) - square;
            let (reach, moment) = (square * alpha, (gamma + square) * alpha);
            let discriminant = reach - moment_squared(m, d);
            let doubt = 16.0 * f64::EPSILON * (moment + reach);
            if -doubt <= discriminant {
                if !(care.surface * square < gamma && care.is_enough(discriminant, doubt, reach)) {
                    return None;
                }
                let t = gamma / (discriminant.sqrt() - beta);
                // Neighbouring pieces agree where they meet, up to rounding.
                if t <= next + 4.0 * f64::EPSILON * next {
                    let t = t.max_of(time);
                    return Some(Some(Passage { t, normal: m + d * t, feature: box_feature(sides) }));
                }
            }
        }
        if next == f64::INFINITY {
            return Some(None);
        }
        time = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;

    #[test]
    fn what_is_not_finite_is_left_to_the_long_way() {
        let (care, ahead) = (Care::of::<f32>(), Vec3::new(1.0, 0.0, 0.0));
        for far in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(narrow_ball_hit(Vec3::new(far, 0.0, 0.0), ahead, 1.0, care).is_none());
            assert!(narrow_ball_hit(Vec3::new(0.0, far, 3.0), ahead, 1.0, care).is_none());
        }
        assert_eq!(narrow_ball_hit(Vec3::new(3.0, 0.0, 0.0), ahead, 1.0, care), Some(None));
    }
}
