//! Mass, centre and inertia of the shapes of space.
//!
//! With volume V, all about the centre and for density 1; I∥ about the axis of the shape, I⊥ about any axis
//! perpendicular to it:
//!
//! ```text
//! ball      V = 4/3 π r³            I = 2/5 V r²
//! cuboid    V = 8 x y z             I_xx = V (y² + z²)/3, …                half extents x, y, z
//! cylinder  V = 2 π r² h            I∥ = V r²/2          I⊥ = V (r²/4 + h²/3)        half height h
//! cone      V = 2/3 π r² h          I∥ = 3/10 V r²       I⊥ = 3/20 V (r² + h²)       centre at −h/2
//! ellipsoid V = 4/3 π x y z         I_xx = V (y² + z²)/5, …                radii x, y, z
//! capsule   V = π r² l + 4/3 π r³   I∥ = π r² l r²/2 + 4/3 π r³ · 2/5 r²
//!                                   I⊥ = I∥ + π r² l (l²/12 + l r/3 + r²/4)
//! ```
//!
//! The capsule of length l is a cylinder and two half balls. The centroid of a half ball lies c = 3/8 r from
//! its flat side; by the parallel axis theorem, applied from the centre of the full ball to the centroid
//! and on to that of the capsule, l/2 + c away, a half ball of mass m has I⊥ =
//!
//! ```text
//! m·2/5 r² − m c² + m (l/2 + c)² = m (2/5 r² + l²/4 + l c)
//! ```
//!
//! With the cylinder's π r² l (r²/4 + l²/12) and m = 4/3 π r³ for both halves, I⊥ − I∥ collects to the sum of
//! positive terms above, so nothing cancels. An axis along the unit vector u turns the tensor to
//! I = I∥·1 + (I⊥ − I∥)(1 − u·uᵀ), where 1 − u_x² is u_y² + u_z².

mod mesh;

pub use mesh::mesh_mass;

use crate::Error;
use crate::error::not_negative;
use crate::mass::moments;
use crate::mass::rounded::{self, Side};
use crate::mass::solid::{Entries, Solid, in_space, turning};
use crate::mass::unbounded::Unbounded;
use crate::shape::Ball;
use carom_math::{Mat3, Number, Real, Vec3, Vector, symmetric_eigen3};
use core::f64::consts::PI;

use super::{AsShape, Capsule, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Rounded, Shape};

/// See [`crate::mass::MassProperties`]: the inertia is a symmetric matrix.
pub type MassProperties<T> = crate::mass::MassProperties<Vec3<T>>;

/// Mass, centre and inertia of a shape of uniform density (mass per volume), in the frame of the shape.
///
/// Accurate to a few units in the last place. Segments and triangles have no volume: their mass and inertia
/// are zero and their centre is the mean of their corners. The same holds for shapes of size zero.
///
/// # Errors
/// - [`Error::NotFinite`] and [`Error::Negative`] when the density is;
/// - [`Error::UnsupportedShape`] for a half-space, which weighs infinitely much, and for a rounded
///   ellipsoid, whose surface has no closed form;
/// - [`Error::NotClosed`] for a [solid mesh with gaps](super::TriangleMesh::solid_with_gaps), also as a part of a compound: a
///   surface that does not close bounds no volume;
/// - [`Error::Overflow`] when the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Cuboid, mass_properties};
/// let brick = mass_properties(&Cuboid::new([2.0, 0.5, 1.0])?, 3.0)?;
/// assert_eq!(brick.mass, 24.0);
/// assert_eq!(brick.inertia.columns[1].y, 24.0 * (4.0 + 1.0) / 3.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn mass_properties<T: Real>(shape: &impl AsShape<T>, density: T) -> Result<MassProperties<T>, Error> {
    let density = not_negative("density", density)?.to_f64();
    solid_of(shape.as_shape().widen().into_owned())?.with_density(density).narrow()
}

fn solid_of(shape: Shape<f64>) -> Result<Solid, Error> {
    Ok(match shape {
        Shape::Ball(ball) => of_ball(ball),
        Shape::Cuboid(cuboid) => of_cuboid(cuboid),
        Shape::Capsule(capsule) => of_capsule(capsule),
        Shape::Segment(segment) => Solid::thin(&[segment.a(), segment.b()]),
        Shape::Triangle(triangle) => Solid::thin(&triangle.corners()),
        Shape::Cylinder(cylinder) => of_cylinder(cylinder),
        Shape::Cone(cone) => of_cone(cone),
        Shape::Hull(hull) => of_hull(&hull),
        Shape::Ellipsoid(ellipsoid) => of_ellipsoid(ellipsoid),
        Shape::Rounded(rounded) => of_rounded(&rounded)?,
        Shape::Mesh(mesh) => {
            mesh.check_gaps()?;
            let (points, triangles) = mesh.boundary();
            if mesh.is_solid() {
                moments::of_boundary(&points, triangles.into_iter())
            } else {
                Solid::thin(&points.into_iter().map(Vec3::from).collect::<Vec<_>>())
            }
        }
        Shape::HeightField(field) => Solid::thin(&field.all_corners()),
        Shape::Compound(compound) => {
            let mut parts = Vec::new();
            for (part, pose) in compound.at_scale() {
                parts.push(solid_of(part)?.rotated(pose.rotation.to_matrix(), 3).moved(pose.translation));
            }
            Solid::merged(&parts, 3)
        }
        Shape::HalfSpace(_) => {
            return Err(Error::UnsupportedShape { operation: "mass", shape: "half_space" });
        }
    })
}

/// The axes about which a body turns without wobbling, and its inertia about them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxes<T> {
    /// The moments, in falling order and never negative.
    pub moments: [T; 3],
    /// The unit axes as columns, right-handed, in the frame of the shape: a rotation from the principal
    /// frame to that of the shape.
    pub axes: Mat3<T>,
}

impl<T: Real> MassProperties<T> {
    /// The principal moments and axes: the eigenvalues and eigenvectors of the inertia.
    ///
    /// Moments are accurate to a few ε of the largest one. Where moments are equal, the axes between them
    /// are arbitrary, but the same for the same input.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when a number of the inertia is; [`Error::Overflow`] when a moment is out of
    /// range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Cuboid, mass_properties};
    /// let brick = mass_properties(&Cuboid::new([2.0, 0.5, 1.0])?, 3.0)?;
    /// let principal = brick.principal_axes()?;
    /// assert_eq!(principal.moments, [40.0, 34.0, 10.0]);
    /// assert_eq!(principal.axes.columns[2].x, 1.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn principal_axes(&self) -> Result<PrincipalAxes<T>, Error> {
        let solid = MassProperties { mass: T::ZERO, center: Vec3::ZERO, ..*self }.to_solid()?;
        // Near 1, so that the squares inside are in range, and answers scale exactly.
        let exponent = solid.inertia.iter().filter_map(|entry| entry.exponent()).max().unwrap_or(0);
        let [xx, yy, zz, yz, zx, xy] = solid.inertia.map(|entry| entry.shifted(-exponent).to_f64());
        let (moments, axes) = symmetric_eigen3(Mat3 {
            columns: [Vec3::new(xx, xy, zx), Vec3::new(xy, yy, yz), Vec3::new(zx, yz, zz)],
        });
        let moments =
            moments.map(|moment| T::from_f64(Unbounded::from(moment.max_of(0.0)).shifted(exponent).to_f64()));
        if moments.into_iter().all(Real::finite) {
            Ok(PrincipalAxes { moments, axes: Mat3 { columns: axes.columns.map(Vec3::narrow) } })
        } else {
            Err(Error::Overflow { what: "the inertia", number: T::NAME })
        }
    }
}

fn of_ball(ball: Ball<f64>) -> Solid {
    let radius = Unbounded::from(ball.radius());
    let volume = ball_volume(radius);
    Solid::aligned(volume, in_space(Vec3::ZERO), [two_fifths(volume * radius.squared()); 3])
}

fn ball_volume(radius: Unbounded) -> Unbounded {
    over(radius.squared() * radius * (4.0 * PI), 3.0)
}

fn two_fifths(x: Unbounded) -> Unbounded {
    over(x * 2.0, 5.0)
}

fn over(x: Unbounded, divisor: f64) -> Unbounded {
    x / Unbounded::from(divisor)
}

fn of_cuboid(cuboid: Cuboid<f64>) -> Solid {
    let half = in_space(cuboid.half_extents());
    let (x, y, z) = (half.x.squared(), half.y.squared(), half.z.squared());
    let volume = half.x * half.y * half.z * 8.0;
    Solid::aligned(volume, in_space(Vec3::ZERO), [y + z, z + x, x + y].map(|sum| over(volume * sum, 3.0)))
}

fn of_ellipsoid(ellipsoid: Ellipsoid<f64>) -> Solid {
    let radii = in_space(ellipsoid.radii());
    let (x, y, z) = (radii.x.squared(), radii.y.squared(), radii.z.squared());
    let volume = over(radii.x * radii.y * radii.z * (4.0 * PI), 3.0);
    Solid::aligned(volume, in_space(Vec3::ZERO), [y + z, z + x, x + y].map(|sum| over(volume * sum, 5.0)))
}

/// The inside of the triangles of the faces; a hull without volume balances at the mean of its vertices.
fn of_hull(hull: &ConvexHull<f64>) -> Solid {
    hull_with_second(hull).0
}

/// The same with the second moments about the centre.
fn hull_with_second(hull: &ConvexHull<f64>) -> (Solid, Entries) {
    let points: Vec<_> = hull.vertices().map(|vertex| [vertex.x, vertex.y, vertex.z]).collect();
    moments::with_second(&points, hull.triangles().map(|triangle| triangle.map(|index| index as usize)))
}

fn of_capsule(capsule: Capsule<f64>) -> Solid {
    let (a, b) = (in_space(capsule.segment().a()), in_space(capsule.segment().b()));
    let radius = Unbounded::from(capsule.radius());
    let (square, length_squared) = (radius.squared(), (b - a).dot(b - a));
    let length = length_squared.sqrt();
    let cylinder = square * length * PI;
    let balls = ball_volume(radius);
    let along = cylinder * square * 0.5 + two_fifths(balls * square);
    let excess = cylinder * (over(length_squared, 12.0) + over(length * radius, 3.0) + square * 0.25);
    let mut solid = Solid::aligned(cylinder + balls, (a + b) * Unbounded::from(0.5), [along; 3]);
    // (1 − u·uᵀ) is what a unit mass at u has; for length zero the excess is zero as well.
    let axis = (b - a) / length;
    for (entry, arm) in solid.inertia.iter_mut().zip(turning(axis, 3)) {
        *entry = *entry + excess * arm;
    }
    solid
}

fn of_cylinder(cylinder: Cylinder<f64>) -> Solid {
    let half = Unbounded::from(cylinder.half_height());
    let square = Unbounded::from(cylinder.radius()).squared();
    let volume = square * half * (2.0 * PI);
    let across = volume * (square * 0.25 + over(half.squared(), 3.0));
    Solid::aligned(volume, in_space(Vec3::ZERO), [across, volume * square * 0.5, across])
}

fn of_cone(cone: Cone<f64>) -> Solid {
    let half = Unbounded::from(cone.half_height());
    let square = Unbounded::from(cone.radius()).squared();
    let volume = over(square * half * (2.0 * PI), 3.0);
    let across = over(volume * (square + half.squared()) * 3.0, 20.0);
    let along = over(volume * square * 3.0, 10.0);
    let center = Vec3::new(0.0, cone.half_height(), 0.0);
    Solid::aligned(volume, in_space(center) * Unbounded::from(-0.5), [across, along, across])
}

/// The cores that stay rounded when widened; see [`crate::mass::rounded`].
fn of_rounded(shape: &Rounded<f64>) -> Result<Solid, Error> {
    let radius = Unbounded::from(shape.radius());
    Ok(match shape.core().into_owned() {
        Shape::Cuboid(cuboid) => rounded::of_box(in_space(cuboid.half_extents()), radius, 3),
        Shape::Triangle(triangle) => of_rounded_hull(&ConvexHull::new(triangle.corners())?, shape.radius())?,
        Shape::Hull(hull) => of_rounded_hull(&hull, shape.radius())?,
        Shape::Cylinder(cylinder) => {
            let [h, r] = [cylinder.half_height(), cylinder.radius()].map(Unbounded::from);
            let zero = Unbounded::ZERO;
            let sides = [
                Side { from: [zero, -h], to: [r, -h], normal: [0.0, -1.0] },
                Side { from: [r, -h], to: [r, h], normal: [1.0, 0.0] },
                Side { from: [r, h], to: [zero, h], normal: [0.0, 1.0] },
            ];
            rounded::of_revolved(&sides, &of_cylinder(cylinder), radius)
        }
        Shape::Cone(cone) => {
            let [h, r] = [cone.half_height(), cone.radius()].map(Unbounded::from);
            let zero = Unbounded::ZERO;
            // The side runs by (−r, 2h). A cone without a radius is a segment, one without anything a point.
            let slant = (h.squared() * 4.0 + r.squared()).sqrt();
            let normal = [(h * 2.0 / slant).to_f64(), (r / slant).to_f64()];
            let normal = if slant == zero { [1.0, 0.0] } else { normal };
            let sides = [
                Side { from: [zero, -h], to: [r, -h], normal: [0.0, -1.0] },
                Side { from: [r, -h], to: [zero, h], normal },
            ];
            rounded::of_revolved(&sides, &of_cone(cone), radius)
        }
        Shape::Ellipsoid(_) => return Err(Error::UnsupportedShape { operation: "mass", shape: "rounded" }),
        // The others are rounded only when their radii are too large to be added.
        _ => return Err(Error::Overflow { what: "the mass", number: "f64" }),
    })
}

fn of_rounded_hull(hull: &ConvexHull<f64>, radius: f64) -> Result<Solid, Error> {
    if hull.face_count() == 0 {
        // A segment or a point.
        let mut ends = hull.vertices();
        let first = ends.next().unwrap_or(Vec3::ZERO);
        return Ok(of_capsule(Capsule::new(first, ends.last().unwrap_or(first), radius)?));
    }
    let points: Vec<_> = hull.vertices().collect();
    let faces = (0..hull.face_count()).map(|index| hull.face(index));
    let (inside, second) = hull_with_second(hull);
    Ok(rounded::of_polyhedron(&points, faces, (&inside, second), Unbounded::from(radius)))
}
