//! The search for the axis of the least overlap: what is asked of faces, and what is known along the way.

use super::cache::{Memory, Winner};
use super::edges::MAX_PAIRS;
use super::filter::Outer;
use super::guess::Seen;
use super::rows::{members, used};
use super::{EdgeAxes, Least, Solid, Source};
use crate::convex::landing;
use crate::gjk::{self, Penetration, Posed, Space, Support, Trace};
use carom_math::Number;

/// The pair, and what every axis needs to know about it.
pub(super) struct Search<'a, A, B, V> {
    pub(super) a: &'a A,
    pub(super) b: &'a Posed<B, V>,
    /// The centre of b from that of a, in the frame of a.
    pub(super) between: V,
    /// The centre of a from that of b, in the frame of b.
    pub(super) back: V,
    /// An overlap that the least one does not exceed.
    pub(super) bar: f64,
    /// Points of a, in the frame of b. For any unit n, H(n) >= n·(p − q) for all p of a and q of b: with q
    /// on a face or edge of b, points of a that are far out rule out its normals, and the other way around.
    pub(super) of_a: Seen<V>,
    /// Points of b, in the frame of a.
    pub(super) of_b: Seen<V>,
    /// The bound on all rounding errors.
    pub(super) error: f64,
}

impl<'a, V: Space, A: Solid<V>, B: Solid<V>> Search<'a, A, B, V> {
    pub(super) fn new(a: &'a A, b: &'a Posed<B, V>) -> Option<Self> {
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
    pub(super) fn of_face_of_a(&mut self, index: usize, trace: &mut impl Trace<V>) -> Least<V> {
        let (least, deepest, number) = self.below_face_of_a(index);
        self.of_b.add(deepest, number);
        trace.axis(least.direction, least.overlap);
        least
    }

    /// The same, with the vertex of b that is deepest below the face and its number.
    #[inline(always)]
    fn below_face_of_a(&self, index: usize) -> (Least<V>, V, u32) {
        let (direction, vertex) = self.a.face(index);
        let (deepest, number) = self.b.support(-direction);
        let overlap = direction.dot(vertex - deepest) / direction.length();
        (Least { overlap, direction, source: Source::FaceOfA(index, deepest) }, deepest, number)
    }

    /// H of a face of b.
    #[inline]
    pub(super) fn of_face_of_b(&mut self, index: usize, trace: &mut impl Trace<V>) -> Least<V> {
        let (least, deepest, number) = self.below_face_of_b(index);
        self.of_a.add(self.b.taken_back(deepest), number);
        trace.axis(least.direction, least.overlap);
        least
    }

    /// The same, with the vertex of a that is deepest below the face and its number.
    #[inline(always)]
    fn below_face_of_b(&self, index: usize) -> (Least<V>, V, u32) {
        let (normal, vertex) = self.b.core().face(index);
        let direction = -self.b.turned(normal);
        let (deepest, number) = self.a.support(direction);
        let overlap = direction.dot(deepest - self.b.placed(vertex)) / direction.length();
        (Least { overlap, direction, source: Source::FaceOfB(index, deepest) }, deepest, number)
    }

    /// The same if it is an overlap below a face that is proved to be the least.
    pub(super) fn proved(&self, least: &Least<V>) -> Option<Least<V>> {
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
    pub(super) fn proved_flush(&self, known: &[Option<Least<V>>; 2]) -> Option<Least<V>> {
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
    pub(super) fn outer_of_a(&self, limit: f64) -> Outer<V> {
        Outer::new(self.of_b.points(), self.a.center(), limit, self.between, self.b.core().inner_radius())
    }

    /// What rules out faces and edges of b, in the frame of b.
    pub(super) fn outer_of_b(&self, limit: f64) -> Outer<V> {
        Outer::new(self.of_a.points(), self.b.core().center(), limit, self.back, self.a.inner_radius())
    }

    pub(super) fn faces_of_a(
        &mut self,
        least: &mut Least<V>,
        known: &[Option<Least<V>>; 2],
        trace: &mut impl Trace<V>,
    ) {
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

    pub(super) fn faces_of_b(
        &mut self,
        least: &mut Least<V>,
        known: &[Option<Least<V>>; 2],
        trace: &mut impl Trace<V>,
    ) {
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

    pub(super) fn memory(&self, least: &Least<V>) -> Memory {
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
    pub(super) fn limit(&self, least: &Least<V>) -> f64 {
        least.overlap.min_of(self.bar) + self.error
    }

    pub(super) fn finish(&self, least: &Least<V>) -> Penetration<V>
    where
        V: EdgeAxes,
    {
        let (Least { overlap: depth, direction, .. }, [point_a, point_b]) = self.with_points(least);
        Penetration {
            depth,
            lower: (depth - self.error).max_of(0.0),
            upper: (depth + self.error).max_of(0.0),
            normal: direction.normalized().unwrap_or(V::unit(0)),
            point_a,
            point_b,
            iterations: 0,
        }
    }

    /// Points of both that are as deep as the overlap; with another one that is as deep up to rounding, if only that has such points.
    fn with_points(&self, least: &Least<V>) -> (Least<V>, [V; 2])
    where
        V: EdgeAxes,
    {
        let normal = least.direction.normalized().unwrap_or(V::unit(0));
        if let Some(points) = self.on_features(least).or_else(|| self.on_flush_sides(least, normal)) {
            return (*least, points);
        }
        let out = normal * least.overlap;
        let touching = gjk::distance(self.a, &self.b.moved(out), None, f64::INFINITY, &mut ());
        let points = [touching.point_a, touching.point_b - out];
        if (touching.point_a - touching.point_b).length() <= MEETING * self.error {
            return (*least, points);
        }
        if let Some(points) = self.common_point(points, out) {
            return (*least, points);
        }
        self.as_deep(least)
            .or_else(|| Some((*least, self.crossing_edges(normal, out)?)))
            .unwrap_or((*least, points))
    }

    /// Of edges that are one but for rounding, as those of a needle are, only some are long enough to meet the other shape: the first edges that meet
    /// when b has been moved out along the normal. They meet at the height of the highest point of a, so that of a few edges only reach up there; should nearly all do,
    /// as around a face, the first [`MAX_PAIRS`] are tried.
    #[cold]
    #[inline(never)]
    fn crossing_edges(&self, normal: V, out: V) -> Option<[V; 2]>
    where
        V: EdgeAxes,
    {
        let core = self.b.core();
        let edges_of_b = || (0..core.edge_count()).filter_map(|number| core.edge(number));
        // What meets is as close as that, and both heights are rounded.
        let top = normal.dot(self.a.support(normal).0) - 2.0 * MEETING * self.error;
        (0..self.a.edge_count())
            .filter_map(|number| self.a.edge(number))
            .filter(|of_a| top <= normal.dot(of_a.from).max_of(normal.dot(of_a.from + of_a.along)))
            .flat_map(|of_a| edges_of_b().map(move |of_b| (of_a, of_b)))
            .take(MAX_PAIRS)
            .filter_map(|(of_a, of_b)| V::crossing_points(of_a, of_b.placed(self.b), out))
            .find(|[point_a, point_b]| (*point_a - *point_b - out).length() <= MEETING * self.error)
    }

    /// Of points that lie beside each other where both touch, as on edges that are almost parallel, one that belongs to both.
    #[cold]
    #[inline(never)]
    fn common_point(&self, [point_a, point_b]: [V; 2], out: V) -> Option<[V; 2]> {
        let core = self.b.core();
        let is_in_a =
            |point: V| is_below_all(self.a.face_count(), |face| self.a.face(face), point, self.error);
        let is_in_b = |point: V| {
            is_below_all(core.face_count(), |face| core.face(face), self.b.taken_back(point), self.error)
        };
        let of_a = [point_a, point_a - out];
        let of_b = [point_b + out, point_b];
        if is_in_b(of_a[1]) { Some(of_a) } else { is_in_a(of_b[0]).then_some(of_b) }
    }

    /// The points on the features that the axis comes from, if they are there.
    #[inline(always)]
    fn on_features(&self, least: &Least<V>) -> Option<[V; 2]>
    where
        V: EdgeAxes,
    {
        let out = least.direction.normalized().unwrap_or(V::unit(0)) * least.overlap;
        match least.source {
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
        }
    }

    /// Of two faces that are one but for rounding, both are as deep, and only one of them is above the deepest vertex: the first
    /// face that is no deeper, up to rounding, and has the foot of the vertex on it.
    #[cold]
    #[inline(never)]
    fn as_deep(&self, least: &Least<V>) -> Option<(Least<V>, [V; 2])>
    where
        V: EdgeAxes,
    {
        let of_a = (0..self.a.face_count()).map(|face| self.below_face_of_a(face).0);
        let of_b = (0..self.b.core().face_count()).map(|face| self.below_face_of_b(face).0);
        of_a.chain(of_b)
            .filter(|other| other.overlap <= least.overlap + self.error)
            .find_map(|other| Some((other, self.on_features(&other)?)))
    }
}

/// Whether a point is above none of the faces, each given by a normal of any length and a vertex.
fn is_below_all<V: Space>(count: usize, face: impl Fn(usize) -> (V, V), point: V, tolerance: f64) -> bool {
    (0..count).map(face).all(|(normal, vertex)| normal.dot(point - vertex) <= tolerance * normal.length())
}

/// Points that touch are as near to each other, in bounds on all rounding errors.
const MEETING: f64 = 4.0;
