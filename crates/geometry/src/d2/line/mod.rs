//! Flat things of the plane: points, lines, rays and segments, and how two of them relate.

use crate::error::finite_vector;
use crate::line::{self, LineRelation, NO_ROW, row};
use crate::{Error, d2};
use carom_math::{Real, Vec2, Vector};

/// See [`crate::line::Line`].
pub type Line<T> = line::Line<Vec2<T>>;

line::flat_things! {
    /// A point.
    Point(Vec2<T>) = "point", p => [row(*p), NO_ROW, NO_ROW];
    /// A line.
    Line(Line<T>) = "line", line => [row(line.point()), row(line.direction()), NO_ROW];
    /// A ray.
    Ray(d2::Ray<T>) = "ray", ray => [row(ray.origin()), row(ray.direction()), NO_ROW];
    /// A segment; one of length zero is a point.
    Segment(d2::Segment<T>) = "segment", segment => [row(segment.a()), row(segment.b()), NO_ROW];
}

/// How two flat things of the plane relate: the exact relation and a pair of closest points.
///
/// Of many closest or common pairs, the one is taken that is closest to the start (t = 0) of the thing
/// that comes first when the two are ordered by kind (point, line, ray, segment), and by their numbers
/// when of one kind. So `relate(b, a)` is `relate(a, b)` with the roles exchanged, to the bit.
///
/// # Errors
/// When a point is not finite, or the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Flat, Line, relate};
/// use carom_geometry::line::Relation;
/// use carom_math::Vec2;
/// let line = Line::new([0.0, 0.0], [3.0, 1.0])?;
/// // One third is not a number of the format, so this point is not on the line, however close.
/// let answer = relate(line, Vec2::new(1.0, 1.0 / 3.0))?;
/// assert_eq!(answer.relation, Relation::Apart);
/// assert!(0.0 < answer.distance && answer.distance < 1e-16);
/// // Parallel is decided exactly, too.
/// let other = Flat::from(Line::new([0.0, 1.0], [-6.0, -2.0])?);
/// assert_eq!(relate(line, other)?.relation, Relation::Parallel);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn relate<T: Real>(a: impl Into<Flat<T>>, b: impl Into<Flat<T>>) -> Result<LineRelation<Vec2<T>>, Error> {
    let (a, b) = (a.into(), b.into());
    for (flat, what) in [(&a, "a"), (&b, "b")] {
        if let Flat::Point(point) = flat {
            finite_vector(what, *point)?;
        }
    }
    line::relate::relate(&a, &b)
}

/// The signed distance of a point from a line: positive to the left of its direction.
///
/// With the normal n = (−d.y, d.x) and Q = P − P₀: n·Q/|n|.
///
/// # Errors
/// When the point is not finite, or the answer too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Line, signed_distance_to_line};
/// let line = Line::new([0.0, 1.0], [2.0, 0.0])?;
/// assert_eq!(signed_distance_to_line([7.0, 4.0], &line)?, 3.0);
/// assert_eq!(signed_distance_to_line([7.0, 0.0], &line)?, -1.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn signed_distance_to_line<T: Real>(point: impl Into<Vec2<T>>, line: &Line<T>) -> Result<T, Error> {
    let p = finite_vector("point", point.into())?.widen();
    let ([p, origin], inverse) = line::rescaled([p, line.point().widen()]);
    let ([direction], _) = line::rescaled([line.direction().widen()]);
    let distance = direction.cross(p - origin) / Vector::length(direction);
    let distance = T::from_f64(distance * inverse);
    if distance.finite() {
        Ok(distance)
    } else {
        Err(Error::Overflow { what: "the distance", number: T::NAME })
    }
}
