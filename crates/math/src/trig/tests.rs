//! The constants, against π and arc tangents of arbitrary precision.

use super::{FRAC_PI_2, PI, inverse, kernels, reduce};
use crate::double::Double;
use dashu_float::{FBig, round::mode::HalfEven};

type Big = FBig<HalfEven, 2>;

fn exactly(value: f64) -> Big {
    Big::try_from(value).expect("finite").with_precision(2000).value()
}

fn log2_of_magnitude(value: &Big) -> f64 {
    value.to_f64().value().abs().log2()
}

#[test]
fn the_parts_of_pi_sum_to_pi() {
    let pi = Big::pi(2000);
    let half_pi = &pi / Big::from(2);
    let [first, second, third] = reduce::FRAC_PI_2_PARTS;
    let sum = exactly(first) + exactly(second) + exactly(third);
    assert!(log2_of_magnitude(&(&half_pi - sum)) < -126.0);
    // Products of the first two parts with an integer of 16 bits are exact.
    for part in [first, second] {
        assert!(17 <= part.to_bits().trailing_zeros());
    }
    for (constant, value) in [(FRAC_PI_2, &half_pi), (PI, &pi)] {
        let Double { high, low } = constant;
        assert!(log2_of_magnitude(&(value - exactly(high) - exactly(low))) < -107.0);
    }
}

/// Every multiple of π/2 that the short reduction can meet, with the f64 nearest to it.
#[test]
fn the_short_reduction_is_accurate_next_to_every_multiple() {
    let half_pi = (Big::pi(300) / Big::from(2)).with_precision(300).value();
    for k in 1..=63_662 {
        let multiple = &half_pi * Big::from(k);
        let x = multiple.to_f64().value();
        let rest = (exactly(x) - multiple).with_precision(300).value();
        let reduced = reduce::reduce_short(x);
        let Double { high, low } = reduced.rest;
        let error = exactly(high) + exactly(low) - &rest;
        assert!(error.to_f64().value().abs() < high.abs() * 2f64.powi(-56), "{k}");
        assert!(2.0 * f64::from(k) * reduce::FRAC_PI_2_PARTS[2] < high.abs(), "{k}");
        assert_eq!(reduced.quadrant, k as u64 % 4);
    }
}

#[test]
fn the_digits_of_two_over_pi() {
    let mut rest = Big::from(2).with_precision(2000).value() / Big::pi(2000);
    let word = Big::from(u128::from(u64::MAX) + 1).with_precision(2000).value();
    assert_eq!(reduce::TWO_OVER_PI[0], 0);
    for &expected in &reduce::TWO_OVER_PI[1..] {
        let (digits, fraction) = (rest * &word).split_at_point();
        assert_eq!(u64::try_from(digits.to_int().value()), Ok(expected));
        rest = fraction;
    }
}

#[test]
fn the_table_of_arc_tangents() {
    for (index, &(high, low)) in inverse::ATAN_OF_SIXTEENTHS.iter().enumerate() {
        let node = exactly(index as f64 / 16.0).with_precision(300).value();
        let angle = node.atan();
        assert_eq!(angle.to_f64().value(), high);
        let rest = angle - exactly(high) - exactly(low);
        assert!(index == 0 || log2_of_magnitude(&rest) < -107.0, "{index}");
    }
}

/// The errors that the header of `kernels` states, in exact arithmetic on the f64 coefficients.
#[test]
fn the_polynomials_keep_their_error_bounds() {
    let evaluate = |coefficients: &[f64; 6], z: &Big| {
        coefficients
            .iter()
            .rev()
            .fold(exactly(0.0), |sum, &c| sum * z + exactly(c))
            .with_precision(300)
            .value()
    };
    for step in 1..=1000 {
        let r = exactly(std::f64::consts::FRAC_PI_4 * f64::from(step) / 1000.0).with_precision(300).value();
        let z = &r * &r;
        let (sin, cos) = r.sin_cos();
        let sin_fit = &r + &r * &z * evaluate(&kernels::SIN_COEFFICIENTS, &z);
        let cos_fit = exactly(1.0) - &z / Big::from(2) + &z * &z * evaluate(&kernels::COS_COEFFICIENTS, &z);
        assert!(log2_of_magnitude(&((sin_fit - &sin) / sin)) < -57.8);
        assert!(log2_of_magnitude(&((cos_fit - &cos) / cos)) < -63.9);
    }
}
