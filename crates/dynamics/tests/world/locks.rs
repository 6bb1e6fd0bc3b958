//! Angular locks: about the axes that are left, a body turns as its inertia about these says.

use crate::scenes::DT;
use carom_dynamics::{Locks, Settings, d3};
use carom_geometry::d3::Cuboid;
use carom_math::{Number, Pose3, Quat, Vec3, Vector};

const HALF: [f32; 3] = [0.05, 1.0, 0.05];

fn world() -> d3::World {
    let mut world = d3::World::new();
    world.set_settings(Settings { gravity: Vec3::ZERO, ..*world.settings() }).unwrap();
    world
}

/// A rod that leans, and does not turn about some axes.
fn rod(world: &mut d3::World, turn: Quat<f32>, locks: Locks) -> carom_dynamics::BodyHandle {
    let body = d3::Body::dynamic().at(Pose3::new(Vec3::ZERO, turn)).locks(locks);
    world.add(body.shape(Cuboid::new(HALF).unwrap())).unwrap()
}

/// The inertia of the rod in the world, from its axes: R·diag·Rᵀ.
fn inertia(turn: Quat<f32>) -> [[f64; 3]; 3] {
    let [x, y, z] = HALF.map(f64::from);
    let mass = 8.0 * x * y * z;
    let moments = [y * y + z * z, z * z + x * x, x * x + y * y].map(|sum| mass * sum / 3.0);
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0_f64]]
        .map(|[x, y, z]| turn.widen().rotate(Vec3::new(x, y, z)));
    core::array::from_fn(|i| {
        core::array::from_fn(|j| (0..3).map(|k| moments[k] * axes[k].get(i) * axes[k].get(j)).sum())
    })
}

/// Solves I·ω = L for the axes that are free, by Cramer's rule; what is locked does not turn.
fn expected(turn: Quat<f32>, free: &[usize], push: [f64; 3]) -> [f64; 3] {
    let m = inertia(turn);
    let mut angular = [0.0; 3];
    match *free {
        [a] => angular[a] = push[a] / m[a][a],
        [a, b] => {
            let determinant = m[a][a] * m[b][b] - m[a][b] * m[b][a];
            angular[a] = (push[a] * m[b][b] - push[b] * m[a][b]) / determinant;
            angular[b] = (push[b] * m[a][a] - push[a] * m[b][a]) / determinant;
        }
        _ => {}
    }
    angular
}

fn assert_near(found: Vec3<f32>, wanted: [f64; 3], what: &str) {
    let size = wanted.iter().fold(1e-9_f64, |most, number| number.abs().max_of(most));
    for (axis, wanted) in wanted.into_iter().enumerate() {
        let error = (f64::from(found.get(axis)) - wanted).abs();
        assert!(error <= 1e-4 * size, "{what}: {found:?}, not {wanted} about {axis}");
    }
}

#[test]
fn locked_bodies_turn_by_the_inertia_about_the_axes_that_are_left() {
    // Leaning by 45° about x, and by something about everything.
    let turns = [[core::f32::consts::FRAC_PI_4, 0.0, 0.0], [0.7, -0.4, 0.9]].map(Quat::from_rotation_vector);
    for turn in turns {
        for free in [&[0][..], &[1], &[2], &[0, 1], &[1, 2], &[0, 2], &[]] {
            let locks = (0..3).filter(|axis| !free.contains(axis)).fold(Locks::NONE, Locks::angular);
            let push = [2e-3, 1e-3, -3e-3_f64];
            let narrow = push.map(|number| number as f32);
            let wanted = expected(turn, free, push);

            let mut world = world();
            let body = rod(&mut world, turn, locks);
            world.get_mut(body).unwrap().apply_angular_impulse(narrow).unwrap();
            assert_near(world.get(body).unwrap().angular_velocity(), wanted, "by an impulse");

            // A torque for one step does what the impulse does, but for the little that the rod turns on the way.
            let mut world = self::world();
            let body = rod(&mut world, turn, locks);
            world.get_mut(body).unwrap().apply_torque(narrow.map(|number| number / DT)).unwrap();
            world.step(DT).unwrap();
            assert_near(world.get(body).unwrap().angular_velocity(), wanted, "by a torque");

            // So does a push at a point.
            let mut world = self::world();
            let body = rod(&mut world, turn, locks);
            let (at, force) = (Vec3::new(0.0, 0.5, 0.25), Vec3::new(0.01, 0.02, -0.03));
            world.get_mut(body).unwrap().apply_impulse_at(force, at).unwrap();
            let moment = at.widen().cross(force.widen());
            let wanted = expected(turn, free, [moment.x, moment.y, moment.z]);
            assert_near(world.get(body).unwrap().angular_velocity(), wanted, "by a push");
        }
    }
}

#[test]
fn a_lock_is_a_hinge_that_turns_with_the_body() {
    // About y alone: 0.2978 rad/s for a thousandth of a newton metre second, and it stays so all the way around.
    let turn = Quat::from_rotation_vector([core::f32::consts::FRAC_PI_4, 0.0, 0.0]);
    let mut world = world();
    let body = rod(&mut world, turn, Locks::NONE.angular(0).angular(2));
    world.get_mut(body).unwrap().apply_angular_impulse([0.0, 1e-3, 0.0]).unwrap();
    let wanted = 1e-3 / inertia(turn)[1][1];
    for _ in 0..120 {
        world.step(DT).unwrap();
        let angular = world.get(body).unwrap().angular_velocity();
        assert!((f64::from(angular.y) - wanted).abs() < 1e-4 * wanted, "{angular:?}, not {wanted}");
        assert_eq!((angular.x, angular.z), (0.0, 0.0));
    }
}
