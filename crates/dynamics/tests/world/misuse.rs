//! Misuse is answered, and what stops being finite is put aside.

use crate::scenes::{DT, ground2};
use carom_dynamics::d2::{Body, Collider, Joint, World};
use carom_dynamics::{Settings, d3};
use carom_geometry::d2::{Ball, Cuboid, HalfSpace, Segment};
use carom_math::Vec2;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    assert_eq!(kind(&mut world, Body::fixed().shape(Collider::new(ball()).restitution(1.5))), "above_one");
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
    let moved = world.get(body).unwrap();
    assert!((moved.center_of_mass().x - moved.pose().translation.x - 0.5).abs() < 1e-6);
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
    assert_eq!(world.statistics().quarantined, 1);
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

#[test]
fn a_given_mass_outlives_changes_of_the_shapes() {
    let square = || Cuboid::new([0.5, 0.5]).unwrap();
    let mut world = World::new();
    let body = world.add(Body::dynamic().mass(5.0).shape(square())).unwrap();
    let lone = world.get(body).unwrap().inertia();
    let extra = world.add_collider(body, Collider::new(square()).at([1.0, 0.0])).unwrap();
    // Two squares side by side: half of the mass each, and Steiner's term for half a side.
    assert_eq!(world.get(body).unwrap().mass(), 5.0);
    assert_eq!(world.get(body).unwrap().inertia(), lone + 5.0 * 0.25);
    assert_eq!(world.get(body).unwrap().center_of_mass(), Vec2::new(0.5, 0.0));
    // So does it in bytes.
    let bytes = world.snapshot().to_bytes();
    world.restore(&carom_dynamics::d2::Snapshot::from_bytes(&bytes).unwrap());
    world.remove_collider(extra).unwrap();
    assert_eq!((world.get(body).unwrap().mass(), world.get(body).unwrap().inertia()), (5.0, lone));
    // A point mass stays one with shapes that weigh nothing.
    let point = world.add(Body::dynamic().mass(2.0)).unwrap();
    world.add_collider(point, Collider::new(ball()).density(0.0)).unwrap();
    world.add_collider(point, Collider::new(ball()).sensor()).unwrap();
    assert_eq!(world.get(point).unwrap().mass(), 2.0);
}

#[test]
fn a_shape_that_is_refused_is_not_added() {
    let mut world = World::new();
    let body = world.add(Body::dynamic().shape(ball())).unwrap();
    let before = (world.get(body).unwrap().mass(), world.hash(), world.snapshot().to_bytes());
    let heavy = Collider::new(Cuboid::new([1e15, 1e15]).unwrap()).density(1e15);
    assert!(world.add_collider(body, heavy).is_err());
    assert_eq!(world.get(body).unwrap().colliders().count(), 1);
    assert_eq!((world.get(body).unwrap().mass(), world.hash(), world.snapshot().to_bytes()), before);
}

#[test]
fn what_is_left_of_a_body_is_still_stopped_at_walls() {
    // The shape with the mass goes, one without it stays: how far it reaches and how thin it is stays known.
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::new(0.0, 0.0), ..*world.settings() }).unwrap();
    let light = Collider::new(Cuboid::new([0.1, 0.1]).unwrap()).density(0.0);
    let bullet = Body::dynamic().at([0.0, 5.0]).velocity([0.0, -300.0]).angular_velocity(5.0);
    let bullet = world.add(bullet.shape(light).shape(Cuboid::new([0.1, 0.1]).unwrap())).unwrap();
    let heavy = world.get(bullet).unwrap().colliders().next().unwrap();
    assert!(world.collider(heavy).unwrap().density() > 0.0);
    world.remove_collider(heavy).unwrap();
    world.add(Body::fixed().shape(Cuboid::new([5.0, 0.01]).unwrap())).unwrap();
    for _ in 0..30 {
        world.step(DT).unwrap();
    }
    assert!(world.get(bullet).unwrap().pose().translation.y > 0.0);
}

#[test]
fn half_a_push_is_none() {
    let mut world = ground2(0.6);
    let body = world.add(Body::dynamic().at([0.0, 2.0]).shape(ball())).unwrap();
    let before = world.snapshot().to_bytes();
    let far = [0.0, 1e30];
    assert_eq!(
        world.get_mut(body).unwrap().apply_force_at([1e30, 0.0], far).unwrap_err().kind(),
        "not_finite"
    );
    assert_eq!(
        world.get_mut(body).unwrap().apply_impulse_at([1e30, 0.0], far).unwrap_err().kind(),
        "not_finite"
    );
    assert_eq!(world.snapshot().to_bytes(), before);
}

#[test]
fn what_happens_between_steps_is_told_once() {
    let mut world = ground2(0.6);
    let body = Body::dynamic().at([0.0, 0.5]).shape(Cuboid::new([0.5, 0.5]).unwrap());
    let visitor = world.add(body).unwrap();
    let zone = Collider::new(Cuboid::new([2.0, 2.0]).unwrap()).sensor();
    world.add(Body::fixed().shape(zone)).unwrap();
    let shape = world.get(visitor).unwrap().colliders().next().unwrap();
    let (mut balance, mut visits, mut woken) = ([0, 0], [0, 0], 0);
    for step in 0..120 {
        world.step(DT).unwrap();
        let events = world.events();
        let has = |list: &[carom_dynamics::Touch]| {
            list.iter().filter(|touch| touch.a == shape || touch.b == shape).count()
        };
        balance[0] += has(&events.begun);
        balance[1] += has(&events.ended);
        visits[0] += has(&events.entered);
        visits[1] += has(&events.left);
        woken += events.woken.len();
        match step {
            // It sleeps by now.
            80 => world.get_mut(visitor).unwrap().wake(),
            100 => world.remove(visitor).unwrap(),
            _ => {}
        }
    }
    assert_eq!((balance, visits, woken), ([1, 1], [1, 1], 1));
}

#[test]
fn going_back_keeps_the_hooks() {
    let mut world = ground2(0.6);
    let body = world.add(Body::dynamic().at([0.0, 0.6]).shape(ball())).unwrap();
    let bytes = world.snapshot().to_bytes();
    world.filter_pairs(|_, _| false);
    world.restore(&carom_dynamics::d2::Snapshot::from_bytes(&bytes).unwrap());
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(body).unwrap().pose().translation.y < -1.0);
}

#[test]
fn joints_with_senseless_axes_are_refused() {
    use d3::{Body, Joint, World};
    let mut world = World::new();
    let [a, b] = [0.0, 2.0].map(|x| {
        let ball = carom_geometry::d3::Ball::new(0.5).unwrap();
        world.add(Body::dynamic().at([x, 0.0, 0.0]).shape(ball)).unwrap()
    });
    let mut kind = |joint: Joint| world.add_joint(joint).unwrap_err().kind();
    let good = [0.0, 1.0, 0.0];
    assert_eq!(kind(Joint::revolute(a, b).axis([0.0; 3])), "zero_direction");
    assert_eq!(kind(Joint::prismatic(a, b).axis([f32::NAN, 0.0, 1.0])), "not_finite");
    assert_eq!(kind(Joint::wheel(a, b).axes(good, [0.0; 3])), "zero_direction");
    assert_eq!(kind(Joint::wheel(a, b).axes([f32::INFINITY; 3], good)), "not_finite");
    let locked = carom_dynamics::JointAxis::LOCKED;
    assert_eq!(kind(Joint::generic(a, b).linear(3, locked)), "out_of_range");
    assert_eq!(kind(Joint::generic(a, b).angular(9, locked)), "out_of_range");
    assert_eq!(kind(Joint::rope(a, b, -1.0)), "negative");
    assert_eq!(world.joint_count(), 0);
}

#[test]
fn an_impulse_that_is_too_large_is_refused() {
    let mut world = World::new();
    let pebble = Body::dynamic().shape(Ball::new(0.01).unwrap()).velocity([1.0, 2.0]).angular_velocity(3.0);
    let pebble = world.add(pebble).unwrap();
    let before = world.hash();
    let mut change = world.get_mut(pebble).unwrap();
    assert_eq!(change.apply_impulse([f32::MAX, 0.0]).unwrap_err().kind(), "not_finite");
    assert_eq!(change.apply_angular_impulse(f32::MAX).unwrap_err().kind(), "not_finite");
    // The velocity would be finite, the spin would not; and the other way round.
    assert_eq!(change.apply_impulse_at([1e30, 0.0], [0.0, 1e8]).unwrap_err().kind(), "not_finite");
    assert_eq!(change.apply_impulse_at([f32::MAX, 0.0], [0.0, 0.0]).unwrap_err().kind(), "not_finite");
    assert_eq!(world.hash(), before);
}

#[test]
fn what_is_too_fast_for_its_square_keeps_its_direction() {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::new(0.0, 0.0), ..*world.settings() }).unwrap();
    let [fast, huge] = [1e5, 1e30].map(|speed| {
        let body = Body::dynamic().velocity([3.0 * speed, -4.0 * speed]).angular_velocity(speed);
        world
            .add(body.shape(
                Collider::new(ball()).filter(carom_dynamics::Filter { mask: 0, ..Default::default() }),
            ))
            .unwrap()
    });
    world.step(DT).unwrap();
    for body in [fast, huge].map(|body| world.get(body).unwrap()) {
        let v = body.velocity();
        // 400 m/s at most, along (3, −4)/5, and an eighth of a turn in a step.
        assert!((v.x - 240.0).abs() < 0.01 && (v.y + 320.0).abs() < 0.01, "{v:?}");
        assert!((body.angular_velocity() - 15.0 * core::f32::consts::PI).abs() < 0.01);
    }
}

#[test]
fn another_gravity_wakes_who_sleeps() {
    let mut world = ground2(0.6);
    let body = world.add(Body::dynamic().at([0.0, 0.5]).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    (0..120).for_each(|_| world.step(DT).unwrap());
    assert!(!world.get(body).unwrap().is_awake());
    // The same once more wakes nobody.
    world.set_settings(*world.settings()).unwrap();
    assert!(!world.get(body).unwrap().is_awake());
    world.set_settings(Settings { gravity: Vec2::new(0.0, 10.0), ..*world.settings() }).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(body).unwrap().pose().translation.y > 4.0);
}

#[test]
fn a_question_that_one_shape_cannot_answer_is_an_error() {
    use carom_geometry::d2::{Ray, Shape};
    let mut world = World::new();
    world.add(Body::fixed().shape(HalfSpace::new([0.0, 1.0], 0.0).unwrap())).unwrap();
    let everything = Default::default();
    // It hits, at a time that f32 does not have.
    let ray = Ray::new([0.0, 1e30], [0.0, -1e-30]).unwrap();
    assert_eq!(world.cast_ray(&ray, f32::INFINITY, everything).unwrap_err().kind(), "overflow");
    assert_eq!(world.cast_ray(&ray, 1e30, everything).unwrap(), None);
    let endless = Shape::from(HalfSpace::new([1.0, 0.0], 0.0).unwrap());
    assert!(world.cast_shape(&endless, [0.0, 0.0], [1.0, 0.0], everything).is_err());
    // Farther than any number is farther than one.
    assert_eq!(world.nearest([0.0, 1.0], 10.0, everything).unwrap().unwrap().distance, 1.0);
}

#[test]
fn hinges_have_no_bounds_where_no_angle_is() {
    use core::f32::consts::PI;
    let mut world = World::new();
    let [a, b] = [0.0, 1.0].map(|x| {
        let body = Body::dynamic().at([x, 0.0]).shape(Cuboid::new([0.5, 0.5]).unwrap());
        world.add(body).unwrap()
    });
    for (lower, upper) in [(3.5, 4.0), (-7.0, -3.25), (PI.next_up(), f32::INFINITY)] {
        let refused = world.add_joint(Joint::revolute(a, b).limits(lower, upper)).unwrap_err();
        assert_eq!(refused.kind(), "out_of_range", "{lower} to {upper}");
    }
    for (lower, upper) in [(-100.0, 100.0), (PI, 4.0), (-4.0, -PI), (f32::NEG_INFINITY, f32::INFINITY)] {
        world.add_joint(Joint::revolute(a, b).limits(lower, upper)).unwrap();
    }
}

#[test]
fn weights_that_numbers_do_not_reach_are_refused() {
    use carom_geometry::d3 as g3;
    let kind = |body: d3::Body| d3::World::new().add(body).map(|_| "").unwrap_or_else(|error| error.kind());
    let ball = |radius: f32, density: f32| {
        d3::Body::dynamic().shape(d3::Collider::new(g3::Ball::new(radius).unwrap()).density(density))
    };
    let brick = || g3::Cuboid::new([1.0, 0.5, 0.25]).unwrap();
    // 0.4·m·r² is below the smallest number with a finite inverse, though m is not.
    assert_eq!(kind(ball(1e-8, 1.0)), "weight");
    assert_eq!(kind(ball(1e-3, 1e-25)), "weight");
    // It is zero.
    assert_eq!(kind(ball(1e-12, 1.0)), "weight");
    assert_eq!(kind(d3::Body::dynamic().mass(1e-30).shape(g3::Ball::new(1e-9).unwrap())), "weight");
    // m·(a² + b²)/3 is above the largest number.
    assert_eq!(
        kind(d3::Body::dynamic().mass(3e38).shape(g3::Cuboid::new([2.0, 1.0, 0.5]).unwrap())),
        "weight"
    );
    assert_eq!(kind(d3::Body::dynamic().mass(1e-40).shape(brick())), "weight");
    assert_eq!(kind(d3::Body::dynamic().mass(1e-40)), "weight");
    let flat = Collider::new(Ball::new(1e-6).unwrap()).density(1e-20);
    assert_eq!(World::new().add(Body::dynamic().shape(flat)).unwrap_err().kind(), "weight");
    let error = d3::World::new().add(ball(1e-8, 1.0)).unwrap_err().to_string();
    assert!(error.contains("inertia") && error.contains("units"), "{error}");
    // What is accepted turns and has an energy.
    for body in
        [ball(1e-4, 1.0), ball(1e-3, 1e-15), d3::Body::dynamic().mass(1e37).shape(brick()), ball(1e6, 1.0)]
    {
        let mut world = d3::World::new();
        let body = world.add(body.velocity([0.0, 1.0, 0.0]).angular_velocity([0.0, 1.0, 2.0])).unwrap();
        for _ in 0..20 {
            world.step(DT).unwrap();
            assert!(world.get(body).unwrap().kinetic_energy().is_finite());
            assert!(!world.get(body).unwrap().is_quarantined());
        }
    }
}

#[test]
fn a_shape_with_which_a_body_would_weigh_too_much_or_too_little_changes_nothing() {
    use carom_geometry::d3 as g3;
    let mut world = d3::World::new();
    let cube = |half: f32| g3::Cuboid::new([half; 3]).unwrap();
    let heavy = world.add(d3::Body::dynamic().mass(1e37).shape(cube(0.5))).unwrap();
    let light = world.add(d3::Body::dynamic().at([9.0, 9.0, 0.0]).mass(1e-30)).unwrap();
    let before = (world.hash(), world.snapshot().to_bytes());
    // The mass stays, and each half of it ends ten metres from the middle: 10³⁹.
    let far = d3::Collider::new(cube(0.5)).at([20.0, 0.0, 0.0]);
    assert_eq!(world.add_collider(heavy, far).unwrap_err().kind(), "weight");
    // A point mass of 10⁻³⁰ kg gets a size: 10⁻³⁰·10⁻¹⁸ is nothing.
    assert_eq!(world.add_collider(light, cube(1e-9)).unwrap_err().kind(), "weight");
    assert_eq!((world.hash(), world.snapshot().to_bytes()), before);
}

#[test]
fn a_fixed_body_has_no_velocity() {
    let mut world = World::new();
    let moving = Body::fixed().velocity([5.0, 0.0]).angular_velocity(2.0);
    let body = world.add(moving.clone().shape(Cuboid::new([2.0, 0.5]).unwrap())).unwrap();
    assert_eq!(world.get(body).unwrap().velocity(), Vec2::new(0.0, 0.0));
    assert_eq!(world.get(body).unwrap().angular_velocity(), 0.0);
    assert_eq!(world.get(body).unwrap().velocity_at([1.0, 1.0]), Vec2::new(0.0, 0.0));
    // It is the same as one that was never told any, to the bit, and carries nobody.
    let mut plain = World::new();
    plain.add(Body::fixed().shape(Cuboid::new([2.0, 0.5]).unwrap())).unwrap();
    assert_eq!(world.snapshot().to_bytes(), plain.snapshot().to_bytes());
    let other = world.add(Body::dynamic().at([0.0, 1.0]).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(other).unwrap().pose().translation.x.abs() < 1e-3);
    // Nonsense is refused all the same.
    assert_eq!(world.add(Body::fixed().velocity([f32::NAN, 0.0])).unwrap_err().kind(), "not_finite");
}

#[test]
fn a_joint_that_numbers_do_not_reach_is_refused() {
    let mut world = World::new();
    let far = world.add(Body::fixed().at([3e38, 0.0]).shape(ball())).unwrap();
    let near = world.add(Body::dynamic().shape(ball())).unwrap();
    let before = (world.hash(), world.snapshot().to_bytes());
    // From one end of all numbers to the other is farther than any.
    let refused = world.add_joint(Joint::revolute(far, near).at([-3e38, 0.0])).unwrap_err();
    assert_eq!(refused.kind(), "not_finite");
    let beyond = Joint::distance(far, near).frames([3e38, 0.0], [-3e38, 0.0]);
    assert_eq!(world.add_joint(beyond).unwrap_err().kind(), "not_finite");
    assert_eq!((world.hash(), world.snapshot().to_bytes()), before);
    // A change that is refused leaves the joint as it was.
    let joint = world.add_joint(Joint::revolute(far, near).at([0.0, 0.0])).unwrap();
    let before = (world.hash(), world.snapshot().to_bytes());
    let changed = world.joint_mut(joint).unwrap().change(|joint| joint.at([-3e38, 0.0]));
    assert_eq!(changed.unwrap_err().kind(), "not_finite");
    assert_eq!((world.hash(), world.snapshot().to_bytes()), before);
    carom_dynamics::d2::Snapshot::from_bytes(&before.1).unwrap();
}

#[test]
fn what_leaves_the_numbers_is_put_aside() {
    let mut world = World::new();
    let runaways = [Some(ball()), None].map(|shape| {
        let body = Body::kinematic().velocity([3e38, 0.0]);
        world.add(shape.into_iter().fold(body, Body::shape)).unwrap()
    });
    let mut told = 0;
    for _ in 0..90 {
        world.step(DT).unwrap();
        told += world.events().quarantined.len();
        for body in runaways {
            assert!(world.get(body).unwrap().pose().translation.x.is_finite());
        }
    }
    // 3.4 · 10³⁸ m are reached after 68 steps.
    assert_eq!(told, 2);
    assert!(runaways.iter().all(|body| world.get(*body).unwrap().is_quarantined()));
    carom_dynamics::d2::Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
}

/// A hook that panics does so on whichever thread asks it. Whoever called `step` hears of it, and neither that step nor the next one waits for a
/// worker that is gone.
#[test]
fn a_hook_that_panics_panics_for_the_caller_of_the_step() {
    for threads in [1, 3] {
        let mut world = ground2(0.6);
        world.set_threads(threads);
        for k in 0..600_u16 {
            let at = [f32::from(k % 30) - 14.5, 0.6 + 1.02 * f32::from(k / 30)];
            world.add(Body::dynamic().at(at).shape(ball())).unwrap();
        }
        (0..30).for_each(|_| world.step(DT).unwrap());
        let before = world.snapshot();
        (0..30).for_each(|_| world.step(DT).unwrap());
        let hash = world.hash();
        // The first few are asked by the caller as a rule, and those in the middle by others.
        for unlucky in [0, 3, 200, 400, 600] {
            world.restore(&before);
            let calls = Arc::new(AtomicUsize::new(0));
            world.modify_contacts(move |_| {
                assert!(calls.fetch_add(1, Ordering::Relaxed) != unlucky, "call {unlucky}");
            });
            let failure = catch_unwind(AssertUnwindSafe(|| world.step(DT))).unwrap_err();
            assert_eq!(failure.downcast_ref::<String>(), Some(&format!("call {unlucky}")));
            world.clear_hooks();
            (0..3).for_each(|_| world.step(DT).unwrap());
            // And a snapshot leads back.
            world.restore(&before);
            (0..30).for_each(|_| world.step(DT).unwrap());
            assert_eq!(world.hash(), hash, "{threads} threads, call {unlucky}");
        }
    }
}
