//! A second look at curved sets that GJK left with loose bounds.
//!
//! GJK walks over corners of the set of differences, and a corner that does not bring it nearer ends the walk. Beside the rim of a cylinder, in the
//! plane of its cap, both ends of the line along the mantle are as far towards the origin, and the end that is taken may be the wrong one: the walk
//! then stands on a chord of the rim, as far above the rim as the chord is deep. The point of the cylinder nearest to a *given* point is known in
//! closed form, however, and so is that of the corner, edge or face of a polytope that the walk ended at. So each set in turn takes the point
//! nearest to that of the other (alternating projections, von Neumann). Points of the sets bound the distance from above whatever led to them, and
//! the support points across their connection bound it from below: what comes out counts where it is better, and nothing rests on how many rounds
//! that takes.

use crate::gjk::{self, Proximity, Space, Status, Support, Trace, Vertex};
use crate::pair::core::Flats;
use crate::pair::nearest::foot_on_segment;
use carom_math::{Number, Vector};

/// Bounds that are wider than so many rounding errors are worth a second look. Where nothing goes wrong they are at most some 15 of them wide.
const LOOSE: f64 = 64.0;

/// One round for a corner beside a curved set. Where both are curved and nearly as wide as each other, rounds gain little each, and the first ones most.
const ROUNDS: usize = 8;

/// The same answer, or one with nearer points. What was in doubt is apart where these prove it.
pub(super) fn closer<V: Space + Flats>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    near: Proximity<V>,
    trace: &mut impl Trace<V>,
) -> Proximity<V> {
    let error = gjk::rounding_error(a, b);
    let is_open = matches!(near.status, Status::Closest | Status::Touching);
    if !is_open || near.upper - near.lower <= LOOSE * error {
        return near;
    }
    let mut best = near;
    let vertices = near.simplex.vertices();
    let mut on_a = near.point_a;
    for _ in 0..ROUNDS {
        let on_b = b.nearest(on_a).unwrap_or_else(|| nearest_on(vertices, |vertex| vertex.point_b, on_a));
        on_a = a.nearest(on_b).unwrap_or_else(|| nearest_on(vertices, |vertex| vertex.point_a, on_b));
        let between = on_a - on_b;
        let length = Vector::length(between);
        // Neither for NaN nor for points that are one.
        let is_apart = 0.0 < length && length.is_finite();
        if !is_apart {
            break;
        }
        let farthest = b.support(between).0 - a.support(-between).0;
        let bound = (0.0 - between.dot(farthest)) / length;
        trace.axis(-between, 0.0 - bound);
        let is_nearer = length + error < best.upper;
        let is_proof = best.lower < bound - error && length <= best.upper;
        best.upper = best.upper.min_of(length + error);
        best.lower = best.lower.max_of((bound - error).min_of(length));
        if is_nearer && near.status == Status::Closest || is_proof {
            best.status = Status::Closest;
            best.distance = length;
            best.normal = (-between).normalized().unwrap_or(best.normal);
            (best.point_a, best.point_b) = (on_a, on_b);
        }
        if !is_nearer {
            break;
        }
    }
    best
}

/// The point nearest to another one, of the corner, edge or face that the points of one set span; up to three of them are told apart.
fn nearest_on<V: Space + Flats>(vertices: &[Vertex<V>], of: impl Fn(&Vertex<V>) -> V, point: V) -> V {
    let (mut corners, mut count) = ([V::ZERO; 3], 0);
    for vertex in vertices {
        let corner = of(vertex);
        if count < 3 && !corners[..count].contains(&corner) {
            corners[count] = corner;
            count += 1;
        }
    }
    match corners[..count] {
        [a, b, c] => V::foot_on_triangle([a, b, c], V::perpendiculars(&[a, b, c])[0], point).point,
        [a, b] => foot_on_segment(a, b, point).point,
        _ => corners[0],
    }
}
