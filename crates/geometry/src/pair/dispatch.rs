//! From a pair of kinds to the kernel that answers it, generated for both dimensions.
//!
//! | first (lends its frame) | second | kernel |
//! |---|---|---|
//! | anything | ball | the point of the first nearest to the centre |
//! | half-space | half-space | the slab between opposite ones |
//! | half-space | anything bounded | its lowest point |
//! | cuboid, capsule | cuboid, capsule | see [`super::meet`], where these and their pairs with balls go at once |
//! | cuboid, triangle, capsule, segment | cuboid, triangle, capsule, segment | separating axes of the cores, then nearest features |
//! | hull, polygon | hull, polygon, cuboid; in space triangle | GJK, and separating axes when the cores overlap |
//! | hull, polygon, cylinder, cone, ellipsoid | anything else | GJK, and EPA when the cores overlap |
//!
//! A rounded shape goes the way of the shape inside, and its radius is added.
//!
//! For concrete shapes the matches fold away.

/// The functions `rank`, `relate`, `touch` and `core_of` of a dimension, and those in any order of kinds and for curved pairs.
///
/// The dimension supplies `nearest_point(&Shape, point)`, `lowest_of(&Shape, &Relative, normal)` for
/// bounded shapes without a core of few corners, `body_of(&Shape)` with the type `Body` for the general
/// kernel, `own_rank` and `own_order` for the kinds of its own, and what [`crate::sat::pairs`] generates.
macro_rules! pair_dispatch {
    ($vector:ident, $identity:expr) => {
        type Place = Relative<$vector<f64>, Matrix>;

        /// The place of a kind in the canonical order: the first shape lends its frame.
        #[inline(always)]
        pub(crate) fn rank(shape: &Shape<f64>) -> u8 {
            if let Shape::Rounded(rounded) = shape { plain_rank(&rounded.core()) } else { plain_rank(shape) }
        }

        #[inline(always)]
        fn plain_rank(shape: &Shape<f64>) -> u8 {
            match shape {
                Shape::HalfSpace(_) => 0,
                Shape::Ellipsoid(_) => 10,
                Shape::Cuboid(_) => 11,
                Shape::Triangle(_) => 12,
                Shape::Capsule(_) => 13,
                Shape::Segment(_) => 14,
                Shape::Ball(_) => 15,
                other => own_rank(other),
            }
        }

        /// Which of two shapes of one rank comes first by its numbers, where [`comes_after`] leaves it open.
        fn before_by_numbers(a: &Shape<f64>, b: &Shape<f64>) -> Option<bool> {
            match (a, b) {
                (Shape::Rounded(a), Shape::Rounded(b)) => order::before_number(a.radius(), b.radius())
                    .or_else(|| plain_before(&a.core(), &b.core())),
                (Shape::Rounded(_), _) => Some(false),
                (_, Shape::Rounded(_)) => Some(true),
                _ => plain_before(a, b),
            }
        }

        fn plain_before(a: &Shape<f64>, b: &Shape<f64>) -> Option<bool> {
            match (a, b) {
                (Shape::Cuboid(a), Shape::Cuboid(b)) => order::before([a.half_extents()], [b.half_extents()]),
                (Shape::Triangle(a), Shape::Triangle(b)) => order::before(a.corners(), b.corners()),
                (Shape::Ellipsoid(a), Shape::Ellipsoid(b)) => order::before([a.radii()], [b.radii()]),
                _ => own_order(a, b),
            }
        }

        /// How two shapes in the canonical order relate, seen from the first.
        #[inline(always)] // so that the kinds, where they are known, decide at compile time
        fn relate(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> Relation<$vector<f64>> {
            relate_within(a, b, place, error, f64::INFINITY).unwrap_or(Relation::Unsupported)
        }

        /// The same, or `None` where it is cheaper to see that they are farther apart than `limit`.
        #[inline(always)]
        fn relate_within(
            a: &Shape<f64>,
            b: &Shape<f64>,
            place: &Place,
            error: f64,
            limit: f64,
        ) -> Option<Relation<$vector<f64>>> {
            if let Shape::Ball(ball) = b {
                let center = place.translation;
                let found = with_ball(nearest_point(a, center), center, ball.radius(), error);
                return Some(Relation::Separated(found));
            }
            if let Shape::HalfSpace(plane) = a {
                let (normal, offset) = (plane.normal(), plane.offset());
                if let Shape::HalfSpace(other) = b {
                    let planes = [(normal, offset), (other.normal(), other.offset())];
                    return Some(half_spaces(planes[0], planes[1], place, error));
                }
                let (b, radius) = b.unrounded();
                if let Some(lowest) = lowest_of(&b, place, normal) {
                    return Some(half_space_and_corners(normal, offset, [lowest], radius, error));
                }
                let Some((core, own_radius)) = core_of(&b, place) else { return Some(Relation::Unsupported) };
                let corners = core.corners().iter().copied();
                return Some(half_space_and_corners(normal, offset, corners, own_radius + radius, error));
            }
            let ((a, extra_a), (b, extra_b)) = (a.unrounded(), b.unrounded());
            let (a, b) = (&*a, &*b);
            let identity = Relative { rotation: $identity, translation: $vector::ZERO };
            let (Some((core_a, radius_a)), Some((core_b, radius_b))) =
                (core_of(a, &identity), core_of(b, place))
            else {
                return match generally(a, b, place, [extra_a, extra_b], error, limit, &mut ()) {
                    Some(found) => found.map(Relation::Separated),
                    None => Some(Relation::Unsupported),
                };
            };
            let radii = [radius_a + extra_a, radius_b + extra_b];
            core::relate_within(&core_a, &core_b, radii, error, limit).map(Relation::Separated)
        }

        /// How two convex shapes relate whose kinds are in any order, seen from the first; `None` where it is
        /// cheaper to see that they are farther apart than `limit`.
        pub(crate) fn relate_in_any_order(
            a: &Shape<f64>,
            b: &Shape<f64>,
            place: &Place,
            error: f64,
            limit: f64,
        ) -> Option<Relation<$vector<f64>>> {
            if rank(a) <= rank(b) {
                return relate_within(a, b, place, error, limit);
            }
            Some(match relate_within(b, a, &place.inverse(), error, limit)? {
                Relation::Separated(found) => Relation::Separated(place.exchanged(found)),
                other => other,
            })
        }

        /// The general kernel for shapes that are not rounded, `extra` radii added: `None` for kinds that it
        /// does not know, `Some(None)` when they are farther apart than `limit`. `trace` watches.
        #[inline(never)] // it is large, and for these pairs a call costs nothing
        fn generally(
            a: &Shape<f64>,
            b: &Shape<f64>,
            place: &Place,
            extra: [f64; 2],
            error: f64,
            limit: f64,
            trace: &mut impl crate::gjk::Trace<$vector<f64>>,
        ) -> Option<Option<Separation<$vector<f64>>>> {
            let ((body_a, radius_a), (body_b, radius_b)) = (body_of(a)?, body_of(b)?);
            let radii = [radius_a + extra[0], radius_b + extra[1]];
            let columns = &place.rotation.columns;
            if let Some(found) = relate_coaxial(a, b, place, radii, error) {
                trace.axis(found.normal, 0.0 - found.separation);
                return Some((found.separation - found.error <= limit).then_some(found));
            }
            if let Some(found) = relate_solids((&body_a, &body_b), place, radii, error, limit, trace) {
                return Some(found);
            }
            Some(if body_a.is_curved() || body_b.is_curved() {
                convex_pair::relate(
                    &body_a,
                    &Posed::new(body_b, columns, place.translation),
                    radii,
                    error,
                    limit,
                    trace,
                )
            } else {
                let (flat_a, flat_b) = (Flat(body_a), Flat(body_b));
                convex_pair::relate(
                    &flat_a,
                    &Posed::new(flat_b, columns, place.translation),
                    radii,
                    error,
                    limit,
                    trace,
                )
            })
        }

        /// Whether two shapes go to the general kernel because at least one of them is curved.
        fn is_curved_pair(a: &Shape<f64>, b: &Shape<f64>) -> bool {
            let (a, b) = (a.unrounded().0, b.unrounded().0);
            let bodies = (body_of(&a), body_of(&b));
            matches!(bodies, (Some((a, _)), Some((b, _))) if a.is_curved() || b.is_curved())
        }

        /// How far apart shapes of such a pair in the canonical order are, with the error, where that can be known sooner than how deep they overlap: of those that
        /// do, any number of at most 0.
        fn gap_of_curved(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> Option<(f64, f64)> {
            let ((a, extra_a), (b, extra_b)) = (a.unrounded(), b.unrounded());
            let (a, b) = (&*a, &*b);
            let ((body_a, radius_a), (body_b, radius_b)) = (body_of(a)?, body_of(b)?);
            let radii = [radius_a + extra_a, radius_b + extra_b];
            if let Some(found) = relate_coaxial(a, b, place, radii, error) {
                return Some(found.without_points());
            }
            let body_b = Posed::new(body_b, &place.rotation.columns, place.translation);
            Some(convex_pair::gap(&body_a, &body_b, radii, error))
        }

        /// Whether they touch, where that can be known sooner than how far apart they are.
        #[inline(always)]
        fn touch(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> Option<bool> {
            if matches!(b, Shape::Ball(_)) {
                return None;
            }
            let identity = Relative { rotation: $identity, translation: $vector::ZERO };
            let ((a, extra_a), (b, extra_b)) = (a.unrounded(), b.unrounded());
            let (a, b) = (&*a, &*b);
            let (Some((core_a, radius_a)), Some((core_b, radius_b))) =
                (core_of(a, &identity), core_of(b, place))
            else {
                let ((body_a, radius_a), (body_b, radius_b)) = (body_of(a)?, body_of(b)?);
                let radii = [radius_a + extra_a, radius_b + extra_b];
                if let Some(found) = relate_coaxial(a, b, place, radii, error) {
                    return Some(found.separation <= 0.0);
                }
                if let Some(known) = touch_solids((&body_a, &body_b), place, radii, error) {
                    return Some(known);
                }
                let columns = &place.rotation.columns;
                let is_curved = body_a.is_curved() || body_b.is_curved();
                return Some(if is_curved {
                    let body_b = Posed::new(body_b, columns, place.translation);
                    convex_pair::touch(&body_a, &body_b, radii, error)
                } else {
                    let body_b = Posed::new(Flat(body_b), columns, place.translation);
                    convex_pair::touch(&Flat(body_a), &body_b, radii, error)
                });
            };
            Some(core::touch(&core_a, &core_b, [radius_a + extra_a, radius_b + extra_b], error))
        }

        /// Whether two convex shapes whose kinds are in any order, and of which one is curved, surely overlap by this much; `false` for other
        /// kinds, and where it is not known without a search for the depth.
        pub(crate) fn overlap_by(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64, depth: f64) -> bool {
            if rank(b) < rank(a) {
                return overlap_by(b, a, &place.inverse(), error, depth);
            }
            is_curved_pair(a, b)
                && gap_of_curved(a, b, place, error).is_some_and(|(gap, error)| gap + error <= -depth)
        }

        /// Whether two convex shapes touch whose kinds are in any order.
        pub(crate) fn touch_in_any_order(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> bool {
            if rank(b) < rank(a) {
                return touch_in_any_order(b, a, &place.inverse(), error);
            }
            match (a, b) {
                (Shape::Cuboid(a), Shape::Cuboid(b)) => return a.touch(b, place, error),
                (Shape::Cuboid(a), Shape::Capsule(b)) => return a.touch(b, place, error),
                (Shape::Capsule(a), Shape::Capsule(b)) => return a.touch(b, place, error),
                _ => {}
            }
            if let Some(known) = own_touch(a, b, place, error).or_else(|| touch(a, b, place, error)) {
                return known;
            }
            match relate(a, b, place, error) {
                Relation::Separated(found) => found.separation <= 0.0,
                Relation::Endless => true,
                Relation::Unsupported => false,
            }
        }

        /// The core and the radius of a shape that has them, in the frame of the pair.
        #[inline(always)]
        fn core_of(shape: &Shape<f64>, place: &Place) -> Option<(Core<$vector<f64>>, f64)> {
            let between = |a, b| Core::segment(place.point(a), place.point(b));
            match shape {
                Shape::Cuboid(cuboid) => Some((Core::cuboid(cuboid.half_extents(), place), 0.0)),
                Shape::Triangle(triangle) => {
                    let corners = triangle.corners().map(|corner| place.point(corner));
                    Some((Core::triangle(corners, normal_of(corners)), 0.0))
                }
                Shape::Capsule(capsule) => {
                    let segment = capsule.segment();
                    Some((between(segment.a(), segment.b()), capsule.radius()))
                }
                Shape::Segment(segment) => Some((between(segment.a(), segment.b()), 0.0)),
                _ => None,
            }
        }
    };
}

pub(crate) use pair_dispatch;
