//! Convex decomposition of simple polygons.
//!
//! Triangulation by ears ([`ears`]), then the diagonals that convexity does not need are taken out again
//! (Hertel and Mehlhorn, 1983): a diagonal can go when the two pieces beside it are still convex at both
//! of its ends once joined. Angles only grow, so one pass decides for good. At the end every remaining
//! diagonal is needed by a concave corner at one of its ends, each of which needs at most two. That makes
//! at most 2r + 1 pieces for r concave corners; no decomposition has fewer than r/2 + 1, so there are at
//! most four times as many as necessary.
//!
//! All decisions are exact ([`crate::exact`]), for every finite coordinate. Pieces are strictly convex,
//! use no points but those given, do not overlap, and cover the polygon exactly.

mod ears;
mod polygon;

use crate::Error;
use crate::error::finite_vector;
use crate::exact::orientation;
use carom_math::{Real, Vec2, Vector};
use core::cmp::Ordering;
use polygon::Corner;

/// Cuts a simple polygon into convex pieces: lists of indices of the given points, counter-clockwise.
///
/// The polygon closes itself; either winding will do. A point that repeats its predecessor, or lies on the
/// line between its neighbours, is not part of any piece. The pieces are strictly convex, share at most
/// boundaries, and together are the polygon, exactly: decisions are made without rounding. A convex polygon
/// is one piece; otherwise there are at most four times as many pieces as necessary, and at most 2r + 1
/// for r concave corners.
///
/// Each piece begins with its lowest index, and the pieces are in the order of their indices.
///
/// # Errors
/// - [`Error::NotFinite`] when a coordinate is;
/// - [`Error::TooFewPoints`] when fewer than three are left without the repeated ones;
/// - [`Error::Collapsed`] when they all lie on one line;
/// - [`Error::NotSimple`] when edges cross or touch. The indices are those of the points where the edges
///   begin, and the pair is the lowest one.
///
/// # Example
/// ```
/// use carom_geometry::d2::convex_decomposition;
/// use carom_math::Vec2;
/// let corner = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(Vec2::from);
/// let pieces = convex_decomposition(&corner)?;
/// assert_eq!(pieces.len(), 2);
/// assert_eq!(convex_decomposition(&corner[..3])?, [[0, 1, 2]]);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn convex_decomposition<T: Real>(points: &[Vec2<T>]) -> Result<Vec<Vec<usize>>, Error> {
    let mut wide = Vec::with_capacity(points.len());
    for &point in points {
        wide.push(finite_vector("points", point)?.widen());
    }
    let corners = polygon::corners(&wide)?;
    // Exact decisions always find an ear in a simple polygon, so there is no other reason to fail.
    let triangles = ears::triangulate(&corners).ok_or(Error::NotSimple {
        what: "points",
        first: 0,
        second: points.len() - 1,
    })?;
    let mut pieces = Pieces::new(&corners, &triangles);
    pieces.merge();
    Ok(pieces.loops())
}

/// Pieces as loops of half edges, counter-clockwise.
struct Pieces<'a> {
    corners: &'a [Corner],
    /// Where each half edge begins, as a position in `corners`.
    origin: Vec<usize>,
    next: Vec<usize>,
    previous: Vec<usize>,
    /// The pairs of half edges of the diagonals, in the order in which the triangulation drew them.
    diagonals: Vec<[usize; 2]>,
    is_removed: Vec<bool>,
}

impl<'a> Pieces<'a> {
    fn new(corners: &'a [Corner], triangles: &[[usize; 3]]) -> Self {
        let count = 3 * triangles.len();
        let after = |half: usize| if half % 3 == 2 { half - 2 } else { half + 1 };
        let before = |half: usize| if half.is_multiple_of(3) { half + 2 } else { half - 1 };
        let origin: Vec<usize> = triangles.as_flattened().to_vec();
        // The two halves of a diagonal are next to each other when sorted by their ends.
        let ends = |half: usize| {
            let (from, to) = (origin[half], origin[after(half)]);
            (from.min(to), from.max(to))
        };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_unstable_by_key(|&half| (ends(half), half));
        let mut diagonals: Vec<[usize; 2]> = order
            .windows(2)
            .filter_map(|pair| match *pair {
                [one, other] if ends(one) == ends(other) => Some([one, other]),
                _ => None,
            })
            .collect();
        diagonals.sort_unstable();
        Pieces {
            corners,
            next: (0..count).map(after).collect(),
            previous: (0..count).map(before).collect(),
            origin,
            diagonals,
            is_removed: vec![false; count],
        }
    }

    /// Takes out every diagonal that convexity does not need.
    fn merge(&mut self) {
        for diagonal in core::mem::take(&mut self.diagonals) {
            let [one, other] = diagonal;
            if self.is_convex_without(one, other) && self.is_convex_without(other, one) {
                self.is_removed[one] = true;
                self.is_removed[other] = true;
                for [one, other] in [[one, other], [other, one]] {
                    let (last, first) = (self.previous[one], self.next[other]);
                    self.next[last] = first;
                    self.previous[first] = last;
                }
            }
        }
    }

    /// Whether the corner where half edge `one` begins (and its twin ends) would not be concave if the
    /// pieces on both sides were one.
    fn is_convex_without(&self, one: usize, twin: usize) -> bool {
        let [before, after] = [self.previous[one], self.next[self.next[twin]]];
        let [a, b, c] = [before, one, after].map(|half| self.corners[self.origin[half]].1);
        orientation(a, b, c) != Ordering::Less
    }

    /// The loops of indices of the given points, flat corners dropped.
    fn loops(&self) -> Vec<Vec<usize>> {
        let mut is_seen = self.is_removed.clone();
        let mut loops = Vec::new();
        for start in 0..self.origin.len() {
            let mut piece = Vec::new();
            let mut half = start;
            while !is_seen[half] {
                is_seen[half] = true;
                let [a, b, c] =
                    [self.previous[half], half, self.next[half]].map(|half| self.corners[self.origin[half]]);
                if orientation(a.1, b.1, c.1) != Ordering::Equal {
                    piece.push(b.0);
                }
                half = self.next[half];
            }
            if !piece.is_empty() {
                let lowest = (0..piece.len()).min_by_key(|&i| piece[i]).unwrap_or(0);
                piece.rotate_left(lowest);
                loops.push(piece);
            }
        }
        loops.sort_unstable();
        loops
    }
}
