//! The parts of a shape that are near another one, kept while that moves about among them.
//!
//! What moves over a landscape meets the same few triangles for some steps. A cache holds all parts whose boxes meet a
//! box around the other shape, in the frame of the parts, larger than needed. While the other shape, and as much around it
//! as is asked about, stay within that box, no part is missing, and the tree need not be descended. Each part is
//! measured anew, so that the answers are those of the tree.
//!
//! A list is worth its while as long as it is short: where there are more than [`MOST`] parts, the tree is asked.

use super::descent::{Side, gap_of_boxes};
use super::pair::Both;
use super::view::carried;
use super::walk::contains_some;
use super::{Kernels, Parts};
use crate::bound::{Aabb, Frame};
use carom_math::{Number, Vector};
use core::ops::ControlFlow;

/// The most parts that are kept: 56 bytes each in space. Half as many send bodies of the size of a few triangles to the
/// tree; with twice as many the boxes take as long as that.
const MOST: usize = 48;

/// How far the box reaches beyond what is needed, relative to the size of the other shape.
const SPREAD: f64 = 1.0;

/// Remembers which parts of a shape are near another one, from one question about the pair to the next: see
/// `manifolds_cached` and `clearance_cached`. It is of use for one shape with parts and one without, and belongs to the
/// former: asked about another one it begins anew. Empty at first.
///
/// # Example
/// ```
/// use carom_geometry::PartCache;
/// use carom_geometry::d3::{Cuboid, HeightField, manifolds, manifolds_cached};
/// let floor = HeightField::new([[0.0; 9]; 9], [1.0, 1.0])?;
/// let (crate_, here) = (Cuboid::new([0.5, 0.5, 0.5])?, [0.0, 0.0, 0.0]);
/// let (mut cache, mut found, mut anew) = (PartCache::default(), Vec::new(), Vec::new());
/// for step in 0..100 {
///     let at = [1.0 + 0.01 * f64::from(step), 0.5, 4.0];
///     manifolds_cached(&floor, here, &crate_, at, 0.01, &mut cache, &mut found)?;
///     manifolds(&floor, here, &crate_, at, 0.01, &mut anew)?;
///     assert_eq!(found, anew);
/// }
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartCache<V: Vector<Scalar = f64>> {
    /// What is inside has its parts in the list; in the frame of the shape with parts.
    within: Aabb<V>,
    /// With their boxes.
    parts: Vec<(u32, Aabb<V>)>,
    /// There are too many.
    is_crowded: bool,
    /// Whose parts they are.
    owner: Owner<V>,
}

/// What is known of a shape: where its tree is in memory, how many parts it has, its scale, and the box around it. A tree that took the
/// place of another one is not taken for that unless it is of the same kind in all else.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Owner<V: Vector<Scalar = f64>> {
    place: usize,
    count: u32,
    factor: f64,
    bounds: Aabb<V>,
}

impl<V: Vector<Scalar = f64>> Owner<V> {
    fn of<K: Kernels<Vector = V>>(parts: &dyn Parts<K>) -> Self {
        let (tree, count, factor) = (parts.tree(), parts.count(), parts.factor());
        Owner { place: tree.view().nodes.as_ptr() as usize, count, factor, bounds: tree.bounds() }
    }
}

impl<V: Vector<Scalar = f64>> Default for PartCache<V> {
    fn default() -> Self {
        let owner = Owner { place: 0, count: 0, factor: 0.0, bounds: Aabb::empty() };
        PartCache { within: Aabb::empty(), parts: Vec::new(), is_crowded: false, owner }
    }
}

impl<V: Vector<Scalar = f64>> PartCache<V> {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.within = Aabb::empty();
        self.parts.clear();
        self.is_crowded = false;
    }
}

/// A box around a shape without parts, in the frame of one that has some.
pub(crate) struct Guest<V: Vector<Scalar = f64>> {
    /// Around what is left when the radius is taken off.
    core: Aabb<V>,
    radius: f64,
    /// What boxes may be off by.
    slack: f64,
}

impl<V: Vector<Scalar = f64, Wide = V>> Guest<V> {
    /// `None` when it is not the first shape, and that alone, that has parts.
    pub(crate) fn new<K: Kernels<Vector = V>>(both: &Both<'_, K>) -> Option<Self> {
        let [a, b] = both.shapes;
        if K::parts(a).is_none() || K::parts(b).is_some() || K::plane(b).is_some() {
            return None;
        }
        let (own, radius) = K::core_bounds(b);
        let (middle, reach, doubt) = carried::<K>(&both.place, &own);
        let core = Aabb { min: middle - reach, max: middle + reach };
        Some(Guest { core, radius, slack: both.slack() + doubt })
    }

    /// A lower bound on the distance of a box, up to `slack`.
    #[inline]
    pub(crate) fn gap(&self, bounds: &Aabb<V>) -> f64 {
        gap_of_boxes(bounds, &self.core) - self.radius
    }

    /// Whether a box is farther away than `limit` along an axis: most are, and no root is taken to know it.
    #[inline]
    pub(crate) fn is_beyond(&self, bounds: &Aabb<V>, limit: f64) -> bool {
        let apart = (bounds.min - self.core.max).max_by_axis(self.core.min - bounds.max);
        let most = (1..V::DIM).fold(apart.get(0), |most, axis| apart.get(axis).max_of(most));
        limit < most - self.radius
    }

    /// All that is within `limit`.
    fn reach(&self, limit: f64) -> Aabb<V> {
        self.core.grown(self.radius + self.slack + limit)
    }

    fn size(&self) -> f64 {
        (self.core.max - self.core.min).max_abs() * 0.5 + self.radius
    }
}

impl<V: Vector<Scalar = f64, Wide = V>> PartCache<V> {
    /// The parts within `limit` of the second shape, and more; `None` when the tree must tell.
    pub(crate) fn around<K: Kernels<Vector = V>>(
        &mut self,
        both: &Both<'_, K>,
        guest: &Guest<V>,
        limit: f64,
    ) -> Option<&[(u32, Aabb<V>)]> {
        let parts = K::parts(both.shapes[0])?;
        if !self.is_of(parts) || !self.within.contains_box(guest.reach(limit)) {
            self.fill(parts, guest.reach(limit + SPREAD * guest.size()));
        }
        (!self.is_crowded).then_some(&self.parts)
    }

    /// A lower bound on the distance of the shapes, up to `limit`; see [`Both::clearance`].
    ///
    /// All other parts are beyond the box, so that the least room to its faces bounds their distance. Where that is
    /// little and the list has nothing nearer, the tree knows better.
    pub(crate) fn clearance<K: Kernels<Vector = V>>(
        &mut self,
        both: Both<'_, K>,
        guest: &Guest<V>,
        limit: f64,
    ) -> f64 {
        let Some(parts) = K::parts(both.shapes[0]) else { return both.clearance(limit) };
        let enough = SPREAD * guest.size();
        if self.is_of(parts) && !self.is_crowded {
            let mut room = self.room(guest);
            // What was near parts before is near others now.
            if room <= 0.0 && !self.parts.is_empty() {
                self.fill(parts, guest.reach(enough));
                room = self.room(guest);
            }
            if 0.0 < room && !self.is_crowded {
                let room = room.min_of(limit);
                let least = self.least_gap(&both, guest, room);
                if least < room || 0.5 * enough < room {
                    return least;
                }
            }
        }
        let least = both.clearance(limit);
        if least < enough {
            // It will be asked about again before long.
            self.around(&both, guest, 0.0);
        }
        least
    }

    /// How far the second shape is from leaving the box: all other parts are farther away.
    fn room(&self, guest: &Guest<V>) -> f64 {
        let reach = guest.reach(0.0);
        let room = (reach.min - self.within.min).min_by_axis(self.within.max - reach.max);
        (1..V::DIM).fold(room.get(0), |least, axis| room.get(axis).min_of(least))
    }

    /// A lower bound on the distance of the shapes as far as the list tells, up to `limit`.
    fn least_gap<K: Kernels<Vector = V>>(&self, both: &Both<'_, K>, guest: &Guest<V>, limit: f64) -> f64 {
        let ([a, b], place, slack) = (both.shapes, &both.place, guest.slack);
        let Some(parts) = K::parts(a) else { return 0.0 };
        let mut least = limit;
        for (index, bounds) in &self.parts {
            if guest.is_beyond(bounds, least + slack) {
                continue;
            }
            let lower = guest.gap(bounds) - slack;
            if least <= lower {
                continue;
            }
            let part = parts.part(*index);
            let glance =
                if part.local.is_none() { K::gap_at_a_glance(&part.shape, b, place) - slack } else { 0.0 };
            least = glance.max_of(lower).min_of(least);
            if least <= 0.0 {
                return 0.0;
            }
        }
        if contains_some::<K>(parts, b, place) { 0.0 } else { least }
    }

    fn is_of<K: Kernels<Vector = V>>(&self, parts: &dyn Parts<K>) -> bool {
        self.owner == Owner::of(parts)
    }

    fn fill<K: Kernels<Vector = V>>(&mut self, parts: &dyn Parts<K>, within: Aabb<V>) {
        self.clear();
        self.within = within;
        self.owner = Owner::of(parts);
        let Self { parts: list, is_crowded, .. } = self;
        let found = Side::of_parts(parts).visit_overlapping(&within, &mut |index| {
            let part = parts.part(index);
            // Whose box takes long, and which has parts of its own.
            if MOST <= list.len() || K::parts(&part.shape).is_some() {
                return ControlFlow::Break(());
            }
            let (core, radius) = K::core_bounds(&part.shape);
            let bounds = part.local.map_or(core, |local| Frame::of(&K::place_of(local)).placed(core));
            let bounds = if radius > 0.0 { bounds.grown(radius) } else { bounds };
            if bounds.overlaps(within) {
                list.push((index, bounds));
            }
            ControlFlow::Continue(())
        });
        *is_crowded = found.is_break();
    }
}
