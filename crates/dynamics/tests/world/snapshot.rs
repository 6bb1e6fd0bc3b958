//! Snapshots: in memory and as bytes, they lead to the same future; they are small; and bytes that are none are refused.

use crate::scenes::{DT, Random, ground2, ground3, heap2};
use carom_dynamics::{Error, d2, d3};
use carom_geometry::{d2 as g2, d3 as g3};
use carom_math::Vec3;

/// Boxes in stacks of four that have fallen asleep.
fn sleepers3(stacks: usize) -> d3::World {
    let mut world = ground3(0.6);
    let side = (stacks as f64).sqrt().ceil() as usize;
    let cube = g3::Cuboid::new([0.2, 0.2, 0.2]).unwrap();
    let mut random = Random(1);
    for k in 0..stacks {
        let (x, z) =
            (1.5 * (k % side) as f32 - 0.75 * side as f32, 1.5 * (k / side) as f32 - 0.75 * side as f32);
        for y in 0..4_i16 {
            let at = [x + 0.02 * random.next(), 0.2 + 0.4 * f32::from(y), z + 0.02 * random.next()];
            world.add(d3::Body::dynamic().at(at).shape(cube)).unwrap();
        }
    }
    for _ in 0..120 {
        world.step(DT).unwrap();
        if world.bodies().all(|body| !body.is_awake()) {
            break;
        }
    }
    assert!(world.bodies().all(|body| !body.is_awake()));
    world
}

fn sleepers2(stacks: usize) -> d2::World {
    let mut world = d2::World::new();
    let ground = g2::Cuboid::new([stacks as f32, 1.0]).unwrap();
    world.add(d2::Body::fixed().at([0.0, -1.0]).shape(ground)).unwrap();
    let cube = g2::Cuboid::new([0.2, 0.2]).unwrap();
    let mut random = Random(1);
    for k in 0..stacks {
        for y in 0..4_i16 {
            let x = 1.5 * (k as f32 - 0.5 * stacks as f32) + 0.02 * random.next();
            world.add(d2::Body::dynamic().at([x, 0.2 + 0.4 * f32::from(y)]).shape(cube)).unwrap();
        }
    }
    for _ in 0..120 {
        world.step(DT).unwrap();
        if world.bodies().all(|body| !body.is_awake()) {
            break;
        }
    }
    assert!(world.bodies().all(|body| !body.is_awake()));
    world
}

#[test]
fn ten_thousand_sleepers_fit_into_two_megabytes_and_a_little_change_into_little() {
    let mut world = sleepers3(2500);
    let before = world.snapshot();
    let bytes = before.to_bytes();
    assert!(bytes.len() < 2_000_000, "{}", bytes.len());
    // One in a hundred moves: the boxes of 25 stacks.
    let tops: Vec<_> = world.bodies().skip(4).step_by(400).map(|body| body.handle()).collect();
    for top in tops {
        world.get_mut(top).unwrap().set_velocity([0.3, 1.0, 0.2]).unwrap();
    }
    for _ in 0..10 {
        world.step(DT).unwrap();
    }
    let awake = world.bodies().filter(|body| body.is_awake()).count();
    assert!((90..=101).contains(&awake), "{awake}");
    let after = world.snapshot();
    let delta = after.delta(&before);
    assert!(delta.len() < bytes.len() / 20, "{} of {}", delta.len(), bytes.len());
    // The receiver has the earlier one from bytes.
    let received = d3::Snapshot::from_bytes(&bytes).unwrap().apply(&delta).unwrap();
    assert_eq!(received.to_bytes(), after.to_bytes());
    let mut other = d3::World::new();
    other.restore(&received);
    for _ in 0..30 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert_eq!(world.hash(), other.hash());
    }

    let world = sleepers2(2500);
    let bytes = world.snapshot().to_bytes();
    assert!(bytes.len() < 1_000_000, "{}", bytes.len());
}

#[test]
fn what_is_restored_goes_the_same_way_whatever_was_added_and_removed_in_between() {
    // In every phase of a heap: falling, settling, half asleep, asleep.
    for steps in [0, 1, 30, 90, 200, 400] {
        let mut world = heap2(60);
        for _ in 0..steps {
            world.step(DT).unwrap();
        }
        let snapshot = world.snapshot();
        let bytes = snapshot.to_bytes();
        let read = d2::Snapshot::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes, "{steps}");
        let handles: Vec<_> = world.bodies().map(|body| body.handle()).collect();
        let future = |world: &mut d2::World| -> Vec<u64> {
            let ball = g2::Ball::new(0.4).unwrap();
            (0..60)
                .map(|k| {
                    if k == 20 {
                        world
                            .add(d2::Body::dynamic().at([0.3, 9.0]).velocity([0.0, -20.0]).shape(ball))
                            .unwrap();
                        world.remove(handles[7]).unwrap();
                    }
                    world.step(DT).unwrap();
                    world.hash()
                })
                .collect()
        };
        let expected = future(&mut world);
        assert_eq!(world.get(handles[7]).unwrap_err(), Error::Gone { what: "the body" });
        for snapshot in [&snapshot, &read] {
            // The world has another body and one less than the snapshot.
            world.restore(snapshot);
            assert!(world.get(handles[7]).is_ok());
            assert_eq!(future(&mut world), expected, "{steps}");
        }
        let mut elsewhere = d2::World::new();
        elsewhere.restore(&read);
        assert_eq!(future(&mut elsewhere), expected, "{steps}");
    }
}

#[test]
fn space_is_restored_as_well() {
    let mut world = ground3(0.6);
    let mut random = Random(5);
    let shapes: [g3::Shape<f32>; 5] = [
        g3::Ball::new(0.3).unwrap().into(),
        g3::Cuboid::new([0.3, 0.2, 0.4]).unwrap().into(),
        g3::Capsule::new([0.0, -0.2, 0.0], [0.0, 0.3, 0.0], 0.2).unwrap().into(),
        g3::Cylinder::new(0.3, 0.2).unwrap().into(),
        g3::ConvexHull::new([[0.0, 0.4, 0.0], [0.4, -0.2, 0.1], [-0.3, -0.2, 0.3], [0.0, -0.2, -0.4]])
            .unwrap()
            .into(),
    ];
    for k in 0..80_i16 {
        let at = Vec3::new(random.next(), 0.5 + 0.3 * f32::from(k), random.next());
        let mut body = d3::Body::dynamic().at([at.x, at.y, at.z]).shape(shapes[k as usize % 5].clone());
        if k % 7 == 0 {
            body = body.name(format!("body {k}")).reports_hits().gravity_scale(0.5).user_data(u64::MAX);
        }
        world.add(body).unwrap();
    }
    for round in 0..8 {
        for _ in 0..40 {
            world.step(DT).unwrap();
        }
        let bytes = world.snapshot().to_bytes();
        let mut other = d3::World::new();
        other.restore(&d3::Snapshot::from_bytes(&bytes).unwrap());
        assert_eq!(other.hash(), world.hash());
        let mut here = world.clone();
        for _ in 0..40 {
            here.step(DT).unwrap();
            other.step(DT).unwrap();
            assert_eq!(other.hash(), here.hash(), "{round}");
        }
        let named = |world: &d3::World| -> Vec<_> {
            world.bodies().map(|b| (b.name().map(str::to_owned), b.user_data())).collect()
        };
        assert_eq!(named(&other), named(&here));
    }
}

#[test]
fn bytes_that_were_cut_or_changed_are_refused() {
    let mut world = ground2(0.6);
    for k in 0..3_i16 {
        world
            .add(
                d2::Body::dynamic().at([0.0, 0.5 + f32::from(k)]).shape(g2::Cuboid::new([0.5, 0.5]).unwrap()),
            )
            .unwrap();
    }
    let earlier = world.snapshot();
    for _ in 0..10 {
        world.step(DT).unwrap();
    }
    let snapshot = world.snapshot();
    let (bytes, delta) = (snapshot.to_bytes(), snapshot.delta(&earlier));
    for cut in 0..bytes.len() {
        assert_eq!(d2::Snapshot::from_bytes(&bytes[..cut]).unwrap_err().kind(), "bytes", "{cut}");
    }
    for at in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            // Where a copy could have been made from either of two equal places the content is the same.
            let read = d2::Snapshot::from_bytes(&changed);
            assert!(read.is_err() || read.unwrap().to_bytes() == bytes, "{at}");
        }
    }
    for cut in 0..delta.len() {
        assert_eq!(earlier.apply(&delta[..cut]).unwrap_err().kind(), "bytes", "{cut}");
    }
    for at in 0..delta.len() {
        let mut changed = delta.clone();
        changed[at] ^= 0x10;
        let read = earlier.apply(&changed);
        assert!(read.is_err() || read.unwrap().to_bytes() == bytes, "{at}");
    }
    // Of the other dimension, of another pair, or something else altogether.
    assert_eq!(d3::Snapshot::from_bytes(&bytes).unwrap_err().kind(), "bytes");
    assert_eq!(snapshot.apply(&delta).unwrap_err().kind(), "bytes");
    assert_eq!(d2::Snapshot::from_bytes(&delta).unwrap_err().kind(), "bytes");
    let mut random = Random(3);
    for length in 0..300 {
        let mut noise: Vec<u8> = (0..length).map(|_| (random.next() * 300.0) as u8).collect();
        assert!(d2::Snapshot::from_bytes(&noise).is_err());
        let mut begun = bytes[..7].to_vec();
        begun.append(&mut noise);
        assert!(d2::Snapshot::from_bytes(&begun).is_err());
    }
}

/// A chain of boxes that falls onto a floor of triangles with bumps.
fn chain_on_mesh() -> d3::World {
    let mut world = d3::World::new();
    let bump = |k: u16| if (k / 9 + k % 9).is_multiple_of(2) { 0.3 } else { 0.0 };
    let corners = (0..81_u16).map(|k| [f32::from(k / 9) - 4.0, bump(k), f32::from(k % 9) - 4.0]);
    let cells = (0..64_u32).flat_map(|k| {
        let a = k / 8 * 9 + k % 8;
        [[a, a + 1, a + 10], [a + 10, a + 9, a]]
    });
    let floor = g3::TriangleMesh::new(corners, cells).unwrap();
    world.add(d3::Body::fixed().shape(floor)).unwrap();
    let links: Vec<_> = (0..6_i16)
        .map(|k| {
            let link = d3::Body::dynamic().at([0.8 * f32::from(k) - 2.0, 1.0, 0.1 * f32::from(k)]);
            world.add(link.shape(g3::Cuboid::new([0.35, 0.2, 0.25]).unwrap())).unwrap()
        })
        .collect();
    for (k, pair) in links.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        let joint = match k % 3 {
            0 => d3::Joint::ball(a, b).cone(0.6),
            1 => d3::Joint::revolute(a, b).limits(-0.4, 0.4).spring(0.1, 3.0, 0.5),
            _ => d3::Joint::fixed(a, b).breaks_at(1e6, 1e6),
        };
        let anchors = ([0.4, 0.0, 0.0], [-0.4, 0.0, 0.0]);
        world.add_joint(joint.anchors(anchors.0, anchors.1)).unwrap();
    }
    world
}

#[test]
fn meshes_and_joints_have_the_same_future_from_bytes() {
    let mut world = chain_on_mesh();
    for round in 0..6 {
        for _ in 0..20 {
            world.step(DT).unwrap();
        }
        let bytes = world.snapshot().to_bytes();
        let snapshot = d3::Snapshot::from_bytes(&bytes).unwrap();
        assert_eq!(snapshot.to_bytes(), bytes, "round {round}");
        let mut other = d3::World::new();
        other.restore(&snapshot);
        assert_eq!(world.hash(), other.hash());
        let mut ahead = world.clone();
        for step in 0..60 {
            ahead.step(DT).unwrap();
            other.step(DT).unwrap();
            assert_eq!(ahead.hash(), other.hash(), "round {round}, step {step}");
        }
    }
}

#[test]
fn height_fields_without_their_first_cells_come_back_to_the_bit() {
    // Of the last point, x/count is not the spacing but a neighbour of it.
    for (spacing, count) in [(0.1_f32, 13_usize), (0.1, 41), (1.0 / 3.0, 25), (0.37, 49)] {
        assert_ne!((spacing * count as f32) / count as f32, spacing);
        for missing in [vec![0], vec![0, 1, 2], vec![0, count / 2], (0..count - 1).collect()] {
            let mut random = Random(5);
            let heights: Vec<f32> = (0..=count).map(|_| 0.2 * random.next()).collect();
            let field = g2::HeightField::new(heights, spacing).unwrap().without_cells(missing).unwrap();
            let mut world = d2::World::new();
            world.add(d2::Body::fixed().shape(field.clone())).unwrap();
            let last = spacing * (count as f32 - 0.5);
            for k in 0..6_u8 {
                let ball = g2::Ball::new(0.2).unwrap();
                world.add(d2::Body::dynamic().at([last, 1.0 + 0.5 * f32::from(k)]).shape(ball)).unwrap();
            }
            let bytes = world.snapshot().to_bytes();
            let mut other = d2::World::new();
            other.restore(&d2::Snapshot::from_bytes(&bytes).unwrap());
            assert_eq!(other.snapshot().to_bytes(), bytes);
            for step in 0..120 {
                world.step(DT).unwrap();
                other.step(DT).unwrap();
                assert_eq!(world.hash(), other.hash(), "{spacing}: step {step}");
            }
            let shape = other.collider(other.bodies().next().unwrap().colliders().next().unwrap()).unwrap();
            assert_eq!(*shape.shape(), g2::Shape::from(field), "{spacing}");
        }
    }
}

#[test]
fn worlds_from_bytes_have_the_same_bytes_ever_after() {
    let mut world = ground3(0.6);
    let mut random = Random(3);
    let cube = g3::Cuboid::new([0.4, 0.3, 0.5]).unwrap();
    for k in 0..100_u8 {
        let (x, y) = (f32::from(k % 5) - 2.0 + 0.05 * random.next(), 1.0 + 0.9 * f32::from(k / 5));
        world.add(d3::Body::dynamic().at([x, y, f32::from(k / 5 % 2)]).shape(cube)).unwrap();
    }
    (0..50).for_each(|_| world.step(DT).unwrap());
    let mut other = d3::World::new();
    other.restore(&d3::Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap());
    for step in 0..120 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
        assert!(world.snapshot().to_bytes() == other.snapshot().to_bytes(), "step {step}");
    }
}

#[test]
fn bytes_of_another_version_are_refused_as_such() {
    let mut bytes = d2::World::new().snapshot().to_bytes();
    let version = u16::from_le_bytes([bytes[4], bytes[5]]);
    for other in [version - 1, version + 1] {
        bytes[4..6].copy_from_slice(&other.to_le_bytes());
        let error = d2::Snapshot::from_bytes(&bytes).unwrap_err();
        assert!(matches!(error, Error::Bytes { .. }) && error.to_string().contains("version"), "{error}");
    }
}
