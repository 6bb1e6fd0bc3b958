//! Trees over boxes, generic over the dimension.
