//! The same bits everywhere: scenes end in states whose hashes are written down here, for any width of the
//! registers and any number of threads, on every machine and in every build.

use carom_scene::builtin::{Width, find};

/// Scene, steps, hash of the state after them.
const GOLDEN: [(&str, usize, u64); 11] = [
    ("2d/vertical_stack", 60, 0x3755_6a63_e5f3_7275),
    ("2d/card_house", 40, 0x302d_6615_1e49_ca1f),
    ("2d/confined", 10, 0x1da4_c30b_338e_55b3),
    ("2d/rush", 20, 0x00ad_a7d3_cc21_3c94),
    ("2d/far_pyramid", 60, 0xa31b_2452_6b22_61e1),
    ("3d/wide_pyramid", 10, 0xf933_d892_8116_dd1f),
    // Joints, ragdolls, fast bodies, a mesh.
    ("2d/falling_hinges", 60, 0x3d55_67ae_dd5f_2874),
    ("2d/bridge", 60, 0x718b_db1e_5910_e6cc),
    ("2d/rain", 40, 0x9c1d_4992_6719_ebcd),
    ("3d/high_speed", 4, 0x0045_daa5_823f_9b1e),
    ("3d/mesh_drop", 70, 0x4806_98bf_d270_130a),
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
