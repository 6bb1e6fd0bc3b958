//! Exact answers and adversarial inputs for the tests of Carom. Never shipped.
//!
//! Every finite `f64` is a rational number, and every question about flat things (points, lines,
//! boxes, triangles, hulls) has a rational answer or the square root of one. So this crate computes
//! in rationals, without rounding, by methods whose result carries its own proof; clarity comes
//! before speed. Inputs are plain arrays, so that nothing here shares code with what it judges.
//!
//! * [`rational`]: exact numbers and vectors, rotations, and the way back to `f64` with bounds.
//! * [`polytope`]: convex sets; distance, overlap and penetration depth of a pair.
//! * [`flat`]: how points, lines, rays, segments, planes, triangles and parallelograms relate.
//! * [`motion`]: when a ray, a moving ball or a moving polytope touches first.
//! * [`rigid`]: when two turning bodies touch first, by certified subdivision of time.
//! * [`curved`]: distance of a point to balls, capsules, cylinders and cones.
//! * [`fit`]: convex hull, smallest rectangle, smallest ball.
//! * [`mesh`]: which points a closed mesh contains, and how far points are from it.
//! * [`generate`]: a small random number generator and inputs chosen to hurt.
//!
//! Functions panic on input that is not finite: a test that asks for the exact answer to a
//! meaningless question is itself wrong.
//!
//! ```
//! use carom_oracle::polytope::Convex;
//! use carom_oracle::rational::{exact, sqrt_bounds};
//!
//! let square = Convex::hull(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
//! let point = Convex::hull(&[[4.0, 5.0]]);
//! let squared = square.distance_squared(&point);
//! assert_eq!(squared, exact(25.0));
//! assert_eq!(sqrt_bounds(&squared), [5.0, 5.0]);
//! ```

// The generators and filters here decide no result that has to be the same bits everywhere.
#![allow(clippy::disallowed_methods)]

pub mod curved;
pub mod fit;
pub mod flat;
pub mod generate;
pub mod mesh;
pub mod motion;
pub mod polytope;
pub mod rational;
pub mod rigid;
