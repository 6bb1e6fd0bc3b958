//! Colours: contacts that share no moving body have the same one, and can be solved side by side.
//!
//! A contact keeps its colour as long as it touches. Between two moving bodies it gets the first colour free
//! of both, counted from below; against what does not move the first from above, so that it is solved last
//! and has the last word. When none is free it overflows, and is solved one by one before the others. Each
//! body has one bit for each colour, so that choosing is one operation on two words. Colours depend on the
//! order in which contacts begin, and on nothing else. Joints follow the same rule, with bits of their own.
//!
//! The order within a colour decides nothing. It is that of the bodies, more or less: then what is solved side by side lies side by
//! side, and a worker meets the same bodies in all colours, which it need not fetch from the caches of others.

use super::body::Place;
use super::contact::{Contacts, NONE};
use super::dimension::Engine;

/// How many colours there are, without the overflow.
pub(crate) const COLOURS: usize = 23;
/// Solved one by one.
pub(crate) const OVERFLOW: u8 = COLOURS as u8;
/// No colour: not touching, or asleep.
pub(crate) const UNCOLOURED: u8 = u8::MAX;
/// Colours for two moving bodies; the rest is for statics alone.
const MOVING: u32 = (1 << 20) - 1;
/// All colours but the first, which every moving pair wants.
const STILL: u32 = ((1 << COLOURS) - 1) & !1;

/// The contacts of each colour, the overflow last.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    pub(crate) contacts: [Vec<u32>; COLOURS + 1],
    /// One bit for each colour of a body's contacts, by body.
    pub(crate) used: Vec<u32>,
    /// How many contacts have come to or left each colour since it was put in order.
    changes: [usize; COLOURS],
    /// Memory for that.
    keys: Vec<u64>,
}

/// A colour is put in order again when one in so many of its contacts has changed.
const DISORDER: usize = 4;

impl Default for Colours {
    fn default() -> Self {
        Colours {
            contacts: core::array::from_fn(|_| Vec::new()),
            used: Vec::new(),
            changes: [0; COLOURS],
            keys: Vec::new(),
        }
    }
}

/// The colour for two bodies, of which some move, given the colours that each has already.
pub(crate) fn pick(taken: [u32; 2], moves: [bool; 2]) -> u8 {
    let taken = taken[0] | taken[1];
    let colour = if moves[0] && moves[1] {
        (MOVING & !taken).trailing_zeros()
    } else {
        31_u32.wrapping_sub((STILL & !taken).leading_zeros())
    };
    if (colour as usize) < COLOURS { colour as u8 } else { OVERFLOW }
}

impl Colours {
    /// Gives the contact a colour. `moves` says which of its bodies impulses move; one at least.
    pub(crate) fn add<D: Engine>(&mut self, contacts: &mut Contacts<D>, index: u32, moves: [bool; 2]) {
        let contact = &mut contacts.pool[index as usize];
        if contact.colour != UNCOLOURED {
            return;
        }
        let bodies = contact.bodies.map(|body| body as usize);
        let taken = [0, 1].map(|side| if moves[side] { self.used[bodies[side]] } else { 0 });
        let colour = pick(taken, moves);
        if colour != OVERFLOW {
            for side in [0, 1] {
                if moves[side] {
                    self.used[bodies[side]] |= 1 << colour;
                }
            }
        }
        let list = &mut self.contacts[usize::from(colour)];
        contact.colour = colour;
        contact.colour_slot = list.len() as u32;
        list.push(index);
        self.count_change(colour);
    }
    fn count_change(&mut self, colour: u8) {
        if let Some(changes) = self.changes.get_mut(usize::from(colour)) {
            *changes += 1;
        }
    }
    /// Takes the colour away, if it has one.
    pub(crate) fn remove<D: Engine>(&mut self, contacts: &mut Contacts<D>, index: u32) {
        let contact = &mut contacts.pool[index as usize];
        let colour = core::mem::replace(&mut contact.colour, UNCOLOURED);
        if colour == UNCOLOURED {
            return;
        }
        if colour != OVERFLOW {
            // Bits are only ever set for bodies that move; clearing others changes nothing.
            for body in contact.bodies {
                self.used[body as usize] &= !(1 << colour);
            }
        }
        let slot = core::mem::replace(&mut contact.colour_slot, NONE);
        let list = &mut self.contacts[usize::from(colour)];
        list.swap_remove(slot as usize);
        if let Some(&moved) = list.get(slot as usize) {
            contacts.pool[moved as usize].colour_slot = slot;
        }
        self.count_change(colour);
    }
    /// Puts colours that have changed much in the order of the states of their bodies. Contacts without a colour are
    /// solved one after the other and stay as they are.
    pub(crate) fn put_in_order<D: Engine>(&mut self, contacts: &mut Contacts<D>, places: &[Place<D>]) {
        let Colours { contacts: lists, changes, keys, .. } = self;
        for (list, changes) in lists.iter_mut().zip(changes) {
            if *changes * DISORDER <= list.len() {
                continue;
            }
            *changes = 0;
            // What does not move has the least state, so that the other body counts.
            let key = |index: u32| {
                let [a, b] = contacts.pool[index as usize].bodies.map(|body| places[body as usize].state);
                u64::from(a.max(b)) << 32 | u64::from(index)
            };
            keys.clear();
            keys.extend(list.iter().map(|index| key(*index)));
            keys.sort_unstable();
            for (slot, (place, key)) in list.iter_mut().zip(&*keys).enumerate() {
                *place = *key as u32;
                contacts.pool[*place as usize].colour_slot = slot as u32;
            }
        }
    }
    /// All contacts that are solved.
    pub(crate) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        self.contacts.iter().flatten().copied()
    }
}
