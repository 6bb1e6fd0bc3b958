//! The short way for the common pairs: one match on both kinds, then everything is of known type.
//!
//! The fields that a kernel needs are widened where they are read; no shape is copied. Two shapes of one
//! kind are put into the canonical order by choosing pointers, since which of them comes first is a coin
//! toss that no processor foresees.

/// The function `ask` of a dimension: answers a question about the common pairs of kinds.
///
/// The dimension supplies `Question`, see [`super::question`], `Pair` and `poses_in_order`, see [`super::framed`], and `ask_solids`, see
/// [`crate::sat::pairs`]; `straight`, which widens a pose, and `upright`, the matrix of its rotation; `ask_triangles` for
/// those that have a kernel of their own.
macro_rules! pair_direct {
    ($vector:ident, $pose:ident) => {
        /// One match on both kinds. The poses are finite.
        ///
        /// Pairs with a ball are answered where they are asked, so that what nobody reads of an answer is not
        /// computed. All others are called.
        #[inline(always)]
        pub(crate) fn ask<T: Real, Q: Question<T>>(
            question: Q,
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Result<Q::Answer, Error> {
            // Widened where they are needed: numbers that are converted need no copy in memory, whose layout
            // the processor could not follow.
            let (wide_a, wide_b) = (|| straight(pose_a), || straight(pose_b));
            let (shape_a, shape_b) = (a, b);
            let beyond = question.beyond();
            let limit = beyond.as_ref().map(|(limit, _)| *limit);
            macro_rules! beside_ball {
                ($found:expr) => {{
                    match ($found, beyond) {
                        (None, Some((_, answer))) => Ok(answer),
                        (Some(found), _) if !Q::HAS_RANGE || found.is_in_range => {
                            question.about_found(&found)
                        }
                        _ => far_away(&question, shape_a, pose_a.copied(), shape_b, pose_b.copied()),
                    }
                }};
            }
            match (a, b) {
                (ShapeRef::Ball(a), ShapeRef::Ball(b)) => {
                    beside_ball!(balls::<T>((a, pose_a), (b, pose_b), limit)?)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Ball(b)) => {
                    beside_ball!(shape_and_ball::<T, _>((a, wide_a()), (b, wide_b()), false, limit)?)
                }
                (ShapeRef::Ball(a), ShapeRef::Cuboid(b)) => {
                    beside_ball!(shape_and_ball::<T, _>((b, wide_b()), (a, wide_a()), true, limit)?)
                }
                (ShapeRef::Capsule(a), ShapeRef::Ball(b)) => {
                    beside_ball!(shape_and_ball::<T, _>((a, wide_a()), (b, wide_b()), false, limit)?)
                }
                (ShapeRef::Ball(a), ShapeRef::Capsule(b)) => {
                    beside_ball!(shape_and_ball::<T, _>((b, wide_b()), (a, wide_a()), true, limit)?)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Capsule(b)) => {
                    common(&question, (a, &pose_a), (b, &pose_b), false)
                }
                (ShapeRef::Capsule(a), ShapeRef::Cuboid(b)) => {
                    common(&question, (b, &pose_b), (a, &pose_a), true)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Cuboid(b)) => {
                    let in_order = order::before([a.half_extents()], [b.half_extents()]);
                    let swapped =
                        in_order.or_else(|| poses_in_order(pose_a.widen(), pose_b.widen())) == Some(false);
                    let (first, second) = order::swapped_if(swapped, a, b);
                    let (pose_a, pose_b) = order::swapped_if(swapped, &pose_a, &pose_b);
                    common(&question, (first, pose_a), (second, pose_b), swapped)
                }
                (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => {
                    let in_order = order::before_number(a.radius(), b.radius()).or_else(|| {
                        order::before([a.segment().a(), a.segment().b()], [b.segment().a(), b.segment().b()])
                    });
                    let swapped =
                        in_order.or_else(|| poses_in_order(pose_a.widen(), pose_b.widen())) == Some(false);
                    let (first, second) = order::swapped_if(swapped, a, b);
                    let (pose_a, pose_b) = order::swapped_if(swapped, &pose_a, &pose_b);
                    capsules(&question, (first, pose_a), (second, pose_b), swapped)
                }
                _ => elsewhere(&question, a, pose_a.copied(), b, pose_b.copied()),
            }
        }

        /// All other pairs. In a function of its own, so that the poses of the common ones need not be in memory.
        #[inline(never)]
        fn elsewhere<T: Real, Q: Question<T>>(
            question: &Q,
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Result<Q::Answer, Error> {
            if let Some(answer) = ask_triangles(question, (a, &pose_a), (b, &pose_b)) {
                return answer;
            }
            match ask_solids(question, a, &pose_a, b, &pose_b) {
                Some(answer) => answer,
                None => question.in_general(a, pose_a, b, pose_b),
            }
        }

        /// A pair with a ball whose answer might be too large: every number of it is looked at.
        #[cold]
        #[inline(never)]
        fn far_away<T: Real, Q: Question<T>>(
            question: &Q,
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Result<Q::Answer, Error> {
            let (wide_a, wide_b) = (straight(pose_a), straight(pose_b));
            let found = match (a, b) {
                (ShapeRef::Ball(a), ShapeRef::Ball(b)) => balls::<T>((a, pose_a), (b, pose_b), None)?,
                (ShapeRef::Cuboid(a), ShapeRef::Ball(b)) => {
                    shape_and_ball::<T, _>((a, wide_a), (b, wide_b), false, None)?
                }
                (ShapeRef::Ball(a), ShapeRef::Cuboid(b)) => {
                    shape_and_ball::<T, _>((b, wide_b), (a, wide_a), true, None)?
                }
                (ShapeRef::Capsule(a), ShapeRef::Ball(b)) => {
                    shape_and_ball::<T, _>((a, wide_a), (b, wide_b), false, None)?
                }
                (ShapeRef::Ball(a), ShapeRef::Capsule(b)) => {
                    shape_and_ball::<T, _>((b, wide_b), (a, wide_a), true, None)?
                }
                _ => None,
            };
            match found {
                Some(found) => question.about_found(&found),
                None => question.in_general(a, pose_a, b, pose_b),
            }
        }

        /// Two balls, in the world frame; `None` when they are certainly farther apart than the limit, which takes neither
        /// root nor division to see.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // as below
        fn balls<T: Real>(
            (a, pose_a): (&Ball<T>, $pose<T>),
            (b, pose_b): (&Ball<T>, $pose<T>),
            limit: Option<f64>,
        ) -> Result<Option<Found<Separation<$vector<f64>>>>, Error> {
            let (center_a, center_b) = (pose_a.translation.widen(), pose_b.translation.widen());
            let (radius_a, radius_b) = (a.radius().to_f64(), b.radius().to_f64());
            let between = center_b - center_a;
            let sum = between.sum_of_magnitudes() + (radius_a + radius_b);
            let largest = || between.max_abs().max_of(radius_a.max_of(radius_b));
            let factor = rescaling_of::<T>(sum, largest)?;
            if let Some(limit) = limit {
                let (apart, reach) = (between * factor, (radius_a + radius_b + limit) * factor);
                if is_longer(apart.dot(apart), reach) {
                    return Ok(None);
                }
            }
            let is_first = || poses_in_order(pose_a.widen(), pose_b.widen()) != Some(false);
            let found = ball_ball(between * factor, [radius_a * factor, radius_b * factor], is_first);
            let answer = Separation {
                separation: crate::scale::length_back(found.separation, factor),
                error: crate::scale::error_back(found.error, factor),
                normal: found.normal,
                // From their own centres, so that exchanging the balls changes no bit.
                point_a: center_a + found.normal * radius_a,
                point_b: center_b - found.normal * radius_b,
            };
            let is_in_range = is_in_range::<T>(center_a.sum_of_magnitudes() + 4.0 * sum);
            Ok(Some(Found { answer, input: 0.0, is_in_range }))
        }

        /// A shape and a ball, in the world frame; `None` when they are certainly farther apart than the limit.
        ///
        /// Only the centre goes to the frame of the shape, and only the normal comes back: both points are
        /// found from the centre, along the normal.
        #[inline(always)]
        #[allow(clippy::type_complexity)] // no other function has this answer
        fn shape_and_ball<T, A>(
            (shape, pose): (&A, $pose<f64>),
            (ball, ball_pose): (&Ball<T>, $pose<f64>),
            swapped: bool,
            limit: Option<f64>,
        ) -> Result<Option<Found<Separation<$vector<f64>>>>, Error>
        where
            T: Real,
            A: Widen,
            A::Wide: NearPoint<$vector<f64>>,
        {
            let (shape, radius) = (shape.widen(), ball.radius().to_f64());
            let center = ball_pose.translation;
            let between = center - pose.translation;
            // Sums for what needs no care, so that the largest coordinate is looked for only for the bounds.
            let sum = between.sum_of_magnitudes() + (shape.reach() + radius);
            let largest = || between.max_abs().max_of(shape.size().max_of(radius));
            let factor = rescaling_of::<T>(sum, largest)?;
            let back = 1.0 / factor;
            let turn = pose.rotation.to_matrix();
            let (resized, local) = (shape.resized(factor), turn.undo(between * factor));
            if let Some(limit) = limit
                && resized.is_farther(local, (radius + limit) * factor)
            {
                return Ok(None);
            }
            let near = resized.nearest(local);
            let normal = turn.apply(near.normal);
            let on_shape = center - normal * (near.distance * back);
            let on_ball = center - normal * radius;
            let (first, second) = if swapped { (on_ball, on_shape) } else { (on_shape, on_ball) };
            // At the scale of the kernel, where no sum overflows.
            let size = between.max_abs() * factor + (shape.size() * factor + radius * factor);
            let answer = Separation {
                separation: crate::scale::length_back(near.distance - radius * factor, factor),
                error: crate::scale::error_back(ROUNDING * size, factor),
                normal: if swapped { -normal } else { normal },
                point_a: first,
                point_b: second,
            };
            let is_in_range = is_in_range::<T>(center.sum_of_magnitudes() + 4.0 * sum);
            Ok(Some(Found { answer, input: rounded_input::<T>(size * back), is_in_range }))
        }

        /// Two boxes or capsules in the canonical order. Their poses are widened here: numbers that were just written,
        /// and are read in other pieces than they were written in, keep the processor from beginning with a question
        /// before it has answered the one before.
        #[inline(never)]
        fn common<T, A, B, Q>(
            question: &Q,
            (a, first): (&A, &$pose<T>),
            (b, second): (&B, &$pose<T>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen + Glance<T, B> + ShortWay<T, B>,
            B: Widen,
            A::Wide: Touches<B::Wide>,
            B::Wide: Resize + Offers<$vector<f64>, Matrix>,
            Q: Question<T>,
        {
            if (A::GLANCES && Q::GLANCES || A::SHOWS_OVERLAPS && Q::GLANCES_AT_OVERLAPS)
                && let Some(answer) = question.at_a_glance(a.glance(&first, b, &second))
            {
                return Ok(answer);
            }
            if is_narrow::<T>() && A::IS_THERE {
                let answer = shortly(question, (a, first), (b, second), swapped);
                return answer.unwrap_or_else(|| at_length(question, (a, first), (b, second), swapped));
            }
            let relative = relative_rotation(first.rotation, second.rotation);
            in_frame(question, (a, straight(first)), (b, straight(second)), relative, swapped)
        }

        /// What the short way does not tell. Apart from it, which stays small and in registers then.
        #[cold]
        #[inline(never)]
        fn at_length<T, A, B, Q>(
            question: &Q,
            (a, first): (&A, &$pose<T>),
            (b, second): (&B, &$pose<T>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Touches<B::Wide>,
            B::Wide: Resize + Offers<$vector<f64>, Matrix>,
            Q: Question<T>,
        {
            let relative = relative_rotation(first.rotation, second.rotation);
            in_frame(question, (a, straight(first)), (b, straight(second)), relative, swapped)
        }

        /// The answer in `f32` by the short way of two kinds in the canonical order.
        #[inline(always)]
        fn shortly<T, A, B, Q>(
            question: &Q,
            (a, first): (&A, &$pose<T>),
            (b, second): (&B, &$pose<T>),
            swapped: bool,
        ) -> Option<Result<Q::Answer, Error>>
        where
            T: Real,
            A: Widen + ShortWay<T, B>,
            B: Widen,
            A::Wide: Resize,
            B::Wide: Resize,
            Q: Question<T>,
        {
            let origin = first.translation.widen();
            let between = second.translation.widen() - origin;
            let error = ROUNDING * (between.max_abs() + (a.widen().size() + b.widen().size()));
            let (place, turn) = (Relative::IDENTITY, Matrix::IDENTITY);
            let pair = Pair { place, turn, is_upright: true, origin, factor: 1.0, error, swapped };
            question.shortly((a, first), (b, second), &pair)
        }

        /// Two capsules in the canonical order. For answers in `f32` both are turned to the axes of the world: that takes no
        /// relative rotation, and what is found need not be turned back. It is right to rounding as in the frame of
        /// the first, and what depends on rounding is left to that.
        #[inline(never)]
        fn capsules<T: Real, Q: Question<T>>(
            question: &Q,
            (a, first): (&Capsule<T>, &$pose<T>),
            (b, second): (&Capsule<T>, &$pose<T>),
            swapped: bool,
        ) -> Result<Q::Answer, Error> {
            if Q::GLANCES
                && let Some(answer) = question.at_a_glance(a.glance(&first, b, &second))
            {
                return Ok(answer);
            }
            if is_narrow::<T>() {
                let (one, two) = (a.widen(), b.widen());
                let (turn_a, turn_b) = (upright(first.rotation), upright(second.rotation));
                let origin = first.translation.widen();
                let between = second.translation.widen() - origin;
                let error = ROUNDING * (between.max_abs() + (one.size() + two.size()));
                let rods = Segments {
                    a: [turn_a.apply(one.segment().a()), turn_a.apply(one.segment().b())],
                    b: [turn_b.apply(two.segment().a()) + between, turn_b.apply(two.segment().b()) + between],
                    radii: [one.radius(), two.radius()],
                    error,
                };
                let beyond = question.beyond();
                let limit = beyond.as_ref().map_or(f64::INFINITY, |(limit, _)| *limit);
                match (rods.relate_clearly(limit), beyond) {
                    (Clearly::Beyond, Some((_, answer))) => return Ok(answer),
                    (Clearly::So(found), _) => {
                        let place = Relative { rotation: turn_b, translation: between };
                        let (turn, is_upright) = (turn_a, true);
                        let pair = Pair { place, turn, is_upright, origin, factor: 1.0, error, swapped };
                        if let Some(answer) = question.about_capsules(&rods, &found, &pair) {
                            return answer;
                        }
                    }
                    _ => {}
                }
            }
            let relative = relative_rotation(first.rotation, second.rotation);
            in_frame(question, (a, straight(first)), (b, straight(second)), relative, swapped)
        }

        /// A kind that can tell much of a pair with `B` from a look in `f32`.
        trait Glance<T: Real, B> {
            const GLANCES: bool = false;
            /// Whether it takes so little that it pays for who gains by overlaps only.
            const SHOWS_OVERLAPS: bool = false;
            /// +1 for shapes that are certainly apart, −1 for those that certainly overlap, otherwise 0.
            #[inline(always)]
            fn glance(&self, _pose: &$pose<T>, _other: &B, _other_pose: &$pose<T>) -> f32 {
                0.0
            }
        }

        /// Any two shapes in the canonical order. Not worth a copy for each order of the shapes.
        #[inline(never)]
        fn framed<T, A, B, Q>(
            question: &Q,
            (a, first): (&A, &$pose<f64>),
            (b, second): (&B, &$pose<f64>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Touches<B::Wide>,
            B::Wide: Resize + Offers<$vector<f64>, Matrix>,
            Q: Question<T>,
        {
            let relative = first.rotation.inverse() * second.rotation;
            in_frame(question, (a, *first), (b, *second), relative, swapped)
        }

        /// Two shapes in the canonical order: seen from the first, at a scale that suits the kernel. `relative` is the rotation
        /// of the second as the first sees it.
        #[inline(always)]
        fn in_frame<T, A, B, Q>(
            question: &Q,
            (a, first): (&A, $pose<f64>),
            (b, second): (&B, $pose<f64>),
            relative: Rotation,
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Touches<B::Wide>,
            B::Wide: Resize + Offers<$vector<f64>, Matrix>,
            Q: Question<T>,
        {
            let (a, b) = (a.widen(), b.widen());
            let between = second.translation - first.translation;
            let (distance, size_a, size_b) = (between.max_abs(), a.size(), b.size());
            let largest = || distance.max_of(size_a.max_of(size_b));
            let factor = rescaling_of::<T>(distance + (size_a + size_b), largest)?;
            // All of f32 has the factor 1, and the compiler knows it.
            let (a, b, between) = (a.resized(factor), b.resized(factor), between * factor);
            let error = ROUNDING * (distance * factor + (size_a * factor + size_b * factor));
            let turn = first.rotation.to_matrix();
            let place = Relative { rotation: relative.to_matrix(), translation: turn.undo(between) };
            let origin = first.translation;
            let pair = Pair { place, turn, is_upright: false, origin, factor, error, swapped };
            question.about(&a, &b, &pair)
        }
    };
}

pub(crate) use pair_direct;
