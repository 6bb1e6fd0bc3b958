//! The surfaces of shapes as facets, for what depends on how much of a body there is in some direction or below some
//! level: wind, explosions, water.
//!
//! A facet is an edge in the plane and a triangle in space, wound so that its normal points outwards. With them
//!
//! - the size of the shadow along a unit vector d is ½ Σ |n·d|, n being normals as long as their facets are large
//!   (Cauchy; exact for convex shapes with flat sides, more than the shadow for others), and
//! - the volume below a plane is Σ of the signed volumes of the pyramids between facets, clipped to what is below, and
//!   a point of the plane: the missing lid is seen from its own plane and counts for nothing.
//!
//! Round shapes have [`ROUND`] sides. Their exact volume is known, so only the share below a level is taken from facets. Balls
//! are known altogether: sides that turn with them would turn them. Of a compound each part is asked.

use super::dimension::{Engine, Plane, Solid};
use carom_geometry::{d2, d3};
use carom_math::trig::acos_f64;
use carom_math::{Number, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};

/// How many sides a circle has.
const ROUND: u16 = 32;

/// What a dimension supplies.
pub(crate) trait Surface: Engine {
    /// The radius of a ball.
    fn ball_radius(shape: &Self::Shape) -> Option<f32>;
    /// The size of the shadow of a ball of radius 1.
    const BALL_SHADOW: f32;
    /// Which share of a ball of radius 1 is below a plane whose height above the centre this is, between −1 and 1, and
    /// how far below the centre the middle of that is.
    fn cap(height: f64) -> (f64, f64);
    /// Visits the facets of a shape with an inside, in the frame of `pose`; each has as many points as the space has
    /// dimensions. Shapes without an inside have none, and compounds are asked part by part.
    fn facets(shape: &Self::Shape, pose: Self::Pose, visit: &mut dyn FnMut(&[Self::Vector]));
    /// The rotation by an angle, or about a vector by its length.
    fn turn_by(angle: Self::Angular) -> Self::Rotation;
    /// The signed area or volume between a facet and the origin.
    fn pyramid(facet: &[Self::Vector]) -> f32;
    /// The outward normal, as long as the facet is large.
    fn area_vector(facet: &[Self::Vector]) -> Self::Vector;
}

/// The pose of a part of something that has a pose itself.
fn part_pose<D: Surface>(pose: D::Pose, at: D::Pose) -> D::Pose {
    let ((translation, rotation), (offset, turn)) = (D::parts(pose), D::parts(at));
    D::pose(translation + D::rotate(rotation, offset), D::compose(turn, rotation))
}

/// The size of the shadow of a shape along a unit vector.
pub(crate) fn shadow<D: Surface>(shape: &D::Shape, pose: D::Pose, direction: D::Vector) -> f32 {
    if let Some(parts) = D::compound_parts(shape) {
        let shadows = parts.iter().map(|(part, at)| shadow::<D>(part, part_pose::<D>(pose, *at), direction));
        return shadows.sum();
    }
    if let Some(radius) = D::ball_radius(shape) {
        return D::BALL_SHADOW * if D::Vector::DIM == 2 { radius } else { radius * radius };
    }
    let mut sum = 0.0_f32;
    D::facets(shape, pose, &mut |facet| sum += D::area_vector(facet).dot(direction).abs());
    0.5 * sum
}

/// Which share of a shape is below the plane normal·p = level, and the centre of that part; `None` when nothing is.
pub(crate) fn part_below<D: Surface>(
    shape: &D::Shape,
    pose: D::Pose,
    normal: D::Vector,
    level: f32,
) -> Option<(f32, D::Vector)> {
    if let Some(parts) = D::compound_parts(shape) {
        let (mut all, mut below, mut moment) = (0.0_f32, 0.0_f32, D::Vector::ZERO);
        let (origin, _) = D::parts(pose);
        for (part, at) in parts {
            let Ok((volume, ..)) = D::mass(part, 1.0) else { continue };
            all += volume;
            if let Some((share, center)) = part_below::<D>(part, part_pose::<D>(pose, *at), normal, level) {
                below += share * volume;
                moment += (center - origin) * (share * volume);
            }
        }
        let share = below / all;
        return (0.0 < below && share.is_finite())
            .then(|| (share.min_of(1.0), origin + moment * (1.0 / below)));
    }
    // A point of the plane, near the shape so that differences are small.
    let (translation, _) = D::parts(pose);
    if let Some(radius) = D::ball_radius(shape) {
        let height = (level - normal.dot(translation)) / radius;
        if 1.0 <= height {
            return Some((1.0, translation));
        }
        let (share, below) = if -1.0 < height { D::cap(f64::from(height)) } else { (0.0, 0.0) };
        let share = share as f32;
        return (0.0 < share).then(|| (share, translation - normal * (radius * below as f32)));
    }
    let origin = translation + normal * (level - normal.dot(translation));
    let weight = 1.0 / (D::Vector::DIM + 1) as f32;
    let (mut all, mut below, mut moment) = (0.0_f32, 0.0_f32, D::Vector::ZERO);
    D::facets(shape, pose, &mut |facet| {
        let mut points = [D::Vector::ZERO; 3];
        let count = facet.len().min(points.len());
        for (to, from) in points.iter_mut().zip(facet) {
            *to = *from - origin;
        }
        all += D::pyramid(&points[..count]);
        clipped(&points[..count], normal, |part| {
            let volume = D::pyramid(part);
            below += volume;
            let sum = part.iter().fold(D::Vector::ZERO, |sum, point| sum + *point);
            moment += sum * (volume * weight);
        });
    });
    let share = below / all;
    (0.0 < below && share.is_finite()).then(|| (share.min_of(1.0), origin + moment * (1.0 / below)))
}

/// The part of a facet where normal·p <= 0, in facets.
fn clipped<V: Vector<Scalar = f32>>(facet: &[V], normal: V, mut visit: impl FnMut(&[V])) {
    // Sutherland and Hodgman, against one plane. A triangle has up to four corners afterwards.
    let mut kept = [V::ZERO; 5];
    let mut count = 0;
    let mut keep = |point: V| {
        if let Some(slot) = kept.get_mut(count) {
            *slot = point;
            count += 1;
        }
    };
    let sides = if V::DIM == 2 { 1 } else { facet.len() };
    for k in 0..sides {
        let (a, b) = (facet[k], facet[(k + 1) % facet.len()]);
        let (above_a, above_b) = (normal.dot(a), normal.dot(b));
        if above_a <= 0.0 {
            keep(a);
        }
        if (above_a <= 0.0) != (above_b <= 0.0) {
            keep(a + (b - a) * (above_a / (above_a - above_b)));
        }
        if V::DIM == 2 && above_b <= 0.0 {
            keep(b);
        }
    }
    if V::DIM == 2 {
        if count == 2 {
            visit(&kept[..2]);
        }
        return;
    }
    for k in 2..count {
        visit(&[kept[0], kept[k - 1], kept[k]]);
    }
}

/// Points around a circle, counter-clockwise.
fn circle(radius: f32) -> impl Iterator<Item = Vec2<f32>> {
    (0..ROUND).map(move |k| {
        let turn = Rot2::from_angle(f32::from(k) * (2.0 * core::f32::consts::PI / f32::from(ROUND)));
        turn.rotate(Vec2::new(radius, 0.0))
    })
}

/// The corners of the convex hull of some points, counter-clockwise; none if they lie on a line.
fn hull(points: &[Vec2<f32>]) -> Vec<Vec2<f32>> {
    d2::convex_hull(points).map_or_else(|_| Vec::new(), |order| order.iter().map(|k| points[*k]).collect())
}

/// The corners of a shape of the plane, counter-clockwise; empty for one without an inside.
fn corners(shape: &d2::Shape<f32>) -> Vec<Vec2<f32>> {
    match shape {
        d2::Shape::Ball(ball) => circle(ball.radius()).collect(),
        d2::Shape::Cuboid(cuboid) => {
            let Vec2 { x, y } = cuboid.half_extents();
            vec![Vec2::new(-x, -y), Vec2::new(x, -y), Vec2::new(x, y), Vec2::new(-x, y)]
        }
        d2::Shape::Capsule(capsule) => {
            let (a, b) = (capsule.segment().a(), capsule.segment().b());
            // Each point of the circle belongs to the end that lies on its side.
            let round = circle(capsule.radius()).flat_map(|p| {
                let side = p.dot(b - a);
                [(side <= 0.0).then_some(a + p), (0.0 <= side).then_some(b + p)]
            });
            hull(&round.flatten().collect::<Vec<_>>())
        }
        d2::Shape::Triangle(triangle) => triangle.corners().to_vec(),
        d2::Shape::Polygon(polygon) => polygon.points().collect(),
        d2::Shape::Ellipsoid(ellipse) => {
            let radii = ellipse.radii();
            circle(1.0).map(|p| Vec2::new(p.x * radii.x, p.y * radii.y)).collect()
        }
        d2::Shape::Rounded(rounded) => {
            let core = match rounded.shape() {
                d2::Shape::Segment(segment) => vec![segment.a(), segment.b()],
                core => corners(core),
            };
            let points = core.iter().flat_map(|corner| circle(rounded.radius()).map(|p| *corner + p));
            hull(&points.collect::<Vec<_>>())
        }
        d2::Shape::Outline(outline) => outline.points().collect(),
        _ => Vec::new(),
    }
}

impl Surface for Plane {
    const BALL_SHADOW: f32 = 2.0;

    fn ball_radius(shape: &d2::Shape<f32>) -> Option<f32> {
        if let d2::Shape::Ball(ball) = shape { Some(ball.radius()) } else { None }
    }
    fn cap(height: f64) -> (f64, f64) {
        // A segment of half the angle α: α − sin α·cos α, its middle at ⅔·sin³ α over that; cos α is minus the height.
        let half_chord = (1.0 - height * height).max_of(0.0).sqrt();
        let area = acos_f64(-height) + half_chord * height;
        let cube = half_chord * half_chord * half_chord;
        // Of a sliver the area is mostly rounding, and the middle is at the bottom.
        let middle = if 1e-12 < area { (2.0 / 3.0 * cube / area).min_of(1.0) } else { 1.0 };
        (area.max_of(0.0) / core::f64::consts::PI, middle)
    }
    fn facets(shape: &d2::Shape<f32>, pose: Pose2<f32>, visit: &mut dyn FnMut(&[Vec2<f32>])) {
        let corners = corners(shape);
        let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
        // Triangles and outlines may be given clockwise.
        let area = edges().fold(0.0, |sum, (a, b)| sum + a.cross(*b));
        for (a, b) in edges() {
            let (a, b) = (pose.point_to_world(*a), pose.point_to_world(*b));
            visit(&if area < 0.0 { [b, a] } else { [a, b] });
        }
    }
    fn turn_by(angle: f32) -> Rot2<f32> {
        Rot2::from_angle(angle)
    }
    fn pyramid(facet: &[Vec2<f32>]) -> f32 {
        0.5 * facet[0].cross(facet[1])
    }
    fn area_vector(facet: &[Vec2<f32>]) -> Vec2<f32> {
        let along = facet[1] - facet[0];
        Vec2::new(along.y, -along.x)
    }
}

/// Visits the surface that a line of (distance from the axis, height), from the bottom to the top, leaves when it is
/// turned about the y axis.
fn revolved(
    profile: &[(f32, f32)],
    place: impl Fn(Vec3<f32>) -> Vec3<f32>,
    visit: &mut dyn FnMut(&[Vec3<f32>]),
) {
    let turns: Vec<Vec2<f32>> = circle(1.0).collect();
    for (from, to) in turns.iter().zip(turns.iter().cycle().skip(1)) {
        for pair in profile.windows(2) {
            let point = |turn: &Vec2<f32>, (r, y): (f32, f32)| place(Vec3::new(r * turn.x, y, r * turn.y));
            // Seen from outside, z is to the left of x: the other way round than in the plane.
            let (a, b) = (point(to, pair[0]), point(from, pair[0]));
            let (c, d) = (point(from, pair[1]), point(to, pair[1]));
            visit(&[a, b, c]);
            visit(&[a, c, d]);
        }
    }
}

/// Half a circle from the bottom to the top, moved by what lies between its halves.
fn half_circle(radius: f32, half_height: f32) -> Vec<(f32, f32)> {
    let quarter = ROUND / 4;
    let point = |k: u16, lift: f32| {
        let turn = Rot2::from_angle((f32::from(k) / f32::from(2 * quarter) - 0.5) * core::f32::consts::PI);
        (radius * turn.cos().max_of(0.0), radius * turn.sin() + lift)
    };
    let below = (0..=quarter).map(|k| point(k, -half_height));
    below.chain((quarter..=2 * quarter).map(|k| point(k, half_height))).collect()
}

/// The point of a convex shape farthest in a direction, given by a unit vector; `None` for what has no end or is hollow. Of
/// several it is always the same one for the same direction.
fn farthest(shape: &d3::Shape<f32>, direction: Vec3<f32>) -> Option<Vec3<f32>> {
    let signed = |along: f32, half: f32| if along < 0.0 { -half } else { half };
    let best = |points: &mut dyn Iterator<Item = Vec3<f32>>| {
        points.fold(None, |best: Option<(f32, Vec3<f32>)>, point| {
            let reach = point.dot(direction);
            if best.is_some_and(|(most, _)| reach <= most) { best } else { Some((reach, point)) }
        })
    };
    let best = |points: &mut dyn Iterator<Item = Vec3<f32>>| best(points).map(|(_, point)| point);
    let rim = |radius: f32, height: f32| {
        let length = Vector::length(Vec2::new(direction.x, direction.z));
        let factor = if 0.0 < length { radius / length } else { 0.0 };
        Vec3::new(factor * direction.x, height, factor * direction.z)
    };
    match shape {
        d3::Shape::Ball(ball) => Some(direction * ball.radius()),
        d3::Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            Some(Vec3::from_fn(|axis| signed(direction.get(axis), half.get(axis))))
        }
        d3::Shape::Capsule(capsule) => {
            let (a, b) = (capsule.segment().a(), capsule.segment().b());
            best(&mut [a, b].into_iter()).map(|end| end + direction * capsule.radius())
        }
        d3::Shape::Segment(segment) => best(&mut [segment.a(), segment.b()].into_iter()),
        d3::Shape::Triangle(triangle) => best(&mut triangle.corners().into_iter()),
        d3::Shape::Cylinder(shape) => Some(rim(shape.radius(), signed(direction.y, shape.half_height()))),
        d3::Shape::Cone(shape) => {
            let top = Vec3::new(0.0, shape.half_height(), 0.0);
            best(&mut [rim(shape.radius(), -shape.half_height()), top].into_iter())
        }
        d3::Shape::Ellipsoid(shape) => {
            let radii = shape.radii();
            let scaled = Vec3::from_fn(|axis| radii.get(axis) * direction.get(axis));
            let length = Vector::length(scaled);
            let factor = if 0.0 < length { 1.0 / length } else { 0.0 };
            Some(Vec3::from_fn(|axis| radii.get(axis) * scaled.get(axis) * factor))
        }
        d3::Shape::Hull(hull) => best(&mut hull.vertices()),
        _ => None,
    }
}

impl Surface for Solid {
    const BALL_SHADOW: f32 = core::f32::consts::PI;

    fn ball_radius(shape: &d3::Shape<f32>) -> Option<f32> {
        if let d3::Shape::Ball(ball) = shape { Some(ball.radius()) } else { None }
    }
    fn cap(height: f64) -> (f64, f64) {
        // A cap as high as h: πh²(3 − h)/3 of 4π/3, its middle at ¾(2 − h)²/(3 − h).
        let (h, left) = (1.0 + height, 1.0 - height);
        (0.25 * h * h * (3.0 - h), 0.75 * left * left / (3.0 - h))
    }
    fn facets(shape: &d3::Shape<f32>, pose: Pose3<f32>, visit: &mut dyn FnMut(&[Vec3<f32>])) {
        let place = |p: Vec3<f32>| pose.point_to_world(p);
        match shape {
            d3::Shape::Ball(ball) => revolved(&half_circle(ball.radius(), 0.0), place, visit),
            d3::Shape::Cuboid(cuboid) => {
                let half = cuboid.half_extents();
                let corner = |k: u8| {
                    let side = |axis: u8, half: f32| if k >> axis & 1 == 0 { -half } else { half };
                    place(Vec3::new(side(0, half.x), side(1, half.y), side(2, half.z)))
                };
                for [a, b, c, d] in
                    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
                {
                    visit(&[corner(a), corner(b), corner(c)]);
                    visit(&[corner(a), corner(c), corner(d)]);
                }
            }
            d3::Shape::Capsule(capsule) => {
                let (a, b) = (capsule.segment().a(), capsule.segment().b());
                let (middle, along) = ((a + b) * 0.5, b - a);
                let length = Vector::length(along);
                // From y to the axis: half way to the sum of both, or upside down when they are opposite.
                let turn = if 0.0 < length {
                    let unit = along * (1.0 / length);
                    Quat::new(unit.z, 0.0, -unit.x, 1.0 + unit.y)
                        .filter(|_| -0.999_9 < unit.y)
                        .unwrap_or_default()
                } else {
                    Quat::default()
                };
                let profile = half_circle(capsule.radius(), 0.5 * length);
                revolved(&profile, |p| place(middle + turn.rotate(p)), visit);
            }
            d3::Shape::Cylinder(shape) => {
                let (r, y) = (shape.radius(), shape.half_height());
                revolved(&[(0.0, -y), (r, -y), (r, y), (0.0, y)], place, visit);
            }
            d3::Shape::Cone(shape) => {
                let (r, y) = (shape.radius(), shape.half_height());
                revolved(&[(0.0, -y), (r, -y), (0.0, y)], place, visit);
            }
            d3::Shape::Ellipsoid(shape) => {
                let radii = shape.radii();
                let stretched = |p: Vec3<f32>| place(Vec3::new(p.x * radii.x, p.y * radii.y, p.z * radii.z));
                revolved(&half_circle(1.0, 0.0), stretched, visit);
            }
            d3::Shape::Hull(hull) => {
                let points: Vec<_> = hull.vertices().map(place).collect();
                for triangle in hull.triangles() {
                    visit(&triangle.map(|k| points[k as usize]));
                }
            }
            d3::Shape::Mesh(mesh) if mesh.is_solid() => {
                let points: Vec<_> = mesh.vertices().map(place).collect();
                for triangle in mesh.triangles() {
                    visit(&triangle.map(|k| points[k as usize]));
                }
            }
            d3::Shape::Rounded(rounded) => {
                let (core, radius) = (rounded.shape(), rounded.radius());
                if farthest(core, Vec3::new(0.0, 1.0, 0.0)).is_none() {
                    return;
                }
                // A ball whose points are taken apart, each to the farthest point of the core in its direction: between
                // them are the faces of the core, and what is round about its edges. All that are a pole are one.
                let mut profile = half_circle(1.0, 0.0);
                for (pole, y) in [(0, -1.0), (profile.len() - 1, 1.0)] {
                    profile[pole] = (0.0, y);
                }
                let apart = |p: Vec3<f32>| place(farthest(core, p).unwrap_or_default() + p * radius);
                revolved(&profile, apart, visit);
            }
            _ => {}
        }
    }
    fn turn_by(angle: Vec3<f32>) -> Quat<f32> {
        Quat::from_rotation_vector(angle)
    }
    fn pyramid(facet: &[Vec3<f32>]) -> f32 {
        facet[0].dot(facet[1].cross(facet[2])) / 6.0
    }
    fn area_vector(facet: &[Vec3<f32>]) -> Vec3<f32> {
        (facet[1] - facet[0]).cross(facet[2] - facet[0]) * 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Facets close up (their normals cancel), point outwards, and enclose the volume that the shape has.
    fn check<D: Surface>(shape: &D::Shape, pose: D::Pose, rounding: f32) {
        check_volume::<D>(shape, pose, D::mass(shape, 1.0).unwrap().0, rounding);
    }

    fn check_volume<D: Surface>(shape: &D::Shape, pose: D::Pose, exact: f32, rounding: f32) {
        let (mut volume, mut sum, mut area) = (0.0, D::Vector::ZERO, 0.0);
        D::facets(shape, pose, &mut |facet| {
            volume += D::pyramid(facet);
            sum += D::area_vector(facet);
            area += Vector::length(D::area_vector(facet));
        });
        assert!((volume / exact - 1.0).abs() < rounding, "{shape:?}: {volume} of {exact}");
        assert!(Vector::length(sum) < 1e-5 * area, "{shape:?}: {sum:?}");
    }

    #[test]
    fn facets_enclose_the_volume() {
        let pose = Pose2::new(Vec2::new(1.0, -2.0), Rot2::from_angle(0.7));
        let capsule = d2::Capsule::new([-1.0, 0.2], [0.7, 0.9], 0.4).unwrap();
        check::<Plane>(&d2::Ball::new(1.5).unwrap().into(), pose, 0.01);
        check::<Plane>(&d2::Cuboid::new([1.0, 2.0]).unwrap().into(), pose, 1e-5);
        check::<Plane>(&capsule.into(), pose, 0.01);
        check::<Plane>(&d2::Triangle::new([0.0, 0.0], [0.0, 1.0], [1.0, 0.0]).unwrap().into(), pose, 1e-5);
        check::<Plane>(&d2::Ellipsoid::new([1.0, 0.25]).unwrap().into(), pose, 0.01);
        let wedge = d2::Triangle::new([0.0, 0.0], [0.0, 1.0], [1.0, 0.0]).unwrap();
        check::<Plane>(&d2::Rounded::new(wedge, 0.5).unwrap().into(), pose, 0.01);
        check::<Plane>(
            &d2::Rounded::new(d2::Cuboid::new([0.1, 0.2]).unwrap(), 0.4).unwrap().into(),
            pose,
            0.01,
        );
        let stick = d2::Segment::new([-1.0, 0.2], [0.7, 0.9]).unwrap();
        check::<Plane>(&d2::Rounded::new(stick, 0.4).unwrap().into(), pose, 0.01);
        let turn = Quat::from_rotation_vector([0.3, -0.8, 0.5]);
        let pose = Pose3::new(Vec3::new(1.0, -2.0, 0.5), turn);
        check::<Solid>(&d3::Ball::new(1.5).unwrap().into(), pose, 0.02);
        check::<Solid>(&d3::Cuboid::new([1.0, 2.0, 0.5]).unwrap().into(), pose, 1e-5);
        for end in [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.3, -0.2], [1.0, 0.0, 0.0]] {
            check::<Solid>(&d3::Capsule::new([0.0, 0.0, 0.0], end, 0.5).unwrap().into(), pose, 0.02);
        }
        check::<Solid>(&d3::Cylinder::new(1.0, 0.5).unwrap().into(), pose, 0.01);
        check::<Solid>(&d3::Cone::new(1.0, 0.5).unwrap().into(), pose, 0.01);
        check::<Solid>(&d3::Ellipsoid::new([1.0, 0.5, 2.0]).unwrap().into(), pose, 0.02);
        let tetrahedron = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let tetrahedron = d3::ConvexHull::new(tetrahedron).unwrap();
        check::<Solid>(&tetrahedron.clone().into(), pose, 1e-5);
        let cores: [d3::Shape<f32>; 8] = [
            d3::Cuboid::new([0.1, 0.2, 0.3]).unwrap().into(),
            d3::Segment::new([-0.4, 0.2, 0.1], [0.7, 0.9, 0.3]).unwrap().into(),
            d3::Triangle::new([0.0, 0.0, 0.0], [0.2, 1.0, 0.0], [1.0, 0.0, 0.4]).unwrap().into(),
            d3::Ball::new(0.5).unwrap().into(),
            d3::Capsule::new([0.0, 0.0, 0.0], [0.6, 0.3, -0.2], 0.2).unwrap().into(),
            d3::Cylinder::new(0.5, 0.2).unwrap().into(),
            d3::Cone::new(0.5, 0.4).unwrap().into(),
            tetrahedron.into(),
        ];
        for core in cores {
            check::<Solid>(&d3::Rounded::new(core, 0.3).unwrap().into(), pose, 0.03);
        }
        // Rounded ellipsoids have a known volume only where they are balls.
        let round = d3::Rounded::new(d3::Ellipsoid::new([0.5; 3]).unwrap(), 0.3).unwrap().into();
        check_volume::<Solid>(&round, pose, 4.0 / 3.0 * core::f32::consts::PI * 0.512, 0.02);
    }

    #[test]
    fn shadows_are_those_of_geometry() {
        let cube = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap().into();
        let diagonal = Vec3::new(1.0, 1.0, 1.0) * (1.0 / 3.0_f32.sqrt());
        let found = shadow::<Solid>(&cube, Pose3::default(), diagonal);
        // The regular hexagon with edges of 2·√(2/3): 4·√3.
        assert!((found - 4.0 * 3.0_f32.sqrt()).abs() < 1e-4, "{found}");
        let ball = d3::Ball::new(1.0).unwrap().into();
        let found = shadow::<Solid>(&ball, Pose3::default(), diagonal);
        assert!((found / core::f32::consts::PI - 1.0).abs() < 0.02, "{found}");
        let square = d2::Cuboid::new([1.0, 1.0]).unwrap().into();
        let turned = Pose2::new(Vec2::new(5.0, 5.0), Rot2::from_angle(core::f32::consts::FRAC_PI_4));
        let found = shadow::<Plane>(&square, turned, Vec2::new(1.0, 0.0));
        assert!((found - 8.0_f32.sqrt()).abs() < 1e-5, "{found}");
    }

    #[test]
    fn what_is_below_a_level_is_that_of_geometry() {
        // A cube on its corner, under water up to its middle: half of it.
        let cube = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap().into();
        let up = Vec3::new(1.0, 1.0, 1.0) * (1.0 / 3.0_f32.sqrt());
        let (share, center) = part_below::<Solid>(&cube, Pose3::default(), up, 0.0).unwrap();
        assert!((share - 0.5).abs() < 1e-5 && center.dot(up) < -0.3, "{share} {center:?}");
        // The lowest corner alone: a pyramid with three right angles, (3 − √3·x)³/6 of 8 at height x below the top.
        let (share, _) = part_below::<Solid>(&cube, Pose3::default(), up, -2.0 / 3.0_f32.sqrt()).unwrap();
        assert!((share - 1.0 / 48.0).abs() < 1e-5, "{share}");
        assert_eq!(part_below::<Solid>(&cube, Pose3::default(), up, -2.0), None);
        let (share, center) = part_below::<Solid>(&cube, Pose3::default(), up, 2.0).unwrap();
        assert!(share == 1.0 && Vector::length(center) < 1e-5);
        // A square that is three quarters in the water.
        let square = d2::Cuboid::new([1.0, 1.0]).unwrap().into();
        let at = Pose2::new(Vec2::new(7.0, 3.0), Rot2::IDENTITY);
        let (share, center) = part_below::<Plane>(&square, at, Vec2::new(0.0, 1.0), 3.5).unwrap();
        assert!((share - 0.75).abs() < 1e-6, "{share}");
        assert!(Vector::length(center - Vec2::new(7.0, 2.75)) < 1e-5, "{center:?}");
    }

    #[test]
    fn what_of_a_ball_is_below_a_level_is_that_of_slices() {
        // In slices of equal height: a disc has chords, a ball discs.
        const COUNT: u32 = 100_000;
        for level in [-0.95, -0.5, 0.0, 0.3, 0.99] {
            let mut sums = [[0.0_f64; 3]; 2];
            for k in 0..COUNT {
                let y = 2.0 * (f64::from(k) + 0.5) / f64::from(COUNT) - 1.0;
                let chord = (1.0 - y * y).sqrt();
                for (sum, size) in sums.iter_mut().zip([chord, chord * chord]) {
                    sum[0] += size;
                    if y < level {
                        sum[1] += size;
                        sum[2] -= y * size;
                    }
                }
            }
            for (found, [all, below, moment]) in [Plane::cap(level), Solid::cap(level)].into_iter().zip(sums)
            {
                assert!((found.0 - below / all).abs() < 1e-4, "{level}: {found:?}, {}", below / all);
                assert!((found.1 - moment / below).abs() < 1e-3, "{level}: {found:?}, {}", moment / below);
            }
        }
        // Slivers and almost all of it.
        for height in [-1.0 + 1e-12, -1.0 + 1e-7] {
            for (share, middle) in [Plane::cap(height), Solid::cap(height)] {
                assert!((0.0..1e-9).contains(&share) && (0.99..=1.0).contains(&middle), "{share} {middle}");
            }
            for (share, middle) in [Plane::cap(-height), Solid::cap(-height)] {
                assert!((1.0 - share).abs() < 1e-9 && middle.abs() < 1e-6, "{share} {middle}");
            }
        }
    }

    #[test]
    fn compounds_are_the_sum_of_their_parts() {
        // Two discs beside each other, one in the water up to its middle, one wholly.
        let ball = || d2::Shape::from(d2::Ball::new(1.0).unwrap());
        let parts = [(ball(), Pose2::from([-2.0, 0.0])), (ball(), Pose2::from([2.0, -5.0]))];
        let both = d2::Compound::new(parts).unwrap().into();
        let turned = Pose2::new(Vec2::new(3.0, 1.0), Rot2::from_angle(core::f32::consts::FRAC_PI_2));
        // A quarter turn: they are at (3, −1) and (8, 3).
        let (share, center) = part_below::<Plane>(&both, turned, Vec2::new(0.0, 1.0), 3.0).unwrap();
        assert!((share - 0.75).abs() < 1e-5, "{share}");
        let half = 3.0 - 4.0 / (3.0 * core::f32::consts::PI);
        let expected = Vec2::new((3.0 + 0.5 * 8.0) / 1.5, (-1.0 + 0.5 * half) / 1.5);
        assert!(Vector::length(center - expected) < 1e-4, "{center:?} {expected:?}");
        assert!((shadow::<Plane>(&both, turned, Vec2::new(1.0, 0.0)) - 4.0).abs() < 1e-5);
    }
}
