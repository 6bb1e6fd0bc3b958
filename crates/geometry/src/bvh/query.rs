//! Walking a tree: overlap with a box, pairs, rays, nearest.
//!
//! Every walk is a loop over a [`Stack`], visits in an order that depends on the tree only, and skips a
//! subtree only when its box proves that nothing in it can matter.

use super::stack::Stack;
use super::{Aabb, Bvh, Link, Node};
use carom_math::{Number, Real, Vector};
use core::ops::ControlFlow;

impl<V: Vector> Bvh<V> {
    /// Visits every item whose box overlaps `bounds` (touching counts), until the visitor breaks.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::bvh::{Aabb, Bvh};
    /// use carom_math::Vec2;
    /// use std::ops::ControlFlow;
    /// let point = |x: f64| Aabb::around(Vec2::new(x, 0.0), Vec2::new(x, 0.0));
    /// let tree = Bvh::build(&[point(1.0), point(2.0), point(3.0)]);
    /// let window = Aabb::around(Vec2::new(1.5, -1.0), Vec2::new(2.0, 1.0));
    /// assert_eq!(tree.overlapping(window, ControlFlow::Break), ControlFlow::Break(1));
    /// ```
    pub fn overlapping<B>(
        &self,
        bounds: Aabb<V>,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut stack = Stack::with(0);
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at];
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            match node.link {
                Link::Leaf(item) => visit(item)?,
                Link::Inner(right) => {
                    stack.push(right);
                    stack.push(at + 1);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every pair of items i < j whose boxes overlap (touching counts), each once, until the
    /// visitor breaks.
    pub fn self_pairs<B>(&self, mut visit: impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.is_empty() {
            return ControlFlow::Continue(());
        }
        // A node with itself stands for all pairs within it.
        let mut stack = Stack::with((0, 0));
        while let Some((a, b)) = stack.pop() {
            if a == b {
                if let Link::Inner(right) = self.nodes[a].link {
                    stack.push((a + 1, right));
                    stack.push((right, right));
                    stack.push((a + 1, a + 1));
                }
            } else if let Some((i, j)) = descend(&self.nodes, &self.nodes, a, b, &mut stack) {
                visit(i.min(j), i.max(j))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every pair of an item of this tree and one of the other whose boxes overlap (touching
    /// counts), until the visitor breaks. Both trees are descended together, the larger box first.
    pub fn pairs<B>(
        &self,
        other: &Self,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.is_empty() || other.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut stack = Stack::with((0, 0));
        while let Some((a, b)) = stack.pop() {
            if let Some((i, j)) = descend(&self.nodes, &other.nodes, a, b, &mut stack) {
                visit(i, j)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The item that the ray origin + t·direction meets first, with t in [0, max].
    ///
    /// `hit(item, limit)` gives the smallest t at which the ray meets what is inside the item's box, or
    /// `None`; it may also answer `None` when that t is above `limit`, the best so far. Of equal t the
    /// lower index wins. Boxes are passed over only when the ray surely misses them: their range of t is
    /// widened by its rounding error. A NaN anywhere gives `None`.
    pub fn cast_ray(
        &self,
        origin: V,
        direction: V,
        max: V::Scalar,
        mut hit: impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        let entry = |at: usize, limit| entry_parameter(self.nodes[at].bounds, origin, direction, limit);
        self.nearest_by(max, entry, &mut hit)
    }

    /// The item with the smallest distance, of equal ones the lower index.
    ///
    /// `lower_bound(bounds)` must not exceed the distance of anything in the box, rounding included;
    /// `distance(item)` is the distance of what is inside the item's box. Any measure will do, the square
    /// of a distance too. `None` for an empty tree, or when every distance is NaN.
    pub fn nearest(
        &self,
        lower_bound: impl Fn(Aabb<V>) -> V::Scalar,
        mut distance: impl FnMut(usize) -> V::Scalar,
    ) -> Option<(usize, V::Scalar)> {
        let bound = |at: usize, limit| {
            let bound = lower_bound(self.nodes[at].bounds);
            (bound <= limit).then_some(bound)
        };
        self.nearest_by(V::Scalar::INFINITY, bound, |item, _| Some(distance(item)))
    }

    /// Depth-first, the more promising child first. `bound(node, limit)` is a lower bound for everything
    /// below the node, or `None` when nothing there can be within the limit.
    fn nearest_by(
        &self,
        max: V::Scalar,
        bound: impl Fn(usize, V::Scalar) -> Option<V::Scalar>,
        mut measure: impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        if self.is_empty() {
            return None;
        }
        let mut best: Option<(usize, V::Scalar)> = None;
        let mut limit = max;
        let mut stack = Stack::with((0, bound(0, limit)?));
        while let Some((at, lower)) = stack.pop() {
            // Equal is not enough to skip: an item there may have the lower index.
            if limit < lower {
                continue;
            }
            match self.nodes[at].link {
                Link::Leaf(item) => {
                    let Some(value) = measure(item, limit) else { continue };
                    let wins = match best {
                        None => value <= limit,
                        Some((index, least)) => value < least || (value == least && item < index),
                    };
                    if wins {
                        best = Some((item, value));
                        limit = value;
                    }
                }
                Link::Inner(right) => match (bound(at + 1, limit), bound(right, limit)) {
                    (Some(left_bound), Some(right_bound)) if right_bound < left_bound => {
                        stack.push((at + 1, left_bound));
                        stack.push((right, right_bound));
                    }
                    (left_bound, right_bound) => {
                        right_bound.into_iter().for_each(|bound| stack.push((right, bound)));
                        left_bound.into_iter().for_each(|bound| stack.push((at + 1, bound)));
                    }
                },
            }
        }
        best
    }
}

/// One step of a simultaneous descent: two leaves whose boxes overlap are returned, anything else is
/// split at the larger box and pushed, or dropped when the boxes are apart.
#[inline]
fn descend<V: Vector>(
    nodes_a: &[Node<V>],
    nodes_b: &[Node<V>],
    a: usize,
    b: usize,
    stack: &mut Stack<(usize, usize)>,
) -> Option<(usize, usize)> {
    let (node_a, node_b) = (&nodes_a[a], &nodes_b[b]);
    if !node_a.bounds.overlaps(node_b.bounds) {
        return None;
    }
    let split_a = |stack: &mut Stack<_>, right| {
        stack.push((right, b));
        stack.push((a + 1, b));
    };
    let split_b = |stack: &mut Stack<_>, right| {
        stack.push((a, right));
        stack.push((a, b + 1));
    };
    match (node_a.link, node_b.link) {
        (Link::Leaf(i), Link::Leaf(j)) => return Some((i, j)),
        (Link::Inner(right), Link::Leaf(_)) => split_a(stack, right),
        (Link::Leaf(_), Link::Inner(right)) => split_b(stack, right),
        (Link::Inner(right_a), Link::Inner(right_b)) => {
            if reach(node_a.bounds) < reach(node_b.bounds) {
                split_b(stack, right_b);
            } else {
                split_a(stack, right_a);
            }
        }
    }
    None
}

/// The sum of the extents: a measure of size that is positive for flat boxes too.
#[inline]
fn reach<V: Vector>(bounds: Aabb<V>) -> V::Scalar {
    let extent = bounds.max - bounds.min;
    (1..V::DIM).fold(extent.get(0), |sum, axis| sum + extent.get(axis))
}

/// The smallest parameter at which the ray may be in the box, or `None` when it surely misses the box
/// for all t in [0, limit].
///
/// Slabs: on each axis the ray is inside for t between (min − o)/d and (max − o)/d. Each quotient has two
/// roundings, of half an ε each, relative to itself, so stretching the range by 4ε on both ends, and by
/// one step for results that underflow, makes it enclose the true one.
fn entry_parameter<V: Vector>(
    bounds: Aabb<V>,
    origin: V,
    direction: V,
    limit: V::Scalar,
) -> Option<V::Scalar> {
    let (zero, one) = (V::Scalar::ZERO, V::Scalar::ONE);
    let slack = V::Scalar::EPSILON * V::Scalar::TWO * V::Scalar::TWO;
    let (mut enter, mut leave) = (zero, limit);
    for axis in 0..V::DIM {
        let (low, high) = (bounds.min.get(axis), bounds.max.get(axis));
        let (o, d) = (origin.get(axis), direction.get(axis));
        if d == zero {
            if low <= o && o <= high {
                continue;
            }
            return None;
        }
        let (first, last) =
            if zero < d { ((low - o) / d, (high - o) / d) } else { ((high - o) / d, (low - o) / d) };
        // A range that ends before 0 ends there for certain: differences have the right sign.
        let ends_ahead = zero <= last;
        if !ends_ahead {
            return None;
        }
        enter = (first * (one - slack)).step_down().max_of(enter);
        leave = (last * (one + slack)).step_up().min_of(leave);
    }
    (enter <= leave).then_some(enter)
}

/// A number that is not above the squared distance, as computed, from `point` to anything in the box.
///
/// The squared distance of the box itself has 2·DIM roundings, and so has that of a point in the box;
/// 16ε covers both with room to spare.
#[inline]
pub(crate) fn squared_distance_below<V: Vector>(bounds: Aabb<V>, point: V) -> V::Scalar {
    let zero = V::Scalar::ZERO;
    let gap = V::from_fn(|axis| {
        let (low, high, p) = (bounds.min.get(axis), bounds.max.get(axis), point.get(axis));
        (low - p).max_of(p - high).max_of(zero)
    });
    let sixteen = V::Scalar::from_f64(16.0);
    gap.length_squared() * (V::Scalar::ONE - sixteen * V::Scalar::EPSILON)
}
