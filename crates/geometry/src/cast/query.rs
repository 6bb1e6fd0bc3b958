//! From a question in the world to a kernel, and back: checks, scales, frames, rounding.

use super::span::Passage;
use crate::{Error, Hit, scale};
use carom_math::{Number, Real, Vector};

/// The powers of two by which lengths and directions are multiplied before a kernel runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// For coordinates and sizes.
    pub(crate) length: f64,
    /// For the direction or the velocity.
    pub(crate) direction: f64,
}

impl Scales {
    /// The parameter in the caller's units: with origin·λ and direction·μ, t is t′·μ/λ.
    pub(crate) fn parameter(self, t: f64) -> f64 {
        let ratio = self.direction / self.length;
        if ratio.is_finite() && f64::MIN_POSITIVE <= ratio {
            t * ratio
        } else {
            // Both push the same way, so an overflow or underflow on the way is final.
            t * self.direction / self.length
        }
    }
}

/// A point in straight motion, seen from the shape that it may meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<V> {
    pub(crate) origin: V,
    pub(crate) velocity: V,
}

/// The first touch of two shapes, in the frame of the second at that time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<V> {
    pub(crate) t: f64,
    /// A common point.
    pub(crate) point: V,
    /// The unit vector from the first to the second.
    pub(crate) normal: V,
}

/// The band of [`crate::scale::towards_one`] for casts, 2^±30: they form eighth powers with 106 bits below
/// them, which have to stay within the range of `f64`.
const BAND: i32 = 30;

/// The power of two by which lengths or directions of this size are multiplied.
pub(crate) fn towards_one(size: f64) -> f64 {
    scale::towards_one(size, BAND)
}

/// to − from, and the power of two by which it had to be shrunk to be finite (1 but for huge numbers).
pub(crate) fn difference<V: Vector<Scalar = f64>>(from: V, to: V) -> (V, f64) {
    let shrink = scale::shrinking(from.max_abs().max_of(to.max_abs()));
    (to * shrink - from * shrink, shrink)
}

/// The answer in the caller's numbers: the point met by the world's own ray, a unit normal, and
/// `None` beyond `max`. A passage without normal was met from inside: it gets −direction.
pub(crate) fn ray_hit<W: Vector>(
    passage: Option<Passage<W::Wide>>,
    scales: Scales,
    max: W::Scalar,
    origin: W,
    direction: W,
    to_world: impl FnOnce(W::Wide) -> W::Wide,
) -> Result<Option<Hit<W>>, Error> {
    let Some(passage) = passage else { return Ok(None) };
    let t = scales.parameter(passage.t);
    if max.to_f64() < t {
        return Ok(None);
    }
    let (origin, direction) = (origin.widen(), direction.widen());
    let normal = match passage.normal.normalized() {
        Some(normal) => to_world(normal),
        None => -direction.normalized().unwrap_or(W::Wide::ZERO),
    };
    hit::<W>(t, origin + direction * t, normal, passage.feature).map(Some)
}

/// Rounds an answer, or says that it is out of range.
pub(crate) fn hit<W: Vector>(
    t: f64,
    point: W::Wide,
    normal: W::Wide,
    feature: u32,
) -> Result<Hit<W>, Error> {
    // The sum turns −0 into 0.
    let (t, point) = (W::Scalar::from_f64(t + 0.0), W::narrow(point));
    let answer = Hit { t, point, normal: W::narrow(normal), feature };
    if answer.t.finite() && answer.point.finite() {
        Ok(answer)
    } else {
        Err(Error::Overflow { what: "the hit", number: W::Scalar::NAME })
    }
}

/// `cast_ray` of a dimension, over its own `span(&Shape<f64>, origin, direction)` for convex shapes and
/// `cast_ray_at_parts(ShapeRef, pose, ray, options)`, which answers for the others.
macro_rules! ray_query {
    ($(#[$documentation:meta])* $vector:ident, $pose:ident) => {
        $(#[$documentation])*
        pub fn cast_ray<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            let pose: $pose<T> = pose.into();
            if let Some(answer) = cast_ray_at_parts(shape.as_shape(), pose, ray, options) {
                return answer;
            }
            let mut pose = finite_pose("pose", pose)?;
            let options = options.check()?;
            let shape = shape.as_shape().widen();
            if let Shape::Ball(_) = shape {
                pose.rotation = $pose::IDENTITY.rotation; // a ball looks the same from all sides
            }
            let (origin, shrink) = query::difference(pose.translation, ray.origin().widen());
            let direction = ray.direction().widen();
            let length = query::towards_one(origin.max_abs().max_of(shape.size() * shrink));
            let scales =
                Scales { length: shrink * length, direction: query::towards_one(direction.max_abs()) };
            let to_local = pose.rotation.inverse();
            let shape = if scales.length == 1.0 { shape } else { shape.resized(scales.length) };
            let (span, thin) = span(
                &shape,
                to_local.rotate(origin * length),
                to_local.rotate(direction * scales.direction),
            );
            let passage = span.and_then(|span| span.first_hit(options.solid || thin));
            query::ray_hit(passage, scales, options.max, ray.origin(), ray.direction(), |normal| {
                pose.rotation.rotate(normal)
            })
        }
    };
}

/// `cast_shape` of a dimension, over its own `first_touch(first, second, place, velocity)`, which
/// answers `None` for kinds that it does not know, and `comes_after`, which makes the answer the same
/// bits in either order.
macro_rules! shape_query {
    ($(#[$documentation:meta])* $vector:ident, $pose:ident) => {
        $(#[$documentation])*
        pub fn cast_shape<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            velocity_a: impl Into<$vector<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            velocity_b: impl Into<$vector<T>>,
            options: CastOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            let (pose_a, pose_b) = (finite_pose("pose_a", pose_a.into())?, finite_pose("pose_b", pose_b.into())?);
            let velocity_a = finite_vector("velocity_a", velocity_a.into())?.widen();
            let velocity_b = finite_vector("velocity_b", velocity_b.into())?.widen();
            let options = options.check()?;
            let (kind_a, kind_b) = (a.as_shape().kind(), b.as_shape().kind());
            let (a, b) = (a.as_shape().widen(), b.as_shape().widen());
            // The order of the pair queries backwards: balls first, half-spaces last.
            let swapped = comes_after(&b, pose_b, &a, pose_a);
            let ((first, from), (second, to)) =
                if swapped { ((b, pose_b), (a, pose_a)) } else { ((a, pose_a), (b, pose_b)) };
            let (first_velocity, second_velocity) =
                if swapped { (velocity_b, velocity_a) } else { (velocity_a, velocity_b) };

            let mut to = to;
            if let Shape::Ball(_) = second {
                to.rotation = $pose::IDENTITY.rotation; // a ball looks the same from all sides
            }
            let (between, shrink) = query::difference(to.translation, from.translation);
            let (velocity, slow) = query::difference(second_velocity, first_velocity);
            let length =
                query::towards_one(between.max_abs().max_of(first.size() * shrink).max_of(second.size() * shrink));
            let quick = query::towards_one(velocity.max_abs());
            let scales = Scales { length: shrink * length, direction: slow * quick };
            let resized = |shape: Shape<f64>| if scales.length == 1.0 { shape } else { shape.resized(scales.length) };
            let to_local = to.rotation.inverse();
            let place = $pose::new(to_local.rotate(between * length), to_local * from.rotation);
            let velocity = to_local.rotate(velocity * quick);
            // For leaving early; what decides is the time in the caller's units.
            let max = options.max.to_f64() * scales.length / scales.direction * (1.0 + 1e-9);
            let Some(touch) = first_touch(&resized(first), &resized(second), place, velocity, max)? else {
                return Err(Error::UnsupportedPair { operation: "cast", first: kind_a, second: kind_b });
            };
            let Some(touch) = touch else { return Ok(None) };
            let t = scales.parameter(touch.t);
            if options.max.to_f64() < t {
                return Ok(None);
            }
            let point = to.point_to_world(touch.point / scales.length) + second_velocity * t;
            let normal = to.rotation.rotate(touch.normal);
            query::hit(t, point, if swapped { -normal } else { normal }, 0).map(Some)
        }

        /// `None` when there is no kernel for the kinds; `Some(None)` when the shapes never touch.
        fn first_touch(
            first: &Shape<f64>,
            second: &Shape<f64>,
            place: $pose<f64>,
            velocity: $vector<f64>,
            max: f64,
        ) -> Result<Option<Option<Touch<$vector<f64>>>>, Error> {
            let plane = matches!(second, Shape::HalfSpace(_));
            let Relation::Separated(start) = separation(first, place, second, $pose::IDENTITY)? else {
                return Ok(None);
            };
            let at_start = Touch { t: 0.0, point: start.point_a + (start.point_b - start.point_a) * 0.5, normal: start.normal };
            if start.separation <= 0.0 {
                return Ok(Some(Some(at_start)));
            }
            if velocity == $vector::ZERO {
                return Ok(Some(None));
            }
            if plane {
                // The distance of the lowest point changes linearly, and it stays the lowest.
                let closing = precise_dot(start.normal, velocity, 0.0, 0.0);
                let t = start.separation / closing;
                let point = start.point_a + velocity * t;
                return Ok(Some((0.0 < closing).then_some(Touch { t, point, normal: start.normal })));
            }
            let path = Motion { origin: place.translation, velocity };
            if let Shape::Ball(ball) = first {
                let found = ball_passage(ball.radius(), second, path).map(|passage| {
                    let normal = passage.normal.normalized().map_or(start.normal, |outward| -outward);
                    let t = passage.t;
                    Touch { t, point: path.origin + velocity * t + normal * ball.radius(), normal }
                });
                return Ok(Some(found));
            }
            let (Shape::Cuboid(first_box), Shape::Cuboid(second_box)) = (first, second) else {
                return Ok(general_touch(first, second, place, velocity, &start, max));
            };
            let boxes = [first_box.half_extents(), second_box.half_extents()];
            let Some((t, normal)) = boxes_touch(boxes, place, velocity) else { return Ok(Some(None)) };
            let t = t.max_of(0.0);
            let there = $pose::new(place.translation + velocity * t, place.rotation);
            let point = match separation(first, there, second, $pose::IDENTITY)? {
                Relation::Separated(found) => found.point_a + (found.point_b - found.point_a) * 0.5,
                _ => at_start.point,
            };
            Ok(Some(Some(Touch { t, point, normal: normal.normalized().unwrap_or(start.normal) })))
        }

        /// Shapes that are known by their support points; `None` for kinds that are not.
        #[inline(never)]
        fn general_touch(
            first: &Shape<f64>,
            second: &Shape<f64>,
            place: $pose<f64>,
            velocity: $vector<f64>,
            start: &Separation<$vector<f64>>,
            max: f64,
        ) -> Option<Option<Touch<$vector<f64>>>> {
            let core = |shape: &Shape<f64>| match shape {
                Shape::Rounded(rounded) => (Some(rounded.core()), rounded.radius()),
                _ => (None, 0.0),
            };
            let ((first_core, first_extra), (second_core, second_extra)) = (core(first), core(second));
            let (mover, mover_radius) = body_of(first_core.as_ref().unwrap_or(first))?;
            let (target, target_radius) = body_of(second_core.as_ref().unwrap_or(second))?;
            let target_radius = target_radius + second_extra;
            let radius = mover_radius + first_extra + target_radius;
            let columns = place.rotation.to_matrix().columns;
            Some(if mover.is_curved() || target.is_curved() {
                let mover = &Posed::new(mover, &columns, place.translation);
                Course { target: &target, mover, velocity, radius, target_radius, max }.first_touch(start)
            } else {
                let (mover, target) = (&Posed::new(Flat(mover), &columns, place.translation), &Flat(target));
                Course { target, mover, velocity, radius, target_radius, max }.first_touch(start)
            })
        }
    };
}

pub(crate) use ray_query;
pub(crate) use shape_query;
