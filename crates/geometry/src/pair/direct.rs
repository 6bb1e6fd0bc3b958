//! The short way for the common pairs: one match on both kinds, then everything is of known type.
//!
//! The fields that a kernel needs are widened where they are read; no shape is copied. Two shapes of one
//! kind are put into the canonical order by choosing pointers, since which of them comes first is a coin
//! toss that no processor foresees.

/// The function `ask` of a dimension: answers a question about the common pairs of kinds.
///
/// The dimension supplies `Pair` and `poses_in_order`, see [`super::query`].
macro_rules! pair_direct {
    ($vector:ident, $pose:ident) => {
        /// Something to ask about a pair of shapes in the canonical order.
        trait Question {
            type Answer;
            fn about<A, B>(a: &A, b: &B, pair: &Pair) -> Self::Answer
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize;
            /// Balls need no frame. The separation is that of the world frame.
            fn about_balls(found: Separation<$vector<f64>>) -> Self::Answer;
        }

        /// Do they touch?
        struct Touching;
        /// How far apart are they, and where? In the world frame.
        struct Separating;

        impl Question for Touching {
            type Answer = bool;
            #[inline(always)]
            fn about<A, B>(a: &A, b: &B, pair: &Pair) -> bool
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                a.touch(b, &pair.place, pair.error)
            }
            #[inline(always)]
            fn about_balls(found: Separation<$vector<f64>>) -> bool {
                found.separation <= 0.0
            }
        }

        impl Question for Separating {
            type Answer = Separation<$vector<f64>>;
            #[inline(always)]
            fn about<A, B>(a: &A, b: &B, pair: &Pair) -> Separation<$vector<f64>>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                pair.to_world(a.relate(b, &pair.place, pair.error))
            }
            #[inline(always)]
            fn about_balls(found: Separation<$vector<f64>>) -> Separation<$vector<f64>> {
                found
            }
        }

        /// The answer for the pairs that have a kernel of their own, `None` for all others.
        #[inline(always)]
        fn ask<T: Real, Q: Question>(
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
        ) -> Option<Result<Q::Answer, Error>> {
            Some(match (a, b) {
                (ShapeRef::Ball(a), ShapeRef::Ball(b)) => {
                    let centers = [pose_a.translation.widen(), pose_b.translation.widen()];
                    balls::<T>(centers, [a.radius().to_f64(), b.radius().to_f64()]).map(Q::about_balls)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Ball(b)) => {
                    framed::<T, _, _, Q>((a, pose_a), (b, pose_b), false)
                }
                (ShapeRef::Ball(a), ShapeRef::Cuboid(b)) => {
                    framed::<T, _, _, Q>((b, pose_b), (a, pose_a), true)
                }
                (ShapeRef::Capsule(a), ShapeRef::Ball(b)) => {
                    framed::<T, _, _, Q>((a, pose_a), (b, pose_b), false)
                }
                (ShapeRef::Ball(a), ShapeRef::Capsule(b)) => {
                    framed::<T, _, _, Q>((b, pose_b), (a, pose_a), true)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Capsule(b)) => {
                    called::<T, _, _, Q>((a, pose_a), (b, pose_b), false)
                }
                (ShapeRef::Capsule(a), ShapeRef::Cuboid(b)) => {
                    called::<T, _, _, Q>((b, pose_b), (a, pose_a), true)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Cuboid(b)) => {
                    let in_order = order::before([a.half_extents()], [b.half_extents()]);
                    let swapped = in_order.or_else(|| poses_in_order(pose_a, pose_b)) == Some(false);
                    let (first, second) = order::swapped_if(swapped, (a, pose_a), (b, pose_b));
                    called::<T, _, _, Q>(first, second, swapped)
                }
                (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => {
                    let in_order = order::before_number(a.radius(), b.radius()).or_else(|| {
                        order::before([a.segment().a(), a.segment().b()], [b.segment().a(), b.segment().b()])
                    });
                    let swapped = in_order.or_else(|| poses_in_order(pose_a, pose_b)) == Some(false);
                    let (first, second) = order::swapped_if(swapped, (a, pose_a), (b, pose_b));
                    called::<T, _, _, Q>(first, second, swapped)
                }
                _ => return None,
            })
        }

        /// Two balls, in the world frame.
        #[inline(always)]
        fn balls<T: Real>(
            [center_a, center_b]: [$vector<f64>; 2],
            [radius_a, radius_b]: [f64; 2],
        ) -> Result<Separation<$vector<f64>>, Error> {
            let between = center_b - center_a;
            let factor = rescaling_of::<T>([between.max_abs(), radius_a, radius_b])?;
            let found = ball_ball(between * factor, [radius_a * factor, radius_b * factor]);
            let back = 1.0 / factor;
            Ok(Separation {
                separation: found.separation * back,
                error: found.error * back,
                normal: found.normal,
                // From their own centres, so that exchanging the balls changes no bit.
                point_a: center_a + found.normal * radius_a,
                point_b: center_b - found.normal * radius_b,
            })
        }

        /// Two shapes in the canonical order: seen from the first, at a scale that suits the kernel.
        #[inline(always)]
        fn framed<T, A, B, Q>(
            (a, pose_a): (&A, &$pose<T>),
            (b, pose_b): (&B, &$pose<T>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Meets<B::Wide, $vector<f64>, Matrix>,
            B::Wide: Resize,
            Q: Question,
        {
            let (a, b) = (a.widen(), b.widen());
            let (first, second) = (pose_a.widen(), pose_b.widen());
            let between = second.translation - first.translation;
            let (distance, size_a, size_b) = (between.max_abs(), a.size(), b.size());
            let factor = rescaling_of::<T>([distance, size_a, size_b])?;
            let turn = first.rotation.to_matrix();
            let pair = Pair {
                place: Relative {
                    rotation: (first.rotation.inverse() * second.rotation).to_matrix(),
                    translation: turn.undo(between * factor),
                },
                turn,
                origin: first.translation,
                factor,
                error: ROUNDING * (distance * factor + (size_a * factor + size_b * factor)),
                swapped,
            };
            // All of f32 has the factor 1, and the compiler knows it.
            Ok(Q::about(&a.resized(factor), &b.resized(factor), &pair))
        }

        /// [`framed`] for kernels that are not worth a copy for each order of the shapes.
        #[inline(never)]
        fn called<T, A, B, Q>(
            a: (&A, &$pose<T>),
            b: (&B, &$pose<T>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Meets<B::Wide, $vector<f64>, Matrix>,
            B::Wide: Resize,
            Q: Question,
        {
            framed::<T, A, B, Q>(a, b, swapped)
        }
    };
}

pub(crate) use pair_direct;
