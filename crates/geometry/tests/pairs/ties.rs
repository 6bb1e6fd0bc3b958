//! Features that are as near, or as deep, as others up to rounding: only one of them has the right points and the right normal.

use carom_geometry::{d2, d3};
use carom_math::{Pose2, Rot2, Vec2, Vec3, Vector};

/// The least of n·(q − p) for corners p of a and q of b.
fn apart_along<V: Vector<Scalar = f64>>(n: V, a: [V; 2], b: [V; 2]) -> f64 {
    let ([p, q], [r, s]) = (a.map(|p| n.dot(p)), b.map(|p| n.dot(p)));
    r.min(s) - p.max(q)
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
            let off = (apart_along(found.normal, a, b) - 1.25).abs();
            assert!(off <= 4e-15, "{beside:e} {turn}: {off:e} {found:?}");
            let [a, b] = [a, b].map(|ends| ends.map(|p| Vec2::new(p.x, p.y)));
            let rods = [a, b].map(|[p, q]| d2::Segment::new(p, q).unwrap());
            let found = d2::distance(&rods[0], [0.0; 2], &rods[1], [0.0; 2]).unwrap();
            let off = (apart_along(found.normal, a, b) - 1.25).abs();
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
