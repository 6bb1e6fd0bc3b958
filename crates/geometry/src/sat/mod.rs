//! Separating axes of polytopes: how deep two polygons, boxes or hulls overlap, and along which axis.
//!
//! H(n), the overlap along a unit vector n, is least where n is the normal of a facet of the set of
//! differences {a − b}: a face of either polytope, or a pair of edges whose arcs on the sphere of normals
//! cross (the Gauss map, Gregorius, GDC 2013; in the plane there are no such pairs). So the depth is the
//! least H over finitely many axes. Looking at all of them would cost more than it gains; most are ruled out
//! by balls: if c is the centre of b, r the radius of a ball about c inside of b, and n the normal of a face
//! of a at the height h, then H(n) >= h − n·c + r. The same holds between the normals of the two faces at an
//! edge, up to the factor by which the chord of their arc is shorter than 1. Support points that were found
//! along the way rule out most of the rest in the same manner; [`filter`] looks at all faces or edges side by
//! side. Of two hulls of 32 vertices, 60 faces and 90 edges each, about 4 faces and 8 edges remain.
//! Polygons with few corners are looked at as a whole instead, see [`rims`].
//!
//! Steps:
//! 1. H of the face of each nearest to the centre of the other, as a bar for all that follow; then H of all
//!    faces that the balls do not rule out.
//! 2. The edges that may still have something better between them: those whose arcs cross.
//!    None of this is needed below a face on which something rests ([`landing`](crate::convex::landing)).
//! 3. The deepest points: on the face below the support point, on the two edges, or, where several
//!    features are level, by GJK between the polytopes moved apart.
//!
//! Frame: that of a. Every H that counts is measured at support points along an axis that is not
//! normalised, so it is exact where coordinates are on a lattice, and moving b by normal·depth separates
//! the pair whatever was overlooked. What rounding can overlook is an arc that crosses within ε of its end,
//! and the face there is as good up to ε·(length of the edge). Degenerate polytopes have zero-width faces
//! and need no case of their own. Of equal axes the faces of a come first, then those of b, in the order of
//! their numbers.

mod arrival;
mod blocks;
mod cache;
mod edges;
mod filter;
mod guess;
mod nearby;
pub(crate) mod pairs;
mod rims;
mod rows;
mod search;
mod sheets;
mod shell;
mod sides;
#[cfg(test)]
mod tests;

use crate::gjk::{Penetration, Posed, Space, Support, Trace};
use carom_math::{Level, Vector};

pub(crate) use arrival::{Arrival, Entry, FLAT, Missed, arrival, entry, last_side};
pub use cache::PairCache;
pub(crate) use cache::{Last, Memory};
pub(crate) use edges::{EdgeAxes, Own, QuickAnswer};
pub(crate) use filter::{ArcRows, Edges, Faces, MAX_FACES, NO_EDGES, NO_FACES, Outer, PlaneRows};
pub(crate) use guess::Guess;
pub(crate) use nearby::{Name, name_by_number, new_number};
pub(crate) use rims::{Glance, Rim, RimBlock, RimRows};
pub(crate) use rows::{PointRows, members};
use search::Search;
pub(crate) use sheets::Sheet;
pub(crate) use sides::{apart_at_side, nearest_side};

/// A polytope with faces and edges, about the origin of its own frame.
pub(crate) trait Solid<V: Vector<Scalar = f64>>: Support<V> {
    /// The radius of a ball about the centre that lies inside.
    fn inner_radius(&self) -> f64;
    /// The radius of a ball about the centre with everything inside.
    fn outer_radius(&self) -> f64;
    /// Whether faces and edges are known; nothing below is asked otherwise.
    fn has_faces(&self) -> bool;
    /// The face that a point is least far below, given relative to the centre; the first of equals.
    fn nearest_face(&self, from_center: V) -> usize;
    /// The faces that nothing in `outer` rules out.
    fn faces_near(&self, outer: &Outer<V>) -> Faces;
    /// The outward normal of a face, not of unit length, and a vertex of the face.
    fn face(&self, index: usize) -> (V, V);
    /// The same with a unit normal, which is less exact.
    fn plane(&self, index: usize) -> (V, V);
    /// How far inside of the edges of a face a point in its plane is; negative outside, −∞ where that is not known.
    fn room_on_face(&self, index: usize, point: V) -> f64;
    /// A point in the middle of a face.
    fn middle_of_face(&self, index: usize) -> V;
    /// Whether a point in the plane of a face lies on the face, with `tolerance` to spare.
    #[inline]
    fn is_on_face(&self, index: usize, point: V, tolerance: f64) -> bool {
        -tolerance <= self.room_on_face(index, point)
    }
    /// The instruction set for scans.
    fn level(&self) -> Level;
    /// The numbers of the edges that nothing in `outer` rules out; none in the plane.
    fn edges_near(&self, outer: &Outer<V>) -> Edges;
    /// The edge with this number, if there is one.
    fn edge(&self, number: usize) -> Option<Edge<V>>;
    /// The vertex with this number, as [`Support::support`] counts them, or another one if there is none.
    fn vertex(&self, number: u32) -> V;
    /// How many faces there are.
    fn face_count(&self) -> usize;
    /// How many edges between faces there are; none in the plane.
    fn edge_count(&self) -> usize;
    /// Whether it is a box, whose distance from a point is quickly known.
    const IS_BOX: bool = false;
    /// The squared distance from a point, but for rounding; 0 inside. Only boxes know it.
    #[inline]
    fn distance_squared_from(&self, _point: V) -> Option<f64> {
        None
    }
    /// Corners and sides in columns, of polygons with few of them; `room` is for those that have none at hand.
    #[inline]
    fn rim<'r>(&'r self, _room: &'r mut Option<RimBlock>) -> Option<Rim<'r>> {
        None
    }
    /// The face that three vertices lie on; `None` also where that is not known.
    fn face_between(&self, _vertices: [u32; 3]) -> Option<usize> {
        None
    }
    /// The edge between two vertices; `None` also where that is not known.
    fn edge_between(&self, _vertices: [u32; 2]) -> Option<usize> {
        None
    }
    /// What tells it from other solids, where something does.
    #[inline]
    fn name(&self) -> Option<Name> {
        None
    }
    /// The numbers of the vertices that a face lies between in the plane.
    #[inline]
    fn ends(&self, _face: usize) -> [u32; 2] {
        [0; 2]
    }
}

/// An edge between two faces: along ∥ left × right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<V> {
    pub(crate) number: u32,
    pub(crate) from: V,
    pub(crate) along: V,
    /// The unit normals of the faces.
    pub(crate) left: V,
    pub(crate) right: V,
}

impl<V: Space> Edge<V> {
    /// A direction perpendicular to this edge and to another one, away from the inside.
    fn outwards_across(&self, along: V) -> V {
        let across = V::perpendiculars(&[V::ZERO, self.along, along])[0];
        if across.dot(self.left + self.right) < 0.0 { -across } else { across }
    }
    /// The same edge in the frame that the polytope is put in.
    #[inline]
    fn placed<B: Support<V>>(&self, b: &Posed<B, V>) -> Self {
        Edge {
            number: self.number,
            from: b.placed(self.from),
            along: b.turned(self.along),
            left: b.turned(self.left),
            right: b.turned(self.right),
        }
    }
}

/// What an axis comes from.
#[derive(Clone, Copy, Debug)]
enum Source<V> {
    /// A face of a, and the vertex of b that is deepest below it.
    FaceOfA(usize, V),
    /// A face of b, and the vertex of a that is deepest below it.
    FaceOfB(usize, V),
    /// An edge of each.
    Edges(u32, u32),
}

/// The axis with the least overlap so far.
#[derive(Clone, Copy, Debug)]
struct Least<V> {
    overlap: f64,
    /// From a to b, not of unit length.
    direction: V,
    source: Source<V>,
}

impl<V> Least<V> {
    /// Keeps the better one, the first of equals.
    #[inline]
    fn improve(&mut self, other: Self) {
        if other.overlap < self.overlap {
            *self = other;
        }
    }
}

/// The axis of the least overlap of two polytopes, or that along which they are farthest apart.
pub(crate) struct Overlap<'a, A, B, V> {
    search: Search<'a, A, B, V>,
    least: Least<V>,
}

impl<V: Space + EdgeAxes, A: Solid<V>, B: Solid<V>> Overlap<'_, A, B, V> {
    /// How deep they overlap along it; negative for a gap.
    pub(crate) fn depth(&self) -> f64 {
        self.least.overlap
    }
    /// From a to b, of unit length.
    pub(crate) fn normal(&self) -> V {
        self.least.direction.normalized().unwrap_or(V::unit(0))
    }
    /// The same with points that are that deep.
    pub(crate) fn penetration(&self) -> Penetration<V> {
        self.search.finish(&self.least)
    }
    /// What may help the next time.
    pub(crate) fn memory(&self) -> Memory {
        self.search.memory(&self.least)
    }
}

/// How deep two polytopes overlap, or, with a negative depth, along which axis they are farthest apart; `None` when
/// there are too many axes for this to be quick, or none.
pub(crate) fn least_overlap<'a, V: Space + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &'a A,
    b: &'a Posed<B, V>,
    guess: Option<&Guess<V>>,
    trace: &mut impl Trace<V>,
) -> Option<Overlap<'a, A, B, V>> {
    let mut search = Search::new(a, b)?;
    let mut first = None;
    let guess = match guess {
        Some(guess) => guess,
        None => first.insert(Guess::first(a, b, f64::NEG_INFINITY)?),
    };
    search.bar = guess.overlap;
    (search.of_a, search.of_b) = (guess.of_a, guess.of_b);
    let mut least = Least { overlap: f64::INFINITY, direction: V::ZERO, source: Source::FaceOfA(0, V::ZERO) };
    search.faces_of_a(&mut least, &guess.known, trace);
    search.faces_of_b(&mut least, &guess.known, trace);
    V::edge_axes(&search, &mut least, trace)?;
    (least.overlap < f64::INFINITY).then_some(Overlap { search, least })
}

/// The overlap along the better of the faces of a guess, where that is proved to be the least.
pub(crate) fn landing<'a, V: Space, A: Solid<V>, B: Solid<V>>(
    a: &'a A,
    b: &'a Posed<B, V>,
    guess: &Guess<V>,
    trace: &mut impl Trace<V>,
) -> Option<Overlap<'a, A, B, V>> {
    let least = guess.least()?;
    // What is deeper than it is wide does not rest on anything.
    if !(0.0 < least.overlap && least.overlap < SHALLOW * (a.outer_radius() + b.core().outer_radius())) {
        return None;
    }
    let mut search = Search::new(a, b)?;
    let least = search.proved(&least).or_else(|| search.proved_flush(&guess.known))?;
    (search.of_a, search.of_b) = (guess.of_a, guess.of_b);
    trace.axis(least.direction, least.overlap);
    Some(Overlap { search, least })
}

/// Of the radii of the balls around: whether to look for a proof that an overlap below a face is the least. No answer depends on it.
const SHALLOW: f64 = 0.125;

/// How deep two polytopes overlap, given the faces that may have the least overlap.
pub(crate) fn least_overlap_among<V: Space + EdgeAxes, A: Solid<V>, B: Solid<V>>(
    a: &A,
    b: &Posed<B, V>,
    glance: &Glance,
    trace: &mut impl Trace<V>,
) -> Option<Penetration<V>> {
    let mut search = Search::new(a, b)?;
    let mut least = Least { overlap: f64::INFINITY, direction: V::ZERO, source: Source::FaceOfA(0, V::ZERO) };
    for face in members(&glance.sides[..1]) {
        least.improve(search.of_face_of_a(face, trace));
    }
    for face in members(&glance.sides[1..]) {
        least.improve(search.of_face_of_b(face, trace));
    }
    (least.overlap < f64::INFINITY).then(|| search.finish(&least))
}
