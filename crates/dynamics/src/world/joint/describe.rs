//! Joints as they are described: one body of parts from which all kinds are made.
//!
//! A joint has a frame on each body. What it allows is said for each axis of the first frame, along it and
//! about it: locked, free, limited, driven by a motor, pulled by a spring. The kinds are presets of that;
//! distance, gear and pulley have a coordinate of their own.

use super::axis::{JointAxis, JointMotor, JointSpring, at_least_zero};
use super::form::{Form, function, slot};
use crate::Error;
use crate::error::{finite, not_negative};
use crate::world::add::check_vector;
use crate::world::dimension::{Dimension, Engine};
use crate::world::handle::BodyHandle;
use carom_math::Vector;
use core::f32::consts::PI;

/// What kind of joint it is: which axes [`Joint::limits`], [`Joint::motor`] and [`Joint::spring`] mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JointKind {
    /// Two bodies as one.
    Fixed,
    /// Turns about the z axis of the frames, which is the one that the plane has.
    Revolute,
    /// Slides along the x axis of the frames.
    Prismatic,
    /// The anchors stay together. The twist is about z, the cone is between the z axes.
    Ball,
    /// The distance of the anchors: a rod, a rope or a spring.
    Distance,
    /// Slides along x, turns about z.
    Wheel,
    /// Draws the second frame to the first.
    Motor,
    /// Angles about the z axes are in a ratio.
    Gear,
    /// Lengths of a rope over two points are in a ratio.
    Pulley,
    /// Only keeps the bodies from colliding.
    Filter,
    /// Nothing is said in advance.
    Generic,
}

/// Where the frames are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Placement<D: Dimension> {
    /// In the frames of the bodies.
    Local([D::Pose; 2]),
    /// Both in one place of the world, as the bodies stand when the joint is added.
    World(D::Pose),
}

/// A joint to be added to a world.
///
/// The frames are placed by [`anchors`](Self::anchors) or [`frames`](Self::frames), in the frames of the
/// bodies, or by [`at`](Self::at) in the world; unless told, they are those of the bodies.
///
/// # Example
/// ```
/// use carom_dynamics::d2::{Body, Joint, World};
/// use carom_geometry::d2::Ball;
/// let mut world = World::new();
/// let ceiling = world.add(Body::fixed())?;
/// let bob = world.add(Body::dynamic().at([1.0, 0.0]).shape(Ball::new(0.1)?))?;
/// let joint = world.add_joint(Joint::revolute(ceiling, bob).at([0.0, 0.0]))?;
/// for _ in 0..30 {
///     world.step(1.0 / 60.0)?;
/// }
/// let place = world.get(bob)?.pose().translation;
/// let length = (place.x * place.x + place.y * place.y).sqrt();
/// assert!((length - 1.0).abs() < 0.01 && place.y < -0.5);
/// world.remove_joint(joint)?;
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<D: Dimension> {
    pub(crate) bodies: [BodyHandle; 2],
    pub(crate) kind: JointKind,
    pub(crate) placement: Placement<D>,
    pub(crate) linear: [JointAxis; 3],
    pub(crate) angular: [JointAxis; 3],
    pub(crate) length: JointAxis,
    /// How long a rod is; as it is when added, unless told.
    pub(crate) rest: Option<f32>,
    pub(crate) cone: Option<f32>,
    pub(crate) ratio: f32,
    /// Where the rope of a pulley hangs from, in the world.
    pub(crate) hooks: [D::Vector; 2],
    pub(crate) softness: Option<[f32; 2]>,
    pub(crate) break_force: f32,
    pub(crate) break_torque: f32,
    pub(crate) collide_connected: bool,
    pub(crate) user_data: u64,
    /// What was told and makes no sense: [`check`](Self::check) says so, for words here have no answer of their own.
    pub(crate) refused: Option<Error>,
}

impl<D: Engine> Joint<D> {
    /// Nothing is locked yet.
    pub(crate) fn of_kind(kind: JointKind, bodies: [BodyHandle; 2]) -> Self {
        Joint {
            bodies,
            kind,
            placement: Placement::Local([D::Pose::default(); 2]),
            linear: [JointAxis::FREE; 3],
            angular: [JointAxis::FREE; 3],
            length: JointAxis::FREE,
            rest: None,
            cone: None,
            ratio: 1.0,
            hooks: [D::Vector::ZERO; 2],
            softness: None,
            break_force: f32::INFINITY,
            break_torque: f32::INFINITY,
            collide_connected: false,
            user_data: 0,
            refused: None,
        }
    }
    fn locking(mut self, linear: [bool; 3], angular: [bool; 3]) -> Self {
        let axis = |is_locked| if is_locked { JointAxis::LOCKED } else { JointAxis::FREE };
        (self.linear, self.angular) = (linear.map(axis), angular.map(axis));
        self
    }
    /// Two bodies as one.
    #[must_use]
    pub fn fixed(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Fixed, [a, b]).locking([true; 3], [true; 3])
    }
    /// A hinge: the anchors stay together, the bodies turn about the z axis of the frames.
    #[must_use]
    pub fn revolute(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Revolute, [a, b]).locking([true; 3], [true, true, false])
    }
    /// A slider along the x axis of the frames.
    #[must_use]
    pub fn prismatic(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Prismatic, [a, b]).locking([false, true, true], [true; 3])
    }
    /// A ball in a socket: the anchors stay together. In the plane the same as a hinge.
    #[must_use]
    pub fn ball(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Ball, [a, b]).locking([true; 3], [false; 3])
    }
    /// A rod: the anchors stay as far apart as they are when it is added, or as [`length`](Self::length) says.
    #[must_use]
    pub fn distance(a: BodyHandle, b: BodyHandle) -> Self {
        let mut joint = Self::of_kind(JointKind::Distance, [a, b]);
        joint.length = JointAxis::LOCKED;
        joint
    }
    /// A rope: the anchors get no farther apart than this.
    #[must_use]
    pub fn rope(a: BodyHandle, b: BodyHandle, max_length: f32) -> Self {
        let mut joint = Self::of_kind(JointKind::Distance, [a, b]);
        joint.length = JointAxis::FREE.limits(f32::NEG_INFINITY, max_length);
        joint
    }
    /// A spring between the anchors, with a length at rest, a frequency in 1/s and a damping ratio.
    #[must_use]
    pub fn elastic(a: BodyHandle, b: BodyHandle, rest: f32, frequency: f32, damping_ratio: f32) -> Self {
        let mut joint = Self::of_kind(JointKind::Distance, [a, b]);
        joint.length = JointAxis::FREE.spring(rest, frequency, damping_ratio);
        joint
    }
    /// A wheel: turns about z and slides along x, which is what [`spring`](Self::spring) and
    /// [`limits`](Self::limits) then mean; [`motor`](Self::motor) drives the turning.
    #[must_use]
    pub fn wheel(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Wheel, [a, b]).locking([false, true, true], [true, true, false])
    }
    /// Draws the second frame to the first like a spring, with at most so much force and torque.
    #[must_use]
    pub fn motor_to(a: BodyHandle, b: BodyHandle, max_force: f32, max_torque: f32) -> Self {
        let mut joint = Self::of_kind(JointKind::Motor, [a, b]);
        let axis = |max_force| JointAxis {
            spring: Some(JointSpring { target: 0.0, frequency: 5.0, damping_ratio: 1.0, max_force }),
            ..JointAxis::FREE
        };
        (joint.linear, joint.angular) = ([axis(max_force); 3], [axis(max_torque); 3]);
        joint.collide_connected = true;
        joint
    }
    /// A gear: the angle of the first body about its z axis plus `ratio` times that of the second stays what
    /// it is. Both turn on joints of their own.
    #[must_use]
    pub fn gear(a: BodyHandle, b: BodyHandle, ratio: f32) -> Self {
        let mut joint = Self::of_kind(JointKind::Gear, [a, b]);
        joint.ratio = ratio;
        joint
    }
    /// A rope over two points of the world: the distance of the first anchor from the first point plus `ratio`
    /// times that of the second from the second gets no more than it is when the joint is added, or than
    /// [`length`](Self::length) says.
    #[must_use]
    pub fn pulley(a: BodyHandle, b: BodyHandle, points: [D::Vector; 2], ratio: f32) -> Self {
        let mut joint = Self::of_kind(JointKind::Pulley, [a, b]);
        (joint.hooks, joint.ratio) = (points, ratio);
        joint
    }
    /// No constraint: the bodies do not collide with each other, that is all.
    #[must_use]
    pub fn filter(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Filter, [a, b])
    }
    /// All axes free, to be told by [`linear`](Self::linear) and [`angular`](Self::angular).
    #[must_use]
    pub fn generic(a: BodyHandle, b: BodyHandle) -> Self {
        Self::of_kind(JointKind::Generic, [a, b])
    }

    /// The anchors, in the frames of the bodies.
    #[must_use]
    pub fn anchors(mut self, on_a: impl Into<D::Vector>, on_b: impl Into<D::Vector>) -> Self {
        let turns = match self.placement {
            Placement::Local(poses) => poses.map(|pose| D::parts(pose).1),
            Placement::World(_) => [D::Rotation::default(); 2],
        };
        let frames = [D::pose(on_a.into(), turns[0]), D::pose(on_b.into(), turns[1])];
        self.placement = Placement::Local(frames);
        self
    }
    /// The whole frames, in the frames of the bodies.
    #[must_use]
    pub fn frames(mut self, on_a: impl Into<D::Pose>, on_b: impl Into<D::Pose>) -> Self {
        self.placement = Placement::Local([on_a.into(), on_b.into()]);
        self
    }
    /// Both frames in one place of the world, as the bodies stand when the joint is added: all coordinates are
    /// 0 then.
    #[must_use]
    pub fn at(mut self, place: impl Into<D::Pose>) -> Self {
        self.placement = Placement::World(place.into());
        self
    }
    /// Turns the frames so that what slides slides along this direction, and what turns turns about it. After
    /// [`at`](Self::at) it is a direction of the world, else one of either body. A joint with a direction that is zero or
    /// not finite is refused when it is added. A hinge of the plane has one axis, whatever the direction.
    #[must_use]
    pub fn axis(mut self, direction: impl Into<D::Vector>) -> Self {
        let main = match self.kind {
            JointKind::Revolute | JointKind::Ball | JointKind::Gear => 2,
            _ => 0,
        };
        let (what, direction) = ("the axis of a joint", direction.into());
        if let Err(error) = check_vector(what, direction) {
            self.refused.get_or_insert(error);
        } else if direction == D::Vector::ZERO {
            self.refused.get_or_insert(Error::ZeroDirection { what });
        }
        if let Some(turn) = D::turn_to(main, direction) {
            let turned = |pose| D::pose(D::parts(pose).0, turn);
            self.placement = match self.placement {
                Placement::Local(poses) => Placement::Local(poses.map(turned)),
                Placement::World(pose) => Placement::World(turned(pose)),
            };
        }
        self
    }
    /// The same with a direction for each body; after [`at`](Self::at) the second one counts.
    #[must_use]
    pub fn axes(self, on_a: impl Into<D::Vector>, on_b: impl Into<D::Vector>) -> Self {
        let mut joint = self.axis(on_b);
        let Placement::Local([_, second]) = joint.placement else { return joint };
        joint = joint.axis(on_a);
        if let Placement::Local([first, _]) = joint.placement {
            joint.placement = Placement::Local([first, second]);
        }
        joint
    }
    /// What it does along an axis of the first frame: 0 for x, 1 for y, 2 for z. With others the joint is refused when
    /// it is added.
    #[must_use]
    pub fn linear(mut self, axis: usize, what: JointAxis) -> Self {
        match self.linear.get_mut(axis) {
            Some(slot) => *slot = what,
            None => self.refuse_axis(axis),
        }
        self
    }
    /// What it does about an axis: 0 for x, 1 for y, 2 for z, which is the one that the plane has. With others the
    /// joint is refused when it is added.
    #[must_use]
    pub fn angular(mut self, axis: usize, what: JointAxis) -> Self {
        match self.angular.get_mut(axis) {
            Some(slot) => *slot = what,
            None => self.refuse_axis(axis),
        }
        self
    }
    fn refuse_axis(&mut self, axis: usize) {
        let (what, range) = ("the number of an axis of a joint", "0 to 2");
        self.refused.get_or_insert(Error::OutOfRange { what, range, value: axis as f64 });
    }
    /// What it does to the distance of the anchors.
    #[must_use]
    pub fn span(mut self, what: JointAxis) -> Self {
        self.length = what;
        self
    }
    /// How long a rod or the rope of a pulley is.
    #[must_use]
    pub fn length(mut self, length: f32) -> Self {
        self.rest = Some(length);
        self
    }
    /// Bounds of what moves: the slide of a slider or wheel, the angle of a hinge, the twist of a ball joint, the
    /// distance of the anchors. Angles are in −π to π; a joint with bounds that no angle is between is refused when it is added.
    #[must_use]
    pub fn limits(mut self, lower: f32, upper: f32) -> Self {
        let axis = self.main_axis();
        axis.limits = Some([lower, upper]);
        self
    }
    /// Seeks a speed: of the slide, of the angle; of a ball joint about all axes, so that with 0 it is friction.
    #[must_use]
    pub fn motor(mut self, speed: f32, max_force: f32) -> Self {
        let motor = Some(JointMotor { speed, max_force });
        match self.kind {
            JointKind::Ball => self.angular.iter_mut().for_each(|axis| axis.motor = motor),
            JointKind::Wheel => self.angular[2].motor = motor,
            _ => self.main_axis().motor = motor,
        }
        self
    }
    /// Draws what moves to a place with a frequency in 1/s and a damping ratio; of a ball joint all angles,
    /// the twist to the target.
    #[must_use]
    pub fn spring(mut self, target: f32, frequency: f32, damping_ratio: f32) -> Self {
        let spring =
            |target| Some(JointSpring { target, frequency, damping_ratio, max_force: f32::INFINITY });
        match self.kind {
            JointKind::Ball => {
                self.angular.iter_mut().for_each(|axis| axis.spring = spring(0.0));
                self.angular[2].spring = spring(target);
            }
            JointKind::Motor => {
                for axis in self.linear.iter_mut().chain(&mut self.angular) {
                    let max_force = axis.spring.map_or(f32::INFINITY, |spring| spring.max_force);
                    axis.spring = Some(JointSpring { target: 0.0, frequency, damping_ratio, max_force });
                }
            }
            _ => self.main_axis().spring = spring(target),
        }
        self
    }
    /// The z axes of a joint in space are no farther apart than this angle, up to π.
    #[must_use]
    pub fn cone(mut self, angle: f32) -> Self {
        self.cone = Some(angle);
        self
    }
    /// How stiff locks and limits are: a frequency in 1/s, at most 0.3 of the sub-step rate, and a damping
    /// ratio; by default as the [`Settings`](crate::world::Settings) say.
    #[must_use]
    pub fn softness(mut self, frequency: f32, damping_ratio: f32) -> Self {
        self.softness = Some([frequency, damping_ratio]);
        self
    }
    /// Breaks when it has to bear more than this force, N, or torque, N·m, in any sub-step; ∞ for never. The shorter the sub-steps,
    /// the larger the force of a jerk: its impulse over the time that it has.
    #[must_use]
    pub fn breaks_at(mut self, force: f32, torque: f32) -> Self {
        (self.break_force, self.break_torque) = (force, torque);
        self
    }
    /// Whether the two bodies collide with each other; false by default, but for a motor.
    #[must_use]
    pub fn collide_connected(mut self, collide: bool) -> Self {
        self.collide_connected = collide;
        self
    }
    /// A number of yours.
    #[must_use]
    pub fn user_data(mut self, data: u64) -> Self {
        self.user_data = data;
        self
    }
    /// What kind it is.
    #[must_use]
    pub fn kind(&self) -> JointKind {
        self.kind
    }
    /// How far apart the z axes of a joint in space may be; see [`cone`](Self::cone).
    #[must_use]
    pub fn cone_angle(&self) -> Option<f32> {
        self.cone
    }
    /// What it does along an axis, 0 to 2.
    #[must_use]
    pub fn linear_axis(&self, axis: usize) -> JointAxis {
        self.linear.get(axis).copied().unwrap_or(JointAxis::FREE)
    }
    /// What it does about an axis, 0 to 2.
    #[must_use]
    pub fn angular_axis(&self, axis: usize) -> JointAxis {
        self.angular.get(axis).copied().unwrap_or(JointAxis::FREE)
    }

    /// The axis that moves first of all.
    fn main_axis(&mut self) -> &mut JointAxis {
        match self.kind {
            JointKind::Revolute | JointKind::Ball => &mut self.angular[2],
            JointKind::Distance | JointKind::Pulley => &mut self.length,
            _ => &mut self.linear[0],
        }
    }
    /// The axes that this dimension turns about.
    pub(crate) fn turning(&self) -> &[JointAxis] {
        &self.angular[3 - D::ANGULAR..]
    }
    /// The axis that can go all the way round: the one that is not locked, or z where there are several. The
    /// other two angles are those of a swing, which ends at half a turn.
    pub(crate) fn twist_axis(&self) -> usize {
        match self.angular.map(|axis| axis.is_locked) {
            [false, true, true] => 0,
            [true, false, true] => 1,
            _ => 2,
        }
    }
    pub(crate) fn is_breakable(&self) -> bool {
        self.break_force < f32::INFINITY || self.break_torque < f32::INFINITY
    }
    /// Which parts its constraint has.
    pub(crate) fn form(&self) -> Form {
        let form = self.parts();
        let form = if self.softness.is_some() { form.with_softness() } else { form };
        if self.is_breakable() { form.with_breaking() } else { form }
    }
    fn parts(&self) -> Form {
        let mut form = Form::default();
        match self.kind {
            JointKind::Filter => return form,
            JointKind::Gear => return form.with(slot::GEAR, function::LOCK),
            JointKind::Pulley => return form.with(slot::PULLEY, function::LIMIT),
            JointKind::Distance => {
                let lock = if self.length.is_locked { function::LOCK } else { 0 };
                return form.with(slot::LENGTH, self.length.functions() | lock);
            }
            _ => {}
        }
        let linear = &self.linear[..D::Vector::DIM];
        for (axis, what) in linear.iter().enumerate() {
            form = form.with(slot::LINEAR + axis, what.functions());
        }
        if linear.iter().any(|what| what.is_locked) {
            form = form.with_point(linear.iter().all(|what| what.is_locked));
        }
        for (axis, what) in self.turning().iter().enumerate() {
            form = form.with(slot::ANGULAR + axis, what.functions());
            if what.is_locked {
                form = form.with_turn();
            }
        }
        if self.cone.is_some() && D::ANGULAR == 3 {
            form = form.with(slot::CONE, function::LIMIT);
        }
        form
    }
    /// An error that names what does not make sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if let Some(error) = &self.refused {
            return Err(error.clone());
        }
        let check_pose = |pose: D::Pose| {
            let (translation, rotation) = D::parts(pose);
            check_vector("the frame of a joint", translation)?;
            if D::is_finite_rotation(rotation) {
                return Ok(());
            }
            Err(Error::NotFinite { what: "the frame of a joint", value: f64::NAN })
        };
        match self.placement {
            Placement::Local(poses) => poses.into_iter().try_for_each(check_pose)?,
            Placement::World(pose) => check_pose(pose)?,
        }
        let axes = self.linear.iter().chain(&self.angular).chain([&self.length]);
        for axis in axes {
            axis.check()?;
        }
        // Where no angle is, it would be turned to for ever.
        let mut bounds = self.angular.iter().filter_map(|axis| axis.limits);
        if let Some([lower, upper]) = bounds.find(|[lower, upper]| PI < *lower || *upper < -PI) {
            let value = f64::from(if PI < lower { lower } else { upper });
            return Err(Error::OutOfRange { what: "the limit of an angle", range: "-π to π", value });
        }
        if let Some(rest) = self.rest {
            not_negative("the length of a joint", rest)?;
        }
        // No distance is less than zero: such a rope would pull for ever.
        if let Some([_, longest]) = self.length.limits {
            at_least_zero("the greatest length of a joint", longest)?;
        }
        if let Some(cone) = self.cone {
            not_negative("the cone of a joint", cone)?;
        }
        finite("the ratio of a joint", self.ratio)?;
        self.hooks.into_iter().try_for_each(|hook| check_vector("the points of a pulley", hook))?;
        if let Some([frequency, damping]) = self.softness {
            not_negative("the frequency of a joint", frequency)?;
            not_negative("the damping of a joint", damping)?;
        }
        at_least_zero("the force that breaks a joint", self.break_force)?;
        at_least_zero("the torque that breaks a joint", self.break_torque)
    }
}
