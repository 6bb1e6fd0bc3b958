//! What is wrong with meshes, and mending it.

use super::meshes::{Mesh, bumpy, crumpled, cuboid, ell, sphere, torus};
use carom_geometry::Error;
use carom_geometry::d3::{
    MeshHealth, MeshSolid, RepairOptions, RepairedMesh, TurnComponents, mesh_health, mesh_mass, repair_mesh,
};
use carom_math::{Vec3, power_of_two};
use carom_oracle::generate::{Rng, any_bits, lattice_point};
use std::cmp::Ordering;

fn health(mesh: &Mesh) -> MeshHealth {
    let health = mesh_health(&mesh.points::<f64>(), &mesh.triangles).unwrap();
    // Closed means the same everywhere.
    let solid = MeshSolid::new(&mesh.points::<f64>(), &mesh.triangles).unwrap();
    assert_eq!(health.is_closed(), solid.is_closed());
    let mass = mesh_mass(&mesh.points::<f64>(), &mesh.triangles, 1.0);
    assert_eq!(health.is_closed(), !matches!(mass, Err(Error::NotClosed { .. })));
    health
}

fn repaired(mesh: &Mesh, options: &RepairOptions<f64>) -> RepairedMesh<f64> {
    repair_mesh(&mesh.points(), &mesh.triangles, options).unwrap()
}

fn as_mesh(mended: &RepairedMesh<f64>) -> Mesh {
    let vertices = mended.vertices.iter().map(|v| [v.x, v.y, v.z]).collect();
    Mesh { vertices, triangles: mended.triangles.clone() }
}

#[test]
fn sound_meshes_have_nothing_to_report() {
    for mesh in [cuboid([1.0, 1e-6, 1e6]), ell(), torus(12, 7, 3.0, 1.0), sphere(2), bumpy(3)] {
        let health = health(&mesh);
        assert!(health.is_clean() && health.is_closed() && health.is_manifold() && health.is_oriented());
        assert_eq!(health.components.len(), 1);
        assert_eq!((health.components[0].volume, health.components[0].depth), (Ordering::Greater, 0));
        assert!(health.to_string().ends_with("closed, consistently wound, manifold"), "{health}");
        let mended = repaired(&mesh, &RepairOptions::default());
        assert!(mended.report.is_unchanged());
        assert_eq!((as_mesh(&mended).vertices, mended.triangles), (mesh.vertices, mesh.triangles));
    }
}

#[test]
fn each_fault_is_found_where_it_is() {
    let cube = cuboid([1.0; 3]);
    // A face twice, then once more the other way around.
    let mut mesh = cube.clone();
    let [a, b, c] = mesh.triangles[4];
    mesh.triangles.extend([[b, c, a], [a, c, b]]);
    let found = health(&mesh);
    assert_eq!((found.duplicate_triangles, found.opposite_triangles), (vec![[12, 4]], vec![[13, 4]]));
    assert_eq!(found.non_manifold_edges.len(), 3);
    // One turned around: its three edges run the same way as those of its neighbours.
    let mut mesh = cube.clone();
    mesh.triangles[4].swap(0, 1);
    let found = health(&mesh);
    assert_eq!(found.inconsistent_edges.len(), 3);
    assert!(!found.is_closed() && !found.is_oriented() && found.boundary_edges.is_empty());
    // One missing: a hole, whose edges are those of the neighbours.
    let mut mesh = cube.clone();
    mesh.triangles.remove(4);
    let mut expected = [[b, a], [c, b], [a, c]].map(|edge| edge.map(|v| v as usize));
    expected.sort_by_key(|edge| [edge[0].min(edge[1]), edge[0].max(edge[1])]);
    assert_eq!(health(&mesh).boundary_edges, expected);
    // Loose triangles: every vertex but the first at its place is a duplicate, and the cube is still closed.
    let found = health(&cube.soup());
    assert!(found.is_closed() && found.is_manifold() && !found.is_clean());
    assert_eq!((found.duplicate_vertices.len(), found.components.len()), (36 - 8, 1));
    // A vertex without use, a triangle without area, a triangle that is a point.
    let mut mesh = cube.clone();
    mesh.vertices.push([0.5, 0.0, 0.0]);
    mesh.vertices.push([9.0; 3]);
    mesh.triangles.extend([[0, 8, 1], [3, 3, 3]]);
    let found = health(&mesh);
    assert_eq!((found.unused_vertices, found.degenerate_triangles), (vec![9], vec![12, 13]));
    // One step off the line is not on it.
    mesh.vertices[8][1] = f64::from_bits(1);
    assert_eq!(health(&mesh).degenerate_triangles, [13]);
}

#[test]
fn cubes_that_touch_are_not_manifold() {
    let cube = cuboid([1.0; 3]);
    // Corner to corner: two fans at one vertex, two components.
    let found = health(&cube.clone().and(&cube.moved([1.0; 3])));
    assert_eq!((found.non_manifold_vertices.len(), found.non_manifold_edges.len()), (1, 0));
    assert!(found.is_closed() && !found.is_manifold());
    assert_eq!(found.components.len(), 2);
    // Edge to edge: one edge of four triangles.
    let found = health(&cube.clone().and(&cube.moved([1.0, 1.0, 0.0])));
    assert_eq!((found.non_manifold_vertices.len(), found.non_manifold_edges.len()), (0, 1));
    assert_eq!((found.is_closed(), found.components.len()), (true, 1));
}

#[test]
fn shells_know_their_depth_and_what_is_inside_out() {
    let shell = |size: f64| cuboid([size; 3]).moved([-size / 2.0; 3]);
    let nested = shell(8.0).and(&shell(6.0).inside_out()).and(&shell(4.0)).and(&shell(2.0));
    let found = health(&nested);
    let depths: Vec<usize> = found.components.iter().map(|component| component.depth).collect();
    assert_eq!(depths, [0, 1, 2, 3]);
    assert!(found.inverted_components.is_empty());
    // The innermost is a cavity that is wound outward.
    let mended = repaired(&nested, &RepairOptions::default());
    assert_eq!(mended.report.turned_pieces, 1);
    let solid = MeshSolid::new(&mended.vertices, &mended.triangles).unwrap();
    for (x, inside) in [(3.5, true), (2.5, false), (1.5, true), (0.5, false), (4.5, false)] {
        assert_eq!(solid.contains_point([x, 0.25, 0.125]).unwrap(), inside, "{x}");
    }
    let outward = RepairOptions { turn: TurnComponents::Outward, ..RepairOptions::default() };
    assert_eq!(repaired(&nested, &outward).report.turned_pieces, 1);
    let keep = RepairOptions { turn: TurnComponents::Keep, ..RepairOptions::default() };
    assert!(repaired(&nested, &keep).report.is_unchanged());
    // All of it inside out: the outermost and the third are wrong; the second and fourth are cavities.
    let found = health(&nested.inside_out());
    assert_eq!(found.inverted_components, [0, 2]);
    // Side by side they are not nested, and touching is not nested either.
    let cube = cuboid([1.0; 3]);
    let found = health(&cube.clone().and(&cube.moved([1.0, 0.0, 0.0])).and(&cube.moved([9.0, 0.0, 0.0])));
    assert!(found.components.iter().all(|component| component.depth == 0));
}

#[test]
fn a_ruined_torus_is_mended() {
    let mut rng = Rng::new(11);
    for _ in 0..10 {
        let torus = torus(14, 9, 3.0, 1.0);
        let mut ruin = torus.soup();
        let count = ruin.triangles.len();
        let mut flipped = 0;
        for triangle in &mut ruin.triangles {
            if rng.one_in(3) {
                triangle.swap(0, 2);
                flipped += 1;
            }
            let turn = rng.below(3);
            triangle.rotate_left(turn);
        }
        // Copies wound like their originals, whatever that is; and shrunken triangles.
        for _ in 0..20 {
            let copy = ruin.triangles[rng.below(count)];
            ruin.triangles.push([copy[1], copy[2], copy[0]]);
            ruin.triangles.push([copy[0], copy[1], copy[0]]);
        }
        rng.shuffle(&mut ruin.triangles);
        ruin.vertices.push([7.0; 3]);
        let mended = repaired(&ruin, &RepairOptions::default());
        let report = mended.report;
        let copies: std::collections::BTreeSet<_> = (0..ruin.triangles.len())
            .filter_map(|t| {
                let mut corners = ruin.corners(t).map(|corner| corner.map(f64::to_bits));
                corners.sort();
                (corners[0] != corners[1] && corners[1] != corners[2]).then_some(corners)
            })
            .collect();
        assert_eq!(copies.len(), count);
        assert_eq!((report.degenerate_triangles, report.duplicate_triangles), (20, 20));
        // The shrunken and copied ones used up no vertex that others do not use, but the one put in at last.
        assert_eq!(report.unused_vertices, 1);
        assert_eq!(report.merged_vertices, 3 * count - torus.vertices.len());
        assert!(report.flipped_triangles == flipped.min(count - flipped) || flipped == count - flipped);
        assert_eq!(report.turned_pieces, usize::from(2 * flipped > count));
        let found = health(&as_mesh(&mended));
        assert!(found.is_clean(), "{found}");
        let again = repaired(&as_mesh(&mended), &RepairOptions::default());
        assert!(again.report.is_unchanged());
        assert_eq!(mended.triangles, again.triangles);
        let volume = |mesh: &Mesh| mesh_mass(&mesh.points::<f64>(), &mesh.triangles, 1.0).unwrap().mass;
        assert!((volume(&as_mesh(&mended)) / volume(&torus) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn merging_within_a_length_closes_cracks() {
    let mut rng = Rng::new(12);
    let cracked = bumpy(2).soup().mapped(|v| v.map(|x| x + rng.uniform(-1e-9, 1e-9)));
    assert!(!health(&cracked).is_closed());
    let options = RepairOptions { merge_within: Some(1e-8), ..RepairOptions::default() };
    let mended = repaired(&cracked, &options);
    assert_eq!(mended.vertices.len(), bumpy(2).vertices.len());
    assert!(health(&as_mesh(&mended)).is_clean());
    // Exactly the length apart is within it; a step more is not.
    let chain = Mesh {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.5, 0.0, 0.0]],
        triangles: vec![],
    };
    let merged = |length: f64| {
        let options =
            RepairOptions { merge_within: Some(length), drop_unused: false, ..RepairOptions::default() };
        repaired(&chain, &options).vertices.iter().map(|v| v.x).collect::<Vec<_>>()
    };
    assert_eq!(merged(1.0), [0.0, 2.0]);
    assert_eq!(merged(1.0_f64.next_down()), [0.0, 1.0, 2.0]);
    assert_eq!(merged(f64::MAX), [0.0]);
    assert_eq!(merged(0.0).len(), 4);
    let negative = RepairOptions { merge_within: Some(-1.0), ..RepairOptions::default() };
    let error = repair_mesh(&chain.points::<f64>(), &[], &negative).unwrap_err();
    assert_eq!(error, Error::Negative { what: "merge_within", value: -1.0 });
}

#[test]
fn a_strip_with_one_side_is_left_alone() {
    // Möbius: five quadrilaterals, the last joined crosswise.
    let mut strip = Mesh::default();
    for i in 0..5 {
        let (s, c) = (std::f64::consts::TAU * f64::from(i) / 5.0).sin_cos();
        strip.vertices.extend([[4.0 * c, 4.0 * s, -1.0], [4.0 * c, 4.0 * s, 1.0]]);
    }
    for i in 0..5_u32 {
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = if i == 4 { (1, 0) } else { (a + 2, b + 2) };
        strip.triangles.extend([[a, c, b], [b, c, d]]);
    }
    let mended = repaired(&strip, &RepairOptions::default());
    assert_eq!((mended.report.unorientable_pieces, mended.report.flipped_triangles), (1, 0));
    assert_eq!(mended.triangles, strip.triangles);
    assert_eq!(health(&strip).inconsistent_edges.len(), 1);
}

#[test]
fn walls_without_thickness_go_on_request() {
    let cube = cuboid([1.0; 3]);
    let row = cube.clone().and(&cube.moved([1.0, 0.0, 0.0]));
    // The common face, if both cut it along the same diagonal.
    let found = health(&row);
    let options = RepairOptions { drop_opposite: true, ..RepairOptions::default() };
    let mended = repaired(&row, &options);
    assert_eq!(mended.report.opposite_triangles, 2 * found.opposite_triangles.len());
    assert_eq!(mended.report.duplicate_triangles, 0);
    assert!(health(&as_mesh(&mended)).is_closed());
}

#[test]
fn messages_name_what_is_wrong() {
    let mut mesh = cuboid([1.0; 3]);
    mesh.triangles.remove(0);
    mesh.vertices.push([0.0; 3]);
    let text = health(&mesh).to_string();
    assert_eq!(
        text,
        "9 vertices, 11 triangles, 1 component\n\
         not closed, consistently wound, manifold\n\
         1 duplicate vertex: 8 (as 0)\n\
         1 unused vertex: 8\n\
         3 boundary edges: 0-1, 2-0, 1-2"
    );
    let mut vertices = mesh.points::<f32>();
    vertices[3].y = f32::NAN;
    let error = mesh_health(&vertices, &mesh.triangles).unwrap_err();
    assert_eq!(error.to_string(), "vertex 3 must be finite, but has the coordinate NaN");
    assert_eq!(error.kind(), "not_finite");
    let error = mesh_health(&mesh.points::<f32>(), &[[0, 1, 2], [3, 99, 1]]).unwrap_err();
    assert_eq!(error.to_string(), "triangle 1 refers to vertex 99, but there are only 9, counted from 0");
    let nothing = mesh_health::<f64>(&[], &[]).unwrap();
    assert!(nothing.is_clean() && !nothing.is_closed());
}

#[test]
fn findings_do_not_depend_on_scale_and_nothing_panics() {
    let mut rng = Rng::new(13);
    for case in 0..300 {
        let mesh = if case % 3 == 0 {
            crumpled(&mut rng, |rng| {
                [0; 3].map(|_| {
                    loop {
                        let x = any_bits(rng);
                        if x.is_finite() {
                            return x;
                        }
                    }
                })
            })
        } else {
            crumpled(&mut rng, lattice_point)
        };
        let found = mesh_health(&mesh.points::<f64>(), &mesh.triangles).unwrap();
        if case % 3 != 0 {
            for factor in [power_of_two(-900), power_of_two(900)] {
                assert_eq!(health(&mesh.scaled(factor)), found);
            }
        }
        let mended = repaired(&mesh, &RepairOptions::default());
        let after = mesh_health(&mended.vertices, &mended.triangles).unwrap();
        assert!(after.degenerate_triangles.is_empty() && after.duplicate_triangles.is_empty());
        assert!(after.duplicate_vertices.is_empty() && after.unused_vertices.is_empty());
        let wild = RepairOptions { merge_within: Some(any_bits(&mut rng)), ..RepairOptions::default() };
        let _ = repair_mesh(&mesh.points::<f64>(), &mesh.triangles, &wild);
        let garbage: Vec<Vec3<f64>> =
            (0..4).map(|_| Vec3::from([0; 3].map(|_| any_bits(&mut rng)))).collect();
        let _ = mesh_health(&garbage, &[[0, 1, 2], [rng.next_u32() % 6, 1, 3]]);
    }
}

/// A cavity all of whose corners lie in the faces around it.
#[test]
fn a_cavity_that_touches_the_outside_stays_one() {
    let mut points: Vec<Vec3<f64>> = (0..8)
        .map(|k: usize| Vec3::from([k & 1, k >> 1 & 1, k >> 2].map(|far| if far == 1 { 1.0 } else { -1.0 })))
        .collect();
    let mut triangles: Vec<[u32; 3]> =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
            .into_iter()
            .flat_map(|[a, b, c, d]| [[a, b, c], [c, d, a]])
            .collect();
    for axis in 0..3 {
        for end in [-1.0, 1.0] {
            points.push(Vec3::from(core::array::from_fn(|k| if k == axis { end } else { 0.0 })));
        }
    }
    // Corner 8 + 2·axis + side; a face for each choice of sides, inwards.
    for sides in 0..8_u32 {
        let [x, y, z] = [sides & 1, sides >> 1 & 1, sides >> 2].map(|side| side);
        let face = [8 + x, 10 + y, 12 + z];
        let is_outwards = (x + y + z) % 2 == 1;
        triangles.push(if is_outwards { [face[0], face[2], face[1]] } else { face });
    }
    let volume = 8.0 - 4.0 / 3.0;
    assert!((mesh_mass(&points, &triangles, 1.0).unwrap().mass - volume).abs() < 1e-12);
    let depths: Vec<_> =
        mesh_health(&points, &triangles).unwrap().components.iter().map(|piece| piece.depth).collect();
    assert_eq!(depths, [0, 1]);
    let repaired = repair_mesh(&points, &triangles, &RepairOptions::default()).unwrap();
    assert_eq!(repaired.report.turned_pieces, 0);
}
