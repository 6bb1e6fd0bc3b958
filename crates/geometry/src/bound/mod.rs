//! Bounding volumes that are the same in both dimensions: axis-aligned boxes, balls and their fits.
