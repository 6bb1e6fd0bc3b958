//! What holds for every motion: exchange, powers of two, rigid displacement, single precision, any bits.

use super::cases::{self, Case, FAMILIES, PLANAR_FAMILIES};
use carom_geometry::{ImpactOptions, ImpactStatus, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::{Rng, any_bits, power_of_two, unit_quaternion, unit_vector};

fn options() -> ImpactOptions<f64> {
    ImpactOptions { tolerance: 1e-7, ..ImpactOptions::default() }
}

#[test]
fn exchanging_the_shapes_negates_the_normal() {
    let mut rng = Rng::new(11);
    for index in 0..700 {
        let case = FAMILIES[index % FAMILIES.len()](&mut rng);
        let other =
            Case { a: case.b.clone(), on_a: case.on_b, b: case.a.clone(), on_b: case.on_a, flat: None };
        let (one, two) = (case.ask(options()).unwrap(), other.ask(options()).unwrap());
        match (one, two) {
            (None, None) => {}
            (Some(one), Some(two)) => {
                assert_eq!((one.t, one.lower, one.tolerance), (two.t, two.lower, two.tolerance), "{case:?}");
                assert_eq!(
                    (one.point, one.normal, one.status),
                    (two.point, -two.normal, two.status),
                    "{case:?}"
                );
            }
            _ => panic!("{one:?} {two:?} {case:?}"),
        }
    }
}

/// Two shapes that are alike and began at the same place are told apart by where they end: one goes round and comes back to the other.
#[test]
fn what_began_alike_is_exchanged_like_anything_else() {
    let later = ImpactOptions { start: 0.25, ..options() };
    let ask = |of: [d2::Shape<f64>; 2], on: [Motion2<f64>; 2]| {
        d2::time_of_impact(&of[0], on[0], &of[1], on[1], later).unwrap().unwrap()
    };
    let rod = d2::Shape::from(d2::Capsule::new([1.0, -0.5], [2.0, 0.25], 0.125).unwrap());
    let square = d2::Shape::from(d2::ConvexPolygon::new([[1.0, 0.0], [2.0, 0.5], [1.5, 1.0]]).unwrap());
    for shape in [rod, square] {
        for turn in [7.0, -7.0] {
            let place = Pose2::new([0.5, -3.0], carom_math::Rot2::from_angle(0.3));
            let [still, round] = [0.0, turn].map(|spin| Motion2::from_velocity(place, [0.0; 2], spin));
            let pair = [shape.clone(), shape.clone()];
            let (one, two) = (ask(pair.clone(), [still, round]), ask(pair, [round, still]));
            assert!(0.5 < one.t && one.t < 1.0, "{one:?}");
            assert_eq!((one.t, one.lower, one.point), (two.t, two.lower, two.point));
            assert_eq!(one.normal, -two.normal);
        }
    }
    // Two that begin to overlap right away, and are asked about later.
    let mut rng = Rng::new(8);
    for _ in 0..200 {
        let mut number = || rng.uniform(-1.0, 1.0);
        let shape = d2::Cuboid::new([1.0 + number().abs(), number().abs()]).unwrap();
        let place = Pose2::new([number(), number()], carom_math::Rot2::from_angle(number()));
        let later = ImpactOptions { start: 0.2 + 0.1 * number(), ..options() };
        let speeds = [8.0 * number(), 8.0 * number()];
        let [one, two] = [0.0, 9.0 * number()].map(|spin| {
            let speed = speeds[usize::from(spin != 0.0)];
            Motion2::from_velocity(place, [speed, 0.5 * speed], spin)
        });
        let ask = |on: [Motion2<f64>; 2]| d2::time_of_impact(&shape, on[0], &shape, on[1], later).unwrap();
        let (here, there) = (ask([one, two]), ask([two, one]));
        assert_eq!(
            here.map(|hit| (hit.t, hit.point, -hit.normal)),
            there.map(|hit| (hit.t, hit.point, hit.normal))
        );
    }
    let tile = d3::Cuboid::new([0.5, 0.25, 1.0]).unwrap();
    let tile = d3::Compound::new([(d3::Shape::from(tile), Pose3::at([2.0, 0.0, 0.0]))]).unwrap();
    let [still, round] =
        [0.0, 7.0].map(|spin| Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0, spin, 0.5 * spin]));
    let ask = |on: [Motion3<f64>; 2]| d3::time_of_impact(&tile, on[0], &tile, on[1], later).unwrap().unwrap();
    let (one, two) = (ask([still, round]), ask([round, still]));
    assert_eq!((one.t, one.lower, one.point, one.normal), (two.t, two.lower, two.point, -two.normal));
}

/// A start that is nothing beside the rest of the interval is told as it was asked about.
#[test]
fn what_touches_at_a_tiny_start_is_hit_there() {
    let unit = d2::Ball::new(1.0).unwrap();
    let still = |x: f64| Motion2::from_velocity(Pose2::new([x, 0.0], Default::default()), [0.0; 2], 0.0);
    for (start, end) in [(-1e-300, 1e94), (-1e-320, 1e200), (1e-300, 1e94), (-0.25, 1e300), (0.0, 1.0)] {
        let options = ImpactOptions { start, end, ..options() };
        let hit = d2::time_of_impact(&unit, still(0.0), &unit, still(1.5), options).unwrap().unwrap();
        assert_eq!((hit.t, hit.lower, hit.status), (start, start, ImpactStatus::AtStart));
    }
}

/// A box and a capsule, all lengths multiplied.
fn scaled(rng: &mut Rng, factor: f64) -> Option<carom_geometry::Impact<Vec3<f64>>> {
    let mut vector = |size: f64| unit_vector::<3>(rng).map(|x| x * size);
    let (half, a, b) = (vector(1.0).map(f64::abs), vector(0.7), vector(0.7));
    let (place, target, spin, other_spin) = (vector(4.0), vector(1.0), vector(6.0), vector(2.0));
    let at = |v: [f64; 3]| v.map(|x| x * factor);
    let cuboid = d3::Cuboid::new(at(half)).unwrap();
    let capsule = d3::Capsule::new(at(a), at(b), 0.25 * factor).unwrap();
    let way: [f64; 3] = std::array::from_fn(|k| target[k] - place[k]);
    let [x, y, z, w] = unit_quaternion(rng);
    let pose = Pose3::new(at(place), Quat::new(x, y, z, w).unwrap());
    let moving = Motion3::from_velocity(pose, at(way), spin);
    let turning = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], other_spin);
    d3::time_of_impact(&cuboid, moving, &capsule, turning, options()).unwrap()
}

#[test]
fn powers_of_two_scale_exactly() {
    let mut hits = 0;
    for seed in 0..300 {
        let exponent = [-300, -40, -1, 7, 40, 300][seed as usize % 6];
        let factor = power_of_two(exponent);
        let (base, large) = (scaled(&mut Rng::new(seed), 1.0), scaled(&mut Rng::new(seed), factor));
        assert_eq!(base.is_some(), large.is_some());
        if let (Some(base), Some(large)) = (base, large) {
            hits += 1;
            assert_eq!(
                (base.t, base.lower, base.normal),
                (large.t, large.lower, large.normal),
                "2^{exponent}"
            );
            assert_eq!(base.point * factor, large.point);
        }
    }
    assert!(100 < hits, "{hits}");
}

#[test]
fn displacing_both_changes_times_within_rounding() {
    let mut rng = Rng::new(13);
    for index in 0..300 {
        let case = FAMILIES[index % 2](&mut rng);
        let mut moved = case.clone();
        let far = rng.pick(&[0.0, 1.0, 1024.0, 1e7]);
        for on in [&mut moved.on_a, &mut moved.on_b] {
            on.place[0] += far;
            on.velocity[1] += 5.0; // a common velocity changes nothing
        }
        let (one, two) = (case.ask(options()).unwrap(), moved.ask(options()).unwrap());
        let close = match (one, two) {
            (None, None) => true,
            // The places are rounded to 1e7·ε, at a speed of at least about 1e-2.
            (Some(one), Some(two)) => (one.t - two.t).abs() <= 1e-6,
            (Some(hit), None) | (None, Some(hit)) => {
                // Only for a touch so slight that the rounding of the places decides.
                let later =
                    carom_oracle::rigid::gap_at(&case.a.1, &case.on_a, &case.b.1, &case.on_b, hit.t + 1e-4);
                later.abs() < 1e-3
            }
        };
        assert!(close, "{one:?} {two:?} {case:?}");
    }
}

/// Backwards, the last touch is the first: a pair that does not touch forwards does not touch backwards.
#[test]
fn time_runs_backwards_too() {
    let mut rng = Rng::new(14);
    let mut clear = 0;
    for index in 0..400 {
        let case = FAMILIES[index % FAMILIES.len()](&mut rng);
        let (a, b) = case.motions();
        let back = |motion: Motion3<f64>| {
            Motion3::from_velocity(motion.end(), -motion.velocity(), -motion.angular())
        };
        let forwards = case.ask(options()).unwrap();
        let backwards = d3::time_of_impact(&case.a.0, back(a), &case.b.0, back(b), options()).unwrap();
        clear += usize::from(forwards.is_none());
        match (forwards, backwards) {
            (None, None) => {}
            (Some(first), Some(last)) => assert!(first.lower <= 1.0 - last.lower + 1e-7, "{case:?}"),
            (Some(hit), None) | (None, Some(hit)) => {
                assert!(hit.status == ImpactStatus::Raised, "{forwards:?} {backwards:?} {case:?}");
            }
        }
    }
    assert!(50 < clear, "{clear}");
}

/// In a part of the interval the answer is the same if the touch lies in it.
#[test]
fn parts_of_the_interval_agree() {
    let mut rng = Rng::new(15);
    for index in 0..300 {
        let case = FAMILIES[index % FAMILIES.len()](&mut rng);
        let Some(whole) = case.ask(options()).unwrap() else { continue };
        if whole.status == ImpactStatus::AtStart {
            continue;
        }
        let before = ImpactOptions { end: whole.lower * 0.999, ..options() };
        assert!(case.ask(before).unwrap().is_none(), "{whole:?} {case:?}");
        let around = ImpactOptions { start: whole.lower * 0.5, ..options() };
        let found = case.ask(around).unwrap().unwrap_or_else(|| panic!("{whole:?} {case:?}"));
        assert!((found.t - whole.t).abs() <= 2e-7, "{found:?} {whole:?} {case:?}");
    }
}

#[test]
fn single_precision_is_double_precision_rounded() {
    let mut rng = Rng::new(16);
    let mut hits = 0;
    for _ in 0..300 {
        let mut vector = |size: f64| unit_vector::<3>(&mut rng).map(|x| (x * size) as f32);
        let (half, place, aim, spin) = (vector(1.0).map(f32::abs), vector(4.0), vector(1.0), vector(3.0));
        let way: [f32; 3] = std::array::from_fn(|k| aim[k] - place[k]);
        let options = ImpactOptions { tolerance: 1e-5, ..ImpactOptions::default() };
        let narrow = {
            let moving = Motion3::from_velocity(Pose3::at(place), way, spin);
            let still = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0; 3]);
            let cube = d3::Cuboid::new(half).unwrap();
            d3::time_of_impact(&cube, moving, &cube, still, options).unwrap()
        };
        let wide = {
            let [place, way, spin, half] = [place, way, spin, half].map(|v| v.map(f64::from));
            let moving = Motion3::from_velocity(Pose3::at(place), way, spin);
            let still = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0; 3]);
            let cube = d3::Cuboid::new(half).unwrap();
            let options =
                ImpactOptions { tolerance: f64::from(options.tolerance), ..ImpactOptions::default() };
            d3::time_of_impact(&cube, moving, &cube, still, options).unwrap()
        };
        assert_eq!(narrow.is_some(), wide.is_some());
        if let (Some(narrow), Some(wide)) = (narrow, wide) {
            hits += 1;
            assert_eq!(narrow.t, wide.t as f32);
            assert!(f64::from(narrow.lower) <= wide.lower && narrow.lower <= narrow.t);
            assert!(
                f64::from(narrow.t) - f64::from(narrow.lower) <= f64::from(narrow.tolerance),
                "{narrow:?}"
            );
            assert!(
                wide.lower + wide.tolerance <= f64::from(narrow.lower) + f64::from(narrow.tolerance) + 1e-12
            );
        }
    }
    assert!(30 < hits, "{hits}");
}

#[test]
fn any_bits_have_an_answer_or_an_error() {
    let mut rng = Rng::new(17);
    let blade = d3::Cuboid::new([1.0, 2.0, 0.25]).unwrap();
    let hull = d3::ConvexHull::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 2.0]]).unwrap();
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let disc = d2::Capsule::new([0.0, 1.0], [1.0, 2.0], 0.5).unwrap();
    for index in 0..1500 {
        let mut number = || if index % 2 == 0 { any_bits(&mut rng) } else { rng.uniform(-4.0, 4.0) };
        let mut motion = || {
            let pose = Pose3::new([number(), number(), number()], Quat::IDENTITY);
            Motion3::from_velocity(pose, [number(), number(), number()], [number(), number(), number()])
        };
        let (a, b) = (motion(), motion());
        let few = ImpactOptions { max_steps: 64, ..options() };
        for found in [
            d3::time_of_impact(&blade, a, &blade, b, few),
            d3::time_of_impact(&hull, a, &blade, b, few),
            d3::time_of_impact(&ground, a, &hull, b, few),
        ] {
            if let Ok(Some(hit)) = found {
                assert!(hit.lower <= hit.t && (0.0..=1.0).contains(&hit.lower), "{hit:?}");
            }
        }
        let planar = |m: Motion3<f64>| {
            let (start, way) = (m.start().translation, m.velocity());
            Motion2::from_velocity(Pose2::at([start.x, start.y]), [way.x, way.y], m.angular().x)
        };
        let _ = d2::time_of_impact(&disc, planar(a), &disc, planar(b), few);
        let options = ImpactOptions { tolerance: number(), start: number(), end: number(), max_steps: 16 };
        let _ = d3::time_of_impact(&blade, a, &blade, b, options);
    }
}

#[test]
fn bad_input_is_named() {
    let cube = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap();
    let still = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0; 3]);
    let lost = Motion3::from_velocity(Pose3::IDENTITY, [f64::NAN, 0.0, 0.0], [0.0; 3]);
    let spinning = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [f64::INFINITY, 0.0, 0.0]);
    let kind = |a, b, options| d3::time_of_impact(&cube, a, &cube, b, options).unwrap_err().to_string();
    assert_eq!(kind(lost, still, options()), "motion_a must be finite, but is NaN");
    assert!(kind(still, spinning, options()).starts_with("motion_b must be finite"));
    let negative = ImpactOptions { tolerance: -1.0, ..options() };
    assert_eq!(kind(still, still, negative), "tolerance must not be negative, but is -1");
    let empty = ImpactOptions { start: 1.0, end: 0.5, ..options() };
    assert_eq!(
        kind(still, still, empty),
        "the interval from 1 to 0.5 is empty: it must not end before it begins"
    );
    let ground = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap();
    let error = d3::time_of_impact(&ground, still, &ground, still, options()).unwrap_err();
    assert_eq!(error.kind(), "unsupported");
}

#[test]
fn the_watcher_sees_times_that_only_grow() {
    let mut rng = Rng::new(18);
    for index in 0..200 {
        let case = PLANAR_FAMILIES[index % PLANAR_FAMILIES.len()](&mut rng);
        let [a, b] = case.flat.as_ref().unwrap();
        let (motion_a, motion_b) = case.planar_motions();
        let mut clear = 0.0;
        let mut steps = 0;
        let watch = &mut |step: carom_geometry::ImpactStep| {
            steps += 1;
            assert!(clear <= step.clear_until && step.clear_until <= 1.0);
            clear = step.clear_until;
        };
        let found = d2::watch_time_of_impact(a, motion_a, b, motion_b, options(), watch).unwrap();
        assert!(steps < 400, "{steps} {case:?}");
        match found {
            Some(hit) => assert_eq!(hit.lower, clear),
            None => assert!(clear == 1.0 || steps == 0),
        }
        assert!(found.is_none_or(|hit| (Vector::length(hit.normal) - 1.0).abs() < 1e-12));
    }
    let _ = cases::curved(&mut rng);
}
