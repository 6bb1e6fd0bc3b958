//! A line against a triangle in space, without cracks between neighbours.
//!
//! After Woop, Benthin and Wald, "Watertight ray/triangle intersection" (2013): the line passes
//! through the triangle when the three edges are seen turning the same way around it. Their shear
//! keeps the signs consistent by rounding the same way for neighbours; here the signs are right
//! instead. For the edge from p to q the edge function is the volume
//!
//! ```text
//! direction · ((p − origin) × (q − p))
//! ```
//!
//! computed in `f64` with a bound on its error, again in double precision when the sign is in doubt, and
//! exactly when it still is (relative 2⁻⁹⁸). Zero counts as inside. So a triangle that the line meets is
//! never lost, a line through a shared edge or corner meets the triangles on both sides, and three signs
//! never contradict each other: were one rounded to zero, a line in the plane of a triangle might seem to pass
//! it somewhere. The parameter is the blend of the corners' parameters by the edge
//! functions: all terms have one sign.
//!
//! A line within the plane of the triangle meets its edges. The corners may lie on one line.

use crate::cast::narrow::Stretched;
use crate::cast::precision::{Precision, between, lift};
use crate::cast::quick::Quick;
use crate::cast::round::{capsule_span, cross_terms};
use crate::cast::span::{Passage, Span, with_sign};
use crate::exact::{Range, orient3d, plane_parameter, volume_sign};
use crate::line::closest::normal_of_shortest_edges;
use crate::manifold::feature::Kind;
use crate::pair::place::Turn;
use carom_math::double::{Double, two_sum};
use carom_math::{Mat3, Number, Vec3, Vector, power_of_two};

/// Where the line meets the triangle. The normal is that of the face and faces the line; a line
/// within the plane gets the normal of the counter-clockwise side.
pub(crate) fn triangle_span(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    corners: [Vec3<f64>; 3],
) -> Option<Span<Vec3<f64>>> {
    let [a, b, c] = corners;
    let edges = [[b, c], [c, a], [a, b]];
    let plain = edges.map(|edge| edge_function(origin, direction, edge));
    let is_certain = plain.iter().all(|(value, doubt)| doubt < &value.abs());
    if is_certain || are_right_along_an_axis(origin, direction, corners) {
        let weights = plain.map(|(value, _)| value);
        if !same_sign(weights) {
            return None;
        }
        // Small weights have lost digits to cancellation, and the blend would show it where the
        // corners are at very different distances: seen edge on.
        let edge_lengths: f64 = (b - a).length_squared().max_of((c - a).length_squared());
        let total = weights[0] + weights[1] + weights[2];
        if direction.length_squared() * edge_lengths * edge_lengths < 4096.0 * total * total {
            let span = face_passage(face_parameter(origin, direction, corners, weights), total, corners);
            // An origin next to the face needs care: before it or behind it decides.
            let distances = corners.map(|corner| (corner - origin).max_abs());
            let farthest = distances[0].max_of(distances[1]).max_of(distances[2]);
            if 64.0 * f64::EPSILON * farthest < span.enter.t.abs() * direction.max_abs() {
                return Some(span);
            }
        }
    }
    let mut is_vague = false;
    let precise = edges.map(|edge| {
        let (value, doubt) = precise_edge_function(origin, direction, edge);
        if doubt < value.value().abs() {
            return value;
        }
        let sign = volume_sign([[Vec3::ZERO, direction], [origin, edge[0]], edge]);
        is_vague |= sign != 0.0;
        Double::from(sign)
    });
    let signs = precise.map(Double::value);
    if signs == [0.0; 3] {
        return coplanar_span(origin, direction, corners);
    }
    if !same_sign(signs) {
        return None;
    }
    // All signs are right, and their sum is that of normal·direction: the triangle has a normal, and the line passes
    // its plane. Before the face, on it or behind it: t = normal·(a − origin) / normal·direction has an exact sign too.
    let below = orient3d([a, b, c, origin], Range::of(&[a, b, c, origin]));
    let total = signs[0] + signs[1] + signs[2];
    let t = if is_vague {
        plane_parameter(origin, direction, corners)
    } else {
        face_parameter(origin, direction, corners, precise)
    };
    Some(face_passage(with_sign(t, below, total), total, corners))
}

/// The first hit of a ray in plain numbers, where there is no doubt about it.
#[inline(always)]
pub(crate) fn triangle_hit(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    corners: [Vec3<f64>; 3],
) -> Quick<Vec3<f64>> {
    let [a, b, c] = corners;
    let [to_a, to_b, to_c] = corners.map(|corner| corner - origin);
    let edges = [c - b, a - c, b - a];
    let weights = [
        direction.dot(to_b.cross(edges[0])),
        direction.dot(to_c.cross(edges[1])),
        direction.dot(to_a.cross(edges[2])),
    ];
    // As in `edge_function`, with the largest of each factor.
    let far = to_a.max_abs().max_of(to_b.max_abs()).max_of(to_c.max_abs());
    let edge = edges[0].max_abs().max_of(edges[1].max_abs()).max_of(edges[2].max_abs());
    let along = direction.max_abs();
    let doubt = 64.0 * f64::EPSILON * (along * far * edge);
    let least = weights[0].min_of(weights[1]).min_of(weights[2]);
    let most = weights[0].max_of(weights[1]).max_of(weights[2]);
    if least < -doubt && doubt < most {
        return Some(None);
    }
    if !(doubt < least || most < -doubt) {
        return None;
    }
    // Not edge on; see `triangle_span`. The edges are not longer than √3 times their largest component.
    let total = weights[0] + weights[1] + weights[2];
    let square = 3.0 * (edge * edge);
    let along_line = direction.length_squared();
    let is_steep = along_line * square * square < 4096.0 * total * total;
    if !is_steep {
        return None;
    }
    let t = face_parameter::<f64>(origin, direction, corners, weights);
    // Not next to the face.
    let is_ahead = 64.0 * f64::EPSILON * far < t.abs() * along;
    if !is_ahead {
        return None;
    }
    if t < 0.0 {
        return Some(None);
    }
    // Steep is no sliver either: total is normal·direction, and any two edges will do.
    let (normal, is_behind) = (edges[1].cross(edges[2]), 0.0 < total);
    let facing = if is_behind { -normal } else { normal };
    Some(Some(Passage::new(t, facing).on(Kind::Face, usize::from(is_behind))))
}

/// The same for answers in `f32`, with a line in the axes of the world and a unit normal there; after Möller and Trumbore,
/// "Fast, minimum storage ray-triangle intersection" (1997). With e, f the edges from a, m the vector from a to the origin,
/// n = e × f and q = m × d, the edge functions of f and e, their sum with the third, and the parameter times that sum are
///
/// ```text
/// u = f·q    v = −e·q    −d·n    m·n
/// ```
///
/// In a frame that is stretched, m and d are norm times as long, so that u and v are norm times as large as the others.
/// Each errs by no more than in `edge_function`, with the sums of magnitudes for the largest. Neighbours that are in doubt are
/// decided with the rotation itself: the line there and here differ by less than 60ε of their numbers. The parameter is right to
/// 2⁻²⁶ unless it cancels to 2⁻¹⁶ of what it could be.
#[inline(always)]
pub(super) fn narrow_triangle_hit(
    Stretched { turn, norm }: Stretched<Mat3<f64>>,
    from: Vec3<f64>,
    direction: Vec3<f64>,
    [a, b, c]: [Vec3<f64>; 3],
) -> Quick<Vec3<f64>> {
    let (origin, d) = (turn.undo(from), turn.undo(direction));
    let (e, f, m) = (b - a, c - a, origin - a * norm);
    let (n, q) = (e.cross(f), m.cross(d));
    let total = -d.dot(n);
    // The triangle is seen from the counter-clockwise side, or turned around.
    let side = 1.0_f64.copysign(total);
    let (total, u, v) = (total.abs(), f.dot(q) * side, -(e.dot(q) * side));
    let edge = e.sum_of_magnitudes() + f.sum_of_magnitudes();
    let far = origin.sum_of_magnitudes() + a.sum_of_magnitudes() + edge;
    let along = d.sum_of_magnitudes();
    let doubt = 256.0 * f64::EPSILON * (along * far * edge);
    let least = u.min_of(v).min_of(norm * total - u - v);
    // Not edge on, and no NaN.
    let is_seen = doubt < total;
    if !is_seen {
        return None;
    }
    if least < -doubt {
        return Some(None);
    }
    let way = m.dot(n) * side;
    let area = power_of_two(-16) * (edge * edge);
    let is_precise = (doubt < least) & (area * far < way.abs()) & (area * along < total);
    if !is_precise {
        return None;
    }
    if way < 0.0 {
        return Some(None);
    }
    // A face that is seen has an area, and the square of that is in the range of `f64`.
    let facing = turn.apply(n);
    let normal = facing * (side / facing.dot(facing).sqrt());
    Some(Some(Passage::new(way / total, normal).on(Kind::Face, usize::from(side < 0.0))))
}

fn same_sign(weights: [f64; 3]) -> bool {
    weights.iter().all(|w| 0.0 <= *w) || weights.iter().all(|w| *w <= 0.0)
}

/// Whether the signs of edge functions are right as they are, zeros included: a line along an axis sees two coordinates, and where these differ by
/// numbers of at most 26 digits, their products are exact, and the difference of two of them has the right sign. Upright lines through the corners
/// of grids are such.
fn are_right_along_an_axis(origin: Vec3<f64>, direction: Vec3<f64>, [a, b, c]: [Vec3<f64>; 3]) -> bool {
    let across = |axis: usize| direction.get(axis) == 0.0;
    let is_in_range = |x: f64| SHORTEST < x.abs() && x.abs() < 1.0 / SHORTEST;
    let is_short = |from: f64, to: f64| {
        let (difference, rest) = two_sum(to, -from).parts();
        rest == 0.0
            && difference.to_bits() & ((1 << 27) - 1) == 0
            && (difference == 0.0 || is_in_range(difference))
    };
    let are_short = |axis: usize| {
        let [o, a, b, c] = [origin, a, b, c].map(|point| point.get(axis));
        is_short(o, a)
            && is_short(o, b)
            && is_short(o, c)
            && is_short(a, b)
            && is_short(b, c)
            && is_short(c, a)
    };
    let flat = [across(0), across(1), across(2)];
    matches!(flat, [true, true, false] | [true, false, true] | [false, true, true])
        && is_in_range(direction.max_abs())
        && (0..3).all(|axis| !flat[axis] || are_short(axis))
}

/// Differences of products of two numbers that are larger than this and have 26 digits are not below 2⁻⁶⁵⁰, and do not underflow when they are
/// multiplied with one that is larger than this.
const SHORTEST: f64 = power_of_two(-300);

/// The edge function and a bound on its error.
fn edge_function(origin: Vec3<f64>, direction: Vec3<f64>, [p, q]: [Vec3<f64>; 2]) -> (f64, f64) {
    let (to_p, edge) = (p - origin, q - p);
    let value = direction.dot(to_p.cross(edge));
    // Seven roundings of terms no larger than |d|·|p − o|·|q − p|, six terms.
    let size = direction.max_abs() * to_p.max_abs() * edge.max_abs();
    (value, 64.0 * f64::EPSILON * size)
}

/// The same in double precision.
fn precise_edge_function(origin: Vec3<f64>, direction: Vec3<f64>, [p, q]: [Vec3<f64>; 2]) -> (Double, f64) {
    let value = lift::<Double, _>(direction).dot(between::<Double, _>(origin, p).cross(between(p, q)));
    let size = cross_terms(p - origin, q - p).dot(direction.abs_by_axis());
    (value, power_of_two(-98) * size)
}

/// The passage through the face at t. `total` has the sign of the sum of the edge functions, which is
/// normal·direction.
fn face_passage(t: f64, total: f64, corners: [Vec3<f64>; 3]) -> Span<Vec3<f64>> {
    let normal = face_normal(corners);
    let behind = 0.0 < total;
    let facing = if behind { -normal } else { normal };
    let side = |normal, back| Passage::new(t, normal).on(Kind::Face, usize::from(back));
    Span::new(side(facing, behind), side(-facing, !behind))
}

/// Where the line passes the face: the blend of the corners' parameters, (corner − origin)·d / d·d, by the edge
/// functions.
#[inline(always)]
fn face_parameter<P: Precision>(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    corners: [Vec3<f64>; 3],
    weights: [P; 3],
) -> f64 {
    let along = lift::<P, _>(direction);
    let ways = corners.map(|corner| between::<P, _>(origin, corner).dot(along));
    let total = weights[0] + weights[1] + weights[2];
    let blend = ways[0] * weights[0] + ways[1] * weights[1] + ways[2] * weights[2];
    (blend / (total * along.dot(along))).value()
}

/// (b − a) × (c − a) up to a positive factor; in double precision when it cancels.
pub(crate) fn face_normal(corners: [Vec3<f64>; 3]) -> Vec3<f64> {
    let (plain, longest_squared) = normal_of_shortest_edges(corners);
    if longest_squared < 4096.0 * plain.max_abs() {
        return plain;
    }
    let [a, b, c] = corners;
    let precise = between::<Double, _>(a, b).cross(between(a, c));
    Vec3::new(precise.x.value(), precise.y.value(), precise.z.value())
}

/// The hull of where a line within the plane meets the edges.
fn coplanar_span(
    origin: Vec3<f64>,
    direction: Vec3<f64>,
    corners: [Vec3<f64>; 3],
) -> Option<Span<Vec3<f64>>> {
    let [a, b, c] = corners;
    let mut hull = None;
    for (index, edge) in [[a, b], [b, c], [c, a]].into_iter().enumerate() {
        let met = capsule_span(origin, direction, edge, 0.0).map(|Span { enter, exit }| Span {
            enter: enter.on(Kind::Edge, index),
            exit: exit.on(Kind::Edge, index),
        });
        hull = Span::hull(hull, met);
    }
    let normal = face_normal(corners);
    if normal == Vec3::ZERO {
        return hull;
    }
    hull.map(|Span { enter, exit }| Span {
        enter: Passage { normal, ..enter },
        exit: Passage { normal, ..exit },
    })
}

#[cfg(test)]
mod tests {
    use super::{are_right_along_an_axis, triangle_span};
    use carom_math::{Vec3, Vector, power_of_two};
    use carom_oracle::generate::Rng;

    /// Lines along axes through triangles with whole numbers for corners, many of them through corners and edges: integers tell which meet.
    #[test]
    fn lines_along_axes_meet_what_integers_say() {
        let mut rng = Rng::new(12);
        let (mut met, mut on_edges, mut degenerate) = (0, 0, 0);
        for round in 0..40_000_u32 {
            let mut whole = || rng.below(9) as i64 - 4;
            let points: [[i64; 3]; 4] = core::array::from_fn(|_| [whole(), whole(), whole()]);
            let axis = (round % 3) as usize;
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            let [origin, a, b, c] = points;
            let turn = |p: [i64; 3], q: [i64; 3]| {
                (p[u] - origin[u]) * (q[v] - origin[v]) - (p[v] - origin[v]) * (q[u] - origin[u])
            };
            let signs = [turn(b, c), turn(c, a), turn(a, b)];
            if signs == [0; 3] {
                degenerate += 1; // seen from its side
                continue;
            }
            let is_met = signs.iter().all(|sign| 0 <= *sign) || signs.iter().all(|sign| *sign <= 0);
            met += u32::from(is_met);
            on_edges += u32::from(is_met && signs.contains(&0));
            let scale = power_of_two([0, 90, -90][round as usize / 3 % 3]);
            let seen = |p: [i64; 3]| Vec3::from_fn(|axis| p[axis] as f64 * scale);
            let direction = Vec3::unit(axis) * if round % 2 == 0 { scale } else { -3.0 };
            let corners = [a, b, c].map(seen);
            assert!(are_right_along_an_axis(seen(origin), direction, corners));
            let found = triangle_span(seen(origin), direction, corners);
            assert_eq!(found.is_some(), is_met, "{points:?} {axis}");
            if let Some(span) = found {
                // Where the line passes: the blend of the corners' coordinates by their weights.
                let total: i64 = signs.iter().sum();
                let blend: i64 = [a, b, c].iter().zip(signs).map(|(corner, sign)| corner[axis] * sign).sum();
                let truth = (blend as f64 / total as f64 - origin[axis] as f64) * scale;
                let there = span.enter.t * direction.max_abs() * if round % 2 == 0 { 1.0 } else { -1.0 };
                assert!((there - truth).abs() <= 1e-14 * scale, "{there} {truth} {points:?}");
            }
        }
        assert!(4000 < met && 2000 < on_edges && degenerate < 4000, "{met} {on_edges} {degenerate}");
    }

    /// Numbers of more digits, or too small or large for their products, are left to the exact signs.
    #[test]
    fn long_numbers_are_not_taken_for_short() {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(|[x, y, z]| Vec3::new(x, y, z));
        let down = Vec3::new(0.0, -1.0, 0.0);
        let is_short = |x: f64| are_right_along_an_axis(Vec3::new(x, 1.0, 0.25), down, corners);
        assert!(is_short(0.25) && is_short(0.25 + power_of_two(-25)));
        for long in [0.1, 0.25 + power_of_two(-40), power_of_two(-400), power_of_two(400)] {
            assert!(!is_short(long), "{long}");
        }
        let aslant = Vec3::new(power_of_two(-30), -1.0, 0.0);
        assert!(!are_right_along_an_axis(Vec3::new(0.25, 1.0, 0.25), aslant, corners));
    }
}
