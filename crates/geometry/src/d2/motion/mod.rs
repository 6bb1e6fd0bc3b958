//! Rays and moving shapes.
