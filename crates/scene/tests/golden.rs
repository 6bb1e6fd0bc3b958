//! The same bits everywhere: scenes end in states whose hashes are written down here, for any width of the
//! registers and any number of threads, on every machine and in every build.

#[path = "golden/scenes.rs"]
mod scenes;

use carom_scene::builtin::Width;
use scenes::{GOLDEN, hash};

#[test]
fn hashes_are_golden() {
    let found = GOLDEN.map(|(name, steps, _)| (name, steps, hash(name, steps, Width::widest(), 1)));
    assert_eq!(found, GOLDEN, "{found:#018x?}");
}

#[test]
fn widths_and_threads_change_nothing() {
    for (name, steps, golden) in GOLDEN {
        for (width, threads) in [(Width::Scalar, 1), (Width::Four, 1), (Width::Eight, 2)] {
            assert_eq!(hash(name, steps, width, threads), golden, "{name}, {width:?}, {threads} threads");
        }
    }
}

/// A character walks up steps and a slope, rides a platform and pushes boxes; the hash is that of its way and of the
/// world at the end. Twice the same in both dimensions but for a third coordinate.
macro_rules! walk {
    ($dimension:ident, $vector:ident, |$x:ident, $y:ident| $at:expr, |$w:ident, $h:ident| $size:expr, $turn:expr) => {{
        use carom::$dimension::{Body, Capsule, Character, Cuboid, Pose, World};
        |width: Width, threads: usize| -> u64 {
            let at = |$x: f32, $y: f32| $at;
            let block = |$w: f32, $h: f32| Cuboid::new($size).unwrap();
            let mut world = World::new();
            world.set_width(width);
            world.set_threads(threads);
            world.add(Body::fixed().at(at(0.0, -1.0)).shape(block(40.0, 1.0))).unwrap();
            for k in 0..4 {
                let k = k as f32;
                world.add(Body::fixed().at(at(3.0 + 0.5 * k, 0.15 * k)).shape(block(0.25, 0.15))).unwrap();
            }
            world.add(Body::fixed().at(Pose::new(at(8.0, 0.0), $turn)).shape(block(2.0, 0.5))).unwrap();
            let platform = Body::kinematic().at(at(12.0, -0.2)).velocity(at(0.7, 0.1)).shape(block(1.5, 0.2));
            world.add(platform).unwrap();
            for k in 0..6 {
                let k = k as f32;
                world.add(Body::dynamic().at(at(16.0 + 0.7 * k, 0.3)).shape(block(0.3, 0.3))).unwrap();
            }
            let shape = Capsule::new(at(0.0, -0.5), at(0.0, 0.5), 0.4).unwrap();
            let mut walker = Character::new(shape, at(0.0, 1.0)).unwrap();
            let (mut fall, mut hash) = (0.0, 0xcbf2_9ce4_8422_2325_u64);
            for _ in 0..400 {
                fall = if walker.ground().is_some() { 0.0 } else { fall - 10.0 / 60.0 };
                world.step(1.0 / 60.0).unwrap();
                world.move_character(&mut walker, $vector::from(at(3.0, fall)) / 60.0, 1.0 / 60.0).unwrap();
                let place = walker.pose().translation;
                for number in [place.x, place.y] {
                    hash = (hash ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3);
                }
            }
            // It has come past the platform and has moved the boxes.
            assert!(walker.pose().translation.x > 14.0, "{:?}", walker.pose());
            hash ^ world.hash()
        }
    }};
}

#[test]
fn characters_walk_the_same_way_everywhere() {
    use carom::math::{Quat, Rot2, Vec2, Vec3};
    let flat = walk!(d2, Vec2, |x, y| [x, y], |w, h| [w, h], Rot2::from_angle(0.3));
    let turn = Quat::from_axis_angle([0.0, 0.0, 1.0], 0.3).unwrap();
    let solid = walk!(d3, Vec3, |x, y| [x, y, 0.0], |w, h| [w, h, 2.0], turn);
    for (width, threads) in [(Width::widest(), 1), (Width::Scalar, 1), (Width::Four, 2)] {
        let found = [flat(width, threads), solid(width, threads)];
        assert_eq!(
            found,
            [0x56f4_d8b4_f9ea_eec7, 0xd293_e42a_4686_4bfc],
            "{found:#018x?}, {width:?}, {threads} threads"
        );
    }
}
