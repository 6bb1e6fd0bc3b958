//! The plane: its operations. The contact kernel is in `plane_contact`.

use super::super::contact::{Contact, Point};
use super::super::solver::block::{Block, Draft, Lane, MOST_LANES};
use super::super::solver::soft::StepFactors;
use super::super::solver::wide::{Quad, Wide, WideTask, Width, dispatch};
use super::plane_contact::{self, QUADS};
use super::{Bodies, Dimension, Engine, HALF_PI_LESS_ONE, inverse};
use carom_geometry::bound::Aabb;
use carom_geometry::d2::{self, MassProperties, Shape};
use carom_geometry::{
    CastOptions, ClosestPoint, Distance, Error as GeometryError, Hit, Manifold, PartCache, Ray, RayOptions,
};
use carom_math::{Motion2, Number, Pose2, Real, Rot2, Vec2, Vector};
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

impl Engine for Plane {
    const QUADS: usize = QUADS;
    const ROWS: usize = plane_contact::ROWS;
    type Velocities = [Quad; 1];
    type Points = [Point<Vec2<f32>>; 2];

    #[inline(always)]
    fn rotate(rotation: Rot2<f32>, v: Vec2<f32>) -> Vec2<f32> {
        rotation.rotate(v)
    }
    #[inline(always)]
    fn rotate_back(rotation: Rot2<f32>, v: Vec2<f32>) -> Vec2<f32> {
        rotation.inverse().rotate(v)
    }
    #[inline]
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
    #[inline]
    fn renormalized(rotation: Rot2<f32>) -> Rot2<f32> {
        let (cos, sin) = (rotation.cos(), rotation.sin());
        match super::unit_factor(cos * cos + sin * sin) {
            Some(factor) => Rot2::from_parts(cos * factor, sin * factor),
            None => Rot2::from_cos_sin(cos, sin).unwrap_or_default(),
        }
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
    fn inertia_in_world(inertia: f32, _: Rot2<f32>) -> f32 {
        inertia
    }
    #[inline(always)]
    fn free_inverse_inertia(_: f32, inverse: f32, _: Rot2<f32>, locks: u8) -> f32 {
        Self::lock_angular(inverse, locks)
    }
    fn inertia_entries(inertia: f32) -> [f32; 6] {
        [inertia, inertia, inertia, 0.0, 0.0, 0.0]
    }
    #[inline(always)]
    fn inertia_times(inertia: f32, angular: f32) -> f32 {
        inertia * angular
    }
    #[inline]
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
    fn roundness(shape: &Shape<f32>, outward: Vec2<f32>) -> f32 {
        match shape {
            Shape::Ball(ball) => ball.radius(),
            Shape::Capsule(capsule) => capsule.radius(),
            Shape::Rounded(rounded) => rounded.radius() + Self::roundness(rounded.shape(), outward),
            Shape::Ellipsoid(ellipse) => {
                // With the support h = √(a²x² + b²y²) the radius of curvature is a²b²/h³.
                let radii = ellipse.radii();
                let (along, across) = (radii.x * outward.x, radii.y * outward.y);
                let support = (along * along + across * across).sqrt();
                let curved = radii.x * radii.y * inverse(support);
                (curved * curved * inverse(support)).min_of(support)
            }
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
        pose_a: Pose2<f32>,
        b: &Shape<f32>,
        pose_b: Pose2<f32>,
        margin: f32,
    ) -> Result<Option<Manifold<Vec2<f32>>>, GeometryError> {
        d2::manifold_within(a, pose_a, b, pose_b, margin)
    }
    fn is_composite(shape: &Shape<f32>) -> bool {
        matches!(shape, Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_))
    }
    fn compound_parts(shape: &Shape<f32>) -> Option<&[(Shape<f32>, Self::Pose)]> {
        if let Shape::Compound(compound) = shape { Some(compound.parts()) } else { None }
    }
    fn surface(shape: &Shape<f32>) -> Option<&'static str> {
        match shape {
            Shape::Polyline(_) => Some("polyline"),
            Shape::HeightField(_) => Some("height_field"),
            Shape::Compound(compound) => compound.parts().iter().find_map(|(part, _)| Self::surface(part)),
            _ => None,
        }
    }
    fn manifolds(
        (a, pose_a): (&Shape<f32>, Pose2<f32>),
        (b, pose_b): (&Shape<f32>, Pose2<f32>),
        margin: f32,
        found: &mut Vec<Manifold<Vec2<f32>>>,
    ) -> Result<(), GeometryError> {
        d2::manifolds(a, pose_a, b, pose_b, margin, found)
    }
    fn manifolds_cached(
        (a, pose_a): (&Shape<f32>, Pose2<f32>),
        (b, pose_b): (&Shape<f32>, Pose2<f32>),
        margin: f32,
        cache: &mut PartCache<Vec2<f64>>,
        found: &mut Vec<Manifold<Vec2<f32>>>,
    ) -> Result<(), GeometryError> {
        d2::manifolds_cached(a, pose_a, b, pose_b, margin, cache, found)
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
    fn distance(
        a: &Shape<f32>,
        pose_a: Pose2<f32>,
        b: &Shape<f32>,
        pose_b: Pose2<f32>,
    ) -> Result<Distance<Vec2<f32>>, GeometryError> {
        d2::distance(a, pose_a, b, pose_b)
    }
    fn distance_within(
        (a, pose_a): (&Shape<f32>, Pose2<f32>),
        (b, pose_b): (&Shape<f32>, Pose2<f32>),
        limit: f32,
    ) -> Result<Option<Distance<Vec2<f32>>>, GeometryError> {
        d2::distance_within(a, pose_a, b, pose_b, limit)
    }
    fn clearance_cached(
        (a, pose_a): (&Shape<f32>, Pose2<f32>),
        (b, pose_b): (&Shape<f32>, Pose2<f32>),
        limit: f32,
        cache: &mut PartCache<Vec2<f64>>,
    ) -> Result<f32, GeometryError> {
        d2::clearance_cached(a, pose_a, b, pose_b, limit, cache)
    }
    fn turning_arm(shape: &Shape<f32>, offset: Vec2<f32>, reach: f32) -> f32 {
        if matches!(shape, Shape::Ball(_)) { Vector::length(offset) } else { reach }
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
    fn factors([linear, angular]: [f32; 2]) -> [Quad; 1] {
        [Quad([linear, linear, angular, 0.0])]
    }
    #[inline(always)]
    fn travel(state: &[Quad]) -> (Vec2<f32>, Rot2<f32>) {
        let [x, y, cos, sin] = state[1].0;
        (Vec2::new(x, y), Rot2::from_cos_sin(cos, sin).unwrap_or_default())
    }
    fn turn_part(turn: Rot2<f32>, time: f32) -> Rot2<f32> {
        if turn == Rot2::default() {
            return turn;
        }
        let end = Pose2 { rotation: turn, translation: Vec2::default() };
        Motion2::between(Pose2::default(), end).at(time).rotation
    }
    #[inline]
    fn turn_rate(turn: Rot2<f32>, direction: Option<Vec2<f32>>) -> f32 {
        let _ = direction;
        let chord = Self::turn_chord(Rot2::default(), turn);
        chord * (1.0 + 0.25 * HALF_PI_LESS_ONE * (chord * chord))
    }
    #[inline(always)]
    fn integrate_velocities(bodies: Bodies<'_, Self>, step: &StepFactors, is_first: bool) {
        bodies.each(|state, reference, motion| {
            super::advance_velocity(state, reference, motion, step, is_first);
        });
    }
    #[inline(always)]
    fn integrate_positions(mut bodies: Bodies<'_, Self>, step: &StepFactors, width: Width) {
        if bodies.has_locks {
            for k in 0..bodies.len() {
                let (state, reference, motion, _) = bodies.get(k);
                super::apply_locks::<Self>(state, reference, motion.locks);
            }
        }
        dispatch(width, MoveBodies { states: bodies.states, h: step.h });
    }

    #[inline(always)]
    fn prepare<T: Wide>(token: T::Token, block: &mut Block<'_, T>, draft: &Draft<'_, Self>) -> T {
        plane_contact::prepare(token, block, draft)
    }
    fn depth(lane: &Lane<'_>) -> f32 {
        plane_contact::depth(lane)
    }
    fn store(lane: &Lane<'_>, contact: &mut Contact<Self>) {
        plane_contact::store(lane, contact);
    }
    #[inline(always)]
    fn warm_start<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>]) {
        plane_contact::warm_start(token, block, states);
    }
    #[inline(always)]
    fn solve<T: Wide, const RELAX: bool>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
        is_reverse: bool,
    ) {
        plane_contact::solve::<T, RELAX>(token, block, states, step, is_reverse);
    }
    #[inline(always)]
    fn meet<T: Wide>(token: T::Token, block: &mut Block<'_, T>, states: &[Cell<Quad>], step: &StepFactors) {
        plane_contact::meet(token, block, states, step);
    }
    #[inline(always)]
    fn restitute<T: Wide>(
        token: T::Token,
        block: &mut Block<'_, T>,
        states: &[Cell<Quad>],
        step: &StepFactors,
    ) {
        plane_contact::restitute(token, block, states, step);
    }
}

fn least(v: Vec2<f32>) -> f32 {
    v.x.min_of(v.y)
}

/// Positions of the next sub-step, as many bodies side by side as there are lanes.
struct MoveBodies<'a> {
    states: &'a mut [Quad],
    h: f32,
}

impl WideTask for MoveBodies<'_> {
    #[inline(always)]
    fn run<T: Wide>(self, token: T::Token) {
        let MoveBodies { states, h } = self;
        let (whole, rest) = states.split_at_mut(states.len() - states.len() % (T::WIDTH * QUADS));
        for states in whole.chunks_exact_mut(T::WIDTH * QUADS) {
            move_bodies::<T>(token, states, h);
        }
        for state in rest.chunks_exact_mut(QUADS) {
            move_bodies::<f32>((), state, h);
        }
    }
}

/// Moves one body for each lane.
#[inline(always)]
fn move_bodies<T: Wide>(token: T::Token, states: &mut [Quad], h: f32) {
    let [u, v, angular, _] = T::gather(
        token,
        #[inline(always)]
        |lane| states[lane * QUADS],
    );
    let [x, y, cos, sin] = T::gather(
        token,
        #[inline(always)]
        |lane| states[lane * QUADS + 1],
    );
    let step = T::splat(token, h);
    let angle = step * angular;
    let (turn_sin, turn_cos) = small_sine_cosine(token, angle);
    let columns =
        [x + step * u, y + step * v, turn_cos * cos - turn_sin * sin, turn_cos * sin + turn_sin * cos];
    let mut old = [[0.0; MOST_LANES]; 3];
    angle.store(&mut old[0]);
    cos.store(&mut old[1]);
    sin.store(&mut old[2]);
    T::scatter(
        token,
        columns,
        #[inline(always)]
        |lane, quad| states[lane * QUADS + 1] = quad,
    );
    for lane in 0..T::WIDTH {
        let [angle, cos, sin] = [old[0][lane], old[1][lane], old[2][lane]];
        // The series end too early for what spins that fast.
        if SMALL_SQUARE < angle * angle {
            let (turn_sin, turn_cos) = Real::sine_cosine(angle);
            let [x, y, ..] = states[lane * QUADS + 1].0;
            states[lane * QUADS + 1] =
                Quad([x, y, turn_cos * cos - turn_sin * sin, turn_cos * sin + turn_sin * cos]);
        }
    }
}

/// Up to this square of an angle the next terms of the series are below half an ulp.
const SMALL_SQUARE: f32 = 0.0625;

/// Sine and cosine of small angles by their series.
#[inline(always)]
fn small_sine_cosine<T: Wide>(token: T::Token, angle: T) -> (T, T) {
    let (one, square) = (T::splat(token, 1.0), angle * angle);
    // 1 − x·c·(1 − …), from the last term on.
    let seventh = one - square * T::splat(token, 1.0 / 42.0);
    let fifth = one - square * T::splat(token, 0.05) * seventh;
    let sine = angle * (one - square * T::splat(token, 1.0 / 6.0) * fifth);
    let sixth = one - square * T::splat(token, 1.0 / 30.0);
    let fourth = one - square * T::splat(token, 1.0 / 12.0) * sixth;
    let cosine = one - square * T::splat(token, 0.5) * fourth;
    (sine, cosine)
}
