//! Bounding volumes of space.

mod minimum_box;
mod swept;

pub use minimum_box::minimum_box;
pub use swept::{swept_aabb, swept_ball};

use super::Rounded;
use crate::Error;
use crate::bound::directed::{product_up, root_up, sum_down, sum_up};
use crate::bound::{self, Bounded, Frame};
use crate::d3::{AsShape, Cone, Cylinder};
use crate::error::finite_pose;
use carom_math::{Pose3, Real, Vec3, Vector};

/// See [`crate::bound::Aabb`].
pub type Aabb<T> = bound::Aabb<Vec3<T>>;
/// See [`crate::bound::Obb`].
pub type Obb<T> = bound::Obb<Pose3<T>>;
/// See [`crate::bound::BoundingBall`].
pub type BoundingBall<T> = bound::BoundingBall<Vec3<T>>;

/// The box along the axes around a shape at a pose: tight up to a few ulp of the shape's size and
/// certain to contain it.
///
/// Exact when the rotation consists of right angles and the sums are representable. A half-space
/// reaches to infinity: its box does so along every axis, except towards the outside of a plane that
/// is perpendicular to an axis.
///
/// # Errors
/// When the pose is not finite.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Cylinder, aabb};
/// use carom_math::Quat;
/// // A lying can: its axis turned from y to x.
/// let can = Cylinder::new(2.0, 0.5)?;
/// let fit = aabb(&can, ([0.0, 0.5, 0.0], Quat::new(0.0, 0.0, 1.0, 1.0).unwrap()))?;
/// assert_eq!((fit.max.x, fit.min.y, fit.max.y, fit.max.z), (2.0, 0.0, 1.0, 0.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn aabb<T: Real>(shape: &impl AsShape<T>, pose: impl Into<Pose3<T>>) -> Result<Aabb<T>, Error> {
    let frame = Frame::new(finite_pose("pose", pose.into())?);
    Ok(Aabb::narrowed_outward(shape.as_shape().widen().bounds(&frame)))
}

impl Bounded<Vec3<f64>> for Cylinder<f64> {
    fn bounds(&self, frame: &Frame<Vec3<f64>>) -> Aabb<f64> {
        disc(frame, self.half_height(), self.radius()).merged(disc(frame, -self.half_height(), self.radius()))
    }
}

impl Bounded<Vec3<f64>> for Cone<f64> {
    fn bounds(&self, frame: &Frame<Vec3<f64>>) -> Aabb<f64> {
        let tip = frame.placed_point(Vec3::new(0.0, self.half_height(), 0.0));
        tip.merged(disc(frame, -self.half_height(), self.radius()))
    }
}

/// The box of the disc about the local y axis at the given height.
///
/// A disc of radius r with unit normal a reaches r·√(1 − aᵢ²) from its centre along axis i. The root is
/// taken of the sum of the other two squares, which does not cancel.
fn disc(frame: &Frame<Vec3<f64>>, height: f64, radius: f64) -> Aabb<f64> {
    let center = frame.placed_point(Vec3::new(0.0, height, 0.0));
    let [_, axis, _] = frame.columns;
    let reach = Vec3::from_fn(|i| {
        let others = [axis.get((i + 1) % 3), axis.get((i + 2) % 3)];
        let sum = sum_up(product_up(others[0], others[0]), product_up(others[1], others[1]));
        // A component of the axis is off by 4ε at most, and so is the root.
        let error = frame.turn_error(Vec3::new(0.0, radius, 0.0));
        sum_up(product_up(radius, root_up(sum)), error)
    });
    Aabb { min: center.min.zip(-reach, sum_down), max: center.max.zip(reach, sum_up) }
}

impl Bounded<Vec3<f64>> for Rounded<f64> {
    fn bounds(&self, frame: &Frame<Vec3<f64>>) -> Aabb<f64> {
        self.core().bounds(frame).grown(self.radius())
    }
}
