//! What can be asked about a pair, and in which form each answer goes back to the caller.
//!
//! A question tells how to answer it for any two kinds that have a kernel of their own ([`super::direct`] finds out which), where a
//! look in `f32` is enough, and what remains in general. What is read from the separation alone is a reading.

use carom_math::Real;

/// An answer in the world frame, and what rounding it to the caller's number type needs to know.
pub(crate) struct Found<A> {
    pub(crate) answer: A,
    /// A number that is the separation where it is positive, and not positive where that is not.
    pub(crate) apart: f64,
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

/// The trait `Question` of a dimension and those who implement it: `Touching`, `HowFar`, and the readings `Plainly`, `AsDistance`, `AsGap`,
/// `AsDistanceWithin` and `AsContact`.
///
/// The dimension supplies `Pair`, see [`super::framed`], and `intersects_in_general`, `gap_in_general`, `separation_within` and `common_point`, see
/// [`super::query`].
macro_rules! pair_question {
    ($vector:ident, $pose:ident) => {
        /// Something to ask about a pair. Each kernel's answer is brought to its final form where it is
        /// found: large structures that travel from branch to branch cost more than small kernels.
        pub(crate) trait Question<T: Real> {
            type Answer;
            /// Whether the answer may overflow.
            const HAS_RANGE: bool;
            /// Whether the answer has a normal, or points that depend on it.
            const SHOWS_NORMAL: bool = true;
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
            /// The answer in `f32` by the short way of two kinds, where that leads to it. The pair is in the axes of the world.
            #[inline(always)]
            fn shortly<A, B>(
                &self,
                _a: (&A, &$pose<T>),
                _b: (&B, &$pose<T>),
                _pair: &Pair,
            ) -> Option<Result<Self::Answer, Error>>
            where
                A: ShortWay<T, B>,
            {
                None
            }
            /// Whether it is about how far or how deep.
            const MEASURES: bool = false;
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

        /// A kind that has a short way to answers in `f32` about a pair with `B`, in the axes of the world about the origin
        /// of the first.
        pub(crate) trait ShortWay<T: Real, B> {
            const IS_THERE: bool = false;
            /// Whether it pays only for who wants to know how far or how deep.
            const MEASURES_ONLY: bool = false;
            /// How they relate; the bounds are those of the rounding errors and the farthest that matters.
            #[inline(always)]
            fn relate_shortly(
                &self,
                _pose: &$pose<T>,
                _other: &B,
                _other_pose: &$pose<T>,
                _bounds: (f64, f64),
            ) -> Clearly<$vector<f64>> {
                Clearly::Not
            }
            /// How far apart they are and the error, or any number that is not below the separation, and at most 0, when they touch, which may be
            /// known sooner.
            #[inline(always)]
            fn gap_shortly(
                &self,
                pose: &$pose<T>,
                other: &B,
                other_pose: &$pose<T>,
                error: f64,
            ) -> Option<(f64, f64)> {
                match self.relate_shortly(pose, other, other_pose, (error, f64::INFINITY)) {
                    Clearly::So(found) => Some(found.without_points()),
                    Clearly::Beyond | Clearly::Not => None,
                }
            }
            /// Where they meet; `Met::Aside` where this way does not tell.
            #[inline(always)]
            fn meet_shortly(
                &self,
                _pose: &$pose<T>,
                _other: &B,
                _other_pose: &$pose<T>,
                _bounds: (f64, f64),
            ) -> Met<$vector<f64>> {
                Met::Aside
            }
        }

        /// Do they touch?
        struct Touching;

        impl<T: Real> Question<T> for Touching {
            type Answer = bool;
            const HAS_RANGE: bool = false;
            const SHOWS_NORMAL: bool = false;
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
            fn about_capsules(
                &self,
                _rods: &Segments<$vector<f64>>,
                found: &Separation<$vector<f64>>,
                _pair: &Pair,
            ) -> Option<Result<bool, Error>> {
                Some(Ok(found.separation <= 0.0))
            }
            #[inline(always)]
            fn shortly<A, B>(
                &self,
                (a, pose_a): (&A, &$pose<T>),
                (b, pose_b): (&B, &$pose<T>),
                pair: &Pair,
            ) -> Option<Result<bool, Error>>
            where
                A: ShortWay<T, B>,
            {
                match a.relate_shortly(pose_a, b, pose_b, (pair.error, f64::INFINITY)) {
                    Clearly::So(found) => Some(Ok(found.separation <= 0.0)),
                    Clearly::Beyond | Clearly::Not => None,
                }
            }
            const GLANCES: bool = true;
            #[inline(always)]
            fn at_a_glance(&self, verdict: f32) -> Option<bool> {
                (verdict != 0.0).then_some(verdict < 0.0)
            }
            #[inline(always)]
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<bool, Error> {
                Ok(found.apart <= 0.0)
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
            const MEASURES: bool = true;
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
            #[inline(always)]
            fn shortly<A, B>(
                &self,
                (a, pose_a): (&A, &$pose<T>),
                (b, pose_b): (&B, &$pose<T>),
                pair: &Pair,
            ) -> Option<Result<Gap<T>, Error>>
            where
                A: ShortWay<T, B>,
            {
                let (separation, error) = a.gap_shortly(pose_a, b, pose_b, pair.error)?;
                Some(Gap::of_signed(separation, error + rounded_input::<T>(pair.size())))
            }
            const GLANCES_AT_OVERLAPS: bool = true;
            /// Shapes that touch beyond doubt have no gap.
            #[inline(always)]
            fn at_a_glance(&self, verdict: f32) -> Option<Gap<T>> {
                (verdict < 0.0).then(Gap::default)
            }
            #[inline(always)]
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Gap<T>, Error> {
                Gap::new(found.apart, found.answer.error + found.input)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<Gap<T>, Error> {
                if let Some(known) = gap_in_general(a, pose_a, b, pose_b) {
                    return known;
                }
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
            const MEASURES: bool = true;
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
            fn shortly<A, B>(
                &self,
                (a, pose_a): (&A, &$pose<T>),
                (b, pose_b): (&B, &$pose<T>),
                pair: &Pair,
            ) -> Option<Result<R::Answer, Error>>
            where
                A: ShortWay<T, B>,
            {
                let beyond = self.0.beyond();
                let limit = beyond.as_ref().map_or(f64::INFINITY, |(limit, _)| *limit);
                match (a.relate_shortly(pose_a, b, pose_b, (pair.error, limit)), beyond) {
                    (Clearly::So(found), _) => Some(self.0.read(&pair.found::<T>(found))),
                    (Clearly::Beyond, Some((_, answer))) => Some(Ok(answer)),
                    _ => None,
                }
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
                let size = size_of_pair((&wide_a, pose_a), (&wide_b, pose_b));
                let (input, apart) = (rounded_input::<T>(size), answer.separation);
                self.0.read(&Found { answer, apart, input, is_in_range: false })
            }
        }

        /// What rounding errors of the answer are relative to.
        fn size_of_pair(
            (a, pose_a): (&Shape<f64>, $pose<f64>),
            (b, pose_b): (&Shape<f64>, $pose<f64>),
        ) -> f64 {
            let between = (pose_b.translation - pose_a.translation).max_abs();
            between + (Resize::size(a) + Resize::size(b))
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
                    .to_distance(found.apart, found.is_in_range)
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
    };
}

pub(crate) use pair_question;
