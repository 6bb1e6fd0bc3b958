//! Named inputs that broke other libraries, shapes in other words, and construction.

use carom_geometry::{Error, d2, d3};
use carom_math::{Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::{self, Rng, box_corners};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::sqrt_bounds;

const ORIGIN: [f64; 3] = [0.0; 3];

pub(super) fn pose(at: [f64; 3], [x, y, z, w]: [f64; 4]) -> Pose3<f64> {
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
