//! A box about the origin and a segment with a radius: a box and a capsule.
//!
//! The squared distance of p + t·d from the box is Σ excessᵢ(t)², where excessᵢ is how far the i-th
//! coordinate is beyond ±halfᵢ. It is convex in t and piecewise quadratic, so its slope Σ dᵢ·excessᵢ(t)
//! only grows, and is linear between the at most six places where a coordinate enters or leaves a slab:
//! they are tried in turn to bracket the zero of the slope.
//!
//! The coordinates that are beyond there name the nearest feature of the box (one: a face, two: an edge,
//! three: a corner); the distance is computed from the features, which is exact where the geometry is,
//! and proved by the plane between them. When the segment enters the box, the depth is the least over the
//! faces and over the axes across the segment and the edges, which is complete for a box with an inside.
//! Whatever is neither proved to be apart nor clearly overlapping goes to the general kernel.

use super::between::Between;
use super::core::{self, Axis, Closest, Core, Flats};
use super::nearest::{foot_on_segment, weight};
use super::place::{Relative, Turn};
use crate::answer::Separation;
use carom_math::{Number, Real, Vector};
use std::marker::PhantomData;

/// A box by its half extents and a segment by its ends, in the frame of the box, with a radius. `error`
/// bounds the rounding errors of the pair.
pub(crate) struct BoxAndRod<V, M> {
    pub(crate) half: V,
    pub(crate) ends: [V; 2],
    pub(crate) radius: f64,
    pub(crate) error: f64,
    pub(crate) turn: PhantomData<M>,
}

/// An axis across the segment that is shorter than this part of it, squared, is left to the general
/// kernel.
const SHORT: f64 = 1e-200;

impl<V: Flats, M: Turn<V>> BoxAndRod<V, M> {
    #[inline(always)]
    pub(crate) fn relate(&self) -> Separation<V> {
        let [p, q] = self.ends;
        let t = nearest_parameter(self.half, p, q - p);
        self.apart(t).or_else(|| self.overlapping()).unwrap_or_else(|| self.general())
    }

    /// The same for answers in `f32`, or `None` when a plane between both proves that they are farther apart than `limit`.
    #[inline(always)]
    pub(crate) fn relate_narrow(&self, limit: f64) -> Option<Separation<V>> {
        let between = self.between();
        if between.is_wider(self.radius + limit + 2.0 * self.error) {
            return None;
        }
        Some(between.narrow([0.0, self.radius], self.error).unwrap_or_else(|| self.relate()))
    }

    /// Whether a plane between both proves a gap that is wider.
    #[inline(always)]
    pub(crate) fn is_beyond(&self, limit: f64) -> bool {
        self.between().is_wider(self.radius + limit + 2.0 * self.error)
    }

    /// What [`relate`](Self::relate) says, mostly without it: points of both that are near enough prove
    /// a touch, a plane between both proves a gap.
    #[inline(always)]
    pub(crate) fn touch(&self) -> bool {
        let between = self.between();
        let doubt = 2.0 * self.error;
        let sure = (self.radius - doubt).max_of(0.0);
        let touches = between.squared() < sure * sure;
        if touches | between.is_wider(self.radius + doubt) { touches } else { self.touch_in_doubt() }
    }

    #[cold]
    #[inline(never)]
    fn touch_in_doubt(&self) -> bool {
        self.relate().separation <= 0.0
    }

    /// The nearest point of the segment, up to rounding, and that of the box.
    #[inline(always)]
    fn between(&self) -> Between<V> {
        let [p, q] = self.ends;
        let at = p + (q - p) * nearest_parameter(self.half, p, q - p);
        let point_a = limited(at, self.half);
        let gap = at - point_a;
        let low = gap.dot(p).min_of(gap.dot(q)) - self.half.dot(gap.abs_by_axis());
        Between { point_a, point_b: at, gap, low }
    }

    #[inline(always)]
    fn apart(&self, t: f64) -> Option<Separation<V>> {
        let (half, [p, q]) = (self.half, self.ends);
        let mut near = Closest::none();
        if t <= 0.0 || 1.0 <= t {
            let end = if t <= 0.0 { p } else { q };
            let point_a = limited(end, half);
            let direction = end - point_a;
            if direction == V::ZERO {
                return None;
            }
            near = Closest { point_a, point_b: end, direction, distance: Vector::length(direction) };
        } else {
            let at = p + (q - p) * t;
            let beyond = at - limited(at, half);
            let mut corner = V::ZERO;
            let (mut count, mut inside, mut outside) = (0, 0, 0);
            for axis in 0..V::DIM {
                let (excess, reach) = (beyond.get(axis), half.get(axis));
                if excess == 0.0 {
                    inside = axis;
                } else {
                    (count, outside) = (count + 1, axis);
                }
                corner = corner.with(axis, if excess < 0.0 { -reach } else { reach });
            }
            if count == 0 {
                return None;
            }
            if count == V::DIM {
                near.improve_from_a(corner, foot_on_segment(p, q, corner));
            } else if count == 1 {
                let side = if beyond.get(outside) < 0.0 { -1.0 } else { 1.0 };
                let lowest = (side * p.get(outside)).min_of(side * q.get(outside));
                // The segment is nearest to a face between its ends only when it is parallel to it. Where
                // rounding took a corner for the face, the end is lower than the point. The bound has room
                // for sixteen times what may be told apart.
                if self.error * 0.0625 < side * at.get(outside) - lowest {
                    return None;
                }
                near = Closest {
                    point_a: limited(at, half),
                    point_b: at,
                    direction: V::unit(outside) * side,
                    distance: lowest - half.get(outside),
                };
            } else {
                let edge = [-1.0, 1.0].map(|side| corner.with(inside, side * half.get(inside)));
                V::improve_between(&mut near, edge, self.ends);
            }
        }
        let along = |n: V| n.dot(p).min_of(n.dot(q)) - half.dot(n.abs_by_axis());
        near.proved(along, [0.0, self.radius], self.error)
    }

    #[inline(always)]
    fn overlapping(&self) -> Option<Separation<V>> {
        let (half, [p, q]) = (self.half, self.ends);
        let direction = q - p;
        let squared = direction.dot(direction);
        let mut best = Axis::none();
        let mut offer = |separation: f64, normal: V| {
            if best.separation < separation {
                best = Axis { separation, normal };
            }
        };
        for axis in 0..V::DIM {
            let (reach, from, to) = (half.get(axis), p.get(axis), q.get(axis));
            if reach == 0.0 {
                return None;
            }
            offer(from.min_of(to) - reach, V::unit(axis));
            offer(-from.max_of(to) - reach, -V::unit(axis));
        }
        let (axes, count) = V::across(direction);
        for axis in axes.into_iter().take(count) {
            let axis_squared = axis.dot(axis);
            if axis_squared <= SHORT * squared {
                return None;
            }
            let length = axis_squared.sqrt();
            let (from, to, reach) = (axis.dot(p), axis.dot(q), half.dot(axis.abs_by_axis()));
            offer((from.min_of(to) - reach) / length, axis / length);
            offer((-from.max_of(to) - reach) / length, -axis / length);
        }
        // Clearly overlapping cores only.
        if -self.error <= best.separation {
            return None;
        }
        // Moved out until it touches, the segment is nearest where it touches.
        let back = best.normal * best.separation;
        let out = p - back;
        let at = out + direction * nearest_parameter(half, out, direction);
        let point_a = limited(at, half);
        let gap = at - point_a;
        (gap.dot(gap) <= self.error * self.error).then(|| Separation {
            separation: best.separation - self.radius,
            error: self.error,
            normal: best.normal,
            point_a,
            point_b: at + back - best.normal * self.radius,
        })
    }

    #[cold]
    #[inline(never)]
    fn general(&self) -> Separation<V> {
        let core_a = Core::cuboid(self.half, &Relative::<V, M>::IDENTITY);
        let core_b = Core::segment(self.ends[0], self.ends[1]);
        core::relate(&core_a, &core_b, [0.0, self.radius], self.error)
    }
}

/// The point of the box about the origin nearest to `p`.
#[inline(always)]
pub(crate) fn limited<V: Vector<Scalar = f64>>(p: V, half: V) -> V {
    p.min_by_axis(half).max_by_axis(-half)
}

/// t in [0, 1] where p + t·d is nearest to the box, up to rounding; the first end inside of the box.
///
/// The slope only grows, and is linear between the places where a coordinate enters or leaves a slab. So the
/// last place with a negative slope and the first with another enclose its zero. All places are looked at,
/// each by itself: which of them it is, is a coin toss.
#[inline(always)]
fn nearest_parameter<V: Vector<Scalar = f64>>(half: V, p: V, d: V) -> f64 {
    let slope = |t: f64| {
        let at = p + d * t;
        d.dot(at - limited(at, half))
    };
    let (first, last) = (slope(0.0), slope(1.0));
    if 0.0 <= first {
        return 0.0;
    }
    if last <= 0.0 {
        return 1.0;
    }
    let (mut low, mut high) = ((0.0, first), (1.0, last));
    for axis in 0..V::DIM {
        let per_unit = 1.0 / d.get(axis);
        for side in [half.get(axis), -half.get(axis)] {
            // NaN for 0·∞, which becomes the start.
            let t = ((side - p.get(axis)) * per_unit).clamp_to(0.0, 1.0);
            let found = slope(t);
            let is_low = weight(found < 0.0);
            // 0 and 1 stand for places that are not on this side, the slopes there are beyond all others.
            low = ((t * is_low).max_of(low.0), (found * is_low + first * (1.0 - is_low)).max_of(low.1));
            let is_high = 1.0 - is_low;
            high = ((t * is_high + is_low).min_of(high.0), (found * is_high + last * is_low).min_of(high.1));
        }
    }
    low.0 + (high.0 - low.0) * (low.1 / (low.1 - high.1))
}
