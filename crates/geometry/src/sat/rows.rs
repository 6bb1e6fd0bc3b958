//! Vectors stored column by column, and the scans over them that the kernels spend their time in.
//!
//! Each scan takes as many vectors at a time as the processor has lanes (see [`Lanes`]). Every product is
//! summed in the order of the axes, and of equals the lowest index wins whichever lane found it: the
//! answers are the same bits at any width.

use carom_math::{Lanes, Level, Number, Real, Vec3, Vector, prelude_simd::*};
use core::marker::PhantomData;

/// Vectors in a block of `f64`: the widest row there is.
pub(super) const BLOCK: usize = 8;

/// Numbers column by column. A column is as wide as the widest row and begins where a line of the cache does.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Block<T, const LEN: usize, const COLUMNS: usize>(pub(super) [[T; LEN]; COLUMNS]);

/// Vectors in blocks: the axes first, then what else there is. Blocks have a size that the compiler knows, so
/// that no access is checked.
pub(super) struct Rows<T, const LEN: usize, const COLUMNS: usize> {
    pub(super) blocks: Vec<Block<T, LEN, COLUMNS>>,
    pub(super) level: Level,
}

impl<T: Copy, const LEN: usize, const COLUMNS: usize> Rows<T, LEN, COLUMNS> {
    /// The last block is filled up.
    pub(super) fn new(rows: impl ExactSizeIterator<Item = [T; COLUMNS]>, filling: [T; COLUMNS]) -> Self {
        let mut blocks = vec![Block(filling.map(|value| [value; LEN])); rows.len().div_ceil(LEN)];
        for (index, row) in rows.enumerate() {
            for (column, value) in blocks[index / LEN].0.iter_mut().zip(row) {
                column[index % LEN] = value;
            }
        }
        Rows { blocks, level: Level::new() }
    }
}

/// The coordinates of a vector; the third is 0 in the plane.
#[inline(always)]
pub(super) fn coordinates<V: Vector<Scalar = f64>>(v: V) -> [f64; 3] {
    [v.get(0), v.get(1), if V::DIM == 3 { v.get(2) } else { 0.0 }]
}

/// Points, for the farthest of them.
pub(crate) struct PointRows<V>(Rows<f64, BLOCK, 3>, PhantomData<V>);

impl<V: Vector<Scalar = f64>> PointRows<V> {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.0.level = level;
        self
    }

    /// The first point should be zero.
    pub(crate) fn new(points: impl ExactSizeIterator<Item = V>) -> Self {
        PointRows(Rows::new(points.map(coordinates), [0.0; 3]), PhantomData)
    }

    /// The point with the largest product with the direction, the first of equals; the first one where no
    /// product is positive.
    #[inline]
    pub(crate) fn farthest(&self, direction: V) -> usize {
        dispatch!(self.0.level, simd => farthest(simd, &self.0, direction))
    }
}

/// The products of some vectors of a block, that is, of its first columns, with a vector of the plane or space,
/// given by its coordinates.
// Functions and not closures around lanes: those would not become part of the code for the instruction set. The
// coordinates one by one: read in pairs, those that were written one by one just before keep the processor waiting. No
// iterator that skips: its steps stayed calls in there, and took a third of the time of two hulls.
#[inline(always)]
pub(super) fn products<S: Simd, F: SimdFloat<S>, const LEN: usize>(
    simd: S,
    columns: &[[F::Element; LEN]],
    start: usize,
    dimension: usize,
    with: impl Fn(usize) -> F::Element,
) -> Lanes<S, F>
where
    F::Element: Real,
{
    let column = |axis: usize| &columns[axis][start..];
    let first = Lanes::<S, F>::load(simd, column(0));
    let plane = first * first.like(with(0)) + Lanes::load(simd, column(1)) * first.like(with(1));
    if dimension < 3 { plane } else { plane + Lanes::load(simd, column(2)) * first.like(with(2)) }
}

/// The best number so far in each lane, and its index as a number.
#[derive(Clone, Copy)]
pub(super) struct Leaders<N> {
    best: N,
    index: N,
    next: N,
    step: N,
}

/// Lanes of the widest row of `f32`.
const MAX_LANES: usize = 16;

impl<S: Simd, F: SimdFloat<S>> Leaders<Lanes<S, F>>
where
    F::Element: Real,
{
    #[inline(always)]
    pub(super) fn new(simd: S, bar: F::Element) -> Self {
        let bar = Lanes::new(F::splat(simd, bar));
        let mut indices = [F::Element::default(); MAX_LANES];
        for (lane, index) in indices.iter_mut().enumerate() {
            *index = F::Element::from_f64(lane as f64);
        }
        let step = bar.like(F::Element::from_f64(F::LEN as f64));
        Leaders { best: bar, index: bar.like(F::Element::default()), next: Lanes::load(simd, &indices), step }
    }
    /// The next few numbers, one for each lane.
    #[inline(always)]
    pub(super) fn challenge(&mut self, value: Lanes<S, F>) {
        let wins = self.best.less_than(value);
        self.best = Lanes::select(wins, value, self.best);
        self.index = Lanes::select(wins, self.next, self.index);
        self.next = self.next + self.step;
    }
    /// The index of the best over all lanes; the lowest of equals.
    #[inline(always)]
    pub(super) fn winner(self) -> usize {
        let mut lanes = [F::Element::default(); MAX_LANES];
        let mut index = lanes;
        self.best.store(&mut lanes);
        self.index.store(&mut index);
        let mut half = F::LEN / 2;
        while 0 < half {
            for lane in 0..half {
                lanes[lane] = if lanes[lane] < lanes[lane + half] { lanes[lane + half] } else { lanes[lane] };
            }
            half /= 2;
        }
        // No lane holds anything that is not a number, so those that are not less are the best.
        let mut best = self.best.like(lanes[0]).less_or_equal(self.best).to_bitmask();
        let mut winner = index[best.trailing_zeros() as usize % MAX_LANES];
        best &= best.wrapping_sub(1);
        while best != 0 {
            let other = index[best.trailing_zeros() as usize % MAX_LANES];
            winner = if other < winner { other } else { winner };
            best &= best - 1;
        }
        winner.to_f64() as usize
    }
}

#[inline(always)]
fn farthest<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &Rows<f64, BLOCK, 3>, direction: V) -> usize {
    let mut leaders = Leaders::<Lanes<S, S::f64s>>::new(simd, 0.0);
    for block in &rows.blocks {
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            leaders.challenge(products(simd, &block.0, start, V::DIM, |axis| direction.get(axis)));
        }
    }
    leaders.winner()
}

/// The words of a set that `count` faces or edges are in.
#[inline]
pub(crate) fn used(set: &[u64], count: usize) -> &[u64] {
    &set[..count.div_ceil(64).min(set.len())]
}

/// The indices in a set of faces or edges, in rising order.
#[inline]
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + Clone + '_ {
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

/// The squared length, 2⁻²⁰, below which a point of the chord between the normals of two faces is too near to the middle of
/// the sphere to tell a direction: the faces of a hull as thin as that look in opposite directions.
pub(super) const OPPOSITE: f64 = 1.0 / 1_048_576.0;

/// Edges of a chunk at most.
pub(super) const CHUNK: usize = 2 * BLOCK;

/// Edges side by side: directions, the normals of the two faces that they bound, and where they begin.
pub(super) struct EdgeRows {
    /// Directions, left normals, right normals, beginnings, three columns each.
    blocks: [Block<f64, BLOCK, 12>; CHUNK / BLOCK],
}

impl EdgeRows {
    pub(super) const EMPTY: Self = EdgeRows { blocks: [Block([[0.0; BLOCK]; 12]); CHUNK / BLOCK] };

    #[inline(always)]
    pub(super) fn set(&mut self, index: usize, vectors: [Vec3<f64>; 4]) {
        let block = &mut self.blocks[index / BLOCK % (CHUNK / BLOCK)];
        for (columns, vector) in block.0.chunks_mut(3).zip(vectors) {
            for (column, coordinate) in columns.iter_mut().zip(coordinates(vector)) {
                column[index % BLOCK] = coordinate;
            }
        }
    }

    /// The edges, of the first `count`, whose arc on the sphere of normals, seen from the other side, crosses
    /// that of an edge, given by its direction, the normals of its faces and its beginning, and that do not surely overlap by
    /// more than `limit` along the axis between them.
    #[inline]
    pub(super) fn crossing(&self, level: Level, count: usize, edge: [Vec3<f64>; 4], limit: f64) -> u64 {
        dispatch!(level, simd => crossing(simd, self, count, edge, limit))
    }
}

/// After Gregorius (GDC 2013): with eA, A1, A2 of the one edge and eB, C, D of the other, the arcs A1–A2
/// and −C–−D cross when C and D lie on different sides of the plane perpendicular to eA, A1 and A2 on
/// different sides of that perpendicular to eB, and all in one hemisphere.
///
/// With c = C·eA and d = D·eA, which have different signs, the point of the arc −C–−D perpendicular to eA is along
/// n = (C·d − D·c)/c, |c − d|/|c| times the point of the chord. The overlap along it is n·w/|n| with w from the edge of b to
/// that of a; it is compared as squares. `limit` has room for rounding. Where the chord comes near the middle of the sphere,
/// n tells nothing.
#[inline(always)]
fn crossing<S: Simd>(simd: S, rows: &EdgeRows, count: usize, edge: [Vec3<f64>; 4], limit: f64) -> u64 {
    let [along, left, right, from] = edge;
    let limit = limit.max_of(0.0);
    let mut found = 0;
    for (index, block) in rows.blocks.iter().enumerate().take(count.div_ceil(BLOCK)) {
        let (alongs, lefts, rights) = (&block.0[..3], &block.0[3..6], &block.0[6..9]);
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            let c = products::<S, S::f64s, BLOCK>(simd, lefts, start, 3, |axis| along.get(axis));
            let d = products(simd, rights, start, 3, |axis| along.get(axis));
            let a = products(simd, alongs, start, 3, |axis| left.get(axis));
            let b = products(simd, alongs, start, 3, |axis| right.get(axis));
            let worst = (c * d).max_of(a * b).max_of(c * b);
            let mut near = worst.less_than(worst.like(0.0)).to_bitmask();
            // Few arcs cross.
            if near != 0 {
                let (mut overlap, mut squared) = (c.like(0.0), c.like(0.0));
                for axis in 0..3 {
                    let column =
                        |first: usize| Lanes::<S, S::f64s>::load(simd, &block.0[first + axis][start..]);
                    let n = column(3) * d - column(6) * c;
                    overlap = overlap + n * (c.like(from.get(axis)) - column(9));
                    squared = squared + n * n;
                }
                let (apart, chord) = ((overlap * c).max_of(c.like(0.0)), c - d);
                let is_told = (chord * chord * c.like(OPPOSITE)).less_than(squared).to_bitmask();
                let is_far = c.like(limit * limit) * squared * (c * c);
                near &= !(is_told & is_far.less_than(apart * apart).to_bitmask());
            }
            found |= near << (index * BLOCK + start);
        }
    }
    found & ((1 << count) - 1)
}
