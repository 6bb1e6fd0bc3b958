//! From a pair of kinds to the kernel that answers it, generated for both dimensions.
//!
//! | first (lends its frame) | second | kernel |
//! |---|---|---|
//! | anything | ball | the point of the first nearest to the centre |
//! | half-space | half-space | the slab between opposite ones |
//! | half-space | anything bounded | its lowest point |
//! | cuboid, capsule | cuboid, capsule | see [`super::meet`], where these and their pairs with balls go at once |
//! | cuboid, triangle, capsule, segment | cuboid, triangle, capsule, segment | separating axes of the cores, then nearest features |
//! | cylinder, cone | anything else | none |
//!
//! For concrete shapes the matches fold away.

/// The functions `rank`, `relate`, `touch` and `core_of` of a dimension.
///
/// The dimension supplies `nearest_point(&Shape, point)`, `lowest_of(&Shape, &Relative, normal)` for
/// bounded shapes without corners.
macro_rules! pair_dispatch {
    ($vector:ident, $identity:expr) => {
        type Place = Relative<$vector<f64>, Matrix>;

        /// The place of a kind in the canonical order: the first shape lends its frame.
        #[inline(always)]
        #[allow(unreachable_patterns)] // the plane has no other kinds
        fn rank(shape: &Shape<f64>) -> u8 {
            match shape {
                Shape::HalfSpace(_) => 0,
                Shape::Cuboid(_) => 2,
                Shape::Triangle(_) => 3,
                Shape::Capsule(_) => 4,
                Shape::Segment(_) => 5,
                Shape::Ball(_) => 6,
                _ => 1,
            }
        }

        /// How two shapes in the canonical order relate, seen from the first.
        #[inline(always)] // so that the kinds, where they are known, decide at compile time
        fn relate(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> Relation<$vector<f64>> {
            if let Shape::Ball(ball) = b {
                let center = place.translation;
                return Relation::Separated(with_ball(
                    nearest_point(a, center),
                    center,
                    ball.radius(),
                    error,
                ));
            }
            if let Shape::HalfSpace(plane) = a {
                let (normal, offset) = (plane.normal(), plane.offset());
                if let Shape::HalfSpace(other) = b {
                    return half_spaces((normal, offset), (other.normal(), other.offset()), place, error);
                }
                if let Some(lowest) = lowest_of(b, place, normal) {
                    return half_space_and_corners(normal, offset, [lowest], 0.0, error);
                }
                let Some((core, radius)) = core_of(b, place) else { return Relation::Unsupported };
                return half_space_and_corners(normal, offset, core.corners().iter().copied(), radius, error);
            }
            let identity = Relative { rotation: $identity, translation: $vector::ZERO };
            let (Some((core_a, radius_a)), Some((core_b, radius_b))) =
                (core_of(a, &identity), core_of(b, place))
            else {
                return Relation::Unsupported;
            };
            Relation::Separated(core::relate(&core_a, &core_b, [radius_a, radius_b], error))
        }

        /// Whether they touch, where that can be known sooner than how far apart they are.
        #[inline(always)]
        fn touch(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> Option<bool> {
            if matches!(b, Shape::Ball(_)) {
                return None;
            }
            let identity = Relative { rotation: $identity, translation: $vector::ZERO };
            let ((core_a, radius_a), (core_b, radius_b)) = (core_of(a, &identity)?, core_of(b, place)?);
            Some(core::touch(&core_a, &core_b, [radius_a, radius_b], error))
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
