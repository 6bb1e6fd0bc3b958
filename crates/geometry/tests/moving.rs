//! Moving shapes, judged by exact arithmetic.

mod support;

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

/// Pairs of kinds that are supported and flat enough for the oracle: ball with everything, two cuboids,
/// and all against a half-space.
const PAIRS: [(usize, usize); 11] =
    [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 1), (1, 5), (2, 5), (3, 5), (4, 5)];

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
fn check<const D: usize>(q: &Question<D>, found: Found<D>, worst: &mut f64) {
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
    // How many ulp of the scale the time of the given shapes themselves is off.
    let own = q.truth(0.0).unwrap();
    if t > 0.0 {
        let unit = f64::EPSILON * (q.size() / speed + t);
        let off = [1.0, 4.0, 16.0, 64.0]
            .into_iter()
            .find(|k| own.is_first_touch(t, k * unit))
            .unwrap_or(f64::INFINITY);
        if off.is_finite() {
            *worst = carom_math::Number::max_of(*worst, off);
        }
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
        let (mut worst, mut hits) = (0.0, 0);
        for _ in 0..250 {
            let flat: Question<2> = question(&mut rng, pair);
            let found = ask2::<f64>(&flat).unwrap();
            hits += usize::from(found.is_some());
            check(&flat, found, &mut worst);
            let space: Question<3> = question(&mut rng, pair);
            let found = ask3::<f64>(&space).unwrap();
            hits += usize::from(found.is_some());
            check(&space, found, &mut worst);
        }
        println!("kinds {pair:?}: {hits} hits, worst {worst} ε of the scale");
        assert!(hits > 100, "kinds {pair:?}: only {hits} hits");
    }
}
