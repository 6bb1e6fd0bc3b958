//! Questions about points, lines, rays, segments, planes, triangles and parallelograms.

use super::dimension::Dimension;
use crate::failure::Failure;
use crate::json::Object;
use crate::write::Answer;

/// `{"relation", "point_a", "point_b", "distance", "s", "t"}`
pub(super) fn lines<D: Dimension>(question: &Object<'_>, _: &mut Answer<'_>) -> Result<(), Failure> {
    Err(Failure::unsupported(question.start(), "lines is not supported yet"))
}
