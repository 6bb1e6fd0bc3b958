//! Which kernel a moving pair of space has.

use super::hull::rounded_hull_span;
use super::ray::span;
use super::triangle::{face_normal, triangle_span};
use crate::cast::advance::convex_span;
use crate::cast::boxes::{MovingBoxes, Parted, Race};
use crate::cast::flat::half_space_span;
use crate::cast::moving::{rounded_cuboid_passage, rounded_cuboid_span};
use crate::cast::query::{Meeting, Motion};
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::sides::Sides;
use crate::cast::span::{Passage, Span};
use crate::d3::Shape;
use crate::d3::closest::nearest_point;
use crate::d3::pair::{Arrival, Body, clear_arrival};
use crate::gjk::Support;
use crate::manifold::feature::Kind;
use crate::pair::place::Relative;
use crate::sat::Solid;
use crate::trace::Follow;
use carom_math::{Mat3, Pose3, Vec2, Vec3, Vector};

/// Whether straight motion is known for the shape as a whole.
pub(super) fn is_convex(shape: &Shape<f64>) -> bool {
    !matches!(shape, Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_))
}

/// Where a ball of this radius first touches the shape, given that it does not at t = 0. The normal is
/// that of the shape.
pub(super) fn ball_passage(
    radius: f64,
    shape: &Shape<f64>,
    path: Motion<Vec3<f64>>,
) -> Option<Passage<Vec3<f64>>> {
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
    path: Motion<Vec3<f64>>,
) -> Option<Span<Vec3<f64>>> {
    let Motion { origin, velocity } = path;
    match shape {
        Shape::Ball(ball) => ball_span(origin, velocity, Vec3::ZERO, ball.radius() + radius),
        Shape::Capsule(other) => {
            let ends = [other.segment().a(), other.segment().b()];
            capsule_span(origin, velocity, ends, other.radius() + radius)
        }
        Shape::Segment(segment) => capsule_span(origin, velocity, [segment.a(), segment.b()], radius),
        Shape::HalfSpace(plane) => half_space_span(origin, velocity, plane, radius),
        Shape::Rounded(rounded) => inflated_span(&rounded.core(), rounded.radius() + radius, path),
        _ if radius == 0.0 => span(shape, origin, velocity).0,
        Shape::Cuboid(cuboid) => rounded_cuboid_span(path, cuboid.half_extents(), radius),
        Shape::Triangle(triangle) => rounded_triangle_span(path, triangle.corners(), radius),
        Shape::Hull(hull) => rounded_hull_span(path, hull, radius),
        Shape::Cylinder(_) | Shape::Cone(_) => {
            let reach = match shape {
                Shape::Cylinder(can) => Vec2::new(can.half_height(), can.radius()),
                Shape::Cone(cone) => Vec2::new(cone.half_height(), cone.radius()),
                _ => Vec2::ZERO,
            };
            let reach = Vector::length(reach);
            convex_span(origin, velocity, reach, radius, |p| nearest_point(shape, p))
        }
        Shape::Ellipsoid(ellipsoid) => {
            let reach = ellipsoid.radii().max_abs();
            convex_span(origin, velocity, reach, radius, |p| nearest_point(shape, p))
        }
        Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => None,
    }
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
    let mut through = [None; 2];
    if let Some(normal) = face_normal(corners).normalized() {
        let from_behind = 0.0 < normal.dot(velocity);
        let facing = if from_behind { -normal } else { normal };
        through = [(facing, from_behind), (-facing, !from_behind)].map(|(outward, back)| {
            let found = triangle_span(origin - outward * radius, velocity, corners)?;
            Some(Passage::new(found.enter.t, outward).on(Kind::Face, usize::from(back)))
        });
    }
    // A path that comes in through one face and goes out through the other meets nothing else.
    if let [Some(enter), Some(exit)] = through {
        return Some(Span::new(enter, exit));
    }
    let mut span = through.into_iter().flatten().map(|at| Span::new(at, at)).map(Some).fold(None, Span::hull);
    let [a, b, c] = corners;
    for (index, edge) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
        let met = capsule_span(origin, velocity, edge, radius);
        span = Span::hull(span, met.map(|span| span.named_edge(index, [index, (index + 1) % 3])));
    }
    span
}

/// A ball around a shape whose closed forms go over many features: its centre and radius.
#[inline]
pub(super) fn ball_around(shape: &Shape<f64>) -> Option<(Vec3<f64>, f64)> {
    let Shape::Hull(hull) = shape else { return None };
    let view = hull.view();
    Some((view.center(), view.outer_radius()))
}

/// The flat sides of a core that casts know how to meet.
pub(super) fn sides_of(body: &Body<'_>) -> Sides<Vec3<f64>> {
    match body {
        Body::Block(block) => Sides::Box(block.0),
        Body::Cylinder(can) => Sides::Ends { radius: can.radius },
        _ => Sides::None,
    }
}

/// Sides of the plane have no equal in space.
#[inline(always)]
pub(super) fn sides_meet(
    _: [&Body<'_>; 2],
    _: &[Vec3<f64>],
    _: Vec3<f64>,
    _: Vec3<f64>,
    _: f64,
) -> Option<Meeting<Vec3<f64>>> {
    None
}

/// When two boxes touch first.
pub(super) fn boxes_meet(
    half_extents: [Vec3<f64>; 2],
    place: Pose3<f64>,
    velocity: Vec3<f64>,
) -> Meeting<Vec3<f64>> {
    let place = Relative { rotation: place.rotation.to_matrix(), translation: place.translation };
    let columns = place.rotation.columns;
    let boxes = MovingBoxes { half_extents, place: &place, velocity };
    match clear_arrival(&place, velocity, [half_extents[1], half_extents[0]]) {
        Some(Arrival::Never) => return Meeting::Never,
        Some(Arrival::Along(index)) => {
            let (t, axis) = time_along(&boxes, index);
            return boxes.landing(t, axis);
        }
        None => {}
    }
    match race(&boxes) {
        Some(Err(Parted)) => return Meeting::Never,
        Some(Ok((t, index))) => {
            let axis = match index {
                0..3 => Vec3::unit(index),
                3..6 => columns[index - 3],
                _ => Vec3::unit((index - 6) / 3).cross(columns[(index - 6) % 3]),
            };
            return boxes.landing(t, axis);
        }
        None => {}
    }
    boxes.meeting(&edge_axes(columns))
}

/// The cross products of the edges; the index modulo 3 is the edge of the first box.
fn edge_axes(columns: [Vec3<f64>; 3]) -> [Vec3<f64>; 9] {
    core::array::from_fn(|index| Vec3::unit(index / 3).cross(columns[index % 3]))
}

/// Tells a watcher when two boxes overlap along each axis.
pub(super) fn follow_boxes(
    half_extents: [Vec3<f64>; 2],
    place: Pose3<f64>,
    velocity: Vec3<f64>,
    watch: &mut impl Follow<Vec3<f64>>,
) {
    let place = Relative { rotation: place.rotation.to_matrix(), translation: place.translation };
    MovingBoxes { half_extents, place: &place, velocity }.tell(&edge_axes(place.rotation.columns), watch);
}

/// Whether the part of a line within `radius` of the shape has no equation here: distances lead to it.
pub(super) fn needs_distances(shape: &Shape<f64>, radius: f64) -> bool {
    match shape {
        Shape::Cylinder(_) | Shape::Cone(_) | Shape::Ellipsoid(_) => radius != 0.0,
        Shape::Rounded(rounded) => needs_distances(&rounded.core(), rounded.radius() + radius),
        _ => false,
    }
}

/// The axis along which two boxes meet last, unless that is in doubt: index 0 to 2 for the faces of the second, 3 to 5
/// for those of the first, then 6 + 3i + j for eᵢ × cⱼ, the cross product of edges.
///
/// With cⱼ the columns of the rotation, (eᵢ × cⱼ)·x is component i of cⱼ × x, and the reach of either box along it
/// is made from elements of the rotation: |(eᵢ × cⱼ)·cₖ| = |c_l,i| for the third index l.
fn race(boxes: &MovingBoxes<'_, Vec3<f64>, Mat3<f64>>) -> Option<Result<(f64, usize), Parted>> {
    let (columns, at, velocity) = (boxes.place.rotation.columns, boxes.place.translation, boxes.velocity);
    let sizes = columns.map(Vector::abs_by_axis);
    let mut race = Race::<15>::between_faces(boxes);
    // Edges that are parallel but for a thousandth have an axis that is mostly rounding error. Parallel ones have
    // none, and all that is zero does no harm.
    let is_parallel = |axis: f64| PARALLEL < axis && axis != 1.0;
    if sizes.iter().any(|size| is_parallel(size.x) || is_parallel(size.y) || is_parallel(size.z)) {
        return race.is_parted().then_some(Err(Parted));
    }
    let (turned_at, turned_velocity) = (columns.map(|c| c.cross(at)), columns.map(|c| c.cross(velocity)));
    for i in 0..3 {
        for j in 0..3 {
            let reach = reach_across(boxes.half_extents, &sizes, i, j);
            race.set(6 + 3 * i + j, turned_at[j].get(i), turned_velocity[j].get(i), reach);
        }
    }
    race.winner()
}

/// When the boxes meet along an axis of [`race`], and the axis: by the same formulas.
#[inline(always)]
fn time_along(boxes: &MovingBoxes<'_, Vec3<f64>, Mat3<f64>>, index: usize) -> (f64, Vec3<f64>) {
    let [half_first, half_second] = boxes.half_extents;
    let (columns, at, velocity) = (boxes.place.rotation.columns, boxes.place.translation, boxes.velocity);
    let sizes = columns.map(Vector::abs_by_axis);
    let (i, j) = ((index / 3).saturating_sub(2).min(2), index % 3);
    let (axis, reach) = match index {
        0..3 => {
            let reach_of_first = sizes[0].get(j) * half_first.x
                + sizes[1].get(j) * half_first.y
                + sizes[2].get(j) * half_first.z;
            (Vec3::unit(j), half_second.get(j) + reach_of_first)
        }
        3..6 => (columns[j], half_first.get(j) + half_second.dot(sizes[j])),
        _ => (Vec3::unit(i).cross(columns[j]), reach_across(boxes.half_extents, &sizes, i, j)),
    };
    let (position, speed) = (axis.dot(at), axis.dot(velocity));
    ((-reach - position * 1.0_f64.copysign(speed)) / speed.abs(), axis)
}

/// How far two boxes reach along eᵢ × cⱼ together; `sizes` are the columns of the rotation without signs.
#[inline(always)]
fn reach_across([first, second]: [Vec3<f64>; 2], sizes: &[Vec3<f64>; 3], i: usize, j: usize) -> f64 {
    let ((i1, i2), (j1, j2)) = (others(i), others(j));
    (second.get(i1) * sizes[j].get(i2) + second.get(i2) * sizes[j].get(i1))
        + (first.get(j1) * sizes[j2].get(i) + first.get(j2) * sizes[j1].get(i))
}

/// The other two axes, in turn.
#[inline(always)]
fn others(axis: usize) -> (usize, usize) {
    ((axis + 1) % 3, (axis + 2) % 3)
}

/// The cosine above which edges count as nearly parallel.
const PARALLEL: f64 = 1.0 - 1e-6;
