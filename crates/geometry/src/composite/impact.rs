//! Two shapes in rigid motion, one of them composite: the first pair of parts that touches.
//!
//! Time is gone through in spans, one after the other, and in each the trees are descended together by what boxes tell about the time at which
//! what is inside may first touch ([`super::spans`]). The more the shapes turn in a span, the less boxes tell; so one in which many pairs of
//! parts come up that leave their straight ways is halved, and one that was easy is followed by a longer one. Shapes that turn often are first
//! asked about for all of the time, by balls around boxes and about the centres of rotation, in case that few parts are in question.
//!
//! The parts themselves are left to the kernels for convex shapes, from the begin of the span until its end or the best time so
//! far. Shapes that touch at the start are not seen here.

use super::descent::Side;
use super::motion::Told;
use super::spans::{Balls, Moving, Span, Stretch};
use super::walk::{Actor, Task, walk};
use super::{Kernels, Place};
use crate::Error;
use crate::motion::impact::{Impact, ImpactOptions, ImpactStatus};
use carom_math::{Number, Real, Vector};
use core::ops::ControlFlow;

/// By how many radians the shapes turn in a span at most. With twice as many, whole shapes are enlarged by a tenth of their size.
const WIDE: f64 = 0.5;

/// Pairs of parts that come up in a span before it may be halved.
const CROWD: u32 = 192;

/// A span is halved while parts leave their straight ways by more than this part of their size. Below that the boxes of parts are hardly larger than
/// those at rest, and shorter spans would only ask about the same pairs more often.
const BENT: f64 = 0.125;

/// Pairs of parts that are asked about for all of the time, where the shapes turn by more than [`WIDE`].
const FEW: u32 = 24;

/// The first touch of two shapes in rigid motion that do not touch at the start, and of which parts. `place`: the second seen from the first
/// then; `slack`: what boxes may be off by.
pub(crate) fn first_touch<K: Kernels>(
    shapes: [&K::Shape; 2],
    motions: [K::Motion; 2],
    place: &Place<K>,
    slack: f64,
    options: ImpactOptions<f64>,
) -> Result<Told<Impact<K::Vector>>, Error> {
    let mut task = Impacts::<K> {
        motions,
        slack,
        outers: [f64::INFINITY; 2],
        options,
        span: [options.start, options.end],
        stretch: None,
        count: 0,
        bent: 0,
        best: None,
        lower: f64::INFINITY,
        upper: f64::INFINITY,
        failed: None,
    };
    let [a, b] = shapes.map(Actor::whole);
    let ([speed_a, speed_b], _) = K::angular_speeds(motions);
    let turning = speed_a + speed_b;
    let sides = [Side::<K>::new(a.shape), Side::<K>::new(b.shape)];
    let is_far = |task: &Impacts<K>| {
        let balls = task.balls([&a, &b], [&sides[0], &sides[1]], options.start);
        balls.bound(&sides[0].whole, &sides[1].whole, options.end).is_none()
    };
    if is_far(&task) {
        return Ok(None);
    }
    if 0.0 < turning {
        task.outers = sides.each_ref().map(Side::outer_radius);
        if is_far(&task) {
            return Ok(None);
        }
    }
    let is_short = turning * (options.end - options.start) <= WIDE;
    let is_open = is_short || walk(&a, &b, place, 0.0, &mut task).is_break();
    if is_open && task.failed.is_none() {
        task.go_through_time([&a, &b], place, turning);
    }
    match (task.failed, task.best) {
        (Some(error), _) => Err(error),
        (None, None) => Ok(None),
        (None, Some((hit, parts))) => {
            // Another pair may touch a little later by its best guess, and earlier by its bound.
            let lower = task.lower.min_of(hit.lower);
            let upper = if task.upper.is_finite() { task.upper } else { options.end };
            Ok(Some((Impact { lower, tolerance: (upper - lower).max_of(hit.tolerance), ..hit }, parts)))
        }
    }
}

struct Impacts<K: Kernels> {
    motions: [K::Motion; 2],
    slack: f64,
    /// How far the shapes reach from their centres of rotation.
    outers: [f64; 2],
    options: ImpactOptions<f64>,
    /// Begin and end of what is looked at.
    span: [f64; 2],
    /// The same, unless it is all of the time.
    stretch: Option<Stretch<K>>,
    /// How many pairs of parts came up, and how many of them leave their straight ways by too much.
    count: u32,
    bent: u32,
    best: Told<Impact<K::Vector>>,
    /// No pair that was looked at touches before.
    lower: f64,
    /// One surely touches until then.
    upper: f64,
    failed: Option<Error>,
}

impl<K: Kernels> Impacts<K> {
    /// Looks at one span after the other. `turning`: how fast both turn together.
    fn go_through_time(&mut self, [a, b]: [&Actor<'_, K>; 2], place: &Place<K>, turning: f64) {
        let [side_a, side_b] = [Side::<K>::new(a.shape), Side::<K>::new(b.shape)];
        let widest = (WIDE / turning).min_of(self.options.end - self.options.start);
        let (mut from, mut length) = (self.options.start, widest);
        for _ in 0..self.options.max_steps.max(1) {
            let far = self.balls([a, b], [&side_a, &side_b], from);
            let Some(later) = far.bound(&side_a.whole, &side_b.whole, self.limit()) else { return };
            from = later;
            let limit = self.limit();
            let to = (from + length).max_of(from.step_up()).min_of(limit);
            self.span = [from, to];
            self.stretch = Some(Stretch::new(self.motions, self.span, self.slack));
            (self.count, self.bent) = (0, 0);
            if walk(a, b, place, 0.0, self).is_break() {
                if self.failed.is_some() {
                    return;
                }
                length = 0.5 * (to - from);
                continue;
            }
            if self.limit() <= to {
                return;
            }
            from = to;
            if self.count < CROWD / 4 {
                length = (2.0 * length).min_of(widest);
            }
        }
        self.give_up(from);
    }

    /// Nothing is known from a time on, where they are neither.
    fn give_up(&mut self, time: f64) {
        let (point, normal) = (K::Vector::ZERO, K::Vector::unit(0));
        let hit = Impact { t: time, lower: time, tolerance: 0.0, point, normal, status: ImpactStatus::Limit };
        self.lower = self.lower.min_of(time);
        self.best = Some((hit, [0, 0]));
    }

    fn balls(&self, [a, b]: [&Actor<'_, K>; 2], sides: [&Side<'_, K>; 2], start: f64) -> Balls<K> {
        let locals = [a.local.map(K::place_of), b.local.map(K::place_of)];
        let slack = self.slack + sides[0].radius + sides[1].radius;
        Balls::new(locals, self.motions, self.outers, slack, start)
    }
}

impl<K: Kernels> Task<K> for Impacts<K> {
    type View = Moving<K>;
    const INSIDES: bool = false;
    fn view(&self, actors: [&Actor<'_, K>; 2], _: &Place<K>, sides: [&Side<'_, K>; 2]) -> Moving<K> {
        match &self.stretch {
            None => Moving::Balls(self.balls(actors, sides, self.span[0])),
            Some(stretch) => Moving::Span(Span::new(stretch, actors, sides)),
        }
    }
    fn limit(&self) -> f64 {
        self.best.map_or(self.options.end, |(hit, _)| hit.t)
    }
    fn meet(&mut self, a: &Actor<'_, K>, b: &Actor<'_, K>, _: &Place<K>) -> ControlFlow<()> {
        self.count = self.count.saturating_add(1);
        match &self.stretch {
            None if FEW < self.count => return ControlFlow::Break(()),
            None => {}
            Some(stretch) => {
                let look = stretch.look_at([a, b], self.limit());
                self.bent += u32::from(BENT * look.size < look.bulge);
                if CROWD < self.bent {
                    return ControlFlow::Break(());
                }
                if look.is_apart {
                    return ControlFlow::Continue(());
                }
            }
        }
        let parts = [(a.shape, a.local, self.motions[0]), (b.shape, b.local, self.motions[1])];
        let [start, end] = [self.span[0], self.span[1].min_of(self.limit())];
        match K::impact(parts, ImpactOptions { start, end, ..self.options }) {
            // In spans more is known.
            Ok(Some(hit)) if self.stretch.is_none() && hit.status == ImpactStatus::Limit => {
                ControlFlow::Break(())
            }
            Ok(Some(hit)) => {
                self.found(hit, [a.first, b.first]);
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

impl<K: Kernels> Impacts<K> {
    fn found(&mut self, hit: Impact<K::Vector>, parts: [u32; 2]) {
        let status = match hit.status {
            // The begin of a span is not that of the motion.
            ImpactStatus::AtStart if self.options.start < hit.t => ImpactStatus::Bracketed,
            status => status,
        };
        self.lower = self.lower.min_of(hit.lower);
        if status != ImpactStatus::Limit {
            self.upper = self.upper.min_of(hit.lower + hit.tolerance);
        }
        if self.best.is_none_or(|(best, lowest)| hit.t < best.t || (hit.t == best.t && parts < lowest)) {
            self.best = Some((Impact { status, ..hit }, parts));
        }
    }
}
