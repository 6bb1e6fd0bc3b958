//! Exact orientation tests for points of any size.
//!
//! The adaptive tests of Shewchuk (1997) are exact as long as no product underflows. That is certain
//! when the nonzero coordinates of a cloud are within a factor of 2³⁰⁰ of each other, which a power of
//! two brings near one. Clouds with a wider range (a stray subnormal number is enough) are decided by
//! adding the products of the determinant into one long fixed-point number, without any rounding.

use crate::bound::size_of;
use carom_math::{Vec2, Vec3, Vector, power_of_two};
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Points that can be asked for their orientation.
pub(crate) struct Predicates<V> {
    /// The points, scaled by a power of two unless their range is wide. Negative zeros have become
    /// positive, so that the total order agrees with equality.
    points: Vec<V>,
    wide_range: bool,
}

impl<V: Vector<Scalar = f64>> Predicates<V> {
    /// Prepares finite points.
    pub(crate) fn new(points: &[V]) -> Self {
        let (first, second) = towards_one(size_of(points));
        let mut wide_range = false;
        let scaled = points.iter().map(|p| {
            p.map(|x| {
                let y = x * first * second + 0.0;
                // A product of three differences then has no bit below 2^(3·(−300 − 52)) = 2⁻¹⁰⁵⁶, which
                // is representable.
                wide_range |= x != 0.0 && y.abs() < power_of_two(-300);
                y
            })
        });
        let scaled: Vec<V> = scaled.collect();
        let points = if wide_range { points.iter().map(|p| p.map(|x| x + 0.0)).collect() } else { scaled };
        Predicates { points, wide_range }
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
        Predicates { points: order.iter().map(|&i| self.points[i]).collect(), wide_range: self.wide_range }
    }
}

impl Predicates<Vec2<f64>> {
    /// Positive when the three points are counter-clockwise, zero when they lie on a line.
    pub(crate) fn orientation(&self, triple: [usize; 3]) -> f64 {
        flat_orientation(triple.map(|i| self.points[i]), self.wide_range)
    }
}

impl Predicates<Vec3<f64>> {
    /// Positive when the fourth point lies below the plane of the other three, seen from where these are
    /// counter-clockwise; zero when all lie in a plane.
    pub(crate) fn orientation(&self, indices: [usize; 4]) -> f64 {
        let corners = indices.map(|i| self.points[i]);
        if !self.wide_range {
            let [a, b, c, d] = corners.map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
            return orient3d(a, b, c, d);
        }
        // The determinant of (a 1; b 1; c 1; d 1), expanded by its last column.
        let [a, b, c, d] = corners;
        let mut sum = Accumulator::new();
        for ([p, q, r], negative) in
            [([b, c, d], true), ([a, c, d], false), ([a, b, d], true), ([a, b, c], false)]
        {
            for (x, y, z) in [(p, q, r), (q, r, p), (r, p, q)] {
                sum.add([x.x, y.y, z.z], negative);
                sum.add([x.x, z.y, y.z], !negative);
            }
        }
        sum.sign()
    }

    /// The orientation of three points in the plane without one axis; its magnitude is meaningful in
    /// comparison only.
    pub(crate) fn orientation_without(&self, triple: [usize; 3], axis: usize) -> f64 {
        flat_orientation(triple.map(|i| without(self.points[i], axis)), self.wide_range)
    }

    /// Whether three points lie on a line: they do in all three projections.
    pub(crate) fn on_a_line(&self, triple: [usize; 3]) -> bool {
        (0..3).all(|axis| self.orientation_without(triple, axis) == 0.0)
    }

    /// The points in the plane without one axis.
    pub(crate) fn without(&self, axis: usize) -> Predicates<Vec2<f64>> {
        let points = self.points.iter().map(|p| without(*p, axis)).collect();
        Predicates { points, wide_range: self.wide_range }
    }
}

/// The vector without one coordinate, the others in cyclic order.
fn without(v: Vec3<f64>, axis: usize) -> Vec2<f64> {
    Vec2::new(v.get((axis + 1) % 3), v.get((axis + 2) % 3))
}

fn flat_orientation([a, b, c]: [Vec2<f64>; 3], wide_range: bool) -> f64 {
    if !wide_range {
        let [a, b, c] = [a, b, c].map(|p| Coord { x: p.x, y: p.y });
        return orient2d(a, b, c);
    }
    let mut sum = Accumulator::new();
    for (p, q) in [(a, b), (b, c), (c, a)] {
        sum.add([p.x, q.y, 1.0], false);
        sum.add([p.y, q.x, 1.0], true);
    }
    sum.sign()
}

/// Two powers of two whose product brings `size` into [1, 2); in one factor it might overflow.
pub(crate) fn towards_one(size: f64) -> (f64, f64) {
    if size == 0.0 || !size.is_finite() {
        return (1.0, 1.0);
    }
    let lift = if size < f64::MIN_POSITIVE { power_of_two(54) } else { 1.0 };
    let exponent = ((size * lift).to_bits() >> 52) as i32 - 1023;
    let half = -exponent / 2;
    (lift * power_of_two(half), power_of_two(-exponent - half))
}

/// A sum of products of three numbers, in fixed point: two's complement with 2^LOWEST as the unit.
/// Products lie between 2^(3·−1074) and 2^(3·1024), and a few dozen of them add up to less than 2^3080.
struct Accumulator {
    words: [u64; WORDS],
}

const LOWEST: i32 = -3 * 1074;
const WORDS: usize = 100;

impl Accumulator {
    fn new() -> Self {
        Accumulator { words: [0; WORDS] }
    }

    /// Adds the product, or subtracts it when `negated`.
    fn add(&mut self, factors: [f64; 3], negated: bool) {
        let parts = factors.map(integer_and_exponent);
        let negative = factors.iter().fold(negated, |sign, x| sign != x.is_sign_negative());
        // 3 × 53 bits in three words.
        let first = u128::from(parts[0].0) * u128::from(parts[1].0);
        let low = (first & u128::from(u64::MAX)) * u128::from(parts[2].0);
        let high = (first >> 64) * u128::from(parts[2].0) + (low >> 64);
        let product = [low as u64, high as u64, (high >> 64) as u64];
        let shift = (parts.iter().map(|part| part.1).sum::<i32>() - LOWEST) as usize;
        let (word, bit) = (shift / 64, shift % 64);
        // Shifted by `bit` the product takes four words; the rest of the number takes the carry.
        let mut carry = u64::from(negative);
        for (k, target) in self.words.iter_mut().enumerate().skip(word) {
            let at = |j: usize| product.get(j).copied().unwrap_or(0);
            let shifted = match k - word {
                0 => at(0) << bit,
                j @ 1..=3 if bit != 0 => at(j) << bit | at(j - 1) >> (64 - bit),
                j => at(j),
            };
            // Subtraction adds the complement and one.
            let term = if negative { !shifted } else { shifted };
            let (sum, over) = target.overflowing_add(term);
            let (sum, over_again) = sum.overflowing_add(carry);
            (*target, carry) = (sum, u64::from(over || over_again));
        }
    }

    /// 1, 0 or −1.
    fn sign(&self) -> f64 {
        if self.words[WORDS - 1] >> 63 == 1 {
            -1.0
        } else if self.words.iter().all(|word| *word == 0) {
            0.0
        } else {
            1.0
        }
    }
}

/// |x| = integer · 2^exponent with at most 53 bits.
fn integer_and_exponent(x: f64) -> (u64, i32) {
    let field = (x.to_bits() >> 52 & 0x7ff) as i32;
    let fraction = x.to_bits() & ((1 << 52) - 1);
    if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) }
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
