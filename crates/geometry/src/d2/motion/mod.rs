//! Rays and moving shapes.

mod ccd;
pub(super) mod explain;
mod impact;
mod moving;
mod ray;

use super::closest::nearest_point;
use super::composite::{Plane, cast_by_parts, feature_of};
use super::pair::{body_of, comes_after, finite_pose, separation};
use super::{AsShape, Capsule, Ray, Shape, ShapeRef};
use crate::answer::Separation;
use crate::cast::advance::approach;
use crate::cast::flat::precise_dot;
use crate::cast::general::Course;
use crate::cast::query::{self, LineInWorld, Meeting, Motion, Scales, Touch};
use crate::cast::quick::{self, Care, Quick};
use crate::cast::ray_query::ray_query;
use crate::cast::rods::MovingRods;
use crate::cast::shape_query::shape_query;
use crate::cast::span::{Passage, Span};
use crate::cast::touch_query::touch_query;
use crate::convex::general::Flat;
use crate::error::finite_vector;
use crate::gjk::Posed;
use crate::pair::place::Turn;
use crate::pair::{Relation, order};
use crate::shape::{Resize, Widen};
use crate::trace::{Follow, Look, Method, Side, Told};
use crate::{CastOptions, Error, Hit, RayOptions};
use carom_math::{Mat2, Number, Pose2, Real, Vec2, Vector};
use moving::{
    ball_around, ball_passage, boxes_meet, follow_boxes, inflated_span, is_convex, needs_distances,
    sides_meet, sides_of,
};
use ray::{direct_hit, narrow_hit};
use std::borrow::Cow;

pub(super) use ray::span;

type Matrix = Mat2<f64>;

pub use ccd::ccd_vertex_edge;
use impact::impact_watched;
pub(super) use impact::{finite_motion, impact_of_parts, largest_arm_of, local_axis};
pub use impact::{time_of_impact, time_of_impact_batch, watch_time_of_impact};

/// Shapes of many parts. Outlines decide exactly which edge is hit.
#[inline]
fn cast_ray_at_parts<T: Real>(
    shape: ShapeRef<'_, T>,
    pose: Pose2<T>,
    ray: &Ray<T>,
    options: RayOptions<T>,
) -> Option<Result<Option<Hit<Vec2<T>>>, Error>> {
    match shape {
        ShapeRef::Outline(outline) => Some(outline.cast_ray(pose, ray, options)),
        ShapeRef::Polyline(_) | ShapeRef::HeightField(_) | ShapeRef::Compound(_) => {
            Some(first_hit_of_parts(shape, pose, ray, options))
        }
        _ => None,
    }
}

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
    Plane, Vec2, Pose2,
    hits: "use carom_geometry::d2::{Ball, Ray, ray_hits};
let (ball, ray) = (Ball::new(1.0)?, Ray::new([-5.0, 0.0], [2.0, 0.0])?);
assert!(ray_hits(&ball, [0.0, 0.0], &ray, 2.0)?); // just so
assert!(!ray_hits(&ball, [0.0, 0.0], &ray, 1.5)?);",
    passages: "use carom_geometry::d2::{Ball, Ray, ray_passages};
let (ball, ray) = (Ball::new(1.0)?, Ray::new([-5.0, 0.0], [2.0, 0.0])?);
let [Some(enter), Some(exit)] = ray_passages(&ball, [0.0, 0.0], &ray, 100.0)? else { panic!(\"in and out\") };
assert_eq!((enter.t, enter.normal.x, exit.t, exit.normal.x), (2.0, -1.0, 3.0, 1.0));",
    rays: "use carom_geometry::d2::{Ball, Ray, cast_rays};
let (ball, ray) = (Ball::new(1.0)?, Ray::new([-5.0, 0.0], [2.0, 0.0])?);
let mut answers = vec![Ok(None); 3];
cast_rays(&ball, [0.0, 0.0], &[ray; 3], Default::default(), &mut answers)?;
assert_eq!(answers[2].clone()?.map(|hit| hit.t), Some(2.0));"
}

shape_query! {
    /// When and where two shapes in straight motion first touch: the smallest t in [0, `options.max`] at
    /// which they have a common point. Only the relative velocity matters. Shapes that touch at the
    /// start are hit at t = 0, whichever way they move; without relative motion that is the only hit.
    ///
    /// The normal points from a to b, and the point is where they touch at that time; for shapes that
    /// overlap at the start both are those of the contact. Exchanging the shapes negates the normal and
    /// changes nothing else.
    ///
    /// A moving ball is a ray against the other shape inflated by its radius, so a wall of no thickness
    /// stops a ball of any speed. Moving boxes may be turned any way.
    ///
    /// Every convex shape against every other, half-spaces included as long as one of the two is bounded. Balls and
    /// boxes have closed forms; the others advance along planes that separate them, never past the first touch, to
    /// a closed form for the features that meet. A gap that shrinks to rounding error, about 10⁻¹⁴ of the size of
    /// the pair, counts as touching: what grazes is not missed.
    ///
    /// # Errors
    /// When a pose or velocity is not finite, `options.max` is negative or NaN, the kinds are not
    /// supported together, or the answer is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{CastOptions, d2::{Ball, Segment, cast_shape}};
    /// let (ball, wall) = (Ball::new(1.0)?, Segment::new([0.0, -5.0], [0.0, 5.0])?);
    /// let hit = cast_shape(&ball, [-9.0, 0.0], [32.0, 0.0], &wall, [0.0, 0.0], [0.0, 0.0], CastOptions::default())?;
    /// let hit = hit.expect("no tunnelling");
    /// assert_eq!((hit.t, hit.point.x, hit.normal.x), (0.25, 0.0, 1.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    Vec2, Pose2,
    shapes: "use carom_geometry::{CastOptions, d2::{Ball, Shape, cast_shapes}};
use carom_math::{Pose2, Vec2};
let ball: Shape<f64> = Ball::new(1.0)?.into();
let (here, there) = (Pose2::at([0.0, 0.0]), Pose2::at([-5.0, 0.0]));
let question = (&ball, there, Vec2::from([2.0, 0.0]), &ball, here, Vec2::from([0.0, 0.0]));
let mut answers = vec![Ok(None); 2];
cast_shapes(&[question; 2], CastOptions { max: 10.0 }, &mut answers)?;
assert_eq!(answers[1].clone()?.map(|hit| hit.t), Some(1.5));"
}

touch_query! { Vec2, Pose2 }
