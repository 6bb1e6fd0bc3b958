//! Numbers about a world: how much there is, how deep it overlaps, how long the stages take.

use super::World;
use super::contact::NONE;
use super::dimension::Engine;
use super::handle::ColliderHandle;
use super::narrow_phase::Placed;
use carom_math::{Number, Vector};
use std::time::{Duration, Instant};

/// How much there is in a world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// All bodies.
    pub bodies: usize,
    /// Bodies that are awake, kinematic ones included.
    pub awake: usize,
    /// Bodies that were frozen because their state stopped being finite.
    pub quarantined: usize,
    /// All shapes.
    pub colliders: usize,
    /// All joints.
    pub joints: usize,
    /// Pairs whose boxes overlap.
    pub pairs: usize,
    /// Pairs that the solver has: they touch, or are about to, and are awake.
    pub contacts: usize,
    /// Contacts that found no colour.
    pub overflow: usize,
    /// Groups of awake bodies that touch each other.
    pub islands: usize,
    /// The energy of all motion.
    pub kinetic_energy: f64,
    /// The deepest overlap of any contact that is awake, a length; 0 when nothing overlaps.
    pub deepest: f32,
}

/// How long the stages of the steps took since the clock was switched on, and how many steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Finding new pairs.
    pub pairs: Duration,
    /// Finding points of contact.
    pub collide: Duration,
    /// Acting on what began and ended.
    pub settle: Duration,
    /// Making constraints.
    pub prepare: Duration,
    /// The sub-steps.
    pub solve: Duration,
    /// Poses and boxes.
    pub finish: Duration,
    /// Of that, stopping what is fast before it flies through something.
    pub continuous: Duration,
    /// Finding islands and putting them to sleep.
    pub sleep: Duration,
    /// All of it.
    pub total: Duration,
    /// How many steps.
    pub steps: u64,
}

/// A point where two shapes touch, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint<V> {
    /// The first shape.
    pub a: ColliderHandle,
    /// The second shape.
    pub b: ColliderHandle,
    /// Half way between the surfaces.
    pub point: V,
    /// From the first to the second.
    pub normal: V,
    /// Negative for an overlap.
    pub separation: f32,
    /// The impulse of the last sub-step along the normal.
    pub impulse: f32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    Pairs,
    Collide,
    Settle,
    Prepare,
    Solve,
    Finish,
    Sleep,
}

/// A clock that is read only when asked for.
pub(crate) struct Clock {
    start: Option<Instant>,
    last: Option<Instant>,
}

impl Clock {
    pub(crate) fn start(is_wanted: bool) -> Self {
        let start = is_wanted.then(Instant::now);
        Clock { start, last: start }
    }
    pub(crate) fn lap(&mut self, timings: &mut Timings, stage: Stage) {
        let Some(last) = self.last else { return };
        let now = Instant::now();
        let slot = match stage {
            Stage::Pairs => &mut timings.pairs,
            Stage::Collide => &mut timings.collide,
            Stage::Settle => &mut timings.settle,
            Stage::Prepare => &mut timings.prepare,
            Stage::Solve => &mut timings.solve,
            Stage::Finish => &mut timings.finish,
            Stage::Sleep => &mut timings.sleep,
        };
        *slot += now - last;
        self.last = Some(now);
    }
    pub(crate) fn total(&self, timings: &mut Timings) {
        if let Some(start) = self.start {
            timings.total += start.elapsed();
            timings.steps += 1;
        }
    }
}

impl<D: Engine> World<D> {
    /// How much there is. Takes time in proportion to it.
    pub fn statistics(&mut self) -> Statistics {
        let islands = self.count_islands();
        let touching: usize = self.colours.contacts.iter().map(Vec::len).sum();
        let deepest = self.colours.all().fold(0.0_f32, |deepest, index| self.depth_of(index).max_of(deepest));
        Statistics {
            bodies: self.bodies.len(),
            awake: self.awake.bodies.len(),
            quarantined: self.bodies.indices().filter(|&k| self.bodies.items[k].is_quarantined).count(),
            colliders: self.colliders.len(),
            joints: self.joints.table.len(),
            pairs: self.contacts.len(),
            contacts: touching,
            overflow: self.colours.contacts.last().map_or(0, Vec::len),
            islands,
            kinetic_energy: self.bodies().fold(0.0, |sum, body| sum + body.kinetic_energy()),
            deepest,
        }
    }
    /// How deep the shapes of a contact overlap as they are now. The points of a contact are those of the step's beginning:
    /// of bodies that spin or fly past each other they tell nothing, so the shapes are asked. With shapes that
    /// have parts it is the points after all, since each part has its own way out.
    fn depth_of(&self, index: u32) -> f32 {
        let contact = &self.contacts.pool[index as usize];
        if contact.is_extra || contact.part_pair != NONE {
            return self.points_of(index).fold(0.0, |deepest, point| (-point.separation).max_of(deepest));
        }
        let [at_a, at_b] = contact.bodies.map(|body| &self.places[body as usize]);
        let [a, b] = contact.shapes.map(|shape| &self.colliders.items[shape as usize]);
        let [pose_a, pose_b] = Placed::new(at_a, at_b).poses(a, b);
        let found = D::distance(&a.given.shape, pose_a, &b.given.shape, pose_b);
        found.map_or(0.0, |found| (found.point_a - found.point_b).dot(found.normal).max_of(0.0))
    }
    /// How long the stages took since the clock was switched on.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.timings
    }
    /// Every point of every contact that is awake, as the bodies are now.
    pub fn contact_points(&self) -> impl Iterator<Item = ContactPoint<D::Vector>> + '_ {
        self.colours.all().flat_map(move |index| self.points_of(index))
    }
    fn points_of(&self, index: u32) -> impl Iterator<Item = ContactPoint<D::Vector>> + '_ {
        let contact = &self.contacts.pool[index as usize];
        let [at_a, at_b] = contact.bodies.map(|body| self.places[body as usize]);
        let offset = D::Vector::narrow(at_b.center - at_a.center);
        let normal = D::rotate(at_a.rotation, contact.normal);
        contact.points().iter().map(move |point| {
            let [on_a, on_b] = contact.on_surfaces(point, [at_a.rotation, at_b.rotation]);
            let on_b = offset + on_b;
            ContactPoint {
                a: self.colliders.handle(contact.shapes[0] as usize),
                b: self.colliders.handle(contact.shapes[1] as usize),
                point: D::Vector::narrow(at_a.center + ((on_a + on_b) * 0.5).widen()),
                normal,
                separation: (on_b - on_a).dot(normal),
                impulse: point.impulse,
            }
        })
    }
}
