//! The plane: its operations, and the contact kernel with friction at each point.
//!
//! Rows of a block, with the point rows repeated for each of two points; see [`row`].

use super::super::contact::{Contact, Point};
use super::super::solver::block::{Block, Filling, Lane};
use super::super::solver::soft::StepFactors;
use super::super::solver::wide::{Quad, Wide};
use super::{Dimension, Engine, Motion, Side};
use carom_geometry::bound::Aabb;
use carom_geometry::d2::{self, MassProperties, Shape};
use carom_geometry::{CastOptions, ClosestPoint, Error as GeometryError, Hit, Manifold, Ray, RayOptions};
use carom_math::{Number, Pose2, Real, Rot2, Vec2, Vector};
use core::cell::Cell;

/// The plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plane;

impl Dimension for Plane {
    type Vector = Vec2<f32>;
    type Wide = Vec2<f64>;
    type Angular = f32;
    type Rotation = Rot2<f32>;
    type Pose = Pose2<f32>;
    type Inertia = f32;
    type Shape = Shape<f32>;
}

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
    /// The rows of a point begin here.
    pub(super) const POINTS: usize = 17;
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

const QUADS: usize = 2;

/// The velocities of a row of bodies.
#[derive(Clone, Copy)]
pub(crate) struct Velocities<T> {
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

impl Engine for Plane {
    const QUADS: usize = QUADS;
    const ROWS: usize = point_row(2);
    type Points = [Point<Vec2<f32>>; 2];

    #[inline(always)]
    fn rotate(rotation: Rot2<f32>, v: Vec2<f32>) -> Vec2<f32> {
        rotation.rotate(v)
    }
    #[inline(always)]
    fn rotate_back(rotation: Rot2<f32>, v: Vec2<f32>) -> Vec2<f32> {
        rotation.inverse().rotate(v)
    }
    fn compose(first: Rot2<f32>, then: Rot2<f32>) -> Rot2<f32> {
        then * first
    }
    #[inline(always)]
    fn relative(a: Rot2<f32>, b: Rot2<f32>) -> Rot2<f32> {
        a.inverse() * b
    }
    #[inline(always)]
    fn turn_chord(a: Rot2<f32>, b: Rot2<f32>) -> f32 {
        // Of two points of the unit circle.
        let (x, y) = (a.cos() - b.cos(), a.sin() - b.sin());
        (x * x + y * y).sqrt()
    }
    fn renormalized(rotation: Rot2<f32>) -> Rot2<f32> {
        Rot2::from_cos_sin(rotation.cos(), rotation.sin()).unwrap_or_default()
    }
    #[inline(always)]
    fn pose(translation: Vec2<f32>, rotation: Rot2<f32>) -> Pose2<f32> {
        Pose2 { rotation, translation }
    }
    #[inline(always)]
    fn parts(pose: Pose2<f32>) -> (Vec2<f32>, Rot2<f32>) {
        (pose.translation, pose.rotation)
    }
    fn is_finite_rotation(rotation: Rot2<f32>) -> bool {
        rotation.finite()
    }
    fn rotation_numbers(rotation: Rot2<f32>, visit: &mut dyn FnMut(f32)) {
        visit(rotation.cos());
        visit(rotation.sin());
    }
    fn angular_numbers(angular: f32, visit: &mut dyn FnMut(f32)) {
        visit(angular);
    }
    #[inline(always)]
    fn turned_extents(rotation: Rot2<f32>, half: Vec2<f32>) -> Vec2<f32> {
        let (cos, sin) = (rotation.cos().abs(), rotation.sin().abs());
        Vec2::new(cos * half.x + sin * half.y, sin * half.x + cos * half.y)
    }

    #[inline(always)]
    fn spin(angular: f32, r: Vec2<f32>) -> Vec2<f32> {
        Vec2::new(-angular * r.y, angular * r.x)
    }
    #[inline(always)]
    fn moment(r: Vec2<f32>, force: Vec2<f32>) -> f32 {
        r.cross(force)
    }
    #[inline(always)]
    fn angular_length(angular: f32) -> f32 {
        angular.abs()
    }
    #[inline(always)]
    fn lock_angular(angular: f32, locks: u8) -> f32 {
        if locks & 0b10_0000 != 0 { 0.0 } else { angular }
    }
    fn inverse_inertia(inertia: f32) -> f32 {
        if inertia > 0.0 { 1.0 / inertia } else { 0.0 }
    }
    #[inline(always)]
    fn inertia_in_world(inertia: f32, _: Rot2<f32>, locks: u8) -> f32 {
        Self::lock_angular(inertia, locks)
    }
    #[inline(always)]
    fn inertia_times(inertia: f32, angular: f32) -> f32 {
        inertia * angular
    }
    fn angular_dot(a: f32, b: f32) -> f32 {
        a * b
    }
    fn is_round(_: f32) -> bool {
        true
    }

    fn mass(shape: &Shape<f32>, density: f32) -> Result<(f32, Vec2<f32>, f32), GeometryError> {
        let mass = d2::mass_properties(shape, density)?;
        Ok((mass.mass, mass.center, mass.inertia))
    }
    fn merged_mass(
        parts: &[(f32, Vec2<f32>, f32, Pose2<f32>)],
    ) -> Result<(f32, Vec2<f32>, f32), GeometryError> {
        let placed: Result<Vec<_>, _> = parts
            .iter()
            .map(|&(mass, center, inertia, pose)| {
                MassProperties { mass, center, inertia }.rotated(pose.rotation)?.translated(pose.translation)
            })
            .collect();
        let all = MassProperties::merged(placed?)?;
        Ok((all.mass, all.center, all.inertia))
    }
    fn inertia_per_mass(inertia: f32, factor: f32) -> f32 {
        inertia * factor
    }
    fn bounds(shape: &Shape<f32>, pose: Pose2<f32>) -> Result<Aabb<Vec2<f32>>, GeometryError> {
        d2::aabb(shape, pose)
    }
    fn ball(radius: f32) -> Option<Shape<f32>> {
        d2::Ball::new(radius).ok().map(Shape::from)
    }
    fn rolling_radius(shape: &Shape<f32>, bounds: Aabb<Vec2<f32>>) -> f32 {
        match shape {
            Shape::Ball(ball) => ball.radius(),
            Shape::Capsule(capsule) => capsule.radius(),
            _ => 0.25 * least(bounds.half_extents()),
        }
    }
    fn manifold(
        a: &Shape<f32>,
        pose_a: Pose2<f32>,
        b: &Shape<f32>,
        pose_b: Pose2<f32>,
        margin: f32,
    ) -> Result<Option<Manifold<Vec2<f32>>>, GeometryError> {
        d2::manifold_within(a, pose_a, b, pose_b, margin)
    }
    fn intersects(
        a: &Shape<f32>,
        pose_a: Pose2<f32>,
        b: &Shape<f32>,
        pose_b: Pose2<f32>,
    ) -> Result<bool, GeometryError> {
        d2::intersects(a, pose_a, b, pose_b)
    }
    fn cast_ray(
        shape: &Shape<f32>,
        pose: Pose2<f32>,
        ray: &Ray<Vec2<f32>>,
        options: RayOptions<f32>,
    ) -> Result<Option<Hit<Vec2<f32>>>, GeometryError> {
        d2::cast_ray(shape, pose, ray, options)
    }
    fn cast_shape(
        (moving, from, velocity): (&Shape<f32>, Pose2<f32>, Vec2<f32>),
        (still, at): (&Shape<f32>, Pose2<f32>),
        options: CastOptions<f32>,
    ) -> Result<Option<Hit<Vec2<f32>>>, GeometryError> {
        d2::cast_shape(moving, from, velocity, still, at, Vec2::ZERO, options)
    }
    fn closest_point(
        shape: &Shape<f32>,
        pose: Pose2<f32>,
        point: Vec2<f32>,
    ) -> Result<ClosestPoint<Vec2<f32>>, GeometryError> {
        d2::closest_point(shape, pose, point)
    }

    #[inline(always)]
    fn write_state(state: &mut [Quad], velocity: Vec2<f32>, angular: f32) {
        state[0] = Quad([velocity.x, velocity.y, angular, 0.0]);
        state[1] = Quad([0.0, 0.0, 1.0, 0.0]);
    }
    #[inline(always)]
    fn velocities(state: &[Quad]) -> (Vec2<f32>, f32) {
        let [x, y, angular, _] = state[0].0;
        (Vec2::new(x, y), angular)
    }
    #[inline(always)]
    fn set_velocities(state: &mut [Quad], velocity: Vec2<f32>, angular: f32) {
        state[0] = Quad([velocity.x, velocity.y, angular, 0.0]);
    }
    #[inline(always)]
    fn travel(state: &[Quad]) -> (Vec2<f32>, Rot2<f32>) {
        let [x, y, cos, sin] = state[1].0;
        (Vec2::new(x, y), Rot2::from_cos_sin(cos, sin).unwrap_or_default())
    }
    #[inline(always)]
    fn integrate_velocity(state: &mut [Quad], motion: &mut Motion<Self>, step: &StepFactors, first: bool) {
        super::advance_velocity(state, motion, step, first);
    }
    #[inline(always)]
    fn integrate_position(state: &mut [Quad], motion: &mut Motion<Self>, _: Rot2<f32>, step: &StepFactors) {
        super::apply_locks(state, motion);
        let (velocity, angular) = Self::velocities(state);
        let [x, y, cos, sin] = state[1].0;
        let (turn_sin, turn_cos) = sine_cosine(step.h * angular);
        state[1] = Quad([
            x + step.h * velocity.x,
            y + step.h * velocity.y,
            turn_cos * cos - turn_sin * sin,
            turn_cos * sin + turn_sin * cos,
        ]);
    }

    fn prepare(
        lane: &mut Filling<'_>,
        contact: &Contact<Self>,
        a: &Side<Self>,
        b: &Side<Self>,
        offset: Vec2<f32>,
        soft: [f32; 3],
    ) {
        let normal = a.rotation.rotate(contact.normal);
        let tangent = Vec2::new(normal.y, -normal.x);
        set_vector(lane, row::NORMAL, normal);
        set_vector(lane, row::OFFSET, offset);
        lane.set(row::INVERSE_MASS_A, a.inverse_mass);
        lane.set(row::INVERSE_INERTIA_A, a.inverse_inertia);
        lane.set(row::INVERSE_MASS_B, b.inverse_mass);
        lane.set(row::INVERSE_INERTIA_B, b.inverse_inertia);
        for (k, value) in soft.into_iter().enumerate() {
            lane.set(row::SOFT + k, value);
        }
        lane.set(row::FRICTION, contact.friction);
        lane.set(row::SURFACE, contact.surface.dot(tangent));
        lane.set(row::RESTITUTION, contact.restitution);
        lane.set(row::ROLLING, contact.rolling);
        lane.set(row::ROLLING_MASS, inverse(a.inverse_inertia + b.inverse_inertia));
        lane.set(row::ROLLING_IMPULSE, contact.rolling_impulse);
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        let acceleration = (b.acceleration - a.acceleration).dot(normal);
        for (index, slot) in contact.points.iter().enumerate() {
            let first = point_row(index);
            if index >= usize::from(contact.count) {
                (first..first + row::POINT).for_each(|at| lane.set(at, 0.0));
                continue;
            }
            let on_a = a.rotation.rotate(slot.local_a);
            let on_b = offset + b.rotation.rotate(slot.local_b);
            let arm = (on_a + on_b) * 0.5;
            let arm_b = arm - offset;
            let mass_along = |direction: Vec2<f32>| {
                let (turn_a, turn_b) = (arm.cross(direction), arm_b.cross(direction));
                inverse(
                    inverse_mass + a.inverse_inertia * turn_a * turn_a + b.inverse_inertia * turn_b * turn_b,
                )
            };
            let velocity =
                (b.velocity + Self::spin(b.angular, arm_b)) - (a.velocity + Self::spin(a.angular, arm));
            set_vector(lane, first + row::ARM, arm);
            let separation = (on_b - on_a).dot(normal);
            lane.set(first + row::SEPARATION, separation);
            lane.set(first + row::MASS, mass_along(normal));
            lane.set(first + row::TANGENT_MASS, mass_along(tangent));
            lane.set(first + row::IMPULSE, slot.impulse);
            lane.set(first + row::TANGENT_IMPULSE, slot.tangent_impulse);
            lane.set(first + row::PEAK, 0.0);
            let approach = super::speed_at_impact(velocity.dot(normal), acceleration, separation);
            lane.set(first + row::APPROACH, approach);
        }
    }

    fn store(lane: &Lane<'_>, contact: &mut Contact<Self>) {
        contact.rolling_impulse = lane.get(row::ROLLING_IMPULSE);
        for (index, point) in contact.points_mut().iter_mut().enumerate() {
            let first = point_row(index);
            point.impulse = lane.get(first + row::IMPULSE);
            point.tangent_impulse = lane.get(first + row::TANGENT_IMPULSE);
            point.peak = lane.get(first + row::PEAK);
            point.approach = lane.get(first + row::APPROACH);
        }
    }

    #[inline(always)]
    fn warm_start<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>]) {
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

    #[inline(always)]
    fn solve<T: Wide, const RELAX: bool>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
    ) {
        let common = Common::load(token, block);
        let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
        let mut a = Velocities::gather(token, block, states, 0);
        let mut b = Velocities::gather(token, block, states, 1);
        let [ax, ay, cos_a, sin_a] = block.gather::<QUADS>(token, states, 0, 1);
        let [bx, by, cos_b, sin_b] = block.gather::<QUADS>(token, states, 1, 1);
        let (normal, tangent) = (common.normal, common.tangent());
        let travel = Vec2::new(bx - ax, by - ay).dot(normal);
        let (tilt_a, tilt_b) = (tilt(normal, cos_a, sin_a), tilt(normal, cos_b, sin_b));
        let inverse_h = T::splat(token, step.inverse_h);

        if RELAX {
            let friction = block.get(token, row::FRICTION);
            let surface = block.get(token, row::SURFACE);
            let mut pressure = zero;
            for first in [point_row(0), point_row(1)] {
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

        let (bias_rate, mass_scale, impulse_scale) =
            (block.get(token, row::SOFT), block.get(token, row::SOFT + 1), block.get(token, row::SOFT + 2));
        let push = T::splat(token, -step.push_speed);
        for first in [point_row(0), point_row(1)] {
            let arm = vector(token, block, first + row::ARM);
            let arm_b = arm - common.offset;
            let separation =
                block.get(token, first + row::SEPARATION) + (travel + (tilt_b.dot(arm_b) - tilt_a.dot(arm)));
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
        a.scatter(token, block, states, 0);
        b.scatter(token, block, states, 1);
    }

    #[inline(always)]
    fn restitute<T: Wide>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
    ) {
        let common = Common::load(token, block);
        let zero = T::splat(token, 0.0);
        let slow = T::splat(token, -step.restitution_speed);
        let restitution = block.get(token, row::RESTITUTION);
        let mut a = Velocities::gather(token, block, states, 0);
        let mut b = Velocities::gather(token, block, states, 1);
        for first in [point_row(0), point_row(1)] {
            let arm = vector(token, block, first + row::ARM);
            let approach = block.get(token, first + row::APPROACH);
            let peak = block.get(token, first + row::PEAK);
            let old = block.get(token, first + row::IMPULSE);
            let speed = common.relative(&a, &b, arm).dot(common.normal);
            let wanted = old - block.get(token, first + row::MASS) * (speed + restitution * approach);
            // Only what came fast enough and was stopped bounces.
            let new = T::select(approach.less_than(slow), wanted.max_of(zero), old);
            let new = T::select(zero.less_than(peak), new, old);
            block.set(first + row::IMPULSE, new);
            block.set(first + row::PEAK, new.max_of(peak));
            common.push(&mut a, &mut b, arm, common.normal * (new - old));
        }
        a.scatter(token, block, states, 0);
        b.scatter(token, block, states, 1);
    }
}

fn set_vector(lane: &mut Filling<'_>, row: usize, v: Vec2<f32>) {
    lane.set(row, v.x);
    lane.set(row + 1, v.y);
}

fn inverse(sum: f32) -> f32 {
    if sum > 0.0 { 1.0 / sum } else { 0.0 }
}

fn least(v: Vec2<f32>) -> f32 {
    v.x.min_of(v.y)
}

/// Sine and cosine; by their series for small angles, whose next terms are below half an ulp there.
#[inline(always)]
fn sine_cosine(angle: f32) -> (f32, f32) {
    let square = angle * angle;
    if square <= 0.0625 {
        let sine =
            angle * (1.0 - square * (1.0 / 6.0) * (1.0 - square * 0.05 * (1.0 - square * (1.0 / 42.0))));
        let cosine = 1.0 - square * 0.5 * (1.0 - square * (1.0 / 12.0) * (1.0 - square * (1.0 / 30.0)));
        (sine, cosine)
    } else {
        Real::sine_cosine(angle)
    }
}
