//! The benchmark scenes of Box2D that need no joints.

use super::Flat;
use carom::d2::{Body, Collider, ConvexPolygon, Cuboid, Pose, Segment, Settings, World};
use carom::math::{Real, Vec2};
use carom::response::Error;

/// A world, and a body with many shapes that does not move.
pub(super) fn world_with(settings: Settings, ground: Body) -> Result<World, Error> {
    let mut world = World::new();
    world.set_settings(settings)?;
    world.add(ground)?;
    Ok(world)
}

pub(super) fn restless() -> Settings {
    Settings { sleep: false, ..Settings::default() }
}

/// A box at a place on a body.
fn box_at(half: [f32; 2], at: [f32; 2]) -> Result<Collider, Error> {
    Ok(Collider::new(Cuboid::new(half)?).at(at))
}

pub(super) fn compounds() -> Result<Flat, Error> {
    let mut ground = Body::fixed();
    for x in -40..=40_i16 {
        ground = ground.shape(box_at([0.55, 0.5], [f32::from(x), 0.0])?);
    }
    for side in [-40.0, 40.0] {
        for y in 1..=100_i16 {
            ground = ground.shape(box_at([0.5, 0.55], [side, f32::from(y)])?);
        }
    }
    ground = ground.shape(Segment::new([-800.0, -80.0], [800.0, -80.0])?);
    let mut world = world_with(Settings::default(), ground)?;
    let left = ConvexPolygon::from_hull([[-1.0, 0.0], [0.5, 1.0], [0.0, 2.0]])?;
    let right = ConvexPolygon::from_hull([[1.0, 0.0], [-0.5, 1.0], [0.0, 2.0]])?;
    let mut side = 0.25;
    for i in 0..20_i16 {
        for j in 0..150_i16 {
            let at = [2.0 * f32::from(i) - 19.0 + side, 2.25 * f32::from(j) + 5.575];
            side = -side;
            let body = Body::dynamic().at(at);
            let body = body.shape(Collider::new(left.clone()).friction(0.5));
            world.add(body.shape(Collider::new(right.clone()).friction(0.5)))?;
        }
    }
    Ok((world, None))
}

pub(super) fn junkyard() -> Result<Flat, Error> {
    let mut ground = Body::fixed();
    for x in -80..=80_i16 {
        ground = ground.shape(box_at([0.55, 0.5], [f32::from(x), 0.0])?);
    }
    for side in [-80.0, 80.0] {
        for y in 1..=50_i16 {
            ground = ground.shape(box_at([0.5, 0.55], [side, f32::from(y)])?);
        }
    }
    let mut world = world_with(Settings::default(), ground)?;
    let step = 3.883_222_f32;
    let rock = ConvexPolygon::from_hull((0..5_u8).map(|k| {
        let (sin, cos) = (f32::from(k) * step).sine_cosine();
        [0.25 * cos, 0.25 * sin]
    }))?;
    let mut side = -0.1;
    for i in 0..200_i16 {
        for j in 0..40_i16 {
            let at = [0.375 * (2.0 * f32::from(i) - 200.0) + side, f32::from(j) + 15.0];
            side = -side;
            world.add(Body::dynamic().at(at).shape(rock.clone()))?;
        }
    }
    world.add(Body::kinematic().name("pusher").shape(box_at([2.0, 4.0], [0.0, 4.0])?))?;
    Ok((world, Some(push)))
}

/// Moves the last body to x = 60·sin(0.2 t) within the next step.
fn push(world: &mut World, step: usize) -> Result<(), Error> {
    let Some((pusher, pose)) =
        world.bodies().find(|body| body.name() == Some("pusher")).map(|body| (body.handle(), body.pose()))
    else {
        return Ok(());
    };
    let (sin, _) = (0.2 * (step as f32 / 60.0)).sine_cosine();
    let way = Vec2::new(60.0 * sin, 0.0) - pose.translation;
    let mut pusher = world.get_mut(pusher)?;
    pusher.set_velocity(way * 60.0)?;
    pusher.wake();
    Ok(())
}

pub(super) fn large_pyramid() -> Result<Flat, Error> {
    let mut world = world_with(restless(), Body::fixed().at([0.0, -1.0]).shape(Cuboid::new([100.0, 1.0])?))?;
    let square = Cuboid::new([0.5, 0.5])?;
    for i in 0..100_i16 {
        for j in i..100 {
            let x = 0.5 * f32::from(i + 1) + f32::from(j - i) - 50.0;
            world.add(Body::dynamic().at([x, f32::from(i) + 0.5]).shape(square))?;
        }
    }
    Ok((world, None))
}

pub(super) fn many_pyramids() -> Result<Flat, Error> {
    let mut ground = Body::fixed();
    for r in 0..20_i16 {
        let y = 11.0 * f32::from(r);
        ground = ground.shape(Segment::new([-110.0, y], [110.0, y])?);
    }
    let mut world = world_with(restless(), ground)?;
    let square = Cuboid::new([0.5, 0.5])?;
    for r in 0..20_i16 {
        for c in 0..20_i16 {
            for i in 0..10_i16 {
                for j in i..10 {
                    let x = 0.5 * f32::from(i + 1) + f32::from(j - i) + (11.0 * f32::from(c) - 109.0) - 0.5;
                    let y = f32::from(i) + 0.5 + 11.0 * f32::from(r);
                    world.add(Body::dynamic().at([x, y]).shape(square))?;
                }
            }
        }
    }
    Ok((world, None))
}

pub(super) fn smash() -> Result<Flat, Error> {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::new(0.0, 0.0), ..Settings::default() })?;
    let heavy = Collider::new(Cuboid::new([4.0, 4.0])?).density(8.0);
    world.add(Body::dynamic().at([-20.0, 0.0]).velocity([40.0, 0.0]).shape(heavy))?;
    let square = Cuboid::new([0.2, 0.2])?;
    for i in 0..120_i16 {
        for j in 0..80_i16 {
            let at = [0.4 * f32::from(i) + 30.0, 0.4 * (f32::from(j) - 40.0)];
            world.add(Body::dynamic().at(at).asleep().shape(square))?;
        }
    }
    Ok((world, None))
}

pub(super) fn washer() -> Result<Flat, Error> {
    let mut world = world_with(Settings::default(), Body::fixed())?;
    let mut drum = Body::kinematic()
        .at(Pose::at([0.0, 10.0]))
        .velocity([0.001, -0.002])
        .angular_velocity(25.0 * core::f32::consts::PI / 180.0);
    for wall in drum_walls() {
        drum = drum.shape(ConvexPolygon::from_hull(wall)?);
    }
    world.add(drum)?;
    let square = Cuboid::new([0.1, 0.1])?;
    let mut y = 0.1_f32;
    for _ in 0..90 {
        let mut x = -9.9_f32;
        for _ in 0..90 {
            world.add(Body::dynamic().at([x, y]).reports_hits().shape(square))?;
            x += 0.21;
        }
        y += 0.21;
    }
    Ok((world, None))
}

/// The corners of the 36 walls and 4 fins of the drum.
pub(super) fn drum_walls() -> Vec<[[f32; 2]; 4]> {
    let alpha = core::f32::consts::PI / 18.0;
    let ring = |from: f32, to: f32, inner: f32, outer: f32| {
        let corner = |angle: f32, radius: f32| {
            let (sin, cos) = angle.sine_cosine();
            [radius * cos, radius * sin]
        };
        [corner(from, inner), corner(to, inner), corner(to, outer), corner(from, outer)]
    };
    let mut walls = Vec::new();
    for i in 0..36_u8 {
        let (first, second) = (f32::from(i) * alpha, f32::from(i + 1) * alpha);
        walls.push(ring(first - 0.1 * alpha, second + 0.1 * alpha, 16.0, 18.0));
        if i % 9 == 0 {
            walls.push(ring(first, second, 14.0, 16.0));
        }
    }
    walls
}
