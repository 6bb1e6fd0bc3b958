//! How soft a contact is: a damped spring, made implicit.
//!
//! With ω = 2πf, a₁ = 2ζ + hω, a₂ = hω·a₁ and a₃ = 1/(1 + a₂) the spring k = mω² with the damper c = 2mζω,
//! integrated implicitly over h, is the velocity constraint
//!
//! ```text
//! Δλ = −m·(a₂a₃·v + bias) − a₃·λ        bias = a₂a₃·(ω/a₁)·separation
//! ```
//!
//! so that a₂a₃ + a₃ = 1. The mass of the pair drops out: frequency and damping ratio are the same for
//! feathers and trains. After Catto's Soft Step: the biased pass pushes overlaps out, the relaxing pass
//! removes the velocity which that has left behind.

use crate::world::Settings;
use carom_math::Vector;

/// Contacts that press a body with more than this many times its weight are under a load; without gravity, all that press.
///
/// One of a spring that bears a mass M much larger than m, the mass that a pass sees, follows in a sub-step Δλ = −m·((1 + a₂a₃)·v + bias) − a₃·λ
/// (both passes), which is stable as long as (hω)² < 1 + a₂a₃: up to a frequency of 0.22 of the sub-step rate. With rows of light bodies in between the load
/// arrives late, passes on from contact to contact, and less is stable: three hundred times the weight on nine rows of boxes stands up to 0.18 and throws
/// boxes about from 0.185 on. What bears little, a tower of a hundred among it, gains from the stiffer spring; what bears much is given a softer one.
const MOST_LOAD: f32 = 128.0;
/// The frequency of a contact under a load, as a share of that of others.
const LOADED: f32 = 0.8;

/// The numbers of a step that every constraint shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepFactors {
    /// The length of a sub-step.
    pub(crate) h: f32,
    /// 1/h.
    pub(crate) inverse_h: f32,
    /// What pushes overlaps apart is no faster than this.
    pub(crate) push_speed: f32,
    /// What approaches slower does not bounce.
    pub(crate) restitution_speed: f32,
    /// What overlaps by less is not deep in anything.
    pub(crate) margin: f32,
    /// Nothing is faster than this.
    pub(crate) max_speed: f32,
    /// Nothing turns faster than this.
    pub(crate) max_angular_speed: f32,
    /// Bias rate, mass scale and impulse scale between moving bodies.
    pub(crate) soft: [f32; 3],
    /// The same against what impulses do not move.
    pub(crate) firm: [f32; 3],
    /// The same between moving bodies under a load.
    pub(crate) loaded: [f32; 3],
    /// What changes the velocity of the lighter body by more than this in a sub-step is a load, m/s.
    pub(crate) most_kick: f32,
    /// The same for the locks and limits of joints.
    pub(crate) joint: [f32; 3],
}

impl StepFactors {
    pub(crate) fn new<V: Vector<Scalar = f32>>(settings: &Settings<V>, dt: f32) -> Self {
        let h = dt / settings.sub_steps as f32;
        let hertz = settings.contact_stiffness / h;
        StepFactors {
            h,
            inverse_h: 1.0 / h,
            push_speed: settings.push_speed,
            restitution_speed: settings.restitution_speed,
            margin: settings.margin(),
            max_speed: settings.max_speed,
            // An eighth of a turn in a step: the linearised motion of contact points holds that long.
            max_angular_speed: core::f32::consts::FRAC_PI_4 / dt,
            soft: softness(hertz, settings.contact_damping, h),
            firm: softness(2.0 * hertz, settings.contact_damping, h),
            loaded: softness(LOADED * hertz, settings.contact_damping, h),
            most_kick: MOST_LOAD * settings.gravity.length_squared().sqrt() * h,
            joint: softness(settings.joint_stiffness / h, settings.joint_damping, h),
        }
    }
}

/// Bias rate, mass scale and impulse scale of a spring.
pub(crate) fn softness(hertz: f32, damping_ratio: f32, h: f32) -> [f32; 3] {
    if hertz == 0.0 {
        return [0.0; 3];
    }
    let omega = 2.0 * core::f32::consts::PI * hertz;
    let a1 = 2.0 * damping_ratio + h * omega;
    let a2 = h * omega * a1;
    let a3 = 1.0 / (1.0 + a2);
    [omega / a1, a2 * a3, a3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_those_of_an_implicit_spring() {
        // Worked out by hand for h = 1/240.
        let close = |got: [f32; 3], want: [f32; 3]| {
            got.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-4 * want)
        };
        let h = 1.0 / 240.0;
        assert!(close(softness(30.0, 10.0, h), [9.0687, 0.942_279, 0.057_721]));
        assert!(close(softness(60.0, 10.0, h), [17.4769, 0.971_333, 0.028_667]));
        assert!(close(softness(60.0, 2.0, h), [67.6728, 0.897_442, 0.102_558]));
        assert_eq!(softness(0.0, 1.0, h), [0.0; 3]);
    }
}
