//! Contacts with shapes of many parts: meshes, height fields, polylines, outlines, compounds.
//!
//! The geometry gives one manifold for each pair of parts that touch, with normals that belong to the surface as
//! a whole, so that nothing trips over the edges between triangles. A box on a floor of small triangles has
//! dozens of them. Here they become few again:
//!
//! 1. **Groups.** The deepest manifold founds a group; every other one joins the group whose normal is nearest,
//!    if that is within 5° (as in Jolt), and founds one otherwise. If there are more than [`MOST`](choose::MOST) groups, the
//!    angle is doubled, up to 90°, where there are at most four: so many vectors of space can point away from
//!    each other. A flat floor is one group, whatever it is made of.
//! 2. **Points.** A group keeps as many points as a manifold has, those that span most of it: nothing that was
//!    supported tips over. What touches does not compete with what is merely near, or a body would lose the ridge
//!    that it lies across to a corner that is in the air: if there are too many points, each kind has its own group.
//!
//! What does not touch is asked how far apart it is at least. Until it has moved that far, less the margin, nothing touches: what
//! flies over a landscape looks at it every few steps. Twice the margin is left, so that no rounding of places can tell
//! that from a look at each step.
//!
//! Either way only the parts in a box around the smaller shape are looked at, which are kept while it stays within.
//!
//! The first group is kept in the contact of the pair, each further one in a contact of its own, an *extra* one,
//! which the solver colours and solves like any other and which lives and dies with the pair. Impulses are
//! carried over by feature. The part is in the name of a feature, unless it is the face of the part: the corner of
//! a box that slides from one triangle to the next is the same point.

use super::collider::ColliderRecord;
use super::contact::{Contact, NONE, Point, Verdict};
use super::dimension::Engine;
use super::narrow_phase::{Placed, heads, moved, radii_at};
use super::{Settings, World};
use carom_geometry::{Manifold, ManifoldPoint, PartCache};
use carom_math::{Number, Vector};

mod choose;

use choose::{AGREEMENT, choose, deepest, founders, name, nearest_founder};

/// Manifolds whose normals agree, as one.
#[derive(Clone, Copy, Debug)]
struct Group<D: Engine> {
    /// In the frame of the first body.
    normal: D::Vector,
    /// Those of the least round of the points: what is less round than it could be is never worse than a corner.
    radii: [f32; 2],
    count: u8,
    points: D::Points,
}

/// A point of some manifold of a group.
#[derive(Clone, Copy, Debug)]
struct Candidate<V: Vector> {
    point: ManifoldPoint<V>,
    normal: V,
    radii: [f32; 2],
    name: u64,
}

/// How far apart shapes are, at least, and where the smaller one was then, as in [`Contact::reference`].
#[derive(Clone, Copy, Debug)]
struct Clearance<D: Engine> {
    least: f32,
    reference: (D::Vector, D::Rotation),
}

/// Clearances up to so many times the size of the smaller shape are told apart.
const FAR: f32 = 4.0;

/// What is known about a pair with a shape of many parts.
#[derive(Clone, Debug)]
pub(crate) struct PartPair<D: Engine> {
    /// The contact of the pair; `NONE` when there is none.
    contact: u32,
    /// The contacts of the further groups.
    extras: Vec<u32>,
    groups: Vec<Group<D>>,
    clearance: Option<Clearance<D>>,
    /// The parts near the smaller shape; what is found does not depend on it.
    near: PartCache<D::Wide>,
    /// Kept for their memory.
    found: Vec<Manifold<D::Vector>>,
    candidates: Vec<Candidate<D::Vector>>,
    shallow: Vec<Candidate<D::Vector>>,
    old: Vec<Contact<D>>,
}

impl<D: Engine> Default for PartPair<D> {
    fn default() -> Self {
        PartPair {
            contact: NONE,
            extras: Vec::new(),
            groups: Vec::new(),
            clearance: None,
            near: PartCache::default(),
            found: Vec::new(),
            candidates: Vec::new(),
            shallow: Vec::new(),
            old: Vec::new(),
        }
    }
}

/// All of them.
#[derive(Clone, Debug)]
pub(crate) struct PartPairs<D: Engine> {
    pub(crate) items: Vec<PartPair<D>>,
    free: Vec<u32>,
}

impl<D: Engine> Default for PartPairs<D> {
    fn default() -> Self {
        PartPairs { items: Vec::new(), free: Vec::new() }
    }
}

impl<D: Engine> PartPairs<D> {
    /// Makes room for a pair; the answer is its index.
    pub(crate) fn insert(&mut self, contact: u32) -> u32 {
        let index = self.free.pop().unwrap_or_else(|| {
            self.items.push(PartPair::default());
            self.items.len() as u32 - 1
        });
        self.items[index as usize].contact = contact;
        index
    }
    /// The contacts of the further groups of a pair.
    pub(crate) fn extras(&self, index: u32) -> &[u32] {
        self.items.get(index as usize).map_or(&[], |pair| &pair.extras)
    }
    /// Names the contacts of the further groups of a pair.
    pub(crate) fn set_extras(&mut self, index: u32, extras: Vec<u32>) {
        self.items[index as usize].extras = extras;
    }
    /// Forgets how far apart a pair was and what is near, when its bodies are no longer what they were; nothing for `NONE`.
    pub(crate) fn forget_clearance(&mut self, index: u32) {
        if let Some(pair) = self.items.get_mut(index as usize) {
            pair.clearance = None;
            pair.near.clear();
        }
    }
    fn remove(&mut self, index: u32) {
        self.items[index as usize].contact = NONE;
        self.forget_clearance(index);
        self.free.push(index);
    }
}

impl<D: Engine> PartPair<D> {
    /// The contact, if there is one.
    pub(crate) fn contact(&self) -> Option<usize> {
        (self.contact != NONE).then_some(self.contact as usize)
    }

    /// The contact and the extra ones, if there are any.
    pub(super) fn all_contacts(&self) -> impl Iterator<Item = usize> + '_ {
        self.contact().into_iter().chain(self.extras.iter().map(|extra| *extra as usize))
    }

    /// How far the shapes of a contact may move before one of their parts is within the margin of another, as far as that is
    /// known; not positive where it is not.
    pub(super) fn room(
        &self,
        contact: &Contact<D>,
        shapes: [&ColliderRecord<D>; 2],
        now: (D::Vector, D::Rotation),
        margin: f32,
    ) -> f32 {
        self.clearance.as_ref().map_or(0.0, |clearance| {
            clearance.least - moved(contact, shapes, clearance.reference, now) - 2.0 * margin
        })
    }

    /// Whether the shapes of a contact that did not touch are still farther apart than the margin, by what is known of them.
    fn is_still_clear(
        &mut self,
        contact: &Contact<D>,
        shapes: [&ColliderRecord<D>; 2],
        now: (D::Vector, D::Rotation),
        margin: f32,
    ) -> bool {
        if contact.is_touching {
            self.clearance = None;
        }
        0.0 < self.room(contact, shapes, now, margin)
    }

    /// The same, by looking at them.
    fn is_clear(
        &mut self,
        contact: &Contact<D>,
        (a, b): (&ColliderRecord<D>, &ColliderRecord<D>),
        shapes: [(&D::Shape, D::Pose); 2],
        now: (D::Vector, D::Rotation),
        margin: f32,
    ) -> bool {
        if contact.is_touching {
            return false;
        }
        let smaller = if contact.is_seen_from_second { a } else { b };
        let far = FAR * (contact.reach - smaller.distance) + margin;
        // Where that cannot be told, the manifolds cannot either.
        let least = D::clearance_cached(shapes[0], shapes[1], far, &mut self.near).unwrap_or(0.0);
        self.clearance = Some(Clearance { least, reference: now });
        margin < least
    }

    /// Finds all manifolds of the pair and makes groups of them.
    pub(super) fn find(
        &mut self,
        contact: &Contact<D>,
        (a, b): (&ColliderRecord<D>, &ColliderRecord<D>),
        placed: &Placed<D>,
        settings: &Settings<D::Vector>,
    ) {
        self.groups.clear();
        let (margin, now) = (settings.margin(), placed.relative(contact.is_seen_from_second));
        if self.is_still_clear(contact, [a, b], now, margin) {
            return;
        }
        let [pose_a, pose_b] = placed.poses(a, b);
        let shapes = [(&a.given.shape, pose_a), (&b.given.shape, pose_b)];
        if self.is_clear(contact, (a, b), shapes, now, margin) {
            return;
        }
        if D::manifolds_cached(shapes[0], shapes[1], margin, &mut self.near, &mut self.found).is_err() {
            return;
        }
        // The deepest first; of equals the lower parts.
        self.found.sort_unstable_by(|one, other| {
            other.depth().total_cmp(&one.depth()).then_with(|| one.parts().cmp(&other.parts()))
        });
        let (founders, agreement) = founders(&self.found);
        let has_parts = [a, b].map(|shape| D::is_composite(&shape.given.shape));
        for founder in founders.into_iter().flatten() {
            let normal = self.found[founder].normal();
            self.candidates.clear();
            for manifold in &self.found {
                if nearest_founder(&self.found, &founders, manifold.normal(), agreement) != Some(founder) {
                    continue;
                }
                let radii = radii_at::<D>(shapes, manifold);
                for point in manifold.points() {
                    let name = name::<D>(point.feature, manifold.parts(), has_parts);
                    // Neighbours share their sides: what lies on one is found twice.
                    let is_known = self.candidates.iter().any(|other| {
                        let away = (other.point.point - point.point).length_squared();
                        other.name == name && away <= settings.slop * settings.slop
                    });
                    if !is_known {
                        let normal = manifold.normal();
                        self.candidates.push(Candidate { point: *point, normal, radii, name });
                    }
                }
            }
            let most = D::Points::default().as_ref().len();
            self.shallow.clear();
            if most < self.candidates.len() {
                let deepest = deepest(&self.candidates);
                self.candidates.retain(|candidate| {
                    let is_deep = deepest - settings.slop <= candidate.point.depth;
                    if !is_deep {
                        self.shallow.push(*candidate);
                    }
                    is_deep
                });
            }
            let own_normal = placed.direction_in_first(normal);
            for candidates in [&self.candidates, &self.shallow] {
                if candidates.is_empty() {
                    continue;
                }
                let mut points = D::Points::default();
                let mut least = [f32::INFINITY; 2];
                let (chosen, count) = choose(candidates, normal, settings.slop, most);
                for (slot, &index) in points.as_mut().iter_mut().zip(&chosen[..count]) {
                    let Candidate { point, normal, radii, name } = candidates[index];
                    *slot = placed.point(&point, normal, name);
                    least = [least[0].min_of(radii[0]), least[1].min_of(radii[1])];
                }
                placed.to_centers(&mut points.as_mut()[..count], normal, least);
                self.groups.push(Group { normal: own_normal, radii: least, count: count as u8, points });
            }
        }
    }
}

/// Gives points the impulses of old ones, each of which is used once: that of the same name or, where there is
/// none, the nearest one on the smaller shape, if that is within the margin.
fn carry<D: Engine>(
    points: &mut [Point<D::Vector>],
    old: &mut [Contact<D>],
    is_first_smaller: bool,
    margin: f32,
) {
    let place = |point: &Point<D::Vector>| if is_first_smaller { point.local_a } else { point.local_b };
    for by_name in [true, false] {
        for point in points.iter_mut().filter(|point| point.impulse == 0.0) {
            let mut nearest: Option<(f32, &mut Point<D::Vector>)> = None;
            for before in old.iter_mut().flat_map(Contact::points_mut) {
                let away = (place(before) - place(point)).length_squared();
                let is_same = if by_name { before.feature == point.feature } else { away <= margin * margin };
                if is_same && before.impulse != 0.0 && nearest.as_ref().is_none_or(|(least, _)| away < *least)
                {
                    nearest = Some((away, before));
                }
            }
            if let Some((_, before)) = nearest {
                point.impulse = core::mem::take(&mut before.impulse);
                point.tangent_impulse = before.tangent_impulse;
            }
        }
    }
}

impl<D: Engine> World<D> {
    /// Takes over what was found about a pair with parts: groups become contacts, with the impulses that the
    /// points had. What that means for the pair is the answer.
    pub(super) fn take_parts(&mut self, index: u32) -> Verdict {
        let (head, margin) = (&self.contacts.pool[index as usize], self.settings.margin());
        let Some(pair) = self.part_pairs.items.get_mut(head.part_pair as usize) else { return Verdict::Same };
        // Most of what flies.
        if pair.groups.is_empty() && !head.is_touching {
            return Verdict::Same;
        }
        let (head, mut pair) = (*head, core::mem::take(pair));
        pair.old.clear();
        if head.is_touching {
            pair.old.push(head);
        }
        pair.old.extend(pair.extras.iter().map(|extra| self.contacts.pool[*extra as usize]));
        for (k, group) in pair.groups.iter().enumerate() {
            let place = if k == 0 {
                index
            } else if let Some(extra) = pair.extras.get(k - 1) {
                *extra
            } else {
                let extra = self.add_extra(&head);
                pair.extras.push(extra);
                extra
            };
            let contact = &mut self.contacts.pool[place as usize];
            contact.surface = head.surface;
            contact.normal = group.normal;
            contact.radii = group.radii;
            contact.count = group.count;
            contact.points = group.points;
            carry(contact.points_mut(), &mut pair.old, head.is_seen_from_second, margin);
            // Friction is that of the group it was: the one with the nearest normal, once.
            contact.friction_impulse = D::Vector::ZERO;
            contact.twist_impulse = 0.0;
            contact.rolling_impulse = D::Angular::default();
            let mut nearest: Option<(f32, usize)> = None;
            for (k, old) in pair.old.iter().enumerate() {
                let cosine = old.normal.dot(group.normal);
                if AGREEMENT[3] < cosine && nearest.is_none_or(|(most, _)| most < cosine) {
                    nearest = Some((cosine, k));
                }
            }
            if let Some((_, k)) = nearest {
                let old = &mut pair.old[k];
                contact.friction_impulse = core::mem::take(&mut old.friction_impulse);
                contact.twist_impulse = core::mem::take(&mut old.twist_impulse);
                contact.rolling_impulse = core::mem::take(&mut old.rolling_impulse);
            }
        }
        while pair.groups.len().max(1) <= pair.extras.len() {
            if let Some(extra) = pair.extras.pop() {
                self.remove_extra(extra);
            }
        }
        let is_touching = !pair.groups.is_empty();
        self.part_pairs.items[head.part_pair as usize] = pair;
        match (head.is_touching, is_touching) {
            (false, true) => Verdict::Began,
            (true, false) => Verdict::Ended,
            _ => Verdict::Same,
        }
    }

    /// A contact for one more group of a pair.
    fn add_extra(&mut self, head: &Contact<D>) -> u32 {
        let mut extra = Contact::new(head.shapes, head.bodies, false);
        extra.is_extra = true;
        extra.is_touching = true;
        (extra.friction, extra.restitution, extra.rolling) = (head.friction, head.restitution, head.rolling);
        (extra.has_surface, extra.surface) = (head.has_surface, head.surface);
        let index = self.contacts.insert(extra, heads(&mut self.bodies.items, head.bodies));
        let moves = head.bodies.map(|body| self.bodies.items[body as usize].moves());
        self.colours.add(&mut self.contacts, index, moves);
        index
    }
    fn remove_extra(&mut self, index: u32) {
        self.colours.remove(&mut self.contacts, index);
        let bodies = self.contacts.pool[index as usize].bodies;
        self.contacts.remove(index, heads(&mut self.bodies.items, bodies));
    }

    /// Removes the extra contacts of a pair.
    pub(super) fn drop_extras(&mut self, part_pair: u32) {
        let Some(pair) = self.part_pairs.items.get_mut(part_pair as usize) else { return };
        let mut extras = core::mem::take(&mut pair.extras);
        extras.drain(..).for_each(|extra| self.remove_extra(extra));
        self.part_pairs.items[part_pair as usize].extras = extras;
    }
    /// Forgets a pair with parts.
    pub(super) fn drop_part_pair(&mut self, part_pair: u32) {
        if part_pair != NONE {
            self.drop_extras(part_pair);
            self.part_pairs.remove(part_pair);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::d3::{Body, Collider, World};
    use carom_geometry::d3::{Cuboid, TriangleMesh, manifolds};
    use carom_math::{Pose3, Quat, Vec3, Vector};

    /// A card across the ridge between two triangles touches it in four points, and has a corner a centimetre above.
    #[test]
    fn what_touches_is_kept_whatever_is_near() {
        let corners = [
            [-3.0, 0.279_508_5, 3.0],
            [-3.0, 0.172_745_75, 4.0],
            [-2.0, -0.172_745_75, 4.0],
            [-2.0, -0.279_508_5, 3.0],
        ];
        let ridge = TriangleMesh::new(corners, [[0, 1, 2], [2, 3, 0]]).unwrap();
        let card = Cuboid::new([0.02, 0.2, 0.04]).unwrap();
        let turn = Quat::new(-0.043_737_162, 0.040_609_267, 0.509_596_6, 0.858_341_16).unwrap();
        let pose = Pose3::new([-2.695_832, 0.156_277_25, 3.232_398_5], turn);
        let mut world = World::new();
        world.add(Body::fixed().shape(Collider::new(ridge.clone()))).unwrap();
        let body = world.add(Body::dynamic().at(pose).shape(Collider::new(card))).unwrap();
        world.step(0.0).unwrap();
        let (mut found, settings) = (Vec::new(), *world.settings());
        manifolds(&ridge, Pose3::IDENTITY, &card, pose, settings.margin(), &mut found).unwrap();
        let points = found
            .iter()
            .flat_map(|manifold| manifold.points().iter().map(|point| (manifold.normal(), *point)));
        let deepest = found.iter().fold(f32::NEG_INFINITY, |most, manifold| most.max(manifold.depth()));
        let mut touching: Vec<Vec3<f32>> = Vec::new();
        let mut is_near = false;
        for (normal, point) in points {
            if deepest - settings.slop <= point.depth {
                touching.push(point.point - normal * (0.5 * point.depth));
            } else {
                is_near = true;
            }
        }
        assert!(is_near && 4 <= touching.len(), "{found:?}");
        let center = world.get(body).unwrap().center_of_mass();
        let kept: Vec<Vec3<f32>> = world
            .contacts
            .pool
            .iter()
            .flat_map(|contact| {
                contact.points().iter().map(|point| center + pose.rotation.rotate(point.local_b))
            })
            .collect();
        for point in touching {
            assert!(kept.iter().any(|other| (*other - point).max_abs() < 1e-4), "{point:?} {kept:?}");
        }
    }

    /// Worlds that look at each step, and one that knows how far away the ground is, are the same to the bit.
    #[test]
    fn clearances_change_nothing() {
        // A bowl, so that what is above the ground is within its box.
        let corners = (0..64_u8).map(|k| {
            let (x, z) = (f32::from(k % 8) - 3.5, f32::from(k / 8) - 3.5);
            [x, (x * x + z * z) / 3.0, z]
        });
        let cells = (0..49_u32).map(|k| k / 7 * 8 + k % 7);
        let triangles = cells.flat_map(|at| [[at, at + 8, at + 1], [at + 1, at + 8, at + 9]]);
        let ground = Collider::new(TriangleMesh::new(corners, triangles).unwrap()).restitution(0.7);
        let mut world = World::new();
        world.add(Body::fixed().shape(ground)).unwrap();
        for k in 0..9_u8 {
            let at = [1.5 * f32::from(k % 3) - 1.5, 3.0 + 0.25 * f32::from(k), 1.5 * f32::from(k / 3) - 1.5];
            let shape = Collider::new(Cuboid::new([0.4, 0.2, 0.3]).unwrap()).restitution(0.7);
            world
                .add(Body::dynamic().at(at).angular_velocity([f32::from(k), 2.0, 1.0]).shape(shape))
                .unwrap();
        }
        let mut forgetful = world.clone();
        let (mut known, mut touching) = (0, 0);
        for step in 0..240 {
            for index in 0..forgetful.part_pairs.items.len() as u32 {
                forgetful.part_pairs.forget_clearance(index);
            }
            world.step(1.0 / 60.0).unwrap();
            forgetful.step(1.0 / 60.0).unwrap();
            assert_eq!(world.hash(), forgetful.hash(), "step {step}");
            let pairs = world.part_pairs.items.iter();
            known += pairs.filter(|pair| pair.clearance.is_some_and(|clear| 0.25 < clear.least)).count();
            touching += world.contacts.pool.iter().filter(|contact| contact.is_touching).count();
        }
        assert!(50 < known && 50 < touching, "{known} {touching}");
    }
}
