//! Axes between two edges, and where two edges cross; only space has them.

use super::cache::Winner;
use super::rows::{CHUNK, EdgeRows, OPPOSITE, members, used};
use super::shell::Shell;
use super::{Edge, Edges, Glance, Least, NO_EDGES, Search, Solid, Source, rims};
use crate::answer::Separation;
use crate::gjk::quick::{self, Cornered, Nearness};
use crate::gjk::{Posed, Space, Support, Trace};
use carom_math::{Level, Number, Vec2, Vec3, Vector};

/// Pairs of edges that are looked at; if more remain, growing a polytope (EPA) is quicker than to go on.
pub(super) const MAX_PAIRS: usize = 32768;

/// Edges with a squared sine of the angle between them below this, 2⁻²⁰, have an axis that rounding moves
/// along their arcs: it is taken from the arcs, which keep it between their ends.
const NEARLY_PARALLEL: f64 = 1.0 / 1_048_576.0;

/// What the plane and space do about edges.
pub(crate) trait EdgeAxes: Vector<Scalar = f64> {
    /// Tries the axes between edges; `None` when there are too many.
    #[allow(private_interfaces)] // the search stays inside of this module
    fn edge_axes<A: Solid<Self>, B: Solid<Self>>(
        search: &Search<'_, A, B, Self>,
        least: &mut Least<Self>,
        trace: &mut impl Trace<Self>,
    ) -> Option<()>;
    /// The least overlap, given the axis that lately had it and how far the pair moved since, where a shell proves it; see [`super::shell`]. Nothing in the plane.
    #[inline]
    #[allow(private_interfaces)]
    fn least_by_shell<A: Solid<Self>, B: Solid<Self>>(
        _search: &mut Search<'_, A, B, Self>,
        _shell: &mut Shell,
        _lately: (Winner, f64),
    ) -> Option<Least<Self>> {
        None
    }
    /// Makes the shell that proves an overlap to be the least; whether there is one.
    #[allow(private_interfaces)]
    fn make_shell<A: Solid<Self>, B: Solid<Self>>(
        _search: &Search<'_, A, B, Self>,
        _shell: &mut Shell,
        _least: &Least<Self>,
    ) -> bool {
        false
    }
    /// The point of each edge where they cross once the second is moved `out`; `None` if they do not, but
    /// for rounding.
    fn crossing_points(of_a: Edge<Self>, of_b: Edge<Self>, out: Self) -> Option<[Self; 2]>;
    /// The nearest points for answers in `f32`, that they are farther apart than the second bound, or that they overlap,
    /// where that is beyond doubt; the first bounds the rounding errors. Nothing in the plane.
    #[inline(always)]
    fn quickly_nearest<A: Solid<Self>, B: Solid<Self>>(
        _a: &A,
        _b: &Posed<B, Self>,
        _bounds: (f64, f64),
    ) -> QuickAnswer<Self> {
        QuickAnswer::Unknown
    }
    /// A look at all faces at once, where that is quick: at polygons with few corners.
    #[inline]
    fn glance<A: Solid<Self>, B: Solid<Self>>(_a: &A, _b: &Posed<B, Self>) -> Option<Glance> {
        None
    }
}

/// What [`EdgeAxes::quickly_nearest`] says.
pub(crate) enum QuickAnswer<V: Vector<Scalar = f64>> {
    /// They are farther apart than the limit, as the slab across this direction proves, and so thick.
    Beyond(V, f64),
    /// They are apart like this.
    Apart(Separation<V>),
    /// They have a common point, by more than rounding.
    Overlap,
    /// It takes more to say.
    Unknown,
}

/// A polytope in its own frame.
pub(crate) struct Own<'a, A>(pub(crate) &'a A);

impl<A: Solid<Vec3<f64>>> Cornered for Own<'_, A> {
    #[inline(always)]
    fn farthest(&self, direction: Vec3<f64>) -> (Vec3<f64>, usize) {
        let (corner, number) = self.0.support(direction);
        (corner, number as usize)
    }
    #[inline(always)]
    fn corner(&self, number: usize) -> Vec3<f64> {
        self.0.vertex(number as u32)
    }
    #[inline(always)]
    fn middle(&self) -> Vec3<f64> {
        self.0.center()
    }
}

impl<B: Solid<Vec3<f64>>> Cornered for Posed<B, Vec3<f64>> {
    #[inline(always)]
    fn farthest(&self, direction: Vec3<f64>) -> (Vec3<f64>, usize) {
        let (corner, number) = self.support(direction);
        (corner, number as usize)
    }
    #[inline(always)]
    fn corner(&self, number: usize) -> Vec3<f64> {
        self.placed(self.core().vertex(number as u32))
    }
    #[inline(always)]
    fn middle(&self) -> Vec3<f64> {
        self.center()
    }
}

impl EdgeAxes for Vec2<f64> {
    #[allow(private_interfaces)]
    fn edge_axes<A: Solid<Self>, B: Solid<Self>>(
        _: &Search<'_, A, B, Self>,
        _: &mut Least<Self>,
        _: &mut impl Trace<Self>,
    ) -> Option<()> {
        Some(())
    }
    fn crossing_points(_: Edge<Self>, _: Edge<Self>, _: Self) -> Option<[Self; 2]> {
        None
    }
    #[inline]
    fn glance<A: Solid<Self>, B: Solid<Self>>(a: &A, b: &Posed<B, Self>) -> Option<Glance> {
        rims::glance(a, b)
    }
}

impl EdgeAxes for Vec3<f64> {
    #[allow(private_interfaces)]
    fn edge_axes<A: Solid<Self>, B: Solid<Self>>(
        search: &Search<'_, A, B, Self>,
        least: &mut Least<Self>,
        trace: &mut impl Trace<Self>,
    ) -> Option<()> {
        let (a, b) = (search.a, search.b);
        let limit = search.limit(least);
        let edges_a = a.edges_near(&search.outer_of_a(limit));
        if edges_a == NO_EDGES {
            return Some(());
        }
        let edges_b = b.core().edges_near(&search.outer_of_b(limit));
        let mut stage = EdgeStage {
            search,
            edges_a,
            rows: EdgeRows::EMPTY,
            numbers: [0; CHUNK],
            count: 0,
            pairs: 0,
            level: a.level(),
            is_careful: false,
        };
        let of_faces = *least;
        stage.try_each(&edges_b, least, trace);
        if stage.pairs <= MAX_PAIRS && !search.confirm_edges(least) {
            // Rounding took arcs for crossing that do not.
            (*least, stage.is_careful, stage.pairs) = (of_faces, true, 0);
            stage.try_each(&edges_b, least, trace);
        }
        (stage.pairs <= MAX_PAIRS).then_some(())
    }

    #[inline]
    #[allow(private_interfaces)]
    fn least_by_shell<A: Solid<Self>, B: Solid<Self>>(
        search: &mut Search<'_, A, B, Self>,
        shell: &mut Shell,
        (winner, motion): (Winner, f64),
    ) -> Option<Least<Self>> {
        search.least_by_shell(shell, winner, motion)
    }

    #[allow(private_interfaces)]
    fn make_shell<A: Solid<Self>, B: Solid<Self>>(
        search: &Search<'_, A, B, Self>,
        shell: &mut Shell,
        least: &Least<Self>,
    ) -> bool {
        search.make_shell(shell, least)
    }

    #[inline(always)]
    fn quickly_nearest<A: Solid<Self>, B: Solid<Self>>(
        a: &A,
        b: &Posed<B, Self>,
        (error, limit): (f64, f64),
    ) -> QuickAnswer<Self> {
        match quick::nearest(&Own(a), b, error, limit) {
            Nearness::Beyond(along, thickness) => QuickAnswer::Beyond(along, thickness),
            Nearness::Near(between) => match between.narrow([0.0; 2], error) {
                Some(found) => QuickAnswer::Apart(found),
                None => QuickAnswer::Unknown,
            },
            Nearness::Overlap => QuickAnswer::Overlap,
            Nearness::Unknown => QuickAnswer::Unknown,
        }
    }

    fn crossing_points(of_a: Edge<Self>, of_b: Edge<Self>, out: Self) -> Option<[Self; 2]> {
        // p + s·e = q + t·f in the plane of e and f: with m = e × f and w = q − p, s = (w × f)·m / m² and
        // t = (w × e)·m / m².
        let across = Self::perpendiculars(&[Vec3::ZERO, of_a.along, of_b.along])[0];
        let squared = across.length_squared();
        let parallel = NEARLY_PARALLEL * (of_a.along.length_squared() * of_b.along.length_squared());
        if squared <= parallel {
            return None;
        }
        let between = (of_b.from + out) - of_a.from;
        let s = between.cross(of_b.along).dot(across) / squared;
        let t = between.cross(of_a.along).dot(across) / squared;
        let is_inside = |x: f64| (0.0..=1.0).contains(&x);
        (is_inside(s) && is_inside(t)).then(|| [of_a.from + of_a.along * s, of_b.from + of_b.along * t])
    }
}

/// Collects edges of b until a chunk is full, then tries them against those of a.
struct EdgeStage<'s, 'a, A, B> {
    search: &'s Search<'a, A, B, Vec3<f64>>,
    edges_a: Edges,
    rows: EdgeRows,
    numbers: [usize; CHUNK],
    count: usize,
    pairs: usize,
    level: Level,
    /// Whether the overlap of every pair is measured at support points.
    is_careful: bool,
}

impl<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>> EdgeStage<'_, '_, A, B> {
    fn try_each(&mut self, edges_b: &Edges, least: &mut Least<Vec3<f64>>, trace: &mut impl Trace<Vec3<f64>>) {
        let b = self.search.b;
        let near = used(edges_b, b.core().edge_count());
        for edge in members(near).filter_map(|number| b.core().edge(number)) {
            self.add(edge.placed(b), least, trace);
        }
        self.try_all(least, trace);
    }

    #[inline]
    fn add(
        &mut self,
        edge: Edge<Vec3<f64>>,
        least: &mut Least<Vec3<f64>>,
        trace: &mut impl Trace<Vec3<f64>>,
    ) {
        self.rows.set(self.count, [edge.along, edge.left, edge.right, edge.from]);
        self.numbers[self.count] = edge.number as usize;
        self.count += 1;
        if self.count == CHUNK {
            self.try_all(least, trace);
        }
    }

    fn try_all(&mut self, least: &mut Least<Vec3<f64>>, trace: &mut impl Trace<Vec3<f64>>) {
        let count = core::mem::take(&mut self.count);
        if count == 0 || MAX_PAIRS < self.pairs {
            return;
        }
        let mut pairs = 0;
        let near = used(&self.edges_a, self.search.a.edge_count());
        for of_a in members(near).filter_map(|number| self.search.a.edge(number)) {
            pairs += count;
            let edge = [of_a.along, of_a.left, of_a.right, of_a.from];
            // Not the bar: an axis that is taken from the arcs may be off by more than rounding.
            let limit = least.overlap + self.search.error;
            let mut crossing = self.rows.crossing(self.level, count, edge, limit);
            while crossing != 0 {
                let index = crossing.trailing_zeros() as usize;
                crossing &= crossing - 1;
                if let Some(of_b) = self.search.b.core().edge(self.numbers[index]) {
                    let of_b = of_b.placed(self.search.b);
                    self.search.try_edges(of_a, of_b, self.is_careful, least, trace);
                }
            }
        }
        self.pairs += pairs;
    }
}

impl<A: Solid<Vec3<f64>>, B: Solid<Vec3<f64>>> Search<'_, A, B, Vec3<f64>> {
    /// Measures the overlap along the axis of the least one at support points, if it is one of edges; whether that
    /// is what it was, but for rounding.
    pub(super) fn confirm_edges(&self, least: &mut Least<Vec3<f64>>) -> bool {
        if !matches!(least.source, Source::Edges(..)) {
            return true;
        }
        let overlap = self.overlap_along(least.direction);
        let is_same = overlap <= least.overlap + self.error;
        least.overlap = overlap;
        is_same
    }

    pub(super) fn overlap_along(&self, direction: Vec3<f64>) -> f64 {
        let difference = self.a.support(direction).0 - self.b.support(-direction).0;
        direction.dot(difference) / Vector::length(direction)
    }

    /// Keeps the axis between two edges with these numbers, if their arcs cross and it is better.
    pub(super) fn try_pair(&self, of_a: u32, of_b: u32, least: &mut Least<Vec3<f64>>) {
        let edges = self.a.edge(of_a as usize).zip(self.b.core().edge(of_b as usize));
        if let Some((of_a, of_b)) = edges.map(|(of_a, of_b)| (of_a, of_b.placed(self.b))) {
            // As in `crossing`.
            let [c, d] = [of_b.left.dot(of_a.along), of_b.right.dot(of_a.along)];
            let [a, b] = [of_a.left.dot(of_b.along), of_a.right.dot(of_b.along)];
            if (c * d).max_of(a * b).max_of(c * b) < 0.0 {
                self.try_edges(of_a, of_b, false, least, &mut ());
            }
        }
    }

    /// Keeps the axis between two edges whose arcs cross, if it is better. Where they cross, the edges hold the
    /// support points; the careful look for them nevertheless.
    #[inline]
    fn try_edges(
        &self,
        of_a: Edge<Vec3<f64>>,
        of_b: Edge<Vec3<f64>>,
        is_careful: bool,
        least: &mut Least<Vec3<f64>>,
        trace: &mut impl Trace<Vec3<f64>>,
    ) {
        // The point of the arc of b that is perpendicular to the edge of a.
        let (c, d) = (of_b.left.dot(of_a.along), of_b.right.dot(of_a.along));
        let mut direction = -(of_b.left + (of_b.right - of_b.left) * (c / (c - d)));
        let is_told = OPPOSITE < direction.length_squared();
        let between = of_a.from - of_b.from;
        if is_told && least.overlap <= direction.dot(between) / Vector::length(direction) {
            return;
        }
        let across = Vec3::perpendiculars(&[Vec3::ZERO, of_a.along, of_b.along])[0];
        let lengths = of_a.along.length_squared() * of_b.along.length_squared();
        if !is_told || NEARLY_PARALLEL * lengths < across.length_squared() {
            // With e along the edge of a and f along that of b, the axis is n = ±(e × f). The arc of b turns about f from
            // its left normal m to −n, so m × −n is along f; and m × (f × e) = f·(m·e) = f·c.
            direction = if c < 0.0 { -across } else { across };
        }
        if direction == Vec3::ZERO {
            return;
        }
        let overlap = if is_careful {
            self.overlap_along(direction)
        } else {
            direction.dot(between) / Vector::length(direction)
        };
        trace.axis(direction, overlap);
        if overlap < least.overlap {
            *least = Least { overlap, direction, source: Source::Edges(of_a.number, of_b.number) };
        }
    }
}
