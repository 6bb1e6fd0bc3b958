//! Numbers of twice the precision of `f64`, for sums of moments that cancel.
//!
//! hi + lo with |lo| <= ½ ulp(hi): about 106 bits (Dekker, Numer. Math. 18, 1971). Differences of `f64`
//! are exact, sums and products right to a relative 2⁻¹⁰⁰ or so of their terms. Products are split into
//! halves of 26 bits (Veltkamp), since a fused multiply-add is not the same everywhere; the callers keep
//! magnitudes near 1.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// hi + lo, see the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    hi: f64,
    lo: f64,
}

impl Double {
    /// The same value.
    pub(crate) fn exact(value: f64) -> Self {
        Double { hi: value, lo: 0.0 }
    }
    /// a − b, without rounding.
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        two_sum(a, -b)
    }
    /// The nearest `f64`.
    pub(crate) fn value(self) -> f64 {
        self.hi
    }
}

/// a + b without rounding (Knuth).
fn two_sum(a: f64, b: f64) -> Double {
    let hi = a + b;
    let b_part = hi - a;
    Double { hi, lo: (a - (hi - b_part)) + (b - b_part) }
}

/// a + b without rounding, when |b| <= |a| or a = 0 (Dekker).
fn quick_two_sum(a: f64, b: f64) -> Double {
    let hi = a + b;
    Double { hi, lo: b - (hi - a) }
}

/// a·b without rounding (Dekker).
fn two_product(a: f64, b: f64) -> Double {
    let hi = a * b;
    let ((a_hi, a_lo), (b_hi, b_lo)) = (split(a), split(b));
    Double { hi, lo: ((a_hi * b_hi - hi) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo }
}

/// Two halves of at most 26 bits (Veltkamp).
fn split(a: f64) -> (f64, f64) {
    let scaled = a * 134_217_729.0; // 2²⁷ + 1
    let hi = scaled - (scaled - a);
    (hi, a - hi)
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.hi, other.hi), two_sum(self.lo, other.lo));
        let sum = quick_two_sum(high.hi, high.lo + low.hi);
        quick_two_sum(sum.hi, sum.lo + low.lo)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Double { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.hi, other.hi);
        quick_two_sum(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Double {
    type Output = Self;
    /// Long division: the quotient of the leading parts, then that of the remainder.
    fn div(self, other: Self) -> Self {
        let first = Double::exact(self.hi / other.hi);
        let remainder = self - first * other;
        first + Double::exact(remainder.hi / other.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, coordinate};
    use carom_oracle::rational::{exact, fraction, magnitude};

    #[test]
    fn right_to_a_hundred_bits() {
        let mut rng = Rng::new(1);
        let tolerance = fraction(1, 1 << 50) * fraction(1, 1 << 50);
        let value = |d: Double| exact(d.hi) + exact(d.lo);
        for _ in 0..2000 {
            // Without the neighbours of zero, whose products underflow.
            let mut number = || Some(coordinate(&mut rng)).filter(|x| 1e-30 < x.abs()).unwrap_or(0.0);
            let [a, b, c, d] = [0; 4].map(|_| number());
            let (x, y) = (Double::difference(a, b), Double::difference(c, d));
            assert_eq!(value(x), exact(a) - exact(b));
            let product = value(x) * value(y);
            assert!(magnitude(&(value(x * y) - &product)) <= &tolerance * magnitude(&product));
            let size = magnitude(&value(x)) + magnitude(&value(y));
            assert!(magnitude(&(value(x - y) - (value(x) - value(y)))) <= &tolerance * size);
            if y.hi != 0.0 {
                let quotient = value(x) / value(y);
                assert!(magnitude(&(value(x / y) - &quotient)) <= &tolerance * magnitude(&quotient));
            }
        }
    }
}
