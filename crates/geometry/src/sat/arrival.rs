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

    /// Corners on a small lattice, stretched along x: parallel sides, corners that meet corners and motion along sides or nearly so
    /// are frequent, and everything is known exactly.
    fn lattice_polygon(rng: &mut Rng, stretch: i64) -> Option<(ConvexPolygon<f64>, Vec<[i64; 2]>)> {
        let count = 3 + rng.below(5);
        let corner = |_| [(rng.below(5) as i64 - 2) * stretch, rng.below(5) as i64 - 2];
        let corners: Vec<[i64; 2]> = (0..count).map(corner).collect();
        let shape =
            ConvexPolygon::from_hull(corners.iter().map(|&[x, y]| Vec2::new(x as f64, y as f64))).ok()?;
        let vertices = shape.points().map(|vertex| [vertex.x as i64, vertex.y as i64]).collect();
        Some((shape, vertices))
    }

    fn dot(a: [i64; 2], b: [i64; 2]) -> i64 {
        a[0] * b[0] + a[1] * b[1]
    }

    /// Outward normals of the sides, and how far each side is along its own.
    fn sides(corners: &[[i64; 2]]) -> impl Iterator<Item = ([i64; 2], i64)> + '_ {
        (0..corners.len()).map(|index| {
            let (from, to) = (corners[index], corners[(index + 1) % corners.len()]);
            let normal = [to[1] - from[1], from[0] - to[0]];
            (normal, dot(normal, from))
        })
    }

    /// When all gaps that close linearly are at most zero: from `start` to `end`, which are fractions, and unbounded if `None`. At
    /// `ties` sides it begins.
    struct Overlap {
        start: Option<(i64, i64)>,
        end: Option<(i64, i64)>,
        ties: usize,
    }

    fn overlap(gaps: impl Iterator<Item = (i64, i64)>) -> Option<Overlap> {
        let mut found = Overlap { start: None, end: None, ties: 0 };
        let order = |a: (i64, i64), b: (i64, i64)| (a.0 * b.1).cmp(&(b.0 * a.1));
        for (gap, closing) in gaps {
            if closing == 0 {
                if 0 < gap {
                    return None;
                }
            } else if 0 < closing {
                let time = (gap, closing);
                match found.start.map(|start| order(start, time)) {
                    Some(std::cmp::Ordering::Greater) => {}
                    Some(std::cmp::Ordering::Equal) => found.ties += 1,
                    _ => (found.start, found.ties) = (Some(time), 1),
                }
            } else {
                let time = (-gap, -closing);
                if found.end.is_none_or(|end| order(time, end).is_lt()) {
                    found.end = Some(time);
                }
            }
        }
        let is_empty = found.start.zip(found.end).is_some_and(|(start, end)| order(end, start).is_lt());
        (!is_empty && found.end.is_none_or(|end| 0 <= end.0)).then_some(found)
    }

    fn value((numerator, denominator): (i64, i64)) -> f64 {
        numerator as f64 / denominator as f64
    }

    #[test]
    fn arrivals_on_a_lattice_are_never_wrong() {
        let mut rng = Rng::new(11);
        let mut counts = [0; 3];
        for round in 0..40_000 {
            let stretch = [1, 1, 1, 4096][round % 4];
            let Some((one, of_one)) = lattice_polygon(&mut rng, stretch) else { continue };
            let Some((two, of_two)) = lattice_polygon(&mut rng, stretch) else { continue };
            let mut step = |size: i64| rng.below(2 * size as usize + 1) as i64 - size;
            let (at, velocity) = ([step(6) * stretch, step(6)], [step(3) * stretch, step(3)]);
            if velocity == [0, 0] {
                continue;
            }
            let least = |corners: &[[i64; 2]], normal| corners.iter().map(|&c| dot(c, normal)).min().unwrap();
            let of_first = sides(&of_one).map(|(normal, offset)| {
                (least(&of_two, normal) + dot(normal, at) - offset, -dot(normal, velocity))
            });
            let of_second = sides(&of_two).map(|(normal, offset)| {
                (least(&of_one, normal) - dot(normal, at) - offset, dot(normal, velocity))
            });
            let truth = overlap(of_first.chain(of_second));
            let wide = |v: [i64; 2]| Vec2::new(v[0] as f64, v[1] as f64);
            let view = one.view();
            let moving = Posed::new(two.view(), &Rot2::IDENTITY.to_matrix().columns, wide(at));
            let size = view.size() + moving.size();
            let noise = 64.0 * f64::EPSILON * size;
            let found = arrival(&view, &moving, wide(velocity), 4.0, noise);
            let told = format!("{of_one:?} {of_two:?} {at:?} {velocity:?}");
            let start = truth.map(|truth| truth.start.map_or(f64::NEG_INFINITY, value));
            match found {
                None => counts[0] += 1,
                Some(Arrival::Never) => {
                    counts[1] += 1;
                    assert!(start.is_none_or(|start| 4.0 < start), "{told}");
                }
                Some(Arrival::At { t, outward, point }) => {
                    counts[2] += 1;
                    let sine =
                        -outward.dot(wide(velocity)) / (outward.length() * Vector::length(wide(velocity)));
                    assert!(GRAZING < sine * (1.0 + 1e-9), "{told}");
                    let start = start.expect(&told);
                    assert!(0.0 < start, "{told}");
                    // What grazes is left out, so that no error is a thousand times the noise.
                    let error = (t - start).abs() * Vector::length(wide(velocity));
                    assert!(error <= 1e3 * f64::EPSILON * size, "{told} {t} {start}");
                    let there = Pose2::new(wide(at) + wide(velocity) * t, Rot2::IDENTITY);
                    for (shape, pose) in [(&one, Pose2::IDENTITY), (&two, there)] {
                        let near = crate::d2::closest_point(shape, pose, point).unwrap();
                        assert!(near.distance <= 1e-14 * size, "{near:?} {told}");
                    }
                }
            }
        }
        assert!(counts.into_iter().all(|count| 2000 < count), "{counts:?}");
    }

    #[test]
    fn rays_on_a_lattice_are_never_wrong() {
        let mut rng = Rng::new(12);
        let mut counts = [0; 3];
        for round in 0..40_000 {
            let stretch = [1, 1, 1, 16][round % 4];
            let Some((shape, corners)) = lattice_polygon(&mut rng, stretch) else { continue };
            let mut step = |size: i64| rng.below(2 * size as usize + 1) as i64 - size;
            let (origin, direction) = ([step(5) * stretch, step(5)], [step(3) * stretch, step(3)]);
            if direction == [0, 0] {
                continue;
            }
            let gaps = sides(&corners)
                .map(|(normal, offset)| (dot(normal, origin) - offset, -dot(normal, direction)));
            let truth = overlap(gaps);
            let wide = |v: [i64; 2]| Vec2::new(v[0] as f64, v[1] as f64);
            let view = shape.view();
            let size = view.size() + wide(origin).max_abs();
            let told = format!("{corners:?} {origin:?} {direction:?}");
            match (entry(&view, wide(origin), wide(direction), 64.0 * f64::EPSILON * size), truth) {
                (None, _) => counts[0] += 1,
                (Some(None), truth) => {
                    counts[1] += 1;
                    assert!(truth.is_none(), "{told}");
                }
                (Some(Some(Entry { t, outward, .. })), truth) => {
                    counts[2] += 1;
                    let truth = truth.expect(&told);
                    let start = truth.start.map_or(f64::NEG_INFINITY, value);
                    // At a corner two sides are met.
                    assert!(0.0 < start && truth.ties == 1, "{told}");
                    let slant = -outward.normalized().unwrap().dot(wide(direction).normalized().unwrap());
                    assert!(FLAT < slant, "{told}");
                    assert!((t - start).abs() <= 8.0 * f64::EPSILON * start, "{told} {t} {start}");
                }
            }
        }
        assert!(counts.into_iter().all(|count| 2000 < count), "{counts:?}");
    }
}
