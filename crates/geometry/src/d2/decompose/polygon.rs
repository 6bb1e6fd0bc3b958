//! The corners of a simple polygon, counter-clockwise, without repetitions and without flat ones.

use super::predicate::{Point, folds_back, orientation, segments_meet};
use crate::Error;
use carom_math::Number;
use core::cmp::Ordering;

/// A corner of the polygon: the index of the given point, and the point.
pub(super) type Corner = (usize, Point);

/// The true corners of the polygon through the given, finite points: at least three, each one a turn to the
/// left or right, in counter-clockwise order.
///
/// Repeated neighbours are dropped first (the lowest index stays), the rest must be a simple polygon, and
/// corners that lie on the line between their neighbours are dropped last.
pub(super) fn corners(given: &[Point]) -> Result<Vec<Corner>, Error> {
    let what = "points";
    let mut ring: Vec<Corner> = given.iter().copied().enumerate().collect();
    ring.dedup_by(|later, earlier| later.1 == earlier.1);
    while 1 < ring.len() && ring.first().map(|c| c.1) == ring.last().map(|c| c.1) {
        ring.pop();
    }
    let [first, second, rest @ ..] = ring.as_slice() else {
        return Err(Error::TooFewPoints { what, least: 3, count: ring.len() });
    };
    if rest.is_empty() {
        return Err(Error::TooFewPoints { what, least: 3, count: ring.len() });
    }
    if rest.iter().all(|corner| orientation(first.1, second.1, corner.1) == Ordering::Equal) {
        return Err(Error::Collapsed { what });
    }
    if let Some((first, second)) = lowest_clash(&ring) {
        return Err(Error::NotSimple { what, first: ring[first].0, second: ring[second].0 });
    }
    // Collinear is meant exactly, so each corner can be judged by itself, by its edges.
    let count = ring.len();
    let turn = |i: usize| orientation(ring[(i + count - 1) % count].1, ring[i].1, ring[(i + 1) % count].1);
    let mut corners: Vec<Corner> =
        (0..count).filter(|&i| turn(i) != Ordering::Equal).map(|i| ring[i]).collect();
    if turn(leftmost(&ring)) == Ordering::Less {
        corners.reverse();
    }
    Ok(corners)
}

/// The lowest of the leftmost points. Neighbours lie to its right, or above, and not on one line with it:
/// the polygon turns there as it does as a whole.
fn leftmost(ring: &[Corner]) -> usize {
    let before = |p: Point, q: Point| p.x < q.x || (p.x == q.x && p.y < q.y);
    (1..ring.len()).fold(0, |best, i| if before(ring[i].1, ring[best].1) { i } else { best })
}

/// The lowest pair of edges that share more than a common end; edge i begins at corner i.
fn lowest_clash(ring: &[Corner]) -> Option<(usize, usize)> {
    if !any_clash(ring) {
        return None;
    }
    let count = ring.len();
    (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j))).find(|&(i, j)| clash(ring, i, j))
}

/// Sweeps over the edges from left to right: only those that overlap along x are looked at together.
fn any_clash(ring: &[Corner]) -> bool {
    struct Edge {
        index: usize,
        x: [f64; 2],
        y: [f64; 2],
    }
    let range = |a: f64, b: f64| [a.min_of(b), a.max_of(b)];
    let mut edges: Vec<Edge> = (0..ring.len())
        .map(|index| {
            let [a, b] = edge(ring, index);
            Edge { index, x: range(a.x, b.x), y: range(a.y, b.y) }
        })
        .collect();
    edges.sort_by(|one, other| one.x[0].total_cmp(&other.x[0]).then(one.index.cmp(&other.index)));
    edges.iter().enumerate().any(|(position, one)| {
        let overlapping = edges[position + 1..].iter().take_while(|other| other.x[0] <= one.x[1]);
        overlapping
            .filter(|other| other.y[0] <= one.y[1] && one.y[0] <= other.y[1])
            .any(|other| clash(ring, one.index.min(other.index), one.index.max(other.index)))
    })
}

/// Whether edges i < j share more than the common corner of neighbours.
fn clash(ring: &[Corner], i: usize, j: usize) -> bool {
    let (one, other) = (edge(ring, i), edge(ring, j));
    if i + 1 == j {
        folds_back(one[0], other[0], other[1])
    } else if i == 0 && j + 1 == ring.len() {
        folds_back(other[0], one[0], one[1])
    } else {
        segments_meet(one, other)
    }
}

fn edge(ring: &[Corner], index: usize) -> [Point; 2] {
    [ring[index].1, ring[(index + 1) % ring.len()].1]
}
