//! Planes, and pieces of planes with parallel sides.

use crate::Error;
use crate::error::{finite, finite_vector};
use crate::line::rescaled;
use carom_math::{Real, Vec3, Vector};

/// The points p with normal·p = offset. The normal is kept as given, of any length but zero, so that
/// relations with the plane can be decided exactly.
///
/// # Example
/// ```
/// use carom_geometry::d3::Plane;
/// let floor = Plane::new([0.0, 2.0, 0.0], 6.0)?; // y = 3
/// assert_eq!(floor.signed_distance([5.0, 7.0, 5.0])?, 4.0);
/// assert_eq!(floor.closest_point([5.0, 7.0, 5.0])?.y, 3.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<T> {
    normal: Vec3<T>,
    offset: T,
}

impl<T: Real> Plane<T> {
    /// The plane normal·p = offset.
    ///
    /// # Errors
    /// When the normal is zero, or a number is not finite.
    pub fn new(normal: impl Into<Vec3<T>>, offset: T) -> Result<Self, Error> {
        let normal = finite_vector("normal", normal.into())?;
        if normal == Vec3::ZERO {
            return Err(Error::ZeroDirection { what: "normal" });
        }
        Ok(Plane { normal, offset: finite("offset", offset)? })
    }
    /// The normal as given; not of unit length in general.
    #[must_use]
    pub fn normal(&self) -> Vec3<T> {
        self.normal
    }
    /// The offset as given: the distance from the origin times the length of the normal.
    #[must_use]
    pub fn offset(&self) -> T {
        self.offset
    }

    /// The unit normal, and the signed distance of the plane from the origin along it.
    ///
    /// # Errors
    /// When that distance is too large for the number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Plane;
    /// let (normal, offset) = Plane::new([3.0, 0.0, 4.0], 10.0)?.unit()?;
    /// assert_eq!((normal.x, normal.z, offset), (0.6, 0.8, 2.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn unit(&self) -> Result<(Vec3<T>, T), Error> {
        let (normal, offset) = self.unit_in_f64();
        checked("the offset divided by |normal|", Vec3::narrow(normal), T::from_f64(offset))
    }

    /// How far a point is above the plane, seen along the normal: n·q/|n| − offset/|n|.
    ///
    /// # Errors
    /// When the point is not finite, or the distance too large for the number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Plane;
    /// let wall = Plane::new([-2.0, 0.0, 0.0], 2.0)?; // x = −1, facing −x
    /// assert_eq!(wall.signed_distance([4.0, 0.0, 0.0])?, -5.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn signed_distance(&self, point: impl Into<Vec3<T>>) -> Result<T, Error> {
        let (_, distance, inverse) = self.above(point.into())?;
        Ok(checked("the distance", Vec3::ZERO, T::from_f64(distance * inverse))?.1)
    }

    /// The foot of a point on the plane: q − n·(n·q − offset)/n·n.
    ///
    /// # Errors
    /// When the point is not finite, or the foot too large for the number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Plane;
    /// let diagonal = Plane::new([1.0, 1.0, 1.0], 3.0)?;
    /// assert_eq!(diagonal.closest_point([2.0, 2.0, 2.0])?, [1.0, 1.0, 1.0].into());
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn closest_point(&self, point: impl Into<Vec3<T>>) -> Result<Vec3<T>, Error> {
        let point = point.into();
        let (height_over_square, _, inverse) = self.above(point)?;
        let ([normal], _) = rescaled([self.normal.widen()]);
        let foot = point.widen() - normal * height_over_square * inverse;
        Ok(checked("the closest point", Vec3::narrow(foot), T::ZERO)?.0)
    }

    /// h/n·n and h/|n| with h = n·q − offset, in lengths that must be multiplied by the last number; n
    /// is the normal brought into range.
    fn above(&self, point: Vec3<T>) -> Result<(f64, f64, f64), Error> {
        let point = finite_vector("point", point)?.widen();
        let ([normal], own) = rescaled([self.normal.widen()]);
        // offset/|n| is a length like the point.
        let offset = self.offset.to_f64() / own;
        let length = Vector::length(normal);
        let ([point, reach], inverse) = rescaled([point, Vec3::new(offset / length, 0.0, 0.0)]);
        let level = if inverse == 1.0 { offset } else { reach.x * length };
        let height = normal.dot(point) - level;
        Ok((height / normal.dot(normal), height / length, inverse))
    }

    fn unit_in_f64(&self) -> (Vec3<f64>, f64) {
        let ([normal], own) = rescaled([self.normal.widen()]);
        let length = Vector::length(normal);
        (normal / length, self.offset.to_f64() / own / length)
    }
}

/// The points origin + s·u + t·v with s and t in [0, 1]. Its relations need an area: u and v must not be
/// parallel there.
///
/// # Example
/// ```
/// use carom_geometry::d3::Parallelogram;
/// let tile = Parallelogram::new([0.0, 0.0, 1.0], [2.0, 0.0, 0.0], [1.0, 2.0, 0.0])?;
/// assert_eq!(tile.at(1.0, 1.0), [3.0, 2.0, 1.0].into());
/// assert_eq!(tile.corners()[3], [1.0, 2.0, 1.0].into());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parallelogram<T> {
    origin: Vec3<T>,
    u: Vec3<T>,
    v: Vec3<T>,
}

impl<T: Real> Parallelogram<T> {
    /// From a corner and the two sides that leave it.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn new(
        origin: impl Into<Vec3<T>>,
        u: impl Into<Vec3<T>>,
        v: impl Into<Vec3<T>>,
    ) -> Result<Self, Error> {
        Ok(Parallelogram {
            origin: finite_vector("origin", origin.into())?,
            u: finite_vector("u", u.into())?,
            v: finite_vector("v", v.into())?,
        })
    }
    /// The corner at s = t = 0.
    #[must_use]
    pub fn origin(&self) -> Vec3<T> {
        self.origin
    }
    /// The side along s.
    #[must_use]
    pub fn u(&self) -> Vec3<T> {
        self.u
    }
    /// The side along t.
    #[must_use]
    pub fn v(&self) -> Vec3<T> {
        self.v
    }
    /// The point origin + s·u + t·v.
    #[must_use]
    pub fn at(&self, s: T, t: T) -> Vec3<T> {
        self.origin + self.u * s + self.v * t
    }
    /// The corners in order around: origin, + u, + u + v, + v; rounded.
    #[must_use]
    pub fn corners(&self) -> [Vec3<T>; 4] {
        [self.origin, self.origin + self.u, self.origin + self.u + self.v, self.origin + self.v]
    }
}

/// The answer, unless it left the range of the number type.
fn checked<T: Real>(what: &'static str, vector: Vec3<T>, number: T) -> Result<(Vec3<T>, T), Error> {
    if vector.finite() && number.finite() {
        Ok((vector, number))
    } else {
        Err(Error::Overflow { what, number: T::NAME })
    }
}
