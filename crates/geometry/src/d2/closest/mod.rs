//! The point of a shape closest to a given point.

use super::composite::Plane;
use super::pair::finite_pose;
use super::shape::{AsShape, Rounded, Shape, ShapeRef};
use crate::answer::ClosestPoint;
use crate::composite::point::nearest as nearest_part_of;
use crate::convex::nearest_on_ellipsoid;
use crate::error::{finite_vector, one_for_each};
use crate::pair::closest::closest_query;
use crate::pair::core::Flats;
use crate::pair::nearest::{self, Nearest};
use crate::pair::place::Turn;
use crate::pair::product::cross2;
use crate::shape::Resize;
use crate::{Error, scale};
use carom_math::{Mat2, Pose2, Real, Vec2, Vector};
use std::borrow::Cow;

closest_query! {
    Vec2, Pose2, Mat2<f64>,
    "use carom_geometry::d2::{Triangle, closest_point};
let roof = Triangle::new([-1.0, 0.0], [1.0, 0.0], [0.0, 3.0])?;
let found = closest_point(&roof, [10.0, 0.0], [10.0, 0.25])?;
assert_eq!((found.distance, found.inside, found.point.y), (-0.25, true, 0.0));",
    batch: "use carom_geometry::d2::{Ball, closest_point_batch};
use carom_math::Vec2;
let (ball, points) = (Ball::new(1.0)?, [[3.0, 0.0], [0.0, -0.5]].map(Vec2::from));
let mut answers = vec![Ok(Default::default()); 2];
closest_point_batch(&ball, [0.0, 0.0], &points, &mut answers)?;
assert_eq!(answers[0].clone()?.distance, 2.0);
assert_eq!(answers[1].clone()?.distance, -0.5);"
}

/// The nearest point of any shape, in its own frame.
#[inline(always)] // so that the kind, where it is known, decides at compile time
pub(crate) fn nearest_point(shape: &Shape<f64>, p: Vec2<f64>) -> Nearest<Vec2<f64>> {
    match shape {
        Shape::Ball(ball) => nearest::on_ball(ball.radius(), p),
        Shape::Cuboid(cuboid) => nearest::on_cuboid(cuboid.half_extents(), p),
        Shape::Capsule(capsule) => {
            nearest::on_segment(capsule.segment().a(), capsule.segment().b(), p).inflated(capsule.radius())
        }
        Shape::Segment(segment) => nearest::on_segment(segment.a(), segment.b(), p),
        Shape::Triangle(triangle) => nearest_triangle(triangle.corners(), p),
        Shape::HalfSpace(plane) => nearest::on_half_space(plane.normal(), plane.offset(), p),
        Shape::Outline(outline) => outline.nearest(p),
        Shape::Polyline(polyline) => nearest_part_of::<Plane>(polyline, p).0,
        Shape::HeightField(field) => nearest_part_of::<Plane>(field, p).0,
        Shape::Compound(compound) => nearest_part_of::<Plane>(compound, p).0,
        Shape::Polygon(polygon) => polygon.nearest(p),
        Shape::Ellipsoid(ellipse) => nearest_on_ellipsoid(ellipse.radii(), p),
        Shape::Rounded(rounded) => nearest_rounded(rounded, p),
    }
}

/// The point of the shape inside, moved out by the radius. Inside of a shape without an inside, its normal
/// says which way.
#[inline(never)] // calls itself, though never twice
fn nearest_rounded(rounded: &Rounded<f64>, p: Vec2<f64>) -> Nearest<Vec2<f64>> {
    nearest_point(&rounded.core(), p).inflated(rounded.radius())
}

/// The solid triangle. Inside, the nearest edge is the one with the least height above it; the first
/// of equals. A triangle without area is the segment that it is.
fn nearest_triangle(corners: [Vec2<f64>; 3], p: Vec2<f64>) -> Nearest<Vec2<f64>> {
    let [a, b, c] = corners;
    let edges = [(a, b), (b, c), (c, a)];
    let area = cross2(b - a, c - a);
    let side = if area < 0.0 { -1.0 } else { 1.0 };
    let mut inside = area != 0.0 && nearest::is_beside_longest_edge(corners, p);
    let mut nearest = Nearest { point: p, distance: f64::NEG_INFINITY, normal: Vec2::unit(0) };
    for (from, to) in edges {
        let direction = scale::lifted(to - from);
        let height = side * cross2(direction, p - from);
        inside &= 0.0 <= height;
        let length = Vector::length(direction);
        if inside && nearest.distance < 0.0 - height / length {
            let normal = direction.perpendicular() * (-side / length);
            nearest =
                Nearest { point: p + normal * (height / length), distance: 0.0 - height / length, normal };
        }
    }
    if inside {
        return nearest;
    }
    let size = (p - a).max_abs() + (b - a).max_abs() + (c - a).max_abs();
    let longest = edges.map(|(from, to)| to - from).into_iter().fold(Vec2::ZERO, |longest, edge| {
        if longest.length_squared() < edge.length_squared() { edge } else { longest }
    });
    let outward = || nearest::perpendicular_to(longest).normalized().unwrap_or(Vec2::unit(0));
    // Just outside of a solid, where rounding hides the direction, the normal of the edge must do.
    let beyond = || {
        let outside = edges.into_iter().find(|(from, to)| side * cross2(*to - *from, p - *from) < 0.0);
        let normal = outside.and_then(|(from, to)| ((to - from).perpendicular() * -side).normalized());
        normal.unwrap_or_else(outward)
    };
    let foot = Vec2::foot_on_triangle(corners, Vec2::ZERO, p);
    if area == 0.0 { foot.with_normal(size, outward) } else { foot.with_normal(size, beyond) }
}

#[cfg(test)]
mod tests {
    use crate::d2::{Ball, Triangle, distance};
    use carom_math::Vec2;

    /// A point 10⁻⁹ of a side beside the normal of its end is as far from the end as from the side, up to rounding, and seen from the side.
    #[test]
    fn normals_beside_those_of_corners_are_those_of_sides() {
        let corners = [[-1.0_f64, -2.0], [0.0, -0.5], [1.0, 2.0]].map(|[x, y]| Vec2::new(x, y));
        let ball = Ball::new(0.25).unwrap();
        for turned in 0..3 {
            let [a, b, c] = core::array::from_fn(|k| corners[(k + turned) % 3]);
            let triangle = Triangle::new(a, b, c).unwrap();
            for (end, along) in [(corners[0], Vec2::new(2.0, 4.0)), (corners[2], Vec2::new(-2.0, -4.0))] {
                let out = Vec2::new(-2.0, 1.0);
                for part in [1e-9, 1e-10, 1e-11] {
                    let found = distance(&triangle, [0.0, 0.0], &ball, end + out + along * part).unwrap();
                    assert!(found.normal.dot(along).abs() <= 16.0 * f64::EPSILON, "{part} {found:?}");
                }
            }
        }
    }
}
