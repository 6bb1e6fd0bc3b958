//! Explanations of rays, casts and times of impact: the answers are the plain ones to the bit, and the steps say
//! what is true.
//!
//! What a step claims is checked by other questions: the separation between its bounds by the distance at that
//! time, the times that are proven clear by looking into them, the way through a shape by its surface.

// Tolerances may come from any maximum.
#![allow(clippy::disallowed_methods)]

use super::cases::{FAMILIES, PLANAR_FAMILIES};
use super::support::*;
use carom_geometry::trace::{Method, Region, Step};
use carom_geometry::{CastOptions, ImpactOptions, RayOptions, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{Rng, any_bits, cube_rotation, unit_complex, unit_quaternion};
use std::collections::BTreeSet;

/// What the steps of a motion in [0, `end`] must be like. `lower`, of the answer: no touch before. `early`: the error
/// of a time; `distance(t)`: bounds of the distance, both 0 for shapes that touch.
fn check_steps<V: Vector<Scalar = f64>>(
    steps: &[Step<V>],
    answer: Option<(f64, f64)>,
    end: f64,
    [early, length]: [f64; 2],
    distance: impl Fn(f64) -> (f64, f64),
) -> Method {
    assert_eq!(steps.last(), Some(&Step::Verdict { touching: answer.is_some() }), "{steps:?}");
    let hits = steps.iter().filter_map(|step| match step {
        Step::Hit { t, lower, .. } => Some((*t, *lower)),
        _ => None,
    });
    assert_eq!(hits.collect::<Vec<_>>(), Vec::from_iter(answer), "{steps:?}");
    let (mut clear, mut last, mut looks) = (0.0, 0.0, 0);
    for step in steps {
        match *step {
            Step::Clear { from, to } => {
                assert!(from == 0.0 && clear <= to, "{steps:?}");
                clear = to;
            }
            Step::Look { t, separation, lower, upper, normal, clear_until } => {
                looks += 1;
                assert!(lower <= separation + length && separation <= upper + length, "{steps:?}");
                let (least, most) = distance(t);
                assert!(
                    lower <= most + length && least <= upper.max(0.0) + length,
                    "{step:?} {least} {most}"
                );
                let size = Vector::length(normal);
                assert!((size - 1.0).abs() <= 1e-9 || size == 0.0, "{step:?}");
                // What is proven stays so, and the next look is where the proof ends, or ahead.
                assert!(clear <= clear_until + early && last <= t + early, "{steps:?}");
                clear = clear_until;
                last = if t <= clear_until { t } else { last };
            }
            _ => {}
        }
    }
    // The proof reaches as far as the answer says, and no farther than is true.
    if let Some((_, lower)) = answer {
        assert!(clear <= lower + early, "{steps:?}");
    } else if 0 < looks {
        assert!(end <= clear + early, "{steps:?}");
    }
    let until = clear.min(end) - early;
    for k in (0..8).filter(|_| 0.0 < until) {
        let t = until * f64::from(k) / 8.0;
        assert!(0.0 < distance(t).1, "touches at {t}: {steps:?}");
    }
    match steps.first() {
        Some(Step::Method { method, .. }) => *method,
        _ => panic!("{steps:?}"),
    }
}

/// Numbers to the digit: 0 and −0 differ.
fn text(thing: &impl std::fmt::Debug) -> String {
    format!("{thing:?}")
}

macro_rules! dimension_tests {
    ($module:ident, $d:ident, $dim:literal, $vector:ident, $pose:ident, kinds: $kinds:expr, shape: $shape:ident, turn: $turn:ident,
     motion: $motion:ident, spin: $spin:expr) => {
        mod $module {
            use super::*;

            fn pose<T: Real>(rng: &mut Rng) -> $pose<T> {
                let at: [f64; $dim] = point(rng);
                $pose::new(at.map(T::from_f64), $turn(rng))
            }

            /// A shape, and a ray that is aimed at it.
            fn ray<T: Real>(rng: &mut Rng, kind: usize) -> ($d::Shape<T>, $pose<T>, $d::Ray<T>, RayOptions<T>) {
                let thing: Thing<$dim> = thing(rng, kind);
                let (origin, along) = aimed(rng, &thing);
                let pose = pose::<T>(rng);
                let origin = pose.point_to_world($vector::from(origin.map(T::from_f64)));
                let along = pose.rotation.rotate($vector::from(along.map(T::from_f64)));
                let max = T::from_f64(rng.pick(&[f64::INFINITY, 1.0]));
                let options = RayOptions { max, solid: rng.one_in(2) };
                ($shape(&thing), pose, $d::Ray::new(origin, along).unwrap(), options)
            }

            fn same_rays<T: Real>(rng: &mut Rng, kind: usize) {
                let (shape, pose, ray, options) = ray::<T>(rng, kind);
                let plain = $d::cast_ray(&shape, pose, &ray, options);
                let told = $d::explain::cast_ray(&shape, pose, &ray, options).map(|told| told.answer);
                assert_eq!(text(&plain), text(&told), "{shape:?} {pose:?} {ray:?}");
            }

            #[test]
            fn rays_tell_where_they_come_in_and_go_out() {
                let mut rng = Rng::new(71);
                let mut hits = 0;
                for round in 0..3000 {
                    let kind = $kinds[round % $kinds.len()];
                    same_rays::<f32>(&mut rng, kind);
                    same_rays::<f64>(&mut rng, kind);
                    let (shape, pose, ray, options) = ray::<f64>(&mut rng, kind);
                    let found = $d::explain::cast_ray(&shape, pose, &ray, options).unwrap();
                    let (origin, along) = (ray.origin(), ray.direction());
                    let size = 1.0 + Vector::length(origin) + Vector::length(pose.translation);
                    let early = 1e-7 * size / Vector::length(along);
                    let answer = found.answer.map(|hit| (hit.t, hit.t));
                    check_steps(&found.steps, answer, options.max, [early, 0.0], |_| (0.0, f64::INFINITY));
                    let local = found.steps.iter().find_map(|step| match step {
                        Step::Frame { origin, direction, .. } => Some((*origin, *direction)),
                        _ => None,
                    });
                    let (local_origin, local_along) = local.expect("a frame");
                    let back = Vector::length(pose.point_to_world(local_origin) - origin);
                    assert!(matches!(shape, $d::Shape::Ball(_)) || back <= 1e-12 * size);
                    let stretch = Vector::length(local_along) / Vector::length(along);
                    assert!((stretch - 1.0).abs() <= 1e-12);
                    let way = found.steps.iter().find_map(|step| match step {
                        Step::Passage { enter, exit, region_in, .. } => Some((*enter, *exit, *region_in)),
                        _ => None,
                    });
                    let Some((enter, exit, region_in)) = way else {
                        assert_eq!(found.answer, None, "{:?}", found.steps);
                        continue;
                    };
                    assert!(enter <= exit, "{:?}", found.steps);
                    for t in [enter, exit].into_iter().filter(|t| t.is_finite()) {
                        let near = $d::closest_point(&shape, pose, origin + along * t).unwrap();
                        let reach = size + Vector::length(along * t);
                        assert!(near.distance.abs() <= 1e-6 * reach, "{near:?} {shape:?} {:?}", found.steps);
                    }
                    match found.answer {
                        Some(hit) => {
                            hits += 1;
                            let close = |t: f64| (hit.t - t).abs() <= early + 1e-9 * t.abs();
                            assert!(close(enter) || close(exit) || (hit.t == 0.0 && enter <= 0.0 && 0.0 <= exit));
                            let is_entry = hit.t == enter && 0.0 < enter && enter < exit;
                            assert!(
                                !is_entry || found.steps.iter().any(
                                    |step| matches!(step, Step::Hit { region, .. } if *region == region_in)
                                ),
                                "{shape:?} {:?}", found.steps
                            );
                        }
                        None => assert!(
                            exit <= early || options.max <= enter + early || (enter <= early && !options.solid),
                            "{:?}", found.steps
                        ),
                    }
                }
                assert!(1000 < hits, "only {hits} hits");
            }

            type Cast<T> = ($d::Shape<T>, $pose<T>, $vector<T>, $d::Shape<T>, $pose<T>, $vector<T>, f64);

            fn cast<T: Real>(rng: &mut Rng, kinds: [usize; 2]) -> Cast<T> {
                let things: [Thing<$dim>; 2] = kinds.map(|kind| thing(rng, kind));
                let (from, to) = (pose::<T>(rng), pose::<T>(rng));
                let away: [f64; $dim] = std::array::from_fn(|_| rng.uniform(-8.0, 8.0));
                let from = $pose::new(from.translation + $vector::from(away.map(T::from_f64)), from.rotation);
                let aim = to.point_to_world($vector::from(feature(rng, &things[1]).map(T::from_f64)));
                let velocity = (aim - from.translation) * T::from_f64(rng.pick(&[1.0, 1.5, 4.0]));
                let drift = $vector::from(std::array::from_fn::<T, $dim, _>(|_| T::from_f64(rng.pick(&[0.0, 0.5]))));
                let size = 1.0
                    + things[0].size() + things[1].size()
                    + Vector::length(from.translation.widen()) + Vector::length(to.translation.widen());
                let [a, b] = things.map(|thing| $shape::<T>(&thing));
                (a, from, velocity + drift, b, to, drift, size)
            }

            fn same_casts<T: Real>(rng: &mut Rng, kinds: [usize; 2]) {
                let (a, pose_a, velocity_a, b, pose_b, velocity_b, _) = cast::<T>(rng, kinds);
                let options = CastOptions::default();
                let plain = $d::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options);
                let told = $d::explain::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options);
                assert_eq!(text(&plain), text(&told.map(|told| told.answer)), "{a:?} {pose_a:?} {b:?} {pose_b:?}");
            }

            #[test]
            fn casts_tell_the_times_that_are_clear() {
                let mut rng = Rng::new(72);
                let (mut methods, mut hits) = (BTreeSet::new(), 0);
                for round in 0..3000 {
                    let count = $kinds.len();
                    let kinds = [$kinds[round % count], $kinds[(round / count) % count]];
                    if kinds == [5, 5] {
                        continue;
                    }
                    same_casts::<f32>(&mut rng, kinds);
                    same_casts::<f64>(&mut rng, kinds);
                    let (a, pose_a, velocity_a, b, pose_b, velocity_b, size) = cast::<f64>(&mut rng, kinds);
                    let options = CastOptions { max: 2.0 };
                    let found =
                        $d::explain::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options).unwrap();
                    let at = |pose: $pose<f64>, velocity: $vector<f64>, t: f64| {
                        $pose::new(pose.translation + velocity * t, pose.rotation)
                    };
                    let distance = |t: f64| {
                        let near =
                            $d::distance(&a, at(pose_a, velocity_a, t), &b, at(pose_b, velocity_b, t)).unwrap();
                        (near.lower, near.upper)
                    };
                    let early = 1e-6 * size / Vector::length(velocity_a - velocity_b);
                    let answer = found.answer.map(|hit| (hit.t, hit.t));
                    hits += usize::from(answer.is_some());
                    let method = check_steps(&found.steps, answer, options.max, [early, 1e-9 * size], distance);
                    methods.insert(method.to_string());

                    // Boxes meet when they overlap along the last of their axes.
                    let spans: Vec<(f64, f64)> = found.steps.iter().filter_map(|step| match step {
                        Step::Overlap { enter, exit, .. } => Some((*enter, *exit)),
                        _ => None,
                    }).collect();
                    assert_eq!(!spans.is_empty(), kinds == [1, 1]);
                    if kinds == [1, 1] {
                        let enter = spans.iter().map(|span| span.0).fold(f64::NEG_INFINITY, f64::max);
                        let exit = spans.iter().map(|span| span.1).fold(f64::INFINITY, f64::min);
                        match answer {
                            Some((t, _)) => assert!((t - enter.max(0.0)).abs() <= early && enter <= exit + early),
                            None => assert!(exit <= enter + early || exit <= early || options.max <= enter + early),
                        }
                    }
                }
                assert!(1000 < hits, "only {hits} hits");
                assert_eq!(Vec::from_iter(methods), ["advancement", "closed form"]);
            }

            #[test]
            fn exchanging_the_shapes_turns_the_steps_around() {
                let mut rng = Rng::new(73);
                for round in 0..600 {
                    let count = $kinds.len();
                    let kinds = [$kinds[round % count], $kinds[(round / count) % count]];
                    let (a, pose_a, velocity_a, b, pose_b, velocity_b, _) = cast::<f64>(&mut rng, kinds);
                    let options = CastOptions { max: 2.0 };
                    if kinds == [5, 5] {
                        continue;
                    }
                    let one = $d::explain::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options);
                    let other = $d::explain::cast_shape(&b, pose_b, velocity_b, &a, pose_a, velocity_a, options);
                    let (one, other) = (one.unwrap().steps, other.unwrap().steps);
                    assert_eq!(one.len(), other.len());
                    for (one, other) in one.iter().zip(&other) {
                        match (one, other) {
                            (
                                Step::Look { t, lower, upper, normal, clear_until, .. },
                                Step::Look { t: t2, lower: lower2, upper: upper2, normal: normal2, clear_until: clear2, .. },
                            ) => {
                                assert_eq!((t, lower, upper, clear_until), (t2, lower2, upper2, clear2));
                                assert_eq!(*normal, -*normal2);
                            }
                            (Step::Frame { of, origin, direction }, Step::Frame { of: of2, origin: o2, direction: d2 }) => {
                                assert_eq!((of.other(), origin, direction), (*of2, o2, d2));
                            }
                            (Step::Overlap { normal, enter, exit, .. }, Step::Overlap { normal: n2, enter: e2, exit: x2, .. }) => {
                                assert_eq!((*normal, enter, exit), (-*n2, e2, x2));
                            }
                            _ => assert_eq!(std::mem::discriminant(one), std::mem::discriminant(other)),
                        }
                    }
                }
            }

            #[test]
            fn steps_scale_to_the_bit() {
                let mut rng = Rng::new(74);
                for round in 0..300 {
                    let count = $kinds.len();
                    let kinds = [$kinds[round % count], $kinds[(round / count) % count]].map(|kind| kind.min(9));
                    let things: [Thing<$dim>; 2] = kinds.map(|kind| thing(&mut rng, if kind == 5 { 1 } else { kind }));
                    let from: [f64; $dim] = std::array::from_fn(|_| rng.uniform(-8.0, 8.0));
                    let turn = $turn::<f64>(&mut rng);
                    let ask = |factor: f64| {
                        let [a, b] = things.each_ref().map(|thing| $shape::<f64>(&thing.scaled(factor)));
                        let from = $vector::from(from) * factor;
                        let (still, options) = ($vector::ZERO, CastOptions { max: 2.0 });
                        $d::explain::cast_shape(&a, $pose::new(from, turn), -from, &b, still, still, options).unwrap()
                    };
                    let factor = carom_math::power_of_two(rng.pick(&[-600, -40, 40, 600]));
                    let (here, there) = (ask(1.0).steps, ask(factor).steps);
                    assert_eq!(here.len(), there.len());
                    for steps in here.iter().zip(&there) {
                        if let (
                            Step::Look { t, lower, upper, clear_until, .. },
                            Step::Look { t: t2, lower: l2, upper: u2, clear_until: c2, .. },
                        ) = steps
                        {
                            assert_eq!((*t, lower * factor, upper * factor, *clear_until), (*t2, *l2, *u2, *c2));
                        }
                    }
                }
            }

            #[test]
            fn any_bits_are_answered() {
                let mut rng = Rng::new(75);
                for _ in 0..10_000 {
                    let mut vector = || $vector::from(std::array::from_fn::<f64, $dim, _>(|_| any_bits(&mut rng)));
                    let (p, q, at, to, u, v) = (vector(), vector(), vector(), vector(), vector(), vector());
                    let shapes: Vec<$d::Shape<f64>> = [
                        $d::Ball::new(p.x).ok().map(Into::into),
                        $d::Capsule::new(p, q, p.y).ok().map(Into::into),
                        $d::Cuboid::new(q).ok().map(Into::into),
                    ]
                    .into_iter()
                    .flatten()
                    .collect();
                    let (Some(a), Some(b)) = (shapes.first(), shapes.last()) else { continue };
                    let options = CastOptions { max: 1.0 };
                    let plain = $d::cast_shape(a, at, u, b, to, v, options);
                    let told = $d::explain::cast_shape(a, at, u, b, to, v, options).map(|told| told.answer);
                    assert_eq!(text(&plain), text(&told));
                    let motion = |at: $vector<f64>, v: $vector<f64>| $motion::from_velocity($pose::at(at), v, $spin(v));
                    let options = ImpactOptions { max_steps: 32, ..ImpactOptions::default() };
                    let plain = $d::time_of_impact(a, motion(at, u), b, motion(to, v), options);
                    let told = $d::explain::time_of_impact(a, motion(at, u), b, motion(to, v), options);
                    assert_eq!(text(&plain), text(&told.map(|told| told.answer)));
                    if let Ok(ray) = $d::Ray::new(at, u) {
                        let plain = $d::cast_ray(a, to, &ray, RayOptions::default());
                        let told = $d::explain::cast_ray(a, to, &ray, RayOptions::default());
                        assert_eq!(text(&plain), text(&told.map(|told| told.answer)));
                    }
                }
            }
        }
    };
}

fn turn2<T: Real>(rng: &mut Rng) -> Rot2<T> {
    let [c, s] = if rng.one_in(2) { unit_complex(rng) } else { rng.pick(&[[1.0, 0.0], [0.0, 1.0]]) };
    Rot2::from_cos_sin(T::from_f64(c), T::from_f64(s)).unwrap()
}

fn turn3<T: Real>(rng: &mut Rng) -> Quat<T> {
    let numbers = if rng.one_in(2) { unit_quaternion(rng) } else { cube_rotation(rng) };
    let [x, y, z, w] = numbers.map(T::from_f64);
    Quat::new(x, y, z, w).unwrap()
}

dimension_tests!(plane, d2, 2, Vec2, Pose2, kinds: PLANE, shape: shape2, turn: turn2,
    motion: Motion2, spin: |v: Vec2<f64>| v.x);
dimension_tests!(space, d3, 3, Vec3, Pose3, kinds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], shape: shape3, turn: turn3,
    motion: Motion3, spin: |v: Vec3<f64>| v);

/// Every time that is passed is proven clear, and the curve of the distance is right, for all families of motions.
#[test]
fn impacts_tell_the_curve_of_the_distance() {
    let mut rng = Rng::new(76);
    let options = ImpactOptions { tolerance: 1e-6, ..ImpactOptions::default() };
    let mut hits = 0;
    for index in 0..280 {
        let case = FAMILIES[index % FAMILIES.len()](&mut rng);
        let (motion_a, motion_b) = case.motions();
        let (a, b) = (&case.a.0, &case.b.0);
        let found = d3::explain::time_of_impact(a, motion_a, b, motion_b, options).unwrap();
        let plain = d3::time_of_impact(a, motion_a, b, motion_b, options).unwrap();
        assert_eq!(text(&found.answer), text(&plain));
        hits += usize::from(plain.is_some());
        let distance = |t: f64| {
            let near = d3::distance(a, motion_a.at(t), b, motion_b.at(t)).unwrap();
            (near.lower, near.upper)
        };
        let answer = plain.map(|hit| (hit.t, hit.lower));
        check_steps(&found.steps, answer, 1.0, [1e-9, 1e-9 * case.size()], distance);
    }
    for index in 0..160 {
        let case = PLANAR_FAMILIES[index % PLANAR_FAMILIES.len()](&mut rng);
        let (motion_a, motion_b) = case.planar_motions();
        let [a, b] = case.flat.as_ref().unwrap();
        let found = d2::explain::time_of_impact(a, motion_a, b, motion_b, options).unwrap();
        let plain = d2::time_of_impact(a, motion_a, b, motion_b, options).unwrap();
        assert_eq!(text(&found.answer), text(&plain));
        hits += usize::from(plain.is_some());
        let distance = |t: f64| {
            let near = d2::distance(a, motion_a.at(t), b, motion_b.at(t)).unwrap();
            (near.lower, near.upper)
        };
        let answer = plain.map(|hit| (hit.t, hit.lower));
        check_steps(&found.steps, answer, 1.0, [1e-9, 1e-9 * case.size()], distance);
    }
    assert!(150 < hits, "only {hits} hits");
}

#[test]
fn a_compound_tells_the_part_that_is_hit() {
    let cube = d3::Shape::from(d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap());
    let parts = [-4.0, 0.0, 4.0].map(|x| (cube.clone(), [x, 0.0, 0.0]));
    let row = d3::Compound::new(parts).unwrap();
    let ray = d3::Ray::new([4.0, 9.0, 0.0], [0.0, -1.0, 0.0]).unwrap();
    let found = d3::explain::cast_ray(&row, [0.0, 0.0, 0.0], &ray, RayOptions::default()).unwrap();
    assert_eq!(found.steps[0], Step::Method { method: Method::Parts, textbook: false });
    let region = found.steps.iter().find_map(|step| match step {
        Step::Hit { t, region, .. } => Some((*t, *region)),
        _ => None,
    });
    assert_eq!(region, Some((8.0, Region::Face(2))));
}
