//! Oriented boxes and their fits.
