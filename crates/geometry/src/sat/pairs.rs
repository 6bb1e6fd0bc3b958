//! Pairs of polytopes with faces, generated for both dimensions: a hull or polygon with another one or
//! with a box.

/// The functions `ask_solids`, `relate_solids` and `touch_solids` of a dimension, the kernels of the pairs,
/// and the questions with a cache. `$kind` names the polytope in `Shape` and in `Body`, `$view` the type that lends it,
/// `$thin` the flat kinds of `Body` that `$prepare` makes such polytopes of, to be the second of a pair; the example shows how to ask with a cache.
macro_rules! solid_pairs {
    ($vector:ident, $pose:ident, $kind:ident, $view:ident, [$($thin:ident => $prepare:expr)?], $example:literal) => {
        fn posed<B: Support<$vector<f64>>>(b: B, place: &Place) -> Posed<B, $vector<f64>> {
            Posed::new(b, &place.rotation.columns, place.translation)
        }

        /// A kind that is, or stands for, a polytope with faces.
        trait Faced: Resize {
            fn solid(&self) -> impl Solid<$vector<f64>>;
        }

        impl Faced for $view<'_> {
            #[inline(always)]
            fn solid(&self) -> impl Solid<$vector<f64>> {
                self.clone()
            }
        }

        impl Faced for Cuboid<f64> {
            #[inline(always)]
            fn solid(&self) -> impl Solid<$vector<f64>> {
                Block(self.half_extents())
            }
        }

        impl<B: Faced> Meets<B, $vector<f64>, Matrix> for $view<'_> {
            fn relate(&self, other: &B, place: &Place, error: f64) -> Separation<$vector<f64>> {
                self.relate_within(other, place, (error, f64::INFINITY), None).unwrap_or(Separation::APART)
            }
            fn relate_within(
                &self,
                other: &B,
                place: &Place,
                bounds: (f64, f64),
                cache: Option<&mut PairCache<$vector<f64>>>,
            ) -> Option<Separation<$vector<f64>>> {
                let other = posed(other.solid(), place);
                solids::relate_solids(self, &other, [0.0; 2], bounds, cache, &mut ())
            }
            fn gap(&self, other: &B, place: &Place, error: f64) -> (f64, f64) {
                solids::gap_of_solids::<false, _, _, _>(self, &posed(other.solid(), place), error)
            }
            const HAS_NARROW: bool = true;
            fn relate_narrow(
                &self,
                other: &B,
                place: &Place,
                bounds: (f64, f64),
            ) -> Option<Separation<$vector<f64>>> {
                self.relate_narrow_from(other, place, bounds, None)
            }
            fn relate_narrow_from(
                &self,
                other: &B,
                place: &Place,
                bounds: (f64, f64),
                cache: Option<&mut PairCache<$vector<f64>>>,
            ) -> Option<Separation<$vector<f64>>> {
                let (other, radii) = (posed(other.solid(), place), [0.0; 2]);
                solids::relate_solids_for::<{ <$vector<f64> as Vector>::DIM == 3 }, _, _, _>(
                    self,
                    &other,
                    radii,
                    bounds,
                    cache,
                    &mut (),
                )
            }
            fn narrow_gap(&self, other: &B, place: &Place, error: f64) -> (f64, f64) {
                let other = posed(other.solid(), place);
                solids::gap_of_solids::<{ <$vector<f64> as Vector>::DIM == 3 }, _, _, _>(self, &other, error)
            }
            fn touch(&self, other: &B, place: &Place, error: f64) -> bool {
                self.touch_from(other, place, error, None)
            }
            fn touch_from(
                &self,
                other: &B,
                place: &Place,
                error: f64,
                cache: Option<&mut PairCache<$vector<f64>>>,
            ) -> bool {
                solids::touch_solids(self, &posed(other.solid(), place), [0.0; 2], error, cache)
            }
        }

        /// A question with a cache, which the first kernel takes.
        struct Cached<'c, Q>(Q, Cell<Option<&'c mut PairCache<$vector<f64>>>>);

        impl<T: Real> Question<T> for Cached<'_, Touching> {
            type Answer = bool;
            const HAS_RANGE: bool = false;
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<bool, Error>
            where
                A: Touches<B>,
                B: Resize + Offers<$vector<f64>, Matrix>,
            {
                Ok(a.touch_from(b, &pair.place, pair.error, self.1.take()))
            }
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<bool, Error> {
                Question::<T>::about_found(&self.0, found)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<bool, Error> {
                self.0.in_general(a, pose_a, b, pose_b)
            }
        }

        impl<T: Real, R: Reading<T>> Question<T> for Cached<'_, (R,)> {
            type Answer = R::Answer;
            const HAS_RANGE: bool = true;
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<R::Answer, Error>
            where
                A: Touches<B>,
                B: Resize + Offers<$vector<f64>, Matrix>,
            {
                let (limit, beyond) = match self.0.0.beyond() {
                    Some((limit, beyond)) => (limit * pair.factor, Some(beyond)),
                    None => (f64::INFINITY, None),
                };
                let bounds = (pair.error, limit);
                let found = if A::HAS_NARROW && is_narrow::<T>() {
                    a.relate_narrow_from(b, &pair.place, bounds, self.1.take())
                } else {
                    a.relate_within(b, &pair.place, bounds, self.1.take())
                };
                match (found, beyond) {
                    (None, Some(beyond)) => Ok(beyond),
                    (found, _) => self.0.0.read(&pair.found::<T>(found.unwrap_or(Separation::APART))),
                }
            }
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<R::Answer, Error> {
                self.0.about_found(found)
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<R::Answer, Error> {
                self.0.in_general(a, pose_a, b, pose_b)
            }
        }

        /// [`intersects`], quicker when a question about the same pair was asked with the same cache shortly
        /// before. See [`PairCache`].
        ///
        /// # Errors
        /// As for [`intersects`].
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn intersects_cached<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            cache: &mut PairCache<$vector<f64>>,
        ) -> Result<bool, Error> {
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let (first, second) = ((a.as_shape(), &pose_a), (b.as_shape(), &pose_b));
            let answer = ask_with_cache(Touching, first, second, cache);
            answer.unwrap_or_else(|| intersects(a, pose_a, b, pose_b))
        }

        /// [`distance`], quicker when a question about the same pair was asked with the same cache shortly
        /// before. See [`PairCache`].
        ///
        /// # Errors
        /// As for [`distance`].
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn distance_cached<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            cache: &mut PairCache<$vector<f64>>,
        ) -> Result<Distance<$vector<T>>, Error> {
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let (first, second) = ((a.as_shape(), &pose_a), (b.as_shape(), &pose_b));
            let answer = ask_with_cache((AsDistance,), first, second, cache);
            answer.unwrap_or_else(|| distance(a, pose_a, b, pose_b))
        }

        /// [`contact`], quicker when a question about the same pair was asked with the same cache shortly
        /// before. See [`PairCache`].
        ///
        /// # Errors
        /// As for [`contact`].
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn contact_cached<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            cache: &mut PairCache<$vector<f64>>,
        ) -> Result<Option<Contact<$vector<T>>>, Error> {
            let (pose_a, pose_b): ($pose<T>, $pose<T>) = (pose_a.into(), pose_b.into());
            let (first, second) = ((a.as_shape(), &pose_a), (b.as_shape(), &pose_b));
            let answer = ask_with_cache((AsContact { margin: 0.0 },), first, second, cache);
            answer.unwrap_or_else(|| contact(a, pose_a, b, pose_b))
        }

        /// The answer to a question with a cache; `None` when it has to be asked without.
        fn ask_with_cache<'c, T: Real, Q>(
            question: Q,
            (a, pose_a): (ShapeRef<'_, T>, &$pose<T>),
            (b, pose_b): (ShapeRef<'_, T>, &$pose<T>),
            cache: &'c mut PairCache<$vector<f64>>,
        ) -> Option<Result<<Cached<'c, Q> as Question<T>>::Answer, Error>>
        where
            Cached<'c, Q>: Question<T>,
        {
            if !(pose_a.finite() & pose_b.finite()) {
                return None;
            }
            ask_solids(&Cached(question, Cell::new(Some(cache))), a, pose_a, b, pose_b)
        }

        /// The best separating axis of two shapes in the canonical order, if they are such polytopes: the
        /// separation along it, and the normal in the frame of the first.
        fn best_axis_of_solids(
            a: &Shape<f64>,
            b: &Shape<f64>,
            place: &Place,
            error: f64,
        ) -> Option<(f64, $vector<f64>)> {
            let (Shape::$kind(a), (body, _)) = (a, body_of(b)?) else { return None };
            let a = a.view();
            match body {
                Body::$kind(b) => solids::best_axis(&a, &posed(b, place), error),
                Body::Block(b) => solids::best_axis(&a, &posed(b, place), error),
                _ => None,
            }
        }

        /// The answer for two polytopes with faces; `None` for other kinds. The poses are finite.
        #[inline]
        fn ask_solids<T: Real, Q: Question<T>>(
            question: &Q,
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
        ) -> Option<Result<Q::Answer, Error>> {
            match (a, b) {
                (ShapeRef::$kind(a), ShapeRef::$kind(b)) => {
                    let (wide_a, wide_b) = (pose_a.widen(), pose_b.widen());
                    let in_order = a.before(b).or_else(|| poses_in_order(wide_a, wide_b));
                    let (a, b) = ((&a.view(), &wide_a), (&b.view(), &wide_b));
                    let swapped = in_order == Some(false);
                    let (first, second) = order::swapped_if(swapped, a, b);
                    Some(framed(question, first, second, swapped))
                }
                (ShapeRef::$kind(a), ShapeRef::Cuboid(b)) => {
                    Some(framed(question, (&a.view(), &pose_a.widen()), (b, &pose_b.widen()), false))
                }
                (ShapeRef::Cuboid(a), ShapeRef::$kind(b)) => {
                    Some(framed(question, (&b.view(), &pose_b.widen()), (a, &pose_a.widen()), true))
                }
                _ => None,
            }
        }

        /// How two bodies relate, in the canonical order, if they are such polytopes; `Some(None)` when they
        /// are farther apart than `limit`. `trace` watches.
        fn relate_solids(
            (a, b): (&Body<'_>, &Body<'_>),
            place: &Place,
            radii: [f64; 2],
            error: f64,
            limit: f64,
            trace: &mut impl crate::gjk::Trace<$vector<f64>>,
        ) -> Option<Option<Separation<$vector<f64>>>> {
            match (a, b) {
                (Body::$kind(a), Body::$kind(b)) => {
                    let b = posed(b.clone(), place);
                    Some(solids::relate_solids(a, &b, radii, (error, limit), None, trace))
                }
                (Body::$kind(a), Body::Block(b)) => {
                    let b = posed(*b, place);
                    Some(solids::relate_solids(a, &b, radii, (error, limit), None, trace))
                }
                $((Body::$kind(a), Body::$thin(b)) => {
                    let b = posed($prepare(*b), place);
                    Some(solids::relate_solids(a, &b, radii, (error, limit), None, trace))
                })?
                _ => None,
            }
        }

        /// Whether two bodies touch, if they are such polytopes.
        fn touch_solids(
            (a, b): (&Body<'_>, &Body<'_>),
            place: &Place,
            radii: [f64; 2],
            error: f64,
        ) -> Option<bool> {
            match (a, b) {
                (Body::$kind(a), Body::$kind(b)) => {
                    Some(solids::touch_solids(a, &posed(b.clone(), place), radii, error, None))
                }
                (Body::$kind(a), Body::Block(b)) => {
                    Some(solids::touch_solids(a, &posed(*b, place), radii, error, None))
                }
                $((Body::$kind(a), Body::$thin(b)) => {
                    Some(solids::touch_solids(a, &posed($prepare(*b), place), radii, error, None))
                })?
                _ => None,
            }
        }
    };
}

pub(crate) use solid_pairs;
