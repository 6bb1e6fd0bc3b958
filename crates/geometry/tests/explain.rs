//! Explanations: the answers are the plain ones to the bit, and the steps say what is true.
//!
//! All pairs of kinds, in both dimensions and number types, on the lattice (touching, parallel, nested) and
//! at random places. What a step claims is checked by other means: its points must lie in the shapes that
//! stand in the world, its bounds must hold the separation and close in, its axes must not show a gap where
//! there is none.

// Tolerances may come from any maximum.
#![allow(clippy::disallowed_methods)]

use carom_geometry::trace::{AxisSource, Method, Region, Step};
use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{self, Rng};
use std::fmt::Debug;

/// Rounding, for coordinates below 64.
const TOLERANCE: f64 = 1e-12;

/// A size that is often on the lattice, and sometimes zero.
fn size(rng: &mut Rng) -> f64 {
    match rng.below(8) {
        0 => 0.0,
        1 => rng.uniform(0.1, 3.0),
        _ => rng.pick(&[0.25, 0.5, 1.0, 2.0]),
    }
}

/// A coordinate, mostly on the lattice.
fn place<const D: usize>(rng: &mut Rng) -> [f64; D] {
    if rng.one_in(3) {
        std::array::from_fn(|_| rng.uniform(-3.0, 3.0))
    } else {
        generate::lattice_point(rng).map(|x: f64| x * 0.5)
    }
}

/// Checks what can be said of the steps of any pair; returns the separation if there is one. `reaches`
/// tells how far a point is outside of shape 0 or 1.
fn check_steps<V: Vector<Scalar = f64>>(
    steps: &[Step<V>],
    touching: bool,
    reaches: impl Fn(usize, V) -> f64,
) -> Option<f64> {
    assert!(matches!(steps.first(), Some(Step::Method { .. })), "{steps:?}");
    assert_eq!(steps.last(), Some(&Step::Verdict { touching }), "{steps:?}");
    let (mut lowest, mut least, mut least_depth) = (f64::NEG_INFINITY, f64::INFINITY, f64::INFINITY);
    let (mut axes, mut best_axis, mut highest) = (0, None, f64::NEG_INFINITY);
    let (mut radii, mut found, mut depth_from_below) = (0.0, None, None);
    let (mut incident_corners, mut candidates) = (0, None);
    for step in steps {
        match step {
            Step::Axis { normal, separation, best, .. } => {
                let length = Vector::length(*normal);
                assert!((length - 1.0).abs() <= TOLERANCE || length == 0.0, "{step:?}");
                axes += 1;
                highest = f64::max(highest, *separation);
                if *best {
                    assert_eq!(best_axis, None, "{steps:?}");
                    best_axis = Some(*separation);
                }
            }
            Step::Balls { center_a, center_b, inner, outer } => {
                assert!(reaches(0, *center_a) <= TOLERANCE && reaches(1, *center_b) <= TOLERANCE, "{step:?}");
                let apart = Vector::length(*center_b - *center_a);
                assert!(*inner <= *outer && (touching || *inner <= apart + TOLERANCE), "{step:?}");
            }
            Step::Simplex { points_a, points_b, lower, upper } => {
                assert!((1..=V::DIM + 1).contains(&points_a.len()) && points_a.len() == points_b.len());
                // The bounds close in.
                assert!(lowest <= *lower && *upper <= least && *lower <= *upper + TOLERANCE, "{steps:?}");
                (lowest, least) = (*lower, *upper);
                let outside =
                    points_a.iter().map(|&p| reaches(0, p)).chain(points_b.iter().map(|&p| reaches(1, p)));
                assert!(outside.fold(0.0, f64::max) <= TOLERANCE, "{step:?}");
            }
            Step::Facet { points_a, points_b, lower, upper } => {
                assert!(points_a.len() == V::DIM && points_b.len() == V::DIM);
                assert!(*upper <= least_depth && *lower <= *upper + TOLERANCE, "{steps:?}");
                (least_depth, depth_from_below) = (*upper, Some(*lower));
                let outside =
                    points_a.iter().map(|&p| reaches(0, p)).chain(points_b.iter().map(|&p| reaches(1, p)));
                assert!(outside.fold(0.0, f64::max) <= TOLERANCE, "{step:?}");
            }
            Step::Nearest { point_a, point_b, distance, .. } => {
                assert!(reaches(0, *point_a) <= TOLERANCE && reaches(1, *point_b) <= TOLERANCE, "{steps:?}");
                let length = Vector::length(*point_b - *point_a);
                assert!((length - distance.abs()).abs() <= TOLERANCE, "{step:?}");
            }
            Step::Radii { a, b } => radii = a + b,
            Step::Separation { separation, lower, upper, point_a, point_b, .. } => {
                assert!(lower <= separation && separation <= upper);
                assert!(reaches(0, *point_a) <= 1e-7 && reaches(1, *point_b) <= 1e-7, "{steps:?}");
                found = Some((*separation, *lower, *upper, *point_b - *point_a));
            }
            Step::Faces { reference: corners, incident } => {
                let of_either = |p: &V| reaches(0, *p).min(reaches(1, *p)) <= TOLERANCE;
                assert!(corners.iter().chain(incident).all(of_either), "{step:?}");
                incident_corners = incident.len();
            }
            Step::Clip { polygon, .. } => {
                // Each side adds at most one corner to what it clips.
                assert!(polygon.len() <= incident_corners + 1, "{steps:?}");
                incident_corners = polygon.len();
                let of_either = |p: &V| reaches(0, *p).min(reaches(1, *p)) <= TOLERANCE;
                assert!(polygon.iter().all(of_either), "{step:?}");
            }
            Step::Candidates { points } => candidates = Some(points.as_slice()),
            Step::Chosen { points } => {
                assert!((1..=2 * V::DIM - 2).contains(&points.len()), "{step:?}");
                assert!(candidates.is_none_or(|all| points.iter().all(|p| all.contains(p))), "{steps:?}");
            }
            _ => {}
        }
    }
    if 0 < axes {
        assert_eq!(best_axis, Some(highest), "{steps:?}");
    }
    let (separation, lower, upper, between) = found?;
    for step in steps {
        // Every point of b is beyond every point of a by as much as the axis says, less the radii. A
        // half-space says it with the radii.
        if let Step::Axis { normal, separation, .. } = step {
            assert!(*separation - radii <= normal.dot(between) + 1e-7, "{step:?} {steps:?}");
        }
    }
    // No axis may show a wider gap than there is, radii included.
    if radii != 0.0 || !matches!(steps.first(), Some(Step::Method { method: Method::HalfSpace, .. })) {
        assert!(highest - radii <= upper + TOLERANCE, "{steps:?}");
    }
    match steps.first() {
        // The best axis is the depth of boxes, triangles and segments that overlap.
        Some(Step::Method { method: Method::SeparatingAxes | Method::NearestFeatures, .. })
            if highest < -TOLERANCE && 0 < axes =>
        {
            assert!((separation - (highest - radii)).abs() <= TOLERANCE, "{steps:?}");
        }
        Some(Step::Method { method: Method::SupportPoints, .. }) => match depth_from_below {
            // The last facet bounds the depth from below; the best axis is the depth.
            Some(below) => {
                assert!(below - TOLERANCE <= radii - lower, "{steps:?}");
                assert!((separation - (highest - radii)).abs() <= 1e-9, "{steps:?}");
            }
            // Axes alone, for polytopes: the best is the depth.
            None if separation + radii < -1e-9 => {
                assert!((separation - (highest - radii)).abs() <= 1e-9, "{steps:?}");
            }
            // The last simplex bounds the distance, unless the search ended at the first direction.
            None if lowest.is_finite() && 0.0 < highest => {
                assert!(
                    lowest - TOLERANCE <= upper + radii && lower + radii <= least + TOLERANCE,
                    "{steps:?}"
                );
                assert!(upper + radii - lower - radii <= 1e-6);
            }
            None => {}
        },
        _ => {}
    }
    Some(separation)
}

/// The same steps of the same pair with its shapes exchanged: axes turn around, names and points change
/// sides.
fn exchanged<V: Vector<Scalar = f64>>(step: Step<V>) -> Step<V> {
    let source_of = |source: AxisSource| match source {
        AxisSource::Face { of, index, of_box } => AxisSource::Face { of: of.other(), index, of_box },
        AxisSource::Edges { a, b } => AxisSource::Edges { a: b, b: a },
        AxisSource::Along(of) => AxisSource::Along(of.other()),
        AxisSource::Across(of, index) => AxisSource::Across(of.other(), index),
        other => other,
    };
    match step {
        Step::Axis { source, normal, separation, best } => {
            Step::Axis { source: source_of(source), normal: -normal, separation, best }
        }
        Step::Balls { center_a, center_b, inner, outer } => {
            Step::Balls { center_a: center_b, center_b: center_a, inner, outer }
        }
        Step::Simplex { points_a, points_b, lower, upper } => {
            Step::Simplex { points_a: points_b, points_b: points_a, lower, upper }
        }
        Step::Facet { points_a, points_b, lower, upper } => {
            Step::Facet { points_a: points_b, points_b: points_a, lower, upper }
        }
        Step::Nearest { point_a, point_b, region_a, region_b, distance } => Step::Nearest {
            point_a: point_b,
            point_b: point_a,
            region_a: region_b,
            region_b: region_a,
            distance,
        },
        Step::Radii { a, b } => Step::Radii { a: b, b: a },
        Step::Separation { separation, lower, upper, normal, point_a, point_b } => {
            Step::Separation { separation, lower, upper, normal: -normal, point_a: point_b, point_b: point_a }
        }
        other => other,
    }
}

macro_rules! dimension_tests {
    ($module:ident, $d:ident, $dim:literal, $vector:ident, $pose:ident, kinds: $kinds:expr, own: $own:expr, hull: $hull:expr, turn: $turn:expr) => {
        mod $module {
            use super::*;

            type Shape<T> = $d::Shape<T>;
            type Place<T> = $pose<T>;

            const KINDS: &[&str] = $kinds;

            /// A shape of the kind, all lengths multiplied by a factor.
            fn shape<T: Real>(rng: &mut Rng, kind: &str, factor: f64) -> Shape<T> {
                let vector = |p: [f64; $dim]| $vector::<T>::narrow($vector::from(p.map(|x| x * factor)));
                let length = |x: f64| T::from_f64(x * factor);
                let mut sizes = || std::array::from_fn::<f64, $dim, _>(|_| size(rng));
                let shape: Result<Shape<T>, Error> = match kind {
                    "ball" => $d::Ball::new(length(size(rng))).map(Into::into),
                    "cuboid" => $d::Cuboid::<T>::new(vector(sizes())).map(Into::into),
                    "capsule" => {
                        $d::Capsule::<T>::new(vector(place(rng)), vector(place(rng)), length(size(rng)))
                            .map(Into::into)
                    }
                    "segment" => {
                        $d::Segment::<T>::new(vector(place(rng)), vector(place(rng))).map(Into::into)
                    }
                    "triangle" => {
                        $d::Triangle::<T>::new(vector(place(rng)), vector(place(rng)), vector(place(rng)))
                            .map(Into::into)
                    }
                    "half_space" => {
                        let normal = $vector::<T>::narrow(generate::unit_vector(rng).into());
                        $d::HalfSpace::<T>::new(normal, length(size(rng))).map(Into::into)
                    }
                    "ellipsoid" => $d::Ellipsoid::<T>::new(vector(sizes())).map(Into::into),
                    "hull" => {
                        let points: Vec<_> = (0..1 + rng.below(10)).map(|_| vector(place(rng))).collect();
                        $hull(points).map(Into::into)
                    }
                    "rounded" => {
                        let inner = rng.pick(&["cuboid", "triangle", "hull", "ellipsoid"]);
                        $d::Rounded::new(shape::<T>(rng, inner, factor), length(size(rng))).map(Into::into)
                    }
                    own => $own(own, length(size(rng)), length(size(rng))),
                };
                shape.expect("sizes are not negative")
            }

            fn pose<T: Real>(rng: &mut Rng, factor: f64) -> Place<T> {
                let at = place::<$dim>(rng).map(|x| x * factor);
                $pose::new($vector::narrow(at.into()), $turn(rng))
            }

            /// Every pair of kinds, many times. The closure takes a generator, to build the pair in any way.
            fn for_all_pairs(seed: u64, rounds: usize, mut check: impl FnMut(&mut Rng, [&str; 2])) {
                let mut rng = Rng::new(seed);
                for a in KINDS {
                    for b in KINDS {
                        for _ in 0..rounds {
                            check(&mut rng, [a, b]);
                        }
                    }
                }
            }

            fn pair<T: Real>(
                rng: &mut Rng,
                [a, b]: [&str; 2],
                factor: f64,
            ) -> (Shape<T>, Place<T>, Shape<T>, Place<T>) {
                let (a, b) = (shape(rng, a, factor), shape(rng, b, factor));
                let (pose_a, mut pose_b) = (pose(rng, factor), pose(rng, factor));
                if rng.one_in(4) {
                    pose_b.rotation = pose_a.rotation;
                }
                (a, pose_a, b, pose_b)
            }

            /// The plain answer and the explained one have the same digits, and fail alike.
            fn same_answers<T: Real>(rng: &mut Rng, kinds: [&str; 2]) {
                let (a, pa, b, pb) = pair::<T>(rng, kinds, 1.0);
                let margin = T::from_f64(rng.pick(&[0.0, 0.5, 1e6]));
                let same = |plain: &dyn Debug, explained: &dyn Debug| {
                    assert_eq!(format!("{plain:?}"), format!("{explained:?}"), "{a:?} {pa:?} {b:?} {pb:?}");
                };
                use $d::explain;
                same(&$d::intersects(&a, pa, &b, pb), &explain::intersects(&a, pa, &b, pb).map(|e| e.answer));
                same(&$d::distance(&a, pa, &b, pb), &explain::distance(&a, pa, &b, pb).map(|e| e.answer));
                same(&$d::contact(&a, pa, &b, pb), &explain::contact(&a, pa, &b, pb).map(|e| e.answer));
                same(&$d::manifold(&a, pa, &b, pb), &explain::manifold(&a, pa, &b, pb).map(|e| e.answer));
                same(
                    &$d::contact_within(&a, pa, &b, pb, margin),
                    &explain::contact_within(&a, pa, &b, pb, margin).map(|e| e.answer),
                );
                same(
                    &$d::manifold_within(&a, pa, &b, pb, margin),
                    &explain::manifold_within(&a, pa, &b, pb, margin).map(|e| e.answer),
                );
            }

            #[test]
            fn the_answer_is_the_plain_one_to_the_bit() {
                for_all_pairs(1, 12, same_answers::<f64>);
                for_all_pairs(2, 8, same_answers::<f32>);
            }

            #[test]
            fn steps_say_what_is_true() {
                let mut methods = std::collections::BTreeSet::new();
                for_all_pairs(3, 40, |rng, kinds| {
                    let (a, pa, b, pb) = pair::<f64>(rng, kinds, 1.0);
                    let reaches = |index: usize, p: $vector<f64>| {
                        let (shape, pose) = if index == 0 { (&a, pa) } else { (&b, pb) };
                        $d::closest_point(shape, pose, p).unwrap().distance
                    };
                    let touching = $d::intersects(&a, pa, &b, pb).unwrap();
                    let found = $d::explain::intersects(&a, pa, &b, pb).unwrap();
                    check_steps(&found.steps, touching, reaches);
                    if let Some(Step::Method { method, .. }) = found.steps.first() {
                        methods.insert(method.to_string());
                    }
                    let Ok(found) = $d::explain::contact_within(&a, pa, &b, pb, f64::MAX) else {
                        assert_eq!(kinds, ["half_space", "half_space"]);
                        return;
                    };
                    let separation = check_steps(&found.steps, touching, reaches).expect("a separation");
                    assert_eq!(found.answer.unwrap().depth, -separation, "{:?}", found.steps);
                    let found = $d::explain::manifold_within(&a, pa, &b, pb, 0.25).unwrap();
                    check_steps(&found.steps, touching, reaches);
                    let chosen = found.steps.iter().find_map(|step| match step {
                        Step::Chosen { points } => Some(points.clone()),
                        _ => None,
                    });
                    let points =
                        found.answer.map(|all| all.points().iter().map(|p| p.point).collect::<Vec<_>>());
                    assert_eq!(chosen, points, "{:?}", found.steps);
                });
                // Segments in space have a method of their own.
                assert_eq!(methods.len(), $dim + 2, "{methods:?}");
            }

            #[test]
            fn exchanging_the_shapes_exchanges_the_steps() {
                for_all_pairs(4, 10, |rng, kinds| {
                    let (a, pa, b, pb) = pair::<f64>(rng, kinds, 1.0);
                    if a == b && pa == pb {
                        return;
                    }
                    let Ok(here) = $d::explain::manifold_within(&a, pa, &b, pb, 0.5) else { return };
                    let there = $d::explain::manifold_within(&b, pb, &a, pa, 0.5).unwrap();
                    let back: Vec<_> = there.steps.into_iter().map(exchanged).collect();
                    assert_eq!(here.steps, back);
                });
            }

            #[test]
            fn steps_scale_to_the_bit() {
                for_all_pairs(5, 4, |rng, kinds| {
                    let exponent = rng.pick(&[-700, -30, 30, 700]);
                    let factor = power_of_two(exponent);
                    let mut twin = rng.clone();
                    let (a, pa, b, pb) = pair::<f64>(rng, kinds, 1.0);
                    let Ok(here) = $d::explain::distance(&a, pa, &b, pb) else { return };
                    let (a, pa, b, pb) = pair::<f64>(&mut twin, kinds, factor);
                    let there = $d::explain::distance(&a, pa, &b, pb).unwrap();
                    assert_eq!(here.steps.len(), there.steps.len());
                    for (here, there) in here.steps.iter().zip(&there.steps) {
                        match (here, there) {
                            (
                                Step::Axis { normal: n, separation: x, .. },
                                Step::Axis { normal: m, separation: y, .. },
                            ) => {
                                assert_eq!((*n, x * factor), (*m, *y));
                            }
                            (
                                Step::Simplex { points_a: p, lower: x, upper: u, .. },
                                Step::Simplex { points_a: q, lower: y, upper: v, .. },
                            ) => {
                                assert_eq!((x * factor, u * factor, p[0] * factor), (*y, *v, q[0]));
                            }
                            (
                                Step::Nearest { point_b: p, distance: x, .. },
                                Step::Nearest { point_b: q, distance: y, .. },
                            ) => {
                                assert_eq!((*p * factor, x * factor), (*q, *y));
                            }
                            _ => assert_eq!(std::mem::discriminant(here), std::mem::discriminant(there)),
                        }
                    }
                });
            }

            #[test]
            fn any_bits_are_answered() {
                let mut rng = Rng::new(6);
                for _ in 0..20_000 {
                    let mut number = || generate::any_bits(&mut rng);
                    let mut vector = || $vector::from(std::array::from_fn::<f64, $dim, _>(|_| number()));
                    let (p, q, r, at, to) = (vector(), vector(), vector(), vector(), vector());
                    let shapes: Vec<Shape<f64>> = [
                        $d::Ball::new(p.x).ok().map(Into::into),
                        $d::Cuboid::new(q).ok().map(Into::into),
                        $d::Capsule::new(p, q, r.x).ok().map(Into::into),
                        $d::Triangle::new(p, q, r).ok().map(Into::into),
                        $d::Ellipsoid::new(r).ok().map(Into::into),
                        $hull(vec![p, q, r, at]).ok().map(Into::into),
                    ]
                    .into_iter()
                    .flatten()
                    .collect();
                    if let (Some(a), Some(b)) = (shapes.first(), shapes.last()) {
                        let _ = $d::explain::distance(a, at, b, to);
                        let _ = $d::explain::intersects(b, to, a, at);
                        let _ = $d::explain::manifold(b, to, b, at);
                    }
                }
            }
        }
    };
}

fn turn2<T: Real>(rng: &mut Rng) -> Rot2<T> {
    let [c, s] =
        if rng.one_in(2) { generate::unit_complex(rng) } else { rng.pick(&[[1.0, 0.0], [0.0, 1.0]]) };
    Rot2::from_cos_sin(T::from_f64(c), T::from_f64(s)).unwrap()
}

fn turn3<T: Real>(rng: &mut Rng) -> Quat<T> {
    let numbers = if rng.one_in(2) { generate::unit_quaternion(rng) } else { generate::cube_rotation(rng) };
    let [x, y, z, w] = numbers.map(T::from_f64);
    Quat::new(x, y, z, w).unwrap()
}

fn no_other<T: Real>(kind: &str, _: T, _: T) -> Result<d2::Shape<T>, Error> {
    unreachable!("{kind}")
}

fn round_shape<T: Real>(kind: &str, half_height: T, radius: T) -> Result<d3::Shape<T>, Error> {
    match kind {
        "cylinder" => d3::Cylinder::new(half_height, radius).map(Into::into),
        _ => d3::Cone::new(half_height, radius).map(Into::into),
    }
}

dimension_tests!(
    plane, d2, 2, Vec2, Pose2,
    kinds: &["ball", "cuboid", "capsule", "segment", "triangle", "half_space", "ellipsoid", "hull", "rounded"],
    own: no_other,
    hull: d2::ConvexPolygon::from_hull,
    turn: turn2
);

dimension_tests!(
    space, d3, 3, Vec3, Pose3,
    kinds: &["ball", "cuboid", "capsule", "segment", "triangle", "half_space", "ellipsoid", "hull", "rounded", "cylinder", "cone"],
    own: round_shape,
    hull: d3::ConvexHull::new,
    turn: turn3
);

fn named_axes(steps: &[Step<Vec3<f64>>]) -> Vec<String> {
    let named = steps.iter().filter_map(|step| match step {
        Step::Axis { source, .. } => Some(source.to_string()),
        _ => None,
    });
    named.collect()
}

#[test]
fn boxes_have_fifteen_axes_by_name() {
    let (a, b) = (d3::Cuboid::new([1.0, 2.0, 3.0]).unwrap(), d3::Cuboid::new([2.0, 1.0, 1.0]).unwrap());
    let turned = Pose3::new([0.5, 0.5, 0.5], Quat::new(0.1, 0.2, 0.3, 0.9).unwrap());
    let found = d3::explain::contact(&a, [0.0, 0.0, 0.0], &b, turned).unwrap();
    let mut names = named_axes(&found.steps);
    names.sort();
    let mut expected: Vec<String> = ["x", "y", "z"].iter().map(|x| format!("face a.{x}")).collect();
    expected.extend(["x", "y", "z"].iter().map(|x| format!("face b.{x}")));
    for x in ["x", "y", "z"] {
        expected.extend(["x", "y", "z"].iter().map(|y| format!("edges a.{x} × b.{y}")));
    }
    expected.sort();
    assert_eq!(names, expected);
    // Turned alike, nine pairs of edges are three axes that the faces have too, twice each.
    let found = d3::explain::contact(&a, [0.0, 0.0, 0.0], &b, [0.5, 0.5, 0.5]).unwrap();
    assert_eq!(named_axes(&found.steps).len(), 12);
}

#[test]
fn a_capsule_beside_another_names_the_place() {
    let pill = d3::Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.25).unwrap();
    let quarter = Quat::new(0.0, 0.0, 1.0, 1.0).unwrap();
    let crossing = Pose3::new([0.5, 0.0, 2.0], quarter);
    let found = d3::explain::distance(&pill, [0.0, 0.0, 0.0], &pill, crossing).unwrap();
    assert_eq!(found.answer.distance, 1.5);
    let Some(Step::Nearest { region_a, region_b, distance, point_a, point_b }) =
        found.steps.iter().find(|step| matches!(step, Step::Nearest { .. }))
    else {
        panic!("{:?}", found.steps)
    };
    assert_eq!((*region_a, *region_b, *distance), (Region::Along(0.75), Region::Along(0.5), 2.0));
    assert_eq!((*point_a, *point_b), (Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.5, 0.0, 2.0)));
    assert!(found.steps.contains(&Step::Radii { a: 0.25, b: 0.25 }));
}

#[test]
fn the_depth_of_hulls_closes_in_between_facets_and_axes() {
    let corners = generate::box_corners([1.0, 1.0, 1.0]);
    let cube = d3::ConvexHull::new(corners).unwrap();
    let found = d3::explain::contact(&cube, [0.0, 0.0, 0.0], &cube, [0.5, 1.75, 0.25]).unwrap();
    assert_eq!(found.answer.unwrap().depth, 0.25);
    let best = found.steps.iter().find_map(|step| match step {
        Step::Axis { normal, separation, best: true, .. } => Some((*normal, *separation)),
        _ => None,
    });
    assert_eq!(best, Some((Vec3::new(0.0, 1.0, 0.0), -0.25)));
}
