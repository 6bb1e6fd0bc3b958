//! A pair of shapes whose boxes overlap, and what is known about how they touch.
//!
//! Contacts live in a pool; an index stays the same as long as the contact lives. Lists of a body's contacts
//! are threaded through them, so that nothing is allocated when one comes or goes.

use super::calm::Calm;
use super::dimension::Engine;
use super::pair_set::PairSet;
use carom_math::Vector;

/// No index.
pub(crate) const NONE: u32 = u32::MAX;

/// One point of a manifold, as it is kept from step to step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Point<V> {
    /// The point of the first surface, less what is round there (see [`Contact::radii`]), in the frame of the first body, from its
    /// centre of mass.
    pub(crate) local_a: V,
    /// The point of the second surface, likewise.
    pub(crate) local_b: V,
    /// What touches what.
    pub(crate) feature: u64,
    /// The impulse along the normal.
    pub(crate) impulse: f32,
    /// The impulse of friction; in the plane, where each point has its own.
    pub(crate) tangent_impulse: f32,
    /// The largest impulse of the step.
    pub(crate) peak: f32,
    /// How fast the points approached when the step began; negative for approach.
    pub(crate) approach: f32,
}

/// The neighbours in the list of a body's contacts. An entry is 2·contact + side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) previous: u32,
    pub(crate) next: u32,
}

impl Default for Link {
    fn default() -> Self {
        Link { previous: NONE, next: NONE }
    }
}

/// A pair of shapes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact<D: Engine> {
    /// The shapes, the lower index first; `NONE` in a free slot of the pool.
    pub(crate) shapes: [u32; 2],
    pub(crate) bodies: [u32; 2],
    pub(crate) links: [Link; 2],
    /// The place among the contacts that are looked at in each step; `NONE` while both bodies sleep.
    pub(crate) awake_slot: u32,
    /// The place in the list of its colour.
    pub(crate) colour_slot: u32,
    /// The colour, or [`UNCOLOURED`](super::colours::UNCOLOURED).
    pub(crate) colour: u8,
    pub(crate) count: u8,
    /// The manifold is not empty: the solver has something to do.
    pub(crate) is_touching: bool,
    /// Either shape only watches.
    pub(crate) is_sensor: bool,
    /// One more manifold of a pair whose shapes have parts: see `parts`.
    pub(crate) is_extra: bool,
    /// What is known about the parts, or `NONE` for shapes without.
    pub(crate) part_pair: u32,
    /// A hook has said that the shapes do not push each other.
    pub(crate) is_ignored: bool,
    /// The points have been found at least once.
    pub(crate) is_known: bool,
    /// It was a hit, in the last step. What stopped a fall says nothing about what it takes to bear a weight: nothing starts from it.
    pub(crate) has_hit: bool,
    /// What the narrow phase has found out, to be acted on in order.
    pub(crate) verdict: Verdict,
    pub(crate) friction: f32,
    pub(crate) restitution: f32,
    /// Coefficient times radius: an arm.
    pub(crate) rolling: f32,
    /// The point of the smaller shape farthest from its centre of mass is no farther.
    pub(crate) reach: f32,
    /// Whether the second shape is the larger one, so that motion is as seen from that.
    pub(crate) is_seen_from_second: bool,
    /// Whether either surface runs by itself.
    pub(crate) has_surface: bool,
    /// How fast the second surface runs along the first by itself, in the world.
    pub(crate) surface: D::Vector,
    /// The body of the smaller shape and its rotation, seen from the other, when the points were found.
    pub(crate) reference: (D::Vector, D::Rotation),
    /// From the first to the second, in the frame of the first body.
    pub(crate) normal: D::Vector,
    /// How round each surface is where it touches: the radius of a ball which it is like there, 0 for faces, edges and corners.
    ///
    /// A wheel turns and what is lowest stays below its axle. So what turns with the body is the centre of that ball, and the surface is
    /// by the radius farther along the normal, however the body turns.
    pub(crate) radii: [f32; 2],
    /// The impulse of friction in the world; in space, where the points share it.
    pub(crate) friction_impulse: D::Vector,
    /// The impulse against twisting about the normal.
    pub(crate) twist_impulse: f32,
    pub(crate) rolling_impulse: D::Angular,
    pub(crate) points: D::Points,
}

/// What has to be done about a contact after the narrow phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing new.
    #[default]
    Same,
    /// The shapes began to touch.
    Began,
    /// They no longer touch.
    Ended,
    /// Their boxes are apart: forget the pair.
    Apart,
    /// They have parts, which were looked at: see there.
    Parts,
}

impl<D: Engine> Contact<D> {
    pub(crate) fn new(shapes: [u32; 2], bodies: [u32; 2], is_sensor: bool) -> Self {
        Contact {
            shapes,
            bodies,
            links: [Link::default(); 2],
            awake_slot: NONE,
            colour_slot: NONE,
            colour: super::colours::UNCOLOURED,
            count: 0,
            is_touching: false,
            is_sensor,
            is_extra: false,
            part_pair: NONE,
            is_ignored: false,
            is_known: false,
            has_hit: false,
            verdict: Verdict::Same,
            friction: 0.0,
            restitution: 0.0,
            rolling: 0.0,
            reach: 0.0,
            is_seen_from_second: false,
            has_surface: false,
            surface: D::Vector::ZERO,
            reference: (D::Vector::ZERO, D::Rotation::default()),
            normal: D::Vector::ZERO,
            radii: [0.0; 2],
            friction_impulse: D::Vector::ZERO,
            twist_impulse: 0.0,
            rolling_impulse: D::Angular::default(),
            points: D::Points::default(),
        }
    }
    /// Where a point is on each surface, from the centre of mass of its body, when these are turned like this.
    #[inline]
    pub(crate) fn on_surfaces(
        &self,
        point: &Point<D::Vector>,
        rotations: [D::Rotation; 2],
    ) -> [D::Vector; 2] {
        let normal = D::rotate(rotations[0], self.normal);
        [
            D::rotate(rotations[0], point.local_a) + normal * self.radii[0],
            D::rotate(rotations[1], point.local_b) - normal * self.radii[1],
        ]
    }
    /// The points of the manifold.
    #[inline(always)]
    pub(crate) fn points(&self) -> &[Point<D::Vector>] {
        let points = self.points.as_ref();
        &points[..usize::from(self.count).min(points.len())]
    }
    #[inline(always)]
    pub(crate) fn points_mut(&mut self) -> &mut [Point<D::Vector>] {
        let points = self.points.as_mut();
        let count = usize::from(self.count).min(points.len());
        &mut points[..count]
    }
}

/// All contacts.
#[derive(Clone, Debug)]
pub(crate) struct Contacts<D: Engine> {
    pub(crate) pool: Vec<Contact<D>>,
    /// For each of them, whether it has to be looked at.
    pub(crate) calm: Vec<Calm>,
    pub(super) free: Vec<u32>,
    /// Those with a body that is awake.
    pub(crate) awake: Vec<u32>,
    /// The pairs of shapes that have one.
    pub(crate) pairs: PairSet,
}

impl<D: Engine> Default for Contacts<D> {
    fn default() -> Self {
        Contacts {
            pool: Vec::new(),
            calm: Vec::new(),
            free: Vec::new(),
            awake: Vec::new(),
            pairs: PairSet::default(),
        }
    }
}

impl<D: Engine> Contacts<D> {
    /// Makes room for more contacts at once.
    pub(crate) fn reserve(&mut self, more: usize) {
        let new = more.saturating_sub(self.free.len());
        self.pool.reserve(new);
        self.calm.reserve(new);
        self.awake.reserve(more);
        self.pairs.reserve(new);
    }
    /// Takes a contact in; it is awake.
    pub(crate) fn insert(&mut self, contact: Contact<D>, heads: [&mut u32; 2]) -> u32 {
        if !contact.is_extra {
            self.pairs.insert(contact.shapes);
        }
        let index = match self.free.pop() {
            Some(index) => {
                self.pool[index as usize] = contact;
                index
            }
            None => {
                self.pool.push(contact);
                self.calm.push(Calm::default());
                self.pool.len() as u32 - 1
            }
        };
        for (side, head) in heads.into_iter().enumerate() {
            let entry = index * 2 + side as u32;
            self.pool[index as usize].links[side] = Link { previous: NONE, next: *head };
            if *head != NONE {
                self.link_mut(*head).previous = entry;
            }
            *head = entry;
        }
        self.wake(index);
        index
    }
    /// Takes a contact out of all lists; it must have no colour.
    pub(crate) fn remove(&mut self, index: u32, heads: [&mut u32; 2]) {
        for (side, head) in heads.into_iter().enumerate() {
            let Link { previous, next } = self.pool[index as usize].links[side];
            if previous == NONE {
                *head = next;
            } else {
                self.link_mut(previous).next = next;
            }
            if next != NONE {
                self.link_mut(next).previous = previous;
            }
        }
        self.sleep(index);
        if !self.pool[index as usize].is_extra {
            self.pairs.remove(self.pool[index as usize].shapes);
        }
        self.pool[index as usize].shapes = [NONE; 2];
        self.free.push(index);
    }
    /// Looks at the contact in each step from now on.
    pub(crate) fn wake(&mut self, index: u32) {
        let contact = &mut self.pool[index as usize];
        if contact.awake_slot == NONE {
            contact.awake_slot = self.awake.len() as u32;
            self.awake.push(index);
        }
        self.disturb(index);
    }
    /// Looks at it in the next step, however little it moves.
    pub(crate) fn disturb(&mut self, index: u32) {
        if let Some(calm) = self.calm.get_mut(index as usize) {
            calm.disturb();
        }
    }
    /// Looks at it no longer.
    pub(crate) fn sleep(&mut self, index: u32) {
        let slot = core::mem::replace(&mut self.pool[index as usize].awake_slot, NONE);
        if slot != NONE {
            self.awake.swap_remove(slot as usize);
            if let Some(&moved) = self.awake.get(slot as usize) {
                self.pool[moved as usize].awake_slot = slot;
            }
        }
    }
    /// The contacts of a body, from the head of its list; each with the side that the body is on.
    pub(crate) fn of_body(&self, head: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
        let mut entry = head;
        core::iter::from_fn(move || {
            if entry == NONE {
                return None;
            }
            let found = (entry / 2, (entry % 2) as usize);
            entry = self.pool[found.0 as usize].links[found.1].next;
            Some(found)
        })
    }
    fn link_mut(&mut self, entry: u32) -> &mut Link {
        &mut self.pool[(entry / 2) as usize].links[(entry % 2) as usize]
    }
    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }
}
