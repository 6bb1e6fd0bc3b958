//! Continuous collision: what is fast for its size flies through nothing, be it fixed, driven or another fast
//! body, turning included.
//!
//! Bodies that are slow are where the solver took them. A body that gets farther in a step than a quarter of its
//! thickness, or turns its ends that far, is *fast*; so is one that is deep in something which it does not move, however slow: pressed on, it would
//! get to the far side little by little. Meetings of fast bodies, with what is slow and with each
//! other, are taken in the order of their times (ties: of the bodies):
//!
//! - a body that meets something stops there for the rest of the step, both bodies of a fast pair at their common
//!   time. It keeps its velocity, and the next step finds the contact;
//! - what hangs on it by a joint stops a little later;
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

mod list;

use super::World;
use super::contact::NONE;
use super::dimension::Engine;
use super::events::Touch;
use super::impact::{Company, Meeting};
use super::joint::are_kept_apart;
use super::threads::{Lists, Shared};
use carom_math::Vector;
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU32, Ordering};
use list::{Fast, Glance};
use std::collections::BinaryHeap;
use std::time::Instant;

/// Of the way that a stopped body does not go, so much is left to each joint between it and others.
const SHARE_OF_JOINT: f32 = 0.25;

/// A shape, and which of the list it belongs to.
type Listed = (u32, Option<usize>);

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
    /// Whose surfaces meet: bodies with several shapes may meet twice at the same time.
    shapes: [u32; 2],
    /// The index of the normal.
    normal: u32,
}

/// Memory for fast bodies; nothing is kept from step to step.
#[derive(Debug)]
pub(crate) struct Continuous<D: Engine> {
    /// Bodies that are fast.
    noted: Vec<u32>,
    /// These, and bodies that are in the way of what is driven.
    fast: Vec<Fast<D>>,
    /// What is asked of all pairs, by body of `fast`.
    glances: Vec<Glance<D::Vector>>,
    /// Who touches them, once somebody has asked.
    companies: Vec<AtomicU32>,
    /// Some of them do not meet everything.
    is_selective: bool,
    /// Which of `fast` a shape belongs to, by shape.
    of_shape: Vec<u32>,
    events: BinaryHeap<Reverse<Event>>,
    normals: Vec<D::Vector>,
    found: Vec<u32>,
    visits: Vec<[u32; 2]>,
    /// Of fast bodies, those that may have sensors on their way or are sensors.
    visitors: Vec<u32>,
    /// Visitors, meetings and all pairs of boxes, by worker.
    new_visitors: Lists,
    meetings: Lists<(Event, D::Vector)>,
    pairs: Lists<[u32; 2]>,
    /// Pairs that may meet, by worker, and all of them.
    new_candidates: Lists<[Listed; 2]>,
    candidates: Vec<[Listed; 2]>,
    all_meetings: Vec<(Event, D::Vector)>,
}

impl<D: Engine> Clone for Continuous<D> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<D: Engine> Default for Continuous<D> {
    fn default() -> Self {
        Continuous {
            noted: Vec::new(),
            fast: Vec::new(),
            glances: Vec::new(),
            companies: Vec::new(),
            is_selective: false,
            of_shape: Vec::new(),
            events: BinaryHeap::new(),
            normals: Vec::new(),
            found: Vec::new(),
            visits: Vec::new(),
            visitors: Vec::new(),
            new_visitors: Lists::default(),
            meetings: Lists::default(),
            pairs: Lists::default(),
            new_candidates: Lists::default(),
            candidates: Vec::new(),
            all_meetings: Vec::new(),
        }
    }
}

impl<D: Engine> Continuous<D> {
    /// Remembers a fast body until all slow ones are in their places.
    pub(super) fn note(&mut self, body: u32) {
        self.noted.push(body);
    }
    /// The body of the list that a shape belongs to.
    #[inline(always)]
    fn listed(&self, shape: u32) -> Option<usize> {
        self.of_shape.get(shape as usize).filter(|at| **at != NONE).map(|at| *at as usize)
    }
    /// Notes which of the list a shape belongs to.
    fn name(&mut self, shape: u32, at: u32) {
        if self.of_shape.len() <= shape as usize {
            self.of_shape.resize(shape as usize + 1, NONE);
        }
        self.of_shape[shape as usize] = at;
    }
    fn push_event(&mut self, (event, normal): (Event, D::Vector)) {
        let event = Event { normal: self.normals.len() as u32, ..event };
        self.normals.push(normal);
        self.events.push(Reverse(event));
    }
}

/// Two of the list, or one of it and something slow, meet with these shapes.
fn meeting<V: Vector<Scalar = f32>>(
    met: Meeting<V>,
    [first, second]: [u32; 2],
    is_still: bool,
    shapes: [u32; 2],
) -> (Event, V) {
    // The sum turns −0 into 0.
    let time = (met.time + 0.0).to_bits();
    (Event { time, first, second, is_still, shapes, normal: 0 }, met.normal)
}

impl<D: Engine> World<D> {
    /// Moves fast bodies as far as they get, and notes who would be where no number is.
    pub(super) fn finish_fast(&mut self, dt: f32, lost: &mut Vec<u32>) {
        if self.continuous.noted.is_empty() {
            return;
        }
        let start = self.is_timed.then(Instant::now);
        self.sweep();
        self.find_swept_away();
        let mut state = core::mem::take(&mut self.continuous);
        self.find_meetings(&mut state);
        while let Some(Reverse(event)) = state.events.pop() {
            self.stop_at(&mut state, event);
        }
        self.place_fast(&state.fast, dt, lost);
        self.visit_sensors(&mut state);
        for at in 0..state.fast.len() {
            let mut collider = state.fast[at].only_shape;
            if collider == NONE {
                collider = self.bodies.items[state.fast[at].body as usize].first_collider;
            }
            let is_only = state.fast[at].only_shape != NONE;
            while collider != NONE {
                state.name(collider, NONE);
                collider = if is_only { NONE } else { self.colliders.items[collider as usize].next };
            }
        }
        state.fast.clear();
        state.noted.clear();
        state.normals.clear();
        self.continuous = state;
        if let Some(start) = start {
            self.timings.continuous += start.elapsed();
        }
    }

    /// When each fast body meets what is slow, and others that are fast, as if nothing stopped them before. The search
    /// is shared out among the threads; each answer is that of its pair alone.
    fn find_meetings(&mut self, state: &mut Continuous<D>) {
        self.broad_phase.cut(&self.pool);
        state.glances.resize(state.fast.len(), Glance::default());
        let (fast, glances) = (&state.fast, Shared::new(&mut state.glances));
        self.pool.share_out(fast.len(), 64, &|_, range| {
            glances.with(range.clone(), |glances| {
                glances.iter_mut().zip(&fast[range]).for_each(|(glance, fast)| *glance = self.glance(fast));
            });
        });
        state.is_selective = state.glances.iter().any(|glance| glance.is_selective);
        state.companies.clear();
        state.companies.resize_with(state.fast.len(), || AtomicU32::new(Company::UNKNOWN.0));
        state.new_visitors.fit(&self.pool);
        state.meetings.fit(&self.pool);
        state.pairs.fit(&self.pool);
        state.new_candidates.fit(&self.pool);
        let (world, all) = (&*self, &*state);
        self.pool.share_out(self.broad_phase.parts(), 1, &|worker, parts| {
            let lists = (all.new_visitors.of(worker), all.new_candidates.of(worker), all.pairs.of(worker));
            let (Some(mut visitors), Some(mut candidates), Some(mut pairs)) = lists else { return };
            let mut visit = |a, b| {
                // Filters stay as they are, so that nobody needs to know such a pair. Links of a chain are many.
                if all.is_selective && !world.filters_meet(a, b) {
                    return;
                }
                pairs.push([a, b]);
                if let Some(pair) = world.pair_of_fast(all, [a, b]) {
                    let [by, with] = pair.map(|(collider, _)| &world.colliders.items[collider as usize]);
                    if by.given.is_sensor != with.given.is_sensor {
                        visitors.extend(pair.iter().filter_map(|(_, at)| at.map(|at| at as u32)));
                    }
                    candidates.push(pair);
                }
            };
            parts.for_each(|part| world.broad_phase.visit_part(part, &mut visit));
        });
        self.broad_phase.know(&mut state.pairs);
        // Only now: all that flies over a landscape is in one part of the tree, and one worker would be left with it.
        state.candidates.clear();
        state.new_candidates.drain_into(&mut state.candidates);
        let (world, all) = (&*self, &*state);
        self.pool.share_out(all.candidates.len(), 4, &|worker, range| {
            let Some(mut meetings) = all.meetings.of(worker) else { return };
            meetings.extend(all.candidates[range].iter().filter_map(|pair| world.pair_meets(all, *pair)));
        });
        state.visitors.clear();
        state.new_visitors.drain_into(&mut state.visitors);
        state.visitors.sort_unstable();
        state.visitors.dedup();
        let mut meetings = core::mem::take(&mut state.all_meetings);
        state.meetings.drain_into(&mut meetings);
        meetings.drain(..).for_each(|met| state.push_event(met));
        state.all_meetings = meetings;
    }

    fn filters_meet(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|shape| self.colliders.items[shape as usize].given.filter);
        a.meets(b)
    }

    /// Whether two of the list are left to the solver: they cannot pass each other, or both are in a crowd.
    #[inline]
    fn are_left_to_solver(&self, state: &Continuous<D>, a: usize, b: usize) -> bool {
        let (one, other) = (&state.glances[a], &state.glances[b]);
        one.cannot_pass(other)
            || (one.is_plain
                && other.is_plain
                && self.company_of(state, Some(a), one.body).besides(other.body)
                && self.company_of(state, Some(b), other.body).besides(one.body))
    }

    /// What moves and touches a body, which is asked about again and again if it is in the list.
    #[inline]
    fn company_of(&self, state: &Continuous<D>, at: Option<usize>, body: u32) -> Company {
        let Some(known) = at.and_then(|at| state.companies.get(at)) else { return self.company(body) };
        // Whoever comes first finds out; all would find the same.
        let company = Company(known.load(Ordering::Relaxed));
        if company != Company::UNKNOWN {
            return company;
        }
        let company = self.company(body);
        known.store(company.0, Ordering::Relaxed);
        company
    }

    /// Two shapes of different bodies and their places in the list, if one of them is fast: in the order of the list,
    /// and what is not in it last.
    #[inline]
    fn pair_of_fast(&self, state: &Continuous<D>, shapes: [u32; 2]) -> Option<[Listed; 2]> {
        let [a, b] = shapes.map(|shape| state.listed(shape));
        let keeps_order = match (a, b) {
            (None, None) => return None,
            (Some(a), Some(b)) if a == b || self.are_left_to_solver(state, a, b) => return None,
            (Some(a), Some(b)) => a < b,
            (a, _) => a.is_some(),
        };
        Some(if keeps_order { [(shapes[0], a), (shapes[1], b)] } else { [(shapes[1], b), (shapes[0], a)] })
    }

    /// When two shapes meet of which the first, at least, is fast.
    fn pair_meets(
        &self,
        state: &Continuous<D>,
        [(collider, at), (other, with)]: [Listed; 2],
    ) -> Option<(Event, D::Vector)> {
        let at = at?;
        let fast = &state.fast[at];
        let Some(k) = with else {
            if !fast.yields || fast.is_placed {
                return None;
            }
            let slow = &self.colliders.items[other as usize];
            if !fast.bounds.overlaps(slow.fat) {
                return None;
            }
            let still = self.resting_path(slow.body as usize);
            let met = self.shapes_meet((collider, &fast.path), (other, &still), 0.0, |body| {
                self.company_of(state, (body == fast.body).then_some(at), body)
            })?;
            return Some(meeting(met, [at as u32, NONE], false, [collider, other]));
        };
        let by = &state.fast[k];
        if !(fast.yields || by.yields) || (fast.is_placed && by.is_placed) {
            return None;
        }
        // What is in its place has no way.
        if !fast.is_placed && !by.is_placed && !fast.bounds.overlaps(by.bounds) {
            return None;
        }
        let met = self.shapes_meet((collider, &fast.path), (other, &by.path), 0.0, |body| {
            self.company_of(state, Some(if body == fast.body { at } else { k }), body)
        })?;
        // What is in its place already is still from the beginning, and comes second.
        Some(if fast.is_placed {
            let back = Meeting { normal: -met.normal, ..met };
            meeting(back, [k as u32, at as u32], true, [other, collider])
        } else {
            meeting(met, [at as u32, k as u32], by.is_placed, [collider, other])
        })
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

    /// Has the fast bodies that hang on one that stops stop as well: at the whole way, the joint would be torn apart
    /// by what is left of it. Each stops a little after the one that it hangs on, so that what is left is shared
    /// by several joints and a long chain does not stand still as a whole because its end meets something.
    fn stop_joined(&self, state: &mut Continuous<D>, i: usize, time: f32) {
        let record = &self.bodies.items[state.fast[i].body as usize];
        for (joint, side) in self.joints.of_body(record.first_joint) {
            let other = self.joints.table.items[joint].bodies[1 - side];
            let shape = self.bodies.items[other as usize].first_collider;
            let Some(k) = state.listed(shape) else { continue };
            let later = time + (1.0 - time) * SHARE_OF_JOINT;
            if !state.fast[k].is_placed && later < state.fast[k].path.stop {
                let stop = Meeting { time: later, normal: D::Vector::ZERO };
                state.push_event(meeting(stop, [k as u32, NONE], false, [NONE, NONE]));
            }
        }
    }

    /// Stops a body and looks again at those that may pass the place.
    fn stop(&self, state: &mut Continuous<D>, i: usize, time: f32) {
        if state.fast[i].path.stop <= time {
            return;
        }
        state.fast[i].path.stop = time;
        self.stop_joined(state, i, time);
        let (body, path) = (state.fast[i].body, state.fast[i].path);
        let (travel, rotation) = path.at(time);
        let mut found = core::mem::take(&mut state.found);
        let mut collider = self.bodies.items[body as usize].first_collider;
        while collider != NONE {
            let shape = &self.colliders.items[collider as usize];
            found.clear();
            let bounds = shape.bounds(path.center + travel.widen(), rotation);
            // The gap that is left at a meeting is less than this.
            self.broad_phase.moving.overlapping(bounds.grown(self.settings.slop), |other| found.push(other));
            for &other in &found {
                let Some(k) = state.listed(other).filter(|k| *k != i) else { continue };
                let by = &state.fast[k];
                if by.path.stop <= time || by.is_placed {
                    continue;
                }
                let met = self.shapes_meet((other, &by.path), (collider, &path), time, |one| {
                    self.company_of(state, Some(if one == body { i } else { k }), one)
                });
                if let Some(met) = met {
                    state.push_event(meeting(met, [k as u32, i as u32], true, [other, collider]));
                }
            }
            collider = shape.next;
        }
        state.found = found;
    }

    /// Sensors that a fast body has flown through: neither end of the way is within.
    fn visit_sensors(&mut self, state: &mut Continuous<D>) {
        let mut found = core::mem::take(&mut state.found);
        state.visits.clear();
        let visitors = state.visitors.iter().map(|at| &state.fast[*at as usize]);
        for fast in visitors.filter(|fast| !fast.is_placed) {
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
                        && a.given.filter.meets(b.given.filter)
                        && self.hooks.allow(&self.bodies, &self.colliders, [collider, other])
                        && !are_kept_apart(&self.joints, &self.bodies, [a.body, b.body]);
                    if !is_visit || self.old_contact(collider, other).is_some() {
                        continue;
                    }
                    let (path, still) = (&fast.path, self.resting_path(b.body as usize));
                    if self.is_entered((collider, path), (other, &still))
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
            self.happened.entered.push(touch);
            self.happened.left.push(touch);
        }
        state.found = found;
    }
}
