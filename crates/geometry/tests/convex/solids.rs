//! Separating axes and caches of polytopes with faces.

use super::spaces::{Plane, Room};
use super::world::{Body, Case, Place};
use carom_geometry::{Contact, Error, d2, d3};
use carom_math::Vector;
use carom_oracle::generate::{self, Rng};
use carom_oracle::rational::{exact, to_f64};

/// Pairs of kinds that separating axes decide.
const KINDS: [[&str; 2]; 3] = [["hull", "hull"], ["hull", "cuboid"], ["cuboid", "hull"]];

/// Errors are below this times ε and the size.
const UNITS: f64 = 8.0;

/// A place up to a step away in each coordinate, and turned by about as much of the size.
fn elsewhere<const D: usize>(rng: &mut Rng, mut place: Place<D>, step: f64, size: f64) -> Place<D> {
    for number in place.rotation.iter_mut().take(2 * (D - 1)) {
        *number += rng.uniform(-step, step) / size;
    }
    for number in &mut place.translation {
        *number += rng.uniform(-step, step);
    }
    place
}

macro_rules! solids {
    ($module:ident, $d:ident, $space:ident, $dim:literal) => {
        mod $module {
            use super::*;

            /// P18: whatever a cache holds, decisions are the same, and numbers are as good.
            #[test]
            fn a_cache_of_another_pair_changes_nothing() {
                let mut rng = Rng::new(11);
                let mut cache = $d::PairCache::default();
                for round in 0..3000 {
                    let kinds = KINDS[round % 3];
                    let lattice = rng.one_in(3);
                    let case = Case::<$dim>::random::<$space>(&mut rng, kinds, lattice);
                    let (a, b) =
                        ($space::shape::<f64>(&case.a).unwrap(), $space::shape::<f64>(&case.b).unwrap());
                    let (pa, pb) = ($space::pose::<f64>(&case.pa), $space::pose::<f64>(&case.pb));
                    let tolerance = UNITS * f64::EPSILON * case.size();
                    let touching = $d::intersects(&a, pa, &b, pb).unwrap();
                    let (apart, touch) = (case.distance::<$space>(), $d::contact(&a, pa, &b, pb).unwrap());
                    // The first time the cache is that of another pair, then its own.
                    for _ in 0..2 {
                        let found = $d::distance_cached(&a, pa, &b, pb, &mut cache).unwrap();
                        assert!((found.distance - apart.distance).abs() <= tolerance, "{found:?} {case:?}");
                        assert!(found.lower <= apart.upper && apart.lower <= found.upper, "{case:?}");
                        assert_eq!(found.distance == 0.0, touching, "{case:?}");
                        let asked = $d::intersects_cached(&a, pa, &b, pb, &mut cache);
                        assert_eq!(asked, Ok(touching), "{case:?}");
                        let found = $d::contact_cached(&a, pa, &b, pb, &mut cache).unwrap();
                        assert_eq!(found.is_some(), touching, "{case:?}");
                        if let (Some(found), Some(touch)) = (found, touch) {
                            assert!((found.depth - touch.depth).abs() <= tolerance, "{found:?} {case:?}");
                        }
                    }
                }
            }

            /// The same while the pair moves in steps of many sizes, out of reach and back, asked one question or another.
            #[test]
            fn a_cache_that_follows_a_motion_changes_nothing() {
                let mut rng = Rng::new(13);
                let (mut touching, mut apart) = (0, 0);
                for round in 0..900 {
                    let case = Case::<$dim>::random::<$space>(&mut rng, KINDS[round % 3], round % 4 == 0);
                    let (a, b) =
                        ($space::shape::<f64>(&case.a).unwrap(), $space::shape::<f64>(&case.b).unwrap());
                    let (pa, mut pb) = ($space::pose::<f64>(&case.pa), $space::pose::<f64>(&case.pb));
                    let size = case.size();
                    let tolerance = UNITS * f64::EPSILON * 2.0 * size;
                    let step = size * [1e-9, 1e-5, 1e-3, 1e-2, 0.1][rng.below(5)];
                    let mut cache = $d::PairCache::default();
                    for _ in 0..24 {
                        let is_touching = $d::intersects(&a, pa, &b, pb).unwrap();
                        if rng.one_in(3) {
                            let asked = $d::intersects_cached(&a, pa, &b, pb, &mut cache);
                            assert_eq!(asked, Ok(is_touching), "{case:?} {pb:?}");
                        }
                        if rng.one_in(4) {
                            let (found, truth) = (
                                $d::distance_cached(&a, pa, &b, pb, &mut cache).unwrap(),
                                $d::distance(&a, pa, &b, pb).unwrap(),
                            );
                            let error = (found.distance - truth.distance).abs();
                            assert!(error <= tolerance, "{found:?} {truth:?} {case:?} {pb:?}");
                        } else {
                            let (found, truth) = (
                                $d::contact_cached(&a, pa, &b, pb, &mut cache).unwrap(),
                                $d::contact(&a, pa, &b, pb).unwrap(),
                            );
                            assert_eq!(found.is_some(), truth.is_some(), "{case:?} {pb:?}");
                            // The points of slivers are no better without the cache.
                            let is_as_deep = found.zip(truth).is_none_or(|(found, truth)| {
                                let off = |c: &Contact<_>| {
                                    Vector::length(c.point_a - c.point_b - c.normal * c.depth)
                                };
                                (found.depth - truth.depth).abs() <= tolerance
                                    && off(&found) <= 4.0 * off(&truth) + 16.0 * tolerance
                            });
                            assert!(is_as_deep, "{found:?} {truth:?} {case:?} {pb:?}");
                        }
                        (touching, apart) =
                            (touching + u32::from(is_touching), apart + u32::from(!is_touching));
                        // Back to the start now and then.
                        let from = if rng.one_in(8) { case.pb.translation } else { pb.translation.into() };
                        let place =
                            elsewhere(&mut rng, Place { translation: from, ..$space::place(pb) }, step, size);
                        pb = $space::pose::<f64>(&place);
                    }
                }
                assert!(2000 < touching.min(apart), "{touching} {apart}");
            }

            /// Lengths and all, also those that numbers of half the size cannot hold.
            #[test]
            fn caches_scale_to_the_bit() {
                let mut rng = Rng::new(14);
                let (mut cold, mut deep) = (0, 0);
                for round in 0..600 {
                    let case = Case::<$dim>::random::<$space>(&mut rng, KINDS[round % 3], round % 4 == 0);
                    let step = case.size() * [1e-5, 1e-3, 1e-2][rng.below(3)];
                    let factors = [-135, 0, 132].map(generate::power_of_two);
                    let bodies = factors.map(|factor| {
                        let Case { a, b, .. } = case.scaled(factor);
                        ($space::shape::<f64>(&a).unwrap(), $space::shape::<f64>(&b).unwrap())
                    });
                    let (mut caches, mut place) = ([$d::PairCache::default(); 3], case.pb.clone());
                    for _ in 0..16 {
                        let contacts: [_; 3] = core::array::from_fn(|k| {
                            let moved = Case { pb: place.clone(), ..case.clone() }.scaled(factors[k]);
                            let (pa, pb) = ($space::pose::<f64>(&moved.pa), $space::pose::<f64>(&moved.pb));
                            let (a, b) = &bodies[k];
                            let found = $d::contact_cached(a, pa, b, pb, &mut caches[k]).unwrap();
                            cold += u32::from(found != $d::contact(a, pa, b, pb).unwrap());
                            deep += u32::from(found.is_some());
                            let back = 1.0 / factors[k];
                            found.map(|c| (c.depth * back, c.normal, c.point_a * back, c.point_b * back))
                        });
                        assert_eq!(contacts[0], contacts[1], "{case:?} {place:?}");
                        assert_eq!(contacts[2], contacts[1], "{case:?} {place:?}");
                        place = elsewhere(&mut rng, place, step, case.size());
                    }
                }
                assert!(5000 < deep && cold < deep / 100, "{cold} of {deep}");
            }

            /// A depth is the true one; a gap is one, and not more than the distance.
            #[test]
            fn the_best_axis_agrees_with_exact_arithmetic() {
                let mut rng = Rng::new(12);
                let (mut overlapping, mut apart) = (0, 0);
                for round in 0..600 {
                    let case = Case::<$dim>::random::<$space>(&mut rng, KINDS[round % 3], round % 2 == 0);
                    let (a, b) =
                        ($space::shape::<f64>(&case.a).unwrap(), $space::shape::<f64>(&case.b).unwrap());
                    let (pa, pb) = ($space::pose::<f64>(&case.pa), $space::pose::<f64>(&case.pb));
                    let tolerance = exact(UNITS * f64::EPSILON * case.size());
                    let truth = case.truth::<$space>();
                    let axis = match $d::sat(&a, pa, &b, pb).unwrap() {
                        $d::SatResult::Overlapping { axis, depth } => {
                            overlapping += 1;
                            let off = to_f64(&(exact(depth) + &truth[0]));
                            assert!(off.abs() <= to_f64(&tolerance), "{off} {case:?}");
                            axis
                        }
                        $d::SatResult::Separated { axis, gap } => {
                            apart += 1;
                            assert!(exact(gap) <= &truth[1] + &tolerance, "{gap} {case:?}");
                            axis
                        }
                    };
                    assert!((Vector::length(axis) - 1.0).abs() <= 4.0 * f64::EPSILON);
                    if tolerance < truth[0] {
                        assert!(matches!($d::sat(&a, pa, &b, pb), Ok($d::SatResult::Separated { .. })));
                    }
                    // Exchanged, the same bits the other way around.
                    let [there, back] = [$d::sat(&a, pa, &b, pb), $d::sat(&b, pb, &a, pa)].map(|found| {
                        match found.unwrap() {
                            $d::SatResult::Overlapping { axis, depth } => (depth, axis),
                            $d::SatResult::Separated { axis, gap } => (-gap, axis),
                        }
                    });
                    assert_eq!((there.0, there.1), (back.0, -back.1), "{case:?}");
                }
                assert!(100 < overlapping && 100 < apart, "{overlapping} {apart}");
            }

            /// Boxes as polytopes have the depths of boxes.
            #[test]
            fn boxes_in_other_words_have_the_same_axes() {
                let mut rng = Rng::new(13);
                for _ in 0..300 {
                    let case = Case::<$dim>::random::<$space>(&mut rng, ["cuboid", "cuboid"], true);
                    let hull = |body: &Body<$dim>| Body::new("hull", &body.core(), 0.0);
                    let depth = |a: &Body<$dim>, b: &Body<$dim>| {
                        let (a, b) = ($space::shape::<f64>(a).unwrap(), $space::shape::<f64>(b).unwrap());
                        let poses = ($space::pose::<f64>(&case.pa), $space::pose::<f64>(&case.pb));
                        match $d::sat(&a, poses.0, &b, poses.1).unwrap() {
                            $d::SatResult::Overlapping { depth, .. } => Some(depth),
                            $d::SatResult::Separated { .. } => None,
                        }
                    };
                    let expected = depth(&case.a, &case.b);
                    assert_eq!(depth(&hull(&case.a), &case.b), expected, "{case:?}");
                    assert_eq!(depth(&hull(&case.a), &hull(&case.b)), expected, "{case:?}");
                }
            }
        }
    };
}

solids!(plane, d2, Plane, 2);
solids!(room, d3, Room, 3);

/// Points on a sphere: every one is a vertex, and all faces are about equally near.
fn round_hull(rng: &mut Rng, count: usize) -> Vec<[f64; 3]> {
    let mut points = Vec::new();
    while points.len() < count {
        let p: [f64; 3] = std::array::from_fn(|_| rng.uniform(-1.0, 1.0));
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        if 0.1 < length && length < 1.0 {
            points.push(p.map(|x| x / length));
        }
    }
    points
}

/// Large hulls that overlap: the depth is that along the normal, and no face or edge of either has less.
#[test]
fn large_hulls_are_no_deeper_than_any_axis_says() {
    let mut rng = Rng::new(14);
    for round in 0..24 {
        let count = [32, 128, 300][round % 3];
        let (points_a, points_b) = (round_hull(&mut rng, count), round_hull(&mut rng, count));
        let (a, b) =
            (d3::ConvexHull::new(points_a.clone()).unwrap(), d3::ConvexHull::new(points_b.clone()).unwrap());
        let at = round_hull(&mut rng, 1)[0].map(|x| x * [0.0, 0.25, 0.75, 1.25][round % 4]);
        let found = d3::contact(&a, [0.0; 3], &b, at).unwrap().expect("they overlap");
        let overlap = |n: [f64; 3]| {
            let along = |p: &[f64; 3]| n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
            let most = points_a.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            let least = points_b.iter().map(|p| along(p) + along(&at)).fold(f64::INFINITY, f64::min);
            (most - least) / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt()
        };
        let normal: [f64; 3] = found.normal.into();
        assert!((overlap(normal) - found.depth).abs() <= 1e-14, "{count} {at:?}");
        let side = |hull: &d3::ConvexHull<f64>, face: usize, points: &[[f64; 3]], sign: f64| {
            let sorted: Vec<_> = hull.vertices().map(<[f64; 3]>::from).collect();
            assert_eq!(sorted.len(), points.len());
            let [p, q, r] = [0, 1, 2].map(|k| sorted[hull.face(face)[k] as usize]);
            let (u, v) = ([0, 1, 2].map(|i| q[i] - p[i]), [0, 1, 2].map(|i| r[i] - p[i]));
            [0, 1, 2].map(|i| sign * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]))
        };
        for face in 0..a.face_count() {
            assert!(found.depth <= overlap(side(&a, face, &points_a, 1.0)) + 1e-14, "{count} {at:?}");
        }
        for face in 0..b.face_count() {
            assert!(found.depth <= overlap(side(&b, face, &points_b, -1.0)) + 1e-14, "{count} {at:?}");
        }
        for _ in 0..2000 {
            assert!(found.depth <= overlap(generate::direction(&mut rng)) + 1e-14, "{count} {at:?}");
        }
    }
}

#[test]
fn only_polytopes_have_axes() {
    let (ball, cube) = (d3::Ball::new(1.0).unwrap(), d3::Cuboid::new([1.0; 3]).unwrap());
    let refused = d3::sat(&ball, [0.0; 3], &cube, [0.0; 3]);
    assert!(matches!(refused, Err(Error::UnsupportedPair { operation: "sat", .. })));
    let hull = d3::ConvexHull::new(generate::box_corners([1.0; 3])).unwrap();
    let nowhere = [f64::NAN, 0.0, 0.0];
    assert!(matches!(d3::sat(&hull, nowhere, &cube, [0.0; 3]), Err(Error::NotFinite { .. })));
    let mut cache = d3::PairCache::default();
    let refused = d3::contact_cached(&hull, [0.0; 3], &cube, nowhere, &mut cache);
    assert!(matches!(refused, Err(Error::NotFinite { .. })));
    assert!(d3::intersects_cached(&ball, [0.0; 3], &cube, [1.5, 0.0, 0.0], &mut cache).unwrap());
    assert_eq!(cache, d3::PairCache::default());
}
