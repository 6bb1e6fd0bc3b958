//! The tree over the parts of a composite shape: boxes in `f64`, in the frame of the shape.
//!
//! A tree of its own, beside [`crate::bvh`], because two of them are descended together while one is turned:
//! that walk needs the nodes, where the questions of `bvh` are about boxes in one frame.
//!
//! Items are halved at the median of their centres along the longest axis, the index deciding ties, so the
//! depth is ⌈log₂ n⌉ whatever the boxes are. Nodes lie depth first, the left child behind its parent.

use crate::bound::Aabb;
use carom_math::Vector;

/// 56 bytes in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<V> {
    pub(crate) bounds: Aabb<V>,
    link: u32,
    is_leaf: bool,
}

/// What is below a node.
pub(crate) enum Below {
    Item(u32),
    Children([u32; 2]),
}

/// A tree with at least one item.
#[derive(Clone, Debug)]
pub(crate) struct PartTree<V> {
    nodes: Vec<Node<V>>,
}

impl<V: Vector<Scalar = f64>> PartTree<V> {
    /// The tree over boxes; `None` when there is none.
    pub(crate) fn build(boxes: &[Aabb<V>]) -> Option<Self> {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        if items.is_empty() {
            return None;
        }
        let mut nodes = Vec::with_capacity(2 * boxes.len() - 1);
        build_below(&mut items, boxes, &mut nodes);
        Some(PartTree { nodes })
    }

    /// How many items there are.
    pub(crate) fn len(&self) -> u32 {
        self.nodes.len().div_ceil(2) as u32
    }

    /// The box around everything.
    pub(crate) fn bounds(&self) -> Aabb<V> {
        self.node(0).bounds
    }

    #[inline(always)]
    pub(crate) fn node(&self, at: u32) -> &Node<V> {
        &self.nodes[at as usize]
    }

    #[inline(always)]
    pub(crate) fn below(&self, at: u32) -> Below {
        let node = self.node(at);
        if node.is_leaf { Below::Item(node.link) } else { Below::Children([at + 1, node.link]) }
    }
}

fn build_below<V: Vector<Scalar = f64>>(items: &mut [u32], boxes: &[Aabb<V>], nodes: &mut Vec<Node<V>>) {
    let at = nodes.len();
    if let [item] = items {
        nodes.push(Node { bounds: boxes[*item as usize], link: *item, is_leaf: true });
        return;
    }
    let centers = items
        .iter()
        .fold(Aabb::empty(), |all: Aabb<V>, &item| all.merged_with(boxes[item as usize].center()));
    let extent = centers.max - centers.min;
    let longest = |best: usize, axis| if extent.get(best) < extent.get(axis) { axis } else { best };
    let axis = (1..V::DIM).fold(0, longest);
    // A total order, so that which items go left is certain however the selection works.
    let along = |item: &u32| boxes[*item as usize].center().get(axis);
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
    let (left, right) = items.split_at_mut(half);
    nodes.push(Node { bounds: Aabb::empty(), link: 0, is_leaf: false });
    build_below(left, boxes, nodes);
    let link = nodes.len() as u32;
    build_below(right, boxes, nodes);
    let bounds = nodes[at + 1].bounds.merged(nodes[link as usize].bounds);
    nodes[at] = Node { bounds, link, is_leaf: false };
}
