//! The solver: colours of contacts become blocks, and blocks are passed over in each sub-step.
//!
//! Soft Step (Catto): in each sub-step velocities are integrated, the impulses of the last one are applied
//! again, contacts are solved as springs that push overlaps out, positions are integrated, and contacts are
//! solved once more without the springs, which takes the velocity that those gave back out. Bounces come at
//! the end of the step.
//!
//! Bytes: a contact has 35 rows in the plane and 86 in space, 140 and 344 bytes. A step passes over them
//! once to warm start, twice in each sub-step and once for bounces, where any are asked for. Applying the
//! impulses again costs no pass: see [`advance_velocity`](super::dimension::advance_velocity).

pub(crate) mod block;
pub(crate) mod soft;
pub(crate) mod wide;

use super::colours::{COLOURS, Colours};
use super::contact::{Contact, Contacts};
use super::dimension::{Engine, Side};
use block::{Block, FROZEN, Lane};
use core::cell::Cell;
use core::marker::PhantomData;
use soft::StepFactors;
use wide::{Quad, Wide, WideTask, Width, dispatch};

/// What is done to all contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    WarmStart,
    Solve,
    Relax,
    Restitute,
}

/// Constraint blocks of one width, in the order in which they are solved.
#[derive(Clone, Debug, Default)]
struct Blocks {
    rows: Vec<f32>,
    states: Vec<u32>,
    rolls: Vec<bool>,
}

/// The blocks of a step. The memory is used again in each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solver {
    /// Contacts that found no colour, one by one.
    overflow: Blocks,
    coloured: Blocks,
    /// Where the blocks of each colour begin.
    first_block: [usize; COLOURS + 1],
    lanes: usize,
    has_bounces: bool,
}

impl Solver {
    /// Makes blocks of all coloured contacts. `sides` tells about the bodies of a contact and where the
    /// second centre is from the first.
    pub(crate) fn prepare<D: Engine>(
        &mut self,
        width: Width,
        colours: &Colours,
        contacts: &Contacts<D>,
        step: &StepFactors,
        sides: impl Fn(&Contact<D>) -> (Side<D>, Side<D>, D::Vector),
    ) {
        self.lanes = width.lanes();
        self.has_bounces = false;
        self.coloured.clear();
        self.overflow.clear();
        let mut has_bounces = false;
        for (colour, list) in colours.contacts.iter().enumerate() {
            let (blocks, lanes) = if colour < COLOURS {
                self.first_block[colour] = self.coloured.rolls.len();
                (&mut self.coloured, self.lanes)
            } else {
                (&mut self.overflow, 1)
            };
            for group in list.chunks(lanes) {
                let (rows, states, rolls) = blocks.push::<D>(lanes);
                for lane_index in 0..lanes {
                    let mut lane = Lane::new(rows, lanes, lane_index);
                    let Some(&index) = group.get(lane_index) else {
                        lane.clear();
                        continue;
                    };
                    let contact = &contacts.pool[index as usize];
                    let (a, b, offset) = sides(contact);
                    let is_firm = a.state & FROZEN != 0 || b.state & FROZEN != 0;
                    states[lane_index] = a.state;
                    states[lanes + lane_index] = b.state;
                    *rolls |= contact.rolling > 0.0;
                    has_bounces |= contact.restitution > 0.0;
                    D::prepare(
                        &mut lane,
                        contact,
                        &a,
                        &b,
                        offset,
                        if is_firm { step.firm } else { step.soft },
                    );
                }
            }
        }
        self.first_block[COLOURS] = self.coloured.rolls.len();
        self.has_bounces = has_bounces;
    }

    /// Does something to all contacts: first to those without a colour, then colour by colour.
    pub(crate) fn pass<D: Engine>(
        &mut self,
        width: Width,
        pass: Pass,
        states: &[Cell<Quad>],
        step: &StepFactors,
    ) {
        if pass == Pass::Restitute && !self.has_bounces {
            return;
        }
        if !self.overflow.rolls.is_empty() {
            PassTask::<D>::new(&mut self.overflow, pass, states, step).run::<f32>(());
        }
        // Blocks of a colour share no moving body, so their order does not matter; colours follow each other.
        dispatch(width, PassTask::<D>::new(&mut self.coloured, pass, states, step));
    }

    /// Reads all impulses back.
    pub(crate) fn store<D: Engine>(&mut self, colours: &Colours, contacts: &mut Contacts<D>) {
        let lanes = self.lanes;
        for (colour, list) in colours.contacts.iter().enumerate() {
            let (blocks, first, lanes) = if colour < COLOURS {
                (&mut self.coloured, self.first_block[colour], lanes)
            } else {
                (&mut self.overflow, 0, 1)
            };
            let size = D::ROWS * lanes;
            for (place, &index) in list.iter().enumerate() {
                let at = (first + place / lanes) * size;
                let Some(rows) = blocks.rows.get_mut(at..at + size) else { continue };
                D::store(&Lane::new(rows, lanes, place % lanes), &mut contacts.pool[index as usize]);
            }
        }
    }
}

impl Blocks {
    fn clear(&mut self) {
        self.rows.clear();
        self.states.clear();
        self.rolls.clear();
    }
    fn push<D: Engine>(&mut self, lanes: usize) -> (&mut [f32], &mut [u32], &mut bool) {
        let (row, state) = (self.rows.len(), self.states.len());
        self.rows.resize(row + D::ROWS * lanes, 0.0);
        self.states.resize(state + 2 * lanes, FROZEN);
        self.rolls.push(false);
        let last = self.rolls.len() - 1;
        (&mut self.rows[row..], &mut self.states[state..], &mut self.rolls[last])
    }
}

/// A pass over blocks of one width.
struct PassTask<'a, D> {
    blocks: &'a mut Blocks,
    pass: Pass,
    states: &'a [Cell<Quad>],
    step: &'a StepFactors,
    dimension: PhantomData<D>,
}

impl<'a, D: Engine> PassTask<'a, D> {
    fn new(blocks: &'a mut Blocks, pass: Pass, states: &'a [Cell<Quad>], step: &'a StepFactors) -> Self {
        PassTask { blocks, pass, states, step, dimension: PhantomData }
    }
}

impl<D: Engine> WideTask for PassTask<'_, D> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let PassTask { blocks, pass, states, step, .. } = self;
        let rows = blocks.rows.chunks_exact_mut(D::ROWS * T::WIDTH);
        let indices = blocks.states.chunks_exact(2 * T::WIDTH);
        let blocks = rows.zip(indices).zip(&blocks.rolls).map(
            #[inline(always)]
            |((rows, states), rolls)| Block { rows, states, rolls: *rolls, width: PhantomData::<T> },
        );
        match pass {
            Pass::WarmStart => blocks.for_each(
                #[inline(always)]
                |mut block| D::warm_start::<T>(token, &mut block, states),
            ),
            Pass::Solve => blocks.for_each(
                #[inline(always)]
                |mut block| D::solve::<T, false>(token, &mut block, states, step),
            ),
            Pass::Relax => blocks.for_each(
                #[inline(always)]
                |mut block| D::solve::<T, true>(token, &mut block, states, step),
            ),
            Pass::Restitute => blocks.for_each(
                #[inline(always)]
                |mut block| D::restitute::<T>(token, &mut block, states, step),
            ),
        }
    }
}
