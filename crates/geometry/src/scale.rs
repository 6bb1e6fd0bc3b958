//! Keeps squares and products in range for lengths of any magnitude.
//!
//! Products of many lengths overflow or underflow long before the lengths do. A problem whose size lies
//! outside of a band around 1 is therefore multiplied by a power of two, solved, and multiplied back:
//! exact, since powers of two commute with rounding. Inside the band nothing happens. How wide it may
//! be depends on the degree of what is computed, so the caller says ([`towards_one`]); most take that of
//! the pair kernels ([`rescaling`]).

use carom_math::{Number, Vector, power_of_two};

/// The band of the pair kernels, which form products of up to six lengths: 2^±150. All finite `f32` lie
/// within, and sixth powers stay within the range of `f64`.
const KERNELS: i32 = 150;

/// The power of two by which a problem of this size is multiplied before a kernel solves it, or `None`
/// when it can be solved as it is. `size` is the largest magnitude of a coordinate or length.
///
/// # Example
/// ```text
/// rescaling(3.0) = None, rescaling(1e-300) = Some(f) with 1 <= 1e-300·f < 2
/// ```
pub(crate) fn rescaling(size: f64) -> Option<f64> {
    is_outside(size, KERNELS).then(|| to_one(size))
}

/// Whether a size that is not zero needs no rescaling. NaN and infinity do.
#[inline(always)]
pub(crate) fn is_plain(size: f64) -> bool {
    power_of_two(-KERNELS) <= size && size <= power_of_two(KERNELS)
}

/// The power of two that brings a size into [1, 2), or 1 when it is between 2^−band and 2^band already,
/// zero or not finite. With a band of 0 equal shapes of different sizes become equal numbers.
///
/// Subnormal sizes end below 1, but still above 2⁻⁵³.
#[inline]
pub(crate) fn towards_one(size: f64, band: i32) -> f64 {
    if is_outside(size, band) { to_one(size) } else { 1.0 }
}

/// The vector, times a power of two where it is so short that its length would be rounded among the subnormal
/// numbers: divided by such a length it would not become a unit vector. All others stay as they are.
#[inline]
pub(crate) fn lifted<V: Vector<Scalar = f64>>(v: V) -> V {
    let largest = v.max_abs();
    if largest < power_of_two(-900) { v * towards_one(largest, 900) } else { v }
}

/// A factor for coordinates of this size whose differences could overflow; 1 for all others.
#[inline]
pub(crate) fn shrinking(size: f64) -> f64 {
    if size < power_of_two(1000) { 1.0 } else { power_of_two(-10) }
}

/// A length of a problem that was multiplied by `factor`, at its own scale again. What is too short for the numbers
/// there becomes the shortest length, not zero: a gap stays a gap, at whichever scale it is looked at.
#[inline(always)]
pub(crate) fn length_back(length: f64, factor: f64) -> f64 {
    let own = length * (1.0 / factor);
    // All of `f32` has the factor 1, and the compiler knows it.
    if factor != 1.0 && own == 0.0 && length != 0.0 { SHORTEST.copysign(length) } else { own }
}

/// A bound on the errors of lengths that go through [`length_back`], which rounds among the subnormal numbers.
#[inline(always)]
pub(crate) fn error_back(error: f64, factor: f64) -> f64 {
    if factor == 1.0 { error } else { error * (1.0 / factor) + 2.0 * SHORTEST }
}

/// The smallest number above zero.
const SHORTEST: f64 = f64::from_bits(1);

#[inline]
fn is_outside(size: f64, band: i32) -> bool {
    size != 0.0 && size.is_finite() && !(power_of_two(-band)..=power_of_two(band)).contains(&size)
}

// Never inlined: most sizes are in their band, and a branch lets what follows begin before the size is known.
#[inline(never)]
fn to_one(size: f64) -> f64 {
    // The exponent field; subnormals have 0 there and are brought up by 2^1022, the largest factor
    // whose reciprocal is a normal number too.
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    power_of_two((-exponent).min(1022))
}

/// The largest of several sizes.
pub(crate) fn largest<const N: usize>(sizes: [f64; N]) -> f64 {
    sizes.into_iter().fold(0.0, Number::max_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_length_is_lost_on_the_way_back() {
        let factor = power_of_two(1022);
        assert_eq!((length_back(1e-30, factor), length_back(-1e-30, factor)), (SHORTEST, -SHORTEST));
        assert_eq!((length_back(0.0, factor), length_back(-0.75, factor)), (0.0, -0.75 / factor));
        assert_eq!((length_back(1e-320, 1.0), error_back(1e-320, 1.0)), (1e-320, 1e-320));
        for length in [1e-30, 0.3 * power_of_two(-52), 0.7, 1.0] {
            // In units of the shortest length: 2⁻¹⁰⁷⁴·2¹⁰²² = 2⁻⁵².
            let off = (length_back(length, factor) * factor - length).abs();
            assert!(off <= error_back(0.0, factor) * factor, "{length}");
        }
    }

    #[test]
    fn rescaled_sizes_are_near_one() {
        for size in [1e-300, 1e300, f64::MAX, f64::MIN_POSITIVE, 1e-60, 1e60] {
            let factor = rescaling(size).unwrap();
            assert!((1.0..2.0).contains(&(size * factor)), "{size} {factor}");
            assert_eq!(size * factor / factor, size);
        }
        for (size, band) in [(3.0, 0), (0.75, 0), (1.0, 0), (f64::MAX, 0), (2.0_f64.sqrt() * 1e10, 30)] {
            assert!((1.0..2.0).contains(&(size * towards_one(size, band))), "{size} {band}");
        }
        assert_eq!(towards_one(1e9, 30), 1.0);
        assert!(f64::from_bits(1) * rescaling(f64::from_bits(1)).unwrap() > 1e-30);
        for size in [0.0, 1.0, f64::from(f32::MAX), f64::from(f32::from_bits(1)), f64::INFINITY] {
            assert_eq!(rescaling(size), None, "{size}");
        }
    }
}
