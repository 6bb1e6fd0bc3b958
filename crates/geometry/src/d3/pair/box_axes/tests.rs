//! What is beyond doubt in `f32` is what plain loops in `f64` say, also next to ties, touches and parallel edges.

use super::*;
use crate::pair::boxes::{EdgeAxes, best_box_axis};
use carom_math::Quat;
use carom_oracle::generate::{self, Rng};

type Place = Relative<Vec3<f64>, Mat3<f64>>;

/// All axes, not of unit length, with how far both boxes reach along them.
fn axes(place: &Place, [a, b]: [Vec3<f64>; 2]) -> Vec<(Vec3<f64>, f64)> {
    let columns = place.rotation.columns;
    let units: Vec<Vec3<f64>> = (0..3).map(Vec3::unit).collect();
    let edges = units.iter().flat_map(|unit| columns.map(|column| unit.cross(column)));
    let all: Vec<_> = units.iter().copied().chain(columns).chain(edges).collect();
    all.into_iter()
        .map(|axis| {
            let own = a.dot(axis.abs_by_axis());
            (axis, own + (0..3).fold(0.0, |sum, k| sum + b.get(k) * axis.dot(columns[k]).abs()))
        })
        .collect()
}

/// The separation along each axis; NaN for those without length.
fn separations(place: &Place, halves: [Vec3<f64>; 2]) -> Vec<f64> {
    let along =
        |(axis, reach): (Vec3<f64>, f64)| (axis.dot(place.translation).abs() - reach) / Vector::length(axis);
    axes(place, halves).into_iter().map(along).collect()
}

/// A rotation of any kind: any, hardly one, hardly more than one of a cube, and exactly that.
fn rotation(rng: &mut Rng) -> Quat<f64> {
    let [x, y, z, w] = match rng.below(4) {
        0 => [1e-7, 1e-5, 1e-3, 1e-2].map(|size| rng.uniform(-size, size)),
        1 => {
            let size = rng.pick(&[1e-7, 1e-5, 1e-3, 1e-2]);
            generate::cube_rotation(rng).map(|x| x + rng.uniform(-size, size))
        }
        2 => generate::cube_rotation(rng),
        _ => std::array::from_fn(|_| rng.uniform(-1.0, 1.0)),
    };
    Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY)
}

/// Half extents of one size, of sizes that differ by up to a million, or of boxes without thickness.
fn half_extents(rng: &mut Rng) -> Vec3<f64> {
    let least = rng.pick(&[0.5, 0.5, 1e-6]);
    let mut half = Vec3::from_fn(|_| rng.pick(&[1.0, least]) * rng.uniform(0.5, 1.5));
    if rng.one_in(8) {
        half = half.with(rng.below(3), 0.0);
    }
    Vec3::<f32>::narrow(half).widen()
}

fn vector(rng: &mut Rng, size: f64) -> Vec3<f64> {
    Vec3::from_fn(|_| rng.uniform(-size, size))
}

fn size_of_all(place: &Place, [a, b]: [Vec3<f64>; 2]) -> f64 {
    place.translation.sum_of_magnitudes() + a.sum_of_magnitudes() + b.sum_of_magnitudes()
}

/// Multiples of u, with which to miss something.
fn little(rng: &mut Rng) -> f64 {
    let steps = rng.pick(&[0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 1024.0]);
    rng.sign() * steps / 16_777_216.0
}

/// Next to ties as well.
#[test]
fn clear_axes_are_the_best_to_the_bit() {
    let (mut rng, mut clear) = (Rng::new(2), 0);
    for round in 0..20_000 {
        let halves = [half_extents(&mut rng), half_extents(&mut rng)];
        let translation = vector(&mut rng, 2.0);
        let mut place = Relative { rotation: rotation(&mut rng).to_matrix(), translation };
        if round % 4 < 3 {
            let found = separations(&place, halves);
            let (k, m) = (rng.below(15), rng.below(15));
            let along = |index: usize| {
                let axis = axes(&place, halves)[index].0;
                let unit = axis / Vector::length(axis);
                if unit.dot(translation) < 0.0 { -unit } else { unit }
            };
            let towards = along(k) - along(m);
            let miss = little(&mut rng) * size_of_all(&place, halves);
            let by = towards * ((miss - (found[k] - found[m])) / towards.dot(towards));
            if by.max_abs() < 4.0 {
                place.translation += by;
            }
        }
        let Some((axis, is_face)) = Mat3::clear_axis(halves[0], halves[1], &place) else { continue };
        let best = best_box_axis(halves[0], halves[1], &place, f64::INFINITY);
        assert_eq!((axis.separation, axis.normal), (best.separation, best.normal), "{place:?} {halves:?}");
        let faces = separations(&place, halves)[..6].iter().fold(f64::NEG_INFINITY, |most, x| x.max(most));
        assert_eq!(is_face, best.separation - faces < 1e-12, "{place:?} {halves:?}");
        clear += 1;
    }
    assert!(5000 < clear, "{clear}");
}

/// When boxes meet and part along each axis, for axes of some length.
fn times(place: &Place, velocity: Vec3<f64>, halves: [Vec3<f64>; 2]) -> Vec<[f64; 2]> {
    let of_axis = |(axis, reach): (Vec3<f64>, f64)| {
        let (position, speed) = (axis.dot(place.translation), axis.dot(velocity));
        let ends = [(-reach - position) / speed, (reach - position) / speed];
        if speed < 0.0 { [ends[1], ends[0]] } else { ends }
    };
    axes(place, halves).into_iter().map(of_axis).collect()
}

/// Also where two axes are met, or one is met and another left, almost at the same time.
#[test]
fn arrivals_are_at_the_last_axis() {
    let (mut rng, mut counts) = (Rng::new(3), [0; 2]);
    for round in 0..20_000 {
        let halves = [half_extents(&mut rng), half_extents(&mut rng)];
        let [x, y, z, w] = std::array::from_fn(|_| rng.uniform(-1.0, 1.0));
        let turn =
            if rng.one_in(4) { rotation(&mut rng) } else { Quat::new(x, y, z, w).unwrap_or(Quat::IDENTITY) };
        let from = Vec3::from(generate::unit_vector::<3>(&mut rng)) * rng.uniform(1.0, 6.0);
        let velocity = (vector(&mut rng, 1.5) - from) * rng.pick(&[1.0, 1e-6, 1e6]);
        let mut place = Relative { rotation: turn.to_matrix(), translation: from };
        if round % 4 < 3 {
            let found = times(&place, velocity, halves);
            let (k, m) = (rng.below(15), rng.below(15));
            let aside = vector(&mut rng, 1.0);
            let rate = |index: usize| {
                let axis = axes(&place, halves)[index].0;
                -axis.dot(aside) / axis.dot(velocity)
            };
            let difference = found[k][0] - found[m][rng.below(2)];
            let miss = little(&mut rng) * size_of_all(&place, halves) / Vector::length(velocity);
            let by = aside * ((miss - difference) / (rate(k) - rate(m)));
            if by.max_abs() < 4.0 {
                place.translation += by;
            }
        }
        let found = clear_arrival(&place, velocity, halves);
        let times = times(&place, velocity, halves);
        let last = times.iter().fold(f64::NEG_INFINITY, |last, ends| ends[0].max(last));
        let first_out = times.iter().fold(f64::INFINITY, |first, ends| ends[1].min(first));
        let context = format!("{place:?} {velocity:?} {halves:?}");
        match found {
            Some(Arrival::Never) => assert!(first_out < last.max(0.0), "{context}"),
            Some(Arrival::Along(index)) => {
                assert!(times[index][0] == last && 0.0 < last && last < first_out, "{context}");
            }
            None => continue,
        }
        counts[usize::from(matches!(found, Some(Arrival::Never)))] += 1;
    }
    assert!(2000 < counts[0] && 2000 < counts[1], "{counts:?}");
}
