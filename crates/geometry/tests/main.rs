//! All tests of the public face in one program: the kernels are generic, and every program that asks them would
//! compile them anew. `cargo test -p carom-geometry --test geometry pairs::` runs those of one file.
//!
//! Only `allocation` stands alone, since it counts what the whole program allocates.

// `convex` asks the questions of `pairs` about kinds of its own.
#![allow(clippy::duplicate_mod)]
// Tests may measure with whatever they like; the code they test may not.
#![allow(clippy::disallowed_methods)]

#[path = "impact/cases.rs"]
mod cases;
#[path = "pairs/spaces.rs"]
mod spaces;
mod support;
mod sweep;
#[path = "pairs/world.rs"]
mod world;

mod batches;
mod bounds;
mod catalogue;
mod ccd;
mod clashes;
mod closest;
mod coaxial;
mod composites;
mod convex;
mod decompose;
mod explain;
mod fits;
mod hulls;
mod impact;
mod line_forms;
mod lines;
mod manifolds;
mod mass;
mod motion_laws;
mod motion_steps;
mod moving;
mod moving_curved;
mod moving_named;
mod moving_past;
mod outlines;
mod pairs;
mod plain_numbers;
mod properties;
mod rays;
mod rounded_mass;
mod solids;
mod swept;
mod trees;
mod trees_range;
mod upright;
