//! The fifteen axes of two boxes in `f32`, three at a time: what they say beyond doubt.
//!
//! The axes of the second box, seen from the first, stand side by side: a vector in each lane, the last one empty. What
//! belongs to an axis of the second box is then found in its lane, what belongs to one of the first in a component.
//! Errors are counted in u = 2⁻²⁴ against S as in [`filter`](crate::batch::filter).
//!
//! (Tried 2026-11: the sign of the largest gap for `intersects`, with the rotations in `f32` too: no gain over `f64`.)

use crate::batch::filter::tolerance;
use crate::batch::turn::{Lane, LaneVector};
use crate::pair::place::Relative;
use carom_math::prelude_simd::{Simd, SimdMask, at_baseline, f32x4};
use carom_math::{Lanes, Mat3, Number, Vec3, Vector};

type Four<S> = Lanes<S, f32x4<S>>;

/// A place of the second box in `f32`, seen from the first, and the half extents of both.
struct Seen {
    columns: [Vec3<f32>; 3],
    center: Vec3<f32>,
    halves: [Vec3<f32>; 2],
}

impl Seen {
    #[inline(always)]
    fn new(place: &Relative<Vec3<f64>, Mat3<f64>>, halves: [Vec3<f64>; 2]) -> Self {
        Seen {
            columns: place.rotation.columns.map(Vec3::narrow),
            center: Vec3::narrow(place.translation),
            halves: halves.map(Vec3::narrow),
        }
    }
    #[inline(always)]
    fn axes<S: Simd>(&self, simd: S) -> Axes<S> {
        let [c, d, e] = self.columns;
        let row = |x, y, z| Four::load(simd, &[x, y, z, 0.0]);
        Axes::new(simd, Vec3::new(row(c.x, d.x, e.x), row(c.y, d.y, e.y), row(c.z, d.z, e.z)), self.halves)
    }
}

/// The axis along which two boxes are farthest apart or overlap the least, if that is beyond doubt: 0 to 2 for the faces of
/// the first, 3 to 5 for those of the second, then 6 + 3i + j for the product of edge i of the first and edge j of the
/// second.
///
/// Columns, centre and half extents are off by u each, products and sums add 6u: gaps err by 8u·S, and 6u·S more once they are
/// divided by the length of their axis, over that length. **32u·S** are allowed for, so that what is beyond doubt here is what
/// the axes say in `f64`, too.
#[inline(always)]
pub(super) fn clear_axis(place: &Relative<Vec3<f64>, Mat3<f64>>, halves: [Vec3<f64>; 2]) -> Option<usize> {
    let seen = Seen::new(place, halves);
    let error = PLACED * tolerance(size_of(seen.center, seen.halves));
    let contenders = at_baseline!(simd => seen.axes(simd).contenders(seen.center, error));
    contenders.is_power_of_two().then(|| contenders.trailing_zeros() as usize)
}

/// What the axes say about boxes in straight motion, beyond doubt.
pub(crate) enum Arrival {
    /// They never touch.
    Never,
    /// They touch when they meet along this axis, named as in [`clear_axis`].
    Along(usize),
}

/// How the second box meets the first, moving with `velocity`; `None` where that is in doubt, or they may touch at the start.
///
/// Along an axis, with the speed made positive, the boxes meet when position + t·speed = −reach and part when it is +reach.
/// Positions with reaches err by 8u·S, speeds by 8u of the velocity's components; 32u are allowed for. With these
/// errors one way a quotient is the earliest, the other way the latest time that they may meet along an axis: the last to be met is met
/// no earlier than the latest of the earliest. The quotients err by 3u and the products with them by 4u, of terms that
/// are no larger than twice S and the velocity: the rest of what is allowed for.
#[inline(always)]
pub(crate) fn clear_arrival(
    place: &Relative<Vec3<f64>, Mat3<f64>>,
    velocity: Vec3<f64>,
    halves: [Vec3<f64>; 2],
) -> Option<Arrival> {
    let (seen, velocity) = (Seen::new(place, halves), Vec3::<f32>::narrow(velocity));
    let length_doubt = PLACED * tolerance(size_of(seen.center, seen.halves));
    let speed_doubt = PLACED * tolerance(LaneVector::<f32>::sum(LaneVector::<f32>::abs(velocity)));
    at_baseline!(simd => {
        seen.axes(simd).arrival([seen.center, velocity], [length_doubt, speed_doubt])
    })
}

/// What is seen from a place in `f64` is off by a quarter of what the filters allow for.
const PLACED: f32 = 0.25;

/// S
#[inline(always)]
fn size_of(between: Vec3<f32>, [a, b]: [Vec3<f32>; 2]) -> f32 {
    LaneVector::<f32>::sum(LaneVector::<f32>::abs(between)) + ((a.x + a.y + a.z) + (b.x + b.y + b.z))
}

/// Numbers for all axes, those of eᵢ × c, for the columns c, in component i; the last lane of each means nothing.
#[derive(Clone, Copy)]
struct Fifteen<N> {
    of_first: N,
    of_second: N,
    across: Vec3<N>,
}

impl<N: Lane> Fifteen<N> {
    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(N, N) -> N) -> Self {
        let (v, w) = (self.across, other.across);
        Fifteen {
            of_first: join(self.of_first, other.of_first),
            of_second: join(self.of_second, other.of_second),
            across: Vec3::new(join(v.x, w.x), join(v.y, w.y), join(v.z, w.z)),
        }
    }
    #[inline(always)]
    fn all(number: N) -> Self {
        Fifteen { of_first: number, of_second: number, across: Vec3::new(number, number, number) }
    }
}

/// Edges whose sine has a smaller square count as nearly parallel.
const PARALLEL: f32 = 4e-6;

/// A bit for every axis.
const ALL: u64 = (1 << 15) - 1;

impl<S: Simd> Fifteen<Four<S>> {
    /// A bit for every axis whose number is less than that of the other.
    #[inline(always)]
    fn less_than(&self, other: &Self) -> u64 {
        let bits = |a: Four<S>, b: Four<S>| a.less_than(b).to_bitmask() & 7;
        bits(self.of_first, other.of_first)
            | bits(self.of_second, other.of_second) << 3
            | bits(self.across.x, other.across.x) << 6
            | bits(self.across.y, other.across.y) << 9
            | bits(self.across.z, other.across.z) << 12
    }

    #[inline(always)]
    fn largest(&self) -> f32 {
        let across = self.across.x.larger(self.across.y).larger(self.across.z);
        largest_of_three(self.of_first.larger(self.of_second).larger(across))
    }
}

struct Axes<S: Simd> {
    simd: S,
    seen: Vec3<Four<S>>,
    /// How far both boxes reach together.
    reach: Fifteen<Four<S>>,
}

impl<S: Simd> Axes<S> {
    #[inline(always)]
    fn new(simd: S, seen: Vec3<Four<S>>, [a, b]: [Vec3<f32>; 2]) -> Self {
        let row = |x, y, z| Four::load(simd, &[x, y, z, 0.0]);
        let like = |number: f32| seen.x.like(number);
        let far = LaneVector::abs(seen);
        let first = Vec3::new(like(a.x), like(a.y), like(a.z));
        let (second, next, after) = (row(b.x, b.y, b.z), row(b.y, b.z, b.x), row(b.z, b.x, b.y));
        // How far the axes of the second box reach along an axis of the first: a row each, to be summed.
        let [x, y, z] = [numbers(far.x * second), numbers(far.y * second), numbers(far.z * second)];
        let sums = row(x[0], y[0], z[0]) + row(x[1], y[1], z[1]) + row(x[2], y[2], z[2]);
        // For a column c with the others d and e: |d·(eᵢ × c)| = |e·eᵢ| and |e·(eᵢ × c)| = |d·eᵢ|.
        let of_second = |far: Four<S>| {
            let [c, d, e, _] = numbers(far);
            row(e, c, d) * next + row(d, e, c) * after
        };
        let of_first = Vec3::new(
            first.y * far.z + first.z * far.y,
            first.x * far.z + first.z * far.x,
            first.x * far.y + first.y * far.x,
        );
        let reach = Fifteen {
            of_first: row(a.x, a.y, a.z) + sums,
            of_second: second + far.dot(first),
            across: of_first + Vec3::new(of_second(far.x), of_second(far.y), of_second(far.z)),
        };
        Axes { simd, seen, reach }
    }

    /// The squares of the lengths of eᵢ × c: those of the sines between the edges.
    #[inline(always)]
    fn squares(&self) -> Vec3<Four<S>> {
        let square = self.seen.scaled_by(self.seen);
        Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y)
    }

    /// The products of a vector with all axes: (eᵢ × c)·v = −(v × c)ᵢ, of which all are negated.
    #[inline(always)]
    fn along(&self, v: Vec3<f32>) -> Fifteen<Four<S>> {
        let like = |number: f32| self.seen.x.like(number);
        let all = Vec3::new(like(v.x), like(v.y), like(v.z));
        Fifteen {
            of_first: Four::load(self.simd, &[v.x, v.y, v.z, 0.0]),
            of_second: all.dot(self.seen),
            across: all.cross(self.seen),
        }
    }

    #[inline(always)]
    fn gaps(&self, center: Vec3<f32>) -> Fifteen<Four<S>> {
        self.along(center).zip(self.reach, |along, reach| along.abs() - reach)
    }

    /// See [`clear_arrival`].
    #[inline(always)]
    fn arrival(
        &self,
        [center, velocity]: [Vec3<f32>; 2],
        [length_doubt, speed_doubt]: [f32; 2],
    ) -> Option<Arrival> {
        let (zero, squares) = (self.seen.x.like(0.0), self.squares());
        let (doubt, slack) = (zero.like(length_doubt), zero.like(speed_doubt));
        let (positions, velocities) = (self.along(center), self.along(velocity));
        let speeds = velocities.zip(velocities, |velocity, _| velocity.abs());
        // What hardly moves along an axis may do so either way.
        if are_parallel(squares) || Fifteen::all(slack).less_than(&speeds) != ALL {
            return None;
        }
        let ways = positions.zip(velocities, |position, velocity| {
            Four::select(velocity.less_than(zero), -position, position)
        });
        let ahead = self.reach.zip(ways, |reach, way| -reach - way);
        let left = self.reach.zip(ways, |reach, way| reach - way);
        let (slow, fast) =
            (speeds.zip(speeds, |speed, _| speed - slack), speeds.zip(speeds, |speed, _| speed + slack));
        let earliest = ahead.zip(fast, |ahead, speed| (ahead - doubt) / speed).largest();
        let latest = ahead.zip(slow, |ahead, speed| (ahead + doubt) / speed);
        let first = zero.like(earliest.larger(0.0));
        // What is apart along one axis when it meets along another never touches.
        let parted = left.zip(slow, |left, speed| (left + doubt) - first * speed);
        if parted.less_than(&Fifteen::all(zero)) != 0 {
            return Some(Arrival::Never);
        }
        let last = zero.like(latest.largest());
        let open = left.zip(fast, |left, speed| (left - doubt) - last * speed);
        let contenders = !latest.less_than(&Fifteen::all(first)) & ALL;
        let is_clear = Fifteen::all(zero).less_than(&open) == ALL && 0.0 < earliest;
        (is_clear && contenders.is_power_of_two())
            .then(|| Arrival::Along(contenders.trailing_zeros() as usize))
    }

    /// The axes that may have the largest gap for their length, a bit for each, given the error of a gap.
    #[inline(always)]
    fn contenders(&self, center: Vec3<f32>, error: f32) -> u64 {
        let (gaps, squares) = (self.gaps(center), self.squares());
        if are_parallel(squares) {
            return ALL;
        }
        let error = squares.x.like(error);
        let one = error.like(1.0);
        let per_length = Vec3::new(one / squares.x.sqrt(), one / squares.y.sqrt(), one / squares.z.sqrt());
        let (across, doubts) = (gaps.across.scaled_by(per_length), per_length * error);
        let gaps = Fifteen { across, ..gaps };
        let doubts = Fifteen { across: doubts, ..Fifteen::all(error) };
        let least = error.like(gaps.zip(doubts, |gap, doubt| gap - doubt).largest());
        !gaps.zip(doubts, |gap, doubt| gap + doubt).less_than(&Fifteen::all(least)) & ALL
    }
}

#[inline(always)]
fn numbers<S: Simd>(lanes: Four<S>) -> [f32; 4] {
    let mut numbers = [0.0; 4];
    lanes.store(&mut numbers);
    numbers
}

/// Whether some edges are nearly parallel, given the squares of all sines: the axes of those are mostly rounding error. Boxes
/// that stand on each other have them.
#[inline(always)]
fn are_parallel<S: Simd>(squares: Vec3<Four<S>>) -> bool {
    let least = squares.x.smaller(squares.y).smaller(squares.z);
    least.less_than(least.like(PARALLEL)).to_bitmask() & 7 != 0
}

#[inline(always)]
fn largest_of_three<S: Simd>(lanes: Four<S>) -> f32 {
    let [x, y, z, _] = numbers(lanes);
    x.larger(y).larger(z)
}

#[cfg(test)]
mod tests;
