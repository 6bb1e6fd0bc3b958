//! The short way for the common pairs: one match on both kinds, then everything is of known type.
//!
//! The fields that a kernel needs are widened where they are read; no shape is copied. Two shapes of one
//! kind are put into the canonical order by choosing pointers, since which of them comes first is a coin
//! toss that no processor foresees.

/// The function `ask` of a dimension: answers a question about the common pairs of kinds.
///
/// The dimension supplies `Pair` and `poses_in_order`, see [`super::query`], and `ask_solids`, see
/// [`crate::sat::pairs`].
macro_rules! pair_direct {
    ($vector:ident, $pose:ident) => {
        /// Something to ask about a pair. Each kernel's answer is brought to its final form where it is
        /// found: large structures that travel from branch to branch cost more than small kernels.
        trait Question<T: Real> {
            type Answer;
            /// Two shapes in the canonical order, with a kernel of their own.
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<Self::Answer, Error>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize;
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
            /// Two balls need no frame: what was found is in the world frame already.
            fn about_balls(&self, found: Separation<$vector<f64>>) -> Result<Self::Answer, Error>;
            /// Any other two shapes.
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<f64>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<f64>,
            ) -> Result<Self::Answer, Error>;
        }

        /// Do they touch?
        struct Touching;

        impl<T: Real> Question<T> for Touching {
            type Answer = bool;
            #[inline(always)]
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<bool, Error>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                Ok(a.touch(b, &pair.place, pair.error))
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
            fn about_balls(&self, found: Separation<$vector<f64>>) -> Result<bool, Error> {
                Ok(found.separation <= 0.0)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<f64>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<f64>,
            ) -> Result<bool, Error> {
                intersects_in_general(a, pose_a, b, pose_b)
            }
        }

        /// Something to ask about the separation in the world frame.
        trait Reading<T: Real> {
            type Answer;
            /// The word for messages.
            const NAME: &'static str;
            fn read(&self, found: Separation<$vector<f64>>) -> Result<Self::Answer, Error>;
            /// The separation beyond which nothing more needs to be known, and the answer there.
            #[inline(always)]
            fn limit(&self) -> Option<(f64, Self::Answer)> {
                None
            }
        }

        impl<T: Real, R: Reading<T>> Question<T> for (R,) {
            type Answer = R::Answer;
            #[inline(always)]
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<R::Answer, Error>
            where
                A: Meets<B, $vector<f64>, Matrix>,
                B: Resize,
            {
                let Some((limit, beyond)) = self.0.limit() else {
                    return self.0.read(pair.to_world(a.relate(b, &pair.place, pair.error)));
                };
                match a.relate_within(b, &pair.place, (pair.error, limit * pair.factor), None) {
                    Some(found) => self.0.read(pair.to_world(found)),
                    None => Ok(beyond),
                }
            }
            #[inline(always)]
            fn about_balls(&self, found: Separation<$vector<f64>>) -> Result<R::Answer, Error> {
                self.0.read(found)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<f64>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<f64>,
            ) -> Result<R::Answer, Error> {
                let (wide_a, wide_b) = (a.widen(), b.widen());
                match separation(&wide_a, pose_a, &wide_b, pose_b)? {
                    Relation::Separated(found) => self.0.read(found),
                    // An overlap without end has no depth, but its distance is 0.
                    Relation::Endless if R::NAME == "distance" => {
                        self.0.read(common_point(&wide_a, pose_a, &wide_b, pose_b))
                    }
                    Relation::Endless | Relation::Unsupported => {
                        Err(unsupported(R::NAME, (a.kind(), b.kind())))
                    }
                }
            }
        }

        /// The separation as it is.
        struct Plainly;
        impl<T: Real> Reading<T> for Plainly {
            type Answer = Separation<$vector<f64>>;
            const NAME: &'static str = "separation";
            #[inline(always)]
            fn read(&self, found: Separation<$vector<f64>>) -> Result<Separation<$vector<f64>>, Error> {
                Ok(found)
            }
        }

        /// How far apart?
        struct AsDistance {
            /// What the rounding of the input adds to the error.
            rounded: f64,
        }
        impl<T: Real> Reading<T> for AsDistance {
            type Answer = Distance<$vector<T>>;
            const NAME: &'static str = "distance";
            #[inline(always)]
            fn read(&self, found: Separation<$vector<f64>>) -> Result<Distance<$vector<T>>, Error> {
                Separation { error: found.error + self.rounded, ..found }.to_distance()
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
            fn read(&self, found: Separation<$vector<f64>>) -> Result<Option<Contact<$vector<T>>>, Error> {
                found.to_contact(self.margin)
            }
            #[inline(always)]
            fn limit(&self) -> Option<(f64, Option<Contact<$vector<T>>>)> {
                Some((self.margin, None))
            }
        }

        /// One match on both kinds. The poses are finite.
        #[inline(always)]
        fn ask<T: Real, Q: Question<T>>(
            question: Q,
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
        ) -> Result<Q::Answer, Error> {
            // Widened where they are needed: numbers that are converted need no copy in memory, whose layout
            // the processor could not follow.
            let (wide_a, wide_b) = (|| pose_a.widen(), || pose_b.widen());
            match (a, b) {
                (ShapeRef::Ball(a), ShapeRef::Ball(b)) => {
                    let centers = [pose_a.translation.widen(), pose_b.translation.widen()];
                    question.about_balls(balls::<T>(centers, [a.radius().to_f64(), b.radius().to_f64()])?)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Ball(b)) => {
                    framed(&question, (a, &wide_a()), (b, &wide_b()), false)
                }
                (ShapeRef::Ball(a), ShapeRef::Cuboid(b)) => {
                    framed(&question, (b, &wide_b()), (a, &wide_a()), true)
                }
                (ShapeRef::Capsule(a), ShapeRef::Ball(b)) => {
                    framed(&question, (a, &wide_a()), (b, &wide_b()), false)
                }
                (ShapeRef::Ball(a), ShapeRef::Capsule(b)) => {
                    framed(&question, (b, &wide_b()), (a, &wide_a()), true)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Capsule(b)) => {
                    called(&question, (a, &wide_a()), (b, &wide_b()), false)
                }
                (ShapeRef::Capsule(a), ShapeRef::Cuboid(b)) => {
                    called(&question, (b, &wide_b()), (a, &wide_a()), true)
                }
                (ShapeRef::Cuboid(a), ShapeRef::Cuboid(b)) => {
                    let in_order = order::before([a.half_extents()], [b.half_extents()]);
                    let swapped =
                        in_order.or_else(|| poses_in_order(pose_a.widen(), pose_b.widen())) == Some(false);
                    let (wide_a, wide_b) = (wide_a(), wide_b());
                    let (first, second) = order::swapped_if(swapped, (a, &wide_a), (b, &wide_b));
                    called(&question, first, second, swapped)
                }
                (ShapeRef::Capsule(a), ShapeRef::Capsule(b)) => {
                    let in_order = order::before_number(a.radius(), b.radius()).or_else(|| {
                        order::before([a.segment().a(), a.segment().b()], [b.segment().a(), b.segment().b()])
                    });
                    let swapped =
                        in_order.or_else(|| poses_in_order(pose_a.widen(), pose_b.widen())) == Some(false);
                    let (wide_a, wide_b) = (wide_a(), wide_b());
                    let (first, second) = order::swapped_if(swapped, (a, &wide_a), (b, &wide_b));
                    called(&question, first, second, swapped)
                }
                _ => match ask_solids(&question, a, &pose_a, b, &pose_b) {
                    Some(answer) => answer,
                    None => question.in_general(a, wide_a(), b, wide_b()),
                },
            }
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
            question: &Q,
            (a, first): (&A, &$pose<f64>),
            (b, second): (&B, &$pose<f64>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Meets<B::Wide, $vector<f64>, Matrix>,
            B::Wide: Resize,
            Q: Question<T>,
        {
            let (a, b) = (a.widen(), b.widen());
            let between = second.translation - first.translation;
            let (distance, size_a, size_b) = (between.max_abs(), a.size(), b.size());
            let factor = rescaling_of::<T>([distance, size_a, size_b])?;
            // All of f32 has the factor 1, and the compiler knows it.
            let (a, b, between) = (a.resized(factor), b.resized(factor), between * factor);
            let error = ROUNDING * (distance * factor + (size_a * factor + size_b * factor));
            if let Some(answer) = question.at_once(&a, &b, between, error) {
                return Ok(answer);
            }
            let turn = first.rotation.to_matrix();
            let place = Relative {
                rotation: (first.rotation.inverse() * second.rotation).to_matrix(),
                translation: turn.undo(between),
            };
            let pair = Pair { place, turn, origin: first.translation, factor, error, swapped };
            question.about(&a, &b, &pair)
        }

        /// [`framed`] for kernels that are not worth a copy for each order of the shapes.
        #[inline(never)]
        fn called<T, A, B, Q>(
            question: &Q,
            a: (&A, &$pose<f64>),
            b: (&B, &$pose<f64>),
            swapped: bool,
        ) -> Result<Q::Answer, Error>
        where
            T: Real,
            A: Widen,
            B: Widen,
            A::Wide: Meets<B::Wide, $vector<f64>, Matrix>,
            B::Wide: Resize,
            Q: Question<T>,
        {
            framed(question, a, b, swapped)
        }
    };
}

pub(crate) use pair_direct;
