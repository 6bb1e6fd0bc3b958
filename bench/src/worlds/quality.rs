//! Quality: the scenes that show whether bodies behave, in every engine, without a clock.

use super::{ENGINES, Outcome, outcome};
use carom_scene::builtin;

/// The scenes with the steps to run, and below which height a body has been pushed through the ground.
const SCENES: [(&str, usize, f32); 25] = [
    ("2d/high_mass_ratio_1", 600, -1.0),
    ("2d/high_mass_ratio_2", 600, -1.0),
    ("2d/high_mass_ratio_3", 600, -1.0),
    ("2d/friction_ramp", 600, -1.0),
    ("2d/overlap_recovery", 600, -1.0),
    ("2d/vertical_stack", 600, -1.0),
    ("2d/arch", 600, -1.0),
    ("2d/card_house", 600, -1.0),
    ("2d/confined", 300, f32::NEG_INFINITY),
    ("2d/far_pyramid", 600, f32::NEG_INFINITY),
    ("2d/double_domino", 600, -1.0),
    ("2d/circle_stack", 600, -1.0),
    ("2d/far_stack", 600, f32::NEG_INFINITY),
    ("2d/far_recovery", 600, f32::NEG_INFINITY),
    ("2d/bridge", 600, f32::NEG_INFINITY),
    ("2d/ball_and_chain", 600, f32::NEG_INFINITY),
    ("3d/high_mass_ratio_1", 600, -1.0),
    ("3d/high_mass_ratio_2", 600, -1.0),
    ("3d/high_mass_ratio_3", 600, -1.0),
    ("3d/vertical_stack", 600, -1.0),
    ("3d/arch", 600, -1.0),
    ("3d/card_house", 600, -1.0),
    ("3d/far_pyramid", 600, f32::NEG_INFINITY),
    ("3d/ball_and_chain", 600, f32::NEG_INFINITY),
    ("3d/ball_and_chain_1000", 600, f32::NEG_INFINITY),
];

/// Runs the scenes whose names contain the filter and prints the figures of every engine.
pub(crate) fn run(is_json: bool, filter: &str) {
    if !is_json {
        println!(
            "{:<22} {:<8} {:>10} {:>9} {:>10} {:>5} {:>4}",
            "scene", "engine", "overlap mm", "gap mm", "drift mm", "lost", "NaN"
        );
    }
    for (name, steps, ground) in SCENES.into_iter().filter(|(name, ..)| name.contains(filter)) {
        let Some(scene) = builtin::find(name) else { continue };
        for engine in ENGINES.iter().filter(|engine| engine.runs(name.starts_with("2d"), 1)) {
            let (label, version) = engine.name();
            let Some(found) = outcome(*engine, scene, steps, 1, ground) else { continue };
            let Outcome { deepest, gap, drift, lost, unknown, .. } = found;
            if is_json {
                println!(
                    "{{\"suite\": \"quality\", \"case\": \"{name}\", \"engine\": \"{label}\", \"version\": \"{version}\", \
                     \"steps\": {steps}, \"quality\": {{\"overlap\": {deepest}, \"worst_anchor_gap\": {gap}, \
                     \"drift\": {drift}, \"lost\": {lost}, \"nan\": {unknown}}}}}"
                );
            } else {
                println!(
                    "{name:<22} {label:<8} {:>10.2} {:>9.2} {:>10.2} {lost:>5} {unknown:>4}",
                    1e3 * deepest,
                    1e3 * gap,
                    1e3 * drift
                );
            }
        }
    }
}
