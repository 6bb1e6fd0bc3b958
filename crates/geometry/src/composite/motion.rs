//! Two shapes in straight motion, one of them composite: the first pair of parts that touches.
//!
//! The walk orders pairs of boxes by a lower bound on the time at which what is inside may first touch: the slabs of one box
//! moving past the other, see [`meeting_time`]. The parts themselves are left to the kernels for convex shapes, whose interval
//! ends at the best time so far. Shapes that touch at the start are not seen here. For turning shapes see [`super::impact`].

use super::descent::{Boxed, Opened, Side, meeting_time};
use super::pair::gap_along;
use super::sight::Sight;
use super::view::{View, both_sights, one_by_one, pair_size};
use super::walk::{Actor, Task, walk};
use super::{Kernels, Place};
use crate::answer::Hit;
use crate::bound::{Aabb, Frame};
use crate::bvh::node::WIDTH;
use crate::bvh::probe::Slabs;
use crate::pair::place::Turn;
use crate::{CastOptions, Error};
use carom_math::prelude_simd::{Simd, SimdBase};
use carom_math::{Real, Vector};
use core::ops::ControlFlow;

/// An answer, if there is one, and the parts that it is about.
pub(crate) type Told<A> = Option<(A, [u32; 2])>;

/// The first touch of two shapes in straight motion that do not touch at the start, and of which parts. `place`:
/// the second seen from the first; `slack`: what boxes and kernels may err by.
pub(crate) fn cast<K: Kernels>(
    shapes: [&K::Shape; 2],
    poses: [K::Pose; 2],
    velocities: [K::Vector; 2],
    place: &Place<K>,
    slack: f64,
    max: f64,
) -> Result<Told<Hit<K::Vector>>, Error> {
    let velocity = K::place_of(poses[0]).rotation.undo(velocities[1] - velocities[0]);
    let sides = shapes.map(Side::<K>::new);
    let room = slack + sides[0].radius + sides[1].radius;
    let there = Frame::of(place).placed(sides[1].whole);
    // Most of what is asked about passes by at a distance.
    if meeting_time(&sides[0].whole, &there, velocity, room, max).is_none() {
        return Ok(None);
    }
    let normal = K::Vector::ZERO;
    let mut task = Cast::<K> { poses, velocities, velocity, slack, max, best: None, normal, failed: None };
    let [a, b] = shapes.map(Actor::whole);
    let _ = walk(&a, &b, place, 0.0, &mut task);
    task.failed.map_or(Ok(task.best), Err)
}

struct Cast<K: Kernels> {
    poses: [K::Pose; 2],
    velocities: [K::Vector; 2],
    /// Of the second, seen from the first.
    velocity: K::Vector,
    slack: f64,
    max: f64,
    best: Told<Hit<K::Vector>>,
    /// That of the best hit, seen from the first.
    normal: K::Vector,
    failed: Option<Error>,
}

/// Parts that would be met sooner than others by less than the time for this part of the slack are met with these: what falls flat on a floor
/// of many triangles meets all of them at once.
const TIE: f64 = 1.0 / 16.0;

/// Of a time, 2⁻³⁰.
const NEGLIGIBLE: f64 = 1.0 / (1 << 30) as f64;

impl<K: Kernels> Cast<K> {
    /// Whether two parts are still apart, along the normal of the first hit so far, when that happens, or just meet. Two support points
    /// tell.
    fn is_no_sooner(&self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> bool {
        let Some((best, _)) = &self.best else { return false };
        if K::plane(a.shape).is_some() || K::plane(b.shape).is_some() {
            return false;
        }
        let closing = self.velocity.dot(self.normal);
        let (normal, closing) = if 0.0 < closing { (-self.normal, -closing) } else { (self.normal, closing) };
        // Where they are then.
        let gap = gap_along::<K>(a.shape, b.shape, place, a.turned_into(normal)) + closing * best.t;
        let room = if self.early() == 0.0 { self.slack } else { -TIE * self.slack };
        room < gap
    }

    /// In how much time the slack is passed along the normal of the first hit so far; zero where that is not negligible: what moves along
    /// a floor may touch other parts far sooner.
    fn early(&self) -> f64 {
        let early = self.slack / self.velocity.dot(self.normal).abs();
        let negligible = self.best.map_or(0.0, |(best, _)| best.t * NEGLIGIBLE);
        if early <= negligible { early } else { 0.0 }
    }
}

/// The second frame in the first, and the velocity there.
struct Passing<K: Kernels> {
    frame: Frame<K::Vector>,
    velocity: K::Vector,
    slack: f64,
    sights: [Sight<K::Vector>; 2],
    /// How the other shape moves past the nodes of either; `None` when it cannot be told in `f32`.
    slabs: [Option<Slabs<K::Vector>>; 2],
}

impl<K: Kernels> View<K> for Passing<K> {
    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        meeting_time(a, &self.frame.placed(*b), self.velocity, self.slack, limit)
    }

    fn limits(&self, limit: f64) -> [f32; 2] {
        [0, 1].map(|side: usize| {
            self.slabs[side].map_or_else(|| f32::from_f64_up(limit), |slabs| slabs.limit(limit))
        })
    }

    /// Nothing: bounds of nodes count in units of their slabs, and those of parts are found anew.
    fn lower(&self, _: usize, _: f32) -> f64 {
        0.0
    }

    type Kept<S: Simd> = ();

    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        sides: [&Side<'_, K>; 2],
        opened: Opened<'_, K::Vector>,
        other: &Boxed<'_, K::Vector>,
        limit: f32,
        _: Option<&mut Option<()>>,
    ) -> (u32, [f32; WIDTH]) {
        let Opened { side, node, .. } = opened;
        match self.slabs[side & 1] {
            Some(slabs) => {
                let passing =
                    slabs.starting_in(&self.sights[side & 1].small(&sides[1 - (side & 1)].bounds(other)));
                let (met, enter) = passing.enter(simd, node, limit);
                (met, *enter.as_array())
            }
            None => one_by_one(self, sides, opened, other, limit),
        }
    }
}

impl<K: Kernels> Task<K> for Cast<K> {
    type View = Passing<K>;
    const INSIDES: bool = false;
    const HAS_TIES: bool = true;
    fn view(&self, [a, _]: [&Actor<'_, K>; 2], place: &Place<K>, sides: [&Side<'_, K>; 2]) -> Passing<K> {
        let velocity = match a.local {
            Some(local) => K::place_of(local).rotation.undo(self.velocity),
            None => self.velocity,
        };
        let slack = self.slack + sides[0].radius + sides[1].radius;
        let directions = [velocity, -place.rotation.undo(velocity)];
        Passing {
            frame: Frame::of(place),
            velocity,
            slack,
            sights: both_sights(place, sides, pair_size(place, sides), slack),
            slabs: [0, 1].map(|side: usize| {
                // A half-space is everywhere, and its box too large to be carried.
                let is_bounded = sides[1 - side].whole.min.finite() && sides[1 - side].whole.max.finite();
                Slabs::along(sides[side].unit, directions[side]).filter(|_| is_bounded)
            }),
        }
    }
    fn limit(&self) -> f64 {
        self.best.map_or(self.max, |(hit, _)| hit.t)
    }
    fn is_no_better(&mut self, lower: f64) -> bool {
        // The bound is earlier by the slack of boxes.
        self.best.is_some_and(|(best, _)| best.t - 2.0 * self.early() <= lower)
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, place: &Place<K>) -> ControlFlow<()> {
        if self.is_no_sooner(a, b, place) {
            return ControlFlow::Continue(());
        }
        let pose =
            |actor: &Actor<'_, K>, whole: K::Pose| actor.local.map_or(whole, |local| K::placed(whole, local));
        let parts = [(a.shape, pose(a, self.poses[0])), (b.shape, pose(b, self.poses[1]))];
        match K::cast(parts, self.velocities, CastOptions { max: self.limit() }) {
            Ok(Some(hit)) => {
                let parts = [a.first, b.first];
                if self
                    .best
                    .is_none_or(|(best, lowest)| hit.t < best.t || (hit.t == best.t && parts < lowest))
                {
                    self.best = Some((hit, parts));
                    self.normal = K::place_of(self.poses[0]).rotation.undo(hit.normal);
                }
                ControlFlow::Continue(())
            }
            Ok(None) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
