//! The end of a step: from what the solver has found to poses, boxes and reports.

use super::World;
use super::body::BodyKind;
use super::contact::NONE;
use super::dimension::Engine;
use super::events::HitEvent;
use carom_math::{Number, Vector};

impl<D: Engine> World<D> {
    /// Moves bodies to where their states are, and their boxes along.
    pub(super) fn finish(&mut self, dt: f32) {
        self.report_hits();
        let mut lost = core::mem::take(&mut self.scratch);
        lost.clear();
        for k in 0..self.awake.bodies.len() {
            let index = self.awake.bodies[k] as usize;
            let state = self.awake.state(k);
            let is_finite = state.iter().all(|quad| quad.0.iter().all(|number| number.is_finite()));
            if !is_finite {
                lost.push(index as u32);
                continue;
            }
            let (travel, turn) = D::travel(state);
            if self.is_fast(index, travel, turn) {
                self.note_fast(index, travel, turn);
                continue;
            }
            let rotation = D::compose(self.places[index].rotation, turn);
            self.place_body(index, travel, rotation, dt);
        }
        self.broad_phase.flush();
        self.finish_fast(dt);
        for &index in &lost {
            self.quarantine(index as usize);
        }
        self.scratch = lost;
    }

    /// Puts a body where it has got to: by `travel`, with a rotation that need not be normal.
    pub(super) fn place_body(&mut self, index: usize, travel: D::Vector, rotation: D::Rotation, dt: f32) {
        let (velocity, angular) = self.velocities_of(index);
        if let Some(k) = self.awake_of(index) {
            D::write_state(self.awake.state_mut(k), velocity, angular);
        }
        let place = &mut self.places[index];
        let turned = D::turn_chord(place.rotation, rotation);
        place.center += travel.widen();
        place.rotation = D::renormalized(rotation);
        let place = *place;
        let record = &mut self.bodies.items[index];
        record.force = D::Vector::ZERO;
        record.torque = D::Angular::default();

        // The fastest point of the body, by its velocity and by how far it got.
        let speed = fast_length(velocity) + D::angular_length(angular) * record.reach;
        let got = fast_length(travel) + turned * record.reach;
        let speed = speed.max_of(0.5 * got / dt);
        let rests = record.can_sleep && speed <= record.sleep_speed;
        record.slow_time = if rests { record.slow_time + dt } else { 0.0 };

        let mut collider = record.first_collider;
        while collider != NONE {
            let shape = &mut self.colliders.items[collider as usize];
            let tight = shape.bounds(place.center, place.rotation);
            if !shape.fat.contains_box(tight) {
                shape.fat = tight.grown(shape.margin);
                self.broad_phase.move_later(shape.fat, collider);
            }
            collider = shape.next;
        }
    }

    /// The index among those awake.
    fn awake_of(&self, index: usize) -> Option<usize> {
        let k = self.bodies.items[index].awake;
        (k != NONE).then_some(k as usize)
    }

    /// Freezes a body whose state is no longer finite where it was.
    fn quarantine(&mut self, index: usize) {
        self.leave_awake(index);
        let record = &mut self.bodies.items[index];
        record.is_quarantined = true;
        record.velocity = D::Vector::ZERO;
        record.angular = D::Angular::default();
        record.force = D::Vector::ZERO;
        record.torque = D::Angular::default();
        self.events.quarantined.push(self.bodies.handle(index));
        self.recolour_joints_of(index);
        // Its contacts are coloured as those of something that moves: let them begin anew.
        let mut contacts = Vec::new();
        contacts.extend(self.contacts.of_body(self.bodies.items[index].first_contact).map(|(c, _)| c));
        for contact in contacts {
            self.end_contact(contact);
        }
        let mut collider = self.bodies.items[index].first_collider;
        while collider != NONE {
            self.broad_phase.touch(collider);
            collider = self.colliders.items[collider as usize].next;
        }
    }

    /// Takes a body out of what moves, if it is there.
    pub(super) fn leave_awake(&mut self, index: usize) {
        let k = self.bodies.items[index].awake;
        if k == NONE {
            return;
        }
        self.set_awake(index, NONE);
        let (velocity, angular) = D::velocities(self.awake.state(k as usize));
        self.bodies.items[index].velocity = velocity;
        self.bodies.items[index].angular = angular;
        if let Some(moved) = self.awake.swap_remove(k as usize) {
            self.set_awake(moved as usize, k);
        }
    }

    /// Notes where the state of a body is.
    pub(super) fn set_awake(&mut self, index: usize, awake: u32) {
        self.bodies.items[index].awake = awake;
        // `NONE` wraps around to 0.
        self.places[index].state = awake.wrapping_add(1);
    }

    /// Fast contacts of bodies that asked for it.
    fn report_hits(&mut self) {
        let wants = |body: u32| self.bodies.items[body as usize].reports_hits;
        for index in self.colours.all() {
            let contact = &self.contacts.pool[index as usize];
            let [a, b] = contact.bodies;
            if !wants(a) && !wants(b) {
                continue;
            }
            let fast = -self.settings.hit_speed;
            let mut hit: Option<usize> = None;
            for (k, point) in contact.points().iter().enumerate() {
                let is_faster = hit.is_none_or(|best| point.approach < contact.points()[best].approach);
                if point.peak > 0.0 && point.approach < fast && is_faster {
                    hit = Some(k);
                }
            }
            let Some(point) = hit.map(|k| contact.points()[k]) else { continue };
            let place = &self.places[a as usize];
            self.events.hits.push(HitEvent {
                a: self.colliders.handle(contact.shapes[0] as usize),
                b: self.colliders.handle(contact.shapes[1] as usize),
                point: D::Vector::narrow(place.center + D::rotate(place.rotation, point.local_a).widen()),
                normal: D::rotate(place.rotation, contact.normal),
                speed: -point.approach,
                impulse: point.peak,
            });
        }
        // Colours are no order for a user. A pair with many parts has several contacts: it has hit where it was fastest.
        let pair = |hit: &HitEvent<D::Vector>| (hit.a.index, hit.b.index);
        self.events.hits.sort_by(|one, other| {
            pair(one).cmp(&pair(other)).then_with(|| other.speed.total_cmp(&one.speed))
        });
        self.events.hits.dedup_by_key(|hit| pair(hit));
    }

    /// The velocities of a body.
    pub(super) fn velocities_of(&self, index: usize) -> (D::Vector, D::Angular) {
        let record = &self.bodies.items[index];
        if record.awake == NONE {
            return (record.velocity, record.angular);
        }
        D::velocities(self.awake.state(record.awake as usize))
    }

    /// Gives a body velocities.
    pub(super) fn write_velocities(&mut self, index: usize, velocity: D::Vector, angular: D::Angular) {
        let record = &mut self.bodies.items[index];
        if record.awake == NONE {
            record.velocity = velocity;
            record.angular = angular;
        } else {
            D::set_velocities(self.awake.state_mut(record.awake as usize), velocity, angular);
        }
        if self.bodies.items[index].kind == BodyKind::Kinematic {
            self.wake_touching(index);
        }
    }
}

/// The length in `f32`; what is compared with thresholds needs no care about overflow.
#[inline(always)]
fn fast_length<V: Vector<Scalar = f32>>(v: V) -> f32 {
    v.length_squared().sqrt()
}
