//! The short way for the common pairs: one match on both kinds, then everything is of known type.
//!
//! The fields that a kernel needs are widened where they are read; no shape is copied. Two shapes of one
//! kind are put into the canonical order by choosing pointers, since which of them comes first is a coin
//! toss that no processor foresees.

use carom_math::Real;

/// An answer in the world frame, and what rounding it to the caller's number type needs to know.
pub(crate) struct Found<A> {
    pub(crate) answer: A,
    /// What the rounding of the input adds to the error.
    pub(crate) input: f64,
    /// No coordinate or length of the answer is too large for the caller's number type. Known beforehand by
    /// one comparison, so that what nobody reads of an answer need not be computed.
    pub(crate) is_in_range: bool,
}

/// Whether an answer whose coordinates and lengths are at most `reach` cannot overflow.
#[inline(always)]
pub(crate) fn is_in_range<T: Real>(reach: f64) -> bool {
    reach < T::MAX.to_f64() * 0.25
}

/// The function `ask` of a dimension: answers a question about the common pairs of kinds.
///
/// The dimension supplies `Pair` and `poses_in_order`, see [`super::query`], and `ask_solids`, see
/// [`crate::sat::pairs`]; `straight`, which widens a pose, and `upright`, the matrix of its rotation; `ask_triangles` for
/// those that have a kernel of their own.
macro_rules! pair_direct {
    ($vector:ident, $pose:ident) => {
        /// Something to ask about a pair. Each kernel's answer is brought to its final form where it is
        /// found: large structures that travel from branch to branch cost more than small kernels.
        pub(crate) trait Question<T: Real> {
            type Answer;
            /// Whether the answer may overflow.
            const HAS_RANGE: bool;
            /// Two shapes in the canonical order, with a kernel of their own.
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<Self::Answer, Error>
            where
                A: Touches<B>,
                B: Resize + Offers<$vector<f64>, Matrix>;
            /// Two capsules in the axes of the world, about the origin of the first, and how they relate: for answers in
            /// `f32`. `None` where the frame of the first is needed.
            #[inline(always)]
            fn about_capsules(
                &self,
                _rods: &Segments<$vector<f64>>,
                _found: &Separation<$vector<f64>>,
                _pair: &Pair,
            ) -> Option<Result<Self::Answer, Error>> {
                None
            }
            /// The answer, if no frame is needed to find it.
            #[inline(always)]
            fn at_once<A, B>(
                &self,
                _a: &A,
                _b: &B,
                _between: $vector<f64>,
                _error: f64,
            ) -> Option<Self::Answer>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                None
            }
            /// Whether it is worth a look at the pair in `f32`: not where what touches has to be computed anyway.
            const GLANCES: bool = false;
            /// Whether it is worth one for shapes that mostly overlap, because it has an answer for those.
            const GLANCES_AT_OVERLAPS: bool = false;
            /// The answer, given +1 for shapes that are certainly apart, −1 for shapes that certainly overlap, or 0.
            #[inline(always)]
            fn at_a_glance(&self, _verdict: f32) -> Option<Self::Answer> {
                None
            }
            /// The separation beyond which nothing but it matters, and the answer then.
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, Self::Answer)> {
                None
            }
            /// What was found for a pair with a ball: it is in the world frame already.
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Self::Answer, Error>;
            /// Any other two shapes.
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<Self::Answer, Error>;
        }

        /// Do they touch?
        struct Touching;

        impl<T: Real> Question<T> for Touching {
            type Answer = bool;
            const HAS_RANGE: bool = false;
            #[inline(always)]
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<bool, Error>
            where
                A: Touches<B>,
                B: Resize + Offers<$vector<f64>, Matrix>,
            {
                let place = pair.place; // of its own, see `Pair`
                Ok(a.touch(b, &place, pair.error))
            }
            #[inline(always)]
            fn at_once<A, B>(&self, a: &A, b: &B, between: $vector<f64>, error: f64) -> Option<bool>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                a.touch_at_once(b, between, error).then_some(true)
            }
            #[inline(always)]
            fn about_capsules(
                &self,
                _rods: &Segments<$vector<f64>>,
                found: &Separation<$vector<f64>>,
                _pair: &Pair,
            ) -> Option<Result<bool, Error>> {
                Some(Ok(found.separation <= 0.0))
            }
            const GLANCES: bool = true;
            #[inline(always)]
            fn at_a_glance(&self, verdict: f32) -> Option<bool> {
                (verdict != 0.0).then_some(verdict < 0.0)
            }
            #[inline(always)]
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<bool, Error> {
                Ok(found.answer.separation <= 0.0)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<bool, Error> {
                intersects_in_general(a, pose_a, b, pose_b)
            }
        }

        /// How far apart, as a number?
        struct HowFar;

        impl<T: Real> Question<T> for HowFar {
            type Answer = Gap<T>;
            const HAS_RANGE: bool = false;
            #[inline(always)]
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<Gap<T>, Error>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                let place = pair.place; // of its own, see `Pair`
                // What `distance` says, to the bit.
                let (separation, error) = if A::HAS_NARROW && is_narrow::<T>() {
                    a.narrow_gap(b, &place, pair.error)
                } else {
                    a.gap(b, &place, pair.error)
                };
                let error = crate::scale::error_back(error, pair.factor) + rounded_input::<T>(pair.size());
                Gap::new(crate::scale::length_back(separation, pair.factor), error)
            }
            #[inline(always)]
            fn about_capsules(
                &self,
                _rods: &Segments<$vector<f64>>,
                found: &Separation<$vector<f64>>,
                pair: &Pair,
            ) -> Option<Result<Gap<T>, Error>> {
                Some(Gap::new(found.separation, found.error + rounded_input::<T>(pair.size())))
            }
            /// Shapes that touch beyond doubt have no gap.
            #[inline(always)]
            fn at_once<A, B>(&self, a: &A, b: &B, between: $vector<f64>, error: f64) -> Option<Gap<T>>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                a.touch_at_once(b, between, error).then(Gap::default)
            }
            const GLANCES_AT_OVERLAPS: bool = true;
            #[inline(always)]
            fn at_a_glance(&self, verdict: f32) -> Option<Gap<T>> {
                (verdict < 0.0).then(Gap::default)
            }
            #[inline(always)]
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Gap<T>, Error> {
                Gap::new(found.answer.separation, found.answer.error + found.input)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<Gap<T>, Error> {
                (AsGap,).in_general(a, pose_a, b, pose_b)
            }
        }

        /// Something to ask about the separation in the world frame.
        pub(crate) trait Reading<T: Real> {
            type Answer;
            /// The word for messages.
            const NAME: &'static str;
            fn read(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Self::Answer, Error>;
            /// The separation beyond which nothing but it matters, and the answer then.
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, Self::Answer)> {
                None
            }
        }

        impl<T: Real, R: Reading<T>> Question<T> for (R,) {
            type Answer = R::Answer;
            const HAS_RANGE: bool = true;
            #[inline(always)]
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<R::Answer, Error>
            where
                A: Touches<B>,
                B: Resize + Offers<$vector<f64>, Matrix>,
            {
                let own = pair.place; // see `Pair`
                let (place, error) = (&own, pair.error);
                let found = match self.0.beyond() {
                    None if A::HAS_NARROW && is_narrow::<T>() => {
                        let found = a.relate_narrow(b, place, (error, f64::INFINITY));
                        found.unwrap_or(Separation::APART)
                    }
                    None => a.relate(b, place, error),
                    Some((limit, beyond)) => {
                        match a.relate_for::<T>(b, place, (error, limit * pair.factor)) {
                            Some(found) => found,
                            None => return Ok(beyond),
                        }
                    }
                };
                self.0.read(&pair.found::<T>(found))
            }
            #[inline(always)]
            fn about_capsules(
                &self,
                _rods: &Segments<$vector<f64>>,
                found: &Separation<$vector<f64>>,
                pair: &Pair,
            ) -> Option<Result<R::Answer, Error>> {
                Some(self.0.read(&pair.found::<T>(*found)))
            }
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, R::Answer)> {
                self.0.beyond()
            }
            #[inline(always)]
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<R::Answer, Error> {
                self.0.read(found)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<R::Answer, Error> {
                let (wide_a, wide_b) = (a.widen(), b.widen());
                let (pose_a, pose_b) = (pose_a.widen(), pose_b.widen());
                let beyond = self.0.beyond();
                let limit = beyond.as_ref().map_or(f64::INFINITY, |(limit, _)| *limit);
                let found = separation_within(&wide_a, pose_a, &wide_b, pose_b, limit, is_narrow::<T>())?;
                let answer = match found {
                    Some(Relation::Separated(found)) => found,
                    // An overlap without end has no depth, but its distance is 0.
                    Some(Relation::Endless) if R::NAME == "distance" => {
                        common_point(&wide_a, pose_a, &wide_b, pose_b)
                    }
                    Some(Relation::Endless | Relation::Unsupported) => {
                        return Err(unsupported(R::NAME, (a.kind(), b.kind())));
                    }
                    None => match beyond {
                        Some((_, answer)) => return Ok(answer),
                        None => Separation::APART,
                    },
                };
                let between = (pose_b.translation - pose_a.translation).max_abs();
                let size = between + (Resize::size(&wide_a) + Resize::size(&wide_b));
                self.0.read(&Found { answer, input: rounded_input::<T>(size), is_in_range: false })
            }
        }

        /// The separation as it is.
        struct Plainly;
        impl<T: Real> Reading<T> for Plainly {
            type Answer = Separation<$vector<f64>>;
            const NAME: &'static str = "separation";
            #[inline(always)]
            fn read(
                &self,
                found: &Found<Separation<$vector<f64>>>,
            ) -> Result<Separation<$vector<f64>>, Error> {
                Ok(found.answer)
            }
        }

        /// How far apart?
        struct AsDistance;
        impl<T: Real> Reading<T> for AsDistance {
            type Answer = Distance<$vector<T>>;
            const NAME: &'static str = "distance";
            #[inline(always)]
            fn read(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Distance<$vector<T>>, Error> {
                Separation { error: found.answer.error + found.input, ..found.answer }
                    .to_distance(found.is_in_range)
            }
        }

        /// The same without the points, which may be out of range where what lies between them is not.
        struct AsGap;
        impl<T: Real> Reading<T> for AsGap {
            type Answer = Gap<T>;
            const NAME: &'static str = "distance";
            #[inline(always)]
            fn read(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Gap<T>, Error> {
                let nowhere = Separation { point_a: $vector::ZERO, point_b: $vector::ZERO, ..found.answer };
                let Distance { distance, lower, upper, .. } =
                    Reading::<T>::read(&AsDistance, &Found { answer: nowhere, ..*found })?;
                Ok(Gap { distance, lower, upper })
            }
        }

        /// How far apart, if they are this near?
        struct AsDistanceWithin {
            limit: f64,
        }
        impl<T: Real> Reading<T> for AsDistanceWithin {
            type Answer = Option<Distance<$vector<T>>>;
            const NAME: &'static str = "distance";
            #[inline(always)]
            fn read(
                &self,
                found: &Found<Separation<$vector<f64>>>,
            ) -> Result<Option<Distance<$vector<T>>>, Error> {
                if self.limit < found.answer.separation {
                    return Ok(None);
                }
                Reading::<T>::read(&AsDistance, found).map(Some)
            }
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, Self::Answer)> {
                Some((self.limit, None))
            }
        }

        /// How deep, if they are this near?
        struct AsContact {
            margin: f64,
        }
        impl<T: Real> Reading<T> for AsContact {
            type Answer = Option<Contact<$vector<T>>>;
            const NAME: &'static str = "contact";
            #[inline(always)]
            fn read(
                &self,
                found: &Found<Separation<$vector<f64>>>,
            ) -> Result<Option<Contact<$vector<T>>>, Error> {
                found.answer.to_contact(self.margin, found.is_in_range)
            }
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, Self::Answer)> {
                Some((self.margin, None))
            }
        }

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
            A: Widen + Glance<T, B>,
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
            let relative = relative_rotation(first.rotation, second.rotation);
            in_frame(question, (a, straight(first)), (b, straight(second)), relative, swapped)
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

        impl<T: Real> Glance<T, Capsule<T>> for Cuboid<T> {}

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
            if let Some(answer) = question.at_once(&a, &b, between, error) {
                return Ok(answer);
            }
            let turn = first.rotation.to_matrix();
            let place = Relative { rotation: relative.to_matrix(), translation: turn.undo(between) };
            let origin = first.translation;
            let pair = Pair { place, turn, is_upright: false, origin, factor, error, swapped };
            question.about(&a, &b, &pair)
        }
    };
}

pub(crate) use pair_direct;
