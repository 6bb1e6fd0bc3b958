//! All sides of two polygons with few corners at once.
//!
//! In the plane the sides of both are all the axes there are, and few corners make few products: H of every side,
//! h − min n·q over the corners q of the other, takes one product a corner, for as many sides at a time as there are
//! lanes. Polygons of more than eight corners begin with the eight sides nearest to the centre of the other, and leave
//! out what a ball inside of the other then rules out, mostly all but an arc of their outline.
//!
//! Frame: sides of a in that of a, sides of b in that of b. The normals are rounded, so H is too, by less than
//! [`rounding_error`](crate::gjk::rounding_error): this only says which sides may have the least H, and what that is
//! but for rounding. The answer is taken from those sides as anywhere else.

use super::Solid;
use super::rows::{BLOCK, Block, Rows};
use crate::gjk::{self, Posed, Support};
use carom_math::{Lanes, Level, Number, Vec2, Vector, prelude_simd::*};

/// Corners at most.
pub(crate) const MAX_CORNERS: usize = 4 * BLOCK;

/// Corners and sides in columns: x and y, the unit normal, the height of the side above the origin.
pub(crate) type RimBlock = Block<f64, BLOCK, 5>;

/// The corners and sides of a polygon, in blocks.
pub(crate) struct RimRows(Rows<f64, BLOCK, 5>);

impl RimRows {
    /// Corners, and sides by their unit normals and heights; `None` for too many.
    pub(crate) fn new(
        rows: impl ExactSizeIterator<Item = (Vec2<f64>, Vec2<f64>, f64)> + Clone,
    ) -> Option<Self> {
        let (first, ..) = rows.clone().next()?;
        // What fills up is a corner that is there already, and sides that are never near.
        let filling = [first.x, first.y, 0.0, 0.0, f64::INFINITY];
        let is_small = rows.len() <= MAX_CORNERS;
        is_small.then(|| {
            let columns =
                |(at, normal, height): (Vec2<f64>, Vec2<f64>, f64)| [at.x, at.y, normal.x, normal.y, height];
            RimRows(Rows::new(rows.map(columns), filling))
        })
    }

    /// The same, multiplied by `factor`.
    #[inline]
    pub(crate) fn rim(&self, factor: f64) -> Rim<'_> {
        Rim { blocks: &self.0.blocks, factor, level: Some(self.0.level) }
    }
}

/// A polygon with few corners, borrowed and at scale.
#[derive(Clone, Copy)]
pub(crate) struct Rim<'a> {
    blocks: &'a [RimBlock],
    factor: f64,
    /// The instruction set, if it is known.
    level: Option<Level>,
}

impl<'a> Rim<'a> {
    /// A rectangle about the origin, whose sides and corners are numbered as those of [`Block`](crate::gjk::Block).
    #[inline]
    pub(crate) fn of_box(half: Vec2<f64>, room: &'a mut Option<RimBlock>) -> Self {
        let (x, y) = (half.x, half.y);
        let far = f64::INFINITY;
        let block = room.insert(Block([
            [x, -x, x, -x, x, -x, x, -x],
            [y, y, -y, -y, y, y, -y, -y],
            [1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0],
            [x, x, y, y, far, far, far, far],
        ]));
        Rim { blocks: core::slice::from_ref(block), factor: 1.0, level: None }
    }
}

/// The least overlap along all sides but for rounding, and the sides that may have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    pub(crate) overlap: f64,
    /// Of a and of b, as bits.
    pub(super) sides: [u64; 2],
}

/// `None` for polygons of more corners, or without sides.
#[inline]
pub(super) fn glance<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
    a: &A,
    b: &Posed<B, Vec2<f64>>,
) -> Option<Glance> {
    let (mut room_a, mut room_b) = (None, None);
    let (rim_a, rim_b) = (a.rim(&mut room_a)?, b.core().rim(&mut room_b)?);
    let level = rim_a.level.or(rim_b.level).unwrap_or_else(Level::new);
    look_at(level, rim_a, rim_b, a, b)
}

#[inline]
fn look_at<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
    level: Level,
    rim_a: Rim<'_>,
    rim_b: Rim<'_>,
    a: &A,
    b: &Posed<B, Vec2<f64>>,
) -> Option<Glance> {
    let pair = Pair::new(rim_a, rim_b, a, b);
    let found = if pair.is_small() {
        dispatch!(level, simd => look::<_, 1>(simd, &pair))
    } else {
        dispatch!(level, simd => look::<_, { MAX_CORNERS / BLOCK }>(simd, &pair))
    };
    (found.overlap < f64::INFINITY).then_some(found)
}

struct Pair<'a> {
    a: Rim<'a>,
    b: Rim<'a>,
    /// Rows of (x, y, 1) ↦ point, from the frame of b to that of a, and back.
    to_a: [[f64; 3]; 2],
    to_b: [[f64; 3]; 2],
    /// Of b in the frame of a, of a in that of b; and the radii of the balls about them.
    centers: [Vec2<f64>; 2],
    radii: [f64; 2],
    tolerance: f64,
}

impl<'a> Pair<'a> {
    #[inline]
    fn new<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
        rim_a: Rim<'a>,
        rim_b: Rim<'a>,
        a: &A,
        b: &Posed<B, Vec2<f64>>,
    ) -> Self {
        let [x_axis, y_axis] = [b.turned(Vec2::unit(0)), b.turned(Vec2::unit(1))];
        let origin = b.placed(Vec2::ZERO);
        let back = b.turned_back(-origin);
        let mut pair = Pair {
            a: rim_a,
            b: rim_b,
            to_a: [[x_axis.x, y_axis.x, origin.x], [x_axis.y, y_axis.y, origin.y]],
            to_b: [[x_axis.x, x_axis.y, back.x], [y_axis.x, y_axis.y, back.y]],
            centers: [Vec2::ZERO; 2],
            radii: [b.core().inner_radius(), a.inner_radius()],
            tolerance: 2.0 * gjk::rounding_error(a, b),
        };
        if !pair.is_small() {
            pair.centers = [b.center(), b.taken_back(a.center())];
        }
        pair
    }

    /// Whether one block holds all sides of either.
    #[inline]
    fn is_small(&self) -> bool {
        self.a.blocks.len() == 1 && self.b.blocks.len() == 1
    }
}

/// How two polygons with few corners approach each other along the sides of a, then of b; sides that only fill up are never
/// approached.
pub(super) struct Approach {
    /// How far they are apart, or minus how deep they overlap, along each side.
    pub(super) gaps: [[f64; BLOCK]; 2],
    /// How fast that becomes less.
    pub(super) closing: [[f64; BLOCK]; 2],
}

/// For b in motion with a velocity, in the frame of a; `None` for polygons of more than eight corners, or without sides.
#[inline]
pub(super) fn approach<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
    a: &A,
    b: &Posed<B, Vec2<f64>>,
    velocity: Vec2<f64>,
) -> Option<Approach> {
    let (mut room_a, mut room_b) = (None, None);
    let (rim_a, rim_b) = (a.rim(&mut room_a)?, b.core().rim(&mut room_b)?);
    let level = rim_a.level.or(rim_b.level).unwrap_or_else(Level::new);
    let pair = Pair::new(rim_a, rim_b, a, b);
    if !pair.is_small() {
        return None;
    }
    let mut overlaps = [[[f64::INFINITY; BLOCK]; 1]; 2];
    dispatch!(level, simd => look_along(simd, &pair, &mut overlaps));
    let velocities = [-velocity, b.turned_back(velocity)];
    let closing = std::array::from_fn(|which| {
        let (Block(sides), v) = (&[pair.a.blocks, pair.b.blocks][which][0], velocities[which]);
        std::array::from_fn(|side| sides[2][side] * v.x + sides[3][side] * v.y)
    });
    Some(Approach { gaps: overlaps.map(|[overlaps]| overlaps.map(|overlap| 0.0 - overlap)), closing })
}

/// How far a point is above each side of a polygon, and how fast that becomes less when it moves; `None` as above.
#[inline]
pub(super) fn approach_of_point<A: Solid<Vec2<f64>>>(
    a: &A,
    point: Vec2<f64>,
    velocity: Vec2<f64>,
) -> Option<([f64; BLOCK], [f64; BLOCK])> {
    let mut room = None;
    let rim = a.rim(&mut room)?;
    let [Block(sides)] = rim.blocks else { return None };
    let gap =
        |side: usize| (sides[2][side] * point.x + sides[3][side] * point.y) - sides[4][side] * rim.factor;
    let closing = |side: usize| 0.0 - (sides[2][side] * velocity.x + sides[3][side] * velocity.y);
    Some((std::array::from_fn(gap), std::array::from_fn(closing)))
}

/// Corners in blocks of columns x and y.
type Corners<const N: usize> = [[[f64; BLOCK]; 2]; N];

#[inline(always)]
fn look<S: Simd, const N: usize>(simd: S, pair: &Pair<'_>) -> Glance {
    let mut overlaps = [[[f64::INFINITY; BLOCK]; N]; 2];
    let lowest = look_along(simd, pair, &mut overlaps);
    let limit = lowest + pair.tolerance;
    let sides = overlaps.each_ref().map(|along| at_most(simd, along, limit));
    Glance { overlap: lowest, sides }
}

/// H of the sides of both that may have the least, which is the answer.
#[inline(always)]
fn look_along<S: Simd, const N: usize>(
    simd: S,
    pair: &Pair<'_>,
    overlaps: &mut [[[f64; BLOCK]; N]; 2],
) -> f64 {
    let of_b = moved::<S, N>(simd, &pair.b, &pair.to_a);
    let of_a = moved::<S, N>(simd, &pair.a, &pair.to_b);
    let (blocks_a, blocks_b) = (pair.a.blocks.len().min(N), pair.b.blocks.len().min(N));
    let [along_a, along_b] = overlaps;
    let mut ball = Ball { center: pair.centers[0], radius: pair.radii[0], bar: f64::INFINITY };
    let lowest_a = along_sides::<S, N>(simd, &pair.a, &of_b[..blocks_b], &mut ball, pair.tolerance, along_a);
    let mut ball = Ball { center: pair.centers[1], radius: pair.radii[1], bar: ball.bar };
    let lowest_b = along_sides::<S, N>(simd, &pair.b, &of_a[..blocks_a], &mut ball, pair.tolerance, along_b);
    lowest_a.min(lowest_b).reduce_min()
}

#[inline(always)]
fn moved<S: Simd, const N: usize>(simd: S, rim: &Rim<'_>, [row_x, row_y]: &[[f64; 3]; 2]) -> Corners<N> {
    let mut corners = [[[0.0; BLOCK]; 2]; N];
    for (to, Block(from)) in corners.iter_mut().zip(rim.blocks) {
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            let x = Lanes::<S, S::f64s>::load(simd, &from[0][start..]);
            let y = Lanes::<S, S::f64s>::load(simd, &from[1][start..]);
            let (x, y) = (x * x.like(rim.factor), y * y.like(rim.factor));
            (x * x.like(row_x[0]) + y * x.like(row_x[1]) + x.like(row_x[2])).store(&mut to[0][start..]);
            (x * x.like(row_y[0]) + y * x.like(row_y[1]) + x.like(row_y[2])).store(&mut to[1][start..]);
        }
    }
    corners
}

/// A ball inside of the other polygon, and an overlap that the least one does not exceed.
struct Ball {
    center: Vec2<f64>,
    radius: f64,
    bar: f64,
}

/// How high some sides are above the centre of a ball.
#[inline(always)]
fn above<S: Simd>(
    simd: S,
    sides: &[[f64; BLOCK]; 5],
    start: usize,
    factor: f64,
    center: Vec2<f64>,
) -> Lanes<S, S::f64s> {
    let nx = Lanes::<S, S::f64s>::load(simd, &sides[2][start..]);
    let ny = Lanes::<S, S::f64s>::load(simd, &sides[3][start..]);
    let height = Lanes::<S, S::f64s>::load(simd, &sides[4][start..]);
    height * height.like(factor) - (nx * nx.like(center.x) + ny * nx.like(center.y))
}

/// The block with the side that is least high above the centre of a ball, the first of equals.
#[inline(always)]
fn nearest_block<S: Simd>(simd: S, rim: &Rim<'_>, center: Vec2<f64>) -> usize {
    let mut nearest = (f64::INFINITY, 0);
    for (index, Block(sides)) in rim.blocks.iter().enumerate() {
        let mut least = S::f64s::splat(simd, f64::INFINITY);
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            least = least.min(above(simd, sides, start, rim.factor, center).into_inner());
        }
        let least = least.reduce_min();
        if least < nearest.0 {
            nearest = (least, index);
        }
    }
    nearest.1
}

/// H of every side that the ball does not rule out, and the lowest in each lane. The nearest sides come first and
/// lower the bar.
#[inline(always)]
fn along_sides<S: Simd, const N: usize>(
    simd: S,
    rim: &Rim<'_>,
    corners: &[[[f64; BLOCK]; 2]],
    ball: &mut Ball,
    tolerance: f64,
    overlaps: &mut [[f64; BLOCK]; N],
) -> S::f64s {
    let mut lowest = S::f64s::splat(simd, f64::INFINITY);
    let count = rim.blocks.len().min(N);
    let first = if 1 < N { nearest_block(simd, rim, ball.center) } else { 0 };
    for step in 0..count {
        let index = if first + step < count { first + step } else { first + step - count };
        let (to, Block(sides)) = (&mut overlaps[index % N], &rim.blocks[index]);
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            if 1 < N {
                let above = above(simd, sides, start, rim.factor, ball.center);
                if above.less_than(above.like(ball.bar - ball.radius)).to_bitmask() == 0 {
                    continue;
                }
            }
            let nx = Lanes::<S, S::f64s>::load(simd, &sides[2][start..]);
            let ny = Lanes::<S, S::f64s>::load(simd, &sides[3][start..]);
            let height = Lanes::<S, S::f64s>::load(simd, &sides[4][start..]);
            let mut least = S::f64s::splat(simd, f64::INFINITY);
            for [x, y] in corners {
                for corner in 0..BLOCK {
                    least = least.min((nx * nx.like(x[corner]) + ny * nx.like(y[corner])).into_inner());
                }
            }
            let overlap = height * height.like(rim.factor) - Lanes::new(least);
            overlap.store(&mut to[start..]);
            lowest = lowest.min(overlap.into_inner());
        }
        if 1 < N && step == 0 {
            ball.bar = ball.bar.min_of(lowest.reduce_min() + tolerance);
        }
    }
    lowest
}

/// The sides whose overlap is no more than the limit.
#[inline(always)]
fn at_most<S: Simd, const N: usize>(simd: S, overlaps: &[[f64; BLOCK]; N], limit: f64) -> u64 {
    let mut found = 0;
    for (index, block) in overlaps.iter().enumerate() {
        for start in (0..BLOCK).step_by(S::f64s::LEN) {
            let overlap = Lanes::<S, S::f64s>::load(simd, &block[start..]);
            found |= overlap.less_or_equal(overlap.like(limit)).to_bitmask() << (index * BLOCK + start);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d2::ConvexPolygon;
    use crate::gjk::Block as Rectangle;
    use crate::sat::members;
    use carom_math::Rot2;
    use carom_oracle::generate::{self, Rng};

    fn polygon(rng: &mut Rng, round: usize) -> ConvexPolygon<f64> {
        let count = 2 + rng.below(40);
        let points = (0..count).map(|_| {
            let [x, y, _]: [f64; 3] =
                if round.is_multiple_of(3) { generate::lattice_point(rng) } else { generate::direction(rng) };
            // Round, and flat.
            Vec2::new(x, if round.is_multiple_of(5) { y * 1e-6 } else { y })
        });
        ConvexPolygon::from_hull(points.collect::<Vec<_>>()).unwrap()
    }

    /// H of every side by plain loops: the least of them is found, and every side that has it, at any width.
    fn check<B: Solid<Vec2<f64>>>(a: &impl Solid<Vec2<f64>>, b: &Posed<B, Vec2<f64>>) -> bool {
        let (mut room_a, mut room_b) = (None, None);
        let (Some(rim_a), Some(rim_b)) = (a.rim(&mut room_a), b.core().rim(&mut room_b)) else {
            return false;
        };
        let of_a = (0..a.face_count()).map(|face| {
            let (normal, vertex) = a.plane(face);
            normal.dot(vertex - b.support(-normal).0)
        });
        let of_b = (0..b.core().face_count()).map(|face| {
            let (normal, vertex) = b.core().plane(face);
            let normal = b.turned(normal);
            normal.dot(b.placed(vertex) - a.support(-normal).0)
        });
        let plain = [of_a.collect::<Vec<f64>>(), of_b.collect()];
        let least = plain.iter().flatten().fold(f64::INFINITY, |least, &x| x.min_of(least));
        let error = gjk::rounding_error(a, b);
        for level in [Level::new(), Level::baseline()] {
            let found = look_at(level, rim_a, rim_b, a, b).unwrap();
            assert!((found.overlap - least).abs() <= error, "{found:?} {least}");
            for (side, plain) in plain.iter().enumerate() {
                let sides: Vec<usize> = members(&found.sides[side..=side]).collect();
                assert!(sides.iter().all(|&face| plain[face] <= least + 4.0 * error));
                assert!((0..plain.len()).all(|face| least < plain[face] || sides.contains(&face)));
            }
        }
        true
    }

    #[test]
    fn a_glance_agrees_with_plain_loops_at_any_width() {
        let mut rng = Rng::new(5);
        let mut answered = 0;
        for round in 0..2000 {
            let (first, second) = (polygon(&mut rng, round), polygon(&mut rng, round / 3));
            let half =
                Vec2::new(rng.uniform(0.0, 1.0), if rng.one_in(5) { 0.0 } else { rng.uniform(0.0, 1.0) });
            let columns = Rot2::from_angle(rng.uniform(-3.0, 3.0)).to_matrix().columns;
            // Deep in each other, side by side, and far apart.
            let reach = [0.3, 2.5, 1e6][round % 3];
            let at = Vec2::new(rng.uniform(-reach, reach), rng.uniform(-reach, reach));
            answered += usize::from(check(&first.view(), &Posed::new(second.view(), &columns, at)));
            answered += usize::from(check(&first.view(), &Posed::new(Rectangle(half), &columns, at)));
        }
        // All but points.
        assert!(3500 < answered, "{answered}");
    }
}
