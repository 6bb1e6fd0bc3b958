//! Light bodies that carry heavy ones by joints.

use crate::scenes::DT;
use carom_dynamics::{Settings, d2, d3};
use carom_geometry::{d2 as g2, d3 as g3};

/// How much heavier the weight is than each of the links.
const RATIO: f32 = 3000.0;

/// A chain of ten light links that carries a weight, the links pushed a little out of line. The pull turns a link back with an angular
/// frequency of √(T·a/I), T the weight, a the arm and I the inertia, here some 1100/s in the plane: beyond 2/h = 480/s whoever
/// integrates that explicitly makes the links spin.
macro_rules! chain {
    ($world:expr, $dimension:ident, $link:expr, $weight:expr, $joint:ident, $at:expr, $spin:expr) => {{
        let mut world = $world;
        world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
        let mut last = world.add($dimension::Body::fixed()).unwrap();
        let mut links = Vec::new();
        for k in 0..10_u8 {
            let y = -f32::from(k);
            let link = $dimension::Body::dynamic().at($at(y - 0.5)).shape($link).angular_velocity($spin);
            let link = world.add(link).unwrap();
            world.add_joint($dimension::Joint::$joint(last, link).at($at(y))).unwrap();
            links.push(link);
            last = link;
        }
        let density = RATIO * world.get(last).unwrap().mass() / $weight.1;
        let weight = $dimension::Collider::new($weight.0).density(density);
        let weight = world.add($dimension::Body::dynamic().at($at(-11.0)).shape(weight)).unwrap();
        world.add_joint($dimension::Joint::$joint(last, weight).at($at(-10.0))).unwrap();
        (world, links)
    }};
}

#[test]
fn links_under_a_heavy_load_do_not_spin() {
    let link = g2::Ball::new(0.4_f32).unwrap();
    let weight = (g2::Cuboid::new([0.5, 0.5]).unwrap(), 1.0);
    let at = |y: f32| [0.0, y];
    let (mut world, links) = chain!(d2::World::new(), d2, link, weight, revolute, at, 0.5);
    for step in 0..300 {
        world.step(DT).unwrap();
        for link in &links {
            let spin = world.get(*link).unwrap().angular_velocity();
            assert!(spin.abs() < 3.0, "plane, step {step}: {spin}");
        }
    }

    let link = g3::Ball::new(0.4_f32).unwrap();
    let weight = (g3::Cuboid::new([0.5, 0.5, 0.5]).unwrap(), 1.0);
    let at = |y: f32| [0.0, y, 0.0];
    let (mut world, links) = chain!(d3::World::new(), d3, link, weight, ball, at, [0.3, 0.0, 0.4]);
    for step in 0..300 {
        world.step(DT).unwrap();
        for link in &links {
            let spin = world.get(*link).unwrap().angular_velocity();
            assert!(spin.dot(spin) < 9.0, "space, step {step}: {spin:?}");
        }
    }
}

/// The same with hinges in space, about an axis along which the links are long: what a hinge locks besides its point must know of what
/// the pull adds to the inertia.
#[test]
fn links_of_hinges_under_a_heavy_load_do_not_spin() {
    let link = g3::Capsule::new([0.0, 0.0, -0.5], [0.0, 0.0, 0.5], 0.2_f32).unwrap();
    let weight = (g3::Cuboid::new([0.5, 0.5, 0.5]).unwrap(), 1.0);
    let at = |y: f32| [0.0, y, 0.0];
    let (mut world, links) = chain!(d3::World::new(), d3, link, weight, revolute, at, [0.0, 0.0, 0.4]);
    for step in 0..300 {
        world.step(DT).unwrap();
        for link in &links {
            let spin = world.get(*link).unwrap().angular_velocity();
            assert!(spin.dot(spin) < 9.0, "step {step}: {spin:?}");
        }
    }
}
