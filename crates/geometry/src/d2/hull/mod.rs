//! Convex hulls in the plane.
//!
//! Andrew's monotone chain (1979) with exact orientation tests ([`predicates`]): no threshold, no wrong
//! turn.

mod predicates;

pub(crate) use predicates::Predicates;

use crate::Error;
use crate::bound::check_points;
use carom_math::{Real, Vec2, Vector};

/// The corners of the convex hull, counter-clockwise, as indices into `points`.
///
/// The list starts at the lexicographically smallest point (smallest x, then y). Points inside an
/// edge are left out, and so are repetitions: the first of equal points counts. A single point has one
/// corner, points on a line have two. The corners do not depend on the order of the points. Takes
/// O(n log n).
///
/// Decided exactly, for all finite coordinates.
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
    Ok(hull_of(&Predicates::new(&wide)))
}

/// The hull of prepared points.
pub(crate) fn hull_of(points: &Predicates<Vec2<f64>>) -> Vec<usize> {
    let order = points.sorted();
    if order.len() <= 2 {
        return order;
    }
    // From left to right below, then back above; the ends belong to both chains.
    let mut hull = chain(points, order.iter().copied());
    hull.pop();
    hull.extend(chain(points, order.iter().rev().copied()));
    hull.pop();
    hull
}

/// The part of a sorted walk that turns left at every corner.
fn chain(points: &Predicates<Vec2<f64>>, walk: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for next in walk {
        while let [.., before, last] = chain[..] {
            if 0.0 < points.orientation([before, last, next]) {
                break;
            }
            chain.pop();
        }
        chain.push(next);
    }
    chain
}
