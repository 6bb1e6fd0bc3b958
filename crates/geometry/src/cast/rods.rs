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
use carom_math::{Number, Vec3, Vector, power_of_two};

/// The sine squared of the angle between segments that are too parallel for the normal of their parallelogram
/// to be worth anything.
const PARALLEL: f64 = 1e-10;

/// The same for segments that are askew enough to tell on which sides of the parallelogram a ray passes.
const ASKEW: f64 = 1e-4;

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
        // When the ray may be between the faces.
        let mut window = [0.0, f64::INFINITY];
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
                window = [t, (0.0 - reach - height.abs()) / speed];
                if let Some(s) = is_above(v * t - p) {
                    return touch(t, s, V::from_fn(|axis| outward.get(axis)));
                }
            } else if is_above(-p).is_some() {
                return Some(Meeting::AtStart);
            } else {
                window[1] = (reach + height.abs()) / speed.abs();
            }
        } else if square != 0.0 {
            return None;
        }
        let corners = [corner, corner + e, corner - f, corner + e - f];
        let enter = match self.first_edge(corners, window, care) {
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
    fn first_edge(&self, corners: [V; 4], window: [f64; 2], care: Care) -> Quick<V> {
        if care.is_narrow {
            return self.first_edge_narrowly(-corners[0], window, care);
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
    fn first_edge_narrowly(&self, m: V, window: [f64; 2], care: Care) -> Quick<V> {
        let ([from, to], [start, end]) = (self.target, self.mover);
        let (e, f) = (to - from, end - start);
        let is_left_out = self.edges_left_out(m, window);
        let mut first: Option<Passage<V>> = None;
        for (index, (origin, along)) in [(m, e), (m + f, e), (m, -f), (m - e, -f)].into_iter().enumerate() {
            if !is_left_out[index]
                && let Some(met) = narrow_capsule_hit(origin, self.velocity, along, self.radii[1], care)?
                && first.is_none_or(|first| met.t < first.t)
            {
                first = Some(met.named_edge(index, EDGES[index]));
            }
        }
        Some(first)
    }

    /// The edges that the ray does not come in by for certain, nor starts at, if it does not pass a face.
    ///
    /// With q from the first corner to a point of the ray, q = s·e − u·f + (part along N), where s·N² = q·(f × N) and u·N² =
    /// q·(e × N). Where the ray comes in it is beside the parallelogram, and the nearest point there is on an edge that it is beyond: of
    /// s < 0, 1 < s, u < 0, 1 < u one at least. All of them are linear, so an edge that it is beyond neither at
    /// the beginning nor at the end of its time between the faces is none of these.
    ///
    /// In the plane that time has no end. There an edge that the ray was not beyond at the start is one that it leaves by.
    #[inline(always)]
    fn edges_left_out(&self, m: V, window: [f64; 2]) -> [bool; 4] {
        let ([from, to], [start, end]) = (self.target, self.mover);
        let [e, f, m, v] = [to - from, end - start, m, self.velocity].map(lift::<f64, V>);
        let normal = e.cross(f);
        let square = normal.dot(normal);
        let is_askew = ASKEW * e.dot(e) * f.dot(f) < square;
        // The normal is right to 1000ε then, and all products of it to not much more.
        let doubt = power_of_two(-40);
        let (still, fast) = (doubt * m.sum_of_magnitudes(), doubt * v.sum_of_magnitudes());
        let inside = |across: Vec3<f64>| {
            let (here, slope, size) = (m.dot(across), v.dot(across), across.sum_of_magnitudes());
            let is_inside = |t: f64| {
                let (value, doubt) = (here + t * slope, (still + t * fast) * size + doubt * square);
                [doubt < value, doubt < square - value]
            };
            let [is_above, is_below] = is_inside(window[0]);
            if V::DIM == 2 {
                let is_slanted = fast * size < slope.abs();
                return [is_askew & is_slanted & is_above, is_askew & is_slanted & is_below];
            }
            let [stays_above, stays_below] = is_inside(window[1]);
            [is_askew & is_above & stays_above, is_askew & is_below & stays_below]
        };
        let ([s_low, s_high], [u_low, u_high]) = (inside(f.cross(normal)), inside(e.cross(normal)));
        [u_low, u_high, s_low, s_high]
    }

    /// Whether the ray stays clear of the ball around the parallelogram, or leaves it behind.
    fn passes_by(&self) -> bool {
        let ([from, to], [start, end]) = (self.target, self.mover);
        let middle = ((from - start) + (to - end)) * 0.5;
        let reach = (Vector::length(to - from) + Vector::length(end - start)) * 0.5 + self.radii[1];
        clears_ball(self.velocity, middle, reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec2;
    use carom_oracle::generate::Rng;

    fn random<V: Vector<Scalar = f64>>(rng: &mut Rng) -> V {
        V::from_fn(|_| rng.uniform(-1.0, 1.0))
    }

    /// Motions past the round part of an edge of the parallelogram, from beside it or beside another one.
    fn check<V: Vector<Scalar = f64>>(seed: u64) {
        let mut rng = Rng::new(seed);
        let (mut met, mut missed) = (0, 0);
        for _ in 0..20_000 {
            let (e, f): (V, V) = (random(&mut rng), random(&mut rng));
            let radius = rng.uniform(0.05, 0.5);
            let (s, u) = (rng.uniform(0.0, 1.0), rng.uniform(0.0, 1.0));
            let on_edge = [-(f * u), e - f * u, e * s, e * s - f][rng.below(4)];
            let velocity: V = random(&mut rng);
            // Through a point inside or outside of its round part.
            let aside: V = random(&mut rng);
            let aim = on_edge + aside * (rng.uniform(0.5, 1.5) * radius / Vector::length(aside));
            let start = aim - velocity * rng.uniform(0.0, 4.0);
            let rods = MovingRods {
                target: [V::ZERO, e],
                mover: [start, start + f],
                velocity,
                radii: [0.5 * radius, radius],
            };
            let Some(narrow) = rods.quick_meeting(Care::of::<f32>()) else { continue };
            let wide = rods.meeting(Care::of::<f64>());
            match (narrow, wide) {
                (Meeting::At(narrow), Some(Meeting::At(wide))) => {
                    met += 1;
                    assert!((narrow.t - wide.t).abs() <= 1e-7 * (1.0 + wide.t), "{narrow:?} {wide:?}");
                }
                (Meeting::Never, Some(Meeting::Never)) => missed += 1,
                (Meeting::AtStart, Some(Meeting::AtStart)) => {}
                (narrow, wide) => panic!("{narrow:?} {wide:?} {e:?} {f:?} {start:?} {velocity:?} {radius}"),
            }
        }
        assert!(5000 < met && 100 < missed, "{met} {missed}");
    }

    #[test]
    fn no_edge_that_is_met_is_left_out_in_the_plane() {
        check::<Vec2<f64>>(41);
    }

    #[test]
    fn no_edge_that_is_met_is_left_out_in_space() {
        check::<Vec3<f64>>(42);
    }
}
