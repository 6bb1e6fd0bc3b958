//! Height fields of the plane: a row of heights, whose segments are made when they are asked for.

use super::super::shape::{Segment, Shape};
use super::Plane;
use super::facets::segment_facet;
use crate::Error;
use crate::bound::{Aabb, Bounded, Frame};
use crate::composite::facet::Facet;
use crate::composite::tree::PartTree;
use crate::composite::{Part, Parts};
use crate::error::{finite, not_negative};
use crate::shape::{Resize, Twin, Widen, lends_twin};
use carom_math::{Real, Vec2, Vector};
use core::fmt;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::Arc;

type Point = Vec2<f64>;

/// A leaf of the tree has this many segments, whose boxes cost a few comparisons each and no memory.
const BLOCK: usize = 16;

/// A thin chain over a row of places on the x axis: the point at x = i·spacing has the height y that is given.
///
/// Part `i` is the segment from point `i` to the next. Segments may be missing. Cheap to clone.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Ball, HeightField, distance};
/// let steps = HeightField::new([0.0, 0.0, 1.0, 1.0], 2.0)?;
/// let found = distance(&steps, [0.0, 0.0], &Ball::new(0.5)?, [5.0, 4.0])?;
/// assert_eq!((found.distance, found.normal.y), (2.5, 1.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct HeightField<T> {
    data: Arc<Data>,
    /// All lengths are multiplied by this power of two.
    factor: f64,
    twin: Twin<Shape<f64>>,
    number: PhantomData<T>,
}

struct Data {
    row: Row,
    /// The segments at which the blocks begin, which are the items of the tree.
    blocks: Vec<usize>,
    tree: PartTree<Point>,
}

#[derive(Clone, PartialEq)]
struct Row {
    heights: Vec<f64>,
    spacing: f64,
    /// Segments that do not exist; empty when all do.
    missing: Vec<bool>,
}

impl<T: Real> HeightField<T> {
    /// The chain over these heights.
    ///
    /// # Errors
    /// - [`Error::NotFinite`] when a number is; [`Error::Negative`] when the spacing is; [`Error::Collapsed`]
    ///   when it is zero;
    /// - [`Error::TooFewPoints`] when there are fewer than two heights;
    /// - [`Error::Overflow`] when the last one is out of range.
    pub fn new(heights: impl IntoIterator<Item = T>, spacing: T) -> Result<Self, Error> {
        let mut wide = Vec::new();
        for height in heights {
            wide.push(finite("heights", height)?.to_f64());
        }
        if wide.len() < 2 {
            return Err(Error::TooFewPoints { what: "a height field", least: 2, count: wide.len() });
        }
        let spacing = not_negative("spacing", spacing)?.to_f64();
        if spacing == 0.0 {
            return Err(Error::Collapsed { what: "a cell of the height field, whose spacing is zero," });
        }
        Self::from_row(Row { heights: wide, spacing, missing: Vec::new() }, 1.0)
    }

    /// The same without some segments, given by their numbers.
    ///
    /// # Errors
    /// [`Error::NoSuchIndex`] when one does not exist, [`Error::TooFewPoints`] when none is left.
    pub fn without_cells(&self, cells: impl IntoIterator<Item = usize>) -> Result<Self, Error> {
        let mut row = self.data.row.clone();
        let count = row.heights.len() - 1;
        row.missing.resize(count, false);
        for index in cells {
            match row.missing.get_mut(index) {
                Some(place) => *place = true,
                None => return Err(Error::NoSuchIndex { what: "a cell", index, count }),
            }
        }
        Self::from_row(row, self.factor)
    }

    fn from_row(row: Row, factor: f64) -> Result<Self, Error> {
        let (mut blocks, mut boxes) = (Vec::new(), Vec::new());
        for start in (0..row.heights.len() - 1).step_by(BLOCK) {
            let mut bounds = Aabb::<Point>::empty();
            let _ = row.visit_block(start, &mut |index| {
                bounds = bounds.merged_with(row.point(index)).merged_with(row.point(index + 1));
                ControlFlow::Continue(())
            });
            if !bounds.is_empty() {
                blocks.push(start);
                boxes.push(bounds);
            }
        }
        let Some(tree) = PartTree::build(&boxes) else {
            return Err(Error::TooFewPoints { what: "a height field without cells", least: 1, count: 0 });
        };
        // Corners are told in the number type of the field.
        if !T::from_f64(tree.size()).finite() {
            return Err(Error::Overflow { what: "the size of the height field", number: T::NAME });
        }
        let data = Arc::new(Data { row, blocks, tree });
        Ok(HeightField { data, factor, twin: Twin::NONE, number: PhantomData }.with_twin())
    }

    /// How many segments there are, those that are missing included.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.data.row.heights.len() - 1
    }

    /// How far a point is from the one before, along x: as it was given.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::HeightField;
    /// let steps = HeightField::new([0.0, 0.0, 1.0, 1.0], 0.3_f32)?.without_cells([0])?;
    /// assert_eq!(steps.spacing(), 0.3);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn spacing(&self) -> T {
        T::from_f64(self.data.row.spacing * self.factor)
    }

    /// The point over a place of the row, also where the segments beside it are missing; `None` when there is none. Its x is
    /// infinite where no segment is and the row is longer than numbers of this type reach.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::HeightField;
    /// use carom_math::Vec2;
    /// let steps = HeightField::new([0.5, 0.0, 1.0, 1.0], 2.0)?.without_cells([0])?;
    /// assert_eq!(steps.corner(0), Some(Vec2::new(0.0, 0.5)));
    /// assert_eq!(steps.corner(2), Some(Vec2::new(4.0, 1.0)));
    /// assert_eq!(steps.corner(4), None);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn corner(&self, index: usize) -> Option<Vec2<T>> {
        let row = &self.data.row;
        (index < row.heights.len()).then(|| Vec2::narrow(row.point(index) * self.factor))
    }

    /// Whether a segment exists and is not missing.
    #[must_use]
    pub fn has_cell(&self, index: usize) -> bool {
        self.data.row.has(index)
    }

    /// A segment by its number; `None` when it is missing or does not exist.
    #[must_use]
    pub fn segment(&self, index: usize) -> Option<Segment<T>> {
        let narrow = |index| Vec2::narrow(self.data.row.point(index) * self.factor);
        if self.has_cell(index) { Segment::new(narrow(index), narrow(index + 1)).ok() } else { None }
    }
}

impl Row {
    fn has(&self, index: usize) -> bool {
        index < self.heights.len().saturating_sub(1) && self.missing.get(index) != Some(&true)
    }

    fn point(&self, index: usize) -> Point {
        Vec2::new(index as f64 * self.spacing, self.heights.get(index).copied().unwrap_or(0.0))
    }

    fn visit_block(&self, start: usize, visit: &mut dyn FnMut(usize) -> ControlFlow<()>) -> ControlFlow<()> {
        (start..start + BLOCK).filter(|&index| self.has(index)).try_for_each(visit)
    }
}

impl HeightField<f64> {
    fn point(&self, index: usize) -> Point {
        self.data.row.point(index) * self.factor
    }

    fn ends(&self, index: u32) -> [Point; 2] {
        [self.point(index as usize), self.point(index as usize + 1)]
    }

    /// Which of two height fields comes first by its numbers.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (a, b) = (&self.data.row, &other.data.row);
        if core::ptr::eq(a, b) {
            return crate::pair::order::before_number(self.factor, other.factor);
        }
        let by_count = (a.heights.len() != b.heights.len()).then_some(a.heights.len() < b.heights.len());
        by_count
            .or_else(|| crate::pair::order::before_number(a.spacing, b.spacing))
            .or_else(|| {
                let pairs = a.heights.iter().zip(&b.heights);
                pairs.map(|(x, y)| crate::pair::order::before_number(*x, *y)).find_map(|order| order)
            })
            .or_else(|| (a.missing != b.missing).then(|| a.missing < b.missing))
    }

    /// The points of all segments.
    pub(crate) fn all_points(&self) -> Vec<Point> {
        (0..self.data.row.heights.len()).map(|index| self.point(index)).collect()
    }
}

impl Parts<Plane> for HeightField<f64> {
    fn tree(&self) -> &PartTree<Point> {
        &self.data.tree
    }
    fn factor(&self) -> f64 {
        self.factor
    }
    fn count(&self) -> u32 {
        self.cells() as u32
    }
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.data.row.visit_block(self.data.blocks[item as usize], &mut |index| visit(index as u32))
    }
    fn part_bounds(&self, index: u32) -> Option<Aabb<Point>> {
        let [a, b] = self.ends(index);
        Some(Aabb { min: a.min_by_axis(b), max: a.max_by_axis(b) })
    }
    fn part(&self, index: u32) -> Part<'_, Plane> {
        let segment = Segment::of_ends(self.ends(index));
        Part { shape: Cow::Owned(Shape::Segment(segment)), local: None, first: index }
    }
    fn facet(&self, index: u32) -> Option<Facet<Point>> {
        let (at, row) = (index as usize, &self.data.row);
        let before = at.checked_sub(1).filter(|&before| row.has(before)).map(|before| self.point(before));
        let after = row.has(at + 1).then(|| self.point(at + 2));
        segment_facet(self.ends(index), [before, after], false, false)
    }
    /// The first point of each run of segments.
    fn visit_anchors(&self, visit: &mut dyn FnMut(Point) -> ControlFlow<()>) -> ControlFlow<()> {
        let row = &self.data.row;
        let begins = |index: &usize| row.has(*index) && !(0 < *index && row.has(*index - 1));
        (0..self.cells()).filter(begins).try_for_each(|index| visit(self.point(index)))
    }
}

/// Equal heights, spacings and missing segments.
impl<T> PartialEq for HeightField<T> {
    fn eq(&self, other: &Self) -> bool {
        self.factor == other.factor
            && (Arc::ptr_eq(&self.data, &other.data) || self.data.row == other.data.row)
    }
}

impl<T> fmt::Debug for HeightField<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = &self.data.row;
        f.debug_struct("HeightField").field("heights", &row.heights).field("spacing", &row.spacing).finish()
    }
}

lends_twin!(HeightField, Shape<f64>);

impl<T: Real> Widen for HeightField<T> {
    type Wide = HeightField<f64>;
    fn widen(&self) -> HeightField<f64> {
        HeightField {
            data: Arc::clone(&self.data),
            factor: self.factor,
            twin: Twin::NONE,
            number: PhantomData,
        }
    }
}

impl Resize for HeightField<f64> {
    fn size(&self) -> f64 {
        self.data.tree.size() * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        HeightField { factor: self.factor * factor, ..self.widen() }
    }
}

impl Bounded<Point> for HeightField<f64> {
    fn bounds(&self, frame: &Frame<Point>) -> Aabb<Point> {
        let mut all = Aabb::empty();
        crate::composite::point::each_part(self, |part| all = all.merged(part.shape.bounds(frame)));
        all
    }
}
