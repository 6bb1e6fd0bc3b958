//! Concave outlines: polygons with an inside.
