//! Square matrices of two and three rows, stored by columns.

use crate::{Number, Real, Vec2, Vec3, Vector, power_of_two};
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

impl<T: Real> Mat2<T> {
    /// The inverse, or `None` when the determinant is zero or a number is not finite.
    ///
    /// Cramer's rule: accurate relative to the determinant, not a rank test. Columns may be of any size, each of its own;
    /// entries of the inverse that are out of range are infinite or zero.
    ///
    /// # Example
    /// ```
    /// use carom_math::{Mat2, Vec2};
    /// let tiny = Mat2 { columns: [Vec2::new(0.0, 1e-30_f32), Vec2::new(-1e-30, 0.0)] };
    /// assert_eq!(tiny.inverse().unwrap().columns, [Vec2::new(0.0, -1e30), Vec2::new(1e30, 0.0)]);
    /// ```
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        let ([a, b], shifts) = near_one(self.columns)?;
        let determinant = a.cross(b);
        if determinant == T::ZERO || !determinant.finite() {
            return None;
        }
        let rows = [Vec2::new(b.y, -b.x) / determinant, Vec2::new(-a.y, a.x) / determinant];
        Some(Mat2 { columns: shifted(rows, shifts) }.transposed())
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

impl<T: Real> Mat3<T> {
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
    /// The vector x with self·x = v, by Cramer's rule with one division; `None` where [`inverse`](Self::inverse) has none.
    ///
    /// Matrix and vector may be of any size; an answer that is out of range is infinite or zero.
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
        let (columns, shifts) = near_one(self.columns)?;
        // A vector that is not finite has an answer that is not.
        let ([near], [own]) = near_one([v]).unwrap_or(([v], [0]));
        let (numerators, determinant) = Mat3 { columns }.cramer(near);
        if determinant == T::ZERO || !determinant.finite() {
            return None;
        }
        let reciprocal = T::ONE / determinant;
        let near = if reciprocal.finite() { numerators * reciprocal } else { numerators / determinant };
        Some(Vec3::from_fn(|axis| shifted_number(near.get(axis), shifts[axis % 3] - own)))
    }
    /// The inverse, or `None` when the determinant is zero or a number is not finite.
    ///
    /// By cofactors: accurate relative to the determinant, not a rank test. Columns may be of any size, each of its own;
    /// entries of the inverse that are out of range are infinite or zero.
    ///
    /// # Example
    /// ```
    /// use carom_math::{Mat3, Vec3};
    /// let tiny = Mat3::diagonal(Vec3::new(1e-30_f32, 2e-30, 4e-30));
    /// assert_eq!(tiny.inverse(), Some(Mat3::diagonal(Vec3::new(1e30, 0.5e30, 0.25e30))));
    /// ```
    #[must_use]
    pub fn inverse(self) -> Option<Self> {
        let ([a, b, c], shifts) = near_one(self.columns)?;
        let normal = b.cross(c);
        let determinant = a.dot(normal);
        if determinant == T::ZERO || !determinant.finite() {
            return None;
        }
        let rows = [normal / determinant, c.cross(a) / determinant, a.cross(b) / determinant];
        Some(Mat3 { columns: shifted(rows, shifts) }.transposed())
    }
}

/// Sizes of columns of which no product of three loses digits: a third of the exponents of the number type, less what a
/// determinant may be smaller by than its terms.
fn is_moderate<T: Real>(size: T) -> bool {
    let band = if size_of::<T>() == size_of::<f32>() { 20 } else { 200 };
    let size = size.to_f64();
    power_of_two(-band) <= size && size <= power_of_two(band)
}

/// The columns, each times the power of two that brings its largest entry into [1, 2), and the exponents of these powers.
/// As they are, with exponents 0, when they are of moderate size. `None` when one is not finite.
///
/// Cofactors and determinants are products with one factor of each column, so powers of two pass through them without
/// rounding: a row of the inverse is that of the other matrix, times the power of its column. An entry that becomes subnormal is
/// no more than 2⁻¹²⁶ of its column.
#[inline]
fn near_one<V: Vector, const N: usize>(columns: [V; N]) -> Option<([V; N], [i32; N])> {
    let sizes = columns.map(V::max_abs);
    if sizes.into_iter().all(is_moderate) {
        Some((columns, [0; N]))
    } else {
        brought_near_one(columns, sizes)
    }
}

#[cold]
fn brought_near_one<V: Vector, const N: usize>(
    columns: [V; N],
    sizes: [V::Scalar; N],
) -> Option<([V; N], [i32; N])> {
    if !columns.into_iter().all(V::finite) {
        return None;
    }
    let shifts = sizes.map(|size| -exponent(size.to_f64()));
    Some((shifted(columns, shifts), shifts))
}

/// Each vector times 2 to its power.
fn shifted<V: Vector, const N: usize>(vectors: [V; N], shifts: [i32; N]) -> [V; N] {
    core::array::from_fn(|index| vectors[index].map(|number| shifted_number(number, shifts[index])))
}

/// e with 2^e <= size < 2^(e+1); 0 for zero.
fn exponent(size: f64) -> i32 {
    // Subnormal numbers have no exponent of their own: they are brought up first.
    let (normal, lift) = if size < f64::MIN_POSITIVE { (size * power_of_two(64), 64) } else { (size, 0) };
    if size == 0.0 { 0 } else { (normal.to_bits() >> 52) as i32 - 1023 - lift }
}

/// The number times 2^shift, rounded once unless it is too small for full precision.
fn shifted_number<T: Real>(number: T, shift: i32) -> T {
    if shift == 0 {
        return number;
    }
    // Three steps in one direction, so that every factor is in range.
    let third = shift / 3;
    let [first, last] = [third, shift - 2 * third].map(power_of_two);
    T::from_f64(number.to_f64() * first * first * last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::Rng;

    /// 2^exponent.
    fn power<T: Real>(exponent: i32) -> T {
        T::from_f64(power_of_two(exponent))
    }

    /// A matrix that is easy to invert: its diagonal outweighs the rest of each row.
    fn sound<T: Real>(rng: &mut Rng) -> Mat3<T> {
        let mut column =
            |axis: usize| Vec3::from_fn(|row| rng.uniform(-1.0, 1.0) + if row == axis { 3.0 } else { 0.0 });
        Mat3 { columns: [0, 1, 2].map(|axis| Vec3::narrow(column(axis))) }
    }

    /// Multiplying by a power of two changes no digit, wherever the numbers are in range.
    fn scales_exactly<T: Real>(exponents: &[i32]) {
        let mut rng = Rng::new(5);
        for _ in 0..50 {
            let (matrix, v) =
                (sound::<T>(&mut rng), Vec3::<T>::from_fn(|_| T::from_f64(rng.uniform(-1.0, 1.0))));
            let (inverse, solution) = (matrix.inverse().unwrap(), matrix.solve(v).unwrap());
            let product = matrix * inverse;
            for (column, unit) in product.columns.into_iter().zip(Mat3::<T>::IDENTITY.columns) {
                assert!((column - unit).max_abs() <= T::from_f64(64.0) * T::EPSILON, "{matrix:?}");
            }
            let off = (matrix * solution - v).max_abs();
            assert!(off <= T::from_f64(64.0) * T::EPSILON, "{matrix:?} {v:?}");
            for &exponent in exponents {
                let (up, down) = (power::<T>(exponent), power::<T>(-exponent));
                let other = Mat3 { columns: matrix.columns.map(|column| column * up) };
                let expected = inverse.columns.map(|column| column * down);
                assert_eq!(other.inverse().unwrap().columns, expected, "2^{exponent}");
                assert_eq!(other.solve(v * up), Some(solution), "2^{exponent}");
                assert_eq!(other.solve(v), Some(solution * down), "2^{exponent}");
                assert_eq!(matrix.solve(v * up), Some(solution * up), "2^{exponent}");
                // Columns of different sizes: rows of the inverse of different sizes.
                let [a, b, c] = matrix.columns;
                let mixed = Mat3 { columns: [a * up, b, c * down] }.inverse().unwrap().transposed().columns;
                let rows = inverse.transposed().columns;
                assert_eq!(mixed, [rows[0] * down, rows[1], rows[2] * up], "2^{exponent}");
                let plane =
                    |a: Vec3<T>, b: Vec3<T>| Mat2 { columns: [Vec2::new(a.x, a.y), Vec2::new(b.x, b.y)] };
                let (flat, other) = (plane(a, b).inverse(), plane(a * up, b * up).inverse());
                let expected = flat.map(|flat| flat.columns.map(|column| column * down));
                assert_eq!(other.map(|other| other.columns), expected, "2^{exponent}");
            }
        }
    }

    #[test]
    fn matrices_of_every_size_have_their_inverse() {
        scales_exactly::<f32>(&[-90, -60, -45, -43, -30, -20, 5, 30, 43, 60, 90]);
        scales_exactly::<f64>(&[-900, -600, -400, -357, -342, -200, 7, 330, 342, 400, 900]);
    }

    #[test]
    fn what_has_no_inverse_has_none_at_any_size() {
        let flat = |size: f64| Mat3 {
            columns: [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 0.0, 1.0]].map(|c| Vec3::from(c) * size),
        };
        for size in [1.0, 1e-200, 1e200, 0.0, f64::INFINITY, f64::NAN] {
            assert_eq!(flat(size).inverse(), None, "{size}");
            assert_eq!(flat(size).solve([1.0, 1.0, 1.0].into()), None, "{size}");
            let plane = Mat2 { columns: [Vec2::new(size, 2.0 * size), Vec2::new(2.0 * size, 4.0 * size)] };
            assert_eq!(plane.inverse(), None, "{size}");
        }
        // Nearly singular: the reciprocal of the determinant is out of range, the answer is not.
        let thin = Mat3::diagonal(Vec3::new(1.0_f32, 1e-19, 2e-20));
        assert_eq!(thin.solve(Vec3::new(1.0, 1e-19, 2e-20)), Some(Vec3::new(1.0, 1.0, 1.0)));
        // Out of range at last.
        let tiny = Mat3::diagonal(Vec3::new(1.0, 1.0, 1.0) * f32::from_bits(1));
        assert_eq!(tiny.inverse().unwrap().columns[0].x, f32::INFINITY);
        assert_eq!(
            tiny.solve(Vec3::new(1.0, 0.0, -2.0) * f32::from_bits(1)),
            Some(Vec3::new(1.0, 0.0, -2.0))
        );
    }
}
