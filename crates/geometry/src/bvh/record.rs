//! What is put into a tree: items with their boxes, in the form in which they are sorted.

use super::node::Small;
use super::probe::row;
use carom_math::prelude_simd::{Simd, SimdBase};
use carom_math::{Number, Vector};

/// An item on its way into the tree: its box, the third axis being 0 in the plane. The fourth numbers
/// carry the item, 16 bits each, as whole numbers: raw bits would be subnormal, and vectors with such a lane are
/// multiplied slowly.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Record(pub(super) Extent);

impl Record {
    /// The record of an item with this box. An item with an empty box has to be somewhere too: it is
    /// put at `fallback`, a point among the other boxes.
    #[inline]
    pub(crate) fn new<V: Vector>(item: u32, small: &Small<V>, fallback: [f32; 3]) -> Self {
        let ends = small.0.as_ref();
        let mut around = Extent { ends: [0.0; 8] };
        for axis in 0..V::DIM {
            let at = fallback[axis];
            around.set(axis, if small.is_empty() { [at, at] } else { ends[axis] });
        }
        Self::of(item, around)
    }

    /// The record of an item around some points, each an interval along each axis.
    #[inline(always)]
    pub(crate) fn around(item: u32, points: impl Iterator<Item = Extent>) -> Self {
        let mut all = Extent::EMPTY;
        points.for_each(|point| all.include(&point));
        Self::of(item, all)
    }

    #[inline(always)]
    fn of(item: u32, mut around: Extent) -> Self {
        around.ends[3] = (item & 0xFFFF) as f32;
        around.ends[7] = (item >> 16) as f32;
        Record(around)
    }

    #[inline(always)]
    pub(super) fn item(&self) -> u32 {
        (self.0.ends[7] as u32) << 16 | self.0.ends[3] as u32
    }

    /// Twice the centre, as a box. Ends are kept from infinity, so that there is one; in a part that is `NEAR` they are anyway.
    #[inline(always)]
    pub(super) fn doubled_center<const NEAR: bool>(&self) -> Extent {
        let mut ends = [0.0; 8];
        for k in 0..4 {
            let center = self.doubled_center_along::<NEAR>(k);
            (ends[k], ends[k + 4]) = (center, -center);
        }
        Extent { ends }
    }

    #[inline(always)]
    pub(super) fn doubled_center_along<const NEAR: bool>(&self, axis: usize) -> f32 {
        let (low, minus_high) = (self.0.ends[axis % 4], self.0.ends[axis % 4 + 4]);
        let near = |x: f32| if NEAR { x } else { x.max_of(-FAR).min_of(FAR) };
        near(low) - near(minus_high)
    }
}

/// Twice as much is still finite, and so is the difference of two that are.
const FAR: f32 = f32::MAX / 4.0;

/// A box: four lower ends, then four upper ends with the other sign. The fourth of either means nothing.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(crate) struct Extent {
    ends: [f32; 8],
}

impl Extent {
    pub(super) const EMPTY: Extent = Extent { ends: [f32::INFINITY; 8] };

    /// The box with these ends along each axis.
    #[inline(always)]
    pub(crate) fn of<V: Vector>(small: &Small<V>) -> Self {
        let mut own = Extent { ends: [0.0; 8] };
        for axis in 0..V::DIM {
            own.set(axis, small.0.as_ref()[axis]);
        }
        own
    }

    #[inline(always)]
    fn set(&mut self, axis: usize, [low, high]: [f32; 2]) {
        (self.ends[axis % 4], self.ends[axis % 4 + 4]) = (low, -high);
    }

    #[inline(always)]
    pub(super) fn include(&mut self, other: &Extent) {
        for k in 0..8 {
            self.ends[k] = other.ends[k].min_of(self.ends[k]);
        }
    }

    /// The same in lanes. There is no NaN, and zeros of either sign are as good as each other.
    #[inline(always)]
    pub(super) fn include_in_lanes<S: Simd>(&mut self, simd: S, other: &Extent) {
        self.ends = *row(simd, &other.ends).min(row(simd, &self.ends)).as_array();
    }

    #[inline(always)]
    pub(super) fn low(&self, axis: usize) -> f32 {
        self.ends[axis % 4]
    }

    #[inline(always)]
    fn high(&self, axis: usize) -> f32 {
        -self.ends[axis % 4 + 4]
    }

    #[inline(always)]
    pub(super) fn size(&self, axis: usize) -> f32 {
        self.high(axis) - self.low(axis)
    }

    /// Whether all ends lie between −[`FAR`] and [`FAR`].
    #[inline(always)]
    pub(super) fn is_near(&self) -> bool {
        (0..3).fold(true, |all, k| all & (-FAR < self.low(k)) & (self.high(k) < FAR))
    }

    #[inline(always)]
    pub(super) fn measure(&self, plane: bool) -> f32 {
        let [x, y, z] = [self.size(0), self.size(1), self.size(2)];
        if plane { x + y } else { x * y + y * z + z * x }
    }

    #[inline(always)]
    pub(super) fn small<V: Vector>(&self) -> Small<V> {
        Small(V::axes(|axis| [self.low(axis), self.high(axis)]))
    }
}
