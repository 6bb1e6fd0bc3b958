//! How the work of a step is shared out: which worker has which blocks and bodies, and who waits for whom.
//!
//! A worker has an equal share of the blocks of every colour and of the bodies, in order. Contacts begin in the order of
//! their bodies, so shares with the same number lie near each other in a pile, and most workers share bodies with two or three
//! others: those are their partners ([`Walk`]).

use super::super::colours::COLOURS;
use super::super::threads::{Shared, Walk};
use super::block::FROZEN;
use core::ops::Range;

/// The most workers that a world has: one bit of a word for each.
pub(crate) const MOST_WORKERS: usize = 64;

/// The share of a worker.
#[inline]
pub(crate) fn share(count: usize, worker: usize, workers: usize) -> Range<usize> {
    if workers == 1 { 0..count } else { count * worker / workers..count * (worker + 1) / workers }
}

/// With fewer groups than this, a colour is worker 0's: they take no longer than passing them on would.
const FEW: usize = 8;

/// The share of a worker of the groups of a colour.
#[inline]
pub(crate) fn share_of_groups(groups: usize, worker: usize, workers: usize) -> Range<usize> {
    match (groups < FEW, worker) {
        (true, 0) => 0..groups,
        (true, _) => 0..0,
        _ => share(groups, worker, workers),
    }
}

/// The contacts of a colour that are in the groups of a worker.
#[inline]
pub(crate) fn contacts_of(list: &[u32], lanes: usize, worker: usize, workers: usize) -> &[u32] {
    if list.is_empty() || workers == 1 {
        return list;
    }
    let mine = share_of_groups(list.len().div_ceil(lanes), worker, workers);
    &list[mine.start * lanes..(mine.end * lanes).min(list.len())]
}

/// Goes through stages of consecutive colours: what is worker 0's alone needs no stage for each, and what is empty none
/// at all.
pub(crate) fn walk_colours(
    walk: &mut Walk<'_>,
    groups: impl Fn(usize) -> usize,
    mut stage: impl FnMut(&mut Walk<'_>, Range<usize>),
) {
    let mut colour = 0;
    while colour < COLOURS {
        let first = colour;
        let (mut all, mut is_many) = (0, false);
        while colour < COLOURS && !is_many && (all == 0 || groups(colour) < FEW) {
            is_many = FEW <= groups(colour);
            all += groups(colour);
            colour += 1;
        }
        if all > 0 {
            stage(walk, first..colour);
        }
    }
}

/// Which states each worker touches in any stage: one bit for each, a run of words for each worker.
pub(crate) struct Touched<'a> {
    words: Shared<'a, u64>,
    /// How many words a worker has.
    width: usize,
}

impl<'a> Touched<'a> {
    /// For as many states. The memory is used again in each step.
    pub(crate) fn new(memory: &'a mut Vec<u64>, states: usize, workers: usize) -> Self {
        // Whole lines of the cache, so that nobody writes beside another.
        let width = if workers > 1 { states.div_ceil(64).next_multiple_of(16) } else { 0 };
        memory.resize(width * workers, 0);
        Touched { words: Shared::new(memory), width }
    }
    /// Notes all states that a worker touches: those of the bodies of its share, and those of its constraints, whether it may write
    /// them or not.
    pub(crate) fn note(&self, worker: usize, own: Range<usize>, others: impl Iterator<Item = u32>) {
        if self.width == 0 {
            return;
        }
        self.words.with(self.of(worker), |words| {
            words.fill(0);
            let mut note = |state: usize| {
                if let Some(word) = words.get_mut(state / 64) {
                    *word |= 1 << (state % 64);
                }
            };
            own.for_each(&mut note);
            others.for_each(|state| note((state & !FROZEN) as usize));
            // The first state is that of whatever stands still; nobody writes it.
            if let Some(word) = words.first_mut() {
                *word &= !1;
            }
        });
    }
    /// The workers who touch what a worker touches, one bit for each. After all have noted theirs.
    pub(crate) fn partners(&self, worker: usize, workers: usize) -> u64 {
        let words = self.words.cells();
        let mine = &words[self.of(worker)];
        (0..workers)
            .filter(|other| *other != worker)
            .filter(|other| {
                mine.iter().zip(&words[self.of(*other)]).any(|(one, other)| one.get() & other.get() != 0)
            })
            .fold(0, |partners, other| partners | 1 << other)
    }
    fn of(&self, worker: usize) -> Range<usize> {
        worker * self.width..(worker + 1) * self.width
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::threads::Pool;
    use super::*;

    /// Stages of disjoint pairs of states, near each other or anywhere.
    fn stages(states: u32, reach: u32) -> Vec<Vec<[u32; 2]>> {
        let mut random = 1_u32;
        let mut next = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) % below
        };
        let stage = |_| {
            let mut is_free = vec![true; states as usize];
            let mut pairs = Vec::new();
            for one in 1..states {
                let other = one + 1 + next(reach);
                if other < states && is_free[one as usize] && is_free[other as usize] && next(3) > 0 {
                    is_free[one as usize] = false;
                    is_free[other as usize] = false;
                    pairs.push([one, other]);
                }
            }
            pairs
        };
        (0..7).map(stage).collect()
    }

    /// What comes out when every pair mixes its two numbers, in a way that depends on the order of stages.
    fn mixed(stages: &[Vec<[u32; 2]>], states: usize, count: usize) -> Vec<u64> {
        let pool = Pool::new(count);
        let workers = pool.count();
        let mut numbers: Vec<u64> = (0..states as u64).collect();
        let mut memory = Vec::new();
        let touched = Touched::new(&mut memory, states, workers);
        let (cells, barrier) = (Shared::new(&mut numbers), pool.barrier(workers));
        pool.run(&|worker| {
            let own = share(states - 1, worker, workers);
            let own = own.start + 1..own.end + 1;
            let mine = |pairs: &Vec<[u32; 2]>| share(pairs.len(), worker, workers);
            touched.note(
                worker,
                own.clone(),
                stages.iter().flat_map(|pairs| pairs[mine(pairs)].iter().flatten().copied()),
            );
            let mut walk = barrier.begin_walk(worker, || touched.partners(worker, workers));
            for _ in 0..50 {
                walk.stage(true, || {
                    for cell in &cells.cells()[own.clone()] {
                        cell.set(cell.get().wrapping_mul(3));
                    }
                });
                for (k, pairs) in stages.iter().enumerate() {
                    let mine = mine(pairs);
                    walk.stage(!mine.is_empty(), || {
                        for pair in &pairs[mine] {
                            let [one, other] = pair.map(|state| &cells.cells()[state as usize]);
                            let (a, b) = (one.get(), other.get());
                            one.set(a.wrapping_mul(31).wrapping_add(b ^ k as u64));
                            other.set(b.rotate_left(7).wrapping_sub(a));
                        }
                    });
                }
            }
        });
        numbers
    }

    #[test]
    fn what_workers_share_is_passed_on_in_the_order_of_stages() {
        for (states, reach) in [(40, 3), (2000, 5), (2000, 1999)] {
            let stages = stages(states, reach);
            let alone = mixed(&stages, states as usize, 1);
            for count in [2, 3, 8] {
                assert_eq!(mixed(&stages, states as usize, count), alone, "{states} states, {count} workers");
            }
        }
    }
    #[test]
    fn neighbours_in_a_row_are_partners_and_others_are_not() {
        let mut memory = Vec::new();
        let touched = Touched::new(&mut memory, 101, 4);
        for worker in 0..4 {
            let own = share(100, worker, 4);
            // Each touches one state of the next as well, and all of them the one of what stands still.
            touched.note(worker, own.start + 1..own.end + 1, [FROZEN, own.end as u32 + 1].into_iter());
        }
        let partners = [0, 1, 2, 3].map(|worker| touched.partners(worker, 4));
        assert_eq!(partners, [0b0010, 0b0101, 0b1010, 0b0100]);
    }
}
