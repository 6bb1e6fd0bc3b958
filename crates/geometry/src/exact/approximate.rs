//! Numbers of about 106 bits that know how wrong they may be.
//!
//! A value is hi + lo, two `f64` that do not overlap, plus or minus `error`. Sums and products are
//! expanded without error ([`two_sum`], [`two_product`]); what does not fit into two
//! numbers is dropped and its magnitude added to `error`. So the error is exactly zero as long as
//! nothing was dropped, and a vanishing sum of short numbers is known to vanish.
//!
//! Underflow adds the smallest normal number to the error; overflow makes it NaN. Either way the sign
//! is in doubt rather than wrong.

use super::Ring;
use carom_math::double::{two_product, two_sum};
use carom_math::power_of_two;
use core::cmp::Ordering;

/// hi + lo ± error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approximate {
    hi: f64,
    lo: f64,
    error: f64,
}

/// The sign or quotient cannot be told from the digits at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InDoubt;

/// Makes up for the rounding of a sum of a few error terms.
const ROUND_UP: f64 = 1.0 + 8.0 * f64::EPSILON;

/// Below this magnitude (2^-960) the tail of a product may underflow.
const TAIL_MAY_UNDERFLOW: f64 = power_of_two(-960);

/// Relative error up to which a quotient is given: far below an ulp.
const QUOTIENT_ERROR: f64 = power_of_two(-75);

impl Ring for Approximate {
    type Doubt = InDoubt;

    #[inline]
    fn from_f64(value: f64) -> Self {
        Approximate { hi: value, lo: 0.0, error: 0.0 }
    }

    #[inline]
    fn plus(&self, other: &Self) -> Self {
        let (high, middle) = two_sum(self.hi, other.hi).parts();
        if self.lo == 0.0 && other.lo == 0.0 {
            // The usual case for coordinates as given: the sum of two numbers fits exactly.
            return Approximate { hi: high, lo: middle, error: (self.error + other.error) * ROUND_UP };
        }
        let (low, dropped_low) = two_sum(self.lo, other.lo).parts();
        let (middle, rest) = two_sum(middle, low).parts();
        let (high, middle) = two_sum(high, middle).parts();
        let (middle, dropped_middle) = two_sum(middle, rest).parts();
        let (hi, lo) = two_sum(high, middle).parts();
        let dropped = dropped_low.abs() + dropped_middle.abs();
        Approximate { hi, lo, error: (self.error + other.error + dropped) * ROUND_UP }
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        // Denominators of points as given are 1, and the third coordinate of the plane is 0.
        if self.is_exactly(1.0) || other.is_exactly(0.0) {
            return *other;
        }
        if other.is_exactly(1.0) || self.is_exactly(0.0) {
            return *self;
        }
        let (high, tail, lost) = guarded_product(self.hi, other.hi);
        if self.lo == 0.0 && other.lo == 0.0 && self.error == 0.0 && other.error == 0.0 {
            return Approximate { hi: high, lo: tail, error: lost };
        }
        let (cross, cross_tail, cross_lost) = guarded_product(self.hi, other.lo);
        let (other_cross, other_tail, other_lost) = guarded_product(self.lo, other.hi);
        let (cross, rest) = two_sum(cross, other_cross).parts();
        let (middle, dropped) = two_sum(tail, cross).parts();
        let (hi, lo) = two_sum(high, middle).parts();
        let mut error = lost + cross_lost + other_lost + dropped.abs() + rest.abs();
        error += cross_tail.abs() + other_tail.abs();
        if self.lo != 0.0 && other.lo != 0.0 {
            error += (self.lo * other.lo).abs() + f64::MIN_POSITIVE;
        }
        if self.error != 0.0 || other.error != 0.0 {
            let (mine, theirs) = (self.hi.abs() + self.lo.abs(), other.hi.abs() + other.lo.abs());
            error += mine * other.error + theirs * self.error + self.error * other.error + f64::MIN_POSITIVE;
        }
        Approximate { hi, lo, error: error * ROUND_UP }
    }

    #[inline]
    fn negated(&self) -> Self {
        Approximate { hi: -self.hi, lo: -self.lo, error: self.error }
    }

    #[inline]
    fn sign(&self) -> Result<Ordering, InDoubt> {
        // hi and lo do not overlap, so hi has the sign of hi + lo; NaN fails both comparisons.
        if (self.error + self.lo.abs()) * ROUND_UP < self.hi.abs()
            || (self.error == 0.0 && self.lo.is_finite())
        {
            return self.hi.partial_cmp(&0.0).ok_or(InDoubt);
        }
        Err(InDoubt)
    }

    fn ratio(numerator: &Self, denominator: &Self, tolerance: f64) -> Result<f64, InDoubt> {
        if denominator.sign()? == Ordering::Equal {
            return Ok(0.0);
        }
        let allowed = tolerance * denominator.hi.abs();
        match numerator.sign() {
            Ok(Ordering::Equal) => return Ok(0.0),
            Err(_) if numerator.error <= allowed => return Ok(0.0),
            Err(doubt) => return Err(doubt),
            Ok(_) => {}
        }
        let precise = |x: &Self| x.error <= x.hi.abs() * QUOTIENT_ERROR;
        let quotient = Self::quotient(numerator, denominator);
        let in_range = TAIL_MAY_UNDERFLOW < quotient.abs() && quotient.is_finite();
        let numerator_is_precise = precise(numerator) || numerator.error <= allowed;
        if numerator_is_precise && precise(denominator) && in_range && TAIL_MAY_UNDERFLOW < numerator.hi.abs()
        {
            Ok(quotient)
        } else {
            Err(InDoubt)
        }
    }
}

impl Approximate {
    #[inline]
    fn is_exactly(&self, value: f64) -> bool {
        self.hi == value && self.lo == 0.0 && self.error == 0.0
    }

    /// numerator/denominator, to the digits at hand: not certified.
    pub(crate) fn quotient(numerator: &Self, denominator: &Self) -> f64 {
        quotient_of_pairs((numerator.hi, numerator.lo), (denominator.hi, denominator.lo))
    }
}

/// (n + n′)/(d + d′), rounded once: one step of long division after the first quotient.
pub(super) fn quotient_of_pairs((n, n_low): (f64, f64), (d, d_low): (f64, f64)) -> f64 {
    let first = n / d;
    let (product, tail) = two_product(first, d).parts();
    let remainder = ((n - product) - tail) + n_low - first * d_low;
    first + remainder / d
}

/// a · b = product + tail exactly, but for an error of at most the third number, which is zero unless the
/// tail may underflow, and NaN when the product overflows.
#[inline]
fn guarded_product(a: f64, b: f64) -> (f64, f64, f64) {
    let (product, tail) = two_product(a, b).parts();
    let may_underflow = product.abs() < TAIL_MAY_UNDERFLOW && a != 0.0 && b != 0.0;
    (product, tail, if may_underflow { f64::MIN_POSITIVE } else { (tail * 0.0).abs() })
}
