//! Conversions from and to arrays, tuples and, behind features, the vectors of other libraries.

use crate::{Quat, Real, Vec2, Vec3};

macro_rules! convert {
    ($vector:ident, $array:ty, $tuple:ty, { $($field:ident),+ }) => {
        impl<T> From<$array> for $vector<T> {
            #[inline]
            fn from([$($field),+]: $array) -> Self {
                $vector { $($field),+ }
            }
        }
        impl<T> From<$vector<T>> for $array {
            #[inline]
            fn from(v: $vector<T>) -> $array {
                [$(v.$field),+]
            }
        }
        impl<T> From<$tuple> for $vector<T> {
            #[inline]
            fn from(($($field),+): $tuple) -> Self {
                $vector { $($field),+ }
            }
        }
        impl<T> From<$vector<T>> for $tuple {
            #[inline]
            fn from(v: $vector<T>) -> $tuple {
                ($(v.$field),+)
            }
        }
    };
}

convert!(Vec2, [T; 2], (T, T), { x, y });
convert!(Vec3, [T; 3], (T, T, T), { x, y, z });

impl<T: Real> From<Quat<T>> for [T; 4] {
    fn from(q: Quat<T>) -> [T; 4] {
        q.to_array()
    }
}

/// Conversions for a foreign vector type with the same public fields.
#[cfg(feature = "glam-034")]
macro_rules! convert_foreign {
    ($($own:ty, $foreign:ty, { $($field:ident),+ };)+) => {
        $(
            impl From<$foreign> for $own {
                fn from(v: $foreign) -> Self {
                    Self { $($field: v.$field),+ }
                }
            }
            impl From<$own> for $foreign {
                fn from(v: $own) -> Self {
                    Self { $($field: v.$field),+ }
                }
            }
        )+
    };
}

#[cfg(feature = "glam-034")]
mod with_glam {
    use super::{Quat, Vec2, Vec3};
    use glam_034 as glam;

    convert_foreign! {
        Vec2<f32>, glam::Vec2, { x, y };
        Vec2<f64>, glam::DVec2, { x, y };
        Vec3<f32>, glam::Vec3, { x, y, z };
        Vec3<f64>, glam::DVec3, { x, y, z };
    }

    impl From<Quat<f32>> for glam::Quat {
        fn from(q: Quat<f32>) -> Self {
            Self::from_array(q.to_array())
        }
    }
    impl From<Quat<f64>> for glam::DQuat {
        fn from(q: Quat<f64>) -> Self {
            Self::from_array(q.to_array())
        }
    }
    /// A zero or non-finite quaternion is not a rotation.
    impl TryFrom<glam::Quat> for Quat<f32> {
        type Error = crate::NotARotation;
        fn try_from(q: glam::Quat) -> Result<Self, Self::Error> {
            Quat::new(q.x, q.y, q.z, q.w).ok_or(crate::NotARotation)
        }
    }
    /// A zero or non-finite quaternion is not a rotation.
    impl TryFrom<glam::DQuat> for Quat<f64> {
        type Error = crate::NotARotation;
        fn try_from(q: glam::DQuat) -> Result<Self, Self::Error> {
            Quat::new(q.x, q.y, q.z, q.w).ok_or(crate::NotARotation)
        }
    }
}

#[cfg(feature = "mint-05")]
mod with_mint {
    use super::{Quat, Real, Vec2, Vec3};

    macro_rules! convert_mint {
        ($($own:ident, $foreign:ident, { $($field:ident),+ };)+) => {
            $(
                impl<T> From<mint::$foreign<T>> for $own<T> {
                    fn from(v: mint::$foreign<T>) -> Self {
                        $own { $($field: v.$field),+ }
                    }
                }
                impl<T> From<$own<T>> for mint::$foreign<T> {
                    fn from(v: $own<T>) -> Self {
                        mint::$foreign { $($field: v.$field),+ }
                    }
                }
            )+
        };
    }

    convert_mint! {
        Vec2, Vector2, { x, y };
        Vec2, Point2, { x, y };
        Vec3, Vector3, { x, y, z };
        Vec3, Point3, { x, y, z };
    }

    impl<T: Real> From<Quat<T>> for mint::Quaternion<T> {
        fn from(q: Quat<T>) -> Self {
            let [x, y, z, w] = q.to_array();
            mint::Quaternion { s: w, v: mint::Vector3 { x, y, z } }
        }
    }
    /// A zero or non-finite quaternion is not a rotation.
    impl<T: Real> TryFrom<mint::Quaternion<T>> for Quat<T> {
        type Error = crate::NotARotation;
        fn try_from(q: mint::Quaternion<T>) -> Result<Self, Self::Error> {
            Quat::new(q.v.x, q.v.y, q.v.z, q.s).ok_or(crate::NotARotation)
        }
    }
}

/// The quaternion is zero or not finite, so it stands for no rotation. Scale it, or give (0, 0, 0, 1)
/// for none.
///
/// # Example
/// ```
/// assert_eq!(carom_math::NotARotation.to_string(), "a zero or non-finite quaternion is not a rotation");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotARotation;

impl core::fmt::Display for NotARotation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a zero or non-finite quaternion is not a rotation")
    }
}

impl core::error::Error for NotARotation {}
