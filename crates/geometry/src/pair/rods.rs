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
use super::nearest::{foot_on_segment, sign_if, weight};
use super::place::{Relative, Turn};
use super::segments::Clearly;
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
        self.apart(t).or_else(|| self.overlapping_points()).unwrap_or_else(|| self.general())
    }

    /// The same for answers in `f32`, or `None` when a plane between both proves that they are farther apart than `limit`.
    #[inline(always)]
    pub(crate) fn relate_narrow(&self, limit: f64) -> Option<Separation<V>> {
        let (between, _) = self.between();
        if between.is_wider(self.radius + limit + 2.0 * self.error) {
            return None;
        }
        Some(between.narrow([0.0, self.radius], self.error).unwrap_or_else(|| self.relate()))
    }

    /// What [`relate_narrow`](Self::relate_narrow) says, where that is beyond doubt, in other axes about the centre of the box:
    /// those that `turn` leads to, in which the ends of the segment are these. Of what was found only the normal is turned.
    #[inline(always)]
    pub(crate) fn relate_clearly(&self, turn: M, ends: [V; 2], limit: f64) -> Clearly<V> {
        let (between, t) = self.between();
        if between.is_wider(self.radius + limit + 2.0 * self.error) {
            return Clearly::Beyond;
        }
        let (axis, t) = match between.narrow([0.0, 0.0], self.error) {
            Some(found) => (Axis { separation: found.separation, normal: found.normal }, t),
            None => match self.overlapping() {
                Some(found) => found,
                None => return Clearly::Not,
            },
        };
        let separation = axis.separation - self.radius;
        if separation.abs() <= self.error {
            return Clearly::Not;
        }
        let normal = turn.apply(axis.normal);
        let at = ends[0] + (ends[1] - ends[0]) * t;
        Clearly::So(Separation {
            separation,
            error: self.error,
            normal,
            point_a: at - normal * axis.separation,
            point_b: at - normal * self.radius,
        })
    }

    /// The separation and the bound of its error; any number that is not below the separation, and at most 0, when they clearly touch, for
    /// which nothing else need be known.
    #[inline(always)]
    pub(crate) fn gap_clearly(&self) -> Option<(f64, f64)> {
        let (between, _) = self.between();
        let squared = between.squared();
        if squared < self.surely() {
            return Some((squared.sqrt() - self.radius, self.error));
        }
        between.narrow([0.0, self.radius], self.error).map(Separation::without_points)
    }

    /// Whether a plane between both proves a gap that is wider.
    #[inline(always)]
    pub(crate) fn is_beyond(&self, limit: f64) -> bool {
        self.between().0.is_wider(self.radius + limit + 2.0 * self.error)
    }

    /// What [`relate`](Self::relate) says, mostly without it: points of both that are near enough prove
    /// a touch, a plane between both proves a gap.
    #[inline(always)]
    pub(crate) fn touch(&self) -> bool {
        let (between, _) = self.between();
        let doubt = 2.0 * self.error;
        let touches = between.squared() < self.surely();
        if touches | between.is_wider(self.radius + doubt) { touches } else { self.touch_in_doubt() }
    }

    #[cold]
    #[inline(never)]
    fn touch_in_doubt(&self) -> bool {
        self.relate().separation <= 0.0
    }

    /// Whether points of both that are near enough prove a touch.
    #[inline(always)]
    pub(crate) fn clearly_touch(&self) -> bool {
        self.between().0.squared() < self.surely()
    }

    /// A point of the segment and one of the box whose squared distance is less are one of the capsule and one of the box that touch.
    #[inline(always)]
    fn surely(&self) -> f64 {
        let sure = (self.radius - 2.0 * self.error).max_of(0.0);
        sure * sure
    }

    /// The nearest point of the segment, up to rounding, and that of the box; and where on the segment it is.
    #[inline(always)]
    pub(crate) fn between(&self) -> (Between<V>, f64) {
        let [p, q] = self.ends;
        let t = nearest_parameter(self.half, p, q - p);
        let at = p + (q - p) * t;
        let point_a = limited(at, self.half);
        let gap = at - point_a;
        let low = gap.dot(p).min_of(gap.dot(q)) - self.half.dot(gap.abs_by_axis());
        (Between { point_a, point_b: at, gap, low }, t)
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

    /// The way out of the box that is shortest for the segment, when it clearly enters, and where it touches the box then.
    ///
    /// Which axis that is, is a coin toss: the largest of all separations is looked for without a branch.
    #[inline(always)]
    fn overlapping(&self) -> Option<(Axis<V>, f64)> {
        let (half, [p, q]) = (self.half, self.ends);
        let direction = q - p;
        let (low, high) = (p.min_by_axis(q), p.max_by_axis(q));
        let (axes, count) = V::across(direction);
        let mut normals = [V::ZERO; 6];
        let (mut best, mut chosen) = (f64::NEG_INFINITY, 0);
        let mut offer = |k: usize, [forth, back]: [f64; 2], axis: V| {
            let separation = forth.max_of(back);
            normals[k] = axis * sign_if(forth < back);
            chosen = if best < separation { k } else { chosen };
            best = best.max_of(separation);
        };
        for axis in 0..V::DIM {
            let reach = half.get(axis);
            offer(axis, [low.get(axis) - reach, -high.get(axis) - reach], V::unit(axis));
        }
        let mut shortest = f64::INFINITY;
        for (k, axis) in axes.into_iter().take(count).enumerate() {
            let squared = axis.dot(axis);
            shortest = shortest.min_of(squared);
            let length = squared.sqrt();
            let (from, to, reach) = (axis.dot(p), axis.dot(q), half.dot(axis.abs_by_axis()));
            let ways = [from.min_of(to) - reach, -from.max_of(to) - reach];
            offer(V::DIM + k, ways.map(|way| way / length), axis / length);
        }
        // Boxes without an inside, segments along an edge, and cores that do not clearly overlap are for others. Of an axis of length zero
        // nothing is a number.
        let thinnest = (1..V::DIM).fold(half.get(0), |least, axis| least.min_of(half.get(axis)));
        let is_clear = (best < -self.error) & (0.0 < thinnest);
        if !is_clear | (shortest <= SHORT * direction.dot(direction)) {
            return None;
        }
        let axis = Axis { separation: best, normal: normals[chosen] };
        // Moved out until it touches, the segment is nearest where it touches.
        let out = p - axis.normal * axis.separation;
        let t = nearest_parameter(half, out, direction);
        let at = out + direction * t;
        let gap = at - limited(at, half);
        (gap.dot(gap) <= self.error * self.error).then_some((axis, t))
    }

    #[inline(always)]
    fn overlapping_points(&self) -> Option<Separation<V>> {
        let (Axis { separation, normal }, t) = self.overlapping()?;
        let [p, q] = self.ends;
        let at = p + (q - p) * t;
        Some(Separation {
            separation: separation - self.radius,
            error: self.error,
            normal,
            point_a: limited(at - normal * separation, self.half),
            point_b: at - normal * self.radius,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::ROUNDING;
    use carom_math::{Mat2, Mat3, Quat, Rot2, Vec2, Vec3};
    use carom_oracle::generate::Rng;

    /// The short ways say what the features say, up to the bound, and almost always say something.
    fn check<V: Flats, M: Turn<V>>(turn: M) {
        let mut rng = Rng::new(5);
        let [mut apart, mut touching, mut inside] = [0; 3];
        for _ in 0..3000 {
            let mut numbers = |least: f64| V::from_fn(|_| rng.uniform(least, 1.0));
            let (half, ends) = (numbers(0.1), [numbers(-1.0) * 2.0, numbers(-1.0) * 2.0]);
            let (radius, error) = (rng.uniform(0.0, 0.5), ROUNDING * 8.0);
            let pair = BoxAndRod { half, ends, radius, error, turn: PhantomData };
            let whole = pair.relate();
            let Clearly::So(found) =
                pair.relate_clearly(turn, [turn.apply(ends[0]), turn.apply(ends[1])], f64::INFINITY)
            else {
                continue;
            };
            let same = |x: V, y: V| (turn.undo(x) - y).max_abs() <= 1e-9;
            assert!((found.separation - whole.separation).abs() <= error, "{half:?} {ends:?} {radius}");
            assert!(same(found.normal, whole.normal), "{half:?} {ends:?} {radius}");
            assert!(same(found.point_a, whole.point_a) && same(found.point_b, whole.point_b));
            let Some((gap, _)) = pair.gap_clearly() else { continue };
            let is_right = if 0.0 < gap {
                (gap - whole.separation).abs() <= error
            } else {
                whole.separation <= gap + error
            };
            assert!(is_right, "{half:?} {ends:?} {radius}");
            apart += usize::from(0.0 < gap);
            touching += usize::from(gap <= 0.0);
            inside += usize::from(whole.separation < -radius);
        }
        assert!(900 < apart && 900 < touching && 300 < inside, "{apart} {touching} {inside}");
        assert!(2900 < apart + touching, "{apart} {touching}");
    }

    #[test]
    fn short_ways_tell_what_the_features_do() {
        check::<Vec2<f64>, Mat2<f64>>(Rot2::from_angle(1.0).to_matrix());
        check::<Vec3<f64>, Mat3<f64>>(Quat::from_rotation_vector(Vec3::new(1.0, 2.0, -1.0)).to_matrix());
    }
}
