//! `time_of_impact` of a dimension: checks, order, scale, frames, rounding.

use super::certificate::With;
use crate::gjk::Vertex;
use carom_math::Vector;

/// Which shape the direction between the nearest points turns with: that whose side or edge faces a corner of the
/// other. `second`: the second one, where both have as much of a side.
pub(crate) fn turns_with<V: Vector<Scalar = f64>>(vertices: &[Vertex<V>], second: bool) -> With {
    let distinct = |feature: fn(&Vertex<V>) -> u32| {
        let is_new = |index: usize| vertices[..index].iter().all(|v| feature(v) != feature(&vertices[index]));
        (0..vertices.len()).filter(|&index| is_new(index)).count()
    };
    let (of_first, of_second) = (distinct(|v| v.feature_a), distinct(|v| v.feature_b));
    match of_first.cmp(&of_second) {
        core::cmp::Ordering::Greater => With::First,
        core::cmp::Ordering::Less => With::Second,
        _ if of_first <= 1 => With::Nothing,
        _ if second => With::Second,
        _ => With::First,
    }
}

/// The functions `time_of_impact` and `watch_time_of_impact` of a dimension, over its own `separation`,
/// `comes_after`, `body_of` and `largest_arm_of(&Shape<f64>, spin)`.
macro_rules! impact_query {
    ($vector:ident, $pose:ident, $motion:ident, $spin:ty, $matrix:ty, $(#[$documentation:meta])*) => {
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
            let parts = [(&shapes.0, None, wide_a), (&shapes.1, None, wide_b)];
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
        fn first_touch_of(
            [(a, local_a, motion_a), (b, local_b, motion_b)]: [(&Shape<f64>, Option<$pose<f64>>, $motion<f64>); 2],
            kinds: (&'static str, &'static str),
            limits: Limits,
            watch: &mut impl Follow<$vector<f64>>,
        ) -> Result<Option<Impact<$vector<f64>>>, Error> {
            let unsupported =
                || Error::UnsupportedPair { operation: "time_of_impact", first: kinds.0, second: kinds.1 };
            let swapped = comes_after(a, motion_a.start(), b, motion_b.start());
            let (a, b) = ((a.clone(), local_a, motion_a), (b.clone(), local_b, motion_b));
            let (first, second) = if swapped { (b, a) } else { (a, b) };
            let motion_first = first.2;
            let Some(chase) = Chase::new(first, second)? else { return Err(unsupported()) };
            let Some(pair) = chase.pair(limits) else { return Err(unsupported()) };
            // Times are the world's already, and so are the axes.
            let scales = Scales { length: chase.factor, direction: chase.factor };
            let turn = <$matrix as Turn<$vector<f64>>>::IDENTITY;
            let found = impact::first_touch(&pair, limits, &mut Told { watch, turn, scales, swapped, has_looked: false })?;
            let Some(found) = found else { return Ok(None) };
            let origin = motion_first.start().translation + motion_first.velocity() * found.t;
            let answer = Impact {
                // The sum turns −0 into 0.
                t: found.t + 0.0,
                lower: found.lower + 0.0,
                tolerance: found.bracket.max_of(limits.tolerance),
                point: origin + found.point / chase.factor,
                normal: if swapped { -found.normal } else { found.normal },
                status: found.status,
            };
            Ok(Some(answer))
        }

        /// The same in another number type, bounds rounded outwards.
        fn in_number<T: Real>(found: &Impact<$vector<f64>>) -> Result<Impact<$vector<T>>, Error> {
            let lower = T::from_f64_down(found.lower);
            let t = T::from_f64(found.t);
            let answer = Impact {
                t: if t < lower { lower } else { t },
                lower,
                tolerance: T::from_f64_up((found.tolerance + found.lower) - lower.to_f64()),
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

        /// The shapes in the canonical order, at the scale of the kernels, and without what rounds them.
        struct Chase {
            shapes: [Shape<f64>; 2],
            cores: [Shape<f64>; 2],
            radii: [f64; 2],
            motions: [$motion<f64>; 2],
            /// Where the shapes lie in their moving frames, if not at the origin.
            locals: [Option<$pose<f64>>; 2],
            between: $vector<f64>,
            velocity: $vector<f64>,
            factor: f64,
        }

        impl Chase {
            /// `None` for kinds that are not supported.
            fn new(
                (first, local_first, motion_first): (Shape<f64>, Option<$pose<f64>>, $motion<f64>),
                (second, local_second, motion_second): (Shape<f64>, Option<$pose<f64>>, $motion<f64>),
            ) -> Result<Option<Self>, Error> {
                if matches!(second, Shape::HalfSpace(_)) {
                    return Ok(None);
                }
                let between = motion_second.start().translation - motion_first.start().translation;
                let velocity = motion_second.velocity() - motion_first.velocity();
                let reach = |local: Option<$pose<f64>>| local.map_or(0.0, |local| local.translation.max_abs());
                let offset = scale::largest([reach(local_first), reach(local_second)]);
                let size = scale::largest([between.max_abs(), velocity.max_abs(), first.size(), second.size(), offset]);
                if !(size + motion_first.start().translation.max_abs()).is_finite() {
                    return Err(Error::Overflow { what: "the vector between the shapes", number: "f64" });
                }
                let factor = scale::rescaling(size).unwrap_or(1.0);
                let resized = |shape: Shape<f64>| if factor == 1.0 { shape } else { shape.resized(factor) };
                let shapes = [resized(first), resized(second)];
                let core = |shape: &Shape<f64>| match shape {
                    Shape::Rounded(rounded) => (rounded.core(), rounded.radius()),
                    other => (other.clone(), 0.0),
                };
                let [(core_a, radius_a), (core_b, radius_b)] = [core(&shapes[0]), core(&shapes[1])];
                Ok(Some(Chase {
                    shapes,
                    cores: [core_a, core_b],
                    radii: [radius_a, radius_b],
                    motions: [motion_first, motion_second],
                    locals: [local_first, local_second]
                        .map(|local| local.map(|local| $pose::new(local.translation * factor, local.rotation))),
                    between: between * factor,
                    velocity: velocity * factor,
                    factor,
                }))
            }

            /// Where the shapes are, as opposed to their moving frames.
            fn placed(&self, place: &Places) -> [$pose<f64>; 2] {
                let [(first, local_first), (second, local_second)] =
                    [(place.poses[0], self.locals[0]), (place.poses[1], self.locals[1])];
                [local_first.map_or(first, |local| first * local), local_second.map_or(second, |local| second * local)]
            }

            /// The pair as the search sees it; `None` for kinds that are not supported.
            fn pair(&self, limits: Limits) -> Option<ChasedPair<'_>> {
                let [core_a, _] = &self.cores;
                let point = |local: Option<$pose<f64>>| Corners([local.map_or($vector::ZERO, |local| local.translation)]);
                let plane = match core_a {
                    Shape::HalfSpace(plane) => {
                        Some(Plane { normal: plane.normal(), offset: plane.offset() + self.radii[0] })
                    }
                    _ => None,
                };
                let actor = |index: usize| {
                    let core = &self.cores[index];
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
                    let local = local_spin(self.motions[index].start(), spin);
                    Some(Actor {
                        arm: match place {
                            _ if spin.rate() == 0.0 => 0.0,
                            None => largest_arm_of(core, local).min_of(reach),
                            Some(_) => reach,
                        },
                        body,
                        radius: own_radius + if plane.is_some() && index == 0 { 0.0 } else { self.radii[index] },
                        spin,
                        rate: spin.rate() * (1.0 + 4.0 * f64::EPSILON),
                        reach,
                    })
                };
                let (first, second) = (actor(0)?, actor(1)?);
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
                Some(ChasedPair { chase: self, actors })
            }
        }

        /// The core of a shape, or the centre of a ball.
        enum Either<'a> {
            Point(Corners<$vector<f64>, 1>),
            Body(Body<'a>),
            /// Elsewhere in its moving frame.
            Placed(Posed<Body<'a>, $vector<f64>>),
        }

        impl Support<$vector<f64>> for Either<'_> {
            const CURVED: bool = true;
            #[inline]
            fn support(&self, direction: $vector<f64>) -> ($vector<f64>, u32) {
                match self {
                    Either::Point(Corners([point])) => (*point, 0),
                    Either::Body(body) => body.support(direction),
                    Either::Placed(body) => body.support(direction),
                }
            }
            fn center(&self) -> $vector<f64> {
                match self {
                    Either::Point(point) => point.center(),
                    Either::Body(body) => body.center(),
                    Either::Placed(body) => body.center(),
                }
            }
            fn size(&self) -> f64 {
                match self {
                    Either::Point(point) => Support::size(point),
                    Either::Body(body) => Support::size(body),
                    Either::Placed(body) => Support::size(body),
                }
            }
        }

        struct ChasedPair<'a> {
            chase: &'a Chase,
            actors: Actors<Either<'a>, Either<'a>, $spin, $vector<f64>>,
        }

        /// Where both shapes are at one time, the first one at the origin.
        #[derive(Clone, Copy)]
        struct Places {
            poses: [$pose<f64>; 2],
            turns: [$matrix; 2],
        }

        impl Pairing<$vector<f64>> for ChasedPair<'_> {
            type Place = Places;
            fn rounding(&self) -> f64 {
                self.actors.rounding
            }
            fn enter(&self, start: f64, end: f64) -> Option<f64> {
                self.actors.enter(start, end)
            }
            fn place(&self, time: f64) -> Places {
                let [first, second] = self.chase.motions.map(|motion| motion.at(time).rotation);
                let poses = [$pose::from(first), $pose::new(self.actors.between_at(time), second)];
                Places { poses, turns: [first.to_matrix(), second.to_matrix()] }
            }
            fn separation(&self, place: &Places) -> Result<Separation<$vector<f64>>, Error> {
                let ([first, second], [pose_a, pose_b]) = (&self.chase.shapes, self.chase.placed(place));
                match separation(first, pose_a, second, pose_b)? {
                    Relation::Separated(found) => Ok(found),
                    _ => Err(Error::UnsupportedPair {
                        operation: "time_of_impact",
                        first: first.as_shape().kind(),
                        second: second.as_shape().kind(),
                    }),
                }
            }
            fn touches(&self, place: &Places, warm: Option<&Warm<$vector<f64>>>) -> Result<bool, Error> {
                let ([first, second], [pose_a, pose_b]) = (&self.chase.shapes, self.chase.placed(place));
                // Without few corners, GJK knows sooner, unless it is a close call.
                if self.actors.plane.is_none() && !(has_few_corners(first) && has_few_corners(second)) {
                    let near = self.nearest(place, warm);
                    let radii = self.actors.first.radius + self.actors.second.radius;
                    if near.status == Status::Overlap || near.upper < radii {
                        return Ok(true);
                    }
                    if radii < near.lower {
                        return Ok(false);
                    }
                }
                intersects(first, pose_a, second, pose_b)
            }
            fn glance(
                &self,
                place: &Places,
                warm: &mut Option<Warm<$vector<f64>>>,
            ) -> Option<(f64, $vector<f64>, With)> {
                if self.actors.plane.is_some() {
                    return None;
                }
                let near = self.nearest(place, warm.as_ref());
                *warm = Some(near.warm());
                let separation = near.distance - (self.actors.first.radius + self.actors.second.radius);
                let with = turns_with(near.simplex.vertices(), self.actors.first.rate < self.actors.second.rate);
                (near.normal != $vector::ZERO && 0.0 < near.lower).then_some((separation, near.normal, with))
            }
            fn clear(
                &self,
                place: &Places,
                direction: $vector<f64>,
                limit: f64,
                trusted: bool,
                hint: With,
            ) -> Clear {
                let direction = match self.actors.plane {
                    Some(plane) => Turn::apply(place.turns[0], plane.normal),
                    None => direction,
                };
                self.actors.clear(place.turns, place.poses[1].translation, direction, limit, trusted, hint)
            }
            fn carried(
                &self,
                place: &Places,
                near: Separation<$vector<f64>>,
                span: f64,
            ) -> $vector<f64> {
                let (first, second) = (&self.actors.first, &self.actors.second);
                // ω×r = −r×ω.
                let arm = near.point_b - place.poses[1].translation;
                let point_a = near.point_a - first.spin.tilt(near.point_a) * span;
                let point_b = near.point_b + (self.actors.velocity - second.spin.tilt(arm)) * span;
                point_a + (point_b - point_a) * 0.5
            }
        }

        /// Shapes whose pairs are tested by their separating axes.
        fn has_few_corners(shape: &Shape<f64>) -> bool {
            matches!(
                shape,
                Shape::Ball(_) | Shape::Cuboid(_) | Shape::Capsule(_) | Shape::Segment(_) | Shape::Triangle(_)
            )
        }

        impl ChasedPair<'_> {
            /// The distance of the cores, by GJK.
            fn nearest(&self, place: &Places, warm: Option<&Warm<$vector<f64>>>) -> Proximity<$vector<f64>> {
                let [turn_a, turn_b] = &place.turns;
                let first = Posed::new(Borrowed(&self.actors.first.body), &turn_a.columns, $vector::ZERO);
                let at = place.poses[1].translation;
                let second = Posed::new(Borrowed(&self.actors.second.body), &turn_b.columns, at);
                gjk::distance(&first, &second, warm, f64::INFINITY, &mut ())
            }
        }

        /// A core that several sets share for the length of a query.
        struct Borrowed<'a, 'b>(&'a Either<'b>);

        impl Support<$vector<f64>> for Borrowed<'_, '_> {
            const CURVED: bool = true;
            #[inline]
            fn support(&self, direction: $vector<f64>) -> ($vector<f64>, u32) {
                self.0.support(direction)
            }
            fn center(&self) -> $vector<f64> {
                self.0.center()
            }
            fn size(&self) -> f64 {
                Support::size(self.0)
            }
        }
    };
}

pub(crate) use impact_query;
