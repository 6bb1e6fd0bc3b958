//! Sensors and hooks beside what is fast: who is told, who is not, and who is not held up.

use crate::scenes::DT;
use carom_dynamics::d2::{Body, Collider, Joint, World};
use carom_dynamics::{Settings, d3};
use carom_geometry::d2::{Ball, Cuboid};
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
