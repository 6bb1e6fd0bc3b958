//! Two convex sets that are known by their support points: GJK, and EPA when they overlap.
//!
//! The separation of the cores is what [`gjk`](crate::gjk) finds; radii are subtracted afterwards, since
//! the least overlap over all directions grows by them and stays where it is (see
//! [`pair`](crate::pair)). For polytopes the last simplex names the nearest features, and the distance is
//! computed again from them: then coordinates on a lattice give the distance without error wherever it
//! is a dyadic number.
//!
//! Bounds: those that GJK and EPA prove, plus `error`, which covers the rounding of the relative pose.

use crate::answer::Separation;
use crate::gjk::{self, Proximity, Space, Status, Support, farthest};
use crate::pair::core::Flats;
use crate::pair::nearest::{Foot, foot_on_segment};
use carom_math::{Number, Vector, power_of_two};

/// The same set, declared a polytope: GJK then goes on to the exact end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat<B>(pub(crate) B);

impl<V: Space, B: Support<V>> Support<V> for Flat<B> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        self.0.support(direction)
    }
    fn center(&self) -> V {
        self.0.center()
    }
    fn size(&self) -> f64 {
        self.0.size()
    }
}

/// How two cores with radii relate, in their common frame; `None` when they are proven to be farther
/// apart than `limit`.
pub(crate) fn relate<V: Space + Flats, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &B,
    [radius_a, radius_b]: [f64; 2],
    error: f64,
    limit: f64,
) -> Option<Separation<V>> {
    let reach = radius_a + radius_b;
    let near = gjk::distance(a, b, None, limit + reach, &mut ());
    let core = match near.status {
        Status::Separated => return None,
        Status::Closest => apart(&near, !(A::CURVED || B::CURVED)),
        Status::Touching | Status::Overlap => overlapping(a, b, &near),
    };
    let core = if A::CURVED || B::CURVED { straightened(a, b, core) } else { core };
    Some(Separation {
        separation: core.separation - reach,
        error: core.error + error,
        normal: core.normal,
        point_a: core.point_a + core.normal * radius_a,
        point_b: core.point_b - core.normal * radius_b,
    })
}

fn apart<V: Space + Flats>(near: &Proximity<V>, is_flat: bool) -> Separation<V> {
    let (mut distance, mut normal) = (near.distance, near.normal);
    let polished = if is_flat { foot_of_origin(near) } else { None };
    if let Some(foot) = polished
        && near.lower <= foot.distance
        && foot.distance <= near.upper
    {
        distance = foot.distance;
        // Where the gap is nothing but rounding, so is the offset, and may point backwards: then what GJK
        // has proven along its own normal stands.
        let polished = foot.offset.normalized().unwrap_or(normal);
        normal = if 0.5 < polished.dot(normal) { polished } else { normal };
    }
    Separation {
        separation: distance,
        error: (near.upper - distance).max_of(distance - near.lower),
        normal,
        point_a: near.point_a,
        point_b: near.point_b,
    }
}

/// The point of the last simplex nearest to the origin, from the features rather than from a blend.
fn foot_of_origin<V: Space + Flats>(near: &Proximity<V>) -> Option<Foot<V>> {
    match near.simplex.vertices() {
        [a] => Some(Foot::at(a.difference, V::ZERO)),
        [a, b] => {
            // Both take part, so the foot is between them, and the offset perpendicular but for rounding.
            let along = b.difference - a.difference;
            let foot = foot_on_segment(a.difference, b.difference, V::ZERO);
            let beside = along * (foot.offset.dot(along) / along.dot(along));
            Some(Foot { offset: foot.offset - beside, ..foot })
        }
        [a, b, c] if V::DIM == 3 => {
            let corners = [a.difference, b.difference, c.difference];
            let normal = V::perpendiculars(&corners)[0];
            Some(V::foot_on_triangle(corners, normal, V::ZERO))
        }
        _ => None,
    }
}

fn overlapping<V: Space, A: Support<V>, B: Support<V>>(a: &A, b: &B, near: &Proximity<V>) -> Separation<V> {
    let deep = gjk::penetration(a, b, &near.simplex, &mut ());
    // A simplex that contains the origin proves a common point, whatever rounding says about its depth.
    let is_common = near.distance == 0.0;
    let separation = if is_common { (0.0 - deep.depth).min_of(0.0) } else { 0.0 - deep.depth };
    let highest = if near.status == Status::Overlap { 0.0 - deep.lower } else { near.upper };
    Separation {
        separation,
        error: (highest - separation).max_of(separation + deep.upper).max_of(0.0),
        normal: deep.normal,
        point_a: deep.point_a,
        point_b: deep.point_b,
    }
}

/// Components of a normal below this, 2⁻¹⁴, may be what a curved surface left over: its normals are right to
/// the square root of the tolerance of the distance.
const LEFT_OVER: f64 = power_of_two(-14);

/// The answer with a normal along the axes or planes of the frame, if that serves as well. Round things on
/// lattice places touch along such normals, and along those nothing is rounded.
fn straightened<V: Space, A: Support<V>, B: Support<V>>(a: &A, b: &B, found: Separation<V>) -> Separation<V> {
    let straight = found.normal.map(|x| if x.abs() < LEFT_OVER { 0.0 } else { x });
    let Some(normal) = straight.normalized() else { return found };
    if normal == found.normal {
        return found;
    }
    // A lower bound of the true separation, along whatever direction; the largest of all is the truth.
    let along = normal.dot(b.support(-normal).0 - a.support(normal).0);
    let serves = found.separation - 8.0 * f64::EPSILON * (a.size() + b.size()) <= along;
    if !serves {
        return found;
    }
    // What has a common point keeps it.
    let along = if found.separation <= 0.0 { along.min_of(0.0) } else { along };
    // Both are within the bounds of the truth, so the bounds hold for either.
    let error = found.error + (along - found.separation).abs();
    Separation { separation: along, error, normal, ..found }
}

/// The point farthest in a direction, of points that are multiplied by a power of two; the first of
/// equals. Multiplied before anything else, since the products of the given ones may be out of range.
#[inline]
pub(crate) fn farthest_at_scale<V: Vector<Scalar = f64>>(
    points: &[V],
    factor: f64,
    direction: V,
) -> (V, u32) {
    if factor == 1.0 {
        return farthest(points, direction);
    }
    let Some(&first) = points.first() else { return (V::ZERO, 0) };
    let (mut best, mut best_product) = (0, 0.0);
    for (index, &point) in points.iter().enumerate().skip(1) {
        let product = (point * factor - first * factor).dot(direction);
        if best_product < product {
            (best, best_product) = (index, product);
        }
    }
    (points[best] * factor, best as u32)
}
