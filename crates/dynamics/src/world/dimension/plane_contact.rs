//! The contact kernel in the plane, with friction at each point.

use super::super::contact::{Contact, Point};
use super::super::solver::block::{Block, Draft, Lane, MOST_LANES};
use super::super::solver::soft::StepFactors;
use super::super::solver::wide::{Quad, Wide};
use super::hit::hits;
use super::plane::Plane;
use super::{Side, inverse};
use carom_math::{Number, Vec2};
use core::cell::Cell;

/// Where the numbers of a contact are in its block.
mod row {
    pub(super) const NORMAL: usize = 0;
    pub(super) const INVERSE_MASS_A: usize = 2;
    pub(super) const INVERSE_INERTIA_A: usize = 3;
    pub(super) const INVERSE_MASS_B: usize = 4;
    pub(super) const INVERSE_INERTIA_B: usize = 5;
    /// Bias rate, mass scale, impulse scale.
    pub(super) const SOFT: usize = 6;
    /// The second centre as seen from the first.
    pub(super) const OFFSET: usize = 9;
    pub(super) const FRICTION: usize = 11;
    /// How fast the surfaces run along the tangent by themselves.
    pub(super) const SURFACE: usize = 12;
    pub(super) const ROLLING: usize = 13;
    pub(super) const ROLLING_MASS: usize = 14;
    pub(super) const ROLLING_IMPULSE: usize = 15;
    pub(super) const RESTITUTION: usize = 16;
    /// How round the first surface is, and the second.
    pub(super) const RADII: usize = 17;
    /// The rows of a point begin here.
    pub(super) const POINTS: usize = 19;
    pub(super) const POINT: usize = 9;
    /// From the first centre to the point.
    pub(super) const ARM: usize = 0;
    pub(super) const SEPARATION: usize = 2;
    pub(super) const MASS: usize = 3;
    pub(super) const TANGENT_MASS: usize = 4;
    pub(super) const IMPULSE: usize = 5;
    pub(super) const TANGENT_IMPULSE: usize = 6;
    pub(super) const PEAK: usize = 7;
    pub(super) const APPROACH: usize = 8;
}

/// How many rows a contact has.
pub(super) const ROWS: usize = point_row(2);
/// How many quads a state has.
pub(super) const QUADS: usize = 2;

/// The velocities of a row of bodies.
#[derive(Clone, Copy)]
struct Velocities<T> {
    linear: Vec2<T>,
    angular: T,
    pad: T,
}

impl<T: Wide> Velocities<T> {
    #[inline(always)]
    fn gather(token: T::Token, block: &Block<'_, T>, states: &[Cell<Quad>], side: usize) -> Self {
        let [x, y, angular, pad] = block.gather::<QUADS>(token, states, side, 0);
        Velocities { linear: Vec2::new(x, y), angular, pad }
    }
    /// These where the mask holds, the others elsewhere.
    #[inline(always)]
    fn select(mask: T::Mask, these: Self, others: Self) -> Self {
        let Velocities { linear, angular, pad } = others;
        Velocities {
            linear: Vec2::new(
                T::select(mask, these.linear.x, linear.x),
                T::select(mask, these.linear.y, linear.y),
            ),
            angular: T::select(mask, these.angular, angular),
            pad,
        }
    }
    #[inline(always)]
    fn scatter(self, token: T::Token, block: &Block<'_, T>, states: &[Cell<Quad>], side: usize) {
        let columns = [self.linear.x, self.linear.y, self.angular, self.pad];
        block.scatter::<QUADS>(token, states, side, 0, columns);
    }
    /// The velocity of the point at an arm.
    #[inline(always)]
    fn at(self, arm: Vec2<T>) -> Vec2<T> {
        Vec2::new(self.linear.x - self.angular * arm.y, self.linear.y + self.angular * arm.x)
    }
    #[inline(always)]
    fn push(&mut self, arm: Vec2<T>, impulse: Vec2<T>, inverse_mass: T, inverse_inertia: T) {
        self.linear += impulse * inverse_mass;
        self.angular = self.angular + inverse_inertia * arm.cross(impulse);
    }
}

/// The rows that every pass needs.
#[derive(Clone, Copy)]
struct Common<T> {
    normal: Vec2<T>,
    offset: Vec2<T>,
    mass_a: T,
    inertia_a: T,
    mass_b: T,
    inertia_b: T,
}

impl<T: Wide> Common<T> {
    #[inline(always)]
    fn load(token: T::Token, block: &Block<'_, T>) -> Self {
        Common {
            normal: vector(token, block, row::NORMAL),
            offset: vector(token, block, row::OFFSET),
            mass_a: block.get(token, row::INVERSE_MASS_A),
            inertia_a: block.get(token, row::INVERSE_INERTIA_A),
            mass_b: block.get(token, row::INVERSE_MASS_B),
            inertia_b: block.get(token, row::INVERSE_INERTIA_B),
        }
    }
    #[inline(always)]
    fn tangent(&self) -> Vec2<T> {
        Vec2::new(self.normal.y, -self.normal.x)
    }
    #[inline(always)]
    fn push(&self, a: &mut Velocities<T>, b: &mut Velocities<T>, arm: Vec2<T>, impulse: Vec2<T>) {
        a.push(arm, -impulse, self.mass_a, self.inertia_a);
        b.push(arm - self.offset, impulse, self.mass_b, self.inertia_b);
    }
    /// What an impulse of 1 along the normal changes of the relative speed there.
    #[inline(always)]
    fn resistance(&self, arm: Vec2<T>) -> T {
        let arm_b = arm - self.offset;
        let (turn_a, turn_b) = (arm.cross(self.normal), arm_b.cross(self.normal));
        self.mass_a + self.mass_b + (self.inertia_a * turn_a * turn_a + self.inertia_b * turn_b * turn_b)
    }
    #[inline(always)]
    fn relative(&self, a: &Velocities<T>, b: &Velocities<T>, arm: Vec2<T>) -> Vec2<T> {
        b.at(arm - self.offset) - a.at(arm)
    }
}

#[inline(always)]
fn vector<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Vec2<T> {
    Vec2::new(block.get(token, row), block.get(token, row + 1))
}

/// The first row of a point.
const fn point_row(point: usize) -> usize {
    row::POINTS + point * row::POINT
}

/// By how much Rᵀn differs from n, where R is the rotation (cos, sin) since the step began: r·(Rᵀn − n) is
/// how far the turning of the arm r has moved its tip along n.
#[inline(always)]
fn tilt<T: Wide>(normal: Vec2<T>, cos: T, sin: T) -> Vec2<T> {
    let less = cos - cos.like(1.0);
    Vec2::new(less * normal.x + sin * normal.y, less * normal.y - sin * normal.x)
}

/// How the bodies have moved since the step began, as far as that changes separations.
#[derive(Clone, Copy)]
struct Moved<T> {
    travel: T,
    tilt_a: Vec2<T>,
    tilt_b: Vec2<T>,
}

impl<T: Wide> Moved<T> {
    #[inline(always)]
    fn load(token: T::Token, block: &Block<'_, T>, states: &[Cell<Quad>], normal: Vec2<T>) -> Self {
        let one = T::splat(token, 1.0);
        let [ax, ay, cos_a, sin_a] = block.gather::<QUADS>(token, states, 0, 1);
        let [bx, by, cos_b, sin_b] = block.gather::<QUADS>(token, states, 1, 1);
        // Arms turn as far as the centres of what is round: by the radius less, against the outward normal. tilt·n is cos − 1.
        let round =
            block.get(token, row::RADII) * (cos_a - one) + block.get(token, row::RADII + 1) * (cos_b - one);
        Moved {
            travel: Vec2::new(bx - ax, by - ay).dot(normal) + round,
            tilt_a: tilt(normal, cos_a, sin_a),
            tilt_b: tilt(normal, cos_b, sin_b),
        }
    }
    /// The separation at a point.
    #[inline(always)]
    fn separation(
        self,
        token: T::Token,
        block: &Block<'_, T>,
        first: usize,
        arm: Vec2<T>,
        offset: Vec2<T>,
    ) -> T {
        let turned = self.tilt_b.dot(arm - offset) - self.tilt_a.dot(arm);
        block.get(token, first + row::SEPARATION) + (self.travel + turned)
    }
}

/// What a constraint needs to know about a row of bodies; see [`Side`].
struct Sides<T> {
    inverse_mass: T,
    inverse_inertia: T,
    cos: T,
    sin: T,
    velocities: Velocities<T>,
    acceleration: Vec2<T>,
}

impl<T: Wide> Sides<T> {
    #[inline(always)]
    fn gather(token: T::Token, sides: &[Side<Plane>; MOST_LANES]) -> Self {
        let [inverse_mass, inverse_inertia, cos, sin] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Side { inverse_mass, inverse_inertia, rotation, .. } = sides[lane];
                Quad([inverse_mass, inverse_inertia, rotation.cos(), rotation.sin()])
            },
        );
        let [x, y, angular, pad] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Side { velocity, angular, .. } = sides[lane];
                Quad([velocity.x, velocity.y, angular, 0.0])
            },
        );
        let [p, q, _, _] = T::gather(
            token,
            #[inline(always)]
            |lane| Quad([sides[lane].acceleration.x, sides[lane].acceleration.y, 0.0, 0.0]),
        );
        let velocities = Velocities { linear: Vec2::new(x, y), angular, pad };
        Sides { inverse_mass, inverse_inertia, cos, sin, velocities, acceleration: Vec2::new(p, q) }
    }
    #[inline(always)]
    fn rotate(&self, v: Vec2<T>) -> Vec2<T> {
        Vec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }
}

/// Fills a block, but for its states; the answer is the fastest approach of each contact.
#[inline(always)]
pub(super) fn prepare<T: Wide>(token: T::Token, block: &mut Block<'_, T>, draft: &Draft<'_, Plane>) -> T {
    let Draft { contacts, sides, offsets, softs, counts } = draft;
    let zero = T::splat(token, 0.0);
    let (a, b) = (Sides::gather(token, &sides[0]), Sides::gather(token, &sides[1]));
    // What has hit starts from nothing.
    let [kept, _, _, _] = T::gather(
        token,
        #[inline(always)]
        |lane| Quad([if contacts[lane].has_hit { 0.0 } else { counts[lane] }, 0.0, 0.0, 0.0]),
    );
    let [x, y, rolling, rolling_impulse] = T::gather(
        token,
        #[inline(always)]
        |lane| {
            let Contact { normal, rolling, rolling_impulse, .. } = contacts[lane];
            Quad([normal.x, normal.y, *rolling, *rolling_impulse])
        },
    );
    let normal = a.rotate(Vec2::new(x, y));
    let tangent = Vec2::new(normal.y, -normal.x);
    let [x, y, friction, restitution] = T::gather(
        token,
        #[inline(always)]
        |lane| {
            let Contact { surface, friction, restitution, .. } = contacts[lane];
            Quad([surface.x, surface.y, *friction, *restitution])
        },
    );
    let surface = Vec2::new(x, y).dot(tangent);
    let [x, y, count, radius_a] = T::gather(
        token,
        #[inline(always)]
        |lane| Quad([offsets[lane].x, offsets[lane].y, counts[lane], contacts[lane].radii[0]]),
    );
    let offset = Vec2::new(x, y);
    let soft = T::gather(
        token,
        #[inline(always)]
        |lane| Quad([softs[lane][0], softs[lane][1], softs[lane][2], contacts[lane].radii[1]]),
    );
    set_vector(block, row::NORMAL, normal);
    set_vector(block, row::OFFSET, offset);
    block.set(row::INVERSE_MASS_A, a.inverse_mass);
    block.set(row::INVERSE_INERTIA_A, a.inverse_inertia);
    block.set(row::INVERSE_MASS_B, b.inverse_mass);
    block.set(row::INVERSE_INERTIA_B, b.inverse_inertia);
    block.set(row::SOFT, soft[0]);
    block.set(row::SOFT + 1, soft[1]);
    block.set(row::SOFT + 2, soft[2]);
    let (round_a, round_b) = (normal * radius_a, normal * soft[3]);
    // What rolls touches below its centre, wherever it was when the points were found.
    let (a_leads, b_leads) = (soft[3].less_than(radius_a), radius_a.less_than(soft[3]));
    block.set(row::RADII, radius_a);
    block.set(row::RADII + 1, soft[3]);
    block.set(row::FRICTION, friction);
    block.set(row::SURFACE, surface);
    block.set(row::RESTITUTION, restitution);
    block.set(row::ROLLING, rolling);
    block.set(row::ROLLING_MASS, inverse(a.inverse_inertia + b.inverse_inertia));
    block.set(row::ROLLING_IMPULSE, T::select(zero.less_than(kept), rolling_impulse, zero));
    let inverse_mass = a.inverse_mass + b.inverse_mass;
    let acceleration = (b.acceleration - a.acceleration).dot(normal);
    let mut fastest = zero;
    for index in 0..2 {
        let first = point_row(index);
        let has_point = count.like(index as f32).less_than(count);
        let is_kept = count.like(index as f32).less_than(kept);
        let [ax, ay, bx, by] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Point { local_a, local_b, .. } = contacts[lane].points[index];
                Quad([local_a.x, local_a.y, local_b.x, local_b.y])
            },
        );
        let [impulse, tangent_impulse, _, _] = T::gather(
            token,
            #[inline(always)]
            |lane| {
                let Point { impulse, tangent_impulse, .. } = contacts[lane].points[index];
                Quad([impulse, tangent_impulse, 0.0, 0.0])
            },
        );
        let on_a = a.rotate(Vec2::new(ax, ay)) + round_a;
        let on_b = offset + (b.rotate(Vec2::new(bx, by)) - round_b);
        let middle = (on_a + on_b) * zero.like(0.5);
        let arm = Vec2::new(
            T::select(b_leads, on_b.x, T::select(a_leads, on_a.x, middle.x)),
            T::select(b_leads, on_b.y, T::select(a_leads, on_a.y, middle.y)),
        );
        let arm_b = arm - offset;
        let velocity = b.velocities.at(arm_b) - a.velocities.at(arm);
        let separation = (on_b - on_a).dot(normal);
        let approach = super::speed_at_impact(velocity.dot(normal), acceleration, separation);
        let (turn_a, turn_b) = (arm.cross(normal), arm_b.cross(normal));
        let mass = inverse_mass + a.inverse_inertia * turn_a * turn_a + b.inverse_inertia * turn_b * turn_b;
        let (turn_a, turn_b) = (arm.cross(tangent), arm_b.cross(tangent));
        let tangent_mass =
            inverse_mass + a.inverse_inertia * turn_a * turn_a + b.inverse_inertia * turn_b * turn_b;
        block.set(first + row::ARM, T::select(has_point, arm.x, zero));
        block.set(first + row::ARM + 1, T::select(has_point, arm.y, zero));
        block.set(first + row::SEPARATION, T::select(has_point, separation, zero));
        block.set(first + row::MASS, T::select(has_point, inverse(mass), zero));
        block.set(first + row::TANGENT_MASS, T::select(has_point, inverse(tangent_mass), zero));
        block.set(first + row::IMPULSE, T::select(is_kept, impulse, zero));
        block.set(first + row::TANGENT_IMPULSE, T::select(is_kept, tangent_impulse, zero));
        block.set(first + row::PEAK, zero);
        let approach = T::select(has_point, approach, zero);
        block.set(first + row::APPROACH, approach);
        fastest = approach.min_of(fastest);
    }
    fastest
}

/// How deep the deepest point of one lane is; what is no point is 0 deep.
pub(super) fn depth(lane: &Lane<'_>) -> f32 {
    (0..2).fold(0.0, |most, index| (-lane.get(point_row(index) + row::SEPARATION)).max_of(most))
}

/// Reads the impulses of one lane back.
pub(super) fn store(lane: &Lane<'_>, contact: &mut Contact<Plane>) {
    contact.rolling_impulse = lane.get(row::ROLLING_IMPULSE);
    for (index, point) in contact.points_mut().iter_mut().enumerate() {
        let first = point_row(index);
        point.impulse = lane.get(first + row::IMPULSE);
        point.tangent_impulse = lane.get(first + row::TANGENT_IMPULSE);
        point.peak = lane.get(first + row::PEAK);
        point.approach = lane.get(first + row::APPROACH);
    }
}

/// Applies the impulses of the last step.
#[inline(always)]
pub(super) fn warm_start<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>]) {
    let common = Common::load(token, block);
    let mut a = Velocities::gather(token, block, states, 0);
    let mut b = Velocities::gather(token, block, states, 1);
    let tangent = common.tangent();
    for first in [point_row(0), point_row(1)] {
        let arm = vector(token, block, first + row::ARM);
        let impulse = common.normal * block.get(token, first + row::IMPULSE)
            + tangent * block.get(token, first + row::TANGENT_IMPULSE);
        common.push(&mut a, &mut b, arm, impulse);
    }
    let rolling = block.get(token, row::ROLLING_IMPULSE);
    a.angular = a.angular - common.inertia_a * rolling;
    b.angular = b.angular + common.inertia_b * rolling;
    a.scatter(token, block, states, 0);
    b.scatter(token, block, states, 1);
}

/// One pass, with bias or relaxing, over the points in their order or in reverse.
#[inline(always)]
pub(super) fn solve<T: Wide, const RELAX: bool>(
    token: T::Token,
    block: &mut Block<'_, T>,
    states: &[Cell<Quad>],
    step: &StepFactors,
    is_reverse: bool,
) {
    let common = Common::load(token, block);
    let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
    let mut a = Velocities::gather(token, block, states, 0);
    let mut b = Velocities::gather(token, block, states, 1);
    let (normal, tangent) = (common.normal, common.tangent());
    let moved = Moved::load(token, block, states, normal);
    let inverse_h = T::splat(token, step.inverse_h);

    let order = if is_reverse { [point_row(1), point_row(0)] } else { [point_row(0), point_row(1)] };

    let (bias_rate, mass_scale, impulse_scale) =
        (block.get(token, row::SOFT), block.get(token, row::SOFT + 1), block.get(token, row::SOFT + 2));
    let push = T::splat(token, -step.push_speed);
    for first in order {
        let arm = vector(token, block, first + row::ARM);
        let separation = moved.separation(token, block, first, arm, common.offset);
        let is_apart = zero.less_than(separation);
        let ahead = separation * inverse_h;
        let speed = common.relative(&a, &b, arm).dot(normal);
        let old = block.get(token, first + row::IMPULSE);
        let mass = block.get(token, first + row::MASS);
        let change = if RELAX {
            -mass * (speed + T::select(is_apart, ahead, zero))
        } else {
            let bias = T::select(is_apart, ahead, (mass_scale * bias_rate * separation).max_of(push));
            let scale = T::select(is_apart, one, mass_scale);
            let leak = T::select(is_apart, zero, impulse_scale);
            -mass * (scale * speed + bias) - leak * old
        };
        let new = (old + change).max_of(zero);
        block.set(first + row::IMPULSE, new);
        if RELAX {
            let peak = block.get(token, first + row::PEAK);
            block.set(first + row::PEAK, new.max_of(peak));
        }
        common.push(&mut a, &mut b, arm, normal * (new - old));
    }

    // Friction comes last: it is no stronger than what presses, and the springs have pressed more than that until now.
    if RELAX {
        let friction = block.get(token, row::FRICTION);
        let surface = block.get(token, row::SURFACE);
        let mut pressure = zero;
        for first in order {
            let arm = vector(token, block, first + row::ARM);
            let speed = common.relative(&a, &b, arm).dot(tangent) + surface;
            let old = block.get(token, first + row::TANGENT_IMPULSE);
            let normal_impulse = block.get(token, first + row::IMPULSE);
            pressure = pressure + normal_impulse;
            let most = friction * normal_impulse;
            let wanted = old - block.get(token, first + row::TANGENT_MASS) * speed;
            let new = wanted.max_of(-most).min_of(most);
            block.set(first + row::TANGENT_IMPULSE, new);
            common.push(&mut a, &mut b, arm, tangent * (new - old));
        }
        if block.rolls {
            let most = block.get(token, row::ROLLING) * pressure;
            let old = block.get(token, row::ROLLING_IMPULSE);
            let wanted = old - block.get(token, row::ROLLING_MASS) * (b.angular - a.angular);
            let new = wanted.max_of(-most).min_of(most);
            block.set(row::ROLLING_IMPULSE, new);
            a.angular = a.angular - common.inertia_a * (new - old);
            b.angular = b.angular + common.inertia_b * (new - old);
        }
    }
    a.scatter(token, block, states, 0);
    b.scatter(token, block, states, 1);
}

#[inline(always)]
fn set_vector<T: Wide>(block: &mut Block<'_, T>, row: usize, v: Vec2<T>) {
    block.set(row, v.x);
    block.set(row + 1, v.y);
}

hits!(Vec2 { x, y }, points: 2, order: [0, 1, 0, 1, 0]);
