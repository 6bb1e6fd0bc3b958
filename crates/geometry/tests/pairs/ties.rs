//! Features that are as near, or as deep, as others up to rounding: only one of them has the right points and the right normal.

use carom_geometry::{d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};

/// The least of n·(q − p) for corners p of a and q of b.
fn apart_along<V: Vector<Scalar = f64>>(n: V, a: &[V], b: &[V]) -> f64 {
    let highest = a.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
    b.iter().map(|q| n.dot(*q)).fold(f64::INFINITY, f64::min) - highest
}

/// An end of one rod is opposite a point of the other that is a little beside its end. Both are as far away in sixteen digits.
#[test]
fn a_foot_beside_an_end_has_the_normal_of_the_foot() {
    for exponent in 4..16 {
        let beside = 10_f64.powi(-exponent);
        for turn in [0.0, 0.4, 2.0] {
            let (sin, cos) = f64::sin_cos(turn);
            let solid = |x: f64, y: f64, z: f64| Vec3::new(x * cos - y * sin, x * sin + y * cos, z);
            let a = [solid(0.7, -1.3, 0.2), solid(beside, 0.0, 0.0)];
            let b = [solid(0.0, 1.25, 0.0), solid(1.6, 1.25, 0.0)];
            let rods = [a, b].map(|[p, q]| d3::Segment::new(p, q).unwrap());
            let found = d3::distance(&rods[0], [0.0; 3], &rods[1], [0.0; 3]).unwrap();
            let off = (apart_along(found.normal, &a, &b) - 1.25).abs();
            assert!(off <= 4e-15, "{beside:e} {turn}: {off:e} {found:?}");
            let [a, b] = [a, b].map(|ends| ends.map(|p| Vec2::new(p.x, p.y)));
            let rods = [a, b].map(|[p, q]| d2::Segment::new(p, q).unwrap());
            let found = d2::distance(&rods[0], [0.0; 2], &rods[1], [0.0; 2]).unwrap();
            let off = (apart_along(found.normal, &a, &b) - 1.25).abs();
            assert!(off <= 4e-15, "{beside:e} {turn}, plane: {off:e} {found:?}");
        }
    }
}

/// A needle has sides of an ulp and sides that are one but for an ulp. A corner is above one of them, and the others are as deep.
#[test]
fn of_sides_that_are_one_but_for_rounding_the_one_that_is_met_counts() {
    let polygon = |points: &[[f64; 2]]| d2::ConvexPolygon::from_hull(points.iter().copied()).unwrap();
    let chunk = polygon(&[
        [1.0, -1.0],
        [0.500_000_000_000_000_1, 1.0],
        [-0.499_999_999_999_999_94, 0.5],
        [0.499_999_999_999_999_94, 2.000_000_000_000_000_4],
        [-0.500_000_000_000_000_1, -1.0],
        [-1.0, -2.000_000_000_000_000_4],
    ]);
    let needle = polygon(&[
        [1.499_999_999_999_999_8, 2.0],
        [0.999_999_999_999_999_9, 1.499_999_999_999_999_8],
        [1.000_000_000_000_000_2, 1.5],
        [-1.5, -1.000_000_000_000_000_2],
        [0.999_999_999_999_999_9, 1.500_000_000_000_000_2],
        [-2.000_000_000_000_000_4, -1.5],
        [-2.0, -1.500_000_000_000_000_2],
        [-1.500_000_000_000_000_2, -1.000_000_000_000_000_2],
        [0.5, 1.000_000_000_000_000_2],
        [0.499_999_999_999_999_94, 1.000_000_000_000_000_2],
        [-1.499_999_999_999_999_8, -1.000_000_000_000_000_2],
    ]);
    let turned = |cos: f64, sin: f64, x: f64, y: f64| Pose2::new(Vec2::new(x, y), Rot2::from_parts(cos, sin));
    let here = turned(
        0.970_142_500_145_331_9,
        0.242_535_625_036_332_97,
        1.168_436_528_727_169_9,
        1.020_408_224_156_313_3,
    );
    let there = turned(-0.486_408_618_158_364_9, -0.873_731_455_414_803_1, 1.0, 1.631_278_799_454_769_5);
    for radius in [0.0, 1.0, 400.0] {
        let [a, b] = [(&chunk, 0.25), (&needle, radius)]
            .map(|(core, radius)| d2::Rounded::new(core.clone(), radius).unwrap());
        let found = d2::contact(&a, here, &b, there).unwrap().unwrap();
        let off = (found.point_a - found.normal * found.depth - found.point_b).length();
        assert!(off <= 1e-14 * (1.0 + radius), "{radius}: {off:e} {found:?}");
    }
}

/// How far the points of a contact are from being the depth apart along the normal.
fn off_the_normal(
    a: &d3::Rounded<f64>,
    pose_a: Pose3<f64>,
    b: &d3::Rounded<f64>,
    pose_b: impl Into<Pose3<f64>>,
) -> f64 {
    let found = d3::contact(a, pose_a, b, pose_b).unwrap().unwrap();
    (found.point_a - found.normal * found.depth - found.point_b).length()
}

/// A box of 10⁵ times its width beside a hull that is longer still: their edges are almost parallel, and it matters little which of their points are taken,
/// as long as they are the same.
#[test]
fn points_on_edges_that_are_almost_parallel_belong_together() {
    let plank = d3::Cuboid::new([0.25, 16.0, 0.064_924_208_028_937_53]).unwrap();
    let hull = d3::ConvexHull::new([
        [-2.0, -0.5, 10_000.0],
        [0.5, 2.0, 0.0],
        [-1.0, -1.0, 10_000.0],
        [0.5, -2.0, 5_000.0],
        [-1.0, 1.0, -10_000.0],
        [-0.5, 0.5, -20_000.0],
    ]);
    let hull = d3::Rounded::new(hull.unwrap(), 1.818_566_118_009_530_5).unwrap();
    let there = Vec3::new(-1.044_648_475_728_830_6, -1.752_170_477_203_667_3, -0.825_176_199_609_897);
    let plank = d3::Rounded::new(plank, 0.0).unwrap();
    let off = off_the_normal(&plank, Vec3::new(-2.0, 0.0, 1.0).into(), &hull, there);
    assert!(off <= 2e-10, "{off:e}");
}

/// A needle whose edges are one but for rounding, and not equally long, crosses the edge of a beam of 10⁶ times its width.
#[test]
fn of_the_edges_of_a_needle_one_that_is_long_enough_counts() {
    let beam = d3::Cuboid::new([3.0, 1.0, 1_035_379.579_204_844]).unwrap();
    let needle = d3::ConvexHull::new([
        [4.0, -2.999_999_999_999_999_6, 5.000_000_000_000_001],
        [-6.000_000_000_000_001, 2.0, -4.999_999_999_999_999],
        [2.000_000_000_000_000_4, -2.000_000_000_000_000_4, 2.999_999_999_999_999_6],
        [2.0, -2.0, 3.0],
        [6.0, -4.0, 7.0],
        [6.0, -4.0, 7.000_000_000_000_001],
        [-9.999_999_999_999_998, 4.0, -9.0],
    ]);
    let turn = Quat::from_parts([
        0.284_895_643_958_928_6,
        -0.425_441_318_456_259_3,
        -0.799_047_757_255_788_6,
        -0.315_209_197_562_383_47,
    ]);
    let slight = Quat::from_parts([
        -1.504_467_656_894_924e-9,
        1.041_295_661_940_741_3e-9,
        3.488_944_908_336_978e-10,
        1.0,
    ]);
    let beam = d3::Rounded::new(beam, 1.901_073_931_676_245_4).unwrap();
    let needle = d3::Rounded::new(needle.unwrap(), 0.5).unwrap();
    let here = Pose3::new(Vec3::new(-0.002, 1.0, 0.0), turn);
    let there = Pose3::new(Vec3::new(1.0, 0.5, 0.740_378_970_775_269_3), slight);
    let off = off_the_normal(&beam, here, &needle, there);
    assert!(off <= 7e-9, "{off:e}");
}

/// The axis of a capsule passes a triangle where two edges of the triangle are as near as each other up to rounding, and one of them is the right one.
#[test]
fn of_edges_of_a_triangle_that_are_as_near_the_one_that_is_met_counts() {
    let corners = [[2.0, -1.0, -2.0], [0.0, -0.5, -0.5], [-2.0, -1.0, -1.0]].map(Vec3::from);
    let triangle = d3::Triangle::new(corners[0], corners[1], corners[2]).unwrap();
    let ends = [[-1.0, -2.0, 0.0], [0.0, -1.0, 0.5]].map(Vec3::from);
    let radius = 2.288_112_556_057_216;
    let capsule = d3::Capsule::new(ends[0], ends[1], radius).unwrap();
    let slight = Quat::from_parts([
        3.068_166_720_853_371e-11,
        3.328_090_530_047_983e-11,
        -3.659_437_700_935_052e-11,
        1.0,
    ]);
    let quarter =
        Quat::from_parts([std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0]);
    let here = Pose3::new(Vec3::new(-2.0, -0.5, 0.5), slight);
    let there = Pose3::new(Vec3::new(-0.5, 1.0, 1.0), quarter);
    let found = d3::contact(&triangle, here, &capsule, there).unwrap().unwrap();
    let (a, b) = (corners.map(|p| here.point_to_world(p)), ends.map(|p| there.point_to_world(p)));
    let off = (radius - apart_along(found.normal, &a, &b) - found.depth).abs();
    assert!(off <= 1e-14, "{off:e} {found:?}");
}

/// An ulp apart, the way between a corner and an edge is rounding error. The normal has to be one along which there is a gap, or moving along it does
/// not separate.
#[test]
fn what_is_an_ulp_apart_has_a_normal_that_separates() {
    let hull = d3::ConvexHull::new([
        [1.0, 0.0, -0.5],
        [2.0, 1.0, -2.0],
        [-2.0, -0.5, -0.5],
        [-0.5, -1.0, 1.0],
        [0.0, 0.5, 0.5],
        [0.0, -2.0, -0.5],
        [0.0, 1.0, -0.5],
        [-2.0, 0.0, -2.0],
        [-0.5, -2.0, 1.0],
        [-2.0, 1.0, -2.0],
    ])
    .unwrap();
    let rod = d3::ConvexHull::new([[0.5, -2.0, 0.5], [1.0, 0.0, -0.5]]).unwrap();
    let half = 0.5_f64.sqrt();
    let here = Pose3::new([2.0, -0.5, -1.0], Quat::new(half, -half, 0.0, 0.0).unwrap());
    for ulps in 1..9 {
        let at = Vec3::new(2.0 - f64::from(ulps) * f64::EPSILON, -0.5, -1.0);
        let turn = Quat::new(0.0, 1.0, 0.0, 0.0).unwrap();
        let touch = d3::contact_within(&hull, here, &rod, Pose3::new(at, turn), 1.0).unwrap().unwrap();
        assert!(touch.depth.abs() <= 1e-14, "{ulps}: {touch:?}");
        for step in [1e-3, 0.1, 4.0] {
            let moved = Pose3::new(at + touch.normal * step, turn);
            let apart = d3::distance(&hull, here, &rod, moved).unwrap().distance;
            assert!((apart - step).abs() <= 1e-13, "{ulps} {step}: {apart} {touch:?}");
        }
    }
}
