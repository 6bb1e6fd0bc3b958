//! From pairs of boxes to points of contact, and what follows when shapes begin or cease to touch.
//!
//! Points are found in a frame with the axes of the world and the origin in the first centre of mass, so that
//! the distance from the origin of the world costs no precision. They are kept in the frames of the two
//! bodies. While the pair has moved by less than the margin since they were found, they are kept as they are,
//! and the solver sees them move with the bodies: a point that was left out was more than the margin away, so
//! it cannot overlap before points are found again.

use super::body::{BodyKind, Place};
use super::collider::ColliderRecord;
use super::contact::{Contact, NONE, Point, Verdict};
use super::dimension::Engine;
use super::events::Touch;
use super::hooks::Surroundings;
use super::threads::Chunks;
use super::{Settings, World};
use carom_math::{Number, Vector};

impl<D: Engine> World<D> {
    /// Contacts for all boxes that came to overlap since the last look.
    pub(super) fn update_pairs(&mut self) {
        let (bodies, colliders, contacts) = (&self.bodies, &self.colliders, &self.contacts);
        let wanted = |a: u32, b: u32| {
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
            is_sensor || body_a.is_awake() || body_b.is_awake()
        };
        let box_of = |item: u32| {
            let collider = &colliders.items[item as usize];
            (collider.fat, bodies.items[collider.body as usize].kind == BodyKind::Fixed)
        };
        let pairs = self.broad_phase.new_pairs(box_of, wanted);
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
            contact.reach = shape_b.reach;
            contact.has_surface =
                shape_a.given.surface != D::Vector::ZERO || shape_b.given.surface != D::Vector::ZERO;
            let [first, second] = owners.map(|owner| owner as usize);
            let heads = if first < second {
                let (low, high) = self.bodies.items.split_at_mut(second);
                [&mut low[first].first_contact, &mut high[0].first_contact]
            } else {
                let (low, high) = self.bodies.items.split_at_mut(first);
                [&mut high[0].first_contact, &mut low[second].first_contact]
            };
            self.contacts.insert(contact, heads);
        }
    }

    /// Finds the points of all contacts that are awake.
    pub(super) fn collide(&mut self) {
        let World { contacts, colliders, places, bodies, awake, settings, hooks, pool, .. } = self;
        let surroundings = Surroundings { bodies, colliders, places, awake };
        // Each contact is looked at by whoever comes to its chunk; it changes nothing but itself.
        let chunks = Chunks::new(&mut contacts.pool, 64);
        pool.run(&|_| {
            while let Some(chunk) = chunks.next() {
                for contact in chunk.iter_mut().filter(|contact| contact.awake_slot != NONE) {
                    let [a, b] = contact.shapes.map(|shape| &colliders.items[shape as usize]);
                    let [at_a, at_b] = contact.bodies.map(|body| &places[body as usize]);
                    update(contact, (a, at_a), (b, at_b), settings);
                    if let Some(hook) = &hooks.contact {
                        surroundings.ask(hook, contact);
                    }
                }
            }
        });
    }

    /// Acts on what the narrow phase has found, contact by contact in the order of their list.
    pub(super) fn settle(&mut self) {
        let mut todo = core::mem::take(&mut self.scratch);
        todo.clear();
        let has_news = |index: &u32| self.contacts.pool[*index as usize].verdict != Verdict::Same;
        todo.extend(self.contacts.awake.iter().copied().filter(has_news));
        // By index: the list itself is in an order of its own making.
        todo.sort_unstable();
        for &index in &todo {
            let contact = &mut self.contacts.pool[index as usize];
            match core::mem::take(&mut contact.verdict) {
                Verdict::Same => {}
                Verdict::Began => self.begin_contact(index),
                Verdict::Ended => self.release_contact(index),
                Verdict::Apart => self.end_contact(index),
            }
        }
        self.scratch = todo;
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
        let contact = &mut self.contacts.pool[index as usize];
        contact.is_touching = true;
        if contact.is_sensor {
            self.events.entered.push(touch);
            return;
        }
        self.events.begun.push(touch);
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
        let list = if is_sensor { &mut self.events.left } else { &mut self.events.ended };
        list.push(touch);
        self.colours.remove(&mut self.contacts, index);
    }

    /// Forgets a pair.
    pub(super) fn end_contact(&mut self, index: u32) {
        self.release_contact(index);
        let [first, second] = self.contacts.pool[index as usize].bodies.map(|body| body as usize);
        let heads = if first < second {
            let (low, high) = self.bodies.items.split_at_mut(second);
            [&mut low[first].first_contact, &mut high[0].first_contact]
        } else {
            let (low, high) = self.bodies.items.split_at_mut(first);
            [&mut high[0].first_contact, &mut low[second].first_contact]
        };
        self.contacts.remove(index, heads);
    }
}

/// Friction, restitution and the arm of rolling resistance of a pair.
pub(super) fn mixed<D: Engine>(a: &ColliderRecord<D>, b: &ColliderRecord<D>) -> (f32, f32, f32) {
    (
        (a.given.friction * b.given.friction).sqrt(),
        a.given.restitution.max_of(b.given.restitution),
        a.rolling_arm.max_of(b.rolling_arm),
    )
}

/// Finds the points of a contact, or keeps those it has; says what is new.
fn update<D: Engine>(
    contact: &mut Contact<D>,
    (a, at_a): (&ColliderRecord<D>, &Place<D>),
    (b, at_b): (&ColliderRecord<D>, &Place<D>),
    settings: &Settings<D::Vector>,
) {
    contact.verdict = Verdict::Same;
    let offset = D::Vector::narrow(at_b.center - at_a.center);
    let now = (D::rotate_back(at_a.rotation, offset), D::relative(at_a.rotation, at_b.rotation));
    if contact.has_surface {
        contact.surface =
            D::rotate(at_b.rotation, b.given.surface) - D::rotate(at_a.rotation, a.given.surface);
    }
    if settings.recycle && contact.is_known {
        // No point of the second shape has moved farther, as seen from the first. What touches and has hardly
        // moved has boxes that overlap: the shapes themselves need not be looked at.
        let moved = (now.0 - contact.reference.0).length_squared().sqrt()
            + D::turn_chord(contact.reference.1, now.1) * contact.reach;
        if moved < settings.margin() {
            if !contact.is_touching && !a.fat.overlaps(b.fat) {
                contact.verdict = Verdict::Apart;
            }
            return;
        }
    }
    if !a.fat.overlaps(b.fat) {
        contact.verdict = Verdict::Apart;
        return;
    }
    let place = |shape: &ColliderRecord<D>, origin: D::Vector, rotation: D::Rotation| {
        let (translation, turn) = shape.from_center;
        D::pose(origin + D::rotate(rotation, translation), D::compose(turn, rotation))
    };
    let pose_a = place(a, D::Vector::ZERO, at_a.rotation);
    let pose_b = place(b, offset, at_b.rotation);
    let was_touching = contact.is_touching;
    if contact.is_sensor {
        let is_touching =
            D::intersects(&a.given.shape, pose_a, &b.given.shape, pose_b).unwrap_or(was_touching);
        contact.verdict = change(was_touching, is_touching);
        return;
    }
    contact.is_known = true;
    contact.reference = now;
    // What cannot be told, such as two segments in space, does not touch.
    let found = D::manifold(&a.given.shape, pose_a, &b.given.shape, pose_b, settings.margin());
    let Some(found) = found.ok().flatten() else {
        contact.count = 0;
        contact.verdict = change(was_touching, false);
        return;
    };
    let normal = found.normal();
    let old = *contact;
    contact.normal = D::rotate_back(at_a.rotation, normal);
    let slots = contact.points.as_mut();
    let count = found.points().len().min(slots.len());
    for (slot, point) in slots.iter_mut().zip(found.points()) {
        let half = normal * (0.5 * point.depth);
        let feature = point.feature.key();
        let (on_a, on_b) = (point.point + half, point.point - half);
        let before = old.points().iter().find(|before| before.feature == feature);
        *slot = Point {
            local_a: D::rotate_back(at_a.rotation, on_a),
            local_b: D::rotate_back(at_b.rotation, on_b - offset),
            feature,
            impulse: before.map_or(0.0, |before| before.impulse),
            tangent_impulse: before.map_or(0.0, |before| before.tangent_impulse),
            peak: 0.0,
            approach: 0.0,
        };
    }
    contact.count = count as u8;
    if old.count == 0 {
        contact.friction_impulse = D::Vector::ZERO;
        contact.twist_impulse = 0.0;
        contact.rolling_impulse = D::Angular::default();
    }
    contact.verdict = change(was_touching, count != 0);
}

fn change(was: bool, is: bool) -> Verdict {
    match (was, is) {
        (false, true) => Verdict::Began,
        (true, false) => Verdict::Ended,
        _ => Verdict::Same,
    }
}
