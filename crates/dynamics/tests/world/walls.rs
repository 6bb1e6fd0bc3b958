//! Characters at walls: thin ones are not climbed, upright ones never, and who is inside of one gets out bit by bit.

use crate::scenes::{DT, ground2, ground3};
use carom_dynamics::{d2, d3};
use carom_geometry::d2 as g2;
use carom_geometry::d3 as g3;
use carom_math::{Number, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};

fn capsule2() -> g2::Shape<f32> {
    g2::Capsule::new([0.0, -0.5], [0.0, 0.5], 0.4).unwrap().into()
}

fn capsule3() -> g3::Shape<f32> {
    g3::Capsule::new([0.0, -0.5, 0.0], [0.0, 0.5, 0.0], 0.4).unwrap().into()
}

/// A wall from (2, 0) on that leans away from the origin; `kind` tells of what it is made.
fn leaning2(degrees: f32, kind: usize) -> d2::World {
    let mut world = ground2(0.6);
    let turn = Rot2::from_angle(degrees.to_radians());
    let (foot, along) = (Vec2::new(2.0, 0.0), turn.rotate(Vec2::new(1.0, 0.0)));
    let (low, high) = (foot - along * 0.5, foot + along * 4.0);
    // Half a plank of two centimetres behind its face.
    let middle = foot + turn.rotate(Vec2::new(1.5, -0.01));
    let shape: g2::Shape<f32> = match kind {
        0 => g2::Segment::new(low, high).unwrap().into(),
        1 => g2::Polyline::new([low, foot, high]).unwrap().into(),
        // The floor in front, the wall, and the floor behind: all one.
        2 => g2::Polyline::new([Vec2::new(-5.0, 0.0), foot, high, foot + along * 0.01, Vec2::new(9.0, 0.0)])
            .unwrap()
            .into(),
        3 => {
            g2::ConvexPolygon::new([foot, high, Vec2::new(high.x, 0.0) + Vec2::new(1.0, 0.0)]).unwrap().into()
        }
        _ => g2::Cuboid::new([2.5, 0.01]).unwrap().into(),
    };
    let at = if kind == 4 { Pose2::new(middle, turn) } else { Pose2::default() };
    world.add(d2::Body::fixed().at(at).shape(shape)).unwrap();
    world
}

#[test]
fn thin_walls_are_no_steps() {
    for degrees in [60.0, 75.0, 80.0, 85.0, 88.0, 90.0] {
        for kind in 0..5 {
            for shape in [capsule2(), g2::Cuboid::new([0.4, 0.9]).unwrap().into()] {
                let mut world = leaning2(degrees, kind);
                let mut walker = d2::Character::new(shape, [0.0, 0.95]).unwrap();
                let (mut steps, mut top) = (0, 0.0_f32);
                for _ in 0..450 {
                    let became = world.move_character(&mut walker, [0.1, -0.01], DT).unwrap();
                    steps += usize::from(became.stepped);
                    top = top.max_of(walker.pose().translation.y);
                }
                let at = walker.pose().translation;
                assert_eq!(steps, 0, "{degrees}, {kind}: {at:?}");
                // It has come to the wall and stands on the ground, with a gap of 8 mm.
                assert!(top < 0.96 && at.y < 0.93 && walker.ground().is_some(), "{degrees}, {kind}: {top}");
                assert!(1.0 < at.x && at.x < 2.7, "{degrees}, {kind}: {at:?}");
            }
        }
    }
    for degrees in [80.0, 85.0, 88.0] {
        let mut world = ground3(0.6);
        let along = Rot2::from_angle(f32::to_radians(degrees)).rotate(Vec2::new(4.0, 0.0));
        let (x, y) = (2.0 + along.x, along.y);
        let corners = [[2.0, 0.0, -5.0], [2.0, 0.0, 5.0], [x, y, 5.0], [x, y, -5.0]];
        let wall = g3::TriangleMesh::new(corners, [[0, 1, 2], [0, 2, 3_u32]]).unwrap();
        world.add(d3::Body::fixed().shape(wall)).unwrap();
        let mut walker = d3::Character::new(capsule3(), [0.0, 0.95, 0.3]).unwrap();
        let mut top = 0.0_f32;
        for _ in 0..450 {
            let became = world.move_character(&mut walker, [0.1, -0.01, 0.0], DT).unwrap();
            assert!(!became.stepped, "{degrees}: {:?}", walker.pose());
            top = top.max_of(walker.pose().translation.y);
        }
        assert!(top < 0.96 && walker.pose().translation.y < 0.93, "{degrees}: {top}");
    }
}

#[test]
fn low_steps_in_front_of_a_thin_wall_are_climbed() {
    // A kerb of 30 cm, and on it a wall that leans away.
    let mut world = leaning2(85.0, 0);
    world.add(d2::Body::fixed().at([3.0, 0.15]).shape(g2::Cuboid::new([2.0, 0.15]).unwrap())).unwrap();
    for shape in [capsule2(), g2::Ball::new(0.3).unwrap().into(), g2::Cuboid::new([0.4, 0.9]).unwrap().into()]
    {
        let mut walker = d2::Character::new(shape, [-1.0, 0.95]).unwrap();
        let (mut fall, mut top) = (0.0, 0.0_f32);
        for k in 0..450 {
            fall = if walker.ground().is_some() { -0.5 } else { fall - 10.0 * DT };
            world.move_character(&mut walker, [0.03, fall * DT], DT).unwrap();
            if 100 < k {
                top = top.max_of(walker.pose().translation.y);
            }
        }
        let below = g2::aabb(walker.shape(), walker.pose()).unwrap().min.y;
        assert!((below - 0.3).abs() < 0.03 && walker.ground().is_some(), "{:?}", walker.pose());
        assert!(top - walker.pose().translation.y < 0.1, "{top}: {:?}", walker.pose());
    }
}

#[test]
fn upright_walls_are_never_walked_up() {
    for slope in [0.0, 1e-30, 1e-4] {
        let mut world = ground2(0.6);
        world.add(d2::Body::fixed().at([2.5, 3.0]).shape(g2::Cuboid::new([0.5, 3.0]).unwrap())).unwrap();
        let mut walker = d2::Character::new(capsule2(), [0.0, 0.95]).unwrap();
        walker.settings.slope = slope;
        for _ in 0..120 {
            world.move_character(&mut walker, [0.05, -0.05], DT).unwrap();
        }
        let at = walker.pose().translation;
        assert!(at.finite() && (at.x - 1.6).abs() < 0.02 && (at.y - 0.9).abs() < 0.03, "{slope}: {at:?}");
        // Beside the wall, but off the ground, it falls.
        walker.set_pose([at.x, 3.0]).unwrap();
        for _ in 0..60 {
            world.move_character(&mut walker, [0.05, -0.1], DT).unwrap();
        }
        assert!(walker.pose().translation.y < 0.95, "{slope}: {:?}", walker.pose());

        let mut world = ground3(0.6);
        world
            .add(d3::Body::fixed().at([2.5, 3.0, 0.0]).shape(g3::Cuboid::new([0.5, 3.0, 9.0]).unwrap()))
            .unwrap();
        let mut walker = d3::Character::new(capsule3(), [0.0, 0.95, 0.0]).unwrap();
        walker.settings.slope = slope;
        for _ in 0..120 {
            world.move_character(&mut walker, [0.05, -0.05, 0.02], DT).unwrap();
        }
        let at = walker.pose().translation;
        assert!(at.finite() && (at.x - 1.6).abs() < 0.02 && (at.y - 0.9).abs() < 0.03, "{slope}: {at:?}");
        // It slides along it as far as it is told to.
        assert!((at.z - 2.4).abs() < 0.05, "{slope}: {at:?}");
    }
}

#[test]
fn who_is_deep_inside_gets_out_bit_by_bit() {
    // The middle of the walker is in the middle of a face: half its height in the ground.
    for (shape, depth) in [(capsule2(), 0.9), (g2::Ball::new(0.5).unwrap().into(), 3.2)] {
        let mut world = d2::World::new();
        world.add(d2::Body::fixed().at([0.0, -8.0]).shape(g2::Cuboid::new([50.0, 8.0]).unwrap())).unwrap();
        let size = g2::aabb(&shape, [0.0, 0.0]).unwrap().half_extents().y;
        let mut walker = d2::Character::new(shape, [0.0, size - depth]).unwrap();
        // It needs its depth and a gap; its size is the most that it goes in one move.
        let moves = ((depth + walker.settings.gap) / size).ceil() as usize;
        for k in 0..moves {
            let before = walker.pose().translation.y;
            let moved = world.move_character(&mut walker, [0.0, 0.0], DT).unwrap().moved;
            assert!(moved.length() <= 1.0001 * size, "{moved:?}");
            let got = walker.pose().translation.y - before;
            assert!(k + 1 == moves || (got - size).abs() < 1e-3, "{k}: {got} of {size}");
        }
        let gap = walker.pose().translation.y - size;
        assert!((gap - walker.settings.gap).abs() < 1e-3, "{gap}");
    }
    let mut world = ground3(0.6);
    let turn = Quat::from_rotation_vector([0.0, 0.4, 0.0]);
    let mut walker = d3::Character::new(capsule3(), Pose3::new(Vec3::new(3.0, 0.0, 1.0), turn)).unwrap();
    for _ in 0..2 {
        world.move_character(&mut walker, [0.0, 0.0, 0.0], DT).unwrap();
    }
    assert!((walker.pose().translation.y - 0.9 - walker.settings.gap).abs() < 1e-3, "{:?}", walker.pose());
}
