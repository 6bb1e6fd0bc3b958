//! The plane in lanes: what its joints ask for.

use super::Side;
use super::lanewise::{JointAngles, Lanewise, arc_tangent2, twice_arc_tangent};
use super::plane::Plane;
use super::plane_contact;
use crate::world::joint::mass::inverse_of_two;
use crate::world::solver::block::Block;
use crate::world::solver::wide::{Quad, Wide};
use carom_math::{Rot2, Vec2};
use core::cell::Cell;

impl Lanewise for Plane {
    const ANGULAR: usize = 1;
    const MATRIX: usize = 3;
    const INERTIA: usize = 1;
    type LaneVector<T: Wide> = Vec2<T>;
    type LaneAngular<T: Wide> = T;
    type LaneMatrix<T: Wide> = [T; 3];
    type LaneInertia<T: Wide> = T;
    type LaneTurn<T: Wide> = [T; 2];

    #[inline(always)]
    fn vector_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Vec2<T> {
        Vec2::new(block.get(token, row), block.get(token, row + 1))
    }
    #[inline(always)]
    fn put_vector<T: Wide>(block: &mut Block<'_, T>, row: usize, v: Vec2<T>) {
        block.set(row, v.x);
        block.set(row + 1, v.y);
    }
    #[inline(always)]
    fn angular_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> T {
        block.get(token, row)
    }
    #[inline(always)]
    fn put_angular<T: Wide>(block: &mut Block<'_, T>, row: usize, angular: T) {
        block.set(row, angular);
    }
    #[inline(always)]
    fn matrix_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> [T; 3] {
        [block.get(token, row), block.get(token, row + 1), block.get(token, row + 2)]
    }
    #[inline(always)]
    fn inertia_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> T {
        block.get(token, row)
    }
    #[inline(always)]
    fn put_matrix<T: Wide>(block: &mut Block<'_, T>, row: usize, [xx, yy, xy]: [T; 3]) {
        block.set(row, xx);
        block.set(row + 1, yy);
        block.set(row + 2, xy);
    }
    #[inline(always)]
    fn put_inertia<T: Wide>(block: &mut Block<'_, T>, row: usize, inertia: T) {
        block.set(row, inertia);
    }
    #[inline(always)]
    fn inertia_of(number: impl Fn(usize) -> f32) -> f32 {
        number(0)
    }
    /// K = (1/m)·1 + Σ (1/I)·ppᵀ, with p the arm a quarter turn on.
    #[inline(always)]
    fn point_mass<T: Wide>(inverse_mass: T, a: (T, Vec2<T>), b: (T, Vec2<T>)) -> [T; 3] {
        let (ax, ay) = (a.1.x * a.0, a.1.y * a.0);
        let (bx, by) = (b.1.x * b.0, b.1.y * b.0);
        inverse_of_two([
            inverse_mass + ay * a.1.y + by * b.1.y,
            inverse_mass + ax * a.1.x + bx * b.1.x,
            -(ax * a.1.y + bx * b.1.y),
        ])
    }
    #[inline(always)]
    fn lane_yield_across<T: Wide>(inertia: T, arm: Vec2<T>) -> T {
        inertia * (arm.x * arm.x + arm.y * arm.y)
    }
    #[inline(always)]
    fn inertia_turned<T: Wide>(_: [T; 2], inertia: T) -> T {
        inertia
    }
    #[inline(always)]
    fn lane_inertia_scaled<T: Wide>(inertia: T, factor: T) -> T {
        inertia * factor
    }
    #[inline(always)]
    fn put_angle<T: Wide>(
        token: T::Token,
        block: &mut Block<'_, T>,
        (row, turn): (usize, usize),
        turns: ([T; 2], [T; 2]),
        inertias: (T, T),
    ) {
        let (zero, one) = (T::splat(token, 0.0), T::splat(token, 1.0));
        let [cos, sin] = Self::relative_turn(turns.0, turns.1);
        let (rest_cos, rest_sin) = (block.get(token, turn), block.get(token, turn + 1));
        let angle = arc_tangent2(sin * rest_cos + cos * rest_sin, cos * rest_cos - sin * rest_sin);
        let yielding = inertias.0 + inertias.1;
        block.set(row, one);
        block.set(row + 1, angle);
        block.set(row + 2, T::select(zero.less_than(yielding), one / yielding, zero));
        block.set(row + 3, yielding);
    }
    const STAND_QUADS: usize = 1;
    #[inline(always)]
    fn stand(side: &Side<Plane>) -> [Quad; 3] {
        let all = [side.rotation.cos(), side.rotation.sin(), side.inverse_mass, side.inverse_inertia];
        [Quad(all), Quad::default(), Quad::default()]
    }
    #[inline(always)]
    fn stands<T: Wide>([[cos, sin, mass, inertia], ..]: [[T; 4]; 3]) -> (T, T, [T; 2]) {
        (mass, inertia, [cos, sin])
    }
    #[inline(always)]
    fn vector_quad(v: Vec2<f32>) -> Quad {
        Quad([v.x, v.y, 0.0, 0.0])
    }
    #[inline(always)]
    fn lane_vector<T: Wide>([x, y, ..]: [T; 4]) -> Vec2<T> {
        Vec2::new(x, y)
    }
    #[inline(always)]
    fn zero_vector<T: Wide>(token: T::Token) -> Vec2<T> {
        Vec2::new(T::splat(token, 0.0), T::splat(token, 0.0))
    }
    #[inline(always)]
    fn zero_angular<T: Wide>(token: T::Token) -> T {
        T::splat(token, 0.0)
    }
    #[inline(always)]
    fn lane_dot<T: Wide>(a: Vec2<T>, b: Vec2<T>) -> T {
        a.dot(b)
    }
    #[inline(always)]
    fn lane_angular_dot<T: Wide>(a: T, b: T) -> T {
        a * b
    }
    #[inline(always)]
    fn lane_moment<T: Wide>(r: Vec2<T>, force: Vec2<T>) -> T {
        r.cross(force)
    }
    #[inline(always)]
    fn lane_spin<T: Wide>(angular: T, r: Vec2<T>) -> Vec2<T> {
        Vec2::new(-angular * r.y, angular * r.x)
    }
    #[inline(always)]
    fn matrix_times<T: Wide>([xx, yy, xy]: [T; 3], v: Vec2<T>) -> Vec2<T> {
        Vec2::new(xx * v.x + xy * v.y, xy * v.x + yy * v.y)
    }
    #[inline(always)]
    fn lane_inertia_times<T: Wide>(inertia: T, angular: T) -> T {
        inertia * angular
    }
    #[inline(always)]
    fn gather_velocities<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
    ) -> (Vec2<T>, T) {
        let [x, y, angular, _] = block.gather::<{ plane_contact::QUADS }>(token, states, side, 0);
        (Vec2::new(x, y), angular)
    }
    #[inline(always)]
    fn scatter_velocities<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
        (linear, angular): (Vec2<T>, T),
    ) {
        let columns = [linear.x, linear.y, angular, T::splat(token, 0.0)];
        block.scatter::<{ plane_contact::QUADS }>(token, states, side, 0, columns);
    }
    #[inline(always)]
    fn gather_motion<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
    ) -> (Vec2<T>, [T; 2]) {
        let [x, y, cos, sin] = block.gather::<{ plane_contact::QUADS }>(token, states, side, 1);
        (Vec2::new(x, y), [cos, sin])
    }
    #[inline(always)]
    fn no_turn<T: Wide>(token: T::Token) -> [T; 2] {
        [T::splat(token, 1.0), T::splat(token, 0.0)]
    }
    #[inline(always)]
    fn turned<T: Wide>([cos, sin]: [T; 2], v: Vec2<T>) -> Vec2<T> {
        let less = cos - cos.like(1.0);
        Vec2::new(less * v.x - sin * v.y, less * v.y + sin * v.x)
    }
    #[inline(always)]
    fn inverse_turn<T: Wide>([cos, sin]: [T; 2]) -> [T; 2] {
        [cos, -sin]
    }
    #[inline(always)]
    fn relative_turn<T: Wide>([cos_a, sin_a]: [T; 2], [cos_b, sin_b]: [T; 2]) -> [T; 2] {
        [cos_a * cos_b + sin_a * sin_b, cos_a * sin_b - sin_a * cos_b]
    }
    #[inline(always)]
    fn lane_rotation_vector<T: Wide>([cos, sin]: [T; 2]) -> T {
        // tan(θ/2) = sin/(1 + cos).
        let tangent = sin / (cos + cos.like(1.0));
        tangent * twice_arc_tangent(tangent * tangent)
    }
    fn angular_unit(_: usize) -> f32 {
        1.0
    }
    fn joint_angles(frame_a: Rot2<f32>, frame_b: Rot2<f32>, _: usize) -> JointAngles<Plane> {
        let angle = (frame_a.inverse() * frame_b).angle();
        JointAngles { angles: [angle, 0.0, 0.0], axes: [1.0; 3], swing: (0.0, 0.0) }
    }
    fn turn_between(from: Rot2<f32>, to: Rot2<f32>) -> f32 {
        (from.inverse() * to).angle()
    }
    fn inverse_rotation(rotation: Rot2<f32>) -> Rot2<f32> {
        rotation.inverse()
    }
    fn turn_to(axis: usize, direction: Vec2<f32>) -> Option<Rot2<f32>> {
        let turn = Rot2::from_cos_sin(direction.x, direction.y)?;
        // The plane turns about z whatever the direction.
        Some(match axis {
            0 => turn,
            1 => Rot2::from_cos_sin(turn.sin(), -turn.cos())?,
            _ => Rot2::default(),
        })
    }
}
