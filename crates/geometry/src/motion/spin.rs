//! Angular velocities of either dimension, and how far a turning shape reaches.
//!
//! A point with the arm r about the centre of rotation moves to r(τ) = exp(ωτ)·r, and a direction that turns
//! with the angular velocity Ω to n(τ) = exp(Ωτ)·n. With n·(ω×r) = (n×ω)·r the product n(τ)·r(τ) has the
//! derivatives, at τ = 0,
//!
//! ```text
//! (n′ + n×ω)·r           with n′ = Ω×n
//! (n″ + 2·n′×ω + (n×ω)×ω)·r     with n″ = Ω×n′
//! ```
//!
//! so one operation on directions, n ↦ n×ω, is nearly all that the proofs need to know about the dimension.

use carom_math::{Number, Vec2, Vec3, Vector};

/// An angular velocity: a number in the plane (counter-clockwise), a vector in space.
pub(crate) trait Spin<V: Vector<Scalar = f64>>: Copy {
    /// |ω|, in radians per unit of time.
    fn rate(self) -> f64;
    /// n×ω: the direction along which arms grow while n stands still.
    fn tilt(self, n: V) -> V;
    /// The angular velocity across the unit vector n that carries its tip with this velocity, perpendicular to n.
    fn carrying(n: V, velocity: V) -> Self;
    /// The same direction of turning at the rate 1; zero for no turning in space.
    fn axis(self) -> Self;
    /// A bound on the third derivative of n(τ)·r(τ) at all times, where n(τ) turns with the angular velocity
    /// `of_direction`, at the speed |n′|, for arms that end within `arm` of the axis and within `reach` of the centre. The rates are
    /// bounds of those of both.
    fn third_derivative(self, of_direction: Self, rates: [f64; 2], speed: f64, ends: [f64; 2]) -> f64;
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
    fn carrying(n: Vec2<f64>, velocity: Vec2<f64>) -> f64 {
        n.cross(velocity)
    }
    #[inline]
    fn axis(self) -> f64 {
        1.0_f64.copysign(self)
    }
    /// Only the difference of the angular velocities counts.
    #[inline]
    fn third_derivative(self, of_direction: f64, _: [f64; 2], _: f64, [arm, _]: [f64; 2]) -> f64 {
        let relative = (self - of_direction).abs();
        relative * relative * relative * arm
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
    fn carrying(n: Vec3<f64>, velocity: Vec3<f64>) -> Vec3<f64> {
        n.cross(velocity)
    }
    #[inline]
    fn axis(self) -> Vec3<f64> {
        self.normalized().unwrap_or(Vec3::ZERO)
    }
    /// |n‴|·|r| + 3·|n″|·|r′| + 3·|n′|·|r″| + |n·r‴|, where |n′| = |n×Ω| is the same at all times. What turns alike is constant.
    #[inline]
    fn third_derivative(
        self,
        of_direction: Vec3<f64>,
        [rate, own]: [f64; 2],
        speed: f64,
        [arm, reach]: [f64; 2],
    ) -> f64 {
        if self == of_direction {
            return 0.0;
        }
        speed * (own * own * reach + 3.0 * rate * (own + rate) * arm) + rate * rate * rate * arm
    }
}

/// The largest arm about an axis, of rate 1, among points, rounded up.
pub(crate) fn largest_arm<V: Vector<Scalar = f64>>(
    axis: impl Spin<V>,
    points: impl IntoIterator<Item = V>,
) -> f64 {
    let (arm, reach) = points.into_iter().fold((0.0, 0.0), |(arm, reach): (f64, f64), point| {
        (axis.tilt(point).length().max_of(arm), point.max_abs().max_of(reach))
    });
    // Unit vector, rotation, cross product and length: less than sixteen roundings of the largest coordinate, of which
    // the arm may be a small part.
    arm + 32.0 * f64::EPSILON * reach
}
