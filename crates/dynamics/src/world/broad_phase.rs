//! Which boxes overlap: a dynamic tree of fat boxes, asked only about those that moved.
//!
//! A leaf is inserted next to the sibling that adds least area (greedy descent) and the tree is kept shallow
//! by rotations on the way up (Box2D's dynamic tree is built likewise). Still and moving shapes have a tree
//! each, so that a large world costs nothing while it rests. The rest of the engine sees boxes that go in and
//! sorted pairs that come out.

use super::contact::NONE;
use carom_geometry::bound::Aabb;
use carom_math::{Number, Vector};

/// A node of a tree: 40 bytes in the plane, 48 in space.
#[derive(Clone, Copy, Debug)]
struct Node<V: Vector> {
    bounds: Aabb<V>,
    parent: u32,
    /// `NONE` for a leaf.
    left: u32,
    /// For a leaf: what it stands for.
    right: u32,
    height: u32,
}

/// A tree of boxes.
#[derive(Clone, Debug)]
pub(crate) struct Tree<V: Vector> {
    nodes: Vec<Node<V>>,
    free: Vec<u32>,
    root: u32,
}

impl<V: Vector> Default for Tree<V> {
    fn default() -> Self {
        Tree { nodes: Vec::new(), free: Vec::new(), root: NONE }
    }
}

/// Half the surface of a box, or half the circumference: what a query pays for it.
#[inline(always)]
fn cost<V: Vector<Scalar = f32>>(bounds: Aabb<V>) -> f32 {
    let size = bounds.max - bounds.min;
    if V::DIM == 2 {
        size.get(0) + size.get(1)
    } else {
        size.get(0) * size.get(1) + size.get(1) * size.get(2) + size.get(2) * size.get(0)
    }
}

#[inline(always)]
fn joined<V: Vector<Scalar = f32>>(a: Aabb<V>, b: Aabb<V>) -> Aabb<V> {
    Aabb { min: a.min.zip(b.min, Number::min_of), max: a.max.zip(b.max, Number::max_of) }
}

impl<V: Vector<Scalar = f32>> Tree<V> {
    fn node(&self, at: u32) -> &Node<V> {
        &self.nodes[at as usize]
    }
    fn allocate(&mut self, node: Node<V>) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }
    /// Adds a box; the answer names its leaf.
    pub(crate) fn insert(&mut self, bounds: Aabb<V>, item: u32) -> u32 {
        let leaf = self.allocate(Node { bounds, parent: NONE, left: NONE, right: item, height: 0 });
        self.link(leaf);
        leaf
    }
    /// Forgets a leaf.
    pub(crate) fn remove(&mut self, leaf: u32) {
        self.unlink(leaf);
        self.free.push(leaf);
    }
    /// Gives a leaf another box.
    pub(crate) fn relocate(&mut self, leaf: u32, bounds: Aabb<V>) {
        self.unlink(leaf);
        self.nodes[leaf as usize].bounds = bounds;
        self.link(leaf);
    }

    fn link(&mut self, leaf: u32) {
        if self.root == NONE {
            self.root = leaf;
            self.nodes[leaf as usize].parent = NONE;
            return;
        }
        let bounds = self.node(leaf).bounds;
        // Descends while a child is a better sibling than the node itself.
        let mut at = self.root;
        while self.node(at).left != NONE {
            let Node { bounds: here, left, right, .. } = *self.node(at);
            let both = cost(joined(here, bounds));
            let inherited = both - cost(here);
            let price = |child: u32| {
                let child = self.node(child);
                let grown = cost(joined(child.bounds, bounds));
                inherited + if child.left == NONE { grown } else { grown - cost(child.bounds) }
            };
            let (left_price, right_price) = (price(left), price(right));
            if both < left_price && both < right_price {
                break;
            }
            at = if right_price < left_price { right } else { left };
        }
        let sibling = at;
        let parent = self.node(sibling).parent;
        let joint = self.allocate(Node {
            bounds: joined(self.node(sibling).bounds, bounds),
            parent,
            left: sibling,
            right: leaf,
            height: self.node(sibling).height + 1,
        });
        self.nodes[sibling as usize].parent = joint;
        self.nodes[leaf as usize].parent = joint;
        self.replace_child(parent, sibling, joint);
        self.repair(parent);
    }
    fn unlink(&mut self, leaf: u32) {
        let parent = self.node(leaf).parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { parent: grandparent, left, right, .. } = *self.node(parent);
        let sibling = if left == leaf { right } else { left };
        self.nodes[sibling as usize].parent = grandparent;
        self.replace_child(grandparent, parent, sibling);
        self.free.push(parent);
        self.repair(grandparent);
    }
    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let parent = &mut self.nodes[parent as usize];
        if parent.left == old {
            parent.left = new;
        } else {
            parent.right = new;
        }
    }
    /// Refits and rotates from a node up to the root.
    fn repair(&mut self, mut at: u32) {
        while at != NONE {
            self.refit(at);
            self.rotate(at);
            at = self.node(at).parent;
        }
    }
    fn refit(&mut self, at: u32) {
        let Node { left, right, .. } = *self.node(at);
        let (a, b) = (*self.node(left), *self.node(right));
        let node = &mut self.nodes[at as usize];
        node.bounds = joined(a.bounds, b.bounds);
        node.height = 1 + a.height.max(b.height);
    }
    /// Exchanges a child with a grandchild on the other side when that makes the other child smaller, or
    /// when the tree leans too far to one side.
    fn rotate(&mut self, at: u32) {
        let Node { left, right, .. } = *self.node(at);
        let mut best: Option<(f32, u32, u32, u32)> = None;
        for (child, other) in [(left, right), (right, left)] {
            let Node { bounds, left: first, right: second, height, .. } = *self.node(other);
            if first == NONE {
                continue;
            }
            let leans = self.node(child).height + 1 < height;
            for (goes_up, stays) in [(first, second), (second, first)] {
                let after = cost(joined(self.node(child).bounds, self.node(stays).bounds));
                let gain = cost(bounds) - after;
                // A tree that leans is mended by moving the taller grandchild up, whatever the area.
                let mends = leans && self.node(stays).height < self.node(goes_up).height;
                let gain = if mends { f32::MAX } else { gain };
                if 0.0 < gain && best.is_none_or(|(most, ..)| most < gain) {
                    best = Some((gain, child, other, goes_up));
                }
            }
        }
        let Some((_, child, other, goes_up)) = best else { return };
        // `child` goes under `other`, `goes_up` takes its place under `at`.
        self.replace_child(at, child, goes_up);
        self.replace_child(other, goes_up, child);
        self.nodes[goes_up as usize].parent = at;
        self.nodes[child as usize].parent = other;
        self.refit(other);
        self.refit(at);
    }

    /// Visits every item whose box overlaps the given one. The stack is kept by the caller, so that its
    /// memory is used again.
    #[inline]
    pub(crate) fn overlapping(&self, bounds: Aabb<V>, stack: &mut Vec<u32>, mut visit: impl FnMut(u32)) {
        stack.clear();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(at) = stack.pop() {
            let node = self.node(at);
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            if node.left == NONE {
                visit(node.right);
            } else {
                stack.push(node.right);
                stack.push(node.left);
            }
        }
    }
    /// Visits every item for whose box, and for the boxes around it, `may_matter` is true. It may change its
    /// mind on the way.
    pub(crate) fn search(
        &self,
        mut may_matter: impl FnMut(Aabb<V>) -> bool,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        let mut stack = Vec::new();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(at) = stack.pop() {
            let node = self.node(at);
            if !may_matter(node.bounds) {
                continue;
            }
            if node.left != NONE {
                stack.push(node.right);
                stack.push(node.left);
            } else if !visit(node.right) {
                return;
            }
        }
    }
    #[cfg(test)]
    pub(crate) fn validate(&self) -> usize {
        fn below<V: Vector<Scalar = f32>>(tree: &Tree<V>, at: u32, parent: u32) -> usize {
            let node = tree.node(at);
            assert_eq!(node.parent, parent);
            if node.left == NONE {
                assert_eq!(node.height, 0);
                return 1;
            }
            let (left, right) = (tree.node(node.left), tree.node(node.right));
            assert_eq!(node.height, 1 + left.height.max(right.height));
            assert!(node.bounds.contains_box(left.bounds) && node.bounds.contains_box(right.bounds));
            below(tree, node.left, at) + below(tree, node.right, at)
        }
        if self.root == NONE { 0 } else { below(self, self.root, NONE) }
    }
    #[cfg(test)]
    pub(crate) fn height(&self) -> u32 {
        if self.root == NONE { 0 } else { self.node(self.root).height }
    }
}

/// Both trees, and what has moved since the last look.
#[derive(Clone, Debug)]
pub(crate) struct BroadPhase<V: Vector> {
    pub(crate) still: Tree<V>,
    pub(crate) moving: Tree<V>,
    /// Shapes whose boxes are new, in the order in which they became so.
    moved: Vec<u32>,
    is_moved: Vec<bool>,
    stack: Vec<u32>,
    pairs: Vec<[u32; 2]>,
}

impl<V: Vector> Default for BroadPhase<V> {
    fn default() -> Self {
        BroadPhase {
            still: Tree::default(),
            moving: Tree::default(),
            moved: Vec::new(),
            is_moved: Vec::new(),
            stack: Vec::new(),
            pairs: Vec::new(),
        }
    }
}

impl<V: Vector<Scalar = f32>> BroadPhase<V> {
    fn tree(&mut self, is_still: bool) -> &mut Tree<V> {
        if is_still { &mut self.still } else { &mut self.moving }
    }
    pub(crate) fn insert(&mut self, is_still: bool, bounds: Aabb<V>, item: u32) -> u32 {
        self.tree(is_still).insert(bounds, item)
    }
    pub(crate) fn remove(&mut self, is_still: bool, leaf: u32, item: u32) {
        self.tree(is_still).remove(leaf);
        if self.is_moved.get(item as usize) == Some(&true) {
            self.is_moved[item as usize] = false;
            self.moved.retain(|moved| *moved != item);
        }
    }
    pub(crate) fn relocate(&mut self, is_still: bool, leaf: u32, bounds: Aabb<V>) {
        self.tree(is_still).relocate(leaf, bounds);
    }
    /// Whether its pairs are to be looked for.
    pub(crate) fn is_touched(&self, item: u32) -> bool {
        self.is_moved.get(item as usize) == Some(&true)
    }
    /// Its pairs are looked for at the next occasion.
    pub(crate) fn touch(&mut self, item: u32) {
        let at = item as usize;
        if self.is_moved.len() <= at {
            self.is_moved.resize(at + 1, false);
        }
        if !core::mem::replace(&mut self.is_moved[at], true) {
            self.moved.push(item);
        }
    }
    /// All pairs with a box that has moved, sorted, the lower index first. `box_of` gives the box of a shape
    /// and whether it is in the still tree; `wanted` drops pairs early.
    pub(crate) fn new_pairs(
        &mut self,
        box_of: impl Fn(u32) -> (Aabb<V>, bool),
        wanted: impl Fn(u32, u32) -> bool,
    ) -> &[[u32; 2]] {
        let BroadPhase { still, moving, moved, is_moved, stack, pairs } = self;
        pairs.clear();
        for &item in moved.iter() {
            let (bounds, is_still) = box_of(item);
            moving.overlapping(bounds, stack, |other| {
                // Of two that moved the lower one reports the pair.
                let is_reported = is_moved.get(other as usize) == Some(&true) && other < item;
                if other != item && !is_reported && wanted(item, other) {
                    pairs.push([item.min(other), item.max(other)]);
                }
            });
            if !is_still {
                still.overlapping(bounds, stack, |other| {
                    let is_reported = is_moved.get(other as usize) == Some(&true) && other < item;
                    if !is_reported && wanted(item, other) {
                        pairs.push([item.min(other), item.max(other)]);
                    }
                });
            }
        }
        for item in moved.drain(..) {
            is_moved[item as usize] = false;
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;

    fn random(state: &mut u32) -> f32 {
        *state = state.wrapping_mul(2_147_001_325).wrapping_add(715_136_305);
        (*state >> 8) as f32 / 16_777_216.0
    }

    fn a_box(state: &mut u32, spread: f32) -> Aabb<Vec3<f32>> {
        let min = Vec3::new(random(state), random(state), random(state)) * spread;
        Aabb { min, max: min + Vec3::new(random(state), random(state), random(state)) }
    }

    #[test]
    fn overlaps_are_those_of_brute_force_after_every_change() {
        for spread in [0.0, 3.0, 20.0] {
            let (mut tree, mut state, mut stack) = (Tree::default(), 5_u32, Vec::new());
            let mut boxes: Vec<Option<(u32, Aabb<Vec3<f32>>)>> = Vec::new();
            for round in 0..400_u32 {
                let at = (random(&mut state) * boxes.len() as f32) as usize;
                match (round % 4, boxes.get_mut(at)) {
                    (1, Some(slot)) => {
                        if let Some((leaf, _)) = slot.take() {
                            tree.remove(leaf);
                        }
                    }
                    (2, Some(Some((leaf, bounds)))) => {
                        *bounds = a_box(&mut state, spread);
                        tree.relocate(*leaf, *bounds);
                    }
                    _ => {
                        let bounds = a_box(&mut state, spread);
                        let leaf = tree.insert(bounds, boxes.len() as u32);
                        boxes.push(Some((leaf, bounds)));
                    }
                }
                assert_eq!(tree.validate(), boxes.iter().flatten().count());
                let window = a_box(&mut state, spread);
                let mut found = Vec::new();
                tree.overlapping(window, &mut stack, |item| found.push(item as usize));
                found.sort_unstable();
                let expected: Vec<usize> =
                    (0..boxes.len()).filter(|k| boxes[*k].is_some_and(|(_, b)| b.overlaps(window))).collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn the_tree_stays_shallow() {
        // All in one place, along a line, and anywhere.
        for kind in 0..3 {
            let (mut tree, mut state) = (Tree::default(), 9_u32);
            for k in 0..4096_u32 {
                let bounds = match kind {
                    0 => Aabb { min: Vec3::new(0.0, 0.0, 0.0), max: Vec3::new(1.0, 1.0, 1.0) },
                    1 => {
                        let min = Vec3::new(k as f32, 0.0, 0.0);
                        Aabb { min, max: min + Vec3::new(1.0, 1.0, 1.0) }
                    }
                    _ => a_box(&mut state, 50.0),
                };
                tree.insert(bounds, k);
            }
            assert!(tree.height() <= 40, "kind {kind}: {}", tree.height());
        }
    }

    #[test]
    fn pairs_are_sorted_and_complete() {
        let (mut phase, mut state) = (BroadPhase::default(), 3_u32);
        let boxes: Vec<_> = (0..200_u32).map(|_| a_box(&mut state, 6.0)).collect();
        for (k, bounds) in boxes.iter().enumerate() {
            phase.insert(k % 3 == 0, *bounds, k as u32);
            phase.touch(k as u32);
        }
        let pairs = phase.new_pairs(|k| (boxes[k as usize], k % 3 == 0), |_, _| true).to_vec();
        let mut expected = Vec::new();
        for a in 0..200_u32 {
            for b in a + 1..200 {
                let both_still = a % 3 == 0 && b % 3 == 0;
                if !both_still && boxes[a as usize].overlaps(boxes[b as usize]) {
                    expected.push([a, b]);
                }
            }
        }
        assert_eq!(pairs, expected);
        assert!(phase.new_pairs(|k| (boxes[k as usize], k % 3 == 0), |_, _| true).is_empty());
    }
}
