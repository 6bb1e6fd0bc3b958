//! What happened in the last step, in an order that depends on the input only.
//!
//! Things happen between steps as well: removing a body ends its contacts. So events are gathered in one list and told
//! from another, and change places at the end of a step: who looks after each step hears of everything, once.

use super::World;
use super::access::BodyRef;
use super::dimension::Engine;
use super::handle::{BodyHandle, ColliderHandle, JointHandle};
use carom_math::Vector;

/// Two shapes that began or ceased to touch, or to overlap in the case of a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The shape with the lower index; of a sensor event, the sensor.
    pub a: ColliderHandle,
    /// The other one; of a sensor event, the visitor.
    pub b: ColliderHandle,
}

/// Two shapes that hit each other fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitEvent<V> {
    /// The shape with the lower index.
    pub a: ColliderHandle,
    /// The other one.
    pub b: ColliderHandle,
    /// Where they hit, in the world.
    pub point: V,
    /// From the first to the second.
    pub normal: V,
    /// How fast they approached along the normal.
    pub speed: f32,
    /// The largest impulse of a sub-step at that point.
    pub impulse: f32,
}

/// A joint that had to bear too much, and is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenJoint {
    /// What it was; the handle is dead.
    pub joint: JointHandle,
    /// What it joined.
    pub bodies: [BodyHandle; 2],
    /// The largest force that it had to bear in a sub-step of the step, N.
    pub force: f32,
    /// The largest torque, N·m.
    pub torque: f32,
}

/// What happened in a step. Every list is in the order in which it came about, which is the same on every
/// machine and for any number of threads.
///
/// # Example
/// ```
/// use carom_dynamics::d2::{Body, World};
/// use carom_geometry::d2::{Ball, Cuboid};
/// let mut world = World::new();
/// world.add(Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([10.0, 1.0])?))?;
/// world.add(Body::dynamic().at([0.0, 0.6]).shape(Ball::new(0.5)?))?;
/// let mut begun = 0;
/// for _ in 0..60 {
///     world.step(1.0 / 60.0)?;
///     begun += world.events().begun.len();
/// }
/// assert_eq!(begun, 1);
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Events<V: Vector> {
    /// Shapes that began to touch.
    pub begun: Vec<Touch>,
    /// Shapes that ceased to touch. A handle may be dead: removing a body ends its contacts, and the next step tells.
    pub ended: Vec<Touch>,
    /// Shapes that hit each other faster than [`Settings::hit_speed`](super::Settings::hit_speed), of bodies
    /// that asked for it.
    pub hits: Vec<HitEvent<V>>,
    /// Shapes that entered a sensor.
    pub entered: Vec<Touch>,
    /// Shapes that left a sensor.
    pub left: Vec<Touch>,
    /// Bodies that fell asleep.
    pub slept: Vec<BodyHandle>,
    /// Bodies that woke up.
    pub woken: Vec<BodyHandle>,
    /// Bodies whose state stopped being finite: they are frozen where they were.
    pub quarantined: Vec<BodyHandle>,
    /// Joints that broke, by ascending index.
    pub broken: Vec<BrokenJoint>,
}

impl<V: Vector> Default for Events<V> {
    fn default() -> Self {
        Events {
            begun: Vec::new(),
            ended: Vec::new(),
            hits: Vec::new(),
            entered: Vec::new(),
            left: Vec::new(),
            slept: Vec::new(),
            woken: Vec::new(),
            quarantined: Vec::new(),
            broken: Vec::new(),
        }
    }
}

impl<V: Vector> Events<V> {
    /// Forgets all; keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.begun.clear();
        self.ended.clear();
        self.hits.clear();
        self.entered.clear();
        self.left.clear();
        self.slept.clear();
        self.woken.clear();
        self.quarantined.clear();
        self.broken.clear();
    }
}

impl<D: Engine> World<D> {
    /// The bodies that the last step may have moved: those that are awake, in an order of their own, which is the
    /// same on every machine, then those that have just fallen asleep, by index. Each comes once. What sleeps or is
    /// fixed has not moved, unless you did it.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, World};
    /// use carom_geometry::d2::Ball;
    /// let mut world = World::new();
    /// let ball = world.add(Body::dynamic().shape(Ball::new(0.5)?))?;
    /// world.add(Body::fixed().at([0.0, -9.0]).shape(Ball::new(0.5)?))?;
    /// world.step(1.0 / 60.0)?;
    /// assert_eq!(world.moved().map(|body| body.handle()).collect::<Vec<_>>(), [ball]);
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    pub fn moved(&self) -> impl Iterator<Item = BodyRef<'_, D>> {
        let awake = self.awake.bodies.iter().map(|body| self.bodies.handle(*body as usize));
        let slept = self.events.slept.iter().copied();
        let asleep = |body: &BodyHandle| self.get(*body).is_ok_and(|body| !body.is_awake());
        awake.chain(slept.filter(asleep)).filter_map(|body| self.get(body).ok())
    }
}
