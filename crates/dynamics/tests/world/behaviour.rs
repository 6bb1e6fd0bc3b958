//! Sleeping and waking, events, sensors, filters, conveyor belts, locks, queries.

use crate::scenes::{DT, ground2, ground3, restless2, restless3};
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
