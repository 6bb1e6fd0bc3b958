//! One thing and an immovable wall.
//!
//! With the normal N of any length, the part of v along it is (v·N)/(N·N)·N. Dividing by N·N instead of
//! asking for a unit normal keeps mirrors such as the diagonal exact.

use crate::error::{direction, finite_vector, lowered, share};
use crate::{Error, Space};
use carom_math::Vec3;

/// The mirror image of a velocity: v − 2(v·n)n for the unit normal n. It does not matter to which side the
/// normal points, nor whether the velocity comes or goes; [`bounce`] cares.
///
/// # Errors
/// When a number is not finite, the normal is zero, or the answer is too large.
///
/// # Example
/// ```
/// use carom_dynamics::reflect;
/// use carom_math::{Vec2, Vec3};
/// // A wall across the x axis inverts x; the diagonal exchanges the axes.
/// assert_eq!(reflect(Vec3::new(-3.0, 2.0, 1.0), [5.0, 0.0, 0.0])?, Vec3::new(3.0, 2.0, 1.0));
/// assert_eq!(reflect(Vec2::new(1.0, 0.0), [-1.0, 1.0])?, Vec2::new(0.0, 1.0));
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
pub fn reflect<V: Space>(velocity: V, normal: impl Into<V>) -> Result<V, Error> {
    let velocity = finite_vector("velocity", velocity)?;
    let normal = direction("normal", normal.into())?;
    lowered("the velocity", without(velocity, normal, 2.0))
}

/// The velocity after hitting a wall: v − (1 + e)(v·n)n when it goes against the normal, which points from
/// the wall to the thing, and v unchanged otherwise. `restitution` e = 1 loses nothing, e = 0 all of
/// the speed along the normal.
///
/// # Errors
/// When a number is not finite, the normal is zero, the restitution is not in [0, 1], or the answer is too
/// large.
///
/// # Example
/// ```
/// use carom_dynamics::bounce;
/// use carom_math::Vec2;
/// assert_eq!(bounce(Vec2::new(1.0, -4.0), [0.0, 1.0], 0.5)?, Vec2::new(1.0, 2.0));
/// assert_eq!(bounce(Vec2::new(1.0, 4.0), [0.0, 1.0], 0.5)?, Vec2::new(1.0, 4.0));
/// # Ok::<(), carom_dynamics::Error>(())
/// ```
pub fn bounce<V: Space>(velocity: V, normal: impl Into<V>, restitution: V::Scalar) -> Result<V, Error> {
    let given = velocity;
    let velocity = finite_vector("velocity", given)?;
    let normal = direction("normal", normal.into())?;
    let restitution = share("restitution", restitution)?;
    // Halved, so that the sum of products cannot overflow; the sign is what counts.
    if (velocity * 0.25).dot(normal * 0.5) < 0.0 {
        lowered("the velocity", without(velocity, normal, 1.0 + restitution))
    } else {
        Ok(given)
    }
}

/// The velocity less `factor` times its part along the normal.
fn without(velocity: Vec3<f64>, normal: Vec3<f64>, factor: f64) -> Vec3<f64> {
    // An eighth of the velocity, so that the sum of three products with components below 2 stays finite.
    let along = (velocity * 0.125).dot(normal) / normal.dot(normal);
    (velocity * 0.125 - normal * (factor * along)) * 8.0
}
