//! Vectors stored column by column, and the scans over them that the kernels spend their time in.
//!
//! Each scan takes as many vectors at a time as the processor has lanes (see [`Lanes`]). Every product is
//! summed in the order of the axes, and of equals the lowest index wins whichever lane found it: the
//! answers are the same bits at any width.

use carom_math::{Lanes, Level, Number, Vector, prelude_simd::*};
use core::marker::PhantomData;

/// Columns are filled up to a multiple of the widest row there is.
const WIDEST: usize = 8;

/// Faces at most for which a set of faces has room.
pub(crate) const MAX_FACES: usize = 1024;

/// A set of faces: bit i % 64 of word i / 64.
pub(crate) type Faces = [u64; MAX_FACES / 64];

/// Vectors, each with a number and a factor, in columns.
pub(crate) struct Rows<V> {
    /// One column after another: the axes, the numbers, the factors.
    columns: Vec<f64>,
    stride: usize,
    level: Level,
    vectors: PhantomData<V>,
}

impl<V: Vector<Scalar = f64>> Rows<V> {
    /// Vectors alone.
    pub(crate) fn of_points(points: impl ExactSizeIterator<Item = V>) -> Self {
        Self::filled(points.map(|point| (point, 0.0, 1.0)), 0.0)
    }

    /// The planes {p : normal·p <= height}, each with the factor by which a negative height may grow.
    pub(crate) fn of_planes(planes: impl ExactSizeIterator<Item = (V, f64, f64)>) -> Self {
        // Those that only fill up are never nearest and below nothing.
        Self::filled(planes, f64::INFINITY)
    }

    fn filled(vectors: impl ExactSizeIterator<Item = (V, f64, f64)>, filling: f64) -> Self {
        let stride = vectors.len().next_multiple_of(WIDEST);
        let mut columns = vec![0.0; stride * (V::DIM + 2)];
        columns[stride * V::DIM..stride * (V::DIM + 1)].fill(filling);
        columns[stride * (V::DIM + 1)..].fill(1.0);
        for (index, (vector, number, factor)) in vectors.enumerate() {
            for axis in 0..V::DIM {
                columns[axis * stride + index] = vector.get(axis);
            }
            columns[V::DIM * stride + index] = number;
            columns[(V::DIM + 1) * stride + index] = factor;
        }
        Rows { columns, stride, level: Level::new(), vectors: PhantomData }
    }

    /// The vector with the largest product with the direction, the first of equals; the first one where no
    /// product is positive, so the first vector should be zero.
    #[inline]
    pub(crate) fn farthest(&self, direction: V) -> usize {
        dispatch!(self.level, simd => farthest(simd, self, direction))
    }

    /// The plane that p, which is scaled as the heights are by `scale`, is least far below; the first of
    /// equals.
    #[inline]
    pub(crate) fn nearest_plane(&self, p: V, scale: f64) -> usize {
        dispatch!(self.level, simd => nearest_plane(simd, self, p, scale))
    }

    /// The planes that p is less than `limit` below. If `stretched`, distances above a plane grow by the
    /// factor of the plane first.
    #[inline]
    pub(crate) fn planes_below(&self, p: V, scale: f64, limit: f64, stretched: bool) -> Faces {
        let mut found = [0; MAX_FACES / 64];
        dispatch!(self.level, simd => planes_below(simd, self, p, scale, limit, stretched, &mut found));
        found
    }

    /// The rows from `start` on of a column.
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S, column: usize, start: usize) -> Lanes<S, S::f64s> {
        Lanes::load(simd, &self.columns[column * self.stride + start..])
    }

    /// The products of the rows from `start` on with a vector.
    #[inline(always)]
    fn products<S: Simd>(&self, simd: S, with: V, start: usize) -> Lanes<S, S::f64s> {
        let first = self.load(simd, 0, start);
        let mut sum = first * first.like(with.get(0));
        for axis in 1..V::DIM {
            sum = sum + self.load(simd, axis, start) * first.like(with.get(axis));
        }
        sum
    }
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
        let (mut best, mut index) = ([f64::NEG_INFINITY; WIDEST], [0.0; WIDEST]);
        self.best.store(&mut best);
        self.index.store(&mut index);
        let mut half = S::f64s::LEN / 2;
        while 0 < half {
            for lane in 0..half {
                let (other, other_index) = (best[lane + half], index[lane + half]);
                let loses = best[lane] < other || (best[lane] == other && other_index < index[lane]);
                best[lane] = if loses { other } else { best[lane] };
                index[lane] = if loses { other_index } else { index[lane] };
            }
            half /= 2;
        }
        index[0] as usize
    }
}

/// 0, 1, 2, …, one for each lane.
#[inline(always)]
fn first_indices<S: Simd>(simd: S) -> Lanes<S, S::f64s> {
    Lanes::load(simd, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
}

#[inline(always)]
fn farthest<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &Rows<V>, direction: V) -> usize {
    let mut leaders = Leaders::<Lanes<S, S::f64s>>::new(simd, 0.0);
    let mut indices = first_indices(simd);
    let step = indices.like(S::f64s::LEN as f64);
    for start in (0..rows.stride).step_by(S::f64s::LEN) {
        leaders.challenge(rows.products(simd, direction, start), indices);
        indices = indices + step;
    }
    leaders.winner()
}

#[inline(always)]
fn nearest_plane<S: Simd, V: Vector<Scalar = f64>>(simd: S, rows: &Rows<V>, p: V, scale: f64) -> usize {
    let mut leaders = Leaders::<Lanes<S, S::f64s>>::new(simd, f64::NEG_INFINITY);
    let mut indices = first_indices(simd);
    let (step, scale) = (indices.like(S::f64s::LEN as f64), indices.like(scale));
    for start in (0..rows.stride).step_by(S::f64s::LEN) {
        let height = rows.load(simd, V::DIM, start) * scale;
        leaders.challenge(rows.products(simd, p, start) - height, indices);
        indices = indices + step;
    }
    leaders.winner()
}

#[inline(always)]
fn planes_below<S: Simd, V: Vector<Scalar = f64>>(
    simd: S,
    rows: &Rows<V>,
    p: V,
    scale: f64,
    limit: f64,
    stretched: bool,
    found: &mut Faces,
) {
    for start in (0..rows.stride.min(MAX_FACES)).step_by(S::f64s::LEN) {
        let height = rows.load(simd, V::DIM, start);
        let below = height * height.like(scale) - rows.products(simd, p, start);
        let depth = if stretched {
            let grown = below * rows.load(simd, V::DIM + 1, start);
            Lanes::select(below.less_than(below.like(0.0)), grown, below)
        } else {
            below
        };
        let bits = depth.less_than(depth.like(limit)).to_bitmask();
        found[start / 64] |= bits << (start % 64);
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

/// Edges of a chunk at most.
pub(super) const CHUNK: usize = 16;

/// Edges side by side: direction, and the normals of the two faces that they bound.
pub(super) struct EdgeRows {
    columns: [[f64; CHUNK]; 9],
}

impl EdgeRows {
    pub(super) const EMPTY: Self = EdgeRows { columns: [[0.0; CHUNK]; 9] };

    #[inline(always)]
    pub(super) fn set<V: Vector<Scalar = f64>>(&mut self, index: usize, vectors: [V; 3]) {
        for (k, vector) in vectors.into_iter().enumerate() {
            for axis in 0..V::DIM {
                self.columns[3 * k + axis][index] = vector.get(axis);
            }
        }
    }

    /// The edges whose arc on the sphere of normals, seen from the other side, crosses that of the edge
    /// `along` with the normals `left` and `right`; the first `count` take part.
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
    for start in (0..count).step_by(S::f64s::LEN) {
        let product = |vector: usize, with: V| {
            let load =
                |axis: usize| Lanes::<S, S::f64s>::load(simd, &rows.columns[3 * vector + axis][start..]);
            let mut sum = load(0) * load(0).like(with.get(0));
            for axis in 1..V::DIM {
                sum = sum + load(axis) * sum.like(with.get(axis));
            }
            sum
        };
        let (c, d) = (product(1, along), product(2, along));
        // Here the signs are those of A1·eB and A2·eB, the opposite of the formula above.
        let (a, b) = (product(0, left), product(0, right));
        let zero = c.like(0.0);
        // Zeros in place of comparisons that fail make the largest of the three not negative.
        let worst = (c * d).max_of(a * b).max_of(c * b);
        found |= worst.less_than(zero).to_bitmask() << start;
    }
    found & ((1 << count) - 1)
}
