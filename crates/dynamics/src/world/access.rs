//! Looking at bodies, and changing them.

use super::World;
use super::add::{check_angular, check_vector};
use super::body::{BodyKind, Locks};
use super::contact::NONE;
use super::dimension::Engine;
use super::handle::{BodyHandle, ColliderHandle};
use crate::Error;
use crate::error::{finite, not_negative};
use carom_math::Vector;

/// A look at a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyRef<'a, D: Engine> {
    world: &'a World<D>,
    index: usize,
}

/// A body that can be changed.
#[derive(Debug)]
pub struct BodyMut<'a, D: Engine> {
    world: &'a mut World<D>,
    index: usize,
}

impl<D: Engine> World<D> {
    /// A look at a body.
    ///
    /// # Errors
    /// When it is gone.
    pub fn get(&self, body: BodyHandle) -> Result<BodyRef<'_, D>, Error> {
        let index = self.bodies.check(body)?;
        Ok(BodyRef { world: self, index })
    }
    /// A body that can be changed.
    ///
    /// # Errors
    /// When it is gone.
    pub fn get_mut(&mut self, body: BodyHandle) -> Result<BodyMut<'_, D>, Error> {
        let index = self.bodies.check(body)?;
        Ok(BodyMut { world: self, index })
    }
    /// All bodies, by ascending index.
    pub fn bodies(&self) -> impl Iterator<Item = BodyRef<'_, D>> {
        self.bodies.indices().map(|index| BodyRef { world: self, index })
    }
    /// How many bodies there are.
    #[must_use]
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }
}

impl<'a, D: Engine> BodyRef<'a, D> {
    fn record(&self) -> &'a super::body::Record<D> {
        &self.world.bodies.items[self.index]
    }
    /// Its handle.
    #[must_use]
    pub fn handle(&self) -> BodyHandle {
        self.world.bodies.handle(self.index)
    }
    /// How it moves.
    #[must_use]
    pub fn kind(&self) -> BodyKind {
        self.record().kind
    }
    /// Where it is: the pose of its frame, in which its shapes are placed.
    #[must_use]
    pub fn pose(&self) -> D::Pose {
        let place = &self.world.places[self.index];
        let origin = place.center - D::rotate(place.rotation, self.record().local_center).widen();
        D::pose(D::Vector::narrow(origin), place.rotation)
    }
    /// The centre of mass in the world.
    #[must_use]
    pub fn center_of_mass(&self) -> D::Vector {
        D::Vector::narrow(self.exact_center_of_mass())
    }
    /// The centre of mass as it is kept, in `f64`.
    #[must_use]
    pub fn exact_center_of_mass(&self) -> D::Wide {
        self.world.places[self.index].center
    }
    /// The velocity of its centre of mass.
    #[must_use]
    pub fn velocity(&self) -> D::Vector {
        self.world.velocities_of(self.index).0
    }
    /// Its angular velocity, in the world frame.
    #[must_use]
    pub fn angular_velocity(&self) -> D::Angular {
        self.world.velocities_of(self.index).1
    }
    /// The velocity of its material at a point of the world.
    #[must_use]
    pub fn velocity_at(&self, point: impl Into<D::Vector>) -> D::Vector {
        let (velocity, angular) = self.world.velocities_of(self.index);
        velocity + D::spin(angular, D::Vector::narrow(point.into().widen() - self.exact_center_of_mass()))
    }
    /// Its mass; 0 unless it is dynamic.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.record().mass
    }
    /// Its inertia about the centre of mass, in the body frame; zero unless it is dynamic.
    #[must_use]
    pub fn inertia(&self) -> D::Inertia {
        self.record().inertia
    }
    /// The energy of its motion: ½mv² + ½ω·Iω, in `f64`.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let (velocity, angular) = self.world.velocities_of(self.index);
        let rotation = self.world.places[self.index].rotation;
        let inertia = D::inertia_in_world(self.record().inertia, rotation);
        let turning = D::angular_dot(angular, D::inertia_times(inertia, angular));
        0.5 * (f64::from(self.mass()) * velocity.widen().length_squared() + f64::from(turning))
    }
    /// The angular momentum about its centre of mass, in the world frame.
    #[must_use]
    pub fn angular_momentum(&self) -> D::Angular {
        let rotation = self.world.places[self.index].rotation;
        D::inertia_times(D::inertia_in_world(self.record().inertia, rotation), self.angular_velocity())
    }
    /// How fast velocities fade: linear and angular, per second.
    #[must_use]
    pub fn damping(&self) -> [f32; 2] {
        let record = self.record();
        [record.linear_damping, record.angular_damping]
    }
    /// Whether it may fall asleep.
    #[must_use]
    pub fn can_sleep(&self) -> bool {
        self.record().can_sleep
    }
    /// Whether the world looks after it in each step.
    #[must_use]
    pub fn is_awake(&self) -> bool {
        self.record().is_awake()
    }
    /// Whether its state stopped being finite and it was frozen.
    #[must_use]
    pub fn is_quarantined(&self) -> bool {
        self.record().is_quarantined
    }
    /// In which directions it cannot move.
    #[must_use]
    pub fn locks(&self) -> Locks {
        self.record().locks
    }
    /// By what gravity is multiplied.
    #[must_use]
    pub fn gravity_scale(&self) -> f32 {
        self.record().gravity_scale
    }
    /// Your number.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.record().user_data
    }
    /// Its name.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        self.record().name.as_deref()
    }
    /// Its shapes, the last one added first.
    pub fn colliders(&self) -> impl Iterator<Item = ColliderHandle> + 'a {
        let (world, mut at) = (self.world, self.record().first_collider);
        core::iter::from_fn(move || {
            (at != NONE).then(|| {
                let handle = world.colliders.handle(at as usize);
                at = world.colliders.items[at as usize].next;
                handle
            })
        })
    }
}

impl<D: Engine> BodyMut<'_, D> {
    /// A look at the body.
    #[must_use]
    pub fn as_ref(&self) -> BodyRef<'_, D> {
        BodyRef { world: self.world, index: self.index }
    }
    /// Moves it there at once. Its velocity stays; what it touches wakes up, here and there.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn set_pose(&mut self, pose: impl Into<D::Pose>) -> Result<(), Error> {
        let (translation, rotation) = D::parts(pose.into());
        check_vector("pose", translation)?;
        if !D::is_finite_rotation(rotation) {
            return Err(Error::NotFinite { what: "pose", value: f64::NAN });
        }
        let index = self.index;
        self.world.wake_touching(index);
        self.world.wake_index(index);
        let record = &self.world.bodies.items[index];
        let is_still = record.kind == BodyKind::Fixed;
        let place = &mut self.world.places[index];
        place.center = translation.widen() + D::rotate(rotation, record.local_center).widen();
        place.rotation = rotation;
        let place = *place;
        self.world.strides.disturb(index);
        let mut at = record.first_collider;
        while at != NONE {
            let collider = &mut self.world.colliders.items[at as usize];
            let (margin, next) =
                (if is_still { self.world.settings.margin() } else { collider.margin }, collider.next);
            collider.fat = collider.bounds(place.center, place.rotation).grown(margin);
            self.world.broad_phase.put(is_still, collider.fat, at);
            if is_still {
                self.world.wake_overlapping(at);
            }
            at = next;
        }
        Ok(())
    }
    /// Changes its velocity; it wakes up. A fixed body has none.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn set_velocity(&mut self, velocity: impl Into<D::Vector>) -> Result<(), Error> {
        let velocity = velocity.into();
        check_vector("velocity", velocity)?;
        let angular = self.world.velocities_of(self.index).1;
        self.change(velocity, angular);
        Ok(())
    }
    /// Changes its angular velocity; it wakes up.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn set_angular_velocity(&mut self, angular: impl Into<D::Angular>) -> Result<(), Error> {
        let angular = angular.into();
        check_angular::<D>("angular_velocity", angular)?;
        let velocity = self.world.velocities_of(self.index).0;
        self.change(velocity, angular);
        Ok(())
    }
    /// Pushes at the centre of mass during the next step; it wakes up.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn apply_force(&mut self, force: impl Into<D::Vector>) -> Result<(), Error> {
        let force = force.into();
        check_vector("force", force)?;
        self.wake();
        let record = &mut self.world.bodies.items[self.index];
        record.force += force;
        Ok(())
    }
    /// Pushes at a point of the world during the next step; it wakes up.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn apply_force_at(
        &mut self,
        force: impl Into<D::Vector>,
        point: impl Into<D::Vector>,
    ) -> Result<(), Error> {
        let (force, point) = (force.into(), point.into());
        check_vector("force", force)?;
        self.apply_torque(self.moment_at(force, point)?)?;
        self.apply_force(force)
    }
    /// Turns it during the next step; it wakes up.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn apply_torque(&mut self, torque: impl Into<D::Angular>) -> Result<(), Error> {
        let torque = torque.into();
        check_angular::<D>("torque", torque)?;
        self.wake();
        let record = &mut self.world.bodies.items[self.index];
        record.torque = record.torque + torque;
        Ok(())
    }
    /// Changes the velocity of a dynamic body by impulse/mass; it wakes up.
    ///
    /// # Errors
    /// When a number is not finite, that of the velocity afterwards included.
    pub fn apply_impulse(&mut self, impulse: impl Into<D::Vector>) -> Result<(), Error> {
        let impulse = impulse.into();
        check_vector("impulse", impulse)?;
        let record = &self.world.bodies.items[self.index];
        if record.moves() {
            let change = impulse * record.inverse_mass;
            let (velocity, angular) = self.world.velocities_of(self.index);
            check_vector("the velocity after the impulse", velocity + change)?;
            self.change(velocity + change, angular);
        }
        Ok(())
    }
    /// The same at a point of the world: it also turns.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn apply_impulse_at(
        &mut self,
        impulse: impl Into<D::Vector>,
        point: impl Into<D::Vector>,
    ) -> Result<(), Error> {
        let before = self.world.velocities_of(self.index);
        let (velocity, angular) = self.after_impulse_at(before, impulse.into(), point.into())?;
        if self.world.bodies.items[self.index].moves() {
            self.change(velocity, angular);
        }
        Ok(())
    }
    /// The velocities of a dynamic body with those given after an impulse at a point; nothing is changed yet.
    pub(super) fn after_impulse_at(
        &self,
        (velocity, angular): (D::Vector, D::Angular),
        impulse: D::Vector,
        point: D::Vector,
    ) -> Result<(D::Vector, D::Angular), Error> {
        check_vector("impulse", impulse)?;
        let moment = self.moment_at(impulse, point)?;
        let record = &self.world.bodies.items[self.index];
        if !record.moves() {
            return Ok((velocity, angular));
        }
        let inverse_inertia = record.free_inverse_inertia(self.world.places[self.index].rotation);
        let velocity = velocity + impulse * record.inverse_mass;
        let angular = angular + D::inertia_times(inverse_inertia, moment);
        check_vector("the velocity after the impulse", velocity)?;
        check_angular::<D>("the angular velocity after the impulse", angular)?;
        Ok((velocity, angular))
    }
    /// Changes the angular velocity of a dynamic body; it wakes up.
    ///
    /// # Errors
    /// When a number is not finite, that of the angular velocity afterwards included.
    pub fn apply_angular_impulse(&mut self, impulse: impl Into<D::Angular>) -> Result<(), Error> {
        let impulse = impulse.into();
        check_angular::<D>("impulse", impulse)?;
        let record = &self.world.bodies.items[self.index];
        if record.moves() {
            let rotation = self.world.places[self.index].rotation;
            let change = D::inertia_times(record.free_inverse_inertia(rotation), impulse);
            let (velocity, angular) = self.world.velocities_of(self.index);
            check_angular::<D>("the angular velocity after the impulse", angular + change)?;
            self.change(velocity, angular + change);
        }
        Ok(())
    }
    /// Changes how fast its velocities fade, 1/s.
    ///
    /// # Errors
    /// When a number is negative or not finite.
    pub fn set_damping(&mut self, linear: f32, angular: f32) -> Result<(), Error> {
        not_negative("linear damping", linear)?;
        not_negative("angular damping", angular)?;
        let record = &mut self.world.bodies.items[self.index];
        (record.linear_damping, record.angular_damping) = (linear, angular);
        Ok(())
    }
    /// Changes by what gravity is multiplied; it wakes up.
    ///
    /// # Errors
    /// When the number is not finite.
    pub fn set_gravity_scale(&mut self, scale: f32) -> Result<(), Error> {
        finite("gravity_scale", scale)?;
        self.wake();
        self.world.bodies.items[self.index].gravity_scale = scale;
        Ok(())
    }
    /// Wakes it and what it touches.
    pub fn wake(&mut self) {
        self.world.wake_index(self.index);
        self.world.bodies.items[self.index].slow_time = 0.0;
    }
    /// Changes your number.
    pub fn set_user_data(&mut self, data: u64) {
        self.world.bodies.items[self.index].user_data = data;
    }

    /// How a push at a point of the world turns it, once that is known to be finite: half a push is none.
    fn moment_at(&self, push: D::Vector, point: D::Vector) -> Result<D::Angular, Error> {
        check_vector("point", point)?;
        let arm = D::Vector::narrow(point.widen() - self.world.places[self.index].center);
        let moment = D::moment(arm, push);
        check_angular::<D>("the moment of the push", moment)?;
        Ok(moment)
    }

    pub(super) fn change(&mut self, velocity: D::Vector, angular: D::Angular) {
        if self.world.bodies.items[self.index].kind == BodyKind::Fixed {
            return;
        }
        self.wake();
        self.world.write_velocities(self.index, velocity, angular);
    }
}
