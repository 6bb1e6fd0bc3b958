//! What the direction between the nearest points of two turning shapes turns with.
//!
//! A guess from the parts of the shapes that face each other: the proof that is made with it holds for any, and is the
//! longer, the better the guess is. See [`certificate`](super::certificate).

use super::certificate::With;
use crate::gjk::Vertex;
use carom_math::Vector;

/// The part of a shape that lies in the plane across a direction, as far as is known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side<V> {
    Corner,
    Edge(V),
    Face,
}

/// What the direction between the nearest points turns with: the shape whose face, or edge, meets a corner of the other,
/// or an edge of each. `second`: the second one, where both have as much of a side.
pub(crate) fn turns_with<V: Vector<Scalar = f64>>(sides: [Side<V>; 2], second: bool) -> With<V> {
    match sides {
        [Side::Corner, Side::Corner] => With::Nothing,
        [Side::Face, Side::Corner | Side::Edge(_)] | [Side::Edge(_), Side::Corner] => With::First,
        [Side::Corner | Side::Edge(_), Side::Face] | [Side::Corner, Side::Edge(_)] => With::Second,
        [Side::Edge(a), Side::Edge(b)] if !are_parallel(a, b) => With::Edges([a, b]),
        _ if second => With::Second,
        _ => With::First,
    }
}

/// Up to a few degrees: what is perpendicular to both would be left to rounding, or to the next moment.
fn are_parallel<V: Vector<Scalar = f64>>(a: V, b: V) -> bool {
    let (squares, product) = (a.dot(a) * b.dot(b), a.dot(b));
    squares - product * product <= squares / 1024.0
}

/// The corners of each shape that the nearest points lie between.
pub(crate) fn sides_of<V: Vector<Scalar = f64>>(vertices: &[Vertex<V>]) -> [Side<V>; 2] {
    let side = |corner: fn(&Vertex<V>) -> (V, u32)| {
        let [first, rest @ ..] = vertices else { return Side::Corner };
        let (from, own) = corner(first);
        let mut others = rest.iter().map(corner).filter(|(_, feature)| *feature != own);
        match others.next() {
            None => Side::Corner,
            Some((to, second)) if others.all(|(_, feature)| feature == second) => Side::Edge(to - from),
            Some(_) => Side::Face,
        }
    };
    [side(|vertex| (vertex.point_a, vertex.feature_a)), side(|vertex| (vertex.point_b, vertex.feature_b))]
}

/// Sines that are as good as zero, for those who only guess.
const LEVEL: f64 = 1e-6;

/// The side of a box across a direction, a unit vector in its frame.
pub(crate) fn side_of_block<V: Vector<Scalar = f64>>(direction: V) -> Side<V> {
    let mut along = (0..V::DIM).filter(|axis| direction.get(*axis).abs() <= LEVEL);
    match (along.next(), along.next()) {
        (None, _) => Side::Corner,
        (Some(axis), None) => Side::Edge(V::unit(axis)),
        _ => Side::Face,
    }
}

/// The same for a segment.
pub(crate) fn side_of_segment<V: Vector<Scalar = f64>>([a, b]: [V; 2], direction: V) -> Side<V> {
    let (along, across) = (b - a, direction.dot(b - a));
    if across * across <= LEVEL * LEVEL * along.dot(along) { Side::Edge(along) } else { Side::Corner }
}
