//! What boxes tell about the time at which turning shapes may first touch.
//!
//! **In a span of time** in which little is turned, everything moves nearly straight, also as seen from the other shape. Take the frame of
//! one shape, turning with Ω, and a point of the other one, turning with ω, r away from its centre of rotation. Let c be the vector
//! from the first centre to the second, v its velocity, d that from the first centre to the point, and x the coordinate of the point along
//! a unit vector n of the first frame. Then
//!
//! ```text
//! |x″| <= |ω − Ω|·(|ω| + |Ω|)·r + 2·|Ω|·|v| + |Ω|²·|c|
//! |x″| <= |n×ω|·|ω|·r + 2·|n×Ω|·(|v| + |ω|·r) + |n×Ω|·|Ω|·|d|
//! ```
//!
//! The second bound is for what touches in the span, which nothing else is asked about: then |d| is at most the reach R of the first shape
//! about its centre at that time, so R + T·(|v| + |ω|·r) at all times, and r is at most R + |c|. It tells that of a large landscape only
//! what is close to a small body counts, and that what turns about the vertical stays at its height. While n turns with Ω, |n×Ω|
//! stays as it is, and |n×ω| is at most T·|Ω|·|ω| more than at the begin.
//!
//! For a span of length T no coordinate is farther than T²/8·|x″| from the straight way between where it is at
//! the begin and at the end. A box of one shape is carried into the frame of the other at both times, made larger by this bulge, and
//! its sides move evenly between: when they meet those of another box is a division each. Where nothing turns the bulge is zero and the
//! span may be as long as it likes.
//!
//! **The plane of a flat part** tells more than boxes: the other part is on one side of it for all of a span if it is at the begin and at the
//! end, by more than the bulge, since the least of heights that change evenly is a concave function of time.
//!
//! **Balls around boxes** are the same however far they turn. Their centres approach at no more than the relative velocity plus
//! |ω|·(distance of the centre from the origin) for each, so a gap g is not closed within g/speed. A few such
//! steps, each from where the last one ended, are a good bound for what is far away. What is farther from the other centre of rotation than both balls reach
//! about theirs stays so however often it turns.

use super::descent::{Boxed, Opened, Side};
use super::sight::Sight;
use super::view::{View, one_by_one, pair_size};
use super::walk::Actor;
use super::{Kernels, Place};
use crate::bound::{Aabb, Frame};
use crate::bvh::node::{Node, WIDTH};
use crate::bvh::probe::row;
use crate::motion::least_distance;
use crate::pair::place::{Relative, Turn};
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, f32x8};
use carom_math::{Number, Real, Vector};

/// Steps of a ball towards another one: more make the bound better, and cost a turn of both each.
const APPROACHES: usize = 4;

/// What quotients in lanes may be off by, relatively: three roundings of 2⁻²⁴; this is 2⁻²⁰.
const QUOTIENT: f32 = 1.0 / (1 << 20) as f32;

/// Two frames within moving frames, in one of both ways.
#[allow(clippy::large_enum_variant)] // there is one at a time, and nothing is to be allocated
pub(super) enum Moving<K: Kernels> {
    Balls(Balls<K>),
    Span(Span<K>),
}

impl<K: Kernels> View<K> for Moving<K> {
    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        match self {
            Moving::Balls(balls) => balls.bound(a, b, limit),
            Moving::Span(span) => span.bound(a, b, limit),
        }
    }

    fn limits(&self, limit: f64) -> [f32; 2] {
        match self {
            Moving::Span(span) if span.sights.is_some() => [f32::from_f64_up(span.stretch.part_up(limit)); 2],
            _ => [f32::from_f64_up(limit); 2],
        }
    }

    fn lower(&self, _: usize, lower: f32) -> f64 {
        match self {
            Moving::Span(span) if span.sights.is_some() => span.time_down(f64::from(lower)),
            _ => f64::from(lower),
        }
    }

    type Kept<S: Simd> = ();

    #[inline(always)]
    fn children<S: Simd>(
        &self,
        simd: S,
        sides: [&Side<'_, K>; 2],
        opened: Opened<'_, K::Vector>,
        other: &Boxed<'_, K::Vector>,
        limit: f32,
        _: Option<&mut Option<()>>,
    ) -> (u32, [f32; WIDTH]) {
        let Opened { side, node, .. } = opened;
        match self {
            Moving::Span(Span { sights: Some(sights), rooms, .. }) => {
                let (sights, room) = (&sights[side & 1], rooms[side & 1]);
                passing(simd, sights, node, (&sides[1 - (side & 1)].bounds(other), room), limit)
            }
            _ => one_by_one(self, sides, opened, other, limit),
        }
    }
}

/// Two frames that move, and balls around boxes in them, from a time on.
pub(super) struct Balls<K: Kernels> {
    locals: [Option<Place<K>>; 2],
    motions: [K::Motion; 2],
    /// What is added to the balls.
    slack: f64,
    start: f64,
    /// How far the shapes reach from their centres of rotation; infinite where that is not known.
    outers: [f64; 2],
    /// From the centre of rotation of the first to that of the second at the start, and its velocity.
    between: K::Vector,
    relative: K::Vector,
}

impl<K: Kernels> Balls<K> {
    pub(super) fn new(
        locals: [Option<Place<K>>; 2],
        motions: [K::Motion; 2],
        outers: [f64; 2],
        slack: f64,
        start: f64,
    ) -> Self {
        let [a, b] = motions.map(|motion| K::moved(motion, start, K::Vector::ZERO));
        let relative = K::velocity(motions[1]) - K::velocity(motions[0]);
        Balls { locals, motions, slack, start, outers, between: b - a, relative }
    }
}

impl<K: Kernels> Balls<K> {
    /// A lower bound on the time at which anything in the boxes touches; `None` when it surely does not until `limit`.
    pub(super) fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        let ball = |bounds: &Aabb<K::Vector>, local: &Option<Place<K>>| {
            let (center, reach) = (bounds.center(), (bounds.max - bounds.min).length() * 0.5);
            (local.as_ref().map_or(center, |local| local.point(center)), reach)
        };
        let ((center_a, reach_a), (center_b, reach_b)) = (ball(a, &self.locals[0]), ball(b, &self.locals[1]));
        let reach = (reach_a + reach_b) * (1.0 + 8.0 * f64::EPSILON) + self.slack;
        if !reach.is_finite() {
            return Some(self.start);
        }
        let [arm_a, arm_b] = [center_a, center_b].map(Vector::length);
        // However they turn, neither comes nearer to the other centre than its own reach about its own.
        let farthest = (reach_a + arm_a).min_of(self.outers[0]) + (reach_b + arm_b).min_of(self.outers[1]);
        if (farthest + self.slack) * (1.0 + 16.0 * f64::EPSILON) < self.nearest(limit) {
            return None;
        }
        let speed = self.relative.length()
            + K::turning_speed(self.motions[0], arm_a)
            + K::turning_speed(self.motions[1], arm_b);
        let mut time = self.start;
        for _ in 0..APPROACHES {
            let between =
                K::moved(self.motions[1], time, center_b) - K::moved(self.motions[0], time, center_a);
            let gap = between.length() * (1.0 - 8.0 * f64::EPSILON) - reach;
            let is_apart = 0.0 < gap;
            if !is_apart {
                break;
            }
            time += gap / (speed * (1.0 + 8.0 * f64::EPSILON));
            if limit < time {
                return None;
            }
        }
        Some(time)
    }
}

impl<K: Kernels> Balls<K> {
    /// How near the centres of rotation come to each other until a time: they move straight.
    fn nearest(&self, limit: f64) -> f64 {
        least_distance(self.between, self.relative, [0.0, limit - self.start]) * (1.0 - 1e-6)
    }
}

/// A span of time, and where two moving frames are in it.
#[derive(Clone, Copy)]
pub(super) struct Stretch<K: Kernels> {
    from: f64,
    length: f64,
    motions: [K::Motion; 2],
    /// How both frames are turned at the begin.
    turns: [K::Matrix; 2],
    /// The second frame in the first at begin and end.
    places: [Place<K>; 2],
    /// |ω| of both, and of one seen from the other.
    speeds: [f64; 2],
    relative: f64,
    velocity: f64,
    /// How far apart the centres are at most.
    apart: f64,
    /// What places may be off by.
    slack: f64,
}

impl<K: Kernels> Stretch<K> {
    pub(super) fn new(motions: [K::Motion; 2], [from, to]: [f64; 2], slack: f64) -> Self {
        let places = [from, to].map(|time| place_at::<K>(motions, time));
        let (speeds, relative) = K::angular_speeds(motions);
        let [begin, end] = places.each_ref().map(|place| place.translation.length());
        Stretch {
            from,
            length: to - from,
            motions,
            turns: motions.map(|motion| K::place_of(K::pose_at(motion, from)).rotation),
            places,
            speeds,
            relative,
            velocity: (K::velocity(motions[1]) - K::velocity(motions[0])).length(),
            // A convex function of time.
            apart: begin.max_of(end),
            slack,
        }
    }

    /// How far what touches in the span is from its straight way, seen from a shape that counts as its own, along a vector of its
    /// frame, times the length of that. `reaches`: how far the shapes reach from their centres of rotation.
    fn bulge(&self, own: usize, reaches: [f64; 2], along: K::Vector) -> f64 {
        let (own, other) = (own & 1, 1 - (own & 1));
        let (own_speed, other_speed) = (self.speeds[own], self.speeds[other]);
        if own_speed == 0.0 && other_speed == 0.0 {
            return 0.0;
        }
        let Stretch { length, velocity, apart, .. } = *self;
        let (normal, unit) = (self.turns[own].apply(along), along.length());
        let own_across = K::across(self.motions[own], normal);
        let other_across = (K::across(self.motions[other], normal) + length * own_speed * other_speed * unit)
            .min_of(other_speed * unit);
        let (reach, arm) = (reaches[own], reaches[other].min_of(reaches[own] + apart));
        let from_centers = (self.relative * (own_speed + other_speed) * arm
            + 2.0 * own_speed * velocity
            + own_speed * own_speed * apart)
            * unit;
        let speed = velocity + other_speed * arm;
        let from_touch = other_across * other_speed * arm
            + own_across * (2.0 * speed + own_speed * (reach + length * speed));
        // The latter is no number where the reach is infinite.
        from_touch.min_of(from_centers) * (length * length) * (0.125 * (1.0 + 64.0 * f64::EPSILON))
    }

    /// The same along the axes of a part that counts as its own.
    fn bulges(&self, own: usize, reaches: [f64; 2], part: &Actor<'_, K>) -> K::Vector {
        let local = part.local.map(K::place_of);
        K::Vector::from_fn(|axis| {
            let along = K::Vector::unit(axis);
            self.bulge(own, reaches, local.as_ref().map_or(along, |local| local.rotation.apply(along)))
        })
    }

    /// The places of two parts of the shapes at begin and end, the second seen from the first.
    fn places_of(&self, [a, b]: [&Actor<'_, K>; 2]) -> [Place<K>; 2] {
        self.places.each_ref().map(|place| {
            let mut inner = *place;
            if let Some(local) = b.local {
                inner = K::composed(&inner, &K::place_of(local));
            }
            if let Some(local) = a.local {
                inner = K::composed(&K::inverse(&K::place_of(local)), &inner);
            }
            inner
        })
    }

    /// Whether the plane of one of two convex parts is between them until a time; and how large they are, and how large the bulge.
    pub(super) fn look_at(&self, parts: [&Actor<'_, K>; 2], until: f64) -> Look {
        let cores = parts.map(|part| K::core_bounds(part.shape));
        let reaches = [0, 1].map(|own: usize| reach_of(parts[own], &cores[own].0, cores[own].1));
        let sizes = cores.map(|(core, radius)| (core.max - core.min).max_abs() + 2.0 * radius);
        let part = self.part_up(until);
        let there = self.places_of(parts);
        let mut look = Look { is_apart: false, size: sizes[0].max_of(sizes[1]), bulge: 0.0 };
        for own in 0..2 {
            let normal = K::flat_normal(parts[own].shape).filter(|normal| 0.0 < normal.length());
            let Some(normal) = normal else {
                look.bulge = self.bulges(own, reaches, parts[own]).max_abs().max_of(look.bulge);
                continue;
            };
            let local = parts[own].local.map(K::place_of);
            let along = local.as_ref().map_or(normal, |local| local.rotation.apply(normal));
            let (bulge, length) = (self.bulge(own, reaches, along), normal.length());
            look.bulge = (bulge / length).max_of(look.bulge);
            let room = bulge + self.slack * length * (1.0 + 8.0 * f64::EPSILON);
            let places = if own == 0 { there } else { there.each_ref().map(K::inverse) };
            if is_split::<K>([parts[own].shape, parts[1 - own].shape], normal, &places, (part, room)) {
                look.is_apart = true;
                break;
            }
        }
        look
    }

    /// A time as part of the span, rounded up; 1 for what is later, or where the span has no length.
    fn part_up(&self, time: f64) -> f64 {
        let part = (time - self.from) / self.length * (1.0 + 4.0 * f64::EPSILON);
        if part < 1.0 { part.step_up().max_of(0.0) } else { 1.0 }
    }
}

/// Whether a plane with this normal has a flat part on one side and another part on the other until a part of a span.
fn is_split<K: Kernels>(
    [flat, other]: [&K::Shape; 2],
    normal: K::Vector,
    [begin, end]: &[Place<K>; 2],
    (part, room): (f64, f64),
) -> bool {
    // Half-spaces have no farthest point.
    if K::plane(other).is_some() {
        return false;
    }
    [normal, -normal].into_iter().any(|along| {
        let own = along.dot(K::farthest(flat, along));
        let height =
            |place: &Place<K>| along.dot(place.point(K::farthest(other, -place.rotation.undo(along)))) - own;
        let (first, last) = (height(begin), height(end));
        room < first && room < first + (last - first) * part
    })
}

/// What is seen of two convex parts in a span.
pub(super) struct Look {
    pub(super) is_apart: bool,
    pub(super) size: f64,
    pub(super) bulge: f64,
}

/// How far a shape or part reaches from the centre of rotation of the whole.
fn reach_of<K: Kernels>(actor: &Actor<'_, K>, core: &Aabb<K::Vector>, radius: f64) -> f64 {
    let shift = actor.local.map_or(0.0, |local| K::place_of(local).translation.length());
    let reach = core.min.abs_by_axis().max_by_axis(core.max.abs_by_axis()).length() + shift + radius;
    reach * (1.0 + 8.0 * f64::EPSILON)
}

/// Two frames that move nearly straight past each other in a span of time.
pub(super) struct Span<K: Kernels> {
    stretch: Stretch<K>,
    /// The second frame in the first at begin and end, and the first in the second.
    frames: [[Frame<K::Vector>; 2]; 2],
    /// How much larger boxes of the other shape are to be made in either frame.
    rooms: [K::Vector; 2],
    /// Normal and offset of a first shape that is a half-space, and how much nearer to it things are.
    plane: Option<(K::Vector, f64, f64)>,
    /// The same places as the trees see them; `None` for half-spaces.
    sights: Option<[[Sight<K::Vector>; 2]; 2]>,
}

impl<K: Kernels> Span<K> {
    pub(super) fn new(stretch: &Stretch<K>, actors: [&Actor<'_, K>; 2], sides: [&Side<'_, K>; 2]) -> Self {
        let places = stretch.places_of(actors);
        let back = places.each_ref().map(K::inverse);
        let reaches = [0, 1].map(|own: usize| reach_of(actors[own], &sides[own].whole, sides[own].radius));
        let slack = stretch.slack + sides[0].radius + sides[1].radius;
        let plane = K::plane(actors[0].shape);
        let sights = plane.is_none().then(|| {
            let seen = |place: &Place<K>, own: usize| {
                Sight::new::<K>(place, sides[own], sides[1 - own], pair_size(place, sides), 0.0)
            };
            [places.each_ref().map(|place| seen(place, 0)), back.each_ref().map(|place| seen(place, 1))]
        });
        Span {
            stretch: *stretch,
            frames: [places.each_ref().map(Frame::of), back.each_ref().map(Frame::of)],
            rooms: [0, 1]
                .map(|own: usize| stretch.bulges(own, reaches, actors[own]) + K::Vector::splat(slack)),
            plane: plane.map(|(normal, offset)| (normal, offset, stretch.bulge(0, reaches, normal) + slack)),
            sights,
        }
    }

    /// The time of a part of the span, rounded down.
    fn time_down(&self, part: f64) -> f64 {
        let Stretch { from, length, .. } = self.stretch;
        let since = part * length * (1.0 - 4.0 * f64::EPSILON);
        if 0.0 < since { (from + since).step_down().max_of(from) } else { from }
    }

    fn bound(&self, a: &Aabb<K::Vector>, b: &Aabb<K::Vector>, limit: f64) -> Option<f64> {
        let mut meeting = Meeting::ALWAYS;
        let carried = |own: usize, other: &Aabb<K::Vector>| {
            self.frames[own].each_ref().map(|frame| frame.placed(*other))
        };
        if let Some((normal, offset, room)) = self.plane {
            let [begin, end] = carried(0, b).map(|there| lowest(normal, &there) - offset - room);
            meeting.narrow(-begin, end - begin);
        } else {
            meeting.narrow_to(a, &carried(0, b), self.rooms[0]);
            meeting.narrow_to(b, &carried(1, a), self.rooms[1]);
        }
        let time = self.time_down(meeting.enter);
        (meeting.enter <= meeting.leave && time <= limit).then_some(time)
    }
}

/// The second of two moving frames as seen from the first at a time.
fn place_at<K: Kernels>(motions: [K::Motion; 2], time: f64) -> Place<K> {
    let [a, b] = motions.map(|motion| K::place_of(K::pose_at(motion, time)));
    // Translations are subtracted before anything is turned.
    let turned = Relative { rotation: a.rotation, translation: K::Vector::ZERO };
    let between = Relative { rotation: b.rotation, translation: b.translation - a.translation };
    K::composed(&K::inverse(&turned), &between)
}

/// The lowest point of a box along a normal.
fn lowest<V: Vector<Scalar = f64>>(normal: V, b: &Aabb<V>) -> f64 {
    (0..V::DIM).fold(0.0, |sum, axis| {
        let n = normal.get(axis);
        if n == 0.0 { sum } else { sum + n * if n < 0.0 { b.max.get(axis) } else { b.min.get(axis) } }
    })
}

/// The part of a span in which boxes may touch.
struct Meeting {
    enter: f64,
    leave: f64,
}

impl Meeting {
    const ALWAYS: Self = Meeting { enter: 0.0, leave: 1.0 };

    /// Leaves the parts s of the span with s·rate <= room. Both are differences: rounded by 2ε, a quotient more; 8ε enclose them.
    fn narrow(&mut self, room: f64, rate: f64) {
        const OUTWARD: f64 = 8.0 * f64::EPSILON;
        // What is no number tells nothing.
        if rate == 0.0 {
            if room < 0.0 {
                self.leave = -1.0;
            }
        } else if 0.0 < rate {
            let last = room / rate;
            self.leave = (last * (1.0 + OUTWARD)).step_up().min_of(self.leave);
        } else if rate < 0.0 {
            let first = room / rate;
            self.enter = (first * (1.0 - OUTWARD)).step_down().max_of(self.enter);
        }
    }

    /// Those in which a box that moves from one place to another, made larger, touches one that stands still.
    fn narrow_to<V: Vector<Scalar = f64>>(&mut self, still: &Aabb<V>, [begin, end]: &[Aabb<V>; 2], room: V) {
        for axis in 0..V::DIM {
            let room = room.get(axis);
            let (low, high) = (begin.min.get(axis) - room, begin.max.get(axis) + room);
            let (later_low, later_high) = (end.min.get(axis) - room, end.max.get(axis) + room);
            self.narrow(still.max.get(axis) - low, later_low - low);
            self.narrow(high - still.min.get(axis), high - later_high);
        }
    }
}

/// The slots of a node whose boxes a box of the other frame, made larger, may touch while it goes from one sight to the other, until a part
/// of the span, and the parts at which it does so at the earliest.
#[inline(always)]
fn passing<S: Simd, V: Vector<Scalar = f64, Wide = V>>(
    simd: S,
    sights: &[Sight<V>; 2],
    node: &Node<V>,
    (other, room): (&Aabb<V>, V),
    limit: f32,
) -> (u32, [f32; WIDTH]) {
    let [begin, end] = sights.each_ref().map(|sight| sight.small_within(other, room));
    let (begin, end, rows) = (begin.0.as_ref(), end.0.as_ref(), node.rows.as_ref());
    let mut enter = f32x8::splat(simd, 0.0);
    let mut leave = f32x8::splat(simd, limit);
    let mut slots = u32::MAX;
    // The parts s with s·rate <= room; the signs of differences are right.
    let mut narrow = |room: f32x8<S>, rate: f32| {
        if rate == 0.0 {
            slots &= room.simd_ge(0.0).to_bitmask() as u32;
        } else if 0.0 < rate {
            leave = leave.min(room / rate * (1.0 + QUOTIENT));
        } else if rate < 0.0 {
            enter = enter.max(room / rate * (1.0 - QUOTIENT));
        }
    };
    for axis in 0..V::DIM {
        let ([low, high], [later_low, later_high]) = (begin[axis], end[axis]);
        let is_near = (later_low - low).is_finite() && (later_high - high).is_finite();
        if is_near {
            narrow(row(simd, &rows[axis][1]) - low, later_low - low);
            narrow(high - row(simd, &rows[axis][0]), high - later_high);
        }
    }
    (slots & enter.simd_le(leave).to_bitmask() as u32, *enter.as_array())
}
