//! Blocks of contact constraints: as many contacts as there are lanes, one row for each of their numbers.
//!
//! The block of width W and R rows is R·W numbers; row r is at r·W. A [`Block`] is what the kernel sees, a
//! [`Lane`] is one contact of it, which is filled and read back by plain code.

use super::wide::{Quad, Wide};
use core::cell::Cell;
use core::marker::PhantomData;

/// Marks the index of a state that impulses do not change.
pub(crate) const FROZEN: u32 = 1 << 31;

/// The constraints of a block, and whom they concern.
pub(crate) struct Block<'a, T> {
    pub(crate) rows: &'a mut [f32],
    /// The states of the first bodies, then those of the second.
    pub(crate) states: &'a [u32],
    /// Whether any of the contacts resists rolling.
    pub(crate) rolls: bool,
    pub(crate) width: PhantomData<T>,
}

impl<T: Wide> Block<'_, T> {
    #[inline(always)]
    pub(crate) fn get(&self, token: T::Token, row: usize) -> T {
        T::load(token, &self.rows[row * T::WIDTH..(row + 1) * T::WIDTH])
    }
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, value: T) {
        value.store(&mut self.rows[row * T::WIDTH..(row + 1) * T::WIDTH]);
    }
    /// Quad `quad` of the states of the first (side 0) or second (side 1) bodies, transposed.
    #[inline(always)]
    pub(crate) fn gather<const QUADS: usize>(
        &self,
        token: T::Token,
        states: &[Cell<Quad>],
        side: usize,
        quad: usize,
    ) -> [T; 4] {
        let indices = &self.states[side * T::WIDTH..(side + 1) * T::WIDTH];
        T::gather(
            token,
            #[inline(always)]
            |lane| states[(indices[lane] & !FROZEN) as usize * QUADS + quad].get(),
        )
    }
    /// Writes a quad of the states of those bodies that impulses move.
    #[inline(always)]
    pub(crate) fn scatter<const QUADS: usize>(
        &self,
        token: T::Token,
        states: &[Cell<Quad>],
        side: usize,
        quad: usize,
        columns: [T; 4],
    ) {
        let indices = &self.states[side * T::WIDTH..(side + 1) * T::WIDTH];
        T::scatter(
            token,
            columns,
            #[inline(always)]
            |lane, row| {
                let index = indices[lane];
                if index & FROZEN == 0 {
                    states[index as usize * QUADS + quad].set(row);
                }
            },
        );
    }
}

/// The most rows that a contact has in any dimension.
pub(crate) const MOST_ROWS: usize = 96;

/// The numbers of one contact, before they become a lane.
pub(crate) struct Filling<'a>(pub(crate) &'a mut [f32; MOST_ROWS]);

impl Filling<'_> {
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, value: f32) {
        self.0[row] = value;
    }
}

/// One contact of a block, to be read.
pub(crate) struct Lane<'a> {
    rows: &'a [f32],
    width: usize,
    lane: usize,
}

impl<'a> Lane<'a> {
    pub(crate) fn new(rows: &'a [f32], width: usize, lane: usize) -> Self {
        Lane { rows, width, lane }
    }
    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> f32 {
        self.rows[row * self.width + self.lane]
    }
}
