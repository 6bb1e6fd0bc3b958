//! The same bits everywhere: six scenes end in states whose hashes are written down here, for any width of the
//! registers and any number of threads, on every machine and in every build.

use carom_scene::builtin::{Width, find};

/// Scene, steps, hash of the state after them.
const GOLDEN: [(&str, usize, u64); 6] = [
    ("2d/vertical_stack", 60, 0x8a02_0e1c_48fc_c6e7),
    ("2d/card_house", 40, 0x33da_4f21_47f1_57f7),
    ("2d/confined", 10, 0xc58d_7a44_366a_e352),
    ("2d/rush", 20, 0x00ad_a7d3_cc21_3c94),
    ("2d/far_pyramid", 60, 0x4977_ec9a_3beb_e1b1),
    ("3d/wide_pyramid", 10, 0xd179_074c_3138_96d6),
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
        for (width, threads) in [(Width::Scalar, 1), (Width::Four, 1), (Width::Eight, 2)] {
            assert_eq!(hash(name, steps, width, threads), golden, "{name}, {width:?}, {threads} threads");
        }
    }
}
