//! Misuse is answered, and what stops being finite is put aside.

use crate::scenes::{DT, ground2};
use carom_dynamics::d2::{Body, Collider, World};
use carom_dynamics::{Settings, d3};
use carom_geometry::d2::{Ball, Cuboid, HalfSpace, Segment};
use carom_math::Vec2;

fn ball() -> Ball<f32> {
    Ball::new(0.5).unwrap()
}

#[test]
fn bad_bodies_are_refused_and_named() {
    let mut world = World::new();
    let kind = |world: &mut World, body: Body| world.add(body).unwrap_err().kind();
    let nan = f32::NAN;
    assert_eq!(kind(&mut world, Body::dynamic()), "no_mass");
    assert_eq!(kind(&mut world, Body::dynamic().shape(Collider::new(ball()).density(0.0))), "no_mass");
    assert_eq!(
        kind(&mut world, Body::dynamic().shape(Segment::new([0.0, 0.0], [1.0, 0.0]).unwrap())),
        "no_mass"
    );
    assert_eq!(kind(&mut world, Body::dynamic().at([nan, 0.0]).shape(ball())), "not_finite");
    assert_eq!(kind(&mut world, Body::dynamic().velocity([f32::INFINITY, 0.0]).shape(ball())), "not_finite");
    assert_eq!(kind(&mut world, Body::dynamic().angular_velocity(nan).shape(ball())), "not_finite");
    assert_eq!(kind(&mut world, Body::dynamic().damping(-1.0, 0.0).shape(ball())), "negative");
    assert_eq!(kind(&mut world, Body::dynamic().mass(-1.0).shape(ball())), "negative");
    assert_eq!(kind(&mut world, Body::fixed().shape(Collider::new(ball()).friction(-0.5))), "negative");
    assert_eq!(kind(&mut world, Body::fixed().shape(Collider::new(ball()).restitution(nan))), "not_finite");
    assert_eq!(kind(&mut world, Body::fixed().shape(Collider::new(ball()).at([nan, 0.0]))), "not_finite");
    let endless = HalfSpace::new([0.0, 1.0], 0.0).unwrap();
    assert_eq!(kind(&mut world, Body::kinematic().shape(endless)), "immovable");
    assert_eq!(world.body_count(), 0);
    // A point mass needs no shape.
    assert!(world.add(Body::dynamic().mass(1.0)).is_ok());
}

#[test]
fn bad_numbers_change_nothing() {
    let mut world = ground2(0.6);
    let body = world.add(Body::dynamic().at([0.0, 2.0]).shape(ball())).unwrap();
    let before = world.hash();
    for dt in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(world.step(dt).is_err());
    }
    let mut change = world.get_mut(body).unwrap();
    assert!(change.set_velocity([f32::NAN, 0.0]).is_err());
    assert!(change.set_pose([0.0, f32::INFINITY]).is_err());
    assert!(change.apply_force([f32::NAN, 0.0]).is_err());
    assert!(change.apply_impulse_at([1.0, 0.0], [f32::NAN, 0.0]).is_err());
    assert!(change.apply_torque(f32::NAN).is_err());
    assert!(world.set_settings(Settings { gravity: Vec2::new(f32::NAN, 0.0), ..*world.settings() }).is_err());
    assert!(world.set_settings(Settings { slop: -1.0, ..*world.settings() }).is_err());
    assert_eq!(world.hash(), before);
    // Nothing moves in no time.
    world.step(0.0).unwrap();
    world.step(f32::from_bits(1)).unwrap();
    assert_eq!(world.hash(), before);
}

#[test]
fn dead_handles_are_told_apart() {
    let mut world = World::new();
    let body = world.add(Body::dynamic().shape(ball())).unwrap();
    let shape = world.get(body).unwrap().colliders().next().unwrap();
    world.remove(body).unwrap();
    let other = world.add(Body::dynamic().shape(ball())).unwrap();
    assert_eq!(other.index(), body.index());
    assert!(world.get(body).is_err() && world.get_mut(body).is_err() && world.remove(body).is_err());
    assert!(world.collider(shape).is_err() && world.remove_collider(shape).is_err());
    assert!(world.add_collider(body, ball()).is_err());
    assert!(world.get(other).is_ok());
}

#[test]
fn shapes_come_and_go() {
    let mut world = ground2(0.6);
    let body = world.add(Body::dynamic().at([0.0, 0.5]).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let mass = world.get(body).unwrap().mass();
    let extra =
        world.add_collider(body, Collider::new(Cuboid::new([0.5, 0.5]).unwrap()).at([1.0, 0.0])).unwrap();
    assert_eq!(world.get(body).unwrap().mass(), 2.0 * mass);
    assert!((world.get(body).unwrap().center_of_mass().x - 0.5).abs() < 1e-6);
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!((world.get(body).unwrap().pose().translation.y - 0.5).abs() < 0.01);
    world.remove_collider(extra).unwrap();
    assert_eq!(world.get(body).unwrap().mass(), mass);
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!((world.get(body).unwrap().pose().translation.y - 0.5).abs() < 0.01);
}

#[test]
fn what_overflows_is_put_aside() {
    let mut world = ground2(0.6);
    world.set_settings(Settings { max_speed: f32::MAX, ..*world.settings() }).unwrap();
    let well = world.add(Body::dynamic().at([5.0, 0.5]).shape(ball())).unwrap();
    let sick = world.add(Body::dynamic().at([0.0, 5.0]).shape(ball())).unwrap();
    let mut reported = Vec::new();
    for _ in 0..10 {
        world.get_mut(sick).unwrap().apply_force([f32::MAX, f32::MAX]).unwrap();
        world.get_mut(sick).unwrap().apply_torque(f32::MAX).unwrap();
        world.step(DT).unwrap();
        reported.extend(world.events().quarantined.iter().copied());
    }
    assert_eq!(reported, [sick]);
    assert!(world.get(sick).unwrap().is_quarantined());
    let pose = world.get(sick).unwrap().pose();
    assert!(pose.finite());
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!((world.get(well).unwrap().pose().translation.y - 0.5).abs() < 0.01);
    assert_eq!(world.get(sick).unwrap().pose(), pose);
}

#[test]
fn huge_and_tiny_worlds_do_not_break() {
    for size in [1e-18_f32, 1e-6, 1e6, 1e18] {
        let mut world = d3::World::new();
        let cube = carom_geometry::d3::Cuboid::new([size; 3]).unwrap();
        let body = d3::Body::dynamic().mass(1.0).shape(cube);
        if world.add(body.clone()).is_err() {
            continue; // no inertia in f32: refused, not broken
        }
        world.add(body.at([0.5 * size, 1.5 * size, 0.0])).unwrap();
        for _ in 0..30 {
            world.step(DT).unwrap();
        }
    }
}
