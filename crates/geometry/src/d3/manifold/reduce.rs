//! Four points out of many, that span most of what all span and hold the deepest one.
//!
//! Start at a deep point; the point farthest from it and the point farthest from that one are two ends
//! of a diagonal; the points farthest on either side of the diagonal complete a quadrilateral. A fixed
//! direction, of little weight, chooses between equally deep starts, so that noise in the depths does
//! not. When the deepest point is not among the four, it replaces the one that costs the least area.
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
    let mut count = 0;
    let mut take = |point: &Point| {
        if let Some(place) = chosen.get_mut(count) {
            *place = *point;
            count += 1;
        }
    };
    if points.len() <= MOST {
        points.iter().for_each(take);
        return (chosen, count);
    }
    let mut indices = span(points, normal);
    indices.sort_unstable();
    for (order, index) in indices.into_iter().enumerate() {
        let repeated = indices[..order].contains(&index);
        if let (false, Some(point)) = (repeated, points.get(index)) {
            take(point);
        }
    }
    (chosen, count)
}

/// The indices of the four; some may be equal.
fn span(points: &[Point], normal: Vec3<f64>) -> [usize; MOST] {
    let u = perpendicular_to(normal).normalized().unwrap_or(Vec3::unit(0));
    let v = normal.cross(u);
    let at = |index: usize| {
        let point = points.get(index).map_or(Vec3::ZERO, |point| point.point);
        Vec2::new(u.dot(point), v.dot(point))
    };
    let depth = |index: usize| points.get(index).map_or(f64::NEG_INFINITY, |point| point.depth);
    let best = |score: &dyn Fn(usize) -> f64| {
        let mut best = 0;
        for index in 1..points.len() {
            if score(best) < score(index) {
                best = index;
            }
        }
        best
    };
    let deepest = best(&depth);
    let start = best(&|index| depth(index) + BIAS * (at(index).x + 0.5 * at(index).y));
    let far = |from: usize| best(&|index| (at(index) - at(from)).length_squared());
    let one = far(start);
    let two = far(one);
    let diagonal = at(two) - at(one);
    let left = best(&|index| diagonal.cross(at(index) - at(one)));
    let right = best(&|index| -diagonal.cross(at(index) - at(one)));
    let mut four = [one, two, left, right];
    if !four.iter().any(|&index| depth(index) == depth(deepest)) {
        let mut best: Option<(f64, [usize; MOST])> = None;
        for replaced in 0..MOST {
            let mut other = four;
            other[replaced] = deepest;
            let area = area_of_hull(other.map(at));
            if best.is_none_or(|(largest, _)| largest < area) {
                best = Some((area, other));
            }
        }
        if let Some((_, other)) = best {
            four = other;
        }
    }
    four
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
