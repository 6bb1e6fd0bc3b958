//! Small worlds that several tests use.

use carom_dynamics::{Settings, d2, d3};
use carom_geometry::d2::{Ball, Capsule, ConvexPolygon, Cuboid};
use carom_geometry::d3 as g3;
use carom_math::{Quat, Rot2, Vec2};

pub(crate) const DT: f32 = 1.0 / 60.0;

/// Numbers that look random and are the same everywhere.
pub(crate) struct Random(pub(crate) u32);

impl Random {
    /// In [−1, 1].
    pub(crate) fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(2_147_001_325).wrapping_add(715_136_305);
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }
}

/// A world in the plane with a wide ground whose surface is y = 0.
pub(crate) fn ground2(friction: f32) -> d2::World {
    let mut world = d2::World::new();
    let ground = d2::Collider::new(Cuboid::new([100.0, 1.0]).unwrap()).friction(friction);
    world.add(d2::Body::fixed().at([0.0, -1.0]).shape(ground)).unwrap();
    world
}

/// The same in space.
pub(crate) fn ground3(friction: f32) -> d3::World {
    let mut world = d3::World::new();
    let ground = d3::Collider::new(g3::Cuboid::new([100.0, 1.0, 100.0]).unwrap()).friction(friction);
    world.add(d3::Body::fixed().at([0.0, -1.0, 0.0]).shape(ground)).unwrap();
    world
}

/// A heap of everything, in the plane.
pub(crate) fn heap2(count: usize) -> d2::World {
    let mut world = ground2(0.6);
    let mut random = Random(7);
    for k in 0..count {
        let at = Vec2::new(3.0 * random.next(), 1.0 + 0.4 * k as f32);
        let body = d2::Body::dynamic()
            .at((at, Rot2::from_angle(3.0 * random.next())))
            .velocity([random.next(), random.next()])
            .angular_velocity(3.0 * random.next());
        let body = match k % 4 {
            0 => body.shape(Ball::new(0.35).unwrap()),
            1 => body.shape(d2::Collider::new(Cuboid::new([0.4, 0.3]).unwrap()).restitution(0.4)),
            2 => body.shape(
                d2::Collider::new(Capsule::new([-0.3, 0.0], [0.3, 0.0], 0.2).unwrap())
                    .rolling_resistance(0.1),
            ),
            _ => body.shape(ConvexPolygon::new([[0.0, 0.4], [-0.4, -0.2], [0.4, -0.3]]).unwrap()),
        };
        world.add(body).unwrap();
    }
    world
}

/// The same in space.
pub(crate) fn heap3(count: usize) -> d3::World {
    let mut world = ground3(0.6);
    let mut random = Random(11);
    for k in 0..count {
        let at = [2.0 * random.next(), 1.0 + 0.4 * k as f32, 2.0 * random.next()];
        let turn = Quat::new(random.next(), random.next(), random.next(), 1.5).unwrap();
        let body = d3::Body::dynamic()
            .at((at, turn))
            .velocity([random.next(), random.next(), random.next()])
            .angular_velocity([3.0 * random.next(), random.next(), random.next()]);
        let body = match k % 5 {
            0 => body.shape(g3::Ball::new(0.35).unwrap()),
            1 => body.shape(d3::Collider::new(g3::Cuboid::new([0.4, 0.3, 0.2]).unwrap()).restitution(0.4)),
            2 => body.shape(
                d3::Collider::new(g3::Capsule::new([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], 0.2).unwrap())
                    .rolling_resistance(0.1),
            ),
            3 => body.shape(g3::Cylinder::new(0.2, 0.3).unwrap()),
            _ => body.shape(
                g3::ConvexHull::new([
                    [0.4, 0.0, 0.0],
                    [-0.3, 0.3, 0.0],
                    [-0.3, -0.2, 0.3],
                    [-0.3, -0.2, -0.3],
                ])
                .unwrap(),
            ),
        };
        world.add(body).unwrap();
    }
    world
}

/// A pyramid of squares.
pub(crate) fn pyramid2(rows: u8) -> d2::World {
    let mut world = ground2(0.6);
    for row in 0..rows {
        for column in row..rows {
            let x = 0.5 * f32::from(row + 1) + f32::from(column - row) - 0.5 * f32::from(rows);
            let body = d2::Body::dynamic().at([x, 0.5 + f32::from(row)]);
            world.add(body.shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
        }
    }
    world
}

/// Cubes side by side and on top of each other, which touch all around.
pub(crate) fn block3(side: u8) -> d3::World {
    let mut world = ground3(0.6);
    for (x, y, z) in (0..side).flat_map(|x| (0..side).flat_map(move |y| (0..side).map(move |z| (x, y, z)))) {
        let at = [f32::from(x), 0.5 + f32::from(y), f32::from(z)];
        world.add(d3::Body::dynamic().at(at).shape(g3::Cuboid::new([0.5; 3]).unwrap())).unwrap();
    }
    world
}

/// Never sleeps.
pub(crate) fn restless2(world: &mut d2::World) {
    world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
}

/// Never sleeps.
pub(crate) fn restless3(world: &mut d3::World) {
    world.set_settings(Settings { sleep: false, ..*world.settings() }).unwrap();
}
