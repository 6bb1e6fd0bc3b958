//! The edges of an outline in `f64`, the tree over them, and the proof that they are simple.

use super::predicate::{box_around, segments_meet};
use super::taming;
use crate::Error;
use crate::bound::Aabb;
use crate::bvh::Bvh;
use crate::exact::orientation;
use carom_math::{Number, Pose2, Vec2, Vector};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use std::borrow::Cow;

type Point = Vec2<f64>;

/// A closed chain of at least three points. Edge `i` runs from point `i` to the next.
#[derive(Clone)]
pub(crate) struct Edges {
    points: Vec<Point>,
    counter_clockwise: bool,
    tree: Bvh<Point>,
}

impl Edges {
    /// Checks that the points, which are finite, are a simple polygon; errors name it `what`. Also returns
    /// the indices of the points that are kept: those that do not repeat their predecessor.
    pub(crate) fn new(what: &'static str, given: &[Point]) -> Result<(Self, Vec<usize>), Error> {
        let kept = without_repetitions(given);
        let points: Vec<Point> = kept.iter().map(|&index| given[index]).collect();
        if points.len() < 3 {
            return Err(Error::TooFewPoints { what, least: 3, count: points.len() });
        }
        let (first, second) = (points[0], points[1]);
        if points[2..].iter().all(|&point| orientation(first, second, point) == Ordering::Equal) {
            return Err(Error::Collapsed { what });
        }
        let boxes: Vec<_> = (0..points.len()).map(|index| bounds_of_edge(&points, index)).collect();
        let mut edges = Edges { tree: Bvh::build(&boxes), counter_clockwise: true, points };
        if let Some((first, second)) = edges.first_meeting() {
            return Err(Error::NotSimple { what, first: kept[first], second: kept[second] });
        }
        edges.counter_clockwise = edges.turns_left_at_its_extreme();
        Ok((edges, kept))
    }

    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }

    pub(super) fn edge(&self, index: usize) -> [Point; 2] {
        edge_of(&self.points, index)
    }

    pub(crate) fn is_counter_clockwise(&self) -> bool {
        self.counter_clockwise
    }

    pub(super) fn tree(&self) -> &Bvh<Point> {
        &self.tree
    }

    /// The largest magnitude of a coordinate.
    pub(super) fn size(&self) -> f64 {
        self.tree.bounds().map_or(0.0, |all| all.max.max_abs().max_of(all.min.max_abs()))
    }

    /// The outward normal of an edge, not of unit length.
    pub(super) fn outward(&self, index: usize) -> Point {
        let [a, b] = self.edge(index);
        let left = (b - a).perpendicular();
        if self.counter_clockwise { -left } else { left }
    }

    /// The same edges with every point moved; the tree keeps its order. O(n).
    fn mapped(&self, move_point: impl Fn(Point) -> Point) -> Self {
        let points: Vec<_> = self.points.iter().map(|&point| move_point(point)).collect();
        let tree = self.tree.refitted(|index| bounds_of_edge(&points, index));
        Edges { points, counter_clockwise: self.counter_clockwise, tree }
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        self.mapped(|point| point * factor)
    }

    /// Scaled by `factor` first, then placed.
    pub(super) fn placed(&self, factor: f64, pose: Pose2<f64>) -> Self {
        self.mapped(|point| pose.point_to_world(point * factor))
    }

    /// The edges at a scale where squares stay in range, with the factor they were multiplied by.
    pub(super) fn tamed(&self) -> (Cow<'_, Self>, f64) {
        let factor = taming([self.size()]);
        (self.scaled_if_needed(factor), factor)
    }

    pub(super) fn scaled_if_needed(&self, factor: f64) -> Cow<'_, Self> {
        if factor == 1.0 { Cow::Borrowed(self) } else { Cow::Owned(self.scaled(factor)) }
    }

    /// The box around an edge.
    pub(super) fn bounds_of_edge(&self, index: usize) -> Aabb<Point> {
        bounds_of_edge(&self.points, index)
    }

    /// The lowest pair of edges that meet where they must not. O(n log n) when there is none and edges
    /// are not much longer than their distances; what is visited before the first offender is in the
    /// boxes of the edges before it.
    fn first_meeting(&self) -> Option<(usize, usize)> {
        let count = self.points.len();
        let any = self.tree.self_pairs(|i, j| {
            if self.clash(i, j) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if any.is_continue() {
            return None;
        }
        (0..count).find_map(|i| {
            self.lowest_overlapping(bounds_of_edge(&self.points, i), |j| i < j && self.clash(i, j))
                .map(|j| (i, j))
        })
    }

    /// The lowest edge that passes a test, of those whose boxes overlap `bounds`.
    pub(super) fn lowest_overlapping(
        &self,
        bounds: Aabb<Point>,
        passes: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let mut lowest: Option<usize> = None;
        let _ = self.tree.overlapping(bounds, |index| {
            if lowest.is_none_or(|least| index < least) && passes(index) {
                lowest = Some(index);
            }
            ControlFlow::<()>::Continue(())
        });
        lowest
    }

    /// Whether edges i < j share more than the common corner of neighbours.
    fn clash(&self, i: usize, j: usize) -> bool {
        let count = self.points.len();
        let (first, second) = (self.edge(i), self.edge(j));
        if i + 1 == j {
            folds_back(first[0], second[0], second[1])
        } else if i == 0 && j + 1 == count {
            folds_back(second[0], first[0], first[1])
        } else {
            segments_meet(first, second)
        }
    }

    /// The winding of a simple polygon: at its leftmost point (the lowest of those) both neighbours lie
    /// to the right, or above, and never on one line with it.
    fn turns_left_at_its_extreme(&self) -> bool {
        let count = self.points.len();
        let before = |p: Point, q: Point| p.x < q.x || (p.x == q.x && p.y < q.y);
        let extreme = (1..count)
            .fold(0, |best, index| if before(self.points[index], self.points[best]) { index } else { best });
        let [corner, next] = self.edge(extreme);
        let previous = self.points[(extreme + count - 1) % count];
        orientation(previous, corner, next) == Ordering::Greater
    }
}

/// The indices of a closed chain without the points that repeat the one before.
fn without_repetitions(given: &[Point]) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..given.len()).collect();
    kept.dedup_by(|later, earlier| given[*later] == given[*earlier]);
    while 1 < kept.len() && given[kept[0]] == given[kept[kept.len() - 1]] {
        kept.pop();
    }
    kept
}

/// Whether the way a → b → c turns back onto itself: the three lie on one line, and `a` and `c` on the
/// same side of `b`.
fn folds_back(a: Point, b: Point, c: Point) -> bool {
    // On one line, two points are on the same side of a third when they are on each axis.
    let same_side = |a: f64, b: f64, c: f64| (a < b) == (c < b) && (b < a) == (b < c);
    orientation(a, b, c) == Ordering::Equal && same_side(a.x, b.x, c.x) && same_side(a.y, b.y, c.y)
}

fn edge_of(points: &[Point], index: usize) -> [Point; 2] {
    let next = if index + 1 < points.len() { index + 1 } else { 0 };
    [points[index], points[next]]
}

fn bounds_of_edge(points: &[Point], index: usize) -> Aabb<Point> {
    let [a, b] = edge_of(points, index);
    box_around(a, b)
}
