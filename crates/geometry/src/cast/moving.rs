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
use super::span::Passage;
use carom_math::{Number, Real, Vector};

/// Where a moving ball first touches the box, given that it does not at t = 0. The normal points from
/// the box to the centre of the ball.
pub(crate) fn rounded_cuboid_passage<V: Vector<Scalar = f64>>(
    path: Motion<V>,
    half_extents: V,
    radius: f64,
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
    times[0] = 0.0;
    for axis in (0..V::DIM).filter(|&axis| velocity.get(axis) != 0.0) {
        for (slot, t) in times[1 + 2 * axis..].iter_mut().zip(planes(axis)) {
            *slot = if 0.0 < t { t } else { 0.0 };
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
        if end + slack * end < enter || exit < start - slack * start {
            continue;
        }
        let t = enter.max_of(start);
        return Some(Passage { t, normal: from + along * t - feature });
    }
    None
}
