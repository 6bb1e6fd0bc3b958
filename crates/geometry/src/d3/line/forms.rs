//! Closed forms for lines, planes, triangles and parallelograms.
//!
//! Where a form divides, the divisor is compared with zero exactly, so that parallel means parallel.

use super::{Line, Parallelogram, Plane};
use crate::d3::{Ray, Triangle};
use crate::error::finite_vector;
use crate::exact::{Question, Ring, Triple, decide};
use crate::line::flat::{Flat, Place, Thing};
use crate::line::relate::ToThing;
use crate::line::{closest, rescaled, row};
use crate::{Error, d3};
use carom_math::{Real, Vec3, Vector};
use core::cmp::Ordering;

/// Where a line or ray meets a plane.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Line, Plane, line_plane};
/// let line = Line::new([0.0, 5.0, 0.0], [1.0, -2.0, 0.0])?;
/// let crossing = line_plane(&line, &Plane::new([0.0, 1.0, 0.0], 1.0)?)?.expect("they cross");
/// assert_eq!((crossing.t, crossing.point), (2.0, [2.0, 1.0, 0.0].into()));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing<T> {
    /// The parameter on the line or ray.
    pub t: T,
    /// The common point.
    pub point: Vec3<T>,
}

/// Where a point is on a triangle or parallelogram: corner + u·(first side) + v·(second side).
///
/// # Example
/// ```
/// use carom_geometry::d3::Coordinates;
/// let middle = Coordinates { u: 0.5, v: 0.75 };
/// assert!(middle.is_in_parallelogram() && !middle.is_in_triangle());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates<T> {
    /// Along the first side.
    pub u: T,
    /// Along the second side.
    pub v: T,
}

impl<T: Real> Coordinates<T> {
    /// u >= 0, v >= 0 and u + v <= 1.
    #[must_use]
    pub fn is_in_triangle(&self) -> bool {
        T::ZERO <= self.u && T::ZERO <= self.v && self.u + self.v <= T::ONE
    }
    /// u and v are both in [0, 1]. (u + v <= 2 would not be enough.)
    #[must_use]
    pub fn is_in_parallelogram(&self) -> bool {
        let unit = |x: T| T::ZERO <= x && x <= T::ONE;
        unit(self.u) && unit(self.v)
    }
}

/// Where a line crosses a plane; `None` when it is parallel to it or lies in it.
///
/// (P₀ + t·d)·n = offset gives t = (offset − P₀·n)/(d·n).
///
/// # Errors
/// When the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Line, Plane, line_plane};
/// let floor = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// assert!(line_plane(&Line::new([0.0, 1.0, 0.0], [1.0, 0.0, 0.0])?, &floor)?.is_none());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn line_plane<T: Real>(line: &Line<T>, plane: &Plane<T>) -> Result<Option<Crossing<T>>, Error> {
    straight_plane(line.point(), line.direction(), plane, false)
}

/// Where a ray crosses a plane; `None` when it does not reach it, is parallel to it or lies in it.
///
/// As [`line_plane`], with t >= 0.
///
/// # Errors
/// When the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Plane, Ray, ray_plane};
/// let floor = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let down = Ray::new([3.0, 4.0, 0.0], [0.0, -2.0, 0.0])?;
/// assert_eq!(ray_plane(&down, &floor)?.unwrap().t, 2.0);
/// let up = Ray::new([3.0, 4.0, 0.0], [0.0, 2.0, 0.0])?;
/// assert!(ray_plane(&up, &floor)?.is_none());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ray_plane<T: Real>(ray: &Ray<T>, plane: &Plane<T>) -> Result<Option<Crossing<T>>, Error> {
    straight_plane(ray.origin(), ray.direction(), plane, true)
}

/// The parameters [t₁, t₂] at which two lines come closest; `None` when they are parallel.
///
/// With n = d₁ × d₂: t₁ = ((p₂ − p₁) × d₂)·n/n·n and t₂ = ((p₂ − p₁) × d₁)·n/n·n.
///
/// # Errors
/// When a parameter is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Line, closest_approach};
/// let a = Line::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// let b = Line::new([3.0, 4.0, 5.0], [0.0, 2.0, 0.0])?;
/// assert_eq!(closest_approach(&a, &b)?, Some([3.0, -2.0]));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_approach<T: Real>(a: &Line<T>, b: &Line<T>) -> Result<Option<[T; 2]>, Error> {
    let rows = [row(a.point()), row(a.direction()), row(b.point()), row(b.direction())];
    approach(rows, false)
}

/// The parameters [t₁, t₂] at which two rays meet; `None` when they do not, or are parallel.
///
/// The parameters of [`closest_approach`], when the rays lie in one plane and neither is negative. All
/// of this is decided exactly.
///
/// # Errors
/// When a parameter is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Ray, ray_ray};
/// let a = Ray::new([0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?;
/// let b = Ray::new([3.0, -4.0, 1.0], [0.0, 2.0, 0.0])?;
/// assert_eq!(ray_ray(&a, &b)?, Some([3.0, 2.0]));
/// let skew = Ray::new([3.0, -4.0, 2.0], [0.0, 2.0, 0.0])?;
/// assert_eq!(ray_ray(&a, &skew)?, None);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ray_ray<T: Real>(a: &Ray<T>, b: &Ray<T>) -> Result<Option<[T; 2]>, Error> {
    let rows = [row(a.origin()), row(a.direction()), row(b.origin()), row(b.direction())];
    approach(rows, true)
}

/// The unit normal of a triangle, (b − a) × (c − a) by its length, computed from the two shortest edges.
///
/// # Errors
/// When the triangle has no area, decided exactly.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Triangle, triangle_normal};
/// let face = Triangle::new([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0])?;
/// assert_eq!(triangle_normal(&face)?, [0.0, 0.0, 1.0].into());
/// let flat = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0])?;
/// assert!(triangle_normal(&flat).is_err());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn triangle_normal<T: Real>(triangle: &Triangle<T>) -> Result<Vec3<T>, Error> {
    let (corners, _) = rescaled(triangle.corners().map(Vector::widen));
    let (normal, longest_squared) = closest::normal_of_shortest_edges(corners);
    // A height of a quarter of the longest edge costs two bits; thinner triangles take the long way.
    if longest_squared * longest_squared / 16.0 < normal.dot(normal) {
        return normal.normalized().map(Vec3::narrow).ok_or(Error::Collapsed { what: "triangle" });
    }
    let thing = d3::Flat::from(*triangle).to_thing();
    let normal = decide(&Normal { thing }).ok_or(Error::Collapsed { what: "triangle" })?;
    Vec3::from(normal).normalized().map(Vec3::narrow).ok_or(Error::Collapsed { what: "triangle" })
}

/// The coordinates of the foot of a point on the plane of a triangle: a + u·(b − a) + v·(c − a).
///
/// With Q = P − a, U = b − a, V = c − a and n = U × V: u = (Q × V)·n/n·n and v = (U × Q)·n/n·n.
///
/// # Errors
/// When the point is not finite, the triangle has no area, or the answer is too large.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Triangle, barycentric_in_triangle};
/// let face = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let inside = barycentric_in_triangle([1.0, 2.0, 7.0], &face)?;
/// assert_eq!((inside.u, inside.v), (0.25, 0.5));
/// assert!(inside.is_in_triangle());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn barycentric_in_triangle<T: Real>(
    point: impl Into<Vec3<T>>,
    triangle: &Triangle<T>,
) -> Result<Coordinates<T>, Error> {
    coordinates(point.into(), d3::Flat::from(*triangle), "triangle")
}

/// The coordinates of the foot of a point on the plane of a parallelogram: origin + u·U + v·V.
///
/// As [`barycentric_in_triangle`].
///
/// # Errors
/// When the point is not finite, the parallelogram has no area, or the answer is too large.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Parallelogram, barycentric_in_parallelogram};
/// let tile = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0])?;
/// let beside = barycentric_in_parallelogram([4.0, 0.0, 1.0], &tile)?;
/// assert_eq!((beside.u, beside.v), (1.5, 0.5)); // u + v <= 2, and yet outside
/// assert!(!beside.is_in_parallelogram());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn barycentric_in_parallelogram<T: Real>(
    point: impl Into<Vec3<T>>,
    parallelogram: &Parallelogram<T>,
) -> Result<Coordinates<T>, Error> {
    coordinates(point.into(), d3::Flat::from(*parallelogram), "parallelogram")
}

/// The point of a triangle that is closest to a point, and its distance. The triangle may be collapsed.
///
/// The foot on the plane when that is inside, else the closest point of the edges.
///
/// # Errors
/// When the point is not finite, or the answer too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Triangle, closest_on_triangle};
/// let face = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let (point, distance) = closest_on_triangle([1.0, 1.0, -3.0], &face)?;
/// assert_eq!((point, distance), ([1.0, 1.0, 0.0].into(), 3.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_on_triangle<T: Real>(
    point: impl Into<Vec3<T>>,
    triangle: &Triangle<T>,
) -> Result<(Vec3<T>, T), Error> {
    let p = finite_vector("point", point.into())?.widen();
    let [a, b, c] = triangle.corners().map(Vector::widen);
    let ([p, a, b, c], inverse) = rescaled([p, a, b, c]);
    let (_, on) = closest::closest_on_triangle3(p, [a, b, c]);
    let distance = T::from_f64(Vector::length(p - on) * inverse);
    let on = Vec3::narrow(on * inverse);
    if distance.finite() { Ok((on, distance)) } else { Err(too_large::<T>("the distance")) }
}

/// The point of a parallelogram that is closest to a point, and its distance.
///
/// origin + u·U + v·V when the foot on the plane is inside, else the closest point of the edges.
///
/// # Errors
/// When the point is not finite, the parallelogram has no area, or the answer is too large.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Parallelogram, closest_on_parallelogram};
/// let tile = Parallelogram::new([1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 2.0])?;
/// let (point, distance) = closest_on_parallelogram([2.0, 5.0, 1.0], &tile)?;
/// assert_eq!((point, distance), ([2.0, 0.0, 1.0].into(), 5.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_on_parallelogram<T: Real>(
    point: impl Into<Vec3<T>>,
    parallelogram: &Parallelogram<T>,
) -> Result<(Vec3<T>, T), Error> {
    let answer =
        d3::relate(finite_vector("point", point.into())?, *parallelogram).map_err(|error| match error {
            Error::Collapsed { .. } => Error::Collapsed { what: "parallelogram" },
            other => other,
        })?;
    Ok((answer.point_b, answer.distance))
}

fn too_large<T: Real>(what: &'static str) -> Error {
    Error::Overflow { what, number: T::NAME }
}

fn straight_plane<T: Real>(
    origin: Vec3<T>,
    direction: Vec3<T>,
    plane: &Plane<T>,
    starts: bool,
) -> Result<Option<Crossing<T>>, Error> {
    let question = StraightPlane {
        rows: [row(origin), row(direction), row(plane.normal())],
        level: plane.offset().to_f64(),
        starts,
    };
    let Some((t, point)) = decide(&question) else {
        return Ok(None);
    };
    let crossing = Crossing { t: T::from_f64(t), point: Vec3::narrow(point.into()) };
    if crossing.t.finite() && crossing.point.finite() {
        Ok(Some(crossing))
    } else {
        Err(too_large::<T>("the crossing"))
    }
}

fn approach<T: Real>(rows: [[f64; 3]; 4], must_meet: bool) -> Result<Option<[T; 2]>, Error> {
    let Some(parameters) = decide(&Approach { rows, must_meet }) else {
        return Ok(None);
    };
    let [s, t] = parameters.map(T::from_f64);
    if s.finite() && t.finite() { Ok(Some([s, t])) } else { Err(too_large::<T>("the parameter")) }
}

fn coordinates<T: Real>(
    point: Vec3<T>,
    flat: d3::Flat<T>,
    what: &'static str,
) -> Result<Coordinates<T>, Error> {
    let point = row(finite_vector("point", point)?);
    let [u, v] = decide(&Barycentric { point, thing: flat.to_thing() }).ok_or(Error::Collapsed { what })?;
    let answer = Coordinates { u: T::from_f64(u), v: T::from_f64(v) };
    if answer.u.finite() && answer.v.finite() { Ok(answer) } else { Err(too_large::<T>("the coordinate")) }
}

/// Origin, direction and normal; where do they cross?
struct StraightPlane {
    rows: [[f64; 3]; 3],
    level: f64,
    starts: bool,
}

impl Question for StraightPlane {
    type Answer = Option<(f64, [f64; 3])>;
    fn ask<R: Ring>(&self) -> Result<Self::Answer, R::Doubt> {
        let [origin, direction, normal] = self.rows.map(Triple::<R>::from_f64);
        let mut numerator = R::from_f64(self.level).minus(&normal.dot(&origin));
        let mut denominator = normal.dot(&direction);
        match denominator.sign()? {
            Ordering::Equal => return Ok(None),
            Ordering::Less => (numerator, denominator) = (numerator.negated(), denominator.negated()),
            Ordering::Greater => {}
        }
        if self.starts && numerator.is_negative()? {
            return Ok(None);
        }
        let x = origin.times(&denominator).plus(&direction.times(&numerator));
        let [x, y, z] = &x.0;
        let coordinate = |x: &R| R::ratio(x, &denominator, 0.0);
        let point = [coordinate(x)?, coordinate(y)?, coordinate(z)?];
        Ok(Some((R::ratio(&numerator, &denominator, 0.0)?, point)))
    }
}

/// Point and direction of two lines, or of two rays that must meet.
struct Approach {
    rows: [[f64; 3]; 4],
    must_meet: bool,
}

impl Question for Approach {
    type Answer = Option<[f64; 2]>;
    fn ask<R: Ring>(&self) -> Result<Self::Answer, R::Doubt> {
        let [p, d, q, e] = self.rows.map(Triple::<R>::from_f64);
        let (normal, between) = (d.cross(&e), q.minus(&p));
        if normal.is_zero()? {
            return Ok(None);
        }
        let s = between.cross(&e).dot(&normal);
        let t = between.cross(&d).dot(&normal);
        let is_skew = || Ok(!between.dot(&normal).is_zero()?);
        if self.must_meet && (is_skew()? || s.is_negative()? || t.is_negative()?) {
            return Ok(None);
        }
        let squared = normal.dot(&normal);
        Ok(Some([R::ratio(&s, &squared, 0.0)?, R::ratio(&t, &squared, 0.0)?]))
    }
}

/// The coordinates of the foot of a point on a triangle or parallelogram; `None` when that is collapsed.
struct Barycentric {
    point: [f64; 3],
    thing: Thing,
}

impl Question for Barycentric {
    type Answer = Option<[f64; 2]>;
    fn ask<R: Ring>(&self) -> Result<Self::Answer, R::Doubt> {
        let flat = Flat::<R>::new(&self.thing);
        if flat.is_collapsed()? {
            return Ok(None);
        }
        flat.coordinates(&Place::at(&Triple::from_f64(self.point))).map(Some)
    }
}

/// The direction of the normal of a triangle, its largest component ±1; `None` when that is collapsed.
struct Normal {
    thing: Thing,
}

impl Question for Normal {
    type Answer = Option<[f64; 3]>;
    fn ask<R: Ring>(&self) -> Result<Self::Answer, R::Doubt> {
        let Some(face) = Flat::<R>::new(&self.thing).face else {
            return Ok(None);
        };
        let [x, y, z] = &face.normal.0;
        let mut largest = R::zero();
        for component in [x, y, z] {
            let magnitude = if component.is_negative()? { component.negated() } else { component.clone() };
            if largest.minus(&magnitude).is_negative()? {
                largest = magnitude;
            }
        }
        if largest.is_zero()? {
            return Ok(None);
        }
        let ratio = |x: &R| R::ratio(x, &largest, 0.0);
        Ok(Some([ratio(x)?, ratio(y)?, ratio(z)?]))
    }
}
