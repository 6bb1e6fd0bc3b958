//! Rays and moving shapes.

mod ray;
mod revolved;
mod triangle;

use super::{AsShape, Ray};
use crate::cast::query::{self, Scales, ray_query};
use crate::shape::Resize;
use crate::{Error, Hit, RayOptions};
use carom_math::{Number, Pose3, Real, Vec3, Vector};
use ray::span;

ray_query! {
    /// Where a ray first meets a shape: the smallest t in [0, `options.max`] for which
    /// origin + t·direction lies in the shape. Touching counts; t counts in lengths of the direction.
    ///
    /// The normal is the outward unit normal of the surface; triangles and segments have the one that
    /// faces the ray, and an end met head on −direction. A ray that starts inside hits at t = 0 with
    /// −direction for a normal (the normal of the surface when it starts exactly there), or, when
    /// `options.solid` is false, where it leaves. A triangle has no inside.
    ///
    /// Triangles are watertight: a ray that meets a closed mesh meets at least one of its triangles
    /// (given one pose for the mesh), also through edges and corners.
    ///
    /// # Errors
    /// When the pose is not finite, `options.max` is negative or NaN, or the hit is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{RayOptions, d3::{Cone, Ray, cast_ray}};
    /// let hat = Cone::new(1.0, 0.5)?;
    /// let ray = Ray::new([0.0, 5.0, 0.0], [0.0, -2.0, 0.0])?;
    /// let hit = cast_ray(&hat, [0.0, 0.0, 0.0], &ray, RayOptions::default())?.expect("the tip");
    /// assert_eq!((hit.t, hit.point.y, hit.normal.y), (2.0, 1.0, 1.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    Vec3, Pose3
}
