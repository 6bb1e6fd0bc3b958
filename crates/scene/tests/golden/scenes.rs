//! Scenes and the hashes of the states that they end in.

use carom_scene::builtin::{Width, find};

/// Scene, steps, hash of the state after them.
pub(crate) const GOLDEN: [(&str, usize, u64); 13] = [
    ("2d/vertical_stack", 60, 0xd1fc_cb73_08c4_e135),
    ("2d/card_house", 40, 0xca41_1ea5_faf8_b7cb),
    ("2d/confined", 10, 0xab51_1987_0058_ec5f),
    ("2d/rush", 20, 0xedb5_f8f0_d83c_0790),
    ("2d/far_pyramid", 60, 0xa80f_a0bf_a991_193d),
    ("3d/wide_pyramid", 10, 0xf933_d892_8116_dd1f),
    // Joints, ragdolls, fast bodies, a mesh.
    ("2d/falling_hinges", 60, 0x0b8d_d491_c37a_7b28),
    ("2d/bridge", 60, 0xc54f_f926_cac6_6803),
    ("2d/rain", 40, 0x7639_669e_9cd6_29a2),
    ("3d/ball_and_chain_1000", 60, 0xf748_dae2_f257_8e5a),
    ("3d/rain", 6, 0xe51e_1872_b62d_bf19),
    ("3d/high_speed", 4, 0x6502_332f_3acb_e052),
    ("3d/mesh_drop", 70, 0xb1cc_3bee_b942_6e9b),
];

/// The hash of a scene after some steps.
pub(crate) fn hash(name: &str, steps: usize, width: Width, threads: usize) -> u64 {
    let mut running = find(name).unwrap().start().unwrap();
    running.set_width(width);
    running.set_threads(threads);
    (0..steps).for_each(|_| running.step().unwrap());
    running.hash()
}
