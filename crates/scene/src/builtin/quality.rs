//! Scenes of Solver2D that need no joints: they show whether bodies behave.

use super::Flat;
use super::plane::{restless, world_with};
use carom::d2::{Ball, Body, Capsule, Collider, ConvexPolygon, Cuboid, Pose, Rot2, Segment, Settings, World};
use carom::math::{Real, Vec2, Vector};
use carom::response::Error;

fn line(from: [f32; 2], to: [f32; 2]) -> Result<Collider, Error> {
    Ok(Collider::new(Segment::new(from, to)?))
}

fn square(half: f32) -> Result<Collider, Error> {
    Ok(Collider::new(Cuboid::new([half, half])?))
}

pub(super) fn high_mass_ratio_1() -> Result<Flat, Error> {
    let mut world =
        world_with(restless(), Body::fixed().shape(line([-66.0, 0.0], [66.0, 0.0])?.friction(0.5)))?;
    for p in 0..3_i16 {
        let mut y = 1.0;
        for n in (1..=10_i16).rev() {
            for i in 0..n {
                let x = 2.0 * (f32::from(i) - 0.5 * f32::from(n)) - 20.0 + 22.0 * f32::from(p);
                let (raised, density) = if n == 1 { (2.0, 100.0 * f32::from(p + 1)) } else { (0.0, 1.0) };
                let shape = square(1.0)?.friction(0.5).density(density);
                world.add(Body::dynamic().at([x, y + raised]).shape(shape))?;
            }
            y += 2.0;
        }
    }
    Ok((world, None))
}

fn big_on_small(ground: Body) -> Result<Flat, Error> {
    let mut world = world_with(restless(), ground)?;
    for x in [-9.0, 9.0] {
        world.add(Body::dynamic().at([x, 0.5]).shape(square(0.5)?))?;
    }
    world.add(Body::dynamic().at([0.0, 26.0]).shape(square(10.0)?))?;
    Ok((world, None))
}

pub(super) fn high_mass_ratio_2() -> Result<Flat, Error> {
    big_on_small(Body::fixed().shape(line([-20.0, 0.0], [20.0, 0.0])?))
}

pub(super) fn high_mass_ratio_3() -> Result<Flat, Error> {
    big_on_small(Body::fixed().at([0.0, -2.0]).shape(Cuboid::new([40.0, 2.0])?))
}

pub(super) fn friction_ramp() -> Result<Flat, Error> {
    let mut ground = Body::fixed().shape(line([-40.0, 0.0], [40.0, 0.0])?.friction(0.2));
    for (x, y, angle) in [(-4.0, 22.0, -0.25), (4.0, 14.0, 0.25), (-4.0, 6.0, -0.25)] {
        let ramp = Collider::new(Cuboid::new([13.0, 0.25])?).at(Pose::new([x, y], Rot2::from_angle(angle)));
        ground = ground.shape(ramp.friction(0.2));
    }
    for (x, y) in [(10.5, 19.0), (-10.5, 11.0)] {
        ground = ground.shape(Collider::new(Cuboid::new([0.25, 1.0])?).at([x, y]).friction(0.2));
    }
    let mut world = world_with(restless(), ground)?;
    for (i, friction) in [0.75, 0.5, 0.35, 0.1, 0.0].into_iter().enumerate() {
        let shape = square(0.5)?.density(25.0).friction(friction);
        world.add(Body::dynamic().at([-15.0 + 4.0 * i as f32, 28.0]).shape(shape))?;
    }
    Ok((world, None))
}

/// Squares that start in each other, above a segment, at an origin.
fn overlapping_at(origin: [f32; 2]) -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().at(origin).shape(line([-40.0, 0.0], [40.0, 0.0])?))?;
    for i in 0..4_i16 {
        for j in i..4 {
            let x = 0.375 * (f32::from(i) - 4.0) + 0.75 * f32::from(j - i);
            let at = [origin[0] + x, origin[1] + 0.5 + 0.75 * f32::from(i)];
            world.add(Body::dynamic().at(at).shape(square(0.5)?))?;
        }
    }
    Ok((world, None))
}

pub(super) fn overlap_recovery() -> Result<Flat, Error> {
    overlapping_at([0.0, 0.0])
}

pub(super) fn far_recovery() -> Result<Flat, Error> {
    overlapping_at([80_000.0, -70_000.0])
}

pub(super) fn vertical_stack() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([100.0, 1.0])?))?;
    for i in 0..15_i16 {
        let x = if i % 2 == 0 { -0.01 } else { 0.01 };
        world.add(Body::dynamic().at([x, 0.55 + 1.1 * f32::from(i)]).shape(square(0.5)?.friction(0.3)))?;
    }
    Ok((world, None))
}

/// Inner and outer points of the arch, to be scaled by a quarter.
const ARCH: [[[f32; 2]; 2]; 9] = [
    [[16.0, 0.0], [24.0, 0.0]],
    [[14.938_037, 5.133_601], [22.336_195, 6.022_998_5]],
    [[13.798_718, 10.249_281], [20.549_37, 12.009_644]],
    [[12.562_53, 15.341_07], [18.608_546, 17.947_032]],
    [[11.200_41, 20.398_565], [16.467_693, 23.813_68]],
    [[9.665_212, 25.403_7], [14.053_25, 29.570_793]],
    [[7.871_799_5, 30.317_934], [11.235_51, 35.137_758]],
    [[5.635_199_5, 35.038_207], [7.752_568_2, 40.304_504]],
    [[2.405_938, 39.095_54], [3.016_931_5, 44.288_916]],
];

pub(super) fn arch() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().shape(line([-100.0, 0.0], [100.0, 0.0])?))?;
    let scaled = |[x, y]: [f32; 2]| [0.25 * x, 0.25 * y];
    let mirrored = |[x, y]: [f32; 2]| [-x, y];
    let mut add = |corners: [[f32; 2]; 4]| -> Result<(), Error> {
        world.add(Body::dynamic().shape(ConvexPolygon::from_hull(corners)?)).map(|_| ())
    };
    let stones: Vec<[[f32; 2]; 4]> =
        ARCH.windows(2).map(|pair| [pair[0][0], pair[0][1], pair[1][1], pair[1][0]].map(scaled)).collect();
    for stone in &stones {
        add(*stone)?;
    }
    for stone in &stones {
        add(stone.map(mirrored))?;
    }
    let [inner, outer] = ARCH[8].map(scaled);
    add([inner, outer, mirrored(outer), mirrored(inner)])?;
    for i in 0..4_u8 {
        world.add(Body::dynamic().at([0.0, 11.572_229 + f32::from(i)]).shape(Cuboid::new([2.0, 0.5])?))?;
    }
    Ok((world, None))
}

pub(super) fn card_house() -> Result<Flat, Error> {
    let ground = Collider::new(Cuboid::new([40.0, 2.0])?).friction(0.7);
    let mut world = world_with(restless(), Body::fixed().at([0.0, -2.0]).shape(ground))?;
    let mut card = |x: f32, y: f32, angle: f32| -> Result<(), Error> {
        let shape = Collider::new(Cuboid::new([0.001, 0.2])?).friction(0.7);
        world.add(Body::dynamic().at(Pose::new([x, y], Rot2::from_angle(angle))).shape(shape)).map(|_| ())
    };
    let (right, lean) = (core::f32::consts::FRAC_PI_2, 25.0 * core::f32::consts::PI / 180.0);
    let (mut start, mut y) = (0.0_f32, 0.18_f32);
    for n in (1..=5).rev() {
        let mut x = start;
        for i in 0..n {
            if i != n - 1 {
                card(x + 0.25, y + 0.185, right)?;
            }
            card(x, y, -lean)?;
            x += 0.175;
            card(x, y, lean)?;
            x += 0.175;
        }
        y += 0.37;
        start += 0.175;
    }
    Ok((world, None))
}

pub(super) fn confined() -> Result<Flat, Error> {
    let mut walls = Body::fixed();
    for (a, b) in [
        ([-10.5, 0.0], [10.5, 0.0]),
        ([-10.5, 0.0], [-10.5, 20.5]),
        ([10.5, 0.0], [10.5, 20.5]),
        ([-10.5, 20.5], [10.5, 20.5]),
    ] {
        walls = walls.shape(Capsule::new(a, b, 0.5)?);
    }
    let settings = Settings { gravity: Vec2::new(0.0, 0.0), ..restless() };
    let mut world = world_with(settings, walls)?;
    for column in 0..25_i16 {
        for row in 0..25_i16 {
            let at = [-8.75 + 0.72 * f32::from(column), 1.5 + 0.72 * f32::from(row)];
            world.add(Body::dynamic().at(at).shape(Ball::new(0.5)?))?;
        }
    }
    Ok((world, None))
}

pub(super) fn far_pyramid() -> Result<Flat, Error> {
    let (ox, oy) = (100_000.0, -80_000.0);
    let mut world =
        world_with(restless(), Body::fixed().at([ox, oy - 1.0]).shape(Cuboid::new([100.0, 1.0])?))?;
    for i in 0..10_i16 {
        for j in i..10 {
            let x = 0.625 * f32::from(i + 1) + 1.25 * f32::from(j - i) - 5.0;
            let y = 0.625 * f32::from(2 * i + 1) + 0.5;
            world.add(Body::dynamic().at([ox + x, oy + y]).shape(square(0.5)?))?;
        }
    }
    Ok((world, None))
}

pub(super) fn warm_start_energy() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().shape(line([-10.0, 0.0], [10.0, 0.0])?))?;
    for (y, density) in [(0.5, 1.0), (1.5, 1.0), (2.5, 100.0)] {
        world.add(Body::dynamic().at([0.0, y]).shape(Collider::new(Ball::new(0.5)?).density(density)))?;
    }
    Ok((world, Some(take_off)))
}

/// Removes the last body before step 120.
fn take_off(world: &mut World, step: usize) -> Result<(), Error> {
    if step == 120
        && let Some(last) = world.bodies().last().map(|body| body.handle())
    {
        world.remove(last)?;
    }
    Ok(())
}

pub(super) fn rush() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().shape(Ball::new(0.5)?))?;
    for i in 0..400_i16 {
        let (sin, cos) = (0.2 * f32::from(i)).sine_cosine();
        let radius = 5.0 + 0.05 * f32::from(i);
        let shape = Collider::new(Ball::new(0.5)?).density(100.0).friction(0.2);
        world.add(Body::dynamic().at([radius * cos, radius * sin]).gravity_scale(0.0).shape(shape))?;
    }
    Ok((world, Some(pull)))
}

/// Pulls every body to the origin with 1000 N.
fn pull(world: &mut World, _: usize) -> Result<(), Error> {
    let pulls: Vec<_> = world
        .bodies()
        .filter(|body| body.mass() > 0.0)
        .map(|body| (body.handle(), body.center_of_mass()))
        .collect();
    for (body, at) in pulls {
        let distance = Vector::length(at);
        if distance > 0.1 {
            world.get_mut(body)?.apply_force(at * (-1000.0 / distance))?;
        }
    }
    Ok(())
}

pub(super) fn double_domino() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([100.0, 1.0])?))?;
    for i in 0..15_i16 {
        let domino =
            world.add(Body::dynamic().at([-7.5 + f32::from(i), 0.5]).shape(Cuboid::new([0.125, 0.5])?))?;
        if i == 0 {
            world.get_mut(domino)?.apply_impulse_at([0.2, 0.0], [-7.5, 1.0])?;
        }
    }
    Ok((world, None))
}

pub(super) fn circle_stack() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().shape(line([-40.0, 0.0], [40.0, 0.0])?))?;
    for i in 0..10_i16 {
        world.add(Body::dynamic().at([0.0, 4.0 + 3.0 * f32::from(i)]).shape(Ball::new(1.0)?))?;
    }
    Ok((world, None))
}

pub(super) fn far_stack() -> Result<Flat, Error> {
    let (ox, oy) = (40_000.0, -25_000.0);
    let mut world =
        world_with(restless(), Body::fixed().at([ox, oy - 1.0]).shape(Cuboid::new([10.0, 1.0])?))?;
    world.add(Body::dynamic().at([ox + 1.875, oy + 0.125]).shape(Ball::new(0.1)?))?;
    for (half, at) in [
        ([0.1, 0.125], [-1.875, 0.15]),
        ([2.0, 0.05], [0.0, 0.325]),
        ([0.25, 0.25], [-0.5, 0.9]),
        ([0.5, 0.5], [-0.55, 1.7]),
    ] {
        world.add(Body::dynamic().at([ox + at[0], oy + at[1]]).shape(Cuboid::new(half)?))?;
    }
    Ok((world, None))
}
