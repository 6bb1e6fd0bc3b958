//! The shapes of space, one enum over all of them, and the view that queries dispatch on.

use super::composite::{Compound, HeightField, TriangleMesh};
use super::convex::ConvexHull;
use crate::bound::{Aabb, Bounded, Frame};
use crate::convex::rounded::rounded_shape;
use crate::shape::{Lend, Resize, Twin, Widen, lends_twin};
use crate::{Error, shape};
use carom_math::{Real, Vec3};
use std::borrow::Cow;
use std::sync::Arc;

pub use crate::shape::Ball;
/// See [`crate::shape::Cuboid`].
pub type Cuboid<T> = shape::Cuboid<Vec3<T>>;
/// See [`crate::shape::Capsule`].
pub type Capsule<T> = shape::Capsule<Vec3<T>>;
/// See [`crate::shape::Segment`].
pub type Segment<T> = shape::Segment<Vec3<T>>;
/// See [`crate::shape::Triangle`].
pub type Triangle<T> = shape::Triangle<Vec3<T>>;
/// See [`crate::shape::HalfSpace`].
pub type HalfSpace<T> = shape::HalfSpace<Vec3<T>>;

use crate::error::not_negative;

/// A solid cylinder about the local y axis, from −half_height to +half_height.
///
/// # Example
/// ```
/// use carom_geometry::d3::Cylinder;
/// let can = Cylinder::new(1.0, 0.5)?;
/// assert_eq!((can.half_height(), can.radius()), (1.0, 0.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder<T> {
    half_height: T,
    radius: T,
}

/// A solid cone about the local y axis: the base at −half_height, the tip at +half_height.
///
/// # Example
/// ```
/// use carom_geometry::d3::Cone;
/// let hat = Cone::new(1.0, 0.5)?;
/// assert_eq!((hat.half_height(), hat.radius()), (1.0, 0.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone<T> {
    half_height: T,
    radius: T,
}

macro_rules! round_about_y {
    ($shape:ident) => {
        impl<T: Real> $shape<T> {
            /// From half the height and the radius, either of which may be zero.
            ///
            /// # Errors
            /// When a number is negative or not finite.
            pub fn new(half_height: T, radius: T) -> Result<Self, Error> {
                Ok($shape {
                    half_height: not_negative("half_height", half_height)?,
                    radius: not_negative("radius", radius)?,
                })
            }
            /// Half the height.
            #[must_use]
            pub fn half_height(&self) -> T {
                self.half_height
            }
            /// The radius (of the base).
            #[must_use]
            pub fn radius(&self) -> T {
                self.radius
            }
        }
        impl<T, S> Lend<S> for $shape<T> {}

        impl<T: Real> Widen for $shape<T> {
            type Wide = $shape<f64>;
            fn widen(&self) -> $shape<f64> {
                $shape { half_height: self.half_height.to_f64(), radius: self.radius.to_f64() }
            }
        }
        impl Resize for $shape<f64> {
            fn size(&self) -> f64 {
                crate::scale::largest([self.half_height, self.radius])
            }
            fn resized(&self, factor: f64) -> Self {
                $shape { half_height: self.half_height * factor, radius: self.radius * factor }
            }
        }
    };
}

round_about_y!(Cylinder);
round_about_y!(Cone);

/// See [`crate::shape::Ellipsoid`].
pub type Ellipsoid<T> = shape::Ellipsoid<Vec3<T>>;

rounded_shape! {
    super::composite::Space, Vec3,
    "use carom_geometry::d3::{Cylinder, Rounded, distance};
let cheese = Rounded::new(Cylinder::new(1.0, 2.0)?, 0.5)?;
let apart = distance(&cheese, [0.0, 0.0, 0.0], &cheese, [0.0, 5.0, 0.0])?;
assert_eq!((apart.distance, apart.normal.y), (2.0, 1.0));"
}

crate::kinds::shape_kinds! {
    Vec3;
    /// A disc or ball.
    Ball: Ball<T> = "ball",
    /// A rectangle or box.
    Cuboid: Cuboid<T> = "cuboid",
    /// A segment with a radius.
    Capsule: Capsule<T> = "capsule",
    /// A line segment.
    Segment: Segment<T> = "segment",
    /// A triangle.
    Triangle: Triangle<T> = "triangle",
    /// All points on one side of a line or plane.
    HalfSpace: HalfSpace<T> = "half_space",
    /// A cylinder about the y axis.
    Cylinder: Cylinder<T> = "cylinder",
    /// A cone about the y axis.
    Cone: Cone<T> = "cone",
    /// The convex hull of points.
    Hull: ConvexHull<T> = "hull",
    /// An ellipse or ellipsoid.
    Ellipsoid: Ellipsoid<T> = "ellipsoid",
    /// A convex shape inflated by a radius.
    Rounded: Rounded<T> = "rounded",
    /// A surface of triangles, or the solid in it.
    Mesh: TriangleMesh<T> = "mesh",
    /// A grid of heights.
    HeightField: HeightField<T> = "height_field",
    /// Shapes at fixed poses.
    Compound: Compound<T> = "compound",
}
