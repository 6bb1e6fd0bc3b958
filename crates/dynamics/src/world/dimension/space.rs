//! Space: its operations. The contact kernel is in `space_contact`.

use super::super::contact::{Contact, Point};
use super::super::solver::block::{Block, Draft, Lane};
use super::super::solver::soft::StepFactors;
use super::super::solver::wide::{Quad, Wide, Width};
use super::gyro::{Spins, turn_factor};
use super::space_contact::{self, POINT_COUNT, QUADS};
use super::{Bodies, Dimension, Engine, HALF_PI_LESS_ONE, inverse};
use carom_geometry::bound::Aabb;
use carom_geometry::d3::{self, MassProperties, Shape};
use carom_geometry::{
    CastOptions, ClosestPoint, Distance, Error as GeometryError, Hit, Manifold, PartCache, Ray, RayOptions,
};
use carom_math::{Level, Mat3, Motion3, Number, Pose3, Quat, Vec3, Vector};
use core::cell::Cell;

/// Space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solid;

impl Dimension for Solid {
    type Vector = Vec3<f32>;
    type Wide = Vec3<f64>;
    type Angular = Vec3<f32>;
    type Rotation = Quat<f32>;
    type Pose = Pose3<f32>;
    type Inertia = Mat3<f32>;
    type Shape = Shape<f32>;
}

impl Engine for Solid {
    const QUADS: usize = QUADS;
    const ROWS: usize = space_contact::ROWS;
    type Velocities = [Quad; 2];
    type Points = [Point<Vec3<f32>>; POINT_COUNT];

    #[inline(always)]
    fn rotate(rotation: Quat<f32>, v: Vec3<f32>) -> Vec3<f32> {
        let [x, y, z, w] = rotation.to_array();
        let axis = Vec3::new(x, y, z);
        let turn = axis.cross(v) * 2.0;
        v + turn * w + axis.cross(turn)
    }
    #[inline(always)]
    fn rotate_back(rotation: Quat<f32>, v: Vec3<f32>) -> Vec3<f32> {
        Self::rotate(rotation.inverse(), v)
    }
    #[inline]
    fn compose(first: Quat<f32>, then: Quat<f32>) -> Quat<f32> {
        then * first
    }
    #[inline(always)]
    fn relative(a: Quat<f32>, b: Quat<f32>) -> Quat<f32> {
        a.inverse() * b
    }
    #[inline(always)]
    fn turn_chord(a: Quat<f32>, b: Quat<f32>) -> f32 {
        // |a − b| is 2·sin of a quarter of the angle between them, or of its supplement for −b; the chord,
        // twice the sine of half the angle, is at most twice that.
        let (a, b) = (a.to_array(), b.to_array());
        let square =
            |sign: f32| (0..4).map(|k| a[k] - sign * b[k]).map(|d| d * d).fold(0.0, |sum, d| sum + d);
        2.0 * square(1.0).min_of(square(-1.0)).sqrt()
    }
    #[inline]
    fn renormalized(rotation: Quat<f32>) -> Quat<f32> {
        let [x, y, z, w] = rotation.to_array();
        match super::unit_factor(x * x + y * y + z * z + w * w) {
            Some(factor) => Quat::from_parts([x, y, z, w].map(|number| number * factor)),
            None => Quat::new(x, y, z, w).unwrap_or_default(),
        }
    }
    #[inline(always)]
    fn pose(translation: Vec3<f32>, rotation: Quat<f32>) -> Pose3<f32> {
        Pose3 { rotation, translation }
    }
    #[inline(always)]
    fn parts(pose: Pose3<f32>) -> (Vec3<f32>, Quat<f32>) {
        (pose.translation, pose.rotation)
    }
    fn is_finite_rotation(rotation: Quat<f32>) -> bool {
        rotation.finite()
    }
    fn rotation_numbers(rotation: Quat<f32>, visit: &mut dyn FnMut(f32)) {
        rotation.to_array().into_iter().for_each(visit);
    }
    fn angular_numbers(angular: Vec3<f32>, visit: &mut dyn FnMut(f32)) {
        [angular.x, angular.y, angular.z].into_iter().for_each(visit);
    }
    #[inline(always)]
    fn turned_extents(rotation: Quat<f32>, half: Vec3<f32>) -> Vec3<f32> {
        rotation.to_matrix().abs() * half
    }

    #[inline(always)]
    fn spin(angular: Vec3<f32>, r: Vec3<f32>) -> Vec3<f32> {
        angular.cross(r)
    }
    #[inline(always)]
    fn moment(r: Vec3<f32>, force: Vec3<f32>) -> Vec3<f32> {
        r.cross(force)
    }
    #[inline(always)]
    fn angular_length(angular: Vec3<f32>) -> f32 {
        angular.dot(angular).sqrt()
    }
    #[inline(always)]
    fn lock_angular(angular: Vec3<f32>, locks: u8) -> Vec3<f32> {
        Vec3::from_fn(|axis| if locks >> (axis + 3) & 1 != 0 { 0.0 } else { angular.get(axis) })
    }
    fn inverse_inertia(inertia: Mat3<f32>) -> Mat3<f32> {
        let wide = Mat3 { columns: inertia.columns.map(Vector::widen) };
        wide.inverse().map_or(Mat3::default(), |m| Mat3 { columns: m.columns.map(Vec3::narrow) })
    }
    #[inline(always)]
    fn inertia_in_world(inertia: Mat3<f32>, rotation: Quat<f32>) -> Mat3<f32> {
        let turn = rotation.to_matrix();
        let half = turn * inertia;
        // (R·I)·Rᵀ: column j is the sum of the columns of R·I times the entries of row j of R.
        let column = |j: usize| {
            let row = Vec3::new(turn.columns[0].get(j), turn.columns[1].get(j), turn.columns[2].get(j));
            half * row
        };
        Mat3 { columns: [column(0), column(1), column(2)] }
    }
    #[inline(always)]
    fn free_inverse_inertia(
        inertia: Mat3<f32>,
        inverse: Mat3<f32>,
        rotation: Quat<f32>,
        locks: u8,
    ) -> Mat3<f32> {
        match locks >> 3 {
            0 => Self::inertia_in_world(inverse, rotation),
            // What has no inverse does not turn about other axes either.
            _ if inverse == Mat3::default() => inverse,
            locked => inverse_about_free(inertia, rotation, locked),
        }
    }
    fn inertia_entries(inertia: Mat3<f32>) -> [f32; 6] {
        entries(inertia)
    }
    #[inline(always)]
    fn inertia_times(inertia: Mat3<f32>, angular: Vec3<f32>) -> Vec3<f32> {
        inertia * angular
    }
    #[inline]
    fn angular_dot(a: Vec3<f32>, b: Vec3<f32>) -> f32 {
        a.dot(b)
    }
    fn is_round(inertia: Mat3<f32>) -> bool {
        let [xx, yy, zz, yz, zx, xy] = entries(inertia);
        // Rounding of the moments of a ball or cube is no reason to tumble.
        let slight = 1e-6 * xx;
        (xx - yy).abs() <= slight && (xx - zz).abs() <= slight && yz.abs() + zx.abs() + xy.abs() <= slight
    }

    fn mass(shape: &Shape<f32>, density: f32) -> Result<(f32, Vec3<f32>, Mat3<f32>), GeometryError> {
        let mass = d3::mass_properties(shape, density)?;
        Ok((mass.mass, mass.center, mass.inertia))
    }
    fn merged_mass(
        parts: &[(f32, Vec3<f32>, Mat3<f32>, Pose3<f32>)],
    ) -> Result<(f32, Vec3<f32>, Mat3<f32>), GeometryError> {
        let placed: Result<Vec<_>, _> = parts
            .iter()
            .map(|&(mass, center, inertia, pose)| {
                MassProperties { mass, center, inertia }.rotated(pose.rotation)?.translated(pose.translation)
            })
            .collect();
        let all = MassProperties::merged(placed?)?;
        Ok((all.mass, all.center, all.inertia))
    }
    fn inertia_per_mass(inertia: Mat3<f32>, factor: f32) -> Mat3<f32> {
        Mat3 { columns: inertia.columns.map(|column| column * factor) }
    }
    fn bounds(shape: &Shape<f32>, pose: Pose3<f32>) -> Result<Aabb<Vec3<f32>>, GeometryError> {
        d3::aabb(shape, pose)
    }
    fn ball(radius: f32) -> Option<Shape<f32>> {
        d3::Ball::new(radius).ok().map(Shape::from)
    }
    fn rolling_radius(shape: &Shape<f32>, bounds: Aabb<Vec3<f32>>) -> f32 {
        match shape {
            Shape::Ball(ball) => ball.radius(),
            Shape::Capsule(capsule) => capsule.radius(),
            _ => {
                let half = bounds.half_extents();
                0.25 * half.x.min_of(half.y).min_of(half.z)
            }
        }
    }
    fn roundness(shape: &Shape<f32>, outward: Vec3<f32>) -> f32 {
        match shape {
            Shape::Ball(ball) => ball.radius(),
            Shape::Capsule(capsule) => capsule.radius(),
            Shape::Rounded(rounded) => rounded.radius() + Self::roundness(rounded.shape(), outward),
            Shape::Cylinder(cylinder) => {
                // Meusnier: a circle whose plane is askew to the normal bends the less. Those who stand rather than roll are on a rim.
                let across = (outward.x * outward.x + outward.z * outward.z).sqrt();
                if across < 0.5 { 0.0 } else { cylinder.radius() / across }
            }
            Shape::Ellipsoid(ellipsoid) => {
                // The radii of curvature are the eigenvalues of the second derivative of the support h(n) = √Σ(rₖnₖ)² across n.
                // Their sum is (Σrₖ² − Σrₖ⁴nₖ²/h²)/h, their product (Πrₖ)²/h⁴. What rolls about an axis is as round there as it
                // is high: the larger of them is that of a wheel, and the smaller one that of an egg is larger than its height.
                let radii = ellipsoid.radii();
                let reach = radii.scaled_by(outward);
                let support = reach.length();
                let share = inverse(support);
                let arm = radii.scaled_by(reach) * share;
                let sum = (radii.dot(radii) - arm.dot(arm)) * share;
                let root = radii.x * share * radii.y * share * radii.z;
                let half = 0.5 * sum;
                (half + (half * half - root * root).max_of(0.0).sqrt()).min_of(support)
            }
            // A cone is round like a cylinder at its base and not at all at its tip, and lies on both.
            _ => 0.0,
        }
    }
    fn convex_part(shape: &Shape<f32>, part: u32) -> Option<(&Shape<f32>, Self::Pose)> {
        match shape {
            Shape::Compound(compound) => {
                let (index, _) = compound.shape_of_part(part)?;
                let (shape, pose) = compound.parts().get(index)?;
                (!Self::is_composite(shape)).then_some((shape, *pose))
            }
            _ if Self::is_composite(shape) => None,
            _ => Some((shape, Self::Pose::default())),
        }
    }
    fn manifold(
        a: &Shape<f32>,
        pose_a: Pose3<f32>,
        b: &Shape<f32>,
        pose_b: Pose3<f32>,
        margin: f32,
    ) -> Result<Option<Manifold<Vec3<f32>>>, GeometryError> {
        d3::manifold_within(a, pose_a, b, pose_b, margin)
    }
    fn is_composite(shape: &Shape<f32>) -> bool {
        matches!(shape, Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_))
    }
    fn find_neighbours(shape: &Shape<f32>) {
        match shape {
            Shape::Mesh(mesh) => mesh.find_neighbours(),
            Shape::Compound(compound) => {
                compound.parts().iter().for_each(|(part, _)| Self::find_neighbours(part))
            }
            _ => {}
        }
    }
    fn compound_parts(shape: &Shape<f32>) -> Option<&[(Shape<f32>, Self::Pose)]> {
        if let Shape::Compound(compound) = shape { Some(compound.parts()) } else { None }
    }
    fn surface(shape: &Shape<f32>) -> Option<&'static str> {
        match shape {
            Shape::Mesh(_) => Some("mesh"),
            Shape::HeightField(_) => Some("height_field"),
            Shape::Compound(compound) => compound.parts().iter().find_map(|(part, _)| Self::surface(part)),
            _ => None,
        }
    }
    fn manifolds(
        (a, pose_a): (&Shape<f32>, Pose3<f32>),
        (b, pose_b): (&Shape<f32>, Pose3<f32>),
        margin: f32,
        found: &mut Vec<Manifold<Vec3<f32>>>,
    ) -> Result<(), GeometryError> {
        d3::manifolds(a, pose_a, b, pose_b, margin, found)
    }
    fn manifolds_cached(
        (a, pose_a): (&Shape<f32>, Pose3<f32>),
        (b, pose_b): (&Shape<f32>, Pose3<f32>),
        margin: f32,
        cache: &mut PartCache<Vec3<f64>>,
        found: &mut Vec<Manifold<Vec3<f32>>>,
    ) -> Result<(), GeometryError> {
        d3::manifolds_cached(a, pose_a, b, pose_b, margin, cache, found)
    }
    fn intersects(
        a: &Shape<f32>,
        pose_a: Pose3<f32>,
        b: &Shape<f32>,
        pose_b: Pose3<f32>,
    ) -> Result<bool, GeometryError> {
        d3::intersects(a, pose_a, b, pose_b)
    }
    fn cast_ray(
        shape: &Shape<f32>,
        pose: Pose3<f32>,
        ray: &Ray<Vec3<f32>>,
        options: RayOptions<f32>,
    ) -> Result<Option<Hit<Vec3<f32>>>, GeometryError> {
        d3::cast_ray(shape, pose, ray, options)
    }
    fn cast_shape(
        (moving, from, velocity): (&Shape<f32>, Pose3<f32>, Vec3<f32>),
        (still, at): (&Shape<f32>, Pose3<f32>),
        options: CastOptions<f32>,
    ) -> Result<Option<Hit<Vec3<f32>>>, GeometryError> {
        d3::cast_shape(moving, from, velocity, still, at, Vec3::ZERO, options)
    }
    fn distance(
        a: &Shape<f32>,
        pose_a: Pose3<f32>,
        b: &Shape<f32>,
        pose_b: Pose3<f32>,
    ) -> Result<Distance<Vec3<f32>>, GeometryError> {
        d3::distance(a, pose_a, b, pose_b)
    }
    fn distance_within(
        (a, pose_a): (&Shape<f32>, Pose3<f32>),
        (b, pose_b): (&Shape<f32>, Pose3<f32>),
        limit: f32,
    ) -> Result<Option<Distance<Vec3<f32>>>, GeometryError> {
        d3::distance_within(a, pose_a, b, pose_b, limit)
    }
    fn clearance_cached(
        (a, pose_a): (&Shape<f32>, Pose3<f32>),
        (b, pose_b): (&Shape<f32>, Pose3<f32>),
        limit: f32,
        cache: &mut PartCache<Vec3<f64>>,
    ) -> Result<f32, GeometryError> {
        d3::clearance_cached(a, pose_a, b, pose_b, limit, cache)
    }
    fn turning_arm(shape: &Shape<f32>, offset: Vec3<f32>, reach: f32) -> f32 {
        if matches!(shape, Shape::Ball(_)) { Vector::length(offset) } else { reach }
    }
    fn closest_point(
        shape: &Shape<f32>,
        pose: Pose3<f32>,
        point: Vec3<f32>,
    ) -> Result<ClosestPoint<Vec3<f32>>, GeometryError> {
        d3::closest_point(shape, pose, point)
    }

    #[inline(always)]
    fn write_state(state: &mut [Quad], velocity: Vec3<f32>, angular: Vec3<f32>) {
        Self::set_velocities(state, velocity, angular);
        state[2] = Quad::default();
        state[3] = Quad([0.0, 0.0, 0.0, 1.0]);
    }
    #[inline(always)]
    fn velocities(state: &[Quad]) -> (Vec3<f32>, Vec3<f32>) {
        let ([x, y, z, _], [p, q, r, _]) = (state[0].0, state[1].0);
        (Vec3::new(x, y, z), Vec3::new(p, q, r))
    }
    #[inline(always)]
    fn set_velocities(state: &mut [Quad], velocity: Vec3<f32>, angular: Vec3<f32>) {
        state[0] = Quad([velocity.x, velocity.y, velocity.z, 0.0]);
        state[1] = Quad([angular.x, angular.y, angular.z, 0.0]);
    }
    #[inline(always)]
    fn factors(linear_and_angular: [f32; 2]) -> [Quad; 2] {
        linear_and_angular.map(|factor| Quad([factor; 4]))
    }
    #[inline(always)]
    fn travel(state: &[Quad]) -> (Vec3<f32>, Quat<f32>) {
        let ([x, y, z, _], [i, j, k, w]) = (state[2].0, state[3].0);
        (Vec3::new(x, y, z), Quat::new(i, j, k, w).unwrap_or_default())
    }
    fn turn_part(turn: Quat<f32>, time: f32) -> Quat<f32> {
        if turn == Quat::default() {
            return turn;
        }
        let end = Pose3 { rotation: turn, translation: Vec3::default() };
        Motion3::between(Pose3::default(), end).at(time).rotation
    }
    #[inline]
    fn turn_rate(turn: Quat<f32>, direction: Option<Vec3<f32>>) -> f32 {
        let [x, y, z, _] = turn.to_array();
        // As long as the sine of half the angle.
        let axis = Vec3::new(x, y, z);
        let across = direction.map_or(axis, |n| axis.cross(n));
        2.0 * across.length_squared().sqrt() * (1.0 + HALF_PI_LESS_ONE * axis.length_squared())
    }
    #[inline(always)]
    fn integrate_velocities(mut bodies: Bodies<'_, Self>, step: &StepFactors, is_first: bool) {
        let (level, mut spins) = (Level::new(), Spins::NONE);
        let after_turn = |bodies: &mut Bodies<'_, Self>, k: usize, after: Vec3<f32>| {
            let (state, reference, ..) = bodies.get(k);
            set_angular(state, reference, after);
        };
        for k in 0..bodies.len() {
            let (state, reference, motion, rotation) = bodies.get(k);
            super::advance_velocity(state, reference, motion, step, is_first);
            let (_, angular) = Self::velocities(state);
            if motion.tumbles && motion.is_joined && angular != Vec3::ZERO {
                let (_, turned) = Self::travel(state);
                spins.add(k, (motion.inertia, turned * rotation), angular, step.h);
                if spins.is_full() {
                    spins.turn(level, |k, _, after| after_turn(&mut bodies, k, after));
                }
            }
        }
        spins.turn(level, |k, _, after| after_turn(&mut bodies, k, after));
    }
    #[inline(always)]
    fn integrate_positions(mut bodies: Bodies<'_, Self>, step: &StepFactors, _: Width) {
        let (level, h, mut spins) = (Level::new(), step.h, Spins::NONE);
        let turn = |bodies: &mut Bodies<'_, Self>, k: usize, half: Vec3<f32>, after: Vec3<f32>| {
            let (state, reference, ..) = bodies.get(k);
            set_angular(state, reference, after);
            turn_by(state, half);
        };
        for k in 0..bodies.len() {
            let (state, reference, motion, rotation) = bodies.get(k);
            super::apply_locks::<Self>(state, reference, motion.locks);
            let (_, angular) = Self::velocities(state);
            state[2] = state[2] + Quad([h; 4]) * state[0];
            if angular == Vec3::ZERO {
                continue;
            }
            if motion.tumbles && !motion.is_joined {
                let (_, turned) = Self::travel(state);
                spins.add(k, (motion.inertia, turned * rotation), angular, h);
                if spins.is_full() {
                    spins.turn(level, |k, half, after| turn(&mut bodies, k, half, after));
                }
            } else {
                turn_by(state, angular * (0.5 * h * turn_factor(0.25 * h * h * angular.dot(angular))));
            }
        }
        spins.turn(level, |k, half, after| turn(&mut bodies, k, half, after));
    }

    #[inline(always)]
    fn prepare<T: Wide>(token: T::Token, block: &mut Block<'_, T>, draft: &Draft<'_, Self>) -> T {
        space_contact::prepare(token, block, draft)
    }
    fn depth(lane: &Lane<'_>) -> f32 {
        space_contact::depth(lane)
    }
    fn store(lane: &Lane<'_>, contact: &mut Contact<Self>) {
        space_contact::store(lane, contact);
    }
    #[inline(always)]
    fn warm_start<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>]) {
        space_contact::warm_start(token, block, states);
    }
    #[inline(always)]
    fn solve<T: Wide, const RELAX: bool>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
        is_reverse: bool,
    ) {
        space_contact::solve::<T, RELAX>(token, block, states, step, is_reverse);
    }
    #[inline(always)]
    fn meet<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>], step: &StepFactors) {
        space_contact::meet(token, block, states, step);
    }
    #[inline(always)]
    fn restitute<T: Wide>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
    ) {
        space_contact::restitute(token, block, states, step);
    }
}

/// Gives a body the angular velocity that it has after it turned freely.
#[inline(always)]
fn set_angular(state: &mut [Quad], [_, reference]: &mut [Quad; 2], after: Vec3<f32>) {
    let after = Quad([after.x, after.y, after.z, 0.0]);
    *reference = *reference + (after - state[1]);
    state[1] = after;
}

/// Turns a body by the quaternion (½τω, 1), that is, by the angle h|ω| about ω.
#[inline(always)]
fn turn_by(state: &mut [Quad], half: Vec3<f32>) {
    let [i, j, k, w] = state[3].0;
    let old = Vec3::new(i, j, k);
    let vector = old + half * w + half.cross(old);
    let w = w - half.dot(old);
    let scale = 1.0 / (vector.dot(vector) + w * w).sqrt();
    state[3] = Quad([vector.x * scale, vector.y * scale, vector.z * scale, w * scale]);
}

/// The inverse of the part of an inertia, turned to the world, that is about free axes; `locked` has a bit for each other.
/// In `f64`, as moments of a rod differ by much.
#[cold]
fn inverse_about_free(inertia: Mat3<f32>, rotation: Quat<f32>, locked: u8) -> Mat3<f32> {
    let is_free = |axis: usize| locked >> axis & 1 == 0;
    let turn = rotation.widen().to_matrix();
    let wide = Mat3 { columns: inertia.columns.map(Vector::widen) };
    let trace = wide.columns[0].x + wide.columns[1].y + wide.columns[2].z;
    // Rᵀ·eⱼ is row j of R: column j in the world is R·I·Rᵀ·eⱼ. A locked axis gets a moment of its own, as large as the
    // others, so that the whole has an inverse: that consists of both parts.
    let column = |j: usize| {
        let along = turn * (wide * turn.transpose_mul(Vec3::unit(j)));
        Vec3::from_fn(|i| match (is_free(i) && is_free(j), i == j) {
            (true, _) => along.get(i),
            (false, true) => trace,
            (false, false) => 0.0,
        })
    };
    let Some(inverse) = Mat3::inverse(Mat3 { columns: [column(0), column(1), column(2)] }) else {
        return Mat3::default();
    };
    let keep = |j: usize, column: Vec3<f64>| {
        Vec3::from_fn(|i| if is_free(i) && is_free(j) { column.get(i) } else { 0.0 })
    };
    let [a, b, c] = inverse.columns;
    Mat3 { columns: [keep(0, a), keep(1, b), keep(2, c)].map(Vec3::narrow) }
}

/// xx, yy, zz, yz, zx, xy.
pub(super) fn entries(m: Mat3<f32>) -> [f32; 6] {
    let [a, b, c] = m.columns;
    [a.x, b.y, c.z, b.z, c.x, a.y]
}
