//! Once the buffers have grown, a step allocates nothing, and the sizes of what is kept are what they should be.

use carom_dynamics::{Settings, d2, d3};
use carom_geometry::d2::{Cuboid, Polyline};
use carom_geometry::d3 as g3;

const DT: f32 = 1.0 / 60.0;

#[test]
fn a_steady_step_allocates_nothing() {
    let mut flat = d2::World::new();
    flat.set_settings(Settings { sleep: false, ..*flat.settings() }).unwrap();
    flat.add(d2::Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([50.0, 1.0]).unwrap())).unwrap();
    let mut solid = d3::World::new();
    solid.set_settings(Settings { sleep: false, ..*solid.settings() }).unwrap();
    solid
        .add(d3::Body::fixed().at([0.0, -1.0, 0.0]).shape(g3::Cuboid::new([50.0, 1.0, 50.0]).unwrap()))
        .unwrap();
    let hull =
        g3::ConvexHull::new([[0.5, 0.0, 0.0], [-0.3, 0.4, 0.0], [-0.3, -0.2, 0.4], [-0.3, -0.2, -0.4]]);
    for k in 0..10_u8 {
        let x = f32::from(k % 3) * 0.1;
        flat.add(d2::Body::dynamic().at([x, 0.6 + f32::from(k)]).shape(Cuboid::new([0.5, 0.5]).unwrap()))
            .unwrap();
        let body = d3::Body::dynamic().at([x, 0.6 + f32::from(k), 0.0]);
        let body = if k % 2 == 0 {
            body.shape(g3::Cuboid::new([0.5; 3]).unwrap())
        } else {
            body.shape(hull.clone().unwrap())
        };
        solid.add(body).unwrap();
    }
    let bodies: Vec<_> = flat.bodies().map(|body| body.handle()).collect();
    flat.add_joint(d2::Joint::revolute(bodies[1], bodies[2]).at([0.0, 1.0]).limits(-0.5, 0.5)).unwrap();
    flat.add_joint(d2::Joint::rope(bodies[3], bodies[5], 3.0)).unwrap();
    solid.add_joint(d3::Joint::ball(bodies[1], bodies[2]).at([0.0, 1.0, 0.0])).unwrap();
    // On a mesh and on a chain, at rest and sliding.
    let cells: Vec<[u32; 3]> = (0..400_u32)
        .flat_map(|k| {
            let a = k / 20 * 21 + k % 20;
            [[a, a + 1, a + 22], [a + 22, a + 21, a]]
        })
        .collect();
    let corners = (0..441_u16).map(|k| [30.0 + f32::from(k / 21), 0.5, f32::from(k % 21) - 10.0]);
    let floor = d3::Collider::new(g3::TriangleMesh::new(corners, cells).unwrap()).friction(0.0);
    solid.add(d3::Body::fixed().shape(floor)).unwrap();
    let chain = Polyline::new((0..40_u8).map(|k| [60.0 + f32::from(k), 0.1 * f32::from(k % 2)])).unwrap();
    flat.add(d2::Body::fixed().shape(chain)).unwrap();
    for k in 0..4_u8 {
        let speed = if k % 2 == 0 { 0.0 } else { 1.0 };
        let body = d3::Body::dynamic().at([32.0, 1.0, 3.0 * f32::from(k) - 5.0]).velocity([speed, 0.0, 0.0]);
        solid.add(body.shape(g3::Cuboid::new([0.5; 3]).unwrap())).unwrap();
        let body = d2::Body::dynamic().at([62.0 + 5.0 * f32::from(k), 0.7]);
        flat.add(body.shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    }
    // Long enough for the trees to have been built anew once after all that was added.
    for _ in 0..400 {
        flat.step(DT).unwrap();
        solid.step(DT).unwrap();
    }
    let counted = allocation_counter::measure(|| {
        for _ in 0..60 {
            flat.step(DT).unwrap();
            solid.step(DT).unwrap();
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

/// Bytes of a body with one shape, awake, in the plane and in space: record, place, state, shape, two nodes of a tree.
/// 705 and 1111 when this was written.
const PER_BODY: [u64; 2] = [720, 1130];
/// Bytes of a contact: its points, the pair, its place in lists, its lane in a block, what it may move. 452 and 800 when
/// this was written.
const PER_CONTACT: [u64; 2] = [470, 900];

/// How many bytes a world of so many bodies in a row holds on to, and how many contacts it has.
macro_rules! bytes_of {
    ($dimension:ident, |$x:ident| $at:expr, $shape:expr) => {
        |count: usize, spacing: f32| {
            let mut kept = None;
            let counted = allocation_counter::measure(|| {
                let mut world = $dimension::World::new();
                for k in 0..count {
                    let $x = spacing * k as f32;
                    world.add($dimension::Body::dynamic().at($at).shape($shape)).unwrap();
                }
                (0..2).for_each(|_| world.step(DT).unwrap());
                kept = Some(world);
            });
            let contacts = kept.map_or(0, |mut world| world.statistics().contacts);
            (counted.bytes_current.max(0) as u64, contacts)
        }
    };
}

#[test]
fn memory_is_as_stated() {
    let flat = bytes_of!(d2, |x| [x, 0.0], Cuboid::new([0.5, 0.5]).unwrap());
    let solid = bytes_of!(d3, |x| [x, 0.0, 0.0], g3::Cuboid::new([0.5; 3]).unwrap());
    // 4096 bodies: buffers that grow by doubling are just full, or half full.
    let worlds = [(flat(4096, 3.0), flat(4096, 1.0)), (solid(4096, 3.0), solid(4096, 1.0))];
    for (k, ((apart, none), (row, contacts))) in worlds.into_iter().enumerate() {
        assert_eq!((none, contacts), (0, 4095));
        let (per_body, per_contact) = (apart / 4096, (row - apart) / 4095);
        assert!(per_body <= PER_BODY[k], "{per_body} bytes a body with a shape");
        assert!(per_contact <= PER_CONTACT[k], "{per_contact} bytes a contact");
    }
}
