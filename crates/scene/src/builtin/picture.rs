//! Pictures of worlds as SVG: what moves is in the frame, in its colour; what sleeps is pale.
//!
//! The plane is drawn as it is. Space is drawn in parallel projection from the upper right, the farthest body
//! first: flat faces that look this way in the light of a lamp at the left, round shapes as the outline of their
//! shadow. What does not move is behind everything; what is moved by force, such as a drum, is drawn like glass.

use carom::d2::{self, BodyKind, Rot2};
use carom::d3::{self, Quat};
use carom::math::{Vec2, Vec3, Vector};
use std::fmt::Write;

/// The longer side of a picture, in pixels.
const SIZE: f32 = 960.0;
/// How much is drawn of what has no end.
const ENDLESS: f32 = 1e4;
/// How many points a round outline has.
const ROUND: u16 = 24;

/// One shape, or one of its faces: its outline in the plane of the picture, what it is, how far away.
struct Outline {
    points: Vec<Vec2<f32>>,
    color: Color,
    opacity: f32,
    depth: f32,
    moves: bool,
}

/// Red, green and blue, 0 to 255.
type Color = [f32; 3];

/// The world seen from the front.
pub(super) fn flat(world: &d2::World) -> String {
    let mut outlines = Vec::new();
    for body in world.bodies() {
        let pose = body.pose();
        for handle in body.colliders() {
            let Ok(collider) = world.collider(handle) else { continue };
            let place = pose * collider.pose();
            let points = outline2(collider.shape()).into_iter().map(|p| place.point_to_world(p)).collect();
            let color = color(body.kind(), body.is_awake(), collider.is_sensor(), handle.index());
            let moves = body.kind() == BodyKind::Dynamic;
            let opacity = if collider.is_sensor() { 0.4 } else { 1.0 };
            outlines.push(Outline { points, color, opacity, depth: 0.0, moves });
        }
    }
    draw(outlines)
}

/// The world seen from the upper right.
pub(super) fn solid(world: &d3::World) -> String {
    let right = Vec3::new(0.866_025_4, 0.0, -0.5);
    let up = Vec3::new(-0.25, 0.866_025_4, -0.433_012_7);
    // Towards the eye, and towards the lamp.
    let (back, lamp) = (right.cross(up), Vec3::new(-0.36, 0.8, 0.48));
    let mut outlines = Vec::new();
    for body in world.bodies() {
        let pose = body.pose();
        for handle in body.colliders() {
            let Ok(collider) = world.collider(handle) else { continue };
            let place = pose * collider.pose();
            let seen = |p: Vec3<f32>| Vec2::new(p.dot(right), p.dot(up));
            let color = color(body.kind(), body.is_awake(), collider.is_sensor(), handle.index());
            let (depth, opacity) = match body.kind() {
                // The ground is behind everything.
                BodyKind::Fixed => (f32::NEG_INFINITY, 1.0),
                BodyKind::Kinematic => (place.translation.dot(back), 0.3),
                BodyKind::Dynamic => (body.center_of_mass().dot(back), 1.0),
            };
            let opacity = if collider.is_sensor() { 0.3 } else { opacity };
            let moves = body.kind() == BodyKind::Dynamic;
            let mut push = |points, color| outlines.push(Outline { points, color, opacity, depth, moves });
            let faces = faces(collider.shape());
            for face in &faces {
                let corners: Vec<_> = face.iter().map(|p| place.point_to_world(*p)).collect();
                let normal = normal(&corners);
                if 0.0 < normal.dot(back) {
                    let light = 0.72 + 0.28 * normal.dot(lamp);
                    push(corners.into_iter().map(seen).collect(), color.map(|part| part * light));
                }
            }
            if faces.is_empty() {
                let shadow = points3(collider.shape()).into_iter().map(|p| seen(place.point_to_world(p)));
                push(hull_of(shadow.collect()), color);
            }
        }
    }
    outlines.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    draw(outlines)
}

/// The unit normal of a flat face, counter-clockwise seen from outside (Newell); zero for one without an area.
fn normal(corners: &[Vec3<f32>]) -> Vec3<f32> {
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let sum =
        edges.fold(Vec3::new(0.0, 0.0, 0.0), |sum, (a, b)| sum + (*a - corners[0]).cross(*b - corners[0]));
    sum.normalized().unwrap_or_default()
}

fn color(kind: BodyKind, is_awake: bool, is_sensor: bool, index: usize) -> Color {
    const AWAKE: [Color; 4] =
        [[59.0, 125.0, 216.0], [79.0, 157.0, 224.0], [47.0, 107.0, 184.0], [98.0, 174.0, 232.0]];
    const ASLEEP: [Color; 4] =
        [[185.0, 199.0, 216.0], [197.0, 211.0, 226.0], [173.0, 188.0, 205.0], [207.0, 219.0, 232.0]];
    match kind {
        _ if is_sensor => [230.0, 200.0, 75.0],
        BodyKind::Fixed => [196.0, 200.0, 206.0],
        BodyKind::Kinematic => [224.0, 138.0, 60.0],
        BodyKind::Dynamic if is_awake => AWAKE[index % 4],
        BodyKind::Dynamic => ASLEEP[index % 4],
    }
}

/// The file.
fn draw(outlines: Vec<Outline>) -> String {
    let finite = |p: &&Vec2<f32>| p.x.is_finite() && p.y.is_finite();
    let (mut low, mut high) = (Vec2::new(f32::MAX, f32::MAX), Vec2::new(f32::MIN, f32::MIN));
    let has_movers = outlines.iter().any(|outline| outline.moves);
    for p in outlines.iter().filter(|o| o.moves || !has_movers).flat_map(|o| &o.points).filter(finite) {
        low = Vec2::new(if p.x < low.x { p.x } else { low.x }, if p.y < low.y { p.y } else { low.y });
        high = Vec2::new(if high.x < p.x { p.x } else { high.x }, if high.y < p.y { p.y } else { high.y });
    }
    if high.x < low.x {
        (low, high) = (Vec2::new(-1.0, -1.0), Vec2::new(1.0, 1.0));
    }
    let extent = if high.x - low.x < high.y - low.y { high.y - low.y } else { high.x - low.x };
    let margin = 0.05 * extent + 0.01;
    low -= Vec2::new(margin, margin);
    high += Vec2::new(margin, margin);
    let scale = SIZE / (extent + 2.0 * margin);
    let (width, height) = ((high.x - low.x) * scale, (high.y - low.y) * scale);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\"/>\n\
         <g stroke=\"#22303c\" stroke-width=\"0.4\" stroke-linejoin=\"round\">"
    );
    for outline in outlines {
        let is_seen = outline.points.iter().all(|p| finite(&p)) && {
            let beyond = |f: &dyn Fn(&Vec2<f32>) -> bool| outline.points.iter().all(f);
            !beyond(&|p| p.x < low.x)
                && !beyond(&|p| high.x < p.x)
                && !beyond(&|p| p.y < low.y)
                && !beyond(&|p| high.y < p.y)
        };
        if !is_seen || outline.points.is_empty() {
            continue;
        }
        let [red, green, blue] = outline.color.map(|part| part as u8);
        let _ = write!(svg, "<polygon fill=\"#{red:02x}{green:02x}{blue:02x}\"");
        if outline.opacity < 1.0 {
            let _ = write!(svg, " fill-opacity=\"{}\"", outline.opacity);
        }
        svg.push_str(" points=\"");
        for p in outline.points {
            let _ = write!(svg, "{:.1},{:.1} ", (p.x - low.x) * scale, (high.y - p.y) * scale);
        }
        svg.push_str("\"/>\n");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Points on a circle.
fn circle(radius: f32) -> impl Iterator<Item = Vec2<f32>> {
    (0..ROUND).map(move |k| {
        let turn = Rot2::from_angle(f32::from(k) * 2.0 * core::f32::consts::PI / f32::from(ROUND));
        turn.rotate(Vec2::new(radius, 0.0))
    })
}

/// The corners of a shape in its own frame, in order.
fn outline2(shape: &d2::Shape<f32>) -> Vec<Vec2<f32>> {
    match shape {
        d2::Shape::Ball(ball) => circle(ball.radius()).collect(),
        d2::Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, y)| Vec2::new(x * half.x, y * half.y))
                .to_vec()
        }
        d2::Shape::Capsule(capsule) => {
            let (a, b) = (capsule.segment().a(), capsule.segment().b());
            hull_of(circle(capsule.radius()).flat_map(|p| [a + p, b + p]).collect())
        }
        d2::Shape::Segment(segment) => vec![segment.a(), segment.b()],
        d2::Shape::Triangle(triangle) => triangle.corners().to_vec(),
        d2::Shape::Polygon(polygon) => polygon.points().collect(),
        d2::Shape::Ellipsoid(ellipse) => {
            let radii = ellipse.radii();
            circle(1.0).map(|p| Vec2::new(p.x * radii.x, p.y * radii.y)).collect()
        }
        d2::Shape::Rounded(rounded) => {
            let core = outline2(rounded.shape());
            hull_of(
                core.into_iter()
                    .flat_map(|corner| circle(rounded.radius()).map(move |p| corner + p))
                    .collect(),
            )
        }
        d2::Shape::Outline(outline) => outline.points().collect(),
        // There and back, so that nothing is filled.
        d2::Shape::Polyline(line) => {
            let end = line.points().next().filter(|_| line.is_closed());
            let there: Vec<_> = line.points().chain(end).collect();
            there.iter().chain(there.iter().rev()).copied().collect()
        }
        d2::Shape::HeightField(field) => {
            let segments = (0..field.cells()).filter_map(|k| field.segment(k));
            let there: Vec<_> = segments.flat_map(|segment| [segment.a(), segment.b()]).collect();
            there.iter().chain(there.iter().rev()).copied().collect()
        }
        d2::Shape::HalfSpace(half) => {
            let (normal, on) = (half.normal(), half.normal() * half.offset());
            let along = Vec2::new(-normal.y, normal.x) * ENDLESS;
            vec![on - along, on - along - normal * ENDLESS, on + along - normal * ENDLESS, on + along]
        }
        _ => Vec::new(),
    }
}

fn hull_of(points: Vec<Vec2<f32>>) -> Vec<Vec2<f32>> {
    d2::convex_hull(&points).map_or_else(|_| Vec::new(), |order| order.iter().map(|&k| points[k]).collect())
}

/// The flat faces of a shape in its own frame, counter-clockwise seen from outside; none for a round one.
fn faces(shape: &d3::Shape<f32>) -> Vec<Vec<Vec3<f32>>> {
    // What is round about the y axis, between two radii: its sides and its lids.
    let round = |[below, above]: [f32; 2], half: f32| {
        let ring =
            |radius: f32, y: f32| -> Vec<_> { circle(radius).map(|p| Vec3::new(p.x, y, -p.y)).collect() };
        let (low, high) = (ring(below, -half), ring(above, half));
        let next = |k: usize| (k + 1) % low.len();
        let mut faces: Vec<Vec<_>> =
            (0..low.len()).map(|k| vec![low[k], low[next(k)], high[next(k)], high[k]]).collect();
        faces.push(low.into_iter().rev().collect());
        faces.push(high);
        faces
    };
    match shape {
        d3::Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            let sign = |k: usize, axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
            let corner = |k| Vec3::new(sign(k, 0) * half.x, sign(k, 1) * half.y, sign(k, 2) * half.z);
            let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
            quads.iter().map(|quad| quad.iter().map(|k| corner(*k)).collect()).collect()
        }
        d3::Shape::Hull(hull) => {
            let corners: Vec<_> = hull.vertices().collect();
            let face = |k: usize| hull.face(k).iter().map(|corner| corners[*corner as usize]).collect();
            (0..hull.face_count()).map(face).collect()
        }
        d3::Shape::Cylinder(shape) => round([shape.radius(); 2], shape.half_height()),
        d3::Shape::Cone(shape) => round([shape.radius(), 0.0], shape.half_height()),
        d3::Shape::Mesh(mesh) => (0..mesh.triangles().len())
            .filter_map(|k| mesh.triangle(k))
            .map(|triangle| triangle.corners().to_vec())
            .collect(),
        d3::Shape::HeightField(field) => {
            let [rows, columns] = field.cells();
            let parts = u32::try_from(rows * columns * 2).unwrap_or(0);
            (0..parts).filter_map(|k| field.triangle(k)).map(|triangle| triangle.corners().to_vec()).collect()
        }
        d3::Shape::HalfSpace(half) => {
            let (normal, on) = (half.normal(), half.normal() * half.offset());
            let least =
                if normal.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
            let u = normal.cross(least).normalized().unwrap_or_default() * ENDLESS;
            let v = normal.cross(u);
            vec![vec![on - u - v, on + u - v, on + u + v, on - u + v]]
        }
        d3::Shape::Compound(compound) => compound
            .parts()
            .iter()
            .flat_map(|(part, pose)| faces(part).into_iter().map(move |face| (face, *pose)))
            .map(|(face, pose)| face.into_iter().map(|p| pose.point_to_world(p)).collect())
            .collect(),
        _ => Vec::new(),
    }
}

/// Points of a shape in its own frame whose hull is the shape, or close to it.
fn points3(shape: &d3::Shape<f32>) -> Vec<Vec3<f32>> {
    let disc = |radius: f32, y: f32| circle(radius).map(move |p| Vec3::new(p.x, y, p.y));
    let ball = |radius: f32| {
        let turns = [0.0, 0.25, 0.5, 0.75].map(|part| part * core::f32::consts::PI);
        turns.into_iter().flat_map(move |angle| {
            let turn = Quat::from_axis_angle([1.0, 0.0, 0.0], angle).unwrap_or_default();
            circle(radius).map(move |p| turn.rotate(Vec3::new(p.x, 0.0, p.y)))
        })
    };
    match shape {
        d3::Shape::Ball(shape) => ball(shape.radius()).collect(),
        d3::Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            let sign = |k: usize, axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
            (0..8).map(|k| Vec3::new(sign(k, 0) * half.x, sign(k, 1) * half.y, sign(k, 2) * half.z)).collect()
        }
        d3::Shape::Capsule(capsule) => {
            let (a, b) = (capsule.segment().a(), capsule.segment().b());
            ball(capsule.radius()).flat_map(|p| [a + p, b + p]).collect()
        }
        d3::Shape::Segment(segment) => vec![segment.a(), segment.b()],
        d3::Shape::Triangle(triangle) => triangle.corners().to_vec(),
        d3::Shape::Hull(hull) => hull.vertices().collect(),
        d3::Shape::Cylinder(shape) => {
            let half = shape.half_height();
            disc(shape.radius(), -half).chain(disc(shape.radius(), half)).collect()
        }
        d3::Shape::Cone(shape) => {
            let half = shape.half_height();
            disc(shape.radius(), -half).chain([Vec3::new(0.0, half, 0.0)]).collect()
        }
        d3::Shape::Ellipsoid(shape) => {
            let radii = shape.radii();
            ball(1.0).map(|p| Vec3::new(p.x * radii.x, p.y * radii.y, p.z * radii.z)).collect()
        }
        d3::Shape::Rounded(rounded) => {
            let core = points3(rounded.shape());
            core.into_iter().flat_map(|corner| ball(rounded.radius()).map(move |p| corner + p)).collect()
        }
        // Of a surface the box around it, of a compound its parts.
        d3::Shape::Mesh(_) | d3::Shape::HeightField(_) => {
            let Ok(around) = d3::aabb(shape, d3::Pose::default()) else { return Vec::new() };
            let end = |k: usize| if k == 0 { around.min } else { around.max };
            (0..8).map(|k| Vec3::new(end(k & 1).x, end(k & 2).y, end(k & 4).z)).collect()
        }
        d3::Shape::Compound(compound) => {
            let place = |(part, pose): &(d3::Shape<f32>, d3::Pose<f32>)| {
                points3(part).into_iter().map(|p| pose.point_to_world(p)).collect::<Vec<_>>()
            };
            compound.parts().iter().flat_map(place).collect()
        }
        _ => Vec::new(),
    }
}
