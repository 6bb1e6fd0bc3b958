//! The public function of clash checking, generated for both dimensions.

/// `clashes` of a dimension.
///
/// The dimension supplies `pieces(&Shape)`, the flat pieces of a surface that consists of such, in the frame of
/// the shape; `surface_of(&Shape)`, the surface of a solid of many parts as a shape without an inside;
/// `extremes(&Shape)`, points and a radius such that a convex solid holds the shape if it holds the balls of the
/// radius about the points; and `foot_on`, the foot of a point on a piece.
macro_rules! clash_queries {
    ($vector:ident, $pose:ident, $corners:literal, $example:literal) => {
        /// All clashes among placed shapes: pairs that touch, pierce, contain or duplicate each other, or come
        /// closer than the clearance, in the order of their numbers.
        ///
        /// Cost: n log n for the boxes, and each pair whose boxes come close is asked exactly. A shape that cannot
        /// take part is told in the report and the others go on.
        ///
        /// Whether one shape lies within another is decided for balls, boxes, capsules, segments, triangles,
        /// polygons, hulls, roundings of these, and shapes made of them; a cylinder, cone or ellipsoid is found
        /// inside of nothing, and counts as piercing. A compound holds what one of its parts holds.
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
            let clearance = not_negative("clearance", options.clearance)?.to_f64();
            let touch = not_negative("touch", options.touch)?.to_f64();
            // A gap that may be overlooked is told as touching even where no clearance is asked for.
            let reach = clearance.max_of(touch);
            let mut report =
                ClashReport { clashes: Vec::new(), refused: Vec::new(), undecided: Vec::new(), pairs: 0 };
            let mut boxes = Vec::with_capacity(items.len());
            for (index, (shape, pose)) in items.iter().enumerate() {
                boxes.push(match place_box(shape, *pose, reach) {
                    Ok(bounds) => bounds,
                    Err(error) => {
                        report.refused.push((index, error));
                        Aabb::empty()
                    }
                });
            }
            let mut pairs = Vec::new();
            let _ = Bvh::build(&boxes).self_pairs(|first, second| {
                pairs.push([first, second]);
                ControlFlow::<()>::Continue(())
            });
            pairs.sort_unstable();
            report.pairs = pairs.len();
            for pair in pairs {
                match Two::new(pair.map(|index| &items[index]), [&boxes[pair[0]], &boxes[pair[1]]])
                    .clash(pair, reach, clearance, touch)
                {
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
                let solids = [Solid::new(&wide[0]), Solid::new(&wide[1])];
                // Of two surfaces none has a depth; how far their parts reach through each other must do.
                let by_contact = wide.iter().all(is_convex) || solids.iter().all(Option::is_none);
                let overlap = if by_contact {
                    (0.0 < depth).then(|| Overlap {
                        depth,
                        upper: depth,
                        normal: met.normal.widen(),
                        points: [met.point_a.widen(), met.point_b.widen()],
                    })
                } else {
                    self.protrusion(&wide, &solids)
                };
                let Some(overlap) = overlap.filter(|overlap| overlooked < overlap.depth) else {
                    let distance = (-met.depth).max_of(T::ZERO);
                    return Ok(Some(at_contact(ClashKind::Touching, distance, T::ZERO)));
                };
                let kind = match [self.is_inside(&wide, 0)?, self.is_inside(&wide, 1)?] {
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
            fn protrusion(
                &self,
                wide: &[Shape<f64>; 2],
                solids: &[Option<Solid<'_>>; 2],
            ) -> Option<Overlap<$vector<f64>>> {
                let mut best: Option<Overlap<$vector<f64>>> = None;
                for (inner, outer) in [(0, 1), (1, 0)] {
                    let Some(solid) = &solids[outer] else { continue };
                    let (here, there) = (self.items[inner].1.widen(), self.items[outer].1.widen());
                    let place = there.to_local(here);
                    let (pieces, radius) = pieces_or_points(&wide[inner]);
                    let pieces: Vec<[$vector<f64>; $corners]> =
                        pieces.into_iter().map(|corners| corners.map(|p| place.point_to_world(p))).collect();
                    let Some(found) = deepest(&pieces, |p| solid.probe(p), foot_on) else { continue };
                    if best.is_some_and(|best| found.depth <= best.depth) {
                        continue;
                    }
                    let [point, surface] = [found.point, found.surface].map(|p| there.point_to_world(p));
                    // Out of the outer shape; from the first to the second by convention.
                    let out = (found.surface - found.point).normalized().unwrap_or($vector::unit(0));
                    let out = there.rotation.rotate(out);
                    let (normal, points) =
                        if inner == 0 { (-out, [point, surface]) } else { (out, [surface, point]) };
                    best = Some(Overlap { depth: found.depth, upper: found.upper + radius, normal, points });
                }
                best
            }

            /// Whether the shape with this number lies within the other, on its surface included.
            fn is_inside(&self, wide: &[Shape<f64>; 2], inner: usize) -> Result<bool, Error> {
                let (inside, outside) = (&wide[inner], &wide[1 - inner]);
                let place = self.items[1 - inner].1.widen().to_local(self.items[inner].1.widen());
                holds(outside, inside, place, hidden::<T>(self.sizes, 0.0))
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
                for (part, pose) in compound.parts() {
                    if !holds(outer, part, place * *pose, overlooked)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            if let Shape::Compound(compound) = outer {
                for (part, pose) in compound.parts() {
                    if holds(part, inner, pose.to_local(place), overlooked)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            let Some((points, radius)) = extremes(inner) else { return Ok(false) };
            for point in points {
                let found = closest_point(outer, $pose::IDENTITY, place.point_to_world(point))?;
                if -radius + overlooked < found.distance || !found.inside && radius != 0.0 {
                    return Ok(false);
                }
            }
            match surface_of(outer) {
                // What has its corners inside of something hollowed out may still cross the surface.
                Some(surface) => Ok(!intersects(&surface, $pose::IDENTITY, inner, place)?),
                None => Ok(true),
            }
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

        /// Something with an inside, asked for depths.
        struct Solid<'a> {
            shape: &'a Shape<f64>,
            /// The pieces of its surface and a tree over them; `None` for a convex shape.
            surface: Option<(Vec<[$vector<f64>; $corners]>, Bvh<$vector<f64>>)>,
        }

        impl<'a> Solid<'a> {
            /// `None` for what has no inside that could be asked.
            fn new(shape: &'a Shape<f64>) -> Option<Self> {
                if is_convex(shape) {
                    return Some(Solid { shape, surface: None });
                }
                surface_of(shape)?;
                let pieces = pieces(shape)?;
                let boxes: Vec<_> = pieces
                    .iter()
                    .map(|corners| corners.iter().fold(Aabb::empty(), |all: Aabb<_>, p| all.merged_with(*p)))
                    .collect();
                let tree = Bvh::build(&boxes);
                Some(Solid { shape, surface: Some((pieces, tree)) })
            }

            fn probe(&self, p: $vector<f64>) -> Probe<$vector<f64>, $corners> {
                let outside = Probe { depth: f64::NEG_INFINITY, surface: p, cover: Cover::Nothing };
                let Ok(found) = closest_point(self.shape, $pose::IDENTITY, p) else { return outside };
                let depth = -found.distance;
                if depth <= 0.0 {
                    return Probe { depth, surface: found.point, cover: Cover::Nothing };
                }
                let cover = match &self.surface {
                    None => match (found.point - p).normalized() {
                        Some(out) => Cover::Plane(found.point, out),
                        None => Cover::Nothing,
                    },
                    Some((pieces, tree)) => {
                        let nearest = tree.nearest(
                            |bounds| squared_distance_below(bounds, p),
                            |item| {
                                let distance = foot_on(pieces[item], p).distance;
                                distance * distance
                            },
                        );
                        nearest.map_or(Cover::Nothing, |(item, _)| Cover::Piece(pieces[item]))
                    }
                };
                Probe { depth, surface: found.point, cover }
            }
        }
    };
}

pub(crate) use clash_queries;
