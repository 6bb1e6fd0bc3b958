//! A step, stage by stage.

use super::body::BodyKind;
use super::colours::COLOURS;
use super::dimension::{Engine, Side};
use super::joint::Joints;
use super::solver::SolverJob;
use super::solver::block::FROZEN;
use super::solver::soft::StepFactors;
use super::solver::stages::Touched;
use super::statistics::{Clock, Stage};
use super::threads::Shared;
use super::{Awake, World};
use crate::Error;
use crate::error::not_negative;
use carom_math::Vector;
use core::sync::atomic::{AtomicBool, Ordering};

impl<D: Engine> World<D> {
    /// Goes on by `dt` seconds. 0 finds contacts and moves nothing; forces that were to act during the step are over
    /// all the same.
    ///
    /// Afterwards [`events`](Self::events) has what happened.
    ///
    /// # Errors
    /// When `dt` is negative or not finite; nothing happens then.
    ///
    /// # Panics
    /// When a [hook](Self::modify_contacts) does.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        not_negative("dt", dt)?;
        let mut clock = Clock::start(self.is_timed);
        self.update_pairs();
        clock.lap(&mut self.timings, Stage::Pairs);
        self.collide();
        clock.lap(&mut self.timings, Stage::Collide);
        self.settle();
        clock.lap(&mut self.timings, Stage::Settle);
        // A sub-step so short that its inverse is infinite moves nothing either.
        let factors = StepFactors::new(&self.settings, dt);
        if dt > 0.0 && factors.inverse_h.is_finite() {
            self.prepare(&factors);
            clock.lap(&mut self.timings, Stage::Prepare);
            self.solve(&factors);
            clock.lap(&mut self.timings, Stage::Solve);
            self.finish(dt);
            self.note_deep(false);
            clock.lap(&mut self.timings, Stage::Finish);
            self.fall_asleep();
            clock.lap(&mut self.timings, Stage::Sleep);
        } else {
            self.forget_forces();
        }
        self.step_count += 1;
        core::mem::swap(&mut self.happened, &mut self.events);
        self.happened.clear();
        clock.total(&mut self.timings);
        Ok(())
    }

    /// Ends the forces that were to act during a step in which nothing moves.
    fn forget_forces(&mut self) {
        for &body in &self.awake.bodies {
            let record = &mut self.bodies.items[body as usize];
            (record.force, record.torque) = Default::default();
        }
    }

    /// What bodies need to know during the sub-steps.
    fn prepare(&mut self, factors: &StepFactors) {
        let World { awake, bodies, places, settings, pool, .. } = self;
        let Awake { bodies: indices, quads, motion: motions, sides, has_locks, .. } = awake;
        let any_locks = AtomicBool::new(false);
        let (h, quads, motions) = (factors.h, &*quads, Shared::new(motions));
        let (count, sides) = (sides.len(), Shared::new(sides));
        pool.share_out(count, 64, &|_, range| {
            sides.with(range.clone(), |sides| {
                for (k, side) in range.zip(sides) {
                    let index = indices[k] as usize;
                    let (record, rotation) = (&bodies.items[index], places[index].rotation);
                    let (velocity, angular) = D::velocities(&quads[(k + 1) * D::QUADS..(k + 2) * D::QUADS]);
                    let locks = record.locks.bits;
                    let mut motion = motions.cells()[k].get();
                    motion.is_dynamic = record.moves();
                    motion.locks = if motion.is_dynamic { locks } else { 0 };
                    if motion.locks != 0 {
                        any_locks.store(true, Ordering::Relaxed);
                    }
                    motion.tumbles = false;
                    motion.is_joined = record.joint_count != 0;
                    *side = Side {
                        state: (k as u32 + 1) | FROZEN,
                        rotation,
                        velocity,
                        angular,
                        ..Side::default()
                    };
                    if motion.is_dynamic {
                        side.state = k as u32 + 1;
                        side.inverse_mass = record.inverse_mass;
                        side.inverse_inertia = record.free_inverse_inertia(rotation);
                        side.acceleration =
                            settings.gravity * record.gravity_scale + record.force * record.inverse_mass;
                        let angular_gain = D::inertia_times(side.inverse_inertia, record.torque) * h;
                        D::set_velocities(motion.gain.as_mut(), side.acceleration * h, angular_gain);
                        let keep = |damping: f32| 1.0 / (1.0 + h * damping);
                        motion.keep = [keep(record.linear_damping), keep(record.angular_damping)];
                        motion.tumbles = record.tumbles && locks >> 3 == 0;
                        motion.inertia = record.inertia;
                    }
                    motions.cells()[k].set(motion);
                }
            });
        });
        *has_locks = any_locks.into_inner();
    }

    /// Makes constraints and goes through the sub-steps, on all threads.
    fn solve(&mut self, factors: &StepFactors) {
        self.joints.arrange(self.width.lanes());
        self.joints.fill(factors);
        self.turn_gears();
        self.colours.put_in_order(&mut self.contacts, &self.places);
        let World { solver, colours, contacts, joints, places, bodies, awake, width, settings, pool, .. } =
            self;
        // A worker with less than sixteen blocks would wait longer than it works.
        let blocks: usize = colours.contacts.iter().map(|list| list.len().div_ceil(width.lanes())).sum();
        // Eight bodies that tumble take as long as a block.
        let Joints { table, plan, rows, .. } = joints;
        let (joint_numbers, joint_states) = rows.parts();
        let blocks = blocks + plan.groups.len() + awake.bodies.len() / 8;
        let workers = pool.count().min(1 + blocks / 16);
        solver.begin(workers);
        let mut touched = core::mem::take(&mut solver.touched);
        let job = SolverJob {
            width: *width,
            step: *factors,
            sub_steps: settings.sub_steps,
            colours,
            contacts,
            joints: &table.items,
            plan,
            joint_numbers: Shared::new(joint_numbers),
            joint_states: Shared::new(joint_states),
            places,
            records: &bodies.items,
            sides: &awake.sides,
            states: Shared::new(&mut awake.quads),
            motion: &awake.motion,
            has_locks: awake.has_locks,
            references: Shared::new(&mut awake.references),
            barrier: pool.barrier(workers),
            touched: Touched::new(&mut touched, awake.motion.len() + 1, workers),
            workers,
        };
        pool.run(&|worker| solver.run(&job, worker));
        solver.touched = touched;
        let (contacts, slow) = (Shared::new(&mut contacts.pool), -factors.restitution_speed);
        pool.run(&|worker| solver.store(colours, width.lanes(), slow, &contacts, worker));
        self.note_deep(true);
        self.break_joints();
    }

    /// Notes that bodies are deep in something that they do not move, or forgets it.
    fn note_deep(&mut self, is_deep: bool) {
        for body in self.solver.deep() {
            if let Some(record) = self.bodies.items.get_mut(body as usize) {
                record.is_deep = is_deep;
            }
        }
    }

    /// How many contacts the solver has, by colour; the overflow last.
    #[must_use]
    pub fn colour_sizes(&self) -> [usize; COLOURS + 1] {
        core::array::from_fn(|colour| self.colours.contacts[colour].len())
    }

    /// Whether the body is moved by its velocity alone.
    pub(super) fn is_moving_kinematic(&self, index: usize) -> bool {
        let record = &self.bodies.items[index];
        record.kind == BodyKind::Kinematic && {
            let (velocity, angular) = self.velocities_of(index);
            velocity != D::Vector::ZERO || angular != D::Angular::default()
        }
    }
}
