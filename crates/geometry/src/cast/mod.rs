//! Rays and straight motion: kernels that both dimensions share, and the way from a question in the
//! world to a kernel in the frame of a shape and back.
//!
//! - `span`: the part of a line in a convex shape; `flat`: boxes, half-spaces; `round`: balls, capsules;
//!   `ellipsoid`: ellipsoids; `advance`: whatever has nearest points but no equation.
//! - `moving`: a moving ball is a ray against a shape inflated by its radius; `boxes`: two boxes, slabs along
//!   their separating axes; `rods`: two capsules; `general`: any two convex shapes; `portal`: the facet that they
//!   meet at; `sides`: flat sides that they come down on. Whatever moves against a
//!   half-space is its support point.
//! - `plain`: the same for boxes and planes given by numbers, without shapes or poses.
//! - `precision`: the same formula in `f64` and, for decisions that are in doubt, with twice the precision.
//! - `quick`: the first hit in plain numbers, where there is no doubt about it; `narrow`: the same for answers in `f32`.
//! - `query`: scales, frames and rounding; `ray_query`, `shape_query`: the public questions; `touch_query`: which kernel a
//!   pair has; all three generated for both dimensions.
//!
//! Kernels work in `f64`, on problems brought near size 1 by powers of two, which is exact.

pub(crate) mod advance;
pub(crate) mod boxes;
pub(crate) mod ellipsoid;
pub(crate) mod flat;
pub(crate) mod general;
pub(crate) mod moving;
pub(crate) mod narrow;
pub(crate) mod plain;
pub(crate) mod portal;
pub(crate) mod precision;
pub(crate) mod query;
pub(crate) mod quick;
pub(crate) mod ray_query;
pub(crate) mod rods;
pub(crate) mod round;
pub(crate) mod shape_query;
pub(crate) mod sides;
pub(crate) mod span;
pub(crate) mod touch_query;

use crate::Error;
use crate::error::not_negative;
use carom_math::Real;

/// The sine of the angle between a motion and a surface below which it grazes: a step from a gap that is all rounding
/// would be a thousand times as long.
pub(crate) const GRAZING: f64 = 1e-3;

/// How far a moving shape is followed.
///
/// # Example
/// ```
/// use carom_geometry::CastOptions;
/// assert_eq!(CastOptions::<f64>::default().max, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastOptions<T> {
    /// Touches after this time are not reported; one exactly then is. 1 by default; may be infinite.
    pub max: T,
}

impl<T: Real> Default for CastOptions<T> {
    fn default() -> Self {
        CastOptions { max: T::ONE }
    }
}

impl<T: Real> CastOptions<T> {
    /// An error when `max` is negative or NaN.
    pub(crate) fn check(self) -> Result<Self, Error> {
        if self.max != T::INFINITY {
            not_negative("max", self.max)?;
        }
        Ok(self)
    }
}
