//! Laws that hold for every pair of convex kinds, plain and inflated, in both dimensions and precisions.
//!
//! P1–P9, P15, P16, P19 and P20 of the list in CONTRIBUTING.md. One generator makes the pairs
//! ([`world`], [`placement`]); each law is a function of a pair. `CAROM_SOAK=N` tries N times as many.

// Tolerances may come from any maximum; the worst errors are worth a look with --nocapture.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use super::world;

use super::spaces;

#[path = "properties/agreement.rs"]
#[allow(dead_code, unreachable_pub)]
mod agreement;

#[path = "properties/placement.rs"]
mod placement;

#[path = "properties/reference.rs"]
mod reference;

#[path = "properties/laws.rs"]
mod laws;

#[path = "properties/accuracy.rs"]
mod accuracy;
