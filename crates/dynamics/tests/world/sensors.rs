//! Sensors and hooks beside what is fast: who is told, who is not, and who is not held up.

use crate::scenes::DT;
use carom_dynamics::d2::{Body, Collider, Joint, World};
use carom_dynamics::{Settings, d3};
use carom_geometry::d2::{Ball, Capsule, Cuboid};
use carom_geometry::d3 as g3;
use carom_math::{Vec2, Vec3, Vector};

fn vacuum() -> World {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::ZERO, ..*world.settings() }).unwrap();
    world
}

/// How often something entered and left a sensor within some steps.
fn visits(world: &mut World, steps: usize) -> [usize; 2] {
    (0..steps).fold([0, 0], |[entered, left], _| {
        world.step(DT).unwrap();
        [entered + world.events().entered.len(), left + world.events().left.len()]
    })
}

#[test]
fn who_is_in_a_sensor_is_not_in_a_crowd() {
    // Two balls head-on meet in the middle, whatever watches them.
    for sensors in [vec![], vec![(-1.5, 0.5), (1.5, 0.5)], vec![(0.0, 10.0)]] {
        let mut world = vacuum();
        let [a, b] = [-1.0, 1.0].map(|side| {
            let body = Body::dynamic().at([1.5 * side, 0.0]).velocity([-150.0 * side, 0.0]);
            world.add(body.shape(Ball::new(0.1).unwrap())).unwrap()
        });
        for (x, radius) in &sensors {
            let watch = Collider::new(Ball::new(*radius).unwrap()).at([0.0, -20.0]).sensor();
            let body = Body::dynamic().at([*x, 20.0]).shape(Ball::new(0.2).unwrap()).shape(watch);
            world.add(body).unwrap();
        }
        (0..10).for_each(|_| world.step(DT).unwrap());
        let [a, b] = [a, b].map(|body| world.get(body).unwrap().center_of_mass().x);
        assert!(a < b, "{sensors:?}: {a} {b}");
    }
    let mut world = d3::World::new();
    world.set_settings(Settings { gravity: Vec3::ZERO, ..*world.settings() }).unwrap();
    let [a, b] = [-1.0, 1.0].map(|side| {
        let body = d3::Body::dynamic().at([1.5 * side, 0.0, 0.0]).velocity([-150.0 * side, 0.0, 0.0]);
        world.add(body.shape(g3::Ball::new(0.1).unwrap())).unwrap()
    });
    let watch = d3::Collider::new(g3::Ball::new(10.0).unwrap()).at([0.0, -20.0, 0.0]).sensor();
    let body = d3::Body::dynamic().at([0.0, 20.0, 0.0]).shape(g3::Ball::new(0.5).unwrap()).shape(watch);
    world.add(body).unwrap();
    (0..10).for_each(|_| world.step(DT).unwrap());
    let [a, b] = [a, b].map(|body| world.get(body).unwrap().center_of_mass().x);
    assert!(a < b, "{a} {b}");
}

#[test]
fn what_the_hook_keeps_apart_visits_no_sensor_at_any_speed() {
    for (speed, allows) in [(5.0, true), (180.0, true), (5.0, false), (180.0, false)] {
        let mut world = vacuum();
        world.filter_pairs(move |_, _| allows);
        let gate = Collider::new(Cuboid::new([0.1, 1.0]).unwrap()).sensor();
        world.add(Body::fixed().shape(gate)).unwrap();
        let ball = Body::dynamic().at([-5.0, 0.0]).velocity([speed, 0.0]);
        world.add(ball.shape(Ball::new(0.1).unwrap())).unwrap();
        assert_eq!(visits(&mut world, 120), [usize::from(allows); 2], "{speed} m/s, {allows}");
    }
}

#[test]
fn what_a_joint_keeps_apart_visits_no_sensor_at_any_speed() {
    for speed in [2.0, 150.0] {
        let mut world = vacuum();
        let gate = Collider::new(Cuboid::new([0.1, 1.0]).unwrap()).sensor();
        let gate = world.add(Body::fixed().shape(gate)).unwrap();
        let ball = Body::dynamic().at([-3.0, 0.0]).velocity([speed, 0.0]);
        let ball = world.add(ball.shape(Ball::new(0.2).unwrap())).unwrap();
        world.add_joint(Joint::filter(gate, ball)).unwrap();
        assert_eq!(visits(&mut world, 180), [0, 0], "{speed} m/s");
    }
}

#[test]
fn what_flies_away_from_a_sensor_has_not_visited_it() {
    // A capsule beside a sensor that turns by 10 rad/s: no point of it gets nearer by more than 0.8 · 10 m/s, and it flies
    // away with 30 m/s.
    for apart in [1e-6, 1e-5, 1e-4, 3e-4, 6e-4] {
        for spin in [0.0, 10.0] {
            let mut world = vacuum();
            let zone = Collider::new(Cuboid::new([1.0, 1.0]).unwrap()).sensor();
            world.add(Body::fixed().shape(zone)).unwrap();
            let rod = Capsule::new([0.0, -0.3], [0.0, 0.3], 0.5).unwrap();
            let rod = Body::dynamic().at([1.5 + apart, 0.0]).velocity([30.0, 0.0]).shape(rod);
            world.add(rod.angular_velocity(spin)).unwrap();
            assert_eq!(visits(&mut world, 3), [0, 0], "{apart} m, {spin} rad/s");
        }
    }
}

#[test]
fn what_passes_a_sensor_closely_has_not_visited_it() {
    // It flies along the wall of a sensor, at once past all of it, and turns no end by more than 0.1 mm on the way.
    for (apart, count) in [(2e-4, 0), (4e-4, 0), (-1e-3, 1), (-1e-2, 1)] {
        let mut world = vacuum();
        let zone = Collider::new(Cuboid::new([1.0, 1.0]).unwrap()).sensor();
        world.add(Body::fixed().shape(zone)).unwrap();
        let half = |side: f32| Collider::new(Capsule::new([0.0, 0.0], [0.1 * side, 0.0], 0.2).unwrap());
        let body = Body::dynamic().at([-3.0, 1.2 + apart]).velocity([360.0, 0.0]).angular_velocity(0.05);
        world.add(body.shape(half(1.0)).shape(half(-1.0))).unwrap();
        assert_eq!(visits(&mut world, 3), [2 * count; 2], "{apart} m");
    }
}

#[test]
fn a_sensor_that_is_fast_sees_what_it_flies_over() {
    for kinematic in [true, false] {
        let mut world = vacuum();
        world.add(Body::dynamic().shape(Ball::new(0.1).unwrap())).unwrap();
        let watch = Collider::new(Ball::new(0.3).unwrap()).density(1.0).sensor();
        let body = if kinematic { Body::kinematic() } else { Body::dynamic().mass(1.0) };
        let body = world.add(body.at([-5.0, 0.0]).velocity([180.0, 0.0]).shape(watch)).unwrap();
        assert_eq!(visits(&mut world, 10), [1, 1], "kinematic: {kinematic}");
        // Nothing holds it up.
        let x = world.get(body).unwrap().center_of_mass().x;
        assert!((x - 25.0).abs() < 1e-3, "{x}");
    }
}

#[test]
fn what_is_not_solid_holds_nobody_up() {
    for speed in [30.0, 100.0, 300.0] {
        let mut world = vacuum();
        world.modify_contacts(|contact| contact.is_solid = false);
        for k in 0..5_u8 {
            let wall = Body::fixed().at([2.0 + 2.0 * f32::from(k), 0.0]);
            world.add(wall.shape(Cuboid::new([0.1, 1.0]).unwrap())).unwrap();
        }
        let ball = world.add(Body::dynamic().velocity([speed, 0.0]).shape(Ball::new(0.1).unwrap())).unwrap();
        (0..30).for_each(|_| world.step(DT).unwrap());
        let x = world.get(ball).unwrap().center_of_mass().x;
        assert!((x - 0.5 * speed).abs() < 1e-2, "{speed} m/s: {x}");
    }
}

#[test]
fn a_floor_is_passed_one_way_at_any_speed() {
    // One can get through from below and not from above, fast enough to be on the other side within a step.
    for (from, speed) in [(-2.0, 20.0), (-2.0, 200.0), (2.0, -20.0), (2.0, -200.0)] {
        let mut world = vacuum();
        world.modify_contacts(|contact| {
            // From the floor to the ball, which comes down.
            contact.is_solid = contact.normal.y > 0.5 && contact.velocity.y < 0.0;
        });
        world.add(Body::fixed().shape(Cuboid::new([9.0, 0.01]).unwrap())).unwrap();
        let ball = Body::dynamic().at([0.0, from]).velocity([0.0, speed]);
        let ball = world.add(ball.shape(Ball::new(0.1).unwrap())).unwrap();
        (0..12).for_each(|_| world.step(DT).unwrap());
        let y = world.get(ball).unwrap().center_of_mass().y;
        let expected = if 0.0 < speed { from + 0.2 * speed } else { 0.11 };
        assert!((y - expected).abs() < 0.01, "from {from} at {speed} m/s: {y}");
    }
}
