//! The list of fast bodies: their ways and what they sweep, who is in the way of what is driven, and where all of them end up.

use super::super::World;
use super::super::body::{BodyKind, Record};
use super::super::collider::Filter;
use super::super::contact::NONE;
use super::super::dimension::Engine;
use super::super::finish::Fate;
use super::super::impact::Path;
use super::super::threads::Shared;
use carom_geometry::bound::Aabb;
use carom_math::{Number, Vector};

/// Something fast.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fast<D: Engine> {
    pub(super) body: u32,
    pub(super) path: Path<D>,
    /// Around all its shapes on their way.
    pub(super) bounds: Aabb<D::Vector>,
    /// Its only shape, whose box that is; or `NONE`.
    pub(super) only_shape: u32,
    /// Whether it stops at what it meets.
    pub(super) yields: bool,
    /// Whether it takes along what it meets.
    pub(super) drives: bool,
    /// How far others have taken it along.
    pub(super) carried: D::Vector,
    /// Already where it ends, but for that.
    pub(super) is_placed: bool,
}

/// Enough about a fast body to pass over most pairs, in little memory: swept boxes overlap by the thousand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Glance<V> {
    pub(super) travel: V,
    /// How far it turns what sticks out of it.
    pub(super) turning: f32,
    /// The least of its shapes.
    pub(super) thickness: f32,
    /// It gives way, and none of its shapes is a sensor.
    pub(super) is_plain: bool,
    /// Not all of its shapes have the filter that meets everything.
    pub(super) is_selective: bool,
    pub(super) body: u32,
}

impl<V: Vector<Scalar = f32>> Glance<V> {
    /// Two bodies that are left to the solver whatever their shapes; see `World::could_pass`.
    #[inline(always)]
    pub(super) fn cannot_pass(&self, other: &Self) -> bool {
        let way = (self.travel - other.travel).length_squared().sqrt() + self.turning + other.turning;
        self.is_plain && other.is_plain && way <= 0.5 * (self.thickness + other.thickness)
    }
}

impl<D: Engine> Record<D> {
    /// Whether a body moves so far in a step that it could get through something.
    #[inline]
    pub(in super::super) fn is_fast(&self, travel: D::Vector, turn: D::Rotation) -> bool {
        if self.kind == BodyKind::Fixed || self.first_collider == NONE {
            return false;
        }
        let safe = 0.5 * self.thickness;
        // A ball within the body does not move when it turns; what sticks out of it does.
        let ends = self.reach - self.thickness;
        let turned = if ends > 0.0 { D::turn_chord(D::Rotation::default(), turn) * ends } else { 0.0 };
        self.is_deep || safe < travel.length_squared().sqrt() + turned
    }
}

impl<D: Engine> World<D> {
    /// Lists a body, at rest where it is.
    pub(super) fn listing(&self, body: u32, is_placed: bool) -> Fast<D> {
        let record = &self.bodies.items[body as usize];
        let is_only = record.first_collider != NONE
            && self.colliders.items[record.first_collider as usize].next == NONE;
        Fast {
            body,
            path: self.resting_path(body as usize),
            bounds: Aabb::empty(),
            only_shape: if is_only && !is_placed { record.first_collider } else { NONE },
            yields: record.moves() && record.is_continuous,
            drives: record.kind == BodyKind::Kinematic,
            carried: D::Vector::ZERO,
            is_placed,
        }
    }

    /// The ways of fast bodies, and what they sweep, where their shapes are found from now on.
    pub(super) fn sweep(&mut self) {
        let mut state = core::mem::take(&mut self.continuous);
        // By index, so that nothing depends on the order of those awake.
        state.noted.sort_unstable();
        let Some(example) = state.noted.first().map(|body| self.listing(*body, false)) else { return };
        state.fast.resize(state.noted.len(), example);
        let (noted, all) = (&state.noted, Shared::new(&mut state.fast));
        let list = |fast: &mut Fast<D>, body: u32| {
            *fast = self.listing(body, false);
            let awake = self.bodies.items[body as usize].awake;
            if awake != NONE {
                let (travel, turn) = D::travel(self.awake.state(awake as usize));
                fast.path = Path { travel, turn, stop: 1.0, ..fast.path };
            }
            if fast.only_shape != NONE {
                fast.bounds = self.swept(fast.only_shape, &fast.path);
            }
        };
        self.pool.share_out(noted.len(), 32, &|_, range| {
            all.with(range.clone(), |all| {
                all.iter_mut().zip(&noted[range]).for_each(|(fast, body)| list(fast, *body));
            });
        });
        for at in 0..state.fast.len() {
            let Fast { body, only_shape, mut bounds, path, .. } = state.fast[at];
            let mut collider = self.bodies.items[body as usize].first_collider;
            while collider != NONE {
                let shape = &self.colliders.items[collider as usize];
                let way = if collider == only_shape { bounds } else { self.swept(collider, &path) };
                bounds = bounds.merged(way);
                state.name(collider, at as u32);
                self.broad_phase.enlarge(shape.fat_way(way), collider);
                collider = shape.next;
            }
            state.fast[at].bounds = bounds;
        }
        self.broad_phase.flush();
        self.continuous = state;
    }

    /// What is asked of all pairs of a body.
    pub(super) fn glance(&self, fast: &Fast<D>) -> Glance<D::Vector> {
        let turns = fast.path.turns();
        let mut glance = Glance {
            travel: fast.path.travel,
            turning: 0.0,
            thickness: f32::INFINITY,
            is_plain: self.bodies.items[fast.body as usize].moves(),
            is_selective: false,
            body: fast.body,
        };
        let mut collider = self.bodies.items[fast.body as usize].first_collider;
        while collider != NONE {
            let shape = &self.colliders.items[collider as usize];
            glance.is_plain &= !shape.given.is_sensor;
            glance.is_selective |= shape.given.filter != Filter::default();
            glance.thickness = shape.thickness().min_of(glance.thickness);
            glance.turning = (turns * shape.ends()).max_of(glance.turning);
            collider = shape.next;
        }
        glance
    }

    /// Puts fast bodies where they have got to.
    pub(super) fn place_fast(&mut self, all: &[Fast<D>], dt: f32, lost: &mut Vec<u32>) {
        let stays = |fast: &Fast<D>| fast.is_placed && fast.carried == D::Vector::ZERO;
        // Also sleepers that were taken along.
        for fast in all.iter().filter(|fast| fast.is_placed && !stays(fast)) {
            self.wake_index(fast.body as usize);
        }
        let mut fates = core::mem::take(&mut self.fates);
        fates.fit(&self.pool);
        let (landing, pool) = self.landing(dt);
        pool.share_out(all.len(), 32, &|worker, range| {
            let Some(mut fates) = fates.of(worker) else { return };
            for fast in all[range].iter().filter(|fast| !stays(fast)) {
                let (travel, rotation) = fast.path.at(1.0);
                let travel = travel + fast.carried;
                let fate = landing.land(fast.body as usize, travel, rotation, !fast.is_placed);
                fates.push((fast.body, fate));
            }
        });
        let mut list = core::mem::take(&mut self.all_fates);
        fates.drain_into(&mut list);
        self.fates = fates;
        for (body, fate) in list.drain(..) {
            self.move_boxes(body as usize, fate);
            if fate == Fate::IsLost {
                self.keep_boxes(body as usize);
                lost.push(body);
            }
        }
        self.all_fates = list;
        self.broad_phase.flush();
    }

    /// Bodies that are slow, but in the way of something that is driven.
    pub(super) fn find_swept_away(&mut self) {
        let mut found = core::mem::take(&mut self.continuous.found);
        found.clear();
        for fast in self.continuous.fast.iter().filter(|fast| fast.drives) {
            let mut collider = self.bodies.items[fast.body as usize].first_collider;
            while collider != NONE {
                let way = self.swept(collider, &fast.path);
                self.broad_phase.moving.overlapping(way, |other| {
                    let shape = &self.colliders.items[other as usize];
                    if self.continuous.listed(other).is_none() && shape.fat.overlaps(way) {
                        found.push(shape.body);
                    }
                });
                collider = self.colliders.items[collider as usize].next;
            }
        }
        found.sort_unstable();
        found.dedup();
        for &body in &found {
            let record = &self.bodies.items[body as usize];
            if record.moves() && record.is_continuous {
                let (mut collider, at) = (record.first_collider, self.continuous.fast.len() as u32);
                while collider != NONE {
                    self.continuous.name(collider, at);
                    collider = self.colliders.items[collider as usize].next;
                }
                self.continuous.fast.push(self.listing(body, true));
            }
        }
        self.continuous.found = found;
    }
}
