use super::*;
use carom_math::{Vec2, Vec3};
use carom_oracle::generate::{Rng, any_bits, coordinate};
use core::ops::ControlFlow;

fn collect<const N: usize>(
    walk: impl FnOnce(&mut dyn FnMut([usize; N]) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Vec<[usize; N]> {
    let mut found = Vec::new();
    let _ = walk(&mut |items| {
        found.push(items);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

/// Random, lattice, clustered, on a line, coincident, of very different sizes; and raw bits.
fn boxes<V: Vector<Scalar = f64>>(rng: &mut Rng, count: usize, kind: usize) -> Vec<Aabb<V>> {
    (0..count)
        .map(|i| {
            let position = |rng: &mut Rng| match kind {
                0 => rng.uniform(-10.0, 10.0),
                1 => coordinate(rng),
                2 => f64::from(rng.between(-3, 3)),
                3 => i as f64,
                4 => 1.0,
                5 => carom_math::power_of_two((i as i32 % 1800) - 900),
                _ => any_bits(rng),
            };
            let a = V::from_fn(|_| position(rng));
            let extent = V::from_fn(|_| match kind {
                2 | 3 => f64::from(rng.between(0, 1)),
                4 => 1.0,
                6 => any_bits(rng),
                _ => rng.uniform(0.0, 3.0),
            });
            if kind == 6 { Aabb { min: a, max: extent } } else { Aabb { min: a, max: a + extent } }
        })
        .collect()
}

fn queries_match_brute_force<V: Vector<Scalar = f64>>(seed: u64) {
    let mut rng = Rng::new(seed);
    for round in 0..140 {
        let kind = round % 7;
        let (count, other_count) = (rng.below(40), rng.below(30));
        let first = boxes::<V>(&mut rng, count, kind);
        let second = boxes::<V>(&mut rng, other_count, kind);
        let (tree, other) = (Bvh::build(&first), Bvh::build(&second));
        assert_eq!((tree.len(), tree.is_empty()), (count, count == 0));

        for window in &second {
            let found = collect(|visit| tree.overlapping(*window, |i| visit([i])));
            let expected: Vec<_> = (0..count).filter(|&i| first[i].overlaps(*window)).map(|i| [i]).collect();
            assert_eq!(found, expected);
        }
        let expected: Vec<_> = (0..count)
            .flat_map(|i| (i + 1..count).map(move |j| [i, j]))
            .filter(|&[i, j]| first[i].overlaps(first[j]))
            .collect();
        assert_eq!(collect(|visit| tree.self_pairs(|i, j| visit([i, j]))), expected);
        let expected: Vec<_> = (0..count)
            .flat_map(|i| (0..other_count).map(move |j| [i, j]))
            .filter(|&[i, j]| first[i].overlaps(second[j]))
            .collect();
        assert_eq!(collect(|visit| tree.pairs(&other, |i, j| visit([i, j]))), expected);
        let moved = tree.refitted(|i| second.get(i).copied().unwrap_or(first[i]));
        if let Some(window) = second.first() {
            let found = collect(|visit| moved.overlapping(*window, |i| visit([i])));
            let now = |i: usize| second.get(i).copied().unwrap_or(first[i]);
            let expected: Vec<_> = (0..count).filter(|&i| now(i).overlaps(*window)).map(|i| [i]).collect();
            assert_eq!(found, expected);
        }

        for _ in 0..5 {
            let point = V::from_fn(|_| coordinate(&mut rng));
            let nearest_corner = |i: usize| (first[i].min - point).length_squared();
            let found = tree.nearest(|bounds| squared_distance_below(bounds, point), nearest_corner);
            let expected = (0..count).map(|i| (i, nearest_corner(i))).filter(|(_, d)| !d.is_nan()).fold(
                None,
                |best: Option<(usize, f64)>, (i, d)| {
                    if best.is_some_and(|(_, least)| least <= d) { best } else { Some((i, d)) }
                },
            );
            // A box with corners in the wrong order bounds nothing, so raw bits are only walked.
            if kind < 6 {
                assert_eq!(found, expected);
            }

            // The ray meets the centre of a box at t = 1 when it is aimed there.
            let Some(target) = first.first() else { continue };
            let direction = target.center() - point;
            let at_center = |i: usize| (first[i].center() == target.center()).then_some(1.0);
            let hit = tree.cast_ray(point, direction, 1.0, |i, _| at_center(i));
            if kind < 5 {
                let expected = (0..count).find(|&i| at_center(i).is_some());
                let exact = point + direction == target.center();
                assert!(!exact || hit.map(|(i, _)| i) == expected, "{hit:?} {expected:?}");
            }
        }
    }
}

#[test]
fn plane_queries_match_brute_force() {
    queries_match_brute_force::<Vec2<f64>>(1);
}

#[test]
fn space_queries_match_brute_force() {
    queries_match_brute_force::<Vec3<f64>>(2);
}

#[test]
fn depth_stays_logarithmic_when_nothing_separates_the_boxes() {
    let same = Aabb { min: Vec3::new(1.0_f32, 2.0, 3.0), max: Vec3::new(2.0, 3.0, 4.0) };
    let tree = Bvh::build(&vec![same; 10_000]);
    // Halving 10⁴ boxes takes 14 steps at most, and a node takes three at once.
    assert!(tree.depth() <= 6, "{}", tree.depth());
}

#[test]
fn rays_meet_flat_boxes_edge_on_and_stop_at_their_limit() {
    let wall = Aabb { min: Vec2::new(3.0, -1.0), max: Vec2::new(3.0, 1.0) };
    let tree = Bvh::build(&[wall]);
    let cast = |origin: [f64; 2], direction: [f64; 2], max| {
        tree.cast_ray(origin.into(), direction.into(), max, |_, _| Some(0.0)).is_some()
    };
    assert!(cast([0.0, 1.0], [1.0, 0.0], 3.0)); // through the tip, exactly at the limit
    assert!(cast([3.0, 5.0], [0.0, -1.0], 10.0)); // along the wall
    assert!(!cast([0.0, 1.0], [1.0, 0.0], 2.9));
    assert!(!cast([0.0, 1.0 + 1e-6], [1.0, 0.0], 9.0));
    assert!(!cast([4.0, 0.0], [1.0, 0.0], 9.0)); // behind
    assert!(!cast([f64::NAN, 0.0], [1.0, 0.0], 9.0));
}

/// The box around a point is what its coordinates give one by one, zeros of either sign and numbers that vanish in `f32` among them.
#[test]
fn the_box_around_a_point_is_the_smallest() {
    let rng = &mut Rng::new(17);
    let center = Vec3::new(0.0, 0.25, -3.0);
    let frames = [0.5, carom_math::power_of_two(900)].map(|scale| Frame::<Vec3<f64>> { center, scale });
    let mut numbers = vec![
        0.0,
        -0.0,
        0.25,
        -3.0,
        1e-310,
        -1e-310,
        1e-46,
        -1e-46,
        1e-40,
        -1e-40,
        1e30,
        -1e30,
        1e300,
        -1e300,
        f64::MAX,
        f64::MIN,
    ];
    for _ in 0..20_000 {
        let size = carom_math::power_of_two(rng.uniform(-160.0, 100.0) as i32);
        numbers.push(rng.uniform(-1.0, 1.0) * size);
        // Numbers that are their own nearest.
        numbers.push(2.0 * f64::from((rng.uniform(-1.0, 1.0) * size) as f32));
    }
    for (x, frame) in numbers.into_iter().flat_map(|x| frames.map(|frame| (x, frame))) {
        let point = Vec3::splat(x);
        let spot = frame.spot(point);
        for (axis, ends) in spot.0.as_ref().iter().enumerate() {
            let expected = [frame.below(point, axis), frame.above(point, axis)];
            assert_eq!(*ends, expected, "{x} along {axis}");
        }
    }
}
