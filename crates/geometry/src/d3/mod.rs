//! Space: shapes and questions in 3D.

mod bound;
mod closest;
mod hull;
mod line;
mod manifold;
mod mass;
mod motion;
mod pair;
mod shape;

pub use bound::*;

pub use closest::*;

pub use hull::*;

pub use line::*;

pub use manifold::*;
pub use mass::*;

pub use motion::*;

pub use pair::*;

pub use shape::{
    AsShape, Ball, Capsule, Cone, Cuboid, Cylinder, HalfSpace, Segment, Shape, ShapeRef, Triangle,
};

/// See [`crate::Ray`].
pub type Ray<T> = crate::Ray<carom_math::Vec3<T>>;
