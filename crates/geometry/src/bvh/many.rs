//! Moving many boxes of a [`DynamicBvh`] at once.
//!
//! Moves come in the order of the items, leaves lie in the order of the tree, and neighbours in one order are strangers in
//! the other. So each pass goes through memory in one order, and has no branches that nobody can foresee: the
//! processor then waits for many distant boxes at the same time, instead of one after another.

use super::dynamic::{DynamicBvh, check_box, is_whole};
use super::node::{Frame, NOWHERE, Node, WIDTH};
use super::probe::in_lanes;
use crate::Error;
use crate::bound::Aabb;
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, f32x4};
use carom_math::{Number, Real, Vector};

/// When one item in so many leaves its box, all nodes are looked at instead of the way to each item.
const MANY: usize = 8;

/// How many moves are looked at, and how many nodes are mended, at a time: they stay in the fastest cache.
const BLOCK: usize = 256;
const CHUNK: usize = 64;

impl<V: Vector> DynamicBvh<V> {
    /// [`move_to`](Self::move_to) for many items; how many got new enlarged boxes. When many do, this is quicker than one by
    /// one.
    ///
    /// When an eighth of all items or more leave their boxes, and the moves are in the order of the items, those that come closer to an end of theirs than
    /// half the margin get new ones too: they would leave soon, and a step in which a few leave costs nearly as much as
    /// one in which all do.
    ///
    /// # Errors
    /// When there is no such item, or a box is empty or not finite; the tree is then as it was.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::DynamicBvh};
    /// use carom_math::Vec2;
    /// let at = |x: f32| Aabb { min: Vec2::new(x, 0.0), max: Vec2::new(x + 1.0, 1.0) };
    /// let mut tree = DynamicBvh::build(0.0, &[at(0.0), at(2.0), at(4.0)])?;
    /// assert!(tree.all_pairs().is_empty());
    /// assert_eq!(tree.move_many(&[(0, at(1.0)), (2, at(4.0))])?, 1);
    /// assert_eq!(tree.all_pairs(), [[0, 1]]);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn move_many(&mut self, moves: &[(usize, Aabb<V>)]) -> Result<usize, Error> {
        let threshold = self.count.div_ceil(MANY);
        if moves.len() < threshold {
            self.check_moves(moves)?;
            return Ok(self.move_each(moves));
        }
        // New boxes of trees in `f64` cannot be taken back: leaves know only what they are rounded to.
        if !Frame::<V>::EXACT {
            self.check_moves(moves)?;
        }
        let mut renewed = core::mem::take(&mut self.renewed);
        renewed.clear();
        renewed.resize(self.boxes.len().div_ceil(64), 0);
        let left = self.renew(moves, threshold, &mut renewed);
        let result = match left {
            None => {
                self.restore(&renewed);
                self.check_moves(moves).map(|()| 0)
            }
            Some(left) if left < threshold => Ok(self.relocate_set(&renewed, left)),
            Some(left) => Ok(self.refit(&renewed, left)),
        };
        self.renewed = renewed;
        result
    }

    /// Whether there are such items and their boxes are finite and not empty.
    fn check_moves(&self, moves: &[(usize, Aabb<V>)]) -> Result<(), Error> {
        let is_sound = |(item, bounds): &(usize, Aabb<V>)| self.is_there(*item) & is_whole(bounds);
        if moves.iter().fold(true, |all, one| all & is_sound(one)) {
            return Ok(());
        }
        moves.iter().try_for_each(|(item, bounds)| {
            self.present(*item)?;
            check_box(*item, *bounds).map(|_| ())
        })
    }

    #[inline(always)]
    fn is_there(&self, item: usize) -> bool {
        self.places.get(item).is_some_and(|place| *place != NOWHERE)
    }

    /// Moves one item after another; how many left their enlarged boxes.
    fn move_each(&mut self, moves: &[(usize, Aabb<V>)]) -> usize {
        let (mut left, mut leaving) = (0, [0; BLOCK]);
        for block in moves.chunks(BLOCK) {
            let count = sift(&self.boxes, &self.fit(), block, &mut leaving);
            for (item, bounds) in leaving.iter().take(count).filter_map(|k| block.get(usize::from(*k))) {
                if let Some(fat) = self.refreshed(*item, bounds) {
                    self.relocate(*item, fat);
                    self.note_change();
                    left += 1;
                }
            }
        }
        left
    }

    /// Gives new enlarged boxes to the items that leave theirs, and from `many` of them on to those that are about to, and notes
    /// them in a set of bits, which stays in the fastest cache; how many, or `None` when a move is to be refused. Leaves are as
    /// they were.
    fn renew(&mut self, moves: &[(usize, Aabb<V>)], many: usize, renewed: &mut [u64]) -> Option<usize> {
        let (margin, loose) = (self.margin, self.fit());
        let tight = Fit { least: margin * V::Scalar::HALF, ..loose };
        let (boxes, places) = (self.boxes.as_mut_slice(), self.places.as_slice());
        in_lanes!(simd => {
            let mut renewal = Renewal { boxes, places, renewed, margin, left: 0, sound: true };
            let (mut known, mut before, mut in_order, mut next) = (false, 0, true, 0);
            for block in moves.chunks(BLOCK) {
                in_order &= block.first().is_some_and(|(item, _)| next <= *item);
                in_order &= renewal.look_at(simd, block, if known { &tight } else { &loose });
                next = block.last().map_or(0, |(item, _)| item.saturating_add(1));
                before += if known { 0 } else { block.len() };
                // What comes twice may have been elsewhere before: then nobody is looked at again.
                known = in_order && many <= renewal.left;
            }
            // Those that were looked at before it was known that many leave.
            if known {
                for block in moves.get(..before).unwrap_or(moves).chunks(BLOCK) {
                    renewal.look_at(simd, block, &tight);
                }
            }
            renewal.sound.then_some(renewal.left)
        })
    }

    /// Takes new boxes back that no leaf has been told of.
    fn restore(&mut self, renewed: &[u64]) {
        for item in members(renewed) {
            if let Some((at, slot)) = self.place(item) {
                self.boxes[item] = self.nodes[at as usize].small(slot).exact();
            }
        }
    }

    /// Tells the leaves of new boxes, one after another.
    fn relocate_set(&mut self, renewed: &[u64], left: usize) -> usize {
        for item in members(renewed) {
            self.relocate(item, self.boxes[item]);
            self.note_change();
        }
        left
    }

    /// Tells all leaves of new boxes.
    ///
    /// A leaf is four cache lines. So no item goes to its leaf: each leaf, in the order of the tree, fetches the boxes that are its
    /// own.
    fn refit(&mut self, renewed: &[u64], left: usize) -> usize {
        if self.root != NOWHERE {
            let measures = self.refit_leaves(renewed);
            self.refit_below(self.root, self.height);
            self.marked_all_over = true;
            self.look_at_quality(measures / self.count.max(1) as f64);
        }
        left
    }

    /// Mends the boxes in all leaves and the boxes around them; the sum of their measures. In the order of memory.
    fn refit_leaves(&mut self, renewed: &[u64]) -> f64 {
        let (nodes, boxes, frame) = (self.nodes.as_mut_slice(), self.boxes.as_slice(), &self.frame);
        in_lanes!(_simd => {
            let mut measures = 0.0;
            let mut fetched = [[0_u32; 2]; CHUNK * WIDTH];
            let mut start = 0;
            while start < nodes.len() {
                let end = nodes.len().min(start + CHUNK);
                let mut count = 0;
                for (k, node) in nodes[start..end].iter_mut().enumerate() {
                    if node.items == 0 {
                        continue;
                    }
                    let mut left = 0;
                    for slot in 0..WIDTH {
                        let link = node.links[slot];
                        let word = renewed.get(link as usize / 64).map_or(0, |word| word >> (link % 64));
                        let is_left = word as u8 & node.used >> slot & 1;
                        fetched[count % (CHUNK * WIDTH)] = [(k * WIDTH + slot) as u32, link];
                        count += usize::from(is_left);
                        left |= is_left << slot;
                    }
                    node.moved |= left;
                }
                for [place, item] in fetched.iter().take(count) {
                    let (at, slot) = (start + *place as usize / WIDTH, *place as usize % WIDTH);
                    if let (Some(node), Some(own)) = (nodes.get_mut(at), boxes.get(*item as usize)) {
                        node.set_whole(slot, &frame.small_whole(own));
                    }
                }
                for at in start..end {
                    let node = &nodes[at];
                    if node.items == 0 {
                        continue;
                    }
                    let (around, is_moved) = (node.union(), node.moved != 0);
                    let (parent, slot) = (node.parent, usize::from(node.parent_slot));
                    measures += f64::from(around.measure());
                    if let Some(parent) = nodes.get_mut(parent as usize) {
                        parent.set_whole(slot, &around);
                        parent.moved |= u8::from(is_moved) << slot;
                    }
                }
                start = end;
            }
            measures
        })
    }

    /// Mends the boxes of a node and of all below it, given that those of leaves are right. Goes as deep as the
    /// tree, which is O(log n).
    fn refit_below(&mut self, at: u32, level: u32) {
        if level < 2 {
            return;
        }
        for slot in Node::<V>::slots(self.nodes[at as usize].used) {
            let link = self.nodes[at as usize].links[slot];
            self.refit_below(link, level - 1);
            let below = &self.nodes[link as usize];
            let (small, is_moved) = (below.union(), below.moved != 0);
            let node = &mut self.nodes[at as usize];
            node.set_whole(slot, &small);
            node.moved |= u8::from(is_moved) << slot;
        }
    }
}

/// How far the ends of an enlarged box may lie outside those of the box that it serves.
#[derive(Clone, Copy)]
pub(super) struct Fit<T> {
    /// Zero: it has to contain it, and no more.
    pub(super) least: T,
    /// More, and it is too large: what shrank gets a smaller one.
    pub(super) most: T,
}

/// New boxes for items that leave theirs.
struct Renewal<'a, V: Vector> {
    boxes: &'a mut [Aabb<V>],
    places: &'a [u32],
    /// The items that got new ones.
    renewed: &'a mut [u64],
    margin: V::Scalar,
    /// How many did.
    left: usize,
    /// No move is to be refused so far.
    sound: bool,
}

impl<V: Vector> Renewal<'_, V> {
    /// Looks at some moves, [`BLOCK`] at most; whether items come in order, none twice.
    #[inline(always)]
    fn look_at<S: Simd>(&mut self, simd: S, block: &[(usize, Aabb<V>)], fit: &Fit<V::Scalar>) -> bool {
        let mut leaving = [0; BLOCK];
        let (count, ordered) = sift_in_lanes(simd, self.boxes, fit, block, &mut leaving);
        for k in leaving.iter().take(count) {
            let Some((item, bounds)) = block.get(usize::from(*k)) else { continue };
            let (Some(own), Some(place), Some(word)) =
                (self.boxes.get_mut(*item), self.places.get(*item), self.renewed.get_mut(*item / 64))
            else {
                self.sound = false;
                continue;
            };
            self.sound &= (*place != NOWHERE) & is_whole(bounds);
            if !self.sound {
                break;
            }
            // An item may be there twice: it is looked at when its turn comes.
            if (ordered || !serves(own, bounds, fit)) && renew_one(own, bounds, self.margin) {
                *word |= 1 << (*item % 64);
                self.left += 1;
            }
        }
        ordered
    }
}

/// The items of a set of bits, in order.
fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(k, word)| {
        let mut rest = *word;
        core::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(k * 64 + bit)
        })
    })
}

/// Writes down which of some moves, [`BLOCK`] at most, the enlarged boxes do not serve, those that are to be refused among them; how many, and
/// whether items come in order, none twice. Otherwise all are written down.
#[inline(always)]
fn sift_in_lanes<S: Simd, V: Vector>(
    simd: S,
    boxes: &[Aabb<V>],
    fit: &Fit<V::Scalar>,
    moves: &[(usize, Aabb<V>)],
    leaving: &mut [u16; BLOCK],
) -> (usize, bool) {
    let (mut count, mut ordered, mut least) = (0, true, 0);
    for (k, (item, bounds)) in moves.iter().enumerate() {
        ordered &= least <= *item;
        least = item.saturating_add(1);
        let fits = match boxes.get(*item) {
            Some(old) => serves_in_lanes(simd, old, bounds, fit),
            None => false,
        };
        // Written in any case, kept or overwritten by the next: no branch.
        leaving[count % BLOCK] = k as u16;
        count += usize::from(!fits);
    }
    if !ordered {
        leaving.iter_mut().enumerate().for_each(|(k, place)| *place = k as u16);
        count = moves.len();
    }
    (count, ordered)
}

fn sift<V: Vector>(
    boxes: &[Aabb<V>],
    fit: &Fit<V::Scalar>,
    moves: &[(usize, Aabb<V>)],
    leaving: &mut [u16; BLOCK],
) -> usize {
    in_lanes!(simd => sift_in_lanes(simd, boxes, fit, moves, leaving)).0
}

/// Replaces an enlarged box that does not serve; whether the new one is another. Where a margin is less than a step of the
/// numbers, the old box is as good as it gets.
#[inline(always)]
fn renew_one<V: Vector>(own: &mut Aabb<V>, bounds: &Aabb<V>, margin: V::Scalar) -> bool {
    let Some(fat) = bounds.grown_plainly(margin) else { return renew_oddly(own, bounds, margin) };
    let is_new = *own != fat;
    if is_new {
        *own = fat;
    }
    is_new
}

/// Apart, so that no box of the others has to be in memory for it.
#[cold]
#[inline(never)]
fn renew_oddly<V: Vector>(own: &mut Aabb<V>, bounds: &Aabb<V>, margin: V::Scalar) -> bool {
    let fat = bounds.grown(margin);
    let is_new = *own != fat;
    *own = if is_new { fat } else { *own };
    is_new
}

/// Whether an enlarged box serves a box: its ends lie outside those of the box by what fits. Nothing serves a box that is empty
/// or not finite, and an empty box serves nothing.
///
/// Without branches: among many moving boxes nobody can guess which leave.
#[inline(always)]
pub(super) fn serves<V: Vector>(enlarged: &Aabb<V>, bounds: &Aabb<V>, fit: &Fit<V::Scalar>) -> bool {
    let (mut all, mut most) = (true, V::Scalar::ZERO);
    for axis in 0..V::DIM {
        let (low, high) = (bounds.min.get(axis), bounds.max.get(axis));
        let (below, above) = (low - enlarged.min.get(axis), enlarged.max.get(axis) - high);
        // What is infinite is outside, or its gap is a NaN, which is not above anything.
        all &= (low <= high) & (fit.least <= below) & (fit.least <= above);
        most = below.max_of(above).max_of(most);
    }
    all & (most <= fit.most)
}

/// The same in lanes, for boxes of `f32`: the compiler, left alone, sorts numbers into lanes and out again.
#[inline(always)]
fn serves_in_lanes<S: Simd, V: Vector>(
    simd: S,
    enlarged: &Aabb<V>,
    bounds: &Aabb<V>,
    fit: &Fit<V::Scalar>,
) -> bool {
    if !Frame::<V>::EXACT {
        return serves(enlarged, bounds, fit);
    }
    let number = |of: &Aabb<V>, k: usize| {
        let end = if k < V::DIM { of.min.get(k) } else { of.max.get(k - V::DIM) };
        f32::from_f64(end.to_f64())
    };
    // Four neighbours in memory are one load: six numbers are two of them that share two numbers.
    let mut all = true;
    let [least, most] = [fit.least, fit.most].map(|gap| f32x4::splat(simd, f32::from_f64(gap.to_f64())));
    for start in [0, 2 * V::DIM - 4] {
        let four = |of: &Aabb<V>| {
            f32x4::load_array(
                simd,
                [number(of, start), number(of, start + 1), number(of, start + 2), number(of, start + 3)],
            )
        };
        let inwards = |k: usize| if start + k < V::DIM { 1.0 } else { -1.0 };
        let inwards = f32x4::load_array(simd, [inwards(0), inwards(1), inwards(2), inwards(3)]);
        // Upper ends with the sign turned: rounding is the same on both sides of zero.
        let gap = (four(bounds) - four(enlarged)) * inwards;
        all &= (gap.simd_ge(least) & gap.simd_le(most)).to_bitmask() == 0b1111;
    }
    for axis in 0..V::DIM {
        all &= bounds.min.get(axis) <= bounds.max.get(axis);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::{Vec2, Vec3};
    use carom_oracle::generate::Rng;

    /// Ends that are equal, a step apart, a slack apart, of either sign, infinite or no numbers at all.
    fn agrees<V: Vector<Scalar = f32>>(seed: u64) {
        const SPECIAL: [f32; 8] =
            [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, -f32::MAX, f32::MIN_POSITIVE];
        let rng = &mut Rng::new(seed);
        let mut served = 0;
        for round in 0..20_000 {
            let slack = if round % 16 == 0 { f32::INFINITY } else { 0.5 };
            let enlarged = Aabb {
                min: V::from_fn(|_| rng.uniform(-4.0, 4.0).round() as f32),
                max: V::from_fn(|_| rng.uniform(4.0, 8.0).round() as f32),
            };
            let mut near = |end: f32, inwards: f32| match rng.below(64) {
                k @ 0..8 => SPECIAL[k],
                8..24 => end + inwards * slack.min_of(3.0),
                24..26 => (end + inwards * slack.min_of(3.0)).step_up(),
                26..28 => end.step_down(),
                28..30 => end.step_up(),
                30 => end + inwards * 7.0,
                _ => end + inwards * 0.25,
            };
            let bounds = Aabb {
                min: V::from_fn(|axis| near(enlarged.min.get(axis), 1.0)),
                max: V::from_fn(|axis| near(enlarged.max.get(axis), -1.0)),
            };
            for (old, least) in [(enlarged, 0.0), (enlarged, 0.25), (Aabb::empty(), 0.0)] {
                let fit = Fit { least, most: slack };
                let expected = serves(&old, &bounds, &fit);
                let found = in_lanes!(simd => serves_in_lanes(simd, &old, &bounds, &fit));
                assert_eq!(found, expected, "{old:?} {bounds:?} {slack}");
                served += usize::from(expected);
            }
        }
        assert!((2_000..30_000).contains(&served), "{served}");
    }

    #[test]
    fn boxes_serve_in_lanes_what_they_serve_one_by_one() {
        agrees::<Vec2<f32>>(1);
        agrees::<Vec3<f32>>(2);
    }
}
