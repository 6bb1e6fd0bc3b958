//! Rays, and what to do with them.

use crate::Error;
use crate::error::{finite_vector, not_negative};
use carom_math::{Real, Vector};

/// The points origin + t·direction for t >= 0. The direction is kept as given: t counts in its length.
///
/// # Example
/// ```
/// use carom_geometry::d3::Ray;
/// let ray = Ray::new([0.0, 5.0, 0.0], [0.0, -2.0, 0.0])?;
/// assert_eq!(ray.at(1.5).y, 2.0);
/// assert!(Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]).is_err());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<V> {
    origin: V,
    direction: V,
}

impl<V: Vector> Ray<V> {
    /// A ray from a point in a direction of any length but zero.
    ///
    /// # Errors
    /// When the direction is the zero vector or a coordinate is not finite.
    pub fn new(origin: impl Into<V>, direction: impl Into<V>) -> Result<Self, Error> {
        let origin = finite_vector("origin", origin.into())?;
        let direction = finite_vector("direction", direction.into())?;
        if direction == V::ZERO {
            return Err(Error::ZeroDirection { what: "direction" });
        }
        Ok(Ray { origin, direction })
    }
    /// Where the ray starts.
    #[must_use]
    pub fn origin(&self) -> V {
        self.origin
    }
    /// Where it points; not of unit length in general.
    #[must_use]
    pub fn direction(&self) -> V {
        self.direction
    }
    /// The point at a parameter.
    #[must_use]
    pub fn at(&self, t: V::Scalar) -> V {
        self.origin + self.direction * t
    }
}

/// How a ray is cast.
///
/// # Example
/// ```
/// use carom_geometry::RayOptions;
/// let short = RayOptions { max: 10.0, ..RayOptions::default() };
/// assert!(short.solid);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayOptions<T> {
    /// Hits beyond this parameter are not reported; a hit exactly there is. Infinite by default.
    pub max: T,
    /// Whether a ray that starts inside a shape hits it at once, at t = 0 (the default), or passes
    /// through its inside and hits the surface from within.
    pub solid: bool,
}

impl<T: Real> Default for RayOptions<T> {
    fn default() -> Self {
        RayOptions { max: T::INFINITY, solid: true }
    }
}

impl<T: Real> RayOptions<T> {
    /// An error when `max` is negative or NaN.
    pub(crate) fn check(self) -> Result<Self, Error> {
        if self.max != T::INFINITY {
            not_negative("max", self.max)?;
        }
        Ok(self)
    }
}
