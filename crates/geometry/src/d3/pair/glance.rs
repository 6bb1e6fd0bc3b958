//! Two capsules or boxes in space at a glance, in `f32`: certainly apart, certainly touching, or neither.
//!
//! Both ends of both capsules are turned to the axes of the world together, in four lanes; then the closed form of
//! [`Capsules`] decides, with its bounds. Here a point of a capsule is turned once, not twice, so that it is off by 48u
//! of its distance instead of the 70u that are counted there.

use crate::batch::boxes::CapsuleBox;
use crate::batch::filter::{Capsules, tolerance, within};
use crate::batch::turn::{Lane, LaneTurn, LaneVector, Turn3};
use crate::d3::shape::{Capsule, Cuboid};
use carom_math::prelude_simd::{Simd, at_baseline, f32x4};
use carom_math::{Lanes, Number, Pose3, Real, Vec3, Vector};

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
        at_baseline!(simd => turned(simd, turns, vectors));
    let radius = f32::from_f64((a.radius() + b.radius()).to_f64());
    let length = |v: Vec3<f32>| LaneVector::<f32>::sum(LaneVector::<f32>::abs(v));
    let [first, second, third, fourth] = vectors.map(length);
    let size = length(between) + (first + second) + (third + fourth) + radius;
    let error = within(within(tolerance(size), norm_a, 0.25, 4.0), norm_b, 0.25, 4.0);
    Capsules::decide(between + end_b - end_a, [along_a, along_b], radius, error, 0.0)
}

/// +1 for boxes that are certainly apart, −1 for those that certainly overlap, otherwise 0: what the line between the centres
/// tells, which is enough for three of four pairs that meet at random. The first box is in the first lane, the other in the second.
#[inline(always)]
pub(super) fn boxes<T: Real>(
    (a, pose_a): (&Cuboid<T>, &Pose3<T>),
    (b, pose_b): (&Cuboid<T>, &Pose3<T>),
) -> f32 {
    let between: Vec3<f32> = narrowed(pose_b.translation - pose_a.translation);
    let turns = [pose_a, pose_b].map(|pose| pose.rotation.to_array().map(|x| f32::from_f64(x.to_f64())));
    let halves = [narrowed(a.half_extents()), narrowed(b.half_extents())];
    at_baseline!(simd => boxes_in_lanes(simd, between, turns, halves))
}

/// What a box says about the line from its centre to that of another.
///
/// *Overlapping.* From its own centre the line stays in a box for as many times its length as it fits into the box; if the parts
/// in both boxes make up the whole, there is a point in both. With every component larger by the error of 128u·S this holds
/// still when the other box moves by 80u·S, whatever the direction, since the vector itself is off by 48u·S: the boxes overlap
/// by as much. The quotients and their sum are off by 4u.
///
/// *Apart.* Along an axis of one box the other reaches no farther than its corners: that gap is off by 48u·S and 8u·S of a
/// root and sums. Along the line t itself the boxes reach as far as their half extents times its components, by its
/// length; the gap times |t| is off by (48 + 8)u·S·|t|. Underflow would matter below |t| = 2⁻⁵⁷ only, where t² is less than
/// the error.
///
/// (Tried 2026-11: the same in batches, before the axes of what it leaves open: 1.1 to 1.2 of the time.)
#[inline(always)]
fn boxes_in_lanes<S: Simd>(
    simd: S,
    between: Vec3<f32>,
    [p, q]: [[f32; 4]; 2],
    [a, b]: [Vec3<f32>; 2],
) -> f32 {
    let both = |x, y| four(simd, [x, y, x, y]);
    let all = |x| four(simd, [x; 4]);
    let turn = Turn3::new(Vec3::new(both(p[0], q[0]), both(p[1], q[1]), both(p[2], q[2])), both(p[3], q[3]));
    let line = Vec3::new(all(between.x), all(between.y), all(between.z));
    let half = Vec3::new(both(a.x, b.x), both(a.y, b.y), both(a.z, b.z));
    let other = Vec3::new(both(b.x, a.x), both(b.y, a.y), both(b.z, a.z));
    let length = LaneVector::<f32>::sum(LaneVector::<f32>::abs(between));
    let size = length + ((a.x + a.y + a.z) + (b.x + b.y + b.z));
    let error = within(all(tolerance(size)), turn.norm_squared(), 0.25, 4.0);
    let seen = LaneVector::abs(turn.undo(line));
    // How many times the length of the line it stays in the box, a lower bound of the gap along the best axis, and how far the box
    // reaches along the line, times its length.
    let inside =
        (half.x / (seen.x + error)).smaller(half.y / (seen.y + error)).smaller(half.z / (seen.z + error));
    let beyond = LaneVector::largest(seen - half) - other.dot(other).sqrt();
    let [inside, beyond, reach, error] = [inside, beyond, seen.dot(half), error].map(numbers);
    let doubt = error[0].larger(error[1]);
    let is_apart =
        doubt < beyond[0].larger(beyond[1]) || doubt * length < between.dot(between) - (reach[0] + reach[1]);
    let is_overlapping = 1.0 + 8.0 / 16_777_216.0 < inside[0] + inside[1];
    // Both are certain, so that never both are true.
    f32::from(u8::from(is_apart)) - f32::from(u8::from(is_overlapping))
}

/// The same for a box and a capsule. The capsule is turned to the axes of the world and from there to those of the box, which
/// puts a point of it off by 98u of its distance, where [`CapsuleBox`] counts 76u: still below what is allowed for.
#[inline(always)]
pub(super) fn capsule_box<T: Real>(
    (cuboid, at): (&Cuboid<T>, &Pose3<T>),
    (capsule, to): (&Capsule<T>, &Pose3<T>),
) -> f32 {
    let between: Vec3<f32> = narrowed(to.translation - at.translation);
    let [own, other] = [at, to].map(|pose| pose.rotation.to_array().map(|x| f32::from_f64(x.to_f64())));
    let (a, b) = (capsule.segment().a(), capsule.segment().b());
    let segment = [narrowed(a), narrowed(b - a)];
    let half = narrowed(cuboid.half_extents());
    let (seen, norms) = at_baseline!(simd => seen_from_box(simd, [own, other], between, segment));
    let radius = f32::from_f64(capsule.radius().to_f64());
    let length = |v: Vec3<f32>| LaneVector::<f32>::sum(LaneVector::<f32>::abs(v));
    let size = length(between) + length(half) + (length(segment[0]) + length(segment[1])) + radius;
    let error = within(within(tolerance(size), norms[0], 0.25, 4.0), norms[1], 0.25, 4.0);
    CapsuleBox::decide(seen[0], seen[1], half, radius, error, 0.0)
}

/// An end of a segment and the vector to the other, turned by the second rotation and back by the first, and the squared norms
/// of the rotations.
#[inline(always)]
fn seen_from_box<S: Simd>(
    simd: S,
    [own, other]: [[f32; 4]; 2],
    between: Vec3<f32>,
    [end, along]: [Vec3<f32>; 2],
) -> ([Vec3<f32>; 2], [f32; 2]) {
    let all = |x| four(simd, [x; 4]);
    let both = |x, y| four(simd, [x, y, x, y]);
    let turn = |q: [f32; 4]| Turn3::new(Vec3::new(all(q[0]), all(q[1]), all(q[2])), all(q[3]));
    let (own, other) = (turn(own), turn(other));
    let segment = Vec3::new(both(end.x, along.x), both(end.y, along.y), both(end.z, along.z));
    let shift = Vec3::new(both(between.x, 0.0), both(between.y, 0.0), both(between.z, 0.0));
    let seen = own.undo(other.apply(segment) + shift);
    let (x, y, z) = (numbers(seen.x), numbers(seen.y), numbers(seen.z));
    let norms = [numbers(own.norm_squared())[0], numbers(other.norm_squared())[0]];
    ([0, 1].map(|k| Vec3::new(x[k], y[k], z[k])), norms)
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
    use crate::d3::{AsShape, distance};
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

    fn placed_box(rng: &mut Rng) -> (Cuboid<f64>, Pose3<f64>) {
        let (_, pose) = placed(rng);
        (Cuboid::new(numbers::<3>(rng).map(f64::abs)).unwrap(), pose)
    }

    /// What is decided is what the distance says. How many were found to touch and to be apart: a glance that never knew
    /// would not be wrong either.
    fn decided<A: AsShape<f64> + std::fmt::Debug, B: AsShape<f64> + std::fmt::Debug>(
        first: impl Fn(&mut Rng) -> (A, Pose3<f64>),
        second: impl Fn(&mut Rng) -> (B, Pose3<f64>),
        glance: impl Fn((&A, &Pose3<f64>), (&B, &Pose3<f64>)) -> f32,
    ) -> [usize; 2] {
        let mut rng = Rng::new(3);
        let mut counts = [0; 2];
        for _ in 0..4000 {
            let ((a, pose_a), (b, pose_b)) = (first(&mut rng), second(&mut rng));
            let verdict = glance((&a, &pose_a), (&b, &pose_b));
            let touches = distance(&a, pose_a, &b, pose_b).unwrap().distance == 0.0;
            assert!(
                if touches { verdict <= 0.0 } else { 0.0 <= verdict },
                "{a:?} {pose_a:?} {b:?} {pose_b:?}"
            );
            counts[0] += usize::from(verdict < 0.0);
            counts[1] += usize::from(0.0 < verdict);
        }
        counts
    }

    #[test]
    fn glances_at_capsules_agree_with_distances_and_decide_almost_all() {
        let [touching, apart] = decided(placed, placed, capsules);
        assert!(500 < touching && 500 < apart && 3980 < touching + apart, "{touching} {apart}");
    }

    #[test]
    fn glances_at_boxes_agree_with_distances_and_decide_most() {
        let [touching, apart] = decided(placed_box, placed_box, boxes);
        assert!(500 < touching && 500 < apart && 2600 < touching + apart, "{touching} {apart}");
    }

    #[test]
    fn glances_at_a_box_and_a_capsule_agree_with_distances_and_decide_almost_all() {
        let [touching, apart] = decided(placed_box, placed, capsule_box);
        assert!(500 < touching && 500 < apart && 3800 < touching + apart, "{touching} {apart}");
    }

    /// Boxes that overlap or miss each other by parts of what rounding errors amount to are left open.
    #[test]
    fn boxes_that_just_touch_are_not_decided_by_rounding_errors() {
        let unit = Cuboid::new([1.0_f64; 3]).unwrap();
        for exponent in -40..-20 {
            let part = carom_oracle::generate::power_of_two(exponent);
            for x in [2.0 - part, 2.0, 2.0 + part] {
                let verdict = boxes((&unit, &Pose3::IDENTITY), (&unit, &Pose3::at([x, 0.0, 0.0])));
                assert_eq!(verdict, 0.0, "{x}");
            }
        }
    }
}
