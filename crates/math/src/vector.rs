//! What 2D and 3D vectors have in common, for code that is written once for both dimensions.

use crate::{Number, Real, Vec2, Vec3, power_of_two};
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A vector of scalars in the plane or in space: [`Vec2`] or [`Vec3`] over `f32` or `f64`.
///
/// Boxes, balls, lines, trees and fits are written over this trait. The trait is sealed.
///
/// # Example
/// ```
/// use carom_math::{Real, Vec2, Vec3, Vector};
/// fn middle<V: Vector>(a: V, b: V) -> V {
///     a + (b - a) * V::Scalar::HALF
/// }
/// assert_eq!(middle(Vec2::new(0.0, 0.0), Vec2::new(2.0, 4.0)), Vec2::new(1.0, 2.0));
/// assert_eq!(middle(Vec3::new(0.0_f32, 0.0, 0.0), Vec3::new(2.0, 4.0, 6.0)), Vec3::new(1.0, 2.0, 3.0));
/// ```
pub trait Vector:
    Copy
    + PartialEq
    + Debug
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + AddAssign
    + SubAssign
    + Neg<Output = Self>
    + Mul<Self::Scalar, Output = Self>
    + Div<Self::Scalar, Output = Self>
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// The number type of a component.
    type Scalar: Real;
    /// The vector of the same dimension in `f64`.
    type Wide: Vector<Scalar = f64, Wide = Self::Wide>;
    /// One thing for each axis: an array of two or three.
    type Axes<T: Copy + Debug + Send + Sync>: Copy + Debug + Send + Sync + AsRef<[T]> + AsMut<[T]>;
    /// 2 or 3.
    const DIM: usize;
    /// The zero vector.
    const ZERO: Self;

    /// The vector with component `axis` given by `component(axis)`, for axis = 0, 1 (, 2) in order.
    fn from_fn(component: impl FnMut(usize) -> Self::Scalar) -> Self;
    /// What `thing(axis)` gives for axis = 0, 1 (, 2) in order.
    fn axes<T: Copy + Debug + Send + Sync>(thing: impl FnMut(usize) -> T) -> Self::Axes<T>;
    /// The component along `axis`; the last one for any `axis` beyond.
    #[must_use]
    fn get(self, axis: usize) -> Self::Scalar;
    /// Σ aᵢ·bᵢ, summed in the order of the axes.
    #[must_use]
    fn dot(self, other: Self) -> Self::Scalar;
    /// The same vector in `f64`; exact.
    #[must_use]
    fn widen(self) -> Self::Wide;
    /// The nearest vector of this type.
    #[must_use]
    fn narrow(wide: Self::Wide) -> Self;

    /// The vector with the same number in every component.
    #[must_use]
    #[inline(always)]
    fn splat(value: Self::Scalar) -> Self {
        Self::from_fn(|_| value)
    }
    /// The unit vector along `axis`.
    #[must_use]
    #[inline(always)]
    fn unit(axis: usize) -> Self {
        Self::from_fn(|i| if i == axis { Self::Scalar::ONE } else { Self::Scalar::ZERO })
    }
    /// `self` with component `axis` replaced by `value`.
    #[must_use]
    #[inline(always)]
    fn with(self, axis: usize, value: Self::Scalar) -> Self {
        Self::from_fn(|i| if i == axis { value } else { self.get(i) })
    }
    /// Component by component.
    #[must_use]
    #[inline(always)]
    fn map(self, mut f: impl FnMut(Self::Scalar) -> Self::Scalar) -> Self {
        Self::from_fn(|i| f(self.get(i)))
    }
    /// Component by component with another vector.
    #[must_use]
    #[inline(always)]
    fn zip(self, other: Self, mut f: impl FnMut(Self::Scalar, Self::Scalar) -> Self::Scalar) -> Self {
        Self::from_fn(|i| f(self.get(i), other.get(i)))
    }
    /// The componentwise smaller vector (see [`Number::min_of`]).
    #[must_use]
    #[inline(always)]
    fn min_by_axis(self, other: Self) -> Self {
        self.zip(other, Number::min_of)
    }
    /// The componentwise larger vector (see [`Number::max_of`]).
    #[must_use]
    #[inline(always)]
    fn max_by_axis(self, other: Self) -> Self {
        self.zip(other, Number::max_of)
    }
    /// The componentwise magnitude.
    #[must_use]
    #[inline(always)]
    fn abs_by_axis(self) -> Self {
        self.map(Number::abs)
    }
    /// The largest magnitude of a component; NaN components are passed over.
    #[must_use]
    #[inline(always)]
    fn max_abs(self) -> Self::Scalar {
        let mut largest = Self::Scalar::ZERO;
        for axis in 0..Self::DIM {
            largest = self.get(axis).abs().max_of(largest);
        }
        largest
    }
    /// Σ |aᵢ|: between the largest magnitude of a component and three times that, without a comparison.
    #[must_use]
    #[inline(always)]
    fn sum_of_magnitudes(self) -> Self::Scalar {
        let mut sum = self.get(0).abs() + self.get(1).abs();
        for axis in 2..Self::DIM {
            sum = sum + self.get(axis).abs();
        }
        sum
    }
    /// All components are finite.
    #[must_use]
    #[inline(always)]
    fn finite(self) -> bool {
        // A finite number times zero is a zero, anything else times zero is NaN: no branches.
        let zero = Self::Scalar::ZERO;
        (0..Self::DIM).fold(true, |finite, axis| finite & (self.get(axis) * zero == zero))
    }
    /// The square of the length. Overflows and underflows with the square.
    #[must_use]
    #[inline(always)]
    fn length_squared(self) -> Self::Scalar {
        self.dot(self)
    }
    /// The length, accurate to a few ulp for every finite vector: no overflow or underflow inside.
    #[must_use]
    #[inline]
    fn length(self) -> Self::Scalar {
        Self::Scalar::from_f64(length_of_wide(self.widen()))
    }
    /// The unit vector of the same direction, or `None` for the zero vector and non-finite ones.
    /// Scaling `self` by a power of two does not change a bit of the answer.
    #[must_use]
    #[inline]
    fn normalized(self) -> Option<Self> {
        normalize_wide(self.widen()).map(Self::narrow)
    }
}

/// Exponents between which squares and their sums neither overflow nor lose bits to underflow.
const SAFE: core::ops::RangeInclusive<f64> = 1e-140..=1e140;

/// 2^±600: brings a number outside of [`SAFE`] towards 1 without rounding it. Not all the way to 1, so that
/// much smaller components of the same vector keep their bits too.
const fn towards_one(magnitude: f64) -> f64 {
    if magnitude < 1.0 { power_of_two(600) } else { power_of_two(-600) }
}

/// The numbers, multiplied by a power of two when their squares would overflow or underflow.
pub(crate) fn in_safe_range<const N: usize>(numbers: [f64; N], largest: f64) -> [f64; N] {
    if SAFE.contains(&largest) { numbers } else { numbers.map(|x| x * towards_one(largest)) }
}

/// Squares of vectors whose components are within [`SAFE`]; what is just outside goes the long way.
const SAFE_SQUARE: core::ops::RangeInclusive<f64> = 1e-279..=1e279;

#[inline(always)]
fn length_of_wide<V: Vector<Scalar = f64>>(v: V) -> f64 {
    let squared = v.length_squared();
    if SAFE_SQUARE.contains(&squared) { squared.sqrt() } else { length_of_extreme(v) }
}

#[cold]
fn length_of_extreme<V: Vector<Scalar = f64>>(v: V) -> f64 {
    let magnitude = v.max_abs();
    if SAFE.contains(&magnitude) || magnitude == 0.0 {
        return v.length_squared().sqrt();
    }
    let factor = towards_one(magnitude);
    (v * factor).length_squared().sqrt() / factor
}

#[inline(always)]
fn normalize_wide<V: Vector<Scalar = f64>>(v: V) -> Option<V> {
    let squared = v.length_squared();
    if SAFE_SQUARE.contains(&squared) { Some(v / squared.sqrt()) } else { normalize_extreme(v) }
}

#[cold]
fn normalize_extreme<V: Vector<Scalar = f64>>(v: V) -> Option<V> {
    let magnitude = v.max_abs();
    if magnitude == 0.0 || !v.finite() {
        return None;
    }
    // Powers of two commute with every rounding below, so both paths give the same bits.
    let scaled = if SAFE.contains(&magnitude) { v } else { v * towards_one(magnitude) };
    Some(scaled / scaled.length_squared().sqrt())
}

mod sealed {
    use crate::{Real, Vec2, Vec3};
    pub trait Sealed {}
    impl<T: Real> Sealed for Vec2<T> {}
    impl<T: Real> Sealed for Vec3<T> {}
}

impl<T: Real> Vector for Vec2<T> {
    type Scalar = T;
    type Wide = Vec2<f64>;
    type Axes<U: Copy + Debug + Send + Sync> = [U; 2];
    const DIM: usize = 2;
    const ZERO: Self = Vec2 { x: T::ZERO, y: T::ZERO };

    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> T) -> Self {
        let x = component(0);
        Vec2 { x, y: component(1) }
    }
    #[inline(always)]
    fn axes<U: Copy + Debug + Send + Sync>(mut thing: impl FnMut(usize) -> U) -> [U; 2] {
        [thing(0), thing(1)]
    }
    #[inline(always)]
    fn get(self, axis: usize) -> T {
        if axis == 0 { self.x } else { self.y }
    }
    #[inline(always)]
    fn dot(self, other: Self) -> T {
        Vec2::dot(self, other)
    }
    #[inline(always)]
    fn widen(self) -> Vec2<f64> {
        Vec2::new(self.x.to_f64(), self.y.to_f64())
    }
    #[inline(always)]
    fn narrow(wide: Vec2<f64>) -> Self {
        Vec2::new(T::from_f64(wide.x), T::from_f64(wide.y))
    }
}

impl<T: Real> Vector for Vec3<T> {
    type Scalar = T;
    type Wide = Vec3<f64>;
    type Axes<U: Copy + Debug + Send + Sync> = [U; 3];
    const DIM: usize = 3;
    const ZERO: Self = Vec3 { x: T::ZERO, y: T::ZERO, z: T::ZERO };

    #[inline(always)]
    fn from_fn(mut component: impl FnMut(usize) -> T) -> Self {
        let x = component(0);
        let y = component(1);
        Vec3 { x, y, z: component(2) }
    }
    #[inline(always)]
    fn axes<U: Copy + Debug + Send + Sync>(mut thing: impl FnMut(usize) -> U) -> [U; 3] {
        [thing(0), thing(1), thing(2)]
    }
    #[inline(always)]
    fn get(self, axis: usize) -> T {
        match axis {
            0 => self.x,
            1 => self.y,
            _ => self.z,
        }
    }
    #[inline(always)]
    fn dot(self, other: Self) -> T {
        Vec3::dot(self, other)
    }
    #[inline(always)]
    fn widen(self) -> Vec3<f64> {
        Vec3::new(self.x.to_f64(), self.y.to_f64(), self.z.to_f64())
    }
    #[inline(always)]
    fn narrow(wide: Vec3<f64>) -> Self {
        Vec3::new(T::from_f64(wide.x), T::from_f64(wide.y), T::from_f64(wide.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizing_is_blind_to_powers_of_two() {
        let v = Vec3::new(3.0, -7.0, 0.1);
        let unit = v.normalized();
        for exponent in [-1060, -700, -300, -40, 0, 40, 300, 700, 1020] {
            let factor = power_of_two(exponent / 2);
            let scaled = (v * factor) * power_of_two(exponent - exponent / 2);
            if exponent > -1000 {
                assert_eq!(scaled.normalized(), unit, "2^{exponent}");
            }
            assert!((Vector::length(scaled.normalized().unwrap()) - 1.0).abs() < 4e-16);
        }
        assert_eq!(Vec3::<f64>::ZERO.normalized(), None);
        assert_eq!(Vec3::new(f64::NAN, 1.0, 0.0).normalized(), None);
        assert_eq!(Vec2::new(f64::INFINITY, 1.0).normalized(), None);
        let tiny = Vec2::new(f64::from_bits(3), f64::from_bits(4)).normalized().unwrap();
        assert_eq!((tiny.x, tiny.y), (0.6, 0.8));
        assert_eq!(Vector::length(Vec2::new(3e300, 4e300)), 5e300);
    }
}
