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
pub(crate) mod pairs;
mod rims;
mod rows;
mod sheets;
mod sides;
#[cfg(test)]
mod tests;

use crate::convex::landing;
use crate::gjk::{self, Penetration, Posed, Space, Support, Trace};
use carom_math::{Level, Number, Vector};

pub(crate) use arrival::{Arrival, Entry, FLAT, Missed, arrival, entry, last_side};
pub use cache::PairCache;
use cache::Winner;
pub(crate) use cache::{Last, Memory};
pub(crate) use edges::{EdgeAxes, Own, QuickAnswer};
use filter::SEEN;
pub(crate) use filter::{ArcRows, Edges, Faces, MAX_FACES, NO_EDGES, NO_FACES, Outer, PlaneRows};
pub(crate) use rims::{Glance, Rim, RimBlock, RimRows};
use rows::used;
pub(crate) use rows::{PointRows, members};
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

/// The overlap along some axis, and points of the pair that are far out: they rule out axes that are worse,
/// and change no answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guess<V> {
    pub(crate) overlap: f64,
    /// Axes that belong to faces.
    known: [Option<Least<V>>; 2],
    of_a: Seen<V>,
    of_b: Seen<V>,
}

impl<V: Space> Guess<V> {
    /// Along a direction of any length.
    #[inline]
    pub(crate) fn along<B: Support<V>>(a: &impl Support<V>, b: &Posed<B, V>, direction: V) -> Self {
        let ((point_a, number_a), (point_b, number_b)) = (a.support(direction), b.support(-direction));
        let overlap = direction.dot(point_a - point_b) / direction.length();
        let mut guess = Guess { overlap, known: [None; 2], of_a: Seen::NONE, of_b: Seen::NONE };
        guess.of_a.add(b.taken_back(point_a), number_a);
        guess.of_b.add(point_b, number_b);
        guess
    }

    /// Along the axis that was best before, with the points that ruled out others then.
    pub(crate) fn recalled<A: Solid<V>, B: Solid<V>>(
        a: &A,
        b: &Posed<B, V>,
        memory: &Memory,
    ) -> Option<Self> {
        let mut search = Search::new(a, b)?;
        for &number in memory.of_a.iter().take(usize::from(memory.count_a)) {
            search.of_a.add(b.taken_back(a.vertex(number)), number);
        }
        for &number in memory.of_b.iter().take(usize::from(memory.count_b)) {
            search.of_b.add(b.placed(b.core().vertex(number)), number);
        }
        let known = match memory.winner {
            Winner::FaceOfA(face) if (face as usize) < a.face_count() => {
                search.of_face_of_a(face as usize, &mut ())
            }
            Winner::FaceOfB(face) if (face as usize) < b.core().face_count() => {
                search.of_face_of_b(face as usize, &mut ())
            }
            Winner::Edges(of_a, of_b) => {
                let (of_a, of_b) = (a.edge(of_a as usize)?, b.core().edge(of_b as usize)?);
                let across = V::perpendiculars(&[V::ZERO, of_a.along, b.turned(of_b.along)])[0];
                let outwards = across.dot(of_a.left + of_a.right);
                let guess = Guess::along(a, b, if outwards < 0.0 { -across } else { across });
                search.of_a.add(guess.of_a.points[0], guess.of_a.numbers[0]);
                search.of_b.add(guess.of_b.points[0], guess.of_b.numbers[0]);
                let guess = Guess { of_a: search.of_a, of_b: search.of_b, ..guess };
                return (guess.overlap < f64::INFINITY).then_some(guess);
            }
            _ => return None,
        };
        let known = [Some(known), None];
        Some(Guess { overlap: known[0]?.overlap, known, of_a: search.of_a, of_b: search.of_b })
    }

    /// Along the face of each that is nearest to the centre of the other; only that of a, if the overlap along it
    /// is below `enough` already.
    pub(crate) fn first<A: Solid<V>, B: Solid<V>>(a: &A, b: &Posed<B, V>, enough: f64) -> Option<Self> {
        let mut search = Search::new(a, b)?;
        let of_a = search.of_face_of_a(a.nearest_face(search.between), &mut ());
        let (mut overlap, mut known) = (of_a.overlap, [Some(of_a), None]);
        if enough <= overlap {
            let of_b = search.of_face_of_b(b.core().nearest_face(search.back), &mut ());
            (overlap, known[1]) = (of_b.overlap.min_of(overlap), Some(of_b));
        }
        Some(Guess { overlap, known, of_a: search.of_a, of_b: search.of_b })
    }

    /// The axis with the least overlap of those that belong to faces, if there are any.
    pub(crate) fn normal(&self) -> Option<V> {
        self.least()?.direction.normalized()
    }

    fn least(&self) -> Option<Least<V>> {
        let mut least = self.known[0]?;
        if let Some(other) = self.known[1] {
            least.improve(other);
        }
        Some(least)
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

/// The last few support points of a polytope, with their numbers.
#[derive(Clone, Copy, Debug)]
struct Seen<V> {
    points: [V; SEEN],
    numbers: [u32; SEEN],
    count: usize,
}

impl<V: Vector<Scalar = f64>> Seen<V> {
    const NONE: Self = Seen { points: [V::ZERO; SEEN], numbers: [0; SEEN], count: 0 };

    /// In place of the oldest, if there are too many; nothing new for one that is there.
    fn add(&mut self, point: V, number: u32) {
        if !self.numbers[..self.count.min(SEEN)].contains(&number) {
            self.points[self.count % SEEN] = point;
            self.numbers[self.count % SEEN] = number;
            self.count += 1;
        }
    }
    #[inline]
    fn points(&self) -> &[V] {
        &self.points[..self.count.min(SEEN)]
    }
    /// Those that came after the first `count`, as far as they are still there.
    #[inline]
    fn since(&self, count: usize) -> impl Iterator<Item = V> + '_ {
        (count.max(self.count.saturating_sub(SEEN))..self.count).map(|index| self.points[index % SEEN])
    }
}

/// The pair, and what every axis needs to know about it.
struct Search<'a, A, B, V> {
    a: &'a A,
    b: &'a Posed<B, V>,
    /// The centre of b from that of a, in the frame of a.
    between: V,
    /// The centre of a from that of b, in the frame of b.
    back: V,
    /// An overlap that the least one does not exceed.
    bar: f64,
    /// Points of a, in the frame of b. For any unit n, H(n) >= n·(p − q) for all p of a and q of b: with q
    /// on a face or edge of b, points of a that are far out rule out its normals, and the other way around.
    of_a: Seen<V>,
    /// Points of b, in the frame of a.
    of_b: Seen<V>,
    /// The bound on all rounding errors.
    error: f64,
}

impl<'a, V: Space, A: Solid<V>, B: Solid<V>> Search<'a, A, B, V> {
    fn new(a: &'a A, b: &'a Posed<B, V>) -> Option<Self> {
        if !(a.has_faces() && b.core().has_faces()) {
            return None;
        }
        let between = b.center() - a.center();
        Some(Search {
            a,
            b,
            between,
            back: b.turned_back(-between),
            bar: f64::INFINITY,
            of_a: Seen::NONE,
            of_b: Seen::NONE,
            error: gjk::rounding_error(a, b),
        })
    }

    /// H of a face of a.
    #[inline]
    fn of_face_of_a(&mut self, index: usize, trace: &mut impl Trace<V>) -> Least<V> {
        let (direction, vertex) = self.a.face(index);
        let (deepest, number) = self.b.support(-direction);
        self.of_b.add(deepest, number);
        let overlap = direction.dot(vertex - deepest) / direction.length();
        trace.axis(direction, overlap);
        Least { overlap, direction, source: Source::FaceOfA(index, deepest) }
    }

    /// H of a face of b.
    #[inline]
    fn of_face_of_b(&mut self, index: usize, trace: &mut impl Trace<V>) -> Least<V> {
        let (normal, vertex) = self.b.core().face(index);
        let direction = -self.b.turned(normal);
        let (deepest, number) = self.a.support(direction);
        self.of_a.add(self.b.taken_back(deepest), number);
        let overlap = direction.dot(deepest - self.b.placed(vertex)) / direction.length();
        trace.axis(direction, overlap);
        Least { overlap, direction, source: Source::FaceOfB(index, deepest) }
    }

    /// The same if it is an overlap below a face that is proved to be the least.
    fn proved(&self, least: &Least<V>) -> Option<Least<V>> {
        let depth = least.overlap;
        let (unit, room, between) = match least.source {
            Source::FaceOfA(face, lowest) => {
                let unit = self.a.plane(face).0;
                (unit, self.a.room_on_face(face, lowest + unit * depth), self.between)
            }
            Source::FaceOfB(face, highest) => {
                let unit = self.b.core().plane(face).0;
                let foot = self.b.taken_back(highest) + unit * depth;
                (unit, self.b.core().room_on_face(face, foot), self.back)
            }
            Source::Edges(..) => return None,
        };
        self.is_least(depth, room, unit, between).then_some(*least)
    }

    /// The overlap of faces that lie flush, if it is proved to be the least.
    fn proved_flush(&self, known: &[Option<Least<V>>; 2]) -> Option<Least<V>> {
        let [Some(of_a), Some(of_b)] = known else { return None };
        let (Source::FaceOfA(face_a, _), Source::FaceOfB(face_b, _)) = (of_a.source, of_b.source) else {
            return None;
        };
        let (core, unit) = (self.b.core(), self.a.plane(face_a).0);
        if !landing::is_flush(unit, self.b.turned(core.plane(face_b).0)) {
            return None;
        }
        let middles = [self.a.middle_of_face(face_a), self.b.placed(core.middle_of_face(face_b))];
        let rooms = |p: V| [self.a.room_on_face(face_a, p), core.room_on_face(face_b, self.b.taken_back(p))];
        let (point, room) = landing::common_room(middles, rooms)?;
        let on_a = point - unit * unit.dot(point - middles[0]);
        let least = Least { source: Source::FaceOfA(face_a, on_a - unit * of_a.overlap), ..*of_a };
        self.is_least(of_a.overlap, room, unit, self.between).then_some(least)
    }

    fn is_least(&self, depth: f64, room: f64, unit: V, between: V) -> bool {
        let along = unit.dot(between);
        let aside = (between - unit * along).length();
        landing::Overlap { depth, room, along, aside }.is_least(self.error)
    }

    /// What rules out faces and edges of a.
    fn outer_of_a(&self, limit: f64) -> Outer<V> {
        Outer::new(self.of_b.points(), self.a.center(), limit, self.between, self.b.core().inner_radius())
    }

    /// What rules out faces and edges of b, in the frame of b.
    fn outer_of_b(&self, limit: f64) -> Outer<V> {
        Outer::new(self.of_a.points(), self.b.core().center(), limit, self.back, self.a.inner_radius())
    }

    fn faces_of_a(&mut self, least: &mut Least<V>, known: &[Option<Least<V>>; 2], trace: &mut impl Trace<V>) {
        let seen = self.of_b.count;
        let near = self.a.faces_near(&self.outer_of_a(self.limit(least)));
        for index in members(used(&near, self.a.face_count())) {
            let is_this =
                |known: &&Least<V>| matches!(known.source, Source::FaceOfA(face, _) if face == index);
            let next = if let Some(&known) = known.iter().flatten().find(is_this) {
                trace.axis(known.direction, known.overlap);
                known
            } else {
                // More may be ruled out by what was found since.
                let limit = self.limit(least);
                let (normal, vertex) = self.a.plane(index);
                if self.of_b.since(seen).any(|p| limit < normal.dot(vertex - p)) {
                    continue;
                }
                self.of_face_of_a(index, trace)
            };
            least.improve(next);
        }
    }

    fn faces_of_b(&mut self, least: &mut Least<V>, known: &[Option<Least<V>>; 2], trace: &mut impl Trace<V>) {
        let seen = self.of_a.count;
        let near = self.b.core().faces_near(&self.outer_of_b(self.limit(least)));
        for index in members(used(&near, self.b.core().face_count())) {
            let is_this =
                |known: &&Least<V>| matches!(known.source, Source::FaceOfB(face, _) if face == index);
            let next = if let Some(&known) = known.iter().flatten().find(is_this) {
                trace.axis(known.direction, known.overlap);
                known
            } else {
                let limit = self.limit(least);
                let (normal, vertex) = self.b.core().plane(index);
                if self.of_a.since(seen).any(|p| limit < normal.dot(vertex - p)) {
                    continue;
                }
                self.of_face_of_b(index, trace)
            };
            least.improve(next);
        }
    }

    fn memory(&self, least: &Least<V>) -> Memory {
        Memory {
            winner: match least.source {
                Source::FaceOfA(face, _) => Winner::FaceOfA(face as u32),
                Source::FaceOfB(face, _) => Winner::FaceOfB(face as u32),
                Source::Edges(of_a, of_b) => Winner::Edges(of_a, of_b),
            },
            of_a: self.of_a.numbers,
            of_b: self.of_b.numbers,
            count_a: self.of_a.points().len() as u8,
            count_b: self.of_b.points().len() as u8,
        }
    }

    /// Overlaps above this are not the least, rounding included.
    #[inline]
    fn limit(&self, least: &Least<V>) -> f64 {
        least.overlap.min_of(self.bar) + self.error
    }

    fn finish(&self, least: &Least<V>) -> Penetration<V>
    where
        V: EdgeAxes,
    {
        let depth = least.overlap;
        let normal = least.direction.normalized().unwrap_or(V::unit(0));
        let out = normal * depth;
        let on_features = match least.source {
            Source::FaceOfA(face, point_b) => {
                let point_a = point_b + out;
                self.a.is_on_face(face, point_a, self.error).then_some([point_a, point_b])
            }
            Source::FaceOfB(face, point_a) => {
                let point_b = point_a - out;
                let local = self.b.taken_back(point_b);
                self.b.core().is_on_face(face, local, self.error).then_some([point_a, point_b])
            }
            Source::Edges(of_a, of_b) => {
                let of_b = self.b.core().edge(of_b as usize).map(|edge| edge.placed(self.b));
                let edges = self.a.edge(of_a as usize).zip(of_b);
                edges.and_then(|(of_a, of_b)| V::crossing_points(of_a, of_b, out))
            }
        };
        let on_features = on_features.or_else(|| self.on_flush_sides(least, normal));
        let [point_a, point_b] = on_features.unwrap_or_else(|| {
            let touching = gjk::distance(self.a, &self.b.moved(out), None, f64::INFINITY, &mut ());
            [touching.point_a, touching.point_b - out]
        });
        Penetration {
            depth,
            lower: (depth - self.error).max_of(0.0),
            upper: (depth + self.error).max_of(0.0),
            normal,
            point_a,
            point_b,
            iterations: 0,
        }
    }
}
