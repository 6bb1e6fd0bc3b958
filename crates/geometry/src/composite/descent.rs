//! Two trees descended together, the more promising pair of boxes first.
//!
//! A pair of boxes is opened at its larger one: its eight children are compared with the other box at once, in the
//! lanes of the processor (see [`super::view`]), and those that may matter are put on the stack, the most promising
//! last. A convex shape is a tree of one item.

use super::sieve::Rows;
use super::view::View;
use super::{Kernels, Parts};
use crate::bound::Aabb;
use crate::bvh::node::{Node, WIDTH};
use crate::bvh::probe::{in_lanes, row};
use crate::bvh::stack::Stack;
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask};
use carom_math::{Number, Real, Vector};
use core::ops::ControlFlow;

/// One of the two shapes, in its own frame.
pub(crate) struct Side<'a, K: Kernels> {
    parts: Option<&'a dyn Parts<K>>,
    nodes: &'a [Node<K::Vector>],
    /// The numbers of the nodes are (p − center)·unit.
    pub(crate) unit: f64,
    pub(crate) center: K::Vector,
    /// 1/unit.
    back: f64,
    /// The box around everything; of a convex shape around what is left when the radius is taken off.
    pub(crate) whole: Aabb<K::Vector>,
    pub(crate) radius: f64,
}

impl<'a, K: Kernels> Side<'a, K> {
    pub(crate) fn new(shape: &'a K::Shape) -> Self {
        match K::parts(shape) {
            Some(parts) => Self::of_parts(parts),
            None => {
                let (whole, radius) = K::core_bounds(shape);
                Self::of_core(whole, radius)
            }
        }
    }

    pub(crate) fn of_parts(parts: &'a dyn Parts<K>) -> Self {
        let (tree, factor) = (parts.tree(), parts.factor());
        let (view, all) = (tree.view(), tree.bounds());
        Side {
            parts: Some(parts),
            nodes: view.nodes,
            unit: view.frame.scale / factor,
            center: view.frame.center * factor,
            back: factor / view.frame.scale,
            whole: Aabb { min: all.min * factor, max: all.max * factor },
            radius: 0.0,
        }
    }

    /// The whole of a shape, as if it had no parts.
    pub(crate) fn undivided(self) -> Self {
        Self::of_core(self.whole, self.radius)
    }

    /// Everything within `radius` of a box.
    pub(crate) fn of_core(whole: Aabb<K::Vector>, radius: f64) -> Self {
        Side { parts: None, nodes: &[], unit: 1.0, center: K::Vector::ZERO, back: 1.0, whole, radius }
    }

    /// Whether it has a tree.
    pub(crate) fn has_nodes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The largest coordinate.
    pub(crate) fn reach(&self) -> f64 {
        self.whole.min.max_abs().max_of(self.whole.max.max_abs()) + self.radius
    }

    /// How far anything is from the origin of the frame, at most: the boxes of items tell.
    pub(crate) fn outer_radius(&self) -> f64 {
        let farthest = |bounds: &Aabb<K::Vector>| {
            bounds.min.abs_by_axis().max_by_axis(bounds.max.abs_by_axis()).length()
                * (1.0 + 8.0 * f64::EPSILON)
        };
        if !self.has_nodes() {
            return farthest(&self.whole) + self.radius;
        }
        let mut outer = 0.0;
        let mut stack = Stack::with(0);
        while let Some(node) = stack.pop().and_then(|link: u32| self.nodes.get(link as usize)) {
            for slot in Node::<K::Vector>::slots(node.boxed) {
                let reach = farthest(&self.bounds_in(node, slot));
                if reach <= outer {
                    continue;
                }
                if node.items >> slot & 1 == 1 {
                    outer = reach;
                } else {
                    stack.push(node.links[slot]);
                }
            }
        }
        outer
    }

    #[inline(always)]
    fn boxed(&self, at: At) -> Boxed<'a, K::Vector> {
        let node = if usize::from(at.slot) < WIDTH { self.nodes.get(at.node as usize) } else { None };
        Boxed { node, link: at.node, slot: usize::from(at.slot) % WIDTH }
    }

    /// The box at a place. It may be off by a rounding error of the size of the shape.
    #[inline(always)]
    pub(crate) fn bounds(&self, at: &Boxed<'_, K::Vector>) -> Aabb<K::Vector> {
        match at.node {
            Some(node) => self.bounds_in(node, at.slot),
            None => self.whole,
        }
    }

    /// A measure of the size of a box: that which is the larger one is opened.
    #[inline(always)]
    fn size(&self, at: &Boxed<'_, K::Vector>) -> f64 {
        let Some(node) = at.node else { return reach(&self.whole) };
        let rows = node.rows.as_ref();
        let extent = |axis: usize| rows[axis][1][at.slot % WIDTH] - rows[axis][0][at.slot % WIDTH];
        f64::from((1..K::Vector::DIM).fold(extent(0), |sum, axis| sum + extent(axis))) * self.back
    }

    /// The box in a slot of a node, likewise.
    #[inline(always)]
    pub(crate) fn bounds_in(&self, node: &Node<K::Vector>, slot: usize) -> Aabb<K::Vector> {
        let rows = node.rows.as_ref();
        let end = |axis: usize, side: usize| f64::from(rows[axis][side][slot % WIDTH]) * self.back;
        Aabb {
            min: K::Vector::from_fn(|axis| end(axis, 0)) + self.center,
            max: K::Vector::from_fn(|axis| end(axis, 1)) + self.center,
        }
    }

    #[inline(always)]
    fn below(&self, at: &Boxed<'a, K::Vector>) -> Below<'a, K::Vector> {
        let link = match at.node {
            Some(node) => {
                let link = node.links[at.slot % WIDTH];
                if node.items >> at.slot & 1 == 1 {
                    return Below::Item(link);
                }
                link
            }
            None => 0,
        };
        match self.nodes.get(link as usize) {
            Some(node) => Below::Node(node, link),
            None => Below::Item(0),
        }
    }

    /// Visits the parts of an item; a convex shape is its own part, number 0.
    #[inline]
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.parts {
            None => visit(0),
            Some(parts) => parts.visit(item, visit),
        }
    }

    /// Visits the parts of all items whose boxes, as the tree has them, meet a box in the frame of the shape.
    pub(crate) fn visit_overlapping(
        &self,
        bounds: &Aabb<K::Vector>,
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(parts) = self.parts else { return visit(0) };
        let (view, back) = (parts.tree().view(), 1.0 / parts.factor());
        let small = view.frame.small(&Aabb { min: bounds.min * back, max: bounds.max * back });
        view.visit(&small, true, |_| true, |item| parts.visit(item, visit))
    }

    /// The corners of items, if each of them is one triangle.
    #[inline(always)]
    pub(crate) fn triangles<const N: usize>(&self, items: &[u32; N]) -> Option<[[K::Vector; 3]; N]> {
        let mut corners = [[K::Vector::ZERO; 3]; N];
        match self.parts {
            Some(parts) if parts.triangles(items, &mut corners) => Some(corners),
            _ => None,
        }
    }

    /// The same in `f32`, and the power of two that the numbers are to be multiplied by, where they are kept so.
    #[inline(always)]
    pub(crate) fn rows(&self, items: &[u32; WIDTH]) -> Option<(Rows, f64)> {
        let mut rows = [[[0.0; WIDTH]; 3]; 3];
        match self.parts {
            Some(parts) if parts.rows(items, &mut rows) => Some((rows, parts.factor())),
            _ => None,
        }
    }

    fn part_bounds(&self, index: u32) -> Option<Aabb<K::Vector>> {
        self.parts.and_then(|parts| parts.part_bounds(index))
    }
}

/// A slot of a node, or the whole of a shape, for which the slot is [`WIDTH`].
#[derive(Clone, Copy)]
struct At {
    node: u32,
    slot: u8,
}

/// The box in a slot of a node with a number; without a node, that around all of a shape.
pub(crate) struct Boxed<'a, V: Vector> {
    pub(crate) node: Option<&'a Node<V>>,
    pub(crate) link: u32,
    pub(crate) slot: usize,
}

/// A node of one side whose children are compared with a box of the other side.
#[derive(Clone, Copy)]
pub(crate) struct Opened<'a, V: Vector> {
    pub(crate) side: usize,
    pub(crate) node: &'a Node<V>,
    pub(crate) link: u32,
}

const WHOLE: At = At { node: 0, slot: WIDTH as u8 };

/// What is in a slot.
enum Below<'a, V: Vector> {
    Item(u32),
    Node(&'a Node<V>, u32),
}

/// Two boxes that are still to be opened, and a lower bound on what is sought in them, in the units of one side.
#[derive(Clone, Copy)]
struct Open {
    nodes: [u32; 2],
    slots: [u8; 2],
    side: u8,
    lower: f32,
}

impl Open {
    #[inline(always)]
    fn at(&self, side: usize) -> At {
        At { node: self.nodes[side], slot: self.slots[side] }
    }
}

/// Bounds in lanes that are this close to the limit deserve a closer look: over a flat floor they are all as close as that.
const CLOSE: f32 = 0.999;

/// Visits the pairs of parts that the view does not exclude, with the lower bound that it knows, which is not positive
/// where it knows none. `limit` may fall during the walk; `is_no_better` is asked about bounds that are close to it, where there is one.
pub(crate) fn descend<K: Kernels, W: View<K>, S>(
    sides: [&Side<'_, K>; 2],
    view: &W,
    state: &mut S,
    limit: impl Fn(&S) -> f64,
    mut is_no_better: Option<impl FnMut(&mut S, f64) -> bool>,
    visit: &mut dyn FnMut(&mut S, u32, u32, f64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if view.bound(&sides[0].whole, &sides[1].whole, limit(state)).is_none() {
        return ControlFlow::Continue(());
    }
    in_lanes!(simd => descend_in_lanes(simd, sides, view, state, (&limit, &mut is_no_better), visit))
}

#[inline(always)]
fn descend_in_lanes<K: Kernels, W: View<K>, S, L: Simd>(
    simd: L,
    sides: [&Side<'_, K>; 2],
    view: &W,
    state: &mut S,
    (limit, is_no_better): (&impl Fn(&S) -> f64, &mut Option<impl FnMut(&mut S, f64) -> bool>),
    visit: &mut dyn FnMut(&mut S, u32, u32, f64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let [a, b] = sides;
    let mut most = limit(state);
    let mut limits = view.limits(most);
    let start = Open { nodes: [WHOLE.node; 2], slots: [WHOLE.slot; 2], side: 0, lower: f32::NEG_INFINITY };
    let mut stack = Stack::with(start);
    let mut kept = None;
    while let Some(open) = stack.pop() {
        // Equal is not enough to skip: a lower part may be there.
        if limits[usize::from(open.side & 1)] < open.lower {
            continue;
        }
        let ats = [open.at(0), open.at(1)];
        let boxes = [a.boxed(ats[0]), b.boxed(ats[1])];
        if let Some(is_no_better) = is_no_better
            && limits[usize::from(open.side & 1)] * CLOSE <= open.lower
            && let Some(lower) = view.bound(&a.bounds(&boxes[0]), &b.bounds(&boxes[1]), most)
            && is_no_better(state, lower)
        {
            continue;
        }
        let (side, node, link, item) = match (a.below(&boxes[0]), b.below(&boxes[1])) {
            (Below::Item(i), Below::Item(j)) => {
                // What is beyond the numbers of the lanes, as the world is to a speck, is not known.
                let lower = if open.lower < f32::INFINITY {
                    view.lower(usize::from(open.side & 1), open.lower.max_of(0.0))
                } else {
                    f64::NEG_INFINITY
                };
                let [of_a, of_b] = &boxes;
                visit_items(sides, view, state, ([(of_a, i), (of_b, j)], lower), limit, visit)?;
                let now = limit(state);
                if now != most {
                    (most, limits) = (now, view.limits(now));
                }
                continue;
            }
            (Below::Node(node, link), Below::Item(item)) => (0, node, link, Some(item)),
            (Below::Item(item), Below::Node(node, link)) => (1, node, link, Some(item)),
            (Below::Node(node_a, link_a), Below::Node(node_b, link_b)) => {
                if b.size(&boxes[1]) <= a.size(&boxes[0]) {
                    (0, node_a, link_a, None)
                } else {
                    (1, node_b, link_b, None)
                }
            }
        };
        let other = &boxes[1 - side];
        let of_item = if item.is_some() { Some(&mut kept) } else { None };
        let opened = Opened { side, node, link };
        let (met, lower) = view.children(simd, sides, opened, other, limits[side], of_item);
        let mut met = met & u32::from(node.boxed);
        if let Some(item) = item {
            // Boxes that are apart tell enough, and to look at what is in them would tell little more.
            let overlapping = met & row(simd, &lower).simd_le(0.0).to_bitmask() as u32;
            if overlapping != 0 {
                met &= !overlapping | view.sifted(simd, sides, opened, (overlapping, item), most, &mut kept);
            }
        }
        let entry = |slot: usize| {
            let mut entry = Open { side: side as u8, lower: lower[slot % WIDTH], ..open };
            (entry.nodes[side], entry.slots[side]) = (link, slot as u8);
            entry
        };
        push_lowest_last(&mut stack, met, entry);
    }
    ControlFlow::Continue(())
}

/// The largest lower bound first, of equals the last slot first.
#[inline(always)]
fn push_lowest_last(stack: &mut Stack<Open>, mut slots: u32, entry: impl Fn(usize) -> Open) {
    // From the last slot on, so that equals, as all are that overlap, are in order as they come.
    let mut take_last = || {
        let last = slots.checked_ilog2()?;
        slots &= !(1 << last);
        Some(entry(last as usize))
    };
    let Some(first) = take_last() else { return };
    let mut sorted = [first; WIDTH];
    let mut count = 1;
    while let Some(new) = take_last() {
        let mut place = count;
        while 0 < place && sorted[place - 1].lower < new.lower {
            sorted[place % WIDTH] = sorted[place - 1];
            place -= 1;
        }
        sorted[place % WIDTH] = new;
        count += 1;
    }
    sorted[..count].iter().for_each(|entry| stack.push(*entry));
}

/// Two items and the boxes that they are in.
type Items<'a, V> = [(&'a Boxed<'a, V>, u32); 2];

/// All pairs of the parts of two items; those of several parts have a closer look at their boxes, and the more promising come first.
fn visit_items<K: Kernels, S>(
    [a, b]: [&Side<'_, K>; 2],
    view: &impl View<K>,
    state: &mut S,
    ([(at, i), (other, j)], lower): (Items<'_, K::Vector>, f64),
    limit: &impl Fn(&S) -> f64,
    visit: &mut dyn FnMut(&mut S, u32, u32, f64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut promising = Promising { pairs: [(0.0, 0, 0); PROMISING], count: 0 };
    a.visit(i, &mut |first| {
        let box_a = a.part_bounds(first);
        b.visit(j, &mut |second| {
            let box_b = b.part_bounds(second);
            if box_a.is_none() && box_b.is_none() {
                return visit(state, first, second, lower);
            }
            let box_a = box_a.unwrap_or_else(|| a.bounds(at));
            let box_b = box_b.unwrap_or_else(|| b.bounds(other));
            if let Some(closer) = view.bound(&box_a, &box_b, limit(state)) {
                promising.add((closer.max_of(lower), first, second));
                if promising.count == PROMISING {
                    return promising.visit(state, limit, visit);
                }
            }
            ControlFlow::Continue(())
        })
    })?;
    promising.visit(state, limit, visit)
}

/// How many pairs of parts wait for each other: those of an item of eight triangles and a convex shape, and some more.
const PROMISING: usize = 16;

/// Pairs of parts with their lower bounds, the lowest first and equals as they came.
struct Promising {
    pairs: [(f64, u32, u32); PROMISING],
    count: usize,
}

impl Promising {
    fn add(&mut self, new: (f64, u32, u32)) {
        let mut place = self.count;
        while 0 < place && new.0 < self.pairs[place - 1].0 {
            self.pairs[place % PROMISING] = self.pairs[place - 1];
            place -= 1;
        }
        self.pairs[place % PROMISING] = new;
        self.count += 1;
    }

    /// Visits them all, but those that are beyond a limit which has fallen meanwhile.
    fn visit<S>(
        &mut self,
        state: &mut S,
        limit: &impl Fn(&S) -> f64,
        visit: &mut dyn FnMut(&mut S, u32, u32, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let count = core::mem::take(&mut self.count);
        for &(lower, first, second) in self.pairs.iter().take(count) {
            // A limit may be negative, a depth, and what may overlap, whose bound is 0, may exceed it.
            if limit(state).max_of(0.0) < lower {
                break;
            }
            visit(state, first, second, lower)?;
        }
        ControlFlow::Continue(())
    }
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
