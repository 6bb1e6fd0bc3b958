//! Space in lanes: what its joints ask for.

use super::lanewise::{JointAngles, Lanewise, twice_arc_tangent};
use super::space::{Solid, entries};
use super::space_contact::{self, Symmetric};
use super::{Engine, Side};
use crate::world::joint::mass::inverse_of_three;
use crate::world::solver::block::Block;
use crate::world::solver::wide::{Quad, Wide};
use carom_math::{Mat3, Quat, Real, Vec3, Vector};
use core::cell::Cell;

/// How the end of an arm yields by turning: the entries (r × eᵢ)·I⁻¹(r × eⱼ), in the order of [`Symmetric`].
#[inline(always)]
fn yielding_by_turning<T: Wide>(inertia: Symmetric<T>, r: Vec3<T>) -> [T; 6] {
    let [xx, yy, zz, yz, zx, xy] = inertia.0;
    let Vec3 { x, y, z } = r;
    // r × e is (0, z, −y), (−z, 0, x) and (y, −x, 0); of the products with the inertia only what is used below.
    let about_x = [yy * z - yz * y, yz * z - zz * y];
    let about_y = [zx * x - xx * z, yz * x - xy * z, zz * x - zx * z];
    let about_z = [xx * y - xy * x, xy * y - yy * x, zx * y - yz * x];
    [
        z * about_x[0] - y * about_x[1],
        x * about_y[2] - z * about_y[0],
        y * about_z[0] - x * about_z[1],
        x * about_z[2] - z * about_z[0],
        z * about_z[1] - y * about_z[2],
        z * about_y[1] - y * about_y[2],
    ]
}

impl Lanewise for Solid {
    const ANGULAR: usize = 3;
    const MATRIX: usize = 6;
    const INERTIA: usize = 6;
    type LaneVector<T: Wide> = Vec3<T>;
    type LaneAngular<T: Wide> = Vec3<T>;
    type LaneMatrix<T: Wide> = Symmetric<T>;
    type LaneInertia<T: Wide> = Symmetric<T>;
    /// The vector and the number of a unit quaternion.
    type LaneTurn<T: Wide> = (Vec3<T>, T);

    #[inline(always)]
    fn vector_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Vec3<T> {
        Vec3::new(block.get(token, row), block.get(token, row + 1), block.get(token, row + 2))
    }
    #[inline(always)]
    fn put_vector<T: Wide>(block: &mut Block<'_, T>, row: usize, v: Vec3<T>) {
        block.set(row, v.x);
        block.set(row + 1, v.y);
        block.set(row + 2, v.z);
    }
    #[inline(always)]
    fn angular_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Vec3<T> {
        Self::vector_at(token, block, row)
    }
    #[inline(always)]
    fn put_angular<T: Wide>(block: &mut Block<'_, T>, row: usize, angular: Vec3<T>) {
        Self::put_vector(block, row, angular);
    }
    #[inline(always)]
    fn matrix_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Symmetric<T> {
        Symmetric::load(token, block, row)
    }
    #[inline(always)]
    fn inertia_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Symmetric<T> {
        Symmetric::load(token, block, row)
    }
    #[inline(always)]
    fn put_matrix<T: Wide>(block: &mut Block<'_, T>, row: usize, m: Symmetric<T>) {
        m.store(block, row);
    }
    #[inline(always)]
    fn put_inertia<T: Wide>(block: &mut Block<'_, T>, row: usize, inertia: Symmetric<T>) {
        inertia.store(block, row);
    }
    #[inline(always)]
    fn inertia_of(number: impl Fn(usize) -> f32) -> Mat3<f32> {
        let [xx, yy, zz, yz, zx, xy] = core::array::from_fn(number);
        Mat3 { columns: [Vec3::new(xx, xy, zx), Vec3::new(xy, yy, yz), Vec3::new(zx, yz, zz)] }
    }
    /// K = (1/m)·1 + Σ [r]·I⁻¹·[r]ᵀ: entry ij is (r × eᵢ)·I⁻¹(r × eⱼ).
    #[inline(always)]
    fn point_mass<T: Wide>(
        inverse_mass: T,
        a: (Symmetric<T>, Vec3<T>),
        b: (Symmetric<T>, Vec3<T>),
    ) -> Symmetric<T> {
        let (a, b) = (yielding_by_turning(a.0, a.1), yielding_by_turning(b.0, b.1));
        Symmetric(inverse_of_three([
            inverse_mass + a[0] + b[0],
            inverse_mass + a[1] + b[1],
            inverse_mass + a[2] + b[2],
            a[3] + b[3],
            a[4] + b[4],
            a[5] + b[5],
        ]))
    }
    #[inline(always)]
    fn lane_yield_across<T: Wide>(inertia: Symmetric<T>, arm: Vec3<T>) -> T {
        let [xx, yy, zz, ..] = yielding_by_turning(inertia, arm);
        // Along the arm nothing yields, so that the sum is that of two directions.
        (xx + yy + zz) * xx.like(0.5)
    }
    /// The columns of R·I⁻¹, then its rows, are turned.
    #[inline(always)]
    fn inertia_turned<T: Wide>(turn: (Vec3<T>, T), inertia: Symmetric<T>) -> Symmetric<T> {
        let [xx, yy, zz, yz, zx, xy] = inertia.0;
        let about = |v: Vec3<T>| v + Self::turned(turn, v);
        let [x, y, z] =
            [about(Vec3::new(xx, xy, zx)), about(Vec3::new(xy, yy, yz)), about(Vec3::new(zx, yz, zz))];
        let [x, y, z] = [
            about(Vec3::new(x.x, y.x, z.x)),
            about(Vec3::new(x.y, y.y, z.y)),
            about(Vec3::new(x.z, y.z, z.z)),
        ];
        Symmetric([x.x, y.y, z.z, z.y, z.x, y.x])
    }
    #[inline(always)]
    fn lane_inertia_scaled<T: Wide>(inertia: Symmetric<T>, factor: T) -> Symmetric<T> {
        Symmetric(inertia.0.map(|entry| entry * factor))
    }
    /// There are three.
    #[inline(always)]
    fn put_angle<T: Wide>(
        _: T::Token,
        _: &mut Block<'_, T>,
        _: (usize, usize),
        _: ((Vec3<T>, T), (Vec3<T>, T)),
        _: (Symmetric<T>, Symmetric<T>),
    ) {
    }
    const STAND_QUADS: usize = 3;
    #[inline(always)]
    fn stand(side: &Side<Solid>) -> [Quad; 3] {
        let [xx, yy, zz, yz, zx, xy] = entries(side.inverse_inertia);
        [Quad(side.rotation.to_array()), Quad([side.inverse_mass, xx, yy, zz]), Quad([yz, zx, xy, 0.0])]
    }
    #[inline(always)]
    fn stands<T: Wide>(quads: [[T; 4]; 3]) -> (T, Symmetric<T>, (Vec3<T>, T)) {
        let [[i, j, k, w], [mass, xx, yy, zz], [yz, zx, xy, _]] = quads;
        (mass, Symmetric([xx, yy, zz, yz, zx, xy]), (Vec3::new(i, j, k), w))
    }
    #[inline(always)]
    fn vector_quad(v: Vec3<f32>) -> Quad {
        Quad([v.x, v.y, v.z, 0.0])
    }
    #[inline(always)]
    fn lane_vector<T: Wide>([x, y, z, _]: [T; 4]) -> Vec3<T> {
        Vec3::new(x, y, z)
    }
    #[inline(always)]
    fn zero_vector<T: Wide>(token: T::Token) -> Vec3<T> {
        let zero = T::splat(token, 0.0);
        Vec3::new(zero, zero, zero)
    }
    #[inline(always)]
    fn zero_angular<T: Wide>(token: T::Token) -> Vec3<T> {
        Self::zero_vector(token)
    }
    #[inline(always)]
    fn lane_dot<T: Wide>(a: Vec3<T>, b: Vec3<T>) -> T {
        a.dot(b)
    }
    #[inline(always)]
    fn lane_angular_dot<T: Wide>(a: Vec3<T>, b: Vec3<T>) -> T {
        a.dot(b)
    }
    #[inline(always)]
    fn lane_moment<T: Wide>(r: Vec3<T>, force: Vec3<T>) -> Vec3<T> {
        r.cross(force)
    }
    #[inline(always)]
    fn lane_spin<T: Wide>(angular: Vec3<T>, r: Vec3<T>) -> Vec3<T> {
        angular.cross(r)
    }
    #[inline(always)]
    fn matrix_times<T: Wide>(m: Symmetric<T>, v: Vec3<T>) -> Vec3<T> {
        m.times(v)
    }
    #[inline(always)]
    fn lane_inertia_times<T: Wide>(inertia: Symmetric<T>, angular: Vec3<T>) -> Vec3<T> {
        inertia.times(angular)
    }
    #[inline(always)]
    fn gather_velocities<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
    ) -> (Vec3<T>, Vec3<T>) {
        let [x, y, z, _] = block.gather::<{ space_contact::QUADS }>(token, states, side, 0);
        let [p, q, r, _] = block.gather::<{ space_contact::QUADS }>(token, states, side, 1);
        (Vec3::new(x, y, z), Vec3::new(p, q, r))
    }
    #[inline(always)]
    fn scatter_velocities<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
        (linear, angular): (Vec3<T>, Vec3<T>),
    ) {
        let zero = T::splat(token, 0.0);
        let columns = [linear.x, linear.y, linear.z, zero];
        block.scatter::<{ space_contact::QUADS }>(token, states, side, 0, columns);
        let columns = [angular.x, angular.y, angular.z, zero];
        block.scatter::<{ space_contact::QUADS }>(token, states, side, 1, columns);
    }
    #[inline(always)]
    fn gather_motion<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
    ) -> (Vec3<T>, (Vec3<T>, T)) {
        let [x, y, z, _] = block.gather::<{ space_contact::QUADS }>(token, states, side, 2);
        let [i, j, k, w] = block.gather::<{ space_contact::QUADS }>(token, states, side, 3);
        (Vec3::new(x, y, z), (Vec3::new(i, j, k), w))
    }
    #[inline(always)]
    fn no_turn<T: Wide>(token: T::Token) -> (Vec3<T>, T) {
        (Self::zero_vector(token), T::splat(token, 1.0))
    }
    #[inline(always)]
    fn turned<T: Wide>((vector, w): (Vec3<T>, T), v: Vec3<T>) -> Vec3<T> {
        let turn = vector.cross(v);
        (vector.cross(turn) + turn * w) * w.like(2.0)
    }
    #[inline(always)]
    fn inverse_turn<T: Wide>((vector, w): (Vec3<T>, T)) -> (Vec3<T>, T) {
        (-vector, w)
    }
    #[inline(always)]
    fn relative_turn<T: Wide>(a: (Vec3<T>, T), b: (Vec3<T>, T)) -> (Vec3<T>, T) {
        // The product of the conjugate of a with b.
        (b.0 * a.1 - a.0 * b.1 - a.0.cross(b.0), a.1 * b.1 + a.0.dot(b.0))
    }
    #[inline(always)]
    fn lane_rotation_vector<T: Wide>((vector, w): (Vec3<T>, T)) -> Vec3<T> {
        // |v|/w is the tangent of half the angle.
        let tangent = vector * (w.like(1.0) / w);
        tangent * twice_arc_tangent(tangent.dot(tangent))
    }
    fn angular_unit(axis: usize) -> Vec3<f32> {
        Vec3::unit(axis)
    }
    /// With the frames a and b and a⁻¹b = swing·twist, where the twist is about z (let that be the main axis) and the axis of the swing is
    /// in the plane of x and y: the twist is 2·atan2(z, w) of the quaternion. Its rate is the relative angular
    /// velocity along (z_a + z_b)/(1 + z_a·z_b), which is z_a where there is no swing.
    fn joint_angles(frame_a: Quat<f32>, frame_b: Quat<f32>, main: usize) -> JointAngles<Solid> {
        let [x, y, z, w] = (frame_a.inverse() * frame_b).to_array();
        let sign = if w < 0.0 { -1.0 } else { 1.0 };
        // The axes in a turn, so that the main one is the third.
        let order = [(main + 1) % 3, (main + 2) % 3, main % 3];
        let [x, y, z] = order.map(|axis| sign * [x, y, z][axis]);
        let w = sign * w;
        let twist = 2.0 * z.arc_tangent2(w);
        let cosine = (z * z + w * w).sqrt();
        let (twist_w, twist_z) = if cosine > 0.0 { (w / cosine, z / cosine) } else { (1.0, 0.0) };
        let (swing_x, swing_y) = (twist_w * x - twist_z * y, twist_w * y + twist_z * x);
        let sine = (swing_x * swing_x + swing_y * swing_y).sqrt();
        let swing = 2.0 * sine.arc_tangent2(cosine);
        // The angle over its sine tends to 2.
        let scale = if sine > 0.0 { swing / sine } else { 2.0 };
        let axes = order.map(|axis| Solid::rotate(frame_a, Vec3::unit(axis)));
        let other = Solid::rotate(frame_b, Vec3::unit(order[2]));
        let both = 1.0 + axes[2].dot(other);
        // Where the axes are opposite the twist is not defined; short of that its direction grows without bound.
        let direction = if 0.1 < both { (axes[2] + other) * (1.0 / both) } else { axes[2] };
        let across =
            if sine > 0.0 { axes[0] * (swing_x / sine) + axes[1] * (swing_y / sine) } else { axes[0] };
        let angles = [swing_x * scale, swing_y * scale, twist];
        let axes = [axes[0], axes[1], direction];
        let place = |axis: usize| (axis + 2 - main % 3) % 3;
        JointAngles {
            angles: [angles[place(0)], angles[place(1)], angles[place(2)]],
            axes: [axes[place(0)], axes[place(1)], axes[place(2)]],
            swing: (swing, across),
        }
    }
    fn turn_between(from: Quat<f32>, to: Quat<f32>) -> Vec3<f32> {
        (to * from.inverse()).rotation_vector()
    }
    fn inverse_rotation(rotation: Quat<f32>) -> Quat<f32> {
        rotation.inverse()
    }
    /// The shortest turn: (e × d, 1 + e·d) as a quaternion; half a turn about the next axis where d = −e.
    fn turn_to(axis: usize, direction: Vec3<f32>) -> Option<Quat<f32>> {
        let direction = direction.widen();
        let length = direction.length_squared().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let (from, to) = (Vec3::<f64>::unit(axis % 3), direction * (1.0 / length));
        let across = from.cross(to);
        let along = 1.0 + from.dot(to);
        let turn = if 1e-6 < along { Some((across, along)) } else { None };
        let (vector, w) = turn.unwrap_or((Vec3::unit((axis + 1) % 3), 0.0));
        let vector = Vec3::<f32>::narrow(vector);
        Quat::new(vector.x, vector.y, vector.z, w as f32)
    }
}
