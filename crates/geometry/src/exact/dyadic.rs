//! Exact numbers: integers of any length times a power of two.

use super::Ring;
use super::approximate::quotient_of_pairs;
use super::limbs::Limbs;
use carom_math::power_of_two;
use core::cmp::Ordering;
use core::convert::Infallible;

/// ±magnitude·2^exponent.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic<L = Vec<u64>> {
    negative: bool,
    /// Limbs of 64 bits, the lowest first; no zero limb at either end, none at all for zero.
    magnitude: L,
    exponent: i64,
}

impl<L: Limbs> Dyadic<L> {
    /// Removes zero limbs at both ends.
    fn trimmed(negative: bool, mut magnitude: L, exponent: i64) -> Self {
        let limbs = magnitude.as_ref();
        let end = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        let zeros = limbs.iter().take(end).take_while(|&&limb| limb == 0).count();
        magnitude.keep(zeros..end);
        Dyadic { negative: negative && end != 0, magnitude, exponent: exponent + 64 * zeros as i64 }
    }

    fn is_nothing(&self) -> bool {
        self.magnitude.as_ref().is_empty()
    }

    /// The magnitude as an integer multiple of 2^exponent, for an exponent not above its own.
    fn aligned(&self, exponent: i64) -> L {
        let shift = u64::try_from(self.exponent - exponent).unwrap_or(0);
        let (limbs, bits) = ((shift / 64) as usize, shift % 64);
        let mine = self.magnitude.as_ref();
        let mut result = L::zeros(limbs + mine.len() + 1);
        let mut carry = 0;
        for (place, &limb) in result.as_mut().iter_mut().skip(limbs).zip(mine.iter().chain(&[0])) {
            *place = (limb << bits) | carry;
            carry = if bits == 0 { 0 } else { limb >> (64 - bits) };
        }
        result
    }

    /// (m, e) with m·2^e the value, rounded to 53 bits, and 1/2 <= |m| <= 1; m is zero for zero.
    pub(crate) fn rounded(&self) -> (f64, i64) {
        let (high, _, exponent) = self.leading();
        (if self.negative { -high } else { high }, exponent)
    }

    /// (m, m′, e) with value = ±(m + m′)·2^e to about 106 bits, and m in [1/2, 1]; zero for zero.
    fn leading(&self) -> (f64, f64, i64) {
        let limbs = self.magnitude.as_ref();
        let count = limbs.len();
        let limb = |from_top: usize| count.checked_sub(from_top).map_or(0, |i| limbs[i]);
        let top = limb(1);
        let shift = if top == 0 { 0 } else { top.leading_zeros() };
        let pair = (u128::from(top) << 64) | u128::from(limb(2));
        let below = if shift == 0 { 0 } else { limb(3) >> (64 - shift) };
        let bits = (pair << shift) | u128::from(below);
        // Rounded to nearest; the rest is exact up to the bits beyond the third limb.
        let high = bits as f64;
        let low = if high >= power_of_two(128) {
            -((u128::MAX - bits) as f64)
        } else {
            let rounded = high as u128;
            if rounded <= bits { (bits - rounded) as f64 } else { -((rounded - bits) as f64) }
        };
        let unit = power_of_two(-128);
        let exponent = self.exponent + 64 * count as i64 - i64::from(shift);
        (high * unit, low * unit, exponent)
    }
}

impl<L: Limbs> Ring for Dyadic<L> {
    type Doubt = Infallible;

    fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let field = (bits >> 52) & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
        let mantissa = if field == 0 { fraction } else { fraction | (1 << 52) };
        let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
        let exponent = field.max(1) as i64 - 1075 + i64::from(zeros);
        let mut magnitude = L::zeros(1);
        magnitude.as_mut().fill(mantissa >> zeros);
        Dyadic::trimmed(value.is_sign_negative(), magnitude, exponent)
    }

    fn plus(&self, other: &Self) -> Self {
        if self.is_nothing() {
            return other.clone();
        }
        if other.is_nothing() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let (mine, theirs) = (self.aligned(exponent), other.aligned(exponent));
        if self.negative == other.negative {
            return Dyadic::trimmed(self.negative, sum(&mine, &theirs), exponent);
        }
        match compare(&mine, &theirs) {
            Ordering::Less => Dyadic::trimmed(other.negative, difference(theirs, &mine), exponent),
            _ => Dyadic::trimmed(self.negative, difference(mine, &theirs), exponent),
        }
    }

    fn times(&self, other: &Self) -> Self {
        let (mine, theirs) = (self.magnitude.as_ref(), other.magnitude.as_ref());
        let mut product = L::zeros(mine.len() + theirs.len());
        for (start, &a) in mine.iter().enumerate() {
            let mut carry = 0_u128;
            let places = product.as_mut().iter_mut().skip(start);
            // The last place of a row is still empty and takes the carry.
            for (place, &b) in places.zip(theirs.iter().chain(&[0])) {
                // At most (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1.
                let total = u128::from(a) * u128::from(b) + u128::from(*place) + carry;
                *place = total as u64;
                carry = total >> 64;
            }
        }
        Dyadic::trimmed(self.negative != other.negative, product, self.exponent + other.exponent)
    }

    fn negated(&self) -> Self {
        Dyadic { negative: !self.negative && !self.is_nothing(), ..self.clone() }
    }

    fn sign(&self) -> Result<Ordering, Infallible> {
        Ok(match (self.is_nothing(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        })
    }

    fn ratio(numerator: &Self, denominator: &Self, _tolerance: f64) -> Result<f64, Infallible> {
        if numerator.is_nothing() || denominator.is_nothing() {
            return Ok(0.0);
        }
        let (n, n_low, n_exponent) = numerator.leading();
        let (d, d_low, d_exponent) = denominator.leading();
        let quotient = quotient_of_pairs((n, n_low), (d, d_low));
        // In two steps, so that each factor is a number even where the result is subnormal.
        let exponent = (n_exponent - d_exponent).clamp(-2200, 2200) as i32;
        let scaled = quotient * power_of_two(exponent / 3);
        let scaled = scaled * power_of_two(exponent / 3) * power_of_two(exponent - 2 * (exponent / 3));
        Ok(if numerator.negative == denominator.negative { scaled } else { -scaled })
    }
}

/// a + b.
fn sum<L: Limbs>(a: &L, b: &L) -> L {
    let (a, b) = (a.as_ref(), b.as_ref());
    let mut total = L::zeros(a.len().max(b.len()) + 1);
    let mut carry = false;
    for (i, place) in total.as_mut().iter_mut().enumerate() {
        let (first, over) = limb(a, i).overflowing_add(limb(b, i));
        let (second, over_again) = first.overflowing_add(u64::from(carry));
        *place = second;
        carry = over || over_again;
    }
    total
}

/// a − b for a >= b.
fn difference<L: Limbs>(mut a: L, b: &L) -> L {
    let mut borrow = false;
    for (i, place) in a.as_mut().iter_mut().enumerate() {
        let (first, under) = place.overflowing_sub(limb(b.as_ref(), i));
        let (second, under_again) = first.overflowing_sub(u64::from(borrow));
        *place = second;
        borrow = under || under_again;
    }
    a
}

/// Compares integers, whose limbs may begin with zeros.
fn compare<L: Limbs>(a: &L, b: &L) -> Ordering {
    let (a, b) = (a.as_ref(), b.as_ref());
    let places = (0..a.len().max(b.len())).rev();
    places
        .map(|i| limb(a, i).cmp(&limb(b, i)))
        .find(|order| *order != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

fn limb(limbs: &[u64], i: usize) -> u64 {
    limbs.get(i).copied().unwrap_or(0)
}
