//! Trees over boxes, generic over the dimension.
//!
//! A [`Bvh`] answers "which boxes" questions without looking at all of them: which overlap a box, which
//! pairs overlap, which a ray meets first, which is nearest. It knows boxes and their indices only; what
//! is inside a box is the business of the callbacks.
//!
//! Build: the items are halved at the median of their box centres along the longest axis of the centres,
//! with the index as the last word on ties, down to one item a leaf. So the depth is ⌈log₂ n⌉ whatever
//! the boxes are, 10⁴ equal ones included, and the tree depends on nothing but the boxes: O(n log n).
//! Nodes lie in one array in depth-first order, the left child right behind its parent.
//!
//! Degenerate input: boxes may be flat, points, unbounded or empty (a minimum above its maximum); a box
//! with a NaN overlaps nothing and spoils no other.

mod query;
pub(crate) mod stack;

pub(crate) use query::squared_distance_below;

use crate::bound::Aabb;
use carom_math::{Real, Vector};
use core::cmp::Ordering;

/// A static tree over boxes.
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
}

#[derive(Clone, Copy, Debug)]
struct Node<V: Vector> {
    bounds: Aabb<V>,
    link: Link,
}

#[derive(Clone, Copy, Debug)]
enum Link {
    /// The index of the item.
    Leaf(usize),
    /// The position of the right child; the left one is the next node.
    Inner(usize),
}

impl<V: Vector> Bvh<V> {
    /// The tree over the given boxes; item `i` is `boxes[i]`. No boxes give a tree that answers nothing.
    #[must_use]
    pub fn build(boxes: &[Aabb<V>]) -> Self {
        let mut items: Vec<usize> = (0..boxes.len()).collect();
        let mut nodes = Vec::with_capacity((2 * boxes.len()).saturating_sub(1));
        if !items.is_empty() {
            build_below(&mut items, boxes, &mut nodes);
        }
        Bvh { nodes }
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len().div_ceil(2)
    }

    /// Whether there is no box at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The box around all boxes, or `None` when there are none.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb<V>> {
        self.nodes.first().map(|root| root.bounds)
    }

    /// The longest way from the root to a leaf, in steps: ⌈log₂ n⌉.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.len().next_power_of_two().trailing_zeros() as usize
    }

    /// The same tree over boxes that moved: item `i` is now `bounds_of(i)`. O(n), and every query stays
    /// right; the tree gets slower when neighbours drift apart, and is as good as before when all boxes
    /// are moved together.
    #[must_use]
    pub fn refitted(&self, mut bounds_of: impl FnMut(usize) -> Aabb<V>) -> Self {
        let mut nodes = self.nodes.clone();
        // Children lie behind their parents, so that walking backwards meets them first.
        for at in (0..nodes.len()).rev() {
            nodes[at].bounds = match nodes[at].link {
                Link::Leaf(item) => bounds_of(item),
                Link::Inner(right) => joined(nodes[at + 1].bounds, nodes[right].bounds),
            };
        }
        Bvh { nodes }
    }
}

/// Appends the tree over `items`, which is not empty. Recursion goes ⌈log₂ n⌉ deep.
fn build_below<V: Vector>(items: &mut [usize], boxes: &[Aabb<V>], nodes: &mut Vec<Node<V>>) {
    let at = nodes.len();
    if let [item] = items {
        nodes.push(Node { bounds: boxes[*item], link: Link::Leaf(*item) });
        return;
    }
    let axis = longest_axis(items.iter().map(|&item| boxes[item].center()));
    let order = |a: &usize, b: &usize| -> Ordering {
        let along = |item: &usize| boxes[*item].center().get(axis).to_f64();
        along(a).total_cmp(&along(b)).then(a.cmp(b))
    };
    // The order is total, so which items come to the left is certain, however the selection works.
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, order);
    let (left, right) = items.split_at_mut(half);
    nodes.push(Node { bounds: Aabb::empty(), link: Link::Inner(0) });
    build_below(left, boxes, nodes);
    let right_at = nodes.len();
    build_below(right, boxes, nodes);
    let bounds = joined(nodes[at + 1].bounds, nodes[right_at].bounds);
    nodes[at] = Node { bounds, link: Link::Inner(right_at) };
}

/// The smallest box around both; NaN coordinates are passed over.
fn joined<V: Vector>(a: Aabb<V>, b: Aabb<V>) -> Aabb<V> {
    Aabb::empty().merged(a).merged(b)
}

/// The axis along which the points spread most; the first of equals.
fn longest_axis<V: Vector>(points: impl Iterator<Item = V>) -> usize {
    let spread = points.fold(Aabb::empty(), |all: Aabb<V>, p| all.merged_with(p));
    let extent = spread.half_extents();
    (1..V::DIM).fold(0, |best, axis| if extent.get(best) < extent.get(axis) { axis } else { best })
}

#[cfg(test)]
mod tests;
