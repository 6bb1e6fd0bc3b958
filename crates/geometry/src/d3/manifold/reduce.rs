//! Four points out of many, that span most of what all span and hold the deepest one.
//!
//! Start at a deep point; the point farthest from it and the point farthest from that one are two ends
//! of a diagonal; the points farthest on either side of the diagonal complete a quadrilateral, or, where one
//! side has none, the point that adds the most area. A fixed
//! direction, of little weight, chooses between equally deep starts, so that noise in the depths does
//! not. When the deepest point is not among the four, it replaces the one that costs the least area, and
//! the other three are chosen anew in turn.
//! Distances and areas are measured perpendicular to the normal; ties go to the lower index.

use crate::manifold::gather::Candidate;
use crate::manifold::{FeaturePair, MOST};
use crate::pair::nearest::perpendicular_to;
use carom_math::{Number, Vec2, Vec3, Vector};

/// The weight of the fixed direction against depth.
const BIAS: f64 = 1.0 / 1024.0;

type Point = Candidate<Vec3<f64>>;

/// All points when they are few, otherwise four of them, in their order.
pub(super) fn reduce(points: &[Point], normal: Vec3<f64>) -> ([Point; MOST], usize) {
    let none = Candidate { point: Vec3::ZERO, depth: 0.0, feature: FeaturePair::default() };
    let mut chosen = [none; MOST];
    if points.len() <= MOST {
        for (place, point) in chosen.iter_mut().zip(points) {
            *place = *point;
        }
        return (chosen, points.len());
    }
    let u = perpendicular_to(normal).normalized().unwrap_or(Vec3::unit(0));
    let v = normal.cross(u);
    let (indices, count) = four_of(points.len(), |index| {
        points.get(index).map_or((Vec2::ZERO, f64::NEG_INFINITY), |point| {
            (Vec2::new(u.dot(point.point), v.dot(point.point)), point.depth)
        })
    });
    for (place, &index) in chosen.iter_mut().zip(&indices) {
        *place = points.get(index).copied().unwrap_or(none);
    }
    (chosen, count)
}

/// The indices of four points, of `count` that are given by their places across the normal and their depths;
/// in rising order, and how many there are without repetitions.
#[inline(always)]
pub(super) fn four_of(count: usize, point: impl Fn(usize) -> (Vec2<f64>, f64)) -> ([usize; MOST], usize) {
    let [a, b, c, d] = span(count, point);
    // A network: which of them are in order is a coin toss.
    let ([a, b], [c, d]) = ([a.min(b), a.max(b)], [c.min(d), c.max(d)]);
    let ([a, c], [b, d]) = ([a.min(c), a.max(c)], [b.min(d), b.max(d)]);
    let [b, c] = [b.min(c), b.max(c)];
    let (mut four, mut different) = ([a, 0, 0, 0], 1);
    for (before, index) in [(a, b), (b, c), (c, d)] {
        if before != index {
            four[different] = index;
            different += 1;
        }
    }
    (four, different)
}

/// The indices of the four; some may be equal.
#[inline(always)]
fn span(count: usize, point: impl Fn(usize) -> (Vec2<f64>, f64)) -> [usize; MOST] {
    let (at, depth) = (|index: usize| point(index).0, |index: usize| point(index).1);
    let deepest = best(count, depth);
    let start = best(count, |index| depth(index) + BIAS * Vec2::new(1.0, 0.5).dot(at(index)));
    let far = |from: Vec2<f64>| best(count, |index| (at(index) - from).length_squared());
    let one = far(at(start));
    let two = far(at(one));
    let (middle, diagonal) = (at(one), at(two) - at(one));
    let left = best(count, |index| diagonal.cross(at(index) - middle));
    let right = best(count, |index| -diagonal.cross(at(index) - middle));
    let mut four = [one, two, left, right];
    // All on one side of the diagonal: the place across it is free for the point that adds the most.
    for (slot, index) in [(2, left), (3, right)] {
        if index == one || index == two {
            let mut largest = (-1.0, four);
            for other in 0..count {
                improve(&mut largest, four, slot, other, at);
            }
            four = largest.1;
        }
    }
    if four.iter().any(|&index| depth(index) == depth(deepest)) {
        return four;
    }
    with_deepest(count, four, deepest, &at)
}

/// The deepest point replaces the one that costs the least; then each of the others may find a better place.
#[cold]
#[inline(never)]
fn with_deepest(
    count: usize,
    four: [usize; MOST],
    deepest: usize,
    at: &impl Fn(usize) -> Vec2<f64>,
) -> [usize; MOST] {
    let mut largest = (-1.0, four);
    for replaced in 0..MOST {
        improve(&mut largest, four, replaced, deepest, at);
    }
    for slot in 0..MOST {
        let chosen = largest.1;
        if chosen.get(slot) != Some(&deepest) {
            for index in 0..count {
                improve(&mut largest, chosen, slot, index, at);
            }
        }
    }
    largest.1
}

/// Keeps the larger of the best four so far, by area, and `four` with one of them replaced.
fn improve(
    largest: &mut (f64, [usize; MOST]),
    mut four: [usize; MOST],
    slot: usize,
    index: usize,
    at: impl Fn(usize) -> Vec2<f64>,
) {
    if let Some(place) = four.get_mut(slot) {
        *place = index;
        let area = area_of_hull(four.map(at));
        if largest.0 < area {
            *largest = (area, four);
        }
    }
}

/// The index with the highest score, the first of equals.
#[inline(always)]
fn best(count: usize, score: impl Fn(usize) -> f64) -> usize {
    let mut best = (f64::NEG_INFINITY, 0);
    for index in 0..count {
        let score = score(index);
        // Apart from each other, so that neither needs a branch.
        let place = if best.0 < score { index } else { best.1 };
        best = (score.max_of(best.0), place);
    }
    best.1
}

/// Twice the area of the hull of four points. It is a quadrilateral, whose area is half the product of
/// its diagonals, or one of the triangles; the other pairings and triangles are smaller.
fn area_of_hull([a, b, c, d]: [Vec2<f64>; 4]) -> f64 {
    let products = [
        (b - a).cross(d - c),
        (c - a).cross(d - b),
        (d - a).cross(c - b),
        (b - a).cross(c - a),
        (b - a).cross(d - a),
        (c - a).cross(d - a),
        (c - b).cross(d - b),
    ];
    products.into_iter().fold(0.0, |largest: f64, product| product.abs().max_of(largest))
}
