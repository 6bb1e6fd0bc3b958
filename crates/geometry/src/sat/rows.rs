//! Vectors stored column by column, and the scans over them that the kernels spend their time in.
//!
//! Each scan takes as many vectors at a time as the processor has lanes (see [`Lanes`]). Every product is
//! summed in the order of the axes, and of equals the lowest index wins whichever lane found it: the
//! answers are the same bits at any width.

use carom_math::{Lanes, Level, Number, Vec3, Vector, prelude_simd::*};
use core::marker::PhantomData;

/// Vectors in a block: the widest row there is.
const BLOCK: usize = 8;

/// Faces at most for which a set of faces has room.
pub(crate) const MAX_FACES: usize = 512;

/// A set of faces: bit i % 64 of word i / 64.
pub(crate) type Faces = [u64; MAX_FACES / 64];

/// Vectors in blocks of [`BLOCK`], each block column by column: the axes first, then what else there is.
/// Blocks have a size that the compiler knows, so that no access is checked.
struct Rows<V, const COLUMNS: usize> {
    blocks: Vec<[[f64; BLOCK]; COLUMNS]>,
    level: Level,
    vectors: PhantomData<V>,
}

impl<V: Vector<Scalar = f64>, const COLUMNS: usize> Rows<V, COLUMNS> {
    /// The last block is filled up with zero vectors and `filling`.
    fn new<const MORE: usize>(
        vectors: impl ExactSizeIterator<Item = (V, [f64; MORE])>,
        filling: [f64; MORE],
    ) -> Self {
        let mut block = [[0.0; BLOCK]; COLUMNS];
        for (column, value) in block[COLUMNS - MORE..].iter_mut().zip(filling) {
            *column = [value; BLOCK];
        }
        let mut blocks = vec![block; vectors.len().div_ceil(BLOCK)];
        for (index, (vector, more)) in vectors.enumerate() {
            let block = &mut blocks[index / BLOCK];
            for (axis, column) in block.iter_mut().enumerate().take(V::DIM) {
                column[index % BLOCK] = vector.get(axis);
            }
            for (column, value) in block[COLUMNS - MORE..].iter_mut().zip(more) {
                column[index % BLOCK] = value;
            }
        }
        Rows { blocks, level: Level::new(), vectors: PhantomData }
    }
}

/// Points, for the farthest of them.
pub(crate) struct PointRows<V>(Rows<V, 3>);

impl<V: Vector<Scalar = f64>> PointRows<V> {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.0.level = level;
        self
    }

    /// The first point should be zero.
    pub(crate) fn new(points: impl ExactSizeIterator<Item = V>) -> Self {
        PointRows(Rows::new(points.map(|point| (point, [])), []))
    }

    /// The point with the largest product with the direction, the first of equals; the first one where no
    /// product is positive.
    #[inline]
    pub(crate) fn farthest(&self, direction: V) -> usize {
        dispatch!(self.0.level, simd => farthest(simd, &self.0, direction))
    }
}

/// Planes {p : normal·p <= height} with unit normals.
pub(crate) struct PlaneRows<V>(Rows<V, 4>);

impl<V: Vector<Scalar = f64>> PlaneRows<V> {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.0.level = level;
        self
    }

    /// Normals with heights.
    pub(crate) fn new(planes: impl ExactSizeIterator<Item = (V, f64)>) -> Self {
        // Those that only fill up are never nearest and below nothing.
        PlaneRows(Rows::new(planes.map(|(normal, height)| (normal, [height])), [f64::INFINITY]))
    }

    /// The widest instruction set there is.
    pub(crate) fn level(&self) -> Level {
        self.0.level
    }

    /// The plane that p is least far below, heights being multiplied by `scale`; the first of equals.
    #[inline]
    pub(crate) fn nearest(&self, p: V, scale: f64) -> usize {
        dispatch!(self.0.level, simd => nearest_plane(simd, &self.0, p, scale))
    }

    /// The planes that nothing in `outer` rules out.
    #[inline]
    pub(crate) fn near(&self, scale: f64, outer: &Outer<V>) -> Faces {
        let mut found = NO_FACES;
        dispatch!(self.0.level, simd => planes_near(simd, &self.0, scale, outer, &mut found));
        found
    }
}

/// What may rule out that the overlap H is small along some normals of a polytope, all of it relative to the
/// centre of the polytope: points of the other one, and a ball inside of it. H(n) >= n·w for every unit n and
/// every w that leads from a point of the other to a face or edge with the normal n. Of the ball, the points
/// farthest inwards count, so that its centre may be less far below by the radius.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outer<V> {
    points: [V; SEEN],
    count: usize,
    /// Overlaps above this are of no interest.
    limit: f64,
    ball_center: V,
    /// The limit without the radius of the ball.
    ball_limit: f64,
}

/// Points that are remembered at most.
pub(super) const SEEN: usize = 4;

impl<V: Vector<Scalar = f64>> Outer<V> {
    /// Points in the frame of a polytope with this centre; the ball relative to it.
    pub(super) fn new(points: &[V], center: V, limit: f64, ball_center: V, radius: f64) -> Self {
        let mut outer = Outer {
            points: [V::ZERO; SEEN],
            count: points.len().min(SEEN),
            limit,
            ball_center,
            ball_limit: limit - radius,
        };
        for (to, &point) in outer.points.iter_mut().zip(points) {
            *to = point - center;
        }
        outer
    }

    #[inline(always)]
    fn points(&self) -> &[V] {
        &self.points[..self.count]
    }

    /// Whether nothing rules out a face, given how far below it a point is.
    #[inline]
    pub(crate) fn admits_face(&self, below: impl Fn(V) -> f64) -> bool {
        below(self.ball_center) < self.ball_limit && self.points().iter().all(|&p| below(p) < self.limit)
    }

    /// Whether nothing rules out the arc between the normals of two faces, given how far below either a point
    /// is, and the factor by which the chord of the arc is shorter than 1. For m = (s·left + t·right)/|s·left
    /// + t·right| with s, t >= 0, m·w is at least the smaller of left·w and right·w if that is positive, and
    /// at least the factor times that otherwise.
    #[inline]
    pub(crate) fn admits_arc(&self, factor: f64, below: impl Fn(V) -> [f64; 2]) -> bool {
        let least = |p: V| {
            let [left, right] = below(p);
            left.min_of(right)
        };
        let from_ball = least(self.ball_center);
        let grown = if from_ball < 0.0 { from_ball * factor } else { from_ball };
        let limit = self.limit.max_of(0.0);
        grown < self.ball_limit && self.points().iter().all(|&p| least(p) < limit)
    }
}

/// Edges at most of a polytope with [`MAX_FACES`] faces: three at each of 2·faces − 4 vertices.
const MAX_EDGES: usize = 3 * MAX_FACES;

/// A set of edges, like [`Faces`].
pub(crate) type Edges = [u64; MAX_EDGES / 64];

pub(crate) const NO_FACES: Faces = [0; MAX_FACES / 64];
pub(crate) const NO_EDGES: Edges = [0; MAX_EDGES / 64];

/// Edges by the planes of their two faces, as in [`PlaneRows`], each with the factor by which the chord between
/// the normals is shorter than 1.
pub(crate) struct ArcRows(Rows<Vec3<f64>, 9>);

impl ArcRows {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.0.level = level;
        self
    }

    /// Normals with heights, of the left and of the right face, and factors.
    pub(crate) fn new(arcs: impl ExactSizeIterator<Item = ([(Vec3<f64>, f64); 2], f64)>) -> Self {
        let arcs = arcs.map(|([(left, left_height), (right, right_height)], factor)| {
            (left, [left_height, right.x, right.y, right.z, right_height, factor])
        });
        ArcRows(Rows::new(arcs, [f64::INFINITY, 0.0, 0.0, 0.0, f64::INFINITY, 1.0]))
    }

    /// The edges that nothing in `outer` rules out, heights being multiplied by `scale`.
    #[inline]
    pub(crate) fn near(&self, scale: f64, outer: &Outer<Vec3<f64>>) -> Edges {
        let mut found = NO_EDGES;
        dispatch!(self.0.level, simd => arcs_near(simd, &self.0, scale, outer, &mut found));
        found
    }
}

/// The products of some vectors of a block with a vector.
#[inline(always)]
fn products<S: Simd, V: Vector<Scalar = f64>>(
    simd: S,
    block: &[[f64; BLOCK]],
    start: usize,
    with: V,
) -> Lanes<S, S::f64s> {
    let first = Lanes::<S, S::f64s>::load(simd, &block[0][start..]);
    let mut sum = first * first.like(with.get(0));
    for (axis, column) in block.iter().enumerate().take(V::DIM).skip(1) {
        sum = sum + Lanes::load(simd, &column[start..]) * first.like(with.get(axis));
    }
    sum
}

/// The best number so far in each lane, and its index as a number.
#[derive(Clone, Copy)]
struct Leaders<N> {
    best: N,
    index: N,
}

impl<S: Simd> Leaders<Lanes<S, S::f64s>> {
    #[inline(always)]
    fn new(simd: S, bar: f64) -> Self {
        let bar = Lanes::new(S::f64s::splat(simd, bar));
        Leaders { best: bar, index: bar.like(0.0) }
    }
    #[inline(always)]
    fn challenge(&mut self, value: Lanes<S, S::f64s>, index: Lanes<S, S::f64s>) {
        let wins = self.best.less_than(value);
        self.best = Lanes::select(wins, value, self.best);
        self.index = Lanes::select(wins, index, self.index);
    }
    /// The index of the best over all lanes; the lowest of equals.
    #[inline(always)]
    fn winner(self) -> usize {
        let (mut lanes, mut index) = ([f64::NEG_INFINITY; BLOCK], [0.0; BLOCK]);
        self.best.store(&mut lanes);
        self.index.store(&mut index);
        let mut half = S::f64s::LEN / 2;
        while 0 < half {
            for lane in 0..half {
                lanes[lane] = if lanes[lane] < lanes[lane + half] { lanes[lane + half] } else { lanes[lane] };
            }
            half /= 2;
        }
        // No lane holds anything that is not a number, so those that are not less are the best.
        let mut best = self.best.like(lanes[0]).less_or_equal(self.best).to_bitmask();
        let mut winner = index[best.trailing_zeros() as usize % BLOCK];
        best &= best.wrapping_sub(1);
        while best != 0 {
            let other = index[best.trailing_zeros() as usize % BLOCK];
            winner = if other < winner { other } else { winner };
            best &= best - 1;
        }
        winner as usize
    }
}

/// 0, 1, 2, …, one for each lane.
#[inline(always)]
fn first_indices<S: Simd>(simd: S) -> Lanes<S, S::f64s> {
    Lanes::load(simd, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
}

#[inline(always)]
fn farthest<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &Rows<V, 3>, direction: V) -> usize {
    let mut leaders = Leaders::<Lanes<S, S::f64s>>::new(simd, 0.0);
    let mut indices = first_indices(simd);
    let step = indices.like(S::f64s::LEN as f64);
    for block in &rows.blocks {
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            leaders.challenge(products(simd, block, start, direction), indices);
            indices = indices + step;
        }
    }
    leaders.winner()
}

#[inline(always)]
fn nearest_plane<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &Rows<V, 4>, p: V, scale: f64) -> usize {
    let mut leaders = Leaders::<Lanes<S, S::f64s>>::new(simd, f64::NEG_INFINITY);
    let mut indices = first_indices(simd);
    let (step, scale) = (indices.like(S::f64s::LEN as f64), indices.like(scale));
    for block in &rows.blocks {
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            let height = Lanes::load(simd, &block[3][start..]) * scale;
            leaders.challenge(products(simd, block, start, p) - height, indices);
            indices = indices + step;
        }
    }
    leaders.winner()
}

#[inline(always)]
fn planes_near<S: Simd, V: Vector<Scalar = f64>>(
    simd: S,
    rows: &Rows<V, 4>,
    scale: f64,
    outer: &Outer<V>,
    found: &mut Faces,
) {
    for (word, blocks) in found.iter_mut().zip(rows.blocks.chunks(64 / BLOCK)) {
        let mut bits = 0;
        for (index, block) in blocks.iter().enumerate() {
            for start in (0..BLOCK).step_by(S::f64s::LEN) {
                let height = Lanes::<S, S::f64s>::load(simd, &block[3][start..]);
                let height = height * height.like(scale);
                let from_ball = height - products(simd, block, start, outer.ball_center);
                let mut near = from_ball.less_than(height.like(outer.ball_limit)).to_bitmask();
                for &p in outer.points() {
                    let below = height - products(simd, block, start, p);
                    near &= below.less_than(height.like(outer.limit)).to_bitmask();
                }
                bits |= near << (index * BLOCK + start);
            }
        }
        *word = bits;
    }
}

/// How far a point is below the nearer of the two faces of some edges.
// A function and not a closure, which would not become part of the code for the instruction set.
#[inline(always)]
fn below_arc<S: Simd>(
    simd: S,
    block: &[[f64; BLOCK]; 9],
    start: usize,
    scale: f64,
    p: Vec3<f64>,
) -> Lanes<S, S::f64s> {
    let (left, right) = (Lanes::load(simd, &block[3][start..]), Lanes::load(simd, &block[7][start..]));
    let scale = left.like(scale);
    let left = left * scale - products(simd, block, start, p);
    left.min_of(right * scale - products(simd, &block[4..], start, p))
}

/// See [`Outer::admits_arc`].
#[inline(always)]
fn arcs_near<S: Simd>(
    simd: S,
    rows: &Rows<Vec3<f64>, 9>,
    scale: f64,
    outer: &Outer<Vec3<f64>>,
    found: &mut Edges,
) {
    let limit = outer.limit.max_of(0.0);
    for (word, blocks) in found.iter_mut().zip(rows.blocks.chunks(64 / BLOCK)) {
        let mut bits = 0;
        for (index, block) in blocks.iter().enumerate() {
            for start in (0..BLOCK).step_by(S::f64s::LEN) {
                let factor = Lanes::<S, S::f64s>::load(simd, &block[8][start..]);
                let zero = factor.like(0.0);
                let from_ball = below_arc(simd, block, start, scale, outer.ball_center);
                let grown = Lanes::select(from_ball.less_than(zero), from_ball * factor, from_ball);
                let mut near = grown.less_than(zero.like(outer.ball_limit)).to_bitmask();
                // Neighbours stand together: most blocks have none.
                if near != 0 {
                    for &p in outer.points() {
                        let below = below_arc(simd, block, start, scale, p);
                        near &= below.less_than(zero.like(limit)).to_bitmask();
                    }
                }
                bits |= near << (index * BLOCK + start);
            }
        }
        *word = bits;
    }
}

/// The indices in a set of faces or edges, in rising order.
#[inline]
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut left = bits;
        core::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                word * 64 + bit
            })
        })
    })
}

/// Edges of a chunk at most.
pub(super) const CHUNK: usize = 2 * BLOCK;

/// Edges side by side: directions, and the normals of the two faces that they bound.
pub(super) struct EdgeRows {
    blocks: [[[[f64; BLOCK]; 3]; 3]; CHUNK / BLOCK],
}

impl EdgeRows {
    pub(super) const EMPTY: Self = EdgeRows { blocks: [[[[0.0; BLOCK]; 3]; 3]; CHUNK / BLOCK] };

    #[inline(always)]
    pub(super) fn set<V: Vector<Scalar = f64>>(&mut self, index: usize, vectors: [V; 3]) {
        let block = &mut self.blocks[index / BLOCK % (CHUNK / BLOCK)];
        for (columns, vector) in block.iter_mut().zip(vectors) {
            for (axis, column) in columns.iter_mut().enumerate().take(V::DIM) {
                column[index % BLOCK] = vector.get(axis);
            }
        }
    }

    /// The edges, of the first `count`, whose arc on the sphere of normals, seen from the other side, crosses
    /// that of an edge, given by its direction and the normals of its faces.
    #[inline]
    pub(super) fn crossing<V: Vector<Scalar = f64>>(&self, level: Level, count: usize, arc: [V; 3]) -> u64 {
        dispatch!(level, simd => crossing(simd, self, count, arc))
    }
}

/// After Gregorius (GDC 2013): with eA, A1, A2 of the one edge and eB, C, D of the other, the arcs A1–A2
/// and −C–−D cross when C and D lie on different sides of the plane perpendicular to eA, A1 and A2 on
/// different sides of that perpendicular to eB, and all in one hemisphere.
#[inline(always)]
fn crossing<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &EdgeRows, count: usize, arc: [V; 3]) -> u64 {
    let [along, left, right] = arc;
    let mut found = 0;
    for (index, [alongs, lefts, rights]) in rows.blocks.iter().enumerate().take(count.div_ceil(BLOCK)) {
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            let (c, d) = (products(simd, lefts, start, along), products(simd, rights, start, along));
            let (a, b) = (products(simd, alongs, start, left), products(simd, alongs, start, right));
            let worst = (c * d).max_of(a * b).max_of(c * b);
            found |= worst.less_than(worst.like(0.0)).to_bitmask() << (index * BLOCK + start);
        }
    }
    found & ((1 << count) - 1)
}
