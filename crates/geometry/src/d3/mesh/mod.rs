//! Triangle meshes as solids: are they sound, what is inside, and which convex parts do they have?
//!
//! A mesh is a list of vertices and a list of triples of their indices, counter-clockwise seen from outside.
//!
//! 1. [`topology`]: which triangles share edges and corners; [`neighbours`]: which two lie beside each other, and how;
//!    [`corners`]: where they are;
//! 2. [`health`] and [`repair`]: what is wrong with a mesh, and mending it;
//! 3. [`crossing`]: inside or outside of a closed mesh, exactly; [`winding`] and [`fan`]: the same for any mesh, as
//!    well as that can be told;
//! 4. [`solid`] and [`signed_distance`]: a mesh prepared for such questions;
//! 5. [`decompose`]: convex parts.

mod corners;
mod crossing;
mod decompose;
mod fan;
mod health;
mod neighbours;
mod repair;
mod signed_distance;
mod solid;
pub(crate) mod topology;
mod winding;

pub use decompose::{DecompositionOptions, MeshDecomposition, decompose_mesh};
pub use health::{MeshComponent, MeshHealth, mesh_health};
pub use repair::{RepairOptions, RepairReport, RepairedMesh, TurnComponents, repair_mesh};
pub use signed_distance::{MeshFeature, SignedDistance};
pub use solid::{MeshSolid, SignSource};
pub use winding::WindingNumber;

pub(crate) use corners::Corners;
pub(crate) use crossing::{Place, locate_among};
pub(crate) use neighbours::{Across, NONE, across_edges, side_of_plane};
pub(crate) use topology::{Checked, Edges, check_indices, check_vertices, places};
