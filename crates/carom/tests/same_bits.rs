//! Equal input gives equal bits: one number over thousands of answers.
//!
//! The number below came out of debug and release builds for x86-64 and of a release build for
//! WebAssembly. A change of a kernel may change it, knowingly; a compiler, a target or an optimisation
//! must not.

use carom::d3::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Pose, Quat, Ray, Shape, Triangle, cast_ray, contact,
    distance,
};
use carom::math::Real;

const GOLDEN: u64 = 0x66d1_06b7_20aa_3e28;

/// A number in [−3, 3) from an xorshift generator.
fn next(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    ((*state >> 11) as f64 / 9_007_199_254_740_992.0 - 0.5) * 6.0
}

/// FNV-1a over the bits of all answers.
fn hash_of_answers(rounds: usize) -> Result<u64, carom::Error> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut mix = |x: f64| hash = (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3);
    for round in 0..rounds {
        let mut r = || next(&mut state);
        let turn = Quat::new(r(), r(), r(), r()).unwrap_or_default();
        let pose_a = Pose::new([r(), r(), r()], turn);
        let turn = Quat::from_axis_angle([r(), r(), r()], r()).unwrap_or_default();
        let pose_b = Pose::new([r(), r(), r()], turn);
        let shapes: [Shape<f64>; 7] = [
            Ball::new(r().abs())?.into(),
            Cuboid::new([r().abs(), r().abs(), r().abs()])?.into(),
            Capsule::new([r(), r(), r()], [r(), r(), r()], r().abs())?.into(),
            Triangle::new([r(), r(), r()], [r(), r(), r()], [r(), r(), r()])?.into(),
            Cylinder::new(r().abs(), r().abs())?.into(),
            Cone::new(r().abs(), r().abs())?.into(),
            Ellipsoid::new([r().abs() + 0.1, r().abs() + 0.1, r().abs() + 0.1])?.into(),
        ];
        let (a, b) = (&shapes[round % 7], &shapes[(round / 7) % 7]);
        let gap = distance(a, pose_a, b, pose_b)?;
        for x in [gap.distance, gap.lower, gap.upper, gap.normal.x, gap.point_a.y, gap.point_b.z] {
            mix(x);
        }
        if let Some(touch) = contact(a, pose_a, b, pose_b)? {
            mix(touch.depth);
            mix(touch.normal.z);
        }
        let ray = Ray::new([r(), r(), r()], [r(), r(), r()])?;
        // Rays do not meet every kind yet.
        if let Ok(Some(hit)) = cast_ray(a, pose_a, &ray, Default::default()) {
            mix(hit.t);
            mix(hit.normal.x);
        }
        let (sin, cos) = (r() * 1e5).sine_cosine();
        mix(sin);
        mix(cos);
        mix(r().arc_tangent2(r()));
    }
    Ok(hash)
}

#[test]
fn answers_have_the_golden_bits() {
    assert_eq!(hash_of_answers(4900).unwrap(), GOLDEN, "{:#018x}", hash_of_answers(4900).unwrap());
}
