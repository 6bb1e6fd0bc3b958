//! No question about a pair of convex shapes, or about one of them and a point, a ray or a motion,
//! allocates: shapes keep what they need from the day they are built.

#![allow(clippy::disallowed_methods)] // sizes of test cases are no results

#[path = "pairs/world.rs"]
#[allow(dead_code)] // other tests use other parts
mod world;

#[path = "pairs/spaces.rs"]
#[allow(dead_code)]
mod spaces;

#[path = "properties/placement.rs"]
mod placement;

use allocation_counter::measure;
use carom_geometry::{CastOptions, RayOptions, d2, d3};
use carom_math::{Real, Vec2, Vec3, Vector};
use placement::for_all;
use spaces::{Plane, Room};
use std::collections::BTreeSet;

macro_rules! without_allocation {
    ($test:ident, $d:ident, $dim:literal, $space:ident, $vector:ident) => {
        fn $test<T: Real>(seed: u64, rounds: usize) -> BTreeSet<String> {
            let mut found = BTreeSet::new();
            for_all::<$dim, $space>(seed, rounds, |_, case| {
                let shapes = [&case.a, &case.b].map(|body| $space::shape::<T>(body));
                let [Ok(a), Ok(b)] = shapes else { return };
                let (pa, pb) = ($space::pose::<T>(&case.pa), $space::pose::<T>(&case.pb));
                let towards = pb.translation - pa.translation;
                let along = if towards == $vector::ZERO { $vector::unit(0) } else { towards };
                let ray = $d::Ray::new(pb.translation, -along);
                let mut ask = |question: &str, about: &str, count: u64| {
                    if count != 0 {
                        found.insert(format!("{question} of {about}"));
                    }
                };
                let kinds = format!("{} and {}", case.a.kind, case.b.kind);
                let count = |question: &mut dyn FnMut()| measure(question).count_total;
                ask("intersects", &kinds, count(&mut || drop($d::intersects(&a, pa, &b, pb))));
                ask("distance", &kinds, count(&mut || drop($d::distance(&a, pa, &b, pb))));
                ask("contact", &kinds, count(&mut || drop($d::contact(&a, pa, &b, pb))));
                ask(
                    "contact_within",
                    &kinds,
                    count(&mut || drop($d::contact_within(&a, pa, &b, pb, T::ONE))),
                );
                ask("manifold", &kinds, count(&mut || drop($d::manifold(&a, pa, &b, pb))));
                ask(
                    "manifold_within",
                    &kinds,
                    count(&mut || drop($d::manifold_within(&a, pa, &b, pb, T::ONE))),
                );
                let options = CastOptions::default();
                ask(
                    "cast_shape",
                    &kinds,
                    count(&mut || drop($d::cast_shape(&a, pa, along, &b, pb, along, options))),
                );
                let point = pb.translation;
                ask("closest_point", case.a.kind, count(&mut || drop($d::closest_point(&a, pa, point))));
                ask("aabb", case.a.kind, count(&mut || drop($d::aabb(&a, pa))));
                if let Ok(ray) = ray {
                    let options = RayOptions::default();
                    ask("cast_ray", case.a.kind, count(&mut || drop($d::cast_ray(&a, pa, &ray, options))));
                }
            });
            found
        }
    };
}

without_allocation!(in_the_plane, d2, 2, Plane, Vec2);
without_allocation!(in_space, d3, 3, Room, Vec3);

#[test]
fn nothing_is_allocated() {
    let found =
        [in_the_plane::<f32>(1, 6), in_the_plane::<f64>(2, 6), in_space::<f32>(3, 6), in_space::<f64>(4, 6)];
    let found: BTreeSet<_> = found.into_iter().flatten().collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// Shapes of many parts walk their trees without a heap.
#[test]
fn parts_are_found_without_allocation() {
    let field = d3::HeightField::new([[0.0_f32, 0.5, 0.25, 0.0, 1.0]; 6], [1.0, 1.0]).unwrap();
    let corners = [[0.0_f32, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
    let mesh = d3::TriangleMesh::new(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    // Rays do not ask who is beside a triangle, the first contact does.
    let down = d3::Ray::new([0.25, 5.0, 0.25], [0.0, -1.0, 0.0]).unwrap();
    let solid = mesh.solid().unwrap();
    let cast = measure(|| assert!(d3::ray_hits(&solid, [0.0; 3], &down, 9.0).unwrap()));
    assert_eq!(cast.count_total, 0);
    assert!(0 < measure(|| mesh.find_neighbours()).count_total);
    let cube: d3::Shape<f32> = d3::Cuboid::new([0.5, 0.5, 0.5]).unwrap().into();
    let parts: [(d3::Shape<f32>, [f32; 3]); 2] = [(cube.clone(), [0.0; 3]), (mesh.clone().into(), [1.0; 3])];
    let compound = d3::Compound::new(parts).unwrap();
    let shapes: [d3::Shape<f32>; 5] =
        [field.into(), mesh.clone().into(), mesh.solid().unwrap().into(), compound.into(), cube];
    let ray = d3::Ray::new([0.75, 5.0, 0.5], [0.0, -1.0, 0.0]).unwrap();
    for a in &shapes {
        for b in &shapes {
            for at in [[0.25, 0.25, 0.25], [1.0, 3.0, 1.0]] {
                let here = [0.0_f32; 3];
                let counted = measure(|| {
                    drop(d3::intersects(a, here, b, at));
                    drop(d3::distance(a, here, b, at));
                    drop(d3::contact(a, here, b, at));
                    drop(d3::manifold(a, here, b, at));
                    drop(d3::cast_shape(a, here, at, b, [5.0, 5.0, 5.0], here, CastOptions::default()));
                    drop(d3::closest_point(a, here, at));
                    drop(d3::cast_ray(a, here, &ray, RayOptions::default()));
                });
                assert_eq!(counted.count_total, 0, "{a:?} {b:?} {at:?}");
            }
        }
    }
}

/// The counter counts.
#[test]
fn building_a_hull_is_noticed() {
    let counted = measure(|| drop(d2::ConvexPolygon::<f64>::from_hull([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])));
    assert!(0 < counted.count_total);
}
