//! Continuous collision: what is fast for its size flies through nothing, be it fixed, driven or another fast
//! body, turning included.
//!
//! Bodies that are slow are where the solver took them. A body that gets farther in a step than a quarter of its
//! thickness, or turns its ends that far, is *fast*. Meetings of fast bodies, with what is slow and with each
//! other, are taken in the order of their times (ties: of the bodies):
//!
//! - a body that meets something stops there for the rest of the step, both bodies of a fast pair at their common
//!   time. It keeps its velocity, and the next step finds the contact;
//! - whoever was to pass the place where it stopped is looked at again;
//! - what is driven stops at nothing and takes along what it meets, slow bodies as well; what opted out stops at
//!   nothing either.
//!
//! A body stops once, and a pair is looked at no more than three times, so that the work is bounded. Nothing depends on
//! the number of threads.
//!
//! In a crowd nobody stops for anybody: two bodies that each touch further moving bodies are left to the solver, and two
//! that touch each other if either does. There a blow arrives neighbour by neighbour, in the course of several
//! sub-steps, and whoever waited for its neighbour would be run over by those behind.
//!
//! Sensors see what flies through them within a step: it enters and leaves at once.

use super::World;
use super::body::BodyKind;
use super::contact::NONE;
use super::dimension::Engine;
use super::events::Touch;
use super::impact::{Meeting, Path};
use super::threads::{Chunks, Lists};
use carom_geometry::bound::Aabb;
use carom_math::Vector;
use core::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

/// Something fast.
#[derive(Clone, Copy, Debug)]
struct Fast<D: Engine> {
    body: u32,
    path: Path<D>,
    /// Around all its shapes on their way.
    bounds: Aabb<D::Vector>,
    /// Whether it stops at what it meets.
    yields: bool,
    /// Whether it takes along what it meets.
    drives: bool,
    /// How far others have taken it along.
    carried: D::Vector,
    /// Already where it ends, but for that.
    is_placed: bool,
    /// When it meets something slow, if nothing stops it before.
    meeting: Option<Meeting<D::Vector>>,
    /// Whether there may be a sensor on its way, or it is one.
    may_visit: bool,
}

/// Several bodies.
const MANY: u32 = NONE - 1;

/// Which of two bodies touches others that move besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crowd {
    pub(super) both: bool,
    pub(super) either: bool,
}

/// Two fast bodies, and when they meet if nothing stops them before.
#[derive(Clone, Copy, Debug)]
struct Encounter<V> {
    pair: [u32; 2],
    meeting: Option<Meeting<V>>,
}

/// Two bodies meet, or a body and something slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    /// The bits of the time, which is not negative: the order of the bits is that of the numbers.
    time: u32,
    first: u32,
    /// `NONE` for something slow.
    second: u32,
    /// The second one stands still since an earlier time.
    is_still: bool,
    /// The index of the normal.
    normal: u32,
}

/// Memory for fast bodies; nothing is kept from step to step.
#[derive(Debug)]
pub(crate) struct Continuous<D: Engine> {
    fast: Vec<Fast<D>>,
    /// Which of `fast` a body is, by body.
    of_body: Vec<u32>,
    /// The body that moves and that a body touches, `NONE` or `MANY`, by body.
    company: Vec<u32>,
    /// Pairs of fast bodies that may meet, in both orders, sorted.
    links: Vec<[u32; 2]>,
    encounters: Vec<Encounter<D::Vector>>,
    events: BinaryHeap<Reverse<Event>>,
    normals: Vec<D::Vector>,
    found: Vec<u32>,
    visits: Vec<[u32; 2]>,
    /// Shapes that were found, and pairs of fast bodies, each as two numbers; by worker.
    lists: Lists,
    pairs: Lists,
    flat_pairs: Vec<u32>,
}

impl<D: Engine> Clone for Continuous<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<D: Engine> Default for Continuous<D> {
    fn default() -> Self {
        Continuous {
            fast: Vec::new(),
            of_body: Vec::new(),
            company: Vec::new(),
            links: Vec::new(),
            encounters: Vec::new(),
            events: BinaryHeap::new(),
            normals: Vec::new(),
            found: Vec::new(),
            visits: Vec::new(),
            lists: Lists::default(),
            pairs: Lists::default(),
            flat_pairs: Vec::new(),
        }
    }
}

impl<D: Engine> Continuous<D> {
    fn push(&mut self, fast: Fast<D>) {
        let body = fast.body as usize;
        if self.of_body.len() <= body {
            self.of_body.resize(body + 1, NONE);
        }
        self.of_body[body] = self.fast.len() as u32;
        self.fast.push(fast);
    }
    fn is_listed(&self, body: u32) -> bool {
        self.of_body.get(body as usize).is_some_and(|at| *at != NONE)
    }
    /// Whether a body touches something else that moves.
    fn has_company(&self, body: u32, besides: u32) -> bool {
        self.company.get(body as usize).is_some_and(|other| *other != NONE && *other != besides)
    }
    fn crowd(&self, a: u32, b: u32) -> Crowd {
        let (a_has, b_has) = (self.has_company(a, b), self.has_company(b, a));
        Crowd { both: a_has && b_has, either: a_has || b_has }
    }
    fn push_event(&mut self, time: f32, [first, second]: [u32; 2], is_still: bool, normal: D::Vector) {
        // The sum turns −0 into 0.
        let time = (time + 0.0).to_bits();
        let event = Event { time, first, second, is_still, normal: self.normals.len() as u32 };
        self.normals.push(normal);
        self.events.push(Reverse(event));
    }
}

impl<D: Engine> World<D> {
    /// Whether a body moves so far in a step that it could get through something.
    #[inline]
    pub(super) fn is_fast(&self, index: usize, travel: D::Vector, turn: D::Rotation) -> bool {
        let record = &self.bodies.items[index];
        if !self.settings.continuous || record.kind == BodyKind::Fixed || record.first_collider == NONE {
            return false;
        }
        let safe = 0.5 * record.thickness;
        // A ball within the body does not move when it turns; what sticks out of it does.
        let ends = record.reach - record.thickness;
        let turned = if ends > 0.0 { D::turn_chord(D::Rotation::default(), turn) * ends } else { 0.0 };
        safe < travel.length_squared().sqrt() + turned
    }

    /// Remembers a fast body until all slow ones are in their places.
    pub(super) fn note_fast(&mut self, index: usize, travel: D::Vector, turn: D::Rotation) {
        let (place, record) = (&self.places[index], &self.bodies.items[index]);
        let path = Path {
            center: place.center,
            rotation: place.rotation,
            travel,
            way: D::way(travel, turn),
            stop: 1.0,
        };
        let yields = record.moves() && record.is_continuous;
        self.push_fast(index as u32, path, yields, false);
    }

    /// Lists a body. Until it is in its place, its shapes are found all along their way.
    fn push_fast(&mut self, body: u32, path: Path<D>, yields: bool, is_placed: bool) {
        let mut bounds = Aabb::empty();
        let mut collider = self.bodies.items[body as usize].first_collider;
        while collider != NONE {
            let swept = self.swept(collider, &path);
            bounds = bounds.merged(swept);
            let shape = &mut self.colliders.items[collider as usize];
            if !is_placed {
                // No box of its own: it gets one when it arrives.
                shape.fat = Aabb::empty();
                self.broad_phase.move_later(swept, collider);
            }
            collider = shape.next;
        }
        let drives = self.bodies.items[body as usize].kind == BodyKind::Kinematic;
        let (carried, meeting, may_visit) = (D::Vector::ZERO, None, true);
        let fast = Fast { body, path, bounds, yields, drives, carried, is_placed, meeting, may_visit };
        self.continuous.push(fast);
    }

    /// Moves fast bodies as far as they get.
    pub(super) fn finish_fast(&mut self, dt: f32) {
        if self.continuous.fast.is_empty() {
            return;
        }
        let start = self.is_timed.then(Instant::now);
        self.find_swept_away();
        let mut state = core::mem::take(&mut self.continuous);
        state.fast.sort_unstable_by_key(|fast| fast.body);
        for (at, fast) in state.fast.iter().enumerate() {
            state.of_body[fast.body as usize] = at as u32;
        }
        self.find_company(&mut state.company);
        self.meet_slow(&mut state);
        self.meet_fast(&mut state);
        while let Some(Reverse(event)) = state.events.pop() {
            self.stop_at(&mut state, event);
        }
        for fast in &state.fast {
            let (travel, rotation) = fast.path.at(1.0);
            let travel = travel + fast.carried;
            if fast.is_placed && travel == D::Vector::ZERO {
                continue;
            }
            // Also a sleeper that was taken along.
            self.wake_index(fast.body as usize);
            self.place_body(fast.body as usize, travel, rotation, dt);
        }
        self.broad_phase.flush();
        self.visit_sensors(&mut state);
        for fast in &state.fast {
            state.of_body[fast.body as usize] = NONE;
        }
        state.fast.clear();
        state.links.clear();
        state.normals.clear();
        self.continuous = state;
        if let Some(start) = start {
            self.timings.continuous += start.elapsed();
        }
    }

    /// Bodies that are slow, but in the way of something that is driven.
    fn find_swept_away(&mut self) {
        let mut found = core::mem::take(&mut self.continuous.found);
        found.clear();
        for fast in self.continuous.fast.iter().filter(|fast| fast.drives) {
            self.broad_phase.moving.overlapping(fast.bounds, |other| {
                found.push(self.colliders.items[other as usize].body);
            });
        }
        found.sort_unstable();
        found.dedup();
        for &body in &found {
            let record = &self.bodies.items[body as usize];
            if record.moves() && record.is_continuous && !self.continuous.is_listed(body) {
                self.push_fast(body, self.resting_path(body as usize), true, true);
            }
        }
        self.continuous.found = found;
    }

    /// Which bodies that move touch others that move.
    fn find_company(&self, company: &mut Vec<u32>) {
        company.clear();
        company.resize(self.bodies.items.len(), NONE);
        let touching = self.contacts.awake.iter().map(|index| &self.contacts.pool[*index as usize]);
        for contact in touching.filter(|contact| contact.is_touching && !contact.is_ignored) {
            let [a, b] = contact.bodies;
            if self.bodies.items[a as usize].moves() && self.bodies.items[b as usize].moves() {
                for (body, other) in [(a, b), (b, a)] {
                    let known = &mut company[body as usize];
                    *known = if *known == NONE || *known == other { other } else { MANY };
                }
            }
        }
    }

    /// When each fast body meets what is slow, and which other fast bodies it may meet. Bodies are shared out among
    /// the threads; each answer is that of its body alone.
    fn meet_slow(&self, state: &mut Continuous<D>) {
        let mut fast = core::mem::take(&mut state.fast);
        state.lists.fit(&self.pool);
        state.pairs.fit(&self.pool);
        let chunks = Chunks::new(&mut fast, 8);
        let (state_ref, lists) = (&*state, &state.lists);
        self.pool.run(&|worker| {
            let (Some(mut found), Some(mut pairs)) = (lists.of(worker), state_ref.pairs.of(worker)) else {
                return;
            };
            while let Some(chunk) = chunks.next() {
                for fast in chunk.iter_mut().filter(|fast| fast.yields) {
                    fast.may_visit = false;
                    fast.meeting = self.meets_slow(fast, state_ref, &mut found, &mut pairs);
                }
            }
        });
        state.fast = fast;
        for at in 0..state.fast.len() {
            if let Some(met) = state.fast[at].meeting {
                state.push_event(met.time, [at as u32, NONE], false, met.normal);
            }
        }
    }

    fn meets_slow(
        &self,
        fast: &mut Fast<D>,
        state: &Continuous<D>,
        found: &mut Vec<u32>,
        pairs: &mut Vec<u32>,
    ) -> Option<Meeting<D::Vector>> {
        let mut first: Option<Meeting<D::Vector>> = None;
        let mut collider = self.bodies.items[fast.body as usize].first_collider;
        while collider != NONE {
            let bounds = self.swept(collider, &fast.path);
            found.clear();
            self.broad_phase.still.overlapping(bounds, |other| found.push(other));
            self.broad_phase.moving.overlapping(bounds, |other| found.push(other));
            for &other in &*found {
                let (shape, owner) =
                    (&self.colliders.items[other as usize].given, self.colliders.items[other as usize].body);
                fast.may_visit |= shape.is_sensor != self.colliders.items[collider as usize].given.is_sensor;
                let crowd = state.crowd(fast.body, owner);
                if crowd.both || owner == fast.body {
                    continue;
                }
                if state.is_listed(owner) {
                    pairs.extend([fast.body, owner].map(|body| state.of_body[body as usize]));
                    continue;
                }
                if fast.is_placed || !self.bumps(collider, other) {
                    continue;
                }
                let still = self.resting_path(owner as usize);
                let until = first.map_or(1.0, |first| first.time);
                let met = self.shapes_meet((collider, &fast.path), (other, &still), 0.0, until, crowd);
                first = met.or(first);
            }
            collider = self.colliders.items[collider as usize].next;
        }
        first
    }

    /// When fast bodies meet each other, as if nothing stopped them before.
    fn meet_fast(&self, state: &mut Continuous<D>) {
        let (mut flat, mut links) =
            (core::mem::take(&mut state.flat_pairs), core::mem::take(&mut state.links));
        flat.clear();
        state.pairs.drain_into(&mut flat);
        for pair in flat.chunks_exact(2) {
            let [i, j] = [pair[0], pair[1]];
            if !(state.fast[i as usize].is_placed && state.fast[j as usize].is_placed) {
                links.extend([[i, j], [j, i]]);
            }
        }
        links.sort_unstable();
        // Both may have found each other, and with several shapes.
        links.dedup();
        (state.flat_pairs, state.links) = (flat, links);
        state.encounters.clear();
        let once = state.links.iter().filter(|[i, j]| i < j);
        state.encounters.extend(once.map(|pair| Encounter { pair: *pair, meeting: None }));
        let mut encounters = core::mem::take(&mut state.encounters);
        let (state_ref, fast, chunks) = (&*state, &state.fast, Chunks::new(&mut encounters, 8));
        self.pool.run(&|_| {
            while let Some(chunk) = chunks.next() {
                for encounter in chunk {
                    let [a, b] = encounter.pair.map(|at| &fast[at as usize]);
                    let (a, b) = ((a.body as usize, &a.path), (b.body as usize, &b.path));
                    let crowd = state_ref.crowd(a.0 as u32, b.0 as u32);
                    encounter.meeting = self.bodies_meet(a, b, 0.0, 1.0, crowd);
                }
            }
        });
        state.encounters = encounters;
        for at in 0..state.encounters.len() {
            let Encounter { pair: [i, j], meeting } = state.encounters[at];
            let Some(met) = meeting else { continue };
            // What is in its place already is still from the beginning, and comes second.
            if state.fast[i as usize].is_placed {
                state.push_event(met.time, [j, i], true, -met.normal);
            } else {
                state.push_event(met.time, [i, j], state.fast[j as usize].is_placed, met.normal);
            }
        }
    }

    /// Two bodies meet, unless one of them has stopped before.
    fn stop_at(&self, state: &mut Continuous<D>, event: Event) {
        let time = f32::from_bits(event.time);
        let (i, j) = (event.first as usize, event.second as usize);
        let has_stopped = |at: usize| state.fast[at].path.stop < time;
        if has_stopped(i) || (event.second != NONE && !event.is_still && has_stopped(j)) {
            return;
        }
        let normal = state.normals[event.normal as usize];
        if state.fast[i].yields {
            self.stop(state, i, time);
        }
        if event.second == NONE {
            return;
        }
        if state.fast[j].yields {
            self.stop(state, j, time);
        }
        // From the one that drives to the other.
        for (driver, driven, outward) in [(i, j, normal), (j, i, -normal)] {
            if !state.fast[driver].drives || !state.fast[driven].yields {
                continue;
            }
            let (by, path) = (state.fast[driver].path, state.fast[driven].path);
            let at = D::Vector::narrow(path.center - by.center) + path.at(time).0;
            let push = by.carries(at, time).dot(outward);
            let before = state.fast[driven].carried.dot(outward);
            if before < push {
                state.fast[driven].carried += outward * (push - before);
            }
        }
    }

    /// Stops a body and looks again at those that may pass the place.
    fn stop(&self, state: &mut Continuous<D>, i: usize, time: f32) {
        if state.fast[i].path.stop <= time {
            return;
        }
        state.fast[i].path.stop = time;
        let first = state.links.partition_point(|link| link[0] < i as u32);
        for at in first..state.links.len() {
            let [owner, k] = state.links[at];
            if owner != i as u32 {
                break;
            }
            let (a, b) = (&state.fast[k as usize], &state.fast[i]);
            if a.path.stop <= time || a.is_placed {
                continue;
            }
            let crowd = state.crowd(a.body, b.body);
            let met =
                self.bodies_meet((a.body as usize, &a.path), (b.body as usize, &b.path), time, 1.0, crowd);
            if let Some(met) = met {
                state.push_event(met.time, [k, i as u32], true, met.normal);
            }
        }
    }

    /// Sensors that a fast body has flown through: neither end of the way is within.
    fn visit_sensors(&mut self, state: &mut Continuous<D>) {
        let mut found = core::mem::take(&mut state.found);
        state.visits.clear();
        for fast in state.fast.iter().filter(|fast| fast.may_visit && !fast.is_placed) {
            let mut collider = self.bodies.items[fast.body as usize].first_collider;
            while collider != NONE {
                let bounds = self.swept(collider, &fast.path);
                found.clear();
                self.broad_phase.still.overlapping(bounds, |other| found.push(other));
                self.broad_phase.moving.overlapping(bounds, |other| found.push(other));
                for &other in &found {
                    let (a, b) =
                        (&self.colliders.items[collider as usize], &self.colliders.items[other as usize]);
                    let is_visit = a.body != b.body
                        && a.given.is_sensor != b.given.is_sensor
                        && a.given.filter.meets(b.given.filter);
                    if !is_visit || self.old_contact(collider, other).is_some() {
                        continue;
                    }
                    let (path, still) = (&fast.path, self.resting_path(b.body as usize));
                    let gap = 0.1 * self.settings.slop;
                    if self.surfaces_meet((collider, path), (other, &still), 0.0, path.stop, gap).is_some()
                        && !self.touch_at((collider, path), (other, &still), path.stop)
                    {
                        let pair = if a.given.is_sensor { [collider, other] } else { [other, collider] };
                        state.visits.push(pair);
                    }
                }
                collider = self.colliders.items[collider as usize].next;
            }
        }
        state.visits.sort_unstable();
        state.visits.dedup();
        for &[sensor, visitor] in &state.visits {
            let touch = Touch {
                a: self.colliders.handle(sensor as usize),
                b: self.colliders.handle(visitor as usize),
            };
            self.events.entered.push(touch);
            self.events.left.push(touch);
        }
        state.found = found;
    }
}
