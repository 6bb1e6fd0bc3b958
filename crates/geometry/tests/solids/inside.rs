//! Which points a mesh contains and how far they are from it, against exact rational arithmetic.

use super::meshes::{Mesh, bumpy, clean, crumpled, cuboid, ell, sphere, torus};
use carom_geometry::Error;
use carom_geometry::d3::{MeshFeature, MeshSolid, SignSource, mesh_mass};
use carom_math::{Real, Vec3, Vector, power_of_two};
use carom_oracle::generate::{Rng, any_bits, any_bits_f32, lattice_point, nudge, point};
use carom_oracle::mesh::Mesh as Exact;
use carom_oracle::rational::{exact, sqrt_bounds};

fn solid<T: Real>(mesh: &Mesh) -> MeshSolid<T> {
    MeshSolid::new(&mesh.points(), &mesh.triangles).expect("finite, and the indices exist")
}

/// Points on, beside and level with vertices, edges and faces, and anywhere.
fn query(rng: &mut Rng, mesh: &Mesh) -> [f64; 3] {
    let corners = mesh.corners(rng.below(mesh.triangles.len()));
    let [a, b, c] = corners;
    let mut at: [f64; 3] = match rng.below(7) {
        0 => a,
        1 => std::array::from_fn(|k| (a[k] + b[k]) / 2.0),
        2 => std::array::from_fn(|k| (a[k] + b[k] + 2.0 * c[k]) / 4.0),
        3 => std::array::from_fn(|k| a[k] + (b[k] - a[k]) * 3.0),
        4 => point(rng),
        _ => {
            let low =
                mesh.vertices.iter().fold([f64::MAX; 3], |l, v| std::array::from_fn(|k| l[k].min(v[k])));
            let high =
                mesh.vertices.iter().fold([f64::MIN; 3], |h, v| std::array::from_fn(|k| h[k].max(v[k])));
            std::array::from_fn(|k| low[k] + (high[k] - low[k]) * f64::from(rng.between(-1, 9)) / 8.0)
        }
    };
    // Level with a corner: rays through edges and vertices.
    if rng.one_in(2) {
        let other = rng.pick(&corners);
        let keep = rng.below(3);
        at = std::array::from_fn(|k| if k == keep { at[k] } else { other[k] });
    }
    if rng.one_in(3) {
        let axis = rng.below(3);
        at[axis] = nudge(at[axis], rng.between(-2, 2));
    }
    at
}

/// What the exact answer says about one point.
fn check(mesh: &Mesh, exact_mesh: &Exact, solid: &MeshSolid<f64>, at: [f64; 3]) -> bool {
    let truth = exact_mesh.winding_number(&at);
    let inside = solid.contains_point(at).unwrap();
    assert_eq!(inside, truth != Some(0), "{mesh:?} {at:?} {truth:?}");
    if let Some(turns) = truth {
        let winding = solid.winding_number(at, 0.0).unwrap();
        assert_eq!((winding.value, winding.error), (f64::from(turns), 0.0), "{mesh:?} {at:?}");
    }
    let answer = solid.signed_distance(at).unwrap();
    let source = if truth.is_none() { SignSource::Surface } else { SignSource::Crossings };
    assert_eq!((answer.sign, answer.inside), (source, inside));
    let squared = exact_mesh.distance_squared(&at);
    let [low, high] = sqrt_bounds(&squared);
    let [lower, upper] = if inside { [-answer.upper, -answer.lower] } else { [answer.lower, answer.upper] };
    assert!(lower <= high && low <= upper, "{mesh:?} {at:?} {answer:?} {low} {high}");
    let size = mesh.vertices.iter().flatten().chain(&at).fold(0.0_f64, |s, x| s.max(x.abs()));
    assert!(upper - lower <= 200.0 * f64::EPSILON * size, "{answer:?} {size}");
    assert!(answer.lower <= answer.distance && answer.distance <= answer.upper);
    // The point is as far away as is said, and on the surface.
    let apart = Vector::length(Vec3::from(at) - answer.point);
    assert!((apart - answer.distance.abs()).abs() <= 16.0 * f64::EPSILON * size);
    let off = exact_mesh.distance_squared(&[answer.point.x, answer.point.y, answer.point.z]);
    assert!(off <= exact(32.0 * f64::EPSILON * size) * exact(32.0 * f64::EPSILON * size), "{answer:?}");
    truth.is_none()
}

#[test]
fn clean_meshes_agree_with_exact_answers() {
    let mut rng = Rng::new(1);
    let mut on_surface = 0;
    for _ in 0..40 {
        let mesh = clean(&mut rng);
        let exact_mesh = Exact::new(&mesh.vertices, &mesh.triangles);
        let solid = solid::<f64>(&mesh);
        assert!(solid.is_closed());
        let extent = mesh.vertices.iter().flatten().fold(0.0_f64, |s, x| s.max(x.abs()));
        let volume = mesh_mass(&mesh.points::<f64>(), &mesh.triangles, 1.0).unwrap().mass;
        let is_needle = volume < 1e-9 * extent * extent * extent;
        for _ in 0..12 {
            let at = query(&mut rng, &mesh);
            on_surface += u32::from(check(&mesh, &exact_mesh, &solid, at));
            let answer = solid.signed_distance(at).unwrap();
            let size = mesh.vertices.iter().flatten().chain(&at).fold(0.0_f64, |s, x| s.max(x.abs()));
            // The pseudonormal knows the side wherever rounding leaves it one. Normals of needles are all rounding.
            if 1e-9 * size < answer.distance.abs() && !is_needle {
                assert!(answer.normal_agrees, "{mesh:?} {at:?} {answer:?}");
            }
        }
    }
    assert!(60 < on_surface && on_surface < 400, "{on_surface}");
}

#[test]
fn meshes_that_cut_themselves_wind_as_exact_rays_count() {
    let mut rng = Rng::new(2);
    let mut turns = [0; 4];
    for case in 0..150 {
        let mesh = match case % 3 {
            0 => crumpled(&mut rng, lattice_point),
            1 => crumpled(&mut rng, point),
            _ => crumpled(&mut rng, |rng| [0; 3].map(|_| f64::from(rng.between(0, 2)))),
        };
        // On top of it a few boxes that overlap, so that some points are inside many times.
        let mesh = (0..rng.below(4)).fold(mesh, |mesh, _| {
            let size = [0; 3].map(|_| f64::from(rng.between(1, 3)));
            mesh.and(&cuboid(size).moved([0; 3].map(|_| f64::from(rng.between(-2, 0)))))
        });
        let exact_mesh = Exact::new(&mesh.vertices, &mesh.triangles);
        let solid = solid::<f64>(&mesh);
        assert!(solid.is_closed());
        for _ in 0..8 {
            let near = [0; 3].map(|_| f64::from(rng.between(-6, 6)) / 4.0);
            let at = if rng.one_in(2) { near } else { query(&mut rng, &mesh) };
            let truth = exact_mesh.winding_number(&at);
            assert_eq!(solid.contains_point(at).unwrap(), truth != Some(0), "{mesh:?} {at:?} {truth:?}");
            if let Some(truth) = truth {
                assert_eq!(solid.winding_number(at, 0.0).unwrap().value, f64::from(truth));
                turns[truth.unsigned_abs().min(3) as usize] += 1;
            }
        }
    }
    assert!(50 < turns[1] && 5 < turns[2] && 0 < turns[3], "{turns:?}");
}

#[test]
fn extreme_scales_far_places_and_flat_slabs() {
    let mut rng = Rng::new(3);
    let shapes = [ell(), cuboid([1e6, 1.0, 1e-6]), sphere(1), torus(6, 5, 2.0, 1.0)];
    for mesh in shapes {
        let far = mesh.moved([1e7, -1e7, 3e6]);
        let huge = mesh.scaled(power_of_two(900));
        let tiny = mesh.scaled(power_of_two(-1000));
        for mesh in [mesh, far, huge, tiny] {
            let exact_mesh = Exact::new(&mesh.vertices, &mesh.triangles);
            let solid = solid::<f64>(&mesh);
            for _ in 0..10 {
                check(&mesh, &exact_mesh, &solid, query(&mut rng, &mesh));
            }
        }
    }
}

#[test]
fn scaling_by_powers_of_two_scales_the_answer_exactly() {
    let mut rng = Rng::new(4);
    for _ in 0..60 {
        let mesh = clean(&mut rng);
        let at = query(&mut rng, &mesh);
        // What vanishes by scaling cannot scale.
        if mesh.vertices.iter().flatten().chain(&at).any(|x| *x != 0.0 && x.abs() < 1e-150) {
            continue;
        }
        let answer = solid::<f64>(&mesh).signed_distance(at).unwrap();
        for exponent in [-300, -40, -7, 40, 300] {
            let factor = power_of_two(exponent);
            let same = solid::<f64>(&mesh.scaled(factor)).signed_distance(at.map(|x| x * factor)).unwrap();
            assert_eq!(same.distance, answer.distance * factor, "{mesh:?} {at:?} 2^{exponent}");
            assert_eq!((same.lower, same.upper), (answer.lower * factor, answer.upper * factor));
            assert_eq!((same.point, same.normal), (answer.point * factor, answer.normal));
            assert_eq!(
                (same.triangle, same.feature, same.sign),
                (answer.triangle, answer.feature, answer.sign)
            );
        }
    }
}

#[test]
fn single_precision_is_exact_about_the_side_and_bounds_the_distance() {
    let mut rng = Rng::new(5);
    for _ in 0..150 {
        let mesh = clean(&mut rng).mapped(|v| v.map(|x| f64::from(x as f32)));
        let at = query(&mut rng, &mesh).map(|x| f64::from(x as f32));
        let exact_mesh = Exact::new(&mesh.vertices, &mesh.triangles);
        let solid = solid::<f32>(&mesh);
        let answer = solid.signed_distance(at.map(|x| x as f32)).unwrap();
        assert_eq!(answer.inside, exact_mesh.winding_number(&at) != Some(0), "{mesh:?} {at:?}");
        let [low, high] = sqrt_bounds(&exact_mesh.distance_squared(&at));
        let [lower, upper] =
            if answer.inside { [-answer.upper, -answer.lower] } else { [answer.lower, answer.upper] };
        assert!(f64::from(lower) <= high && low <= f64::from(upper), "{mesh:?} {at:?} {answer:?} {low}");
    }
}

#[test]
fn rays_through_every_vertex_and_edge_do_not_leak() {
    // Points level with vertices and edge middles of a fine mesh, just inside and just outside of it.
    let mesh = bumpy(3);
    let solid = solid::<f64>(&mesh);
    for triangle in 0..mesh.triangles.len() {
        let [a, b, c] = mesh.corners(triangle);
        let edge: [f64; 3] = std::array::from_fn(|k| (a[k] + b[k]) / 2.0);
        let face: [f64; 3] = std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
        for target in [a, edge, face] {
            // Star-shaped about the origin: shrinking goes in, growing goes out.
            assert!(solid.contains_point(target.map(|x| x * (1.0 - 1e-12))).unwrap());
            assert!(!solid.contains_point(target.map(|x| x * (1.0 + 1e-12))).unwrap());
            // From the middle along the rays through it, and from beyond.
            assert!(solid.contains_point([0.0, target[1] / 4.0, target[2] / 4.0]).unwrap());
            assert!(!solid.contains_point([-9.0, target[1], target[2]]).unwrap());
        }
        assert!(solid.contains_point(a).unwrap());
        assert_eq!(solid.signed_distance(a).unwrap().sign, SignSource::Surface);
    }
}

#[test]
fn overlaps_count_once_and_holes_as_holes() {
    let cube = cuboid([4.0; 3]);
    let overlapping = solid::<f64>(&cube.clone().and(&cube.moved([2.0; 3])));
    assert_eq!(overlapping.winding_number([3.0; 3], 0.0).unwrap().value, 2.0);
    assert!(overlapping.contains_point([3.0; 3]).unwrap());
    let hollow = solid::<f64>(&cube.clone().and(&cuboid([2.0; 3]).moved([1.0; 3]).inside_out()));
    assert!(!hollow.contains_point([2.0; 3]).unwrap());
    assert_eq!(hollow.signed_distance([2.0; 3]).unwrap().distance, 1.0);
    assert!(hollow.contains_point([0.5; 3]).unwrap() && hollow.contains_point([1.0; 3]).unwrap());
    let inverted = solid::<f64>(&cube.inside_out());
    let answer = inverted.signed_distance([1.0, 2.0, 2.0]).unwrap();
    assert_eq!((answer.distance, answer.normal_agrees), (-1.0, false));
}

#[test]
fn features_and_pseudonormals_of_a_cube() {
    let cube = solid::<f64>(&cuboid([2.0; 3]));
    let corner = cube.signed_distance([-1.0, -2.0, -2.0]).unwrap();
    assert_eq!((corner.distance, corner.feature), (3.0, MeshFeature::Vertex(0)));
    let third = -1.0 / 3.0_f64.sqrt();
    // Weighted by angle, the diagonals of the faces make no difference.
    let n = corner.normal;
    assert!([n.x, n.y, n.z].iter().all(|x| (x - third).abs() < 1e-15), "{corner:?}");
    let edge = cube.signed_distance([-3.0, -4.0, 1.0]).unwrap();
    assert_eq!(edge.distance, 5.0);
    assert!(matches!(edge.feature, MeshFeature::Edge(_)));
    assert!((edge.normal.x - edge.normal.y).abs() < 1e-15 && edge.normal.z == 0.0);
    let face = cube.signed_distance([0.5, 1.0, -7.0]).unwrap();
    assert_eq!(
        (face.distance, face.normal, face.feature),
        (7.0, Vec3::new(0.0, 0.0, -1.0), MeshFeature::Face)
    );
}

#[test]
fn winding_numbers_of_open_meshes_add_up_to_whole_ones() {
    let mut rng = Rng::new(6);
    let mesh = bumpy(4);
    let whole = solid::<f64>(&mesh);
    let of = |pick: &dyn Fn(usize) -> bool| {
        let picked: Vec<[u32; 3]> =
            (0..mesh.triangles.len()).filter(|&t| pick(t)).map(|t| mesh.triangles[t]).collect();
        MeshSolid::new(&mesh.points::<f64>(), &picked).unwrap()
    };
    // A patch of triangles and all the others: few gaps. Every other triangle: nothing but gaps.
    let rest = of(&|t| 300 <= t);
    assert!(!rest.is_closed() && rest.check_closed().is_err());
    let splits = [[rest.clone(), of(&|t| t < 300)], [of(&|t| t % 2 == 0), of(&|t| t % 2 == 1)]];
    for _ in 0..100 {
        let at: [f64; 3] = std::array::from_fn(|_| rng.uniform(-2.0, 2.0));
        let truth = whole.winding_number(at, 0.0).unwrap().value;
        for (tolerance, [one, other]) in
            [0.0, 1e-6, 0.01, 0.3].iter().flat_map(|&t| splits.iter().map(move |s| (t, s)))
        {
            let [a, b] = [one, other].map(|solid| solid.winding_number(at, tolerance).unwrap());
            let error = a.error + b.error;
            assert!((a.value + b.value - truth).abs() <= error, "{at:?} {tolerance} {a:?} {b:?} {truth}");
            assert!(error <= 2.0 * tolerance + 1e-9, "{error}");
        }
    }
    // Seen from far away nothing is left of it.
    for distance in [1e3, 1e100, 1e300] {
        let far = rest.winding_number([distance, 0.0, 0.0], 0.0).unwrap();
        assert!(far.value.abs() <= 1e-6 && far.error < 1e-9, "{far:?}");
    }
}

#[test]
fn a_leaky_mesh_has_the_inside_that_it_should() {
    let mut rng = Rng::new(7);
    let mut mesh = bumpy(3);
    // Every eighth triangle missing, some of them twice, some of them turned around.
    mesh.triangles = mesh.triangles.iter().enumerate().filter(|(i, _)| i % 8 != 0).map(|(_, &t)| t).collect();
    mesh.triangles.extend_from_within(..3);
    mesh.triangles[100].swap(0, 1);
    let leaky = solid::<f64>(&mesh);
    for _ in 0..300 {
        let at: [f64; 3] = std::array::from_fn(|_| rng.uniform(-1.5, 1.5));
        let r = (at[0] * at[0] + at[1] * at[1] + at[2] * at[2]).sqrt();
        let unit = at.map(|x| x / r);
        let bump = 1.0 + 0.25 * (5.0 * unit[0]).sin() * (4.0 * unit[1]).cos() + 0.1 * (7.0 * unit[2]).sin();
        if (r - bump).abs() > 0.3 {
            let answer = leaky.signed_distance(at).unwrap();
            assert_eq!((answer.inside, answer.sign), (r < bump, SignSource::Winding), "{at:?}");
            assert_eq!(answer.inside, answer.distance < 0.0);
        }
    }
    // On the surface is inside, open or not.
    let [a, b, c] = mesh.corners(50);
    assert!(leaky.contains_point(a).unwrap());
    assert_eq!(leaky.signed_distance(b).unwrap().distance, 0.0);
    assert_eq!(leaky.signed_distance(c).unwrap().sign, SignSource::Surface);
}

#[test]
fn no_bits_make_it_panic() {
    let mut rng = Rng::new(8);
    let mut answered = 0;
    for _ in 0..1500 {
        let keep_finite = rng.one_in(2);
        let number = |rng: &mut Rng| loop {
            let x = any_bits(rng);
            if x.is_finite() || !keep_finite {
                return x;
            }
        };
        let mesh = crumpled(&mut rng, |rng| [0; 3].map(|_| number(rng)));
        let at = [0; 3].map(|_| number(&mut rng));
        let triangles = &mesh.triangles[rng.below(2)..];
        match MeshSolid::new(&mesh.points::<f64>(), triangles) {
            Err(Error::NotFiniteVertex { vertex, .. }) => {
                assert!(mesh.vertices[vertex].iter().any(|x| !x.is_finite()));
            }
            Err(other) => panic!("{other}"),
            Ok(solid) => {
                let inside = solid.contains_point(at);
                let distance = solid.signed_distance(at);
                let winding = solid.winding_number(at, 0.01);
                if at.iter().all(|x| x.is_finite()) {
                    answered += 1;
                    assert!(!winding.unwrap().value.is_nan());
                    match distance {
                        Ok(answer) => {
                            assert_eq!(answer.inside, inside.unwrap());
                            assert!(answer.lower <= answer.upper);
                        }
                        Err(error) => assert!(matches!(error, Error::Overflow { .. }), "{error}"),
                    }
                } else {
                    assert!(matches!(inside, Err(Error::NotFinite { what: "point", .. })));
                    assert!(distance.is_err() && winding.is_err());
                }
            }
        }
        let narrow: Vec<Vec3<f32>> =
            (0..8).map(|_| Vec3::from([0; 3].map(|_| any_bits_f32(&mut rng)))).collect();
        if let Ok(solid) = MeshSolid::new(&narrow, &cuboid([1.0; 3]).triangles) {
            let _ = solid.signed_distance([0; 3].map(|_| any_bits_f32(&mut rng)));
        }
    }
    assert!(300 < answered, "{answered}");
    let tetrahedron = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    let error = MeshSolid::<f64>::new(&tetrahedron, &[[0, 1, 2], [0, 7, 1]]).unwrap_err();
    assert_eq!(error, Error::NoSuchVertex { triangle: 1, vertex: 7, count: 3 });
    assert!(matches!(MeshSolid::<f64>::new(&tetrahedron, &[]), Err(Error::NoTriangles { .. })));
    let sheet = solid::<f64>(&cuboid([1.0; 3]));
    assert!(matches!(sheet.winding_number([0.0; 3], -1.0), Err(Error::Negative { .. })));
}
