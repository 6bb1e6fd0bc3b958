//! The functions `manifold` and `manifold_within`, generated for both dimensions.

/// Points this many rounding errors beside each other face each other: 2⁻²⁰ of the size, more than the
/// kernels for curved shapes err where they find the place.
pub(crate) const BESIDE: f64 = (1_u32 << 27) as f64;

/// Rounds of projections: parallel features take one, edges that cross at a small angle many.
pub(crate) const PROJECTIONS: usize = 64;

/// The dimension supplies `rods_at`, which says where two capsules meet whose contact is known, or that it takes more to say;
/// [`Offers`](super::feature::Offers) for `Shape` and for the kinds that
/// [`ask`](crate::pair::direct) knows; `reduce(&points, normal)`, which leaves few points; and `choose` for
/// shapes and `choose_between` for known kinds, which call `choose_among` with the capacities.
macro_rules! manifold_queries {
    ($vector:ident, $pose:ident,
     manifold: $example:literal, manifold_within: $within_example:literal) => {
        /// All points at which two shapes touch, up to four of them (two in the plane); `None` when
        /// they do not touch. See [`manifold_within`] for shapes that are close but do not touch.
        ///
        /// Answers in the world frame. The normal and the deepest depth are those of
        /// [`contact`](super::contact). Every point lies half way between two points of the surfaces
        /// that are |depth| apart. Exchanging the shapes negates the normal, exchanges the features and
        /// changes nothing else.
        ///
        /// A ball and an ellipsoid have one point; a capsule that lies on a face has two, and so has a
        /// cylinder or a cone on its side; two faces have the corners of what they share, of which four are
        /// chosen that span most of its area. The cap of a cylinder is a face as well.
        ///
        /// # Errors
        /// As for [`contact`](super::contact).
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn manifold<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            manifold_within(a, pose_a, b, pose_b, T::ZERO)
        }

        /// Like [`manifold`], also for shapes that are at most `margin` apart, and with all points
        /// whose gap is at most `margin`.
        ///
        /// # Errors
        /// As for [`contact_within`](super::contact_within).
        ///
        /// # Example
        /// ```
        #[doc = $within_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[inline]
        pub fn manifold_within<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            let (a, pose_a): (_, $pose<T>) = (a.as_shape(), pose_a.into());
            let (b, pose_b): (_, $pose<T>) = (b.as_shape(), pose_b.into());
            let point = AsPoint { margin: not_negative("margin", margin)?.to_f64() };
            let question = (point,);
            ask_plainly!(question, (a, pose_a), (b, pose_b), otherwise {
                manifold_of_kinds(a, &pose_a.copied(), b, &pose_b.copied(), margin)
            }, {})
        }

        /// The same for all kinds. Not where it is asked, so that the poses of a pair with a ball need not be in memory.
        #[inline(never)]
        fn manifold_of_kinds<T: Real>(
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
            margin: T,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            manifold_watched(a, *pose_a, b, *pose_b, margin, &mut ())
        }

        /// The one point of a pair with a ball?
        struct AsPoint {
            margin: f64,
        }

        impl AsPoint {
            #[inline(always)]
            fn of<T: Real>(
                &self,
                found: &Found<Separation<$vector<f64>>>,
                watcher: Option<&mut impl Watch<$vector<f64>>>,
            ) -> Result<Option<Manifold<$vector<T>>>, Error> {
                let answer = &found.answer;
                if self.margin < answer.separation {
                    return Ok(None);
                }
                let middle = answer.point_a * 0.5 + answer.point_b * 0.5;
                if let Some(watcher) = watcher {
                    watcher.reduced([middle].into_iter());
                }
                let point = narrowed::<T>(middle, 0.0 - answer.separation, FeaturePair::default());
                if found.is_in_range || is_finite(point) {
                    Ok(Some(Manifold::single($vector::narrow(answer.normal), point)))
                } else {
                    Err(Error::Overflow { what: "the manifold", number: T::NAME })
                }
            }
        }

        impl<T: Real> Reading<T> for AsPoint {
            type Answer = Option<Manifold<$vector<T>>>;
            const NAME: &'static str = "manifold";
            #[inline(always)]
            fn read(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Self::Answer, Error> {
                self.of(found, None::<&mut ()>)
            }
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, Self::Answer)> {
                Some((self.margin, None))
            }
        }

        /// [`manifold_within`], step by step before the eyes of a watcher.
        #[inline]
        pub(crate) fn manifold_watched<T: Real, W: Watch<$vector<f64>>>(
            a: ShapeRef<'_, T>,
            pose_a: $pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: $pose<T>,
            margin: T,
            watcher: &mut W,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            let margin = not_negative("margin", margin)?.to_f64();
            let (watcher, is_aside) = (Cell::new(Some(watcher)), Cell::new(false));
            let question = AsManifold { margin, watcher: &watcher, is_aside: &is_aside };
            let mut answer = ask(question, a, pose_a, b, pose_b);
            // In place: a copy of a manifold costs more than the contact of two balls.
            if is_aside.get()
                && let Some(watcher) = watcher.take()
            {
                answer = clipped_manifold(a, &pose_a.copied(), b, &pose_b.copied(), margin, watcher);
            }
            // The steps are those of the kinds; the answer is the plain one, to which a shorter way may lead.
            if W::LISTENS {
                answer = manifold_watched(a, pose_a, b, pose_b, T::from_f64(margin), &mut ());
            }
            answer
        }

        /// All points at which they touch?
        struct AsManifold<'a, 'w, W> {
            margin: f64,
            watcher: &'a Cell<Option<&'w mut W>>,
            /// Set instead of an answer when the points of the contact do not face each other.
            is_aside: &'a Cell<bool>,
        }

        impl<T: Real, W: Watch<$vector<f64>>> Question<T> for AsManifold<'_, '_, W> {
            type Answer = Option<Manifold<$vector<T>>>;
            const HAS_RANGE: bool = true;
            #[inline(always)]
            fn about<A, B>(&self, a: &A, b: &B, pair: &Pair) -> Result<Self::Answer, Error>
            where
                A: Touches<B>,
                B: Resize + Offers<$vector<f64>, Matrix>,
            {
                let limit = self.margin * pair.factor;
                let Some(watcher) = self.watcher.take() else { return Ok(None) };
                let place = pair.place; // of its own, see `Pair`
                let bounds = (pair.error, limit);
                let mut shown = Shown { watcher, to_world: |point| pair.point_to_world(point) };
                // Who does not listen is not given what shows the pair.
                let met = if W::LISTENS {
                    a.touches::<T>(b, &place, bounds, &mut shown)
                } else {
                    a.touches::<T>(b, &place, bounds, &mut ())
                };
                match met {
                    Met::Apart => Ok(None),
                    Met::Aside => {
                        self.watcher.set(Some(shown.watcher));
                        self.is_aside.set(true);
                        Ok(None)
                    }
                    Met::Here(points) => pair.manifold(&points, &mut shown),
                    Met::Point(normal, point) => pair.manifold_of_one(normal, point, &mut shown),
                }
            }
            #[inline(always)]
            fn about_capsules(
                &self,
                rods: &Segments<$vector<f64>>,
                found: &Separation<$vector<f64>>,
                pair: &Pair,
            ) -> Option<Result<Self::Answer, Error>> {
                if self.margin < found.separation {
                    return Some(Ok(None));
                }
                let watcher = self.watcher.take()?;
                let mut shown = Shown { watcher, to_world: |point| pair.point_to_world(point) };
                match rods_at(rods, found, (pair.error, self.margin), &mut shown) {
                    Met::Here(points) => Some(pair.manifold(&points, &mut shown)),
                    Met::Point(normal, point) => Some(pair.manifold_of_one(normal, point, &mut shown)),
                    Met::Apart | Met::Aside => {
                        self.watcher.set(Some(shown.watcher));
                        None
                    }
                }
            }
            /// Who listens is shown the way of the kinds.
            #[inline(always)]
            fn shortly<A, B>(
                &self,
                (a, pose_a): (&A, &$pose<T>),
                (b, pose_b): (&B, &$pose<T>),
                pair: &Pair,
            ) -> Option<Result<Self::Answer, Error>>
            where
                A: ShortWay<T, B>,
            {
                if W::LISTENS {
                    return None;
                }
                let mut shown = Shown { watcher: &mut (), to_world: |point| point };
                match a.meet_shortly(pose_a, b, pose_b, (pair.error, self.margin)) {
                    Met::Apart => Some(Ok(None)),
                    Met::Aside => None,
                    Met::Here(points) => Some(pair.manifold(&points, &mut shown)),
                    Met::Point(normal, point) => Some(pair.manifold_of_one(normal, point, &mut shown)),
                }
            }
            #[inline(always)]
            fn beyond(&self) -> Option<(f64, Self::Answer)> {
                Some((self.margin, None))
            }
            /// A ball has one point.
            #[inline(always)]
            fn about_found(&self, found: &Found<Separation<$vector<f64>>>) -> Result<Self::Answer, Error> {
                AsPoint { margin: self.margin }.of(found, self.watcher.take())
            }
            fn in_general(
                &self,
                a: ShapeRef<'_, T>,
                pose_a: $pose<T>,
                b: ShapeRef<'_, T>,
                pose_b: $pose<T>,
            ) -> Result<Self::Answer, Error> {
                let (wide_a, wide_b) = (a.widen(), b.widen());
                if is_common(&wide_a) && is_common(&wide_b) {
                    let (pose_a, pose_b) = (pose_a.widen(), pose_b.widen());
                    let question = AsManifold { ..*self };
                    let found =
                        ask::<f64, _>(question, wide_a.as_shape(), pose_a, wide_b.as_shape(), pose_b)?;
                    return found.map(|found| in_number(&found)).transpose();
                }
                let (place_a, place_b) = (pose_a.widen(), pose_b.widen());
                if let Some(found) = manifold_by_parts(&wide_a, place_a, &wide_b, place_b, self.margin) {
                    return found?.map(|found| in_number(&found)).transpose();
                }
                let Some(watcher) = self.watcher.take() else { return Ok(None) };
                if is_ball(a) || is_ball(b) {
                    let contact = contact_within(&a, pose_a, &b, pose_b, T::from_f64(self.margin))?;
                    return Ok(contact.map(|contact| {
                        let middle = contact.point_a.widen() * 0.5 + contact.point_b.widen() * 0.5;
                        watcher.reduced([middle].into_iter());
                        let (point, feature) = ($vector::narrow(middle), FeaturePair::default());
                        let point = ManifoldPoint { point, depth: contact.depth, feature };
                        Manifold::single(contact.normal, point)
                    }));
                }
                clipped_manifold(a, &pose_a, b, &pose_b, self.margin, watcher)
            }
        }

        /// A kind that is first in the canonical order of a pair with `B`, and knows where they touch.
        pub(crate) trait Touches<B>:
            Sized + Meets<B, $vector<f64>, Matrix> + Offers<$vector<f64>, Matrix>
        where
            B: Resize + Offers<$vector<f64>, Matrix>,
        {
            /// The points that are at most the second bound apart; the first bounds the rounding errors.
            #[inline(always)]
            fn touches<T: Real>(
                &self,
                other: &B,
                place: &Place,
                (error, limit): (f64, f64),
                watcher: &mut impl Watch<$vector<f64>>,
            ) -> Met<$vector<f64>> {
                match self.relate_for::<T>(other, place, (error, limit)) {
                    Some(found) => touch_at(self, other, place, &found, (error, limit), watcher),
                    None => Met::Apart,
                }
            }
        }

        /// The points of a contact that is known.
        #[inline(always)]
        fn touch_at(
            a: &impl Offers<$vector<f64>, Matrix>,
            b: &impl Offers<$vector<f64>, Matrix>,
            place: &Place,
            found: &Separation<$vector<f64>>,
            (error, limit): (f64, f64),
            watcher: &mut impl Watch<$vector<f64>>,
        ) -> Met<$vector<f64>> {
            if limit < found.separation {
                return Met::Apart;
            }
            if BESIDE * error < aside(found).max_abs() {
                return Met::Aside;
            }
            let chosen = choose_between(a, b, place, found, (error, limit), watcher);
            Met::Here(Points::new(found.normal, chosen))
        }

        /// What two points of a contact are beside each other, as seen along the normal.
        #[inline(always)]
        fn aside(found: &Separation<$vector<f64>>) -> $vector<f64> {
            (found.point_b - found.point_a) - found.normal * found.separation
        }

        /// The same in another number type.
        pub(crate) fn in_number<T: Real>(
            found: &Manifold<$vector<f64>>,
        ) -> Result<Manifold<$vector<T>>, Error> {
            let mut points = [ManifoldPoint::<$vector<T>>::default(); MOST];
            for (place, wide) in points.iter_mut().zip(found.points()) {
                *place = narrowed(wide.point, wide.depth, wide.feature);
                if !is_finite(*place) {
                    return Err(Error::Overflow { what: "the manifold", number: T::NAME });
                }
            }
            let narrow = Manifold::new($vector::narrow(found.normal()), points, found.points().len());
            Ok(narrow.with_parts(found.parts()))
        }

        /// The points of a contact of two convex shapes that is known, or of their faces along a normal that is,
        /// in the frame of the first and at the scale of the kernels. The kinds may be in any order. `bounds`:
        /// what the contact is off by, and how far apart points may be.
        pub(crate) fn manifold_of_known(
            [a, b]: [&Shape<f64>; 2],
            place: &Place,
            found: &Separation<$vector<f64>>,
            bounds: (f64, f64),
        ) -> Result<Option<Manifold<$vector<f64>>>, Error> {
            if is_ball(a.as_shape()) || is_ball(b.as_shape()) {
                let (depth, feature) = (0.0 - found.separation, FeaturePair::default());
                let point = found.point_a * 0.5 + found.point_b * 0.5;
                return Ok(Some(Manifold::single(found.normal, ManifoldPoint { point, depth, feature })));
            }
            // The frame of the second, where the kinds come in the other order.
            let swapped = rank(b) < rank(a);
            let origin = Place::IDENTITY;
            let frame = if swapped { place } else { &origin };
            let seen = |point: $vector<f64>| frame.rotation.undo(point - frame.translation);
            let (first, second) = if swapped { (b, a) } else { (a, b) };
            let found = if swapped {
                Separation {
                    normal: -frame.rotation.undo(found.normal),
                    point_a: seen(found.point_b),
                    point_b: seen(found.point_a),
                    ..*found
                }
            } else {
                *found
            };
            let rotation = if swapped { place.rotation.transposed() } else { place.rotation };
            let translation = if swapped { -(rotation * place.translation) } else { place.translation };
            let pair = Pair {
                place: Relative { rotation, translation },
                turn: frame.rotation,
                is_upright: false,
                origin: frame.translation,
                factor: 1.0,
                error: bounds.0,
                swapped,
            };
            let found = pair.facing_points(first, second, found);
            let mut shown = Shown { watcher: &mut (), to_world: |point| point };
            let chosen = choose(first, second, &pair.place, &found, bounds, &mut shown);
            pair.manifold(&Points::new(found.normal, chosen), &mut shown)
        }

        /// A ball, rounded or not: one point is all it has.
        #[inline(always)]
        fn is_ball<T: Real>(shape: ShapeRef<'_, T>) -> bool {
            match shape {
                ShapeRef::Ball(_) => true,
                ShapeRef::Rounded(rounded) => matches!(rounded.shape(), Shape::Ball(_)),
                _ => false,
            }
        }

        /// Neither is a ball. The poses are finite.
        #[inline(never)]
        fn clipped_manifold<T: Real, W: Watch<$vector<f64>>>(
            a: ShapeRef<'_, T>,
            pose_a: &$pose<T>,
            b: ShapeRef<'_, T>,
            pose_b: &$pose<T>,
            margin: f64,
            watcher: &mut W,
        ) -> Result<Option<Manifold<$vector<T>>>, Error> {
            let kinds = (a.kind(), b.kind());
            let (a, b) = (a.widen(), b.widen());
            let pair = Pair::new(&a, pose_a.widen(), &b, pose_b.widen())?;
            let [first, second] = &pair.shapes(&a, &b);
            let limit = margin * pair.factor;
            let Some(relation) = pair.relate_within(first, second, limit) else {
                return Ok(None);
            };
            let Relation::Separated(found) = relation else {
                return Err(unsupported("manifold", kinds));
            };
            if margin < crate::scale::length_back(found.separation, pair.factor) {
                return Ok(None);
            }
            let found = pair.facing_points(first, second, found);
            let mut watcher = Shown { watcher, to_world: |point| pair.point_to_world(point) };
            let chosen = choose(first, second, &pair.place, &found, (pair.error, limit), &mut watcher);
            pair.manifold(&Points::new(found.normal, chosen), &mut watcher)
        }

        impl Pair {
            /// From the frame of the pair to the world, at the caller's scale.
            #[inline(always)]
            fn point_to_world(&self, point: $vector<f64>) -> $vector<f64> {
                self.turned(point * (1.0 / self.factor)) + self.origin
            }

            /// The points in the world, in the order and the number type of the caller.
            #[inline(always)]
            fn manifold<T: Real>(
                &self,
                found: &Points<$vector<f64>>,
                watcher: &mut Shown<'_, impl Watch<$vector<f64>>, impl Fn($vector<f64>) -> $vector<f64>>,
            ) -> Result<Option<Manifold<$vector<T>>>, Error> {
                watcher.reduced(found.all().iter().map(|candidate| candidate.point));
                // All places, also those without a point: they need no loop, and stay out of memory. In the plane no more than
                // two have one.
                let ([a, b, c, d], count) = found.parts();
                let (a, b) = (self.point_of::<T>(a), self.point_of::<T>(b));
                let is_plane = $vector::<f64>::DIM == 2;
                let (c, d) = if is_plane { (a, b) } else { (self.point_of::<T>(c), self.point_of::<T>(d)) };
                if !(is_finite(a) & is_finite(b) & is_finite(c) & is_finite(d)) {
                    return Err(Error::Overflow { what: "the manifold", number: T::NAME });
                }
                Ok(Some(Manifold::new(self.normal_to_world(found.normal), [a, b, c, d], count)))
            }

            /// The same for one point.
            #[inline(always)]
            fn manifold_of_one<T: Real>(
                &self,
                normal: $vector<f64>,
                candidate: Candidate<$vector<f64>>,
                watcher: &mut Shown<'_, impl Watch<$vector<f64>>, impl Fn($vector<f64>) -> $vector<f64>>,
            ) -> Result<Option<Manifold<$vector<T>>>, Error> {
                watcher.reduced([candidate.point].into_iter());
                let point = self.point_of::<T>(candidate);
                if !is_finite(point) {
                    return Err(Error::Overflow { what: "the manifold", number: T::NAME });
                }
                Ok(Some(Manifold::single(self.normal_to_world(normal), point)))
            }

            #[inline(always)]
            fn point_of<T: Real>(&self, candidate: Candidate<$vector<f64>>) -> ManifoldPoint<$vector<T>> {
                let depth = crate::scale::length_back(candidate.depth, self.factor);
                let feature = candidate.feature;
                let feature = if self.swapped { feature.swapped() } else { feature };
                narrowed::<T>(self.point_to_world(candidate.point), depth, feature)
            }

            #[inline(always)]
            fn normal_to_world<T: Real>(&self, normal: $vector<f64>) -> $vector<T> {
                $vector::narrow(self.turned(normal) * sign_if(self.swapped))
            }
        }

        #[inline(always)]
        fn is_finite<T: Real>(point: ManifoldPoint<$vector<T>>) -> bool {
            point.point.finite() & point.depth.finite()
        }

        impl Pair {
            /// The same with points that face each other along the normal. Where two wide faces overlap, the
            /// general kernel may blend points of each that are as deep, but not above each other. Then b is
            /// moved out until it touches, and a point goes back and forth between the nearest points of both
            /// (alternating projections, von Neumann), which ends where they touch.
            #[inline]
            fn facing_points(
                &self,
                first: &Shape<f64>,
                second: &Shape<f64>,
                found: Separation<$vector<f64>>,
            ) -> Separation<$vector<f64>> {
                let aside = aside(&found);
                if aside.max_abs() <= BESIDE * self.error {
                    return found;
                }
                let back = found.normal * found.separation;
                let center = self.place.translation - back;
                let (mut point_a, mut gap) = (found.point_a, f64::INFINITY);
                for _ in 0..PROJECTIONS {
                    let local = self.place.rotation.undo(point_a - center);
                    let on_b = self.place.rotation.apply(nearest_point(second, local).point) + center;
                    let on_a = nearest_point(first, on_b).point;
                    (point_a, gap) = (on_a, (on_a - on_b).max_abs());
                    if gap <= self.error {
                        break;
                    }
                }
                let is_nearer = gap < aside.max_abs();
                if is_nearer { Separation { point_a, point_b: point_a + back, ..found } } else { found }
            }
        }

        /// The points between two shapes in the frame of the first. `N` is the most corners of a feature,
        /// `M` the most points that two of them share, plus one.
        fn choose_among<const N: usize, const M: usize>(
            first: &impl Offers<$vector<f64>, Matrix>,
            second: &impl Offers<$vector<f64>, Matrix>,
            place: &Place,
            found: &Separation<$vector<f64>>,
            (error, margin): (f64, f64),
            watcher: &mut impl Watch<$vector<f64>>,
        ) -> ([Candidate<$vector<f64>>; MOST], usize) {
            let feature_a = first.feature::<N>(&Relative::IDENTITY, found.normal);
            let feature_b = second.feature::<N>(place, -found.normal);
            let mut gathered = Candidates::<$vector<f64>, M>::new();
            gather(&feature_a, &feature_b, found, error, margin, watcher, &mut gathered);
            reduce(gathered.points(), found.normal)
        }

        #[inline(always)]
        fn narrowed<T: Real>(
            point: $vector<f64>,
            depth: f64,
            feature: FeaturePair,
        ) -> ManifoldPoint<$vector<T>> {
            ManifoldPoint {
                point: $vector::narrow(point),
                depth: crate::answer::narrow_length(depth),
                feature,
            }
        }
    };
}

pub(crate) use manifold_queries;
