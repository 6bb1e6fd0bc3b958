//! Sine and cosine on [−π/4, π/4], of an argument given as a sum of two f64.
//!
//! With r = high + low and z = high²:
//!
//! - sin r ≈ high + (high · z · S(z) + low · (1 − z/2)), the last factor being the cosine that
//!   multiplies a small change of the argument;
//! - cos r ≈ 1 − z/2 + z² · C(z) − high · low.
//!
//! S and C are minimax polynomials: fitted with the exchange algorithm of Remez in 400-bit
//! arithmetic on [0, (π/4)² · (1 + 2⁻¹⁹)], one coefficient after the other rounded to f64 and the
//! remaining ones fitted anew. Their largest error relative to the sine is 2⁻⁵⁷·⁸, relative to the
//! cosine 2⁻⁶³·⁹; the rest of the error is rounding. Polynomials are summed in pairs (Estrin), which
//! halves the chain of dependent operations and fixes the order of rounding.
//!
//! The sine is worst at π/4, in ulps of the result: five roundings inside a cubic term of 0.078 make
//! 0.39, its sum with the low part 0.06, the fit 0.03, the last addition 0.5, together below 1. The
//! cosine is worst there too: six roundings inside a quartic term of 0.016 make 0.1, the small sums
//! 0.01, the last addition 0.5.

use crate::double::{Double, fast_two_sum};

/// (sin r − r) / r³ = S(r²) = −1/6 + r²/120 − …
pub(super) const SIN_COEFFICIENTS: [f64; 6] = [
    -0.1666666666666663,
    0.00833333333332184,
    -0.00019841269829358522,
    2.7557313538511096e-06,
    -2.505073438863332e-08,
    1.5895433246210346e-10,
];

/// (cos r − 1 + r²/2) / r⁴ = C(r²) = 1/24 − r²/720 + …
pub(super) const COS_COEFFICIENTS: [f64; 6] = [
    0.041666666666666595,
    -0.0013888888888873342,
    2.48015872890021e-05,
    -2.755731421705159e-07,
    2.087570539867081e-09,
    -1.1358749420849165e-11,
];

/// Sine of `rest`, |rest| <= π/4 (a little more does no harm). Odd to the bit.
#[inline]
pub(super) fn kernel_sin(rest: Double) -> f64 {
    let Double { high, low } = rest;
    let square = high * high;
    let cubic = high * square * polynomial(&SIN_COEFFICIENTS, square);
    high + (cubic + low * (1.0 - 0.5 * square))
}

/// Cosine of `rest`, |rest| <= π/4 (a little more does no harm). Even to the bit.
///
/// z/2 reaches 0.31, so that the rounding of z alone would cost a quarter of an ulp. Splitting high
/// into its upper 26 bits t and the rest u gives z = t² + u · (high + t), where t² is exact.
#[inline]
pub(super) fn kernel_cos(rest: Double) -> f64 {
    let Double { high, low } = rest;
    let square = high * high;
    let top = f64::from_bits(high.to_bits() & !((1 << 27) - 1));
    let leading = fast_two_sum(1.0, -0.5 * (top * top));
    let square_rest = 0.5 * ((high - top) * (high + top));
    let quartic = square * square * polynomial(&COS_COEFFICIENTS, square);
    leading.high + (quartic + (leading.low - (square_rest + high * low)))
}

#[inline]
fn polynomial(c: &[f64; 6], z: f64) -> f64 {
    let z2 = z * z;
    (c[0] + c[1] * z) + z2 * ((c[2] + c[3] * z) + z2 * (c[4] + c[5] * z))
}
