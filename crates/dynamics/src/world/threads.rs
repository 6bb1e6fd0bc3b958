//! Threads: workers that stay, one job at a time, and the two places where memory is shared between them.
//!
//! A job is a function that every worker calls with its number; the caller is worker 0. Within a job workers
//! meet at a [`Barrier`]. What they do between two barriers touches disjoint things, so results do not depend on
//! who is faster, nor on how many there are.
//!
//! This is the one module of the crate with unsafe code: the lifetime of a job ([`Pool::run`]), cells that
//! several workers see ([`Shared`]) and chunks of a slice that are each handed out once ([`Chunks`]).

#![allow(unsafe_code, reason = "see the module documentation; each block has its proof")]

use core::cell::Cell;
use core::marker::PhantomData;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How often a waiting thread looks before it lets others run, when every thread has a processor of its own.
const SPINS: u32 = 4000;

/// A function that each worker calls with its number.
type Job = &'static (dyn Fn(usize) + Sync);

/// Workers that wait for jobs. A clone is the same workers.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    count: usize,
    /// How often a waiting worker looks before it lets others run: not at all when there are more workers
    /// than processors, since then somebody needed may be waiting for this one.
    spins: u32,
    crew: Option<Arc<Crew>>,
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new(1)
    }
}

/// The threads behind a pool.
#[derive(Debug)]
struct Crew {
    shared: Arc<Desk>,
    workers: Vec<JoinHandle<()>>,
    /// Held while a job runs: two worlds may have the same workers.
    gate: Mutex<()>,
}

/// Where jobs are handed over.
#[derive(Default)]
struct Desk {
    state: Mutex<State>,
    /// The number of the newest job; looked at without the lock.
    newest: AtomicUsize,
    /// How many workers have not finished it.
    busy: AtomicUsize,
    stop: AtomicBool,
    bell: Condvar,
}

#[derive(Default)]
struct State {
    job: Option<Job>,
    number: usize,
}

impl core::fmt::Debug for Desk {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Desk").field("busy", &self.busy).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// `count` workers, the caller included. Threads that cannot be had are done without.
    pub(crate) fn new(count: usize) -> Self {
        if count <= 1 {
            return Pool { count: 1, spins: 0, crew: None };
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let spins = if count <= processors { SPINS } else { 0 };
        let shared = Arc::new(Desk::default());
        let mut workers = Vec::new();
        for number in 1..count {
            let desk = Arc::clone(&shared);
            let builder = std::thread::Builder::new().name(format!("carom {number}"));
            match builder.spawn(move || work(&desk, number, spins)) {
                Ok(worker) => workers.push(worker),
                Err(_) => break,
            }
        }
        Pool {
            count: workers.len() + 1,
            spins,
            crew: Some(Arc::new(Crew { shared, workers, gate: Mutex::new(()) })),
        }
    }
    pub(crate) fn count(&self) -> usize {
        self.count
    }
    /// A barrier for the first `count` workers.
    pub(crate) fn barrier(&self, count: usize) -> Barrier {
        Barrier { count, spins: self.spins, arrived: AtomicUsize::new(0), round: AtomicUsize::new(0) }
    }
    /// Calls the function once for each worker, at the same time, and waits until all are done.
    pub(crate) fn run(&self, task: &(dyn Fn(usize) + Sync)) {
        let Some(crew) = self.crew.as_ref().filter(|crew| !crew.workers.is_empty()) else {
            task(0);
            return;
        };
        let _alone = lock(&crew.gate);
        let desk = &*crew.shared;
        // SAFETY: only the lifetime changes. Workers use the job from when it is published below until they
        // have counted themselves out of `busy`, and this function does not return, nor unwind, before `busy`
        // is 0: `Wait` sees to that when it is dropped.
        let job = unsafe { core::mem::transmute::<&(dyn Fn(usize) + Sync), Job>(task) };
        desk.busy.store(crew.workers.len(), Ordering::Relaxed);
        {
            let mut state = lock(&desk.state);
            state.job = Some(job);
            state.number = state.number.wrapping_add(1);
            desk.newest.store(state.number, Ordering::Release);
        }
        desk.bell.notify_all();
        let wait = Wait(desk, self.spins);
        task(0);
        drop(wait);
        lock(&desk.state).job = None;
    }
}

/// Waits for the workers when it goes.
struct Wait<'a>(&'a Desk, u32);

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        patiently(self.1, || self.0.busy.load(Ordering::Acquire) == 0);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        {
            let _state = lock(&self.shared.state);
            self.shared.stop.store(true, Ordering::Release);
        }
        self.shared.bell.notify_all();
        for worker in self.workers.drain(..) {
            // A worker that panicked has been heard of already.
            let _ = worker.join();
        }
    }
}

/// The life of a worker.
fn work(desk: &Desk, number: usize, spins: u32) {
    let mut last = 0;
    loop {
        // Looks for a while before it falls asleep: the next job often comes at once.
        for _ in 0..spins {
            if desk.newest.load(Ordering::Acquire) != last || desk.stop.load(Ordering::Acquire) {
                break;
            }
            core::hint::spin_loop();
        }
        let mut state = lock(&desk.state);
        while state.number == last && !desk.stop.load(Ordering::Acquire) {
            state = desk.bell.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if desk.stop.load(Ordering::Acquire) {
            return;
        }
        last = state.number;
        let job = state.job;
        drop(state);
        let _out = CountOut(desk);
        if let Some(job) = job {
            job(number);
        }
    }
}

/// Counts a worker out when it goes, even by a panic.
struct CountOut<'a>(&'a Desk);

impl Drop for CountOut<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Release);
    }
}

/// Looks again and again, and lets others run after a while.
fn patiently(spins: u32, is_ready: impl Fn() -> bool) {
    let mut looks = 0_u32;
    while !is_ready() {
        looks = looks.saturating_add(1);
        if looks < spins {
            core::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// Where workers wait for each other.
#[derive(Debug)]
pub(crate) struct Barrier {
    count: usize,
    spins: u32,
    arrived: AtomicUsize,
    round: AtomicUsize,
}

impl Barrier {
    /// Returns when all have come. What each did before is seen by all after.
    #[inline]
    pub(crate) fn wait(&self) {
        if self.count == 1 {
            return;
        }
        let round = self.round.load(Ordering::Relaxed);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.count {
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
        } else {
            patiently(self.spins, || self.round.load(Ordering::Acquire) != round);
        }
    }
}

/// Cells that several workers see.
///
/// Whoever makes one promises, for all its life: between two barriers, a cell that one worker writes is
/// neither read nor written by another. The solver keeps it: in a body stage each worker has bodies of its
/// own; in a pass over a colour each moving body belongs to one contact at most, and what does not move is only
/// read (its index is marked `FROZEN`, and the scatter skips it); contacts without a colour are worker 0's.
pub(crate) struct Shared<'a, T>(&'a [Cell<T>]);

// SAFETY: by the promise above no cell is accessed by two workers at once unless both read, and the barriers
// order accesses of different stages.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T> Shared<'a, T> {
    pub(crate) fn new(items: &'a mut [T]) -> Self {
        Shared(Cell::from_mut(items).as_slice_of_cells())
    }
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[Cell<T>] {
        self.0
    }
}

/// Consecutive ranges of indices; each is handed out once, to whoever asks next.
pub(crate) struct Shares {
    len: usize,
    share: usize,
    next: AtomicUsize,
}

impl Shares {
    pub(crate) fn new(len: usize, share: usize) -> Self {
        Shares { len, share: share.max(1), next: AtomicUsize::new(0) }
    }
    #[inline]
    pub(crate) fn next(&self) -> Option<Range<usize>> {
        let first = self.next.fetch_add(1, Ordering::Relaxed).checked_mul(self.share)?;
        (first < self.len).then(|| first..first + self.share.min(self.len - first))
    }
}

/// Consecutive chunks of a slice; each is handed out once, to whoever asks next.
pub(crate) struct Chunks<'a, T> {
    start: *mut T,
    shares: Shares,
    items: PhantomData<&'a mut [T]>,
}

// SAFETY: it hands out exclusive references to disjoint chunks, as splitting the slice would.
unsafe impl<T: Send> Sync for Chunks<'_, T> {}

impl<'a, T> Chunks<'a, T> {
    pub(crate) fn new(items: &'a mut [T], chunk: usize) -> Self {
        let shares = Shares::new(items.len(), chunk);
        Chunks { start: items.as_mut_ptr(), shares, items: PhantomData }
    }
    /// The next chunk.
    #[inline]
    pub(crate) fn next(&self) -> Option<&'a mut [T]> {
        self.next_numbered().map(|(_, chunk)| chunk)
    }
    /// The next chunk, and the index of its first item.
    #[inline]
    pub(crate) fn next_numbered(&self) -> Option<(usize, &'a mut [T])> {
        let share = self.shares.next()?;
        // SAFETY: a share ends at the end of the slice at the latest, and the slice is borrowed exclusively for
        // 'a; each share is given away once (the counter would have to wrap around to do so again).
        let chunk = unsafe { core::slice::from_raw_parts_mut(self.start.add(share.start), share.len()) };
        Some((share.start, chunk))
    }
}

/// A list for each worker, kept for its memory.
#[derive(Debug)]
pub(crate) struct Lists<T = u32>(Vec<Mutex<Vec<T>>>);

impl<T> Lists<T> {
    /// One for each worker of a pool.
    pub(crate) fn fit(&mut self, pool: &Pool) {
        if self.0.len() < pool.count() {
            self.0.resize_with(pool.count(), Mutex::default);
        }
    }
    /// The list of a worker, which nobody else asks for.
    pub(crate) fn of(&self, worker: usize) -> Option<MutexGuard<'_, Vec<T>>> {
        self.0.get(worker).map(lock)
    }
    /// Moves what is in all lists to the end of another.
    pub(crate) fn drain_into(&mut self, all: &mut Vec<T>) {
        for list in &mut self.0 {
            all.append(list.get_mut().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists(Vec::new())
    }
}

impl<T> Clone for Lists<T> {
    fn clone(&self) -> Self {
        Lists::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_is_called_once_and_meets_the_others() {
        for count in [1, 2, 3, 8] {
            let pool = Pool::new(count);
            let barrier = pool.barrier(pool.count());
            let calls: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            let mut numbers = vec![0_u32; 1000];
            for round in 1..=20 {
                let chunks = Chunks::new(&mut numbers, 7);
                pool.run(&|worker| {
                    calls[worker].fetch_add(1, Ordering::Relaxed);
                    while let Some(chunk) = chunks.next() {
                        chunk.iter_mut().for_each(|number| *number += 1);
                    }
                    barrier.wait();
                    assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) >= round));
                    barrier.wait();
                });
            }
            assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 20));
            assert!(numbers.iter().all(|number| *number == 20));
        }
    }
}
