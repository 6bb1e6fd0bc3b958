//! Do these things touch, where, how deep, when, and what happens then?
//!
//! Carom answers collision questions in the plane ([`d2`]) and in space ([`d3`]), in `f32` and `f64`. In
//! order of importance: answers are right and carry their certificate; they are the same bits on every
//! machine; nothing depends on the scale of the input; bad input is an error that names it; it is fast.
//!
//! # A tour
//!
//! A *shape* lives in its own frame; a *pose* places it. Both dimensions have the same names.
//!
//! ```
//! use carom::d2::{Ball, Cuboid, Pose, Rot2, contact, distance, intersects};
//!
//! let ball = Ball::new(1.0)?;
//! let wall = Cuboid::new([0.5, 4.0])?; // half extents
//!
//! // A pose is anything that converts: an array is a translation without rotation.
//! assert!(!intersects(&ball, [0.0, 0.0], &wall, [3.0, 0.0])?);
//! let gap = distance(&ball, [0.0, 0.0], &wall, [3.0, 0.0])?;
//! assert_eq!((gap.distance, gap.point_a.x, gap.point_b.x), (1.5, 1.0, 2.5));
//!
//! let turned = Pose::new([1.25, 0.0], Rot2::from_angle(0.0));
//! let touch = contact(&ball, [0.0, 0.0], &wall, turned)?.expect("they overlap");
//! assert_eq!(touch.depth, 0.25); // moving the wall by normal·depth separates them
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! Shapes are checked when they are built, poses and points when they are used. What is wrong is named:
//!
//! ```
//! use carom::d3::{Ball, distance};
//!
//! assert_eq!(Ball::new(-1.0).unwrap_err().to_string(), "radius must not be negative, but is -1");
//! let unit = Ball::new(1.0)?;
//! let error = distance(&unit, [f64::NAN, 0.0, 0.0], &unit, [0.0, 0.0, 0.0]).unwrap_err();
//! assert_eq!(error.to_string(), "pose_a must be finite, but is NaN");
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! Rays and straight motion, closed forms throughout:
//!
//! ```
//! use carom::d3::{Ball, Ray, Triangle, cast_ray, cast_shape};
//!
//! let sheet = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
//! let ray = Ray::new([1.0, 1.0, 5.0], [0.0, 0.0, -2.0])?;
//! let hit = cast_ray(&sheet, [0.0, 0.0, 0.0], &ray, Default::default())?.expect("it hits");
//! assert_eq!((hit.t, hit.point.z), (2.5, 0.0));
//!
//! // A bullet that would be far beyond the sheet after one step does not tunnel.
//! let bullet = Ball::new(0.25)?;
//! let still = [0.0, 0.0, 0.0];
//! let hit = cast_shape(&bullet, [1.0, 1.0, 4.25], [0.0, 0.0, -800.0], &sheet, still, still, Default::default())?;
//! assert_eq!(hit.expect("it hits").t, 0.005);
//! # Ok::<(), carom::Error>(())
//! ```
//!
//! A world lets bodies fall, slide, bounce, stack and sleep:
//!
//! ```
//! use carom::d3::{Ball, Body, Cuboid, World};
//!
//! let mut world = World::new();
//! world.add(Body::fixed().at([0.0, -1.0, 0.0]).shape(Cuboid::new([50.0, 1.0, 50.0])?))?;
//! let ball = world.add(Body::dynamic().at([0.0, 4.0, 0.0]).shape(Ball::new(0.5)?))?;
//! for _ in 0..180 {
//!     world.step(1.0 / 60.0)?;
//! }
//! let ball = world.get(ball)?;
//! assert!((ball.pose().translation.y - 0.5).abs() < 0.01 && !ball.is_awake());
//! # Ok::<(), carom::response::Error>(())
//! ```
//!
//! What happens after a hit is in [`response`]; the numbers and vectors are in [`math`].

pub use carom_dynamics as response;
pub use carom_math as math;

pub use carom_geometry::{
    CastOptions, CcdHit, CcdOptions, ClosestPoint, Contact, Distance, Error, FeaturePair, Gap, Hit, Impact,
    ImpactOptions, ImpactStatus, ImpactStep, Manifold, ManifoldPoint, MovingBall, PairCache, PartCache, Ray,
    RayOptions, batch, bisect_moving_balls, bound, bvh, clash, line, mass, moving_aabb_aabb,
    moving_aabb_plane, moving_ball_plane, ray_aabb, ray_plane, shape, trace,
};

/// The plane: shapes and questions in 2D, with the vectors and poses they take.
pub mod d2 {
    pub use carom_dynamics::d2::*;
    pub use carom_dynamics::{
        BodyHandle, BodyKind, BrokenJoint, CharacterMove, CharacterSettings, ColliderHandle, ContactChange,
        Events, Explosion, Filter, Fluid, Ground, HitEvent, JointAxis, JointHandle, JointKind, JointMotor,
        JointSpring, Locks, Party, QueryFilter, Statistics, Timings, Touch, Width, Wind,
    };
    pub use carom_geometry::d2::*;
    pub use carom_math::{Mat2, Motion2 as Motion, Pose2 as Pose, Rot2, Vec2};
}

/// Space: shapes and questions in 3D, with the vectors and poses they take.
pub mod d3 {
    pub use carom_dynamics::d3::*;
    pub use carom_dynamics::{
        BodyHandle, BodyKind, BrokenJoint, CharacterMove, CharacterSettings, ColliderHandle, ContactChange,
        Events, Explosion, Filter, Fluid, Ground, HitEvent, JointAxis, JointHandle, JointKind, JointMotor,
        JointSpring, Locks, Party, QueryFilter, Statistics, Timings, Touch, Width, Wind,
    };
    pub use carom_geometry::d3::*;
    pub use carom_math::{Mat3, Motion3 as Motion, Pose3 as Pose, Quat, Vec3};
}

/// The examples of README.md, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ReadmeExamples;
