//! Which joints are solved side by side, those of one colour and one form, as many as there are lanes; and their numbers.
//!
//! The plan is made anew only when a joint comes, goes, wakes, sleeps or changes its form. It is sorted by
//! colour, form and index, so it does not depend on how that came about. The numbers stay where they are from step to step:
//! as long as a joint has a lane its impulses are there, and its record gets them when it leaves.

use super::form::{Form, MOST_IMPULSES};
use super::kernel::{self, RELAX, SOLVE, WARM_START};
use super::prepare::{fill, load_row, note_load, total};
use super::{JointRecord, Joints};
use crate::world::colours::{COLOURS, UNCOLOURED};
use crate::world::dimension::Engine;
use crate::world::solver::block::{Block, FROZEN, Lane};
use crate::world::solver::soft::StepFactors;
use crate::world::solver::wide::{Quad, Wide, WideTask};
use carom_math::Vector;
use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Range;

/// Joints that are solved side by side: a piece of the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) first: usize,
    pub(crate) count: usize,
    pub(crate) form: Form,
    /// How many lanes it has.
    pub(crate) width: usize,
    /// Where its numbers begin, and how many rows they are.
    row: usize,
    rows: usize,
    /// Where the states of its bodies begin.
    state: usize,
}

/// In which groups joints are solved.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    order: Vec<u32>,
    /// Their bodies.
    pub(crate) bodies: Vec<[u32; 2]>,
    pub(crate) groups: Vec<Group>,
    /// Where the groups of each colour begin; the overflow is the last colour, one joint to a group.
    first: [usize; COLOURS + 2],
    /// How many numbers and states there are.
    sizes: [usize; 2],
    lanes: usize,
    pub(crate) is_stale: bool,
    keys: Vec<(u8, Form, u32)>,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            order: Vec::new(),
            bodies: Vec::new(),
            groups: Vec::new(),
            first: [0; COLOURS + 2],
            sizes: [0; 2],
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
    /// Where the numbers and the states of consecutive groups are.
    pub(crate) fn extent(&self, groups: &Range<usize>) -> [Range<usize>; 2] {
        let at = |group: usize| {
            self.groups.get(group).map_or(self.sizes, |Group { row, state, .. }| [*row, *state])
        };
        let ([row, state], [row_end, state_end]) = (at(groups.start), at(groups.end));
        [row..row_end, state..state_end]
    }
}

/// The numbers of a step that lanes are filled with.
type Known = (f32, [f32; 3]);

/// The numbers of all groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointRows {
    numbers: Vec<f32>,
    states: Vec<u32>,
    /// Where the numbers begin: such that sixteen lanes are one line of the cache.
    start: usize,
    /// For which step the lanes were filled, if they are.
    filled_for: Option<Known>,
    /// Joints in the plan that have changed since.
    changed: Vec<u32>,
    /// Of the last step.
    inverse_h: f32,
}

impl JointRows {
    /// The numbers and the states of all groups.
    pub(crate) fn parts(&mut self) -> (&mut [f32], &mut [u32]) {
        (&mut self.numbers[self.start..], &mut self.states)
    }
}

/// The numbers in a line of the cache.
const LINE: usize = 16;

impl<D: Engine> Joints<D> {
    /// Makes the plan anew if something has changed.
    pub(crate) fn arrange(&mut self, lanes: usize) {
        if !self.plan.is_stale && self.plan.lanes == lanes {
            return;
        }
        self.recall_all();
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
        plan.bodies.clear();
        plan.bodies.extend(plan.order.iter().map(|index| table.items[*index as usize].bodies));
        plan.groups.clear();
        plan.sizes = [0; 2];
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
            let (own, form, _) = plan.keys[start];
            while colour < usize::from(own) {
                colour += 1;
                plan.first[colour] = plan.groups.len();
            }
            for (lane, &index) in plan.order[start..at].iter().enumerate() {
                let joint = &mut table.items[index as usize];
                (joint.group, joint.lane) = (plan.groups.len() as u32, lane as u32);
            }
            let width = if usize::from(own) == COLOURS { 1 } else { lanes };
            let (rows, [row, state]) = (form.row_count::<D>(), plan.sizes);
            plan.groups.push(Group { first: start, count: at - start, form, width, row, rows, state });
            plan.sizes = [row + rows * width, state + 2 * width];
            start = at;
        }
        for first in &mut plan.first[colour + 1..] {
            *first = plan.groups.len();
        }
    }

    /// Fills lanes with what stays from step to step: all of them if the plan or the step is new, else those of joints that
    /// have changed.
    pub(crate) fn fill(&mut self, step: &StepFactors) {
        let known = Some((step.h, step.joint));
        let is_new = self.rows.filled_for != known;
        if is_new {
            self.recall_all();
            let [numbers, states] = self.plan.sizes;
            let JointRows { numbers: all, states: indices, start, filled_for, .. } = &mut self.rows;
            all.clear();
            all.resize(numbers + LINE - 1, 0.0);
            *start = all.as_ptr().align_offset(LINE * size_of::<f32>()).min(LINE - 1);
            indices.clear();
            indices.resize(states, FROZEN);
            *filled_for = known;
        }
        self.rows.inverse_h = step.inverse_h;
        let Joints { table, plan, rows, .. } = self;
        let JointRows { numbers, start, changed, .. } = rows;
        let numbers = &mut numbers[*start..];
        for &index in if is_new { &plan.order } else { &*changed } {
            let joint = &mut table.items[index as usize];
            let Some(group) = plan.groups.get(joint.group as usize) else { continue };
            if !joint.is_in_lane && joint.colour != UNCOLOURED {
                let numbers = &mut numbers[group.row..group.row + group.rows * group.width];
                fill(numbers, group.width, joint, step);
                joint.is_in_lane = true;
            }
        }
        changed.clear();
    }

    /// The numbers of a joint, if it is in a lane.
    fn lane(&self, joint: &JointRecord<D>) -> Option<Lane<'_>> {
        let group = self.plan.groups.get(joint.group as usize).filter(|_| joint.is_in_lane)?;
        let first = self.rows.start + group.row;
        let numbers = self.rows.numbers.get(first..first + group.rows * group.width)?;
        Some(Lane::new(numbers, group.width, joint.lane as usize))
    }
    /// The impulses of a joint, wherever they are. A body that is lost takes its impulses along.
    pub(crate) fn impulses(&self, index: usize) -> [f32; MOST_IMPULSES] {
        let joint = &self.table.items[index];
        let mut impulses = joint.impulses;
        if let Some(lane) = self.lane(joint) {
            for (row, impulse) in impulses.iter_mut().take(joint.form.impulse_count::<D>()).enumerate() {
                let number = lane.get(row);
                *impulse = if number.is_finite() { number } else { 0.0 };
            }
        }
        impulses
    }
    /// The force and the torque that the second body felt in the last sub-step.
    pub(crate) fn load(&self, index: usize) -> (D::Vector, D::Angular) {
        let joint = &self.table.items[index];
        self.lane(joint).map_or((joint.force, joint.torque), |lane| {
            let (force, torque) = total::<D>(&lane, joint.form);
            let (force, torque) = (force * self.rows.inverse_h, torque * self.rows.inverse_h);
            // A body that is lost takes its load along.
            let is_finite = force.finite() && D::angular_length(torque).is_finite();
            if is_finite { (force, torque) } else { (D::Vector::ZERO, D::Angular::default()) }
        })
    }
    /// The largest force and torque that the second body felt in a sub-step of the last step, of a joint that can break.
    pub(crate) fn largest_load(&self, index: usize) -> [f32; 2] {
        let joint = &self.table.items[index];
        let Some(lane) = self.lane(joint).filter(|_| joint.form.breaks()) else { return [0.0; 2] };
        let first = load_row::<D>(joint.form);
        [first, first + 1].map(|row| lane.get(row).sqrt() * self.rows.inverse_h)
    }
    /// Takes a joint out of its lane: its record has everything again.
    pub(crate) fn recall(&mut self, index: usize) {
        if self.table.items[index].is_in_lane {
            let (impulses, (force, torque)) = (self.impulses(index), self.load(index));
            let joint = &mut self.table.items[index];
            (joint.impulses, joint.force, joint.torque) = (impulses, force, torque);
            joint.is_in_lane = false;
            self.rows.changed.push(index as u32);
        }
    }
    /// Takes all joints out of their lanes.
    fn recall_all(&mut self) {
        for at in 0..self.plan.order.len() {
            self.recall(self.plan.order[at] as usize);
        }
        self.rows.changed.clear();
        self.rows.filled_for = None;
    }
}

/// Consecutive groups with their numbers and states.
pub(crate) struct JointGroups<'a> {
    pub(crate) groups: &'a [Group],
    pub(crate) numbers: &'a mut [f32],
    pub(crate) states: &'a mut [u32],
}

impl JointGroups<'_> {
    /// A group with its numbers and states.
    #[inline(always)]
    pub(crate) fn get(&mut self, at: usize) -> (&Group, &mut [f32], &mut [u32]) {
        let (first, group) = (&self.groups[0], &self.groups[at]);
        let (row, state) = (group.row - first.row, group.state - first.state);
        (
            group,
            &mut self.numbers[row..row + group.rows * group.width],
            &mut self.states[state..state + 2 * group.width],
        )
    }
}

/// A pass over groups of one width.
pub(crate) struct JointTask<'a, D> {
    pub(crate) groups: JointGroups<'a>,
    pub(crate) mode: u8,
    pub(crate) states: &'a [Cell<Quad>],
    pub(crate) step: &'a StepFactors,
    pub(crate) dimension: PhantomData<D>,
}

impl<D: Engine> WideTask for JointTask<'_, D> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let JointTask { mut groups, mode, states, step, .. } = self;
        for at in 0..groups.groups.len() {
            let (group, rows, indices) = groups.get(at);
            let form = group.form;
            let mut block = Block { rows, states: indices, rolls: false, width: PhantomData::<T> };
            match mode {
                WARM_START => kernel::pass::<D, T, WARM_START>(token, &mut block, form, states, step),
                SOLVE => kernel::pass::<D, T, SOLVE>(token, &mut block, form, states, step),
                _ => kernel::pass::<D, T, RELAX>(token, &mut block, form, states, step),
            }
            if mode == RELAX && form.breaks() {
                note_load::<D>(block.rows, group);
            }
        }
    }
}
