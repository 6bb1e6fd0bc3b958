//! The short way of pairs with a ball, which asks for no care: what it cannot tell is told with care.

use carom_geometry::d3::Shape;
use carom_geometry::{Error, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, power_of_two};
use carom_oracle::generate::Rng;

fn shapes_of_space<T: Real>() -> [Shape<T>; 3] {
    let n = T::from_f64;
    [
        d3::Ball::new(n(0.5)).unwrap().into(),
        d3::Cuboid::new([n(0.5), n(1.0), n(0.75)]).unwrap().into(),
        d3::Capsule::new([n(0.0), n(-1.0), n(0.25)], [n(0.0), n(1.0), n(0.25)], n(0.5)).unwrap().into(),
    ]
}

fn shapes_of_the_plane<T: Real>() -> [d2::Shape<T>; 3] {
    let n = T::from_f64;
    [
        d2::Ball::new(n(0.5)).unwrap().into(),
        d2::Cuboid::new([n(0.5), n(1.0)]).unwrap().into(),
        d2::Capsule::new([n(0.25), n(-1.0)], [n(0.25), n(1.0)], n(0.5)).unwrap().into(),
    ]
}

/// Every question about a pair, as errors.
macro_rules! errors {
    ($dimension:ident, $a:expr, $pose_a:expr, $b:expr, $pose_b:expr) => {{
        let (a, pa, b, pb) = ($a, $pose_a, $b, $pose_b);
        [
            $dimension::intersects(a, pa, b, pb).err(),
            $dimension::gap(a, pa, b, pb).err(),
            $dimension::distance(a, pa, b, pb).err(),
            $dimension::contact(a, pa, b, pb).err(),
            $dimension::manifold(a, pa, b, pb).err(),
        ]
    }};
}

/// Of balls nobody needs to know how they are turned; it has to be finite nevertheless.
fn each_number_of_a_pose_has_to_be_finite<T: Real>() {
    let n = T::from_f64;
    let bad = [n(f64::NAN), T::INFINITY, -T::INFINITY];
    for (a, b) in shapes_of_space::<T>().iter().flat_map(|a| shapes_of_space().map(|b| (a.clone(), b))) {
        for (place, value) in (0..7).flat_map(|place| bad.map(|value| (place, value))) {
            let mut numbers = [n(0.5), n(-0.5), n(0.5), n(0.5), n(1.0), n(2.0), n(0.25)];
            numbers[place] = value;
            let [x, y, z, w, right, up, back] = numbers;
            let lost = Pose3::new([right, up, back], Quat::from_parts([x, y, z, w]));
            for error in errors!(d3, &a, lost, &b, Pose3::IDENTITY) {
                assert!(
                    matches!(error, Some(Error::NotFinite { what: "pose_a", .. })),
                    "{a:?} {b:?} {lost:?}"
                );
            }
            for error in errors!(d3, &a, Pose3::IDENTITY, &b, lost) {
                assert!(
                    matches!(error, Some(Error::NotFinite { what: "pose_b", .. })),
                    "{a:?} {b:?} {lost:?}"
                );
            }
        }
    }
    for (a, b) in
        shapes_of_the_plane::<T>().iter().flat_map(|a| shapes_of_the_plane().map(|b| (a.clone(), b)))
    {
        for (place, value) in (0..4).flat_map(|place| bad.map(|value| (place, value))) {
            let mut numbers = [n(0.0), n(1.0), n(1.0), n(2.0)];
            numbers[place] = value;
            let [cos, sin, right, up] = numbers;
            let lost = Pose2::new([right, up], Rot2::from_parts(cos, sin));
            for error in errors!(d2, &a, lost, &b, Pose2::IDENTITY) {
                assert!(
                    matches!(error, Some(Error::NotFinite { what: "pose_a", .. })),
                    "{a:?} {b:?} {lost:?}"
                );
            }
            for error in errors!(d2, &a, Pose2::IDENTITY, &b, lost) {
                assert!(
                    matches!(error, Some(Error::NotFinite { what: "pose_b", .. })),
                    "{a:?} {b:?} {lost:?}"
                );
            }
        }
    }
}

#[test]
fn every_number_of_a_pose_is_looked_at() {
    each_number_of_a_pose_has_to_be_finite::<f32>();
    each_number_of_a_pose_has_to_be_finite::<f64>();
}

/// Quarter turns in `f32`, whose matrix is exact only for who takes care, and places at which shapes just touch.
#[test]
fn touches_under_quarter_turns_count() {
    let step = |x: f32, up: bool| if up { x.next_up() } else { x.next_down() };
    for (size, turn, up) in (1..200).flat_map(|size| [1.0, -1.0].map(|turn| (size, turn, size % 2 == 0))) {
        let quarter = Quat::new(0.0_f32, 0.0, 1.0, turn).unwrap();
        let (long, radius) = (size as f32 * 0.0625, 0.5_f32);
        let ball = d3::Ball::new(radius).unwrap();
        let cuboid = d3::Cuboid::new([0.75_f32, long, 1.0]).unwrap();
        let capsule = d3::Capsule::new([0.0_f32, -long, 0.0], [0.0, long, 0.0], 0.25).unwrap();
        let turned = Pose3::new([3.0_f32, 5.0, 7.0], quarter);
        // The long side lies along x now.
        let shapes: [(Shape<f32>, f32); 2] = [(cuboid.into(), long), (capsule.into(), long + 0.25)];
        for (shape, reach) in shapes {
            let touching = Pose3::at([3.0 + reach + radius, 5.0, 7.0]);
            let beside = Pose3::at([step(3.0 + reach + radius, up), 5.0, 7.0]);
            assert!(d3::intersects(&shape, turned, &ball, touching).unwrap(), "{size}");
            assert_eq!(d3::distance(&shape, turned, &ball, touching).unwrap().distance, 0.0, "{size}");
            assert_eq!(d3::contact(&shape, turned, &ball, touching).unwrap().unwrap().depth, 0.0, "{size}");
            assert_eq!(
                d3::manifold(&shape, turned, &ball, touching).unwrap().unwrap().depth(),
                0.0,
                "{size}"
            );
            assert_eq!(d3::intersects(&shape, turned, &ball, beside).unwrap(), !up, "{size}");
            assert_eq!(d3::contact(&shape, turned, &ball, beside).unwrap().is_some(), !up, "{size}");
            assert_eq!(0.0 < d3::gap(&shape, turned, &ball, beside).unwrap().distance, up, "{size}");
        }
    }
}

/// A quaternion that is not of unit length turns as the one that is; a sine and a cosine that are not are those of an angle.
#[test]
fn rotations_of_any_length_turn() {
    let mut rng = Rng::new(5);
    for _ in 0..200 {
        let mut number = || rng.uniform(-1.0, 1.0) as f32;
        let (numbers, at) = ([number(), number(), number(), number()], [number(), number(), number()]);
        let unit = Quat::new(numbers[0], numbers[1], numbers[2], numbers[3]).unwrap();
        let long = Quat::from_parts(unit.to_array().map(|x| x * 4.0));
        for (a, b) in shapes_of_space::<f32>().iter().flat_map(|a| shapes_of_space().map(|b| (a.clone(), b)))
        {
            let ask = |q: Quat<f32>| {
                let (pa, pb) = (Pose3::new([0.0; 3], q), Pose3::new(at.map(|x| 2.0 * x), q.inverse()));
                let distance = d3::distance(&a, pa, &b, pb).unwrap();
                let depth = d3::contact(&a, pa, &b, pb).unwrap().map(|found| found.depth);
                let deepest = d3::manifold(&a, pa, &b, pb).unwrap().map(|found| found.depth());
                assert_eq!(d3::intersects(&a, pa, &b, pb).unwrap(), depth.is_some());
                assert_eq!(depth.is_some(), deepest.is_some());
                assert_eq!(d3::gap(&a, pa, &b, pb).unwrap().distance, distance.distance);
                [distance.distance, depth.unwrap_or(-1.0), deepest.unwrap_or(-1.0)]
            };
            let (plain, stretched) = (ask(unit), ask(long));
            for (x, y) in plain.into_iter().zip(stretched) {
                assert!((x - y).abs() <= 4.0 * f32::EPSILON, "{a:?} {b:?} {plain:?} {stretched:?}");
            }
        }
        let unit = Rot2::from_angle(3.0 * numbers[0]);
        let long = Rot2::from_parts(unit.cos() * 4.0, unit.sin() * 4.0);
        for (a, b) in
            shapes_of_the_plane::<f32>().iter().flat_map(|a| shapes_of_the_plane().map(|b| (a.clone(), b)))
        {
            let ask = |q: Rot2<f32>| {
                let (pa, pb) = (Pose2::new([0.0; 2], q), Pose2::new([2.0 * at[0], 2.0 * at[1]], q.inverse()));
                let depth = d2::contact(&a, pa, &b, pb).unwrap().map(|found| found.depth);
                [d2::distance(&a, pa, &b, pb).unwrap().distance, depth.unwrap_or(-1.0)]
            };
            let (plain, stretched) = (ask(unit), ask(long));
            for (x, y) in plain.into_iter().zip(stretched) {
                assert!((x - y).abs() <= 4.0 * f32::EPSILON, "{a:?} {b:?} {plain:?} {stretched:?}");
            }
        }
    }
}

/// P3 in `f32`, up to where answers leave the range of numbers: they are found by the same way there.
#[test]
fn answers_scale_to_the_bit_up_to_the_largest_numbers() {
    let mut rng = Rng::new(6);
    for round in 0..600 {
        let mut number = || rng.uniform(-1.0, 1.0) as f32;
        let factor = power_of_two(if round % 2 == 0 { 124 } else { -60 }) as f32;
        let q = Quat::new(number(), number(), number(), number()).unwrap();
        let (at, to) = ([number(), number(), number()], [number(), number(), number()].map(|x| 2.0 * x));
        let (radius, half) = (number().abs(), [number().abs(), number().abs(), number().abs()]);
        let ends = [[number(), number(), number()], [number(), number(), number()]];
        let ask = |factor: f32| {
            let scaled = |v: [f32; 3]| v.map(|x| x * factor);
            let ball = d3::Ball::new(radius * factor).unwrap();
            let cuboid = d3::Cuboid::new(scaled(half)).unwrap();
            let capsule = d3::Capsule::new(scaled(ends[0]), scaled(ends[1]), radius * factor).unwrap();
            let (pa, pb) = (Pose3::new(scaled(at), q), Pose3::at(scaled(to)));
            let others: [Shape<f32>; 3] = [ball.into(), cuboid.into(), capsule.into()];
            others.map(|other| {
                let found = d3::distance(&other, pa, &ball, pb).unwrap();
                let contact = d3::contact_within(&ball, pb, &other, pa, 8.0 * factor).unwrap().unwrap();
                let lengths =
                    [found.distance, contact.depth, found.point_a.x, found.point_b.y, contact.point_a.z];
                (lengths.map(|x| x / factor), [found.normal.x, contact.normal.y])
            })
        };
        assert_eq!(ask(1.0), ask(factor), "2^{factor}");
    }
}

/// Found by random bytes: beside a capsule with an end at infinity, so to speak, the place of a ball is lost in rounding errors of the way from there; `gap` and `distance`
/// took different ways then.
#[test]
fn gaps_beside_endless_capsules_are_their_distances() {
    let mut rng = Rng::new(9);
    for round in 0..4000 {
        let mut number = |size: f64| (size * rng.uniform(-1.0, 1.0)) as f32;
        let far = power_of_two(10 + round % 60);
        let capsule = d3::Capsule::new(
            [number(far), number(8.0), number(far)],
            [number(900.0), number(900.0), number(900.0)],
            number(9.0).abs(),
        )
        .unwrap();
        let (ball, at) =
            (d3::Ball::new(number(4.0).abs()).unwrap(), Pose3::at([number(9.0), number(9.0), 0.0]));
        let (gap, found) = (
            d3::gap(&capsule, Pose3::IDENTITY, &ball, at).unwrap(),
            d3::distance(&capsule, Pose3::IDENTITY, &ball, at).unwrap(),
        );
        assert_eq!(gap.distance, found.distance, "{capsule:?} {ball:?} {at:?}");
        assert_eq!(d3::intersects(&capsule, Pose3::IDENTITY, &ball, at).unwrap(), gap.distance == 0.0);
    }
}
