//! Sleeping and waking, events, sensors, filters, conveyor belts, locks, queries.

use crate::scenes::{DT, ground2, ground3, heap2, restless2, restless3};
use carom_dynamics::d2::{Body, Collider, World};
use carom_dynamics::{Filter, Locks, QueryFilter, d3};
use carom_geometry::d2::{Ball, Cuboid, HalfSpace, Ray, Shape};
use carom_geometry::d3 as g3;

#[test]
fn what_rests_sleeps_and_what_is_hit_wakes() {
    let mut world = ground2(0.6);
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let stack: Vec<_> = (0..5_u8)
        .map(|k| world.add(Body::dynamic().at([0.0, 0.5 + f32::from(k)]).shape(square)).unwrap())
        .collect();
    let other = world.add(Body::dynamic().at([20.0, 0.5]).shape(square)).unwrap();
    let mut slept = 0;
    for _ in 0..180 {
        world.step(DT).unwrap();
        slept += world.events().slept.len();
    }
    assert_eq!(slept, 6);
    assert_eq!(world.statistics().awake, 0);
    // Nothing moves while asleep.
    let asleep = world.hash();
    world.step(DT).unwrap();
    assert_eq!(world.hash(), asleep);
    // Something that falls on the stack wakes all of it, and nothing else.
    let small = Cuboid::new([0.3, 0.3]).unwrap();
    world.add(Body::dynamic().at([0.0, 5.6]).velocity([0.0, -5.0]).shape(small)).unwrap();
    (0..10).for_each(|_| world.step(DT).unwrap());
    assert!(stack.iter().all(|body| world.get(*body).unwrap().is_awake()));
    assert!(!world.get(other).unwrap().is_awake());
    // Removing the ground under a sleeper wakes it.
    (0..240).for_each(|_| world.step(DT).unwrap());
    assert_eq!(world.statistics().awake, 0);
    let ground = world.bodies().next().unwrap().handle();
    world.remove(ground).unwrap();
    assert!(world.get(other).unwrap().is_awake());
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(other).unwrap().pose().translation.y < -3.0);
}

/// Squares side by side that sleep on a ground; the first of them at the origin.
fn sleepers(count: u8) -> (World, Vec<carom_dynamics::BodyHandle>) {
    let mut world = ground2(0.6);
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let sleepers = (0..count)
        .map(|k| world.add(Body::dynamic().at([5.0 * f32::from(k), 0.5]).shape(square)).unwrap())
        .collect();
    (0..120).for_each(|_| world.step(DT).unwrap());
    assert_eq!(world.statistics().awake, 0);
    (world, sleepers)
}

#[test]
fn what_is_put_into_sleepers_wakes_them() {
    // Beside the first one, 0.4 m into it: moved there, added there, or given a shape there.
    let (at, shape) = ([0.6, 0.5], Cuboid::new([0.5, 0.5]).unwrap());
    for way in 0..5 {
        let (mut world, sleepers) = sleepers(3);
        let rest = world.get(sleepers[2]).unwrap().pose().translation.x;
        match way {
            0 | 1 => {
                let body = if way == 0 { Body::fixed() } else { Body::kinematic() };
                let body = world.add(body.at([0.6, 30.0]).shape(shape)).unwrap();
                world.get_mut(body).unwrap().set_pose(at).unwrap();
            }
            2 => drop(world.add(Body::fixed().at(at).shape(shape)).unwrap()),
            3 => {
                let body = world.add(Body::fixed()).unwrap();
                world.add_collider(body, Collider::new(shape).at(at)).unwrap();
            }
            _ => drop(world.add(Body::fixed().shape(HalfSpace::new([-1.0, 0.0], -0.1).unwrap())).unwrap()),
        }
        let mut woken = 0;
        for _ in 0..60 {
            world.step(DT).unwrap();
            woken += world.events().woken.len();
        }
        let (first, last) = (world.get(sleepers[0]).unwrap(), world.get(sleepers[2]).unwrap());
        let x = first.pose().translation.x;
        assert!(x < -0.38, "{way}: {x}");
        // What is not touched sleeps on; behind a half-space everything is touched.
        if way < 4 {
            assert_eq!((woken, last.is_awake(), last.pose().translation.x), (1, false, rest), "{way}");
        }
    }
    // Those that are near, that do not meet it, or that it only watches, sleep on.
    let (mut world, _) = sleepers(3);
    world.add(Body::fixed().at([1.01, 0.5]).shape(shape)).unwrap();
    let ghost = Filter { mask: 0, ..Filter::default() };
    world.add(Body::fixed().at(at).shape(Collider::new(shape).filter(ghost))).unwrap();
    world.add(Body::fixed().at(at).shape(Collider::new(shape).sensor())).unwrap();
    world.step(DT).unwrap();
    assert_eq!(world.statistics().awake, 0);
}

#[test]
fn what_is_put_into_sleepers_in_space_wakes_them() {
    let mut world = ground3(0.6);
    let cube = g3::Cuboid::new([0.5; 3]).unwrap();
    let sleeper = world.add(d3::Body::dynamic().at([0.0, 0.5, 0.0]).shape(cube)).unwrap();
    (0..120).for_each(|_| world.step(DT).unwrap());
    assert_eq!(world.statistics().awake, 0);
    let block = world.add(d3::Body::fixed().at([0.0, 30.0, 0.0]).shape(cube)).unwrap();
    world.get_mut(block).unwrap().set_pose([0.0, 0.5, -0.6]).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(sleeper).unwrap().pose().translation.z > 0.38);
}

#[test]
fn events_come_in_order() {
    let run = || {
        let mut world = ground2(0.6);
        for k in 0..5_u8 {
            let body = Body::dynamic().at([2.0 * f32::from(k), 1.2]).reports_hits();
            world.add(body.shape(Ball::new(0.5).unwrap())).unwrap();
        }
        let mut log = Vec::new();
        for step in 0..120 {
            world.step(DT).unwrap();
            let events = world.events();
            log.extend(events.begun.iter().map(|touch| (step, 'b', touch.b.index())));
            log.extend(events.hits.iter().map(|hit| (step, 'h', hit.b.index())));
        }
        log
    };
    let log = run();
    let begun: Vec<_> = log.iter().filter(|entry| entry.1 == 'b').map(|entry| entry.2).collect();
    let hits: Vec<_> = log.iter().filter(|entry| entry.1 == 'h').map(|entry| entry.2).collect();
    assert_eq!(begun, [1, 2, 3, 4, 5]);
    assert_eq!(hits, [1, 2, 3, 4, 5]);
    assert_eq!(log, run());
}

#[test]
fn sensors_watch() {
    let mut world = ground2(0.6);
    let gate = Collider::new(Cuboid::new([1.0, 1.0]).unwrap()).sensor();
    world.add(Body::fixed().at([0.0, 4.0]).shape(gate)).unwrap();
    let ball = world.add(Body::dynamic().at([0.0, 8.0]).shape(Ball::new(0.25).unwrap())).unwrap();
    let (mut entered, mut left) = (Vec::new(), Vec::new());
    for step in 0..120 {
        world.step(DT).unwrap();
        entered.extend(world.events().entered.iter().map(|_| step));
        left.extend(world.events().left.iter().map(|_| step));
    }
    // Falls from 8: enters at 5.25 after 0.74 s, leaves at 2.75 after 1.02 s.
    assert_eq!((entered.len(), left.len()), (1, 1));
    assert!((43..=46).contains(&entered[0]) && (60..=63).contains(&left[0]), "{entered:?} {left:?}");
    assert!(world.get(ball).unwrap().pose().translation.y < 0.3);
}

#[test]
fn filters_and_locks_hold() {
    let mut world = ground2(0.6);
    let ghost = Collider::new(Ball::new(0.5).unwrap()).filter(Filter { mask: 0, ..Filter::default() });
    let ghost = world.add(Body::dynamic().at([0.0, 2.0]).shape(ghost)).unwrap();
    let rail = Body::dynamic().at([5.0, 2.0]).velocity([1.0, 0.0]).locks(Locks::NONE.linear(1).rotation());
    let rail = world.add(rail.shape(Ball::new(0.5).unwrap())).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(ghost).unwrap().pose().translation.y < -2.0);
    let at = world.get(rail).unwrap().pose().translation;
    assert_eq!(at.y, 2.0);
    assert!((at.x - 6.0).abs() < 1e-4);

    let mut world = ground3(0.6);
    restless3(&mut world);
    let upright = d3::Body::dynamic().at([0.0, 1.0, 0.0]).locks(Locks::ROTATION);
    let upright = upright.shape(g3::Capsule::new([0.0, -0.5, 0.0], [0.0, 0.5, 0.0], 0.4).unwrap());
    let upright = world.add(upright.velocity([2.0, 0.0, 0.0])).unwrap();
    (0..120).for_each(|_| world.step(DT).unwrap());
    let pose = world.get(upright).unwrap().pose();
    assert_eq!(pose.rotation, carom_math::Quat::IDENTITY);
    assert!((pose.translation.y - 0.9).abs() < 0.01);
}

#[test]
fn a_belt_carries_and_a_platform_takes_along() {
    let mut world = World::new();
    restless2(&mut world);
    let belt = Collider::new(Cuboid::new([50.0, 1.0]).unwrap()).surface_velocity([2.0, 0.0]);
    world.add(Body::fixed().at([0.0, -1.0]).shape(belt)).unwrap();
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let parcel = world.add(Body::dynamic().at([0.0, 0.5]).shape(square)).unwrap();
    (0..120).for_each(|_| world.step(DT).unwrap());
    assert!((world.get(parcel).unwrap().velocity().x - 2.0).abs() < 0.01);

    let mut world = World::new();
    let platform = Body::kinematic().at([0.0, -1.0]).velocity([1.0, 0.0]);
    let platform = world.add(platform.shape(Cuboid::new([5.0, 1.0]).unwrap())).unwrap();
    let rider = world.add(Body::dynamic().at([0.0, 0.5]).shape(square)).unwrap();
    (0..180).for_each(|_| world.step(DT).unwrap());
    let (platform, rider) = (world.get(platform).unwrap(), world.get(rider).unwrap());
    assert!((platform.pose().translation.x - 3.0).abs() < 1e-4);
    assert!(rider.is_awake() && (rider.pose().translation.x - 3.0).abs() < 0.1, "{:?}", rider.pose());
}

#[test]
fn rolling_resistance_stops_a_ball() {
    let roll = |coefficient| {
        let mut world = ground3(0.6);
        let ball = d3::Collider::new(g3::Ball::new(0.5).unwrap()).rolling_resistance(coefficient);
        let ball =
            world.add(d3::Body::dynamic().at([0.0, 0.5, 0.0]).velocity([3.0, 0.0, 0.0]).shape(ball)).unwrap();
        (0..240).for_each(|_| world.step(DT).unwrap());
        world.get(ball).unwrap().velocity().x
    };
    // From sliding to rolling a solid ball keeps 5/7 of its speed.
    assert!((roll(0.0) - 15.0 / 7.0).abs() < 0.05, "{}", roll(0.0));
    assert_eq!(roll(0.2), 0.0);
}

#[test]
fn questions_find_what_is_there() {
    let mut world = ground2(0.6);
    let ball = world.add(Body::dynamic().at([3.0, 2.0]).shape(Ball::new(0.5).unwrap())).unwrap();
    let wall =
        Collider::new(Cuboid::new([0.5, 5.0]).unwrap()).filter(Filter { category: 2, ..Filter::default() });
    let wall = world.add(Body::fixed().at([6.0, 5.0]).shape(wall)).unwrap();
    let ray = Ray::new([0.0, 2.0], [1.0, 0.0]).unwrap();
    let all = QueryFilter::default();
    assert_eq!(world.cast_ray(&ray, 100.0, all).unwrap().unwrap().body, ball);
    let not_the_ball = QueryFilter { except: Some(ball), ..all };
    let met = world.cast_ray(&ray, 100.0, not_the_ball).unwrap().unwrap();
    assert_eq!((met.body, met.hit.t), (wall, 5.5));
    assert!(world.cast_ray(&ray, 2.0, all).unwrap().is_none());
    let only_walls = QueryFilter { filter: Filter { mask: 2, ..Filter::ALL }, ..all };
    assert_eq!(world.cast_ray(&ray, 100.0, only_walls).unwrap().unwrap().body, wall);

    let probe = Shape::from(Ball::new(0.25).unwrap());
    let met = world.cast_shape(&probe, [0.0, 2.0], [10.0, 0.0], all).unwrap().unwrap();
    assert_eq!(met.body, ball);
    assert!((met.hit.t - 0.225).abs() < 1e-6);
    let mut found = 0;
    world
        .overlapping(&Shape::from(Ball::new(10.0).unwrap()), [3.0, 2.0], all, |_| {
            found += 1;
            true
        })
        .unwrap();
    assert_eq!(found, 3);
    let nearest = world.nearest([3.0, 4.0], 100.0, all).unwrap().unwrap();
    assert_eq!((nearest.body, nearest.distance), (ball, 1.5));
    assert!(world.nearest([3.0, 4.0], 1.0, all).unwrap().is_none());
}

#[test]
fn nothing_flies_through_a_wall() {
    let mut world = World::new();
    world.add(Body::fixed().at([10.0, 0.0]).shape(Cuboid::new([0.01, 50.0]).unwrap())).unwrap();
    let bullets: Vec<_> = (0..20_u8)
        .map(|k| {
            let body =
                Body::dynamic().at([-0.37 * f32::from(k), 2.0 * f32::from(k) - 20.0]).gravity_scale(0.0);
            let body = body.velocity([390.0, 3.0]).angular_velocity(20.0);
            if k % 2 == 0 {
                body.shape(Ball::new(0.05).unwrap())
            } else {
                body.shape(Cuboid::new([0.1, 0.02]).unwrap())
            }
        })
        .map(|body| world.add(body).unwrap())
        .collect();
    (0..30).for_each(|_| world.step(DT).unwrap());
    for bullet in bullets {
        let at = world.get(bullet).unwrap().pose().translation;
        assert!(at.x < 10.0, "{at:?}");
    }

    let mut world = d3::World::new();
    world
        .add(d3::Body::fixed().at([0.0, 10.0, 0.0]).shape(g3::Cuboid::new([50.0, 0.01, 50.0]).unwrap()))
        .unwrap();
    let bullet = d3::Body::dynamic().velocity([5.0, 350.0, 1.0]).shape(g3::Ball::new(0.05).unwrap());
    let bullet = world.add(bullet).unwrap();
    (0..30).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(bullet).unwrap().pose().translation.y < 10.0);
}

#[test]
fn a_half_space_is_a_ground() {
    let mut world = World::new();
    world.add(Body::fixed().shape(HalfSpace::new([0.0, 1.0], 0.0).unwrap())).unwrap();
    let body = world.add(Body::dynamic().at([1e4, 3.0]).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    (0..120).for_each(|_| world.step(DT).unwrap());
    assert!((world.get(body).unwrap().pose().translation.y - 0.5).abs() < 0.01);
}

#[test]
fn what_moved_is_told() {
    let mut world = ground2(0.6);
    let square = Cuboid::new([0.5, 0.5]).unwrap();
    let boxes: Vec<_> = (0..3_u8)
        .map(|k| world.add(Body::dynamic().at([3.0 * f32::from(k), 0.5]).shape(square)).unwrap())
        .collect();
    let late = world.add(Body::dynamic().at([30.0, 8.0]).shape(square)).unwrap();
    let mut steps = Vec::new();
    for _ in 0..300 {
        let before: Vec<_> = world.bodies().map(|body| body.pose()).collect();
        world.step(DT).unwrap();
        let moved: Vec<_> = world.moved().map(|body| body.handle()).collect();
        // Each once, and nobody else has moved.
        assert!((1..moved.len()).all(|k| !moved[..k].contains(&moved[k])));
        for (body, before) in world.bodies().zip(before) {
            assert!(moved.contains(&body.handle()) || body.pose() == before);
        }
        steps.push(moved.len());
    }
    // All, then the one that still falls, then nobody.
    assert_eq!((steps[0], steps[60], steps[299]), (4, 1, 0));
    assert!(world.moved().next().is_none() && boxes.len() == 3);
    world.get_mut(late).unwrap().wake();
    assert_eq!(world.moved().count(), 1);
}

#[test]
fn hooks_decide_and_threads_change_nothing() {
    let run = |threads: usize| {
        let mut world = heap2(80);
        world.set_threads(threads);
        // Every third ghost is only for those whose number differs by an even one.
        world.filter_pairs(|a, b| (a.collider.index() + b.collider.index()) % 3 != 1);
        world.modify_contacts(|contact| {
            if contact.b.body.index() % 5 == 0 {
                contact.friction = 0.0;
                contact.restitution = 0.5;
            }
            if contact.a.body.index() % 7 == 3 {
                contact.surface.x = 1.0;
            }
            contact.is_solid = contact.b.body.index() % 11 != 4;
            // Nonsense changes nothing.
            if contact.b.body.index() % 2 == 0 {
                contact.friction = f32::NAN;
            }
        });
        (0..120).for_each(|_| world.step(DT).unwrap());
        (world.hash(), world)
    };
    let (one, mut world) = run(1);
    assert_eq!(one, run(3).0);
    assert_ne!(one, {
        let mut plain = heap2(80);
        (0..120).for_each(|_| plain.step(DT).unwrap());
        plain.hash()
    });
    // Without hooks everything is solid again.
    world.clear_hooks();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert!(world.statistics().kinetic_energy.is_finite());
}

#[test]
fn a_hook_changes_friction_and_bounce() {
    // The same box on the same ramp: it slides where the hook says so, in spite of its friction.
    for (friction, slides) in [(0.0, true), (1.0, false)] {
        let mut world = World::new();
        restless2(&mut world);
        world.modify_contacts(move |contact| contact.friction = friction);
        let turn = carom_math::Rot2::from_angle(-0.2);
        world.add(Body::fixed().at(([0.0, 0.0], turn)).shape(Cuboid::new([50.0, 1.0]).unwrap())).unwrap();
        let start = turn.rotate(carom_math::Vec2::new(0.0, 1.5));
        let block = Body::dynamic().at((start, turn)).shape(Cuboid::new([0.5, 0.5]).unwrap());
        let block = world.add(block).unwrap();
        (0..60).for_each(|_| world.step(DT).unwrap());
        let speed = world.get(block).unwrap().velocity().x;
        // g·sin 0.2 ≈ 1.99, along the ramp, for a second.
        assert_eq!(slides, (speed - 1.95).abs() < 0.1, "{speed}");
        assert_eq!(!slides, speed.abs() < 1e-3, "{speed}");
    }
    let mut world = ground2(0.6);
    world.modify_contacts(|contact| contact.restitution = 1.0);
    let ball = world.add(Body::dynamic().at([0.0, 5.5]).shape(Ball::new(0.5).unwrap())).unwrap();
    let mut highest = 0.0_f32;
    for step in 0..120 {
        world.step(DT).unwrap();
        let y = world.get(ball).unwrap().pose().translation.y;
        highest = if step > 70 && highest < y { y } else { highest };
    }
    assert!((highest - 5.5).abs() < 0.1, "{highest}");
}

#[test]
fn a_hook_is_asked_about_shapes_with_parts_from_their_first_step_and_once() {
    use core::sync::atomic::{AtomicUsize, Ordering};
    let asked = std::sync::Arc::new(AtomicUsize::new(0));
    let mut world = World::new();
    let count = asked.clone();
    world.modify_contacts(move |contact| {
        count.fetch_add(1, Ordering::Relaxed);
        contact.is_solid = false;
    });
    // A ball in a valley: one contact with each slope.
    let valley = carom_geometry::d2::Polyline::new([[-2.0, 2.0], [0.0, 0.0], [2.0, 2.0]]).unwrap();
    world.add(Body::fixed().shape(valley)).unwrap();
    let ball = Body::dynamic().at([0.0, 0.5 * core::f32::consts::SQRT_2]).shape(Ball::new(0.5).unwrap());
    let ball = world.add(ball).unwrap();
    world.step(DT).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let (speed, fallen) = (world.get(ball).unwrap().velocity().y, -10.0 * DT);
    assert!((speed - fallen).abs() < 1e-5, "{speed}");
    world.step(DT).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 4);
}

#[test]
fn a_one_way_floor_lets_fast_bodies_through_from_below() {
    let mut world = World::new();
    world.modify_contacts(|contact| contact.is_solid = contact.velocity.y < 0.1);
    world.add(Body::fixed().shape(Cuboid::new([9.0, 0.01]).unwrap())).unwrap();
    let up = world
        .add(Body::dynamic().at([0.0, -3.0]).velocity([0.0, 60.0]).shape(Ball::new(0.1).unwrap()))
        .unwrap();
    let down = Body::dynamic().at([2.0, 3.0]).velocity([0.0, -60.0]).shape(Ball::new(0.1).unwrap());
    let down = world.add(down).unwrap();
    (0..30).for_each(|_| world.step(DT).unwrap());
    assert!(world.get(up).unwrap().pose().translation.y > 15.0);
    assert!(world.get(down).unwrap().pose().translation.y > 0.0);
}
