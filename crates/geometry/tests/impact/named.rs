//! Motions that have a name: closed forms, failures of others, exact grazing.

use carom_geometry::{Error, Impact, ImpactOptions, ImpactStatus, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};
use std::f64::consts::PI;

fn still2() -> Motion2<f64> {
    Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], 0.0)
}

fn still3() -> Motion3<f64> {
    Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0; 3])
}

fn fine() -> ImpactOptions<f64> {
    ImpactOptions { tolerance: 1e-12, ..ImpactOptions::default() }
}

/// Without rotation the times are those of the straight casts, to the bit on a lattice.
#[test]
fn straight_motion_on_a_lattice_is_exact() {
    let cube = d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap();
    let moving = Motion3::between(Pose3::at([-4.0, 0.5, 0.0]), Pose3::at([4.0, 0.5, 0.0]));
    let hit = d3::time_of_impact(&cube, moving, &cube, still3(), fine()).unwrap().unwrap();
    assert_eq!((hit.t, hit.normal), (0.25, Vec3::new(1.0, 0.0, 0.0)));
    assert!(hit.lower <= 0.25 && 0.25 - 1e-12 < hit.lower);
    // Touching exactly at the end counts; ending an ulp earlier does not have to.
    let to = |x: f64| Motion3::between(Pose3::at([-4.0, 0.0, 0.0]), Pose3::at([x, 0.0, 0.0]));
    let hit = d3::time_of_impact(&cube, to(-2.0), &cube, still3(), fine()).unwrap().unwrap();
    assert_eq!((hit.t, hit.status), (1.0, ImpactStatus::Bracketed));
    assert!(d3::time_of_impact(&cube, to(-2.0 - 1e-9), &cube, still3(), fine()).unwrap().is_none());
    // Touching at the start, whichever way they move.
    let away = Motion3::between(Pose3::at([-2.0, 0.0, 0.0]), Pose3::at([-9.0, 0.0, 0.0]));
    let hit = d3::time_of_impact(&cube, away, &cube, still3(), fine()).unwrap().unwrap();
    assert_eq!((hit.t, hit.lower, hit.status), (0.0, 0.0, ImpactStatus::AtStart));
    // An ulp apart and moving away: no touch.
    let nearly = Motion3::between(Pose3::at([-2.0 - 1e-15, 0.0, 0.0]), Pose3::at([-9.0, 0.0, 0.0]));
    assert_eq!(d3::time_of_impact(&cube, nearly, &cube, still3(), fine()).unwrap(), None);
    // At rest next to each other.
    let beside = Motion3::from_velocity(Pose3::at([2.5, 0.0, 0.0]), [0.0; 3], [0.0; 3]);
    assert_eq!(d3::time_of_impact(&cube, still3(), &cube, beside, fine()).unwrap(), None);
}

/// A rod of length 1 about its end, and a wall at the distance cos α: it touches at the angle π/2 − α.
#[test]
fn a_turning_rod_touches_when_its_tip_does() {
    for alpha in [0.1, 0.5, 1.0, 1.5_f64] {
        let rod = d2::Segment::new([0.0, 0.0], [0.0, 1.0]).unwrap();
        let wall = d2::HalfSpace::new([-1.0, 0.0], -alpha.cos()).unwrap();
        // Clockwise from straight up.
        let turn = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], -PI);
        let hit = d2::time_of_impact(&rod, turn, &wall, still2(), fine()).unwrap().unwrap();
        let expected = (PI / 2.0 - alpha) / PI;
        assert!((hit.t - expected).abs() < 1e-11, "{} {expected}", hit.t);
        assert!((hit.normal.x - 1.0).abs() < 1e-12);
        let tip = Vec2::new(alpha.cos(), alpha.sin());
        assert!((hit.point - tip).length() < 1e-10, "{:?} {tip:?}", hit.point);
        // Seen from the rod, the half-space turns.
        let back = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], PI);
        let hit = d2::time_of_impact(&rod, still2(), &wall, back, fine()).unwrap().unwrap();
        assert!((hit.t - expected).abs() < 1e-11, "{} {expected}", hit.t);
    }
}

/// Two blades at right angles that turn alike, nine and a half times, at a distance of 2. Their lines cross on the
/// circle over the distance (Thales), 2·cos θ from one centre and 2·sin θ from the other.
#[test]
fn many_turns_next_to_each_other() {
    let blade = |length: f64| d2::Cuboid::new([length, 0.0]).unwrap();
    let rate = 2.0 * PI * 9.5;
    let upright = Pose2::new([2.0, 0.0], Rot2::from_cos_sin(0.0, 1.0).unwrap());
    let ask = |length: f64| {
        let one = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], rate);
        let other = Motion2::from_velocity(upright, [0.0, 0.0], rate);
        d2::time_of_impact(&blade(length), one, &blade(length), other, fine()).unwrap()
    };
    assert_eq!(ask(0.9), None);
    assert_eq!(ask(1.4), None); // √2 would reach
    let hit = ask(1.5).expect("they reach each other");
    assert!((hit.t - 0.75_f64.acos() / rate).abs() < 1e-11, "{hit:?}");
}

/// The first touch of many: a rod that turns five times while it approaches a wall slowly.
#[test]
fn the_first_of_many_touches_is_found() {
    let rod = d3::Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.001).unwrap();
    let wall = d3::Cuboid::new([0.00005, 5.0, 5.0]).unwrap();
    let motion = Motion3::from_velocity(Pose3::at([-2.0, 0.0, 0.0]), [1.5, 0.0, 0.0], [0.0, 0.0, 10.0 * PI]);
    let hit = d3::time_of_impact(&rod, motion, &wall, still3(), fine()).unwrap().unwrap();
    // The gap is 2 − 1.5t − 0.001 − 0.00005 − |cos 10πt|; walk to its first root in small steps.
    let gap = |t: f64| 2.0 - 1.5 * t - 0.00105 - (10.0 * PI * t).cos().abs();
    let mut t = 0.0;
    while gap(t) > 0.0 {
        t += 1e-7;
    }
    assert!((hit.t - t).abs() < 2e-7, "{} {t}", hit.t);
}

/// parry #317: a nonlinear cast misses an obvious hit of two cuboids. A box turning about a distant point falls
/// on another.
#[test]
fn parry_317_an_obvious_hit_of_cuboids() {
    let cube = d3::Cuboid::new([0.5, 0.5, 0.5]).unwrap();
    for speed in [1.0, 10.0, 100.0, 1000.0] {
        for spin in [0.0, 0.5, 5.0, 50.0] {
            let motion =
                Motion3::from_velocity(Pose3::at([0.0, 5.0, 0.0]), [0.0, -speed, 0.0], [0.0, spin, 0.0]);
            let options = ImpactOptions { end: 10.0, ..fine() };
            let hit = d3::time_of_impact(&cube, motion, &cube, still3(), options).unwrap();
            let hit = hit.expect("it falls on it");
            assert!((hit.t - 4.0 / speed).abs() < 1e-11, "{hit:?} {speed} {spin}");
        }
    }
}

/// Box2D #552: at its time of impact shapes overlap by about a slop. Here they touch.
#[test]
fn box2d_552_no_overlap_at_the_time_of_impact() {
    let (square, ground) = (d2::Cuboid::new([0.5, 0.5]).unwrap(), d2::Cuboid::new([10.0, 1.0]).unwrap());
    let fall = Motion2::from_velocity(Pose2::at([0.3, 4.0]), [1.0, -5.0], 1.0);
    let hit = d2::time_of_impact(&square, fall, &ground, still2(), fine()).unwrap().unwrap();
    let at = d2::distance(&square, fall.at(hit.lower), &ground, [0.0, 0.0]).unwrap();
    assert!(0.0 < at.distance && at.distance < 1e-10, "{at:?}");
    let touch = d2::contact_within(&square, fall.at(hit.t), &ground, [0.0, 0.0], 1e-10).unwrap().unwrap();
    assert!(touch.depth.abs() < 1e-12, "{touch:?}");
}

/// Box2D #115: a false hit and an endless loop. A sweep of a box beside a tilted slab, far from the origin of
/// angles.
#[test]
fn box2d_115_ends() {
    let (slab, square) = (d2::Cuboid::new([25.0, 5.0]).unwrap(), d2::Cuboid::new([2.5, 2.5]).unwrap());
    let turned = |x: f64, y: f64, a: f64| Pose2::new([x, y], Rot2::from_angle(a));
    let pose = turned(24.0, -60.0, 2.95);
    let still = Motion2::between(pose, pose);
    let angle = -162.0 * PI;
    let sweep = Motion2::between(
        turned(53.474274, -50.252514, 513.36676 + angle),
        turned(54.595478, -51.083473, 513.62781 + angle),
    );
    let mut steps = 0;
    let found = d2::watch_time_of_impact(&slab, still, &square, sweep, fine(), &mut |_| steps += 1).unwrap();
    assert!(steps < 50, "{steps}");
    for k in 0..=1000 {
        let t = f64::from(k) / 1000.0;
        let touches = d2::intersects(&slab, still.at(t), &square, sweep.at(t)).unwrap();
        assert!(!touches || found.is_some_and(|hit| hit.lower <= t), "{t} {found:?}");
    }
    if let Some(hit) = found {
        let gap = d2::distance(&slab, still.at(hit.t), &square, sweep.at(hit.t)).unwrap();
        assert!(gap.distance < 1e-9, "a false hit: {hit:?} {gap:?}");
    }
}

/// A capsule that turns about a corner of a triangle at a constant distance: touching throughout, or never.
#[test]
fn capsule_turning_about_the_corner_of_a_triangle() {
    let triangle = d3::Triangle::new([0.0, 0.0, 0.0], [-2.0, 0.0, 1.0], [-2.0, 0.0, -1.0]).unwrap();
    let turn = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0, 0.0, 1.5]);
    for (gap, expected) in [(0.0, Some(0.0)), (1e-3, None), (1e-9, None)] {
        let capsule = d3::Capsule::new([0.5 + gap, -1.0, 0.0], [0.5 + gap, 1.0, 0.0], 0.5).unwrap();
        let mut steps = 0;
        let found =
            d3::watch_time_of_impact(&capsule, turn, &triangle, still3(), fine(), &mut |_| steps += 1)
                .unwrap();
        assert!(steps < 2000, "{steps} {gap}");
        assert_eq!(found.map(|hit| hit.t), expected, "{gap} {found:?}");
    }
}

/// Balls that graze: touching exactly in passing, and missing by little.
#[test]
fn grazing_balls() {
    let ball = d3::Ball::new(1.0).unwrap();
    let past = |y: f64| Motion3::between(Pose3::at([-4.0, y, 0.0]), Pose3::at([4.0, y, 0.0]));
    let ask = |y: f64| d3::time_of_impact(&ball, past(y), &ball, still3(), fine()).unwrap();
    let hit: Impact<_> = ask(2.0).expect("touching counts");
    // The gap is the square of the time: where it vanishes is certain to about 1e-8 only, and the answer says so.
    assert!(hit.lower <= 0.5 && 0.5 <= hit.lower + hit.tolerance && hit.tolerance < 1e-6, "{hit:?}");
    assert!((hit.t - 0.5).abs() <= hit.tolerance);
    assert_eq!(ask(2.0 + 1e-12), None);
    let hit = ask(2.0 - 1e-9).expect("they overlap by a little");
    let expected = 0.5 - (4.0 - (2.0 - 1e-9_f64).powi(2)).sqrt() / 8.0;
    assert!((hit.t - expected).abs() <= hit.tolerance, "{hit:?} {expected}");
}

/// A box that rolls over its edge grazes the ceiling with its corner.
#[test]
fn a_corner_grazes_the_ceiling() {
    let square = d2::Cuboid::new([3.0, 4.0]).unwrap(); // corners at a distance of 5
    let turn = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], PI);
    let ceiling = |height: f64| d2::HalfSpace::new([0.0, -1.0], -height).unwrap();
    let ask = |height: f64| d2::time_of_impact(&square, turn, &ceiling(height), still2(), fine()).unwrap();
    assert_eq!(ask(5.0 + 1e-12), None);
    let hit = ask(5.0).expect("touching counts");
    let angle = (3.0_f64 / 4.0).atan();
    let expected = angle / PI;
    assert!((hit.t - expected).abs() <= hit.tolerance && hit.lower <= expected, "{hit:?} {expected}");
    assert!(hit.tolerance < 1e-6, "{hit:?}");
}

/// A body pinned to a distant point: it turns about the far end of a long arm.
#[test]
fn long_arms() {
    // A ball of radius 1/2 at the end of an arm of 100, a target on its circle 1 radian ahead.
    let ball = d3::Capsule::new([100.0, 0.0, 0.0], [100.0, 0.0, 0.0], 0.5).unwrap();
    let target = d3::Ball::new(0.5).unwrap();
    let place = Pose3::at([100.0 * 1.0_f64.cos(), 100.0 * 1.0_f64.sin(), 0.0]);
    let turn = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0, 0.0, 3.0]);
    let there = Motion3::from_velocity(place, [0.0; 3], [0.0; 3]);
    let hit = d3::time_of_impact(&ball, turn, &target, there, fine()).unwrap().unwrap();
    // The centres are 1 apart: a chord of the circle.
    let expected = (1.0 - 2.0 * (0.005_f64).asin()) / 3.0;
    assert!((hit.t - expected).abs() < 1e-11, "{} {expected}", hit.t);
}

/// The rotation of a ball changes nothing, whatever it is.
#[test]
fn balls_may_spin_as_they_like() {
    let (ball, cube) = (d3::Ball::new(0.5).unwrap(), d3::Cuboid::new([1.0, 1.0, 1.0]).unwrap());
    for spin in [0.0, 1.0, 1e6] {
        let motion = Motion3::from_velocity(
            Pose3::new([-9.5, 0.0, 0.0], Quat::from_rotation_vector([1.0, 2.0, 3.0])),
            [16.0, 0.0, 0.0],
            [spin, 0.5 * spin, 0.0],
        );
        let hit = d3::time_of_impact(&ball, motion, &cube, still3(), fine()).unwrap().unwrap();
        assert_eq!((hit.t, hit.normal.x), (0.5, 1.0));
    }
}

/// At the limit of the work there is a bound that holds, and the status says so.
#[test]
fn the_work_is_limited_on_demand() {
    let rod = d3::Cuboid::new([1.0, 0.001, 0.001]).unwrap();
    let motion = Motion3::from_velocity(Pose3::at([-1.5, 0.0, 0.0]), [1.0, 0.0, 0.0], [1.0, 20.0, 3.0]);
    let wall = d3::Cuboid::new([0.0001, 5.0, 5.0]).unwrap();
    let full = d3::time_of_impact(&rod, motion, &wall, still3(), fine()).unwrap().unwrap();
    for max_steps in 0..4 {
        let options = ImpactOptions { max_steps, ..fine() };
        let part = d3::time_of_impact(&rod, motion, &wall, still3(), options).unwrap().unwrap();
        assert_eq!((part.status, part.t), (ImpactStatus::Limit, part.lower));
        assert!(part.lower <= full.t, "{part:?} {full:?}");
        assert!(full.t <= part.lower + part.tolerance);
    }
}

/// Two edges that cross while both of them tilt: the steps get shorter by more than a constant factor. With a
/// direction that stands still, or turns with one of the shapes, two dozen would be needed.
#[test]
fn crossing_edges_are_followed_in_few_steps() {
    let half = [2.0, 0.5, 0.5];
    let corners = (0..8).map(|n| Vec3::from_fn(|k| if n >> k & 1 == 1 { -half[k] } else { half[k] }));
    let shapes: [d3::Shape<f64>; 2] =
        [d3::Cuboid::new(half).unwrap().into(), d3::ConvexHull::new(corners).unwrap().into()];
    let about = |axis: [f64; 3], angle: f64| Quat::from_axis_angle(axis, angle).unwrap();
    let edge_up = about([1.0, 0.0, 0.0], 0.25 * PI);
    let across = about([0.0, 0.0, 1.0], 0.5 * PI) * edge_up;
    let still = Motion3::from_velocity(Pose3::new([0.0; 3], edge_up), [0.0; 3], [0.1, 0.3, 0.2]);
    let falls =
        Motion3::from_velocity(Pose3::new([0.1, 0.2, 3.0], across), [0.0, 0.0, -3.0], [-0.3, 0.2, 0.1]);
    let options = ImpactOptions { tolerance: 1e-12, max_steps: 8, ..Default::default() };
    for a in &shapes {
        for b in &shapes {
            let hit = d3::time_of_impact(a, still, b, falls, options).unwrap().unwrap();
            assert_eq!(hit.status, ImpactStatus::Bracketed, "{hit:?}");
        }
    }
}

/// What turns so fast that no time that can be told is clear of it, but is far away, was said to touch there.
#[test]
fn what_turns_too_fast_to_follow_is_no_touch() {
    let (rod, ball) = (d3::Cuboid::new([2.0, 0.01, 0.01]).unwrap(), d3::Ball::new(0.1).unwrap());
    let flies = Motion3::from_velocity(Pose3::at([8.0, 0.0, 1.0]), [-8.0, 0.0, 0.0], [0.0; 3]);
    for rate in [1e17, 1e100, 1e160] {
        let spins = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0, 0.0, rate]);
        let found = d3::time_of_impact(&rod, spins, &ball, flies, fine()).unwrap();
        assert!(found.is_none_or(|hit| hit.status == ImpactStatus::Limit), "{rate}: {found:?}");
    }
}

/// Found by fuzzing: lengths were brought to the scale of the velocity, at which a small gap was zero, and what had no time to move
/// was said to touch.
#[test]
fn what_is_fast_does_not_touch_before_it_has_moved() {
    let at_once = ImpactOptions { start: 0.0, end: 0.0, ..ImpactOptions::default() };
    let point = d3::Ball::new(0.0).unwrap();
    let speck = d3::Rounded::new(d3::Ellipsoid::new([0.0; 3]).unwrap(), 0.0).unwrap();
    let near = 2.860_444_667_617_094e-247;
    let fast = [1e200, -near, -3.348_464_397_457_085_4e299];
    let one = Motion3::from_velocity(Pose3::IDENTITY, fast, [1.5e-5, 0.0, 0.0]);
    let other = Motion3::from_velocity(Pose3::at([0.0, -near, -near]), [0.0; 3], [0.0; 3]);
    assert_eq!(d3::time_of_impact(&point, one, &point, other, at_once), Ok(None));
    let widest = f64::from(f32::MAX);
    let one = Motion3::from_velocity(Pose3::IDENTITY, [widest, 1e200, widest], [0.0; 3]);
    let other = Motion3::from_velocity(Pose3::at([0.0, 0.0, f64::MIN_POSITIVE]), [0.0; 3], [0.0; 3]);
    assert_eq!(d3::time_of_impact(&speck, one, &point, other, at_once), Ok(None));

    let dot = d2::Ball::new(0.0).unwrap();
    let pin = d2::Rounded::new(d2::Segment::new([0.0; 2], [0.0; 2]).unwrap(), 0.0).unwrap();
    let one = Motion2::from_velocity(Pose2::IDENTITY, [-1.0, 1e200], -1.0);
    let other =
        Motion2::from_velocity(Pose2::at([0.0, -f64::MIN_POSITIVE]), [0.0, -1_962.953_878], 2_147_483_648.0);
    assert_eq!(d2::time_of_impact(&pin, one, &dot, other, at_once), Ok(None));
    let mote = d2::Rounded::new(d2::Ellipsoid::new([0.0; 2]).unwrap(), 0.0).unwrap();
    let place = Pose2::at([0.0, -9.025_971_879_324_148e-277]);
    let one = Motion2::from_velocity(place, [-2.894_802_230_932_905e76, 1.0], 0.0);
    let other = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.5], 3.783_505_853_677_006e-44);
    assert_eq!(d2::time_of_impact(&mote, one, &dot, other, at_once), Ok(None));
}

/// A motion that is as fast as it is short, or as slow as it is long, is the same motion by another clock.
#[test]
fn clocks_of_any_pace_tell_the_same_time() {
    let (blade, ball) = (d3::Cuboid::new([2.0, 0.125, 0.5]).unwrap(), d3::Ball::new(0.25).unwrap());
    let ask = |exponent: i32, way: [f64; 3]| {
        let (pace, back) = (2.0_f64.powi(exponent), 2.0_f64.powi(-exponent));
        let options =
            ImpactOptions { tolerance: 2.0_f64.powi(-30) * pace, end: pace, ..ImpactOptions::default() };
        let spins = Motion3::from_velocity(Pose3::IDENTITY, [0.0; 3], [0.0, 0.5 * back, 3.0 * back]);
        let flies = Motion3::from_velocity(Pose3::at([0.5, 3.0, 0.25]), way.map(|x| x * back), [0.0; 3]);
        let found = d3::time_of_impact(&blade, spins, &ball, flies, options).unwrap();
        found.map(|hit| (hit.t * back, hit.lower * back, hit.point, hit.normal, hit.status))
    };
    for way in [[0.0, -2.0, 0.0], [0.0, 2.0, 0.0]] {
        let plain = ask(0, way);
        assert_eq!(plain.is_some(), way[1] < 0.0);
        for exponent in [40, 150, 700, 1000, -40, -150, -700, -1000] {
            assert_eq!(ask(exponent, way), plain, "{exponent}");
        }
    }
}

/// Where the way is so long that the places of the shapes are lost beside it, nothing is known.
#[test]
fn a_way_beyond_all_places_is_refused() {
    let point = d3::Ball::new(0.0).unwrap();
    let options = ImpactOptions::default();
    let away = Motion3::from_velocity(Pose3::at([1e-240, 0.0, 0.0]), [1e200, 0.0, 0.0], [0.0; 3]);
    let refused = Err(Error::Overflow { what: "the way of the shapes", number: "f64" });
    for options in [options, ImpactOptions { end: 1e300, ..options }] {
        assert_eq!(d3::time_of_impact(&point, still3(), &point, away, options), refused);
    }
    // A shorter way by as much is known to be clear.
    let away = Motion3::from_velocity(Pose3::at([1e-40, 0.0, 0.0]), [1e100, 0.0, 0.0], [0.0; 3]);
    assert_eq!(d3::time_of_impact(&point, still3(), &point, away, options), Ok(None));
}

/// The time is the end of the bracket, and in `f32` it is rounded upwards: beyond the end that would be rounded from the bracket alone.
#[test]
fn the_tolerance_holds_the_time_as_it_was_rounded() {
    let ground = d2::HalfSpace::<f32>::new([2.0, 1.0], 0.0).unwrap();
    let rod = d2::Segment::new([-0.5, -1.0], [-0.5, 2.0]).unwrap();
    let rising = Motion2::from_velocity(Pose2::at([-4.9375, -2.0]), [0.0, 3.3125], 1.0);
    let turning = Motion2::from_velocity(Pose2::at([-1.0, -0.5]), [0.5, 0.0], 0.5);
    let hit = d2::time_of_impact(&ground, rising, &rod, turning, ImpactOptions::default()).unwrap().unwrap();
    assert!(f64::from(hit.t) - f64::from(hit.lower) <= f64::from(hit.tolerance), "{hit:?}");
}

/// A disc that turns by less than anything was told to stay out of the way of a square until long after they touch.
#[test]
fn what_hardly_turns_is_as_large_as_what_does_not() {
    let (disc, square) = (d2::Ellipsoid::new([2.0, 2.0]).unwrap(), d2::Cuboid::new([2.0, 2.0]).unwrap());
    let half_turn = Rot2::from_cos_sin(1.0, -1.0).unwrap();
    let coming = Motion2::from_velocity(Pose2::new(Vec2::new(-2.0, 2.0), half_turn), [2.0, 0.0], -2.0);
    let impact = |rate: f64| {
        let turning = Motion2::from_velocity(Pose2::at([2.0, 0.0]), [0.0, 0.0], rate);
        d2::time_of_impact(&disc, turning, &square, coming, ImpactOptions::default()).unwrap().unwrap()
    };
    let (ball, cube) = (d3::Ellipsoid::new([2.0; 3]).unwrap(), d3::Cuboid::new([2.0; 3]).unwrap());
    let eighth = Quat::new(0.0, 0.0, -(PI / 8.0).sin(), (PI / 8.0).cos()).unwrap();
    let falling = Motion3::from_velocity(
        Pose3::new(Vec3::new(-2.0, 2.0, 0.0), eighth),
        [2.0, 0.0, 0.0],
        [0.0, 0.0, -2.0],
    );
    let in_space = |rate: f64| {
        let turning = Motion3::from_velocity(Pose3::at([2.0, 0.0, 0.0]), [0.0; 3], [0.0, rate * 0.5, rate]);
        d3::time_of_impact(&ball, turning, &cube, falling, ImpactOptions::default()).unwrap().unwrap()
    };
    let (still, still_in_space) = (impact(0.0), in_space(0.0));
    for rate in [1e-323, 5e-324, 1e-310, 1e-160, 1e-20] {
        let (found, found_in_space) = (impact(rate), in_space(rate));
        assert!((found.t - still.t).abs() <= 1e-6, "{rate:e} {found:?} {still:?}");
        let late = (found_in_space.t - still_in_space.t).abs();
        assert!(late <= 1e-6, "{rate:e} {found_in_space:?} {still_in_space:?}");
    }
}

/// What is all but flush with a flat side, rounded: the way between the cores, a thousandth of a degree off, is hardly longer than
/// the shortest one, but by more than what is left between the surfaces. That was told as a touch.
#[test]
fn what_is_all_but_flush_is_followed_to_the_end() {
    let (half, top, radius) = (0.65, 0.8, 0.1);
    let corners = [-1.0, 1.0].map(|x| [-1.0, 1.0].map(|z| [-top, top].map(|y| Vec3::new(x * half, y, z))));
    let block = d3::ConvexHull::new(corners.into_iter().flatten().flatten()).unwrap();
    let targets: [(d3::Shape<f64>, f64); 3] = [
        (d3::Rounded::new(d3::Cuboid::new([half, top, 1.0]).unwrap(), radius).unwrap().into(), top),
        (d3::Rounded::new(block, radius).unwrap().into(), top),
        (d3::Capsule::new([-half, 0.0, 0.0], [half, 0.0, 0.0], radius).unwrap().into(), 0.0),
    ];
    let planar: [(d2::Shape<f64>, f64); 2] = [
        (d2::Rounded::new(d2::Cuboid::new([half, top]).unwrap(), radius).unwrap().into(), top),
        (d2::Capsule::new([-half, 0.0], [half, 0.0], radius).unwrap().into(), 0.0),
    ];
    let options = ImpactOptions { tolerance: 1e-10, ..ImpactOptions::default() };
    let speed = 4.0;
    for exponent in 4..32 {
        let slope = 0.5_f64.powi(exponent);
        // Falls from 2 above the end of the side, down to which it leads and beyond it.
        let line = |x: f64| 2.0 - (x - half) * slope;
        let truth = |top: f64| (2.0 - top - radius * slope.hypot(1.0)) / speed;
        let check = |found: Option<f64>, top: f64| {
            let t = found.expect("it is in the way");
            assert!((t - truth(top)).abs() <= 2e-10, "{slope:e} {t} {}", truth(top));
        };
        let ends = [-0.3, 1.5].map(|x| Vec3::new(x, line(x), 0.0));
        let ridge =
            d3::ConvexHull::new([ends[0], ends[1], Vec3::new(0.3, 4.0, -0.5), Vec3::new(0.3, 4.0, 0.5)])
                .unwrap();
        let fallers = [d3::Shape::from(ridge), d3::Segment::new(ends[0], ends[1]).unwrap().into()];
        let fall = Motion3::from_velocity(Pose3::IDENTITY, [0.0, -speed, 0.0], [0.0; 3]);
        for (target, top) in &targets {
            for faller in &fallers {
                let hit = d3::time_of_impact(target, still3(), faller, fall, options).unwrap();
                check(hit.map(|hit| hit.t), *top);
            }
        }
        let fall = Motion2::from_velocity(Pose2::IDENTITY, [0.0, -speed], 0.0);
        let [a, b] = ends.map(|end| Vec2::new(end.x, end.y));
        let ridge = d2::ConvexPolygon::new([a, b, Vec2::new(0.3, 4.0)]).unwrap();
        let fallers = [d2::Shape::from(ridge), d2::Segment::new(a, b).unwrap().into()];
        for (target, top) in &planar {
            for faller in &fallers {
                let hit = d2::time_of_impact(target, still2(), faller, fall, options).unwrap();
                check(hit.map(|hit| hit.t), *top);
            }
        }
    }
}
