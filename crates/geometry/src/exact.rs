//! Exact signs of polynomials in floating-point numbers.
