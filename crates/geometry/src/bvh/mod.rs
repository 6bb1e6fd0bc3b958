//! Trees over boxes, generic over the dimension.
//!
//! A tree answers "which boxes" questions without looking at all of them: which overlap a box, which
//! pairs overlap, which a ray meets first, which is nearest. It knows boxes and their indices only; what
//! is inside a box is the business of the callbacks.
//!
//! | | for |
//! |---|---|
//! | [`Bvh`] | boxes that stay, or move all together: built once, refitted at times |
//! | [`DynamicBvh`] | boxes that come, go and move: a broad phase, with pairs of what moved |
//! | [`Index`] | your own things with a box each, without any shape |
//!
//! All have the same nodes: eight children with their boxes side by side, tested at once in the lanes
//! of the processor, in `f32` rounded outwards. Where boxes are `f64`, what passes is tested once more,
//! so answers are exact in both. They are the same whatever the processor and the number of threads.
//!
//! Degenerate input: boxes may be flat, points, unbounded or empty (a minimum above its maximum); a box
//! with a NaN overlaps nothing and spoils no other. Depth is O(log n) whatever the boxes are, 10⁴ equal ones
//! included. There may be 2³² − 1 items.

mod build;
mod change;
mod dynamic;
mod index;
mod many;
mod moves;
pub(crate) mod node;
mod pairs;
pub(crate) mod probe;
mod query;
mod record;
mod split;
pub(crate) mod stack;
pub(crate) mod view;
mod waiting;

pub use dynamic::DynamicBvh;
pub use index::{Entry, Index};
pub use pairs::PairParts;

pub(crate) use query::squared_distance_below;

use crate::bound::Aabb;
use build::Form;
use carom_math::Vector;
use node::{Frame, Node, Small};
use record::{Extent, Record};
use view::View;

/// A static tree over boxes.
///
/// Memory: a node of 256 bytes (192 in the plane) holds up to eight items, on average about six, which
/// makes some 50 bytes a box (40 in the plane); boxes in `f64` are kept beside it.
///
/// # Example
/// ```
/// use carom_geometry::bound::Aabb;
/// use carom_geometry::bvh::Bvh;
/// use carom_math::Vec2;
/// use std::ops::ControlFlow;
///
/// let unit_box_at = |x: f64| Aabb { min: Vec2::new(x, 0.0), max: Vec2::new(x + 1.0, 1.0) };
/// let tree = Bvh::build(&[unit_box_at(0.0), unit_box_at(5.0), unit_box_at(1.0)]);
/// let mut pairs = Vec::new();
/// let _ = tree.self_pairs(|i, j| {
///     pairs.push((i, j));
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(pairs, [(0, 2)]); // they share the side x = 1, and touching counts
/// ```
#[derive(Clone, Debug)]
pub struct Bvh<V: Vector> {
    nodes: Vec<Node<V>>,
    frame: Frame<V>,
    /// The boxes themselves, where nodes hold only enclosures.
    exact: Vec<Aabb<V>>,
    bounds: Aabb<V>,
    count: usize,
}

impl<V: Vector> Bvh<V> {
    /// The tree over the given boxes; item `i` is `boxes[i]`. No boxes give a tree that answers nothing.
    /// Many boxes are sorted by all threads at hand; the tree is the same for any number of them.
    #[must_use]
    pub fn build(boxes: &[Aabb<V>]) -> Self {
        let mut tree = Self::without_boxes(boxes);
        if !Frame::<V>::EXACT {
            tree.exact = boxes.to_vec();
        }
        if boxes.iter().any(|own| own.is_empty()) {
            // They were given a place among the others; now they get their own boxes.
            tree.refit(|item| boxes[item]);
        }
        tree
    }

    /// The same, none of which is empty, for walks that never ask for the boxes themselves.
    pub(crate) fn without_boxes(boxes: &[Aabb<V>]) -> Self {
        let bounds = around(boxes);
        let frame = Frame::around(bounds);
        let mut records = records(&frame, bounds, boxes.iter().enumerate().map(|(i, own)| (i as u32, *own)));
        let nodes = build::build(&mut records, Form::Free);
        Bvh { nodes, frame, exact: Vec::new(), bounds, count: boxes.len() }
    }

    /// The tree over items that are each the box around some of the points, given by their indices, which must exist.
    /// The same as over those boxes, but every point is rounded once only: rounding keeps the order, so the least of
    /// rounded numbers is the rounded least. The points must be finite.
    pub(crate) fn over_corners<const N: usize>(points: &[V], items: &[[u32; N]]) -> Self {
        let mut is_used = vec![false; points.len()];
        items.iter().flatten().for_each(|&index| is_used[index as usize] = true);
        let used = points.iter().zip(&is_used).filter(|(_, is_used)| **is_used);
        let bounds = used.fold(Aabb::empty(), |all: Aabb<V>, (point, _)| all.merged_with(*point));
        let frame = Frame::around(bounds);
        let rounded: Vec<Extent> = points.iter().map(|point| Extent::of(&frame.spot(*point))).collect();
        let records = items.iter().enumerate().map(|(item, corners)| {
            Record::around(item as u32, corners.iter().map(|&index| rounded[index as usize]))
        });
        let nodes = build::build(&mut records.collect::<Vec<_>>(), Form::Free);
        Bvh { nodes, frame, exact: Vec::new(), bounds, count: items.len() }
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no box at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The box around all boxes that are not empty, or `None` when there are no boxes.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb<V>> {
        (!self.is_empty()).then_some(self.bounds)
    }

    /// The longest way from the root to an item, in nodes: at most 3·⌈log₂ n⌉ + 1, and about a third of
    /// ⌈log₂ n⌉ where boxes are spread evenly.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut depths = vec![0_usize; self.nodes.len()];
        let mut deepest = 0;
        // Parents lie before their children.
        for (at, node) in self.nodes.iter().enumerate() {
            let depth = depths[at] + 1;
            deepest = deepest.max(depth);
            for slot in Node::<V>::slots(node.used & !node.items) {
                if let Some(below) = depths.get_mut(node.links[slot] as usize) {
                    *below = depth;
                }
            }
        }
        deepest
    }

    /// How many bytes the tree holds on the heap.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node<V>>() + self.exact.len() * size_of::<Aabb<V>>()
    }

    /// The same tree over boxes that moved: item `i` is now `bounds_of(i)`. O(n), and every query stays
    /// right; the tree gets slower when neighbours drift apart, and is as good as before when all boxes
    /// are moved together.
    #[must_use]
    pub fn refitted(&self, bounds_of: impl FnMut(usize) -> Aabb<V>) -> Self {
        let mut tree = self.clone();
        tree.refit(bounds_of);
        tree
    }

    /// [`refitted`](Self::refitted) in place, without allocating.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::Vec2;
    /// let unit_box_at = |x: f32| Aabb { min: Vec2::new(x, 0.0), max: Vec2::new(x + 1.0, 1.0) };
    /// let mut tree = Bvh::build(&[unit_box_at(0.0), unit_box_at(5.0)]);
    /// assert!(tree.all_pairs().is_empty());
    /// tree.refit(|item| unit_box_at(item as f32));
    /// assert_eq!(tree.all_pairs(), [[0, 1]]);
    /// ```
    pub fn refit(&mut self, mut bounds_of: impl FnMut(usize) -> Aabb<V>) {
        self.bounds = Aabb::empty();
        let mut boxes = core::mem::take(&mut self.exact);
        if !Frame::<V>::EXACT {
            boxes.iter_mut().enumerate().for_each(|(item, own)| *own = bounds_of(item));
            self.bounds = around(&boxes);
            self.frame = Frame::around(self.bounds);
        }
        // Children lie behind their parents, so that walking backwards meets them first.
        for at in (0..self.nodes.len()).rev() {
            let mut node = self.nodes[at];
            for slot in Node::<V>::slots(node.used) {
                let link = node.links[slot] as usize;
                let small = if node.items >> slot & 1 == 0 {
                    self.nodes.get(link).map_or_else(Small::empty, Node::union)
                } else if Frame::<V>::EXACT {
                    self.frame.small(&bounds_of(link))
                } else {
                    self.frame.small(&boxes[link])
                };
                node.set_small(slot, &small);
            }
            self.nodes[at] = node;
        }
        if Frame::<V>::EXACT {
            self.bounds = self.nodes.first().map_or_else(Aabb::empty, |root| root.union().exact());
        }
        self.exact = boxes;
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'_, V> {
        View { nodes: &self.nodes, root: 0, frame: &self.frame, exact: &self.exact }
    }
}

/// The box around all boxes that are not empty.
fn around<V: Vector>(boxes: &[Aabb<V>]) -> Aabb<V> {
    boxes.iter().filter(|own| !own.is_empty()).fold(Aabb::empty(), |all, own| all.merged(*own))
}

/// What the builder takes: every item with its box in the frame. Empty boxes are placed in the middle.
fn records<V: Vector>(
    frame: &Frame<V>,
    bounds: Aabb<V>,
    boxes: impl Iterator<Item = (u32, Aabb<V>)>,
) -> Vec<Record> {
    let mut records = Vec::new();
    fill_records(&mut records, frame, bounds, boxes);
    records
}

/// The same, in memory that there is already.
fn fill_records<V: Vector>(
    records: &mut Vec<Record>,
    frame: &Frame<V>,
    bounds: Aabb<V>,
    boxes: impl Iterator<Item = (u32, Aabb<V>)>,
) {
    let middle = bounds.center();
    let mut fallback = [0.0; 3];
    for (axis, coordinate) in fallback.iter_mut().enumerate().take(V::DIM) {
        let x = if bounds.is_empty() { 0.0 } else { frame.below(middle, axis) };
        *coordinate = if x.is_finite() { x } else { 0.0 };
    }
    records.clear();
    records.extend(boxes.map(|(item, own)| Record::new(item, &frame.small(&own), fallback)));
}

#[cfg(test)]
mod tests;
