//! A proof that two turning convex shapes stay apart from now until some later time.
//!
//! Fix a unit vector n. The gap along n at a time τ from now is a lower bound of the distance:
//!
//! ```text
//! gap(τ) = n·c + τ·n·v + min over r in B of n·r(τ) + min over r in A of −n·r(τ)
//! ```
//!
//! with c the vector between the centres of rotation, v its velocity and r(τ) the turning arms. Take one
//! arm r and any span T. On [0, T] its second derivative is at least ((n×ω)×ω)·r − T·J with
//! J = |ω|²·|n×ω|·(largest distance from the axis), since the third derivative is at most J. So
//!
//! ```text
//! n·r(τ) >= n·r + τ·(n×ω)·r + ½τ²·min(0, ((n×ω)×ω)·r − T·J)
//! ```
//!
//! which is concave in τ. Sums of concave functions are concave, and so is their minimum over all arms: if it
//! is not negative at 0 and at T, it is not negative in between, and the shapes are apart until T. At T it is
//! two support points for each shape:
//!
//! ```text
//! min( h(n + T·n×ω),  h(n + T·n×ω + ½T²·(n×ω)×ω) − ½T³·J ),     h(d) = min over r of d·r
//! ```
//!
//! The part of a turning shape that faces the other one curves towards it, ((n×ω)×ω)·r > 0, and costs nothing;
//! the part behind is farther away anyway. What is left of the curvature is the third order: a rod that turns
//! past a wall at a small distance d is followed in steps of the cube root of d. The certificate of second
//! order, with −½T²·|ω|·|n×ω|·arm for all arms alike, would crawl in steps of the square root.
//!
//! A shape may also be replaced by all of its turns about the axis, which do not depend on time. That proof is
//! the better one for what spins fast.
//!
//! Frame: that of the world, with the centre of rotation of the first shape as the origin at all times.

use super::spin::Spin;
use crate::gjk::Support;
use crate::pair::place::Turn;
use carom_math::{Number, Vector};

/// A convex shape that turns: a core, a radius around it and an angular velocity.
pub(crate) struct Actor<B, S> {
    /// The core about the centre of rotation, in the frame of the shape.
    pub(crate) body: B,
    /// Turning does not move the round part, so it stays out of all that follows.
    pub(crate) radius: f64,
    /// In the world frame. Zero for balls, which look the same from all sides.
    pub(crate) spin: S,
    /// |ω|.
    pub(crate) rate: f64,
    /// No point of the core is farther from the axis of rotation.
    pub(crate) arm: f64,
    /// No point of the core is farther from the centre of rotation.
    pub(crate) reach: f64,
}

impl<B, S: Copy> Actor<B, S> {
    /// A lower bound for the least d·r(τ) of the turning core with its radius, in the sense of the module: it
    /// holds at τ = span, and with its value at 0 for all τ between. `turn` is the orientation now.
    #[inline]
    fn least<V: Vector<Scalar = f64>>(&self, turn: impl Turn<V>, direction: V, span: f64) -> f64
    where
        B: Support<V>,
        S: Spin<V>,
    {
        if self.rate == 0.0 || span == 0.0 {
            return self.lowest(turn, direction).0 - self.radius;
        }
        let first = self.spin.tilt(direction);
        let second = self.spin.tilt(first);
        let straight = direction + first * span;
        let bent = straight + second * (0.5 * span * span);
        let third = self.rate * self.rate * first.length() * self.arm;
        let least_straight = self.lowest(turn, straight).0;
        let least_bent = self.lowest(turn, bent).0 - 0.5 * span * span * span * third;
        least_straight.min_of(least_bent) - self.radius
    }

    /// The least d·r of the core as it stands now, and the arm that has it.
    #[inline]
    fn lowest<V: Vector<Scalar = f64>>(&self, turn: impl Turn<V>, direction: V) -> (f64, V)
    where
        B: Support<V>,
    {
        let local = turn.undo(direction);
        let arm = self.body.support(-local).0;
        (local.dot(arm), arm)
    }

    /// The least d·r over all turns about the axis, for a unit vector d: along the axis no point is farther
    /// than the reach, and across it none farther than the arm.
    fn least_of_all_turns<V: Vector<Scalar = f64>>(&self, turn: impl Turn<V>, direction: V) -> f64
    where
        B: Support<V>,
        S: Spin<V>,
    {
        if self.rate == 0.0 {
            return self.least(turn, direction, 0.0);
        }
        let across = self.spin.tilt(direction).length() / self.rate;
        let along = (1.0 - across * across).max_of(0.0).sqrt();
        let bound = (along * self.reach + across * self.arm).min_of(self.reach);
        -bound * (1.0 + 16.0 * f64::EPSILON) - self.radius
    }
}

/// Half-spaces reach everywhere but along their normal, so they have a proof of their own. With n(τ) the
/// turning normal and p(τ) = c + τ·v + r(τ),
///
/// ```text
/// gap(τ) = n(τ)·p(τ) − offset,     gap″ = n″·p + 2·n′·p′ + n·p″ >= −K
/// K = |ω|·|n×ω|·|p| + 2·|n×ω|·(|v| + |ω_B|·arm) + |ω_B|²·arm
/// ```
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<V> {
    /// The outward unit normal in the frame of the shape.
    pub(crate) normal: V,
    pub(crate) offset: f64,
}

/// Two shapes in motion, the first of which may be a half-space.
pub(crate) struct Actors<A, B, S, V> {
    pub(crate) first: Actor<A, S>,
    pub(crate) second: Actor<B, S>,
    /// What the first one is, unless it is bounded.
    pub(crate) plane: Option<Plane<V>>,
    /// From the centre of the first to that of the second, at time 0.
    pub(crate) between: V,
    /// The velocity of that vector.
    pub(crate) velocity: V,
    /// No computed gap is farther from the truth than this.
    pub(crate) rounding: f64,
}

/// What is known about the time from now on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clear {
    /// The gap along the direction now, within `rounding` of the truth.
    pub(crate) gap: f64,
    /// Its derivative, by the present support points.
    pub(crate) slope: f64,
    /// The shapes are apart for this long; 0 where that cannot be shown.
    pub(crate) span: f64,
}

/// Evaluations of the proof for one step. With fewer the steps are shorter than they could be; with more the
/// time is better spent on a new direction.
const MAX_TRIALS: u32 = 6;

/// A step is long enough when it leaves no more than this part of the gap unused.
const GOOD_ENOUGH: f64 = 0.125;

impl<A, B, S: Copy, V: Vector<Scalar = f64>> Actors<A, B, S, V>
where
    A: Support<V>,
    B: Support<V>,
    S: Spin<V>,
{
    /// Where the second centre lies at a time.
    #[inline]
    pub(crate) fn between_at(&self, time: f64) -> V {
        self.between + self.velocity * time
    }

    /// How long the direction, a unit vector from the first to the second shape, proves them to be apart, up to
    /// `limit`. `trusted`: they are known to be apart now, however small the gap.
    pub(crate) fn clear<M: Turn<V>>(
        &self,
        [turn_a, turn_b]: [M; 2],
        between: V,
        direction: V,
        limit: f64,
        trusted: bool,
    ) -> Clear {
        let (gap, slope) = self.gap_and_slope([turn_a, turn_b], between, direction);
        let sure = gap - self.rounding;
        let at_start = if trusted { gap } else { sure };
        if at_start <= 0.0 || limit <= 0.0 {
            return Clear { gap, slope, span: 0.0 };
        }
        let at_all_turns = self.clear_for_all_turns([turn_a, turn_b], between, direction, limit);
        if limit <= at_all_turns {
            return Clear { gap, slope, span: limit };
        }
        let value = |span: f64| self.bound([turn_a, turn_b], between, direction, span) - self.rounding;
        // `low` is proven, `high` is not; both with their values.
        let (mut low, mut high) = ((0.0, sure.max_of(0.0)), (limit, value(limit)));
        if 0.0 <= high.1 {
            return Clear { gap, slope, span: limit };
        }
        // The tangent is above a concave function, so its root is beyond that of the bound.
        let mut trial = if slope < 0.0 { -sure / slope } else { 0.5 * limit };
        for count in 0..8 * MAX_TRIALS {
            // Beyond the usual trials only a step of no length at all is a reason to go on.
            if MAX_TRIALS <= count && 0.0 < low.0 {
                break;
            }
            if !(low.0 < trial && trial < high.0) {
                trial = low.0 + 0.5 * (high.0 - low.0);
            }
            let reached = value(trial);
            if 0.0 <= reached {
                low = (trial, reached);
                if reached <= GOOD_ENOUGH * sure || 0.9 * high.0 <= trial {
                    break;
                }
            } else {
                high = (trial, reached);
            }
            // The chord is below a concave function, so its root is proven but for the third order.
            trial = low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1));
            if MAX_TRIALS / 2 <= count && low.0 == 0.0 {
                trial = 0.25 * high.0;
            }
        }
        Clear { gap, slope, span: low.0.max_of(at_all_turns) }
    }

    fn gap_and_slope<M: Turn<V>>(&self, turns: [M; 2], between: V, n: V) -> (f64, f64) {
        let [turn_a, turn_b] = turns;
        let (low_b, arm_b) = self.second.lowest(turn_b, n);
        let arm_b = turn_b.apply(arm_b);
        let slope_b = n.dot(self.velocity) + self.second.spin.tilt(n).dot(arm_b);
        if let Some(plane) = self.plane {
            let gap = (n.dot(between) + low_b - self.second.radius) - plane.offset;
            // ω×n = −n×ω.
            return (gap, slope_b - self.first.spin.tilt(n).dot(between + arm_b));
        }
        let (low_a, arm_a) = self.first.lowest(turn_a, -n);
        let slope_a = self.first.spin.tilt(-n).dot(turn_a.apply(arm_a));
        let radii = self.first.radius + self.second.radius;
        (n.dot(between) + (low_a + low_b) - radii, slope_a + slope_b)
    }

    /// The bound of the module at the end of a span.
    #[inline]
    fn bound<M: Turn<V>>(&self, [turn_a, turn_b]: [M; 2], between: V, n: V, span: f64) -> f64 {
        let moved = n.dot(between) + span * n.dot(self.velocity);
        match self.plane {
            None => moved + (self.first.least(turn_a, -n, span) + self.second.least(turn_b, n, span)),
            Some(plane) => self.bound_over_plane(turn_b, between, n, span, plane.offset),
        }
    }

    fn bound_over_plane<M: Turn<V>>(&self, turn_b: M, between: V, n: V, span: f64, offset: f64) -> f64 {
        let moved = n.dot(between) + span * n.dot(self.velocity);
        if self.first.rate == 0.0 {
            return (moved - offset) + self.second.least(turn_b, n, span);
        }
        let (tilted, second) = (self.first.spin.tilt(n), &self.second);
        let speed = self.velocity.length();
        let far = between.length() + speed * span + second.reach;
        let curvature = self.first.rate * tilted.length() * far
            + 2.0 * tilted.length() * (speed + second.rate * second.arm)
            + second.rate * second.rate * second.arm;
        let direction = n + (second.spin.tilt(n) - tilted) * span;
        let low = second.lowest(turn_b, direction).0 - second.radius;
        (moved - span * tilted.dot(between)) + low - offset - 0.5 * span * span * curvature
    }

    /// How long they are apart even if both turn as they like about their axes.
    fn clear_for_all_turns<M: Turn<V>>(&self, [turn_a, turn_b]: [M; 2], between: V, n: V, limit: f64) -> f64 {
        if self.plane.is_some() || (self.first.rate == 0.0 && self.second.rate == 0.0) {
            return 0.0;
        }
        let least = self.first.least_of_all_turns(turn_a, -n) + self.second.least_of_all_turns(turn_b, n);
        let gap = n.dot(between) + least - self.rounding;
        let closing = -n.dot(self.velocity);
        if gap <= 0.0 {
            0.0
        } else if closing * limit <= gap {
            limit
        } else {
            gap / closing
        }
    }

    /// The time in [start, end] from which on the bounding balls of the shapes may touch; `None` when they
    /// never do. Of |c + t·v| = R the smaller root. The balls are taken larger by a millionth of all lengths:
    /// far more than what the root loses to cancellation.
    pub(crate) fn enter(&self, start: f64, end: f64) -> Option<f64> {
        if self.plane.is_some() {
            return Some(start);
        }
        let furthest = self.between.length() + self.velocity.length() * start.abs().max_of(end.abs());
        let radius = (self.first.reach + self.first.radius) + (self.second.reach + self.second.radius);
        let radius = radius + 1e-6 * (radius + furthest) + self.rounding;
        let from = self.between_at(start);
        let outside = from.length_squared() - radius * radius;
        if outside <= 0.0 {
            return Some(start);
        }
        // a·s² + 2b·s + outside = 0 for s = t − start
        let (a, b) = (self.velocity.length_squared(), from.dot(self.velocity));
        let discriminant = b * b - a * outside;
        if 0.0 <= b || discriminant < 0.0 {
            return None;
        }
        let entered = start + outside / (discriminant.sqrt() - b);
        (entered <= end).then(|| entered.max_of(start))
    }
}
