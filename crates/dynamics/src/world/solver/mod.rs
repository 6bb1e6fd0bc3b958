//! The solver: colours of joints and contacts become blocks, and blocks are passed over in each sub-step.
//!
//! Soft Step (Catto): in each sub-step velocities are integrated, the impulses of the last one are applied
//! again, joints and then contacts are solved as springs that close gaps and push overlaps out, positions are
//! integrated, and both are solved once more without the springs, which takes the velocity that those gave back out, and rubs. Contacts that
//! are hit are first solved with all of their points at once ([`Engine::meet`]). Bounces come at the end of the step.
//!
//! Bytes: a contact has 37 rows in the plane and 88 in space, 148 and 352 bytes. A step passes over them
//! once to warm start, twice in each sub-step and once for bounces, where any are asked for. Applying the
//! impulses again costs no pass: see [`advance_velocity`](super::dimension::advance_velocity).
//!
//! Threads: each worker has blocks of its own, an equal share of every colour, and bodies of its own. All go through
//! the same stages, and wait before each for those with whom they share bodies: a body stage, or a colour of a pass (see [`stages`]).

pub(crate) mod block;
pub(crate) mod soft;
pub(crate) mod stages;
pub(crate) mod wide;

use super::body::{Place, Record};
use super::colours::{COLOURS, Colours, UNCOLOURED};
use super::contact::{Contact, Contacts};
use super::dimension::{Bodies, Engine, Motion, Side};
use super::joint::kernel::{RELAX, SOLVE, WARM_START};
use super::joint::{JointGroups, JointRecord, JointTask, Plan, PrepareJoints};
use super::threads::{Barrier, Shared, Walk};
use block::{Block, Draft, FROZEN, Lane, MOST_LANES};
use carom_math::{Number, Vector};
use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use soft::StepFactors;
use stages::{Touched, contacts_of, share, share_of_groups, walk_colours};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use wide::{Quad, Wide, WideTask, Width, dispatch};

/// A body that is pressed against something fixed counts as no lighter than this share of what presses it:
/// 32 times its weight sinks by 6 mm at 45 Hz.
const MOST_RATIO: f32 = 32.0;

/// A body that overlaps something which it does not move by more than this share of its thickness is watched like a fast one: pressed
/// further, a little in each step, its middle would get to the far side. What is not deep yet moves by less than half of the thickness in a step, or is
/// fast: then three quarters are still to go, and the middle that `impact` watches is a quarter.
const SHARE_OF_DEEP: f32 = 0.25;

/// What is done to all contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    WarmStart,
    /// Whether the points of a contact come in reverse.
    Solve(bool),
    /// Likewise.
    Relax(bool),
    Restitute,
}

/// Constraint blocks of one width, in the order in which they are solved.
#[derive(Debug, Default)]
struct Blocks {
    rows: Vec<f32>,
    states: Vec<u32>,
    rolls: Vec<bool>,
    /// Whether any of the contacts of a block is a hit.
    hits: Vec<bool>,
}

/// What a worker has of the coloured contacts.
#[derive(Debug, Default)]
struct Part {
    blocks: Blocks,
    /// Where the blocks of each colour begin.
    first: [usize; COLOURS + 1],
    /// Contacts that found no colour, one by one; worker 0 has them.
    overflow: Blocks,
    /// Bodies that are deep in something which they do not move.
    deep: Vec<u32>,
}

/// The blocks of a step. The memory is used again in each.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    parts: Vec<RwLock<Part>>,
    has_bounces: AtomicBool,
    /// Memory for [`Touched`].
    pub(crate) touched: Vec<u64>,
}

/// Nothing is kept from step to step.
impl Clone for Solver {
    fn clone(&self) -> Self {
        Solver::default()
    }
}

/// All that a step of the solver needs.
pub(crate) struct SolverJob<'a, D: Engine> {
    pub(crate) width: Width,
    pub(crate) step: StepFactors,
    pub(crate) sub_steps: u32,
    pub(crate) colours: &'a Colours,
    pub(crate) contacts: &'a Contacts<D>,
    pub(crate) joints: &'a [JointRecord<D>],
    pub(crate) plan: &'a Plan,
    /// The numbers of the groups of the plan: a worker writes those of its share and reads no others.
    pub(crate) joint_numbers: Shared<'a, f32>,
    /// The states of their bodies, likewise.
    pub(crate) joint_states: Shared<'a, u32>,
    pub(crate) places: &'a [Place<D>],
    pub(crate) records: &'a [Record<D>],
    pub(crate) sides: &'a [Side<D>],
    pub(crate) states: Shared<'a, Quad>,
    pub(crate) motion: &'a [Motion<D>],
    pub(crate) has_locks: bool,
    pub(crate) references: Shared<'a, D::Velocities>,
    pub(crate) barrier: Barrier<'a>,
    pub(crate) touched: Touched<'a>,
    pub(crate) workers: usize,
}

fn read(part: &RwLock<Part>) -> RwLockReadGuard<'_, Part> {
    part.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(part: &RwLock<Part>) -> RwLockWriteGuard<'_, Part> {
    part.write().unwrap_or_else(PoisonError::into_inner)
}

impl Solver {
    /// Makes room for workers.
    pub(crate) fn begin(&mut self, workers: usize) {
        self.parts.resize_with(workers, RwLock::default);
        *self.has_bounces.get_mut() = false;
    }

    /// What a worker does in a step.
    pub(crate) fn run<D: Engine>(&self, job: &SolverJob<'_, D>, worker: usize) {
        let Some(part) = self.parts.get(worker) else { return };
        let mut part = write(part);
        if part.prepare(job, worker) {
            self.has_bounces.store(true, Ordering::Relaxed);
        }
        part.note_states(job, worker);
        let mut walk = job.barrier.begin_walk(worker, || job.touched.partners(worker, job.workers));
        let walk = &mut walk;
        for sub_step in 0..job.sub_steps {
            job.integrate_velocities(walk, worker, sub_step == 0);
            if sub_step == 0 {
                part.pass(job, Pass::WarmStart, walk, worker);
            }
            // Of the points of a contact the last one has its way. They take turns, or towers would lean.
            let is_odd = sub_step % 2 == 1;
            part.pass(job, Pass::Solve(is_odd), walk, worker);
            job.integrate_positions(walk, worker);
            part.pass(job, Pass::Relax(is_odd), walk, worker);
        }
        if self.has_bounces.load(Ordering::Relaxed) {
            part.pass(job, Pass::Restitute, walk, worker);
        }
    }

    /// The bodies that are deep in something that they do not move, some more than once.
    pub(crate) fn deep(&mut self) -> impl Iterator<Item = u32> {
        self.parts
            .iter_mut()
            .flat_map(|part| &part.get_mut().unwrap_or_else(PoisonError::into_inner).deep)
            .copied()
    }

    /// Reads the impulses of a worker's blocks back. What approached faster than `slow`, which is not positive, has hit.
    pub(crate) fn store<D: Engine>(
        &self,
        colours: &Colours,
        lanes: usize,
        slow: f32,
        contacts: &Shared<'_, Contact<D>>,
        worker: usize,
    ) {
        let (workers, Some(part)) = (self.parts.len(), self.parts.get(worker).map(read)) else { return };
        let [coloured @ .., uncoloured] = &colours.contacts;
        let shares = coloured.iter().map(|list| contacts_of(list, lanes, worker, workers));
        for (list, &first) in shares.zip(&part.first) {
            part.blocks.store(contacts, list, first, lanes, slow);
        }
        if worker == 0 {
            part.overflow.store(contacts, uncoloured, 0, 1, slow);
        }
    }
}

impl<D: Engine> SolverJob<'_, D> {
    /// What a constraint needs to know about a body.
    #[inline(always)]
    pub(crate) fn side(&self, place: &Place<D>) -> Side<D> {
        match (place.state as usize).checked_sub(1).and_then(|k| self.sides.get(k)) {
            Some(side) => *side,
            None => Side { state: FROZEN, rotation: place.rotation, ..Side::default() },
        }
    }
    /// Makes a light body heavier in its contact with a heavy one that presses it against something fixed.
    ///
    /// A pass moves only the momentum of the lighter body, so a load of n times its weight takes some n passes
    /// to reach the ground, and sinks by n·g/(2πf)² meanwhile and after. What is pressed against something that
    /// does not move cannot give way and might as well be heavy: here no lighter than a share of its load.
    /// Whatever it weighs, it still feels that many times its weight, so that what tips over still does.
    /// Bodies that are not pressed keep their mass, and pairs that meet in flight their momentum. The answer is whether it did.
    #[inline]
    fn brace(&self, index: u32, a: &mut Side<D>, b: &mut Side<D>) -> bool {
        let (light, heavy, side) = if a.inverse_mass < b.inverse_mass { (b, a, 1) } else { (a, b, 0) };
        let most = MOST_RATIO * heavy.inverse_mass;
        let is_braced = heavy.inverse_mass > 0.0 && most < light.inverse_mass && self.is_pressed(index, side);
        if is_braced {
            let share = most / light.inverse_mass;
            light.inverse_mass = most;
            light.inverse_inertia = D::inertia_per_mass(light.inverse_inertia, share);
        }
        is_braced
    }
    /// Whether another contact of a body pushes it, from something that does not move, against this one.
    #[cold]
    fn is_pressed(&self, index: u32, side: usize) -> bool {
        // How a contact pushes the body on one of its sides.
        let push = |contact: &Contact<D>, side: usize| {
            let normal = D::rotate(self.places[contact.bodies[0] as usize].rotation, contact.normal);
            if side == 1 { normal } else { -normal }
        };
        let contact = &self.contacts.pool[index as usize];
        let body = contact.bodies[side] as usize;
        let direction = push(contact, side);
        self.contacts.of_body(self.records[body].first_contact).any(|(other, at)| {
            let other = &self.contacts.pool[other as usize];
            other.colour != UNCOLOURED
                && !self.records[other.bodies[1 - at] as usize].moves()
                && other.points().iter().any(|point| point.impulse > 0.0)
                && push(other, at).dot(direction) < -0.5
        })
    }
    /// Integrates the bodies of the worker's share.
    #[inline(always)]
    fn integrate(&self, walk: &mut Walk<'_>, worker: usize, act: impl Fn(Bodies<'_, D>)) {
        let mine = share(self.motion.len(), worker, self.workers);
        let states = (mine.start + 1) * D::QUADS..(mine.end + 1) * D::QUADS;
        walk.stage(true, || {
            self.states.with(states, |states| {
                self.references.with(mine.clone(), |references| {
                    let (motions, sides) = (&self.motion[mine.clone()], &self.sides[mine.clone()]);
                    act(Bodies { states, references, motions, sides, has_locks: self.has_locks });
                });
            });
        });
    }
    fn integrate_velocities(&self, walk: &mut Walk<'_>, worker: usize, is_first: bool) {
        self.integrate(walk, worker, |bodies| D::integrate_velocities(bodies, &self.step, is_first));
    }
    fn integrate_positions(&self, walk: &mut Walk<'_>, worker: usize) {
        self.integrate(walk, worker, |bodies| D::integrate_positions(bodies, &self.step, self.width));
    }
}

impl<D: Engine> SolverJob<'_, D> {
    /// The worker's share of the joints of consecutive colours, all of which but one are worker 0's.
    fn groups_of(&self, colours: Range<usize>, worker: usize) -> Range<usize> {
        let mut mine = 0..0;
        for colour in colours {
            let groups = self.plan.groups_of(colour);
            let share = share_of_groups(groups.len(), worker, self.workers);
            if !share.is_empty() {
                let first = if mine.is_empty() { groups.start + share.start } else { mine.start };
                mine = first..groups.start + share.end;
            }
        }
        mine
    }
    /// Lends the numbers of groups of the worker's share out.
    fn with_groups(&self, groups: Range<usize>, act: impl FnOnce(JointGroups<'_>)) {
        if groups.is_empty() {
            return;
        }
        let [numbers, states] = self.plan.extent(&groups);
        self.joint_numbers.with(numbers, |numbers| {
            self.joint_states.with(states, |states| {
                act(JointGroups { groups: &self.plan.groups[groups], numbers, states });
            });
        });
    }
    /// Finds the numbers of the worker's share of all joints.
    fn prepare_joints(&self, worker: usize) {
        let overflow = self.plan.groups_of(COLOURS);
        let prepare = |mine| {
            self.with_groups(mine, |groups| dispatch(self.width, PrepareJoints { job: self, groups }));
        };
        if self.workers == 1 {
            prepare(0..overflow.start);
        } else {
            (0..COLOURS).for_each(|colour| prepare(self.groups_of(colour..colour + 1, worker)));
        }
        if worker == 0 {
            self.with_groups(overflow, |groups| dispatch(Width::Scalar, PrepareJoints { job: self, groups }));
        }
    }
    /// Does something to groups of the worker's share.
    fn pass_groups(&self, groups: Range<usize>, width: Width, mode: u8) {
        let (states, step, dimension) = (self.states.cells(), &self.step, PhantomData::<D>);
        self.with_groups(groups, |groups| {
            dispatch(width, JointTask { groups, mode, states, step, dimension });
        });
    }
    /// Does something to all joints: first to those without a colour, then colour by colour.
    fn pass_joints(&self, mode: u8, walk: &mut Walk<'_>, worker: usize) {
        let overflow = self.plan.groups_of(COLOURS);
        if !overflow.is_empty() {
            let all = overflow.clone();
            walk.stage(worker == 0, || self.pass_groups(all, Width::Scalar, mode));
        }
        if self.workers == 1 {
            return self.pass_groups(0..overflow.start, self.width, mode);
        }
        let groups = |colour: usize| self.plan.groups_of(colour).len();
        walk_colours(walk, groups, |walk, colours| {
            let mine = self.groups_of(colours, worker);
            walk.stage(!mine.is_empty(), || self.pass_groups(mine, self.width, mode));
        });
    }
}

impl Part {
    /// Makes blocks of the worker's share of all contacts; says whether any of them bounces.
    fn prepare<D: Engine>(&mut self, job: &SolverJob<'_, D>, worker: usize) -> bool {
        job.prepare_joints(worker);
        let lanes = job.width.lanes();
        let [coloured @ .., uncoloured] = &job.colours.contacts;
        let mut count = 0;
        for (first, list) in self.first.iter_mut().zip(coloured) {
            *first = count;
            count += share_of_groups(list.len().div_ceil(lanes), worker, job.workers).len();
        }
        self.first[COLOURS] = count;
        self.blocks.resize(count, D::ROWS, lanes);
        let uncoloured: &[u32] = if worker == 0 { uncoloured } else { &[] };
        self.overflow.resize(uncoloured.len(), D::ROWS, 1);

        self.deep.clear();
        let mut nothing = Contact::new([0; 2], [0; 2], false);
        nothing.normal = D::Vector::unit(0);
        let mut has_bounces = false;
        let mut draft = Draft::new(&nothing);
        for (list, &first) in coloured.iter().zip(&self.first) {
            let list = contacts_of(list, lanes, worker, job.workers);
            if !list.is_empty() {
                let (blocks, draft) = (&mut self.blocks, &mut draft);
                let (nothing, has_bounces, deep) = (&nothing, &mut has_bounces, &mut self.deep);
                dispatch(
                    job.width,
                    PrepareContacts { job, blocks, first, list, draft, nothing, has_bounces, deep },
                );
            }
        }
        let (blocks, list, nothing) = (&mut self.overflow, uncoloured, &nothing);
        let (draft, deep) = (&mut draft, &mut self.deep);
        PrepareContacts { job, blocks, first: 0, list, draft, nothing, has_bounces: &mut has_bounces, deep }
            .run::<f32>(());
        has_bounces
    }

    /// Notes the states that the worker touches: those of its bodies, its contacts and its joints.
    fn note_states<D: Engine>(&self, job: &SolverJob<'_, D>, worker: usize) {
        let own = share(job.motion.len(), worker, job.workers);
        let joints = (0..=COLOURS).flat_map(|colour| {
            let groups = if colour < COLOURS {
                job.groups_of(colour..colour + 1, worker)
            } else if worker == 0 {
                job.plan.groups_of(COLOURS)
            } else {
                0..0
            };
            let [_, states] = job.plan.extent(&groups);
            job.joint_states.cells()[states].iter().map(Cell::get)
        });
        let contacts = self.blocks.states.iter().chain(&self.overflow.states).copied();
        job.touched.note(worker, own.start + 1..own.end + 1, contacts.chain(joints));
    }

    /// Does something to all joints, then to all contacts: first to those without a colour, then colour by
    /// colour.
    fn pass<D: Engine>(&mut self, job: &SolverJob<'_, D>, pass: Pass, walk: &mut Walk<'_>, worker: usize) {
        let states = job.states.cells();
        if !job.plan.is_empty() {
            match pass {
                Pass::WarmStart => job.pass_joints(WARM_START, walk, worker),
                Pass::Solve(_) => job.pass_joints(SOLVE, walk, worker),
                Pass::Relax(_) => job.pass_joints(RELAX, walk, worker),
                Pass::Restitute => {}
            }
        }
        let has_overflow = !job.colours.contacts[COLOURS].is_empty();
        if has_overflow {
            let (all, overflow) = (0..self.overflow.rolls.len(), &mut self.overflow);
            walk.stage(worker == 0, || {
                PassTask::<D>::new(overflow, all, pass, states, &job.step).run::<f32>(());
            });
        }
        if job.workers == 1 {
            // Blocks of a colour share no moving body and colours follow each other: one loop over all.
            let all = 0..self.blocks.rolls.len();
            dispatch(job.width, PassTask::<D>::new(&mut self.blocks, all, pass, states, &job.step));
            return;
        }
        let lanes = job.width.lanes();
        let groups = |colour: usize| job.colours.contacts[colour].len().div_ceil(lanes);
        let Part { blocks, first, .. } = self;
        walk_colours(walk, groups, |walk, colours| {
            let mine = first[colours.start]..first[colours.end];
            walk.stage(!mine.is_empty(), || {
                dispatch(job.width, PassTask::<D>::new(blocks, mine, pass, states, &job.step));
            });
        });
    }
}

impl Blocks {
    /// Reads the impulses of contacts back, from a block on.
    fn store<D: Engine>(
        &self,
        contacts: &Shared<'_, Contact<D>>,
        list: &[u32],
        first: usize,
        lanes: usize,
        slow: f32,
    ) {
        let size = D::ROWS * lanes;
        for (group, rows) in list.chunks(lanes).zip(self.rows[first * size..].chunks_exact(size)) {
            for (lane, index) in group.iter().enumerate() {
                let index = *index as usize;
                contacts.with(index..index + 1, |contact| {
                    for contact in contact {
                        D::store(&Lane::new(rows, lanes, lane), contact);
                        contact.has_hit = contact.points().iter().any(|point| point.approach < slow);
                    }
                });
            }
        }
    }
    /// Makes room for blocks. What is in them is that of the step before.
    fn resize(&mut self, count: usize, rows: usize, lanes: usize) {
        self.rows.resize(count * rows * lanes, 0.0);
        self.states.resize(count * 2 * lanes, FROZEN);
        self.rolls.resize(count, false);
        self.hits.resize(count, false);
    }
}

/// Fills blocks of one width, from the first on, with contacts.
struct PrepareContacts<'a, 'b, 'c, D: Engine> {
    job: &'a SolverJob<'c, D>,
    blocks: &'a mut Blocks,
    first: usize,
    list: &'a [u32],
    draft: &'a mut Draft<'b, D>,
    nothing: &'b Contact<D>,
    has_bounces: &'a mut bool,
    deep: &'a mut Vec<u32>,
}

impl<'c: 'b, 'b, D: Engine> WideTask for PrepareContacts<'_, 'b, 'c, D> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let PrepareContacts { job, blocks, first, list, draft, nothing, has_bounces, deep } = self;
        let (size, width) = (D::ROWS * T::WIDTH, 2 * T::WIDTH);
        let rows = blocks.rows[first * size..].chunks_exact_mut(size);
        let indices = blocks.states[first * width..].chunks_exact_mut(width);
        let flags = blocks.rolls[first..].iter_mut().zip(&mut blocks.hits[first..]);
        for (((group, rows), states), (rolls, hits)) in
            list.chunks(T::WIDTH).zip(rows).zip(indices).zip(flags)
        {
            *rolls = false;
            for lane in group.len()..T::WIDTH {
                draft.clear(lane, nothing);
                states[lane] = FROZEN;
                states[T::WIDTH + lane] = FROZEN;
            }
            // Contacts are all over the memory: a loop that does nothing else fetches them at the same time.
            for (lane, &index) in group.iter().enumerate().take(T::WIDTH) {
                let contact = &job.contacts.pool[index as usize];
                *rolls |= contact.rolling > 0.0;
                *has_bounces |= contact.restitution > 0.0;
                draft.contacts[lane] = contact;
                draft.counts[lane] = if contact.is_ignored { 0.0 } else { f32::from(contact.count) };
            }
            let mut unmoved = 0_u32;
            for (lane, &index) in group.iter().enumerate().take(T::WIDTH) {
                let contact = draft.contacts[lane];
                let [one, other] = contact.bodies.map(|body| &job.places[body as usize]);
                let (mut a, mut b) = (job.side(one), job.side(other));
                let is_braced = job.brace(index, &mut a, &mut b);
                let is_firm = (a.state | b.state) & FROZEN != 0;
                let is_unmoved = (a.inverse_mass == 0.0) != (b.inverse_mass == 0.0);
                unmoved |= u32::from(is_unmoved) << lane;
                states[lane] = a.state;
                states[T::WIDTH + lane] = b.state;
                draft.sides[0][lane] = a;
                draft.sides[1][lane] = b;
                draft.offsets[lane] = D::Vector::narrow(other.center - one.center);
                let load = contact.points().iter().fold(0.0, |sum, point| sum + point.impulse);
                let is_loaded =
                    !is_braced && job.step.most_kick < load * a.inverse_mass.max_of(b.inverse_mass);
                draft.softs[lane] = match (is_firm, is_loaded) {
                    (true, _) => job.step.firm,
                    (false, true) => job.step.loaded,
                    (false, false) => job.step.soft,
                };
            }
            let mut block = Block { rows, states, rolls: *rolls, width: PhantomData::<T> };
            let mut fastest = [0.0; MOST_LANES];
            D::prepare::<T>(token, &mut block, draft).store(&mut fastest);
            *hits = fastest.iter().any(|approach| *approach < -job.step.restitution_speed);
            while unmoved != 0 {
                let lane = unmoved.trailing_zeros() as usize;
                unmoved &= unmoved - 1;
                let depth = D::depth(&Lane::new(rows, T::WIDTH, lane));
                if job.step.margin < depth {
                    let side = usize::from(draft.sides[0][lane].inverse_mass == 0.0);
                    let body = draft.contacts[lane].bodies[side];
                    if SHARE_OF_DEEP * job.records[body as usize].thickness < depth {
                        deep.push(body);
                    }
                }
            }
        }
    }
}

/// A pass over blocks of one width.
struct PassTask<'a, D> {
    blocks: &'a mut Blocks,
    range: Range<usize>,
    pass: Pass,
    states: &'a [Cell<Quad>],
    step: &'a StepFactors,
    dimension: PhantomData<D>,
}

impl<'a, D: Engine> PassTask<'a, D> {
    fn new(
        blocks: &'a mut Blocks,
        range: Range<usize>,
        pass: Pass,
        states: &'a [Cell<Quad>],
        step: &'a StepFactors,
    ) -> Self {
        PassTask { blocks, range, pass, states, step, dimension: PhantomData }
    }
}

impl<D: Engine> WideTask for PassTask<'_, D> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let PassTask { blocks, range, pass, states, step, .. } = self;
        let (size, width) = (D::ROWS * T::WIDTH, 2 * T::WIDTH);
        // A plain loop: see the note in `wide`.
        let rows = blocks.rows[range.start * size..range.end * size].chunks_exact_mut(size);
        let indices = blocks.states[range.start * width..range.end * width].chunks_exact(width);
        let flags = blocks.rolls[range.clone()].iter().zip(&blocks.hits[range]);
        for ((rows, indices), (&rolls, &hits)) in rows.zip(indices).zip(flags) {
            let mut block = Block { rows, states: indices, rolls, width: PhantomData::<T> };
            if hits && matches!(pass, Pass::Solve(_) | Pass::Relax(_)) {
                D::meet::<T>(token, &mut block, states, step);
            }
            match pass {
                Pass::WarmStart => D::warm_start::<T>(token, &mut block, states),
                Pass::Solve(is_odd) => D::solve::<T, false>(token, &mut block, states, step, is_odd),
                Pass::Relax(is_odd) => D::solve::<T, true>(token, &mut block, states, step, is_odd),
                Pass::Restitute if hits => D::restitute::<T>(token, &mut block, states, step),
                Pass::Restitute => {}
            }
        }
    }
}
