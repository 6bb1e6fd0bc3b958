//! Flat things and their relations.
