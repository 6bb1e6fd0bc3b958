//! Adding to a world and removing from it.

use super::body::{Body, BodyKind, Place, Record, Weight};
use super::collider::{Collider, ColliderRecord, ColliderRef};
use super::contact::NONE;
use super::dimension::Engine;
use super::handle::{BodyHandle, ColliderHandle};
use super::solver::stages::MOST_WORKERS;
use super::threads::Pool;
use super::{Events, Settings, Timings, Width, World};
use crate::Error;
use crate::error::{finite, not_negative};
use carom_math::{Number, Vector};

impl<D: Engine> Default for World<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Engine> World<D> {
    /// An empty world with the usual settings: gravity −10 along y, four sub-steps.
    #[must_use]
    pub fn new() -> Self {
        World {
            settings: Settings::default(),
            width: Width::widest(),
            bodies: Default::default(),
            places: Vec::new(),
            colliders: Default::default(),
            awake: Default::default(),
            contacts: Default::default(),
            part_pairs: Default::default(),
            strides: Default::default(),
            colours: Default::default(),
            joints: Default::default(),
            broad_phase: Default::default(),
            solver: Default::default(),
            pool: Default::default(),
            islands: Default::default(),
            continuous: Default::default(),
            hooks: Default::default(),
            events: Events::default(),
            happened: Events::default(),
            hit_reporters: 0,
            step_count: 0,
            is_timed: false,
            timings: Timings::default(),
            scratch: Vec::new(),
            fates: Default::default(),
            all_fates: Vec::new(),
            news: Default::default(),
        }
    }
    /// How it steps.
    #[must_use]
    pub fn settings(&self) -> &Settings<D::Vector> {
        &self.settings
    }
    /// Changes how it steps. Another gravity wakes all bodies: what rests under one does not under another.
    ///
    /// # Errors
    /// When a number is not finite, negative, or out of its range; nothing changes then.
    pub fn set_settings(&mut self, settings: Settings<D::Vector>) -> Result<(), Error> {
        settings.check()?;
        let before = core::mem::replace(&mut self.settings, settings);
        if before.gravity != settings.gravity {
            for index in 0..self.bodies.items.len() {
                if self.bodies.is_alive(index) {
                    self.wake_index(index);
                }
            }
        }
        Ok(())
    }
    /// How many contacts are solved side by side.
    #[must_use]
    pub fn width(&self) -> Width {
        self.width
    }
    /// Solves as many contacts side by side as the processor can, but no more than this. It changes the speed
    /// and nothing else.
    pub fn set_width(&mut self, width: Width) {
        self.width = width.available();
    }
    /// How many threads a step runs on, the calling one included.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.count()
    }
    /// Runs steps on so many threads from now on, the calling one included; 0 stands for as many as there are
    /// processors, and 64 is the most. It changes the speed and nothing else.
    ///
    /// # Example
    /// ```
    /// let mut world = carom_dynamics::d2::World::new();
    /// world.set_threads(2);
    /// assert!(world.threads() <= 2);
    /// ```
    pub fn set_threads(&mut self, count: usize) {
        let count = match count {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        };
        let count = count.min(MOST_WORKERS);
        if count != self.pool.count() {
            self.pool = Pool::new(count);
        }
    }
    /// Reads the clock between the stages of a step from now on, or no longer.
    pub fn set_timed(&mut self, is_timed: bool) {
        self.is_timed = is_timed;
    }
    /// How many steps were made.
    #[must_use]
    pub fn step_count(&self) -> u64 {
        self.step_count
    }
    /// What happened in the last step, and before it by what was done to the world since the step before: to remove
    /// a body ends its contacts, to push one wakes it. Each thing is told once.
    #[must_use]
    pub fn events(&self) -> &Events<D::Vector> {
        &self.events
    }

    /// Adds a body with its shapes. Sleepers that a fixed one overlaps wake up.
    ///
    /// # Errors
    /// When a number is not finite or negative where it must not be, a dynamic body has no mass, or its mass or its
    /// inertia or the inverse of one of them is infinite, a shape that cannot move is on a body that does, or a surface (a
    /// mesh, height field or polyline) on a dynamic one. Nothing is added then.
    pub fn add(&mut self, body: Body<D>) -> Result<BodyHandle, Error> {
        let mut record = Record::new(&body);
        let (translation, rotation) = D::parts(body.pose);
        check_vector("pose", translation)?;
        if !D::is_finite_rotation(rotation) {
            return Err(Error::NotFinite { what: "pose", value: f64::NAN });
        }
        check_vector("velocity", body.velocity)?;
        check_angular::<D>("angular_velocity", body.angular)?;
        not_negative("linear damping", body.linear_damping)?;
        not_negative("angular damping", body.angular_damping)?;
        finite("gravity_scale", body.gravity_scale)?;
        not_negative("sleep_speed", body.sleep_speed)?;
        if let Some(mass) = body.mass {
            not_negative("mass", mass)?;
        }
        let is_asleep = body.is_asleep && body.kind == BodyKind::Dynamic;
        let mut colliders = Vec::with_capacity(body.colliders.len());
        for given in body.colliders {
            let collider = ColliderRecord::<D>::new(given, self.settings.box_margin())?;
            collider.check_on(body.kind)?;
            colliders.push(collider);
        }
        if let Some(weight) = weigh::<D>(&record, body.mass, colliders.iter())? {
            record.put_weight(weight);
        }

        let handle: BodyHandle = self.bodies.insert(record)?;
        let index = handle.index();
        self.hit_reporters += usize::from(self.bodies.items[index].reports_hits);
        let place = Place {
            center: translation.widen() + D::rotate(rotation, self.bodies.items[index].local_center).widen(),
            rotation,
            state: 0,
        };
        if self.places.len() <= index {
            self.places.resize(index + 1, Place::default());
            self.colours.used.resize(index + 1, 0);
            self.strides.fit(index + 1);
        }
        self.places[index] = place;
        self.colours.used[index] = 0;
        if body.kind != BodyKind::Fixed && !is_asleep {
            let awake = self.awake.push(index as u32, body.velocity, body.angular);
            self.set_awake(index, awake);
        }
        for collider in colliders {
            self.attach(index, collider)?;
        }
        Ok(handle)
    }

    /// Adds a shape to a body; mass and inertia change with it, unless a mass was given.
    ///
    /// # Errors
    /// As for [`add`](Self::add), or when the body is gone.
    pub fn add_collider(
        &mut self,
        body: BodyHandle,
        collider: impl Into<Collider<D>>,
    ) -> Result<ColliderHandle, Error> {
        let index = self.bodies.check(body)?;
        let collider = ColliderRecord::<D>::new(collider.into(), self.settings.box_margin())?;
        collider.check_on(self.bodies.items[index].kind)?;
        let weight = self.weigh_with(index, Some(&collider))?;
        self.wake_index(index);
        let handle = self.attach(index, collider)?;
        self.reweigh(index, weight);
        Ok(handle)
    }

    /// Puts a shape on a body.
    fn attach(&mut self, body: usize, mut collider: ColliderRecord<D>) -> Result<ColliderHandle, Error> {
        let record = &mut self.bodies.items[body];
        collider.body = body as u32;
        collider.next = record.first_collider;
        collider.place(record.local_center);
        record.reach = collider.reach.max_of(record.reach);
        let is_still = record.kind == BodyKind::Fixed;
        let place = self.places[body];
        let margin = if is_still { self.settings.margin() } else { collider.margin };
        collider.fat = collider.bounds(place.center, place.rotation).grown(margin);
        let fat = collider.fat;
        let handle: ColliderHandle = self.colliders.insert(collider)?;
        let item = handle.index;
        self.bodies.items[body].first_collider = item;
        self.bodies.items[body].thickness = self.thickness_of(body);
        self.broad_phase.put(is_still, fat, item);
        if is_still {
            self.wake_overlapping(item);
        }
        Ok(handle)
    }

    /// Removes a body with its shapes and joints. What rested on it or hung on it wakes up.
    ///
    /// # Errors
    /// When the body is gone already.
    pub fn remove(&mut self, body: BodyHandle) -> Result<(), Error> {
        let index = self.bodies.check(body)?;
        self.remove_joints_of(index);
        self.wake_touching(index);
        // All at once: a body of many shapes may have a long list, which each of them would have to look through.
        self.end_contacts(index, |_| true);
        let mut collider = self.bodies.items[index].first_collider;
        while collider != NONE {
            let next = self.colliders.items[collider as usize].next;
            self.detach(collider);
            collider = next;
        }
        self.leave_awake(index);
        self.hit_reporters -= usize::from(self.bodies.items[index].reports_hits);
        self.bodies.release(index);
        Ok(())
    }

    /// Removes a shape from its body. What rested on it wakes up.
    ///
    /// # Errors
    /// When the shape is gone already.
    pub fn remove_collider(&mut self, collider: ColliderHandle) -> Result<(), Error> {
        let index = self.colliders.check(collider)?;
        let body = self.colliders.items[index].body as usize;
        self.wake_touching(body);
        self.wake_index(body);
        // Out of the list of the body.
        let next = self.colliders.items[index].next;
        let mut at = self.bodies.items[body].first_collider;
        if at == index as u32 {
            self.bodies.items[body].first_collider = next;
        } else {
            while at != NONE {
                let following = self.colliders.items[at as usize].next;
                if following == index as u32 {
                    self.colliders.items[at as usize].next = next;
                    break;
                }
                at = following;
            }
        }
        self.detach(index as u32);
        // A body without mass stays what it was.
        if let Ok(weight) = self.weigh_with(body, None) {
            self.reweigh(body, weight);
        }
        Ok(())
    }

    /// Ends the contacts of a shape and forgets it.
    fn detach(&mut self, collider: u32) {
        let body = self.colliders.items[collider as usize].body as usize;
        self.end_contacts(body, |contact| contact.shapes.contains(&collider));
        let is_still = self.bodies.items[body].kind == BodyKind::Fixed;
        self.broad_phase.remove(is_still, collider);
        self.colliders.release(collider as usize);
    }

    /// Mass, centre and inertia of a body with its shapes and perhaps one more; its mass, where that was given.
    fn weigh_with(&self, index: usize, more: Option<&ColliderRecord<D>>) -> Result<Option<Weight<D>>, Error> {
        let record = &self.bodies.items[index];
        let mut at = record.first_collider;
        let own = core::iter::from_fn(|| {
            (at != NONE).then(|| {
                let collider = &self.colliders.items[at as usize];
                at = collider.next;
                collider
            })
        });
        weigh::<D>(record, record.has_given_mass.then_some(record.mass), more.into_iter().chain(own))
    }

    /// Gives a body another weight after its shapes have changed. The velocity of its material points stays.
    fn reweigh(&mut self, index: usize, weight: Option<Weight<D>>) {
        let record = &mut self.bodies.items[index];
        let old_center = record.local_center;
        if let Some(weight) = weight {
            record.put_weight(weight);
        }
        let shift = record.local_center - old_center;
        let (new_center, mut reach) = (record.local_center, 0.0_f32);
        let place = &mut self.places[index];
        let moved = D::rotate(place.rotation, shift);
        place.center += moved.widen();
        let mut at = record.first_collider;
        while at != NONE {
            let collider = &mut self.colliders.items[at as usize];
            collider.place(new_center);
            reach = collider.reach.max_of(reach);
            at = collider.next;
        }
        self.bodies.items[index].reach = reach;
        self.bodies.items[index].thickness = self.thickness_of(index);
        // Points are kept from the centre of mass, which is elsewhere now.
        self.strides.disturb(index);
        let mut entry = self.bodies.items[index].first_contact;
        while entry != NONE {
            let contact = &mut self.contacts.pool[(entry / 2) as usize];
            contact.is_known = false;
            self.part_pairs.forget_clearance(contact.part_pair);
            entry = contact.links[(entry % 2) as usize].next;
        }
        self.recenter_joints(index);
        let (velocity, angular) = self.velocities_of(index);
        self.write_velocities(index, velocity + D::spin(angular, moved), angular);
    }

    /// The least half extent of any shape of a body. Sensors count where there is nothing else: they would not see what
    /// they fly over.
    fn thickness_of(&self, body: usize) -> f32 {
        let (mut solid, mut sensor) = (f32::INFINITY, f32::INFINITY);
        let mut at = self.bodies.items[body].first_collider;
        while at != NONE {
            let collider = &self.colliders.items[at as usize];
            let least = if collider.given.is_sensor { &mut sensor } else { &mut solid };
            *least = collider.thickness.min_of(*least);
            at = collider.next;
        }
        if solid < f32::INFINITY { solid } else { sensor }
    }

    /// A look at a shape.
    ///
    /// # Errors
    /// When it is gone.
    pub fn collider(&self, collider: ColliderHandle) -> Result<ColliderRef<'_, D>, Error> {
        let record = &self.colliders.items[self.colliders.check(collider)?];
        Ok(ColliderRef { record, body: self.bodies.handle(record.body as usize) })
    }
}

/// Mass, centre and inertia from the shapes, or as given; `None` for what no impulse moves.
fn weigh<'a, D: Engine>(
    record: &Record<D>,
    given: Option<f32>,
    colliders: impl Iterator<Item = &'a ColliderRecord<D>>,
) -> Result<Option<Weight<D>>, Error> {
    if record.kind != BodyKind::Dynamic {
        return Ok(None);
    }
    let mut parts = Vec::new();
    for collider in colliders {
        let given_density = collider.given.density;
        if given_density > 0.0 && !collider.given.is_sensor {
            let (mass, center, inertia) = D::mass(&collider.given.shape, given_density)?;
            if mass > 0.0 {
                parts.push((mass, center, inertia, collider.given.pose));
            }
        }
    }
    let (mass, center, inertia) = if parts.is_empty() {
        // A point mass, if it is told what it weighs.
        (given.filter(|mass| *mass > 0.0).ok_or(Error::NoMass)?, D::Vector::ZERO, D::Inertia::default())
    } else {
        let (mass, center, inertia) = D::merged_mass(&parts)?;
        match given.filter(|given| *given > 0.0) {
            Some(given) => (given, center, D::inertia_per_mass(inertia, given / mass)),
            None => (mass, center, inertia),
        }
    };
    if !(mass.is_finite() && (1.0 / mass).is_finite()) {
        return Err(Error::Weight { what: "the mass", value: f64::from(mass) });
    }
    // A point mass does not turn; everything else does.
    if !parts.is_empty() {
        check_inertia::<D>(inertia)?;
    }
    Ok(Some(Weight { mass, center, inertia }))
}

/// An error unless an inertia and its inverse are finite.
fn check_inertia<D: Engine>(inertia: D::Inertia) -> Result<(), Error> {
    let moments = D::inertia_entries(inertia);
    let inverse = D::inertia_entries(D::inverse_inertia(inertia));
    let [x, y, z, ..] = moments;
    let least = x.min_of(y).min_of(z);
    let endless = moments.into_iter().find(|moment| !moment.is_finite());
    if endless.is_none() && 0.0 < least && inverse.iter().all(|moment| moment.is_finite()) {
        return Ok(());
    }
    Err(Error::Weight { what: "the inertia", value: f64::from(endless.unwrap_or(least)) })
}

/// An error unless all numbers are finite.
pub(crate) fn check_vector<V: Vector<Scalar = f32>>(what: &'static str, v: V) -> Result<(), Error> {
    (0..V::DIM).try_for_each(|axis| finite(what, v.get(axis)).map(|_| ()))
}

/// The same for something angular.
pub(crate) fn check_angular<D: Engine>(what: &'static str, angular: D::Angular) -> Result<(), Error> {
    let mut result = Ok(());
    D::angular_numbers(angular, &mut |number| {
        if let Err(error) = finite(what, number) {
            result = Err(error);
        }
    });
    result
}
