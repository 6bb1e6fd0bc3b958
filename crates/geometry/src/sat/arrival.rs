//! Which side of two polygons in straight motion, or of a polygon and a ray, is the last to be reached.
//!
//! The set of differences of two convex polygons is what all sides of both have behind them, so a line comes into it where it
//! has passed the last of those that it approaches, and misses it when it has left one before that. With few corners
//! all sides are looked at at once ([`rims`]).
//!
//! That chooses the side; what is answered is measured there. Until the foremost corner of the other polygon comes down on
//! the line of the side, that line separates the two, and if the corner then lies on the side itself, it is a common point: the time is
//! a lower and an upper bound. Nothing is answered where rounding decides: at the start, along a side, past a
//! corner, or where sides are parallel and the corner comes down beside the other.

use super::Solid;
use super::rims::{self, Approach};
use crate::cast::GRAZING;
use crate::gjk::{Posed, Support};
use carom_math::{Number, Vec2, Vector};

/// Where two polygons in motion meet.
pub(crate) enum Arrival {
    /// Nowhere, or after the time that is of interest.
    Never,
    /// At this time, with a normal from a to b that is not of unit length, in this point of a.
    At { t: f64, outward: Vec2<f64>, point: Vec2<f64> },
}

/// Where a ray comes into a polygon.
pub(crate) struct Entry {
    pub(crate) t: f64,
    pub(crate) side: usize,
    /// The normal of the side, not of unit length.
    pub(crate) outward: Vec2<f64>,
}

/// As [`GRAZING`], for rays, whose parameters are to be right to a few ulp of the lengths.
pub(crate) const FLAT: f64 = 0.25;

/// The ray has passed the polygon by, or the polygons have passed each other, beyond doubt.
pub(crate) struct Missed;

/// When b, which moves with `velocity` in the frame of a, first touches it; `None` where that is in doubt, and for
/// polygons of more than eight corners. Distances are right up to `noise`.
#[inline]
pub(crate) fn arrival<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
    a: &A,
    b: &Posed<B, Vec2<f64>>,
    velocity: Vec2<f64>,
    max: f64,
    noise: f64,
) -> Option<Arrival> {
    let Approach { gaps, closing } = rims::approach(a, b, velocity)?;
    let speed = Vector::length(velocity);
    match last_side(flat(gaps), flat(closing), speed, max, noise)? {
        Err(Missed) => Some(Arrival::Never),
        Ok((_, sine)) if sine <= GRAZING => None,
        Ok((side, _)) => landing(a, b, velocity, side),
    }
}

/// Where a ray from outside comes into a polygon; `Some(None)` if it never does, `None` where that is in doubt, next to a
/// corner too, and for polygons of more than eight corners. Distances are right up to `noise`.
#[inline]
pub(crate) fn entry<A: Solid<Vec2<f64>>>(
    a: &A,
    origin: Vec2<f64>,
    direction: Vec2<f64>,
    noise: f64,
) -> Option<Option<Entry>> {
    let (gaps, closing) = rims::approach_of_point(a, origin, direction)?;
    let length = Vector::length(direction);
    let side = match last_side(gaps, closing, length, f64::INFINITY, noise)? {
        Err(Missed) => return Some(None),
        Ok((side, sine)) => (FLAT < sine).then_some(side)?,
    };
    let (outward, vertex) = a.face(side);
    let t = outward.dot(vertex - origin) / outward.dot(direction);
    let is_clear = a.is_on_face(side, origin + direction * t, -16.0 * noise);
    is_clear.then_some(Some(Entry { t, side, outward }))
}

/// Of sides that a motion is so far above and comes nearer to at such speeds, the last one to be reached, with the sine of the
/// angle that it is reached at; `None` where that is in doubt. Gaps are right up to `noise`. Normals need not be of unit length: then
/// `speed` and `noise` are multiplied by the longest, and the sine by the length of its own less.
#[inline(always)]
pub(crate) fn last_side<const N: usize>(
    gaps: [f64; N],
    closing: [f64; N],
    speed: f64,
    max: f64,
    noise: f64,
) -> Option<Result<(usize, f64), Missed>> {
    // Products of a unit normal and the velocity, each rounded, the normal too.
    let slope_noise = 16.0 * f64::EPSILON * speed;
    let mut times = [f64::NEG_INFINITY; N];
    let mut is_parted = false;
    for side in 0..N {
        let (gap, closing) = (gaps[side], closing[side]);
        let is_approached = slope_noise < closing;
        // Divided in any case, so that no branch is needed.
        let t = gap / if is_approached { closing } else { 1.0 };
        times[side] = if is_approached { t } else { f64::NEG_INFINITY };
        // Apart along a side, and not less in time.
        let is_never_near = (closing <= -slope_noise) | (max * (closing + slope_noise) < gap - noise);
        is_parted |= (noise < gap) & is_never_near;
    }
    if is_parted {
        return Some(Err(Missed));
    }
    // Which of them is the last one cannot be foreseen: no branch. The first of equals.
    let last = largest(times);
    let bits = (0..N).fold(0_u32, |bits, side| bits | u32::from(times[side] == last) << side);
    let side = (bits.trailing_zeros() as usize).min(N - 1);
    let is_apart = 8.0 * noise < gaps[side];
    if !is_apart {
        return None;
    }
    // The true time is not farther away than this, and until then they move along each side as its slope says.
    let doubt = (noise + last * slope_noise) / closing[side];
    let mut is_missed = false;
    for side in 0..N {
        let then = gaps[side] - closing[side] * last;
        let doubt = noise + last * slope_noise + doubt * closing[side].abs();
        is_missed |= (closing[side] <= -slope_noise) & (doubt < then);
    }
    Some(if is_missed { Err(Missed) } else { Ok((side, closing[side] / speed)) })
}

/// The largest of some numbers, by halves: one after the other, each would have to wait for the one before.
#[inline(always)]
fn largest<const N: usize>(mut numbers: [f64; N]) -> f64 {
    let mut count = N;
    while 1 < count {
        let half = count.div_ceil(2);
        for index in 0..count - half {
            numbers[index] = numbers[index].max_of(numbers[index + half]);
        }
        count = half;
    }
    numbers[0]
}

/// Sides of both polygons.
const SIDES: usize = 16;

/// The corner that comes down on a side, measured along its own normal; `None` if it comes down beside it.
#[inline]
fn landing<A: Solid<Vec2<f64>>, B: Solid<Vec2<f64>>>(
    a: &A,
    b: &Posed<B, Vec2<f64>>,
    velocity: Vec2<f64>,
    side: usize,
) -> Option<Arrival> {
    if side < SIDES / 2 {
        let (outward, vertex) = a.face(side);
        let corner = b.support(-outward).0;
        let t = outward.dot(corner - vertex) / (0.0 - outward.dot(velocity));
        let point = corner + velocity * t;
        return a.is_on_face(side, point, 0.0).then_some(Arrival::At { t, outward, point });
    }
    let side = side - SIDES / 2;
    let (normal, vertex) = b.core().face(side);
    let outward = -b.turned(normal);
    let point = a.support(outward).0;
    let t = outward.dot(b.placed(vertex) - point) / (0.0 - outward.dot(velocity));
    let there = b.taken_back(point - velocity * t);
    b.core().is_on_face(side, there, 0.0).then_some(Arrival::At { t, outward, point })
}

fn flat([of_a, of_b]: [[f64; SIDES / 2]; 2]) -> [f64; SIDES] {
    std::array::from_fn(|side| if side < SIDES / 2 { of_a[side] } else { of_b[side - SIDES / 2] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d2::{ConvexPolygon, distance};
    use carom_math::{Pose2, Rot2};
    use carom_oracle::generate::Rng;

    fn polygon(rng: &mut Rng) -> ConvexPolygon<f64> {
        let count = 3 + rng.below(6);
        let corner = |_| Vec2::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0));
        ConvexPolygon::from_hull((0..count).map(corner).collect::<Vec<_>>()).unwrap()
    }

    /// They are apart before, touch then, and what never meets is apart at all times; and almost all is answered.
    #[test]
    fn distances_agree_with_arrivals() {
        let mut rng = Rng::new(9);
        let (mut met, mut missed, mut asked) = (0, 0, 0);
        for _ in 0..3000 {
            let (one, two) = (polygon(&mut rng), polygon(&mut rng));
            let turn = Rot2::from_angle(rng.uniform(-3.0, 3.0));
            let at = Vec2::new(rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0));
            let velocity = Vec2::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)) - at * 0.8;
            let gap_at = |t: f64| {
                let there = Pose2::new(at + velocity * t, turn);
                distance(&one, Pose2::IDENTITY, &two, there).unwrap().distance
            };
            if gap_at(0.0) < 1e-9 {
                continue;
            }
            asked += 1;
            let view = one.view();
            let moving = Posed::new(two.view(), &turn.to_matrix().columns, at);
            let noise = 64.0 * f64::EPSILON * (view.size() + moving.size());
            match arrival(&view, &moving, velocity, 8.0, noise) {
                None => {}
                Some(Arrival::Never) => {
                    missed += 1;
                    for step in 0..400 {
                        assert!(0.0 < gap_at(8.0 * f64::from(step) / 400.0), "{one:?} {two:?} {at:?}");
                    }
                }
                Some(Arrival::At { t, outward, point }) => {
                    met += 1;
                    let then = Pose2::new(at + velocity * t, turn);
                    for (shape, pose) in [(&one, Pose2::IDENTITY), (&two, then)] {
                        let near = crate::d2::closest_point(shape, pose, point).unwrap();
                        assert!(near.distance <= 1e-13, "{near:?} {one:?} {two:?} {at:?}");
                    }
                    assert!(gap_at(t) <= 1e-13 && 0.0 < gap_at(t - 1e-9), "{t} {one:?} {two:?} {at:?}");
                    let normal = outward.normalized().unwrap();
                    assert!(normal.dot(velocity) < 0.0);
                }
            }
        }
        assert!(500 < met && 200 < missed && asked * 99 < (met + missed) * 100, "{met} {missed} {asked}");
    }

    /// A ray comes in at a point of the side, with nothing of the polygon before it, or passes all corners by.
    #[test]
    fn rays_come_in_by_the_side_that_they_meet_first() {
        let mut rng = Rng::new(10);
        let (mut met, mut missed) = (0, 0);
        for _ in 0..3000 {
            let shape = polygon(&mut rng);
            let origin = Vec2::new(rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0));
            let direction = Vec2::new(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)) - origin;
            let view = shape.view();
            let noise = 64.0 * f64::EPSILON * (view.size() + origin.max_abs());
            let gap_at = |t: f64| {
                crate::d2::closest_point(&shape, Pose2::IDENTITY, origin + direction * t).unwrap().distance
            };
            match entry(&view, origin, direction, noise) {
                None => {}
                Some(None) => {
                    missed += 1;
                    for step in 0..400 {
                        assert!(0.0 < gap_at(4.0 * f64::from(step) / 400.0), "{shape:?} {origin:?}");
                    }
                }
                Some(Some(Entry { t, side, outward })) => {
                    met += 1;
                    assert!(0.0 < t && gap_at(t).abs() <= 1e-13, "{t} {shape:?} {origin:?}");
                    assert!(0.0 < gap_at(t - 1e-9) && gap_at(t + 1e-9) < 0.0, "{t} {shape:?} {origin:?}");
                    assert!(view.is_on_face(side, origin + direction * t, 0.0));
                    assert!(outward.dot(direction) < 0.0);
                }
            }
        }
        assert!(1000 < met && 300 < missed && 2400 < met + missed, "{met} {missed}");
    }
}
