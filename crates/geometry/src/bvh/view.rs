//! Walking a tree: one body for trees that stay and trees that change.
//!
//! Every walk is a loop over a [`Stack`], visits in an order that depends on the tree only, and skips a
//! subtree only when its box proves that nothing in it can matter.

use super::node::{Frame, NOWHERE, Node, Slots, WIDTH};
use super::probe::{Probe, Slabs, Spot, in_lanes, squared_above};
use super::stack::Stack;
use crate::bound::Aabb;
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask};
use carom_math::{Number, Real, Vector};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use std::collections::BinaryHeap;

/// A tree, looked at.
#[derive(Clone, Copy)]
pub(crate) struct View<'a, V: Vector> {
    pub(crate) nodes: &'a [Node<V>],
    pub(crate) root: u32,
    pub(crate) frame: &'a Frame<V>,
    /// The box of each item, where nodes hold only an enclosure of it.
    pub(crate) exact: &'a [Aabb<V>],
}

impl<'a, V: Vector> View<'a, V> {
    /// The node, or none for a link that leads nowhere.
    #[inline(always)]
    pub(crate) fn node(&self, at: u32) -> Option<&'a Node<V>> {
        self.nodes.get(at as usize)
    }

    /// The box of the item in a slot, as it was given.
    #[inline(always)]
    pub(crate) fn item_box(&self, node: &Node<V>, slot: usize) -> Aabb<V> {
        if Frame::<V>::EXACT {
            return node.small(slot).exact();
        }
        self.exact.get(node.links[slot % WIDTH] as usize).copied().unwrap_or_else(Aabb::empty)
    }

    /// Visits the items that the probe lets through and whose own box passes `keep`, which is asked
    /// only where the probe cannot be sure: always, or only for `f64`, as `sure` says.
    #[inline]
    pub(crate) fn visit<P: Probe<V> + ?Sized, B>(
        self,
        probe: &P,
        sure: bool,
        keep: impl Fn(Aabb<V>) -> bool,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        in_lanes!(simd => self.visit_in_lanes(simd, probe, sure, &keep, &mut visit))
    }

    #[inline(always)]
    fn visit_in_lanes<S: Simd, P: Probe<V> + ?Sized, B>(
        self,
        simd: S,
        probe: &P,
        sure: bool,
        keep: &impl Fn(Aabb<V>) -> bool,
        visit: &mut impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut stack = Stack::with(self.root);
        while let Some(at) = stack.pop() {
            let Some(node) = self.node(at) else { continue };
            let met = probe.slots(simd, node) & u32::from(node.boxed);
            for slot in Slots(met & u32::from(node.items)) {
                if sure || keep(self.item_box(node, slot)) {
                    visit(node.links[slot])?;
                }
            }
            for slot in Slots(met & !u32::from(node.items)) {
                stack.push(node.links[slot]);
            }
        }
        ControlFlow::Continue(())
    }

    /// The item that the ray meets first, of equal parameters the lowest.
    #[inline]
    pub(crate) fn cast_ray(
        self,
        origin: V,
        direction: V,
        max: V::Scalar,
        mut hit: impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        let slabs = Slabs::new(self.frame, origin, direction).filter(|_| V::Scalar::ZERO <= max)?;
        in_lanes!(simd => self.cast_in_lanes(simd, &slabs, max, &mut hit))
    }

    /// The same for a finite point and all that is as near to it as the number beside it says, along each axis. They move
    /// in the direction, times the number beside that.
    #[inline]
    pub(crate) fn cast_spot(
        self,
        (start, slack): (V, f64),
        (direction, factor): (V, f64),
        max: V::Scalar,
        mut hit: impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        let along = Slabs::along(self.frame.scale * factor, direction.widen());
        let along = along.filter(|_| V::Scalar::ZERO <= max)?;
        let slabs = along.starting_in(&self.frame.spot_within(start, slack));
        in_lanes!(simd => self.cast_in_lanes(simd, &slabs, max, &mut hit))
    }

    #[inline(always)]
    fn cast_in_lanes<S: Simd>(
        self,
        simd: S,
        slabs: &Slabs<V>,
        max: V::Scalar,
        hit: &mut impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        let mut best = Best { index: usize::MAX, value: max };
        let mut limit = slabs.limit(max.to_f64());
        let mut stack = Stack::with(Open::new(0.0, self.root));
        let mut next = stack.pop();
        while let Some(open) = next {
            // Equal is not enough to skip: an item there may have the lower index.
            let node = if limit < open.lower() { None } else { self.node(open.link()) };
            let Some(node) = node else {
                next = stack.pop();
                continue;
            };
            let (met, enter) = slabs.enter(simd, node, limit);
            let met = met & u32::from(node.boxed);
            let enter = enter.as_array();
            for slot in Slots(met & u32::from(node.items)) {
                if limit < enter[slot] {
                    continue;
                }
                let item = node.links[slot] as usize;
                if let Some(t) = hit(item, best.value).filter(|t| best.improves(item, *t)) {
                    limit = slabs.limit(t.to_f64());
                }
            }
            let nearest = push_all_but_nearest(&mut stack, node, Slots(met & !u32::from(node.items)), enter);
            next = nearest.or_else(|| stack.pop());
        }
        best.found()
    }

    /// The item of least value, of equal ones the lowest. `bound` gives a lower bound for everything in a
    /// box, `measure` the value of an item; NaN is no value.
    pub(crate) fn nearest(
        self,
        bound: impl Fn(Aabb<V>) -> V::Scalar,
        mut measure: impl FnMut(usize) -> V::Scalar,
    ) -> Option<(usize, V::Scalar)> {
        let mut best = Best { index: usize::MAX, value: V::Scalar::INFINITY };
        // Items are opened like nodes, so that those which promise most are measured first.
        let mut stack = Stack::with((V::Scalar::ZERO, self.root, false));
        let mut first = true;
        while let Some((lower, link, is_item)) = stack.pop() {
            let promising = first || lower <= best.value;
            first = false;
            if !promising {
                continue;
            }
            if is_item {
                best.improves(link as usize, measure(link as usize));
                continue;
            }
            let Some(node) = self.node(link) else { continue };
            let mut open = [(V::Scalar::ZERO, NOWHERE, false); WIDTH];
            let mut count = 0;
            for slot in Node::<V>::slots(node.boxed) {
                let is_item = node.items >> slot & 1 == 1;
                let bounds =
                    if is_item { self.item_box(node, slot) } else { self.frame.world(&node.small(slot)) };
                let lower = bound(bounds);
                if lower <= best.value {
                    // Insertion from behind: the largest first, of equals the last slot first.
                    let mut place = count;
                    while 0 < place && open[place - 1].0 <= lower {
                        open[place] = open[place - 1];
                        place -= 1;
                    }
                    open[place] = (lower, node.links[slot], is_item);
                    count += 1;
                }
            }
            open[..count].iter().for_each(|entry| stack.push(*entry));
        }
        best.found()
    }

    /// Visits items, those whose boxes are near to a point first, and none whose box is farther away than `visit` last said.
    /// The point must be finite.
    pub(crate) fn approach(self, point: V, mut visit: impl FnMut(u32) -> f64) {
        let spot = Spot::new(self.frame, point);
        in_lanes!(simd => self.approach_in_lanes(simd, &spot, &mut visit));
    }

    #[inline(always)]
    fn approach_in_lanes<S: Simd>(self, simd: S, spot: &Spot<V>, visit: &mut impl FnMut(u32) -> f64) {
        let mut limit = f32::INFINITY;
        let mut stack = Stack::with(Open::new(0.0, self.root));
        let mut next = stack.pop();
        while let Some(open) = next {
            let node = if limit < open.lower() { None } else { self.node(open.link()) };
            let Some(node) = node else {
                next = stack.pop();
                continue;
            };
            let lower = spot.squared_distances(simd, node);
            let near = lower.simd_le(limit).to_bitmask() as u32 & u32::from(node.boxed);
            let lower = lower.as_array();
            let mut items = near & u32::from(node.items);
            while items != 0 {
                let mut slots = Slots(items);
                let first = slots.next().unwrap_or_default();
                let slot =
                    slots.fold(first, |best, slot| if lower[slot] < lower[best] { slot } else { best });
                if limit < lower[slot] {
                    break;
                }
                limit = squared_above(self.frame, visit(node.links[slot]));
                items &= !(1 << slot);
            }
            let nearest = push_all_but_nearest(&mut stack, node, Slots(near & !u32::from(node.items)), lower);
            next = nearest.or_else(|| stack.pop());
        }
    }

    /// The `count` items whose boxes are nearest to a point, by distance, then by index; none beyond `max`.
    /// Boxes may be smaller than the tree knows: `own` gives them then.
    pub(crate) fn nearest_to(
        self,
        point: V,
        count: usize,
        max: f64,
        own: Option<&dyn Fn(usize) -> Aabb<V>>,
    ) -> Vec<Near> {
        let mut kept =
            BinaryHeap::with_capacity(count.min(self.nodes.len().saturating_mul(WIDTH)).saturating_add(1));
        let valid = count != 0 && point.finite() && 0.0 <= max;
        if !valid {
            return Vec::new();
        }
        let spot = Spot::new(self.frame, point);
        in_lanes!(simd => self.nearest_in_lanes(simd, &spot, point, (count, max), own, &mut kept));
        kept.into_sorted_vec()
    }

    #[inline(always)]
    fn nearest_in_lanes<S: Simd>(
        self,
        simd: S,
        spot: &Spot<V>,
        point: V,
        (count, max): (usize, f64),
        own: Option<&dyn Fn(usize) -> Aabb<V>>,
        kept: &mut BinaryHeap<Near>,
    ) {
        let mut limit = squared_above(self.frame, max);
        let mut stack = Stack::with(Open::new(0.0, self.root));
        while let Some(open) = stack.pop() {
            if limit < open.lower() {
                continue;
            }
            let Some(node) = self.node(open.link()) else { continue };
            let lower = spot.squared_distances(simd, node);
            let near = lower.simd_le(limit).to_bitmask() as u32 & u32::from(node.boxed);
            let lower = lower.as_array();
            for slot in Slots(near & u32::from(node.items)) {
                let bounds =
                    own.map_or_else(|| self.item_box(node, slot), |own| own(node.links[slot] as usize));
                let distance = box_distance(bounds, point);
                let candidate = Near { distance, item: node.links[slot] };
                let full = kept.len() == count;
                let wanted =
                    distance <= max && !(full && kept.peek().is_some_and(|worst| *worst <= candidate));
                if !wanted {
                    continue;
                }
                if full {
                    kept.pop();
                }
                kept.push(candidate);
                if let Some(worst) = kept.peek().filter(|_| kept.len() == count) {
                    limit = squared_above(self.frame, worst.distance);
                }
            }
            let nearest = push_all_but_nearest(&mut stack, node, Slots(near & !u32::from(node.items)), lower);
            nearest.into_iter().for_each(|open| stack.push(open));
        }
    }
}

/// The distance from a point to a box, 0 inside; without overflow or underflow.
pub(crate) fn box_distance<V: Vector>(bounds: Aabb<V>, point: V) -> f64 {
    let (bounds, point) = (bounds.widen(), point.widen());
    let gap = V::Wide::from_fn(|axis| {
        let (low, high, p) = (bounds.min.get(axis), bounds.max.get(axis), point.get(axis));
        (low - p).max_of(p - high).max_of(0.0)
    });
    gap.length()
}

/// An item and its distance; ordered by distance, then by item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) distance: f64,
    pub(crate) item: u32,
}

impl Eq for Near {}

impl Ord for Near {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.item.cmp(&other.item))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best item so far; `usize::MAX` stands for none, and its value is then the limit.
struct Best<T> {
    index: usize,
    value: T,
}

impl<T: Real> Best<T> {
    #[inline(always)]
    fn improves(&mut self, index: usize, value: T) -> bool {
        let better = value < self.value || (value == self.value && index < self.index);
        if better {
            *self = Best { index, value };
        }
        better
    }

    fn found(self) -> Option<(usize, T)> {
        (self.index != usize::MAX).then_some((self.index, self.value))
    }
}

/// A node that is still to be visited, and what everything in it is not below, which is not negative: bits of such
/// numbers are in the order of the numbers, so that both make one number that can be compared. Of equals the node with the lower link
/// comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open(u64);

impl Open {
    #[inline(always)]
    fn new(lower: f32, link: u32) -> Self {
        // −0 is 0.
        let bits = lower.to_bits() & !(1 << 31);
        Open(u64::from(bits) << 32 | u64::from(link))
    }

    #[inline(always)]
    fn lower(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    fn link(self) -> u32 {
        self.0 as u32
    }
}

/// Pushes the children in these slots, nearer ones later, all but the nearest, which comes next: it need not go through
/// memory.
#[inline(always)]
fn push_all_but_nearest<V: Vector>(
    stack: &mut Stack<Open>,
    node: &Node<V>,
    mut slots: Slots,
    lower: &[f32; WIDTH],
) -> Option<Open> {
    let entry = |slot: usize| Open::new(lower[slot % WIDTH], node.links[slot % WIDTH]);
    // Most nodes lead to one or two others.
    let first = entry(slots.next()?);
    let Some(second) = slots.next() else { return Some(first) };
    let second = entry(second);
    let (near, far) = (first.min(second), first.max(second));
    if slots.0 == 0 {
        stack.push(far);
        return Some(near);
    }
    let mut sorted = [far; WIDTH];
    sorted[1] = near;
    let mut count = 2;
    for slot in slots {
        let new = entry(slot);
        let mut place = count;
        while 0 < place && sorted[place - 1] < new {
            sorted[place % WIDTH] = sorted[place - 1];
            place -= 1;
        }
        sorted[place % WIDTH] = new;
        count += 1;
    }
    let (near, far) = sorted.get(..count)?.split_last()?;
    far.iter().for_each(|open| stack.push(*open));
    Some(*near)
}
