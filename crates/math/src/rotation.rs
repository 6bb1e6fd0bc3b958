//! Rotations: a unit complex number in the plane, a unit quaternion in space.
//!
//! Both are applied in *homogeneous* form, which divides by the squared norm instead of trusting it
//! to be one. The reward is exactness where people expect it: a quaternion such as (0, 0, s, s) is a
//! quarter turn for every s, and the quotient 2s²/(s² + s²) is 1 without a rounding error, so boxes
//! that are turned by a right angle still touch exactly. The relative rotation of two equal
//! rotations is exactly the identity for the same reason.

use crate::{Mat2, Mat3, Number, Real, Vec2, Vec3, Vector};
use core::ops::Mul;

/// A rotation of the plane.
///
/// # Example
/// ```
/// use carom_math::{Rot2, Vec2};
/// let quarter = Rot2::from_cos_sin(0.0, 1.0).unwrap();
/// assert_eq!(quarter.rotate(Vec2::new(2.0, 0.0)), Vec2::new(0.0, 2.0));
/// assert_eq!((quarter * quarter.inverse()), Rot2::IDENTITY);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rot2<T> {
    cos: T,
    sin: T,
}

/// A rotation of space: the unit quaternion x·i + y·j + z·k + w.
///
/// # Example
/// ```
/// use carom_math::{Quat, Vec3};
/// // Any multiple of (0, 0, 1, 1) is a quarter turn about z.
/// let quarter = Quat::new(0.0, 0.0, 3.0, 3.0).unwrap();
/// assert_eq!(quarter.rotate(Vec3::new(2.0, 0.0, 0.0)), Vec3::new(0.0, 2.0, 0.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Quat<T> {
    /// The vector part: the unit axis times sin(angle/2).
    vector: Vec3<T>,
    /// cos(angle/2)
    w: T,
}

impl<T: Real> Default for Rot2<T> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<T: Real> Default for Quat<T> {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl<T: Real> Rot2<T> {
    /// No rotation.
    pub const IDENTITY: Self = Rot2 { cos: T::ONE, sin: T::ZERO };

    /// The counter-clockwise rotation by an angle in radians. A non-finite angle gives a rotation
    /// that is not [`finite`](Self::finite), which every query reports.
    #[must_use]
    pub fn from_angle(angle: T) -> Self {
        let (sin, cos) = angle.sine_cosine();
        Rot2 { cos, sin }
    }
    /// The rotation that turns the x axis towards (cos, sin), which need not be of unit length;
    /// `None` when it is zero or not finite.
    #[must_use]
    pub fn from_cos_sin(cos: T, sin: T) -> Option<Self> {
        Vec2::new(cos, sin).normalized().map(|unit| Rot2 { cos: unit.x, sin: unit.y })
    }
    /// The rotation with these numbers, as another one gave them: nothing is rounded again. Numbers that are not
    /// the cosine and sine of an angle make it stretch what it rotates.
    ///
    /// # Example
    /// ```
    /// use carom_math::Rot2;
    /// let turn = Rot2::from_angle(0.1_f32) * Rot2::from_angle(0.2);
    /// assert_eq!(Rot2::from_parts(turn.cos(), turn.sin()), turn);
    /// ```
    #[must_use]
    pub fn from_parts(cos: T, sin: T) -> Self {
        Rot2 { cos, sin }
    }
    /// The cosine of the angle.
    #[must_use]
    #[inline(always)]
    pub fn cos(self) -> T {
        self.cos
    }
    /// The sine of the angle.
    #[must_use]
    #[inline(always)]
    pub fn sin(self) -> T {
        self.sin
    }
    /// The angle in [−π, π]; −π where the sine is −0 or rounds to it.
    #[must_use]
    pub fn angle(self) -> T {
        self.sin.arc_tangent2(self.cos)
    }
    /// The rotation by the opposite angle.
    #[must_use]
    #[inline(always)]
    pub fn inverse(self) -> Self {
        Rot2 { cos: self.cos, sin: -self.sin }
    }
    /// `v`, turned.
    #[must_use]
    #[inline(always)]
    pub fn rotate(self, v: Vec2<T>) -> Vec2<T> {
        Vec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }
    /// The rotation as a matrix.
    #[must_use]
    #[inline(always)]
    pub fn to_matrix(self) -> Mat2<T> {
        Mat2 { columns: [Vec2::new(self.cos, self.sin), Vec2::new(-self.sin, self.cos)] }
    }
    /// Both components are finite.
    #[must_use]
    #[inline(always)]
    pub fn finite(self) -> bool {
        Vec2::new(self.cos, self.sin).finite()
    }
    /// The same rotation in `f64`.
    #[must_use]
    #[inline(always)]
    pub fn widen(self) -> Rot2<f64> {
        // A rotation that is of unit length to f32 precision is not so to f64 precision.
        let (cos, sin) = (self.cos.to_f64(), self.sin.to_f64());
        Rot2 { cos, sin }.renormalized()
    }
    /// The same rotation; see [`Pose2::copied`](crate::Pose2::copied).
    #[inline(always)]
    pub(crate) fn copied(self) -> Self {
        Rot2 { cos: T::from_f64(self.cos.to_f64()), sin: T::from_f64(self.sin.to_f64()) }
    }
    /// Divides by the norm, which is exact for the identity and for quarter turns.
    #[inline(always)]
    fn renormalized(self) -> Self {
        let norm = (self.cos * self.cos + self.sin * self.sin).sqrt();
        Rot2 { cos: self.cos / norm, sin: self.sin / norm }
    }
}

impl<T: Real> Mul for Rot2<T> {
    type Output = Self;
    /// The rotation by the sum of the angles. The product of a rotation with its inverse is exactly
    /// the identity: the sine is an exact difference of equal products, and √(c·c) = c.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Rot2 {
            cos: self.cos * other.cos - self.sin * other.sin,
            sin: self.cos * other.sin + self.sin * other.cos,
        }
        .renormalized()
    }
}

#[inline(always)]
fn norm_squared([x, y, z, w]: [f64; 4]) -> f64 {
    x * x + y * y + z * z + w * w
}

impl<T: Real> Quat<T> {
    /// No rotation.
    pub const IDENTITY: Self = Quat { vector: Vec3::ZERO, w: T::ONE };

    /// The rotation of the quaternion (x, y, z, w) divided by its norm; `None` when the norm is zero
    /// or a component is not finite. A quaternion that is of unit length to rounding is kept to the
    /// bit: its exact norm is divided out where it is applied.
    #[must_use]
    #[inline]
    pub fn new(x: T, y: T, z: T, w: T) -> Option<Self> {
        let components = [x, y, z, w].map(Real::to_f64);
        // Most are; and nothing that would have to be scaled is.
        if (norm_squared(components) - 1.0).abs() <= 4.0 * T::EPSILON.to_f64() {
            return Some(Quat { vector: Vec3::new(x, y, z), w });
        }
        Self::brought_to_unit_length(components)
    }
    fn brought_to_unit_length(components: [f64; 4]) -> Option<Self> {
        let largest = components.iter().fold(0.0_f64, |m, c| c.abs().max_of(m));
        if largest == 0.0 || !components.iter().all(|c| c.is_finite()) {
            return None;
        }
        let near_one = crate::vector::in_safe_range(components, largest);
        let norm = norm_squared(near_one).sqrt();
        let [x, y, z, w] = near_one.map(|c| T::from_f64(c / norm));
        Some(Quat { vector: Vec3::new(x, y, z), w })
    }
    /// The right-handed rotation about `axis` (any length) by `angle` radians; `None` when the axis
    /// is zero or anything is not finite.
    #[must_use]
    pub fn from_axis_angle(axis: impl Into<Vec3<T>>, angle: T) -> Option<Self> {
        let axis = axis.into().normalized()?;
        let (sin, cos) = (angle * T::HALF).sine_cosine();
        angle.finite().then(|| Quat { vector: axis * sin, w: cos })
    }
    /// The rotation about the direction of `v` by |v| radians: the exponential map. The identity for
    /// the zero vector; not [`finite`](Self::finite) for a non-finite one.
    #[must_use]
    pub fn from_rotation_vector(v: impl Into<Vec3<T>>) -> Self {
        let v = v.into();
        let angle = Vector::length(v);
        match v.normalized() {
            Some(axis) => {
                let (sin, cos) = (angle * T::HALF).sine_cosine();
                Quat { vector: axis * sin, w: cos }
            }
            None if v == Vec3::ZERO => Self::IDENTITY,
            None => Quat { vector: v, w: T::ONE },
        }
    }
    /// The rotation vector of the shorter arc, of length at most π: the inverse of
    /// [`from_rotation_vector`](Self::from_rotation_vector).
    #[must_use]
    pub fn rotation_vector(self) -> Vec3<T> {
        // q and −q are the same rotation; the one with w >= 0 turns by at most half a turn.
        let (vector, w) = if self.w < T::ZERO { (-self.vector, -self.w) } else { (self.vector, self.w) };
        let sin = Vector::length(vector);
        match vector.normalized() {
            Some(axis) => axis * (T::TWO * sin.arc_tangent2(w)),
            None => Vec3::ZERO,
        }
    }
    /// The rotation whose matrix has the given orthonormal, right-handed columns.
    ///
    /// Takes the largest of the four squared components as the pivot, so nothing cancels.
    #[must_use]
    pub fn from_matrix(matrix: Mat3<T>) -> Option<Self> {
        let [a, b, c] = matrix.columns;
        let one = T::ONE;
        let squares =
            [one + a.x - b.y - c.z, one - a.x + b.y - c.z, one - a.x - b.y + c.z, one + a.x + b.y + c.z];
        let mut pivot = 0;
        for candidate in 1..4 {
            if squares[pivot] < squares[candidate] {
                pivot = candidate;
            }
        }
        let s = squares[pivot];
        let (yz, xz, xy) = (b.z + c.y, a.z + c.x, a.y + b.x);
        let (wx, wy, wz) = (b.z - c.y, c.x - a.z, a.y - b.x);
        match pivot {
            0 => Quat::new(s, xy, xz, wx),
            1 => Quat::new(xy, s, yz, wy),
            2 => Quat::new(xz, yz, s, wz),
            _ => Quat::new(wx, wy, wz, s),
        }
    }
    /// The rotation with these components, as another one gave them: nothing is rounded again. What is not of unit length
    /// rotates nevertheless: the length is divided out wherever it is used. Zeros and numbers that are not finite make no
    /// rotation; see [`Quat::new`] for components from elsewhere.
    ///
    /// # Example
    /// ```
    /// use carom_math::Quat;
    /// let turn = Quat::from_rotation_vector([0.1_f32, 0.2, 0.3]) * Quat::from_rotation_vector([0.3, 0.0, 0.1]);
    /// assert_eq!(Quat::from_parts(turn.to_array()), turn);
    /// ```
    #[must_use]
    pub fn from_parts([x, y, z, w]: [T; 4]) -> Self {
        Quat { vector: Vec3::new(x, y, z), w }
    }
    /// The components [x, y, z, w].
    #[must_use]
    #[inline(always)]
    pub fn to_array(self) -> [T; 4] {
        [self.vector.x, self.vector.y, self.vector.z, self.w]
    }
    /// The opposite rotation.
    #[must_use]
    #[inline(always)]
    pub fn inverse(self) -> Self {
        Quat { vector: -self.vector, w: self.w }
    }
    /// `v`, turned. Goes through the matrix: written out for one vector, the products of a third of a
    /// turn about a diagonal would round, while their matrix is exact.
    #[must_use]
    #[inline]
    pub fn rotate(self, v: Vec3<T>) -> Vec3<T> {
        self.to_matrix() * v
    }
    /// The rotation as a matrix, in homogeneous form with q = (x, y, z, w):
    ///
    /// ```text
    ///     ⎡ w²+x²−y²−z²   2(xy − wz)    2(xz + wy)  ⎤
    /// R = ⎢ 2(xy + wz)    w²−x²+y²−z²   2(yz − wx)  ⎥ / (x² + y² + z² + w²)
    ///     ⎣ 2(xz − wy)    2(yz + wx)    w²−x²−y²+z² ⎦
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn to_matrix(self) -> Mat3<T> {
        let (Vec3 { x, y, z }, w) = (self.vector, self.w);
        let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
        let norm = xx + yy + zz + ww;
        let two = T::TWO;
        let columns = [
            Vec3::new((ww - zz) + (xx - yy), two * (x * y + w * z), two * (x * z - w * y)),
            Vec3::new(two * (x * y - w * z), (ww - zz) - (xx - yy), two * (y * z + w * x)),
            Vec3::new(two * (x * z + w * y), two * (y * z - w * x), (ww + zz) - (xx + yy)),
        ];
        // m/norm = m − m·(norm − 1)/norm. With a norm near 1 the second term is a small correction, whose
        // own rounding errors vanish in the difference: one division instead of nine, as accurate, and
        // still exact where m is 0 or ±norm, since norm − norm·(norm − 1)/norm rounds to 1.
        let excess = norm - T::ONE;
        if excess.abs() <= T::from_f64(1.0 / 1024.0) {
            let correction = excess / norm;
            let [a, b, c] = columns;
            Mat3 { columns: [a - a * correction, b - b * correction, c - c * correction] }
        } else {
            Self::divided(columns, norm)
        }
    }
    #[cold]
    fn divided(columns: [Vec3<T>; 3], norm: T) -> Mat3<T> {
        Mat3 { columns: columns.map(|m| m / norm) }
    }
    /// All components are finite.
    #[must_use]
    #[inline(always)]
    pub fn finite(self) -> bool {
        self.vector.finite() & (self.w * T::ZERO == T::ZERO)
    }
    /// The same rotation in `f64`. Exact: the norm is divided out where the rotation is applied.
    #[must_use]
    #[inline(always)]
    pub fn widen(self) -> Quat<f64> {
        Quat { vector: self.vector.widen(), w: self.w.to_f64() }
    }
    /// The same rotation; see [`Pose3::copied`](crate::Pose3::copied).
    #[inline(always)]
    pub(crate) fn copied(self) -> Self {
        Quat { vector: Vec3::narrow(self.vector.widen()), w: T::from_f64(self.w.to_f64()) }
    }
}

impl<T: Real> Mul for Quat<T> {
    type Output = Self;
    /// First `other`, then `self`. The product is not renormalised: the norm drifts by an ulp or two
    /// a product and is divided out where the rotation is applied. The terms are ordered so that
    /// q⁻¹·q has a vector part of exact zeros.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (a, b) = (self, other);
        let (p, q) = (a.vector, b.vector);
        Quat {
            vector: Vec3::new(
                (a.w * q.x + p.x * b.w) + (p.y * q.z - p.z * q.y),
                (a.w * q.y + p.y * b.w) + (p.z * q.x - p.x * q.z),
                (a.w * q.z + p.z * b.w) + (p.x * q.y - p.y * q.x),
            ),
            w: a.w * b.w - (p.x * q.x + p.y * q.y + p.z * q.z),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 24 rotations of the cube, as quaternions that are not of exactly unit length.
    fn cube_rotations() -> Vec<Quat<f64>> {
        let mut rotations = Vec::new();
        for code in 0..81 {
            let digit = |k: u32| f64::from(code / 3_i32.pow(k) % 3 - 1);
            let q = [digit(0), digit(1), digit(2), digit(3)];
            let ones = q.iter().filter(|c| **c != 0.0).count();
            if ones == 1 || ones == 2 || ones == 4 {
                rotations.push(Quat::new(q[0], q[1], q[2], q[3]).unwrap());
            }
        }
        rotations
    }

    #[test]
    fn turns_of_the_cube_permute_coordinates_exactly() {
        let v = Vec3::new(0.1, 0.7, -3.3);
        let rotations = cube_rotations();
        assert_eq!(rotations.len(), 8 + 24 + 16);
        for q in rotations {
            let turned = q.rotate(v);
            let mut sizes = [turned.x.abs(), turned.y.abs(), turned.z.abs()];
            sizes.sort_by(f64::total_cmp);
            assert_eq!(sizes, [0.1, 0.7, 3.3], "{q:?}");
            let again = Quat::from_matrix(q.to_matrix()).unwrap();
            assert_eq!(again.to_matrix(), q.to_matrix());
        }
    }

    /// Also for 2^±600, the factor by which extreme numbers are brought into range.
    #[test]
    fn quaternions_of_any_length_become_unit_ones() {
        for exponent in -1022..1021 {
            let size = crate::power_of_two(exponent);
            for q in [[1.0, 0.0, 0.0, 0.0], [1.0, 5.0, -0.5, 0.5], [-0.5, 0.5, 0.5, 0.5]] {
                let [x, y, z, w] = q.map(|c| c * size);
                let Some(turn) = Quat::new(x, y, z, w) else { panic!("2^{exponent} {q:?}") };
                let squared: f64 = turn.to_array().map(|c| c * c).iter().sum();
                assert!((squared - 1.0).abs() <= 4.0 * f64::EPSILON, "2^{exponent} {turn:?}");
            }
        }
    }

    #[test]
    fn equal_rotations_have_an_exact_relative_identity() {
        for k in 1..200 {
            let f = f64::from(k);
            let q = Quat::new(0.37 * f, -1.1, f * f * 0.01, 0.2 - f).unwrap();
            assert_eq!((q.inverse() * q).to_matrix(), Mat3::IDENTITY);
            let r = Rot2::from_angle(f * 0.37);
            assert_eq!(r.inverse() * r, Rot2::IDENTITY);
        }
    }

    #[test]
    fn rotation_vector_round_trips() {
        for k in 0..80 {
            let v = Vec3::new(0.01, -0.02, 0.029) * f64::from(k);
            let back = Quat::from_rotation_vector(v).rotation_vector();
            assert!(Vector::length(back - v) <= 1e-15 * (1.0 + Vector::length(v)), "{v:?} {back:?}");
        }
    }
}
