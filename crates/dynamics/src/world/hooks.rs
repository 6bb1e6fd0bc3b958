//! Hooks: functions of yours that are asked which shapes meet, and how they touch.
//!
//! A hook may be called from any thread of the world and in any order, so it must answer from what it is given
//! and from what does not change while the world steps. Then the same calls give the same bits for any number of
//! threads: what a hook is given depends on the world alone.
//!
//! A hook that panics ends the step, which panics with what the hook panicked with, whichever thread asked it. What was done of the step by
//! then stays done; a snapshot leads back to where it began.

use super::World;
use super::body::{Place, Record};
use super::collider::ColliderRecord;
use super::contact::{Contact, NONE};
use super::dimension::Engine;
use super::handle::{BodyHandle, ColliderHandle, Table};
use super::impact::{Meeting, Path};
use super::narrow_phase::mixed;
use super::{Awake, BodyKind};
use carom_math::Vector;
use core::fmt;
use std::sync::Arc;

/// One of two shapes that a hook is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Party {
    /// The shape.
    pub collider: ColliderHandle,
    /// Its body.
    pub body: BodyHandle,
    /// How the body moves.
    pub kind: BodyKind,
    /// Your number of the shape.
    pub collider_data: u64,
    /// Your number of the body.
    pub body_data: u64,
}

/// How two shapes touch, and what a hook may change about it for a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactChange<V> {
    /// The first shape.
    pub a: Party,
    /// The second shape.
    pub b: Party,
    /// From the first to the second, in the world.
    pub normal: V,
    /// The least separation of their points; negative for an overlap.
    pub separation: f32,
    /// The velocity of the second as seen from the first, at that point. Negative along the normal for approach.
    pub velocity: V,
    /// Coulomb's µ.
    pub friction: f32,
    /// The share of the speed that a bounce gives back.
    pub restitution: f32,
    /// How fast the second surface runs along the first by itself, in the world.
    pub surface: V,
    /// Whether they push each other at all; true unless you change it.
    pub is_solid: bool,
}

type PairHook = Arc<dyn Fn(&Party, &Party) -> bool + Send + Sync>;
type ContactHook<V> = Arc<dyn Fn(&mut ContactChange<V>) + Send + Sync>;

/// The hooks of a world.
#[derive(Clone)]
pub(crate) struct Hooks<V> {
    pair: Option<PairHook>,
    pub(crate) contact: Option<ContactHook<V>>,
}

impl<V> Default for Hooks<V> {
    fn default() -> Self {
        Hooks { pair: None, contact: None }
    }
}

impl<V> fmt::Debug for Hooks<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pair, contact) = (self.pair.is_some(), self.contact.is_some());
        f.debug_struct("Hooks").field("pair", &pair).field("contact", &contact).finish()
    }
}

impl<V> Hooks<V> {
    /// Whether two shapes meet as far as the hook is concerned.
    #[inline]
    pub(crate) fn allow<D: Engine>(
        &self,
        bodies: &Table<Record<D>>,
        colliders: &Table<ColliderRecord<D>>,
        [a, b]: [u32; 2],
    ) -> bool {
        let Some(hook) = &self.pair else { return true };
        let (low, high) = (a.min(b), a.max(b));
        hook(&party(bodies, colliders, low), &party(bodies, colliders, high))
    }
}

fn party<D: Engine>(bodies: &Table<Record<D>>, colliders: &Table<ColliderRecord<D>>, index: u32) -> Party {
    let collider = &colliders.items[index as usize];
    let body = &bodies.items[collider.body as usize];
    Party {
        collider: colliders.handle(index as usize),
        body: bodies.handle(collider.body as usize),
        kind: body.kind,
        collider_data: collider.given.user_data,
        body_data: body.user_data,
    }
}

/// What the hook for contacts may look at.
pub(crate) struct Surroundings<'a, D: Engine> {
    pub(crate) bodies: &'a Table<Record<D>>,
    pub(crate) colliders: &'a Table<ColliderRecord<D>>,
    pub(crate) places: &'a [Place<D>],
    pub(crate) awake: &'a Awake<D>,
}

impl<D: Engine> Surroundings<'_, D> {
    /// Asks the hook about a contact whose points are known.
    pub(crate) fn ask(&self, hook: &ContactHook<D::Vector>, contact: &mut Contact<D>) {
        if contact.is_sensor {
            return;
        }
        self.restore(contact);
        let [a, b] = contact.shapes;
        let [at_a, at_b] = contact.bodies.map(|body| &self.places[body as usize]);
        let normal = D::rotate(at_a.rotation, contact.normal);
        let offset = D::Vector::narrow(at_b.center - at_a.center);
        let mut deepest: Option<(f32, D::Vector)> = None;
        for point in contact.points() {
            let [on_a, on_b] = contact.on_surfaces(point, [at_a.rotation, at_b.rotation]);
            let separation = (offset + on_b - on_a).dot(normal);
            if deepest.is_none_or(|(least, _)| separation < least) {
                deepest = Some((separation, on_a));
            }
        }
        let Some((separation, arm)) = deepest else { return };
        let velocity = |body: u32, arm: D::Vector| {
            let record = &self.bodies.items[body as usize];
            let (velocity, angular) = match record.awake {
                NONE => (record.velocity, record.angular),
                k => D::velocities(self.awake.state(k as usize)),
            };
            velocity + D::spin(angular, arm)
        };
        let mut change = ContactChange {
            a: party(self.bodies, self.colliders, a),
            b: party(self.bodies, self.colliders, b),
            normal,
            separation,
            velocity: velocity(contact.bodies[1], arm - offset) - velocity(contact.bodies[0], arm),
            friction: contact.friction,
            restitution: contact.restitution,
            surface: contact.surface,
            is_solid: true,
        };
        hook(&mut change);
        let is_good = |number: f32| number.is_finite() && 0.0 <= number;
        if is_good(change.friction) {
            contact.friction = change.friction;
        }
        if is_good(change.restitution) {
            contact.restitution = change.restitution;
        }
        if change.surface.finite() {
            contact.surface = change.surface;
        }
        contact.is_ignored = !change.is_solid;
    }

    /// Gives a contact back what follows from its shapes.
    fn restore(&self, contact: &mut Contact<D>) {
        let [a, b] = contact.shapes.map(|shape| &self.colliders.items[shape as usize]);
        (contact.friction, contact.restitution, contact.rolling) = mixed(a, b);
        if !contact.has_surface {
            contact.surface = D::Vector::ZERO;
        }
        contact.is_ignored = false;
    }
}

impl<D: Engine> World<D> {
    /// Whether two shapes that meet on their ways push each other, as far as the hook for contacts is concerned.
    pub(super) fn is_solid_meeting(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        met: &Meeting<D::Vector>,
    ) -> bool {
        let Some(hook) = &self.hooks.contact else { return true };
        // As of a contact, the shape with the lower index comes first.
        if b < a {
            let back = Meeting { normal: -met.normal, ..*met };
            return self.is_solid_meeting((b, path_b), (a, path_a), &back);
        }
        let (pose_a, pose_b) = self.places_at((a, path_a), (b, path_b), met.time);
        let [shape_a, shape_b] = [a, b].map(|shape| &self.colliders.items[shape as usize]);
        let found = D::distance(&shape_a.given.shape, pose_a, &shape_b.given.shape, pose_b);
        let Ok(found) = found else { return true };
        let (offset, [(way_a, turn_a), (way_b, turn_b)]) = (
            D::Vector::narrow(path_b.center - path_a.center),
            [path_a, path_b].map(|path| path.at(met.time)),
        );
        let velocity = |body: u32, arm: D::Vector| {
            let (velocity, angular) = self.velocities_of(body as usize);
            velocity + D::spin(angular, arm)
        };
        let (friction, restitution, _) = mixed(shape_a, shape_b);
        let mut change = ContactChange {
            a: party(&self.bodies, &self.colliders, a),
            b: party(&self.bodies, &self.colliders, b),
            normal: met.normal,
            separation: found.distance,
            velocity: velocity(shape_b.body, found.point_a - (offset + way_b))
                - velocity(shape_a.body, found.point_a - way_a),
            friction,
            restitution,
            surface: D::rotate(turn_b, shape_b.given.surface) - D::rotate(turn_a, shape_a.given.surface),
            is_solid: true,
        };
        hook(&mut change);
        change.is_solid
    }

    /// Asks a function of yours, besides the filters, whether two shapes meet: when their boxes come to overlap,
    /// and when one of them is fast. It may be called from any thread, and must always answer the same about the
    /// same pair. The shape with the lower index comes first. When the function panics, so does [`step`](Self::step).
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, Collider, World};
    /// use carom_geometry::d2::{Ball, Cuboid};
    /// let mut world = World::new();
    /// // Only what has the same number meets.
    /// world.filter_pairs(|a, b| a.collider_data == b.collider_data);
    /// world.add(Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([9.0, 1.0])?))?;
    /// let ghost = Collider::new(Ball::new(0.5)?).user_data(7);
    /// let ghost = world.add(Body::dynamic().at([0.0, 0.5]).shape(ghost))?;
    /// (0..60).try_for_each(|_| world.step(1.0 / 60.0))?;
    /// assert!(world.get(ghost)?.pose().translation.y < -1.0);
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    pub fn filter_pairs(&mut self, hook: impl Fn(&Party, &Party) -> bool + Send + Sync + 'static) {
        self.hooks.pair = Some(Arc::new(hook));
    }

    /// Lets a function of yours change each contact that is awake, in each step before it is solved: its friction,
    /// restitution and surface velocity, or whether it pushes at all. It may be called from any thread and in any
    /// order, once for each contact. Numbers that make no sense are passed over.
    ///
    /// It is asked about meetings of what is fast as well, before there is a contact, and there only `is_solid` is heeded: what does not push
    /// holds nobody up. The velocity is the one that the bodies meet with.
    ///
    /// When the function panics, so does [`step`](Self::step), whichever thread it was called from.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, World};
    /// use carom_geometry::d2::{Ball, Cuboid};
    /// let mut world = World::new();
    /// // One can jump through the floor from below.
    /// world.modify_contacts(|contact| contact.is_solid = contact.normal.y > 0.5 && contact.velocity.y < 0.1);
    /// world.add(Body::fixed().at([0.0, 0.0]).shape(Cuboid::new([9.0, 0.1])?))?;
    /// let ball = world.add(Body::dynamic().at([0.0, -2.0]).velocity([0.0, 9.0]).shape(Ball::new(0.25)?))?;
    /// (0..180).try_for_each(|_| world.step(1.0 / 60.0))?;
    /// assert!((world.get(ball)?.pose().translation.y - 0.35).abs() < 0.01);
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    pub fn modify_contacts(&mut self, hook: impl Fn(&mut ContactChange<D::Vector>) + Send + Sync + 'static) {
        self.hooks.contact = Some(Arc::new(hook));
    }

    /// Asks no functions any longer. Contacts are again as their shapes are.
    pub fn clear_hooks(&mut self) {
        self.hooks = Hooks::default();
        let World { contacts, bodies, colliders, places, awake, .. } = self;
        let surroundings = Surroundings { bodies, colliders, places, awake };
        for contact in contacts.pool.iter_mut().filter(|contact| contact.shapes[0] != NONE) {
            surroundings.restore(contact);
        }
    }
}
