//! Building a tree from above, by binned surface areas.
//!
//! The cost of a tree is about the sum of its boxes' surfaces (MacDonald and Booth 1990): a part of the items
//! is split where surface·count of both sides is least, tried at the borders of up to 16 bins
//! along the longest axis of the centres (Wald 2007). A node opens the part with the largest surface
//! again and again until it has eight (Wald, Benthin and Boulos 2008), so no binary tree is ever made.
//!
//! How a part is split is in [`super::split`]. Where bins cannot tell (coincident centres, infinities), or when binning has gone on for twice as
//! many levels as halving would have, the part is halved, so that depth is O(log n) for any boxes.
//!
//! Parts are independent, and each is done in the same way whoever does it: the tree does not depend on the number of threads.
//! Nodes lie in depth-first order, parents before children.

use super::node::{NOWHERE, Node, WIDTH};
use super::probe::in_lanes;
use super::record::Record;
use super::split::{Part, Room};
use crate::parallel;
use carom_math::Vector;

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
pub(super) const GRAIN: usize = 4096;

/// Memory of building, for whoever builds again and again.
pub(crate) struct Memory<V: Vector> {
    /// What was built last.
    pub(crate) nodes: Vec<Node<V>>,
    spare: Vec<Record>,
    numbers: Vec<u8>,
}

impl<V: Vector> Default for Memory<V> {
    fn default() -> Self {
        Memory { nodes: Vec::new(), spare: Vec::new(), numbers: Vec::new() }
    }
}

/// The nodes of the tree over these records, root first; none for no records.
pub(crate) fn build<V: Vector>(records: &mut [Record], form: Form) -> Vec<Node<V>> {
    let mut memory = Memory::default();
    build_in(records, form, &mut memory, true);
    memory.nodes
}

/// The same, in memory that there is already; the nodes are there then. Other threads take a part of it if they may.
pub(crate) fn build_in<V: Vector>(
    records: &mut [Record],
    form: Form,
    memory: &mut Memory<V>,
    shares_work: bool,
) {
    let Memory { nodes, spare, numbers } = memory;
    nodes.clear();
    if records.is_empty() {
        return;
    }
    // What it holds does not matter.
    spare.resize(records.len(), records[0]);
    let level = if let Form::Even(level) = form { level } else { 0 };
    let halvings = usize::BITS - records.len().leading_zeros();
    let plan = Plan { form, plane: V::DIM == 2, split_limit: 2 * halvings };
    let whole = Part::new(records, spare, 0, plan.plane);
    nodes.reserve(whole.records.len() / 4 + 1);
    if GRAIN < whole.records.len() && shares_work && parallel::is_on() {
        plan.grow::<V>(whole, level).append_to(nodes);
    } else {
        numbers.resize(numbers.len().max(whole.records.len()), 0);
        plan.emit(whole, level, nodes, numbers);
    }
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
        let limits = (self.split_limit, self.plane);
        in_lanes!(simd => {
            if let Some(part) = parts[from % WIDTH].take() {
                let (left, right) = part.halves(simd, limits, (middle, room), numbers);
                parts[from % WIDTH] = Some(left);
                parts[to % WIDTH] = Some(right);
            }
        });
    }
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
