//! A ball beside a ball, a box or a capsule: told plainly, and with care where the answer shows that it takes some.
//!
//! Such a pair takes some tens of nanoseconds, less than to look whether all of its numbers are in order. So nobody looks: a number that is not
//! finite makes an answer that is not, and what is not clear (not finite, out of scale, zero up to rounding) goes the careful way, which is called at
//! the end, with copies: a call amid a kernel would have everything written to memory.

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

/// What [`ask_plainly`] asks, in a dimension, which supplies what [`pair_direct`](super::direct::pair_direct) needs too: `straight`, which widens a pose, and `spin`,
/// which turns one or two vectors.
macro_rules! pair_plain {
    ($vector:ident, $pose:ident) => {
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
    };
}

pub(crate) use pair_plain;
