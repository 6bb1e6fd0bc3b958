//! Moving shapes, judged by exact arithmetic.

use super::support;

use carom_geometry::{CastOptions, Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3};
use carom_oracle::generate::{Rng, any_bits, power_of_two, unit_complex, unit_quaternion};
use carom_oracle::motion::{Cast, Touch};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, Transform, V, exact, pose2, pose3};
use support::*;

/// A question: two shapes with poses and velocities.
#[derive(Clone, Debug)]
struct Question<const D: usize> {
    a: Thing<D>,
    b: Thing<D>,
    /// (cos, sin) or a quaternion, of which the first D·(D−1) numbers count.
    turns: [[f64; 4]; 2],
    places: [[f64; D]; 2],
    velocities: [[f64; D]; 2],
    max: f64,
}

type Found<const D: usize> = Option<(f64, [f64; D], [f64; D])>;

impl<const D: usize> Question<D> {
    fn size(&self) -> f64 {
        let between: [f64; D] = std::array::from_fn(|i| self.places[0][i] - self.places[1][i]);
        largest(&between) + self.a.size() + self.b.size()
    }

    fn relative_velocity(&self) -> [f64; D] {
        std::array::from_fn(|i| self.velocities[0][i] - self.velocities[1][i])
    }

    /// The motion of a as seen from b, in the world's axes, `grown` wider all around; with a shrunk
    /// shape instead for a negative number, `None` when nothing is left of it.
    fn truth(&self, grown: f64) -> Option<Cast<D>> {
        let shape = |thing: &Thing<D>| if grown < 0.0 { thing.shrunk(-grown) } else { Some(thing.clone()) };
        let (a, b) = (shape(&self.a)?, shape(&self.b)?);
        let (core_a, radius_a) = a.core_at(&self.transform(0))?;
        let (core_b, radius_b) = b.core_at(&self.transform(1))?;
        let velocity: V<D> = &self.velocities[0].to_exact() - &self.velocities[1].to_exact();
        let cast = Cast::new(core_a, &velocity, core_b);
        Some(cast.with_radius(radius_a).with_radius(radius_b).with_radius(if grown < 0.0 {
            0.0
        } else {
            grown
        }))
    }

    fn transform(&self, which: usize) -> Transform<D> {
        let turn = self.turns[which];
        let place = self.places[which];
        let rows = if D == 2 {
            let flat = pose2([turn[0], turn[1]], [0.0; 2]);
            std::array::from_fn(|i| V(std::array::from_fn(|j| flat.rows[i].0[j].clone())))
        } else {
            let space = pose3(turn, [0.0; 3]);
            std::array::from_fn(|i| V(std::array::from_fn(|j| space.rows[i].0[j].clone())))
        };
        Transform { rows, translation: place.to_exact() }
    }

    fn swapped(&self) -> Self {
        let swap = |pair: [[f64; D]; 2]| [pair[1], pair[0]];
        Question {
            a: self.b.clone(),
            b: self.a.clone(),
            turns: [self.turns[1], self.turns[0]],
            places: swap(self.places),
            velocities: swap(self.velocities),
            max: self.max,
        }
    }

    fn scaled(&self, f: f64) -> Self {
        let scale = |pair: [[f64; D]; 2]| pair.map(|v| v.map(|x| x * f));
        Question {
            a: self.a.scaled(f),
            b: self.b.scaled(f),
            places: scale(self.places),
            velocities: scale(self.velocities),
            ..self.clone()
        }
    }
}

fn ask2<T: Real>(q: &Question<2>) -> Result<Found<2>, Error> {
    let p = |v: [f64; 2]| v.map(T::from_f64);
    let pose = |i: usize| {
        let [c, s, ..] = q.turns[i].map(T::from_f64);
        Pose2::new(p(q.places[i]), Rot2::from_cos_sin(c, s).unwrap())
    };
    let options = CastOptions { max: T::from_f64(q.max) };
    let [va, vb] = q.velocities.map(p);
    let hit = d2::cast_shape(&shape2::<T>(&q.a), pose(0), va, &shape2::<T>(&q.b), pose(1), vb, options)?;
    let wide = |v: Vec2<T>| [v.x.to_f64(), v.y.to_f64()];
    Ok(hit.map(|hit| (hit.t.to_f64(), wide(hit.point), wide(hit.normal))))
}

fn ask3<T: Real>(q: &Question<3>) -> Result<Found<3>, Error> {
    let p = |v: [f64; 3]| v.map(T::from_f64);
    let pose = |i: usize| {
        let [x, y, z, w] = q.turns[i].map(T::from_f64);
        Pose3::new(p(q.places[i]), Quat::new(x, y, z, w).unwrap())
    };
    let options = CastOptions { max: T::from_f64(q.max) };
    let [va, vb] = q.velocities.map(p);
    let hit = d3::cast_shape(&shape3::<T>(&q.a), pose(0), va, &shape3::<T>(&q.b), pose(1), vb, options)?;
    let wide = |v: Vec3<T>| [v.x.to_f64(), v.y.to_f64(), v.z.to_f64()];
    Ok(hit.map(|hit| (hit.t.to_f64(), wide(hit.point), wide(hit.normal))))
}

/// Pairs of kinds that the exact oracle knows: everything but cylinders, cones and ellipsoids.
const PAIRS: [(usize, usize); 32] = [
    (0, 0),
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (0, 5),
    (0, 8),
    (0, 10),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 8),
    (1, 10),
    (2, 2),
    (2, 3),
    (2, 4),
    (2, 5),
    (2, 8),
    (2, 10),
    (3, 3),
    (3, 4),
    (3, 5),
    (3, 8),
    (4, 4),
    (4, 5),
    (4, 8),
    (4, 10),
    (8, 5),
    (8, 8),
    (10, 10),
];

/// A question whose shapes often meet at a special place. Turned in one of three.
fn question<const D: usize>(rng: &mut Rng, (kind_a, kind_b): (usize, usize)) -> Question<D> {
    let (a, b): (Thing<D>, Thing<D>) = (thing(rng, kind_a), thing(rng, kind_b));
    let (on_b, along) = aimed(rng, &b);
    let touch = feature(rng, &a);
    let identity = if D == 2 { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 0.0, 0.0, 1.0] };
    let turn = |rng: &mut Rng| {
        if rng.below(3) > 0 {
            return identity;
        }
        if D == 3 {
            return unit_quaternion(rng);
        }
        let [c, s] = unit_complex(rng);
        let unit = Rot2::from_cos_sin(c, s).unwrap();
        [unit.cos(), unit.sin(), 0.0, 0.0]
    };
    let turns = [turn(rng), turn(rng)];
    let place_a = std::array::from_fn(|i| on_b[i] - touch[i]);
    let mut velocities = [along, [0.0; D]];
    if rng.one_in(3) {
        let drift: [f64; D] = point(rng);
        velocities = [std::array::from_fn(|i| along[i] + drift[i]), drift];
    }
    let (mut q, max) = (
        Question { a, b, turns, places: [place_a, [0.0; D]], velocities, max: 1.0 },
        rng.pick(&[1.0, 2.0, 8.0, 1e9]),
    );
    q.max = max;
    if rng.one_in(2) { q.swapped() } else { q }
}

/// The time is right for shapes that differ from the given ones by a few ulp of the scale: they have
/// come within that distance by then, and shapes that much thinner have not met before.
fn check<const D: usize>(q: &Question<D>, found: Found<D>) {
    let name = format!("{q:?}");
    let slack = 256.0 * f64::EPSILON * q.size();
    let speed = largest(&q.relative_velocity());
    let thin = q.truth(-slack);
    let Some((t, point, normal)) = found else {
        if let Some(thin) = thin {
            assert!(!thin.has_touched_by(&exact(q.max)), "missed: {name}");
        }
        return;
    };
    assert!(0.0 <= t && t <= q.max, "t = {t}: {name}");
    assert!((dot(normal, normal).sqrt() - 1.0).abs() < 1e-14, "normal {normal:?}: {name}");
    let tolerance = if speed == 0.0 { 0.0 } else { 64.0 * f64::EPSILON * (q.size() / speed + t) };
    let wide = q.truth(slack).unwrap();
    assert!(wide.has_touched_by(&(exact(t) + exact(tolerance))), "too early, t = {t}: {name}");
    if let Some(thin) = thin {
        let early = exact(t) - exact(tolerance);
        assert!(
            early <= exact(0.0) || !thin.has_touched_by(&early),
            "too late, t = {t}, truth {:?}: {name}",
            thin.first_touch(q.max)
        );
    }
    // The normal separates them at that time, a below and b above.
    if t > 0.0 && !matches!(q.a, HalfSpace(..)) && !matches!(q.b, HalfSpace(..)) {
        let n = normal.to_exact();
        let end = |which: usize| {
            let (core, radius) = [&q.a, &q.b][which].core_at(&q.transform(which)).unwrap();
            let [low, high] = core.extent_along(&n);
            let moved = q.velocities[which].to_exact().dot(&n) * exact(t);
            if which == 0 { high + exact(radius) + moved } else { low - exact(radius) + moved }
        };
        // Where they graze, the square root of the rounding errors shows in the normal.
        let tolerance = 1e-7 * (q.size() + speed * t);
        assert!(end(0) - end(1) <= exact(tolerance), "normal {normal:?}: {name}");
    }
    // The point belongs to both shapes at that time.
    if t > 0.0 {
        for which in 0..2 {
            let thing = [&q.a, &q.b][which];
            let (moved, radius) = thing.core_at(&q.transform(which)).unwrap();
            let shift = q.velocities[which].to_exact().scaled(&exact(t));
            let here = Convex::hull(&[&point.to_exact() - &shift]);
            let reach = radius + 4096.0 * f64::EPSILON * (q.size() + speed * t + largest(&point));
            let squared = moved.distance_squared(&here);
            assert!(squared <= exact(reach) * exact(reach), "point {point:?} off shape {which}: {name}");
        }
    }
}

#[test]
fn first_touches_agree_with_exact_arithmetic() {
    let mut rng = Rng::new(21);
    for pair in PAIRS {
        let mut hits = 0;
        for _ in 0..100 {
            let flat: Question<2> = question(&mut rng, pair);
            let found = ask2::<f64>(&flat).unwrap();
            hits += usize::from(found.is_some());
            check(&flat, found);
            let space: Question<3> = question(&mut rng, pair);
            let found = ask3::<f64>(&space).unwrap();
            hits += usize::from(found.is_some());
            check(&space, found);
        }
        assert!(hits > 40, "kinds {pair:?}: only {hits} hits");
    }
}

/// Lattice numbers, no turns: nothing is rounded on the way, so a touch is never lost nor invented.
fn check_lattice<const D: usize>(q: &Question<D>, found: Found<D>) {
    let truth = q.truth(0.0).unwrap();
    assert_eq!(found.is_some(), truth.has_touched_by(&exact(q.max)), "{q:?}");
    let Some((t, ..)) = found else { return };
    let speed = largest(&q.relative_velocity());
    let tolerance = if speed == 0.0 { 0.0 } else { 16.0 * f64::EPSILON * q.size() / speed };
    assert!(truth.is_first_touch(t, tolerance), "t = {t}, truth {:?}: {q:?}", truth.first_touch(q.max));
}

#[test]
fn touches_on_a_lattice_are_decided_exactly() {
    fn lattice_question<const D: usize>(rng: &mut Rng, pair: (usize, usize)) -> Question<D> {
        let p = |rng: &mut Rng| -> [f64; D] { std::array::from_fn(|_| f64::from(rng.between(-4, 4)) / 2.0) };
        let l = |rng: &mut Rng| f64::from(rng.between(0, 4)) / 2.0;
        let mut shape = |kind: usize| match kind {
            8 => Points((0..1 + rng.below(8)).map(|_| p(rng)).collect()),
            10 => {
                let core = if rng.one_in(2) { Cuboid([1.0; D]) } else { Triangle([p(rng), p(rng), p(rng)]) };
                Rounded(Box::new(core), l(rng))
            }
            0 => Ball(l(rng)),
            1 => Cuboid(std::array::from_fn(|_| l(rng))),
            2 => Capsule(p(rng), p(rng), l(rng)),
            3 => Segment(p(rng), p(rng)),
            4 => Triangle([p(rng), p(rng), p(rng)]),
            _ => {
                let mut normal = [0.0; D];
                normal[rng.below(D)] = rng.sign();
                HalfSpace(normal, l(rng))
            }
        };
        let (a, b) = (shape(pair.0), shape(pair.1));
        let identity = if D == 2 { [1.0, 0.0, 0.0, 0.0] } else { [0.0, 0.0, 0.0, 1.0] };
        let q = Question {
            a,
            b,
            turns: [identity; 2],
            places: [p(rng).map(|x| x * 2.0), [0.0; D]],
            velocities: [p(rng), if rng.one_in(2) { [0.0; D] } else { p(rng) }],
            max: rng.pick(&[1.0, 2.0, 4.0, 64.0]),
        };
        if rng.one_in(2) { q.swapped() } else { q }
    }
    let mut rng = Rng::new(22);
    for pair in PAIRS {
        for _ in 0..150 {
            let flat: Question<2> = lattice_question(&mut rng, pair);
            check_lattice(&flat, ask2::<f64>(&flat).unwrap());
            let space: Question<3> = lattice_question(&mut rng, pair);
            check_lattice(&space, ask3::<f64>(&space).unwrap());
        }
    }
}

#[test]
fn exchanging_the_shapes_only_negates_the_normal() {
    let mut rng = Rng::new(23);
    for round in 0..4000 {
        let q: Question<3> = question(&mut rng, PAIRS[round % PAIRS.len()]);
        let (one, other) = (ask3::<f64>(&q).unwrap(), ask3::<f64>(&q.swapped()).unwrap());
        let flipped = other.map(|(t, point, normal)| (t, point, normal.map(|x| 0.0 - x)));
        assert_eq!(one.map(|(t, p, n)| (t, p, n.map(|x| x + 0.0))), flipped, "{q:?}");
        let q: Question<2> = question(&mut rng, PAIRS[round % PAIRS.len()]);
        let (one, other) = (ask2::<f64>(&q).unwrap(), ask2::<f64>(&q.swapped()).unwrap());
        assert_eq!(one.map(|(t, p, _)| (t, p)), other.map(|(t, p, _)| (t, p)), "{q:?}");
    }
}

#[test]
fn powers_of_two_scale_exactly() {
    let mut rng = Rng::new(24);
    for round in 0..2000 {
        let q: Question<3> = question(&mut rng, PAIRS[round % PAIRS.len()]);
        let plain = ask3::<f64>(&q).unwrap();
        for exponent in [-300, -40, 40, 300] {
            let f = power_of_two(exponent);
            let expected = plain.map(|(t, p, n)| (t, p.map(|x| x * f), n));
            assert_eq!(ask3::<f64>(&q.scaled(f)).unwrap(), expected, "2^{exponent}: {q:?}");
        }
    }
}

#[test]
fn moving_everything_along_changes_nothing_but_rounding() {
    let mut rng = Rng::new(25);
    for round in 0..3000 {
        let q: Question<3> = question(&mut rng, PAIRS[round % PAIRS.len()]);
        let Some((t, ..)) = ask3::<f64>(&q).unwrap() else { continue };
        // A common drift and a common shift; whole numbers, so that little is rounded.
        let (drift, shift) = ([1024.0, -2048.0, 512.0], [4096.0, 64.0, -32.0]);
        let mut along = q.clone();
        for i in 0..2 {
            along.places[i] = std::array::from_fn(|k| q.places[i][k] + shift[k]);
            along.velocities[i] = std::array::from_fn(|k| q.velocities[i][k] + drift[k]);
        }
        // What rounding moves: the difference of the places by 2⁻⁴⁰, of the velocities by 2⁻⁴¹.
        if along.relative_velocity() != q.relative_velocity() {
            continue;
        }
        let between =
            |q: &Question<3>| -> [f64; 3] { std::array::from_fn(|k| q.places[0][k] - q.places[1][k]) };
        if between(&along) != between(&q) {
            continue;
        }
        assert_eq!(ask3::<f64>(&along).unwrap().map(|(t, ..)| t), Some(t), "{q:?}");
    }
}

#[test]
fn no_speed_carries_a_ball_through_a_thin_wall() {
    let mut rng = Rng::new(26);
    for _ in 0..2000 {
        let identity = [0.0, 0.0, 0.0, 1.0];
        let side = rng.pick(&[1.0, 0.01, 100.0]);
        let wall: Thing<3> = match rng.below(3) {
            0 => Cuboid([side, side, rng.pick(&[1e-4, 0.0, 1e-9])]),
            1 => Triangle([[-side, -side, 0.0], [side, -side, 0.0], [0.0, side, 0.0]]),
            _ => half_space([0.0, 0.0, 1.0], 0.0),
        };
        let radius = rng.pick(&[0.5, 1e-3, 0.0, 10.0]);
        let speed = rng.pick(&[1e4, 1e8, 1.0]);
        let target = [rng.uniform(-0.2, 0.2) * side, rng.uniform(-0.5, 0.0) * side, 0.0];
        let from = [target[0] + rng.uniform(-1.0, 1.0), target[1], radius + rng.uniform(0.1, 3.0)];
        let velocity: [f64; 3] = std::array::from_fn(|i| (target[i] - from[i]) * speed);
        let q = Question {
            a: Ball(radius),
            b: wall,
            turns: [identity; 2],
            places: [from, [0.0; 3]],
            velocities: [velocity, [0.0; 3]],
            max: 2.0,
        };
        let (t, _, normal) = ask3::<f64>(&q).unwrap().expect("it must not pass");
        assert!(0.0 < t && t <= 1.0 / speed * (1.0 + 1e-12), "{q:?}");
        assert!(normal[2] < 0.0, "{normal:?} {q:?}");
    }
}

#[test]
fn cylinders_and_cones_fall_onto_the_ground() {
    let ground = shape3::<f64>(&half_space([0.0, 1.0, 0.0], 0.0));
    let still = [0.0; 3];
    let fall = |shape: &d3::Shape<f64>, height: f64, turn: Quat<f64>| {
        let pose = Pose3::new([0.0, height, 0.0], turn);
        let options = CastOptions { max: 10.0 };
        d3::cast_shape(shape, pose, [1.0, -2.0, 0.0], &ground, still, still, options).unwrap().unwrap()
    };
    let can = shape3(&Cylinder(1.0, 0.5));
    let upright = fall(&can, 5.0, Quat::IDENTITY);
    assert_eq!((upright.t, upright.normal.y, upright.point.y), (2.0, -1.0, 0.0));
    let lying = fall(&can, 4.5, Quat::new(0.0, 0.0, 1.0, 1.0).unwrap());
    assert_eq!(lying.t, 2.0);
    let cone = shape3(&Cone(1.0, 0.5));
    let on_its_tip = fall(&cone, 5.0, Quat::new(1.0, 0.0, 0.0, 0.0).unwrap());
    assert_eq!((on_its_tip.t, on_its_tip.point.x, on_its_tip.point.y), (2.0, 2.0, 0.0));
}

#[test]
fn without_relative_motion_only_touching_shapes_hit() {
    let mut rng = Rng::new(27);
    for round in 0..500 {
        let mut q: Question<3> = question(&mut rng, PAIRS[round % PAIRS.len()]);
        q.velocities[0] = q.velocities[1];
        let touching = q.truth(0.0).unwrap().has_touched_by(&exact(0.0));
        let slack = 256.0 * f64::EPSILON * q.size();
        let nearly = q.truth(slack).unwrap().has_touched_by(&exact(0.0));
        let found = ask3::<f64>(&q).unwrap();
        assert!(found.is_none_or(|(t, ..)| t == 0.0));
        assert!(found.is_some() == touching || nearly, "{q:?}");
    }
}

#[test]
fn pairs_without_a_kernel_say_so() {
    let cube = shape3::<f64>(&Cuboid([1.0; 3]));
    let still = [0.0; 3];
    let ground = shape3::<f64>(&half_space([0.0, 1.0, 0.0], 0.0));
    let error =
        d3::cast_shape(&ground, still, still, &ground, still, still, CastOptions::default()).unwrap_err();
    assert_eq!(error.kind(), "unsupported");
    let nan = [f64::NAN, 0.0, 0.0];
    let error = d3::cast_shape(&cube, still, nan, &cube, still, still, CastOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "velocity_a must be finite, but is NaN");
    let options = CastOptions { max: -1.0 };
    assert!(d3::cast_shape(&cube, still, still, &cube, still, still, options).is_err());
}

#[test]
fn single_precision_agrees() {
    let mut rng = Rng::new(28);
    for round in 0..2000 {
        let mut q: Question<3> = question(&mut rng, PAIRS[round % PAIRS.len()]);
        let f = |v: [f64; 3]| v.map(|x| f64::from(x as f32));
        let (Some(a), Some(b)) = (q.a.narrowed(), q.b.narrowed()) else { continue };
        (q.a, q.b) = (a, b);
        q.turns = [[0.0, 0.0, 0.0, 1.0]; 2];
        q.places = q.places.map(f);
        q.velocities = q.velocities.map(f);
        let (wide, single) = (ask3::<f64>(&q).unwrap(), ask3::<f32>(&q).unwrap());
        assert_eq!(single.map(|(t, ..)| t), wide.map(|(t, ..)| f64::from(t as f32)), "{q:?}");
    }
}

/// Two capsules in `f32` have a way of their own, in the axes of the world and at any scale.
#[test]
fn capsules_in_single_precision_keep_the_laws_and_agree() {
    check_capsules::<3>(
        |q| ask3::<f32>(q).unwrap(),
        |q| ask3::<f64>(q).unwrap(),
        |turn| {
            let [x, y, z, w] = turn.map(|x| x as f32);
            Quat::new(x, y, z, w).unwrap().to_array().map(f64::from)
        },
    );
    check_capsules::<2>(
        |q| ask2::<f32>(q).unwrap(),
        |q| ask2::<f64>(q).unwrap(),
        |turn| {
            let [cos, sin, ..] = turn.map(|x| x as f32);
            let turn = Rot2::from_cos_sin(cos, sin).unwrap();
            [f64::from(turn.cos()), f64::from(turn.sin()), 0.0, 0.0]
        },
    );
}

fn check_capsules<const D: usize>(
    ask_single: impl Fn(&Question<D>) -> Found<D>,
    ask_wide: impl Fn(&Question<D>) -> Found<D>,
    narrowed: impl Fn([f64; 4]) -> [f64; 4],
) {
    let mut rng = Rng::new(31);
    let mut hits = 0;
    for _ in 0..3000 {
        let mut q: Question<D> = question(&mut rng, (2, 2));
        let f = |v: [f64; D]| v.map(|x| f64::from(x as f32));
        let (Some(a), Some(b)) = (q.a.narrowed(), q.b.narrowed()) else { continue };
        (q.a, q.b) = (a, b);
        q.turns = q.turns.map(&narrowed);
        (q.places, q.velocities) = (q.places.map(f), q.velocities.map(f));
        let single = ask_single(&q);
        let other = ask_single(&q.swapped());
        let flipped = other.map(|(t, point, normal)| (t, point, normal.map(|x| 0.0 - x)));
        assert_eq!(single.map(|(t, p, n)| (t, p, n.map(|x| x + 0.0))), flipped, "{q:?}");
        for exponent in [-40, 40] {
            let factor = power_of_two(exponent);
            let expected = single.map(|(t, p, n)| (t, p.map(|x| x * factor), n));
            assert_eq!(ask_single(&q.scaled(factor)), expected, "2^{exponent}: {q:?}");
        }
        let wide = ask_wide(&q);
        assert_eq!(single.is_some(), wide.is_some(), "{single:?} {wide:?}: {q:?}");
        if let (Some((t, ..)), Some((expected, ..))) = (single, wide) {
            let relative: [f64; D] = std::array::from_fn(|i| q.velocities[0][i] - q.velocities[1][i]);
            let slack = f64::from(f32::EPSILON) * (0.51 * expected + 0.01 * q.size() / largest(&relative));
            assert!((t - expected).abs() <= slack || relative == [0.0; D], "{t} {expected}: {q:?}");
            hits += 1;
        }
    }
    assert!(hits > 1000, "only {hits}");
}

#[test]
fn any_bit_pattern_is_answered() {
    let mut rng = Rng::new(29);
    let mut answered = 0;
    for _ in 0..10_000 {
        let mut x = || any_bits(&mut rng);
        let [a, b, c, pa, pb, va, vb] = [0; 7].map(|_| [x(), x(), x()]);
        let (r, h, max) = (x(), x(), x());
        let rotation = Quat::new(x(), x(), x(), x()).unwrap_or(Quat::IDENTITY);
        let shapes: [Result<d3::Shape<f64>, Error>; 6] = [
            d3::Ball::new(r).map(Into::into),
            d3::Cuboid::new(a.map(f64::abs)).map(Into::into),
            d3::Capsule::new(a, b, h).map(Into::into),
            d3::Triangle::new(a, b, c).map(Into::into),
            d3::HalfSpace::new(c, h).map(Into::into),
            d3::Cone::new(r, h).map(Into::into),
        ];
        let shapes: Vec<d3::Shape<f64>> = shapes.into_iter().flatten().collect();
        for first in &shapes {
            for second in &shapes {
                let options = CastOptions { max };
                match d3::cast_shape(first, Pose3::new(pa, rotation), va, second, pb, vb, options) {
                    Ok(Some(hit)) => {
                        answered += 1;
                        let is_sound = 0.0 <= hit.t && hit.t <= max && hit.point.x.is_finite();
                        assert!(is_sound, "{hit:?} {max}: {first:?} {second:?} {pa:?} {pb:?} {va:?} {vb:?}");
                        let n = hit.normal.x;
                        assert!(
                            n.abs() <= 1.0 + 1e-14,
                            "{hit:?} {max}: {first:?} {second:?} {pa:?} {pb:?} {va:?} {vb:?} {rotation:?}"
                        );
                    }
                    Ok(None) => answered += 1,
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
    assert!(answered > 1000, "only {answered} answers");
}
