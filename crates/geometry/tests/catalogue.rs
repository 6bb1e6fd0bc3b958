//! Pairs on which collision libraries have failed, with their numbers, for every kind that can stand for
//! the shapes: boxes are asked about as cuboids, as hulls and as rounded boxes without a radius. What each
//! kind alone must get right stands with its other tests (`pairs/named.rs`, `convex/named.rs`, `convex/extreme.rs`).

#![allow(clippy::disallowed_methods, clippy::excessive_precision, clippy::approx_constant)] // numbers as they were reported

use super::world;

use super::spaces;

use carom_geometry::{CastOptions, d2, d3};
use carom_math::{Mat3, Pose2, Pose3, Quat, Vec2, Vec3, power_of_two};
use carom_oracle::generate::box_corners;
use carom_oracle::rational::{Rational, exact, magnitude, to_f64};
use spaces::{Plane, Room};
use world::{Body, Case, Place, Space};

/// A box in each of its forms.
fn forms<const D: usize>(half: [f64; D]) -> [Body<D>; 3] {
    [
        Body::new("cuboid", &[half], 0.0),
        Body::new("hull", &box_corners(half), 0.0),
        Body::new("rounded", &[half], 0.0),
    ]
}

/// Every pair of forms, in both orders, against the exact answer, which is returned.
fn check<const D: usize, S: Space<D>>(a: &[Body<D>], pa: &Place<D>, b: &[Body<D>], pb: &Place<D>) -> f64 {
    let mut answer = 0.0;
    for (one, other) in a.iter().flat_map(|one| b.iter().map(move |other| (one, other))) {
        let case = Case { a: one.clone(), pa: pa.clone(), b: other.clone(), pb: pb.clone() };
        for case in [case.clone(), case.swapped()] {
            let [low, high] = case.truth::<S>();
            let near = case.contact::<S>();
            let error = to_f64(&magnitude(&(exact(-near.depth) - &low)));
            assert!(error <= 8.0 * f64::EPSILON * case.size(), "{error} {near:?} {case:?}");
            let apart = case.distance::<S>();
            let zero = Rational::ZERO;
            assert!(exact(apart.lower) <= high.max(zero.clone()), "{apart:?} {case:?}");
            assert!(low.clone().max(zero) <= exact(apart.upper), "{apart:?} {case:?}");
            assert_eq!(case.touches::<S>(), apart.distance == 0.0, "{apart:?} {case:?}");
            answer = -near.depth;
        }
    }
    answer
}

/// Boxes by their full sizes.
fn boxes(sizes: [[f64; 3]; 2], poses: [Pose3<f64>; 2]) -> f64 {
    let [a, b] = sizes.map(|full| forms(full.map(|x| x / 2.0)));
    let [pa, pb] = poses.map(Room::place);
    check::<3, Room>(&a, &pa, &b, &pb)
}

fn quaternion([w, x, y, z]: [f64; 4]) -> Quat<f64> {
    Quat::new(x, y, z, w).unwrap()
}

#[test]
fn parry_431_distance_is_the_same_in_both_orders() {
    let place = |x: f64| Place { translation: [x, 0.0], rotation: [1.0, 0.0, 0.0, 0.0] };
    let found = check::<2, Plane>(&forms([1.0, 1.0]), &place(0.0), &forms([1.0, 2.0]), &place(-5.573167));
    assert_eq!(found, 5.573167 - 2.0);
}

#[test]
fn parry_315_touching_cubes_have_an_axis_normal() {
    for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (2, -1.0)] {
        let mut at = [0.0; 3];
        at[axis] = sign;
        assert_eq!(boxes([[1.0; 3]; 2], [Pose3::IDENTITY, Pose3::at(at)]), 0.0);
        let cube = d3::ConvexHull::new(box_corners([0.5; 3])).unwrap();
        let found = d3::contact(&cube, [0.0; 3], &cube, at).unwrap().expect("they touch");
        assert_eq!((found.depth, found.normal), (0.0, Vec3::from(at)));
    }
}

#[test]
fn parry_378_capsule_witness_stays_on_the_plank() {
    let capsule = d2::Capsule::new([0.0, -0.25], [0.0, 0.25], 0.5).unwrap();
    let at = [-2.0373735, -1.25];
    let hull = d2::ConvexPolygon::from_hull(box_corners([4.0, 0.5])).unwrap();
    let found =
        d2::contact_within(&capsule, [0.0, 0.0], &hull, at, 0.002).unwrap().expect("within the margin");
    assert_eq!(found.depth, 0.0);
    assert_eq!((found.point_a, found.point_b), (Vec2::new(0.0, -0.75), Vec2::new(0.0, -0.75)));
}

#[test]
fn parry_415_segment_reaches_into_the_box() {
    let segment = d2::Segment::new([60.0, 10.0], [10.0, 0.0]).unwrap();
    let corners = [[40.0, -50.0], [60.0, -50.0], [60.0, 150.0], [40.0, 150.0]];
    let polygon = d2::ConvexPolygon::<f64>::new(corners).unwrap();
    let cuboid = d2::Cuboid::new([10.0, 100.0]).unwrap();
    let of_polygon = d2::contact(&segment, [0.0, 0.0], &polygon, [0.0, 0.0]).unwrap().expect("inside");
    let of_cuboid = d2::contact(&segment, [0.0, 0.0], &cuboid, [50.0, 50.0]).unwrap().expect("inside");
    assert_eq!((of_polygon.depth, of_polygon.normal), (of_cuboid.depth, of_cuboid.normal));
    assert_eq!(of_polygon.depth, 20.0);
}

#[test]
fn fcl_319_box_beside_a_cylinder() {
    // FCL's cylinder stands along z; the quaternions are those of the report.
    let slab = d3::Cuboid::new([0.025, 0.195, 0.735]).unwrap();
    let hull = d3::ConvexHull::new(box_corners([0.025, 0.195, 0.735])).unwrap();
    let can = d3::Cylinder::new(0.09, 0.18).unwrap();
    let at_slab = Pose3::new([0.8, -0.385, 0.735], quaternion([0.707107, 0.0, 0.0, 0.707107]));
    let along_z = quaternion([1.0, 1.0, 0.0, 0.0]);
    let at_can = Pose3::new([0.4, -0.4, 0.93], quaternion([0.991445, 0.0, 0.0, -0.130526]) * along_z);
    let found = d3::distance(&slab, at_slab, &can, at_can).unwrap();
    // 0.8 − 0.195 is the face of the slab, 0.4 + 0.18 the side of the cylinder.
    assert!((found.distance - 0.025).abs() <= 1e-12, "{found:?}");
    let of_hull = d3::distance(&can, at_can, &hull, at_slab).unwrap();
    assert!((of_hull.distance - found.distance).abs() <= 1e-12, "{of_hull:?}");
    assert!(found.lower <= of_hull.upper && of_hull.lower <= found.upper);
}

#[test]
fn fcl_395_plank_and_a_tilted_block() {
    let rows = [
        [0.10758262492983036718, -0.6624881850015212903, -0.74130653817877356637],
        [0.22682184885125472595, -0.709614040775253474, 0.6670830248314786326],
        [-0.96797615037608542021, -0.23991106241273435495, 0.07392465377049164954],
    ];
    let turned = Quat::from_matrix(Mat3 { columns: rows.map(Vec3::from) }.transposed()).unwrap();
    let at = [-0.42677133002999478872, -0.76596851247746788882, 0.80746731400091054098];
    boxes(
        [[0.46, 0.48, 0.01], [0.049521, 0.146, 0.0725]],
        [Pose3::at([-0.721, -0.772, 0.81]), Pose3::new(at, turned)],
    );
}

#[test]
fn fcl_398_415_428_signed_distances() {
    let at = |a, b| [Pose3::at(a), Pose3::at(b)];
    let plank =
        boxes([[0.614, 3.0, 0.37], [0.494, 0.552, 0.01]], at([-0.675, 0.0, 0.9115], [-0.692, 0.0, 0.935]));
    let rod = boxes(
        [[0.02, 0.33, 0.02], [0.452, 0.27, 0.42]],
        at([0.054, -0.772, 0.405], [0.121, -0.629605057504326826, 0.3]),
    );
    let block = boxes(
        [[0.2, 0.33, 0.1], [0.452, 0.27, 0.6]],
        at([-0.071000000000000035305, -0.772, 0.8], [0.121, -0.78769605692727695523, 0.53422044196125151316]),
    );
    assert!(plank < 0.0 && rod < 0.0 && block < 0.0);
}

#[test]
fn fcl_493_tilted_stacks_within_a_few_ulp_of_touching() {
    let tilt = Quat::from_axis_angle([1.0, 2.0, -0.5], 0.3).unwrap();
    for edge in [0.01, 0.25, 0.5, 10.0, 1000.0] {
        for steps in [-5, -1, 0, 1, 5] {
            let gap = f64::from(steps) * f64::EPSILON * edge;
            let up = tilt.rotate(Vec3::new(0.0, edge + gap, 0.0));
            let poses = [Pose3::new([0.0; 3], tilt), Pose3::new(up, tilt)];
            let found = boxes([[edge; 3]; 2], poses);
            assert!(found.abs() <= 16.0 * f64::EPSILON * edge, "{found} {gap}");
            // A cylinder of the same height stands there as well.
            let can = d3::Cylinder::new(edge / 2.0, edge / 2.0).unwrap();
            let cube = d3::ConvexHull::new(box_corners([edge / 2.0; 3])).unwrap();
            let near = d3::contact_within(&can, poses[0], &cube, poses[1], edge).unwrap().expect("near");
            assert!(near.depth.abs() <= 64.0 * f64::EPSILON * edge, "{near:?}");
            assert!(0.999_999 < near.normal.dot(tilt.rotate(Vec3::new(0.0, 1.0, 0.0))), "{near:?}");
        }
    }
}

#[test]
fn fcl_508_578_facing_boxes() {
    assert_eq!(boxes([[1.0; 3]; 2], [Pose3::IDENTITY, Pose3::at([0.0, 4.0, 0.0])]), 3.0);
    // Signed distances of boxes all around one another end, and are right.
    for k in 0..24 {
        let turn = Quat::from_axis_angle([0.3, 1.0, -0.2], f64::from(k) * 0.261_799_387_799_149_4).unwrap();
        let at = turn.rotate(Vec3::new(0.9, 0.05 * f64::from(k), 0.1));
        boxes([[1.0, 0.2, 3.0], [0.5, 0.5, 0.5]], [Pose3::IDENTITY, Pose3::new(at, turn)]);
    }
}

/// The sphere of the report moves along beside the triangle and must not hit it from a distance.
#[test]
fn jolt_886_no_ghost_hit() {
    let triangle = d3::Triangle::new(
        [14.5536213, 10.5973721, -0.0060005],
        [14.5536213, 10.5969315, -3.18638134],
        [14.5536213, 10.5969315, -5.18637228],
    )
    .unwrap();
    let (sphere, at) = (d3::Ball::new(0.2).unwrap(), [14.831459, 8.1905508, -4.30825043]);
    let gap = d3::distance(&sphere, at, &triangle, [0.0; 3]).unwrap();
    assert!(2.2 < gap.lower, "{gap:?}");
    let along = [-0.0988007, 5.96e-8, 0.000732];
    let still = [0.0; 3];
    let hit = d3::cast_shape(&sphere, at, along, &triangle, still, still, CastOptions { max: 1.0 }).unwrap();
    assert_eq!(hit, None);
}

/// The origin lies exactly on a face of the first tetrahedron of differences: the contact stays.
#[test]
fn mujoco_warp_1526_origin_on_a_face() {
    let corner = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let hull = d3::ConvexHull::<f64>::new(corner).unwrap();
    let point = d3::ConvexHull::<f64>::new([[0.0, 0.0, 0.0]]).unwrap();
    for at in [[0.25, 0.25, 0.0], [0.25, 0.25, 0.5], [0.5, 0.5, 0.0], [0.0, 0.0, 0.0], [0.5, 0.0, 0.0]] {
        let found = d3::contact(&hull, [0.0; 3], &point, at).unwrap().expect("a common point");
        assert_eq!(found.depth, 0.0, "{at:?} {found:?}");
        let mirrored = d3::contact(&hull, [0.0; 3], &hull, at).unwrap().expect("a common point");
        assert!(0.0 <= mirrored.depth);
    }
}

/// Plates on a lattice with bumps of one step: near-coplanar faces by the dozen (yuka #11, bepu #21,
/// manifold #1785), one on the other.
#[test]
fn nearly_coplanar_plates_lie_on_each_other() {
    let bump = |i: i32, k: i32| match (i * 7 + k * 3) % 5 {
        0 => f64::EPSILON,
        1 => -f64::EPSILON / 2.0,
        _ => 0.0,
    };
    let plate = |sign: f64| -> Vec<[f64; 3]> {
        let lattice = (-2..=2).flat_map(|i| (-2..=2).map(move |k| (i, k)));
        let top = lattice.clone().map(|(i, k)| [f64::from(i), sign * (1.0 + bump(i, k)), f64::from(k)]);
        let bottom = lattice.map(|(i, k)| [f64::from(i), 0.0, f64::from(k)]);
        top.chain(bottom).collect()
    };
    let (lower, upper) = (Body::new("hull", &plate(1.0), 0.0), Body::new("hull", &plate(-1.0), 0.0));
    let place = |y: f64| Place { translation: [0.5, y, 0.25], rotation: [0.0, 0.0, 0.0, 1.0] };
    for y in [2.0, 2.0 + f64::EPSILON, 2.0 - 4.0 * f64::EPSILON, 1.5, 2.5] {
        let found = check::<3, Room>(
            std::slice::from_ref(&lower),
            &place(0.0),
            std::slice::from_ref(&upper),
            &place(y),
        );
        assert!((found - (y - 2.0)).abs() <= 4.0 * f64::EPSILON, "{y} {found}");
    }
}

/// Godot #101893 and the rest of the list: what has no thickness, no length, no area, or corners twice.
#[test]
fn shapes_without_extent_are_shapes() {
    let flat = forms([1.0, 0.0, 1.0]);
    let place = |at: [f64; 3]| Place { translation: at, rotation: [0.0, 0.0, 0.0, 1.0] };
    let cube = forms([0.5; 3]);
    assert_eq!(check::<3, Room>(&flat, &place([0.0; 3]), &cube, &place([0.25, 0.5, 0.0])), 0.0);
    assert_eq!(check::<3, Room>(&flat, &place([0.0; 3]), &cube, &place([0.25, 0.25, 0.0])), -0.25);
    assert_eq!(check::<3, Room>(&flat, &place([0.0; 3]), &flat, &place([0.5, 0.0, 0.5])), 0.0);
    assert_eq!(check::<3, Room>(&flat, &place([0.0; 3]), &flat, &place([0.5, 0.125, 0.5])), 0.125);
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3], [0.0; 3]];
    let specks = [
        Body::new("hull", &corners, 0.0),
        Body::new("triangle", &[corners[0], corners[1], corners[3]], 0.0),
        Body::new("rounded_triangle", &[corners[3], corners[1], corners[0]], 0.0),
    ];
    let needle = [[0.0, 0.0, 0.0], [1.0, power_of_two(-50), 0.0], [0.5, power_of_two(-60), 0.0]];
    let thin = [
        Body::new("capsule", &[[0.5, 0.0, 0.0]; 2], 0.25),
        Body::new("segment", &[[0.25; 3]; 2], 0.0),
        Body::new("triangle", &needle, 0.0),
        Body::new("hull", &needle, 0.0),
        Body::new("ball", &[], 0.0),
    ];
    for at in [
        [0.0, 0.0, 0.0],
        [0.0, 0.25, 0.0],
        [0.25, -0.5, 0.25],
        [1.0, 0.0, 1.0],
        [0.0, power_of_two(-40), 0.0],
    ] {
        check::<3, Room>(&specks, &place([0.0; 3]), &thin, &place(at));
    }
}

/// Very unequal sizes, concentric and beside each other.
#[test]
fn a_grain_and_a_mountain() {
    let mountain = forms([1e6, 2e6, 1e6]);
    let grain = forms([1e-3, 2e-3, 1e-3]);
    let place = |at: [f64; 3]| Place { translation: at, rotation: [0.0, 0.0, 0.0, 1.0] };
    assert_eq!(check::<3, Room>(&mountain, &place([0.0; 3]), &grain, &place([0.0; 3])), -(1e6 + 1e-3));
    check::<3, Room>(&mountain, &place([0.0; 3]), &grain, &place([3.0, 2e6 + 2e-3, 5.0]));
    let turned = Pose3::new([1e6, 2e6, 1e6], Quat::from_axis_angle([1.0, 1.0, 0.5], 0.7).unwrap());
    check::<3, Room>(&mountain, &place([0.0; 3]), &grain, &Room::place(turned));
    let far = [1e7, -1e7, 3e6];
    let near = |by: f64| place([far[0] + by, far[1], far[2]]);
    assert_eq!(check::<3, Room>(&forms([1.0; 3]), &near(0.0), &forms([1.0; 3]), &near(2.0)), 0.0);
    let flat = Pose2::new([1e7, 0.0], carom_math::Rot2::from_cos_sin(0.6, 0.8).unwrap());
    let beside = Pose2::new([1e7 + 3.0, 0.0], carom_math::Rot2::from_cos_sin(0.8, 0.6).unwrap());
    check::<2, Plane>(&forms([1.0, 2.0]), &Plane::place(flat), &forms([1.0, 0.5]), &Plane::place(beside));
}
