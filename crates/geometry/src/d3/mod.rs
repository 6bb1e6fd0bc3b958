//! Space: shapes and questions in 3D.

mod bound;
mod closest;
mod hull;
mod line;
mod mass;
mod motion;
mod pair;
mod shape;

#[allow(unused_imports)]
pub use bound::*;
#[allow(unused_imports)]
pub use closest::*;
#[allow(unused_imports)]
pub use hull::*;
#[allow(unused_imports)]
pub use line::*;
pub use mass::*;
#[allow(unused_imports)]
pub use motion::*;
#[allow(unused_imports)]
pub use pair::*;

pub use shape::{
    AsShape, Ball, Capsule, Cone, Cuboid, Cylinder, HalfSpace, Segment, Shape, ShapeRef, Triangle,
};

/// See [`crate::Ray`].
pub type Ray<T> = crate::Ray<carom_math::Vec3<T>>;
