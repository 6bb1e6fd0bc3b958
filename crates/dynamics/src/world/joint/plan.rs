//! Which joints are solved side by side: those of one colour and one form, as many as there are lanes.
//!
//! The plan is made anew only when a joint comes, goes, wakes, sleeps or changes its form. It is sorted by
//! colour, form and index, so it does not depend on how that came about.

use super::form::{Form, MOST_ROWS};
use super::kernel::{self, RELAX, SOLVE, WARM_START};
use super::prepare::fill;
use super::{JointRecord, Joints};
use crate::world::colours::{COLOURS, UNCOLOURED};
use crate::world::dimension::{Engine, Side};
use crate::world::solver::block::{Block, FROZEN, Lane};
use crate::world::solver::soft::StepFactors;
use crate::world::solver::wide::{Quad, Wide, WideTask};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Range;

/// Joints that are solved side by side: a piece of the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    first: usize,
    count: usize,
    form: Form,
}

/// In which groups joints are solved.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    order: Vec<u32>,
    pub(crate) groups: Vec<Group>,
    /// Where the groups of each colour begin; the overflow is the last colour, one joint to a group.
    pub(crate) first: [usize; COLOURS + 2],
    lanes: usize,
    pub(crate) is_stale: bool,
    keys: Vec<(u8, Form, u32)>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            order: Vec::new(),
            groups: Vec::new(),
            first: [0; COLOURS + 2],
            lanes: 0,
            is_stale: false,
            keys: Vec::new(),
        }
    }
}

impl Plan {
    /// The groups of a colour.
    pub(crate) fn groups_of(&self, colour: usize) -> Range<usize> {
        self.first[colour]..self.first[colour + 1]
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
    /// Those that are solved, in order.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }
}

impl<D: Engine> Joints<D> {
    /// Makes the plan anew if something has changed.
    pub(crate) fn arrange(&mut self, lanes: usize) {
        if !self.plan.is_stale && self.plan.lanes == lanes {
            return;
        }
        let Joints { table, plan, .. } = self;
        (plan.is_stale, plan.lanes) = (false, lanes);
        plan.keys.clear();
        let coloured = table.indices().filter(|index| table.items[*index].colour != UNCOLOURED);
        plan.keys.extend(coloured.map(|index| {
            let joint = &table.items[index];
            (joint.colour, joint.form, index as u32)
        }));
        plan.keys.sort_unstable();
        plan.order.clear();
        plan.order.extend(plan.keys.iter().map(|key| key.2));
        plan.groups.clear();
        let (mut start, mut colour) = (0, 0);
        for at in 0..=plan.keys.len() {
            let ends = at == plan.keys.len() || {
                let ((here, form, _), (other, other_form, _)) = (plan.keys[at], plan.keys[start]);
                let room = if usize::from(here) == COLOURS { 1 } else { lanes };
                here != other || form != other_form || at - start == room
            };
            if !ends || at == start {
                continue;
            }
            let key = plan.keys[start];
            while colour < usize::from(key.0) {
                colour += 1;
                plan.first[colour] = plan.groups.len();
            }
            for (lane, &index) in plan.order[start..at].iter().enumerate() {
                let joint = &mut table.items[index as usize];
                (joint.group, joint.lane) = (plan.groups.len() as u32, lane as u32);
            }
            plan.groups.push(Group { first: start, count: at - start, form: key.1 });
            start = at;
        }
        for first in &mut plan.first[colour + 1..] {
            *first = plan.groups.len();
        }
    }
}

/// The numbers of a block.
#[derive(Clone, Copy, Debug)]
struct Head {
    row: usize,
    rows: usize,
    form: Form,
}

/// Blocks of joints of one width, in the order in which they are solved.
#[derive(Debug, Default)]
pub(crate) struct JointBlocks {
    rows: Vec<f32>,
    states: Vec<u32>,
    heads: Vec<Head>,
}

impl JointBlocks {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.states.clear();
        self.heads.clear();
    }
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }
    /// Adds the block of a group.
    pub(crate) fn push<D: Engine>(
        &mut self,
        joints: &Joints<D>,
        group: usize,
        lanes: usize,
        step: &StepFactors,
        side: impl Fn(u32) -> (Side<D>, D::Wide),
    ) {
        let Group { first, count, form } = joints.plan.groups[group];
        let rows = form.row_count::<D>();
        let (row, state) = (self.rows.len(), self.states.len());
        self.heads.push(Head { row, rows, form });
        self.rows.resize(row + rows * lanes, 0.0);
        self.states.resize(state + 2 * lanes, FROZEN);
        let (block, states) = (&mut self.rows[row..], &mut self.states[state..]);
        let mut numbers = [0.0; MOST_ROWS];
        for (lane, &index) in joints.plan.order[first..first + count].iter().enumerate() {
            let joint = &joints.table.items[index as usize];
            let [(a, center_a), (b, center_b)] = joint.bodies.map(&side);
            states[lane] = a.state;
            states[lanes + lane] = b.state;
            fill(&mut numbers, joint, [&a, &b], [center_a, center_b], step);
            for (row, number) in block.chunks_exact_mut(lanes).zip(&numbers) {
                row[lane] = *number;
            }
        }
    }
    /// One joint of a block, to be read.
    pub(crate) fn lane<D: Engine>(
        &self,
        block: usize,
        lanes: usize,
        joint: &JointRecord<D>,
    ) -> Option<Lane<'_>> {
        let head = self.heads.get(block)?;
        let rows = self.rows.get(head.row..head.row + head.rows * lanes)?;
        (head.form == joint.form).then(|| Lane::new(rows, lanes, joint.lane as usize))
    }
}

/// A pass over blocks of one width.
pub(crate) struct JointTask<'a, D> {
    pub(crate) blocks: &'a mut JointBlocks,
    pub(crate) range: Range<usize>,
    pub(crate) mode: u8,
    pub(crate) states: &'a [Cell<Quad>],
    pub(crate) step: &'a StepFactors,
    pub(crate) dimension: PhantomData<D>,
}

impl<D: Engine> WideTask for JointTask<'_, D> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let JointTask { blocks, range, mode, states, step, .. } = self;
        let JointBlocks { rows, states: indices, heads } = blocks;
        let width = 2 * T::WIDTH;
        for at in range {
            let Head { row, rows: count, form } = heads[at];
            let rows = &mut rows[row..row + count * T::WIDTH];
            let indices = &indices[at * width..(at + 1) * width];
            let mut block = Block { rows, states: indices, rolls: false, width: PhantomData::<T> };
            match mode {
                WARM_START => kernel::pass::<D, T, WARM_START>(token, &mut block, form, states, step),
                SOLVE => kernel::pass::<D, T, SOLVE>(token, &mut block, form, states, step),
                _ => kernel::pass::<D, T, RELAX>(token, &mut block, form, states, step),
            }
        }
    }
}
