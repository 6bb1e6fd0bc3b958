//! Two convex sets in straight motion that are known by their support points.
//!
//! Without radii, and where nothing is in doubt, the facet that they meet at is found directly: see
//! [`portal`](super::portal). What follows is for all the rest.
//!
//! After van den Bergen, "Ray casting against general convex objects with application to continuous collision
//! detection" (2004), with bounds on both sides. The mover y(t) = y + t·v touches the target where the ray t·v
//! meets the set of differences C = target − mover, inflated by the radii r. The gap g(t), the distance of t·v
//! from C less r, is a convex function of t. At each t the distance query gives
//!
//! - a plane with all of C behind it, which the ray passes no later than C: the root of that plane, a Newton
//!   step for g, is a **lower** bound of the first touch and the next t; if the ray does not approach the plane,
//!   there is no touch;
//! - a point, edge or face of C, which the ray, inflated by r, meets no sooner than C: an **upper** bound, in
//!   closed form, from vertices that were not moved and therefore not rounded.
//!
//! They agree for a face of a polytope. For its rounded edges and corners the upper bound is tried: where
//! the gap is zero and shrinking, it is positive before (g is convex), so that the touch is the first one.
//! Curved sets take Newton steps until the gap is rounding error.
//!
//! Grazing counts: a gap that ends within [`NOISE`] of the sizes is a touch.

use super::portal::{self, Corner, Portal};
use super::precision::lift;
use super::query::{Meeting, Touch};
use super::round::{ball_roots, capsule_span, clears_ball};
use super::sides::Sides;
use crate::gjk::{self, Posed, Proximity, Status, Support, Warm};
use crate::trace::{Follow, Look};
use carom_math::{Number, Vector};

/// Polytopes take a handful of steps; a curved set that is grazed halves the way left with each.
const MAX_STEPS: usize = 64;

/// Distances are right to this times the sizes; see `gjk`.
pub(crate) const NOISE: f64 = 64.0 * f64::EPSILON;

/// A gap, in units of the noise, whose ends GJK tells apart.
const GAP: f64 = 65_536.0;

/// How two cores move, in the frame of the target.
pub(crate) struct Course<'a, V, A, B> {
    /// Stands still.
    pub(crate) target: &'a A,
    /// Where the mover is at t = 0.
    pub(crate) mover: &'a Posed<B, V>,
    pub(crate) velocity: V,
    /// The sum of the radii around both.
    pub(crate) radius: f64,
    /// The radius around the target.
    pub(crate) target_radius: f64,
    /// Touches after this are of no interest; the answer may still be one.
    pub(crate) max: f64,
    /// The flat sides of target and mover.
    pub(crate) sides: [Sides<V>; 2],
}

/// How a cast begins.
enum Start<V> {
    /// There is no touch before this time. The direction, from the target to the mover, proves it; zero at the
    /// very start.
    From(f64, V),
    /// And this is the answer.
    Known(Meeting<V>),
}

/// A set that has moved by a vector.
struct Moved<'a, B, V> {
    body: &'a B,
    by: V,
}

impl<V: Vector<Scalar = f64>, B: Support<V>> Support<V> for Moved<'_, B, V> {
    const CURVED: bool = B::CURVED;
    #[inline]
    fn support(&self, direction: V) -> (V, u32) {
        let (point, feature) = self.body.support(direction);
        (point + self.by, feature)
    }
    fn center(&self) -> V {
        self.body.center() + self.by
    }
    fn size(&self) -> f64 {
        self.body.size()
    }
}

/// The last flat side that is reached.
#[derive(Clone, Copy)]
struct Landing<V> {
    t: f64,
    /// From the target to the mover.
    outward: V,
    /// 0 for a side of the target, 1 for one of the mover.
    which: usize,
    axis: usize,
    /// The foremost points of the cores at the start.
    on_target: V,
    on_mover: V,
}

/// Where the ray meets a feature of the set of differences, inflated by the radius.
#[derive(Clone, Copy)]
struct Candidate<V> {
    t: f64,
    /// From the feature to the ray, of any length; zero where they meet without a radius between them.
    outward: V,
    /// The point of the target's core.
    point: V,
}

impl<V: Portal, A: Support<V>, B: Support<V>> Course<'_, V, A, B> {
    /// The first touch. The normal points from the mover to the target.
    pub(crate) fn first_touch<W: Follow<V>>(&self, watch: &mut W) -> Meeting<V> {
        if self.passes_by() {
            watch.clear(0.0, self.max);
            return Meeting::Never;
        }
        let size = self.target.size() + self.mover.size() + self.radius;
        let noise = NOISE * size;
        let (t, outward) = match self.start(noise) {
            Start::From(t, outward) => {
                if 0.0 < t {
                    watch.clear(0.0, t);
                }
                (t, outward)
            }
            Start::Known(meeting) => {
                let t = if let Meeting::At(touch) = meeting { touch.t } else { self.max };
                watch.clear(0.0, t);
                return meeting;
            }
        };
        let direct = self.entry(outward, noise);
        match direct {
            // The way by distances has more to tell.
            Some(meeting) if !W::LISTENS => return meeting,
            _ => {}
        }
        let found = self.advanced(t, outward, size, watch);
        direct.unwrap_or(found)
    }

    /// Whether the mover certainly stays clear of a ball around the target.
    fn passes_by(&self) -> bool {
        let reach = self.target.size() + self.mover.core().size() + self.radius;
        clears_ball(self.velocity, -self.mover.placed(V::ZERO), reach)
    }

    /// The first touch by the facet of the set of differences that the ray comes in by; `None` where that is in doubt.
    fn entry(&self, first: V, noise: f64) -> Option<Meeting<V>> {
        if self.radius != 0.0 {
            return None;
        }
        let first = (first != V::ZERO).then_some(first);
        let support = |direction: V| {
            let on_target = self.target.support(direction).0;
            Corner::new(on_target - self.mover.support(-direction).0, on_target)
        };
        let center = self.target.center() - self.mover.center();
        let reach = self.target.size() + self.mover.core().size();
        let Some(entry) = portal::entry(self.velocity, first, (center, reach), self.max, noise, support)?
        else {
            return Some(Meeting::Never);
        };
        Some(Meeting::At(self.touch(entry.t, entry.on_target, entry.outward.normalized()?)))
    }

    /// The first touch from the time `t` on, until which there is none, by distances.
    fn advanced<W: Follow<V>>(&self, mut t: f64, mut outward: V, size: f64, watch: &mut W) -> Meeting<V> {
        let (speed, noise) = (Vector::length(self.velocity), NOISE * size);
        let mut warm: Option<Warm<V>> = None;
        let mut core_point = V::ZERO;
        for _ in 0..MAX_STEPS {
            let is_start = t == 0.0;
            let near = self.distance_at(t, warm.as_ref());
            let gap = near.lower - self.radius;
            if is_start && gap <= 0.0 {
                self.tell(watch, t, &near, near.normal);
                return Meeting::AtStart;
            }
            core_point = near.point_a;
            if matches!(near.status, Status::Touching | Status::Overlap) && self.radius == 0.0 {
                self.tell(watch, t, &near, outward);
                core_point = self.point_before(t, &near, outward, noise);
                break;
            }
            // The direction between points that differ by rounding says nothing; the last plane still separates.
            if noise < near.distance || outward == V::ZERO {
                outward = near.normal;
            }
            self.tell(watch, t, &near, outward);
            let closing = -outward.dot(self.velocity);
            if gap <= noise && !is_start {
                return Meeting::At(self.settled(t, &near, outward, self.candidate(&near), size));
            }
            if closing <= 0.0 || closing.is_nan() {
                return Meeting::Never;
            }
            let next = t + gap / closing;
            if self.max < next {
                return Meeting::Never;
            }
            if let Some(met) = self.candidate(&near) {
                let is_face = (met.t - t) * closing <= gap + 2.0 * noise;
                if is_face || self.is_first(met.t, noise, speed, &near) {
                    return Meeting::At(self.met(met, outward));
                }
            }
            if next <= t || next.is_nan() {
                break;
            }
            (t, warm) = (next, Some(near.warm()));
        }
        Meeting::At(self.touch(t, core_point, outward))
    }

    /// The point of the target where cores that overlap by rounding meet. The points of an overlap need not be the same: it is
    /// known as soon as a simplex holds the origin. Those a little earlier, with a gap between them, are nearest.
    fn point_before(&self, t: f64, near: &Proximity<V>, outward: V, noise: f64) -> V {
        let off = near.point_a - near.point_b;
        if off.dot(off) <= 4096.0 * (noise * noise) {
            return near.point_a;
        }
        let least = 1e-3 * Vector::length(self.velocity);
        let closing = (-outward.dot(self.velocity)).max_of(least);
        let before = self.distance_at((t - GAP * (noise / closing)).max_of(0.0), None);
        let has_gap = !matches!(before.status, Status::Touching | Status::Overlap);
        if has_gap { before.point_a } else { near.point_a }
    }

    /// Tells whoever watches what was found at t, and how long the plane behind it proves the cores apart.
    fn tell<W: Follow<V>>(&self, watch: &mut W, t: f64, near: &Proximity<V>, outward: V) {
        if W::LISTENS {
            // How deep cores overlap is not known here.
            let overlaps = matches!(near.status, Status::Touching | Status::Overlap);
            let lower = if overlaps { f64::NEG_INFINITY } else { near.lower - self.radius };
            let upper = near.upper - self.radius;
            let closing = -outward.dot(self.velocity);
            let clear_until = if lower <= 0.0 {
                t
            } else if 0.0 < closing {
                t + lower / closing
            } else {
                f64::INFINITY
            };
            let separation = near.distance - self.radius;
            watch.look(Look { t, separation, lower, upper, normal: -outward, clear_until });
        }
    }

    // Tried 2026-11: any plane that separates for the first steps, instead of the one that GJK ends with. Each step is
    // cheaper, but there are more of them, each with a simplex to set up: twice as slow on hulls of 32 vertices.
    fn distance_at(&self, t: f64, warm: Option<&Warm<V>>) -> Proximity<V> {
        let moved = Moved { body: self.mover, by: self.velocity * t };
        gjk::distance(self.target, &moved, warm, f64::INFINITY, &mut ())
    }

    /// What the flat sides say: see [`sides`](super::sides).
    fn start(&self, noise: f64) -> Start<V> {
        let mut last: Option<Landing<V>> = None;
        for (which, sides) in self.sides.iter().enumerate() {
            for axis in sides.axes() {
                let along = if which == 0 { V::unit(axis) } else { self.mover.turned(V::unit(axis)) };
                let speed = along.dot(self.velocity);
                // The side that looks where the mover comes from; without motion along the axis, either.
                let between = along.dot(self.mover.center() - self.target.center());
                let is_above = if speed == 0.0 { 0.0 < between } else { speed < 0.0 };
                let outward = if is_above { along } else { -along };
                let (on_target, on_mover) = (self.target.support(outward).0, self.mover.support(-outward).0);
                let gap = outward.dot(on_mover - on_target) - self.radius;
                let closing = speed.abs();
                if gap <= noise {
                    continue;
                }
                if closing == 0.0 || self.max * closing < gap - noise {
                    return Start::Known(Meeting::Never);
                }
                let t = gap / closing;
                if last.is_none_or(|last| last.t < t) {
                    last = Some(Landing { t, outward, which, axis, on_target, on_mover });
                }
            }
        }
        let Some(Landing { t, outward, which, axis, on_target, on_mover }) = last else {
            return Start::From(0.0, V::ZERO);
        };
        let moved = self.velocity * t;
        let is_on_side = match which {
            0 => self.sides[0].holds(axis, on_mover + moved),
            _ => self.sides[1].holds(axis, self.mover.taken_back(on_target - moved)),
        };
        if is_on_side {
            let core_point = if which == 0 { on_mover + moved - outward * self.radius } else { on_target };
            return Start::Known(Meeting::At(self.touch(t, core_point, outward)));
        }
        // A little before: the distance there is positive for certain.
        Start::From((t - noise / Vector::length(self.velocity)).max_of(0.0), outward)
    }

    /// Whether the gap at t is zero, and was positive before.
    fn is_first(&self, t: f64, noise: f64, speed: f64, before: &Proximity<V>) -> bool {
        if A::CURVED || B::CURVED || self.radius == 0.0 {
            return false;
        }
        let near = self.distance_at(t, Some(&before.warm()));
        // A slope of √ε upwards means that a touch before was no deeper than rounding.
        let is_closing = near.normal.dot(self.velocity) <= 1e-8 * speed;
        self.radius - noise <= near.distance && is_closing
    }

    /// The gap at t is no more than noise. A closed form knows the end of the way better than a quotient of
    /// small numbers, above all where the ray grazes; if it is near enough.
    fn settled(
        &self,
        t: f64,
        near: &Proximity<V>,
        outward: V,
        met: Option<Candidate<V>>,
        size: f64,
    ) -> Touch<V> {
        let speed = Vector::length(self.velocity);
        if let Some(met) = met
            && (met.t - t).abs() * speed <= 1e-6 * size
        {
            return self.met(met, outward);
        }
        let closing = -outward.dot(self.velocity);
        let rest = (near.distance - self.radius).max_of(0.0);
        let last = if 1e-3 * speed < closing { rest / closing } else { 0.0 };
        self.touch(t + last, near.point_a, outward)
    }

    fn met(&self, met: Candidate<V>, last_outward: V) -> Touch<V> {
        self.touch(met.t, met.point, met.outward.normalized().unwrap_or(last_outward))
    }

    fn touch(&self, t: f64, core_point: V, outward: V) -> Touch<V> {
        let point = core_point + outward * self.target_radius;
        Touch { t: t.max_of(0.0), point, normal: -outward }
    }

    /// Where the ray meets the feature that is nearest now.
    fn candidate(&self, near: &Proximity<V>) -> Option<Candidate<V>> {
        let v = self.velocity;
        let vertices = near.simplex.vertices();
        let mut corners = [(V::ZERO, V::ZERO); 3];
        for (corner, vertex) in corners.iter_mut().zip(vertices) {
            let point = self.target.support(vertex.direction).0;
            *corner = (point - self.mover.support(-vertex.direction).0, point);
        }
        let [(a, on_a), (b, on_b), (c, on_c)] = corners;
        match vertices.len() {
            1 => {
                let t = ball_roots(V::ZERO, v, a, self.radius)?[0];
                let outward = if self.radius == 0.0 { V::ZERO } else { v * t - a };
                Some(Candidate { t, outward, point: on_a })
            }
            2 if V::DIM == 3 || self.radius != 0.0 => {
                let enter = capsule_span(V::ZERO, v, [a, b], self.radius)?.enter;
                let along = b - a;
                let share = (v * enter.t - a).dot(along) / along.dot(along);
                let point = on_a + (on_b - on_a) * share.max_of(0.0).min_of(1.0);
                let outward = if self.radius == 0.0 { V::ZERO } else { enter.normal };
                Some(Candidate { t: enter.t, outward, point })
            }
            2 => self.on_face([a, b, b], [on_a, on_b, on_b]),
            3 if V::DIM == 3 => self.on_face([a, b, c], [on_a, on_b, on_c]),
            _ => None,
        }
    }

    /// Where the ray passes the plane of a face, moved out by the radius, if it does so above the face: with N
    /// perpendicular to the face on the side of the origin, N·(t·v) = N·a + r|N|.
    fn on_face(&self, corners: [V; 3], points: [V; 3]) -> Option<Candidate<V>> {
        let [a, b, c] = corners;
        let normal = V::perpendiculars(&corners[..V::DIM])[0];
        let outward = if 0.0 < normal.dot(a) { -normal } else { normal };
        let speed = outward.dot(self.velocity);
        if 0.0 <= speed || speed.is_nan() {
            return None;
        }
        let length = if self.radius == 0.0 { 0.0 } else { Vector::length(outward) };
        let t = (outward.dot(a) + self.radius * length) / speed;
        let mut q = self.velocity * t;
        if self.radius != 0.0 {
            q -= outward * (self.radius / length);
        }
        // The shares of the corners: the areas that q forms with the opposite sides, seen along N.
        let (beta, gamma) = if V::DIM == 2 {
            ((q - a).dot(b - a) / (b - a).dot(b - a), 0.0)
        } else {
            let area = |from: V, to: V| {
                let [from, to] = [from - q, to - q].map(lift::<f64, V>);
                lift::<f64, V>(normal).dot(from.cross(to))
            };
            let shares = [area(b, c), area(c, a), area(a, b)];
            let sum = shares[0] + shares[1] + shares[2];
            (shares[1] / sum, shares[2] / sum)
        };
        // On the rim, as far as one can tell, is on the face.
        let least = -256.0 * f64::EPSILON;
        if !(least <= beta && least <= gamma && beta + gamma <= 1.0 - least) {
            return None;
        }
        let point = points[0] + (points[1] - points[0]) * beta + (points[2] - points[0]) * gamma;
        Some(Candidate { t, outward, point })
    }
}
