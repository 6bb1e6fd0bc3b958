//! Scenes and the hashes of the states that they end in.

use carom_scene::builtin::{Width, find};

/// Scene, steps, hash of the state after them.
pub(crate) const GOLDEN: [(&str, usize, u64); 13] = [
    ("2d/vertical_stack", 60, 0xbde8_82a7_0e1c_818c),
    ("2d/card_house", 40, 0x0112_058e_a79b_4374),
    ("2d/confined", 10, 0x4b3f_6c8d_7470_4d0c),
    ("2d/rush", 20, 0x618a_121b_5e7a_2858),
    ("2d/far_pyramid", 60, 0xe591_503b_5014_d09b),
    ("3d/wide_pyramid", 10, 0xa4a2_538b_0483_3d9c),
    // Joints, ragdolls, fast bodies, a mesh.
    ("2d/falling_hinges", 60, 0x90a6_026d_0536_0d37),
    ("2d/bridge", 60, 0xc54f_f926_cac6_6803),
    ("2d/rain", 40, 0x7639_669e_9cd6_29a2),
    ("3d/ball_and_chain_1000", 60, 0xf748_dae2_f257_8e5a),
    ("3d/rain", 6, 0x5ebf_e87c_1788_1f31),
    ("3d/high_speed", 4, 0x64ee_76e6_dec4_eefd),
    ("3d/mesh_drop", 70, 0x778d_932d_555e_1956),
];

/// The hash of a scene after some steps.
pub(crate) fn hash(name: &str, steps: usize, width: Width, threads: usize) -> u64 {
    let mut running = find(name).unwrap().start().unwrap();
    running.set_width(width);
    running.set_threads(threads);
    (0..steps).for_each(|_| running.step().unwrap());
    running.hash()
}
