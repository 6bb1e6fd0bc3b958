//! Nothing trips over internal edges.

use carom_geometry::{d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec3, Vector};
use carom_oracle::generate::Rng;

/// 2 × 100 × 50 = 10⁴ triangles in the plane y = 0, in a mesh and in a height field.
fn floors() -> [d3::Shape<f64>; 2] {
    let (rows, columns) = (50_u32, 100_u32);
    let corners: Vec<[f64; 3]> = (0..=rows)
        .flat_map(|row| {
            (0..=columns).map(move |column| [f64::from(column) * 0.37, 0.0, f64::from(row) * 0.41])
        })
        .collect();
    let at = |row: u32, column: u32| row * (columns + 1) + column;
    let triangles: Vec<[u32; 3]> = (0..rows)
        .flat_map(|r| (0..columns).map(move |c| (r, c)))
        .flat_map(|(r, c)| {
            [[at(r, c), at(r + 1, c), at(r + 1, c + 1)], [at(r, c), at(r + 1, c + 1), at(r, c + 1)]]
        })
        .collect();
    let mesh = d3::TriangleMesh::new(corners, triangles).unwrap();
    assert_eq!(mesh.edge_kinds(5_001).unwrap(), [d3::EdgeKind::Flat; 3]);
    let heights = vec![vec![0.0; columns as usize + 1]; rows as usize + 1];
    [mesh.into(), d3::HeightField::new(heights, [0.37, 0.41]).unwrap().into()]
}

#[test]
fn a_floor_of_ten_thousand_triangles_is_flat() {
    let mut rng = Rng::new(21);
    let movers: [d3::Shape<f64>; 5] = [
        d3::Ball::new(0.5).unwrap().into(),
        d3::Cuboid::new([0.5, 0.5, 0.5]).unwrap().into(),
        d3::Capsule::new([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], 0.5).unwrap().into(),
        d3::Cylinder::new(0.5, 0.7).unwrap().into(),
        d3::Cuboid::new([0.06, 0.5, 0.03]).unwrap().into(),
    ];
    let mut found = Vec::new();
    for floor in &floors() {
        for (kind, mover) in movers.iter().enumerate() {
            for step in 0..60 {
                let depth = if step % 3 == 0 { 0.0 } else { rng.uniform(0.0, 0.1) };
                let turn = Quat::from_axis_angle([0.0, 1.0, 0.0], rng.uniform(-3.0, 3.0)).unwrap();
                let turn = if step % 4 == 0 { Quat::IDENTITY } else { turn };
                let at = Vec3::new(3.0 + f64::from(step) * 0.111, 0.5 - depth, 3.0 + f64::from(step) * 0.057);
                let pose = Pose3::new(at, turn);
                d3::manifolds(floor, Pose3::IDENTITY, mover, pose, 0.0, &mut found).unwrap();
                assert!(!found.is_empty(), "{mover:?} {pose:?}");
                for manifold in &found {
                    let off = (manifold.normal() - Vec3::new(0.0, 1.0, 0.0)).max_abs();
                    assert!(off <= 1e-6, "{kind} {pose:?} {manifold:?}");
                    assert!(manifold.depth() <= depth + 1e-12, "{kind} {depth} {manifold:?}");
                }
                let deepest =
                    d3::contact(floor, Pose3::IDENTITY, mover, pose).unwrap().expect("it rests there");
                assert!((deepest.normal.y - 1.0).abs() <= 1e-9, "{kind} {pose:?} {deepest:?}");
                assert!((deepest.depth - depth).abs() <= 1e-12, "{kind} {depth} {pose:?} {deepest:?}");
            }
        }
    }
}

#[test]
fn a_chain_of_ten_thousand_segments_is_flat() {
    let mut rng = Rng::new(22);
    let chain = d2::Polyline::new((0..=10_000).map(|index| [f64::from(index) * 0.1, 0.0])).unwrap();
    let movers: [d2::Shape<f64>; 3] = [
        d2::Ball::new(0.5).unwrap().into(),
        d2::Cuboid::new([0.25, 0.5]).unwrap().into(),
        d2::Capsule::new([-0.5, 0.0], [0.5, 0.0], 0.5).unwrap().into(),
    ];
    let mut found = Vec::new();
    for mover in &movers {
        for step in 0..300 {
            let depth = if step % 3 == 0 { 0.0 } else { rng.uniform(0.0, 0.2) };
            let pose = Pose2::new([5.0 + f64::from(step) * 3.021, 0.5 - depth], Rot2::IDENTITY);
            d2::manifolds(&chain, Pose2::IDENTITY, mover, pose, 0.0, &mut found).unwrap();
            assert!(!found.is_empty());
            for manifold in &found {
                assert!((manifold.normal().y - 1.0).abs() <= 1e-9, "{mover:?} {pose:?} {manifold:?}");
            }
            let deepest = d2::contact(&chain, Pose2::IDENTITY, mover, pose).unwrap().expect("it rests there");
            assert!((deepest.depth - depth).abs() <= 1e-12, "{mover:?} {depth} {pose:?} {deepest:?}");
        }
    }
}

/// A ridge keeps the normals between those of its sides, and an open edge all of its own.
#[test]
fn real_edges_are_still_felt() {
    let corners = [
        [0.0, 1.0, 0.0],
        [0.0, 1.0, 4.0],
        [2.0, 0.0, 0.0],
        [2.0, 0.0, 4.0],
        [-2.0, 0.0, 0.0],
        [-2.0, 0.0, 4.0],
    ];
    let roof = d3::TriangleMesh::<f64>::new(corners, [[0, 1, 2], [1, 3, 2], [1, 0, 4], [5, 1, 4]]).unwrap();
    let ball = d3::Ball::new(0.5).unwrap();
    let on_ridge = d3::contact(&roof, Pose3::IDENTITY, &ball, [0.0, 1.45, 2.0]).unwrap().unwrap();
    assert!((on_ridge.normal.y - 1.0).abs() < 1e-9 && (on_ridge.depth - 0.05).abs() < 1e-9, "{on_ridge:?}");
    let beside = d3::contact(&roof, Pose3::IDENTITY, &ball, [2.45, 0.0, 2.0]).unwrap().unwrap();
    assert!((beside.normal.x - 1.0).abs() < 1e-9, "{beside:?}");
}

/// A thin card lies on one side of a ridge, sunk in by a little, and reaches over it. The plane of the other side
/// has most of the card below it, yet nothing may push the card through the surface.
#[test]
fn a_card_that_reaches_over_a_ridge_is_not_pushed_through() {
    const SLOPE: f64 = 0.28;
    let rise = SLOPE / (1.0 - SLOPE * SLOPE).sqrt();
    let corners: Vec<[f64; 3]> = (0..3)
        .flat_map(|x| [0.0, 2.0].map(|z| [2.0 * f64::from(x), if x == 1 { 2.0 * rise } else { 0.0 }, z]))
        .collect();
    let triangles = [[0, 1, 3], [3, 2, 0], [2, 3, 5], [5, 4, 2]];
    let turned = triangles.map(|[a, b, c]: [u32; 3]| [c, b, a]);
    let surfaces: [d3::Shape<f64>; 3] = [
        d3::TriangleMesh::new(corners.clone(), triangles).unwrap().into(),
        d3::TriangleMesh::new(corners, turned).unwrap().into(),
        d3::HeightField::new([[0.0, 2.0 * rise, 0.0]; 2], [2.0, 2.0]).unwrap().into(),
    ];
    let chain: d2::Shape<f64> =
        d2::Polyline::new([[0.0, 0.0], [2.0, 2.0 * rise], [4.0, 0.0]]).unwrap().into();
    let (card, flat_card) =
        (d3::Cuboid::new([0.2, 0.02, 0.04]).unwrap(), d2::Cuboid::new([0.2, 0.02]).unwrap());
    let upright = (1.0 - SLOPE * SLOPE).sqrt();
    let (mut found, mut found_in_plane) = (Vec::new(), Vec::new());
    for step in 0..200 {
        let depth = 0.0005 * f64::from(step % 20);
        let short_of_the_ridge = 0.19 - 0.01 * f64::from(step / 20);
        // Along the left slope and up from it.
        let (along, up) = ([upright, SLOPE], [-SLOPE, upright]);
        let at: [f64; 2] = core::array::from_fn(|k| {
            [2.0, 2.0 * rise][k] - short_of_the_ridge * along[k] + (0.02 - depth) * up[k]
        });
        let angle = rise.atan();
        let turn = Quat::from_axis_angle([0.0, 0.0, 1.0], angle).unwrap();
        let pose = Pose3::new([at[0], at[1], 1.03], turn);
        for surface in &surfaces {
            d3::manifolds(surface, Pose3::IDENTITY, &card, pose, 0.0, &mut found).unwrap();
            assert!(!found.is_empty() || depth == 0.0, "{pose:?}");
            for manifold in &found {
                assert!(upright - 1e-6 <= manifold.normal().y, "{pose:?} {manifold:?}");
                assert!(manifold.depth() <= depth + 1e-12, "{depth} {pose:?} {manifold:?}");
            }
        }
        let pose = Pose2::new(at, Rot2::from_angle(angle));
        d2::manifolds(&chain, Pose2::IDENTITY, &flat_card, pose, 0.0, &mut found_in_plane).unwrap();
        for manifold in &found_in_plane {
            assert!(upright - 1e-6 <= manifold.normal().y, "{pose:?} {manifold:?}");
            assert!(manifold.depth() <= depth + 1e-12, "{depth} {pose:?} {manifold:?}");
        }
    }
}
