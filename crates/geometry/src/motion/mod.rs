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
pub(crate) mod spin;
