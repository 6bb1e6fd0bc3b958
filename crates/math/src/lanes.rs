//! SIMD lanes: several scalars that go through one formula together.
//!
//! [`Lanes`] wraps a vector of `fearless_simd`, whose instruction set is chosen at run time, as a
//! [`Number`]. Each operation is the IEEE one on every lane and nothing is fused or estimated, so a
//! formula gives the same bits in a lane as it gives for a scalar, at any width.

use crate::{Number, Real};
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};
use fearless_simd::{Select, Simd, SimdFloat};

pub use fearless_simd::Level;

/// The lanes of the vector type `V` under the instruction set `S`.
///
/// # Example
/// ```
/// use carom_math::{Lanes, Level, Vec3, prelude_simd::*};
///
/// // Squared lengths of many vectors, as many at a time as the processor has lanes.
/// #[inline(always)]
/// fn squared_lengths<S: Simd>(simd: S, x: &[f32], y: &[f32], z: &[f32], out: &mut [f32]) {
///     let width = S::f32s::LEN;
///     for start in (0..x.len() / width * width).step_by(width) {
///         let row = start..start + width;
///         let load = |from: &[f32]| Lanes::<S, S::f32s>::load(simd, &from[row.clone()]);
///         let v = Vec3::new(load(x), load(y), load(z));
///         v.dot(v).store(&mut out[row]);
///     }
/// }
///
/// let (x, y, z) = ([1.0; 16], [2.0; 16], [2.0; 16]);
/// let mut out = [0.0; 16];
/// dispatch!(Level::new(), simd => squared_lengths(simd, &x, &y, &z, &mut out));
/// assert_eq!(out, [9.0; 16]);
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Lanes<S, V> {
    vector: V,
    set: PhantomData<S>,
}

impl<S: Simd, V: SimdFloat<S>> Lanes<S, V> {
    /// How many scalars go side by side.
    pub const WIDTH: usize = V::LEN;

    /// Wraps a vector.
    #[inline(always)]
    pub fn new(vector: V) -> Self {
        Lanes { vector, set: PhantomData }
    }
    /// Reads the first [`WIDTH`](Self::WIDTH) scalars of the slice; a shorter slice is filled up
    /// with its last scalar, an empty one with zero bits.
    #[inline(always)]
    pub fn load(simd: S, from: &[V::Element]) -> Self
    where
        V::Element: Default,
    {
        if let Some(row) = from.get(..V::LEN) {
            return Self::new(V::from_slice(simd, row));
        }
        let last = from.last().copied().unwrap_or_default();
        Self::new(V::from_fn(simd, |lane| from.get(lane).copied().unwrap_or(last)))
    }
    /// Writes the lanes to the slice; lanes beyond its end are dropped.
    #[inline(always)]
    pub fn store(self, to: &mut [V::Element]) {
        for (slot, value) in to.iter_mut().zip(self.vector.as_slice()) {
            *slot = *value;
        }
    }
    /// The vector inside.
    #[inline(always)]
    pub fn into_inner(self) -> V {
        self.vector
    }
}

macro_rules! lane_operator {
    ($($operator:ident $function:ident),+) => {
        $(
            impl<S: Simd, V: SimdFloat<S>> $operator for Lanes<S, V> {
                type Output = Self;
                #[inline(always)]
                fn $function(self, other: Self) -> Self {
                    Self::new($operator::$function(self.vector, other.vector))
                }
            }
        )+
    };
}

lane_operator!(Add add, Sub sub, Mul mul, Div div);

impl<S: Simd, V: SimdFloat<S>> Neg for Lanes<S, V> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.vector)
    }
}

impl<S: Simd, V: SimdFloat<S>> Number for Lanes<S, V>
where
    V::Element: Real,
{
    type Element = V::Element;
    type Mask = V::Mask;

    #[inline(always)]
    fn like(self, value: V::Element) -> Self {
        Self::new(V::splat(self.vector.token(), value))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::new(self.vector.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self::new(self.vector.abs())
    }
    #[inline(always)]
    fn less_than(self, other: Self) -> V::Mask {
        self.vector.simd_lt(other.vector)
    }
    #[inline(always)]
    fn less_or_equal(self, other: Self) -> V::Mask {
        self.vector.simd_le(other.vector)
    }
    #[inline(always)]
    fn select(mask: V::Mask, if_true: Self, if_false: Self) -> Self {
        Self::new(mask.select(if_true.vector, if_false.vector))
    }
}

/// `dispatch!(Level::baseline(), …)` for kernels of some tens of instructions: what every processor of the target has needs no
/// function of its own, and without one its numbers stay in registers.
///
/// # Example
/// ```
/// use carom_math::{Lanes, prelude_simd::*};
/// let mut twice = [0.0; 4];
/// at_baseline!(simd => {
///     let x = Lanes::<_, f32x4<_>>::load(simd, &[1.0, 2.0, 3.0, 4.0]);
///     (x + x).store(&mut twice);
/// });
/// assert_eq!(twice, [2.0, 4.0, 6.0, 8.0]);
/// ```
#[macro_export]
macro_rules! at_baseline {
    ($simd:ident => $op:expr) => {
        match $crate::Level::baseline() {
            #[cfg(target_arch = "x86_64")]
            $crate::Level::Sse2($simd) => $op,
            #[cfg(target_arch = "aarch64")]
            $crate::Level::Neon($simd) => $op,
            other => $crate::prelude_simd::dispatch!(other, $simd => $op),
        }
    };
}

/// What a SIMD kernel imports: the traits of `fearless_simd`, its `dispatch!` and [`at_baseline!`](crate::at_baseline).
pub mod prelude_simd {
    pub use crate::at_baseline;
    pub use fearless_simd::{Simd, SimdBase, SimdFloat, SimdMask, dispatch, f32x4, f32x8, u32x8};
}
