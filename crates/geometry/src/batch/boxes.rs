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
