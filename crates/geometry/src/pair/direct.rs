//! The short way for the common pairs: one match on both kinds, then everything is of known type.
//!
//! The fields that a kernel needs are widened where they are read; no shape is copied. Two shapes of one
//! kind are put into the canonical order by choosing pointers, since which of them comes first is a coin
//! toss that no processor foresees.

/// The answer about a ball beside a ball, a box or a capsule, where it is asked; for other pairs of kinds what their branches say, and `otherwise`
/// for all others, and where it takes more care. Whether poses are finite is seen from the answer, which is not plain then.
///
/// A macro, since a closure need not be inlined, and what it refers to would be in memory.
macro_rules! ask_plainly {
    ($question:ident, ($a:ident, $pose_a:ident), ($b:ident, $pose_b:ident), otherwise $otherwise:block, {$($branches:tt)*}) => {{
        let beyond = $question.beyond();
        let limit = beyond.as_ref().map(|(limit, _)| *limit);
        let shows_normal = shows_normal::<T, _>(&$question);
        // In each branch for itself: an answer that travels on from there would do so through memory.
        macro_rules! told {
            ($found:expr) => {{
                match ($found, beyond) {
                    (Plain::Beyond, Some((_, answer))) => Ok(answer),
                    (Plain::Found(found), _) if !has_range::<T, _>(&$question) || found.is_in_range => {
                        $question.about_found(&found)
                    }
                    _ => $otherwise,
                }
            }};
        }
        match ($a, $b) {
            (ShapeRef::Ball(first), ShapeRef::Ball(second)) => {
                told!(plain_balls::<T>((first, $pose_a), (second, $pose_b), limit))
            }
            (ShapeRef::Cuboid(first), ShapeRef::Ball(second)) => {
                told!(plain_beside_ball::<T, _>((first, $pose_a), (second, $pose_b), (false, shows_normal), limit))
            }
            (ShapeRef::Ball(first), ShapeRef::Cuboid(second)) => {
                told!(plain_beside_ball::<T, _>((second, $pose_b), (first, $pose_a), (true, shows_normal), limit))
            }
            (ShapeRef::Capsule(first), ShapeRef::Ball(second)) => {
                told!(plain_beside_ball::<T, _>((first, $pose_a), (second, $pose_b), (false, shows_normal), limit))
            }
            (ShapeRef::Ball(first), ShapeRef::Capsule(second)) => {
                told!(plain_beside_ball::<T, _>((second, $pose_b), (first, $pose_a), (true, shows_normal), limit))
            }
            $($branches)*
            _ => $otherwise,
        }
    }};
}

pub(crate) use ask_plainly;

/// The function `ask` of a dimension: answers a question about the common pairs of kinds.
///
/// The dimension supplies `Question`, see [`super::question`], `Pair` and `poses_in_order`, see [`super::framed`], and `ask_solids`, see
/// [`crate::sat::pairs`]; `straight`, which widens a pose, and `upright`, the matrix of its rotation; `ask_triangles` for
/// those that have a kernel of their own.
macro_rules! pair_direct {
    ($vector:ident, $pose:ident) => {
        /// One match on both kinds.
        ///
        /// Pairs with a ball are answered where they are asked, so that what nobody reads of an answer is not
        /// computed. All others are called.
        ///
        /// # Errors
        /// When a pose is not finite.
        #[inline(always)]
        pub(crate) fn ask<T: Real, Q: Question<T>>(
            question: Q,
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Result<Q::Answer, Error> {
            // Copies: who takes the addresses of the poses has them written to memory, for all branches.
            ask_plainly!(question, (a, pose_a), (b, pose_b), otherwise {
                elsewhere(&question, a, &pose_a.copied(), b, &pose_b.copied())
            }, {
                (ShapeRef::Cuboid(a), ShapeRef::Capsule(b)) => {
                    box_and_capsule(&question, (a, &pose_a.copied()), (b, &pose_b.copied()), false)
                }
                (ShapeRef::Capsule(a), ShapeRef::Cuboid(b)) => {
                    box_and_capsule(&question, (b, &pose_b.copied()), (a, &pose_a.copied()), true)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Cuboid(b)) => {
                    boxes(&question, (a, &pose_a.copied()), (b, &pose_b.copied()))
                }
                (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => {
                    capsules(&question, (a, &pose_a.copied()), (b, &pose_b.copied()))
                }
            })
        }

        /// [`Question::HAS_RANGE`] of this question.
        #[inline(always)]
        pub(crate) fn has_range<T: Real, Q: Question<T>>(_: &Q) -> bool {
            Q::HAS_RANGE
        }

        /// [`Question::SHOWS_NORMAL`] of this question.
        #[inline(always)]
        pub(crate) fn shows_normal<T: Real, Q: Question<T>>(_: &Q) -> bool {
            Q::SHOWS_NORMAL
        }

        /// What the short way says about a pair with a ball.
        pub(crate) enum Plain {
            /// They are certainly farther apart than the limit.
            Beyond,
            Found(Found<Separation<$vector<f64>>>),
            /// It takes more care: a number that is not finite, a scale that the kernels do not take, or a touch to rounding.
            Not,
        }

        /// All other pairs.
        #[inline(never)]
        fn elsewhere<T: Real, Q: Question<T>>(
            question: &Q,
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
        ) -> Result<Q::Answer, Error> {
            if let Some(error) = not_finite(pose_a, pose_b, false) {
                return Err(error);
            }
            if matches!((a, b), (ShapeRef::Ball(_), _) | (_, ShapeRef::Ball(_)))
                && let Some(answer) = with_care(question, a, pose_a, b, pose_b)
            {
                return answer;
            }
            if let Some(answer) = ask_triangles(question, (a, pose_a), (b, pose_b)) {
                return answer;
            }
            match ask_solids(question, a, pose_a, b, pose_b) {
                Some(answer) => answer,
                None => question.in_general(a, *pose_a, b, *pose_b),
            }
        }

        /// A ball beside a ball, a box or a capsule about which something is not plain: the answer may be too large, so that every number of it is
        /// looked at, or depend on rounding. `None` for other kinds. The poses are finite.
        #[cold]
        #[inline(never)]
        fn with_care<T: Real, Q: Question<T>>(
            question: &Q,
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
        ) -> Option<Result<Q::Answer, Error>> {
            let beyond = question.beyond();
            let limit = beyond.as_ref().map(|(limit, _)| *limit);
            let (pose_a, pose_b) = (*pose_a, *pose_b);
            let (first, second) = ((false, Q::SHOWS_NORMAL), (true, Q::SHOWS_NORMAL));
            // What was plain but for its range is said by the same way, or the same at another scale would have other last digits.
            macro_rules! careful {
                ($plain:expr, $careful:expr) => {
                    match $plain {
                        Plain::Found(found) => Ok(Some(found)),
                        Plain::Beyond => Ok(None),
                        Plain::Not => $careful,
                    }
                };
            }
            let found = match (a, b) {
                (ShapeRef::Ball(a), ShapeRef::Ball(b)) => {
                    let (a, b) = ((a, pose_a), (b, pose_b));
                    careful!(plain_balls::<T>(a, b, limit), careful_balls(a, b, limit))
                }
                (ShapeRef::Cuboid(a), ShapeRef::Ball(b)) => {
                    let (a, b) = ((a, pose_a), (b, pose_b));
                    careful!(plain_beside_ball(a, b, first, limit), careful_beside_ball(a, b, false, limit))
                }
                (ShapeRef::Ball(a), ShapeRef::Cuboid(b)) => {
                    let (a, b) = ((a, pose_a), (b, pose_b));
                    careful!(plain_beside_ball(b, a, second, limit), careful_beside_ball(b, a, true, limit))
                }
                (ShapeRef::Capsule(a), ShapeRef::Ball(b)) => {
                    let (a, b) = ((a, pose_a), (b, pose_b));
                    careful!(plain_beside_ball(a, b, first, limit), careful_beside_ball(a, b, false, limit))
                }
                (ShapeRef::Ball(a), ShapeRef::Capsule(b)) => {
                    let (a, b) = ((a, pose_a), (b, pose_b));
                    careful!(plain_beside_ball(b, a, second, limit), careful_beside_ball(b, a, true, limit))
                }
                _ => return None,
            };
            match (found, beyond) {
                (Ok(Some(found)), _) => Some(question.about_found(&found)),
                (Ok(None), Some((_, answer))) => Some(Ok(answer)),
                (Ok(None), None) => None,
                (Err(error), _) => Some(Err(error)),
            }
        }

        #[inline(always)]
        #[allow(clippy::type_complexity)] // as below
        fn careful_balls<T: Real>(
            (a, pose_a): (&Ball<T>, $pose<T>),
            (b, pose_b): (&Ball<T>, $pose<T>),
            limit: Option<f64>,
        ) -> Result<Option<Found<Separation<$vector<f64>>>>, Error> {
            let between = pose_b.translation.widen() - pose_a.translation.widen();
            let radii = [a.radius().to_f64(), b.radius().to_f64()];
            let sum = between.sum_of_magnitudes() + (radii[0] + radii[1]);
            let largest = || between.max_abs().max_of(radii[0].max_of(radii[1]));
            let factor = rescaling_of::<T>(sum, largest)?;
            Ok(balls::<T>((a, pose_a), (b, pose_b), limit, factor))
        }

        #[inline(always)]
        #[allow(clippy::type_complexity)] // no other functions have this answer
        fn careful_beside_ball<T, A>(
            (shape, pose): (&A, $pose<T>),
            (ball, ball_pose): (&Ball<T>, $pose<T>),
            swapped: bool,
            limit: Option<f64>,
        ) -> Result<Option<Found<Separation<$vector<f64>>>>, Error>
        where
            T: Real,
            A: Widen,
            A::Wide: NearPoint<$vector<f64>>,
        {
            let (pose, shape, radius) = (straight(pose), shape.widen(), ball.radius().to_f64());
            let center = ball_pose.translation.widen();
            let between = center - pose.translation;
            let sum = between.sum_of_magnitudes() + (shape.reach() + radius);
            let largest = || between.max_abs().max_of(shape.size().max_of(radius));
            let factor = rescaling_of::<T>(sum, largest)?;
            let placed = (&shape, pose.rotation.to_matrix(), pose.translation);
            Ok(shape_and_ball::<T, A::Wide>(placed, (radius, center), swapped, limit, factor))
        }

        /// Two balls, if they need no care. Nobody looks at how they are turned, so that this is looked at here; other numbers that are not
        /// finite show in the square.
        #[inline(always)]
        pub(crate) fn plain_balls<T: Real>(
            (a, pose_a): (&Ball<T>, $pose<T>),
            (b, pose_b): (&Ball<T>, $pose<T>),
            limit: Option<f64>,
        ) -> Plain {
            let between = pose_b.translation.widen() - pose_a.translation.widen();
            let squared = between.dot(between);
            let sum = between.sum_of_magnitudes() + (a.radius().to_f64() + b.radius().to_f64());
            let is_plain = (nearest::LEAST_SQUARE <= squared)
                & is_at_scale::<T>(sum)
                & (squared <= f64::MAX)
                & turns_seem_finite(pose_a, pose_b);
            if !is_plain {
                return Plain::Not;
            }
            match balls::<T>((a, pose_a), (b, pose_b), limit, 1.0) {
                Some(found) => Plain::Found(found),
                None => Plain::Beyond,
            }
        }

        /// Two balls, in the world frame; `None` when they are certainly farther apart than the limit, which takes neither
        /// root nor division to see. The kernel looks at them multiplied by the factor.
        #[inline(always)]
        fn balls<T: Real>(
            (a, pose_a): (&Ball<T>, $pose<T>),
            (b, pose_b): (&Ball<T>, $pose<T>),
            limit: Option<f64>,
            factor: f64,
        ) -> Option<Found<Separation<$vector<f64>>>> {
            let (center_a, center_b) = (pose_a.translation.widen(), pose_b.translation.widen());
            let (radius_a, radius_b) = (a.radius().to_f64(), b.radius().to_f64());
            let between = center_b - center_a;
            if let Some(limit) = limit {
                let (apart, reach) = (between * factor, (radius_a + radius_b + limit) * factor);
                if is_longer(apart.dot(apart), reach) {
                    return None;
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
            let sum = between.sum_of_magnitudes() + (radius_a + radius_b);
            let is_in_range = is_in_range::<T>(center_a.sum_of_magnitudes() + 4.0 * sum);
            Some(Found { answer, apart: answer.separation, input: 0.0, is_in_range })
        }

        /// A shape and a ball, if they need no care. For answers in `f32` their place and what is nearest are right to rounding only, so that what
        /// depends on rounding does.
        ///
        /// Nobody looks at how the ball is turned, so that this is looked at here; other numbers that are not finite show in the separation.
        #[inline(always)]
        pub(crate) fn plain_beside_ball<T, A>(
            (shape, pose): (&A, $pose<T>),
            (ball, ball_pose): (&Ball<T>, $pose<T>),
            (swapped, shows_normal): (bool, bool),
            limit: Option<f64>,
        ) -> Plain
        where
            T: Real,
            A: Widen,
            A::Wide: NearPoint<$vector<f64>>,
        {
            let (origin, center) = (pose.translation.widen(), ball_pose.translation.widen());
            let (shape, radius) = (shape.widen(), ball.radius().to_f64());
            let between = center - origin;
            if !turns_seem_finite(ball_pose, ball_pose) {
                return Plain::Not;
            }
            if !is_narrow::<T>() {
                if !is_at_scale::<T>(between.sum_of_magnitudes() + (shape.reach() + radius)) {
                    return Plain::Not;
                }
                let placed = (&shape, straight(pose).rotation.to_matrix(), origin);
                return match shape_and_ball::<T, A::Wide>(placed, (radius, center), swapped, limit, 1.0) {
                    Some(found) if found.answer.separation.abs() <= f64::MAX => Plain::Found(found),
                    Some(_) => Plain::Not,
                    None => Plain::Beyond,
                };
            }
            let turn = spin(pose.rotation);
            let local = turn.undo(between);
            let doubt = ROUNDING * (local.sum_of_magnitudes() + (shape.reach() + radius));
            let seen = shape.sight(local);
            if let Some(limit) = limit
                && shape.is_sight_longer(seen, radius + limit + doubt)
            {
                return Plain::Beyond;
            }
            let spot = shape.spot(seen);
            // Round shapes take off what makes them round; what is below a surface is not apart in any case.
            let apart =
                if A::Wide::IS_ROUND { (spot.beyond - spot.depth) - radius } else { spot.beyond - radius };
            // An infinite sum is more than anything.
            let is_told = doubt < apart.abs();
            if !is_told || shows_normal && !spot.is_clear {
                return Plain::Not;
            }
            let near = (spot.beyond - spot.depth, turn.apply(spot.normal));
            let found = beside_ball::<T, A::Wide>((&shape, origin), (radius, center), near, swapped, 1.0);
            Plain::Found(Found { apart, ..found })
        }

        /// A shape, with the matrix of its rotation, and a ball of some radius, in the world frame; `None` when they are certainly farther apart than
        /// the limit. The kernel looks at them multiplied by the factor.
        #[inline(always)]
        fn shape_and_ball<T, W>(
            (shape, turn, origin): (&W, Matrix, $vector<f64>),
            (radius, center): (f64, $vector<f64>),
            swapped: bool,
            limit: Option<f64>,
            factor: f64,
        ) -> Option<Found<Separation<$vector<f64>>>>
        where
            T: Real,
            W: NearPoint<$vector<f64>>,
        {
            let (resized, local) = (shape.resized(factor), turn.undo((center - origin) * factor));
            if let Some(limit) = limit
                && resized.is_farther(local, (radius + limit) * factor)
            {
                return None;
            }
            let near = resized.nearest(local);
            let near = (near.distance, turn.apply(near.normal));
            Some(beside_ball::<T, W>((shape, origin), (radius, center), near, swapped, factor))
        }

        /// The same from how far the centre of the ball is from the shape, at the scale of the kernel, and the normal there, in the world.
        ///
        /// Only the centre goes to the frame of the shape, and only the normal comes back: both points are
        /// found from the centre, along the normal.
        #[inline(always)]
        fn beside_ball<T, W>(
            (shape, origin): (&W, $vector<f64>),
            (radius, center): (f64, $vector<f64>),
            (distance, normal): (f64, $vector<f64>),
            swapped: bool,
            factor: f64,
        ) -> Found<Separation<$vector<f64>>>
        where
            T: Real,
            W: NearPoint<$vector<f64>>,
        {
            let (between, back) = (center - origin, 1.0 / factor);
            let on_shape = center - normal * (distance * back);
            let on_ball = center - normal * radius;
            let (first, second) = if swapped { (on_ball, on_shape) } else { (on_shape, on_ball) };
            // At the scale of the kernel, where no sum overflows.
            let size = between.max_abs() * factor + (shape.size() * factor + radius * factor);
            let answer = Separation {
                separation: crate::scale::length_back(distance - radius * factor, factor),
                error: crate::scale::error_back(ROUNDING * size, factor),
                normal: if swapped { -normal } else { normal },
                point_a: first,
                point_b: second,
            };
            // Sums for what needs no care, so that the largest coordinate is looked for only for the bounds.
            let sum = between.sum_of_magnitudes() + (shape.reach() + radius);
            let is_in_range = is_in_range::<T>(center.sum_of_magnitudes() + 4.0 * sum);
            Found { answer, apart: answer.separation, input: rounded_input::<T>(size * back), is_in_range }
        }

        /// Two boxes, in any order.
        #[inline(never)]
        fn boxes<T: Real, Q: Question<T>>(
            question: &Q,
            (a, pose_a): (&Cuboid<T>, &$pose<T>),
            (b, pose_b): (&Cuboid<T>, &$pose<T>),
        ) -> Result<Q::Answer, Error> {
            let in_order = order::before([a.half_extents()], [b.half_extents()]);
            let swapped = in_order.or_else(|| poses_in_order(pose_a.widen(), pose_b.widen())) == Some(false);
            let (first, second) = order::swapped_if(swapped, (a, pose_a), (b, pose_b));
            in_order_of_kinds(question, first, second, swapped)
        }

        /// A box and a capsule.
        #[inline(never)]
        fn box_and_capsule<T: Real, Q: Question<T>>(
            question: &Q,
            first: (&Cuboid<T>, &$pose<T>),
            second: (&Capsule<T>, &$pose<T>),
            swapped: bool,
        ) -> Result<Q::Answer, Error> {
            in_order_of_kinds(question, first, second, swapped)
        }

        /// Two boxes, or a box and a capsule, in the canonical order. Their poses are widened here: numbers that were just written,
        /// and are read in other pieces than they were written in, keep the processor from beginning with a question
        /// before it has answered the one before.
        #[inline(always)]
        fn in_order_of_kinds<T, A, B, Q>(
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
            if let Some(error) = not_finite(first, second, swapped) {
                return Err(error);
            }
            if (A::GLANCES && Q::GLANCES || A::SHOWS_OVERLAPS && Q::GLANCES_AT_OVERLAPS)
                && let Some(answer) = question.at_a_glance(a.glance(&first, b, &second))
            {
                return Ok(answer);
            }
            if is_narrow::<T>() && A::IS_THERE && (Q::MEASURES || !A::MEASURES_ONLY) {
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

        /// Two capsules. For answers in `f32` both are turned to the axes of the world: that takes no
        /// relative rotation, and what is found need not be turned back. It is right to rounding as in the frame of
        /// the first, and what depends on rounding is left to that.
        #[inline(never)]
        fn capsules<T: Real, Q: Question<T>>(
            question: &Q,
            (a, pose_a): (&Capsule<T>, &$pose<T>),
            (b, pose_b): (&Capsule<T>, &$pose<T>),
        ) -> Result<Q::Answer, Error> {
            if let Some(error) = not_finite(pose_a, pose_b, false) {
                return Err(error);
            }
            let in_order = order::before_number(a.radius(), b.radius()).or_else(|| {
                order::before([a.segment().a(), a.segment().b()], [b.segment().a(), b.segment().b()])
            });
            let swapped = in_order.or_else(|| poses_in_order(pose_a.widen(), pose_b.widen())) == Some(false);
            let ((a, first), (b, second)) = order::swapped_if(swapped, (a, pose_a), (b, pose_b));
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
