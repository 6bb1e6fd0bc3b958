//! Rays and moving shapes.

mod ray;

pub(crate) use ray::{segment_span, triangle_span};

use super::{AsShape, Ray};
use crate::cast::query::{self, Scales, ray_query};
use crate::shape::Resize;
use crate::{Error, Hit, RayOptions};
use carom_math::{Number, Pose2, Real, Vec2, Vector};
use ray::span;

ray_query! {
    /// Where a ray first meets a shape: the smallest t in [0, `options.max`] for which
    /// origin + t·direction lies in the shape. Touching counts; t counts in lengths of the direction.
    ///
    /// The normal is the outward unit normal of the surface; a segment has the one that faces the ray,
    /// and an end met head on −direction. A ray that starts inside hits at t = 0 with −direction for a
    /// normal (the normal of the surface when it starts exactly there), or, when `options.solid` is
    /// false, where it leaves.
    ///
    /// # Errors
    /// When the pose is not finite, `options.max` is negative or NaN, or the hit is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{RayOptions, d2::{Cuboid, Ray, cast_ray}};
    /// let square = Cuboid::new([1.0, 1.0])?;
    /// let ray = Ray::new([-4.0, 1.0], [2.0, 0.0])?;
    /// // It runs along the upper side, and that counts.
    /// let hit = cast_ray(&square, [0.0, 0.0], &ray, RayOptions::default())?.expect("it touches");
    /// assert_eq!((hit.t, hit.point.x, hit.normal.x), (1.5, -1.0, -1.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    Vec2, Pose2
}
