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
