//! Shapes of the plane as the stream knows them: the convex ones, and outlines.
//!
//! The functions have the names and arguments of those in [`d2`], so that both dimensions can be
//! called alike. An outline can be asked for its closest point, for rays, and whether it touches an
//! outline, a cuboid, a triangle or a ball; other questions about it are not supported.

use carom_geometry::{CastOptions, ClosestPoint, Contact, Distance, Error, Hit, RayOptions, d2};
use carom_math::{Pose2, Real, Vec2};

pub(super) use carom_geometry::d2::{Flat, relate};

/// A shape of the plane.
pub(super) enum Shape<T: Real> {
    Convex(d2::Shape<T>),
    Outline(d2::Outline<T>),
}

use Shape::{Convex, Outline};

impl<T: Real> Shape<T> {
    fn kind(&self) -> &'static str {
        match self {
            Convex(shape) => d2::AsShape::as_shape(shape).kind(),
            Outline(_) => "outline",
        }
    }
}

fn unsupported<T: Real>(operation: &'static str, a: &Shape<T>, b: &Shape<T>) -> Error {
    Error::UnsupportedPair { operation, first: a.kind(), second: b.kind() }
}

/// Whether two shapes share a point.
pub(super) fn intersects<T: Real>(
    a: &Shape<T>,
    pose_a: Pose2<T>,
    b: &Shape<T>,
    pose_b: Pose2<T>,
) -> Result<bool, Error> {
    let answer = match (a, b) {
        (Convex(a), Convex(b)) => return d2::intersects(a, pose_a, b, pose_b),
        (Outline(a), Outline(b)) => return d2::outlines_intersect(a, pose_a, b, pose_b),
        (Outline(a), Convex(b)) => outline_and_convex(a, pose_a, b, pose_b)?,
        (Convex(a), Outline(b)) => outline_and_convex(b, pose_b, a, pose_a)?,
    };
    answer.ok_or_else(|| unsupported("intersects", a, b))
}

/// Whether an outline and a convex shape share a point; `None` for shapes that are neither polygons
/// nor balls.
fn outline_and_convex<T: Real>(
    outline: &d2::Outline<T>,
    pose: Pose2<T>,
    shape: &d2::Shape<T>,
    pose_of_shape: Pose2<T>,
) -> Result<Option<bool>, Error> {
    let corners: Vec<Vec2<T>> = match shape {
        // A ball touches what is no farther from its centre than its radius; the distance is negative
        // when the centre is inside.
        d2::Shape::Ball(ball) => {
            let closest = outline.closest_point(pose, pose_of_shape.translation)?;
            return Ok(Some(closest.distance <= ball.radius()));
        }
        d2::Shape::Cuboid(cuboid) => {
            let Vec2 { x, y } = cuboid.half_extents();
            [[-x, -y], [x, -y], [x, y], [-x, y]].map(Vec2::from).to_vec()
        }
        d2::Shape::Triangle(triangle) => triangle.corners().to_vec(),
        _ => return Ok(None),
    };
    // A flat cuboid or triangle has no inside and is no outline.
    let Ok(polygon) = d2::Outline::new(corners) else { return Ok(None) };
    d2::outlines_intersect(outline, pose, &polygon, pose_of_shape).map(Some)
}

/// How far apart two shapes are.
pub(super) fn distance<T: Real>(
    a: &Shape<T>,
    pose_a: Pose2<T>,
    b: &Shape<T>,
    pose_b: Pose2<T>,
) -> Result<Distance<Vec2<T>>, Error> {
    match (a, b) {
        (Convex(a), Convex(b)) => d2::distance(a, pose_a, b, pose_b),
        _ => Err(unsupported("distance", a, b)),
    }
}

/// How two shapes touch.
pub(super) fn contact_within<T: Real>(
    a: &Shape<T>,
    pose_a: Pose2<T>,
    b: &Shape<T>,
    pose_b: Pose2<T>,
    margin: T,
) -> Result<Option<Contact<Vec2<T>>>, Error> {
    match (a, b) {
        (Convex(a), Convex(b)) => d2::contact_within(a, pose_a, b, pose_b, margin),
        _ => Err(unsupported("contact", a, b)),
    }
}

/// The point of a shape that is closest to a point.
pub(super) fn closest_point<T: Real>(
    shape: &Shape<T>,
    pose: Pose2<T>,
    point: Vec2<T>,
) -> Result<ClosestPoint<Vec2<T>>, Error> {
    match shape {
        Convex(shape) => d2::closest_point(shape, pose, point),
        Outline(outline) => outline.closest_point(pose, point),
    }
}

/// Where a ray first meets a shape.
pub(super) fn cast_ray<T: Real>(
    shape: &Shape<T>,
    pose: Pose2<T>,
    ray: &d2::Ray<T>,
    options: RayOptions<T>,
) -> Result<Option<Hit<Vec2<T>>>, Error> {
    match shape {
        Convex(shape) => d2::cast_ray(shape, pose, ray, options),
        Outline(outline) => outline.cast_ray(pose, ray, options),
    }
}

/// When two shapes in straight motion first touch.
pub(super) fn cast_shape<T: Real>(
    a: &Shape<T>,
    pose_a: Pose2<T>,
    velocity_a: Vec2<T>,
    b: &Shape<T>,
    pose_b: Pose2<T>,
    velocity_b: Vec2<T>,
    options: CastOptions<T>,
) -> Result<Option<Hit<Vec2<T>>>, Error> {
    match (a, b) {
        (Convex(a), Convex(b)) => d2::cast_shape(a, pose_a, velocity_a, b, pose_b, velocity_b, options),
        _ => Err(unsupported("cast", a, b)),
    }
}
