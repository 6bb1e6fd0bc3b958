//! Batches give what the functions for one pair give, to the bit: at every instruction set and length, for
//! all kinds mixed, and for input that lies on the edge of what the lanes can tell.

#![allow(clippy::disallowed_methods)] // the sign of a zero does not matter for a size

use carom_geometry::Error;
use carom_geometry::batch::{IndexedPairs, Pair, Pairs};
use carom_math::Level;
use carom_oracle::generate::{self, Rng};
use std::fmt::Debug;

/// Every instruction set at hand.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![best, Level::baseline()];
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_avx512().map(Level::Avx512));
    }
    levels
}

/// Equal to the bit; the text tells zeros apart and NaN from nothing else.
#[track_caller]
fn assert_same<A: Debug>(found: &A, expected: &A, what: &dyn Debug) {
    let (found, expected) = (format!("{found:?}"), format!("{expected:?}"));
    assert!(found == expected, "batch {found}, one by one {expected}: {what:?}");
}

/// A length: zero, a half of a whole number, of any magnitude, or far from all others.
fn length(rng: &mut Rng, extreme: bool) -> f64 {
    match rng.below(if extreme { 12 } else { 7 }) {
        0 => f64::from(rng.between(0, 6)) * 0.5,
        1 => 0.0,
        2 => rng.uniform(0.0, 1.0) * 1e-6,
        3..7 => rng.uniform(0.5, 1.5),
        7 => 1e30,
        8 => 1e-30,
        9 => f64::from(f32::from_bits(rng.next_u32() % 1000)),
        10 => 3e38,
        _ => generate::length(rng),
    }
}

macro_rules! batches {
    ($module:ident, $d:ident, $dim:literal, $real:ident, $pose:ident, $motion:ident, $vector:ident, $turn:expr, $wild_turn:expr, $slight:expr) => {
        mod $module {
            use super::*;
            use carom_geometry::$d::{self, *};
            use carom_math::{Vector, $motion, $pose, $vector};

            type Place = $pose<$real>;
            type Body = (Shape<$real>, Place);

            const KINDS: usize = 7;

            fn vector(mut component: impl FnMut() -> f64) -> $vector<$real> {
                $vector::from_fn(|_| component() as $real)
            }

            fn shape(rng: &mut Rng, kind: usize, extreme: bool) -> Shape<$real> {
                let mut l = || length(rng, extreme) as $real;
                let made: Result<Shape<$real>, Error> = match kind {
                    0 => Ball::new(l()).map(Into::into),
                    1 => Cuboid::new($vector::<$real>::from_fn(|_| l())).map(Into::into),
                    2 | 3 => {
                        let (a, b) =
                            ($vector::<$real>::from_fn(|_| l()), $vector::<$real>::from_fn(|_| -l()));
                        Capsule::new(if kind == 2 { a } else { b }, b, l()).map(Into::into)
                    }
                    4 => Segment::new($vector::<$real>::ZERO, $vector::<$real>::from_fn(|_| l()))
                        .map(Into::into),
                    5 => HalfSpace::new($vector::<$real>::unit(1), l()).map(Into::into),
                    _ => Triangle::new(
                        $vector::<$real>::ZERO,
                        $vector::<$real>::unit(0),
                        $vector::<$real>::from_fn(|_| l()),
                    )
                    .map(Into::into),
                };
                made.unwrap()
            }

            /// A turn by right angles, a random one, one that is almost `like`, or `like` itself.
            fn turned(rng: &mut Rng, at: $vector<$real>, like: Option<Place>) -> Place {
                let turn: fn(&mut Rng, bool) -> _ = $turn;
                let rotation = match (rng.below(5), like) {
                    (0, _) => turn(rng, true),
                    (1, Some(like)) => like.rotation,
                    (2, Some(like)) => {
                        let slight: fn(&mut Rng, f64) -> _ = $slight;
                        let by = generate::power_of_two(rng.between(-26, -6));
                        like.rotation * slight(rng, by)
                    }
                    _ => turn(rng, false),
                };
                Place::new(at, rotation)
            }

            /// Two bodies; for most of them the second is moved until they are as near to touching as the
            /// numbers allow, give or take a small part of their size.
            fn pair(rng: &mut Rng, kinds: [usize; 2], extreme: bool) -> (Body, Body) {
                let (a, b) = (shape(rng, kinds[0], extreme), shape(rng, kinds[1], extreme));
                let lattice = rng.one_in(4);
                let range = if rng.one_in(10) { 1e7 } else { 4.0 };
                let number = |rng: &mut Rng| {
                    if lattice { f64::from(rng.between(-8, 8)) * 0.5 } else { rng.uniform(-range, range) }
                };
                let place_a = {
                    let at = vector(|| number(rng));
                    turned(rng, at, None)
                };
                let apart = vector(|| {
                    if lattice { f64::from(rng.between(-6, 6)) * 0.5 } else { rng.uniform(-3.0, 3.0) }
                });
                let mut place_b = turned(rng, place_a.translation + apart, Some(place_a));
                if !lattice
                    && !rng.one_in(3)
                    && let Ok(Some(near)) = contact_within(&a, place_a, &b, place_b, 1e6)
                {
                    let rest = rng.sign() * generate::power_of_two(rng.between(-34, -8));
                    let size = near.depth.abs() + Vector::length(apart) + 1.0;
                    place_b.translation += near.normal * (near.depth + (rest as $real) * size);
                }
                if extreme && rng.one_in(6) {
                    let any = rng.pick(&[f64::NAN, f64::INFINITY, 1e30, -3e38, 1e-40, 1e300]) as $real;
                    let axis = rng.below($dim);
                    place_b.translation = place_b.translation.with(axis, any);
                }
                if extreme && rng.one_in(12) {
                    let wild: fn(&mut Rng) -> _ = $wild_turn;
                    let rotation = wild(rng);
                    if rng.one_in(2) {
                        place_b.rotation = rotation
                    } else {
                        place_b.rotation = place_b.rotation * rotation
                    }
                }
                if rng.one_in(2) { ((a, place_a), (b, place_b)) } else { ((b, place_b), (a, place_a)) }
            }

            fn as_pairs(bodies: &[(Body, Body)]) -> Vec<Pair<'_, Shape<$real>, Shape<$real>, Place>> {
                bodies.iter().map(|((a, pose_a), (b, pose_b))| Pair { a, pose_a, b, pose_b }).collect()
            }

            /// All questions about these pairs, at all levels.
            fn check(bodies: &[(Body, Body)]) {
                let pairs = as_pairs(bodies);
                for level in levels() {
                    let mut found = vec![None; pairs.len()];
                    intersects_batch_at(level, &pairs[..], &mut found).unwrap();
                    for (found, p) in found.iter().zip(&pairs) {
                        let expected = $d::intersects(p.a, *p.pose_a, p.b, *p.pose_b);
                        assert_eq!(*found, expected.ok(), "{level:?} {p:?}");
                    }
                }
                for margin in [0.0, 1e-3, 0.5] {
                    let mut found = vec![Ok(None); pairs.len()];
                    contact_within_batch(&pairs[..], margin, &mut found).unwrap();
                    let mut points = vec![Ok(None); pairs.len()];
                    manifold_within_batch(&pairs[..], margin, &mut points).unwrap();
                    for ((found, points), p) in found.iter().zip(&points).zip(&pairs) {
                        assert_same(found, &$d::contact_within(p.a, *p.pose_a, p.b, *p.pose_b, margin), p);
                        assert_same(points, &$d::manifold_within(p.a, *p.pose_a, p.b, *p.pose_b, margin), p);
                    }
                }
            }

            #[test]
            fn random_pairs_on_the_edge_of_touching() {
                let mut rng = Rng::new(41);
                for _ in 0..rounds(40) {
                    let kinds = [rng.below(3), rng.below(3)];
                    let bodies: Vec<_> = (0..100).map(|_| pair(&mut rng, kinds, false)).collect();
                    check(&bodies);
                }
            }

            #[test]
            fn every_length_and_all_kinds_mixed() {
                let mut rng = Rng::new(42);
                for count in 0..=67 {
                    let bodies: Vec<_> = (0..count)
                        .map(|_| {
                            let kinds = [rng.below(KINDS), rng.below(KINDS)];
                            pair(&mut rng, kinds, false)
                        })
                        .collect();
                    check(&bodies);
                }
            }

            #[test]
            fn extreme_numbers_have_the_same_answer_or_the_same_error() {
                let mut rng = Rng::new(43);
                for _ in 0..rounds(30) {
                    let bodies: Vec<_> = (0..90)
                        .map(|_| {
                            let kinds = [rng.below(4), rng.below(4)];
                            pair(&mut rng, kinds, true)
                        })
                        .collect();
                    check(&bodies);
                }
            }

            #[test]
            fn distances_and_contacts_are_those_of_one_pair() {
                let mut rng = Rng::new(44);
                let bodies: Vec<_> = (0..300)
                    .map(|k| {
                        let kinds = [rng.below(KINDS), rng.below(KINDS)];
                        pair(&mut rng, kinds, k % 3 == 0)
                    })
                    .collect();
                let pairs = as_pairs(&bodies);
                let mut distances = vec![Ok(Default::default()); pairs.len()];
                distance_batch(&pairs[..], &mut distances).unwrap();
                let mut contacts = vec![Ok(None); pairs.len()];
                contact_batch(&pairs[..], &mut contacts).unwrap();
                for ((distance, contact), p) in distances.iter().zip(&contacts).zip(&pairs) {
                    assert_same(distance, &$d::distance(p.a, *p.pose_a, p.b, *p.pose_b), p);
                    assert_same(contact, &$d::contact(p.a, *p.pose_a, p.b, *p.pose_b), p);
                }
            }

            #[test]
            fn first_touches_and_closest_points_are_those_of_one_question() {
                let mut rng = Rng::new(47);
                let bodies: Vec<_> = (0..120)
                    .map(|k| {
                        let kinds = [rng.below(KINDS), rng.below(KINDS)];
                        pair(&mut rng, kinds, k % 4 == 0)
                    })
                    .collect();
                let moving = |pose: &Place, way: $vector<$real>| {
                    $motion::between(*pose, $pose::new(pose.translation + way, pose.rotation))
                };
                let motions: Vec<_> = bodies
                    .iter()
                    .map(|((_, a), (_, b))| {
                        let way = (b.translation - a.translation) * 0.5;
                        (moving(a, way), moving(b, -way))
                    })
                    .collect();
                let pairs: Vec<_> = bodies
                    .iter()
                    .zip(&motions)
                    .map(|(((a, _), (b, _)), (pose_a, pose_b))| Pair { a, pose_a, b, pose_b })
                    .collect();
                let mut found = vec![Ok(None); pairs.len()];
                $d::time_of_impact_batch(&pairs[..], Default::default(), &mut found).unwrap();
                for (found, p) in found.iter().zip(&pairs) {
                    let expected = $d::time_of_impact(p.a, *p.pose_a, p.b, *p.pose_b, Default::default());
                    assert_same(found, &expected, p);
                }
                assert!(found.iter().any(|answer| matches!(answer, Ok(Some(_)))));

                let points: Vec<_> = bodies.iter().map(|(_, (_, pose))| pose.translation).collect();
                for ((shape, pose), _) in bodies.iter().take(20) {
                    let mut found = vec![Ok(Default::default()); points.len()];
                    let done = $d::closest_point_batch(shape, *pose, &points, &mut found);
                    for (found, point) in found.iter().zip(&points) {
                        let expected = $d::closest_point(shape, *pose, *point);
                        match &done {
                            Ok(()) => assert_same(found, &expected, &(shape, pose, point)),
                            Err(error) => assert_same(&expected.as_ref().err(), &Some(error), &(shape, pose)),
                        }
                    }
                }
            }

            #[test]
            fn a_bad_pair_spoils_no_other() {
                let mut rng = Rng::new(45);
                let mut bodies: Vec<_> = (0..64).map(|_| pair(&mut rng, [0, 0], false)).collect();
                bodies[17].1.1.translation = $vector::splat($real::NAN);
                let pairs = as_pairs(&bodies);
                let mut found = vec![Some(false); 64];
                intersects_batch(&pairs[..], &mut found).unwrap();
                assert_eq!(found.iter().position(Option::is_none), Some(17));
                assert_eq!(found.iter().flatten().count(), 63);
                let mut found = vec![Ok(None); 64];
                contact_batch(&pairs[..], &mut found).unwrap();
                assert!(matches!(found[17], Err(Error::NotFinite { what: "pose_b", .. })));
                assert_eq!(found.iter().filter(|answer| answer.is_err()).count(), 1);
            }

            /// The same lists as concrete kinds and by indices.
            #[test]
            fn concrete_kinds_and_indices() {
                let mut rng = Rng::new(46);
                let mut balls = Vec::new();
                let mut boxes = Vec::new();
                let (mut at_balls, mut at_boxes) = (Vec::new(), Vec::new());
                for _ in 0..50 {
                    let ((a, pose_a), (b, pose_b)) = pair(&mut rng, [0, 1], false);
                    for (shape, pose) in [(a, pose_a), (b, pose_b)] {
                        match shape {
                            Shape::Ball(ball) => {
                                balls.push(ball);
                                at_balls.push(pose);
                            }
                            Shape::Cuboid(cuboid) => {
                                boxes.push(cuboid);
                                at_boxes.push(pose);
                            }
                            _ => unreachable!(),
                        }
                    }
                }
                let indices: Vec<[u32; 2]> =
                    (0..300).map(|_| [rng.below(50) as u32, rng.below(51) as u32]).collect();
                let pairs =
                    IndexedPairs::between((&balls[..], &at_balls[..]), (&boxes[..], &at_boxes[..]), &indices);
                let mut found = vec![None; indices.len()];
                intersects_batch(&pairs, &mut found).unwrap();
                let mut contacts = vec![Ok(None); indices.len()];
                contact_batch(&pairs, &mut contacts).unwrap();
                let mut missing = 0;
                for ((found, contact), &[i, j]) in found.iter().zip(&contacts).zip(&indices) {
                    let (i, j) = (i as usize, j as usize);
                    let expected = match boxes.get(j) {
                        Some(cuboid) => $d::intersects(&balls[i], at_balls[i], cuboid, at_boxes[j]),
                        None => {
                            missing += 1;
                            Err(Error::NoSuchIndex {
                                what: "the second index of the pair (its shape)",
                                index: j,
                                count: 50,
                            })
                        }
                    };
                    assert_eq!(contact.as_ref().err(), expected.as_ref().err(), "{i} {j}");
                    assert_eq!(*found, expected.ok(), "{i} {j}");
                }
                assert!(missing > 0);
                let among = IndexedPairs::among(&boxes, &at_boxes, &[[0, 1], [1, 1]]);
                assert_eq!(Pairs::len(&among), 2);
                let mut found = [None; 2];
                intersects_batch(&among, &mut found).unwrap();
                assert_eq!(found[0], $d::intersects(&boxes[0], at_boxes[0], &boxes[1], at_boxes[1]).ok());
                assert_eq!(found[1], Some(true));
            }

            #[test]
            fn answers_of_another_length_are_refused() {
                let mut found = [Some(false)];
                let error = intersects_batch(&[] as &[Pair<'_, Ball<$real>, Ball<$real>, Place>], &mut found);
                let expected = Error::DifferentLengths { what: "answers", expected: 0, count: 1 };
                assert_eq!(error, Err(expected));
            }
        }
    };
}

/// More of them where `CAROM_SOAK` says how many times.
fn rounds(usual: usize) -> usize {
    usual * std::env::var("CAROM_SOAK").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

macro_rules! in_space {
    ($module:ident, $real:ident) => {
        batches!(
            $module,
            d3,
            3,
            $real,
            Pose3,
            Motion3,
            Vec3,
            |rng, lattice| {
                let q = if lattice { generate::cube_rotation(rng) } else { generate::unit_quaternion(rng) };
                let [x, y, z, w] = q.map(|c| c as $real);
                carom_math::Quat::new(x, y, z, w).unwrap()
            },
            |rng| {
                // A rotation vector that is not finite gives a rotation that is not.
                let far = carom_math::Quat::from_rotation_vector([$real::INFINITY, 0.0, 0.0]);
                let mut turn = carom_math::Quat::IDENTITY;
                // Products are not normalised: the norm drifts.
                for _ in 0..rng.below(100) {
                    turn = turn * carom_math::Quat::new(0.5, 0.25, 0.125, 0.1).unwrap();
                }
                if rng.one_in(2) { far } else { turn }
            },
            |rng, by| {
                let [x, y, z]: [f64; 3] = generate::unit_vector(rng);
                carom_math::Quat::new((x * by) as $real, (y * by) as $real, (z * by) as $real, 1.0).unwrap()
            }
        );
    };
}

macro_rules! in_plane {
    ($module:ident, $real:ident) => {
        batches!(
            $module,
            d2,
            2,
            $real,
            Pose2,
            Motion2,
            Vec2,
            |rng, lattice| {
                let [c, s] = if lattice {
                    rng.pick(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
                } else {
                    generate::unit_complex(rng)
                };
                carom_math::Rot2::from_cos_sin(c as $real, s as $real).unwrap()
            },
            |_| carom_math::Rot2::from_angle($real::NAN),
            |_, by| carom_math::Rot2::from_angle(by as $real)
        );
    };
}

in_space!(space_f32, f32);
in_space!(space_f64, f64);
in_plane!(plane_f32, f32);
in_plane!(plane_f64, f64);

/// Two needles on edge, one above the other and almost parallel: the edges that cross have an axis of almost no
/// length, which alone separates the needles. Along every face normal they overlap, by up to half of that
/// sine times their length.
#[test]
fn nearly_parallel_needles_cross_without_touching() {
    use carom_geometry::d3::{Cuboid, intersects, intersects_batch_at};
    use carom_math::{Pose3, Quat, Vec3};
    for exponent in -20..=-6 {
        let sine = generate::power_of_two(exponent);
        let thickness = 0.25 * sine;
        let on_edge = Quat::from_axis_angle([1.0, 0.0, 0.0], std::f64::consts::FRAC_PI_4).unwrap();
        let across = Quat::new(0.0, 0.0, 0.5 * sine, 1.0).unwrap();
        let needle = Cuboid::new([1.0, thickness, thickness]).unwrap();
        let mut pairs = Vec::new();
        for part in [0.1, -0.1] {
            let height = thickness * 8.0_f64.sqrt() + part * sine;
            pairs.push([
                Pose3::new([5.0, 1.0, 2.0], on_edge),
                Pose3::new(Vec3::new(5.0, 1.0, 2.0 + height), across * on_edge),
            ]);
        }
        let pairs: Vec<_> =
            pairs.iter().map(|[pose_a, pose_b]| Pair { a: &needle, pose_a, b: &needle, pose_b }).collect();
        for p in &pairs {
            assert_eq!(intersects(p.a, *p.pose_a, p.b, *p.pose_b), Ok(p.pose_b == pairs[1].pose_b));
        }
        for level in levels() {
            let mut found = [None; 2];
            intersects_batch_at(level, &pairs[..], &mut found).unwrap();
            assert_eq!(found, [Some(false), Some(true)], "2^{exponent} {level:?}");
        }
    }
}
