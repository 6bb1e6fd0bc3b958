//! Cases with a name: failures of other libraries, unbounded and round shapes, the test of boxes.

#![allow(clippy::excessive_precision)] // numbers as they were reported

use super::spaces::{Plane, Room};
use super::world::{Body, Case, KINDS, Place, Space};
use carom_geometry::d3::SatResult;
use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{self, Rng};
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{ExactPoint, exact, magnitude, sqrt_enclosure, to_f64};

fn cuboid3(full: [f64; 3]) -> d3::Cuboid<f64> {
    d3::Cuboid::new(full.map(|x| x / 2.0)).unwrap()
}

#[test]
fn parry_431_box_distance_is_symmetric() {
    let (small, tall) =
        (d2::Cuboid::<f64>::new([1.0, 1.0]).unwrap(), d2::Cuboid::<f64>::new([1.0, 2.0]).unwrap());
    let there = d2::distance(&small, [0.0, 0.0], &tall, [-5.573167, 0.0]).unwrap();
    let back = d2::distance(&tall, [-5.573167, 0.0], &small, [0.0, 0.0]).unwrap();
    assert_eq!((there.distance, back.distance), (5.573167 - 2.0, 5.573167 - 2.0));
    let wide = d2::Cuboid::new([1.0_f32, 2.0]).unwrap();
    let single = d2::distance(&d2::Cuboid::new([1.0_f32, 1.0]).unwrap(), [0.0, 0.0], &wide, [-5.573167, 0.0]);
    assert_eq!(single.unwrap().distance, 5.573167_f32 - 2.0);
}

#[test]
fn parry_378_capsule_witness_stays_on_the_box() {
    let pill = d2::Capsule::<f64>::new([0.0, -0.25], [0.0, 0.25], 0.5).unwrap();
    let plank = d2::Cuboid::<f64>::new([4.0, 0.5]).unwrap();
    let near = d2::contact_within(&pill, [0.0, 0.0], &plank, [-2.0373735, -1.25], 0.002).unwrap().unwrap();
    assert_eq!((near.depth, near.normal), (0.0, Vec2::new(0.0, -1.0)));
    assert_eq!((near.point_a, near.point_b), (Vec2::new(0.0, -0.75), Vec2::new(0.0, -0.75)));
}

#[test]
fn parry_315_touching_cubes_have_an_axis_normal() {
    let cube = cuboid3([1.0, 1.0, 1.0]);
    let touch = d3::contact(&cube, [0.0; 3], &cube, [1.0, 0.0, 0.0]).unwrap().unwrap();
    assert_eq!((touch.depth, touch.normal), (0.0, Vec3::new(1.0, 0.0, 0.0)));
    assert_eq!((touch.point_a.x, touch.point_b.x), (0.5, 0.5));
    assert_eq!(touch.point_a, touch.point_b);
}

#[test]
fn parry_415_segment_reaches_into_the_box() {
    let edge = d2::Segment::<f64>::new([60.0, 10.0], [10.0, 0.0]).unwrap();
    let wall = d2::Cuboid::<f64>::new([10.0, 100.0]).unwrap();
    let touch = d2::contact(&edge, [0.0, 0.0], &wall, [50.0, 50.0]).unwrap().unwrap();
    assert_eq!((touch.depth, touch.normal), (20.0, Vec2::new(1.0, 0.0)));
    assert!(d2::intersects(&edge, [0.0, 0.0], &wall, [50.0, 50.0]).unwrap());
}

#[test]
fn jolt_2065_origin_projects_into_the_triangle() {
    let corners = [
        [-0.228017807, -28.1085911, 0.140446782],
        [-0.252283931, 173.43692, 0.093847394],
        [-0.252283931, 172.43692, 0.093847394],
    ];
    let sliver = Body::new("triangle", &corners, 0.0);
    let origin = Place { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0] };
    let case = Case { a: sliver, pa: origin.clone(), b: Body::new("ball", &[], 0.0), pb: origin };
    let apart = case.distance::<Room>();
    let [core, _] = case.cores::<Room>();
    let [low, high] =
        sqrt_enclosure(&core.distance_squared(&carom_oracle::polytope::Convex::hull(&[[0.0; 3]])));
    assert!(exact(apart.lower) <= high && low <= exact(apart.upper));
    assert!(super::world::outside(&core, 0.0, apart.point_a.into()) <= 1e-13);
}

#[test]
fn jolt_pr41_small_triangles_are_not_degenerate() {
    let corners = [[0.0, 0.0, 0.0], [1.3e-3, 0.0, 0.0], [0.0, 1.35e-3, 0.0]];
    let face = d3::Triangle::<f64>::new(corners[0], corners[1], corners[2]).unwrap();
    let ball = d3::Ball::new(1e-4).unwrap();
    let touch = d3::contact(&face, [0.0; 3], &ball, [3e-4, 3e-4, 5e-5]).unwrap().unwrap();
    assert!((touch.depth - 5e-5).abs() < 1e-18 && touch.normal.z == 1.0);
}

#[test]
fn flat_boxes_and_points_of_capsules_are_shapes() {
    let sheet = d3::Cuboid::<f64>::new([1.0, 0.0, 1.0]).unwrap();
    let touch = d3::contact(&sheet, [0.0; 3], &sheet, [0.5, 0.0, 0.5]).unwrap().unwrap();
    assert_eq!((touch.depth, touch.normal), (0.0, Vec3::new(0.0, 1.0, 0.0)));
    let dot = d3::Capsule::<f64>::new([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], 0.5).unwrap();
    let ball = d3::Ball::new(0.5).unwrap();
    assert_eq!(d3::distance(&dot, [0.0; 3], &ball, [4.0, 1.0, 1.0]).unwrap().distance, 2.0);
    let both = d3::contact(&dot, [0.0; 3], &dot, [0.0; 3]).unwrap().unwrap();
    assert_eq!((both.depth, both.normal), (1.0, Vec3::new(1.0, 0.0, 0.0)));
}

#[test]
fn crossing_capsules_separate_across_both() {
    let lying = d3::Capsule::<f64>::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.25).unwrap();
    let standing = d3::Capsule::<f64>::new([0.0, -1.0, 0.0], [0.0, 1.0, 0.0], 0.5).unwrap();
    let touch = d3::contact(&lying, [0.0; 3], &standing, [0.0; 3]).unwrap().unwrap();
    assert_eq!((touch.depth, touch.normal.z.abs()), (0.75, 1.0));
    let along = d3::contact(&lying, [0.0; 3], &lying, [0.5, 0.0, 0.0]).unwrap().unwrap();
    assert_eq!((along.depth, along.normal.x), (0.5, 0.0));
    let behind = d3::contact(&lying, [0.0; 3], &lying, [2.0, 0.0, 0.0]).unwrap().unwrap();
    assert_eq!((behind.depth, behind.normal), (0.5, Vec3::new(1.0, 0.0, 0.0)));
}

/// Every bounded shape against a half-space: the lowest point decides, exactly.
fn half_spaces<const D: usize, S: Space<D>>(
    seed: u64,
    ask: impl Fn(&Body<D>, &Place<D>, [f64; D], f64, &Place<D>) -> ([f64; 2], [f64; D], f64),
) {
    let mut rng = Rng::new(seed);
    for _ in 0..1500 {
        let kind = rng.pick(&KINDS);
        let lattice = rng.one_in(2);
        let case = Case::random::<S>(&mut rng, [kind, kind], lattice);
        let normal: [f64; D] = generate::direction(&mut rng);
        let offset = generate::coordinate(&mut rng);
        let ([distance, depth], unit, held_offset) = ask(&case.a, &case.pa, normal, offset, &case.pb);
        // In the frame of the half-space, with the normal that the shape holds.
        let [core, _] = case.cores::<S>();
        let frame = S::transform(&case.pb);
        let world = frame.vector(&unit);
        let [low, _] = core.extent_along(&world);
        let base = world.dot(&frame.translation);
        let length = sqrt_enclosure(&world.norm_squared())[0].clone();
        let truth = (low - base - exact(held_offset)) / length - exact(case.a.radius);
        let error = to_f64(&magnitude(&(exact(-depth) - &truth)));
        let size = case.size() + offset.abs();
        assert!(error <= 8.0 * f64::EPSILON * size, "{error} {depth} {} {case:?}", to_f64(&truth));
        assert_eq!(distance, (-depth).max(0.0));
    }
}

#[test]
fn half_spaces_meet_the_lowest_point() {
    macro_rules! ask {
        ($space:ident, $d:ident, $dim:literal) => {
            |body: &Body<$dim>, place: &Place<$dim>, normal: [f64; $dim], offset: f64, plane: &Place<$dim>| {
                let half = $d::HalfSpace::<f64>::new(normal, offset).unwrap();
                let shape = $space::shape::<f64>(body).unwrap();
                let (pa, pb) = ($space::pose::<f64>(place), $space::pose::<f64>(plane));
                let apart = $d::distance(&shape, pa, &half, pb).unwrap();
                let near = $d::contact_within(&half, pb, &shape, pa, f64::MAX).unwrap().unwrap();
                assert_eq!($d::intersects(&shape, pa, &half, pb).unwrap(), apart.distance == 0.0);
                assert!(apart.lower <= apart.distance && apart.distance <= apart.upper);
                let down: [f64; $dim] = (-apart.normal).into();
                assert_eq!(down, <[f64; $dim]>::from(near.normal));
                ([apart.distance, near.depth], half.normal().into(), half.offset())
            }
        };
    }
    half_spaces::<2, Plane>(1, ask!(Plane, d2, 2));
    half_spaces::<3, Room>(2, ask!(Room, d3, 3));
}

#[test]
fn two_half_spaces() {
    let below = d3::HalfSpace::<f64>::new([0.0, 1.0, 0.0], 1.0).unwrap();
    let above = d3::HalfSpace::<f64>::new([0.0, -1.0, 0.0], -3.0).unwrap();
    assert!(!d3::intersects(&below, [0.0; 3], &above, [0.0; 3]).unwrap());
    let apart = d3::distance(&below, [0.0; 3], &above, [0.0; 3]).unwrap();
    assert_eq!((apart.distance, apart.normal), (2.0, Vec3::new(0.0, 1.0, 0.0)));
    assert!(d3::intersects(&below, [0.0, 2.0, 0.0], &above, [0.0; 3]).unwrap());
    let deep = d3::contact(&above, [0.0; 3], &below, [0.0, 5.0, 0.0]).unwrap().unwrap();
    assert_eq!((deep.depth, deep.normal), (3.0, Vec3::new(0.0, -1.0, 0.0)));
    // Turned by a half turn, the ground faces itself.
    let turned = Pose3::new([0.0, 4.0, 0.0], Quat::new(1.0, 0.0, 0.0, 0.0).unwrap());
    assert_eq!(d3::distance(&below, [0.0; 3], &below, turned).unwrap().distance, 2.0);
    let side = d3::HalfSpace::<f64>::new([1.0, 0.0, 0.0], -1e9).unwrap();
    assert!(d3::intersects(&below, [0.0; 3], &side, [0.0; 3]).unwrap());
    let common = d3::distance(&below, [0.0; 3], &side, [0.0; 3]).unwrap();
    assert_eq!((common.distance, common.lower, common.upper), (0.0, 0.0, 0.0));
    assert_eq!(common.point_a, common.point_b);
    assert!(common.point_a.y <= 1.0 && common.point_a.x <= -1e9);
    assert_eq!(
        d3::contact(&below, [0.0; 3], &side, [0.0; 3]).unwrap_err(),
        Error::UnsupportedPair { operation: "contact", first: "half_space", second: "half_space" }
    );
}

#[test]
fn cylinders_and_cones_meet_balls_and_half_spaces() {
    let can = d3::Cylinder::new(1.0, 2.0).unwrap();
    let hat = d3::Cone::new(1.5_f64, 4.0).unwrap();
    let ball = d3::Ball::new(0.5).unwrap();
    let o = [0.0; 3];
    assert_eq!(d3::distance(&can, o, &ball, [0.0, 4.0, 0.0]).unwrap().distance, 2.5);
    assert_eq!(d3::distance(&ball, [5.0, 0.0, 0.0], &can, o).unwrap().distance, 2.5);
    // Over the rim by (3, 4).
    assert_eq!(d3::distance(&can, o, &ball, [5.0, 5.0, 0.0]).unwrap().distance, 4.5);
    let deep = d3::contact(&can, o, &ball, [0.0, 0.75, 0.0]).unwrap().unwrap();
    assert_eq!((deep.depth, deep.normal), (0.75, Vec3::new(0.0, 1.0, 0.0)));
    // The mantle of the cone rises 3 over 4: five above it, along (3, 4)/5.
    let over = d3::distance(&hat, o, &ball, [5.0_f64, 4.0, 0.0]).unwrap();
    assert!(
        (over.distance - 4.5).abs() < 1e-15 && (over.normal - Vec3::new(0.6, 0.8, 0.0)).max_abs() < 1e-15
    );
    let tip = d3::distance(&hat, o, &ball, [0.0, 3.0, 0.0]).unwrap();
    assert_eq!((tip.distance, tip.point_a.y), (1.0, 1.5));
    // Against the ground: standing, lying, on the tip.
    let ground = d3::HalfSpace::<f64>::new([0.0, 1.0, 0.0], 0.0).unwrap();
    assert_eq!(d3::distance(&ground, o, &can, [0.0, 3.0, 0.0]).unwrap().distance, 2.0);
    let lying = Pose3::new([0.0, 1.5, 0.0], Quat::new(0.0, 0.0, 1.0, 1.0).unwrap());
    assert_eq!(d3::contact(&ground, o, &can, lying).unwrap().unwrap().depth, 0.5);
    assert_eq!(d3::contact(&ground, o, &hat, [0.0, 1.0, 0.0]).unwrap().unwrap().depth, 0.5);
    let upside_down = Pose3::new([0.0, 1.0, 0.0], Quat::new(1.0, 0.0, 0.0, 0.0).unwrap());
    let stung = d3::contact(&ground, o, &hat, upside_down).unwrap().unwrap();
    assert_eq!((stung.depth, stung.point_b), (0.5, Vec3::new(0.0, -0.5, 0.0)));
    // With each other and with flat things, see the tests of convex shapes.
    assert!(d3::intersects(&can, o, &hat, o).unwrap());
    assert_eq!(d3::distance(&cuboid3([1.0; 3]), o, &can, o).unwrap().distance, 0.0);
}

/// Random cylinders and cones in random poses: the support point is in the shape, and no sample of the
/// surface is lower.
#[test]
fn nothing_of_a_round_shape_is_lower_than_its_lowest_point() {
    let mut rng = Rng::new(3);
    for _ in 0..1000 {
        let (h, r) = (generate::length(&mut rng), generate::length(&mut rng));
        let [x, y, z, w] = generate::unit_quaternion(&mut rng);
        let pose = Pose3::new(generate::lattice_point::<3>(&mut rng), Quat::new(x, y, z, w).unwrap());
        let ground = d3::HalfSpace::<f64>::new(generate::direction::<3>(&mut rng), 0.25).unwrap();
        let cone = rng.one_in(2);
        let shape: d3::Shape<f64> =
            if cone { d3::Cone::new(h, r).unwrap().into() } else { d3::Cylinder::new(h, r).unwrap().into() };
        let near = d3::contact_within(&ground, [0.0; 3], &shape, pose, f64::MAX).unwrap().unwrap();
        let size = h + r + 3.0;
        let on = d3::closest_point(&shape, pose, near.point_b).unwrap();
        assert!(on.distance.abs() <= 16.0 * f64::EPSILON * size, "{on:?}");
        for _ in 0..30 {
            let around: [f64; 2] = generate::unit_vector(&mut rng);
            let (part, side) = (rng.pick(&[0.0, 0.3, 1.0]), rng.pick(&[-1.0, 1.0]));
            let rho = if cone && side > 0.0 { 0.0 } else { r * part };
            let point = pose.point_to_world(Vec3::new(around[0] * rho, side * h, around[1] * rho));
            let height = ground.normal().dot(point) - ground.offset();
            assert!(-near.depth <= height + 16.0 * f64::EPSILON * size, "{near:?} {height} {shape:?}");
        }
    }
}

/// The separating-axis test answers overlap and depth exactly, and a gap that is never too wide.
#[test]
fn box_axes_agree_with_exact_arithmetic() {
    let mut rng = Rng::new(4);
    for round in 0..1500 {
        let case = Case::random::<Room>(&mut rng, ["cuboid", "cuboid"], round % 3 == 0);
        let [low, high] = case.truth::<Room>();
        let half = |body: &Body<3>| d3::Cuboid::<f64>::new(body.numbers[0]).unwrap();
        let (a, b) = (half(&case.a), half(&case.b));
        let (pa, pb) = (Room::pose::<f64>(&case.pa), Room::pose::<f64>(&case.pb));
        let unit = f64::EPSILON * case.size();
        match d3::sat(&a, pa, &b, pb).unwrap() {
            SatResult::Separated { axis, gap } => {
                assert!(0.0 < gap && exact(gap - 4.0 * unit) <= high, "{gap} {case:?}");
                let [a, b] = case.cores::<Room>();
                let axis: [f64; 3] = axis.into();
                let along = -a.overlap_along(&b, &axis.to_exact());
                assert!(to_f64(&magnitude(&(along - exact(gap)))) <= 8.0 * unit, "{case:?}");
            }
            SatResult::Overlapping { axis, depth } => {
                let error = to_f64(&magnitude(&(exact(-depth) - &low)));
                assert!(0.0 <= depth && error <= 4.0 * unit, "{error} {case:?}");
                assert!((Vector::length(axis) - 1.0).abs() < 1e-15);
            }
        }
        let there = d3::sat(&b, pb, &a, pa).unwrap();
        let length = |found: SatResult<Vec3<f64>>| match found {
            SatResult::Separated { gap, .. } => gap,
            SatResult::Overlapping { depth, .. } => -depth,
        };
        assert_eq!(length(there), length(d3::sat(&a, pa, &b, pb).unwrap()));
    }
}

#[test]
fn errors_name_the_input() {
    let ball = d2::Ball::new(1.0).unwrap();
    let bad = Pose2::from(Rot2::from_angle(f64::NAN));
    assert!(matches!(
        d2::intersects(&ball, [0.0, 0.0], &ball, bad),
        Err(Error::NotFinite { what: "pose_b", .. })
    ));
    assert!(matches!(
        d2::distance(&ball, [f64::INFINITY, 0.0], &ball, [0.0, 0.0]),
        Err(Error::NotFinite { what: "pose_a", .. })
    ));
    assert!(matches!(
        d2::contact_within(&ball, [0.0, 0.0], &ball, [0.0, 0.0], -1.0),
        Err(Error::Negative { what: "margin", .. })
    ));
    assert!(matches!(
        d2::distance(&ball, [f64::MAX, 0.0], &ball, [-f64::MAX, 0.0]),
        Err(Error::Overflow { .. })
    ));
}

/// The truth is that of the rotation as given, though its unit quaternion does not exist in `f32`.
#[test]
fn single_precision_bounds_hold_for_the_quaternion_as_given() {
    let mut rng = Rng::new(77);
    for _ in 0..1000 {
        let mut number = || (generate::coordinate_f32(&mut rng) as f32).clamp(-1e3, 1e3);
        let half = [number().abs(), number().abs(), number().abs()];
        let at = [number(), number(), number()];
        let q = [number(), number(), number(), number()];
        let Some(rotation) = Quat::new(q[0], q[1], q[2], q[3]) else { continue };
        let shape = d3::Cuboid::new(half).unwrap();
        let found = d3::distance(&shape, [0.0; 3], &shape, (at, rotation)).unwrap();
        let corners = generate::box_corners(half.map(f64::from));
        let place = carom_oracle::rational::pose3(q.map(f64::from), at.map(f64::from));
        let (a, b) = (Convex::hull(&corners), Convex::hull(&place.points(&corners)));
        let squared = a.distance_squared(&b);
        let [lower, upper] = [found.lower, found.upper].map(|x| exact(f64::from(x)));
        assert!(&lower * &lower <= squared && squared <= &upper * &upper, "{half:?} {at:?} {q:?} {found:?}");
    }
}

/// Found by fuzzing: a vector between centres that is subnormal, beside radii that are not, has no length that it
/// could be divided by.
#[test]
fn normals_of_nearly_concentric_balls_are_unit_vectors() {
    let (point, ball) = (d3::Ball::new(0.0).unwrap(), d3::Ball::new(f64::EPSILON).unwrap());
    let at = [1.5e-323, 1.5e-323, 0.0];
    let found = d3::contact(&point, at, &ball, [0.0; 3]).unwrap().unwrap();
    let off = found.normal - Vec3::new(-0.5_f64.sqrt(), -0.5_f64.sqrt(), 0.0);
    assert!(off.max_abs() <= f64::EPSILON && found.depth == f64::EPSILON, "{found:?}");
}

/// Found by fuzzing: the corner is 1.3·10⁻⁵¹ away, too little for `f32`. One question called that touching, another
/// apart.
#[test]
fn a_gap_too_small_for_single_precision_is_a_gap() {
    let above = f32::from_bits(1);
    let sliver = d2::Triangle::new([6.25, -1.0], [2_097_152.0, -2.0], [0.0, above]).unwrap();
    let wedge = d2::ConvexPolygon::new([[-2.0, 0.0], [0.0, 0.0], [-2.0, 2_097_152.0_f32]]).unwrap();
    let here = [0.0_f32; 2];
    let apart = d2::distance(&sliver, here, &wedge, here).unwrap();
    assert!(apart.lower == 0.0 && 0.0 < apart.distance && apart.distance <= above, "{apart:?}");
    assert_eq!(d2::gap(&sliver, here, &wedge, here).unwrap().distance, apart.distance);
    assert!(!d2::intersects(&sliver, here, &wedge, here).unwrap());
    assert_eq!(d2::contact(&sliver, here, &wedge, here), Ok(None));
    assert_eq!(d2::manifold(&sliver, here, &wedge, here), Ok(None));
    let near = d2::contact_within(&sliver, here, &wedge, here, 1.0).unwrap().unwrap();
    assert_eq!(near.depth, -apart.distance);
}

/// Found by fuzzing: a gap that is found at a larger scale and is too small for the numbers at the own one.
#[test]
fn a_gap_below_the_subnormal_numbers_is_the_same_for_all_questions() {
    let point = d2::Rounded::new(d2::Segment::new([0.0, 0.0], [0.0, 0.0]).unwrap(), 0.0).unwrap();
    let least = f64::MIN_POSITIVE;
    let flat = d2::Rounded::new(d2::Ellipsoid::new([least, 0.0]).unwrap(), 0.0).unwrap();
    let turned = Pose2::new([-least, 0.0], Rot2::from_cos_sin(1.0, 3.469_446_951_953_614e-18).unwrap());
    let here = Pose2::from(Vec2::ZERO);
    let touches = d2::intersects(&point, here, &flat, turned).unwrap();
    let apart = d2::distance(&point, here, &flat, turned).unwrap();
    assert_eq!(touches, apart.distance == 0.0, "{apart:?}");
    assert!(apart.lower == 0.0 && apart.distance <= 16.0 * f64::EPSILON * least, "{apart:?}");
    assert_eq!(touches, d2::contact(&point, here, &flat, turned).unwrap().is_some());
    assert_eq!(touches, d2::manifold(&point, here, &flat, turned).unwrap().is_some());
}

/// Found by fuzzing: the sum of the sizes overflows, and with it the bound on the errors of a gap of 0.
#[test]
fn balls_as_large_as_numbers_touch_capsules_as_large() {
    let (ball, capsule) = (d2::Ball::new(f64::MAX), d2::Capsule::new([0.0, 2.0], [0.0, 0.0], f64::MAX));
    let (ball, capsule, here) = (ball.unwrap(), capsule.unwrap(), [0.0; 2]);
    assert_eq!(d2::intersects(&ball, here, &capsule, here), Ok(true));
    assert_eq!(d2::distance(&ball, here, &capsule, here).unwrap().distance, 0.0);
    assert_eq!(d2::gap(&ball, here, &capsule, here).unwrap().distance, 0.0);
    // How deep is beyond all numbers.
    assert_eq!(d2::contact(&ball, here, &capsule, here).unwrap_err().kind(), "overflow");
}

/// Found by fuzzing: beside their distance both triangles are so small that the squares of their edges vanish, and no axis
/// was left to tell them apart.
#[test]
fn specks_of_triangles_far_apart_are_apart() {
    let mast = d3::Triangle::new([2.0, 2.0, 0.0], [2.0, 2.0, 0.0], [2.0, 2.0, 2.0]).unwrap();
    let mast = d3::Rounded::new(mast, 2.0).unwrap();
    let plumb = d3::Triangle::new([0.0; 3], [0.0; 3], [0.0, -454.761244, 0.0]).unwrap();
    let far = 1.156716117486886e223;
    let turned = Pose3::new([0.0; 3], Quat::new(3.552713678800501e-15, 0.0, 0.0, 1.0).unwrap());
    let there = Pose3::from([1.0, -far, -0.6875]);
    assert_eq!(d3::intersects(&mast, turned, &plumb, there), Ok(false));
    let apart = d3::distance(&mast, turned, &plumb, there).unwrap();
    assert!(apart.lower <= far && far <= apart.upper && apart.upper <= far * (1.0 + 1e-12), "{apart:?}");
    assert_eq!(d3::contact(&mast, turned, &plumb, there), Ok(None));
    assert_eq!(d3::manifold(&mast, turned, &plumb, there), Ok(None));

    let (flat, line) = ([[2.0, 2.0], [2.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0], [0.0, -454.761244]]);
    let [flat, line] = [flat, line].map(|[a, b, c]| d2::Triangle::new(a, b, c).unwrap());
    assert_eq!(d2::intersects(&flat, [0.0; 2], &line, [1.0, -far]), Ok(false));
    let apart = d2::distance(&flat, [0.0; 2], &line, [1.0, -far]).unwrap();
    assert!(apart.lower <= far && far <= apart.upper && apart.upper <= far * (1.0 + 1e-12), "{apart:?}");
}

/// Sides of polygons are known up to the end of the range: beyond 2^1000 points came from a search instead, with other last digits.
#[test]
fn polygons_of_any_size_touch_at_the_same_points() {
    let small = [[1.0, 0.0], [-2.0, 0.5], [0.5, 2.0], [1.0, 2.0], [-2.0, -1.0], [0.5, -0.5]];
    let large = [[-5e5, -2e6], [-2e6, -5e5], [-2e6, 0.0], [-5e5, 2e6], [1e6, 5e5], [2e6, -1e6], [0.0, -2e6]];
    let at_scale = |exponent: i32| {
        let factor = power_of_two(exponent);
        let polygon = |points: &[[f64; 2]]| {
            d2::ConvexPolygon::from_hull(points.iter().map(|p| p.map(|x| x * factor))).unwrap()
        };
        let pose = |x: f64, y: f64, cos: f64| {
            Pose2::new(Vec2::new(x * factor, y * factor), Rot2::from_parts(cos, 0.0))
        };
        let (a, b) = (pose(2.0, -0.5, -1.0), pose(-750_001.249_999_999_9, -750_000.249_999_999_9, 1.0));
        let found = d2::contact_within(&polygon(&small), a, &polygon(&large), b, f64::MAX).unwrap().unwrap();
        let [p, q] = [found.point_a, found.point_b].map(|point| [point.x / factor, point.y / factor]);
        (found.depth / factor, found.normal, p, q)
    };
    let here = at_scale(0);
    for exponent in [-900, -40, 40, 900, 978, 979, 980, 990, 999] {
        assert_eq!(at_scale(exponent), here, "2^{exponent}");
    }
}

/// A corner of a box touches the middle of a segment up to rounding: the way between the nearest points is all rounding, and no normal.
#[test]
fn what_touches_up_to_rounding_has_a_normal_that_separates() {
    let ends = [
        [3.646_471_205_816_026_5, -6.875_351_527_800_517, -8.140_257_019_012_111],
        [3.381_382_001_509_474, 8.014_374_867_899_907, 7.545_574_585_101_693_5],
    ];
    let (cuboid, rod) = (cuboid3([0.5, 1.0, 1.0]), d3::ConvexHull::new(ends).unwrap());
    let turn = Quat::from_parts([
        0.425_710_207_990_247_06,
        0.210_503_951_186_081_84,
        -0.323_577_422_480_142_93,
        0.818_386_557_202_069_1,
    ]);
    let here = Pose3::new(Vec3::new(-2.0, 2.0, 0.356_694_763_078_571_95), turn);
    let there = Vec3::new(-4.173_005_516_417_708, 1.548_328_606_598_942_8, 3.446_478_639_080_215_3);
    let touch = d3::contact_within(&cuboid, here, &rod, Pose3::new(there, turn), 1.0).unwrap().unwrap();
    assert!(touch.depth.abs() < 1e-13, "{touch:?}");
    for step in [1e-4, 0.01, 1.0] {
        let out = Pose3::new(there + touch.normal * step, turn);
        let apart = d3::distance(&cuboid, here, &rod, out).unwrap().distance;
        assert!((apart - step).abs() < 1e-13, "{apart} {step}");
    }
}
