//! Shapes, and how two of them relate: the collision half of Carom.

// Tests may measure with whatever they like; the code they test may not.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod answer;
pub mod bound;
pub mod bvh;
mod cast;
pub mod d2;
pub mod d3;
mod error;
mod exact;
mod kinds;
pub mod line;
pub mod mass;
mod pair;
mod ray;
mod scale;
pub mod shape;

pub use answer::{ClosestPoint, Contact, Distance, Hit};
pub use cast::CastOptions;
pub use cast::plain::{moving_aabb_aabb, moving_aabb_plane, moving_ball_plane, ray_aabb, ray_plane};
pub use error::Error;
pub use ray::{Ray, RayOptions};
