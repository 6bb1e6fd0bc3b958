//! Scenes with joints hold together: no body is lost, and no joint opens wider than it does in Box2D, version 3.2 with the
//! same sub-steps (`carom-bench worlds --filter 2d/bridge`).

use carom_scene::builtin::{Running, find};

/// Runs a scene of the plane; the widest gap of a joint seen at every tenth step, in metres.
fn widest_gap(name: &str, steps: usize) -> f32 {
    widest_gap_since(name, 0, steps)
}

/// The same, after some steps.
fn widest_gap_since(name: &str, first: usize, steps: usize) -> f32 {
    let mut running = find(name).unwrap().start().unwrap();
    let mut widest = 0.0_f32;
    for step in 1..=steps {
        running.step().unwrap();
        let Running::Flat { world, .. } = &running else { panic!("{name} is not a scene of the plane") };
        let lost = &world.events().quarantined;
        assert!(lost.is_empty(), "{name}, step {step}: {} bodies are no longer anywhere", lost.len());
        if first < step && step % 10 == 0 {
            for joint in world.joints() {
                widest = if widest < joint.separation() { joint.separation() } else { widest };
            }
        }
    }
    widest
}

#[test]
fn a_net_of_ten_thousand_discs_does_not_burst() {
    // With the mass of a joint as it was when the step began, this one did after 102 steps.
    let gap = widest_gap("2d/joint_grid", 130);
    assert!(gap < 0.618, "{gap}");
    // Without the geometric stiffness of joints, discs between the heavy rest and what holds it spin, and these open by 3.1 m.
    let gap = widest_gap("2d/joint_grid_heavy", 130);
    assert!(gap < 1.24, "{gap}");
}

#[test]
fn a_stretched_chain_comes_to_rest() {
    // Every joint starts a metre open. With springs of a third of the sub-step rate it swings by a metre forever.
    let gap = widest_gap("2d/stretched_chain", 100);
    assert!(gap < 0.962, "{gap}");
    let gap = widest_gap_since("2d/stretched_chain", 250, 300);
    assert!(gap < 0.1, "{gap}");
}

#[test]
fn a_bridge_and_a_heavy_ball_on_a_chain_hold() {
    let gap = widest_gap("2d/bridge", 300);
    assert!(gap < 0.0702, "{gap}");
    let gap = widest_gap("2d/ball_and_chain", 300);
    assert!(gap < 0.239, "{gap}");
}

#[test]
fn ragdolls_that_fall_on_the_ground_stay_together() {
    // With limbs that stop where they meet the ground while the rest of the body goes on for the step, 0.134 m.
    let gap = widest_gap("2d/rain", 300);
    assert!(gap < 0.108, "{gap}");
}
