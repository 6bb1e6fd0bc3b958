//! Clashes in the plane: what the shapes are made of.

use super::bound::aabb;
use super::closest::closest_point;
use super::composite::{Plane, Polyline};
use super::pair::{contact_within, intersects};
use super::shape::{AsShape, Shape};
use crate::Error;
use crate::bound::{Aabb, Bounded, Frame};
use crate::bvh::Bvh;
use crate::clash::interior::behind;
use crate::clash::protrusion::{Cover, Deepest, MAX_PROBES, Probe, deepest};
use crate::clash::query::clash_queries;
use crate::clash::{
    Clash, ClashKind, ClashOptions, ClashReport, Counter, Overlap, are_too_different, hidden, shared_out,
};
use crate::composite::Kernels;
use crate::composite::point::nearest_part;
use crate::error::{finite_pose, not_negative};
use crate::pair::nearest::{Foot, foot_on_segment};
use crate::shape::Resize;
use carom_math::{Number, Pose2, Real, Vec2, Vector, power_of_two};
use std::borrow::Cow;

clash_queries! {
    Plane, Vec2, Pose2, 2,
    "use carom_geometry::clash::{ClashKind, ClashOptions};
use carom_geometry::d2::{Cuboid, Outline, Shape, clashes};
use carom_math::Pose2;

// A square stands in the floor of a room, a quarter deep.
let room = Outline::new([[0.0, 0.0], [9.0, 0.0], [9.0, 5.0], [8.0, 5.0], [8.0, 1.0], [0.0, 1.0]])?;
let items: [(Shape<f64>, Pose2<f64>); 2] =
    [(room.into(), [0.0, 0.0].into()), (Cuboid::new([1.0, 1.0])?.into(), [3.0, 1.75].into())];
let report = clashes(&items, ClashOptions::default())?;
assert_eq!((report.clashes.len(), report.clashes[0].kind), (1, ClashKind::Piercing));
assert_eq!(report.clashes[0].depth, 0.25);",
    "use carom_geometry::d2::{Ball, Shape, clashes_with_progress};
use carom_math::Pose2;
use std::sync::atomic::{AtomicUsize, Ordering};
let marble = Shape::from(Ball::new(1.0)?);
let items = [0.0, 1.0, 2.0].map(|x| (marble.clone(), Pose2::from([x, 0.0])));
let done = AtomicUsize::new(0);
let report = clashes_with_progress(&items, Default::default(), &|_, of| {
    done.fetch_add(of, Ordering::Relaxed);
})?;
assert_eq!((report.clashes.len(), done.into_inner()), (3, 9));"
}

/// The foot on a segment.
fn foot_on([a, b]: [Vec2<f64>; 2], p: Vec2<f64>) -> Foot<Vec2<f64>> {
    foot_on_segment(a, b, p)
}

/// A normal of a segment, as long as it is.
fn normal_on([a, b]: [Vec2<f64>; 2]) -> Vec2<f64> {
    (b - a).perpendicular()
}

/// The segments of a surface, which hang together.
fn components(shape: &Shape<f64>) -> Vec<Vec<[Vec2<f64>; 2]>> {
    pieces(shape).into_iter().collect()
}

/// Whether it is not made of many parts.
fn is_convex(shape: &Shape<f64>) -> bool {
    let has_parts =
        matches!(shape, Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_));
    !has_parts
}

/// The line around an outline.
fn surface_of(shape: &Shape<f64>) -> Option<Shape<f64>> {
    match shape {
        Shape::Outline(outline) => Polyline::closed(outline.points()).ok().map(Shape::from),
        _ => None,
    }
}

/// The segments of a surface that consists of such.
fn pieces(shape: &Shape<f64>) -> Option<Vec<[Vec2<f64>; 2]>> {
    let around = |points: Vec<Vec2<f64>>| {
        let next = points.iter().copied().cycle().skip(1);
        points.iter().copied().zip(next).map(|(a, b)| [a, b]).collect::<Vec<_>>()
    };
    match shape {
        Shape::Cuboid(_) | Shape::Triangle(_) | Shape::Polygon(_) => Some(around(extremes(shape)?.0)),
        Shape::Segment(segment) => Some(vec![[segment.a(), segment.b()]]),
        Shape::Outline(outline) => Some((0..outline.edge_count()).map(|index| outline.edge(index)).collect()),
        Shape::Polyline(line) => {
            let mut all = around(line.points().collect());
            if !line.is_closed() {
                all.pop();
            }
            Some(all)
        }
        Shape::HeightField(field) => Some(
            (0..field.cells()).filter_map(|index| field.segment(index)).map(|s| [s.a(), s.b()]).collect(),
        ),
        _ => None,
    }
}

/// Points and a radius: a convex solid that holds the balls of that radius about the points holds the shape.
/// Those of a polygon go around it.
fn extremes(shape: &Shape<f64>) -> Option<(Vec<Vec2<f64>>, f64)> {
    Some(match shape {
        Shape::Ball(ball) => (vec![Vec2::ZERO], ball.radius()),
        Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            let corner = |x: f64, y: f64| Vec2::new(half.x.copysign(x), half.y.copysign(y));
            (vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)], 0.0)
        }
        Shape::Capsule(capsule) => (vec![capsule.segment().a(), capsule.segment().b()], capsule.radius()),
        Shape::Segment(segment) => (vec![segment.a(), segment.b()], 0.0),
        Shape::Triangle(triangle) => (triangle.corners().to_vec(), 0.0),
        Shape::Polygon(polygon) => (polygon.points().collect(), 0.0),
        Shape::Rounded(rounded) => {
            let (points, radius) = extremes(rounded.shape())?;
            (points, radius + rounded.radius())
        }
        Shape::Outline(outline) => (outline.points().collect(), 0.0),
        Shape::Polyline(line) => (line.points().collect(), 0.0),
        Shape::HeightField(_) => (pieces(shape)?.into_iter().flatten().collect(), 0.0),
        _ => return None,
    })
}

/// The half-planes normal·p <= offset that a shape is the common part of, normals being unit vectors.
fn faces(shape: &Shape<f64>) -> Option<Vec<(Vec2<f64>, f64)>> {
    match shape {
        Shape::HalfSpace(plane) => Some(vec![(plane.normal(), plane.offset())]),
        Shape::Cuboid(_) | Shape::Triangle(_) | Shape::Polygon(_) => {
            let across = pieces(shape)?.into_iter().filter_map(|[a, b]| (b - a).perpendicular().normalized());
            // Sides may be given either way around; the shape lies behind one side of each.
            let planes = across
                .flat_map(|normal| [normal, -normal])
                .map(|normal| (normal, normal.dot(Plane::farthest(shape, normal))));
            Some(planes.collect())
        }
        _ => None,
    }
}

/// Points and a radius: all that is within the radius of the hull of the points holds the shape. An ellipse is
/// replaced by the image of a regular polygon around a circle.
fn around(shape: &Shape<f64>) -> Option<(Vec<Vec2<f64>>, f64)> {
    const CORNERS: usize = 64;
    const TURN: f64 = 2.0 * core::f64::consts::PI;
    match shape {
        Shape::Ellipsoid(ellipse) => {
            let radii = ellipse.radii() / (f64::PI / CORNERS as f64).sine_cosine().1;
            let corners = (0..CORNERS).map(|k| (k as f64 * TURN / CORNERS as f64).sine_cosine());
            Some((corners.map(|(y, x)| Vec2::new(x * radii.x, y * radii.y)).collect(), 0.0))
        }
        Shape::Rounded(rounded) => {
            let (points, radius) = around(rounded.shape())?;
            Some((points, radius + rounded.radius()))
        }
        _ => None,
    }
}
