//! One frame as the tree of another shape sees it.
//!
//! Nodes hold boxes in `f32`, in a frame of their tree: (p − center)·unit. The other box is carried into that frame,
//! where the gaps along its axes tell the distance of the boxes. The axes of the other frame tell it as well, and
//! often better, so the eight boxes are carried there too, in `f32` at the same unit; the larger of both bounds counts.
//! These are the face axes of two boxes; their edges are left out.
//!
//! **Errors.** In `f64` everything is within a few ε of the size of the pair, which [`ROUNDING`] covers. Boxes are carried in `f32`:
//! centre and half extents (1 rounding each), entries of the matrix (1), products and
//! sums (3), each 2⁻²⁴ of what is added up, three coordinates and the shift: [`CARRIED`] has four times as much.
//!
//! **Blocks.** Where both shapes have trees, the children of one node meet those of another, one after the other: what is carried of
//! either node is kept until other nodes come ([`Block`]), all of it in `f32`.

#![expect(
    clippy::needless_range_loop,
    reason = "axes count through several arrays, and lanes go into no closures"
)]

use super::descent::Side;
use super::sieve::Eight;
use super::{Kernels, Place};
use crate::bound::Aabb;
use crate::bvh::node::{NOWHERE, Node, Small, WIDTH, outward};
use crate::bvh::probe::{DISTANCE_SLACK, row};
use crate::pair::place::Turn;
use carom_math::prelude_simd::{Simd, SimdBase, f32x8};
use carom_math::{Number, Real, Vector, power_of_two};
use core::ops::{Add, Mul, Sub};

/// What boxes may be off by in `f64`, relative to the size of the pair.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What boxes in `f32` may be off by, relative to their largest coordinate: 2⁻¹⁸.
const CARRIED: f64 = 1.0 / (1 << 18) as f64;

/// Coordinates beyond this are not carried in `f32`.
const FAR: f64 = (1_u64 << 60) as f64;

/// The other frame as seen by the tree of one shape.
pub(crate) struct Sight<V: Vector> {
    /// From there to the numbers of the nodes.
    columns: [V; 3],
    spread: [V; 3],
    origin: V,
    pub(super) unit: f64,
    slack: f64,
    /// From the numbers of the nodes to there, at the same unit; `None` where that is of no use.
    back: Option<Back>,
    /// Where the coordinates of `back` are counted from: where the other tree counts from, if there is one.
    there: V,
    /// The unit by that of the other tree, if that is a number for lanes.
    pub(super) ratio: Option<f32>,
    /// Where there is one box only, that of a shape without parts, as the nodes see it.
    only: Option<Seen>,
}

/// A box of the other frame, along each axis the lower and the upper end: in that of the nodes, and at their unit in its own.
#[derive(Clone, Copy)]
struct Seen {
    small: Ends,
    own: Ends,
}

type Ends = [[f32; 2]; 3];

/// The ends of eight boxes.
type Eights<S> = [[f32x8<S>; 2]; 3];

/// Row k gives coordinate k.
struct Back {
    rows: [[f32; 3]; 3],
    spread: [[f32; 3]; 3],
    shift: [f32; 3],
    /// What is carried may be off by this, what the place is off by included.
    slack: f32,
}

/// Two nodes of two trees, the children of the one with those of the other.
pub(crate) struct Block<S: Simd> {
    side: usize,
    /// The number of the node that is opened, and of that which the other boxes are in.
    links: [u32; 2],
    /// The boxes of the node in the frame of the others.
    carried: Eights<S>,
    /// What numbers of the other tree are multiplied by.
    ratio: f32,
    /// The boxes of the other node in the numbers of this one.
    others: [[[f32; WIDTH]; 2]; 3],
    /// The triangles of the node, once they are asked for.
    eight: Eight<S>,
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
        let slack = (ROUNDING * size + slack) * unit;
        let is_point = !other.has_nodes() && other.whole.min == other.whole.max;
        let back = (own.has_nodes() && !is_point).then(|| {
            let own_reach =
                (own.whole.max - own.center).max_abs().max_of((own.whole.min - own.center).max_abs());
            let shift = (place.rotation.undo(from_center) - other.center) * unit;
            let reach = 2.0 * own_reach * unit + shift.max_abs();
            // Not when it is a NaN either.
            let is_near = reach < FAR;
            // What underflows is a step of the smallest numbers at most.
            let slack = CARRIED * reach + slack + power_of_two(-126);
            is_near.then(|| Back::new(core::array::from_fn(column), shift, slack))
        });
        let ratio = unit / other.unit;
        let is_number = (1.0 / FAR..=FAR).contains(&ratio);
        let mut sight = Sight {
            columns: core::array::from_fn(|axis| column(axis) * unit),
            spread: core::array::from_fn(|axis| column(axis).abs_by_axis() * unit),
            origin: -from_center * unit,
            unit,
            slack,
            back: back.flatten(),
            there: other.center,
            ratio: (other.has_nodes() && is_number).then_some(ratio as f32),
            only: None,
        };
        if own.has_nodes() && !other.has_nodes() {
            sight.only = Some(sight.seen(&other.whole));
        }
        sight
    }

    #[inline(always)]
    fn seen(&self, bounds: &Aabb<V>) -> Seen {
        let (mut small, mut own) = ([[0.0; 2]; 3], [[0.0; 2]; 3]);
        let ends = self.small(bounds);
        for axis in 0..V::DIM {
            small[axis] = ends.0.as_ref()[axis];
            own[axis] = outward(
                (bounds.min.get(axis) - self.there.get(axis)) * self.unit,
                (bounds.max.get(axis) - self.there.get(axis)) * self.unit,
            );
        }
        Seen { small, own }
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

    /// A box in a slot of a node of the other tree, in `f32` throughout; `None` where that will not do.
    #[inline(always)]
    fn seen_in(&self, other: &Self, (node, slot): (&Node<V>, usize)) -> Option<Seen> {
        let (forth, ratio) = (other.back.as_ref()?, self.ratio?);
        let mut ends = [[0.0; 2]; 3];
        for (axis, own) in node.small(slot).0.as_ref().iter().enumerate() {
            ends[axis] = *own;
        }
        let mut seen = Seen { small: forth.carry::<V, _>(&ends, forth.shift, forth.slack), own: ends };
        // Loops, not maps: closures would not become part of code for wide lanes.
        for ends in [&mut seen.small, &mut seen.own] {
            for end in ends.as_flattened_mut() {
                *end *= ratio;
            }
        }
        Some(seen)
    }

    /// Squared lower bounds on the distances of the eight boxes of a node from a box of the other frame; of boxes that overlap, the negative
    /// squares of how deep anything in them may overlap at most, where that is of interest (`DEPTHS`).
    #[inline(always)]
    pub(super) fn squared_distances<const DEPTHS: bool, S: Simd>(
        &self,
        simd: S,
        node: &Node<V>,
        other: (&Self, Option<(&Node<V>, usize)>),
        bounds: impl FnOnce() -> Aabb<V>,
    ) -> f32x8<S> {
        let seen = match (self.only, other) {
            (Some(seen), _) => seen,
            (None, (there, Some(slot))) => match self.seen_in(there, slot) {
                Some(seen) => seen,
                None => self.seen(&bounds()),
            },
            (None, _) => self.seen(&bounds()),
        };
        let carried = match &self.back {
            Some(back) => Some(back.carried(simd, node)),
            None => None,
        };
        squared_between::<DEPTHS, S, V>(simd, node, carried.as_ref(), &seen)
    }
}

impl<S: Simd> Block<S> {
    /// The block of two nodes, of which the second is of the other tree; `None` where that cannot be told in `f32`. What was kept from
    /// the last ones is overwritten: a block is large, and to hand it on would take as long as to make it.
    #[inline(always)]
    pub(super) fn of<'k, V: Vector<Scalar = f64, Wide = V>>(
        simd: S,
        side: usize,
        sights: &[Sight<V>; 2],
        nodes: [(&Node<V>, u32); 2],
        kept: &'k mut Option<Self>,
    ) -> Option<&'k mut Self> {
        let links = [nodes[0].1, nodes[1].1];
        let (own, other) = (&sights[side & 1], &sights[1 - (side & 1)]);
        let (Some(back), Some(forth), Some(ratio)) = (&own.back, &other.back, own.ratio) else {
            return None;
        };
        if kept.is_none() {
            let zero = f32x8::splat(simd, 0.0);
            *kept = Some(Block {
                side,
                links: [NOWHERE; 2],
                carried: [[zero; 2]; 3],
                ratio,
                others: [[[0.0; WIDTH]; 2]; 3],
                eight: Eight::new(simd),
            });
        }
        let Some(block) = kept else { return None };
        if block.side == side && block.links == links {
            return Some(block);
        }
        let seen = forth.carried(simd, nodes[1].0);
        for axis in 0..V::DIM {
            for end in 0..2 {
                block.others[axis][end] = *(seen[axis][end] * ratio).as_array();
            }
        }
        block.carried = back.carried(simd, nodes[0].0);
        (block.side, block.links, block.ratio) = (side, links, ratio);
        block.eight.clear();
        Some(block)
    }

    /// The triangles of a node, if it is the first of the two.
    #[inline(always)]
    pub(super) fn triangles_of(&mut self, side: usize, link: u32) -> Option<&mut Eight<S>> {
        if self.side == side && self.links[0] == link { Some(&mut self.eight) } else { None }
    }

    /// As [`Sight::squared_distances`], for a box in a slot of the other node.
    #[inline(always)]
    pub(super) fn squared_distances<const DEPTHS: bool, V: Vector<Scalar = f64, Wide = V>>(
        &self,
        simd: S,
        node: &Node<V>,
        (other, slot): (&Node<V>, usize),
    ) -> f32x8<S> {
        let rows = other.rows.as_ref();
        let (mut small, mut own) = ([[0.0; 2]; 3], [[0.0; 2]; 3]);
        for axis in 0..V::DIM {
            for end in 0..2 {
                small[axis][end] = self.others[axis][end][slot % WIDTH];
                own[axis][end] = rows[axis][end][slot % WIDTH] * self.ratio;
            }
        }
        squared_between::<DEPTHS, S, V>(simd, node, Some(&self.carried), &Seen { small, own })
    }
}

/// What the eight boxes of a node and another box tell, along the axes of either.
#[inline(always)]
fn squared_between<const DEPTHS: bool, S: Simd, V: Vector>(
    simd: S,
    node: &Node<V>,
    carried: Option<&Eights<S>>,
    seen: &Seen,
) -> f32x8<S> {
    let rows = node.rows.as_ref();
    let zero = f32x8::splat(simd, 0.0);
    let mut sum = zero;
    let mut signed = f32x8::splat(simd, f32::NEG_INFINITY);
    for axis in 0..V::DIM {
        let [low, high] = seen.small[axis];
        let apart = (row(simd, &rows[axis][0]) - high).max(low - row(simd, &rows[axis][1]));
        let gap = apart.max(zero) * DISTANCE_SLACK;
        sum += gap * gap;
        if DEPTHS {
            signed = signed.max(apart);
        }
    }
    if let Some(carried) = carried {
        let mut other_sum = zero;
        for axis in 0..V::DIM {
            let [low, high] = seen.own[axis];
            let apart = (carried[axis][0] - high).max(low - carried[axis][1]);
            let gap = apart.max(zero) * DISTANCE_SLACK;
            other_sum += gap * gap;
            if DEPTHS {
                signed = signed.max(apart);
            }
        }
        sum = sum.max(other_sum);
    }
    if DEPTHS { with_depths(simd, sum, signed) } else { sum }
}

/// The sum of squares where that is positive, and the negative square of a depth, rounded away from zero, elsewhere.
#[inline(always)]
fn with_depths<S: Simd>(simd: S, sum: f32x8<S>, signed: f32x8<S>) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let depth = (zero - signed).max(zero) * (2.0 - DISTANCE_SLACK);
    sum - depth * depth
}

impl Back {
    fn new<V: Vector<Scalar = f64>>(columns: [V; 3], shift: V, slack: f64) -> Self {
        let entry = |v: V, axis: usize| if axis < V::DIM { v.get(axis) as f32 } else { 0.0 };
        let rows = columns.map(|column| core::array::from_fn(|axis| entry(column, axis)));
        Back {
            rows,
            spread: rows.map(|row| row.map(f32::abs)),
            shift: core::array::from_fn(|axis| entry(shift, axis)),
            slack: f32::from_f64_up(slack),
        }
    }

    /// The eight boxes of a node in the other frame, made larger.
    #[inline(always)]
    fn carried<S: Simd, V: Vector>(&self, simd: S, node: &Node<V>) -> Eights<S> {
        let (rows, zero) = (node.rows.as_ref(), f32x8::splat(simd, 0.0));
        let (mut ends, mut shift) = ([[zero; 2]; 3], [zero; 3]);
        for axis in 0..V::DIM {
            ends[axis] = [row(simd, &rows[axis][0]), row(simd, &rows[axis][1])];
            shift[axis] = f32x8::splat(simd, self.shift[axis]);
        }
        self.carry::<V, _>(&ends, shift, f32x8::splat(simd, self.slack))
    }

    /// The same for boxes by their ends: one, or as many as there are lanes.
    #[inline(always)]
    fn carry<V: Vector, N>(&self, ends: &[[N; 2]; 3], shift: [N; 3], slack: N) -> [[N; 2]; 3]
    where
        N: Copy + Add<Output = N> + Sub<Output = N> + Mul<f32, Output = N>,
    {
        let mut carried = *ends;
        for k in 0..V::DIM {
            let (mut middle, mut reach) = (shift[k], slack);
            for (j, [low, high]) in ends.iter().enumerate().take(V::DIM) {
                middle = middle + (*low + *high) * 0.5 * self.rows[k][j];
                reach = reach + (*high - *low) * 0.5 * self.spread[k][j];
            }
            carried[k] = [middle - reach, middle + reach];
        }
        carried
    }
}
