//! Which boxes overlap: two trees of fat boxes, asked only about those that moved.
//!
//! Still and moving shapes have a [`DynamicBvh`] each, so that a large world costs nothing while it rests. What
//! moves in a step is moved all together at its end, which refits the tree in one sweep instead of going to the
//! root and back for each box. Boxes without an end, those of half-spaces, are kept beside the trees. The rest of
//! the engine sees boxes that go in and sorted pairs that come out.

use carom_geometry::bound::Aabb;
use carom_geometry::bvh::DynamicBvh;
use carom_math::Vector;
use core::cell::RefCell;
use core::ops::ControlFlow;

/// A tree of boxes.
#[derive(Clone, Debug)]
pub(crate) struct Tree<V: Vector> {
    boxes: DynamicBvh<V>,
    /// Items whose boxes are not finite: they overlap everything.
    endless: Vec<u32>,
    /// Whether any of those is new.
    has_new_endless: bool,
}

impl<V: Vector> Default for Tree<V> {
    fn default() -> Self {
        Tree { boxes: DynamicBvh::default(), endless: Vec::new(), has_new_endless: false }
    }
}

fn is_finite<V: Vector>(bounds: Aabb<V>) -> bool {
    bounds.min.finite() && bounds.max.finite()
}

impl<V: Vector<Scalar = f32>> Tree<V> {
    /// Gives an item a box, whether it has one or not.
    pub(crate) fn put(&mut self, item: u32, bounds: Aabb<V>) {
        // A box that the tree refuses is kept beside it.
        if is_finite(bounds) && self.boxes.insert(item as usize, bounds).is_ok() {
            self.endless.retain(|endless| *endless != item);
            return;
        }
        self.boxes.remove(item as usize);
        if !self.endless.contains(&item) {
            self.endless.push(item);
        }
        self.has_new_endless = true;
    }
    /// Forgets an item.
    pub(crate) fn remove(&mut self, item: u32) {
        self.boxes.remove(item as usize);
        self.endless.retain(|endless| *endless != item);
    }
    /// The pairs of an item are looked for at the next occasion.
    fn touch(&mut self, item: u32) {
        if !self.boxes.mark_moved(item as usize) {
            self.has_new_endless |= self.endless.contains(&item);
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
        let _ = self.boxes.overlapping(bounds, |item| {
            visit(item as u32);
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
        let _ = self.boxes.nearest(lower, |item| {
            let still_matters = {
                let own = self.boxes.bounds_of(item);
                own.is_some_and(|own| !lower(own).is_nan())
            };
            if still_matters && !visit(item as u32) {
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

/// Both trees, and what moves at the end of the step.
#[derive(Clone, Debug)]
pub(crate) struct BroadPhase<V: Vector> {
    pub(crate) still: Tree<V>,
    pub(crate) moving: Tree<V>,
    moves: Vec<(usize, Aabb<V>)>,
    pairs: Vec<[u32; 2]>,
}

impl<V: Vector> Default for BroadPhase<V> {
    fn default() -> Self {
        BroadPhase { still: Tree::default(), moving: Tree::default(), moves: Vec::new(), pairs: Vec::new() }
    }
}

impl<V: Vector<Scalar = f32>> BroadPhase<V> {
    fn tree(&mut self, is_still: bool) -> &mut Tree<V> {
        if is_still { &mut self.still } else { &mut self.moving }
    }
    /// Gives a shape a box, or another box; its pairs are looked for at the next occasion.
    pub(crate) fn put(&mut self, is_still: bool, bounds: Aabb<V>, item: u32) {
        let tree = self.tree(is_still);
        tree.put(item, bounds);
        tree.touch(item);
    }
    pub(crate) fn remove(&mut self, is_still: bool, item: u32) {
        self.tree(is_still).remove(item);
    }
    /// The same as [`put`](Self::put) for something that moves, by the next [`flush`](Self::flush) at the latest.
    #[inline]
    pub(crate) fn move_later(&mut self, bounds: Aabb<V>, item: u32) {
        if is_finite(bounds) && self.moving.endless.is_empty() {
            self.moves.push((item as usize, bounds));
        } else {
            self.put(false, bounds, item);
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
            moves.iter().for_each(|(item, bounds)| self.put(false, *bounds, *item as u32));
            moves.clear();
            self.moves = moves;
        }
        self.moves.clear();
    }
    /// Those whose pairs are to be looked for, in order.
    pub(crate) fn touched(&self) -> Vec<u32> {
        let mut items: Vec<u32> = self.moves.iter().map(|(item, _)| *item as u32).collect();
        for tree in [&self.still, &self.moving] {
            items.extend(tree.boxes.moved().into_iter().map(|item| item as u32));
            if tree.has_new_endless {
                items.extend(&tree.endless);
            }
        }
        items.sort_unstable();
        items.dedup();
        items
    }
    /// No pairs are to be looked for.
    pub(crate) fn forget_moves(&mut self) {
        self.flush();
        self.still.forget_moves();
        self.moving.forget_moves();
    }
    /// Its pairs are looked for at the next occasion.
    pub(crate) fn touch(&mut self, item: u32) {
        self.moving.touch(item);
        self.still.touch(item);
    }
    /// All pairs with a box that has moved, sorted, the lower index first; none of two still ones. `wanted` drops
    /// pairs early.
    pub(crate) fn new_pairs(&mut self, wanted: impl Fn(u32, u32) -> bool) -> &[[u32; 2]] {
        self.flush();
        let BroadPhase { still, moving, pairs, .. } = self;
        pairs.clear();
        let mut emit = |a: u32, b: u32| {
            if a != b && wanted(a, b) {
                pairs.push([a.min(b), a.max(b)]);
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = moving.boxes.visit_moved_pairs(&mut emit);
        let _ = moving.boxes.visit_moved_pairs_with(&still.boxes, &mut emit);
        for (one, other) in [(&*still, &*moving), (&*moving, &*moving), (&*moving, &*still)] {
            for &endless in &one.endless {
                if one.has_new_endless {
                    other.boxes.iter().for_each(|(item, _)| _ = emit(endless, item as u32));
                } else {
                    other.boxes.visit_moved(|item| _ = emit(endless, item as u32));
                }
                if one.has_new_endless || other.has_new_endless {
                    other.endless.iter().for_each(|item| _ = emit(endless, *item));
                }
            }
        }
        still.forget_moves();
        moving.forget_moves();
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
            let (mut tree, mut state) = (Tree::default(), 5_u32);
            let mut boxes: Vec<Option<Aabb<Vec3<f32>>>> = Vec::new();
            for round in 0..400_u32 {
                let at = (random(&mut state) * boxes.len() as f32) as usize;
                match (round % 4, boxes.get_mut(at)) {
                    (1, Some(slot)) => {
                        *slot = None;
                        tree.remove(at as u32);
                    }
                    (2, Some(Some(bounds))) => {
                        // Some have no end, and get one again.
                        *bounds = a_box(&mut state, spread);
                        if round % 8 == 2 {
                            bounds.max.y = f32::INFINITY;
                        }
                        tree.put(at as u32, *bounds);
                    }
                    _ => {
                        let bounds = a_box(&mut state, spread);
                        tree.put(boxes.len() as u32, bounds);
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
        assert_eq!(phase.new_pairs(|_, _| true), expected(&boxes, &|_| true));
        assert!(phase.new_pairs(|_, _| true).is_empty());
        // Few, many, and one that is only said to have moved.
        for step in [50_u32, 2, 1] {
            let moves = |k: u32| !is_still(k) && k.is_multiple_of(step);
            for k in (0..200).filter(|k| moves(*k)) {
                boxes[k as usize] = a_box(&mut state, 6.0);
                phase.move_later(boxes[k as usize], k);
            }
            phase.touch(12);
            assert_eq!(phase.new_pairs(|_, _| true), expected(&boxes, &|k| moves(k) || k == 12));
        }
    }
}
