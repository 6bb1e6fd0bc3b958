//! Questions about rays, and about shapes that move.

use super::dimension::Dimension;
use super::pair::{read_length, read_pair, read_pose};
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::write::Answer;
use carom::math::{Real, Vector};
use carom::{Hit, Ray, RayOptions};

/// `null` or `{"t", "point", "normal"}`, where point = origin + t·direction
pub(super) fn ray<D: Dimension>(question: &Object<'_>, answer: &mut Answer<'_>) -> Result<(), Failure> {
    let shape = D::shape(question.need("shape", "ray")?)?;
    let pose = read_pose::<D>(question, "pose")?;
    let origin: D::Vector = question.need("origin", "ray")?.vector()?;
    let direction: D::Vector = question.need("direction", "ray")?.vector()?;
    let options = RayOptions {
        max: read_length(question, "max", D::Scalar::INFINITY)?,
        solid: question.get("solid").map_or(Ok(true), Value::boolean)?,
    };
    let hit = Ray::new(origin, direction).and_then(|ray| D::cast_ray(&shape, pose, &ray, options));
    write_hit(hit.map_err(|error| question.place(error))?, answer);
    Ok(())
}

/// `null` or `{"t", "point", "normal"}`: the first touch under straight motion
pub(super) fn cast<D: Dimension>(question: &Object<'_>, answer: &mut Answer<'_>) -> Result<(), Failure> {
    let pair = read_pair::<D>(question, "cast")?;
    // What has no velocity stands still, like what has no pose stands at the origin.
    let velocity = |name| question.get(name).map_or(Ok(D::Vector::ZERO), Value::vector::<D::Vector>);
    let (velocity_a, velocity_b) = (velocity("velocity_a")?, velocity("velocity_b")?);
    let max = read_length(question, "max", D::Scalar::ONE)?;
    let hit = D::cast_shape(&pair, velocity_a, velocity_b, max).map_err(|error| question.place(error))?;
    write_hit(hit, answer);
    Ok(())
}

fn write_hit<V: Vector>(hit: Option<Hit<V>>, answer: &mut Answer<'_>) {
    match hit {
        Some(hit) => {
            answer.open().number("t", hit.t).vector("point", hit.point).vector("normal", hit.normal).close();
        }
        None => answer.null(),
    }
}
