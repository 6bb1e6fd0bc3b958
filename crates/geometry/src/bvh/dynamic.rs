//! A tree for boxes that come, go and move.
//!
//! All items are equally deep, as in a B-tree (Guttman's R-tree 1984, with the split of the R*-tree, Beckmann
//! and others 1990): a node that overflows is split in two and its parent gets one more child, so
//! depth is O(log n) whatever comes in whatever order. Boxes are made larger by a margin when they enter and when they leave
//! their enlarged box, so that small motions change nothing (Box2D). Every box in a node is exactly the box around
//! what is below it, at any time.
//!
//! Items that moved are marked, and so is the way to them; pairs can be asked of these only.
//! The tree gets worse by moving, slowly; when its leaves have become half as large again as when it was built, it is
//! built anew. All of this depends on the calls only, never on time or threads.

use super::Bvh;
use super::build::{self, Form};
use super::change::Workshop;
use super::fill_records;
use super::node::{Frame, NOWHERE, Node};
use super::pairs::Two;
use super::stack::Stack;
use super::view::View;
use crate::Error;
use crate::bound::Aabb;
use crate::error::not_negative;
use carom_math::{Number, Real, Vector};
use core::ops::ControlFlow;

/// A tree over boxes that come, go and move.
///
/// Items are small whole numbers that the caller chooses, such as places in its own array: the memory grows with the largest.
/// What has left is forgotten; there are no generations here (see [`Index`](super::Index)).
///
/// Memory: about 60 bytes an item for the nodes in space (45 in the plane), its box and 4 bytes more.
///
/// # Example
/// ```
/// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
/// use carom_math::Vec2;
///
/// let unit_box_at = |x: f64| Aabb { min: Vec2::new(x, 0.0), max: Vec2::new(x + 1.0, 1.0) };
/// let mut tree = DynamicBvh::new(0.25)?;
/// tree.insert(0, unit_box_at(0.0))?;
/// tree.insert(1, unit_box_at(10.0))?;
/// tree.insert(2, unit_box_at(11.25))?;
/// assert_eq!(tree.moved_pairs(), [[1, 2]]); // within the margins
/// tree.forget_moves();
/// assert!(!tree.move_to(0, unit_box_at(0.125))?); // still in its enlarged box
/// assert!(tree.moved_pairs().is_empty());
/// assert!(tree.move_to(0, unit_box_at(9.0))?);
/// assert_eq!(tree.moved_pairs(), [[0, 1]]);
/// assert_eq!(tree.all_pairs(), [[0, 1], [1, 2]]);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DynamicBvh<V: Vector> {
    pub(super) nodes: Vec<Node<V>>,
    /// Nodes that are not in use.
    pub(super) free: Vec<u32>,
    pub(super) root: u32,
    /// How many nodes are above a leaf.
    pub(super) height: u32,
    pub(super) frame: Frame<V>,
    /// The enlarged box of each item.
    pub(super) boxes: Vec<Aabb<V>>,
    /// Where each item is: node·8 + slot.
    pub(super) places: Vec<u32>,
    pub(super) count: usize,
    pub(super) margin: V::Scalar,
    /// Single changes since the quality was looked at.
    pub(super) changes: usize,
    /// The measure of all leaves, an item, when the tree was built.
    pub(super) built_quality: f64,
    /// Whether a great part of the nodes may be marked as moved.
    pub(super) marked_all_over: bool,
    /// Whether other threads may take a part of the work.
    pub(super) shares_work: bool,
    /// Kept for its memory: which items of many left their boxes.
    pub(super) renewed: Vec<u64>,
    /// Kept for its memory.
    pub(super) workshop: Workshop<V>,
}

impl<V: Vector> DynamicBvh<V> {
    /// An empty tree; boxes will be enlarged by `margin` on every side.
    ///
    /// A larger margin makes for fewer changes and more pairs that are not needed. Zero is allowed: then every motion
    /// is a change.
    ///
    /// # Errors
    /// When the margin is negative or not finite.
    pub fn new(margin: V::Scalar) -> Result<Self, Error> {
        Ok(DynamicBvh { margin: not_negative("margin", margin)?, ..Self::without_margin() })
    }

    pub(super) fn without_margin() -> Self {
        DynamicBvh {
            nodes: Vec::new(),
            free: Vec::new(),
            root: NOWHERE,
            height: 0,
            frame: Frame::around(Aabb::empty()),
            boxes: Vec::new(),
            places: Vec::new(),
            count: 0,
            margin: V::Scalar::ZERO,
            changes: 0,
            built_quality: 0.0,
            marked_all_over: false,
            shares_work: true,
            renewed: Vec::new(),
            workshop: Workshop::default(),
        }
    }

    /// The tree over many boxes at once; item `i` is `boxes[i]`, and all count as moved.
    ///
    /// # Errors
    /// When the margin is negative, or a box is empty or not finite: the error names it.
    pub fn build(margin: V::Scalar, boxes: &[Aabb<V>]) -> Result<Self, Error> {
        let mut tree = Self::new(margin)?;
        for (item, own) in boxes.iter().enumerate() {
            check_box(item, *own)?;
        }
        tree.boxes = boxes.iter().map(|own| own.grown(margin)).collect();
        tree.places = vec![0; boxes.len()];
        tree.count = boxes.len();
        tree.rebuild();
        tree.nodes.iter_mut().for_each(|node| node.moved = node.used);
        tree.marked_all_over = true;
        Ok(tree)
    }

    /// The same tree, all of whose work is done by the thread that asks, whatever threads there are: for whoever has threads
    /// of his own. It changes the speed and nothing else.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::Vec2;
    /// let unit = Aabb { min: Vec2::new(0.0, 0.0), max: Vec2::new(1.0, 1.0) };
    /// let tree = DynamicBvh::build(0.25, &[unit, unit])?.on_one_thread();
    /// assert_eq!(tree.all_pairs(), [[0, 1]]);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn on_one_thread(self) -> Self {
        DynamicBvh { shares_work: false, ..self }
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no item.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How much boxes are enlarged by.
    #[must_use]
    pub fn margin(&self) -> V::Scalar {
        self.margin
    }

    /// How many nodes are on the way to an item.
    #[must_use]
    pub fn depth(&self) -> usize {
        if self.root == NOWHERE { 0 } else { self.height as usize + 1 }
    }

    /// The enlarged box of an item, or `None` when it is not there.
    #[must_use]
    pub fn bounds_of(&self, item: usize) -> Option<Aabb<V>> {
        self.place(item).and_then(|_| self.boxes.get(item).copied())
    }

    /// The items and their enlarged boxes, in order.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Aabb<V>)> {
        let there = self.places.iter().zip(&self.boxes).enumerate();
        there.filter(|(_, (place, _))| **place != NOWHERE).map(|(item, (_, own))| (item, *own))
    }

    /// How many bytes the tree holds on the heap, unused reserves not counted.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.nodes.len() * size_of::<Node<V>>() + self.boxes.len() * (size_of::<Aabb<V>>() + size_of::<u32>())
    }

    /// Puts an item in, or moves it when it is there already. It counts as moved.
    ///
    /// # Errors
    /// When the box is empty or not finite, or there is no memory for so large an item; the tree is then as it was.
    pub fn insert(&mut self, item: usize, bounds: Aabb<V>) -> Result<(), Error> {
        self.put_in(item, bounds, true)
    }

    /// Puts an item in; whether a new one counts as moved is the caller's choice.
    pub(super) fn put_in(&mut self, item: usize, bounds: Aabb<V>, moved: bool) -> Result<(), Error> {
        if self.place(item).is_some() {
            return self.move_to(item, bounds).map(|_| ());
        }
        let fat = check_box(item, bounds)?.grown(self.margin);
        if self.places.len() <= item {
            self.make_room(item)?;
            self.places.resize(item + 1, NOWHERE);
            self.boxes.resize(item + 1, Aabb::empty());
        }
        if self.count == 0 {
            self.frame = Frame::around(fat);
        }
        self.boxes[item] = fat;
        self.count += 1;
        self.add(item as u32, &self.frame.small(&fat), moved);
        self.note_change();
        Ok(())
    }

    /// Sees to it that the arrays can grow so far. Items are numbers of 32 bits, the last of which stands for none.
    fn make_room(&mut self, item: usize) -> Result<(), Error> {
        let most = u32::MAX as usize;
        let grows = |has: usize| (item < most).then(|| item + 1 - has);
        let is_possible = grows(self.places.len()).is_some_and(|more| self.places.try_reserve(more).is_ok())
            && grows(self.boxes.len()).is_some_and(|more| self.boxes.try_reserve(more).is_ok());
        let error =
            Error::NoSuchIndex { what: "an item, for which there is no memory,", index: item, count: most };
        if is_possible { Ok(()) } else { Err(error) }
    }

    /// Takes an item out; whether it was there.
    pub fn remove(&mut self, item: usize) -> bool {
        let Some((at, slot)) = self.place(item) else { return false };
        self.take(at, slot);
        self.places[item] = NOWHERE;
        // It serves nothing any more.
        self.boxes[item] = Aabb::empty();
        self.count -= 1;
        self.note_change();
        true
    }

    /// Gives an item a new box; whether it left its enlarged box, got a new one and so counts as moved.
    ///
    /// # Errors
    /// When there is no such item, or the box is empty or not finite; the tree is then as it was.
    pub fn move_to(&mut self, item: usize, bounds: Aabb<V>) -> Result<bool, Error> {
        self.present(item)?;
        let Some(fat) = self.refreshed(item, &check_box(item, bounds)?) else { return Ok(false) };
        self.relocate(item, fat);
        self.note_change();
        Ok(true)
    }

    /// The items that moved since [`forget_moves`](Self::forget_moves), in order.
    #[must_use]
    pub fn moved(&self) -> Vec<usize> {
        let mut moved = Vec::new();
        self.each_moved(|_, node, slot| moved.push(node.links[slot] as usize));
        moved.sort_unstable();
        moved
    }

    /// From now on nothing counts as moved.
    pub fn forget_moves(&mut self) {
        if core::mem::take(&mut self.marked_all_over) {
            // In the order of memory.
            self.nodes.iter_mut().for_each(|node| node.moved = 0);
            return;
        }
        let mut open = Stack::with(self.root);
        while let Some(at) = open.pop() {
            let Some(node) = self.nodes.get_mut(at as usize) else { continue };
            let below = Node::<V>::slots(node.moved & node.used & !node.items);
            below.for_each(|slot| open.push(node.links[slot]));
            node.moved = 0;
        }
    }

    /// Builds those small subtrees anew (of 300 items at most) in which a quarter of the items or more moved since
    /// [`forget_moves`](Self::forget_moves); how many. Keeps a tree good in which the same places are always busy,
    /// for a part of what building all of it costs.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::{Vec2, Vector};
    /// let at = |x: usize| Aabb { min: Vec2::splat(x as f32), max: Vec2::splat(x as f32 + 0.5) };
    /// let mut tree = DynamicBvh::build(0.0, &(0..1000).map(at).collect::<Vec<_>>())?;
    /// tree.forget_moves();
    /// for item in 0..100 {
    ///     tree.move_to(item, at(99 - item))?;
    /// }
    /// assert!(0 < tree.rebuild_marked());
    /// assert_eq!(tree.validate(), Ok(()));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn rebuild_marked(&mut self) -> usize {
        let level = self.height.min(MARKED_LEVEL);
        let mut open = vec![(self.root, self.height)];
        let mut count = 0;
        while let Some((at, above)) = open.pop() {
            let Some(node) = self.nodes.get(at as usize) else { continue };
            if above == level {
                count += usize::from(self.rebuild_below(at, level));
                continue;
            }
            open.extend(Node::<V>::slots(node.moved & node.used).map(|slot| (node.links[slot], above - 1)));
        }
        count
    }

    /// Builds the whole tree anew, which makes it as good as it gets. Happens by itself when needed.
    pub fn rebuild(&mut self) {
        let mut workshop = core::mem::take(&mut self.workshop);
        let Workshop { moved, records, built, .. } = &mut workshop;
        moved.clear();
        self.visit_moved(|item| moved.push(item as u32));
        let bounds = self.iter().fold(Aabb::empty(), |all, (_, own)| all.merged(own));
        self.frame = Frame::around(bounds);
        fill_records(records, &self.frame, bounds, self.iter().map(|(item, own)| (item as u32, own)));
        self.height = build::even_level(records.len());
        build::build_in(records, Form::Even(self.height), built, self.shares_work);
        core::mem::swap(&mut self.nodes, &mut built.nodes);
        self.free.clear();
        self.root = if self.nodes.is_empty() { NOWHERE } else { 0 };
        for at in 0..self.nodes.len() {
            self.adopt(at as u32);
        }
        for item in &*moved {
            if let Some((at, slot)) = self.place(*item as usize) {
                self.mark(at, slot);
            }
        }
        // What is larger is built anew seldom, and would hold as much memory as the tree itself.
        if records.len() <= build::GRAIN {
            self.workshop = workshop;
        }
        self.changes = 0;
        self.built_quality = self.quality();
    }
}

/// What can be asked; enlarged boxes count.
impl<V: Vector> DynamicBvh<V> {
    /// See [`Bvh::overlapping`].
    pub fn overlapping<B>(
        &self,
        bounds: Aabb<V>,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.view().overlapping(bounds, visit)
    }

    /// See [`Bvh::overlapping_ball`].
    pub fn overlapping_ball<B>(
        &self,
        center: V,
        radius: V::Scalar,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.view().overlapping_ball(center, radius, visit)
    }

    /// See [`Bvh::in_half_spaces`].
    pub fn in_half_spaces<B>(
        &self,
        half_spaces: &[(V, V::Scalar)],
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.view().in_half_spaces(half_spaces, visit)
    }

    /// See [`Bvh::cast_ray`].
    pub fn cast_ray(
        &self,
        origin: V,
        direction: V,
        max: V::Scalar,
        hit: impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        self.view().cast_ray(origin, direction, max, hit)
    }

    /// See [`Bvh::nearest`].
    pub fn nearest(
        &self,
        lower_bound: impl Fn(Aabb<V>) -> V::Scalar,
        distance: impl FnMut(usize) -> V::Scalar,
    ) -> Option<(usize, V::Scalar)> {
        self.view().nearest(lower_bound, distance)
    }

    /// See [`Bvh::nearest_boxes`].
    #[must_use]
    pub fn nearest_boxes(&self, point: V, count: usize) -> Vec<(usize, V::Scalar)> {
        self.view().nearest_boxes(point, count)
    }

    /// All pairs [i, j] of items, i < j, whose enlarged boxes overlap, in order; by all threads at hand,
    /// and the same for any number of them.
    #[must_use]
    pub fn all_pairs(&self) -> Vec<[u32; 2]> {
        self.own_pairs(false)
    }

    /// Those of [`all_pairs`](Self::all_pairs) of which one item, or both, moved since
    /// [`forget_moves`](Self::forget_moves): all that a broad phase has to look at.
    #[must_use]
    pub fn moved_pairs(&self) -> Vec<[u32; 2]> {
        self.own_pairs(true)
    }

    /// All pairs [i, j] of an item i of this tree and an item j of the other whose boxes overlap, in order.
    #[must_use]
    pub fn all_pairs_with(&self, other: &Bvh<V>) -> Vec<[u32; 2]> {
        self.pairs_with(other, false)
    }

    /// Those of [`all_pairs_with`](Self::all_pairs_with) whose item of this tree moved since
    /// [`forget_moves`](Self::forget_moves).
    #[must_use]
    pub fn moved_pairs_with(&self, other: &Bvh<V>) -> Vec<[u32; 2]> {
        self.pairs_with(other, true)
    }

    fn own_pairs(&self, only_moved: bool) -> Vec<[u32; 2]> {
        let view = self.view();
        Two { first: view, second: view, same: true, only_moved }
            .collect([self.places.len(); 2], self.shares_work)
    }

    fn pairs_with(&self, other: &Bvh<V>, only_moved: bool) -> Vec<[u32; 2]> {
        let two = Two { first: self.view(), second: other.view(), same: false, only_moved };
        two.collect([self.places.len(), other.len()], self.shares_work)
    }

    #[inline]
    pub(super) fn view(&self) -> View<'_, V> {
        View { nodes: &self.nodes, root: self.root, frame: &self.frame, exact: &self.boxes }
    }
}

/// The level of the roots of the subtrees that are built anew by themselves; leaves have level 0.
const MARKED_LEVEL: u32 = 2;

/// Whether a box is finite and not empty, without branches.
#[inline(always)]
pub(super) fn is_whole<V: Vector>(bounds: &Aabb<V>) -> bool {
    let (mut least, mut most, mut all) = (V::Scalar::ZERO, V::Scalar::ZERO, true);
    for axis in 0..V::DIM {
        let (low, high) = (bounds.min.get(axis), bounds.max.get(axis));
        // Not when one is a NaN either.
        all &= low <= high;
        (least, most) = (low.min_of(least), high.max_of(most));
    }
    all & (-V::Scalar::MAX <= least) & (most <= V::Scalar::MAX)
}

/// The box itself when it is finite and not empty.
pub(super) fn check_box<V: Vector>(item: usize, bounds: Aabb<V>) -> Result<Aabb<V>, Error> {
    if bounds.min.finite() && bounds.max.finite() && !bounds.is_empty() {
        return Ok(bounds);
    }
    for end in [bounds.min, bounds.max] {
        if let Some(axis) = (0..V::DIM).find(|axis| !end.get(*axis).finite()) {
            return Err(Error::BoxNotFinite { index: item, value: end.get(axis).to_f64() });
        }
    }
    Err(Error::BoxEmpty { index: item })
}
