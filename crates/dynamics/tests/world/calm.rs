//! Contacts that do without a look: nothing that happens depends on it. A hook is asked about every contact in each step, so that a world with
//! one that changes nothing looks at all of them.

use crate::scenes::{DT, heap2, heap3};
use carom_dynamics::{d2, d3};
use carom_geometry::{d2 as g2, d3 as g3};

/// Takes both worlds through the same steps and changes, and compares them after each.
macro_rules! alike {
    ($world:expr, $steps:expr, |$changed:ident, $step:ident| $change:block) => {{
        let mut resting = $world;
        let mut asked = resting.clone();
        asked.modify_contacts(|_| {});
        for $step in 0..$steps {
            for $changed in [&mut resting, &mut asked] {
                $change
                $changed.step(DT).unwrap();
            }
            assert_eq!(resting.hash(), asked.hash(), "step {}", $step);
            let pairs = [&mut resting, &mut asked].map(|world| world.statistics().pairs);
            assert_eq!(pairs[0], pairs[1], "step {}", $step);
        }
    }};
}

#[test]
fn piles_come_to_rest_as_if_everybody_had_looked() {
    alike!(heap2(60), 400, |world, step| {
        // Without sleep in between, so that contacts rest and bodies do not.
        let settings = *world.settings();
        world.set_settings(d2::Settings { sleep: step > 300, ..settings }).unwrap();
    });
    alike!(heap3(60), 300, |world, step| {
        let settings = *world.settings();
        world.set_settings(d3::Settings { sleep: step > 200, ..settings }).unwrap();
    });
}

#[test]
fn whatever_is_changed_is_noticed() {
    let mut world = heap3(40);
    let shelf = g3::Cuboid::new([1.0, 0.1, 1.0]).unwrap();
    let fixed = world.add(d3::Body::fixed().at([6.0, 2.0, 0.0]).shape(shelf)).unwrap();
    let brick = g3::Cuboid::new([0.2, 0.2, 0.2]).unwrap();
    let on_it = world.add(d3::Body::dynamic().at([6.0, 2.3, 0.0]).shape(brick)).unwrap();
    let belt = d3::Collider::new(shelf).surface_velocity([0.5, 0.0, 0.0]);
    world.add(d3::Body::fixed().at([9.0, 0.5, 0.0]).shape(belt)).unwrap();
    let carried = world.add(d3::Body::dynamic().at([8.5, 0.8, 0.0]).shape(brick)).unwrap();
    let valley =
        g3::HeightField::new([[0.3, 0.0, 0.3], [0.3, 0.0, 0.3], [0.3, 0.0, 0.3]], [1.0, 1.0]).unwrap();
    world.add(d3::Body::fixed().at([-8.0, 0.0, 0.0]).shape(valley)).unwrap();
    for k in 0..3_i16 {
        let at = [-7.0 + 0.3 * f32::from(k), 1.0 + f32::from(k), 1.0];
        world.add(d3::Body::dynamic().at(at).shape(brick)).unwrap();
    }
    let ball = d3::Body::dynamic().at([-7.5, 0.6, 0.3]).velocity([0.1, 0.0, 0.1]);
    world.add(ball.shape(g3::Ball::new(0.2).unwrap())).unwrap();
    let wall = world.add(d3::Body::kinematic().at([-5.0, 1.0, 0.0]).shape(shelf)).unwrap();
    world.set_settings(d3::Settings { sleep: false, ..*world.settings() }).unwrap();
    alike!(world, 320, |world, step| {
        let settings = *world.settings();
        match step {
            100 => world.set_settings(d3::Settings { slop: 0.002, ..settings }).unwrap(),
            130 => world.set_settings(d3::Settings { recycle: false, ..settings }).unwrap(),
            150 => world.set_settings(d3::Settings { recycle: true, slop: 0.005, ..settings }).unwrap(),
            170 => world.get_mut(wall).unwrap().set_velocity([0.8, 0.0, 0.0]).unwrap(),
            200 => {
                let at = world.get(on_it).unwrap().pose().translation;
                assert!((at.y - 2.3).abs() < 0.01, "it lies on the shelf: {at:?}");
                world.get_mut(fixed).unwrap().set_pose([6.0, 2.0, 50.0]).unwrap();
            }
            230 => {
                let at = world.get(on_it).unwrap().pose().translation;
                assert!(at.y < 1.8, "nothing carries it: {at:?}");
                world.get_mut(carried).unwrap().set_pose([-8.0, 3.0, 1.0]).unwrap();
            }
            260 => world.remove(wall).unwrap(),
            _ => {}
        }
    });
}

#[test]
fn a_clone_and_what_is_read_from_bytes_go_on_alike() {
    let mut world = heap2(40);
    world.set_settings(d2::Settings { sleep: false, ..*world.settings() }).unwrap();
    let ramp = g2::Cuboid::new([2.0, 0.1]).unwrap();
    world.add(d2::Body::fixed().at([-4.0, 1.0]).shape(ramp)).unwrap();
    for _ in 0..250 {
        world.step(DT).unwrap();
    }
    let mut copy = world.clone();
    let mut read = d2::World::new();
    read.restore(&d2::Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    for step in 0..100 {
        for world in [&mut world, &mut copy, &mut read] {
            world.step(DT).unwrap();
        }
        assert_eq!([world.hash(); 2], [copy.hash(), read.hash()], "step {step}");
    }
}
