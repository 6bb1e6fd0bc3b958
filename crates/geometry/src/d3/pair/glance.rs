//! Two capsules in space at a glance, in `f32`: certainly apart, certainly touching, or neither.
//!
//! Both ends of both capsules are turned to the axes of the world together, in four lanes; then the closed form of
//! [`Capsules`] decides, with its bounds. Here a point of a capsule is turned once, not twice, so that it is off by 48u
//! of its distance instead of the 70u that are counted there.

use crate::batch::filter::{Capsules, tolerance, within};
use crate::batch::turn::{LaneTurn, LaneVector, Turn3};
use crate::d3::shape::Capsule;
use carom_math::prelude_simd::{Simd, dispatch, f32x4};
use carom_math::{Lanes, Level, Pose3, Real, Vec3, Vector};

/// +1 for capsules that are certainly apart, −1 for those that certainly overlap, otherwise 0.
#[inline(always)]
pub(super) fn capsules<T: Real>(
    (a, pose_a): (&Capsule<T>, &Pose3<T>),
    (b, pose_b): (&Capsule<T>, &Pose3<T>),
) -> f32 {
    let between: Vec3<f32> = narrowed(pose_b.translation - pose_a.translation);
    let turns = [pose_a, pose_b].map(|pose| pose.rotation.to_array().map(|x| f32::from_f64(x.to_f64())));
    let (one, two) = (a.segment(), b.segment());
    let vectors = [one.a(), one.b() - one.a(), two.a(), two.b() - two.a()].map(narrowed);
    let ([end_a, along_a, end_b, along_b], [norm_a, norm_b]) =
        dispatch!(Level::baseline(), simd => turned(simd, turns, vectors));
    let radius = f32::from_f64((a.radius() + b.radius()).to_f64());
    let length = |v: Vec3<f32>| LaneVector::<f32>::sum(LaneVector::<f32>::abs(v));
    let [first, second, third, fourth] = vectors.map(length);
    let size = length(between) + (first + second) + (third + fourth) + radius;
    let error = within(within(tolerance(size), norm_a, 0.25, 4.0), norm_b, 0.25, 4.0);
    Capsules::decide(between + end_b - end_a, [along_a, along_b], radius, error, 0.0)
}

#[inline(always)]
fn narrowed<T: Real>(v: Vec3<T>) -> Vec3<f32> {
    Vec3::narrow(v.widen())
}

/// The first two vectors by the first rotation, the others by the second, and the squared norms of the rotations.
#[inline(always)]
fn turned<S: Simd>(
    simd: S,
    [p, q]: [[f32; 4]; 2],
    [a, b, c, d]: [Vec3<f32>; 4],
) -> ([Vec3<f32>; 4], [f32; 2]) {
    let turn = Turn3::new(
        Vec3::new(
            four(simd, [p[0], p[0], q[0], q[0]]),
            four(simd, [p[1], p[1], q[1], q[1]]),
            four(simd, [p[2], p[2], q[2], q[2]]),
        ),
        four(simd, [p[3], p[3], q[3], q[3]]),
    );
    let v = Vec3::new(
        four(simd, [a.x, b.x, c.x, d.x]),
        four(simd, [a.y, b.y, c.y, d.y]),
        four(simd, [a.z, b.z, c.z, d.z]),
    );
    let (found, norms) = (turn.apply(v), numbers(turn.norm_squared()));
    let (x, y, z) = (numbers(found.x), numbers(found.y), numbers(found.z));
    let vector = |lane: usize| Vec3::new(x[lane], y[lane], z[lane]);
    ([vector(0), vector(1), vector(2), vector(3)], [norms[0], norms[2]])
}

#[inline(always)]
fn four<S: Simd>(simd: S, numbers: [f32; 4]) -> Lanes<S, f32x4<S>> {
    Lanes::load(simd, &numbers)
}

#[inline(always)]
fn numbers<S: Simd>(lanes: Lanes<S, f32x4<S>>) -> [f32; 4] {
    let mut numbers = [0.0; 4];
    lanes.store(&mut numbers);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d3::distance;
    use carom_math::Quat;
    use carom_oracle::generate::Rng;

    fn numbers<const N: usize>(rng: &mut Rng) -> [f64; N] {
        std::array::from_fn(|_| rng.uniform(-1.0, 1.0))
    }

    fn placed(rng: &mut Rng) -> (Capsule<f64>, Pose3<f64>) {
        let capsule = Capsule::new(numbers(rng), numbers(rng), rng.uniform(0.0, 0.5)).unwrap();
        let [x, y, z, w] = numbers(rng);
        (capsule, Pose3::new(numbers::<3>(rng), Quat::new(x, y, z, w).unwrap()))
    }

    /// What is decided is what the distance says; a glance that never knew would not be wrong either.
    #[test]
    fn glances_agree_with_distances_and_decide_almost_all() {
        let mut rng = Rng::new(3);
        let (mut touching, mut apart) = (0, 0);
        for _ in 0..4000 {
            let ((a, pose_a), (b, pose_b)) = (placed(&mut rng), placed(&mut rng));
            let verdict = capsules((&a, &pose_a), (&b, &pose_b));
            let touches = distance(&a, pose_a, &b, pose_b).unwrap().distance == 0.0;
            assert!(
                if touches { verdict <= 0.0 } else { 0.0 <= verdict },
                "{a:?} {pose_a:?} {b:?} {pose_b:?}"
            );
            touching += usize::from(verdict < 0.0);
            apart += usize::from(0.0 < verdict);
        }
        assert!(500 < touching && 500 < apart && 3980 < touching + apart, "{touching} {apart}");
    }
}
