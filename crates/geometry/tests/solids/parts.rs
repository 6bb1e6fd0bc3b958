//! Convex parts of meshes.

use super::meshes::{Mesh, bumpy, crumpled, cuboid, ell, random_hull, sphere, torus, u_shape};
use carom_geometry::Error;
use carom_geometry::d3::{
    DecompositionOptions, MeshDecomposition, MeshSolid, closest_point, convex_hull, decompose_mesh,
    mass_properties, mesh_mass,
};
use carom_math::{Quat, Vec3, power_of_two};
use carom_oracle::generate::{Rng, any_bits, lattice_point, point};

fn parts(mesh: &Mesh, options: &DecompositionOptions<f64>) -> MeshDecomposition<f64> {
    let found = decompose_mesh(&mesh.points(), &mesh.triangles, options).unwrap();
    assert!(!found.parts.is_empty() && found.parts.len() <= options.max_parts.max(1));
    // The figures are those of the parts.
    let volume = mesh_mass(&mesh.points::<f64>(), &mesh.triangles, 1.0).unwrap().mass;
    let size = mesh.vertices.iter().flatten().fold(0.0_f64, |s, x| s.max(x.abs()));
    let rounding = 1e-12 * size * size * size;
    assert!((found.volume - volume).abs() <= rounding, "{found:?} {volume}");
    let sum: f64 = found.parts.iter().map(|part| mass_properties(part, 1.0).unwrap().mass).sum();
    assert!((found.parts_volume - sum).abs() <= rounding, "{found:?} {sum}");
    found
}

/// Every point of the mesh is in a part, up to rounding.
fn assert_covered(mesh: &Mesh, found: &MeshDecomposition<f64>, rng: &mut Rng) {
    let solid = MeshSolid::new(&mesh.points::<f64>(), &mesh.triangles).unwrap();
    let size = mesh.vertices.iter().flatten().fold(0.0_f64, |s, x| s.max(x.abs()));
    let mut inside = 0;
    for _ in 0..400 {
        let at: [f64; 3] = if rng.one_in(3) {
            let corners = mesh.corners(rng.below(mesh.triangles.len()));
            let (u, v) = (rng.unit(), rng.unit());
            let (u, v) = if 1.0 < u + v { (1.0 - u, 1.0 - v) } else { (u, v) };
            std::array::from_fn(|k| {
                corners[0][k] + u * (corners[1][k] - corners[0][k]) + v * (corners[2][k] - corners[0][k])
            })
        } else {
            std::array::from_fn(|k| {
                let low = mesh.vertices.iter().fold(f64::MAX, |l, v| l.min(v[k]));
                let high = mesh.vertices.iter().fold(f64::MIN, |h, v| h.max(v[k]));
                rng.uniform(low, high)
            })
        };
        if solid.contains_point(at).unwrap() {
            inside += 1;
            let distance = |part| closest_point(part, [0.0; 3], at).unwrap().distance;
            let nearest = found.parts.iter().map(distance).fold(f64::MAX, f64::min);
            assert!(nearest <= 64.0 * f64::EPSILON * size, "{at:?} is {nearest} outside");
        }
    }
    assert!(0 < inside);
}

#[test]
fn convex_meshes_are_one_part() {
    let mut rng = Rng::new(21);
    let mut meshes = vec![cuboid([1.0, 1e-6, 1e6]), sphere(3)];
    meshes.extend((0..30).filter_map(|_| random_hull(&mut rng)));
    for mesh in meshes {
        let found = parts(&mesh, &DecompositionOptions::default());
        assert_eq!(found.parts.len(), 1, "{mesh:?}");
        let hull = convex_hull(&mesh.points::<f64>()).unwrap();
        assert_eq!(found.parts[0].vertices().len(), hull.vertices.len());
        assert!((found.volume_ratio - 1.0).abs() < 1e-6, "{found:?}");
        assert_eq!(found.concavity, 0.0);
    }
}

#[test]
fn letters_fall_into_boxes() {
    let mut rng = Rng::new(22);
    let (c, s) = (0.8, 0.6);
    let turned = |mesh: Mesh| {
        mesh.mapped(|[x, y, z]| [c * x - s * y, c * (s * x + c * y) - s * z, s * (s * x + c * y) + c * z])
    };
    for (mesh, count) in
        [(ell(), 2), (u_shape(), 3), (turned(ell()), 2), (turned(u_shape()), 3), (ell().inside_out(), 2)]
    {
        let found = parts(&mesh, &DecompositionOptions::default());
        assert_eq!(found.parts.len(), count, "{mesh:?} {found:?}");
        assert!((found.volume_ratio - 1.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found.concavity, 0.0);
        assert_covered(&mesh, &found, &mut rng);
    }
    // One part: the hull. Its slanted face x + 2y = 5 is farthest from the L at (5/3, 5/3, z).
    let one = parts(&ell(), &DecompositionOptions { max_parts: 1, ..Default::default() });
    assert_eq!((one.parts.len(), one.volume, one.parts_volume), (1, 4.0, 5.0));
    assert!(0.6 < one.concavity && one.concavity <= 2.0 / 3.0 + 1e-15, "{}", one.concavity);
    assert_eq!(parts(&ell(), &DecompositionOptions { max_parts: 0, ..Default::default() }).parts.len(), 1);
}

#[test]
fn a_torus_is_a_ring_of_parts() {
    let mut rng = Rng::new(23);
    let ring = torus(24, 10, 3.0, 1.0);
    let found = parts(&ring, &DecompositionOptions::default());
    assert!((6..=32).contains(&found.parts.len()), "{}", found.parts.len());
    assert!(found.volume_ratio < 1.12, "{}", found.volume_ratio);
    // The hole stays open.
    let at_center =
        found.parts.iter().filter(|part| closest_point(*part, [0.0; 3], [0.0; 3]).unwrap().inside);
    assert_eq!(at_center.count(), 0);
    assert_covered(&ring, &found, &mut rng);
    // Fewer parts are worse, and more tolerance takes fewer.
    let coarse = parts(&ring, &DecompositionOptions { max_parts: 4, ..Default::default() });
    assert!(coarse.parts.len() <= 4 && found.volume_ratio < coarse.volume_ratio);
    let loose = parts(&ring, &DecompositionOptions { tolerance: 0.2, ..Default::default() });
    assert!(loose.parts.len() < found.parts.len());
}

#[test]
fn pieces_and_cavities() {
    let mut rng = Rng::new(24);
    let cube = cuboid([1.0; 3]);
    let scattered = cube.clone().and(&cube.moved([3.0, 0.0, 0.0])).and(&cube.moved([0.0, 5.0, 1.0]));
    let found = parts(&scattered, &DecompositionOptions::default());
    assert_eq!((found.parts.len(), found.volume_ratio), (3, 1.0));
    // More pieces than parts are allowed: some are put together.
    let found = parts(&scattered, &DecompositionOptions { max_parts: 2, ..Default::default() });
    assert!(found.parts.len() <= 2);
    assert_covered(&scattered, &found, &mut rng);
    // A box with a cavity: no part may fill it.
    let hollow = cuboid([4.0; 3]).and(&cuboid([2.0; 3]).moved([1.0; 3]).inside_out());
    let found = parts(&hollow, &DecompositionOptions::default());
    assert!(
        found.volume_ratio < 1.1 && found.parts.len() <= 12,
        "{} {}",
        found.parts.len(),
        found.volume_ratio
    );
    assert_covered(&hollow, &found, &mut rng);
}

/// Pieces of 0.1 units at distances beside whose cubes their volume is nothing. Moved there, their corners are rounded by
/// 10⁻⁸ of the size.
#[test]
fn volumes_of_pieces_far_apart_are_theirs() {
    let small = ell().scaled(0.1);
    for distance in [1e3, 1e5, 1e6, 1e7] {
        let two = small.clone().and(&small.moved([distance, 0.3 * distance, 0.7 * distance]));
        for max_parts in [1, 32] {
            let options = DecompositionOptions { max_parts, ..Default::default() };
            let found = decompose_mesh(&two.points::<f64>(), &two.triangles, &options).unwrap();
            assert!((found.volume / 8e-3 - 1.0).abs() <= 1e-6, "{distance}: {}", found.volume);
            if max_parts == 32 {
                assert_eq!(found.parts.len(), 4, "{distance}");
                assert!((found.volume_ratio - 1.0).abs() <= 1e-6, "{distance}: {}", found.volume_ratio);
            }
        }
    }
}

#[test]
fn pieces_apart_may_be_wound_either_way() {
    let cube = cuboid([1.0; 3]);
    let apart = cube.clone().and(&cube.moved([3.0, 0.0, 0.0]).inside_out());
    let found = decompose_mesh(&apart.points::<f64>(), &apart.triangles, &Default::default()).unwrap();
    assert_eq!((found.parts.len(), found.volume, found.volume_ratio), (2, 2.0, 1.0));
    let letters = ell().inside_out().and(&u_shape().moved([9.0, 0.0, 0.0]));
    let found = decompose_mesh(&letters.points::<f64>(), &letters.triangles, &Default::default()).unwrap();
    assert_eq!(found.parts.len(), 5);
    assert!((found.volume_ratio - 1.0).abs() <= 1e-12, "{}", found.volume_ratio);
}

/// A plate 4 by 4 with a notch 2 wide and 3 deep, turned: the mouth of the notch is 1 from its sides, however thin it is.
#[test]
fn thin_plates_are_as_concave_as_thick_ones() {
    let outline =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [3.0, 4.0], [3.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    let turn = Quat::new(0.1, 0.2, 0.3, 0.9).unwrap();
    for thickness in [1.0, 0.1, 0.03, 0.01, 1e-3, 1e-6] {
        let corner = |z: f64| outline.map(|[x, y]| turn.rotate(Vec3::new(x, y, z)));
        let points = [corner(0.0), corner(thickness)].concat();
        let mut triangles = vec![];
        for [a, b, c] in [[0, 1, 4], [0, 4, 5], [1, 2, 4], [2, 3, 4], [0, 5, 7], [5, 6, 7]] {
            triangles.extend([[a, c, b], [a + 8, b + 8, c + 8]]);
        }
        for i in 0..8 {
            let j = (i + 1) % 8;
            triangles.extend([[i, j, j + 8], [i, j + 8, i + 8]]);
        }
        let options = DecompositionOptions { max_parts: 1, ..Default::default() };
        let found = decompose_mesh(&points, &triangles, &options).unwrap();
        assert!((0.95..=1.0 + 1e-12).contains(&found.concavity), "{thickness}: {}", found.concavity);
    }
}

/// Whatever the seed, a ring is cut across and not along, which leaves rings.
#[test]
fn a_torus_falls_into_pieces_with_every_seed() {
    let ring = torus(24, 12, 1.0, 0.3);
    for seed in 0..8 {
        let found = parts(&ring, &DecompositionOptions { seed, ..Default::default() });
        assert!(
            found.parts.len() <= 16 && found.concavity < 0.1,
            "{seed}: {} {}",
            found.parts.len(),
            found.concavity
        );
    }
}

#[test]
fn bumps_are_covered() {
    let mut rng = Rng::new(25);
    let mesh = bumpy(3);
    let found = parts(&mesh, &DecompositionOptions { max_parts: 16, ..Default::default() });
    let hull = parts(&mesh, &DecompositionOptions { max_parts: 1, ..Default::default() });
    assert!(found.volume_ratio < hull.volume_ratio && found.concavity < hull.concavity);
    assert_covered(&mesh, &found, &mut rng);
}

#[test]
fn same_seed_same_bits_at_every_scale() {
    let mesh = torus(10, 6, 3.0, 1.0);
    let options = DecompositionOptions { max_parts: 8, seed: 5, ..Default::default() };
    let found = parts(&mesh, &options);
    assert_eq!(parts(&mesh, &options), found);
    for exponent in [-300, 40] {
        let factor = power_of_two(exponent);
        let scaled = mesh.scaled(factor);
        let same = decompose_mesh(&scaled.points::<f64>(), &scaled.triangles, &options).unwrap();
        assert_eq!(same.volume_ratio, found.volume_ratio);
        assert_eq!(same.concavity, found.concavity * factor);
        for (a, b) in same.parts.iter().zip(&found.parts) {
            assert!(a.vertices().eq(b.vertices().map(|vertex| vertex * factor)));
        }
    }
    let narrow =
        decompose_mesh(&mesh.points::<f32>(), &mesh.triangles, &DecompositionOptions::default()).unwrap();
    assert!(narrow.volume_ratio < 1.3 && 3 < narrow.parts.len());
}

#[test]
fn what_has_no_inside_is_refused_and_nothing_panics() {
    let mut mesh = ell();
    mesh.triangles.remove(3);
    let refused = decompose_mesh(&mesh.points::<f64>(), &mesh.triangles, &Default::default());
    assert!(matches!(refused, Err(Error::NotClosed { .. })));
    assert!(matches!(decompose_mesh::<f64>(&[], &[], &Default::default()), Err(Error::NoTriangles { .. })));
    let bad = DecompositionOptions { tolerance: f64::NAN, ..Default::default() };
    assert!(matches!(decompose_mesh(&ell().points(), &ell().triangles, &bad), Err(Error::NotFinite { .. })));
    // A sheet with two sides is its own flat part.
    let sheet =
        decompose_mesh(&cuboid([1.0; 3]).points::<f64>(), &[[0, 1, 2], [2, 1, 0]], &Default::default())
            .unwrap();
    assert_eq!((sheet.parts.len(), sheet.parts[0].dimension(), sheet.volume_ratio), (1, 2, 1.0));
    let dot = decompose_mesh(&[Vec3::new(1.0, 2.0, 3.0)], &[[0, 0, 0]], &Default::default()).unwrap();
    assert_eq!((dot.parts.len(), dot.parts[0].dimension()), (1, 0));
    let mut rng = Rng::new(26);
    let options = DecompositionOptions { max_parts: 4, ..Default::default() };
    for case in 0..24 {
        let mesh = match case % 3 {
            0 => crumpled(&mut rng, lattice_point),
            1 => crumpled(&mut rng, point),
            _ => crumpled(&mut rng, |rng| [0; 3].map(|_| any_bits(rng))),
        };
        match decompose_mesh(&mesh.points::<f64>(), &mesh.triangles, &options) {
            Ok(found) => assert!(!found.parts.is_empty() && found.parts.len() <= 4),
            Err(error) => {
                assert!(matches!(error, Error::NotFiniteVertex { .. } | Error::Overflow { .. }), "{error}")
            }
        }
    }
}
