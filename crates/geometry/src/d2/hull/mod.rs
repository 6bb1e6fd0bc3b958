//! Convex hulls.
