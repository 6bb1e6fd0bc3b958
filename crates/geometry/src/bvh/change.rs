//! How a [`DynamicBvh`] changes: adding, taking, splitting, refitting; and the proof that it is sound.

use super::build::{self, Form, Memory};
use super::dynamic::DynamicBvh;
use super::fill_records;
use super::many::{Fit, serves};
use super::node::{NOWHERE, Node, Small, WIDTH};
use super::record::Record;
use super::stack::Stack;
use crate::Error;
use crate::bound::Aabb;
use carom_math::{Number, Real, Vector};
use core::fmt;

/// What goes into a slot.
#[derive(Clone, Copy)]
struct Entry<V: Vector> {
    link: u32,
    is_item: bool,
    moved: bool,
    small: Small<V>,
}

/// Memory for building what is below a node anew: whoever does that in each step allocates nothing once it is large enough.
pub(super) struct Workshop<V: Vector> {
    open: Vec<u32>,
    /// The nodes below the one, and where the new ones go.
    below: Vec<u32>,
    places: Vec<u32>,
    items: Vec<u32>,
    pub(super) moved: Vec<u32>,
    pub(super) records: Vec<Record>,
    pub(super) built: Memory<V>,
}

impl<V: Vector> Default for Workshop<V> {
    fn default() -> Self {
        let [open, below, places, items, moved] = [const { Vec::new() }; 5];
        Workshop { open, below, places, items, moved, records: Vec::new(), built: Memory::default() }
    }
}

/// There is nothing in it.
impl<V: Vector> Clone for Workshop<V> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<V: Vector> fmt::Debug for Workshop<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workshop").finish_non_exhaustive()
    }
}

impl<V: Vector> Workshop<V> {
    /// Finds the nodes and the items below a node, and which of them moved.
    fn look_below(&mut self, nodes: &[Node<V>], at: u32) {
        let Workshop { open, below, items, moved, .. } = self;
        [&mut *open, &mut *below, &mut *items, &mut *moved].into_iter().for_each(Vec::clear);
        open.push(at);
        while let Some(next) = open.pop() {
            let node = &nodes[next as usize];
            for slot in Node::<V>::slots(node.used) {
                if node.items >> slot & 1 == 0 {
                    open.push(node.links[slot]);
                    below.push(node.links[slot]);
                    continue;
                }
                items.push(node.links[slot]);
                if node.moved >> slot & 1 == 1 {
                    moved.push(node.links[slot]);
                }
            }
        }
    }
}

/// The fewest entries of either half of a node that is split.
const LEAST: usize = 3;

impl<V: Vector> DynamicBvh<V> {
    /// The node and the slot of an item.
    pub(super) fn place(&self, item: usize) -> Option<(u32, usize)> {
        let place = *self.places.get(item)?;
        (place != NOWHERE).then_some((place / WIDTH as u32, place as usize % WIDTH))
    }

    pub(super) fn present(&self, item: usize) -> Result<(), Error> {
        match self.place(item) {
            Some(_) => Ok(()),
            None => Err(Error::NoSuchIndex { what: "item", index: item, count: self.count }),
        }
    }

    /// An enlarged box serves as long as it contains the box and is not larger than needed by more than four margins.
    pub(super) fn fit(&self) -> Fit<V::Scalar> {
        let two = self.margin + self.margin;
        Fit { least: V::Scalar::ZERO, most: two + two }
    }

    /// The new enlarged box of an item, or `None` when the old one still serves. Where a margin is less than a step of the numbers,
    /// the old box is as good as it gets.
    #[inline(always)]
    pub(super) fn refreshed(&self, item: usize, bounds: &Aabb<V>) -> Option<Aabb<V>> {
        let old = self.boxes.get(item).filter(|old| !serves(old, bounds, &self.fit()))?;
        Some(bounds.grown_inline(self.margin)).filter(|fat| old != fat)
    }

    /// Gives an item a new enlarged box. It stays in its leaf when its middle does, and is put in anew
    /// otherwise.
    pub(super) fn relocate(&mut self, item: usize, fat: Aabb<V>) {
        let Some((at, slot)) = self.place(item) else { return };
        let small = self.frame.small(&fat);
        self.boxes[item] = fat;
        let leaf = self.nodes[at as usize].union();
        let stays = self.height == 0
            || leaf.0.as_ref().iter().zip(small.0.as_ref()).all(|([low, high], [l, h])| {
                let middle = l * 0.5 + h * 0.5;
                *low <= middle && middle <= *high
            });
        if stays {
            self.nodes[at as usize].set_small(slot, &small);
            self.mark(at, slot);
            self.tighten(at);
        } else {
            self.take(at, slot);
            self.add(item as u32, &small, true);
        }
    }

    /// Builds what is below a node anew, if a quarter of it moved; whether it did. The node stays, with the
    /// same items and so with the same box.
    pub(super) fn rebuild_below(&mut self, at: u32, level: u32) -> bool {
        let mut workshop = core::mem::take(&mut self.workshop);
        workshop.look_below(&self.nodes, at);
        let (all, moved) = (workshop.items.len(), workshop.moved.len());
        let is_worth_it = all <= build::capacity(level) && all.max(1) <= moved * 4;
        if is_worth_it {
            self.rebuild_in(&mut workshop, at, level);
        }
        self.workshop = workshop;
        is_worth_it
    }

    /// Builds what was found below a node anew.
    fn rebuild_in(&mut self, workshop: &mut Workshop<V>, at: u32, level: u32) {
        let Workshop { below, places, items, moved, records, built, .. } = workshop;
        // In the order of the items, so that the same items make the same subtree.
        items.sort_unstable();
        let boxes = items.iter().map(|item| (*item, self.boxes[*item as usize]));
        fill_records(records, &self.frame, Aabb::empty(), boxes);
        build::build_in(records, Form::Even(level), built, self.shares_work);
        // What is free holds nothing: leaves are found by what they hold.
        below.iter().for_each(|at| self.nodes[*at as usize] = Node::empty());
        self.free.extend(below.iter().rev());
        let (parent, parent_slot) = (self.nodes[at as usize].parent, self.nodes[at as usize].parent_slot);
        places.clear();
        places.extend((0..built.nodes.len()).map(|k| if k == 0 { at } else { self.allocate() }));
        for (mut node, place) in built.nodes.drain(..).zip(&*places) {
            for slot in Node::<V>::slots(node.used & !node.items) {
                node.links[slot] = places[node.links[slot] as usize];
            }
            self.nodes[*place as usize] = node;
        }
        (self.nodes[at as usize].parent, self.nodes[at as usize].parent_slot) = (parent, parent_slot);
        places.iter().for_each(|place| self.adopt(*place));
        for item in moved {
            if let Some((at, slot)) = self.place(*item as usize) {
                self.mark(at, slot);
            }
        }
    }

    /// Notes one single change; after as many as there are items, the quality is looked at.
    pub(super) fn note_change(&mut self) {
        self.changes += 1;
        if self.count.max(WIDTH * WIDTH) <= self.changes {
            self.look_at_quality(self.quality());
        }
    }

    /// Builds the tree anew when it has become half as bad again, or half empty.
    pub(super) fn look_at_quality(&mut self, quality: f64) {
        self.changes = 0;
        let used = self.nodes.len() - self.free.len();
        let sparse = self.count / 2 + WIDTH < used;
        if sparse || self.built_quality * 1.5 < quality {
            self.rebuild();
        }
    }

    /// The measure of all leaves, an item.
    pub(super) fn quality(&self) -> f64 {
        let sum: f64 = self
            .nodes
            .iter()
            .filter(|node| node.items != 0)
            .map(|node| f64::from(node.union().measure()))
            .sum();
        sum / self.count.max(1) as f64
    }

    /// Puts an item with this box into the leaf that grows least.
    pub(super) fn add(&mut self, item: u32, small: &Small<V>, moved: bool) {
        if self.root == NOWHERE {
            self.root = self.allocate();
            self.height = 0;
        }
        let mut at = self.root;
        for _ in 0..self.height {
            let node = &mut self.nodes[at as usize];
            let slot = cheapest(node, small);
            let grown = node.small(slot).merged(small);
            node.set_small(slot, &grown);
            node.moved |= u8::from(moved) << slot;
            at = node.links[slot];
        }
        self.add_entry(at, Entry { link: item, is_item: true, moved, small: *small });
    }

    /// Puts an entry into a node; splits nodes upwards as long as they are full.
    fn add_entry(&mut self, mut at: u32, mut entry: Entry<V>) {
        // One round a level, and the height is O(log n).
        loop {
            let node = &self.nodes[at as usize];
            if node.used != u8::MAX {
                let slot = node.used.trailing_ones() as usize;
                self.set_entry(at, slot, &entry);
                return;
            }
            let sibling = self.split(at, entry);
            let (parent, slot) = (self.nodes[at as usize].parent, self.nodes[at as usize].parent_slot);
            let own = self.entry_of(at);
            let other = self.entry_of(sibling);
            if parent == NOWHERE {
                let root = self.allocate();
                self.set_entry(root, 0, &own);
                self.set_entry(root, 1, &other);
                self.root = root;
                self.height += 1;
                return;
            }
            self.set_entry(parent, usize::from(slot), &own);
            (at, entry) = (parent, other);
        }
    }

    fn entry_of(&self, at: u32) -> Entry<V> {
        let node = &self.nodes[at as usize];
        Entry { link: at, is_item: false, moved: node.moved != 0, small: node.union() }
    }

    fn set_entry(&mut self, at: u32, slot: usize, entry: &Entry<V>) {
        let node = &mut self.nodes[at as usize];
        node.put(slot, entry.link, entry.is_item, &entry.small);
        let bit = 1 << slot;
        node.moved = if entry.moved { node.moved | bit } else { node.moved & !bit };
        if entry.is_item {
            self.places[entry.link as usize] = at * WIDTH as u32 + slot as u32;
        } else {
            let below = &mut self.nodes[entry.link as usize];
            (below.parent, below.parent_slot) = (at, slot as u8);
        }
    }

    /// Shares the entries of a full node, and one more, between it and a new one.
    ///
    /// Of all ways to cut the nine along an axis, in the order of their centres, it takes the one with the least
    /// measure·count; axes and cuts in order, so the first of equals.
    fn split(&mut self, at: u32, extra: Entry<V>) -> u32 {
        let node = self.nodes[at as usize];
        let entries: [Entry<V>; WIDTH + 1] = core::array::from_fn(|k| match node.links.get(k) {
            None => extra,
            Some(link) => Entry {
                link: *link,
                is_item: node.items >> k & 1 == 1,
                moved: node.moved >> k & 1 == 1,
                small: node.small(k),
            },
        });
        let mut best: Option<(f32, [usize; WIDTH + 1], usize)> = None;
        for axis in 0..V::DIM {
            let middle =
                |k: &usize| entries[*k].small.0.as_ref()[axis].iter().map(|end| end * 0.5).sum::<f32>();
            let mut order: [usize; WIDTH + 1] = core::array::from_fn(|k| k);
            order.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then(a.cmp(b)));
            for cut in LEAST..=WIDTH + 1 - LEAST {
                let cost = |side: &[usize]| {
                    let all = side.iter().fold(Small::empty(), |all, k| entries[*k].small.merged(&all));
                    all.measure() * side.len() as f32
                };
                let cost = cost(&order[..cut]) + cost(&order[cut..]);
                if !best.is_some_and(|(least, ..)| least <= cost) {
                    best = Some((cost, order, cut));
                }
            }
        }
        let sibling = self.allocate();
        let Some((_, order, cut)) = best else { return sibling };
        let emptied = Node { parent: node.parent, parent_slot: node.parent_slot, ..Node::empty() };
        self.nodes[at as usize] = emptied;
        for (place, k) in order.iter().enumerate() {
            let (to, slot) = if place < cut { (at, place) } else { (sibling, place - cut) };
            self.set_entry(to, slot, &entries[*k]);
        }
        sibling
    }

    /// Empties a slot, drops nodes that hold nothing any more, and mends the boxes above.
    pub(super) fn take(&mut self, mut at: u32, mut slot: usize) {
        loop {
            let node = &mut self.nodes[at as usize];
            node.take(slot);
            if node.used != 0 {
                break;
            }
            let (parent, parent_slot) = (node.parent, usize::from(node.parent_slot));
            self.free.push(at);
            if parent == NOWHERE {
                self.root = NOWHERE;
                self.height = 0;
                return;
            }
            (at, slot) = (parent, parent_slot);
        }
        self.tighten(at);
        // A root with one child is not needed.
        while 0 < self.height && self.nodes[self.root as usize].used.count_ones() == 1 {
            let root = &self.nodes[self.root as usize];
            let only = root.links[root.used.trailing_zeros() as usize];
            self.free.push(self.root);
            self.root = only;
            self.nodes[only as usize].parent = NOWHERE;
            self.height -= 1;
        }
    }

    /// Makes the boxes above a node exact again.
    fn tighten(&mut self, mut at: u32) {
        loop {
            let node = &self.nodes[at as usize];
            let (small, parent, slot) = (node.union(), node.parent, usize::from(node.parent_slot));
            if parent == NOWHERE || self.nodes[parent as usize].small(slot).equals(&small) {
                return;
            }
            self.nodes[parent as usize].set_small(slot, &small);
            at = parent;
        }
    }

    /// Marks a slot as moved, and the way to it.
    pub(super) fn mark(&mut self, mut at: u32, mut slot: usize) {
        loop {
            let node = &mut self.nodes[at as usize];
            if node.moved >> slot & 1 == 1 {
                return;
            }
            node.moved |= 1 << slot;
            if node.parent == NOWHERE {
                return;
            }
            (at, slot) = (node.parent, usize::from(node.parent_slot));
        }
    }

    /// Calls `visit` for each item that moved, with its node and slot.
    pub(super) fn each_moved(&self, mut visit: impl FnMut(u32, &Node<V>, usize)) {
        let mut open = Stack::with(self.root);
        while let Some(at) = open.pop() {
            let Some(node) = self.nodes.get(at as usize) else { continue };
            for slot in Node::<V>::slots(node.moved & node.used) {
                if node.items >> slot & 1 == 1 {
                    visit(at, node, slot);
                } else {
                    open.push(node.links[slot]);
                }
            }
        }
    }

    /// Tells the children of a node where they are.
    pub(super) fn adopt(&mut self, at: u32) {
        let node = self.nodes[at as usize];
        for slot in Node::<V>::slots(node.used) {
            let link = node.links[slot] as usize;
            if node.items >> slot & 1 == 1 {
                self.places[link] = at * WIDTH as u32 + slot as u32;
            } else {
                (self.nodes[link].parent, self.nodes[link].parent_slot) = (at, slot as u8);
            }
        }
    }

    fn allocate(&mut self) -> u32 {
        if let Some(at) = self.free.pop() {
            self.nodes[at as usize] = Node::empty();
            return at;
        }
        self.nodes.push(Node::empty());
        self.nodes.len() as u32 - 1
    }
}

/// The used slot whose box grows least, of equals the one with the smaller box, then the lower one.
fn cheapest<V: Vector>(node: &Node<V>, small: &Small<V>) -> usize {
    let rows = node.rows.as_ref();
    let ends = small.0.as_ref();
    let measures = |size: &dyn Fn(usize, usize) -> f32| -> [f32; WIDTH] {
        core::array::from_fn(|slot| {
            let [x, y] = [size(0, slot), size(1, slot)];
            if V::DIM == 2 {
                return x + y;
            }
            let z = size(2, slot);
            x * y + y * z + z * x
        })
    };
    let own = measures(&|axis, slot| rows[axis][1][slot] - rows[axis][0][slot]);
    let grown = measures(&|axis, slot| {
        ends[axis][1].max_of(rows[axis][1][slot]) - ends[axis][0].min_of(rows[axis][0][slot])
    });
    let mut best: Option<(f32, f32, usize)> = None;
    for slot in Node::<V>::slots(node.used) {
        let (growth, size) = (grown[slot] - own[slot], own[slot]);
        let better =
            best.is_none_or(|(least, smallest, _)| growth < least || (growth == least && size < smallest));
        if better {
            best = Some((growth, size, slot));
        }
    }
    best.map_or(0, |(.., slot)| slot)
}

/// The proof that the tree is sound, for tests.
impl<V: Vector> DynamicBvh<V> {
    /// What is wrong with the tree, if anything is: every box must be the box around what is below it, every link and its
    /// way back must agree, all items must be there, once, equally deep, with their marks.
    ///
    /// # Errors
    /// A sentence about the first fault.
    pub fn validate(&self) -> Result<(), String> {
        let mut seen = vec![false; self.places.len()];
        let mut visited = 0_usize;
        let mut open = vec![(self.root, self.height)];
        while let Some((at, level)) = open.pop() {
            let Some(node) = self.nodes.get(at as usize) else { continue };
            visited += 1;
            if node.used == 0 || node.boxed != node.used {
                return Err(format!("node {at} is empty or has an empty box"));
            }
            if node.moved & !node.used != 0 || node.items != if level == 0 { node.used } else { 0 } {
                return Err(format!("node {at} at level {level} has slots of the wrong kind"));
            }
            for slot in Node::<V>::slots(node.used) {
                let (link, small) = (node.links[slot] as usize, node.small(slot));
                if level == 0 {
                    let twice = seen.get_mut(link).is_none_or(|seen| core::mem::replace(seen, true));
                    if twice || self.place(link) != Some((at, slot)) {
                        return Err(format!("item {link} is not where it says, or twice"));
                    }
                    if !small.equals(&self.frame.small(&self.boxes[link])) {
                        return Err(format!("item {link} has another box in its node"));
                    }
                    continue;
                }
                let Some(below) = self.nodes.get(link) else {
                    return Err(format!("node {at} leads nowhere"));
                };
                if (below.parent, usize::from(below.parent_slot)) != (at, slot) {
                    return Err(format!("node {link} does not know its parent {at}"));
                }
                if !small.equals(&below.union()) {
                    return Err(format!(
                        "node {at} has a box in slot {slot} that is not around what is below"
                    ));
                }
                if below.moved != 0 && node.moved >> slot & 1 == 0 {
                    return Err(format!("the way to what moved below node {link} is not marked"));
                }
                open.push((link as u32, level - 1));
            }
        }
        let there = self.places.iter().filter(|place| **place != NOWHERE).count();
        let found = seen.iter().filter(|seen| **seen).count();
        if there != self.count || found != self.count {
            return Err(format!("{found} of {} items are in the tree, {there} have a place", self.count));
        }
        if visited + self.free.len() != self.nodes.len() {
            return Err(format!(
                "{visited} nodes and {} free ones are not all {}",
                self.free.len(),
                self.nodes.len()
            ));
        }
        Ok(())
    }
}
