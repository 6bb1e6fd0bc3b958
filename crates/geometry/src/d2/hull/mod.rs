//! Convex hulls in the plane.
//!
//! Andrew's monotone chain (1979) with exact orientation tests (Shewchuk 1997): no threshold, no wrong
//! turn. The points are scaled by a power of two first, so that the products inside the tests neither
//! overflow nor underflow.

use crate::Error;
use crate::bound::{check_points, size_of};
use carom_math::{Real, Vec2, Vector, power_of_two};
use robust::{Coord, orient2d};

/// The corners of the convex hull, counter-clockwise, as indices into `points`.
///
/// The list starts at the lexicographically smallest point (smallest x, then y). Points inside an
/// edge are left out, and so are repetitions: the first of equal points counts. A single point has one
/// corner, points on a line have two. The corners do not depend on the order of the points. Takes
/// O(n log n).
///
/// Decided exactly, for coordinates of any size; only what is smaller than 2⁻³⁰⁰ of the largest
/// coordinate counts as zero.
///
/// # Errors
/// When there is no point, or a coordinate is not finite.
///
/// # Example
/// ```
/// use carom_geometry::d2::convex_hull;
/// let points = [[1.0, 1.0], [0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
/// assert_eq!(convex_hull(&points.map(Into::into))?, [1, 2, 4, 5]);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn convex_hull<T: Real>(points: &[Vec2<T>]) -> Result<Vec<usize>, Error> {
    check_points(points)?;
    let wide: Vec<Vec2<f64>> = points.iter().map(|p| p.widen()).collect();
    Ok(hull_of_scaled(&scaled_for_predicates(&wide)))
}

/// The points multiplied by a power of two so that the largest coordinate lies in [1, 2), and
/// coordinates below 2⁻³⁰⁰ set to zero.
///
/// A product of three differences then has no bit below 2^(3·(−300 − 52)) = 2⁻¹⁰⁵⁶, which is
/// representable: the exact predicates are exact.
pub(crate) fn scaled_for_predicates<V: Vector<Scalar = f64>>(points: &[V]) -> Vec<V> {
    let size = size_of(points);
    let (first, second) = factors_towards_one(size);
    let tiny = power_of_two(-300);
    let scaled = |x: f64| {
        let y = x * first * second;
        if y.abs() < tiny { 0.0 } else { y }
    };
    points.iter().map(|p| p.map(scaled)).collect()
}

/// Two powers of two whose product brings `size` into [1, 2); their product alone might overflow.
fn factors_towards_one(size: f64) -> (f64, f64) {
    if size == 0.0 || !size.is_finite() {
        return (1.0, 1.0);
    }
    let subnormal = size < f64::MIN_POSITIVE;
    let lift = if subnormal { power_of_two(54) } else { 1.0 };
    let exponent = ((size * lift).to_bits() >> 52) as i32 - 1023;
    // 2^-exponent as a product of two, both in range.
    let half = -exponent / 2;
    let (first, second) = (power_of_two(half), power_of_two(-exponent - half));
    (lift * first, second)
}

/// The hull of points that are fit for the exact predicates.
pub(crate) fn hull_of_scaled(points: &[Vec2<f64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    let key = |i: usize| points.get(i).map_or((0.0, 0.0), |p| (p.x + 0.0, p.y + 0.0));
    // Adding zero makes −0 and +0 one number, so the total order agrees with equality.
    order.sort_by(|&i, &j| {
        let (a, b) = (key(i), key(j));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(i.cmp(&j))
    });
    order.dedup_by(|next, kept| key(*next) == key(*kept));
    if order.len() <= 2 {
        return order;
    }
    // From left to right below, then back above; the ends belong to both chains.
    let mut hull = chain(&key, order.iter().copied());
    hull.pop();
    hull.extend(chain(&key, order.iter().rev().copied()));
    hull.pop();
    hull
}

/// The part of a sorted walk that turns left at every corner.
fn chain(key: &impl Fn(usize) -> (f64, f64), walk: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for next in walk {
        while let [.., before, last] = chain[..] {
            let at = |i: usize| Coord { x: key(i).0, y: key(i).1 };
            if 0.0 < orient2d(at(before), at(last), at(next)) {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    chain
}
