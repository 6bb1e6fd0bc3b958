//! What one question about a pair leaves for the next.

use super::filter::SEEN;
use super::nearby::Nearby;
use super::{EdgeAxes, Overlap, Solid};
use crate::gjk::{Posed, Space, Warm};
use carom_math::Vector;

/// What one question about a pair of shapes leaves for the next one, when they have moved a little.
///
/// Give it to `intersects_cached`, `distance_cached` and `contact_cached`, one cache for each pair of
/// shapes. No answer depends on it by more than rounding: a cache that is stale, or that belongs to another pair, costs time only.
/// Hulls and polygons of more than 32 corners, among themselves and with boxes, gain by it; other pairs are answered as
/// without it.
///
/// It holds directions in the frame of one of the shapes, so it stays useful when both move together. What it holds about distances and
/// depths is proved, and how far the proofs reach is known: pairs that were apart by more than they moved since are apart, and a
/// surface between vertices shows which axis of an overlap is the least. It takes less than a kilobyte.
///
/// # Example
/// ```
/// use carom_geometry::d3::{ConvexHull, PairCache, contact, contact_cached};
/// let gem = ConvexHull::new([
///     [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0],
/// ])?;
/// let mut cache = PairCache::default();
/// for step in 0..20 {
///     let at = [0.1 * f64::from(step), 0.25, 0.125];
///     let found = contact_cached(&gem, [0.0, 0.0, 0.0], &gem, at, &mut cache)?;
///     assert_eq!(found, contact(&gem, [0.0, 0.0, 0.0], &gem, at)?);
/// }
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairCache<V> {
    /// Where the last simplex had its vertices.
    simplex: Warm<V>,
    /// The last normal, and what it meant.
    normal: Option<(V, Last)>,
    /// What was proved, and where.
    nearby: Nearby<V>,
}

/// What the last question found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    Apart,
    Overlapping(Option<Memory>),
}

/// Where the axis of the last overlap came from, and vertices that ruled out others. Only numbers: of
/// another pair they name other faces and vertices, or none, which is as right and less useful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(super) winner: Winner,
    pub(super) of_a: [u32; SEEN],
    pub(super) of_b: [u32; SEEN],
    pub(super) count_a: u8,
    pub(super) count_b: u8,
}

/// A face of either polytope, or an edge of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Winner {
    FaceOfA(u32),
    FaceOfB(u32),
    Edges(u32, u32),
}

impl<V: Vector<Scalar = f64>> Default for PairCache<V> {
    fn default() -> Self {
        PairCache {
            simplex: Warm { directions: [V::ZERO; 4], count: 0 },
            normal: None,
            nearby: Nearby::NOTHING,
        }
    }
}

impl<V: Vector<Scalar = f64>> PairCache<V> {
    pub(crate) fn warm(&self) -> Option<&Warm<V>> {
        (0 < self.simplex.count).then_some(&self.simplex)
    }

    pub(crate) fn normal(&self) -> Option<(V, Last)> {
        self.normal
    }

    pub(crate) fn keep_simplex(&mut self, simplex: Warm<V>) {
        self.simplex = simplex;
    }

    pub(crate) fn keep_normal(&mut self, normal: V, last: Last) {
        if normal != V::ZERO {
            self.normal = Some((normal, last));
        }
    }

    /// How deep they still overlap at least; negative when they are still at least so far apart, and 0 for what is not known.
    #[inline]
    pub(crate) fn depth<A: Solid<V>, B: Solid<V>>(&mut self, a: &A, b: &Posed<B, V>) -> f64 {
        self.nearby.depth(a, b)
    }

    /// They are at least so far apart, along this normal; nothing that is not positive is kept.
    pub(crate) fn keep_apart<B: Solid<V>>(&mut self, b: &Posed<B, V>, normal: V, gap: f64) {
        self.keep_normal(normal, Last::Apart);
        if 0.0 < gap {
            self.nearby.keep(b, -gap);
        }
    }

    /// The least overlap, if that can be told from what was proved when they were elsewhere.
    #[inline]
    pub(crate) fn overlap<'a, A: Solid<V>, B: Solid<V>>(
        &mut self,
        a: &'a A,
        b: &'a Posed<B, V>,
    ) -> Option<Overlap<'a, A, B, V>>
    where
        V: Space + EdgeAxes,
    {
        self.nearby.overlap(a, b)
    }

    /// They overlap like this, with this normal.
    pub(crate) fn keep_overlap<A: Solid<V>, B: Solid<V>>(&mut self, found: &Overlap<'_, A, B, V>, normal: V)
    where
        V: Space + EdgeAxes,
    {
        self.keep_normal(normal, Last::Overlapping(Some(found.memory())));
        self.nearby.watch(found);
    }
}
