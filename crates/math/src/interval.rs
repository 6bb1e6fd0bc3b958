//! Closed ranges of the number line.

use crate::Real;
use core::ops::{Add, Mul, Neg, Sub};

/// The numbers from `min` to `max`, both included; empty when `max < min`.
///
/// Comparisons (`overlaps`, `contains`, …) are exact. The operators `+ − ×` are outward rounded:
/// whatever real numbers are chosen from the operands, the exact result lies in the answer. That
/// makes an interval a proof. Operators on an empty interval have no meaning.
///
/// # Example
/// ```
/// use carom_math::Interval;
/// let a = Interval::new(0.0, 2.0);
/// let b = Interval::new(2.0, 3.0);
/// assert!(a.overlaps(b)); // touching counts
/// assert_eq!(a.intersection(b), Interval::point(2.0));
/// let third = Interval::point(0.1) + Interval::point(0.2);
/// assert!(third.min <= 0.3 && 0.3 <= third.max);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval<T> {
    /// The lower end.
    pub min: T,
    /// The upper end.
    pub max: T,
}

impl<T: Real> Interval<T> {
    /// The interval that contains nothing and leaves every interval unchanged when merged with it.
    #[must_use]
    pub fn empty() -> Self {
        Interval { min: T::INFINITY, max: -T::INFINITY }
    }
    /// The interval between two ends.
    #[must_use]
    #[inline(always)]
    pub fn new(min: T, max: T) -> Self {
        Interval { min, max }
    }
    /// The interval that holds one number.
    #[must_use]
    pub fn point(value: T) -> Self {
        Interval { min: value, max: value }
    }
    /// Holds no number. An interval with a NaN end counts as empty.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::neg_cmp_op_on_partial_ord)] // NaN ends count as empty
    pub fn is_empty(self) -> bool {
        !(self.min <= self.max)
    }
    /// Whether some number lies in both; touching ends count.
    ///
    /// ```text
    /// a.min <= b.max and b.min <= a.max
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn overlaps(self, other: Self) -> bool {
        !self.is_empty() && !other.is_empty() && self.min <= other.max && other.min <= self.max
    }
    /// Whether the number lies inside or on an end.
    #[must_use]
    #[inline(always)]
    pub fn contains(self, value: T) -> bool {
        self.min <= value && value <= self.max
    }
    /// Whether every number of `other` lies in `self`; the empty interval lies in every one.
    #[must_use]
    pub fn contains_interval(self, other: Self) -> bool {
        other.is_empty() || (self.min <= other.min && other.max <= self.max)
    }
    /// The smallest interval that contains both.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Interval { min: other.min.min_of(self.min), max: other.max.max_of(self.max) }
    }
    /// The smallest interval that contains this one and a number.
    #[must_use]
    pub fn merged_with(self, value: T) -> Self {
        self.merged(Self::point(value))
    }
    /// The numbers that lie in both; empty when none does.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Interval { min: other.min.max_of(self.min), max: other.max.min_of(self.max) }
    }
    /// The length of the common part: 0 when they merely touch or are apart.
    #[must_use]
    pub fn overlap_length(self, other: Self) -> T {
        let common = self.intersection(other);
        if common.is_empty() { T::ZERO } else { common.max - common.min }
    }
    /// The closest number of the interval: `value` pushed inside.
    #[must_use]
    pub fn clamp(self, value: T) -> T {
        value.clamp_to(self.min, self.max)
    }
    /// max − min.
    #[must_use]
    pub fn length(self) -> T {
        self.max - self.min
    }
    /// The number half way between the ends, rounded, and never beyond them; does not overflow. Of an empty interval it
    /// has no meaning.
    #[must_use]
    pub fn center(self) -> T {
        let center = self.min * T::HALF + self.max * T::HALF;
        // Half of a subnormal number is rounded, and both halves perhaps to the same side: beyond both ends.
        if center < self.min && center < self.max {
            self.min
        } else if self.min < center && self.max < center {
            self.max
        } else {
            center
        }
    }
    /// Both ends are finite.
    #[must_use]
    pub fn finite(self) -> bool {
        self.min.finite() && self.max.finite()
    }
}

impl<T: Real> Add for Interval<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Interval { min: (self.min + other.min).step_down(), max: (self.max + other.max).step_up() }
    }
}

impl<T: Real> Sub for Interval<T> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<T: Real> Neg for Interval<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Interval { min: -self.max, max: -self.min }
    }
}

impl<T: Real> Mul for Interval<T> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let products =
            [self.min * other.min, self.min * other.max, self.max * other.min, self.max * other.max];
        let [first, rest @ ..] = products;
        let (min, max) =
            rest.into_iter().fold((first, first), |(low, high), p| (p.min_of(low), p.max_of(high)));
        Interval { min: min.step_down(), max: max.step_up() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_neutral_and_overlaps_nothing() {
        let some = Interval::new(-1.0, 2.0);
        let empty = Interval::empty();
        assert_eq!(empty.merged(some), some);
        assert!(!empty.overlaps(some) && !some.overlaps(empty) && !empty.overlaps(empty));
        assert!(some.contains_interval(empty) && !empty.contains(0.0));
        assert_eq!(some.overlap_length(empty), 0.0);
        assert!(Interval::new(f64::NAN, 1.0).is_empty());
    }

    #[test]
    fn order_of_nested_and_touching() {
        let outer = Interval::new(0.0_f32, 10.0);
        assert!(outer.contains_interval(Interval::new(0.0, 10.0)));
        assert!(!outer.contains_interval(Interval::new(0.0, 10.0_f32.next_up())));
        assert!(!outer.overlaps(Interval::new(10.0_f32.next_up(), 11.0)));
        assert_eq!(Interval::new(f32::MAX, f32::MAX).center(), f32::MAX);
    }

    #[test]
    fn centers_lie_between_the_ends_also_of_the_smallest_numbers() {
        for low in -8_i32..8 {
            for high in low..8 {
                // Multiples of the smallest number.
                let [min, max] = [low, high].map(|k| f64::from(k) * f64::from_bits(1));
                let center = Interval::new(min, max).center();
                assert!(min <= center && center <= max, "{low} {high} {center:e}");
                let [min, max] = [low, high].map(|k| k as f32 * f32::from_bits(1));
                let center = Interval::new(min, max).center();
                assert!(min <= center && center <= max, "{low} {high} {center:e}");
            }
        }
        // Infinite ends have the middle that they had.
        assert_eq!(Interval::new(0.0, f64::INFINITY).center(), f64::INFINITY);
        assert!(Interval::new(f64::NEG_INFINITY, f64::INFINITY).center().is_nan());
    }
}
