//! Vectors in the plane.

use crate::vec_ops::implement_vector_operators;
use crate::{Mat2, Number};

/// A vector, or a point, in the plane; over a scalar or over SIMD lanes.
///
/// # Example
/// ```
/// use carom_math::Vec2;
/// let v = Vec2::new(3.0, 4.0);
/// assert_eq!(v.dot(v), 25.0);
/// assert_eq!(v.perpendicular(), Vec2::new(-4.0, 3.0));
/// assert_eq!(Vec2::from([1.0_f32, 2.0]) * 2.0, Vec2::new(2.0, 4.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[repr(C)]
pub struct Vec2<T> {
    /// Component along the first axis.
    pub x: T,
    /// Component along the second axis.
    pub y: T,
}

implement_vector_operators!(Vec2 { x, y });

impl<T> Vec2<T> {
    /// The vector (x, y).
    #[inline(always)]
    pub const fn new(x: T, y: T) -> Self {
        Vec2 { x, y }
    }
}

impl<T: Number> Vec2<T> {
    /// x·x′ + y·y′
    #[must_use]
    #[inline(always)]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y
    }
    /// x·y′ − y·x′: twice the signed area of the triangle (0, self, other); positive when `other`
    /// lies counter-clockwise of `self`.
    #[must_use]
    #[inline(always)]
    pub fn cross(self, other: Self) -> T {
        self.x * other.y - self.y * other.x
    }
    /// (−y, x): a quarter turn counter-clockwise.
    #[must_use]
    #[inline(always)]
    pub fn perpendicular(self) -> Self {
        Vec2::new(-self.y, self.x)
    }
    /// The outer product self·otherᵀ.
    #[must_use]
    #[inline(always)]
    pub fn outer(self, other: Self) -> Mat2<T> {
        Mat2 { columns: [self * other.x, self * other.y] }
    }
}
