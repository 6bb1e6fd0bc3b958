//! What a world asks of a [`DynamicBvh`]: what moved, and the pairs of it, one by one and without a list.

use super::dynamic::DynamicBvh;
use super::pairs::Two;
use carom_math::Vector;
use core::ops::ControlFlow;

/// An empty tree without margin: boxes are those that are given, so that each item may have a margin of its own.
impl<V: Vector> Default for DynamicBvh<V> {
    fn default() -> Self {
        DynamicBvh::without_margin()
    }
}

impl<V: Vector> DynamicBvh<V> {
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
        let view = self.view();
        Two { first: view, second: view, same: true, only_moved: true }.visit(visit)
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
        Two { first: self.view(), second: other.view(), same: false, only_moved: true }.visit(visit)
    }
}
