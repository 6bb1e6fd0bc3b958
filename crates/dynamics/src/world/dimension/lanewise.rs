//! Vectors, rotations and matrices in rows of lanes: what the joint kernel asks of a dimension.
//!
//! Contacts have a kernel for each dimension. Joints have one for both, written over the operations of this
//! trait: T is one number, or as many side by side as the processor has lanes.

use super::plane::Plane;
use super::plane_contact;
use super::space::{Solid, entries};
use super::space_contact::{self, Symmetric};
use super::{Dimension, Engine, Side};
use crate::world::joint::mass::{inverse_of_three, inverse_of_two};
use crate::world::solver::block::Block;
use crate::world::solver::wide::{Quad, Wide};
use carom_math::{Quat, Real, Rot2, Vec2, Vec3, Vector};
use core::cell::Cell;
use core::ops::{Add, Mul, Sub};

/// How two joint frames are turned against each other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JointAngles<D: Dimension> {
    /// The angles about the axes of the first frame: in space two of the swing and the twist about z.
    pub(crate) angles: [f32; 3],
    /// The directions in which they grow, in the world.
    pub(crate) axes: [D::Angular; 3],
    /// The angle between the z axes and the direction in which it grows.
    pub(crate) swing: (f32, D::Angular),
}

/// What a dimension supplies to the joint kernel.
pub(crate) trait Lanewise: Dimension {
    /// How many numbers an angular velocity has.
    const ANGULAR: usize;
    /// How many numbers a symmetric matrix over vectors has.
    const MATRIX: usize;
    /// How many numbers an inertia has.
    const INERTIA: usize;
    type LaneVector<T: Wide>: Copy
        + Add<Output = Self::LaneVector<T>>
        + Sub<Output = Self::LaneVector<T>>
        + Mul<T, Output = Self::LaneVector<T>>;
    type LaneAngular<T: Wide>: Copy
        + Add<Output = Self::LaneAngular<T>>
        + Sub<Output = Self::LaneAngular<T>>
        + Mul<T, Output = Self::LaneAngular<T>>;
    type LaneMatrix<T: Wide>: Copy;
    type LaneInertia<T: Wide>: Copy;
    type LaneTurn<T: Wide>: Copy;

    // Rows of a block.
    fn vector_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Self::LaneVector<T>;
    fn put_vector<T: Wide>(block: &mut Block<'_, T>, row: usize, v: Self::LaneVector<T>);
    fn angular_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Self::LaneAngular<T>;
    fn put_angular<T: Wide>(block: &mut Block<'_, T>, row: usize, angular: Self::LaneAngular<T>);
    fn matrix_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Self::LaneMatrix<T>;
    fn inertia_at<T: Wide>(token: T::Token, block: &Block<'_, T>, row: usize) -> Self::LaneInertia<T>;
    fn put_matrix<T: Wide>(block: &mut Block<'_, T>, row: usize, m: Self::LaneMatrix<T>);
    fn put_inertia<T: Wide>(block: &mut Block<'_, T>, row: usize, inertia: Self::LaneInertia<T>);

    fn zero_vector<T: Wide>(token: T::Token) -> Self::LaneVector<T>;
    fn zero_angular<T: Wide>(token: T::Token) -> Self::LaneAngular<T>;

    // Products.
    fn lane_dot<T: Wide>(a: Self::LaneVector<T>, b: Self::LaneVector<T>) -> T;
    fn lane_angular_dot<T: Wide>(a: Self::LaneAngular<T>, b: Self::LaneAngular<T>) -> T;
    /// r × f.
    fn lane_moment<T: Wide>(r: Self::LaneVector<T>, force: Self::LaneVector<T>) -> Self::LaneAngular<T>;
    /// ω × r.
    fn lane_spin<T: Wide>(angular: Self::LaneAngular<T>, r: Self::LaneVector<T>) -> Self::LaneVector<T>;
    fn matrix_times<T: Wide>(m: Self::LaneMatrix<T>, v: Self::LaneVector<T>) -> Self::LaneVector<T>;
    fn lane_inertia_times<T: Wide>(
        inertia: Self::LaneInertia<T>,
        angular: Self::LaneAngular<T>,
    ) -> Self::LaneAngular<T>;

    /// The mass that a point feels which two bodies hold by arms: the inverse of J·M⁻¹·Jᵀ, see `mass`.
    fn point_mass<T: Wide>(
        inverse_mass: T,
        a: (Self::LaneInertia<T>, Self::LaneVector<T>),
        b: (Self::LaneInertia<T>, Self::LaneVector<T>),
    ) -> Self::LaneMatrix<T>;

    /// How much the end of an arm yields by turning to a push across the arm; in space the mean of all directions.
    fn lane_yield_across<T: Wide>(inertia: Self::LaneInertia<T>, arm: Self::LaneVector<T>) -> T;
    fn lane_inertia_scaled<T: Wide>(inertia: Self::LaneInertia<T>, factor: T) -> Self::LaneInertia<T>;

    /// Writes direction, value, mass and yielding of what turns about the only axis, where a dimension has just one: from row
    /// `rows.0` on, with the turn from frame to frame at which the angle is 0 in row `rows.1`.
    fn put_angle<T: Wide>(
        token: T::Token,
        block: &mut Block<'_, T>,
        rows: (usize, usize),
        turns: (Self::LaneTurn<T>, Self::LaneTurn<T>),
        inertias: (Self::LaneInertia<T>, Self::LaneInertia<T>),
    );

    // Where bodies are when a step begins.
    /// How many quads the rotation, the inverse mass and the inverse inertia of a body take.
    const STAND_QUADS: usize;
    fn stand(side: &Side<Self>) -> [Quad; 3];
    /// The inverse mass, the inverse inertia and the rotation from the quads of all lanes.
    fn stands<T: Wide>(quads: [[T; 4]; 3]) -> (T, Self::LaneInertia<T>, Self::LaneTurn<T>);
    fn vector_quad(v: Self::Vector) -> Quad;
    fn lane_vector<T: Wide>(quad: [T; 4]) -> Self::LaneVector<T>;

    // States of bodies.
    fn gather_velocities<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
    ) -> (Self::LaneVector<T>, Self::LaneAngular<T>);
    fn scatter_velocities<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
        velocities: (Self::LaneVector<T>, Self::LaneAngular<T>),
    );
    /// The motion since the step began.
    fn gather_motion<T: Wide>(
        token: T::Token,
        block: &Block<'_, T>,
        states: &[Cell<Quad>],
        side: usize,
    ) -> (Self::LaneVector<T>, Self::LaneTurn<T>);

    // Rotations.
    fn no_turn<T: Wide>(token: T::Token) -> Self::LaneTurn<T>;
    /// R·v − v.
    fn turned<T: Wide>(turn: Self::LaneTurn<T>, v: Self::LaneVector<T>) -> Self::LaneVector<T>;
    fn inverse_turn<T: Wide>(turn: Self::LaneTurn<T>) -> Self::LaneTurn<T>;
    /// b seen from a.
    fn relative_turn<T: Wide>(a: Self::LaneTurn<T>, b: Self::LaneTurn<T>) -> Self::LaneTurn<T>;
    /// The axis times the angle, for less than half a turn.
    fn lane_rotation_vector<T: Wide>(turn: Self::LaneTurn<T>) -> Self::LaneAngular<T>;

    // One joint at a time.
    fn angular_unit(axis: usize) -> Self::Angular;
    /// `main` is the axis of the twist, where there is one.
    fn joint_angles(frame_a: Self::Rotation, frame_b: Self::Rotation, main: usize) -> JointAngles<Self>;
    /// The rotation vector from one rotation to another.
    fn turn_between(from: Self::Rotation, to: Self::Rotation) -> Self::Angular;
    fn inverse_rotation(rotation: Self::Rotation) -> Self::Rotation;
    /// A rotation that takes an axis to a direction; `None` where the direction is none.
    fn turn_to(axis: usize, direction: Self::Vector) -> Option<Self::Rotation>;
}

/// 2·atan(t)/t: by its series, whose next term is below 10⁻⁴ up to a relative turn of 45°. Only the motion
/// within a step is measured by it; each step begins with the exact angle.
#[inline(always)]
fn twice_arc_tangent<T: Wide>(square: T) -> T {
    let term = |value: f32| square.like(value);
    (((square * term(-2.0 / 7.0) + term(2.0 / 5.0)) * square) + term(-2.0 / 3.0)) * square + term(2.0)
}

/// The angle of a direction, in −π to π, to 2·10⁻⁷: by the polynomial of Hastings (1955) up to an eighth of a turn, from
/// there by reflection. 0 where there is no direction.
#[inline(always)]
fn arc_tangent2<T: Wide>(y: T, x: T) -> T {
    const SERIES: [f32; 8] = [
        0.002_866_225_8,
        -0.016_165_737,
        0.042_909_615,
        -0.075_289_64,
        0.106_562_64,
        -0.142_089,
        0.199_935_51,
        -0.333_331_44,
    ];
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let (across, along) = (y.abs(), x.abs());
    let is_steep = along.less_than(across);
    let (small, large) = (T::select(is_steep, along, across), T::select(is_steep, across, along));
    let ratio = T::select(zero.less_than(large), small / large, zero);
    let square = ratio * ratio;
    let mut sum = x.like(SERIES[0]);
    for term in &SERIES[1..] {
        sum = sum * square + x.like(*term);
    }
    let angle = ratio * (sum * square + one);
    let angle = T::select(is_steep, x.like(core::f32::consts::FRAC_PI_2) - angle, angle);
    let angle = T::select(x.less_than(zero), x.like(core::f32::consts::PI) - angle, angle);
    T::select(y.less_than(zero), -angle, angle)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_in_lanes_are_those_of_directions() {
        for k in -1000..=1000_i16 {
            let angle = f32::from(k) * (core::f32::consts::PI / 1000.0);
            let turn = Rot2::from_angle(angle);
            for size in [1.0, 1e-20, 1e20] {
                let found = arc_tangent2(turn.sin() * size, turn.cos() * size);
                let off = (f64::from(found) - f64::from(turn.sin()).atan2(f64::from(turn.cos()))).abs();
                assert!(off < 3e-7, "{angle} {found}");
            }
        }
        assert_eq!(arc_tangent2(0.0, -1.0), core::f32::consts::PI);
        assert_eq!(arc_tangent2(0.0, 0.0), 0.0);
    }
}
