//! How many contacts are solved side by side: one, or as many as the processor has lanes.
//!
//! [`Wide`] is a [`Number`] that can be loaded from a row of a constraint block and gathered from the
//! states of scattered bodies. A state is made of quads of four numbers; four bodies are gathered with four
//! loads and a 4×4 transposition, wider rows by joining such groups. Every operation is the IEEE one on every
//! lane, and bodies of one colour are disjoint, so the width changes no bit of any result.

use carom_math::{Lanes, Level, Number};
use core::ops::{Add, Mul, Sub};
use fearless_simd::{Simd, SimdBase, SimdFrom, f32x4, f32x8, f32x16};

/// Four numbers that are loaded together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(16))]
pub(crate) struct Quad(pub(crate) [f32; 4]);

impl Add for Quad {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Quad(core::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Quad {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Quad(core::array::from_fn(|k| self.0[k] - other.0[k]))
    }
}

/// Number by number.
impl Mul for Quad {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Quad(core::array::from_fn(|k| self.0[k] * other.0[k]))
    }
}

/// A row of `WIDTH` numbers.
pub(crate) trait Wide: Number<Element = f32> {
    /// The proof that the processor has such rows.
    type Token: Copy;
    /// How many numbers go side by side.
    const WIDTH: usize;

    /// The same number in each lane.
    fn splat(token: Self::Token, value: f32) -> Self;
    /// The first `WIDTH` numbers.
    fn load(token: Self::Token, from: &[f32]) -> Self;
    /// Writes `WIDTH` numbers.
    fn store(self, to: &mut [f32]);
    /// Lane i of column k is number k of `row(i)`.
    fn gather(token: Self::Token, row: impl FnMut(usize) -> Quad) -> [Self; 4];
    /// The inverse: hands out row after row.
    fn scatter(token: Self::Token, columns: [Self; 4], row: impl FnMut(usize, Quad));
}

impl Wide for f32 {
    type Token = ();
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat((): (), value: f32) -> f32 {
        value
    }
    #[inline(always)]
    fn load((): (), from: &[f32]) -> f32 {
        from[0]
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        to[0] = self;
    }
    #[inline(always)]
    fn gather((): (), mut row: impl FnMut(usize) -> Quad) -> [f32; 4] {
        row(0).0
    }
    #[inline(always)]
    fn scatter((): (), columns: [f32; 4], mut row: impl FnMut(usize, Quad)) {
        row(0, Quad(columns));
    }
}

/// Rows become columns; its own inverse.
#[inline(always)]
fn transposed<S: Simd>(simd: S, [a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac, ac_high) = (simd.zip_low_f32x4(a, c), simd.zip_high_f32x4(a, c));
    let (bd, bd_high) = (simd.zip_low_f32x4(b, d), simd.zip_high_f32x4(b, d));
    [
        simd.zip_low_f32x4(ac, bd),
        simd.zip_high_f32x4(ac, bd),
        simd.zip_low_f32x4(ac_high, bd_high),
        simd.zip_high_f32x4(ac_high, bd_high),
    ]
}

/// The columns of the four rows from `first` on.
#[inline(always)]
fn gather_four<S: Simd>(simd: S, first: usize, row: &mut impl FnMut(usize) -> Quad) -> [f32x4<S>; 4] {
    let a = f32x4::simd_from(simd, row(first).0);
    let b = f32x4::simd_from(simd, row(first + 1).0);
    let c = f32x4::simd_from(simd, row(first + 2).0);
    let d = f32x4::simd_from(simd, row(first + 3).0);
    transposed(simd, [a, b, c, d])
}

#[inline(always)]
fn scatter_four<S: Simd>(simd: S, first: usize, columns: [f32x4<S>; 4], row: &mut impl FnMut(usize, Quad)) {
    let [a, b, c, d] = transposed(simd, columns);
    row(first, Quad(a.into()));
    row(first + 1, Quad(b.into()));
    row(first + 2, Quad(c.into()));
    row(first + 3, Quad(d.into()));
}

// No closure of the standard library may come between a kernel and its lanes: it would be compiled without
// the instruction set, and every operation in it would become a call. Hence the arrays written out.

/// What the three widths have in common.
macro_rules! wide {
    ($vector:ident, $width:literal, $gather:ident, $scatter:ident) => {
        impl<S: Simd> Wide for Lanes<S, $vector<S>> {
            type Token = S;
            const WIDTH: usize = $width;

            #[inline(always)]
            fn splat(token: S, value: f32) -> Self {
                Lanes::new($vector::splat(token, value))
            }
            #[inline(always)]
            fn load(token: S, from: &[f32]) -> Self {
                Lanes::new($vector::from_slice(token, &from[..$width]))
            }
            #[inline(always)]
            fn store(self, to: &mut [f32]) {
                to[..$width].copy_from_slice(self.into_inner().as_slice());
            }
            #[inline(always)]
            fn gather(token: S, mut row: impl FnMut(usize) -> Quad) -> [Self; 4] {
                let [a, b, c, d] = $gather(token, 0, &mut row);
                [Lanes::new(a), Lanes::new(b), Lanes::new(c), Lanes::new(d)]
            }
            #[inline(always)]
            fn scatter(token: S, [a, b, c, d]: [Self; 4], mut row: impl FnMut(usize, Quad)) {
                let columns = [a.into_inner(), b.into_inner(), c.into_inner(), d.into_inner()];
                $scatter(token, 0, columns, &mut row);
            }
        }
    };
}

wide!(f32x4, 4, gather_four, scatter_four);
wide!(f32x8, 8, gather_eight, scatter_eight);
wide!(f32x16, 16, gather_sixteen, scatter_sixteen);

/// Rows of twice the width from two halves.
macro_rules! twice {
    ($gather:ident, $scatter:ident, $vector:ident, $half:literal, $gather_half:ident, $scatter_half:ident,
     $combine:ident, $split:ident) => {
        #[inline(always)]
        fn $gather<S: Simd>(simd: S, first: usize, row: &mut impl FnMut(usize) -> Quad) -> [$vector<S>; 4] {
            let [a, b, c, d] = $gather_half(simd, first, row);
            let [e, f, g, h] = $gather_half(simd, first + $half, row);
            [simd.$combine(a, e), simd.$combine(b, f), simd.$combine(c, g), simd.$combine(d, h)]
        }

        #[inline(always)]
        fn $scatter<S: Simd>(
            simd: S,
            first: usize,
            [a, b, c, d]: [$vector<S>; 4],
            row: &mut impl FnMut(usize, Quad),
        ) {
            let (a, b, c, d) = (simd.$split(a), simd.$split(b), simd.$split(c), simd.$split(d));
            $scatter_half(simd, first, [a.0, b.0, c.0, d.0], row);
            $scatter_half(simd, first + $half, [a.1, b.1, c.1, d.1], row);
        }
    };
}

twice!(gather_eight, scatter_eight, f32x8, 4, gather_four, scatter_four, combine_f32x4, split_f32x8);

/// Four rows side by side.
#[inline(always)]
fn four_rows<S: Simd>(simd: S, first: usize, row: &mut impl FnMut(usize) -> Quad) -> f32x16<S> {
    let a = f32x4::simd_from(simd, row(first).0);
    let b = f32x4::simd_from(simd, row(first + 1).0);
    let c = f32x4::simd_from(simd, row(first + 2).0);
    let d = f32x4::simd_from(simd, row(first + 3).0);
    simd.combine_f32x8(simd.combine_f32x4(a, b), simd.combine_f32x4(c, d))
}

/// The columns of sixteen rows.
///
/// Number c of row r is at place 4r + c of the 64 numbers in the registers and belongs at 16c + r: the six bits of
/// the place are turned by two. Taking those at even places and then those at odd places turns them by one. Eight
/// shuffles, where four times four rows would take 32.
#[inline(always)]
fn gather_sixteen<S: Simd>(simd: S, first: usize, row: &mut impl FnMut(usize) -> Quad) -> [f32x16<S>; 4] {
    let (a, b) = (four_rows(simd, first, row), four_rows(simd, first + 4, row));
    let (c, d) = (four_rows(simd, first + 8, row), four_rows(simd, first + 12, row));
    let (even, even_high) = (simd.unzip_low_f32x16(a, b), simd.unzip_low_f32x16(c, d));
    let (odd, odd_high) = (simd.unzip_high_f32x16(a, b), simd.unzip_high_f32x16(c, d));
    [
        simd.unzip_low_f32x16(even, even_high),
        simd.unzip_low_f32x16(odd, odd_high),
        simd.unzip_high_f32x16(even, even_high),
        simd.unzip_high_f32x16(odd, odd_high),
    ]
}

/// Hands out four rows that are side by side.
#[inline(always)]
fn hand_out_four<S: Simd>(simd: S, first: usize, rows: f32x16<S>, row: &mut impl FnMut(usize, Quad)) {
    let (low, high) = simd.split_f32x16(rows);
    let ((a, b), (c, d)) = (simd.split_f32x8(low), simd.split_f32x8(high));
    row(first, Quad(a.into()));
    row(first + 1, Quad(b.into()));
    row(first + 2, Quad(c.into()));
    row(first + 3, Quad(d.into()));
}

/// The inverse of [`gather_sixteen`].
#[inline(always)]
fn scatter_sixteen<S: Simd>(
    simd: S,
    first: usize,
    [a, b, c, d]: [f32x16<S>; 4],
    row: &mut impl FnMut(usize, Quad),
) {
    let (even, even_high) = (simd.zip_low_f32x16(a, c), simd.zip_high_f32x16(a, c));
    let (odd, odd_high) = (simd.zip_low_f32x16(b, d), simd.zip_high_f32x16(b, d));
    hand_out_four(simd, first, simd.zip_low_f32x16(even, odd), row);
    hand_out_four(simd, first + 4, simd.zip_high_f32x16(even, odd), row);
    hand_out_four(simd, first + 8, simd.zip_low_f32x16(even_high, odd_high), row);
    hand_out_four(simd, first + 12, simd.zip_high_f32x16(even_high, odd_high), row);
}

/// Which width a world solves its contacts with. It changes the speed and no bit of any result.
///
/// # Example
/// ```
/// use carom_dynamics::d2::World;
/// use carom_dynamics::Width;
/// let mut world = World::new();
/// world.set_width(Width::Scalar);
/// assert_eq!(world.width().lanes(), 1);
/// assert!(Width::widest().lanes() >= Width::Four.lanes());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Width {
    /// One contact at a time, plain scalar code.
    Scalar,
    /// Four at a time: 128-bit registers, which all processors have.
    Four,
    /// Eight at a time: 256-bit registers.
    Eight,
    /// Sixteen at a time: 512-bit registers.
    Sixteen,
}

impl Width {
    /// The widest that this processor has.
    #[must_use]
    pub fn widest() -> Self {
        match level_lanes(Level::new()) {
            16 => Width::Sixteen,
            8 => Width::Eight,
            _ => Width::Four,
        }
    }
    /// The same, or the widest that this processor has if it lacks such registers.
    #[must_use]
    pub fn available(self) -> Self {
        self.min(Width::widest())
    }
    /// How many contacts go side by side.
    #[must_use]
    pub fn lanes(self) -> usize {
        match self {
            Width::Scalar => 1,
            Width::Four => 4,
            Width::Eight => 8,
            Width::Sixteen => 16,
        }
    }
}

/// The native width of a level.
fn level_lanes(level: Level) -> usize {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if level.as_avx512().is_some() {
            return 16;
        }
        if level.as_avx2().is_some() {
            return 8;
        }
    }
    let _ = level;
    4
}

/// Something to do over rows of one width.
pub(crate) trait WideTask {
    /// Does it. Must be inlined, so that it is compiled for the instruction set of the token.
    fn run<T: Wide>(self, token: T::Token);
}

/// Does the task with the width, or with four lanes if the processor lacks it.
#[inline]
pub(crate) fn dispatch(width: Width, task: impl WideTask) {
    if width == Width::Scalar {
        return task.run::<f32>(());
    }
    let level = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if width == Width::Sixteen
            && let Some(token) = level.as_avx512()
        {
            return token.vectorize(
                #[inline(always)]
                || task.run::<Lanes<_, f32x16<_>>>(token),
            );
        }
        if width == Width::Eight
            && let Some(token) = level.as_avx2()
        {
            return token.vectorize(
                #[inline(always)]
                || task.run::<Lanes<_, f32x8<_>>>(token),
            );
        }
        if let Some(token) = level.as_sse2() {
            return token.vectorize(
                #[inline(always)]
                || task.run::<Lanes<_, f32x4<_>>>(token),
            );
        }
        task.run::<f32>(());
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    fearless_simd::dispatch!(level, simd => task.run::<Lanes<_, f32x4<_>>>(simd));
}
