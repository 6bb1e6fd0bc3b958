//! Carom side by side with its peers: same process, same input, interleaved, best of several.
//!
//! `cargo run --release -p carom-bench -- SUITE [--json] [--filter TEXT] [--repeats N]`

mod harness;
mod impact;
mod pairs;

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
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Suite {
    /// Two shapes: intersects, distance, contact.
    Pairs,
    /// First touch of shapes that move and turn.
    Impact,
}

fn main() {
    let arguments = Arguments::parse();
    let suite = match arguments.suite {
        Suite::Pairs => "pairs",
        Suite::Impact => "impact",
    };
    let mut report = harness::Report::new(suite, arguments.json, arguments.filter, arguments.repeats);
    match arguments.suite {
        Suite::Pairs => pairs::run(&mut report),
        Suite::Impact => impact::run(&mut report),
    }
    report.finish();
}
