//! Free rotation: a body that tumbles keeps its angular momentum and its energy.
//!
//! Euler's equations in the body frame, I·ω̇ + ω × Iω = 0, are integrated by the implicit midpoint rule, with
//! u = (ω₀ + ω₁)/2:
//!
//! ```text
//! 2I(u − ω₀) + τ·u × Iu = 0        ω₁ = 2u − ω₀
//! ```
//!
//! Energy ½ωᵀIω and |Iω|² are quadratic, and the midpoint rule keeps quadratic invariants. The equation
//! also says that the momentum Iω is turned by the Cayley transform of −τu; when the body is turned by the
//! Cayley transform of +τu, the quaternion (½τu, 1), the momentum in the world does not change at all. With
//! τ = (2/|ω|)·tan(h|ω|/2) instead of h that quaternion turns by the angle h|ω|, exactly what a steady spin
//! does. So both are kept to rounding error, for any step, where the usual implicit Euler step loses energy.

use carom_math::{Mat3, Quat, Real, Vec3, Vector};

/// tan(x)/x for x² given: by its series up to x = 0.4, beyond by trigonometry, and never near the pole.
#[inline(always)]
pub(super) fn turn_factor(square: f32) -> f32 {
    if square <= 0.16 {
        const SERIES: [f32; 5] = [1.0 / 3.0, 2.0 / 15.0, 17.0 / 315.0, 62.0 / 2835.0, 1382.0 / 155_925.0];
        return SERIES.iter().rev().fold(0.0, |sum, term| (sum + term) * square) + 1.0;
    }
    let x = square.sqrt();
    let x = if x < 1.5 { x } else { 1.5 };
    let (sine, cosine) = x.sine_cosine();
    sine / (cosine * x)
}

/// The vector part ½τu of the turn, in the world, and the angular velocity after it.
///
/// `rotation` is the one before the turn. Solved by Newton's method in `f64`; with the rotation in a sub-step
/// limited to an eighth of a turn three rounds end far below the rounding error of `f32`.
#[inline]
pub(super) fn free_rotation(
    inertia: Mat3<f32>,
    rotation: Quat<f32>,
    angular: Vec3<f32>,
    h: f32,
) -> (Vec3<f32>, Vec3<f32>) {
    if angular == Vec3::ZERO {
        return (angular, angular);
    }
    let tau = f64::from(h * turn_factor(0.25 * h * h * angular.dot(angular)));
    let inertia = Mat3 { columns: inertia.columns.map(Vector::widen) };
    let turn = rotation.widen().to_matrix();
    let before = turn.transpose_mul(angular.widen());
    let mut middle = before;
    let rounds = if tau * tau * before.dot(before) < 1e-4 { 2 } else { 3 };
    for _ in 0..rounds {
        let momentum = inertia * middle;
        let residual = inertia * (middle - before) * 2.0 + middle.cross(momentum) * tau;
        // Column k of [u]I − [Iu] is u × I·e − Iu × e for the axis e.
        let derivative = Mat3 {
            columns: core::array::from_fn(|k| {
                let column = inertia.columns[k];
                column * 2.0 + (middle.cross(column) - momentum.cross(Vec3::unit(k))) * tau
            }),
        };
        let Some(change) = derivative.solve(residual) else { break };
        middle -= change;
    }
    let half = (turn * middle) * (0.5 * tau);
    // The world components of ω₁: its body components, turned with the body.
    let after = turn * (middle * 2.0 - before);
    // The Cayley transform of q = ½τu, without the quaternion: v + 2/(1 + q²)·(q × v + q × (q × v)).
    let across = half.cross(after);
    let after = after + (across + half.cross(across)) * (2.0 / (1.0 + half.dot(half)));
    (Vec3::narrow(half), Vec3::narrow(after))
}
