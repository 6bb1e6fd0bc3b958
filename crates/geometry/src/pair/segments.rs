//! Two segments with radii: two capsules.
//!
//! With u and v along the segments and w from the start of a to the start of b, |w + t·v − s·u|² is a
//! convex quadratic form of (s, t) in the unit square. Its minimum says which features are nearest; their
//! distance is computed from the features themselves, which is exact where the geometry is, and proved by
//! the plane between them. Whatever is not proved so (crossing segments, and nearly parallel ones where
//! s and t are hardly defined) goes to the general kernel.

use super::between::Between;
use super::core::{self, Closest, Core, Flats};
use super::nearest::{either, foot_on_segment, weight};
use crate::answer::Separation;
use carom_math::{Number, Real, Vector};

/// Two segments by their ends, with radii. `error` bounds the rounding errors of the pair.
pub(crate) struct Segments<V> {
    pub(crate) a: [V; 2],
    pub(crate) b: [V; 2],
    pub(crate) radii: [f64; 2],
    pub(crate) error: f64,
}

/// How two segments relate, if that is clear.
pub(crate) enum Clearly<V: Vector<Scalar = f64>> {
    /// They are farther apart than the limit.
    Beyond,
    /// Like this.
    So(Separation<V>),
    /// It is not.
    Not,
}

impl<V: Flats> Segments<V> {
    #[inline(always)]
    pub(crate) fn relate(&self) -> Separation<V> {
        if let Some(found) = V::crossing(self) {
            return found;
        }
        if let Some(found) = self.apart() { found } else { self.general() }
    }

    /// Whether a plane between both proves a gap that is wider.
    #[inline(always)]
    pub(crate) fn is_beyond(&self, limit: f64) -> bool {
        self.between().is_wider(self.radii[0] + self.radii[1] + limit + 2.0 * self.error)
    }

    /// What [`relate`](Self::relate) says, mostly without it: points of both that are near enough prove
    /// a touch, a plane between both proves a gap.
    #[inline(always)]
    pub(crate) fn touch(&self) -> bool {
        let between = self.between();
        let (reach, doubt) = (self.radii[0] + self.radii[1], 2.0 * self.error);
        let sure = (reach - doubt).max_of(0.0);
        let touches = between.squared() < sure * sure;
        if touches | between.is_wider(reach + doubt) { touches } else { self.touch_in_doubt() }
    }

    #[cold]
    #[inline(never)]
    fn touch_in_doubt(&self) -> bool {
        self.relate().separation <= 0.0
    }

    /// [`relate`](Self::relate) for answers in `f32`, or `None` when a plane between both proves that they are farther
    /// apart than `limit`.
    #[inline(always)]
    pub(crate) fn relate_narrow(&self, limit: f64) -> Option<Separation<V>> {
        let between = self.between();
        if between.is_wider(self.radii[0] + self.radii[1] + limit + 2.0 * self.error) {
            return None;
        }
        // No closure: it would be called, and the answer copied.
        match between.narrow(self.radii, self.error) {
            Some(found) => Some(found),
            None => Some(self.relate()),
        }
    }

    /// What [`relate_narrow`](Self::relate_narrow) says, where that is beyond doubt.
    #[inline(always)]
    pub(crate) fn relate_clearly(&self, limit: f64) -> Clearly<V> {
        let between = self.between();
        if between.is_wider(self.radii[0] + self.radii[1] + limit + 2.0 * self.error) {
            return Clearly::Beyond;
        }
        match between.narrow(self.radii, self.error) {
            Some(found) => Clearly::So(found),
            None => match V::crossing(self) {
                Some(found) => Clearly::So(found),
                None => Clearly::Not,
            },
        }
    }

    /// The points at the nearest parameters, which need not be the nearest.
    #[inline(always)]
    pub(crate) fn between(&self) -> Between<V> {
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        let (u, v, w) = (a1 - a0, b1 - b0, b0 - a0);
        let (s, t) = nearest_parameters(u, v, w);
        let (along_a, along_b) = (u * s, v * t);
        let gap = w + along_b - along_a;
        let (start, along) = (gap.dot(w), gap.dot(v));
        let low = start.min_of(start + along) - gap.dot(u).max_of(0.0);
        Between { point_a: a0 + along_a, point_b: b0 + along_b, gap, low }
    }

    /// Their distance, when they are apart.
    ///
    /// Either an end of a or an end of b takes part, or, in space, the insides of both. Which end, and of
    /// which of them, is chosen by weights.
    #[inline(always)]
    fn apart(&self) -> Option<Separation<V>> {
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        let (s, t) = nearest_parameters(a1 - a0, b1 - b0, b0 - a0);
        let mut near = Closest::none();
        let is_inside = |x: f64| x.min_of(1.0 - x);
        if V::DIM == 3 && 0.0 < is_inside(s).min_of(is_inside(t)) {
            V::improve_between(&mut near, self.a, self.b);
        } else {
            let of_b = weight(0.0 < is_inside(s));
            let end_of_a = either(a0, a1, weight(s == 1.0));
            let end_of_b = either(b0, b1, weight(t == 1.0));
            let end = either(end_of_a, end_of_b, of_b);
            let foot = foot_on_segment(either(b0, a0, of_b), either(b1, a1, of_b), end);
            near = Closest {
                point_a: either(end, foot.point, of_b),
                point_b: either(foot.point, end, of_b),
                direction: foot.offset * (of_b * 2.0 - 1.0),
                distance: foot.distance,
            };
        }
        let along = |n: V| n.dot(b0).min_of(n.dot(b1)) - n.dot(a0).max_of(n.dot(a1));
        near.proved(along, self.radii, self.error)
    }

    #[cold]
    #[inline(never)]
    fn general(&self) -> Separation<V> {
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        core::relate(&Core::segment(a0, a1), &Core::segment(b0, b1), self.radii, self.error)
    }
}

/// (s, t) in the unit square where |w + t·v − s·u| is least, up to rounding.
///
/// The gradient vanishes where s·uu − t·uv = uw and t·vv − s·uv = −vw. Limited to the square one after
/// the other: s for the lines, t for that s, s for that t. A quotient 0/0 counts as 0. They name features,
/// which are then measured by themselves, so reciprocals will do, which need not wait for each other.
#[inline(always)]
fn nearest_parameters<V: Vector<Scalar = f64>>(u: V, v: V, w: V) -> (f64, f64) {
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let (per_uu, per_vv) = (1.0 / uu, 1.0 / vv);
    let s = ((uw * vv - uv * vw) / (uu * vv - uv * uv)).clamp_to(0.0, 1.0);
    let t = ((s * uv - vw) * per_vv).clamp_to(0.0, 1.0);
    (((t * uv + uw) * per_uu).clamp_to(0.0, 1.0), t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::{Vec2, Vec3};
    use carom_oracle::generate::Rng;

    /// Answers in `f32` come from two points: they are those of the features up to the bound, and almost always there.
    fn check<V: Flats>() {
        let (mut rng, mut count) = (Rng::new(4), 0);
        for _ in 0..2000 {
            let mut end = || V::from_fn(|_| rng.uniform(-1.0, 1.0));
            let (a, b) = ([end(), end()], [end(), end()]);
            let radii = [0.0, 1.0].map(|least| rng.uniform(least, least + 0.1));
            let error = crate::pair::ROUNDING * 8.0;
            let segments = Segments { a, b, radii, error };
            let whole = segments.relate();
            let Some(narrow) = segments.between().narrow(radii, error) else { continue };
            count += 1;
            let same = |x: V, y: V| (x - y).max_abs() <= 1e-9;
            assert!((narrow.separation - whole.separation).abs() <= error, "{a:?} {b:?}");
            assert!(same(narrow.normal, whole.normal), "{a:?} {b:?}");
            assert!(same(narrow.point_a, whole.point_a) && same(narrow.point_b, whole.point_b));
        }
        // Segments of the plane may cross.
        assert!(if V::DIM == 3 { 1900 < count } else { 1200 < count }, "{count}");
    }

    #[test]
    fn two_points_tell_what_the_features_do() {
        check::<Vec2<f64>>();
        check::<Vec3<f64>>();
    }
}
