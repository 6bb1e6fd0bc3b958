//! The same bits: for any width, after a snapshot, with and without the clock.

use crate::scenes::{DT, heap2, heap3, restless2};
use carom_dynamics::d2::Body;
use carom_dynamics::{Settings, Width};
use carom_geometry::d2::Ball;

const WIDTHS: [Width; 4] = [Width::Scalar, Width::Four, Width::Eight, Width::Sixteen];

#[test]
fn every_width_gives_the_same_bits() {
    let run2 = |width| {
        let mut world = heap2(60);
        world.set_width(width);
        (0..180).for_each(|_| world.step(DT).unwrap());
        assert!(world.statistics().contacts + world.statistics().pairs > 50);
        world.hash()
    };
    let run3 = |width| {
        let mut world = heap3(60);
        world.set_width(width);
        (0..180).for_each(|_| world.step(DT).unwrap());
        world.hash()
    };
    let (flat, solid) = (run2(Width::Scalar), run3(Width::Scalar));
    for width in WIDTHS {
        assert_eq!((run2(width), run3(width)), (flat, solid), "{width:?}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // One lane makes many blocks, so that all threads have something to do.
    let run2 = |threads| {
        let mut world = crate::scenes::pyramid2(20);
        world.set_width(Width::Scalar);
        world.set_threads(threads);
        (0..8).for_each(|_| world.step(DT).unwrap());
        assert!(world.statistics().contacts > 8 * 16, "{:?}", world.statistics());
        world.hash()
    };
    let run3 = |threads| {
        let mut world = crate::scenes::block3(5);
        world.set_width(Width::Scalar);
        world.set_threads(threads);
        (0..8).for_each(|_| world.step(DT).unwrap());
        assert!(world.statistics().contacts > 8 * 16, "{:?}", world.statistics());
        world.hash()
    };
    let alone = (run2(1), run3(1));
    for threads in [2, 3, 8] {
        assert_eq!((run2(threads), run3(threads)), alone, "{threads} threads");
    }
}

#[test]
fn a_snapshot_is_gone_back_to_exactly() {
    let mut world = heap2(40);
    (0..60).for_each(|_| world.step(DT).unwrap());
    let middle = world.snapshot();
    let at_middle = world.hash();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let end = world.hash();
    // Something else happens: bodies come and go.
    let first = world.bodies().nth(3).unwrap().handle();
    world.remove(first).unwrap();
    world.add(Body::dynamic().at([0.0, 30.0]).shape(Ball::new(2.0).unwrap())).unwrap();
    (0..30).for_each(|_| world.step(DT).unwrap());
    assert_ne!(world.hash(), end);
    world.restore(&middle);
    assert_eq!(world.hash(), at_middle);
    assert!(world.get(first).is_ok());
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert_eq!(world.hash(), end);
}

#[test]
fn the_clock_changes_nothing() {
    let run = |is_timed| {
        let mut world = heap3(20);
        world.set_timed(is_timed);
        (0..60).for_each(|_| world.step(DT).unwrap());
        (world.hash(), world.timings().steps)
    };
    let (timed, plain) = (run(true), run(false));
    assert_eq!(timed.0, plain.0);
    assert_eq!((timed.1, plain.1), (60, 0));
}

#[test]
fn keeping_points_changes_little() {
    // With and without recycling a settled heap lies in the same place, to a few millimetres.
    let run = |recycle| {
        let mut world = crate::scenes::ground2(0.6);
        restless2(&mut world);
        world.set_settings(Settings { recycle, ..*world.settings() }).unwrap();
        let square = carom_geometry::d2::Cuboid::new([0.5, 0.5]).unwrap();
        let bodies: Vec<_> = (0..10_u8)
            .map(|k| {
                world.add(Body::dynamic().at([0.02 * f32::from(k % 3), 0.5 + f32::from(k)]).shape(square))
            })
            .collect::<Result<_, _>>()
            .unwrap();
        (0..300).for_each(|_| world.step(DT).unwrap());
        world.get(bodies[9]).unwrap().pose().translation
    };
    let (kept, anew) = (run(true), run(false));
    assert!((kept.x - anew.x).abs() < 0.01 && (kept.y - anew.y).abs() < 0.01, "{kept:?} {anew:?}");
}
