//! Points, lines, rays, segments in either dimension: closest points and relations.
