//! Threads: workers that stay, one job at a time.
//!
//! A job is a function that every worker calls with its number; the caller is worker 0. Within a job workers
//! wait for each other at a [`Barrier`], or for some of them in the stages of a [`Walk`] (`meet`). What they do between two barriers or at the
//! same stage touches disjoint things (`share`), so results do not depend on who is faster, nor on how many there are.
//!
//! A job that panics, as a hook of the user may, panics for the caller, once all workers have come back: those who wait for the one that
//! panicked give up. The workers stay for the next job.
//!
//! This is the one module of the crate with unsafe code: the lifetime of a job and its handing over ([`Pool::run`], [`Desk`]), and
//! cells that several workers see ([`Shared`]).

#![allow(unsafe_code, reason = "see the module documentation; each block has its proof")]

mod meet;
mod share;

pub(crate) use meet::{Barrier, Walk};
pub(crate) use share::{Lists, Shared};

use core::any::Any;
use core::cell::UnsafeCell;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How often a waiting thread looks before it lets others run, when every thread has a processor of its own: for the better
/// part of a millisecond, since a worker that falls asleep between two jobs of a step is tens of microseconds late for the next.
const SPINS: u32 = 20_000;

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

/// A cache line to itself: what one thread writes and others watch shall not slow down its neighbours.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Alone<T>(T);

/// Where jobs are handed over.
///
/// Nobody takes a lock for that unless a worker has fallen asleep: fifteen workers that queue for one would start
/// microseconds after each other. The job is written while all workers wait for the next number, and read by those
/// who have seen it.
#[derive(Default)]
struct Desk {
    job: Alone<UnsafeCell<Option<Job>>>,
    /// The number of the newest job.
    newest: Alone<AtomicUsize>,
    /// The number of the job that each worker has finished.
    finished: Vec<Alone<AtomicUsize>>,
    stop: AtomicBool,
    /// Whether somebody has panicked in this job, and with what.
    has_failed: AtomicBool,
    failure: Mutex<Option<Box<dyn Any + Send>>>,
    /// How many workers have fallen asleep, or are about to.
    asleep: AtomicUsize,
    bed: Mutex<()>,
    bell: Condvar,
    /// Where workers meet within a job: the round that each has come to, and that all have.
    arrived: Vec<Alone<AtomicUsize>>,
    round: Alone<AtomicUsize>,
    /// How many stages of a job each worker has finished.
    stages: Vec<Alone<AtomicUsize>>,
    /// The next share of the part that each worker begins with.
    shares: Vec<Alone<AtomicUsize>>,
}

// SAFETY: `job` is the one part that is not shared safely by itself. The caller of a job writes it while no worker
// reads: each has finished the job before, and reads again after the number that the caller stores last (release and
// acquire on `newest`).
unsafe impl Sync for Desk {}

impl core::fmt::Debug for Desk {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Desk").field("newest", &self.newest).finish_non_exhaustive()
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
        let flags = || (0..count).map(|_| Alone::default()).collect();
        let shared = Arc::new(Desk {
            finished: flags(),
            arrived: flags(),
            stages: flags(),
            shares: flags(),
            ..Desk::default()
        });
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
    /// A barrier for the first `count` workers, of which there are as many at most. One at a time.
    pub(crate) fn barrier(&self, count: usize) -> Barrier<'_> {
        let desk = self.crew.as_ref().map(|crew| &*crew.shared);
        Barrier { count: count.min(self.count), spins: self.spins, desk }
    }
    /// Calls the function once for each worker, at the same time, and waits until all are done.
    pub(crate) fn run(&self, task: &(dyn Fn(usize) + Sync)) {
        match self.crew() {
            Some(crew) => self.run_with(crew, |_| {}, task),
            None => task(0),
        }
    }
    /// Calls the function for consecutive ranges of `0..len`, each once, with the number of the worker, and waits until all
    /// are done. A worker alone gets everything at once.
    ///
    /// Each worker begins with its own part of all, and takes shares of others when it is through: what it had in the
    /// stage before, and in the step before, is still in its cache. Who does what makes no difference but that.
    pub(crate) fn share_out(&self, len: usize, size: usize, task: &(dyn Fn(usize, Range<usize>) + Sync)) {
        let (workers, size) = (self.count, size.max(1));
        let shares = len.div_ceil(size);
        let Some(crew) = self.crew().filter(|_| shares > 1) else {
            return task(0, 0..len);
        };
        let part = |worker: usize| shares * worker / workers..shares * (worker + 1) / workers;
        let begin = |desk: &Desk| {
            for (worker, next) in desk.shares.iter().enumerate().take(workers) {
                next.0.store(part(worker).start, Ordering::Relaxed);
            }
        };
        self.run_with(crew, begin, &|worker| {
            for turn in 0..workers {
                let owner = (worker + turn) % workers;
                let (next, end) = (&crew.shared.shares[owner].0, part(owner).end);
                // Looks first: adding would take the counter away from its owner.
                while next.load(Ordering::Relaxed) < end {
                    let share = next.fetch_add(1, Ordering::Relaxed);
                    if share < end {
                        task(worker, share * size..len.min((share + 1) * size));
                    }
                }
            }
        });
    }
    /// Those who help, if there are any.
    fn crew(&self) -> Option<&Crew> {
        self.crew.as_deref().filter(|crew| !crew.workers.is_empty())
    }
    fn run_with(&self, crew: &Crew, begin: impl FnOnce(&Desk), task: &(dyn Fn(usize) + Sync)) {
        let _alone = lock(&crew.gate);
        let desk = &*crew.shared;
        desk.has_failed.store(false, Ordering::Relaxed);
        begin(desk);
        // SAFETY: only the lifetime changes. Workers use the job from when it is published below until they say
        // that they have finished it, and this function does not return, nor unwind, before all have: `Wait` sees
        // to that when it is dropped.
        let job = unsafe { core::mem::transmute::<&(dyn Fn(usize) + Sync), Job>(task) };
        let number = desk.newest.0.load(Ordering::Relaxed).wrapping_add(1);
        // SAFETY: nobody reads it now: all workers have finished what came before, and wait for the number.
        unsafe { *desk.job.0.get() = Some(job) };
        // In one order with the look that a worker takes before it falls asleep: either it sees the number, or
        // it is seen here.
        desk.newest.0.store(number, Ordering::SeqCst);
        if desk.asleep.load(Ordering::SeqCst) != 0 {
            drop(lock(&desk.bed));
            desk.bell.notify_all();
        }
        let wait = Wait { desk, workers: crew.workers.len(), number, spins: self.spins };
        desk.call(task, 0);
        drop(wait);
        if desk.has_failed.load(Ordering::Acquire) {
            desk.fail();
        }
    }
}

impl Desk {
    /// Calls the function. If it panics, those who wait for that worker are told, and the caller of the job will be.
    fn call(&self, task: &(dyn Fn(usize) + Sync), worker: usize) {
        // What a panic leaves behind half done is what the caller of the job sees when it panics itself.
        if let Err(failure) = catch_unwind(AssertUnwindSafe(|| task(worker))) {
            let mut first = lock(&self.failure);
            if !self.has_failed.load(Ordering::Relaxed) {
                *first = Some(failure);
            }
            self.has_failed.store(true, Ordering::Release);
        }
    }

    /// Panics as the first worker did, after all have come back.
    #[cold]
    fn fail(&self) {
        // Some may have come to a barrier that others gave up.
        let round = self.round.0.load(Ordering::Relaxed);
        self.arrived.iter().for_each(|arrived| arrived.0.store(round, Ordering::Relaxed));
        if let Some(failure) = lock(&self.failure).take() {
            resume_unwind(failure);
        }
    }

    /// Waits for another worker, unless somebody has panicked: then nobody may come, and the job is over for this one too.
    #[inline]
    fn wait_until(&self, spins: u32, is_ready: impl Fn() -> bool) {
        let has_failed = || self.has_failed.load(Ordering::Relaxed);
        patiently(spins, || is_ready() || has_failed());
        if !is_ready() {
            // Without a message: there has been one.
            resume_unwind(Box::new("another worker has panicked"));
        }
    }
}

/// Waits for the workers when it goes.
struct Wait<'a> {
    desk: &'a Desk,
    workers: usize,
    number: usize,
    spins: u32,
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        for finished in &self.desk.finished[1..=self.workers] {
            patiently(self.spins, || finished.0.load(Ordering::Acquire) == self.number);
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        {
            let _nobody_falls_asleep = lock(&self.shared.bed);
            self.shared.stop.store(true, Ordering::SeqCst);
        }
        self.shared.bell.notify_all();
        for worker in self.workers.drain(..) {
            // Whoever panicked has been heard of already.
            let _ = worker.join();
        }
    }
}

/// The life of a worker.
fn work(desk: &Desk, number: usize, spins: u32) {
    let mut last = 0;
    loop {
        let is_called = || desk.newest.0.load(Ordering::SeqCst) != last || desk.stop.load(Ordering::SeqCst);
        // Looks for a while before it falls asleep: the next job often comes at once.
        let mut looks = 0;
        while looks < spins && !is_called() {
            core::hint::spin_loop();
            looks += 1;
        }
        if !is_called() {
            let mut bed = lock(&desk.bed);
            desk.asleep.fetch_add(1, Ordering::SeqCst);
            while !is_called() {
                bed = desk.bell.wait(bed).unwrap_or_else(PoisonError::into_inner);
            }
            desk.asleep.fetch_sub(1, Ordering::SeqCst);
        }
        if desk.stop.load(Ordering::SeqCst) {
            return;
        }
        last = desk.newest.0.load(Ordering::Acquire);
        let _finish = Finish { flag: &desk.finished[number], number: last };
        // SAFETY: the number has been seen, so the job is written, and it stays until this worker has finished.
        if let Some(job) = unsafe { *desk.job.0.get() } {
            desk.call(job, number);
        }
    }
}

/// Says that a worker has finished when it goes.
struct Finish<'a> {
    flag: &'a Alone<AtomicUsize>,
    number: usize,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.flag.0.store(self.number, Ordering::Release);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_reaches_the_caller_and_the_workers_stay() {
        for count in [1, 2, 3, 8] {
            let pool = Pool::new(count);
            let workers = pool.count();
            let barrier = pool.barrier(workers);
            for culprit in 0..workers {
                // Before a barrier, at which the others wait in vain; in a stage of a walk; and where nobody waits.
                for place in 0..3 {
                    let is_culprit = |worker: usize, here: usize| worker == culprit && here == place;
                    let job = |worker: usize| {
                        assert!(!is_culprit(worker, 0), "{culprit} at the barrier");
                        barrier.wait(worker);
                        let all = u64::MAX >> (64 - workers) & !(1 << worker);
                        let mut walk = barrier.begin_walk(worker, || all);
                        for _ in 0..3 {
                            walk.stage(true, || assert!(!is_culprit(worker, 1), "{culprit} in a stage"));
                        }
                        assert!(!is_culprit(worker, 2), "{culprit} at the end");
                    };
                    let failure = catch_unwind(AssertUnwindSafe(|| pool.run(&job)));
                    let told = failure.err().and_then(|failure| failure.downcast_ref::<String>().cloned());
                    assert!(told.is_some_and(|told| told.starts_with(&format!("{culprit} "))));
                    let calls = AtomicUsize::new(0);
                    pool.run(&|worker| {
                        // Who is late must be waited for.
                        if worker == (culprit + 1) % workers {
                            std::thread::sleep(std::time::Duration::from_millis(2));
                        }
                        calls.fetch_add(1, Ordering::Relaxed);
                        barrier.wait(worker);
                        assert_eq!(calls.load(Ordering::Relaxed), workers);
                    });
                }
            }
        }
    }

    #[test]
    fn every_worker_is_called_once_and_meets_the_others() {
        for count in [1, 2, 3, 8] {
            let pool = Pool::new(count);
            let barrier = pool.barrier(pool.count());
            let calls: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
            let mut numbers = vec![0_u32; 1000];
            for round in 1..=20 {
                let shared = Shared::new(&mut numbers);
                pool.share_out(1000, 7, &|_, range| {
                    shared.with(range, |numbers| numbers.iter_mut().for_each(|number| *number += 1));
                });
                pool.run(&|worker| {
                    calls[worker].fetch_add(1, Ordering::Relaxed);
                    barrier.wait(worker);
                    assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) >= round));
                    barrier.wait(worker);
                });
            }
            assert!(calls.iter().all(|calls| calls.load(Ordering::Relaxed) == 20));
            assert!(numbers.iter().all(|number| *number == 20));
        }
    }
}
