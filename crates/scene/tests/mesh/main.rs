//! Mesh files: what is read from right ones, what is said about wrong ones, and what hostile ones cannot do.

mod errors;
mod fit;
mod gltf;
mod hostile;
mod valid;
mod write;
