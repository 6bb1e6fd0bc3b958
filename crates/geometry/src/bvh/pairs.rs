//! Pairs of boxes that overlap, by descending two trees, or one against itself, together.
//!
//! Two nodes are visited together when the boxes of their slots overlap, with what both boxes have in
//! common: children that do not meet that cannot meet each other. So two tests of eight boxes leave few
//! children, and each of these takes one more.
//!
//! Many pairs are collected in parallel. The descent is cut at pairs of nodes, as many as [`TASKS`] or a few more,
//! which depends on the trees only; each part has its own buffer, and what they found is sorted. So the
//! answer depends on nothing but the boxes.

use super::node::{Frame, Node, Slots, Small};
use super::probe::{Probe, in_lanes};
use super::stack::Stack;
use super::view::View;
use crate::parallel;
use carom_math::prelude_simd::Simd;
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

/// Two nodes whose children may overlap; a node with itself stands for all pairs below it.
#[derive(Clone, Copy, Debug)]
struct Both<V: Vector> {
    a: u32,
    b: u32,
    /// What the boxes of both nodes have in common, in the frame of the first tree.
    common: Small<V>,
}

/// Two trees, or one taken twice.
#[derive(Clone, Copy)]
pub(crate) struct Two<'a, V: Vector> {
    pub(crate) first: View<'a, V>,
    pub(crate) second: View<'a, V>,
    /// Both are the same, and pairs are to be found once.
    pub(crate) same: bool,
    /// Only pairs of which one item moved lately.
    pub(crate) only_moved: bool,
}

/// A search for pairs that is cut into parts, for whoever has threads of his own; kept for its memory.
///
/// Made by [`DynamicBvh::cut_moved_pairs`](super::DynamicBvh::cut_moved_pairs).
#[derive(Clone, Debug)]
pub struct PairParts<V: Vector> {
    /// A part each.
    open: Vec<Both<V>>,
    /// Memory for the next level.
    next: Vec<Both<V>>,
    /// Pairs that were found while the search was cut.
    found: Vec<[u32; 2]>,
}

impl<V: Vector> Default for PairParts<V> {
    fn default() -> Self {
        PairParts { open: Vec::new(), next: Vec::new(), found: Vec::new() }
    }
}

impl<V: Vector> PairParts<V> {
    /// How many parts there are; the pairs that are known already are one.
    #[must_use]
    pub fn len(&self) -> usize {
        self.open.len() + 1
    }
    /// There is always a part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// How many pairs of nodes are given away at least, if there are as many.
const TASKS: usize = 128;

impl<V: Vector> Two<'_, V> {
    /// Calls `emit` for every pair, until it breaks. Pairs of one tree come in either order.
    pub(crate) fn visit<B>(self, mut emit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        let Some(start) = self.start() else { return ControlFlow::Continue(()) };
        in_lanes!(simd => self.below(simd, start, &mut emit))
    }

    /// Cuts the search into so many parts, if there are as many, breadth first so that they are of about one size.
    pub(crate) fn cut(self, parts: &mut PairParts<V>, count: usize) {
        let PairParts { open, next, found } = parts;
        open.clear();
        found.clear();
        open.extend(self.start());
        while !open.is_empty() && open.len() < count {
            next.clear();
            in_lanes!(simd => for both in &*open {
                let _ = self.step(simd, both, &mut |both| next.push(both), &mut |a, b| {
                    found.push([a, b]);
                    ControlFlow::<()>::Continue(())
                });
            });
            core::mem::swap(open, next);
        }
    }

    /// Calls `emit` for every pair of a part.
    pub(crate) fn visit_part<B>(
        self,
        parts: &PairParts<V>,
        part: usize,
        mut emit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match parts.open.get(part) {
            Some(start) => in_lanes!(simd => self.below(simd, *start, &mut emit)),
            None if part == parts.open.len() => parts.found.iter().try_for_each(|[a, b]| emit(*a, *b)),
            None => ControlFlow::Continue(()),
        }
    }

    /// All pairs, sorted, the lower item of one tree first. `items` is more than any item of the first tree, and of the second.
    pub(crate) fn collect(self, items: [usize; 2]) -> Vec<[u32; 2]> {
        let (mut keys, mut parts) = (Vec::new(), PairParts::default());
        self.cut(&mut parts, if parallel::is_on() { TASKS } else { 1 });
        for [a, b] in parts.found {
            let _ = self.keep(&mut keys, a, b);
        }
        let parts = parallel::map(chunks(parts.open), |part| {
            let mut keys = Vec::new();
            in_lanes!(simd => for start in part {
                let _ = self.below(simd, start, &mut |a, b| self.keep(&mut keys, a, b));
            });
            keys
        });
        keys.reserve(parts.iter().map(Vec::len).sum());
        parts.into_iter().for_each(|part| keys.extend(part));
        sorted(keys, items)
    }

    fn start(&self) -> Option<Both<V>> {
        let common = self.first.node(self.first.root)?.union();
        self.second.node(self.second.root)?;
        Some(Both { a: self.first.root, b: self.second.root, common })
    }

    /// Keeps a pair as one number.
    #[inline(always)]
    fn keep(&self, keys: &mut Vec<u64>, a: u32, b: u32) -> ControlFlow<()> {
        let (a, b) = if self.same && b < a { (b, a) } else { (a, b) };
        keys.push(u64::from(a) << 32 | u64::from(b));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn below<S: Simd, B>(
        self,
        simd: S,
        start: Both<V>,
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut stack = Stack::with(start);
        while let Some(both) = stack.pop() {
            self.step(simd, &both, &mut |both| stack.push(both), emit)?;
        }
        ControlFlow::Continue(())
    }

    /// A box of one tree in the frame of the other.
    #[inline(always)]
    fn seen(&self, from: View<'_, V>, by: View<'_, V>, small: Small<V>) -> Small<V> {
        if Frame::<V>::EXACT || self.same { small } else { by.frame.small(&from.frame.world(&small)) }
    }

    /// Goes one level down.
    #[inline(always)]
    fn step<S: Simd, B>(
        &self,
        simd: S,
        both: &Both<V>,
        open: &mut impl FnMut(Both<V>),
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (Some(a), Some(b)) = (self.first.node(both.a), self.second.node(both.b)) else {
            return ControlFlow::Continue(());
        };
        let alone = self.same && both.a == both.b;
        let (mut slots_a, mut slots_b) = (u32::from(a.boxed), u32::from(b.boxed));
        if alone {
            if self.only_moved && a.moved == 0 {
                return ControlFlow::Continue(());
            }
            for slot in Slots(slots_a & !u32::from(a.items)) {
                if !self.only_moved || a.moved >> slot & 1 == 1 {
                    open(Both { a: a.links[slot], b: a.links[slot], common: a.small(slot) });
                }
            }
        } else {
            slots_a &= both.common.slots(simd, a);
            slots_b &= self.seen(self.first, self.second, both.common).slots(simd, b);
        }
        for i in Slots(slots_a) {
            let small = a.small(i);
            let mut met = self.seen(self.first, self.second, small).slots(simd, b) & slots_b;
            if alone {
                met &= u32::MAX << i << 1;
            }
            if self.only_moved && a.moved >> i & 1 == 0 {
                met &= u32::from(b.moved);
            }
            for j in Slots(met) {
                match (a.items >> i & 1 == 1, b.items >> j & 1 == 1) {
                    (true, true) => {
                        let sure = Frame::<V>::EXACT
                            || self.first.item_box(a, i).overlaps(self.second.item_box(b, j));
                        if sure {
                            emit(a.links[i], b.links[j])?;
                        }
                    }
                    (false, false) => {
                        let common = in_both(&small, &self.seen(self.second, self.first, b.small(j)));
                        open(Both { a: a.links[i], b: b.links[j], common });
                    }
                    (true, false) => {
                        let all = !self.only_moved || a.moved >> i & 1 == 1;
                        let small = self.seen(self.first, self.second, small);
                        meet(simd, (self.first, a, i, small), (self.second, b.links[j]), all, &mut |b| {
                            emit(a.links[i], b)
                        })?;
                    }
                    (false, true) => {
                        let all = !self.only_moved || b.moved >> j & 1 == 1;
                        let small = self.seen(self.second, self.first, b.small(j));
                        meet(simd, (self.second, b, j, small), (self.first, a.links[i]), all, &mut |a| {
                            emit(a, b.links[j])
                        })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The items below a node that an item meets; all of them, or those that moved.
#[inline(always)]
fn meet<S: Simd, V: Vector, B>(
    simd: S,
    (view, holder, slot, small): (View<'_, V>, &Node<V>, usize, Small<V>),
    (other, below): (View<'_, V>, u32),
    all: bool,
    emit: &mut impl FnMut(u32) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut stack = Stack::with(below);
    while let Some(at) = stack.pop() {
        let Some(node) = other.node(at) else { continue };
        let wanted = if all { node.boxed } else { node.boxed & node.moved };
        let met = small.slots(simd, node) & u32::from(wanted);
        for j in Slots(met) {
            if node.items >> j & 1 == 0 {
                stack.push(node.links[j]);
            } else if Frame::<V>::EXACT || view.item_box(holder, slot).overlaps(other.item_box(node, j)) {
                emit(node.links[j])?;
            }
        }
    }
    ControlFlow::Continue(())
}

#[inline(always)]
fn in_both<V: Vector>(a: &Small<V>, b: &Small<V>) -> Small<V> {
    let (a, b) = (a.0.as_ref(), b.0.as_ref());
    Small(V::axes(|k| [b[k][0].max_of(a[k][0]), b[k][1].min_of(a[k][1])]))
}

/// About [`TASKS`] chunks, in order.
fn chunks<T>(all: Vec<T>) -> Vec<Vec<T>> {
    let length = all.len().div_ceil(TASKS).max(1);
    let mut chunks = Vec::with_capacity(TASKS);
    let mut rest = all.into_iter();
    loop {
        let chunk: Vec<T> = rest.by_ref().take(length).collect();
        if chunk.is_empty() {
            return chunks;
        }
        chunks.push(chunk);
    }
}

/// How many bits are sorted at a time: 4,096 counters stay in the fastest cache.
const DIGIT: u32 = 12;

/// Pairs in order, from the lowest digit to the highest. Pairs differ, so the order is certain.
fn sorted(mut keys: Vec<u64>, items: [usize; 2]) -> Vec<[u32; 2]> {
    let pair = |first: u64, second: u64| [first as u32, second as u32];
    if keys.len() < 256 {
        keys.sort_unstable();
        return keys.into_iter().map(|key| pair(key >> 32, key & u64::from(u32::MAX))).collect();
    }
    let bits = |count: usize| usize::BITS - count.leading_zeros();
    let (high, low) = (bits(items[0]), bits(items[1]).min(32));
    // The bits between the two are all zero: they are taken out first.
    let mask = (1_u64 << low) - 1;
    keys.iter_mut().for_each(|key| *key = *key >> 32 << low | *key & mask);
    let mut other = vec![0; keys.len()];
    for shift in (0..high + low).step_by(DIGIT as usize) {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut places = [0_u32; 1 << DIGIT];
        keys.iter().for_each(|key| places[digit(*key)] += 1);
        let mut sum = 0;
        for place in &mut places {
            sum += core::mem::replace(place, sum);
        }
        for key in &keys {
            let place = &mut places[digit(*key)];
            other[*place as usize] = *key;
            *place += 1;
        }
        core::mem::swap(&mut keys, &mut other);
    }
    keys.into_iter().map(|key| pair(key >> low, key & mask)).collect()
}
