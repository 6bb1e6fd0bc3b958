//! Joints whose bodies swing fast and far from their anchors: they lose energy at most, bear what a jerk is, and begin anew when they
//! become others.

#![allow(clippy::disallowed_methods, reason = "tests may measure with whatever they like")]

use crate::scenes::DT;
use carom_dynamics::{Settings, d2, d3};
use carom_geometry::{d2 as g2, d3 as g3};
use carom_math::Vec3;

/// A plate that hangs far below a rail along which its anchor slides: nothing pulls it sideways, so that it whips through the
/// vertical. With all of the energy in its spin it turns at ω = √(2·m·g·l·(1 − cos)/I), 19 rad/s for 3 m.
#[test]
fn a_pendulum_on_a_rail_gains_no_energy() {
    for (length, degrees) in [(2.0_f32, 60.0_f32), (3.0, 60.0), (4.0, 60.0), (8.0, 30.0), (8.0, 80.0)] {
        for sub_steps in [4, 16] {
            let mut world = d2::World::new();
            let settings = Settings { sub_steps, sleep: false, ..*world.settings() };
            world.set_settings(settings).unwrap();
            let (sine, cosine) = degrees.to_radians().sin_cos();
            let rail = world.add(d2::Body::fixed()).unwrap();
            let plate = d2::Body::dynamic().at([length * sine, -length * cosine]);
            let plate = world.add(plate.shape(g2::Cuboid::new([0.4, 0.3]).unwrap())).unwrap();
            world.add_joint(d2::Joint::wheel(rail, plate).at([0.0, 0.0])).unwrap();
            let weight = f64::from(world.get(plate).unwrap().mass()) * f64::from(-settings.gravity.y);
            let energy = |world: &d2::World| {
                let plate = world.get(plate).unwrap();
                plate.kinetic_energy() + weight * (plate.exact_center_of_mass().y + f64::from(length))
            };
            let before = energy(&world);
            for step in 0..600 {
                world.step(DT).unwrap();
                let share = energy(&world) / before;
                assert!((-0.05..1.01).contains(&share), "{length} m, {degrees}°, step {step}: {share}");
            }
        }
    }
}

/// A box that tumbles about a point at 5 rad/s. Its inertia turns with it, and a joint that takes the one of the begin of a step for
/// that of now adds a percent of energy in each second.
#[test]
fn what_tumbles_about_a_point_hardly_gains_energy() {
    for (sub_steps, most) in [(4, 1.04), (16, 1.012)] {
        let mut world = d3::World::new();
        let gravity = Vec3::new(0.0, 0.0, 0.0);
        world.set_settings(Settings { gravity, sub_steps, sleep: false, ..*world.settings() }).unwrap();
        let ground = world.add(d3::Body::fixed()).unwrap();
        let block = g3::Cuboid::new([0.4, 0.3, 0.2]).unwrap();
        let block = d3::Body::dynamic().shape(block).angular_velocity([3.0, -4.0, 2.0]);
        let block = world.add(block).unwrap();
        world.add_joint(d3::Joint::ball(ground, block).at([0.1, 0.3, -0.2])).unwrap();
        world.step(DT).unwrap();
        let before = world.get(block).unwrap().kinetic_energy();
        (0..600).for_each(|_| world.step(DT).unwrap());
        let share = world.get(block).unwrap().kinetic_energy() / before;
        assert!((0.95..most).contains(&share), "{sub_steps}: {share}");
    }
}

/// A ball falls into a rope that is one or two metres long; the jerk takes all of its speed in a sub-step, whichever of a step that is.
#[test]
fn a_rope_breaks_in_whatever_sub_step_the_jerk_comes() {
    for k in 0..12_u8 {
        let length = 2.0 + 0.02 * f32::from(k);
        // m·v·240, with v = √(2·g·l) after the fall.
        let jerk = 0.28 * (20.0 * f64::from(length)).sqrt() * 240.0;
        for (share, holds) in [(0.5, false), (1.5, true)] {
            let mut world = d2::World::new();
            let hook = world.add(d2::Body::fixed()).unwrap();
            let weight = d2::Body::dynamic().mass(0.28).shape(g2::Ball::new(0.1).unwrap());
            let weight = world.add(weight).unwrap();
            let rope = d2::Joint::rope(hook, weight, length).breaks_at((share * jerk) as f32, f32::INFINITY);
            let rope = world.add_joint(rope).unwrap();
            (0..60).for_each(|_| world.step(DT).unwrap());
            assert_eq!(world.joint(rope).is_ok(), holds, "{length} m, {share} of {jerk} N");
        }
    }
}

#[test]
fn a_joint_that_becomes_another_begins_as_that() {
    let mut world = d2::World::new();
    let gravity = carom_math::Vec2::new(0.0, 0.0);
    world.set_settings(Settings { gravity, sleep: false, ..*world.settings() }).unwrap();
    let ground = world.add(d2::Body::fixed()).unwrap();
    let weight = world.add(d2::Body::dynamic().at([3.0, 0.0]).shape(g2::Ball::new(0.2).unwrap())).unwrap();
    let at = |world: &d2::World| world.get(weight).unwrap().pose().translation.x;
    let joint = world.add_joint(d2::Joint::filter(ground, weight)).unwrap();
    // A rod as long as they are apart now.
    world.joint_mut(joint).unwrap().change(|_| d2::Joint::distance(ground, weight)).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!((at(&world) - 3.0).abs() < 1e-4, "{}", at(&world));
    // And again from elsewhere; a change of something else leaves its length.
    world.get_mut(weight).unwrap().set_pose([5.0, 0.0]).unwrap();
    world.joint_mut(joint).unwrap().change(|_| d2::Joint::distance(ground, weight)).unwrap();
    world.joint_mut(joint).unwrap().change(|rod| rod.softness(20.0, 2.0)).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!((at(&world) - 5.0).abs() < 1e-4, "{}", at(&world));
    // Gears begin with the angles of now.
    let wheel = d2::Body::dynamic().at([0.0, 5.0]).shape(g2::Ball::new(0.5).unwrap());
    let wheels = [0, 1].map(|_| world.add(wheel.clone()).unwrap());
    let joint = world.add_joint(d2::Joint::filter(wheels[0], wheels[1])).unwrap();
    let turned = carom_math::Pose2::new([0.0, 5.0], carom_math::Rot2::from_angle(1.0));
    world.get_mut(wheels[0]).unwrap().set_pose(turned).unwrap();
    world.joint_mut(joint).unwrap().change(|_| d2::Joint::gear(wheels[0], wheels[1], 1.0)).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let angle = |wheel| f64::from(world.get(wheel).unwrap().pose().rotation.angle());
    assert!((angle(wheels[0]) - 1.0).abs() < 1e-4 && angle(wheels[1]).abs() < 1e-4);
}

/// What is lost takes impulses and loads along: a world with such a body can be kept and read.
#[test]
fn a_world_with_a_lost_body_on_a_joint_can_be_read_back() {
    let mut world = d2::World::new();
    world.set_settings(Settings { max_speed: f32::MAX, ..*world.settings() }).unwrap();
    let ground = world.add(d2::Body::fixed()).unwrap();
    let ball = || d2::Body::dynamic().shape(g2::Ball::new(0.2).unwrap());
    let (sick, well) = (world.add(ball().at([1.0, 0.0])).unwrap(), world.add(ball().at([2.0, 0.0])).unwrap());
    let joints =
        [(ground, sick), (sick, well)].map(|(a, b)| world.add_joint(d2::Joint::revolute(a, b)).unwrap());
    for _ in 0..10 {
        if let Ok(mut sick) = world.get_mut(sick) {
            sick.apply_force([f32::MAX, f32::MAX]).unwrap();
        }
        world.step(DT).unwrap();
        let bytes = world.snapshot().to_bytes();
        assert!(d2::Snapshot::from_bytes(&bytes).is_ok_and(|read| read.to_bytes() == bytes));
        assert!(joints.iter().all(|joint| world.joint(*joint).unwrap().force().y.is_finite()));
    }
    assert!(world.get(sick).unwrap().is_quarantined());
}
