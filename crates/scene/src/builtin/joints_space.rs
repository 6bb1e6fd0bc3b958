//! Scenes with joints in space.

use super::Solid;
use super::ragdoll_space::{self, Ragdoll};
use carom::d3::{Ball, Body, BodyHandle, Collider, Filter, Joint, Settings, TriangleMesh, World};
use carom::math::{Real, Vec3};
use carom::response::Error;

/// A grid of balls on ball joints, a hundred by a hundred, which hangs from its upper row.
pub(super) fn joint_grid() -> Result<Solid, Error> {
    let mut world = World::new();
    world.set_settings(Settings { sleep: false, ..Settings::default() })?;
    let filter = Filter { category: 2, mask: !2, group: 0 };
    let mut column: Vec<BodyHandle> = Vec::new();
    for k in 0..100_i16 {
        let last = core::mem::take(&mut column);
        for i in 0..100_i16 {
            let body = if i == 0 { Body::fixed() } else { Body::dynamic() };
            let shape = Collider::new(Ball::new(0.4)?).density(1000.0).filter(filter);
            let body = world.add(body.at([f32::from(k), -f32::from(i), 0.0]).shape(shape))?;
            if let Some(above) = column.last() {
                world.add_joint(Joint::ball(*above, body).anchors([0.0, -0.5, 0.0], [0.0, 0.5, 0.0]))?;
            }
            if let Some(left) = last.get(column.len()) {
                world.add_joint(Joint::ball(*left, body).anchors([0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]))?;
            }
            column.push(body);
        }
    }
    Ok((world, None))
}

/// A hundred tiles, each with a torus that stands on edge.
pub(super) fn rain() -> Result<Solid, Error> {
    let mut world = World::new();
    let at = |row: u32, column: u32, columns: u32| row * columns + column;
    let floor = TriangleMesh::new(
        (0..81_u8).map(|k| Vec3::new(1.875 * f32::from(k / 9) - 7.5, 0.0, 1.875 * f32::from(k % 9) - 7.5)),
        (0..64_u32).flat_map(|k| {
            let (i, j) = (k / 8, k % 8);
            let [a, b, c, d] = [at(i, j, 9), at(i, j + 1, 9), at(i + 1, j + 1, 9), at(i + 1, j, 9)];
            [[a, b, c], [c, d, a]]
        }),
    )?;
    let torus = TriangleMesh::new(
        (0..=255_u8).map(|k| {
            let angle = |part: u8| (f32::from(part) * core::f32::consts::PI / 8.0).sine_cosine();
            let ((sin_v, cos_v), (sin_u, cos_u)) = (angle(k / 16), angle(k % 16));
            Vec3::new((3.75 + cos_v) * cos_u, (3.75 + cos_v) * sin_u, sin_v)
        }),
        (0..256_u32).flat_map(|k| {
            let (r, t) = (k / 16, k % 16);
            let (s, u) = ((r + 1) % 16, (t + 1) % 16);
            [[at(r, t, 16), at(r, u, 16), at(s, u, 16)], [at(s, u, 16), at(s, t, 16), at(r, t, 16)]]
        }),
    )?;
    for i in 0..10_u8 {
        for j in 0..10_u8 {
            let tile = Body::fixed().at([-67.5 + 15.0 * f32::from(i), 0.0, -67.5 + 15.0 * f32::from(j)]);
            world.add(tile.shape(Collider::new(floor.clone())).shape(Collider::new(torus.clone())))?;
        }
    }
    Ok((world, Some(rain_more)))
}

/// A column of ragdolls now and then: a new one while there are fewer than ten, then one again.
fn rain_more(world: &mut World, step: usize) -> Result<(), Error> {
    if step & 0x2f != 0 {
        return Ok(());
    }
    let count = 2 * (step / 64) + (step / 16) % 2;
    let column = (count % 10) as u8;
    for row in 0..10_u8 {
        let tag = 1 + 10 * u64::from(column) + u64::from(row);
        if 10 <= count {
            ragdoll_space::remove(world, tag)?;
        }
        for m in 0..3_u8 {
            let x = -67.5 + 15.0 * f32::from(column) + 0.75 * f32::from(m);
            let at = [x, 20.0, -67.5 + 15.0 * f32::from(row)];
            let group = 10 * i32::from(row) + i32::from(column);
            ragdoll_space::add(
                world,
                &Ragdoll { at, friction: 5.0, frequency: 1.0, damping_ratio: 0.7, group, tag },
            )?;
        }
    }
    Ok(())
}
