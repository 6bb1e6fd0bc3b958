//! Point clouds of every kind against exact rational answers.

use super::super::{Block, Cloud, Posed, Simplex, Status, Trace, Vertex, Warm, distance, penetration};
use super::{FromArray, apart, deep, vectors};
use carom_math::{Quat, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{self, Rng, box_corners};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{exact, f64_above, f64_below, pose3, sqrt_bounds, sqrt_error};

/// Two point sets in one of many relations.
fn pair<const D: usize>(rng: &mut Rng) -> [Vec<[f64; D]>; 2] {
    let (n, m) = (1 + rng.below(12), 1 + rng.below(12));
    let a: Vec<[f64; D]> = generate::points(rng, n);
    let mut b: Vec<[f64; D]> = generate::points(rng, m);
    match rng.below(10) {
        0 => b = a.clone(),
        1 => b = a.iter().map(|p| p.map(|x| x * 0.5)).collect(),
        2 => b = a.iter().map(|p| p.map(|x| -x)).collect(),
        3 => {
            // A common vertex.
            let shift: [f64; D] = std::array::from_fn(|i| a[0][i] - b[0][i]);
            b.iter_mut().for_each(|p| *p = std::array::from_fn(|i| p[i] + shift[i]));
        }
        4 => {
            let (box_a, box_b, _) = generate::touching_boxes::<D>(rng);
            return [box_a.corners(), box_b.corners()];
        }
        5 => {
            let (box_a, box_b, _) = generate::touching_boxes::<D>(rng);
            let mut corners = box_b.corners();
            generate::nudge_one(rng, &mut corners);
            return [box_a.corners(), corners];
        }
        6 => {
            // Slabs and needles.
            let (box_a, box_b, _) = generate::touching_boxes::<D>(rng);
            let (axis, factor) = (rng.below(D), rng.pick(&[1e-6, 1e6, 1e-3]));
            let press = |mut points: Vec<[f64; D]>| {
                points.iter_mut().for_each(|p| p[axis] *= factor);
                points
            };
            return [press(box_a.corners()), if rng.one_in(2) { press(box_b.corners()) } else { b }];
        }
        _ => {}
    }
    [a, b]
}

/// The largest distance of a point from the origin, or `None` outside of the band in which the pair
/// queries call the kernels.
fn size_of<V: Vector<Scalar = f64>>(a: &[V], b: &[V]) -> Option<f64> {
    let size = a.iter().chain(b).fold(0.0_f64, |size, p| size.max(p.length()));
    (crate::scale::rescaling(size).is_none() && size != 0.0).then_some(size)
}

fn agrees_with_exact_answers<V: FromArray<D>, const D: usize>(seed: u64, cases: usize) {
    let mut rng = Rng::new(seed);
    for case in 0..cases {
        let [a, b] = pair::<D>(&mut rng);
        let (exact_a, exact_b) = (Convex::hull(&a), Convex::hull(&b));
        let (points_a, points_b): (Vec<V>, Vec<V>) = (vectors(&a), vectors(&b));
        let Some(size) = size_of(&points_a, &points_b) else { continue };
        let (a, b) = (Cloud::new(&points_a), Cloud::new(&points_b));

        let found = apart(&a, &b);
        let squared = exact_a.distance_squared(&exact_b);
        let [low, high] = sqrt_bounds(&squared);
        assert!(found.lower <= high && low <= found.upper, "case {case}: {found:?} against {low}");
        assert!(sqrt_error(found.distance, &squared) <= 4e-15 * size, "case {case}: {found:?} against {low}");
        assert!(found.upper - found.lower <= 4e-14 * size, "case {case}: {found:?}");
        assert!(found.iterations <= 20, "case {case}: {} steps", found.iterations);
        assert!(
            found.status != Status::Closest || (found.point_a - found.point_b).length() <= found.upper,
            "case {case}: {found:?}"
        );
        if found.status == Status::Closest {
            continue;
        }

        let squared = exact_a.depth_squared(&exact_b).unwrap_or_default();
        let [low, high] = sqrt_bounds(&squared);
        let found = deep(&a, &b);
        assert!(found.lower <= high && low <= found.upper, "case {case}: {found:?} against {low}");
        assert!(
            sqrt_error(found.depth.max(0.0), &squared) <= 1e-14 * size,
            "case {case}: {found:?} against {low}"
        );
        assert!(found.upper - found.lower <= 4e-14 * size, "case {case}: {found:?}");
        assert!(found.iterations <= 60, "case {case}: {} steps", found.iterations);
        // Moving by normal·upper separates, exactly.
        let overlap = f64_below(&exact_a.overlap_along(&exact_b, &found.normal.to_array()));
        assert!(overlap <= found.upper * (1.0 + 1e-15), "case {case}: {found:?} against {overlap}");
        let gap = (found.point_a - found.point_b - found.normal * found.depth).length();
        assert!(gap <= 1e-13 * size, "case {case}: {found:?} {gap}");
    }
}

#[test]
fn polygons_agree_with_exact_answers() {
    agrees_with_exact_answers::<Vec2<f64>, 2>(1, 2500);
}

#[test]
fn polyhedra_agree_with_exact_answers() {
    agrees_with_exact_answers::<Vec3<f64>, 3>(2, 2500);
}

#[test]
fn lattice_boxes_touch_exactly() {
    fn check<V: FromArray<D>, const D: usize>(rng: &mut Rng) {
        for _ in 0..500 {
            let (a, b, _) = generate::touching_boxes::<D>(rng);
            let (a, b): (Vec<V>, Vec<V>) = (vectors(&a.corners()), vectors(&b.corners()));
            let (a, b) = (Cloud::new(&a), Cloud::new(&b));
            let found = apart(&a, &b);
            assert!(found.distance == 0.0 && found.status != Status::Closest, "{found:?}");
            let found = deep(&a, &b);
            assert!(found.depth == 0.0, "{found:?}");
        }
    }
    check::<Vec2<f64>, 2>(&mut Rng::new(3));
    check::<Vec3<f64>, 3>(&mut Rng::new(4));
}

#[test]
fn scaling_by_powers_of_two_is_exact() {
    fn check<V: FromArray<D>, const D: usize>(rng: &mut Rng) {
        for _ in 0..400 {
            let [a, b] = pair::<D>(rng);
            let (a, b): (Vec<V>, Vec<V>) = (vectors(&a), vectors(&b));
            let Some(size) = size_of(&a, &b) else { continue };
            // One-ulp nudges of zero leave subnormal numbers, which do not scale.
            let survives = |x: f64| x == 0.0 || 1e-200 < x.abs();
            if 1e12 < size || !a.iter().chain(&b).all(|p| p.to_array().into_iter().all(survives)) {
                continue;
            }
            let factor = power_of_two(rng.between(-40, 40));
            let scaled = |points: &[V]| points.iter().map(|&p| p * factor).collect::<Vec<_>>();
            let (large_a, large_b) = (scaled(&a), scaled(&b));
            let (a, b, large_a, large_b) =
                (Cloud::new(&a), Cloud::new(&b), Cloud::new(&large_a), Cloud::new(&large_b));
            let (plain, large) = (apart(&a, &b), apart(&large_a, &large_b));
            assert_eq!((plain.distance * factor, plain.normal), (large.distance, large.normal));
            assert_eq!((plain.lower * factor, plain.upper * factor), (large.lower, large.upper));
            let (plain, large) = (deep(&a, &b), deep(&large_a, &large_b));
            assert_eq!((plain.depth * factor, plain.normal), (large.depth, large.normal));
            assert_eq!((plain.point_a * factor, plain.point_b * factor), (large.point_a, large.point_b));
        }
    }
    check::<Vec2<f64>, 2>(&mut Rng::new(5));
    check::<Vec3<f64>, 3>(&mut Rng::new(6));
}

#[test]
fn stale_starts_and_swapped_roles_change_nothing_but_time() {
    fn check<V: FromArray<D>, const D: usize>(rng: &mut Rng) {
        for _ in 0..1500 {
            let [a, b] = pair::<D>(rng);
            let (a, b): (Vec<V>, Vec<V>) = (vectors(&a), vectors(&b));
            let Some(size) = size_of(&a, &b) else { continue };
            let (a, b) = (Cloud::new(&a), Cloud::new(&b));
            let cold = apart(&a, &b);
            let count = rng.below(5);
            let mut directions = [V::ZERO; 4];
            directions.iter_mut().for_each(|d| *d = V::from_array(generate::direction(rng)));
            let stale = distance(&a, &b, Some(&Warm { directions, count }), f64::INFINITY, &mut ());
            let again = distance(&a, &b, Some(&cold.warm()), f64::INFINITY, &mut ());
            let swapped = apart(&b, &a);
            for other in [stale, again, swapped] {
                assert!((cold.distance - other.distance).abs() <= 1e-14 * size, "{cold:?} {other:?}");
                assert!(other.upper - other.lower <= 4e-14 * size, "{other:?}");
            }
            if cold.status == Status::Overlap && stale.status == Status::Overlap {
                let depth = |simplex| penetration(&a, &b, simplex, &mut ()).depth;
                let (cold, stale, none) =
                    (depth(&cold.simplex), depth(&stale.simplex), depth(&Simplex::EMPTY));
                assert!((cold - stale).abs() <= 1e-14 * size && (cold - none).abs() <= 1e-14 * size);
            }
        }
    }
    check::<Vec2<f64>, 2>(&mut Rng::new(7));
    check::<Vec3<f64>, 3>(&mut Rng::new(8));
}

#[test]
fn a_limit_stops_early_with_a_proof() {
    let mut rng = Rng::new(9);
    let mut stopped = 0;
    for _ in 0..500 {
        let [a, b] = pair::<3>(&mut rng);
        let (a, b): (Vec<Vec3<f64>>, Vec<Vec3<f64>>) = (vectors(&a), vectors(&b));
        let (a, b) = (Cloud::new(&a), Cloud::new(&b));
        let full = apart(&a, &b);
        let limited = distance(&a, &b, None, full.distance * 0.5, &mut ());
        if full.status == Status::Closest {
            assert!(limited.lower <= full.upper && full.lower <= limited.upper);
            stopped += u32::from(limited.status == Status::Separated && limited.iterations < full.iterations);
        }
        let beyond = distance(&a, &b, None, full.upper, &mut ());
        assert!(beyond.status != Status::Separated);
    }
    assert!(50 < stopped, "{stopped}");
}

#[test]
fn turned_boxes_agree_with_exact_answers() {
    let mut rng = Rng::new(10);
    for case in 0..400 {
        let half: [[f64; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| generate::length(&mut rng)));
        let turn = generate::unit_quaternion(&mut rng);
        let reach = half[0][0] + half[1][0];
        let shift: [f64; 3] = std::array::from_fn(|_| rng.uniform(-reach, reach));
        let exact_a = Convex::hull(&box_corners(half[0]));
        let exact_b = Convex::hull(&pose3(turn, shift).points(&box_corners(half[1])));
        let [x, y, z, w] = turn;
        let matrix = Quat::new(x, y, z, w).unwrap().to_matrix();
        let a = Block(Vec3::from(half[0]));
        let b = Posed::new(Block(Vec3::from(half[1])), &matrix.columns, Vec3::from(shift));
        let found = apart(&a, &b);
        let [low, high] = sqrt_bounds(&exact_a.distance_squared(&exact_b));
        assert!(found.lower <= high && low <= found.upper, "case {case}: {found:?} against {low}");
        if found.status != Status::Closest {
            let found = deep(&a, &b);
            let [low, high] = sqrt_bounds(&exact_a.depth_squared(&exact_b).unwrap_or_default());
            assert!(found.lower <= high && low <= found.upper, "case {case}: {found:?} against {low}");
            let overlap = exact_a.overlap_along(&exact_b, &found.normal.to_array());
            assert!(overlap <= exact(found.upper) * exact(1.0 + 1e-15), "{} {found:?}", f64_above(&overlap));
        }
    }
}

/// Hulls of many vertices, too many for the exact depth. The bounds prove the answer, and the deepest
/// overlap of concentric ones is the hardest: hundreds of facets are almost equally near.
#[test]
fn larger_hulls_close_their_bounds() {
    let mut rng = Rng::new(13);
    let mut most = 0;
    for case in 0..200 {
        let mut sphere = |center: Vec3<f64>| -> Vec<Vec3<f64>> {
            (0..32).map(|_| Vec3::from(generate::unit_vector(&mut rng)) + center).collect()
        };
        let reach = [0.0, 0.1, 0.5, 1.5][case % 4];
        let (a, b) = (sphere(Vec3::ZERO), sphere(Vec3::new(reach, 0.1 * reach, 0.2 * reach)));
        let (a, b) = (Cloud::new(&a), Cloud::new(&b));
        let found = deep(&a, &b);
        most = most.max(found.iterations);
        assert!(found.upper - found.lower <= 1e-13, "case {case}: {found:?}");
    }
    assert!(most <= 50, "{most}");
}

#[test]
fn a_trace_sees_every_step() {
    #[derive(Default)]
    struct Counts {
        simplices: u32,
        facets: u32,
        axes: u32,
    }
    impl<V: Vector> Trace<V> for Counts {
        fn simplex(&mut self, points: &[Vertex<V>], lower: f64, upper: f64) {
            assert!((1..=4).contains(&points.len()) && lower <= upper);
            self.simplices += 1;
        }
        fn facet(&mut self, corners: &[Vertex<V>], lower: f64, upper: f64) {
            assert!(corners.len() == V::DIM && lower <= upper);
            self.facets += 1;
        }
        fn axis(&mut self, _: V, _: f64) {
            self.axes += 1;
        }
    }
    let (a, b) = (Block(Vec3::new(1.0, 2.0, 3.0)), Block(Vec3::new(0.5, 0.5, 4.0)));
    let mut counts = Counts::default();
    let found = distance(&a, &b, None, f64::INFINITY, &mut counts);
    assert!(counts.axes == found.iterations && 0 < counts.simplices && counts.facets == 0);
    let mut counts = Counts::default();
    let found = penetration(&a, &b, &found.simplex, &mut counts);
    assert_eq!((found.depth, found.normal.x.abs()), (1.5, 1.0));
    assert!(counts.facets == found.iterations && counts.axes == found.iterations && 0 < counts.facets);
}

#[test]
fn any_numbers_end() {
    fn check<V: FromArray<D>, const D: usize>(rng: &mut Rng) {
        for case in 0..4000 {
            let mut cloud = || -> Vec<V> {
                let count = 1 + rng.below(6);
                let number = |rng: &mut Rng| match generate::any_bits(rng) {
                    x if case % 2 == 0 && !x.is_finite() => 1.0,
                    x => x,
                };
                (0..count).map(|_| V::from_array(std::array::from_fn(|_| number(rng)))).collect()
            };
            let (a, b) = (cloud(), cloud());
            let (a, b) = (Cloud::new(&a), Cloud::new(&b));
            let found = apart(&a, &b);
            assert!(found.iterations <= 128);
            assert!(deep(&a, &b).iterations <= 512);
        }
    }
    check::<Vec2<f64>, 2>(&mut Rng::new(11));
    check::<Vec3<f64>, 3>(&mut Rng::new(12));
    let nothing: [Vec3<f64>; 0] = [];
    assert_eq!(apart(&Cloud::new(&nothing), &Cloud::new(&nothing)).distance, 0.0);
}
