//! Scenes with joints hold together: no body is lost, and no joint opens wider than it does in Box2D, version 3.2, or Box3D with the
//! same sub-steps (`carom-bench worlds --filter 2d/bridge`, `carom-bench quality --filter ball_and_chain`).

use carom_scene::builtin::{Running, find};

/// Runs a scene; the widest gap of a joint seen at every tenth step, in metres.
fn widest_gap(name: &str, steps: usize) -> f32 {
    widest_gap_since(name, 0, steps)
}

/// The same, after some steps.
fn widest_gap_since(name: &str, first: usize, steps: usize) -> f32 {
    let mut running = find(name).unwrap().start().unwrap();
    let mut widest = 0.0_f32;
    for step in 1..=steps {
        running.step().unwrap();
        let (lost, widest_now) = match &running {
            Running::Flat { world, .. } => {
                (world.events().quarantined.len(), largest(world.joints().map(|joint| joint.separation())))
            }
            Running::Solid { world, .. } => {
                (world.events().quarantined.len(), largest(world.joints().map(|joint| joint.separation())))
            }
        };
        assert_eq!(lost, 0, "{name}, step {step}: bodies are no longer anywhere");
        if first < step && step % 10 == 0 {
            widest = largest([widest, widest_now].into_iter());
        }
    }
    widest
}

fn largest(numbers: impl Iterator<Item = f32>) -> f32 {
    numbers.fold(0.0, |most, next| if most < next { next } else { most })
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
    let gap = widest_gap("3d/ball_and_chain_1000", 600);
    assert!(gap < 0.357, "{gap}");
    // 37,000 times the mass of a link: what the chain does is no longer real in any engine, but no worse than elsewhere.
    let gap = widest_gap("3d/ball_and_chain", 600);
    assert!(gap < 12.5, "{gap}");
}

#[test]
fn ragdolls_that_fall_on_the_ground_stay_together() {
    // With limbs that stop where they meet the ground while the rest of the body goes on for the step, 0.134 m.
    let gap = widest_gap("2d/rain", 300);
    assert!(gap < 0.108, "{gap}");
}
