//! Clashes in space: what the shapes are made of.

use super::bound::aabb;
use super::closest::closest_point;
use super::composite::TriangleMesh;
use super::pair::{contact_within, intersects, normal_of};
use super::shape::{AsShape, Cuboid, Shape};
use crate::Error;
use crate::bound::Aabb;
use crate::bvh::{Bvh, squared_distance_below};
use crate::clash::protrusion::{Cover, Probe, deepest};
use crate::clash::query::clash_queries;
use crate::clash::{Clash, ClashKind, ClashOptions, ClashReport, Overlap, hidden};
use crate::error::{finite_pose, not_negative};
use crate::pair::core::Flats;
use crate::pair::nearest::Foot;
use crate::shape::Resize;
use carom_math::{Number, Pose3, Real, Vec3, Vector};
use core::ops::ControlFlow;

clash_queries! {
    Vec3, Pose3, 3,
    "use carom_geometry::clash::{ClashKind, ClashOptions};
use carom_geometry::d3::{Ball, Cuboid, Shape, clashes};
use carom_math::Pose3;

let at = |x: f64| Pose3::from([x, 0.0, 0.0]);
let crate_of = |half: f64| Cuboid::new([half; 3]).map(Shape::from);
let items: [(Shape<f64>, Pose3<f64>); 4] = [
    (crate_of(1.0)?, at(0.0)),
    (crate_of(1.0)?, at(1.75)),
    (Ball::new(0.5)?.into(), at(0.0)),
    (crate_of(1.0)?, at(3.76)),
];
let report = clashes(&items, ClashOptions { clearance: 0.0625, touch: 0.0 })?;
let kinds: Vec<_> = report.clashes.iter().map(|clash| (clash.first, clash.second, clash.kind)).collect();
assert_eq!(
    kinds,
    [(0, 1, ClashKind::Piercing), (0, 2, ClashKind::SecondInside), (1, 3, ClashKind::Near)]
);
assert_eq!(report.clashes[0].depth, 0.25);"
}

/// The foot on a triangle.
fn foot_on(corners: [Vec3<f64>; 3], p: Vec3<f64>) -> Foot<Vec3<f64>> {
    Vec3::foot_on_triangle(corners, normal_of(corners), p)
}

/// Whether it is not made of many parts.
fn is_convex(shape: &Shape<f64>) -> bool {
    !matches!(shape, Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_))
}

/// The surface alone of a mesh that is a solid.
fn surface_of(shape: &Shape<f64>) -> Option<Shape<f64>> {
    match shape {
        Shape::Mesh(mesh) if mesh.is_solid() => Some(mesh.surface().into()),
        _ => None,
    }
}

/// The triangles of a surface that consists of such.
fn pieces(shape: &Shape<f64>) -> Option<Vec<[Vec3<f64>; 3]>> {
    match shape {
        Shape::Cuboid(cuboid) => {
            let corners = corners_of(cuboid);
            // The faces by their corners, whose bits say on which side of each axis they are.
            const FACES: [[usize; 4]; 6] =
                [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]];
            let halves = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]];
            Some(FACES.into_iter().flat_map(halves).map(|ids| ids.map(|id| corners[id])).collect())
        }
        Shape::Triangle(triangle) => Some(vec![triangle.corners()]),
        Shape::Hull(hull) => {
            let vertices: Vec<_> = hull.vertices().collect();
            Some(hull.triangles().map(|ids| ids.map(|id| vertices[id as usize])).collect())
        }
        Shape::Mesh(mesh) => Some(triangles_of(mesh)),
        Shape::HeightField(field) => {
            let [rows, columns] = field.cells();
            let count = 2 * rows * columns;
            Some((0..count as u32).filter_map(|part| field.triangle(part)).map(|t| t.corners()).collect())
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter().filter_map(|(part, pose)| Some((pieces(part)?, *pose)));
            let placed = |(pieces, pose): (Vec<[Vec3<f64>; 3]>, Pose3<f64>)| {
                pieces.into_iter().map(move |corners| corners.map(|p| pose.point_to_world(p)))
            };
            let all: Vec<_> = parts.flat_map(placed).collect();
            (!all.is_empty()).then_some(all)
        }
        _ => None,
    }
}

fn triangles_of(mesh: &TriangleMesh<f64>) -> Vec<[Vec3<f64>; 3]> {
    (0..mesh.triangles().len()).filter_map(|index| mesh.triangle(index)).map(|t| t.corners()).collect()
}

fn corners_of(cuboid: &Cuboid<f64>) -> [Vec3<f64>; 8] {
    let half = cuboid.half_extents();
    core::array::from_fn(|id| {
        Vec3::from_fn(|axis| if id >> axis & 1 == 0 { -half.get(axis) } else { half.get(axis) })
    })
}

/// Points and a radius: a convex solid that holds the balls of that radius about the points holds the shape.
fn extremes(shape: &Shape<f64>) -> Option<(Vec<Vec3<f64>>, f64)> {
    Some(match shape {
        Shape::Ball(ball) => (vec![Vec3::ZERO], ball.radius()),
        Shape::Cuboid(cuboid) => (corners_of(cuboid).to_vec(), 0.0),
        Shape::Capsule(capsule) => (vec![capsule.segment().a(), capsule.segment().b()], capsule.radius()),
        Shape::Segment(segment) => (vec![segment.a(), segment.b()], 0.0),
        Shape::Triangle(triangle) => (triangle.corners().to_vec(), 0.0),
        Shape::Hull(hull) => (hull.vertices().collect(), 0.0),
        Shape::Rounded(rounded) => {
            let (points, radius) = extremes(rounded.shape())?;
            (points, radius + rounded.radius())
        }
        Shape::Mesh(mesh) => (mesh.vertices().collect(), 0.0),
        Shape::HeightField(_) => (pieces(shape)?.into_iter().flatten().collect(), 0.0),
        _ => return None,
    })
}
