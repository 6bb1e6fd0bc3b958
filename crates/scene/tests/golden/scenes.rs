//! Scenes and the hashes of the states that they end in.

use carom_scene::builtin::{Width, find};

/// Scene, steps, hash of the state after them.
pub(crate) const GOLDEN: [(&str, usize, u64); 11] = [
    ("2d/vertical_stack", 60, 0x3755_6a63_e5f3_7275),
    ("2d/card_house", 40, 0x302d_6615_1e49_ca1f),
    ("2d/confined", 10, 0x1da4_c30b_338e_55b3),
    ("2d/rush", 20, 0x00ad_a7d3_cc21_3c94),
    ("2d/far_pyramid", 60, 0xa31b_2452_6b22_61e1),
    ("3d/wide_pyramid", 10, 0xf933_d892_8116_dd1f),
    // Joints, ragdolls, fast bodies, a mesh.
    ("2d/falling_hinges", 60, 0x386b_7e8f_ad30_cdc9),
    ("2d/bridge", 60, 0xacec_8029_8b6a_3c21),
    ("2d/rain", 40, 0x3de7_e68d_ecf7_255f),
    ("3d/high_speed", 4, 0x0045_daa5_823f_9b1e),
    ("3d/mesh_drop", 70, 0x4806_98bf_d270_130a),
];

/// The hash of a scene after some steps.
pub(crate) fn hash(name: &str, steps: usize, width: Width, threads: usize) -> u64 {
    let mut running = find(name).unwrap().start().unwrap();
    running.set_width(width);
    running.set_threads(threads);
    (0..steps).for_each(|_| running.step().unwrap());
    running.hash()
}
