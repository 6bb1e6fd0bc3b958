//! The first touch of two shapes of a dimension, at the scale of the kernels and in the frame of the second: which kernel a
//! pair has, and what becomes of what a kernel could not decide.

/// `first_touch` of a dimension, over its kernels.
macro_rules! touch_query {
    ($vector:ident, $pose:ident) => {
        /// `None` when there is no kernel for the kinds; `Some(None)` when the shapes never touch.
        fn first_touch<W: Follow<$vector<f64>>>(
            pair: [&Shape<f64>; 2],
            place: $pose<f64>,
            velocity: $vector<f64>,
            max: f64,
            care: Care,
            watch: &mut W,
        ) -> Result<Option<Option<Touch<$vector<f64>>>>, Error> {
            let path = Motion { origin: place.translation, velocity };
            let [first, second] = pair;
            let course = match (first, second) {
                _ if !(is_convex(first) && is_convex(second)) => return Ok(None),
                _ if velocity == $vector::ZERO || matches!(second, Shape::HalfSpace(_)) => {
                    watch.begins(Method::ClosedForm, false, path.origin, velocity);
                    Meeting::AtStart
                }
                (Shape::Ball(ball), _) => {
                    if W::LISTENS {
                        follow_ball(ball.radius(), second, path, watch);
                    }
                    ball_meets(ball.radius(), second, path, care)
                }
                (Shape::Cuboid(a), Shape::Cuboid(b)) => {
                    let half_extents = [a.half_extents(), b.half_extents()];
                    if W::LISTENS {
                        // The kernel skips the axes that it does not need.
                        watch.begins(Method::ClosedForm, true, path.origin, velocity);
                        follow_boxes(half_extents, place, velocity, watch);
                    }
                    boxes_meet(half_extents, place, velocity)
                }
                (Shape::Capsule(a), Shape::Capsule(b)) => {
                    let closed_form = rods(a, b, place, velocity).meeting(care);
                    if closed_form.is_some() {
                        watch.begins(Method::ClosedForm, false, path.origin, velocity);
                    }
                    match closed_form.or_else(|| general_touch(pair, place, velocity, max, watch)) {
                        Some(course) => course,
                        None => return Ok(None),
                    }
                }
                _ => match general_touch(pair, place, velocity, max, watch) {
                    Some(course) => course,
                    None => return Ok(None),
                },
            };
            match course {
                Meeting::Never => return Ok(Some(None)),
                Meeting::At(touch) if touch.t == 0.0 => {
                    return confirmed(pair, place, velocity, max, touch).map(Some);
                }
                Meeting::At(touch) => return Ok(Some(Some(touch))),
                Meeting::AtStart | Meeting::Somewhere { .. } => {}
            }
            let looked_at = if let Meeting::Somewhere { t, .. } = course { t } else { 0.0 };
            let Some(found) = relation_at(pair, place, velocity, looked_at)? else { return Ok(None) };
            let point = found.point_a + (found.point_b - found.point_a) * 0.5;
            if let Meeting::Somewhere { t, normal } = course {
                return Ok(Some(Some(Touch { t, point, normal })));
            }
            let moves = velocity != $vector::ZERO;
            let plane = matches!(second, Shape::HalfSpace(_));
            if moves && !plane && is_apart(pair, place, 0.0, found) {
                return approach(velocity, max, found, |t| relation_at(pair, place, velocity, t)).map(Some);
            }
            if found.separation <= 0.0 || (moves && !plane) {
                // The kernels call it touching; the separation may still be a rounding error above zero.
                return Ok(Some(Some(Touch { t: 0.0, point, normal: found.normal })));
            }
            // The distance of the lowest point from the plane changes linearly, and it stays the lowest.
            let closing = precise_dot(found.normal, velocity, 0.0, 0.0);
            let t = found.separation / closing;
            let point = found.point_a + velocity * t;
            Ok(Some((0.0 < closing).then_some(Touch { t, point, normal: found.normal })))
        }

        /// How the shapes relate at a time of their motion; `None` when there is no kernel for the kinds.
        fn relation_at(
            [first, second]: [&Shape<f64>; 2],
            place: $pose<f64>,
            velocity: $vector<f64>,
            t: f64,
        ) -> Result<Option<Separation<$vector<f64>>>, Error> {
            let moved = if t == 0.0 { place.translation } else { place.translation + velocity * t };
            match separation(first, $pose::new(moved, place.rotation), second, $pose::IDENTITY)? {
                Relation::Separated(found) => Ok(Some(found)),
                _ => Ok(None),
            }
        }

        /// Whether shapes that a kernel calls touching at a time are apart then. Its numbers were too small or too large for it to
        /// decide, or it takes for zero what is not; and what is not decided is no touch.
        ///
        /// At the start nothing has moved, so that what `distance` proves counts: a cast agrees with `intersects`. Later the way
        /// there is rounded, and that much apart is still a touch, or a rescaled problem would be decided otherwise than the same.
        fn is_apart(
            [first, second]: [&Shape<f64>; 2],
            place: $pose<f64>,
            t: f64,
            found: Separation<$vector<f64>>,
        ) -> bool {
            let size = place.translation.max_abs() + first.size() + second.size();
            let noise = if t == 0.0 { 0.0 } else { query::WAY_NOISE * size };
            found.error + noise < found.separation
        }

        /// A touch that a kernel found where its numbers may have been too small or too large: the same if that is how the shapes
        /// relate then, and else what their distances lead to.
        #[cold]
        fn confirmed(
            pair: [&Shape<f64>; 2],
            place: $pose<f64>,
            velocity: $vector<f64>,
            max: f64,
            touch: Touch<$vector<f64>>,
        ) -> Result<Option<Touch<$vector<f64>>>, Error> {
            match relation_at(pair, place, velocity, touch.t)? {
                Some(found) if is_apart(pair, place, touch.t, found) => {}
                _ => return Ok(Some(touch)),
            }
            let Some(start) = relation_at(pair, place, velocity, 0.0)? else { return Ok(None) };
            approach(velocity, max, start, |t| relation_at(pair, place, velocity, t))
        }

        /// Tells a watcher how two shapes relate at a time of their motion, for the closed forms that do not look.
        #[cold]
        fn look_at<W: Follow<$vector<f64>>>(
            [first, second]: [&Shape<f64>; 2],
            place: $pose<f64>,
            velocity: $vector<f64>,
            [t, clear_until]: [f64; 2],
            watch: &mut W,
        ) {
            let there = $pose::new(place.translation + velocity * t, place.rotation);
            // What the kernel knows may be beyond the general question; then there is nothing to tell.
            if let Ok(Relation::Separated(found)) = separation(first, there, second, $pose::IDENTITY) {
                let Separation { separation, error, normal, .. } = found;
                let (lower, upper) = (separation - error, separation + error);
                watch.look(Look { t, separation, lower, upper, normal, clear_until });
            }
        }

        /// Tells a watcher the way of a ball through the other shape, inflated by its radius.
        #[cold]
        fn follow_ball<W: Follow<$vector<f64>>>(
            radius: f64,
            other: &Shape<f64>,
            path: Motion<$vector<f64>>,
            watch: &mut W,
        ) {
            let method =
                if needs_distances(other, radius) { Method::Advancement } else { Method::ClosedForm };
            watch.begins(method, false, path.origin, path.velocity);
            if let Some(span) = inflated_span(other, radius, path) {
                watch.passes(span);
            }
        }

        /// A ball is a point in motion, and the other shape is inflated by its radius.
        fn ball_meets(
            radius: f64,
            other: &Shape<f64>,
            path: Motion<$vector<f64>>,
            care: Care,
        ) -> Meeting<$vector<f64>> {
            let Motion { origin, velocity } = path;
            let touch = |t: f64, normal: $vector<f64>| {
                Meeting::At(Touch { t, point: origin + velocity * t + normal * radius, normal })
            };
            // What is beyond doubt is answered in the same way at every scale.
            let quick = match other {
                Shape::Ball(other) => quick::ball_hit(origin, velocity, other.radius() + radius, care),
                Shape::Capsule(other) => {
                    let ends = [other.segment().a(), other.segment().b()];
                    quick::capsule_hit(origin, velocity, ends, other.radius() + radius, care)
                }
                Shape::Cuboid(cuboid) if radius != 0.0 => {
                    quick::rounded_cuboid_hit(origin, velocity, cuboid.half_extents(), radius, care)
                }
                // What misses the ball around it by more than rounding misses the rest; a hit says nothing yet.
                _ => ball_around(other).and_then(|(center, reach)| {
                    let reach = (reach + radius) * (1.0 + 1e-12);
                    quick::ball_hit(origin - center, velocity, reach, care).filter(Option::is_none)
                }),
            };
            match quick {
                Some(None) => return Meeting::Never,
                Some(Some(passage)) => {
                    if let Some(outward) = care.unit(passage.normal) {
                        return touch(passage.t, -outward);
                    }
                }
                None => {}
            }
            let near = nearest_point(other, path.origin);
            if near.distance <= radius {
                return Meeting::AtStart;
            }
            let Some(passage) = ball_passage(radius, other, path) else { return Meeting::Never };
            touch(passage.t, -passage.normal.normalized().unwrap_or(near.normal))
        }

        /// Shapes that are known by their support points; `None` for kinds that are not.
        #[inline(never)]
        fn general_touch<W: Follow<$vector<f64>>>(
            [first, second]: [&Shape<f64>; 2],
            place: $pose<f64>,
            velocity: $vector<f64>,
            max: f64,
            watch: &mut W,
        ) -> Option<Meeting<$vector<f64>>> {
            let (first_core, first_extra) = first.unrounded();
            let (second_core, second_extra) = second.unrounded();
            let (mover, mover_radius) = body_of(&first_core)?;
            let (target, target_radius) = body_of(&second_core)?;
            let target_radius = target_radius + second_extra;
            let radius = mover_radius + first_extra + target_radius;
            watch.begins(Method::Advancement, false, place.translation, velocity);
            let columns = place.rotation.to_matrix().columns;
            let direct = if radius == 0.0 {
                sides_meet([&mover, &target], &columns, place.translation, velocity, max)
            } else {
                None
            };
            // The way by distances has more to tell.
            if let Some(meeting) = direct
                && !W::LISTENS
            {
                return Some(meeting);
            }
            let sides = [sides_of(&target), sides_of(&mover)];
            let found = if mover.is_curved() || target.is_curved() {
                let mover = &Posed::new(mover, &columns, place.translation);
                Course { target: &target, mover, velocity, radius, target_radius, max, sides }
                    .first_touch(watch)
            } else {
                let (mover, target) = (&Posed::new(Flat(mover), &columns, place.translation), &Flat(target));
                Course { target, mover, velocity, radius, target_radius, max, sides }.first_touch(watch)
            };
            Some(direct.unwrap_or(found))
        }
    };
}

pub(crate) use touch_query;
