//! The program `carom`: asks the collision library from the command line.

mod arguments;
mod check;
mod fit;
mod query;
mod replay;
mod run;
mod terminal;
mod tour;

use arguments::{Arguments, Command};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Some(Command::Query(arguments)) => query::run(&arguments),
        Some(Command::Fit(arguments)) => fit::run(&arguments),
        Some(Command::Run(arguments)) => run::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        None => tour::run(&mut std::io::stdout().lock()),
    };
    result.unwrap_or_else(|failure| {
        // Nothing is left to do when even this cannot be written.
        let _ = writeln!(std::io::stderr(), "carom: {failure}");
        ExitCode::from(2)
    })
}
