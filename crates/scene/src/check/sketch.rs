//! What a shape looks like from a side: filled loops and lines in the plane of the picture.
//!
//! A convex shape is the hull of discs: its corners, each with the radius that it is rounded by. A mesh is filled
//! by its triangles and drawn by its creases, rims and outline. Pictures are for people: rounding does not matter
//! here, and curves have 48 corners.

use crate::scene_file::Dimension;
use carom::math::{Real, Rot2, Vec2, Vec3, Vector};
use carom::{d2, d3};
use std::collections::BTreeMap;

/// A point of a picture: to the right, and up.
pub(super) type Point = [f64; 2];

/// A side to look from.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// What is seen.
    pub(super) title: &'static str,
    /// The axis to the right and its sign, the axis up and its sign, and the axis towards the viewer.
    right: (usize, f64),
    up: (usize, f64),
    toward: usize,
    /// The column and the row of the picture that it stands in.
    pub(super) cell: [usize; 2],
}

/// A piece of a drawing.
pub(super) enum Stroke {
    /// Loops that are filled together and, where that is asked for, have a rim.
    Area { loops: Vec<Vec<Point>>, has_rim: bool },
    /// Lines that are not filled.
    Lines(Vec<Vec<Point>>),
    /// Everything on one side: the points p with normal·p <= offset.
    Half { normal: Point, offset: f64 },
}

/// How the plane and space are drawn.
pub(super) trait Drawn: Dimension<Scalar = f64> {
    /// The sides to look from.
    const VIEWS: &'static [View];
    /// The box around a placed shape; not finite for what has no end.
    fn bounds(shape: &Self::Shape, pose: Self::Pose) -> Option<[Self; 2]>;
    /// Appends what the placed shape looks like; only its outline unless it is drawn in `detail`.
    fn sketch(shape: &Self::Shape, pose: Self::Pose, view: &View, detail: bool, strokes: &mut Vec<Stroke>);
}

impl View {
    /// A point as it is seen.
    pub(super) fn seen<V: Vector<Scalar = f64>>(&self, point: V) -> Point {
        [point.get(self.right.0) * self.right.1, point.get(self.up.0) * self.up.1]
    }
    /// The axes to the right and up.
    pub(super) fn axes(&self) -> [usize; 2] {
        [self.right.0, self.up.0]
    }
    /// The names of the directions to the right and up.
    pub(super) fn names(&self) -> [&'static str; 2] {
        let name = |(axis, sign): (usize, f64)| match (axis, 0.0 < sign) {
            (0, true) => "x",
            (0, false) => "−x",
            (1, true) => "y",
            (1, false) => "−y",
            (_, true) => "z",
            (_, false) => "−z",
        };
        [name(self.right), name(self.up)]
    }
}

impl Drawn for Vec2<f64> {
    const VIEWS: &'static [View] =
        &[View { title: "plane", right: (0, 1.0), up: (1, 1.0), toward: 2, cell: [0, 0] }];

    fn bounds(shape: &Self::Shape, pose: Self::Pose) -> Option<[Self; 2]> {
        d2::aabb(shape, pose).ok().map(|bounds| [bounds.min, bounds.max])
    }

    fn sketch(shape: &Self::Shape, pose: Self::Pose, view: &View, _: bool, strokes: &mut Vec<Stroke>) {
        use d2::Shape;
        let seen = |point: Vec2<f64>| view.seen(pose.point_to_world(point));
        let path = |points: &mut dyn Iterator<Item = Vec2<f64>>| -> Vec<Point> { points.map(seen).collect() };
        match shape {
            Shape::Outline(outline) => {
                strokes.push(Stroke::Area { loops: vec![path(&mut outline.points())], has_rim: true });
            }
            Shape::Polyline(line) => {
                let mut points = path(&mut line.points());
                points.extend(points.first().copied().filter(|_| line.is_closed()));
                strokes.push(Stroke::Lines(vec![points]));
            }
            Shape::HeightField(field) => {
                let segments = (0..field.cells()).filter_map(|index| field.segment(index));
                let lines = segments.map(|segment| vec![seen(segment.a()), seen(segment.b())]);
                strokes.push(Stroke::Lines(lines.collect()));
            }
            Shape::Compound(compound) => {
                for (part, place) in compound.parts() {
                    Self::sketch(part, pose * *place, view, true, strokes);
                }
            }
            Shape::HalfSpace(half) => {
                let normal = pose.rotation.rotate(half.normal());
                let offset = half.offset() + normal.dot(pose.translation);
                strokes.push(Stroke::Half { normal: view.seen(normal), offset });
            }
            Shape::Ellipsoid(ellipse) => {
                let radii = ellipse.radii();
                let points = around().map(|at| seen(Vec2::new(at.x * radii.x, at.y * radii.y)));
                strokes.extend(outline(points.collect(), 0.0));
            }
            other => {
                let Some((points, radius)) = discs2(other) else { return };
                strokes.extend(outline(points.into_iter().map(seen).collect(), radius));
            }
        }
    }
}

impl Drawn for Vec3<f64> {
    // As in a technical drawing: the view from above stands above the view from the front, the one from the right
    // beside it.
    const VIEWS: &'static [View] = &[
        View { title: "from above", right: (0, 1.0), up: (2, -1.0), toward: 1, cell: [0, 0] },
        View { title: "from the front", right: (0, 1.0), up: (1, 1.0), toward: 2, cell: [0, 1] },
        View { title: "from the right", right: (2, -1.0), up: (1, 1.0), toward: 0, cell: [1, 1] },
    ];

    fn bounds(shape: &Self::Shape, pose: Self::Pose) -> Option<[Self; 2]> {
        d3::aabb(shape, pose).ok().map(|bounds| [bounds.min, bounds.max])
    }

    fn sketch(shape: &Self::Shape, pose: Self::Pose, view: &View, detail: bool, strokes: &mut Vec<Stroke>) {
        use d3::Shape;
        let world = |point: Vec3<f64>| pose.point_to_world(point);
        match shape {
            Shape::Mesh(mesh) => {
                let vertices: Vec<_> = mesh.vertices().map(world).collect();
                triangles(&vertices, mesh.triangles(), mesh.is_solid(), view, detail, strokes);
            }
            Shape::HeightField(field) => {
                let (vertices, corners) = grid(field);
                let vertices: Vec<_> = vertices.into_iter().map(world).collect();
                triangles(&vertices, &corners, false, view, detail, strokes);
            }
            Shape::Compound(compound) => {
                for (part, place) in compound.parts() {
                    Self::sketch(part, pose * *place, view, detail, strokes);
                }
            }
            Shape::HalfSpace(half) => {
                let normal = pose.rotation.rotate(half.normal());
                let offset = half.offset() + normal.dot(pose.translation);
                let [right, up] = view.seen(normal);
                // Seen from any other side than its edge it covers everything.
                if normal.get(view.toward).abs() <= 1e-6 {
                    strokes.push(Stroke::Half { normal: [right, up], offset });
                }
            }
            Shape::Ellipsoid(ellipsoid) => {
                // The farthest point of an ellipsoid in the direction d is r²d/|rd|, axis by axis.
                let radii = ellipsoid.radii();
                let points = around().filter_map(|at| {
                    let toward =
                        Vec3::ZERO.with(view.right.0, at.x * view.right.1).with(view.up.0, at.y * view.up.1);
                    let local = pose.rotation.inverse().rotate(toward);
                    let scaled = local.zip(radii, |x, radius| x * radius);
                    let farthest = scaled.normalized()?.zip(radii, |x, radius| x * radius);
                    Some(view.seen(world(farthest)))
                });
                strokes.extend(outline(points.collect(), 0.0));
            }
            other => {
                let Some((points, radius)) = discs3(other) else { return };
                let points = points.into_iter().map(|point| view.seen(world(point))).collect();
                strokes.extend(outline(points, radius));
            }
        }
    }
}

/// Directions all around.
fn around() -> impl Iterator<Item = Vec2<f64>> {
    const CORNERS: u32 = 48;
    (0..CORNERS).map(|corner| {
        let angle = f64::from(corner) * (2.0 * std::f64::consts::PI / f64::from(CORNERS));
        Rot2::from_angle(angle).rotate(Vec2::new(1.0, 0.0))
    })
}

/// The hull of discs of the same radius.
fn outline(points: Vec<Point>, radius: f64) -> Option<Stroke> {
    let mut all: Vec<Vec2<f64>> = points.into_iter().map(Vec2::from).collect();
    if 0.0 < radius {
        all = all.iter().flat_map(|&center| around().map(move |at| center + at * radius)).collect();
    }
    let hull = d2::convex_hull(&all).ok()?;
    let corners = hull.iter().filter_map(|&corner| all.get(corner)).map(|&corner| corner.into()).collect();
    Some(Stroke::Area { loops: vec![corners], has_rim: true })
}

/// The corners of a convex shape, and the radius that it is rounded by.
fn discs2(shape: &d2::Shape<f64>) -> Option<(Vec<Vec2<f64>>, f64)> {
    use d2::Shape;
    Some(match shape {
        Shape::Ball(ball) => (vec![Vec2::ZERO], ball.radius()),
        Shape::Cuboid(cuboid) => (box_corners(cuboid.half_extents()), 0.0),
        Shape::Capsule(capsule) => (vec![capsule.segment().a(), capsule.segment().b()], capsule.radius()),
        Shape::Segment(segment) => (vec![segment.a(), segment.b()], 0.0),
        Shape::Triangle(triangle) => (triangle.corners().to_vec(), 0.0),
        Shape::Polygon(polygon) => (polygon.points().collect(), 0.0),
        Shape::Ellipsoid(ellipse) => {
            let radii = ellipse.radii();
            (around().map(|at| at.zip(radii, |x, radius| x * radius)).collect(), 0.0)
        }
        Shape::Rounded(rounded) => {
            let (points, radius) = discs2(rounded.shape())?;
            (points, radius + rounded.radius())
        }
        _ => return None,
    })
}

/// The same in space; round edges and ellipsoids by many corners.
fn discs3(shape: &d3::Shape<f64>) -> Option<(Vec<Vec3<f64>>, f64)> {
    use d3::Shape;
    let ring =
        |height: f64, radius: f64| around().map(move |at| Vec3::new(at.x * radius, height, at.y * radius));
    Some(match shape {
        Shape::Ball(ball) => (vec![Vec3::ZERO], ball.radius()),
        Shape::Cuboid(cuboid) => (box_corners(cuboid.half_extents()), 0.0),
        Shape::Capsule(capsule) => (vec![capsule.segment().a(), capsule.segment().b()], capsule.radius()),
        Shape::Segment(segment) => (vec![segment.a(), segment.b()], 0.0),
        Shape::Triangle(triangle) => (triangle.corners().to_vec(), 0.0),
        Shape::Hull(hull) => (hull.vertices().collect(), 0.0),
        Shape::Cylinder(can) => {
            let (height, radius) = (can.half_height(), can.radius());
            (ring(height, radius).chain(ring(-height, radius)).collect(), 0.0)
        }
        Shape::Cone(cone) => {
            let tip = Vec3::new(0.0, cone.half_height(), 0.0);
            (ring(-cone.half_height(), cone.radius()).chain([tip]).collect(), 0.0)
        }
        Shape::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            let sphere = around().flat_map(|up| ring(up.y, up.x));
            (sphere.map(|at| at.zip(radii, |x, radius| x * radius)).collect(), 0.0)
        }
        Shape::Rounded(rounded) => {
            let (points, radius) = discs3(rounded.shape())?;
            (points, radius + rounded.radius())
        }
        _ => return None,
    })
}

fn box_corners<V: Vector<Scalar = f64>>(half: V) -> Vec<V> {
    let sign = |id: usize, axis: usize| if id >> axis & 1 == 0 { -half.get(axis) } else { half.get(axis) };
    (0..1 << V::DIM).map(|id| V::from_fn(|axis| sign(id, axis))).collect()
}

/// The corners and triangles of a height field.
fn grid(field: &d3::HeightField<f64>) -> (Vec<Vec3<f64>>, Vec<[u32; 3]>) {
    let [rows, columns] = field.cells();
    let parts = u32::try_from(rows.saturating_mul(columns).saturating_mul(2)).unwrap_or(u32::MAX);
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for triangle in (0..parts).filter_map(|part| field.triangle(part)) {
        let first = vertices.len() as u32;
        vertices.extend(triangle.corners());
        triangles.push([first, first + 1, first + 2]);
    }
    (vertices, triangles)
}

/// Beyond this many triangles a mesh is drawn by its hull alone.
const MOST_TRIANGLES: usize = 50_000;
/// Beyond this many it is not filled by its triangles.
const MOST_FILLED: usize = 2_000;
/// Beyond this many edges none is drawn.
const MOST_EDGES: usize = 6_000;
/// Triangles whose normals have at most this cosine, 37 degrees, meet in a crease.
const CREASE: f64 = 0.8;

/// The surface of triangles, which are placed already.
fn triangles(
    vertices: &[Vec3<f64>],
    triangles: &[[u32; 3]],
    is_solid: bool,
    view: &View,
    detail: bool,
    strokes: &mut Vec<Stroke>,
) {
    let corners_of = |triangle: &[u32; 3]| -> Option<[Vec3<f64>; 3]> {
        let [a, b, c] = triangle.map(|corner| vertices.get(corner as usize).copied());
        Some([a?, b?, c?])
    };
    let hull = || {
        let used = triangles.iter().filter_map(corners_of).flatten();
        outline(used.map(|vertex| view.seen(vertex)).collect(), 0.0)
    };
    if !detail || MOST_TRIANGLES < triangles.len() {
        strokes.extend(hull());
        return;
    }
    let edges = edges(triangles.iter().filter_map(corners_of), view);
    let has_edges = edges.len() <= MOST_EDGES;
    if MOST_FILLED < triangles.len() {
        strokes.extend(hull().map(|stroke| match stroke {
            Stroke::Area { loops, .. } => Stroke::Area { loops, has_rim: !has_edges },
            other => other,
        }));
    } else {
        let mut loops = Vec::new();
        for corners in triangles.iter().filter_map(corners_of) {
            let [a, mut b, mut c] = corners.map(|corner| view.seen(corner));
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            // All run the same way, so that they cover where they overlap. The back of a solid is behind its front.
            if area < 0.0 && !is_solid {
                (b, c) = (c, b);
            }
            if area != 0.0 && (0.0 < area || !is_solid) {
                loops.push(vec![a, b, c]);
            }
        }
        strokes.push(Stroke::Area { loops, has_rim: false });
    }
    if has_edges {
        strokes.push(Stroke::Lines(edges));
    }
}

/// The normals of the triangles at an edge, and its ends.
type Side = (Vec<Vec3<f64>>, [Vec3<f64>; 2]);

/// The edges that are worth drawing: rims, creases, and those where the surface turns away from the viewer.
fn edges(triangles: impl Iterator<Item = [Vec3<f64>; 3]>, view: &View) -> Vec<Vec<Point>> {
    // By the places of their ends, because vertices may be there several times.
    let key = |point: Vec3<f64>| [point.x, point.y, point.z].map(|x| (x + 0.0).to_bits());
    let mut sides: BTreeMap<_, Side> = BTreeMap::new();
    for corners in triangles {
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(c - a).normalized() else { continue };
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let ends = if key(from) < key(to) { [key(from), key(to)] } else { [key(to), key(from)] };
            sides.entry(ends).or_insert_with(|| (Vec::new(), [from, to])).0.push(normal);
        }
    }
    let is_drawn = |normals: &[Vec3<f64>]| match normals {
        [first, second] => {
            let turns = first.get(view.toward) * second.get(view.toward) <= 0.0;
            let cosine = first.dot(*second);
            // Facets of a flat face seen from its edge turn away by nothing.
            cosine <= CREASE || turns && cosine < 1.0 - 1e-9
        }
        _ => true,
    };
    let drawn = sides.into_values().filter(|(normals, _)| is_drawn(normals));
    drawn.map(|(_, ends)| ends.map(|end| view.seen(end)).to_vec()).collect()
}

/// A finite number for a picture, whatever was calculated.
pub(super) fn finite(x: f64) -> f64 {
    const FAR: f64 = 1e6;
    if x.finite() && x.abs() < FAR {
        x
    } else if 0.0 < x {
        FAR
    } else {
        -FAR
    }
}
