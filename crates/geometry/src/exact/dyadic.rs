//! Exact numbers: integers of any length times a power of two.

use super::Ring;
use super::approximate::quotient_of_pairs;
use carom_math::power_of_two;
use core::cmp::Ordering;
use core::convert::Infallible;

/// ±magnitude·2^exponent.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    negative: bool,
    /// Limbs of 64 bits, the lowest first; no zero limb at either end, none at all for zero.
    magnitude: Vec<u64>,
    exponent: i64,
}

impl Dyadic {
    /// Removes zero limbs at both ends.
    fn trimmed(negative: bool, mut magnitude: Vec<u64>, mut exponent: i64) -> Self {
        while magnitude.last() == Some(&0) {
            magnitude.pop();
        }
        let zeros = magnitude.iter().take_while(|&&limb| limb == 0).count();
        magnitude.drain(..zeros);
        exponent += 64 * zeros as i64;
        Dyadic { negative: negative && !magnitude.is_empty(), magnitude, exponent }
    }

    /// The magnitude as an integer multiple of 2^exponent, for an exponent not above its own.
    fn aligned(&self, exponent: i64) -> Vec<u64> {
        let shift = u64::try_from(self.exponent - exponent).unwrap_or(0);
        let (limbs, bits) = ((shift / 64) as usize, shift % 64);
        let mut result = vec![0; limbs];
        let mut carry = 0;
        for &limb in &self.magnitude {
            result.push((limb << bits) | carry);
            carry = if bits == 0 { 0 } else { limb >> (64 - bits) };
        }
        result.push(carry);
        result
    }

    /// (m, m′, e) with value = ±(m + m′)·2^e to about 106 bits, and m in [1/2, 1]; zero for zero.
    fn leading(&self) -> (f64, f64, i64) {
        let count = self.magnitude.len();
        let limb = |from_top: usize| count.checked_sub(from_top).map_or(0, |i| self.magnitude[i]);
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

impl Ring for Dyadic {
    type Doubt = Infallible;

    fn from_f64(value: f64) -> Self {
        let bits = value.to_bits();
        let field = (bits >> 52) & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
        let mantissa = if field == 0 { fraction } else { fraction | (1 << 52) };
        let zeros = if mantissa == 0 { 0 } else { mantissa.trailing_zeros() };
        let exponent = field.max(1) as i64 - 1075 + i64::from(zeros);
        Dyadic::trimmed(value.is_sign_negative(), vec![mantissa >> zeros], exponent)
    }

    fn plus(&self, other: &Self) -> Self {
        if self.magnitude.is_empty() {
            return other.clone();
        }
        if other.magnitude.is_empty() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        let (mine, theirs) = (self.aligned(exponent), other.aligned(exponent));
        if self.negative == other.negative {
            return Dyadic::trimmed(self.negative, sum(mine, &theirs), exponent);
        }
        match compare(&mine, &theirs) {
            Ordering::Less => Dyadic::trimmed(other.negative, difference(theirs, &mine), exponent),
            _ => Dyadic::trimmed(self.negative, difference(mine, &theirs), exponent),
        }
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = vec![0_u64; self.magnitude.len() + other.magnitude.len()];
        for (start, &a) in self.magnitude.iter().enumerate() {
            let mut carry = 0_u128;
            for (place, &b) in product.iter_mut().skip(start).zip(&other.magnitude) {
                // At most (2⁶⁴ − 1)² + 2·(2⁶⁴ − 1) = 2¹²⁸ − 1.
                let total = u128::from(a) * u128::from(b) + u128::from(*place) + carry;
                *place = total as u64;
                carry = total >> 64;
            }
            if let Some(place) = product.get_mut(start + other.magnitude.len()) {
                *place = carry as u64;
            }
        }
        Dyadic::trimmed(self.negative != other.negative, product, self.exponent + other.exponent)
    }

    fn negated(&self) -> Self {
        Dyadic { negative: !self.negative && !self.magnitude.is_empty(), ..self.clone() }
    }

    fn sign(&self) -> Result<Ordering, Infallible> {
        Ok(match (self.magnitude.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        })
    }

    fn ratio(numerator: &Self, denominator: &Self, _tolerance: f64) -> Result<f64, Infallible> {
        if numerator.magnitude.is_empty() || denominator.magnitude.is_empty() {
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
fn sum(mut a: Vec<u64>, b: &[u64]) -> Vec<u64> {
    a.resize(a.len().max(b.len()) + 1, 0);
    let mut carry = false;
    for (place, add) in a.iter_mut().zip(b.iter().chain(core::iter::repeat(&0))) {
        let (first, over) = place.overflowing_add(*add);
        let (second, over_again) = first.overflowing_add(u64::from(carry));
        *place = second;
        carry = over || over_again;
    }
    a
}

/// a − b for a >= b.
fn difference(mut a: Vec<u64>, b: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    for (place, subtract) in a.iter_mut().zip(b.iter().chain(core::iter::repeat(&0))) {
        let (first, under) = place.overflowing_sub(*subtract);
        let (second, under_again) = first.overflowing_sub(u64::from(borrow));
        *place = second;
        borrow = under || under_again;
    }
    a
}

/// Compares integers, whose limbs may begin with zeros.
fn compare(a: &[u64], b: &[u64]) -> Ordering {
    let limb = |limbs: &[u64], i: usize| limbs.get(i).copied().unwrap_or(0);
    let places = (0..a.len().max(b.len())).rev();
    places
        .map(|i| limb(a, i).cmp(&limb(b, i)))
        .find(|order| *order != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}
