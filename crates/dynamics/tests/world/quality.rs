//! Mechanics: stacks stand, friction holds as long as it should, bounces give back what they should, what
//! flies freely conserves, heavy things rest on light ones.

use crate::scenes::{DT, ground2, ground3, restless2, restless3};
use carom_dynamics::{Settings, d2, d3};
use carom_geometry::d2::{Ball, Cuboid};
use carom_geometry::d3 as g3;
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};

/// The top of a tower of boxes in the plane after some steps.
fn tower2(count: usize, sub_steps: u32, steps: usize) -> (Vec2<f32>, f64) {
    let mut world = ground2(0.6);
    world.set_settings(Settings { sub_steps, sleep: false, ..*world.settings() }).unwrap();
    let stack: Vec<_> = (0..count)
        .map(|k| {
            let body = d2::Body::dynamic().at([0.0, 0.5 + k as f32]);
            world.add(body.shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap()
        })
        .collect();
    for _ in 0..steps {
        world.step(DT).unwrap();
    }
    (world.get(stack[count - 1]).unwrap().pose().translation, world.statistics().kinetic_energy)
}

#[test]
fn a_tower_stands_for_a_minute() {
    let (top, energy) = tower2(15, 4, 3600);
    assert!(top.x.abs() < 0.01 && (top.y - 14.5).abs() < 0.05, "top at {top:?}");
    assert!(energy < 1e-4, "energy {energy}");
}

#[test]
fn a_hundred_boxes_stand_for_a_minute() {
    // Euler's limit for a tower of a hundred: see `Settings::contact_stiffness`.
    let (top, energy) = tower2(100, 64, 3600);
    assert!(top.x.abs() < 0.01 && (top.y - 99.5).abs() < 0.05, "top at {top:?}");
    assert!(energy < 1e-3, "energy {energy}");
}

#[test]
fn a_tower_of_fifty_comes_to_rest_and_sleeps() {
    // Above the limit of four sub-steps, but it buckles so slowly that it falls asleep first.
    let mut flat = ground2(0.6);
    let mut solid = ground3(0.6);
    let (mut top2, mut top3) = (None, None);
    for k in 0..50_u8 {
        let y = 0.5 + f32::from(k);
        let body = d2::Body::dynamic().at([0.0, y]);
        top2 = Some(flat.add(body.shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap());
        let body = d3::Body::dynamic().at([0.0, y, 0.0]);
        top3 = Some(solid.add(body.shape(g3::Cuboid::new([0.5; 3]).unwrap())).unwrap());
    }
    for _ in 0..600 {
        flat.step(DT).unwrap();
        solid.step(DT).unwrap();
    }
    let top = flat.get(top2.unwrap()).unwrap();
    assert!(!top.is_awake() && top.center_of_mass().x.abs() < 0.05 && top.center_of_mass().y > 49.0);
    let top = solid.get(top3.unwrap()).unwrap();
    assert!(!top.is_awake() && top.center_of_mass().x.abs() < 0.05 && top.center_of_mass().y > 49.0);
}

#[test]
fn fifteen_cubes_stand_for_a_minute() {
    let mut world = ground3(0.6);
    restless3(&mut world);
    let stack: Vec<_> = (0..15)
        .map(|k| {
            let body = d3::Body::dynamic().at([0.0, 0.5 + k as f32, 0.0]);
            world.add(body.shape(g3::Cuboid::new([0.5; 3]).unwrap())).unwrap()
        })
        .collect();
    for _ in 0..3600 {
        world.step(DT).unwrap();
    }
    let top = world.get(stack[14]).unwrap().pose().translation;
    assert!(top.x.abs() < 0.01 && top.z.abs() < 0.01 && (top.y - 14.5).abs() < 0.05, "top at {top:?}");
}

/// How far a box slides down a ramp of the given slope (tangent) in two seconds, and how fast it is then.
fn slide2(slope: f32, friction: f32) -> (f32, f32) {
    let norm = (1.0 + slope * slope).sqrt();
    let turn = Rot2::from_cos_sin(1.0 / norm, -slope / norm).unwrap();
    let mut world = d2::World::new();
    restless2(&mut world);
    let material = |shape| d2::Collider::new(shape).friction(friction);
    world
        .add(
            d2::Body::fixed()
                .at(Pose2::new([0.0, 0.0], turn))
                .shape(material(Cuboid::new([50.0, 1.0]).unwrap())),
        )
        .unwrap();
    let start = turn.rotate(Vec2::new(0.0, 1.5));
    let block =
        d2::Body::dynamic().at(Pose2::new(start, turn)).shape(material(Cuboid::new([0.5, 0.5]).unwrap()));
    let block = world.add(block).unwrap();
    for _ in 0..120 {
        world.step(DT).unwrap();
    }
    let block = world.get(block).unwrap();
    (Vector::length(block.pose().translation - start), Vector::length(block.velocity()))
}

/// The same in space.
fn slide3(slope: f32, friction: f32) -> (f32, f32) {
    let turn = Quat::from_axis_angle([0.0, 0.0, 1.0], -carom_math::trig::atan2_f32(slope, 1.0)).unwrap();
    let mut world = d3::World::new();
    restless3(&mut world);
    let material = |shape| d3::Collider::new(shape).friction(friction);
    let ramp = material(g3::Cuboid::new([50.0, 1.0, 50.0]).unwrap());
    world.add(d3::Body::fixed().at(Pose3::new([0.0; 3], turn)).shape(ramp)).unwrap();
    let start = turn.rotate(Vec3::new(0.0, 1.5, 0.0));
    let block = material(g3::Cuboid::new([0.5; 3]).unwrap());
    let block = world.add(d3::Body::dynamic().at(Pose3::new(start, turn)).shape(block)).unwrap();
    for _ in 0..120 {
        world.step(DT).unwrap();
    }
    let block = world.get(block).unwrap();
    (Vector::length(block.pose().translation - start), Vector::length(block.velocity()))
}

#[test]
fn friction_holds_up_to_its_angle() {
    for friction in [0.3, 0.5, 0.8] {
        for slide in [slide2, slide3] {
            // It slips until the pressure has built up, a centimetre or two, and then stands.
            let (slip, speed) = slide(friction * 0.995, friction);
            assert!(slip < 0.02 && speed < 1e-3, "µ {friction}: slips by {slip}, still {speed}");
            let (_, speed) = slide(friction * 1.005, friction);
            assert!(0.01 < speed, "µ {friction}: does not slide, {speed}");
            // Slides with g(sin − µcos).
            let slope = friction * 1.05;
            let norm = (1.0 + slope * slope).sqrt();
            let expected = 0.5 * 10.0 * (slope - friction) / norm * 4.0;
            let (slid, _) = slide(slope, friction);
            assert!((slid - expected).abs() < 0.1 * expected, "µ {friction}: slid by {slid}, not {expected}");
        }
    }
}

#[test]
fn a_bounce_gives_back_the_square_of_its_share() {
    for restitution in [0.3_f32, 0.5, 0.8, 1.0] {
        for height in [8.0_f32, 12.5, 20.0] {
            let mut world = ground2(0.6);
            let ball = d2::Collider::new(Ball::new(0.5).unwrap()).restitution(restitution);
            let ball = world.add(d2::Body::dynamic().at([0.0, 0.5 + height]).shape(ball)).unwrap();
            let (mut has_bounced, mut top) = (false, 0.0_f32);
            for _ in 0..600 {
                world.step(DT).unwrap();
                let body = world.get(ball).unwrap();
                let is_rising = body.velocity().y > 0.0;
                if has_bounced && !is_rising {
                    break;
                }
                has_bounced |= is_rising;
                top = if has_bounced { body.pose().translation.y - 0.5 } else { top };
            }
            let expected = restitution * restitution * height;
            assert!(
                (top - expected).abs() < 0.01 * height,
                "e {restitution}, {height}: {top}, not {expected}"
            );
        }
    }
}

#[test]
fn a_tumbling_box_keeps_energy_and_momentum() {
    let mut world = d3::World::new();
    world.set_settings(Settings { gravity: Vec3::ZERO, sleep: false, ..*world.settings() }).unwrap();
    let half = g3::Cuboid::new([0.05, 0.2, 0.45]).unwrap();
    let body = d3::Body::dynamic().mass(10.0).shape(half).velocity([-2.0, 2.0, 8.0]);
    let body = world.add(body.angular_velocity([0.1, 5.0, 0.1])).unwrap();
    let (energy, momentum) =
        (world.get(body).unwrap().kinetic_energy(), world.get(body).unwrap().angular_momentum());
    assert!((energy - 368.546).abs() < 0.01, "{energy}");
    let mut turned_over = false;
    for _ in 0..600 {
        world.step(DT).unwrap();
        let now = world.get(body).unwrap();
        let drift = (now.kinetic_energy() - energy).abs() / energy;
        assert!(drift < 1e-4, "energy drifts by {drift}");
        let drift = Vector::length(now.angular_momentum() - momentum) / Vector::length(momentum);
        assert!(drift < 1e-4, "angular momentum drifts by {drift}");
        // About the middle axis: it turns over again and again.
        let axis = now.pose().rotation.rotate(Vec3::new(0.0, 1.0, 0.0));
        turned_over |= axis.dot(Vec3::new(0.0, 1.0, 0.0)) < -0.9;
    }
    assert!(turned_over);
}

#[test]
fn heavy_rests_on_light() {
    // What is pressed against the ground counts as 1/32 of its load, which sinks by 6 mm then.
    for ratio in [10.0, 100.0, 1000.0, 1e5] {
        let mut world = ground2(0.6);
        world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
        let square = Cuboid::new([0.5, 0.5]).unwrap();
        world.add(d2::Body::dynamic().at([0.0, 0.5]).shape(square)).unwrap();
        let heavy = d2::Body::dynamic().at([0.0, 1.5]).shape(d2::Collider::new(square).density(ratio));
        let heavy = world.add(heavy).unwrap();
        (0..600).for_each(|_| world.step(DT).unwrap());
        let at = world.get(heavy).unwrap().pose().translation;
        assert!((at.y - 1.5).abs() < 0.01 && at.x.abs() < 0.01, "ratio {ratio}: {at:?}");

        let mut world = ground3(0.6);
        world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
        let cube = g3::Cuboid::new([0.5; 3]).unwrap();
        world.add(d3::Body::dynamic().at([0.0, 0.5, 0.0]).shape(cube)).unwrap();
        let heavy = d3::Body::dynamic().at([0.0, 1.5, 0.0]).shape(d3::Collider::new(cube).density(ratio));
        let heavy = world.add(heavy).unwrap();
        (0..600).for_each(|_| world.step(DT).unwrap());
        let at = world.get(heavy).unwrap().pose().translation;
        assert!((at.y - 1.5).abs() < 0.01, "ratio {ratio}: {at:?}");
    }
}

#[test]
fn what_is_pressed_still_feels_its_load() {
    // A light plank over the edge of a table, with a weight on the end that sticks out: both fall, however heavy
    // the weight, and stay when it lies on the other end.
    for ratio in [10.0, 100.0, 1e4] {
        for (at, falls) in [(1.75, true), (-0.5, false)] {
            let mut world = d2::World::new();
            restless2(&mut world);
            world.add(d2::Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([1.0, 1.0]).unwrap())).unwrap();
            let plank = d2::Body::dynamic().at([0.25, 0.1]).shape(Cuboid::new([2.0, 0.1]).unwrap());
            world.add(plank).unwrap();
            let density = 0.8 * ratio / 0.25;
            let weight = d2::Collider::new(Cuboid::new([0.25, 0.25]).unwrap()).density(density);
            let weight = world.add(d2::Body::dynamic().at([at, 0.45]).shape(weight)).unwrap();
            (0..120).for_each(|_| world.step(DT).unwrap());
            let y = world.get(weight).unwrap().pose().translation.y;
            assert_eq!(y < -0.5, falls, "ratio {ratio}: {y}");
        }
    }
    // What is hit in flight weighs what it weighs: momentum is conserved.
    let mut world = d2::World::new();
    world.set_settings(Settings { gravity: Vec2::ZERO, ..*world.settings() }).unwrap();
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let heavy = d2::Body::dynamic().at([-3.0, 0.0]).velocity([8.0, 0.0]);
    let heavy = world.add(heavy.shape(d2::Collider::new(square).density(1000.0))).unwrap();
    let lights = [0.0, 1.0].map(|x| world.add(d2::Body::dynamic().at([x, 0.0]).shape(square)).unwrap());
    (0..60).for_each(|_| world.step(DT).unwrap());
    let momentum = |body| {
        let body = world.get(body).unwrap();
        f64::from(body.velocity().x) * f64::from(body.mass())
    };
    let total = momentum(heavy) + momentum(lights[0]) + momentum(lights[1]);
    assert!((total - 8000.0).abs() < 0.01, "{total}");
    assert!(lights.iter().all(|light| momentum(*light) > 7.9));
}

#[test]
fn overlaps_recover_without_a_launch() {
    let mut world = ground2(0.6);
    let mut bodies = Vec::new();
    for i in 0..4_u8 {
        for j in i..4 {
            let at = [0.375 * (f32::from(i) - 4.0) + 0.75 * f32::from(j - i), 0.5 + 0.75 * f32::from(i)];
            bodies
                .push(world.add(d2::Body::dynamic().at(at).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap());
        }
    }
    let mut fastest = 0.0_f32;
    for _ in 0..240 {
        world.step(DT).unwrap();
        for body in &bodies {
            let speed = Vector::length(world.get(*body).unwrap().velocity());
            fastest = if fastest < speed { speed } else { fastest };
        }
    }
    // Each pair parts with at most 3 m/s; four rows on top of each other add up to some of that.
    assert!(fastest < 6.0, "launched with {fastest}");
    assert!(world.statistics().deepest < 0.011, "{:?}", world.statistics());
}

#[test]
fn momentum_is_conserved_between_bodies() {
    let mut world = d2::World::new();
    world.set_settings(Settings { gravity: Vec2::ZERO, ..*world.settings() }).unwrap();
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let fast = d2::Body::dynamic()
        .at([-3.0, 0.1])
        .velocity([20.0, 0.0])
        .shape(d2::Collider::new(square).density(8.0));
    world.add(fast).unwrap();
    for k in 0..5_u8 {
        let body = d2::Body::dynamic().at([f32::from(k), 0.05 * f32::from(k)]);
        world.add(body.shape(d2::Collider::new(square).restitution(0.5))).unwrap();
    }
    let total = |world: &d2::World| {
        world
            .bodies()
            .fold(Vec2::new(0.0, 0.0), |sum, body| sum + body.velocity().widen() * f64::from(body.mass()))
    };
    let before = total(&world);
    for _ in 0..120 {
        world.step(DT).unwrap();
    }
    let change = Vector::length(total(&world) - before) / Vector::length(before);
    assert!(change < 2e-6, "momentum changes by {change}");
}

#[test]
fn far_from_the_origin_is_like_near_it() {
    let run = |origin: [f32; 2]| {
        let mut world = d2::World::new();
        let at = |x: f32, y: f32| [origin[0] + x, origin[1] + y];
        world.add(d2::Body::fixed().at(at(0.0, -1.0)).shape(Cuboid::new([100.0, 1.0]).unwrap())).unwrap();
        let bodies: Vec<_> = (0..10)
            .map(|k| {
                let body = d2::Body::dynamic().at(at(0.0, 0.5 + f32::from(k as u8)));
                world.add(body.shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap()
            })
            .collect();
        for _ in 0..300 {
            world.step(DT).unwrap();
        }
        let top = world.get(bodies[9]).unwrap().exact_center_of_mass();
        (top.x - f64::from(origin[0]), top.y - f64::from(origin[1]))
    };
    // Coordinates that are exact there, so that the start is the same.
    let (near, far) = (run([0.0, 0.0]), run([131_072.0, -65_536.0]));
    assert!((near.0 - far.0).abs() < 1e-3 && (near.1 - far.1).abs() < 1e-3, "{near:?} {far:?}");
}
