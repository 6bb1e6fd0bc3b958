//! Two capsules in straight motion.
//!
//! With e and f along the segments of target and mover, the differences of their points fill the parallelogram
//! C = target.a − mover.a + s·e − u·f, and the capsules touch where the ray t·velocity comes within r, the sum of
//! the radii, of C. That is a ray against a rounded parallelogram: its two faces, moved out by r along N = e × f,
//! and four capsules around its edges. In the plane there are only the edges.

use super::precision::lift;
use super::query::{Meeting, Touch};
use super::quick::{Care, Quick, capsule_hit, narrow_capsule_hit};
use super::round::{capsule_span, clears_ball};
use super::span::{Passage, Span};
use crate::manifold::feature::{Kind, number};
use carom_math::{Number, Vec3, Vector};

/// The sine squared of the angle between segments that are too parallel for the normal of their parallelogram
/// to be worth anything.
const PARALLEL: f64 = 1e-10;

/// The edges of the parallelogram by its corners: 0 and 1 run along the target, 2 and 3 along the mover.
const EDGES: [[usize; 2]; 4] = [[0, 1], [2, 3], [0, 2], [1, 3]];

/// Two segments with radii in the frame of the target.
pub(crate) struct MovingRods<V> {
    pub(crate) target: [V; 2],
    pub(crate) mover: [V; 2],
    pub(crate) velocity: V,
    /// Around the target, and around both together.
    pub(crate) radii: [f64; 2],
}

impl<V: Vector<Scalar = f64>> MovingRods<V> {
    /// When they touch first; `None` for segments that are almost but not quite parallel, and for those without
    /// radii.
    pub(crate) fn meeting(&self, care: Care) -> Option<Meeting<V>> {
        self.meeting_by(care, true)
    }

    /// The same where there is no doubt in plain numbers, for sizes that need not be near 1 in answers for `f32`.
    pub(crate) fn quick_meeting(&self, care: Care) -> Option<Meeting<V>> {
        self.meeting_by(care, false)
    }

    #[inline(always)]
    fn meeting_by(&self, care: Care, in_doubt_precisely: bool) -> Option<Meeting<V>> {
        let ([from, to], [start, end]) = (self.target, self.mover);
        let (e, f) = (to - from, end - start);
        let [target_radius, radius] = self.radii;
        if radius == 0.0 {
            return None;
        }
        if self.passes_by() {
            return Some(Meeting::Never);
        }
        let corner = from - start;
        let touch = |t: f64, along: f64, outward: V| {
            let outward = outward.normalized()?;
            let point = from + e * along + outward * target_radius;
            Some(Meeting::At(Touch { t, point, normal: -outward }))
        };
        let (edge, other) = (lift::<f64, V>(e), lift::<f64, V>(f));
        let (v, p) = (lift::<f64, V>(self.velocity), lift::<f64, V>(corner));
        let normal = edge.cross(other);
        let square = normal.dot(normal);
        if PARALLEL * edge.dot(edge) * other.dot(other) < square {
            // With q on the ray, q − p = s·e − u·f + (part along N): s = (q − p) × f · N / N², u = (q − p) × e · N / N².
            let is_above = |q: Vec3<f64>| {
                let (s, u) = (q.cross(other).dot(normal) / square, q.cross(edge).dot(normal) / square);
                ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&u)).then_some(s)
            };
            // On the side of the origin; the ray meets the face there when it is outside and comes in.
            let height = -normal.dot(p);
            let outward = if height < 0.0 { -normal } else { normal };
            let (reach, speed) = (radius * square.sqrt(), outward.dot(v));
            if reach < height.abs() {
                if 0.0 <= speed || speed.is_nan() {
                    return Some(Meeting::Never);
                }
                let t = (reach - height.abs()) / speed;
                if let Some(s) = is_above(v * t - p) {
                    return touch(t, s, V::from_fn(|axis| outward.get(axis)));
                }
            } else if is_above(-p).is_some() {
                return Some(Meeting::AtStart);
            }
        } else if square != 0.0 {
            return None;
        }
        let corners = [corner, corner + e, corner - f, corner + e - f];
        let enter = match self.first_edge(corners, care) {
            Some(Some(enter)) => enter,
            Some(None) => return Some(Meeting::Never),
            None if !in_doubt_precisely => return None,
            None => {
                let mut span: Option<Span<V>> = None;
                for (index, ends) in EDGES.into_iter().enumerate() {
                    let met = capsule_span(V::ZERO, self.velocity, ends.map(|end| corners[end]), radius);
                    span = Span::hull(span, met.map(|span| span.named_edge(index, ends)));
                }
                let Some(Span { enter, exit }) = span else { return Some(Meeting::Never) };
                if exit.t < 0.0 {
                    return Some(Meeting::Never);
                }
                if enter.t <= 0.0 {
                    return Some(Meeting::AtStart);
                }
                enter
            }
        };
        let reached = self.velocity * enter.t - corner;
        let along = match enter.feature {
            name if name == number(Kind::Edge, 0) => reached.dot(e) / e.dot(e),
            name if name == number(Kind::Edge, 1) => (reached + f).dot(e) / e.dot(e),
            name if name == number(Kind::Edge, 2) || name == number(Kind::Vertex, 0) => 0.0,
            name if name == number(Kind::Vertex, 2) => 0.0,
            _ => 1.0,
        };
        touch(enter.t, along.max_of(0.0).min_of(1.0), enter.normal)
    }

    /// The edge that the ray meets first, where that is beyond doubt.
    fn first_edge(&self, corners: [V; 4], care: Care) -> Quick<V> {
        if care.is_narrow {
            return self.first_edge_narrowly(-corners[0], care);
        }
        let mut first: Option<Passage<V>> = None;
        for (index, ends) in EDGES.into_iter().enumerate() {
            let met = capsule_hit(V::ZERO, self.velocity, ends.map(|end| corners[end]), self.radii[1], care)?;
            if let Some(met) = met
                && first.is_none_or(|first| met.t < first.t)
            {
                first = Some(met.named_edge(index, ends));
            }
        }
        Some(first)
    }

    /// The same for answers in `f32`, with m from the first corner to the origin. Edges that are parallel share most of what is
    /// computed for them, given the same vector along both.
    fn first_edge_narrowly(&self, m: V, care: Care) -> Quick<V> {
        let ([from, to], [start, end]) = (self.target, self.mover);
        let (e, f) = (to - from, end - start);
        let (velocity, radius) = (self.velocity, self.radii[1]);
        let along_target = [
            narrow_capsule_hit(m, velocity, e, radius, care)?,
            narrow_capsule_hit(m + f, velocity, e, radius, care)?,
        ];
        let along_mover = [
            narrow_capsule_hit(m, velocity, -f, radius, care)?,
            narrow_capsule_hit(m - e, velocity, -f, radius, care)?,
        ];
        let mut first: Option<Passage<V>> = None;
        let hits = along_target.into_iter().chain(along_mover);
        for (index, (ends, met)) in EDGES.into_iter().zip(hits).enumerate() {
            if let Some(met) = met
                && first.is_none_or(|first| met.t < first.t)
            {
                first = Some(met.named_edge(index, ends));
            }
        }
        Some(first)
    }

    /// Whether the ray stays clear of the ball around the parallelogram, or leaves it behind.
    fn passes_by(&self) -> bool {
        let ([from, to], [start, end]) = (self.target, self.mover);
        let middle = ((from - start) + (to - end)) * 0.5;
        let reach = (Vector::length(to - from) + Vector::length(end - start)) * 0.5 + self.radii[1];
        clears_ball(self.velocity, middle, reach)
    }
}
