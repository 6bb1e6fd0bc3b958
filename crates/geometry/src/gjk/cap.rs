//! Depths along directions around which both surfaces are smooth: found by Newton's method, and proved around there by curvature.
//!
//! A set that contains an ellipsoid with the centre c and the semi-axes s₁ s₂ s₃ reaches at least n·c + f(n) along n, f(n)² = Σ (sᵢ·n)²; rims are such
//! ellipsoids without height, corners without anything. Let those of both sets reach as far as the sets do along the unit
//! vector n. Then for all other directions m the overlap H(m) is at least G(m) = k·m + f_A(m) + f_B(m), with equality
//! at n. With τ = |m − n|, by Taylor's formula along the way from n to m,
//!
//! ```text
//! G(m) >= H(n) + w·(m − n) + ½ (m − n)·M(m − n) − L·τ³/6
//! ```
//!
//! where w, the gradient at n, is the difference of the deepest points; M is the sum of (Q − Qn·Qnᵀ/f²)/f over both
//! ellipsoids, Qm = Σ sᵢ (sᵢ·m), and Mn = 0; L bounds the third derivatives. Along a line f = |p + t·q| has f‴ = −3·(p̂·q)(q² − (p̂·q)²)/f², which is at most
//! 2/√3·|q|³/f². Let λ be the least eigenvalue of M across n, d = H(n), and g the length of the part of w across n, which is what Newton's method
//! leaves. The part of m − n across n has the square τ²(1 − τ²/4), and n·(m − n) = −τ²/2, so
//!
//! ```text
//! G(m) >= d − g·τ + τ²·(½ (λ·(1 − τ²/4) − d) − L·τ/6)
//! ```
//!
//! With a positive μ for what is in the brackets, which decreases with τ, no m within τ of n has H(m) < d − g²/(4μ).
//!
//! Why that helps: the nearest point of the surface of C lies in its own normal direction. So it is behind a facet of any polytope in C whose
//! distance is below the depth, and if the corners of all such facets are within τ of n, the depth is known.
//!
//! The deepest point may be on an edge of a polytope or on the mantle line of a cylinder, between two ends x and x + e: then n is across e, and the
//! point is the x + σ·e for which w has no part along e. Along m the set reaches at least min(σ, 1 − σ)·|m·e| farther than that point, which is no
//! less than min(σ, 1 − σ)·|e|/τ·β² with β the part of m − n along e: twice that is added to M.

use super::inside::Shield;
use super::simplex::Vertex;
use super::space::Space;
use super::support::Support;
use super::{difference_support, rounding_error};
use carom_math::{Number, power_of_two};

/// Newton's method takes four or five.
const MAX_STEPS: u32 = 8;
/// Radians. A longer step leaves the part of the surface that is known.
const LONGEST_STEP: f64 = 0.25;
/// Chords: from 30 degrees down to where a facet is small anyway.
const LARGEST_CAP: f64 = 0.5;
const SMALLEST_CAP: f64 = power_of_two(-10);
/// The part of the chord that is given up for rounding: angles between facets that are as near as the depth err by the root of ε.
const GIVEN_UP: f64 = power_of_two(-10);
/// 2/√3, and a little more.
const THIRD: f64 = 1.155;

/// The sum of f and of its derivatives for two ellipsoids.
struct Bend<V> {
    /// Semi-axes, which are across each other, the value along the normal, the largest semi-axis.
    curves: [([V; 3], f64, f64); 2],
}

impl<V: Space> Bend<V> {
    fn new(a: &impl Support<V>, b: &impl Support<V>, normal: V) -> Self {
        let of = |axes: [V; 3]| {
            let squared = axes.iter().fold(0.0, |sum, s| sum + s.dot(normal) * s.dot(normal));
            let largest = axes.iter().fold(0.0, |most: f64, s| s.length_squared().max_of(most));
            (axes, squared.sqrt(), largest.sqrt())
        };
        Bend { curves: [of(a.curve_at(normal)), of(b.curve_at(-normal))] }
    }

    /// u·Mv, for u and v across the normal.
    fn second(&self, normal: V, u: V, v: V) -> f64 {
        let mut sum = 0.0;
        for (axes, f, _) in &self.curves {
            if *f == 0.0 {
                continue;
            }
            let (mut uv, mut un, mut vn) = (0.0, 0.0, 0.0);
            for s in axes {
                let (su, sv, sn) = (s.dot(u), s.dot(v), s.dot(normal));
                (uv, un, vn) = (uv + su * sv, un + su * sn, vn + sv * sn);
            }
            sum += (uv - (un / f) * (vn / f)) / f;
        }
        sum
    }

    /// L within τ of the normal; infinite where that is not bounded.
    fn third(&self, chord: f64) -> f64 {
        self.curves.iter().fold(0.0, |sum, &(_, f, largest)| {
            let least = f - chord * largest;
            if largest == 0.0 {
                sum
            } else if least <= 0.0 {
                f64::INFINITY
            } else {
                let ratio = largest / least;
                sum + THIRD * largest * ratio * ratio
            }
        })
    }
}

/// A line of one of the sets along which all points are the farthest ones across it.
#[derive(Clone, Copy)]
struct Edge<V> {
    from: V,
    along: V,
    is_first: bool,
    /// Where it is depends on the direction across it.
    is_mantle: bool,
}

/// The line that the corners of a facet have in common, if there is just one: an edge, or a mantle line of which they are at both ends.
fn edge_of<V: Space>(
    set: &impl Support<V>,
    normal: V,
    corners: &[Vertex<V>],
    is_first: bool,
) -> Option<Edge<V>> {
    let of = |vertex: &Vertex<V>| if is_first { vertex.point_a } else { vertex.point_b };
    if let Some([from, to]) = set.line_at(normal) {
        let along = to - from;
        let half = 0.5 * along.length_squared();
        let is_far = |vertex: &Vertex<V>| half < along.dot(of(vertex) - from);
        let count = corners.iter().filter(|vertex| is_far(vertex)).count();
        let is_both = 0 < count && count < corners.len();
        return is_both.then_some(Edge { from, along, is_first, is_mantle: true });
    }
    if set.curve_at(normal).iter().any(|&s| s != V::ZERO) {
        return None;
    }
    let from = of(corners.first()?);
    let to = corners.iter().map(of).find(|&point| point != from)?;
    let is_one = corners.iter().all(|vertex| of(vertex) == from || of(vertex) == to);
    is_one.then_some(Edge { from, along: to - from, is_first, is_mantle: false })
}

/// The depth near a direction, of a facet with these corners, and how far around it is the least; the tolerance is that of the depth.
pub(super) fn smooth<V: Space>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    start: V,
    corners: &[Vertex<V>],
    tolerance: f64,
) -> Option<Shield<V>> {
    if V::DIM != 3 {
        return None;
    }
    let error = rounding_error(a, b);
    let (mut normal, mut longest) = (start, LONGEST_STEP);
    let is_corner = |axes: [V; 3]| axes.iter().all(|&s| s == V::ZERO);
    if is_corner(a.curve_at(normal)) && is_corner(b.curve_at(-normal)) {
        return None;
    }
    let edges = [edge_of(a, normal, corners, true), edge_of(b, -normal, corners, false)];
    let edge = match edges {
        [Some(_), Some(_)] => return None,
        [one, other] => one.or(other),
    };
    for _ in 0..MAX_STEPS {
        if let Some(edge) = edge {
            normal = (normal - edge.along * (edge.along.dot(normal) / edge.along.length_squared()))
                .normalized()?;
        }
        let bend = Bend::new(a, b, normal);
        let w = difference_support(a, b, normal).difference;
        let depth = normal.dot(w);
        let [u, v] = across(normal, edge.map(|edge| edge.along))?;
        let (p, q, r) =
            (bend.second(normal, u, u) - depth, bend.second(normal, u, v), bend.second(normal, v, v) - depth);
        let (gu, gv) = (u.dot(w), v.dot(w));
        // Along an edge there is no way.
        let step = if edge.is_some() {
            if p <= 0.0 {
                return None;
            }
            u * (-gu / p)
        } else {
            let whole = p * r - q * q;
            if p <= 0.0 || whole <= 0.0 {
                return None;
            }
            u * ((q * gv - r * gu) / whole) + v * ((q * gu - p * gv) / whole)
        };
        let length = step.length();
        // Near a smooth minimum steps shrink fast. Not for a length that is no number either.
        let is_shorter = length <= longest;
        if !is_shorter {
            return None;
        }
        longest = 0.5 * length;
        normal = (normal + step).normalized()?;
        if length <= 1e-9 {
            break;
        }
    }
    finish(a, b, normal, edge, error, tolerance)
}

/// Two unit vectors across the normal, the second along an edge if there is one.
fn across<V: Space>(normal: V, along: Option<V>) -> Option<[V; 2]> {
    if let Some(along) = along {
        let v = along.normalized()?;
        let u = V::perpendiculars(&[V::ZERO, normal, v])[0].normalized()?;
        return Some([u, v]);
    }
    let [u, v, _] = V::perpendiculars(&[V::ZERO, normal]);
    Some([u.normalized()?, v.normalized()?])
}

fn finish<V: Space>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    normal: V,
    edge: Option<Edge<V>>,
    error: f64,
    tolerance: f64,
) -> Option<Shield<V>> {
    let bend = Bend::new(a, b, normal);
    let vertex = difference_support(a, b, normal);
    let depth = normal.dot(vertex.difference);
    let mut points = [vertex.point_a, vertex.point_b];
    let mut kink = 0.0;
    if let Some(edge) = edge {
        let line = if edge.is_first { a.line_at(normal) } else { b.line_at(-normal) };
        let from = match line {
            Some([from, _]) if edge.is_mantle => from,
            _ => edge.from,
        };
        let other = points[usize::from(edge.is_first)];
        let share = edge.along.dot(other - from) / edge.along.length_squared();
        // Not for a share that is no number either.
        kink = 2.0 * edge.along.length() * share.min_of(1.0 - share);
        let is_between = 0.0 <= kink;
        if !is_between {
            return None;
        }
        points[usize::from(!edge.is_first)] = from + edge.along * share;
    }
    let w = points[0] - points[1];
    let [u, v] = across(normal, edge.map(|edge| edge.along))?;
    let (p, q, r) = (bend.second(normal, u, u), bend.second(normal, u, v), bend.second(normal, v, v));
    let reached = normal.dot(w);
    let beside = (w - normal * reached).length() + error;
    let mut chord = LARGEST_CAP;
    while SMALLEST_CAP < chord {
        let r = r + kink / chord;
        let least = 0.5 * (p + r) - (0.25 * (p - r) * (p - r) + q * q).sqrt();
        let margin = 0.5 * (least * (1.0 - 0.25 * chord * chord) - depth) - bend.third(chord) * chord / 6.0;
        if 0.125 * (least - depth) < margin {
            let radius = reached - beside * beside / (4.0 * margin);
            let is_good = 0.0 < margin && depth - radius <= tolerance;
            let chord = chord * (1.0 - GIVEN_UP);
            return is_good
                .then(|| Shield::around(depth, normal, points, radius, 1.0 - 0.5 * chord * chord, error));
        }
        chord *= 0.5;
    }
    None
}
