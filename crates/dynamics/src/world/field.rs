//! What acts on many bodies at once: explosions, wind, water.
//!
//! All act on dynamic bodies, through the shapes that they meet, sensors excepted. Explosions act at once and wake who
//! they reach. Wind and water push during the next step, whose length they are told, and leave those asleep alone: a boat
//! that has come to rest may sleep.

use super::World;
use super::add::check_vector;
use super::body::Place;
use super::collider::ColliderRecord;
use super::contact::NONE;
use super::drag::{Drag, resistance};
use super::query::QueryFilter;
use super::surface::{Surface, part_below, shadow};
use crate::Error;
use crate::error::not_negative;
use carom_math::{Number, Vector};

/// Something that bursts: an impulse away from a point, on each shape as its shadow is large. Of a compound the shadows of its
/// parts are summed up, whichever hides behind another; that of a concave mesh or outline is more than it is.
///
/// # Example
/// ```
/// use carom_dynamics::Explosion;
/// use carom_dynamics::d2::{Body, World};
/// use carom_geometry::d2::Ball;
/// let mut world = World::new();
/// let ball = world.add(Body::dynamic().at([3.0, 0.0]).shape(Ball::new(0.5)?))?;
/// let reached = world.explode(Explosion { radius: 5.0, impulse: 2.0, ..Explosion::at([0.0, 0.0]) })?;
/// assert_eq!(reached, 1);
/// assert!(world.get(ball)?.velocity().x > 0.0);
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explosion<V> {
    /// Where it is.
    pub center: V,
    /// Up to this distance it has its full strength; 1 by default.
    pub radius: f32,
    /// Over this distance beyond the radius it fades away, linearly; 1 by default.
    pub falloff: f32,
    /// The impulse per length of a shadow in the plane, per area in space; 1 by default. Negative implodes.
    pub impulse: f32,
    /// Whom it reaches.
    pub filter: QueryFilter,
}

impl<V> Explosion<V> {
    /// An explosion at a point, with the usual strength.
    pub fn at(center: impl Into<V>) -> Self {
        Explosion {
            center: center.into(),
            radius: 1.0,
            falloff: 1.0,
            impulse: 1.0,
            filter: QueryFilter::default(),
        }
    }
}

/// Air that moves: ½·ρ·c·A·|u|·u on each shape, where u is its velocity against the body and A the shadow of the shape.
/// Of a compound the shadows of its parts are summed up, and so are those of the shapes of a body: nothing is in the lee of
/// another. That of a concave mesh or outline is more than it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wind<V> {
    /// How fast it blows.
    pub velocity: V,
    /// The density ρ of the air; 1.2 by default.
    pub density: f32,
    /// The coefficient c of drag; 1 by default.
    pub drag: f32,
}

impl<V> Wind<V> {
    /// A wind of usual air.
    pub fn new(velocity: impl Into<V>) -> Self {
        Wind { velocity: velocity.into(), density: 1.2, drag: 1.0 }
    }
}

/// A fluid below a level: it lifts what is in it by the weight of what it displaces, and slows it down.
///
/// # Example
/// ```
/// use carom_dynamics::Fluid;
/// use carom_dynamics::d2::{Body, Collider, World};
/// use carom_geometry::d2::Cuboid;
/// let mut world = World::new();
/// let cork = Collider::new(Cuboid::new([1.0, 1.0])?).density(250.0);
/// let cork = world.add(Body::dynamic().shape(cork))?;
/// for _ in 0..600 {
///     world.immerse(Fluid { drag: 4.0, ..Fluid::below([0.0, 1.0], 0.0) }, 1.0 / 60.0)?;
///     world.step(1.0 / 60.0)?;
/// }
/// // A quarter of it is under water.
/// assert!((world.get(cork)?.pose().translation.y - 0.5).abs() < 0.01);
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fluid<V> {
    /// The normal of its surface, of any length but zero.
    pub normal: V,
    /// It is where normal·p <= level, for the normal divided by its length.
    pub level: f32,
    /// Its density; 1000 by default.
    pub density: f32,
    /// How fast it flows.
    pub flow: V,
    /// How fast a body of the fluid's own density, wholly immersed, loses its speed against it, 1/s; 1 by default.
    pub drag: f32,
    /// The same for turning.
    pub angular_drag: f32,
}

impl<V: Vector<Scalar = f32>> Fluid<V> {
    /// Water below a level.
    pub fn below(normal: impl Into<V>, level: f32) -> Self {
        Fluid { normal: normal.into(), level, density: 1000.0, flow: V::ZERO, drag: 1.0, angular_drag: 1.0 }
    }
}

impl<D: Surface> World<D> {
    /// Pushes dynamic bodies away from a point, at once. The answer is how many shapes it reached.
    ///
    /// A shape is pushed at its point closest to the centre, along the line to it; one that contains the centre, along
    /// the line to its own middle, and not at all where that is the same point.
    ///
    /// # Errors
    /// When a number is not finite, that of a velocity afterwards included, or a length is negative; nothing happens then.
    pub fn explode(&mut self, explosion: Explosion<D::Vector>) -> Result<usize, Error> {
        let Explosion { center, radius, falloff, impulse, filter } = explosion;
        check_vector("center", center)?;
        not_negative("radius", radius)?;
        not_negative("falloff", falloff)?;
        crate::error::finite("impulse", impulse)?;
        let range = radius + falloff;
        let mut pushes = Vec::new();
        for index in self.colliders.indices() {
            let collider = &self.colliders.items[index];
            if !self.bodies.items[collider.body as usize].moves() || !self.is_asked(collider, filter) {
                continue;
            }
            // The box first: most are far away.
            if range * range < collider.fat.distance_squared(center) {
                continue;
            }
            let pose = self.collider_pose(collider);
            let shape = &collider.given.shape;
            let Ok(closest) = D::closest_point(shape, pose, center) else { continue };
            let distance = closest.distance.max_of(0.0);
            if range < distance {
                continue;
            }
            let (point, away) = if 0.0 < closest.distance {
                (closest.point, closest.point - center)
            } else {
                (center, self.middle(index, pose) - center)
            };
            let length = away.length();
            if length == 0.0 {
                continue;
            }
            let direction = away * (1.0 / length);
            let strength = if distance <= radius { 1.0 } else { (range - distance) / falloff };
            let size = shadow::<D>(shape, pose, direction);
            pushes.push((collider.body as usize, direction * (impulse * strength * size), point));
        }
        // First how fast all will be, as one that cannot be moved so fast keeps the others from being moved.
        pushes.sort_by_key(|(body, ..)| *body);
        let mut moved = Vec::<(usize, _)>::new();
        for (body, push, point) in &pushes {
            let before = match moved.pop() {
                Some((last, velocities)) if last == *body => velocities,
                other => {
                    moved.extend(other);
                    self.velocities_of(*body)
                }
            };
            let handle = self.bodies.handle(*body);
            moved.push((*body, self.get_mut(handle)?.after_impulse_at(before, *push, *point)?));
        }
        for (body, (velocity, angular)) in moved {
            let handle = self.bodies.handle(body);
            self.get_mut(handle)?.change(velocity, angular);
        }
        Ok(pushes.len())
    }

    /// Lets the wind blow during the next step, of `dt` seconds. The answer is how many shapes it meets.
    ///
    /// The push is that of the end of the step: as seen from the air, a body never gets faster, however light it is and
    /// however many shapes it has.
    ///
    /// # Errors
    /// When a number is not finite, or one is negative that must not be; nothing happens then.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::Wind;
    /// use carom_dynamics::d3::{Body, Collider, World};
    /// use carom_geometry::d3::Ball;
    /// let mut world = World::new();
    /// let leaf = world.add(Body::dynamic().shape(Collider::new(Ball::new(0.1)?).density(1.0)))?;
    /// for _ in 0..120 {
    ///     world.blow(Wind::new([5.0, 0.0, 0.0]), 1.0 / 60.0)?;
    ///     world.step(1.0 / 60.0)?;
    /// }
    /// assert!(world.get(leaf)?.velocity().x > 4.0);
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    pub fn blow(&mut self, wind: Wind<D::Vector>, dt: f32) -> Result<usize, Error> {
        check_vector("velocity", wind.velocity)?;
        not_negative("density", wind.density)?;
        not_negative("drag", wind.drag)?;
        not_negative("dt", dt)?;
        self.push_awake(dt, |world, index| {
            let collider = &world.colliders.items[index];
            let pose = world.collider_pose(collider);
            let body = collider.body as usize;
            let middle = world.middle(index, pose);
            let passes = wind.velocity - world.velocity_of_point(body, middle);
            let speed = passes.length();
            if speed == 0.0 {
                return None;
            }
            let size = shadow::<D>(&collider.given.shape, pose, passes * (1.0 / speed));
            let drag = Drag {
                arm: D::Vector::narrow(middle.widen() - world.places[body].center),
                passes,
                // Of its speed as it is now: then the force follows the velocity linearly.
                force_rate: 0.5 * wind.density * wind.drag * size * speed,
                inertia: D::Inertia::default(),
                torque_rate: 0.0,
            };
            Some((D::Vector::ZERO, drag))
        })
    }

    /// Lets a fluid act during the next step, of `dt` seconds: lift, by gravity, at the centre of what it displaces,
    /// and drag. The answer is how many shapes are in it.
    ///
    /// What floats bobs with ω² = g·ρA/m, A being where it cuts the surface. That is followed faithfully while
    /// ω·dt < 2: at 60 steps a second down to cubes of 3 mm with a quarter of the fluid's density, or of 7 cm with a
    /// hundredth. What is smaller or lighter leaps about, and wants shorter steps.
    ///
    /// # Errors
    /// When a number is not finite, the normal is zero, or a number is negative that must not be; nothing happens then.
    pub fn immerse(&mut self, fluid: Fluid<D::Vector>, dt: f32) -> Result<usize, Error> {
        check_vector("normal", fluid.normal)?;
        check_vector("flow", fluid.flow)?;
        crate::error::finite("level", fluid.level)?;
        not_negative("density", fluid.density)?;
        not_negative("drag", fluid.drag)?;
        not_negative("angular_drag", fluid.angular_drag)?;
        not_negative("dt", dt)?;
        let up = fluid.normal.normalized().ok_or(Error::ZeroDirection { what: "normal" })?;
        let gravity = self.settings.gravity;
        // The lift is the same in all n sub-steps. That of where a body is now would come late: what bobs with ω goes to
        // x + v·dt − ½(1 + 1/n)·ω²dt²·x, and each step multiplies the area that it goes round in x and v by
        // 1 + ½(1 − 1/n)·ω²dt². With the lift of ½(1 − 1/n)·dt later the product is 1: nothing grows.
        let ahead = 0.5 * dt * (1.0 - 1.0 / self.settings.sub_steps.max(1) as f32);
        self.push_awake(dt, |world, index| {
            let collider = &world.colliders.items[index];
            let body = collider.body as usize;
            let (place, pose) = world.place_ahead(collider, ahead);
            let (share, center) = part_below::<D>(&collider.given.shape, pose, up, fluid.level)?;
            let (volume, _, inertia) = D::mass(&collider.given.shape, fluid.density).ok()?;
            // The mass of the fluid that is displaced.
            let displaced = share * volume;
            let arm = D::Vector::narrow(center.widen() - place.center);
            let (velocity, angular) = world.velocities_of(body);
            let drag = Drag {
                arm,
                passes: fluid.flow - (velocity + D::spin(angular, arm)),
                force_rate: fluid.drag * displaced,
                inertia: D::inertia_in_world(inertia, place.rotation),
                torque_rate: fluid.angular_drag * share,
            };
            Some((-(gravity * displaced), drag))
        })
    }

    /// Lets something act on awake dynamic bodies during a step: for each shape that `act` answers for with a force and
    /// with how it is held back, both at the same place.
    fn push_awake(
        &mut self,
        dt: f32,
        act: impl Fn(&Self, usize) -> Option<(D::Vector, Drag<D>)>,
    ) -> Result<usize, Error> {
        let mut count = 0;
        let mut drags = Vec::new();
        for k in 0..self.awake.bodies.len() {
            let body = self.awake.bodies[k] as usize;
            if !self.bodies.items[body].moves() {
                continue;
            }
            drags.clear();
            let (mut force, mut torque) = (D::Vector::ZERO, D::Angular::default());
            let mut at = self.bodies.items[body].first_collider;
            while at != NONE {
                let collider = &self.colliders.items[at as usize];
                if !collider.given.is_sensor
                    && let Some((push, drag)) = act(self, at as usize)
                    && push.finite()
                    && drag.is_finite()
                {
                    force += push;
                    torque = torque + D::moment(drag.arm, push);
                    drags.push(drag);
                }
                at = collider.next;
            }
            if drags.is_empty() {
                continue;
            }
            let (rotation, angular) = (self.places[body].rotation, self.velocities_of(body).1);
            let held = resistance(&self.bodies.items[body], rotation, angular, &drags, dt);
            let (force, torque) = (force + held.0, torque + held.1);
            if force.finite() && D::angular_length(torque).is_finite() {
                let record = &mut self.bodies.items[body];
                record.force += force;
                record.torque = record.torque + torque;
                count += drags.len();
            }
        }
        Ok(count)
    }

    /// Where a body will be a little later, if nothing pushes it, and where a shape of it.
    fn place_ahead(&self, collider: &ColliderRecord<D>, time: f32) -> (Place<D>, D::Pose) {
        let body = collider.body as usize;
        let (velocity, angular) = self.velocities_of(body);
        let Place { center, rotation, state } = self.places[body];
        let center = center + (velocity * time).widen();
        let rotation = D::compose(rotation, D::turn_by(angular * time));
        let (translation, turn) = collider.from_center;
        let translation = D::Vector::narrow(center + D::rotate(rotation, translation).widen());
        (Place { center, rotation, state }, D::pose(translation, D::compose(turn, rotation)))
    }

    /// The middle of a shape: its centre of mass, or where it is placed.
    fn middle(&self, collider: usize, pose: D::Pose) -> D::Vector {
        let (translation, rotation) = D::parts(pose);
        let center = D::mass(&self.colliders.items[collider].given.shape, 1.0)
            .map_or(D::Vector::ZERO, |(_, center, _)| center);
        translation + D::rotate(rotation, center)
    }

    fn velocity_of_point(&self, body: usize, point: D::Vector) -> D::Vector {
        let (velocity, angular) = self.velocities_of(body);
        velocity + D::spin(angular, D::Vector::narrow(point.widen() - self.places[body].center))
    }
}
