//! The numbers that Carom computes with.
//!
//! [`Number`] is what a formula needs: the four operations, a square root, comparisons that give a
//! mask, and a select. Scalars and SIMD lanes both have it, so one formula over [`Vec3<T>`](crate::Vec3)
//! serves one pair or sixteen. [`Real`] adds what only a scalar can offer: an order, constants,
//! widening to `f64` and trigonometry.
//!
//! Everything here is an IEEE 754 basic operation or built from such, so that results are the same
//! bits on every target. The names differ from those of `std` (`min_of`, `sine_cosine`, …) on
//! purpose: an inherent method of `f64` would silently win over a trait method of the same name, and
//! `f64::min` may return either zero while `f64::sin` may return anything close.

use crate::trig;
use core::fmt::{Debug, Display};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// A scalar, or a row of scalars that are computed side by side.
///
/// # Example
/// ```
/// use carom_math::Number;
/// // One formula, usable for f32, f64 and SIMD lanes.
/// fn clamp_to_unit<T: Number>(x: T) -> T {
///     x.max_of(x.like(T::Element::default())).min_of(x.like(1.0.into()))
/// }
/// # use carom_math::Real;
/// assert_eq!(clamp_to_unit(3.0_f64), 1.0);
/// ```
pub trait Number:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The scalar in each lane.
    type Element: Real + From<f32>;
    /// One truth value for each lane.
    type Mask: Copy;

    /// A number of the same shape as `self` that holds `value` in every lane.
    ///
    /// Lanes cannot be made from nothing (they carry the proof that the processor has them), hence
    /// the receiver, whose value is ignored.
    #[must_use]
    fn like(self, value: Self::Element) -> Self;
    /// The square root, correctly rounded; NaN for negative numbers.
    #[must_use]
    fn sqrt(self) -> Self;
    /// The magnitude: clears the sign bit.
    #[must_use]
    fn abs(self) -> Self;
    /// Where `self < other`; false where either is NaN.
    fn less_than(self, other: Self) -> Self::Mask;
    /// Where `self <= other`; false where either is NaN.
    fn less_or_equal(self, other: Self) -> Self::Mask;
    /// `if_true` where the mask holds, `if_false` elsewhere.
    #[must_use]
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;

    /// The smaller number: `if self < other { self } else { other }`, so `other` wins for equal
    /// zeros of either sign and when a NaN is involved.
    #[must_use]
    #[inline(always)]
    fn min_of(self, other: Self) -> Self {
        Self::select(self.less_than(other), self, other)
    }

    /// The larger number: `if other < self { self } else { other }`, so `other` wins for equal
    /// zeros of either sign and when a NaN is involved.
    #[must_use]
    #[inline(always)]
    fn max_of(self, other: Self) -> Self {
        Self::select(other.less_than(self), self, other)
    }
}

/// `f32` or `f64`.
///
/// The trait is sealed: formulas rely on what it promises about rounding.
///
/// # Example
/// ```
/// use carom_math::Real;
/// fn half_turn<T: Real>() -> T {
///     T::PI
/// }
/// assert_eq!(half_turn::<f32>(), std::f32::consts::PI);
/// ```
pub trait Real:
    Number<Element = Self, Mask = bool>
    + PartialOrd
    + Display
    + Default
    + Into<f64>
    + From<f32>
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// ½.
    const HALF: Self;
    /// 2.
    const TWO: Self;
    /// π, rounded to nearest.
    const PI: Self;
    /// The distance from 1 to the next larger number.
    const EPSILON: Self;
    /// The largest finite number.
    const MAX: Self;
    /// +∞.
    const INFINITY: Self;
    /// The word that names the type in messages and streams: `f32` or `f64`.
    const NAME: &'static str;

    /// The same value in `f64`; exact.
    #[must_use]
    fn to_f64(self) -> f64;
    /// The nearest number of this type, ties to even; infinite when out of range.
    #[must_use]
    fn from_f64(value: f64) -> Self;
    /// The largest number of this type that is not above `value`: the lower end of a bound.
    #[must_use]
    fn from_f64_down(value: f64) -> Self;
    /// The smallest number of this type that is not below `value`: the upper end of a bound.
    #[must_use]
    fn from_f64_up(value: f64) -> Self;
    /// Neither infinite nor NaN.
    #[must_use]
    fn finite(self) -> bool;
    /// The next number towards +∞.
    #[must_use]
    fn step_up(self) -> Self;
    /// The next number towards −∞.
    #[must_use]
    fn step_down(self) -> Self;
    /// Sine and cosine of an angle in radians, within an ulp, the same bits on every target.
    #[must_use]
    fn sine_cosine(self) -> (Self, Self);
    /// The angle of the point (x = `other`, y = `self`), in [−π, π], with the IEEE conventions for zeros: −π where `self` is −0 and `other` negative.
    #[must_use]
    fn arc_tangent2(self, other: Self) -> Self;
    /// The angle in [0, π] whose cosine is `self`; NaN outside [−1, 1].
    #[must_use]
    fn arc_cosine(self) -> Self;

    /// `self` limited to [low, high]; `low` for NaN.
    #[must_use]
    #[inline(always)]
    fn clamp_to(self, low: Self, high: Self) -> Self {
        self.max_of(low).min_of(high)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

macro_rules! implement_scalar {
    ($real:ident, $integer:ident, $sine_cosine:path, $arc_tangent2:path, $arc_cosine:path) => {
        impl Number for $real {
            type Element = $real;
            type Mask = bool;
            #[inline(always)]
            fn like(self, value: $real) -> $real {
                value
            }
            #[inline(always)]
            fn sqrt(self) -> $real {
                $real::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> $real {
                $real::abs(self)
            }
            #[inline(always)]
            fn less_than(self, other: $real) -> bool {
                self < other
            }
            #[inline(always)]
            fn less_or_equal(self, other: $real) -> bool {
                self <= other
            }
            #[inline(always)]
            fn select(mask: bool, if_true: $real, if_false: $real) -> $real {
                if mask { if_true } else { if_false }
            }
        }

        impl Real for $real {
            const ZERO: $real = 0.0;
            const ONE: $real = 1.0;
            const HALF: $real = 0.5;
            const TWO: $real = 2.0;
            const PI: $real = core::$real::consts::PI;
            const EPSILON: $real = $real::EPSILON;
            const MAX: $real = $real::MAX;
            const INFINITY: $real = $real::INFINITY;
            const NAME: &'static str = stringify!($real);

            #[inline(always)]
            #[allow(clippy::unnecessary_cast, clippy::cast_lossless)] // one body for both types
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            #[allow(clippy::unnecessary_cast)] // one body for both types
            fn from_f64(value: f64) -> $real {
                value as $real
            }
            // Whether rounding went the wrong way is a coin toss, so it is added, not branched on. The
            // nearest number has the sign of the value, zeros too: its bits, as a whole number, grow
            // with the magnitude, and a step never crosses from one sign to the other.
            #[inline(always)]
            fn from_f64_down(value: f64) -> $real {
                let nearest = Self::from_f64(value);
                let step = $integer::from(value < nearest.to_f64())
                    * ((nearest.to_bits().cast_signed() >> ($integer::BITS - 1)) | 1);
                $real::from_bits(nearest.to_bits().wrapping_add_signed(-step))
            }
            #[inline(always)]
            fn from_f64_up(value: f64) -> $real {
                let nearest = Self::from_f64(value);
                let step = $integer::from(nearest.to_f64() < value)
                    * ((nearest.to_bits().cast_signed() >> ($integer::BITS - 1)) | 1);
                $real::from_bits(nearest.to_bits().wrapping_add_signed(step))
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn step_up(self) -> $real {
                self.next_up()
            }
            #[inline(always)]
            fn step_down(self) -> $real {
                self.next_down()
            }
            #[inline]
            fn sine_cosine(self) -> ($real, $real) {
                $sine_cosine(self)
            }
            #[inline]
            fn arc_tangent2(self, other: $real) -> $real {
                $arc_tangent2(self, other)
            }
            #[inline]
            fn arc_cosine(self) -> $real {
                $arc_cosine(self)
            }
        }
    };
}

implement_scalar!(f32, i32, trig::sin_cos_f32, trig::atan2_f32, trig::acos_f32);
implement_scalar!(f64, i64, trig::sin_cos_f64, trig::atan2_f64, trig::acos_f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_narrowing_encloses() {
        for value in [
            0.1,
            -0.1,
            1.0,
            1e300,
            -1e300,
            1e-300,
            -1e-300,
            1e-40,
            -1e-40,
            f64::MAX,
            f64::MIN,
            0.0,
            -0.0,
            16_777_217.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ] {
            let (low, high) = (f32::from_f64_down(value), f32::from_f64_up(value));
            assert!(low.to_f64() <= value && value <= high.to_f64(), "{low} {value} {high}");
            assert!(high == low || high == low.next_up());
        }
    }

    #[test]
    fn smaller_and_larger_are_total_about_zeros_and_nan() {
        assert_eq!((0.0_f64).min_of(-0.0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!((-0.0_f64).min_of(0.0).to_bits(), 0.0_f64.to_bits());
        assert_eq!(f64::NAN.min_of(1.0), 1.0);
        assert_eq!(f64::NAN.max_of(1.0), 1.0);
        assert_eq!(f64::NAN.clamp_to(0.0, 1.0), 0.0);
    }
}
