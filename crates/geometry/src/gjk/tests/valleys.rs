//! Depths that are the same, or nearly so, in all directions around an axis, and the balls that prove them; and those that curvature does.

use super::super::inside::largest_cosine;
use super::super::{Block, Cone, Corners, Cylinder, Ellipsoid, Penetration, Posed, Support};
use super::curved::{swept_overlap, turned};
use super::deep;
use carom_math::{Quat, Vec3, Vector};
use carom_oracle::generate::{self, Rng};

type Point = Vec3<f64>;

fn random_point(rng: &mut Rng, reach: f64) -> Point {
    Vec3::from(std::array::from_fn(|_| rng.uniform(-reach, reach)))
}

/// A triangle whose first corner is at `at`, and which leads away from there.
fn triangle_at(rng: &mut Rng, at: Point) -> Corners<Point, 3> {
    let away = Vec3::from(generate::unit_vector(rng));
    let mut corner = || at + away * rng.uniform(1.0, 2.0) + random_point(rng, 0.5);
    Corners([at, corner(), corner()])
}

/// The bounds are tight, which facets alone cannot make them here, and no direction is better.
fn check<A: Support<Point>, B: Support<Point>>(what: &str, a: &A, b: &B) -> Penetration<Point> {
    let (found, size, swept) = (deep(a, b), a.size() + b.size(), swept_overlap(a, b));
    assert!(found.upper - found.lower <= 1e-10 * size, "{what}: {found:?}");
    // The sweep ends a little above the least where that is on a crease.
    assert!(found.lower <= swept && found.depth <= swept + 1e-10 * size, "{what}: {found:?} against {swept}");
    assert!(swept - 1e-2 * size <= found.depth, "{what}: {found:?} against {swept}");
    let missed = (found.point_a - found.point_b - found.normal * found.depth).length();
    assert!(missed <= 1e-5 * size, "{what}: {found:?}");
    are_inside(what, &found, a, b);
    found
}

fn are_inside<A: Support<Point>, B: Support<Point>>(what: &str, found: &Penetration<Point>, a: &A, b: &B) {
    let size = a.size() + b.size();
    let axes = [found.normal, Vec3::unit(0), Vec3::unit(1), Vec3::unit(2)];
    for n in axes.into_iter().flat_map(|n| [n, -n]) {
        assert!(n.dot(found.point_a) <= n.dot(a.support(n).0) + 1e-11 * size, "{what}: {found:?}");
        assert!(n.dot(found.point_b) <= n.dot(b.support(n).0) + 1e-11 * size, "{what}: {found:?}");
    }
}

/// The ball about a corner below the end of a cylinder is cut so that the place where it meets the mantle is not part of the cylinder.
#[test]
fn corners_beyond_an_end_have_points_inside() {
    let mut rng = Rng::new(46);
    let mut count = 0;
    for case in 0..200 {
        let half_height = [1.0, 0.25, 0.0][case % 3];
        let at = Vec3::new(0.0, -half_height - rng.uniform(0.0, 0.4), 0.0);
        let mut corner =
            || at + Vec3::new(rng.uniform(-0.4, 0.4), rng.uniform(1.0, 3.0), rng.uniform(-0.4, 0.4));
        let (body, axes) = (Corners([at, corner(), corner()]), [0, 1, 2].map(Vec3::unit));
        let b = Posed::new(body, &axes, Vec3::ZERO);
        count += usize::from(known("cylinder", &Cylinder { half_height, radius: 0.5 }, &b).is_some());
        count +=
            usize::from(known("cone", &Cone { half_height: half_height + 0.5, radius: 0.5 }, &b).is_some());
    }
    assert!(200 < count, "{count}");
}

#[test]
fn corners_on_an_axis_are_proved_by_balls() {
    let mut rng = Rng::new(41);
    let (cylinder, cone) =
        (Cylinder { half_height: 1.0, radius: 0.5 }, Cone { half_height: 1.0, radius: 0.5 });
    let mut steps = 0;
    for case in 0..40 {
        // On the axis, or beside it by what rounding leaves or a little more; also close to an end. A corner 1e-9 beside the axis with the
        // triangle around the axis still takes all facets: the ball about the corner is that much too small.
        let beside = [0.0, 1e-16, 1e-12][case % 3];
        let at = Vec3::new(beside, rng.uniform(-0.95, 0.7), -0.5 * beside);
        let (body, turn) = (triangle_at(&mut rng, at), generate::unit_quaternion(&mut rng));
        let [x, y, z, w] = turn;
        let columns = Quat::new(x, y, z, w).unwrap().to_matrix().columns;
        steps += check("cylinder", &cylinder, &Posed::new(body, &[0, 1, 2].map(Vec3::unit), Vec3::ZERO))
            .iterations;
        steps += check("cone", &cone, &Posed::new(body, &[0, 1, 2].map(Vec3::unit), Vec3::ZERO)).iterations;
        // The same with the round one turned and moved.
        let shift = random_point(&mut rng, 2.0);
        let moved = Corners(body.0.map(|p| columns[0] * p.x + columns[1] * p.y + columns[2] * p.z + shift));
        check("turned cylinder", &moved, &turned(cylinder, turn, shift));
        check("turned cone", &moved, &turned(cone, turn, shift));
    }
    // Facets without end would take 126 steps for nearly each.
    assert!(steps < 80 * 40, "{steps}");
}

#[test]
fn a_corner_in_the_middle_is_as_deep_as_the_radius() {
    let corners = [Vec3::ZERO, Vec3::new(1.0, 0.25, 0.0), Vec3::new(0.125, 1.0, 0.25)];
    let found = check(
        "cylinder",
        &Cylinder { half_height: 1.0, radius: 0.5 },
        &turned(Corners(corners), [0.0, 0.0, 0.0, 1.0], Vec3::ZERO),
    );
    assert!((found.depth - 0.5).abs() <= 1e-15 && found.iterations <= 16, "{found:?}");
    // Half way up a cone of slope 4: (r·(h − y) − 2h·ρ)/√(4h² + r²).
    let found = check(
        "cone",
        &Cone { half_height: 1.0, radius: 0.5 },
        &turned(Corners(corners), [0.0, 0.0, 0.0, 1.0], Vec3::ZERO),
    );
    assert!((found.depth - 0.5 / 4.25_f64.sqrt()).abs() <= 1e-15 && found.iterations <= 16, "{found:?}");
    // A segment from the middle of the base: the ball about its end is cut by the base.
    let line = Corners([Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.25, 1.0, 0.0)]);
    let found = check(
        "cut",
        &Cone { half_height: 1.0, radius: 0.5 },
        &turned(line, [0.0, 0.0, 0.0, 1.0], Vec3::ZERO),
    );
    assert!((found.depth - 1.0 / 4.25_f64.sqrt()).abs() <= 1e-15 && found.iterations < 64, "{found:?}");
}

#[test]
fn balls_are_inside() {
    let mut rng = Rng::new(42);
    let (h, r) = (0.75, 0.5);
    let is_in_cylinder = |p: Point| p.y.abs() <= h + 1e-15 && p.x.hypot(p.z) <= r + 1e-15;
    let is_in_cone = |p: Point| -h - 1e-15 <= p.y && p.x.hypot(p.z) <= r * (h - p.y) / (2.0 * h) + 1e-15;
    let radii = Vec3::new(1.0, 0.5, 0.7);
    let is_in_ellipsoid = |p: Point| p.zip(radii, |x, radius| x / radius).length() <= 1.0 + 1e-14;
    let is_in_block =
        |p: Point| p.x.abs() <= 1.0 + 1e-15 && p.y.abs() <= 0.5 + 1e-15 && p.z.abs() <= 0.7 + 1e-15;
    let mut seen = [0; 4];
    for _ in 0..2000 {
        let p = random_point(&mut rng, 0.9);
        let direction = Vec3::from(generate::unit_vector(&mut rng));
        let balls = [
            Cylinder { half_height: h, radius: r }.ball_about(p),
            Cone { half_height: h, radius: r }.ball_about(p),
            Ellipsoid(radii).ball_about(p),
            Block(radii).ball_about(p),
        ];
        let tests: [&dyn Fn(Point) -> bool; 4] =
            [&is_in_cylinder, &is_in_cone, &is_in_ellipsoid, &is_in_block];
        for (kind, (ball, is_inside)) in balls.into_iter().zip(tests).enumerate() {
            let Some(ball) = ball else {
                assert!(!is_inside(p), "{kind} {p:?}");
                continue;
            };
            seen[kind] += 1;
            let is_kept = |v: Point| ball.cuts.iter().all(|&(e, c)| c == f64::INFINITY || e.dot(v) <= c);
            for d in [direction, -direction, ball.outward] {
                let v = d * ball.radius;
                assert!(!is_kept(v) || is_inside(p + v), "{kind} {p:?} {ball:?}");
            }
            // As large as it can be.
            assert!(!is_inside(p + ball.outward * (ball.radius + 1e-9)), "{kind} {p:?} {ball:?}");
        }
    }
    assert!(seen.iter().all(|&count| 100 < count), "{seen:?}");
}

#[test]
fn cosines_over_a_facet_are_bounded() {
    let mut rng = Rng::new(43);
    let mut tight = 0;
    for _ in 0..2000 {
        let normal = Vec3::from(generate::unit_vector(&mut rng));
        let corners = [(); 3].map(|()| normal + random_point(&mut rng, 0.5));
        let e = Vec3::from(generate::unit_vector(&mut rng));
        let bound = largest_cosine(&corners, e);
        let mut most = f64::NEG_INFINITY;
        for _ in 0..50 {
            let (s, t) = (rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0));
            let (s, t) = if 1.0 < s + t { (1.0 - s, 1.0 - t) } else { (s, t) };
            let v = corners[0] + (corners[1] - corners[0]) * s + (corners[2] - corners[0]) * t;
            most = most.max(e.dot(v) / v.length());
        }
        assert!(most <= bound + 1e-14, "{corners:?} {e:?}");
        tight += usize::from(bound < most + 0.1);
    }
    assert!(500 < tight, "{tight}");
}

#[test]
fn depths_along_an_axis_scale_to_the_bit() {
    let mut rng = Rng::new(44);
    for case in 0..30 {
        let height = rng.uniform(-0.9, 0.9);
        let body = triangle_at(&mut rng, Vec3::new(0.0, height, 0.0));
        let factor = [2.0_f64.powi(40), 2.0_f64.powi(-40), 8.0][case % 3];
        let scaled = Corners(body.0.map(|p| p * factor));
        let axes = [0, 1, 2].map(Vec3::unit);
        let one = deep(&Cylinder { half_height: 1.0, radius: 0.5 }, &Posed::new(body, &axes, Vec3::ZERO));
        let other = deep(
            &Cylinder { half_height: factor, radius: 0.5 * factor },
            &Posed::new(scaled, &axes, Vec3::ZERO),
        );
        assert_eq!(
            (one.depth * factor, one.lower * factor, one.upper * factor),
            (other.depth, other.lower, other.upper)
        );
        assert_eq!((one.normal, one.point_a * factor), (other.normal, other.point_a));
    }
}

/// Newton's method and curvature: bounds that facets alone would need more than a hundred steps for, and nothing deeper anywhere.
#[test]
fn smooth_pairs_are_proved_by_curvature() {
    let mut rng = Rng::new(45);
    let (mut steps, mut count) = (0, 0);
    for case in 0..90 {
        let mut size =
            || if case % 3 == 0 { rng.pick(&[0.25, 0.5, 1.0, 3.0]) } else { rng.uniform(0.4, 1.2) };
        let ellipsoid = Ellipsoid(Vec3::new(size(), size(), size()));
        let other = Ellipsoid(Vec3::new(size(), size(), size()));
        let cylinder = Cylinder { half_height: size(), radius: size() };
        let cone = Cone { half_height: size(), radius: size() };
        let segment = Corners([random_point(&mut rng, 1.5), random_point(&mut rng, 1.5)]);
        let block = Block(random_point(&mut rng, 1.0).abs_by_axis());
        let reach = rng.uniform(0.0, 0.6);
        let at = Vec3::from(generate::unit_vector(&mut rng)) * reach;
        let turn = if case % 5 == 0 { [0.0, 0.0, 0.0, 1.0] } else { generate::unit_quaternion(&mut rng) };
        let mut watch = |found: Option<Penetration<Point>>| {
            if let Some(found) = found {
                (steps, count) = (steps + found.iterations, count + 1);
            }
        };
        watch(known("two ellipsoids", &ellipsoid, &turned(other, turn, at)));
        watch(known("segment", &ellipsoid, &turned(segment, turn, at)));
        watch(known("cylinder", &ellipsoid, &turned(cylinder, turn, at)));
        watch(known("cone", &ellipsoid, &turned(cone, turn, at)));
        watch(known("box", &ellipsoid, &turned(block, turn, at)));
        watch(known(
            "two cylinders",
            &cylinder,
            &turned(Cylinder { half_height: 1.0, radius: 0.5 }, turn, at),
        ));
    }
    assert!(300 < count && steps < 36 * count, "{steps} of {count}");
}

/// The depth, which is that of a sweep over all directions; `None` for sets that are apart.
fn known<A: Support<Point>, B: Support<Point>>(what: &str, a: &A, b: &B) -> Option<Penetration<Point>> {
    if super::apart(a, b).status != super::super::Status::Overlap {
        return None;
    }
    let (found, size, swept) = (deep(a, b), a.size() + b.size(), swept_overlap(a, b));
    assert!(found.lower <= swept + 1e-14 * size, "{what}: {found:?} against {swept}");
    assert!(found.depth <= swept + 1e-10 * size, "{what}: {found:?} against {swept}");
    assert!(swept - 1e-2 * size <= found.depth, "{what}: {found:?} against {swept}");
    assert!(found.upper - found.lower <= 1e-10 * size || 126 <= found.iterations, "{what}: {found:?}");
    let along = found.normal.dot(a.support(found.normal).0 - b.support(-found.normal).0);
    assert!((along - found.depth).abs() <= 1e-14 * size, "{what}: {found:?}");
    let missed = (found.point_a - found.point_b - found.normal * found.depth).length();
    assert!(missed <= 1e-4 * size || 126 <= found.iterations, "{what}: {found:?}");
    are_inside(what, &found, a, b);
    Some(found)
}
