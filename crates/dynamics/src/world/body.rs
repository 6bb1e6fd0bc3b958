//! Bodies: how they are described, and what a world keeps about them.

use super::collider::Collider;
use super::contact::NONE;
use super::dimension::{Dimension, Engine};
use carom_math::Vector;

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BodyKind {
    /// By forces and contacts.
    #[default]
    Dynamic,
    /// Not at all.
    Fixed,
    /// By the velocity it is given, and nothing stops it.
    Kinematic,
}

/// Directions in which a body cannot move, along the axes of the world.
///
/// About the axes that are left it turns as on a bearing: by its inertia about these, where it is at the time.
///
/// # Example
/// ```
/// use carom_dynamics::Locks;
/// let rail = Locks::NONE.linear(1).linear(2).rotation();
/// assert_ne!(rail, Locks::ROTATION);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Locks {
    /// Bits 0 to 2: along x, y, z; bits 3 to 5: about x, y, z.
    pub(crate) bits: u8,
}

impl Locks {
    /// Moves freely.
    pub const NONE: Self = Locks { bits: 0 };
    /// Does not turn.
    pub const ROTATION: Self = Locks { bits: 0b11_1000 };

    /// Does not move along an axis: 0 for x, 1 for y, 2 for z. Others change nothing.
    #[must_use]
    pub fn linear(self, axis: usize) -> Self {
        if axis < 3 { Locks { bits: self.bits | 1 << axis } } else { self }
    }
    /// Does not turn about an axis: 0 for x, 1 for y, 2 for z, which is the one that the plane has.
    #[must_use]
    pub fn angular(self, axis: usize) -> Self {
        if axis < 3 { Locks { bits: self.bits | 8 << axis } } else { self }
    }
    /// Does not turn.
    #[must_use]
    pub fn rotation(self) -> Self {
        Locks { bits: self.bits | Self::ROTATION.bits }
    }
}

/// A body to be added to a world.
///
/// # Example
/// ```
/// use carom_dynamics::d3::{Body, World};
/// use carom_geometry::d3::{Ball, Cuboid};
/// let mut world = World::new();
/// world.add(Body::fixed().at([0.0, -1.0, 0.0]).shape(Cuboid::new([50.0, 1.0, 50.0])?))?;
/// let ball = world.add(Body::dynamic().at([0.0, 3.0, 0.0]).velocity([1.0, 0.0, 0.0]).shape(Ball::new(0.5)?))?;
/// for _ in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// let resting = world.get(ball)?.pose().translation;
/// assert!((resting.y - 0.5).abs() < 0.01 && resting.x > 1.0);
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Body<D: Dimension> {
    pub(crate) kind: BodyKind,
    pub(crate) pose: D::Pose,
    pub(crate) velocity: D::Vector,
    pub(crate) angular: D::Angular,
    pub(crate) colliders: Vec<Collider<D>>,
    pub(crate) mass: Option<f32>,
    pub(crate) linear_damping: f32,
    pub(crate) angular_damping: f32,
    pub(crate) gravity_scale: f32,
    pub(crate) locks: Locks,
    pub(crate) sleep_speed: f32,
    pub(crate) can_sleep: bool,
    pub(crate) is_asleep: bool,
    pub(crate) reports_hits: bool,
    pub(crate) is_continuous: bool,
    pub(crate) user_data: u64,
    pub(crate) name: Option<Box<str>>,
}

impl<D: Dimension> Body<D> {
    /// A body of a kind, at the origin, at rest, without shapes.
    #[must_use]
    pub fn new(kind: BodyKind) -> Self {
        Body {
            kind,
            pose: D::Pose::default(),
            velocity: D::Vector::ZERO,
            angular: D::Angular::default(),
            colliders: Vec::new(),
            mass: None,
            linear_damping: 0.0,
            angular_damping: 0.0,
            gravity_scale: 1.0,
            locks: Locks::NONE,
            sleep_speed: 0.05,
            can_sleep: true,
            is_asleep: false,
            reports_hits: false,
            is_continuous: true,
            user_data: 0,
            name: None,
        }
    }
    /// A body that forces and contacts move.
    #[must_use]
    pub fn dynamic() -> Self {
        Self::new(BodyKind::Dynamic)
    }
    /// A body that does not move.
    #[must_use]
    pub fn fixed() -> Self {
        Self::new(BodyKind::Fixed)
    }
    /// A body that moves by the velocity it is given.
    #[must_use]
    pub fn kinematic() -> Self {
        Self::new(BodyKind::Kinematic)
    }
    /// Where it is.
    #[must_use]
    pub fn at(mut self, pose: impl Into<D::Pose>) -> Self {
        self.pose = pose.into();
        self
    }
    /// The velocity of its centre of mass; a fixed body has none.
    #[must_use]
    pub fn velocity(mut self, velocity: impl Into<D::Vector>) -> Self {
        self.velocity = velocity.into();
        self
    }
    /// Its angular velocity, in the world frame; a fixed body has none.
    #[must_use]
    pub fn angular_velocity(mut self, angular: impl Into<D::Angular>) -> Self {
        self.angular = angular.into();
        self
    }
    /// Adds a shape.
    #[must_use]
    pub fn shape(mut self, collider: impl Into<Collider<D>>) -> Self {
        self.colliders.push(collider.into());
        self
    }
    /// Its mass, instead of that of its shapes. The inertia is scaled along.
    #[must_use]
    pub fn mass(mut self, mass: f32) -> Self {
        self.mass = Some(mass);
        self
    }
    /// How fast linear and angular velocity fade, 1/s: each of the n sub-steps of a step of dt divides them by 1 + c·dt/n.
    #[must_use]
    pub fn damping(mut self, linear: f32, angular: f32) -> Self {
        self.linear_damping = linear;
        self.angular_damping = angular;
        self
    }
    /// By what gravity is multiplied; 1 by default.
    #[must_use]
    pub fn gravity_scale(mut self, scale: f32) -> Self {
        self.gravity_scale = scale;
        self
    }
    /// In which directions it cannot move.
    #[must_use]
    pub fn locks(mut self, locks: Locks) -> Self {
        self.locks = locks;
        self
    }
    /// How fast its points may move for the body to count as resting, m/s; 0.05 by default.
    #[must_use]
    pub fn sleep_speed(mut self, speed: f32) -> Self {
        self.sleep_speed = speed;
        self
    }
    /// Whether it may fall asleep; true by default.
    #[must_use]
    pub fn can_sleep(mut self, can_sleep: bool) -> Self {
        self.can_sleep = can_sleep;
        self
    }
    /// Starts asleep, until something wakes it.
    #[must_use]
    pub fn asleep(mut self) -> Self {
        self.is_asleep = true;
        self
    }
    /// Fast contacts are reported as hits.
    #[must_use]
    pub fn reports_hits(mut self) -> Self {
        self.reports_hits = true;
        self
    }
    /// Whether it stops at what it would otherwise fly through, when it is fast for its size; true by default.
    /// See [`Settings::continuous`](super::Settings::continuous).
    #[must_use]
    pub fn continuous(mut self, is_continuous: bool) -> Self {
        self.is_continuous = is_continuous;
        self
    }
    /// A number of yours.
    #[must_use]
    pub fn user_data(mut self, data: u64) -> Self {
        self.user_data = data;
        self
    }
    /// A name, for messages.
    #[must_use]
    pub fn name(mut self, name: impl Into<Box<str>>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// Where a body is: what the narrow phase reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place<D: Dimension> {
    /// The centre of mass. In `f64`, so that a step of a micrometre is not lost a hundred kilometres away.
    pub(crate) center: D::Wide,
    pub(crate) rotation: D::Rotation,
    /// One more than the index among those awake, or 0: the number of its state.
    pub(crate) state: u32,
}

/// What a dynamic body weighs, where, and how hard it is to turn about that, in its own frame.
pub(crate) struct Weight<D: Engine> {
    pub(crate) mass: f32,
    pub(crate) center: D::Vector,
    pub(crate) inertia: D::Inertia,
}

/// What a world keeps about a body besides its place and, while awake, its state.
#[derive(Clone, Debug)]
pub(crate) struct Record<D: Engine> {
    pub(crate) kind: BodyKind,
    /// The velocity while asleep; the state has it while awake.
    pub(crate) velocity: D::Vector,
    pub(crate) angular: D::Angular,
    /// The centre of mass in the body frame.
    pub(crate) local_center: D::Vector,
    pub(crate) mass: f32,
    /// Whether it was told its mass, so that more shapes do not change it.
    pub(crate) has_given_mass: bool,
    pub(crate) inverse_mass: f32,
    /// About the centre of mass, in the body frame.
    pub(crate) inertia: D::Inertia,
    pub(crate) inverse_inertia: D::Inertia,
    pub(crate) force: D::Vector,
    pub(crate) torque: D::Angular,
    pub(crate) linear_damping: f32,
    pub(crate) angular_damping: f32,
    pub(crate) gravity_scale: f32,
    pub(crate) locks: Locks,
    pub(crate) first_collider: u32,
    pub(crate) first_contact: u32,
    pub(crate) first_joint: u32,
    pub(crate) joint_count: u32,
    /// The index among those awake, or `NONE`.
    pub(crate) awake: u32,
    /// The farthest point of any shape from the centre of mass.
    pub(crate) reach: f32,
    /// The least half extent of any shape, sensors excepted unless there is nothing else.
    pub(crate) thickness: f32,
    pub(crate) sleep_speed: f32,
    pub(crate) slow_time: f32,
    pub(crate) can_sleep: bool,
    /// Whether the inertia is not that of a ball.
    pub(crate) tumbles: bool,
    pub(crate) is_quarantined: bool,
    pub(crate) reports_hits: bool,
    /// Whether it stops at what it would fly through.
    pub(crate) is_continuous: bool,
    /// Whether it was deep in something that it does not move when the step began.
    pub(crate) is_deep: bool,
    pub(crate) user_data: u64,
    pub(crate) name: Option<Box<str>>,
}

impl<D: Engine> Record<D> {
    pub(crate) fn new(given: &Body<D>) -> Self {
        let (velocity, angular) = match given.kind {
            BodyKind::Fixed => Default::default(),
            _ => (given.velocity, given.angular),
        };
        Record {
            kind: given.kind,
            velocity,
            angular,
            local_center: D::Vector::ZERO,
            mass: 0.0,
            has_given_mass: given.mass.is_some_and(|mass| 0.0 < mass),
            inverse_mass: 0.0,
            inertia: D::Inertia::default(),
            inverse_inertia: D::Inertia::default(),
            force: D::Vector::ZERO,
            torque: D::Angular::default(),
            linear_damping: given.linear_damping,
            angular_damping: given.angular_damping,
            gravity_scale: given.gravity_scale,
            locks: given.locks,
            first_collider: NONE,
            first_contact: NONE,
            first_joint: NONE,
            joint_count: 0,
            awake: NONE,
            reach: 0.0,
            thickness: f32::INFINITY,
            sleep_speed: given.sleep_speed,
            slow_time: 0.0,
            can_sleep: given.can_sleep,
            tumbles: false,
            is_quarantined: false,
            reports_hits: given.reports_hits,
            is_continuous: given.is_continuous,
            is_deep: false,
            user_data: given.user_data,
            name: given.name.clone(),
        }
    }
    pub(crate) fn put_weight(&mut self, Weight { mass, center, inertia }: Weight<D>) {
        self.mass = mass;
        self.inverse_mass = 1.0 / mass;
        self.local_center = center;
        self.inertia = inertia;
        self.inverse_inertia = D::inverse_inertia(inertia);
        self.tumbles = !D::is_round(inertia);
    }
    /// The inverse of its inertia in the world, about the axes that are not locked.
    #[inline(always)]
    pub(crate) fn free_inverse_inertia(&self, rotation: D::Rotation) -> D::Inertia {
        D::free_inverse_inertia(self.inertia, self.inverse_inertia, rotation, self.locks.bits)
    }
    /// Whether impulses move it.
    #[inline(always)]
    pub(crate) fn moves(&self) -> bool {
        self.kind == BodyKind::Dynamic && !self.is_quarantined
    }
    #[inline(always)]
    pub(crate) fn is_awake(&self) -> bool {
        self.awake != NONE
    }
}
