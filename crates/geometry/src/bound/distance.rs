//! Distances rounded up, to the last bit.

use carom_math::double::{Double, two_product};
use carom_math::{Real, Vector, power_of_two};

/// The distance of two points of moderate size, rounded up; tight to an ulp and exact where it is
/// representable.
pub(crate) fn distance_up<V: Vector<Scalar = f64>>(a: V, b: V) -> f64 {
    let largest = (a - b).max_abs();
    if largest == 0.0 {
        return 0.0;
    }
    // Squares of differences this small would underflow; the differences themselves can be enlarged.
    let lift = if largest < power_of_two(-400) { power_of_two(600) } else { 1.0 };
    let mut sum = Double::ZERO;
    let mut exact = true;
    for k in 0..V::DIM {
        let away = Double::difference(a.get(k), b.get(k));
        if away.high == 0.0 {
            continue;
        }
        let lifted = Double { high: away.high * lift, low: away.low * lift };
        let square = lifted * lifted;
        let next = sum + square;
        // A difference without a low part has an exact square, unless that underflows; a sum is exact
        // when it is the first, or when no low parts occur.
        let exact_square = away.low == 0.0 && power_of_two(-480) < lifted.high.abs();
        let exact_sum = sum == Double::ZERO || (sum.low == 0.0 && square.low == 0.0 && next.low == 0.0);
        exact = exact && exact_square && exact_sum;
        sum = next;
    }
    let root = sum.high.sqrt();
    let square = two_product(root, root);
    // Fewer than 64 roundings of 2⁻¹⁰⁴ each, and underflows far below.
    let slack = if exact { 0.0 } else { sum.high * (256.0 * f64::EPSILON * f64::EPSILON) };
    // high − root² without rounding: the leading parts are close, so their difference is exact.
    let missing = (sum.high - square.high) - square.low;
    let root = if 0.0 < missing + (sum.low + slack) { root.step_up() } else { root };
    let lowered = root / lift;
    if lowered * lift < root { lowered.step_up() } else { lowered }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;
    use carom_oracle::generate::{Rng, points};
    use carom_oracle::rational::{ExactPoint, sqrt_bounds};

    #[test]
    fn distances_are_rounded_up_to_the_next_number() {
        let mut rng = Rng::new(13);
        for _ in 0..5000 {
            let cloud: Vec<[f64; 3]> = points(&mut rng, 2);
            let answer = distance_up(Vec3::from(cloud[0]), Vec3::from(cloud[1]));
            let squared = cloud[0].to_exact().distance_squared(&cloud[1].to_exact());
            let [_, truth] = sqrt_bounds(&squared);
            // A coordinate far below the others may cost a step.
            let tiny = cloud.iter().flatten().any(|x| *x != 0.0 && x.abs() < 1e-100);
            assert!(answer == truth || (tiny && answer == truth.step_up()), "{cloud:?} {answer} {truth}");
        }
    }
}
