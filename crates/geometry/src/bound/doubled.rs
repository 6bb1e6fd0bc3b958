//! Arithmetic with twice the digits of `f64`, for the last steps of ill-conditioned fits.
//!
//! A number is the unevaluated sum of two (Dekker 1971). The operations are the short ones: relative
//! errors of a few 2⁻¹⁰⁴, no care for overflow or underflow, which the callers exclude by scaling.

use crate::bound::directed::{product_tail, sum_tail};
use carom_math::{Real, Vector, power_of_two};
use core::ops::{Add, Div, Mul, Sub};

/// high + low, with |low| below an ulp of |high|.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Doubled {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Doubled {
    pub(crate) const ZERO: Self = Doubled { high: 0.0, low: 0.0 };

    /// a − b without error.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        let high = a - b;
        Doubled { high, low: sum_tail(a, -b, high) }
    }

    /// The sum of two parts, the second much smaller.
    fn normalized(high: f64, low: f64) -> Self {
        let sum = high + low;
        Doubled { high: sum, low: (high - sum) + low }
    }

    pub(crate) fn less_than(self, other: Self) -> bool {
        let difference = self - other;
        difference.high < 0.0
    }
}

impl From<f64> for Doubled {
    fn from(high: f64) -> Self {
        Doubled { high, low: 0.0 }
    }
}

impl Add for Doubled {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = self.high + other.high;
        let tail = sum_tail(self.high, other.high, high);
        let low = self.low + other.low;
        let low_tail = sum_tail(self.low, other.low, low);
        let first = Self::normalized(high, tail + low);
        Self::normalized(first.high, first.low + low_tail)
    }
}

impl Sub for Doubled {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + Doubled { high: -other.high, low: -other.low }
    }
}

impl Mul for Doubled {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let tail = product_tail(self.high, other.high, high);
        Self::normalized(high, tail + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Doubled {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Two steps of long division.
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::normalized(first, second) + Self::from(rest.high / other.high)
    }
}

/// The distance of two points of moderate size, rounded up; tight to an ulp and exact where it is
/// representable.
pub(crate) fn distance_up<V: Vector<Scalar = f64>>(a: V, b: V) -> f64 {
    let largest = (a - b).max_abs();
    if largest == 0.0 {
        return 0.0;
    }
    // Squares of differences this small would underflow; the differences themselves can be enlarged.
    let lift = if largest < power_of_two(-400) { power_of_two(600) } else { 1.0 };
    let mut sum = Doubled::ZERO;
    let mut exact = true;
    for k in 0..V::DIM {
        let away = Doubled::difference(a.get(k), b.get(k));
        if away.high == 0.0 {
            continue;
        }
        let lifted = Doubled { high: away.high * lift, low: away.low * lift };
        let square = lifted * lifted;
        let next = sum + square;
        // A difference without a low part has an exact square, unless that underflows; a sum is exact
        // when it is the first, or when no low parts occur.
        let exact_square = away.low == 0.0 && power_of_two(-480) < lifted.high.abs();
        let exact_sum = sum == Doubled::ZERO || (sum.low == 0.0 && square.low == 0.0 && next.low == 0.0);
        exact = exact && exact_square && exact_sum;
        sum = next;
    }
    let root = sum.high.sqrt();
    let square = root * root;
    // Fewer than 64 roundings of 2⁻¹⁰⁴ each, and underflows far below.
    let slack = if exact { 0.0 } else { sum.high * (256.0 * f64::EPSILON * f64::EPSILON) };
    // high − root² without rounding: the leading parts are close, so their difference is exact.
    let missing = (sum.high - square) - product_tail(root, root, square);
    let root = if 0.0 < missing + (sum.low + slack) { root.step_up() } else { root };
    let lowered = root / lift;
    if lowered * lift < root { lowered.step_up() } else { lowered }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;
    use carom_oracle::generate::{Rng, points};
    use carom_oracle::rational::{ExactPoint, Rational, exact, magnitude, sqrt_bounds, to_f64};

    fn rational(x: Doubled) -> Rational {
        exact(x.high) + exact(x.low)
    }

    #[test]
    fn operations_have_twice_the_digits() {
        let mut rng = Rng::new(12);
        for _ in 0..5000 {
            let mut number = || Doubled::difference(rng.uniform(-2.0, 2.0), rng.uniform(-1e-9, 1e-9));
            let (a, b) = (number(), number());
            let (x, y) = (rational(a), rational(b));
            for (answer, truth) in [(a * b, &x * &y), (a / b, &x / &y)] {
                let error = to_f64(&magnitude(&(rational(answer) - &truth)));
                assert!(error <= 1e-30 * to_f64(&magnitude(&truth)));
            }
            let size = to_f64(&(magnitude(&x) + magnitude(&y)));
            assert!(to_f64(&magnitude(&(rational(a + b) - (&x + &y)))) <= 1e-31 * size);
            assert!(to_f64(&magnitude(&(rational(a - b) - (&x - &y)))) <= 1e-31 * size);
        }
    }

    #[test]
    fn distances_are_rounded_up_to_the_next_number() {
        let mut rng = Rng::new(13);
        for _ in 0..5000 {
            let cloud: Vec<[f64; 3]> = points(&mut rng, 2);
            let answer = distance_up(Vec3::from(cloud[0]), Vec3::from(cloud[1]));
            let squared = cloud[0].to_exact().distance_squared(&cloud[1].to_exact());
            let [_, truth] = sqrt_bounds(&squared);
            // A coordinate far below the others may cost a step.
            let tiny = cloud.iter().flatten().any(|x| *x != 0.0 && x.abs() < 1e-100);
            assert!(answer == truth || (tiny && answer == truth.step_up()), "{cloud:?} {answer} {truth}");
        }
    }
}
