//! Boxes and balls of motions: they contain the shape at all times, and are not much larger.

#![allow(clippy::disallowed_methods)] // the sign of a zero does not matter here

use super::cases;

use carom_geometry::{d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Rot2, Vec3, Vector};
use carom_oracle::generate::{Rng, any_bits, unit_vector};

const SAMPLES: usize = 997;

#[test]
fn boxes_and_balls_contain_the_motion_and_are_tight() {
    let mut rng = Rng::new(71);
    for index in 0..300 {
        let case = if index % 3 == 0 { cases::curved(&mut rng) } else { cases::tumbling(&mut rng) };
        let shape = &case.a.0;
        let motion = case.motions().0;
        let swept = d3::swept_aabb(shape, motion).unwrap();
        let ball = d3::swept_ball(shape, motion).unwrap();
        let mut all = d3::Aabb::empty();
        for k in 0..=SAMPLES {
            let pose = motion.at(k as f64 / SAMPLES as f64);
            all = all.merged(d3::aabb(shape, pose).unwrap());
            let far = ball.center() - d3::closest_point(shape, pose, ball.center()).unwrap().point;
            assert!(Vector::length(far) <= ball.radius(), "{case:?}");
        }
        // `aabb` rounds outwards by a few ulp.
        let slack = 1e-13 * case.size();
        assert!(swept.grown(slack).contains_box(all), "{swept:?} {all:?} {case:?}");
        // Sampling misses extremes by up to (ω/997)²/8 of the arm; arms are up to 2.
        let turn = Vector::length(motion.angular());
        let loose = if turn == 0.0 { slack } else { 0.02 };
        assert!(all.grown(loose).contains_box(swept), "{swept:?} {all:?} {turn} {case:?}");
    }
}

#[test]
fn the_plane_has_the_same() {
    let mut rng = Rng::new(72);
    for _ in 0..300 {
        let case = cases::planar_tumbling(&mut rng);
        let [shape, _] = case.flat.as_ref().unwrap();
        let motion = case.planar_motions().0;
        let swept = d2::swept_aabb(shape, motion).unwrap();
        let ball = d2::swept_ball(shape, motion).unwrap();
        let mut all = d2::Aabb::empty();
        for k in 0..=SAMPLES {
            let pose = motion.at(k as f64 / SAMPLES as f64);
            all = all.merged(d2::aabb(shape, pose).unwrap());
            let far = ball.center() - d2::closest_point(shape, pose, ball.center()).unwrap().point;
            assert!(Vector::length(far) <= ball.radius(), "{case:?}");
        }
        assert!(swept.grown(1e-13 * case.size()).contains_box(all), "{swept:?} {all:?} {case:?}");
        assert!(all.grown(0.02).contains_box(swept), "{swept:?} {all:?} {case:?}");
    }
}

#[test]
fn straight_motion_is_exact_on_a_lattice() {
    let cube = d3::Cuboid::new([1.0, 2.0, 3.0]).unwrap();
    let motion = Motion3::between(Pose3::at([0.0, 5.0, 0.0]), Pose3::at([4.0, -5.0, 0.0]));
    let swept = d3::swept_aabb(&cube, motion).unwrap();
    assert_eq!((swept.min, swept.max), (Vec3::new(-1.0, -7.0, -3.0), Vec3::new(5.0, 7.0, 3.0)));
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let rising = Motion3::from_velocity(Pose3::IDENTITY, [0.0, 2.0, 0.0], [0.0; 3]);
    assert_eq!(d3::swept_aabb(&ground, rising).unwrap().max.y, 2.0);
    let tilting = Motion3::from_velocity(Pose3::IDENTITY, [0.0, 2.0, 0.0], [0.1, 0.0, 0.0]);
    assert_eq!(d3::swept_aabb(&ground, tilting).unwrap().max.y, f64::INFINITY);
    assert_eq!(d3::swept_ball(&ground, rising).unwrap_err().kind(), "unsupported");
    // A half turn of a rod in the plane: half a disc.
    let rod = d2::Segment::new([0.0, 0.0], [1.0, 0.0]).unwrap();
    let half = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], std::f64::consts::PI);
    let swept = d2::swept_aabb(&rod, half).unwrap();
    assert!(swept.min.x <= -1.0 && -1.01 < swept.min.x && 1.0 <= swept.max.y && swept.max.y < 1.01);
    assert!(swept.min.y <= 0.0 && -0.01 < swept.min.y);
    // Its ball is that of the half disc, not of the whole.
    let quarter = Motion2::from_velocity(Pose2::from(Rot2::IDENTITY), [0.0, 0.0], 0.5);
    assert!(d2::swept_ball(&rod, quarter).unwrap().radius() < 0.8);
}

#[test]
fn powers_of_two_scale_exactly_and_single_precision_contains() {
    let mut rng = Rng::new(73);
    for _ in 0..300 {
        let half: [f64; 3] = std::array::from_fn(|_| rng.uniform(0.1, 1.0));
        let (place, way): ([f64; 3], [f64; 3]) = (unit_vector(&mut rng), unit_vector(&mut rng));
        let spin: [f64; 3] = unit_vector::<3>(&mut rng).map(|x| 3.0 * x);
        let ask = |factor: f64| {
            let scaled = |v: [f64; 3]| v.map(|x| x * factor);
            let cube = d3::Cuboid::new(scaled(half)).unwrap();
            let pose = Pose3::new(scaled(place), Quat::from_rotation_vector([0.3, 0.2, 0.1]));
            let motion = Motion3::from_velocity(pose, scaled(way), spin);
            (d3::swept_aabb(&cube, motion).unwrap(), d3::swept_ball(&cube, motion).unwrap())
        };
        let ((base, ball), factor) = (ask(1.0), carom_math::power_of_two(rng.between(-40, 40)));
        let (scaled, scaled_ball) = ask(factor);
        assert_eq!((scaled.min, scaled.max), (base.min * factor, base.max * factor));
        assert_eq!(
            (scaled_ball.center(), scaled_ball.radius()),
            (ball.center() * factor, ball.radius() * factor)
        );
        let narrow = |v: [f64; 3]| v.map(|x| x as f32);
        let cube = d3::Cuboid::new(narrow(half)).unwrap();
        let motion = Motion3::from_velocity(Pose3::at(narrow(place)), narrow(way), narrow(spin));
        let swept = d3::swept_aabb(&cube, motion).unwrap().widen();
        let wide = d3::Cuboid::new(narrow(half).map(f64::from)).unwrap();
        for k in 0..=20 {
            let at = d3::aabb(&wide, motion.widen().at(f64::from(k) / 20.0)).unwrap();
            assert!(swept.grown(1e-14).contains_box(at));
        }
    }
}

#[test]
fn any_bits_have_bounds_or_an_error() {
    let mut rng = Rng::new(74);
    for _ in 0..3000 {
        let mut v = || Vec3::new(any_bits(&mut rng), any_bits(&mut rng), any_bits(&mut rng));
        let (place, way, spin) = (v(), v(), v());
        let motion = Motion3::from_velocity(Pose3::at(place), way, spin);
        let ball = d3::Capsule::new([0.0, 1.0, 0.0], [0.0, -1.0, 0.0], 0.5).unwrap();
        if let Ok(swept) = d3::swept_aabb(&ball, motion) {
            assert!(!swept.is_empty() && swept.contains_point(place), "{motion:?} {swept:?}");
        }
        let _ = d3::swept_ball(&ball, motion);
        let planar = Motion2::from_velocity(Pose2::at([place.x, place.y]), [way.x, way.y], spin.x);
        let _ = d2::swept_aabb(&d2::Cuboid::new([1.0, 2.0]).unwrap(), planar);
        let _ = d2::swept_ball(&d2::Cuboid::new([1.0, 2.0]).unwrap(), planar);
    }
}
