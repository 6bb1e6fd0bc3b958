//! Shapes of many parts against brute force over their parts.
//!
//! `CAROM_SOAK=100` asks a hundred times as much.

mod ghosts;
mod large;
mod named;
mod plane;
mod space;
mod watertight;

/// How often a random test runs.
fn rounds(usual: usize) -> usize {
    let soak = std::env::var("CAROM_SOAK").ok().and_then(|text| text.parse::<usize>().ok());
    usual * soak.unwrap_or(1)
}

/// The tests that both dimensions have, over their own `random_shape(&mut Rng, kind)`, `parts_of(&Shape)`,
/// `random_pose(&mut Rng)` and `scaled(&Shape, factor)`.
macro_rules! brute_force {
    ($d:ident, $vector:ident, $pose:ident, $motion:ident, $kinds:expr, $composites:expr, $angular:expr) => {
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

        /// A pair of kinds, one of which is composite, in random poses; and how exact to be.
        fn case(rng: &mut Rng) -> (Shape, Pose, Shape, Pose, f64) {
            let composite = rng.below($composites);
            let (a, b) = (random_shape(rng, composite), random_kind(rng));
            let (pose_a, pose_b) = (random_pose(rng), random_pose(rng));
            let size = (pose_b.translation - pose_a.translation).max_abs() + size_of(&a) + size_of(&b);
            if rng.one_in(2) { (a, pose_a, b, pose_b, size) } else { (b, pose_b, a, pose_a, size) }
        }

        fn random_kind(rng: &mut Rng) -> Shape {
            let kind = rng.below($kinds);
            random_shape(rng, kind)
        }

        fn size_of(shape: &Shape) -> f64 {
            let bounds = $d::aabb(shape, Pose::IDENTITY).unwrap();
            let size = bounds.max.max_abs().max(bounds.min.max_abs());
            if size.is_finite() { size } else { 1.0 }
        }

        #[test]
        fn distance_is_that_of_the_closest_parts() {
            let mut rng = Rng::new(1);
            let (mut apart, mut touching) = (0, 0);
            for _ in 0..rounds(400) {
                let (a, pose_a, b, pose_b, size) = case(&mut rng);
                let found = $d::distance(&a, pose_a, &b, pose_b).unwrap();
                // The kernels for curved shapes say themselves how well they know it.
                let tolerance = 128.0 * f64::EPSILON * size + 2.0 * (found.upper - found.lower);
                let mut least = f64::INFINITY;
                for (_, part_a, at_a, part_b, at_b) in pairs(&a, pose_a, &b, pose_b) {
                    let of_parts = $d::distance(&part_a, at_a, &part_b, at_b).unwrap();
                    least = least.min(of_parts.distance);
                    assert!(found.lower <= of_parts.upper + tolerance, "{a:?} {b:?}");
                }
                assert!(
                    (found.distance - least).abs() <= tolerance,
                    "{a:?} {pose_a:?}\n{b:?} {pose_b:?}\n{found:?} {least}"
                );
                let gap = $d::gap(&a, pose_a, &b, pose_b).unwrap();
                assert_eq!((gap.distance, gap.lower, gap.upper), (found.distance, found.lower, found.upper));
                if tolerance < least {
                    apart += 1;
                    assert!(!$d::intersects(&a, pose_a, &b, pose_b).unwrap());
                    assert!($d::contact(&a, pose_a, &b, pose_b).unwrap().is_none());
                    let along = found.point_a + found.normal * found.distance - found.point_b;
                    assert!(along.max_abs() <= 1e-9 * size, "{found:?}");
                    let [i, j] = $d::closest_parts(&a, pose_a, &b, pose_b).unwrap();
                    let named = pairs(&a, pose_a, &b, pose_b).into_iter().find(|pair| pair.0 == [i, j]);
                    let (_, part_a, at_a, part_b, at_b) = named.expect("the parts exist");
                    let again = $d::distance(&part_a, at_a, &part_b, at_b).unwrap();
                    assert!((again.distance - found.distance).abs() <= tolerance);
                } else if least == 0.0 {
                    touching += 1;
                    assert!($d::intersects(&a, pose_a, &b, pose_b).unwrap(), "{a:?} {b:?}");
                    let contact = $d::contact(&a, pose_a, &b, pose_b).unwrap().expect("they touch");
                    assert!(0.0 <= contact.depth && contact.normal.finite());
                    assert_eq!((found.point_a, found.normal), (contact.point_a, contact.normal));
                    let manifold = $d::manifold(&a, pose_a, &b, pose_b).unwrap().expect("they touch");
                    assert!(
                        (manifold.depth() - contact.depth).abs() <= 1e-9 * size,
                        "{a:?} {pose_a:?}\n{b:?} {pose_b:?}\n{manifold:?}\n{contact:?}"
                    );
                    assert!(
                        (manifold.normal() - contact.normal).max_abs() <= 1e-6,
                        "{manifold:?} {contact:?}"
                    );
                }
            }
            assert!(20 < apart && 20 < touching, "{apart} {touching}");
        }

        #[test]
        fn exchanging_the_shapes_changes_nothing_else() {
            let mut rng = Rng::new(2);
            for _ in 0..rounds(200) {
                let (a, pose_a, b, pose_b, _) = case(&mut rng);
                let there = $d::distance(&a, pose_a, &b, pose_b).unwrap();
                let back = $d::distance(&b, pose_b, &a, pose_a).unwrap();
                assert_eq!(
                    (there.distance, there.lower, there.upper),
                    (back.distance, back.lower, back.upper)
                );
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
        }

        #[test]
        fn lengths_scale_by_powers_of_two() {
            let mut rng = Rng::new(3);
            for _ in 0..rounds(120) {
                let (a, pose_a, b, pose_b, _) = case(&mut rng);
                let exponent = rng.pick(&[-300, -40, -7, 1, 33, 300]);
                let factor = carom_oracle::generate::power_of_two(exponent);
                let (Some(large_a), Some(large_b)) = (scaled(&a, factor), scaled(&b, factor)) else {
                    continue;
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
        }

        #[test]
        fn points_and_rays_meet_the_nearest_part() {
            let mut rng = Rng::new(4);
            for _ in 0..rounds(400) {
                let composite = rng.below($composites);
                let (shape, pose) = (random_shape(&mut rng, composite), random_pose(&mut rng));
                let (target, origin) =
                    (random_pose(&mut rng).translation, random_pose(&mut rng).translation * 2.0);
                let size =
                    size_of(&shape) + (origin - pose.translation).max_abs() + (target - origin).max_abs();
                let near = $d::closest_point(&shape, pose, origin).unwrap();
                let mut least = f64::INFINITY;
                let Ok(ray) = $d::Ray::new(origin, target - origin) else { continue };
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
                        assert!((hit.t - first).abs() <= 1e-9 * (1.0 + first), "{shape:?} {hit:?} {first}");
                        assert!(
                            hit.t == 0.0 || parts_of(&shape).iter().any(|part| part.0 == hit.feature >> 2)
                        );
                    }
                    None => assert_eq!(first, f64::INFINITY, "{shape:?} {pose:?} {ray:?}"),
                }
            }
        }

        #[test]
        fn moving_shapes_touch_first_where_their_parts_do() {
            let mut rng = Rng::new(5);
            let mut hits = 0;
            for _ in 0..rounds(120) {
                let (a, pose_a, b, pose_b, size) = case(&mut rng);
                let velocity_a = random_pose(&mut rng).translation;
                let velocity_b = (pose_a.translation - pose_b.translation) * rng.uniform(0.5, 2.0);
                let options = carom_geometry::CastOptions { max: 1.5 };
                let found = $d::cast_shape(&a, pose_a, velocity_a, &b, pose_b, velocity_b, options).unwrap();
                let back = $d::cast_shape(&b, pose_b, velocity_b, &a, pose_a, velocity_a, options).unwrap();
                assert_eq!(found.map(|hit| (hit.t, hit.normal)), back.map(|hit| (hit.t, -hit.normal)));
                let mut first = f64::INFINITY;
                for (_, part_a, at_a, part_b, at_b) in pairs(&a, pose_a, &b, pose_b) {
                    let hit = $d::cast_shape(&part_a, at_a, velocity_a, &part_b, at_b, velocity_b, options)
                        .unwrap();
                    first = hit.map_or(first, |hit| hit.t.min(first));
                }
                hits += usize::from(first < f64::INFINITY);
                let t = found.map_or(f64::INFINITY, |hit| hit.t);
                assert!(t == first || (t - first).abs() <= 1e-9 * (1.0 + size), "{a:?} {b:?} {t} {first}");
            }
            assert!(10 < hits);
        }

        #[test]
        fn turning_shapes_touch_first_where_their_parts_do() {
            let mut rng = Rng::new(6);
            let mut hits = 0;
            for _ in 0..rounds(25) {
                let (a, pose_a, b, pose_b, size) = case(&mut rng);
                let towards = (pose_a.translation - pose_b.translation) * rng.uniform(0.5, 1.5);
                let still = $motion::from_velocity(pose_a, $vector::ZERO, $angular(&mut rng));
                let turning = $motion::from_velocity(pose_b, towards, $angular(&mut rng));
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
                    hits += 1;
                    let speed = towards.length() + 8.0 * size;
                    let gap = separate(hit.t);
                    assert!(gap <= speed * (hit.tolerance + 1e-12) * 4.0, "{a:?} {b:?} {hit:?} {gap}");
                }
            }
            assert!(3 < hits);
        }

        #[test]
        fn boxes_hold_all_parts() {
            let mut rng = Rng::new(7);
            for _ in 0..rounds(100) {
                let composite = rng.below($composites);
                let (shape, pose) = (random_shape(&mut rng, composite), random_pose(&mut rng));
                let whole = $d::aabb(&shape, pose).unwrap();
                let grown = whole.grown(64.0 * f64::EPSILON * (size_of(&shape) + pose.translation.max_abs()));
                let mut merged = $d::Aabb::empty();
                for (_, part, local) in parts_of(&shape) {
                    merged = merged.merged($d::aabb(&part, pose * local).unwrap());
                }
                assert!(grown.contains_box(merged), "{shape:?} {whole:?} {merged:?}");
                let motion = $motion::from_velocity(pose, $vector::unit(0), $angular(&mut rng));
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
        }
    };
}

use brute_force;
