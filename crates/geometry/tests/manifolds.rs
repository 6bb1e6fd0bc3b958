//! Contact manifolds: cases worked by hand, and the laws that all of them obey, in both dimensions.

// Tolerances may come from any maximum.
#![allow(clippy::disallowed_methods)]

#[allow(dead_code)]
use super::world;

#[allow(dead_code)]
use super::spaces;

#[path = "manifolds/all_kinds.rs"]
mod all_kinds;

#[path = "manifolds/curved.rs"]
mod curved;

#[path = "manifolds/named.rs"]
mod named;

#[path = "manifolds/stability.rs"]
mod stability;

use carom_geometry::{Error, Manifold, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Rot2, Vector};
use carom_oracle::generate::{self, Rng};
use spaces::{Plane, Room};
use world::{Case, KINDS, Space};

/// What the laws need of a dimension.
trait Touch<const D: usize>: Space<D> {
    fn manifold(case: &Case<D>, margin: f64) -> Result<Option<Manifold<Self::Vector>>, Error>;
    /// The distances of a point from both surfaces.
    fn off_surfaces(case: &Case<D>, point: Self::Vector) -> [f64; 2];
    /// The depth of the deepest point and of the contact in `f32`.
    fn depths_f32(case: &Case<D>, margin: f32) -> Option<[f32; 2]>;
}

macro_rules! touch {
    ($space:ident, $dim:literal, $d:ident) => {
        impl Touch<$dim> for $space {
            fn manifold(case: &Case<$dim>, margin: f64) -> Result<Option<Manifold<Self::Vector>>, Error> {
                let (a, b) = (Self::shape::<f64>(&case.a)?, Self::shape::<f64>(&case.b)?);
                $d::manifold_within(&a, Self::pose::<f64>(&case.pa), &b, Self::pose::<f64>(&case.pb), margin)
            }
            fn off_surfaces(case: &Case<$dim>, point: Self::Vector) -> [f64; 2] {
                [(&case.a, &case.pa), (&case.b, &case.pb)].map(|(body, place)| {
                    let shape = Self::shape::<f64>(body).unwrap();
                    $d::closest_point(&shape, Self::pose::<f64>(place), point).unwrap().distance.abs()
                })
            }
            fn depths_f32(case: &Case<$dim>, margin: f32) -> Option<[f32; 2]> {
                let (a, b) = (Self::shape::<f32>(&case.a).unwrap(), Self::shape::<f32>(&case.b).unwrap());
                let (pa, pb) = (Self::pose::<f32>(&case.pa), Self::pose::<f32>(&case.pb));
                let found = $d::manifold_within(&a, pa, &b, pb, margin).unwrap();
                let contact = $d::contact_within(&a, pa, &b, pb, margin).unwrap();
                assert_eq!(found.is_some(), contact.is_some());
                Some([found?.depth(), contact?.depth])
            }
        }
    };
}

touch!(Plane, 2, d2);
touch!(Room, 3, d3);

/// Random pairs of all kinds, mostly near each other, with margins.
fn for_each_case<const D: usize, S: Touch<D>>(
    seed: u64,
    rounds: usize,
    check: impl Fn(&mut Rng, &Case<D>, f64),
) {
    let mut rng = Rng::new(seed);
    for first in KINDS {
        for second in KINDS {
            for round in 0..rounds {
                let case = Case::random::<S>(&mut rng, [first, second], round % 2 == 0);
                let margin = match round % 4 {
                    0 | 1 => 0.0,
                    2 => 0.25 * case.size(),
                    _ => 2.0 * case.size(),
                };
                check(&mut rng, &case, margin);
            }
        }
    }
}

/// One normal, few points, the deepest as deep as the contact, each half way between the surfaces.
fn points_lie_between_the_surfaces<const D: usize, S: Touch<D>>() {
    for_each_case::<D, S>(1, 400, |_, case, margin| {
        let contact = S::contact(&case.a, &case.pa, &case.b, &case.pb, margin).unwrap();
        let found = S::manifold(case, margin).unwrap();
        assert_eq!(found.is_some(), contact.is_some(), "{case:?}");
        let (Some(found), Some(contact)) = (found, contact) else { return };
        assert_eq!(found.normal(), contact.normal, "{case:?}");
        assert_eq!(found.depth(), contact.depth, "{case:?}");
        let most = if D == 2 { 2 } else { 4 };
        assert!((1..=most).contains(&found.points().len()), "{case:?}");
        let world =
            case.pa.translation.iter().chain(&case.pb.translation).fold(0.0_f64, |m, x| m.max(x.abs()));
        let slack = 1024.0 * f64::EPSILON * (case.size() + world);
        for point in found.points() {
            assert!(-margin <= point.depth && point.depth <= contact.depth, "{case:?} {found:?}");
            for off in S::off_surfaces(case, point.point) {
                assert!(off <= 0.5 * point.depth.abs() + slack, "{off} {case:?} {margin} {found:?}");
            }
        }
    });
}

#[test]
fn points_lie_between_the_surfaces_in_the_plane() {
    points_lie_between_the_surfaces::<2, Plane>();
}

#[test]
fn points_lie_between_the_surfaces_in_space() {
    points_lie_between_the_surfaces::<3, Room>();
}

fn exchanging_the_shapes_exchanges_the_answer<const D: usize, S: Touch<D>>() {
    for_each_case::<D, S>(2, 40, |_, case, margin| {
        // Equal shapes in the same place have one answer, and nothing tells which is which.
        if case.a.kind == "ball" && case.b.kind == "ball" && case.pa.translation == case.pb.translation {
            return;
        }
        let (one, other) =
            (S::manifold(case, margin).unwrap(), S::manifold(&case.swapped(), margin).unwrap());
        let (Some(one), Some(other)) = (one, other) else { return assert_eq!(one, other) };
        assert_eq!(one.normal(), -other.normal(), "{case:?}");
        assert_eq!(one.points().len(), other.points().len(), "{case:?}");
        for (p, q) in one.points().iter().zip(other.points()) {
            assert_eq!((p.point, p.depth, p.feature), (q.point, q.depth, q.feature.swapped()), "{case:?}");
        }
    });
}

#[test]
fn exchanging_the_shapes_exchanges_the_answer_in_both_dimensions() {
    exchanging_the_shapes_exchanges_the_answer::<2, Plane>();
    exchanging_the_shapes_exchanges_the_answer::<3, Room>();
}

fn scaling_by_powers_of_two_is_exact<const D: usize, S: Touch<D>>() {
    for_each_case::<D, S>(3, 40, |rng, case, margin| {
        let numbers =
            case.a.numbers.iter().chain(&case.b.numbers).chain([&case.pa.translation, &case.pb.translation]);
        // Beside lengths of 1, what is far smaller would be rounded away at 2^-300.
        if numbers.flatten().any(|x| *x != 0.0 && x.abs() < 1e-30) {
            return;
        }
        let exponent = if rng.one_in(4) { rng.pick(&[-300, 300]) } else { rng.between(-40, 40) };
        let factor = generate::power_of_two(exponent);
        let scaled = S::manifold(&case.scaled(factor), margin * factor).unwrap();
        let found = S::manifold(case, margin).unwrap();
        let (Some(found), Some(scaled)) = (found, scaled) else { return assert_eq!(found, scaled) };
        assert_eq!(found.normal(), scaled.normal());
        assert_eq!(found.points().len(), scaled.points().len(), "{case:?}");
        for (p, q) in found.points().iter().zip(scaled.points()) {
            let expected = (p.point * factor, p.depth * factor, p.feature);
            assert_eq!(expected, (q.point, q.depth, q.feature), "{exponent} {case:?}");
        }
    });
}

#[test]
fn scaling_by_powers_of_two_is_exact_in_both_dimensions() {
    scaling_by_powers_of_two_is_exact::<2, Plane>();
    scaling_by_powers_of_two_is_exact::<3, Room>();
}

fn single_precision_rounds_once<const D: usize, S: Touch<D>>() {
    for_each_case::<D, S>(4, 20, |_, case, margin| {
        let (pa, pb) = (S::place_f32(&case.pa), S::place_f32(&case.pb));
        let case = Case { a: case.a.to_f32_values(), pa, b: case.b.to_f32_values(), pb };
        if let Some([found, contact]) = S::depths_f32(&case, margin as f32) {
            assert_eq!(found, contact, "{case:?}");
        }
    });
}

#[test]
fn single_precision_rounds_once_in_both_dimensions() {
    single_precision_rounds_once::<2, Plane>();
    single_precision_rounds_once::<3, Room>();
}

/// Moving both shapes rigidly moves the points. Boxes in general position, so that nothing is a tie.
#[test]
fn moving_both_shapes_moves_the_points() {
    let mut rng = Rng::new(5);
    let (mut compared, mut apart) = (0, 0);
    for _ in 0..2000 {
        let cuboid = |rng: &mut Rng| d3::Cuboid::new([0; 3].map(|_| rng.uniform(0.5, 2.0))).unwrap();
        let turn = |rng: &mut Rng| {
            let [x, y, z, w] = [0; 4].map(|_| rng.uniform(-1.0, 1.0));
            Quat::new(x, y, z, w).unwrap()
        };
        let (a, b) = (cuboid(&mut rng), cuboid(&mut rng));
        let place = |rng: &mut Rng| Pose3::new([0; 3].map(|_| rng.uniform(-1.5, 1.5)), turn(rng));
        let (pa, pb, moved) = (place(&mut rng), place(&mut rng), place(&mut rng));
        let one = d3::manifold_within(&a, pa, &b, pb, 1.0).unwrap();
        let other = d3::manifold_within(&a, moved * pa, &b, moved * pb, 1.0).unwrap();
        let (Some(one), Some(other)) = (one, other) else {
            apart += 1;
            assert_eq!(one, other);
            continue;
        };
        let slack = 1e-12;
        assert!((one.depth() - other.depth()).abs() < slack);
        if Vector::length(moved.rotation.rotate(one.normal()) - other.normal()) > slack {
            continue; // two directions that are equally deep up to rounding
        }
        if one.points().len() == other.points().len() {
            compared += 1;
            for (p, q) in one.points().iter().zip(other.points()) {
                assert!(Vector::length(moved.point_to_world(p.point) - q.point) < 1e-9, "{one:?} {other:?}");
                assert!((p.depth - q.depth).abs() < 1e-9);
            }
        }
    }
    assert!(1950 < compared + apart && 1000 < compared, "{compared} {apart}");
}

/// Everything against the ground, which the law above does not know.
#[test]
fn all_kinds_rest_on_half_spaces() {
    let mut rng = Rng::new(7);
    for round in 0..4000 {
        let mut length = || if rng.one_in(8) { 0.0 } else { rng.uniform(0.1, 2.0) };
        let (h, r, x) = (length(), length(), length());
        let shapes = [
            d3::Shape::from(d3::Cylinder::new(h, r).unwrap()),
            d3::Cone::new(h, r).unwrap().into(),
            d3::Cuboid::new([x, h, r]).unwrap().into(),
            d3::Capsule::new([x, -h, 0.0], [0.0, h, x], r).unwrap().into(),
            d3::Segment::new([x, -h, 0.0], [0.0, h, r]).unwrap().into(),
            d3::Triangle::new([x, -h, 0.0], [0.0, h, r], [-r, x, h]).unwrap().into(),
        ];
        let turn = match round % 3 {
            0 => generate::cube_rotation(&mut rng),
            1 => generate::unit_quaternion(&mut rng),
            _ => [0; 4].map(|_| rng.uniform(-1.0, 1.0)),
        };
        let rotation = Quat::new(turn[0], turn[1], turn[2], turn[3]).unwrap();
        let pose = Pose3::new([0; 3].map(|_| rng.uniform(-2.0, 2.0)), rotation);
        let ground =
            d3::HalfSpace::new(generate::unit_vector::<3>(&mut rng), rng.uniform(-1.0, 1.0)).unwrap();
        let margin = rng.pick(&[0.0, 0.5, 10.0]);
        let slack = 1e-13;
        for shape in &shapes {
            let contact = d3::contact_within(&ground, [0.0; 3], shape, pose, margin).unwrap();
            let found = d3::manifold_within(&ground, [0.0; 3], shape, pose, margin).unwrap();
            assert_eq!(found.is_some(), contact.is_some());
            let (Some(found), Some(contact)) = (found, contact) else { continue };
            assert_eq!((found.normal(), found.depth()), (contact.normal, contact.depth));
            for point in found.points() {
                assert!(-margin <= point.depth && point.depth <= contact.depth);
                let below = ground.offset() - ground.normal().dot(point.point);
                assert!((below - 0.5 * point.depth).abs() <= slack, "{shape:?} {pose:?} {found:?}");
                let off = d3::closest_point(shape, pose, point.point).unwrap().distance.abs();
                assert!(off <= 0.5 * point.depth.abs() + slack, "{off} {shape:?} {pose:?} {found:?}");
            }
        }
    }
}

#[test]
fn any_bit_pattern_is_answered() {
    let mut rng = Rng::new(6);
    for _ in 0..2_500 {
        let mut number = || {
            if rng.one_in(2) {
                rng.pick(&[0.0, 1.0, -0.5, 2.0, 1e-310, 1e300])
            } else {
                generate::any_bits(&mut rng)
            }
        };
        let mut v3 = || [number(), number(), number()];
        let (p, q, r, s, t) = (v3(), v3(), v3(), v3(), v3());
        let shapes = [
            d3::Cuboid::new(p.map(f64::abs)).map(d3::Shape::from),
            d3::Triangle::new(p, q, r).map(d3::Shape::from),
            d3::Capsule::new(p, q, r[0].abs()).map(d3::Shape::from),
            d3::Segment::new(q, r).map(d3::Shape::from),
            d3::HalfSpace::new(p, q[0]).map(d3::Shape::from),
            d3::Cylinder::new(p[0].abs(), p[1].abs()).map(d3::Shape::from),
            d3::Cone::new(p[0].abs(), p[1].abs()).map(d3::Shape::from),
            d3::Ball::new(p[0].abs()).map(d3::Shape::from),
            d3::ConvexHull::new([p, q, r, s, t]).map(d3::Shape::from),
            d3::Ellipsoid::new(q.map(f64::abs)).map(d3::Shape::from),
            d3::Cylinder::new(q[0].abs(), q[1].abs())
                .and_then(|can| d3::Rounded::new(can, r[1].abs()))
                .map(d3::Shape::from),
            d3::Triangle::new(r, s, p)
                .and_then(|sheet| d3::Rounded::new(sheet, q[1].abs()))
                .map(d3::Shape::from),
        ];
        let flat = |v: [f64; 3]| [v[0], v[1]];
        let flats = [
            d2::Cuboid::new(flat(p.map(f64::abs))).map(d2::Shape::from),
            d2::Triangle::new(flat(p), flat(q), flat(r)).map(d2::Shape::from),
            d2::Capsule::new(flat(p), flat(q), r[0].abs()).map(d2::Shape::from),
            d2::Segment::new(flat(q), flat(r)).map(d2::Shape::from),
            d2::HalfSpace::new(flat(p), q[0]).map(d2::Shape::from),
            d2::ConvexPolygon::from_hull([p, q, r, s, t].map(flat)).map(d2::Shape::from),
            d2::Ellipsoid::new(flat(q.map(f64::abs))).map(d2::Shape::from),
            d2::Triangle::new(flat(r), flat(s), flat(p))
                .and_then(|sheet| d2::Rounded::new(sheet, q[1].abs()))
                .map(d2::Shape::from),
        ];
        let margin = number();
        let quarter = Quat::new(number(), number(), number(), number()).unwrap_or_default();
        let turn = Rot2::from_cos_sin(number(), number()).unwrap_or_default();
        let finite = |x: f64| assert!(x.is_finite());
        for a in shapes.iter().flatten() {
            for b in shapes.iter().flatten() {
                if let Ok(Some(found)) = d3::manifold_within(a, Pose3::new(s, quarter), b, t, margin) {
                    found.points().iter().for_each(|p| {
                        finite(p.depth);
                        finite(p.point.max_abs());
                    });
                    assert!(!found.points().is_empty());
                }
            }
        }
        for a in flats.iter().flatten() {
            for b in flats.iter().flatten() {
                let pose = Pose2::new(flat(s), turn);
                if let Ok(Some(found)) = d2::manifold_within(a, pose, b, flat(t), margin) {
                    found.points().iter().for_each(|p| {
                        finite(p.depth);
                        finite(p.point.max_abs());
                    });
                    assert!(!found.points().is_empty());
                }
            }
        }
    }
}

#[test]
fn bad_input_is_named() {
    let cube = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap();
    let zero = [0.0; 3];
    let error = d3::manifold_within(&cube, zero, &cube, [f64::NAN, 0.0, 0.0], 0.0).unwrap_err();
    assert_eq!(error.to_string(), "pose_b must be finite, but is NaN");
    let error = d3::manifold_within(&cube, zero, &cube, zero, -1.0).unwrap_err();
    assert_eq!(error.kind(), "negative");
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let error = d3::manifold(&ground, zero, &ground, zero).unwrap_err();
    assert_eq!(error.kind(), "unsupported");
}
