//! Support functions in closed form, and what follows from them: an independent judge for curved shapes.
//!
//! For sets A and B and a unit vector n let h(n) = min n·b − max n·a. The separation of the sets is the
//! largest h(n) over all n, whether they are apart or overlap. So
//!
//! * every n proves h(n) <= separation;
//! * two points that belong to the sets prove separation <= their distance;
//! * for sets that overlap, a search over all directions must not find a larger h(n).
//!
//! Nothing here shares code with the engine. In `f64`, relative to the first shape: errors are a few
//! ε times the size.

use super::world::{Body, Case, Space};
use carom_oracle::curved::Revolved;
use carom_oracle::generate::Rng;
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, Transform, V, exact, sqrt_enclosure, to_f64};

/// A shape in its place, rounded once.
pub(crate) struct Placed<'a, const D: usize> {
    pub(crate) body: &'a Body<D>,
    transform: Transform<D>,
    /// world = rows·local + origin
    rows: [[f64; D]; D],
    origin: [f64; D],
    /// The corners of a polytope's core, in the local frame.
    corners: Vec<[f64; D]>,
}

fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|i| a[i] * b[i]).sum()
}

fn normalized<const D: usize>(v: [f64; D]) -> [f64; D] {
    let norm = dot(v, v).sqrt();
    v.map(|x| x / norm)
}

impl<'a, const D: usize> Placed<'a, D> {
    fn new(body: &'a Body<D>, transform: Transform<D>, around: &V<D>) -> Self {
        let rows = std::array::from_fn(|i| transform.rows[i].to_f64());
        let origin = (&transform.translation - around).to_f64();
        let corners = if body.is_curved() || body.is_half_space() { Vec::new() } else { body.core() };
        Placed { body, transform, rows, origin, corners }
    }

    fn local(&self, n: [f64; D]) -> [f64; D] {
        std::array::from_fn(|j| (0..D).map(|i| self.rows[i][j] * n[i]).sum())
    }

    /// The outward normal of a half-space.
    fn plane(&self) -> [f64; D] {
        let n = normalized(self.body.numbers[0]);
        std::array::from_fn(|i| dot(self.rows[i], n))
    }

    /// The largest n·p over the shape; for a half-space along its normal.
    pub(crate) fn reach(&self, n: [f64; D]) -> f64 {
        let m = self.local(n);
        let numbers = self.body.numbers.first().copied().unwrap_or([0.0; D]);
        // The y axis is the axis; the others are across.
        let across = || (0..D).filter(|&i| i != 1).map(|i| m[i] * m[i]).sum::<f64>().sqrt();
        let core = match self.body.base() {
            "half_space" => return self.body.radius / dot(numbers, numbers).sqrt() + dot(n, self.origin),
            "ellipsoid" => (0..D).map(|i| (m[i] * numbers[i]) * (m[i] * numbers[i])).sum::<f64>().sqrt(),
            "cylinder" => numbers[0] * m[1].abs() + numbers[1] * across(),
            "cone" => (numbers[0] * m[1]).max(numbers[1] * across() - numbers[0] * m[1]),
            _ => self.corners.iter().map(|p| dot(*p, m)).fold(f64::NEG_INFINITY, f64::max),
        };
        core + self.body.radius + dot(n, self.origin)
    }

    /// How far outside of the shape a point of the world may be, at most: `n` is the direction in which it
    /// is said to be on the surface, so that the radius can be taken off.
    pub(crate) fn outside(&self, point: [f64; D], n: [f64; D]) -> f64 {
        if self.body.is_half_space() {
            let relative: [f64; D] = std::array::from_fn(|i| {
                to_f64(&(exact(point[i]) - &self.transform.translation.0[i])) + self.origin[i]
            });
            return dot(relative, self.plane()) - self.reach(self.plane());
        }
        let inner = &point.to_exact() - &n.to_exact().scaled(&exact(self.body.radius));
        let local = self.transform.point_to_local(&inner);
        let numbers = self.body.numbers.first().copied().unwrap_or([0.0; D]);
        let lifted = || V::<3>(std::array::from_fn(|i| local.0[i].clone()));
        match self.body.base() {
            "cylinder" => Revolved::Cylinder { half_height: numbers[0], radius: numbers[1] }
                .point_distance(&lifted())
                .bounds()[1],
            "cone" if numbers[0] == 0.0 => Revolved::Cylinder { half_height: 0.0, radius: numbers[1] }
                .point_distance(&lifted())
                .bounds()[1],
            "cone" => Revolved::Cone { half_height: numbers[0], radius: numbers[1] }
                .point_distance(&lifted())
                .bounds()[1],
            "ellipsoid" => beside_ellipsoid(local.to_f64(), numbers),
            _ => {
                let core = Convex::hull(&self.corners.iter().map(ExactPoint::to_exact).collect::<Vec<_>>());
                to_f64(&sqrt_enclosure(&core.distance_squared(&Convex::hull(&[local])))[1])
            }
        }
    }
}

/// A bound on the distance of a point to a solid ellipsoid: first to the box around it, then some
/// coordinates to zero, then along one axis or straight to the centre.
fn beside_ellipsoid<const D: usize>(point: [f64; D], radii: [f64; D]) -> f64 {
    let clamped: [f64; D] = std::array::from_fn(|i| point[i].abs().min(radii[i]));
    let beyond: f64 = (0..D).map(|i| (point[i].abs() - clamped[i]) * (point[i].abs() - clamped[i])).sum();
    let ways = (0..1_usize << D).map(|zeroed| {
        let left: [f64; D] = std::array::from_fn(|i| if zeroed >> i & 1 == 1 { 0.0 } else { clamped[i] });
        let lost: f64 = (0..D).map(|i| (clamped[i] - left[i]) * (clamped[i] - left[i])).sum();
        let part = |i: usize| if radii[i] == 0.0 { 0.0 } else { left[i] / radii[i] };
        let along = (0..D).map(|axis| {
            let others: f64 = (0..D).filter(|&i| i != axis).map(|i| part(i) * part(i)).sum();
            if 1.0 < others {
                return f64::INFINITY;
            }
            (left[axis] - radii[axis] * (1.0 - others).sqrt()).max(0.0)
        });
        let length = (0..D).map(|i| part(i) * part(i)).sum::<f64>().sqrt();
        let inwards = dot(left, left).sqrt() * (1.0 - 1.0 / length.max(1.0));
        lost.sqrt() + along.fold(inwards, f64::min)
    });
    beyond.sqrt() + ways.fold(f64::INFINITY, f64::min)
}

/// Both shapes of a case.
pub(crate) struct Judge<'a, const D: usize> {
    pub(crate) a: Placed<'a, D>,
    pub(crate) b: Placed<'a, D>,
}

impl<'a, const D: usize> Judge<'a, D> {
    pub(crate) fn new<S: Space<D>>(case: &'a Case<D>) -> Self {
        let (a, b) = (S::transform(&case.pa), S::transform(&case.pb));
        let around = a.translation.clone();
        Judge { a: Placed::new(&case.a, a, &around), b: Placed::new(&case.b, b, &around) }
    }

    /// The only direction in which there is anything to compare, if a shape is a half-space.
    pub(crate) fn only_direction(&self) -> Option<[f64; D]> {
        if self.a.body.is_half_space() {
            Some(self.a.plane())
        } else if self.b.body.is_half_space() {
            Some(self.b.plane().map(|x| -x))
        } else {
            None
        }
    }

    /// h(n)
    pub(crate) fn gap_along(&self, n: [f64; D]) -> f64 {
        -(self.a.reach(n) + self.b.reach(n.map(|x| -x)))
    }

    /// The largest h(n) that a search finds: the best of `count` directions, then downhill.
    pub(crate) fn widest_gap(&self, rng: &mut Rng, count: usize, start: [f64; D]) -> f64 {
        if let Some(only) = self.only_direction() {
            return self.gap_along(only);
        }
        let mut best: Vec<(f64, [f64; D])> = vec![(self.gap_along(start), start)];
        for index in 0..count {
            let n = spread::<D>(index, count);
            best.push((self.gap_along(n), n));
        }
        best.sort_by(|x, y| y.0.total_cmp(&x.0));
        best.truncate(3);
        best.into_iter().map(|(gap, n)| self.climbed(rng, gap, n, count)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Small steps in random directions, shorter after each round without success.
    fn climbed(&self, rng: &mut Rng, mut gap: f64, mut n: [f64; D], count: usize) -> f64 {
        let mut step = if D == 2 { 7.0 / count as f64 } else { 4.0 / (count as f64).sqrt() };
        for _ in 0..150 {
            let mut is_better = false;
            for _ in 0..6 * (D - 1) {
                let by: [f64; D] = std::array::from_fn(|_| rng.uniform(-step, step));
                let tried = normalized(std::array::from_fn(|i| n[i] + by[i]));
                let found = self.gap_along(tried);
                if gap < found {
                    (gap, n, is_better) = (found, tried, true);
                }
            }
            step *= if is_better { 0.9 } else { 0.5 };
            if step < 1e-12 {
                break;
            }
        }
        gap
    }
}

/// Evenly spread directions: a circle, or a Fibonacci spiral.
fn spread<const D: usize>(index: usize, count: usize) -> [f64; D] {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let i = index as f64 + 0.5;
    let v = if D == 2 {
        let (s, c) = (std::f64::consts::TAU * i / count as f64).sin_cos();
        [c, s, 0.0]
    } else {
        let z = 1.0 - 2.0 * i / count as f64;
        let (s, c) = (golden * i).sin_cos();
        let ring = (1.0 - z * z).sqrt();
        [ring * c, ring * s, z]
    };
    std::array::from_fn(|axis| v[axis])
}
