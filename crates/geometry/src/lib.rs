//! Shapes, and how two of them relate: the collision half of Carom.

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
mod manifold;
pub mod mass;
mod pair;
mod ray;
mod scale;
pub mod shape;

pub use answer::{ClosestPoint, Contact, Distance, Hit};
pub use cast::CastOptions;
pub use cast::plain::{moving_aabb_aabb, moving_aabb_plane, moving_ball_plane, ray_aabb, ray_plane};
pub use error::Error;
pub use manifold::{FeaturePair, Manifold, ManifoldPoint};
pub use ray::{Ray, RayOptions};
