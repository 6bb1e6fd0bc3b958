//! `cast_shape` of a dimension: order, scale and frames, and the short ways for pairs of ordinary size.

/// `cast_shape` of a dimension, over its `first_touch` ([`touch_query`](super::touch_query)), which answers `None` for kinds that it
/// does not know, and `comes_after`, which makes the answer the same bits in either order.
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
            crate::error::one_for_each(questions.len(), answers.len())?;
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
            let (pose_a, pose_b, velocity_a, velocity_b) =
                (pose_a.into(), pose_b.into(), velocity_a.into(), velocity_b.into());
            let (mover, target) = ((a.as_shape(), pose_a, velocity_a), (b.as_shape(), pose_b, velocity_b));
            // A negative or missing limit is an error, which the long way reports.
            if T::ZERO <= options.max {
                // Two balls have the whole way to themselves: where ways meet, what they hold would have to go to memory.
                if let (ShapeRef::Ball(a), ShapeRef::Ball(b)) = (mover.0, target.0) {
                    let radii = [a.radius(), b.radius()];
                    if let Some(touch) = quick_touch_of_balls(radii, [pose_a, pose_b], [velocity_a, velocity_b])
                        && let Some(answer) = answered(touch, options.max)
                    {
                        return Ok(answer);
                    }
                } else if let Some(touch) = quick_touch(mover, target, options.max)
                    && let Some(answer) = answered(touch, options.max)
                {
                    return Ok(answer);
                }
            }
            // Copies, so that the originals need not live in memory; see `copied` of poses.
            cast_in_general(copied(mover), copied(target), options, &mut ())
        }

        /// A shape, where it is and how it moves.
        type Mover<'a, T> = (ShapeRef<'a, T>, $pose<T>, $vector<T>);

        #[inline(always)]
        fn copied<T: Real>((shape, pose, velocity): Mover<'_, T>) -> Mover<'_, T> {
            (shape, pose.copied(), $vector::narrow(velocity.widen()))
        }

        /// The answer for a touch by the short way, which may be too late; `None` when it is out of range, which the long
        /// way reports.
        #[inline(always)]
        fn answered<T: Real>(
            touch: Option<(f64, $vector<f64>, $vector<f64>)>,
            max: T,
        ) -> Option<Option<Hit<$vector<T>>>> {
            match touch {
                Some((t, point, normal)) if !query::is_late(t, max) => {
                    query::hit_in_range(t, point, normal, 0).map(Some)
                }
                _ => Some(None),
            }
        }

        /// The first touch of two balls, as [`quick_touch`] answers.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // as below
        fn quick_touch_of_balls<T: Real>(
            radii: [T; 2],
            [pose_a, pose_b]: [$pose<T>; 2],
            [velocity_a, velocity_b]: [$vector<T>; 2],
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            let [radius_a, radius_b] = [radii[0].to_f64(), radii[1].to_f64()];
            let (center_a, center_b) = (pose_a.translation.widen(), pose_b.translation.widen());
            let (velocity_a, velocity_b) = (velocity_a.widen(), velocity_b.widen());
            let (from, velocity, radius) = (center_a - center_b, velocity_a - velocity_b, radius_a + radius_b);
            let rotations_are_finite = pose_a.rotation.finite() & pose_b.rotation.finite();
            let care = Care::of::<T>();
            // Numbers of `f32` are in order in `f64`, and the kernel for them does not answer for others.
            let is_in_order = care.is_narrow || query::is_ordinary(from, velocity, radius);
            if !(is_in_order & rotations_are_finite) {
                return None;
            }
            let Some(passage) = quick::ball_hit(from, velocity, radius, care)? else {
                return Some(None);
            };
            // The normal of the kernel is as long as the radius.
            let outward =
                if care.is_narrow { passage.normal * (1.0 / radius) } else { passage.normal.normalized()? };
            let (t, towards_b) = (passage.t, -outward);
            let centers = [center_a + velocity_a * t, center_b + velocity_b * t];
            Some(Some((t, between_balls(centers, [radius_a, radius_b], towards_b), towards_b)))
        }

        /// The first touch of two shapes that are no two balls, in the world: time, point and normal from a to b. `None` when
        /// that needs the long way.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // one caller
        fn quick_touch<T: Real>(
            (a, pose_a, velocity_a): Mover<'_, T>,
            (b, pose_b, velocity_b): Mover<'_, T>,
            max: T,
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            if let ShapeRef::Ball(ball) = a {
                return quick_ball_touch(ball.radius(), (pose_a, velocity_a), (b, pose_b, velocity_b));
            }
            let ShapeRef::Ball(ball) = b else {
                return match (a, b) {
                    (ShapeRef::Cuboid(_), ShapeRef::Cuboid(_)) | (ShapeRef::Capsule(_), ShapeRef::Capsule(_)) => {
                        quick_touch_of_likes(copied((a, pose_a, velocity_a)), copied((b, pose_b, velocity_b)))
                    }
                    _ => quick_touch_in_general(
                        copied((a, pose_a, velocity_a)),
                        copied((b, pose_b, velocity_b)),
                        max,
                    ),
                };
            };
            let touch = quick_ball_touch(ball.radius(), (pose_b, velocity_b), (a, pose_a, velocity_a))?;
            Some(touch.map(|(t, point, normal)| (t, point, -normal)))
        }

        /// The middle between the points of two balls that face each other: the same bits whichever comes first, since sums and products do
        /// not depend on the order of two, and both factors change their signs.
        #[inline(always)]
        fn between_balls(
            [center_a, center_b]: [$vector<f64>; 2],
            [radius_a, radius_b]: [f64; 2],
            towards_b: $vector<f64>,
        ) -> $vector<f64> {
            ((center_a + center_b) + towards_b * (radius_a - radius_b)) * 0.5
        }

        /// The same for two boxes or two capsules of ordinary size: the order and the kernels of the long way.
        #[inline(never)]
        #[allow(clippy::type_complexity)] // as above
        fn quick_touch_of_likes<T: Real>(
            (a, pose_a, velocity_a): Mover<'_, T>,
            (b, pose_b, velocity_b): Mover<'_, T>,
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            let (poses, velocities) = ([pose_a, pose_b], [velocity_a, velocity_b]);
            // Each kind has the whole way to itself: what the order depends on is known, and nothing need be in memory.
            match (a, b) {
                (ShapeRef::Cuboid(a), ShapeRef::Cuboid(b)) => touch_in_order(
                    [a.widen(), b.widen()],
                    Resize::size,
                    |[a, b], [pose_a, pose_b]| {
                        comes_after(&Shape::Cuboid(*b), pose_b, &Shape::Cuboid(*a), pose_a)
                    },
                    poses,
                    velocities,
                    |[a, b], place, velocity| {
                        Some(boxes_meet([a.half_extents(), b.half_extents()], place, velocity))
                    },
                ),
                (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) if Care::of::<T>().is_narrow => {
                    touch_of_capsules([a.widen(), b.widen()], poses, velocities)
                }
                (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => touch_in_order(
                    [a.widen(), b.widen()],
                    Resize::size,
                    |[a, b], [pose_a, pose_b]| {
                        comes_after(&Shape::Capsule(*b), pose_b, &Shape::Capsule(*a), pose_a)
                    },
                    poses,
                    velocities,
                    |[a, b], place, velocity| rods(&a, &b, place, velocity).meeting(Care::of::<T>()),
                ),
                _ => None,
            }
        }

        /// The same for all convex pairs of ordinary size without a way of their own: that of [`cast_in_general`], less what
        /// other sizes, shapes of many parts and watchers need.
        #[inline(never)]
        #[allow(clippy::type_complexity)] // as above
        fn quick_touch_in_general<T: Real>(
            (a, pose_a, velocity_a): Mover<'_, T>,
            (b, pose_b, velocity_b): Mover<'_, T>,
            max: T,
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            let (a, b) = (a.widen(), b.widen());
            // Rounded balls are balls, whose common point has a formula of its own.
            let are_balls = matches!((&*a, &*b), (Shape::Ball(_), Shape::Ball(_)));
            if are_balls || !(is_convex(&a) && is_convex(&b)) {
                return None;
            }
            let latest = query::latest(max);
            touch_in_order(
                [&*a, &*b],
                |shape| shape.size(),
                |[a, b], [pose_a, pose_b]| comes_after(b, pose_b, a, pose_a),
                [pose_a, pose_b],
                [velocity_a, velocity_b],
                |pair, place, velocity| {
                    match first_touch(pair, place, velocity, latest, Care::of::<T>(), &mut ()) {
                        Ok(Some(Some(touch))) => Some(Meeting::At(touch)),
                        Ok(Some(None)) => Some(Meeting::Never),
                        _ => None,
                    }
                },
            )
        }

        /// The same for two shapes, alike or not, given their sizes, which of them comes second, and how they meet in its frame.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // as above
        fn touch_in_order<T: Real, S: Copy>(
            [a, b]: [S; 2],
            size: impl Fn(&S) -> f64,
            is_after: impl FnOnce([&S; 2], [$pose<f64>; 2]) -> bool,
            poses: [$pose<T>; 2],
            velocities: [$vector<T>; 2],
            meet: impl FnOnce([S; 2], $pose<f64>, $vector<f64>) -> Option<Meeting<$vector<f64>>>,
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            let [pose_a, pose_b] = poses.map(|pose| pose.widen());
            let [velocity_a, velocity_b] = velocities.map(|velocity| velocity.widen());
            let swapped = is_after([&a, &b], [pose_a, pose_b]);
            let (first, second) = order::swapped_if(swapped, a, b);
            let (from, to) = order::swapped_if(swapped, pose_a, pose_b);
            let (first_velocity, second_velocity) = order::swapped_if(swapped, velocity_a, velocity_b);
            let (between, velocity) = (from.translation - to.translation, first_velocity - second_velocity);
            let rotations_are_finite = pose_a.rotation.finite() & pose_b.rotation.finite();
            if !(query::is_ordinary(between, velocity, size(&first) + size(&second)) & rotations_are_finite) {
                return None;
            }
            let turn = to.rotation.to_matrix();
            let place = $pose::new(turn.undo(between), to.rotation.inverse() * from.rotation);
            let velocity = turn.undo(velocity);
            let touch = match meet([first, second], place, velocity)? {
                Meeting::Never => return Some(None),
                Meeting::At(touch) => touch,
                Meeting::AtStart | Meeting::Somewhere { .. } => return None,
            };
            let point = turn.apply(touch.point) + to.translation + second_velocity * touch.t;
            let normal = turn.apply(touch.normal);
            Some(Some((touch.t, point, if swapped { -normal } else { normal })))
        }

        /// The same for two capsules and answers in `f32`, with the axes of the world: four ends are turned there side by side, and
        /// neither point nor normal has to be turned back. Numbers of `f32` of any size are in order in `f64`, and have to be
        /// taken: the long way, by another frame, would round an answer at another scale differently.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // as above
        fn touch_of_capsules<T: Real>(
            [a, b]: [Capsule<f64>; 2],
            poses: [$pose<T>; 2],
            velocities: [$vector<T>; 2],
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            let [pose_a, pose_b] = poses.map(|pose| pose.widen());
            let [velocity_a, velocity_b] = velocities.map(|velocity| velocity.widen());
            let swapped = comes_after(&Shape::Capsule(b), pose_b, &Shape::Capsule(a), pose_a);
            let between = pose_a.translation - pose_b.translation;
            let relative = velocity_a - velocity_b;
            let vectors_are_finite = between.sum_of_magnitudes() + relative.sum_of_magnitudes() < f64::INFINITY;
            // Without motion there is nothing to follow.
            let is_moving = 0.0 < relative.sum_of_magnitudes();
            if !(vectors_are_finite & is_moving & pose_a.rotation.finite() & pose_b.rotation.finite()) {
                return None;
            }
            // Seen from the second.
            let (turn_a, turn_b) = (pose_a.rotation.to_matrix(), pose_b.rotation.to_matrix());
            let ends_a = [turn_a.apply(a.segment().a()), turn_a.apply(a.segment().b())];
            let ends_b = [turn_b.apply(b.segment().a()), turn_b.apply(b.segment().b())];
            let (ends, target) = order::swapped_if(swapped, ends_a, ends_b);
            let (_, target_radius) = order::swapped_if(swapped, a.radius(), b.radius());
            let side = if swapped { -1.0 } else { 1.0 };
            let rods = MovingRods {
                target,
                mover: ends.map(|end| end + between * side),
                velocity: relative * side,
                radii: [target_radius, a.radius() + b.radius()],
            };
            let touch = match rods.quick_meeting(Care::of::<T>())? {
                Meeting::Never => return Some(None),
                Meeting::At(touch) => touch,
                Meeting::AtStart | Meeting::Somewhere { .. } => return None,
            };
            let (_, to) = order::swapped_if(swapped, pose_a.translation, pose_b.translation);
            let (_, second_velocity) = order::swapped_if(swapped, velocity_a, velocity_b);
            Some(Some((touch.t, touch.point + to + second_velocity * touch.t, touch.normal * side)))
        }

        /// Two capsules, the first in motion, in the frame of the second.
        #[inline(always)]
        fn rods(
            mover: &Capsule<f64>,
            target: &Capsule<f64>,
            place: $pose<f64>,
            velocity: $vector<f64>,
        ) -> MovingRods<$vector<f64>> {
            let ends = mover.segment();
            MovingRods {
                target: [target.segment().a(), target.segment().b()],
                mover: [place.point_to_world(ends.a()), place.point_to_world(ends.b())],
                velocity,
                radii: [target.radius(), mover.radius() + target.radius()],
            }
        }

        /// The same for a ball and a box or capsule; the normal is that from the ball.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // as above
        fn quick_ball_touch<T: Real>(
            radius: T,
            (pose, velocity): ($pose<T>, $vector<T>),
            (other, pose_other, velocity_other): Mover<'_, T>,
        ) -> Option<Option<(f64, $vector<f64>, $vector<f64>)>> {
            let (radius, care) = (radius.to_f64(), Care::of::<T>());
            let center = pose_other.translation.widen();
            let from = pose.translation.widen() - center;
            let relative = velocity.widen() - velocity_other.widen();
            let turn = pose_other.rotation.widen().to_matrix();
            let local = |size: f64| {
                let turned = turn.undo(relative);
                // Not finite when a number of the rotation is not.
                let is_in_order = query::is_ordinary(from, relative, size + radius) & turned.finite();
                (is_in_order & pose.rotation.finite()).then(|| [turn.undo(from), turned])
            };
            let ([origin, along], passage) = match other {
                ShapeRef::Cuboid(cuboid) if radius != 0.0 => {
                    let half_extents = cuboid.half_extents().widen();
                    let [origin, along] = local(half_extents.sum_of_magnitudes())?;
                    ([origin, along], quick::rounded_cuboid_hit(origin, along, half_extents, radius, care)?)
                }
                ShapeRef::Capsule(capsule) => {
                    let (a, b) = (capsule.segment().a().widen(), capsule.segment().b().widen());
                    let sum = capsule.radius().to_f64() + radius;
                    let [origin, along] = local(a.sum_of_magnitudes() + b.sum_of_magnitudes() + sum)?;
                    ([origin, along], quick::capsule_hit(origin, along, [a, b], sum, care)?)
                }
                _ => return None,
            };
            let Some(passage) = passage else { return Some(None) };
            let (t, outward) = (passage.t, care.unit(passage.normal)?);
            let point = turn.apply(origin + along * t - outward * radius) + center + velocity_other.widen() * t;
            Some(Some((t, point, -turn.apply(outward))))
        }

        #[inline(never)]
        fn cast_in_general<T: Real, W: Follow<$vector<f64>>>(
            (a, pose_a, velocity_a): Mover<'_, T>,
            (b, pose_b, velocity_b): Mover<'_, T>,
            options: CastOptions<T>,
            watch: &mut W,
        ) -> Result<Option<Hit<$vector<T>>>, Error> {
            let (pose_a, pose_b) = (finite_pose("pose_a", pose_a)?, finite_pose("pose_b", pose_b)?);
            let velocity_a = finite_vector("velocity_a", velocity_a)?.widen();
            let velocity_b = finite_vector("velocity_b", velocity_b)?.widen();
            let options = options.check()?;
            let (kind_a, kind_b) = (a.kind(), b.kind());
            let (a, b) = (a.widen(), b.widen());
            let max = query::latest(options.max);
            if let Some(found) = cast_by_parts([&a, &b], [pose_a, pose_b], [velocity_a, velocity_b], max) {
                watch.method(Method::Parts, false);
                let Some(hit) = found?.filter(|hit| !query::is_late(hit.t, options.max)) else {
                    return Ok(None);
                };
                return query::hit(hit.t, hit.point, hit.normal, hit.feature);
            }
            // The order of the pair queries backwards: balls first, half-spaces last.
            let swapped = comes_after(&b, pose_b, &a, pose_a);
            let (first, second) = if swapped { (&*b, &*a) } else { (&*a, &*b) };
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
            let latest = query::latest(options.max) * scales.length / scales.direction;
            let max = if latest < f64::MIN_POSITIVE { f64::INFINITY } else { latest };
            let mut told = Told { watch, turn, scales, swapped, has_looked: false };
            let Some(touch) = first_touch([first, second], place, velocity, max, Care::of::<T>(), &mut told)? else {
                return Err(Error::UnsupportedPair { operation: "cast", first: kind_a, second: kind_b });
            };
            let touch = match touch {
                Some(touch) if resized.is_some() => {
                    confirmed([first, second], place, velocity, max, touch)?
                }
                touch => touch,
            };
            if W::LISTENS && !told.has_looked {
                let t = touch.map_or(f64::INFINITY, |touch| touch.t);
                look_at([first, second], place, velocity, [0.0, t], &mut told);
                if 0.0 < t && t.is_finite() {
                    look_at([first, second], place, velocity, [t, t], &mut told);
                }
            }
            let Some(touch) = touch else { return Ok(None) };
            let t = scales.parameter(touch.t);
            if query::is_late(t, options.max) {
                return Ok(None);
            }
            let normal = turn.apply(touch.normal);
            let point = match (&*a, &*b) {
                (Shape::Ball(a), Shape::Ball(b)) if 0.0 < t => {
                    let towards_b = if swapped { -normal } else { normal };
                    let centers = [pose_a.translation + velocity_a * t, pose_b.translation + velocity_b * t];
                    between_balls(centers, [a.radius(), b.radius()], towards_b)
                }
                _ => turn.apply(touch.point / scales.length) + to.translation + second_velocity * t,
            };
            query::hit(t, point, if swapped { -normal } else { normal }, 0)
        }
    };
}

pub(crate) use shape_query;
