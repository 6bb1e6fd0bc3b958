//! Cases worked by hand.

use carom_geometry::{Manifold, d2, d3};
use carom_math::{Pose3, Quat, Rot2, Vec2, Vec3, Vector};

/// The points sorted by their coordinates, each with its depth.
pub(super) fn sorted<V: Vector<Scalar = f64>>(found: &Manifold<V>) -> Vec<(Vec<f64>, f64)> {
    let mut points: Vec<(Vec<f64>, f64)> = found
        .points()
        .iter()
        .map(|p| ((0..V::DIM).map(|axis| p.point.get(axis) + 0.0).collect(), p.depth + 0.0))
        .collect();
    points.sort_by(|a, b| a.partial_cmp(b).unwrap());
    points
}

fn box3(x: f64, y: f64, z: f64) -> d3::Cuboid<f64> {
    d3::Cuboid::new([x, y, z]).unwrap()
}

const ORIGIN: [f64; 3] = [0.0; 3];

/// [−1, 1]² and [0, 2]×[0, 4] share [0, 1]×[0, 1]; the tops are at 1, the bottom at 0.75.
#[test]
fn face_on_face() {
    let found =
        d3::manifold(&box3(1.0, 1.0, 1.0), ORIGIN, &box3(1.0, 1.0, 2.0), [1.0, 1.75, 2.0]).unwrap().unwrap();
    assert_eq!(found.normal(), Vec3::new(0.0, 1.0, 0.0));
    let y = 0.875;
    let corners = [[0.0, y, 0.0], [0.0, y, 1.0], [1.0, y, 0.0], [1.0, y, 1.0]];
    assert_eq!(sorted(&found), corners.map(|p| (p.to_vec(), 0.25)));
}

/// The same with touching faces, far from the origin and turned by quarter turns: depth 0 everywhere.
#[test]
fn touching_faces_have_depth_zero_at_every_corner() {
    for turn in [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]] {
        let [x, y, z, w] = turn;
        let pose = Pose3::new([4096.5, 2.0, -1024.0], Quat::new(x, y, z, w).unwrap());
        let found = d3::manifold(&box3(1.0, 1.0, 1.0), [4096.0, 0.0, -1024.25], &box3(1.0, 1.0, 1.0), pose);
        let found = found.unwrap().unwrap();
        let corners = [
            [4095.5, 1.0, -1025.0],
            [4095.5, 1.0, -1023.25],
            [4097.0, 1.0, -1025.0],
            [4097.0, 1.0, -1023.25],
        ];
        assert_eq!(sorted(&found), corners.map(|p| (p.to_vec(), 0.0)), "{turn:?}");
    }
}

/// Equal boxes, one on the other: the corners of both are the same points, and there are four.
#[test]
fn equal_faces() {
    let cube = box3(1.0, 1.0, 1.0);
    let found = d3::manifold(&cube, ORIGIN, &cube, [0.0, 0.0, 2.0]).unwrap().unwrap();
    let corners = [[-1.0, -1.0, 1.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0]];
    assert_eq!(sorted(&found), corners.map(|p| (p.to_vec(), 0.0)));
}

/// Squares turned by 45° share an octagon; four of its corners are chosen, on a circle about the middle.
#[test]
fn turned_faces() {
    let cube = box3(1.0, 1.0, 1.0);
    let pose = Pose3::new(
        [0.0, 2.0, 0.0],
        Quat::from_axis_angle([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_4).unwrap(),
    );
    let found = d3::manifold(&cube, ORIGIN, &cube, pose).unwrap().unwrap();
    assert_eq!(found.points().len(), 4);
    let side = 2.0_f64.sqrt() - 1.0;
    for p in found.points() {
        let radius = (p.point.x * p.point.x + p.point.z * p.point.z).sqrt();
        assert!((radius - (1.0 + side * side).sqrt()).abs() < 1e-12, "{p:?}");
        assert_eq!(p.feature.a % 4, 2); // an edge
        assert_eq!(p.feature.b % 4, 2);
    }
}

/// Two cubes turned onto their edges, crossing at a right angle: one point.
#[test]
fn edge_on_edge() {
    let cube = box3(1.0, 1.0, 1.0);
    let eighth = std::f64::consts::FRAC_PI_4;
    let about_x = Pose3::new(ORIGIN, Quat::from_axis_angle([1.0, 0.0, 0.0], eighth).unwrap());
    let reach = 2.0_f64.sqrt();
    let about_z =
        Pose3::new([0.25, 2.0 * reach - 0.125, 0.5], Quat::from_axis_angle([0.0, 0.0, 1.0], eighth).unwrap());
    let found = d3::manifold(&cube, about_x, &cube, about_z).unwrap().unwrap();
    assert_eq!(found.points().len(), 1);
    let only = found.points()[0];
    assert!((only.depth - 0.125).abs() < 1e-14 && (found.normal().y - 1.0).abs() < 1e-14);
    let expected = Vec3::new(0.25, reach - 0.0625, 0.0);
    assert!(Vector::length(only.point - expected) < 1e-14, "{only:?}");
    assert_eq!((only.feature.a % 4, only.feature.b % 4), (2, 2));
}

/// A box that leans on one edge has the two ends of the edge within a small margin.
#[test]
fn leaning_box() {
    let pose = Pose3::new(
        [0.0, 2.0_f64.sqrt(), 0.0],
        Quat::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4).unwrap(),
    );
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let found = d3::manifold_within(&ground, ORIGIN, &box3(1.0, 1.0, 3.0), pose, 0.125).unwrap().unwrap();
    assert_eq!(found.points().len(), 2);
    for (p, z) in sorted(&found).iter().zip([-3.0, 3.0]) {
        assert!(p.0[0].abs() < 1e-15 && p.0[2] == z && p.1.abs() < 1e-15, "{p:?}");
    }
}

#[test]
fn box_on_half_space() {
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], -1.0).unwrap();
    let found = d3::manifold(&box3(1.0, 2.0, 3.0), [0.0, 0.5, 0.0], &ground, ORIGIN).unwrap().unwrap();
    assert_eq!(found.normal(), Vec3::new(0.0, -1.0, 0.0));
    let corners = [[-1.0, -1.25, -3.0], [-1.0, -1.25, 3.0], [1.0, -1.25, -3.0], [1.0, -1.25, 3.0]];
    assert_eq!(sorted(&found), corners.map(|p| (p.to_vec(), 0.5)));
    // Corners of the box: bit 1, the side along y, is clear.
    let mut names: Vec<u32> = found.points().iter().map(|p| p.feature.a).collect();
    names.sort_unstable();
    assert_eq!(names, [0, 1, 4, 5].map(|bits| 4 * bits + 1));
}

#[test]
fn capsule_on_box() {
    let pill = d3::Capsule::new([-4.0, 0.0, 0.0], [0.5, 0.0, 0.0], 0.25).unwrap();
    let found = d3::manifold(&box3(1.0, 1.0, 1.0), ORIGIN, &pill, [0.0, 1.125, 0.5]).unwrap().unwrap();
    assert_eq!(found.normal(), Vec3::new(0.0, 1.0, 0.0));
    let points = [[-1.0, 0.9375, 0.5], [0.5, 0.9375, 0.5]];
    assert_eq!(sorted(&found), points.map(|p| (p.to_vec(), 0.125)));
}

#[test]
fn capsules_side_by_side() {
    let pill = d3::Capsule::new([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.5).unwrap();
    let found = d3::manifold(&pill, ORIGIN, &pill, [1.0, 0.0, 0.75]).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-1.0, 0.0, 0.375], [2.0, 0.0, 0.375]].map(|p| (p.to_vec(), 0.25)));
    // Across each other: one point.
    let quarter = Quat::new(0.0, 1.0, 0.0, 1.0).unwrap();
    let found = d3::manifold(&pill, ORIGIN, &pill, Pose3::new([1.0, 0.75, 0.0], quarter)).unwrap().unwrap();
    assert_eq!(sorted(&found), [(vec![1.0, 0.375, 0.0], 0.25)]);
}

#[test]
fn cylinder_on_half_space() {
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let can = d3::Cylinder::new(2.0, 0.5).unwrap();
    let standing = d3::manifold(&ground, ORIGIN, &can, [1.0, 2.0, 0.0]).unwrap().unwrap();
    let rim = [[0.5, 0.0, 0.0], [1.0, 0.0, -0.5], [1.0, 0.0, 0.5], [1.5, 0.0, 0.0]];
    assert_eq!(sorted(&standing), rim.map(|p| (p.to_vec(), 0.0)));
    // A quarter turn about z lays the axis along −x.
    let quarter = Quat::new(0.0, 0.0, 1.0, 1.0).unwrap();
    let lying = d3::manifold(&ground, ORIGIN, &can, Pose3::new([0.0, 0.25, 3.0], quarter)).unwrap().unwrap();
    assert_eq!(sorted(&lying), [[-2.0, -0.125, 3.0], [2.0, -0.125, 3.0]].map(|p| (p.to_vec(), 0.25)));
}

#[test]
fn cone_on_half_space() {
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let hat = d3::Cone::new(1.0, 0.5).unwrap();
    let standing = d3::manifold(&ground, ORIGIN, &hat, [0.0, 0.75, 0.0]).unwrap().unwrap();
    let rim = [[-0.5, -0.125, 0.0], [0.0, -0.125, -0.5], [0.0, -0.125, 0.5], [0.5, -0.125, 0.0]];
    assert_eq!(sorted(&standing), rim.map(|p| (p.to_vec(), 0.25)));
    // Half a turn about z puts it on its tip.
    let upside_down = Pose3::new([0.0, 0.75, 0.0], Quat::new(0.0, 0.0, 1.0, 0.0).unwrap());
    let tip = d3::manifold(&ground, ORIGIN, &hat, upside_down).unwrap().unwrap();
    assert_eq!(sorted(&tip), [(vec![0.0, -0.125, 0.0], 0.25)]);
}

/// A thin triangle is a face from both sides; a box that lies in its middle has its four corners.
#[test]
fn triangle_from_both_sides() {
    let sheet = d3::Triangle::new([-8.0, 0.0, -8.0], [8.0, 0.0, -8.0], [0.0, 0.0, 16.0]).unwrap();
    for side in [1.0, -1.0] {
        let found =
            d3::manifold(&sheet, ORIGIN, &box3(1.0, 1.0, 1.0), [0.0, side * 0.75, 0.0]).unwrap().unwrap();
        assert_eq!(found.normal(), Vec3::new(0.0, side, 0.0));
        let y = side * -0.125;
        let corners = [[-1.0, y, -1.0], [-1.0, y, 1.0], [1.0, y, -1.0], [1.0, y, 1.0]];
        assert_eq!(sorted(&found), corners.map(|p| (p.to_vec(), 0.25)));
    }
}

#[test]
fn balls_have_one_point() {
    let ball = d3::Ball::new(1.0).unwrap();
    let found = d3::manifold(&box3(2.0, 1.0, 2.0), ORIGIN, &ball, [0.5, 1.5, 0.25]).unwrap().unwrap();
    assert_eq!(sorted(&found), [(vec![0.5, 0.75, 0.25], 0.5)]);
    let square = d2::Cuboid::new([2.0, 1.0]).unwrap();
    let found = d2::manifold(&square, [0.0, 0.0], &d2::Ball::new(1.0).unwrap(), [0.5, 1.5]).unwrap().unwrap();
    assert_eq!(sorted(&found), [(vec![0.5, 0.75], 0.5)]);
}

#[test]
fn in_the_plane() {
    let origin = [0.0, 0.0];
    let square = d2::Cuboid::new([1.0, 1.0]).unwrap();
    let found = d2::manifold(&square, origin, &square, [1.5, 0.75]).unwrap().unwrap();
    assert_eq!(found.normal(), Vec2::new(1.0, 0.0));
    assert_eq!(sorted(&found), [[0.75, -0.25], [0.75, 1.0]].map(|p| (p.to_vec(), 0.5)));
    // A corner pokes into a side.
    let eighth = Rot2::from_angle(std::f64::consts::FRAC_PI_4);
    let found =
        d2::manifold(&square, origin, &square, ([2.0_f64.sqrt() + 0.75, 0.0], eighth)).unwrap().unwrap();
    let deepest = found.points().iter().find(|p| p.depth == found.depth()).unwrap();
    assert!(
        (deepest.depth - 0.25).abs() < 1e-15 && Vector::length(deepest.point - Vec2::new(0.875, 0.0)) < 1e-15
    );
    // A capsule on a square, on the ground and beside another.
    let pill = d2::Capsule::new([-4.0, 0.0], [0.5, 0.0], 0.25).unwrap();
    let found = d2::manifold(&pill, [0.0, 1.125], &square, origin).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-1.0, 0.9375], [0.5, 0.9375]].map(|p| (p.to_vec(), 0.125)));
    let ground = d2::HalfSpace::new([0.0, 1.0], 0.0).unwrap();
    let found = d2::manifold(&pill, [0.0, 0.25], &ground, origin).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-4.0, 0.0], [0.5, 0.0]].map(|p| (p.to_vec(), 0.0)));
    let found = d2::manifold(&pill, origin, &pill, [1.0, 0.25]).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-3.0, 0.125], [0.5, 0.125]].map(|p| (p.to_vec(), 0.25)));
    // A triangle with either winding stands on its side.
    for corners in [[[-1.0, 0.0], [1.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [-1.0, 0.0], [0.0, 3.0]]] {
        let [a, b, c] = corners;
        let found = d2::manifold(&square, [0.5, -1.0], &d2::Triangle::new(a, b, c).unwrap(), origin)
            .unwrap()
            .unwrap();
        assert_eq!(sorted(&found), [[-0.5, 0.0], [1.0, 0.0]].map(|p| (p.to_vec(), 0.0)));
    }
    // Segments in a cross touch in one point at most in depth 0.
    let segment = d2::Segment::new([-1.0, 0.0], [1.0, 0.0]).unwrap();
    let found = d2::manifold(&segment, origin, &segment, [0.5, 0.0]).unwrap().unwrap();
    assert_eq!(sorted(&found), [[-0.5, 0.0], [1.0, 0.0]].map(|p| (p.to_vec(), 0.0)));
}
