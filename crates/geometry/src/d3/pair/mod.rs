//! Two shapes: do they touch, how far apart, how deep.
