//! What the queries answer: plain structs with named fields, in the world frame.

use crate::Error;
use carom_math::{Number, Real, Vector};

/// How far apart two shapes are.
///
/// `lower <= true distance <= upper` always holds: the bounds include every rounding error of the
/// computation. When the shapes touch or overlap, `distance` and `lower` are 0, the points are those
/// of the contact and the normal is its normal.
///
/// The bounds are about the shapes and poses as they were built: a quaternion or a half-space's normal that
/// was not of unit length has been rounded to the number type by then, which in `f32` is more than the
/// bounds allow for.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Ball, distance};
/// let unit = Ball::new(1.0)?;
/// let apart = distance(&unit, [0.0, 0.0, 0.0], &unit, [5.0, 0.0, 0.0])?;
/// assert_eq!(apart.distance, 3.0);
/// assert!(apart.lower <= 3.0 && 3.0 <= apart.upper);
/// assert_eq!(apart.point_a.x, 1.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distance<V: Vector> {
    /// The distance; 0 when the shapes touch or overlap.
    pub distance: V::Scalar,
    /// A number that the true distance is never below.
    pub lower: V::Scalar,
    /// A number that the true distance is never above.
    pub upper: V::Scalar,
    /// The point of the first shape that is closest to the second.
    pub point_a: V,
    /// The point of the second shape that is closest to the first.
    pub point_b: V,
    /// The unit vector from the first shape to the second.
    pub normal: V,
}

/// How far apart two shapes are, and nothing else.
///
/// `lower <= true distance <= upper` always holds, as for [`Distance`]. When the shapes touch or overlap,
/// `distance` and `lower` are 0, and `upper` is what rounding errors may hide.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Cuboid, gap};
/// let cube = Cuboid::new([1.0, 1.0, 1.0])?;
/// let clearance = gap(&cube, [0.0, 0.0, 0.0], &cube, [2.5, 0.25, 0.0])?;
/// assert_eq!(clearance.distance, 0.5);
/// assert!(clearance.lower <= 0.5 && 0.5 <= clearance.upper);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap<T> {
    /// The distance; 0 when the shapes touch or overlap.
    pub distance: T,
    /// A number that the true distance is never below.
    pub lower: T,
    /// A number that the true distance is never above.
    pub upper: T,
}

impl<T: Real> Gap<T> {
    /// Rounds outwards to the number type of the caller. Any separation of at most 0 stands for an overlap.
    #[inline(always)]
    pub(crate) fn new(separation: f64, error: f64) -> Result<Self, Error> {
        Self::up_to(separation, error, separation.max_of(0.0) + error)
    }

    /// The same where an overlap is measured too: one that stands out of the errors leaves no gap.
    #[inline(always)]
    pub(crate) fn of_signed(separation: f64, error: f64) -> Result<Self, Error> {
        Self::up_to(separation, error, (separation + error).max_of(0.0))
    }

    #[inline(always)]
    fn up_to(separation: f64, error: f64, upper: f64) -> Result<Self, Error> {
        let apart = separation.max_of(0.0);
        let gap = Gap {
            distance: narrow_length::<T>(apart),
            lower: lower_bound((apart - error).max_of(0.0)),
            upper: upper_bound(upper),
        };
        // The error is a small part of the size, which is a small multiple of the largest number.
        if apart < T::MAX.to_f64() * 0.25 || is_finite_after_all(gap.upper) {
            Ok(gap)
        } else {
            Err(Error::Overflow { what: "the distance", number: T::NAME })
        }
    }
}

/// How two shapes touch.
///
/// Moving the second shape by `normal * depth` separates them: `depth` is the overlap measured along
/// the returned normal. Of shapes of many parts (meshes, outlines, height fields, compounds) it separates the two parts that are the deepest in
/// each other; others may still touch then, or touch because of it.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Ball, contact};
/// let unit = Ball::new(1.0)?;
/// let touch = contact(&unit, [0.0, 0.0], &unit, [1.5, 0.0])?.expect("they overlap");
/// assert_eq!(touch.depth, 0.5);
/// assert_eq!((touch.normal.x, touch.normal.y), (1.0, 0.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<V: Vector> {
    /// Positive for penetration, 0 for touching, negative for a gap within the margin.
    pub depth: V::Scalar,
    /// The unit vector from the first shape to the second.
    pub normal: V,
    /// The point of the first shape that is deepest in the second (or closest to it).
    pub point_a: V,
    /// The point of the second shape that is deepest in the first (or closest to it).
    pub point_b: V,
}

/// The point of a shape's surface that is closest to a given point.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Cuboid, closest_point};
/// let square = Cuboid::new([1.0, 1.0])?;
/// let inside = closest_point(&square, [0.0, 0.0], [0.75, 0.0])?;
/// assert_eq!((inside.distance, inside.inside, inside.point.x), (-0.25, true, 1.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClosestPoint<V: Vector> {
    /// The closest point of the surface.
    pub point: V,
    /// The distance to it; negative when the given point lies inside a solid.
    pub distance: V::Scalar,
    /// Whether the given point lies in the shape, its surface included.
    pub inside: bool,
}

/// Where a ray or a moving shape first meets another shape.
///
/// For a ray, `point` = origin + `t`·direction. For a moving shape, `t` is the time and `point` the
/// point of first touch at that time.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Ball, Ray, cast_ray};
/// let ray = Ray::new([-3.0, 0.0], [2.0, 0.0])?;
/// let hit = cast_ray(&Ball::new(1.0)?, [0.0, 0.0], &ray, Default::default())?.expect("it hits");
/// assert_eq!((hit.t, hit.point.x, hit.normal.x), (1.0, -1.0, -1.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<V: Vector> {
    /// The parameter on the ray, or the time of the motion.
    pub t: V::Scalar,
    /// The point that is met.
    pub point: V,
    /// The outward unit normal of the surface that is met; for a moving pair, from the first to the
    /// second shape.
    pub normal: V,
    /// Which face, edge or vertex a ray has met, numbered like those of [`FeaturePair`](crate::FeaturePair);
    /// 0 for a round or endless surface, inside of a solid, and for a moving pair. Of a shape with many parts it
    /// tells the part i: 4·i + 3 in space, 4·i + 2 in the plane; of two moving shapes with parts, that of the second.
    pub feature: u32,
}

/// The signed separation of two shapes, as every pair kernel computes it: in `f64`, in the frame of
/// the first shape.
///
/// `point_b = point_a + normal * separation` up to rounding, whatever the sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Separation<V: Vector<Scalar = f64>> {
    /// The gap along the normal: positive apart, zero touching, negative overlapping.
    pub(crate) separation: f64,
    /// A bound on |separation − true separation|, rounding of the input poses included.
    pub(crate) error: f64,
    /// The unit vector from the first to the second shape.
    pub(crate) normal: V,
    /// The point of the first shape closest to, or deepest in, the second.
    pub(crate) point_a: V,
    /// The point of the second shape closest to, or deepest in, the first.
    pub(crate) point_b: V,
}

impl<V: Vector<Scalar = f64>> Separation<V> {
    /// Farther apart than anything; kernels without a limit never say so.
    pub(crate) const APART: Self = Separation {
        separation: f64::INFINITY,
        error: f64::INFINITY,
        normal: V::ZERO,
        point_a: V::ZERO,
        point_b: V::ZERO,
    };

    /// The separation and its error.
    #[inline(always)]
    pub(crate) fn without_points(self) -> (f64, f64) {
        (self.separation, self.error)
    }

    /// Rounds to the number type of the caller, bounds outwards. Points must already be in the world.
    /// `apart`: a number that is the separation where that is positive, and not positive elsewhere. `is_in_range`: nothing can overflow.
    #[inline(always)]
    pub(crate) fn to_distance<W: Vector<Wide = V>>(
        self,
        apart: f64,
        is_in_range: bool,
    ) -> Result<Distance<W>, Error> {
        // The bound on the errors has room for the rounding of the sum and of the difference. When the
        // separation is not positive, neither is the difference.
        let positive = |x: f64| x.max_of(0.0);
        let answer = Distance {
            distance: narrow_length(positive(apart)),
            lower: lower_bound(positive(self.separation - self.error)),
            upper: upper_bound(positive(self.separation + self.error)),
            point_a: W::narrow(self.point_a),
            point_b: W::narrow(self.point_b),
            normal: W::narrow(self.normal),
        };
        if is_in_range || all_finite(answer.upper, answer.point_a, answer.point_b) {
            Ok(answer)
        } else {
            Err(Error::Overflow { what: "the distance", number: W::Scalar::NAME })
        }
    }

    /// A contact when the gap is at most `margin`. `is_in_range`: nothing can overflow.
    #[inline(always)]
    pub(crate) fn to_contact<W: Vector<Wide = V>>(
        self,
        margin: f64,
        is_in_range: bool,
    ) -> Result<Option<Contact<W>>, Error> {
        let answer = Contact {
            depth: narrow_length(0.0 - self.separation),
            normal: W::narrow(self.normal),
            point_a: W::narrow(self.point_a),
            point_b: W::narrow(self.point_b),
        };
        let is_apart = margin < self.separation;
        if is_in_range || is_apart || all_finite(answer.depth, answer.point_a, answer.point_b) {
            Ok(if is_apart { None } else { Some(answer) })
        } else {
            Err(Error::Overflow { what: "the contact", number: W::Scalar::NAME })
        }
    }
}

/// Called, so that who reads the distance alone need not compute the bounds.
#[cold]
#[inline(never)]
fn is_finite_after_all<T: Real>(bound: T) -> bool {
    bound.finite()
}

/// The length in the caller's number type. What is not zero does not become zero, so that all answers agree on whether
/// shapes touch: it is the smallest number with that sign.
#[inline(always)]
pub(crate) fn narrow_length<T: Real>(length: f64) -> T {
    // Numbers up to half of the smallest one become zero. Whether a length is zero already is a coin toss: its bits less one
    // are those of no number, and one comparison tells all others from the tiny ones.
    let half = f64::from(f32::from_bits(1)) * 0.5;
    let is_lost = length.abs().to_bits().wrapping_sub(1) < half.to_bits();
    if T::EPSILON.to_f64() == f64::EPSILON || !is_lost {
        return T::from_f64(length);
    }
    T::from_f64(f64::from(f32::from_bits(1)).copysign(length))
}

/// What rounding to `f32` may add to a number, relative to it, and a little more for the rounding of the product:
/// (1 + 2⁻²⁴)·(1 − this) < 1 and (1 − 2⁻²⁴)·(1 + this) > 1, each by 2⁻⁴⁴.
const NARROWING: f64 = (1.0 + 1.0 / (1_u32 << 20) as f64) / (1_u32 << 24) as f64;

/// A number of the caller's type that is not above `value`, which is not negative: at most one step below the
/// largest such number, and to find it takes a product only. Subnormal numbers become 0.
#[inline(always)]
fn lower_bound<T: Real>(value: f64) -> T {
    if T::EPSILON.to_f64() == f64::EPSILON {
        return T::from_f64(value);
    }
    let below = value * (1.0 - NARROWING);
    T::from_f64(if below < f64::from(f32::MIN_POSITIVE) { 0.0 } else { below })
}

/// Likewise a number that is not below `value`. Subnormal numbers are rounded by up to half of their step, so
/// that a whole one is added.
#[inline(always)]
fn upper_bound<T: Real>(value: f64) -> T {
    if T::EPSILON.to_f64() == f64::EPSILON {
        return T::from_f64(value);
    }
    let step = if value < f64::from(f32::MIN_POSITIVE) { f64::from(f32::from_bits(1)) } else { 0.0 };
    T::from_f64(value * (1.0 + NARROWING) + step)
}

#[inline(always)]
fn all_finite<W: Vector>(number: W::Scalar, a: W, b: W) -> bool {
    number.finite() & a.finite() & b.finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_stays_a_gap_in_single_precision() {
        let least = f32::from_bits(1);
        assert_eq!((narrow_length::<f32>(1e-51), narrow_length::<f32>(-1e-300)), (least, -least));
        assert_eq!((narrow_length::<f32>(0.0), narrow_length::<f32>(0.25)), (0.0, 0.25));
        let half = f64::from(least) * 0.5;
        assert_eq!((narrow_length::<f32>(half), narrow_length::<f32>(-half)), (least, -least));
        assert_eq!(narrow_length::<f32>(half.next_up()), least);
        assert_eq!(narrow_length::<f32>(-0.0).to_bits(), (-0.0_f32).to_bits());
        assert_eq!(narrow_length::<f64>(1e-51), 1e-51);
        assert!(narrow_length::<f32>(1e-51) <= upper_bound(1e-51));
    }

    #[test]
    fn bounds_in_single_precision_enclose() {
        let mut value = 1e-50_f64;
        while value < 1e38 {
            let (low, high): (f32, f32) = (lower_bound(value), upper_bound(value));
            assert!(f64::from(low) <= value && value <= f64::from(high), "{low} {value} {high}");
            let nearest = value as f32;
            assert!(nearest.next_down().next_down() <= low || low == 0.0, "{low} {value}");
            assert!(high <= nearest.next_up().next_up(), "{value} {high}");
            value *= 1.000_371;
        }
        assert_eq!(
            (lower_bound::<f32>(0.0), lower_bound::<f64>(0.1), upper_bound::<f64>(0.1)),
            (0.0, 0.1, 0.1)
        );
        for bits in [0x7f7f_ffff_u32, 0x0080_0000, 0x007f_ffff, 1, 0x3f80_0000, 0x3fff_ffff] {
            let value = f64::from(f32::from_bits(bits));
            assert!(f64::from(lower_bound::<f32>(value)) <= value);
            assert!(value <= f64::from(upper_bound::<f32>(value)));
        }
    }
}
