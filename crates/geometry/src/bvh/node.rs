//! The node of every tree: eight boxes side by side, ready for lanes.
//!
//! A node holds the boxes of its children, not its own, so that one visit decides about eight children and
//! nothing is fetched that is not needed. The boxes are in `f32` whatever the scalar is ([`Frame`]
//! rounds outwards), which makes a node 256 bytes in space (four cache lines) and 192 in the plane.

use crate::bound::Aabb;
use crate::scale::towards_one;
use carom_math::{Number, Real, Vector, power_of_two};

/// How many children a node has at most.
pub(crate) const WIDTH: usize = 8;

/// No node.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// Up to eight children. Sets of slots are bytes, slot k being bit k.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node<V: Vector> {
    /// Along each axis the lower and the upper ends; an empty box is (+∞, −∞).
    pub(crate) rows: V::Axes<[[f32; WIDTH]; 2]>,
    /// The item or the node in each slot.
    pub(crate) links: [u32; WIDTH],
    /// The node above and the slot in it, in trees that change.
    pub(crate) parent: u32,
    pub(crate) parent_slot: u8,
    /// Slots that hold something.
    pub(crate) used: u8,
    /// Slots whose box is not empty.
    pub(crate) boxed: u8,
    /// Slots that hold an item; the others hold a node.
    pub(crate) items: u8,
    /// Slots in or below which an item moved lately, in trees that change.
    pub(crate) moved: u8,
}

const _: () = assert!(size_of::<Node<carom_math::Vec3<f64>>>() == 256);
const _: () = assert!(size_of::<Node<carom_math::Vec2<f64>>>() == 192);

impl<V: Vector> Node<V> {
    pub(crate) fn empty() -> Self {
        Node {
            rows: V::axes(|_| [[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]),
            links: [NOWHERE; WIDTH],
            parent: NOWHERE,
            parent_slot: 0,
            used: 0,
            boxed: 0,
            items: 0,
            moved: 0,
        }
    }

    /// The box in a slot.
    #[inline(always)]
    pub(crate) fn small(&self, slot: usize) -> Small<V> {
        let rows = self.rows.as_ref();
        Small(V::axes(|axis| [rows[axis][0][slot % WIDTH], rows[axis][1][slot % WIDTH]]))
    }

    /// Replaces the box in a slot that has one by another that is not empty.
    #[inline(always)]
    pub(crate) fn set_whole(&mut self, slot: usize, small: &Small<V>) {
        for (row, [low, high]) in self.rows.as_mut().iter_mut().zip(small.0.as_ref()) {
            row[0][slot % WIDTH] = *low;
            row[1][slot % WIDTH] = *high;
        }
    }

    /// Replaces the box in a slot.
    #[inline(always)]
    pub(crate) fn set_small(&mut self, slot: usize, small: &Small<V>) {
        self.set_whole(slot, small);
        let bit = 1 << (slot % WIDTH);
        self.boxed = if small.is_empty() { self.boxed & !bit } else { self.boxed | bit };
    }

    /// Puts an item or a node into a slot.
    #[inline(always)]
    pub(crate) fn put(&mut self, slot: usize, link: u32, is_item: bool, small: &Small<V>) {
        self.put_whole(slot, link, is_item, small);
        self.set_small(slot, small);
    }

    /// The same for a box that is not empty.
    #[inline(always)]
    pub(crate) fn put_whole(&mut self, slot: usize, link: u32, is_item: bool, small: &Small<V>) {
        let bit = 1 << (slot % WIDTH);
        self.links[slot % WIDTH] = link;
        self.used |= bit;
        self.boxed |= bit;
        self.items = if is_item { self.items | bit } else { self.items & !bit };
        self.set_whole(slot, small);
    }

    /// Empties a slot.
    pub(crate) fn take(&mut self, slot: usize) {
        self.set_small(slot, &Small::empty());
        let others = !(1 << (slot % WIDTH));
        self.used &= others;
        self.items &= others;
        self.moved &= others;
    }

    /// The box around all children. Empty boxes do not count, having +∞ and −∞ for ends.
    #[inline(always)]
    pub(crate) fn union(&self) -> Small<V> {
        let rows = self.rows.as_ref();
        let mut ends = [[0.0; 2]; 3];
        for axis in 0..V::DIM {
            ends[axis] = [across(&rows[axis][0], Number::min_of), across(&rows[axis][1], Number::max_of)];
        }
        Small(V::axes(|axis| ends[axis]))
    }

    /// The slots of a set, in order.
    #[inline(always)]
    pub(crate) fn slots(set: u8) -> Slots {
        Slots(u32::from(set))
    }
}

/// One number of eight, halving.
#[inline(always)]
fn across(row: &[f32; WIDTH], better: impl Fn(f32, f32) -> f32) -> f32 {
    let mut four = [0.0; 4];
    for k in 0..4 {
        four[k] = better(row[k], row[k + 4]);
    }
    better(better(four[0], four[2]), better(four[1], four[3]))
}

/// The slots of a set.
#[derive(Clone, Copy)]
pub(crate) struct Slots(pub(crate) u32);

impl Iterator for Slots {
    type Item = usize;
    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let slot = self.0.trailing_zeros();
        if slot == 32 {
            return None;
        }
        self.0 &= self.0 - 1;
        Some(slot as usize)
    }
}

/// A box in the frame of the tree: along each axis the lower and the upper end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Small<V: Vector>(pub(crate) V::Axes<[f32; 2]>);

impl<V: Vector> Small<V> {
    pub(crate) fn empty() -> Self {
        Small(V::axes(|_| [f32::INFINITY, f32::NEG_INFINITY]))
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        !self.0.as_ref().iter().fold(true, |all, [low, high]| all & (low <= high))
    }

    #[inline(always)]
    pub(crate) fn merged(&self, other: &Self) -> Self {
        let (a, b) = (self.0.as_ref(), other.0.as_ref());
        Small(V::axes(|k| [b[k][0].min_of(a[k][0]), b[k][1].max_of(a[k][1])]))
    }

    #[inline(always)]
    pub(crate) fn equals(&self, other: &Self) -> bool {
        self.0.as_ref() == other.0.as_ref()
    }

    /// Half the surface (half the perimeter in the plane): what a random ray or box meets it by.
    #[inline(always)]
    pub(crate) fn measure(&self) -> f32 {
        let size = |k: usize| self.0.as_ref()[k][1] - self.0.as_ref()[k][0];
        if V::DIM == 2 {
            size(0) + size(1)
        } else {
            size(0) * size(1) + size(1) * size(2) + size(2) * size(0)
        }
    }

    /// The same box in the caller's numbers; only for trees over `f32`, whose frame is the world.
    #[inline(always)]
    pub(crate) fn exact(&self) -> Aabb<V> {
        let ends = self.0.as_ref();
        Aabb {
            min: V::from_fn(|axis| V::Scalar::from(ends[axis][0])),
            max: V::from_fn(|axis| V::Scalar::from(ends[axis][1])),
        }
    }
}

/// Numbers that are to be rounded outwards to `f32` are moved by this part of themselves, and so much more: a step of `f32` is at most 2⁻²³ of
/// a number, and what underflows is less than its smallest one.
const OUTWARD_STEP: f64 = 1.0 / (1 << 22) as f64;
const OUTWARD_TINY: f64 = f32::MIN_POSITIVE as f64;

/// Both ends in `f32`, the lower one not above and the upper one not below. Everything, when they are no ends.
#[inline(always)]
pub(crate) fn outward(low: f64, high: f64) -> [f32; 2] {
    let is_range = low <= high;
    if is_range {
        // What is beyond the range has one end in it, or differences of ends would be no numbers.
        let (low, high) = (low.min_of(f64::from(f32::MAX)), high.max_of(f64::from(f32::MIN)));
        let off = |x: f64| x.abs() * OUTWARD_STEP + OUTWARD_TINY;
        [(low - off(low)) as f32, (high + off(high)) as f32]
    } else {
        [f32::NEG_INFINITY, f32::INFINITY]
    }
}

/// How boxes become `f32`.
///
/// Boxes in `f32` stay as they are, bit by bit. Boxes in `f64` are seen from the middle of the tree and
/// multiplied by a power of two that makes the tree about 2⁴⁰ large, then rounded outwards: far
/// from the origin, or at 1e±300, they lose no more than their last bits. Trees whose middle is beyond 2⁹⁷⁰ are seen from
/// the origin: what is small there costs more tests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<V: Vector> {
    pub(crate) center: V::Wide,
    pub(crate) scale: f64,
}

impl<V: Vector> Frame<V> {
    /// Whether boxes of nodes are the boxes themselves.
    pub(crate) const EXACT: bool = size_of::<V::Scalar>() == size_of::<f32>();

    /// The frame for boxes within these bounds.
    pub(crate) fn around(bounds: Aabb<V>) -> Self {
        let (center, half) = (bounds.widen().center(), bounds.widen().half_extents());
        if Self::EXACT || bounds.is_empty() || !center.finite() || !half.finite() {
            return Frame { center: V::Wide::ZERO, scale: 1.0 };
        }
        // What is asked may lie anywhere, also on the other side of zero, and its difference from the centre must be
        // finite. That of the largest number is when the centre is below half of its last place, 2⁹⁷⁰. Of others
        // boxes are seen from zero.
        let (center, size) = if center.max_abs() < power_of_two(970) {
            (center, half.max_abs())
        } else {
            (V::Wide::ZERO, center.max_abs() + half.max_abs())
        };
        // Both may be just in range where their sum is not.
        let size = size.min_of(f64::MAX);
        let scale = towards_one(size, 0).min_of(power_of_two(960)) * power_of_two(40);
        Frame { center, scale }
    }

    /// The box in `f32`, rounded outwards; empty when the box is, or has a NaN.
    #[inline(always)]
    pub(crate) fn small(&self, bounds: &Aabb<V>) -> Small<V> {
        let valid =
            (0..V::DIM).fold(true, |valid, axis| valid & (bounds.min.get(axis) <= bounds.max.get(axis)));
        if !valid {
            return Small::empty();
        }
        self.small_whole(bounds)
    }

    /// The same for a box that is not empty and has no NaN.
    #[inline(always)]
    pub(crate) fn small_whole(&self, bounds: &Aabb<V>) -> Small<V> {
        Small(V::axes(|axis| [self.below(bounds.min, axis), self.above(bounds.max, axis)]))
    }

    /// A number of the frame that is not above this coordinate.
    #[inline(always)]
    pub(crate) fn below(&self, point: V, axis: usize) -> f32 {
        let x = point.get(axis).to_f64();
        if Self::EXACT {
            return f32::from_f64(x);
        }
        // The difference is off by half a step at most, and so is a product that underflows.
        f32::from_f64_down(((x - self.center.get(axis)) * self.scale).step_down())
    }

    /// A number of the frame that is not below this coordinate.
    #[inline(always)]
    pub(crate) fn above(&self, point: V, axis: usize) -> f32 {
        let x = point.get(axis).to_f64();
        if Self::EXACT {
            return f32::from_f64(x);
        }
        f32::from_f64_up(((x - self.center.get(axis)) * self.scale).step_up())
    }

    /// The smallest box around a point, which must be finite: from [`below`](Self::below) to [`above`](Self::above).
    #[inline(always)]
    pub(crate) fn spot(&self, point: V) -> Small<V> {
        if Self::EXACT {
            return Small(V::axes(|axis| [f32::from_f64(point.get(axis).to_f64()); 2]));
        }
        // The nearest number is on one side, and its neighbour on the other; on both when it is the coordinate itself. A sum with the smallest number
        // gives a zero the sign from which a step leads away from it: bits count up with the magnitude.
        const TINY: f64 = f64::MIN_POSITIVE;
        let away = |nearest: f32, is_beyond: bool, sign: i32| {
            let bits = nearest.to_bits().cast_signed();
            f32::from_bits((bits + sign * i32::from(is_beyond) * ((bits >> 31) | 1)).cast_unsigned())
        };
        Small(V::axes(|axis| {
            // What the scale makes infinite is finite nevertheless: beyond the infinite there is no neighbour.
            let x = ((point.get(axis).to_f64() - self.center.get(axis)) * self.scale)
                .max_of(f64::MIN)
                .min_of(f64::MAX);
            let [below, above] = [x - TINY, x + TINY].map(f32::from_f64);
            [away(below, x <= f64::from(below), -1), away(above, f64::from(above) <= x, 1)]
        }))
    }

    /// A box around all points that are as near to a point as `slack` along each axis, up to four steps of `f32` larger than it need
    /// be; both must be finite.
    #[inline(always)]
    pub(crate) fn spot_within(&self, point: V, slack: f64) -> Small<V> {
        Small(V::axes(|axis| {
            let x = (point.get(axis).to_f64() - self.center.get(axis)) * self.scale;
            // What the scale makes infinite is finite nevertheless.
            let (x, slack) = (x.max_of(f64::MIN).min_of(f64::MAX), slack * self.scale);
            let off = x.abs() * OUTWARD_STEP + (slack + OUTWARD_TINY);
            [(x - off) as f32, (x + off) as f32]
        }))
    }

    /// A box of the frame in the caller's numbers, rounded outwards.
    #[inline]
    pub(crate) fn world(&self, small: &Small<V>) -> Aabb<V> {
        if Self::EXACT {
            return small.exact();
        }
        // Dividing by a power of two is exact, unless it underflows; adding is off by half a step.
        let ends = small.0.as_ref();
        let end = |axis: usize, side: usize| f64::from(ends[axis][side]) / self.scale + self.center.get(axis);
        Aabb {
            min: V::from_fn(|axis| V::Scalar::from_f64_down(end(axis, 0).step_down())),
            max: V::from_fn(|axis| V::Scalar::from_f64_up(end(axis, 1).step_up())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;

    #[test]
    fn ends_are_rounded_outwards() {
        for x in [0.1, -0.1, 0.0, 1.0, 3e9, -3e9, 1e30, 1e-50, -1e-50, 16_777_217.0, -16_777_217.0] {
            let [low, high] = outward(x, x);
            assert!(f64::from(low) < x && x < f64::from(high), "{x}");
            let rough = 5e-7 * x.abs() + 3e-38;
            assert!(x - f64::from(low) < rough && f64::from(high) - x < rough, "{x}");
        }
        assert_eq!(outward(f64::NAN, 1.0), [f32::NEG_INFINITY, f32::INFINITY]);
        assert_eq!(outward(power_of_two(200), power_of_two(201))[1], f32::INFINITY);
        assert_eq!(outward(f64::NEG_INFINITY, f64::INFINITY), [f32::NEG_INFINITY, f32::INFINITY]);
        // Beyond the range of `f32` and of `f64`: no NaN.
        for x in [1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY] {
            let [low, high] = outward(x, x);
            assert!(f64::from(low) <= x && x <= f64::from(high), "{x}");
            assert!(low < f32::INFINITY && f32::NEG_INFINITY < high && low < high, "{x}");
        }
    }

    #[test]
    fn what_is_near_a_spot_is_in_the_box_around_it() {
        let corner = |x: f64| Vec3::new(x, 1.0 + x, -3.0 * x);
        let frame = Frame::around(Aabb { min: corner(0.3), max: corner(0.7) });
        for (x, slack) in
            [(0.1, 0.2), (0.4, 0.0), (1e-30, 1e-30), (-1e-30, 1e30), (5.0, 1e300), (-1e300, 1e301)]
        {
            let (point, all) = (corner(x), Vec3::splat(slack));
            let (tight, own) =
                (frame.small(&Aabb { min: point - all, max: point + all }), frame.spot_within(point, slack));
            for ([low, high], [lower, higher]) in tight.0.iter().zip(&own.0) {
                assert!(lower <= low && high <= higher, "{x} {slack}");
            }
        }
        // Beyond the range of `f32` there is nothing to be near to.
        for x in [1e300, -1e300] {
            for [low, high] in frame.spot_within(corner(x), 1.0).0 {
                assert!(low.is_infinite() && low == high, "{x}");
            }
        }
    }
}
