//! From a question in the world to a kernel, and back: checks, scales, frames, rounding.

use super::span::Passage;
use crate::{Error, Hit, scale};
use carom_math::{Number, Real, Vector, power_of_two};

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

/// What a kernel says about two shapes in motion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meeting<V> {
    /// They touch at t = 0, as far as the kernel can tell.
    AtStart,
    /// They never do.
    Never,
    /// The first touch.
    At(Touch<V>),
    /// The time of the first touch and its normal, from the first to the second, but not yet the place.
    Somewhere { t: f64, normal: V },
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
pub(crate) fn hit<W: Vector>(t: f64, point: W::Wide, normal: W::Wide, feature: u32) -> Result<Hit<W>, Error> {
    // The sum turns −0 into 0.
    let (t, point) = (W::Scalar::from_f64(t + 0.0), W::narrow(point));
    let answer = Hit { t, point, normal: W::narrow(normal), feature };
    if answer.t.finite() && answer.point.finite() {
        Ok(answer)
    } else {
        Err(Error::Overflow { what: "the hit", number: W::Scalar::NAME })
    }
}

/// A ray of ordinary size in the frame of a shape: nothing has to be rescaled.
///
/// Lengths and directions between 2⁻²⁸ and 2²⁸ are in the band of [`towards_one`] whatever else takes part;
/// the sums of their components are compared, which a NaN does not pass.
pub(crate) fn is_ordinary<V: Vector<Scalar = f64>>(origin: V, direction: V, size: f64) -> bool {
    let sum = |v: V| (0..V::DIM).fold(0.0, |sum, axis| sum + v.get(axis).abs());
    let (largest, least) = (power_of_two(28), power_of_two(-28));
    let (far, long) = (sum(origin), sum(direction));
    far <= largest && size <= largest && least <= far + size && least <= long && long <= largest
}

/// `cast_ray` and its companions, over the dimension's own `span(&Shape<f64>, origin, direction)` for convex
/// shapes, `direct_span(ShapeRef, local)` for those that need no preparation, and
/// `cast_ray_at_parts(ShapeRef, pose, ray, options)`, which answers for shapes of many parts.
macro_rules! ray_query {
    (
        $(#[$documentation:meta])* $kernels:ident, $vector:ident, $pose:ident,
        hits: $hits:literal, passages: $passages:literal, rays: $rays:literal
    ) => {
        $(#[$documentation])*
        #[inline]
        pub fn cast_ray<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            first_hit_of(shape.as_shape(), pose.into(), ray, options)
        }

        fn first_hit_of<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            // A negative or missing limit is an error, which the long way reports.
            if T::ZERO <= options.max {
                // A ball looks the same from all sides.
                let is_ball = matches!(shape, ShapeRef::Ball(_));
                let turn = if is_ball { Matrix::IDENTITY } else { pose.rotation.widen().to_matrix() };
                let direction = ray.direction().widen();
                let from = ray.origin().widen() - pose.translation.widen();
                let local = |size: f64| {
                    if !query::is_ordinary(from, direction, size) {
                        return None;
                    }
                    if is_ball {
                        return pose.rotation.finite().then_some([from, direction]);
                    }
                    // Not finite when a number of the rotation is not.
                    let local = turn.undo(direction);
                    local.finite().then(|| [turn.undo(from), local])
                };
                if let Some((span, thin)) = direct_span(shape, local) {
                    let passage = span.and_then(|span| span.first_hit(options.solid || thin));
                    let same = Scales { length: 1.0, direction: 1.0 };
                    return query::ray_hit(passage, same, options.max, ray.origin(), ray.direction(), |normal| {
                        if is_ball { normal } else { turn.apply(normal) }
                    });
                }
            }
            first_hit_in_general(shape, pose, ray, options)
        }

        #[inline(never)]
        fn first_hit_in_general<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            if let Some(answer) = cast_ray_at_parts(shape, pose, ray, options) {
                return answer;
            }
            let options = options.check()?;
            let (span, thin, scales, turn) = span_in_general(shape, pose, ray)?;
            let passage = span.and_then(|span| span.first_hit(options.solid || thin));
            query::ray_hit(passage, scales, options.max, ray.origin(), ray.direction(), |normal| {
                turn.apply(normal)
            })
        }

        /// The part of the line in a convex shape, whether that is thin, and how to come back to the world.
        #[allow(clippy::type_complexity)] // one caller for each of its parts
        fn span_in_general<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
        ) -> Result<(Option<Span<$vector<f64>>>, bool, Scales, Matrix), Error> {
            let (shape, [origin, direction], scales, turn) = local_ray(shape, pose, ray)?;
            let (span, thin) = span(&shape, origin, direction);
            Ok((span, thin, scales, turn))
        }

        /// A ray in the frame of a shape, both at the scale of the kernels, and how to come back to the world.
        #[allow(clippy::type_complexity)] // one caller for each of its parts
        pub(crate) fn local_ray<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
        ) -> Result<(Shape<f64>, [$vector<f64>; 2], Scales, Matrix), Error> {
            let mut pose = finite_pose("pose", pose)?;
            let shape = shape.widen();
            if let Shape::Ball(_) = shape {
                pose.rotation = $pose::IDENTITY.rotation; // a ball looks the same from all sides
            }
            let (origin, shrink) = query::difference(pose.translation, ray.origin().widen());
            let direction = ray.direction().widen();
            let length = query::towards_one(origin.max_abs().max_of(shape.size() * shrink));
            let scales =
                Scales { length: shrink * length, direction: query::towards_one(direction.max_abs()) };
            let turn = pose.rotation.to_matrix();
            let shape = if scales.length == 1.0 { shape } else { shape.resized(scales.length) };
            let local = [turn.undo(origin * length), turn.undo(direction * scales.direction)];
            Ok((shape, local, scales, turn))
        }

        /// The first hit of a shape with parts, which says of which.
        fn first_hit_of_parts<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            let options = options.check()?;
            let (shape, [origin, direction], scales, turn) = local_ray(shape, pose, ray)?;
            let hit = crate::composite::ray::first_hit::<$kernels>(&shape, origin, direction, options.solid);
            // Inside of a solid no part is hit.
            let passage = hit.map(|(passage, part)| {
                let is_inside = passage.normal == $vector::ZERO;
                Passage { feature: if is_inside { 0 } else { feature_of(part) }, ..passage }
            });
            query::ray_hit(passage, scales, options.max, ray.origin(), ray.direction(), |normal| {
                turn.apply(normal)
            })
        }

        /// Whether a ray meets a solid shape at some t in [0, `max`]: [`cast_ray`] without the details.
        ///
        /// # Errors
        /// When the pose is not finite, `max` is negative or NaN, or the hit is out of range.
        ///
        /// # Example
        /// ```
        #[doc = $hits]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn ray_hits<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            ray: &Ray<T>,
            max: T,
        ) -> Result<bool, Error> {
            cast_ray(shape, pose, ray, RayOptions { max, solid: true }).map(|hit| hit.is_some())
        }

        /// Where a ray passes the surface of a convex shape: up to two hits, in order, at t in [0, `max`].
        ///
        /// A ray from outside goes in at the first and out at the second; one from inside only goes out; one
        /// that grazes the surface, or passes a shape without an inside, has one hit. Normals point outwards:
        /// with the ray where it leaves.
        ///
        /// # Errors
        /// When the pose is not finite, `max` is negative or NaN, a hit is out of range, or the shape is not
        /// convex.
        ///
        /// # Example
        /// ```
        #[doc = $passages]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn ray_passages<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            ray: &Ray<T>,
            max: T,
        ) -> Result<[Option<Hit<$vector<T>>>; 2], Error> {
            let (shape, pose) = (shape.as_shape(), pose.into());
            let options = RayOptions { max, solid: false }.check()?;
            if cast_ray_at_parts(shape, pose, ray, options).is_some() {
                return Err(Error::UnsupportedShape { operation: "ray_passages", shape: shape.kind() });
            }
            let (span, thin, scales, turn) = span_in_general(shape, pose, ray)?;
            let Some(Span { enter, exit }) = span else { return Ok([None, None]) };
            let ahead = |passage: Passage<$vector<f64>>| {
                let is_ahead = 0.0 <= passage.t && passage.t.is_finite();
                let to_world = |normal| turn.apply(normal);
                let passage = is_ahead.then_some(passage);
                query::ray_hit(passage, scales, options.max, ray.origin(), ray.direction(), to_world)
            };
            let first = ahead(enter)?;
            if thin && enter.t == exit.t {
                return Ok([first, None]);
            }
            let second = if enter.t == exit.t { None } else { ahead(exit)? };
            Ok(if first.is_some() { [first, second] } else { [second, None] })
        }

        /// Many rays against one shape, as [`cast_ray`] answers each: `answers` gets one for every ray, in order.
        ///
        /// # Errors
        /// When the slices have different lengths; for the rays, each its own.
        ///
        /// # Example
        /// ```
        #[doc = $rays]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn cast_rays<T: Real>(
            shape: &impl AsShape<T>,
            pose: impl Into<$pose<T>>,
            rays: &[Ray<T>],
            options: RayOptions<T>,
            answers: &mut [Result<Option<Hit<$vector<T>>>, Error>],
        ) -> Result<(), Error> {
            query::same_count("answers", rays.len(), answers.len())?;
            let (shape, pose) = (shape.as_shape(), pose.into());
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = first_hit_of(shape, pose, ray, options);
            }
            Ok(())
        }
    };
}

/// An error unless there is one answer for each question.
pub(crate) fn same_count(what: &'static str, questions: usize, answers: usize) -> Result<(), Error> {
    if questions == answers {
        return Ok(());
    }
    Err(Error::NoSuchIndex { what, index: questions.max(answers) - 1, count: questions.min(answers) })
}

/// `cast_shape` of a dimension, over its own `first_touch(first, second, place, velocity)`, which
/// answers `None` for kinds that it does not know, and `comes_after`, which makes the answer the same
/// bits in either order.
macro_rules! shape_query {
    ($(#[$documentation:meta])* $vector:ident, $pose:ident, shapes: $shapes:literal) => {
        /// Many moving shapes, as [`cast_shape`] answers each: `answers` gets one for every question, in order. A
        /// question is a, its pose and velocity, then b, its pose and velocity.
        ///
        /// # Errors
        /// When the slices have different lengths; for the questions, each its own.
        ///
        /// # Example
        /// ```
        #[doc = $shapes]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[allow(clippy::type_complexity)] // a question is spelled out once, here
        pub fn cast_shapes<T: Real>(
            questions: &[(&Shape<T>, $pose<T>, $vector<T>, &Shape<T>, $pose<T>, $vector<T>)],
            options: CastOptions<T>,
            answers: &mut [Result<Option<Hit<$vector<T>>>, Error>],
        ) -> Result<(), Error> {
            query::same_count("answers", questions.len(), answers.len())?;
            for (&(a, pose_a, velocity_a, b, pose_b, velocity_b), answer) in questions.iter().zip(answers) {
                *answer = cast_shape(a, pose_a, velocity_a, b, pose_b, velocity_b, options);
            }
            Ok(())
        }

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
            let max = options.max.to_f64();
            if let Some(found) = cast_by_parts([&a, &b], [pose_a, pose_b], [velocity_a, velocity_b], max) {
                let Some(hit) = found? else { return Ok(None) };
                return query::hit(hit.t, hit.point, hit.normal, hit.feature).map(Some);
            }
            // The order of the pair queries backwards: balls first, half-spaces last.
            let swapped = comes_after(&b, pose_b, &a, pose_a);
            let (first, second) = if swapped { (&b, &a) } else { (&a, &b) };
            let (from, mut to) = if swapped { (pose_b, pose_a) } else { (pose_a, pose_b) };
            let (first_velocity, second_velocity) =
                if swapped { (velocity_b, velocity_a) } else { (velocity_a, velocity_b) };

            if let Shape::Ball(_) = second {
                to.rotation = $pose::IDENTITY.rotation; // a ball looks the same from all sides
            }
            let (between, shrink) = query::difference(to.translation, from.translation);
            let (velocity, slow) = query::difference(second_velocity, first_velocity);
            let length =
                query::towards_one(between.max_abs().max_of(first.size() * shrink).max_of(second.size() * shrink));
            let quick = query::towards_one(velocity.max_abs());
            let scales = Scales { length: shrink * length, direction: slow * quick };
            let resized = (scales.length != 1.0).then(|| [first, second].map(|shape| shape.resized(scales.length)));
            let (first, second) = resized.as_ref().map_or((first, second), |[first, second]| (first, second));
            let turn = to.rotation.to_matrix();
            let place = $pose::new(turn.undo(between * length), to.rotation.inverse() * from.rotation);
            let velocity = turn.undo(velocity * quick);
            // For leaving early; what decides is the time in the caller's units. Not where it underflows.
            let latest = options.max.to_f64() * scales.length / scales.direction * (1.0 + 1e-9);
            let max = if latest < f64::MIN_POSITIVE { f64::INFINITY } else { latest };
            let Some(touch) = first_touch(first, second, place, velocity, max)? else {
                return Err(Error::UnsupportedPair { operation: "cast", first: kind_a, second: kind_b });
            };
            let Some(touch) = touch else { return Ok(None) };
            let t = scales.parameter(touch.t);
            if options.max.to_f64() < t {
                return Ok(None);
            }
            let point = turn.apply(touch.point / scales.length) + to.translation + second_velocity * t;
            let normal = turn.apply(touch.normal);
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
            let path = Motion { origin: place.translation, velocity };
            let course = match (first, second) {
                _ if !(is_convex(first) && is_convex(second)) => return Ok(None),
                _ if velocity == $vector::ZERO => Meeting::AtStart,
                (_, Shape::HalfSpace(_)) => Meeting::AtStart,
                (Shape::Ball(ball), _) => ball_meets(ball.radius(), second, path),
                (Shape::Cuboid(a), Shape::Cuboid(b)) => {
                    boxes_meet([a.half_extents(), b.half_extents()], place, velocity)
                }
                (Shape::Capsule(a), Shape::Capsule(b)) => {
                    let ([a0, a1], [b0, b1]) =
                        ([a.segment().a(), a.segment().b()], [b.segment().a(), b.segment().b()]);
                    let mover = [a0, a1].map(|end| place.point_to_world(end));
                    let radii = [b.radius(), a.radius() + b.radius()];
                    let rods = MovingRods { target: [b0, b1], mover, velocity, radii };
                    match rods.meeting().or_else(|| general_touch(first, second, place, velocity, max)) {
                        Some(course) => course,
                        None => return Ok(None),
                    }
                }
                _ => match general_touch(first, second, place, velocity, max) {
                    Some(course) => course,
                    None => return Ok(None),
                },
            };
            match course {
                Meeting::Never => return Ok(Some(None)),
                Meeting::At(touch) => return Ok(Some(Some(touch))),
                Meeting::AtStart | Meeting::Somewhere { .. } => {}
            }
            let there = match course {
                Meeting::Somewhere { t, .. } => $pose::new(place.translation + velocity * t, place.rotation),
                _ => place,
            };
            let Relation::Separated(found) = separation(first, there, second, $pose::IDENTITY)? else {
                return Ok(None);
            };
            let point = found.point_a + (found.point_b - found.point_a) * 0.5;
            if let Meeting::Somewhere { t, normal } = course {
                return Ok(Some(Some(Touch { t, point, normal })));
            }
            let moves = velocity != $vector::ZERO;
            let plane = matches!(second, Shape::HalfSpace(_));
            if found.separation <= 0.0 || (moves && !plane) {
                // The kernels call it touching; the separation may still be a rounding error above zero.
                return Ok(Some(Some(Touch { t: 0.0, point, normal: found.normal })));
            }
            // The distance of the lowest point from the plane changes linearly, and it stays the lowest.
            let closing = precise_dot(found.normal, velocity, 0.0, 0.0);
            let t = found.separation / closing;
            let point = found.point_a + velocity * t;
            Ok(Some((0.0 < closing).then_some(Touch { t, point, normal: found.normal })))
        }

        /// A ball is a point in motion, and the other shape is inflated by its radius.
        fn ball_meets(radius: f64, other: &Shape<f64>, path: Motion<$vector<f64>>) -> Meeting<$vector<f64>> {
            let near = nearest_point(other, path.origin);
            if near.distance <= radius {
                return Meeting::AtStart;
            }
            let Some(passage) = ball_passage(radius, other, path) else { return Meeting::Never };
            let normal = -passage.normal.normalized().unwrap_or(near.normal);
            let t = passage.t;
            Meeting::At(Touch { t, point: path.origin + path.velocity * t + normal * radius, normal })
        }

        /// Shapes that are known by their support points; `None` for kinds that are not.
        #[inline(never)]
        fn general_touch(
            first: &Shape<f64>,
            second: &Shape<f64>,
            place: $pose<f64>,
            velocity: $vector<f64>,
            max: f64,
        ) -> Option<Meeting<$vector<f64>>> {
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
                Course { target: &target, mover, velocity, radius, target_radius, max }.first_touch()
            } else {
                let (mover, target) = (&Posed::new(Flat(mover), &columns, place.translation), &Flat(target));
                Course { target, mover, velocity, radius, target_radius, max }.first_touch()
            })
        }
    };
}

pub(crate) use ray_query;
pub(crate) use shape_query;
