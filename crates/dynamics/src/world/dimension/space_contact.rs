//! The contact kernel in space, with one patch of friction for all points.
//!
//! The patch: friction acts at the centre of pressure of the points, in both tangent directions at once and
//! no stronger than µ times the sum of the normal impulses, and about the normal, no stronger than µ times
//! the sum of each impulse times its distance from the centre. The centre is found from the impulses of the
//! last step. Jolt, Box3D and Rapier do likewise; three rows instead of eight for a box on a plane.

use super::super::contact::Contact;
use super::super::solver::block::{Block, Lane};
use super::super::solver::soft::StepFactors;
use super::super::solver::wide::{Quad, Wide};
use super::hit::hits;
use super::inverse;
use super::space::Solid;
use carom_math::{Number, Vec3};
use core::cell::Cell;

mod prepare;

pub(super) use prepare::prepare;

/// Where the numbers of a contact are in its block.
mod row {
    pub(super) const NORMAL: usize = 0;
    pub(super) const TANGENT: usize = 3;
    pub(super) const INVERSE_MASS_A: usize = 6;
    pub(super) const INVERSE_MASS_B: usize = 7;
    /// xx, yy, zz, yz, zx, xy.
    pub(super) const INVERSE_INERTIA_A: usize = 8;
    pub(super) const INVERSE_INERTIA_B: usize = 14;
    /// The second centre as seen from the first.
    pub(super) const OFFSET: usize = 20;
    /// Bias rate, mass scale, impulse scale.
    pub(super) const SOFT: usize = 23;
    pub(super) const FRICTION: usize = 26;
    /// The inverse of the 2×2 matrix of the tangents: 11, 12, 22.
    pub(super) const TANGENT_MASS: usize = 27;
    /// The centre of pressure, from the first centre.
    pub(super) const CENTER: usize = 30;
    pub(super) const TANGENT_IMPULSE: usize = 33;
    pub(super) const TWIST_MASS: usize = 35;
    pub(super) const TWIST_IMPULSE: usize = 36;
    /// How fast the surfaces run along the tangents by themselves.
    pub(super) const SURFACE: usize = 37;
    pub(super) const RESTITUTION: usize = 39;
    /// The rows of a point begin here.
    pub(super) const POINTS: usize = 40;
    pub(super) const POINT: usize = 9;
    /// From the first centre to the point.
    pub(super) const ARM: usize = 0;
    pub(super) const SEPARATION: usize = 3;
    pub(super) const MASS: usize = 4;
    pub(super) const IMPULSE: usize = 5;
    pub(super) const PEAK: usize = 6;
    pub(super) const APPROACH: usize = 7;
    /// How far from the centre of pressure.
    pub(super) const LEVER: usize = 8;
    /// Rolling resistance, which few contacts have, comes last.
    pub(super) const ROLLING: usize = 76;
    pub(super) const ROLLING_IMPULSE: usize = 77;
    pub(super) const ROLLING_MASS: usize = 80;
    /// How round the first surface is, and the second.
    pub(super) const RADII: usize = 86;
    pub(super) const COUNT: usize = 88;
}

/// How many quads a state has.
pub(super) const QUADS: usize = 4;
/// How many rows a contact has.
pub(super) const ROWS: usize = row::COUNT;
/// The most points of a contact.
pub(super) const POINT_COUNT: usize = 4;

/// The velocities of a row of bodies.
#[derive(Clone, Copy)]
struct Velocities<T> {
    linear: Vec3<T>,
    angular: Vec3<T>,
}

impl<T: Wide> Velocities<T> {
    #[inline(always)]
    fn gather(token: T::Token, block: &Block<'_, T>, states: &[Cell<Quad>], side: usize) -> Self {
        let [x, y, z, _] = block.gather::<QUADS>(token, states, side, 0);
        let [p, q, r, _] = block.gather::<QUADS>(token, states, side, 1);
        Velocities { linear: Vec3::new(x, y, z), angular: Vec3::new(p, q, r) }
    }
    /// These where the mask holds, the others elsewhere.
    #[inline(always)]
    fn select(mask: T::Mask, these: Self, others: Self) -> Self {
        let (v, w) = (others.linear, others.angular);
        Velocities {
            linear: Vec3::new(
                T::select(mask, these.linear.x, v.x),
                T::select(mask, these.linear.y, v.y),
                T::select(mask, these.linear.z, v.z),
            ),
            angular: Vec3::new(
                T::select(mask, these.angular.x, w.x),
                T::select(mask, these.angular.y, w.y),
                T::select(mask, these.angular.z, w.z),
            ),
        }
    }
    #[inline(always)]
    fn scatter(self, token: T::Token, block: &Block<'_, T>, states: &[Cell<Quad>], side: usize) {
        let zero = T::splat(token, 0.0);
        let Velocities { linear, angular } = self;
        block.scatter::<QUADS>(token, states, side, 0, [linear.x, linear.y, linear.z, zero]);
        block.scatter::<QUADS>(token, states, side, 1, [angular.x, angular.y, angular.z, zero]);
    }
    #[inline(always)]
    fn at(self, arm: Vec3<T>) -> Vec3<T> {
        self.linear + self.angular.cross(arm)
    }
}

/// A symmetric matrix: xx, yy, zz, yz, zx, xy.
#[derive(Clone, Copy)]
pub(crate) struct Symmetric<T>(pub(super) [T; 6]);

impl<T: Number> Symmetric<T> {
    #[inline(always)]
    pub(super) fn times(self, v: Vec3<T>) -> Vec3<T> {
        let [xx, yy, zz, yz, zx, xy] = self.0;
        Vec3::new(
            xx * v.x + xy * v.y + zx * v.z,
            xy * v.x + yy * v.y + yz * v.z,
            zx * v.x + yz * v.y + zz * v.z,
        )
    }
}

impl<T: Wide> Symmetric<T> {
    #[inline(always)]
    pub(super) fn load(token: T::Token, block: &Block<'_, T>, row: usize) -> Self {
        let (a, b, c) = (block.get(token, row), block.get(token, row + 1), block.get(token, row + 2));
        let (d, e, f) = (block.get(token, row + 3), block.get(token, row + 4), block.get(token, row + 5));
        Symmetric([a, b, c, d, e, f])
    }
    #[inline(always)]
    pub(super) fn store(self, block: &mut Block<'_, T>, row: usize) {
        let [a, b, c, d, e, f] = self.0;
        block.set(row, a);
        block.set(row + 1, b);
        block.set(row + 2, c);
        block.set(row + 3, d);
        block.set(row + 4, e);
        block.set(row + 5, f);
    }
}

/// The rows that every pass needs.
#[derive(Clone, Copy)]
struct Common<T> {
    normal: Vec3<T>,
    offset: Vec3<T>,
    mass_a: T,
    mass_b: T,
    inertia_a: Symmetric<T>,
    inertia_b: Symmetric<T>,
}

impl<T: Wide> Common<T> {
    #[inline(always)]
    fn load(token: T::Token, block: &Block<'_, T>) -> Self {
        Common {
            normal: vector(token, block, row::NORMAL),
            offset: vector(token, block, row::OFFSET),
            mass_a: block.get(token, row::INVERSE_MASS_A),
            mass_b: block.get(token, row::INVERSE_MASS_B),
            inertia_a: Symmetric::load(token, block, row::INVERSE_INERTIA_A),
            inertia_b: Symmetric::load(token, block, row::INVERSE_INERTIA_B),
        }
    }
    #[inline(always)]
    fn push(&self, a: &mut Velocities<T>, b: &mut Velocities<T>, arm: Vec3<T>, impulse: Vec3<T>) {
        a.linear -= impulse * self.mass_a;
        b.linear += impulse * self.mass_b;
        a.angular -= self.inertia_a.times(arm.cross(impulse));
        b.angular += self.inertia_b.times((arm - self.offset).cross(impulse));
    }
    #[inline(always)]
    fn turn(&self, a: &mut Velocities<T>, b: &mut Velocities<T>, impulse: Vec3<T>) {
        a.angular -= self.inertia_a.times(impulse);
        b.angular += self.inertia_b.times(impulse);
    }
    /// What an impulse of 1 along the normal changes of the relative speed there.
    #[inline(always)]
    fn resistance(&self, arm: Vec3<T>) -> T {
        let arm_b = arm - self.offset;
        let (turn_a, turn_b) = (arm.cross(self.normal), arm_b.cross(self.normal));
        self.mass_a
            + self.mass_b
            + (turn_a.dot(self.inertia_a.times(turn_a)) + turn_b.dot(self.inertia_b.times(turn_b)))
    }
    #[inline(always)]
    fn relative(&self, a: &Velocities<T>, b: &Velocities<T>, arm: Vec3<T>) -> Vec3<T> {
        b.at(arm - self.offset) - a.at(arm)
    }
}

#[inline(always)]
fn vector<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Vec3<T> {
    Vec3::new(block.get(token, row), block.get(token, row + 1), block.get(token, row + 2))
}

const fn point_row(point: usize) -> usize {
    row::POINTS + point * row::POINT
}

/// By how much Rᵀn differs from n, where R is the rotation (v, w) since the step began: r·(Rᵀn − n) is how
/// far the turning of the arm r has moved its tip along n. Rᵀn − n = 2·v×(v×n) − 2w·v×n.
#[inline(always)]
fn tilt<T: Wide>(normal: Vec3<T>, [x, y, z, w]: [T; 4]) -> Vec3<T> {
    let v = Vec3::new(x, y, z);
    let turn = v.cross(normal);
    let twice = w.like(2.0);
    (v.cross(turn) - turn * w) * twice
}

/// How the bodies have moved since the step began, as far as that changes separations.
#[derive(Clone, Copy)]
struct Moved<T> {
    travel: T,
    tilt_a: Vec3<T>,
    tilt_b: Vec3<T>,
}

impl<T: Wide> Moved<T> {
    #[inline(always)]
    fn load(token: T::Token, block: &Block<'_, T>, states: &[Cell<Quad>], normal: Vec3<T>) -> Self {
        let [ax, ay, az, _] = block.gather::<QUADS>(token, states, 0, 2);
        let [bx, by, bz, _] = block.gather::<QUADS>(token, states, 1, 2);
        let tilt_a = tilt(normal, block.gather::<QUADS>(token, states, 0, 3));
        let tilt_b = tilt(normal, block.gather::<QUADS>(token, states, 1, 3));
        // Arms turn as far as the centres of what is round: by the radius less, against the outward normal.
        let round = block.get(token, row::RADII) * tilt_a.dot(normal)
            + block.get(token, row::RADII + 1) * tilt_b.dot(normal);
        Moved { travel: Vec3::new(bx - ax, by - ay, bz - az).dot(normal) + round, tilt_a, tilt_b }
    }
    /// The separation at a point.
    #[inline(always)]
    fn separation(
        self,
        token: T::Token,
        block: &Block<'_, T>,
        first: usize,
        arm: Vec3<T>,
        offset: Vec3<T>,
    ) -> T {
        let turned = self.tilt_b.dot(arm - offset) - self.tilt_a.dot(arm);
        block.get(token, first + row::SEPARATION) + (self.travel + turned)
    }
}

/// How deep the deepest point of one lane is; what is no point is 0 deep.
pub(super) fn depth(lane: &Lane<'_>) -> f32 {
    (0..POINT_COUNT).fold(0.0, |most, index| (-lane.get(point_row(index) + row::SEPARATION)).max_of(most))
}

/// Reads the impulses of one lane back.
pub(super) fn store(lane: &Lane<'_>, contact: &mut Contact<Solid>) {
    let read = |row| Vec3::new(lane.get(row), lane.get(row + 1), lane.get(row + 2));
    let (normal, tangent) = (read(row::NORMAL), read(row::TANGENT));
    contact.friction_impulse =
        tangent * lane.get(row::TANGENT_IMPULSE) + normal.cross(tangent) * lane.get(row::TANGENT_IMPULSE + 1);
    contact.twist_impulse = lane.get(row::TWIST_IMPULSE);
    contact.rolling_impulse = read(row::ROLLING_IMPULSE);
    for (index, point) in contact.points_mut().iter_mut().enumerate() {
        let first = point_row(index);
        point.impulse = lane.get(first + row::IMPULSE);
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
    for index in 0..POINT_COUNT {
        let first = point_row(index);
        let arm = vector(token, block, first + row::ARM);
        common.push(&mut a, &mut b, arm, common.normal * block.get(token, first + row::IMPULSE));
    }
    let tangent = vector(token, block, row::TANGENT);
    let other = common.normal.cross(tangent);
    let friction =
        tangent * block.get(token, row::TANGENT_IMPULSE) + other * block.get(token, row::TANGENT_IMPULSE + 1);
    common.push(&mut a, &mut b, vector(token, block, row::CENTER), friction);
    common.turn(&mut a, &mut b, common.normal * block.get(token, row::TWIST_IMPULSE));
    if block.rolls {
        common.turn(&mut a, &mut b, vector(token, block, row::ROLLING_IMPULSE));
    }
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
    let normal = common.normal;
    let moved = Moved::load(token, block, states, normal);

    let inverse_h = T::splat(token, step.inverse_h);
    let push = T::splat(token, -step.push_speed);
    let bias_rate = block.get(token, row::SOFT);
    let mass_scale = block.get(token, row::SOFT + 1);
    let impulse_scale = block.get(token, row::SOFT + 2);
    for index in 0..POINT_COUNT {
        let first = point_row(if is_reverse { POINT_COUNT - 1 - index } else { index });
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
        rub(token, block, &common, &mut a, &mut b);
    }
    a.scatter(token, block, states, 0);
    b.scatter(token, block, states, 1);
}

/// What a vector is multiplied by to be no longer than `most`; given the square of its length.
#[inline(always)]
fn shortening<T: Wide>(square: T, most: T, one: T) -> T {
    let is_long = (most * most).less_than(square);
    T::select(is_long, most / T::select(is_long, square, one).sqrt(), one)
}

/// The friction of the patch and the resistance to rolling.
#[inline(always)]
fn rub<T: Wide>(
    token: T::Token,
    block: &mut Block<'_, T>,
    common: &Common<T>,
    a: &mut Velocities<T>,
    b: &mut Velocities<T>,
) {
    let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
    let (mut pressure, mut moment) = (zero, zero);
    for index in 0..POINT_COUNT {
        let impulse = block.get(token, point_row(index) + row::IMPULSE);
        pressure = pressure + impulse;
        moment = moment + impulse * block.get(token, point_row(index) + row::LEVER);
    }
    if block.rolls {
        let mass = Symmetric::load(token, block, row::ROLLING_MASS);
        let old = vector(token, block, row::ROLLING_IMPULSE);
        let wanted = old - mass.times(b.angular - a.angular);
        let most = block.get(token, row::ROLLING) * pressure;
        let new = wanted * shortening(wanted.dot(wanted), most, one);
        block.set(row::ROLLING_IMPULSE, new.x);
        block.set(row::ROLLING_IMPULSE + 1, new.y);
        block.set(row::ROLLING_IMPULSE + 2, new.z);
        common.turn(a, b, new - old);
    }
    let friction = block.get(token, row::FRICTION);
    let old = block.get(token, row::TWIST_IMPULSE);
    let most = friction * moment;
    let spin = (b.angular - a.angular).dot(common.normal);
    let new = (old - block.get(token, row::TWIST_MASS) * spin).max_of(-most).min_of(most);
    block.set(row::TWIST_IMPULSE, new);
    common.turn(a, b, common.normal * (new - old));

    let tangent = vector(token, block, row::TANGENT);
    let other = common.normal.cross(tangent);
    let center = vector(token, block, row::CENTER);
    let slip = common.relative(a, b, center);
    let slip = [
        slip.dot(tangent) + block.get(token, row::SURFACE),
        slip.dot(other) + block.get(token, row::SURFACE + 1),
    ];
    let mass = vector(token, block, row::TANGENT_MASS);
    let old = [block.get(token, row::TANGENT_IMPULSE), block.get(token, row::TANGENT_IMPULSE + 1)];
    let wanted =
        [old[0] - (mass.x * slip[0] + mass.y * slip[1]), old[1] - (mass.y * slip[0] + mass.z * slip[1])];
    let keep = shortening(wanted[0] * wanted[0] + wanted[1] * wanted[1], friction * pressure, one);
    let new = [wanted[0] * keep, wanted[1] * keep];
    block.set(row::TANGENT_IMPULSE, new[0]);
    block.set(row::TANGENT_IMPULSE + 1, new[1]);
    common.push(a, b, center, tangent * (new[0] - old[0]) + other * (new[1] - old[1]));
}

/// Two unit vectors that are perpendicular to the normal and to each other: the second is n × the first.
#[inline(always)]
fn tangents<T: Wide>(normal: Vec3<T>) -> (Vec3<T>, Vec3<T>) {
    // The axis along which the normal is shortest is the farthest from it; the first of equals.
    let (x, y, z) = (normal.x.abs(), normal.y.abs(), normal.z.abs());
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let is_x = T::select(x.less_or_equal(y), T::select(x.less_or_equal(z), one, zero), zero);
    let is_y = T::select(zero.less_than(is_x), zero, T::select(y.less_or_equal(z), one, zero));
    let along = normal.cross(Vec3::new(is_x, is_y, (one - is_x) - is_y));
    let first = along * (one / along.dot(along).sqrt());
    (first, normal.cross(first))
}

#[inline(always)]
fn set_vector<T: Wide>(block: &mut Block<'_, T>, row: usize, v: Vec3<T>) {
    block.set(row, v.x);
    block.set(row + 1, v.y);
    block.set(row + 2, v.z);
}

hits!(Vec3 { x, y, z }, points: POINT_COUNT, order: [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0]);
