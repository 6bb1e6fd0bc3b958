//! What the plane and space have in common, and what each of them supplies to the engine.
//!
//! [`Dimension`] names the types that a user meets. [`Engine`] is its inside: the operations and the contact
//! kernel that the pipeline, which is written once, asks of a dimension.

mod gyro;
mod hit;
mod lanewise;
mod plane;
mod plane_contact;
mod plane_lanes;
mod space;
mod space_contact;
mod space_lanes;

pub(crate) use lanewise::{JointAngles, Lanewise};
pub use plane::Plane;
pub use space::Solid;

use super::contact::Contact;
use super::solver::block::{Block, Draft, Lane};
use super::solver::soft::StepFactors;
use super::solver::wide::{Quad, Wide, Width};
use carom_geometry::bound::Aabb;
use carom_geometry::{
    CastOptions, ClosestPoint, Distance, Error as GeometryError, Hit, Manifold, PartCache, Ray, RayOptions,
};
use carom_math::{Number, Vector};
use core::cell::Cell;
use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

/// The plane ([`Plane`]) or space ([`Solid`]); sealed.
///
/// # Example
/// ```
/// use carom_dynamics::world::{Dimension, Plane, Solid};
/// use carom_math::Vector;
/// assert_eq!(<Plane as Dimension>::Vector::DIM, 2);
/// assert_eq!(<Solid as Dimension>::Vector::DIM, 3);
/// ```
pub trait Dimension: sealed::Sealed + Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// A point or a velocity.
    type Vector: Vector<Scalar = f32, Wide = Self::Wide> + crate::Space;
    /// The same in `f64`: positions are kept so.
    type Wide: Vector<Scalar = f64, Wide = Self::Wide>;
    /// An angular velocity or a torque: a number in the plane, a world-frame vector in space.
    type Angular: Copy
        + Debug
        + Default
        + PartialEq
        + Send
        + Sync
        + Add<Output = Self::Angular>
        + Sub<Output = Self::Angular>
        + Neg<Output = Self::Angular>
        + Mul<f32, Output = Self::Angular>;
    /// A rotation.
    type Rotation: Copy + Debug + Default + PartialEq + Send + Sync;
    /// A rotation and a translation.
    type Pose: Copy + Debug + Default + PartialEq + Send + Sync;
    /// An inertia about the centre of mass: a number in the plane, a symmetric matrix in space.
    type Inertia: Copy + Debug + Default + PartialEq + Send + Sync;
    /// Any shape.
    type Shape: Clone + Debug + PartialEq + Send + Sync;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Plane {}
    impl Sealed for super::Solid {}
}

/// How a body changes its velocity in a sub-step when nothing touches it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Motion<D: Engine> {
    /// Gained by gravity, forces and torques in each sub-step.
    pub(crate) gain: D::Velocities,
    /// What damping leaves of the velocity, and of the angular velocity.
    pub(crate) keep: [f32; 2],
    /// The inertia in the body frame, for gyroscopic torque.
    pub(crate) inertia: D::Inertia,
    /// Whether the inertia is not that of a ball, so that the torque matters.
    pub(crate) tumbles: bool,
    /// Whether joints hold it: then the torque acts on the velocity before they are solved, so that they can
    /// answer it, and not on the way.
    pub(crate) is_joined: bool,
    /// Whether the velocity obeys forces.
    pub(crate) is_dynamic: bool,
    /// Which directions are locked, as in [`Locks`](super::Locks).
    pub(crate) locks: u8,
}

/// Some bodies as integration sees them: the same number of each.
pub(crate) struct Bodies<'a, D: Engine> {
    /// [`Engine::QUADS`] for each body.
    pub(crate) states: &'a mut [Quad],
    /// The velocities of a sub-step before any impulse: what came on top is what the next one starts with.
    pub(crate) references: &'a mut [D::Velocities],
    pub(crate) motions: &'a [Motion<D>],
    /// Whether any body of the world has locks.
    pub(crate) has_locks: bool,
    pub(crate) sides: &'a [Side<D>],
}

impl<D: Engine> Bodies<'_, D> {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.motions.len()
    }
    /// The state of each body, its reference and its motion.
    #[inline(always)]
    pub(crate) fn each(self, mut act: impl FnMut(&mut [Quad], &mut D::Velocities, &Motion<D>)) {
        let moving = self.states.chunks_exact_mut(D::QUADS).zip(self.references);
        for ((state, reference), motion) in moving.zip(self.motions) {
            act(state, reference, motion);
        }
    }
    /// The state of a body, its reference, its motion, and the rotation that it had when the step began.
    #[inline(always)]
    pub(crate) fn get(&mut self, k: usize) -> (&mut [Quad], &mut D::Velocities, &Motion<D>, D::Rotation) {
        let state = &mut self.states[k * D::QUADS..(k + 1) * D::QUADS];
        (state, &mut self.references[k], &self.motions[k], self.sides[k].rotation)
    }
}

/// What the contact constraint needs to know about one of its bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Side<D: Dimension> {
    /// The index of the state, with [`FROZEN`](super::solver::FROZEN) for what impulses do not move.
    pub(crate) state: u32,
    /// 1/mass, or 0.
    pub(crate) inverse_mass: f32,
    /// The inverse of the inertia, in the world frame.
    pub(crate) inverse_inertia: D::Inertia,
    /// From the body frame to the world.
    pub(crate) rotation: D::Rotation,
    /// The velocity at the begin of the step.
    pub(crate) velocity: D::Vector,
    /// The angular velocity at the begin of the step.
    pub(crate) angular: D::Angular,
    /// What gravity and forces accelerate it by.
    pub(crate) acceleration: D::Vector,
}

/// How fast two points will approach when they meet: negative for approach.
///
/// With the speed v and the acceleration a along the normal, over the gap s that is left, v′² = v² − 2as.
/// Without this a ball that is bounced at the end of a step would lose what it gained on the last bit of its
/// way.
#[inline(always)]
pub(crate) fn speed_at_impact<T: Number<Element = f32>>(speed: T, acceleration: T, gap: T) -> T {
    let zero = speed.like(0.0);
    let square = speed * speed - speed.like(2.0) * acceleration * gap;
    let faster = T::select(zero.less_than(gap), -square.sqrt(), speed);
    let faster = T::select(acceleration.less_than(zero), faster, speed);
    T::select(speed.less_than(zero), faster, speed)
}

/// 1/sum, or 0 where the sum is not positive.
#[inline(always)]
fn inverse<T: Number<Element = f32>>(sum: T) -> T {
    let zero = sum.like(0.0);
    T::select(zero.less_than(sum), sum.like(1.0) / sum, zero)
}

/// Not less than π/2 − 1; see [`Engine::turn_rate`].
const HALF_PI_LESS_ONE: f32 = 0.5708;

/// What a dimension supplies.
pub(crate) trait Engine: Dimension + Lanewise {
    /// How many quads the state of a body has: velocities first, then the motion since the step began.
    const QUADS: usize;
    /// How many rows a block of contact constraints has.
    const ROWS: usize;
    /// The quads of a state that are velocities.
    type Velocities: Copy + Debug + Default + Send + Sync + AsRef<[Quad]> + AsMut<[Quad]>;
    /// Room for the points of a manifold.
    type Points: Copy
        + Debug
        + Default
        + Send
        + Sync
        + AsRef<[super::contact::Point<Self::Vector>]>
        + AsMut<[super::contact::Point<Self::Vector>]>;

    // Rotations and poses.
    fn rotate(rotation: Self::Rotation, v: Self::Vector) -> Self::Vector;
    fn rotate_back(rotation: Self::Rotation, v: Self::Vector) -> Self::Vector;
    fn compose(first: Self::Rotation, then: Self::Rotation) -> Self::Rotation;
    /// b seen from a.
    fn relative(a: Self::Rotation, b: Self::Rotation) -> Self::Rotation;
    /// How far apart two rotations take a point at distance 1 from the centre, at most.
    fn turn_chord(a: Self::Rotation, b: Self::Rotation) -> f32;
    fn renormalized(rotation: Self::Rotation) -> Self::Rotation;
    fn pose(translation: Self::Vector, rotation: Self::Rotation) -> Self::Pose;
    fn parts(pose: Self::Pose) -> (Self::Vector, Self::Rotation);
    fn is_finite_rotation(rotation: Self::Rotation) -> bool;
    /// The bits of a rotation and of an angular velocity, one number at a time.
    fn rotation_numbers(rotation: Self::Rotation, visit: &mut dyn FnMut(f32));
    fn angular_numbers(angular: Self::Angular, visit: &mut dyn FnMut(f32));
    /// The half extents of the box along the axes around a turned box.
    fn turned_extents(rotation: Self::Rotation, half_extents: Self::Vector) -> Self::Vector;

    // Angular things.
    /// ω × r.
    fn spin(angular: Self::Angular, r: Self::Vector) -> Self::Vector;
    /// r × f.
    fn moment(r: Self::Vector, force: Self::Vector) -> Self::Angular;
    fn angular_length(angular: Self::Angular) -> f32;
    fn lock_angular(angular: Self::Angular, locks: u8) -> Self::Angular;
    /// The inverse, or zero where there is none.
    fn inverse_inertia(inertia: Self::Inertia) -> Self::Inertia;
    /// An inertia or an inverse one, from the body frame to the world.
    fn inertia_in_world(inertia: Self::Inertia, rotation: Self::Rotation) -> Self::Inertia;
    /// What an angular impulse is multiplied by in the world when some axes are locked: the inverse of the inertia about
    /// the free ones, and zero about the others. That is not a part of the inverse inertia: whatever holds the locked axes
    /// takes the torque about them.
    fn free_inverse_inertia(
        inertia: Self::Inertia,
        inverse: Self::Inertia,
        rotation: Self::Rotation,
        locks: u8,
    ) -> Self::Inertia;
    /// xx, yy, zz, yz, zx, xy; in the plane the one moment in place of the first three.
    fn inertia_entries(inertia: Self::Inertia) -> [f32; 6];
    fn inertia_times(inertia: Self::Inertia, angular: Self::Angular) -> Self::Angular;
    fn angular_dot(a: Self::Angular, b: Self::Angular) -> f32;
    fn is_round(inertia: Self::Inertia) -> bool;

    // Shapes.
    /// Mass, centre, inertia about the centre, in the frame of the shape.
    fn mass(shape: &Self::Shape, density: f32) -> Result<(f32, Self::Vector, Self::Inertia), GeometryError>;
    /// The inertia of parts about their common centre: each with mass, inertia, pose in the body frame.
    #[expect(clippy::type_complexity, reason = "three numbers of three types")]
    fn merged_mass(
        parts: &[(f32, Self::Vector, Self::Inertia, Self::Pose)],
    ) -> Result<(f32, Self::Vector, Self::Inertia), GeometryError>;
    fn inertia_per_mass(inertia: Self::Inertia, factor: f32) -> Self::Inertia;
    fn bounds(shape: &Self::Shape, pose: Self::Pose) -> Result<Aabb<Self::Vector>, GeometryError>;
    /// A ball, unless the radius is none.
    fn ball(radius: f32) -> Option<Self::Shape>;
    /// The radius that rolling resistance takes as its arm.
    fn rolling_radius(shape: &Self::Shape, bounds: Aabb<Self::Vector>) -> f32;
    /// How round a convex shape is where its surface has an outward normal, given in its frame: the radius of the ball that it is like
    /// while it turns, no larger than the part of its arm along the normal where that is less round; 0 for faces, edges and corners.
    fn roundness(shape: &Self::Shape, outward: Self::Vector) -> f32;
    /// The convex shape that a part is, with its pose in the shape: itself for one without parts, none for what is flat.
    fn convex_part(shape: &Self::Shape, part: u32) -> Option<(&Self::Shape, Self::Pose)>;
    fn manifold(
        a: &Self::Shape,
        pose_a: Self::Pose,
        b: &Self::Shape,
        pose_b: Self::Pose,
        margin: f32,
    ) -> Result<Option<Manifold<Self::Vector>>, GeometryError>;
    /// Whether it has parts.
    fn is_composite(shape: &Self::Shape) -> bool;
    /// Finds out how the triangles of a mesh hang together, which the first contact would have to do otherwise.
    fn find_neighbours(shape: &Self::Shape) {
        let _ = shape;
    }
    /// The parts of a compound.
    fn compound_parts(shape: &Self::Shape) -> Option<&[(Self::Shape, Self::Pose)]>;
    /// What it is called if it, or a part of it, is a surface without an inside.
    fn surface(shape: &Self::Shape) -> Option<&'static str>;
    /// The manifolds of all parts.
    fn manifolds(
        a: (&Self::Shape, Self::Pose),
        b: (&Self::Shape, Self::Pose),
        margin: f32,
        found: &mut Vec<Manifold<Self::Vector>>,
    ) -> Result<(), GeometryError>;
    fn manifolds_cached(
        a: (&Self::Shape, Self::Pose),
        b: (&Self::Shape, Self::Pose),
        margin: f32,
        cache: &mut PartCache<Self::Wide>,
        found: &mut Vec<Manifold<Self::Vector>>,
    ) -> Result<(), GeometryError>;
    fn intersects(
        a: &Self::Shape,
        pose_a: Self::Pose,
        b: &Self::Shape,
        pose_b: Self::Pose,
    ) -> Result<bool, GeometryError>;
    fn cast_ray(
        shape: &Self::Shape,
        pose: Self::Pose,
        ray: &Ray<Self::Vector>,
        options: RayOptions<f32>,
    ) -> Result<Option<Hit<Self::Vector>>, GeometryError>;
    fn cast_shape(
        moving: (&Self::Shape, Self::Pose, Self::Vector),
        still: (&Self::Shape, Self::Pose),
        options: CastOptions<f32>,
    ) -> Result<Option<Hit<Self::Vector>>, GeometryError>;
    fn distance(
        a: &Self::Shape,
        pose_a: Self::Pose,
        b: &Self::Shape,
        pose_b: Self::Pose,
    ) -> Result<Distance<Self::Vector>, GeometryError>;
    /// The same; `None` when they are farther apart than `limit`.
    fn distance_within(
        a: (&Self::Shape, Self::Pose),
        b: (&Self::Shape, Self::Pose),
        limit: f32,
    ) -> Result<Option<Distance<Self::Vector>>, GeometryError>;
    /// A number no larger than `limit` that the distance is not below.
    fn clearance_cached(
        a: (&Self::Shape, Self::Pose),
        b: (&Self::Shape, Self::Pose),
        limit: f32,
        cache: &mut PartCache<Self::Wide>,
    ) -> Result<f32, GeometryError>;
    /// The point of a shape that is moved farthest by turning about a centre of which its frame is at `offset`;
    /// no point is farther from the centre than `reach`.
    fn turning_arm(shape: &Self::Shape, offset: Self::Vector, reach: f32) -> f32;
    fn closest_point(
        shape: &Self::Shape,
        pose: Self::Pose,
        point: Self::Vector,
    ) -> Result<ClosestPoint<Self::Vector>, GeometryError>;

    // The state of a body.
    /// A state at rest in the step: the motion since it began is none.
    fn write_state(state: &mut [Quad], velocity: Self::Vector, angular: Self::Angular);
    fn velocities(state: &[Quad]) -> (Self::Vector, Self::Angular);
    fn set_velocities(state: &mut [Quad], velocity: Self::Vector, angular: Self::Angular);
    /// Two factors, each where what it belongs to is among velocities.
    fn factors(linear_and_angular: [f32; 2]) -> Self::Velocities;
    /// The motion since the step began.
    fn travel(state: &[Quad]) -> (Self::Vector, Self::Rotation);
    /// A part of a turn, for times from 0 to 1.
    fn turn_part(turn: Self::Rotation, time: f32) -> Self::Rotation;
    /// Not less than how far a turn moves the unit vector, or any, in all. No trigonometry: with x the sine of half the
    /// angle, asin(x)/x grows from 1 to π/2 as a convex function of x², so that it stays below 1 + (π/2 − 1)·x².
    fn turn_rate(turn: Self::Rotation, direction: Option<Self::Vector>) -> f32;
    /// Velocities of the next sub-step; `is_first` in a step, else what the last one ended with goes on.
    fn integrate_velocities(bodies: Bodies<'_, Self>, step: &StepFactors, is_first: bool);
    /// Positions of the next sub-step.
    fn integrate_positions(bodies: Bodies<'_, Self>, step: &StepFactors, width: Width);

    // The contact kernel.
    /// Fills a block, but for its states. The answer is how fast the points of each contact approach, at most: negative for approach.
    fn prepare<T: Wide>(token: T::Token, block: &mut Block<'_, T>, draft: &Draft<'_, Self>) -> T;
    /// How deep the points of one lane overlapped when the step began: the deepest of them.
    fn depth(lane: &Lane<'_>) -> f32;
    /// Reads the impulses of one lane back.
    fn store(lane: &Lane<'_>, contact: &mut Contact<Self>);
    /// What several points of a contact hit with, all of them at once: before a pass over one after the other.
    ///
    /// One by one, the first point takes most of a hit, the others what is left and what that has turned, and a body that falls flat
    /// comes up spinning. Equal impulses act like their sum in the middle of the points, where the speed is the mean of theirs. So one
    /// impulse in the middle does what is to be done on average, which is all of it for what falls flat. A pass over the points makes a
    /// quadratic form smaller along one axis after the other; this does so along their diagonal, and never makes it larger.
    fn meet<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>], step: &StepFactors);
    /// Applies the impulses of the last step.
    fn warm_start<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>]);
    /// One pass, with bias or relaxing, over the points in their order or in reverse.
    fn solve<T: Wide, const RELAX: bool>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
        is_reverse: bool,
    );
    /// What bounces, bounces.
    fn restitute<T: Wide>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
    );
}

/// By what numbers are to be multiplied whose squares sum up to almost 1, so that they sum up to 1: a step of Newton's method for
/// 1/√s from 1, which leaves an error of ⅜(s − 1)². `None` when that would be more than what rounding leaves.
#[inline(always)]
fn unit_factor(square: f32) -> Option<f32> {
    let error = square - 1.0;
    (error * error < 1e-7).then_some(1.0 - 0.5 * error)
}

/// The velocity of the next sub-step.
///
/// The impulses of a sub-step start as they ended the last one, so what they did to the velocity, the
/// difference to the reference, is done again. The directions of impulses are fixed within a step, therefore
/// this is the same as applying each of them again, at the cost of a body instead of its contacts.
#[inline(always)]
pub(crate) fn advance_velocity<D: Engine>(
    state: &mut [Quad],
    reference: &mut D::Velocities,
    motion: &Motion<D>,
    step: &StepFactors,
    is_first: bool,
) {
    if !motion.is_dynamic {
        return;
    }
    // Quads as they are: four numbers at once.
    let mut next = D::Velocities::default();
    let (gain, keep) = (motion.gain.as_ref(), D::factors(motion.keep));
    for (((next, now), gain), keep) in next.as_mut().iter_mut().zip(&*state).zip(gain).zip(keep.as_ref()) {
        *next = (*now + *gain) * *keep;
    }
    let (velocity, angular) = D::velocities(next.as_ref());
    let (square, speed) = (velocity.length_squared(), D::angular_length(angular));
    if step.max_speed * step.max_speed < square || step.max_angular_speed < speed {
        slow_down::<D>(&mut next, step);
    }
    for ((next, now), reference) in next.as_ref().iter().zip(state).zip(reference.as_mut()) {
        let extra = if is_first { Quad::default() } else { *now - *reference };
        *now = *next + extra;
        *reference = *next;
    }
}

/// Keeps velocities below those that a world allows.
#[cold]
fn slow_down<D: Engine>(velocities: &mut D::Velocities, step: &StepFactors) {
    let (mut velocity, mut angular) = D::velocities(velocities.as_ref());
    // Above 2^64 the square overflows, and what is divided by infinity stands still: it is taken down first.
    const DOWN: f32 = 1.0 / (1_u128 << 70) as f32;
    if velocity.length_squared() == f32::INFINITY {
        velocity = velocity * DOWN;
    }
    let square = velocity.length_squared();
    if step.max_speed * step.max_speed < square {
        velocity = velocity * (step.max_speed / square.sqrt());
    }
    if D::angular_length(angular) == f32::INFINITY {
        angular = angular * DOWN;
    }
    let speed = D::angular_length(angular);
    if step.max_angular_speed < speed {
        angular = angular * (step.max_angular_speed / speed);
    }
    D::set_velocities(velocities.as_mut(), velocity, angular);
}

/// Takes the velocity along locked axes away.
#[inline(always)]
pub(crate) fn apply_locks<D: Engine>(state: &mut [Quad], reference: &mut D::Velocities, locks: u8) {
    if locks == 0 {
        return;
    }
    for quads in [state, reference.as_mut()] {
        let (velocity, angular) = D::velocities(quads);
        let free = D::Vector::from_fn(|axis| if locks >> axis & 1 != 0 { 0.0 } else { velocity.get(axis) });
        D::set_velocities(quads, free, D::lock_angular(angular, locks));
    }
}
