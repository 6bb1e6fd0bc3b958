//! Exact numbers, vectors and rotations, and the way back to `f64` with certain bounds.
//!
//! [`exact`] turns a finite `f64` into the rational number it stands for. Lengths are square roots
//! of rationals; they leave this crate as two neighbouring `f64` that enclose them
//! ([`sqrt_bounds`]), or as the error of a given `f64` against them ([`sqrt_error`]).

use dashu_int::ops::{BitTest, SquareRoot};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::ops::{Add, Neg, Sub};

/// An exact rational number, always in lowest terms.
pub type Rational = RBig;

/// The number that a finite `f64` stands for.
///
/// # Panics
/// If `x` is infinite or not a number.
///
/// ```
/// use carom_oracle::rational::exact;
/// assert_eq!(exact(0.5) + exact(0.25), exact(0.75));
/// assert_ne!(exact(0.1) + exact(0.2), exact(0.3));
/// ```
pub fn exact(x: f64) -> Rational {
    Rational::try_from(x).unwrap_or_else(|_| panic!("{x} has no exact value"))
}

/// The fraction `numerator / denominator`.
///
/// # Panics
/// If the denominator is zero.
///
/// ```
/// use carom_oracle::rational::{exact, fraction};
/// assert_eq!(fraction(3, -12), exact(-0.25));
/// ```
pub fn fraction(numerator: i64, denominator: i64) -> Rational {
    Rational::from_parts_signed(numerator.into(), denominator.into())
}

/// The square of a number.
pub fn square(x: &Rational) -> Rational {
    x * x
}

/// Absolute value.
pub fn magnitude(x: &Rational) -> Rational {
    if *x < Rational::ZERO { -x } else { x.clone() }
}

/// A vector with exact coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct V<const D: usize>(pub [Rational; D]);

/// Whatever has exact coordinates: an array of finite `f64`, or an exact vector.
pub trait ExactPoint<const D: usize> {
    /// The coordinates without rounding. Panics if they are not finite.
    fn to_exact(&self) -> V<D>;
}

impl<const D: usize> ExactPoint<D> for [f64; D] {
    fn to_exact(&self) -> V<D> {
        V(self.map(exact))
    }
}

impl<const D: usize> ExactPoint<D> for V<D> {
    fn to_exact(&self) -> V<D> {
        self.clone()
    }
}

/// Exact copies of a list of points.
///
/// ```
/// use carom_oracle::rational::{exact_points, fraction};
/// assert_eq!(exact_points(&[[0.5, 1.0]])[0].0[0], fraction(1, 2));
/// ```
pub fn exact_points<const D: usize>(points: &[impl ExactPoint<D>]) -> Vec<V<D>> {
    points.iter().map(ExactPoint::to_exact).collect()
}

impl<const D: usize> V<D> {
    /// The vector of zeros.
    pub fn zero() -> Self {
        V(std::array::from_fn(|_| Rational::ZERO))
    }

    /// The unit vector along coordinate `axis`.
    pub fn axis(axis: usize) -> Self {
        V(std::array::from_fn(|i| Rational::from(u8::from(i == axis))))
    }

    /// Whether every coordinate is zero.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(Rational::is_zero)
    }

    /// The vector times a number.
    pub fn scaled(&self, factor: &Rational) -> Self {
        V(std::array::from_fn(|i| &self.0[i] * factor))
    }

    /// Sum of the products of the coordinates.
    pub fn dot(&self, other: &Self) -> Rational {
        let mut sum = Rational::ZERO;
        for (x, y) in self.0.iter().zip(&other.0) {
            sum += x * y;
        }
        sum
    }

    /// Squared length.
    pub fn norm_squared(&self) -> Rational {
        self.dot(self)
    }

    /// Squared length of the difference.
    pub fn distance_squared(&self, other: &Self) -> Rational {
        (self - other).norm_squared()
    }

    /// The nearest `f64` of each coordinate.
    pub fn to_f64(&self) -> [f64; D] {
        std::array::from_fn(|i| to_f64(&self.0[i]))
    }
}

impl V<2> {
    /// The vector turned by a right angle counter-clockwise: (x, y) becomes (−y, x).
    pub fn perp(&self) -> Self {
        V([-&self.0[1], self.0[0].clone()])
    }

    /// x₁y₂ − y₁x₂: twice the signed area of the triangle 0, self, other.
    pub fn perp_dot(&self, other: &Self) -> Rational {
        self.perp().dot(other)
    }
}

impl V<3> {
    /// The cross product, right-handed.
    pub fn cross(&self, other: &Self) -> Self {
        let [x, y, z] = &self.0;
        let [u, v, w] = &other.0;
        V([y * w - z * v, z * u - x * w, x * v - y * u])
    }
}

impl<const D: usize> Add for &V<D> {
    type Output = V<D>;
    fn add(self, other: Self) -> V<D> {
        V(std::array::from_fn(|i| &self.0[i] + &other.0[i]))
    }
}

impl<const D: usize> Sub for &V<D> {
    type Output = V<D>;
    fn sub(self, other: Self) -> V<D> {
        V(std::array::from_fn(|i| &self.0[i] - &other.0[i]))
    }
}

impl<const D: usize> Neg for &V<D> {
    type Output = V<D>;
    fn neg(self) -> V<D> {
        V(std::array::from_fn(|i| -&self.0[i]))
    }
}

/// An exact linear map, row by row, and a translation applied after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform<const D: usize> {
    /// Rows of the linear part.
    pub rows: [V<D>; D],
    /// Added to the image of the linear part.
    pub translation: V<D>,
}

impl<const D: usize> Transform<D> {
    /// The image of a point: R·p + t.
    pub fn point(&self, point: &impl ExactPoint<D>) -> V<D> {
        &self.vector(point) + &self.translation
    }

    /// The image of a direction: R·v.
    pub fn vector(&self, vector: &impl ExactPoint<D>) -> V<D> {
        let vector = vector.to_exact();
        V(std::array::from_fn(|i| self.rows[i].dot(&vector)))
    }

    /// Rᵀ·(p − t): the point in the frame of the pose. Undoes [`Transform::point`] if the linear
    /// part is a rotation, as it is for [`pose3`].
    pub fn point_to_local(&self, point: &impl ExactPoint<D>) -> V<D> {
        let offset = &point.to_exact() - &self.translation;
        (0..D).fold(V::zero(), |sum, i| &sum + &self.rows[i].scaled(&offset.0[i]))
    }

    /// The images of a list of points.
    pub fn points(&self, points: &[impl ExactPoint<D>]) -> Vec<V<D>> {
        points.iter().map(|point| self.point(point)).collect()
    }
}

/// The pose in the plane with the given cosine and sine, taken as they are: if their squares do not
/// sum to one, the map scales by the root of that sum, exactly as the caller's own arithmetic does.
pub fn pose2(cos_sin: [f64; 2], translation: [f64; 2]) -> Transform<2> {
    let [cos, sin] = cos_sin.map(exact);
    Transform { rows: [V([cos.clone(), -&sin]), V([sin, cos])], translation: translation.to_exact() }
}

/// The pose whose rotation is that of q/|q|, with q = (x, y, z, w) not necessarily of unit length.
///
/// The matrix of q/|q| needs no root: each entry is a quadratic form in q divided by |q|². It is a
/// rotation without any error.
///
/// # Panics
/// If q is zero.
///
/// ```
/// use carom_oracle::rational::{pose3, ExactPoint};
/// // (0, 0, 1, 1) turns by a right angle about z.
/// let pose = pose3([0.0, 0.0, 1.0, 1.0], [5.0, 0.0, 0.0]);
/// assert_eq!(pose.point(&[1.0, 0.0, 0.0]), [5.0, 1.0, 0.0].to_exact());
/// ```
pub fn pose3(quaternion: [f64; 4], translation: [f64; 3]) -> Transform<3> {
    let q = V(quaternion.map(exact));
    let two_over_norm = Rational::from(2) / q.norm_squared();
    let product = |i: usize, j: usize| &q.0[i] * &q.0[j] * &two_over_norm;
    let one = Rational::ONE;
    let (x, y, z, w) = (0, 1, 2, 3);
    Transform {
        rows: [
            V([
                &one - product(y, y) - product(z, z),
                product(x, y) - product(z, w),
                product(x, z) + product(y, w),
            ]),
            V([
                product(x, y) + product(z, w),
                &one - product(x, x) - product(z, z),
                product(y, z) - product(x, w),
            ]),
            V([
                product(x, z) - product(y, w),
                product(y, z) + product(x, w),
                &one - product(x, x) - product(y, y),
            ]),
        ],
        translation: translation.to_exact(),
    }
}

/// The largest `f64` that is not above `x`; −∞ below the range of finite numbers.
pub fn f64_below(x: &Rational) -> f64 {
    let (low, high) = enclose_magnitude(x);
    if *x < Rational::ZERO { -high } else { low }
}

/// The smallest `f64` that is not below `x`; +∞ above the range of finite numbers.
pub fn f64_above(x: &Rational) -> f64 {
    let (low, high) = enclose_magnitude(x);
    if *x < Rational::ZERO { -low } else { high }
}

/// The nearest `f64`, ties to even.
///
/// ```
/// use carom_oracle::rational::{fraction, to_f64};
/// assert_eq!(to_f64(&fraction(1, 3)), 1.0 / 3.0);
/// ```
pub fn to_f64(x: &Rational) -> f64 {
    let (low, high) = (f64_below(x), f64_above(x));
    if low == high || high.is_infinite() {
        return low;
    }
    if low.is_infinite() {
        return high;
    }
    let twice = x + x;
    let middle_twice = exact(low) + exact(high);
    if twice < middle_twice || (twice == middle_twice && low.to_bits().is_multiple_of(2)) {
        low
    } else {
        high
    }
}

/// Bits after the leading one that [`sqrt_enclosure`] computes.
pub const ROOT_BITS: usize = 220;

/// Rationals `lo <= √x <= hi`, equal if the root is rational and short, otherwise at most
/// 2^(1 − [`ROOT_BITS`]) apart in relative terms.
///
/// # Panics
/// If `x` is negative.
pub fn sqrt_enclosure(x: &Rational) -> [Rational; 2] {
    assert!(*x >= Rational::ZERO, "no real root of {x}");
    if x.is_zero() {
        return [Rational::ZERO, Rational::ZERO];
    }
    // A rational in lowest terms is a square exactly if both its parts are.
    let numerator = x.numerator().clone().into_parts().1;
    let denominator = x.denominator();
    let (root_n, root_d) = (numerator.sqrt(), denominator.sqrt());
    if &root_n * &root_n == numerator && &root_d * &root_d == *denominator {
        let root = Rational::from_parts(root_n.into(), root_d);
        return [root.clone(), root];
    }
    // With q = ⌊x·4^k⌋ and s = ⌊√q⌋: s <= √x·2^k < s + 1. The shift gives s ROOT_BITS bits or more.
    let wanted = 2 * ROOT_BITS + 2;
    let have = numerator.bit_len() as isize - denominator.bit_len() as isize;
    let k = (wanted as isize - have).div_euclid(2) + 1;
    let q = if k >= 0 {
        (numerator << (2 * k as usize)) / denominator
    } else {
        numerator / (denominator << (2 * k.unsigned_abs()))
    };
    let s = q.sqrt();
    let above = &s + UBig::ONE;
    [scaled_by_power(s.into(), -k), scaled_by_power(above.into(), -k)]
}

/// Neighbouring (or equal) `f64` that enclose √x.
///
/// ```
/// use carom_oracle::rational::{exact, sqrt_bounds};
/// let [lo, hi] = sqrt_bounds(&exact(2.0));
/// assert!(lo < hi && hi == lo.next_up());
/// assert!(lo * lo < 2.0 && hi * hi > 2.0);
/// ```
pub fn sqrt_bounds(x: &Rational) -> [f64; 2] {
    let [lo, hi] = sqrt_enclosure(x);
    [f64_below(&lo), f64_above(&hi)]
}

/// |value − √squared|, rounded: how far a computed length is from the true one.
///
/// ```
/// use carom_oracle::rational::{exact, sqrt_error};
/// assert_eq!(sqrt_error(5.25, &exact(25.0)), 0.25);
/// ```
pub fn sqrt_error(value: f64, squared: &Rational) -> f64 {
    let value = exact(value);
    let [lo, hi] = sqrt_enclosure(squared);
    // v − √r = (v² − r)/(v + √r) keeps its relative accuracy when v is close to the root.
    let sum = &value + &lo;
    if value <= Rational::ZERO || sum.is_zero() {
        return to_f64(&(hi - value));
    }
    to_f64(&magnitude(&((square(&value) - squared) / sum)))
}

/// Whether |value − √squared| <= tolerance, decided exactly.
///
/// ```
/// use carom_oracle::rational::{exact, is_sqrt_within};
/// assert!(is_sqrt_within(3.0, &exact(9.0), 0.0));
/// assert!(!is_sqrt_within(3.0, &exact(2.0), 1.5));
/// ```
pub fn is_sqrt_within(value: f64, squared: &Rational, tolerance: f64) -> bool {
    let low = exact(value) - exact(tolerance);
    let high = exact(value) + exact(tolerance);
    let root_is_above_low = low <= Rational::ZERO || square(&low) <= *squared;
    let root_is_below_high = high >= Rational::ZERO && *squared <= square(&high);
    root_is_above_low && root_is_below_high
}

/// `mantissa`·2^`exponent`.
pub(crate) fn scaled_by_power(mantissa: IBig, exponent: isize) -> Rational {
    if exponent >= 0 {
        Rational::from(mantissa << exponent as usize)
    } else {
        Rational::from_parts(mantissa, UBig::ONE << exponent.unsigned_abs())
    }
}

/// The largest `f64` <= |x| and the smallest `f64` >= |x|.
fn enclose_magnitude(x: &Rational) -> (f64, f64) {
    let numerator = x.numerator().clone().into_parts().1;
    if numerator.is_zero() {
        return (0.0, 0.0);
    }
    let denominator = x.denominator();
    // The quotient has 54 or 55 bits, fewer where the grid of subnormal numbers is coarser.
    let exponent = numerator.bit_len() as isize - denominator.bit_len() as isize;
    let shift = (54 - exponent).min(1074);
    let quotient = if shift >= 0 {
        (numerator << shift as usize) / denominator
    } else {
        numerator / (denominator << shift.unsigned_abs())
    };
    let excess = quotient.bit_len().saturating_sub(53);
    let mantissa = u64::try_from(quotient >> excess).expect("at most 53 bits");
    let low = times_power_of_two(mantissa as f64, excess as isize - shift);
    if low.is_infinite() {
        return (f64::MAX, f64::INFINITY);
    }
    let is_representable = exact(low) == magnitude(x);
    (low, if is_representable { low } else { low.next_up() })
}

/// x·2^exponent, exact where the result is representable; the factor is applied in steps, because
/// 2^exponent itself may be out of range.
pub(crate) fn times_power_of_two(x: f64, exponent: isize) -> f64 {
    let mut result = x;
    let mut left = exponent.clamp(-2200, 2200);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        result *= f64::from_bits(((1023 + step) as u64) << 52);
        left -= step;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_survive_the_round_trip() {
        for x in [
            0.0,
            1.0,
            -1.5,
            0.1,
            f64::MAX,
            -f64::MAX,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            f64::from_bits(0x000f_ffff_ffff_ffff),
        ] {
            let r = exact(x);
            assert_eq!((f64_below(&r), f64_above(&r), to_f64(&r)), (x, x, x));
        }
    }

    #[test]
    fn rounding_encloses_and_finds_the_nearest() {
        for (n, d) in [(1, 3), (-2, 3), (10, 7), (1, 1_000_000_007), (i64::MAX, 3)] {
            let r = fraction(n, d);
            let (low, high) = (f64_below(&r), f64_above(&r));
            assert_eq!(low.next_up(), high);
            assert!(exact(low) < r && r < exact(high));
            assert_eq!(to_f64(&r), n as f64 / d as f64);
        }
        // Half of the smallest subnormal, and beyond the largest number.
        let tiny = exact(f64::from_bits(1)) / Rational::from(2);
        assert_eq!((f64_below(&tiny), f64_above(&tiny)), (0.0, f64::from_bits(1)));
        let huge = exact(f64::MAX) * Rational::from(2);
        assert_eq!((f64_below(&huge), f64_above(&huge)), (f64::MAX, f64::INFINITY));
        // Ties go to the even neighbour.
        let tie = exact(1.0) + exact(f64::EPSILON) / Rational::from(2);
        assert_eq!(to_f64(&tie), 1.0);
    }

    #[test]
    fn roots_are_enclosed_tightly() {
        assert_eq!(sqrt_bounds(&fraction(9, 16)), [0.75, 0.75]);
        assert_eq!(sqrt_bounds(&Rational::ZERO), [0.0, 0.0]);
        for x in [2.0, 0.1, 1e300, 1e-300, f64::from_bits(1), f64::MAX] {
            let [lo, hi] = sqrt_enclosure(&exact(x));
            assert!(square(&lo) <= exact(x) && exact(x) <= square(&hi), "{x}");
            assert!(exact(2f64.powi(180)) * (&hi - &lo) < lo, "{x}");
            let [low, high] = sqrt_bounds(&exact(x));
            assert!(low <= x.sqrt() && x.sqrt() <= high, "{x}");
        }
    }

    #[test]
    fn errors_against_roots_are_measured() {
        assert!(sqrt_error(2f64.sqrt(), &exact(2.0)) < f64::EPSILON);
        assert!(sqrt_error(2f64.sqrt(), &exact(2.0)) > 0.0);
        assert_eq!(sqrt_error(-1.0, &exact(4.0)), 3.0);
        assert_eq!(sqrt_error(0.0, &Rational::ZERO), 0.0);
        assert!(is_sqrt_within(2f64.sqrt(), &exact(2.0), 1e-15));
        assert!(!is_sqrt_within(2f64.sqrt() + 1e-14, &exact(2.0), 1e-15));
        assert!(!is_sqrt_within(-1.0, &exact(4.0), 0.5));
    }

    #[test]
    fn quaternions_of_any_length_rotate_exactly() {
        let pose = pose3([0.1, -0.7, 0.3, 0.9], [1.0, 2.0, 3.0]);
        for i in 0..3 {
            for j in 0..3 {
                let expected = Rational::from(u8::from(i == j));
                assert_eq!(pose.rows[i].dot(&pose.rows[j]), expected);
            }
        }
        assert_eq!(pose.rows[0].cross(&pose.rows[1]), pose.rows[2]);
        let point = [0.3, -7.0, 1e-9].to_exact();
        assert_eq!(pose.point_to_local(&pose.point(&point)), point);
        // A third of a turn about (1, 1, 1) permutes the axes: x to y to z.
        let third = pose3([0.5, 0.5, 0.5, 0.5], [0.0; 3]);
        assert_eq!(third.point(&[1.0, 0.0, 0.0]), [0.0, 1.0, 0.0].to_exact());
        let quarter = pose2([0.0, 1.0], [2.0, 0.0]);
        assert_eq!(quarter.point(&[1.0, 0.0]), [2.0, 1.0].to_exact());
    }
}
