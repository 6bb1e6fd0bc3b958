//! Mesh parts in straight motion: a corner and a face, two edges, a corner and an edge in the plane.
//!
//! After Wang, Ferguson, Jiang, Attene, Panozzo, *A Large-Scale Benchmark and an Inclusion-Based Algorithm for
//! Continuous Collision Detection* (2021). The parts touch where the vector between a point of one and a point
//! of the other vanishes:
//!
//! ```text
//! corner, face:  F(t, u, v) = p(t) − [(1 − u − v)·f₀ + u·f₁ + v·f₂](t)      with u + v <= 1
//! two edges:     F(t, u, v) = [(1 − u)·a₀ + u·a₁](t) − [(1 − v)·b₀ + v·b₁](t)
//! corner, edge:  F(t, u)    = p(t) − [(1 − u)·e₀ + u·e₁](t)
//! ```
//!
//! F is linear in each parameter, so over a box of parameters each of its coordinates takes its extremes at the
//! corners of the box: a box whose corner values are all on one side of zero has no root. Others are halved,
//! until they are so small that they count as roots.
//!
//! Our changes:
//! - A box carries its corner values. Halving it is taking means of pairs, which costs little, and loses to
//!   rounding only half an ulp of the values in the box: the sum of these is carried along and allowed for. So
//!   there is no constant that depends on the coordinates' magnitude, no scale, and a mesh far from the origin
//!   is as good as one near it.
//! - Besides the coordinates, F is measured along the normal of the parts in the middle of the motion, since
//!   parts that pass each other in a slanted plane overlap in all coordinates for long.
//! - Boxes are searched depth first, earlier times first, in a stack of fixed size. Once a root is known, all that
//!   is left of the other boxes is the time before it, less the tolerance: cut down to that, nearly all of them
//!   turn out to be empty. Without it, parts that meet along a line or in an area at one time would be searched
//!   along all of it.

use crate::{Error, error::not_negative, scale};
use carom_math::{Number, Real, power_of_two};

/// How mesh parts in motion are searched for a touch.
///
/// # Example
/// ```
/// use carom_geometry::CcdOptions;
/// let cloth = CcdOptions { separation: 1e-3, ..CcdOptions::default() };
/// assert_eq!(cloth.max_boxes, 1 << 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CcdOptions<T> {
    /// Parts that come as close as this count as touching; 0 by default.
    pub separation: T,
    /// Boxes of parameters are halved until the vector between the parts changes by less than this part of its
    /// largest coordinate; 2⁻³⁰ by default. What comes closer than that without touching may count as touching,
    /// and the time is up to this (as a time) too early.
    pub tolerance: T,
    /// At most this many boxes are looked at, 2¹⁶ by default; then the answer is the earliest touch that has not
    /// been ruled out.
    pub max_boxes: u32,
}

impl<T: Real> Default for CcdOptions<T> {
    fn default() -> Self {
        CcdOptions { separation: T::ZERO, tolerance: T::from_f64(power_of_two(-30)), max_boxes: 1 << 16 }
    }
}

/// The first touch of two mesh parts in straight motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CcdHit<T> {
    /// They do not touch before this time; earlier than the touch by little more than the tolerance.
    pub t: T,
    /// The work was limited, and it is not known whether they touch at all.
    pub limited: bool,
}

/// The options in `f64`, checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    pub(crate) separation: f64,
    pub(crate) tolerance: f64,
    pub(crate) max_boxes: u32,
}

impl<T: Real> CcdOptions<T> {
    pub(crate) fn check(self) -> Result<Search, Error> {
        let separation = not_negative("separation", self.separation)?.to_f64();
        // Times are exact to 2⁻⁵²; below 2⁻⁴⁵ the tolerance would not cover their rounding.
        let tolerance = not_negative("tolerance", self.tolerance)?.to_f64().max_of(power_of_two(-45));
        Ok(Search { separation, tolerance, max_boxes: self.max_boxes })
    }
}

/// The first root of F, given its values at the corners of the unit box: `corners[i]` is that at t = bit 0 of i,
/// u = bit 1, v = bit 2. The first D of the K coordinates are those of F, the others products of F with unit
/// vectors. `error` bounds the rounding of the values. With `triangle`, only u + v <= 1 counts.
///
/// Answers the time, which is never late, and whether the search was cut short.
pub(crate) fn first_root<const D: usize, const K: usize, const CORNERS: usize>(
    corners: [[f64; K]; CORNERS],
    error: f64,
    triangle: bool,
    search: Search,
) -> Option<(f64, bool)> {
    let size = corners.as_flattened().iter().fold(0.0, |size: f64, x| x.abs().max_of(size));
    let small = search.tolerance * size;
    let parameters = CORNERS.trailing_zeros() as usize;
    let whole = Patch { corners, error, low: [0.0; 3], width: [1.0; 3] };
    whole.range::<D>(search.separation)?;
    let mut stack = [whole; STACK];
    let mut waiting = 1;
    // No root is before this; infinite until one is known. Times from here on are of no interest.
    let mut best = f64::INFINITY;
    for _ in 0..search.max_boxes {
        if waiting == 0 {
            return best.is_finite().then_some((best, false));
        }
        waiting -= 1;
        let mut patch = stack[waiting];
        let is_outside = triangle && 1.0 < patch.low[1] + patch.low[2];
        if best <= patch.low[0] || is_outside {
            continue;
        }
        if best < patch.low[0] + patch.width[0] {
            patch = patch.until(best);
        }
        let Some(holds) = patch.range::<D>(search.separation) else { continue };
        let (axis, change) = patch.steepest(parameters);
        if holds || change <= small || patch.width[axis] <= SMALLEST {
            best = (patch.low[0] - search.tolerance).max_of(0.0);
            continue;
        }
        let [first, second] = patch.halves(axis);
        // The one that is looked at first goes last.
        stack[waiting] = second;
        stack[waiting + 1] = first;
        waiting += 2;
    }
    if waiting == 0 {
        return best.is_finite().then_some((best, false));
    }
    let earliest = stack[..waiting].iter().fold(best, |t, patch| patch.low[0].min_of(t));
    Some((earliest, true))
}

/// Parameters are not halved below this: midpoints of smaller intervals would not be exact.
const SMALLEST: f64 = power_of_two(-48);

/// Depth first, each level leaves one box behind; three parameters with 48 levels each.
const STACK: usize = 3 * 48 + 3;

/// A box of parameters with the values of F at its corners.
#[derive(Clone, Copy)]
struct Patch<const K: usize, const CORNERS: usize> {
    corners: [[f64; K]; CORNERS],
    /// No value is farther from the truth.
    error: f64,
    low: [f64; 3],
    width: [f64; 3],
}

impl<const K: usize, const CORNERS: usize> Patch<K, CORNERS> {
    /// `None` when F is farther from zero than the separation everywhere in the box; otherwise whether it is
    /// within rounding of that everywhere.
    #[inline]
    fn range<const D: usize>(&self, separation: f64) -> Option<bool> {
        let (mut low, mut high) = (self.corners[0], self.corners[0]);
        for corner in &self.corners[1..] {
            for k in 0..K {
                low[k] = low[k].min_of(corner[k]);
                high[k] = high[k].max_of(corner[k]);
            }
        }
        let reach = separation + self.error;
        let mut squared = 0.0;
        let mut holds = true;
        for k in 0..K {
            if reach < low[k] || high[k] < -reach {
                return None;
            }
            if k < D {
                holds &= -reach <= low[k] && high[k] <= reach;
                let beyond = (low[k] - self.error).max_of(-high[k] - self.error).max_of(0.0);
                squared += beyond * beyond;
            }
        }
        // Farther than the separation across a corner: the comparison has room for the roundings of the sum.
        let allowed = separation * (1.0 + 8.0 * f64::EPSILON);
        if allowed * allowed < squared { None } else { Some(holds) }
    }

    /// The parameter along which F changes most, and by how much.
    #[inline]
    fn steepest(&self, parameters: usize) -> (usize, f64) {
        let mut best = (0, -1.0);
        for axis in 0..parameters {
            let mut change: f64 = 0.0;
            for index in (0..CORNERS).filter(|index| index >> axis & 1 == 0) {
                for k in 0..K {
                    let step = self.corners[index | 1 << axis][k] - self.corners[index][k];
                    change = step.abs().max_of(change);
                }
            }
            if best.1 < change {
                best = (axis, change);
            }
        }
        best
    }

    /// The part of the box before a time within it.
    fn until(&self, time: f64) -> Self {
        let mut part = *self;
        let share = (time - self.low[0]) / self.width[0];
        let mut largest: f64 = 0.0;
        for index in (0..CORNERS).step_by(2) {
            for k in 0..K {
                let (from, to) = (self.corners[index][k], self.corners[index | 1][k]);
                part.corners[index | 1][k] = from + (to - from) * share;
                largest = from.abs().max_of(to.abs()).max_of(largest);
            }
        }
        part.width[0] = time - self.low[0];
        // Difference, share, product and sum: less than eight halves of an ulp of twice the largest value.
        part.error = self.error + 8.0 * f64::EPSILON * largest;
        part
    }

    #[inline]
    fn halves(&self, axis: usize) -> [Self; 2] {
        let mut halves = [*self; 2];
        let mut largest: f64 = 0.0;
        for index in (0..CORNERS).filter(|index| index >> axis & 1 == 0) {
            let other = index | 1 << axis;
            for k in 0..K {
                let mean = 0.5 * (self.corners[index][k] + self.corners[other][k]);
                halves[0].corners[other][k] = mean;
                halves[1].corners[index][k] = mean;
                largest = mean.abs().max_of(largest);
            }
        }
        let width = 0.5 * self.width[axis];
        for half in &mut halves {
            half.width[axis] = width;
            // Half an ulp for the mean, and as much for this sum.
            half.error = self.error + f64::EPSILON * largest;
        }
        halves[1].low[axis] += width;
        halves
    }
}

/// The power of two by which coordinates of this size are multiplied, so that differences do not overflow and
/// means do not underflow.
pub(crate) fn rescaling(size: f64) -> f64 {
    scale::rescaling(size).unwrap_or(1.0)
}

/// A bound on the rounding errors of initial values no larger than this: three sums, and a product with a unit
/// vector of three terms.
pub(crate) fn initial_error(size: f64) -> f64 {
    16.0 * f64::EPSILON * size
}
