//! The public questions of a dimension, as far as parts take part in them.

/// What the functions for pairs, points, rays and motions ask first; each answers `None` for convex shapes.
macro_rules! composite_queries {
    ($kernels:ident, $vector:ident, $pose:ident, $motion:ident, $clearance_example:literal, $manifolds_example:literal) => {
        fn has_parts(a: &Shape<f64>, b: &Shape<f64>) -> bool {
            is_composite::<$kernels>(a) || is_composite::<$kernels>(b)
        }

        /// Whether a ball around one shape is farther than `limit` from the box around another one, which has parts, all along a straight way: what most
        /// questions about ground come to, told before anything is arranged.
        fn are_far(
            (a, pose_a): (&Shape<f64>, $pose<f64>),
            (b, pose_b): (&Shape<f64>, $pose<f64>),
            limit: f64,
            way: $vector<f64>,
        ) -> bool {
            let is_ground = is_composite::<$kernels>(a);
            let (ground, ball, way) = if is_ground { (a, b, way) } else { (b, a, -way) };
            let (from, to) = if is_ground { (pose_a, pose_b) } else { (pose_b, pose_a) };
            let (ground, ball) = (Side::<$kernels>::new(ground), Side::<$kernels>::new(ball));
            let middle = ball.whole.min * 0.5 + ball.whole.max * 0.5;
            let radius = (ball.whole.max * 0.5 - ball.whole.min * 0.5).length() + ball.radius + limit;
            let between = to.translation - from.translation;
            let back = from.rotation.inverse();
            let (start, way) = (back.rotate(between + to.rotation.rotate(middle)), back.rotate(way));
            // Some twenty roundings of the largest numbers.
            let size = between.max_abs() + middle.max_abs() + way.max_abs() + radius + ground.reach();
            let room = $vector::<f64>::splat(radius + 64.0 * f64::EPSILON * size);
            let (low, high) = (start.min_by_axis(start + way) - room, start.max_by_axis(start + way) + room);
            let apart = (low - ground.whole.max).max_by_axis(ground.whole.min - high);
            // Not where it is no number.
            (0..$vector::<f64>::DIM).any(|axis| 0.0 < apart.get(axis))
        }

        /// A pair, one of which is composite, in the canonical order.
        struct Arranged<'a> {
            pair: Pair,
            /// At the scale of the kernels.
            shapes: [Cow<'a, Shape<f64>>; 2],
            poses: [$pose<f64>; 2],
        }

        impl<'a> Arranged<'a> {
            fn new(
                a: &'a Shape<f64>,
                pose_a: $pose<f64>,
                b: &'a Shape<f64>,
                pose_b: $pose<f64>,
            ) -> Result<Self, Error> {
                let pair = Pair::new(a, pose_a, b, pose_b)?;
                let shapes = pair.shapes(a, b);
                let (from, to) = if pair.swapped { (pose_b, pose_a) } else { (pose_a, pose_b) };
                let between = (to.translation - from.translation) * pair.factor;
                let poses = [$pose::from(from.rotation), $pose::new(between, to.rotation)];
                Ok(Arranged { pair, shapes, poses })
            }

            fn both(&self) -> Both<'_, $kernels> {
                let [first, second] = &self.shapes;
                // Composing the poses of compounds rounds once more.
                let error = 2.0 * self.pair.error;
                let (shapes, place) = ([&**first, &**second], self.pair.place);
                Both { shapes, place, error, poses: self.poses, is_narrow: false, near: None }
            }

            /// The second shape among the parts of the first, for a cache; `None` where that is of no use.
            fn guest(&self, both: &Both<'_, $kernels>) -> Option<Guest<$vector<f64>>> {
                // Boxes are kept at the scale of the shape.
                if self.pair.factor == 1.0 { Guest::new(both) } else { None }
            }

            /// The second shape in the frame of the first, at the scale of the caller, which motions have.
            fn place_of_caller(&self) -> crate::composite::Place<$kernels> {
                let place = self.pair.place;
                Relative { translation: place.translation * (1.0 / self.pair.factor), ..place }
            }

            /// The answer in the world, and the parts in the order of the caller.
            fn to_world(
                &self,
                found: crate::composite::pair::Found<$vector<f64>>,
            ) -> (Separation<$vector<f64>>, [u32; 2]) {
                let [first, second] = found.parts;
                let parts = if self.pair.swapped { [second, first] } else { [first, second] };
                let error = 2.0 * self.pair.error;
                // Where parts overlap beyond doubt there is no gap, however shallow their contact is.
                let is_overlap = found.order <= -decisive(error);
                let error = if is_overlap { 0.0 } else { found.separation.error.max_of(error) };
                (self.pair.to_world(Separation { error, ..found.separation }), parts)
            }

            /// The manifold of two parts in the world, in the order of the caller.
            fn manifold_to_world(
                &self,
                found: &Manifold<$vector<f64>>,
                [first, second]: [u32; 2],
            ) -> Manifold<$vector<f64>> {
                let (back, origin) = (1.0 / self.pair.factor, self.pair.origin);
                let mut points = [ManifoldPoint::<$vector<f64>>::default(); MOST];
                for (place, point) in points.iter_mut().zip(found.points()) {
                    let feature = if self.pair.swapped { point.feature.swapped() } else { point.feature };
                    *place = ManifoldPoint {
                        point: point.point * back + origin,
                        depth: crate::scale::length_back(point.depth, self.pair.factor),
                        feature,
                    };
                }
                let (normal, parts) = if self.pair.swapped {
                    (-found.normal(), [second, first])
                } else {
                    (found.normal(), [first, second])
                };
                Manifold::new(normal, points, found.points().len()).with_parts(parts)
            }

            /// Visits the manifolds of all contacts of parts, or one after the other that is deeper than those before.
            fn visit_manifolds(
                &self,
                both: &Both<'_, $kernels>,
                margin: f64,
                deepest_only: bool,
                mut visit: impl FnMut(Manifold<$vector<f64>>) -> Result<(), Error>,
            ) -> Result<(), Error> {
                let mut best: Option<crate::composite::pair::Found<$vector<f64>>> = None;
                let raw = both.contacts(margin * self.pair.factor, deepest_only, |contact| {
                    let found = contact.found();
                    if deepest_only && best.as_ref().is_some_and(|best| !found.comes_before(best)) {
                        return Ok(());
                    }
                    best = Some(found);
                    visit(self.manifold_to_world(&contact.manifold()?, contact.parts()))
                })?;
                match (best, raw) {
                    (None, Some(raw)) => {
                        let manifold = both.single_point(&raw);
                        visit(self.manifold_to_world(&manifold, raw.parts))
                    }
                    _ => Ok(()),
                }
            }
        }

        /// Whether two shapes touch.
        pub(crate) fn intersects_by_parts(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
        ) -> Option<Result<bool, Error>> {
            has_parts(a, b).then(|| {
                if are_far((a, pose_a), (b, pose_b), 0.0, $vector::ZERO) {
                    return Ok(false);
                }
                Ok(Arranged::new(a, pose_a, b, pose_b)?.both().intersects())
            })
        }

        /// The separation in the world, and of which parts; `Ok(None)` when it is above `limit`. `is_narrow` for answers in `f32`.
        #[allow(clippy::type_complexity)] // one caller for each of its parts
        pub(crate) fn separation_by_parts(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
            limit: f64,
            is_narrow: bool,
        ) -> Option<Result<Option<(Separation<$vector<f64>>, [u32; 2])>, Error>> {
            has_parts(a, b).then(|| {
                if are_far((a, pose_a), (b, pose_b), limit, $vector::ZERO) {
                    return Ok(None);
                }
                let arranged = Arranged::new(a, pose_a, b, pose_b)?;
                let both = Both { is_narrow, ..arranged.both() };
                let found = both.separation(limit * arranged.pair.factor);
                Ok(found.map(|found| arranged.to_world(found)))
            })
        }

        /// The same where its depth is of no interest: that of shapes that overlap may be less than the deepest. `Ok(None)` for what overlaps without end.
        pub(crate) fn gap_by_parts(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
            is_narrow: bool,
        ) -> Option<Result<Option<Separation<$vector<f64>>>, Error>> {
            has_parts(a, b).then(|| {
                let arranged = Arranged::new(a, pose_a, b, pose_b)?;
                let both = Both { is_narrow, ..arranged.both() };
                Ok(both.gap().map(|found| arranged.to_world(found).0))
            })
        }

        /// The manifold of the deepest contact.
        pub(crate) fn manifold_by_parts(
            a: &Shape<f64>,
            pose_a: $pose<f64>,
            b: &Shape<f64>,
            pose_b: $pose<f64>,
            margin: f64,
        ) -> Option<Result<Option<Manifold<$vector<f64>>>, Error>> {
            has_parts(a, b).then(|| {
                if are_far((a, pose_a), (b, pose_b), margin, $vector::ZERO) {
                    return Ok(None);
                }
                let mut best: Option<Manifold<$vector<f64>>> = None;
                let arranged = Arranged::new(a, pose_a, b, pose_b)?;
                arranged.visit_manifolds(&arranged.both(), margin, true, |found| {
                    best = Some(found);
                    Ok(())
                })?;
                Ok(best)
            })
        }

        /// All contacts of the parts of two shapes that are at most `margin` apart: one manifold for each pair of
        /// parts, which it names, in the order of their numbers. `manifolds` is cleared first; nothing else is
        /// allocated. Shapes without parts have one manifold or none, that of [`manifold_within`](super::manifold_within).
        ///
        /// The parts of surfaces have no contacts at internal edges that are not those of the surface: over a flat
        /// floor all normals are that of the floor.
        ///
        /// # Errors
        /// As for [`contact_within`](super::contact_within).
        ///
        /// # Example
        /// ```
        #[doc = $manifolds_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn manifolds<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
            manifolds: &mut Vec<Manifold<$vector<T>>>,
        ) -> Result<(), Error> {
            manifolds_by_parts((a, pose_a.into()), (b, pose_b.into()), margin, None, manifolds)
        }

        /// The same as [`manifolds`], for pairs that are asked about again and again. The cache remembers which parts of
        /// the one shape are near the other, and saves most of the search while that moves about there; [`PartCache`] has an
        /// example.
        ///
        /// # Errors
        /// As for [`manifolds`].
        pub fn manifolds_cached<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            margin: T,
            cache: &mut PartCache<$vector<f64>>,
            manifolds: &mut Vec<Manifold<$vector<T>>>,
        ) -> Result<(), Error> {
            manifolds_by_parts((a, pose_a.into()), (b, pose_b.into()), margin, Some(cache), manifolds)
        }

        fn manifolds_by_parts<T: Real>(
            (a, pose_a): (&impl AsShape<T>, $pose<T>),
            (b, pose_b): (&impl AsShape<T>, $pose<T>),
            margin: T,
            cache: Option<&mut PartCache<$vector<f64>>>,
            manifolds: &mut Vec<Manifold<$vector<T>>>,
        ) -> Result<(), Error> {
            manifolds.clear();
            let (shape_a, shape_b) = (a.as_shape().widen(), b.as_shape().widen());
            if !has_parts(&shape_a, &shape_b) {
                manifolds.extend(super::manifold_within(a, pose_a, b, pose_b, margin)?);
                return Ok(());
            }
            let margin = not_negative("margin", margin)?.to_f64();
            let (pose_a, pose_b) =
                (finite_pose("pose_a", pose_a)?.widen(), finite_pose("pose_b", pose_b)?.widen());
            // A cache is kept for what is near.
            if cache.is_none() && are_far((&shape_a, pose_a), (&shape_b, pose_b), margin, $vector::ZERO) {
                return Ok(());
            }
            let arranged = Arranged::new(&shape_a, pose_a, &shape_b, pose_b)?;
            let mut both = Both { is_narrow: is_narrow::<T>(), ..arranged.both() };
            let guest = cache.is_some().then(|| arranged.guest(&both)).flatten();
            if let (Some(cache), Some(guest)) = (cache, &guest) {
                both.near = cache.around(&both, guest, margin).map(|parts| (parts, guest));
            }
            arranged.visit_manifolds(&both, margin, false, |found| {
                manifolds.push(in_number(&found)?);
                Ok(())
            })?;
            // No two have the same parts. Sorting in place allocates nothing.
            manifolds.sort_unstable_by_key(Manifold::parts);
            Ok(())
        }

        /// A number that the distance of two shapes is never below, and that is no more than `limit`: how far they may
        /// move towards each other without touching. Of shapes with parts, boxes around these and the planes of triangles
        /// tell it, which is quicker than [`distance`](super::distance) and less exact; of others, that does. Not negative.
        ///
        /// # Errors
        /// As for [`distance_within`](super::distance_within).
        ///
        /// # Example
        /// ```
        #[doc = $clearance_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn clearance<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            limit: T,
        ) -> Result<T, Error> {
            clearance_by_parts((a, pose_a.into()), (b, pose_b.into()), limit, None)
        }

        /// Like [`clearance`], for pairs that are asked about again and again; see [`manifolds_cached`]. What is no farther
        /// away than the parts that the cache remembers is told by these, which may be less than what the tree of all
        /// parts would tell.
        ///
        /// # Errors
        /// As for [`clearance`].
        pub fn clearance_cached<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
            limit: T,
            cache: &mut PartCache<$vector<f64>>,
        ) -> Result<T, Error> {
            clearance_by_parts((a, pose_a.into()), (b, pose_b.into()), limit, Some(cache))
        }

        fn clearance_by_parts<T: Real>(
            (a, pose_a): (&impl AsShape<T>, $pose<T>),
            (b, pose_b): (&impl AsShape<T>, $pose<T>),
            limit: T,
            cache: Option<&mut PartCache<$vector<f64>>>,
        ) -> Result<T, Error> {
            let (shape_a, shape_b) = (a.as_shape().widen(), b.as_shape().widen());
            if !has_parts(&shape_a, &shape_b) {
                let found = super::distance_within(a, pose_a, b, pose_b, limit)?;
                return Ok(found.map_or(limit, |found| found.lower.min_of(limit)));
            }
            let limit = not_negative("limit", limit)?;
            let (pose_a, pose_b) =
                (finite_pose("pose_a", pose_a)?.widen(), finite_pose("pose_b", pose_b)?.widen());
            let arranged = Arranged::new(&shape_a, pose_a, &shape_b, pose_b)?;
            let (pair, both) = (&arranged.pair, arranged.both());
            // One rounding more on the way back.
            let doubt = pair.error / pair.factor + rounded_input::<T>(pair.size());
            let most = (limit.to_f64() + doubt) * pair.factor;
            let guest = cache.is_some().then(|| arranged.guest(&both)).flatten();
            let least = match (cache, guest) {
                (Some(cache), Some(guest)) => cache.clearance(both, &guest, most),
                _ => both.clearance(most),
            };
            Ok(T::from_f64_down(least / pair.factor - doubt).max_of(T::ZERO).min_of(limit))
        }

        /// Which parts of two shapes are closest to each other, or deepest in each other: those whose
        /// [`distance`](super::distance) or [`contact`](super::contact) is that of the shapes. 0 for a shape
        /// without parts.
        ///
        /// # Errors
        /// As for [`distance`](super::distance).
        pub fn closest_parts<T: Real>(
            a: &impl AsShape<T>,
            pose_a: impl Into<$pose<T>>,
            b: &impl AsShape<T>,
            pose_b: impl Into<$pose<T>>,
        ) -> Result<[u32; 2], Error> {
            let pose_a = finite_pose("pose_a", pose_a.into())?.widen();
            let pose_b = finite_pose("pose_b", pose_b.into())?.widen();
            let (a, b) = (a.as_shape().widen(), b.as_shape().widen());
            match separation_by_parts(&a, pose_a, &b, pose_b, f64::INFINITY, false) {
                Some(found) => Ok(found?.map_or([0, 0], |(_, parts)| parts)),
                None => Ok([0, 0]),
            }
        }

        /// The first touch of two shapes in straight motion.
        #[allow(clippy::type_complexity)] // one caller for each of its parts
        pub(crate) fn cast_by_parts(
            [a, b]: [&Shape<f64>; 2],
            [pose_a, pose_b]: [$pose<f64>; 2],
            [velocity_a, velocity_b]: [$vector<f64>; 2],
            max: f64,
        ) -> Option<Result<Option<Hit<$vector<f64>>>, Error>> {
            // The part of the second shape, unless that has none.
            let told = usize::from(is_composite::<$kernels>(b));
            has_parts(a, b).then(|| {
                if are_far((a, pose_a), (b, pose_b), 0.0, (velocity_b - velocity_a) * max) {
                    return Ok(None);
                }
                let arranged = Arranged::new(a, pose_a, b, pose_b)?;
                let both = arranged.both();
                if both.intersects() {
                    let Some(found) = both.touch() else { return Ok(None) };
                    let (found, parts) = arranged.to_world(found);
                    let point = found.point_a * 0.5 + found.point_b * 0.5;
                    return Ok(Some(Hit {
                        t: 0.0,
                        point,
                        normal: found.normal,
                        feature: feature_of(parts[told]),
                    }));
                }
                let swapped = arranged.pair.swapped;
                let ((first, second), (from, to)) =
                    if swapped { ((b, a), (pose_b, pose_a)) } else { ((a, b), (pose_a, pose_b)) };
                let velocities = if swapped { [velocity_b, velocity_a] } else { [velocity_a, velocity_b] };
                let found = motion::cast::<$kernels>(
                    [first, second],
                    [from, to],
                    velocities,
                    &arranged.place_of_caller(),
                    8.0 * arranged.pair.error * (1.0 / arranged.pair.factor),
                    max,
                )?;
                Ok(found.map(|(hit, parts)| {
                    let normal = if swapped { -hit.normal } else { hit.normal };
                    Hit { normal, feature: feature_of(parts[told ^ usize::from(swapped)]), ..hit }
                }))
            })
        }

        /// The first touch of two shapes in rigid motion.
        pub(crate) fn impact_by_parts(
            [a, b]: [&Shape<f64>; 2],
            [motion_a, motion_b]: [$motion<f64>; 2],
            options: ImpactOptions<f64>,
        ) -> Option<Result<Option<Impact<$vector<f64>>>, Error>> {
            has_parts(a, b).then(|| {
                let (pose_a, pose_b) = (motion_a.at(options.start), motion_b.at(options.start));
                let arranged = Arranged::new(a, pose_a, b, pose_b)?;
                let both = arranged.both();
                if both.intersects() {
                    let Some(found) = both.touch() else { return Ok(None) };
                    let (found, _) = arranged.to_world(found);
                    let (t, status) = (options.start, ImpactStatus::AtStart);
                    let point = found.point_a * 0.5 + found.point_b * 0.5;
                    return Ok(Some(Impact {
                        t,
                        lower: t,
                        tolerance: 0.0,
                        point,
                        normal: found.normal,
                        status,
                    }));
                }
                let swapped = arranged.pair.swapped;
                let (shapes, motions) =
                    if swapped { ([b, a], [motion_b, motion_a]) } else { ([a, b], [motion_a, motion_b]) };
                // The boxes are looked at where the motion takes them, wherever that is.
                let span = options.start.abs().max_of(options.end.abs());
                let travel = motions.iter().fold(arranged.pair.size(), |sum, motion| {
                    sum + motion.start().translation.max_abs() + motion.velocity().max_abs() * span
                });
                // An angle is off by a rounding of all that was turned.
                let ([turn_a, turn_b], _) = $kernels::angular_speeds(motions);
                let slack = (64.0 + (turn_a + turn_b) * span) * f64::EPSILON * travel;
                let place = arranged.place_of_caller();
                let found = impact::first_touch::<$kernels>(shapes, motions, &place, slack, options)?;
                let Some((hit, _)) = found else { return Ok(None) };
                if hit.status != ImpactStatus::Limit {
                    return Ok(Some(Impact {
                        normal: if swapped { -hit.normal } else { hit.normal },
                        ..hit
                    }));
                }
                // No parts are known to touch: those that are closest then.
                let arranged = Arranged::new(a, motion_a.at(hit.t), b, motion_b.at(hit.t))?;
                let Some(near) = arranged.both().separation(f64::INFINITY) else { return Ok(Some(hit)) };
                let (near, _) = arranged.to_world(near);
                let point = near.point_a * 0.5 + near.point_b * 0.5;
                Ok(Some(Impact { point, normal: near.normal, ..hit }))
            })
        }

        /// What a hit part is called: its face, in the plane its edge.
        pub(crate) fn feature_of(part: u32) -> u32 {
            number(if $vector::<f64>::DIM == 2 { Kind::Edge } else { Kind::Face }, part as usize)
        }
    };
}

pub(crate) use composite_queries;
