//! What the workers of a job share: cells that several see, and lists of their own.

use super::{Pool, lock};
use core::cell::Cell;
use core::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Cells that several workers see.
///
/// Whoever makes one promises, for all its life: between two barriers, or two stages of a [`Walk`], a cell that one worker writes is
/// neither read nor written by another, and workers of a walk that touch the same cell are partners. The solver keeps it: in a body stage each worker has bodies of its
/// own; in a pass over a colour each moving body belongs to one contact at most, and what does not move is only
/// read (its index is marked `FROZEN`, and the scatter skips it); contacts without a colour are worker 0's. At the end of a
/// step a body, its state and its shapes belong to the worker that has its share of the list. What is shared out in ranges belongs to whoever has
/// the range.
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
    /// Lends some of them out; `act` must not ask for the same ones again.
    #[inline(always)]
    pub(crate) fn with<R>(&self, range: Range<usize>, act: impl FnOnce(&mut [T]) -> R) -> R {
        let cells = &self.0[range];
        // SAFETY: a cell has the layout of what is in it, and by the promise above nobody else accesses these now.
        act(unsafe { core::slice::from_raw_parts_mut(cells.as_ptr().cast::<T>().cast_mut(), cells.len()) })
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
