//! The shapes of the plane, one enum over all of them, and the view that queries dispatch on.

use super::outline::Outline;
use crate::bound::{Aabb, Bounded, Frame};
use crate::shape;
use crate::shape::{Resize, Widen};
use carom_math::{Real, Vec2};

pub use crate::shape::Ball;
/// See [`crate::shape::Cuboid`].
pub type Cuboid<T> = shape::Cuboid<Vec2<T>>;
/// See [`crate::shape::Capsule`].
pub type Capsule<T> = shape::Capsule<Vec2<T>>;
/// See [`crate::shape::Segment`].
pub type Segment<T> = shape::Segment<Vec2<T>>;
/// See [`crate::shape::Triangle`].
pub type Triangle<T> = shape::Triangle<Vec2<T>>;
/// See [`crate::shape::HalfSpace`].
pub type HalfSpace<T> = shape::HalfSpace<Vec2<T>>;

crate::kinds::shape_kinds! {
    Vec2;
    /// A disc or ball.
    Ball: Ball<T> = "ball",
    /// A rectangle or box.
    Cuboid: Cuboid<T> = "cuboid",
    /// A segment with a radius.
    Capsule: Capsule<T> = "capsule",
    /// A line segment.
    Segment: Segment<T> = "segment",
    /// A triangle.
    Triangle: Triangle<T> = "triangle",
    /// All points on one side of a line or plane.
    HalfSpace: HalfSpace<T> = "half_space",
    /// A simple polygon, convex or not.
    Outline: Outline<T> = "outline",
}
