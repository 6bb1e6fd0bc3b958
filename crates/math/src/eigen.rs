//! Eigen-decomposition of symmetric matrices, by Jacobi's rotations.
//!
//! Jacobi (1846) is slower than closed formulas and far more accurate: small eigenvalues keep their
//! relative accuracy and the vectors stay orthonormal to rounding even for repeated eigenvalues.
//! Always computed in `f64`. At most [`SWEEPS`] sweeps; the off-diagonal part shrinks quadratically,
//! five or six are enough in practice, and the loop ends when nothing is left to rotate.

use crate::{Mat2, Mat3, Number, Real, Vec2, Vec3, Vector};

/// Bound on the number of sweeps; convergence is quadratic and never needed more than 7 in tests.
const SWEEPS: usize = 24;

/// The eigenvalues of a symmetric 3×3 matrix in falling order, and the unit eigenvectors as the
/// columns of a rotation (right-handed). Only the lower triangle of `matrix` is read.
///
/// Not finite in, not finite out.
///
/// # Example
/// ```
/// use carom_math::{Mat3, Vec3, symmetric_eigen3};
/// let (values, vectors) = symmetric_eigen3(Mat3::diagonal(Vec3::new(1.0, 3.0, 2.0)));
/// assert_eq!(values, [3.0, 2.0, 1.0]);
/// assert_eq!(vectors.columns[0], Vec3::new(0.0, 1.0, 0.0));
/// ```
#[must_use]
pub fn symmetric_eigen3<T: Real>(matrix: Mat3<T>) -> ([T; 3], Mat3<T>) {
    let m = matrix.columns.map(Vector::widen);
    let mut a = [[m[0].x, m[0].y, m[0].z], [m[0].y, m[1].y, m[1].z], [m[0].z, m[1].z, m[2].z]];
    let mut v = jacobi(&mut a);
    let values = sort_falling([a[0][0], a[1][1], a[2][2]], &mut v);
    // The rotations lose a little of the length, a few ulp a sweep.
    let column = |k: usize| unit_or(Vec3::new(v[0][k], v[1][k], v[2][k]), k);
    let (first, second) = (column(0), column(1));
    // The third axis is ± the eigenvector; the cross product makes the frame right-handed.
    let columns = [first, second, first.cross(second)].map(|c| Vec3::narrow(sign_by_largest(c)));
    let third = if columns[0].cross(columns[1]).dot(columns[2]) < T::ZERO { -columns[2] } else { columns[2] };
    (values.map(T::from_f64), Mat3 { columns: [columns[0], columns[1], third] })
}

/// The eigenvalues of a symmetric 2×2 matrix in falling order, and the unit eigenvectors as the
/// columns of a rotation. Only the lower triangle of `matrix` is read.
///
/// # Example
/// ```
/// use carom_math::{Mat2, Vec2, symmetric_eigen2};
/// let m = Mat2 { columns: [Vec2::new(2.0, 1.0), Vec2::new(1.0, 2.0)] };
/// let (values, _) = symmetric_eigen2(m);
/// assert!((values[0] - 3.0_f64).abs() < 1e-15 && (values[1] - 1.0).abs() < 1e-15);
/// ```
#[must_use]
pub fn symmetric_eigen2<T: Real>(matrix: Mat2<T>) -> ([T; 2], Mat2<T>) {
    let m = matrix.columns.map(Vector::widen);
    let mut a = [[m[0].x, m[0].y], [m[0].y, m[1].y]];
    let mut v = jacobi(&mut a);
    let values = sort_falling([a[0][0], a[1][1]], &mut v);
    let first = sign_by_largest(unit_or(Vec2::new(v[0][0], v[1][0]), 0));
    (values.map(T::from_f64), Mat2 { columns: [first, first.perpendicular()].map(Vec2::narrow) })
}

/// Diagonalises `a` in place and returns the matrix whose columns are the eigenvectors.
fn jacobi<const N: usize>(a: &mut [[f64; N]; N]) -> [[f64; N]; N] {
    let mut v = [[0.0; N]; N];
    for (k, row) in v.iter_mut().enumerate() {
        row[k] = 1.0;
    }
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..N {
            for q in p + 1..N {
                rotated |= rotate_away(a, &mut v, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    v
}

/// One Jacobi rotation in the (p, q) plane, which makes a[p][q] zero:
///
/// ```text
/// θ = (a_qq − a_pp) / (2 a_pq),   t = sign(θ) / (|θ| + √(θ² + 1)),   c = 1/√(t² + 1),   s = t·c
/// ```
///
/// Returns false when a[p][q] cannot change either diagonal entry.
fn rotate_away<const N: usize>(a: &mut [[f64; N]; N], v: &mut [[f64; N]; N], p: usize, q: usize) -> bool {
    let off = a[p][q];
    // Relative to the smaller diagonal entry, so that small eigenvalues are as accurate as large ones.
    let small = a[p][p].abs().min_of(a[q][q].abs());
    if off == 0.0 || small + off.abs() * 0.125 == small {
        a[p][q] = 0.0;
        a[q][p] = 0.0;
        return false;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * off);
    let root = if theta.abs() < 1e150 { (theta * theta + 1.0).sqrt() } else { theta.abs() };
    let t = if theta < 0.0 { 1.0 } else { -1.0 } / -(theta.abs() + root);
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    for k in 0..N {
        if k != p && k != q {
            let (kp, kq) = (a[k][p], a[k][q]);
            a[k][p] = c * kp - s * kq;
            a[k][q] = s * kp + c * kq;
            a[p][k] = a[k][p];
            a[q][k] = a[k][q];
        }
        let (kp, kq) = (v[k][p], v[k][q]);
        v[k][p] = c * kp - s * kq;
        v[k][q] = s * kp + c * kq;
    }
    true
}

/// Sorts values in falling order (ties keep their order) and the columns of `v` with them.
fn sort_falling<const N: usize>(mut values: [f64; N], v: &mut [[f64; N]; N]) -> [f64; N] {
    for end in (1..N).rev() {
        for k in 0..end {
            if values[k] < values[k + 1] {
                values.swap(k, k + 1);
                for row in v.iter_mut() {
                    row.swap(k, k + 1);
                }
            }
        }
    }
    values
}

/// The direction of `v`; the axis itself when `v` is not finite.
fn unit_or<V: Vector>(v: V, axis: usize) -> V {
    v.normalized().unwrap_or(V::unit(axis))
}

/// An eigenvector is known up to its sign: make the component of largest magnitude positive.
fn sign_by_largest<V: Vector<Scalar = f64>>(v: V) -> V {
    let mut largest = 0;
    for axis in 1..V::DIM {
        if v.get(largest).abs() < v.get(axis).abs() {
            largest = axis;
        }
    }
    if v.get(largest) < 0.0 { -v } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check3(m: Mat3<f64>) {
        let (values, vectors) = symmetric_eigen3(m);
        let size = m.columns.iter().fold(0.0_f64, |s, c| c.max_abs().max_of(s));
        assert!(values[1] <= values[0] && values[2] <= values[1]);
        for (value, vector) in values.into_iter().zip(vectors.columns) {
            let residual = m * vector - vector * value;
            assert!(residual.max_abs() <= 8.0 * f64::EPSILON * size, "{m:?} {residual:?}");
        }
        let product = vectors.transposed() * vectors;
        for (k, column) in product.columns.into_iter().enumerate() {
            assert!((column - Vec3::unit(k)).max_abs() <= 8.0 * f64::EPSILON, "{product:?}");
        }
        assert!(0.0 < vectors.determinant());
    }

    #[test]
    fn residuals_vanish_for_hostile_matrices() {
        let symmetric = |a: f64, b: f64, c: f64, d: f64, e: f64, f: f64| Mat3 {
            columns: [Vec3::new(a, b, c), Vec3::new(b, d, e), Vec3::new(c, e, f)],
        };
        check3(symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0));
        check3(symmetric(1.0, 0.0, 0.0, 1.0, 0.0, 1.0));
        check3(symmetric(1.0, 1.0, 1.0, 1.0, 1.0, 1.0));
        check3(symmetric(2.0, -1.0, 0.0, 2.0, -1.0, 2.0));
        check3(symmetric(1e20, 1e5, 1.0, 1.0, 1e-10, 1e-20));
        check3(symmetric(1e-200, 1e-201, 0.0, 2e-200, 1e-210, 1e-200));
        check3(symmetric(1e200, -1e199, 3e199, 2e200, 1e180, 1e200));
        let mut state = 12_345_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            f64::from((state >> 33) as u32) / f64::from(1_u32 << 30) - 1.0
        };
        for _ in 0..2000 {
            check3(symmetric(random(), random(), random(), random(), random(), random()));
        }
    }

    #[test]
    fn planar_frame_is_a_rotation() {
        let (values, vectors) =
            symmetric_eigen2(Mat2 { columns: [Vec2::new(1.0_f64, 1e-9), Vec2::new(1e-9, 1.0)] });
        assert!((values[0] - (1.0 + 1e-9)).abs() < 1e-15);
        assert!((vectors.determinant() - 1.0).abs() < 1e-15);
    }
}
