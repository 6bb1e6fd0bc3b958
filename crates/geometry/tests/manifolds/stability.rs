//! Manifolds that keep their names under jitter and span the area they stand for.

use carom_geometry::{FeaturePair, d2, d3};
use carom_math::{Pose3, Quat, Vec2, Vec3};
use carom_oracle::generate::Rng;

pub(super) fn names(points: &[carom_geometry::ManifoldPoint<Vec3<f64>>]) -> Vec<FeaturePair> {
    let mut names: Vec<FeaturePair> = points.iter().map(|p| p.feature).collect();
    names.sort_unstable();
    names
}

/// A box that rests on the ground, on a larger box, and across the edge of one, sunk in by 1e-4 as
/// resting contacts are: 1000 frames of jitter by 1e-6, in place and in turn.
#[test]
fn names_survive_jitter() {
    let cuboid = d3::Cuboid::new([1.0, 0.5, 0.75]).unwrap();
    let table = d3::Cuboid::new([3.0, 1.0, 3.0]).unwrap();
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 1.0).unwrap();
    let supports = [d3::Shape::from(table), d3::Shape::from(ground)];
    let mut rng = Rng::new(1);
    for support in &supports {
        for (x, yaw) in [(0.0, 0.0), (2.5, 0.0), (0.25, 0.3), (2.5, 0.3)] {
            let mut previous = Vec::new();
            let mut changes = 0;
            for frame in 0..1000 {
                let mut jitter = || rng.uniform(-1e-6, 1e-6);
                let rotation = Quat::from_rotation_vector([jitter(), yaw + jitter(), jitter()]);
                let pose = Pose3::new([x + jitter(), 1.5 - 1e-4 + jitter(), jitter()], rotation);
                let found = d3::manifold_within(support, [0.0; 3], &cuboid, pose, 0.01).unwrap().unwrap();
                let names = names(found.points());
                changes += usize::from(0 < frame && names != previous);
                previous = names;
            }
            assert!(changes < 10, "{support:?} {x} {yaw}: {changes} of 1000");
        }
    }
}

/// The corners of the intersection of two convex polygons, found by trying all.
pub(super) fn corners_of_intersection(a: &[Vec2<f64>], b: &[Vec2<f64>]) -> Vec<Vec2<f64>> {
    let inside = |polygon: &[Vec2<f64>], p: Vec2<f64>| {
        (0..polygon.len()).all(|i| {
            let (from, to) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            -1e-12 <= (to - from).cross(p - from)
        })
    };
    let mut corners: Vec<Vec2<f64>> = Vec::new();
    corners.extend(a.iter().filter(|p| inside(b, **p)));
    corners.extend(b.iter().filter(|p| inside(a, **p)));
    for i in 0..a.len() {
        for j in 0..b.len() {
            let (p, q) = (a[i], b[j]);
            let (u, v) = (a[(i + 1) % a.len()] - p, b[(j + 1) % b.len()] - q);
            let area = u.cross(v);
            let (s, t) = ((q - p).cross(v) / area, (q - p).cross(u) / area);
            if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                corners.push(p + u * s);
            }
        }
    }
    corners
}

pub(super) fn area_of_hull(points: &[Vec2<f64>]) -> f64 {
    let Ok(hull) = d2::convex_hull(points) else { return 0.0 };
    let corner = |i: usize| points[hull[i % hull.len()]];
    (0..hull.len()).map(|i| corner(i).cross(corner(i + 1))).sum::<f64>() / 2.0
}

/// Four points keep at least half of the area that two faces share, tilted slightly or not.
#[test]
fn four_points_span_half_of_the_area() {
    let mut rng = Rng::new(2);
    let mut least: f64 = 1.0;
    for round in 0..4000 {
        let (a, b) = ([0; 2].map(|_| rng.uniform(0.2, 2.0)), [0; 2].map(|_| rng.uniform(0.2, 2.0)));
        let angle = rng.uniform(-3.0, 3.0);
        let offset = [0; 2].map(|_| rng.uniform(-1.0, 1.0));
        let tilt = if round % 2 == 0 { 0.0 } else { 1e-5 };
        let rotation = Quat::from_axis_angle([0.0, 1.0, 0.0], angle).unwrap()
            * Quat::from_rotation_vector([tilt * rng.uniform(-1.0, 1.0), 0.0, tilt * rng.uniform(-1.0, 1.0)]);
        let pose = Pose3::new([offset[0], 19.99, offset[1]], rotation);
        let shape = |[x, z]: [f64; 2]| d3::Cuboid::new([x, 10.0, z]).unwrap();
        let Some(found) = d3::manifold_within(&shape(a), [0.0; 3], &shape(b), pose, 0.1).unwrap() else {
            continue;
        };
        if found.normal().y < 0.999 {
            continue; // beside each other
        }
        // Seen from above, with z to the right of x, so that positive areas stay positive.
        let flat = |p: Vec3<f64>| Vec2::new(p.z, p.x);
        let around = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
        let face = |[x, z]: [f64; 2], pose: Pose3<f64>| {
            around.map(|[i, j]| flat(pose.point_to_world(Vec3::new(x * i, 0.0, z * j)))).to_vec()
        };
        let whole = area_of_hull(&corners_of_intersection(&face(a, Pose3::IDENTITY), &face(b, pose)));
        let points: Vec<Vec2<f64>> = found.points().iter().map(|p| flat(p.point)).collect();
        let part = area_of_hull(&points);
        assert!(part <= whole + 1e-3, "{part} of {whole}");
        if 1e-3 < whole {
            least = least.min(part / whole);
        }
    }
    assert!(0.5 <= least, "{least}");
}
