//! Vectors stored column by column, and the scans over them that the kernels spend their time in.
//!
//! Each scan takes as many vectors at a time as the processor has lanes (see [`Lanes`]). Every product is
//! summed in the order of the axes, and of equals the lowest index wins whichever lane found it: the
//! answers are the same bits at any width.

use super::Solid;
use carom_math::{Lanes, Level, Number, Vector, prelude_simd::*};
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

/// Planes {p : normal·p <= height} with unit normals, each with a factor.
pub(crate) struct PlaneRows<V>(Rows<V, 5>);

impl<V: Vector<Scalar = f64>> PlaneRows<V> {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.0.level = level;
        self
    }

    /// Normals with heights and factors.
    pub(crate) fn new(planes: impl ExactSizeIterator<Item = (V, f64, f64)>) -> Self {
        // Those that only fill up are never nearest and below nothing.
        let planes = planes.map(|(normal, height, factor)| (normal, [height, factor]));
        PlaneRows(Rows::new(planes, [f64::INFINITY, 1.0]))
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

    /// The planes that p is less than `limit` below. If `stretched`, distances above a plane grow by the
    /// factor of the plane first.
    #[inline]
    pub(crate) fn below(&self, p: V, scale: f64, limit: f64, stretched: bool) -> Faces {
        let mut found = [0; MAX_FACES / 64];
        dispatch!(self.0.level, simd => planes_below(simd, &self.0, p, scale, limit, stretched, &mut found));
        found
    }
}

/// The products of some vectors of a block with a vector.
#[inline(always)]
fn products<S: Simd, V: Vector<Scalar = f64>, const COLUMNS: usize>(
    simd: S,
    block: &[[f64; BLOCK]; COLUMNS],
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
fn nearest_plane<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &Rows<V, 5>, p: V, scale: f64) -> usize {
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
fn planes_below<S: Simd, V: Vector<Scalar = f64>>(
    simd: S,
    rows: &Rows<V, 5>,
    p: V,
    scale: f64,
    limit: f64,
    stretched: bool,
    found: &mut Faces,
) {
    for (word, blocks) in found.iter_mut().zip(rows.blocks.chunks(64 / BLOCK)) {
        let mut bits = 0;
        for (index, block) in blocks.iter().enumerate() {
            for start in (0..BLOCK).step_by(S::f64s::LEN) {
                let height = Lanes::<S, S::f64s>::load(simd, &block[3][start..]);
                let below = height * height.like(scale) - products(simd, block, start, p);
                let grown = below * Lanes::load(simd, &block[4][start..]);
                let grows = below.less_than(below.like(0.0));
                let depth = if stretched { Lanes::select(grows, grown, below) } else { below };
                bits |= depth.less_than(depth.like(limit)).to_bitmask() << (index * BLOCK + start);
            }
        }
        *word = bits;
    }
}

/// The indices in a set of faces, in rising order.
#[inline]
pub(crate) fn members(faces: &Faces) -> impl Iterator<Item = usize> + '_ {
    faces.iter().enumerate().flat_map(|(word, &bits)| {
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

/// Whether a set has a face.
#[inline]
pub(crate) fn has(faces: &Faces, index: usize) -> bool {
    faces[index / 64 % faces.len()] >> (index % 64) & 1 == 1
}

/// Sets of faces, one for each of some points: those that the point is less than some limit below.
pub(crate) struct Near {
    sets: [Faces; SEEN],
    count: usize,
}

/// Points that are remembered at most.
pub(super) const SEEN: usize = 4;

impl Near {
    /// Of a polytope and points of another one, given in the frame of the first. The limit is not negative.
    pub(super) fn of<V: Vector<Scalar = f64>>(solid: &impl Solid<V>, points: &[V], limit: f64) -> Self {
        let mut near = Near { sets: [[0; MAX_FACES / 64]; SEEN], count: points.len().min(SEEN) };
        let center = solid.center();
        for (set, &point) in near.sets.iter_mut().zip(points) {
            *set = solid.faces_below(point - center, limit, false);
        }
        near
    }

    /// Whether H can be below the limit between the normals of two faces that meet at an edge, as far as the
    /// points show. With w from a point p to the edge, H(m) >= m·w, and for m = (s·left + t·right)/|s·left +
    /// t·right| with s, t >= 0 that is at least the smaller of left·w and right·w, if that is positive. Both
    /// are what p is below the faces.
    #[inline]
    pub(crate) fn admits(&self, left: usize, right: usize) -> bool {
        self.sets[..self.count].iter().all(|set| has(set, left) | has(set, right))
    }
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
