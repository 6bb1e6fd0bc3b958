//! Sine, cosine and their inverses with the same bits on every target.
//!
//! The platform's functions differ in the last bits from one system library to the next, so nothing
//! that a result depends on may call them. Here only IEEE 754 addition, subtraction, multiplication,
//! division, square root, integer operations and bit casts are used, each of which has one defined
//! answer on x86-64, AArch64 and WebAssembly. There is no fused multiply-add.
//!
//! What is promised, for every bit pattern and without a panic:
//! - The f64 functions are within 1 ulp of the real value (sine and cosine), respectively 0.52 ulp
//!   (the inverses), over the whole range: huge arguments, neighbours of multiples of π/2,
//!   subnormal numbers, quotients that overflow or underflow. The tests measure this against
//!   arithmetic with 200 bits; the largest error in 10⁶ samples was 0.761 ulp for sine and cosine,
//!   0.503 for atan2 and 0.5003 for asin and acos.
//! - The f32 functions evaluate in f64 and round once: at most 0.5000001 ulp, so that the correctly
//!   rounded number comes out except in about one of 10⁸ cases.
//! - Odd and even symmetries hold to the bit: sin(−x) = −sin(x), cos(−x) = cos(x),
//!   asin(−x) = −asin(x), atan2(−y, x) = −atan2(y, x). `sin_cos` agrees to the bit with the two
//!   single functions.
//! - Every NaN that comes out is the same quiet NaN, whatever came in.
//!
//! How it is done, a file each:
//! 1. `reduce`: argument minus a multiple of π/2, as an unevaluated sum of two f64 (Cody and Waite
//!    up to 10⁵, Payne and Hanek beyond).
//! 2. `kernels`: polynomials for sine and cosine on [−π/4, π/4].
//! 3. `inverse`: the arc tangent of a quotient of two double-double numbers, from which the inverse
//!    functions follow.
//!
//! All of them stand on the error-free sums and products of [`crate::double`].

mod inverse;
mod kernels;
mod reduce;
#[cfg(test)]
mod tests;

use crate::double::Double;
use kernels::{kernel_cos, kernel_sin};
use reduce::{Reduced, reduce};

/// The one NaN these functions return: arithmetic on NaN may differ in sign and payload between
/// targets, a constant does not.
const NAN_F64: f64 = f64::from_bits(0x7ff8_0000_0000_0000);
const NAN_F32: f32 = f32::from_bits(0x7fc0_0000);

/// π/2 and π to 107 bits; the high parts are the nearest f64.
const FRAC_PI_2: Double = Double { high: core::f64::consts::FRAC_PI_2, low: 6.123233995736766e-17 };
const PI: Double = Double { high: core::f64::consts::PI, low: 1.2246467991473532e-16 };

/// Below this magnitude, 2⁻³⁰, the next term of every series here (relative size at most x²/2 for
/// the cosine, x²/3 for the others) lies more than 2⁻⁵⁸ under the first and cannot be seen.
const TINY: f64 = 1.0 / (1u64 << 30) as f64;

/// Sine of an angle in radians, for any finite argument; within 1 ulp.
///
/// sin(±0) = ±0; an infinite argument or NaN gives NaN.
///
/// ```
/// use carom_math::trig::sin_f64;
/// assert_eq!(sin_f64(0.5), 0.479425538604203);
/// // The nearest f64 to π is off by 1.22e-16, and the sine there says so.
/// assert_eq!(sin_f64(std::f64::consts::PI), 1.2246467991473532e-16);
/// assert!(sin_f64(f64::INFINITY).is_nan());
/// ```
pub fn sin_f64(angle_rad: f64) -> f64 {
    if angle_rad.abs() < TINY {
        return angle_rad;
    }
    let Some(Reduced { quadrant, rest }) = reduce(angle_rad) else {
        return NAN_F64;
    };
    let value = if quadrant & 1 == 0 { kernel_sin(rest) } else { kernel_cos(rest) };
    negate_in_lower_half(value, quadrant)
}

/// Cosine of an angle in radians, for any finite argument; within 1 ulp.
///
/// cos(±0) = 1; an infinite argument or NaN gives NaN.
///
/// ```
/// use carom_math::trig::cos_f64;
/// assert_eq!(cos_f64(0.0), 1.0);
/// assert_eq!(cos_f64(std::f64::consts::FRAC_PI_2), 6.123233995736766e-17);
/// assert!(cos_f64(f64::NAN).is_nan());
/// ```
pub fn cos_f64(angle_rad: f64) -> f64 {
    if angle_rad.abs() < TINY {
        return 1.0;
    }
    let Some(Reduced { quadrant, rest }) = reduce(angle_rad) else {
        return NAN_F64;
    };
    let value = if quadrant & 1 == 0 { kernel_cos(rest) } else { kernel_sin(rest) };
    negate_in_lower_half(value, quadrant + 1)
}

/// Sine and cosine of an angle in radians, sharing one argument reduction.
///
/// The same bits as [`sin_f64`] and [`cos_f64`], in this order.
///
/// ```
/// use carom_math::trig::{cos_f64, sin_cos_f64, sin_f64};
/// assert_eq!(sin_cos_f64(1e300), (sin_f64(1e300), cos_f64(1e300)));
/// ```
pub fn sin_cos_f64(angle_rad: f64) -> (f64, f64) {
    if angle_rad.abs() < TINY {
        return (angle_rad, 1.0);
    }
    let Some(Reduced { quadrant, rest }) = reduce(angle_rad) else {
        return (NAN_F64, NAN_F64);
    };
    let (even, odd) = (kernel_cos(rest), kernel_sin(rest));
    let (sin, cos) = if quadrant & 1 == 0 { (odd, even) } else { (even, odd) };
    (negate_in_lower_half(sin, quadrant), negate_in_lower_half(cos, quadrant + 1))
}

/// Angle of the point (`x`, `y`) in radians, in [−π, π]; within 0.52 ulp.
///
/// Takes y first, as usual. Signs of zero are those of IEEE 754: the result has the sign of y, so
/// that atan2(±0, x) is ±0 for x = +0 or above and ±π for x = −0 or below; atan2(y, ±0) is ±π/2.
/// Infinities count as directions: atan2(±∞, +∞) = ±π/4, atan2(±∞, −∞) = ±3π/4, atan2(±y, −∞) = ±π.
/// NaN in either argument gives NaN.
///
/// ```
/// use carom_math::trig::atan2_f64;
/// use std::f64::consts::{FRAC_PI_4, PI};
/// assert_eq!(atan2_f64(2.0, 2.0), FRAC_PI_4);
/// assert_eq!(atan2_f64(-0.0, -1.0), -PI);
/// // The quotient underflows to a subnormal number; the angle is that number.
/// assert_eq!(atan2_f64(1e-300, 1e20), 1e-320);
/// ```
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    inverse::atan2(y, x)
}

/// Angle in [0, π] whose cosine is `x`; within 0.52 ulp.
///
/// acos(1) = +0. Arguments outside [−1, 1] and NaN give NaN: a caller whose cosine may exceed 1 by
/// rounding clamps it first, or better takes [`atan2_f64`] of sine and cosine, which stays accurate
/// where the cosine is flat.
///
/// ```
/// use carom_math::trig::acos_f64;
/// assert_eq!(acos_f64(-1.0), std::f64::consts::PI);
/// assert_eq!(acos_f64(1.0), 0.0);
/// assert!(acos_f64(1.0 + f64::EPSILON).is_nan());
/// ```
pub fn acos_f64(x: f64) -> f64 {
    inverse::acos(x)
}

/// Angle in [−π/2, π/2] whose sine is `x`; within 0.52 ulp.
///
/// asin(±0) = ±0. Arguments outside [−1, 1] and NaN give NaN.
///
/// ```
/// use carom_math::trig::asin_f64;
/// assert_eq!(asin_f64(1.0), std::f64::consts::FRAC_PI_2);
/// assert_eq!(asin_f64(-0.5), -asin_f64(0.5));
/// assert!(asin_f64(-2.0).is_nan());
/// ```
pub fn asin_f64(x: f64) -> f64 {
    inverse::asin(x)
}

/// [`sin_f64`] for f32: evaluated in f64, rounded once.
///
/// ```
/// use carom_math::trig::sin_f32;
/// assert_eq!(sin_f32(0.5), 0.479_425_55);
/// assert!(sin_f32(f32::NEG_INFINITY).is_nan());
/// ```
pub fn sin_f32(angle_rad: f32) -> f32 {
    narrow(sin_f64(f64::from(angle_rad)))
}

/// [`cos_f64`] for f32: evaluated in f64, rounded once.
///
/// ```
/// use carom_math::trig::cos_f32;
/// assert_eq!(cos_f32(0.5), 0.877_582_55);
/// ```
pub fn cos_f32(angle_rad: f32) -> f32 {
    narrow(cos_f64(f64::from(angle_rad)))
}

/// [`sin_cos_f64`] for f32: evaluated in f64, rounded once.
///
/// ```
/// use carom_math::trig::{cos_f32, sin_cos_f32, sin_f32};
/// assert_eq!(sin_cos_f32(2.0), (sin_f32(2.0), cos_f32(2.0)));
/// ```
pub fn sin_cos_f32(angle_rad: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos_f64(f64::from(angle_rad));
    (narrow(sin), narrow(cos))
}

/// [`atan2_f64`] for f32: evaluated in f64, rounded once. y first.
///
/// ```
/// use carom_math::trig::atan2_f32;
/// assert_eq!(atan2_f32(1.0, -0.0), std::f32::consts::FRAC_PI_2);
/// ```
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    narrow(inverse::atan2_of_short(f64::from(y), f64::from(x)))
}

/// [`acos_f64`] for f32: evaluated in f64, rounded once.
///
/// ```
/// use carom_math::trig::acos_f32;
/// assert_eq!(acos_f32(0.0), std::f32::consts::FRAC_PI_2);
/// ```
pub fn acos_f32(x: f32) -> f32 {
    narrow(acos_f64(f64::from(x)))
}

/// [`asin_f64`] for f32: evaluated in f64, rounded once.
///
/// ```
/// use carom_math::trig::asin_f32;
/// assert_eq!(asin_f32(-1.0), -std::f32::consts::FRAC_PI_2);
/// ```
pub fn asin_f32(x: f32) -> f32 {
    narrow(asin_f64(f64::from(x)))
}

/// The sign of the sine by quadrant: + + − −. The cosine is the sine one quadrant on. Flipping the
/// sign bit instead of branching matters, as the quadrant of a spinning body is hard to predict.
#[inline]
fn negate_in_lower_half(value: f64, quadrant: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ ((quadrant & 2) << 62))
}

/// Rounds to f32, keeping NaN the one of this module.
fn narrow(value: f64) -> f32 {
    if value.is_nan() { NAN_F32 } else { value as f32 }
}
