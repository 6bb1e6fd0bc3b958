//! All tests of the public face in one program: the kernels are generic, and every program that asks them would
//! compile them anew. `cargo test -p carom-geometry --test geometry pairs::` runs those of one file.
//!
//! Only `allocation` stands alone, since it counts what the whole program allocates.

mod batches;
mod bounds;
mod catalogue;
mod ccd;
mod closest;
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
mod moving;
mod moving_curved;
mod outlines;
mod pairs;
mod properties;
mod rays;
mod rounded_mass;
mod swept;
