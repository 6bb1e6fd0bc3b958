//! Shapes of many parts: nothing trips over inner edges, everything is carried, misuse is answered.

use crate::scenes::{DT, Random, ground2, ground3};
use carom_dynamics::{Error, QueryFilter, Settings, d2, d3};
use carom_geometry::d2 as g2;
use carom_geometry::d3 as g3;
use carom_math::{Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};

/// A mesh over a grid of cells in the plane y = 0 and beside it, as `height` says.
fn grid(cells: [u32; 2], cell: f32, height: impl Fn(f32, f32) -> f32) -> g3::TriangleMesh<f32> {
    let [columns, rows] = cells;
    let mut corners = Vec::new();
    for i in 0..=columns {
        for j in 0..=rows {
            let (x, z) = (i as f32 * cell, j as f32 * cell);
            corners.push([x, height(x, z), z]);
        }
    }
    let mut triangles = Vec::new();
    for i in 0..columns {
        for j in 0..rows {
            let at = |i: u32, j: u32| i * (rows + 1) + j;
            let (a, b, c, d) = (at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
            triangles.extend([[a, b, c], [c, d, a]]);
        }
    }
    g3::TriangleMesh::new(corners, triangles).unwrap()
}

/// Slides a body over a flat floor without friction: it keeps its height, its heading and its speed.
fn slides_in_space(floor: impl Into<g3::Shape<f32>>, body: impl Into<g3::Shape<f32>>, z: f32, steps: usize) {
    let mut world = d3::World::new();
    let floor = d3::Collider::new(floor).friction(0.0);
    world.add(d3::Body::fixed().shape(floor)).unwrap();
    let heading = Vec3::new(8.0, 0.0, 0.0);
    let shape = d3::Collider::new(body).friction(0.0);
    let body = world.add(d3::Body::dynamic().at([1.0, 0.5, z]).velocity(heading).shape(shape)).unwrap();
    for step in 0..steps {
        world.step(DT).unwrap();
        let now = world.get(body).unwrap();
        let (place, velocity) = (now.pose().translation, now.velocity());
        assert!((place.y - 0.5).abs() <= 0.005, "step {step}: {place:?}");
        // A tenth of a degree, to either side and up or down.
        let aside = (velocity.y * velocity.y + velocity.z * velocity.z).sqrt();
        assert!(step < 10 || aside <= 0.00175 * velocity.x, "step {step}: {velocity:?}");
        assert!((velocity.x - 8.0).abs() < 0.01, "step {step}: {velocity:?}");
    }
    let end = world.get(body).unwrap().pose();
    assert!((end.translation.x - 1.0 - 8.0 * DT * steps as f32).abs() < 0.05, "{end:?}");
    assert!((end.translation.z - z).abs() < 0.01, "{end:?}");
}

#[test]
fn nothing_trips_over_the_edges_of_a_mesh() {
    // A ball over 2 cm cells: two edges for each, 10⁴ of them in 100 m.
    slides_in_space(grid([5200, 2], 0.02, |_, _| 0.0), g3::Ball::new(0.5).unwrap(), 0.023, 700);
    // A box, 8 cells wide, from which each row takes three edges a cell.
    let cube = g3::Cuboid::new([0.5; 3]).unwrap();
    slides_in_space(grid([420, 16], 0.125, |_, _| 0.0), cube, 1.03, 320);
    let capsule = g3::Capsule::new([-0.4, 0.0, 0.1], [0.4, 0.0, -0.1], 0.5).unwrap();
    slides_in_space(grid([420, 16], 0.125, |_, _| 0.0), capsule, 1.03, 320);
}

#[test]
fn nothing_trips_over_the_edges_of_a_height_field() {
    let flat = |columns: usize, rows: usize, cell: f32| {
        g3::HeightField::new(vec![vec![0.0; columns + 1]; rows + 1], [cell, cell]).unwrap()
    };
    slides_in_space(flat(5200, 2, 0.02), g3::Ball::new(0.5).unwrap(), 0.023, 700);
    slides_in_space(flat(420, 16, 0.125), g3::Cuboid::new([0.5; 3]).unwrap(), 1.03, 320);
}

#[test]
fn nothing_trips_over_the_corners_of_a_polyline() {
    let chain = || g2::Polyline::new((0..=10_400_u16).map(|k| [0.01 * f32::from(k), 0.0])).unwrap();
    let field = || g2::HeightField::new(vec![0.0; 10_401], 0.01).unwrap();
    let floors: [g2::Shape<f32>; 2] = [chain().into(), field().into()];
    let bodies: [g2::Shape<f32>; 2] =
        [g2::Ball::new(0.5).unwrap().into(), g2::Cuboid::new([0.5, 0.5]).unwrap().into()];
    for floor in &floors {
        for body in &bodies {
            let mut world = d2::World::new();
            let floor = d2::Collider::new(floor.clone()).friction(0.0);
            world.add(d2::Body::fixed().shape(floor)).unwrap();
            let shape = d2::Collider::new(body.clone()).friction(0.0);
            let moving = d2::Body::dynamic().at([1.0, 0.5]).velocity([8.0, 0.0]).shape(shape);
            let moving = world.add(moving).unwrap();
            for step in 0..700 {
                world.step(DT).unwrap();
                let now = world.get(moving).unwrap();
                let (place, velocity) = (now.pose().translation, now.velocity());
                assert!((place.y - 0.5).abs() <= 0.005, "step {step}: {place:?}");
                assert!(step < 10 || velocity.y.abs() <= 0.00175 * velocity.x, "step {step}: {velocity:?}");
                assert!((velocity.x - 8.0).abs() < 0.01, "step {step}: {velocity:?}");
            }
            assert!((world.get(moving).unwrap().pose().translation.x - 1.0 - 700.0 * 8.0 * DT).abs() < 0.1);
        }
    }
}

#[test]
fn nothing_trips_over_the_seams_between_boxes() {
    for speed in [0.7_f32, 3.0, 8.0] {
        let shapes: [g3::Shape<f32>; 3] = [
            g3::Cuboid::new([0.5; 3]).unwrap().into(),
            g3::Ball::new(0.5).unwrap().into(),
            g3::Capsule::new([-0.4, 0.0, 0.1], [0.4, 0.0, -0.1], 0.5).unwrap().into(),
        ];
        for shape in shapes {
            let mut world = d3::World::new();
            for k in 0..60_u8 {
                for z in [-0.7, 0.3, 1.3] {
                    let tile = d3::Collider::new(g3::Cuboid::new([0.5; 3]).unwrap()).friction(0.0);
                    world.add(d3::Body::fixed().at([f32::from(k), -0.5, z]).shape(tile)).unwrap();
                }
            }
            let heading = Vec3::new(speed, 0.0, 0.0);
            let shape = d3::Collider::new(shape).friction(0.0);
            let body = d3::Body::dynamic().at([0.6, 0.5, 0.0]).velocity(heading).can_sleep(false);
            let body = world.add(body.shape(shape)).unwrap();
            for step in 0..400 {
                world.step(DT).unwrap();
                let now = world.get(body).unwrap();
                let (place, velocity) = (now.pose().translation, now.velocity());
                assert!((place.y - 0.5).abs() <= 0.005, "step {step}: {place:?}");
                assert!((velocity.x / speed - 1.0).abs() < 0.01, "step {step}: {velocity:?} {place:?}");
                assert!(step < 10 || velocity.z.abs() < 0.002 * speed, "step {step}: {velocity:?}");
            }
        }
    }
    // In the plane, and what does rise above the floor is in the way.
    let mut world = d2::World::new();
    for k in 0..60_u8 {
        let tile = d2::Collider::new(g2::Cuboid::new([0.5, 0.5]).unwrap()).friction(0.0);
        world.add(d2::Body::fixed().at([f32::from(k), -0.5]).shape(tile)).unwrap();
    }
    world.add(d2::Body::fixed().at([60.0, 0.5]).shape(g2::Cuboid::new([0.5, 1.5]).unwrap())).unwrap();
    let shape = d2::Collider::new(g2::Cuboid::new([0.5, 0.5]).unwrap()).friction(0.0);
    let body = world.add(d2::Body::dynamic().at([0.6, 0.5]).velocity([8.0, 0.0]).shape(shape)).unwrap();
    for step in 0..600 {
        world.step(DT).unwrap();
        let place = world.get(body).unwrap().pose().translation;
        assert!(58.5 < place.x || (place.y - 0.5).abs() <= 0.005, "step {step}: {place:?}");
    }
    let place = world.get(body).unwrap().pose().translation;
    assert!((place.x - 59.0).abs() < 0.02, "{place:?}");
    // A body that lies on a table and hangs down beside it meets what is lower than the table.
    let mut world = d2::World::new();
    let table = d2::Collider::new(g2::Cuboid::new([2.0, 0.5]).unwrap()).friction(0.0);
    world.add(d2::Body::fixed().at([0.0, -0.5]).shape(table)).unwrap();
    world.add(d2::Body::fixed().at([3.4, -0.6]).shape(g2::Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    let bar = d2::Collider::new(g2::Cuboid::new([1.5, 0.1]).unwrap()).friction(0.0);
    let hook = d2::Collider::new(g2::Cuboid::new([0.1, 0.3]).unwrap()).at([1.4, -0.4]).density(0.1);
    let body = d2::Body::dynamic().at([1.0, 0.1]).velocity([2.0, 0.0]).shape(bar).shape(hook);
    let body = world.add(body).unwrap();
    for _ in 0..60 {
        world.step(DT).unwrap();
        let place = world.get(body).unwrap().pose().translation;
        assert!(place.x <= 1.41, "{place:?}");
    }
}

#[test]
fn a_can_stands_on_a_mesh() {
    let mut world = d3::World::new();
    world.add(d3::Body::fixed().shape(grid([8, 8], 0.25, |_, _| 0.0))).unwrap();
    let can = g3::Cylinder::new(0.6, 0.3).unwrap();
    let can = world.add(d3::Body::dynamic().at([1.03, 0.61, 0.98]).shape(can)).unwrap();
    (0..180).for_each(|_| world.step(DT).unwrap());
    let pose = world.get(can).unwrap().pose();
    assert!((pose.translation - Vec3::new(1.03, 0.6, 0.98)).max_abs() < 0.006, "{pose:?}");
}

#[test]
fn a_box_rests_in_a_groove() {
    // Two slopes of 45° that meet at the bottom: a box on its edge touches both, along two normals.
    let valley = grid([8, 8], 0.5, |x, _| (x - 2.0).abs());
    let mut world = d3::World::new();
    let ground = d3::Body::fixed().shape(d3::Collider::new(valley).friction(0.0));
    let ground = world.add(ground).unwrap();
    let turn = Quat::from_axis_angle([0.0, 0.0, 1.0], core::f32::consts::FRAC_PI_4).unwrap();
    let at = Vec3::new(2.0, 0.72, 2.0);
    let cube = d3::Body::dynamic().at((at, turn)).shape(g3::Cuboid::new([0.5; 3]).unwrap());
    let cube = world.add(cube).unwrap();
    (0..25).for_each(|_| world.step(DT).unwrap());
    let normals: Vec<_> = world.contact_points().map(|point| point.normal).collect();
    assert!(normals.iter().any(|normal| normal.x > 0.5) && normals.iter().any(|normal| normal.x < -0.5));
    assert_eq!(world.statistics().contacts, 2);
    assert_eq!(world.statistics().pairs, 1);
    let place = world.get(cube).unwrap().pose().translation;
    assert!((place - Vec3::new(2.0, 0.5 * 2.0_f32.sqrt(), 2.0)).max_abs() < 0.01, "{place:?}");
    // The normal forces carry the weight: impulses along y in a sub-step.
    let mass = world.get(cube).unwrap().mass();
    let upwards: f32 = world.contact_points().map(|point| point.impulse * point.normal.y).sum();
    assert!((upwards / (mass * 10.0 * DT / 4.0) - 1.0).abs() < 0.05, "{upwards}");
    // It sleeps, and wakes when the ground goes; nothing of the pair is left.
    (0..120).for_each(|_| world.step(DT).unwrap());
    assert!(!world.get(cube).unwrap().is_awake());
    world.remove(ground).unwrap();
    world.step(DT).unwrap();
    let rest = world.statistics();
    assert_eq!((rest.pairs, rest.contacts, rest.awake), (0, 0, 1));
}

/// Most of a card that reaches over a ridge is below the plane of the far side, which must not push it through.
#[test]
fn a_card_that_reaches_over_a_ridge_comes_to_rest() {
    const SLOPE: f32 = 0.3;
    let surface = |x: f32| 0.6 - SLOPE * (x - 2.0).abs();
    for short_of_the_ridge in [0.08_f32, 0.11, 0.14, 0.17] {
        let mut world = d3::World::new();
        let ridge = d3::Collider::new(grid([4, 4], 1.0, |x, _| surface(x)));
        world.add(d3::Body::fixed().shape(ridge)).unwrap();
        // The long side along the slope, a centimetre above it.
        let slope = Vec2::new(1.0, SLOPE).normalized().unwrap();
        let place = Vec2::new(2.0, 0.6) - slope * short_of_the_ridge + slope.perpendicular() * 0.03;
        let angle = Rot2::from_cos_sin(slope.x, slope.y).unwrap().angle();
        let turn = Quat::from_axis_angle([0.0, 0.0, 1.0], angle).unwrap();
        let half = Vec3::new(0.2, 0.02, 0.04);
        let card = d3::Collider::new(g3::Cuboid::new(half).unwrap());
        let pose = Pose3::new([place.x, place.y, 2.1], turn);
        let card = world.add(d3::Body::dynamic().at(pose).shape(card)).unwrap();
        for step in 0..120 {
            world.step(DT).unwrap();
            let pose = world.get(card).unwrap().pose();
            for corner in 0..8_u8 {
                let sign = |bit: u8| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
                let corner = Vec3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z);
                let at = pose.point_to_world(corner);
                assert!(surface(at.x) - 0.01 < at.y, "{short_of_the_ridge} step {step}: {at:?}");
            }
        }
        let speed = world.get(card).unwrap().velocity().length();
        assert!(speed < 0.01, "{short_of_the_ridge}: {speed}");
    }
}

#[test]
fn boxes_on_waves_stay_on_them_whatever_the_threads() {
    let run = |threads: usize| {
        let mut world = d3::World::new();
        world.set_threads(threads);
        let waves = grid([24, 24], 0.5, |x, z| 0.4 * (1.3 * x).sine_cosine().0 * (0.9 * z).sine_cosine().1);
        world.add(d3::Body::fixed().shape(waves)).unwrap();
        let mut random = Random(3);
        for k in 0..36_u8 {
            let at = [6.0 + 4.0 * random.next(), 1.0 + 0.1 * f32::from(k), 6.0 + 4.0 * random.next()];
            let body = d3::Body::dynamic().at(at).angular_velocity([random.next(), 0.0, random.next()]);
            let body = match k % 3 {
                0 => body.shape(g3::Cuboid::new([0.3, 0.2, 0.4]).unwrap()),
                1 => body.shape(g3::Ball::new(0.3).unwrap()),
                _ => body.shape(g3::Capsule::new([-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], 0.2).unwrap()),
            };
            world.add(body).unwrap();
        }
        (0..100).for_each(|_| world.step(DT).unwrap());
        for body in world.bodies().skip(1) {
            let place = body.pose().translation;
            let inside = (0.0..12.0).contains(&place.x) && (0.0..12.0).contains(&place.z);
            assert!(!inside || place.y > -0.5, "{place:?}");
        }
        world.hash()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(3));
}

#[test]
fn compounds_move_as_one() {
    // A table of five boxes: it stands on four legs, and weighs what its parts weigh.
    let leg = g3::Shape::from(g3::Cuboid::new([0.05, 0.4, 0.05]).unwrap());
    let top = g3::Shape::from(g3::Cuboid::new([0.6, 0.05, 0.6]).unwrap());
    let mut parts = vec![(top, [0.0, 0.45, 0.0])];
    for (x, z) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
        parts.push((leg.clone(), [x, 0.0, z]));
    }
    let table = g3::Compound::new(parts).unwrap();
    let mut world = ground3(0.6);
    let body = world.add(d3::Body::dynamic().at([0.0, 0.41, 0.0]).shape(table.clone())).unwrap();
    let expected = 8.0 * (0.6 * 0.05 * 0.6 + 4.0 * 0.05 * 0.4 * 0.05);
    assert!((world.get(body).unwrap().mass() / expected - 1.0).abs() < 1e-5);
    // A second one upon the first.
    let second = world.add(d3::Body::dynamic().at([0.02, 1.32, 0.0]).shape(table)).unwrap();
    (0..180).for_each(|_| world.step(DT).unwrap());
    let (low, high) = (world.get(body).unwrap().pose(), world.get(second).unwrap().pose());
    assert!((low.translation.y - 0.4).abs() < 0.006 && low.rotation.to_array()[3].abs() > 0.999, "{low:?}");
    assert!(
        (high.translation.y - 1.3).abs() < 0.012 && high.rotation.to_array()[3].abs() > 0.999,
        "{high:?}"
    );

    let mut flat = ground2(0.6);
    let bar = g2::Shape::from(g2::Cuboid::new([0.5, 0.1]).unwrap());
    let angle = g2::Compound::new([
        (bar.clone(), carom_math::Pose2::from(Vec2::new(0.0, 0.0))),
        (bar, carom_math::Pose2::new(Vec2::new(-0.4, 0.4), Rot2::from_angle(core::f32::consts::FRAC_PI_2))),
    ])
    .unwrap();
    let angle = flat.add(d2::Body::dynamic().at([0.0, 0.12]).shape(angle)).unwrap();
    (0..120).for_each(|_| flat.step(DT).unwrap());
    let pose = flat.get(angle).unwrap().pose();
    assert!((pose.translation.y - 0.1).abs() < 0.006 && pose.rotation.cos() > 0.999, "{pose:?}");
}

#[test]
fn surfaces_are_refused_where_they_cannot_be() {
    let mesh = grid([1, 1], 1.0, |_, _| 0.0);
    let mut world = d3::World::new();
    let error = world.add(d3::Body::dynamic().shape(mesh.clone())).unwrap_err();
    assert_eq!(error, Error::NotConvex { shape: "mesh" });
    assert!(error.to_string().contains("decompose"));
    let hidden = g3::Compound::new([(mesh.clone(), [0.0; 3])]).unwrap();
    let error = world.add(d3::Body::dynamic().shape(hidden)).unwrap_err();
    assert_eq!(error, Error::NotConvex { shape: "mesh" });
    let ball = world.add(d3::Body::dynamic().shape(g3::Ball::new(1.0).unwrap())).unwrap();
    assert!(world.add_collider(ball, mesh.clone()).is_err());
    assert_eq!(world.statistics().colliders, 1);
    world.add(d3::Body::kinematic().shape(mesh)).unwrap();
    let mut flat = d2::World::new();
    let chain = g2::Polyline::new([[0.0, 0.0], [1.0, 0.0]]).unwrap();
    let error = flat.add(d2::Body::dynamic().shape(chain.clone())).unwrap_err();
    assert_eq!(error, Error::NotConvex { shape: "polyline" });
    flat.add(d2::Body::kinematic().shape(chain)).unwrap();
}

#[test]
fn a_moving_mesh_carries_what_lies_on_it() {
    let mut world = d3::World::new();
    let plate = d3::Body::kinematic().velocity([1.0, 0.0, 0.0]).shape(grid([20, 20], 0.25, |_, _| 0.0));
    let plate = world.add(plate).unwrap();
    let cube = d3::Body::dynamic().at([2.5, 0.5, 2.5]).velocity([1.0, 0.0, 0.0]);
    let cube = world.add(cube.shape(g3::Cuboid::new([0.5; 3]).unwrap())).unwrap();
    (0..120).for_each(|_| world.step(DT).unwrap());
    let (plate, cube) = (world.get(plate).unwrap().pose(), world.get(cube).unwrap().pose());
    assert!((plate.translation.x - 2.0).abs() < 1e-3);
    assert!((cube.translation - Vec3::new(4.5, 0.5, 2.5)).max_abs() < 0.01, "{cube:?}");
}

#[test]
fn worlds_are_asked_about_surfaces_too() {
    let mut world = d3::World::new();
    let waves = grid([40, 40], 0.5, |x, _| if x < 10.0 { 0.0 } else { 1.0 });
    let ground = world.add(d3::Body::fixed().at([-10.0, 2.0, -10.0]).shape(waves)).unwrap();
    let all = QueryFilter::default();
    let down = g3::Ray::new([3.0, 10.0, 1.0], [0.0, -1.0, 0.0]).unwrap();
    let hit = world.cast_ray(&down, 100.0, all).unwrap().unwrap();
    assert_eq!((hit.body, hit.hit.t, hit.hit.normal.y), (ground, 7.0, 1.0));
    let ball = g3::Shape::from(g3::Ball::new(0.5).unwrap());
    let hit = world.cast_shape(&ball, [-5.0, 6.5, 0.0], [0.0, -8.0, 0.0], all).unwrap().unwrap();
    assert!((hit.hit.t - 0.5).abs() < 1e-5, "{hit:?}");
    let touches = |at: [f32; 3]| {
        let mut count = 0;
        world
            .overlapping(&ball, at, all, |_| {
                count += 1;
                true
            })
            .unwrap();
        count == 1
    };
    assert!(touches([-5.0, 2.25, 0.0]) && !touches([-5.0, 2.75, 0.0]) && touches([5.0, 3.25, 0.0]));
    let near = world.nearest([-5.0, 4.0, 0.25], 5.0, all).unwrap().unwrap();
    assert!((near.distance - 2.0).abs() < 1e-6 && near.body == ground);
}

#[test]
fn recycling_changes_little_on_meshes() {
    let run = |recycle: bool| {
        let mut world = d3::World::new();
        world.set_settings(Settings { recycle, ..*world.settings() }).unwrap();
        world.add(d3::Body::fixed().shape(grid([10, 10], 0.5, |_, _| 0.0))).unwrap();
        let cube = d3::Body::dynamic().at([2.5, 0.6, 2.5]).shape(g3::Cuboid::new([0.5; 3]).unwrap());
        let cube = world.add(cube).unwrap();
        (0..120).for_each(|_| world.step(DT).unwrap());
        world.get(cube).unwrap().pose().translation
    };
    assert!((run(true) - run(false)).max_abs() < 1e-3);
}

#[test]
fn a_pair_with_several_contacts_reports_one_hit() {
    let mut world = d2::World::new();
    let valley = g2::Polyline::new([[-2.0, 2.0], [0.0, 0.0], [2.0, 2.0]]).unwrap();
    world.add(d2::Body::fixed().shape(valley)).unwrap();
    let ball = d2::Body::dynamic().at([0.0, 3.0]).velocity([0.0, -5.0]).reports_hits();
    world.add(ball.shape(g2::Ball::new(0.5).unwrap())).unwrap();
    let mut hits = Vec::new();
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
        hits.push(world.events().hits.len());
    }
    // It falls into both sides at once.
    assert_eq!(hits.iter().copied().max(), Some(1), "{hits:?}");
}
