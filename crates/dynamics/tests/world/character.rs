//! Characters: slopes, steps, corners, platforms, and mazes in which nobody gets stuck.

use crate::scenes::{DT, Random, ground2, ground3};
use carom_dynamics::{BodyHandle, d2, d3};
use carom_geometry::d2 as g2;
use carom_geometry::d3 as g3;
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};

type Walker2 = d2::Character;
type Walker3 = d3::Character;

fn capsule2() -> g2::Shape<f32> {
    g2::Capsule::new([0.0, -0.5], [0.0, 0.5], 0.4).unwrap().into()
}

fn shapes2() -> [g2::Shape<f32>; 3] {
    [capsule2(), g2::Ball::new(0.9).unwrap().into(), g2::Cuboid::new([0.4, 0.9]).unwrap().into()]
}

fn shapes3() -> [g3::Shape<f32>; 3] {
    [
        g3::Capsule::new([0.0, -0.5, 0.0], [0.0, 0.5, 0.0], 0.4).unwrap().into(),
        g3::Cylinder::new(0.9, 0.4).unwrap().into(),
        g3::Cuboid::new([0.4, 0.9, 0.4]).unwrap().into(),
    ]
}

fn block2(world: &mut d2::World, at: [f32; 2], half: [f32; 2]) -> BodyHandle {
    world.add(d2::Body::fixed().at(at).shape(g2::Cuboid::new(half).unwrap())).unwrap()
}

fn block3(world: &mut d3::World, at: [f32; 3], half: [f32; 3]) {
    world.add(d3::Body::fixed().at(at).shape(g3::Cuboid::new(half).unwrap())).unwrap();
}

/// Walks with gravity.
struct Legs {
    fall: f32,
}

impl Legs {
    fn new() -> Self {
        Legs { fall: 0.0 }
    }
    fn walk2(&mut self, world: &mut d2::World, walker: &mut Walker2, speed: f32) -> Vec2<f32> {
        self.fall = if walker.ground().is_some() { -0.5 } else { self.fall - 10.0 * DT };
        world.move_character(walker, Vec2::new(speed, self.fall) * DT, DT).unwrap().moved
    }
    fn walk3(&mut self, world: &mut d3::World, walker: &mut Walker3, speed: [f32; 2]) -> Vec3<f32> {
        self.fall = if walker.ground().is_some() { -0.5 } else { self.fall - 10.0 * DT };
        world.move_character(walker, Vec3::new(speed[0], self.fall, speed[1]) * DT, DT).unwrap().moved
    }
}

fn is_free2(world: &d2::World, walker: &Walker2) -> bool {
    let mut is_free = true;
    world
        .overlapping(walker.shape(), walker.pose(), Default::default(), |_| {
            is_free = false;
            false
        })
        .unwrap();
    is_free
}

fn is_free3(world: &d3::World, walker: &Walker3) -> bool {
    let mut is_free = true;
    world
        .overlapping(walker.shape(), walker.pose(), Default::default(), |_| {
            is_free = false;
            false
        })
        .unwrap();
    is_free
}

#[test]
fn on_flat_ground_it_walks_as_fast_as_it_is_told() {
    for shape in shapes2() {
        let mut world = ground2(0.6);
        let mut walker = Walker2::new(shape, [0.0, 1.0]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..60 {
            legs.walk2(&mut world, &mut walker, 0.0);
        }
        let (before, height) = (walker.pose().translation.x, walker.pose().translation.y);
        assert!(walker.ground().is_some() && before == 0.0);
        for _ in 0..60 {
            legs.walk2(&mut world, &mut walker, 3.0);
            assert!(walker.ground().is_some() && is_free2(&world, &walker));
            assert!((walker.pose().translation.y - height).abs() < 0.005, "{:?}", walker.pose());
        }
        assert!((walker.pose().translation.x - before - 3.0).abs() < 0.01, "{:?}", walker.pose());
    }
    for shape in shapes3() {
        let mut world = ground3(0.6);
        let mut walker = Walker3::new(shape, [0.0, 1.0, 0.0]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..60 {
            legs.walk3(&mut world, &mut walker, [0.0, 0.0]);
        }
        for _ in 0..60 {
            legs.walk3(&mut world, &mut walker, [3.0, -2.0]);
            assert!(walker.ground().is_some() && is_free3(&world, &walker));
        }
        let at = walker.pose().translation;
        assert!((at.x - 3.0).abs() < 0.01 && (at.z + 2.0).abs() < 0.01, "{at:?}");
    }
}

#[test]
fn slopes_are_climbed_up_to_the_limit_and_slid_down_beyond() {
    // The limit is 45.6°.
    for (degrees, climbs) in [(20.0, true), (40.0, true), (50.0, false), (70.0, false)] {
        for shape in shapes2() {
            let angle = f32::to_radians(degrees);
            let mut world = ground2(0.6);
            // A ramp whose surface begins at (2, 0).
            let turn = Rot2::from_angle(angle);
            let at = Vec2::new(2.0, 0.0) + turn.rotate(Vec2::new(10.0, -1.0));
            world
                .add(d2::Body::fixed().at(Pose2::new(at, turn)).shape(g2::Cuboid::new([12.0, 1.0]).unwrap()))
                .unwrap();
            let mut walker = Walker2::new(shape, [0.0, 1.0]).unwrap();
            let mut legs = Legs::new();
            for _ in 0..180 {
                legs.walk2(&mut world, &mut walker, 3.0);
                assert!(is_free2(&world, &walker), "{degrees}");
            }
            let top = walker.pose().translation.y;
            assert_eq!(2.0 < top, climbs, "{degrees}: {:?}", walker.pose());
            if climbs {
                // Downhill it stays on the ground, and standing it does not slide.
                for _ in 0..60 {
                    legs.walk2(&mut world, &mut walker, -3.0);
                    assert!(walker.ground().is_some(), "{degrees}: {:?}", walker.pose());
                }
                legs.walk2(&mut world, &mut walker, 0.0);
                let before = walker.pose().translation;
                for _ in 0..60 {
                    legs.walk2(&mut world, &mut walker, 0.0);
                }
                let drift = (walker.pose().translation - before).length();
                assert!(drift < 0.02, "{degrees}: {drift}");
            } else {
                // Dropped onto it, it slides to the bottom.
                let above = Vec2::new(2.0, 0.0) + turn.rotate(Vec2::new(4.0, 1.5));
                walker.set_pose(Pose2::new(above, Rot2::IDENTITY)).unwrap();
                for _ in 0..180 {
                    legs.walk2(&mut world, &mut walker, 0.0);
                }
                assert!(walker.pose().translation.y < 1.2, "{degrees}: {:?}", walker.pose());
            }
        }
    }
}

#[test]
fn stairs_are_climbed_both_ways_at_any_speed_and_walls_are_not() {
    for shape in shapes2() {
        for speed in [0.5, 2.0, 6.0] {
            let mut world = ground2(0.6);
            for k in 0..6_i16 {
                let height = 0.3 * f32::from(k + 1);
                block2(&mut world, [1.5 + 0.5 * f32::from(k) + 10.0, 0.5 * height], [10.0, 0.5 * height]);
            }
            let mut walker = Walker2::new(shape.clone(), [0.0, 1.0]).unwrap();
            let mut legs = Legs::new();
            let steps = (7.0 / (speed * DT)) as usize + 60;
            for _ in 0..steps {
                legs.walk2(&mut world, &mut walker, speed);
                assert!(is_free2(&world, &walker));
            }
            assert!(
                (walker.pose().translation.y - 2.7).abs() < 0.05,
                "{speed} {shape:?}: {:?}",
                walker.pose()
            );
            let mut in_the_air = 0;
            for _ in 0..steps {
                legs.walk2(&mut world, &mut walker, -speed);
                in_the_air += usize::from(walker.ground().is_none());
            }
            // A ball as wide as two treads hops a little.
            assert!(in_the_air <= steps / 10, "{speed} {shape:?}: {in_the_air} of {steps}");
            assert!(walker.pose().translation.y < 1.0, "{:?}", walker.pose());
        }
        // Half a metre is too high.
        let mut world = ground2(0.6);
        block2(&mut world, [6.0, 0.25], [4.0, 0.25]);
        let mut walker = Walker2::new(shape, [0.0, 1.0]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..120 {
            legs.walk2(&mut world, &mut walker, 3.0);
        }
        assert!(
            walker.pose().translation.y < 1.0 && walker.pose().translation.x < 2.0,
            "{:?}",
            walker.pose()
        );
    }
    for shape in shapes3() {
        let mut world = ground3(0.6);
        for k in 0..5_i16 {
            let height = 0.3 * f32::from(k + 1);
            block3(
                &mut world,
                [1.5 + 0.5 * f32::from(k) + 10.0, 0.5 * height, 0.0],
                [10.0, 0.5 * height, 5.0],
            );
        }
        let mut walker = Walker3::new(shape, [0.0, 1.0, 0.0]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..180 {
            legs.walk3(&mut world, &mut walker, [3.0, 0.4]);
            assert!(is_free3(&world, &walker));
        }
        assert!((walker.pose().translation.y - 2.4).abs() < 0.05, "{:?}", walker.pose());
        for _ in 0..180 {
            legs.walk3(&mut world, &mut walker, [-3.0, 0.4]);
            assert!(walker.ground().is_some());
        }
        assert!(walker.pose().translation.y < 1.0, "{:?}", walker.pose());
    }
}

/// Seen from above, without gravity: two walls that meet at an angle.
fn corner(degrees: f32) -> d3::World {
    let mut world = ground3(0.6);
    for side in [-1.0, 1.0] {
        let turn = Quat::from_rotation_vector([0.0, side * f32::to_radians(0.5 * degrees), 0.0]);
        // Its inner face contains the y axis and runs towards −x.
        let at = turn.rotate(Vec3::new(-10.0, 2.0, side * 0.5));
        let wall =
            d3::Body::fixed().at(Pose3::new(at, turn)).shape(g3::Cuboid::new([10.5, 3.0, 0.5]).unwrap());
        world.add(wall).unwrap();
    }
    world
}

#[test]
fn corners_of_any_angle_let_go() {
    for degrees in [10.0, 30.0, 60.0, 90.0, 120.0, 170.0] {
        for shape in shapes3() {
            let mut world = corner(degrees);
            let mut walker = Walker3::new(shape, [-8.0, 0.95, 0.0]).unwrap();
            let (mut legs, mut random) = (Legs::new(), Random(3));
            for _ in 0..240 {
                let aside = 2.0 * random.next();
                legs.walk3(&mut world, &mut walker, [4.0, aside]);
                assert!(is_free3(&world, &walker), "{degrees}: {:?}", walker.pose());
            }
            let deepest = walker.pose().translation.x;
            assert!(deepest > -7.0 && deepest < 0.0, "{degrees}: {:?}", walker.pose());
            // Out again as fast as it walks, along the bisector or along either wall.
            for aside in [0.0, 1.0, -1.0] {
                for _ in 0..60 {
                    legs.walk3(&mut world, &mut walker, [4.0, 0.5 * aside]);
                }
                let before = walker.pose().translation.x;
                for _ in 0..30 {
                    legs.walk3(&mut world, &mut walker, [-4.0, aside]);
                }
                let out = before - walker.pose().translation.x;
                assert!(out > 1.5, "{degrees}, {aside}: {out}");
            }
        }
    }
}

#[test]
fn a_corridor_hardly_wider_than_itself_is_walked_through() {
    let mut world = ground3(0.6);
    for side in [-1.0, 1.0] {
        block3(&mut world, [5.0, 2.0, side * (0.4 + 0.5 + 0.012)], [4.0, 2.0, 0.5]);
    }
    for shape in shapes3() {
        let mut walker = Walker3::new(shape, [0.0, 1.0, 0.003]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..240 {
            legs.walk3(&mut world, &mut walker, [3.0, 0.0]);
            assert!(is_free3(&world, &walker));
        }
        assert!(walker.pose().translation.x > 9.5, "{:?}", walker.pose());
    }
}

#[test]
fn under_a_sloping_ceiling_it_stops_and_comes_back() {
    // A wedge of 30° between ground and ceiling.
    let mut world = ground2(0.6);
    let turn = Rot2::from_angle(-0.5);
    let at = Vec2::new(6.0, 0.0) + turn.rotate(Vec2::new(-5.0, 1.0));
    world
        .add(d2::Body::fixed().at(Pose2::new(at, turn)).shape(g2::Cuboid::new([6.0, 1.0]).unwrap()))
        .unwrap();
    for shape in shapes2() {
        let mut walker = Walker2::new(shape, [-2.0, 0.95]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..180 {
            legs.walk2(&mut world, &mut walker, 4.0);
            assert!(is_free2(&world, &walker), "{:?}", walker.pose());
        }
        let deepest = walker.pose().translation.x;
        assert!(deepest > 0.5 && deepest < 6.0, "{:?}", walker.pose());
        for _ in 0..30 {
            legs.walk2(&mut world, &mut walker, -4.0);
        }
        assert!(walker.pose().translation.x < deepest - 1.8, "{:?}", walker.pose());
    }
}

#[test]
fn platforms_carry() {
    // Along, up and down, and around.
    for (velocity, spin) in [([1.0, 0.0], 0.0), ([0.0, 1.0], 0.0), ([0.5, -0.5], 0.0), ([0.0, 0.0], 0.5)] {
        let mut world = d2::World::new();
        let lift = d2::Body::kinematic().velocity(velocity).angular_velocity(spin);
        let lift = world.add(lift.shape(g2::Cuboid::new([4.0, 0.5]).unwrap())).unwrap();
        let mut walker = Walker2::new(capsule2(), [1.0, 1.41]).unwrap();
        let mut legs = Legs::new();
        legs.walk2(&mut world, &mut walker, 0.0);
        let local = |world: &d2::World, walker: &Walker2| {
            world.get(lift).unwrap().pose().inverse().point_to_world(walker.pose().translation)
        };
        let before = local(&world, &walker);
        for _ in 0..60 {
            world.step(DT).unwrap();
            legs.walk2(&mut world, &mut walker, 0.0);
            assert!(walker.ground().is_some() && is_free2(&world, &walker), "{velocity:?} {spin}");
        }
        let after = local(&world, &walker);
        let drift = (after - before).length();
        // On what turns, the foot rolls a little under the upright body.
        assert!(drift < if spin == 0.0 { 0.02 } else { 0.3 }, "{velocity:?} {spin}: {before:?} {after:?}");
        let ground = walker.ground().unwrap();
        assert!((ground.velocity - Vec2::new(velocity[0], velocity[1])).length() < 0.01 || spin != 0.0);
    }
    // A wall is stronger than the platform.
    let mut world = d2::World::new();
    world
        .add(d2::Body::kinematic().velocity([1.0, 0.0]).shape(g2::Cuboid::new([9.0, 0.5]).unwrap()))
        .unwrap();
    block2(&mut world, [3.0, 2.6], [0.5, 2.0]);
    let mut walker = Walker2::new(capsule2(), [1.0, 1.41]).unwrap();
    let mut legs = Legs::new();
    for _ in 0..180 {
        world.step(DT).unwrap();
        legs.walk2(&mut world, &mut walker, 0.0);
        assert!(is_free2(&world, &walker));
    }
    assert!((walker.pose().translation.x - 2.1).abs() < 0.05, "{:?}", walker.pose());
}

#[test]
fn boxes_are_pushed_by_its_force_and_no_more() {
    let run = |density: f32, force: f32| {
        let mut world = ground2(0.6);
        let crate_ = d2::Collider::new(g2::Cuboid::new([0.5, 0.5]).unwrap()).density(density);
        let crate_ = world.add(d2::Body::dynamic().at([2.0, 0.5]).shape(crate_)).unwrap();
        let mut walker = Walker2::new(capsule2(), [0.0, 1.0]).unwrap();
        walker.settings.force = force;
        walker.settings.step = 0.0;
        let mut legs = Legs::new();
        for _ in 0..180 {
            world.step(DT).unwrap();
            legs.walk2(&mut world, &mut walker, 2.0);
        }
        (world.get(crate_).unwrap().pose().translation.x, walker.pose().translation.x)
    };
    // 20 kg need 120 N to slide, 200 kg need 1200.
    let (light, walker) = run(20.0, 500.0);
    assert!(light > 3.5 && walker > 2.0, "{light} {walker}");
    let (heavy, walker) = run(200.0, 500.0);
    assert!((heavy - 2.0).abs() < 0.05 && walker < 1.2, "{heavy} {walker}");
    let (untouched, _) = run(20.0, 0.0);
    assert!((untouched - 2.0).abs() < 0.01, "{untouched}");
}

#[test]
fn what_starts_inside_gets_out() {
    let mut world = ground2(0.6);
    block2(&mut world, [0.0, 2.0], [2.0, 2.0]);
    for shape in shapes2() {
        let mut walker = Walker2::new(shape, [-2.1, 1.2]).unwrap();
        let mut legs = Legs::new();
        for _ in 0..10 {
            legs.walk2(&mut world, &mut walker, 0.0);
        }
        assert!(is_free2(&world, &walker), "{:?}", walker.pose());
    }
}

#[test]
fn a_jump_leaves_the_ground_and_ends_at_the_ceiling() {
    let mut world = ground2(0.6);
    block2(&mut world, [0.0, 3.5], [5.0, 0.5]);
    let mut walker = Walker2::new(capsule2(), [0.0, 0.95]).unwrap();
    let mut legs = Legs::new();
    for _ in 0..30 {
        legs.walk2(&mut world, &mut walker, 0.0);
    }
    assert!(walker.ground().is_some());
    let mut speed = 9.0;
    let mut hit = false;
    for _ in 0..30 {
        speed -= 10.0 * DT;
        hit |= world.move_character(&mut walker, [0.0, speed * DT], DT).unwrap().hit_ceiling;
        assert!(walker.ground().is_none() && is_free2(&world, &walker));
    }
    assert!(hit && walker.pose().translation.y < 2.1, "{:?}", walker.pose());
}

/// Blocks at random places of a grid, closed all around; the first cells are free.
fn maze3(seed: u32, meshes: bool) -> d3::World {
    let mut world = ground3(0.6);
    let mut random = Random(seed);
    for x in -5..=5_i16 {
        for z in -5..=5_i16 {
            let is_rim = x.abs() == 5 || z.abs() == 5;
            if is_rim || random.next() > 0.2 && (x, z) != (0, 0) {
                let (half, lift) = (1.0 + 0.3 * random.next(), if random.next() > 0.6 { 0.1 } else { 1.5 });
                let half = if is_rim { 1.2 } else { half };
                let lift = if is_rim { 1.5 } else { lift };
                let turn = Quat::from_rotation_vector([0.0, random.next(), 0.0]);
                let turn = if is_rim { Quat::IDENTITY } else { turn };
                let at = Vec3::new(2.0 * f32::from(x), lift, 2.0 * f32::from(z));
                let cuboid = g3::Cuboid::new([half, lift, half]).unwrap();
                let shape: g3::Shape<f32> = if meshes { mesh_of(cuboid).into() } else { cuboid.into() };
                world.add(d3::Body::fixed().at(Pose3::new(at, turn)).shape(shape)).unwrap();
            }
        }
    }
    world
}

/// The surface of a box.
fn mesh_of(cuboid: g3::Cuboid<f32>) -> g3::TriangleMesh<f32> {
    let half = cuboid.half_extents();
    let sign = |k: u32, axis: u32| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
    let corners = (0..8).map(|k| Vec3::new(sign(k, 0) * half.x, sign(k, 1) * half.y, sign(k, 2) * half.z));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6_u32]];
    let triangles = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    g3::TriangleMesh::new(corners, triangles).unwrap()
}

#[test]
fn in_mazes_nobody_ends_in_a_wall_or_gets_stuck() {
    for seed in [1, 2, 3] {
        for (shape, meshes) in shapes3().into_iter().zip([false, true, false]) {
            let mut world = maze3(seed, meshes);
            let mut walker = Walker3::new(shape.clone(), [0.0, 1.0, 0.0]).unwrap();
            if !is_free3(&world, &walker) {
                walker.set_pose([0.0, 4.0, 0.0]).unwrap();
            }
            let (mut legs, mut random) = (Legs::new(), Random(seed));
            let mut longest_rest = 0;
            let mut rest = 0;
            for _ in 0..60 {
                let direction = Vec2::new(random.next(), random.next()).normalized().unwrap();
                let mut way = 0.0;
                for _ in 0..20 {
                    let moved = legs.walk3(&mut world, &mut walker, [4.0 * direction.x, 4.0 * direction.y]);
                    way += Vec2::new(moved.x, moved.z).length();
                    let at = walker.pose().translation;
                    assert!(is_free3(&world, &walker), "{seed}, {meshes}: {at:?}");
                    assert!(at.x.abs() < 10.0 && at.z.abs() < 10.0 && at.y > 0.0, "{seed}, {meshes}: {at:?}");
                }
                rest = if way < 0.02 { rest + 1 } else { 0 };
                longest_rest = longest_rest.max(rest);
            }
            // A wall straight ahead may stop it, but not whatever direction it tries.
            assert!(longest_rest < 12, "{seed} {shape:?}: {longest_rest}");
        }
    }
}

#[test]
fn bad_moves_are_refused_and_extremes_survived() {
    let mut world = ground2(0.6);
    let mut walker = Walker2::new(capsule2(), [0.0, 1.0]).unwrap();
    let before = walker.pose();
    assert_eq!(world.move_character(&mut walker, [f32::NAN, 0.0], DT).unwrap_err().kind(), "not_finite");
    assert_eq!(world.move_character(&mut walker, [0.0, 0.0], -1.0).unwrap_err().kind(), "negative");
    walker.settings.gap = 0.0;
    assert_eq!(world.move_character(&mut walker, [0.0, 0.0], DT).unwrap_err().kind(), "out_of_range");
    walker.settings.gap = 0.01;
    walker.settings.up = Vec2::new(0.0, 0.0);
    assert_eq!(world.move_character(&mut walker, [0.0, 0.0], DT).unwrap_err().kind(), "out_of_range");
    assert_eq!(walker.pose(), before);
    assert_eq!(Walker2::new(capsule2(), [f32::INFINITY, 0.0]).unwrap_err().kind(), "not_finite");
    assert!(Walker2::new(g2::HalfSpace::new([0.0, 1.0], 0.0).unwrap(), [0.0, 0.0]).is_err());
    for extreme in [1e-40, 1e4, 1e12, f32::MAX] {
        let mut walker = Walker2::new(capsule2(), [0.0, 1.0]).unwrap();
        for motion in [[extreme, 0.0], [0.0, -extreme], [-extreme, extreme]] {
            let _ = world.move_character(&mut walker, motion, DT);
            let at = walker.pose().translation;
            assert!(at.x.is_finite() && at.y.is_finite(), "{extreme}: {at:?}");
        }
    }
}
