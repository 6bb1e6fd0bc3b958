//! Vectors in space.

use crate::vec_ops::implement_vector_operators;
use crate::{Mat3, Number};

/// A vector, or a point, in space; over a scalar or over SIMD lanes.
///
/// # Example
/// ```
/// use carom_math::Vec3;
/// let x = Vec3::new(1.0, 0.0, 0.0);
/// let y = Vec3::new(0.0, 1.0, 0.0);
/// assert_eq!(x.cross(y), Vec3::new(0.0, 0.0, 1.0));
/// assert_eq!(Vec3::from((1.0_f32, 2.0, 3.0)).dot(Vec3::new(1.0, 1.0, 1.0)), 6.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C)]
pub struct Vec3<T> {
    /// Component along the first axis.
    pub x: T,
    /// Component along the second axis.
    pub y: T,
    /// Component along the third axis.
    pub z: T,
}

implement_vector_operators!(Vec3 { x, y, z });

impl<T> Vec3<T> {
    /// The vector (x, y, z).
    #[inline(always)]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Vec3 { x, y, z }
    }
}

impl<T: Number> Vec3<T> {
    /// x·x′ + y·y′ + z·z′, summed in this order.
    #[must_use]
    #[inline(always)]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    /// The vector perpendicular to both (right-handed), as long as the area of their parallelogram.
    #[must_use]
    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Vec3::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }
    /// The outer product self·otherᵀ.
    #[must_use]
    #[inline(always)]
    pub fn outer(self, other: Self) -> Mat3<T> {
        Mat3 { columns: [self * other.x, self * other.y, self * other.z] }
    }
}
