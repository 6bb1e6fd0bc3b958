//! The question what a collision does to velocities.

use super::dimension::Dimension;
use crate::failure::Failure;
use crate::json::Object;
use crate::write::Answer;

/// `{"velocity_a", "velocity_b", "impulse"}`
pub(super) fn respond<D: Dimension>(question: &Object<'_>, _: &mut Answer<'_>) -> Result<(), Failure> {
    Err(Failure::unsupported(question.start(), "respond is not supported yet"))
}
