//! Numbers of twice the precision of `f64`, and the error-free sums and products they are built on.
//!
//! A sum or product of two `f64` differs from its rounded value by an amount that is an `f64` itself,
//! and a few more operations find it: sums after Knuth (TAOCP 2, 4.2.2) and Dekker (Numer. Math. 18,
//! 1971), products after Dekker with Veltkamp's splitting, because a fused multiply-add is not the
//! same on every target. A [`Double`] keeps both parts.
//!
//! Everything is exact, or as precise as stated, while nothing overflows and no product falls below
//! 2⁻⁹⁶⁹; beyond 2⁹⁹⁶ the splitting overflows. The callers scale their lengths towards 1 first.

use crate::{Number, Real};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// The sum `high + low`, not carried out, with |low| at most half an ulp of high: about 106 bits.
///
/// Sums and products of short numbers (lattice coordinates) are exact; everything else is right to a
/// relative 2⁻¹⁰⁰, for a sum or difference relative to its larger operand. `high` is the nearest `f64`.
///
/// # Example
/// ```
/// use carom_math::double::Double;
/// let tiny = 2.0_f64.powi(-70);
/// let sum = Double::from(1.0) + Double::from(tiny);
/// assert_eq!((sum.high, sum.low), (1.0, tiny));
/// assert_eq!((sum - Double::from(1.0)).high, tiny);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Double {
    /// The value, rounded to nearest.
    pub high: f64,
    /// What the rounding took away.
    pub low: f64,
}

/// a + b, exactly.
///
/// # Example
/// ```
/// use carom_math::double::two_sum;
/// let sum = two_sum(1e16, 1.0);
/// assert_eq!((sum.high, sum.low), (1e16, 1.0));
/// ```
#[must_use]
#[inline]
pub fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: sum_error(a, b, high) }
}

/// a + b, exactly, provided that a = 0 or |b| <= |a|. Half the work of [`two_sum`].
///
/// # Example
/// ```
/// use carom_math::double::{fast_two_sum, two_sum};
/// assert_eq!(fast_two_sum(1e16, 1.0), two_sum(1e16, 1.0));
/// ```
#[must_use]
#[inline]
pub fn fast_two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// a · b, exactly.
///
/// # Example
/// ```
/// use carom_math::double::two_product;
/// let a = 1.0 + f64::EPSILON;
/// let square = two_product(a, a);
/// assert_eq!((square.high, square.low), (1.0 + 2.0 * f64::EPSILON, f64::EPSILON * f64::EPSILON));
/// ```
#[must_use]
#[inline]
pub fn two_product(a: f64, b: f64) -> Double {
    let high = a * b;
    let ((a_top, a_rest), (b_top, b_rest)) = (split(a), split(b));
    Double { high, low: a_rest * b_rest - (((high - a_top * b_top) - a_rest * b_top) - a_top * b_rest) }
}

/// (a + b) − sum, exactly, for the rounded `sum` of a and b, in either number type.
///
/// # Example
/// ```
/// use carom_math::double::sum_error;
/// assert_eq!(sum_error(1e8_f32, 1.0, 1e8_f32 + 1.0), 1.0);
/// ```
#[must_use]
#[inline]
pub fn sum_error<T: Real>(a: T, b: T, sum: T) -> T {
    let b_seen = sum - a;
    let a_seen = sum - b_seen;
    (a - a_seen) + (b - b_seen)
}

/// a as a sum of two numbers of at most 26 bits each, whose products are exact.
#[inline]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;
    let scaled = SPLITTER * a;
    let top = scaled - (scaled - a);
    (top, a - top)
}

impl Double {
    /// 0.
    pub const ZERO: Self = Double { high: 0.0, low: 0.0 };

    /// a − b, exactly.
    #[must_use]
    #[inline]
    pub fn difference(a: f64, b: f64) -> Self {
        two_sum(a, -b)
    }

    /// The nearest `f64`.
    #[must_use]
    #[inline]
    pub fn value(self) -> f64 {
        self.high
    }

    /// Both parts, the larger first.
    #[must_use]
    #[inline]
    pub fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }
}

impl From<f64> for Double {
    #[inline]
    fn from(high: f64) -> Self {
        Double { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let sum = fast_two_sum(high.high, high.low + low.high);
        fast_two_sum(sum.high, sum.low + low.low)
    }
}

impl Neg for Double {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Double { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        fast_two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;
    /// Long division: the quotient of the leading parts, then that of the remainder.
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = Double::from(self.high / other.high);
        let remainder = self - first * other;
        first + Double::from(remainder.high / other.high)
    }
}

impl Number for Double {
    type Element = f64;
    type Mask = bool;
    #[inline]
    fn like(self, value: f64) -> Self {
        value.into()
    }
    /// One Newton step from the root s of the leading part: √x ≈ s + (x − s²) / 2s.
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        if root == 0.0 || root.is_nan() {
            return root.into();
        }
        let rest = self - two_product(root, root);
        fast_two_sum(root, rest.high / (2.0 * root))
    }
    #[inline]
    fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }
    #[inline]
    fn less_than(self, other: Self) -> bool {
        self.high < other.high || (self.high == other.high && self.low < other.low)
    }
    #[inline]
    fn less_or_equal(self, other: Self) -> bool {
        self.high < other.high || (self.high == other.high && self.low <= other.low)
    }
    #[inline]
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, coordinate};
    use carom_oracle::rational::{Rational, exact, fraction, magnitude};

    fn truth(x: Double) -> Rational {
        exact(x.high) + exact(x.low)
    }

    #[test]
    fn operations_are_right_to_a_hundred_bits() {
        let mut rng = Rng::new(1);
        let tolerance = fraction(1, 1 << 50) * fraction(1, 1 << 50);
        for round in 0..6000 {
            let mut number = || match round % 3 {
                // Without the neighbours of zero, whose products underflow.
                0 | 1 => Some(coordinate(&mut rng)).filter(|x| 1e-30 < x.abs()).unwrap_or(0.0),
                _ => rng.uniform(-2.0, 2.0) * [1.0, 1e-9][rng.below(2)],
            };
            let [a, b, c, d] = [0; 4].map(|_| number());
            assert_eq!(truth(two_product(a, b)), exact(a) * exact(b));
            assert_eq!(truth(two_sum(a, b)), exact(a) + exact(b));
            let (x, y) = (Double::difference(a, b), Double::difference(c, d));
            assert_eq!(truth(x), exact(a) - exact(b));
            let close = |found: Double, wanted: Rational, size: &Rational| {
                assert!(magnitude(&(truth(found) - wanted)) <= &tolerance * magnitude(size), "{x:?} {y:?}");
            };
            let (wanted, size) = (truth(x) * truth(y), magnitude(&truth(x)) + magnitude(&truth(y)));
            close(x * y, wanted.clone(), &wanted);
            close(x + y, truth(x) + truth(y), &size);
            close(x - y, truth(x) - truth(y), &size);
            if y.high != 0.0 {
                let quotient = truth(x) / truth(y);
                close(x / y, quotient.clone(), &quotient);
            }
            close((x * x).sqrt(), magnitude(&truth(x)), &truth(x));
            assert_eq!(x.less_than(y), truth(x) < truth(y));
            assert_eq!(x.less_or_equal(y), truth(x) <= truth(y));
        }
    }
}
