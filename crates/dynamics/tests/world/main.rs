//! Worlds: do bodies behave as mechanics says, is everything the same on every machine, is misuse answered?

mod behaviour;
mod calm;
mod character;
mod determinism;
mod fast;
mod field;
mod impacts;
mod joint_energy;
mod joint_lanes;
mod joints;
mod loads;
mod locks;
mod misuse;
mod quality;
mod round;
mod scenes;
mod sensors;
mod snapshot;
mod surfaces;
mod walls;
