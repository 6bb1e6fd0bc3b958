//! Jolt's box of fast bodies, with its random numbers.

use super::Solid;
use carom::d3::{Ball, Body, Capsule, Collider, Cuboid, Settings, World};
use carom::math::{Pose3, Quat, Real, Vec3};
use carom::response::Error;

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998).
struct Twister {
    state: [u32; 624],
    at: usize,
}

impl Twister {
    fn new(seed: u32) -> Self {
        let mut state = [seed; 624];
        for k in 1..624 {
            let last = state[k - 1];
            state[k] = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(k as u32);
        }
        Twister { state, at: 624 }
    }
    fn draw(&mut self) -> u32 {
        if self.at == 624 {
            for k in 0..624 {
                let mixed = (self.state[k] & 0x8000_0000) | (self.state[(k + 1) % 624] & 0x7fff_ffff);
                let odd = if mixed & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[k] = self.state[(k + 397) % 624] ^ (mixed >> 1) ^ odd;
            }
            self.at = 0;
        }
        let mut y = self.state[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }
    /// Between two numbers, both included.
    fn range(&mut self, from: f32, to: f32) -> f32 {
        from + self.draw() as f32 * ((to - from) / 4_294_967_295.0_f32)
    }
}

/// What body number k starts with: position, rotation, friction, restitution, velocity.
fn start(random: &mut Twister) -> (Vec3<f32>, Quat<f32>, [f32; 2], Vec3<f32>) {
    let tau = 2.0 * core::f32::consts::PI;
    let at = Vec3::new(random.range(-45.0, 45.0), random.range(-45.0, 45.0), random.range(-45.0, 45.0));
    let share = random.range(0.0, 1.0);
    let (sin_a, cos_a) = random.range(0.0, tau).sine_cosine();
    let (sin_b, cos_b) = random.range(0.0, tau).sine_cosine();
    let (one, other) = ((1.0 - share).sqrt(), share.sqrt());
    let turn = Quat::new(one * sin_a, one * cos_a, other * sin_b, other * cos_b).unwrap_or_default();
    let material = [random.range(0.5, 1.0), random.range(0.9, 1.0)];
    let z = random.range(-1.0, 1.0);
    let (sin, cos) = random.range(0.0, tau).sine_cosine();
    let flat = (1.0 - z * z).sqrt();
    (at, turn, material, Vec3::new(flat * sin, flat * cos, z) * 250.0)
}

pub(super) fn high_speed() -> Result<Solid, Error> {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec3::new(0.0, -9.81, 0.0), ..Settings::default() })?;
    let wall = Collider::new(Cuboid::new([50.0, 0.2, 50.0])?).friction(1.0).restitution(1.0);
    let quarter = core::f32::consts::FRAC_PI_2;
    for (axis, about) in [(1, None), (2, Some([1.0, 0.0, 0.0])), (0, Some([0.0, 0.0, 1.0]))] {
        let turn = about.and_then(|axis| Quat::from_axis_angle(axis, quarter)).unwrap_or_default();
        for side in [-50.0, 50.0] {
            let mut at = [0.0; 3];
            at[axis] = side;
            world.add(Body::fixed().at(Pose3::new(at, turn)).shape(wall.clone()))?;
        }
    }
    let mut random = Twister::new(5489);
    let ball = Collider::new(Ball::new(0.5)?);
    let block = Collider::new(Cuboid::new([0.25, 0.5, 0.5])?);
    let upright = Collider::new(Capsule::new([0.0, -0.5, 0.0], [0.0, 0.5, 0.0], 0.125)?).at([0.0, 0.5, 0.0]);
    let arm = Collider::new(Cuboid::new([0.5, 0.125, 0.125])?).at([0.5, 0.0, 0.0]);
    for k in 0..5000 {
        let (at, turn, [friction, restitution], velocity) = start(&mut random);
        let mut body = Body::dynamic().at(Pose3::new(at, turn)).velocity(velocity).damping(0.05, 0.05);
        let parts: &[&Collider] = match k % 3 {
            0 => &[&ball],
            1 => &[&block],
            _ => &[&upright, &arm],
        };
        for part in parts {
            let collider = Collider::clone(part).density(1000.0);
            body = body.shape(collider.friction(friction).restitution(restitution));
        }
        world.add(body)?;
    }
    Ok((world, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_body_is_that_of_the_origin() {
        // The figures that the definition of the scene gives for it.
        let (at, _, [friction, restitution], velocity) = start(&mut Twister::new(5489));
        let near = |got: f32, want: f32, within: f32| (got - want).abs() < within;
        assert!(
            near(at.x, 28.3251, 1e-3) && near(at.y, -32.8071, 1e-3) && near(at.z, 36.5213, 1e-3),
            "{at:?}"
        );
        assert!(near(friction, 0.9567, 1e-4) && near(restitution, 0.9221, 1e-4));
        assert!(near(velocity.x, 225.16, 0.02) && near(velocity.y, -86.16, 0.02), "{velocity:?}");
        assert!(near(velocity.z, 66.18, 0.02), "{velocity:?}");
    }
}
