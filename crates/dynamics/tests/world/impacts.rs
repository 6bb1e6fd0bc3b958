//! What falls flat comes up flat: a hit that several points share acts as mechanics says.

use crate::scenes::{DT, ground2, ground3};
use carom_dynamics::{Settings, d2, d3};
use carom_geometry::d2::{Ball, Cuboid};
use carom_geometry::d3 as g3;
use carom_math::{Number, Pose2, Pose3, Quat, Rot2, Vec3, Vector};

/// What came of a fall.
#[derive(Debug)]
struct Bounce {
    /// How fast it went up, at most.
    up: f32,
    /// How high it rose above where it touched.
    rise: f32,
    spin: f32,
    hits: usize,
}

impl Bounce {
    /// With the restitution e, after a fall from a height.
    fn check(&self, what: &str, restitution: f32, height: f32, spin: f32) {
        let up = restitution * (20.0 * height).sqrt();
        let rise = restitution * restitution * height;
        let what = format!("{what}, e {restitution} from {height}: {self:?}, not {up}, {rise}");
        // What hits within a step may have the velocity of its end, and what rises changes its velocity before it moves.
        assert!((self.up - up).abs() < restitution * (0.01 * up + 10.0 * DT) + 0.3, "{what}");
        assert!((self.rise - rise).abs() < 0.01 * restitution * height + 1.5 * up * DT + 0.005, "{what}");
        assert!(self.spin < spin && self.hits == 1, "{what}");
    }
}

/// Lets a body fall by `height` until it hits, and on until it hits again or two seconds are over.
macro_rules! bounce {
    ($world:expr, $body:expr, $rest:expr, |$spin:ident| $size:expr) => {{
        let mut bounce = Bounce { up: 0.0, rise: 0.0, spin: 0.0, hits: 0 };
        let mut has_turned = false;
        for _ in 0..300 {
            $world.step(DT).unwrap();
            let body = $world.get($body).unwrap();
            // The second fall ends in a hit of its own.
            has_turned |= bounce.rise > 0.01 && body.velocity().y < -0.5;
            if has_turned {
                break;
            }
            bounce.hits += $world.events().hits.len();
            if bounce.hits > 0 {
                let $spin = body.angular_velocity();
                let spin: f32 = $size;
                bounce.spin = bounce.spin.max_of(spin);
                bounce.up = bounce.up.max_of(body.velocity().y);
                bounce.rise = bounce.rise.max_of(body.center_of_mass().y - $rest);
            }
        }
        bounce
    }};
}

fn drop2(at: Pose2<f32>, half: [f32; 2], rest: f32, restitution: f32, sub_steps: u32) -> Bounce {
    let mut world = ground2(0.6);
    world.set_settings(Settings { sub_steps, ..*world.settings() }).unwrap();
    let shape = d2::Collider::new(Cuboid::new(half).unwrap()).restitution(restitution);
    let body = world.add(d2::Body::dynamic().reports_hits().at(at).shape(shape)).unwrap();
    bounce!(world, body, rest, |spin| spin.abs())
}

fn drop3(at: Pose3<f32>, half: [f32; 3], rest: f32, restitution: f32, sub_steps: u32) -> Bounce {
    let mut world = ground3(0.6);
    world.set_settings(Settings { sub_steps, ..*world.settings() }).unwrap();
    let shape = d3::Collider::new(g3::Cuboid::new(half).unwrap()).restitution(restitution);
    let body = world.add(d3::Body::dynamic().reports_hits().at(at).shape(shape)).unwrap();
    bounce!(world, body, rest, |spin| Vector::length(spin))
}

#[test]
fn what_falls_flat_comes_up_flat() {
    // What stays is pushed out of the ground by some millimetres, point by point: slowly, and no higher than it is to lie.
    for (restitution, spin) in [(1.0, 1e-3), (0.7, 1e-3), (0.0, 0.2)] {
        // At different times within a step, and slow enough for no fast body.
        for height in [5.0, 4.9, 5.1, 1.0] {
            for (half, sub_steps) in [([0.5, 0.5], 4), ([2.0, 0.2], 4), ([0.5, 0.5], 1), ([0.1, 0.4], 8)] {
                let at = Pose2::new([0.0, half[1] + height], Rot2::IDENTITY);
                let bounce = drop2(at, half, half[1], restitution, sub_steps);
                bounce.check(&format!("{half:?}, {sub_steps} sub-steps"), restitution, height, spin);
            }
            for (half, sub_steps) in
                [([0.5; 3], 4), ([1.5, 0.2, 0.6], 4), ([0.5; 3], 1), ([0.2, 0.5, 0.3], 8)]
            {
                let at = Pose3::new([0.0, half[1] + height, 0.0], Quat::IDENTITY);
                let bounce = drop3(at, half, half[1], restitution, sub_steps);
                bounce.check(&format!("{half:?}, {sub_steps} sub-steps"), restitution, height, spin);
            }
        }
    }
}

#[test]
fn what_falls_on_an_edge_or_a_corner_comes_up_again() {
    // The centre is above the edge: the hit is central, and gives no spin to speak of.
    let diagonal = 0.5_f32.sqrt();
    for restitution in [1.0, 0.7] {
        let at = Pose2::new([0.0, diagonal + 5.0], Rot2::from_angle(core::f32::consts::FRAC_PI_4));
        drop2(at, [0.5; 2], diagonal, restitution, 4).check("on a corner", restitution, 5.0, 0.05);
        let turn = Quat::from_axis_angle([1.0, 0.0, 0.0], core::f32::consts::FRAC_PI_4).unwrap();
        let at = Pose3::new([0.0, diagonal + 5.0, 0.0], turn);
        drop3(at, [0.5; 3], diagonal, restitution, 4).check("on an edge", restitution, 5.0, 0.05);
        // The diagonal of a cube, turned upright.
        let corner = 0.75_f32.sqrt();
        let turn = Quat::from_axis_angle([-1.0, 0.0, 1.0], carom_math::trig::atan2_f32(2.0_f32.sqrt(), 1.0))
            .unwrap();
        let at = Pose3::new([0.0, corner + 5.0, 0.0], turn);
        let top = turn.rotate(Vec3::new(0.5, 0.5, 0.5));
        assert!((top.y - corner).abs() < 1e-5, "{top:?}");
        drop3(at, [0.5; 3], corner, restitution, 4).check("on a corner", restitution, 5.0, 0.05);
    }
}

#[test]
fn what_is_hit_off_its_centre_turns_as_it_should() {
    // A plank of half length 1 falls flat at 4 m/s, without gravity, upon something at the distance d from its centre. The impulse
    // J = (1 + e)·v/(1/m + d²/I) changes its velocity by J/m and its spin by d·J/I. On a block from d to d + ⅓ it is the
    // near edge alone that pushes: both would have to pull at the far one.
    let (half, speed) = ([1.0_f32, 0.1_f32], 4.0_f32);
    for restitution in [1.0_f32, 0.5, 0.0] {
        for distance in [0.3_f32, 0.6] {
            for is_block in [false, true] {
                let inertia = (half[0] * half[0] + half[1] * half[1]) / 3.0;
                let impulse = (1.0 + restitution) * speed / (1.0 + distance * distance / inertia);
                let (fall, spin) = (impulse - speed, distance * impulse / inertia);
                let what = format!("e {restitution}, {distance}, {is_block}");

                let mut world = d2::World::new();
                world.set_settings(Settings { gravity: [0.0; 2].into(), ..*world.settings() }).unwrap();
                let post = d2::Body::fixed();
                let post = if is_block {
                    let at = [distance + 1.0 / 6.0, -1.0];
                    post.at(at).shape(Cuboid::new([1.0 / 6.0, 1.0]).unwrap())
                } else {
                    post.at([distance, -0.2]).shape(Ball::new(0.2).unwrap())
                };
                world.add(post).unwrap();
                let shape =
                    d2::Collider::new(Cuboid::new(half).unwrap()).restitution(restitution).friction(0.0);
                let plank = d2::Body::dynamic().at([0.0, 0.33]).velocity([0.0, -speed]).shape(shape);
                let plank = world.add(plank).unwrap();
                (0..5).for_each(|_| world.step(DT).unwrap());
                let plank = world.get(plank).unwrap();
                let (up, turn) = (plank.velocity().y, plank.angular_velocity());
                assert!(
                    (up - fall).abs() < 0.08 && (turn - spin).abs() < 0.08,
                    "{what}: {up} {turn}, not {fall} {spin}"
                );

                let mut world = d3::World::new();
                world.set_settings(Settings { gravity: [0.0; 3].into(), ..*world.settings() }).unwrap();
                let post = d3::Body::fixed();
                let post = if is_block {
                    let at = [distance + 1.0 / 6.0, -1.0, 0.0];
                    post.at(at).shape(g3::Cuboid::new([1.0 / 6.0, 1.0, 1.0]).unwrap())
                } else {
                    post.at([distance, -0.2, 0.0]).shape(g3::Ball::new(0.2).unwrap())
                };
                world.add(post).unwrap();
                let shape = g3::Cuboid::new([half[0], half[1], 0.3]).unwrap();
                let shape = d3::Collider::new(shape).restitution(restitution).friction(0.0);
                let plank =
                    d3::Body::dynamic().at([0.0, 0.33, 0.0]).velocity([0.0, -speed, 0.0]).shape(shape);
                let plank = world.add(plank).unwrap();
                (0..5).for_each(|_| world.step(DT).unwrap());
                let plank = world.get(plank).unwrap();
                let (up, turn) = (plank.velocity().y, plank.angular_velocity());
                assert!(
                    (up - fall).abs() < 0.08 && (turn - Vec3::new(0.0, 0.0, spin)).max_abs() < 0.08,
                    "{what}: {up} {turn:?}, not {fall} {spin}"
                );
            }
        }
    }
}

#[test]
fn boxes_that_meet_flat_exchange_their_velocities() {
    let mut world = d2::World::new();
    world.set_settings(Settings { gravity: [0.0; 2].into(), ..*world.settings() }).unwrap();
    let square = d2::Collider::new(Cuboid::new([0.5, 0.5]).unwrap()).restitution(1.0);
    let body = |x: f32, v: f32| d2::Body::dynamic().at([x, 0.0]).velocity([v, 0.0]).shape(square.clone());
    let flat = [world.add(body(-1.0, 4.0)).unwrap(), world.add(body(1.0, -6.0)).unwrap()];
    let mut solid = d3::World::new();
    solid.set_settings(Settings { gravity: [0.0; 3].into(), ..*solid.settings() }).unwrap();
    let cube = d3::Collider::new(g3::Cuboid::new([0.5; 3]).unwrap()).restitution(1.0);
    let body =
        |x: f32, v: f32| d3::Body::dynamic().at([x, 0.0, 0.0]).velocity([v, 0.0, 0.0]).shape(cube.clone());
    let cubes = [solid.add(body(-1.0, 4.0)).unwrap(), solid.add(body(1.0, -6.0)).unwrap()];
    for _ in 0..30 {
        world.step(DT).unwrap();
        solid.step(DT).unwrap();
    }
    for (k, expected) in [(0, -6.0), (1, 4.0)] {
        let body = world.get(flat[k]).unwrap();
        assert!(
            (body.velocity().x - expected).abs() < 0.01 && body.angular_velocity().abs() < 1e-3,
            "{:?}",
            body.velocity()
        );
        let body = solid.get(cubes[k]).unwrap();
        assert!(
            (body.velocity().x - expected).abs() < 0.01 && Vector::length(body.angular_velocity()) < 1e-3,
            "{:?}",
            body.velocity()
        );
    }
}
