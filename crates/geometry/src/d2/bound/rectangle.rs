//! The rectangle of least area around points.
//!
//! One side of it lies along an edge of the convex hull (Freeman and Shapira 1975), so it is enough to
//! try the edges. Going around the hull, the extreme corners along the edge and across it only move
//! forward (the rotating calipers of Toussaint 1983), so all edges together take linear time.
//!
//! The hull is exact; the calipers run in `f64`. They advance by the sign of edge·edge, which is right
//! unless the two are perpendicular to within rounding, where it does not matter. Areas that differ by
//! less than rounding may be confused, so the answer is optimal to a relative error of about 1e-15
//! (relative to the squared diameter for slivers). Then the hull is measured against the winner.

use crate::Error;
use crate::bound::{check_points, size_of};
use crate::d2::Obb;
use crate::d2::hull::{Predicates, hull_of};
use crate::scale;
use carom_math::{Real, Vec2, Vector};

/// The rectangle of least area that contains all points, in any orientation.
///
/// The first axis lies along an edge of the convex hull; among equals, the first edge counter-clockwise
/// from the lexicographically smallest corner. A single point gives a rectangle of size zero, points on
/// a line one that is flat up to rounding. Takes O(n log n).
///
/// # Errors
/// When there is no point, a coordinate is not finite, or the rectangle overflows.
///
/// # Example
/// ```
/// use carom_geometry::d2::minimum_rectangle;
/// // A 2 × 1 rectangle, turned by the angle of the 3-4-5 triangle.
/// let points = [[0.0_f64, 0.0], [1.6, 1.2], [1.0, 2.0], [-0.6, 0.8]].map(Into::into);
/// let fit = minimum_rectangle(&points)?;
/// assert!((fit.volume() - 2.0).abs() < 1e-13);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn minimum_rectangle<T: Real>(points: &[Vec2<T>]) -> Result<Obb<T>, Error> {
    check_points(points)?;
    let wide: Vec<Vec2<f64>> = points.iter().map(|p| p.widen()).collect();
    let factor = scale::rescaling(size_of(&wide)).unwrap_or(1.0);
    let hull = hull_of(&Predicates::new(&wide));
    let corners: Vec<Vec2<f64>> = hull.iter().map(|&i| wide[i] * factor).collect();
    let axis = least_area(&corners).map_or(Vec2::unit(0), |(axis, _)| axis);
    // The hull is exact and rectangles are convex, so what contains the corners contains all points.
    let extreme: Vec<Vec2<T>> = hull.iter().map(|&i| points[i]).collect();
    Obb::around(&extreme, [axis, axis.perpendicular(), Vec2::ZERO])
}

/// The direction of the edge of a convex polygon (counter-clockwise, at least two corners) whose
/// rectangle has the least area, and that area; `None` when there is no edge.
pub(crate) fn least_area(corners: &[Vec2<f64>]) -> Option<(Vec2<f64>, f64)> {
    let count = corners.len();
    if count < 2 {
        return None;
    }
    let at = |i: usize| corners[i % count];
    let edge = |i: usize| at(i + 1) - at(i);
    // The corners farthest forward along the edge, to its left, and backward; as running numbers.
    let (mut front, mut left, mut back) = (1, 1, 1);
    let mut best: Option<(Vec2<f64>, f64)> = None;
    for i in 0..count {
        let along = edge(i);
        let across = along.perpendicular();
        // Each pointer starts where the previous one stands and goes around once at most.
        let advance = |mut pointer: usize, from: usize, direction: Vec2<f64>| {
            pointer = pointer.max(from);
            while pointer < i + count && 0.0 < edge(pointer).dot(direction) {
                pointer += 1;
            }
            pointer
        };
        front = advance(front, i + 1, along);
        left = advance(left, front, across);
        back = advance(back, left, -along);
        let norm_squared = along.length_squared();
        let width = (at(front) - at(back)).dot(along);
        let height = (at(left) - at(i)).dot(across);
        let area = width * height / norm_squared;
        if best.is_none_or(|(_, least)| area < least) {
            best = Some((along, area));
        }
    }
    best.and_then(|(along, area)| along.normalized().map(|axis| (axis, area)))
}
