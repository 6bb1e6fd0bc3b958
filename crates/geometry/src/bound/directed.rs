//! Sums, products and dot products with directed rounding, exact where the result is representable.
//!
//! IEEE arithmetic rounds to nearest, but the rounding error of a sum or a product is itself a
//! floating-point number that can be computed ([`carom_math::double`]). Its sign tells on which side
//! of the exact result the rounded one lies; a step of one ulp is taken only when it is the wrong
//! side. So a bound stays exact on lattice coordinates and is at most one ulp wide elsewhere.
//!
//! Scaling all operands by a power of two scales every result exactly, short of underflow.

use carom_math::double::{sum_error, two_product};
use carom_math::{Interval, Number, Real, Vector};

/// The largest number that is not above a + b.
///
/// A finite sum that overflows upwards is rounded down to the largest finite number.
#[inline]
pub(crate) fn sum_down<T: Real>(a: T, b: T) -> T {
    let sum = a + b;
    if !sum.finite() {
        let overflow = a.finite() && b.finite() && T::ZERO < sum;
        return if overflow { T::MAX } else { sum };
    }
    // The sign of the tail is a coin toss, so the step is made in any case: a choice between two numbers
    // takes no branch. A tail that is NaN (an overflow inside) takes the step too.
    let stepped = sum.step_down();
    if T::ZERO <= sum_error(a, b, sum) { sum } else { stepped }
}

/// The smallest number that is not below a + b.
#[inline]
pub(crate) fn sum_up<T: Real>(a: T, b: T) -> T {
    -sum_down(-a, -b)
}

/// [`sum_up`] of eight numbers and one, at once and without branches; `None` when a sum is tiny, zero, or nearly
/// beyond the numbers.
///
/// The next number is what is had by adding more than half a step and less than one and a half of it: rounding does
/// the rest (Rump and others 2009, "Computing predecessor and successor in rounding to nearest").
#[inline(always)]
pub(crate) fn sums_up<T: Real>(numbers: [T; 8], other: T) -> Option<[T; 8]> {
    let step = T::EPSILON * T::HALF * (T::ONE + T::EPSILON);
    let (least, most) = (T::TWO / (T::MAX * T::EPSILON), T::MAX * T::HALF);
    let mut sums = numbers;
    let mut sizes = numbers;
    for k in 0..8 {
        let sum = numbers[k] + other;
        let size = sum.abs();
        let error = sum_error(numbers[k], other, sum);
        sizes[k] = size;
        sums[k] = sum + T::select(T::ZERO.less_than(error), size * step, T::ZERO);
    }
    // Halving, for lanes.
    let (mut smallest, mut largest) = ([T::ONE; 4], [T::ONE; 4]);
    for k in 0..4 {
        (smallest[k], largest[k]) = (sizes[k].min_of(sizes[k + 4]), sizes[k].max_of(sizes[k + 4]));
    }
    let smallest = smallest[0].min_of(smallest[2]).min_of(smallest[1].min_of(smallest[3]));
    let largest = largest[0].max_of(largest[2]).max_of(largest[1].max_of(largest[3]));
    ((least < smallest) & (largest < most)).then_some(sums)
}

/// The number with its exponent replaced, so that its magnitude lies in [1, 2). Not for zero.
#[inline]
fn mantissa(x: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    const SIGN: u64 = 1 << 63;
    // Subnormal numbers are made normal first, without rounding.
    let normal = if x.abs() < f64::MIN_POSITIVE { x * carom_math::power_of_two(54) } else { x };
    f64::from_bits((normal.to_bits() & (FRACTION | SIGN)) | (1023 << 52))
}

/// The largest number that is not above a·b.
#[inline]
pub(crate) fn product_down(a: f64, b: f64) -> f64 {
    let product = a * b;
    let exact = |x: f64| x == 0.0 || x.abs() == 1.0 || !x.is_finite();
    if exact(a) || exact(b) {
        return product;
    }
    if product == f64::INFINITY {
        return f64::MAX;
    }
    if product.abs() < f64::MIN_POSITIVE * 2.0 {
        // Underflow: the error is not representable. Zero is a lower bound for positive products.
        return if product.is_sign_positive() && product == 0.0 { 0.0 } else { product.step_down() };
    }
    // Powers of two do not touch the tail's sign, and mantissas neither overflow nor underflow.
    let (a, b) = (mantissa(a), mantissa(b));
    if 0.0 <= two_product(a, b).low { product } else { product.step_down() }
}

/// The smallest number that is not below a·b.
#[inline]
pub(crate) fn product_up(a: f64, b: f64) -> f64 {
    -product_down(-a, b)
}

/// The smallest number whose square is not below x; 0 for x <= 0.
pub(crate) fn root_up(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let root = x.sqrt();
    // The correctly rounded root is off by less than an ulp.
    if product_down(root, root) < x { root.step_up() } else { root }
}

/// All values of a sum of two numbers from two ranges.
#[inline]
pub(crate) fn add(a: Interval<f64>, b: Interval<f64>) -> Interval<f64> {
    Interval::new(sum_down(a.min, b.min), sum_up(a.max, b.max))
}

/// All values of a product of a number and one from a range.
#[inline]
pub(crate) fn times(factor: f64, range: Interval<f64>) -> Interval<f64> {
    // An exact zero annihilates, infinite ends included.
    if factor == 0.0 {
        return Interval::point(0.0);
    }
    let (from, to) = if factor < 0.0 { (range.max, range.min) } else { (range.min, range.max) };
    Interval::new(product_down(factor, from), product_up(factor, to))
}

/// A range that holds the exact axis·(point − center).
#[inline]
pub(crate) fn dot_of_difference<V: Vector<Scalar = f64>>(axis: V, point: V, center: V) -> Interval<f64> {
    let mut sum = Interval::point(0.0);
    for k in 0..V::DIM {
        let (p, c) = (point.get(k), -center.get(k));
        let difference = Interval::new(sum_down(p, c), sum_up(p, c));
        sum = add(sum, times(axis.get(k), difference));
    }
    sum
}

/// The larger magnitude of the two ends.
#[inline]
pub(crate) fn magnitude(range: Interval<f64>) -> f64 {
    range.max.max_of(-range.min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, coordinate, power_of_two};
    use carom_oracle::rational::{exact, f64_above, f64_below};

    #[test]
    fn directed_operations_are_the_tightest() {
        let mut rng = Rng::new(11);
        for round in 0..20_000 {
            let scale = if round % 3 == 0 { power_of_two(rng.between(-480, 480)) } else { 1.0 };
            let (a, b) = (coordinate(&mut rng) * scale, coordinate(&mut rng) * scale);
            let sum = exact(a) + exact(b);
            assert_eq!(sum_down(a, b), f64_below(&sum), "{a} + {b}");
            assert_eq!(sum_up(a, b), f64_above(&sum), "{a} + {b}");
            if let Some(sums) = sums_up([a; 8], b) {
                assert_eq!(sums, [f64_above(&sum); 8], "{a} + {b}");
            }
            let product = exact(a) * exact(b);
            let (low, high) = (product_down(a, b), product_up(a, b));
            if (a * b).abs() < 2.0 * f64::MIN_POSITIVE {
                // Where the error itself underflows, a step too many is allowed.
                assert!(exact(low) <= product && product <= exact(high), "{a} · {b}");
            } else {
                assert_eq!((low, high), (f64_below(&product), f64_above(&product)), "{a} · {b}");
            }
            let root = root_up(a.abs());
            assert!(exact(a.abs()) <= exact(root) * exact(root), "root of {a}");
            let before = root.step_down();
            let tightest = exact(before) * exact(before) < exact(a.abs());
            assert!(tightest || a.abs() < 2.0 * f64::MIN_POSITIVE, "root of {a}");
        }
    }

    #[test]
    fn extremes_stay_on_their_side() {
        assert_eq!(sum_down(f64::MAX, f64::MAX), f64::MAX);
        assert_eq!(sum_up(f64::MAX, f64::MAX), f64::INFINITY);
        assert_eq!(product_down(1e-200, 1e-200), 0.0);
        assert_eq!(product_up(1e-200, 1e-200), f64::from_bits(1));
        assert_eq!(product_down(1e-200, -1e-200), -f64::from_bits(1));
        assert_eq!(product_down(1e300, 1e300), f64::MAX);
        assert_eq!(times(0.0, Interval::new(f64::NEG_INFINITY, f64::INFINITY)), Interval::point(0.0));
        let tiny = f64::from_bits(3);
        assert_eq!(product_up(tiny, 1.0 + f64::EPSILON).to_bits(), 4);
    }
}
