//! Numbers of `f64` precision whose exponent has no practical limit.
//!
//! A moment of inertia is a product of up to six numbers (density and five lengths). Lengths of 1e-200
//! and 1e200 in one box overflow or vanish on the way although the answer is ordinary. With the exponent
//! kept apart that cannot happen, and multiplying all lengths by a power of two changes exponents only:
//! answers scale exactly.

use carom_math::{Number, Vec3, power_of_two};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// mantissa·2^exponent, where the mantissa is zero or 1 <= |mantissa| < 2. Each operation rounds once,
/// like that of `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(unreachable_pub)] // named by a sealed trait
pub struct Unbounded {
    mantissa: f64,
    exponent: i32,
}

impl From<f64> for Unbounded {
    /// Exact; the number must be finite.
    fn from(value: f64) -> Self {
        const FIELD: u64 = 0x7ff << 52;
        if value == 0.0 {
            return Unbounded::ZERO;
        }
        // Subnormal numbers have no exponent of their own: bring them up by 2^64 first.
        let (normal, lift) = if value.is_normal() { (value, 0) } else { (value * power_of_two(64), 64) };
        let exponent = ((normal.to_bits() & FIELD) >> 52) as i32 - 1023;
        let mantissa = f64::from_bits((normal.to_bits() & !FIELD) | (1023 << 52));
        Unbounded { mantissa, exponent: exponent - lift }
    }
}

impl Unbounded {
    pub(crate) const ZERO: Self = Unbounded { mantissa: 0.0, exponent: 0 };

    /// Times 2^exponent.
    pub(crate) fn shifted(self, exponent: i32) -> Self {
        if self.mantissa == 0.0 { self } else { Unbounded { exponent: self.exponent + exponent, ..self } }
    }

    /// e with 2^e <= |self| < 2^(e+1); `None` for zero.
    pub(crate) fn exponent(self) -> Option<i32> {
        (self.mantissa != 0.0).then_some(self.exponent)
    }

    /// The nearest `f64`: infinite when too large, rounded once when too small for full precision.
    pub(crate) fn to_f64(self) -> f64 {
        // Two steps, so that the factors are in range; only the second can round.
        let exponent = self.exponent.clamp(-1200, 1200);
        let half = exponent / 2;
        self.mantissa * power_of_two(half) * power_of_two(exponent - half)
    }

    /// The square.
    pub(crate) fn squared(self) -> Self {
        self * self
    }
}

/// A vector of them.
pub(crate) fn unbounded(v: Vec3<f64>) -> Vec3<Unbounded> {
    Vec3::new(v.x.into(), v.y.into(), v.z.into())
}

impl Add for Unbounded {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let larger_first = other.mantissa == 0.0 || (self.mantissa != 0.0 && other.exponent <= self.exponent);
        let (large, small) = if larger_first { (self, other) } else { (other, self) };
        let distance = large.exponent - small.exponent;
        // What is 2^-60 of the larger one is below a quarter of its last place.
        if small.mantissa == 0.0 || 60 < distance {
            return large;
        }
        Unbounded::from(large.mantissa + small.mantissa * power_of_two(-distance)).shifted(large.exponent)
    }
}

impl Neg for Unbounded {
    type Output = Self;
    fn neg(self) -> Self {
        Unbounded { mantissa: -self.mantissa, ..self }
    }
}

impl Sub for Unbounded {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Unbounded {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Unbounded::from(self.mantissa * other.mantissa).shifted(self.exponent + other.exponent)
    }
}

impl Mul<f64> for Unbounded {
    type Output = Self;
    fn mul(self, other: f64) -> Self {
        self * Unbounded::from(other)
    }
}

impl Div for Unbounded {
    type Output = Self;
    /// Zero for a zero divisor.
    fn div(self, other: Self) -> Self {
        if other.mantissa == 0.0 {
            return Unbounded::ZERO;
        }
        Unbounded::from(self.mantissa / other.mantissa).shifted(self.exponent - other.exponent)
    }
}

impl Number for Unbounded {
    type Element = f64;
    type Mask = bool;
    fn like(self, value: f64) -> Self {
        value.into()
    }
    /// Zero for negative numbers.
    fn sqrt(self) -> Self {
        if self.mantissa < 0.0 {
            return Unbounded::ZERO;
        }
        let odd = self.exponent.rem_euclid(2);
        Unbounded::from((self.mantissa * power_of_two(odd)).sqrt()).shifted((self.exponent - odd) / 2)
    }
    fn abs(self) -> Self {
        Unbounded { mantissa: self.mantissa.abs(), ..self }
    }
    fn less_than(self, other: Self) -> bool {
        (self - other).mantissa < 0.0
    }
    fn less_or_equal(self, other: Self) -> bool {
        (self - other).mantissa <= 0.0
    }
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, any_bits, coordinate};

    #[test]
    fn agrees_with_f64_where_that_is_in_range() {
        let mut rng = Rng::new(3);
        for _ in 0..20_000 {
            let [a, b] = [0; 2].map(|_| coordinate(&mut rng));
            let [x, y] = [a, b].map(Unbounded::from);
            assert_eq!((x + y).to_f64(), a + b);
            assert_eq!((x - y).to_f64(), a - b);
            assert_eq!((x * y).to_f64(), a * b);
            assert_eq!(x.abs().sqrt().to_f64(), a.abs().sqrt());
            assert_eq!(x.less_than(y), a < b);
            if b != 0.0 {
                assert_eq!((x / y).to_f64(), a / b);
            }
        }
    }

    #[test]
    fn every_finite_number_survives_the_round_trip_and_squares_do_not_overflow() {
        let mut rng = Rng::new(4);
        for _ in 0..20_000 {
            let a = any_bits(&mut rng);
            if a.is_finite() {
                let x = Unbounded::from(a);
                assert_eq!(x.to_f64(), a);
                if (a * a).is_normal() && (a * a * a).is_normal() {
                    assert_eq!((x.squared() * x).to_f64(), a * a * a, "{a}");
                }
                assert_eq!(x.squared().sqrt().to_f64(), a.abs());
            }
        }
    }
}
