//! Two outlines: whether and how they meet.
//!
//! The outline with fewer corners is carried into the frame of the other, once; from there on every
//! decision is exact. So the answer is exact for the corners as carried over, which is without rounding
//! where the relative pose is: equal rotations or quarter turns, and translations that the coordinates can
//! be added to without rounding. Otherwise each corner is off by a few ε of the size of the pair.

use super::edges::Edges;
use super::point::Place;
use super::predicate::{box_around, segments_meet};
use super::{Outline, taming};
use crate::Error;
use crate::error::finite_pose;
use crate::scale::{largest, shrinking};
use carom_math::{Pose2, Real, Vec2, Vector};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use std::borrow::Cow;

/// How two outlines relate.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Outline, OutlineRelation, relate_outlines};
/// let big = Outline::new([[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]])?;
/// let small = Outline::new([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?;
/// let origin = [0.0, 0.0];
/// assert_eq!(relate_outlines(&big, origin, &small, [4.0, 4.0])?, OutlineRelation::SecondInside);
/// assert_eq!(relate_outlines(&big, origin, &small, [9.0, 9.0])?, OutlineRelation::Crossing { first: 1, second: 0 });
/// assert_eq!(relate_outlines(&big, origin, &small, [9.5, 0.0])?, OutlineRelation::Apart);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineRelation {
    /// No point in common.
    Apart,
    /// These edges meet; touching counts. It is the lowest edge of the first outline that meets the
    /// second one, and the lowest of the second outline that it meets.
    Crossing {
        /// The edge of the first outline.
        first: usize,
        /// The edge of the second outline.
        second: usize,
    },
    /// The first outline lies inside the second one, without touching its edges.
    FirstInside,
    /// The second outline lies inside the first one, without touching its edges.
    SecondInside,
}

/// Whether two outlines share a point, their insides included; touching counts.
///
/// Decided exactly for the corners as they appear in the frame of the outline with more corners. Two
/// outlines of n edges take O(n) to place, and about O(log n) more for each pair of edges that come near
/// each other. The same to the bit when the two are exchanged.
///
/// # Errors
/// When a pose is not finite.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Outline, outlines_intersect};
/// let u = Outline::new([[0.0, 0.0], [3.0, 0.0], [3.0, 3.0], [2.0, 3.0], [2.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]])?;
/// let bar = Outline::new([[0.0, 0.0], [0.5, 0.0], [0.5, 4.0], [0.0, 4.0]])?;
/// assert!(!outlines_intersect(&u, [0.0, 0.0], &bar, [1.25, 1.25])?); // in the gap of the U
/// assert!(outlines_intersect(&u, [0.0, 0.0], &bar, [1.25, 1.0])?); // on its ground
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn outlines_intersect<T: Real>(
    a: &Outline<T>,
    pose_a: impl Into<Pose2<T>>,
    b: &Outline<T>,
    pose_b: impl Into<Pose2<T>>,
) -> Result<bool, Error> {
    let pair = Pair::new(a, pose_a.into(), b, pose_b.into())?;
    Ok(pair.edges_meet() || pair.inclusion().is_some())
}

/// How two outlines relate: which edges meet first, or which outline is inside the other.
///
/// As [`outlines_intersect`], and when edges meet, the lowest pair of them is looked for, edge by edge of
/// the first outline.
///
/// # Errors
/// When a pose is not finite.
pub fn relate_outlines<T: Real>(
    a: &Outline<T>,
    pose_a: impl Into<Pose2<T>>,
    b: &Outline<T>,
    pose_b: impl Into<Pose2<T>>,
) -> Result<OutlineRelation, Error> {
    let pair = Pair::new(a, pose_a.into(), b, pose_b.into())?;
    if pair.edges_meet() {
        return Ok(pair.lowest_crossing());
    }
    Ok(match pair.inclusion() {
        None => OutlineRelation::Apart,
        Some(host_inside) if host_inside != pair.swapped => OutlineRelation::FirstInside,
        Some(_) => OutlineRelation::SecondInside,
    })
}

/// Two outlines in one frame, that of the host.
struct Pair<'a> {
    host: Cow<'a, Edges>,
    guest: Edges,
    /// Whether the guest is the first of the caller's outlines.
    swapped: bool,
}

impl<'a> Pair<'a> {
    fn new<T: Real>(
        a: &'a Outline<T>,
        pose_a: Pose2<T>,
        b: &'a Outline<T>,
        pose_b: Pose2<T>,
    ) -> Result<Self, Error> {
        let pose_a = finite_pose("pose_a", pose_a)?.widen();
        let pose_b = finite_pose("pose_b", pose_b)?.widen();
        let (a, b): (&Edges, &Edges) = (&a.edges, &b.edges);
        // The host is chosen by the outlines, not by their order, so that exchanging them changes nothing.
        let swapped = rank(a, b).then_with(|| rank_poses(pose_a, pose_b)) == Ordering::Greater;
        let (host, mut host_pose, guest, mut guest_pose) =
            if swapped { (b, pose_b, a, pose_a) } else { (a, pose_a, b, pose_b) };

        let sizes = [host.size(), guest.size()];
        let offsets = [host_pose.translation.max_abs(), guest_pose.translation.max_abs()];
        let shrink = shrinking(largest([largest(sizes), largest(offsets)]));
        host_pose.translation = host_pose.translation * shrink;
        guest_pose.translation = guest_pose.translation * shrink;
        let mut relative = host_pose.to_local(guest_pose);
        // Sums are blind to the scale, and the predicates too; only the products of a rotation that
        // mixes coordinates can lose bits at the ends of the range.
        let mixes = relative.rotation.cos() != 0.0 && relative.rotation.sin() != 0.0;
        let [host_size, guest_size] = sizes.map(|size| size * shrink);
        let tame = if mixes { taming([host_size, guest_size, relative.translation.max_abs()]) } else { 1.0 };
        relative.translation = relative.translation * tame;
        let factor = shrink * tame;
        Ok(Pair { host: host.scaled_if_needed(factor), guest: guest.placed(factor, relative), swapped })
    }

    fn edges_meet(&self) -> bool {
        let visit = |i, j| {
            if segments_meet(self.host.edge(i), self.guest.edge(j)) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        self.host.tree().pairs(self.guest.tree(), visit).is_break()
    }

    /// When no edges meet: `Some(true)` when the host lies inside the guest, `Some(false)` when the guest
    /// lies inside the host. One point of each tells, as all of its boundary is on the same side.
    fn inclusion(&self) -> Option<bool> {
        if self.host.locate(self.guest.points()[0]) != Place::Outside {
            Some(false)
        } else if self.guest.locate(self.host.points()[0]) != Place::Outside {
            Some(true)
        } else {
            None
        }
    }

    /// When some edges meet: the lowest pair in the caller's order.
    fn lowest_crossing(&self) -> OutlineRelation {
        let (first, second): (&Edges, &Edges) =
            if self.swapped { (&self.guest, &self.host) } else { (&self.host, &self.guest) };
        let found = (0..first.points().len()).find_map(|i| {
            let [a, b] = first.edge(i);
            second
                .lowest_overlapping(box_around(a, b), |j| segments_meet([a, b], second.edge(j)))
                .map(|j| OutlineRelation::Crossing { first: i, second: j })
        });
        found.unwrap_or(OutlineRelation::Apart)
    }
}

/// More corners first; then by the numbers.
fn rank(a: &Edges, b: &Edges) -> Ordering {
    let (a, b) = (a.points(), b.points());
    b.len().cmp(&a.len()).then_with(|| {
        a.iter()
            .zip(b)
            .map(|(p, q)| rank_points(*p, *q))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

fn rank_poses(a: Pose2<f64>, b: Pose2<f64>) -> Ordering {
    let turn = |pose: Pose2<f64>| Vec2::new(pose.rotation.cos(), pose.rotation.sin());
    rank_points(a.translation, b.translation).then_with(|| rank_points(turn(a), turn(b)))
}

fn rank_points(a: Vec2<f64>, b: Vec2<f64>) -> Ordering {
    a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
}
