//! Round shapes: closed forms where there are any, else certificates checked independently.

use super::super::{Block, Cone, Corners, Cylinder, Ellipsoid, Posed, Status, Support};
use super::{apart, deep};
use carom_math::{Quat, Vec2, Vec3, Vector};
use carom_oracle::curved::Revolved;
use carom_oracle::generate::{self, Rng};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{Rational, exact, f64_below};

type Point = Vec3<f64>;

pub(super) fn turned<C>(core: C, [x, y, z, w]: [f64; 4], translation: Point) -> Posed<C, Point> {
    let matrix = Quat::new(x, y, z, w).unwrap().to_matrix();
    Posed::new(core, &matrix.columns, translation)
}

fn moved<C, V: Vector<Scalar = f64>>(core: C, translation: V) -> Posed<C, V> {
    let columns: [V; 3] = std::array::from_fn(|axis| if axis < V::DIM { V::unit(axis) } else { V::ZERO });
    Posed::new(core, &columns, translation)
}

/// Two spheres, given as ellipsoids, so that the kernels cannot know.
fn check_spheres<V: super::Space>(radius_a: f64, radius_b: f64, translation: V) {
    let (a, b) = (Ellipsoid(V::splat(radius_a)), moved(Ellipsoid(V::splat(radius_b)), translation));
    let size = a.size() + b.size();
    let between = translation.length();
    let separation = between - radius_a - radius_b;
    let found = apart(&a, &b);
    let truth = separation.max(0.0);
    assert!(found.lower <= truth + 1e-15 * size && truth <= found.upper, "{found:?} against {truth}");
    assert!(found.upper - found.lower <= 1e-12 * size, "{found:?}");
    if found.status == Status::Closest {
        assert!((found.distance - truth).abs() <= 1e-13 * size);
        // |v − v*|² <= 1e-13·|v|², and the direction of a short v is limited by rounding.
        let direction = (found.normal - translation / between).length();
        assert!(direction <= 1e-6 + (1e-14 * size / truth).sqrt(), "{direction} {found:?}");
        return;
    }
    let found = deep(&a, &b);
    assert!((found.depth + separation).abs() <= 1e-10 * size, "{found:?} against {separation}");
    assert!(found.lower <= -separation + 1e-14 * size && -separation <= found.upper, "{found:?}");
    assert!((found.point_a.length() - radius_a).abs() <= 1e-9 * size, "{found:?}");
    assert!(
        (found.point_a - found.point_b - found.normal * found.depth).length() <= 1e-5 * size,
        "{found:?}"
    );
    if 0.01 * size < between {
        assert!((found.normal - translation / between).length() <= 1e-4, "{found:?}");
    }
}

#[test]
fn spheres_in_disguise_have_closed_forms() {
    let mut rng = Rng::new(21);
    for case in 0..300 {
        let (radius_a, radius_b) = (generate::length(&mut rng), generate::length(&mut rng));
        let reach = match case % 6 {
            0 => 0.0,
            1 => radius_a + radius_b,
            2 => (radius_a + radius_b) * (1.0 + 1e-9),
            3 => radius_a * 0.01,
            _ => rng.uniform(0.0, 3.0) * (radius_a + radius_b),
        };
        check_spheres(radius_a, radius_b, Vec3::from(generate::unit_vector(&mut rng)) * reach);
        check_spheres(radius_a, radius_b, Vec2::from(generate::unit_vector(&mut rng)) * reach);
    }
}

#[test]
fn points_and_bodies_of_revolution_agree_with_exact_answers() {
    let mut rng = Rng::new(22);
    for case in 0..600 {
        let (half_height, radius) = (generate::length(&mut rng), generate::length(&mut rng));
        let point: [f64; 3] = generate::lattice_point(&mut rng).map(|x| x * rng.uniform(0.5, 1.5));
        let b = Corners([Vec3::from(point)]);
        let cylinder = Cylinder { half_height, radius };
        let cone = Cone { half_height, radius };
        let (found, size, depth, exact) = if case % 2 == 0 {
            let exact = Revolved::Cylinder { half_height, radius };
            (apart(&cylinder, &b), cylinder.size() + b.size(), deep(&cylinder, &b), exact)
        } else {
            let exact = Revolved::Cone { half_height, radius };
            (apart(&cone, &b), cone.size() + b.size(), deep(&cone, &b), exact)
        };
        let [low, high] = exact.point_distance(&point).bounds();
        let (low_distance, high_distance) = (low.max(0.0), high.max(0.0));
        assert!(found.lower <= high_distance && low_distance <= found.upper, "{found:?} against {low}");
        // Over a disc of radius r at distance d, the vertices' rounding ε·r tilts v by ε·r/d.
        let tilt = f64::EPSILON * size / found.distance;
        let tolerance = if found.status == Status::Touching { 1e-9 } else { 1e-12 + 16.0 * tilt };
        assert!(found.upper - found.lower <= tolerance * size, "{found:?} {case}");
        if found.status != Status::Closest {
            assert!(depth.lower <= -low && -high <= depth.upper, "{depth:?} against {low}");
            assert!((depth.depth + low).abs() <= 1e-10 * size, "{depth:?} against {low}");
        }
    }
}

/// Least overlap over many directions, then downhill.
pub(super) fn swept_overlap(a: &impl Support<Point>, b: &impl Support<Point>) -> f64 {
    let overlap = |n: Point| n.dot(a.support(n).0 - b.support(-n).0);
    let count = 20_000;
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let spiral = |i: i32| {
        let y = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
        let r = (1.0 - y * y).sqrt();
        let (sin, cos) = (golden * f64::from(i)).sin_cos();
        Vec3::new(r * cos, y, r * sin)
    };
    let (mut best, mut normal) =
        (0..count).map(|i| (overlap(spiral(i)), spiral(i))).min_by(|x, y| x.0.total_cmp(&y.0)).unwrap();
    let mut step = 0.02;
    while 1e-9 < step {
        let axis = Vec3::unit(usize::from(0.6 < normal.x.abs()));
        let u = normal.cross(axis).normalized().unwrap();
        let better = (0..8).find_map(|k| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
            let candidate = (normal + (u * cos + normal.cross(u) * sin) * step).normalized().unwrap();
            (overlap(candidate) < best).then(|| (overlap(candidate), candidate))
        });
        match better {
            Some(found) => (best, normal) = found,
            None => step *= 0.5,
        }
    }
    best
}

#[test]
fn ellipsoids_agree_with_a_sweep_over_directions() {
    let mut rng = Rng::new(23);
    for case in 0..24 {
        let mut radii = || Vec3::from(std::array::from_fn(|_| rng.pick(&[0.5, 0.7, 1.0, 1.3, 2.0])));
        let (radii_a, radii_b) = (radii(), radii());
        let turn = generate::unit_quaternion(&mut rng);
        let reach = [0.0, 0.5, 1.5, 4.0][case % 4];
        let translation = Vec3::from(generate::unit_vector(&mut rng)) * reach;
        let (a, b) = (Ellipsoid(radii_a), turned(Ellipsoid(radii_b), turn, translation));
        let (size, swept) = (a.size() + b.size(), swept_overlap(&a, &b));
        let found = apart(&a, &b);
        if found.status == Status::Closest {
            assert!((found.distance + swept).abs() <= 1e-9 * size, "case {case}: {found:?} against {swept}");
        } else {
            let found = deep(&a, &b);
            assert!((found.depth - swept).abs() <= 1e-9 * size, "case {case}: {found:?} against {swept}");
            assert!(found.lower <= swept && swept - 1e-9 * size <= found.upper, "case {case}: {found:?}");
        }
    }
}

/// Everything that can be said about an answer without knowing the truth: the points are in the
/// shapes, the bounds are what the points and the normal prove, and they are close together.
fn check_certificate<A: Support<Point>, B: Support<Point>>(what: &str, a: &A, b: &B) -> [u32; 2] {
    let size = a.size() + b.size();
    let overlap = |n: Point| n.dot(a.support(n).0 - b.support(-n).0);
    let found = apart(a, b);
    assert!(
        found.upper - found.lower <= 1e-12 * size || found.status == Status::Touching,
        "{what}: {found:?}"
    );
    assert!(found.upper - found.lower <= 1e-7 * size, "{what}: {found:?}");
    if found.status == Status::Closest {
        assert!((-overlap(found.normal) - found.distance).abs() <= 1e-12 * size, "{what}: {found:?}");
        for n in [found.normal, -found.normal, Vec3::unit(0), Vec3::unit(1), Vec3::unit(2)] {
            assert!(n.dot(found.point_a) <= n.dot(a.support(n).0) + 1e-14 * size, "{what}: {found:?}");
            assert!(n.dot(found.point_b) <= n.dot(b.support(n).0) + 1e-14 * size, "{what}: {found:?}");
        }
        return [found.iterations, 0];
    }
    let found = deep(a, b);
    assert!((overlap(found.normal) - found.depth).abs() <= 1e-14 * size, "{what}: {found:?}");
    assert!(found.lower <= found.depth + 1e-14 * size && found.depth <= found.upper, "{what}: {found:?}");
    let full = found.iterations >= 126;
    assert!(full || found.upper - found.lower <= 1e-10 * size, "{what}: {found:?}");
    assert!(found.upper - found.lower <= 0.05 * size, "{what}: {found:?}");
    [0, found.iterations]
}

#[test]
fn mixed_pairs_carry_tight_certificates() {
    let mut rng = Rng::new(24);
    let mut most = [0, 0];
    for case in 0..600 {
        let mut length = || {
            let lengths: &[f64] =
                if case % 4 == 0 { &[0.001, 0.1, 1.0, 100.0] } else { &[0.1, 0.5, 0.7, 1.0, 2.0] };
            rng.pick(lengths)
        };
        let ellipsoid = Ellipsoid(Vec3::new(length(), length(), length()));
        let block = Block(Vec3::new(length(), length(), length()));
        let cylinder = Cylinder { half_height: length(), radius: length() };
        let other_cylinder = Cylinder { half_height: length(), radius: length() };
        let cone = Cone { half_height: length(), radius: length() };
        let reach = rng.pick(&[0.0, 0.3, 1.0, 3.0]);
        let translation = Vec3::from(match case % 5 {
            0 => generate::lattice_point(&mut rng),
            _ => std::array::from_fn(|_| rng.uniform(-reach, reach)),
        });
        let turn = match case % 3 {
            0 => generate::cube_rotation(&mut rng),
            _ => generate::unit_quaternion(&mut rng),
        };
        for [steps, steps_deep] in [
            check_certificate("ellipsoid–box", &ellipsoid, &turned(block, turn, translation)),
            check_certificate("ellipsoid–cylinder", &ellipsoid, &turned(cylinder, turn, translation)),
            check_certificate("cylinder–box", &cylinder, &turned(block, turn, translation)),
            check_certificate("cylinder–cylinder", &cylinder, &turned(other_cylinder, turn, translation)),
            check_certificate("cone–box", &cone, &turned(block, turn, translation)),
            check_certificate("cone–cylinder", &cone, &turned(cylinder, turn, translation)),
            check_certificate("cone–cone", &cone, &turned(cone, turn, translation)),
        ] {
            most = [most[0].max(steps), most[1].max(steps_deep)];
        }
    }
    assert!(most[0] < 100, "{most:?}");
}

/// The nearest points of an ellipsoid and an aligned box often lie exactly over the end of an edge.
/// Steps towards the other end then gain less than rounding, and a search that drops the vertex which
/// gains nothing stands still 1e-10 above the distance.
#[test]
fn aligned_ellipsoids_and_boxes_do_not_stall() {
    let mut rng = Rng::new(26);
    for case in 0..6000 {
        let mut lengths = || Vec3::from(std::array::from_fn(|_| rng.pick(&[0.1, 0.5, 0.7, 1.0, 2.0])));
        let (ellipsoid, block) = (Ellipsoid(lengths()), Block(lengths()));
        let translation = Vec3::from(generate::lattice_point(&mut rng));
        let b = turned(block, generate::cube_rotation(&mut rng), translation);
        let found = apart(&ellipsoid, &b);
        let size = ellipsoid.size() + b.size();
        // A tangent pair is left undecided at some small distance; its depth decides.
        let tolerance = if found.status == Status::Touching { 1e-9 } else { 1e-12 };
        assert!(found.upper - found.lower <= tolerance * size, "case {case}: {found:?}");
    }
}

#[test]
fn flat_and_thin_shapes_have_a_depth() {
    // Two crossing segments in one plane, a segment in the plane of a triangle, coincident points.
    let cross = [
        Corners([Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)]),
        Corners([Vec3::new(-1.0, 1.0, 0.0), Vec3::new(1.0, -1.0, 0.0)]),
    ];
    let found = deep(&cross[0], &cross[1]);
    assert_eq!((found.depth, found.normal.z.abs()), (0.0, 1.0));
    let triangle = Corners([Vec3::new(0.0, 0.0, 1.0), Vec3::new(4.0, 0.0, 1.0), Vec3::new(0.0, 4.0, 1.0)]);
    let segment = Corners([Vec3::new(1.0, 1.0, 1.0), Vec3::new(9.0, 9.0, 1.0)]);
    let found = deep(&triangle, &segment);
    assert_eq!((found.depth, found.normal.z.abs()), (0.0, 1.0));
    let point = Corners([Vec3::new(2.0, 3.0, 4.0)]);
    assert_eq!(apart(&point, &point).status, Status::Touching);
    let found = deep(&point, &point);
    assert_eq!((found.depth, found.normal), (0.0, Vec3::unit(0)));
    assert_eq!(found.point_a, Vec3::new(2.0, 3.0, 4.0));
    // The same in the plane, where a segment on a segment is already flat.
    let segment = Corners([Vec2::new(0.0, 0.0), Vec2::new(2.0, 2.0)]);
    let found = deep(&segment, &segment);
    assert!(found.depth == 0.0 && (found.normal.x + found.normal.y).abs() <= 1e-15, "{found:?}");
    // A disc without height through a box without depth.
    let disc = Cylinder { half_height: 0.0, radius: 1.0 };
    let plate = Block(Vec3::new(0.0, 2.0, 2.0));
    let found = deep(&disc, &plate);
    assert!((found.depth - 1.0).abs() <= 1e-10 && found.lower <= 1.0 && 1.0 <= found.upper, "{found:?}");
}

#[test]
fn supports_are_farthest_points() {
    // Against the profile of the body, revolved: the support of a cone in direction d is that of its
    // profile in direction (|q|, y).
    let mut rng = Rng::new(25);
    for _ in 0..500 {
        let (half_height, radius) = (generate::length(&mut rng), generate::length(&mut rng));
        let direction: [f64; 3] = generate::direction(&mut rng);
        let d = Vec3::from(direction);
        let across = (d.x * d.x + d.z * d.z).sqrt();
        let farthest = |body: Revolved| -> f64 {
            let profile: Convex<2> = body.profile();
            let product = |p: &[Rational; 2]| &p[0] * exact(across) + &p[1] * exact(d.y);
            f64_below(&profile.points().iter().map(|p| product(&p.0)).max().unwrap())
        };
        let scale = (half_height + radius) * d.length();
        let cylinder = Cylinder { half_height, radius }.support(d).0.dot(d);
        assert!((cylinder - farthest(Revolved::Cylinder { half_height, radius })).abs() <= 1e-15 * scale);
        let cone = Cone { half_height, radius }.support(d).0.dot(d);
        assert!((cone - farthest(Revolved::Cone { half_height, radius })).abs() <= 1e-15 * scale);
    }
}
