//! The point of a shape closest to a given point.
