//! The same bits on other targets: runs the scenes of the golden hashes and compares.
//!
//! `.ci/elsewhere` builds this for WebAssembly and AArch64 and runs it there. It needs no arguments, files, clock or threads, so
//! that it runs in a bare WebAssembly module as well: what it says is lost there, but the exit code counts scenes whose hashes differ.

#[path = "../../crates/scene/tests/golden/scenes.rs"]
mod scenes;

use carom_scene::builtin::Width;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut wrong = 0;
    for (name, steps, golden) in scenes::GOLDEN {
        for width in [Width::Scalar, Width::widest()] {
            let found = scenes::hash(name, steps, width, 1);
            let verdict = if found == golden { "same" } else { "DIFFERENT" };
            wrong += u8::from(found != golden);
            // Nobody may be listening.
            let _ = writeln!(std::io::stdout(), "{name}, {steps} steps, {width:?}: {found:#018x} {verdict}");
        }
    }
    ExitCode::from(wrong)
}
