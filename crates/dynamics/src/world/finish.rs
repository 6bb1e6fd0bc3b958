//! The end of a step: from what the solver has found to poses, boxes and reports.

use super::World;
use super::body::BodyKind;
use super::contact::NONE;
use super::dimension::Engine;
use super::events::HitEvent;
use super::threads::Chunks;
use carom_geometry::bound::Aabb;
use carom_math::{Number, Vector};

/// Where a body gets to in a step, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival<D: Engine> {
    center: D::Wide,
    rotation: D::Rotation,
    /// For how long it has been slow.
    slow_time: f32,
    fate: Fate,
    /// A shape has left its box.
    leaves_box: bool,
    /// Around the first shape.
    first: Aabb<D::Vector>,
}

/// What becomes of a body at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is where it has got to.
    Arrives,
    /// How far it gets is to be seen.
    IsFast,
    /// Its state is not finite.
    IsLost,
}

impl<D: Engine> Default for Arrival<D> {
    fn default() -> Self {
        let (center, rotation) = (D::Wide::ZERO, D::Rotation::default());
        let first = Aabb::empty();
        Arrival { center, rotation, slow_time: 0.0, fate: Fate::IsLost, leaves_box: false, first }
    }
}

impl<D: Engine> World<D> {
    /// Moves bodies to where their states are, and their boxes along.
    ///
    /// Where that is, and whether it matters to a box, is found out on all threads; then it is done in the order
    /// of the bodies.
    pub(super) fn finish(&mut self, dt: f32) {
        self.report_hits();
        let mut arrivals = core::mem::take(&mut self.arrivals);
        arrivals.resize(self.awake.bodies.len(), Arrival::default());
        self.find_arrivals(&mut arrivals, dt);
        let mut lost = core::mem::take(&mut self.scratch);
        lost.clear();
        for (k, arrival) in arrivals.iter().enumerate() {
            let index = self.awake.bodies[k] as usize;
            match arrival.fate {
                Fate::Arrives => self.arrive(index, arrival),
                Fate::IsFast => self.note_fast(index),
                Fate::IsLost => lost.push(index as u32),
            }
        }
        self.arrivals = arrivals;
        self.broad_phase.flush();
        self.finish_fast(dt);
        for &index in &lost {
            self.quarantine(index as usize);
        }
        self.scratch = lost;
    }

    /// Where all bodies that are awake get to, if nothing stops them.
    fn find_arrivals(&self, arrivals: &mut [Arrival<D>], dt: f32) {
        let chunks = Chunks::new(arrivals, 64);
        self.pool.run(&|_| {
            while let Some((first, chunk)) = chunks.next_numbered() {
                for (k, arrival) in (first..).zip(chunk) {
                    let (index, state) = (self.awake.bodies[k] as usize, self.awake.state(k));
                    let is_finite = state.iter().all(|quad| quad.0.iter().all(|number| number.is_finite()));
                    arrival.fate = Fate::IsLost;
                    if is_finite {
                        let (travel, turn) = D::travel(state);
                        arrival.fate = Fate::IsFast;
                        if !self.is_fast(index, travel, turn) {
                            let rotation = D::compose(self.places[index].rotation, turn);
                            *arrival = self.arrival(index, travel, rotation, dt);
                        }
                    }
                }
            }
        });
    }

    /// Where a body gets to by `travel`, with a rotation that need not be normal.
    pub(super) fn arrival(
        &self,
        index: usize,
        travel: D::Vector,
        rotation: D::Rotation,
        dt: f32,
    ) -> Arrival<D> {
        let (place, record) = (&self.places[index], &self.bodies.items[index]);
        let (velocity, angular) = self.velocities_of(index);
        let turned = D::turn_chord(place.rotation, rotation);
        let (center, rotation) = (place.center + travel.widen(), D::renormalized(rotation));

        // The fastest point of the body, by its velocity and by how far it got.
        let speed = fast_length(velocity) + D::angular_length(angular) * record.reach;
        let got = fast_length(travel) + turned * record.reach;
        let speed = speed.max_of(0.5 * got / dt);
        let rests = record.can_sleep && speed <= record.sleep_speed;
        let slow_time = if rests { record.slow_time + dt } else { 0.0 };

        let (mut leaves_box, mut first) = (false, Aabb::empty());
        let mut collider = record.first_collider;
        while collider != NONE {
            let shape = &self.colliders.items[collider as usize];
            let tight = shape.bounds(center, rotation);
            first = if collider == record.first_collider { tight } else { first };
            leaves_box |= !shape.fat.contains_box(tight);
            collider = shape.next;
        }
        Arrival { center, rotation, slow_time, fate: Fate::Arrives, leaves_box, first }
    }

    /// Puts a body where it has got to.
    pub(super) fn arrive(&mut self, index: usize, arrival: &Arrival<D>) {
        let (velocity, angular) = self.velocities_of(index);
        if let Some(k) = self.awake_of(index) {
            D::write_state(self.awake.state_mut(k), velocity, angular);
        }
        let place = &mut self.places[index];
        (place.center, place.rotation) = (arrival.center, arrival.rotation);
        let record = &mut self.bodies.items[index];
        record.force = D::Vector::ZERO;
        record.torque = D::Angular::default();
        record.slow_time = arrival.slow_time;
        let first = record.first_collider;
        let mut collider = if arrival.leaves_box { first } else { NONE };
        while collider != NONE {
            let shape = &mut self.colliders.items[collider as usize];
            let is_first = collider == first;
            let tight = if is_first { arrival.first } else { shape.bounds(arrival.center, arrival.rotation) };
            if !shape.fat.contains_box(tight) {
                shape.fat = tight.grown(shape.margin);
                self.broad_phase.move_later(shape.fat, collider);
            }
            collider = shape.next;
        }
    }

    /// The index among those awake.
    pub(super) fn awake_of(&self, index: usize) -> Option<usize> {
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
        if self.hit_reporters == 0 {
            return;
        }
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
