//! Angular velocities of either dimension, and how far a turning shape reaches.
//!
//! A point with the arm r about the centre of rotation moves to r(τ) = exp(ωτ)·r. Along a fixed direction
//! n its coordinate has the derivatives
//!
//! ```text
//! (n·r)′ = n·(ω×r) = (n×ω)·r,     (n·r)″ = ((n×ω)×ω)·r,     |(n·r)‴| <= |ω|²·|n×ω|·|ω̂×r|
//! ```
//!
//! so one operation on directions, n ↦ n×ω, is all that the proofs need to know about the dimension.

use carom_math::{Number, Vec2, Vec3, Vector};

/// An angular velocity: a number in the plane (counter-clockwise), a vector in space.
pub(crate) trait Spin<V: Vector<Scalar = f64>>: Copy {
    /// |ω|, in radians per unit of time.
    fn rate(self) -> f64;
    /// n×ω: the direction along which arms grow while n stands still.
    fn tilt(self, n: V) -> V;
    /// |ω̂×r|: how far a point with this arm is from the axis of rotation.
    fn arm(self, r: V) -> f64;
}

impl Spin<Vec2<f64>> for f64 {
    #[inline]
    fn rate(self) -> f64 {
        self.abs()
    }
    #[inline]
    fn tilt(self, n: Vec2<f64>) -> Vec2<f64> {
        Vec2::new(n.y * self, -n.x * self)
    }
    #[inline]
    fn arm(self, r: Vec2<f64>) -> f64 {
        Vector::length(r)
    }
}

impl Spin<Vec3<f64>> for Vec3<f64> {
    #[inline]
    fn rate(self) -> f64 {
        Vector::length(self)
    }
    #[inline]
    fn tilt(self, n: Vec3<f64>) -> Vec3<f64> {
        n.cross(self)
    }
    #[inline]
    fn arm(self, r: Vec3<f64>) -> f64 {
        match self.normalized() {
            Some(axis) => Vector::length(axis.cross(r)),
            None => 0.0,
        }
    }
}

/// The largest arm among points, rounded up.
pub(crate) fn largest_arm<V: Vector<Scalar = f64>>(
    spin: impl Spin<V>,
    points: impl IntoIterator<Item = V>,
) -> f64 {
    let (arm, reach) = points.into_iter().fold((0.0, 0.0), |(arm, reach): (f64, f64), point| {
        (spin.arm(point).max_of(arm), point.max_abs().max_of(reach))
    });
    // Unit vector, cross product and length: less than eight roundings of the largest coordinate, of which
    // the arm may be a small part.
    arm + 16.0 * f64::EPSILON * reach
}
