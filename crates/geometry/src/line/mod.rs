//! Lines, rays and segments: what both dimensions share.

#[allow(dead_code)] // the pair kernels that use these come next
pub(crate) mod closest;
