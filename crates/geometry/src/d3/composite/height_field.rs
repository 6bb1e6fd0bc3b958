//! Height fields: a grid of heights, whose triangles are made when they are asked for.

use super::super::mesh::side_of_plane;
use super::super::shape::{Shape, Triangle};
use super::Space;
use super::facets::triangle_facet;
use crate::Error;
use crate::bound::{Aabb, Bounded, Frame};
use crate::cast::span::Passage;
use crate::composite::facet::{Facet, Fold};
use crate::composite::tree::PartTree;
use crate::composite::{Part, Parts};
use crate::error::{finite, not_negative};
use crate::shape::{Resize, Twin, Widen, lends_twin};
use carom_math::{Real, Vec3, Vector, power_of_two};
use core::fmt;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::Arc;

type Point = Vec3<f64>;

/// An item of the tree has this many cells along each side: eight triangles, whose boxes cost a few comparisons each and no memory, where the
/// tree has 11 bytes a cell. With four cells along each side, and 3 bytes, questions took a tenth to a third longer.
const BLOCK: usize = 2;

/// A thin surface over a grid in the plane of x and z: row r and column c are at x = c·spacing\[0\] and
/// z = r·spacing\[1\], at the height y that is given.
///
/// A cell between four heights is two triangles, split from its corner (r, c) to (r + 1, c + 1). With n cells a
/// row, cell (r, c) has the parts 2·(r·n + c), on the side of row r + 1, and the one after that. Cells may be
/// missing. Cheap to clone; holds one number a height, and a small tree.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Ball, HeightField, distance};
/// let valley = HeightField::new([[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]], [2.0, 5.0])?;
/// let above = distance(&valley, [0.0, 0.0, 0.0], &Ball::new(0.5)?, [2.0, 5.5, 2.0])?;
/// assert!(4.0 < above.distance && above.distance < 5.0);
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
    grid: Grid,
    /// The cells at which the blocks begin, which are the items of the tree.
    blocks: Vec<[usize; 2]>,
    tree: PartTree<Point>,
    /// A corner of each connected piece.
    anchors: Vec<[usize; 2]>,
}

#[derive(Clone, PartialEq)]
struct Grid {
    heights: Vec<f64>,
    columns: usize,
    spacing: [f64; 2],
    /// Cells that do not exist; empty when all do.
    missing: Vec<bool>,
}

impl<T: Real> HeightField<T> {
    /// The surface over these rows of heights.
    ///
    /// # Errors
    /// - [`Error::NotFinite`] when a number is; [`Error::Negative`] when a spacing is; [`Error::Collapsed`] when
    ///   one is zero;
    /// - [`Error::UnevenRows`] when the rows are not equally long;
    /// - [`Error::TooFewPoints`] when there are fewer than two rows or columns;
    /// - [`Error::Overflow`] when a corner is out of range.
    pub fn new(
        heights: impl IntoIterator<Item = impl IntoIterator<Item = T>>,
        spacing: [T; 2],
    ) -> Result<Self, Error> {
        let mut wide = Vec::new();
        let (mut rows, mut columns) = (0, 0);
        for row in heights {
            let before = wide.len();
            for height in row {
                wide.push(finite("heights", height)?.to_f64());
            }
            let count = wide.len() - before;
            if rows == 0 {
                columns = count;
            } else if count != columns {
                return Err(Error::UnevenRows { what: "heights", row: rows, expected: columns, count });
            }
            rows += 1;
        }
        let least = rows.min(columns);
        if least < 2 {
            return Err(Error::TooFewPoints { what: "a side of the height field", least: 2, count: least });
        }
        let mut wide_spacing = [0.0; 2];
        for (place, length) in wide_spacing.iter_mut().zip(spacing) {
            *place = not_negative("spacing", length)?.to_f64();
            if *place == 0.0 {
                return Err(Error::Collapsed { what: "a cell of the height field, whose spacing is zero," });
            }
        }
        Self::from_grid(Grid { heights: wide, columns, spacing: wide_spacing, missing: Vec::new() }, 1.0)
    }

    /// The same without some cells, given by row and column.
    ///
    /// # Errors
    /// [`Error::NoSuchIndex`] when a cell does not exist, [`Error::TooFewPoints`] when none is left.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Ball, HeightField, intersects};
    /// let flat = HeightField::new([[0.0; 4]; 4], [1.0, 1.0])?;
    /// let holed = flat.without_cells([[1, 1]])?;
    /// let (marble, above) = (Ball::new(0.25)?, [1.5, 0.0, 1.5]);
    /// assert!(intersects(&flat, [0.0, 0.0, 0.0], &marble, above)?);
    /// assert!(!intersects(&holed, [0.0, 0.0, 0.0], &marble, above)?);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn without_cells(&self, cells: impl IntoIterator<Item = [usize; 2]>) -> Result<Self, Error> {
        let mut grid = self.data.grid.clone();
        let [rows, columns] = grid.cells();
        grid.missing.resize(rows * columns, false);
        for [row, column] in cells {
            if rows <= row {
                return Err(Error::NoSuchIndex { what: "the row of a cell", index: row, count: rows });
            }
            if columns <= column {
                return Err(Error::NoSuchIndex {
                    what: "the column of a cell",
                    index: column,
                    count: columns,
                });
            }
            grid.missing[row * columns + column] = true;
        }
        Self::from_grid(grid, self.factor)
    }

    fn from_grid(grid: Grid, factor: f64) -> Result<Self, Error> {
        let [rows, columns] = grid.cells();
        if u32::try_from(rows.saturating_mul(columns).saturating_mul(2)).is_err() {
            return Err(Error::Overflow { what: "the number of triangles", number: "u32" });
        }
        let (mut blocks, mut boxes) = (Vec::new(), Vec::new());
        for row in (0..rows).step_by(BLOCK) {
            for column in (0..columns).step_by(BLOCK) {
                let mut bounds = Aabb::<Point>::empty();
                let _ = grid.visit_block([row, column], &mut |[row, column]| {
                    for corner in [[row, column], [row, column + 1], [row + 1, column], [row + 1, column + 1]]
                    {
                        bounds = bounds.merged_with(grid.corner(corner));
                    }
                    ControlFlow::Continue(())
                });
                if !bounds.is_empty() {
                    blocks.push([row, column]);
                    boxes.push(bounds);
                }
            }
        }
        let Some(tree) = PartTree::build(&boxes) else {
            return Err(Error::TooFewPoints { what: "a height field without cells", least: 1, count: 0 });
        };
        // Corners are told in the number type of the field.
        if !T::from_f64(tree.size()).finite() {
            return Err(Error::Overflow { what: "the size of the height field", number: T::NAME });
        }
        let anchors = grid.anchors();
        let data = Arc::new(Data { grid, blocks, tree, anchors });
        Ok(HeightField { data, factor, twin: Twin::NONE, number: PhantomData }.with_twin())
    }

    /// How many rows and columns of cells there are: one less than of heights.
    #[must_use]
    pub fn cells(&self) -> [usize; 2] {
        self.data.grid.cells()
    }

    /// Whether a cell exists and is not missing.
    #[must_use]
    pub fn has_cell(&self, row: usize, column: usize) -> bool {
        self.data.grid.has([row, column])
    }

    /// The corner at a row and a column of heights; `None` when there is none.
    #[must_use]
    pub fn corner(&self, row: usize, column: usize) -> Option<Vec3<T>> {
        let grid = &self.data.grid;
        let exists = column < grid.columns && row < grid.heights.len() / grid.columns;
        exists.then(|| Vec3::narrow(grid.corner([row, column]) * self.factor))
    }

    /// A triangle by the number of the part; `None` when its cell is missing or does not exist.
    #[must_use]
    pub fn triangle(&self, part: u32) -> Option<Triangle<T>> {
        let (cell, second) = self.data.grid.cell_of(part);
        let [a, b, c] = self.data.grid.triangle(cell, second).filter(|_| self.data.grid.has(cell))?;
        let narrow = |point: Point| Vec3::narrow(point * self.factor);
        Triangle::new(narrow(a), narrow(b), narrow(c)).ok()
    }
}

impl Grid {
    fn cells(&self) -> [usize; 2] {
        [self.heights.len() / self.columns - 1, self.columns - 1]
    }

    fn has(&self, [row, column]: [usize; 2]) -> bool {
        let [rows, columns] = self.cells();
        // Asked last: beyond the last one the number of a cell may be beyond all numbers.
        let is_missing = || self.missing.get(row * columns + column) == Some(&true);
        row < rows && column < columns && !is_missing()
    }

    /// A corner; the same bits for all cells around it.
    fn corner(&self, [row, column]: [usize; 2]) -> Point {
        let height = self.heights.get(row * self.columns + column).copied().unwrap_or(0.0);
        Vec3::new(column as f64 * self.spacing[0], height, row as f64 * self.spacing[1])
    }

    fn cell_of(&self, part: u32) -> ([usize; 2], bool) {
        let (cell, columns) = (part as usize / 2, self.columns - 1);
        ([cell / columns, cell % columns], part % 2 == 1)
    }

    fn corners_of([row, column]: [usize; 2], second: bool) -> [[usize; 2]; 3] {
        let diagonal = [[row, column], [row + 1, column + 1]];
        if second {
            [diagonal[0], diagonal[1], [row, column + 1]]
        } else {
            [diagonal[0], [row + 1, column], diagonal[1]]
        }
    }

    /// The corners of a triangle, counter-clockwise as seen from above.
    fn triangle(&self, cell: [usize; 2], second: bool) -> Option<[Point; 3]> {
        let [rows, columns] = self.cells();
        let exists = cell[0] < rows && cell[1] < columns;
        exists.then(|| Self::corners_of(cell, second).map(|corner| self.corner(corner)))
    }

    /// The corner across each edge of a triangle that has a neighbour there.
    fn across([row, column]: [usize; 2], second: bool) -> [Option<([usize; 2], [usize; 2])>; 3] {
        let (above, before) = (row.checked_sub(1), column.checked_sub(1));
        if second {
            [
                Some(([row, column], [row + 1, column])),
                Some(([row, column + 1], [row + 1, column + 2])),
                above.map(|above| ([above, column], [above, column])),
            ]
        } else {
            [
                before.map(|before| ([row, before], [row, before])),
                Some(([row + 1, column], [row + 2, column + 1])),
                Some(([row, column], [row, column + 1])),
            ]
        }
    }

    /// Visits the cells of a block that exist.
    fn visit_block(
        &self,
        [row, column]: [usize; 2],
        visit: &mut dyn FnMut([usize; 2]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for row in row..row + BLOCK {
            for column in column..column + BLOCK {
                if self.has([row, column]) {
                    visit([row, column])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A corner of each piece of cells that share sides.
    fn anchors(&self) -> Vec<[usize; 2]> {
        let [rows, columns] = self.cells();
        let mut seen = vec![false; rows * columns];
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for start in 0..seen.len() {
            let at = [start / columns, start % columns];
            if seen[start] || !self.has(at) {
                continue;
            }
            found.push(at);
            seen[start] = true;
            open.push(at);
            while let Some([row, column]) = open.pop() {
                let beside = [
                    [row.wrapping_sub(1), column],
                    [row + 1, column],
                    [row, column.wrapping_sub(1)],
                    [row, column + 1],
                ];
                for next in beside {
                    if self.has(next) && !seen[next[0] * columns + next[1]] {
                        seen[next[0] * columns + next[1]] = true;
                        open.push(next);
                    }
                }
            }
        }
        found
    }
}

impl HeightField<f64> {
    fn corners(&self, part: u32) -> [Point; 3] {
        let (cell, second) = self.data.grid.cell_of(part);
        Grid::corners_of(cell, second).map(|corner| self.data.grid.corner(corner) * self.factor)
    }

    /// Which of two height fields comes first by its numbers.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (a, b) = (&*self.data, &*other.data);
        if core::ptr::eq(a, b) {
            return crate::pair::order::before_number(self.factor, other.factor);
        }
        let by_count = |x: usize, y: usize| (x != y).then_some(x < y);
        let by_number = |x: &[f64], y: &[f64]| {
            x.iter().zip(y).find_map(|(x, y)| crate::pair::order::before_number(*x, *y))
        };
        by_count(a.grid.heights.len(), b.grid.heights.len())
            .or_else(|| by_count(a.grid.columns, b.grid.columns))
            .or_else(|| by_number(&a.grid.spacing, &b.grid.spacing))
            .or_else(|| by_number(&a.grid.heights, &b.grid.heights))
            .or_else(|| (a.grid.missing != b.grid.missing).then(|| a.grid.missing < b.grid.missing))
    }

    /// The corners of all cells.
    pub(crate) fn all_corners(&self) -> Vec<Point> {
        let grid = &self.data.grid;
        (0..grid.heights.len())
            .map(|index| grid.corner([index / grid.columns, index % grid.columns]) * self.factor)
            .collect()
    }
}

impl Parts<Space> for HeightField<f64> {
    fn tree(&self) -> &PartTree<Point> {
        &self.data.tree
    }
    fn factor(&self) -> f64 {
        self.factor
    }
    fn count(&self) -> u32 {
        let [rows, columns] = self.data.grid.cells();
        (2 * rows * columns) as u32
    }
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let grid = &self.data.grid;
        grid.visit_block(self.data.blocks[item as usize], &mut |[row, column]| {
            let first = 2 * (row * (grid.columns - 1) + column) as u32;
            visit(first)?;
            visit(first + 1)
        })
    }
    /// Seen from above a cell is a square with sides of 1, in cells, and the line passes it when its centre is no farther from the line, times the length
    /// of the direction, than the sum of half of the direction's components.
    fn visit_along(
        &self,
        item: u32,
        [origin, direction]: [Point; 2],
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let grid = &self.data.grid;
        let in_cells = |point: Point| {
            [point.x / (grid.spacing[0] * self.factor), point.z / (grid.spacing[1] * self.factor)]
        };
        let (from, along) = (in_cells(origin), in_cells(direction));
        let half = 0.5 * (along[0].abs() + along[1].abs());
        // So steep that it stays in its place by any rounding; its largest component is 2⁻³⁰ at least.
        let is_upright = half < power_of_two(-200);
        grid.visit_block(self.data.blocks[item as usize], &mut |[row, column]| {
            let center = [column as f64 + 0.5, row as f64 + 0.5];
            let away = [center[0] - from[0], center[1] - from[1]];
            // Some ten roundings of numbers of this size.
            let size = [center[0] + from[0].abs(), center[1] + from[1].abs()];
            let rounding = 32.0 * f64::EPSILON;
            let is_beside = if is_upright {
                0.5 + rounding * size[0] < away[0].abs() || 0.5 + rounding * size[1] < away[1].abs()
            } else {
                let doubt = rounding * (along[0].abs() * size[1] + along[1].abs() * size[0]);
                half + doubt < (along[0] * away[1] - along[1] * away[0]).abs()
            };
            // Where there are no such numbers, nothing is certain.
            if is_beside {
                return ControlFlow::Continue(());
            }
            let first = 2 * (row * (grid.columns - 1) + column) as u32;
            visit(first)?;
            visit(first + 1)
        })
    }
    fn part_bounds(&self, index: u32) -> Option<Aabb<Point>> {
        Some(self.corners(index).into_iter().fold(Aabb::empty(), Aabb::merged_with))
    }
    fn part(&self, index: u32) -> Part<'_, Space> {
        let triangle = Triangle::of_corners(self.corners(index));
        Part { shape: Cow::Owned(Shape::Triangle(triangle)), local: None, first: index }
    }
    fn facet(&self, index: u32) -> Option<Facet<Point>> {
        let grid = &self.data.grid;
        let (cell, second) = grid.cell_of(index);
        let corners = self.corners(index);
        let folds = Grid::across(cell, second).map(|across| {
            let (_, opposite) = across.filter(|(cell, _)| grid.has(*cell))?;
            let opposite = grid.corner(opposite) * self.factor;
            Some(Fold { opposite, height: side_of_plane(corners, opposite) })
        });
        triangle_facet(corners, folds, false)
    }
    #[inline]
    fn part_hit(
        &self,
        index: u32,
        [origin, direction]: [Point; 2],
        _: bool,
        _: f64,
    ) -> Option<(Passage<Point>, u32)> {
        Some((Space::first_hit_of_triangle(self.corners(index), origin, direction)?, index))
    }
    fn visit_anchors(&self, visit: &mut dyn FnMut(Point) -> ControlFlow<()>) -> ControlFlow<()> {
        self.data.anchors.iter().try_for_each(|&anchor| visit(self.data.grid.corner(anchor) * self.factor))
    }
}

/// Equal heights, spacings and missing cells.
impl<T> PartialEq for HeightField<T> {
    fn eq(&self, other: &Self) -> bool {
        self.factor == other.factor
            && (Arc::ptr_eq(&self.data, &other.data) || self.data.grid == other.data.grid)
    }
}

impl<T> fmt::Debug for HeightField<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grid = &self.data.grid;
        f.debug_struct("HeightField").field("cells", &grid.cells()).field("spacing", &grid.spacing).finish()
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
