//! Where the workers of a job wait for each other: all for all, or each for those with whom it shares something.

use super::Desk;
use core::sync::atomic::Ordering;

/// Where workers wait for each other.
///
/// Each raises a flag of its own, and worker 0 looks at all of them: fifteen that add to one counter would have to
/// pass its cache line around, one after the other.
#[derive(Debug)]
pub(crate) struct Barrier<'a> {
    pub(super) count: usize,
    pub(super) spins: u32,
    pub(super) desk: Option<&'a Desk>,
}

impl Barrier<'_> {
    /// Returns when all have come. What each did before is seen by all after.
    #[inline]
    pub(crate) fn wait(&self, worker: usize) {
        let Some(desk) = self.desk.filter(|_| self.count > 1) else { return };
        // Nobody gets further than this round before all have come to it.
        let next = desk.round.0.load(Ordering::Relaxed).wrapping_add(1);
        if worker == 0 {
            for arrived in &desk.arrived[1..self.count] {
                desk.wait_until(self.spins, || arrived.0.load(Ordering::Acquire) == next);
            }
            desk.round.0.store(next, Ordering::Release);
        } else if let Some(flag) = desk.arrived.get(worker) {
            flag.0.store(next, Ordering::Release);
            desk.wait_until(self.spins, || desk.round.0.load(Ordering::Acquire) == next);
        }
    }
}

/// How a worker goes through the stages of a job, waiting for those only with whom it shares something.
///
/// All workers go through the same stages, and each has a part in some of them. A worker says when it has finished a stage. Before
/// it begins with its part of one, it waits until its partners, those who touch anything that it touches in any stage, have finished all stages
/// before. So what two of them share is passed from stage to stage in order, whoever shares nothing does not wait, and
/// nobody waits for the slowest of all fifteen: a barrier takes two messages one after the other and as long as the last needs.
pub(crate) struct Walk<'a> {
    desk: Option<&'a Desk>,
    spins: u32,
    worker: usize,
    /// One bit for each partner.
    partners: u64,
    /// How many stages have been finished.
    stage: usize,
}

impl<'a> Barrier<'a> {
    /// Before the first stage of a walk: returns when all workers have come here. Then each finds its partners.
    pub(crate) fn begin_walk(&self, worker: usize, partners: impl FnOnce() -> u64) -> Walk<'a> {
        let desk = self.desk.filter(|_| self.count > 1);
        if let Some(finished) = desk.and_then(|desk| desk.stages.get(worker)) {
            finished.0.store(0, Ordering::Relaxed);
        }
        self.wait(worker);
        let partners = if desk.is_some() { partners() } else { 0 };
        Walk { desk, spins: self.spins, worker, partners, stage: 0 }
    }
}

impl Walk<'_> {
    /// The next stage, and what the worker does in it, if it has a part.
    #[inline]
    pub(crate) fn stage(&mut self, has_part: bool, part: impl FnOnce()) {
        if has_part {
            self.wait();
            part();
        }
        self.stage += 1;
        if let Some(finished) = self.desk.and_then(|desk| desk.stages.get(self.worker)) {
            finished.0.store(self.stage, Ordering::Release);
        }
    }
    /// Returns when all partners have finished the stages before.
    #[inline]
    fn wait(&self) {
        let Some(desk) = self.desk else { return };
        let mut partners = self.partners;
        while partners != 0 {
            if let Some(finished) = desk.stages.get(partners.trailing_zeros() as usize) {
                desk.wait_until(self.spins, || self.stage <= finished.0.load(Ordering::Acquire));
            }
            partners &= partners - 1;
        }
    }
}
