//! Carom side by side with its peers: same process, same input, interleaved, best of several.
//!
//! `cargo run --release -p carom-bench -- SUITE [--json] [--filter TEXT] [--repeats N]`

mod batches;
mod ground;
mod harness;
mod impact;
mod meshes;
mod motion;
mod pairs;
mod traces;
mod trees;
mod upright;
mod worlds;

use clap::Parser;

/// Times Carom and its peers on the same input and prints the ratios.
#[derive(Parser)]
#[command(name = "carom-bench")]
struct Arguments {
    /// What to measure.
    #[arg(value_enum)]
    suite: Suite,
    /// One JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
    /// Only cases whose name contains this text.
    #[arg(long, default_value = "")]
    filter: String,
    /// How often each engine runs a case; the engines take turns.
    #[arg(long, default_value_t = 15)]
    repeats: usize,
    /// On how many threads worlds run: one or several numbers with commas between them.
    #[arg(long, value_delimiter = ',', default_values_t = [1])]
    threads: Vec<usize>,
    /// For how many steps the suite `tunnels` runs the HighSpeed box.
    #[arg(long, default_value_t = 10_000)]
    steps: usize,
    /// How many bullets it shoots at each target.
    #[arg(long, default_value_t = 10_000)]
    bullets: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Suite {
    /// Two shapes: intersects, distance, contact.
    Pairs,
    /// Shapes that stand upright, one on the other or above it: flush faces, parallel edges.
    Upright,
    /// Ground of many parts, and shapes far above it, over it, on it and deep in it.
    Ground,
    /// Plain questions and the same ones with their steps.
    Traces,
    /// Many pairs at once: lanes, one by one, Parry.
    Batches,
    /// Rays and moving shapes.
    Motion,
    /// First touch of shapes that move and turn.
    Impact,
    /// Trees over boxes: building, rays, pairs of moving boxes.
    Trees,
    /// Meshes as shapes: building, rays, distances, contacts.
    Meshes,
    /// Whole worlds of bodies, beside Rapier and, where built in, Box2D, Box3D and Jolt.
    Worlds,
    /// The scenes that show whether bodies behave, in every engine: overlaps, gaps, drift, without times.
    Quality,
    /// Bodies that get through walls: bullets and Jolt's HighSpeed box; the filter is part of a case or the name of an engine.
    Tunnels,
}

fn main() {
    let arguments = Arguments::parse();
    let suite = match arguments.suite {
        Suite::Pairs => "pairs",
        Suite::Upright => "upright",
        Suite::Ground => "ground",
        Suite::Traces => "traces",
        Suite::Batches => "batches",
        Suite::Motion => "motion",
        Suite::Impact => "impact",
        Suite::Trees => "trees",
        Suite::Meshes => "meshes",
        Suite::Worlds => {
            return worlds::run(arguments.json, &arguments.filter, arguments.repeats, &arguments.threads);
        }
        Suite::Quality => return worlds::quality(arguments.json, &arguments.filter),
        Suite::Tunnels => {
            let threads = arguments.threads.first().copied().unwrap_or(1);
            let Arguments { json, filter, steps, bullets, .. } = &arguments;
            return worlds::tunnels(*json, filter, *steps, *bullets, threads);
        }
    };
    let mut report = harness::Report::new(suite, arguments.json, arguments.filter, arguments.repeats);
    match arguments.suite {
        Suite::Pairs => pairs::run(&mut report),
        Suite::Upright => upright::run(&mut report),
        Suite::Ground => ground::run(&mut report),
        Suite::Traces => traces::run(&mut report),
        Suite::Batches => batches::run(&mut report),
        Suite::Motion => motion::run(&mut report),
        Suite::Impact => impact::run(&mut report),
        Suite::Trees => trees::run(&mut report),
        Suite::Meshes => meshes::run(&mut report),
        Suite::Worlds | Suite::Quality | Suite::Tunnels => {}
    }
    report.finish();
}
