//! Mass, centre and inertia of the shapes of the plane.
//!
//! With area A, all about the centre and for density 1:
//!
//! ```text
//! ball      A = π r²                I = A r²/2
//! cuboid    A = 4 x y               I = A (x² + y²)/3                   half extents x, y
//! ellipse   A = π x y               I = A (x² + y²)/4                   radii x, y
//! capsule   A = 2 r l + π r²        I = 2 r l (l²/12 + r²/3) + π r² (r²/2 + l²/4) + 4/3 r³ l
//! ```
//!
//! The capsule of length l is a rectangle l by 2r and two half discs. The centroid of a half disc lies
//! c = 4r/(3π) from its straight side, so about its own centroid it has m r²/2 − m c², and about that of the
//! capsule, which is l/2 + c away, m (r²/2 + l²/4 + l c). For both halves together m = π r², and
//! m l c = 4/3 r³ l. A triangle is integrated like any polygon ([`moments`](crate::mass)).

use crate::Error;
use crate::error::{finite_vector, not_negative};
use crate::mass::moments;
use crate::mass::rounded;
use crate::mass::solid::{Solid, in_space};
use crate::mass::unbounded::Unbounded;
use crate::shape::Ball;
use carom_math::{Mat3, Number, Real, Vec2, Vec3, Vector};
use core::f64::consts::PI;

use super::{AsShape, Capsule, ConvexPolygon, Cuboid, Ellipsoid, Rounded, Shape};

/// See [`crate::mass::MassProperties`]: the inertia is a number.
pub type MassProperties<T> = crate::mass::MassProperties<Vec2<T>>;

/// Mass, centre and inertia of a shape of uniform density (mass per area), in the frame of the shape.
///
/// Accurate to a few units in the last place. A segment has no area: its mass and inertia are zero and its
/// centre is its middle. The same holds for shapes without an inside, such as a flat cuboid or triangle.
///
/// # Errors
/// - [`Error::NotFinite`] and [`Error::Negative`] when the density is;
/// - [`Error::UnsupportedShape`] for a half-space, which weighs infinitely much, and for a rounded
///   ellipse, whose outline has no closed form;
/// - [`Error::Overflow`] when the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Cuboid, mass_properties};
/// let door = mass_properties(&Cuboid::new([0.5, 1.0])?, 3.0)?;
/// assert_eq!((door.mass, door.center.x, door.inertia), (6.0, 0.0, 2.5));
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
        Shape::Triangle(triangle) => of_polygon(&triangle.corners()),
        Shape::Outline(outline) => of_polygon(&outline.points().collect::<Vec<_>>()),
        Shape::Polygon(polygon) => of_polygon(&polygon.points().collect::<Vec<_>>()),
        Shape::Ellipsoid(ellipse) => of_ellipse(ellipse),
        Shape::Rounded(rounded) => of_rounded(&rounded)?,
        Shape::Polyline(polyline) => Solid::thin(&polyline.points().collect::<Vec<_>>()),
        Shape::HeightField(field) => Solid::thin(&field.all_points()),
        Shape::Compound(compound) => {
            let mut parts = Vec::new();
            for (part, pose) in compound.at_scale() {
                let [x, y] = pose.rotation.to_matrix().columns;
                let turn = Mat3 {
                    columns: [Vec3::new(x.x, x.y, 0.0), Vec3::new(y.x, y.y, 0.0), Vec3::new(0.0, 0.0, 1.0)],
                };
                parts.push(solid_of(part)?.rotated(turn, 2).moved(pose.translation));
            }
            Solid::merged(&parts, 2)
        }
        Shape::HalfSpace(_) => {
            return Err(Error::UnsupportedShape { operation: "mass", shape: "half_space" });
        }
    })
}

/// Mass, centre and inertia of a simple polygon of uniform density, in the frame of the points.
///
/// Either winding; the polygon closes itself. Repeated and collinear points make no difference. Accurate to
/// a few units in the last place wherever it lies and however thin it is, down to an area of some 1e-28 of
/// that of its box, which counts as zero: then the mass and inertia are zero and the centre is the mean of
/// the points. That the polygon is simple is not checked: where it overlaps itself, each point
/// counts as often as the outline winds around it.
///
/// # Errors
/// [`Error::TooFewPoints`] for fewer than three points, else as for [`mass_properties`].
///
/// # Example
/// ```
/// use carom_geometry::d2::polygon_mass;
/// use carom_math::Vec2;
/// let corner = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]].map(Vec2::from);
/// let mass = polygon_mass(&corner, 1.0)?;
/// assert_eq!(mass.mass, 3.0);
/// assert_eq!(mass.center, Vec2::new(5.0, 5.0) / 6.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn polygon_mass<T: Real>(points: &[Vec2<T>], density: T) -> Result<MassProperties<T>, Error> {
    let density = not_negative("density", density)?.to_f64();
    if points.len() < 3 {
        return Err(Error::TooFewPoints { what: "points", least: 3, count: points.len() });
    }
    let mut wide = Vec::with_capacity(points.len());
    for &point in points {
        wide.push(finite_vector("points", point)?.widen());
    }
    of_polygon(&wide).with_density(density).narrow()
}

fn of_polygon(points: &[Vec2<f64>]) -> Solid {
    let points: Vec<_> = points.iter().map(|point| [point.x, point.y]).collect();
    let count = points.len();
    moments::of_boundary(&points, (0..count).map(|i| [i, if i + 1 < count { i + 1 } else { 0 }]))
}

fn of_ball(ball: Ball<f64>) -> Solid {
    let square = Unbounded::from(ball.radius()).squared();
    let area = square * PI;
    Solid::flat(area, in_space(Vec2::ZERO), area * square * 0.5)
}

fn of_cuboid(cuboid: Cuboid<f64>) -> Solid {
    let half = in_space(cuboid.half_extents());
    let area = half.x * half.y * 4.0;
    Solid::flat(area, in_space(Vec2::ZERO), area * half.dot(half) / Unbounded::from(3.0))
}

fn of_ellipse(ellipse: Ellipsoid<f64>) -> Solid {
    let radii = in_space(ellipse.radii());
    let area = radii.x * radii.y * PI;
    Solid::flat(area, in_space(Vec2::ZERO), area * radii.dot(radii) * 0.25)
}

fn of_capsule(capsule: Capsule<f64>) -> Solid {
    let (a, b) = (in_space(capsule.segment().a()), in_space(capsule.segment().b()));
    let radius = Unbounded::from(capsule.radius());
    let (square, length_squared) = (radius.squared(), (b - a).dot(b - a));
    let length = length_squared.sqrt();
    let rectangle = radius * length * 2.0;
    let disc = square * PI;
    let over = |x: Unbounded, divisor: f64| x / Unbounded::from(divisor);
    let moment = rectangle * (over(length_squared, 12.0) + over(square, 3.0))
        + disc * (square * 0.5 + length_squared * 0.25)
        + over(square * radius * length * 4.0, 3.0);
    Solid::flat(rectangle + disc, (a + b) * Unbounded::from(0.5), moment)
}

/// The cores that stay rounded when widened; see [`crate::mass::rounded`].
fn of_rounded(shape: &Rounded<f64>) -> Result<Solid, Error> {
    let radius = Unbounded::from(shape.radius());
    let around = |polygon: ConvexPolygon<f64>| {
        let points: Vec<_> = polygon.points().collect();
        let inside = of_polygon(&points);
        rounded::of_polygon(&points.into_iter().map(in_space).collect::<Vec<_>>(), &inside, radius)
    };
    Ok(match shape.core().into_owned() {
        Shape::Cuboid(cuboid) => rounded::of_box(in_space(cuboid.half_extents()), radius, 2),
        Shape::Triangle(triangle) => around(ConvexPolygon::from_hull(triangle.corners())?),
        Shape::Polygon(polygon) => around(polygon),
        Shape::Ellipsoid(_) => return Err(Error::UnsupportedShape { operation: "mass", shape: "rounded" }),
        // The others are rounded only when their radii are too large to be added.
        _ => return Err(Error::Overflow { what: "the mass", number: "f64" }),
    })
}
