//! Rigid motion: when do two shapes that move and turn first touch?
//!
//! - [`spin`]: what the plane and space differ in, and how far a turning shape reaches;
//! - [`certificate`]: a proof that two turning shapes stay apart for some time;
//! - [`side`]: what the direction of such a proof should turn with;
//! - [`impact`]: the search for the first touch, which strings such proofs together;
//! - [`chase`]: the pair as that search sees it, for both dimensions;
//! - [`query`]: the way from a question in the world to the search and back, for both dimensions;
//! - [`bisection`]: the same for balls in straight motion, by halving intervals of time;
//! - [`inclusion`]: corners and edges of meshes in straight motion, by halving boxes of parameters.
//!
//! Kernels work in `f64`. Times are those of the motion, so nothing that is compared with a time has a
//! length in it.

pub(crate) mod bisection;
pub(crate) mod certificate;
pub(crate) mod chase;
pub(crate) mod impact;
pub(crate) mod inclusion;
pub(crate) mod query;
pub(crate) mod side;
pub(crate) mod simple;
pub(crate) mod spin;

use carom_math::{Number, Vector};

/// How near two points in straight motion come to each other from one time to another; `between` them at time 0, with the velocity of one seen
/// from the other. 0 where the numbers do not tell.
///
/// |c + t·v|² is off by (4ε|c|)² at the time that is found, which is off by 4ε|c|/|v|; and the place then by a rounding of the way there.
pub(crate) fn least_distance<V: Vector<Scalar = f64>>(between: V, velocity: V, [from, to]: [f64; 2]) -> f64 {
    let size = velocity.max_abs();
    // At a size of 1, so that no square is out of range.
    let along = velocity * (1.0 / size);
    let closest = if 0.0 < size { -between.dot(along) / along.length_squared() / size } else { from };
    if !closest.is_finite() {
        return 0.0;
    }
    (between + velocity * closest.max_of(from).min_of(to)).length()
}
