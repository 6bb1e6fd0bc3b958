//! `time_of_impact` of a dimension: checks, order, scale, frames, rounding.

/// The band of [`towards_one`](crate::scale::towards_one) for times: squares of velocities, lengths by times, stay in range.
pub(crate) const PACES: i32 = 100;

/// The functions `time_of_impact`, `time_of_impact_batch` and `watch_time_of_impact` of a dimension, over its own `comes_after`,
/// `body_of` and `largest_arm_of(&Shape<f64>, axis)`, and the pair of [`chased_pair`](super::chase::chased_pair).
macro_rules! impact_query {
    (
        $vector:ident, $pose:ident, $motion:ident, $spin:ty, $matrix:ty,
        $(#[$documentation:meta])*
        batch: $batch_example:literal
    ) => {
        $(#[$documentation])*
        pub fn time_of_impact<T: Real>(
            a: &impl AsShape<T>,
            motion_a: $motion<T>,
            b: &impl AsShape<T>,
            motion_b: $motion<T>,
            options: ImpactOptions<T>,
        ) -> Result<Option<Impact<$vector<T>>>, Error> {
            impact_watched((a.as_shape(), motion_a), (b.as_shape(), motion_b), options, &mut ())
        }

        /// [`time_of_impact`] for every pair, the answer of pair k in `answers[k]`: the same to the bit, and as quick as a loop,
        /// for that is what it is. Where pairs have poses, these have motions.
        ///
        /// # Errors
        /// When there are not as many answers as pairs; then no answer is written. For the pairs, each its own.
        ///
        /// # Example
        /// ```
        #[doc = $batch_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        #[allow(clippy::type_complexity)] // an answer is spelled out once, here
        pub fn time_of_impact_batch<T, L>(
            pairs: &L,
            options: ImpactOptions<T>,
            answers: &mut [Result<Option<Impact<$vector<T>>>, Error>],
        ) -> Result<(), Error>
        where
            T: Real,
            L: Pairs<A: AsShape<T>, B: AsShape<T>, Pose = $motion<T>> + ?Sized,
        {
            one_for_each(pairs.len(), answers.len())?;
            for (index, answer) in answers.iter_mut().enumerate() {
                let pair = pairs.pair(index);
                *answer = pair.and_then(|p| time_of_impact(p.a, *p.pose_a, p.b, *p.pose_b, options));
            }
            Ok(())
        }

        /// Like [`time_of_impact`], telling each step of the search to `watch`.
        ///
        /// # Errors
        /// As for [`time_of_impact`].
        pub fn watch_time_of_impact<T: Real>(
            a: &impl AsShape<T>,
            motion_a: $motion<T>,
            b: &impl AsShape<T>,
            motion_b: $motion<T>,
            options: ImpactOptions<T>,
            watch: &mut impl FnMut(ImpactStep),
        ) -> Result<Option<Impact<$vector<T>>>, Error> {
            impact_watched((a.as_shape(), motion_a), (b.as_shape(), motion_b), options, &mut Listener(watch))
        }

        /// [`time_of_impact`], with somebody or nobody who watches.
        pub(super) fn impact_watched<T: Real>(
            (a, motion_a): (ShapeRef<'_, T>, $motion<T>),
            (b, motion_b): (ShapeRef<'_, T>, $motion<T>),
            options: ImpactOptions<T>,
            watch: &mut impl Follow<$vector<f64>>,
        ) -> Result<Option<Impact<$vector<T>>>, Error> {
            let (wide_a, wide_b) = (finite_motion("motion_a", motion_a)?, finite_motion("motion_b", motion_b)?);
            let limits = options.check()?;
            let kinds = (a.kind(), b.kind());
            let shapes = (a.widen(), b.widen());
            let limits_in_f64 = ImpactOptions {
                tolerance: limits.tolerance,
                start: limits.start,
                end: limits.end,
                max_steps: limits.max_steps,
            };
            if let Some(found) = impact_by_parts([&shapes.0, &shapes.1], [wide_a, wide_b], limits_in_f64) {
                watch.method(Method::Parts, false);
                return found?.map(|found| in_number(&found)).transpose();
            }
            watch.method(Method::Advancement, false);
            let parts = [(&*shapes.0, None, wide_a), (&*shapes.1, None, wide_b)];
            let found = first_touch_of(parts, kinds, limits, watch)?;
            found.map(|found| in_number(&found)).transpose()
        }

        /// Two convex parts of shapes in motion, each at a pose within its moving frame.
        #[allow(clippy::type_complexity)] // spelled out by the caller
        pub(crate) fn impact_of_parts(
            parts: [(&Shape<f64>, Option<$pose<f64>>, $motion<f64>); 2],
            options: ImpactOptions<f64>,
        ) -> Result<Option<Impact<$vector<f64>>>, Error> {
            let kinds = (parts[0].0.as_shape().kind(), parts[1].0.as_shape().kind());
            first_touch_of(parts, kinds, options.check()?, &mut ())
        }

        /// The first touch of two convex shapes.
        #[allow(clippy::type_complexity)] // spelled out by the caller
        fn first_touch_of<W: Follow<$vector<f64>>>(
            [(a, local_a, motion_a), (b, local_b, motion_b)]: [(&Shape<f64>, Option<$pose<f64>>, $motion<f64>); 2],
            kinds: (&'static str, &'static str),
            limits: Limits,
            watch: &mut W,
        ) -> Result<Option<Impact<$vector<f64>>>, Error> {
            let unsupported =
                || Error::UnsupportedPair { operation: "time_of_impact", first: kinds.0, second: kinds.1 };
            if !W::LISTENS && pass_by([(a, local_a, &motion_a), (b, local_b, &motion_b)], limits) {
                return Ok(None);
            }
            // Alike at the start, they are told apart by where they get to.
            let (start_a, start_b) = (motion_a.start(), motion_b.start());
            let swapped = comes_after(a, start_a, b, start_b)
                || !comes_after(b, start_b, a, start_a) && comes_after(a, motion_a.end(), b, motion_b.end());
            let (first, second) = if swapped { (b, a) } else { (a, b) };
            let locals = if swapped { [local_b, local_a] } else { [local_a, local_b] };
            let motions = if swapped { [motion_b, motion_a] } else { [motion_a, motion_b] };
            let motion_first = motions[0];
            let Some((factor, pace)) = scales_of([first, second], locals, &motions, limits)? else {
                return Err(unsupported());
            };
            let asked = limits;
            let limits = Limits {
                tolerance: asked.tolerance * pace,
                start: asked.start * pace,
                end: asked.end * pace,
                max_steps: asked.max_steps,
            };
            // What needs neither another scale nor a shape of its own stays where it is.
            let resized = (factor != 1.0).then(|| [first, second].map(|shape| shape.resized(factor)));
            let shapes = resized.as_ref().map_or([first, second], |[first, second]| [first, second]);
            let [rounded_a, rounded_b] = shapes.map(Shape::unrounded);
            let chase = Chase {
                shapes,
                cores: [&*rounded_a.0, &*rounded_b.0],
                radii: [rounded_a.1, rounded_b.1],
                locals: locals.map(|local| local.map(|local| $pose::new(local.translation * factor, local.rotation))),
                between: (motions[1].start().translation - motions[0].start().translation) * factor,
                // At one time alone nothing moves, and a velocity may be beyond the numbers of the lengths then.
                velocity: if limits.start == 0.0 && limits.end == 0.0 {
                    $vector::ZERO
                } else {
                    (motions[1].velocity() - motions[0].velocity()) * (1.0 / pace) * factor
                },
                motions: if pace == 1.0 {
                    motions
                } else {
                    motions.map(|motion| {
                        $motion::from_velocity(motion.start(), $vector::ZERO, motion.angular() * (1.0 / pace))
                    })
                },
                factor,
            };
            let Some(pair) = chase.pair(limits) else { return Err(unsupported()) };
            // The axes are the world's already.
            let scales = Scales { length: factor, direction: factor / pace };
            let turn = <$matrix as Turn<$vector<f64>>>::IDENTITY;
            let found = impact::first_touch(&pair, limits, &mut Told { watch, turn, scales, swapped, has_looked: false })?;
            let Some(found) = found else { return Ok(None) };
            // Times of another pace are rounded where they are subnormal in either.
            let in_interval = |time: f64| time.max_of(asked.start).min_of(asked.end);
            let (t, lower) = (found.t / pace, found.lower / pace);
            let lower = in_interval(if lower * pace <= found.lower { lower } else { lower.step_down() });
            let t = in_interval(t).max_of(lower);
            // A start that is nothing at that pace is what it is.
            let is_at_start = found.status == impact::ImpactStatus::AtStart;
            let [t, lower] = if is_at_start { [asked.start; 2] } else { [t, lower] };
            let origin = motion_first.start().translation + motion_first.velocity() * t;
            let answer = Impact {
                // The sum turns −0 into 0.
                t: t + 0.0,
                lower: lower + 0.0,
                tolerance: (found.bracket / pace).max_of(asked.tolerance),
                point: origin + found.point / chase.factor,
                normal: if swapped { -found.normal } else { found.normal },
                status: found.status,
            };
            Ok(Some(answer))
        }

        /// Whether balls around the shapes show at once that they never touch: sizes are ordinary, and the distance between the centres
        /// stays larger. Most pairs that somebody asks about without having looked for candidates are far apart.
        ///
        /// A millionth of all lengths covers what [`least_distance`] is off by many times over.
        #[inline]
        fn pass_by(
            [a, b]: [(&Shape<f64>, Option<$pose<f64>>, &$motion<f64>); 2],
            limits: Limits,
        ) -> bool {
            let reach = |(shape, local, _): (&Shape<f64>, Option<$pose<f64>>, &$motion<f64>)| {
                let own = match shape {
                    Shape::Ball(ball) => ball.radius(),
                    Shape::Cuboid(cuboid) => Vector::length(cuboid.half_extents()),
                    Shape::Capsule(capsule) => {
                        let ends = [capsule.segment().a(), capsule.segment().b()].map(Vector::length);
                        ends[0].max_of(ends[1]) + capsule.radius()
                    }
                    Shape::HalfSpace(_) => f64::INFINITY,
                    // Coordinates and radii are no larger, and √3 + 1 < 3.
                    other => 3.0 * other.size(),
                };
                own + local.map_or(0.0, |local| Vector::length(local.translation))
            };
            let radius = reach(a) + reach(b);
            let between = b.2.start().translation - a.2.start().translation;
            let velocity = b.2.velocity() - a.2.velocity();
            let latest = limits.start.abs().max_of(limits.end.abs());
            let furthest = Vector::length(between) + Vector::length(velocity * latest);
            let is_ordinary = furthest < power_of_two(200) && power_of_two(-200) < furthest;
            let apart = least_distance(between, velocity, [limits.start, limits.end]);
            is_ordinary && radius + 1e-6 * (radius + furthest) < apart
        }

        /// The same in another number type, bounds rounded outwards.
        fn in_number<T: Real>(found: &Impact<$vector<f64>>) -> Result<Impact<$vector<T>>, Error> {
            let lower = T::from_f64_down(found.lower);
            let t = T::from_f64(found.t).max_of(lower);
            // Whether it is the end of the bracket or the time that was rounded farther away.
            let latest = (found.tolerance + found.lower).max_of(t.to_f64());
            let answer = Impact {
                t,
                lower,
                tolerance: T::from_f64_up(latest - lower.to_f64()),
                point: $vector::narrow(found.point),
                normal: $vector::narrow(found.normal),
                status: found.status,
            };
            if answer.point.finite() {
                Ok(answer)
            } else {
                Err(Error::Overflow { what: "the point of impact", number: T::NAME })
            }
        }

        /// The motion in `f64`, or an error that names it.
        pub(crate) fn finite_motion<T: Real>(what: &'static str, motion: $motion<T>) -> Result<$motion<f64>, Error> {
            finite_pose(what, motion.start())?;
            finite_vector(what, motion.velocity())?;
            let wide = motion.widen();
            if wide.finite() { Ok(wide) } else { Err(Error::NotFinite { what, value: f64::NAN }) }
        }

        /// The powers of two by which lengths and times are multiplied, to the scale of the kernels; `None` for kinds that are not supported.
        ///
        /// It is how far the shapes go within the interval that counts beside their sizes, and not how fast: at the scale of a velocity of
        /// 10³⁰⁰ a gap of 10⁻²⁴⁰ is zero, also where nobody looks for longer than 10⁻³⁰⁰. Where they go so far that where they are is
        /// lost beside it, nothing can be said.
        fn scales_of(
            [first, second]: [&Shape<f64>; 2],
            locals: [Option<$pose<f64>>; 2],
            [motion_first, motion_second]: &[$motion<f64>; 2],
            limits: Limits,
        ) -> Result<Option<(f64, f64)>, Error> {
            if matches!(second, Shape::HalfSpace(_)) {
                return Ok(None);
            }
            let between = motion_second.start().translation - motion_first.start().translation;
            let velocity = motion_second.velocity() - motion_first.velocity();
            let [reach_first, reach_second] =
                locals.map(|local| local.map_or(0.0, |local| local.translation.max_abs()));
            let here = scale::largest([
                between.max_abs(),
                first.size(),
                second.size(),
                reach_first,
                reach_second,
            ]);
            let latest = limits.start.abs().max_of(limits.end.abs());
            let way = velocity.max_abs() * latest;
            let overflow = |what| Err(Error::Overflow { what, number: "f64" });
            if !(here + motion_first.start().translation.max_abs()).is_finite() {
                return overflow("the vector between the shapes");
            }
            let factor = scale::rescaling(here.max_of(way)).unwrap_or(1.0);
            let is_lost = here != 0.0 && here * factor < power_of_two(-900) && factor < 1.0;
            if !way.is_finite() || is_lost {
                return overflow("the way of the shapes");
            }
            Ok(Some((factor, scale::towards_one(latest, PACES))))
        }

        /// The shapes in the canonical order, at the scale of the kernels, and without what rounds them.
        struct Chase<'a> {
            shapes: [&'a Shape<f64>; 2],
            cores: [&'a Shape<f64>; 2],
            radii: [f64; 2],
            motions: [$motion<f64>; 2],
            /// Where the shapes lie in their moving frames, if not at the origin.
            locals: [Option<$pose<f64>>; 2],
            between: $vector<f64>,
            velocity: $vector<f64>,
            factor: f64,
        }

        impl Chase<'_> {
            /// Where the shapes are, as opposed to their moving frames.
            fn placed(&self, place: &Places) -> [$pose<f64>; 2] {
                let [(first, local_first), (second, local_second)] =
                    [(place.poses[0], self.locals[0]), (place.poses[1], self.locals[1])];
                [local_first.map_or(first, |local| first * local), local_second.map_or(second, |local| second * local)]
            }

            /// The pair as the search sees it; `None` for kinds that are not supported.
            fn pair(&self, limits: Limits) -> Option<ChasedPair<'_>> {
                let [core_a, _] = self.cores;
                let point = |local: Option<$pose<f64>>| Corners([local.map_or($vector::ZERO, |local| local.translation)]);
                let plane = match core_a {
                    Shape::HalfSpace(plane) => {
                        Some(Plane { normal: plane.normal(), offset: plane.offset() + self.radii[0] })
                    }
                    _ => None,
                };
                let actor = |index: usize| {
                    let core = self.cores[index];
                    let angular = self.motions[index].angular();
                    let place = self.locals[index];
                    let (body, own_radius) = match core {
                        Shape::Ball(ball) => (Either::Point(point(place)), ball.radius()),
                        Shape::HalfSpace(_) if index == 0 => (Either::Point(point(None)), 0.0),
                        other => {
                            let (body, radius) = body_of(other)?;
                            let body = match place {
                                None => Either::Body(body),
                                Some(place) => {
                                    let columns = place.rotation.to_matrix().columns;
                                    Either::Placed(Posed::new(body, &columns, place.translation))
                                }
                            };
                            (body, radius)
                        }
                    };
                    let looks_turned = place.is_some() || !matches!(core, Shape::Ball(_));
                    let spin = if looks_turned { angular } else { <$spin>::default() };
                    let reach = Support::size(&body) * (1.0 + 8.0 * f64::EPSILON);
                    let (axis, rate) = (spin.axis(), spin.rate());
                    let (arm, height) = if rate == 0.0 {
                        (0.0, reach)
                    } else {
                        let local = local_axis(self.motions[index].start(), axis);
                        let arm = match place {
                            None => largest_arm_of(core, local).min_of(reach),
                            Some(_) => reach,
                        };
                        (arm, height_of(&body, local).min_of(reach))
                    };
                    let actor = Actor {
                        height,
                        arm,
                        body,
                        radius: own_radius + if plane.is_some() && index == 0 { 0.0 } else { self.radii[index] },
                        spin,
                        rate: rate * (1.0 + 4.0 * f64::EPSILON),
                        reach,
                    };
                    Some((actor, (axis, rate)))
                };
                let ((first, turning_a), (second, turning_b)) = (actor(0)?, actor(1)?);
                let latest = limits.start.abs().max_of(limits.end.abs());
                let offset = plane.map_or(0.0, |plane: Plane<$vector<f64>>| plane.offset.abs());
                // Counted in ε: positions and velocities are rounded, multiplied and added (4), then projected
                // (4). An orientation has the rounding of its angle (4 a radian), of sine and cosine, a product
                // of quaternions and a matrix (12 together); an arm is turned (4), tilted and projected (8).
                let travel = Vector::length(self.between) + Vector::length(self.velocity) * latest;
                let turned = |actor: &Actor<_, $spin>| {
                    (32.0 + 8.0 * actor.rate * latest) * actor.reach + 4.0 * actor.radius
                };
                let over_plane = if plane.is_some() {
                    8.0 * offset + (16.0 + 8.0 * first.rate * latest) * travel
                } else {
                    0.0
                };
                let rounding =
                    f64::EPSILON * (8.0 * travel + turned(&first) + turned(&second) + over_plane);
                let actors = Actors {
                    first,
                    second,
                    plane,
                    between: self.between,
                    velocity: self.velocity,
                    rounding,
                };
                Some(ChasedPair { chase: self, actors, turning: [turning_a, turning_b] })
            }
        }
    };
}

pub(crate) use impact_query;
