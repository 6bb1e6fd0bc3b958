//! From pairs of boxes to points of contact, and what follows when shapes begin or cease to touch.
//!
//! Points are found in a frame with the axes of the world and the origin in the first centre of mass, so that
//! the distance from the origin of the world costs no precision. They are kept in the frames of the two
//! bodies. While the pair has moved by less than the margin since they were found, they are kept as they are,
//! and the solver sees them move with the bodies: a point that was left out was more than the margin away, so
//! it cannot overlap before points are found again.

use super::body::{BodyKind, Place, Record};
use super::calm::{Calm, Known};
use super::collider::ColliderRecord;
use super::contact::{Contact, NONE, Point, Verdict};
use super::dimension::Engine;
use super::events::Touch;
use super::hooks::Surroundings;
use super::joint::are_kept_apart;
use super::threads::Shared;
use super::{Settings, World};
use carom_geometry::{Manifold, ManifoldPoint};
use carom_math::{Number, Vector};
use core::sync::atomic::{AtomicUsize, Ordering};

/// By how much, in radians, the normal of what is round may turn before it is found anew: the share of a weight that drives a ball then.
const MOST_TURN: f32 = 1e-4;

impl<D: Engine> World<D> {
    /// Contacts for all boxes that came to overlap since the last look.
    pub(super) fn update_pairs(&mut self) {
        let (bodies, colliders, contacts) = (&self.bodies, &self.colliders, &self.contacts);
        let joints = &self.joints;
        let wanted = |a: u32, b: u32| {
            // Most are there already, and that is the cheapest question.
            if contacts.pairs.contains([a, b]) {
                return false;
            }
            let (shape_a, shape_b) = (&colliders.items[a as usize], &colliders.items[b as usize]);
            if shape_a.body == shape_b.body {
                return false;
            }
            let (body_a, body_b) =
                (&bodies.items[shape_a.body as usize], &bodies.items[shape_b.body as usize]);
            let is_sensor = shape_a.given.is_sensor || shape_b.given.is_sensor;
            let matters = if is_sensor {
                // Two sensors do not see each other.
                shape_a.given.is_sensor != shape_b.given.is_sensor
                    && (body_a.kind != BodyKind::Fixed || body_b.kind != BodyKind::Fixed)
            } else {
                body_a.moves() || body_b.moves()
            };
            if !matters || !shape_a.given.filter.meets(shape_b.given.filter) {
                return false;
            }
            if are_kept_apart(joints, bodies, [shape_a.body, shape_b.body]) {
                return false;
            }
            is_sensor || body_a.is_awake() || body_b.is_awake()
        };
        let pairs = self.broad_phase.new_pairs(&self.pool, wanted);
        // A new world has thousands of them at once.
        self.contacts.reserve(pairs.len());
        // Sorted, so that contacts come into being in an order that depends on indices only.
        for &[a, b] in pairs {
            if !self.hooks.allow(&self.bodies, &self.colliders, [a, b]) {
                continue;
            }
            let (shape_a, shape_b) = (&self.colliders.items[a as usize], &self.colliders.items[b as usize]);
            let owners = [shape_a.body, shape_b.body];
            let is_sensor = shape_a.given.is_sensor || shape_b.given.is_sensor;
            let mut contact = Contact::new([a, b], owners, is_sensor);
            (contact.friction, contact.restitution, contact.rolling) = mixed(shape_a, shape_b);
            contact.is_seen_from_second = shape_a.reach < shape_b.reach;
            contact.reach = shape_a.reach.min_of(shape_b.reach);
            contact.has_surface =
                shape_a.given.surface != D::Vector::ZERO || shape_b.given.surface != D::Vector::ZERO;
            let has_parts = !is_sensor
                && (D::is_composite(&shape_a.given.shape) || D::is_composite(&shape_b.given.shape));
            let index = self.contacts.insert(contact, heads(&mut self.bodies.items, owners));
            if has_parts {
                self.contacts.pool[index as usize].part_pair = self.part_pairs.insert(index);
            }
        }
    }

    /// Finds the points of all contacts that are awake.
    pub(super) fn collide(&mut self) {
        self.news.fit(&self.pool);
        let World {
            contacts,
            part_pairs,
            strides,
            colliders,
            places,
            bodies,
            awake,
            settings,
            hooks,
            pool,
            news,
            ..
        } = self;
        let news = &*news;
        let margin = settings.margin();
        // A hook is asked about every contact in each step.
        let may_rest = settings.recycle && hooks.contact.is_none();
        let known = strides.begin(may_rest.then_some(margin));
        let rested = AtomicUsize::new(0);
        contacts.calm.resize(contacts.pool.len(), Calm::default());
        let surroundings = Surroundings { bodies, colliders, places, awake };
        // A contact changes nothing but itself.
        let look = |contact: &mut Contact<D>, is_calm: bool| {
            let [a, b] = contact.shapes.map(|shape| &colliders.items[shape as usize]);
            let [at_a, at_b] = contact.bodies.map(|body| &places[body as usize]);
            let calm = update(contact, (a, at_a), (b, at_b), settings, is_calm);
            let has_parts = contact.is_extra || contact.part_pair != NONE;
            if let Some(hook) = hooks.contact.as_ref().filter(|_| !has_parts) {
                surroundings.ask(hook, contact);
            }
            calm
        };
        let (count, all) = (contacts.pool.len(), Shared::new(&mut contacts.pool));
        let (calm, steps) = (Shared::new(&mut contacts.calm), &strides.items);
        pool.share_out(count, 64, &|worker, range| {
            let (Some(mut news), mut resting) = (news.of(worker), 0) else { return };
            let mut lent = |all: &mut [Contact<D>], calm: &mut [Calm]| {
                for (index, (contact, calm)) in range.clone().zip(all.iter_mut().zip(calm)) {
                    let (moved, lasts) =
                        if known == Known::Nothing { (f32::INFINITY, false) } else { calm.goes_on(steps) };
                    if lasts && known == Known::All {
                        resting += 1;
                        continue;
                    }
                    if contact.awake_slot == NONE {
                        calm.rest();
                        continue;
                    }
                    // What moves by more than that is looked at again before long: to reckon when is not worth it.
                    let is_calm = moved < 0.5 * margin;
                    let found = look(contact, is_calm);
                    if is_calm || contact.is_extra {
                        *calm = found;
                    } else if known != Known::Nothing {
                        calm.disturb();
                    }
                    if contact.verdict != Verdict::Same {
                        news.push(index as u32);
                    }
                }
            };
            all.with(range.clone(), |all| calm.with(range.clone(), |calm| lent(all, calm)));
            rested.fetch_add(resting, Ordering::Relaxed);
        });
        strides.end(known, count, rested.into_inner());
        if part_pairs.items.is_empty() {
            return;
        }
        let contacts = &contacts.pool;
        let (count, pairs) = (part_pairs.items.len(), Shared::new(&mut part_pairs.items));
        pool.share_out(count, 4, &|_, range| {
            pairs.with(range, |pairs| {
                for pair in pairs {
                    let Some(contact) = pair.contact().map(|index| &contacts[index]) else { continue };
                    if contact.verdict == Verdict::Parts {
                        let [a, b] = contact.shapes.map(|shape| &colliders.items[shape as usize]);
                        let [at_a, at_b] = contact.bodies.map(|body| &places[body as usize]);
                        pair.find(contact, (a, b), &Placed::new(at_a, at_b), settings);
                    }
                }
            });
        });
    }

    /// Acts on what the narrow phase has found, contact by contact in the order of their list.
    pub(super) fn settle(&mut self) {
        let mut todo = core::mem::take(&mut self.scratch);
        todo.clear();
        self.news.drain_into(&mut todo);
        // By index: who found it does not matter.
        todo.sort_unstable();
        for &index in &todo {
            let verdict = core::mem::take(&mut self.contacts.pool[index as usize].verdict);
            let verdict = if verdict == Verdict::Parts { self.take_parts(index) } else { verdict };
            match verdict {
                Verdict::Same | Verdict::Parts => {}
                Verdict::Began => self.begin_contact(index),
                Verdict::Ended => self.release_contact(index),
                Verdict::Apart => self.end_contact(index),
            }
        }
        self.scratch = todo;
        self.ask_about_parts();
    }

    /// Asks the hook about contacts of shapes with parts, which are known only now.
    fn ask_about_parts(&mut self) {
        let World { contacts, part_pairs, colliders, places, bodies, awake, hooks, .. } = self;
        let Some(hook) = &hooks.contact else { return };
        let surroundings = Surroundings { bodies, colliders, places, awake };
        for pair in &part_pairs.items {
            for index in pair.all_contacts() {
                let contact = &mut contacts.pool[index];
                if contact.awake_slot != NONE {
                    surroundings.ask(hook, contact);
                }
            }
        }
    }

    fn touch_of(&self, index: u32) -> Touch {
        let [a, b] = self.contacts.pool[index as usize].shapes;
        // The sensor comes first.
        let (a, b) = if self.colliders.items[b as usize].given.is_sensor { (b, a) } else { (a, b) };
        Touch { a: self.colliders.handle(a as usize), b: self.colliders.handle(b as usize) }
    }

    /// Two shapes began to touch.
    fn begin_contact(&mut self, index: u32) {
        let touch = self.touch_of(index);
        let Contact { is_sensor, part_pair, .. } = self.contacts.pool[index as usize];
        if !is_sensor && part_pair == NONE && self.is_ghost(index) {
            // To be looked at again, however little it moves.
            self.contacts.disturb(index);
            let contact = &mut self.contacts.pool[index as usize];
            (contact.count, contact.is_known) = (0, false);
            return;
        }
        self.contacts.pool[index as usize].is_touching = true;
        if is_sensor {
            self.happened.entered.push(touch);
            return;
        }
        self.happened.begun.push(touch);
        let bodies = self.contacts.pool[index as usize].bodies.map(|body| body as usize);
        for body in bodies {
            if self.bodies.items[body].moves() && !self.bodies.items[body].is_awake() {
                self.wake_index(body);
            }
        }
        let moves = bodies.map(|body| self.bodies.items[body].moves());
        self.colours.add(&mut self.contacts, index, moves);
    }

    /// Two shapes ceased to touch; their boxes still overlap.
    fn release_contact(&mut self, index: u32) {
        let contact = &mut self.contacts.pool[index as usize];
        if !core::mem::replace(&mut contact.is_touching, false) {
            return;
        }
        let is_sensor = contact.is_sensor;
        let touch = self.touch_of(index);
        let list = if is_sensor { &mut self.happened.left } else { &mut self.happened.ended };
        list.push(touch);
        self.colours.remove(&mut self.contacts, index);
        self.drop_extras(self.contacts.pool[index as usize].part_pair);
    }

    /// Forgets the pairs of a body that are wanted.
    pub(super) fn end_contacts(&mut self, body: usize, is_wanted: impl Fn(&Contact<D>) -> bool) {
        let mut ends = core::mem::take(&mut self.scratch);
        ends.clear();
        let of_body = self.contacts.of_body(self.bodies.items[body].first_contact);
        let of_body = of_body.map(|(contact, _)| contact);
        ends.extend(of_body.filter(|contact| is_wanted(&self.contacts.pool[*contact as usize])));
        ends.iter().for_each(|contact| self.end_contact(*contact));
        self.scratch = ends;
    }

    /// Forgets a pair.
    fn end_contact(&mut self, index: u32) {
        let Contact { shapes, bodies, is_extra, part_pair, .. } = self.contacts.pool[index as usize];
        // Extra contacts go with that of their pair, and may be gone with it by now.
        if is_extra || shapes[0] == NONE {
            return;
        }
        self.release_contact(index);
        self.drop_part_pair(part_pair);
        self.contacts.remove(index, heads(&mut self.bodies.items, bodies));
    }
}

/// The heads of the lists of contacts of two bodies.
pub(super) fn heads<D: Engine>(bodies: &mut [Record<D>], owners: [u32; 2]) -> [&mut u32; 2] {
    let [first, second] = owners.map(|owner| owner as usize);
    if first < second {
        let (low, high) = bodies.split_at_mut(second);
        [&mut low[first].first_contact, &mut high[0].first_contact]
    } else {
        let (low, high) = bodies.split_at_mut(first);
        [&mut high[0].first_contact, &mut low[second].first_contact]
    }
}

/// Two bodies in a frame with the axes of the world and the origin in the first centre of mass.
pub(super) struct Placed<D: Engine> {
    rotations: [D::Rotation; 2],
    /// The second centre of mass.
    offset: D::Vector,
}

impl<D: Engine> Placed<D> {
    pub(super) fn new(a: &Place<D>, b: &Place<D>) -> Self {
        Self::between((a.center, a.rotation), (b.center, b.rotation))
    }
    /// The same, given centres of mass and rotations.
    pub(super) fn between(a: (D::Wide, D::Rotation), b: (D::Wide, D::Rotation)) -> Self {
        Placed { rotations: [a.1, b.1], offset: D::Vector::narrow(b.0 - a.0) }
    }
    /// The second body as seen from the first, or the first from the second.
    pub(super) fn relative(&self, is_seen_from_second: bool) -> (D::Vector, D::Rotation) {
        let [a, b] = self.rotations;
        if is_seen_from_second {
            (D::rotate_back(b, -self.offset), D::relative(b, a))
        } else {
            (D::rotate_back(a, self.offset), D::relative(a, b))
        }
    }
    /// The poses of two shapes on them.
    pub(super) fn poses(&self, a: &ColliderRecord<D>, b: &ColliderRecord<D>) -> [D::Pose; 2] {
        let place = |shape: &ColliderRecord<D>, origin: D::Vector, rotation: D::Rotation| {
            let (translation, turn) = shape.from_center;
            D::pose(origin + D::rotate(rotation, translation), D::compose(turn, rotation))
        };
        [place(a, D::Vector::ZERO, self.rotations[0]), place(b, self.offset, self.rotations[1])]
    }
    /// A direction in the frame of the first body.
    pub(super) fn direction_in_first(&self, direction: D::Vector) -> D::Vector {
        D::rotate_back(self.rotations[0], direction)
    }
    /// A point of a manifold as it is kept, without impulses and without what is round.
    pub(super) fn point(
        &self,
        point: &ManifoldPoint<D::Vector>,
        normal: D::Vector,
        feature: u64,
    ) -> Point<D::Vector> {
        let half = normal * (0.5 * point.depth);
        let (on_a, on_b) = (point.point + half, point.point - half);
        Point {
            local_a: D::rotate_back(self.rotations[0], on_a),
            local_b: D::rotate_back(self.rotations[1], on_b - self.offset),
            feature,
            ..Point::default()
        }
    }
    /// Moves points on surfaces to the centres of what is round there; see [`Contact::radii`].
    pub(super) fn to_centers(&self, points: &mut [Point<D::Vector>], normal: D::Vector, radii: [f32; 2]) {
        if radii == [0.0; 2] {
            return;
        }
        let in_a = D::rotate_back(self.rotations[0], normal * radii[0]);
        let in_b = D::rotate_back(self.rotations[1], normal * radii[1]);
        for point in points {
            point.local_a -= in_a;
            point.local_b += in_b;
        }
    }
}

/// How round the surfaces of two shapes are where a manifold has found them to touch; see [`Contact::radii`].
pub(super) fn radii_at<D: Engine>(
    shapes: [(&D::Shape, D::Pose); 2],
    found: &Manifold<D::Vector>,
) -> [f32; 2] {
    let (normal, parts) = (found.normal(), found.parts());
    let radius = |(shape, pose): (&D::Shape, D::Pose), part: u32, outward: D::Vector| {
        D::convex_part(shape, part).map_or(0.0, |(shape, own)| {
            let [outer, inner] = [pose, own].map(|pose| D::parts(pose).1);
            D::roundness(shape, D::rotate_back(inner, D::rotate_back(outer, outward)))
        })
    };
    [radius(shapes[0], parts[0], normal), radius(shapes[1], parts[1], -normal)]
}

/// Friction, restitution and the arm of rolling resistance of a pair.
pub(super) fn mixed<D: Engine>(a: &ColliderRecord<D>, b: &ColliderRecord<D>) -> (f32, f32, f32) {
    (
        (a.given.friction * b.given.friction).sqrt(),
        a.given.restitution.max_of(b.given.restitution),
        a.rolling_arm.max_of(b.rolling_arm),
    )
}

/// How far any point of the smaller shape is, as seen from the larger one, from where it was. Each is where its body
/// is, seen from the other.
///
/// A shape that is far from the centre of its body, compared with its size, is looked at by itself: a log that rolls turns parts
/// that are twenty times as far from its centre as from its axis.
pub(super) fn moved<D: Engine>(
    contact: &Contact<D>,
    [a, b]: [&ColliderRecord<D>; 2],
    before: (D::Vector, D::Rotation),
    now: (D::Vector, D::Rotation),
) -> f32 {
    let chord = D::turn_chord(before.1, now.1);
    let with_body = (now.0 - before.0).length_squared().sqrt() + chord * contact.reach;
    let smaller = if contact.is_seen_from_second { a } else { b };
    let arm = contact.reach - smaller.distance;
    if smaller.distance <= arm {
        return with_body;
    }
    let middle =
        |(center, rotation): (D::Vector, D::Rotation)| center + D::rotate(rotation, smaller.box_center);
    with_body.min_of((middle(now) - middle(before)).length_squared().sqrt() + chord * arm)
}

/// Finds the points of a contact, or keeps those it has; notes what is new. How long it can do without another look is the answer, if it `is_calm`.
fn update<D: Engine>(
    contact: &mut Contact<D>,
    (a, at_a): (&ColliderRecord<D>, &Place<D>),
    (b, at_b): (&ColliderRecord<D>, &Place<D>),
    settings: &Settings<D::Vector>,
    is_calm: bool,
) -> Calm {
    let mut calm = Calm::default();
    contact.verdict = Verdict::Same;
    if contact.has_surface {
        contact.surface =
            D::rotate(at_b.rotation, b.given.surface) - D::rotate(at_a.rotation, a.given.surface);
    }
    if contact.is_extra {
        if !contact.has_surface {
            calm.rest();
        }
        return calm;
    }
    let placed = Placed::new(at_a, at_b);
    let now = placed.relative(contact.is_seen_from_second);
    if settings.recycle && contact.is_known {
        // No point of the smaller shape has moved farther, as seen from the larger. What touches and has hardly
        // moved has boxes that overlap: the shapes themselves need not be looked at.
        let moved = moved(contact, [a, b], contact.reference, now);
        // The normal is kept in the frame of the first body: that of a ball must not roll along with it.
        let is_askew = contact.radii[0] > 0.0 && MOST_TURN < D::turn_chord(contact.reference.1, now.1);
        if moved < settings.margin() && !is_askew {
            if !contact.is_touching && !a.fat.overlaps(b.fat) {
                contact.verdict = Verdict::Apart;
            }
            return if is_calm { calm_after(contact, now, settings.margin() - moved) } else { calm };
        }
    }
    if !a.fat.overlaps(b.fat) {
        contact.verdict = Verdict::Apart;
        return calm;
    }
    let was_touching = contact.is_touching;
    if contact.is_sensor {
        let [pose_a, pose_b] = placed.poses(a, b);
        let is_touching =
            D::intersects(&a.given.shape, pose_a, &b.given.shape, pose_b).unwrap_or(was_touching);
        contact.verdict = change(was_touching, is_touching);
        return calm;
    }
    contact.reference = now;
    if contact.part_pair != NONE {
        contact.is_known = true;
        contact.verdict = Verdict::Parts;
        // How round its parts are is not known yet.
        return calm;
    }
    find_points_of(contact, [a, b], &placed, settings);
    contact.verdict = change(was_touching, contact.count != 0);
    if is_calm { calm_after(contact, now, settings.margin()) } else { calm }
}

/// How long a contact can do without a look when its shapes, which are like this now, may move by `room`.
pub(super) fn calm_after<D: Engine>(contact: &Contact<D>, now: (D::Vector, D::Rotation), room: f32) -> Calm {
    let [a, b] = contact.bodies;
    let bodies = if contact.is_seen_from_second { [a, b] } else { [b, a] };
    // What runs by itself does so in another direction when it turns; and what is round turns its normal.
    let room = if contact.has_surface || contact.radii[0] > 0.0 { -1.0 } else { room };
    Calm::after(bodies, room, contact.reach, now.0.length_squared().sqrt())
}

/// Finds the points of a contact anew; those that have the feature of one before keep its impulses.
pub(super) fn find_points<D: Engine>(
    contact: &mut Contact<D>,
    (a, at_a): (&ColliderRecord<D>, &Place<D>),
    (b, at_b): (&ColliderRecord<D>, &Place<D>),
    settings: &Settings<D::Vector>,
) {
    let placed = Placed::new(at_a, at_b);
    contact.reference = placed.relative(contact.is_seen_from_second);
    find_points_of(contact, [a, b], &placed, settings);
}

/// The same, given where they are, once the contact has that for its reference.
fn find_points_of<D: Engine>(
    contact: &mut Contact<D>,
    [a, b]: [&ColliderRecord<D>; 2],
    placed: &Placed<D>,
    settings: &Settings<D::Vector>,
) {
    let [pose_a, pose_b] = placed.poses(a, b);
    contact.is_known = true;
    // What cannot be told, such as two segments in space, does not touch.
    let found = D::manifold(&a.given.shape, pose_a, &b.given.shape, pose_b, settings.margin());
    let Some(found) = found.ok().flatten() else {
        contact.count = 0;
        return;
    };
    let normal = found.normal();
    let old = *contact;
    contact.normal = placed.direction_in_first(normal);
    let slots = contact.points.as_mut();
    let count = found.points().len().min(slots.len());
    for (slot, point) in slots.iter_mut().zip(found.points()) {
        let feature = point.feature.key();
        *slot = placed.point(point, normal, feature);
        if let Some(before) = old.points().iter().find(|before| before.feature == feature) {
            (slot.impulse, slot.tangent_impulse) = (before.impulse, before.tangent_impulse);
        }
    }
    contact.count = count as u8;
    let radii = radii_at::<D>([(&a.given.shape, pose_a), (&b.given.shape, pose_b)], &found);
    contact.radii = radii;
    placed.to_centers(contact.points_mut(), normal, radii);
    if old.count == 0 {
        contact.friction_impulse = D::Vector::ZERO;
        contact.twist_impulse = 0.0;
        contact.rolling_impulse = D::Angular::default();
    }
}

fn change(was: bool, is: bool) -> Verdict {
    match (was, is) {
        (false, true) => Verdict::Began,
        (true, false) => Verdict::Ended,
        _ => Verdict::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d3::{Body, Collider, World};
    use crate::world::dimension::Solid;
    use carom_geometry::d3::Cuboid;
    use carom_math::{Pose3, Quat, Vec3};
    use carom_oracle::generate::Rng;

    /// No corner of a box that is far from the centre of its body moves farther than is said; and for one that rolls about
    /// itself that is far less than what the body's reach would allow.
    #[test]
    fn what_is_far_from_its_centre_moves_no_farther_than_is_said() {
        let (mut rng, half) = (Rng::new(11), Vec3::new(1.0, 0.3, 0.2));
        let mut world = World::new();
        let floor = Collider::new(Cuboid::new([50.0, 1.0, 50.0]).unwrap());
        world.add(Body::fixed().shape(floor)).unwrap();
        let part = Cuboid::new(half).unwrap();
        let far = |x: f32| Collider::new(part).at([x, 0.0, 0.0]);
        world.add(Body::dynamic().at([0.0, 1.25, 0.0]).shape(far(-20.0)).shape(far(20.0))).unwrap();
        world.step(1.0 / 60.0).unwrap();
        let contact = world.contacts.pool.iter().find(|contact| contact.shapes == [0, 2]).unwrap();
        let shapes = contact.shapes.map(|shape| &world.colliders.items[shape as usize]);
        let smaller = if contact.is_seen_from_second { shapes[0] } else { shapes[1] };
        assert!(19.0 < smaller.distance && contact.reach < smaller.distance + 1.2);
        let mut pose = |size: f64| {
            let mut number = || (size * rng.uniform(-1.0, 1.0)) as f32;
            let turn = Quat::new(number(), number(), number(), 1.0).unwrap();
            (Vec3::new(number(), number(), number()), turn)
        };
        for round in 0..400 {
            let (before, now) = (pose(1.0), pose([1.0, 0.1, 1e-3][round % 3]));
            let said = moved(contact, shapes, before, now);
            for corner in 0..8_u8 {
                let sign = |axis: u8| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
                let corner = smaller.box_center + half.scaled_by(Vec3::new(sign(0), sign(1), sign(2)));
                let at = |(center, turn)| Pose3::new(center, turn).widen().point_to_world(corner.widen());
                assert!(Vector::length(at(now) - at(before)) <= f64::from(said) * 1.00001 + 1e-5);
            }
        }
        let roll = Quat::new(0.05, 0.0, 0.0, 1.0).unwrap();
        let rest = (Vec3::ZERO, Quat::IDENTITY);
        let said = moved(contact, shapes, rest, (Vec3::ZERO, roll));
        assert!(said < 0.15 && Solid::turn_chord(Quat::IDENTITY, roll) * contact.reach > 2.0, "{said}");
    }
}
