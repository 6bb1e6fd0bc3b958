//! Two point masses: the response without spinning.

use crate::error::{factor_to_one, finite, narrowed, not_negative};
use crate::impulse::{Body, Collision, collide};
use crate::{Error, Space};
use carom_math::Real;

/// What the two surfaces do to each other.
///
/// # Example
/// ```
/// use carom_dynamics::Impact;
/// let rubber = Impact { restitution: 0.75, friction: 1.0 };
/// assert_ne!(rubber, Impact::default()); // which loses all of the normal speed, without friction
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Impact<T> {
    /// The share of the normal speed that is given back, in [0, 1]: 1 is perfectly elastic.
    pub restitution: T,
    /// Coulomb's µ, 0 or more: the friction impulse is at most µ times the normal one.
    pub friction: T,
}

/// The velocities after a collision of point masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response<V: Space> {
    /// The new velocity of the first thing.
    pub velocity_a: V,
    /// The new velocity of the second thing.
    pub velocity_b: V,
    /// The magnitude of the normal impulse: how much momentum along the normal went from one thing to
    /// the other, 0 when they separate. The impulse of friction is not part of it.
    pub impulse: V::Scalar,
}

/// The velocities of two point masses after they collide.
///
/// The normal points from a to b and has any length. With the unit normal n and v = v_b − v_a, nothing
/// happens unless v·n < 0. Then the normal impulse j = −(1 + e)(v·n) / (1/m_a + 1/m_b) pushes b along n
/// and a against it. After that friction acts against the sliding v − (v·n)n with the impulse that would
/// stop it, but at most µ·j. A mass of 0 is immovable and keeps its velocity; between two immovable
/// things there is no impulse.
///
/// # Errors
/// When a number is not finite, a mass or the friction is negative, the restitution is not in [0, 1], the
/// normal is zero, or the answer is too large.
///
/// # Example
/// ```
/// use carom_dynamics::{Impact, respond};
/// use carom_math::Vec3;
/// // Sliding onto the floor: the impulse along the normal is 8, so friction may take up to 4.
/// let rough = Impact { restitution: 0.0, friction: 0.5 };
/// let after = respond(Vec3::new(10.0, -4.0, 0.0), [0.0; 3], 2.0, 0.0, [0.0, -1.0, 0.0], rough)?;
/// assert_eq!((after.velocity_a, after.impulse), (Vec3::new(8.0, 0.0, 0.0), 8.0));
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
pub fn respond<V: Space>(
    velocity_a: V,
    velocity_b: impl Into<V>,
    mass_a: V::Scalar,
    mass_b: V::Scalar,
    normal: impl Into<V>,
    impact: Impact<V::Scalar>,
) -> Result<Response<V>, Error> {
    let body = |velocity: V, mass| Body { velocity, mass, ..Body::default() };
    let (a, b) = (body(velocity_a, mass_a), body(velocity_b.into(), mass_b));
    let collision = Collision { normal: normal.into(), arm_a: V::ZERO, arm_b: V::ZERO, impact };
    let after = collide(&a, &b, &collision)?;
    Ok(Response { velocity_a: after.velocity_a, velocity_b: after.velocity_b, impulse: after.impulse })
}

/// The velocities of two masses on a line after a perfectly elastic collision:
///
/// ```text
/// v_a′ = ((m_a − m_b)·v_a + 2·m_b·v_b) / (m_a + m_b)        v_b′ = ((m_b − m_a)·v_b + 2·m_a·v_a) / (m_a + m_b)
/// ```
///
/// computed as v_a′ = v_a + 2·m_b/(m_a + m_b)·(v_b − v_a), which is the same and exact for equal masses
/// of small whole velocities. It is a formula about velocities only: it does not ask whether the two
/// approach. A mass of 0 is immovable; two immovable things keep their velocities.
///
/// # Errors
/// When a number is not finite, a mass is negative, or the answer is too large.
///
/// # Example
/// ```
/// use carom_dynamics::elastic_1d;
/// assert_eq!(elastic_1d(1.0, 3.0, 4.0, 0.0)?, (-2.0, 2.0));
/// assert_eq!(elastic_1d(1.0, 0.0, 4.0, 0.0)?, (-4.0, 0.0)); // a wall
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
pub fn elastic_1d<T: Real>(mass_a: T, mass_b: T, velocity_a: T, velocity_b: T) -> Result<(T, T), Error> {
    let masses = (not_negative("mass_a", mass_a)?, not_negative("mass_b", mass_b)?);
    let (a, b) = (finite("velocity_a", velocity_a)?, finite("velocity_b", velocity_b)?);
    let (share_a, share_b) = shares(masses.0, masses.1);
    // A quarter of everything, so that differences of huge velocities stay finite on the way.
    let closing = b * 0.25 - a * 0.25;
    let after_a = (a * 0.25 + (2.0 * share_a) * closing) * 4.0;
    let after_b = (b * 0.25 - (2.0 * share_b) * closing) * 4.0;
    Ok((narrowed("velocity_a", after_a)?, narrowed("velocity_b", after_b)?))
}

/// Which share of a change of relative velocity (or position) each mass takes: the inverse masses
/// divided by their sum, so the other's mass over the sum. Both 0 for two immovable things.
pub(crate) fn shares(mass_a: f64, mass_b: f64) -> (f64, f64) {
    match (mass_a == 0.0, mass_b == 0.0) {
        (true, true) => (0.0, 0.0),
        (true, false) => (0.0, 1.0),
        (false, true) => (1.0, 0.0),
        (false, false) => {
            let larger = if mass_a < mass_b { mass_b } else { mass_a };
            let factor = factor_to_one(larger).unwrap_or(1.0);
            let (a, b) = (mass_a * factor, mass_b * factor);
            (b / (a + b), a / (a + b))
        }
    }
}
