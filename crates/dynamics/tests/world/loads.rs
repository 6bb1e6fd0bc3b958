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

/// A plate of two hundred tons, driven by a motor without a limit, presses light balls and cubes onto a surface without thickness, between
/// walls. There is no room for them: they have to give way somewhere, but not to the far side of the surface. (The joint keeps the plate
/// from meeting the surface itself.)
macro_rules! nothing_is_pressed_through {
    ($world:ident, $shapes:ident, $surface:expr, $walls:expr, $third:expr, $half:expr) => {{
        let mut world = $world::World::new();
        let ground = world.add($world::Body::fixed().shape($surface)).unwrap();
        for wall in $walls {
            let wall =
                $world::Body::fixed().at(wall).shape($shapes::Cuboid::new($half(5.0, 5.0, 5.0)).unwrap());
            world.add(wall).unwrap();
        }
        let ball = $world::Collider::new($shapes::Ball::new(0.35).unwrap());
        let cube = $world::Collider::new($shapes::Cuboid::new($half(0.35, 0.35, 0.35)).unwrap());
        let mut pressed = Vec::new();
        for k in 0..12_u8 {
            let (x, y) = (0.75 * (f32::from(k % 4) - 1.5), 0.4 + 0.75 * f32::from(k / 4));
            let shape = if k % 2 == 0 { &ball } else { &cube };
            let body = $world::Body::dynamic().at($half(x, y, $third)).shape(shape.clone().friction(1.0));
            pressed.push(world.add(body).unwrap());
        }
        let plate = $world::Collider::new($shapes::Cuboid::new($half(1.6, 0.3, 0.6)).unwrap()).density(1e5);
        let plate = world.add($world::Body::dynamic().at($half(0.0, 3.0, $third)).shape(plate)).unwrap();
        let rail =
            $world::Joint::prismatic(ground, plate).at($half(0.0, 3.0, $third)).axis($half(0.0, -1.0, 0.0));
        world.add_joint(rail.motor(8.0, f32::MAX)).unwrap();
        for step in 0..200 {
            world.step(DT).unwrap();
            for body in &pressed {
                let at = world.get(*body).unwrap().center_of_mass();
                assert!(0.0 < at.y, "step {step}: {body:?} was pressed through to {at:?}");
            }
        }
    }};
}

#[test]
fn nothing_is_pressed_through_a_segment() {
    let surface = g2::Segment::new([-1e3, 0.0], [1e3, 0.0]).unwrap();
    let in_plane = |x: f32, y: f32, _: f32| [x, y];
    nothing_is_pressed_through!(d2, g2, surface, [[6.7, 0.0], [-6.7, 0.0]], 0.0, in_plane);
}

#[test]
fn nothing_is_pressed_through_a_mesh() {
    let corners = [[-1e3, 0.0, -1e3], [1e3, 0.0, -1e3], [1e3, 0.0, 1e3], [-1e3, 0.0, 1e3]];
    let surface = g3::TriangleMesh::new(corners, vec![[0, 2, 1], [0, 3, 2]]).unwrap();
    let walls = [[6.7, 0.0, 0.2], [-6.7, 0.0, 0.2], [0.0, 0.0, 5.9], [0.0, 0.0, -5.5]];
    nothing_is_pressed_through!(d3, g3, surface, walls, 0.2, |x: f32, y: f32, z: f32| [x, y, z]);
}
