//! Which kernel a moving pair of the plane has.

use super::ray::{segment_span, triangle_span};
use crate::cast::boxes::MovingBoxes;
use crate::cast::flat::cuboid_span;
use crate::cast::moving::rounded_cuboid_passage;
use crate::cast::query::Motion;
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::span::{Passage, Span};
use crate::d2::Shape;
use crate::pair::place::Relative;
use carom_math::{Pose2, Vec2, Vector};

/// Whether [`ball_passage`] or [`boxes_touch`] knows the pair, in this order.
pub(super) fn has_kernel(first: &Shape<f64>, second: &Shape<f64>) -> bool {
    match (first, second) {
        (Shape::Ball(_), Shape::Polygon(_) | Shape::Ellipsoid(_) | Shape::Rounded(_)) => false,
        (Shape::Ball(_), _) | (Shape::Cuboid(_), Shape::Cuboid(_)) => true,
        _ => false,
    }
}

/// Where a ball of this radius first touches the shape, given that it does not at t = 0. The normal is
/// that of the shape.
pub(super) fn ball_passage(
    radius: f64,
    shape: &Shape<f64>,
    path: Motion<Vec2<f64>>,
) -> Option<Passage<Vec2<f64>>> {
    let Motion { origin, velocity } = path;
    let capsule = |ends: [Vec2<f64>; 2], radius: f64| {
        if radius == 0.0 {
            segment_span(origin, velocity, ends)
        } else {
            capsule_span(origin, velocity, ends, radius)
        }
    };
    let span = match shape {
        Shape::Ball(ball) => ball_span(origin, velocity, Vec2::ZERO, ball.radius() + radius),
        Shape::Capsule(other) => capsule([other.segment().a(), other.segment().b()], other.radius() + radius),
        Shape::Segment(segment) => capsule([segment.a(), segment.b()], radius),
        Shape::Cuboid(cuboid) if radius == 0.0 => cuboid_span(origin, velocity, cuboid.half_extents()),
        Shape::Cuboid(cuboid) => return rounded_cuboid_passage(path, cuboid.half_extents(), radius),
        Shape::Triangle(triangle) if radius == 0.0 => triangle_span(origin, velocity, triangle.corners()),
        Shape::Triangle(triangle) => {
            // The surface of the inflated triangle consists of surfaces of the inflated edges.
            let [a, b, c] = triangle.corners();
            let edges = [[a, b], [b, c], [c, a]].map(|edge| capsule(edge, radius));
            Span::hull(Span::hull(edges[0], edges[1]), edges[2])
        }
        Shape::HalfSpace(_)
        | Shape::Outline(_)
        | Shape::Polygon(_)
        | Shape::Ellipsoid(_)
        | Shape::Rounded(_) => None,
    };
    span?.first_hit(true)
}

/// When two boxes touch first, and the direction from the first to the second.
pub(super) fn boxes_touch(
    first: &Shape<f64>,
    second: &Shape<f64>,
    place: Pose2<f64>,
    velocity: Vec2<f64>,
) -> Option<(f64, Vec2<f64>)> {
    let (Shape::Cuboid(first), Shape::Cuboid(second)) = (first, second) else { return None };
    let place = Relative { rotation: place.rotation.to_matrix(), translation: place.translation };
    let half_extents = [first.half_extents(), second.half_extents()];
    MovingBoxes { half_extents, place: &place, velocity }.first_touch(&[])
}
