//! The filters: signs of separations in `f32` lanes, or nothing.
//!
//! A filter says +1 when the shapes are certainly more than the margin apart, −1 when they certainly
//! overlap, 0 when it cannot tell. It is free to say 0 for any reason; what it may not do is err. All of it is about
//! rounding, counted here in u = 2⁻²⁴ against S, the sum of all magnitudes of coordinates (of the vector between
//! the origins and of both shapes) and of the margin. Lengths of vectors are Euclidean, and at most their sums.
//!
//! **Input.** Coordinates differ from what was given by u: a difference in the caller's own precision, or the
//! rounding of an `f64`. World coordinates never enter, only their differences.
//!
//! **Turning back**, t + (v×c − w·c)·2/|q|² with c = v×t and q = (v, w): c is off by 6u·|v||t|, v×c by 11u·|v|²|t|,
//! w·c by 8u·|w||v||t|, their difference by 14u·|q|²|t|, since |v|² + |v||w| <= 1.21|q|². The factor is off by 5u, one
//! more product, the sum, and t itself: **48u·|t|** in all.
//!
//! **Relative rotation.** Sums of four products, 6u·|p||q| each, which move the quaternion by 10.5u and so turn
//! by 21u. A vector turned by it is off by 48u + 21u, **70u** of its length. An entry of its matrix is off by 21u and the
//! 17u of its evaluation: **40u**, a whole column by 51u.
//!
//! * *Ball–ball*: relative, with no S at all; see [`Balls`].
//! * *Ball–box*: the centre is off by 48u·|t|, the distance to a box moves no faster than the point, and
//!   clamping, squaring and the root add less than 12u·S: **60u·S**.
//! * *Capsules*: a point of a segment, seen from the other, is off by 70u·S, sums and products add 6u: the
//!   distance of two points by **82u·S**, and so is the gap along the vector between them.
//! * *Box–box*: a gap along an axis of the first is off by 48u·|t| and 44u of the half extents; along an
//!   axis of the second by (48 + 51 + 6)u·|t| and 44u; along the product of two edges by (48 + 51 + 4)u·|t| and 44u:
//!   **110u·S**.
//!
//! * *Capsule–box*: a point of the segment, seen from the box, is off by 76u·S as above, its parameter by 4u·S more; the
//!   distance to a point of the box and the gap along the vector between them by **90u·S**.
//!
//! [`ROUNDING`], 128u, covers each of them together with the error of the functions for one pair (2⁻⁴⁷·S). In the
//! plane there are fewer roundings of every sort.
//!
//! **Boxes that touch.** A positive gap proves that boxes are apart, however its axis was found. That they
//! overlap takes all 15 axes, and two edges that are almost parallel have an axis of almost no length, whose
//! gap no rounding error leaves certain. Such edges are left out, and the others have to show
//! more: let θ be the largest sine that was left out. Turning the second box about its centre by φ <= 2θ makes all these
//! edges exactly parallel (one pair: φ = arcsin θ; two or three pairs: a rotation by φ moves one of three
//! perpendicular edges by φ·√(2/3) or more, and a third pair that just missed being left out is at most √2·θ off). For the
//! turned box all axes of zero length say nothing, and the gaps of the others have changed by at most φ·(|t| + |a| + 2|b|)
//! <= 2φ·S. If they are all below −φ·S still, then that is how deep it overlaps in every direction (a
//! zonotope's faces are among the 15 axes, and a flat one has a gap of 0 across), while no corner
//! is farther than φ·S from where it was: turning back cannot separate the boxes. So gaps below −3φ·S >= −6θ·S, with
//! errors, prove that they touch. θ itself is off by 64u.
//!
//! **Range.** Numbers that overflow, are lost to underflow, or are no numbers must end as 0. [`tolerance`] is infinite
//! unless 2⁻⁴⁰ < S < 2⁴⁰, and unless the squared norms of the rotations lie between ¼ and 4: then nothing
//! overflows, and what underflows (2⁻⁷³ in a root of squares) is far below 128u·2⁻⁴⁰. Comparisons with NaN are false,
//! and false means 0.

use super::ROW;
use super::turn::{Fields, Lane, LaneTurn, LaneVector, Turn2, Turn3, number};
use carom_math::prelude_simd::{Simd, SimdBase, dispatch};
use carom_math::{Lanes, Level, Vec2, Vec3};

/// 128u, the rounding errors of a filter in units of S.
const ROUNDING: f32 = 1.0 / 131_072.0;

/// Squares of lengths above this have lost nothing to underflow.
const TINY_SQUARE: f32 = f32::MIN_POSITIVE * 64.0;

/// The vectors and rotations of a dimension, in lanes.
pub(crate) trait Space {
    type Vector<N: Lane>: LaneVector<N>;
    type Turn<N: Lane>: LaneTurn<N, Self::Vector<N>>;
}

/// The plane, in lanes.
pub(crate) struct Plane;
/// Space, in lanes.
pub(crate) struct Room;

impl Space for Plane {
    type Vector<N: Lane> = Vec2<N>;
    type Turn<N: Lane> = Turn2<N>;
}

impl Space for Room {
    type Vector<N: Lane> = Vec3<N>;
    type Turn<N: Lane> = Turn3<N>;
}

/// A pair of kinds in lanes. Each says in which order its fields come.
pub(crate) trait Filter<P: Space> {
    /// +1, −1 or 0 in every lane.
    fn verdict<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N;
}

/// Goes over the first `count` pairs of a row.
#[inline(never)]
pub(crate) fn judge<P: Space, F: Filter<P>>(
    level: Level,
    fields: &[[f32; ROW]],
    count: usize,
    margin: f32,
    verdicts: &mut [f32; ROW],
) {
    dispatch!(level, simd => in_lanes::<_, P, F>(simd, fields, count, margin, verdicts));
}

#[inline(always)]
fn in_lanes<S: Simd, P: Space, F: Filter<P>>(
    simd: S,
    fields: &[[f32; ROW]],
    count: usize,
    margin: f32,
    verdicts: &mut [f32; ROW],
) {
    let width = S::f32s::LEN;
    let margin = Lanes::<S, S::f32s>::new(S::f32s::splat(simd, margin));
    for (block, verdicts) in verdicts.chunks_exact_mut(width).enumerate().take(count.div_ceil(width)) {
        let mut reader = Reader { simd, fields: fields.iter(), start: block * width };
        F::verdict::<Lanes<S, S::f32s>>(&mut reader, margin).store(verdicts);
    }
}

struct Reader<'a, S> {
    simd: S,
    fields: core::slice::Iter<'a, [f32; ROW]>,
    start: usize,
}

impl<S: Simd> Fields<Lanes<S, S::f32s>> for Reader<'_, S> {
    #[inline(always)]
    fn next(&mut self) -> Lanes<S, S::f32s> {
        let field = self.fields.next().and_then(|field| field.get(self.start..self.start + S::f32s::LEN));
        Lanes::load(self.simd, field.unwrap_or(&[f32::NAN]))
    }
}

/// `value` where `low` < `x` < `high`, infinite elsewhere.
#[inline(always)]
pub(crate) fn within<N: Lane>(value: N, x: N, low: f32, high: f32) -> N {
    let never = number(value, f32::INFINITY);
    let below = N::select(x.less_than(number(x, high)), value, never);
    N::select(number(x, low).less_than(x), below, never)
}

/// The bound on the rounding errors of a problem of this size.
#[inline(always)]
pub(crate) fn tolerance<N: Lane>(size: N) -> N {
    let band = (1_u64 << 40) as f32;
    within(size * number(size, ROUNDING), size, 1.0 / band, band)
}

/// The tolerance, infinite unless the rotation is a sane one.
#[inline(always)]
pub(super) fn with_turn<P: Space, N: Lane>(tolerance: N, turn: P::Turn<N>) -> N {
    within(tolerance, turn.norm_squared(), 0.25, 4.0)
}

/// +1 when the lower bound is above the margin, −1 when the upper one is negative, and 0.
#[inline(always)]
pub(crate) fn sign<N: Lane>(lower: N, upper: N, margin: N) -> N {
    let zero = number(lower, 0.0);
    let overlapping = N::select(upper.less_than(zero), number(lower, -1.0), zero);
    N::select(margin.less_than(lower), number(lower, 1.0), overlapping)
}

/// Fields: the vector between the centres, the sum of the radii.
///
/// The squares of the distance and of the sum are off by a factor of 1 ± 5u each, so one of them is certainly larger
/// when it is so by 1 + 32u. Underflow takes 2⁻¹⁴⁷ from sums of squares that are above 2⁻⁸⁰.
pub(crate) struct Balls;

impl<P: Space> Filter<P> for Balls {
    #[inline(always)]
    fn verdict<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N {
        let between = P::Vector::read(fields);
        let reach = fields.next() + margin;
        let (distance, reach) = (between.dot(between), reach * reach);
        let more = within(number(margin, 1.0 + 32.0 / 16_777_216.0), distance + reach, 1e-24, 1e24);
        let (zero, one) = (number(margin, 0.0), number(margin, 1.0));
        let overlapping = N::select((distance * more).less_than(reach), -one, zero);
        N::select((reach * more).less_than(distance), one, overlapping)
    }
}

/// Fields: the vector from the box's centre to the ball's, the box's rotation and half extents, the radius.
pub(crate) struct BallBox;

impl<P: Space> Filter<P> for BallBox {
    #[inline(always)]
    fn verdict<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N {
        let between = P::Vector::read(fields);
        let turn = P::Turn::read(fields);
        let half = P::Vector::read(fields);
        let radius = fields.next();
        let beyond = turn.undo(between).abs() - half;
        let outside = beyond.not_negative();
        // In the box the nearest face counts, outside it the distance: one of the two is zero.
        let zero = number(margin, 0.0);
        let separation = outside.dot(outside).sqrt() + beyond.largest().smaller(zero) - radius;
        let size = between.abs().sum() + half.sum() + radius + margin;
        let error = with_turn::<P, N>(tolerance(size), turn);
        sign(separation - error, separation + error, margin)
    }
}

/// Fields: the vector between the origins, both rotations, both segments (one end and the vector to the other), the
/// sum of the radii.
///
/// The parameters of the nearest points come from the closed form, with clamping (Ericson, *Real-Time Collision
/// Detection*, 5.1.9). Nothing rests on them: the distance between *any* two points is an upper bound, and the gap
/// between the segments along *any* vector a lower one. Where the closed form loses its digits the bounds
/// do not meet, and the verdict is 0.
pub(crate) struct Capsules;

impl<P: Space> Filter<P> for Capsules {
    #[inline(always)]
    fn verdict<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N {
        let between = P::Vector::read(fields);
        let (turn_a, turn_b) = (P::Turn::read(fields), P::Turn::read(fields));
        let (end_a, along_a) = (P::Vector::read(fields), P::Vector::read(fields));
        let (end_b, along_b) = (P::Vector::read(fields), P::Vector::read(fields));
        let radius = fields.next();

        let relative = turn_a.relative(turn_b);
        let from_b = relative.apply(along_b);
        // From the end of a to the end of b, in the frame of a.
        let ends = turn_a.undo(between) + relative.apply(end_b) - end_a;
        let size = between.abs().sum()
            + (end_a.abs().sum() + along_a.abs().sum())
            + (end_b.abs().sum() + along_b.abs().sum())
            + (radius + margin);
        let error = with_turn::<P, N>(with_turn::<P, N>(tolerance(size), turn_a), turn_b);
        Self::decide(ends, [along_a, from_b], radius, error, margin)
    }
}

impl Capsules {
    /// The same in any frame: given the vector between the ends, the segments from there, and the bound on the rounding
    /// errors.
    #[inline(always)]
    pub(crate) fn decide<N: Lane, V: LaneVector<N>>(
        ends: V,
        [along_a, from_b]: [V; 2],
        radius: N,
        error: N,
        margin: N,
    ) -> N {
        let (at_a, at_b) = nearest_parameters(along_a, from_b, ends);
        let nearest = ends + from_b * at_b - along_a * at_a;

        let squared = nearest.dot(nearest);
        // The least of nearest·(y − x) over the points x of a and y of b.
        let zero = number(margin, 0.0);
        let least = nearest.dot(ends) + nearest.dot(from_b).smaller(zero) - nearest.dot(along_a).larger(zero);
        by_direction(least, squared, radius, error, margin)
    }
}

/// The verdict about two sets that are to stay `radius` apart, given a vector v from a point of one to a point of the other: its
/// square, and the least of v·(y − x) over all points x of the first and y of the other. The points are no closer than the
/// sets, and along v the sets are at least so far apart.
#[inline(always)]
pub(super) fn by_direction<N: Lane>(least: N, squared: N, radius: N, error: N, margin: N) -> N {
    let distance = squared.sqrt();
    let lower = N::select(
        number(margin, TINY_SQUARE).less_than(squared),
        least / distance - radius,
        number(margin, f32::NEG_INFINITY),
    );
    sign(lower - error, distance - radius + error, margin)
}

/// Where the segments s·along_a and ends + t·along_b come closest: s and t in [0, 1], whatever the numbers are.
#[inline(always)]
fn nearest_parameters<N: Lane, V: LaneVector<N>>(along_a: V, along_b: V, ends: V) -> (N, N) {
    let (aa, bb, ab) = (along_a.dot(along_a), along_b.dot(along_b), along_a.dot(along_b));
    let (a, b) = (along_a.dot(ends), along_b.dot(ends));
    // |ends + t·along_b − s·along_a|² has the gradient (s·aa − t·ab − a, t·bb − s·ab + b)/½.
    let s = unit((a * bb - b * ab) / (aa * bb - ab * ab));
    let t = unit((s * ab - b) / bb);
    (unit((t * ab + a) / aa), t)
}

/// The number clamped to [0, 1]. Quotients by zero are infinite or NaN; they become 0 or 1, which is as good as any.
#[inline(always)]
pub(super) fn unit<N: Lane>(x: N) -> N {
    x.max_of(number(x, 0.0)).smaller(number(x, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::boxes::{Boxes, CapsuleBox};
    use carom_oracle::generate::{self, Rng};

    /// How many of 64·50 pairs in space get the verdict 0, and how many the verdict −1.
    fn counts<F: Filter<Room>>(mut pair: impl FnMut(&mut Rng) -> Vec<f64>) -> [usize; 2] {
        let mut rng = Rng::new(5);
        let mut counts = [0; 2];
        for _ in 0..50 {
            let pairs: Vec<Vec<f64>> = (0..ROW).map(|_| pair(&mut rng)).collect();
            let fields: Vec<[f32; ROW]> =
                (0..pairs[0].len()).map(|k| std::array::from_fn(|lane| pairs[lane][k] as f32)).collect();
            let mut verdicts = [0.0; ROW];
            judge::<Room, F>(Level::new(), &fields, ROW, 0.0, &mut verdicts);
            counts[0] += verdicts.iter().filter(|v| **v == 0.0).count();
            counts[1] += verdicts.iter().filter(|v| **v < 0.0).count();
        }
        counts
    }

    fn numbers(rng: &mut Rng, count: usize, low: f64, high: f64) -> Vec<f64> {
        (0..count).map(|_| rng.uniform(low, high)).collect()
    }

    fn turn(rng: &mut Rng) -> Vec<f64> {
        let direction: [f64; 3] = generate::unit_vector(rng);
        let (sine, cosine) = rng.uniform(-3.0, 3.0).sin_cos();
        vec![direction[0] * sine, direction[1] * sine, direction[2] * sine, cosine]
    }

    /// A filter that never knows would give no wrong answer either.
    #[test]
    fn almost_every_random_pair_is_decided() {
        let between = |rng: &mut Rng| numbers(rng, 3, -2.0, 2.0);
        let size = |rng: &mut Rng, count| numbers(rng, count, 0.5, 1.5);
        let balls = counts::<Balls>(|rng| [between(rng), size(rng, 1)].concat());
        let ball_box = counts::<BallBox>(|rng| [between(rng), turn(rng), size(rng, 4)].concat());
        let boxes = counts::<Boxes>(|rng| [between(rng), turn(rng), turn(rng), size(rng, 6)].concat());
        let capsules = counts::<Capsules>(|rng| {
            [between(rng), turn(rng), turn(rng), numbers(rng, 12, -0.7, 0.7), size(rng, 1)].concat()
        });
        let capsule_box = counts::<CapsuleBox>(|rng| {
            [between(rng), turn(rng), turn(rng), size(rng, 3), numbers(rng, 6, -0.7, 0.7), size(rng, 1)]
                .concat()
        });
        let all = [balls, ball_box, boxes, capsules, capsule_box];
        for ((kind, [unknown, overlapping]), most) in all.into_iter().enumerate().zip([6, 6, 6, 6, 120]) {
            assert!(unknown <= most, "filter {kind}: {unknown} of 3200 unknown");
            assert!((200..3000).contains(&overlapping), "filter {kind}: {overlapping} of 3200 overlap");
        }
    }

    /// Stacks are made of boxes that are turned alike and hardly overlap; all edges are parallel.
    #[test]
    fn boxes_in_a_stack_are_decided() {
        let boxes = counts::<Boxes>(|rng| {
            let q = turn(rng);
            let [x, y, z, w] = [q[0], q[1], q[2], q[3]];
            // The second box above the first, along its turned y axis, a thousandth of its size too low.
            let up = [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)];
            [up.map(|c| c * 0.999).to_vec(), q.clone(), q, vec![0.5; 6]].concat()
        });
        assert_eq!(boxes, [0, 3200]);
    }
}
