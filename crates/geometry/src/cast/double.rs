//! Numbers of twice the precision of `f64`, for the few formulas that cancel.
//!
//! A [`Double`] is the unevaluated sum hi + lo of two `f64` with |lo| <= ½ ulp(hi): about 106 bits
//! (Dekker 1971). Sums and products of short numbers (lattice coordinates) come out exactly, anything
//! else to a relative 2⁻¹⁰⁰ or so. Formulas are written once over [`Precision`] and run in `f64`
//! first; only when the outcome is in doubt do they run again in [`Double`].
//!
//! There is no fused multiplication here, so products are split into halves of 26 bits. That is exact
//! below 2⁹⁹⁰, and the casts bring all lengths near 1 beforehand.

use carom_math::{Number, Vec3, Vector};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A number type that a formula can be evaluated in: `f64`, or [`Double`] when that is not enough.
pub(crate) trait Precision: Number<Element = f64, Mask = bool> {
    /// The same value.
    fn exact(value: f64) -> Self;
    /// a − b, without rounding where the type allows.
    fn difference(a: f64, b: f64) -> Self;
    /// The nearest `f64`.
    fn value(self) -> f64;
}

impl Precision for f64 {
    #[inline(always)]
    fn exact(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn difference(a: f64, b: f64) -> f64 {
        a - b
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
}

/// The vector in space with the same components, a third one of zero added in the plane.
#[inline]
pub(crate) fn lift<P: Precision, V: Vector<Scalar = f64>>(v: V) -> Vec3<P> {
    between(V::ZERO, v)
}

/// The vector from one point to another, in space.
#[inline]
pub(crate) fn between<P: Precision, V: Vector<Scalar = f64>>(from: V, to: V) -> Vec3<P> {
    let component =
        |axis| if axis < V::DIM { P::difference(to.get(axis), from.get(axis)) } else { P::exact(0.0) };
    Vec3::new(component(0), component(1), component(2))
}

/// hi + lo, see the module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Double {
    hi: f64,
    lo: f64,
}

/// a + b = s + e without any error (Knuth).
#[inline]
fn two_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    let b_part = s - a;
    Double { hi: s, lo: (a - (s - b_part)) + (b - b_part) }
}

/// The same for |a| >= |b| or a = 0 (Dekker).
#[inline]
fn quick_two_sum(a: f64, b: f64) -> Double {
    let s = a + b;
    Double { hi: s, lo: b - (s - a) }
}

/// a·b = p + e without any error (Dekker, Veltkamp).
#[inline]
fn two_product(a: f64, b: f64) -> Double {
    let p = a * b;
    let (a_hi, a_lo) = split(a);
    let (b_hi, b_lo) = split(b);
    Double { hi: p, lo: ((a_hi * b_hi - p) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo }
}

/// Two halves of 26 bits.
#[inline]
fn split(a: f64) -> (f64, f64) {
    let c = 134_217_729.0 * a; // 2²⁷ + 1
    let hi = c - (c - a);
    (hi, a - hi)
}

impl Add for Double {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let high = two_sum(self.hi, other.hi);
        let low = two_sum(self.lo, other.lo);
        let sum = quick_two_sum(high.hi, high.lo + low.hi);
        quick_two_sum(sum.hi, sum.lo + low.lo)
    }
}

impl Neg for Double {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Double { hi: -self.hi, lo: -self.lo }
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
        let p = two_product(self.hi, other.hi);
        quick_two_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Double {
    type Output = Self;
    /// One Newton correction of the quotient of the leading parts.
    #[inline]
    fn div(self, other: Self) -> Self {
        let first = Double::exact(self.hi / other.hi);
        let rest = self - first * other;
        first + Double::exact(rest.hi / other.hi)
    }
}

impl Number for Double {
    type Element = f64;
    type Mask = bool;
    #[inline]
    fn like(self, value: f64) -> Self {
        Self::exact(value)
    }
    /// One Newton correction of the root of the leading part.
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        if root == 0.0 || root.is_nan() {
            return Self::exact(root);
        }
        let rest = self - two_product(root, root);
        quick_two_sum(root, rest.hi / (2.0 * root))
    }
    #[inline]
    fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }
    #[inline]
    fn less_than(self, other: Self) -> bool {
        self.hi < other.hi || (self.hi == other.hi && self.lo < other.lo)
    }
    #[inline]
    fn less_or_equal(self, other: Self) -> bool {
        self.hi < other.hi || (self.hi == other.hi && self.lo <= other.lo)
    }
    #[inline]
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
}

impl Precision for Double {
    #[inline]
    fn exact(value: f64) -> Self {
        Double { hi: value, lo: 0.0 }
    }
    #[inline]
    fn difference(a: f64, b: f64) -> Self {
        two_sum(a, -b)
    }
    #[inline]
    fn value(self) -> f64 {
        self.hi
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, coordinate};
    use carom_oracle::rational::{exact, fraction, magnitude};

    #[test]
    fn operations_are_right_to_a_hundred_bits() {
        let mut rng = Rng::new(1);
        let tolerance = fraction(1, 1 << 50) * fraction(1, 1 << 50);
        let value = |d: Double| exact(d.hi) + exact(d.lo);
        for _ in 0..2000 {
            let [a, b, c, d] = [0; 4].map(|_| coordinate(&mut rng));
            if [a, b, c, d].iter().any(|x| x.is_subnormal()) {
                continue; // their products vanish
            }
            let (x, y) = (Double::difference(a, b), Double::difference(c, d));
            assert_eq!(value(x), exact(a) - exact(b));
            let product = value(x) * value(y);
            assert!(magnitude(&(value(x * y) - &product)) <= &tolerance * magnitude(&product));
            let sum = value(x) + value(y);
            let size = magnitude(&value(x)) + magnitude(&value(y));
            assert!(magnitude(&(value(x + y) - sum)) <= &tolerance * size);
            if y.hi != 0.0 {
                let quotient = value(x) / value(y);
                assert!(magnitude(&(value(x / y) - &quotient)) <= &tolerance * magnitude(&quotient));
            }
            let root = value((x * x).sqrt());
            assert!(magnitude(&(root - magnitude(&value(x)))) <= &tolerance * magnitude(&value(x)));
        }
    }
}
