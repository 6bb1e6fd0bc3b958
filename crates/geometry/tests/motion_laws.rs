//! Laws of motion: time may run backwards, shapes may change places, and a ray is a ball without radius.
//!
//! Casts are asked in both dimensions, for all kinds; so are impacts in the plane (those of space are in
//! `impact`).

// Tolerances may come from any maximum.
#![allow(clippy::disallowed_methods)]

use super::cases::PLANAR_FAMILIES;
use super::support::*;
use carom_geometry::{CastOptions, ImpactOptions, ImpactStatus, RayOptions, d2, d3};
use carom_math::{Motion2, Motion3, Pose2, Pose3, Quat, Rot2, Vec2, Vec3, Vector};
use carom_oracle::generate::{Rng, unit_complex, unit_quaternion};

macro_rules! laws {
    ($module:ident, $d:ident, $dim:literal, $vector:ident, $pose:ident, $motion:ident, kinds: $kinds:expr, shape: $shape:ident,
     turn: $turn:expr, spin: $spin:expr) => {
        mod $module {
            use super::*;

            /// A shape that is thrown at another; both move.
            #[derive(Debug)]
            struct Throw {
                shapes: [$d::Shape<f64>; 2],
                poses: [$pose<f64>; 2],
                velocities: [$vector<f64>; 2],
                size: f64,
            }

            impl Throw {
                fn random(rng: &mut Rng, kinds: [usize; 2]) -> Self {
                    let things: [Thing<$dim>; 2] = kinds.map(|kind| thing(rng, kind));
                    let from: [f64; $dim] = std::array::from_fn(|_| rng.uniform(-8.0, 8.0));
                    let from = $vector::from(from);
                    let to = $pose::new(point::<$dim>(rng), $turn(rng));
                    let aim = to.point_to_world($vector::from(feature(rng, &things[1])));
                    let miss: [f64; $dim] = std::array::from_fn(|_| rng.uniform(-2.0, 2.0));
                    let miss = $vector::from(miss) * rng.pick(&[0.0, 1.0, 2.0]);
                    let drift: [f64; $dim] = std::array::from_fn(|_| rng.pick(&[0.0, 0.5, -1.0]));
                    let drift = $vector::from(drift);
                    let velocity = (aim + miss - from) * rng.pick(&[0.5, 1.0, 3.0]);
                    let size = 1.0
                        + things[0].size()
                        + things[1].size()
                        + Vector::length(from)
                        + Vector::length(to.translation)
                        + Vector::length(velocity);
                    Throw {
                        shapes: things.map(|thing| $shape::<f64>(&thing)),
                        poses: [$pose::new(from, $turn(rng)), to],
                        velocities: [velocity + drift, drift],
                        size,
                    }
                }

                fn at(&self, t: f64) -> [$pose<f64>; 2] {
                    std::array::from_fn(|k| {
                        $pose::new(self.poses[k].translation + self.velocities[k] * t, self.poses[k].rotation)
                    })
                }

                fn cast(&self) -> Option<carom_geometry::Hit<$vector<f64>>> {
                    let ([a, b], [from, to], [u, v]) = (&self.shapes, self.poses, self.velocities);
                    $d::cast_shape(a, from, u, b, to, v, CastOptions { max: 1.0 }).unwrap()
                }

                fn distance(&self, t: f64) -> carom_geometry::Distance<$vector<f64>> {
                    let [from, to] = self.at(t);
                    $d::distance(&self.shapes[0], from, &self.shapes[1], to).unwrap()
                }

                /// From the end to the start.
                fn reversed(&self) -> Self {
                    let (shapes, poses) = (self.shapes.clone(), self.at(1.0));
                    Throw { shapes, poses, velocities: self.velocities.map(|v| -v), size: self.size }
                }

                fn swapped(&self) -> Self {
                    let ([a, b], [p, q], [u, v]) = (self.shapes.clone(), self.poses, self.velocities);
                    Throw { shapes: [b, a], poses: [q, p], velocities: [v, u], size: self.size }
                }
            }

            fn throws(seed: u64, count: usize) -> impl Iterator<Item = Throw> {
                let mut rng = Rng::new(seed);
                let kinds = move |index: usize| {
                    [$kinds[index % $kinds.len()], $kinds[(index / $kinds.len()) % $kinds.len()]]
                };
                (0..count)
                    .map(kinds)
                    .filter(|kinds| *kinds != [5, 5])
                    .map(move |kinds| Throw::random(&mut rng, kinds))
            }

            /// The distance of convex shapes in straight motion is convex: they touch from the first touch to the
            /// last, which is the first one backwards, and at all times between.
            #[test]
            fn backwards_the_last_touch_is_the_first() {
                let (mut hits, mut clear) = (0, 0);
                for throw in throws(81, 2500) {
                    let (forwards, backwards) = (throw.cast(), throw.reversed().cast());
                    let length = 1e-7 * throw.size;
                    match (forwards, backwards) {
                        (Some(first), Some(last)) => {
                            hits += 1;
                            let (first, last) = (first.t, 1.0 - last.t);
                            let speed = Vector::length(throw.velocities[0] - throw.velocities[1]);
                            assert!((first - last) * speed <= length, "{first} {last} {throw:?}");
                            for k in 0..=4 {
                                let t = first + (last - first) * f64::from(k) / 4.0;
                                assert!(throw.distance(t).lower <= length, "{t} {throw:?}");
                            }
                        }
                        (None, None) => {
                            clear += 1;
                            assert!(
                                (0..=16).all(|k| 0.0 < throw.distance(f64::from(k) / 16.0).upper),
                                "{throw:?}"
                            );
                        }
                        // The end of the way is rounded: what only just touches may do so in one direction.
                        (Some(hit), None) => assert!(throw.is_grazing(hit.t, length), "{hit:?} {throw:?}"),
                        (None, Some(hit)) => {
                            assert!(throw.is_grazing(1.0 - hit.t, length), "{hit:?} {throw:?}")
                        }
                    }
                }
                assert!(800 < hits && 200 < clear, "{hits} hits, {clear} misses");
            }

            impl Throw {
                /// Smaller by a little, they would not touch at all: no point of the way is deeper.
                fn is_grazing(&self, touch: f64, length: f64) -> bool {
                    (0..=16).map(|k| f64::from(k) / 16.0).chain([touch]).all(|t| {
                        let [from, to] = self.at(t);
                        let [a, b] = &self.shapes;
                        $d::contact(a, from, b, to).unwrap().is_none_or(|contact| contact.depth <= length)
                    })
                }
            }

            /// A touch at t = 0 is a touch at the start, and the other way around.
            #[test]
            fn a_touch_at_the_start_is_no_other() {
                let mut starts = 0;
                for throw in throws(82, 1500) {
                    let touches =
                        $d::intersects(&throw.shapes[0], throw.poses[0], &throw.shapes[1], throw.poses[1])
                            .unwrap();
                    let at_start = throw.cast().is_some_and(|hit| hit.t == 0.0);
                    starts += usize::from(touches);
                    // Kernels of their own may see a gap of rounding, or none.
                    let gap = throw.distance(0.0);
                    assert!(touches == at_start || gap.distance <= 1e-9 * throw.size, "{gap:?} {throw:?}");
                    if touches != at_start {
                        let depth =
                            $d::contact(&throw.shapes[0], throw.poses[0], &throw.shapes[1], throw.poses[1])
                                .unwrap()
                                .map_or(0.0, |contact| contact.depth);
                        assert!(depth <= 1e-9 * throw.size, "{depth} {throw:?}");
                    }
                }
                assert!(100 < starts, "only {starts}");
            }

            #[test]
            fn exchanging_the_shapes_only_negates_the_normal() {
                for throw in throws(83, 1500) {
                    let (one, other) = (throw.cast(), throw.swapped().cast());
                    assert_eq!(
                        one.map(|hit| (hit.t, hit.point)),
                        other.map(|hit| (hit.t, hit.point)),
                        "{throw:?}"
                    );
                    assert_eq!(one.map(|hit| hit.normal), other.map(|hit| -hit.normal), "{throw:?}");
                }
            }

            /// A ray, a ball without radius, and a point that neither turns nor is in a hurry.
            #[test]
            fn a_ray_is_a_ball_without_radius() {
                let mut rng = Rng::new(84);
                let point = $d::Ball::new(0.0).unwrap();
                let still = |pose| $motion::from_velocity(pose, $vector::ZERO, $spin);
                let mut hits = 0;
                for index in 0..1500 {
                    let throw = Throw::random(&mut rng, [0, $kinds[index % $kinds.len()]]);
                    let (shape, pose) = (&throw.shapes[1], throw.poses[1]);
                    let (origin, velocity) = (throw.poses[0].translation, throw.velocities[0]);
                    let Ok(ray) = $d::Ray::new(origin, velocity) else { continue };
                    let options = RayOptions { max: 1.0, solid: true };
                    let by_ray = $d::cast_ray(shape, pose, &ray, options).unwrap();
                    let cast = CastOptions { max: 1.0 };
                    let by_cast =
                        $d::cast_shape(&point, origin, velocity, shape, pose, $vector::ZERO, cast).unwrap();
                    let flight = $motion::from_velocity($pose::at(origin), velocity, $spin);
                    let by_impact =
                        $d::time_of_impact(&point, flight, shape, still(pose), ImpactOptions::default())
                            .unwrap();
                    let length = 1e-7 * throw.size;
                    let distance =
                        |t: f64| $d::closest_point(shape, pose, origin + velocity * t).unwrap().distance;
                    // What only grazes may be a touch for one of them: then it is as near as rounding.
                    let times =
                        [by_ray.map(|hit| hit.t), by_cast.map(|hit| hit.t), by_impact.map(|hit| hit.t)];
                    let Some(found) = times.iter().flatten().copied().reduce(f64::min) else { continue };
                    hits += 1;
                    assert!(distance(found).abs() <= length || found == 0.0, "{times:?} {throw:?}");
                    for t in times {
                        let is_same = t.is_some_and(|t| {
                            (t - found).abs() * Vector::length(velocity)
                                <= length.max(2e-6 * Vector::length(velocity))
                        });
                        let until = t.unwrap_or(1.0);
                        let is_grazing = || {
                            (0..=16)
                                .all(|k| -length <= distance(found + (until - found) * f64::from(k) / 16.0))
                        };
                        assert!(is_same || is_grazing(), "{times:?} {throw:?}");
                    }
                    if let Some(hit) = by_ray.filter(|hit| 0.0 < hit.t) {
                        assert!(
                            hit.normal.dot(velocity) <= 1e-7 * Vector::length(velocity),
                            "{hit:?} {throw:?}"
                        );
                    }
                }
                assert!(250 < hits, "only {hits} hits");
            }
        }
    };
}

laws!(plane, d2, 2, Vec2, Pose2, Motion2, kinds: PLANE, shape: shape2, turn: |rng: &mut Rng| {
    let [c, s] = if rng.one_in(3) { [1.0, 0.0] } else { unit_complex(rng) };
    Rot2::from_cos_sin(c, s).unwrap()
}, spin: 0.0);

laws!(space, d3, 3, Vec3, Pose3, Motion3, kinds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], shape: shape3, turn: |rng: &mut Rng| {
    let [x, y, z, w] = if rng.one_in(3) { [0.0, 0.0, 0.0, 1.0] } else { unit_quaternion(rng) };
    Quat::new(x, y, z, w).unwrap()
}, spin: Vec3::<f64>::ZERO);

/// In the plane too, impacts run backwards, and shapes change places.
#[test]
fn impacts_of_the_plane_run_backwards_and_change_places() {
    let options = ImpactOptions { tolerance: 1e-7, ..ImpactOptions::default() };
    let mut rng = Rng::new(85);
    let (mut hits, mut clear) = (0, 0);
    for index in 0..400 {
        let case = PLANAR_FAMILIES[index % PLANAR_FAMILIES.len()](&mut rng);
        let [a, b] = case.flat.as_ref().unwrap();
        let (motion_a, motion_b) = case.planar_motions();
        let back = |motion: Motion2<f64>| {
            Motion2::from_velocity(motion.end(), -motion.velocity(), -motion.angular())
        };
        let forwards = d2::time_of_impact(a, motion_a, b, motion_b, options).unwrap();
        let swapped = d2::time_of_impact(b, motion_b, a, motion_a, options).unwrap();
        let same =
            |hit: carom_geometry::Impact<Vec2<f64>>| (hit.t, hit.lower, hit.tolerance, hit.point, hit.status);
        assert_eq!(forwards.map(same), swapped.map(same), "{case:?}");
        assert_eq!(forwards.map(|hit| hit.normal), swapped.map(|hit| -hit.normal), "{case:?}");
        let backwards = d2::time_of_impact(a, back(motion_a), b, back(motion_b), options).unwrap();
        match (forwards, backwards) {
            (None, None) => clear += 1,
            (Some(first), Some(last)) => {
                hits += 1;
                assert!(first.lower <= 1.0 - last.lower + 1e-7, "{case:?}");
            }
            (Some(hit), None) | (None, Some(hit)) => {
                assert!(hit.status == ImpactStatus::Raised, "{forwards:?} {backwards:?} {case:?}");
            }
        }
    }
    assert!(100 < hits && 50 < clear, "{hits} hits, {clear} misses");
}
