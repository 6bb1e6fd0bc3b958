//! What a joint does along an axis, or about one: locked, free, limited, driven by a motor, pulled by a spring.

use super::form::function;
use crate::Error;
use crate::error::{finite, not_negative};

/// A motor that seeks a speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMotor {
    /// m/s or rad/s, of the second body as seen from the first.
    pub speed: f32,
    /// The greatest force, N, or torque, N·m. With speed 0 it is friction.
    pub max_force: f32,
}

/// A damped spring. Stiffness follows from the frequency and the masses, so it is the same for feathers and
/// trains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSpring {
    /// Where it rests, m or rad.
    pub target: f32,
    /// How often it swings in a second, undamped.
    pub frequency: f32,
    /// 1 is critical.
    pub damping_ratio: f32,
    /// The greatest force, N, or torque, N·m.
    pub max_force: f32,
}

/// What a joint does along or about one axis.
///
/// # Example
/// ```
/// use carom_dynamics::JointAxis;
/// let drawer = JointAxis::FREE.limits(0.0, 0.5).spring(0.0, 2.0, 0.7);
/// assert_eq!(drawer.limits, Some([0.0, 0.5]));
/// assert_ne!(drawer, JointAxis::LOCKED);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAxis {
    /// Does not move. The rest counts only where this is false.
    pub is_locked: bool,
    /// The least and the greatest coordinate; ±∞ for none. Angles are in −π to π: bounds beyond that hold nothing, and
    /// bounds that no angle is between are refused.
    pub limits: Option<[f32; 2]>,
    /// A motor.
    pub motor: Option<JointMotor>,
    /// A spring.
    pub spring: Option<JointSpring>,
}

impl JointAxis {
    /// Moves freely.
    pub const FREE: Self = JointAxis { is_locked: false, limits: None, motor: None, spring: None };
    /// Does not move.
    pub const LOCKED: Self = JointAxis { is_locked: true, ..Self::FREE };

    /// Stays within bounds.
    #[must_use]
    pub const fn limits(self, lower: f32, upper: f32) -> Self {
        JointAxis { limits: Some([lower, upper]), ..self }
    }
    /// Seeks a speed with at most so much force or torque.
    #[must_use]
    pub const fn motor(self, speed: f32, max_force: f32) -> Self {
        JointAxis { motor: Some(JointMotor { speed, max_force }), ..self }
    }
    /// Is drawn to a place.
    #[must_use]
    pub const fn spring(self, target: f32, frequency: f32, damping_ratio: f32) -> Self {
        let spring = JointSpring { target, frequency, damping_ratio, max_force: f32::INFINITY };
        JointAxis { spring: Some(spring), ..self }
    }
    /// The functions that it needs.
    pub(super) fn functions(&self) -> u8 {
        if self.is_locked {
            return 0;
        }
        let bit = |is_there: bool, bit: u8| if is_there { bit } else { 0 };
        bit(self.limits.is_some(), function::LIMIT)
            | bit(self.motor.is_some(), function::MOTOR)
            | bit(self.spring.is_some_and(|spring| spring.frequency > 0.0), function::SPRING)
    }
    pub(super) fn check(&self) -> Result<(), Error> {
        if let Some([lower, upper]) = self.limits
            && (lower.is_nan() || upper.is_nan() || upper < lower)
        {
            let range = "lower <= upper";
            return Err(Error::OutOfRange { what: "the lower limit", range, value: f64::from(lower) });
        }
        if let Some(motor) = self.motor {
            finite("the speed of the motor", motor.speed)?;
            at_least_zero("the force of the motor", motor.max_force)?;
        }
        if let Some(spring) = self.spring {
            finite("the target of the spring", spring.target)?;
            not_negative("the frequency of the spring", spring.frequency)?;
            not_negative("the damping of the spring", spring.damping_ratio)?;
            at_least_zero("the force of the spring", spring.max_force)?;
        }
        Ok(())
    }
}

/// Infinity is allowed.
pub(super) fn at_least_zero(what: &'static str, value: f32) -> Result<(), Error> {
    if value.is_nan() {
        return Err(Error::NotFinite { what, value: f64::NAN });
    }
    if value < 0.0 { Err(Error::Negative { what, value: f64::from(value) }) } else { Ok(()) }
}
