//! Boxes along the axes after a pose.

use crate::Error;
use crate::bound::Aabb;
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};

/// The methods of a box that need a pose of its dimension.
macro_rules! boxes_under_poses {
    ($vector:ident, $rotation:ident, $pose:ident, $example:literal) => {
        impl<T: Real> Aabb<$vector<T>> {
            /// The box around this box after a rotation about the origin.
            ///
            /// Not the box of what was inside: a box of a box grows with every turn. For the true box
            /// turn the points ([`from_transformed_points`](Self::from_transformed_points)) or ask the
            /// shape (`aabb`).
            ///
            /// # Errors
            /// When the rotation is not finite.
            ///
            /// # Example
            /// ```
            #[doc = $example]
            /// # Ok::<(), carom_geometry::Error>(())
            /// ```
            pub fn rotated(self, rotation: $rotation<T>) -> Result<Self, Error> {
                self.placed($pose::new($vector::ZERO, rotation))
            }

            /// The box around this box after a pose: turned, then moved. By the sign of each matrix
            /// entry it picks the end of the range that makes the sum smallest or largest, which
            /// takes 18 multiplications in space and 8 in the plane. Rounded outwards; exact when the
            /// rotation is a multiple of a right angle about an axis and the corners are representable.
            ///
            /// # Errors
            /// When the pose is not finite.
            pub fn transformed(self, pose: impl Into<$pose<T>>) -> Result<Self, Error> {
                self.placed(pose.into())
            }

            /// The smallest box around points after a pose, rounded outwards.
            ///
            /// # Errors
            /// When there is no point, or something is not finite.
            pub fn from_transformed_points(
                points: &[$vector<T>],
                pose: impl Into<$pose<T>>,
            ) -> Result<Self, Error> {
                Self::around_placed(points, pose.into())
            }
        }
    };
}

boxes_under_poses!(
    Vec2,
    Rot2,
    Pose2,
    "use carom_geometry::d2::Aabb;
use carom_math::Rot2;
let door = Aabb::from_corner_size([0.0, 0.0], [2.0, 1.0])?;
let turned = door.rotated(Rot2::from_cos_sin(0.0, 1.0).unwrap())?;
assert_eq!((turned.min.x, turned.max.x, turned.max.y), (-1.0, 0.0, 2.0));"
);
boxes_under_poses!(
    Vec3,
    Quat,
    Pose3,
    "use carom_geometry::d3::Aabb;
use carom_math::Quat;
let door = Aabb::from_corner_size([0.0, 0.0, 0.0], [2.0, 1.0, 3.0])?;
let turned = door.rotated(Quat::new(0.0, 0.0, 1.0, 1.0).unwrap())?;
assert_eq!((turned.min.x, turned.max.x, turned.max.y, turned.max.z), (-1.0, 0.0, 2.0, 3.0));"
);
