//! Shapes, and how two of them relate: the collision half of Carom.
//!
//! Do these touch, how far apart are they, how deep, when do they meet? In the plane ([`d2`]) and in space
//! ([`d3`]), in `f32` and `f64`. What it promises, in order of importance:
//!
//! 1. **Right.** Signs that decide something are exact or carry an error bound; touching counts; nothing
//!    is decided by a loop that did not converge.
//! 2. **The same bits** on every machine, and after swapping the two shapes.
//! 3. **No scale.** There is no absolute epsilon: multiplying all lengths by a power of two multiplies
//!    each answer exactly.
//! 4. **No panic.** Whatever the bits of the input, there is an answer or an [`Error`] that names what is
//!    wrong with it.
//! 5. **Quick.** Closed forms where there are any; a pair of shapes without parts never allocates.
//!
//! ```
//! use carom_geometry::d3::{Ball, Cuboid, Ray, cast_ray, contact, distance, intersects};
//!
//! let ball = Ball::new(1.0)?;
//! let wall = Cuboid::new([0.5, 4.0, 4.0])?; // half extents
//! let origin = [0.0, 0.0, 0.0];
//!
//! assert!(intersects(&ball, origin, &wall, [1.5, 0.0, 0.0])?); // touching
//! let gap = distance(&ball, origin, &wall, [3.0, 0.0, 0.0])?;
//! assert_eq!((gap.distance, gap.point_a.x, gap.point_b.x), (1.5, 1.0, 2.5));
//! let touch = contact(&ball, origin, &wall, [1.25, 0.0, 0.0])?.expect("they overlap");
//! assert_eq!((touch.depth, touch.normal.x), (0.25, 1.0));
//! let ray = Ray::new([-5.0, 0.0, 0.0], [2.0, 0.0, 0.0])?;
//! let hit = cast_ray(&ball, origin, &ray, Default::default())?.expect("it hits");
//! assert_eq!((hit.t, hit.normal.x), (2.0, -1.0));
//! # Ok::<(), carom_geometry::Error>(())
//! ```
//!
//! The two dimensions have the same names where they have the same questions; each begins with a table of
//! these. What is the same in both stands beside them: bounding volumes ([`bound`]), trees over boxes
//! ([`bvh`]), lines ([`mod@line`]), mass ([`mass`]), and rays against boxes and planes given by plain numbers
//! ([`ray_aabb`] and its neighbours).

// Tests may measure with whatever they like; the code they test may not.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod answer;
pub mod batch;
pub mod bound;
pub mod bvh;
mod cast;
pub mod clash;
mod composite;
mod convex;
pub mod d2;
pub mod d3;
mod error;
mod exact;
mod gjk;
mod kinds;
pub mod line;
mod manifold;
pub mod mass;
mod motion;
mod pair;
mod parallel;
mod ray;
mod sat;
mod scale;
pub mod shape;
pub mod trace;

pub use answer::{ClosestPoint, Contact, Distance, Gap, Hit};
pub use cast::CastOptions;
pub use cast::plain::{moving_aabb_aabb, moving_aabb_plane, moving_ball_plane, ray_aabb, ray_plane};
pub use composite::cache::PartCache;
pub use error::Error;
pub use manifold::{FeaturePair, Manifold, ManifoldPoint};
pub use motion::bisection::{MovingBall, bisect_moving_balls};
pub use motion::impact::{Impact, ImpactOptions, ImpactStatus, ImpactStep};
pub use motion::inclusion::{CcdHit, CcdOptions};
pub use ray::{Ray, RayOptions};
pub use sat::PairCache;
