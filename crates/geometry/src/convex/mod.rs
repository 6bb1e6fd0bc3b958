//! Convex shapes beyond the simple ones, as far as both dimensions share them.
//!
//! * [`ellipsoid`]: ellipses and ellipsoids, and their nearest points;
//! * [`rounded`]: any convex shape inflated by a radius, generated for both dimensions;
//! * [`general`]: two convex sets that are known by their support points; [`solids`]: two polytopes with faces;
//! * [`landing`]: the same where one rests on a flat side of the other; [`closer`]: a second look where the search ended too soon.
//!
//! The polygon stands in `d2`, the hull in `d3`.

mod closer;
mod ellipsoid;
pub(crate) mod general;
pub(crate) mod landing;
pub(crate) mod rounded;
pub(crate) mod solids;

pub use ellipsoid::Ellipsoid;
pub(crate) use ellipsoid::nearest_on_ellipsoid;
