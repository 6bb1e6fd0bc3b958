//! Convex hulls in space: the post-conditions, checked in exact arithmetic.

use carom_geometry::d3::{Hull, convex_hull};
use carom_geometry::{Error, d3};
use carom_math::{Vec3, power_of_two};
use carom_oracle::generate::{self, Rng, any_bits, collinear, cospherical, nudge, points};
use carom_oracle::rational::{Rational, V, exact_points};
use std::collections::BTreeSet;

fn hull(cloud: &[[f64; 3]]) -> Hull {
    let vectors: Vec<Vec3<f64>> = cloud.iter().map(|p| (*p).into()).collect();
    convex_hull(&vectors).unwrap()
}

/// The dimension of the affine hull, by exact elimination.
fn dimension(cloud: &[V<3>]) -> usize {
    let mut basis: Vec<V<3>> = Vec::new();
    for p in cloud {
        let edge = p - &cloud[0];
        let independent = match &basis[..] {
            [] => !edge.is_zero(),
            [a] => !a.cross(&edge).is_zero(),
            [a, b] => a.cross(b).dot(&edge) != Rational::ZERO,
            _ => false,
        };
        if independent {
            basis.push(edge);
        }
    }
    basis.len()
}

/// Checks everything that makes a hull a hull and returns its corners as points.
fn check(cloud: &[[f64; 3]]) -> BTreeSet<[u64; 3]> {
    let hull = hull(cloud);
    let all = exact_points(cloud);
    let corners: Vec<V<3>> = hull.vertices.iter().map(|&i| all[i].clone()).collect();
    assert_eq!(hull.dimension, dimension(&all), "{cloud:?}");
    assert!(corners.windows(2).all(|w| w[0].0 < w[1].0), "sorted and different");
    for (corner, &i) in corners.iter().zip(&hull.vertices) {
        assert!(!all[..i].contains(corner), "the first of equal points counts");
    }
    let zero = Rational::ZERO;
    let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
    for face in &hull.faces {
        let at = |k: usize| &corners[face[k % face.len()]];
        assert!(face.len() >= 3);
        let normal = (at(1) - at(0)).cross(&(at(2) - at(1)));
        for p in &all {
            assert!(normal.dot(&(p - at(0))) <= zero, "{p:?} is above a face of {cloud:?}");
        }
        for k in 0..face.len() {
            assert!(normal.dot(&(at(k) - at(0))) == zero, "not flat");
            let turn = (at(k + 1) - at(k)).cross(&(at(k + 2) - at(k + 1)));
            assert!(turn.dot(&normal) > zero, "straight or reflex corner");
            assert!(edges.insert((face[k], face[(k + 1) % face.len()])), "edge used twice");
        }
    }
    assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "open edge");
    let triangle_count: usize = hull.faces.iter().map(|face| face.len() - 2).sum();
    assert_eq!(hull.triangles.len(), triangle_count);
    match hull.dimension {
        0 => assert_eq!((corners.len(), hull.faces.len()), (1, 0)),
        1 => {
            assert_eq!((corners.len(), hull.faces.len()), (2, 0));
            let (low, high) = (all.iter().map(|p| &p.0).min(), all.iter().map(|p| &p.0).max());
            assert_eq!((Some(&corners[0].0), Some(&corners[1].0)), (low, high));
        }
        2 => {
            assert_eq!((hull.faces.len(), edges.len()), (2, 2 * corners.len()));
            // Every point lies on the inner side of every edge of the outline.
            let face = &hull.faces[0];
            let at = |k: usize| &corners[face[k % face.len()]];
            let normal = (at(1) - at(0)).cross(&(at(2) - at(1)));
            for p in &all {
                for k in 0..face.len() {
                    assert!((at(k + 1) - at(k)).cross(&(p - at(k))).dot(&normal) >= zero);
                }
            }
        }
        _ => {
            assert_eq!(corners.len() + hull.faces.len(), edges.len() / 2 + 2, "Euler");
            // Faces that share an edge lie in different planes, so each corner is on three of them.
            for v in 0..corners.len() {
                assert!(hull.faces.iter().filter(|face| face.contains(&v)).count() >= 3);
            }
            let mut volume = Rational::ZERO;
            for [a, b, c] in &hull.triangles {
                volume += corners[*a].dot(&corners[*b].cross(&corners[*c]));
            }
            assert!(volume > zero);
        }
    }
    hull.vertices.iter().map(|&i| cloud[i].map(|x| (x + 0.0).to_bits())).collect()
}

#[test]
fn hulls_of_hostile_clouds() {
    let mut rng = Rng::new(41);
    let mut seen = [0; 4];
    for round in 0..600 {
        let n = 1 + rng.below(if round % 10 == 0 { 60 } else { 14 });
        let mut cloud = match round % 6 {
            0 => cospherical::<3>(&mut rng, n),
            1 => collinear::<3>(&mut rng, n),
            // A small lattice: most points lie in common planes and lines.
            2 => (0..n).map(|_| [(); 3].map(|()| f64::from(rng.between(-1, 1)))).collect(),
            // A plate, give or take a step.
            3 => (0..n)
                .map(|_| {
                    let step = rng.between(-1, 1);
                    [f64::from(rng.between(-2, 2)), f64::from(rng.between(-2, 2)), nudge(1.0, step)]
                })
                .collect(),
            _ => points::<3>(&mut rng, n),
        };
        if round % 9 == 0 {
            // Coordinates of very different size.
            cloud.iter_mut().flatten().for_each(|x| *x *= power_of_two(rng.pick(&[-900, -400, 0, 0, 0])));
        }
        let corners = check(&cloud);
        seen[hull(&cloud).dimension] += 1;
        rng.shuffle(&mut cloud);
        assert_eq!(corners, check(&cloud), "the order of the points matters");
        let factor = power_of_two(rng.pick(&[-800, -100, 100, 800]));
        let scaled: Vec<[f64; 3]> = cloud.iter().map(|p| p.map(|x| x * factor)).collect();
        let lost = |(a, b): (&f64, &f64)| a * factor / factor != *a || !b.is_finite();
        if !cloud.iter().flatten().zip(scaled.iter().flatten()).any(lost) {
            assert_eq!(hull(&cloud), hull(&scaled), "the scale matters");
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn known_hulls() {
    let grid = |n: i32| -> Vec<[f64; 3]> {
        (0..n * n * n).map(|i| [i % n, i / n % n, i / n / n].map(f64::from)).collect()
    };
    let cube = hull(&grid(5));
    assert_eq!((cube.vertices.len(), cube.faces.len(), cube.triangles.len()), (8, 6, 12));
    assert!(cube.faces.iter().all(|face| face.len() == 4));
    let octahedron: Vec<[f64; 3]> =
        (0..6).map(|i| std::array::from_fn(|k| if k == i / 2 { [1.0, -1.0][i % 2] } else { 0.0 })).collect();
    let octahedron = hull(&octahedron);
    assert_eq!((octahedron.vertices.len(), octahedron.faces.len()), (6, 8));
    // quickhull3d #2: a hang elsewhere.
    check(&[
        [104.0, 216.0, 53.0],
        [104.0, 217.0, 52.0],
        [105.0, 216.0, 52.0],
        [88.0, 187.0, 43.0],
        [89.0, 187.0, 44.0],
        [89.0, 188.0, 43.0],
        [90.0, 187.0, 43.0],
    ]);
    // parry #49: points of magnitude 1e-23.
    let tiny = [[1e-23, 2e-23, 0.0], [-3e-23, 1e-23, 1e-24], [0.0, -1e-23, 2e-23], [1e-24, 0.0, -2e-23]];
    assert_eq!(check(&tiny).len(), 4);
}

#[test]
fn large_clouds() {
    let mut rng = Rng::new(42);
    let sphere: Vec<[f64; 3]> = (0..4000).map(|_| generate::unit_vector(&mut rng)).collect();
    let on_sphere = hull(&sphere);
    // Rounded to the sphere, nearly all points are corners and nearly all faces triangles.
    assert!(on_sphere.vertices.len() > 3990);
    let edges: usize = on_sphere.faces.iter().map(Vec::len).sum::<usize>() / 2;
    assert_eq!(on_sphere.vertices.len() + on_sphere.faces.len(), edges + 2);
    let ball: Vec<[f64; 3]> = (0..100_000).map(|_| [(); 3].map(|()| rng.uniform(-1.0, 1.0))).collect();
    assert!(hull(&ball).vertices.len() < 2000);
}

#[test]
fn bad_input_is_answered() {
    let none = Error::TooFewPoints { what: "points", least: 1, count: 0 };
    assert_eq!(d3::convex_hull::<f32>(&[]), Err(none));
    let mut rng = Rng::new(43);
    for _ in 0..3000 {
        let n = 1 + rng.below(8);
        let cloud: Vec<Vec3<f64>> = (0..n).map(|_| [(); 3].map(|()| any_bits(&mut rng)).into()).collect();
        let finite = cloud.iter().all(|p| p.x.is_finite() && p.y.is_finite() && p.z.is_finite());
        assert_eq!(convex_hull(&cloud).is_ok(), finite);
    }
}

/// Boxes that were turned and rounded to f32 have six faces within the tolerance, and every merged outline
/// lies in its plane.
#[test]
fn rounded_boxes_have_six_merged_faces() {
    use carom_geometry::d3::ConvexHull;
    use carom_math::{Pose3, Quat, Vec3, Vector};
    let mut rng = Rng::new(21);
    for _ in 0..200 {
        let half: [f64; 3] = std::array::from_fn(|_| rng.uniform(0.5, 2.0));
        let [x, y, z, w] = generate::unit_quaternion(&mut rng);
        let pose = Pose3::new([0.0; 3], Quat::new(x, y, z, w).unwrap());
        let corners = generate::box_corners(half).into_iter();
        let rounded = corners.map(|corner| Vec3::<f32>::narrow(pose.point_to_world(corner.into())));
        let hull = ConvexHull::new(rounded).unwrap();
        let tolerance = 4.0 * 8.0 * f32::EPSILON;
        let merged = hull.merged_faces(tolerance).unwrap();
        assert_eq!(merged.iter().map(Vec::len).collect::<Vec<_>>(), [4; 6], "{hull:?}");
        let vertices: Vec<Vec3<f64>> = hull.vertices().map(Vector::widen).collect();
        for face in &merged {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| vertices[face[k] as usize]);
            let normal = (c - a).cross(d - b).normalized().unwrap();
            let heights = vertices.iter().map(|&p| normal.dot(p - a));
            assert!(heights.fold(f64::MIN, f64::max) <= 4.0 * f64::from(tolerance), "{hull:?}");
        }
        // Nothing is merged without a tolerance.
        assert_eq!(hull.merged_faces(0.0).unwrap().len(), hull.face_count());
        assert!(hull.merged_faces(-1.0).is_err());
    }
}
