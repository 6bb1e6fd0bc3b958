//! What a world asks of a [`DynamicBvh`]: what moved, and the pairs of it, one by one and without a list.

use super::dynamic::DynamicBvh;
use super::pairs::{PairParts, Two};
use crate::Error;
use crate::bound::Aabb;
use carom_math::Vector;
use core::ops::ControlFlow;

/// An empty tree without margin: boxes are those that are given, so that each item may have a margin of its own.
impl<V: Vector> Default for DynamicBvh<V> {
    fn default() -> Self {
        DynamicBvh::without_margin()
    }
}

impl<V: Vector> DynamicBvh<V> {
    /// Puts a new item in that does not count as moved: where nothing is yet whose pairs with it could be asked for, a
    /// million of them need not be forgotten. One that is there already is moved as by [`insert`](Self::insert).
    ///
    /// # Errors
    /// As for [`insert`](Self::insert).
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::{Vec2, Vector};
    /// let unit = Aabb { min: Vec2::splat(0.0), max: Vec2::splat(1.0) };
    /// let mut tree = DynamicBvh::default();
    /// tree.insert_at_rest(0, unit)?;
    /// tree.insert_at_rest(1, unit)?;
    /// assert!(tree.moved_pairs().is_empty());
    /// tree.insert(2, unit)?;
    /// assert_eq!(tree.moved_pairs(), [[0, 2], [1, 2]]);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn insert_at_rest(&mut self, item: usize, bounds: Aabb<V>) -> Result<(), Error> {
        self.put_in(item, bounds, false)
    }

    /// From now on an item counts as moved, though its box stays; whether it is there.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::{Vec2, Vector};
    /// let unit = Aabb { min: Vec2::splat(0.0), max: Vec2::splat(1.0) };
    /// let mut tree = DynamicBvh::build(0.0, &[unit, unit])?;
    /// tree.forget_moves();
    /// assert!(tree.mark_moved(1) && !tree.mark_moved(2));
    /// assert_eq!((tree.moved(), tree.moved_pairs()), (vec![1], vec![[0, 1]]));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn mark_moved(&mut self, item: usize) -> bool {
        let place = self.place(item);
        if let Some((at, slot)) = place {
            self.mark(at, slot);
        }
        place.is_some()
    }

    /// Visits the items that moved since [`forget_moves`](Self::forget_moves), in an order that depends on the tree.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::{Vec2, Vector};
    /// let tree = DynamicBvh::build(0.0, &[Aabb { min: Vec2::splat(0.0), max: Vec2::splat(1.0) }])?;
    /// let mut moved = Vec::new();
    /// tree.visit_moved(|item| moved.push(item));
    /// assert_eq!(moved, [0]);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn visit_moved(&self, mut visit: impl FnMut(usize)) {
        self.each_moved(|_, node, slot| visit(node.links[slot] as usize));
    }

    /// Visits the pairs of [`moved_pairs`](Self::moved_pairs) in an order that depends on the tree, either item first,
    /// until the visitor breaks. Allocates nothing.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::{Vec2, Vector};
    /// use std::ops::ControlFlow;
    /// let unit = Aabb { min: Vec2::splat(0.0), max: Vec2::splat(1.0) };
    /// let tree = DynamicBvh::build(0.0, &[unit, unit, unit])?;
    /// let mut count = 0;
    /// let _ = tree.visit_moved_pairs(|_, _| {
    ///     count += 1;
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(count, 3);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn visit_moved_pairs<B>(&self, visit: impl FnMut(u32, u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.moved_with(None).visit(visit)
    }

    /// Visits the pairs of an item of this tree and an item of the other whose boxes overlap and of which one, or
    /// both, moved, until the visitor breaks. Allocates nothing.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::{Vec2, Vector};
    /// use std::ops::ControlFlow;
    /// let unit = Aabb { min: Vec2::splat(0.0), max: Vec2::splat(1.0) };
    /// let (mut walls, mut balls) = (DynamicBvh::build(0.0, &[unit])?, DynamicBvh::build(0.0, &[unit])?);
    /// walls.forget_moves();
    /// let count = |balls: &DynamicBvh<Vec2<f32>>| {
    ///     let mut count = 0;
    ///     let _ = balls.visit_moved_pairs_with(&walls, |_, _| {
    ///         count += 1;
    ///         ControlFlow::<()>::Continue(())
    ///     });
    ///     count
    /// };
    /// assert_eq!(count(&balls), 1);
    /// balls.forget_moves();
    /// assert_eq!(count(&balls), 0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn visit_moved_pairs_with<B>(
        &self,
        other: &Self,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moved_with(Some(other)).visit(visit)
    }

    /// Cuts the search of [`visit_moved_pairs`](Self::visit_moved_pairs), or with another tree of
    /// [`visit_moved_pairs_with`](Self::visit_moved_pairs_with), into about `count` parts that may be
    /// [visited](Self::visit_moved_pairs_of) at the same time. The parts are good until a tree changes; they depend
    /// on the trees and the count only. Allocates nothing once the parts have grown.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::{DynamicBvh, PairParts}};
    /// use carom_math::Vec2;
    /// use std::ops::ControlFlow;
    /// let row: Vec<_> = (0..100)
    ///     .map(|k| Aabb { min: Vec2::new(k as f32, 0.0), max: Vec2::new(k as f32 + 1.0, 1.0) })
    ///     .collect();
    /// let (tree, mut parts, mut pairs) = (DynamicBvh::build(0.0, &row)?, PairParts::default(), Vec::new());
    /// tree.cut_moved_pairs(None, 4, &mut parts);
    /// for part in 0..parts.len() {
    ///     let _ = tree.visit_moved_pairs_of(None, &parts, part, |a, b| {
    ///         pairs.push([a.min(b), a.max(b)]);
    ///         ControlFlow::<()>::Continue(())
    ///     });
    /// }
    /// pairs.sort();
    /// assert_eq!(pairs, tree.moved_pairs());
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn cut_moved_pairs(&self, other: Option<&Self>, count: usize, parts: &mut PairParts) {
        self.moved_with(other).cut(parts, count);
    }

    /// Visits the pairs of one part, in an order that depends on the tree; of a part that is not there, none.
    ///
    /// # Example
    /// See [`cut_moved_pairs`](Self::cut_moved_pairs).
    pub fn visit_moved_pairs_of<B>(
        &self,
        other: Option<&Self>,
        parts: &PairParts,
        part: usize,
        visit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moved_with(other).visit_part(parts, part, visit)
    }

    /// This tree and another, or itself; pairs of what moved.
    fn moved_with<'a>(&'a self, other: Option<&'a Self>) -> Two<'a, V> {
        let second = other.unwrap_or(self).view();
        Two { first: self.view(), second, same: other.is_none(), only_moved: true }
    }
}
