//! A moving ball: its centre is a ray against the other shape inflated by its radius.
//!
//! The inflated box is a box with rounded edges and corners. The squared distance from the box,
//!
//! ```text
//! f(t) = Σ max(|p_i(t)| − h_i, 0)²
//! ```
//!
//! is convex, and between the parameters at which the line passes the planes of the faces it is a
//! quadratic in the coordinates that are outside: one for a face, two for an edge, three for a corner.
//! That is a ball in as many dimensions, so the kernel for balls solves each piece, in order of time.

use super::flat::cuboid_span;
use super::query::Motion;
use super::round::ball_roots;
use super::span::{Passage, Span};
use crate::manifold::feature::{Kind, number};
use carom_math::{Number, Real, Vector};

/// The part of the line within `radius` of the box.
pub(crate) fn rounded_cuboid_span<V: Vector<Scalar = f64>>(
    path: Motion<V>,
    half_extents: V,
    radius: f64,
) -> Option<Span<V>> {
    let bounds = half_extents.map(|h| (h + radius).step_up());
    let bound = cuboid_span(path.origin, path.velocity, bounds)?;
    let early = |t: f64| t - 4.0 * f64::EPSILON * t.abs();
    let enter = rounded_cuboid_passage(path, half_extents, radius, early(bound.enter.t))?;
    let back = Motion { velocity: -path.velocity, ..path };
    let exit = rounded_cuboid_passage(back, half_extents, radius, early(-bound.exit.t));
    Some(Span::new(enter, exit.map_or(enter, |found| Passage { t: 0.0 - found.t, ..found })))
}

/// Where a moving ball first touches the box from the time `start` on, given that it does not then. The
/// normal points from the box to the centre of the ball.
pub(crate) fn rounded_cuboid_passage<V: Vector<Scalar = f64>>(
    path: Motion<V>,
    half_extents: V,
    radius: f64,
    start: f64,
) -> Option<Passage<V>> {
    let Motion { origin, velocity } = path;
    // A step up, since a box that is too small by rounding would hide a touch.
    let bounds = half_extents.map(|h| (h + radius).step_up());
    cuboid_span(origin, velocity, bounds)?;
    let planes = |axis: usize| {
        let (position, speed) = (origin.get(axis), velocity.get(axis));
        let reach = if speed < 0.0 { -half_extents.get(axis) } else { half_extents.get(axis) };
        [(-reach - position) / speed, (reach - position) / speed]
    };
    let mut times = [f64::INFINITY; 8];
    let first = start;
    times[0] = first;
    for axis in (0..V::DIM).filter(|&axis| velocity.get(axis) != 0.0) {
        for (slot, t) in times[1 + 2 * axis..].iter_mut().zip(planes(axis)) {
            *slot = if first < t { t } else { first };
        }
    }
    times.sort_by(f64::total_cmp);
    for piece in times.windows(2) {
        let &[start, end] = piece else { continue };
        if start == end {
            continue;
        }
        // On which side of the box the point is along each axis, throughout this piece.
        let side = |axis: usize| {
            let speed = velocity.get(axis);
            if speed == 0.0 {
                let position = origin.get(axis);
                let outside = half_extents.get(axis) < position.abs();
                return if !outside {
                    0.0
                } else if position < 0.0 {
                    -1.0
                } else {
                    1.0
                };
            }
            let [near, far] = planes(axis);
            let ahead = if speed < 0.0 { 1.0 } else { -1.0 };
            if start < near {
                ahead
            } else if start < far {
                0.0
            } else {
                -ahead
            }
        };
        let only = |v: V| V::from_fn(|axis| if side(axis) == 0.0 { 0.0 } else { v.get(axis) });
        let feature = V::from_fn(|axis| side(axis) * half_extents.get(axis));
        let (from, along) = (only(origin), only(velocity));
        let Some([enter, exit]) = ball_roots(from, along, feature, radius) else { continue };
        // Neighbouring pieces agree where they meet, up to rounding.
        let slack = 4.0 * f64::EPSILON;
        if end + slack * end.abs() < enter || exit < start - slack * start.abs() {
            continue;
        }
        let t = enter.max_of(start);
        let sides = V::from_fn(side);
        return Some(Passage { t, normal: from + along * t - feature, feature: box_feature(sides) });
    }
    None
}

/// The name of the face, edge or corner of a box on the given sides: −1, 0 or 1 along each axis, 0 for between.
pub(crate) fn box_feature<V: Vector<Scalar = f64>>(sides: V) -> u32 {
    let is_out = |axis: usize| sides.get(axis) != 0.0;
    let above = |axis: usize| usize::from(0.0 < sides.get(axis));
    let out = (0..V::DIM).filter(|&axis| is_out(axis)).count();
    if out == V::DIM {
        return number(Kind::Vertex, (0..V::DIM).map(|axis| above(axis) << axis).sum());
    }
    let face_kind = if V::DIM == 2 { Kind::Edge } else { Kind::Face };
    if out == 1 {
        let axis = (0..V::DIM).find(|&axis| is_out(axis)).unwrap_or(0);
        return number(face_kind, 2 * axis + 1 - above(axis));
    }
    match (0..V::DIM).find(|&axis| !is_out(axis)) {
        Some(along) if out == 2 => {
            number(Kind::Edge, 4 * along + above((along + 1) % 3) + 2 * above((along + 2) % 3))
        }
        _ => 0,
    }
}
