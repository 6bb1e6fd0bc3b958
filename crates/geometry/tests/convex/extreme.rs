//! Shapes as small, as thin and as large as numbers can tell, most of them found by fuzzing.

use super::named::pose;
use carom_geometry::{d2, d3};
use carom_math::{Pose2, Pose3, Real, Rot2, Vector};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::sqrt_bounds;

const ORIGIN: [f64; 3] = [0.0; 3];

/// Found by fuzzing: next to the centre of an ellipsoid by less than squares can hold, its nearest point
/// was outside of it.
#[test]
fn a_speck_beside_the_centre_of_an_ellipsoid_is_its_centre() {
    let egg = d3::Ellipsoid::new([0.5, 0.5, 1.0]).unwrap();
    for speck in [0.0, 5.901205315e-315, 1e-300, 1e-160, 1e-100] {
        for point in [[speck, 0.0, 0.0], [speck, -speck, 0.0], [-speck, speck, speck], [0.0, 0.0, speck]] {
            let found = d3::closest_point(&egg, ORIGIN, point).unwrap();
            assert_eq!((found.distance, found.inside), (-0.5, true), "{point:?} {found:?}");
        }
    }
}

/// Found by fuzzing: a cone among the subnormal numbers, rounded by an ordinary radius, had a normal that was
/// not of unit length.
#[test]
fn a_rounded_speck_of_a_cone_has_a_unit_normal() {
    let speck = d3::Cone::new(f64::from_bits(1), f64::from_bits(39)).unwrap();
    let rounded = d3::Rounded::new(speck, 2.8125).unwrap();
    let found = d3::distance(&rounded, ORIGIN, &d3::Ball::new(0.0).unwrap(), ORIGIN).unwrap();
    assert!((found.normal.dot(found.normal) - 1.0).abs() <= 1e-15, "{found:?}");
}

/// Faces whose edges are among the subnormal numbers have unit normals all the same.
#[test]
fn normals_beside_subnormal_edges_are_unit_vectors() {
    let is_unit = |squared: f64| (squared - 1.0).abs() <= 8.0 * f64::EPSILON;
    let sliver = [[0.0, 0.0, 0.0], [9.5e-322, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, 0.5, 1.0]];
    let (sliver, point) = (d3::ConvexHull::new(sliver).unwrap(), d3::Ball::new(0.0).unwrap());
    let met = d3::contact(&sliver, ORIGIN, &point, ORIGIN).unwrap().unwrap();
    assert!(is_unit(met.normal.dot(met.normal)), "{met:?}");

    let corners = [
        vec![[-2e-323, 5e-324], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
        vec![[-3.9231885846166755e56, 0.0], [-5.081170449047601e-262, -5.081170449047601e-262], [0.0, 0.0]],
    ];
    for corners in corners {
        let (polygon, ball) = (d2::ConvexPolygon::new(corners).unwrap(), d2::Ball::new(0.375).unwrap());
        let met = d2::contact(&polygon, [0.0; 2], &ball, [0.0; 2]).unwrap().unwrap();
        assert!(is_unit(met.normal.dot(met.normal)), "{met:?}");
    }
    // A ball in other words, seen from a hair beside its centre.
    let ball = d2::Rounded::new(d2::Cuboid::new([0.0, 0.0]).unwrap(), 4.5625).unwrap();
    let turned = Pose2::new([2.3e-322, 0.0], Rot2::from_cos_sin(8.0, 1.0).unwrap());
    for found in [
        d2::closest_point(&ball, turned, [0.0, 0.0]).unwrap(),
        d2::closest_point(&d2::Ball::new(4.5625).unwrap(), turned, [0.0, 0.0]).unwrap(),
    ] {
        assert!((Vector::length(found.point) - 4.5625_f64).abs() <= 16.0 * f64::EPSILON, "{found:?}");
    }
}

/// Found by fuzzing: beside faces whose determinants underflow, everything was inside.
#[test]
fn outside_of_a_hull_of_subnormal_thickness_is_outside() {
    let leaf = [[-0.5, 1.5e-323, 1.5e-323], [0.0, 0.0, 0.0], [0.0, 0.0, 1.5e-323], [1.5e-323, 5e-324, 1.0]];
    let leaf = d3::ConvexHull::new(leaf).unwrap();
    let found = d3::closest_point(&leaf, ORIGIN, [0.0, 0.0, -0.5]).unwrap();
    assert!(!found.inside && (found.distance - 0.5).abs() <= 1e-15, "{found:?}");
    let leaf = d2::ConvexPolygon::<f64>::new([[-0.5, 0.0], [0.0, 5e-324], [1.5e-323, 0.0]]).unwrap();
    let found = d2::closest_point(&leaf, [0.0; 2], [0.5, 0.0]).unwrap();
    assert!(!found.inside && (found.distance - 0.5).abs() <= 1e-15, "{found:?}");
}

/// Found by fuzzing: the normal of a face with a subnormal edge had no digits, and led away from the hull.
#[test]
fn a_corner_of_a_hull_with_a_subnormal_edge_is_its_own_closest_point() {
    let hulls = [
        [[-0.5, 554.764287, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 3.26e-322], [0.0, 0.5000000000000002, 0.5]],
        [[-0.5, -1.75, 0.5], [0.0, -7.5, -3.0625], [0.0, 0.0, 0.0], [5e-324, 2.225073858507201e-308, 0.0]],
        [[0.0, 0.0, 0.0], [0.7, 0.0, 0.0], [0.3, 1e-320, 2e-320], [0.3, 1.0, 0.7]],
    ];
    for hull in hulls {
        let hull = d3::ConvexHull::new(hull).unwrap();
        let found = d3::closest_point(&hull, ORIGIN, ORIGIN).unwrap();
        let off = found.point.max_abs().max(found.distance.abs());
        assert!(found.inside && off <= 1e-13, "{hull:?} {found:?}");
    }
}

/// Found by fuzzing: seen at the scale of a subnormal radius, everything is infinitely far away.
#[test]
fn a_subnormal_ellipse_inside_of_a_large_rounding_is_a_point() {
    let radius = f64::from(f32::MAX);
    let dot = d2::Rounded::new(d2::Ellipsoid::new([5e-324, 0.0]).unwrap(), radius).unwrap();
    let (ball, at) = (d2::Ball::new(1.3125).unwrap(), [0.0, -2.0]);
    let there = [-0.49999999999999994, 2.0];
    assert!(d2::intersects(&dot, there, &ball, at).unwrap());
    let found = d2::contact(&dot, there, &ball, at).unwrap().unwrap();
    assert!((found.depth - radius).abs() <= 4.0 * f64::EPSILON * radius, "{found:?}");
    let found = d2::closest_point(&d2::Ellipsoid::new([5e-324, 0.0]).unwrap(), [0.0; 2], [3.0, 4.0]).unwrap();
    assert_eq!((found.distance, found.inside), (5.0, false));
}

/// Found by fuzzing: from centres that are one subnormal number apart there seemed to be no way on, and what crosses in
/// the middle was apart.
#[test]
fn what_crosses_beside_its_centre_overlaps() {
    let (plank, stick) = (d2::Cuboid::new([0.0, 133.89175]), d2::Ellipsoid::new([0.0, 1.0]));
    let (plank, stick) = (plank.unwrap(), d2::Rounded::new(stick.unwrap(), 0.3125).unwrap());
    for beside in [5e-324, 1e-320, 1e-300, 1e-160, 0.0] {
        let turned = Pose2::new([0.0, beside], Rot2::from_cos_sin(1.0, 2.0).unwrap());
        assert!(d2::intersects(&plank, turned, &stick, [0.0; 2]).unwrap());
        assert_eq!(d2::distance(&plank, turned, &stick, [0.0; 2]).unwrap().distance, 0.0);
        // Across the plank, half of the stick and its rounding.
        let depth = d2::contact(&plank, turned, &stick, [0.0; 2]).unwrap().unwrap().depth;
        assert!((depth - (2.0 / 5.0_f64.sqrt() + 0.3125)).abs() <= 1e-12, "{depth}");
    }
    let wall = d3::Cuboid::new([0.0, f64::from(f32::MAX), 0.5]).unwrap();
    let ball = d3::Rounded::new(d3::Ellipsoid::new([0.5; 3]).unwrap(), 0.5).unwrap();
    let turned = pose([-5e-324, 0.0, 0.0], [0.0, 0.0, 1.4901161193847656e-8, 1.0]);
    assert!(d3::intersects(&wall, turned, &ball, ORIGIN).unwrap());
    assert!(d3::contact(&ball, ORIGIN, &wall, turned).unwrap().is_some());
}

/// Found by fuzzing: where the thickness of a hull is nothing beside its length, whatever was in its plane was inside.
#[test]
fn a_hull_that_is_too_thin_for_its_length_is_a_sheet() {
    let long = 1.6340899438724717e69_f64;
    let corners = [[-1.0, long, long], [0.0; 3], [4.1875, -1.0, -1.0], [long, 4.96001786990876e-310, 0.0]];
    let found =
        d3::closest_point(&d3::ConvexHull::new(corners).unwrap(), [long, 0.0, 0.0], [-1.0; 3]).unwrap();
    assert!(!found.inside && (found.distance / long - 1.0).abs() <= 1e-15, "{found:?}");

    let (high, far) = (3.334007216439927e240, 5.087291284850963e235);
    let (base, tip) =
        ([[-1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [4.0, 0.0, -0.5]], [-0.5, f64::MIN_POSITIVE, high]);
    let spire = d3::ConvexHull::new(base.into_iter().chain([tip, [0.5, 5e-324, 1.0]])).unwrap();
    let found = d3::closest_point(&d3::Rounded::new(spire, 256.0).unwrap(), ORIGIN, [far, 0.0, 0.0]).unwrap();
    assert!(!found.inside && (found.distance / far - 1.0).abs() <= 1e-9, "{found:?}");
}

/// The same in the plane.
#[test]
fn a_polygon_that_is_too_thin_for_its_length_is_a_segment() {
    let blade = d2::ConvexPolygon::new([[0.0, 0.0], [1e240_f64, 0.0], [1.0, 1e-320]]).unwrap();
    let found = d2::closest_point(&blade, [0.0; 2], [-3e239, 0.0]).unwrap();
    assert!(!found.inside && (found.distance / 3e239 - 1.0).abs() <= 1e-15, "{found:?}");
    let found = d2::closest_point(&blade, [0.0; 2], [3e239, 0.0]).unwrap();
    assert!(found.inside && found.distance == 0.0, "{found:?}");
}

/// Found by fuzzing: a face of so little area, at the scale of a distant point, that its square is zero.
#[test]
fn a_face_as_narrow_as_its_hull_is_long_has_two_sides() {
    let (high, wide) = (1.7479799754928565e246, f64::from(f32::MAX));
    let corners =
        [[0.0, -0.5, -0.5], [0.0, -0.5, high], [0.0, 0.0, -0.5], [0.0, 0.5, 0.0], [wide, 0.048828125, 0.5]];
    let far = 6.991919901971426e246;
    let found =
        d3::closest_point(&d3::ConvexHull::new(corners).unwrap(), [far, -0.5, 0.0], [0.0; 3]).unwrap();
    assert!(!found.inside && (found.distance / far - 1.0).abs() <= 1e-15, "{found:?}");
}

/// The centre of a hull of subnormal size is rounded by as much as the hull is large.
#[test]
fn the_ball_around_a_subnormal_hull_contains_it() {
    let point = d3::ConvexHull::new([[0.0_f64; 3]]).unwrap();
    let needle = d3::ConvexHull::new([[0.0; 3], [0.0, 0.0, 4.444e-320]]).unwrap();
    let at = Pose3::default();
    assert!(d3::intersects(&point, at, &needle, at).unwrap());
    assert_eq!(d3::distance(&point, at, &needle, at).unwrap().distance, 0.0);
    let dot = d2::ConvexPolygon::from_hull([[0.0_f64; 2]]).unwrap();
    let flat = d2::ConvexPolygon::from_hull([[0.0; 2], [0.0, 4.444e-320]]).unwrap();
    let at = Pose2::default();
    assert!(d2::intersects(&dot, at, &flat, at).unwrap());
    assert_eq!(d2::distance(&dot, at, &flat, at).unwrap().distance, 0.0);
}

/// Whether two shapes at the origin touch: what all questions say, in either order.
fn touches<T: Real>(a: &d3::Shape<T>, b: &d3::Shape<T>) -> bool {
    let at = Pose3::<T>::default();
    let answer = d3::intersects(a, at, b, at).unwrap();
    for (a, b) in [(a, b), (b, a)] {
        assert_eq!(d3::intersects(a, at, b, at).unwrap(), answer);
        assert_eq!(d3::distance(a, at, b, at).unwrap().distance == T::ZERO, answer);
        assert_eq!(d3::gap(a, at, b, at).unwrap().distance == T::ZERO, answer);
        assert_eq!(d3::contact(a, at, b, at).unwrap().is_some(), answer);
        assert_eq!(d3::manifold(a, at, b, at).unwrap().is_some(), answer);
    }
    answer
}

/// Found by fuzzing: twice the precision of the coordinates is not enough for the plane of a needle, and a wrong plane of a
/// face was far away from its own hull.
#[test]
fn needles_that_are_as_thin_as_numbers_can_tell_have_faces() {
    let needle = [[-0.983041, 0.5, f64::from(f32::MAX)], [f64::from(f32::MIN_POSITIVE), 0.0, 0.0], ORIGIN];
    let needle = d3::Rounded::new(d3::ConvexHull::new(needle).unwrap(), 0.5).unwrap().into();
    let plate = d3::Rounded::new(d3::Cuboid::new([1.0, 1.0, 0.0]).unwrap(), 1.0).unwrap().into();
    assert!(touches::<f64>(&plate, &needle));
    let found = d3::contact(&plate, ORIGIN, &needle, ORIGIN).unwrap().unwrap();
    assert!((found.depth, found.normal.z) == (1.5, 1.0) && found.point_b.max_abs() <= 2.0, "{found:?}");

    // Where they touch, if they do, is a matter of 10⁻¹⁶ beside 10¹⁶.
    let far = [-72_057_594_037_927_936.0_f32, 2.0, -1.0];
    let corners = [[-1.0, 0.0, 0.0], [0.5, 0.0, 0.0], [2.25, 2.0, 0.5], far, [0.5, -2.350_952_8e-38, 0.0]];
    let rod = d3::ConvexHull::new([[0.0_f32, 2.0, 0.0], [-2.0, 2.0, 0.5]]).unwrap().into();
    touches(&rod, &d3::ConvexHull::new(corners).unwrap().into());
}

/// Found by fuzzing: two faces of a sliver look in opposite directions, and the chord between their normals leads through
/// the middle of the sphere: the axis across the edge between them was missed.
#[test]
fn the_edges_of_a_sliver_have_axes() {
    let least = f64::from(f32::from_bits(1));
    let sliver = [
        [-1.0, 2.0, -1.0],
        [-1.0, -2.0, least],
        [0.5, -1.0, -1.0],
        [-7.896958937254481e-84, -2.5999332965616056e-47, -1.0],
    ];
    let sheet = [[least, -4.6875, 3.125732421875], [-2.0, -2.0, 0.0], ORIGIN];
    let [low, high] = sqrt_bounds(&Convex::hull(&sliver).distance_squared(&Convex::hull(&sheet)));
    let (sliver, sheet) = (d3::ConvexHull::new(sliver).unwrap(), d3::ConvexHull::new(sheet).unwrap());
    let apart = d3::distance(&sliver, ORIGIN, &sheet, ORIGIN).unwrap();
    assert!(0.2 < low && apart.lower <= high && low <= apart.upper, "{low} {apart:?}");
    assert!(!touches::<f64>(&sliver.into(), &sheet.into()));
}

/// Found by fuzzing: next to the largest numbers the nearest points were out of range, and the gap was refused with them.
#[test]
fn a_gap_is_known_where_its_points_are_out_of_range() {
    // In halves of all lengths nothing is out of range.
    let room = |half: f64| {
        let (most, wide) = (f64::MAX * half, f64::from(f32::MAX));
        let corners = [
            [0.0; 3],
            [1.862_645_149_230_957e-9, 0.0, 0.0],
            [0.0, 1.0_f64.step_down(), 2.0],
            [0.0, 2.0, 2.0],
        ];
        let hull = d3::ConvexHull::new(corners.map(|corner| corner.map(|x| x * half))).unwrap();
        let a = d3::Rounded::new(hull, 2.0_f64.step_down() * half).unwrap();
        let b = d3::Rounded::new(d3::Cylinder::new(most, most).unwrap(), 0.0).unwrap();
        let pose_a = pose([-most; 3], [wide, -f64::MAX, -f64::MAX, -f64::MAX]);
        let pose_b = pose([-most, wide * half, 0.0], [-f64::MAX, -f64::MAX, 1.0 + f64::EPSILON, -f64::MAX]);
        (d3::gap(&a, pose_a, &b, pose_b), d3::intersects(&a, pose_a, &b, pose_b))
    };
    let plane = |half: f64| {
        let (most, high) = (f64::MAX * half, 2.042_169_345_460_885_8e301 * half);
        let a = d2::Cuboid::new([0.0, f64::from_bits(2) * half]).unwrap();
        let disc = d2::Ellipsoid::new([most, most]).unwrap();
        let b = d2::Rounded::new(disc, 4.015_869_140_625 * half).unwrap();
        let pose_a = Pose2::new([-most, high], Rot2::from_cos_sin(-1.0, -1.0).unwrap());
        let pose_b = Pose2::new([1e-200 * half, 0.0], Rot2::from_cos_sin(1.0, 0.015_625).unwrap());
        (d2::gap(&a, pose_a, &b, pose_b), d2::intersects(&a, pose_a, &b, pose_b))
    };
    for [(whole, touches), (half, half_touches)] in [[room(1.0), room(0.5)], [plane(1.0), plane(0.5)]] {
        let (whole, half) = (whole.unwrap(), half.unwrap());
        let doubled = [half.distance, half.lower, half.upper].map(|x| 2.0 * x);
        assert_eq!([whole.distance, whole.lower, whole.upper], doubled);
        assert_eq!((touches, half_touches), (Ok(whole.distance == 0.0), Ok(whole.distance == 0.0)));
        // Nobody can tell whether they touch.
        assert!(whole.lower == 0.0 && 0.0 < whole.upper);
    }
}

/// Found by fuzzing: a box of the plane that is nothing beside its distance has sides that rounding turns, and one of them was taken for flush with a side of a polygon.
#[test]
fn specks_have_no_flush_sides() {
    let turn = Rot2::from_cos_sin(2.0, 1.0).unwrap();
    let mut k = 1.0_f64;
    for _ in 0..40 {
        k *= 0.1;
        let speck = d2::Cuboid::new([5.77 * k, 1546.7 * k]).unwrap();
        let corners = [[-4.335 * k, 5.584 * k], [2.0 * k, 2.0 * k]];
        let (polygon, segment) =
            (d2::ConvexPolygon::new(corners).unwrap(), d2::Segment::new(corners[0], corners[1]).unwrap());
        let pose = Pose2::new([1761.0, 0.0], turn);
        let found = d2::distance(&speck, pose, &polygon, Pose2::IDENTITY).unwrap();
        // As a segment, it goes another way.
        let truth = d2::distance(&speck, pose, &segment, Pose2::IDENTITY).unwrap();
        assert!(found.lower <= truth.upper && truth.lower <= found.upper, "{k} {found:?} {truth:?}");
        let round = d2::Rounded::new(d2::Shape::from(polygon), 1750.0).unwrap();
        let near = d2::distance(&speck, pose, &round, Pose2::IDENTITY).unwrap();
        let touches = d2::intersects(&speck, pose, &round, Pose2::IDENTITY).unwrap();
        assert_eq!(near.distance == 0.0, touches, "{k} {near:?}");
        assert!(touches || (near.upper - truth.lower + 1750.0).abs() <= 1e-9, "{k} {near:?}");
    }
}
