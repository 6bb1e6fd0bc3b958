//! What passes by, near and far: the shortcuts that tell so must not be wrong by more than rounding.
//!
//! The distance of convex shapes in straight motion is a convex function of time, so that its least value is found by dividing
//! intervals, without any of what casts know.

#![allow(clippy::disallowed_methods)] // the sign of a zero does not matter here

use carom_geometry::{CastOptions, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::Rng;

macro_rules! passing {
    ($module:ident, $d:ident, $vector:ident, $pose:ident, $motion:ident, $shape:expr, $pose_of:expr, $still:expr) => {
        mod $module {
            use super::*;

            type Point = $vector<f64>;

            fn unit(rng: &mut Rng) -> Point {
                let v = Point::from_fn(|_| rng.uniform(-1.0, 1.0));
                v.normalized().unwrap_or(Point::unit(0))
            }

            /// The least separation on the way from 0 to 1, negative for depths.
            fn least(at: impl Fn(f64) -> f64) -> f64 {
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..120 {
                    let (one, other) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if at(one) <= at(other) { high = other } else { low = one }
                }
                at(0.5 * (low + high)).min(at(0.0)).min(at(1.0))
            }

            #[test]
            fn casts_and_first_touches_miss_what_passes_and_nothing_else() {
                let (mut rng, mut counts) = (Rng::new(21), [0; 2]);
                let shape_of: fn(&mut Rng, usize) -> $d::Shape<f64> = $shape;
                let pose_of: fn(&mut Rng) -> $pose<f64> = $pose_of;
                for case in 0..1500 {
                    let (a, b) = (shape_of(&mut rng, case % 5), shape_of(&mut rng, case / 5 % 5));
                    let (pose_a, pose_b) = (pose_of(&mut rng), pose_of(&mut rng));
                    // Beside a, about as far as both reach: mostly a near miss or a graze.
                    let aside = unit(&mut rng);
                    let reach = |shape: &$d::Shape<f64>, pose: $pose<f64>, towards: Point| {
                        let far = pose.translation + towards * 1e3;
                        let near = $d::closest_point(shape, pose, far).unwrap();
                        (near.point - pose.translation).dot(towards)
                    };
                    let apart = reach(&a, pose_a, aside) + reach(&b, pose_b, -aside);
                    let stretch = [1.0, 1.0 + 1e-9, 1.0 - 1e-9, 1.05, 0.95, 1.4, 0.5, 30.0][rng.below(8)];
                    let middle = pose_a.translation + aside * (apart * stretch);
                    let way = unit(&mut rng) * [3.0, 0.2, 50.0][rng.below(3)];
                    let way = if rng.one_in(3) { way } else { way - aside * way.dot(aside) };
                    let start = $pose::new(middle - way * rng.uniform(-0.5, 1.5), pose_b.rotation);
                    let size =
                        2.0 + Vector::length(start.translation - pose_a.translation) + Vector::length(way);
                    let truth = least(|t| {
                        let there = $pose::new(start.translation + way * t, start.rotation);
                        match $d::contact(&a, pose_a, &b, there).unwrap() {
                            Some(touch) => -touch.depth,
                            None => $d::distance(&a, pose_a, &b, there).unwrap().distance,
                        }
                    });
                    let still = Point::from_fn(|_| 0.0);
                    let cast =
                        $d::cast_shape(&b, start, way, &a, pose_a, still, CastOptions { max: 1.0 }).unwrap();
                    let motion = $motion::from_velocity(start, way, $still);
                    let fixed = $motion::from_velocity(pose_a, still, $still);
                    let first = $d::time_of_impact(&a, fixed, &b, motion, Default::default()).unwrap();
                    for (what, hit) in [("cast", cast.is_some()), ("first touch", first.is_some())] {
                        let doubt = 1e-9 * size;
                        assert!(
                            if hit { truth <= doubt } else { -doubt <= truth },
                            "{what} {hit}, but {truth}: {a:?} {pose_a:?} {b:?} {start:?} {way:?}"
                        );
                    }
                    counts[usize::from(cast.is_some())] += 1;
                }
                assert!(counts.iter().all(|count| 300 < *count), "{counts:?}");
            }
        }
    };
}

passing!(
    space,
    d3,
    Vec3,
    Pose3,
    Motion3,
    |rng, kind| {
        let mut size = || rng.uniform(0.2, 1.5);
        match kind {
            0 => d3::Ball::new(size()).unwrap().into(),
            1 => d3::Cuboid::new([size(), size(), size()]).unwrap().into(),
            2 => d3::Capsule::new([0.0, -size(), 0.0], [0.1, size(), 0.2], 0.5 * size()).unwrap().into(),
            3 => {
                let count = 4 + (size() * 20.0) as usize;
                let points: Vec<[f64; 3]> = (0..count).map(|_| [0; 3].map(|_| size() - 0.8)).collect();
                d3::ConvexHull::new(points).unwrap().into()
            }
            _ => d3::Cylinder::new(size(), size()).unwrap().into(),
        }
    },
    |rng| {
        let [x, y, z, w] = [0; 4].map(|_| rng.uniform(-1.0, 1.0));
        let place = [0; 3].map(|_| rng.uniform(-3.0, 3.0));
        Pose3::new(place, Quat::new(x, y, z, w + 2.0).unwrap())
    },
    [0.0, 0.0, 0.0]
);

passing!(
    plane,
    d2,
    Vec2,
    Pose2,
    Motion2,
    |rng, kind| {
        let mut size = || rng.uniform(0.2, 1.5);
        match kind {
            0 => d2::Ball::new(size()).unwrap().into(),
            1 => d2::Cuboid::new([size(), size()]).unwrap().into(),
            2 => d2::Capsule::new([0.0, -size()], [0.1, size()], 0.5 * size()).unwrap().into(),
            _ => {
                let count = 4 + (size() * 20.0) as usize;
                let points: Vec<[f64; 2]> = (0..count).map(|_| [0; 2].map(|_| size() - 0.8)).collect();
                d2::ConvexPolygon::from_hull(points).unwrap().into()
            }
        }
    },
    |rng| Pose2::new([0; 2].map(|_| rng.uniform(-3.0, 3.0)), Rot2::from_angle(rng.uniform(-3.0, 3.0))),
    0.0
);
