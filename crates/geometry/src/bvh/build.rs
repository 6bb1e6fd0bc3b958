//! Building a tree from above, by binned surface areas.
//!
//! The cost of a tree is about the sum of its boxes' surfaces (MacDonald and Booth 1990): a part of the items
//! is split where surface·count of both sides is least, tried at the borders of up to 16 bins
//! along the longest axis of the centres (Wald 2007). A node opens the part with the largest surface
//! again and again until it has eight (Wald, Benthin and Boulos 2008), so no binary tree is ever made.
//!
//! Each split reads a part once to fill the bins, which know the boxes of both sides and of their
//! centres, and once to copy it, left and right, into a second buffer, without a branch that depends
//! on the data. Upper ends are kept negated, so that one minimum of eight numbers unites two boxes. Where bins cannot tell (coincident centres, infinities), or when binning has gone on for twice as
//! many levels as halving would have, the part is halved, so that depth is O(log n) for any boxes.
//!
//! Parts are independent, and each is done in the same way whoever does it: the tree does not depend on the number of threads.
//! Nodes lie in depth-first order, parents before children.

use super::node::{NOWHERE, Node, Small, WIDTH};
use super::probe::{in_lanes, row};
use crate::parallel;
use carom_math::prelude_simd::{Simd, SimdBase};
use carom_math::{Number, Vector};

/// An item on its way into the tree: its box, the third axis being 0 in the plane. The fourth numbers
/// carry the item, 16 bits each, as whole numbers: raw bits would be subnormal, and vectors with such a lane are
/// multiplied slowly.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Record(Extent);

impl Record {
    /// The record of an item with this box. An item with an empty box has to be somewhere too: it is
    /// put at `fallback`, a point among the other boxes.
    #[inline]
    pub(crate) fn new<V: Vector>(item: u32, small: &Small<V>, fallback: [f32; 3]) -> Self {
        let ends = small.0.as_ref();
        let mut around = Extent { ends: [0.0; 8] };
        for axis in 0..V::DIM {
            let at = fallback[axis];
            around.set(axis, if small.is_empty() { [at, at] } else { ends[axis] });
        }
        Self::of(item, around)
    }

    /// The record of an item around some points, each an interval along each axis.
    #[inline(always)]
    pub(crate) fn around(item: u32, points: impl Iterator<Item = Extent>) -> Self {
        let mut all = Extent::EMPTY;
        points.for_each(|point| all.include(&point));
        Self::of(item, all)
    }

    #[inline(always)]
    fn of(item: u32, mut around: Extent) -> Self {
        around.ends[3] = (item & 0xFFFF) as f32;
        around.ends[7] = (item >> 16) as f32;
        Record(around)
    }

    #[inline(always)]
    fn item(&self) -> u32 {
        (self.0.ends[7] as u32) << 16 | self.0.ends[3] as u32
    }

    /// Twice the centre, as a box. Ends are kept from infinity, so that there is one; in a part that is `NEAR` they are anyway.
    #[inline(always)]
    fn doubled_center<const NEAR: bool>(&self) -> Extent {
        let mut ends = [0.0; 8];
        for k in 0..4 {
            let center = self.doubled_center_along::<NEAR>(k);
            (ends[k], ends[k + 4]) = (center, -center);
        }
        Extent { ends }
    }

    #[inline(always)]
    fn doubled_center_along<const NEAR: bool>(&self, axis: usize) -> f32 {
        let (low, minus_high) = (self.0.ends[axis % 4], self.0.ends[axis % 4 + 4]);
        let near = |x: f32| if NEAR { x } else { x.max_of(-FAR).min_of(FAR) };
        near(low) - near(minus_high)
    }
}

/// Twice as much is still finite, and so is the difference of two that are.
const FAR: f32 = f32::MAX / 4.0;

/// A box: four lower ends, then four upper ends with the other sign. The fourth of either means nothing.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Extent {
    ends: [f32; 8],
}

impl Extent {
    const EMPTY: Extent = Extent { ends: [f32::INFINITY; 8] };

    /// The box with these ends along each axis.
    #[inline(always)]
    pub(crate) fn of<V: Vector>(small: &Small<V>) -> Self {
        let mut own = Extent { ends: [0.0; 8] };
        for axis in 0..V::DIM {
            own.set(axis, small.0.as_ref()[axis]);
        }
        own
    }

    #[inline(always)]
    fn set(&mut self, axis: usize, [low, high]: [f32; 2]) {
        (self.ends[axis % 4], self.ends[axis % 4 + 4]) = (low, -high);
    }

    #[inline(always)]
    fn include(&mut self, other: &Extent) {
        for k in 0..8 {
            self.ends[k] = other.ends[k].min_of(self.ends[k]);
        }
    }

    /// The same in lanes. There is no NaN, and zeros of either sign are as good as each other.
    #[inline(always)]
    fn include_in_lanes<S: Simd>(&mut self, simd: S, other: &Extent) {
        self.ends = *row(simd, &other.ends).min(row(simd, &self.ends)).as_array();
    }

    #[inline(always)]
    fn low(&self, axis: usize) -> f32 {
        self.ends[axis % 4]
    }

    #[inline(always)]
    fn high(&self, axis: usize) -> f32 {
        -self.ends[axis % 4 + 4]
    }

    #[inline(always)]
    fn size(&self, axis: usize) -> f32 {
        self.high(axis) - self.low(axis)
    }

    /// Whether all ends lie between −[`FAR`] and [`FAR`].
    #[inline(always)]
    fn is_near(&self) -> bool {
        (0..3).fold(true, |all, k| all & (-FAR < self.low(k)) & (self.high(k) < FAR))
    }

    #[inline(always)]
    fn measure(&self, plane: bool) -> f32 {
        let [x, y, z] = [self.size(0), self.size(1), self.size(2)];
        if plane { x + y } else { x * y + y * z + z * x }
    }

    #[inline(always)]
    fn small<V: Vector>(&self) -> Small<V> {
        Small(V::axes(|axis| [self.low(axis), self.high(axis)]))
    }
}

/// Items that will be together under one slot, with a second buffer of the same length.
struct Part<'a> {
    records: &'a mut [Record],
    spare: &'a mut [Record],
    bounds: Extent,
    /// Of the doubled centres.
    centers: Extent,
    /// The surface of the bounds.
    measure: f32,
    /// How often the whole has been split to get here.
    splits: u32,
}

/// What a tree shall look like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// As the surfaces have it; items at any depth.
    Free,
    /// All items equally deep, so many levels below the root: the form of trees that change. There must be
    /// no more items than [`capacity`] has it.
    Even(u32),
}

/// The most items below a node of an even tree, when it is built: eight in a leaf, and above it
/// seven full children, so that splits need not be exact.
pub(crate) fn capacity(level: u32) -> usize {
    7_usize.saturating_pow(level).saturating_mul(WIDTH)
}

/// The level of the root of an even tree of so many items; leaves have level 0.
pub(crate) fn even_level(count: usize) -> u32 {
    (0..).find(|&level| count <= capacity(level)).unwrap_or(u32::MAX)
}

/// How many items a task must have to be given away.
const GRAIN: usize = 4096;

/// The nodes of the tree over these records, root first; none for no records.
pub(crate) fn build<V: Vector>(records: &mut [Record], form: Form) -> Vec<Node<V>> {
    if records.is_empty() {
        return Vec::new();
    }
    let mut spare = records.to_vec();
    let level = if let Form::Even(level) = form { level } else { 0 };
    let halvings = usize::BITS - records.len().leading_zeros();
    let plan = Plan { form, plane: V::DIM == 2, split_limit: 2 * halvings };
    let whole = Part::new(records, &mut spare, 0, plan.plane);
    let mut nodes = Vec::with_capacity(whole.records.len() / 4 + 1);
    if GRAIN < whole.records.len() && parallel::is_on() {
        plan.grow::<V>(whole, level).append_to(&mut nodes);
    } else {
        let mut numbers = vec![0; whole.records.len()];
        plan.emit(whole, level, &mut nodes, &mut numbers);
    }
    nodes
}

struct Plan {
    form: Form,
    plane: bool,
    /// Parts that were split so often are halved.
    split_limit: u32,
}

/// A tree whose parts were built apart.
enum Grown<V: Vector> {
    Nodes(Vec<Node<V>>),
    Node(Box<Node<V>>, Vec<(usize, Grown<V>)>),
}

impl<V: Vector> Grown<V> {
    /// Appends the nodes in depth-first order: the order in which one thread makes them.
    fn append_to(self, nodes: &mut Vec<Node<V>>) {
        let base = nodes.len() as u32;
        match self {
            Grown::Nodes(below) => nodes.extend(below.into_iter().map(|mut node| {
                for slot in Node::<V>::slots(node.used & !node.items) {
                    node.links[slot] += base;
                }
                node
            })),
            Grown::Node(node, children) => {
                nodes.push(*node);
                for (slot, child) in children {
                    nodes[base as usize].links[slot] = nodes.len() as u32;
                    child.append_to(nodes);
                }
            }
        }
    }
}

/// What goes into one slot of a node.
enum Child<'a, 'r> {
    Item(&'r Record),
    Below(Part<'a>),
}

impl Plan {
    /// Builds the parts of large nodes side by side.
    fn grow<V: Vector>(&self, part: Part<'_>, level: u32) -> Grown<V> {
        let mut numbers = vec![0; part.records.len()];
        if part.records.len() <= GRAIN {
            let mut nodes = Vec::with_capacity(part.records.len() / 4 + 1);
            self.emit(part, level, &mut nodes, &mut numbers);
            return Grown::Nodes(nodes);
        }
        let mut node = Node::empty();
        let mut below = Vec::with_capacity(WIDTH);
        let mut slots = 0..WIDTH;
        self.children(part, level, &mut numbers, |child, _| {
            let slot = slots.next().unwrap_or_default();
            if let Some(part) = put(&mut node, slot, child) {
                below.push((slot, part));
            }
        });
        let grown = parallel::map(below, |(slot, part)| (slot, self.grow(part, level.saturating_sub(1))));
        Grown::Node(Box::new(node), grown)
    }

    /// Appends the tree over a part. `numbers` is memory for as many bytes as there are items.
    fn emit<V: Vector>(&self, part: Part<'_>, level: u32, nodes: &mut Vec<Node<V>>, numbers: &mut [u8]) {
        let at = nodes.len();
        nodes.push(Node::empty());
        if self.is_leaf(&part, level) {
            if let Some(node) = nodes.last_mut() {
                for (slot, record) in part.records.iter().enumerate() {
                    node.put_whole(slot, record.item(), true, &record.0.small());
                }
            }
            return;
        }
        let mut slots = 0..WIDTH;
        self.children(part, level, numbers, |child, numbers| {
            let slot = slots.next().unwrap_or_default();
            if let Some(part) = put(&mut nodes[at], slot, child) {
                nodes[at].links[slot] = nodes.len() as u32;
                self.emit(part, level.saturating_sub(1), nodes, numbers);
            }
        });
    }

    /// Whether the node over this part holds its items.
    #[inline(always)]
    fn is_leaf(&self, part: &Part<'_>, level: u32) -> bool {
        part.records.len() <= WIDTH && (level == 0 || matches!(self.form, Form::Free))
    }

    /// Visits what the node over this part holds: at most eight children.
    fn children<'a>(
        &self,
        part: Part<'a>,
        level: u32,
        numbers: &mut [u8],
        mut add: impl FnMut(Child<'a, '_>, &mut [u8]),
    ) {
        if self.is_leaf(&part, level) {
            part.records.iter().for_each(|record| add(Child::Item(record), numbers));
            return;
        }
        let mut parts: [Option<Part<'a>>; WIDTH] = [const { None }; WIDTH];
        parts[0] = Some(part);
        let mut count = 1;
        let (full, room) = match self.form {
            Form::Free => (WIDTH, Room { slots: WIDTH, of: usize::MAX }),
            Form::Even(_) => {
                let below = capacity(level.saturating_sub(1));
                (below, Room { slots: WIDTH, of: below })
            }
        };
        while count < WIDTH {
            let mut widest: Option<(usize, f32, usize)> = None;
            let mut taken = 0;
            for (k, part) in parts[..count].iter().enumerate() {
                let Some(part) = part else { continue };
                taken += room.needed(part.records.len());
                let (measure, length) = (part.measure, part.records.len());
                // Of equals the one with more items. NaN, a flat box that is infinitely long, counts as wider
                // than what came before.
                let wider = !widest
                    .is_some_and(|(_, most, items)| measure < most || (measure == most && length <= items));
                if full < length && wider {
                    widest = Some((k, measure, length));
                }
            }
            let Some((k, _, length)) = widest else { break };
            let needed = room.needed(length);
            // In the middle, or next to it where both sides fill their slots.
            let wanted = needed.max(2);
            let middle = (length * wanted.div_ceil(2)).div_ceil(wanted);
            let room = Room { slots: WIDTH - taken + needed, ..room };
            self.split(&mut parts, [k, count], middle, room, numbers);
            count += 1;
        }
        if let Form::Free = self.form {
            dissolve(&mut parts, WIDTH - count, |item| add(item, numbers));
        }
        parts.into_iter().flatten().for_each(|part| add(Child::Below(part), numbers));
    }

    /// Splits the first of two parts, which has two items or more; the second comes to be. Both have `room`, or it is parted in the `middle`.
    ///
    /// They stay where they are: to hand them on would take as long as to split a small one.
    fn split(
        &self,
        parts: &mut [Option<Part<'_>>; WIDTH],
        [from, to]: [usize; 2],
        middle: usize,
        room: Room,
        numbers: &mut [u8],
    ) {
        in_lanes!(simd => {
            if let Some(part) = parts[from % WIDTH].take() {
                let (left, right) = self.halves(simd, part, middle, room, numbers);
                parts[from % WIDTH] = Some(left);
                parts[to % WIDTH] = Some(right);
            }
        });
    }

    #[inline(always)]
    fn halves<'a, S: Simd>(
        &self,
        simd: S,
        part: Part<'a>,
        middle: usize,
        room: Room,
        numbers: &mut [u8],
    ) -> (Part<'a>, Part<'a>) {
        let (mut axis, mut size) = (0, part.centers.size(0));
        for other in 1..3 {
            if size < part.centers.size(other) {
                (axis, size) = (other, part.centers.size(other));
            }
        }
        let (spread, along, plane) = (0.0 < size, (axis, size), self.plane);
        if self.split_limit <= part.splits || !spread {
            return part.parted_at(middle, axis, plane);
        }
        match part.bounds.is_near() {
            true if part.records.len() <= 48 => {
                binned::<8, 1, true, _>(simd, part, along, (middle, room), plane, numbers)
            }
            true => binned::<16, 2, true, _>(simd, part, along, (middle, room), plane, numbers),
            false => binned::<16, 2, false, _>(simd, part, along, (middle, room), plane, numbers),
        }
    }
}

/// How many slots two parts may take, and how many items go into one.
#[derive(Clone, Copy)]
struct Room {
    slots: usize,
    of: usize,
}

impl Room {
    /// How many slots so many items take at least.
    #[inline(always)]
    fn needed(&self, items: usize) -> usize {
        // Where items may go as deep as they like, nothing is to be divided.
        if self.of == usize::MAX { 1 } else { items.div_ceil(self.of) }
    }

    #[inline(always)]
    fn holds(&self, left: usize, right: usize) -> bool {
        self.needed(left) + self.needed(right) <= self.slots
    }
}

/// Splits a part where it costs least, along an axis along which its centres have this size.
///
/// Neighbours in the list often fall into one bin, and each would wait for the one before to come back from memory: in large parts
/// every second one goes into a set of bins of its own.
#[inline(always)]
fn binned<'a, const BINS: usize, const SETS: usize, const NEAR: bool, S: Simd>(
    simd: S,
    part: Part<'a>,
    (axis, size): (usize, f32),
    (middle, room): (usize, Room),
    plane: bool,
    numbers: &mut [u8],
) -> (Part<'a>, Part<'a>) {
    let last = BINS as u32 - 1;
    let binning = Binning { axis, first: part.centers.low(axis), per_length: last as f32 / size, mask: last };
    let mut sets = [[Bin::EMPTY; BINS]; SETS];
    let Some(numbers) = numbers.get_mut(..part.records.len()) else {
        return part.parted_at(middle, axis, plane);
    };
    // The number of each record's bin is kept: to split them takes another look at it.
    let (several, rest) = part.records.as_chunks::<SETS>();
    let (several_numbers, rest_numbers) = numbers.as_chunks_mut::<SETS>();
    for (records, numbers) in several.iter().zip(several_numbers) {
        for k in 0..SETS {
            numbers[k] = binning.of::<NEAR>(&records[k]);
            sets[k][usize::from(numbers[k]) % BINS].take::<NEAR, S>(simd, &records[k]);
        }
    }
    let Some((bins, others)) = sets.split_first_mut() else { return part.parted_at(middle, axis, plane) };
    for (record, number) in rest.iter().zip(rest_numbers) {
        *number = binning.of::<NEAR>(record);
        bins[usize::from(*number) % BINS].take::<NEAR, S>(simd, record);
    }
    for other in others.iter() {
        for (bin, other) in bins.iter_mut().zip(other) {
            bin.add(simd, other);
        }
    }
    // What everything from bin k on costs, then everything before it.
    let mut costs_behind = [(0, 0.0); BINS];
    let mut behind = Bin::EMPTY;
    for k in (1..BINS).rev() {
        behind.add(simd, &bins[k]);
        costs_behind[k] = (behind.count, behind.cost(plane));
    }
    let mut before = Bin::EMPTY;
    let mut best: Option<(usize, f32)> = None;
    for k in 1..BINS {
        before.add(simd, &bins[k - 1]);
        let (left, (right, cost_right)) = (before.count, costs_behind[k]);
        if left == 0 || right == 0 || !room.holds(left as usize, right as usize) {
            continue;
        }
        let cost = before.cost(plane) + cost_right;
        // NaN and infinity never are the best.
        if cost < best.map_or(f32::INFINITY, |(_, least)| least) {
            best = Some((k, cost));
        }
    }
    let Some((border, _)) = best else { return part.parted_at(middle, axis, plane) };
    let (mut left, mut right) = (Bin::EMPTY, Bin::EMPTY);
    for bin in &bins[..border] {
        left.add(simd, bin);
    }
    for bin in &bins[border..] {
        right.add(simd, bin);
    }
    part.parted(numbers, border as u8, [&left, &right], plane)
}

/// Puts a child into a slot; what is below it is returned, and its link is still to come.
#[inline(always)]
fn put<'a, V: Vector>(node: &mut Node<V>, slot: usize, child: Child<'a, '_>) -> Option<Part<'a>> {
    match child {
        Child::Item(record) => {
            node.put_whole(slot, record.item(), true, &record.0.small());
            None
        }
        Child::Below(part) => {
            node.put_whole(slot, NOWHERE, false, &part.bounds.small());
            Some(part)
        }
    }
}

/// Fills so many slots that are left with the items of the smallest parts, which then need no node.
fn dissolve<'a>(parts: &mut [Option<Part<'a>>; WIDTH], mut free: usize, mut add: impl FnMut(Child<'a, '_>)) {
    let mut lengths = [usize::MAX; WIDTH];
    for (length, part) in lengths.iter_mut().zip(parts.iter()) {
        *length = part.as_ref().map_or(usize::MAX, |part| part.records.len());
    }
    loop {
        let (mut k, mut least) = (0, lengths[0]);
        for (other, length) in lengths.into_iter().enumerate() {
            (k, least) = if length < least { (other, length) } else { (k, least) };
        }
        if free + 1 < least {
            return;
        }
        free = free + 1 - least;
        lengths[k] = usize::MAX;
        if let Some(part) = parts[k].take() {
            part.records.iter().for_each(|record| add(Child::Item(record)));
        }
    }
}

/// Which bin a centre falls into.
struct Binning {
    axis: usize,
    first: f32,
    /// From the first bin to the last over the whole length.
    per_length: f32,
    /// The last bin: all bits of the numbers of bins.
    mask: u32,
}

impl Binning {
    /// Adding 2²³, beyond which there are no fractions, rounds to whole numbers, which are the last bits then. So bins
    /// have their middles at whole numbers, and the first and the last are half as wide; clamping and
    /// casting would take twice the instructions. What is no number, for lengths whose reciprocal overflows, has zeros there.
    #[inline(always)]
    fn of<const NEAR: bool>(&self, record: &Record) -> u8 {
        const WHOLE: f32 = 8_388_608.0;
        let along = record.doubled_center_along::<NEAR>(self.axis) - self.first;
        ((along * self.per_length + WHOLE).to_bits() & self.mask) as u8
    }
}

#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Bin {
    bounds: Extent,
    centers: Extent,
    count: u32,
}

impl Bin {
    const EMPTY: Bin = Bin { bounds: Extent::EMPTY, centers: Extent::EMPTY, count: 0 };

    #[inline(always)]
    fn take<const NEAR: bool, S: Simd>(&mut self, simd: S, record: &Record) {
        self.bounds.include_in_lanes(simd, &record.0);
        self.centers.include_in_lanes(simd, &record.doubled_center::<NEAR>());
        self.count += 1;
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, other: &Bin) {
        self.bounds.include_in_lanes(simd, &other.bounds);
        self.centers.include_in_lanes(simd, &other.centers);
        self.count += other.count;
    }

    /// The surface times the number of items, rounded up to full quarters of a node: a node that is
    /// half empty costs as much as a full one.
    #[inline(always)]
    fn cost(&self, plane: bool) -> f32 {
        self.bounds.measure(plane) * (self.count.div_ceil(4) as f32)
    }
}

impl<'a> Part<'a> {
    /// The part of these records, looked through once.
    fn new(records: &'a mut [Record], spare: &'a mut [Record], splits: u32, plane: bool) -> Self {
        let (mut bounds, mut centers) = (Extent::EMPTY, Extent::EMPTY);
        for record in records.iter() {
            bounds.include(&record.0);
            centers.include(&record.doubled_center::<false>());
        }
        Part { records, spare, bounds, centers, measure: bounds.measure(plane), splits }
    }

    /// Splits before bin `border`, given the bin of each record; `left` and `right` are the sums of the bins on both sides.
    #[inline(always)]
    fn parted(
        self,
        numbers: &[u8],
        border: u8,
        [left, right]: [&Bin; 2],
        plane: bool,
    ) -> (Part<'a>, Part<'a>) {
        let Part { records, spare, splits, .. } = self;
        let (mut start, mut end) = (0, spare.len());
        for (record, number) in records.iter().zip(numbers) {
            let to_left = *number < border;
            end -= usize::from(!to_left);
            let place = if to_left { start } else { end };
            start += usize::from(to_left);
            if let Some(place) = spare.get_mut(place) {
                *place = *record;
            }
        }
        // The records are in the other buffer now.
        let (records_left, records_right) = spare.split_at_mut((left.count as usize).min(records.len()));
        let (spare_left, spare_right) = records.split_at_mut(records_left.len());
        let part = |records, spare, bin: &Bin| Part {
            records,
            spare,
            bounds: bin.bounds,
            centers: bin.centers,
            measure: bin.bounds.measure(plane),
            splits: splits + 1,
        };
        (part(records_left, spare_left, left), part(records_right, spare_right, right))
    }

    /// The first `half` along the axis and the others, the index having the last word.
    fn parted_at(self, half: usize, axis: usize, plane: bool) -> (Part<'a>, Part<'a>) {
        let half = half.min(self.records.len());
        if half < self.records.len() {
            // The order is total, so what comes to the left is certain, however the selection works.
            self.records.select_nth_unstable_by(half, |a, b| {
                let along = |record: &Record| record.doubled_center_along::<false>(axis);
                along(a).total_cmp(&along(b)).then(a.item().cmp(&b.item()))
            });
        }
        let (left, right) = self.records.split_at_mut(half);
        let (spare_left, spare_right) = self.spare.split_at_mut(half);
        (
            Part::new(left, spare_left, self.splits + 1, plane),
            Part::new(right, spare_right, self.splits + 1, plane),
        )
    }
}
