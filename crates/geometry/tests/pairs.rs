//! Pair queries against exact arithmetic and against their own laws, in both dimensions.

// Tolerances may come from any maximum; the worst errors are worth a look with --nocapture.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

#[path = "pairs/world.rs"]
mod world;

#[path = "pairs/spaces.rs"]
mod spaces;

#[path = "pairs/oracle.rs"]
mod oracle;

#[path = "pairs/laws.rs"]
mod laws;

#[path = "pairs/named.rs"]
mod named;
