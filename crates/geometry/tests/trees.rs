//! Trees over boxes against brute force: every pair, every change, every thread count.

use carom_geometry::Error;
use carom_geometry::bound::Aabb;
use carom_geometry::bvh::{Bvh, DynamicBvh, Index};
use carom_math::{Number, Real, Vec2, Vec3, Vector, power_of_two};
use carom_oracle::generate::{Rng, any_bits};
use core::ops::ControlFlow;
use std::collections::{BTreeMap, BTreeSet};

const SCENES: [&str; 6] = ["random", "clustered", "line", "coincident", "ratio", "lattice"];

fn any_box<V: Vector>(rng: &mut Rng, scene: &str) -> Aabb<V> {
    let cluster = f64::from(rng.between(0, 3)) * 100.0;
    let size_of_all = if scene == "ratio" { power_of_two(rng.between(-10, 10)) } else { 1.0 };
    let along = rng.uniform(0.0, 60.0);
    let corner = V::from_fn(|axis| {
        V::Scalar::from_f64(match scene {
            "clustered" => cluster + rng.uniform(-2.0, 2.0),
            "line" => [along, 0.0, 0.0][axis],
            "coincident" => 1.0,
            "lattice" => f64::from(rng.between(-4, 4)),
            _ => rng.uniform(-8.0, 8.0),
        })
    });
    let size = V::from_fn(|_| {
        V::Scalar::from_f64(match scene {
            "coincident" => 1.0,
            "lattice" => f64::from(rng.between(0, 1)),
            _ => size_of_all * rng.uniform(0.0, 2.0),
        })
    });
    Aabb { min: corner, max: corner + size }
}

fn brute_pairs<V: Vector>(boxes: &BTreeMap<usize, Aabb<V>>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    for (i, a) in boxes {
        for (j, b) in boxes.range(i + 1..) {
            if a.overlaps(*b) {
                pairs.push([*i as u32, *j as u32]);
            }
        }
    }
    pairs
}

/// 1,000 random operations; after each the tree is sound and its pairs are those of brute force.
fn pairs_survive_any_change<V: Vector>(seed: u64, scene: &str, margin: f64) -> Result<(), Error> {
    let rng = &mut Rng::new(seed);
    let margin = V::Scalar::from_f64(margin);
    let ground: Vec<Aabb<V>> = (0..40).map(|_| any_box(rng, scene)).collect();
    let fixed = Bvh::build(&ground);
    let mut tree = DynamicBvh::<V>::new(margin)?;
    let mut tight: BTreeMap<usize, Aabb<V>> = BTreeMap::new();
    let mut moved = BTreeSet::new();
    for operation in 0..1000 {
        let item = rng.below(90);
        let bounds = any_box::<V>(rng, scene);
        match (rng.below(12), tight.contains_key(&item)) {
            (0..=6, false) => {
                tree.insert(item, bounds)?;
                tight.insert(item, bounds);
                moved.insert(item);
            }
            (0..=1, true) => {
                assert!(tree.remove(item) && !tree.remove(item));
                tight.remove(&item);
                moved.remove(&item);
            }
            (2..=6, true) => {
                if tree.move_to(item, bounds)? {
                    moved.insert(item);
                }
                tight.insert(item, bounds);
            }
            (7, _) => {
                // Many at once, some of them hardly.
                let share = rng.below(100);
                let mut moves = Vec::new();
                for (item, own) in &mut tight {
                    if rng.below(100) < share {
                        *own =
                            if rng.below(2) == 0 { any_box(rng, scene) } else { own.grown(V::Scalar::ZERO) };
                        moves.push((*item, *own));
                    }
                }
                let before: BTreeMap<_, _> = tree.iter().collect();
                let left = tree.move_many(&moves)?;
                let changed: Vec<_> = tree.iter().filter(|(item, own)| before[item] != *own).collect();
                assert_eq!(changed.len(), left);
                moved.extend(changed.iter().map(|(item, _)| *item));
            }
            (8, _) => {
                tree.forget_moves();
                moved.clear();
            }
            (9, _) if operation % 5 == 0 => tree.rebuild(),
            (10, _) => {
                tree.rebuild_marked();
            }
            _ => {}
        }
        assert_eq!(tree.validate(), Ok(()), "{scene} {operation}");
        assert_eq!(tree.len(), tight.len());
        let fat: BTreeMap<usize, Aabb<V>> = tree.iter().collect();
        for (item, own) in &tight {
            assert!(fat[item].contains_box(*own), "{scene} {operation}: item {item} is outside of its box");
        }
        let expected = brute_pairs(&fat);
        assert_eq!(tree.all_pairs(), expected, "{scene} {operation}");
        let is_moved = |item: u32| moved.contains(&(item as usize));
        let fresh: Vec<_> = expected.iter().copied().filter(|[i, j]| is_moved(*i) || is_moved(*j)).collect();
        assert_eq!(tree.moved_pairs(), fresh, "{scene} {operation}");
        assert_eq!(tree.moved(), moved.iter().copied().collect::<Vec<_>>());
        let on_ground: Vec<[u32; 2]> = fat
            .iter()
            .flat_map(|(i, own)| {
                let met = ground.iter().enumerate().filter(|(_, other)| own.overlaps(**other));
                met.map(|(j, _)| [*i as u32, j as u32])
            })
            .collect();
        assert_eq!(tree.all_pairs_with(&fixed), on_ground, "{scene} {operation}");
        let fresh: Vec<_> = on_ground.into_iter().filter(|[i, _]| is_moved(*i)).collect();
        assert_eq!(tree.moved_pairs_with(&fixed), fresh, "{scene} {operation}");
        // Eight boxes a node, three at least: log₃ is more than enough.
        assert!(tree.depth() <= 6, "{scene} {operation}: depth {}", tree.depth());
    }
    Ok(())
}

#[test]
fn pairs_equal_brute_force_after_each_of_a_thousand_changes() -> Result<(), Error> {
    for (seed, scene) in SCENES.iter().enumerate() {
        pairs_survive_any_change::<Vec3<f32>>(seed as u64, scene, 0.25)?;
        pairs_survive_any_change::<Vec2<f64>>(seed as u64 + 10, scene, 0.0)?;
        pairs_survive_any_change::<Vec3<f64>>(seed as u64 + 20, scene, 0.1)?;
    }
    Ok(())
}

fn collected(walk: impl FnOnce(&mut dyn FnMut(usize) -> ControlFlow<()>) -> ControlFlow<()>) -> Vec<usize> {
    let mut found = Vec::new();
    let _ = walk(&mut |item| {
        found.push(item);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    found
}

fn queries_equal_brute_force<V: Vector>(seed: u64, scale: f64) {
    let rng = &mut Rng::new(seed);
    for round in 0..60 {
        let scene = SCENES[round % SCENES.len()];
        let factor = V::Scalar::from_f64(scale);
        let scaled = |own: Aabb<V>| Aabb { min: own.min * factor, max: own.max * factor };
        let boxes: Vec<Aabb<V>> = (0..rng.below(200)).map(|_| scaled(any_box(rng, scene))).collect();
        let (tree, mut moving) = (Bvh::build(&boxes), DynamicBvh::new(V::Scalar::ZERO).unwrap());
        boxes.iter().enumerate().for_each(|(i, own)| moving.insert(i, *own).unwrap());
        for _ in 0..10 {
            let probe = scaled(any_box(rng, scene));
            let point = probe.max;
            let distance = |own: &Aabb<V>| (own.closest_point(point).widen() - point.widen()).length();
            let radius = V::Scalar::from_f64(rng.uniform(0.0, 5.0) * scale);
            let expected: Vec<usize> =
                (0..boxes.len()).filter(|&i| distance(&boxes[i]) <= radius.to_f64()).collect();
            assert_eq!(collected(|visit| tree.overlapping_ball(point, radius, visit)), expected);
            assert_eq!(collected(|visit| moving.overlapping_ball(point, radius, visit)), expected);
            let expected: Vec<usize> = (0..boxes.len()).filter(|&i| boxes[i].overlaps(probe)).collect();
            assert_eq!(collected(|visit| tree.overlapping(probe, visit)), expected);
            assert_eq!(collected(|visit| moving.overlapping(probe, visit)), expected);

            let mut order: Vec<(f64, usize)> = boxes.iter().map(distance).zip(0..).collect();
            order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let count = rng.below(12);
            let expected: Vec<_> =
                order.iter().take(count).map(|(d, i)| (*i, V::Scalar::from_f64(*d))).collect();
            assert_eq!(tree.nearest_boxes(point, count), expected);
            assert_eq!(moving.nearest_boxes(point, count), expected);

            let halves: Vec<(V, V::Scalar)> = (0..rng.below(4))
                .map(|_| {
                    let normal = V::from_fn(|_| V::Scalar::from_f64(f64::from(rng.between(-2, 2))));
                    (normal, V::Scalar::from_f64(rng.uniform(-8.0, 8.0) * scale))
                })
                .collect();
            let inside = |own: &Aabb<V>| halves.iter().all(|(n, d)| own.shadow(*n).min <= *d);
            let expected: Vec<usize> = (0..boxes.len()).filter(|&i| inside(&boxes[i])).collect();
            assert_eq!(collected(|visit| tree.in_half_spaces(&halves, visit)), expected);

            // Every box whose corner the ray is aimed at is offered.
            let Some(target) = boxes.first() else { continue };
            let direction = target.min - point;
            let mut offered = false;
            tree.cast_ray(point, direction, V::Scalar::from_f64(1.5), |item, _| {
                offered |= item == 0;
                None
            });
            assert!(offered, "{scene} {round}");
        }
    }
}

#[test]
fn queries_agree_with_brute_force_at_any_scale() {
    queries_equal_brute_force::<Vec3<f32>>(1, 1.0);
    queries_equal_brute_force::<Vec2<f32>>(2, power_of_two(-20));
    queries_equal_brute_force::<Vec3<f64>>(3, 1.0);
    queries_equal_brute_force::<Vec2<f64>>(4, power_of_two(300));
    queries_equal_brute_force::<Vec3<f64>>(5, power_of_two(-300));
}

#[test]
fn any_number_of_threads_gives_the_same_tree_and_the_same_pairs() {
    let rng = &mut Rng::new(5);
    for scene in ["random", "clustered", "line", "ratio"] {
        let spread = V3::splat(if scene == "ratio" { 0.02 } else { 0.05 });
        let boxes: Vec<Aabb<V3>> = (0..12_000)
            .map(|_| any_box::<V3>(rng, scene))
            .map(|own| Aabb { min: own.min, max: own.min + (own.max - own.min).zip(spread, |a, b| a * b) })
            .collect();
        let run = || {
            let tree = Bvh::build(&boxes);
            let mut order = Vec::new();
            let everything = Aabb { min: V3::splat(-1e9), max: V3::splat(1e9) };
            let _ = tree.overlapping(everything, |item| {
                order.push(item);
                ControlFlow::<()>::Continue(())
            });
            let mut moving = DynamicBvh::build(0.01, &boxes).unwrap();
            let all = moving.all_pairs();
            moving.forget_moves();
            let moves: Vec<_> = (0..3000).map(|i| (i * 3, boxes[i])).collect();
            moving.move_many(&moves).unwrap();
            (order, tree.all_pairs(), all, moving.moved_pairs(), moving.all_pairs_with(&tree))
        };
        let runs: Vec<_> = [1, 2, 3, 8]
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run))
            .into_iter()
            .collect();
        assert!(!runs[0].1.is_empty() && !runs[0].3.is_empty());
        assert!(runs.iter().all(|other| *other == runs[0]), "{scene}");
        let few: BTreeMap<usize, _> = boxes[..2000].iter().copied().enumerate().collect();
        let among_few: Vec<_> = runs[0].1.iter().copied().filter(|[_, j]| *j < 2000).collect();
        assert_eq!(among_few, brute_pairs(&few));
    }
}

type V3 = Vec3<f32>;

#[test]
fn a_bad_move_among_many_is_named_and_changes_nothing() -> Result<(), Error> {
    let at = |x: f32| Aabb { min: Vec3::splat(x), max: Vec3::splat(x + 1.0) };
    let with = |low: f32, high: f32| Aabb { min: Vec3::splat(low), max: Vec3::new(2.0, high, 2.0) };
    let mut tree = DynamicBvh::build(0.25, &[at(0.0), at(5.0), at(9.0)])?;
    tree.forget_moves();
    let before: Vec<_> = tree.iter().collect();
    let no_item = |index: usize| Error::NoSuchIndex { what: "item", index, count: 3 };
    let not_finite = |value: f64| Error::BoxNotFinite { index: 1, value };
    for (bad, error) in [
        ((usize::MAX, at(1.0)), no_item(usize::MAX)),
        ((3, at(1.0)), no_item(3)),
        ((1, with(f32::NEG_INFINITY, 2.0)), not_finite(f64::NEG_INFINITY)),
        ((1, with(0.0, f32::INFINITY)), not_finite(f64::INFINITY)),
        ((1, with(0.0, -1.0)), Error::BoxEmpty { index: 1 }),
        // Within the old enlarged box, and empty all the same.
        ((1, Aabb { min: Vec3::splat(5.2), max: Vec3::new(6.0, 5.1, 6.0) }), Error::BoxEmpty { index: 1 }),
    ] {
        assert_eq!(tree.move_many(&[(0, at(20.0)), bad, (2, at(30.0))]), Err(error));
    }
    assert!(tree.move_many(&[(0, at(20.0)), (1, with(f32::NAN, 2.0))]).is_err());
    assert_eq!((tree.iter().collect::<Vec<_>>(), tree.moved()), (before, vec![]));
    assert_eq!(tree.validate(), Ok(()));
    Ok(())
}

/// The items and boxes of a tree after moves one by one, and then what many in order get besides: new boxes for what is closer to an end of its own than
/// half the margin.
fn with_those_about_to_leave<V: Vector>(
    one_by_one: &DynamicBvh<V>,
    moves: &[(usize, Aabb<V>)],
) -> BTreeMap<usize, Aabb<V>> {
    let mut boxes: BTreeMap<_, _> = one_by_one.iter().collect();
    let half = one_by_one.margin() * V::Scalar::HALF;
    for (item, own) in moves {
        let fat = boxes[item];
        let room = |axis| (own.min - fat.min).get(axis).min_of((fat.max - own.max).get(axis));
        if (0..V::DIM).any(|axis| room(axis) < half) {
            boxes.insert(*item, own.grown(one_by_one.margin()));
        }
    }
    boxes
}

/// Moves of more items than are looked at at a time, in order or not, some twice, are what the same moves are one by one, but for those that get new boxes
/// because many others do; and when the last is refused, all of them are taken back.
fn many_moves_are_those_one_by_one<V: Vector>(seed: u64) -> Result<(), Error> {
    let rng = &mut Rng::new(seed);
    let around = |rng: &mut Rng, size: f64| {
        let corner = V::from_fn(|_| V::Scalar::from_f64(rng.uniform(-size, size)));
        Aabb { min: corner, max: corner + V::splat(V::Scalar::ONE) }
    };
    let mut got_besides = 0;
    for (in_order, share) in
        [(true, 1.0), (true, 0.3), (true, 0.16), (true, 0.05), (false, 1.0), (false, 0.2), (false, 0.02)]
    {
        let boxes: Vec<Aabb<V>> = (0..1500).map(|_| around(rng, 9.0)).collect();
        let mut tree = DynamicBvh::build(V::Scalar::HALF, &boxes)?;
        assert!(tree.remove(700));
        tree.forget_moves();
        let mut moves = Vec::new();
        for item in (0..boxes.len()).filter(|item| *item != 700) {
            let item = if in_order { item } else { rng.below(700) };
            if rng.uniform(0.0, 1.0) < share {
                let near = Aabb { min: boxes[item].min, max: boxes[item].max + V::splat(V::Scalar::HALF) };
                moves.push((item, if rng.below(3) == 0 { near } else { around(rng, 9.0) }));
            }
        }
        let mut one_by_one = tree.clone();
        let before: Vec<_> = tree.iter().collect();
        moves.push((700, boxes[700]));
        assert!(tree.move_many(&moves).is_err());
        assert_eq!(
            (tree.iter().collect::<Vec<_>>(), tree.moved(), tree.validate()),
            (before, vec![], Ok(()))
        );
        moves.pop();
        let mut left = 0;
        for (item, own) in &moves {
            left += usize::from(one_by_one.move_to(*item, *own)?);
        }
        let mut expected: BTreeMap<_, _> = one_by_one.iter().collect();
        let mut moved = one_by_one.moved();
        if in_order && tree.len() <= 8 * left {
            let alone = core::mem::replace(&mut expected, with_those_about_to_leave(&one_by_one, &moves));
            let besides: Vec<_> = alone.iter().filter(|(item, own)| expected[item] != **own).collect();
            got_besides += besides.len();
            left += besides.len();
            moved.extend(besides.iter().map(|(item, _)| **item));
            moved.sort_unstable();
        }
        assert_eq!(tree.move_many(&moves)?, left);
        assert_eq!(tree.validate(), Ok(()));
        assert_eq!(tree.iter().collect::<BTreeMap<_, _>>(), expected);
        assert_eq!(tree.moved(), moved);
        let is_moved = |item: &u32| moved.binary_search(&(*item as usize)).is_ok();
        let of_moved = brute_pairs(&expected).into_iter().filter(|pair| pair.iter().any(is_moved));
        assert_eq!(tree.moved_pairs(), of_moved.collect::<Vec<_>>());
        tree.forget_moves();
        assert!(tree.moved().is_empty() && tree.moved_pairs().is_empty());
    }
    assert!(300 < got_besides, "{got_besides}");
    Ok(())
}

#[test]
fn many_moves_at_once_are_the_same_moves_one_by_one() -> Result<(), Error> {
    many_moves_are_those_one_by_one::<Vec3<f32>>(3)?;
    many_moves_are_those_one_by_one::<Vec3<f64>>(4)?;
    many_moves_are_those_one_by_one::<Vec2<f32>>(5)
}

#[test]
fn depth_stays_logarithmic_whatever_comes() {
    let same = Aabb { min: V3::splat(1.0), max: V3::splat(2.0) };
    assert!(Bvh::build(&vec![same; 10_000]).depth() <= 6);
    let mut tree = DynamicBvh::new(0.0).unwrap();
    for item in 0..10_000 {
        tree.insert(item, same).unwrap();
    }
    assert_eq!(tree.validate(), Ok(()));
    // log₃ 10⁴ is 8.4.
    assert!(tree.depth() <= 9, "{}", tree.depth());
    // Distances that double: linear bins can only peel off a few at a time.
    let far: Vec<Aabb<Vec2<f64>>> = (0..1900)
        .map(|k| Vec2::new(power_of_two(k - 950), 0.0))
        .map(|corner| Aabb { min: corner, max: corner })
        .collect();
    let depth = Bvh::build(&far).depth();
    assert!(depth <= 33, "{depth}"); // 3·⌈log₂ 1900⌉
    assert!(Bvh::build(&far).all_pairs().is_empty());
}

#[test]
fn memory_of_a_leaf_is_what_is_stated() {
    let rng = &mut Rng::new(3);
    let boxes: Vec<Aabb<V3>> = (0..20_000).map(|_| any_box(rng, "random")).collect();
    let each = |bytes: usize| bytes as f64 / boxes.len() as f64;
    let fixed = each(Bvh::build(&boxes).memory());
    assert!((36.0..52.0).contains(&fixed), "{fixed}");
    let moving = each(DynamicBvh::build(0.1, &boxes).unwrap().memory());
    assert!((64.0..100.0).contains(&moving), "{moving}");
    let wide: Vec<Aabb<Vec3<f64>>> = boxes.iter().map(|own| own.widen()).collect();
    let fixed = each(Bvh::build(&wide).memory());
    assert!((84.0..100.0).contains(&fixed), "{fixed}");
}

#[test]
fn an_index_refuses_what_it_cannot_hold_and_names_it() -> Result<(), Error> {
    let unit = Aabb { min: Vec2::new(0.0, 0.0), max: Vec2::new(1.0, 1.0) };
    let endless = Aabb { min: Vec2::new(0.0, 0.0), max: Vec2::new(f64::INFINITY, 1.0) };
    let mut index = Index::new();
    let first = index.insert(unit, 'a')?;
    assert_eq!(
        index.insert(endless, 'b').unwrap_err(),
        Error::BoxNotFinite { index: 1, value: f64::INFINITY }
    );
    assert_eq!(index.insert(Aabb::empty(), 'b').unwrap_err().kind(), "not_finite");
    let inverted = Aabb { min: unit.max, max: unit.min };
    assert_eq!(index.insert(inverted, 'b').unwrap_err(), Error::BoxEmpty { index: 1 });
    assert!(index.move_to(first, endless).is_err());
    assert_eq!(index.bounds(first), Some(unit));
    let error = Index::build([(unit, 0), (unit, 1), (inverted, 2)]).unwrap_err();
    assert_eq!(error.to_string(), "the box of entry 2 is empty: its minimum must not be above its maximum");
    assert_eq!(index.remove(first)?, 'a');
    let second = index.insert(unit, 'c')?;
    assert_eq!((second.number(), index.len()), (first.number(), 1));
    assert_eq!(index.get(first), None);
    assert_eq!(index.remove(first), Err(Error::NoSuchEntry { index: 0 }));
    assert_eq!(index.move_to(first, unit), Err(Error::NoSuchEntry { index: 0 }));
    assert_eq!(index.get(second), Some(&'c'));
    assert!(index.nearest([f64::NAN, 0.0], 1).is_err() && index.within([0.0, 0.0], -1.0).is_err());
    assert!(index.cast_ray([0.0, 0.0], [0.0, 0.0], 1.0).is_err());
    Ok(())
}

/// The margin of an index never shows.
#[test]
fn an_index_with_a_margin_answers_for_the_boxes_it_was_given() -> Result<(), Error> {
    let rng = &mut Rng::new(11);
    let mut index = Index::<Vec3<f64>, usize>::with_margin(1.5)?;
    let mut entries = Vec::new();
    for value in 0..150 {
        entries.push(index.insert(any_box(rng, "lattice"), value)?);
    }
    for round in 0..200 {
        let entry = entries[rng.below(entries.len())];
        index.move_to(entry, any_box(rng, "lattice"))?;
        let probe = any_box::<Vec3<f64>>(rng, "lattice");
        let all: Vec<_> = index.iter().map(|(entry, own, _)| (entry, own)).collect();
        let expected: Vec<_> = all.iter().filter(|(_, own)| own.overlaps(probe)).map(|(e, _)| *e).collect();
        assert_eq!(index.overlapping(probe), expected, "{round}");
        let gap = |own: &Aabb<Vec3<f64>>| (own.closest_point(probe.min) - probe.min).length();
        let expected: Vec<_> = all.iter().filter(|(_, own)| gap(own) <= 2.0).map(|(e, _)| *e).collect();
        assert_eq!(index.within(probe.min, 2.0)?, expected, "{round}");
        let mut order: Vec<_> = all.iter().map(|(entry, own)| (*entry, gap(own))).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        order.truncate(7);
        assert_eq!(index.nearest(probe.min, 7)?, order, "{round}");
        let expected: Vec<_> = all
            .iter()
            .enumerate()
            .flat_map(|(k, a)| all[k + 1..].iter().map(move |b| (a, b)))
            .filter(|((_, a), (_, b))| a.overlaps(*b))
            .map(|((a, _), (b, _))| (*a, *b))
            .collect();
        assert_eq!(index.pairs(), expected, "{round}");
        // Along x through lattice points: the first x of each box that the line meets, exactly.
        let origin = Vec3::new(-9.0, probe.min.y, probe.min.z);
        let meets = |own: &Aabb<Vec3<f64>>| {
            own.min.y <= origin.y && origin.y <= own.max.y && own.min.z <= origin.z && origin.z <= own.max.z
        };
        let mut expected: Vec<_> =
            all.iter().filter(|(_, own)| meets(own)).map(|(e, own)| (*e, (own.min.x + 9.0) / 2.0)).collect();
        expected.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        assert_eq!(index.cast_ray(origin, [2.0, 0.0, 0.0], 100.0)?, expected, "{round}");
    }
    Ok(())
}

#[test]
fn no_bits_upset_a_tree() {
    let rng = &mut Rng::new(9);
    for _ in 0..300 {
        let mut raw = || Vec2::new(any_bits(rng), any_bits(rng));
        let boxes: Vec<Aabb<Vec2<f64>>> = (0..30).map(|_| Aabb { min: raw(), max: raw() }).collect();
        let (tree, point, direction) = (Bvh::build(&boxes), raw(), raw());
        let _ =
            (tree.nearest_boxes(point, 3), tree.all_pairs(), tree.refitted(|i| boxes[29 - i]).all_pairs());
        let _ = tree.cast_ray(point, direction, point.x, |_, limit| Some(limit));
        let _ = tree.overlapping_ball(point, direction.x, |_| ControlFlow::<()>::Continue(()));
        let _ = tree.in_half_spaces(&[(point, direction.x)], |_| ControlFlow::<()>::Continue(()));
        let mut moving = DynamicBvh::new(1.0).unwrap();
        for (item, own) in boxes.iter().enumerate() {
            let fine = own.min.finite() && own.max.finite() && !own.is_empty();
            assert_eq!(moving.insert(item, *own).is_ok(), fine);
            assert_eq!(moving.move_to(item, *own).is_ok(), fine);
        }
        assert_eq!(moving.validate(), Ok(()));
        let _ = moving.all_pairs();
    }
}

#[test]
fn an_item_beyond_all_memory_is_refused() {
    let unit = Aabb { min: Vec2::splat(0.0), max: Vec2::splat(1.0) };
    let mut tree = DynamicBvh::build(0.0, &[unit]).unwrap();
    for item in [usize::MAX, usize::MAX - 1, 1 << 62, u32::MAX as usize] {
        assert!(matches!(tree.insert(item, unit), Err(Error::NoSuchIndex { index, .. }) if index == item));
        assert!(tree.insert_at_rest(item, unit).is_err());
        assert_eq!((tree.len(), tree.bounds_of(0), tree.validate()), (1, Some(unit), Ok(())));
    }
}

/// Components that are subnormal in `f32` were rounded by more than was allowed for.
#[test]
fn half_spaces_of_extreme_normals_pass_nothing_over() {
    for top in [1e10, 1e60, 1e300] {
        let tree = Bvh::build(&[Aabb { min: Vec2::new(-3.0, 0.0), max: Vec2::new(0.0, top) }]);
        for component in [1e-30, 1e-38, 1e-40, 1e-45, 1e-300] {
            let mut found = 0;
            let _ = tree.in_half_spaces(&[(Vec2::new(2.0, component), 0.0)], |_| {
                found += 1;
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(found, 1, "{top:e} {component:e}");
        }
    }
}
