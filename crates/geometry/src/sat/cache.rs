//! What one question about a pair leaves for the next.

use super::filter::SEEN;
use crate::gjk::Warm;
use carom_math::Vector;

/// What one question about a pair of shapes leaves for the next one, when they have moved a little.
///
/// Give it to `intersects_cached`, `distance_cached` and `contact_cached`, one cache for each pair of
/// shapes. No answer depends on it: a cache that is stale, or that belongs to another pair, costs time only.
/// Hulls and polygons of more than 32 corners, among themselves and with boxes, gain by it; other pairs are answered as
/// without it.
///
/// It holds directions in the frame of one of the shapes, so it stays useful when both move together.
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
        PairCache { simplex: Warm { directions: [V::ZERO; 4], count: 0 }, normal: None }
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
}
