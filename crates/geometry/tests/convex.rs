//! Polygons, hulls, ellipsoids, cylinders, cones and rounded shapes against exact arithmetic, against each
//! other and against their own laws, in both dimensions.

// Tolerances may come from any maximum; the worst errors are worth a look with --nocapture.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use super::world;

use super::spaces;

#[path = "pairs/oracle.rs"]
mod oracle;

#[path = "pairs/laws.rs"]
mod laws;

/// Pairs of arbitrary numbers that are tried.
const ANY_BITS_ROUNDS: usize = 4_000;

/// How far from their shapes the points may be, in units of ε times the size.
const WITNESS_UNITS: f64 = 128.0;

/// Every pair with a polytope of many corners or a rounded shape, in one order.
fn kind_pairs() -> Vec<[&'static str; 2]> {
    let all: Vec<&str> = world::KINDS.iter().chain(&world::CONVEX_KINDS).copied().collect();
    let pairs = (0..all.len()).flat_map(|a| (a..all.len()).map(move |b| [a, b]));
    pairs.map(|pair| pair.map(|index| all[index])).filter(|[_, b]| world::CONVEX_KINDS.contains(b)).collect()
}

#[path = "convex/curved.rs"]
mod curved;

#[path = "convex/solids.rs"]
mod solids;

#[path = "convex/extreme.rs"]
mod extreme;

#[path = "convex/named.rs"]
mod named;

#[path = "convex/rims.rs"]
mod rims;
