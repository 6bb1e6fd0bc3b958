//! Argument reduction: x = k · π/2 + r with k an integer and |r| <= π/4 (1 + 2⁻⁵⁰).
//!
//! The remainder comes back as a sum of two f64 with a relative error below 2⁻⁵⁶, for every finite
//! f64, and k modulo 4. Reduction of −x is the exact mirror of that of x.
//!
//! - |x| <= π/4: nothing to do.
//! - |x| <= 10⁵: Cody and Waite (Software Manual for the Elementary Functions, 1980), π/2 in three
//!   parts, of which the first two are so short that their products with k are exact.
//! - beyond: Payne and Hanek (SIGNUM Newsletter 18, 1983), which multiplies the significand with just
//!   those bits of 2/π that matter.

use super::FRAC_PI_2;
use crate::double::{Double, fast_two_sum, two_sum};
use crate::power_of_two;

/// x − k · π/2 and k modulo 4.
pub(super) struct Reduced {
    pub(super) quadrant: u64,
    pub(super) rest: Double,
}

/// π/2 cut after the binary digits 2⁻³⁵ and 2⁻⁷¹; the third part is rounded, and the sum of the
/// three is π/2 to within 2⁻¹²⁶.
pub(super) const FRAC_PI_2_PARTS: [f64; 3] =
    [1.5707963267923333, 2.5633441512663184e-12, 3.2820035428735005e-22];

/// Largest |x| for the short reduction. k is then at most 63662 < 2¹⁶ and its product with a part
/// of 36 bits fits 53. At twice the limit that would still hold, but the remainder near multiples of
/// π/2 would have to be examined anew, see [`reduce_short`].
const SHORT_LIMIT: f64 = 1e5;

/// Reduces a finite number; `None` for infinities and NaN.
pub(super) fn reduce(x: f64) -> Option<Reduced> {
    let magnitude = x.abs();
    if magnitude <= core::f64::consts::FRAC_PI_4 {
        return Some(Reduced { quadrant: 0, rest: x.into() });
    }
    if magnitude <= SHORT_LIMIT {
        return Some(reduce_short(x));
    }
    x.is_finite().then(|| reduce_long(x))
}

/// Cody and Waite for π/4 < |x| <= 10⁵.
///
/// 1. Adding 1.5 · 2⁵² rounds x · 2/π to the nearest integer k and leaves k modulo 2⁵¹, in two's
///    complement, in the low bits.
/// 2. x − k·P₁ is exact: both are multiples of 2⁻⁵³, and the difference is below 1.
/// 3. Subtracting k·P₂ leaves an error-free pair, whose low part is zero once high is below 2⁻¹⁸, as
///    both operands are multiples of 2⁻⁷¹.
/// 4. k·P₃ < 2⁻⁵⁵ is rounded, and so is its sum with a low part that is not zero. The first costs
///    less than 2⁻¹⁰⁸, the second less than 2⁻¹⁰⁵ and only where the remainder is above 2⁻¹⁸.
///
/// How close the f64 come to multiples of π/2 decides what these absolute errors mean. There are only
/// 63662 multiples in the range, and for each of them the tests take the nearest f64: the remainder
/// has a relative error below 2⁻⁵⁶ and exceeds 2·k·P₃, so that step 4 may use the fast sum.
pub(super) fn reduce_short(x: f64) -> Reduced {
    const ROUNDER: f64 = 1.5 * (1u64 << 52) as f64;
    let [first, second, third] = FRAC_PI_2_PARTS;
    let shifted = x * core::f64::consts::FRAC_2_PI + ROUNDER;
    let k = shifted - ROUNDER;
    let pair = two_sum(x - k * first, -(k * second));
    Reduced { quadrant: shifted.to_bits() & 3, rest: fast_two_sum(pair.high, pair.low - k * third) }
}

/// The binary digits of 2/π, after 64 zeros: digit 2⁻ⁱ is bit 63 + i, counted from the front.
pub(super) const TWO_OVER_PI: [u64; 20] = [
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
];

/// Payne and Hanek for finite |x| > π/4.
///
/// |x| = m · 2ᵉ with m an integer of 53 bits. Digits 2⁻ⁱ of 2/π with i <= e − 2 contribute multiples
/// of 4 to x · 2/π, that is full turns, and are skipped. The 192 digits from i = e − 1 on form an
/// integer w in units of 2^(−190−e), and |x| · 2/π ≡ m · w · 2⁻¹⁹⁰ (mod 4) with an error below
/// m · 2⁻¹⁹⁰ < 2⁻¹³⁷. Of the product modulo 2¹⁹² the two leading bits are the quadrant and the next
/// 128 the fraction.
///
/// No f64 comes closer to a multiple of π/2 than 2⁻⁶¹ (6381956970095103 · 2⁷⁹⁷ is the closest), so
/// that at least 66 bits of the fraction are significant.
fn reduce_long(x: f64) -> Reduced {
    let bits = x.abs().to_bits();
    let biased_exponent = (bits >> 52) as usize;
    let significand = (bits & ((1 << 52) - 1)) | (1 << 52);

    // e = biased − 1075; the first digit wanted, i = e − 1, is bit 63 + i. |x| > π/4 means
    // biased >= 1022 and x finite means biased <= 2046, so start lies in 9..=1033.
    let start = biased_exponent - 1013;
    let (word, shift) = (start / 64, start % 64);
    let digits =
        |j: usize| (TWO_OVER_PI[word + j] << shift) | (TWO_OVER_PI[word + j + 1] >> 1 >> (63 - shift));

    let wide = u128::from(significand);
    let low = wide * u128::from(digits(2));
    let middle = wide * u128::from(digits(1)) + (low >> 64);
    let high = significand.wrapping_mul(digits(0)).wrapping_add((middle >> 64) as u64);
    let fraction =
        (u128::from(high) << 66) | (u128::from(middle as u64) << 2) | u128::from((low as u64) >> 62);

    // From [0, 1) with the quadrant below to [−1/2, 1/2) with the nearest one.
    let beyond_half = fraction >> 127 == 1;
    let quadrant = (high >> 62) + u64::from(beyond_half);
    let distance = if beyond_half { fraction.wrapping_neg() } else { fraction };
    let rest = fraction_to_double(distance) * FRAC_PI_2;

    let mirrored = x < 0.0;
    Reduced {
        quadrant: if mirrored { 4 - quadrant % 4 } else { quadrant } % 4,
        rest: if mirrored != beyond_half { -rest } else { rest },
    }
}

/// `fraction` · 2⁻¹²⁸, its leading 106 bits.
fn fraction_to_double(fraction: u128) -> Double {
    // Zero does not occur; were it to, 127 keeps the shift in range and the result is zero.
    let leading_zeros = fraction.leading_zeros().min(127);
    let normalised = fraction << leading_zeros;
    let scale = power_of_two(-53 - leading_zeros as i32);
    let top = (normalised >> 75) as u64;
    let next = (normalised >> 22) as u64 & ((1 << 53) - 1);
    // The pair is cut, not rounded: low may reach a full ulp of high, which the product renormalises.
    Double { high: top as f64 * scale, low: next as f64 * (scale * power_of_two(-53)) }
}
