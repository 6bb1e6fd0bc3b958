//! Scenes with joints in space.

use super::Solid;
use carom::d3::{Ball, Body, BodyHandle, Collider, Filter, Joint, Settings, World};
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
