//! Curved shapes: laws that hold for every pair, and shapes between which they are squeezed.

use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3, power_of_two};
use carom_oracle::generate::{self, Rng};

fn length(rng: &mut Rng) -> f64 {
    match rng.below(8) {
        0 => 0.0,
        1 => rng.uniform(0.0, 2.0) * 1e-3,
        2 => rng.uniform(0.0, 2.0) * 1e3,
        3 | 4 => rng.pick(&[0.25, 0.5, 1.0, 2.0]),
        _ => rng.uniform(0.0, 2.0),
    }
}

const KINDS_2: usize = 9;
const KINDS_3: usize = 11;

/// Everything convex and bounded in the plane; lengths times `factor`.
fn shape2(rng: &mut Rng, kind: usize, factor: f64) -> d2::Shape<f64> {
    let vec2 = |p: [f64; 2]| Vec2::from(p) * factor;
    let point = |rng: &mut Rng| vec2([rng.uniform(-1.0, 1.0), rng.pick(&[0.0, 1.0, -0.5])]);
    let size = |rng: &mut Rng| length(rng) * factor;
    match kind {
        0 => d2::Ball::new(size(rng)).unwrap().into(),
        1 => d2::Cuboid::new([size(rng), size(rng)]).unwrap().into(),
        2 => d2::Capsule::new(point(rng), point(rng), size(rng)).unwrap().into(),
        3 => d2::Segment::new(point(rng), point(rng)).unwrap().into(),
        4 => d2::Triangle::new(point(rng), point(rng), point(rng)).unwrap().into(),
        5 => {
            let points: Vec<_> = (0..1 + rng.below(40)).map(|_| point(rng)).collect();
            d2::ConvexPolygon::from_hull(points).unwrap().into()
        }
        6 => d2::Ellipsoid::new([size(rng), size(rng)]).unwrap().into(),
        kind => {
            let inner = shape2(rng, if kind == 7 { 6 } else { 5 }, factor);
            d2::Rounded::new(inner, size(rng)).unwrap().into()
        }
    }
}

/// Everything convex and bounded in space; lengths times `factor`.
fn shape3(rng: &mut Rng, kind: usize, factor: f64) -> d3::Shape<f64> {
    let vec3 = |p: [f64; 3]| Vec3::from(p) * factor;
    let point =
        |rng: &mut Rng| vec3([rng.uniform(-1.0, 1.0), rng.pick(&[0.0, 1.0, -0.5]), rng.uniform(-1.0, 1.0)]);
    let size = |rng: &mut Rng| length(rng) * factor;
    match kind {
        0 => d3::Ball::new(size(rng)).unwrap().into(),
        1 => d3::Cuboid::new([size(rng), size(rng), size(rng)]).unwrap().into(),
        2 => d3::Capsule::new(point(rng), point(rng), size(rng)).unwrap().into(),
        3 => d3::Segment::new(point(rng), point(rng)).unwrap().into(),
        4 => d3::Triangle::new(point(rng), point(rng), point(rng)).unwrap().into(),
        5 => {
            let points: Vec<_> = (0..1 + rng.below(60)).map(|_| point(rng)).collect();
            d3::ConvexHull::new(points).unwrap().into()
        }
        6 => d3::Ellipsoid::new([size(rng), size(rng), size(rng)]).unwrap().into(),
        7 => d3::Cylinder::new(size(rng), size(rng)).unwrap().into(),
        8 => d3::Cone::new(size(rng), size(rng)).unwrap().into(),
        kind => {
            let inner = rng.pick(&[6, 7, 8]);
            let inner = shape3(rng, if kind == 9 { inner } else { 5 }, factor);
            d3::Rounded::new(inner, size(rng)).unwrap().into()
        }
    }
}

fn pose2(rng: &mut Rng, factor: f64) -> Pose2<f64> {
    let [c, s] = generate::unit_complex(rng);
    let at: [f64; 2] = generate::lattice_point(rng);
    Pose2::new(Vec2::from(at) * factor, Rot2::from_cos_sin(c, s).unwrap())
}

fn pose3(rng: &mut Rng, factor: f64) -> Pose3<f64> {
    let [x, y, z, w] = generate::unit_quaternion(rng);
    let at: [f64; 3] = generate::lattice_point(rng);
    Pose3::new(Vec3::from(at) * factor, Quat::new(x, y, z, w).unwrap())
}

macro_rules! laws {
    ($laws:ident, $d:ident, $shape:ident, $pose:ident, $kinds:ident, $vector:ident, $pose_type:ident) => {
        mod $laws {
            use super::*;
            use carom_math::Vector as _;

            fn for_all(seed: u64, rounds: usize, check: impl Fn(&mut Rng, [usize; 2], u64)) {
                for a in 0..$kinds {
                    for b in 0..$kinds {
                        for round in 0..rounds {
                            let seed = seed + 1000 * (a * $kinds + b) as u64 + round as u64;
                            check(&mut Rng::new(seed), [a, b], seed);
                        }
                    }
                }
            }

            type Pair = ($d::Shape<f64>, $pose_type<f64>, $d::Shape<f64>, $pose_type<f64>);

            fn pair(rng: &mut Rng, kinds: [usize; 2], factor: f64) -> Pair {
                let (a, b) = ($shape(rng, kinds[0], factor), $shape(rng, kinds[1], factor));
                (a, $pose(rng, factor), b, $pose(rng, factor))
            }

            fn near((a, pa, b, pb): &Pair) -> carom_geometry::Contact<$vector<f64>> {
                $d::contact_within(a, *pa, b, *pb, f64::MAX).unwrap().unwrap()
            }

            fn size((a, pa, b, pb): &Pair) -> f64 {
                let reach = |s: &$d::Shape<f64>, p: $pose_type<f64>| {
                    let fit = $d::aabb(s, $pose_type::from(p.translation - p.translation)).unwrap();
                    carom_math::Vector::max_abs(fit.max).max(carom_math::Vector::max_abs(fit.min))
                };
                carom_math::Vector::max_abs(pb.translation - pa.translation) + reach(a, *pa) + reach(b, *pb)
            }

            /// P1 and P4.
            #[test]
            fn exchanging_and_asking_otherwise_agree() {
                for_all(1, 40, |rng, kinds, seed| {
                    let (a, pa, b, pb) = pair(rng, kinds, 1.0);
                    let here = near(&(a.clone(), pa, b.clone(), pb));
                    let there = near(&(b.clone(), pb, a.clone(), pa));
                    assert_eq!(here.depth.to_bits(), there.depth.to_bits(), "{seed} {a:?} {b:?}");
                    let zero = $vector::<f64>::ZERO;
                    assert_eq!(here.normal + zero, zero - there.normal, "{seed} {a:?} {b:?}");
                    assert_eq!((here.point_a, here.point_b), (there.point_b, there.point_a), "{seed}");
                    let apart = $d::distance(&a, pa, &b, pb).unwrap();
                    assert_eq!(apart.distance, (-here.depth).max(0.0));
                    assert!(apart.lower <= apart.distance && apart.distance <= apart.upper);
                    let touches = $d::intersects(&a, pa, &b, pb).unwrap();
                    assert_eq!(touches, 0.0 <= here.depth, "{seed} {a:?} {pa:?} {b:?} {pb:?}");
                });
            }

            /// P3
            #[test]
            fn lengths_scale_to_the_bit() {
                for_all(2, 10, |rng, kinds, seed| {
                    let exponent = match rng.below(3) {
                        0 => rng.pick(&[-940, -700, 700, 980]),
                        _ => rng.between(-40, 40),
                    };
                    let factor = power_of_two(exponent);
                    let (mut one, mut other) = (Rng::new(seed), Rng::new(seed));
                    let (here, there) = (pair(&mut one, kinds, 1.0), pair(&mut other, kinds, factor));
                    let (a, b) = (near(&here), near(&there));
                    assert_eq!(a.depth * factor, b.depth, "2^{exponent} {seed} {here:?}");
                    assert_eq!(a.normal, b.normal, "2^{exponent} {seed} {here:?}");
                    assert_eq!(a.point_a * factor, b.point_a, "2^{exponent} {seed} {here:?}");
                });
            }

            /// P2: within the bounds of both answers.
            #[test]
            fn moving_both_changes_nothing() {
                for_all(3, 20, |rng, kinds, seed| {
                    let (a, pa, b, pb) = pair(rng, kinds, 1.0);
                    let motion = $pose(rng, 1.0);
                    let here = $d::distance(&a, pa, &b, pb).unwrap();
                    let there = $d::distance(&a, motion * pa, &b, motion * pb).unwrap();
                    let slack = 64.0 * f64::EPSILON * (size(&(a.clone(), pa, b.clone(), pb)) + 8.0);
                    assert!(here.lower <= there.upper + slack, "{seed} {here:?} {there:?} {a:?} {b:?}");
                    assert!(there.lower <= here.upper + slack, "{seed} {here:?} {there:?} {a:?} {b:?}");
                });
            }

            /// P5, P6 and P8: the points belong to the shapes and are as far apart as promised, moving out by the
            /// depth separates, and no bound is wide.
            #[test]
            fn the_normal_is_the_way_out() {
                let mut widest = 0.0_f64;
                for a in 0..$kinds {
                    for b in 0..$kinds {
                        for round in 0..20 {
                            let seed = 4 + 1000 * (a * $kinds + b) as u64 + round;
                            let case = pair(&mut Rng::new(seed), [a, b], 1.0);
                            let (a, pa, b, pb) = &case;
                            let found = near(&case);
                            let size = size(&case);
                            let slack = 2e-10 * size;
                            let of_a = $d::closest_point(a, *pa, found.point_a).unwrap();
                            let of_b = $d::closest_point(b, *pb, found.point_b).unwrap();
                            assert!(of_a.distance <= slack, "{seed} {found:?} {of_a:?} {case:?}");
                            assert!(of_b.distance <= slack, "{seed} {found:?} {of_b:?} {case:?}");
                            let length = carom_math::Vector::length(found.normal);
                            assert!((length - 1.0).abs() <= 8.0 * f64::EPSILON, "{seed}");
                            // Deep in a large round thing many directions are as good up to rounding, and the
                            // points slide along its surface.
                            let missed = found.point_a - found.point_b - found.normal * found.depth;
                            assert!(
                                carom_math::Vector::length(missed) <= 1e-3 * size,
                                "{seed} {found:?} {case:?}"
                            );
                            let apart = $d::distance(a, *pa, b, *pb).unwrap();
                            widest = widest.max((apart.upper - apart.distance) / size);
                            if 0.0 <= found.depth {
                                let by = found.normal * (found.depth + 1e-9 * size);
                                let out = $pose_type::new(pb.translation + by, pb.rotation);
                                assert!(
                                    !$d::intersects(a, *pa, b, out).unwrap(),
                                    "{seed} {found:?} {case:?}"
                                );
                            }
                        }
                    }
                }
                println!("widest bound {widest:e}");
                assert!(widest <= 1e-8, "{widest}");
            }

            /// P16
            #[test]
            fn any_numbers_are_answered_or_refused() {
                let mut rng = Rng::new(5);
                for round in 0..6000 {
                    let exponent = rng.between(-1000, 1000);
                    let factor = power_of_two(exponent);
                    let kinds = [rng.below($kinds), rng.below($kinds)];
                    let other = power_of_two(rng.between(-1000, 1000));
                    let (a, b) = ($shape(&mut rng, kinds[0], factor), $shape(&mut rng, kinds[1], other));
                    let pa = $pose(&mut rng, factor);
                    let strange = generate::any_bits(&mut rng);
                    let at =
                        $vector::<f64>::from(core::array::from_fn(|i| if i == 0 { strange } else { 1.0 }));
                    let pb = $pose_type::new(at, pa.rotation);
                    match $d::distance(&a, pa, &b, pb) {
                        Ok(found) => assert!(found.lower <= found.distance && found.distance <= found.upper),
                        Err(Error::NotFinite { .. } | Error::Overflow { .. }) => {}
                        Err(error) => panic!("{round} {error}"),
                    }
                    let _ = $d::closest_point(&a, pa, at);
                    let _ = $d::aabb(&a, pa);
                    let _ = $d::mass_properties(&a, 1.0);
                }
            }

            /// A ball in other words: an ellipsoid with equal radii, a rounded point.
            #[test]
            fn balls_in_other_words_are_balls() {
                for_all(6, 8, |rng, [kind, _], seed| {
                    let (other, po, pb) = ($shape(rng, kind, 1.0), $pose(rng, 1.0), $pose(rng, 1.0));
                    let radius = length(rng);
                    let ball = $d::Ball::new(radius).unwrap();
                    let round = $d::Ellipsoid::new(<$vector<f64> as carom_math::Vector>::splat(radius));
                    let point = $d::Rounded::new($d::Ball::new(0.0).unwrap(), radius).unwrap();
                    let truth = $d::distance(&ball, pb, &other, po).unwrap();
                    assert_eq!($d::distance(&point, pb, &other, po).unwrap(), truth, "{seed}");
                    let found = $d::distance(&round.unwrap(), pb, &other, po).unwrap();
                    assert!(
                        found.lower <= truth.upper && truth.lower <= found.upper,
                        "{seed} {found:?} {truth:?} {other:?}"
                    );
                    let case = (ball.into(), pb, other.clone(), po);
                    let error = (found.distance - truth.distance).abs();
                    assert!(error <= 1e-10 * size(&case), "{seed} {found:?} {truth:?} {case:?}");
                });
            }
        }
    };
}

laws!(plane, d2, shape2, pose2, KINDS_2, Vec2, Pose2);
laws!(room, d3, shape3, pose3, KINDS_3, Vec3, Pose3);

/// The point of an ellipsoid nearest to a point, proven: along every unit vector n, n·p − h(n) with
/// h(n) = √Σ(rᵢnᵢ)² is at most the signed distance, and along the right one it is equal.
#[test]
fn ellipsoids_know_their_nearest_points() {
    let mut rng = Rng::new(7);
    let mut worst = 0.0_f64;
    for round in 0..20_000 {
        let radii: [f64; 3] = match round % 4 {
            0 => std::array::from_fn(|_| rng.pick(&[0.5, 1.0, 2.0])),
            1 => std::array::from_fn(|_| length(&mut rng)),
            2 => std::array::from_fn(|_| power_of_two(-rng.between(0, 40))),
            _ => std::array::from_fn(|_| rng.uniform(0.5, 1.5)),
        };
        let point: [f64; 3] = match round % 3 {
            0 => std::array::from_fn(|i| radii[i] * rng.pick(&[0.0, 0.0, 0.25, 0.5, -0.75, 1.0, 1.5])),
            1 => generate::lattice_point(&mut rng),
            _ => std::array::from_fn(|i| radii[i] * rng.uniform(-1.5, 1.5)),
        };
        let ellipsoid = d3::Ellipsoid::new(radii).unwrap();
        let found = d3::closest_point(&ellipsoid, [0.0; 3], point).unwrap();
        let size = radii.iter().chain(&point).fold(0.0_f64, |m, x| m.max(x.abs()));
        if size == 0.0 {
            continue;
        }
        let surface: [f64; 3] = found.point.into();
        let along = |n: [f64; 3]| {
            let reach = (0..3).map(|i| (radii[i] * n[i]) * (radii[i] * n[i])).sum::<f64>().sqrt();
            (0..3).map(|i| n[i] * point[i]).sum::<f64>() - reach
        };
        let to_point: [f64; 3] = std::array::from_fn(|i| point[i] - surface[i]);
        let gap = to_point.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!(
            (gap - found.distance.abs()).abs() <= 8.0 * f64::EPSILON * size,
            "{radii:?} {point:?} {found:?}"
        );
        assert_eq!(found.inside, found.distance <= 0.0);
        if 1e-6 * size < gap {
            let sign = found.distance.signum();
            let certificate = along(to_point.map(|x| sign * x / gap));
            worst = worst.max((certificate - found.distance).abs() / size);
            assert!((certificate - found.distance).abs() <= 1e-14 * size, "{radii:?} {point:?} {found:?}");
        }
        for _ in 0..8 {
            let n: [f64; 3] = generate::unit_vector(&mut rng);
            assert!(along(n) <= found.distance + 1e-14 * size, "{radii:?} {point:?} {found:?} {n:?}");
        }
    }
    println!("ellipsoids: {worst:e} of the size");
}

/// Single precision rounds the answer for the numbers given, once.
#[test]
fn single_precision_rounds_once() {
    let mut rng = Rng::new(9);
    for round in 0..4000 {
        let mut numbers = || [(); 6].map(|()| rng.uniform(0.01, 2.0) as f32);
        let ([a, b, c, d, e, f], [x, y, z, u, v, _]) = (numbers(), numbers());
        macro_rules! both {
            ($a:expr, $b:expr) => {{
                let (one, other) = ($a, $b);
                d3::distance(&one.unwrap(), [x, y, z], &other.unwrap(), [-u, v, 0.0]).unwrap()
            }};
        }
        macro_rules! wide {
            ($a:expr, $b:expr) => {{
                let (at, to) = ([x, y, z].map(f64::from), [-u, v, 0.0].map(f64::from));
                d3::distance(&$a.unwrap(), at, &$b.unwrap(), to).unwrap()
            }};
        }
        let w = f64::from;
        let (narrow, wide) = match round % 3 {
            0 => (
                both!(d3::Cylinder::new(a, b), d3::Ellipsoid::new([c, d, e])),
                wide!(d3::Cylinder::new(w(a), w(b)), d3::Ellipsoid::new([c, d, e].map(w))),
            ),
            1 => (
                both!(d3::Cone::new(a, b), d3::Cuboid::new([c, d, e])),
                wide!(d3::Cone::new(w(a), w(b)), d3::Cuboid::new([c, d, e].map(w))),
            ),
            _ => (
                both!(
                    d3::ConvexHull::new([[a, b, c], [d, e, f], [c, a, d], [f, b, a]]),
                    d3::Rounded::new(d3::Cone::new(c, d).unwrap(), e)
                ),
                wide!(
                    d3::ConvexHull::new([[a, b, c], [d, e, f], [c, a, d], [f, b, a]].map(|p| p.map(w))),
                    d3::Rounded::new(d3::Cone::new(w(c), w(d)).unwrap(), w(e))
                ),
            ),
        };
        assert_eq!(narrow.distance, wide.distance as f32);
        assert!(w(narrow.lower) <= wide.distance && wide.distance <= w(narrow.upper));
    }
}

/// Cylinders and cones between prisms and pyramids of 96 sides inside and around them.
#[test]
fn cylinders_and_cones_lie_between_prisms() {
    let mut rng = Rng::new(8);
    let sides = 96;
    for round in 0..600 {
        let (half_height, radius) = (rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0));
        let is_cone = round % 2 == 0;
        let prism = |radius: f64| {
            let mut points: Vec<[f64; 3]> = Vec::new();
            for k in 0..sides {
                let angle = f64::from(k) * std::f64::consts::TAU / f64::from(sides);
                let (s, c) = angle.sin_cos();
                points.push([radius * c, -half_height, radius * s]);
                if !is_cone {
                    points.push([radius * c, half_height, radius * s]);
                }
            }
            if is_cone {
                points.push([0.0, half_height, 0.0]);
            }
            d3::ConvexHull::new(points).unwrap()
        };
        let outer = radius / (std::f64::consts::PI / f64::from(sides)).cos() * (1.0 + 1e-12);
        let (inside, around) = (prism(radius * (1.0 - 1e-12)), prism(outer));
        let curved: d3::Shape<f64> = if is_cone {
            d3::Cone::new(half_height, radius).unwrap().into()
        } else {
            d3::Cylinder::new(half_height, radius).unwrap().into()
        };
        let (other, po, pc) =
            (shape3(&mut rng, 1 + round % 5, 1.0), pose3(&mut rng, 1.0), pose3(&mut rng, 1.0));
        let depth = |shape: &d3::Shape<f64>| {
            d3::contact_within(shape, pc, &other, po, f64::MAX).unwrap().unwrap().depth
        };
        let (low, found, high) =
            (depth(&inside.clone().into()), depth(&curved), depth(&around.clone().into()));
        assert!(low - 1e-9 <= found && found <= high + 1e-9, "{low} {found} {high} {curved:?} {other:?}");
        let apart = d3::distance(&curved, pc, &other, po).unwrap();
        let [near, far] = [around, inside].map(|hull| d3::distance(&hull, pc, &other, po).unwrap().distance);
        assert!(near <= apart.upper + 1e-12 && apart.lower <= far + 1e-12, "{near} {apart:?} {far}");
    }
}

/// The gap of shapes that overlap by more than rounding is nothing, and not a little either; of any two it is the distance.
#[test]
fn gaps_need_no_depth() {
    let mut rng = Rng::new(64);
    let turn = |rng: &mut Rng| {
        let [x, y, z, w] = generate::unit_quaternion(rng);
        Quat::new(x, y, z, w).unwrap()
    };
    let mut overlaps = 0;
    for case in 0..600 {
        let mut size = || rng.uniform(0.5, 1.5);
        let curved: [d3::Shape<f64>; 4] = [
            d3::Cylinder::new(size(), size()).unwrap().into(),
            d3::Cone::new(size(), size()).unwrap().into(),
            d3::Ellipsoid::new([size(), size(), size()]).unwrap().into(),
            d3::Rounded::new(d3::Cone::new(size(), size()).unwrap(), size()).unwrap().into(),
        ];
        let (a, b) = (&curved[case % 4], &curved[case / 4 % 4]);
        let reach = rng.uniform(0.0, 4.0);
        let at = Vec3::from(generate::unit_vector(&mut rng)) * reach;
        let (pose_a, pose_b) = (Pose3::new([0.0; 3], turn(&mut rng)), Pose3::new(at, turn(&mut rng)));
        let gap = d3::gap(a, pose_a, b, pose_b).unwrap();
        let apart = d3::distance(a, pose_a, b, pose_b).unwrap();
        assert_eq!(gap.distance, apart.distance, "{a:?} {b:?}");
        assert_eq!(gap.lower, apart.lower, "{a:?} {b:?}");
        match d3::contact(a, pose_a, b, pose_b).unwrap() {
            None => assert_eq!(gap.upper, apart.upper),
            Some(touch) => {
                assert_eq!(gap.lower, 0.0);
                // What rounding leaves, where the last simplex of the search holds the common point on one of its sides.
                assert!(gap.upper <= 1e-12, "{gap:?} {touch:?} {a:?} {b:?}");
                overlaps += usize::from(gap.upper == 0.0);
            }
        }
    }
    assert!(200 < overlaps, "{overlaps}");
}
