//! The plane and space as one: every vector can be lifted into space and `f64`, and lowered back.

use carom_math::{Mat3, Real, Vec2, Vec3, Vector};
use core::fmt::Debug;

/// A dimension in which things move and spin: [`Vec2`] or [`Vec3`] over `f32` or `f64`.
///
/// The plane is the plane z = 0 of space: an angular velocity ω stands for (0, 0, ω), a moment of inertia
/// for the zz entry of a matrix. Lifting is exact; lowering rounds to the nearest number.
///
/// # Example
/// ```
/// use carom_dynamics::Space;
/// use carom_math::{Vec2, Vec3};
/// assert_eq!(Vec2::new(1.0_f32, 2.0).lift(), Vec3::new(1.0, 2.0, 0.0));
/// assert_eq!(Vec2::<f32>::lift_angular(3.0), Vec3::new(0.0, 0.0, 3.0));
/// ```
pub trait Space: Vector {
    /// An angular velocity: a number in the plane (counter-clockwise), a world-frame vector in space.
    type Angular: Copy + PartialEq + Debug + Default;
    /// The inverse of the inertia about the centre of mass: a number in the plane, a symmetric
    /// world-frame matrix without negative eigenvalues in space. Zero for what does not turn.
    type InverseInertia: Copy + PartialEq + Debug + Default;

    /// The vector in space.
    fn lift(self) -> Vec3<f64>;
    /// The vector of this dimension.
    fn lower(lifted: Vec3<f64>) -> Self;
    /// The angular velocity in space.
    fn lift_angular(angular: Self::Angular) -> Vec3<f64>;
    /// The angular velocity of this dimension.
    fn lower_angular(lifted: Vec3<f64>) -> Self::Angular;
    /// The inverse inertia in space.
    fn lift_inertia(inertia: Self::InverseInertia) -> Mat3<f64>;
    /// Whether all numbers of an angular velocity are finite.
    fn finite_angular(angular: Self::Angular) -> bool;
}

impl<T: Real> Space for Vec2<T> {
    type Angular = T;
    type InverseInertia = T;

    fn lift(self) -> Vec3<f64> {
        Vec3::new(self.x.to_f64(), self.y.to_f64(), 0.0)
    }
    fn lower(lifted: Vec3<f64>) -> Self {
        Vec2::new(T::from_f64(lifted.x), T::from_f64(lifted.y))
    }
    fn lift_angular(angular: T) -> Vec3<f64> {
        Vec3::new(0.0, 0.0, angular.to_f64())
    }
    fn lower_angular(lifted: Vec3<f64>) -> T {
        T::from_f64(lifted.z)
    }
    fn lift_inertia(inertia: T) -> Mat3<f64> {
        Mat3::diagonal(Vec3::new(0.0, 0.0, inertia.to_f64()))
    }
    fn finite_angular(angular: T) -> bool {
        angular.finite()
    }
}

impl<T: Real> Space for Vec3<T> {
    type Angular = Vec3<T>;
    type InverseInertia = Mat3<T>;

    fn lift(self) -> Vec3<f64> {
        self.widen()
    }
    fn lower(lifted: Vec3<f64>) -> Self {
        Vec3::narrow(lifted)
    }
    fn lift_angular(angular: Vec3<T>) -> Vec3<f64> {
        angular.widen()
    }
    fn lower_angular(lifted: Vec3<f64>) -> Vec3<T> {
        Vec3::narrow(lifted)
    }
    fn lift_inertia(inertia: Mat3<T>) -> Mat3<f64> {
        Mat3 { columns: inertia.columns.map(Vector::widen) }
    }
    fn finite_angular(angular: Vec3<T>) -> bool {
        angular.finite()
    }
}
