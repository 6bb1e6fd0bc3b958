//! Meshes of several hundred triangles, whose trees have some levels, against all their triangles.

use carom_geometry::d3::{self, Shape};
use carom_geometry::{CastOptions, RayOptions};
use carom_math::{Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::{Rng, unit_quaternion};

type Point = Vec3<f64>;

/// A cube with `side`² squares a face, blown up to a ball with bumps.
pub(super) fn bumpy_ball(rng: &mut Rng, side: usize, size: f64) -> d3::TriangleMesh<f64> {
    let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..6 {
        let first = corners.len();
        for (i, j) in (0..=side).flat_map(|i| (0..=side).map(move |j| (i, j))) {
            let [u, v] = [i, j].map(|k| k as f64 / side as f64 * 2.0 - 1.0);
            let w = if face % 2 == 0 { 1.0 } else { -1.0 };
            let cube = [[w, u, v], [u, w, v], [u, v, w]][face / 2];
            let unit = Point::from(cube).normalized().unwrap();
            // Borders of faces stay where they are, so that the surface is closed.
            let is_border = [i, j].iter().any(|&k| k == 0 || k == side);
            let bump = if is_border { 1.0 } else { rng.uniform(0.9, 1.1) };
            corners.push(unit * (bump * size));
        }
        let place = |i: usize, j: usize| (first + i * (side + 1) + j) as u32;
        for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
            let [a, b, c, d] = [place(i, j), place(i + 1, j), place(i, j + 1), place(i + 1, j + 1)];
            // Counter-clockwise as seen from outside.
            let flips = matches!(face, 1 | 2 | 5);
            let turned = |[a, b, c]: [u32; 3]| if flips { [a, c, b] } else { [a, b, c] };
            triangles.extend([turned([a, b, c]), turned([b, d, c])]);
        }
    }
    d3::TriangleMesh::new(corners, triangles).unwrap()
}

pub(super) fn all_triangles(mesh: &d3::TriangleMesh<f64>) -> Vec<d3::Triangle<f64>> {
    (0..mesh.triangles().len()).map(|index| mesh.triangle(index).unwrap()).collect()
}

pub(super) fn turn(rng: &mut Rng) -> Quat<f64> {
    let [x, y, z, w] = unit_quaternion(rng);
    Quat::new(x, y, z, w).unwrap()
}

fn direction(rng: &mut Rng) -> Point {
    let [x, y, z, _] = unit_quaternion(rng);
    Point::new(x, y, z).normalized().unwrap_or(Vec3::unit(0))
}

/// A unit, a place far away, and sizes that differ by a thousand.
const WORLDS: [(f64, f64, f64); 4] = [(1.0, 0.0, 1.0), (1.0, 1e6, 0.5), (1e-12, 0.0, 1e-3), (1e9, 0.0, 3.0)];

/// Amid a ball with bumps nearly all triangles are as far away as the nearest one, and the tree leaves out those that are not by little.
#[test]
fn closest_points_of_large_meshes_are_those_of_the_nearest_triangle() {
    let rng = &mut Rng::new(37);
    for (unit, far, _) in WORLDS {
        let mesh = bumpy_ball(rng, 7, unit);
        let (triangles, pose) = (all_triangles(&mesh), Pose3::new(Point::splat(far * unit), turn(rng)));
        for round in 0..240 {
            let away = [0.0, 0.02, 0.3, 0.7, 0.95, 1.0, 1.3, 1e4][round % 8] * unit;
            let point = pose.translation + direction(rng) * away;
            let found = d3::closest_point(&mesh, pose, point).unwrap();
            let all = triangles.iter().map(|part| d3::closest_point(part, pose, point).unwrap().distance);
            let least = all.fold(f64::INFINITY, f64::min);
            let error = 1e-13 * (unit + away) + 8.0 * f64::EPSILON * far * unit;
            assert!((found.distance.abs() - least).abs() <= error, "{unit} {away}: {found:?}, {least}");
        }
    }
}

#[test]
fn distances_of_large_meshes_are_those_of_their_closest_triangles() {
    let rng = &mut Rng::new(31);
    for (unit, far, ratio) in WORLDS {
        let (a, b) = (bumpy_ball(rng, 3, unit), bumpy_ball(rng, 2, unit * ratio));
        let (parts_a, parts_b) = (all_triangles(&a), all_triangles(&b));
        for gap in [2.0, 0.3, -0.15] {
            let from = Point::splat(far * unit);
            let way = direction(rng) * (unit * (1.0 + ratio + gap * ratio));
            let (pose_a, pose_b) = (Pose3::new(from, turn(rng)), Pose3::new(from + way, turn(rng)));
            let mut least = f64::INFINITY;
            let mut touching = Vec::new();
            for (i, part_a) in parts_a.iter().enumerate() {
                for (j, part_b) in parts_b.iter().enumerate() {
                    let found = d3::distance(part_a, pose_a, part_b, pose_b).unwrap();
                    least = least.min(found.distance.max(0.0));
                    if d3::intersects(part_a, pose_a, part_b, pose_b).unwrap() {
                        touching.push([i as u32, j as u32]);
                    }
                }
            }
            let found = d3::distance(&a, pose_a, &b, pose_b).unwrap();
            let error = 1e-13 * (unit + unit * ratio) + 4.0 * f64::EPSILON * far * unit;
            assert!(
                (found.distance.max(0.0) - least).abs() <= error,
                "{unit} {gap}: {} {least}",
                found.distance
            );
            assert!(found.lower <= least + error && least - error <= found.upper.max(0.0));
            assert_eq!(d3::intersects(&a, pose_a, &b, pose_b).unwrap(), !touching.is_empty());
            let mut manifolds = Vec::new();
            d3::manifolds(&a, pose_a, &b, pose_b, 0.0, &mut manifolds).unwrap();
            let told: Vec<_> = manifolds.iter().map(|found| found.parts()).collect();
            assert!(told.iter().all(|parts| touching.contains(parts)));
            assert_eq!(told.is_empty(), touching.is_empty());
            if gap < 0.0 {
                // Internal edges have no contacts of their own; most pairs do.
                assert!(touching.len() < 3 * told.len() + 3, "{} of {}", told.len(), touching.len());
            }
        }
    }
}

#[test]
fn points_rays_and_casts_meet_the_same_triangles_of_large_meshes() {
    let rng = &mut Rng::new(32);
    for (unit, far, _) in WORLDS {
        let mesh = bumpy_ball(rng, 6, unit);
        let parts = all_triangles(&mesh);
        let pose = Pose3::new(Point::splat(far * unit), turn(rng));
        let error = 1e-13 * unit + 8.0 * f64::EPSILON * far * unit;
        let ball = d3::Ball::new(0.05 * unit).unwrap();
        for _ in 0..40 {
            let start = pose.translation + direction(rng) * (unit * rng.uniform(0.2, 3.0));
            let nearest = d3::closest_point(&mesh, pose, start).unwrap().distance;
            let least = parts.iter().map(|part| d3::closest_point(part, pose, start).unwrap().distance);
            let least = least.fold(f64::INFINITY, f64::min);
            assert!((nearest - least).abs() <= error, "{nearest} {least}");

            let target = pose.translation + direction(rng) * (unit * rng.uniform(0.0, 1.3));
            let ray = d3::Ray::new(start, target - start).unwrap();
            let hit = d3::cast_ray(&mesh, pose, &ray, RayOptions::default()).unwrap();
            let first = parts
                .iter()
                .filter_map(|part| d3::cast_ray(part, pose, &ray, RayOptions::default()).unwrap())
                .fold(f64::INFINITY, |t, hit| t.min(hit.t));
            match hit {
                Some(hit) => assert!((hit.t - first).abs() * (target - start).length() <= error),
                None => assert_eq!(first, f64::INFINITY),
            }

            let (velocity, stays) = (target - start, Vec3::ZERO);
            let options = CastOptions { max: 1.0 };
            let cast = |part: Shape<f64>| {
                d3::cast_shape(&part, pose, stays, &ball, Pose3::from(start), velocity, options).unwrap()
            };
            let first = parts.iter().filter_map(|part| cast((*part).into())).map(|hit| hit.t);
            let first = first.fold(f64::INFINITY, f64::min);
            match cast(mesh.clone().into()) {
                Some(hit) => assert!((hit.t - first).abs() * velocity.length() <= 16.0 * error),
                None => assert_eq!(first, f64::INFINITY),
            }
        }
    }
}

/// Ray crossings decide, so that no nearest feature can mislead: points a step from the surface, and those beyond
/// corners, where normals of neighbours disagree.
#[test]
fn solid_meshes_hold_exactly_what_is_inside() {
    let rng = &mut Rng::new(33);
    let surface = bumpy_ball(rng, 4, 1.0);
    let (solid, gaps) = (surface.solid().unwrap(), surface.solid_with_gaps());
    assert_eq!(solid, gaps);
    let vertices: Vec<Point> = surface.vertices().collect();
    let reference = d3::MeshSolid::new(&vertices, surface.triangles()).unwrap();
    let identity = Pose3::IDENTITY;
    let mut decided = 0;
    for round in 0..400 {
        let scale = if round % 2 == 0 { 1.0 } else { rng.uniform(0.8, 1.2) };
        let at = vertices[rng.below(vertices.len())] * scale;
        let nudged = Vec3::from_fn(|axis| match rng.below(3) {
            0 => at.get(axis).next_up(),
            1 => at.get(axis).next_down(),
            _ => at.get(axis),
        });
        let is_inside = reference.contains_point(nudged).unwrap();
        let found = d3::closest_point(&solid, identity, nudged).unwrap();
        // A distance that is all rounding error is one of zero, which counts as inside.
        assert!(found.inside == is_inside || found.distance == 0.0, "{nudged:?}: {found:?}");
        decided += usize::from(found.distance != 0.0);
    }
    assert!(200 < decided);
    // Without one triangle it is still a solid, by winding number.
    let open = d3::TriangleMesh::new(vertices.clone(), surface.triangles()[1..].iter().copied()).unwrap();
    assert!(open.solid().is_err());
    let (open, marble) = (open.solid_with_gaps(), d3::Ball::new(0.1).unwrap());
    assert!(open.is_solid() && !open.surface().is_solid());
    assert!(d3::intersects(&open, identity, &marble, [0.2, 0.1, 0.0]).unwrap());
    assert!(!d3::intersects(&open, identity, &marble, [3.0, 0.0, 0.0]).unwrap());
}

/// What a ball merely reaches into is told at a glance; a capsule without length is the same set and takes the long way.
#[test]
fn balls_have_the_contacts_of_capsules_without_length() {
    let rng = &mut Rng::new(34);
    let (mut count, mut reached) = (0, 0);
    for (unit, far, _) in WORLDS {
        let surface = bumpy_ball(rng, 10, unit);
        let solid = surface.solid().unwrap();
        let parts = all_triangles(&surface);
        for round in 0..60 {
            let mesh = if round % 3 == 0 { &solid } else { &surface };
            let radius = unit * rng.uniform(0.05, 0.4);
            let ball = d3::Ball::new(radius).unwrap();
            let rod = d3::Capsule::new(Point::ZERO, Point::ZERO, radius).unwrap();
            let pose = Pose3::new(Point::splat(far * unit), turn(rng));
            // On either side of the surface, and far over it.
            let way = direction(rng) * (unit + radius * rng.uniform(-1.0, 1.0));
            let at = Pose3::new(pose.translation + way, turn(rng));
            let (mut of_ball, mut of_rod) = (Vec::new(), Vec::new());
            d3::manifolds(mesh, pose, &ball, at, 0.0, &mut of_ball).unwrap();
            d3::manifolds(mesh, pose, &rod, at, 0.0, &mut of_rod).unwrap();
            let told = |found: &[carom_geometry::Manifold<Point>]| -> Vec<_> {
                found.iter().map(|own| own.parts()).collect()
            };
            assert_eq!(told(&of_ball), told(&of_rod), "{unit} {round}");
            let error = 1e-12 * unit + 16.0 * f64::EPSILON * far * unit;
            for (one, other) in of_ball.iter().zip(&of_rod) {
                assert!((one.depth() - other.depth()).abs() <= error, "{unit} {round}: {one:?} {other:?}");
                assert!((one.normal() - other.normal()).max_abs() <= 1e-6 + error / radius);
            }
            count += of_ball.len();
            let touches = |part: &&d3::Triangle<f64>| d3::intersects(*part, pose, &ball, at).unwrap();
            reached += parts.iter().filter(touches).count();
        }
    }
    assert!(200 < count && 4 * count < reached, "{count} of {reached}");
}
