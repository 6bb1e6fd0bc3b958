//! Which kernel a moving pair of space has.

use super::triangle::{face_normal, triangle_span};
use crate::cast::boxes::MovingBoxes;
use crate::cast::flat::cuboid_span;
use crate::cast::moving::rounded_cuboid_passage;
use crate::cast::query::Motion;
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::span::{Passage, Span};
use crate::d3::Shape;
use crate::pair::place::Relative;
use carom_math::{Pose3, Vec3, Vector};

/// Whether [`ball_passage`] or [`boxes_touch`] knows the pair, in this order.
pub(super) fn has_kernel(first: &Shape<f64>, second: &Shape<f64>) -> bool {
    match (first, second) {
        (
            Shape::Ball(_),
            Shape::Cylinder(_) | Shape::Cone(_) | Shape::Hull(_) | Shape::Ellipsoid(_) | Shape::Rounded(_),
        ) => false,
        (Shape::Ball(_), _) | (Shape::Cuboid(_), Shape::Cuboid(_)) => true,
        _ => false,
    }
}

/// Where a ball of this radius first touches the shape, given that it does not at t = 0. The normal is
/// that of the shape.
pub(super) fn ball_passage(
    radius: f64,
    shape: &Shape<f64>,
    path: Motion<Vec3<f64>>,
) -> Option<Passage<Vec3<f64>>> {
    let Motion { origin, velocity } = path;
    let span = match shape {
        Shape::Ball(ball) => ball_span(origin, velocity, Vec3::ZERO, ball.radius() + radius),
        Shape::Capsule(other) => {
            let ends = [other.segment().a(), other.segment().b()];
            capsule_span(origin, velocity, ends, other.radius() + radius)
        }
        Shape::Segment(segment) => capsule_span(origin, velocity, [segment.a(), segment.b()], radius),
        Shape::Cuboid(cuboid) if radius == 0.0 => cuboid_span(origin, velocity, cuboid.half_extents()),
        Shape::Cuboid(cuboid) => return rounded_cuboid_passage(path, cuboid.half_extents(), radius),
        Shape::Triangle(triangle) if radius == 0.0 => triangle_span(origin, velocity, triangle.corners()),
        Shape::Triangle(triangle) => rounded_triangle_span(path, triangle.corners(), radius),
        Shape::HalfSpace(_)
        | Shape::Cylinder(_)
        | Shape::Cone(_)
        | Shape::Hull(_)
        | Shape::Ellipsoid(_)
        | Shape::Rounded(_) => None,
    };
    span?.first_hit(true)
}

/// The part of the path in the triangle inflated by the radius: two faces, lifted by the radius to
/// either side, and the inflated edges. Instead of a face the path is moved, so that the corners stay
/// as they are.
fn rounded_triangle_span(
    path: Motion<Vec3<f64>>,
    corners: [Vec3<f64>; 3],
    radius: f64,
) -> Option<Span<Vec3<f64>>> {
    let Motion { origin, velocity } = path;
    let mut span = None;
    if let Some(normal) = face_normal(corners).normalized() {
        let facing = if 0.0 < normal.dot(velocity) { -normal } else { normal };
        for outward in [facing, -facing] {
            let through = triangle_span(origin - outward * radius, velocity, corners);
            let through = through.map(|found| Passage { t: found.enter.t, normal: outward });
            if let Some(passage) = through {
                // Through the face that faces it, the path comes in and nowhere else.
                if 0.0 < passage.t && outward == facing {
                    return Some(Span::new(passage, passage));
                }
                span = Span::hull(span, Some(Span::new(passage, passage)));
            }
        }
    }
    let [a, b, c] = corners;
    for edge in [[a, b], [b, c], [c, a]] {
        span = Span::hull(span, capsule_span(origin, velocity, edge, radius));
    }
    span
}

/// When two boxes touch first, and the direction from the first to the second.
pub(super) fn boxes_touch(
    first: &Shape<f64>,
    second: &Shape<f64>,
    place: Pose3<f64>,
    velocity: Vec3<f64>,
) -> Option<(f64, Vec3<f64>)> {
    let (Shape::Cuboid(first), Shape::Cuboid(second)) = (first, second) else { return None };
    let place = Relative { rotation: place.rotation.to_matrix(), translation: place.translation };
    let columns = place.rotation.columns;
    // The cross products of the edges; the index modulo 3 is the edge of the first box.
    let edge_axes: [Vec3<f64>; 9] =
        core::array::from_fn(|index| Vec3::unit(index / 3).cross(columns[index % 3]));
    let half_extents = [first.half_extents(), second.half_extents()];
    MovingBoxes { half_extents, place: &place, velocity }.first_touch(&edge_axes)
}
