//! Joints against mechanics: periods, energies, momenta, lengths, forces.

#![allow(clippy::disallowed_methods, reason = "tests may measure with whatever they like")]

use crate::scenes::DT;
use carom_dynamics::d2::{Body, Collider, Joint, World};
use carom_dynamics::{BodyHandle, Filter, JointAxis, Settings, d3};
use carom_geometry::d2::{Ball, Cuboid};
use carom_geometry::d3 as g3;
use carom_math::Vec2;

const PI: f64 = core::f64::consts::PI;

/// Without gravity and sleep.
fn void2() -> World {
    let mut world = World::new();
    let gravity = Vec2::new(0.0, 0.0);
    world.set_settings(Settings { gravity, sleep: false, ..*world.settings() }).unwrap();
    world
}

/// With gravity, without sleep.
fn heavy2() -> World {
    let mut world = World::new();
    world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
    world
}

fn heavy3() -> d3::World {
    let mut world = d3::World::new();
    world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
    world
}

pub(crate) fn ball(radius: f32) -> Ball<f32> {
    Ball::new(radius).unwrap()
}

pub(crate) fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(DT).unwrap());
}

pub(crate) fn run3(world: &mut d3::World, steps: usize) {
    (0..steps).for_each(|_| world.step(DT).unwrap());
}

fn largest_separation(world: &World) -> f32 {
    world.joints().map(|joint| joint.separation()).fold(0.0, f32::max)
}

#[test]
fn a_pendulum_swings_with_its_period() {
    // T = 2π·√((I + m·l²)/(m·g·l)) for small angles.
    let mut world = heavy2();
    let ceiling = world.add(Body::fixed()).unwrap();
    let (length, radius, angle) = (2.0_f64, 0.25_f64, 0.05_f64);
    let at = [(length * angle.sin()) as f32, (-length * angle.cos()) as f32];
    let bob = world.add(Body::dynamic().at(at).shape(ball(0.25))).unwrap();
    world.add_joint(Joint::revolute(ceiling, bob).at([0.0, 0.0])).unwrap();
    let period = 2.0 * PI * ((0.5 * radius * radius + length * length) / (10.0 * length)).sqrt();
    // The times at which it comes through the middle from the right.
    let (mut before, mut crossings) = (at[0], Vec::new());
    for step in 0..1200_i32 {
        world.step(DT).unwrap();
        let now = world.get(bob).unwrap().pose().translation.x;
        if before > 0.0 && now <= 0.0 {
            crossings.push(f64::from(step) + f64::from(before / (before - now)));
        }
        before = now;
    }
    let measured = (crossings[crossings.len() - 1] - crossings[0]) / 60.0 / (crossings.len() - 1) as f64;
    assert!((measured / period - 1.0).abs() < 2e-3, "{measured} {period}");
}

#[test]
fn a_pendulum_keeps_its_energy() {
    // From the horizontal: at the bottom ½mv² + ½Iω² = m·g·l; after half a minute it still gets almost as high.
    let mut world = heavy2();
    let ceiling = world.add(Body::fixed()).unwrap();
    let bob = world.add(Body::dynamic().at([2.0, 0.0]).shape(ball(0.25))).unwrap();
    world.add_joint(Joint::revolute(ceiling, bob).at([0.0, 0.0])).unwrap();
    let energy = |world: &World| {
        let body = world.get(bob).unwrap();
        body.kinetic_energy() + f64::from(body.mass()) * 10.0 * f64::from(body.pose().translation.y)
    };
    let (start, scale) = (energy(&world), f64::from(world.get(bob).unwrap().mass()) * 20.0);
    for step in 0..1800 {
        world.step(DT).unwrap();
        let change = (energy(&world) - start) / scale;
        assert!(change < 0.01 && -0.1 < change, "step {step}: {change}");
        assert!(largest_separation(&world) < 0.003, "{}", largest_separation(&world));
    }
}

#[test]
fn joined_bodies_keep_their_momenta() {
    let mut world = void2();
    let bodies: Vec<BodyHandle> = (0..6_u8)
        .map(|k| {
            let x = f32::from(k);
            let body = Body::dynamic().at([x, 0.0]).velocity([0.3 * x, 1.0 - x]).angular_velocity(x - 2.0);
            let shape = Collider::new(Cuboid::new([0.4, 0.2 + 0.1 * x]).unwrap());
            world.add(body.shape(shape.filter(Filter { mask: 0, ..Filter::default() }))).unwrap()
        })
        .collect();
    for pair in bodies.windows(2) {
        world.add_joint(Joint::revolute(pair[0], pair[1]).anchors([0.5, 0.1], [-0.5, 0.0])).unwrap();
    }
    world.add_joint(Joint::fixed(bodies[0], bodies[2]).at([1.0, 1.0])).unwrap();
    world.add_joint(Joint::prismatic(bodies[1], bodies[4]).at([0.0, 0.0]).axis([1.0, 1.0])).unwrap();
    let momenta = |world: &World| {
        let mut sum = [0.0_f64; 3];
        for body in world.bodies() {
            let (mass, v, at) = (f64::from(body.mass()), body.velocity(), body.exact_center_of_mass());
            let (x, y) = (f64::from(v.x), f64::from(v.y));
            sum[0] += mass * x;
            sum[1] += mass * y;
            sum[2] += mass * (at.x * y - at.y * x) + f64::from(body.angular_momentum());
        }
        sum
    };
    let before = momenta(&world);
    run(&mut world, 300);
    let after = momenta(&world);
    for axis in 0..3 {
        assert!((after[axis] - before[axis]).abs() < 2e-3 * before[2].abs(), "{before:?} {after:?}");
    }
}

#[test]
fn joined_bodies_in_space_keep_their_momenta() {
    let mut world = heavy3();
    let gravity = carom_math::Vec3::new(0.0, 0.0, 0.0);
    world.set_settings(Settings { gravity, ..*world.settings() }).unwrap();
    let bodies: Vec<BodyHandle> = (0..5_u8)
        .map(|k| {
            let x = f32::from(k);
            let body = d3::Body::dynamic().at([x, 0.0, 0.0]).velocity([0.3, 1.0 - x, 0.2 * x]);
            let body = body.angular_velocity([x - 2.0, 1.0, 0.3 * x]);
            world.add(body.shape(g3::Cuboid::new([0.4, 0.3, 0.2 + 0.05 * x]).unwrap())).unwrap()
        })
        .collect();
    let [a, b, c, d, e] = bodies[..] else { panic!("five bodies") };
    world.add_joint(d3::Joint::ball(a, b).at([0.5, 0.1, 0.0]).cone(0.6).limits(-0.2, 0.2)).unwrap();
    world.add_joint(d3::Joint::revolute(b, c).at([1.5, 0.0, 0.0]).axis([0.0, 1.0, 0.0])).unwrap();
    world.add_joint(d3::Joint::fixed(c, d).at([2.5, 0.0, 0.0])).unwrap();
    world.add_joint(d3::Joint::prismatic(d, e).at([3.5, 0.0, 0.0]).axis([0.0, 0.0, 1.0])).unwrap();
    let momenta = |world: &d3::World| {
        let mut sum = [0.0_f64; 6];
        for body in world.bodies() {
            let (mass, v, at) = (f64::from(body.mass()), body.velocity(), body.exact_center_of_mass());
            let p = [mass * f64::from(v.x), mass * f64::from(v.y), mass * f64::from(v.z)];
            let (x, l) = ([at.x, at.y, at.z], body.angular_momentum());
            for k in 0..3 {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                sum[k] += p[k];
                sum[3 + k] += x[i] * p[j] - x[j] * p[i] + f64::from([l.x, l.y, l.z][k]);
            }
        }
        sum
    };
    let before = momenta(&world);
    run3(&mut world, 300);
    let after = momenta(&world);
    let size = before.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    for axis in 0..6 {
        assert!((after[axis] - before[axis]).abs() < 5e-3 * size, "{before:?} {after:?}");
    }
    let worst = world.joints().take(3).map(|joint| joint.separation()).fold(0.0, f32::max);
    assert!(worst < 0.01, "{worst}");
}

#[test]
fn a_motor_reaches_its_speed_as_its_torque_allows() {
    // A disc of 1 kg·m²: with 2 N·m it gains 2 rad/s in a second.
    let mut world = void2();
    let ground = world.add(Body::fixed()).unwrap();
    let disc = world.add(Body::dynamic().shape(ball(0.5)).mass(8.0)).unwrap();
    let joint = world.add_joint(Joint::revolute(ground, disc).motor(10.0, 2.0)).unwrap();
    run(&mut world, 60);
    let spin = world.get(disc).unwrap().angular_velocity();
    assert!((spin - 2.0).abs() < 1e-3, "{spin}");
    assert!((world.joint(joint).unwrap().torque() - 2.0).abs() < 1e-3);
    run(&mut world, 300);
    let spin = world.get(disc).unwrap().angular_velocity();
    assert!((spin - 10.0).abs() < 1e-4, "{spin}");
    // And backwards.
    world.joint_mut(joint).unwrap().change(|joint| joint.motor(-3.0, 1e4)).unwrap();
    run(&mut world, 5);
    assert!((world.get(disc).unwrap().angular_velocity() + 3.0).abs() < 1e-3);
}

#[test]
fn no_motor_is_strong_enough_to_drive_past_a_limit() {
    // A hinge and a slider, both ways, up to a limit that is not a whole number of sub-steps away.
    for sign in [1.0, -1.0] {
        let mut world = void2();
        let wall = world.add(Body::fixed()).unwrap();
        let door = world.add(Body::dynamic().shape(Cuboid::new([0.5, 0.1]).unwrap())).unwrap();
        let drawer =
            world.add(Body::dynamic().at([0.0, 5.0]).shape(Cuboid::new([0.5, 0.1]).unwrap())).unwrap();
        let strong = |joint: Joint| joint.limits(-0.7, 0.7).motor(sign * 5.0, f32::INFINITY);
        let hinge = world.add_joint(strong(Joint::revolute(wall, door).at([0.0, 0.0]))).unwrap();
        let slider = world.add_joint(strong(Joint::prismatic(wall, drawer).at([0.0, 5.0]))).unwrap();
        let mut farthest = [0.0_f32; 2];
        for _ in 0..60 {
            world.step(DT).unwrap();
            let angle = world.joint(hinge).unwrap().angles()[2];
            let way = world.joint(slider).unwrap().offset().x;
            farthest = [farthest[0].max(sign * angle), farthest[1].max(sign * way)];
        }
        for value in farthest {
            assert!((0.699..0.7005).contains(&value), "{farthest:?}");
        }
    }
}

#[test]
fn limits_hold() {
    // A hinge with a heavy arm, a slider on a slope, a rope.
    let mut world = heavy2();
    let ground = world.add(Body::fixed()).unwrap();
    let arm = world.add(Body::dynamic().at([1.0, 0.0]).shape(Cuboid::new([1.0, 0.1]).unwrap())).unwrap();
    let hinge = Joint::revolute(ground, arm).at([0.0, 0.0]).limits(-0.5, 0.25);
    let hinge = world.add_joint(hinge).unwrap();
    let sled = world.add(Body::dynamic().at([10.0, 0.0]).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    let slider = Joint::prismatic(ground, sled).at([10.0, 0.0]).axis([1.0, 1.0]).limits(-2.0, 1.0);
    let slider = world.add_joint(slider).unwrap();
    let weight = world.add(Body::dynamic().at([-10.0, 0.0]).shape(ball(0.3))).unwrap();
    let rope = world.add_joint(Joint::rope(ground, weight, 3.0).anchors([-10.0, 0.0], [0.0, 0.0])).unwrap();
    for _ in 0..300 {
        world.step(DT).unwrap();
        let angle = world.joint(hinge).unwrap().angles()[2];
        assert!((-0.51..0.26).contains(&angle), "{angle}");
        let offset = world.joint(slider).unwrap().offset();
        assert!((-2.01..1.01).contains(&offset.x) && offset.y.abs() < 0.005, "{offset:?}");
        let length = world.joint(rope).unwrap().separation();
        assert!(length < 3.01, "{length}");
    }
    assert!((world.joint(hinge).unwrap().angles()[2] + 0.5).abs() < 2e-3);
    assert!((world.joint(slider).unwrap().offset().x + 2.0).abs() < 2e-3);
    assert!((world.joint(rope).unwrap().separation() - 3.0).abs() < 2e-3);
    // The rope bears the weight: π·0.3²·10.
    let force = world.joint(rope).unwrap().force();
    assert!((force.y - 2.827).abs() < 0.01 && force.x.abs() < 0.01, "{force:?}");
    // The arm: half of its weight at the end would turn it, so the hinge bears all of it and a torque.
    let (force, torque) = (world.joint(hinge).unwrap().force(), world.joint(hinge).unwrap().torque());
    let moment = 0.4 * 10.0 * 0.5_f32.cos();
    assert!((force.y - 4.0).abs() < 0.01 && (torque - moment).abs() < 0.02 * moment, "{force:?} {torque}");
}

#[test]
fn a_spring_swings_as_the_formula_says() {
    // x(t) = e^(−ζωt)·(cos ω't + ζω/ω'·sin ω't), ω' = ω√(1 − ζ²), from 1 m. The implicit spring damps a little
    // more: hω/2.
    for (frequency, damping) in [(1.0_f64, 0.0_f64), (1.0, 0.2), (2.0, 0.5), (0.5, 1.0)] {
        let mut world = void2();
        let ground = world.add(Body::fixed()).unwrap();
        let weight = world.add(Body::dynamic().at([3.0, 0.0]).shape(ball(0.3))).unwrap();
        let spring = Joint::elastic(ground, weight, 2.0, frequency as f32, damping as f32);
        world.add_joint(spring).unwrap();
        let omega = 2.0 * PI * frequency;
        for step in 1..=60_i32 {
            world.step(DT).unwrap();
            let t = f64::from(step) / 60.0;
            let ratio = damping + 0.5 * omega / 240.0;
            let turned = omega * (1.0 - ratio * ratio).max(1e-12).sqrt();
            let envelope = (-ratio * omega * t).exp();
            let want = envelope * ((turned * t).cos() + ratio * omega / turned * (turned * t).sin());
            let got = f64::from(world.get(weight).unwrap().pose().translation.x) - 2.0;
            assert!((got - want).abs() < 0.03, "{frequency} {damping} {t}: {got} {want}");
        }
    }
}

#[test]
fn a_weld_is_one_rigid_body() {
    // Two halves welded against one whole, thrown and spinning.
    let thrown = || Body::dynamic().velocity([2.0, 3.0]);
    let mut one = heavy2();
    let whole = one.add(thrown().angular_velocity(2.0).shape(Cuboid::new([1.0, 0.5]).unwrap())).unwrap();
    let mut two = heavy2();
    let half = |x: f32| {
        let body = Body::dynamic().at([x, 0.0]).velocity([2.0, 3.0 + 2.0 * x]).angular_velocity(2.0);
        body.shape(Cuboid::new([0.5, 0.5]).unwrap())
    };
    let halves = [two.add(half(-0.5)).unwrap(), two.add(half(0.5)).unwrap()];
    two.add_joint(Joint::fixed(halves[0], halves[1]).at([0.0, 0.0])).unwrap();
    run(&mut one, 120);
    run(&mut two, 120);
    let middle = halves.map(|half| two.get(half).unwrap().pose());
    let want = one.get(whole).unwrap();
    let center = (middle[0].translation + middle[1].translation) * 0.5;
    let off = center - want.pose().translation;
    assert!(off.x.abs() + off.y.abs() < 1e-3, "{off:?}");
    let turned = want.pose().rotation.inverse() * middle[0].rotation;
    assert!(turned.angle().abs() < 0.01, "{}", turned.angle());
    let bent = middle[0].rotation.inverse() * middle[1].rotation;
    assert!(bent.angle().abs() < 2e-3, "{}", bent.angle());
    assert!((two.get(halves[0]).unwrap().angular_velocity() - 2.0).abs() < 0.01);
}

#[test]
fn a_gear_keeps_its_ratio() {
    let mut world = void2();
    let ground = world.add(Body::fixed()).unwrap();
    let small = world.add(Body::dynamic().shape(ball(0.5))).unwrap();
    let large = world.add(Body::dynamic().at([1.5, 0.0]).shape(ball(1.0))).unwrap();
    world.add_joint(Joint::revolute(ground, small).at([0.0, 0.0]).motor(4.0, 100.0)).unwrap();
    world.add_joint(Joint::revolute(ground, large).at([1.5, 0.0])).unwrap();
    // θ_small + 2·θ_large = 0.
    world.add_joint(Joint::gear(small, large, 2.0)).unwrap();
    run(&mut world, 600);
    let (fast, slow) =
        (world.get(small).unwrap().angular_velocity(), world.get(large).unwrap().angular_velocity());
    assert!((fast - 4.0).abs() < 0.01 && (slow + 2.0).abs() < 0.01, "{fast} {slow}");
    // After ten seconds and six turns the teeth have not slipped.
    let angle = |body| f64::from(world.get(body).unwrap().pose().rotation.angle());
    let off = (angle(small) + 2.0 * angle(large)).rem_euclid(2.0 * PI);
    assert!(off.min(2.0 * PI - off) < 0.01, "{off}");
}

#[test]
fn a_pulley_keeps_its_rope() {
    // Atwood's machine: a = g·(m₁ − m₂)/(m₁ + m₂), rope tension 2·m₁·m₂·g/(m₁ + m₂).
    let mut world = heavy2();
    let body = |x: f32, mass: f32| Body::dynamic().at([x, 0.0]).shape(ball(0.3)).mass(mass);
    let heavy = world.add(body(-1.0, 3.0)).unwrap();
    let light = world.add(body(1.0, 1.0)).unwrap();
    let hooks = [Vec2::new(-1.0, 10.0), Vec2::new(1.0, 10.0)];
    let rope = world.add_joint(Joint::pulley(heavy, light, hooks, 1.0)).unwrap();
    run(&mut world, 60);
    let (down, up) = (world.get(heavy).unwrap(), world.get(light).unwrap());
    assert!((down.velocity().y + 5.0).abs() < 0.02 && (up.velocity().y - 5.0).abs() < 0.02);
    let length = 20.0 - down.pose().translation.y - up.pose().translation.y;
    assert!((length - 20.0).abs() < 5e-3, "{length}");
    let tension = world.joint(rope).unwrap().force().y;
    assert!((tension - 15.0).abs() < 0.1, "{tension}");
}

#[test]
fn a_joint_breaks_when_it_must_bear_too_much() {
    let mut world = heavy2();
    let ground = world.add(Body::fixed()).unwrap();
    let weight = world.add(Body::dynamic().at([0.0, -1.0]).shape(ball(0.2)).mass(1.0)).unwrap();
    let joint = Joint::revolute(ground, weight).at([0.0, 0.0]).breaks_at(20.0, f32::INFINITY);
    let joint = world.add_joint(joint).unwrap();
    run(&mut world, 60);
    assert!((world.joint(joint).unwrap().force().y - 10.0).abs() < 0.1);
    // 9 N more are borne, 11 N are too much.
    for (force, holds) in [(9.0, true), (11.0, false)] {
        for _ in 0..30 {
            if world.joint(joint).is_ok() {
                world.get_mut(weight).unwrap().apply_force([0.0, -force]).unwrap();
            }
            world.step(DT).unwrap();
            if let Some(broken) = world.events().broken.first() {
                assert_eq!(broken.joint, joint);
                assert!((broken.force - 21.0).abs() < 1.0, "{broken:?}");
            }
        }
        assert_eq!(world.joint(joint).is_ok(), holds);
    }
    run(&mut world, 60);
    assert!(world.get(weight).unwrap().pose().translation.y < -3.0);
}

#[test]
fn a_hinge_in_space_turns_about_its_axis_only() {
    let mut world = heavy3();
    let ground = world.add(d3::Body::fixed()).unwrap();
    let body = d3::Body::dynamic().at([1.0, 0.0, 0.0]).shape(g3::Cuboid::new([1.0, 0.1, 0.3]).unwrap());
    let door = world.add(body).unwrap();
    // A door on a slanted axis, hit from the side.
    let axis = [0.3, 1.0, 0.2];
    let hinge = d3::Joint::revolute(ground, door).at([0.0, 0.0, 0.0]).axis(axis).limits(-2.0, 2.0);
    let hinge = world.add_joint(hinge).unwrap();
    world.get_mut(door).unwrap().apply_impulse([0.0, 0.1, 3.0]).unwrap();
    for _ in 0..300 {
        world.step(DT).unwrap();
        let joint = world.joint(hinge).unwrap();
        let [x, y, z] = joint.angles();
        // The most when it hits its stop, which its inertia answers about the other axes too.
        assert!(x.abs() < 0.03 && y.abs() < 0.03 && z.abs() < 2.02, "{x} {y} {z}");
        assert!(joint.separation() < 0.015, "{}", joint.separation());
    }
}

#[test]
fn a_ball_joint_stays_in_its_cone() {
    let mut world = heavy3();
    let ground = world.add(d3::Body::fixed()).unwrap();
    let body = d3::Body::dynamic().at([0.0, 0.0, 1.0]).shape(g3::Cuboid::new([0.1, 0.2, 1.0]).unwrap());
    let rod = world.add(body.damping(0.2, 1.0)).unwrap();
    let joint = d3::Joint::ball(ground, rod).at([0.0, 0.0, 0.0]).cone(0.5).limits(-0.3, 0.4);
    let joint = world.add_joint(joint).unwrap();
    world.get_mut(rod).unwrap().set_angular_velocity([1.0, 3.0, 8.0]).unwrap();
    for _ in 0..900 {
        world.step(DT).unwrap();
        let joint = world.joint(joint).unwrap();
        let [x, y, twist] = joint.angles();
        assert!((x * x + y * y).sqrt() < 0.52, "{x} {y}");
        assert!((-0.33..0.43).contains(&twist), "{twist}");
    }
    // It lies on the rim of the cone, downwards: the axis has turned about +x.
    let [x, y, _] = world.joint(joint).unwrap().angles();
    assert!((x - 0.5).abs() < 0.02 && y.abs() < 0.2, "{x} {y}");
}

#[test]
fn a_wheel_springs_and_spins() {
    // Sag of the spring: g/ω² for the mass of the wheel alone, as the chassis is fixed.
    let mut world = heavy2();
    let ground = world.add(Body::fixed()).unwrap();
    let wheel = world.add(Body::dynamic().shape(ball(0.5))).unwrap();
    let joint = Joint::wheel(ground, wheel).at([0.0, 0.0]).axis([0.0, 1.0]);
    let joint = world.add_joint(joint.spring(0.0, 2.0, 0.7).motor(5.0, 1000.0)).unwrap();
    run(&mut world, 600);
    let want = -10.0 / (4.0 * PI).powi(2);
    let offset = world.joint(joint).unwrap().offset();
    assert!((f64::from(offset.x) - want).abs() < 1e-3 && offset.y.abs() < 1e-3, "{offset:?} {want}");
    assert!((world.get(wheel).unwrap().angular_velocity() - 5.0).abs() < 1e-3);
}

#[test]
fn a_motor_joint_draws_to_its_target() {
    let mut world = void2();
    let ground = world.add(Body::fixed()).unwrap();
    let body = world.add(Body::dynamic().at([3.0, 1.0]).shape(ball(0.5))).unwrap();
    let joint = world.add_joint(Joint::motor_to(ground, body, 1000.0, 1000.0)).unwrap();
    run(&mut world, 120);
    let at = world.get(body).unwrap().pose().translation;
    assert!(at.x.abs() + at.y.abs() < 1e-2, "{at:?}");
    let target =
        carom_math::Pose2 { translation: Vec2::new(1.0, 2.0), rotation: carom_math::Rot2::from_angle(1.0) };
    world.joint_mut(joint).unwrap().change(|joint| joint.frames(target, [0.0, 0.0])).unwrap();
    run(&mut world, 120);
    let pose = world.get(body).unwrap().pose();
    assert!((pose.translation.x - 1.0).abs() < 1e-2 && (pose.translation.y - 2.0).abs() < 1e-2, "{pose:?}");
    assert!((pose.rotation.angle() - 1.0).abs() < 1e-2);
}

#[test]
fn a_generic_joint_has_axes_of_all_kinds() {
    // x free, y sprung, z locked; turns about y only, with friction.
    let mut world = heavy3();
    let ground = world.add(d3::Body::fixed()).unwrap();
    let body = d3::Body::dynamic().velocity([1.0, 0.0, 0.5]).angular_velocity([1.0, 2.0, 3.0]);
    let body = world.add(body.shape(g3::Ball::new(0.5).unwrap())).unwrap();
    let joint = d3::Joint::generic(ground, body)
        .linear(1, JointAxis::FREE.spring(0.0, 3.0, 1.0))
        .linear(2, JointAxis::LOCKED)
        .angular(0, JointAxis::LOCKED)
        .angular(1, JointAxis::FREE.motor(0.0, 0.01))
        .angular(2, JointAxis::LOCKED);
    let joint = world.add_joint(joint).unwrap();
    run3(&mut world, 240);
    let joint = world.joint(joint).unwrap();
    let (offset, [x, _, z]) = (joint.offset(), joint.angles());
    assert!((offset.x - 4.0).abs() < 0.01 && offset.z.abs() < 5e-3, "{offset:?}");
    assert!((f64::from(offset.y) + 10.0 / (6.0 * PI).powi(2)).abs() < 2e-3, "{offset:?}");
    assert!(x.abs() < 5e-3 && z.abs() < 5e-3, "{x} {z}");
    // Friction has taken 0.01 N·m·4 s from 2 rad/s·I.
    let inertia = 0.4 * 0.25 * PI / 6.0;
    let want = 2.0 - 0.04 / inertia;
    let spin = f64::from(world.get(body).unwrap().angular_velocity().y);
    assert!((spin - want).abs() < 0.02, "{spin} {want}");
}

#[test]
fn joined_bodies_do_not_collide_unless_told() {
    let overlapping = |world: &mut World| {
        let a = world.add(Body::dynamic().shape(ball(1.0))).unwrap();
        let b = world.add(Body::dynamic().at([1.0, 0.0]).shape(ball(1.0))).unwrap();
        (a, b)
    };
    let mut world = void2();
    let (a, b) = overlapping(&mut world);
    world.step(DT).unwrap();
    assert_eq!(world.statistics().contacts, 1);
    let filter = world.add_joint(Joint::filter(a, b)).unwrap();
    run(&mut world, 5);
    assert_eq!(world.statistics().contacts, 0);
    world.joint_mut(filter).unwrap().change(|joint| joint.collide_connected(true)).unwrap();
    run(&mut world, 2);
    assert_eq!(world.statistics().contacts, 1);
    world.joint_mut(filter).unwrap().change(|joint| joint.collide_connected(false)).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.statistics().contacts, 0);
    world.remove_joint(filter).unwrap();
    run(&mut world, 2);
    assert_eq!(world.statistics().contacts, 1);
}

#[test]
fn joined_bodies_sleep_and_wake_together() {
    let mut world = World::new();
    let ground = world.add(Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([50.0, 1.0]).unwrap())).unwrap();
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let a = world.add(Body::dynamic().at([0.0, 0.5]).shape(square)).unwrap();
    let b = world.add(Body::dynamic().at([3.0, 0.5]).shape(square)).unwrap();
    let c = world.add(Body::dynamic().at([9.0, 0.5]).shape(square)).unwrap();
    let rod = world.add_joint(Joint::distance(a, b)).unwrap();
    world.add_joint(Joint::filter(b, c)).unwrap();
    run(&mut world, 120);
    assert_eq!(world.statistics().awake, 0);
    world.get_mut(a).unwrap().wake();
    assert!(world.get(b).unwrap().is_awake() && !world.get(c).unwrap().is_awake());
    run(&mut world, 120);
    assert_eq!(world.statistics().awake, 0);
    // A change wakes, and so does a removal.
    world.joint_mut(rod).unwrap().change(|joint| joint.length(2.5)).unwrap();
    assert!(world.get(a).unwrap().is_awake() && world.get(b).unwrap().is_awake());
    run(&mut world, 180);
    let apart = world.get(b).unwrap().pose().translation.x - world.get(a).unwrap().pose().translation.x;
    assert!((apart - 2.5).abs() < 0.01, "{apart}");
    assert_eq!(world.statistics().awake, 0);
    world.remove(a).unwrap();
    assert!(world.joint(rod).is_err() && world.get(b).unwrap().is_awake());
    // Two that do not move may be joined; nothing comes of it.
    let other = world.add(Body::fixed()).unwrap();
    world.add_joint(Joint::fixed(ground, other)).unwrap();
    run(&mut world, 120);
    assert_eq!(world.statistics().awake, 0);
}

#[test]
fn misuse_is_answered() {
    let mut world = void2();
    let a = world.add(Body::dynamic().shape(ball(1.0))).unwrap();
    let b = world.add(Body::fixed()).unwrap();
    let kind = |world: &mut World, joint: Joint| world.add_joint(joint).unwrap_err().kind();
    assert_eq!(kind(&mut world, Joint::fixed(a, a)), "same_body");
    assert_eq!(kind(&mut world, Joint::fixed(a, b).anchors([f32::NAN, 0.0], [0.0, 0.0])), "not_finite");
    assert_eq!(kind(&mut world, Joint::revolute(a, b).limits(1.0, -1.0)), "out_of_range");
    assert_eq!(kind(&mut world, Joint::revolute(a, b).limits(f32::NAN, 1.0)), "out_of_range");
    assert_eq!(kind(&mut world, Joint::revolute(a, b).motor(f32::INFINITY, 1.0)), "not_finite");
    assert_eq!(kind(&mut world, Joint::revolute(a, b).motor(1.0, -1.0)), "negative");
    assert_eq!(kind(&mut world, Joint::revolute(a, b).spring(0.0, f32::NAN, 0.0)), "not_finite");
    assert_eq!(kind(&mut world, Joint::rope(a, b, f32::NAN)), "out_of_range");
    assert_eq!(world.joint_count(), 0);
    let joint = world.add_joint(Joint::rope(a, b, 0.0)).unwrap();
    assert!(world.joint_mut(joint).unwrap().change(|joint| joint.limits(0.0, f32::NAN)).is_err());
    run(&mut world, 2);
    world.remove_joint(joint).unwrap();
    assert_eq!(world.remove_joint(joint).unwrap_err().kind(), "gone");
    assert!(world.joint_mut(joint).is_err());
    let again = world.add_joint(Joint::fixed(a, b)).unwrap();
    assert!(again != joint && world.joint(joint).is_err());
    world.remove(b).unwrap();
    assert_eq!(kind(&mut world, Joint::fixed(a, b)), "gone");
    // A body far too fast to compute with is frozen, and so is what hangs on it; others go on.
    let c = world.add(Body::dynamic().at([5.0, 0.0]).shape(ball(1.0))).unwrap();
    world.add_joint(Joint::revolute(a, c).at([1e30, 0.0])).unwrap();
    run(&mut world, 10);
    assert!(world.get(a).unwrap().pose().translation.x.is_finite());
}

#[test]
fn a_bridge_and_a_heavy_ball_hold() {
    // 160 planks between two points, and a ball of 672 times the mass of the links of its chain.
    let mut bridge = heavy2();
    let ground = bridge.add(Body::fixed()).unwrap();
    let mut last = ground;
    for k in 0..160_u8 {
        let shape = Collider::new(Cuboid::new([0.5, 0.125]).unwrap()).density(20.0);
        let body = Body::dynamic().at([-79.5 + f32::from(k), 20.0]).damping(0.1, 0.1).shape(shape);
        let plank = bridge.add(body).unwrap();
        bridge.add_joint(Joint::revolute(last, plank).at([-80.0 + f32::from(k), 20.0])).unwrap();
        last = plank;
    }
    bridge.add_joint(Joint::revolute(last, ground).at([80.0, 20.0])).unwrap();
    let mut chain = heavy2();
    let ground = chain.add(Body::fixed()).unwrap();
    let mut last = ground;
    for k in 0..40_u8 {
        let capsule = carom_geometry::d2::Capsule::new([-0.5, 0.0], [0.5, 0.0], 0.125).unwrap();
        let body = Body::dynamic().at([0.5 + f32::from(k), 20.0]).damping(0.1, 0.1);
        let link = chain.add(body.shape(Collider::new(capsule).density(20.0))).unwrap();
        chain.add_joint(Joint::revolute(last, link).at([f32::from(k), 20.0])).unwrap();
        last = link;
    }
    let body = Body::dynamic().at([48.0, 20.0]).damping(0.1, 0.1);
    let heavy = chain.add(body.shape(Collider::new(ball(8.0)).density(20.0))).unwrap();
    chain.add_joint(Joint::revolute(last, heavy).at([40.0, 20.0])).unwrap();
    let (mut worst_bridge, mut worst_chain) = (0.0_f32, 0.0_f32);
    for _ in 0..600 {
        bridge.step(DT).unwrap();
        chain.step(DT).unwrap();
        worst_bridge = worst_bridge.max(largest_separation(&bridge));
        worst_chain = worst_chain.max(largest_separation(&chain));
    }
    assert!(worst_bridge < 0.6 && worst_chain < 0.6, "{worst_bridge} {worst_chain}");
}
