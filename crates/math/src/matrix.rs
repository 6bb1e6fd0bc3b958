//! Square matrices of two and three rows, stored by columns.

use crate::{Number, Vec2, Vec3};
use core::ops::Mul;

/// A 2×2 matrix.
///
/// # Example
/// ```
/// use carom_math::{Mat2, Vec2};
/// let m = Mat2 { columns: [Vec2::new(1.0, 3.0), Vec2::new(2.0, 4.0)] };
/// assert_eq!(m * Vec2::new(1.0, 1.0), Vec2::new(3.0, 7.0));
/// assert_eq!(m.determinant(), -2.0);
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mat2<T> {
    /// The images of the two axes.
    pub columns: [Vec2<T>; 2],
}

/// A 3×3 matrix.
///
/// # Example
/// ```
/// use carom_math::{Mat3, Vec3};
/// let m = Mat3::diagonal(Vec3::new(1.0, 2.0, 3.0));
/// assert_eq!(m * Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.0, 2.0, 3.0));
/// assert_eq!(m.inverse().unwrap() * m, Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Mat3<T> {
    /// The images of the three axes.
    pub columns: [Vec3<T>; 3],
}

impl<T: Number> Mul<Vec2<T>> for Mat2<T> {
    type Output = Vec2<T>;
    #[inline(always)]
    fn mul(self, v: Vec2<T>) -> Vec2<T> {
        self.columns[0] * v.x + self.columns[1] * v.y
    }
}

impl<T: Number> Mul<Vec3<T>> for Mat3<T> {
    type Output = Vec3<T>;
    #[inline(always)]
    fn mul(self, v: Vec3<T>) -> Vec3<T> {
        self.columns[0] * v.x + self.columns[1] * v.y + self.columns[2] * v.z
    }
}

impl<T: Number> Mul for Mat2<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Mat2 { columns: other.columns.map(|column| self * column) }
    }
}

impl<T: Number> Mul for Mat3<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Mat3 { columns: other.columns.map(|column| self * column) }
    }
}

impl<T: Number> Mat2<T> {
    /// Rows become columns.
    #[must_use]
    pub fn transposed(self) -> Self {
        let [a, b] = self.columns;
        Mat2 { columns: [Vec2::new(a.x, b.x), Vec2::new(a.y, b.y)] }
    }
    /// The signed area of the image of the unit square.
    #[must_use]
    pub fn determinant(self) -> T {
        self.columns[0].cross(self.columns[1])
    }
    /// Entry by entry.
    #[must_use]
    pub fn abs(self) -> Self {
        Mat2 { columns: self.columns.map(|c| Vec2::new(c.x.abs(), c.y.abs())) }
    }
}

impl<T: crate::Real> Mat2<T> {
    /// The inverse, or `None` when the determinant is zero or not finite.
    ///
    /// Cramer's rule: accurate relative to the determinant, not a rank test.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        let determinant = self.determinant();
        if determinant == T::ZERO || !determinant.finite() {
            return None;
        }
        let [a, b] = self.columns;
        Some(Mat2 { columns: [Vec2::new(b.y, -a.y) / determinant, Vec2::new(-b.x, a.x) / determinant] })
    }
}

impl<T: Number> Mat3<T> {
    /// Rows become columns.
    #[must_use]
    #[inline(always)]
    pub fn transposed(self) -> Self {
        let [a, b, c] = self.columns;
        Mat3 { columns: [Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)] }
    }
    /// The product selfᵀ·v: the components of `v` along the columns.
    #[must_use]
    #[inline(always)]
    pub fn transpose_mul(self, v: Vec3<T>) -> Vec3<T> {
        Vec3::new(self.columns[0].dot(v), self.columns[1].dot(v), self.columns[2].dot(v))
    }
    /// The solution of `self`·x = `v` by Cramer's rule, times the determinant, and that; [`Mat3::solve`] for several matrices
    /// side by side, of which any may be singular.
    ///
    /// # Example
    /// ```
    /// use carom_math::{Mat3, Vec3};
    /// let stretch = Mat3::<f64> { columns: [[2.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from) };
    /// let (numerators, determinant) = stretch.cramer([2.0, 2.0, 2.0].into());
    /// assert_eq!((numerators / determinant, determinant), ([1.0, 0.5, 2.0].into(), 8.0));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn cramer(self, v: Vec3<T>) -> (Vec3<T>, T) {
        let [a, b, c] = self.columns;
        let (normal, across) = (b.cross(c), a.cross(v));
        (Vec3::new(v.dot(normal), across.dot(c), -across.dot(b)), a.dot(normal))
    }
    /// The signed volume of the image of the unit cube.
    #[must_use]
    pub fn determinant(self) -> T {
        self.columns[0].dot(self.columns[1].cross(self.columns[2]))
    }
    /// Entry by entry.
    #[must_use]
    #[inline(always)]
    pub fn abs(self) -> Self {
        Mat3 { columns: self.columns.map(|c| Vec3::new(c.x.abs(), c.y.abs(), c.z.abs())) }
    }
}

impl<T: crate::Real> Mat3<T> {
    /// The unit matrix.
    pub const IDENTITY: Self = Mat3 {
        columns: [
            Vec3::new(T::ONE, T::ZERO, T::ZERO),
            Vec3::new(T::ZERO, T::ONE, T::ZERO),
            Vec3::new(T::ZERO, T::ZERO, T::ONE),
        ],
    };
    /// The matrix that stretches along the axes.
    #[must_use]
    pub fn diagonal(stretch: Vec3<T>) -> Self {
        let zero = T::ZERO;
        Mat3 {
            columns: [
                Vec3::new(stretch.x, zero, zero),
                Vec3::new(zero, stretch.y, zero),
                Vec3::new(zero, zero, stretch.z),
            ],
        }
    }
    /// The inverse, or `None` when the determinant is zero or not finite.
    ///
    /// The vector x with self·x = v, by Cramer's rule with one division; `None` where [`inverse`](Self::inverse) has none.
    ///
    /// # Example
    /// ```
    /// use carom_math::{Mat3, Vec3};
    /// let shear = Mat3 { columns: [Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 4.0)] };
    /// assert_eq!(shear.solve(Vec3::new(5.0, 1.0, 8.0)), Some(Vec3::new(3.0, 1.0, 2.0)));
    /// ```
    #[must_use]
    #[inline]
    pub fn solve(self, v: Vec3<T>) -> Option<Vec3<T>> {
        let (numerators, determinant) = self.cramer(v);
        if determinant == T::ZERO || !determinant.finite() {
            return None;
        }
        Some(numerators * (T::ONE / determinant))
    }
    /// By cofactors: accurate relative to the determinant, not a rank test.
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        let determinant = self.determinant();
        if determinant == T::ZERO || !determinant.finite() {
            return None;
        }
        let [a, b, c] = self.columns;
        let rows = [b.cross(c) / determinant, c.cross(a) / determinant, a.cross(b) / determinant];
        Some(Mat3 { columns: rows }.transposed())
    }
}
