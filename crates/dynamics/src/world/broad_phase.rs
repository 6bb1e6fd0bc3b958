//! Which boxes overlap: two trees of fat boxes, asked only about those that moved.
//!
//! Still and moving shapes have a [`DynamicBvh`] each, so that a large world costs nothing while it rests. What
//! moves in a step is moved all together at its end, which refits the tree in one sweep instead of going to the
//! root and back for each box. What is fast has a box around its whole way there (see `continuous`); the pairs that are found
//! with those hold for where it got to as well, so they are kept for the next step instead of being looked for again. A box
//! in a tree may thus be larger than that of its shape, and whoever asks for pairs compares those. Boxes without an end, those of half-spaces, are kept beside the trees. The rest of
//! the engine sees boxes that go in and sorted pairs that come out.

use super::contact::NONE;
use super::threads::{Lists, Pool};
use carom_geometry::bound::Aabb;
use carom_geometry::bvh::{DynamicBvh, PairParts};
use carom_math::Vector;
use core::cell::RefCell;
use core::ops::ControlFlow;

/// A tree of boxes.
///
/// Boxes have numbers of their own, one after the other: the tree keeps an array over them, which a few moving
/// things among a million still ones should not pay for.
#[derive(Clone, Debug)]
pub(crate) struct Tree<V: Vector> {
    boxes: DynamicBvh<V>,
    /// Whose box it is, by its number.
    items: Vec<u32>,
    free: Vec<u32>,
    /// Items whose boxes are not finite: they overlap everything.
    endless: Vec<u32>,
    /// Whether any of those is new.
    has_new_endless: bool,
}

/// The number of an item's box in its tree, by item; `NONE` for those that have none.
type Leaves = Vec<u32>;

impl<V: Vector> Default for Tree<V> {
    fn default() -> Self {
        Tree {
            // A step runs on the threads of its world and on no others.
            boxes: DynamicBvh::default().on_one_thread(),
            items: Vec::new(),
            free: Vec::new(),
            endless: Vec::new(),
            has_new_endless: false,
        }
    }
}

fn is_finite<V: Vector>(bounds: Aabb<V>) -> bool {
    bounds.min.finite() && bounds.max.finite()
}

/// The number of an item's box.
fn leaf_of(leaves: &Leaves, item: u32) -> Option<usize> {
    leaves.get(item as usize).filter(|leaf| **leaf != NONE).map(|leaf| *leaf as usize)
}

impl<V: Vector<Scalar = f32>> Tree<V> {
    /// Gives an item a box, whether it has one or not. The pairs of one that `rests` are not looked for.
    fn put(&mut self, leaves: &mut Leaves, item: u32, bounds: Aabb<V>, rests: bool) {
        if is_finite(bounds) {
            let known = leaf_of(leaves, item);
            let leaf =
                known.unwrap_or_else(|| self.free.last().map_or(self.items.len(), |leaf| *leaf as usize));
            let put =
                if rests { self.boxes.insert_at_rest(leaf, bounds) } else { self.boxes.insert(leaf, bounds) };
            if put.is_ok() {
                if known.is_none() {
                    self.number(leaves, item, leaf);
                }
                self.endless.retain(|endless| *endless != item);
                return;
            }
        }
        // A box that the tree refuses is kept beside it.
        self.remove(leaves, item);
        self.endless.push(item);
        self.has_new_endless = true;
    }
    /// A box has got the number that was next.
    fn number(&mut self, leaves: &mut Leaves, item: u32, leaf: usize) {
        if self.free.pop().is_some() {
            self.items[leaf] = item;
        } else {
            self.items.push(item);
        }
        if leaves.len() <= item as usize {
            leaves.resize(item as usize + 1, NONE);
        }
        leaves[item as usize] = leaf as u32;
    }
    /// Forgets an item.
    fn remove(&mut self, leaves: &mut Leaves, item: u32) {
        if let Some(leaf) = leaf_of(leaves, item) {
            self.boxes.remove(leaf);
            self.free.push(leaf as u32);
            leaves[item as usize] = NONE;
        }
        self.endless.retain(|endless| *endless != item);
    }
    /// The pairs of an item are looked for at the next occasion; of its box, if it has one.
    fn touch(&mut self, item: u32, leaf: Option<usize>) {
        match leaf.filter(|leaf| self.items.get(*leaf) == Some(&item)) {
            Some(leaf) => _ = self.boxes.mark_moved(leaf),
            None => self.has_new_endless |= self.endless.contains(&item),
        }
    }
    fn forget_moves(&mut self) {
        self.boxes.forget_moves();
        self.has_new_endless = false;
    }

    /// Visits every item whose box overlaps the given one.
    #[inline]
    pub(crate) fn overlapping(&self, bounds: Aabb<V>, mut visit: impl FnMut(u32)) {
        self.endless.iter().for_each(|item| visit(*item));
        let _ = self.boxes.overlapping(bounds, |leaf| {
            visit(self.items[leaf]);
            ControlFlow::<()>::Continue(())
        });
    }
    /// Visits items, those with the least bounds first, until the visitor says false. `bound` is asked about
    /// boxes and the boxes around them, and gives a number that nothing in the box is below, or `None` when
    /// nothing in it matters; it may change its mind on the way.
    pub(crate) fn search(
        &self,
        mut bound: impl FnMut(Aabb<V>) -> Option<f32>,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        for item in &self.endless {
            if bound(Aabb::unbounded()).is_some() && !visit(*item) {
                return;
            }
        }
        // No number at all is what the tree passes over.
        let bound = RefCell::new((bound, true));
        let lower = |bounds: Aabb<V>| {
            let mut bound = bound.borrow_mut();
            if bound.1 { (bound.0)(bounds).unwrap_or(f32::NAN) } else { f32::NAN }
        };
        let _ = self.boxes.nearest(lower, |leaf| {
            let still_matters = {
                let own = self.boxes.bounds_of(leaf);
                own.is_some_and(|own| !lower(own).is_nan())
            };
            if still_matters && !visit(self.items[leaf]) {
                bound.borrow_mut().1 = false;
            }
            f32::NAN
        });
    }
    #[cfg(test)]
    fn validate(&self) -> Result<usize, String> {
        self.boxes.validate().map(|()| self.boxes.len())
    }
}

/// How many known pairs are looked at as one piece of work.
const KNOWN_PIECE: usize = 256;

/// Both trees, and what moves at the end of the step.
#[derive(Clone, Debug)]
pub(crate) struct BroadPhase<V: Vector> {
    pub(crate) still: Tree<V>,
    pub(crate) moving: Tree<V>,
    leaves: Leaves,
    /// The boxes of the shapes, which those in the trees contain, by item: what is asked most often lies close together.
    own: Vec<Aabb<V>>,
    /// New boxes, by their numbers.
    moves: Vec<(usize, Aabb<V>)>,
    /// The search for pairs among what moves, and of that with what is still.
    own_parts: PairParts,
    still_parts: PairParts,
    found: Lists<[u32; 2]>,
    pairs: Vec<[u32; 2]>,
    /// Pairs that were found since the last time they were asked for; their boxes have not moved since.
    known: Vec<[u32; 2]>,
}

impl<V: Vector> Default for BroadPhase<V> {
    fn default() -> Self {
        BroadPhase {
            still: Tree::default(),
            moving: Tree::default(),
            leaves: Leaves::new(),
            own: Vec::new(),
            moves: Vec::new(),
            own_parts: PairParts::default(),
            still_parts: PairParts::default(),
            found: Lists::default(),
            pairs: Vec::new(),
            known: Vec::new(),
        }
    }
}

impl<V: Vector<Scalar = f32>> BroadPhase<V> {
    fn tree(&mut self, is_still: bool) -> (&mut Tree<V>, &mut Leaves) {
        (if is_still { &mut self.still } else { &mut self.moving }, &mut self.leaves)
    }
    /// Gives a shape a box, or another box; its pairs are looked for at the next occasion.
    pub(crate) fn put(&mut self, is_still: bool, bounds: Aabb<V>, item: u32) {
        if self.own.len() <= item as usize {
            self.own.resize(item as usize + 1, Aabb::empty());
        }
        self.own[item as usize] = bounds;
        self.put_in_tree(is_still, bounds, item);
    }
    fn put_in_tree(&mut self, is_still: bool, bounds: Aabb<V>, item: u32) {
        // Where nothing moves yet, whatever comes finds all that is there.
        let rests = is_still && self.moving.boxes.is_empty() && self.moving.endless.is_empty();
        let (tree, leaves) = self.tree(is_still);
        tree.put(leaves, item, bounds, rests);
        if !rests {
            tree.touch(item, leaf_of(leaves, item));
        }
    }
    pub(crate) fn remove(&mut self, is_still: bool, item: u32) {
        // Its number may soon be another's.
        self.flush();
        self.look_again();
        let (tree, leaves) = self.tree(is_still);
        tree.remove(leaves, item);
    }
    /// The same as [`put`](Self::put) for something that moves, by the next [`flush`](Self::flush) at the latest.
    #[inline]
    pub(crate) fn move_later(&mut self, bounds: Aabb<V>, item: u32) {
        if let Some(own) = self.own.get_mut(item as usize) {
            *own = bounds;
        }
        self.move_in_tree(bounds, item);
    }
    #[inline]
    fn move_in_tree(&mut self, bounds: Aabb<V>, item: u32) {
        match leaf_of(&self.leaves, item).filter(|_| is_finite(bounds)) {
            Some(leaf) => self.moves.push((leaf, bounds)),
            None => self.put_in_tree(false, bounds, item),
        }
    }
    /// Gives a shape a box in the tree for a while. Its pairs are looked for even if the box is the one that it has there.
    #[inline]
    pub(crate) fn enlarge(&mut self, bounds: Aabb<V>, item: u32) {
        let leaf = leaf_of(&self.leaves, item);
        match leaf.filter(|leaf| self.moving.boxes.bounds_of(*leaf) == Some(bounds)) {
            Some(leaf) => self.moving.touch(item, Some(leaf)),
            None => self.move_in_tree(bounds, item),
        }
    }
    /// The same as [`move_later`](Self::move_later), but if the box that it has in the tree contains the given one that stays, and
    /// its pairs are known.
    #[inline]
    pub(crate) fn cover(&mut self, bounds: Aabb<V>, item: u32) {
        let large = leaf_of(&self.leaves, item).and_then(|leaf| self.moving.boxes.bounds_of(leaf));
        if !large.is_some_and(|large| large.contains_box(bounds)) {
            self.move_later(bounds, item);
        } else if let Some(own) = self.own.get_mut(item as usize) {
            *own = bounds;
        }
    }
    /// Whether the boxes of two shapes overlap.
    #[inline(always)]
    fn overlap(&self, a: u32, b: u32) -> bool {
        match (self.own.get(a as usize), self.own.get(b as usize)) {
            (Some(a), Some(b)) => a.overlaps(*b),
            _ => false,
        }
    }
    /// Moves what was to be moved later.
    pub(crate) fn flush(&mut self) {
        if self.moves.is_empty() {
            return;
        }
        if self.moving.boxes.move_many(&self.moves).is_err() {
            // Something among them is refused: one by one, so that only that is kept beside the tree.
            let mut moves = core::mem::take(&mut self.moves);
            for (leaf, bounds) in moves.drain(..) {
                self.put_in_tree(false, bounds, self.moving.items[leaf]);
            }
            self.moves = moves;
        }
        self.moves.clear();
    }
    /// Those whose pairs are to be looked for, in order.
    pub(crate) fn touched(&self) -> Vec<u32> {
        let mut items: Vec<u32> = self.moves.iter().map(|(leaf, _)| self.moving.items[*leaf]).collect();
        for tree in [&self.still, &self.moving] {
            items.extend(tree.boxes.moved().into_iter().map(|leaf| tree.items[leaf]));
            if tree.has_new_endless {
                items.extend(&tree.endless);
            }
        }
        items.extend(self.known.iter().flatten());
        items.sort_unstable();
        items.dedup();
        items
    }
    /// No pairs are to be looked for.
    pub(crate) fn forget_moves(&mut self) {
        self.flush();
        self.known.clear();
        self.still.forget_moves();
        self.moving.forget_moves();
    }
    /// Takes note of all pairs with a box that has moved; from now on nothing has moved.
    pub(crate) fn know(&mut self, pairs: &mut Lists<[u32; 2]>) {
        self.still.forget_moves();
        self.moving.forget_moves();
        pairs.drain_into(&mut self.known);
    }
    /// Forgets what is known: the boxes count as moved again.
    fn look_again(&mut self) {
        let mut known = core::mem::take(&mut self.known);
        for [a, _] in known.drain(..) {
            self.touch(a);
        }
        self.known = known;
    }
    /// Its pairs are looked for at the next occasion.
    pub(crate) fn touch(&mut self, item: u32) {
        let leaf = leaf_of(&self.leaves, item);
        self.moving.touch(item, leaf);
        self.still.touch(item, leaf);
    }
    /// All pairs with a box that has moved, sorted, the lower index first; none of two still ones. `wanted` drops
    /// pairs early. Afterwards nothing has moved.
    pub(crate) fn new_pairs(&mut self, pool: &Pool, wanted: impl Fn(u32, u32) -> bool + Sync) -> &[[u32; 2]] {
        self.flush();
        self.cut(pool);
        self.found.fit(pool);
        let (phase, parts) = (&*self, self.parts());
        // What is known comes in pieces, after the parts.
        let pieces = self.known.len().div_ceil(KNOWN_PIECE);
        pool.share_out(parts + pieces, 1, &|worker, range| {
            let Some(mut found) = phase.found.of(worker) else { return };
            let mut visit = |a: u32, b: u32| {
                if phase.overlap(a, b) && wanted(a, b) {
                    found.push([a.min(b), a.max(b)]);
                }
            };
            for at in range {
                match at.checked_sub(parts) {
                    None => phase.visit_part(at, &mut visit),
                    Some(piece) => {
                        let piece = phase.known.iter().skip(piece * KNOWN_PIECE).take(KNOWN_PIECE);
                        piece.for_each(|[a, b]| visit(*a, *b));
                    }
                }
            }
        });
        self.forget_moves();
        self.pairs.clear();
        self.found.drain_into(&mut self.pairs);
        self.pairs.sort_unstable();
        self.pairs.dedup();
        &self.pairs
    }
    /// Cuts the search for pairs with a box that has moved, so that all workers have enough to do.
    pub(crate) fn cut(&mut self, pool: &Pool) {
        let BroadPhase { still, moving, own_parts, still_parts, .. } = self;
        let count = if pool.count() == 1 { 1 } else { 16 * pool.count() };
        moving.boxes.cut_moved_pairs(None, count, own_parts);
        moving.boxes.cut_moved_pairs(Some(&still.boxes), count, still_parts);
    }
    /// How many parts that are.
    pub(crate) fn parts(&self) -> usize {
        self.own_parts.len() + self.still_parts.len() + 1
    }
    /// Visits the pairs of a part; each is in one part at least, and none is of two still ones.
    pub(crate) fn visit_part(&self, part: usize, mut visit: impl FnMut(u32, u32)) {
        let BroadPhase { still, moving, own_parts, still_parts, .. } = self;
        let mut emit = |a: u32, b: u32| {
            if a != b {
                visit(a, b);
            }
        };
        let go_on = ControlFlow::<()>::Continue(());
        if part < own_parts.len() {
            let _ = moving.boxes.visit_moved_pairs_of(None, own_parts, part, |a, b| {
                emit(moving.items[a as usize], moving.items[b as usize]);
                go_on
            });
            return;
        }
        let part = part - own_parts.len();
        if part < still_parts.len() {
            let _ = moving.boxes.visit_moved_pairs_of(Some(&still.boxes), still_parts, part, |a, b| {
                emit(moving.items[a as usize], still.items[b as usize]);
                go_on
            });
            return;
        }
        for (one, other) in [(still, moving), (moving, moving), (moving, still)] {
            for &endless in &one.endless {
                if one.has_new_endless {
                    other.boxes.iter().for_each(|(leaf, _)| emit(endless, other.items[leaf]));
                } else {
                    other.boxes.visit_moved(|leaf| emit(endless, other.items[leaf]));
                }
                if one.has_new_endless || other.has_new_endless {
                    other.endless.iter().for_each(|item| emit(endless, *item));
                }
            }
        }
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
            let (mut tree, mut leaves, mut state) = (Tree::default(), Leaves::new(), 5_u32);
            let mut boxes: Vec<Option<Aabb<Vec3<f32>>>> = Vec::new();
            for round in 0..400_u32 {
                let at = (random(&mut state) * boxes.len() as f32) as usize;
                match (round % 4, boxes.get_mut(at)) {
                    (1, Some(slot)) => {
                        *slot = None;
                        tree.remove(&mut leaves, at as u32);
                    }
                    (2, Some(Some(bounds))) => {
                        // Some have no end, and get one again.
                        *bounds = a_box(&mut state, spread);
                        if round % 8 == 2 {
                            bounds.max.y = f32::INFINITY;
                        }
                        tree.put(&mut leaves, at as u32, *bounds, false);
                    }
                    _ => {
                        let bounds = a_box(&mut state, spread);
                        tree.put(&mut leaves, boxes.len() as u32, bounds, round % 3 == 0);
                        boxes.push(Some(bounds));
                    }
                }
                let finite = boxes.iter().flatten().filter(|bounds| is_finite(**bounds)).count();
                assert_eq!(tree.validate(), Ok(finite));
                let window = a_box(&mut state, spread);
                let (mut found, mut searched) = (Vec::new(), Vec::new());
                tree.overlapping(window, |item| found.push(item as usize));
                let bound = |bounds: Aabb<Vec3<f32>>| bounds.overlaps(window).then_some(0.0);
                tree.search(bound, |item| {
                    searched.push(item as usize);
                    true
                });
                found.sort_unstable();
                searched.sort_unstable();
                // What has no end overlaps everything.
                let meets = |bounds: Aabb<Vec3<f32>>| !is_finite(bounds) || bounds.overlaps(window);
                let expected: Vec<usize> =
                    (0..boxes.len()).filter(|k| boxes[*k].is_some_and(meets)).collect();
                assert_eq!(found, expected);
                assert_eq!(searched, expected);
            }
        }
    }

    #[test]
    fn pairs_are_sorted_and_complete_and_of_what_moved() {
        for workers in [1, 3] {
            pairs_of_what_moved(&Pool::new(workers));
        }
    }

    fn pairs_of_what_moved(pool: &Pool) {
        let (mut phase, mut state) = (BroadPhase::default(), 3_u32);
        let is_still = |k: u32| k.is_multiple_of(3);
        let mut boxes: Vec<_> = (0..200_u32).map(|_| a_box(&mut state, 6.0)).collect();
        boxes[9] = Aabb::unbounded();
        for (k, bounds) in boxes.iter().enumerate() {
            phase.put(is_still(k as u32), *bounds, k as u32);
        }
        let expected = |boxes: &[Aabb<Vec3<f32>>], moved: &dyn Fn(u32) -> bool| {
            let mut pairs = Vec::new();
            for a in 0..200_u32 {
                for b in a + 1..200 {
                    let matters = !(is_still(a) && is_still(b)) && (moved(a) || moved(b));
                    if matters && boxes[a as usize].overlaps(boxes[b as usize]) {
                        pairs.push([a, b]);
                    }
                }
            }
            pairs
        };
        assert_eq!(phase.new_pairs(pool, |_, _| true), expected(&boxes, &|_| true));
        assert!(phase.new_pairs(pool, |_, _| true).is_empty());
        // Few, many, and one that is only said to have moved.
        for step in [50_u32, 2, 1] {
            let moves = |k: u32| !is_still(k) && k.is_multiple_of(step);
            for k in (0..200).filter(|k| moves(*k)) {
                boxes[k as usize] = a_box(&mut state, 6.0);
                phase.move_later(boxes[k as usize], k);
            }
            phase.touch(12);
            assert_eq!(phase.new_pairs(pool, |_, _| true), expected(&boxes, &|k| moves(k) || k == 12));
        }
    }

    #[test]
    fn pairs_that_are_known_are_not_lost() {
        let pool = Pool::new(2);
        let (mut phase, mut state) = (BroadPhase::default(), 11_u32);
        let boxes: Vec<_> = (0..150_u32).map(|_| a_box(&mut state, 5.0)).collect();
        for (k, bounds) in boxes.iter().enumerate() {
            phase.put(k % 4 == 0, *bounds, k as u32);
        }
        let expected = |gone: Option<u32>| -> Vec<[u32; 2]> {
            let pairs = (0..150_u32).flat_map(|a| (a + 1..150).map(move |b| [a, b]));
            let matters =
                |[a, b]: &[u32; 2]| (a % 4 != 0 || b % 4 != 0) && gone != Some(*a) && gone != Some(*b);
            pairs.filter(matters).filter(|[a, b]| boxes[*a as usize].overlaps(boxes[*b as usize])).collect()
        };
        let know = |phase: &mut BroadPhase<Vec3<f32>>| {
            let mut found = Lists::default();
            found.fit(&pool);
            phase.cut(&pool);
            let mut list = found.of(0).unwrap();
            (0..phase.parts()).for_each(|part| phase.visit_part(part, |a, b| list.push([a, b])));
            drop(list);
            phase.know(&mut found);
        };
        know(&mut phase);
        // A box within the one that the tree has changes nothing.
        phase.cover(boxes[1], 1);
        assert!(phase.moves.is_empty() && phase.moving.boxes.moved().is_empty());
        let mut touched: Vec<u32> = expected(None).into_iter().flatten().collect();
        touched.sort_unstable();
        touched.dedup();
        assert_eq!(phase.touched(), touched);
        assert_eq!(phase.new_pairs(&pool, |_, _| true), expected(None));
        assert!(phase.new_pairs(&pool, |_, _| true).is_empty());
        // The number of something that goes may be another's by the time.
        boxes
            .iter()
            .enumerate()
            .filter(|(k, _)| k % 4 != 0)
            .for_each(|(k, own)| phase.enlarge(*own, k as u32));
        know(&mut phase);
        phase.remove(false, 7);
        assert_eq!(phase.new_pairs(&pool, |_, _| true), expected(Some(7)));
    }
}
