//! Poses: a rotation followed by a translation.

use crate::{Quat, Real, Rot2, Vec2, Vec3, Vector};
use core::ops::Mul;

macro_rules! pose {
    ($(#[$documentation:meta])* $pose:ident, $vector:ident, $rotation:ident, $space:literal) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $pose<T> {
            /// Applied first, about the origin of the local frame.
            pub rotation: $rotation<T>,
            /// Where the local origin lies in the world.
            pub translation: $vector<T>,
        }

        impl<T: Real> Default for $pose<T> {
            fn default() -> Self {
                Self::IDENTITY
            }
        }

        impl<T: Real> $pose<T> {
            /// The pose of the world itself.
            pub const IDENTITY: Self = $pose { rotation: $rotation::IDENTITY, translation: $vector::ZERO };

            /// A pose from where the local origin lies and how the local axes are turned.
            #[must_use]
            pub fn new(translation: impl Into<$vector<T>>, rotation: $rotation<T>) -> Self {
                $pose { rotation, translation: translation.into() }
            }
            /// A pose without rotation.
            #[must_use]
            pub fn at(translation: impl Into<$vector<T>>) -> Self {
                Self::new(translation, $rotation::IDENTITY)
            }
            /// A local point, seen from the world.
            #[must_use]
            #[inline]
            pub fn point_to_world(self, local: $vector<T>) -> $vector<T> {
                self.rotation.rotate(local) + self.translation
            }
            /// A world point, seen from the local frame.
            #[must_use]
            #[inline]
            pub fn point_to_local(self, world: $vector<T>) -> $vector<T> {
                self.rotation.inverse().rotate(world - self.translation)
            }
            /// The pose that undoes this one.
            #[must_use]
            pub fn inverse(self) -> Self {
                let rotation = self.rotation.inverse();
                $pose { rotation, translation: rotation.rotate(-self.translation) }
            }
            /// `other` as seen from the frame of `self`: self⁻¹·other. The translations are
            /// subtracted before anything is turned, so nothing is lost far from the origin, and
            /// equal rotations cancel exactly.
            #[must_use]
            #[inline]
            pub fn to_local(self, other: Self) -> Self {
                let rotation = self.rotation.inverse();
                $pose {
                    rotation: rotation * other.rotation,
                    translation: rotation.rotate(other.translation - self.translation),
                }
            }
            /// All numbers are finite.
            #[must_use]
            #[inline(always)]
            pub fn finite(self) -> bool {
                self.rotation.finite() & self.translation.finite()
            }
            /// The same pose in `f64`.
            #[must_use]
            #[inline(always)]
            pub fn widen(self) -> $pose<f64> {
                $pose { rotation: self.rotation.widen(), translation: self.translation.widen() }
            }
            /// The same pose, copied number by number.
            ///
            /// A large value that a function hands on by its address has to live in memory, also where nothing
            /// else needs it there. To hand on a copy keeps the original in registers; this copy is not
            /// optimised away.
            #[must_use]
            #[inline(always)]
            pub fn copied(self) -> Self {
                let translation = $vector::narrow(self.translation.widen());
                $pose { rotation: self.rotation.copied(), translation }
            }
        }

        impl<T: Real> Mul for $pose<T> {
            type Output = Self;
            /// First `other`, then `self`: a pose given in the frame of `self`, seen from the world.
            fn mul(self, other: Self) -> Self {
                $pose {
                    rotation: self.rotation * other.rotation,
                    translation: self.point_to_world(other.translation),
                }
            }
        }

        impl<T: Real> From<$vector<T>> for $pose<T> {
            fn from(translation: $vector<T>) -> Self {
                Self::at(translation)
            }
        }
        impl<T: Real> From<$rotation<T>> for $pose<T> {
            fn from(rotation: $rotation<T>) -> Self {
                Self::new($vector::ZERO, rotation)
            }
        }
        impl<T: Real, V: Into<$vector<T>>> From<(V, $rotation<T>)> for $pose<T> {
            fn from((translation, rotation): (V, $rotation<T>)) -> Self {
                Self::new(translation, rotation)
            }
        }
    };
}

pose! {
    /// Where a thing of the plane is and how it is turned.
    ///
    /// # Example
    /// ```
    /// use carom_math::{Pose2, Rot2, Vec2};
    /// let pose = Pose2::new([10.0, 0.0], Rot2::from_cos_sin(0.0, 1.0).unwrap());
    /// assert_eq!(pose.point_to_world(Vec2::new(1.0, 0.0)), Vec2::new(10.0, 1.0));
    /// assert_eq!(pose.point_to_local(Vec2::new(10.0, 1.0)), Vec2::new(1.0, 0.0));
    /// // What converts to a vector is a pose without rotation.
    /// let same: Pose2<f64> = [10.0, 0.0].into();
    /// assert_eq!(same, Pose2::at([10.0, 0.0]));
    /// assert_eq!(same, (10.0, 0.0).into());
    /// ```
    Pose2, Vec2, Rot2, "plane"
}

pose! {
    /// Where a thing of space is and how it is turned.
    ///
    /// # Example
    /// ```
    /// use carom_math::{Pose3, Quat, Vec3};
    /// let pose = Pose3::new([10.0, 0.0, 0.0], Quat::new(0.0, 0.0, 1.0, 1.0).unwrap());
    /// assert_eq!(pose.point_to_world(Vec3::new(1.0, 0.0, 0.0)), Vec3::new(10.0, 1.0, 0.0));
    /// assert_eq!(pose.to_local(pose).point_to_world(Vec3::new(0.1, 0.2, 0.3)), Vec3::new(0.1, 0.2, 0.3));
    /// // What converts to a vector is a pose without rotation.
    /// assert_eq!(Pose3::from((10.0, 0.0, 0.0)), Pose3::at([10.0, 0.0, 0.0]));
    /// ```
    // 32 bytes in `f32`, not 28: those would be copied in two pieces that overlap, and whoever reads the rotation
    // right afterwards would wait for both to arrive in memory.
    #[repr(C, align(16))]
    Pose3, Vec3, Quat, "space"
}

// Everything that converts to a vector is a translation: written out, since a blanket conversion would meet those of rotations and pairs.
macro_rules! translations {
    ($pose:ident: $($vector:ty),+) => {
        $(
            impl<T: Real> From<$vector> for $pose<T> {
                fn from(translation: $vector) -> Self {
                    Self::at(translation)
                }
            }
        )+
    };
}

translations!(Pose2: [T; 2], (T, T));
translations!(Pose3: [T; 3], (T, T, T));
#[cfg(feature = "mint-05")]
translations!(Pose2: mint::Vector2<T>, mint::Point2<T>);
#[cfg(feature = "mint-05")]
translations!(Pose3: mint::Vector3<T>, mint::Point3<T>);

#[cfg(feature = "glam-034")]
macro_rules! translations_of_glam {
    ($($pose:ty, $vector:ident;)+) => {
        $(
            impl From<glam_034::$vector> for $pose {
                fn from(translation: glam_034::$vector) -> Self {
                    Self::at(translation)
                }
            }
        )+
    };
}

#[cfg(feature = "glam-034")]
translations_of_glam! {
    Pose2<f32>, Vec2;
    Pose2<f64>, DVec2;
    Pose3<f32>, Vec3;
    Pose3<f64>, DVec3;
}
