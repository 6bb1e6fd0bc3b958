//! TBD

pub mod trig;
