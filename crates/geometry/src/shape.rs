//! The shapes that are the same in the plane and in space, in their own frame.
//!
//! A shape that exists is valid: the constructors check once, the queries never again. Sizes of zero
//! are legal everywhere (a ball of radius 0 is a point, a capsule may have length 0, a cuboid may be
//! flat), negative and non-finite ones are errors that name the field.

use crate::error::{direction, finite, finite_vector, not_negative};
use crate::{Error, scale};
use carom_math::{Real, Vector};
use std::sync::Arc;

pub use crate::convex::Ellipsoid;

/// A disc or a solid ball about the local origin.
///
/// # Example
/// ```
/// use carom_geometry::d3::Ball;
/// assert_eq!(Ball::new(2.0)?.radius(), 2.0);
/// assert!(Ball::new(f32::NAN).is_err());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball<T> {
    radius: T,
}

/// A solid box (a rectangle in the plane) about the local origin, its sides along the local axes.
///
/// # Example
/// ```
/// use carom_geometry::d2::Cuboid;
/// let door = Cuboid::new([0.5, 1.0])?;
/// assert_eq!(door.half_extents().y, 1.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<V> {
    half_extents: V,
}

/// All points within `radius` of the segment from `a` to `b`.
///
/// # Example
/// ```
/// use carom_geometry::d3::Capsule;
/// let pill = Capsule::new([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.5)?;
/// assert_eq!(pill.radius(), 0.5);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<V: Vector> {
    segment: Segment<V>,
    radius: V::Scalar,
}

/// The points between `a` and `b`, both included. The ends may coincide.
///
/// # Example
/// ```
/// use carom_geometry::d2::Segment;
/// let edge = Segment::new([0.0, 0.0], [1.0, 2.0])?;
/// assert_eq!(edge.b().y, 2.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<V> {
    a: V,
    b: V,
}

/// A triangle with its inside: solid in the plane, a thin sheet in space. Either winding; the corners
/// may lie on one line.
///
/// # Example
/// ```
/// use carom_geometry::d3::Triangle;
/// let face = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// assert_eq!(face.corners()[1].x, 1.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle<V> {
    corners: [V; 3],
}

/// The points p with normal·p <= offset: everything on the inner side of a plane (a line in 2D).
///
/// # Example
/// ```
/// use carom_geometry::d3::HalfSpace;
/// // The ground below y = 1; the normal need not be of unit length.
/// let ground = HalfSpace::new([0.0, 2.0, 0.0], 2.0)?;
/// assert_eq!((ground.normal().y, ground.offset()), (1.0, 1.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<V: Vector> {
    normal: V,
    offset: V::Scalar,
}

impl<T: Real> Ball<T> {
    /// A ball of this radius, which may be zero.
    ///
    /// # Errors
    /// When the radius is negative or not finite.
    pub fn new(radius: T) -> Result<Self, Error> {
        Ok(Ball { radius: not_negative("radius", radius)? })
    }
    /// The radius.
    #[must_use]
    pub fn radius(&self) -> T {
        self.radius
    }
}

impl<V: Vector> Cuboid<V> {
    /// A box that reaches from −half_extents to +half_extents.
    ///
    /// # Errors
    /// When a half extent is negative or not finite.
    pub fn new(half_extents: impl Into<V>) -> Result<Self, Error> {
        let mut checked = half_extents.into();
        for axis in 0..V::DIM {
            checked = checked.with(axis, not_negative("half_extents", checked.get(axis))?);
        }
        Ok(Cuboid { half_extents: checked })
    }
    /// From the centre to a face, along each axis.
    #[must_use]
    pub fn half_extents(&self) -> V {
        self.half_extents
    }
}

impl<V: Vector> Capsule<V> {
    /// A capsule around the segment from `a` to `b`. Length and radius may be zero.
    ///
    /// # Errors
    /// When a coordinate is not finite, or the radius is negative or not finite.
    pub fn new(a: impl Into<V>, b: impl Into<V>, radius: V::Scalar) -> Result<Self, Error> {
        Ok(Capsule { segment: Segment::new(a, b)?, radius: not_negative("radius", radius)? })
    }
    /// The segment in the middle.
    #[must_use]
    pub fn segment(&self) -> Segment<V> {
        self.segment
    }
    /// The distance from the segment to the surface.
    #[must_use]
    pub fn radius(&self) -> V::Scalar {
        self.radius
    }
}

impl<V: Vector> Segment<V> {
    /// The segment between two points, which may be equal.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    pub fn new(a: impl Into<V>, b: impl Into<V>) -> Result<Self, Error> {
        Ok(Segment { a: finite_vector("a", a.into())?, b: finite_vector("b", b.into())? })
    }
    /// Between ends that are known to be finite.
    pub(crate) fn of_ends([a, b]: [V; 2]) -> Self {
        Segment { a, b }
    }
    /// The first end.
    #[must_use]
    pub fn a(&self) -> V {
        self.a
    }
    /// The second end.
    #[must_use]
    pub fn b(&self) -> V {
        self.b
    }
}

impl<V: Vector> Triangle<V> {
    /// The triangle between three points. They may lie on one line, or coincide.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    pub fn new(a: impl Into<V>, b: impl Into<V>, c: impl Into<V>) -> Result<Self, Error> {
        Ok(Triangle {
            corners: [
                finite_vector("a", a.into())?,
                finite_vector("b", b.into())?,
                finite_vector("c", c.into())?,
            ],
        })
    }
    /// Between corners that are known to be finite.
    pub(crate) fn of_corners(corners: [V; 3]) -> Self {
        Triangle { corners }
    }
    /// The three corners.
    #[must_use]
    pub fn corners(&self) -> [V; 3] {
        self.corners
    }
}

impl<V: Vector> HalfSpace<V> {
    /// The half-space normal·p <= offset. A normal that is not of unit length is divided by its
    /// length, and the offset with it.
    ///
    /// Both are rounded then, so that a point on the plane of the given numbers may be a rounding error beside this one. A unit
    /// normal is kept to the bit, and the offset with it.
    ///
    /// # Errors
    /// When the normal is zero, or a number is not finite.
    pub fn new(normal: impl Into<V>, offset: V::Scalar) -> Result<Self, Error> {
        let given = finite_vector("normal", normal.into())?;
        let wide = given.widen();
        let unit = direction("normal", wide)?;
        // A unit normal is kept to the bit, and the offset with it.
        let length = Vector::length(wide);
        let offset = finite("offset", offset)?;
        let scaled = V::Scalar::from_f64(offset.to_f64() / length);
        if !scaled.finite() {
            return Err(Error::Overflow { what: "the offset divided by |normal|", number: V::Scalar::NAME });
        }
        Ok(HalfSpace { normal: V::narrow(unit), offset: scaled })
    }
    /// The half-space with the normal and offset that another one gave: nothing is rounded again.
    ///
    /// # Errors
    /// As [`new`](Self::new), which serves normals that are not of unit length to rounding.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::HalfSpace;
    /// let slope = HalfSpace::new([0.1_f32, 0.7, 0.3], 2.0)?;
    /// assert_eq!(HalfSpace::from_parts(slope.normal(), slope.offset())?, slope);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_parts(normal: impl Into<V>, offset: V::Scalar) -> Result<Self, Error> {
        let (normal, offset) = (finite_vector("normal", normal.into())?, finite("offset", offset)?);
        let excess = normal.widen().length_squared() - 1.0;
        if excess.abs() <= 8.0 * V::Scalar::EPSILON.to_f64() {
            Ok(HalfSpace { normal, offset })
        } else {
            Self::new(normal, offset)
        }
    }
    /// The outward unit normal.
    #[must_use]
    pub fn normal(&self) -> V {
        self.normal
    }
    /// The distance from the local origin to the plane, along the normal.
    #[must_use]
    pub fn offset(&self) -> V::Scalar {
        self.offset
    }
}

/// What the queries need of every shape: the same shape in `f64` and at another scale, and its size.
pub(crate) trait Widen {
    /// The shape in `f64`.
    type Wide;
    /// The same shape in `f64`; exact.
    fn widen(&self) -> Self::Wide;
}

/// What every kind of shape can do for those who need it in `f64`, as a shape `S` of any kind.
///
/// Shapes of many numbers share them, and somebody has to count with how many. Were every question to take a share, threads that ask about one shape
/// would wait for each other, as the count is in one place (15 threads that cast rays at one mesh took two and a half times as long).
/// So such shapes keep themselves in `f64`, and lend that.
pub(crate) trait Lend<S> {
    /// The same shape in `f64`; `None` when it has to be made.
    #[inline(always)]
    fn lent(&self) -> Option<&S> {
        None
    }
}

impl<T, S> Lend<S> for Ball<T> {}
impl<V: Vector, S> Lend<S> for Cuboid<V> {}
impl<V: Vector, S> Lend<S> for Segment<V> {}
impl<V: Vector, S> Lend<S> for Capsule<V> {}
impl<V: Vector, S> Lend<S> for Triangle<V> {}
impl<V: Vector, S> Lend<S> for HalfSpace<V> {}

/// A shape in `f64` beside the shape that lends it. Shapes that are made for one question have none.
pub(crate) struct Twin<S>(Option<Arc<S>>);

impl<S> Twin<S> {
    pub(crate) const NONE: Self = Twin(None);

    pub(crate) fn new(wide: S) -> Self {
        Twin(Some(Arc::new(wide)))
    }

    #[inline(always)]
    pub(crate) fn lent(&self) -> Option<&S> {
        self.0.as_deref()
    }
}

impl<S> Clone for Twin<S> {
    fn clone(&self) -> Self {
        Twin(self.0.clone())
    }
}

/// For a kind of shape with a field `twin`: lends it, and makes it once the rest is there.
macro_rules! lends_twin {
    ($kind:ident, $shape:ty) => {
        impl<T: Real> crate::shape::Lend<$shape> for $kind<T> {
            #[inline(always)]
            fn lent(&self) -> Option<&$shape> {
                self.twin.lent()
            }
        }

        impl<T: Real> $kind<T> {
            fn with_twin(mut self) -> Self {
                self.twin = crate::shape::Twin::new(crate::shape::Widen::widen(&self).into());
                self
            }
        }
    };
}
pub(crate) use lends_twin;

/// A shape in `f64` whose lengths can be multiplied by a power of two.
pub(crate) trait Resize {
    /// The largest magnitude of a coordinate or length.
    fn size(&self) -> f64;
    /// The shape with every length multiplied by `factor`.
    fn resized(&self, factor: f64) -> Self;
}

impl<T: Real> Widen for Ball<T> {
    type Wide = Ball<f64>;
    #[inline]
    fn widen(&self) -> Ball<f64> {
        Ball { radius: self.radius.to_f64() }
    }
}

impl<V: Vector> Widen for Cuboid<V> {
    type Wide = Cuboid<V::Wide>;
    #[inline]
    fn widen(&self) -> Self::Wide {
        Cuboid { half_extents: self.half_extents.widen() }
    }
}

impl<V: Vector> Widen for Segment<V> {
    type Wide = Segment<V::Wide>;
    #[inline]
    fn widen(&self) -> Self::Wide {
        Segment { a: self.a.widen(), b: self.b.widen() }
    }
}

impl<V: Vector> Widen for Capsule<V> {
    type Wide = Capsule<V::Wide>;
    #[inline]
    fn widen(&self) -> Self::Wide {
        Capsule { segment: self.segment.widen(), radius: self.radius.to_f64() }
    }
}

impl<V: Vector> Widen for Triangle<V> {
    type Wide = Triangle<V::Wide>;
    #[inline]
    fn widen(&self) -> Self::Wide {
        Triangle { corners: self.corners.map(Vector::widen) }
    }
}

impl<V: Vector> Widen for HalfSpace<V> {
    type Wide = HalfSpace<V::Wide>;
    #[inline]
    fn widen(&self) -> Self::Wide {
        let normal = self.normal.widen();
        if V::Scalar::EPSILON.to_f64() == f64::EPSILON {
            return HalfSpace { normal, offset: self.offset.to_f64() };
        }
        // A normal that is of unit length to f32 precision is not so to f64 precision: divide again.
        let length = Vector::length(normal);
        HalfSpace { normal: normal / length, offset: self.offset.to_f64() / length }
    }
}

impl Resize for Ball<f64> {
    #[inline]
    fn size(&self) -> f64 {
        self.radius
    }
    fn resized(&self, factor: f64) -> Self {
        Ball { radius: self.radius * factor }
    }
}

impl<V: Vector<Scalar = f64>> Resize for Cuboid<V> {
    #[inline]
    fn size(&self) -> f64 {
        self.half_extents.max_abs()
    }
    fn resized(&self, factor: f64) -> Self {
        Cuboid { half_extents: self.half_extents * factor }
    }
}

impl<V: Vector<Scalar = f64>> Resize for Segment<V> {
    #[inline]
    fn size(&self) -> f64 {
        scale::largest([self.a.max_abs(), self.b.max_abs()])
    }
    fn resized(&self, factor: f64) -> Self {
        Segment { a: self.a * factor, b: self.b * factor }
    }
}

impl<V: Vector<Scalar = f64>> Resize for Capsule<V> {
    #[inline]
    fn size(&self) -> f64 {
        scale::largest([self.segment.size(), self.radius])
    }
    fn resized(&self, factor: f64) -> Self {
        Capsule { segment: self.segment.resized(factor), radius: self.radius * factor }
    }
}

impl<V: Vector<Scalar = f64>> Resize for Triangle<V> {
    #[inline]
    fn size(&self) -> f64 {
        scale::largest(self.corners.map(Vector::max_abs))
    }
    fn resized(&self, factor: f64) -> Self {
        Triangle { corners: self.corners.map(|corner| corner * factor) }
    }
}

impl<V: Vector<Scalar = f64>> Resize for HalfSpace<V> {
    #[inline]
    fn size(&self) -> f64 {
        self.offset.abs()
    }
    fn resized(&self, factor: f64) -> Self {
        HalfSpace { normal: self.normal, offset: self.offset * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    /// Every kind that shares its numbers lends what its parts would be widened to; at another scale it lends nothing.
    macro_rules! lends {
        ($dimension:ident, $($shape:expr),+ $(,)?) => {{
            use crate::$dimension::{AsShape, Shape};
            $(
                let concrete = $shape.clone();
                let made: Shape<f64> = Widen::widen(&concrete).into();
                let shape: Shape<f32> = concrete.into();
                let Cow::Borrowed(lent) = shape.as_shape().widen() else { panic!("{shape:?} is made anew") };
                assert_eq!(*lent, made);
                let larger = lent.resized(2.0);
                assert_eq!(larger.size(), 2.0 * lent.size());
                assert_eq!(larger.as_shape().widen().size(), larger.size());
                // A copy shares the loan.
                let copy = shape.clone();
                let Cow::Borrowed(same) = copy.as_shape().widen() else { panic!("the copy is made anew") };
                assert!(core::ptr::eq(same, lent));
            )+
        }};
    }

    #[test]
    fn shapes_of_the_plane_that_share_are_lent() -> Result<(), Error> {
        use crate::d2::{Compound, ConvexPolygon, Cuboid, HeightField, Outline, Polyline, Rounded};
        let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]];
        let square = Cuboid::new([1.0, 1.0])?;
        lends!(
            d2,
            ConvexPolygon::new(corners)?,
            Polyline::closed(corners)?,
            Outline::new(corners)?,
            HeightField::new([0.0, 1.0, 0.5], 1.0)?.without_cells([0])?,
            Compound::new([(square, [1.0, 0.0])])?,
            Rounded::new(square, 0.25)?,
        );
        Ok(())
    }

    #[test]
    fn shapes_of_space_that_share_are_lent() -> Result<(), Error> {
        use crate::d3::{Compound, ConvexHull, Cuboid, HeightField, Rounded, TriangleMesh};
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let surface = TriangleMesh::new(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
        let cube = Cuboid::new([1.0, 1.0, 1.0])?;
        lends!(
            d3,
            ConvexHull::new(corners)?,
            surface,
            surface.solid()?,
            surface.solid_with_gaps(),
            HeightField::new([[0.0, 1.0], [0.5, 0.0], [0.5, 0.5]], [1.0, 1.0])?.without_cells([[0, 0]])?,
            Compound::new([(cube, [1.0, 0.0, 0.0])])?,
            Rounded::new(cube, 0.25)?,
        );
        Ok(())
    }
}
