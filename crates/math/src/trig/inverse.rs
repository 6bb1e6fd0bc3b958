//! Inverse functions, all from one arc tangent of a quotient.
//!
//! For 0 < a <= b take the multiple c = i/16 nearest to a/b. Then
//!
//! atan(a/b) = atan(c) + atan(z),  z = (a − c·b) / (b + c·a),  |z| <= 1/32,
//!
//! with atan(c) from a table to 107 bits, z as a double-double and five terms of the Taylor series,
//! which leave out less than z¹³/13 < 2⁻⁶³·⁷ z. The angle comes out as a double-double, good to
//! about 2⁻⁶², so that going to another quadrant and rounding add nothing worth mentioning to the
//! half ulp of the final rounding.
//!
//! asin and acos measure the angle between the axis and the point (x, √(1 − x²)), with the root in
//! double-double: no cancellation at either end of the interval.

use super::{FRAC_PI_2, PI};
use super::{NAN_F64, TINY};
use crate::double::{Double, fast_two_sum, two_product, two_sum};
use crate::power_of_two;

/// Angle of (x, y); see `atan2_f64`.
pub(super) fn atan2(y: f64, x: f64) -> f64 {
    if y.is_nan() || x.is_nan() {
        return NAN_F64;
    }
    let (mut rise, mut run) = (y.abs(), x.abs());
    if rise == f64::INFINITY && run == f64::INFINITY {
        (rise, run) = (1.0, 1.0);
    }
    let steep = run < rise;
    let acute = if steep { acute_angle(run, rise) } else { acute_angle(rise, run) };
    let backwards = x.is_sign_negative();
    let angle = match (steep, backwards) {
        (false, false) => acute,
        (true, false) => minus(FRAC_PI_2, acute),
        (true, true) => minus(FRAC_PI_2, -acute),
        (false, true) => minus(PI, acute),
    };
    angle.high.copysign(y)
}

/// The same for numbers of 24 bits, in plain f64: c·b and c·a, hence the numerator and the denominator of z, have no
/// rounding errors, so that the angle is good to about 2⁻⁵¹, far beyond the half ulp of rounding it to `f32`.
pub(super) fn atan2_of_short(y: f64, x: f64) -> f64 {
    let (rise, run) = (y.abs(), x.abs());
    let steep = run < rise;
    let (small, large) = if steep { (run, rise) } else { (rise, run) };
    let quotient = small / large;
    // Zeros, infinities, NaN, and angles that are their tangents.
    if !(TINY <= quotient && large < f64::INFINITY) {
        return atan2(y, x);
    }
    let index = ((quotient * 16.0 + 0.5) as usize).min(16);
    let node = index as f64 / 16.0;
    let z = (small - node * large) / (large + node * small);
    let acute = ATAN_OF_SIXTEENTHS[index].0 + (z + z * (z * z) * series(z * z));
    let turned = if steep { FRAC_PI_2.high - acute } else { acute };
    (if x < 0.0 { PI.high - turned } else { turned }).copysign(y)
}

/// Angle in [0, π] whose cosine is x; see `acos_f64`.
pub(super) fn acos(x: f64) -> f64 {
    let angle = match octant_angle(x.abs()) {
        OctantAngle::Invalid => return NAN_F64,
        OctantAngle::Acos(angle) => angle,
        OctantAngle::Asin(angle) => minus(FRAC_PI_2, angle),
    };
    if x < 0.0 { minus(PI, angle).high } else { angle.high }
}

/// Angle in [−π/2, π/2] whose sine is x; see `asin_f64`.
pub(super) fn asin(x: f64) -> f64 {
    let angle = match octant_angle(x.abs()) {
        OctantAngle::Invalid => return NAN_F64,
        OctantAngle::Acos(angle) => minus(FRAC_PI_2, angle),
        OctantAngle::Asin(angle) => angle,
    };
    angle.high.copysign(x)
}

/// The one of asin(m) and acos(m) that is at most π/4.
enum OctantAngle {
    Asin(Double),
    Acos(Double),
    /// m is above 1 or NaN.
    Invalid,
}

/// For m >= 0 or NaN.
fn octant_angle(m: f64) -> OctantAngle {
    if m < TINY {
        return OctantAngle::Asin(m.into());
    }
    if m < 1.0 {
        let other = root_of_one_minus_square(m);
        return if m < other.high {
            OctantAngle::Asin(atan_of_quotient(m.into(), other, m / other.high))
        } else {
            OctantAngle::Acos(atan_of_quotient(other, m.into(), other.high / m))
        };
    }
    if m == 1.0 { OctantAngle::Acos(0.0.into()) } else { OctantAngle::Invalid }
}

/// √(1 − m²) for 2⁻³⁰ <= m < 1.
///
/// 1 − m² is held exactly up to 2⁻¹⁰⁷, and for m near 1 without any error, as 1 − high(m²) then is
/// exact. One Newton step on the root of its high part supplies the low part:
/// √(h + l) ≈ s + (h − s² + l) / 2s.
fn root_of_one_minus_square(m: f64) -> Double {
    let square = two_product(m, m);
    let difference = two_sum(1.0, -square.high);
    let difference = fast_two_sum(difference.high, difference.low - square.low);
    let root = difference.high.sqrt();
    let root_square = two_product(root, root);
    let residual = (difference.high - root_square.high) - root_square.low + difference.low;
    fast_two_sum(root, residual * (0.5 / root))
}

/// atan(a/b) for 0 <= a <= b, not both infinite. 0/0 counts as 0.
fn acute_angle(a: f64, b: f64) -> Double {
    const HUGE: f64 = power_of_two(900);
    const SMALL: f64 = power_of_two(-800);
    if a == 0.0 {
        return 0.0.into();
    }
    // Correctly rounded even where it is subnormal; a finite number over infinity is 0.
    let quotient = a / b;
    if quotient < TINY {
        return quotient.into();
    }
    // Now a and b are within 2³⁰ of each other. The factors are powers of two and keep every
    // product below, and its rounding error, inside the normal range.
    let scale = if HUGE < b {
        power_of_two(-200)
    } else if b < SMALL {
        power_of_two(400)
    } else {
        1.0
    };
    atan_of_quotient((a * scale).into(), (b * scale).into(), quotient)
}

/// a − b with an error below 2⁻¹⁰⁵ of a, for a of π/2 or π and |b| <= π/2. Half the work of `Double`'s own
/// difference, whose care for operands that cancel is not needed here.
fn minus(a: Double, b: Double) -> Double {
    let difference = Double::difference(a.high, b.high);
    fast_two_sum(difference.high, difference.low + (a.low - b.low))
}

/// atan(a/b) for 2⁻³¹ <= a/b <= 1, with a and b in [2⁻⁸³¹, 2⁹⁰¹]. `quotient` is the rounded a/b.
fn atan_of_quotient(a: Double, b: Double, quotient: f64) -> Double {
    let index = ((quotient * 16.0 + 0.5) as usize).min(16);
    let node = index as f64 / 16.0;
    let (table_high, table_low) = ATAN_OF_SIXTEENTHS[index];

    let node_b = two_product(node, b.high);
    let numerator = two_sum(a.high, -node_b.high);
    let numerator_low = (numerator.low - node_b.low) + (a.low - node * b.low);

    let node_a = two_product(node, a.high);
    let denominator = two_sum(b.high, node_a.high);
    let denominator_low = (denominator.low + node_a.low) + (b.low + node * a.low);

    // Long division, second digit: (numerator − z · denominator) / denominator.
    let z = numerator.high / denominator.high;
    let back = two_product(z, denominator.high);
    let remainder = ((numerator.high - back.high) - back.low) + (numerator_low - z * denominator_low);
    // The low part needs few bits, and the reciprocal does not wait for z.
    let z_low = remainder * (1.0 / denominator.high);

    let z2 = z * z;

    // |z| <= 1/32 is below every table entry but the first, which is zero.
    let sum = fast_two_sum(table_high, z);
    fast_two_sum(sum.high, sum.low + (table_low + (z_low + z * z2 * series(z2))))
}

/// (atan(z) − z)/z³ for |z| <= 1/32, by five terms of Taylor's series in z².
#[inline(always)]
fn series(z2: f64) -> f64 {
    let z4 = z2 * z2;
    (-1.0 / 3.0 + z2 * (1.0 / 5.0)) + z4 * ((-1.0 / 7.0 + z2 * (1.0 / 9.0)) + z4 * (-1.0 / 11.0))
}

/// atan(i/16) as high and low part, high being the nearest f64.
#[allow(clippy::approx_constant, reason = "the last row is π/4, kept as digits like its neighbours")]
pub(super) const ATAN_OF_SIXTEENTHS: [(f64, f64); 17] = [
    (0.0, 0.0),
    (0.06241880999595735, -1.5490756308295046e-18),
    (0.12435499454676144, -3.1253241424539383e-18),
    (0.18534794999569476, 4.180692268843079e-18),
    (0.24497866312686414, 1.0698755618734451e-17),
    (0.3028848683749714, -1.1010827903001369e-17),
    (0.35877067027057225, -2.4623815582638635e-17),
    (0.4124104415973873, -1.587652227770689e-17),
    (0.4636476090008061, 2.2698777452961687e-17),
    (0.5123894603107377, -2.5462781472855804e-17),
    (0.5585993153435624, -5.4556305485916264e-18),
    (0.6022873461349642, 2.950430737228402e-17),
    (0.6435011087932844, 1.5834785051444286e-17),
    (0.6823165548747481, 6.943223671560008e-18),
    (0.7188299996216245, -2.1478388444456983e-17),
    (0.7531512809621944, -2.4256934659182068e-17),
    (0.7853981633974483, 3.061616997868383e-17),
];
