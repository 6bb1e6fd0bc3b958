//! First touches of shapes with many parts: against all pairs of parts, against mathematics, and in bounded time.

use super::large::{all_triangles, bumpy_ball, turn};
use carom_geometry::d3::{self, Shape};
use carom_geometry::{Impact, ImpactOptions, ImpactStatus, d2};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::Rng;
use std::time::{Duration, Instant};

type Point = Vec3<f64>;
type Touch = Option<Impact<Point>>;

/// What takes milliseconds; one pair of parts after the other takes minutes.
const PATIENCE: Duration = Duration::from_secs(20);

fn first_touch(a: &Shape<f64>, motion_a: Motion3<f64>, b: &Shape<f64>, motion_b: Motion3<f64>) -> Touch {
    let before = Instant::now();
    let found = d3::time_of_impact(a, motion_a, b, motion_b, ImpactOptions::default()).unwrap();
    assert!(before.elapsed() < PATIENCE, "{:?}", before.elapsed());
    let back = d3::time_of_impact(b, motion_b, a, motion_a, ImpactOptions::default()).unwrap();
    assert_eq!(found.map(|hit| (hit.t, hit.lower)), back.map(|hit| (hit.t, hit.lower)));
    found
}

fn still(at: Point) -> Motion3<f64> {
    Motion3::from_velocity(Pose3::at(at), Point::ZERO, Point::ZERO)
}

fn moving(at: Point, velocity: [f64; 3], angular: [f64; 3]) -> Motion3<f64> {
    Motion3::from_velocity(Pose3::at(at), velocity, angular)
}

/// Hills of at most 1/2, as multiples of 2⁻¹⁰.
fn hills(side: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
    let mut height = || (rng.uniform(-512.0, 512.0) as i32) as f64 / 1024.0;
    (0..=side).map(|_| (0..=side).map(|_| height()).collect()).collect()
}

fn field(heights: &[Vec<f64>]) -> Shape<f64> {
    d3::HeightField::new(heights.to_vec(), [1.0, 1.0]).unwrap().into()
}

/// Over the same grid both are linear over the same triangles, so that the least gap is over a corner.
#[test]
fn landscapes_that_fall_on_each_other_meet_at_a_corner_of_the_grid() {
    let rng = &mut Rng::new(71);
    let (below, above) = (hills(64, rng), hills(64, rng));
    let gaps = below.iter().flatten().zip(above.iter().flatten()).map(|(low, high)| 4.0 + high - low);
    let least = gaps.fold(f64::INFINITY, f64::min);
    let (low, high) = (field(&below), field(&above));
    let falling = moving(Point::new(0.0, 4.0, 0.0), [0.0, -8.0, 0.0], [0.0; 3]);
    let hit = first_touch(&low, still(Point::ZERO), &high, falling).unwrap();
    assert!(hit.lower <= least / 8.0 && least / 8.0 <= hit.lower + hit.tolerance, "{hit:?} {}", least / 8.0);
    assert!((hit.t - least / 8.0).abs() < 1e-12);
}

#[test]
fn landscapes_that_pass_each_other_are_told_apart_by_a_few_boxes() {
    let rng = &mut Rng::new(72);
    let (low, high) = (field(&hills(64, rng)), field(&hills(64, rng)));
    let above = Point::new(0.0, 1.25, 0.0);
    for (velocity, angular) in [
        ([10.0, 0.0, 3.0], [0.0; 3]),
        ([100.0, 0.0, -70.0], [0.0; 3]),
        ([0.0, 0.1, 0.0], [0.0, 0.75, 0.0]),
        ([5.0, 0.0, 0.0], [0.0, 3.5, 0.0]),
    ] {
        assert_eq!(first_touch(&low, still(Point::ZERO), &high, moving(above, velocity, angular)), None);
    }
    let plane = d3::HalfSpace::new([0.0, 1.0, 0.0], 0.0).unwrap().into();
    let whirling = moving(Point::new(0.0, 0.75, 0.0), [3.0, 0.0, 0.0], [0.0, 7.0, 0.0]);
    assert_eq!(first_touch(&plane, still(Point::ZERO), &high, whirling), None);
}

#[test]
fn polylines_of_thousands_of_segments_pass_each_other() {
    let wave = |size: f64| {
        let points = (0..4000).map(|k| [f64::from(k) * 0.125, if k % 2 == 0 { 0.0 } else { size }]);
        d2::Polyline::new(points.collect::<Vec<_>>()).unwrap()
    };
    let (low, high) = (wave(0.25), wave(-0.25));
    let still = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], 0.0);
    let before = Instant::now();
    let pass = |height: f64, velocity: [f64; 2], angular: f64| {
        let motion = Motion2::from_velocity(Pose2::at([0.0, height]), velocity, angular);
        d2::time_of_impact(&low, still, &high, motion, ImpactOptions::default()).unwrap()
    };
    assert_eq!(pass(0.75, [400.0, 0.0], 0.0), None);
    let hit = pass(0.75, [0.0, -1.0], 0.0).unwrap();
    // Tip on tip.
    assert!(hit.lower <= 0.25 && 0.25 <= hit.lower + hit.tolerance, "{hit:?}");
    // Lifted at its far end while it comes down: the near end is first.
    let hit = pass(0.75, [0.0, -1.0], 0.01).unwrap();
    assert!(0.25 - 1e-6 < hit.t && hit.t < 0.26, "{hit:?}");
    assert!(before.elapsed() < PATIENCE);
}

/// Every pair of triangles by itself, for motions of less than a turn and of some turns.
#[test]
fn turning_meshes_touch_first_where_two_of_their_triangles_do() {
    let rng = &mut Rng::new(73);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..12 {
        let (a, b) = (bumpy_ball(rng, 2, 1.0), bumpy_ball(rng, 1, 0.5));
        let angular = |rng: &mut Rng| {
            let most = [0.0, 1.0, 4.0, 20.0][round % 4];
            Point::from_fn(|_| rng.uniform(-1.0, 1.0) * most)
        };
        let start = Point::new(2.5, rng.uniform(-0.5, 0.5), rng.uniform(-1.6, 1.6));
        let motion_a = Motion3::from_velocity(Pose3::new(Point::ZERO, turn(rng)), Point::ZERO, angular(rng));
        let motion_b = Motion3::from_velocity(Pose3::new(start, turn(rng)), [-2.5, 0.0, 0.0], angular(rng));
        let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
        for part_a in all_triangles(&a) {
            for part_b in all_triangles(&b) {
                let hit = d3::time_of_impact(&part_a, motion_a, &part_b, motion_b, Default::default());
                if let Some(hit) = hit.unwrap() {
                    (lower, upper) = (lower.min(hit.lower), upper.min(hit.lower + hit.tolerance));
                }
            }
        }
        let whole: [Shape<f64>; 2] = [a.into(), b.into()];
        let found = first_touch(&whole[0], motion_a, &whole[1], motion_b);
        // Meshes within compounds, beside the centres that they turn about.
        let placed = Pose3::new([0.25, -0.5, 0.125], turn(rng));
        let hold =
            |mesh: &Shape<f64>| -> Shape<f64> { d3::Compound::new([(mesh.clone(), placed)]).unwrap().into() };
        let held = [hold(&whole[0]), hold(&whole[1])];
        match found {
            None => {
                misses += 1;
                assert_eq!(lower, f64::INFINITY, "round {round}");
            }
            Some(hit) => {
                hits += 1;
                assert!(
                    hit.lower <= upper && lower <= hit.lower + hit.tolerance,
                    "{hit:?} [{lower}, {upper}]"
                );
                assert!(hit.lower <= hit.t && hit.t <= hit.lower + hit.tolerance);
            }
        }
        let nested = first_touch(&held[0], motion_a, &held[1], motion_b);
        let mixed = first_touch(&held[0], motion_a, &whole[1], motion_b);
        for (one, other) in [(nested, [&held[0], &held[1]]), (mixed, [&held[0], &whole[1]])] {
            let until = one.map_or(1.0, |hit| hit.lower);
            for step in 0..16 {
                let t = until * f64::from(step) / 16.0;
                assert!(
                    !d3::intersects(other[0], motion_a.at(t), other[1], motion_b.at(t)).unwrap(),
                    "{one:?} {t}"
                );
            }
            if let Some(hit) = one {
                let gap = d3::distance(other[0], motion_a.at(hit.t), other[1], motion_b.at(hit.t)).unwrap();
                assert!(gap.distance < 1e-3, "{hit:?} {gap:?}");
            }
        }
    }
    assert!(2 < hits && 0 < misses, "{hits} {misses}");
}

/// What is so fast that nobody can follow it ends at a bound that holds.
#[test]
fn the_work_on_what_spins_for_ever_is_limited() {
    let rng = &mut Rng::new(74);
    let [a, b]: [Shape<f64>; 2] = [bumpy_ball(rng, 4, 1.0).into(), bumpy_ball(rng, 4, 1.0).into()];
    for rate in [1e3, 1e9, 1e300] {
        let spin = moving(Point::ZERO, [0.0; 3], [0.0, rate, 0.0]);
        let other = moving(Point::new(2.05, 0.0, 0.0), [0.0; 3], [0.0, -0.5 * rate, 0.1 * rate]);
        let options = ImpactOptions { max_steps: 64, ..Default::default() };
        let before = Instant::now();
        let found = d3::time_of_impact(&a, spin, &b, other, options).unwrap();
        assert!(before.elapsed() < PATIENCE);
        if let Some(hit) = found {
            assert!(0.0 <= hit.lower && hit.lower <= hit.t && hit.t <= 1.0, "{hit:?}");
            let told = hit.lower + hit.tolerance;
            assert!(hit.status != ImpactStatus::Limit || (hit.t <= told && told <= 1.0 + 1e-12), "{hit:?}");
            assert!((hit.normal.length() - 1.0).abs() < 1e-12, "{hit:?}");
        }
        // Far enough away, whatever they do, as long as an angle is a number that means something.
        if 1e12 < rate {
            continue;
        }
        let far = moving(Point::new(3.5, 0.0, 0.0), [0.0; 3], [0.0, rate, 0.0]);
        assert_eq!(d3::time_of_impact(&a, spin, &b, far, options).unwrap(), None);
    }
}

/// A mesh in its own place touches itself everywhere, and nowhere deeply.
#[test]
fn a_mesh_in_its_own_place_is_soon_told() {
    let heights: Vec<Vec<f64>> = (0..=96)
        .map(|row| (0..=96).map(|column| f64::from((row * 7 + column * 5) % 11) * 0.0625).collect())
        .collect();
    let ground = field(&heights);
    let pose = Pose3::new([3.0, 1.0, -2.0], Quat::IDENTITY);
    let before = Instant::now();
    let contact = d3::contact(&ground, pose, &ground, pose).unwrap().unwrap();
    assert!(contact.depth.abs() < 1e-12, "{contact:?}");
    let manifold = d3::manifold(&ground, pose, &ground, pose).unwrap().unwrap();
    assert_eq!(manifold.depth(), contact.depth);
    assert!(before.elapsed() < PATIENCE, "{:?}", before.elapsed());
}
