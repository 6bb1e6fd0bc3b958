//! Hulls, turned boxes and balls around points, against exact arithmetic.

use carom_geometry::bound::{BoundingBall, Obb, Placement};
use carom_geometry::{Error, d2, d3};
use carom_math::{Number, Quat, Real, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::fit;
use carom_oracle::generate::{
    self, Rng, any_bits, any_bits_f32, collinear, cospherical, points, points_f32, unit_quaternion,
};
use carom_oracle::rational::{
    Rational, V, exact, exact_points, magnitude, pose3, sqrt_bounds, square, to_f64,
};

fn vec2(p: &[f64; 2]) -> Vec2<f64> {
    (*p).into()
}
fn vec3(p: &[f64; 3]) -> Vec3<f64> {
    (*p).into()
}
fn narrow2(p: &[f64; 2]) -> Vec2<f32> {
    Vec2::narrow((*p).into())
}
fn narrow3(p: &[f64; 3]) -> Vec3<f32> {
    Vec3::narrow((*p).into())
}

fn exactly<const D: usize, W: Vector>(v: W) -> V<D> {
    V(std::array::from_fn(|k| exact(v.get(k).to_f64())))
}

/// |axisₖ·(p − c)| <= hₖ for every point, in exact arithmetic with the returned numbers.
fn assert_box_contains<const D: usize, P: Placement>(fit: &Obb<P>, cloud: &[[f64; D]]) {
    let center: V<D> = exactly(fit.center());
    for (k, axis) in fit.axes().into_iter().enumerate() {
        let axis: V<D> = exactly(axis);
        let half = exact(fit.half_extents().get(k).to_f64());
        for p in exact_points(cloud) {
            let along = magnitude(&axis.dot(&(&p - &center)));
            assert!(along <= half, "{fit:?} misses {:?} by {:e}", p.to_f64(), to_f64(&(along - half)));
        }
    }
}

/// As a cuboid at a pose: the exact inverse of the exact rotation brings every point inside.
fn assert_cuboid_contains(fit: &d3::Obb<f64>, cloud: &[[f64; 3]]) {
    let (cuboid, pose) = fit.to_cuboid_and_pose();
    let transform = pose3(pose.rotation.to_array(), pose.translation.into());
    for p in cloud {
        let local = transform.point_to_local(p);
        for k in 0..3 {
            assert!(magnitude(&local.0[k]) <= exact(cuboid.half_extents().get(k)), "{fit:?} misses {p:?}");
        }
    }
}

/// |p − c|² <= r² for every point, in exact arithmetic with the returned numbers.
fn assert_ball_contains<const D: usize, W: Vector>(ball: &BoundingBall<W>, cloud: &[[f64; D]]) {
    let center: V<D> = exactly(ball.center());
    let squared = square(&exact(ball.radius().to_f64()));
    for p in exact_points(cloud) {
        assert!(p.distance_squared(&center) <= squared, "{ball:?} misses {:?}", p.to_f64());
    }
}

fn diameter<const D: usize>(cloud: &[[f64; D]]) -> f64 {
    let mut largest = 0.0_f64;
    for k in 0..D {
        let (low, high) = cloud
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min_of(p[k]), high.max_of(p[k])));
        largest = largest.max_of(high - low);
    }
    largest * (D as f64).sqrt()
}

fn farthest_coordinate<const D: usize>(cloud: &[[f64; D]]) -> f64 {
    cloud.iter().flatten().fold(0.0_f64, |s, x| s.max_of(x.abs()))
}

#[test]
fn flat_hulls_equal_the_exact_ones() {
    let mut rng = Rng::new(21);
    for round in 0..4000 {
        let n = 1 + rng.below(if round % 10 == 0 { 60 } else { 12 });
        let mut cloud = points::<2>(&mut rng, n);
        if round % 7 == 0 {
            let factor = power_of_two(rng.pick(&[-900, 900]));
            cloud = cloud.iter().map(|p| p.map(|x| x * factor)).collect();
        }
        let hull = d2::convex_hull(&cloud.iter().map(vec2).collect::<Vec<_>>()).unwrap();
        assert_eq!(hull, fit::convex_hull(&cloud), "{cloud:?}");
        // The corners do not depend on the order.
        let corners: Vec<[f64; 2]> = hull.iter().map(|&i| cloud[i]).collect();
        rng.shuffle(&mut cloud);
        let again = d2::convex_hull(&cloud.iter().map(vec2).collect::<Vec<_>>()).unwrap();
        assert_eq!(corners, again.iter().map(|&i| cloud[i]).collect::<Vec<_>>());
    }
}

#[test]
fn smallest_rectangles_equal_the_exact_ones() {
    let mut rng = Rng::new(22);
    for round in 0..2000 {
        let n = 1 + rng.below(if round % 10 == 0 { 40 } else { 9 });
        let cloud = points::<2>(&mut rng, n);
        let fit = d2::minimum_rectangle(&cloud.iter().map(vec2).collect::<Vec<_>>()).unwrap();
        assert_box_contains(&fit, &cloud);
        let area = to_f64(&fit::smallest_rectangle(&cloud).area);
        // An axis is off by an ulp, so a sliver is wider by an ulp of its length; so is a far cloud,
        // whose centre is off by an ulp of its distance.
        let length = diameter(&cloud);
        let ulp = f64::EPSILON * (8.0 * length + farthest_coordinate(&cloud));
        let slack = 1e-12 * area + 8.0 * ulp * (length + ulp);
        assert!((fit.volume() - area).abs() <= slack, "{} {area} {slack:e} {cloud:?}", fit.volume());
    }
}

#[test]
fn boxes_in_f32_contain_exactly() {
    let mut rng = Rng::new(23);
    for _ in 0..400 {
        let n = 1 + rng.below(12);
        let flat = points_f32::<2>(&mut rng, n);
        let narrow: Vec<Vec2<f32>> = flat.iter().map(narrow2).collect();
        let smallest = d2::minimum_rectangle(&narrow).unwrap();
        assert_box_contains(&smallest, &flat);
        assert_box_contains(&d2::Obb::from_principal_axes(&narrow).unwrap(), &flat);
        let area = to_f64(&fit::smallest_rectangle(&flat).area);
        let (length, far) = (diameter(&flat), farthest_coordinate(&flat));
        let ulp = f64::from(f32::EPSILON) * (8.0 * length + far);
        let slack = 1e-6 * area + 8.0 * ulp * (length + ulp);
        assert!((f64::from(smallest.volume()) - area).abs() <= slack, "{smallest:?} {area}");

        let cloud = points_f32::<3>(&mut rng, n);
        let narrow: Vec<Vec3<f32>> = cloud.iter().map(narrow3).collect();
        assert_box_contains(&d3::Obb::from_principal_axes(&narrow).unwrap(), &cloud);
        assert_box_contains(&d3::minimum_box(&narrow).unwrap(), &cloud);
        assert_ball_contains(&d3::BoundingBall::ritter(&narrow).unwrap(), &cloud);
        let ball = d3::BoundingBall::minimum(&narrow).unwrap();
        assert_ball_contains(&ball, &cloud);
        let [_, truth] = sqrt_bounds(&fit::smallest_ball(&cloud).radius_squared);
        let slack = 2.0 * f64::from(f32::EPSILON) * (truth + ball.center().widen().max_abs());
        assert!(f64::from(ball.radius()) <= truth + slack, "{ball:?} {truth}");
    }
}

#[test]
fn principal_boxes_contain_exactly_and_follow_the_spread() {
    let mut rng = Rng::new(24);
    for _ in 0..600 {
        let n = 1 + rng.below(15);
        let cloud = points::<3>(&mut rng, n);
        let vectors: Vec<Vec3<f64>> = cloud.iter().map(vec3).collect();
        let fit = d3::Obb::from_principal_axes(&vectors).unwrap();
        assert_box_contains(&fit, &cloud);
        assert_cuboid_contains(&fit, &cloud);
        assert!(vectors.iter().all(|p| fit.contains_point(*p) && fit.aabb().contains_point(*p)));
        let flat = points::<2>(&mut rng, n);
        assert_box_contains(
            &d2::Obb::from_principal_axes(&flat.iter().map(vec2).collect::<Vec<_>>()).unwrap(),
            &flat,
        );
    }
    // A slab 10 × 3 × 1, turned: its own extents, sorted.
    for _ in 0..50 {
        let transform = pose3(unit_quaternion(&mut rng), [3.0, -2.0, 1.0]);
        let corners: Vec<[f64; 3]> =
            transform.points(&generate::box_corners([5.0, 1.5, 0.5])).iter().map(V::to_f64).collect();
        let fit = d3::Obb::from_principal_axes(&corners.iter().map(vec3).collect::<Vec<_>>()).unwrap();
        let h = fit.half_extents();
        assert!((h.x - 5.0).abs() + (h.y - 1.5).abs() + (h.z - 0.5).abs() < 1e-13, "{fit:?}");
    }
}

#[test]
fn carried_boxes_contain_the_image() {
    let mut rng = Rng::new(25);
    for _ in 0..500 {
        let q = unit_quaternion(&mut rng);
        let pose = carom_math::Pose3::new(
            generate::point::<3>(&mut rng),
            carom_math::Quat::new(q[0], q[1], q[2], q[3]).unwrap(),
        );
        let local =
            d3::Aabb::from_corners(generate::point::<3>(&mut rng), generate::point::<3>(&mut rng)).unwrap();
        let carried = d3::Obb::from_aabb(local, pose).unwrap();
        let exact_pose = pose3(pose.rotation.to_array(), pose.translation.into());
        let (cuboid, at) = carried.to_cuboid_and_pose();
        let back = pose3(at.rotation.to_array(), at.translation.into());
        for corner in local.corners() {
            let image = exact_pose.point(&<[f64; 3]>::from(corner));
            let seen = back.point_to_local(&image);
            for k in 0..3 {
                assert!(magnitude(&seen.0[k]) <= exact(cuboid.half_extents().get(k)));
            }
        }
        let size = pose.translation.max_abs() + local.max.max_abs() + local.min.max_abs();
        assert!((cuboid.half_extents() - local.half_extents()).max_abs() <= 64.0 * f64::EPSILON * size);
    }
}

/// The volume of the box along a frame, in plain arithmetic.
fn volume_along(cloud: &[Vec3<f64>], axes: [Vec3<f64>; 3]) -> f64 {
    axes.iter()
        .map(|axis| {
            let ends = cloud.iter().map(|p| axis.dot(*p));
            let (low, high) =
                ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min_of(x), h.max_of(x)));
            high - low
        })
        .product()
}

/// A search that shares nothing with the code under test: from a random rotation, random turns of
/// shrinking size, each kept when it helps.
fn volume_by_random_descent(cloud: &[Vec3<f64>], rng: &mut Rng) -> f64 {
    let q = unit_quaternion(rng);
    let mut rotation = Quat::new(q[0], q[1], q[2], q[3]).unwrap();
    let mut best = volume_along(cloud, rotation.to_matrix().columns);
    let mut size = 0.5;
    let mut failures = 0;
    while size > 1e-10 {
        let turn: [f64; 3] = generate::unit_vector(rng).map(|x| x * size * rng.unit());
        let next = Quat::from_rotation_vector(turn) * rotation;
        let volume = volume_along(cloud, next.to_matrix().columns);
        if volume < best {
            (rotation, best, failures) = (next, volume, 0);
        } else {
            failures += 1;
        }
        if failures == 12 {
            (size, failures) = (size * 0.6, 0);
        }
    }
    best
}

/// How many random descents each cloud is given.
const RESTARTS: usize = 200;

#[test]
fn no_random_descent_beats_the_smallest_box() {
    let mut rng = Rng::new(32);
    for round in 0..16 {
        let n = [4, 5, 6, 8, 10, 14, 20, 40][round % 8];
        let cloud: Vec<[f64; 3]> = if round % 3 == 0 {
            (0..n).map(|_| generate::unit_vector(&mut rng)).collect()
        } else {
            let stretch = [1.0, rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0)];
            (0..n).map(|_| stretch.map(|s| rng.uniform(-s, s))).collect()
        };
        let vectors: Vec<Vec3<f64>> = cloud.iter().map(vec3).collect();
        let fit = d3::minimum_box(&vectors).unwrap();
        assert_box_contains(&fit, &cloud);
        for _ in 0..RESTARTS {
            let other = volume_by_random_descent(&vectors, &mut rng);
            assert!(fit.volume() <= other * (1.0 + 1e-9), "{n}: {} beaten by {other}", fit.volume());
        }
    }
}

#[test]
fn smallest_boxes_of_known_bodies() {
    let mut rng = Rng::new(33);
    for round in 0..60 {
        let q = unit_quaternion(&mut rng);
        let transform = pose3(q, [1.0, -2.0, 0.5]);
        let placed = |points: &[[f64; 3]]| -> Vec<Vec3<f64>> {
            transform.points(points).iter().map(|p| p.to_f64().into()).collect()
        };
        // Boxes, with points on and inside them.
        let half = [rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0)];
        let mut corners = generate::box_corners(half);
        corners.extend((0..20).map(|_| half.map(|h| rng.uniform(-h, h))));
        let fit = d3::minimum_box(&placed(&corners)).unwrap();
        let truth = 8.0 * half[0] * half[1] * half[2];
        assert!((fit.volume() - truth).abs() <= 1e-12 * truth, "{} {truth}", fit.volume());
        // The regular tetrahedron in a cube of side 2.
        let tetrahedron = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        let fit = d3::minimum_box(&placed(&tetrahedron)).unwrap();
        assert!((fit.volume() - 8.0).abs() <= 1e-12, "{} {q:?}", fit.volume());
        // A flat cloud: the rectangle of least area, and hardly any height.
        let flat: Vec<[f64; 2]> = (0..8).map(|_| [rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)]).collect();
        let lifted: Vec<[f64; 3]> = flat.iter().map(|p| [p[0], p[1], 0.0]).collect();
        let vectors = if round == 0 { lifted.iter().map(vec3).collect() } else { placed(&lifted) };
        let mut extents: [f64; 3] = d3::minimum_box(&vectors).unwrap().half_extents().into();
        extents.sort_by(f64::total_cmp);
        let area = to_f64(&fit::smallest_rectangle(&flat).area);
        if round == 0 {
            assert!((4.0 * extents[1] * extents[2] - area).abs() <= 1e-12 * area);
        }
        assert!(extents[0] <= 1e-14);
    }
}

#[test]
fn smallest_boxes_of_flat_clouds_are_flat() {
    // Upright boxes of slanted triangles have small faces, and yet they are no match for a box without a
    // volume: the triangle's plane has the longer sides.
    let slanted: [[[f64; 3]; 3]; 3] = [
        [[0.5, 0.5, 0.5], [0.5, 0.5, -1.0], [2.0, -1.0, 0.0]],
        [[-0.5, 0.0005, 0.5], [1.0, -5e-7, 5e-7], [0.0005, 2.0, 0.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ];
    for (cloud, offset) in slanted.iter().flat_map(|cloud| [0.0, 1024.0].map(|offset| (cloud, offset))) {
        let moved = cloud.map(|p| p.map(|x| x + offset));
        let size = farthest_coordinate(&moved);
        let smallest_extent = |half: [f64; 3]| half.into_iter().fold(f64::INFINITY, Number::min_of);
        let wide = d3::minimum_box(&moved.map(|p| vec3(&p))).unwrap();
        assert!(smallest_extent(wide.half_extents().into()) <= 16.0 * f64::EPSILON * size, "{wide:?}");
        let narrow = d3::minimum_box(&moved.map(|p| narrow3(&p))).unwrap();
        let least = smallest_extent(narrow.half_extents().widen().into());
        assert!(least <= 16.0 * f64::from(f32::EPSILON) * size, "{narrow:?}");
    }
}

#[test]
fn smallest_boxes_contain_and_are_no_larger_than_others() {
    let mut rng = Rng::new(34);
    for _ in 0..300 {
        let n = 1 + rng.below(14);
        let cloud = points::<3>(&mut rng, n);
        let vectors: Vec<Vec3<f64>> = cloud.iter().map(vec3).collect();
        let fit = d3::minimum_box(&vectors).unwrap();
        assert_box_contains(&fit, &cloud);
        assert_cuboid_contains(&fit, &cloud);
        // A flat cloud has a box of no volume but for rounding: the largest extents of such boxes count. A
        // box that stands out of the plane of the cloud has a volume and is larger than all of them.
        let dimension = d3::convex_hull(&vectors).unwrap().dimension;
        let thin = 64.0 * f64::EPSILON * farthest_coordinate(&cloud);
        let measure = |half_extents: Vec3<f64>| -> (bool, f64) {
            let mut extents: [f64; 3] = half_extents.into();
            extents.sort_by(|a, b| b.total_cmp(a));
            let is_flat = extents[dimension..].iter().all(|extent| *extent <= thin);
            (!is_flat, extents[..if is_flat { dimension } else { 3 }].iter().product())
        };
        let (stands_out, size) = measure(fit.half_extents());
        let principal = d3::Obb::from_principal_axes(&vectors).unwrap();
        let upright = d3::Aabb::from_points(&vectors).unwrap();
        for (other, slack) in [(principal.half_extents(), 1e-15), (upright.half_extents(), 1e-12)] {
            let (other_stands_out, other_size) = measure(other);
            assert!(stands_out <= other_stands_out, "{fit:?} of {cloud:?}");
            assert!(stands_out != other_stands_out || size <= other_size * (1.0 + slack));
        }
    }
}

fn check_ball<const D: usize, W>(cloud: &[[f64; D]], smallest: &BoundingBall<W>, ritter: &BoundingBall<W>)
where
    W: Vector<Scalar = f64>,
{
    assert_ball_contains(smallest, cloud);
    assert_ball_contains(ritter, cloud);
    let truth = fit::smallest_ball(cloud);
    let [low, high] = sqrt_bounds(&truth.radius_squared);
    // The centre is rounded to its own ulp, and the radius makes up for that.
    let center = truth.center.to_f64().iter().fold(0.0_f64, |s, x| s.max_of(x.abs()));
    let slack = 2.0 * f64::EPSILON * (high + center);
    assert!(
        smallest.radius() >= low && smallest.radius() - high <= slack,
        "{} {high}: {} ulp of {cloud:?}",
        smallest.radius(),
        (smallest.radius() - high) / (f64::EPSILON * high)
    );
    assert!(smallest.radius() <= ritter.radius() + slack);
}

#[test]
fn smallest_balls_equal_the_exact_ones() {
    let mut rng = Rng::new(26);
    for round in 0..1500 {
        let n = 1 + rng.below(14);
        let cloud = match round % 4 {
            0 => cospherical::<3>(&mut rng, n),
            1 => collinear::<3>(&mut rng, n),
            _ => points::<3>(&mut rng, n),
        };
        let vectors: Vec<Vec3<f64>> = cloud.iter().map(vec3).collect();
        check_ball(
            &cloud,
            &d3::BoundingBall::minimum(&vectors).unwrap(),
            &d3::BoundingBall::ritter(&vectors).unwrap(),
        );
        let flat = match round % 4 {
            0 => cospherical::<2>(&mut rng, n),
            1 => collinear::<2>(&mut rng, n),
            _ => points::<2>(&mut rng, n),
        };
        let vectors: Vec<Vec2<f64>> = flat.iter().map(vec2).collect();
        check_ball(
            &flat,
            &d2::BoundingBall::minimum(&vectors).unwrap(),
            &d2::BoundingBall::ritter(&vectors).unwrap(),
        );
    }
}

#[test]
fn balls_of_many_points() {
    let mut rng = Rng::new(27);
    for scale in [1.0, 1e9, 1e-9] {
        // A lattice: its corners, and many cospherical points besides.
        let mut lattice = Vec::new();
        for x in -4..=4 {
            for y in -4..=4 {
                for z in -4..=4 {
                    if x * x + y * y + z * z <= 18 {
                        lattice.push([x, y, z].map(|c| f64::from(c) * scale));
                    }
                }
            }
        }
        rng.shuffle(&mut lattice);
        let vectors: Vec<Vec3<f64>> = lattice.iter().map(vec3).collect();
        let ball = d3::BoundingBall::minimum(&vectors).unwrap();
        assert_ball_contains(&ball, &lattice);
        let truth = 18.0_f64.sqrt() * scale;
        assert!((ball.radius() - truth).abs() <= 4.0 * f64::EPSILON * truth, "{ball:?}");
        // On a sphere up to rounding.
        let sphere: Vec<Vec3<f64>> =
            (0..3000).map(|_| vec3(&generate::unit_vector(&mut rng).map(|x| x * scale))).collect();
        let ball = d3::BoundingBall::minimum(&sphere).unwrap();
        let plain: Vec<[f64; 3]> = sphere.iter().map(|p| (*p).into()).collect();
        assert_ball_contains(&ball, &plain);
        assert!(ball.radius() <= scale * (1.0 + 1e-15), "{ball:?}");
    }
}

#[test]
fn more_starts_never_hurt() {
    let mut rng = Rng::new(28);
    let mut better = 0;
    for _ in 0..300 {
        let vectors: Vec<Vec2<f64>> = points::<2>(&mut rng, 20).iter().map(vec2).collect();
        let one = d2::BoundingBall::ritter(&vectors).unwrap();
        let many = d2::BoundingBall::ritter_best_of(&vectors, 20).unwrap();
        let least = d2::BoundingBall::minimum(&vectors).unwrap();
        assert!(many.radius() <= one.radius());
        assert!(least.radius() <= many.radius() * (1.0 + 1e-14));
        assert_eq!(one, d2::BoundingBall::ritter_best_of(&vectors, 0).unwrap());
        better += usize::from(many.radius() < one.radius());
    }
    assert!(better > 50, "{better}");
}

#[test]
fn ritter_by_hand() {
    // Diameter (0,0)–(4,0): centre (2,0), radius 2. The third point is 3 away, so the radius becomes
    // (2 + 3)/2 and the centre moves by ½ towards it.
    let ball = d2::BoundingBall::ritter(&[[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]].map(Vec2::from)).unwrap();
    assert_eq!((ball.center(), ball.radius()), (Vec2::new(2.0, 0.5), 2.5));
    let point = d2::BoundingBall::ritter(&[Vec2::new(7.0_f32, 1.0)]).unwrap();
    assert_eq!((point.center(), point.radius()), (Vec2::new(7.0, 1.0), 0.0));
}

#[test]
fn merged_balls_contain_both() {
    let mut rng = Rng::new(29);
    for _ in 0..2000 {
        let ball = |rng: &mut Rng| {
            let radius = generate::length(rng);
            d3::BoundingBall::new(generate::point::<3>(rng), radius).unwrap()
        };
        let (a, b) = (ball(&mut rng), ball(&mut rng));
        let both = a.merged(b).unwrap();
        let at: V<3> = exactly(both.center());
        for part in [a, b] {
            // |c − part| + r <= R without a root: the distance is at most R − r.
            let room = exact(both.radius()) - exact(part.radius());
            assert!(room >= Rational::ZERO);
            assert!(at.distance_squared(&exactly(part.center())) <= square(&room), "{a:?} {b:?} {both:?}");
        }
        let between = Vector::length(a.center() - b.center());
        let least = (0.5 * (between + a.radius() + b.radius())).max_of(a.radius()).max_of(b.radius());
        let size = least + a.center().max_abs() + b.center().max_abs();
        assert!(both.radius() - least <= 16.0 * f64::EPSILON * size, "{a:?} {b:?} {both:?}");
    }
}

#[test]
fn scaling_by_powers_of_two_is_exact() {
    let mut rng = Rng::new(30);
    for round in 0..60 {
        let n = 1 + rng.below(20);
        let cloud: Vec<[f64; 3]> = (0..n).map(|_| [(); 3].map(|()| rng.uniform(-1.0, 1.0))).collect();
        let fits = |f: f64| {
            let space: Vec<Vec3<f64>> = cloud.iter().map(|p| vec3(p) * f).collect();
            let plane: Vec<Vec2<f64>> = space.iter().map(|p| Vec2::new(p.x, p.y)).collect();
            (
                d3::BoundingBall::minimum(&space).unwrap(),
                d3::BoundingBall::ritter(&space).unwrap(),
                d3::Obb::from_principal_axes(&space).unwrap(),
                d2::minimum_rectangle(&plane).unwrap(),
                d3::minimum_box(&space).unwrap(),
            )
        };
        let one = fits(1.0);
        for exponent in if round % 10 == 0 { vec![-990, -300, -40, 40, 300, 990] } else { vec![-300, 900] } {
            let f = power_of_two(exponent);
            let scaled = fits(f);
            for (a, b) in [(one.0, scaled.0), (one.1, scaled.1)] {
                assert_eq!((a.center() * f, a.radius() * f), (b.center(), b.radius()), "2^{exponent}");
            }
            for (a, b) in [(one.2, scaled.2), (one.4, scaled.4)] {
                assert_eq!(
                    (a.center() * f, a.half_extents() * f),
                    (b.center(), b.half_extents()),
                    "2^{exponent}"
                );
                assert_eq!(a.axes(), b.axes());
            }
            assert_eq!(one.3.half_extents() * f, scaled.3.half_extents());
            assert_eq!((one.3.center() * f, one.3.axes()), (scaled.3.center(), scaled.3.axes()));
        }
    }
}

#[test]
fn bad_input_is_answered() {
    let none = Error::TooFewPoints { what: "points", least: 1, count: 0 };
    assert_eq!(d2::convex_hull::<f64>(&[]), Err(none.clone()));
    assert_eq!(d2::minimum_rectangle::<f32>(&[]), Err(none.clone()));
    assert_eq!(d3::minimum_box::<f32>(&[]), Err(none.clone()));
    assert_eq!(d3::BoundingBall::<f64>::minimum(&[]), Err(none.clone()));
    assert_eq!(d3::BoundingBall::<f64>::ritter(&[]), Err(none.clone()));
    assert_eq!(d3::Obb::<f64>::from_principal_axes(&[]), Err(none));
    let mut rng = Rng::new(31);
    for _ in 0..2000 {
        let n = 1 + rng.below(6);
        let cloud: Vec<Vec3<f64>> = (0..n).map(|_| [(); 3].map(|()| any_bits(&mut rng)).into()).collect();
        let finite = cloud.iter().all(|p| p.finite());
        let expect = |kind: Option<Error>| match kind {
            None => assert!(finite),
            Some(Error::NotFinite { what: "points", .. }) => assert!(!finite),
            Some(Error::Overflow { .. }) => assert!(finite && cloud.iter().any(|p| p.max_abs() > 1e307)),
            other => panic!("{other:?}"),
        };
        let flat: Vec<Vec2<f64>> = cloud.iter().map(|p| Vec2::new(p.x, p.y)).collect();
        let small: Vec<Vec3<f32>> = (0..n).map(|_| [(); 3].map(|()| any_bits_f32(&mut rng)).into()).collect();
        expect(d3::BoundingBall::minimum(&cloud).err());
        expect(d3::BoundingBall::ritter(&cloud).err());
        expect(d3::Obb::from_principal_axes(&cloud).err());
        expect(d3::minimum_box(&cloud).err());
        let _ = (d2::convex_hull(&flat), d2::minimum_rectangle(&flat), d2::BoundingBall::minimum(&flat));
        let _ = (d3::minimum_box(&small), d3::BoundingBall::minimum(&small));
        if finite {
            let plain: Vec<[f64; 3]> = cloud.iter().map(|p| (*p).into()).collect();
            if let Ok(ball) = d3::BoundingBall::minimum(&cloud) {
                assert_ball_contains(&ball, &plain);
            }
            if let Ok(fit) = d3::Obb::from_principal_axes(&cloud) {
                assert_box_contains(&fit, &plain);
            }
        }
    }
}
