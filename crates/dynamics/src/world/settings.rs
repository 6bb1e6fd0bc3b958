//! What a world can be told about how it steps, and every tuning value with its unit and consequence.

use crate::Error;
use crate::Space;
use crate::error::{finite_vector, not_negative};
use carom_math::Vector;

/// How a world steps. Lengths derive from `slop`, so a world in millimetres changes that one, gravity and
/// the speeds.
///
/// # Example
/// ```
/// use carom_dynamics::Settings;
/// use carom_dynamics::d2::World;
/// use carom_math::Vec2;
/// let mut world = World::new();
/// assert_eq!(world.settings().gravity, Vec2::new(0.0, -10.0));
/// world.set_settings(Settings { sub_steps: 8, ..*world.settings() })?;
/// let error = world.set_settings(Settings { sub_steps: 0, ..Settings::default() }).unwrap_err();
/// assert_eq!(error.to_string(), "sub_steps must be in 1 to 64, but is 0");
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<V: Vector<Scalar = f32>> {
    /// The acceleration of everything that is dynamic, m/s²; −10 along y by default.
    pub gravity: V,
    /// Into how many sub-steps a step is divided, 4 by default. More makes stacks and heavy things on light
    /// ones stiffer, at proportional cost.
    pub sub_steps: u32,
    /// The overlap that contacts keep, so that they persist, in metres; 0.005 by default. Half as much makes
    /// stacks lose contacts at 60 Hz, twice as much shows on boxes of 10 cm. Contacts are found four times
    /// that far ahead.
    pub slop: f32,
    /// The frequency of the spring in a contact, as a share of the sub-step rate; 0.1875 by default: 45 Hz for
    /// four sub-steps at 60 Hz, twice that against what does not move, and four fifths of it where a body is pressed with
    /// more than 128 times its weight.
    ///
    /// A spring of frequency f under a mass that is n times that of the lighter body sinks by about
    /// n·g/(2πf)²; where the lighter one lies on something fixed, n counts as 32 at most. A tower of boxes as
    /// wide as high buckles above some 17·(f/45 Hz)^(2/3) of them, as Euler says: one of 50 slowly enough to fall
    /// asleep before, one of 100 not. So tall towers ask for more sub-steps. From about a quarter on, one pass in
    /// a sub-step no longer calms what it stirs up.
    pub contact_stiffness: f32,
    /// Its damping ratio; 10 by default: overlaps recover without a bounce.
    pub contact_damping: f32,
    /// The frequency of locks and limits of joints, as a share of the sub-step rate; 0.3 by default: 72 Hz for
    /// four sub-steps at 60 Hz. From about a third on, one pass in a sub-step no longer calms what it stirs up, and long
    /// chains that were stretched swing forever.
    pub joint_stiffness: f32,
    /// Its damping ratio; 8 by default. Less makes chains swing like springs.
    pub joint_damping: f32,
    /// How fast an overlap may be pushed apart, m/s; 3 by default. More launches what overlaps at the start.
    pub push_speed: f32,
    /// What approaches slower than this does not bounce, m/s; 1 by default.
    pub restitution_speed: f32,
    /// What approaches faster than this is reported as a hit, m/s; 1 by default.
    pub hit_speed: f32,
    /// Before each sub-step what is faster than this is slowed down to it, m/s; 400 by default. Within a sub-step a joint with a strong
    /// motor, or a hit, may make a body faster. Kinematic bodies have the velocity that they are given. What turns is
    /// slowed down in the same way, to an eighth of a turn in a step: 47 rad/s at 60 steps a second.
    pub max_speed: f32,
    /// Whether a body that gets farther in a step than a quarter of its thickness is kept from flying through
    /// others, fixed or moving; true by default. [`Body::continuous`](super::Body::continuous) is for one alone.
    pub continuous: bool,
    /// Whether what has come to rest is put to sleep; true by default.
    pub sleep: bool,
    /// For how long all bodies of an island must be slow, s; 0.5 by default.
    pub sleep_time: f32,
    /// Whether the points of a contact are kept while the pair moves less than the distance that contacts
    /// are found ahead; true by default. Off, all are found anew in each step.
    pub recycle: bool,
}

impl<V: Vector<Scalar = f32>> Default for Settings<V> {
    fn default() -> Self {
        Settings {
            gravity: V::unit(1) * -10.0,
            sub_steps: 4,
            slop: 0.005,
            contact_stiffness: 0.1875,
            contact_damping: 10.0,
            joint_stiffness: 0.3,
            joint_damping: 8.0,
            push_speed: 3.0,
            restitution_speed: 1.0,
            hit_speed: 1.0,
            max_speed: 400.0,
            continuous: true,
            sleep: true,
            sleep_time: 0.5,
            recycle: true,
        }
    }
}

impl<V: Vector<Scalar = f32>> Settings<V> {
    /// How far ahead contacts are found.
    pub(crate) fn margin(&self) -> f32 {
        4.0 * self.slop
    }
    /// By how much the boxes of the broad phase are larger than the shapes, at most.
    pub(crate) fn box_margin(&self) -> f32 {
        10.0 * self.slop
    }
}

impl<V: Space + Vector<Scalar = f32>> Settings<V> {
    /// An error that names what does not make sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        finite_vector("gravity", self.gravity)?;
        if !(1..=64).contains(&self.sub_steps) {
            return Err(Error::OutOfRange {
                what: "sub_steps",
                range: "1 to 64",
                value: f64::from(self.sub_steps),
            });
        }
        for (what, value) in [
            ("slop", self.slop),
            ("contact_stiffness", self.contact_stiffness),
            ("contact_damping", self.contact_damping),
            ("joint_stiffness", self.joint_stiffness),
            ("joint_damping", self.joint_damping),
            ("push_speed", self.push_speed),
            ("restitution_speed", self.restitution_speed),
            ("hit_speed", self.hit_speed),
            ("max_speed", self.max_speed),
            ("sleep_time", self.sleep_time),
        ] {
            not_negative(what, value)?;
        }
        Ok(())
    }
}
