//! Shapes of many parts against brute force over their parts.
//!
//! The ignored tests ask every question in 10⁴ poses of every pair of kinds, and send 10⁶ rays through the corners
//! and edges of closed meshes, on all cores; `CAROM_POSES` and `CAROM_RAYS` set other numbers:
//!
//! ```sh
//! cargo test --release -p carom-geometry --test geometry -- --ignored --nocapture composites::
//! ```

mod ghosts;
mod impacts;
mod large;
mod named;
mod plane;
mod space;
mod ties;
mod watertight;

/// The tests that both dimensions have, over their own `random_shape(&mut Rng, kind)`, `parts_of(&Shape)`,
/// `random_pose(&mut Rng)` and `scaled(&Shape, factor)`. The kinds are given by their names, the first three of
/// which are composite.
macro_rules! brute_force {
    ($d:ident, $vector:ident, $pose:ident, $motion:ident, $kinds:expr, $angular:expr) => {
        type Shape = $d::Shape<f64>;
        type Pose = $pose<f64>;

        /// All pairs of parts, with their numbers and poses.
        fn pairs(
            a: &Shape,
            pose_a: Pose,
            b: &Shape,
            pose_b: Pose,
        ) -> Vec<([u32; 2], Shape, Pose, Shape, Pose)> {
            let mut all = Vec::new();
            for (i, part_a, local_a) in parts_of(a) {
                for (j, part_b, local_b) in parts_of(b) {
                    all.push(([i, j], part_a.clone(), pose_a * local_a, part_b, pose_b * local_b));
                }
            }
            all
        }

        const COMPOSITES: usize = 3;

        fn composites() -> Sweep {
            Sweep::new($kinds.iter().take(COMPOSITES).copied())
        }

        /// All pairs of a composite kind and any.
        fn families() -> Sweep {
            let composites = $kinds.iter().take(COMPOSITES);
            Sweep::new(composites.flat_map(|a| $kinds.iter().map(move |b| format!("{a}, {b}"))))
        }

        /// A pair of those kinds, in random poses; and how large it is.
        fn case(rng: &mut Rng, family: usize) -> (Shape, Pose, Shape, Pose, f64) {
            let kinds = [family / $kinds.len(), family % $kinds.len()];
            let [a, b] = kinds.map(|kind| random_shape(rng, kind));
            let (pose_a, pose_b) = (random_pose(rng), random_pose(rng));
            let size = (pose_b.translation - pose_a.translation).max_abs() + size_of(&a) + size_of(&b);
            if rng.one_in(2) { (a, pose_a, b, pose_b, size) } else { (b, pose_b, a, pose_a, size) }
        }

        fn size_of(shape: &Shape) -> f64 {
            let bounds = $d::aabb(shape, Pose::IDENTITY).unwrap();
            let size = bounds.max.max_abs().max(bounds.min.max_abs());
            if size.is_finite() { size } else { 1.0 }
        }

        fn check_distance(family: usize, rng: &mut Rng, tally: &mut Tally) {
            let (a, pose_a, b, pose_b, size) = case(rng, family);
            let found = $d::distance(&a, pose_a, &b, pose_b).unwrap();
            // The kernels for curved shapes say themselves how well they know it.
            let tolerance = 128.0 * f64::EPSILON * size + 2.0 * (found.upper - found.lower);
            let mut least = f64::INFINITY;
            for (_, part_a, at_a, part_b, at_b) in pairs(&a, pose_a, &b, pose_b) {
                let of_parts = $d::distance(&part_a, at_a, &part_b, at_b).unwrap();
                least = least.min(of_parts.distance);
                assert!(
                    found.lower <= of_parts.upper + tolerance,
                    "{a:?} {pose_a:?}\n{b:?} {pose_b:?}\n{found:?} {of_parts:?}"
                );
            }
            assert!(
                (found.distance - least).abs() <= tolerance,
                "{a:?} {pose_a:?}\n{b:?} {pose_b:?}\n{found:?} {least}"
            );
            let gap = $d::gap(&a, pose_a, &b, pose_b).unwrap();
            assert_eq!((gap.distance, gap.lower, gap.upper), (found.distance, found.lower, found.upper));
            if tolerance < least {
                tally.misses += 1;
                assert!(!$d::intersects(&a, pose_a, &b, pose_b).unwrap());
                assert!($d::contact(&a, pose_a, &b, pose_b).unwrap().is_none());
                let along = found.point_a + found.normal * found.distance - found.point_b;
                // The points are `upper` apart at most, and `lower` at least along the normal; across it, that leaves
                // √(upper² − lower²).
                let across = ((found.upper - found.lower) * (found.upper + found.lower)).sqrt();
                assert!(along.max_abs() <= 1e-9 * size + across, "{found:?}");
                let [i, j] = $d::closest_parts(&a, pose_a, &b, pose_b).unwrap();
                let named = pairs(&a, pose_a, &b, pose_b).into_iter().find(|pair| pair.0 == [i, j]);
                let (_, part_a, at_a, part_b, at_b) = named.expect("the parts exist");
                let again = $d::distance(&part_a, at_a, &part_b, at_b).unwrap();
                assert!((again.distance - found.distance).abs() <= tolerance);
            } else if least == 0.0 {
                tally.hits += 1;
                assert!($d::intersects(&a, pose_a, &b, pose_b).unwrap(), "{a:?} {b:?}");
                let contact = $d::contact(&a, pose_a, &b, pose_b).unwrap().expect("they touch");
                assert!(0.0 <= contact.depth && contact.normal.finite());
                assert_eq!((found.point_a, found.normal), (contact.point_a, contact.normal));
                let manifold = $d::manifold(&a, pose_a, &b, pose_b).unwrap().expect("they touch");
                assert!(
                    (manifold.depth() - contact.depth).abs() <= 1e-9 * size,
                    "{a:?} {pose_a:?}\n{b:?} {pose_b:?}\n{manifold:?}\n{contact:?}"
                );
                assert!((manifold.normal() - contact.normal).max_abs() <= 1e-6, "{manifold:?} {contact:?}");
            } else {
                tally.unsure += 1;
            }
        }

        /// Never above the distance, and something where boxes or planes have a gap between them.
        fn check_clearance(family: usize, rng: &mut Rng, tally: &mut Tally) {
            let (a, pose_a, b, pose_b, size) = case(rng, family);
            let found = $d::distance(&a, pose_a, &b, pose_b).unwrap();
            let limit = rng.uniform(0.0, 4.0) * size;
            let clear = $d::clearance(&a, pose_a, &b, pose_b, limit).unwrap();
            let truth = format!("{a:?} {pose_a:?}\n{b:?} {pose_b:?}\n{found:?} {clear} of {limit}");
            assert!(0.0 <= clear && clear <= found.upper.min(limit), "{truth}");
            assert_eq!(clear, $d::clearance(&b, pose_b, &a, pose_a, limit).unwrap(), "{truth}");
            let within = $d::distance_within(&a, pose_a, &b, pose_b, limit).unwrap();
            assert_eq!(
                within.map(|found| found.distance),
                (found.distance <= limit).then_some(found.distance)
            );
            tally.hits += u64::from(clear == 0.0);
            tally.misses += u64::from(0.5 * found.distance.min(limit) < clear);
        }

        /// One shape moves about the other; the cache is kept.
        fn check_cached(family: usize, rng: &mut Rng, tally: &mut Tally) {
            let (a, pose_a, b, mut pose_b, size) = case(rng, family);
            let (mut cache, mut plain, mut cached) = (PartCache::default(), Vec::new(), Vec::new());
            let (margin, limit) = (rng.uniform(0.0, 0.1) * size, rng.uniform(0.0, 2.0) * size);
            let stride = rng.pick(&[0.01, 0.1, 1.0]) * size;
            for step in 0..12 {
                let truth = format!("{a:?} {pose_a:?}\n{b:?} {pose_b:?} {step}");
                let clear = $d::clearance_cached(&a, pose_a, &b, pose_b, limit, &mut cache).unwrap();
                let found = $d::distance(&a, pose_a, &b, pose_b).unwrap();
                assert!(
                    0.0 <= clear && clear <= found.upper.min(limit),
                    "{truth}\n{found:?} {clear} of {limit}"
                );
                $d::manifolds(&a, pose_a, &b, pose_b, margin, &mut plain).unwrap();
                $d::manifolds_cached(&a, pose_a, &b, pose_b, margin, &mut cache, &mut cached).unwrap();
                assert_eq!(format!("{plain:?}"), format!("{cached:?}"), "{truth}");
                tally.hits += u64::from(!plain.is_empty());
                tally.misses += u64::from(0.5 * found.distance.min(limit) < clear);
                let way = <$vector<f64>>::from_fn(|_| rng.uniform(-1.0, 1.0));
                pose_b = Pose::new(pose_b.translation + way * stride, pose_b.rotation);
                if rng.one_in(4) {
                    pose_b = Pose::new(pose_b.translation, random_pose(rng).rotation);
                }
            }
        }

        #[test]
        fn what_a_cache_knows_is_what_the_tree_finds() {
            let tally = families().few(400, check_cached);
            assert!(200 < tally.misses && 200 < tally.hits, "{tally:?}");
        }

        #[test]
        fn clearance_is_never_above_the_distance() {
            let tally = families().few(400, check_clearance);
            assert!(20 < tally.misses && 20 < tally.hits, "{tally:?}");
        }

        #[test]
        fn distance_is_that_of_the_closest_parts() {
            let tally = families().few(400, check_distance);
            assert!(20 < tally.misses && 20 < tally.hits, "{tally:?}");
        }

        fn check_exchange(family: usize, rng: &mut Rng, _: &mut Tally) {
            let (a, pose_a, b, pose_b, _) = case(rng, family);
            let there = $d::distance(&a, pose_a, &b, pose_b).unwrap();
            let back = $d::distance(&b, pose_b, &a, pose_a).unwrap();
            assert_eq!((there.distance, there.lower, there.upper), (back.distance, back.lower, back.upper));
            assert_eq!(
                (there.point_a, there.point_b, there.normal),
                (back.point_b, back.point_a, -back.normal)
            );
            assert_eq!($d::intersects(&a, pose_a, &b, pose_b), $d::intersects(&b, pose_b, &a, pose_a));
            let (mut these, mut those) = (Vec::new(), Vec::new());
            $d::manifolds(&a, pose_a, &b, pose_b, 0.25, &mut these).unwrap();
            $d::manifolds(&b, pose_b, &a, pose_a, 0.25, &mut those).unwrap();
            those.sort_by_key(|manifold| {
                let [i, j] = manifold.parts();
                [j, i]
            });
            assert_eq!(these.len(), those.len());
            for (this, that) in these.iter().zip(&those) {
                assert_eq!((this.normal(), this.depth()), (-that.normal(), that.depth()));
            }
        }

        #[test]
        fn exchanging_the_shapes_changes_nothing_else() {
            families().few(200, check_exchange);
        }

        fn check_scale(family: usize, rng: &mut Rng, _: &mut Tally) {
            let (a, pose_a, b, pose_b, _) = case(rng, family);
            let exponent = rng.pick(&[-300, -40, -7, 1, 33, 300]);
            let factor = carom_oracle::generate::power_of_two(exponent);
            let (Some(large_a), Some(large_b)) = (scaled(&a, factor), scaled(&b, factor)) else {
                return;
            };
            let grown = |pose: Pose| Pose::new(pose.translation * factor, pose.rotation);
            let small = $d::distance(&a, pose_a, &b, pose_b).unwrap();
            let large = $d::distance(&large_a, grown(pose_a), &large_b, grown(pose_b)).unwrap();
            assert_eq!(
                (small.distance * factor, small.normal),
                (large.distance, large.normal),
                "{a:?} {b:?}"
            );
            assert_eq!(small.point_a * factor, large.point_a);
            let (mut these, mut those) = (Vec::new(), Vec::new());
            $d::manifolds(&a, pose_a, &b, pose_b, 0.0, &mut these).unwrap();
            $d::manifolds(&large_a, grown(pose_a), &large_b, grown(pose_b), 0.0, &mut those).unwrap();
            assert_eq!(these.len(), those.len());
            for (this, that) in these.iter().zip(&those) {
                assert_eq!((this.normal(), this.depth() * factor), (that.normal(), that.depth()));
            }
        }

        #[test]
        fn lengths_scale_by_powers_of_two() {
            families().few(120, check_scale);
        }

        fn check_points_and_rays(family: usize, rng: &mut Rng, tally: &mut Tally) {
            let (shape, pose) = (random_shape(rng, family), random_pose(rng));
            let (target, origin) = (random_pose(rng).translation, random_pose(rng).translation * 2.0);
            let size = size_of(&shape) + (origin - pose.translation).max_abs() + (target - origin).max_abs();
            let near = $d::closest_point(&shape, pose, origin).unwrap();
            let mut least = f64::INFINITY;
            let Ok(ray) = $d::Ray::new(origin, target - origin) else { return };
            let hit = $d::cast_ray(&shape, pose, &ray, Default::default()).unwrap();
            let mut first = f64::INFINITY;
            for (_, part, local) in parts_of(&shape) {
                least = least.min($d::closest_point(&part, pose * local, origin).unwrap().distance);
                let of_part = $d::cast_ray(&part, pose * local, &ray, Default::default()).unwrap();
                first = of_part.map_or(first, |hit| hit.t.min(first));
            }
            assert!(
                (near.distance - least).abs() <= 128.0 * f64::EPSILON * size,
                "{shape:?} {near:?} {least}"
            );
            match hit {
                Some(hit) => {
                    tally.hits += 1;
                    assert!((hit.t - first).abs() <= 1e-9 * (1.0 + first), "{shape:?} {hit:?} {first}");
                    assert!(hit.t == 0.0 || parts_of(&shape).iter().any(|part| part.0 == hit.feature >> 2));
                }
                None => {
                    tally.misses += 1;
                    assert_eq!(first, f64::INFINITY, "{shape:?} {pose:?} {ray:?}");
                }
            }
        }

        #[test]
        fn points_and_rays_meet_the_nearest_part() {
            composites().few(400, check_points_and_rays);
        }

        fn check_cast(family: usize, rng: &mut Rng, tally: &mut Tally) {
            let (a, pose_a, b, pose_b, size) = case(rng, family);
            let velocity_a = random_pose(rng).translation;
            let velocity_b = (pose_a.translation - pose_b.translation) * rng.uniform(0.5, 2.0);
            let options = carom_geometry::CastOptions { max: 1.5 };
            let found = $d::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options).unwrap();
            let back = $d::cast_shape(&b, pose_b, velocity_b, &a, pose_a, velocity_a, options).unwrap();
            assert_eq!(found.map(|hit| (hit.t, hit.normal)), back.map(|hit| (hit.t, -hit.normal)));
            let mut first = f64::INFINITY;
            for (_, part_a, at_a, part_b, at_b) in pairs(&a, pose_a, &b, pose_b) {
                let hit =
                    $d::cast_shape(&part_a, at_a, velocity_a, &part_b, at_b, velocity_b, options).unwrap();
                first = hit.map_or(first, |hit| hit.t.min(first));
            }
            *if first < f64::INFINITY { &mut tally.hits } else { &mut tally.misses } += 1;
            let t = found.map_or(f64::INFINITY, |hit| hit.t);
            assert!(t == first || (t - first).abs() <= 1e-9 * (1.0 + size), "{a:?} {b:?} {t} {first}");
        }

        #[test]
        fn moving_shapes_touch_first_where_their_parts_do() {
            assert!(10 < families().few(120, check_cast).hits);
        }

        fn check_first_touch(family: usize, rng: &mut Rng, tally: &mut Tally) {
            let (a, pose_a, b, pose_b, size) = case(rng, family);
            let towards = (pose_a.translation - pose_b.translation) * rng.uniform(0.5, 1.5);
            let still = $motion::from_velocity(pose_a, $vector::ZERO, $angular(rng));
            let turning = $motion::from_velocity(pose_b, towards, $angular(rng));
            let found = $d::time_of_impact(&a, still, &b, turning, Default::default()).unwrap();
            let until = found.map_or(1.0, |hit| hit.lower);
            let separate = |t: f64| $d::gap(&a, still.at(t), &b, turning.at(t)).unwrap().distance;
            for step in 0..24 {
                let t = until * f64::from(step) / 24.0;
                assert!(
                    found.is_some_and(|hit| hit.lower <= t) || 0.0 < separate(t),
                    "{a:?} {b:?} {t} {found:?}"
                );
            }
            if let Some(hit) = found {
                tally.hits += 1;
                let speed = towards.length() + 8.0 * size;
                let gap = separate(hit.t);
                assert!(gap <= speed * (hit.tolerance + 1e-12) * 4.0, "{a:?} {b:?} {hit:?} {gap}");
            } else {
                tally.misses += 1;
            }
        }

        #[test]
        fn turning_shapes_touch_first_where_their_parts_do() {
            assert!(3 < families().few(33, check_first_touch).hits);
        }

        fn check_boxes(family: usize, rng: &mut Rng, _: &mut Tally) {
            let (shape, pose) = (random_shape(rng, family), random_pose(rng));
            let whole = $d::aabb(&shape, pose).unwrap();
            let grown = whole.grown(64.0 * f64::EPSILON * (size_of(&shape) + pose.translation.max_abs()));
            let mut merged = $d::Aabb::empty();
            for (_, part, local) in parts_of(&shape) {
                merged = merged.merged($d::aabb(&part, pose * local).unwrap());
            }
            assert!(grown.contains_box(merged), "{shape:?} {whole:?} {merged:?}");
            let motion = $motion::from_velocity(pose, $vector::unit(0), $angular(rng));
            let swept = $d::swept_aabb(&shape, motion).unwrap();
            for step in 0..5 {
                assert!(
                    swept.contains_box(
                        $d::aabb(&shape, motion.at(f64::from(step) * 0.25))
                            .unwrap()
                            .grown(-1e-12 * size_of(&shape))
                    )
                );
            }
        }

        #[test]
        fn boxes_hold_all_parts() {
            composites().few(100, check_boxes);
        }

        #[test]
        #[ignore = "a sweep of minutes"]
        fn ten_thousand_poses_of_each_pair_of_kinds() {
            type Check = fn(usize, &mut Rng, &mut Tally);
            let questions: [(&str, Sweep, Check); 7] = [
                ("points and rays", composites(), check_points_and_rays),
                ("boxes", composites(), check_boxes),
                ("distance, contact, manifold", families(), check_distance),
                ("exchange", families(), check_exchange),
                ("powers of two", families(), check_scale),
                ("straight casts", families(), check_cast),
                ("first touches of turning shapes", families(), check_first_touch),
            ];
            // A question that fails does not keep the others from being asked.
            let failed = questions.map(|(question, sweep, check)| {
                let title = format!("{}, {question}", stringify!($d));
                std::panic::catch_unwind(|| sweep.many(&title, ("CAROM_POSES", 10_000), check)).is_err()
            });
            assert_eq!(failed, [false; 7]);
        }
    };
}

use brute_force;
