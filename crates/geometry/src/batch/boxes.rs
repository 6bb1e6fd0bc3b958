//! The filters of boxes: two of them, and a box with a capsule. How errors are counted stands in [`super::filter`].

use super::filter::{Filter, Space, by_direction, sign, tolerance, unit, with_turn};
use super::turn::{Fields, Lane, LaneTurn, LaneVector, number};

/// 8·64u: what the error of θ adds to 8θ·S.
const PARALLEL_ROUNDING: f32 = 512.0 / 16_777_216.0;

/// Fields: the vector between the centres, both rotations, both half extents.
pub(crate) struct Boxes;

impl<P: Space> Filter<P> for Boxes {
    #[inline(always)]
    fn verdict<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N {
        let between = P::Vector::read(fields);
        let (turn_a, turn_b) = (P::Turn::read(fields), P::Turn::read(fields));
        let (a, b) = (P::Vector::read(fields), P::Vector::read(fields));
        let axes = turn_a.relative(turn_b).box_axes(turn_a.undo(between), a, b);
        let size = between.abs().sum() + a.sum() + b.sum() + margin;
        let error = with_turn::<P, N>(with_turn::<P, N>(tolerance(size), turn_a), turn_b);
        let turned = axes.left_out.sqrt() * number(margin, 8.0) + number(margin, PARALLEL_ROUNDING);
        sign(axes.gap - error, axes.gap + error + turned * size, margin)
    }
    const GLANCES: bool = P::BOXES_HAVE_EDGE_AXES;
    #[inline(always)]
    fn glance<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N {
        let between = P::Vector::read(fields);
        let (turn_a, turn_b) = (P::Turn::read(fields), P::Turn::read(fields));
        let (a, b) = (P::Vector::read(fields), P::Vector::read(fields));
        let length = between.abs().sum();
        let size = length + a.sum() + b.sum() + margin;
        let error = with_turn::<P, N>(with_turn::<P, N>(tolerance(size), turn_a), turn_b);
        let first = CenterLine::new(turn_a.undo(between), a, b.dot(b).sqrt(), error);
        let second = CenterLine::new(turn_b.undo(between), b, a.dot(a).sqrt(), error);
        first.verdict(second, [between.dot(between), length], error, margin)
    }
}

/// What a box says about the line from its centre to that of another.
///
/// *Overlapping.* From its own centre the line stays in a box for as many times its length as it fits into the box; if the parts
/// in both boxes make up the whole, there is a point in both. With every component larger by the error of 128u·S this holds
/// still when the other box moves by 80u·S, whatever the direction, since the vector itself is off by 48u·S: the boxes overlap
/// by as much. The quotients and their sum are off by 4u.
///
/// *Apart.* Along an axis of one box the other reaches no farther than its corners: that gap is off by 48u·S and 8u·S of a
/// root and sums. Along the line t itself the boxes reach as far as their half extents times its components, by its
/// length; the gap times |t| is off by (48 + 8)u·S·|t|. Underflow would matter below |t| = 2⁻⁵⁷ only, where t² is less than
/// the error.
#[derive(Clone, Copy)]
pub(crate) struct CenterLine<N> {
    /// How many times the length of the line it stays in the box.
    pub(crate) inside: N,
    /// A lower bound of the gap along the best axis of the box.
    pub(crate) beyond: N,
    /// How far the box reaches along the line, times its length.
    pub(crate) reach: N,
}

impl<N: Lane> CenterLine<N> {
    /// `seen` is the line in the frame of the box, `far` the distance of the other box's corners from its centre.
    #[inline(always)]
    pub(crate) fn new<V: LaneVector<N>>(seen: V, half: V, far: N, error: N) -> Self {
        let seen = seen.abs();
        CenterLine {
            inside: seen.fits(half, error),
            beyond: (seen - half).largest() - far,
            reach: seen.dot(half),
        }
    }
    /// The verdict of both boxes, given the square of the line's length and the sum of the magnitudes of its components.
    #[inline(always)]
    pub(crate) fn verdict(self, other: Self, [squared, length]: [N; 2], error: N, margin: N) -> N {
        let (zero, one) = (number(margin, 0.0), number(margin, 1.0));
        let whole = number(margin, 1.0 + 8.0 / 16_777_216.0);
        let doubt = margin + error;
        let overlapping = N::select(whole.less_than(self.inside + other.inside), -one, zero);
        let along = squared - (self.reach + other.reach);
        let verdict = N::select((doubt * length).less_than(along), one, overlapping);
        N::select(doubt.less_than(self.beyond.larger(other.beyond)), one, verdict)
    }
}

/// Fields: the vector from the box's centre to the capsule's origin, the rotations of the box and of the capsule, the half
/// extents, the segment (one end and the vector to the other), the radius.
pub(crate) struct CapsuleBox;

impl<P: Space> Filter<P> for CapsuleBox {
    #[inline(always)]
    fn verdict<N: Lane>(fields: &mut impl Fields<N>, margin: N) -> N {
        let between = P::Vector::read(fields);
        let (turn, of_capsule) = (P::Turn::read(fields), P::Turn::read(fields));
        let half = P::Vector::read(fields);
        let (end, along) = (P::Vector::read(fields), P::Vector::read(fields));
        let radius = fields.next();
        let relative = turn.relative(of_capsule);
        let size =
            between.abs().sum() + half.sum() + (end.abs().sum() + along.abs().sum()) + (radius + margin);
        let error = with_turn::<P, N>(with_turn::<P, N>(tolerance(size), turn), of_capsule);
        let end = turn.undo(between) + relative.apply(end);
        Self::decide(end, relative.apply(along), half, radius, error, margin)
    }
}

impl CapsuleBox {
    /// Given the segment in the frame of the box.
    ///
    /// From the point of the segment that is nearest to the centre to the box, back to the segment and to the box again
    /// (alternating projections, von Neumann). That need not have come to an end: any two points bound the distance
    /// from above, and any direction from below.
    #[inline(always)]
    pub(crate) fn decide<N: Lane, V: LaneVector<N>>(
        end: V,
        along: V,
        half: V,
        radius: N,
        error: N,
        margin: N,
    ) -> N {
        let scale = number(margin, 1.0) / along.dot(along);
        let first = end + along * unit(-end.dot(along) * scale);
        let back = unit((first.clamped(half) - end).dot(along) * scale);
        let point = end + along * back;
        let apart = point - point.clamped(half);
        let zero = number(margin, 0.0);
        let least = apart.dot(end) + apart.dot(along).smaller(zero) - apart.abs().dot(half);
        by_direction(least, apart.dot(apart), radius, error, margin)
    }
}
