//! Round bodies that spin, skid and roll: Coulomb's friction is µg and the resistance to rolling is that of the
//! coefficient, however fast they turn and however a step is divided.

use crate::scenes::DT;
use carom_dynamics::{Locks, Settings, d2, d3};
use carom_geometry::d2::{Ball, Compound, Cuboid, Ellipsoid, Rounded};
use carom_geometry::d3 as g3;
use carom_math::{Number, Pose2, Pose3, Quat, Vec3, Vector};

/// The friction between what skids and the ground.
const FRICTION: f32 = 0.1;
const RADIUS: f32 = 0.5;

/// A world that divides its steps like this.
macro_rules! world {
    ($dimension:ident, $sub_steps:expr) => {{
        let mut world = $dimension::World::new();
        world.set_settings(Settings { sub_steps: $sub_steps, ..*world.settings() }).unwrap();
        world
    }};
}

/// Adds the ground and what is on it, either of them as the first of the two; the answer is the latter.
macro_rules! add_both {
    ($world:expr, $ground:expr, $body:expr, $is_first:expr) => {
        if $is_first {
            let body = $world.add($body).unwrap();
            $world.add($ground).unwrap();
            body
        } else {
            $world.add($ground).unwrap();
            $world.add($body).unwrap()
        }
    };
}

/// By how much the speed along x changes in a second: over twenty steps, after some in which the contact settles.
macro_rules! acceleration {
    ($world:expr, $body:expr) => {{
        (0..10).for_each(|_| $world.step(DT).unwrap());
        let before = $world.get($body).unwrap().velocity().x;
        (0..20).for_each(|_| $world.step(DT).unwrap());
        ($world.get($body).unwrap().velocity().x - before) * 3.0
    }};
}

/// Round things of radius ½ in the plane.
fn discs() -> Vec<(&'static str, d2::Collider)> {
    let ball = Ball::new(RADIUS).unwrap();
    vec![
        ("disc", d2::Collider::new(ball)),
        ("ellipse", d2::Collider::new(Ellipsoid::new([RADIUS; 2]).unwrap())),
        ("rounded", d2::Collider::new(Rounded::new(Ball::new(0.2).unwrap(), 0.3).unwrap())),
        ("compound", d2::Collider::new(Compound::new([(ball, Pose2::IDENTITY)]).unwrap())),
    ]
}

/// Round things of radius ½ in space, to be turned about the z axis.
fn wheels() -> Vec<(&'static str, d3::Collider)> {
    let upright = Quat::from_axis_angle([1.0, 0.0, 0.0], core::f32::consts::FRAC_PI_2).unwrap();
    let upright = Pose3::new([0.0; 3], upright);
    let wheel = g3::Cylinder::new(0.2, RADIUS).unwrap();
    let ball = g3::Ball::new(RADIUS).unwrap();
    let capsule = g3::Capsule::new([0.0, 0.0, -0.4], [0.0, 0.0, 0.4], RADIUS).unwrap();
    let tyre = g3::Rounded::new(g3::Cylinder::new(0.1, 0.4).unwrap(), 0.1).unwrap();
    vec![
        ("ball", d3::Collider::new(ball)),
        ("wheel", d3::Collider::new(wheel).at(upright)),
        ("capsule", d3::Collider::new(capsule)),
        ("tyre", d3::Collider::new(tyre).at(upright)),
        ("lentil", d3::Collider::new(g3::Ellipsoid::new([RADIUS, RADIUS, 0.2]).unwrap())),
        ("egg", d3::Collider::new(g3::Ellipsoid::new([RADIUS, RADIUS, 0.8]).unwrap())),
        ("compound", d3::Collider::new(g3::Compound::new([(ball, Pose3::IDENTITY)]).unwrap())),
    ]
}

/// A floor at y = 0 in space, of one box or of two triangles.
fn floor3(is_mesh: bool) -> d3::Collider {
    if is_mesh {
        let corners = [[-90.0, 0.0, -90.0], [-90.0, 0.0, 90.0], [90.0, 0.0, 90.0], [90.0, 0.0, -90.0]];
        d3::Collider::new(g3::TriangleMesh::new(corners, [[0, 1, 2], [2, 3, 0]]).unwrap())
    } else {
        d3::Collider::new(g3::Cuboid::new([100.0, 1.0, 100.0]).unwrap()).at([0.0, -1.0, 0.0])
    }
}

#[test]
fn what_spins_in_the_plane_skids_with_the_friction_of_its_weight() {
    for (name, disc) in discs() {
        for spin in [5.0, 10.0, 20.0, 40.0] {
            for (sub_steps, is_first) in [(1, true), (4, false), (4, true), (16, false)] {
                let mut world = world!(d2, sub_steps);
                let ground = d2::Collider::new(Cuboid::new([100.0, 1.0]).unwrap()).friction(FRICTION);
                let ground = d2::Body::fixed().at([0.0, -1.0]).shape(ground);
                let disc = disc.clone().friction(FRICTION);
                let disc = d2::Body::dynamic().at([0.0, 0.499]).angular_velocity(-spin).shape(disc);
                let disc = add_both!(world, ground, disc, is_first);
                let found = acceleration!(world, disc);
                assert!((found - 1.0).abs() < 0.01, "{name}, {spin} rad/s, {sub_steps} sub-steps: {found}");
            }
        }
    }
}

#[test]
fn what_spins_in_space_skids_with_the_friction_of_its_weight() {
    for (name, wheel) in wheels() {
        for spin in [5.0, 10.0, 40.0] {
            for (sub_steps, is_mesh) in [(1, false), (4, false), (4, true), (16, false)] {
                let mut world = world!(d3, sub_steps);
                world.add(d3::Body::fixed().shape(floor3(is_mesh).friction(FRICTION))).unwrap();
                let wheel = wheel.clone().friction(FRICTION);
                let wheel = d3::Body::dynamic().at([0.0, 0.499, 0.0]).shape(wheel);
                let wheel = world.add(wheel.angular_velocity([0.0, 0.0, -spin])).unwrap();
                let found = acceleration!(world, wheel);
                let what = format!("{name}, {spin} rad/s, {sub_steps} sub-steps, mesh: {is_mesh}");
                assert!((found - 1.0).abs() < 0.01, "{what}: {found}");
                let turned = world.get(wheel).unwrap().angular_velocity();
                assert!(turned.x.abs().max_of(turned.y.abs()) < 0.01 * spin, "{what}: {turned:?}");
            }
        }
    }
}

#[test]
fn rolling_resistance_is_the_same_at_every_speed() {
    // With the inertia i·mr² the deceleration is c·g/(1 + i).
    for speed in [0.5, 2.0, 10.0] {
        for sub_steps in [1, 4, 16] {
            let mut world = world!(d2, sub_steps);
            let ground = d2::Collider::new(Cuboid::new([100.0, 1.0]).unwrap()).friction(1.0);
            world.add(d2::Body::fixed().at([0.0, -1.0]).shape(ground)).unwrap();
            let disc = d2::Collider::new(Ball::new(RADIUS).unwrap()).rolling_resistance(0.1).friction(1.0);
            let disc = d2::Body::dynamic().at([0.0, 0.499]).velocity([speed, 0.0]).shape(disc);
            let disc = world.add(disc.angular_velocity(-speed / RADIUS)).unwrap();
            let found = -acceleration!(world, disc) * 1.5;
            assert!((found - 1.0).abs() < 0.01, "disc, {speed} m/s, {sub_steps} sub-steps: {found}");

            let mut world = world!(d3, sub_steps);
            world.add(d3::Body::fixed().shape(floor3(false).friction(1.0))).unwrap();
            let ball =
                d3::Collider::new(g3::Ball::new(RADIUS).unwrap()).rolling_resistance(0.1).friction(1.0);
            let ball = d3::Body::dynamic().at([0.0, 0.499, 0.0]).velocity([speed, 0.0, 0.0]).shape(ball);
            let ball = world.add(ball.angular_velocity([0.0, 0.0, -speed / RADIUS])).unwrap();
            let found = -acceleration!(world, ball) * 1.4;
            assert!((found - 1.0).abs() < 0.01, "ball, {speed} m/s, {sub_steps} sub-steps: {found}");
        }
    }
}

#[test]
fn what_rolls_goes_on_as_fast_and_as_high() {
    // The points of a contact are kept while a pair hardly moves: what rolls slowly must not roll on points that lag behind.
    for speed in [0.1, 0.25, 0.5, 1.0, 5.0, 15.0] {
        for ((name, disc), is_first) in
            discs().into_iter().flat_map(|disc| [(disc.clone(), true), (disc, false)])
        {
            let mut world = world!(d2, 4);
            let ground = d2::Collider::new(Cuboid::new([100.0, 1.0]).unwrap()).friction(1.0);
            let ground = d2::Body::fixed().at([0.0, -1.0]).shape(ground);
            let disc = d2::Body::dynamic().at([0.0, RADIUS]).velocity([speed, 0.0]).shape(disc.friction(1.0));
            let disc = disc.angular_velocity(-speed / RADIUS).can_sleep(false);
            let disc = add_both!(world, ground, disc, is_first);
            for _ in 0..120 {
                world.step(DT).unwrap();
                let body = world.get(disc).unwrap();
                let (now, y) = (body.velocity(), body.center_of_mass().y);
                let what = format!("{name}, first: {is_first}, {speed} m/s: {now:?} at {y}");
                assert!((now.x - speed).abs() < 2e-3 * speed, "{what}");
                assert!(now.y.abs() < 2e-3 && (y - RADIUS).abs() < 1e-3, "{what}");
            }
        }
        for (name, wheel) in wheels() {
            let mut world = world!(d3, 4);
            world.add(d3::Body::fixed().shape(floor3(false).friction(1.0))).unwrap();
            let wheel = d3::Body::dynamic()
                .at([0.0, RADIUS, 0.0])
                .velocity([speed, 0.0, 0.0])
                .shape(wheel.friction(1.0));
            let wheel = wheel.angular_velocity([0.0, 0.0, -speed / RADIUS]).can_sleep(false);
            let wheel = world.add(wheel).unwrap();
            for _ in 0..120 {
                world.step(DT).unwrap();
                let body = world.get(wheel).unwrap();
                let (now, y) = (body.velocity(), body.center_of_mass().y);
                assert!((now.x - speed).abs() < 2e-3 * speed, "{name}, {speed} m/s: {now:?}");
                assert!(
                    now.y.abs() < 2e-3 && (y - RADIUS).abs() < 1e-3,
                    "{name}, {speed} m/s: {now:?} at {y}"
                );
            }
        }
    }
}

#[test]
fn what_lies_on_a_roller_stays_as_high() {
    // The roller is driven; what lies on it is kept from moving along.
    let mut world = world!(d3, 4);
    let roller = d3::Collider::new(g3::Capsule::new([0.0, 0.0, -2.0], [0.0, 0.0, 2.0], RADIUS).unwrap());
    let roller = d3::Body::kinematic().angular_velocity([0.0, 0.0, 40.0]).shape(roller.friction(FRICTION));
    world.add(roller).unwrap();
    let slab = d3::Collider::new(g3::Cuboid::new([1.0, 0.1, 1.0]).unwrap()).friction(FRICTION);
    let locks = Locks::ROTATION.linear(0).linear(2);
    let slab = world.add(d3::Body::dynamic().at([0.0, 0.6, 0.0]).locks(locks).shape(slab)).unwrap();
    for _ in 0..60 {
        world.step(DT).unwrap();
        let slab = world.get(slab).unwrap();
        let (y, speed) = (slab.center_of_mass().y, Vector::length(slab.velocity()));
        assert!((y - 0.6).abs() < 1e-3 && speed < 2e-3, "{y}, {speed}");
    }
}

#[test]
fn what_is_round_at_its_ends_still_tips_over() {
    // The ends of a capsule are on material points of its axis: one that stands askew falls like the rod that it is.
    let mut world = world!(d3, 4);
    world.add(d3::Body::fixed().shape(floor3(false).friction(1.0))).unwrap();
    let capsule = g3::Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.2).unwrap();
    let tilt = Quat::from_axis_angle([0.0, 0.0, 1.0], 0.3).unwrap();
    let at = Pose3::new([0.0, 0.2 + 0.295_520_2, 0.0], tilt);
    let capsule = world.add(d3::Body::dynamic().at(at).shape(capsule)).unwrap();
    let low = |world: &d3::World| {
        let pose = world.get(capsule).unwrap().pose();
        let ends = [-1.0, 1.0].map(|x| pose.point_to_world(Vec3::new(x, 0.0, 0.0)).y - 0.2);
        (ends[0].min_of(ends[1]), ends[0].max_of(ends[1]))
    };
    for _ in 0..120 {
        world.step(DT).unwrap();
        assert!(-0.04 < low(&world).0, "{:?}", low(&world));
    }
    assert!(low(&world).1 < 0.005, "{:?}", low(&world));
}
