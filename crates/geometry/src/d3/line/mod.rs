//! Flat things of space: points, lines, rays, segments, planes, triangles and parallelograms, and how
//! two of them relate.

mod forms;
mod plane;

pub use forms::{
    Coordinates, Crossing, barycentric_in_parallelogram, barycentric_in_triangle, closest_approach,
    closest_on_parallelogram, closest_on_triangle, line_plane, ray_plane, ray_ray, triangle_normal,
};
pub use plane::{Parallelogram, Plane};

use crate::error::finite_vector;
use crate::line::{self, LineRelation, NO_ROW, row};
use crate::{Error, d3};
use carom_math::{Real, Vec3};

/// See [`crate::line::Line`].
pub type Line<T> = line::Line<Vec3<T>>;

line::flat_things! {
    /// A point.
    Point(Vec3<T>) = "point", p => [row(*p), NO_ROW, NO_ROW];
    /// A line.
    Line(Line<T>) = "line", line => [row(line.point()), row(line.direction()), NO_ROW];
    /// A ray.
    Ray(d3::Ray<T>) = "ray", ray => [row(ray.origin()), row(ray.direction()), NO_ROW];
    /// A segment; one of length zero is a point.
    Segment(d3::Segment<T>) = "segment", segment => [row(segment.a()), row(segment.b()), NO_ROW];
    /// A plane.
    Plane(Plane<T>) = "plane", plane => [row(plane.normal()), [plane.offset().to_f64(), 0.0, 0.0], NO_ROW];
    /// A triangle.
    Triangle(d3::Triangle<T>) = "triangle", triangle => triangle.corners().map(row);
    /// A parallelogram.
    Parallelogram(Parallelogram<T>) = "parallelogram", it => [row(it.origin()), row(it.u()), row(it.v())];
}

/// How two flat things of space relate: the exact relation and a pair of closest points.
///
/// Of many closest or common pairs one is taken, the same whatever the order of the arguments. The two
/// are ordered by kind (point, line, ray, segment, plane, triangle, parallelogram), and by their numbers
/// when of one kind. If the first is straight, the pair closest to its start (t = 0) is taken; of two
/// faces, that on the first edge with common points; of two planes, that closest to the origin.
///
/// # Errors
/// When a point is not finite, a triangle or parallelogram has no area, or the answer is too large for
/// the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::{Plane, Segment, Triangle, relate};
/// use carom_geometry::line::Relation;
/// let triangle = Triangle::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
/// let pin = Segment::new([1.0, 2.0, -1.0], [1.0, 2.0, 3.0])?;
/// let answer = relate(pin, triangle)?;
/// assert_eq!(answer.relation, Relation::Crossing);
/// assert_eq!((answer.s, answer.barycentric_b), (Some(0.25), Some([0.25, 0.5])));
/// // Beyond the edge they are apart, by half a diagonal.
/// let beside = Segment::new([3.0, 3.0, -1.0], [3.0, 3.0, 3.0])?;
/// let answer = relate(beside, triangle)?;
/// assert_eq!((answer.relation, answer.distance), (Relation::Apart, 2.0_f64.sqrt()));
/// // A plane above is parallel.
/// let ceiling = Plane::new([0.0, 0.0, 2.0], 6.0)?;
/// assert_eq!(relate(triangle, ceiling)?.distance, 3.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn relate<T: Real>(a: impl Into<Flat<T>>, b: impl Into<Flat<T>>) -> Result<LineRelation<Vec3<T>>, Error> {
    let (a, b) = (a.into(), b.into());
    for (flat, what) in [(&a, "a"), (&b, "b")] {
        if let Flat::Point(point) = flat {
            finite_vector(what, *point)?;
        }
    }
    line::relate::relate(&a, &b)
}
