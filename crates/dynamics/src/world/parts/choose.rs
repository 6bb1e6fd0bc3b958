//! Which manifolds make a group, what its points are called, and which of them are kept.

use super::super::dimension::Engine;
use super::Candidate;
use carom_geometry::{FeaturePair, Manifold};
use carom_math::{Number, Vector};

/// The most groups of a pair.
pub(super) const MOST: usize = 8;

/// The cosines of the angles within which normals agree: 5°, 10°, 20°, 40°, 90°.
pub(super) const AGREEMENT: [f32; 5] = [0.996_194_7, 0.984_807_7, 0.939_692_6, 0.766_044_4, 0.0];

/// The manifolds that found groups, and the cosine within which others join them.
pub(super) fn founders<V: Vector<Scalar = f32>>(found: &[Manifold<V>]) -> ([Option<usize>; MOST], f32) {
    let mut founders = [None; MOST];
    for agreement in AGREEMENT {
        founders = [None; MOST];
        let mut count = 0;
        for (index, manifold) in found.iter().enumerate() {
            if nearest_founder(found, &founders, manifold.normal(), agreement).is_none() {
                if let Some(place) = founders.get_mut(count) {
                    *place = Some(index);
                }
                count += 1;
            }
        }
        if count <= MOST {
            return (founders, agreement);
        }
    }
    (founders, -1.0)
}

/// The founder whose normal is nearest, if they agree; of equals the first.
pub(super) fn nearest_founder<V: Vector<Scalar = f32>>(
    found: &[Manifold<V>],
    founders: &[Option<usize>; MOST],
    normal: V,
    agreement: f32,
) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    for founder in founders.iter().flatten() {
        let cosine = found[*founder].normal().dot(normal);
        if agreement <= cosine && best.is_none_or(|(most, _)| most < cosine) {
            best = Some((cosine, *founder));
        }
    }
    best.map(|(_, founder)| founder)
}

/// What a point is called from step to step.
pub(super) fn name<D: Engine>(feature: FeaturePair, parts: [u32; 2], has_parts: [bool; 2]) -> u64 {
    // Faces of parts, in the plane edges, are all the same; other features are those of their part.
    let of = |feature: u32, part: u32, has_parts: bool| {
        let is_face = feature & 3 == D::Vector::DIM as u32;
        match (has_parts, is_face) {
            (false, _) => feature,
            (true, true) => u32::MAX,
            (true, false) => feature.wrapping_add(part.wrapping_mul(0x9e37_79b1)),
        }
    };
    let [a, b] = [of(feature.a, parts[0], has_parts[0]), of(feature.b, parts[1], has_parts[1])];
    FeaturePair { a, b }.key()
}

/// The depth of the deepest.
pub(super) fn deepest<V: Vector<Scalar = f32>>(points: &[Candidate<V>]) -> f32 {
    points.iter().fold(f32::NEG_INFINITY, |most, point| point.point.depth.max_of(most))
}

/// Up to four of the points, that span most of what all span across the normal, and how many.
///
/// The first is the one farthest from the middle among those that are deepest, where a `slop` makes no
/// difference: noise in the depths shall not choose. Then the farthest from it, the farthest from the line through
/// both, and the one that adds most to the triangle.
pub(super) fn choose<V: Vector<Scalar = f32>>(
    points: &[Candidate<V>],
    normal: V,
    slop: f32,
    most: usize,
) -> ([usize; 4], usize) {
    let mut chosen = [0; 4];
    let most = most.min(chosen.len());
    if points.len() <= most {
        chosen.iter_mut().enumerate().for_each(|(k, slot)| *slot = k);
        return (chosen, points.len());
    }
    let across = |v: V| v - normal * v.dot(normal);
    let at = |index: usize| points[index].point.point;
    let middle =
        points.iter().fold(V::ZERO, |sum, point| sum + point.point.point) * (1.0 / points.len() as f32);
    let deepest = deepest(points);
    // The point of the largest positive score; of equals the first.
    let best = |score: &dyn Fn(usize) -> f32| {
        let mut best: Option<(f32, usize)> = None;
        for index in 0..points.len() {
            let score = score(index);
            if best.map_or(0.0, |(most, _)| most) < score {
                best = Some((score, index));
            }
        }
        best.map(|(_, index)| index)
    };
    let is_deep = |index: usize| deepest - slop <= points[index].point.depth;
    let first = best(&|index| if is_deep(index) { across(at(index) - middle).length_squared() } else { 0.0 });
    let first = first.unwrap_or_else(|| (0..points.len()).find(|index| is_deep(*index)).unwrap_or(0));
    chosen[0] = first;
    let Some(second) = best(&|index| across(at(index) - at(first)).length_squared()) else {
        return (chosen, 1);
    };
    chosen[1] = second;
    if most == 2 {
        return (chosen, 2);
    }
    // How far a point is from the line through two others, as a vector.
    let off_line = |index: usize, from: usize, to: usize| {
        let (line, v) = (across(at(to) - at(from)), across(at(index) - at(from)));
        v - line * (v.dot(line) / line.length_squared())
    };
    let third = best(&|index| {
        if index == first || index == second { 0.0 } else { off_line(index, first, second).length_squared() }
    });
    let Some(third) = third else { return (chosen, 2) };
    chosen[2] = third;
    // Twice the area that a point adds beyond a side of the triangle, squared.
    let adds = |index: usize, [from, to, opposite]: [usize; 3]| {
        let (inward, own) = (off_line(opposite, from, to), off_line(index, from, to));
        let is_beyond = own.dot(inward) < 0.0;
        if is_beyond { own.length_squared() * across(at(to) - at(from)).length_squared() } else { 0.0 }
    };
    let fourth = best(&|index| {
        if [first, second, third].contains(&index) {
            return 0.0;
        }
        let sides = [[first, second, third], [second, third, first], [third, first, second]];
        sides.into_iter().fold(0.0, |most, side| adds(index, side).max_of(most))
    });
    let Some(fourth) = fourth else { return (chosen, 3) };
    chosen[3] = fourth;
    (chosen, 4)
}
