//! The same bits everywhere: six scenes end in states whose hashes are written down here, for any width of the
//! registers and any number of threads, on every machine and in every build.

use carom_scene::builtin::{Width, find};

/// Scene, steps, hash of the state after them.
const GOLDEN: [(&str, usize, u64); 6] = [
    ("2d/vertical_stack", 120, 0),
    ("2d/card_house", 60, 0),
    ("2d/confined", 30, 0),
    ("2d/rush", 60, 0),
    ("2d/far_pyramid", 120, 0),
    ("3d/wide_pyramid", 30, 0),
];

fn hash(name: &str, steps: usize, width: Width, threads: usize) -> u64 {
    let mut running = find(name).unwrap().start().unwrap();
    running.set_width(width);
    running.set_threads(threads);
    (0..steps).for_each(|_| running.step().unwrap());
    running.hash()
}

#[test]
fn hashes_are_golden() {
    let found = GOLDEN.map(|(name, steps, _)| (name, steps, hash(name, steps, Width::widest(), 1)));
    assert_eq!(found, GOLDEN, "{found:#018x?}");
}

#[test]
fn widths_and_threads_change_nothing() {
    for (name, steps, golden) in GOLDEN {
        for (width, threads) in [(Width::Scalar, 1), (Width::Four, 2), (Width::Eight, 3)] {
            assert_eq!(hash(name, steps, width, threads), golden, "{name}, {width:?}, {threads} threads");
        }
    }
}
