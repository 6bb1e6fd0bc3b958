//! Islands: bodies that touch each other or are joined, directly or through others, sleep and wake together.
//!
//! Islands are found only when some body has been slow long enough: a union–find over the contacts that the
//! solver has and the joints, with path halving, where the root is the lowest index. What does not move belongs to no island,
//! so two piles on one ground are two islands.

use super::World;
use super::body::BodyKind;
use super::contact::NONE;
use super::dimension::Engine;
use super::narrow_phase::find_points;
use carom_math::Vector;

/// Memory for finding islands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    /// The parent of each awake body.
    parents: Vec<u32>,
    /// Whether the island of a root must stay awake.
    restless: Vec<bool>,
    /// Who falls asleep.
    sleepers: Vec<u32>,
}

impl Islands {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.parents[at as usize] != at {
            let grandparent = self.parents[self.parents[at as usize] as usize];
            self.parents[at as usize] = grandparent;
            at = grandparent;
        }
        at
    }
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high as usize] = low;
    }
}

impl<D: Engine> World<D> {
    /// Finds the islands of awake bodies: `islands.parents` afterwards leads to roots.
    pub(super) fn find_islands(&mut self) {
        self.joints.arrange(self.width.lanes());
        let count = self.awake.bodies.len();
        self.islands.parents.clear();
        self.islands.parents.extend(0..count as u32);
        for index in self.colours.all() {
            let [a, b] =
                self.contacts.pool[index as usize].bodies.map(|body| &self.bodies.items[body as usize]);
            if a.moves() && b.moves() && a.is_awake() && b.is_awake() {
                self.islands.join(a.awake, b.awake);
            }
        }
        for &index in self.joints.plan.order() {
            let [a, b] =
                self.joints.table.items[index as usize].bodies.map(|body| &self.bodies.items[body as usize]);
            if a.moves() && b.moves() && a.is_awake() && b.is_awake() {
                self.islands.join(a.awake, b.awake);
            }
        }
    }

    /// How many islands are awake.
    pub(super) fn count_islands(&mut self) -> usize {
        self.find_islands();
        let is_root = |k: &usize| {
            self.islands.parents[*k] == *k as u32 && self.bodies.items[self.awake.bodies[*k] as usize].moves()
        };
        (0..self.awake.bodies.len()).filter(is_root).count()
    }

    /// Puts islands to sleep whose bodies have all been slow long enough.
    pub(super) fn fall_asleep(&mut self) {
        let patience = self.settings.sleep_time;
        let is_tired = |world: &Self, body: u32| {
            let record = &world.bodies.items[body as usize];
            record.moves() && record.can_sleep && patience <= record.slow_time
        };
        if !self.settings.sleep || !self.awake.bodies.iter().any(|body| is_tired(self, *body)) {
            return;
        }
        self.find_islands();
        let count = self.awake.bodies.len();
        self.islands.restless.clear();
        self.islands.restless.resize(count, false);
        for k in 0..count {
            if !is_tired(self, self.awake.bodies[k]) {
                let root = self.islands.root(k as u32);
                self.islands.restless[root as usize] = true;
            }
        }
        // What lies on something that is being moved does not sleep.
        let touching = self.colours.all().map(|index| self.contacts.pool[index as usize].bodies);
        let joined =
            self.joints.plan.order().iter().map(|index| self.joints.table.items[*index as usize].bodies);
        for bodies in touching.chain(joined) {
            for (body, other) in [(bodies[0], bodies[1]), (bodies[1], bodies[0])] {
                let awake = self.bodies.items[body as usize].awake;
                if awake != NONE && self.is_moving_kinematic(other as usize) {
                    let root = self.islands.root(awake);
                    self.islands.restless[root as usize] = true;
                }
            }
        }
        let mut sleepers = core::mem::take(&mut self.islands.sleepers);
        sleepers.clear();
        for k in 0..count {
            let root = self.islands.root(k as u32);
            if !self.islands.restless[root as usize]
                && self.bodies.items[self.awake.bodies[k] as usize].moves()
            {
                sleepers.push(self.awake.bodies[k]);
            }
        }
        // By index, so that the order does not depend on how bodies came to their places.
        sleepers.sort_unstable();
        for &body in &sleepers {
            self.leave_awake(body as usize);
            let record = &mut self.bodies.items[body as usize];
            record.velocity = D::Vector::ZERO;
            record.angular = D::Angular::default();
            self.happened.slept.push(self.bodies.handle(body as usize));
        }
        for &body in &sleepers {
            let mut entry = self.bodies.items[body as usize].first_contact;
            while entry != NONE {
                let (index, side) = (entry / 2, (entry % 2) as usize);
                entry = self.contacts.pool[index as usize].links[side].next;
                self.rest_contact(index);
            }
            let mut entry = self.bodies.items[body as usize].first_joint;
            while entry != NONE {
                let (index, side) = ((entry / 2) as usize, (entry % 2) as usize);
                let joint = &self.joints.table.items[index];
                entry = joint.links[side].next;
                let mut records = joint.bodies.iter().map(|body| &self.bodies.items[*body as usize]);
                if !records.any(|record| record.moves() && record.is_awake()) {
                    self.uncolour_joint(index);
                }
            }
        }
        self.islands.sleepers = sleepers;
    }

    /// Looks at a contact no longer when neither of its bodies is awake.
    fn rest_contact(&mut self, index: u32) {
        let bodies = self.contacts.pool[index as usize].bodies;
        if bodies.iter().all(|body| !self.bodies.items[*body as usize].is_awake()) {
            self.colours.remove(&mut self.contacts, index);
            self.contacts.sleep(index);
            self.refresh_contact(index);
        }
    }

    /// Finds the points of a contact that falls asleep once more, where the bodies have come to rest: so they follow from
    /// that, and need not be kept with the state.
    fn refresh_contact(&mut self, index: u32) {
        let mut contact = self.contacts.pool[index as usize];
        let has_parts = contact.part_pair != NONE || contact.is_extra;
        if contact.is_sensor || !contact.is_touching || has_parts {
            return;
        }
        let [a, b] = contact.shapes.map(|shape| &self.colliders.items[shape as usize]);
        let [at_a, at_b] = contact.bodies.map(|body| &self.places[body as usize]);
        find_points(&mut contact, (a, at_a), (b, at_b), &self.settings);
        if contact.count != 0 {
            self.contacts.pool[index as usize] = contact;
        }
    }

    /// Wakes a body and all that it touches or is joined to, directly or through others.
    pub(super) fn wake_index(&mut self, index: usize) {
        let record = &self.bodies.items[index];
        if !record.moves() || record.is_awake() {
            self.bodies.items[index].slow_time = 0.0;
            return;
        }
        let mut stack = vec![index as u32];
        while let Some(body) = stack.pop() {
            let record = &self.bodies.items[body as usize];
            if !record.moves() || record.is_awake() {
                continue;
            }
            let (velocity, angular, first) = (record.velocity, record.angular, record.first_contact);
            let awake = self.awake.push(body, velocity, angular);
            self.set_awake(body as usize, awake);
            self.bodies.items[body as usize].slow_time = 0.0;
            self.happened.woken.push(self.bodies.handle(body as usize));
            // Pairs of two sleepers were never looked for.
            let mut collider = self.bodies.items[body as usize].first_collider;
            while collider != NONE {
                self.broad_phase.touch(collider);
                collider = self.colliders.items[collider as usize].next;
            }
            let mut entry = first;
            while entry != NONE {
                let (index, side) = (entry / 2, (entry % 2) as usize);
                let contact = &self.contacts.pool[index as usize];
                let (links, bodies, is_solid) =
                    (contact.links, contact.bodies, contact.is_touching && !contact.is_sensor);
                self.contacts.wake(index);
                if is_solid {
                    let moves = bodies.map(|body| self.bodies.items[body as usize].moves());
                    self.colours.add(&mut self.contacts, index, moves);
                    stack.push(bodies[1 - side]);
                }
                entry = links[side].next;
            }
            let mut entry = self.bodies.items[body as usize].first_joint;
            while entry != NONE {
                let (index, side) = ((entry / 2) as usize, (entry % 2) as usize);
                self.colour_joint(index);
                let joint = &self.joints.table.items[index];
                if !joint.form.is_empty() {
                    stack.push(joint.bodies[1 - side]);
                }
                entry = joint.links[side].next;
            }
        }
    }

    /// Wakes the sleepers that a shape of a fixed body touches, which has just been put where it is. What moves finds them
    /// when its pairs are looked for, but nobody looks for pairs of two that are not awake.
    pub(super) fn wake_overlapping(&mut self, item: u32) {
        let shape = &self.colliders.items[item as usize];
        if shape.given.is_sensor {
            return;
        }
        let mut near = Vec::new();
        self.broad_phase.moving.overlapping(shape.fat, |other| near.push(other));
        near.sort_unstable();
        for other in near {
            let (shape, other) =
                (&self.colliders.items[item as usize], &self.colliders.items[other as usize]);
            let body = other.body as usize;
            let record = &self.bodies.items[body];
            let may_wake = record.moves() && !record.is_awake() && !other.given.is_sensor;
            if !may_wake || !shape.given.filter.meets(other.given.filter) {
                continue;
            }
            let (at, other_at) = (self.collider_pose(shape), self.collider_pose(other));
            if D::intersects(&shape.given.shape, at, &other.given.shape, other_at) == Ok(true) {
                self.wake_index(body);
            }
        }
    }

    /// Wakes everything that touches a body or is joined to it.
    pub(super) fn wake_touching(&mut self, index: usize) {
        let mut entry = self.bodies.items[index].first_contact;
        while entry != NONE {
            let (contact, side) = (entry / 2, (entry % 2) as usize);
            let contact = &self.contacts.pool[contact as usize];
            let (next, other, is_touching) =
                (contact.links[side].next, contact.bodies[1 - side], contact.is_touching);
            if is_touching && self.bodies.items[other as usize].kind == BodyKind::Dynamic {
                self.wake_index(other as usize);
                self.bodies.items[other as usize].slow_time = 0.0;
            }
            entry = next;
        }
        let mut entry = self.bodies.items[index].first_joint;
        while entry != NONE {
            let (joint, side) = ((entry / 2) as usize, (entry % 2) as usize);
            let joint = &self.joints.table.items[joint];
            let (next, other, is_empty) =
                (joint.links[side].next, joint.bodies[1 - side], joint.form.is_empty());
            if !is_empty && self.bodies.items[other as usize].kind == BodyKind::Dynamic {
                self.wake_index(other as usize);
                self.bodies.items[other as usize].slow_time = 0.0;
            }
            entry = next;
        }
    }
}
