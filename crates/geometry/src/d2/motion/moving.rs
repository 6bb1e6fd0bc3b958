//! Which kernel a moving pair of the plane has.

use super::ray::{segment_span, span};
use crate::cast::advance::convex_span;
use crate::cast::boxes::{MovingBoxes, Parted, Race};
use crate::cast::flat::half_space_span;
use crate::cast::general::NOISE;
use crate::cast::moving::{rounded_cuboid_passage, rounded_cuboid_span};
use crate::cast::query::{Meeting, Motion, Touch};
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::sides::Sides;
use crate::cast::span::{Passage, Span};
use crate::convex::nearest_on_ellipsoid;
use crate::d2::Shape;
use crate::d2::pair::Body;
use crate::gjk::{Posed, Support};
use crate::pair::place::Relative;
use crate::sat::{Arrival, Solid, arrival};
use crate::trace::Follow;
use carom_math::{Pose2, Vec2, Vector};

/// Whether straight motion is known for the shape.
pub(super) fn is_convex(shape: &Shape<f64>) -> bool {
    !matches!(shape, Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_))
}

/// Where a ball of this radius first touches the shape, given that it does not at t = 0. The normal is
/// that of the shape.
pub(super) fn ball_passage(
    radius: f64,
    shape: &Shape<f64>,
    path: Motion<Vec2<f64>>,
) -> Option<Passage<Vec2<f64>>> {
    match shape {
        Shape::Cuboid(cuboid) if radius != 0.0 => {
            rounded_cuboid_passage(path, cuboid.half_extents(), radius, 0.0)
        }
        _ => inflated_span(shape, radius, path)?.first_hit(true),
    }
}

/// The part of the line within `radius` of a convex shape.
pub(super) fn inflated_span(
    shape: &Shape<f64>,
    radius: f64,
    path: Motion<Vec2<f64>>,
) -> Option<Span<Vec2<f64>>> {
    let Motion { origin, velocity } = path;
    let capsule = |ends: [Vec2<f64>; 2], radius: f64| {
        if radius == 0.0 {
            segment_span(origin, velocity, ends)
        } else {
            capsule_span(origin, velocity, ends, radius)
        }
    };
    // The surface of an inflated polygon consists of surfaces of its inflated edges.
    let edges = |count: usize, corner: &dyn Fn(usize) -> Vec2<f64>| {
        let edge = |index: usize| {
            let ends = [index, if index + 1 < count { index + 1 } else { 0 }];
            capsule(ends.map(corner), radius).map(|span| span.named_edge(index, ends))
        };
        (0..count).map(edge).fold(None, Span::hull)
    };
    match shape {
        Shape::Ball(ball) => ball_span(origin, velocity, Vec2::ZERO, ball.radius() + radius),
        Shape::Capsule(other) => capsule([other.segment().a(), other.segment().b()], other.radius() + radius),
        Shape::Segment(segment) => capsule([segment.a(), segment.b()], radius),
        Shape::HalfSpace(plane) => half_space_span(origin, velocity, plane, radius),
        Shape::Rounded(rounded) => inflated_span(&rounded.core(), rounded.radius() + radius, path),
        _ if radius == 0.0 => span(shape, origin, velocity).0,
        Shape::Cuboid(cuboid) => rounded_cuboid_span(path, cuboid.half_extents(), radius),
        Shape::Triangle(triangle) => edges(3, &|index| triangle.corners()[index]),
        Shape::Polygon(polygon) => edges(polygon.points().len(), &|index| polygon.corner(index)),
        Shape::Ellipsoid(ellipse) => {
            let radii = ellipse.radii();
            convex_span(origin, velocity, radii.max_abs(), radius, |p| nearest_on_ellipsoid(radii, p))
        }
        Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_) => None,
    }
}

/// A ball around a shape whose closed forms go over many features: its centre and radius.
#[inline]
pub(super) fn ball_around(shape: &Shape<f64>) -> Option<(Vec2<f64>, f64)> {
    let Shape::Polygon(polygon) = shape else { return None };
    let view = polygon.view();
    Some((view.center(), view.outer_radius()))
}

/// The flat sides of a core that casts know how to meet.
pub(super) fn sides_of(body: &Body<'_>) -> Sides<Vec2<f64>> {
    match body {
        Body::Block(block) => Sides::Box(block.0),
        _ => Sides::None,
    }
}

/// When two polygons, or a polygon and a box, touch first, where that is beyond doubt and they have few corners.
pub(super) fn sides_meet(
    [mover, target]: [&Body<'_>; 2],
    columns: &[Vec2<f64>],
    translation: Vec2<f64>,
    velocity: Vec2<f64>,
    max: f64,
) -> Option<Meeting<Vec2<f64>>> {
    match (target, mover) {
        (Body::Polygon(target), Body::Polygon(mover)) => {
            meet_at_side(target, &Posed::new(*mover, columns, translation), velocity, max)
        }
        (Body::Polygon(target), Body::Block(mover)) => {
            meet_at_side(target, &Posed::new(*mover, columns, translation), velocity, max)
        }
        (Body::Block(target), Body::Polygon(mover)) => {
            meet_at_side(target, &Posed::new(*mover, columns, translation), velocity, max)
        }
        _ => None,
    }
}

#[inline]
fn meet_at_side<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
    target: &A,
    mover: &Posed<B, Vec2<f64>>,
    velocity: Vec2<f64>,
    max: f64,
) -> Option<Meeting<Vec2<f64>>> {
    let noise = NOISE * (target.size() + mover.size());
    Some(match arrival(target, mover, velocity, max, noise)? {
        Arrival::Never => Meeting::Never,
        Arrival::At { t, outward, point } => Meeting::At(Touch { t, point, normal: -outward.normalized()? }),
    })
}

/// When two boxes touch first.
pub(super) fn boxes_meet(
    half_extents: [Vec2<f64>; 2],
    place: Pose2<f64>,
    velocity: Vec2<f64>,
) -> Meeting<Vec2<f64>> {
    let place = Relative { rotation: place.rotation.to_matrix(), translation: place.translation };
    let boxes = MovingBoxes { half_extents, place: &place, velocity };
    match Race::<4>::between_faces(&boxes).winner() {
        Some(Err(Parted)) => Meeting::Never,
        Some(Ok((t, index))) => {
            let axis = if index < 2 { Vec2::unit(index) } else { place.rotation.columns[index - 2] };
            boxes.landing(t, axis)
        }
        None => boxes.meeting(&[]),
    }
}

/// Tells a watcher when two boxes overlap along each axis.
pub(super) fn follow_boxes(
    half_extents: [Vec2<f64>; 2],
    place: Pose2<f64>,
    velocity: Vec2<f64>,
    watch: &mut impl Follow<Vec2<f64>>,
) {
    let place = Relative { rotation: place.rotation.to_matrix(), translation: place.translation };
    MovingBoxes { half_extents, place: &place, velocity }.tell(&[], watch);
}

/// Whether the part of a line within `radius` of the shape has no equation here: distances lead to it.
pub(super) fn needs_distances(shape: &Shape<f64>, radius: f64) -> bool {
    match shape {
        Shape::Ellipsoid(_) => radius != 0.0,
        Shape::Rounded(rounded) => needs_distances(&rounded.core(), rounded.radius() + radius),
        _ => false,
    }
}
