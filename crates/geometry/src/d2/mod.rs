//! The plane: shapes and questions in 2D.

mod bound;
mod closest;
mod decompose;
mod hull;
mod line;
mod manifold;
mod mass;
mod motion;
mod outline;
mod pair;
mod shape;

pub use bound::*;

pub use closest::*;
pub use decompose::convex_decomposition;

pub use hull::*;

pub use line::*;

pub use manifold::*;
pub use mass::*;

pub use motion::*;

pub use outline::*;

pub use pair::*;

pub use shape::{AsShape, Ball, Capsule, Cuboid, HalfSpace, Segment, Shape, ShapeRef, Triangle};

/// See [`crate::Ray`].
pub type Ray<T> = crate::Ray<carom_math::Vec2<T>>;
