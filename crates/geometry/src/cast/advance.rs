//! A line against a convex set that is known by its nearest points: rounded cylinders, cones, ellipsoids,
//! whose surfaces have no equation of low degree.
//!
//! The distance g(t) from the point at t to a convex set is a convex function, and n·direction is its slope,
//! n being the direction from the nearest point. So Newton's method from a point outside,
//!
//! ```text
//! t ← t + (g − radius) / −(n·direction)
//! ```
//!
//! comes closer with every step and never passes the first touch: what is in front of the plane through the
//! nearest point is free. A slope that is not negative proves that there is no touch ahead. It converges
//! quadratically, and where the line only grazes the set by halves.

use super::GRAZING;
use super::precision::Precision;
use super::query::Touch;
use super::round::ball_span;
use super::span::{Passage, Span};
use crate::Error;
use crate::answer::Separation;
use crate::pair::nearest::Nearest;
use carom_math::double::Double;
use carom_math::{Number, Vector};

/// Halving a distance 53 times leaves nothing of it; quadratic steps take five or six.
const MAX_STEPS: usize = 64;

/// The part of the line within `radius` of a convex set, which lies within `reach` of the origin.
pub(crate) fn convex_span<V: Vector<Scalar = f64>>(
    origin: V,
    direction: V,
    reach: f64,
    radius: f64,
    nearest: impl Fn(V) -> Nearest<V>,
) -> Option<Span<V>> {
    let reach = (reach + radius) * (1.0 + 16.0 * f64::EPSILON);
    let bound = ball_span(origin, direction, V::ZERO, reach)?;
    let line = Line { origin, direction, radius, reach };
    let enter = line.first_touch(bound.enter.t, bound.exit.t, &nearest)?;
    let back = Line { direction: -direction, ..line };
    let exit = back.first_touch(-bound.exit.t, -enter.t, &nearest);
    let exit = exit.map_or(enter, |found| Passage { t: -found.t, ..found });
    Some(Span::new(enter, exit))
}

/// The first touch of two convex sets, of which the first moves with `velocity`, by how they relate at a time: the way
/// for what a kernel cannot decide. `start` is how they relate at t = 0. The normal points from the first to the second.
///
/// Nothing here is a touch but for a separation that is zero as far as is known.
pub(crate) fn approach<V: Vector<Scalar = f64>>(
    velocity: V,
    max: f64,
    start: Separation<V>,
    mut at: impl FnMut(f64) -> Result<Option<Separation<V>>, Error>,
) -> Result<Option<Touch<V>>, Error> {
    let (mut t, mut near) = (0.0, start);
    for _ in 0..MAX_STEPS {
        let gap = near.separation - near.error;
        if gap <= 0.0 {
            break;
        }
        let next = t + gap / near.normal.dot(velocity);
        // Also where it moves along or away, or where it is not a number.
        if !(t <= next && next <= max && next < f64::INFINITY) {
            return Ok(None);
        }
        if next == t {
            break;
        }
        let Some(there) = at(next)? else { return Ok(None) };
        (t, near) = (next, there);
    }
    let point = near.point_a + (near.point_b - near.point_a) * 0.5;
    Ok(Some(Touch { t, point, normal: near.normal }))
}

/// The point origin + t·direction, rounded once: far from its origin a line is as good as near to it.
pub(crate) fn precise_point<V: Vector<Scalar = f64>>(origin: V, direction: V, t: f64) -> V {
    let at =
        |axis: usize| Double::from(origin.get(axis)) + Double::from(t) * Double::from(direction.get(axis));
    V::from_fn(|axis| Precision::value(at(axis)))
}

#[derive(Clone, Copy)]
struct Line<V> {
    origin: V,
    direction: V,
    radius: f64,
    reach: f64,
}

impl<V: Vector<Scalar = f64>> Line<V> {
    /// The first parameter from `start` on within the radius, and none after `end`.
    fn first_touch(&self, start: f64, end: f64, nearest: &impl Fn(V) -> Nearest<V>) -> Option<Passage<V>> {
        let (mut t, mut before) = (start, start);
        let mut normal = V::ZERO;
        for _ in 0..MAX_STEPS {
            let Sample { gap, closing, normal: here } = self.sample(t, nearest);
            normal = here;
            if gap <= self.noise() {
                let is_steep = GRAZING * Vector::length(self.direction) < closing;
                if is_steep {
                    return Some(Passage::new((t + gap / closing).min_of(end), normal));
                }
                let grazed = self.lowest_near(t, t - before, closing, nearest);
                return Some(grazed.unwrap_or(Passage::new(t, normal)));
            }
            if closing <= 0.0 || closing.is_nan() {
                return None;
            }
            let next = t + gap / closing;
            if end < next {
                return None;
            }
            if next <= t {
                break;
            }
            (before, t) = (t, next);
        }
        Some(Passage::new(t, normal))
    }

    /// Where a line that only grazes the set is nearest to it, if it gets no deeper than rounding there. Up to
    /// that point the steps were halves, so it lies about as far ahead as the last step was long; the slope is
    /// nearly linear in between, and a zero of it is found much more precisely than a double zero of the gap.
    fn lowest_near(
        &self,
        t: f64,
        step: f64,
        closing: f64,
        nearest: &impl Fn(V) -> Nearest<V>,
    ) -> Option<Passage<V>> {
        let (mut low, mut high) = ((t, closing), (t + 2.0 * step, 0.0));
        high.1 = self.sample(high.0, nearest).closing;
        if !(0.0 < low.1 && high.1 < 0.0) {
            return None;
        }
        for _ in 0..4 {
            let middle = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1));
            let found = self.sample(middle, nearest);
            if found.gap < -self.noise() {
                return None;
            }
            if middle <= low.0 || high.0 <= middle || found.closing == 0.0 {
                return Some(Passage::new(middle, found.normal));
            }
            if 0.0 < found.closing {
                low = (middle, found.closing);
            } else {
                high = (middle, found.closing);
            }
        }
        Some(Passage::new(low.0, self.sample(low.0, nearest).normal))
    }

    fn sample(&self, t: f64, nearest: &impl Fn(V) -> Nearest<V>) -> Sample<V> {
        let near = nearest(precise_point(self.origin, self.direction, t));
        let closing = -near.normal.dot(self.direction);
        Sample { gap: near.distance - self.radius, closing, normal: near.normal }
    }

    /// The distance is right to a few ε of the reach.
    fn noise(&self) -> f64 {
        16.0 * f64::EPSILON * self.reach
    }
}

struct Sample<V> {
    gap: f64,
    /// How fast the gap gets smaller.
    closing: f64,
    normal: V,
}
