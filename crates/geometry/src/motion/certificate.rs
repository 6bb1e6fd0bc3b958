//! A proof that two turning convex shapes stay apart from now until some later time.
//!
//! Take a unit vector n, standing still or turning with one of the shapes: n(τ) = exp(Ωτ)·n. The gap along it at
//! a time τ from now is a lower bound of the distance:
//!
//! ```text
//! gap(τ) = n(τ)·(c + τ·v) + min over r in B of n(τ)·r(τ) + min over r in A of −n(τ)·r(τ)
//! ```
//!
//! with c the vector between the centres of rotation, v its velocity and r(τ) the turning arms. Take one arm r,
//! and let d₀·r, d₁·r and d₂·r be the value and the first two derivatives of ±n(τ)·r(τ) now (see
//! [`spin`](super::spin)), and J a bound on the third. On [0, T] the second derivative is at least d₂·r − T·J, so
//!
//! ```text
//! ±n(τ)·r(τ) >= d₀·r + τ·d₁·r + ½τ²·min(0, d₂·r − T·J)
//! ```
//!
//! which is concave in τ. Sums of concave functions are concave, and so is their minimum over all arms: if it
//! is not negative at 0 and at T, it is not negative in between, and the shapes are apart until T. At T it is
//! two support points for each shape:
//!
//! ```text
//! min( h(d₀ + T·d₁),  h(d₀ + T·d₁ + ½T²·d₂) − ½T³·J ),     h(d) = min over r of d·r
//! ```
//!
//! With a fixed n, the part of a turning shape that faces the other one curves towards it, d₂·r > 0, and costs
//! nothing; the part behind is farther away anyway. What is left of the curvature is the third order: a rod whose
//! tip turns past a wall at a small distance d is followed in steps of the cube root of d. A certificate of
//! second order, with the same −½T²·|ω|²·arm for all arms, would crawl in steps of the square root.
//!
//! Where a flat side of one shape faces a corner of the other, the direction has to turn with that side: a fixed
//! one would let its far end run into the other shape. Then that shape contributes a constant, and the terms of
//! c + τ·v are joined with the arms of the other.
//!
//! Where two edges cross, the direction has to stay perpendicular to both, or the gap would be lost at the ends of
//! one of them in proportion to the time: with edges a and b
//!
//! ```text
//! n′·a = −(n×ω_A)·a     n′·b = −(n×ω_B)·b     n′·n = 0     Ω = n×n′
//! ```
//!
//! A shape may also be replaced by all of its turns about the axis, which do not depend on time. That proof is
//! the better one for what spins fast.
//!
//! Frame: that of the world, with the centre of rotation of the first shape as the origin at all times.

use super::spin::Spin;
use crate::gjk::Support;
use crate::pair::place::Turn;
use carom_math::{Number, Vector, power_of_two};

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
    /// No point of the core is farther from the plane across the axis through the centre of rotation.
    pub(crate) height: f64,
    /// No point of the core is farther from the centre of rotation.
    pub(crate) reach: f64,
}

/// Rates below this are next to the subnormal numbers.
const HARDLY: f64 = power_of_two(-900);

impl<B, S: Copy> Actor<B, S> {
    /// The least d·r of the core as it stands now.
    #[inline]
    fn lowest<V: Vector<Scalar = f64>>(&self, turn: impl Turn<V>, direction: V) -> f64
    where
        B: Support<V>,
    {
        self.body.least_along(turn.undo(direction))
    }

    /// The least d·r over all turns about the axis, for a unit vector d, the radius included: along the axis no
    /// point is farther than the height, and across it none farther than the arm.
    fn least_of_all_turns<V: Vector<Scalar = f64>>(&self, turn: impl Turn<V>, direction: V) -> f64
    where
        B: Support<V>,
        S: Spin<V>,
    {
        if self.rate == 0.0 {
            return self.lowest(turn, direction) - self.radius;
        }
        let across = if HARDLY < self.rate {
            self.spin.tilt(direction).length() / self.rate
        } else {
            // By the axis, as products with such a rate are all rounding error.
            let axis = self.spin.axis();
            if axis.rate() == 0.0 {
                return -self.reach * (1.0 + 16.0 * f64::EPSILON) - self.radius;
            }
            axis.tilt(direction).length()
        };
        let along = (1.0 - across * across).max_of(0.0).sqrt();
        let bound = (along * self.height + across * self.arm).min_of(self.reach);
        -bound * (1.0 + 16.0 * f64::EPSILON) - self.radius
    }
}

/// The contribution of one shape to the gap: its support along a turning direction, and maybe c + τ·v.
struct Part<'a, B, S, V> {
    actor: &'a Actor<B, S>,
    /// d₀, d₁, d₂, in the frame of the shape.
    directions: [V; 3],
    /// The value and the first two derivatives of what does not depend on the arms.
    constants: [f64; 3],
    /// No arm has a second derivative of a larger magnitude now.
    second: f64,
    /// J.
    third: f64,
    /// Nothing here depends on time; then this is the value.
    fixed: Option<f64>,
}

impl<B, S: Copy, V: Vector<Scalar = f64>> Part<'_, B, S, V>
where
    B: Support<V>,
{
    /// The bound without curvature at the end of a span, and the direction it was taken along.
    #[inline]
    fn straight(&self, span: f64) -> (f64, V) {
        let ([d0, d1, _], [c0, c1, _]) = (self.directions, self.constants);
        let direction = d0 + d1 * span;
        let value = match self.fixed {
            Some(value) => value,
            None => (c0 + c1 * span) + self.actor.body.least_along(direction) - self.actor.radius,
        };
        (value, direction)
    }

    /// No arm loses more than this to curvature.
    #[inline]
    fn curvature(&self, span: f64) -> f64 {
        0.5 * span * span * (self.second + span * self.third)
    }

    /// The bound with curvature, from that without.
    #[inline]
    fn bent(&self, span: f64, (straight, direction): (f64, V)) -> f64 {
        if self.second == 0.0 && self.third == 0.0 {
            return straight;
        }
        let ([_, _, d2], [c0, c1, c2]) = (self.directions, self.constants);
        let half = 0.5 * span * span;
        let low = self.actor.body.least_along(direction + d2 * half) - self.actor.radius;
        straight.min_of((c0 + c1 * span + c2 * half) + low - half * span * self.third)
    }
}

/// Half-spaces reach everywhere but along their normal, so the direction has to be their normal and to turn with
/// them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane<V> {
    /// The outward unit normal in the frame of the shape.
    pub(crate) normal: V,
    pub(crate) offset: f64,
}

/// What the direction turns with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum With<V> {
    Nothing,
    First,
    Second,
    /// An edge of the first and one of the second shape, not parallel: it stays perpendicular to both.
    Edges([V; 2]),
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
const MAX_TRIALS: u32 = 5;

/// Other ways of turning the direction are tried when a step is shorter than this part of what its slope promised.
const WORTH_LOOKING: f64 = 0.25;

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
    /// `limit`. `trusted`: they are known to be apart now, however small the gap. `hint`: what the direction
    /// probably turns with.
    pub(crate) fn clear<M: Turn<V>>(
        &self,
        turns: [M; 2],
        between: V,
        direction: V,
        limit: f64,
        trusted: bool,
        hint: With<V>,
    ) -> Clear {
        let proof = self.proof(hint, turns, between, direction, limit);
        let (gap, slope) = proof.gap_and_slope();
        let sure = gap - self.rounding;
        let clear = |span: f64| Clear { gap, slope, span };
        if (if trusted { gap } else { sure }) <= 0.0 || limit <= 0.0 {
            return clear(0.0);
        }
        let at_all_turns = self.clear_for_all_turns(turns, between, direction, limit);
        if limit <= at_all_turns {
            return clear(limit);
        }
        let sure = sure.max_of(0.0);
        let wish = root(sure, slope, proof.third(), proof.limit);
        let mut best = clear(self.longest(&proof, sure, wish));
        // Most often the hint is right.
        if best.span < WORTH_LOOKING * wish && self.plane.is_none() {
            // To turn with what does not turn is to turn with nothing.
            let is_still = match hint {
                With::First => self.first.rate == 0.0,
                With::Second => self.second.rate == 0.0,
                With::Nothing | With::Edges(_) => false,
            };
            let of_nothing = if is_still { 0.0 } else { 1.0 };
            let rates = [
                (With::First, self.first.rate),
                (With::Second, self.second.rate),
                (With::Nothing, of_nothing),
            ];
            for (other, rate) in rates {
                if rate == 0.0 || other == hint {
                    continue;
                }
                let proof = self.proof(other, turns, between, direction, limit);
                let (_, slope) = proof.gap_and_slope();
                let wish = root(sure, slope, proof.third(), proof.limit);
                let span = self.longest(&proof, sure, wish);
                if best.span < span {
                    best = Clear { gap, slope, span };
                }
            }
        }
        Clear { span: best.span.max_of(at_all_turns), ..best }
    }

    /// A span, about as long as the proof allows, given its value at 0 and the first one to try: the tangent is
    /// above a concave function, so its root is beyond that of the bound.
    fn longest(&self, proof: &Proof<'_, A, B, S, V>, sure: f64, wish: f64) -> f64 {
        // `low` is proven, `high` is not; both with their values.
        let (mut low, mut high) = ((0.0, sure), (f64::INFINITY, f64::NEG_INFINITY));
        let mut trial = wish;
        for count in 0..8 * MAX_TRIALS {
            let is_good = low.1 <= GOOD_ENOUGH * sure && 0.0 < low.0;
            // Beyond the usual trials only a step of no length at all is a reason to go on.
            let is_enough = MAX_TRIALS <= count && 0.0 < low.0;
            if is_good || is_enough || proof.limit <= low.0 || 0.75 * high.0 <= low.0 {
                break;
            }
            if !(low.0 < trial && trial < high.0) {
                trial = if high.0.is_finite() {
                    low.0 + 0.5 * (high.0 - low.0)
                } else {
                    (4.0 * low.0).min_of(proof.limit)
                };
            }
            let reached = proof.value(trial, self.rounding) - self.rounding;
            if 0.0 <= reached {
                low = (trial, reached);
            } else {
                high = (trial, reached);
            }
            trial = if !high.0.is_finite() {
                2.0 * low.0
            } else if count < 2 {
                // The chord is below a concave function, so its root is proven but for the third order.
                low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1)).max_of(0.0625)
            } else {
                low.0 + 0.5 * (high.0 - low.0)
            };
        }
        low.0
    }

    /// The proof with a direction that turns in a given way.
    fn proof<M: Turn<V>>(
        &self,
        with: With<V>,
        [turn_a, turn_b]: [M; 2],
        between: V,
        n: V,
        limit: f64,
    ) -> Proof<'_, A, B, S, V> {
        let (first, second, velocity) = (&self.first, &self.second, self.velocity);
        let (first_value, second_value) = match with {
            With::First => {
                let least = match self.plane {
                    Some(plane) => -plane.offset,
                    None => first.lowest(turn_a, -n),
                };
                (Some(least - first.radius), None)
            }
            With::Second => (None, Some(second.lowest(turn_b, n) - second.radius)),
            With::Nothing | With::Edges(_) => (None, None),
        };
        let spin = match with {
            With::First => Some(first.spin),
            With::Second => Some(second.spin),
            With::Nothing => None,
            With::Edges(edges) => Some(self.spin_across(edges, n)),
        };
        let rate = spin.map_or(0.0, Spin::rate);
        // Beyond a radian or two the expansion is worth nothing.
        let limit = if rate * limit <= 2.0 { limit } else { 2.0 / rate };
        let (n1, n2) = spin.map_or((V::ZERO, V::ZERO), |spin: S| {
            let n1 = -spin.tilt(n);
            (n1, -spin.tilt(n1))
        });
        let constants =
            [n.dot(between), n.dot(velocity) + n1.dot(between), n2.dot(between) + 2.0 * n1.dot(velocity)];
        let (turning, third_of_constants) = if rate == 0.0 {
            (0.0, 0.0)
        } else {
            let (turning, speed) = (n1.length(), velocity.length());
            (turning, turning * rate * (rate * (between.length() + speed * limit) + 3.0 * speed))
        };
        let turned = spin.map(|spin| (spin, [rate, turning]));
        let (with_first, with_second) = match with {
            With::Second => ((constants, third_of_constants), ([0.0; 3], 0.0)),
            _ => (([0.0; 3], 0.0), (constants, third_of_constants)),
        };
        // A value that is fixed takes no constants: those are with the other shape.
        Proof {
            first: part(first, turn_a, [-n, -n1, -n2], turned, with_first, first_value),
            second: part(second, turn_b, [n, n1, n2], turned, with_second, second_value),
            limit,
        }
    }

    /// How a direction turns that stays perpendicular to an edge of each shape, which are not parallel.
    fn spin_across(&self, [a, b]: [V; 2], n: V) -> S {
        let (along_a, along_b) = (-self.first.spin.tilt(n).dot(a), -self.second.spin.tilt(n).dot(b));
        let (aa, ab, bb) = (a.dot(a), a.dot(b), b.dot(b));
        let determinant = aa * bb - ab * ab;
        let by_a = (along_a * bb - along_b * ab) / determinant;
        let by_b = (along_b * aa - along_a * ab) / determinant;
        S::carrying(n, a * by_a + b * by_b)
    }

    /// How far they are apart along a unit vector.
    pub(crate) fn gap<M: Turn<V>>(&self, [turn_a, turn_b]: [M; 2], between: V, n: V) -> f64 {
        let first = match self.plane {
            Some(plane) => -plane.offset,
            None => self.first.lowest(turn_a, -n),
        };
        n.dot(between) + first - self.first.radius + self.second.lowest(turn_b, n) - self.second.radius
    }

    /// How long they are apart even if both turn as they like about their axes.
    fn clear_for_all_turns<M: Turn<V>>(&self, [turn_a, turn_b]: [M; 2], between: V, n: V, limit: f64) -> f64 {
        // For less than a radian the other proofs are better.
        if self.plane.is_some() || (self.first.rate + self.second.rate) * limit <= 1.0 {
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

/// The contribution of a shape along the direction with the given derivatives, which turns with some angular velocity, at that rate, and
/// moves so fast.
fn part<'a, B, S: Spin<V>, V: Vector<Scalar = f64>, M: Turn<V>>(
    actor: &'a Actor<B, S>,
    turn: M,
    [n, n1, n2]: [V; 3],
    turned: Option<(S, [f64; 2])>,
    (constants, third_of_constants): ([f64; 3], f64),
    fixed: Option<f64>,
) -> Part<'a, B, S, V> {
    if fixed.is_some() {
        let directions = [turn.undo(n), V::ZERO, V::ZERO];
        return Part { actor, directions, constants, second: 0.0, third: third_of_constants, fixed };
    }
    let tilted = actor.spin.tilt(n);
    let directions = [n, n1 + tilted, n2 + actor.spin.tilt(n1 + n1 + tilted)];
    let third = match turned {
        Some((spin, [rate, speed])) if rate != 0.0 => {
            actor.spin.third_derivative(spin, [actor.rate, rate], speed, [actor.arm, actor.reach])
        }
        // Only n·r‴ is left.
        _ => actor.rate * actor.rate * tilted.length() * actor.arm,
    };
    let second = directions[2].length() * actor.reach + constants[2].abs();
    let directions = directions.map(|direction| turn.undo(direction));
    Part { actor, directions, constants, second, third: third + third_of_constants, fixed }
}

/// The contributions of both shapes for one way of turning the direction.
struct Proof<'a, A, B, S, V> {
    first: Part<'a, A, S, V>,
    second: Part<'a, B, S, V>,
    /// Longer spans are not allowed.
    limit: f64,
}

impl<A, B, S: Copy, V: Vector<Scalar = f64>> Proof<'_, A, B, S, V>
where
    A: Support<V>,
    B: Support<V>,
{
    /// The lower bound of the gap at the end of a span; with that at 0, it holds for all times between. Where it is
    /// at least `enough` it may be less than it could be, where it is not it may be more.
    #[inline]
    fn value(&self, span: f64, enough: f64) -> f64 {
        let (first, second) = (self.first.straight(span), self.second.straight(span));
        let straight = first.0 + second.0;
        // Most spans are so short that the curvature does not matter, whichever arm has it.
        let roughly = straight - (self.first.curvature(span) + self.second.curvature(span));
        if enough <= roughly {
            roughly
        } else if straight < enough {
            straight
        } else {
            self.first.bent(span, first) + self.second.bent(span, second)
        }
    }

    /// The gap now and its derivative, by one of the support points.
    fn gap_and_slope(&self) -> (f64, f64) {
        let (first, second) = (self.first.value_and_slope(), self.second.value_and_slope());
        (first.0 + second.0, first.1 + second.1)
    }

    fn third(&self) -> f64 {
        self.first.third + self.second.third
    }
}

impl<B, S: Copy, V: Vector<Scalar = f64>> Part<'_, B, S, V>
where
    B: Support<V>,
{
    fn value_and_slope(&self) -> (f64, f64) {
        if let Some(value) = self.fixed {
            return (value, 0.0);
        }
        let ([d0, d1, _], [c0, c1, _]) = (self.directions, self.constants);
        let arm = self.actor.body.support(-d0).0;
        (c0 + d0.dot(arm) - self.actor.radius, c1 + d1.dot(arm))
    }
}

/// About the positive root of value + slope·x − ½·third·x³, or the limit if that is smaller. Newton's method on a
/// concave function from beyond its root; a rough answer will do.
fn root(value: f64, slope: f64, third: f64, limit: f64) -> f64 {
    let mut x = if slope < 0.0 { (-value / slope).min_of(limit) } else { limit };
    for _ in 0..48 {
        let cubic = 0.5 * third * x * x;
        let here = value + (slope - cubic) * x;
        let derivative = slope - 3.0 * cubic;
        if 0.0 <= here || 0.0 <= derivative {
            break;
        }
        let step = here / derivative;
        x -= step;
        if step <= 0.05 * x {
            break;
        }
    }
    x
}
