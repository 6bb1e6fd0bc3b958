//! Questions about rays, and about shapes that move.

use super::dimension::{Dimension, Pair, Steps};
use super::pair::{read_length, read_pair, read_pose};
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::mesh::Folder;
use crate::write::Answer;
use carom::math::{Real, Vector};
use carom::{Hit, Ray, RayOptions};

/// `null` or `{"t", "point", "normal"}`, where point = origin + t·direction
pub(super) fn ray<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let Aimed { shape, pose, ray, options } = read_ray::<D>(question, folder)?;
    let hit = D::cast_ray(&shape, pose, &ray, options).map_err(|error| question.place(error))?;
    write_hit(hit, answer);
    Ok(())
}

/// `null` or `{"t", "point", "normal"}`: the first touch under straight motion
pub(super) fn cast<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let Thrown { pair, velocity_a, velocity_b, max } = read_cast::<D>(question, folder)?;
    let hit = D::cast_shape(&pair, velocity_a, velocity_b, max).map_err(|error| question.place(error))?;
    write_hit(hit, answer);
    Ok(())
}

/// The steps of [`ray`]; `None` where it has no answer.
pub(super) fn ray_steps<D: Dimension>(question: &Object<'_>, folder: &Folder<D::Scalar>) -> Option<Steps<D>> {
    let Aimed { shape, pose, ray, options } = read_ray::<D>(question, folder).ok()?;
    D::explain_ray(&shape, pose, &ray, options).ok()
}

/// The steps of [`cast`]; `None` where it has no answer.
pub(super) fn cast_steps<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
) -> Option<Steps<D>> {
    let Thrown { pair, velocity_a, velocity_b, max } = read_cast::<D>(question, folder).ok()?;
    D::explain_cast(&pair, velocity_a, velocity_b, max).ok()
}

/// A shape and a ray.
struct Aimed<D: Dimension> {
    shape: D::Shape,
    pose: D::Pose,
    ray: Ray<D::Vector>,
    options: RayOptions<D::Scalar>,
}

fn read_ray<D: Dimension>(question: &Object<'_>, folder: &Folder<D::Scalar>) -> Result<Aimed<D>, Failure> {
    let shape = D::shape(question.need("shape", "ray")?, folder)?;
    let pose = read_pose::<D>(question, "pose")?;
    let origin: D::Vector = question.need("origin", "ray")?.vector()?;
    let direction: D::Vector = question.need("direction", "ray")?.vector()?;
    let options = RayOptions {
        max: read_length(question, "max", D::Scalar::INFINITY)?,
        solid: question.get("solid").map_or(Ok(true), Value::boolean)?,
    };
    let ray = Ray::new(origin, direction).map_err(|error| question.place(error))?;
    Ok(Aimed { shape, pose, ray, options })
}

/// Two shapes in straight motion.
struct Thrown<D: Dimension> {
    pair: Pair<D>,
    velocity_a: D::Vector,
    velocity_b: D::Vector,
    max: D::Scalar,
}

fn read_cast<D: Dimension>(question: &Object<'_>, folder: &Folder<D::Scalar>) -> Result<Thrown<D>, Failure> {
    let pair = read_pair::<D>(question, folder, "cast")?;
    // What has no velocity stands still, like what has no pose stands at the origin.
    let velocity = |name| question.get(name).map_or(Ok(D::Vector::ZERO), Value::vector::<D::Vector>);
    let (velocity_a, velocity_b) = (velocity("velocity_a")?, velocity("velocity_b")?);
    let max = read_length(question, "max", D::Scalar::ONE)?;
    Ok(Thrown { pair, velocity_a, velocity_b, max })
}

fn write_hit<V: Vector>(hit: Option<Hit<V>>, answer: &mut Answer<'_>) {
    match hit {
        Some(hit) => {
            answer.open().number("t", hit.t).vector("point", hit.point).vector("normal", hit.normal).close();
        }
        None => answer.null(),
    }
}
