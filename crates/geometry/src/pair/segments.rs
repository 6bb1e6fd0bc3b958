//! Two segments with radii: two capsules.
//!
//! With u and v along the segments and w from the start of a to the start of b, |w + t·v − s·u|² is a
//! convex quadratic form of (s, t) in the unit square. Its minimum says which features are nearest; their
//! distance is computed from the features themselves, which is exact where the geometry is, and proved by
//! the plane between them. Whatever is not proved so (crossing segments, and nearly parallel ones where
//! s and t are hardly defined) goes to the general kernel.

use super::core::{self, Closest, Core, Flats};
use super::nearest::foot_on_segment;
use crate::answer::Separation;
use carom_math::{Number, Real, Vector};

/// Two segments by their ends, with radii. `error` bounds the rounding errors of the pair.
pub(crate) struct Segments<V> {
    pub(crate) a: [V; 2],
    pub(crate) b: [V; 2],
    pub(crate) radii: [f64; 2],
    pub(crate) error: f64,
}

impl<V: Flats> Segments<V> {
    #[inline(always)]
    pub(crate) fn relate(&self) -> Separation<V> {
        self.apart().unwrap_or_else(|| self.general())
    }

    /// What [`relate`](Self::relate) says, mostly without it: points of both that are near enough prove
    /// a touch, a plane between both proves a gap.
    #[inline(always)]
    pub(crate) fn touch(&self) -> bool {
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        let (u, v, w) = (a1 - a0, b1 - b0, b0 - a0);
        let (s, t) = nearest_parameters(u, v, w);
        let gap = w + v * t - u * s;
        let squared = gap.dot(gap);
        let (reach, doubt) = (self.radii[0] + self.radii[1], 2.0 * self.error);
        let sure = reach - doubt;
        if 0.0 < sure && squared < sure * sure {
            return true;
        }
        let low = gap.dot(w).min_of(gap.dot(w + v)) - gap.dot(u).max_of(0.0);
        let far = reach + doubt;
        if 0.0 < low && far * far * squared < low * low {
            return false;
        }
        self.relate().separation <= 0.0
    }

    #[inline(always)]
    fn apart(&self) -> Option<Separation<V>> {
        let ([a0, a1], [b0, b1]) = (self.a, self.b);
        let (s, t) = nearest_parameters(a1 - a0, b1 - b0, b0 - a0);
        let is_inside = |x: f64| 0.0 < x && x < 1.0;
        let mut near = Closest::none();
        if !is_inside(s) {
            let end = if s == 0.0 { a0 } else { a1 };
            near.improve_from_a(end, foot_on_segment(b0, b1, end));
        } else if !is_inside(t) {
            let end = if t == 0.0 { b0 } else { b1 };
            near.improve_from_b(end, foot_on_segment(a0, a1, end));
        } else {
            V::improve_between(&mut near, self.a, self.b);
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
/// the other: s for the lines, t for that s, s for that t. A quotient 0/0 counts as 0.
#[inline(always)]
fn nearest_parameters<V: Vector<Scalar = f64>>(u: V, v: V, w: V) -> (f64, f64) {
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let s = ((uw * vv - uv * vw) / (uu * vv - uv * uv)).clamp_to(0.0, 1.0);
    let t = ((s * uv - vw) / vv).clamp_to(0.0, 1.0);
    (((t * uv + uw) / uu).clamp_to(0.0, 1.0), t)
}
