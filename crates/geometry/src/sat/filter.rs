//! Which faces and edges of a polytope may have an axis with a small overlap, as far as some points of the other
//! polytope and a ball inside of it tell.
//!
//! For every unit n and every w that leads from a point of the other to a face or edge with the normal n,
//! H(n) >= n·w. This only rules out, and no answer depends on how much: so the numbers are kept and compared in
//! `f32`, twice as many at a time, with a margin for all rounding. They are brought near to 1 by powers of two
//! first, so that the size of a polytope makes no difference.

use super::rows::{Block, Leaders, Rows, coordinates, products};
use carom_math::{Lanes, Level, Number, Vec3, Vector, power_of_two, prelude_simd::*};
use core::marker::PhantomData;

/// Faces at most for which a set of faces has room.
pub(crate) const MAX_FACES: usize = 512;

/// Edges at most of a polytope with [`MAX_FACES`] faces: three at each of 2·faces − 4 vertices.
const MAX_EDGES: usize = 3 * MAX_FACES;

/// A set of faces: bit i % 64 of word i / 64.
pub(crate) type Faces = [u64; MAX_FACES / 64];

/// A set of edges, likewise.
pub(crate) type Edges = [u64; MAX_EDGES / 64];

pub(crate) const NO_FACES: Faces = [0; MAX_FACES / 64];
pub(crate) const NO_EDGES: Edges = [0; MAX_EDGES / 64];

/// Points that are remembered at most.
pub(super) const SEEN: usize = 4;

/// Vectors in a block of `f32`: the widest row there is.
const BLOCK: usize = 16;

/// What may rule out normals of a polytope, all of it relative to its centre. Of the ball, the points farthest
/// inwards count, so that its centre may be less far below by the radius.
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

impl<V: Vector<Scalar = f64>> Outer<V> {
    /// Points in the frame of a polytope with this centre; the ball relative to it.
    pub(crate) fn new(points: &[V], center: V, limit: f64, ball_center: V, radius: f64) -> Self {
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

    fn points(&self) -> &[V] {
        &self.points[..self.count]
    }

    /// Whether nothing rules out a face, given how far below it a point is.
    #[inline]
    pub(crate) fn admits_face(&self, below: impl Fn(V) -> f64) -> bool {
        below(self.ball_center) < self.ball_limit && self.points().iter().all(|&p| below(p) < self.limit)
    }

    /// Whether nothing rules out the arc between the normals of two faces, given how far below either a point
    /// is, and the factor by which the chord of the arc is shorter than 1. For the unit vector m along
    /// s·left + t·right with s, t >= 0, m·w is at least the smaller of left·w and right·w if that is positive,
    /// and at least the factor times that otherwise.
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

    /// The same for several arcs at once, given how far below the nearer face of each a point is: bit i for arc i.
    #[inline]
    pub(crate) fn arcs_admitted<const N: usize>(&self, factor: f64, below: impl Fn(V) -> [f64; N]) -> u64 {
        let mut admitted = [true; N];
        for (admitted, from_ball) in admitted.iter_mut().zip(below(self.ball_center)) {
            let grown = if from_ball < 0.0 { from_ball * factor } else { from_ball };
            *admitted = grown < self.ball_limit;
        }
        let limit = self.limit.max_of(0.0);
        for &p in self.points() {
            for (admitted, below) in admitted.iter_mut().zip(below(p)) {
                *admitted &= below < limit;
            }
        }
        admitted.into_iter().enumerate().fold(0, |bits, (arc, admitted)| bits | u64::from(admitted) << arc)
    }

    /// The same in `f32`, lengths being multiplied by `unit`, which makes the polytope about 1 large.
    #[inline]
    fn narrowed(&self, unit: f64) -> Narrowed {
        let mut narrowed = Narrowed {
            points: [[0.0; 3]; SEEN],
            count: 0,
            limit: above(self.limit * unit),
            ball_center: [0.0; 3],
            ball_limit: f32::INFINITY,
            margin: 0.0,
        };
        let mut largest = 0.0;
        let ball_center = self.ball_center * unit;
        let size = ball_center.sum_of_magnitudes();
        if size < NEAR_ENOUGH {
            narrowed.ball_center = coordinates(ball_center).map(|x| x as f32);
            narrowed.ball_limit = above(self.ball_limit * unit);
            largest = size;
        }
        for &point in self.points() {
            let point = point * unit;
            let size = point.sum_of_magnitudes();
            if size < NEAR_ENOUGH {
                narrowed.points[narrowed.count] = coordinates(point).map(|x| x as f32);
                narrowed.count += 1;
                largest = size.max_of(largest);
            }
        }
        narrowed.margin = (ROUNDING * (8.0 + largest)) as f32;
        narrowed
    }
}

/// A number in `f32` that is not below.
#[inline]
fn above(x: f64) -> f32 {
    (x + x.abs() * power_of_two(-22)) as f32
}

/// Coordinates in terms of the size of the polytope up to which `f32` is good for anything.
const NEAR_ENOUGH: f64 = 4096.0;

/// How far p is below a plane is height − n·p. n, p and the height are rounded to `f32`, and so are three products,
/// three sums and the height less this margin: fewer than 8 roundings, of 2⁻²⁴ of each part. The parts are no larger
/// than the height, which is at most 8 for a polytope with coordinates below 2, and the coordinates of p together.
const ROUNDING: f64 = power_of_two(-20);

struct Narrowed {
    points: [[f32; 3]; SEEN],
    count: usize,
    limit: f32,
    ball_center: [f32; 3],
    ball_limit: f32,
    /// Heights are lowered by this.
    margin: f32,
}

/// A line in terms of the size of a polytope, with a direction whose components together are 1 long.
struct Line {
    origin: [f32; 3],
    direction: [f32; 3],
    /// No computed height of a plane above the origin errs by more,
    height_error: f32,
    /// and no product of a normal with the direction.
    slope_error: f32,
}

/// Planes {p : normal·p <= height} with unit normals, relative to the centre of a polytope.
pub(crate) struct PlaneRows<V> {
    rows: Rows<f32, BLOCK, 4>,
    unit: f64,
    vectors: PhantomData<V>,
}

impl<V: Vector<Scalar = f64>> PlaneRows<V> {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.rows.level = level;
        self
    }

    /// Normals with heights. `unit` is the power of two that brings the coordinates of the polytope near to 1.
    pub(crate) fn new(planes: impl ExactSizeIterator<Item = (V, f64)>, unit: f64) -> Self {
        let planes = planes.map(|(normal, height)| {
            let [x, y, z] = coordinates(normal);
            [x, y, z, height * unit].map(|number| number as f32)
        });
        // Those that only fill up are never nearest and below nothing.
        PlaneRows { rows: Rows::new(planes, [0.0, 0.0, 0.0, f32::INFINITY]), unit, vectors: PhantomData }
    }

    /// The widest instruction set there is.
    pub(crate) fn level(&self) -> Level {
        self.rows.level
    }

    /// The plane that p is least far below, up to rounding, the polytope being multiplied by `factor`.
    #[inline]
    pub(crate) fn nearest(&self, p: V, factor: f64) -> usize {
        let p = coordinates(p * (self.unit / factor)).map(|x| x as f32);
        dispatch!(self.rows.level, simd => nearest_plane::<_, V>(simd, &self.rows, p))
    }

    /// The planes that the line from p may pass last on its way in, or first on its way out, and those that it is
    /// nearly parallel to, the polytope being multiplied by `factor`; `None` for a p too far away to tell.
    #[inline]
    pub(crate) fn passed(&self, p: V, direction: V, factor: f64) -> Option<Faces> {
        let (p, length) = (p * (self.unit / factor), direction.sum_of_magnitudes());
        let size = p.sum_of_magnitudes();
        if !(size < NEAR_ENOUGH && 0.0 < length) {
            return None;
        }
        let narrow = |v: V| coordinates(v).map(|x| x as f32);
        let line = Line {
            origin: narrow(p),
            direction: narrow(direction / length),
            height_error: (ROUNDING * (8.0 + size)) as f32,
            // As for heights, of parts that are no larger than 1 together.
            slope_error: ROUNDING as f32,
        };
        let mut found = NO_FACES;
        dispatch!(self.rows.level, simd => planes_passed::<_, V>(simd, &self.rows, &line, &mut found));
        Some(found)
    }

    /// How far all of some points are above one of the planes, or less, the polytope being multiplied by `factor`; minus
    /// infinity for points too far away to tell.
    #[inline]
    pub(crate) fn all_above(&self, points: [V; 3], factor: f64) -> f64 {
        let unit = self.unit / factor;
        let points = points.map(|point| point * unit);
        let size = points.iter().fold(0.0, |most: f64, point| point.sum_of_magnitudes().max_of(most));
        // NaN is not near either.
        let is_near = size < NEAR_ENOUGH;
        if !is_near {
            return f64::NEG_INFINITY;
        }
        let narrow = points.map(|point| coordinates(point).map(|x| x as f32));
        let least = dispatch!(self.rows.level, simd => least_above::<_, V>(simd, &self.rows, &narrow));
        (f64::from(least) - ROUNDING * (8.0 + size)) / unit
    }

    /// The planes that nothing rules out, the polytope being multiplied by `factor`.
    #[inline]
    pub(crate) fn near(&self, factor: f64, outer: &Outer<V>) -> Faces {
        let mut found = NO_FACES;
        let outer = outer.narrowed(self.unit / factor);
        dispatch!(self.rows.level, simd => planes_near::<_, V>(simd, &self.rows, &outer, &mut found));
        found
    }
}

/// Edges by the planes of their two faces, as in [`PlaneRows`], each with the factor by which the chord between
/// the normals is shorter than 1.
pub(crate) struct ArcRows {
    rows: Rows<f32, BLOCK, 9>,
    unit: f64,
}

impl ArcRows {
    #[cfg(test)]
    pub(super) fn at_level(mut self, level: Level) -> Self {
        self.rows.level = level;
        self
    }

    /// Normals with heights, of the left and of the right face, and factors; `unit` as above.
    pub(crate) fn new(arcs: impl ExactSizeIterator<Item = ([(Vec3<f64>, f64); 2], f64)>, unit: f64) -> Self {
        let arcs = arcs.map(|([(left, left_height), (right, right_height)], factor)| {
            let numbers = [left.x, left.y, left.z, left_height * unit, right.x, right.y, right.z];
            let [a, b, c, d, e, f, g] = numbers.map(|number| number as f32);
            [a, b, c, d, e, f, g, (right_height * unit) as f32, above(factor)]
        });
        let none = [0.0, 0.0, 0.0, f32::INFINITY, 0.0, 0.0, 0.0, f32::INFINITY, 1.0];
        ArcRows { rows: Rows::new(arcs, none), unit }
    }

    /// The edges that nothing rules out, the polytope being multiplied by `factor`.
    #[inline]
    pub(crate) fn near(&self, factor: f64, outer: &Outer<Vec3<f64>>) -> Edges {
        let mut found = NO_EDGES;
        let outer = outer.narrowed(self.unit / factor);
        dispatch!(self.rows.level, simd => arcs_near(simd, &self.rows, &outer, &mut found));
        found
    }
}

#[inline(always)]
fn nearest_plane<S: Simd, V: Vector>(simd: S, rows: &Rows<f32, BLOCK, 4>, p: [f32; 3]) -> usize {
    let mut leaders = Leaders::<Lanes<S, S::f32s>>::new(simd, f32::NEG_INFINITY);
    for block in &rows.blocks {
        for start in (0..BLOCK).step_by(S::f32s::LEN) {
            let height = Lanes::load(simd, &block.0[3][start..]);
            let products = products::<S, S::f32s, BLOCK>(simd, &block.0, start, V::DIM, |axis| p[axis]);
            leaders.challenge(products - height);
        }
    }
    leaders.winner()
}

/// See [`PlaneRows::all_above`].
#[inline(always)]
fn least_above<S: Simd, V: Vector>(simd: S, rows: &Rows<f32, BLOCK, 4>, [p, q, r]: &[[f32; 3]; 3]) -> f32 {
    let mut most = Lanes::<S, S::f32s>::new(S::f32s::splat(simd, f32::NEG_INFINITY));
    for Block(block) in &rows.blocks {
        for start in (0..BLOCK).step_by(S::f32s::LEN) {
            let least = products::<S, S::f32s, BLOCK>(simd, block, start, V::DIM, |axis| p[axis])
                .min_of(products(simd, block, start, V::DIM, |axis| q[axis]))
                .min_of(products(simd, block, start, V::DIM, |axis| r[axis]));
            most = (least - Lanes::load(simd, &block[3][start..])).max_of(most);
        }
    }
    let mut numbers = [f32::NEG_INFINITY; BLOCK];
    most.store(&mut numbers);
    numbers.into_iter().fold(f32::NEG_INFINITY, |most, above| above.max_of(most))
}

#[inline(always)]
fn planes_near<S: Simd, V: Vector>(simd: S, rows: &Rows<f32, BLOCK, 4>, outer: &Narrowed, found: &mut Faces) {
    for (word, blocks) in found.iter_mut().zip(rows.blocks.chunks(64 / BLOCK)) {
        let mut bits = 0;
        for (index, block) in blocks.iter().enumerate() {
            for start in (0..BLOCK).step_by(S::f32s::LEN) {
                let height = Lanes::<S, S::f32s>::load(simd, &block.0[3][start..]);
                let height = height - height.like(outer.margin);
                let from_ball =
                    height - products(simd, &block.0, start, V::DIM, |axis| outer.ball_center[axis]);
                let mut near = from_ball.less_than(height.like(outer.ball_limit)).to_bitmask();
                for p in &outer.points[..outer.count] {
                    let below = height - products(simd, &block.0, start, V::DIM, |axis| p[axis]);
                    near &= below.less_than(height.like(outer.limit)).to_bitmask();
                }
                bits |= near << (index * BLOCK + start);
            }
        }
        *word = bits;
    }
}

/// When the line passes some planes, at the earliest and at the latest, and which of them it passes on its way in, on
/// its way out, and not at all for certain.
struct Passing<N: Number> {
    earliest: N,
    latest: N,
    enters: N::Mask,
    leaves: N::Mask,
    is_parallel: N::Mask,
}

/// The plane of height h, as seen from the origin, is passed at t = h/s with the slope s. The error of a quotient with a
/// slope that is right to a part in 64 is less than twice that of first order.
#[inline(always)]
fn passing<S: Simd, V: Vector>(
    simd: S,
    block: &[[f32; BLOCK]; 4],
    start: usize,
    line: &Line,
) -> Passing<Lanes<S, S::f32s>> {
    let height = Lanes::<S, S::f32s>::load(simd, &block[3][start..]);
    let above = height - products(simd, block, start, V::DIM, |axis| line.origin[axis]);
    let slope = products::<S, S::f32s, BLOCK>(simd, block, start, V::DIM, |axis| line.direction[axis]);
    let (t, size) = (above / slope, slope.abs());
    let error = (t.abs() * t.like(line.slope_error) + t.like(line.height_error)) * t.like(2.0) / size;
    let least = t.like(64.0 * line.slope_error);
    Passing {
        earliest: t - error,
        latest: t + error,
        enters: slope.less_than(-least),
        leaves: least.less_than(slope),
        is_parallel: size.less_or_equal(least),
    }
}

/// A number of lanes, those that do not count replaced.
#[inline(always)]
fn stored<S: Simd>(
    mask: <Lanes<S, S::f32s> as Number>::Mask,
    lanes: Lanes<S, S::f32s>,
    otherwise: f32,
) -> [f32; BLOCK] {
    let mut numbers = [otherwise; BLOCK];
    Lanes::select(mask, lanes, lanes.like(otherwise)).store(&mut numbers);
    numbers
}

/// See [`PlaneRows::passed`]. Planes that only fill up are parallel to everything, and infinitely high.
#[inline(always)]
fn planes_passed<S: Simd, V: Vector>(simd: S, rows: &Rows<f32, BLOCK, 4>, line: &Line, found: &mut Faces) {
    let (mut enter, mut leave) = ([f32::NEG_INFINITY; BLOCK], [f32::INFINITY; BLOCK]);
    for Block(block) in &rows.blocks {
        for start in (0..BLOCK).step_by(S::f32s::LEN) {
            let passing = passing::<S, V>(simd, block, start, line);
            let ins = stored::<S>(passing.enters, passing.earliest, f32::NEG_INFINITY);
            let outs = stored::<S>(passing.leaves, passing.latest, f32::INFINITY);
            for lane in 0..BLOCK {
                enter[lane] = ins[lane].max_of(enter[lane]);
                leave[lane] = outs[lane].min_of(leave[lane]);
            }
        }
    }
    let enter = enter.into_iter().fold(f32::NEG_INFINITY, |most, t| t.max_of(most));
    let leave = leave.into_iter().fold(f32::INFINITY, |least, t| t.min_of(least));
    for (word, blocks) in found.iter_mut().zip(rows.blocks.chunks(64 / BLOCK)) {
        let mut bits = 0;
        for (index, Block(block)) in blocks.iter().enumerate() {
            for start in (0..BLOCK).step_by(S::f32s::LEN) {
                let Passing { earliest, latest, enters, leaves, is_parallel } =
                    passing::<S, V>(simd, block, start, line);
                let height = Lanes::<S, S::f32s>::load(simd, &block[3][start..]);
                let is_real = height.less_than(height.like(f32::INFINITY)).to_bitmask();
                let last_in = enters.to_bitmask() & latest.like(enter).less_or_equal(latest).to_bitmask();
                let first_out = leaves.to_bitmask() & earliest.less_or_equal(latest.like(leave)).to_bitmask();
                let kept = (last_in | first_out | is_parallel.to_bitmask()) & is_real;
                bits |= kept << (index * BLOCK + start);
            }
        }
        *word = bits;
    }
}

/// How far a point is below the nearer of the two faces of some edges, or less.
#[inline(always)]
fn below_arc<S: Simd>(
    simd: S,
    block: &[[f32; BLOCK]; 9],
    start: usize,
    margin: f32,
    p: &[f32; 3],
) -> Lanes<S, S::f32s> {
    let (left, right) = (Lanes::load(simd, &block[3][start..]), Lanes::load(simd, &block[7][start..]));
    let left = left - products(simd, &block[..3], start, 3, |axis| p[axis]);
    let right = right - products(simd, &block[4..7], start, 3, |axis| p[axis]);
    left.min_of(right) - left.like(margin)
}

/// See [`Outer::admits_arc`].
#[inline(always)]
fn arcs_near<S: Simd>(simd: S, rows: &Rows<f32, BLOCK, 9>, outer: &Narrowed, found: &mut Edges) {
    let limit = outer.limit.max_of(0.0);
    for (word, blocks) in found.iter_mut().zip(rows.blocks.chunks(64 / BLOCK)) {
        let mut bits = 0;
        for (index, Block(block)) in blocks.iter().enumerate() {
            for start in (0..BLOCK).step_by(S::f32s::LEN) {
                let from_ball = below_arc(simd, block, start, outer.margin, &outer.ball_center);
                let grown = from_ball * Lanes::load(simd, &block[8][start..]);
                let zero = grown.like(0.0);
                let grown = Lanes::select(from_ball.less_than(zero), grown, from_ball);
                let mut near = grown.less_than(zero.like(outer.ball_limit)).to_bitmask();
                // Neighbours stand together: many blocks have none.
                if near != 0 {
                    for p in &outer.points[..outer.count] {
                        let below = below_arc(simd, block, start, outer.margin, p);
                        near &= below.less_than(zero.like(limit)).to_bitmask();
                    }
                }
                bits |= near << (index * BLOCK + start);
            }
        }
        *word = bits;
    }
}
