//! Vectors, rotations and matrices in rows of lanes: what the joint kernel asks of a dimension.
//!
//! Contacts have a kernel for each dimension. Joints have one for both, written over the operations of this
//! trait: T is one number, or as many side by side as the processor has lanes.

use super::{Dimension, Side};
use crate::world::solver::block::Block;
use crate::world::solver::wide::{Quad, Wide};
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

    /// An inertia of one lane, from its numbers.
    fn inertia_of(number: impl Fn(usize) -> f32) -> Self::Inertia;

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
    /// R·I⁻¹·Rᵀ.
    fn inertia_turned<T: Wide>(
        turn: Self::LaneTurn<T>,
        inertia: Self::LaneInertia<T>,
    ) -> Self::LaneInertia<T>;
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
pub(super) fn twice_arc_tangent<T: Wide>(square: T) -> T {
    let term = |value: f32| square.like(value);
    (((square * term(-2.0 / 7.0) + term(2.0 / 5.0)) * square) + term(-2.0 / 3.0)) * square + term(2.0)
}

/// The angle of a direction, in −π to π, to 2·10⁻⁷: by the polynomial of Hastings (1955) up to an eighth of a turn, from
/// there by reflection. 0 where there is no direction.
#[inline(always)]
pub(super) fn arc_tangent2<T: Wide>(y: T, x: T) -> T {
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

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Rot2;

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
