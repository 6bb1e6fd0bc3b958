//! Explosions, wind and water, by the laws that they follow.

use crate::scenes::{DT, Random};
use carom_dynamics::d2::{Body, Collider, World};
use carom_dynamics::{Explosion, Fluid, Locks, Settings, Wind, d3};
use carom_geometry::{d2, d3 as shapes3};
use carom_math::{Number, Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};

/// Archimedes: what floats displaces its weight, so the share under water is the ratio of the densities.
#[test]
fn what_floats_sinks_in_by_the_ratio_of_densities() {
    for ratio in [0.1, 0.5, 0.9] {
        let mut world = World::new();
        let raft = Collider::new(d2::Cuboid::new([2.0, 0.5]).unwrap()).density(1000.0 * ratio);
        let raft = world.add(Body::dynamic().at([0.0, 0.4]).can_sleep(false).shape(raft)).unwrap();
        let fluid = Fluid { drag: 4.0, angular_drag: 4.0, ..Fluid::below([0.0, 2.0], 3.0) };
        for _ in 0..900 {
            world.immerse(fluid, DT).unwrap();
            world.step(DT).unwrap();
        }
        let y = world.get(raft).unwrap().pose().translation.y;
        let under = 3.0 - (y - 0.5);
        assert!((under - ratio).abs() < 0.005, "{ratio}: {under}");
    }
    // A ball: the cap of height h has the volume πh²(3r − h)/3.
    let mut world = d3::World::new();
    let ball = d3::Collider::new(shapes3::Ball::new(1.0).unwrap()).density(300.0);
    let ball = world.add(d3::Body::dynamic().can_sleep(false).shape(ball)).unwrap();
    for _ in 0..1200 {
        world.immerse(Fluid { drag: 4.0, ..Fluid::below([0.0, 1.0, 0.0], 0.0) }, DT).unwrap();
        world.step(DT).unwrap();
    }
    let h = 1.0 - world.get(ball).unwrap().pose().translation.y;
    let share = h * h * (3.0 - h) / 4.0;
    assert!((share - 0.3).abs() < 0.005, "{share}");
}

#[test]
fn what_rests_in_water_may_sleep() {
    let mut world = World::new();
    let raft = Collider::new(d2::Cuboid::new([2.0, 0.5]).unwrap()).density(500.0);
    let raft = world.add(Body::dynamic().shape(raft)).unwrap();
    for _ in 0..600 {
        world.immerse(Fluid { drag: 4.0, ..Fluid::below([0.0, 1.0], 0.0) }, DT).unwrap();
        world.step(DT).unwrap();
    }
    assert!(!world.get(raft).unwrap().is_awake());
}

#[test]
fn what_is_denser_sinks_at_the_speed_where_drag_and_weight_are_equal() {
    let mut world = d3::World::new();
    let stone = d3::Collider::new(shapes3::Cuboid::new([0.5, 0.5, 0.5]).unwrap()).density(3000.0);
    let stone = world.add(d3::Body::dynamic().at([0.0, -5.0, 0.0]).shape(stone)).unwrap();
    for _ in 0..600 {
        world.immerse(Fluid { drag: 5.0, ..Fluid::below([0.0, 1.0, 0.0], 0.0) }, DT).unwrap();
        world.step(DT).unwrap();
    }
    // (3000 − 1000)·g = 5·1000·v.
    let v = world.get(stone).unwrap().velocity();
    assert!((v.y + 4.0).abs() < 0.15, "{v:?}");
}

#[test]
fn a_boat_rights_itself_and_drifts_with_the_flow() {
    let mut world = World::new();
    let hull = Collider::new(d2::Cuboid::new([2.0, 0.5]).unwrap()).density(500.0);
    let tilted = Pose2::new(Vec2::new(0.0, 0.0), Rot2::from_angle(0.5));
    let boat = world.add(Body::dynamic().at(tilted).shape(hull)).unwrap();
    let fluid =
        Fluid { flow: Vec2::new(2.0, 0.0), drag: 2.0, angular_drag: 2.0, ..Fluid::below([0.0, 1.0], 0.0) };
    for _ in 0..1200 {
        world.immerse(fluid, DT).unwrap();
        world.step(DT).unwrap();
    }
    let boat = world.get(boat).unwrap();
    assert!(boat.pose().rotation.angle().abs() < 0.01, "{:?}", boat.pose());
    assert!((boat.velocity().x - 2.0).abs() < 0.02, "{:?}", boat.velocity());
}

#[test]
fn what_falls_in_air_reaches_its_terminal_velocity() {
    // m·g = ½·ρ·c·A·v².
    let mut world = d3::World::new();
    let drop = d3::Collider::new(shapes3::Cuboid::new([0.1, 0.1, 0.1]).unwrap()).density(50.0);
    let drop = world.add(d3::Body::dynamic().shape(drop)).unwrap();
    let wind = Wind { density: 1.2, drag: 1.05, ..Wind::new([0.0, 0.0, 0.0]) };
    for _ in 0..1200 {
        world.blow(wind, DT).unwrap();
        world.step(DT).unwrap();
    }
    let terminal = (2.0 * (0.2_f32 * 0.2 * 0.2 * 50.0) * 10.0 / (1.2 * 1.05 * 0.04)).sqrt();
    let v = -world.get(drop).unwrap().velocity().y;
    assert!((v / terminal - 1.0).abs() < 0.01, "{v} of {terminal}");
}

#[test]
fn no_wind_takes_a_body_beyond_its_own_speed() {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::new(0.0, 0.0), ..Settings::default() }).unwrap();
    let feather = Collider::new(d2::Cuboid::new([0.5, 0.5]).unwrap()).density(1e-4);
    let feather = world.add(Body::dynamic().shape(feather)).unwrap();
    for _ in 0..60 {
        world.blow(Wind::new([30.0, 0.0]), DT).unwrap();
        world.step(DT).unwrap();
        let v = world.get(feather).unwrap().velocity();
        assert!(v.x <= 30.001 && v.y.abs() < 1e-3, "{v:?}");
    }
}

#[test]
fn an_explosion_pushes_by_the_shadow_and_fades() {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::new(0.0, 0.0), ..Settings::default() }).unwrap();
    let mut add = |x: f32, half: [f32; 2]| {
        world.add(Body::dynamic().at([x, 0.0]).asleep().shape(d2::Cuboid::new(half).unwrap())).unwrap()
    };
    let (near, tall, fading, far) =
        (add(3.0, [0.5, 0.5]), add(-3.0, [0.5, 1.0]), add(6.5, [0.5, 0.5]), add(20.0, [0.5, 0.5]));
    let wall = world.add(Body::fixed().at([0.0, 3.0]).shape(d2::Cuboid::new([1.0, 1.0]).unwrap())).unwrap();
    let burst = Explosion { radius: 4.0, falloff: 4.0, impulse: 3.0, ..Explosion::at([0.0, 0.0]) };
    assert_eq!(world.explode(burst).unwrap(), 3);
    let impulse = |body| {
        let body = world.get(body).unwrap();
        body.velocity() * body.mass()
    };
    let close =
        |found: Vec2<f32>, x: f32| assert!(Vector::length(found - Vec2::new(x, 0.0)) < 1e-4, "{found:?} {x}");
    // A shadow of 1, one of 2, and one half way down the slope.
    close(impulse(near), 3.0);
    close(impulse(tall), -6.0);
    close(impulse(fading), 1.5);
    close(impulse(far), 0.0);
    assert!(world.get(near).unwrap().is_awake() && !world.get(far).unwrap().is_awake());
    assert_eq!(world.get(wall).unwrap().velocity(), Vec2::new(0.0, 0.0));
}

#[test]
fn bad_fields_are_refused() {
    let mut world = World::new();
    let nan = f32::NAN;
    assert_eq!(world.explode(Explosion::at([nan, 0.0])).unwrap_err().kind(), "not_finite");
    assert_eq!(
        world.explode(Explosion { radius: -1.0, ..Explosion::at([0.0, 0.0]) }).unwrap_err().kind(),
        "negative"
    );
    assert_eq!(world.blow(Wind::new([nan, 0.0]), DT).unwrap_err().kind(), "not_finite");
    assert_eq!(world.immerse(Fluid::below([0.0, 0.0], 0.0), DT).unwrap_err().kind(), "zero_direction");
    assert_eq!(world.immerse(Fluid::below([0.0, 1.0], 0.0), -1.0).unwrap_err().kind(), "negative");
    // Extremes do nothing worse than put a body aside.
    let mut world = d3::World::new();
    world.add(d3::Body::dynamic().shape(shapes3::Ball::new(1.0).unwrap())).unwrap();
    for extreme in [f32::MAX, 1e-45] {
        let _ =
            world.explode(Explosion { impulse: extreme, radius: extreme, ..Explosion::at([0.0, 0.0, 0.0]) });
        let _ = world.blow(Wind::new([extreme, extreme, 0.0]), DT);
        let _ = world.immerse(Fluid { density: extreme, ..Fluid::below([0.0, 1.0, 0.0], extreme) }, DT);
        world.step(DT).unwrap();
    }
}

fn calm2() -> World {
    let mut world = World::new();
    world.set_settings(Settings { gravity: Vec2::ZERO, ..Settings::default() }).unwrap();
    world
}

fn calm3() -> d3::World {
    let mut world = d3::World::new();
    world.set_settings(Settings { gravity: Vec3::ZERO, ..Settings::default() }).unwrap();
    world
}

#[test]
fn no_wind_takes_a_body_of_many_shapes_beyond_its_own_speed() {
    for count in [1_u8, 2, 4, 10, 40] {
        // One behind the other: together they are one plate of so many times the drag.
        let mut world = calm3();
        let mut body = d3::Body::dynamic();
        for k in 0..count {
            let plate = d3::Collider::new(shapes3::Cuboid::new([0.5, 0.5, 0.01]).unwrap()).density(0.001);
            body = body.shape(plate.at([0.0, 0.0, 0.02 * f32::from(k)]));
        }
        let body = world.add(body).unwrap();
        let mut before = 0.0;
        for _ in 0..20 {
            world.blow(Wind::new([0.0, 0.0, 10.0]), DT).unwrap();
            world.step(DT).unwrap();
            let z = world.get(body).unwrap().velocity().z;
            // Implicitly, u goes to u/(1 + k·dt) with k = ½ρcA|u|/m.
            let u = 10.0 - before;
            let k = 0.5 * 1.2 * f32::from(count) * u / world.get(body).unwrap().mass();
            let expected = 10.0 - u / (1.0 + k * DT);
            assert!((z - expected).abs() < 1e-3 && z < 10.001, "{count} shapes: {z} of {expected}");
            before = z;
        }
    }
}

#[test]
fn wind_on_a_mirrored_body_does_not_turn_it() {
    let mut world = calm2();
    let plate = |x: f32| Collider::new(d2::Cuboid::new([0.2, 0.01]).unwrap()).density(0.01).at([x, 0.0]);
    let body = (1..5_u8).fold(Body::dynamic(), |body, k| {
        body.shape(plate(0.5 * f32::from(k))).shape(plate(-0.5 * f32::from(k)))
    });
    let body = world.add(body).unwrap();
    for _ in 0..30 {
        world.blow(Wind::new([0.0, 20.0]), DT).unwrap();
        world.step(DT).unwrap();
        let body = world.get(body).unwrap();
        assert!(body.angular_velocity().abs() < 1e-2 && body.velocity().y < 20.001, "{:?}", body.velocity());
    }
    assert!(world.get(body).unwrap().velocity().y > 19.0);
}

/// The energy that a body has as seen from what flows with a velocity.
fn energy2(world: &World, body: carom_dynamics::BodyHandle, flow: Vec2<f32>) -> f32 {
    let body = world.get(body).unwrap();
    let (u, spin) = (body.velocity() - flow, body.angular_velocity());
    0.5 * (body.mass() * u.dot(u) + body.inertia() * spin * spin)
}

#[test]
fn what_flows_takes_energy_and_never_gives_any() {
    // Seen from air or water that flows steadily everywhere, they only ever slow down and stop; with shapes of any weight
    // anywhere on the body, in steps of any length.
    let mut random = Random(7);
    for case in 0..60 {
        let mut world = calm2();
        let mut body = Body::dynamic().velocity([20.0 * random.next(), 20.0 * random.next()]);
        body = body.angular_velocity(20.0 * random.next());
        for k in 0..=case % 7 {
            let half = [0.3 + 0.2 * random.next(), 0.05 + 0.04 * random.next()];
            let density = [1e-3, 1.0, 1e3, 0.1, 30.0][(k + case / 7) % 5];
            let at = (Vec2::new(2.0 * random.next(), random.next()), Rot2::from_angle(3.0 * random.next()));
            body = body.shape(Collider::new(d2::Cuboid::new(half).unwrap()).density(density).at(at));
        }
        let body = world.add(body).unwrap();
        let flow = Vec2::new(10.0 * random.next(), 10.0 * random.next());
        let mut energy = energy2(&world, body, flow);
        for step in 0..60 {
            if case % 2 == 0 {
                world.blow(Wind::new(flow), DT).unwrap();
            } else {
                let water = Fluid { flow, drag: 4.0, angular_drag: 4.0, ..Fluid::below([0.0, 1.0], 1e4) };
                world.immerse(water, DT).unwrap();
            }
            world.step(DT).unwrap();
            let now = energy2(&world, body, flow);
            assert!(now <= 1.001 * energy + 1e-6, "case {case}, step {step}: {now} J after {energy} J");
            energy = now;
        }
    }
}

#[test]
fn water_stops_a_light_body_of_many_shapes() {
    for count in [1_u8, 4, 10] {
        let mut world = calm3();
        let mut body = d3::Body::dynamic().velocity([5.0, 0.0, 0.0]).angular_velocity([0.0, 0.0, 5.0]);
        for k in 0..count {
            let ball = d3::Collider::new(shapes3::Ball::new(0.1).unwrap()).density(1.0);
            body = body.shape(ball.at([0.0, 0.0, 0.2 * f32::from(k)]));
        }
        let body = world.add(body).unwrap();
        let water = Fluid { drag: 4.0, angular_drag: 4.0, ..Fluid::below([0.0, 1.0, 0.0], 100.0) };
        let mut keeps = 5.0;
        for _ in 0..6 {
            world.immerse(water, DT).unwrap();
            world.step(DT).unwrap();
            // A thousand times as light as water, of which it displaces its volume: 4000 per second.
            keeps /= 1.0 + 4000.0 * DT;
            let body = world.get(body).unwrap();
            let (v, spin) = (body.velocity(), body.angular_velocity());
            let off = v - Vec3::new(keeps, 0.0, 0.0);
            assert!(Vector::length(off) < 1e-3, "{count} shapes: {v:?}, {keeps}");
            assert!((spin.z - keeps).abs() < 1e-3 && Vector::length(spin) < 5.0, "{count} shapes: {spin:?}");
        }
    }
}

#[test]
fn what_floats_comes_to_rest_however_small() {
    for half in [0.5, 0.2, 0.1, 0.05, 0.02] {
        let mut world = d3::World::new();
        let cube = d3::Collider::new(shapes3::Cuboid::new([half; 3]).unwrap()).density(250.0);
        // Left to itself it would topple: a cube of a quarter of the density does not float upright.
        let body = d3::Body::dynamic().at([0.0, 0.52 * half, 0.0]).can_sleep(false).locks(Locks::ROTATION);
        let cube = world.add(body.shape(cube)).unwrap();
        let mut fastest = [0.0_f32; 10];
        for step in 0..1200 {
            world.immerse(Fluid::below([0.0, 1.0, 0.0], 0.0), DT).unwrap();
            world.step(DT).unwrap();
            let speed = world.get(cube).unwrap().velocity().y.abs();
            fastest[step / 120] = if fastest[step / 120] < speed { speed } else { fastest[step / 120] };
        }
        // Drag of 1/s takes half of that from the amplitude: less than a hundredth is left after ten seconds.
        assert!(fastest[9] < 0.01 * fastest[0], "{half}: {fastest:?}");
    }
}

#[test]
fn a_ball_in_calm_water_stays_where_it_is() {
    for turn in [[0.2, 0.3, 0.1], [0.5, 0.0, 0.0]] {
        let mut world = d3::World::new();
        let ball = d3::Collider::new(shapes3::Ball::new(0.5).unwrap()).density(300.0);
        let at = Pose3::new(Vec3::new(0.0, 0.1, 0.0), Quat::from_rotation_vector(turn));
        let ball = world.add(d3::Body::dynamic().at(at).can_sleep(false).shape(ball)).unwrap();
        let mut flat = World::new();
        let disc = Collider::new(d2::Ball::new(0.5).unwrap()).density(300.0);
        let at = Pose2::new(Vec2::new(0.0, 0.1), Rot2::from_angle(turn[0]));
        let disc = flat.add(Body::dynamic().at(at).can_sleep(false).shape(disc)).unwrap();
        for _ in 0..1200 {
            world.immerse(Fluid::below([0.0, 1.0, 0.0], 0.0), DT).unwrap();
            world.step(DT).unwrap();
            flat.immerse(Fluid::below([0.0, 1.0], 0.0), DT).unwrap();
            flat.step(DT).unwrap();
        }
        let (ball, disc) = (world.get(ball).unwrap(), flat.get(disc).unwrap());
        let (at, spin) = (ball.center_of_mass(), Vector::length(ball.angular_velocity()));
        assert!(at.x.abs() + at.z.abs() < 1e-3 && spin < 1e-3, "{turn:?}: {at:?} {spin}");
        let (at, spin) = (disc.center_of_mass(), disc.angular_velocity().abs());
        assert!(at.x.abs() < 1e-3 && spin < 1e-3, "{turn:?}: {at:?} {spin}");
    }
}

/// How large the shadow of a shape on a body is, by how hard the wind pushes it: F = ½·1.2·A·10².
fn shadow_in_wind2(shape: d2::Shape<f32>, wind: [f32; 2]) -> f32 {
    let mut world = calm2();
    let body = world.add(Body::dynamic().shape(shape)).unwrap();
    world.blow(Wind::new(wind), 1e-6).unwrap();
    world.step(1e-6).unwrap();
    let body = world.get(body).unwrap();
    Vector::length(body.velocity()) * body.mass() / (1e-6 * 60.0)
}

fn shadow_in_wind3(shape: shapes3::Shape<f32>, wind: [f32; 3]) -> f32 {
    let mut world = calm3();
    let body = world.add(d3::Body::dynamic().shape(shape)).unwrap();
    world.blow(Wind::new(wind), 1e-6).unwrap();
    world.step(1e-6).unwrap();
    let body = world.get(body).unwrap();
    Vector::length(body.velocity()) * body.mass() / (1e-6 * 60.0)
}

#[test]
fn rounded_shapes_have_the_shadows_of_all_of_them() {
    use core::f32::consts::PI;
    let close = |found: f32, exact: f32| assert!((found / exact - 1.0).abs() < 0.03, "{found} of {exact}");
    let square = d2::Rounded::new(d2::Cuboid::new([0.1, 0.1]).unwrap(), 0.4).unwrap();
    close(shadow_in_wind2(square.into(), [10.0, 0.0]), 1.0);
    let stick = d2::Rounded::new(d2::Segment::new([-0.5, 0.0], [0.5, 0.0]).unwrap(), 0.5).unwrap();
    close(shadow_in_wind2(stick.clone().into(), [10.0, 0.0]), 1.0);
    close(shadow_in_wind2(stick.into(), [0.0, 10.0]), 2.0);
    // Steiner: the shadow of the core, its edge times the radius, and a circle.
    let cube = shapes3::Rounded::new(shapes3::Cuboid::new([0.1; 3]).unwrap(), 0.4).unwrap();
    close(shadow_in_wind3(cube.into(), [10.0, 0.0, 0.0]), 0.04 + 0.8 * 0.4 + PI * 0.16);
    let stick = shapes3::Segment::new([0.0, 0.0, -0.5], [0.0, 0.0, 0.5]).unwrap();
    let stick = shapes3::Rounded::new(stick, 0.5).unwrap();
    close(shadow_in_wind3(stick.clone().into(), [10.0, 0.0, 0.0]), 1.0 + PI * 0.25);
    close(shadow_in_wind3(stick.into(), [0.0, 0.0, 10.0]), PI * 0.25);
    let sheet = shapes3::Triangle::new([-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [0.0, 0.0, 0.5]).unwrap();
    let sheet = shapes3::Rounded::new(sheet, 0.3).unwrap();
    let edge = 1.0 + 2.0 * 1.25_f32.sqrt();
    close(shadow_in_wind3(sheet.clone().into(), [0.0, 10.0, 0.0]), 0.5 + 0.3 * edge + PI * 0.09);
    close(shadow_in_wind3(sheet.into(), [10.0, 0.0, 0.0]), 2.0 * 0.3 + PI * 0.09);
    let wheel = shapes3::Rounded::new(shapes3::Cylinder::new(0.2, 0.5).unwrap(), 0.1).unwrap();
    close(shadow_in_wind3(wheel.into(), [0.0, 10.0, 0.0]), PI * 0.36);
}

#[test]
fn rounded_shapes_are_lifted_by_what_they_displace() {
    // The water ends at the origin. How much of each shape is below, by counting points of a grid.
    let corners = [Vec2::new(-0.1, -0.1), Vec2::new(0.1, -0.1), Vec2::new(0.0, 0.1)];
    let distance = |p: Vec2<f32>| {
        let sides = [0, 1, 2].map(|k| (corners[k], corners[(k + 1) % 3]));
        let inside = sides.iter().all(|(a, b)| 0.0 <= (*b - *a).cross(p - *a));
        let away = sides.map(|(a, b)| {
            let along = (b - a).dot(p - a) / (b - a).dot(b - a);
            Vector::length(p - (a + (b - a) * along.clamp_to(0.0, 1.0)))
        });
        if inside { 0.0 } else { away.into_iter().fold(f32::INFINITY, Number::min_of) }
    };
    let (mut all, mut below) = (0.0, 0.0);
    for k in 0..1000 {
        for j in 0..1000_i16 {
            let at = |k: i16| 0.0012 * (f32::from(k) - 499.5);
            if distance(Vec2::new(at(k), at(j))) <= 0.4 {
                all += 1.0;
                below += if j < 500 { 1.0 } else { 0.0 };
            }
        }
    }
    let wedge =
        d2::Rounded::new(d2::Triangle::new(corners[0], corners[1], corners[2]).unwrap(), 0.4).unwrap();
    let stick = d2::Rounded::new(d2::Segment::new([-0.5, 0.0], [0.5, 0.0]).unwrap(), 0.5).unwrap();
    for (shape, share) in [(d2::Shape::from(wedge), below / all), (stick.into(), 0.5)] {
        let mut world = World::new();
        let body = world.add(Body::dynamic().shape(shape)).unwrap();
        let water = Fluid { drag: 0.0, angular_drag: 0.0, density: 1.0, ..Fluid::below([0.0, 1.0], 0.0) };
        assert_eq!(world.immerse(water, DT).unwrap(), 1);
        world.step(DT).unwrap();
        let lift = 10.0 + world.get(body).unwrap().velocity().y / DT;
        assert!((lift - 10.0 * share).abs() < 0.05, "{lift} of {}", 10.0 * share);
    }
    // In space by symmetry: half of them.
    let stick = shapes3::Segment::new([0.0, 0.0, -0.5], [0.0, 0.0, 0.5]).unwrap();
    let sheet = shapes3::Triangle::new([-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [0.0, 0.0, 0.5]).unwrap();
    for core in [shapes3::Shape::from(stick), sheet.into()] {
        let mut world = d3::World::new();
        let shape = shapes3::Rounded::new(core, 0.3).unwrap();
        let body = world.add(d3::Body::dynamic().shape(shape)).unwrap();
        let water =
            Fluid { drag: 0.0, angular_drag: 0.0, density: 1.0, ..Fluid::below([0.0, 1.0, 0.0], 0.0) };
        assert_eq!(world.immerse(water, DT).unwrap(), 1);
        world.step(DT).unwrap();
        let lift = 10.0 + world.get(body).unwrap().velocity().y / DT;
        assert!((lift - 5.0).abs() < 0.05, "{lift}");
    }
}

#[test]
fn an_explosion_that_is_refused_moves_nobody() {
    let mut world = d3::World::new();
    for (x, density) in [(2.0, 1e6), (-2.0, 1e-6)] {
        let ball = d3::Collider::new(shapes3::Ball::new(0.5).unwrap()).density(density);
        world.add(d3::Body::dynamic().at([x, 0.0, 0.0]).asleep().shape(ball)).unwrap();
    }
    let before = (world.hash(), world.snapshot().to_bytes());
    let burst = Explosion { radius: 10.0, impulse: 1e36, ..Explosion::at([0.0, 0.0, 0.0]) };
    assert_eq!(world.explode(burst).unwrap_err().kind(), "not_finite");
    assert_eq!((world.hash(), world.snapshot().to_bytes()), before);
    assert_eq!(world.explode(Explosion { impulse: 1.0, ..burst }).unwrap(), 2);
}

#[test]
fn forces_act_during_one_step_even_if_that_is_none() {
    let speed = |empty: usize| {
        let mut world = calm2();
        let body = world.add(Body::dynamic().shape(d2::Ball::new(0.5).unwrap())).unwrap();
        for _ in 0..empty {
            world.blow(Wind::new([10.0, 0.0]), DT).unwrap();
            world.get_mut(body).unwrap().apply_torque(1.0).unwrap();
            world.step(0.0).unwrap();
        }
        world.blow(Wind::new([10.0, 0.0]), DT).unwrap();
        world.step(DT).unwrap();
        (world.get(body).unwrap().velocity(), world.get(body).unwrap().angular_velocity())
    };
    assert_eq!(speed(3), speed(0));
}
