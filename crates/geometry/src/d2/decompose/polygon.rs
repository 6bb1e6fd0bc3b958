//! The corners of a simple polygon, counter-clockwise, without repetitions and without flat ones.

use crate::Error;
use crate::d2::outline::Edges;
use crate::exact::orientation;
use carom_math::Vec2;
use core::cmp::Ordering;

/// A corner of the polygon: the index of the given point, and the point.
pub(super) type Corner = (usize, Vec2<f64>);

/// The true corners of the polygon through the given, finite points: at least three, each one a turn to the
/// left or right, in counter-clockwise order.
///
/// Repeated neighbours are dropped first (the lowest index stays), the rest must be a simple polygon, and
/// corners that lie on the line between their neighbours are dropped last.
pub(super) fn corners(given: &[Vec2<f64>]) -> Result<Vec<Corner>, Error> {
    let (edges, kept) = Edges::new("points", given)?;
    let points = edges.points();
    // Collinear is meant exactly, so each corner can be judged by itself, by its edges.
    let count = points.len();
    let turn = |i: usize| orientation(points[(i + count - 1) % count], points[i], points[(i + 1) % count]);
    let mut corners: Vec<Corner> =
        (0..count).filter(|&i| turn(i) != Ordering::Equal).map(|i| (kept[i], points[i])).collect();
    if !edges.is_counter_clockwise() {
        corners.reverse();
    }
    Ok(corners)
}
