//! When two moving shapes of a world meet: what [`continuous`](super::continuous) asks.
//!
//! Within a step a body moves straight and turns steadily about its centre of mass. Where turning does not
//! matter, shapes are cast along their relative way. Otherwise conservative advancement leads to the meeting: at
//! a distance d along the unit vector n no point of either shape comes nearer faster than
//!
//! ```text
//! µ = (v_a − v_b)·n + |ω_a × n|·ρ_a + |ω_b × n|·ρ_b        ρ: the farthest point from the centre of mass
//! ```
//!
//! so that nothing happens for d/µ. What is farther away than the whole way takes the shapes does not meet, and most of
//! what is asked about is: nothing else is found out about it. Either way the answer is a time at which a small gap is left, a tenth of the
//! slop: the next step finds the contact ahead with a sound normal, and what grazes is not held up.
//!
//! Shapes that are near each other when the step begins have a contact, and the solver keeps them apart. For
//! those only the middle is watched: a ball of a quarter of the thickness about the centre of the thinner shape,
//! which must not get into the other shape, or the contact would push it out on the far side. In a crowd not even
//! that: there the solver is left alone.

use super::World;
use super::contact::{Contact, NONE};
use super::dimension::Engine;
use super::joint::are_kept_apart;
use super::narrow_phase::Placed;
use carom_geometry::CastOptions;
use carom_geometry::bound::Aabb;
use carom_math::{Number, Real, Vector};

/// After so many advances the time reached is taken for the meeting: never too late.
const MOST_ADVANCES: usize = 96;

/// An arc is cut into no more chords than this.
const MOST_CHORDS: f32 = 64.0;

/// What is nearer to a sensor than this share of the slop has entered it.
const GAP_OF_SENSORS: f32 = 1e-3;

/// The way of a body through a step, for times from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path<D: Engine> {
    /// Where it starts.
    pub(crate) center: D::Wide,
    pub(crate) rotation: D::Rotation,
    /// How far it goes, and how it turns, if nothing stops it.
    pub(crate) travel: D::Vector,
    pub(crate) turn: D::Rotation,
    /// When it stops; 1 if nothing stops it.
    pub(crate) stop: f32,
}

impl<D: Engine> Path<D> {
    /// How far it has come at a time, and what rotation it has then.
    pub(crate) fn at(&self, time: f32) -> (D::Vector, D::Rotation) {
        let time = if self.stop < time { self.stop } else { time };
        if time <= 0.0 {
            (D::Vector::ZERO, self.rotation)
        } else if 1.0 <= time {
            (self.travel, D::compose(self.rotation, self.turn))
        } else {
            (self.travel * time, D::compose(self.rotation, D::turn_part(self.turn, time)))
        }
    }
    /// How far it goes in a unit of time from then on.
    fn travel_from(&self, time: f32) -> D::Vector {
        if time < self.stop { self.travel } else { D::Vector::ZERO }
    }
    /// How far it turns a unit vector at most, in all.
    pub(super) fn turns(&self) -> f32 {
        D::turn_rate(self.turn, None)
    }
    /// How fast it turns a unit vector at most, in a unit of time from then on.
    fn turns_from(&self, time: f32, direction: Option<D::Vector>) -> f32 {
        if time < self.stop { D::turn_rate(self.turn, direction) } else { 0.0 }
    }
    /// How far a point of the body that is at `point` (from the start of the centre) at a time goes until the
    /// end.
    pub(crate) fn carries(&self, point: D::Vector, time: f32) -> D::Vector {
        let ((from, turned), (to, turned_on)) = (self.at(time), self.at(1.0));
        let arm = point - from;
        (to - from) + (D::rotate(turned_on, D::rotate_back(turned, arm)) - arm)
    }
}

/// The way of the middle of a shape.
struct MiddleWay<'a, D: Engine> {
    path: &'a Path<D>,
    /// From the centre of mass, in the frame of the body; and how long that is.
    middle: D::Vector,
    distance: f32,
    /// How far the shape reaches from its middle.
    arm: f32,
}

impl<D: Engine> MiddleWay<'_, D> {
    /// Where the middle is at a time, from the start of the centre.
    fn at(&self, time: f32) -> D::Vector {
        let (travel, turned) = self.path.at(time);
        travel + D::rotate(turned, self.middle)
    }
}

/// The ways of the middles of two shapes until a time.
///
/// A body of several shapes turns about a centre that may be far from each of them: bounds that take all its parts for
/// as fast as the farthest would creep up to whatever a trunk rolls over. The middle of a shape, at the distance r from the
/// centre, goes from one place to another within a time, and on an arc over the angle φ it is never farther than r·φ²/8 from where it
/// would be on the straight way. So, with Δ the way of the one middle relative to the other from now on, no point of the shapes gets nearer along n
/// within the share s of the time that is left than
///
/// ```text
/// s·(Δ·n + |φ_a × n|·ρ_a + |φ_b × n|·ρ_b) + (r_a·φ_a² + r_b·φ_b²)/8        ρ: the farthest point from the middle
/// ```
struct Middles<'a, D: Engine> {
    ways: [MiddleWay<'a, D>; 2],
    until: f32,
}

/// That from a time on.
struct Ahead<'a, 'b, D: Engine> {
    middles: &'b Middles<'a, D>,
    time: f32,
    left: f32,
    way: D::Vector,
    bulge: f32,
}

impl<'a, D: Engine> Middles<'a, D> {
    fn ahead(&self, time: f32) -> Ahead<'a, '_, D> {
        let (left, [a, b]) = (self.until - time, &self.ways);
        let way = (a.at(self.until) - a.at(time)) - (b.at(self.until) - b.at(time));
        let bulge = |way: &MiddleWay<'_, D>| {
            let angle = way.path.turns_from(time, None) * left;
            0.125 * way.distance * angle * angle
        };
        Ahead { middles: self, time, left, way, bulge: bulge(a) + bulge(b) }
    }
}

impl<D: Engine> Ahead<'_, '_, D> {
    /// How far points of the shapes get from where they would be if only the middles moved.
    fn turning(&self, direction: Option<D::Vector>) -> f32 {
        let [a, b] = &self.middles.ways;
        self.left
            * (a.path.turns_from(self.time, direction) * a.arm
                + b.path.turns_from(self.time, direction) * b.arm)
    }
    /// How far the shapes get relative to each other.
    fn reach(&self) -> f32 {
        self.way.length_squared().sqrt() + self.turning(None) + self.bulge
    }
    /// For how long nothing happens at a distance along a unit vector.
    fn safe(&self, distance: f32, normal: D::Vector) -> f32 {
        let (room, closing) = (distance - self.bulge, self.way.dot(normal) + self.turning(Some(normal)));
        if room <= 0.0 {
            0.0
        } else if closing <= room {
            self.left
        } else {
            self.left * (room / closing)
        }
    }
}

/// Two shapes meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting<V> {
    /// When: a little before.
    pub(crate) time: f32,
    /// From the first to the second.
    pub(crate) normal: V,
}

/// Who touches a body and moves: nobody, one other body, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Company(pub(crate) u32);

impl Default for Company {
    fn default() -> Self {
        Company(NONE)
    }
}

impl Company {
    /// Several bodies.
    const MANY: Self = Company(NONE - 1);
    /// Nobody has asked yet.
    pub(crate) const UNKNOWN: Self = Company(NONE - 2);

    /// Whether there is anybody but that body.
    #[inline(always)]
    pub(crate) fn besides(self, body: u32) -> bool {
        self.0 != NONE && self.0 != body
    }
    /// With one body more.
    fn with(self, body: u32) -> Self {
        if self.0 == NONE || self.0 == body { Company(body) } else { Self::MANY }
    }
}

/// How deep two bodies overlap at the points of their contact, when their ways begin.
fn depth_of<D: Engine>(contact: &Contact<D>, [a, b]: [&Path<D>; 2]) -> f32 {
    let (offset, normal) = (D::Vector::narrow(b.center - a.center), D::rotate(a.rotation, contact.normal));
    contact.points().iter().fold(f32::NEG_INFINITY, |most, point| {
        let [on_a, on_b] = contact.on_surfaces(point, [a.rotation, b.rotation]);
        let apart = offset + on_b - on_a;
        (-apart.dot(normal)).max_of(most)
    })
}

impl<D: Engine> World<D> {
    /// The path of something that stays where it is.
    pub(super) fn resting_path(&self, body: usize) -> Path<D> {
        let place = &self.places[body];
        Path {
            center: place.center,
            rotation: place.rotation,
            travel: D::Vector::ZERO,
            turn: D::Rotation::default(),
            stop: 0.0,
        }
    }

    /// The box around a shape on its way.
    pub(super) fn swept(&self, collider: u32, path: &Path<D>) -> Aabb<D::Vector> {
        let shape = &self.colliders.items[collider as usize];
        if !shape.is_bounded() {
            return Aabb::unbounded();
        }
        let ((from, start), (to, end)) = (path.at(0.0), path.at(1.0));
        let mut boxes = shape
            .wide_bounds(path.center + from.widen(), start)
            .merged(shape.wide_bounds(path.center + to.widen(), end));
        // An arc of chord c bulges by (c²/4)/(1 + cos ½θ) times its radius.
        let chord = D::turn_chord(start, end);
        if chord != 0.0 {
            let bulge = D::Vector::splat(0.25 * chord * chord * shape.reach).widen();
            boxes = Aabb { min: boxes.min - bulge, max: boxes.max + bulge };
        }
        Aabb::narrowed_outward(boxes)
    }

    /// Whether two shapes bump into each other.
    fn bumps(&self, a: u32, b: u32) -> bool {
        let (shape_a, shape_b) = (&self.colliders.items[a as usize], &self.colliders.items[b as usize]);
        shape_a.body != shape_b.body
            && !shape_a.given.is_sensor
            && !shape_b.given.is_sensor
            && shape_a.given.filter.meets(shape_b.given.filter)
            && self.hooks.allow(&self.bodies, &self.colliders, [a, b])
            && !are_kept_apart(&self.joints, &self.bodies, [shape_a.body, shape_b.body])
    }

    /// The contact that two shapes had when the step began.
    pub(super) fn old_contact(&self, a: u32, b: u32) -> Option<&Contact<D>> {
        self.contact_of(a, b).filter(|contact| contact.is_touching)
    }

    /// The contact of two shapes whose boxes overlapped when the step began.
    fn contact_of(&self, a: u32, b: u32) -> Option<&Contact<D>> {
        let pair = [a.min(b), a.max(b)];
        if !self.contacts.pairs.contains(pair) {
            return None;
        }
        let body = self.colliders.items[a as usize].body as usize;
        let contacts = self.contacts.of_body(self.bodies.items[body].first_contact);
        let mut contacts = contacts.map(|(contact, _)| &self.contacts.pool[contact as usize]);
        contacts.find(|contact| contact.shapes == pair && !contact.is_extra)
    }

    /// How deep two shapes overlap at the points of all their contacts, when their ways begin.
    fn depth_of_pair(&self, contact: &Contact<D>, paths: [&Path<D>; 2]) -> f32 {
        // Not by way of a body's list of contacts: that of the ground is as long as the world is large.
        let extras = self.part_pairs.extras(contact.part_pair).iter();
        extras
            .map(|extra| &self.contacts.pool[*extra as usize])
            .fold(depth_of(contact, paths), |most, extra| depth_of(extra, paths).max_of(most))
    }

    /// How far two shapes that do not touch may move before they do, as far as the narrow phase knows; 0 where it does not.
    fn room(&self, contact: &Contact<D>, [a, b]: [&Path<D>; 2]) -> f32 {
        let Some(pair) = self.part_pairs.items.get(contact.part_pair as usize) else { return 0.0 };
        let shapes = contact.shapes.map(|shape| &self.colliders.items[shape as usize]);
        let placed = Placed::<D>::between((a.center, a.rotation), (b.center, b.rotation));
        pair.room(contact, shapes, placed.relative(contact.is_seen_from_second), self.settings.margin())
    }

    /// When two shapes meet from a time on. Of shapes that are in contact already, when the
    /// middle of the thinner one gets into the other. `company` knows who touches a body.
    pub(super) fn shapes_meet(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        from: f32,
        company: impl Fn(u32) -> Company,
    ) -> Option<Meeting<D::Vector>> {
        let bodies = [a, b].map(|collider| self.colliders.items[collider as usize].body);
        let both_move = bodies.iter().all(|body| self.bodies.items[*body as usize].moves());
        // Two that both give way are left to the solver where they cannot pass each other.
        if !self.bumps(a, b) || (both_move && !self.could_pass((a, path_a), (b, path_b), from)) {
            return None;
        }
        let in_company =
            [(0, 1), (1, 0)].map(|(one, other)| both_move && company(bodies[one]).besides(bodies[other]));
        if in_company[0] && in_company[1] {
            return None;
        }
        let is_left = in_company[0] || in_company[1];
        let watch = || self.middle_meets((a, path_a), (b, path_b), from, 1.0);
        let contact = self.contact_of(a, b);
        let paths = |contact: &Contact<D>| {
            if contact.shapes[0] == a { [path_a, path_b] } else { [path_b, path_a] }
        };
        if let Some(contact) = contact.filter(|contact| contact.is_touching) {
            // The middle is three quarters of the thickness below the surface; a little motion does not get there.
            let [safe_a, safe_b] =
                [a, b].map(|shape| 0.25 * self.colliders.items[shape as usize].thickness());
            let safe = safe_a.min_of(safe_b) - self.motion((a, path_a), (b, path_b), from);
            let is_safe = || contact.count > 0 && self.depth_of_pair(contact, paths(contact)) <= safe;
            return if contact.is_ignored || is_left || is_safe() { None } else { watch() };
        }
        let gap = 0.1 * self.settings.slop;
        // Of ways that go on to the end, as most do.
        let is_whole =
            from <= 0.0 && [path_a, path_b].iter().all(|path| path.stop <= 0.0 || 1.0 <= path.stop);
        if let Some(contact) = contact.filter(|_| is_whole) {
            let room = self.room(contact, paths(contact));
            if 0.0 < room && self.reach((a, path_a), (b, path_b)) + gap < room {
                return None;
            }
        }
        let met = match self.surfaces_meet((a, path_a), (b, path_b), from, 1.0, gap)? {
            Meeting { time, .. } if time <= from => (!is_left).then(watch).flatten(),
            met => Some(met),
        };
        // There is no contact yet that could say so.
        met.filter(|met| self.is_solid_meeting((a, path_a), (b, path_b), met))
    }

    /// What moves and touches a body.
    pub(super) fn company(&self, body: u32) -> Company {
        let mut company = Company::default();
        for (contact, side) in self.contacts.of_body(self.bodies.items[body as usize].first_contact) {
            let contact = &self.contacts.pool[contact as usize];
            let other = contact.bodies[1 - side];
            // A sensor that it is in pushes nobody.
            let matters = contact.is_touching
                && !contact.is_ignored
                && !contact.is_sensor
                && contact.awake_slot != NONE;
            if matters && company != Company(other) && self.bodies.items[other as usize].moves() {
                company = company.with(other);
                if company == Company::MANY {
                    break;
                }
            }
        }
        company
    }

    /// Whether two shapes that touched could get past each other's middle: they move by more than half of what they are
    /// thick together. Otherwise the solver finds them in time, and on the right sides of each other.
    fn could_pass(&self, (a, path_a): (u32, &Path<D>), (b, path_b): (u32, &Path<D>), from: f32) -> bool {
        let thickness = [a, b].map(|shape| self.colliders.items[shape as usize].thickness());
        0.5 * (thickness[0] + thickness[1]) < self.motion((a, path_a), (b, path_b), from)
    }

    /// How far two shapes move relative to each other, and turn what sticks out of them, from a time on.
    fn motion(&self, (a, path_a): (u32, &Path<D>), (b, path_b): (u32, &Path<D>), from: f32) -> f32 {
        let (shape_a, shape_b) = (&self.colliders.items[a as usize], &self.colliders.items[b as usize]);
        let way = path_a.travel_from(from) - path_b.travel_from(from);
        let turning = [(shape_a, path_a), (shape_b, path_b)].map(|(shape, path)| {
            let ends = shape.ends();
            if ends > 0.0 { path.turns_from(from, None) * ends } else { 0.0 }
        });
        way.length_squared().sqrt() + turning[0] + turning[1]
    }

    /// When the surfaces of two shapes get within a gap of each other.
    pub(super) fn surfaces_meet(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        from: f32,
        until: f32,
        gap: f32,
    ) -> Option<Meeting<D::Vector>> {
        let (shape_a, shape_b) = (&self.colliders.items[a as usize], &self.colliders.items[b as usize]);
        let way = path_a.travel_from(from) - path_b.travel_from(from);
        let turning = |direction: Option<D::Vector>| self.turning((a, path_a), (b, path_b), from, direction);
        let places = |time: f32| self.places_at((a, path_a), (b, path_b), time);
        if turning(None) <= 0.25 * gap {
            let (pose_a, pose_b) = places(from);
            let cast = D::cast_shape(
                (&shape_a.given.shape, pose_a, way),
                (&shape_b.given.shape, pose_b),
                CastOptions { max: until - from },
            );
            if let Ok(found) = cast {
                let hit = found?;
                let closing = hit.normal.dot(way);
                let back = if closing > 0.0 { gap / closing } else { hit.t };
                let time = from + (hit.t - back).clamp_to(0.0, 1.0);
                return Some(Meeting { time, normal: hit.normal });
            }
        }
        let (mut time, mut normal) = (from, D::Vector::ZERO);
        let fastest = way.length_squared().sqrt() + turning(None);
        let middles = self.middles((a, path_a), (b, path_b), from, until);
        for _ in 0..MOST_ADVANCES {
            let (pose_a, pose_b) = places(time);
            let ahead = middles.as_ref().map(|middles| middles.ahead(time));
            let reach = fastest * (until - time);
            let reach = ahead.as_ref().map_or(reach, |ahead| ahead.reach().min_of(reach));
            let reach = (reach + gap).min_of(f32::MAX);
            let found =
                D::distance_within((&shape_a.given.shape, pose_a), (&shape_b.given.shape, pose_b), reach)
                    .ok()??;
            normal = found.normal;
            if found.lower <= gap {
                return Some(Meeting { time, normal });
            }
            let closing = way.dot(normal) + turning(Some(normal));
            if closing <= 0.0 {
                return None;
            }
            let safe = (found.lower - 0.5 * gap) / closing;
            let ahead = ahead.map_or(0.0, |ahead| ahead.safe(found.lower - 0.5 * gap, normal));
            time += safe.max_of(ahead);
            if until <= time {
                return None;
            }
        }
        Some(Meeting { time, normal })
    }

    /// Whether two shapes that were apart come to touch on their ways. Here the gap is for rounding alone: nobody has to be
    /// stopped before anything.
    pub(super) fn is_entered(&self, a: (u32, &Path<D>), b: (u32, &Path<D>)) -> bool {
        let gap = GAP_OF_SENSORS * self.settings.slop;
        let Some(met) = self.surfaces_meet(a, b, 0.0, a.1.stop, gap) else { return false };
        // What is within the gap at the start and gets no nearer along the normal touches nothing.
        let way = a.1.travel_from(0.0) - b.1.travel_from(0.0);
        0.0 < met.time || 0.0 < way.dot(met.normal) + self.turning(a, b, 0.0, Some(met.normal))
    }

    /// How fast turning takes points of two shapes, at most, in a unit of time from a time on; along a direction, if one is
    /// given.
    fn turning(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        from: f32,
        direction: Option<D::Vector>,
    ) -> f32 {
        let of = |collider: u32, path: &Path<D>| {
            let (shape, rate) = (&self.colliders.items[collider as usize], path.turns_from(from, direction));
            let arm = D::turning_arm(&shape.given.shape, shape.from_center.0, shape.reach);
            // An arm that does not matter may be infinite.
            if rate > 0.0 { rate * arm } else { 0.0 }
        };
        of(a, path_a) + of(b, path_b)
    }

    /// How far two shapes get relative to each other in a step, at most, if nothing stops them on the way.
    fn reach(&self, (a, path_a): (u32, &Path<D>), (b, path_b): (u32, &Path<D>)) -> f32 {
        let way = path_a.travel_from(0.0) - path_b.travel_from(0.0);
        let whole = way.length_squared().sqrt() + self.turning((a, path_a), (b, path_b), 0.0, None);
        let middles = self.middles((a, path_a), (b, path_b), 0.0, 1.0);
        middles.map_or(whole, |middles| middles.ahead(0.0).reach().min_of(whole))
    }

    /// The ways of the middles of two shapes, if one of them is far from the centre about which its body turns.
    fn middles<'a>(
        &self,
        (a, path_a): (u32, &'a Path<D>),
        (b, path_b): (u32, &'a Path<D>),
        from: f32,
        until: f32,
    ) -> Option<Middles<'a, D>> {
        let ways = [(a, path_a), (b, path_b)].map(|(collider, path)| {
            let shape = &self.colliders.items[collider as usize];
            let (middle, half) = shape.local_box;
            // What does not turn may be unbounded.
            let arm = if 0.0 < path.turns_from(from, None) {
                D::turning_arm(&shape.given.shape, -middle, half.length_squared().sqrt())
            } else {
                0.0
            };
            let middle = shape.box_center;
            MiddleWay { path, middle, distance: middle.length_squared().sqrt(), arm }
        });
        let turns = |way: &MiddleWay<'_, D>| 0.0 < way.path.turns_from(from, None);
        let is_worth_it = ways.iter().any(|way| way.arm < way.distance && turns(way));
        // Who stops on the way does not move steadily.
        let is_steady = ways.iter().all(|way| way.path.stop <= from || until <= way.path.stop);
        (is_worth_it && is_steady).then_some(Middles { ways, until })
    }

    /// When the middle of the thinner of two shapes gets into the other.
    fn middle_meets(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        from: f32,
        until: f32,
    ) -> Option<Meeting<D::Vector>> {
        let (shape_a, shape_b) = (&self.colliders.items[a as usize], &self.colliders.items[b as usize]);
        if shape_b.thickness() < shape_a.thickness() && self.bodies.items[shape_b.body as usize].moves() {
            let met = self.middle_meets_shape((b, path_b), (a, path_a), from, until)?;
            return Some(Meeting { normal: -met.normal, ..met });
        }
        self.middle_meets_shape((a, path_a), (b, path_b), from, until)
    }

    /// When the middle of the first shape gets into the second, which does not turn. The way of a middle that is not the
    /// centre of its body is an arc: it is cut into chords from which it strays by less than half of the ball's radius.
    fn middle_meets_shape(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        from: f32,
        until: f32,
    ) -> Option<Meeting<D::Vector>> {
        let (shape_a, shape_b) = (&self.colliders.items[a as usize], &self.colliders.items[b as usize]);
        // What has no thickness at all has a middle too.
        let radius = 0.25 * shape_a.thickness();
        let radius = if 0.0 < radius { radius } else { 0.1 * self.settings.slop };
        let ball = D::ball(radius)?;
        let middle = shape_a.box_center;
        let at = |time: f32| {
            let (travel, turned) = path_a.at(time);
            travel + D::rotate(turned, middle)
        };
        let all = until - from;
        if all <= 0.0 {
            return None;
        }
        // r·φ²/8 of each is to be at most half the radius.
        let angle = path_a.turns_from(from, None) * all;
        let wanted = angle * (0.25 * middle.length_squared().sqrt() / radius).sqrt();
        let pieces = wanted.clamp_to(0.0, MOST_CHORDS).ceil().max_of(1.0);
        let span = all / pieces;
        for piece in 0..pieces as u16 {
            let begin = from + f32::from(piece) * span;
            let start = at(begin);
            let way = (at(begin + span) - start) * (1.0 / span) - path_b.travel_from(begin);
            let (_, pose_b) = self.places_at((a, path_a), (b, path_b), begin);
            let (place, options) = (D::pose(start, D::Rotation::default()), CastOptions { max: span });
            let still = (&shape_b.given.shape, pose_b);
            let Some(hit) = D::cast_shape((&ball, place, way), still, options).ok().flatten() else {
                continue;
            };
            // Stops a radius earlier, so that the ball finds room to be cast again; when there is none, only what
            // goes on inwards is stopped.
            if hit.t <= 0.0 && hit.normal.dot(way) <= 0.0 {
                continue;
            }
            let back = radius / way.length_squared().sqrt();
            let time = (begin + (hit.t - back).clamp_to(from - begin, 1.0)).max_of(from);
            return Some(Meeting { time, normal: hit.normal });
        }
        None
    }

    /// Where two shapes are at a time, in the frame of the world about the first body's start, so that the
    /// distance from the origin costs no precision.
    pub(super) fn places_at(
        &self,
        (a, path_a): (u32, &Path<D>),
        (b, path_b): (u32, &Path<D>),
        time: f32,
    ) -> (D::Pose, D::Pose) {
        let offset = D::Vector::narrow(path_b.center - path_a.center);
        let place = |collider: u32, path: &Path<D>, origin: D::Vector| {
            let (translation, turn) = self.colliders.items[collider as usize].from_center;
            let (travel, rotation) = path.at(time);
            D::pose(origin + travel + D::rotate(rotation, translation), D::compose(turn, rotation))
        };
        (place(a, path_a, D::Vector::ZERO), place(b, path_b, offset))
    }

    /// Whether two shapes touch at a time.
    pub(super) fn touch_at(&self, a: (u32, &Path<D>), b: (u32, &Path<D>), time: f32) -> bool {
        let (pose_a, pose_b) = self.places_at(a, b, time);
        let (shape_a, shape_b) = (&self.colliders.items[a.0 as usize], &self.colliders.items[b.0 as usize]);
        D::intersects(&shape_a.given.shape, pose_a, &shape_b.given.shape, pose_b).unwrap_or(false)
    }
}
