//! Rays against every shape, judged by exact arithmetic.

mod support;

use carom_geometry::{Error, RayOptions, d2, d3};
use carom_math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3};
use carom_oracle::generate::{Rng, any_bits, any_bits_f32, power_of_two, unit_complex, unit_quaternion};
use carom_oracle::motion::Touch;
use carom_oracle::rational::{ExactPoint, V, exact, pose2, pose3};
use support::*;

const KINDS_2: usize = 6;
const KINDS_3: usize = 8;
/// Large enough for every hit of the generators, small enough to be exact.
const FAR: f64 = 1e30;

type Found<const D: usize> = Option<(f64, [f64; D], [f64; D])>;

fn cast2<T: Real>(thing: &Thing<2>, pose: Pose2<T>, o: [f64; 2], d: [f64; 2], solid: bool) -> Found<2> {
    let ray = d2::Ray::new(o.map(T::from_f64), d.map(T::from_f64)).unwrap();
    let options = RayOptions { max: T::from_f64(FAR), solid };
    let hit = d2::cast_ray(&shape2::<T>(thing), pose, &ray, options).unwrap()?;
    let wide = |v: Vec2<T>| [v.x.to_f64(), v.y.to_f64()];
    Some((hit.t.to_f64(), wide(hit.point), wide(hit.normal)))
}

fn cast3<T: Real>(thing: &Thing<3>, pose: Pose3<T>, o: [f64; 3], d: [f64; 3], solid: bool) -> Found<3> {
    let ray = d3::Ray::new(o.map(T::from_f64), d.map(T::from_f64)).unwrap();
    let options = RayOptions { max: T::from_f64(FAR), solid };
    let hit = d3::cast_ray(&shape3::<T>(thing), pose, &ray, options).unwrap()?;
    let wide = |v: Vec3<T>| [v.x.to_f64(), v.y.to_f64(), v.z.to_f64()];
    Some((hit.t.to_f64(), wide(hit.point), wide(hit.normal)))
}

/// In the frame of the shape nothing is rounded before the kernel runs: hit or miss must be right
/// without exception, and the time right to a few ulp of the scale, grazing rays included.
fn check_exact<const D: usize>(
    thing: &Thing<D>,
    origin: [f64; D],
    direction: [f64; D],
    found: Found<D>,
    worst: &mut f64,
) {
    let truth = thing.ray(&origin.to_exact(), &direction.to_exact(), 0.0);
    let name = format!("{thing:?} {origin:?} {direction:?}");
    let Some((t, _, normal)) = found else {
        assert!(!truth.has_touched_by(&exact(FAR)), "missed: {name}");
        return;
    };
    let scale = (largest(&origin) + thing.size()) / largest(&direction);
    // What misses by less than 10⁻²⁹ of the scale may count as touching.
    let size = largest(&origin) + thing.size();
    let nearly = thing.ray(&origin.to_exact(), &direction.to_exact(), 1e-29 * size);
    let is_right = |k: &f64| {
        let tolerance = exact(k * f64::EPSILON * scale);
        let [early, late] = [exact(t) - &tolerance, exact(t) + &tolerance];
        (truth.has_touched_by(&late) || nearly.has_touched_by(&late))
            && (early <= exact(0.0) || !truth.has_touched_by(&early))
    };
    let Some(ulps) = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0].into_iter().find(is_right) else {
        panic!("t = {t}, truth {:?}: {name}", truth.first_touch(FAR));
    };
    *worst = worst.max(ulps);
    let norm = dot(normal, normal).sqrt();
    assert!((norm - 1.0).abs() < 1e-14, "normal {normal:?}: {name}");
    if t > 0.0 {
        let facing = dot(normal, direction) / dot(direction, direction).sqrt();
        assert!(facing <= 1e-7, "normal {normal:?} does not face the ray: {name}");
    }
}

#[test]
fn hits_and_misses_are_exact_in_the_frame_of_the_shape() {
    let mut rng = Rng::new(11);
    for kind in 0..KINDS_3 {
        let (mut worst, mut hits) = (0.0, 0);
        for _ in 0..700 {
            if kind < KINDS_2 {
                let shape: Thing<2> = thing(&mut rng, kind);
                let (o, d) = aimed(&mut rng, &shape);
                let found = cast2::<f64>(&shape, Pose2::IDENTITY, o, d, true);
                hits += usize::from(found.is_some());
                check_exact(&shape, o, d, found, &mut worst);
            }
            let shape: Thing<3> = thing(&mut rng, kind);
            let (o, d) = aimed(&mut rng, &shape);
            let found = cast3::<f64>(&shape, Pose3::IDENTITY, o, d, true);
            hits += usize::from(found.is_some());
            check_exact(&shape, o, d, found, &mut worst);
        }
        assert!(hits > 150, "kind {kind}: only {hits} hits");
        println!("kind {kind}: {hits} hits, worst {worst} ε of the scale");
    }
}
