//! Pair queries against exact arithmetic and against their own laws, in both dimensions.

// Tolerances may come from any maximum; the worst errors are worth a look with --nocapture.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use super::world;

use super::spaces;

#[path = "pairs/oracle.rs"]
mod oracle;

#[path = "pairs/laws.rs"]
mod laws;

#[path = "pairs/plain.rs"]
mod plain;

#[path = "pairs/named.rs"]
mod named;

#[path = "pairs/ties.rs"]
mod ties;

/// Pairs of arbitrary numbers that are tried.
const ANY_BITS_ROUNDS: usize = 60_000;

/// How far from their shapes the points may be, in units of ε times the size.
const WITNESS_UNITS: f64 = 32.0;

/// Every pair of simple kinds.
fn kind_pairs() -> Vec<[&'static str; 2]> {
    world::KINDS.iter().flat_map(|a| world::KINDS.iter().map(move |b| [*a, *b])).collect()
}
