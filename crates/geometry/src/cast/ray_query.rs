//! `cast_ray` of a dimension and its companions: the short way where it is certain, the long way elsewhere.

/// `cast_ray` and its companions, over the dimension's own `span(&Shape<f64>, origin, direction)` for convex
/// shapes, `direct_hit(ShapeRef, line, solid, care)` for those that need no preparation, `narrow_hit(ShapeRef, rotation,
/// line, care)` for those with kernels for `f32`, and `cast_ray_at_parts(ShapeRef, pose, ray, options)`, which answers for
/// shapes of many parts.
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

        #[inline(always)]
        fn first_hit_of<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            // A negative or missing limit is an error, which the long way reports.
            if T::ZERO <= options.max {
                // Every kind has the whole way to itself: where ways meet, what they hold would have to go to memory. Kinds that
                // take longer than a call are left to the function that is called, for the same reason.
                match shape {
                    ShapeRef::Ball(ball) => {
                        if let Some(answer) = quick_hit(ShapeRef::Ball(ball), pose, ray, options) {
                            return Ok(answer);
                        }
                    }
                    ShapeRef::Cuboid(cuboid) => {
                        if let Some(answer) = quick_hit(ShapeRef::Cuboid(cuboid), pose, ray, options) {
                            return Ok(answer);
                        }
                    }
                    ShapeRef::Capsule(capsule) => {
                        if let Some(answer) = quick_hit(ShapeRef::Capsule(capsule), pose, ray, options) {
                            return Ok(answer);
                        }
                    }
                    ShapeRef::Triangle(triangle) => {
                        if let Some(answer) = quick_hit(ShapeRef::Triangle(triangle), pose, ray, options) {
                            return Ok(answer);
                        }
                    }
                    _ => {}
                }
            }
            first_hit_in_general(shape, pose.copied(), ray, options)
        }

        /// The answer by the short way; `None` when that needs the long way, which also reports what is out of range: where
        /// there is no error, numbers need not share their places with the words of one.
        #[inline(always)]
        fn quick_hit<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Option<Option<Hit<$vector<T>>>> {
            let Some(Passage { t, normal, feature }) = quick_passage(shape, pose, ray, options.solid)? else {
                return Some(None);
            };
            if query::is_late(t, options.max) {
                return Some(None);
            }
            let point = ray.origin().widen() + ray.direction().widen() * t;
            query::hit_if_near(t, point, normal, feature).map(Some)
        }

        /// What is hit first, with a normal of unit length in the world; `None` when that needs the long way.
        #[inline(always)]
        fn quick_passage<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            solid: bool,
        ) -> Quick<$vector<f64>> {
            let (direction, care) = (ray.direction().widen(), Care::of::<T>());
            let from = ray.origin().widen() - pose.translation.widen();
            if care.is_narrow
                && let Some(answer) = narrow_hit(shape, pose.rotation, [from, direction], care)
            {
                return answer;
            }
            if let ShapeRef::Ball(ball) = shape {
                let radius = ball.radius().to_f64();
                if !(query::is_ordinary(from, direction, radius) & pose.rotation.finite()) {
                    return None;
                }
                let Some(passage) = quick::ball_hit(from, direction, radius, care)? else { return Some(None) };
                return Some(Some(Passage { normal: passage.normal.normalized()?, ..passage }));
            }
            let turn = pose.rotation.widen().to_matrix();
            let line = LineInWorld { from, direction, turn };
            let Some(passage) = direct_hit(shape, line, solid, care)? else { return Some(None) };
            let normal = match shape {
                ShapeRef::Cuboid(_) => {
                    let (axis, is_negative) = quick::axis_of_face(passage.feature);
                    turn.column(axis) * (if is_negative { -1.0 } else { 1.0 })
                }
                _ => match passage.normal.normalized() {
                    Some(normal) => turn.apply(normal),
                    None => -direction.normalized().unwrap_or($vector::ZERO),
                },
            };
            Some(Some(Passage { normal, ..passage }))
        }

        /// Kinds that the short way knows and [`first_hit_of`] does not try it for.
        fn takes_long<T: Real>(shape: ShapeRef<'_, T>) -> bool {
            !matches!(
                shape,
                ShapeRef::Ball(_) | ShapeRef::Cuboid(_) | ShapeRef::Capsule(_) | ShapeRef::Triangle(_)
            )
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
            if takes_long(shape)
                && let Some(answer) = quick_hit(shape, pose, ray, options)
            {
                return Ok(answer);
            }
            let Placed { shape, line: [origin, direction], scales, turn } = placed(shape, pose, ray)?;
            // What is beyond doubt is answered in the same way at every scale.
            let care = Care::of::<T>();
            let quick = match &*shape {
                Shape::Ball(ball) => quick::ball_hit(origin, direction, ball.radius(), care),
                shape => direct_hit(shape.as_shape(), [origin, direction], options.solid, care),
            };
            let passage = quick.unwrap_or_else(|| {
                let (span, thin) = span(&shape, origin, direction);
                span?.first_hit(options.solid || thin)
            });
            query::ray_hit(passage, scales, options.max, ray.origin(), ray.direction(), |normal| {
                turn.apply(normal)
            })
        }

        /// A ray as the kernels see it.
        struct Placed<'a> {
            shape: Cow<'a, Shape<f64>>,
            /// Origin and direction in the frame of the shape.
            line: [$vector<f64>; 2],
            scales: Scales,
            /// Back to the world.
            turn: Matrix,
        }

        fn placed<'a, T: Real>(
            shape: ShapeRef<'a, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
        ) -> Result<Placed<'a>, Error> {
            let mut pose = finite_pose("pose", pose)?;
            let shape = shape.widen();
            if let Shape::Ball(_) = *shape {
                pose.rotation = $pose::IDENTITY.rotation; // a ball looks the same from all sides
            }
            let (origin, shrink) = query::difference(pose.translation, ray.origin().widen());
            let direction = ray.direction().widen();
            let length = query::towards_one(origin.max_abs().max_of(shape.size() * shrink));
            let scales =
                Scales { length: shrink * length, direction: query::towards_one(direction.max_abs()) };
            let turn = pose.rotation.to_matrix();
            let shape =
                if scales.length == 1.0 { shape } else { Cow::Owned(shape.resized(scales.length)) };
            let line = [turn.undo(origin * length), turn.undo(direction * scales.direction)];
            Ok(Placed { shape, line, scales, turn })
        }

        /// Tells a watcher the ray in the frame of the shape, and its way through that.
        fn follow_ray<T: Real, W: Follow<$vector<f64>>>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            watch: &mut W,
        ) -> Result<(), Error> {
            let Placed { shape, line: [origin, direction], scales, turn } = placed(shape, pose, ray)?;
            let mut told = Told { watch, turn, scales, swapped: false, has_looked: false };
            let method = match &*shape {
                shape if !is_convex(shape) => Method::Parts,
                shape if needs_distances(shape, 0.0) => Method::Advancement,
                _ => Method::ClosedForm,
            };
            told.method(method, false);
            told.frame(Side::A, origin, direction);
            if let (Some(span), _) = span(&shape, origin, direction) {
                told.passes(span);
            }
            Ok(())
        }

        /// The first hit of a shape with parts, which says of which.
        #[inline]
        fn first_hit_of_parts<T: Real>(
            shape: ShapeRef<'_, T>,
            pose: $pose<T>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            let options = options.check()?;
            // What has to be scaled by nothing, and that is almost everything, need not wait for how much that is.
            let (own, from) = (shape.widen(), ray.origin().widen() - pose.translation.widen());
            let direction = ray.direction().widen();
            if query::is_ordinary(from, direction, own.size()) & pose.rotation.finite() {
                let turn = pose.rotation.widen().to_matrix();
                let line = [turn.undo(from), turn.undo(direction)];
                return hit_parts(Placed { shape: own, line, scales: Scales::NONE, turn }, ray, options);
            }
            hit_parts(placed(shape, pose, ray)?, ray, options)
        }

        #[inline]
        fn hit_parts<T: Real>(
            Placed { shape, line: [origin, direction], scales, turn }: Placed<'_>,
            ray: &Ray<T>,
            options: RayOptions<T>,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            // What is certainly beyond is not looked at; `ray_hit` has the last word.
            let most = query::latest(options.max) / scales.parameter(1.0);
            let most = if most.is_nan() { f64::INFINITY } else { most };
            let hit =
                crate::composite::ray::first_hit::<$kernels>(&shape, origin, direction, options.solid, most);
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
            let (shape, pose) = (shape.as_shape(), pose.into());
            // Neither point nor normal is needed, where the parameter is in range without them.
            if T::ZERO <= max
                && let Some(passage) = quick_passage(shape, pose, ray, true)
                && passage.is_none_or(|passage| query::is_near(passage.t, ray.direction().widen()))
            {
                return Ok(passage.is_some_and(|passage| !query::is_late(passage.t, max)));
            }
            cast_ray(&shape, pose, ray, RayOptions { max, solid: true }).map(|hit| hit.is_some())
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
            let Placed { shape, line: [origin, direction], scales, turn } = placed(shape, pose, ray)?;
            let (span, thin) = span(&shape, origin, direction);
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
            crate::error::one_for_each(rays.len(), answers.len())?;
            let (shape, pose) = (shape.as_shape(), pose.into());
            for (ray, answer) in rays.iter().zip(answers) {
                *answer = first_hit_of(shape, pose, ray, options);
            }
            Ok(())
        }
    };
}

pub(crate) use ray_query;
