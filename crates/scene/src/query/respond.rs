//! The question what a collision does to velocities.

use super::dimension::Dimension;
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::write::Answer;
use carom::response::Impact;

/// `{"velocity_a", "velocity_b", "impulse"}`, where the impulse is a number: that along the normal
pub(super) fn respond<D: Dimension>(question: &Object<'_>, answer: &mut Answer<'_>) -> Result<(), Failure> {
    let vector = |name| question.need(name, "respond").and_then(Value::vector::<D::Vector>);
    let number = |name| question.need(name, "respond").and_then(Value::number::<D::Scalar>);
    let (velocity_a, velocity_b) = (vector("velocity_a")?, vector("velocity_b")?);
    let (mass_a, mass_b) = (number("mass_a")?, number("mass_b")?);
    let normal = vector("normal")?;
    let impact = Impact { restitution: number("restitution")?, friction: number("friction")? };
    let after = carom::response::respond(velocity_a, velocity_b, mass_a, mass_b, normal, impact)
        .map_err(|error| question.place(error))?;
    answer
        .open()
        .vector("velocity_a", after.velocity_a)
        .vector("velocity_b", after.velocity_b)
        .number("impulse", after.impulse)
        .close();
    Ok(())
}
