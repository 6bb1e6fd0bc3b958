//! Closed forms for a point and a line, ray or segment, and for two segments, in either dimension.

use super::Line;
use super::closest;
use crate::error::finite_vector;
use crate::shape::Segment;
use crate::{Error, Ray, scale};
use carom_math::{Number, Real, Vector};

/// The point of a line, ray or segment that is closest to a given point.
///
/// # Example
/// ```
/// use carom_geometry::d2::Line;
/// use carom_geometry::line::closest_on_line;
/// let line = Line::new([0.0, 1.0], [2.0, 0.0])?;
/// let foot = closest_on_line([3.0, 4.0], &line)?;
/// assert_eq!((foot.t, foot.point.x, foot.distance), (1.5, 3.0, 3.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<V: Vector> {
    /// The parameter of the closest point.
    pub t: V::Scalar,
    /// The closest point.
    pub point: V,
    /// How far it is from the given point.
    pub distance: V::Scalar,
}

/// The closest points of two segments.
///
/// # Example
/// ```
/// use carom_geometry::d2::Segment;
/// use carom_geometry::line::closest_between_segments;
/// let a = Segment::new([0.0, 0.0], [4.0, 0.0])?;
/// let b = Segment::new([1.0, 3.0], [1.0, 2.0])?;
/// let pair = closest_between_segments(&a, &b)?;
/// assert_eq!((pair.s, pair.t, pair.distance), (0.25, 1.0, 2.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPair<V: Vector> {
    /// The parameter on the first segment, in [0, 1].
    pub s: V::Scalar,
    /// The parameter on the second segment, in [0, 1].
    pub t: V::Scalar,
    /// The point of the first segment.
    pub point_a: V,
    /// The point of the second segment.
    pub point_b: V,
    /// How far apart they are.
    pub distance: V::Scalar,
}

/// The foot of a point on a line.
///
/// With Q = P − P₀: t = Q·d/d·d, and the foot is P₀ + t·d.
///
/// # Errors
/// When the point is not finite, or the answer too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::Line;
/// use carom_geometry::line::closest_on_line;
/// let axis = Line::new([0.0, 0.0, 0.0], [0.0, 0.0, 2.0])?;
/// assert_eq!(closest_on_line([3.0, 4.0, -5.0], &axis)?.distance, 5.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_on_line<V: Vector>(point: impl Into<V>, line: &Line<V>) -> Result<Projection<V>, Error> {
    foot(point.into(), line.point(), line.direction(), |t| t)
}

/// The point of a ray that is closest to a point: the foot on its line when that has t >= 0, else the
/// origin.
///
/// # Errors
/// When the point is not finite, or the answer too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d2::Ray;
/// use carom_geometry::line::closest_on_ray;
/// let ray = Ray::new([1.0, 1.0], [1.0, 0.0])?;
/// assert_eq!(closest_on_ray([-2.0, 5.0], &ray)?.distance, 5.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_on_ray<V: Vector>(point: impl Into<V>, ray: &Ray<V>) -> Result<Projection<V>, Error> {
    foot(point.into(), ray.origin(), ray.direction(), |t| t.max_of(0.0))
}

/// The point of a segment that is closest to a point: the foot on its line when that has t in [0, 1],
/// else the nearer end. A segment of length zero answers with its first end and t = 0.
///
/// # Errors
/// When the point is not finite, or the answer too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d2::Segment;
/// use carom_geometry::line::closest_on_segment;
/// let edge = Segment::new([0.0, 0.0], [2.0, 0.0])?;
/// let beyond = closest_on_segment([5.0, 4.0], &edge)?;
/// assert_eq!((beyond.t, beyond.point.x, beyond.distance), (1.0, 2.0, 5.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_on_segment<V: Vector>(
    point: impl Into<V>,
    segment: &Segment<V>,
) -> Result<Projection<V>, Error> {
    let p = finite_vector("point", point.into())?.widen();
    let ([p, a, b], inverse) = rescaled([p, segment.a().widen(), segment.b().widen()]);
    let (t, on) = closest::closest_on_segment(p, a, b);
    projection(t, p, on, inverse)
}

/// The closest points of two segments; of many pairs, one, chosen deterministically.
///
/// Minimises |a₀ + s·(a₁ − a₀) − b₀ − t·(b₁ − b₀)|² over s and t in [0, 1], by Eberly's robust form.
///
/// # Errors
/// When the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::Segment;
/// use carom_geometry::line::closest_between_segments;
/// let a = Segment::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0])?;
/// let b = Segment::new([0.0, -1.0, 3.0], [0.0, 1.0, 3.0])?;
/// let pair = closest_between_segments(&a, &b)?;
/// assert_eq!((pair.s, pair.t, pair.distance), (0.5, 0.5, 3.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn closest_between_segments<V: Vector>(a: &Segment<V>, b: &Segment<V>) -> Result<ClosestPair<V>, Error> {
    let ends = [a.a().widen(), a.b().widen(), b.a().widen(), b.b().widen()];
    let ([p0, p1, q0, q1], inverse) = rescaled(ends);
    // In one order whatever the order of the arguments, so that the distance is the same to the bit.
    let swap = order_of(&[q0, q1], &[p0, p1]).is_lt();
    let (s, t, on_p, on_q) = if swap {
        let (t, s, on_q, on_p) = closest::closest_segment_segment(q0, q1, p0, p1);
        (s, t, on_p, on_q)
    } else {
        closest::closest_segment_segment(p0, p1, q0, q1)
    };
    let to_scalar = V::Scalar::from_f64;
    let distance = to_scalar(Vector::length(on_p - on_q) * inverse);
    let (point_a, point_b) = (V::narrow(on_p * inverse), V::narrow(on_q * inverse));
    if !distance.finite() {
        return Err(Error::Overflow { what: "the distance", number: V::Scalar::NAME });
    }
    Ok(ClosestPair { s: to_scalar(s), t: to_scalar(t), point_a, point_b, distance })
}

/// Lengths brought into the range of the kernels, and the factor that brings answers back.
pub(crate) fn rescaled<V: Vector<Scalar = f64>, const N: usize>(lengths: [V; N]) -> ([V; N], f64) {
    match scale::rescaling(scale::largest(lengths.map(Vector::max_abs))) {
        Some(factor) => (lengths.map(|v| v * factor), 1.0 / factor),
        None => (lengths, 1.0),
    }
}

fn order_of<V: Vector<Scalar = f64>>(a: &[V; 2], b: &[V; 2]) -> core::cmp::Ordering {
    let numbers = |points: &[V; 2]| [0, 1, 2, 3, 4, 5].map(|i| points[i / 3].get(i % 3));
    let (a, b) = (numbers(a), numbers(b));
    let differing = a.iter().zip(&b).map(|(x, y)| x.total_cmp(y)).find(|order| order.is_ne());
    differing.unwrap_or(core::cmp::Ordering::Equal)
}

fn foot<V: Vector>(
    point: V,
    origin: V,
    direction: V,
    limit: impl Fn(f64) -> f64,
) -> Result<Projection<V>, Error> {
    let p = finite_vector("point", point)?.widen();
    let ([p, origin], inverse) = rescaled([p, origin.widen()]);
    // The direction has a scale of its own, which t counts in.
    let ([unscaled], own) = rescaled([direction.widen()]);
    let t = limit((p - origin).dot(unscaled) / unscaled.dot(unscaled));
    let on = if t == 0.0 { origin } else { origin + unscaled * t };
    projection(t * inverse / own, p, on, inverse)
}

fn projection<V: Vector>(t: f64, p: V::Wide, on: V::Wide, inverse: f64) -> Result<Projection<V>, Error> {
    let answer = Projection {
        t: V::Scalar::from_f64(t),
        point: V::narrow(on * inverse),
        distance: V::Scalar::from_f64(Vector::length(p - on) * inverse),
    };
    if answer.t.finite() && answer.point.finite() && answer.distance.finite() {
        Ok(answer)
    } else {
        Err(Error::Overflow { what: "the closest point", number: V::Scalar::NAME })
    }
}
