//! Exact orientation tests for a cloud of points of any size.
//!
//! The tests are those of [`crate::exact`]. Which arithmetic they need is found once for the whole cloud:
//! where the nonzero coordinates are within a factor of 2³⁰⁰ of each other, a power of two brings them into
//! the range of the quick one. A cloud with a wider range (a stray subnormal number is enough) stays as
//! it is and takes the slow one.

use crate::bound::size_of;
use crate::exact::{Range, orient2d, orient3d};
use crate::scale::towards_one;
use carom_math::{Vec2, Vec3, Vector, power_of_two};

/// Points that can be asked for their orientation.
pub(crate) struct Predicates<V> {
    /// The points, scaled by a power of two unless their range is wide. Negative zeros have become
    /// positive, so that the total order agrees with equality.
    points: Vec<V>,
    range: Range,
}

impl<V: Vector<Scalar = f64>> Predicates<V> {
    /// Prepares finite points.
    pub(crate) fn new(points: &[V]) -> Self {
        let factor = towards_one(size_of(points), 0);
        let mut range = Range::Moderate;
        let scaled = points.iter().map(|p| {
            p.map(|x| {
                let y = x * factor + 0.0;
                // Not by `Range::of`, to which a coordinate that vanished would look like a zero.
                if x != 0.0 && y.abs() < power_of_two(-300) {
                    range = Range::Any;
                }
                y
            })
        });
        let scaled: Vec<V> = scaled.collect();
        let points = match range {
            Range::Moderate => scaled,
            Range::Any => points.iter().map(|p| p.map(|x| x + 0.0)).collect(),
        };
        Predicates { points, range }
    }

    /// The points, up to a power of two.
    pub(crate) fn points(&self) -> &[V] {
        &self.points
    }

    /// The indices in lexicographic order of the points, the first of equal points only.
    pub(crate) fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&i, &j| {
            let by_axis = |axis: usize| self.points[i].get(axis).total_cmp(&self.points[j].get(axis));
            (0..V::DIM)
                .fold(core::cmp::Ordering::Equal, |so_far, axis| so_far.then(by_axis(axis)))
                .then(i.cmp(&j))
        });
        order.dedup_by(|next, kept| self.points[*next] == self.points[*kept]);
        order
    }

    /// The same points in another order, or some of them.
    pub(crate) fn select(&self, order: &[usize]) -> Self {
        Predicates { points: order.iter().map(|&i| self.points[i]).collect(), range: self.range }
    }
}

impl Predicates<Vec2<f64>> {
    /// Positive when the three points are counter-clockwise, zero when they lie on a line.
    pub(crate) fn orientation(&self, triple: [usize; 3]) -> f64 {
        orient2d(triple.map(|i| self.points[i]), self.range)
    }
}

impl Predicates<Vec3<f64>> {
    /// Positive when the fourth point lies below the plane of the other three, seen from where these are
    /// counter-clockwise; zero when all lie in a plane.
    pub(crate) fn orientation(&self, indices: [usize; 4]) -> f64 {
        orient3d(indices.map(|i| self.points[i]), self.range)
    }

    /// The orientation of three points in the plane without one axis; its magnitude is meaningful in
    /// comparison only.
    pub(crate) fn orientation_without(&self, triple: [usize; 3], axis: usize) -> f64 {
        orient2d(triple.map(|i| without(self.points[i], axis)), self.range)
    }

    /// Whether three points lie on a line: they do in all three projections.
    pub(crate) fn on_a_line(&self, triple: [usize; 3]) -> bool {
        (0..3).all(|axis| self.orientation_without(triple, axis) == 0.0)
    }

    /// The points in the plane without one axis.
    pub(crate) fn without(&self, axis: usize) -> Predicates<Vec2<f64>> {
        let points = self.points.iter().map(|p| without(*p, axis)).collect();
        Predicates { points, range: self.range }
    }
}

/// The vector without one coordinate, the others in cyclic order.
fn without(v: Vec3<f64>, axis: usize) -> Vec2<f64> {
    Vec2::new(v.get((axis + 1) % 3), v.get((axis + 2) % 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_oracle::generate::{Rng, coordinate};
    use carom_oracle::rational::{ExactPoint, Rational};

    fn sign_of(x: &Rational) -> f64 {
        if x.is_zero() {
            0.0
        } else if *x < Rational::ZERO {
            -1.0
        } else {
            1.0
        }
    }

    #[test]
    fn orientations_are_exact_over_the_whole_range() {
        let mut rng = Rng::new(14);
        let mut zeros = 0;
        for round in 0..6000 {
            let mut corner = || -> [f64; 3] {
                core::array::from_fn(|_| match rng.below(4) {
                    0 if round % 2 == 0 => coordinate(&mut rng) * power_of_two(rng.between(-1000, 950)),
                    1 if round % 4 == 0 => f64::from_bits(rng.below(4) as u64),
                    _ => f64::from(rng.between(-1, 1)) * if round % 8 == 0 { f64::MAX } else { 1.0 },
                })
            };
            let corners = [corner(), corner(), corner(), corner()];
            let [a, b, c, d] = corners.map(|p| p.to_exact());
            let truth = sign_of(&(&a - &d).dot(&(&b - &d).cross(&(&c - &d))));
            let cloud = Predicates::new(&corners.map(Vec3::from));
            let answer = cloud.orientation([0, 1, 2, 3]);
            assert_eq!(answer.partial_cmp(&0.0), truth.partial_cmp(&0.0), "{corners:?}");
            zeros += usize::from(truth == 0.0);
            let flat = cloud.without(2).orientation([0, 1, 2]);
            let (p, q) = (&b - &a, &c - &a);
            let truth = sign_of(&(&p.0[0] * &q.0[1] - &p.0[1] * &q.0[0]));
            assert_eq!(flat.partial_cmp(&0.0), truth.partial_cmp(&0.0), "{corners:?}");
        }
        assert!(zeros > 100 && zeros < 5000);
    }
}
