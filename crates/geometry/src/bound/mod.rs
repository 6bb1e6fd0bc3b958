//! Bounding volumes: boxes along the axes, turned boxes and balls, and how to fit them to points.
//!
//! | volume | built from points by |
//! |---|---|
//! | [`Aabb`] | [`Aabb::from_points`], and `aabb` for every shape |
//! | [`Obb`] | its principal axes ([`Obb::from_principal_axes`]), `minimum_rectangle` in the plane, `minimum_box` in space |
//! | [`BoundingBall`] | [`BoundingBall::ritter`] (quick) or [`BoundingBall::minimum`] (the smallest) |
//!
//! **A bound bounds.** Whatever was computed on the way, the last step measures the points against
//! the numbers that are returned, with every rounding directed outwards: each point lies in the
//! volume in exact arithmetic, in `f32` as well as in `f64`. Where the sums and products happen to be
//! representable (lattice coordinates, turns by right angles) nothing is rounded at all, so the box of
//! an axis-aligned box is that box.

mod aabb;
mod ball;
pub(crate) mod directed;
mod distance;
mod minimum_ball;
mod obb;
mod placement;
mod posed;
mod shapes;
pub(crate) mod swept;

pub use aabb::Aabb;
pub use ball::BoundingBall;
pub use obb::Obb;
pub use placement::Placement;

pub(crate) use obb::principal_axes;
pub(crate) use placement::Frame;
pub(crate) use shapes::Bounded;

use crate::Error;
use crate::error::finite_vector;
use carom_math::Vector;

/// An error unless there is a point and all of them are finite.
pub(crate) fn check_points<V: Vector>(points: &[V]) -> Result<(), Error> {
    if points.is_empty() {
        return Err(Error::TooFewPoints { what: "points", least: 1, count: 0 });
    }
    for point in points {
        finite_vector("points", *point)?;
    }
    Ok(())
}

/// The largest magnitude of a coordinate.
pub(crate) fn size_of<V: Vector<Scalar = f64>>(points: &[V]) -> f64 {
    points.iter().fold(0.0, |size, p| carom_math::Number::max_of(p.max_abs(), size))
}
