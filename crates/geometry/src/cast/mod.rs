//! Ray and motion kernels that are the same in both dimensions.
