//! Named inputs that broke other libraries, shapes in other words, and construction.

use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec3, Vector};
use carom_oracle::generate::{self, Rng, box_corners};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::sqrt_bounds;

const ORIGIN: [f64; 3] = [0.0; 3];

fn pose(at: [f64; 3], [x, y, z, w]: [f64; 4]) -> Pose3<f64> {
    Pose3::new(at, Quat::new(x, y, z, w).unwrap())
}

fn depth(a: &impl d3::AsShape<f64>, pa: Pose3<f64>, b: &impl d3::AsShape<f64>, pb: Pose3<f64>) -> f64 {
    d3::contact_within(a, pa, b, pb, f64::MAX).unwrap().unwrap().depth
}

/// parry #396
#[test]
fn coaxial_cylinders_overlap() {
    let (large, small) = (d3::Cylinder::new(50.0, 100.0).unwrap(), d3::Cylinder::new(1.5, 1.0).unwrap());
    let here = Pose3::from(Vec3::ZERO);
    assert!(d3::intersects(&large, here, &small, here).unwrap());
    assert!((depth(&large, here, &small, here) - 51.5).abs() <= 1e-9);
    let capsule = d3::Capsule::new([0.0, 50.0, 0.0], [0.0, -50.0, 0.0], 10.0).unwrap();
    assert!(d3::intersects(&large, here, &capsule, here).unwrap());
    assert!((depth(&large, here, &capsule, here) - 110.0).abs() <= 1e-8);
}

/// parry #157: two hulls of eight corners each, of very different sizes; where the smaller one is deep
/// inside is known exactly.
#[test]
fn hulls_of_different_sizes_overlap() {
    let first = [
        vec![
            [-0.7938391, 5.1101756, 0.1773476],
            [-5.293839, 0.6101756, -4.3226523],
            [-5.293839, 0.6101756, 5.6773477],
            [-0.7938391, 5.1101756, 1.1773477],
            [-0.7938391, 6.1101756, 0.1773476],
            [-5.293839, 10.610176, -4.3226523],
            [-5.293839, 10.610176, 5.6773477],
            [-0.7938391, 6.1101756, 1.1773477],
        ],
        vec![
            [8.114634, 4.6308937, 0.76987207],
            [-18.83664, -53.96347, -649.29565],
            [-608.7832, -53.96347, -208.59384],
            [6.93474, 4.6308937, 1.6512758],
            [8.253552, 5.426136, 0.9558364],
            [50.62288, 343.65768, -556.3136],
            [-539.3237, 343.65768, -115.611725],
            [7.073659, 5.426136, 1.8372401],
        ],
    ];
    let second = [
        vec![
            [0.45838028, 5.7372417, 0.61019015],
            [1000.35846, -994.1628, 1000.51013],
            [1000.35834, -994.1628, -999.48987],
            [0.45838028, 5.7372417, 0.41019014],
            [0.45838028, 5.9372416, 0.61019015],
            [1000.35846, 1005.8372, 1000.51013],
            [1000.35834, 1005.8372, -999.48987],
            [0.45838028, 5.9372416, 0.41019014],
        ],
        vec![
            [-0.4522132, 8.780189, 15.508082],
            [72537.12, -72390.1, -81439.88],
            [-74725.21, -72390.1, -79438.195],
            [-0.45368585, 8.780189, 15.508101],
            [-0.45221695, 8.780969, 15.507806],
            [72161.625, 5710.25, -109064.305],
            [-75100.7, 5710.25, -107062.62],
            [-0.4536896, 8.780969, 15.507825],
        ],
    ];
    for [a, b] in [first, second] {
        let truth = Convex::hull(&a).depth_squared(&Convex::hull(&b)).expect("they overlap");
        let [low, high] = sqrt_bounds(&truth);
        let size = b.iter().flatten().fold(0.0_f64, |m: f64, x: &f64| m.max(x.abs()));
        let (a, b) = (d3::ConvexHull::new(a).unwrap(), d3::ConvexHull::new(b).unwrap());
        let here = Pose3::from(Vec3::ZERO);
        let found = depth(&a, here, &b, here);
        assert!(low - 1e-14 * size <= found && found <= high + 1e-14 * size, "{low} {found}");
    }
}

/// ncollide #157
#[test]
fn a_cylinder_and_a_plank() {
    let (can, plank) = (d3::Cylinder::new(0.925, 0.5).unwrap(), d3::Cuboid::new([0.05, 0.75, 0.5]).unwrap());
    let (pc, pp) = ([10.97, 0.925, 61.02], [11.5, 0.75, 60.5]);
    let found = d3::contact(&can, pc, &plank, pp).unwrap().expect("they overlap");
    let (dx, dz) = (11.45 - 10.97, 61.0 - 61.02);
    assert!((found.depth - (0.5 - f64::sqrt(dx * dx + dz * dz))).abs() <= 1e-10, "{found:?}");
    assert_eq!(d3::distance(&can, pc, &plank, pp).unwrap().distance, 0.0);
}

/// FCL #319
#[test]
fn a_box_beside_a_cylinder() {
    let (slab, can) =
        (d3::Cuboid::new([0.025, 0.195, 0.735]).unwrap(), d3::Cylinder::new(0.09, 0.18).unwrap());
    let found = d3::distance(
        &slab,
        pose([0.8, -0.385, 0.735], [0.0, 0.0, 1.0, 1.0]),
        &can,
        pose([0.4, -0.4, 0.93], [1.0, 0.0, 0.0, 1.0]),
    );
    let found = found.unwrap();
    assert!((found.distance - 0.025).abs() <= 1e-12, "{found:?}");
    assert!(found.lower <= 0.025 + 1e-15 && 0.025 - 1e-15 <= found.upper);
}

/// GTE PR 44
#[test]
fn a_tilted_cylinder_reaches_into_a_box() {
    let can = d3::Cylinder::new(1.05, 0.39).unwrap();
    let [dx, dy, dz] = [0.10444, 0.328969, 0.938548];
    let turned = pose([-2.788151, -2.091865, 0.8015], [dz, 0.0, -dx, 1.0 + dy]);
    let block = d3::Cuboid::new([2.5, 2.5, 1.35]).unwrap();
    assert!(d3::intersects(&can, turned, &block, ORIGIN).unwrap());
    assert!(d3::contact(&block, ORIGIN, &can, turned).unwrap().is_some_and(|found| 0.05 < found.depth));
}

/// Jolt #671: a box just above a hull, and just below its top.
#[test]
fn hovering_boxes_keep_their_normal() {
    let ground = d3::ConvexHull::new(box_corners([10.0, 1.0, 10.0])).unwrap();
    let cube = d3::Cuboid::new([0.5, 0.5, 0.5]).unwrap();
    for k in 1..50 {
        for sign in [1.0, -1.0] {
            let gap = sign * carom_math::power_of_two(-k) * 0.25;
            let height = 1.5 + gap;
            let found =
                d3::contact_within(&ground, ORIGIN, &cube, [3.25, height, -2.0], 1.0).unwrap().unwrap();
            assert_eq!((found.depth, found.normal), (1.5 - height, Vec3::new(0.0, 1.0, 0.0)), "{k} {sign}");
        }
    }
}

/// Round things that stand, lie and lean on lattice places touch exactly.
#[test]
fn round_things_touch_exactly() {
    let (can, hat) = (d3::Cylinder::new(1.0, 2.0).unwrap(), d3::Cone::new(1.0, 2.0).unwrap());
    let block = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap();
    let cube = d3::ConvexHull::new(box_corners([1.0, 1.0, 1.0])).unwrap();
    let egg = d3::Ellipsoid::new([2.0, 1.0, 0.5]).unwrap();
    macro_rules! touches {
        ($a:expr, $b:expr, $at:expr) => {{
            let found = d3::contact_within(&$a, ORIGIN, &$b, $at, 1.0).unwrap().unwrap();
            assert_eq!(found.depth, 0.0, "{} {found:?}", stringify!($a, $b, $at));
            assert!(d3::intersects(&$a, ORIGIN, &$b, $at).unwrap());
        }};
    }
    touches!(can, can, [0.0, 2.0, 0.0]);
    touches!(can, can, [4.0, 0.0, 0.0]);
    touches!(can, can, [0.0, 0.0, -4.0]);
    touches!(can, hat, [0.0, 2.0, 0.0]);
    touches!(hat, can, [0.0, 2.0, 0.0]);
    touches!(can, block, [0.0, 2.0, 0.5]);
    touches!(can, block, [3.0, 0.0, 0.0]);
    touches!(can, cube, [3.0, 0.5, 0.25]);
    touches!(can, cube, [0.0, -2.0, 0.25]);
    touches!(hat, cube, [0.25, 2.0, 0.5]);
    touches!(egg, cube, [3.0, 0.0, 0.0]);
    touches!(egg, block, [0.0, 2.0, 0.0]);
    touches!(egg, egg, [4.0, 0.0, 0.0]);
    touches!(egg, egg, [0.0, 0.0, 1.0]);
    touches!(egg, can, [0.0, 2.0, 0.0]);
}

/// P19: the order of the points makes no difference, to the bit.
#[test]
fn the_order_of_vertices_makes_no_difference() {
    let mut rng = Rng::new(11);
    for _ in 0..300 {
        let mut points: Vec<[f64; 3]> = generate::points(&mut rng, 20);
        let mut flat: Vec<[f64; 2]> = generate::points(&mut rng, 20);
        let (one, line) = (
            d3::ConvexHull::new(points.clone()).unwrap(),
            d2::ConvexPolygon::from_hull(flat.clone()).unwrap(),
        );
        rng.shuffle(&mut points);
        rng.shuffle(&mut flat);
        let (other, same) =
            (d3::ConvexHull::new(points).unwrap(), d2::ConvexPolygon::from_hull(flat).unwrap());
        let (can, at) = (d3::Cylinder::new(0.5, 1.0).unwrap(), generate::lattice_point(&mut rng));
        assert_eq!(d3::distance(&one, ORIGIN, &can, at), d3::distance(&other, ORIGIN, &can, at));
        let (egg, at) = (d2::Ellipsoid::new([0.5, 1.0]).unwrap(), generate::lattice_point(&mut rng));
        let here = [0.0, 0.0];
        assert_eq!(d2::distance(&line, here, &egg, at), d2::distance(&same, here, &egg, at));
    }
}

/// Climbing over hundreds of vertices, plates with bumps of one ulp included, finds the lowest one.
#[test]
fn climbing_finds_the_lowest_vertex() {
    let mut rng = Rng::new(12);
    let mut worst = 0.0_f64;
    for round in 0..60 {
        let count = 40 + rng.below(600);
        let points: Vec<[f64; 3]> = (0..count)
            .map(|k| match round % 3 {
                0 => generate::unit_vector(&mut rng),
                1 => {
                    let (x, z) = (k as f64 % 20.0 - 10.0, (k / 20) as f64 - 10.0);
                    [x, generate::nudge(1.0 - (x * x + z * z) * 1e-15, rng.between(-1, 1)), z]
                }
                _ => {
                    let angle = k as f64 * 0.01;
                    [angle.cos(), rng.pick(&[-1.0, 1.0]), angle.sin()]
                }
            })
            .collect();
        let hull = d3::ConvexHull::new(points.clone()).unwrap();
        let size = points.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
        for _ in 0..40 {
            let normal: [f64; 3] = match rng.below(3) {
                0 => generate::unit_vector(&mut rng),
                1 => {
                    let up = [0.0, rng.sign(), 0.0];
                    generate::near_parallel(&mut rng, up)
                }
                _ => generate::direction(&mut rng),
            };
            let Ok(plane) = d3::HalfSpace::new(normal, 0.0) else { continue };
            let truth =
                points.iter().map(|p| plane.normal().dot(Vec3::from(*p))).fold(f64::INFINITY, f64::min);
            let found = -d3::contact_within(&plane, ORIGIN, &hull, ORIGIN, f64::MAX).unwrap().unwrap().depth;
            worst = worst.max((found - truth).abs() / size);
            assert!((found - truth).abs() <= 8.0 * f64::EPSILON * size, "{found} {truth} {normal:?}");
        }
    }
    println!("climbing: {:.2} ε·S", worst / f64::EPSILON);
}

/// Hulls that are needles or specks beside their length or distance by more than numbers can multiply.
#[test]
fn specks_and_needles_have_nearest_points() {
    for tiny in [1e-40, 1e-120, 1e-200, 1e-300] {
        let speck = d3::ConvexHull::new(box_corners([tiny; 3])).unwrap();
        assert!((d3::closest_point(&speck, ORIGIN, [0.0, 3.0, 4.0]).unwrap().distance - 5.0).abs() <= 1e-15);
        let needle = d3::ConvexHull::new(box_corners([tiny, 1.0, tiny])).unwrap();
        let found = d3::closest_point(&needle, ORIGIN, [3.0, 5.0, 0.0]).unwrap();
        assert!((found.distance - 5.0).abs() <= 2e-15 && !found.inside, "{tiny} {found:?}");
        let ball = d3::Ball::new(1.0).unwrap();
        assert!(
            (d3::distance(&needle, ORIGIN, &ball, [3.0, 0.5, 0.0]).unwrap().distance - 2.0).abs() <= 1e-15
        );
    }
}

#[test]
fn polygons_are_convex_or_refused() {
    let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    let polygon = d2::ConvexPolygon::new(square).unwrap();
    let mut turned = square;
    turned.reverse();
    turned.rotate_left(1);
    assert_eq!(d2::ConvexPolygon::new(turned).unwrap(), polygon);
    // Repeated points, also the first one at the end, and points on edges.
    let more =
        [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 1.0], [0.0, 0.0]];
    assert_eq!(d2::ConvexPolygon::new(more).unwrap(), polygon);
    // Straight and single ones.
    assert_eq!(d2::ConvexPolygon::new([[0.0, 0.0], [2.0, 2.0], [1.0, 1.0]]).unwrap().points().len(), 2);
    assert_eq!(d2::ConvexPolygon::new([[1.0, 0.0], [1.0, 0.0]]).unwrap().points().len(), 1);
    let not_convex = |points: &[[f64; 2]]| match d2::ConvexPolygon::new(points.to_vec()) {
        Err(Error::NotConvex { what: "polygon", index }) => Some(index),
        _ => None,
    };
    assert_eq!(not_convex(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]), Some(2));
    // One ulp decides.
    let dent = |y: f64| not_convex(&[[0.0, 0.0], [1.0, y], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]);
    assert_eq!((dent(0.0), dent(-1e-300), dent(1e-300)), (None, None, Some(1)));
    // A spike, a pentagram, a square run through twice.
    assert!(not_convex(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [2.0, 0.0], [1.0, 1.0]]).is_some());
    assert!(not_convex(&[[0.0, 3.0], [2.0, -3.0], [-3.0, 1.0], [3.0, 1.0], [-2.0, -3.0]]).is_some());
    let twice: Vec<[f64; 2]> = square.iter().chain(&square).copied().collect();
    assert!(not_convex(&twice).is_some());
    assert_eq!(
        d2::ConvexPolygon::<f64>::new([[0.0; 2]; 0]),
        Err(Error::TooFewPoints { what: "points", least: 1, count: 0 })
    );
    assert!(matches!(d2::ConvexPolygon::new([[0.0, f64::NAN]]), Err(Error::NotFinite { .. })));
    // Every lattice polygon that is its own hull in order is accepted, and nothing else.
    let mut rng = Rng::new(13);
    for _ in 0..3000 {
        let points: Vec<[f64; 2]> = (0..5).map(|_| generate::lattice_point(&mut rng)).collect();
        let hull = d2::convex_hull(&points.iter().map(|p| (*p).into()).collect::<Vec<_>>()).unwrap();
        let strictly = hull.len() == 5 && {
            let steps: Vec<usize> = (0..5).map(|k| (hull[(k + 1) % 5] + 5 - hull[k]) % 5).collect();
            steps == [1; 5] || steps == [4; 5]
        };
        let found = d2::ConvexPolygon::new(points.clone());
        if strictly {
            assert!(found.is_ok(), "{points:?}");
        } else if hull.len() == 5 {
            assert!(matches!(found, Err(Error::NotConvex { .. })), "{points:?}");
        }
    }
}

#[test]
fn rounding_adds_up() {
    let inner = d3::Rounded::new(d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap(), 0.5).unwrap();
    let outer = d3::Rounded::new(inner.clone(), 0.25).unwrap();
    assert_eq!((outer.radius(), outer.shape()), (0.75, inner.shape()));
    assert_eq!(d3::Rounded::new(inner, -1.0), Err(Error::Negative { what: "radius", value: -1.0 }));
    let outline = d2::Outline::new([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
    assert!(matches!(d2::Rounded::new(outline, 1.0), Err(Error::UnsupportedShape { shape: "outline", .. })));
    let fit = d3::aabb(&outer, [1.0, 0.0, 0.0]).unwrap();
    assert_eq!((fit.min.x, fit.max.y), (-0.75, 1.75));
    let point = d3::closest_point(&outer, ORIGIN, [4.75, 0.0, 0.0]).unwrap();
    assert_eq!((point.distance, point.point.x), (3.0, 1.75));
    // A rounded half-space is a half-space that reaches farther, and a rounded segment casts like a capsule.
    let plane = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let raised = d3::Rounded::new(plane, 1.0).unwrap();
    let ball = d3::Ball::new(1.0).unwrap();
    assert_eq!(d3::distance(&raised, ORIGIN, &ball, [0.0, 5.0, 0.0]).unwrap().distance, 3.0);
    let egg = d3::Rounded::new(d3::Ellipsoid::new([1.0, 2.0, 3.0]).unwrap(), 1.0).unwrap();
    assert!(matches!(d3::mass_properties(&egg, 1.0), Err(Error::UnsupportedShape { shape: "rounded", .. })));
    let pill = d3::Rounded::new(d3::Segment::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), 1.0).unwrap();
    let capsule = d3::Capsule::new([0.0; 3], [0.0, 1.0, 0.0], 1.0).unwrap();
    assert_eq!(d3::mass_properties(&pill, 1.0), d3::mass_properties(&capsule, 1.0));
    let ray = d3::Ray::new([-5.0, 0.5, 0.0], [1.0, 0.0, 0.0]).unwrap();
    let hit = d3::cast_ray(&pill, ORIGIN, &ray, Default::default());
    assert_eq!(hit, d3::cast_ray(&capsule, ORIGIN, &ray, Default::default()));
    let hit = d3::cast_ray(&outer, ORIGIN, &ray, Default::default()).unwrap().unwrap();
    assert_eq!((hit.t, hit.normal.x), (3.25, -1.0));
}

/// Masses of boxes given as hulls and polygons; boxes around turned ellipsoids.
#[test]
fn boxes_in_other_words_are_boxes() {
    let half = [1.0, 2.0, 3.0];
    let (cuboid, hull) = (d3::Cuboid::new(half).unwrap(), d3::ConvexHull::new(box_corners(half)).unwrap());
    assert_eq!(d3::mass_properties(&cuboid, 2.0).unwrap(), d3::mass_properties(&hull, 2.0).unwrap());
    let flat = [1.0, 2.0];
    let (rectangle, polygon) =
        (d2::Cuboid::new(flat).unwrap(), d2::ConvexPolygon::from_hull(box_corners(flat)).unwrap());
    let (one, other) =
        (d2::mass_properties(&rectangle, 2.0).unwrap(), d2::mass_properties(&polygon, 2.0).unwrap());
    assert_eq!((one.mass, one.center), (other.mass, other.center));
    assert!((one.inertia - other.inertia).abs() <= 4.0 * f64::EPSILON * one.inertia);
    let mut rng = Rng::new(14);
    for _ in 0..500 {
        let [x, y, z, w] = generate::unit_quaternion(&mut rng);
        let turned = pose([0.0; 3], [x, y, z, w]);
        let (fit, other) = (d3::aabb(&cuboid, turned).unwrap(), d3::aabb(&hull, turned).unwrap());
        assert!((fit.min - other.min).max_abs() <= 1e-14 && (fit.max - other.max).max_abs() <= 1e-14);
        let radii = [0.5, 1.0, 2.0];
        let fit = d3::aabb(&d3::Ellipsoid::new(radii).unwrap(), turned).unwrap();
        let columns = turned.rotation.to_matrix().columns;
        for axis in 0..3 {
            let reach = (0..3).map(|k| (columns[k].get(axis) * radii[k]).powi(2)).sum::<f64>().sqrt();
            assert!((fit.max.get(axis) - reach).abs() <= 2e-14, "{axis}");
            assert_eq!(fit.min.get(axis), -fit.max.get(axis));
        }
    }
}

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
