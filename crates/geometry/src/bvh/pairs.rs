//! Pairs of boxes that overlap, by descending two trees, or one against itself, together.
//!
//! Two nodes are visited together when the boxes around them overlap, and of each only those children that meet the box around
//! the other: others cannot meet each other. So two tests of eight boxes leave few children, and each of these takes one more.
//!
//! Many pairs are collected in parallel. The descent is cut at pairs of nodes, as many as [`TASKS`] or a few more,
//! which depends on the trees only; each part has its own buffer, and what they found is sorted. So the
//! answer depends on nothing but the boxes.

use super::node::{Frame, Node, Slots, Small, WIDTH};
use super::probe::{Probe, in_lanes, row};
use super::stack::Stack;
use super::view::View;
use super::waiting::Waiting;
use crate::parallel;
use carom_math::Vector;
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, f32x8};
use core::ops::ControlFlow;

/// Two nodes whose children may overlap; a node with itself stands for all pairs below it.
#[derive(Clone, Copy, Debug)]
struct Both {
    a: u32,
    b: u32,
    /// The children of each that meet the box around the other.
    slots: [u8; 2],
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
#[derive(Clone, Debug, Default)]
pub struct PairParts {
    /// A part each.
    open: Vec<Both>,
    /// Memory for the next level.
    next: Vec<Both>,
    /// Pairs that were found while the search was cut.
    found: Vec<[u32; 2]>,
}

impl PairParts {
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
    pub(crate) fn cut(self, parts: &mut PairParts, count: usize) {
        let PairParts { open, next, found } = parts;
        open.clear();
        found.clear();
        open.extend(self.start());
        while !open.is_empty() && open.len() < count {
            next.clear();
            in_lanes!(simd => {
                let (mut waiting, keep) = (Waiting::none(), &mut |a, b| {
                    found.push([a, b]);
                    ControlFlow::<()>::Continue(())
                });
                for both in &*open {
                    let _ = self.step(simd, both, &mut waiting, &mut |both| next.push(both), keep);
                }
                let _ = self.settle(simd, &mut waiting, keep);
            });
            core::mem::swap(open, next);
        }
    }

    /// Calls `emit` for every pair of a part.
    pub(crate) fn visit_part<B>(
        self,
        parts: &PairParts,
        part: usize,
        mut emit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match parts.open.get(part) {
            Some(start) => in_lanes!(simd => self.below(simd, *start, &mut emit)),
            None if part == parts.open.len() => parts.found.iter().try_for_each(|[a, b]| emit(*a, *b)),
            None => ControlFlow::Continue(()),
        }
    }

    /// All pairs, sorted, the lower item of one tree first. `items` is more than any item of the first tree, and of the second. Other threads
    /// take a part of it if they may.
    pub(crate) fn collect(self, items: [usize; 2], shares_work: bool) -> Vec<[u32; 2]> {
        let (mut keys, mut parts) = (Vec::new(), PairParts::default());
        self.cut(&mut parts, if shares_work && parallel::is_on() { TASKS } else { 1 });
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

    fn start(&self) -> Option<Both> {
        self.first.node(self.first.root)?;
        self.second.node(self.second.root)?;
        Some(Both { a: self.first.root, b: self.second.root, slots: [u8::MAX; 2] })
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
        start: Both,
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut stack, mut waiting) = (Stack::with(start), Waiting::none());
        while let Some(both) = stack.pop() {
            self.step(simd, &both, &mut waiting, &mut |both| stack.push(both), emit)?;
        }
        self.settle(simd, &mut waiting, emit)
    }

    /// Whether boxes of both trees can be compared as they are.
    #[inline(always)]
    fn in_one_frame(&self) -> bool {
        Frame::<V>::EXACT || self.same
    }

    /// A box of one tree in the frame of the other.
    #[inline(always)]
    fn seen(&self, from: View<'_, V>, by: View<'_, V>, small: Small<V>) -> Small<V> {
        if self.in_one_frame() { small } else { by.frame.small(&from.frame.world(&small)) }
    }

    /// Goes one level down, and on to leaves where it meets them.
    #[inline(always)]
    fn step<S: Simd, B>(
        &self,
        simd: S,
        both: &Both,
        waiting: &mut Waiting,
        open: &mut impl FnMut(Both),
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if waiting.is_full() {
            self.settle(simd, waiting, emit)?;
        }
        let (Some(a), Some(b)) = (self.first.node(both.a), self.second.node(both.b)) else {
            return ControlFlow::Continue(());
        };
        let found = if self.same && both.a == both.b {
            for slot in Slots(self.wanted(a) & !u32::from(a.items)) {
                let link = a.links[slot];
                match self.first.node(link).filter(|below| is_leaf(below)) {
                    Some(leaf) => waiting.add_one(link, leaf, self.wanted(leaf)),
                    None => open(Both { a: link, b: link, slots: [u8::MAX; 2] }),
                }
            }
            self.among(simd, a)
        } else {
            self.between(simd, [a, b], both.slots.map(u32::from))
        };
        for (i, j) in found {
            self.pair(simd, (a, i), (b, j), waiting, open, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// The children of two nodes, in these slots, that meet the box around the other one.
    #[inline(always)]
    fn in_common<S: Simd>(
        &self,
        simd: S,
        [(above_a, i), (above_b, j)]: [(&Node<V>, usize); 2],
        [a, b]: [&Node<V>; 2],
    ) -> [u32; 2] {
        if self.in_one_frame() {
            let around = [Splat::of_slot(simd, above_a, i), Splat::of_slot(simd, above_b, j)];
            return [around[1].slots(simd, a), around[0].slots(simd, b)];
        }
        let seen_by_first = self.seen(self.second, self.first, above_b.small(j));
        let seen_by_second = self.seen(self.first, self.second, above_a.small(i));
        [seen_by_first.slots(simd, a), seen_by_second.slots(simd, b)]
    }

    /// The slots of a node that look for others.
    #[inline(always)]
    fn wanted(&self, node: &Node<V>) -> u32 {
        u32::from(if self.only_moved { node.boxed & node.moved } else { node.boxed })
    }

    /// The pairs of slots of one node whose boxes overlap, each once.
    ///
    /// They are collected before any is looked at: one loop over all of them ends once where nobody can guess it, not once for each slot.
    #[inline(always)]
    fn among<S: Simd>(&self, simd: S, node: &Node<V>) -> SlotPairs {
        let wanted = self.wanted(node);
        let mut found = 0;
        for slot in Slots(wanted) {
            // Of two that look for others the first finds the second.
            let others = u32::from(node.boxed) & !(wanted & ((2_u32 << slot) - 1));
            let met = Splat::of(simd, &node.small(slot)).slots(simd, node) & others;
            found |= u64::from(met) << (slot * WIDTH);
        }
        SlotPairs(found)
    }

    /// Of slots of two nodes that may meet, those that look for others, on either side, and what they look for on the other side.
    ///
    /// Only what moved looks for others, and of two that moved the first finds the second.
    #[inline(always)]
    fn looking(&self, [a, b]: [&Node<V>; 2], [slots_a, slots_b]: [u32; 2]) -> ([u32; 2], [u32; 2]) {
        let (slots_a, slots_b) = (slots_a & u32::from(a.boxed), slots_b & u32::from(b.boxed));
        let looking_a = slots_a & self.wanted(a);
        let others_a = slots_a & !looking_a;
        let looking_b = if self.only_moved { slots_b & u32::from(b.moved) } else { 0 };
        let looking_a = if slots_b == 0 { 0 } else { looking_a };
        let looking_b = if others_a == 0 { 0 } else { looking_b };
        ([looking_a, looking_b], [slots_b, others_a])
    }

    /// The pairs of slots of two nodes whose boxes overlap, of those slots that meet what both nodes have in common.
    ///
    /// Both sides in one loop, the end of which is hard to guess.
    #[inline(always)]
    fn between<S: Simd>(&self, simd: S, [a, b]: [&Node<V>; 2], [slots_a, slots_b]: [u32; 2]) -> SlotPairs {
        let ([looking_a, looking_b], [slots_b, others_a]) = self.looking([a, b], [slots_a, slots_b]);
        let mut found = 0;
        for k in Slots(looking_a | looking_b << WIDTH) {
            let (slot, is_first) = (k % WIDTH, k < WIDTH);
            let (holder, other, others) = if is_first { (a, b, slots_b) } else { (b, a, others_a) };
            let small = holder.small(slot);
            let small = match is_first {
                _ if self.in_one_frame() => small,
                true => self.seen(self.first, self.second, small),
                false => self.seen(self.second, self.first, small),
            };
            let met = u64::from(Splat::of(simd, &small).slots(simd, other) & others);
            found |= if is_first { met << (slot * WIDTH) } else { down(met) << slot };
        }
        SlotPairs(found)
    }

    /// Two items whose boxes overlap as nodes have them.
    #[inline(always)]
    pub(super) fn items<B>(
        &self,
        (a, i): (&Node<V>, usize),
        (b, j): (&Node<V>, usize),
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let sure = Frame::<V>::EXACT || self.first.item_box(a, i).overlaps(self.second.item_box(b, j));
        if sure { emit(a.links[i], b.links[j]) } else { ControlFlow::Continue(()) }
    }

    /// Two slots whose boxes overlap.
    #[inline(always)]
    fn pair<S: Simd, B>(
        &self,
        simd: S,
        (a, i): (&Node<V>, usize),
        (b, j): (&Node<V>, usize),
        waiting: &mut Waiting,
        open: &mut impl FnMut(Both),
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let are_items = (a.items >> i & 1 == 1, b.items >> j & 1 == 1);
        if are_items != (false, false) {
            // What waits comes first.
            self.settle(simd, waiting, emit)?;
        }
        match are_items {
            (true, true) => self.items((a, i), (b, j), emit)?,
            (false, false) => {
                let (link_a, link_b) = (a.links[i], b.links[j]);
                let (Some(below_a), Some(below_b)) = (self.first.node(link_a), self.second.node(link_b))
                else {
                    return ControlFlow::Continue(());
                };
                let slots = self.in_common(simd, [(a, i), (b, j)], [below_a, below_b]);
                if self.in_one_frame() && is_leaf(below_a) && is_leaf(below_b) {
                    let (looking, others) = self.looking([below_a, below_b], slots);
                    waiting.add_two([link_a, link_b], looking, others);
                } else if slots[0] != 0 && slots[1] != 0 {
                    open(Both { a: link_a, b: link_b, slots: slots.map(|set| set as u8) });
                }
            }
            (true, false) => {
                let all = !self.only_moved || a.moved >> i & 1 == 1;
                let small = self.seen(self.first, self.second, a.small(i));
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
        ControlFlow::Continue(())
    }
}

/// Pairs of slots of two nodes: a byte for each slot of the first, a bit for each of the second.
#[derive(Clone, Copy)]
struct SlotPairs(u64);

impl Iterator for SlotPairs {
    type Item = (usize, usize);
    #[inline(always)]
    fn next(&mut self) -> Option<(usize, usize)> {
        if self.0 == 0 {
            return None;
        }
        let at = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some((at / WIDTH, at % WIDTH))
    }
}

/// Bit k of a byte as the lowest bit of byte k: a copy in each byte, of which byte k keeps bit k, carried to its top.
#[inline(always)]
pub(super) fn down(byte: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let kept = (byte * EACH) & 0x8040_2010_0804_0201;
    ((kept + 0x7F * EACH) >> 7) & EACH
}

/// Whether a node holds items only.
#[inline(always)]
fn is_leaf<V: Vector>(node: &Node<V>) -> bool {
    node.items == node.used
}

/// A box in all lanes: along each axis the lower and the upper end.
#[derive(Clone, Copy)]
pub(super) struct Splat<S: Simd>([[f32x8<S>; 2]; 3]);

impl<S: Simd> Splat<S> {
    #[inline(always)]
    pub(super) fn of<V: Vector>(simd: S, small: &Small<V>) -> Self {
        let ends = small.0.as_ref();
        let mut all = [[f32x8::splat(simd, 0.0); 2]; 3];
        for axis in 0..V::DIM {
            all[axis] = [f32x8::splat(simd, ends[axis][0]), f32x8::splat(simd, ends[axis][1])];
        }
        Splat(all)
    }

    /// The box in a slot.
    #[inline(always)]
    pub(super) fn of_slot<V: Vector>(simd: S, node: &Node<V>, slot: usize) -> Self {
        let rows = node.rows.as_ref();
        let mut all = [[f32x8::splat(simd, 0.0); 2]; 3];
        for axis in 0..V::DIM {
            let [low, high] = &rows[axis];
            all[axis] = [f32x8::splat(simd, low[slot % WIDTH]), f32x8::splat(simd, high[slot % WIDTH])];
        }
        Splat(all)
    }

    /// The boxes of a node that overlap this one.
    #[inline(always)]
    pub(super) fn slots<V: Vector>(&self, simd: S, node: &Node<V>) -> u32 {
        let (rows, ends) = (node.rows.as_ref(), &self.0);
        let mut all = row(simd, &rows[0][0]).simd_le(ends[0][1]) & row(simd, &rows[0][1]).simd_ge(ends[0][0]);
        for axis in 1..V::DIM {
            let [low, high] = ends[axis];
            all &= row(simd, &rows[axis][0]).simd_le(high) & row(simd, &rows[axis][1]).simd_ge(low);
        }
        all.to_bitmask() as u32
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
