//! What a traversal asks of a node: which of its eight boxes may matter. In lanes.
//!
//! Every test is in `f32` and errs on one side only: a box that matters is never left out. Where the
//! scalar is `f32` and nothing but comparisons are involved, the test is exact.
//!
//! There are no NaN in here: nodes hold none, and the numbers of a probe are checked when it is made. So
//! the minima and maxima of the processors agree, whichever they are.

use super::node::{Frame, Node, Small, WIDTH};
use crate::scale::towards_one;
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, f32x8};
use carom_math::{Number, Real, Vector, power_of_two};

/// Runs a traversal with the widest lanes that this processor has, of the two that are compiled in: eight, or
/// twice four. More versions would multiply the size of every callback, and wider lanes than a node
/// are of no use.
macro_rules! in_lanes {
    ($simd:ident => $run:expr) => {{
        let level = carom_math::Level::new();
        #[cfg(target_arch = "x86_64")]
        {
            use carom_math::prelude_simd::Simd as _;
            if let Some($simd) = level.as_avx2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $run,
                )
            } else if let Some($simd) = level.as_sse2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $run,
                )
            } else {
                unreachable!("every processor of this kind has SSE2")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            carom_math::prelude_simd::dispatch!(level, $simd => $run)
        }
    }};
}
pub(crate) use in_lanes;

/// A region that boxes are asked against.
pub(crate) trait Probe<V: Vector> {
    /// The slots whose boxes may meet the region; of slots without a box anything may be said.
    fn slots<S: Simd>(&self, simd: S, node: &Node<V>) -> u32;
}

#[inline(always)]
pub(crate) fn row<S: Simd>(simd: S, numbers: &[f32; WIDTH]) -> f32x8<S> {
    f32x8::load_array_ref(simd, numbers)
}

impl<V: Vector> Probe<V> for Small<V> {
    /// The boxes that overlap this one.
    #[inline(always)]
    fn slots<S: Simd>(&self, simd: S, node: &Node<V>) -> u32 {
        let (rows, ends) = (node.rows.as_ref(), self.0.as_ref());
        let mut all = row(simd, &rows[0][0]).simd_le(ends[0][1]) & row(simd, &rows[0][1]).simd_ge(ends[0][0]);
        // A loop, no closure: what is compiled for wide lanes is inlined only into functions that are, too.
        for axis in 1..V::DIM {
            let [low, high] = ends[axis];
            all &= row(simd, &rows[axis][0]).simd_le(high) & row(simd, &rows[axis][1]).simd_ge(low);
        }
        all.to_bitmask() as u32
    }
}

/// A point in the frame of a tree: along each axis an interval that contains it.
#[derive(Clone, Copy)]
pub(crate) struct Spot<V: Vector>(Small<V>);

/// Relative error of a squared distance in lanes, doubled: a difference, its square and two sums.
pub(crate) const DISTANCE_SLACK: f32 = 1.0 - 16.0 * f32::EPSILON;

impl<V: Vector> Spot<V> {
    /// The point must be finite.
    pub(crate) fn new(frame: &Frame<V>, point: V) -> Self {
        Spot(frame.spot(point))
    }

    /// Squared distances to the eight boxes, rounded down: not above those to anything inside.
    ///
    /// The gap shrinks before it is squared, so that overflow is rounded down as well: infinite means
    /// more than [`squared_above`] can give for anything finite in `f32`.
    #[inline(always)]
    pub(crate) fn squared_distances<S: Simd>(&self, simd: S, node: &Node<V>) -> f32x8<S> {
        let (rows, point) = (node.rows.as_ref(), self.0.0.as_ref());
        let zero = f32x8::splat(simd, 0.0);
        let mut sum = zero;
        for axis in 0..V::DIM {
            let [low, high] = point[axis];
            let gap = (row(simd, &rows[axis][0]) - high).max(low - row(simd, &rows[axis][1])).max(zero)
                * DISTANCE_SLACK;
            sum += gap * gap;
        }
        sum
    }
}

/// A squared distance in the frame that is not below the square of this one; the counterpart of
/// [`Spot::squared_distances`].
pub(crate) fn squared_above<V: Vector>(frame: &Frame<V>, distance: f64) -> f32 {
    let scaled = (distance * frame.scale).step_up();
    // Below 2⁻⁷⁴ squares in `f32` vanish; what is compared with them must not.
    f32::from_f64_up((scaled * scaled).step_up()).max_of(f32::from_bits(1))
}

/// A ball.
pub(crate) struct Around<V: Vector> {
    pub(crate) spot: Spot<V>,
    pub(crate) squared_radius: f32,
}

impl<V: Vector> Probe<V> for Around<V> {
    #[inline(always)]
    fn slots<S: Simd>(&self, simd: S, node: &Node<V>) -> u32 {
        self.spot.squared_distances(simd, node).simd_le(self.squared_radius).to_bitmask() as u32
    }
}

/// The points p with normal·p <= offset, in the frame of a tree.
pub(crate) struct Half<V: Vector> {
    /// With the side of the box that is least along the normal: 0 where the component is positive.
    normal: V::Axes<(f32, usize)>,
    offset: f32,
    /// What the offset may be off by.
    slack: f32,
}

impl<V: Vector> Half<V> {
    /// All numbers must be finite. `None` when it cannot be told in `f32`: then nothing is left out.
    ///
    /// Points of the frame are (p − c)·s, so normal·p <= offset is normal·q <= (offset − normal·c)·s.
    /// The product with c has DIM roundings in `f64`.
    pub(crate) fn new(frame: &Frame<V>, normal: V, offset: V::Scalar) -> Option<Self> {
        let normal = normal.widen();
        let factor = towards_one(normal.max_abs(), 0);
        let (normal, offset) = (normal * factor, offset.to_f64() * factor);
        let moved = normal.dot(frame.center);
        let size = normal.abs_by_axis().dot(frame.center.abs_by_axis()) + offset.abs();
        let slack = f32::from_f64_up((size * frame.scale * (8.0 * f64::EPSILON)).step_up());
        let offset = (offset - moved) * frame.scale;
        // A component that is too small for the number type is not rounded by a part of itself.
        let is_precise = |axis: usize| {
            let component = f32::from_f64(normal.get(axis)).abs();
            normal.get(axis) == 0.0 || f32::MIN_POSITIVE <= component
        };
        let usable = offset.abs() < f64::from(f32::MAX)
            && slack < f32::MAX
            && 0.0 < normal.max_abs()
            && (0..V::DIM).all(is_precise);
        usable.then(|| Half {
            normal: V::axes(|axis| {
                let component = normal.get(axis);
                (f32::from_f64(component), usize::from(component < 0.0))
            }),
            offset: f32::from_f64(offset),
            slack,
        })
    }

    /// Boxes of which some point may lie in the half-space. The value and the sum of magnitudes share
    /// their products; normal and offset are rounded, each product and sum too: 8 roundings of 2⁻²⁴,
    /// relative to the magnitudes, and products that underflow.
    #[inline(always)]
    fn slots<S: Simd>(&self, simd: S, node: &Node<V>) -> u32 {
        let (rows, normal) = (node.rows.as_ref(), self.normal.as_ref());
        let mut value = f32x8::splat(simd, -self.offset);
        let mut magnitude = f32x8::splat(simd, self.offset.abs());
        for axis in 0..V::DIM {
            let (component, side) = normal[axis];
            if component != 0.0 {
                let product = row(simd, &rows[axis][side % 2]) * component;
                value += product;
                magnitude += product.abs();
            }
        }
        let error = magnitude * (8.0 * f32::EPSILON) + (self.slack + 8.0 * f32::MIN_POSITIVE);
        // Infinite ends make NaN or infinities of both: "not greater" keeps them.
        let outside = value.simd_gt(error) & magnitude.simd_lt(f32::INFINITY);
        !(outside.to_bitmask() as u32)
    }
}

impl<V: Vector> Probe<V> for [Half<V>] {
    #[inline(always)]
    fn slots<S: Simd>(&self, simd: S, node: &Node<V>) -> u32 {
        let mut slots = u32::MAX;
        for half in self {
            slots &= half.slots(simd, node);
        }
        slots
    }
}

/// A ray in the frame of a tree.
///
/// Slabs: along each axis the ray is inside for t between (near − o)/d and (far − o)/d. A direction whose
/// largest component is beyond 2^±20 is multiplied by a power of two that brings it into [1, 2); parameters are in its
/// units. The difference, the reciprocal, its rounding to `f32` and that of its multiple are off by 2⁻²⁴ each, relatively, so
/// reciprocals that are 2⁻²¹ smaller for entering and larger for leaving make the range enclose the true one: the
/// last product rounds monotonously. A range that ends before 0 ends there for certain, as differences have the right sign, and
/// one that begins before 0 begins at 0.
#[derive(Clone, Copy)]
pub(crate) struct Slabs<V: Vector> {
    axes: V::Axes<Slab>,
    /// Parameters of the ray times this are parameters in here.
    unit: f64,
}

#[derive(Clone, Copy, Debug)]
struct Slab {
    /// Which end of a box comes first.
    near: usize,
    origin_near: f32,
    origin_far: f32,
    reciprocal_near: f32,
    reciprocal_far: f32,
    /// So steep that the ray stays where it is along this axis: 1, or almost: 2, and nothing is certain.
    flat: u8,
}

impl<V: Vector> Slabs<V> {
    /// `None` when a number is not finite. A zero direction meets the boxes that contain the origin.
    pub(crate) fn new(frame: &Frame<V>, origin: V, direction: V) -> Option<Self> {
        let start = Small(V::axes(|axis| [frame.below(origin, axis), frame.above(origin, axis)]));
        let along = Self::along(frame.scale, direction.widen()).filter(|_| origin.finite())?;
        Some(along.starting_in(&start))
    }

    /// The ray from the centre of a frame whose numbers are this many times those of the direction.
    #[inline]
    pub(crate) fn along(unit: f64, direction: V::Wide) -> Option<Self> {
        if !direction.finite() {
            return None;
        }
        let factor = towards_one(direction.max_abs(), 20);
        let direction = direction * factor;
        let axes = V::axes(|axis| {
            let d = direction.get(axis);
            let reciprocal = f32::from_f64(1.0 / d);
            const SLACK: f32 = 1.0 / (1 << 21) as f32;
            let flat = if d == 0.0 { 1 } else { 2 * u8::from(d.abs() < power_of_two(-100)) };
            Slab {
                near: usize::from(d < 0.0),
                origin_near: 0.0,
                origin_far: 0.0,
                reciprocal_near: reciprocal * (1.0 - SLACK),
                reciprocal_far: reciprocal * (1.0 + SLACK),
                flat,
            }
        });
        Some(Slabs { axes, unit: unit / factor })
    }

    /// The same direction for a box in the frame, all of whose points move along: it enters other boxes with the
    /// first of its points and leaves them with the last.
    #[inline(always)]
    pub(crate) fn starting_in(mut self, start: &Small<V>) -> Self {
        for (slab, ends) in self.axes.as_mut().iter_mut().zip(start.0.as_ref()) {
            // Which way a ray goes nobody can guess: no branches.
            (slab.origin_near, slab.origin_far) = (ends[(slab.near & 1) ^ 1], ends[slab.near & 1]);
        }
        self
    }

    /// A parameter of the ray in the units of the frame, rounded up.
    #[inline]
    pub(crate) fn limit(&self, t: f64) -> f32 {
        if f64::MIN_POSITIVE <= self.unit && self.unit <= f64::MAX {
            f32::from_f64_up((t * self.unit).step_up()).max_of(f32::from_bits(1))
        } else {
            f32::INFINITY
        }
    }

    /// The slots whose boxes the ray may meet before the limit, and where it enters them at the earliest.
    #[inline(always)]
    pub(crate) fn enter<S: Simd>(&self, simd: S, node: &Node<V>, limit: f32) -> (u32, f32x8<S>) {
        let (rows, slabs) = (node.rows.as_ref(), self.axes.as_ref());
        let mut enter = f32x8::splat(simd, 0.0);
        let mut leave = f32x8::splat(simd, limit);
        let mut slots = u32::MAX;
        for axis in 0..V::DIM {
            let slab = &slabs[axis];
            let near = row(simd, &rows[axis][slab.near & 1]);
            let far = row(simd, &rows[axis][(slab.near & 1) ^ 1]);
            if slab.flat == 0 {
                enter = enter.max((near - slab.origin_near) * slab.reciprocal_near);
                leave = leave.min((far - slab.origin_far) * slab.reciprocal_far);
            } else if slab.flat == 1 {
                let inside = near.simd_le(slab.origin_near) & far.simd_ge(slab.origin_far);
                slots &= inside.to_bitmask() as u32;
            }
        }
        (slots & enter.simd_le(leave).to_bitmask() as u32, enter)
    }
}
