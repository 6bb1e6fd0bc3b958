//! Two convex sets that are known by their support points: GJK, and when they overlap EPA. Polytopes with faces are in
//! [`solids`](super::solids).
//!
//! The separation of the cores is what [`gjk`](crate::gjk) finds; radii are subtracted afterwards, since
//! the least overlap over all directions grows by them and stays where it is (see
//! [`pair`](crate::pair)). For polytopes the last simplex names the nearest features, and the distance is
//! computed again from them: then coordinates on a lattice give the distance without error wherever it
//! is a dyadic number.
//!
//! Bounds: those that GJK and EPA prove, plus `error`, which covers the rounding of the relative pose.

use super::closer::closer;
use super::landing::{self, FlatSide, Look};
use crate::answer::Separation;
use crate::gjk::{self, Corners, Penetration, Posed, Proximity, Space, Status, Support, Trace, farthest};
use crate::pair::core::Flats;
use crate::pair::nearest::{Foot, Nearest, foot_on_segment};
use carom_math::{Number, Vector, power_of_two};

/// The same set, declared a polytope: GJK then goes on to the exact end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat<B>(pub(crate) B);

impl<V: Space, B: Support<V>> Support<V> for Flat<B> {
    const CURVED: bool = false;
    fn flat_side(&self, from_center: V) -> Option<FlatSide<V>> {
        self.0.flat_side(from_center)
    }
    fn room_on_side(&self, side: &FlatSide<V>, point: V) -> f64 {
        self.0.room_on_side(side, point)
    }
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
/// apart than `limit`. `trace` watches the loops.
pub(crate) fn relate<V: Space + Flats, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &Posed<B, V>,
    radii: [f64; 2],
    error: f64,
    limit: f64,
    trace: &mut impl Trace<V>,
) -> Option<Separation<V>> {
    let reach = limit + (radii[0] + radii[1]);
    let is_curved = A::CURVED || B::CURVED;
    let seen = landing::look(a, b, reach);
    if let Look::Beyond = seen
        && !trace.listens()
    {
        return None;
    }
    let core = match seen {
        Look::Deep(deep) => {
            trace.axis(deep.normal, deep.depth);
            surely_overlapping(&deep)
        }
        Look::Apart(found) => {
            trace.axis(found.normal, 0.0 - found.separation);
            found
        }
        Look::Beyond | Look::Unknown => {
            let near = gjk::distance(a, b, None, reach, trace);
            let near = if is_curved { closer(a, b, near, trace) } else { near };
            match near.status {
                Status::Separated => return None,
                Status::Closest => apart(&near, !is_curved),
                Status::Touching | Status::Overlap => {
                    overlapping(&near, &gjk::penetration(a, b, &near.simplex, trace))
                }
            }
        }
    };
    let core = if is_curved { straightened(a, b, core) } else { core };
    Some(inflated(core, radii, error))
}

/// Whether two cores with radii touch: whether [`relate`] gives a separation of at most 0.
pub(crate) fn touch<V: Space + Flats, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &Posed<B, V>,
    radii: [f64; 2],
    error: f64,
) -> bool {
    let reach = radii[0] + radii[1];
    match landing::look(a, b, reach) {
        Look::Beyond => return false,
        Look::Deep(_) => return true,
        Look::Apart(_) if reach == 0.0 => return false,
        Look::Apart(_) | Look::Unknown => {}
    }
    match gjk::status_or_distance(a, b, reach, &mut ()) {
        Ok(status) => status == Status::Overlap,
        Err(near) if meet(&near, reach, gjk::rounding_error(a, b)) => true,
        Err(_) => relate(a, b, radii, error, 0.0, &mut ()).is_some_and(|found| found.separation <= 0.0),
    }
}

/// The separation that [`relate`] gives and its error; of cores that overlap, one that is not below it, with an error for its sign: how deep they are
/// is not looked for.
pub(crate) fn gap<V: Space + Flats, A: Support<V>, B: Support<V>>(
    a: &A,
    b: &Posed<B, V>,
    radii: [f64; 2],
    error: f64,
) -> (f64, f64) {
    let is_curved = A::CURVED || B::CURVED;
    let doubt = gjk::rounding_error(a, b);
    let separated = |core: Separation<V>| {
        let core = if is_curved { straightened(a, b, core) } else { core };
        inflated(core, radii, error).without_points()
    };
    match landing::look(a, b, f64::INFINITY) {
        Look::Deep(deep) => return separated(surely_overlapping(&deep)),
        Look::Apart(found) => return separated(found),
        Look::Beyond | Look::Unknown => {}
    }
    let near = gjk::distance(a, b, None, f64::INFINITY, &mut ());
    let is_common = near.status == Status::Overlap || meet(&near, 0.0, doubt);
    if is_common {
        // As deep as the last simplex shows, at least.
        return (0.0 - (near.inner_radius() + (radii[0] + radii[1])), doubt + error);
    }
    if near.status == Status::Closest {
        let near = if is_curved { closer(a, b, near, &mut ()) } else { near };
        return separated(apart(&near, !is_curved));
    }
    // In doubt, and then all questions have to agree.
    relate(a, b, radii, error, f64::INFINITY, &mut ()).unwrap_or(Separation::APART).without_points()
}

/// Whether cores between which GJK finds neither a gap nor an overlap are known to touch nevertheless: where a point, an edge or a face of
/// the set of differences holds the origin, and where radii around the cores bridge what may be between them. Then [`relate`] says so
/// too, since the separation along any direction is at most the distance.
fn meet<V: Space>(near: &Proximity<V>, reach: f64, doubt: f64) -> bool {
    near.status == Status::Touching && (near.distance == 0.0 || near.upper + 2.0 * doubt < reach)
}

/// The point of a polytope nearest to another point, with the distance and the direction to it; `None` when rounding leaves open whether
/// it is outside.
pub(crate) fn nearest_of_flat<V: Space + Flats>(a: &impl Support<V>, point: V) -> Option<Nearest<V>> {
    let near = gjk::distance(a, &Corners([point]), None, f64::INFINITY, &mut ());
    let found = (near.status == Status::Closest).then(|| apart(&near, true))?;
    Some(Nearest { point: found.point_a, distance: found.separation, normal: found.normal })
}

/// The answer for cores, with radii around them.
pub(crate) fn inflated<V: Space>(
    core: Separation<V>,
    [radius_a, radius_b]: [f64; 2],
    error: f64,
) -> Separation<V> {
    Separation {
        separation: core.separation - (radius_a + radius_b),
        error: core.error + error,
        normal: core.normal,
        point_a: core.point_a + core.normal * radius_a,
        point_b: core.point_b - core.normal * radius_b,
    }
}

pub(super) fn apart<V: Space + Flats>(near: &Proximity<V>, is_flat: bool) -> Separation<V> {
    let (mut distance, mut normal) = (near.distance, near.normal);
    let polished = if is_flat { foot_of_origin(near) } else { None };
    if let Some(foot) = polished
        && near.lower <= foot.distance
        && foot.distance <= near.upper
    {
        distance = foot.distance;
        // Where the gap may be nothing but rounding, so may be the offset, and point anywhere: then what GJK
        // has proven along its own normal stands.
        let polished = foot.offset.normalized().unwrap_or(normal);
        let has_direction = 0.0 < near.lower && 0.5 < polished.dot(normal);
        normal = if has_direction { polished } else { normal };
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

pub(super) fn overlapping<V: Space>(near: &Proximity<V>, deep: &Penetration<V>) -> Separation<V> {
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

/// The depth of polytopes that are known to overlap by more than rounding.
pub(super) fn surely_overlapping<V: Space>(deep: &Penetration<V>) -> Separation<V> {
    Separation {
        separation: 0.0 - deep.depth,
        error: (deep.upper - deep.depth).max_of(deep.depth - deep.lower),
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
