//! The first touch of two turning shapes: proofs of clearance strung together until there is none.
//!
//! 1. Start where the bounding balls first meet. If that is the start of the motion, they may touch already, which is asked
//!    where no direction proves the contrary.
//! 2. Find the direction between the nearest points, by a closed form or by GJK, which starts from what it found in the
//!    last step, and what that direction turns with.
//! 3. Let that direction prove as much time clear as it can, and go there. The whole rest is clear: they never
//!    touch.
//! 4. When the present approach would close what is left of the gap within the tolerance, look there. If they touch,
//!    the first touch lies between.
//!
//! A direction that is a little off proves a little less, and nothing wrong; where it proves nothing, the exact one is asked for. Near the touch step 3 is Newton's method
//! from the safe side, so the number of steps is small: the gap left after a step is of the order of its square. Root
//! finding alone is no proof (the root it finds need not be the first); here every time that is passed has been proven
//! clear.
//!
//! A gap below what rounding can resolve proves nothing. Where the search gets stuck in one, it reports the
//! touch, and how uncertain its time is.

use super::certificate::{Clear, With};
use super::chase::Kept;
use crate::Error;
use crate::answer::Separation;
use crate::error::{finite, not_negative};
use crate::trace::{Follow, Look};
use carom_math::{Number, Real, Vector};

/// When and where two moving, turning shapes first touch.
///
/// # Example
/// ```
/// use carom_geometry::{ImpactStatus, d2::{Ball, Cuboid, time_of_impact}};
/// use carom_math::{Motion2, Pose2};
/// // A blade of length 2 about the origin makes a quarter turn and meets a ball.
/// let (blade, ball) = (Cuboid::new([2.0, 0.125])?, Ball::new(0.5)?);
/// let turn = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], 1.6);
/// let still = Motion2::from_velocity(Pose2::at([0.0, 1.5]), [0.0, 0.0], 0.0);
/// let hit = time_of_impact(&blade, turn, &ball, still, Default::default())?.expect("it is in the way");
/// assert_eq!(hit.status, ImpactStatus::Bracketed);
/// assert!(hit.lower <= hit.t && hit.t <= hit.lower + hit.tolerance);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<V: Vector> {
    /// The time of the first touch, within `tolerance`; never before `lower`.
    pub t: V::Scalar,
    /// There is no touch before this time.
    pub lower: V::Scalar,
    /// The first touch lies in [`lower`, `lower` + `tolerance`]: the tolerance that was asked for, or a larger
    /// one where the number type cannot resolve it.
    pub tolerance: V::Scalar,
    /// Where they touch, in the world at time `t`.
    pub point: V,
    /// The unit vector from the first shape to the second.
    pub normal: V,
    /// What the bracket is worth.
    pub status: ImpactStatus,
}

/// How the search for the first touch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactStatus {
    /// They touch at the start of the motion; point and normal are those of the contact.
    AtStart,
    /// The first touch lies within the tolerance that was asked for.
    Bracketed,
    /// They come closer to each other than rounding can resolve, and so slowly that the time of the touch is
    /// less certain than was asked for: the tolerance was raised. They touch in the bracket or come as close to
    /// it as the number type can tell.
    Raised,
    /// The work was limited: there is no touch before `lower`, and nothing is known about the time after.
    /// The tolerance is the rest of the interval.
    Limit,
}

/// How the first touch is sought.
///
/// # Example
/// ```
/// use carom_geometry::ImpactOptions;
/// let options = ImpactOptions::<f32> { tolerance: 1e-4, ..Default::default() };
/// assert_eq!((options.start, options.end), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactOptions<T> {
    /// How uncertain the time may be, in units of the time of the motion: 2⁻²⁰ by default. Raised to the
    /// resolution of the number type.
    pub tolerance: T,
    /// Where the search begins: 0 by default.
    pub start: T,
    /// Where it ends: 1 by default. A touch exactly then is reported.
    pub end: T,
    /// How many times the separation is measured at most: 4096 by default. A dozen is usual; thousands are
    /// needed only for something that turns many times at a small distance.
    pub max_steps: u32,
}

impl<T: Real> Default for ImpactOptions<T> {
    fn default() -> Self {
        ImpactOptions {
            tolerance: T::from_f64(carom_math::power_of_two(-20)),
            start: T::ZERO,
            end: T::ONE,
            max_steps: 4096,
        }
    }
}

/// A step of the search, for those who watch it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactStep {
    /// The time of the motion.
    pub time: f64,
    /// The separation then: the distance, or minus the depth.
    pub separation: f64,
    /// No touch from the start until this time. It is before `time` for a look ahead.
    pub clear_until: f64,
}

/// Tells a function each look, without the rest.
pub(crate) struct Listener<'a, F>(pub(crate) &'a mut F);

impl<V, F: FnMut(ImpactStep)> Follow<V> for Listener<'_, F> {
    fn look(&mut self, look: Look<V>) {
        let Look { t, separation, clear_until, .. } = look;
        (self.0)(ImpactStep { time: t, separation, clear_until });
    }
}

/// The options in `f64`, checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) tolerance: f64,
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) max_steps: u32,
}

impl<T: Real> ImpactOptions<T> {
    pub(crate) fn check(self) -> Result<Limits, Error> {
        let tolerance = not_negative("tolerance", self.tolerance)?.to_f64();
        let (start, end) = (finite("start", self.start)?.to_f64(), finite("end", self.end)?.to_f64());
        if end < start {
            return Err(Error::EmptyInterval { from: start, to: end });
        }
        // Two steps of the number type: `lower` is rounded down, and `t` to the nearest.
        let largest = start.abs().max_of(end.abs());
        let resolution = 2.0 * T::EPSILON.to_f64() * largest;
        let tolerance = tolerance.max_of(resolution);
        Ok(Limits { tolerance, start, end, max_steps: self.max_steps })
    }
}

/// Two shapes whose places are known for every time.
pub(crate) trait Pairing<V: Vector<Scalar = f64>> {
    /// Where both are at one time.
    type Place: Copy;
    /// No computed gap is farther from the truth than this.
    fn rounding(&self) -> f64;
    /// Whether rounding is a good part of the shapes themselves.
    fn is_lost(&self) -> bool;
    /// The time from which on they may touch; `None` for never.
    fn enter(&self, start: f64, end: f64) -> Option<f64>;
    fn place(&self, time: f64) -> Self::Place;
    /// How they relate, in the world's axes with the centre of the first as the origin.
    fn separation(&self, place: &Self::Place) -> Result<Separation<V>, Error>;
    /// Whether they touch: the sign of the separation, for less.
    fn touches(&self, place: &Self::Place, kept: &mut Option<Kept<V>>) -> Result<bool, Error>;
    /// About in which direction they are apart, quickly, and what that direction turns with. What it was found from
    /// helps to find the next one.
    fn glance(&self, place: &Self::Place, kept: &mut Option<Kept<V>>) -> Result<(V, With<V>), Error>;
    /// The separation of a pair that is apart, for less where what was found before helps.
    fn nearest(&self, place: &Self::Place, kept: &Option<Kept<V>>) -> Result<Separation<V>, Error>;
    /// How long the direction proves them apart; see [`Actors::clear`](super::certificate::Actors::clear).
    fn clear(&self, place: &Self::Place, direction: V, limit: f64, trusted: bool, hint: With<V>) -> Clear;
    /// How far they are apart along a direction.
    fn gap(&self, place: &Self::Place, direction: V) -> f64;
    /// The velocities of the nearest points, each as a point of its shape.
    fn velocities(&self, place: &Self::Place, near: Separation<V>) -> [V; 2];
}

/// The first touch in the frame of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<V> {
    pub(crate) t: f64,
    pub(crate) lower: f64,
    /// The touch lies in [lower, lower + bracket].
    pub(crate) bracket: f64,
    pub(crate) point: V,
    pub(crate) normal: V,
    pub(crate) status: ImpactStatus,
}

/// A look just beyond the predicted touch goes this many roundings deep, so that what touches there does so
/// for certain unless it is thinner than that.
const BEYOND: f64 = 4.0;

/// The first touch; `None` when there is none.
pub(crate) fn first_touch<V: Vector<Scalar = f64>, P: Pairing<V>, W: Follow<V>>(
    pair: &P,
    limits: Limits,
    watch: &mut W,
) -> Result<Option<Found<V>>, Error> {
    let Limits { tolerance, start, end, max_steps } = limits;
    let Some(mut time) = pair.enter(start, end) else {
        watch.clear(start, end);
        return Ok(None);
    };
    if start < time {
        watch.clear(start, time);
    }
    let mut kept = None;
    if max_steps == 0
        && time == start
        && let Some(found) = touch_at_start(pair, time, &mut kept, watch)?
    {
        return Ok(Some(found));
    }
    for _ in 0..max_steps {
        let place = pair.place(time);
        // Tried 2026-11: using the direction of the last step once more, turned with its side, where the nearest
        // features persist. Saves a few calls of GJK, and costs more than that in extra steps.
        let (mut direction, hint) = pair.glance(&place, &mut kept)?;
        let mut clear = pair.clear(&place, direction, end - time, false, hint);
        // Also where it is no number.
        let is_apart = pair.rounding() < clear.gap;
        let trusted = time == start && !is_apart;
        if trusted {
            if let Some(found) = touch_at_start(pair, time, &mut kept, watch)? {
                return Ok(Some(found));
            }
            // What is apart at the start stays so while it moves away, however small the gap.
            clear = pair.clear(&place, direction, end - time, true, hint);
        }
        if time + clear.span <= time {
            // A glance is right to a millionth of the way between the cores. Of rounded shapes that may be more than is left between
            // them.
            let near = pair.separation(&place)?;
            let closer = pair.clear(&place, near.normal, end - time, trusted, hint);
            if clear.span < closer.span {
                (direction, clear) = (near.normal, closer);
            }
        }
        let is_clear_to_the_end = end - time <= clear.span;
        let next = if is_clear_to_the_end { end } else { time + clear.span };
        look_at(pair, watch, &place, [time, next]);
        if is_clear_to_the_end {
            return Ok(None);
        }
        let is_stuck = next <= time;
        let closing = -clear.slope;
        // The least time in which they approach by what rounding cannot hide.
        let blur = if 0.0 < closing { BEYOND * pair.rounding() / closing } else { 0.0 };
        let surely = (time + (clear.gap.max_of(0.0) / closing + blur)).max_of(time.step_up()).min_of(end);
        if 0.0 < closing && next <= surely && surely - next <= tolerance {
            // As late as the tolerance allows, since the approach may slow down; then where it should be, since what is
            // thin may have passed by the later time.
            let latest = surely.max_of(next + 0.75 * tolerance).min_of(end);
            for time in [latest, surely].into_iter().take(if surely < latest { 2 } else { 1 }) {
                let ahead = pair.place(time);
                let touches = pair.touches(&ahead, &mut { kept })?;
                look_at(pair, watch, &ahead, [time, next]);
                if touches {
                    return bracketed(pair, [next, time], &kept).map(Some);
                }
                // Still on its side, so that it has not passed.
                if pair.rounding() < pair.gap(&ahead, direction) {
                    break;
                }
            }
        }
        if is_stuck {
            let near = pair.separation(&place)?;
            let is_unproven = clear.span == 0.0 && 2.0 * BEYOND * pair.rounding() < near.separation;
            if near.error < near.separation && (pair.is_lost() || is_unproven) {
                // Apart, but it turns so fast that nobody can tell which way it looks, or no direction shows it. That is the end of
                // what is known, and not a touch.
                return Ok(Some(limited(time, end, near)));
            }
            let bracket = if near.separation <= 0.0 { 0.0 } else { resolve(pair, time, end, blur, watch)? };
            let status = if bracket <= tolerance { ImpactStatus::Bracketed } else { ImpactStatus::Raised };
            let (point, normal) = (middle(near), near.normal);
            return Ok(Some(Found { t: time, lower: time, bracket, point, normal, status }));
        }
        time = next;
    }
    Ok(Some(limited(time, end, pair.separation(&pair.place(time))?)))
}

/// A bound that holds, but no touch.
fn limited<V: Vector<Scalar = f64>>(time: f64, end: f64, near: Separation<V>) -> Found<V> {
    let (point, normal, status) = (middle(near), near.normal, ImpactStatus::Limit);
    Found { t: time, lower: time, bracket: end - time, point, normal, status }
}

/// The answer for shapes that touch at the start of the motion.
#[cold]
fn touch_at_start<V: Vector<Scalar = f64>, P: Pairing<V>, W: Follow<V>>(
    pair: &P,
    time: f64,
    kept: &mut Option<Kept<V>>,
    watch: &mut W,
) -> Result<Option<Found<V>>, Error> {
    let place = pair.place(time);
    if !pair.touches(&place, kept)? {
        return Ok(None);
    }
    let near = pair.separation(&place)?;
    tell(pair, watch, near, [time, time]);
    let (point, normal, status) = (middle(near), near.normal, ImpactStatus::AtStart);
    Ok(Some(Found { t: time, lower: time, bracket: 0.0, point, normal, status }))
}

/// The first touch, given that they are apart until a time and touch at a later one: where and when the nearest points
/// meet if they go on as they do at the first of these times.
fn bracketed<V: Vector<Scalar = f64>, P: Pairing<V>>(
    pair: &P,
    [lower, upper]: [f64; 2],
    kept: &Option<Kept<V>>,
) -> Result<Found<V>, Error> {
    let place = pair.place(lower);
    let near = pair.nearest(&place, kept)?;
    let [velocity_a, velocity_b] = pair.velocities(&place, near);
    let closing = near.normal.dot(velocity_a - velocity_b);
    let span = if 0.0 < closing { near.separation.max_of(0.0) / closing } else { upper - lower };
    let t = (lower + span).min_of(upper);
    let (point_a, point_b) =
        (near.point_a + velocity_a * (t - lower), near.point_b + velocity_b * (t - lower));
    let (point, status) = (point_a + (point_b - point_a) * 0.5, ImpactStatus::Bracketed);
    Ok(Found { t, lower, bracket: upper - lower, point, normal: near.normal, status })
}

/// The shapes are so close at `time` that no proof gets away from there. For how long that lasts: until they
/// touch for certain, or are apart again for certain, or the end.
fn resolve<V: Vector<Scalar = f64>, P: Pairing<V>, W: Follow<V>>(
    pair: &P,
    time: f64,
    end: f64,
    least: f64,
    watch: &mut W,
) -> Result<f64, Error> {
    let mut width = least.max_of(4.0 * f64::EPSILON * time.abs().max_of(end - time));
    // Doubling reaches the end from the resolution of `f64` in less than 64 turns.
    for _ in 0..64 {
        let ahead = (time + width).min_of(end);
        let there = pair.separation(&pair.place(ahead))?;
        tell(pair, watch, there, [ahead, time]);
        let is_decided = there.separation <= 0.0 || 2.0 * BEYOND * pair.rounding() < there.separation;
        if is_decided || end <= ahead {
            return Ok(ahead - time);
        }
        width *= 2.0;
    }
    Ok(end - time)
}

/// Tells whoever watches how the pair relates at a time: the separation with its bounds, which the search does without.
fn look_at<V: Vector<Scalar = f64>, P: Pairing<V>, W: Follow<V>>(
    pair: &P,
    watch: &mut W,
    place: &P::Place,
    times: [f64; 2],
) {
    if W::LISTENS
        && let Ok(near) = pair.separation(place)
    {
        tell(pair, watch, near, times);
    }
}

/// The times: that of the look, and that until which no touch is proven.
fn tell<V: Vector<Scalar = f64>, P: Pairing<V>, W: Follow<V>>(
    pair: &P,
    watch: &mut W,
    near: Separation<V>,
    [t, clear_until]: [f64; 2],
) {
    if W::LISTENS {
        let Separation { separation, normal, .. } = near;
        let error = near.error + pair.rounding();
        let (lower, upper) = (separation - error, separation + error);
        watch.look(Look { t, separation, lower, upper, normal, clear_until });
    }
}

fn middle<V: Vector<Scalar = f64>>(near: Separation<V>) -> V {
    near.point_a + (near.point_b - near.point_a) * 0.5
}
