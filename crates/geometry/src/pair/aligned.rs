//! Two boxes whose axes are the same but for order and sign: boxes of a grid, of a stack, of a drawing.
//!
//! Parallel edges span no axis, and where faces lie side by side there is no nearest corner, so such pairs would go the long way.
//! But along each axis of a they are two intervals, and nothing else is to be known: they are as far apart as the gaps say
//! together, or overlap as much as the smallest overlap says, with one rounding each.

use super::nearest::{sign_of, weight};
use super::place::{Relative, Turn};
use crate::answer::Separation;
use carom_math::Vector;

/// Whether the axes of b are those of a, to the bit.
#[inline(always)]
fn is_aligned<V: Vector<Scalar = f64>, M: Turn<V>>(turn: M) -> bool {
    // Columns of a rotation: with one component of 1 and others of 0 they are axes, and different ones. A sum of magnitudes would not
    // show a component that is lost beside 1, but not beside a box that is long enough.
    let mut aligned = true;
    for axis in 0..V::DIM {
        let size = turn.column(axis).abs_by_axis();
        let zeros = (0..V::DIM).fold(0, |zeros, k| zeros + usize::from(size.get(k) == 0.0));
        aligned &= (size.max_abs() == 1.0) & (zeros + 1 == V::DIM);
    }
    aligned
}

/// How two boxes with the half extents `a` and `b` relate, in the frame of a, if their axes are the same. `error` bounds the rounding
/// errors of the pair.
#[inline]
pub(super) fn relate_aligned<V: Vector<Scalar = f64>, M: Turn<V>>(
    a: V,
    b: V,
    place: &Relative<V, M>,
    error: f64,
) -> Option<Separation<V>> {
    if !is_aligned(place.rotation) {
        return None;
    }
    let center = place.translation;
    let mut b_in_a = V::ZERO;
    for axis in 0..V::DIM {
        b_in_a += place.rotation.column(axis).abs_by_axis() * b.get(axis);
    }
    let sides = V::from_fn(|axis| sign_of(center.get(axis)));
    let gaps = center.abs_by_axis() - (a + b_in_a);
    let (mut widest, mut separation) = (0, gaps.get(0));
    for axis in 1..V::DIM {
        if separation < gaps.get(axis) {
            (widest, separation) = (axis, gaps.get(axis));
        }
    }
    let mut normal = V::unit(widest) * sides.get(widest);
    // Along these axes the nearest or deepest points are on the sides that face each other.
    let mut is_facing = V::unit(widest);
    if 0.0 < separation {
        let beyond = gaps.max_by_axis(V::ZERO);
        is_facing = V::from_fn(|axis| weight(0.0 < gaps.get(axis)));
        separation = beyond.length();
        normal = beyond.normalized()?.zip(sides, |part, side| part * side);
    }
    // Along the others in the middle of what they have in common.
    let (low, high) = ((-a).max_by_axis(center - b_in_a), a.min_by_axis(center + b_in_a));
    let middle = low + (high - low) * 0.5;
    let chosen = |face: V| {
        V::from_fn(|axis| if is_facing.get(axis) == 1.0 { face.get(axis) } else { middle.get(axis) })
    };
    let facing = |half: V| half.zip(sides, |half, side| half * side);
    Some(Separation {
        separation,
        error,
        normal,
        point_a: chosen(facing(a)),
        point_b: chosen(center - facing(b_in_a)),
    })
}
