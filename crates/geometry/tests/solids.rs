//! Meshes as solids: inside and outside, signed distance, health, repair and convex parts.

mod health;
mod inside;
mod meshes;
mod parts;
