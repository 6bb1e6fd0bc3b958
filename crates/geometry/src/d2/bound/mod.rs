//! Bounding volumes of the plane.

mod rectangle;
mod swept;

pub(crate) use rectangle::least_area;
pub use rectangle::minimum_rectangle;
pub use swept::{swept_aabb, swept_ball};

use super::Rounded;
use crate::Error;
use crate::bound::{self, Bounded, Frame};
use crate::d2::AsShape;
use crate::error::finite_pose;
use carom_math::{Pose2, Real, Vec2};

/// See [`crate::bound::Aabb`].
pub type Aabb<T> = bound::Aabb<Vec2<T>>;
/// See [`crate::bound::Obb`].
pub type Obb<T> = bound::Obb<Pose2<T>>;
/// See [`crate::bound::BoundingBall`].
pub type BoundingBall<T> = bound::BoundingBall<Vec2<T>>;

/// The box along the axes around a shape at a pose: tight up to a few ulp of the shape's size and
/// certain to contain it.
///
/// Exact when the rotation is a multiple of a right angle and the sums are representable. A half-space
/// reaches to infinity: its box does so along every axis, except towards the outside of a plane that
/// is perpendicular to an axis.
///
/// # Errors
/// When the pose is not finite.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Cuboid, aabb};
/// let plank = Cuboid::new([2.0, 0.5])?;
/// let fit = aabb(&plank, [10.0, 0.0])?;
/// assert_eq!((fit.min.x, fit.max.x, fit.max.y), (8.0, 12.0, 0.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn aabb<T: Real>(shape: &impl AsShape<T>, pose: impl Into<Pose2<T>>) -> Result<Aabb<T>, Error> {
    let frame = Frame::new(finite_pose("pose", pose.into())?);
    Ok(Aabb::narrowed_outward(shape.as_shape().widen().bounds(&frame)))
}

impl Bounded<Vec2<f64>> for Rounded<f64> {
    fn bounds(&self, frame: &Frame<Vec2<f64>>) -> Aabb<f64> {
        self.core().bounds(frame).grown(self.radius())
    }
}
