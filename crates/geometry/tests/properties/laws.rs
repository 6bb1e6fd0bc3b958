//! The laws, each written once for both dimensions and both number types.

use super::placement::for_all;
use super::reference::Judge;
use super::spaces::{Plane, Room};
use super::world::{Case, Place, Space};
use carom_geometry::trace::Step;
use carom_geometry::{Error, d2, d3};
use carom_math::{Real, Vector, power_of_two};
use carom_oracle::generate::{self, Rng};
use std::cell::Cell;

/// What GJK allows itself; ellipsoids of a million times the size of the other shape take the most.
const MOST_SIMPLICES: usize = 128;
/// What EPA allows itself.
const MOST_FACETS: usize = 512;

/// The same numbers as a number type has them.
fn in_type<const D: usize, S: Space<D>, T: Real>(case: Case<D>) -> Case<D> {
    if T::EPSILON.to_f64() == f64::EPSILON {
        return case;
    }
    let (a, b) = (case.a.to_f32_values(), case.b.to_f32_values());
    Case { a, pa: S::place_f32(&case.pa), b, pb: S::place_f32(&case.pb) }
}

/// The largest coordinate of the places: what the points of an answer are rounded to.
fn far<const D: usize>(case: &Case<D>) -> f64 {
    case.pa.translation.iter().chain(&case.pb.translation).fold(0.0, |m, x| m.max(x.abs()))
}

macro_rules! laws {
    ($name:ident, $d:ident, $dim:literal, $space:ident) => {
        mod $name {
            use super::*;

            type Case = super::Case<$dim>;

            fn pair<T: Real>(case: &Case) -> super::super::agreement::$name::Pair<T> {
                super::super::agreement::$name::Pair {
                    a: $space::shape(&case.a).unwrap(),
                    pa: $space::pose(&case.pa),
                    b: $space::shape(&case.b).unwrap(),
                    pb: $space::pose(&case.pb),
                }
            }

            /// The signed separation, the normal and the points; `None` for what overlaps without end.
            fn near<T: Real>(case: &Case) -> Option<(f64, [[f64; $dim]; 3])> {
                match pair::<T>(case).contact_within(T::MAX) {
                    Ok(found) => {
                        let found = found.unwrap_or_else(|| panic!("nothing within any margin: {case:?}"));
                        let vectors = [found.normal, found.point_a, found.point_b].map(|v| v.widen().into());
                        Some((-found.depth.to_f64(), vectors))
                    }
                    Err(Error::UnsupportedPair { .. })
                        if case.a.is_half_space() && case.b.is_half_space() =>
                    {
                        None
                    }
                    Err(error) => panic!("{error} {case:?}"),
                }
            }

            /// Whether a number is so small that it does not survive scaling down.
            fn has_specks<T: Real>(case: &Case) -> bool {
                let least = if T::EPSILON.to_f64() == f64::EPSILON { 1e-40 } else { 1e-20 };
                let is_speck = |x: &f64| *x != 0.0 && x.abs() < least;
                let of = |body: &super::super::world::Body<$dim>| {
                    body.numbers.iter().flatten().chain([&body.radius]).any(is_speck)
                };
                let places = case.pa.translation.iter().chain(&case.pb.translation);
                of(&case.a) || of(&case.b) || places.into_iter().any(is_speck)
            }

            fn run<T: Real>(seed: u64, rounds: usize, check: impl Fn(&mut Rng, Case)) {
                for_all::<$dim, $space>(seed, rounds, |rng, case| {
                    check(rng, in_type::<$dim, $space, T>(case))
                });
            }

            /// The error that is left to a curved pair, relative to the size.
            fn slack<T: Real>(case: &Case) -> f64 {
                let is_curved = case.a.is_curved() || case.b.is_curved();
                let kernel = if is_curved { 1e-9 } else { 256.0 * f64::EPSILON };
                let rounding = 8.0 * T::EPSILON.to_f64() * (case.size() + far(case));
                kernel * case.size() + rounding
            }

            /// P1, P4, P6, P16
            fn all_questions_agree<T: Real>(seed: u64) {
                run::<T>(seed, 9, |_, case| {
                    let pair = pair::<T>(&case);
                    let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pair.check()));
                    assert!(checked.is_ok(), "{case:?}");
                });
            }

            #[test]
            fn all_questions_agree_in_f64() {
                all_questions_agree::<f64>(1);
            }

            #[test]
            fn all_questions_agree_in_f32() {
                all_questions_agree::<f32>(2);
            }

            /// P2
            fn moving_both_changes_nothing<T: Real>(seed: u64) {
                run::<T>(seed, 3, |rng, case| {
                    let Some((here, _)) = near::<T>(&case) else { return };
                    let motion = Place {
                        translation: generate::lattice_point(rng),
                        rotation: $space::rotation(rng, rng.clone().one_in(2)),
                    };
                    let moved = Case {
                        pa: $space::compose(&motion, &case.pa),
                        pb: $space::compose(&motion, &case.pb),
                        ..case.clone()
                    };
                    let moved = in_type::<$dim, $space, T>(moved);
                    // Half-spaces that face each other hardly do so after a turn.
                    let Some((there, _)) = near::<T>(&moved) else { return };
                    let allowed = slack::<T>(&case) + slack::<T>(&moved);
                    assert!((here - there).abs() <= allowed, "{here} {there} {motion:?} {case:?}");
                });
            }

            #[test]
            fn moving_both_changes_nothing_in_both_precisions() {
                moving_both_changes_nothing::<f64>(3);
                moving_both_changes_nothing::<f32>(4);
            }

            /// P3
            fn lengths_scale_to_the_bit<T: Real>(seed: u64) {
                let is_wide = T::EPSILON.to_f64() == f64::EPSILON;
                run::<T>(seed, 4, |rng, case| {
                    if has_specks::<T>(&case) {
                        return;
                    }
                    let Some((here, [n, pa, pb])) = near::<T>(&case) else { return };
                    let is_small = case.size() + far(&case) <= 1e9 && 1e-9 <= case.size();
                    let exponent = match rng.below(4) {
                        0 if is_wide && is_small => rng.pick(&[-900, -700, 700, 980]),
                        _ => rng.between(-40, 40),
                    };
                    let factor = power_of_two(exponent);
                    let Some((there, [m, qa, qb])) = near::<T>(&case.scaled(factor)) else { panic!() };
                    let before = [here].into_iter().chain(pa).chain(pb).map(|x| x * factor).chain(n);
                    let after = [there].into_iter().chain(qa).chain(qb).chain(m);
                    for (x, y) in before.zip(after) {
                        // What is below the normal numbers, before or after, is not held exactly.
                        let least = if is_wide { 1e-290 } else { 1e-30 };
                        assert!(
                            x == y || (x - y).abs() < least * factor.max(1.0),
                            "2^{exponent} {x} {y} {case:?}"
                        );
                    }
                });
            }

            #[test]
            fn lengths_scale_to_the_bit_in_both_precisions() {
                lengths_scale_to_the_bit::<f64>(5);
                lengths_scale_to_the_bit::<f32>(6);
            }

            /// P5 and P6: the points belong to the shapes and are connected by the normal, along which the
            /// shapes are as far apart as was said.
            fn points_and_normal_prove_the_answer<T: Real>(seed: u64) {
                run::<T>(seed, 3, |_, case| {
                    let Some((found, [n, pa, pb])) = near::<T>(&case) else { return };
                    let judge = Judge::new::<$space>(&case);
                    let allowed = slack::<T>(&case);
                    let outside = [judge.a.outside(pa, n), judge.b.outside(pb, n.map(|x| -x))];
                    assert!(
                        outside[0] <= allowed && outside[1] <= allowed,
                        "{outside:?} {allowed:e} {case:?}"
                    );
                    let direction = judge.only_direction().unwrap_or(n);
                    let along = judge.gap_along(direction);
                    // Cores that are apart have the normal of their connection: the distance is second order
                    // in its error, which is the square root of the tolerance, and more for small gaps.
                    let cores = found + case.a.radius.max(0.0) + case.b.radius.max(0.0);
                    let angle = 1e-6 + (allowed / cores).min(1.0);
                    let blunt = if 0.0 < cores { angle * case.size() } else { 0.0 };
                    assert!(along <= found + allowed, "{along} above {found} {case:?}");
                    assert!(found - allowed - blunt <= along, "{along} below {found} {case:?}");
                });
            }

            #[test]
            fn points_and_normal_prove_the_answer_in_both_precisions() {
                points_and_normal_prove_the_answer::<f64>(7);
                points_and_normal_prove_the_answer::<f32>(8);
            }

            /// P8 and P9: by the depth and a little more they come apart by that little, by a little less
            /// they do not; apart, every step along the normal adds to the distance.
            fn the_normal_is_the_way_out<T: Real>(seed: u64) {
                run::<T>(seed, 3, |rng, case| {
                    let Some((found, [n, ..])) = near::<T>(&case) else { return };
                    let step = case.size() * rng.pick(&[1e-5, 1e-3, 1.0]);
                    let moved = |by: f64| in_type::<$dim, $space, T>(case.moved(n.map(|x| x * by)));
                    let out = moved((-found).max(0.0) + step);
                    let allowed = slack::<T>(&case) + slack::<T>(&out);
                    if step <= 4.0 * allowed {
                        return;
                    }
                    let Some((apart, _)) = near::<T>(&out) else { return };
                    let expected = found.max(0.0) + step;
                    assert!(expected - allowed <= apart, "{apart} {expected} {case:?}");
                    // The normal of a gap is as good as the gap is wide: cosines fall off with its square.
                    let cores = found + case.a.radius.max(0.0) + case.b.radius.max(0.0);
                    let blunt = if 0.0 < cores && found < 0.0 { allowed * step / cores } else { 0.0 };
                    let is_sharp = allowed * 1e3 < cores || cores <= 0.0;
                    assert!(!is_sharp || apart <= expected + allowed + blunt, "{apart} {expected} {case:?}");
                    if found < -step {
                        let Some((still, _)) = near::<T>(&moved(-found - step)) else { return };
                        assert!(still <= allowed - step, "{still} {step} {case:?}");
                    }
                });
            }

            #[test]
            fn the_normal_is_the_way_out_in_both_precisions() {
                the_normal_is_the_way_out::<f64>(9);
                the_normal_is_the_way_out::<f32>(10);
            }

            /// P20: no step of one shape changes the separation by more than the step.
            fn small_steps_change_little<T: Real>(seed: u64) {
                run::<T>(seed, 3, |rng, case| {
                    let Some((here, _)) = near::<T>(&case) else { return };
                    let size = case.size() * 1e-6;
                    let by: [f64; $dim] = generate::unit_vector::<$dim>(rng).map(|x| x * size);
                    let moved = in_type::<$dim, $space, T>(case.moved(by));
                    let way: f64 = (0..$dim)
                        .map(|i| moved.pb.translation[i] - case.pb.translation[i])
                        .map(|x| x * x)
                        .sum::<f64>()
                        .sqrt();
                    let Some((there, _)) = near::<T>(&moved) else { panic!("{case:?}") };
                    let allowed = slack::<T>(&case) + slack::<T>(&moved);
                    assert!((here - there).abs() <= way + allowed, "{here} {there} {way} {case:?}");
                });
            }

            #[test]
            fn small_steps_change_little_in_both_precisions() {
                small_steps_change_little::<f64>(11);
                small_steps_change_little::<f32>(12);
            }

            /// P15: the box around a shape holds it and fits it.
            fn boxes_hold_and_fit<T: Real>(seed: u64) {
                run::<T>(seed, 2, |_, case| {
                    if case.a.is_half_space() {
                        return;
                    }
                    let fit =
                        $d::aabb(&$space::shape::<T>(&case.a).unwrap(), $space::pose::<T>(&case.pa)).unwrap();
                    let judge = Judge::new::<$space>(&case);
                    // The judge's origin is the place of the first shape.
                    let size = case.a.size() + far(&case);
                    for axis in 0..$dim {
                        let (mut up, mut down) = ([0.0; $dim], [0.0; $dim]);
                        (up[axis], down[axis]) = (1.0, -1.0);
                        let at = case.pa.translation[axis];
                        let (high, low) = (at + judge.a.reach(up), at - judge.a.reach(down));
                        let (max, min) = (fit.max.get(axis).to_f64(), fit.min.get(axis).to_f64());
                        let rounding = 8.0 * f64::EPSILON * size;
                        assert!(
                            high - rounding <= max && min <= low + rounding,
                            "{fit:?} {low} {high} {case:?}"
                        );
                        let allowed = 64.0 * T::EPSILON.to_f64() * size;
                        assert!(
                            max <= high + allowed && low - allowed <= min,
                            "{fit:?} {low} {high} {case:?}"
                        );
                    }
                });
            }

            #[test]
            fn boxes_hold_and_fit_in_both_precisions() {
                boxes_hold_and_fit::<f64>(13);
                boxes_hold_and_fit::<f32>(14);
            }

            /// P17: loops end within what they allow themselves; `--nocapture` shows the longest.
            #[test]
            fn loops_end_by_themselves() {
                let most = Cell::new([0, 0]);
                run::<f64>(16, 4, |_, case| {
                    let pair = pair::<f64>(&case);
                    let Ok(told) = $d::explain::distance(&pair.a, pair.pa, &pair.b, pair.pb) else { return };
                    let count =
                        |is_one: fn(&Step<_>) -> bool| told.steps.iter().filter(|s| is_one(s)).count();
                    let of_this = [
                        count(|s| matches!(s, Step::Simplex { .. })),
                        count(|s| matches!(s, Step::Facet { .. })),
                    ];
                    assert!(
                        of_this[0] <= MOST_SIMPLICES && of_this[1] <= MOST_FACETS,
                        "{of_this:?} {case:?}"
                    );
                    most.set([most.get()[0].max(of_this[0]), most.get()[1].max(of_this[1])]);
                });
                println!("at most {} simplices and {} facets", most.get()[0], most.get()[1]);
            }

            /// P19: the order of points has no say; of a hull, in no bit.
            #[test]
            fn the_order_of_points_has_no_say() {
                run::<f64>(15, 4, |rng, case| {
                    let Some((here, _)) = near::<f64>(&case) else { return };
                    let mut other = case.clone();
                    let is_list = |kind: &str| matches!(kind, "hull" | "triangle" | "segment" | "capsule");
                    for body in [&mut other.a, &mut other.b] {
                        if is_list(body.base()) {
                            rng.shuffle(&mut body.numbers);
                        }
                    }
                    let Some((there, _)) = near::<f64>(&other) else { panic!("{case:?}") };
                    let is_exact =
                        [&case.a, &case.b].iter().all(|body| body.base() == "hull" || !is_list(body.base()));
                    let allowed = if is_exact { 0.0 } else { slack::<f64>(&case) };
                    assert!((here - there).abs() <= allowed, "{here} {there} {case:?} {other:?}");
                });
            }
        }
    };
}

laws!(plane, d2, 2, Plane);
laws!(room, d3, 3, Room);
