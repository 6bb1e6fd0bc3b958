//! Two capsules or two boxes in the plane at a glance, in `f32`: certainly apart, certainly touching, or neither.
//!
//! Both ends of both capsules are turned to the axes of the world; then the closed form of [`Capsules`] decides, with its
//! bounds. Of boxes the four axes decide, seen from the first. Errors are counted in u = 2⁻²⁴ as in
//! [`filter`](crate::batch::filter): the norms of the rotations are not divided out but have to be close to 1, which moves a
//! point by 8u of its distance, and turning it takes 3u and a narrowing. A relative rotation is off by 19u, so that no gap
//! between boxes is off by more than (8 + 3 + 19 + 4)u of the distance and (19 + 4)u of the half extents. All of it
//! is far below the 128u of [`tolerance`].

use crate::batch::boxes::CapsuleBox;
use crate::batch::filter::{Capsules, sign, tolerance, within};
use crate::batch::turn::{Lane, LaneVector};
use crate::d2::shape::{Capsule, Cuboid};
use carom_math::{Pose2, Real, Rot2, Vec2, Vector};

/// What the square of the norm of a rotation may differ from 1 by: 16u.
const STRETCHED: f32 = 1.0 / 1_048_576.0;

/// +1 for capsules that are certainly apart, −1 for those that certainly overlap, otherwise 0.
#[inline(always)]
pub(super) fn capsules<T: Real>(
    (a, pose_a): (&Capsule<T>, &Pose2<T>),
    (b, pose_b): (&Capsule<T>, &Pose2<T>),
) -> f32 {
    let between = narrowed(pose_b.translation - pose_a.translation);
    let (turn_a, turn_b) = (numbers(pose_a.rotation), numbers(pose_b.rotation));
    let (one, two) = (a.segment(), b.segment());
    let (end_a, along_a) = (narrowed(one.a()), narrowed(one.b() - one.a()));
    let (end_b, along_b) = (narrowed(two.a()), narrowed(two.b() - two.a()));
    let radius = f32::from_f64((a.radius() + b.radius()).to_f64());
    let rods = (length(end_a) + length(along_a)) + (length(end_b) + length(along_b));
    let size = length(between) + rods + radius;
    let error = unless_stretched(unless_stretched(tolerance(size), turn_a), turn_b);
    let ends = between + turned(turn_b, end_b) - turned(turn_a, end_a);
    Capsules::decide(ends, [turned(turn_a, along_a), turned(turn_b, along_b)], radius, error, 0.0)
}

/// The same for boxes. In the plane the four axes of the faces are all there are.
#[inline(always)]
pub(super) fn boxes<T: Real>(
    (a, pose_a): (&Cuboid<T>, &Pose2<T>),
    (b, pose_b): (&Cuboid<T>, &Pose2<T>),
) -> f32 {
    let between = narrowed(pose_b.translation - pose_a.translation);
    let (turn_a, turn_b) = (numbers(pose_a.rotation), numbers(pose_b.rotation));
    let (a, b) = (narrowed(a.half_extents()), narrowed(b.half_extents()));
    let size = length(between) + (a.x + a.y) + (b.x + b.y);
    let error = unless_stretched(unless_stretched(tolerance(size), turn_a), turn_b);
    let back = Vec2::new(turn_a.x, -turn_a.y);
    let (center, relative) = (turned(back, between), turned(back, turn_b));
    let from_b = turned(Vec2::new(relative.x, -relative.y), center);
    let (cos, sin) = (relative.x.abs(), relative.y.abs());
    let of_a = Vec2::new(
        center.x.abs() - (a.x + cos * b.x + sin * b.y),
        center.y.abs() - (a.y + sin * b.x + cos * b.y),
    );
    let of_b = Vec2::new(
        from_b.x.abs() - (b.x + cos * a.x + sin * a.y),
        from_b.y.abs() - (b.y + sin * a.x + cos * a.y),
    );
    let gap = of_a.x.larger(of_a.y).larger(of_b.x.larger(of_b.y));
    sign(gap - error, gap + error, 0.0)
}

/// The same for a box and a capsule, seen from the box.
#[inline(always)]
pub(super) fn capsule_box<T: Real>(
    (cuboid, at): (&Cuboid<T>, &Pose2<T>),
    (capsule, to): (&Capsule<T>, &Pose2<T>),
) -> f32 {
    let between = narrowed(to.translation - at.translation);
    let (turn, of_capsule) = (numbers(at.rotation), numbers(to.rotation));
    let (a, b) = (capsule.segment().a(), capsule.segment().b());
    let (half, end, along) = (narrowed(cuboid.half_extents()), narrowed(a), narrowed(b - a));
    let radius = f32::from_f64(capsule.radius().to_f64());
    let size = length(between) + length(half) + (length(end) + length(along)) + radius;
    let error = unless_stretched(unless_stretched(tolerance(size), turn), of_capsule);
    let back = Vec2::new(turn.x, -turn.y);
    let end = turned(back, between + turned(of_capsule, end));
    CapsuleBox::decide(end, turned(back, turned(of_capsule, along)), half, radius, error, 0.0)
}

#[inline(always)]
fn length(v: Vec2<f32>) -> f32 {
    LaneVector::<f32>::sum(LaneVector::<f32>::abs(v))
}

/// The error, infinite unless the rotation is of unit length.
#[inline(always)]
fn unless_stretched(error: f32, turn: Vec2<f32>) -> f32 {
    within(error, turn.dot(turn), 1.0 - STRETCHED, 1.0 + STRETCHED)
}

#[inline(always)]
fn narrowed<T: Real>(v: Vec2<T>) -> Vec2<f32> {
    Vec2::narrow(v.widen())
}

/// Cosine and sine.
#[inline(always)]
fn numbers<T: Real>(turn: Rot2<T>) -> Vec2<f32> {
    narrowed(Vec2::new(turn.cos(), turn.sin()))
}

#[inline(always)]
fn turned(turn: Vec2<f32>, v: Vec2<f32>) -> Vec2<f32> {
    Vec2::new(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d2::{AsShape, distance};
    use carom_oracle::generate::Rng;
    use std::fmt::Debug;

    fn numbers<const N: usize>(rng: &mut Rng) -> [f64; N] {
        std::array::from_fn(|_| rng.uniform(-1.0, 1.0))
    }

    fn pose(rng: &mut Rng) -> Pose2<f64> {
        Pose2::new(numbers::<2>(rng), Rot2::from_angle(rng.uniform(-3.0, 3.0)))
    }

    /// What is decided is what the distance says; a glance that never knew would not be wrong either.
    fn check<A: AsShape<f64> + Debug, B: AsShape<f64> + Debug>(
        first: impl Fn(&mut Rng) -> A,
        second: impl Fn(&mut Rng) -> B,
        glance: impl Fn((&A, &Pose2<f64>), (&B, &Pose2<f64>)) -> f32,
        least: usize,
    ) {
        let mut rng = Rng::new(3);
        let (mut touching, mut apart) = (0, 0);
        for _ in 0..4000 {
            let (a, b) = (first(&mut rng), second(&mut rng));
            let (pose_a, pose_b) = (pose(&mut rng), pose(&mut rng));
            let verdict = glance((&a, &pose_a), (&b, &pose_b));
            let touches = distance(&a, pose_a, &b, pose_b).unwrap().distance == 0.0;
            assert!(
                if touches { verdict <= 0.0 } else { 0.0 <= verdict },
                "{a:?} {pose_a:?} {b:?} {pose_b:?}"
            );
            touching += usize::from(verdict < 0.0);
            apart += usize::from(0.0 < verdict);
        }
        assert!(500 < touching && 500 < apart && least < touching + apart, "{touching} {apart}");
    }

    #[test]
    fn glances_agree_with_distances_and_decide_almost_all() {
        let capsule =
            |rng: &mut Rng| Capsule::new(numbers(rng), numbers(rng), rng.uniform(0.0, 0.3)).unwrap();
        let cuboid = |rng: &mut Rng| Cuboid::new([rng.uniform(0.0, 0.7), rng.uniform(0.0, 0.7)]).unwrap();
        check(capsule, capsule, capsules, 3980);
        check(cuboid, cuboid, boxes, 3980);
        check(cuboid, capsule, capsule_box, 3800);
    }

    /// A rotation that stretches is none that a glance could know.
    #[test]
    fn stretched_rotations_are_left_to_the_kernels() {
        let rod = Capsule::new([-1.0_f32, 0.0], [1.0, 0.0], 0.25).unwrap();
        let still = Pose2::from([0.0, 2.0]);
        let stretched = Pose2::new([0.0, 0.0], Rot2::from_parts(0.0, 2.0));
        assert_eq!(capsules((&rod, &stretched), (&rod, &still)), 0.0);
        assert_eq!(capsules((&rod, &Pose2::IDENTITY), (&rod, &still)), 1.0);
        let square = Cuboid::new([0.5_f32, 0.5]).unwrap();
        assert_eq!(boxes((&square, &stretched), (&square, &still)), 0.0);
        assert_eq!(boxes((&square, &Pose2::IDENTITY), (&square, &still)), 1.0);
    }
}
