//! Keeps squares and products in range for lengths of any magnitude.
//!
//! The kernels form products of up to six lengths, which overflow beyond about 1e51 and lose bits
//! below 1e-51. A problem whose size lies outside of a generous band is therefore multiplied by a
//! power of two, solved, and multiplied back: exact, since powers of two commute with rounding. Inside
//! the band, which holds all of `f32`, nothing happens.

use carom_math::{Number, power_of_two};

/// 2^±150. All finite `f32` lie within, and sixth powers stay within the range of `f64`.
const BAND: i32 = 150;

/// The power of two by which a problem of this size is multiplied before it is solved, or `None`
/// when it can be solved as it is. `size` is the largest magnitude of a coordinate or length.
///
/// # Example
/// ```text
/// rescaling(3.0) = None, rescaling(1e-300) = Some(f) with 1 <= 1e-300·f < 2
/// ```
pub(crate) fn rescaling(size: f64) -> Option<f64> {
    if size == 0.0 || !size.is_finite() || (power_of_two(-BAND)..=power_of_two(BAND)).contains(&size) {
        return None;
    }
    // The exponent field; subnormals have 0 there and are brought up by 2^1022, the largest factor
    // whose reciprocal is a normal number too.
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    Some(power_of_two((-exponent).min(1022)))
}

/// The largest of several sizes.
pub(crate) fn largest<const N: usize>(sizes: [f64; N]) -> f64 {
    sizes.into_iter().fold(0.0, Number::max_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rescaled_sizes_are_near_one() {
        for size in [1e-300, 1e300, f64::MAX, f64::MIN_POSITIVE, 1e-60, 1e60] {
            let factor = rescaling(size).unwrap();
            assert!((1.0..2.0).contains(&(size * factor)), "{size} {factor}");
            assert_eq!(size * factor / factor, size);
        }
        assert!(f64::from_bits(1) * rescaling(f64::from_bits(1)).unwrap() > 1e-30);
        for size in [0.0, 1.0, f64::from(f32::MAX), f64::from(f32::from_bits(1)), f64::INFINITY] {
            assert_eq!(rescaling(size), None, "{size}");
        }
    }
}
