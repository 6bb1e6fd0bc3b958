//! What a walk through two trees seeks, as far as boxes can tell: eight of one tree at once and one of the other.
//!
//! See [`super::sight`] for how boxes in two frames are compared. What cannot be told in lanes (half-spaces, turning motions, numbers out of
//! range) is asked one by one.

use super::descent::{Boxed, Opened, Side, gap_above_plane, gap_of_boxes};
use super::sight::{Block, ROUNDING, Sight};
use super::walk::Actor;
use super::{Kernels, Place};
use crate::bound::{Aabb, Frame};
use crate::bvh::node::{Node, Slots, WIDTH};
use crate::pair::place::{Relative, Turn};
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask};
use carom_math::{Number, Real, Vector};

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

    /// What is kept from one item of the other side to the next.
    type Kept<S: Simd>;

    /// The slots of a node of one side that may be within the limit of a box of the other side, and lower bounds in the units of the
    /// node's side. Of slots without a box anything may be said. Something may be kept where the other box is that of an item.
    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        sides: [&Side<'_, K>; 2],
        opened: Opened<'_, K::Vector>,
        other: &Boxed<'_, K::Vector>,
        limit: f32,
        kept: Option<&mut Option<Self::Kept<S>>>,
    ) -> (u32, [f32; WIDTH]) {
        let _ = (simd, kept);
        one_by_one(self, sides, opened, other, limit)
    }

    /// Those of the slots of a node of one side that a closer look does not show to be beyond the limit of an item of the other
    /// side, to whose box its children have just been compared.
    #[inline(always)]
    fn sifted<S: Simd>(
        &self,
        simd: S,
        sides: [&Side<'_, K>; 2],
        opened: Opened<'_, K::Vector>,
        (slots, item): (u32, u32),
        limit: f64,
        kept: &mut Option<Self::Kept<S>>,
    ) -> u32 {
        let _ = (simd, sides, opened, item, limit, kept);
        slots
    }
}

/// The same without lanes, for views whose units are those of the shapes.
pub(crate) fn one_by_one<K: Kernels>(
    view: &(impl View<K> + ?Sized),
    sides: [&Side<'_, K>; 2],
    Opened { side, node, .. }: Opened<'_, K::Vector>,
    other: &Boxed<'_, K::Vector>,
    limit: f32,
) -> (u32, [f32; WIDTH]) {
    let (mut met, mut lower) = (0, [0.0; WIDTH]);
    let other = sides[1 - (side & 1)].bounds(other);
    for slot in Node::<K::Vector>::slots(node.boxed) {
        let bounds = sides[side & 1].bounds_in(node, slot);
        let found = if side == 0 {
            view.bound(&bounds, &other, f64::from(limit))
        } else {
            view.bound(&other, &bounds, f64::from(limit))
        };
        if let Some(found) = found {
            met |= 1 << slot;
            lower[slot % WIDTH] = f32::from_f64_down(found);
        }
    }
    (met, lower)
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
        // A square beyond the range of `f32` is no less than its largest number.
        f64::from(lower.max_of(0.0).min_of(f32::MAX)).sqrt() / self.sights[side & 1].unit - self.radius
    }

    type Kept<S: Simd> = Block<S>;

    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        sides: [&Side<'_, K>; 2],
        opened: Opened<'_, K::Vector>,
        other: &Boxed<'_, K::Vector>,
        limit: f32,
        kept: Option<&mut Option<Block<S>>>,
    ) -> (u32, [f32; WIDTH]) {
        if self.plane.is_some() {
            return one_by_one(self, sides, opened, other, limit);
        }
        let Opened { side, node, link } = opened;
        let (sight, there) = (&self.sights[side & 1], &self.sights[1 - (side & 1)]);
        let lower = if let (Some(kept), Some(holder)) = (kept, other.node)
            && let nodes = [(node, link), (holder, other.link)]
            && let Some(block) = Block::of(simd, side, &self.sights, nodes, kept)
        {
            let other = (holder, other.slot);
            if self.has_depths {
                block.squared_distances::<true, _>(simd, node, other)
            } else {
                block.squared_distances::<false, _>(simd, node, other)
            }
        } else {
            let slot = other.node.map(|holder| (holder, other.slot));
            let bounds = || sides[1 - (side & 1)].bounds(other);
            if self.has_depths {
                sight.squared_distances::<true, S>(simd, node, (there, slot), bounds)
            } else {
                sight.squared_distances::<false, S>(simd, node, (there, slot), bounds)
            }
        };
        (lower.simd_le(limit).to_bitmask() as u32, *lower.as_array())
    }

    #[inline(always)]
    fn sifted<S: Simd>(
        &self,
        simd: S,
        sides: [&Side<'_, K>; 2],
        opened: Opened<'_, K::Vector>,
        (slots, item): (u32, u32),
        limit: f64,
        kept: &mut Option<Block<S>>,
    ) -> u32 {
        let Opened { side, node, link } = opened;
        let (own, other, place) = (sides[side & 1], sides[1 - (side & 1)], &self.places[side & 1]);
        let Some(block) = kept else { return slots };
        let Some(eight) = block.triangles_of(side, link) else { return slots };
        if eight.is_empty() {
            let held = u32::from(node.items & node.boxed);
            let Some(first) = Slots(held).next() else { return slots };
            // Lanes without an item have that of another one.
            let mut items = [node.links[first % WIDTH]; WIDTH];
            for slot in Slots(held) {
                items[slot % WIDTH] = node.links[slot % WIDTH];
            }
            let unit = own.unit * WHOLE_TREE;
            if let Some((rows, factor)) = own.rows(&items) {
                eight.fill_from(simd, held, &rows, (factor, unit));
            } else if let Some(triangles) = own.triangles(&items) {
                eight.fill(simd, held, &triangles, unit);
            } else {
                return slots;
            }
        }
        let Some([[p, q, r]]) = other.triangles(&[item]) else { return slots };
        let corners = [place.point(p), place.point(q), place.point(r)];
        eight.near(simd, slots, corners, limit + self.rounding)
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
