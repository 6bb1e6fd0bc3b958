//! Bodies of revolution about one axis, one in the other, one on the other or apart: against the support functions of their outlines.

#![allow(clippy::disallowed_methods)] // the sign of a zero does not matter here

use carom_geometry::d3::{self, Capsule, Cone, Cylinder, Rounded, Shape};
use carom_math::{Pose3, Quat, Vec3, Vector};
use carom_oracle::generate::Rng;

/// A shape, and how far it reaches along (cos φ, sin φ) in a plane through its axis.
type Revolved = (Shape<f64>, Box<dyn Fn(f64) -> f64>);

fn revolved(rng: &mut Rng) -> Revolved {
    let kind = rng.below(4);
    let mut size = || [0.25, 0.5, 1.0, rng.uniform(0.1, 2.0)][rng.below(4)];
    let (h, r, extra) = (size(), size(), size());
    match kind {
        0 => {
            let reach = move |angle: f64| r * angle.cos() + h * angle.sin().abs();
            (Cylinder::new(h, r).unwrap().into(), Box::new(reach))
        }
        1 => {
            let reach = move |angle: f64| (r * angle.cos() - h * angle.sin()).max(h * angle.sin());
            (Cone::new(h, r).unwrap().into(), Box::new(reach))
        }
        2 => {
            let reach = move |angle: f64| h * angle.sin().abs() + r;
            (Capsule::new([0.0, -h, 0.0], [0.0, h, 0.0], r).unwrap().into(), Box::new(reach))
        }
        _ => {
            let reach = move |angle: f64| r * angle.cos() + h * angle.sin().abs() + extra;
            (Rounded::new(Cylinder::new(h, r).unwrap(), extra).unwrap().into(), Box::new(reach))
        }
    }
}

/// The largest value over all directions: on a grid, and by dividing intervals around the best.
fn largest(of: impl Fn(f64) -> f64) -> f64 {
    const STEPS: i32 = 4000;
    let quarter = std::f64::consts::FRAC_PI_2;
    let step = quarter / f64::from(STEPS);
    let best = (-STEPS..=STEPS).max_by(|a, b| of(f64::from(*a) * step).total_cmp(&of(f64::from(*b) * step)));
    let middle = f64::from(best.unwrap()) * step;
    let (mut low, mut high) = ((middle - step).max(-quarter), (middle + step).min(quarter));
    for _ in 0..100 {
        let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if of(one) < of(other) { low = one } else { high = other }
    }
    of(0.5 * (low + high)).max(of(middle))
}

#[test]
fn separations_are_those_of_the_outlines() {
    let (mut rng, mut counts) = (Rng::new(31), [0; 2]);
    for case in 0..1200 {
        let ((a, reach_a), (b, reach_b)) = (revolved(&mut rng), revolved(&mut rng));
        let is_flipped = rng.one_in(2);
        let up = if rng.one_in(3) { 0.0 } else { rng.uniform(-3.0, 3.0) };
        let [x, y, z, w] = [0; 4].map(|_| rng.uniform(-1.0, 1.0));
        let turn = if rng.one_in(3) { Quat::IDENTITY } else { Quat::new(x, y, z, w + 2.0).unwrap() };
        let at = if rng.one_in(3) { [0.0; 3] } else { [0; 3].map(|_| rng.uniform(-5.0, 5.0)) };
        let half_turn = Quat::new(1.0, 0.0, 0.0, 0.0).unwrap();
        let pose_a = Pose3::new(at, turn);
        let pose_b = Pose3::new(
            pose_a.point_to_world(Vec3::new(0.0, up, 0.0)),
            if is_flipped { turn * half_turn } else { turn },
        );
        let truth = largest(|angle| {
            up * angle.sin() - reach_a(angle) - reach_b(if is_flipped { angle } else { -angle })
        });
        let size = 10.0;
        let found = match d3::contact(&a, pose_a, &b, pose_b).unwrap() {
            Some(touch) => -touch.depth,
            None => d3::distance(&a, pose_a, &b, pose_b).unwrap().distance,
        };
        assert!((found - truth).abs() <= 1e-9 * size, "case {case}: {found}, not {truth}: {a:?} {b:?} {up}");
        if 1e-9 * size < truth.abs() {
            assert_eq!(d3::intersects(&a, pose_a, &b, pose_b), Ok(truth < 0.0), "case {case}");
        }
        let bounds = d3::distance(&a, pose_a, &b, pose_b).unwrap();
        let distance = truth.max(0.0);
        assert!(
            bounds.lower <= distance + 1e-12 * size && distance <= bounds.upper + 1e-12 * size,
            "case {case}"
        );
        counts[usize::from(truth < 0.0)] += 1;
    }
    assert!(counts.iter().all(|count| 200 < *count), "{counts:?}");
}

/// The same up to rounding as for axes that are a little askew, which go another way.
#[test]
fn what_is_nearly_coaxial_is_answered_nearly_alike() {
    let mut rng = Rng::new(32);
    for case in 0..60 {
        let ((a, _), (b, _)) = (revolved(&mut rng), revolved(&mut rng));
        let up = rng.uniform(-3.0, 3.0);
        let exact = Pose3::at([0.0, up, 0.0]);
        let slight = Quat::new(1e-7, 0.0, 2e-7, 1.0).unwrap();
        let askew = Pose3::new([1e-7, up, -1e-7], slight);
        let separation = |pose: Pose3<f64>| match d3::contact(&a, Pose3::IDENTITY, &b, pose).unwrap() {
            Some(touch) => (-touch.depth, touch.normal),
            None => {
                let found = d3::distance(&a, Pose3::IDENTITY, &b, pose).unwrap();
                (found.distance, found.normal)
            }
        };
        let ((one, normal), (other, _)) = (separation(exact), separation(askew));
        assert!((one - other).abs() < 1e-5, "case {case}: {one} {other} {a:?} {b:?} {up}");
        assert!((Vector::length(normal) - 1.0).abs() < 1e-12);
    }
}
