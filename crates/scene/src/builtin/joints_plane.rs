//! Scenes with joints in the plane: those of Box2D's benchmark, then those of Solver2D that show whether joints
//! hold.

use super::Flat;
use super::plane::{restless, world_with};
use super::ragdoll::{self, Ragdoll};
use carom::d2::{
    Ball, Body, BodyHandle, Capsule, Collider, Cuboid, Filter, Joint, Pose, Rot2, Rounded, Segment, Settings,
    World,
};
use carom::math::Real;
use carom::response::Error;

/// A grid of hinged discs, a hundred by a hundred, which hangs from seven of them.
fn grid(gravity_scale: f32) -> Result<Flat, Error> {
    let mut world = World::new();
    world.set_settings(restless())?;
    let filter = Filter { category: 2, mask: !2, group: 0 };
    let mut column: Vec<BodyHandle> = Vec::new();
    for k in 0..100_i16 {
        let last = core::mem::take(&mut column);
        for i in 0..100_i16 {
            let body = if i == 0 && (47..=53).contains(&k) { Body::fixed() } else { Body::dynamic() };
            let body = body.at([f32::from(k), -f32::from(i)]).gravity_scale(gravity_scale);
            let body = world.add(body.shape(Collider::new(Ball::new(0.4)?).filter(filter)))?;
            if let Some(above) = column.last() {
                world.add_joint(Joint::revolute(*above, body).anchors([0.0, -0.5], [0.0, 0.5]))?;
            }
            if let Some(left) = last.get(column.len()) {
                world.add_joint(Joint::revolute(*left, body).anchors([0.5, 0.0], [-0.5, 0.0]))?;
            }
            column.push(body);
        }
    }
    Ok((world, None))
}

pub(super) fn joint_grid() -> Result<Flat, Error> {
    grid(1.0)
}

pub(super) fn joint_grid_heavy() -> Result<Flat, Error> {
    grid(2.0)
}

pub(super) fn rain() -> Result<Flat, Error> {
    let mut ground = Body::fixed();
    for row in 0..5_i16 {
        for j in 0..501_i16 {
            let at = [-125.0 + 0.5 * f32::from(j), 45.0 * f32::from(row)];
            ground = ground.shape(Collider::new(Cuboid::new([0.25, 0.25])?).at(at));
        }
    }
    Ok((world_with(Settings::default(), ground)?, Some(rain_more)))
}

/// A column of ragdolls at every eighth step: a new one while there are fewer than forty, then one again.
fn rain_more(world: &mut World, step: usize) -> Result<(), Error> {
    if !step.is_multiple_of(8) {
        return Ok(());
    }
    let column = (step / 8) % 40;
    for row in 0..5_u8 {
        let tag = 1 + 5 * column as u64 + u64::from(row);
        if 40 <= step / 8 {
            ragdoll::remove(world, tag)?;
        }
        for m in 0..5_u8 {
            let x = -125.0 + 6.25 * (column as f32 + 0.5) + 0.5 * f32::from(m);
            let at = [x, 40.0 + 45.0 * f32::from(row)];
            let group = i32::from(m) + 1;
            ragdoll::add(
                world,
                &Ragdoll { at, friction: 0.05, frequency: 5.0, damping_ratio: 0.5, group, tag },
            )?;
        }
    }
    Ok(())
}

pub(super) fn spinner() -> Result<Flat, Error> {
    let corner = |k: u16| {
        let angle = -2.0 * core::f32::consts::PI * f32::from(k % 360) / 360.0;
        let (sin, cos) = angle.sine_cosine();
        [40.0 * cos, 32.0 + 40.0 * sin]
    };
    let mut ground = Body::fixed();
    for k in 0..360_u16 {
        ground = ground.shape(Collider::new(Segment::new(corner(k), corner(k + 1))?).friction(0.1));
    }
    let mut world = World::new();
    let ground = world.add(ground)?;
    let blade = Collider::new(Rounded::new(Cuboid::new([0.4, 20.0])?, 0.2)?).friction(0.0);
    let spinner = world.add(Body::dynamic().at([0.0, 12.0]).can_sleep(false).shape(blade))?;
    world.add_joint(Joint::revolute(ground, spinner).at([0.0, 12.0]).motor(5.0, f32::MAX))?;
    let (mut x, mut y) = (-23.0_f32, 2.0_f32);
    for i in 0..6076_u16 {
        let shape = match i % 3 {
            0 => Collider::new(Capsule::new([-0.25, 0.0], [0.25, 0.0], 0.25)?),
            1 => Collider::new(Ball::new(0.35)?),
            _ => Collider::new(Cuboid::new([0.35, 0.35])?),
        };
        world.add(Body::dynamic().at([x, y]).shape(shape.density(0.25).friction(0.1).restitution(0.1)))?;
        x += 0.5;
        if 23.0 <= x {
            (x, y) = (-23.0, y + 0.5);
        }
    }
    Ok((world, None))
}

pub(super) fn tumbler() -> Result<Flat, Error> {
    let mut world = World::new();
    let ground = world.add(Body::fixed())?;
    let mut frame = Body::dynamic().at([0.0, 10.0]);
    for (half, at) in [
        ([0.5, 10.0], [10.0, 0.0]),
        ([0.5, 10.0], [-10.0, 0.0]),
        ([10.0, 0.5], [0.0, 10.0]),
        ([10.0, 0.5], [0.0, -10.0]),
    ] {
        frame = frame.shape(Collider::new(Cuboid::new(half)?).at(at).density(50.0));
    }
    let frame = world.add(frame)?;
    let speed = 25.0 * core::f32::consts::PI / 180.0;
    world.add_joint(Joint::revolute(ground, frame).anchors([0.0, 10.0], [0.0, 0.0]).motor(speed, 1e8))?;
    let square = Cuboid::new([0.125, 0.125])?;
    let mut y = 1.0_f32;
    for _ in 0..45 {
        let mut x = -9.0_f32;
        for _ in 0..45 {
            world.add(Body::dynamic().at([x, y]).shape(square))?;
            x += 0.4;
        }
        y += 0.4;
    }
    Ok((world, None))
}

/// Hangs a row of bodies on the ground, each by a hinge at the left of it; the answer is the last.
fn row(
    world: &mut World,
    ground: BodyHandle,
    count: u16,
    shape: &Collider,
    place: impl Fn(u16) -> ([f32; 2], [f32; 2]),
) -> Result<BodyHandle, Error> {
    let mut last = ground;
    for k in 0..count {
        let (at, hinge) = place(k);
        let body = Body::dynamic().at(at).damping(0.1, 0.1).shape(shape.clone());
        let body = world.add(body)?;
        world.add_joint(Joint::revolute(last, body).at(hinge))?;
        last = body;
    }
    Ok(last)
}

pub(super) fn bridge() -> Result<Flat, Error> {
    let mut world = World::new();
    world.set_settings(restless())?;
    let ground = world.add(Body::fixed())?;
    let plank = Collider::new(Cuboid::new([0.5, 0.125])?).density(20.0);
    let place = |k: u16| ([-79.5 + f32::from(k), 20.0], [-80.0 + f32::from(k), 20.0]);
    let last = row(&mut world, ground, 160, &plank, place)?;
    world.add_joint(Joint::revolute(last, ground).at([80.0, 20.0]))?;
    Ok((world, None))
}

pub(super) fn ball_and_chain() -> Result<Flat, Error> {
    chain_with_ball(20.0)
}

/// The density is that of the ball; links have 20.
pub(super) fn chain_with_ball(density: f32) -> Result<Flat, Error> {
    let mut world = World::new();
    world.set_settings(restless())?;
    let ground = world.add(Body::fixed())?;
    let link = Collider::new(Capsule::new([-0.5, 0.0], [0.5, 0.0], 0.125)?).density(20.0);
    let place = |k: u16| ([0.5 + f32::from(k), 20.0], [f32::from(k), 20.0]);
    let last = row(&mut world, ground, 40, &link, place)?;
    let ball = Body::dynamic().at([48.0, 20.0]).damping(0.1, 0.1);
    let ball = world.add(ball.shape(Collider::new(Ball::new(8.0)?).density(density)))?;
    world.add_joint(Joint::revolute(last, ball).at([40.0, 20.0]))?;
    Ok((world, None))
}

pub(super) fn stretched_chain() -> Result<Flat, Error> {
    let mut world = World::new();
    world.set_settings(restless())?;
    let mut last = world.add(Body::fixed())?;
    let mut anchor = [0.0, 39.5];
    let disc = Collider::new(Ball::new(0.2)?).filter(Filter { mask: 0, ..Filter::default() });
    for i in 0..40_u8 {
        let body = world.add(Body::dynamic().at([0.0, 38.0 - 2.0 * f32::from(i)]).shape(disc.clone()))?;
        world.add_joint(Joint::revolute(last, body).anchors(anchor, [0.0, 0.5]))?;
        (last, anchor) = (body, [0.0, -0.5]);
    }
    Ok((world, None))
}

pub(super) fn far_chain() -> Result<Flat, Error> {
    let mut world = World::new();
    world.set_settings(restless())?;
    let (ox, oy) = (40_000.0, -35_000.0);
    let mut last = world.add(Body::fixed().at([ox, oy]))?;
    let mut anchor = [0.0, 4.0];
    let link = Collider::new(Capsule::new([-0.1, 0.0], [0.1, 0.0], 0.025)?).density(20.0);
    for i in 0..40_u8 {
        let at = [ox + 0.1 * (1.0 + 2.0 * f32::from(i)), oy + 4.0];
        let body = world.add(Body::dynamic().at(at).damping(0.1, 0.1).shape(link.clone()))?;
        world.add_joint(Joint::revolute(last, body).anchors(anchor, [-0.1, 0.0]))?;
        (last, anchor) = (body, [0.1, 0.0]);
    }
    Ok((world, None))
}

pub(super) fn falling_hinges() -> Result<Flat, Error> {
    let ground = Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([40.0, 1.0])?);
    let mut world = world_with(Settings::default(), ground)?;
    let square = Cuboid::new([0.25, 0.25])?;
    let pi = core::f32::consts::PI;
    for j in 0..4_u8 {
        let mut below = None;
        for i in 0..20_u8 {
            let at = [-3.75 + 2.5 * f32::from(j) + 0.1 * f32::from(i), 0.25 + 0.5 * f32::from(i)];
            let turn = Rot2::from_angle(if i % 2 == 0 { -0.1 } else { 0.1 });
            let body = world.add(Body::dynamic().at(Pose::new(at, turn)).shape(square))?;
            let Some(lower) = below.take() else {
                below = Some(body);
                continue;
            };
            let joint = Joint::revolute(lower, body)
                .anchors([-0.25, 0.25], [-0.25, -0.25])
                .limits(-0.1 * pi, 0.2 * pi)
                .spring(0.0, 1.0, 1.0)
                .motor(0.0, 0.25)
                .softness(60.0, 0.0);
            world.add_joint(joint)?;
        }
    }
    Ok((world, None))
}
