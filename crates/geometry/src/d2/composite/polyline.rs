//! Polylines: chains of segments without an inside.

use super::super::shape::{Segment, Shape};
use super::Plane;
use super::facets::segment_facet;
use crate::Error;
use crate::bound::{Aabb, Bounded, Frame};
use crate::composite::facet::Facet;
use crate::composite::tree::PartTree;
use crate::composite::{Part, Parts};
use crate::error::finite_vector;
use crate::shape::{Resize, Twin, Widen, lends_twin};
use carom_math::{Real, Vec2, Vector};
use core::fmt;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::Arc;

type Point = Vec2<f64>;

/// A chain of segments, open or closed, thin and with two sides. It may touch and cross itself; for a simple
/// polygon with its inside see [`Outline`](super::super::Outline).
///
/// Part `i` is the segment from point `i` to the next. Cheap to clone: clones share everything.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Ball, Polyline, distance};
/// let ground = Polyline::new([[0.0, 0.0], [4.0, 0.0], [8.0, 3.0]])?;
/// let found = distance(&ground, [0.0, 0.0], &Ball::new(1.0)?, [2.0, 3.0])?;
/// assert_eq!((found.distance, found.normal.y), (2.0, 1.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct Polyline<T> {
    data: Arc<Data>,
    /// All coordinates are multiplied by this power of two.
    factor: f64,
    twin: Twin<Shape<f64>>,
    number: PhantomData<T>,
}

/// In `f64` and without the scale, whatever the number type of the caller.
struct Data {
    points: Vec<Point>,
    is_closed: bool,
    tree: PartTree<Point>,
}

impl<T: Real> Polyline<T> {
    /// The open chain through these points, of which neighbours may coincide. O(n log n).
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a coordinate is, [`Error::TooFewPoints`] when there are fewer than two.
    pub fn new(points: impl IntoIterator<Item = impl Into<Vec2<T>>>) -> Result<Self, Error> {
        Self::chain(points, false)
    }

    /// The chain that also has a segment from the last point to the first.
    ///
    /// # Errors
    /// As for [`Polyline::new`].
    pub fn closed(points: impl IntoIterator<Item = impl Into<Vec2<T>>>) -> Result<Self, Error> {
        Self::chain(points, true)
    }

    fn chain(points: impl IntoIterator<Item = impl Into<Vec2<T>>>, is_closed: bool) -> Result<Self, Error> {
        let mut wide = Vec::new();
        for point in points {
            wide.push(finite_vector("points", point.into())?.widen());
        }
        let count = wide.len();
        let segments = if is_closed { count } else { count.saturating_sub(1) };
        let boxes: Vec<_> = (0..segments)
            .map(|index| {
                Aabb::<Point>::empty().merged_with(wide[index]).merged_with(wide[(index + 1) % count])
            })
            .collect();
        let (Some(tree), true) = (PartTree::build(&boxes), 2 <= count) else {
            return Err(Error::TooFewPoints { what: "a polyline", least: 2, count });
        };
        let data = Arc::new(Data { points: wide, is_closed, tree });
        Ok(Polyline { data, factor: 1.0, twin: Twin::NONE, number: PhantomData }.with_twin())
    }

    /// The points, in the order given.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec2<T>> + Clone + '_ {
        self.data.points.iter().map(|&point| Vec2::narrow(point * self.factor))
    }

    /// Whether the last point is joined to the first.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.data.is_closed
    }

    fn point(&self, index: usize) -> Point {
        self.data.points[index % self.data.points.len()] * self.factor
    }
}

impl Polyline<f64> {
    /// Which of two polylines comes first by its numbers.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (a, b) = (&*self.data, &*other.data);
        if core::ptr::eq(a, b) {
            return crate::pair::order::before_number(self.factor, other.factor);
        }
        let by_count = (a.points.len() != b.points.len()).then_some(a.points.len() < b.points.len());
        by_count.or_else(|| (a.is_closed != b.is_closed).then_some(b.is_closed)).or_else(|| {
            a.points.iter().zip(&b.points).find_map(|(x, y)| crate::pair::order::before([*x], [*y]))
        })
    }

    fn ends(&self, index: u32) -> [Point; 2] {
        [self.point(index as usize), self.point(index as usize + 1)]
    }
}

impl Parts<Plane> for Polyline<f64> {
    fn tree(&self) -> &PartTree<Point> {
        &self.data.tree
    }
    fn factor(&self) -> f64 {
        self.factor
    }
    fn count(&self) -> u32 {
        self.data.tree.len()
    }
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        visit(item)
    }
    fn part(&self, index: u32) -> Part<'_, Plane> {
        let segment = Segment::of_ends(self.ends(index));
        Part { shape: Cow::Owned(Shape::Segment(segment)), local: None, first: index }
    }
    fn facet(&self, index: u32) -> Option<Facet<Point>> {
        let (at, count) = (index as usize, self.data.points.len());
        let wraps = self.data.is_closed;
        let before = (0 < at || wraps).then(|| self.point(at + count - 1));
        let after = (at + 2 < count || wraps).then(|| self.point(at + 2));
        segment_facet(self.ends(index), [before, after], false, false)
    }
    fn visit_anchors(&self, visit: &mut dyn FnMut(Point) -> ControlFlow<()>) -> ControlFlow<()> {
        visit(self.point(0))
    }
}

/// Equal points in the same order, and both closed or neither.
impl<T> PartialEq for Polyline<T> {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.data, &*other.data);
        let is_same = a.is_closed == b.is_closed && a.points == b.points;
        self.factor == other.factor && (core::ptr::eq(a, b) || is_same)
    }
}

impl<T: Real> fmt::Debug for Polyline<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.data.is_closed { "Polyline (closed) " } else { "Polyline " })?;
        f.debug_list().entries(self.points().map(|point| (point.x, point.y))).finish()
    }
}

lends_twin!(Polyline, Shape<f64>);

impl<T: Real> Widen for Polyline<T> {
    type Wide = Polyline<f64>;
    fn widen(&self) -> Polyline<f64> {
        Polyline { data: Arc::clone(&self.data), factor: self.factor, twin: Twin::NONE, number: PhantomData }
    }
}

impl Resize for Polyline<f64> {
    fn size(&self) -> f64 {
        self.data.tree.size() * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        Polyline { factor: self.factor * factor, ..self.widen() }
    }
}

impl Bounded<Point> for Polyline<f64> {
    fn bounds(&self, frame: &Frame<Point>) -> Aabb<Point> {
        self.points().fold(Aabb::empty(), |all, point| all.merged(frame.placed_point(point)))
    }
}
