//! A point of each of two convex things, and what their connection proves.
//!
//! With g from the point of a to the point of b, |g| is no less than the distance, up to the rounding of the points. With
//! σ(g) the least g·(y − x) over all points x of a and y of b, σ(g)/|g| is no more: it is how thick a slab across g between
//! them is. Where both agree, the points are the nearest, however they were found.

use super::core::PROOF;
use crate::answer::Separation;
use carom_math::{Number, Vector};

/// Two points and their connection, in the frame of the pair.
pub(crate) struct Between<V> {
    pub(crate) point_a: V,
    pub(crate) point_b: V,
    /// From the point of a to the point of b.
    pub(crate) gap: V,
    /// σ(gap)
    pub(crate) low: f64,
}

impl<V: Vector<Scalar = f64>> Between<V> {
    #[inline(always)]
    pub(crate) fn squared(&self) -> f64 {
        self.gap.dot(self.gap)
    }

    /// Whether the slab across the gap is thicker than `far`: σ/|gap| > far, without a root.
    #[inline(always)]
    pub(crate) fn is_wider(&self, far: f64) -> bool {
        far * far * self.squared() < self.low.max_of(0.0) * self.low
    }

    /// How both relate, with radii around them, if the points are proved to be the nearest and it is not about a touch:
    /// for answers in `f32`, which do not show the digits that the features themselves would add.
    #[inline(always)]
    pub(crate) fn narrow(&self, [radius_a, radius_b]: [f64; 2], error: f64) -> Option<Separation<V>> {
        let (squared, distance) = (self.squared(), self.squared().sqrt());
        let separation = distance - (radius_a + radius_b);
        let is_proved = squared - PROOF * error * distance <= self.low;
        let is_clear = error < distance.min_of(separation.abs());
        if !(is_proved & is_clear) {
            return None;
        }
        let normal = self.gap / distance;
        Some(Separation {
            separation,
            error,
            normal,
            point_a: self.point_a + normal * radius_a,
            point_b: self.point_b - normal * radius_b,
        })
    }
}
