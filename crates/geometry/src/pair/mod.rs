//! Pair kernels that are the same in both dimensions.
