//! Contacts that need not be looked at in a step: a few dense numbers tell.
//!
//! A contact keeps its points until its shapes have moved by the margin, as seen from each other. In a pile hardly any do, and to find
//! that out from places, shapes and the contact itself means to read some 600 bytes in five places for each pair. Here are 20 of them in a row.
//!
//! **The bound.** Seen from the larger body L, the smaller one S moves by no more than the centres do, one from the other, plus what L turns times how
//! far away S is; and points of the shape on S move by no more than that, plus what both turn times how far they are from the centre of S. With d
//! for the way of a centre in a step, c for the chord of what a body turned, r for the reach of the shape and e for the distance of the centres:
//!
//! > moved ≤ |d_S − d_L| + c_S·r + c_L·(r + e)
//!
//! The sum over steps bounds the motion since the last look, if e is taken as large as it can have become. While that is below the margin, less
//! the rounding errors of both ways to reckon, the look would find that the points are kept: what is found does not depend on this.
//!
//! Where hardly anything rests, as in a washer, the numbers are of no use for a fiftieth of the time of a step: then they have a [`PAUSE`].

use super::contact::NONE;
use carom_math::{Number, Vector};

/// What a contact may still move before it must be looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calm {
    bodies: [u32; 2],
    /// How far turning each body moves points of the contact, at most.
    arms: [f32; 2],
    /// How far they may move; not positive, or no number, when the contact must be looked at.
    room: f32,
}

impl Default for Calm {
    fn default() -> Self {
        Calm { bodies: [NONE; 2], arms: [0.0; 2], room: -1.0 }
    }
}

impl Calm {
    /// For ever, until somebody says otherwise.
    pub(super) fn rest(&mut self) {
        self.room = f32::INFINITY;
    }

    /// The next look must be taken.
    pub(super) fn disturb(&mut self) {
        self.room = -1.0;
    }

    /// Goes on by a step. How far the shapes have moved in it at most, and whether nothing has to be looked at.
    #[inline(always)]
    pub(super) fn goes_on<V: Vector<Scalar = f32>>(&mut self, strides: &[Stride<V>]) -> (f32, bool) {
        // Nobody moves until it is known who they are.
        let [a, b] = self.bodies.map(|body| strides.get(body as usize).copied().unwrap_or_default());
        let way = (a.way - b.way).length_squared().sqrt();
        let moved = (way + a.turn * self.arms[0] + b.turn * self.arms[1]) * UP;
        self.room -= moved;
        (moved, 0.0 < self.room)
    }

    /// After a look that leaves `room`: the body that is seen first, then that from which it is seen, `apart` from centre to centre.
    pub(super) fn after(bodies: [u32; 2], room: f32, reach: f32, apart: f32) -> Self {
        let arms = [reach, reach + apart + room.max_of(0.0)];
        // Places in `f32` are off by some units in the last place of the distances in them.
        let doubt = (arms[0] + arms[1]) * (32.0 * f32::EPSILON);
        Calm { bodies, arms, room: room * 0.999 - doubt }
    }
}

/// More than the roundings of what is moved.
const UP: f32 = 1.0 + 32.0 * f32::EPSILON;

/// How far a body got in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stride<V> {
    /// Its centre of mass.
    way: V,
    /// The chord of what it turned; infinite for a body that was disturbed.
    turn: f32,
}

impl<V: Vector<Scalar = f32>> Stride<V> {
    /// That of a body whose rotation is normalised afterwards, which turns it by some units in the last place.
    pub(super) fn new(way: V, turn: f32) -> Self {
        Stride { way, turn: turn + 4.0 * f32::EPSILON }
    }
    /// Of a body that may be anywhere: infinite or no number, whatever the arm is.
    const UNKNOWN: Self = Stride { way: V::ZERO, turn: f32::INFINITY };
}

/// For so many steps nobody reckons when less than [`FEW`] of the contacts did without a look.
const PAUSE: u32 = 15;
const FEW: f32 = 0.25;

/// How far all bodies got in the last step.
#[derive(Clone, Debug)]
pub(crate) struct Strides<V> {
    /// By the index of the body; nothing for those that do not move.
    pub(super) items: Vec<Stride<V>>,
    /// Bodies whose strides do not become others by themselves, because they do not move or because no step was made.
    disturbed: Vec<u32>,
    /// The margin of the last step, no number if that had none: with another one all contacts are looked at.
    margin: f32,
    /// For how many steps nobody reckons.
    pause: u32,
}

/// What is known in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// How far bodies got since the step before: contacts may rest.
    All,
    /// The same, but contacts do not know what they may move: each is looked at.
    Strides,
    Nothing,
}

impl<V> Default for Strides<V> {
    fn default() -> Self {
        Strides { items: Vec::new(), disturbed: Vec::new(), margin: f32::NAN, pause: 0 }
    }
}

impl<V: Vector<Scalar = f32>> Strides<V> {
    /// Makes place for so many bodies.
    pub(super) fn fit(&mut self, bodies: usize) {
        if self.items.len() < bodies {
            self.items.resize(bodies, Stride::default());
        }
    }

    /// Whatever is known about contacts of a body that moves is so no longer.
    pub(super) fn lose(&mut self, body: usize) {
        self.fit(body + 1);
        self.items[body] = Stride::UNKNOWN;
    }

    /// The same for a body that may not move.
    pub(super) fn disturb(&mut self, body: usize) {
        self.lose(body);
        // More than once in a step is rare, and does no harm until there is no end of it. Half of the list is new by then.
        if self.disturbed.len() > 2 * self.items.len() {
            self.disturbed.sort_unstable();
            self.disturbed.dedup();
        }
        self.disturbed.push(body as u32);
    }

    /// What contacts can know in this step; without a margin nothing may rest.
    pub(super) fn begin(&mut self, margin: Option<f32>) -> Known {
        let Some(margin) = margin.filter(|_| self.pause == 0) else {
            self.pause = self.pause.saturating_sub(1);
            // What contacts know is not true for what they are when it is asked for again.
            self.margin = f32::NAN;
            return Known::Nothing;
        };
        if core::mem::replace(&mut self.margin, margin) == margin { Known::All } else { Known::Strides }
    }

    /// After the look, with how many contacts there are and how many of them needed none: what was disturbed is no longer.
    pub(super) fn end(&mut self, known: Known, count: usize, rested: usize) {
        if known == Known::All && (rested as f32) < FEW * count as f32 {
            self.pause = PAUSE;
        }
        for body in self.disturbed.drain(..) {
            if let Some(stride) = self.items.get_mut(body as usize) {
                *stride = Stride::default();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Place;
    use super::super::dimension::{Engine, Solid};
    use super::super::narrow_phase::{Placed, calm_after, moved};
    use super::*;
    use crate::d3::{Body, World};
    use carom_geometry::d3::Cuboid;
    use carom_math::{Quat, Vec3};
    use carom_oracle::generate::Rng;

    /// Two bodies that go anywhere in small steps: while the contact is said to last, its shapes have moved less than it allows, seen from
    /// whichever is the larger; and it lasts for most of the way.
    #[test]
    fn what_lasts_has_not_moved_far() {
        let mut rng = Rng::new(5);
        let (mut lasted, mut could_have) = (0, 0);
        for round in 0..300 {
            let mut world = World::new();
            let mut size = || 0.2 + rng.uniform(0.0, 1.0) as f32;
            let shapes = [[size(), size(), size()], [size(), size(), size()]];
            for (half, x) in shapes.into_iter().zip([0.0, 0.5]) {
                world.add(Body::dynamic().at([x, 0.0, 0.0]).shape(Cuboid::new(half).unwrap())).unwrap();
            }
            world.step(0.0).unwrap();
            let contact = world.contacts.pool[0];
            let colliders = contact.shapes.map(|shape| &world.colliders.items[shape as usize]);
            let mut places = [world.places[0], world.places[1]];
            let seen = |places: &[Place<Solid>; 2]| {
                Placed::new(&places[0], &places[1]).relative(contact.is_seen_from_second)
            };
            let (before, room) = (seen(&places), 0.02);
            let mut calm = calm_after(&contact, before, room);
            // Together as well as each for itself.
            let stride = [1e-3, 3e-3, 1e-2][round % 3];
            let mut vector = |size: f64| {
                let mut number = || (size * rng.uniform(-1.0, 1.0)) as f32;
                Vec3::new(number(), number(), number())
            };
            let together = vector(0.1);
            for _ in 0..40 {
                let mut strides = [Stride::default(); 2];
                for (place, step) in places.iter_mut().zip(&mut strides) {
                    let (way, turn) = (together + vector(stride), vector(stride));
                    let (center, rotation) = (place.center, place.rotation);
                    place.center += way.widen();
                    let turn = Quat::new(turn.x, turn.y, turn.z, 1.0).unwrap();
                    place.rotation = Solid::renormalized(Solid::compose(rotation, turn));
                    let turn = Solid::turn_chord(rotation, place.rotation);
                    *step = Stride::new(Vec3::narrow(place.center - center), turn);
                }
                let far = moved(&contact, colliders, before, seen(&places));
                could_have += usize::from(far < room);
                if !calm.goes_on(&strides).1 {
                    break;
                }
                lasted += 1;
                assert!(far < room, "round {round}: {far}");
            }
        }
        assert!(could_have < 3 * lasted, "{lasted} of {could_have}");
    }

    /// Whoever was disturbed has contacts that do not last, even those with no arm.
    #[test]
    fn disturbed_bodies_have_no_calm_contacts() {
        let mut strides = Strides::<Vec3<f32>>::default();
        let lasts = |strides: &Strides<Vec3<f32>>, arm: f32| {
            Calm { bodies: [0, 1], arms: [arm; 2], room: 1.0 }.goes_on(&strides.items).1
        };
        for _ in 0..10 {
            strides.disturb(1);
        }
        assert!(strides.disturbed.len() < 6);
        assert!(!lasts(&strides, 0.0) && !lasts(&strides, 1.0));
        let known = strides.begin(Some(0.02));
        assert_eq!(known, Known::Strides);
        assert!(!lasts(&strides, 0.0));
        strides.end(known, 1, 0);
        assert!(lasts(&strides, 0.0) && strides.disturbed.is_empty());
        assert_eq!(strides.begin(Some(0.02)), Known::All);
        // With another margin, and after steps without one, contacts do not know what they may move.
        assert_eq!(strides.begin(Some(0.03)), Known::Strides);
        assert_eq!(strides.begin(None), Known::Nothing);
        assert_eq!(strides.begin(Some(0.03)), Known::Strides);
        // Nor after a pause.
        strides.end(Known::All, 100, 10);
        assert_eq!(strides.begin(Some(0.03)), Known::Nothing);
        assert!((0..2 * PAUSE).any(|_| strides.begin(Some(0.03)) == Known::Strides));
        assert_eq!(strides.begin(Some(0.03)), Known::All);
    }
}
