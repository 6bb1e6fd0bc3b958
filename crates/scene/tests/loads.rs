//! Scenes of quality that ask whether bodies carry what lies or hangs on them.

use carom::d2::Settings;
use carom::math::{Vec2, Vec3, Vector};
use carom_scene::builtin::{Running, find};

/// The centres of what moves, after each step; z is 0 in the plane.
fn follow(name: &str, steps: usize, mut look: impl FnMut(usize, &[Vec3<f32>])) -> Vec<Vec3<f32>> {
    let mut running = find(name).unwrap().start().unwrap();
    let mut places = Vec::new();
    for step in 1..=steps {
        running.step().unwrap();
        places = match &running {
            Running::Flat { world, .. } => {
                let moving =
                    world.bodies().filter(|body| body.mass() > 0.0).map(|body| body.center_of_mass());
                moving.map(|at| Vec3::new(at.x, at.y, 0.0)).collect()
            }
            Running::Solid { world, .. } => {
                world.bodies().filter(|body| body.mass() > 0.0).map(|body| body.center_of_mass()).collect()
            }
        };
        look(step, &places);
    }
    places
}

#[test]
fn small_boxes_carry_a_large_one() {
    // Of 400 times the mass, from 15 m: they are neither crushed, nor pushed through the ground, nor thrown out.
    for scene in
        ["2d/high_mass_ratio_2", "2d/high_mass_ratio_3", "3d/high_mass_ratio_2", "3d/high_mass_ratio_3"]
    {
        // In space the large one is a plate on edge, which falls over: its far end comes down at 25 m/s, and for some steps it is as
        // deep in the ground as 12 cm.
        let least = |body: usize| if body == 2 && scene.starts_with("3d") { 0.35 } else { 0.45 };
        let end = follow(scene, 900, |step, places| {
            for (body, at) in places.iter().enumerate() {
                assert!(least(body) < at.y && at.x.abs() < 20.0, "{scene}, step {step}: {at:?}");
            }
        });
        assert!(end.iter().all(|at| 0.49 < at.y), "{scene}: {end:?}");
        if scene.starts_with("2d") {
            let [left, right, large] = end[..] else { panic!("{scene}: {end:?}") };
            assert!((left.x + 9.0).abs() < 0.5 && (right.x - 9.0).abs() < 0.5, "{scene}: {end:?}");
            assert!((large.y - 11.0).abs() < 0.01, "{scene}: {end:?}");
        }
    }
}

#[test]
fn what_stands_stands_in_space_as_in_the_plane() {
    // How far anything may move within eight seconds, in metres. Fifteen squares of the plane sway by a few centimetres.
    for (scene, most) in
        [("vertical_stack", 0.2), ("arch", 0.005), ("card_house", 0.005), ("far_pyramid", 0.005)]
    {
        for dimension in ["2d", "3d"] {
            let (name, mut early) = (format!("{dimension}/{scene}"), Vec::new());
            let end = follow(&name, 600, |step, places| {
                if step == 120 {
                    early = places.to_vec();
                }
            });
            let moved =
                early.iter().zip(&end).map(|(before, after)| (*after - *before).length_squared().sqrt());
            let moved = moved.fold(0.0, |most: f32, next| if most < next { next } else { most });
            assert!(moved < most, "{name}: {moved}");
        }
    }
}

#[test]
fn a_pyramid_carries_three_hundred_times_its_weight() {
    // Springs that are too stiff for such a load throw boxes about: see `MOST_LOAD` of the solver.
    let mut early = Vec::new();
    let end = follow("2d/high_mass_ratio_1", 900, |step, places| {
        if step == 120 {
            early = places.to_vec();
        }
    });
    for (before, after) in early.iter().zip(&end) {
        assert!((*after - *before).length_squared() < 0.25, "{before:?} {after:?}");
    }
}

#[test]
fn of_more_discs_than_there_is_room_for_none_is_pressed_into_another() {
    // In Box2D, version 3.2, and Rapier 0.36 the deepest overlap is 0.312 m and 0.316 m.
    let mut running = find("2d/confined").unwrap().start().unwrap();
    for step in 1..=300 {
        running.step().unwrap();
        let deepest = running.statistics().deepest;
        assert!(step < 200 || deepest < 0.312, "step {step}: {deepest}");
    }
}

#[test]
fn nothing_is_pressed_through_a_wall() {
    // A blade on a strong motor presses thousands of bodies into a wall without thickness, a little in each step and never fast. Without a look at what
    // is deep in the wall (`SHARE_OF_DEEP` of the solver) one of them is outside after 160 steps.
    let mut running = find("2d/spinner").unwrap().start().unwrap();
    let Running::Flat { world, .. } = &mut running else { panic!("a scene of the plane") };
    world.set_settings(Settings { contact_stiffness: 0.185, ..*world.settings() }).unwrap();
    for step in 1..=240 {
        running.step().unwrap();
        let Running::Flat { world, .. } = &running else { panic!("a scene of the plane") };
        for body in world.bodies().filter(|body| body.mass() > 0.0) {
            let from = body.center_of_mass() - Vec2::new(0.0, 32.0);
            assert!(from.length_squared() < 1600.0, "step {step}: {from:?}");
        }
    }
}
