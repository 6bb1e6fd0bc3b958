//! Rays whose answers are rounded to `f32`, against shapes in a frame that is stretched.
//!
//! A rotation in `f32` is of unit length up to rounding only. Dividing its matrix by that length takes longer than to hit a box
//! with it, so the frame of the shape is stretched instead: with M = norm·R, where R is the rotation,
//!
//! ```text
//! Mᵀ·v is v as the shape sees it, norm times as long;   M·v is v of the shape in the world, norm times as long
//! ```
//!
//! and a shape that is norm times as large is hit by a ray that is norm times as long at the same parameter. What is
//! right to rounding in `f64` with R is so with M. Normals are of unit length and in the axes of the world.
//!
//! The kernels answer as those of [`quick`](super::quick) do: what is beyond doubt, and nothing else.

use super::quick::{Care, Quick, Slice, cuboid_slice, face_of_cuboid, narrow_ball_hit, narrow_capsule_hit};
use super::span::Passage;
use crate::pair::place::Turn;
use carom_math::{Number, Vector, power_of_two};

/// A frame that is not of unit length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretched<M> {
    /// From the frame of the shape to the world, times the norm.
    pub(crate) turn: M,
    /// A number near 1.
    pub(crate) norm: f64,
}

/// A ball about the point that `from` is seen from.
#[inline(always)]
pub(crate) fn ball_hit<V: Vector<Scalar = f64>>(from: V, direction: V, radius: f64, care: Care) -> Quick<V> {
    let Some(passage) = narrow_ball_hit(from, direction, radius, care)? else { return Some(None) };
    Some(Some(Passage { normal: passage.normal * (1.0 / radius), ..passage }))
}

/// A capsule, in the axes of the world: its ends are turned there, so that the normal need not be.
#[inline(always)]
pub(crate) fn capsule_hit<V: Vector<Scalar = f64>, M: Turn<V>>(
    Stretched { turn, norm }: Stretched<M>,
    from: V,
    direction: V,
    [a, b]: [V; 2],
    radius: f64,
    care: Care,
) -> Quick<V> {
    let (from_a, axis) = (from * norm - turn.apply(a), turn.apply(b - a));
    let radius = radius * norm;
    // The direction keeps its length, so that the parameter is norm times as large.
    let Some(passage) = narrow_capsule_hit(from_a, direction, axis, radius, care)? else { return Some(None) };
    Some(Some(Passage { t: passage.t / norm, normal: passage.normal * (1.0 / radius), ..passage }))
}

/// A box.
#[inline(always)]
pub(crate) fn cuboid_hit<V: Vector<Scalar = f64>, M: Turn<V>>(
    Stretched { turn, norm }: Stretched<M>,
    from: V,
    direction: V,
    half_extents: V,
) -> Quick<V> {
    let (origin, direction) = (turn.undo(from), turn.undo(direction));
    let slice = stretched_cuboid_slice(origin, direction, half_extents * norm, norm)?;
    let Some(Slice { enter, axis }) = slice else { return Some(None) };
    let speed = direction.get(axis);
    let normal = turn.column(axis) * (1.0_f64.copysign(-speed) / norm);
    Some(Some(Passage { t: enter, normal, feature: face_of_cuboid::<V>(axis, 0.0 < speed) }))
}

/// As [`cuboid_slice`], without branches on which axis is the last one, and with one division for each axis.
///
/// Each end errs by 2ε of itself, and by 2ε of what its axis could be at most, (half + |origin|)/|direction|, where the
/// norm that multiplies half is not 1. That is no more than the larger end of that axis, so that all of it is within 8ε
/// of the sum of all ends.
#[inline(always)]
fn stretched_cuboid_slice<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    half: V,
    norm: f64,
) -> Option<Option<Slice>> {
    let (mut enter, mut exit, mut entered) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    let mut sum = 0.0;
    for axis in 0..V::DIM {
        let (position, inverse) = (origin.get(axis), 1.0 / direction.get(axis));
        let leaving = half.get(axis).copysign(inverse);
        let (near, far) = ((-leaving - position) * inverse, (leaving - position) * inverse);
        entered = if enter < near { axis } else { entered };
        enter = near.max_of(enter);
        exit = far.min_of(exit);
        sum += near.abs() + far.abs();
    }
    // Along an axis, where that is a quotient by zero. With a norm of 1 nothing was rounded for the frame.
    if !sum.is_finite() {
        return if norm == 1.0 {
            cuboid_slice(origin, direction, half)
        } else {
            slice_between_sides(origin, direction, half)
        };
    }
    decided(enter, exit, entered, sum)
}

/// The same for a line that runs along some of the sides, where it is clearly between or beside them.
fn slice_between_sides<V: Vector<Scalar = f64>>(origin: V, direction: V, half: V) -> Option<Option<Slice>> {
    for axis in 0..V::DIM {
        if direction.get(axis) == 0.0 {
            let (position, reach) = (origin.get(axis).abs(), half.get(axis));
            // One rounding of the position for each of its products, and one of what the norm has multiplied.
            let doubt = 8.0 * f64::EPSILON * (origin.sum_of_magnitudes() + reach);
            if reach + doubt < position {
                return Some(None);
            }
            if reach - doubt <= position {
                return None;
            }
        }
    }
    let (mut enter, mut exit, mut entered) = (f64::NEG_INFINITY, f64::INFINITY, 0);
    let mut sum = 0.0;
    for axis in (0..V::DIM).filter(|&axis| direction.get(axis) != 0.0) {
        let (position, speed) = (origin.get(axis), direction.get(axis));
        let leaving = half.get(axis).copysign(speed);
        let (near, far) = ((-leaving - position) / speed, (leaving - position) / speed);
        (enter, entered) = if enter < near { (near, axis) } else { (enter, entered) };
        exit = far.min_of(exit);
        sum += near.abs() + far.abs();
    }
    decided(enter, exit, entered, sum)
}

/// What is certain about the part of a line between two parameters, which err by less than 8ε of the sum of all ends.
#[inline(always)]
fn decided(enter: f64, exit: f64, axis: usize, sum: f64) -> Option<Option<Slice>> {
    let doubt = 8.0 * f64::EPSILON * sum;
    if (exit < enter - doubt) | (exit < -doubt) {
        return Some(None);
    }
    // Ahead, and right to 2⁻²⁶.
    let is_precise = (power_of_two(26) * doubt < enter) & (enter + doubt < exit);
    is_precise.then_some(Some(Slice { enter, axis }))
}
