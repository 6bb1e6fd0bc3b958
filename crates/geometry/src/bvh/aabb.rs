//! The boxes that trees are made of.

use carom_math::{Real, Vector};

/// The points between two corners: min <= p <= max on every axis.
///
/// # Example
/// ```
/// use carom_geometry::bvh::Aabb;
/// use carom_math::Vec2;
/// let left = Aabb { min: Vec2::new(0.0, 0.0), max: Vec2::new(1.0, 1.0) };
/// let right = Aabb { min: Vec2::new(1.0, 1.0), max: Vec2::new(2.0, 3.0) };
/// assert!(left.overlaps(right)); // in one corner
/// assert_eq!(left.joined(right).max, right.max);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<V> {
    /// The smallest coordinate on each axis.
    pub min: V,
    /// The largest coordinate on each axis.
    pub max: V,
}

impl<V: Vector> Aabb<V> {
    /// The box that holds no point and changes no box it is joined with.
    #[must_use]
    pub(crate) fn empty() -> Self {
        Aabb { min: V::splat(V::Scalar::INFINITY), max: V::splat(-V::Scalar::INFINITY) }
    }

    /// The smallest box around two points.
    #[must_use]
    #[inline]
    pub fn around(a: V, b: V) -> Self {
        Aabb { min: a.min_by_axis(b), max: a.max_by_axis(b) }
    }

    /// The smallest box around two boxes. NaN coordinates are passed over.
    #[must_use]
    #[inline]
    pub fn joined(self, other: Self) -> Self {
        Aabb { min: self.min.zip(other.min, smaller), max: self.max.zip(other.max, larger) }
    }

    /// Whether the boxes share a point; touching counts. False when a coordinate is NaN.
    #[must_use]
    #[inline(always)]
    pub fn overlaps(self, other: Self) -> bool {
        (0..V::DIM).all(|axis| {
            self.min.get(axis) <= other.max.get(axis) && other.min.get(axis) <= self.max.get(axis)
        })
    }

    /// The point in the middle; halved before it is added, so that nothing overflows.
    #[must_use]
    #[inline]
    pub fn center(self) -> V {
        let half = V::Scalar::HALF;
        self.min * half + self.max * half
    }
}

/// The smaller number, or the one that is not NaN.
#[inline(always)]
fn smaller<T: Real>(a: T, b: T) -> T {
    if b < a || a.partial_cmp(&a).is_none() { b } else { a }
}

/// The larger number, or the one that is not NaN.
#[inline(always)]
fn larger<T: Real>(a: T, b: T) -> T {
    if a < b || a.partial_cmp(&a).is_none() { b } else { a }
}
