//! Inputs on which other libraries failed, with the numbers of their reports.
#![allow(clippy::excessive_precision)] // digit for digit

use super::super::{Block, Cloud, Corners, Cylinder, Posed, Status};
use super::{FromArray, apart, deep, vectors};
use carom_math::{Mat3, Vec3, Vector};
use carom_oracle::generate::box_corners;
use carom_oracle::polytope::Convex;
use carom_oracle::rational::{sqrt_bounds, sqrt_error};

type Point = Vec3<f64>;

/// Distance and depth of two point sets against the exact answer.
fn check_hulls(a: &[[f64; 3]], b: &[[f64; 3]], overlap: bool) {
    let (exact_a, exact_b) = (Convex::hull(a), Convex::hull(b));
    let (a, b): (Vec<Point>, Vec<Point>) = (vectors(a), vectors(b));
    let (a, b) = (Cloud::new(&a), Cloud::new(&b));
    for (a, b, exact_a, exact_b) in [(&a, &b, &exact_a, &exact_b), (&b, &a, &exact_b, &exact_a)] {
        let size = super::Support::<Point>::size(a) + super::Support::<Point>::size(b);
        let found = apart(a, b);
        let [low, high] = sqrt_bounds(&exact_a.distance_squared(exact_b));
        assert!(found.lower <= high && low <= found.upper, "{found:?} against {low}");
        assert_eq!(found.status == Status::Overlap, overlap, "{found:?}");
        if overlap {
            let found = deep(a, b);
            let squared = exact_a.depth_squared(exact_b).unwrap();
            let [low, high] = sqrt_bounds(&squared);
            assert!(found.lower <= high && low <= found.upper, "{found:?} against {low}");
            assert!(sqrt_error(found.depth, &squared) <= 1e-14 * size, "{found:?} against {low}");
            let [_, behind] = sqrt_bounds(&exact_a.overlap_along(exact_b, &found.normal.to_array()).sqr());
            assert!(behind <= found.upper * (1.0 + 1e-15), "{found:?} against {behind}");
        }
    }
}

/// parry #157: the depth search gave up at its cap and reported no contact.
#[test]
fn frustum_with_one_vertex_inside_overlaps() {
    let a = [
        [-0.7938391, 5.1101756, 0.1773476],
        [-5.293839, 0.6101756, -4.3226523],
        [-5.293839, 0.6101756, 5.6773477],
        [-0.7938391, 5.1101756, 1.1773477],
        [-0.7938391, 6.1101756, 0.1773476],
        [-5.293839, 10.610176, -4.3226523],
        [-5.293839, 10.610176, 5.6773477],
        [-0.7938391, 6.1101756, 1.1773477],
    ];
    let b = [
        [8.114634, 4.6308937, 0.76987207],
        [-18.83664, -53.96347, -649.29565],
        [-608.7832, -53.96347, -208.59384],
        [6.93474, 4.6308937, 1.6512758],
        [8.253552, 5.426136, 0.9558364],
        [50.62288, 343.65768, -556.3136],
        [-539.3237, 343.65768, -115.611725],
        [7.073659, 5.426136, 1.8372401],
    ];
    check_hulls(&a, &b, true);
}

/// parry #157, second report: frusta of size 1e3 and 1e5 with tips of size 1e-3.
#[test]
fn frusta_with_tiny_tips_overlap() {
    let a = [
        [0.45838028, 5.7372417, 0.61019015],
        [1000.35846, -994.1628, 1000.51013],
        [1000.35834, -994.1628, -999.48987],
        [0.45838028, 5.7372417, 0.41019014],
        [0.45838028, 5.9372416, 0.61019015],
        [1000.35846, 1005.8372, 1000.51013],
        [1000.35834, 1005.8372, -999.48987],
        [0.45838028, 5.9372416, 0.41019014],
    ];
    let b = [
        [-0.4522132, 8.780189, 15.508082],
        [72537.12, -72390.1, -81439.88],
        [-74725.21, -72390.1, -79438.195],
        [-0.45368585, 8.780189, 15.508101],
        [-0.45221695, 8.780969, 15.507806],
        [72161.625, 5710.25, -109064.305],
        [-75100.7, 5710.25, -107062.62],
        [-0.4536896, 8.780969, 15.507825],
    ];
    check_hulls(&a, &b, true);
}

/// parry #396: coaxial cylinders in the same pose, and a segment on the axis, were found disjoint.
#[test]
fn coaxial_cylinders_overlap() {
    let large = Cylinder { half_height: 50.0, radius: 100.0 };
    let small = Cylinder { half_height: 1.5, radius: 1.0 };
    assert!(matches!(apart(&large, &small).status, Status::Overlap | Status::Touching));
    // Out through an end takes 50 + 1.5, out through the side 100 + 1.
    let found = deep(&large, &small);
    assert!((found.depth - 51.5).abs() <= 1e-9, "{found:?}");
    assert!(found.lower <= 51.5 && 51.5 <= found.upper && 1.0 - found.normal.y.abs() <= 1e-12, "{found:?}");
    let axis = Corners([Vec3::new(0.0, -50.0, 0.0), Vec3::new(0.0, 50.0, 0.0)]);
    let found = deep(&large, &axis);
    assert!((found.depth - 100.0).abs() <= 1e-8 && found.lower <= 100.0 && 100.0 <= found.upper, "{found:?}");
}

/// ncollide #157: distance zero, yet no contact. The corner of the box is inside of the circle:
/// depth = radius − √(0.48² + 0.02²).
#[test]
fn cylinder_overlaps_the_edge_of_a_box() {
    let at = |x, y, z| Vec3::new(x, y, z);
    let cylinder = Posed::new(
        Cylinder { half_height: 0.925, radius: 0.5 },
        &Mat3::IDENTITY.columns,
        at(10.97, 0.925, 61.02),
    );
    let cuboid = Posed::new(Block(at(0.05, 0.75, 0.5)), &Mat3::IDENTITY.columns, at(11.5, 0.75, 60.5));
    assert_eq!(apart(&cylinder, &cuboid).status, Status::Overlap);
    let found = deep(&cylinder, &cuboid);
    let truth = 0.5 - (0.48_f64 * 0.48 + 0.02 * 0.02).sqrt();
    assert!((found.depth - truth).abs() <= 1e-9, "{found:?} against {truth}");
    let swapped = deep(&cuboid, &cylinder);
    assert!((swapped.depth - truth).abs() <= 1e-9 && (swapped.normal + found.normal).length() <= 1e-3);
}

/// Geometric Tools, pull request 44: an overlap of a box and a tilted cylinder was missed.
#[test]
fn tilted_cylinder_overlaps_a_box() {
    let axis = Vec3::new(0.10444, 0.328969, 0.938548).normalized().unwrap();
    let first = axis.cross(Vec3::unit(0)).normalized().unwrap();
    let columns = [first, axis, first.cross(axis)];
    let center = Vec3::new(-2.788151, -2.091865, 0.8015);
    let half = Vec3::new(2.5, 2.5, 1.35);
    let cylinder = Posed::new(Cylinder { half_height: 1.05, radius: 0.39 }, &columns, center);
    let found = apart(&Block(half), &cylinder);
    assert_eq!(found.status, Status::Overlap);
    // The blend of the vertices is a common point; both bodies have simple equations.
    let common = found.point_a;
    assert!((found.point_a - found.point_b).length() <= 1e-12);
    assert!((0..3).all(|i| common.get(i).abs() <= half.get(i) + 1e-12), "{common:?}");
    let from_center = common - center;
    let along = from_center.dot(axis);
    assert!(along.abs() <= 1.05 + 1e-12 && (from_center - axis * along).length() <= 0.39 + 1e-12);
    let found = deep(&Block(half), &cylinder);
    assert!(0.0 < found.depth && found.upper - found.lower <= 1e-9, "{found:?}");
}

/// FCL #398, #415, #428: boxes in poses without rotation for which the signed distance failed.
/// FCL #508: unit boxes four apart gave 3.162 instead of 3.
#[test]
fn moved_boxes_agree_with_exact_answers() {
    let cases = [
        ([0.614, 3.0, 0.37], [-0.675, 0.0, 0.9115], [0.494, 0.552, 0.01], [-0.692, 0.0, 0.935]),
        (
            [0.02, 0.33, 0.02],
            [0.054, -0.772, 0.405],
            [0.452, 0.27, 0.42],
            [0.121, -0.629605057504326826, 0.3],
        ),
        (
            [0.2, 0.33, 0.1],
            [-0.071000000000000035305, -0.772, 0.8],
            [0.452, 0.27, 0.6],
            [0.121, -0.78769605692727695523, 0.53422044196125151316],
        ),
        ([1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 4.0, 0.0]),
        // mujoco_warp #1526: the origin exactly on a face of the simplex.
        ([2.0, 2.0, 2.0], [0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [1.0, 1.0, 0.0]),
        ([2.0, 2.0, 2.0], [0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [0.0, 0.0, 0.0]),
    ];
    for (size_a, at_a, size_b, at_b) in cases {
        let half = |size: [f64; 3]| size.map(|x| x / 2.0);
        let posed =
            |size, at| Posed::new(Block(Vec3::from(half(size))), &Mat3::IDENTITY.columns, Vec3::from(at));
        let exact = |size, at: [f64; 3]| Convex::hull(&box_corners(half(size))).translated(&at);
        let (a, b) = (posed(size_a, at_a), posed(size_b, at_b));
        let (exact_a, exact_b) = (exact(size_a, at_a), exact(size_b, at_b));
        let found = apart(&a, &b);
        let squared = exact_a.distance_squared(&exact_b);
        assert!(sqrt_error(found.distance, &squared) <= 1e-14, "{found:?}");
        if found.status != Status::Closest {
            let found = deep(&a, &b);
            let squared = exact_a.depth_squared(&exact_b).unwrap();
            assert!(sqrt_error(found.depth, &squared) <= 1e-14, "{found:?}");
        }
    }
}
