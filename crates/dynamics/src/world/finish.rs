//! The end of a step: from what the solver has found to poses, boxes and reports.

use super::World;
use super::body::{BodyKind, Place, Record};
use super::calm::Stride;
use super::collider::ColliderRecord;
use super::contact::NONE;
use super::dimension::Engine;
use super::events::HitEvent;
use super::solver::wide::Quad;
use super::threads::{Pool, Shared};
use carom_geometry::bound::Aabb;
use carom_math::{Number, Vector};

/// What becomes of a body at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fate<V: Vector> {
    /// It is where it has got to, and so is its box.
    Arrives,
    /// The same, with a new box around its only shape. If it was fast, that in the tree is around its way.
    Leaves { shape: u32, fat: Aabb<V>, was_fast: bool },
    /// The same, with several shapes, some of which may have left their boxes; all of them if it was fast.
    Spreads { was_fast: bool },
    /// How far it gets is to be seen.
    IsFast,
    /// Its state is not finite, or it would be where no number is: it stays where it was.
    IsLost,
}

/// What arriving bodies change, each its own: all threads see it at once.
pub(super) struct Landing<'a, D: Engine> {
    places: Shared<'a, Place<D>>,
    records: Shared<'a, Record<D>>,
    colliders: Shared<'a, ColliderRecord<D>>,
    quads: Shared<'a, Quad>,
    strides: Shared<'a, Stride<D::Vector>>,
    dt: f32,
}

impl<D: Engine> Landing<'_, D> {
    /// Puts a body where it has got to: by `travel`, with a rotation that need not be normal. `is_fast`: its box is
    /// that of its way, and it needs another.
    pub(super) fn land(
        &self,
        index: usize,
        travel: D::Vector,
        rotation: D::Rotation,
        is_fast: bool,
    ) -> Fate<D::Vector> {
        self.records.with(index..index + 1, |records| match records {
            [record] => self.places.with(index..index + 1, |places| match places {
                [place] => {
                    let turned = D::turn_chord(place.rotation, rotation);
                    self.strides.cells()[index].set(Stride::new(travel, turned));
                    self.land_with(place, record, (travel, turned), rotation, is_fast)
                }
                _ => Fate::IsLost,
            }),
            _ => Fate::IsLost,
        })
    }

    fn land_with(
        &self,
        place: &mut Place<D>,
        record: &mut Record<D>,
        (travel, turned): (D::Vector, f32),
        rotation: D::Rotation,
        is_fast: bool,
    ) -> Fate<D::Vector> {
        let (velocity, angular) = if record.awake == NONE {
            (record.velocity, record.angular)
        } else {
            let k = record.awake as usize;
            self.quads.with((k + 1) * D::QUADS..(k + 2) * D::QUADS, |state| {
                let (velocity, angular) = D::velocities(state);
                D::write_state(state, velocity, angular);
                (velocity, angular)
            })
        };
        let center = place.center + travel.widen();
        // What drives on for ever comes to where no number is.
        if !D::Vector::narrow(center).finite() {
            return Fate::IsLost;
        }
        (place.center, place.rotation) = (center, D::renormalized(rotation));

        // The fastest point of the body, by its velocity and by how far it got.
        let speed = fast_length(velocity) + D::angular_length(angular) * record.reach;
        let got = fast_length(travel) + turned * record.reach;
        let speed = speed.max_of(0.5 * got / self.dt);
        let rests = record.can_sleep && speed <= record.sleep_speed;
        record.slow_time = if rests { record.slow_time + self.dt } else { 0.0 };
        record.force = D::Vector::ZERO;
        record.torque = D::Angular::default();

        let first = record.first_collider;
        if first == NONE {
            return Fate::Arrives;
        }
        self.colliders.with(first as usize..first as usize + 1, |shapes| match shapes {
            [shape] if shape.next == NONE => {
                let tight = shape.bounds(place.center, place.rotation);
                if !is_fast && shape.fat.contains_box(tight) {
                    return Fate::Arrives;
                }
                shape.fat = shape.fat_around(tight);
                Fate::Leaves { shape: first, fat: shape.fat, was_fast: is_fast }
            }
            _ => Fate::Spreads { was_fast: is_fast },
        })
    }
}

impl<D: Engine> Landing<'_, D> {
    /// Moves the k-th body that is awake, unless it is too fast for that.
    fn arrive(&self, index: usize, k: usize, is_continuous: bool) -> Fate<D::Vector> {
        let way = self.quads.with((k + 1) * D::QUADS..(k + 2) * D::QUADS, |state| {
            // Nothing times 0 is 0 but what is finite.
            let zeros = state.iter().fold(Quad::default(), |sum, quad| sum + *quad * Quad::default());
            (zeros == Quad::default()).then(|| D::travel(state))
        });
        let Some((travel, turn)) = way else { return Fate::IsLost };
        let is_fast = is_continuous
            && self.records.with(index..index + 1, |records| {
                records.first().is_some_and(|record| record.is_fast(travel, turn))
            });
        if is_fast {
            return Fate::IsFast;
        }
        let rotation =
            self.places.with(index..index + 1, |places| places.first().map(|place| place.rotation));
        self.land(index, travel, D::compose(rotation.unwrap_or_default(), turn), false)
    }
}

impl<D: Engine> World<D> {
    /// Moves bodies to where their states are, and their boxes along.
    ///
    /// That is done on all threads. What others have to hear of follows; it is little as a rule, since reading what
    /// another core has written takes longer than finding it out.
    pub(super) fn finish(&mut self, dt: f32) {
        self.report_hits();
        self.land_slow(dt);
        let mut fates = core::mem::take(&mut self.all_fates);
        self.fates.drain_into(&mut fates);
        let mut lost = core::mem::take(&mut self.scratch);
        lost.clear();
        for (index, fate) in fates.drain(..) {
            match fate {
                Fate::IsFast => self.continuous.note(index),
                Fate::IsLost => lost.push(index),
                fate => self.move_boxes(index as usize, fate),
            }
        }
        self.all_fates = fates;
        self.broad_phase.flush();
        self.finish_fast(dt, &mut lost);
        // By index: who found it does not matter.
        lost.sort_unstable();
        for &index in &lost {
            self.quarantine(index as usize);
        }
        self.scratch = lost;
    }

    /// What arriving bodies change, and the threads that see to it.
    pub(super) fn landing(&mut self, dt: f32) -> (Landing<'_, D>, &Pool) {
        self.strides.fit(self.places.len());
        let landing = Landing {
            places: Shared::new(&mut self.places),
            records: Shared::new(&mut self.bodies.items),
            colliders: Shared::new(&mut self.colliders.items),
            quads: Shared::new(&mut self.awake.quads),
            strides: Shared::new(&mut self.strides.items),
            dt,
        };
        (landing, &self.pool)
    }

    /// Moves all bodies that are slow, and notes the fates of those that do not simply arrive.
    fn land_slow(&mut self, dt: f32) {
        let indices = core::mem::take(&mut self.awake.bodies);
        let mut fates = core::mem::take(&mut self.fates);
        fates.fit(&self.pool);
        let is_continuous = self.settings.continuous;
        let (landing, pool) = self.landing(dt);
        pool.share_out(indices.len(), 64, &|worker, range| {
            let Some(mut fates) = fates.of(worker) else { return };
            for k in range {
                let fate = landing.arrive(indices[k] as usize, k, is_continuous);
                if fate != Fate::Arrives {
                    fates.push((indices[k], fate));
                }
            }
        });
        self.fates = fates;
        self.awake.bodies = indices;
    }

    /// Tells the broad phase about the boxes of a body that has arrived.
    pub(super) fn move_boxes(&mut self, index: usize, fate: Fate<D::Vector>) {
        match fate {
            Fate::Leaves { shape, fat, was_fast } => self.move_box(shape, fat, was_fast),
            Fate::Spreads { was_fast } => {
                let place = self.places[index];
                let mut collider = self.bodies.items[index].first_collider;
                while collider != NONE {
                    let shape = &mut self.colliders.items[collider as usize];
                    let tight = shape.bounds(place.center, place.rotation);
                    let (next, is_left) = (shape.next, was_fast || !shape.fat.contains_box(tight));
                    if is_left {
                        shape.fat = shape.fat_around(tight);
                        let fat = shape.fat;
                        self.move_box(collider, fat, was_fast);
                    }
                    collider = next;
                }
            }
            Fate::Arrives | Fate::IsFast | Fate::IsLost => {}
        }
    }

    /// Tells the broad phase that a fast body has stayed where it was.
    pub(super) fn keep_boxes(&mut self, index: usize) {
        let mut collider = self.bodies.items[index].first_collider;
        while collider != NONE {
            let shape = &self.colliders.items[collider as usize];
            let (fat, next) = (shape.fat, shape.next);
            self.move_box(collider, fat, true);
            collider = next;
        }
    }

    /// Tells the broad phase about the box of a shape. Pairs with boxes around the ways of fast bodies are known already.
    fn move_box(&mut self, shape: u32, fat: Aabb<D::Vector>, was_fast: bool) {
        // Boxes that no longer overlap end a pair.
        self.strides.lose(self.colliders.items[shape as usize].body as usize);
        if was_fast {
            self.broad_phase.cover(fat, shape);
        } else {
            self.broad_phase.move_later(fat, shape);
        }
    }

    /// Freezes a body whose state or place is no longer finite where it was.
    fn quarantine(&mut self, index: usize) {
        self.leave_awake(index);
        let record = &mut self.bodies.items[index];
        record.is_quarantined = true;
        record.velocity = D::Vector::ZERO;
        record.angular = D::Angular::default();
        record.force = D::Vector::ZERO;
        record.torque = D::Angular::default();
        self.happened.quarantined.push(self.bodies.handle(index));
        self.recolour_joints_of(index);
        // Its contacts are coloured as those of something that moves: let them begin anew.
        self.end_contacts(index, |_| true);
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
        if awake == NONE {
            // Its last step counts, and then it moves no more.
            self.strides.disturb(index);
        }
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
            let [on_a, _] = contact.on_surfaces(&point, [place.rotation, self.places[b as usize].rotation]);
            self.happened.hits.push(HitEvent {
                a: self.colliders.handle(contact.shapes[0] as usize),
                b: self.colliders.handle(contact.shapes[1] as usize),
                point: D::Vector::narrow(place.center + on_a.widen()),
                normal: D::rotate(place.rotation, contact.normal),
                speed: -point.approach,
                impulse: point.peak,
            });
        }
        // Colours are no order for a user. A pair with many parts has several contacts: it has hit where it was fastest.
        let pair = |hit: &HitEvent<D::Vector>| (hit.a.index, hit.b.index);
        self.happened.hits.sort_by(|one, other| {
            pair(one).cmp(&pair(other)).then_with(|| other.speed.total_cmp(&one.speed))
        });
        self.happened.hits.dedup_by_key(|hit| pair(hit));
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
