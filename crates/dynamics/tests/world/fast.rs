//! What is fast flies through nothing: balls, boxes and rods, spinning, at up to 1000 m/s, against walls of a
//! millimetre and against each other. `CAROM_BULLETS=100000` asks for more of them than the few hundred.

use crate::scenes::{DT, Random};
use carom_dynamics::{Filter, Locks, Settings, d2, d3};
use carom_geometry::d2::{Ball, Capsule, Cuboid};
use carom_geometry::d3 as g3;
use carom_math::{Quat, Rot2, Vec2, Vec3, Vector};

/// How many bullets a test shoots.
fn bullets() -> usize {
    std::env::var("CAROM_BULLETS").ok().and_then(|count| count.parse().ok()).unwrap_or(400)
}

/// How many of them share a world.
const VOLLEY: usize = 50;

fn vacuum2() -> d2::World {
    let mut world = d2::World::new();
    let settings = Settings { gravity: Vec2::ZERO, max_speed: 2000.0, ..*world.settings() };
    world.set_settings(settings).unwrap();
    world
}

fn vacuum3() -> d3::World {
    let mut world = d3::World::new();
    let settings = Settings { gravity: Vec3::ZERO, max_speed: 2000.0, ..*world.settings() };
    world.set_settings(settings).unwrap();
    world
}

/// A bullet that meets no other bullet of its volley, and how it spins: up to what a step allows.
fn bullet2(random: &mut Random, kind: usize, group: i32) -> d2::Body {
    let size = 0.02 + 0.04 * (1.0 + random.next());
    let filter = Filter { group, ..Filter::default() };
    let collider = match kind % 4 {
        0 => d2::Collider::new(Ball::new(size).unwrap()),
        1 => d2::Collider::new(Cuboid::new([size, 0.5 * size]).unwrap()),
        2 => d2::Collider::new(Capsule::new([-8.0 * size, 0.0], [8.0 * size, 0.0], 0.2 * size).unwrap()),
        // It leans in its frame, whose box is large.
        _ => d2::Collider::new(
            Capsule::new([-5.0 * size, -5.0 * size], [5.0 * size, 5.0 * size], 0.1 * size).unwrap(),
        ),
    };
    let collider = collider.filter(filter).restitution(0.25 * (1.0 + random.next()));
    d2::Body::dynamic().shape(collider).angular_velocity(47.0 * random.next())
}

/// The same in space.
fn bullet3(random: &mut Random, kind: usize, group: i32) -> d3::Body {
    let size = 0.02 + 0.04 * (1.0 + random.next());
    let filter = Filter { group, ..Filter::default() };
    let collider = match kind % 4 {
        0 => d3::Collider::new(g3::Ball::new(size).unwrap()),
        1 => d3::Collider::new(g3::Cuboid::new([size, 0.5 * size, 0.7 * size]).unwrap()),
        2 => {
            let (a, b) = ([-8.0 * size, 0.0, 0.0], [8.0 * size, 0.0, 0.0]);
            d3::Collider::new(g3::Capsule::new(a, b, 0.2 * size).unwrap())
        }
        _ => {
            let end = Vec3::new(5.0, 5.0, 5.0) * size;
            d3::Collider::new(g3::Capsule::new(-end, end, 0.1 * size).unwrap())
        }
    };
    let collider = collider.filter(filter).restitution(0.25 * (1.0 + random.next()));
    let spin = [27.0 * random.next(), 27.0 * random.next(), 27.0 * random.next()];
    d3::Body::dynamic().shape(collider).angular_velocity(spin)
}

/// Up to 1000 m/s, and mostly fast.
fn speed(random: &mut Random) -> f32 {
    let share = 0.5 * (1.0 + random.next());
    1000.0 * (1.0 - share * share) + 1.0
}

#[test]
fn no_wall_is_too_thin() {
    for volley in 0..bullets().div_ceil(2 * VOLLEY) {
        let mut random = Random(volley as u32);
        let (mut flat, mut solid) = (vacuum2(), vacuum3());
        flat.add(d2::Body::fixed().shape(Cuboid::new([0.0005, 2000.0]).unwrap())).unwrap();
        let wall = g3::Cuboid::new([0.0005, 2000.0, 2000.0]).unwrap();
        solid.add(d3::Body::fixed().shape(wall)).unwrap();
        let (mut in_plane, mut in_space) = (Vec::new(), Vec::new());
        for kind in 0..VOLLEY {
            let at = -2.0 - 10.0 * (1.0 + random.next());
            let (fast, aside) = (speed(&mut random), 100.0 * random.next());
            let turn = Rot2::from_angle(3.0 * random.next());
            let body = bullet2(&mut random, kind, -1).at((Vec2::new(at, 0.0), turn));
            in_plane.push(flat.add(body.velocity([fast, aside])).unwrap());
            let axis = [random.next(), random.next(), 1.5 + random.next()];
            let turn = Quat::from_axis_angle(axis, 3.0 * random.next()).unwrap();
            let body = bullet3(&mut random, kind, -1).at((Vec3::new(at, 0.0, 0.0), turn));
            in_space.push(solid.add(body.velocity([fast, aside, 100.0 * random.next()])).unwrap());
        }
        for step in 0..40 {
            flat.step(DT).unwrap();
            solid.step(DT).unwrap();
            for (kind, (flat_one, solid_one)) in in_plane.iter().zip(&in_space).enumerate() {
                let x = flat.get(*flat_one).unwrap().center_of_mass().x;
                assert!(x < 0.0, "plane: volley {volley}, bullet {kind}, step {step} at {x}");
                let x = solid.get(*solid_one).unwrap().center_of_mass().x;
                assert!(x < 0.0, "space: volley {volley}, bullet {kind}, step {step} at {x}");
            }
        }
    }
}

#[test]
fn bullets_do_not_pass_each_other() {
    // Each pair has a line of its own, which the centres cannot leave; then only passing through exchanges them.
    for volley in 0..bullets().div_ceil(2 * VOLLEY) {
        let mut random = Random(1000 + volley as u32);
        let (mut flat, mut solid) = (vacuum2(), vacuum3());
        let (mut in_plane, mut in_space) = (Vec::new(), Vec::new());
        for kind in 0..VOLLEY {
            let group = kind as i32 + 1;
            let distance = 1.0 + 20.0 * (1.0 + random.next());
            let fast = speed(&mut random);
            // Head on, from behind, or against something that rests or sleeps.
            let back = match kind % 4 {
                0 => -speed(&mut random),
                1 => 0.25 * fast * (1.0 + random.next()),
                _ => 0.0,
            };

            let rail = Locks::NONE.linear(1).linear(2);
            let mut shots = Vec::new();
            for (x, velocity, which) in [(0.0, fast, kind), (distance, back, kind / 2)] {
                let turn = Rot2::from_angle(3.0 * random.next());
                let body = bullet2(&mut random, which, group).at((Vec2::new(x, 3.0 * group as f32), turn));
                let body = body.velocity([velocity, 0.0]).locks(rail);
                let sleeps = velocity == 0.0 && kind % 4 == 3;
                shots.push(flat.add(if sleeps { body.asleep() } else { body }).unwrap());
            }
            in_plane.push(shots);
            let mut shots = Vec::new();
            for (x, velocity, which) in [(0.0, fast, kind), (distance, back, kind / 2)] {
                let turn = Quat::from_axis_angle([0.3, random.next(), 1.0], 3.0 * random.next()).unwrap();
                let at = Vec3::new(x, 3.0 * group as f32, 0.0);
                let body = bullet3(&mut random, which, group).at((at, turn));
                shots.push(solid.add(body.velocity([velocity, 0.0, 0.0]).locks(rail)).unwrap());
            }
            in_space.push(shots);
        }
        for step in 0..40 {
            flat.step(DT).unwrap();
            solid.step(DT).unwrap();
            for kind in 0..VOLLEY {
                let at = |which: usize| flat.get(in_plane[kind][which]).unwrap().center_of_mass().x;
                assert!(at(0) < at(1), "plane: volley {volley}, pair {kind}, step {step}");
                let at = |which: usize| solid.get(in_space[kind][which]).unwrap().center_of_mass().x;
                assert!(at(0) < at(1), "space: volley {volley}, pair {kind}, step {step}");
            }
        }
    }
}

#[test]
fn a_rod_does_not_turn_through_a_wall() {
    // It spins in place beside a wall that its ends reach: 2 m long, 2 cm thin.
    for step in 1..20_u8 {
        let mut world = vacuum2();
        world.add(d2::Body::fixed().shape(Cuboid::new([0.0005, 20.0]).unwrap())).unwrap();
        let rod = Capsule::new([0.0, -1.0], [0.0, 1.0], 0.01).unwrap();
        let from = 0.05 * f32::from(step);
        let body = d2::Body::dynamic().at([-from, 0.0]).angular_velocity(47.0).shape(rod);
        let rod = world.add(body).unwrap();
        for _ in 0..30 {
            world.step(DT).unwrap();
            let pose = world.get(rod).unwrap().pose();
            for end in [Vec2::new(0.0, -1.0), Vec2::new(0.0, 1.0)] {
                let end = pose.translation + pose.rotation.rotate(end);
                assert!(end.x < 0.02, "from {from}: the end is at {end:?}");
            }
        }
    }
}

#[test]
fn shapes_far_from_the_centre_do_not_turn_through_a_wall() {
    // Four rods far out on a body that spins and drifts towards a wall: each turns while it goes through an arc. An end may
    // dip into the wall, and comes back as long as the middle stays.
    let mut random = Random(11);
    for _ in 0..5 * bullets() {
        let mut world = vacuum3();
        world.add(d3::Body::fixed().shape(g3::Cuboid::new([90.0, 0.0005, 90.0]).unwrap())).unwrap();
        let mut arrow = |length: f32| {
            let far = Vec3::new(random.next(), random.next(), random.next());
            far * (length / far.length_squared().sqrt())
        };
        let rods: Vec<_> = (0..4).map(|_| (arrow(2.0), arrow(0.4))).collect();
        let lowest = rods.iter().map(|(at, half)| at.y - half.y.abs());
        let lowest = lowest.fold(0.0, |low, y| if y < low { y } else { low });
        let from = 0.05 - lowest + 0.2 * (1.0 + random.next());
        let spin = [27.0 * random.next(), 27.0 * random.next(), 27.0 * random.next()];
        let mut body = d3::Body::dynamic()
            .at([0.0, from, 0.0])
            .velocity([0.0, -10.0 * (1.0 + random.next()), 0.0])
            .angular_velocity(spin);
        for &(at, half) in &rods {
            body = body.shape(d3::Collider::new(g3::Capsule::new(at - half, at + half, 0.02).unwrap()));
        }
        let body = world.add(body).unwrap();
        for step in 0..30 {
            world.step(DT).unwrap();
            let pose = world.get(body).unwrap().pose();
            for (at, _) in &rods {
                let height = (pose.translation + pose.rotation.rotate(*at)).y;
                assert!(0.0 < height, "step {step}, spin {spin:?}: a middle is at the height {height}");
            }
        }
    }
}

#[test]
fn shapes_far_from_the_centre_meet_what_stands_within_their_arc() {
    // A dumbbell turns by 45° in a step, and a peg stands where the chord of that arc does not come.
    for step in 0..20_u8 {
        let mut world = vacuum2();
        let angle = 0.15 + 0.025 * f32::from(step);
        let peg = Rot2::from_angle(angle).rotate(Vec2::new(2.0, 0.0));
        world.add(d2::Body::fixed().at(peg).shape(Ball::new(0.01).unwrap())).unwrap();
        let end = |x: f32| d2::Collider::new(Ball::new(0.04).unwrap()).at([x, 0.0]);
        let body = d2::Body::dynamic().angular_velocity(47.0).shape(end(2.0)).shape(end(-2.0));
        let body = world.add(body).unwrap();
        (0..2).for_each(|_| world.step(DT).unwrap());
        let spin = world.get(body).unwrap().angular_velocity();
        assert!(spin < 30.0, "a peg at {angle} rad: it turns on with {spin}");
    }
}

#[test]
fn a_driven_plate_takes_along_what_it_meets() {
    for speed in [10.0, 100.0, 1000.0] {
        let (mut flat, mut solid) = (vacuum2(), vacuum3());
        let plate = d2::Body::kinematic().at([-5.0, 0.0]).velocity([speed, 0.0]);
        let plate2 = flat.add(plate.shape(Cuboid::new([0.001, 2.0]).unwrap())).unwrap();
        let plate = d3::Body::kinematic().at([-5.0, 0.0, 0.0]).velocity([speed, 0.0, 0.0]);
        let plate3 = solid.add(plate.shape(g3::Cuboid::new([0.001, 2.0, 2.0]).unwrap())).unwrap();
        let mut rest2 = Vec::new();
        let mut rest3 = Vec::new();
        for k in 0..4_u8 {
            let y = f32::from(k) - 1.5;
            let body = d2::Body::dynamic().at([0.0, y]).shape(Ball::new(0.1).unwrap());
            rest2.push(flat.add(if k % 2 == 0 { body.asleep() } else { body }).unwrap());
            let body = d3::Body::dynamic().at([0.0, y, 0.0]).shape(g3::Ball::new(0.1).unwrap());
            rest3.push(solid.add(body).unwrap());
        }
        for _ in 0..60 {
            flat.step(DT).unwrap();
            solid.step(DT).unwrap();
            let front = flat.get(plate2).unwrap().center_of_mass().x;
            assert!(rest2.iter().all(|ball| front < flat.get(*ball).unwrap().center_of_mass().x), "{speed}");
            let front = solid.get(plate3).unwrap().center_of_mass().x;
            assert!(rest3.iter().all(|ball| front < solid.get(*ball).unwrap().center_of_mass().x), "{speed}");
        }
    }
}

#[test]
fn who_opts_out_flies_through() {
    for (is_continuous, passes) in [(true, false), (false, true)] {
        let mut world = vacuum2();
        world.add(d2::Body::fixed().shape(Cuboid::new([0.0005, 10.0]).unwrap())).unwrap();
        let body = d2::Body::dynamic().at([-8.5, 0.0]).velocity([300.0, 0.0]).continuous(is_continuous);
        let body = world.add(body.shape(Ball::new(0.05).unwrap())).unwrap();
        // Nor does it take along what it flies through.
        let bystander =
            world.add(d2::Body::dynamic().at([3.2, 0.0]).shape(Cuboid::new([0.2, 0.2]).unwrap())).unwrap();
        (0..20).for_each(|_| world.step(DT).unwrap());
        assert_eq!(0.0 < world.get(body).unwrap().center_of_mass().x, passes);
        assert!((world.get(bystander).unwrap().center_of_mass().x - 3.2).abs() < 0.5);
    }
}

#[test]
fn passing_close_holds_nobody_up() {
    // Three millimetres over a row of boxes, fast and spinning.
    let mut world = vacuum2();
    for k in 0..200_u8 {
        let at = [1.0 + 1.5 * f32::from(k), -0.5];
        world.add(d2::Body::fixed().at(at).shape(Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    }
    let ball = d2::Body::dynamic().at([0.0, 0.053]).velocity([250.0, 0.0]).angular_velocity(40.0);
    let ball = world.add(ball.shape(Ball::new(0.05).unwrap())).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let at = world.get(ball).unwrap().center_of_mass();
    assert!((at.x - 250.0).abs() < 0.01 && (at.y - 0.053).abs() < 1e-4, "{at:?}");

    let mut world = vacuum3();
    for k in 0..200_u8 {
        let at = [1.0 + 1.5 * f32::from(k), -0.5, 0.0];
        world.add(d3::Body::fixed().at(at).shape(g3::Cuboid::new([0.5; 3]).unwrap())).unwrap();
    }
    // A spinning box with a gap of four centimetres at the nearest.
    let body = d3::Body::dynamic().at([0.0, 0.1 * 3.0_f32.sqrt() + 0.04, 0.0]).velocity([250.0, 0.0, 0.0]);
    let body = body.angular_velocity([3.0, 20.0, 30.0]).shape(g3::Cuboid::new([0.1; 3]).unwrap());
    let body = world.add(body).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let at = world.get(body).unwrap().center_of_mass();
    assert!((at.x - 250.0).abs() < 0.01, "{at:?}");
}

#[test]
fn sensors_see_what_flies_through_them() {
    let (mut flat, mut solid) = (vacuum2(), vacuum3());
    let gate = d2::Collider::new(Cuboid::new([0.001, 5.0]).unwrap()).sensor();
    flat.add(d2::Body::fixed().shape(gate)).unwrap();
    let gate = d3::Collider::new(g3::Cuboid::new([0.001, 5.0, 5.0]).unwrap()).sensor();
    solid.add(d3::Body::fixed().shape(gate)).unwrap();
    for k in 0..9_u8 {
        let (x, y) = (-3.0 - f32::from(k), f32::from(k) - 4.0);
        let body = d2::Body::dynamic().at([x, y]).velocity([400.0, 0.0]).angular_velocity(30.0);
        flat.add(body.shape(Cuboid::new([0.05, 0.02]).unwrap())).unwrap();
        let body = d3::Body::dynamic().at([x, y, 0.0]).velocity([400.0, 0.0, 0.0]);
        solid.add(body.shape(g3::Ball::new(0.05).unwrap())).unwrap();
    }
    // One that is stopped before it gets there.
    flat.add(d2::Body::fixed().at([-10.0, 4.9]).shape(Cuboid::new([0.001, 0.1]).unwrap())).unwrap();
    let body = d2::Body::dynamic().at([-12.0, 4.9]).velocity([400.0, 0.0]);
    flat.add(body.shape(Ball::new(0.05).unwrap())).unwrap();
    let (mut entered, mut left) = ([0; 2], [0; 2]);
    for _ in 0..10 {
        flat.step(DT).unwrap();
        solid.step(DT).unwrap();
        for (k, count) in [flat.events().entered.len(), solid.events().entered.len()].into_iter().enumerate()
        {
            entered[k] += count;
        }
        for (k, count) in [flat.events().left.len(), solid.events().left.len()].into_iter().enumerate() {
            left[k] += count;
        }
    }
    assert_eq!((entered, left), ([9; 2], [9; 2]));
}

#[test]
fn threads_change_nothing_about_fast_bodies() {
    let run = |threads: usize| {
        let mut random = Random(5);
        let mut world = vacuum3();
        world.set_threads(threads);
        for side in 0..6 {
            let mut at = [0.0; 3];
            at[side / 2] = if side % 2 == 0 { -5.0 } else { 5.0 };
            let mut half = [5.5; 3];
            half[side / 2] = 0.01;
            let wall = d3::Collider::new(g3::Cuboid::new(half).unwrap()).restitution(1.0).friction(0.0);
            world.add(d3::Body::fixed().at(at).shape(wall)).unwrap();
        }
        let mut bodies = Vec::new();
        for kind in 0..120 {
            let at = [4.0 * random.next(), 4.0 * random.next(), 4.0 * random.next()];
            let velocity = [200.0 * random.next(), 200.0 * random.next(), 200.0 * random.next()];
            bodies.push(world.add(bullet3(&mut random, kind, 0).at(at).velocity(velocity)).unwrap());
        }
        (0..60).for_each(|_| world.step(DT).unwrap());
        for body in bodies {
            let at = world.get(body).unwrap().center_of_mass();
            assert!(at.x.abs() < 5.1 && at.y.abs() < 5.1 && at.z.abs() < 5.1, "{at:?}");
        }
        world.hash()
    };
    let one = run(1);
    assert_eq!(one, run(3));
}

#[test]
fn a_crowd_that_is_hit_does_not_pile_up_in_itself() {
    // Rows of sleeping squares, hit by something heavy at two thirds of a metre a step: those in front must not
    // wait for their neighbours while those behind run into them. What overlaps is pushed apart, so that energy shows it.
    let mut world = vacuum2();
    let heavy = d2::Collider::new(Cuboid::new([2.0, 2.0]).unwrap()).density(8.0);
    world.add(d2::Body::dynamic().at([-4.0, 0.0]).velocity([40.0, 0.0]).shape(heavy)).unwrap();
    let square = Cuboid::new([0.2, 0.2]).unwrap();
    for i in 0..40_u8 {
        for j in 0..40_u8 {
            let at = [0.4 * f32::from(i), 0.4 * (f32::from(j) - 19.5)];
            world.add(d2::Body::dynamic().at(at).asleep().shape(square)).unwrap();
        }
    }
    let energy = world.statistics().kinetic_energy;
    for step in 0..150 {
        world.step(DT).unwrap();
        let now = world.statistics().kinetic_energy;
        assert!(now < 1.01 * energy, "step {step}: {now} J of {energy} J");
    }
    let deepest = world.statistics().deepest;
    assert!(deepest < 0.02, "{deepest} m");
}
