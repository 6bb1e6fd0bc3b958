//! Numbers as an unevaluated sum of two f64, built on error-free sums and products.
//!
//! Sums after Knuth (TAOCP 2, 4.2.2) and Dekker (Numer. Math. 18, 1971); products after Dekker with
//! Veltkamp's splitting, because a fused multiply-add is not available on every target. All are
//! exact while nothing overflows and no product falls below 2⁻⁹⁶⁹; the callers keep inside that.

/// `high + low` with |low| at most half an ulp of high: about 106 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoubleDouble {
    pub(super) high: f64,
    pub(super) low: f64,
}

/// π/2 and π to 107 bits; the high parts are the nearest f64.
pub(super) const FRAC_PI_2: DoubleDouble =
    DoubleDouble { high: core::f64::consts::FRAC_PI_2, low: 6.123233995736766e-17 };
pub(super) const PI: DoubleDouble = DoubleDouble { high: core::f64::consts::PI, low: 1.2246467991473532e-16 };

impl From<f64> for DoubleDouble {
    #[inline]
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl DoubleDouble {
    /// Difference, with an error below 2⁻¹⁰⁵ of the larger operand.
    #[inline]
    pub(super) fn minus(self, other: Self) -> Self {
        let difference = two_sum(self.high, -other.high);
        fast_two_sum(difference.high, difference.low + (self.low - other.low))
    }

    /// Product, with a relative error below 2⁻¹⁰⁰.
    #[inline]
    pub(super) fn times(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        fast_two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }

    #[inline]
    pub(super) fn negated(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

/// a + b exactly.
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let b_seen = high - a;
    let a_seen = high - b_seen;
    DoubleDouble { high, low: (a - a_seen) + (b - b_seen) }
}

/// a + b exactly, provided that a = 0 or |a| >= |b|.
#[inline]
pub(super) fn fast_two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// a · b exactly.
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> DoubleDouble {
    let (a_top, a_rest) = split(a);
    let (b_top, b_rest) = split(b);
    let high = a * b;
    let low = ((a_top * b_top - high) + a_top * b_rest + a_rest * b_top) + a_rest * b_rest;
    DoubleDouble { high, low }
}

/// a as a sum of two numbers of at most 26 bits each, whose products are exact.
#[inline]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1u64 << 27) + 1) as f64;
    let scaled = SPLITTER * a;
    let top = scaled - (scaled - a);
    (top, a - top)
}
