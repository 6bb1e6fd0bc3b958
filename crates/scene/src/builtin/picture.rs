//! Pictures of worlds as SVG: what moves is in the frame, in its colour; what sleeps is pale.
//!
//! The plane is drawn as it is. Space is drawn in parallel projection from the upper right, the farthest body
//! first, each shape as the outline of its shadow.

use carom::d2::{self, BodyKind, Rot2};
use carom::d3::{self, Quat};
use carom::math::{Vec2, Vec3};
use std::fmt::Write;

/// The longer side of a picture, in pixels.
const SIZE: f32 = 960.0;
/// How many points a round outline has.
const ROUND: u16 = 24;

/// One shape: its outline in the plane of the picture, what it is, how far away.
struct Outline {
    points: Vec<Vec2<f32>>,
    color: &'static str,
    depth: f32,
    moves: bool,
}

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
            outlines.push(Outline { points, color, depth: 0.0, moves: body.kind() == BodyKind::Dynamic });
        }
    }
    draw(outlines)
}

/// The world seen from the upper right.
pub(super) fn solid(world: &d3::World) -> String {
    let right = Vec3::new(0.866_025_4, 0.0, -0.5);
    let up = Vec3::new(-0.25, 0.866_025_4, -0.433_012_7);
    let back = right.cross(up);
    let mut outlines = Vec::new();
    for body in world.bodies() {
        let pose = body.pose();
        for handle in body.colliders() {
            let Ok(collider) = world.collider(handle) else { continue };
            let place = pose * collider.pose();
            let points: Vec<_> = points3(collider.shape())
                .into_iter()
                .map(|p| place.point_to_world(p))
                .map(|p| Vec2::new(p.dot(right), p.dot(up)))
                .collect();
            let hull = d2::convex_hull(&points);
            let points = hull.map_or_else(|_| Vec::new(), |order| order.iter().map(|&k| points[k]).collect());
            let color = color(body.kind(), body.is_awake(), collider.is_sensor(), handle.index());
            let depth = body.center_of_mass().dot(back);
            // The ground is behind everything.
            let depth = if body.kind() == BodyKind::Fixed { f32::NEG_INFINITY } else { depth };
            outlines.push(Outline { points, color, depth, moves: body.kind() == BodyKind::Dynamic });
        }
    }
    outlines.sort_by(|a, b| a.depth.total_cmp(&b.depth));
    draw(outlines)
}

fn color(kind: BodyKind, is_awake: bool, is_sensor: bool, index: usize) -> &'static str {
    const AWAKE: [&str; 4] = ["#3b7dd8", "#4f9de0", "#2f6bb8", "#62aee8"];
    const ASLEEP: [&str; 4] = ["#b9c7d8", "#c5d3e2", "#adbccd", "#cfdbe8"];
    match kind {
        _ if is_sensor => "#e6c84b",
        BodyKind::Fixed => "#8a8f98",
        BodyKind::Kinematic => "#e08a3c",
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
        let _ = write!(svg, "<polygon fill=\"{}\" points=\"", outline.color);
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
        _ => Vec::new(),
    }
}

fn hull_of(points: Vec<Vec2<f32>>) -> Vec<Vec2<f32>> {
    d2::convex_hull(&points).map_or_else(|_| Vec::new(), |order| order.iter().map(|&k| points[k]).collect())
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
