//! Which pairs of shapes are known: a set of keys with open addressing.
//!
//! Linear probing in a table of a power of two, at most half full; a removal moves later keys back, so that
//! there are no graves. Nobody walks over it, so the order in it reaches nothing.

use super::contact::NONE;

/// No pair has this key: the two shapes of a pair are different.
const EMPTY: u64 = u64::MAX;

/// A set of pairs of shapes.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairSet {
    keys: Vec<u64>,
    count: usize,
}

/// The lower index first.
fn key([a, b]: [u32; 2]) -> u64 {
    debug_assert!(a != NONE && b != NONE);
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

impl PairSet {
    /// Where the search for a key begins; the table is not empty.
    #[inline(always)]
    fn home(&self, key: u64) -> usize {
        // Fibonacci hashing: the upper bits of the product are well mixed.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.keys.len() - 1)
    }
    /// The place of a key, or the empty place where it would be.
    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        let mut at = self.home(key);
        // Half of the table is empty, so this ends.
        while self.keys[at] != key && self.keys[at] != EMPTY {
            at = (at + 1) & (self.keys.len() - 1);
        }
        at
    }
    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }
    #[inline]
    pub(crate) fn contains(&self, pair: [u32; 2]) -> bool {
        !self.keys.is_empty() && self.keys[self.find(key(pair))] != EMPTY
    }
    pub(crate) fn insert(&mut self, pair: [u32; 2]) {
        self.reserve(1);
        let (key, at) = (key(pair), self.find(key(pair)));
        if self.keys[at] == EMPTY {
            self.keys[at] = key;
            self.count += 1;
        }
    }
    pub(crate) fn remove(&mut self, pair: [u32; 2]) {
        if self.keys.is_empty() {
            return;
        }
        let mut hole = self.find(key(pair));
        if self.keys[hole] == EMPTY {
            return;
        }
        self.count -= 1;
        let mask = self.keys.len() - 1;
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            if self.keys[at] == EMPTY {
                break;
            }
            // A key may fill the hole unless its home lies after the hole, cyclically.
            let home = self.home(self.keys[at]);
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(hole) & mask {
                self.keys[hole] = self.keys[at];
                hole = at;
            }
        }
        self.keys[hole] = EMPTY;
    }
    /// Makes room for more pairs: half of the table stays empty.
    #[inline]
    pub(crate) fn reserve(&mut self, more: usize) {
        let least = 2 * (self.count + more);
        if self.keys.len() < least {
            self.grow(least);
        }
    }
    #[cold]
    fn grow(&mut self, least: usize) {
        let larger = vec![EMPTY; least.next_power_of_two().max(64)];
        let old = core::mem::replace(&mut self.keys, larger);
        for key in old.into_iter().filter(|key| *key != EMPTY) {
            let at = self.find(key);
            self.keys[at] = key;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn it_holds_what_a_set_holds() {
        let (mut set, mut model, mut state) = (PairSet::default(), BTreeSet::new(), 1_u32);
        let mut next = || {
            state = state.wrapping_mul(2_147_001_325).wrapping_add(715_136_305);
            state >> 24
        };
        for _ in 0..20_000 {
            let pair = [next() % 40, 40 + next() % 40];
            if next() % 2 == 0 {
                set.insert([pair[1], pair[0]]);
                model.insert(pair);
            } else {
                set.remove(pair);
                model.remove(&pair);
            }
            assert_eq!(set.count, model.len());
            let asked = [next() % 40, 40 + next() % 40];
            assert_eq!(set.contains(asked), model.contains(&asked));
        }
        for a in 0..40 {
            for b in 40..80 {
                assert_eq!(set.contains([a, b]), model.contains(&[a, b]));
            }
        }
    }
}
