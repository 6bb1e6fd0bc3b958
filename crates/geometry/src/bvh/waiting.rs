//! Pairs of leaves that wait to be compared, box by box.
//!
//! Most leaves that meet have no boxes that do, and nobody can guess which. So a search does not go into them one by one: it
//! writes down those whose boxes have to be compared, and when there are enough of them, one loop compares a box with
//! eight others in each round, whichever leaves it is at, and another hands out what was found. Neither has branches
//! that are hard to foresee. What was written down first is handed out first.

use super::node::{Node, WIDTH};
use super::pairs::{Splat, Two, down};
use carom_math::Vector;
use carom_math::prelude_simd::Simd;
use core::ops::ControlFlow;

/// How many can wait.
const ROOM: usize = 128;

/// One step of a search adds no more: eight leaves with themselves, and every child of one node with every child of another.
const STEP: usize = WIDTH + WIDTH * WIDTH;

/// Two leaves, or one taken twice.
#[derive(Clone, Copy, Default)]
struct Leaves {
    a: u32,
    b: u32,
    /// Slots whose box is still to be compared: those of the first, and above them those of the second.
    looking: u32,
    /// Of the second leaf, those that boxes of the first are compared with; and the other way round.
    others: [u8; 2],
    /// Of a leaf taken twice, the slots that look for others: of two the first finds the second.
    once: u8,
    /// Pairs of slots whose boxes overlap, a byte for each slot of the first.
    found: u64,
}

pub(super) struct Waiting {
    leaves: [Leaves; ROOM],
    count: usize,
}

impl Waiting {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Waiting { leaves: [Leaves::default(); ROOM], count: 0 }
    }

    /// Whether one more step of a search might not find room.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        ROOM - STEP < self.count
    }

    /// Adds a leaf taken twice, of which `wanted` look for others among all that have a box.
    #[inline(always)]
    pub(super) fn add_one<V: Vector>(&mut self, at: u32, leaf: &Node<V>, wanted: u32) {
        let others = [leaf.boxed, 0];
        self.add(Leaves { a: at, b: at, looking: wanted, others, once: wanted as u8, found: 0 });
    }

    /// Adds two leaves: those slots of the first, then those of the second, that look for others.
    #[inline(always)]
    pub(super) fn add_two(&mut self, [a, b]: [u32; 2], looking: [u32; 2], others: [u32; 2]) {
        let looking = looking[0] | looking[1] << WIDTH;
        self.add(Leaves { a, b, looking, others: others.map(|slots| slots as u8), once: 0, found: 0 });
    }

    /// Written in any case, kept when something is to be compared.
    #[inline(always)]
    fn add(&mut self, leaves: Leaves) {
        self.leaves[self.count % ROOM] = leaves;
        self.count += usize::from(leaves.looking != 0);
    }
}

impl<V: Vector> Two<'_, V> {
    /// Compares all that waits, and calls `emit` for what overlaps.
    #[inline(always)]
    pub(super) fn settle<S: Simd, B>(
        &self,
        simd: S,
        waiting: &mut Waiting,
        emit: &mut impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let count = core::mem::take(&mut waiting.count);
        let mut at = 0;
        let mut looking = waiting.leaves[0].looking;
        while at < count {
            // Of the next pair in any case: nobody waits for what was just written.
            let next = waiting.leaves[(at + 1) % ROOM].looking;
            let leaves = &mut waiting.leaves[at % ROOM];
            let rest = looking & looking.wrapping_sub(1);
            if let (Some(a), Some(b)) = (self.first.node(leaves.a), self.second.node(leaves.b)) {
                let k = looking.trailing_zeros() as usize;
                let (slot, is_first) = (k % WIDTH, k < WIDTH);
                let (holder, other) = if is_first { (a, b) } else { (b, a) };
                let others =
                    u32::from(leaves.others[usize::from(!is_first)]) & !(u32::from(leaves.once) & !rest);
                let met = u64::from(Splat::of_slot(simd, holder, slot).slots(simd, other) & others);
                // Which side it is nobody can guess: both ways, and one of them by nothing.
                let of_first = u64::from(is_first).wrapping_neg();
                let across = (met & of_first) << (slot * WIDTH);
                leaves.found |= across | down(met & !of_first) << slot;
            }
            looking = if rest == 0 { next } else { rest };
            at += usize::from(rest == 0);
        }
        let mut kept = 0;
        for at in 0..count.min(ROOM) {
            let leaves = waiting.leaves[at];
            waiting.leaves[kept % ROOM] = leaves;
            kept += usize::from(leaves.found != 0);
        }
        let mut at = 0;
        while at < kept {
            let leaves = &mut waiting.leaves[at % ROOM];
            let (place, rest) = (leaves.found.trailing_zeros() as usize, leaves.found & (leaves.found - 1));
            leaves.found = rest;
            at += usize::from(rest == 0);
            if let (Some(a), Some(b)) = (self.first.node(leaves.a), self.second.node(leaves.b)) {
                self.items((a, place / WIDTH % WIDTH), (b, place % WIDTH), emit)?;
            }
        }
        ControlFlow::Continue(())
    }
}
