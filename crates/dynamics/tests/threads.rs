//! A step runs on as many threads as it was told to, and starts no others. A program of its own: nothing else runs beside it.

#![cfg(target_os = "linux")]

use carom_dynamics::d3::{Body, World};
use carom_geometry::d3::Ball;

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[test]
fn a_world_of_one_thread_starts_no_others() {
    let before = threads();
    let mut world = World::new();
    // More than trees share among threads, flying apart, so that their tree is built anew.
    for k in 0..6000_u16 {
        let [x, y, z] = [k % 20, k / 20 % 20, k / 400].map(|n| f32::from(n) * 3.0 - 28.0);
        let body = Body::dynamic().at([x, y, z]).velocity([4.0 * y, -3.0 * x, 2.0 * (x - y)]);
        world.add(body.shape(Ball::new(0.5).unwrap())).unwrap();
    }
    for _ in 0..30 {
        world.step(1.0 / 60.0).unwrap();
    }
    assert_eq!(world.threads(), 1);
    assert_eq!(threads(), before);
}
