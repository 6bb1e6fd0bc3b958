//! Pair queries against exact arithmetic and against their own laws, in both dimensions.

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
