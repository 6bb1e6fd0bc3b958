//! Parts that are equally near, deep or soon: all are looked at as one, and the answers are those of any of them.

use super::large::bumpy_ball;
use carom_geometry::d2;
use carom_geometry::d3::{self, Cuboid, Shape, TriangleMesh};
use carom_geometry::{CastOptions, ImpactOptions};
use carom_math::{Motion3, Number, Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::Rng;

type Point = Vec3<f64>;

/// A flat floor of squares of a metre about the origin.
fn floor(squares: u32) -> Shape<f64> {
    let at = |k: u32| f64::from(k) - f64::from(squares) * 0.5;
    let corners = (0..=squares).flat_map(|i| (0..=squares).map(move |j| [at(i), 0.0, at(j)]));
    let place = |i: u32, j: u32| i * (squares + 1) + j;
    let cells = (0..squares).flat_map(|i| (0..squares).map(move |j| (i, j)));
    let triangles = cells.flat_map(|(i, j)| {
        let [a, b, c, d] = [place(i, j), place(i, j + 1), place(i + 1, j), place(i + 1, j + 1)];
        [[a, b, c], [c, b, d]]
    });
    TriangleMesh::new(corners, triangles).unwrap().into()
}

/// However many triangles are below a box, upright or turned about the vertical, its distance, depth and fall are those of a plane.
#[test]
fn a_floor_of_many_triangles_is_a_plane() {
    let (floor, slab) = (floor(20), Cuboid::new([3.0, 0.5, 3.0]).unwrap());
    for angle in [0.0, 0.3] {
        for height in [2.0, 0.125, -0.125] {
            let pose = Pose3::new([0.25, 0.5 + height, -0.5], Quat::from_rotation_vector([0.0, angle, 0.0]));
            let found = d3::distance(&floor, Pose3::IDENTITY, &slab, pose).unwrap();
            let gap = d3::gap(&floor, Pose3::IDENTITY, &slab, pose).unwrap();
            let truth = if 0.0 < height { height } else { 0.0 };
            assert!((found.distance - truth).abs() <= 1e-13, "{height} {found:?}");
            assert!(found.lower <= truth && truth <= found.upper && found.upper - found.lower < 1e-10);
            assert_eq!((gap.distance, gap.lower, gap.upper), (found.distance, found.lower, found.upper));
            assert!((found.normal - Point::unit(1)).max_abs() < 1e-13);
            let contact = d3::contact(&floor, Pose3::IDENTITY, &slab, pose).unwrap();
            assert_eq!(contact.is_some(), height < 0.0);
            assert_eq!(d3::intersects(&floor, Pose3::IDENTITY, &slab, pose).unwrap(), height < 0.0);
            if let Some(contact) = contact {
                assert!((contact.depth + height).abs() <= 1e-13 && contact.normal.y == 1.0, "{contact:?}");
            }
            let (still, down) = ([0.0; 3], [0.25, -1.0, 0.125]);
            let options = CastOptions { max: 9.0 };
            let hit = d3::cast_shape(&floor, Pose3::IDENTITY, still, &slab, pose, down, options);
            let hit = hit.unwrap().unwrap();
            assert!((hit.t - truth).abs() <= 1e-12 && hit.normal.y.abs() == 1.0, "{height} {hit:?}");
        }
    }
}

/// What slides along a plane touches strips in it one after the other, all of which it is as far from along their normal, which is none.
#[test]
fn strips_along_a_way_are_met_in_turn() {
    // In no order.
    let starts: Vec<f64> = (0..40_u32).map(|k| f64::from(k * 27 % 40) + 1.0).collect();
    let corners = starts.iter().flat_map(|&x| [[x, 0.0, -2.0], [x, 0.0, 2.0], [x + 0.5, 0.0, 0.0]]);
    let triangles = (0..40).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
    let strips: Shape<f64> = TriangleMesh::new(corners, triangles).unwrap().into();
    let block = Cuboid::new([0.5, 0.5, 0.5]).unwrap();
    for (sunk, from) in [(0.0, -1.0), (0.25, -1.0), (1e-9, -3.0), (0.0, 45.0), (0.25, 45.0)] {
        let velocity = if from < 0.0 { [1.0, 0.0, 0.0] } else { [-1.0, 0.0, 0.0] };
        let at = [from, 0.5 - sunk, 0.0];
        let options = CastOptions { max: 99.0 };
        let hit = d3::cast_shape(&strips, Pose3::IDENTITY, [0.0; 3], &block, at, velocity, options);
        // The first strip begins at 1; the last one ends, with a corner, at 40.5.
        let truth = if from < 0.0 { 1.0 - (from + 0.5) } else { from - 0.5 - 40.5 };
        let hit = hit.unwrap().unwrap();
        assert!((hit.t - truth).abs() <= 1e-9, "{sunk} {from} {hit:?}");
    }
}

/// Balls with bumps that spin beside each other do not touch while their centres are farther apart than both reach, and that takes no search: the
/// time was seconds. What is nearer than that is compared bump with bump.
#[test]
fn what_spins_out_of_reach_is_told_at_once() {
    let ball = Shape::from(bumpy_ball(&mut Rng::new(4), 16, 1.0));
    let Shape::Mesh(mesh) = &ball else { unreachable!("it was made of one") };
    let reach = mesh.vertices().map(Vector::length).fold(0.0, Number::max_of);
    let spinning = |x: f64, angular: [f64; 3]| {
        Motion3::from_velocity(Pose3::at([x, 0.0, 0.0]), [0.0, 0.0, 0.0], angular)
    };
    for turns in [0.3, 3.0, 30.0] {
        let first_touch = |apart: f64| {
            let motions =
                [spinning(0.0, [0.0, turns, 0.0]), spinning(apart, [0.3 * turns, -turns, 0.2 * turns])];
            let before = std::time::Instant::now();
            let found = d3::time_of_impact(&ball, motions[0], &ball, motions[1], ImpactOptions::default());
            assert!(before.elapsed().as_secs() < 10, "{apart} {turns}");
            found.unwrap()
        };
        assert!(first_touch(2.0 * reach * 1.001).is_none() && first_touch(2.0 * reach * 1.05).is_none());
        // Well within reach they touch when they spin often.
        assert!(turns < 10.0 || first_touch(2.0 * reach * 0.97).is_some());
    }
}

/// `gap` says what `distance` says to the bit, in `f32` too, however little shapes sink into a floor, or hover over it.
#[test]
fn gaps_are_distances_in_both_precisions() {
    macro_rules! check {
        ($number:ty) => {
            let corners =
                [[-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [9.0, 0.0, 9.0], [-9.0, 0.0, 9.0], [0.0, 0.0, 0.0]];
            let floor = TriangleMesh::<$number>::new(corners, [[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]]);
            let shapes: [d3::Shape<$number>; 4] = [
                Cuboid::new([0.5, 0.5, 0.5]).unwrap().into(),
                d3::Cone::new(0.5, 0.4).unwrap().into(),
                d3::Cylinder::new(0.5, 0.4).unwrap().into(),
                d3::Ellipsoid::new([0.4, 0.5, 0.3]).unwrap().into(),
            ];
            let (floor, here) = (floor.unwrap(), [0.0, 0.0, 0.0]);
            for (kind, shape) in shapes.iter().enumerate() {
                for exponent in -40..0 {
                    for side in [1.0, -1.0, 0.0] {
                        let there = [0.25, 0.5 + side * (2.0 as $number).powi(exponent), 0.125];
                        let gap = d3::gap(&floor, here, shape, there).unwrap();
                        let found = d3::distance(&floor, here, shape, there).unwrap();
                        let bounds = (found.distance, found.lower, found.upper);
                        assert_eq!((gap.distance, gap.lower, gap.upper), bounds, "{kind} {exponent} {side}");
                        assert_eq!(d3::intersects(&floor, here, shape, there).unwrap(), gap.distance == 0.0);
                    }
                }
            }
        };
    }
    check!(f32);
    check!(f64);
}

/// To a speck the numbers of its tree are so large that lanes cannot tell how far anything is: nothing is passed over for that.
#[test]
fn a_field_is_as_far_from_a_speck_as_from_its_place() {
    let place = [4.0, 2.0, 0.5];
    let heights = [[0.1, 0.4, 0.2, 0.0, -0.2, 0.3, 0.0, 0.1, 0.9, 0.3]; 3];
    let field = d3::HeightField::new(heights, [0.125, 0.25]).unwrap();
    let row = d2::HeightField::new(heights[0], 0.125).unwrap();
    let nearest = d3::closest_point(&field, [0.0; 3], place).unwrap();
    let nearest_of_row = d2::closest_point(&row, [0.0; 2], [place[0], place[1]]).unwrap();
    for size in [1e-300, 1e-30, 1e-12] {
        let speck = d3::Compound::new([(d3::Cuboid::new([size; 3]).unwrap(), [0.0; 3])]).unwrap();
        let far = d3::distance(&field, [0.0; 3], &speck, place).unwrap();
        assert!((far.distance - nearest.distance).abs() <= 1e-11, "{size} {far:?} {nearest:?}");
        let speck = d2::Compound::new([(d2::Cuboid::new([size; 2]).unwrap(), [0.0; 2])]).unwrap();
        let far = d2::distance(&row, [0.0; 2], &speck, [place[0], place[1]]).unwrap();
        assert!((far.distance - nearest_of_row.distance).abs() <= 1e-11, "{size} {far:?} {nearest_of_row:?}");
    }
}
