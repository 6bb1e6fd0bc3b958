//! A step, stage by stage.

use super::World;
use super::body::{BodyKind, Record};
use super::colours::COLOURS;
use super::contact::{Contact, NONE};
use super::dimension::{Engine, Side};
use super::solver::Pass;
use super::solver::block::FROZEN;
use super::solver::soft::StepFactors;
use super::statistics::{Clock, Stage};
use crate::Error;
use crate::error::not_negative;
use carom_math::Vector;
use core::cell::Cell;

impl<D: Engine> World<D> {
    /// Goes on by `dt` seconds. 0 finds contacts and moves nothing.
    ///
    /// Afterwards [`events`](Self::events) has what happened.
    ///
    /// # Errors
    /// When `dt` is negative or not finite; nothing happens then.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        not_negative("dt", dt)?;
        let mut clock = Clock::start(self.is_timed);
        self.events.clear();
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
            clock.lap(&mut self.timings, Stage::Finish);
            self.fall_asleep();
            clock.lap(&mut self.timings, Stage::Sleep);
        }
        self.step_count += 1;
        clock.total(&mut self.timings);
        Ok(())
    }

    /// What bodies and contacts need to know during the sub-steps.
    fn prepare(&mut self, factors: &StepFactors) {
        let h = factors.h;
        for (k, &index) in self.awake.bodies.iter().enumerate() {
            let record = &self.bodies.items[index as usize];
            let rotation = self.places[index as usize].rotation;
            let motion = &mut self.awake.motion[k];
            let locks = record.locks.bits;
            motion.is_dynamic = record.moves();
            motion.locks = if motion.is_dynamic { locks } else { 0 };
            motion.tumbles = false;
            if !motion.is_dynamic {
                self.awake.inverse_inertia[k] = D::Inertia::default();
                continue;
            }
            let inverse_inertia = D::inertia_in_world(record.inverse_inertia, rotation, locks);
            self.awake.inverse_inertia[k] = inverse_inertia;
            motion.gain =
                (self.settings.gravity * record.gravity_scale + record.force * record.inverse_mass) * h;
            motion.angular_gain = D::inertia_times(inverse_inertia, record.torque) * h;
            motion.linear_keep = 1.0 / (1.0 + h * record.linear_damping);
            motion.angular_keep = 1.0 / (1.0 + h * record.angular_damping);
            motion.tumbles = record.tumbles && locks >> 3 == 0;
            motion.inertia = record.inertia;
        }
        let World { solver, colours, contacts, bodies, places, awake, width, .. } = self;
        let side = |index: u32| -> Side<D> {
            let record: &Record<D> = &bodies.items[index as usize];
            let rotation = places[index as usize].rotation;
            if record.awake == NONE {
                return Side {
                    state: FROZEN,
                    inverse_mass: 0.0,
                    inverse_inertia: D::Inertia::default(),
                    rotation,
                    velocity: D::Vector::ZERO,
                    angular: D::Angular::default(),
                };
            }
            let k = record.awake as usize;
            let (velocity, angular) = D::velocities(awake.state(k));
            let moves = record.moves();
            Side {
                state: record.awake + 1 + if moves { 0 } else { FROZEN },
                inverse_mass: if moves { record.inverse_mass } else { 0.0 },
                inverse_inertia: awake.inverse_inertia[k],
                rotation,
                velocity,
                angular,
            }
        };
        solver.prepare(*width, colours, contacts, factors, |contact: &Contact<D>| {
            let [a, b] = contact.bodies;
            let offset = places[b as usize].center - places[a as usize].center;
            (side(a), side(b), D::Vector::narrow(offset))
        });
    }

    /// The sub-steps.
    fn solve(&mut self, factors: &StepFactors) {
        let World { solver, colours, contacts, awake, places, settings, width, .. } = self;
        for sub_step in 0..settings.sub_steps {
            for (state, motion) in awake.quads[D::QUADS..].chunks_exact_mut(D::QUADS).zip(&mut awake.motion) {
                D::integrate_velocity(state, motion, factors, sub_step == 0);
            }
            if sub_step == 0 {
                let states = Cell::from_mut(awake.quads.as_mut_slice()).as_slice_of_cells();
                solver.pass::<D>(*width, Pass::WarmStart, states, factors);
            }
            let states = Cell::from_mut(awake.quads.as_mut_slice()).as_slice_of_cells();
            solver.pass::<D>(*width, Pass::Solve, states, factors);
            let bodies = awake.bodies.iter().zip(&mut awake.motion);
            for (state, (&body, motion)) in awake.quads[D::QUADS..].chunks_exact_mut(D::QUADS).zip(bodies) {
                D::integrate_position(state, motion, places[body as usize].rotation, factors);
            }
            let states = Cell::from_mut(awake.quads.as_mut_slice()).as_slice_of_cells();
            solver.pass::<D>(*width, Pass::Relax, states, factors);
        }
        let states = Cell::from_mut(awake.quads.as_mut_slice()).as_slice_of_cells();
        solver.pass::<D>(*width, Pass::Restitute, states, factors);
        solver.store(colours, contacts);
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
