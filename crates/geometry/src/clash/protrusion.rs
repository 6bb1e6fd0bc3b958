//! How deep one surface reaches into a solid, with proof.
//!
//! The depth of a point in a solid is its distance from the solid's surface; how deep a surface *protrudes*
//! is the largest depth of its points. A surface is given as flat pieces (segments in the plane, triangles in
//! space), and the largest depth is found by branch and bound: the piece with the largest upper bound is asked
//! for its centre and cut in two, until no bound exceeds the deepest point found by more than the tolerance.
//!
//! Two bounds hold for all points p of a piece with centre c, and the smaller one counts:
//! * depth is 1-Lipschitz: depth(p) ≤ depth(c) + |p − c|, where a point outside has minus its distance;
//! * whatever covers the centre covers its neighbours: if T is the convex piece of the solid's surface nearest to
//!   c, then depth(p) ≤ distance(p, T), a convex function, so that the corners decide; for a convex solid with the
//!   nearest surface point q and outward normal n there, depth(p) ≤ n·(q − p), likewise. This bound is tight on
//!   plateaus, as where a box stands in a floor, which the first would have to cut into dust. Both hold where c is outside
//!   or on the surface as well, with a plane that touches the solid.
//!
//! Both are evaluated in `f64` with relative errors of a few ε, which the tolerance covers many times over.

use crate::pair::nearest::Foot;
use carom_math::{Number, Vector};
use core::cmp::Ordering;
use std::collections::BinaryHeap;

/// What is known about the depth near a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe<V, const N: usize> {
    /// The depth of the point; outside, minus the distance.
    pub(crate) depth: f64,
    /// The nearest point of the surface.
    pub(crate) surface: V,
    /// What bounds the depth of its neighbours.
    pub(crate) cover: Cover<V, N>,
}

/// Something that no point of the solid can be farther from than it is deep.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cover<V, const N: usize> {
    /// A tangent plane of a convex solid: a point of it and the unit normal outwards.
    Plane(V, V),
    /// A piece of the surface.
    Piece([V; N]),
    /// Nothing is known.
    Nothing,
}

/// The deepest point of a surface within a solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Deepest<V> {
    /// The depth of `point`: the largest one is never below.
    pub(crate) depth: f64,
    /// The largest depth is never above.
    pub(crate) upper: f64,
    /// The point.
    pub(crate) point: V,
    /// The nearest point of the solid's surface.
    pub(crate) surface: V,
}

/// The foot of a point on a flat piece.
pub(crate) type FootOn<V, const N: usize> = fn([V; N], V) -> Foot<V>;

/// Bounds within this part of the depth of each other are good enough: a clash is read by people.
const TOLERANCE: f64 = 1.0 / 1024.0;

/// After so many points the bounds are returned as they are. Plateaus need few; what needs more is a surface
/// that runs along the middle of the solid, or one that coincides with its surface in other pieces.
pub(crate) const MAX_PROBES: usize = 20_000;

/// The deepest point of `pieces` in a solid; `None` when none is inside. What is certainly no deeper than `least` is
/// passed over, and after so many points besides the middles of the pieces the search ends.
pub(crate) fn deepest<V: Vector<Scalar = f64>, const N: usize>(
    pieces: &[[V; N]],
    probe: impl Fn(V) -> Probe<V, N>,
    foot_on: FootOn<V, N>,
    (least, probes): (f64, usize),
) -> Option<Deepest<V>> {
    let (mut best, mut around) = (None::<Deepest<V>>, None);
    let mut waiting = BinaryHeap::new();
    let mut order = 0;
    let mut examine = |corners: [V; N], best: &mut Option<Deepest<V>>, waiting: &mut BinaryHeap<_>| {
        let center = mean(corners);
        let found = probe(center);
        let radius = corners.iter().fold(0.0, |most: f64, &p| Vector::length(p - center).max_of(most));
        let covered = match found.cover {
            Cover::Plane(at, normal) => corners.iter().map(|&p| normal.dot(at - p)).fold(0.0, f64::max_of),
            Cover::Piece(piece) => corners.iter().map(|&p| foot_on(piece, p).distance).fold(0.0, f64::max_of),
            Cover::Nothing => f64::INFINITY,
        };
        let upper = (found.depth + radius).min_of(covered);
        if 0.0 < found.depth && best.is_none_or(|best| best.depth < found.depth) {
            let (depth, surface) = (found.depth, found.surface);
            *best = Some(Deepest { depth, upper: depth, point: center, surface });
            // A piece may be deeper elsewhere.
            around = (depth < upper).then_some(corners);
        }
        if enough(*best, least) < upper {
            order += 1;
            waiting.push(Waiting { upper, order, corners });
        }
    };
    for &piece in pieces {
        examine(piece, &mut best, &mut waiting);
    }
    for _ in 0..probes {
        let Some(next) = waiting.pop() else { break };
        if next.upper <= enough(best, least) {
            break;
        }
        for half in halves(next.corners) {
            examine(half, &mut best, &mut waiting);
        }
    }
    // Where a corner is the deepest, the middles of pieces come close to it and never arrive.
    for corner in around.into_iter().flatten() {
        let found = probe(corner);
        if best.is_some_and(|best| best.depth < found.depth) {
            best = Some(Deepest {
                depth: found.depth,
                upper: found.depth,
                point: corner,
                surface: found.surface,
            });
        }
    }
    let left = waiting.peek().map_or(0.0, |next: &Waiting<V, N>| next.upper);
    best.map(|best| Deepest { upper: left.max_of(best.depth * (1.0 + TOLERANCE)), ..best })
}

/// The depth that makes a bound uninteresting.
fn enough<V>(best: Option<Deepest<V>>, least: f64) -> f64 {
    best.map_or(least, |best| (best.depth * (1.0 + TOLERANCE)).max_of(least))
}

fn mean<V: Vector<Scalar = f64>, const N: usize>(corners: [V; N]) -> V {
    // Shares first: the sum of large coordinates could overflow.
    corners.into_iter().fold(V::ZERO, |sum, p| sum + p * (1.0 / N as f64))
}

/// Cut at the middle of the longest edge, the first of equals.
fn halves<V: Vector<Scalar = f64>, const N: usize>(corners: [V; N]) -> [[V; N]; 2] {
    let mut longest = (f64::NEG_INFINITY, 0, 1);
    for first in 0..N {
        for second in first + 1..N {
            let length = (corners[second] - corners[first]).length_squared();
            if longest.0 < length {
                longest = (length, first, second);
            }
        }
    }
    let (_, first, second) = longest;
    let middle = corners[first] * 0.5 + corners[second] * 0.5;
    let with = |index: usize| {
        let mut half = corners;
        half[index] = middle;
        half
    };
    [with(second), with(first)]
}

/// A piece that may hold something deeper: the largest bound first, then the older.
struct Waiting<V, const N: usize> {
    upper: f64,
    order: usize,
    corners: [V; N],
}

impl<V, const N: usize> Ord for Waiting<V, N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.upper.total_cmp(&other.upper).then(other.order.cmp(&self.order))
    }
}
impl<V, const N: usize> PartialOrd for Waiting<V, N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<V, const N: usize> PartialEq for Waiting<V, N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl<V, const N: usize> Eq for Waiting<V, N> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::nearest::foot_on_segment;
    use carom_math::Vec2;

    /// The depth in the half-plane y <= 0, whose surface is the axis.
    fn below_axis(p: Vec2<f64>) -> Probe<Vec2<f64>, 2> {
        let foot = Vec2::new(p.x, 0.0);
        Probe { depth: -p.y, surface: foot, cover: Cover::Plane(foot, Vec2::new(0.0, 1.0)) }
    }

    fn foot([a, b]: [Vec2<f64>; 2], p: Vec2<f64>) -> Foot<Vec2<f64>> {
        foot_on_segment(a, b, p)
    }

    #[test]
    fn plateaus_take_one_probe() {
        let flat = [[Vec2::new(-1.0, -0.125), Vec2::new(1.0, -0.125)]];
        let calls = core::cell::Cell::new(0);
        let probe = |p| {
            calls.set(calls.get() + 1);
            below_axis(p)
        };
        let found = deepest(&flat, probe, foot, (0.0, MAX_PROBES)).unwrap();
        assert_eq!((found.depth, found.surface.y, calls.get()), (0.125, 0.0, 1));
    }

    #[test]
    fn a_slope_is_deepest_at_its_end() {
        let slope = [[Vec2::new(0.0, 1.0), Vec2::new(1.0, -1.0)]];
        let found = deepest(&slope, below_axis, foot, (0.0, MAX_PROBES)).unwrap();
        assert!(found.depth <= 1.0 && 1.0 <= found.upper, "{found:?}");
        assert!(found.upper <= found.depth * 1.01, "{found:?}");
    }

    #[test]
    fn what_stays_outside_has_no_depth() {
        let above = [[Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.5)]];
        assert_eq!(deepest(&above, below_axis, foot, (0.0, MAX_PROBES)), None);
    }

    /// A strip 2 wide, seen without a cover: the middle is 1 deep, and the bounds say so.
    #[test]
    fn without_a_cover_the_bounds_still_hold() {
        let through = [[Vec2::new(-5.0, 0.0), Vec2::new(5.0, 0.25)]];
        let strip = |p: Vec2<f64>| Probe {
            depth: 1.0 - p.x.abs(),
            surface: Vec2::new(1f64.copysign(p.x), p.y),
            cover: Cover::Nothing,
        };
        let found = deepest(&through, strip, foot, (0.0, MAX_PROBES)).unwrap();
        assert!(found.depth <= 1.0 && 1.0 <= found.upper, "{found:?}");
        assert!(found.upper <= found.depth * 1.01, "{found:?}");
    }
}
