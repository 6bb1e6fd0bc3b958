//! Blocks of contact constraints: as many contacts as there are lanes, one row for each of their numbers.
//!
//! The block of width W and R rows is R·W numbers; row r is at r·W. A [`Block`] is what the kernel sees. It is
//! filled from a [`Draft`], which has its contacts side by side; a [`Lane`] is one of them, to be read back by plain code.

use super::super::contact::Contact;
use super::super::dimension::{Engine, Side};
use super::wide::{Quad, Wide};
use carom_math::Vector;
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

/// The contacts of one block before they become lanes: whom they concern, by reference or copied.
///
/// A lane without a contact has one without points between bodies that do not move.
pub(crate) struct Draft<'a, D: Engine> {
    pub(crate) contacts: [&'a Contact<D>; MOST_LANES],
    /// The first bodies, and the second.
    pub(crate) sides: [[Side<D>; MOST_LANES]; 2],
    /// The second centres as seen from the first.
    pub(crate) offsets: [D::Vector; MOST_LANES],
    /// Bias rate, mass scale, impulse scale.
    pub(crate) softs: [[f32; 3]; MOST_LANES],
    /// How many points there are.
    pub(crate) counts: [f32; MOST_LANES],
}

/// The most lanes that a block has.
pub(crate) const MOST_LANES: usize = 16;

impl<'a, D: Engine> Draft<'a, D> {
    /// No contacts, for which this one stands.
    pub(crate) fn new(nothing: &'a Contact<D>) -> Self {
        Draft {
            contacts: [nothing; MOST_LANES],
            sides: [[Side { state: FROZEN, ..Side::default() }; MOST_LANES]; 2],
            offsets: [D::Vector::ZERO; MOST_LANES],
            softs: [[0.0; 3]; MOST_LANES],
            counts: [0.0; MOST_LANES],
        }
    }
    /// Takes a contact out.
    pub(crate) fn clear(&mut self, lane: usize, nothing: &'a Contact<D>) {
        self.contacts[lane] = nothing;
        for side in &mut self.sides {
            side[lane] = Side { state: FROZEN, ..Side::default() };
        }
        self.counts[lane] = 0.0;
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
