//! Concave outlines: simple polygons with an inside.
//!
//! The line-intersection technique: every edge of one outline against every edge of the other. It serves
//! concave shapes as they are, without decomposing them; a tree over the edges takes the n² out of it, and
//! exact predicates take the doubt out of touching. What remains is the outline that lies wholly inside
//! another, where no edges meet: one point in polygon decides that.
//!
//! Numbers are held in `f64` whatever the number type of the caller, so that an outline of `f32` is
//! widened by sharing it.

mod edges;
mod pair;
mod parts;
mod point;
mod predicate;
mod ray;
mod signed_distance;

pub(crate) use edges::Edges;
pub use pair::{OutlineRelation, outlines_intersect, relate_outlines};
pub use signed_distance::SignedDistance;

use super::shape::Shape;
use crate::bound::{Aabb, Bounded, Frame};
use crate::composite::tree::PartTree;
use crate::error::finite_vector;
use crate::shape::{Resize, Twin, Widen, lends_twin};
use crate::{Error, scale};
use carom_math::{Real, Vec2, Vector};
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

/// A simple polygon with its inside, convex or not, in its own frame.
///
/// *Simple*: edges share no points but the common corner of neighbours. The corners may be given in
/// either winding. A corner that repeats the one before is dropped, and so is a last one that repeats the
/// first; edge `i` runs from `points()[i]` to the next of the points that are kept. Cheap to clone: clones
/// share their points and the tree over their edges.
///
/// # Example
/// ```
/// use carom_geometry::d2::Outline;
/// let corner = Outline::new([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]])?;
/// assert_eq!(corner.area()?, 3.0);
/// assert!(corner.contains_point([0.0, 0.0], [0.5, 1.5])?);
/// assert!(!corner.contains_point([0.0, 0.0], [1.5, 1.5])?);
/// // Moved by (10, 0), the point (11, 1) is its inner corner.
/// assert!(corner.contains_point([10.0, 0.0], [11.0, 1.0])?);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct Outline<T> {
    edges: Arc<Edges>,
    parts: Arc<PartTree<Vec2<f64>>>,
    twin: Twin<Shape<f64>>,
    number: PhantomData<T>,
}

impl<T: Real> Outline<T> {
    /// The outline with these corners, in either winding. O(n log n).
    ///
    /// # Errors
    /// - [`Error::NotFinite`] when a coordinate is;
    /// - [`Error::TooFewPoints`] when fewer than three are left without the repeated ones;
    /// - [`Error::Collapsed`] when they all lie on one line;
    /// - [`Error::NotSimple`] when edges meet that must not, decided exactly. The indices are those of the
    ///   given points at which the edges begin, and the pair is the lowest one.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{Error, d2::Outline};
    /// let bow_tie = Outline::new([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
    /// assert_eq!(bow_tie, Err(Error::NotSimple { what: "outline", first: 0, second: 2 }));
    /// ```
    pub fn new(points: impl IntoIterator<Item = impl Into<Vec2<T>>>) -> Result<Self, Error> {
        let mut wide = Vec::new();
        for point in points {
            wide.push(finite_vector("points", point.into())?.widen());
        }
        Self::from_edges(Edges::new("outline", &wide)?.0)
    }

    fn from_edges(edges: Edges) -> Result<Self, Error> {
        let count = edges.points().len();
        let boxes: Vec<_> = (0..count).map(|index| edges.bounds_of_edge(index)).collect();
        let Some(parts) = PartTree::build(&boxes) else {
            return Err(Error::TooFewPoints { what: "outline", least: 3, count });
        };
        let (edges, parts) = (Arc::new(edges), Arc::new(parts));
        Ok(Outline { edges, parts, twin: Twin::NONE, number: PhantomData }.with_twin())
    }

    /// The corners that were kept, in the order given.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec2<T>> + Clone + '_ {
        self.edges.points().iter().map(|&point| Vec2::narrow(point))
    }

    /// How many edges there are, which is how many corners.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.points().len()
    }

    /// The two ends of an edge; indices beyond the last wrap around.
    #[must_use]
    pub fn edge(&self, index: usize) -> [Vec2<T>; 2] {
        self.edges.edge(index % self.edge_count()).map(Vec2::narrow)
    }

    /// Whether the corners run counter-clockwise. Exact.
    #[must_use]
    pub fn is_counter_clockwise(&self) -> bool {
        self.edges.is_counter_clockwise()
    }

    /// The area: half the sum of (pᵢ − p₀) × (pᵢ₊₁ − p₀), taken positive. Each term adds a few roundings
    /// relative to itself.
    ///
    /// # Errors
    /// [`Error::Overflow`] when it is too large for the number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Outline;
    /// let clockwise = Outline::new([[0.0, 0.0], [0.0, 3.0], [4.0, 0.0]])?;
    /// assert_eq!((clockwise.area()?, clockwise.perimeter()?), (6.0, 12.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn area(&self) -> Result<T, Error> {
        let (edges, factor) = self.edges.tamed();
        let first = edges.points()[0];
        let mut twice = 0.0;
        for index in 1..edges.points().len() {
            let [a, b] = edges.edge(index);
            twice += (a - first).cross(b - first);
        }
        self.narrowed("the area", twice.abs() * 0.5 / factor / factor)
    }

    /// The sum of the lengths of the edges.
    ///
    /// # Errors
    /// [`Error::Overflow`] when it is too large for the number type.
    pub fn perimeter(&self) -> Result<T, Error> {
        let (edges, factor) = self.edges.tamed();
        let length_of = |index| {
            let [a, b] = edges.edge(index);
            Vector::length(b - a)
        };
        let sum = (0..edges.points().len()).map(length_of).fold(0.0, |sum, length| sum + length);
        self.narrowed("the perimeter", sum / factor)
    }

    fn narrowed(&self, what: &'static str, value: f64) -> Result<T, Error> {
        let narrow = T::from_f64(value);
        if narrow.finite() { Ok(narrow) } else { Err(Error::Overflow { what, number: T::NAME }) }
    }
}

/// Equal corners in the same order.
impl<T> PartialEq for Outline<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.edges, &other.edges) || self.edges.points() == other.edges.points()
    }
}

impl<T: Real> fmt::Debug for Outline<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outline ")?;
        f.debug_list().entries(self.points().map(|point| (point.x, point.y))).finish()
    }
}

lends_twin!(Outline, Shape<f64>);

impl<T: Real> Widen for Outline<T> {
    type Wide = Outline<f64>;
    fn widen(&self) -> Outline<f64> {
        let (edges, parts) = (Arc::clone(&self.edges), Arc::clone(&self.parts));
        Outline { edges, parts, twin: Twin::NONE, number: PhantomData }
    }
}

impl Resize for Outline<f64> {
    fn size(&self) -> f64 {
        self.edges.size()
    }
    fn resized(&self, factor: f64) -> Self {
        // There are as many edges as before.
        Self::from_edges(self.edges.scaled(factor)).unwrap_or_else(|_| self.clone())
    }
}

impl Bounded<Vec2<f64>> for Outline<f64> {
    fn bounds(&self, frame: &Frame<Vec2<f64>>) -> Aabb<Vec2<f64>> {
        let placed = self.edges.points().iter().map(|&point| frame.placed_point(point));
        placed.fold(Aabb::empty(), Aabb::merged)
    }
}

/// The factor by which a problem with these lengths is multiplied to keep products in range.
fn taming<const N: usize>(sizes: [f64; N]) -> f64 {
    scale::rescaling(scale::largest(sizes)).unwrap_or(1.0)
}
