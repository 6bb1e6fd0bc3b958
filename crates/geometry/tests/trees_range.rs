//! Trees over boxes at the ends of the range of numbers, against sums at another scale.

use carom_geometry::Error;
use carom_geometry::bound::Aabb;
use carom_geometry::bvh::{Bvh, DynamicBvh, Index};
use carom_math::{Number, Vec3, Vector, power_of_two};
use carom_oracle::generate::Rng;
use core::ops::ControlFlow;
use std::collections::BTreeSet;

/// The largest numbers and what is among them: differences are out of range, answers are not. Computed at 2⁻⁶⁰⁰ of the size.
#[test]
fn questions_across_the_whole_range_of_numbers_miss_nothing() -> Result<(), Error> {
    type V = Vec3<f64>;
    const SMALL: f64 = power_of_two(-600);
    let rng = &mut Rng::new(41);
    let coordinate = |rng: &mut Rng| {
        let size = rng.pick(&[f64::MAX, f64::MAX, f64::MAX, f64::MAX / 2.0, 1e300, 1e292, 1e280, 1.0, 0.0]);
        let share = rng.uniform(-1.0, 1.0);
        size * rng.pick(&[1.0, -1.0, 0.5, -0.25, share])
    };
    let point = |rng: &mut Rng| V::from_fn(|_| coordinate(rng));
    let distance = |own: &Aabb<V>, at: V| {
        let (min, max, at) = (own.min * SMALL, own.max * SMALL, at * SMALL);
        V::from_fn(|k| (min.get(k) - at.get(k)).max_of(at.get(k) - max.get(k)).max_of(0.0)).length()
    };
    let mut counts = [0; 3];
    for round in 0..600 {
        // Some trees lie on one side of zero, far from it.
        let shift = if round % 3 == 0 { V::splat(f64::MAX / 2.0) } else { V::ZERO };
        let factor = if round % 3 == 0 { 0.5 } else { 1.0 };
        let boxes: Vec<Aabb<V>> = (0..1 + rng.below(30))
            .map(|_| {
                let [a, b] = [0; 2].map(|_| point(rng) * factor + shift);
                Aabb {
                    min: a.min_by_axis(b),
                    max: if rng.one_in(2) { a.min_by_axis(b) } else { a.max_by_axis(b) },
                }
            })
            .collect();
        let tree = Bvh::build(&boxes);
        let changing = DynamicBvh::build(0.0, &boxes)?;
        let index = Index::build(boxes.iter().copied().zip(0..))?;
        for _ in 0..8 {
            let (at, radius) = (point(rng), coordinate(rng).abs());
            let clear =
                |item: usize| (distance(&boxes[item], at) - radius * SMALL).abs() > 1e-12 * radius * SMALL;
            let within: BTreeSet<usize> =
                (0..boxes.len()).filter(|&k| distance(&boxes[k], at) <= radius * SMALL).collect();
            let [mut found, mut other] = [BTreeSet::new(), BTreeSet::new()];
            let _ = tree.overlapping_ball(at, radius, |item| {
                found.insert(item);
                ControlFlow::<()>::Continue(())
            });
            let _ = changing.overlapping_ball(at, radius, |item| {
                other.insert(item);
                ControlFlow::<()>::Continue(())
            });
            for item in found.symmetric_difference(&within).chain(other.symmetric_difference(&within)) {
                assert!(!clear(*item), "{item} {at:?} {radius:e} {boxes:?}");
            }
            counts[0] += within.len();

            // Along an axis, where parameters are quotients of differences.
            let (axis, reach) = (rng.below(3), coordinate(rng));
            let direction = V::ZERO.with(axis, reach);
            let hit = |item: usize| {
                let beside = (0..3).filter(|&k| k != axis || reach == 0.0);
                let inside =
                    |k: usize| boxes[item].min.get(k) <= at.get(k) && at.get(k) <= boxes[item].max.get(k);
                let ends = [boxes[item].min, boxes[item].max]
                    .map(|end| end.get(axis) * SMALL - at.get(axis) * SMALL);
                let [enter, leave] =
                    if reach < 0.0 { [ends[1], ends[0]] } else { ends }.map(|end| end / (reach * SMALL));
                let t = if reach == 0.0 { 0.0 } else { enter.max_of(0.0) };
                (beside.into_iter().all(inside) && (reach == 0.0 || t <= leave) && t <= 10.0).then_some(t)
            };
            let first = (0..boxes.len())
                .filter_map(|k| hit(k).map(|t| (k, t)))
                .reduce(|a, b| if b.1 < a.1 { b } else { a });
            assert_eq!(
                tree.cast_ray(at, direction, 10.0, |k, _| hit(k)),
                first,
                "{at:?} {direction:?} {boxes:?}"
            );
            assert_eq!(changing.cast_ray(at, direction, 10.0, |k, _| hit(k)), first);
            counts[1] += usize::from(first.is_some());

            let mut distances: Vec<f64> = boxes.iter().map(|own| distance(own, at)).collect();
            distances.sort_by(f64::total_cmp);
            let near = [
                tree.nearest_boxes(at, 4).into_iter().map(|near| near.1).collect::<Vec<_>>(),
                changing.nearest_boxes(at, 4).into_iter().map(|near| near.1).collect(),
                index.nearest(at, 4)?.into_iter().map(|near| near.1).collect(),
            ];
            for near in near {
                assert_eq!(near.len(), boxes.len().min(4));
                for (found, expected) in near.into_iter().zip(&distances) {
                    let is_same = (found * SMALL - expected).abs() <= 1e-12 * expected;
                    assert!(
                        is_same || (found == f64::INFINITY && 0.99 * f64::MAX * SMALL < *expected),
                        "{found:e} {expected:e}"
                    );
                    counts[2] += 1;
                }
            }
        }
    }
    assert!(counts.into_iter().all(|count| 500 < count), "{counts:?}");
    // A point that is infinitely far in units of the tree.
    let tiny = Aabb { min: V::ZERO, max: V::splat(f64::MIN_POSITIVE) };
    assert_eq!(Bvh::build(&[tiny]).nearest_boxes(V::new(3e9, 0.0, 4e9), 1), [(0, 5e9)]);
    Ok(())
}
