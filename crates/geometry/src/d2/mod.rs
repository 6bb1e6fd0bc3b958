//! The plane: shapes and questions in 2D.

mod bound;
mod closest;
mod decompose;
mod hull;
mod line;
mod mass;
mod motion;
mod outline;
mod pair;
mod shape;

#[allow(unused_imports)]
pub use bound::*;
#[allow(unused_imports)]
pub use closest::*;
pub use decompose::convex_decomposition;
#[allow(unused_imports)]
pub use hull::*;
#[allow(unused_imports)]
pub use line::*;
pub use mass::*;
#[allow(unused_imports)]
pub use motion::*;
#[allow(unused_imports)]
pub use outline::*;
#[allow(unused_imports)]
pub use pair::*;

pub use shape::{AsShape, Ball, Capsule, Cuboid, HalfSpace, Segment, Shape, ShapeRef, Triangle};

/// See [`crate::Ray`].
pub type Ray<T> = crate::Ray<carom_math::Vec2<T>>;
