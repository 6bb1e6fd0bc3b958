//! How hard something that flows holds a body back, in a step of any length and however light the body is.
//!
//! Each shape of the body feels a force c·u where it is, u being how fast what flows passes there, and a torque −A·ω. With
//! the velocity V = (v, ω) of the body, its mass M and the velocity J·V of the body where a shape is, these together are
//!
//! ```text
//! Q − K·(change of V)        Q = Σ Jᵀ·c·u − A·ω        K = Σ c·Jᵀ·J + A
//! ```
//!
//! What a step does with Q alone, or with each shape as if there were no other, takes a light body beyond what flows, and
//! the next step farther back. So the push is that of the end of the step: with the acceleration a,
//!
//! ```text
//! (M + dt·K)·a = Q
//! ```
//!
//! Seen from what flows, V goes to (1 + dt·M⁻¹·K)⁻¹·V, which is never more. M + dt·K is symmetric and positive: conjugate
//! gradients with M⁻¹ before them are at the answer after as many rounds as M⁻¹·K has values, which is one for a single
//! shape in the middle of its body and six at most. They treat what is symmetric alike, which shape by shape would not.

use super::body::Record;
use super::dimension::Engine;
use carom_math::Vector;

/// More than directions to move in: a few rounds are left for what rounding takes.
const ROUNDS: usize = 12;

/// What is left of the square of the error when enough is known for `f32`.
const ENOUGH: f32 = 1e-12;

/// How what flows acts on one shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drag<D: Engine> {
    /// Where, from the centre of mass.
    pub(crate) arm: D::Vector,
    /// How fast what flows passes there.
    pub(crate) passes: D::Vector,
    /// The force for each unit of that.
    pub(crate) force_rate: f32,
    /// The torque for each unit of angular velocity is that rate times the inertia, in the world.
    pub(crate) inertia: D::Inertia,
    pub(crate) torque_rate: f32,
}

impl<D: Engine> Drag<D> {
    /// Whether it can be reckoned with.
    pub(crate) fn is_finite(&self) -> bool {
        self.arm.finite()
            && self.passes.finite()
            && self.force_rate.is_finite()
            && self.torque_rate.is_finite()
    }
}

/// A force and a torque, or a linear and an angular velocity.
#[derive(Clone, Copy, Debug)]
struct Pair<D: Engine> {
    linear: D::Vector,
    angular: D::Angular,
}

impl<D: Engine> Pair<D> {
    fn zero() -> Self {
        Pair { linear: D::Vector::ZERO, angular: D::Angular::default() }
    }
    fn plus(self, other: Self, times: f32) -> Self {
        Pair { linear: self.linear + other.linear * times, angular: self.angular + other.angular * times }
    }
    fn dot(self, other: Self) -> f32 {
        self.linear.dot(other.linear) + D::angular_dot(self.angular, other.angular)
    }
    /// Another force, `arm` from the centre.
    fn pushed(self, arm: D::Vector, force: D::Vector) -> Self {
        Pair { linear: self.linear + force, angular: self.angular + D::moment(arm, force) }
    }
}

/// The force and the torque on a body that turns with `angular`, from what flows by its shapes during a step of `dt`.
pub(crate) fn resistance<D: Engine>(
    record: &Record<D>,
    rotation: D::Rotation,
    angular: D::Angular,
    drags: &[Drag<D>],
    dt: f32,
) -> (D::Vector, D::Angular) {
    let inverse_inertia = record.free_inverse_inertia(rotation);
    let locks = record.locks.bits;
    let inverse_mass =
        D::Vector::from_fn(|axis| if locks >> axis & 1 != 0 { 0.0 } else { record.inverse_mass });
    // How a force and a torque would move it.
    let moved = |push: Pair<D>| Pair::<D> {
        linear: D::Vector::from_fn(|axis| push.linear.get(axis) * inverse_mass.get(axis)),
        angular: D::inertia_times(inverse_inertia, push.angular),
    };
    // What a velocity more takes away from the push.
    let held = |more: Pair<D>| {
        drags.iter().fold(Pair::<D>::zero(), |sum, drag| {
            let force = (more.linear + D::spin(more.angular, drag.arm)) * drag.force_rate;
            let torque = D::inertia_times(drag.inertia, more.angular) * drag.torque_rate;
            let sum = sum.pushed(drag.arm, force);
            Pair { angular: sum.angular + torque, ..sum }
        })
    };
    let mut rest = drags.iter().fold(Pair::<D>::zero(), |sum, drag| {
        let torque = D::inertia_times(drag.inertia, angular) * -drag.torque_rate;
        let sum = sum.pushed(drag.arm, drag.passes * drag.force_rate);
        Pair { angular: sum.angular + torque, ..sum }
    });
    // The direction of a round, and what makes it of a body at rest.
    let (mut found, mut way, mut push) = (Pair::<D>::zero(), moved(rest), rest);
    let mut error = rest.dot(way);
    let enough = ENOUGH * error;
    for _ in 0..ROUNDS {
        let needs = push.plus(held(way), dt);
        let share = error / way.dot(needs);
        if !(enough < error && share.is_finite()) {
            break;
        }
        found = found.plus(push, share);
        rest = rest.plus(needs, -share);
        let next = moved(rest);
        let left = rest.dot(next);
        (way, push) = (next.plus(way, left / error), rest.plus(push, left / error));
        error = left;
    }
    (found.linear, found.angular)
}
