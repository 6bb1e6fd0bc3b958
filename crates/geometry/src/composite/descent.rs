//! Two trees descended together, the more promising pair of boxes first.

use super::tree::Below;
use super::{Kernels, Parts};
use crate::bound::{Aabb, Bounded, Frame};
use crate::bvh::stack::Stack;
use carom_math::{Number, Real, Vector};
use core::ops::ControlFlow;

/// One of the two shapes: a tree, or a convex shape, which is a tree of one item.
pub(crate) enum Side<'a, K: Kernels> {
    Whole(Aabb<K::Vector>),
    Parts(&'a dyn Parts<K>),
}

impl<'a, K: Kernels> Side<'a, K> {
    pub(crate) fn new(shape: &'a K::Shape) -> Self {
        match K::parts(shape) {
            Some(parts) => Side::Parts(parts),
            None => Side::Whole(shape.bounds(&Frame::local())),
        }
    }

    /// The box of a node, in the frame of the shape.
    #[inline(always)]
    fn bounds(&self, at: u32) -> Aabb<K::Vector> {
        match self {
            Side::Whole(bounds) => *bounds,
            Side::Parts(parts) => {
                let (bounds, factor) = (parts.tree().node(at).bounds, parts.factor());
                Aabb { min: bounds.min * factor, max: bounds.max * factor }
            }
        }
    }

    #[inline(always)]
    fn below(&self, at: u32) -> Below {
        match self {
            Side::Whole(_) => Below::Item(0),
            Side::Parts(parts) => parts.tree().below(at),
        }
    }

    /// Visits the parts of an item; a convex shape is its own part, number 0.
    #[inline]
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        match self {
            Side::Whole(_) => visit(0),
            Side::Parts(parts) => parts.visit(item, visit),
        }
    }

    fn part_bounds(&self, index: u32) -> Option<Aabb<K::Vector>> {
        match self {
            Side::Whole(_) => None,
            Side::Parts(parts) => parts.part_bounds(index),
        }
    }
}

/// Visits the pairs of parts that `bound` does not exclude.
///
/// `bound(box of a, box of b, limit)`, each box in the frame of its shape, is a lower bound on what is sought
/// for anything in the two, or `None` when that is certainly beyond the limit. `limit()` may fall during the walk.
pub(crate) fn descend<K: Kernels, S>(
    a: &Side<'_, K>,
    b: &Side<'_, K>,
    state: &mut S,
    limit: impl Fn(&S) -> f64,
    bound: impl Fn(&Aabb<K::Vector>, &Aabb<K::Vector>, f64) -> Option<f64>,
    visit: impl Fn(&mut S, u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let between = |at: u32, other: u32, limit: f64| bound(&a.bounds(at), &b.bounds(other), limit);
    let Some(lower) = between(0, 0, limit(state)) else { return ControlFlow::Continue(()) };
    let mut stack = Stack::with((0_u32, 0_u32, lower));
    while let Some((at, other, lower)) = stack.pop() {
        let most = limit(state);
        // Equal is not enough to skip: a lower part may be there.
        if most < lower {
            continue;
        }
        let splits_a = match (a.below(at), b.below(other)) {
            (Below::Item(i), Below::Item(j)) => {
                visit_items(a, b, state, [(at, i), (other, j)], &limit, &bound, &visit)?;
                continue;
            }
            (Below::Children(_), Below::Item(_)) => true,
            (Below::Item(_), Below::Children(_)) => false,
            (Below::Children(_), Below::Children(_)) => reach(&b.bounds(other)) <= reach(&a.bounds(at)),
        };
        let below = if splits_a { a.below(at) } else { b.below(other) };
        let Below::Children(children) = below else { continue };
        let pair = |child: u32| if splits_a { (child, other) } else { (at, child) };
        let [first, second] = children.map(|child| {
            let (at, other) = pair(child);
            between(at, other, most).map(|lower| (at, other, lower))
        });
        match (first, second) {
            (Some(first), Some(second)) if second.2 < first.2 => {
                stack.push(first);
                stack.push(second);
            }
            (first, second) => {
                second.into_iter().for_each(|entry| stack.push(entry));
                first.into_iter().for_each(|entry| stack.push(entry));
            }
        }
    }
    ControlFlow::Continue(())
}

/// All pairs of the parts of two items; those of several parts have a closer look at their boxes.
fn visit_items<K: Kernels, S>(
    a: &Side<'_, K>,
    b: &Side<'_, K>,
    state: &mut S,
    [(at, i), (other, j)]: [(u32, u32); 2],
    limit: &impl Fn(&S) -> f64,
    bound: &impl Fn(&Aabb<K::Vector>, &Aabb<K::Vector>, f64) -> Option<f64>,
    visit: &impl Fn(&mut S, u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    a.visit(i, &mut |first| {
        b.visit(j, &mut |second| {
            let (box_a, box_b) = (a.part_bounds(first), b.part_bounds(second));
            if box_a.is_some() || box_b.is_some() {
                let box_a = box_a.unwrap_or_else(|| a.bounds(at));
                let box_b = box_b.unwrap_or_else(|| b.bounds(other));
                if bound(&box_a, &box_b, limit(state)).is_none() {
                    return ControlFlow::Continue(());
                }
            }
            visit(state, first, second)
        })
    })
}

/// The sum of the extents: a measure of size that is positive for flat boxes too.
#[inline(always)]
fn reach<V: Vector<Scalar = f64>>(bounds: &Aabb<V>) -> f64 {
    let extent = bounds.max - bounds.min;
    (1..V::DIM).fold(extent.get(0), |sum, axis| sum + extent.get(axis))
}

/// A lower bound on the distance of anything in one box from anything in the other, both in one frame.
#[inline(always)]
pub(crate) fn gap_of_boxes<V: Vector<Scalar = f64>>(a: &Aabb<V>, b: &Aabb<V>) -> f64 {
    let gap = (b.min - a.max).max_by_axis(a.min - b.max).max_by_axis(V::ZERO);
    // A difference, squares, a sum and a root: less than 4 roundings.
    let length = gap.length_squared().sqrt() * (1.0 - 4.0 * f64::EPSILON);
    if length.is_finite() { length } else { gap.max_abs() }
}

/// A lower bound on the distance of anything in a box from a half-space, both in one frame.
#[inline(always)]
pub(crate) fn gap_above_plane<V: Vector<Scalar = f64>>((normal, offset): (V, f64), b: &Aabb<V>) -> f64 {
    let lowest = (0..V::DIM).fold(0.0, |sum, axis| {
        let n = normal.get(axis);
        if n == 0.0 { sum } else { sum + n * if n < 0.0 { b.max.get(axis) } else { b.min.get(axis) } }
    });
    let gap = lowest - offset;
    if gap.is_nan() { 0.0 } else { gap.max_of(0.0) }
}

/// A lower bound on the time from 0 on at which the second box, moving with `velocity`, touches the first; `None`
/// when it surely does not until `limit`. Both in one frame; they may be off by `slack`.
///
/// Slabs: the boxes overlap along an axis while t·v is between low = min a − max b and high = max a − min b.
/// The ends have a difference and a quotient, so 4ε more at each and a step for what underflows enclose them.
#[inline(always)]
pub(crate) fn meeting_time<V: Vector<Scalar = f64>>(
    a: &Aabb<V>,
    b: &Aabb<V>,
    velocity: V,
    slack: f64,
    limit: f64,
) -> Option<f64> {
    const OUTWARD: f64 = 4.0 * f64::EPSILON;
    let (mut enter, mut leave) = (0.0_f64, limit);
    for axis in 0..V::DIM {
        let low = (a.min.get(axis) - b.max.get(axis)) - slack;
        let high = (a.max.get(axis) - b.min.get(axis)) + slack;
        let speed = velocity.get(axis);
        if speed == 0.0 {
            if low <= 0.0 && 0.0 <= high {
                continue;
            }
            return None;
        }
        let (first, last) =
            if 0.0 < speed { (low / speed, high / speed) } else { (high / speed, low / speed) };
        if last < 0.0 {
            return None;
        }
        enter = (first * (1.0 - OUTWARD)).step_down().max_of(enter);
        leave = (last * (1.0 + OUTWARD)).step_up().min_of(leave);
    }
    (enter <= leave).then_some(enter)
}
