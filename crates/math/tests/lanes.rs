//! A formula gives the same bits for a scalar and in a lane, for every instruction set at hand.

use carom_math::prelude_simd::{Simd, SimdBase, dispatch};
use carom_math::{Lanes, Level, Mat3, Number, Vec3};

const COUNT: usize = 1024;

/// A formula with every operation that [`Number`] has, products and sums that a compiler could fuse,
/// and a select.
#[inline(always)]
fn formula<T: Number>(a: Vec3<T>, b: Vec3<T>) -> T {
    let cross = a.cross(b);
    let length = cross.dot(cross).sqrt();
    let matrix = Mat3 { columns: [a, b, cross] };
    let mixed = (matrix * a - matrix.transposed() * b).dot(cross) / length;
    let half = length.like(0.5_f32.into());
    T::select(mixed.less_than(half), mixed.abs().max_of(length), (-mixed).min_of(length * half))
}

#[inline(always)]
fn in_lanes<S: Simd>(simd: S, input: &[[f32; COUNT]; 6], output: &mut [f32; COUNT]) {
    let width = S::f32s::LEN;
    for start in (0..COUNT).step_by(width) {
        let row = start..start + width;
        let load = |k: usize| Lanes::<S, S::f32s>::load(simd, &input[k][row.clone()]);
        let a = Vec3::new(load(0), load(1), load(2));
        let b = Vec3::new(load(3), load(4), load(5));
        formula(a, b).store(&mut output[row]);
    }
}

/// Numbers of very different magnitudes, zeros of both signs and NaN among them.
fn numbers() -> [[f32; COUNT]; 6] {
    let mut state = 0x9E37_79B9_u32;
    let mut input = [[0.0; COUNT]; 6];
    for row in &mut input {
        for slot in row.iter_mut() {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            *slot = match state % 50 {
                0 => 0.0,
                1 => -0.0,
                2 => f32::NAN,
                3 => f32::INFINITY,
                4 => f32::from_bits(state >> 10),
                _ => f32::from_bits((state & 0x807F_FFFF) | ((state >> 9 & 31) + 111) << 23),
            };
        }
    }
    input
}

fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_avx512().map(Level::Avx512));
    }
    levels
}

#[test]
fn every_width_gives_the_bits_of_the_scalar_formula() {
    let input = numbers();
    for level in levels() {
        let mut output = [0.0; COUNT];
        dispatch!(level, simd => in_lanes(simd, &input, &mut output));
        for k in 0..COUNT {
            let a = Vec3::new(input[0][k], input[1][k], input[2][k]);
            let b = Vec3::new(input[3][k], input[4][k], input[5][k]);
            let expected = formula(a, b);
            // The payload of a NaN is the processor's choice; that it is one is not.
            let same = expected.to_bits() == output[k].to_bits() || (expected.is_nan() && output[k].is_nan());
            assert!(same, "{level:?} lane {k}: {expected} {}", output[k]);
        }
    }
}

#[test]
fn short_rows_are_filled_and_cut() {
    dispatch!(Level::new(), simd => short_rows(simd));
}

#[inline(always)]
fn short_rows<S: Simd>(simd: S) {
    let lanes = Lanes::<S, S::f64s>::load(simd, &[2.0]);
    let mut out = [0.0; 1];
    (lanes * lanes).store(&mut out);
    assert_eq!(out, [4.0]);
    let nothing = Lanes::<S, S::f64s>::load(simd, &[]);
    nothing.store(&mut out);
    assert_eq!(out, [0.0]);
}
