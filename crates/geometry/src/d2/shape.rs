//! The shapes of the plane, one enum over all of them, and the view that queries dispatch on.

use super::composite::{Compound, HeightField, Polyline};
use super::convex::ConvexPolygon;
use super::outline::Outline;
use crate::bound::{Aabb, Bounded, Frame};
use crate::convex::rounded::rounded_shape;
use crate::error::not_negative;
use crate::shape::{Lend, Resize, Twin, Widen, lends_twin};
use crate::{Error, shape};
use carom_math::{Real, Vec2};
use std::borrow::Cow;
use std::sync::Arc;

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

/// See [`crate::shape::Ellipsoid`].
pub type Ellipsoid<T> = shape::Ellipsoid<Vec2<T>>;

rounded_shape! {
    super::composite::Plane, Vec2,
    "use carom_geometry::d2::{Cuboid, Rounded, distance};
let tile = Rounded::new(Cuboid::new([1.0, 1.0])?, 0.5)?;
let apart = distance(&tile, [0.0, 0.0], &tile, [5.0, 0.0])?;
assert_eq!((apart.distance, apart.point_a.x), (2.0, 1.5));"
}

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
    /// A convex polygon.
    Polygon: ConvexPolygon<T> = "polygon",
    /// An ellipse or ellipsoid.
    Ellipsoid: Ellipsoid<T> = "ellipsoid",
    /// A convex shape inflated by a radius.
    Rounded: Rounded<T> = "rounded",
    /// A simple polygon, convex or not.
    Outline: Outline<T> = "outline",
    /// A chain of segments.
    Polyline: Polyline<T> = "polyline",
    /// A row of heights.
    HeightField: HeightField<T> = "height_field",
    /// Shapes at fixed poses.
    Compound: Compound<T> = "compound",
}
