//! How long a call takes: `cargo test --release -p carom-geometry --lib gjk -- --ignored --nocapture`.

use super::super::{Cloud, Warm};
use super::{apart, deep};
use carom_math::{Vec3, Vector};
use carom_oracle::generate::{self, Rng};
use std::hint::black_box;
use std::time::Instant;

#[test]
#[ignore = "a measurement"]
#[allow(clippy::print_stderr)] // its result is what it prints
fn hulls_of_32_vertices() {
    let mut rng = Rng::new(5);
    let mut sphere = |center: Vec3<f64>| -> Vec<Vec3<f64>> {
        (0..32).map(|_| Vec3::from(generate::unit_vector(&mut rng)) + center).collect()
    };
    for (what, gap) in [("apart", 3.0), ("just overlapping", 1.8), ("deep", 0.5)] {
        let pairs: Vec<_> = (0..200)
            .map(|i| (sphere(Vec3::ZERO), sphere(Vec3::new(gap, 0.001 * f64::from(i), 0.2))))
            .collect();
        let clouds: Vec<_> = pairs.iter().map(|(a, b)| (Cloud::new(a), Cloud::new(b))).collect();
        let warm: Vec<Warm<Vec3<f64>>> = clouds.iter().map(|(a, b)| apart(a, b).warm()).collect();
        let per_call = |work: &mut dyn FnMut(usize)| {
            // The least of many rounds: what else the machine does only adds.
            (0..50)
                .map(|_| {
                    let start = Instant::now();
                    (0..clouds.len()).for_each(&mut *work);
                    start.elapsed().as_nanos() / clouds.len() as u128
                })
                .min()
                .unwrap_or(0)
        };
        let cold = per_call(&mut |i| {
            black_box(apart(&clouds[i].0, &clouds[i].1));
        });
        let again = per_call(&mut |i| {
            let (a, b) = &clouds[i];
            black_box(super::distance(a, b, Some(&warm[i]), f64::INFINITY, &mut ()));
        });
        let both = per_call(&mut |i| {
            black_box(deep(&clouds[i].0, &clouds[i].1));
        });
        let steps: u32 = clouds.iter().map(|(a, b)| apart(a, b).iterations).sum();
        let steps_deep: u32 = clouds.iter().map(|(a, b)| deep(a, b).iterations).sum();
        let mean = |sum: u32| f64::from(sum) / clouds.len() as f64;
        eprintln!(
            "{what}: distance {cold} ns ({:.1} steps), warm {again} ns, distance and depth {both} ns ({:.1} steps)",
            mean(steps),
            mean(steps_deep)
        );
    }
}
