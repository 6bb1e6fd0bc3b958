//! Closest points of points, segments and triangles, in `f64`: the kernels that pair queries build on.
//!
//! * point and segment: both ends are projected against, so that neither end is preferred;
//! * segment and segment: the robust form of Eberly, "Robust Computation of Distance Between Line
//!   Segments" (2015), which never divides by ac − b². Where near-parallel segments come so close that
//!   53 bits cannot tell where, the lines are crossed again with 106 bits;
//! * point and triangle: signs of the three edge functions about the normal of the two shortest edges,
//!   with 106 bits when the triangle is thin; the edges decide when there is no normal.
//!
//! Frame: that of the input. Every answer lies on its thing up to a rounding of its coordinates, and
//! its distance is within a few ulp of the largest coordinate difference from the true distance. Ends
//! and corners are returned to the bit, with parameters exactly 0 and 1. Segments of length zero and
//! triangles without area are answered as the point or segment that they are. Products of up to four
//! lengths must neither overflow nor underflow: rescale first.

use crate::exact::{Approximate, Ring, Triple};
use carom_math::{Number, Real, Vec3, Vector};

/// The point of the segment from `a` to `b` that is closest to `p`, and its parameter t in [0, 1].
///
/// With d = b − a, t = (p − a)·d / d·d. The numerators α = (p − a)·d and β = (b − p)·d sum to d·d,
/// so t = α/(α + β), and the point is measured from the nearer end.
pub(crate) fn closest_on_segment<V: Vector<Scalar = f64>>(p: V, a: V, b: V) -> (f64, V) {
    let direction = b - a;
    let from_a = (p - a).dot(direction);
    let from_b = (b - p).dot(direction);
    if from_a <= 0.0 {
        return (0.0, a);
    }
    if from_b <= 0.0 {
        return (1.0, b);
    }
    let t = from_a / (from_a + from_b);
    let point =
        if from_a <= from_b { a + direction * t } else { b - direction * (from_b / (from_a + from_b)) };
    (t, point)
}

/// The closest points of the segments p0 p1 and q0 q1: their parameters s and t in [0, 1], the point
/// of the first and the point of the second.
///
/// Minimises R(s, t) = |p0 + s·P − q0 − t·Q|² over the unit square. R is convex, so its minimum lies
/// on the line ∂R/∂s = 0 where that crosses the square, or on the side of the square nearest to it.
/// Where many pairs are closest, one of them is chosen deterministically.
pub(crate) fn closest_segment_segment<V: Vector<Scalar = f64>>(
    p0: V,
    p1: V,
    q0: V,
    q1: V,
) -> (f64, f64, V, V) {
    let (s, t) = minimise_over_square(p0, p1, q0, q1);
    let (on_p, on_q) = (along(p0, p1, s), along(q0, q1, t));
    // Rounding disturbs the gradient of R by about ε·S·L, where S is the size of the problem and L that
    // of a segment. The curvature of R is at least (L·sin θ)² for segments at the angle θ, so R is at
    // most (ε·S/sin θ)² too large and the distance h at most (ε·S/sin θ)²/h: less than ε·S unless
    // h·sin²θ < ε·S. The factor 64 pays for the constants.
    let (along_p, along_q) = (p1 - p0, q1 - q0);
    let (a, b, c) = (along_p.dot(along_p), along_p.dot(along_q), along_q.dot(along_q));
    let size = (p0 - q0).max_abs().max_of((p1 - q0).max_abs()).max_of((q1 - p0).max_abs());
    let distance = (on_p - on_q).length_squared().sqrt();
    let reliable = distance == 0.0 || 64.0 * f64::EPSILON * size * (a * c) <= distance * (a * c - b * b);
    if reliable && 0.0 < a * c {
        return (s, t, on_p, on_q);
    }
    closest_of_candidates(p0, p1, q0, q1, (s, t, on_p, on_q))
}

/// The best of a first answer, the four ends projected onto the other segment, and the crossing of the
/// lines computed with 106 bits. Crossing lines need sin θ > 2⁻⁵² for that; below, the ends are as close.
fn closest_of_candidates<V: Vector<Scalar = f64>>(
    p0: V,
    p1: V,
    q0: V,
    q1: V,
    first: (f64, f64, V, V),
) -> (f64, f64, V, V) {
    let mut best = first;
    let mut least = (best.2 - best.3).length_squared();
    let mut offer = |candidate: (f64, f64, V, V)| {
        let squared = (candidate.2 - candidate.3).length_squared();
        if squared < least {
            (least, best) = (squared, candidate);
        }
    };
    for (s, end) in [(0.0, p0), (1.0, p1)] {
        let (t, on_q) = closest_on_segment(end, q0, q1);
        offer((s, t, end, on_q));
    }
    for (t, end) in [(0.0, q0), (1.0, q1)] {
        let (s, on_p) = closest_on_segment(end, p0, p1);
        offer((s, t, on_p, end));
    }
    // p0 + s·P − q0 − t·Q = λN with N = P × Q: s = (w × Q)·N/N·N and t = (w × P)·N/N·N, w = q0 − p0.
    let [p0_long, p1_long, q0_long, q1_long] = [p0, p1, q0, q1].map(Triple::<Approximate>::of);
    let (along_p, along_q) = (p1_long.minus(&p0_long), q1_long.minus(&q0_long));
    let between = q0_long.minus(&p0_long);
    let normal = along_p.cross(&along_q);
    let squared = normal.dot(&normal);
    let s = Approximate::quotient(&between.cross(&along_q).dot(&normal), &squared);
    let t = Approximate::quotient(&between.cross(&along_p).dot(&normal), &squared);
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        offer((s, t, along(p0, p1, s), along(q0, q1, t)));
    }
    best
}

/// a + t·(b − a), measured from the nearer end; the ends are exact.
pub(crate) fn along<V: Vector<Scalar = f64>>(a: V, b: V, t: f64) -> V {
    if t <= 0.5 { a + (b - a) * t } else { b - (b - a) * (1.0 - t) }
}

/// (s, t) in the unit square that minimises the squared distance of the segments.
///
/// ½∂R/∂s = a·s − b·t + d and ½∂R/∂t = −b·s + c·t − e with a = P·P, b = P·Q, c = Q·Q,
/// d = P·(p0 − q0), e = Q·(p0 − q0); `f` and `g` are their values at the corners.
fn minimise_over_square<V: Vector<Scalar = f64>>(p0: V, p1: V, q0: V, q1: V) -> (f64, f64) {
    let (along_p, along_q, between) = (p1 - p0, q1 - q0, p0 - q0);
    let (a, b, c) = (along_p.dot(along_p), along_p.dot(along_q), along_q.dot(along_q));
    let (d, e) = (along_p.dot(between), along_q.dot(between));
    let (f00, f10) = (d, d + a);
    let (f01, f11) = (f00 - b, f10 - b);
    let (g00, g10) = (-e, -e - b);
    let (g01, g11) = (g00 + c, g10 + c);
    let t_on_left = || root(c, g00, g01);
    let t_on_right = || root(c, g10, g11);
    if a == 0.0 {
        return (0.0, if c == 0.0 { 0.0 } else { t_on_left() });
    }
    let s_at_bottom = root(a, f00, f10);
    if c == 0.0 {
        return (s_at_bottom, 0.0);
    }
    let s_at_top = root(a, f01, f11);
    if s_at_bottom <= 0.0 && s_at_top <= 0.0 {
        return (0.0, t_on_left());
    }
    if 1.0 <= s_at_bottom && 1.0 <= s_at_top {
        return (1.0, t_on_right());
    }
    // The line ∂R/∂s = 0 enters the square at one end and leaves it at the other. An end on the side
    // s = 0 or s = 1 has t = f/b there; a quotient outside of [0, 1] comes from rounding and is clamped
    // (Eberly's choice of ½ is far off when the line passes through a corner of the square).
    let end = |s: f64, t_if_inside: f64| -> (f64, f64) {
        let on_side = |f: f64| (f / b).clamp_to(0.0, 1.0);
        if s <= 0.0 {
            (0.0, on_side(f00))
        } else if 1.0 <= s {
            (1.0, on_side(f10))
        } else {
            (s, t_if_inside)
        }
    };
    let (end0, end1) = (end(s_at_bottom, 0.0), end(s_at_top, 1.0));
    let rise = end1.1 - end0.1;
    let slope_at = |(s, t): (f64, f64)| rise * (c * t - b * s - e);
    let settle = |(s, t): (f64, f64)| {
        if s <= 0.0 {
            (0.0, t_on_left())
        } else if 1.0 <= s {
            (1.0, t_on_right())
        } else {
            (s, t)
        }
    };
    let (slope0, slope1) = (slope_at(end0), slope_at(end1));
    if 0.0 <= slope0 {
        return settle(end0);
    }
    if slope1 <= 0.0 {
        return settle(end1);
    }
    let z = slope0 / (slope0 - slope1);
    ((1.0 - z) * end0.0 + z * end1.0, (1.0 - z) * end0.1 + z * end1.1)
}

/// Where the increasing linear function with values `h0` at 0 and `h1` at 1 vanishes, within [0, 1].
fn root(slope: f64, h0: f64, h1: f64) -> f64 {
    if 0.0 <= h0 {
        0.0
    } else if h1 <= 0.0 {
        1.0
    } else {
        (-h0 / slope).min_of(1.0)
    }
}

/// The point of the triangle in space that is closest to `p`, and its weights: the point is
/// Σ weightᵢ·cornerᵢ, the weights are not negative and sum to 1.
///
/// With the normal n, the weight of a corner is n·((next − previous) × (p − previous))/n·n, the area that
/// p forms with the opposite edge over the whole, and the foot of p is p − n·(n·(p − a))/(n·n): a point
/// on the plane is found to be there exactly.
pub(crate) fn closest_on_triangle3(p: Vec3<f64>, corners: [Vec3<f64>; 3]) -> ([f64; 3], Vec3<f64>) {
    let [a, b, c] = corners;
    let (normal, longest_squared) = normal_of_shortest_edges(corners);
    let squared = normal.dot(normal);
    // Weights lose as many bits as the triangle is thin. Below a height of a quarter of the longest
    // edge, they are computed with 106 bits.
    if squared <= longest_squared * longest_squared / 16.0 {
        return closest_on_thin_triangle(p, corners);
    }
    let opposite_a = normal.dot((c - b).cross(p - b));
    let opposite_b = normal.dot((a - c).cross(p - c));
    let opposite_c = normal.dot((b - a).cross(p - a));
    let total = opposite_a + opposite_b + opposite_c;
    if 0.0 <= opposite_a && 0.0 <= opposite_b && 0.0 <= opposite_c && 0.0 < total {
        let weights = [opposite_a / total, opposite_b / total, opposite_c / total];
        let height = normal.dot(p - a);
        // From far away, the rounding of p − n·(…) is that of the distance, and the blend is better.
        let far = longest_squared * squared < height * height;
        let blend = || a * weights[0] + b * weights[1] + c * weights[2];
        return (weights, if far { blend() } else { p - normal * (height / squared) });
    }
    closest_on_outline(p, corners)
}

/// [`closest_on_triangle3`] with 106 bits.
fn closest_on_thin_triangle<V: Vector<Scalar = f64>>(p: V, corners: [V; 3]) -> ([f64; 3], V) {
    let [a, b, c, p_long] = [corners[0], corners[1], corners[2], p].map(Triple::<Approximate>::of);
    let normal = b.minus(&a).cross(&c.minus(&a));
    let squared = normal.dot(&normal);
    let weight = |from: &Triple<Approximate>, to: &Triple<Approximate>| {
        Approximate::quotient(&normal.dot(&to.minus(from).cross(&p_long.minus(from))), &squared)
    };
    let weights = [weight(&b, &c), weight(&c, &a), weight(&a, &b)];
    let at_edge = closest_on_outline(p, corners);
    if !weights.iter().all(|w| (0.0..=1.0).contains(w)) {
        return at_edge;
    }
    let height = normal.dot(&p_long.minus(&a));
    let above = normal.0.map(|x| Approximate::quotient(&x.times(&height), &squared));
    let above = V::from_fn(|axis| above.get(axis).copied().unwrap_or(0.0));
    // The foot replaces the point at the edge only where it is closer: a normal that is all rounding
    // error cannot do harm.
    let blend = corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
    let on_triangle = (blend - (p - above)).max_abs() <= 16.0 * f64::EPSILON * scale_of(p, corners);
    if on_triangle && above.length_squared() <= (p - at_edge.1).length_squared() {
        (weights, p - above)
    } else {
        at_edge
    }
}

/// The largest magnitude of a coordinate.
fn scale_of<V: Vector<Scalar = f64>>(p: V, corners: [V; 3]) -> f64 {
    corners.into_iter().fold(p.max_abs(), |size, corner| corner.max_abs().max_of(size))
}

/// The closest point of the three edges ab, bc, ca; the first of equally close ones.
fn closest_on_outline<V: Vector<Scalar = f64>>(p: V, [a, b, c]: [V; 3]) -> ([f64; 3], V) {
    let mut best: Option<(f64, [f64; 3], V)> = None;
    for (edge, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let (t, point) = closest_on_segment(p, from, to);
        let squared = (p - point).length_squared();
        if best.is_none_or(|(least, ..)| squared < least) {
            let weights = match edge {
                0 => [1.0 - t, t, 0.0],
                1 => [0.0, 1.0 - t, t],
                _ => [t, 0.0, 1.0 - t],
            };
            best = Some((squared, weights, point));
        }
    }
    best.map_or(([1.0, 0.0, 0.0], a), |(_, weights, point)| (weights, point))
}

/// (b − a) × (c − a), computed from the two shortest edges, which cancel least, and the square of the
/// longest edge.
pub(crate) fn normal_of_shortest_edges([a, b, c]: [Vec3<f64>; 3]) -> (Vec3<f64>, f64) {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let (l_ab, l_bc, l_ca) = (ab.dot(ab), bc.dot(bc), ca.dot(ca));
    let longest = l_ab.max_of(l_bc).max_of(l_ca);
    let normal = if l_bc == longest {
        ca.cross(ab)
    } else if l_ca == longest {
        ab.cross(bc)
    } else {
        bc.cross(ca)
    };
    (normal, longest)
}

#[cfg(test)]
mod tests;
