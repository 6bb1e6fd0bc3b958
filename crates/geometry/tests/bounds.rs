//! Boxes along the axes, against exact arithmetic.

use carom_geometry::bound::Aabb;
use carom_geometry::{Error, d2, d3};
use carom_math::{Interval, Number, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{
    self, Rng, any_bits, any_bits_f32, cube_rotation, point, point_f32, points, unit_complex, unit_quaternion,
};
use carom_oracle::rational::{
    ExactPoint, Rational, Transform, V, exact, pose2, pose3, sqrt_bounds, square, to_f64,
};

fn vec2(p: [f64; 2]) -> Vec2<f64> {
    p.into()
}
fn vec3(p: [f64; 3]) -> Vec3<f64> {
    p.into()
}
fn rot2(c: [f64; 2]) -> Rot2<f64> {
    Rot2::from_cos_sin(c[0], c[1]).unwrap()
}
fn quat(q: [f64; 4]) -> Quat<f64> {
    Quat::new(q[0], q[1], q[2], q[3]).unwrap()
}
/// The exact transform that the engine's own numbers stand for.
fn exact2(pose: Pose2<f64>) -> Transform<2> {
    pose2([pose.rotation.cos(), pose.rotation.sin()], pose.translation.into())
}
fn exact3(pose: Pose3<f64>) -> Transform<3> {
    pose3(pose.rotation.to_array(), pose.translation.into())
}
fn size<const D: usize>(points: &[[f64; D]], translation: [f64; D]) -> f64 {
    points.iter().chain([&translation]).flatten().fold(0.0_f64, |s, x| s.max_of(x.abs()))
}

/// Every exact image lies in the box, and no side is farther than `slack` from the extreme image.
fn assert_tight<W: Vector<Scalar = f64>, const D: usize>(
    fit: Aabb<W>,
    images: &[V<D>],
    slack: f64,
    what: &str,
) {
    for k in 0..D {
        let low = images.iter().map(|p| p.0[k].clone()).min().unwrap();
        let high = images.iter().map(|p| p.0[k].clone()).max().unwrap();
        let (min, max) = (exact(fit.min.get(k)), exact(fit.max.get(k)));
        assert!(min <= low && high <= max, "{what}: {fit:?} misses a point along {k}");
        let waste = to_f64(&(&low - min)).max_of(to_f64(&(max - &high)));
        assert!(waste <= slack, "{what}: {waste:e} > {slack:e}");
    }
}

#[test]
fn turned_boxes_contain_their_corners_and_are_tight() {
    let mut rng = Rng::new(1);
    for _ in 0..3000 {
        let ends = points::<3>(&mut rng, 2);
        let ends_v: Vec<Vec3<f64>> = ends.iter().copied().map(vec3).collect();
        let local = d3::Aabb::from_points(&ends_v).unwrap();
        let pose = Pose3::new(point::<3>(&mut rng), quat(unit_quaternion(&mut rng)));
        let corners: Vec<[f64; 3]> = local.corners().map(Into::into).collect();
        let slack = 64.0 * f64::EPSILON * size(&corners, pose.translation.into());
        assert_tight(local.transformed(pose).unwrap(), &exact3(pose).points(&corners), slack, "box");
        let true_box = d3::Aabb::from_transformed_points(&ends_v, pose).unwrap();
        assert_tight(true_box, &exact3(pose).points(&ends), slack, "points");

        let ends: Vec<Vec2<f64>> = points::<2>(&mut rng, 2).into_iter().map(vec2).collect();
        let local = d2::Aabb::from_points(&ends).unwrap();
        let pose = Pose2::new(point::<2>(&mut rng), rot2(unit_complex(&mut rng)));
        let corners: Vec<[f64; 2]> = local.corners().map(Into::into).collect();
        let slack = 64.0 * f64::EPSILON * size(&corners, pose.translation.into());
        assert_tight(local.transformed(pose).unwrap(), &exact2(pose).points(&corners), slack, "rectangle");
    }
}

#[test]
fn right_angles_are_exact() {
    let mut rng = Rng::new(2);
    for _ in 0..500 {
        let [a, b, t] = [(); 3].map(|()| generate::lattice_point::<3>(&mut rng));
        let local = d3::Aabb::from_corners(a, b).unwrap();
        let pose = Pose3::new(t, quat(cube_rotation(&mut rng)));
        let corners: Vec<[f64; 3]> = local.corners().map(Into::into).collect();
        assert_tight(local.transformed(pose).unwrap(), &exact3(pose).points(&corners), 0.0, "lattice");
        let cuboid = d3::Cuboid::new(local.half_extents()).unwrap();
        let images = exact3(pose).points(&generate::box_corners(local.half_extents().into()));
        assert_tight(d3::aabb(&cuboid, pose).unwrap(), &images, 0.0, "cuboid");
    }
}

/// The box of discs (centre, radius) with the common unit normal a: they reach r·√(1 − aₖ²) along k.
fn assert_disc_hull(fit: d3::Aabb<f64>, discs: &[(V<3>, f64)], axis: &V<3>, slack: f64, what: &str) {
    for k in 0..3 {
        let root = exact(sqrt_bounds(&(Rational::ONE - square(&axis.0[k])))[0]);
        let high = discs.iter().map(|(c, r)| &c.0[k] + exact(*r) * &root).max().unwrap();
        let low = discs.iter().map(|(c, r)| &c.0[k] - exact(*r) * &root).min().unwrap();
        let (min, max) = (exact(fit.min.get(k)), exact(fit.max.get(k)));
        assert!(min <= low && high <= max, "{what} {k} {fit:?}");
        let waste = to_f64(&(low - min)).max_of(to_f64(&(max - high)));
        assert!(waste <= slack, "{what}: {waste:e} > {slack:e}");
    }
}

/// Each point with all coordinates raised and lowered by r: the extremes of balls.
fn grown<const D: usize>(points: &[V<D>], r: f64) -> Vec<V<D>> {
    let by = V([(); D].map(|()| exact(r)));
    points.iter().flat_map(|p| [p + &by, p - &by]).collect()
}

#[test]
fn boxes_of_shapes_are_tight_and_certain() {
    let mut rng = Rng::new(3);
    for round in 0..2000 {
        let rotation = if round % 3 == 0 { cube_rotation(&mut rng) } else { unit_quaternion(&mut rng) };
        let pose = Pose3::new(point::<3>(&mut rng), quat(rotation));
        let transform = exact3(pose);
        let [a, b, c] = [(); 3].map(|()| point::<3>(&mut rng));
        let (r, h) = (generate::length(&mut rng), generate::length(&mut rng));
        let slack = 64.0 * f64::EPSILON * (size(&[a, b, c], pose.translation.into()) + r + h);
        let segment = d3::Segment::new(a, b).unwrap();
        assert_tight(d3::aabb(&segment, pose).unwrap(), &transform.points(&[a, b]), slack, "segment");
        let triangle = d3::Triangle::new(a, b, c).unwrap();
        assert_tight(d3::aabb(&triangle, pose).unwrap(), &transform.points(&[a, b, c]), slack, "triangle");
        let capsule = d3::Capsule::new(a, b, r).unwrap();
        let images = grown(&transform.points(&[a, b]), r);
        assert_tight(d3::aabb(&capsule, pose).unwrap(), &images, slack, "capsule");
        let ball = d3::Ball::new(r).unwrap();
        let images = grown(std::slice::from_ref(&transform.translation), r);
        assert_tight(d3::aabb(&ball, pose).unwrap(), &images, slack, "ball");
        let half: [f64; 3] = [h, r, h * 0.5];
        let cuboid = d3::Cuboid::new(half).unwrap();
        let images = transform.points(&generate::box_corners(half));
        assert_tight(d3::aabb(&cuboid, pose).unwrap(), &images, slack, "cuboid");
        let axis = transform.vector(&[0.0, 1.0, 0.0]);
        let (top, bottom) = (transform.point(&[0.0, h, 0.0]), transform.point(&[0.0, -h, 0.0]));
        let fit = d3::aabb(&d3::Cylinder::new(h, r).unwrap(), pose).unwrap();
        assert_disc_hull(fit, &[(top.clone(), r), (bottom.clone(), r)], &axis, slack, "cylinder");
        let fit = d3::aabb(&d3::Cone::new(h, r).unwrap(), pose).unwrap();
        assert_disc_hull(fit, &[(top, 0.0), (bottom, r)], &axis, slack, "cone");
    }
}

#[test]
fn boxes_of_flat_shapes_are_tight_and_certain() {
    let mut rng = Rng::new(10);
    for _ in 0..2000 {
        let pose = Pose2::new(point::<2>(&mut rng), rot2(unit_complex(&mut rng)));
        let transform = exact2(pose);
        let [a, b, c] = [(); 3].map(|()| point::<2>(&mut rng));
        let r = generate::length(&mut rng);
        let slack = 64.0 * f64::EPSILON * (size(&[a, b, c], pose.translation.into()) + r);
        let triangle = d2::Triangle::new(a, b, c).unwrap();
        assert_tight(d2::aabb(&triangle, pose).unwrap(), &transform.points(&[a, b, c]), slack, "triangle");
        let segment = d2::Segment::new(a, b).unwrap();
        assert_tight(d2::aabb(&segment, pose).unwrap(), &transform.points(&[a, b]), slack, "segment");
        let half = [r, 0.25 * r];
        let cuboid = d2::Cuboid::new(half).unwrap();
        let images = transform.points(&generate::box_corners(half));
        assert_tight(d2::aabb(&cuboid, pose).unwrap(), &images, slack, "rectangle");
        let images = grown(&transform.points(&[a, b]), r);
        assert_tight(d2::aabb(&d2::Capsule::new(a, b, r).unwrap(), pose).unwrap(), &images, slack, "capsule");
        let images = grown(std::slice::from_ref(&transform.translation), r);
        assert_tight(d2::aabb(&d2::Ball::new(r).unwrap(), pose).unwrap(), &images, slack, "disc");
    }
}

#[test]
fn boxes_in_f32_contain_and_are_tight() {
    let mut rng = Rng::new(4);
    for _ in 0..1000 {
        let narrow = |p: [f64; 3]| p.map(|x| x as f32);
        let q = unit_quaternion(&mut rng).map(|x| x as f32);
        let pose = Pose3::new(narrow(point_f32(&mut rng)), Quat::new(q[0], q[1], q[2], q[3]).unwrap());
        let corners: [[f64; 3]; 3] = [(); 3].map(|()| point_f32(&mut rng));
        let [a, b, c] = corners.map(narrow);
        let fit = d3::aabb(&d3::Triangle::new(a, b, c).unwrap(), pose).unwrap();
        let transform = exact3(pose.widen());
        let slack = 4.0 * f64::from(f32::EPSILON) * size(&corners, pose.translation.widen().into());
        assert_tight(fit.widen(), &transform.points(&corners), slack, "f32 triangle");
    }
}

#[test]
fn half_spaces_reach_to_infinity() {
    let everything = d3::Aabb::unbounded();
    let slanted = d3::HalfSpace::new([1.0, 1.0, 0.0], 2.0).unwrap();
    assert_eq!(d3::aabb(&slanted, [5.0, 0.0, 0.0]).unwrap(), everything);
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 2.0).unwrap();
    let fit = d3::aabb(&ground, [0.0, 1.0, 0.0]).unwrap();
    assert_eq!((fit.max.y, fit.min.y, fit.max.x), (3.0, f64::NEG_INFINITY, f64::INFINITY));
    // Turned by a quarter about z, up becomes −x.
    let quarter = Quat::new(0.0, 0.0, 1.0, 1.0).unwrap();
    let wall = d3::aabb(&ground, ([1.0, 0.0, 0.0], quarter)).unwrap();
    assert_eq!((wall.min.x, wall.max.x, wall.max.y), (-1.0, f64::INFINITY, f64::INFINITY));
    // The least tilt makes it reach everywhere.
    let tilted = Quat::new(1e-200, 0.0, 0.0, 1.0).unwrap();
    assert_eq!(d3::aabb(&ground, tilted).unwrap(), everything);
}

#[test]
fn touching_boxes_overlap_and_a_step_apart_they_do_not() {
    let mut rng = Rng::new(5);
    let mut counts = [0; 2];
    for _ in 0..5000 {
        let (a, b, _) = generate::touching_boxes::<3>(&mut rng);
        let [a, mut b] = [a, b].map(|bounds| {
            let corners: Vec<Vec3<f64>> = bounds.corners().into_iter().map(vec3).collect();
            d3::Aabb::from_points(&corners).unwrap()
        });
        let (axis, step) = (rng.below(3), rng.between(-1, 1));
        b.min = b.min.with(axis, generate::nudge(b.min.get(axis), step));
        b.max = b.max.with(axis, generate::nudge(b.max.get(axis), step));
        let expected = (0..3).all(|k| {
            let end = |v: Vec3<f64>| exact(v.get(k));
            end(a.min) <= end(b.max) && end(b.min) <= end(a.max)
        });
        assert_eq!((a.overlaps(b), b.overlaps(a)), (expected, expected));
        counts[usize::from(expected)] += 1;
        let common = a.intersection(b);
        assert_eq!(common.is_empty(), !expected);
        assert_eq!(a.overlap_volume(b), b.overlap_volume(a));
        assert_eq!(a.overlap_volume(b), common.volume());
        assert!(a.merged(b).contains_box(a) && a.merged(b).contains_box(b));
        assert!(!expected || (a.contains_box(common) && b.contains_box(common)));
    }
    assert!(counts[0] > 100 && counts[1] > 100, "{counts:?}");
}

#[test]
fn shadows_enclose_and_planes_touch_exactly() {
    let mut rng = Rng::new(6);
    for _ in 0..5000 {
        let (a, b): ([f64; 3], [f64; 3]) = (point(&mut rng), point(&mut rng));
        let fit = d3::Aabb::from_corners(a, b).unwrap();
        let normal: [f64; 3] = generate::direction(&mut rng);
        let products: Vec<Rational> =
            fit.corners().map(|c| <[f64; 3]>::from(c).to_exact().dot(&normal.to_exact())).collect();
        let (low, high) = (products.iter().min().unwrap(), products.iter().max().unwrap());
        let shadow: Interval<f64> = fit.shadow(normal);
        assert!(exact(shadow.min) <= *low && *high <= exact(shadow.max));
        let size = size(&[normal], [0.0; 3]) * size(&[a, b], [0.0; 3]);
        assert!(to_f64(&(exact(shadow.max) - high)) <= 8.0 * f64::EPSILON * size);
    }
    // With an x in place of a z in the last term, this plane would meet the box.
    let fit = d3::Aabb::from_corner_size([10.0, 0.0, 0.0], [1.0, 1.0, 1.0]).unwrap();
    assert!(!fit.meets_plane([0.5, 0.0, 1.0], 8.0));
    let fit = d3::Aabb::from_corner_size([-0.5, 1.0, 2.0], [1.0, 0.5, 2.0]).unwrap();
    for corner in fit.corners() {
        let out = (corner - fit.center()).map(|x| if x < 0.0 { -1.0 } else { 2.0 });
        let offset: f64 = out.dot(corner);
        assert!(fit.meets_plane(out, offset));
        assert!(!fit.meets_plane(out, offset + offset.abs() * f64::EPSILON));
    }
}

#[test]
fn closest_points_against_exact_clamping() {
    let mut rng = Rng::new(7);
    for _ in 0..3000 {
        let fit = d2::Aabb::from_corners(point::<2>(&mut rng), point::<2>(&mut rng)).unwrap();
        let p: [f64; 2] = point(&mut rng);
        let closest = fit.closest_point(p);
        let mut squared = Rational::ZERO;
        for (k, x) in p.map(exact).into_iter().enumerate() {
            let (low, high) = (exact(fit.min.get(k)), exact(fit.max.get(k)));
            let clamped = x.clone().clamp(low, high);
            assert_eq!(exact(closest.get(k)), clamped);
            squared += square(&(clamped - x));
        }
        let (answer, truth) = (fit.distance_squared(p), to_f64(&squared));
        assert!((answer - truth).abs() <= 8.0 * f64::EPSILON * truth);
        assert_eq!(fit.contains_point(p), squared.is_zero());
    }
}

#[test]
fn forms_agree_and_empty_boxes_are_neutral() {
    let by_corner = d3::Aabb::from_corner_size([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]).unwrap();
    let by_center = d3::Aabb::from_center_half_extents([2.0, 4.0, 6.0], [1.0, 2.0, 3.0]).unwrap();
    let by_points = d3::Aabb::from_corners([3.0, 2.0, 9.0], [1.0, 6.0, 3.0]).unwrap();
    assert_eq!(by_corner, by_center);
    assert_eq!(by_corner, by_points);
    assert_eq!((by_corner.volume(), by_corner.surface()), (48.0, 88.0));
    assert_eq!(by_corner.diagonal(), 56.0_f64.sqrt());
    let empty = d3::Aabb::<f64>::empty();
    assert!(empty.is_empty() && !empty.overlaps(by_corner) && !empty.overlaps(empty));
    assert_eq!(empty.merged(by_corner), by_corner);
    assert!(by_corner.contains_box(empty) && !empty.contains_point([0.0; 3]));
    assert_eq!((empty.volume(), empty.surface(), empty.diagonal()), (0.0, 0.0, 0.0));
    assert!(empty.transformed([1.0, 0.0, 0.0]).unwrap().is_empty());
    assert_eq!(d3::Aabb::<f64>::unbounded().overlap_volume(by_corner), 48.0);
    let flat = d2::Aabb::from_corners([0.0, 0.0], [0.0, 1.0]).unwrap();
    assert_eq!(d2::Aabb::unbounded().overlap_volume(flat), 0.0);
    // Not representable in f32: rounded outwards.
    let third = d2::Aabb::from_center_half_extents([1.0_f32, 1.0], [1e-9, 1e-9]).unwrap();
    assert!(third.min.x < 1.0 && 1.0 < third.max.x);
}

#[test]
fn scaling_by_powers_of_two_is_exact() {
    let mut rng = Rng::new(8);
    for _ in 0..300 {
        let [a, b, c, t] = [(); 4].map(|()| [(); 3].map(|()| rng.uniform(-2.0, 2.0)));
        let q = quat(unit_quaternion(&mut rng));
        let (r, h) = (rng.uniform(0.0, 2.0), rng.uniform(0.0, 2.0));
        let boxes = |f: f64| {
            let s = |p: [f64; 3]| p.map(|x| x * f);
            let pose = Pose3::new(s(t), q);
            [
                d3::aabb(&d3::Triangle::new(s(a), s(b), s(c)).unwrap(), pose).unwrap(),
                d3::aabb(&d3::Capsule::new(s(a), s(b), r * f).unwrap(), pose).unwrap(),
                d3::aabb(&d3::Cylinder::new(h * f, r * f).unwrap(), pose).unwrap(),
                d3::aabb(&d3::Cone::new(h * f, r * f).unwrap(), pose).unwrap(),
                d3::aabb(&d3::Cuboid::new([r * f, h * f, r * f]).unwrap(), pose).unwrap(),
                d3::Aabb::from_corners(s(a), s(b)).unwrap().transformed(pose).unwrap(),
            ]
        };
        let unit = boxes(1.0);
        for exponent in [-900, -300, -40, -1, 1, 40, 300, 990] {
            let f = power_of_two(exponent);
            for (scaled, one) in boxes(f).into_iter().zip(unit) {
                assert_eq!(scaled, Aabb { min: one.min * f, max: one.max * f }, "2^{exponent}");
            }
        }
    }
}

#[test]
fn any_bits_are_answered() {
    let mut rng = Rng::new(9);
    for _ in 0..20_000 {
        let [p, q, w] = [(); 3].map(|()| [(); 3].map(|()| any_bits(&mut rng)));
        let number = any_bits(&mut rng);
        let raw = Aabb { min: vec3(p), max: vec3(q) };
        let pose = Pose3::new(q, Quat::from_rotation_vector(w));
        assert_eq!(raw.transformed(pose).is_ok(), pose.finite());
        let _ = (raw.shadow(w), raw.meets_plane(p, number), raw.volume(), raw.grown(number));
        let _ = (raw.surface(), raw.diagonal(), raw.center(), raw.closest_point(p));
        let _ = (raw.distance_squared(q), raw.overlap_volume(raw), raw.translated(p));
        let finite = [p, q].as_flattened().iter().all(|x| x.is_finite());
        let fit = d3::Aabb::from_corners(p, q);
        assert_eq!(fit.is_ok(), finite);
        assert!(fit.is_ok_and(|b| b.contains_point(p) && b.contains_point(q)) || !finite);
        if let Ok(cylinder) = d3::Cylinder::new(w[0], w[1]) {
            let fit = d3::aabb(&cylinder, pose);
            assert_eq!(fit.is_ok_and(|b| !b.is_empty()), pose.finite());
        }
        let [x, y, angle, radius] = [(); 4].map(|()| any_bits_f32(&mut rng));
        let pose = Pose2::new([x, y], Rot2::from_angle(angle));
        if let Ok(ball) = d2::Ball::new(radius) {
            assert_eq!(d2::aabb(&ball, pose).is_ok(), pose.finite());
        }
    }
    let none = Error::TooFewPoints { what: "points", least: 1, count: 0 };
    assert_eq!(d2::Aabb::<f64>::from_points(&[]), Err(none));
    let nowhere = d2::aabb(&d2::Ball::new(1.0).unwrap(), [f64::NAN, 0.0]);
    assert!(matches!(nowhere, Err(Error::NotFinite { what: "pose", .. })));
}
