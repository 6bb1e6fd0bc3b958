//! What happens when things touch: worlds of bodies that fall, slide, bounce, stack and sleep ([`world`], [`d2`],
//! [`d3`]), and collision response by itself, without a world:
//!
//! - [`reflect`] and [`bounce`]: one thing and an immovable wall.
//! - [`respond`]: two point masses with restitution and friction; [`elastic_1d`]: the textbook formula on
//!   a line.
//! - [`collide`]: two rigid bodies that spin, hit at a point off their centres.
//! - [`positional_correction`]: pushes apart what overlaps.
//!
//! The latter are free functions over plain values: no world, no time step. All of it is written once, in
//! `f64` and in space, and serves 2D and 3D, `f32` and `f64` through [`Space`]: the plane is the plane
//! z = 0, where spinning is about z.
//!
//! They promise: momentum is conserved and energy never grows, up to rounding; nothing happens to things that
//! separate; a mass of 0 means immovable, and what is immovable keeps its velocity to the bit. Normals may
//! have any length but zero. Multiplying all velocities, or all masses, by a power of two multiplies the
//! answers exactly. Bad input is an [`Error`] that names it.
//!
//! ```
//! use carom_dynamics::{Impact, respond};
//! use carom_math::Vec2;
//!
//! // A billiard ball hits a resting one of the same mass head on: they exchange their velocities.
//! let perfect = Impact { restitution: 1.0, friction: 0.0 };
//! let after = respond(Vec2::new(3.0, 0.0), [0.0, 0.0], 0.17, 0.17, [1.0, 0.0], perfect)?;
//! assert_eq!(after.velocity_a, Vec2::new(0.0, 0.0));
//! assert_eq!(after.velocity_b, Vec2::new(3.0, 0.0));
//!
//! // A ball falls onto the ground (mass 0), which takes half of its speed.
//! let soft = Impact { restitution: 0.5, friction: 0.0 };
//! let after = respond(Vec2::new(1.0, -4.0), [0.0, 0.0], 2.0, 0.0, [0.0, -1.0], soft)?;
//! assert_eq!(after.velocity_a, Vec2::new(1.0, 2.0));
//! assert_eq!(after.impulse, 12.0);
//! # Ok::<(), carom_dynamics::Error>(())
//! ```

// Tests may measure with whatever they like; the code they test may not.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod correction;
mod error;
mod impulse;
mod response;
mod space;
mod wall;
pub mod world;

pub use correction::{Correction, CorrectionOptions, positional_correction};
pub use error::Error;
pub use impulse::{Body, Collision, CollisionResponse, collide};
pub use response::{Impact, Response, elastic_1d, respond};
pub use space::Space;
pub use wall::{bounce, reflect};
pub use world::{
    BodyHandle, BodyKind, BrokenJoint, CharacterMove, CharacterSettings, ColliderHandle, ContactChange,
    Events, Explosion, Filter, Fluid, Ground, HitEvent, JointAxis, JointHandle, JointKind, JointMotor,
    JointSpring, Locks, Party, QueryFilter, Settings, Statistics, Timings, Touch, Width, Wind,
};

/// Worlds in the plane.
pub mod d2 {
    use crate::world::{self, Plane};
    /// See [`world::World`].
    pub type World = world::World<Plane>;
    /// See [`world::Body`].
    pub type Body = world::Body<Plane>;
    /// See [`world::Collider`].
    pub type Collider = world::Collider<Plane>;
    /// See [`world::Joint`].
    pub type Joint = world::Joint<Plane>;
    /// See [`world::Snapshot`].
    pub type Snapshot = world::Snapshot<Plane>;
    /// See [`world::BodyRef`].
    pub type BodyRef<'a> = world::BodyRef<'a, Plane>;
    /// See [`world::BodyMut`].
    pub type BodyMut<'a> = world::BodyMut<'a, Plane>;
    /// See [`world::ColliderRef`].
    pub type ColliderRef<'a> = world::ColliderRef<'a, Plane>;
    /// See [`world::JointRef`].
    pub type JointRef<'a> = world::JointRef<'a, Plane>;
    /// See [`world::JointMut`].
    pub type JointMut<'a> = world::JointMut<'a, Plane>;
    /// See [`world::Settings`].
    pub type Settings = world::Settings<carom_math::Vec2<f32>>;
    /// See [`world::Character`].
    pub type Character = world::Character<Plane>;
}

/// Worlds in space.
pub mod d3 {
    use crate::world::{self, Solid};
    /// See [`world::World`].
    pub type World = world::World<Solid>;
    /// See [`world::Body`].
    pub type Body = world::Body<Solid>;
    /// See [`world::Collider`].
    pub type Collider = world::Collider<Solid>;
    /// See [`world::Joint`].
    pub type Joint = world::Joint<Solid>;
    /// See [`world::Snapshot`].
    pub type Snapshot = world::Snapshot<Solid>;
    /// See [`world::BodyRef`].
    pub type BodyRef<'a> = world::BodyRef<'a, Solid>;
    /// See [`world::BodyMut`].
    pub type BodyMut<'a> = world::BodyMut<'a, Solid>;
    /// See [`world::ColliderRef`].
    pub type ColliderRef<'a> = world::ColliderRef<'a, Solid>;
    /// See [`world::JointRef`].
    pub type JointRef<'a> = world::JointRef<'a, Solid>;
    /// See [`world::JointMut`].
    pub type JointMut<'a> = world::JointMut<'a, Solid>;
    /// See [`world::Settings`].
    pub type Settings = world::Settings<carom_math::Vec3<f32>>;
    /// See [`world::Character`].
    pub type Character = world::Character<Solid>;
}
