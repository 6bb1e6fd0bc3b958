//! Nets of all kinds of joints: the same bits in any number of lanes and threads, in and out of lanes, before and after a snapshot.

use crate::joints::{ball, run, run3};
use carom_dynamics::d2::{Body, Collider, Joint, Snapshot, World};
use carom_dynamics::{BodyHandle, Filter, Settings, Width, d3};
use carom_geometry::d2::Cuboid;
use carom_geometry::d3 as g3;

/// A net of hinges, sliders, springs, limits, ropes and contacts: whatever there is.
fn net2() -> World {
    let mut world = World::new();
    world.add(Body::fixed().at([0.0, -1.4]).shape(Cuboid::new([50.0, 1.0]).unwrap())).unwrap();
    let mut bodies: Vec<BodyHandle> = Vec::new();
    for k in 0..64_u8 {
        let (x, y) = (f32::from(k % 8), f32::from(k / 8));
        let body = if k == 60 { Body::fixed() } else { Body::dynamic() };
        let shape = Collider::new(ball(0.3)).filter(Filter::default());
        let handle = world.add(body.at([x, y]).shape(shape)).unwrap();
        if k % 8 != 0 {
            let joint = Joint::revolute(bodies[bodies.len() - 1], handle).anchors([0.5, 0.0], [-0.5, 0.0]);
            let joint = match k % 5 {
                0 => joint.limits(-0.2, 0.3),
                1 => joint.motor(1.0, 2.0).spring(0.1, 3.0, 0.5),
                _ => joint,
            };
            world.add_joint(joint).unwrap();
        }
        if 8 <= k {
            let above = bodies[bodies.len() - 8];
            let joint = match k % 4 {
                0 => Joint::prismatic(above, handle).axis([0.0, 1.0]).limits(0.5, 1.5),
                1 => Joint::rope(above, handle, 1.1),
                2 => Joint::fixed(above, handle).at([x, y - 0.5]),
                _ => Joint::elastic(above, handle, 1.0, 5.0, 0.3),
            };
            world.add_joint(joint).unwrap();
        }
        bodies.push(handle);
    }
    world
}

/// The same in space.
fn net3() -> d3::World {
    let mut world = d3::World::new();
    let ground = g3::Cuboid::new([50.0, 1.0, 50.0]).unwrap();
    world.add(d3::Body::fixed().at([0.0, -1.4, 0.0]).shape(ground)).unwrap();
    let mut bodies: Vec<BodyHandle> = Vec::new();
    for k in 0..48_u8 {
        let (x, y) = (f32::from(k % 8), f32::from(k / 8));
        let body = if k == 44 { d3::Body::fixed() } else { d3::Body::dynamic() };
        let shape = g3::Capsule::new([-0.1, 0.0, 0.0], [0.1, 0.0, 0.0], 0.3).unwrap();
        let handle = world.add(body.at([x, y, 0.1 * y]).shape(shape)).unwrap();
        if k % 8 != 0 {
            let a = bodies[bodies.len() - 1];
            let joint = match k % 3 {
                0 => d3::Joint::ball(a, handle)
                    .cone(0.5)
                    .limits(-0.3, 0.3)
                    .spring(0.0, 2.0, 0.5)
                    .motor(0.0, 1.0),
                1 => d3::Joint::ball(a, handle),
                _ => d3::Joint::revolute(a, handle).axis([0.0, 1.0, 0.0]).limits(-0.5, 0.5),
            };
            world.add_joint(joint.anchors([0.5, 0.0, 0.0], [-0.5, 0.0, 0.0])).unwrap();
        }
        if 8 <= k && k % 4 != 0 {
            let above = bodies[bodies.len() - 8];
            let joint = match k % 4 {
                1 => d3::Joint::rope(above, handle, 1.1),
                2 => d3::Joint::prismatic(above, handle)
                    .at([x, y, 0.0])
                    .axis([0.0, 1.0, 0.0])
                    .limits(-0.5, 0.2),
                _ => d3::Joint::elastic(above, handle, 1.0, 5.0, 0.3),
            };
            world.add_joint(joint).unwrap();
        }
        bodies.push(handle);
    }
    world
}

#[test]
fn every_width_and_any_number_of_threads_give_the_same_bits() {
    let widths = [Width::Scalar, Width::Four, Width::Eight, Width::Sixteen];
    let settings = |width, threads| {
        let (mut flat, mut solid) = (net2(), net3());
        flat.set_width(width);
        flat.set_threads(threads);
        solid.set_width(width);
        solid.set_threads(threads);
        run(&mut flat, 90);
        run3(&mut solid, 90);
        assert!(flat.statistics().contacts > 5 && solid.statistics().contacts > 5);
        (flat.hash(), solid.hash())
    };
    let want = settings(Width::Scalar, 1);
    for (width, threads) in widths.into_iter().map(|width| (width, 1)).chain([(Width::Scalar, 3)]) {
        assert_eq!(settings(width, threads), want, "{width:?} {threads}");
    }
}

/// Joints keep their impulses in lanes. Whatever takes them out and puts them back, another width, a step of another length, a
/// change of some of them, bytes, changes no bit.
#[test]
fn lanes_are_left_and_entered_without_a_trace() {
    let widths = [Width::Scalar, Width::Four, Width::Eight];
    let never_sleeps = |mut world: World| {
        world.set_settings(Settings { sleep: false, ..Settings::default() }).unwrap();
        world
    };
    let (mut plain, mut moved) = (never_sleeps(net2()), never_sleeps(net2()));
    for step in 0..60_usize {
        let dt = if step % 20 == 19 { 1.0 / 100.0 } else { 1.0 / 60.0 };
        plain.step(dt).unwrap();
        match step % 4 {
            0 => moved.set_width(widths[step / 4 % 3]),
            1 => {
                let some: Vec<_> =
                    moved.joints().map(|joint| joint.handle()).skip(step % 7).step_by(5).collect();
                some.into_iter()
                    .for_each(|joint| moved.joint_mut(joint).unwrap().change(|joint| joint).unwrap());
            }
            2 => moved.restore(&Snapshot::from_bytes(&moved.snapshot().to_bytes()).unwrap()),
            _ => {}
        }
        moved.step(dt).unwrap();
        assert_eq!(plain.hash(), moved.hash(), "step {step}");
        for (joint, other) in plain.joints().zip(moved.joints()) {
            assert_eq!((joint.force(), joint.torque()), (other.force(), other.torque()), "step {step}");
        }
    }
    // What is changed counts from the next step on.
    let hinge = plain.joints().nth(2).unwrap().handle();
    let before = plain.joint(hinge).unwrap().force();
    plain.joint_mut(hinge).unwrap().change(|joint| joint.softness(1.0, 1.0)).unwrap();
    assert_eq!(plain.joint(hinge).unwrap().force(), before);
    plain.step(1.0 / 60.0).unwrap();
    moved.step(1.0 / 60.0).unwrap();
    assert_ne!(plain.hash(), moved.hash());
}

#[test]
fn a_snapshot_has_the_joints() {
    let mut world = net2();
    run(&mut world, 30);
    let (middle, at_middle) = (world.snapshot(), world.hash());
    run(&mut world, 30);
    let end = world.hash();
    let first = world.joints().nth(7).unwrap().handle();
    world.remove_joint(first).unwrap();
    let body = world.bodies().nth(20).unwrap().handle();
    world.remove(body).unwrap();
    run(&mut world, 20);
    world.restore(&middle);
    assert_eq!(world.hash(), at_middle);
    assert!(world.joint(first).is_ok());
    run(&mut world, 30);
    assert_eq!(world.hash(), end);
}
