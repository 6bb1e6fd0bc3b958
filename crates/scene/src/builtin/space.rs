//! The benchmark scenes of Box3D and Jolt that need neither joints nor meshes.

use super::Solid;
use super::plane::drum_walls;
use carom::d3::{Ball, Body, Collider, ConvexHull, Cuboid, Settings, World};
use carom::math::{Real, Vec3, Vector};
use carom::response::Error;

/// A world on a box whose upper side is y = 0.
fn on_ground(settings: Settings, half: [f32; 3]) -> Result<World, Error> {
    let mut world = World::new();
    world.set_settings(settings)?;
    world.add(Body::fixed().at([0.0, -1.0, 0.0]).shape(Cuboid::new(half)?))?;
    Ok(world)
}

fn cube(half: f32, density: f32) -> Result<Collider, Error> {
    Ok(Collider::new(Cuboid::new([half; 3])?).density(density))
}

pub(super) fn convex_pile() -> Result<Solid, Error> {
    let mut world = on_ground(Settings::default(), [250.0, 1.0, 250.0])?;
    let mut state = 42_u32;
    let mut draw = || {
        state = state.wrapping_mul(2_147_001_325).wrapping_add(715_136_305);
        (state & 0xffff) as f32 / 65_535.0 - 0.5
    };
    let mut points = Vec::with_capacity(32);
    while points.len() < 32 {
        let v = Vec3::new(draw(), draw(), draw());
        if v.dot(v) <= 0.25
            && let Some(unit) = v.normalized()
        {
            points.push(unit * 2.0);
        }
    }
    let rock = Collider::new(ConvexHull::new(points)?).density(1000.0);
    for layer in 0..80_i16 {
        for z in 0..8_i16 {
            for x in 0..8_i16 {
                let at = [4.0 * f32::from(x - 4), 2.0 + 4.0 * f32::from(layer), 4.0 * f32::from(z - 4)];
                world.add(Body::dynamic().at(at).shape(rock.clone()))?;
            }
        }
    }
    Ok((world, None))
}

pub(super) fn junkyard() -> Result<Solid, Error> {
    let mut ground = Body::fixed().at([0.0, -1.0, 0.0]).shape(Cuboid::new([120.0, 1.0, 120.0])?);
    for (half, at) in [
        ([1.0, 8.0, 50.0], [-50.0, 8.0, 0.0]),
        ([1.0, 8.0, 50.0], [50.0, 8.0, 0.0]),
        ([50.0, 8.0, 1.0], [0.0, 8.0, -50.0]),
        ([50.0, 8.0, 1.0], [0.0, 8.0, 50.0]),
    ] {
        ground = ground.shape(Collider::new(Cuboid::new(half)?).at(at));
    }
    let mut world = World::new();
    world.add(ground)?;
    let golden = 2.0 * core::f32::consts::PI / (0.5 * (1.0 + 5.0_f32.sqrt()));
    let rock = ConvexHull::new((0..10_u8).map(|i| {
        let z = 1.0 - (2.0 * f32::from(i) + 1.0) / 10.0;
        let radius = (1.0 - z * z).sqrt();
        let (sin, cos) = (f32::from(i) * golden).sine_cosine();
        [1.5 * radius * cos, 1.5 * radius * sin, 1.5 * z]
    }))?;
    let rock = Collider::new(rock).density(1000.0);
    for y in 0..24_i16 {
        for x in 0..21_i16 {
            for z in 0..21_i16 {
                let at = [x, y, z].map(|k| 4.0 * f32::from(k));
                let at = [at[0] - 40.0, at[1] + 25.0, at[2] - 40.0];
                world.add(Body::dynamic().at(at).shape(rock.clone()))?;
            }
        }
    }
    let pillar = ConvexHull::new((0..32_u8).map(|k| {
        let (sin, cos) = (f32::from(k % 16) * core::f32::consts::PI / 8.0).sine_cosine();
        [4.0 * cos, if k < 16 { 0.0 } else { 24.0 }, 4.0 * sin]
    }))?;
    world.add(Body::kinematic().name("pusher").at([35.0, 0.0, 0.0]).shape(pillar))?;
    Ok((world, Some(push)))
}

/// Moves the pusher a tenth of a degree around the centre.
fn push(world: &mut World, step: usize) -> Result<(), Error> {
    let Some((pusher, pose)) =
        world.bodies().find(|body| body.name() == Some("pusher")).map(|body| (body.handle(), body.pose()))
    else {
        return Ok(());
    };
    let angle = -0.1 * (step as f32 + 1.0) * core::f32::consts::PI / 180.0;
    let (sin, cos) = angle.sine_cosine();
    let way = Vec3::new(35.0 * cos, 0.0, 35.0 * sin) - pose.translation;
    world.get_mut(pusher)?.set_velocity(way * 60.0)
}

pub(super) fn large_pyramid() -> Result<Solid, Error> {
    let mut world = on_ground(Settings { sleep: false, ..Settings::default() }, [400.0, 1.0, 400.0])?;
    for i in 0..100_i16 {
        for j in i..100 {
            let x = 0.5 * f32::from(i + 1) + f32::from(j - i) - 50.0;
            world.add(Body::dynamic().at([x, f32::from(i) + 0.5, 0.0]).shape(cube(0.5, 100.0)?))?;
        }
    }
    Ok((world, None))
}

pub(super) fn many_pyramids() -> Result<Solid, Error> {
    let mut world = on_ground(Settings::default(), [77.0, 1.0, 77.0])?;
    let mut z = -76.0_f32;
    for _ in 0..14 {
        for c in 0..14_i16 {
            for i in 0..10_i16 {
                for j in i..10 {
                    let x = 0.5 * f32::from(i + 1) + f32::from(j - i) + (11.0 * f32::from(c) - 76.0) - 0.5;
                    let body = Body::dynamic().at([x, f32::from(i) + 0.5, z]).can_sleep(false);
                    world.add(body.shape(cube(0.5, 100.0)?))?;
                }
            }
        }
        z += 152.0 / 13.0;
    }
    Ok((world, None))
}

pub(super) fn large_world() -> Result<Solid, Error> {
    let mut world = World::new();
    let tile = Cuboid::new([5.0, 0.25, 5.0])?;
    for i in 0..1000_i16 {
        for j in 0..1000_i16 {
            let at = [-4995.0 + 10.0 * f32::from(i), 0.0, -4995.0 + 10.0 * f32::from(j)];
            world.add(Body::fixed().at(at).shape(tile))?;
        }
    }
    Ok((world, Some(drop_ball)))
}

/// Drops a ball at every fifth step.
fn drop_ball(world: &mut World, step: usize) -> Result<(), Error> {
    if step == 0 || !step.is_multiple_of(5) || step / 5 > 100 {
        return Ok(());
    }
    let (column, row) = ((step / 5 - 1) % 10, (step / 5 - 1) / 10);
    let at = [-3600.0 + 800.0 * column as f32, 1.5, -3600.0 + 800.0 * row as f32];
    let ball = Collider::new(Ball::new(0.5)?).density(1000.0);
    world.add(Body::dynamic().at(at).shape(ball)).map(|_| ())
}

pub(super) fn washer() -> Result<Solid, Error> {
    let mut world = on_ground(Settings::default(), [60.0, 1.0, 60.0])?;
    let spin = 25.0 * core::f32::consts::PI / 180.0;
    let mut drum = Body::kinematic().at([0.0, 21.0, 0.0]).velocity([0.001, -0.002, 0.0]);
    drum = drum.angular_velocity([0.0, 0.0, spin]);
    for wall in drum_walls() {
        let ends = [-10.0, 10.0].map(|z| wall.map(|[x, y]| [x, y, z]));
        drum = drum.shape(ConvexHull::new(ends.into_iter().flatten())?);
    }
    world.add(drum)?;
    let mut x = -8.0_f32;
    for _ in 0..20 {
        let mut y = 13.0_f32;
        for _ in 0..20 {
            let mut z = -8.0_f32;
            for _ in 0..20 {
                world.add(Body::dynamic().at([x, y, z]).shape(cube(0.2, 1000.0)?))?;
                z += 0.8;
            }
            y += 0.8;
        }
        x += 0.8;
    }
    Ok((world, None))
}

/// Fifteen layers of cubes, half a metre above each other.
fn layers(world: &mut World, shape: &Collider, damping: f32, can_sleep: bool) -> Result<(), Error> {
    for i in 0..15_i16 {
        let odd = f32::from(i % 2);
        for j in i / 2..=14 - (i + 1) / 2 {
            for k in i / 2..=14 - (i + 1) / 2 {
                let at = [
                    -15.0 + 2.0 * f32::from(j) + odd,
                    1.0 + 2.5 * f32::from(i),
                    -15.0 + 2.0 * f32::from(k) + odd,
                ];
                let body = Body::dynamic().at(at).damping(damping, damping).can_sleep(can_sleep);
                world.add(body.shape(shape.clone()))?;
            }
        }
    }
    Ok(())
}

pub(super) fn wide_pyramid() -> Result<Solid, Error> {
    let mut world = on_ground(Settings::default(), [100.0, 1.0, 100.0])?;
    layers(&mut world, &cube(0.975, 1000.0)?, 0.0, true)?;
    Ok((world, None))
}

pub(super) fn jolt_pyramid() -> Result<Solid, Error> {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec3::new(0.0, -9.81, 0.0), ..Settings::default() })?;
    let ground = Collider::new(Cuboid::new([50.0, 1.0, 50.0])?).friction(0.2);
    world.add(Body::fixed().at([0.0, -1.0, 0.0]).shape(ground))?;
    layers(&mut world, &cube(1.0, 1000.0)?.friction(0.2), 0.05, false)?;
    Ok((world, None))
}
