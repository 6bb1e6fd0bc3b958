//! Boxes and planes given by their numbers: the forms of these questions that need no shape or pose.
//!
//! All of them ask for the time t >= 0 of the first touch, and touching counts. Work is done in `f64`.

use super::flat::precise_dot;
use super::span::{SlabSpan, Slabs};
use crate::error::{finite, finite_vector, not_negative};
use crate::{Error, Ray};
use carom_math::{Real, Vector};

/// The part of a ray in the box from `min` to `max`: the parameters at which it enters (0 when it
/// starts inside) and leaves. A ray along a face or an edge is inside.
///
/// Each axis gives an interval (min − o)/d <= t <= (max − o)/d, with the ends exchanged for d < 0;
/// the answer is what they have in common.
///
/// # Errors
/// When a corner is not finite, `max` is below `min`, or the answer overflows.
///
/// # Example
/// ```
/// use carom_geometry::{Ray, ray_aabb};
/// use carom_math::Vec2;
/// let ray = Ray::<Vec2<f64>>::new([-3.0, 0.5], [2.0, 0.0])?;
/// assert_eq!(ray_aabb([-1.0, 0.0], [1.0, 0.5], &ray)?, Some([1.0, 2.0]));
/// assert_eq!(ray_aabb([-1.0, 0.0], [1.0, 0.25], &ray)?, None);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ray_aabb<V: Vector>(
    min: impl Into<V>,
    max: impl Into<V>,
    ray: &Ray<V>,
) -> Result<Option<[V::Scalar; 2]>, Error> {
    let [min, max] = corners(min.into(), max.into())?;
    let (origin, direction) = (ray.origin().widen(), ray.direction().widen());
    let mut slabs = Slabs::<3>::new();
    for axis in 0..V::DIM {
        let ends = [min.get(axis), max.get(axis)];
        if !slabs.add(axis, ends, origin.get(axis), direction.get(axis)) {
            return Ok(None);
        }
    }
    let Some(SlabSpan { enter, exit, .. }) = slabs.span() else { return Ok(None) };
    if exit < 0.0 {
        return Ok(None);
    }
    let leave = answer::<V>(exit)?;
    Ok(Some([answer::<V>(enter)?, leave]))
}

/// When a ray meets the plane normal·p = offset; the normal is of any length but zero.
///
/// ```text
/// normal·(origin + t·direction) = offset   ⇒   t = (offset − normal·origin) / normal·direction
/// ```
///
/// A ray within the plane meets it at once, a parallel one never.
///
/// # Errors
/// When the normal is zero, a number is not finite, or the answer overflows.
///
/// # Example
/// ```
/// use carom_geometry::{Ray, ray_plane};
/// use carom_math::Vec3;
/// let ray = Ray::<Vec3<f64>>::new([0.0, 5.0, 0.0], [1.0, -2.0, 0.0])?;
/// assert_eq!(ray_plane([0.0, 3.0, 0.0], 3.0, &ray)?, Some(2.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn ray_plane<V: Vector>(
    normal: impl Into<V>,
    offset: V::Scalar,
    ray: &Ray<V>,
) -> Result<Option<V::Scalar>, Error> {
    moving_ball_plane(ray.origin(), V::Scalar::ZERO, ray.direction(), normal, offset)
}

/// When a moving ball first touches the plane normal·p = offset, from either side.
///
/// The signed distance of the centre changes linearly, g(t) = (normal·center − offset + t·normal·velocity)/|normal|,
/// and the ball touches while |g| <= radius.
///
/// # Errors
/// When the normal is zero, the radius negative, a number not finite, or the answer overflows.
///
/// # Example
/// ```
/// use carom_geometry::moving_ball_plane;
/// use carom_math::Vec3;
/// let center = Vec3::new(0.0, 5.0, 0.0);
/// assert_eq!(moving_ball_plane(center, 1.0, [3.0, -2.0, 0.0], [0.0, 1.0, 0.0], 0.0)?, Some(2.0));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn moving_ball_plane<V: Vector>(
    center: V,
    radius: V::Scalar,
    velocity: impl Into<V>,
    normal: impl Into<V>,
    offset: V::Scalar,
) -> Result<Option<V::Scalar>, Error> {
    let (normal, offset) = plane(normal.into(), offset)?;
    let center = finite_vector("center", center)?.widen();
    let velocity = finite_vector("velocity", velocity.into())?.widen();
    let reach = not_negative("radius", radius)?.to_f64() * Vector::length(normal);
    let gap = precise_dot(normal, center, offset, 0.0);
    first_touch::<V, 1>([([-reach, reach], gap, precise_dot(normal, velocity, 0.0, 0.0))])
}

/// When a moving box from `min` to `max` first touches the plane normal·p = offset, from either side.
///
/// The corner nearest to the plane decides: it takes the smaller coordinate where the normal points
/// up and the larger one where it points down, or the other way round from below.
///
/// # Errors
/// When `max` is below `min`, the normal is zero, a number is not finite, or the answer overflows.
///
/// # Example
/// ```
/// use carom_geometry::moving_aabb_plane;
/// use carom_math::Vec2;
/// let min = Vec2::new(-1.0, 3.0);
/// assert_eq!(moving_aabb_plane(min, [1.0, 4.0], [0.0, -2.0], [0.0, 1.0], 0.0)?, Some(1.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn moving_aabb_plane<V: Vector>(
    min: V,
    max: impl Into<V>,
    velocity: impl Into<V>,
    normal: impl Into<V>,
    offset: V::Scalar,
) -> Result<Option<V::Scalar>, Error> {
    let [min, max] = corners(min, max.into())?;
    let (normal, offset) = plane(normal.into(), offset)?;
    let velocity = finite_vector("velocity", velocity.into())?.widen();
    let corner = |low: V::Wide, high: V::Wide| {
        V::Wide::from_fn(|axis| if normal.get(axis) < 0.0 { high.get(axis) } else { low.get(axis) })
    };
    let lowest = precise_dot(normal, corner(min, max), offset, 0.0);
    let highest = precise_dot(normal, corner(max, min), offset, 0.0);
    first_touch::<V, 1>([([-highest, -lowest], 0.0, precise_dot(normal, velocity, 0.0, 0.0))])
}

/// When two moving boxes first touch, each from its `min` to its `max`.
///
/// Seen from b, box a moves with velocity_a − velocity_b; along each axis they overlap during an
/// interval of time, and they touch first where all intervals have begun.
///
/// # Errors
/// When a `max` is below its `min`, a number is not finite, or the answer overflows.
///
/// # Example
/// ```
/// use carom_geometry::moving_aabb_aabb;
/// use carom_math::Vec2;
/// let a = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 1.0)];
/// let b = [Vec2::new(3.0, 1.0), Vec2::new(4.0, 2.0)];
/// // The corners meet.
/// assert_eq!(moving_aabb_aabb(a, [2.0, 0.0], b, [-2.0, 0.0])?, Some(0.5));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn moving_aabb_aabb<V: Vector>(
    a: [V; 2],
    velocity_a: impl Into<V>,
    b: [V; 2],
    velocity_b: impl Into<V>,
) -> Result<Option<V::Scalar>, Error> {
    let [a_min, a_max] = corners(a[0], a[1])?;
    let [b_min, b_max] = corners(b[0], b[1])?;
    let velocity_a = finite_vector("velocity_a", velocity_a.into())?.widen();
    let velocity = velocity_a - finite_vector("velocity_b", velocity_b.into())?.widen();
    let axis = |i: usize| {
        let ends = [b_min.get(i) - a_max.get(i), b_max.get(i) - a_min.get(i)];
        (ends, 0.0, velocity.get(i))
    };
    if V::DIM == 2 {
        first_touch::<V, 2>([axis(0), axis(1)])
    } else {
        first_touch::<V, 3>([axis(0), axis(1), axis(2)])
    }
}

/// The first time t >= 0 in all slabs low <= position + t·speed <= high.
fn first_touch<V: Vector, const N: usize>(
    ranges: [([f64; 2], f64, f64); N],
) -> Result<Option<V::Scalar>, Error> {
    let mut slabs = Slabs::<N>::new();
    for (axis, ([low, high], position, speed)) in ranges.into_iter().enumerate() {
        if ![low, high, position, speed].into_iter().all(f64::is_finite) {
            return Err(overflow::<V>());
        }
        if !slabs.add(axis, [low, high], position, speed) {
            return Ok(None);
        }
    }
    match slabs.span() {
        Some(span) if 0.0 <= span.exit => answer::<V>(span.enter).map(Some),
        _ => Ok(None),
    }
}

/// A time, 0 when it has passed.
fn answer<V: Vector>(t: f64) -> Result<V::Scalar, Error> {
    let t = V::Scalar::from_f64(if 0.0 < t { t } else { 0.0 });
    if t.finite() { Ok(t) } else { Err(overflow::<V>()) }
}

fn overflow<V: Vector>() -> Error {
    Error::Overflow { what: "the time of touch", number: V::Scalar::NAME }
}

fn plane<V: Vector>(normal: V, offset: V::Scalar) -> Result<(V::Wide, f64), Error> {
    if finite_vector("normal", normal)? == V::ZERO {
        return Err(Error::ZeroDirection { what: "normal" });
    }
    Ok((normal.widen(), finite("offset", offset)?.to_f64()))
}

fn corners<V: Vector>(min: V, max: V) -> Result<[V::Wide; 2], Error> {
    let [min, max] = [finite_vector("min", min)?.widen(), finite_vector("max", max)?.widen()];
    for axis in 0..V::DIM {
        if max.get(axis) < min.get(axis) {
            return Err(Error::Negative { what: "max - min", value: max.get(axis) - min.get(axis) });
        }
    }
    Ok([min, max])
}
