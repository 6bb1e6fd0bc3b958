//! How boxes in two frames relate: eight of one tree at once and one of the other.
//!
//! Nodes hold boxes in `f32`, in a frame of their tree: (p − center)·unit. The other box is carried into that frame,
//! where the gaps along its axes tell the distance of the boxes. The axes of the other frame tell it as well, and
//! often better, so the eight boxes are carried there too, in `f32` at the same unit; the larger of both bounds counts.
//! These are the face axes of two boxes; their edges are left out.
//!
//! **Errors.** In `f64` everything is within a few ε of the size of the pair, which [`ROUNDING`] covers. The eight
//! boxes are carried in `f32`: centre and half extents (1 rounding each), entries of the matrix (1), products and
//! sums (3), each 2⁻²⁴ of what is added up, three coordinates and the shift: [`CARRIED`] has four times as much.
//!
//! What cannot be told in lanes (half-spaces, turning motions, numbers out of range) is asked one by one.

use super::descent::{Side, gap_above_plane, gap_of_boxes};
use super::sieve::near_triangles;
use super::walk::Actor;
use super::{Kernels, Place};
use crate::bound::{Aabb, Frame};
use crate::bvh::node::{Node, Small, WIDTH};
use crate::bvh::probe::{DISTANCE_SLACK, row};
use crate::pair::place::{Relative, Turn};
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, f32x8};
use carom_math::{Number, Real, Vector};

/// What boxes may be off by in `f64`, relative to the size of the pair.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What eight boxes in `f32` may be off by, relative to their largest coordinate: 2⁻¹⁸.
const CARRIED: f64 = 1.0 / (1 << 18) as f64;

/// Coordinates beyond this are not carried in `f32`.
const FAR: f64 = (1_u64 << 60) as f64;

/// Makes the coordinates of a tree, which nodes hold about 2⁴⁰ large, about 1.
const WHOLE_TREE: f64 = 1.0 / (1_u64 << 40) as f64;

/// What a walk seeks, as far as boxes can tell.
pub(crate) trait View<K: Kernels> {
    /// A lower bound on what is sought for anything in the boxes, each in its own frame; `None` when that is
    /// certainly beyond the limit. Bounds are not negative, limits may be.
    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64>;

    /// The limit in the units of either side, rounded up.
    fn limits(&self, limit: f64) -> [f32; 2] {
        [f32::from_f64_up(limit); 2]
    }

    /// A lower bound in the units of a side as one in those of the shapes, up to what boxes may be off by.
    fn lower(&self, side: usize, lower: f32) -> f64 {
        let _ = side;
        f64::from(lower)
    }

    /// The slots of a node of one side that may be within the limit of a box of the other side, which is in its own
    /// frame, and lower bounds in the units of the node's side. Of slots without a box anything may be said.
    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        side: usize,
        own: &Side<'_, K>,
        node: &Node<K::Vector>,
        other: &Aabb<K::Vector>,
        limit: f32,
    ) -> (u32, [f32; WIDTH]) {
        let _ = simd;
        one_by_one(self, side, own, node, other, limit)
    }

    /// Those of the slots of a node of one side that a closer look does not show to be beyond the limit of an item of the other
    /// side.
    #[inline(always)]
    fn sifted<S: Simd>(
        &self,
        simd: S,
        side: usize,
        sides: [&Side<'_, K>; 2],
        (node, slots): (&Node<K::Vector>, u32),
        item: u32,
        limit: f64,
    ) -> u32 {
        let _ = (simd, side, sides, node, item, limit);
        slots
    }
}

/// The same without lanes, for views whose units are those of the shapes.
pub(crate) fn one_by_one<K: Kernels>(
    view: &(impl View<K> + ?Sized),
    side: usize,
    own: &Side<'_, K>,
    node: &Node<K::Vector>,
    other: &Aabb<K::Vector>,
    limit: f32,
) -> (u32, [f32; WIDTH]) {
    let (mut met, mut lower) = (0, [0.0; WIDTH]);
    for slot in Node::<K::Vector>::slots(node.boxed) {
        let bounds = own.bounds_in(node, slot);
        let found = if side == 0 {
            view.bound(&bounds, other, f64::from(limit))
        } else {
            view.bound(other, &bounds, f64::from(limit))
        };
        if let Some(found) = found {
            met |= 1 << slot;
            lower[slot % WIDTH] = f32::from_f64_down(found);
        }
    }
    (met, lower)
}

/// One frame as seen by the tree of the other shape.
pub(crate) struct Sight<V: Vector> {
    /// From there to the numbers of the nodes.
    columns: [V; 3],
    spread: [V; 3],
    origin: V,
    unit: f64,
    slack: f64,
    /// From the numbers of the nodes to there, at the same unit; `None` where that is of no use.
    back: Option<Back>,
    /// Where there is one box only, that of a shape without parts, as the nodes see it.
    only: Option<Seen<V>>,
}

/// A box of the other frame: in that of the nodes, and at their unit in its own, both rounded outwards.
#[derive(Clone, Copy)]
struct Seen<V: Vector> {
    small: Small<V>,
    own: [[f32; 2]; 3],
}

/// Row k gives coordinate k.
struct Back {
    rows: [[f32; 3]; 3],
    spread: [[f32; 3]; 3],
    shift: [f32; 3],
    slack: f32,
}

impl<V: Vector<Scalar = f64, Wide = V>> Sight<V> {
    /// `place`: the other frame in that of `own`; `size`: that of the pair; `slack`: by how much boxes are to be
    /// enlarged, besides what they may be off by.
    pub(crate) fn new<K: Kernels<Vector = V>>(
        place: &Place<K>,
        own: &Side<'_, K>,
        other: &Side<'_, K>,
        size: f64,
        slack: f64,
    ) -> Self {
        let unit = own.unit;
        let column = |axis: usize| if axis < V::DIM { place.rotation.column(axis) } else { V::ZERO };
        let from_center = own.center - place.translation;
        let is_point = !other.has_nodes() && other.whole.min == other.whole.max;
        let back = (own.has_nodes() && !is_point).then(|| {
            let own_reach =
                (own.whole.max - own.center).max_abs().max_of((own.whole.min - own.center).max_abs());
            let shift = place.rotation.undo(from_center) * unit;
            let reach = 2.0 * own_reach * unit + shift.max_abs();
            // Not when it is a NaN either.
            let is_near = reach < FAR;
            is_near.then(|| Back::new(core::array::from_fn(column), shift, reach))
        });
        let mut sight = Sight {
            columns: core::array::from_fn(|axis| column(axis) * unit),
            spread: core::array::from_fn(|axis| column(axis).abs_by_axis() * unit),
            origin: -from_center * unit,
            unit,
            slack: (ROUNDING * size + slack) * unit,
            back: back.flatten(),
            only: None,
        };
        if own.has_nodes() && !other.has_nodes() {
            sight.only = Some(sight.seen(&other.whole));
        }
        sight
    }

    #[inline(always)]
    fn seen(&self, bounds: &Aabb<V>) -> Seen<V> {
        let own = core::array::from_fn(|axis| {
            let axis = axis.min(V::DIM - 1);
            outward(
                bounds.min.get(axis) * self.unit - self.slack,
                bounds.max.get(axis) * self.unit + self.slack,
            )
        });
        Seen { small: self.small(bounds), own }
    }

    /// A box of the other frame in that of the nodes, rounded outwards.
    #[inline(always)]
    pub(crate) fn small(&self, bounds: &Aabb<V>) -> Small<V> {
        self.small_and(bounds, V::splat(self.slack))
    }

    /// The same, made larger by this much along the axes of the nodes' frame.
    #[inline(always)]
    pub(crate) fn small_within(&self, bounds: &Aabb<V>, room: V) -> Small<V> {
        self.small_and(bounds, room * self.unit + V::splat(self.slack))
    }

    #[inline(always)]
    fn small_and(&self, bounds: &Aabb<V>, room: V) -> Small<V> {
        let center = bounds.min * 0.5 + bounds.max * 0.5;
        let half = bounds.max * 0.5 - bounds.min * 0.5;
        let (mut middle, mut reach) = (self.origin, room);
        for axis in 0..V::DIM {
            middle += self.columns[axis] * center.get(axis);
            reach += self.spread[axis] * half.get(axis);
        }
        let (low, high) = (middle - reach, middle + reach);
        Small(V::axes(|axis| outward(low.get(axis), high.get(axis))))
    }

    /// Squared lower bounds on the distances of the eight boxes of a node from a box of the other frame; of boxes that overlap, the negative
    /// squares of how deep anything in them may overlap at most, where that is of interest (`DEPTHS`).
    #[inline(always)]
    fn squared_distances<const DEPTHS: bool, S: Simd>(
        &self,
        simd: S,
        node: &Node<V>,
        other: &Aabb<V>,
    ) -> f32x8<S> {
        let Seen { small, own } = match self.only {
            Some(seen) => seen,
            None => self.seen(other),
        };
        let (rows, ends) = (node.rows.as_ref(), small.0.as_ref());
        let zero = f32x8::splat(simd, 0.0);
        let mut sum = zero;
        let mut signed = f32x8::splat(simd, f32::NEG_INFINITY);
        for axis in 0..V::DIM {
            let [low, high] = ends[axis];
            let apart = (row(simd, &rows[axis][0]) - high).max(low - row(simd, &rows[axis][1]));
            let gap = apart.max(zero) * DISTANCE_SLACK;
            sum += gap * gap;
            if DEPTHS {
                signed = signed.max(apart);
            }
        }
        let Some(back) = &self.back else { return if DEPTHS { with_depths(simd, sum, signed) } else { sum } };
        let (mut centers, mut halves) = ([zero; 3], [zero; 3]);
        for axis in 0..V::DIM {
            let (low, high) = (row(simd, &rows[axis][0]), row(simd, &rows[axis][1]));
            centers[axis] = (low + high) * 0.5;
            halves[axis] = (high - low) * 0.5;
        }
        let mut other_sum = zero;
        for (k, &[low, high]) in own.iter().enumerate().take(V::DIM) {
            let (mut middle, mut reach) = (f32x8::splat(simd, back.shift[k]), f32x8::splat(simd, back.slack));
            for j in 0..V::DIM {
                middle += centers[j] * back.rows[k][j];
                reach += halves[j] * back.spread[k][j];
            }
            let apart = ((middle - reach) - high).max(low - (middle + reach));
            let gap = apart.max(zero) * DISTANCE_SLACK;
            other_sum += gap * gap;
            if DEPTHS {
                signed = signed.max(apart);
            }
        }
        let sum = sum.max(other_sum);
        if DEPTHS { with_depths(simd, sum, signed) } else { sum }
    }
}

/// The sum of squares where that is positive, and the negative square of a depth, rounded away from zero, elsewhere.
#[inline(always)]
fn with_depths<S: Simd>(simd: S, sum: f32x8<S>, signed: f32x8<S>) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let depth = (zero - signed).max(zero) * (2.0 - DISTANCE_SLACK);
    sum - depth * depth
}

impl Back {
    fn new<V: Vector<Scalar = f64>>(columns: [V; 3], shift: V, reach: f64) -> Self {
        let entry = |v: V, axis: usize| if axis < V::DIM { v.get(axis) as f32 } else { 0.0 };
        let rows = columns.map(|column| core::array::from_fn(|axis| entry(column, axis)));
        Back {
            rows,
            spread: rows.map(|row| row.map(f32::abs)),
            shift: core::array::from_fn(|axis| entry(shift, axis)),
            slack: f32::from_f64_up(CARRIED * reach),
        }
    }
}

/// Both ends in `f32`, the lower one not above and the upper one not below, but for what underflows. A step of `f32` is at most
/// 2⁻²³ of a number. Everything, when they are no ends.
#[inline(always)]
fn outward(low: f64, high: f64) -> [f32; 2] {
    const STEP: f64 = 1.0 / (1 << 22) as f64;
    let is_range = low <= high;
    if is_range {
        [(low - low.abs() * STEP) as f32, (high + high.abs() * STEP) as f32]
    } else {
        [f32::NEG_INFINITY, f32::INFINITY]
    }
}

/// Shapes at rest: how far apart their boxes are.
pub(crate) struct AtRest<K: Kernels> {
    frame: Frame<K::Vector>,
    plane: Option<(K::Vector, f64)>,
    /// What boxes do not have of the shapes.
    radius: f64,
    /// Whether it matters how deep what is in boxes may overlap: limits may be negative then.
    has_depths: bool,
    sights: [Sight<K::Vector>; 2],
    /// Either frame in that of the other: the second shape's in the first's, and back.
    places: [Place<K>; 2],
    /// What places may be off by.
    rounding: f64,
}

impl<K: Kernels> AtRest<K> {
    pub(crate) fn new(a: &Actor<'_, K>, place: &Place<K>, sides: [&Side<'_, K>; 2]) -> Self {
        let size = pair_size(place, sides);
        AtRest {
            frame: Frame::of(place),
            plane: K::plane(a.shape),
            radius: sides[0].radius + sides[1].radius,
            has_depths: false,
            sights: both_sights(place, sides, size, 0.0),
            places: [*place, K::inverse(place)],
            rounding: ROUNDING * size,
        }
    }

    /// The same for the deepest of what overlaps.
    pub(crate) fn with_depths(self, has_depths: bool) -> Self {
        AtRest { has_depths, ..self }
    }
}

/// The middle of a box, carried into another frame, and how far it reaches from there along the axes of that frame; both are off by some ten roundings of the
/// largest numbers, the last that is told.
pub(super) fn carried<K: Kernels>(place: &Place<K>, own: &Aabb<K::Vector>) -> (K::Vector, K::Vector, f64) {
    let (center, half) = (own.min * 0.5 + own.max * 0.5, own.max * 0.5 - own.min * 0.5);
    let (mut middle, mut reach) = (place.translation, K::Vector::ZERO);
    for axis in 0..K::Vector::DIM {
        let column = place.rotation.column(axis);
        middle += column * center.get(axis);
        reach += column.abs_by_axis() * half.get(axis);
    }
    (middle, reach, 16.0 * f64::EPSILON * (middle.max_abs() + reach.max_abs()))
}

/// Whether boxes around two shapes, the second seen from the first, are farther apart than `limit` along an axis of the first: what most
/// questions about things far away come to. Not where it is no number.
pub(super) fn are_beyond<K: Kernels>(place: &Place<K>, [a, b]: [&Side<'_, K>; 2], limit: f64) -> bool {
    let (middle, reach, doubt) = carried::<K>(place, &b.whole);
    let room = limit.max_of(0.0) + (a.radius + b.radius) + doubt;
    let apart = (middle - reach - a.whole.max).max_by_axis(a.whole.min - (middle + reach));
    // The room is rounded once more.
    let room = room * (1.0 + 8.0 * f64::EPSILON);
    (0..K::Vector::DIM).any(|axis| room < apart.get(axis))
}

/// The size of a pair, which rounding errors are relative to.
pub(crate) fn pair_size<K: Kernels>(place: &Place<K>, [a, b]: [&Side<'_, K>; 2]) -> f64 {
    a.reach() + b.reach() + place.translation.max_abs()
}

/// Either frame as the other tree sees it.
pub(crate) fn both_sights<K: Kernels>(
    place: &Place<K>,
    [a, b]: [&Side<'_, K>; 2],
    size: f64,
    slack: f64,
) -> [Sight<K::Vector>; 2] {
    [Sight::new::<K>(place, a, b, size, slack), Sight::new::<K>(&K::inverse(place), b, a, size, slack)]
}

impl<K: Kernels> View<K> for AtRest<K> {
    #[inline]
    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        let carried = self.frame.placed(*b);
        let gap = match self.plane {
            Some(plane) => gap_above_plane(plane, &carried),
            None => gap_of_boxes(a, &carried),
        };
        let lower = gap - self.radius;
        // A limit may be negative, a depth that is to be exceeded: what overlaps in its box may be as deep as can be.
        (lower <= limit || gap == 0.0).then_some(lower.max_of(0.0))
    }

    #[inline]
    fn limits(&self, limit: f64) -> [f32; 2] {
        if self.plane.is_some() {
            return [f32::from_f64_up(limit).max_of(0.0); 2];
        }
        [0, 1].map(|side| {
            let within = limit + self.radius;
            let within = if self.has_depths { within } else { within.max_of(0.0) };
            let scaled = (within.step_up() * self.sights[side].unit).step_up();
            if scaled < 0.0 {
                // Depths are compared as negative squares.
                return f32::from_f64_up(-(scaled * scaled).step_down());
            }
            // Below 2⁻⁷⁴ squares in `f32` vanish; what is compared with them must not.
            f32::from_f64_up((scaled * scaled).step_up()).max_of(f32::from_bits(1))
        })
    }

    #[inline(always)]
    fn lower(&self, side: usize, lower: f32) -> f64 {
        if self.plane.is_some() {
            return f64::from(lower);
        }
        f64::from(lower.max_of(0.0)).sqrt() / self.sights[side & 1].unit - self.radius
    }

    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        side: usize,
        own: &Side<'_, K>,
        node: &Node<K::Vector>,
        other: &Aabb<K::Vector>,
        limit: f32,
    ) -> (u32, [f32; WIDTH]) {
        if self.plane.is_some() {
            return one_by_one(self, side, own, node, other, limit);
        }
        let sight = &self.sights[side & 1];
        let lower = if self.has_depths {
            sight.squared_distances::<true, S>(simd, node, other)
        } else {
            sight.squared_distances::<false, S>(simd, node, other)
        };
        (lower.simd_le(limit).to_bitmask() as u32, *lower.as_array())
    }

    #[inline(always)]
    fn sifted<S: Simd>(
        &self,
        simd: S,
        side: usize,
        sides: [&Side<'_, K>; 2],
        (node, slots): (&Node<K::Vector>, u32),
        item: u32,
        limit: f64,
    ) -> u32 {
        let (own, other, place) = (sides[side & 1], sides[1 - (side & 1)], &self.places[side & 1]);
        let Some(corners) = other.triangle(item) else { return slots };
        let (items, corners) = (slots & u32::from(node.items), corners.map(|corner| place.point(corner)));
        let triangle = |slot: usize| own.triangle(node.links[slot % WIDTH]);
        let scale = (own.unit * WHOLE_TREE, limit + self.rounding);
        (slots & !items) | near_triangles(simd, items, triangle, corners, scale)
    }
}

impl<V: Vector<Scalar = f64>> Frame<V> {
    /// A relative place as a frame for boxes.
    pub(crate) fn of<M: Turn<V>>(place: &Relative<V, M>) -> Self {
        let columns =
            core::array::from_fn(|axis| if axis < V::DIM { place.rotation.column(axis) } else { V::ZERO });
        Frame::from_columns(columns, place.translation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::power_of_two;

    #[test]
    fn ends_are_rounded_outwards() {
        for x in [0.1, -0.1, 1.0, 3e9, -3e9, 1.0e30, 16_777_217.0, -16_777_217.0] {
            let [low, high] = outward(x, x);
            assert!(f64::from(low) < x && x < f64::from(high), "{x}");
        }
        assert_eq!(outward(f64::NAN, 1.0), [f32::NEG_INFINITY, f32::INFINITY]);
        assert_eq!(outward(power_of_two(200), power_of_two(201))[1], f32::INFINITY);
    }
}
