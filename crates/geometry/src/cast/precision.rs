//! Formulas that cancel, written once for two precisions.
//!
//! They run in `f64` first; only when the outcome is in doubt do they run again in [`Double`], with about
//! 106 bits. The casts bring all lengths near 1 beforehand, so nothing overflows or underflows there.

use carom_math::double::Double;
use carom_math::{Number, Vec3, Vector};

/// A number type that a formula can be evaluated in: `f64`, or [`Double`] when that is not enough.
pub(crate) trait Precision: Number<Element = f64, Mask = bool> {
    /// The same value.
    fn exact(value: f64) -> Self;
    /// a − b, without rounding where the type allows.
    fn difference(a: f64, b: f64) -> Self;
    /// The nearest `f64`.
    fn value(self) -> f64;
}

impl Precision for f64 {
    #[inline(always)]
    fn exact(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn difference(a: f64, b: f64) -> f64 {
        a - b
    }
    #[inline(always)]
    fn value(self) -> f64 {
        self
    }
}

impl Precision for Double {
    #[inline]
    fn exact(value: f64) -> Self {
        value.into()
    }
    #[inline]
    fn difference(a: f64, b: f64) -> Self {
        Double::difference(a, b)
    }
    #[inline]
    fn value(self) -> f64 {
        Double::value(self)
    }
}

/// The vector in space with the same components, a third one of zero added in the plane.
#[inline]
pub(crate) fn lift<P: Precision, V: Vector<Scalar = f64>>(v: V) -> Vec3<P> {
    between(V::ZERO, v)
}

/// The vector from one point to another, in space.
#[inline]
pub(crate) fn between<P: Precision, V: Vector<Scalar = f64>>(from: V, to: V) -> Vec3<P> {
    let component =
        |axis| if axis < V::DIM { P::difference(to.get(axis), from.get(axis)) } else { P::exact(0.0) };
    Vec3::new(component(0), component(1), component(2))
}
