//! Clashes in space: what the shapes are made of.

use super::bound::aabb;
use super::closest::closest_point;
use super::composite::{Space, TriangleMesh};
use super::mesh::topology::{self, Checked, Edges, places};
use super::pair::{contact_within, intersects, normal_of};
use super::shape::{AsShape, Cuboid, Shape};
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
use crate::pair::core::Flats;
use crate::pair::nearest::Foot;
use crate::shape::Resize;
use carom_math::{Number, Pose3, Real, Vec3, Vector, power_of_two};
use std::borrow::Cow;

clash_queries! {
    Space, Vec3, Pose3, 3,
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
assert_eq!(report.clashes[0].depth, 0.25);",
    "use carom_geometry::d3::{Ball, Shape, clashes_with_progress};
use carom_math::Pose3;
use std::sync::atomic::{AtomicUsize, Ordering};
let marble = Shape::from(Ball::new(1.0)?);
let items = [0.0, 1.0, 2.0].map(|x| (marble.clone(), Pose3::from([x, 0.0, 0.0])));
let done = AtomicUsize::new(0);
let report = clashes_with_progress(&items, Default::default(), &|_, of| {
    done.fetch_add(of, Ordering::Relaxed);
})?;
assert_eq!((report.clashes.len(), done.into_inner()), (3, 9));"
}

/// The foot on a triangle.
fn foot_on(corners: [Vec3<f64>; 3], p: Vec3<f64>) -> Foot<Vec3<f64>> {
    Vec3::foot_on_triangle(corners, normal_of(corners), p)
}

/// A normal of a triangle, twice as long as that is large.
fn normal_on(corners: [Vec3<f64>; 3]) -> Vec3<f64> {
    normal_of(corners)
}

/// The triangles of a surface, those together that hang together by edges of two.
fn components(shape: &Shape<f64>) -> Vec<Vec<[Vec3<f64>; 3]>> {
    let Shape::Mesh(mesh) = shape else { return pieces(shape).into_iter().collect() };
    let vertices: Vec<_> = mesh.vertices().collect();
    // Those of a mesh are finite, and its indices exist.
    let Ok(mesh) = Checked::new(&vertices, mesh.triangles()) else { return Vec::new() };
    let edges = Edges::new(&mesh.triangles, &places(&mesh.points));
    let (component_of, count) = topology::components(mesh.triangles.len(), &edges, 2);
    let mut found = vec![Vec::new(); count];
    for (triangle, &component) in component_of.iter().enumerate() {
        found[component].push(mesh.corners(triangle));
    }
    found
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

/// The half-spaces normal·p <= offset that a shape is the common part of, normals being unit vectors.
fn faces(shape: &Shape<f64>) -> Option<Vec<(Vec3<f64>, f64)>> {
    match shape {
        Shape::HalfSpace(plane) => Some(vec![(plane.normal(), plane.offset())]),
        Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            let both =
                |axis: usize| [Vec3::unit(axis), -Vec3::unit(axis)].map(|normal| (normal, half.get(axis)));
            Some((0..3).flat_map(both).collect())
        }
        // What is flat has no inside that faces could tell.
        Shape::Hull(hull) if hull.dimension() == 3 => {
            let normals = pieces(shape)?.into_iter().filter_map(|corners| normal_of(corners).normalized());
            // The plane through the farthest corner holds the hull whatever rounding made of the normal.
            Some(normals.map(|normal| (normal, normal.dot(Space::farthest(shape, normal)))).collect())
        }
        _ => None,
    }
}

const TURN: f64 = 2.0 * core::f64::consts::PI;

/// Corners of a regular polygon, and of rings on a ball.
const AROUND: usize = 32;

/// The points of a ring of radius 1 in the plane of x and z.
fn ring() -> impl Iterator<Item = (f64, f64)> {
    (0..AROUND).map(|k| (k as f64 * TURN / AROUND as f64).sine_cosine())
}

/// Points and a radius: all that is within the radius of the hull of the points holds the shape. Rounds are replaced
/// by regular polygons around them. On a ball rings of such corners lie at latitudes as far apart: some corner is within half a
/// step of every direction in latitude and in longitude, so that the corners reach as far as cos²(half a step) at
/// least.
fn around(shape: &Shape<f64>) -> Option<(Vec<Vec3<f64>>, f64)> {
    let outside = 1.0 / (f64::PI / AROUND as f64).sine_cosine().1;
    let disc = |y: f64, radius: f64| {
        ring().map(move |(x, z)| Vec3::new(x * radius * outside, y, z * radius * outside))
    };
    match shape {
        Shape::Cylinder(cylinder) => {
            let (half, radius) = (cylinder.half_height(), cylinder.radius());
            Some((disc(-half, radius).chain(disc(half, radius)).collect(), 0.0))
        }
        Shape::Cone(cone) => {
            let tip = [Vec3::new(0.0, cone.half_height(), 0.0)];
            Some((disc(-cone.half_height(), cone.radius()).chain(tip).collect(), 0.0))
        }
        Shape::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii() * (outside * outside);
            let rings = (0..=AROUND / 2).flat_map(|k| {
                let (sine, cosine) = (k as f64 * TURN / AROUND as f64).sine_cosine();
                ring().map(move |(x, z)| Vec3::new(x * sine, cosine, z * sine))
            });
            Some((rings.map(|p| Vec3::from_fn(|axis| p.get(axis) * radii.get(axis))).collect(), 0.0))
        }
        Shape::Rounded(rounded) => {
            let (points, radius) = around(rounded.shape())?;
            Some((points, radius + rounded.radius()))
        }
        _ => None,
    }
}
