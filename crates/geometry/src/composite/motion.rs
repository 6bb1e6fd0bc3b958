//! Two shapes in motion, one of them composite: the first pair of parts that touches.
//!
//! Both walks order pairs of boxes by a lower bound on the time at which what is inside may first touch:
//!
//! * straight motion: the slabs of one box moving past the other, see [`meeting_time`];
//! * rigid motion: the balls around the boxes. Their centres approach at no more than the relative velocity plus
//!   |ω|·(distance of the centre from the origin) for each, so a gap g is not closed within g/speed. A few such
//!   steps, each from where the last one ended, are a good bound.
//!
//! The parts themselves are left to the kernels for convex shapes, whose interval ends at the best time so far.
//! Shapes that touch at the start are not seen here.

use super::descent::meeting_time;
use super::walk::{Actor, Task, View, walk};
use super::{Kernels, Place};
use crate::answer::Hit;
use crate::bound::{Aabb, Frame};
use crate::motion::impact::{Impact, ImpactOptions};
use crate::pair::place::Turn;
use crate::{CastOptions, Error};
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

/// Steps of a ball towards another one: more make the bound better, and cost a turn of both each.
const APPROACHES: usize = 4;

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
    let mut task = Cast::<K> { poses, velocities, velocity, slack, max, best: None, failed: None };
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
    failed: Option<Error>,
}

/// The second frame in the first, and the velocity there.
struct Passing<K: Kernels> {
    frame: Frame<K::Vector>,
    velocity: K::Vector,
    slack: f64,
}

impl<K: Kernels> View<K> for Passing<K> {
    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        meeting_time(a, &self.frame.placed(*b), self.velocity, self.slack, limit)
    }
}

impl<K: Kernels> Task<K> for Cast<K> {
    type View = Passing<K>;
    const INSIDES: bool = false;
    fn view(&self, a: &Actor<'_, K>, _: &Actor<'_, K>, place: &Place<K>) -> Passing<K> {
        let velocity = match a.local {
            Some(local) => K::place_of(local).rotation.undo(self.velocity),
            None => self.velocity,
        };
        Passing { frame: Frame::of(place), velocity, slack: self.slack }
    }
    fn limit(&self) -> f64 {
        self.best.map_or(self.max, |(hit, _)| hit.t)
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, _: &Place<K>) -> ControlFlow<()> {
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

/// The first touch of two shapes in rigid motion that do not touch at the start, and of which parts.
pub(crate) fn impact<K: Kernels>(
    shapes: [&K::Shape; 2],
    motions: [K::Motion; 2],
    place: &Place<K>,
    slack: f64,
    options: ImpactOptions<f64>,
) -> Result<Told<Impact<K::Vector>>, Error> {
    let mut task = Impacts::<K> { motions, slack, options, best: None, lower: f64::INFINITY, failed: None };
    let [a, b] = shapes.map(Actor::whole);
    let _ = walk(&a, &b, place, 0.0, &mut task);
    match (task.failed, task.best) {
        (Some(error), _) => Err(error),
        (None, None) => Ok(None),
        (None, Some((hit, parts))) => {
            // Another pair may touch a little later by its best guess, and earlier by its bound.
            let lower = task.lower.min_of(hit.lower);
            let tolerance = hit.tolerance + (hit.lower - lower);
            Ok(Some((Impact { lower, tolerance, ..hit }, parts)))
        }
    }
}

struct Impacts<K: Kernels> {
    motions: [K::Motion; 2],
    slack: f64,
    options: ImpactOptions<f64>,
    best: Told<Impact<K::Vector>>,
    /// No pair that was looked at touches before.
    lower: f64,
    failed: Option<Error>,
}

/// Two frames within moving frames.
struct Turning<K: Kernels> {
    locals: [Option<Place<K>>; 2],
    motions: [K::Motion; 2],
    relative: K::Vector,
    slack: f64,
    start: f64,
}

impl<K: Kernels> View<K> for Turning<K> {
    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        let ball = |bounds: &Aabb<K::Vector>, local: &Option<Place<K>>| {
            let (center, reach) = (bounds.center(), (bounds.max - bounds.min).length() * 0.5);
            (local.as_ref().map_or(center, |local| local.point(center)), reach)
        };
        let ((center_a, reach_a), (center_b, reach_b)) = (ball(a, &self.locals[0]), ball(b, &self.locals[1]));
        let reach = (reach_a + reach_b) * (1.0 + 8.0 * f64::EPSILON) + self.slack;
        if !reach.is_finite() {
            return Some(self.start);
        }
        let [arm_a, arm_b] = [center_a, center_b].map(Vector::length);
        let speed = self.relative.length()
            + K::turning_speed(self.motions[0], arm_a)
            + K::turning_speed(self.motions[1], arm_b);
        let mut time = self.start;
        for _ in 0..APPROACHES {
            let between =
                K::moved(self.motions[1], time, center_b) - K::moved(self.motions[0], time, center_a);
            let gap = between.length() * (1.0 - 8.0 * f64::EPSILON) - reach;
            let is_apart = 0.0 < gap;
            if !is_apart {
                break;
            }
            time += gap / (speed * (1.0 + 8.0 * f64::EPSILON));
            if limit < time {
                return None;
            }
        }
        Some(time)
    }
}

impl<K: Kernels> Task<K> for Impacts<K> {
    type View = Turning<K>;
    const INSIDES: bool = false;
    fn view(&self, a: &Actor<'_, K>, b: &Actor<'_, K>, _: &Place<K>) -> Turning<K> {
        Turning {
            locals: [a.local.map(K::place_of), b.local.map(K::place_of)],
            motions: self.motions,
            relative: K::velocity(self.motions[1]) - K::velocity(self.motions[0]),
            slack: self.slack,
            start: self.options.start,
        }
    }
    fn limit(&self) -> f64 {
        self.best.map_or(self.options.end, |(hit, _)| hit.t)
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, _: &Place<K>) -> ControlFlow<()> {
        let parts = [(a.shape, a.local, self.motions[0]), (b.shape, b.local, self.motions[1])];
        let options = ImpactOptions { end: self.limit(), ..self.options };
        match K::impact(parts, options) {
            Ok(Some(hit)) => {
                self.lower = self.lower.min_of(hit.lower);
                let parts = [a.first, b.first];
                if self
                    .best
                    .is_none_or(|(best, lowest)| hit.t < best.t || (hit.t == best.t && parts < lowest))
                {
                    self.best = Some((hit, parts));
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
