//! Mass, centre and inertia: what a solid weighs, where it balances, how hard it is to turn.
//!
//! Closed forms for the simple shapes stand in `d2::mass_properties` and `d3::mass_properties`, with
//! their derivations; polygons and closed meshes are integrated by `d2::polygon_mass` and
//! `d3::mesh_mass`. The results of several parts add up with [`MassProperties::merged`].
//!
//! Frame: that of the shape; the inertia is about the centre, along the axes of that frame. Everything is
//! computed in `f64` with an unbounded exponent, so lengths of any size are legal: an answer that does
//! not fit the number type is [`Error::Overflow`], one that is too small is rounded to zero.
//! Multiplying all lengths by 2^k multiplies a mass by 2^(2k) in the plane and 2^(3k) in space, an inertia
//! by 2^(4k) and 2^(5k), exactly.

pub(crate) mod moments;
pub(crate) mod rounded;
pub(crate) mod solid;
pub(crate) mod unbounded;

use crate::Error;
use crate::error::{finite, finite_vector, not_negative};
use carom_math::{Mat3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use core::fmt::Debug;
use solid::{Solid, in_space};
use unbounded::Unbounded;

/// The mass of a body, where it balances, and how it resists turning.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Cuboid, MassProperties, mass_properties};
/// // A dumbbell: two cubes of side 2, side by side along x.
/// let cube = mass_properties(&Cuboid::new([1.0, 1.0, 1.0])?, 3.0)?;
/// let pair = MassProperties::merged([cube.translated([-1.0, 0.0, 0.0])?, cube.translated([1.0, 0.0, 0.0])?])?;
/// assert_eq!(pair, mass_properties(&Cuboid::new([2.0, 1.0, 1.0])?, 3.0)?);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<V: Space> {
    /// The mass: density times area or volume.
    pub mass: V::Scalar,
    /// The centre of mass, in the frame of the shape.
    pub center: V,
    /// The inertia about the centre: a number in the plane; in space a symmetric matrix, along the axes
    /// of the frame of the shape.
    pub inertia: V::Inertia,
}

/// What differs between the plane and space: the type of an inertia and that of a rotation. Sealed;
/// [`Vec2`] and [`Vec3`] have it.
pub trait Space: Vector + sealed::Entries {
    /// A number in the plane, a symmetric matrix in space.
    type Inertia: Copy + Debug + PartialEq + Send + Sync;
    /// [`Rot2`] or [`Quat`].
    type Rotation: Copy;

    /// The inertia with the entries xx, yy, zz, yz, zx, xy; in the plane the first is all there is.
    #[doc(hidden)]
    fn inertia(entries: [Self::Scalar; 6]) -> Self::Inertia;
    /// The entries again.
    #[doc(hidden)]
    fn entries(inertia: Self::Inertia) -> [Self::Scalar; 6];
    /// The columns of a rotation, about z in the plane.
    #[doc(hidden)]
    fn matrix(rotation: Self::Rotation) -> Mat3<f64>;
}

impl<V: Space> MassProperties<V> {
    /// The same body moved: the centre moves along, the inertia stays.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a number is; [`Error::Overflow`] when the centre is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::{Ball, mass_properties};
    /// let disc = mass_properties(&Ball::new(1.0)?, 1.0)?.translated([5.0, 0.0])?;
    /// assert_eq!((disc.center.x, disc.inertia), (5.0, disc.mass / 2.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn translated(&self, offset: impl Into<V>) -> Result<Self, Error> {
        let offset = in_space(finite_vector("offset", offset.into())?.widen());
        let solid = self.to_solid()?;
        Solid { center: solid.center + offset, ..solid }.narrow()
    }

    /// The same body turned about the origin of its frame: the centre turns along, and so do the axes of
    /// the inertia.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a number is; [`Error::Overflow`] when the answer is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Cuboid, mass_properties};
    /// use carom_math::Quat;
    /// let quarter_about_z = Quat::new(0.0, 0.0, 1.0, 1.0).unwrap();
    /// let lying = mass_properties(&Cuboid::new([2.0, 1.0, 1.0])?, 1.0)?;
    /// let standing = mass_properties(&Cuboid::new([1.0, 2.0, 1.0])?, 1.0)?;
    /// assert_eq!(lying.rotated(quarter_about_z)?, standing);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn rotated(&self, rotation: V::Rotation) -> Result<Self, Error> {
        let rotation = V::matrix(rotation);
        for column in rotation.columns {
            finite_vector("rotation", column)?;
        }
        self.to_solid()?.rotated(rotation, V::DIM).narrow()
    }

    /// Several bodies as one: masses add up, the centre is the weighted mean of the centres, and each
    /// inertia is moved there by the parallel axis theorem, I + m·(|d|²·1 − d·dᵀ) for a part at d from
    /// the common centre. Overlaps count twice.
    ///
    /// Without any mass the centre is the plain mean of the centres; no parts give zeros.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a number of a part is; [`Error::Negative`] when its mass is;
    /// [`Error::Overflow`] when the answer is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::{Ball, MassProperties, mass_properties};
    /// let disc = mass_properties(&Ball::new(1.0)?, 1.0)?;
    /// let pair = MassProperties::merged([disc, disc.translated([4.0, 0.0])?])?;
    /// assert_eq!((pair.mass, pair.center.x), (2.0 * disc.mass, 2.0));
    /// assert_eq!(pair.inertia, 2.0 * (disc.inertia + disc.mass * 4.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn merged(parts: impl IntoIterator<Item = Self>) -> Result<Self, Error> {
        let parts = parts.into_iter().map(|part| part.to_solid()).collect::<Result<Vec<_>, _>>()?;
        Solid::merged(&parts, V::DIM).narrow()
    }

    /// The inertia about another point of the frame, by the parallel axis theorem.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a number is; [`Error::Negative`] when the mass is; [`Error::Overflow`]
    /// when the answer is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::{Cuboid, mass_properties};
    /// let rod = mass_properties(&Cuboid::new([3.0_f64, 0.0625])?, 8.0)?;
    /// // A thin rod about its end: ⅓ m l².
    /// let about_end = rod.inertia_about([3.0, 0.0])?;
    /// assert!((about_end / (rod.mass * 36.0 / 3.0) - 1.0).abs() < 1e-3);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn inertia_about(&self, point: impl Into<V>) -> Result<V::Inertia, Error> {
        let point = in_space(finite_vector("point", point.into())?.widen());
        let mut solid = self.to_solid()?;
        let arm = solid::turning(solid.center - point, V::DIM);
        for (entry, arm) in solid.inertia.iter_mut().zip(arm) {
            *entry = *entry + arm * solid.mass;
        }
        Ok(solid.narrow::<V>()?.inertia)
    }

    /// The numbers in `f64`, checked.
    pub(crate) fn to_solid(self) -> Result<Solid, Error> {
        let mass = Unbounded::from(not_negative("mass", self.mass)?.to_f64());
        let center = in_space(finite_vector("center", self.center)?.widen());
        let mut inertia = [Unbounded::ZERO; 6];
        for (entry, value) in inertia.iter_mut().zip(V::entries(self.inertia)) {
            *entry = finite("inertia", value)?.to_f64().into();
        }
        Ok(Solid { mass, center, inertia })
    }
}

impl<T: Real> Space for Vec2<T> {
    type Inertia = T;
    type Rotation = Rot2<T>;
    fn inertia([moment, ..]: [T; 6]) -> T {
        moment
    }
    fn entries(moment: T) -> [T; 6] {
        let zero = T::ZERO;
        [moment, zero, zero, zero, zero, zero]
    }
    fn matrix(rotation: Rot2<T>) -> Mat3<f64> {
        let [x, y] = rotation.widen().to_matrix().columns;
        Mat3 { columns: [Vec3::new(x.x, x.y, 0.0), Vec3::new(y.x, y.y, 0.0), Vec3::new(0.0, 0.0, 1.0)] }
    }
}

impl<T: Real> Space for Vec3<T> {
    type Inertia = Mat3<T>;
    type Rotation = Quat<T>;
    fn inertia([xx, yy, zz, yz, zx, xy]: [T; 6]) -> Mat3<T> {
        Mat3 { columns: [Vec3::new(xx, xy, zx), Vec3::new(xy, yy, yz), Vec3::new(zx, yz, zz)] }
    }
    /// The lower triangle, so that an upper one that differs has no say.
    fn entries(inertia: Mat3<T>) -> [T; 6] {
        let [x, y, z] = inertia.columns;
        [x.x, y.y, z.z, y.z, x.z, x.y]
    }
    fn matrix(rotation: Quat<T>) -> Mat3<f64> {
        rotation.widen().to_matrix()
    }
}

mod sealed {
    use carom_math::{Real, Vec2, Vec3};
    pub trait Entries {}
    impl<T: Real> Entries for Vec2<T> {}
    impl<T: Real> Entries for Vec3<T> {}
}
