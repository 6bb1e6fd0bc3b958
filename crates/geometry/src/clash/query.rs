//! The public function of clash checking, generated for both dimensions.

/// `clashes` of a dimension.
///
/// The dimension supplies `pieces(&Shape)`, the flat pieces of a surface that consists of such, in the frame of
/// the shape; `surface_of(&Shape)`, the surface of a solid of many parts as a shape without an inside;
/// `extremes(&Shape)`, points and a radius such that a convex solid holds the shape if it holds the balls of the
/// radius about the points; `faces(&Shape)`, the half-spaces normal·p <= offset that a shape is the common part of, if it
/// is; `around(&Shape)`, points and a radius about their hull that hold a curved shape; `components(&Shape)`, the pieces of a
/// surface by the parts that hang together; `normal_on`, a normal of a piece; and `foot_on`, the foot of a point on a piece.
macro_rules! clash_queries {
    ($kernels:ident, $vector:ident, $pose:ident, $corners:literal, $example:literal, $progress_example:literal) => {
        /// All clashes among placed shapes: pairs that touch, pierce, contain or duplicate each other, or come
        /// closer than the clearance, in the order of their numbers.
        ///
        /// Cost: n log n for the boxes, and each pair whose boxes come close is asked exactly. A shape that cannot
        /// take part is told in the report and the others go on.
        ///
        /// Whether one shape lies within another is decided for all kinds, on the surface included. Cylinders,
        /// cones and ellipsoids within something curved are taken a hundredth of their size larger than they are. A
        /// compound holds what one of its parts holds. What has no inside of its own and touches the surface of a mesh or an
        /// outline from within counts as piercing it.
        ///
        /// Pairs are shared among the threads at hand; the report is the same for any number of them.
        ///
        /// # Errors
        /// [`Error::NotFinite`] and [`Error::Negative`] for the options.
        ///
        /// # Example
        /// ```
        #[doc = $example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn clashes<T: Real>(
            items: &[(Shape<T>, $pose<T>)],
            options: ClashOptions<T>,
        ) -> Result<ClashReport<$vector<T>>, Error> {
            clashes_with_progress(items, options, &|_, _| {})
        }

        /// The same; `progress` is told how many pairs are done, of how many. It is called by the threads that do
        /// the work, at most a thousand times or so, and the numbers may come out of order.
        ///
        /// # Errors
        /// As for [`clashes`].
        ///
        /// # Example
        /// ```
        #[doc = $progress_example]
        /// # Ok::<(), carom_geometry::Error>(())
        /// ```
        pub fn clashes_with_progress<T: Real>(
            items: &[(Shape<T>, $pose<T>)],
            options: ClashOptions<T>,
            progress: &(dyn Fn(usize, usize) + Sync),
        ) -> Result<ClashReport<$vector<T>>, Error> {
            let clearance = not_negative("clearance", options.clearance)?.to_f64();
            let touch = not_negative("touch", options.touch)?.to_f64();
            // A gap that may be overlooked is told as touching even where no clearance is asked for.
            let reach = clearance.max_of(touch);
            let mut report =
                ClashReport { clashes: Vec::new(), refused: Vec::new(), undecided: Vec::new(), pairs: 0 };
            let mut boxes = Vec::with_capacity(items.len());
            let placed = shared_out((0..items.len()).collect(), &|index: usize| {
                let (shape, pose) = &items[index];
                place_box(shape, *pose, reach)
            });
            for (index, bounds) in placed.into_iter().enumerate() {
                boxes.push(match bounds {
                    Ok(bounds) => bounds,
                    Err(error) => {
                        report.refused.push((index, error));
                        Aabb::empty()
                    }
                });
            }
            let pairs: Vec<[usize; 2]> = Bvh::build(&boxes)
                .all_pairs()
                .into_iter()
                .map(|pair| pair.map(|item| item as usize))
                .collect();
            report.pairs = pairs.len();
            let counter = Counter::new(pairs.len(), progress);
            let asked = shared_out(pairs, &|pair: [usize; 2]| {
                let two = Two::new(pair.map(|index| &items[index]), pair.map(|index| &boxes[index]));
                let found = two.clash(pair, reach, clearance, touch);
                counter.count();
                (pair, found)
            });
            for (pair, found) in asked {
                match found {
                    Ok(found) => report.clashes.extend(found),
                    Err(error) => report.undecided.push((pair, error)),
                }
            }
            Ok(report)
        }

        /// The box around a placed shape, half of the reach larger on all sides; all of space for a half-space.
        fn place_box<T: Real>(
            shape: &Shape<T>,
            pose: $pose<T>,
            reach: f64,
        ) -> Result<Aabb<$vector<f64>>, Error> {
            finite_pose("pose", pose)?;
            let everywhere = $vector::from_fn(|_| f64::MAX);
            let bounds = match aabb(shape, pose) {
                Ok(found) => Aabb { min: found.min.widen(), max: found.max.widen() },
                Err(Error::UnsupportedShape { .. }) => return Ok(Aabb { min: -everywhere, max: everywhere }),
                Err(error) => return Err(error),
            };
            let more = $vector::from_fn(|_| (reach * 0.5).step_up());
            let step = |v: $vector<f64>, up: bool| {
                $vector::from_fn(|axis| if up { v.get(axis).step_up() } else { v.get(axis).step_down() })
            };
            Ok(Aabb { min: step(bounds.min - more, false), max: step(bounds.max + more, true) })
        }

        /// Two shapes and where they are.
        struct Two<'a, T: Real> {
            items: [&'a (Shape<T>, $pose<T>); 2],
            sizes: [f64; 2],
        }

        impl<'a, T: Real> Two<'a, T> {
            fn new(items: [&'a (Shape<T>, $pose<T>); 2], boxes: [&Aabb<$vector<f64>>; 2]) -> Self {
                Two { items, sizes: boxes.map(|bounds| (bounds.max - bounds.min).max_abs()) }
            }

            /// The clash, if there is one.
            fn clash(
                &self,
                [first, second]: [usize; 2],
                reach: f64,
                clearance: f64,
                touch: f64,
            ) -> Result<Option<Clash<$vector<T>>>, Error> {
                let [(a, pose_a), (b, pose_b)] = self.items;
                let Some(met) = contact_within(a, *pose_a, b, *pose_b, T::from_f64_up(reach))? else {
                    return Ok(None);
                };
                let told = |kind, distance, depth, depth_upper, normal, points: [$vector<T>; 2]| {
                    let [point_first, point_second] = points;
                    Clash {
                        first,
                        second,
                        kind,
                        distance,
                        depth,
                        depth_upper,
                        normal,
                        point_first,
                        point_second,
                    }
                };
                let at_contact = |kind, distance, depth| {
                    told(kind, distance, depth, depth, met.normal, [met.point_a, met.point_b])
                };
                let apart = (pose_b.translation.widen() - pose_a.translation.widen()).max_abs();
                let overlooked = touch.max_of(hidden::<T>(self.sizes, apart));
                let depth = met.depth.to_f64();
                if depth < -overlooked {
                    let is_near = -depth <= clearance;
                    return Ok(is_near.then(|| at_contact(ClashKind::Near, -met.depth, T::ZERO)));
                }
                if self.is_same_twice() {
                    let found = at_contact(ClashKind::Duplicate, T::ZERO, met.depth.max_of(T::ZERO));
                    return Ok(Some(found));
                }
                let wide = [a.as_shape().widen(), b.as_shape().widen()];
                let members = [members(&wide[0]), members(&wide[1])];
                let has_inside =
                    |members: &Vec<Member>| members.iter().any(|(shape, _)| Solid::new(shape).is_some());
                // Of two surfaces none has a depth; how far their parts reach through each other must do.
                let by_contact = wide.iter().all(|shape| is_convex(shape)) || !members.iter().any(has_inside);
                if !by_contact && are_too_different(self.sizes) {
                    return Err(Error::Overflow { what: "the ratio of the sizes", number: T::NAME });
                }
                let overlap = if by_contact {
                    (0.0 < depth).then(|| Overlap {
                        depth,
                        upper: depth,
                        normal: met.normal.widen(),
                        points: [met.point_a.widen(), met.point_b.widen()],
                    })
                } else {
                    // Where surfaces coincide nothing protrudes; the insides may be common all the same.
                    self.protrusion(&members)
                        .filter(|overlap| overlooked < overlap.depth)
                        .or_else(|| self.common_inside(&members))
                };
                let Some(overlap) = overlap.filter(|overlap| overlooked < overlap.depth) else {
                    let distance = (-met.depth).max_of(T::ZERO);
                    return Ok(Some(at_contact(ClashKind::Touching, distance, T::ZERO)));
                };
                let hidden = hidden::<T>(self.sizes, apart);
                let kind = match [self.is_inside(&wide, 0, hidden)?, self.is_inside(&wide, 1, hidden)?] {
                    [true, true] => ClashKind::Duplicate,
                    [true, false] => ClashKind::FirstInside,
                    [false, true] => ClashKind::SecondInside,
                    [false, false] => ClashKind::Piercing,
                };
                let points = overlap.points.map($vector::narrow);
                let (depth, upper) = (T::from_f64(overlap.depth), T::from_f64_up(overlap.upper));
                Ok(Some(told(
                    kind,
                    T::ZERO,
                    depth,
                    upper.max_of(depth),
                    $vector::narrow(overlap.normal),
                    points,
                )))
            }

            /// Equal shapes at equal places: their numbers are the same.
            fn is_same_twice(&self) -> bool {
                let [(a, pose_a), (b, pose_b)] = self.items;
                pose_a == pose_b && a == b
            }

            /// How deep the surface of either goes into the other, the larger of the two.
            fn protrusion(&self, members: &[Vec<Member>; 2]) -> Option<Overlap<$vector<f64>>> {
                let mut best: Option<Overlap<$vector<f64>>> = None;
                for (inner, outer) in [(0, 1), (1, 0)] {
                    for (solid, pose) in &members[outer] {
                        let there = self.items[outer].1.widen() * *pose;
                        for (surface, pose) in &members[inner] {
                            let here = self.items[inner].1.widen() * *pose;
                            self.protrude(inner, (surface, here), (solid, there), &mut best);
                        }
                    }
                }
                best
            }

            /// How deep the surface of one member goes into another, if that is deeper than what is known.
            fn protrude(
                &self,
                inner: usize,
                (surface, here): (&Shape<f64>, $pose<f64>),
                (solid, there): (&Shape<f64>, $pose<f64>),
                best: &mut Option<Overlap<$vector<f64>>>,
            ) {
                let Some(solid) = Solid::new(solid) else { return };
                let (found, radius) =
                    deepest_within(&solid, surface, there.to_local(here), (0.0, MAX_PROBES));
                let Some(found) = found else { return };
                if best.is_some_and(|best| found.depth <= best.depth) {
                    return;
                }
                let [point, surface] = [found.point, found.surface].map(|p| there.point_to_world(p));
                // Out of the outer shape; from the first to the second by convention.
                let out = (found.surface - found.point).normalized().unwrap_or($vector::unit(0));
                let out = there.rotation.rotate(out);
                let (normal, points) =
                    if inner == 0 { (-out, [point, surface]) } else { (out, [surface, point]) };
                *best = Some(Overlap { depth: found.depth, upper: found.upper + radius, normal, points });
            }

            /// The deepest of the points that are known to be inside of one, in the other.
            fn common_inside(&self, members: &[Vec<Member>; 2]) -> Option<Overlap<$vector<f64>>> {
                let mut best: Option<Overlap<$vector<f64>>> = None;
                for (inner, outer) in [(0, 1), (1, 0)] {
                    for (shape, pose) in &members[inner] {
                        let (Some(solid), here) = (Solid::new(shape), self.items[inner].1.widen() * *pose)
                        else {
                            continue;
                        };
                        let points: Vec<_> = solid
                            .points_inside()
                            .into_iter()
                            .map(|(point, depth)| (here.point_to_world(point), depth))
                            .collect();
                        for (shape, pose) in &members[outer] {
                            let (Some(other), there) =
                                (Solid::new(shape), self.items[outer].1.widen() * *pose)
                            else {
                                continue;
                            };
                            let upper = solid.half_width().min_of(other.half_width());
                            for &(point, own) in &points {
                                let found = other.probe(there.point_to_local(point));
                                // A ball of this radius belongs to both.
                                let depth = found.depth.min_of(own);
                                if depth <= best.map_or(0.0, |best| best.depth) {
                                    continue;
                                }
                                let surface = there.point_to_world(found.surface);
                                let out = (surface - point).normalized().unwrap_or($vector::unit(0));
                                let (normal, points) = if inner == 0 {
                                    (-out, [point, surface])
                                } else {
                                    (out, [surface, point])
                                };
                                best = Some(Overlap { depth, upper, normal, points });
                            }
                        }
                    }
                }
                best
            }

            /// Whether the shape with this number lies within the other, on its surface included.
            fn is_inside(
                &self,
                wide: &[Cow<'_, Shape<f64>>; 2],
                inner: usize,
                overlooked: f64,
            ) -> Result<bool, Error> {
                let (inside, outside) = (&*wide[inner], &*wide[1 - inner]);
                let place = self.items[1 - inner].1.widen().to_local(self.items[inner].1.widen());
                holds(outside, inside, place, overlooked)
            }
        }

        /// Whether a shape, the outer one, holds all of another, whose place it sees.
        fn holds(
            outer: &Shape<f64>,
            inner: &Shape<f64>,
            place: $pose<f64>,
            overlooked: f64,
        ) -> Result<bool, Error> {
            if let Shape::Compound(compound) = inner {
                for (part, pose) in compound.at_scale() {
                    if !holds(outer, &part, place * pose, overlooked)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            if let Shape::Compound(compound) = outer {
                for (part, pose) in compound.at_scale() {
                    if holds(&part, inner, pose.to_local(place), overlooked)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            // A half-space has no farthest points, and nothing but another holds it: of these no overlap is known.
            if let Shape::HalfSpace(_) = inner {
                return Ok(false);
            }
            let (points, radius) = match (extremes(inner), surface_of(outer), faces(outer)) {
                (Some(found), ..) => found,
                // What crosses no surface is inside where one of its points is.
                (None, Some(_), _) => (vec![$kernels::farthest(inner, $vector::unit(0))], 0.0),
                (None, None, Some(faces)) => {
                    return Ok(faces.into_iter().all(|(normal, offset)| {
                        let along = place.rotation.inverse().rotate(normal);
                        let highest = place.point_to_world($kernels::farthest(inner, along));
                        normal.dot(highest) <= offset + overlooked
                    }));
                }
                (None, None, None) => match around(inner) {
                    Some(found) => found,
                    None => return Ok(false),
                },
            };
            for point in points {
                let found = closest_point(outer, $pose::IDENTITY, place.point_to_world(point))?;
                if -radius + overlooked < found.distance || !found.inside && radius != 0.0 {
                    return Ok(false);
                }
            }
            match surface_of(outer) {
                // What has its corners inside of something hollowed out may still cross the surface.
                Some(surface) => Ok(!intersects(&surface, $pose::IDENTITY, inner, place)?
                    || fits_in(outer, inner, place, overlooked)),
                None => Ok(true),
            }
        }

        /// Whether a solid with a surface of many parts holds another one that touches this surface: no part of it
        /// goes into the inside of the other, and a point of each component of that inside is in the solid.
        fn fits_in(outer: &Shape<f64>, inner: &Shape<f64>, place: $pose<f64>, overlooked: f64) -> bool {
            let (Some(around), Some(solid)) = (Solid::new(outer), Solid::new(inner)) else { return false };
            let (found, _) =
                deepest_within(&solid, outer, place.to_local($pose::IDENTITY), (overlooked, MAX_PROBES / 4));
            if found.is_some_and(|found| overlooked < found.depth) {
                return false;
            }
            let points = solid.points_inside();
            !points.is_empty()
                && points.iter().all(|&(point, _)| 0.0 < around.probe(place.point_to_world(point)).depth)
        }

        /// The deepest point of a surface in a solid that sees its place, and how much deeper something curved may reach. The
        /// effort is a depth that is not worth finding and a number of points, see [`deepest`].
        fn deepest_within(
            solid: &Solid<'_>,
            surface: &Shape<f64>,
            place: $pose<f64>,
            effort: (f64, usize),
        ) -> (Option<Deepest<$vector<f64>>>, f64) {
            let (pieces, radius) = pieces_or_points(surface);
            let around = Aabb::grown(solid.bounds, radius);
            // What is not within the box around the solid is not within the solid.
            let is_near = |corners: &[$vector<f64>; $corners]| {
                corners.iter().fold(Aabb::empty(), |all: Aabb<_>, p| all.merged_with(*p)).overlaps(around)
            };
            let pieces: Vec<[$vector<f64>; $corners]> = pieces
                .into_iter()
                .map(|corners| corners.map(|p| place.point_to_world(p)))
                .filter(is_near)
                .collect();
            (deepest(&pieces, |p| solid.probe(p), foot_on, effort), radius)
        }

        /// The pieces of a surface; of a curved one the points that it is curved about, and how far it is from them.
        fn pieces_or_points(shape: &Shape<f64>) -> (Vec<[$vector<f64>; $corners]>, f64) {
            let single = |points: Vec<$vector<f64>>| points.into_iter().map(|p| [p; $corners]).collect();
            match (pieces(shape), extremes(shape)) {
                (Some(pieces), _) => (pieces, 0.0),
                (None, Some((points, radius))) => (single(points), radius),
                (None, None) => (single(vec![$vector::ZERO]), 2.0 * Resize::size(shape)),
            }
        }

        /// A shape and where it is.
        type Member = (Shape<f64>, $pose<f64>);

        /// The shapes of a compound; another shape is its own only member.
        fn members(shape: &Shape<f64>) -> Vec<Member> {
            match shape {
                Shape::Compound(compound) => compound.at_scale().collect(),
                other => vec![(other.clone(), $pose::IDENTITY)],
            }
        }

        /// Something with an inside, asked for depths.
        struct Solid<'a> {
            shape: &'a Shape<f64>,
            /// The box around it.
            bounds: Aabb<$vector<f64>>,
        }

        impl<'a> Solid<'a> {
            /// `None` for what has no inside that could be asked.
            fn new(shape: &'a Shape<f64>) -> Option<Self> {
                let bounds = match $kernels::parts(shape) {
                    Some(parts) if !parts.is_solid() => return None,
                    Some(parts) => {
                        let (all, factor) = (parts.tree().bounds(), parts.factor());
                        Aabb { min: all.min * factor, max: all.max * factor }
                    }
                    None => shape.bounds(&Frame::local()),
                };
                Some(Solid { shape, bounds })
            }

            fn probe(&self, p: $vector<f64>) -> Probe<$vector<f64>, $corners> {
                let outside = Probe { depth: f64::NEG_INFINITY, surface: p, cover: Cover::Nothing };
                let Ok(found) = closest_point(self.shape, $pose::IDENTITY, p) else { return outside };
                let depth = -found.distance;
                let extent = (self.bounds.max - self.bounds.min).max_abs();
                let cover = match $kernels::parts(self.shape) {
                    // Well outside a piece of the surface would tell no more than the distance does.
                    Some(_) if depth < -extent * power_of_two(-30) => Cover::Nothing,
                    None if depth <= 0.0 => {
                        // Nothing is deeper than below the plane across any direction that touches the solid.
                        let normal = $kernels::nearest(self.shape, p).normal;
                        match $kernels::plane(self.shape) {
                            Some(_) => Cover::Nothing,
                            None => Cover::Plane($kernels::farthest(self.shape, normal), normal),
                        }
                    }
                    None => match (found.point - p).normalized() {
                        Some(out) => Cover::Plane(found.point, out),
                        None => Cover::Nothing,
                    },
                    Some(parts) => {
                        // Any piece of the surface will do; the nearest is the best.
                        let (_, index) = nearest_part(parts, p);
                        let piece =
                            pieces(&parts.part(index).shape).and_then(|pieces| pieces.first().copied());
                        piece.map_or(Cover::Nothing, Cover::Piece)
                    }
                };
                Probe { depth, surface: found.point, cover }
            }

            /// A point inside of each component, with its depth; fewer where a component has no inside.
            fn points_inside(&self) -> Vec<($vector<f64>, f64)> {
                let depth_of = |p: $vector<f64>| self.probe(p).depth;
                if $kernels::parts(self.shape).is_none() {
                    // What is curved lies about its origin.
                    let corners = extremes(self.shape).map_or(vec![$vector::ZERO], |(points, _)| points);
                    let share = 1.0 / corners.len() as f64;
                    let middle = corners.iter().fold($vector::ZERO, |sum, &p| sum + p * share);
                    let depth = depth_of(middle);
                    return if 0.0 < depth { vec![(middle, depth)] } else { Vec::new() };
                }
                let surfaces = components(self.shape);
                surfaces.iter().filter_map(|surface| behind(surface, normal_on, depth_of)).collect()
            }

            /// No point is deeper than half of the least extent of the box.
            fn half_width(&self) -> f64 {
                let half = self.bounds.max * 0.5 - self.bounds.min * 0.5;
                (0..$corners).fold(f64::INFINITY, |least, axis| half.get(axis).min_of(least))
            }
        }
    };
}

pub(crate) use clash_queries;
