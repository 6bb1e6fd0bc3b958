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
    pub(crate) changes: [usize; COLOURS],
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
            *changes = changes.saturating_add(1);
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
            if changes.saturating_mul(DISORDER) <= list.len() {
                continue;
            }
            *changes = 0;
            // The lower state, as in the order in which contacts began. What does not move has 0, and the other body counts.
            let key = |index: u32| {
                let [a, b] = contacts.pool[index as usize].bodies.map(|body| places[body as usize].state);
                let state = if a == 0 || b == 0 { a.max(b) } else { a.min(b) };
                u64::from(state) << 32 | u64::from(index)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d2::{Body, World};
    use carom_geometry::d2::{Ball, Cuboid};

    /// How often the states of the contacts of a colour fall: never, when it is in order.
    fn disorder(world: &World, colour: usize) -> usize {
        let state = |index: &u32| {
            let [a, b] = world.contacts.pool[*index as usize].bodies;
            let [a, b] = [a, b].map(|body| world.places[body as usize].state);
            if a == 0 || b == 0 { a.max(b) } else { a.min(b) }
        };
        world.colours.contacts[colour].windows(2).filter(|pair| state(&pair[1]) < state(&pair[0])).count()
    }

    #[test]
    fn contacts_know_their_slots_and_lie_in_the_order_of_their_bodies() -> Result<(), crate::Error> {
        let mut world = World::new();
        world.add(Body::fixed().shape(Cuboid::new([50.0, 1.0])?))?;
        let mut balls = Vec::new();
        for k in 0..400_u16 {
            // From the right to the left and up: no order of states is that of the places.
            let (column, row) = (f32::from(k * 7 % 20), f32::from(k / 20));
            let at = [column - 9.5, 1.5 + row];
            balls.push(world.add(Body::dynamic().at(at).shape(Ball::new(0.5)?))?);
        }
        for step in 0..60 {
            world.step(1.0 / 60.0)?;
            if step % 4 == 0 {
                let ball = balls.swap_remove(step * 5 % balls.len());
                world.remove(ball)?;
            }
            // As if much had changed.
            world.colours.changes = [1000; COLOURS];
            world.colours.put_in_order(&mut world.contacts, &world.places);
            assert!((0..COLOURS).all(|colour| disorder(&world, colour) == 0));
            for (colour, list) in world.colours.contacts.iter().enumerate() {
                for (slot, index) in list.iter().enumerate() {
                    let contact = &world.contacts.pool[*index as usize];
                    assert_eq!((usize::from(contact.colour), contact.colour_slot as usize), (colour, slot));
                }
            }
        }
        assert!(world.colours.contacts[0].len() > 50);
        Ok(())
    }
}
