//! Questions about two shapes, or a shape and a point, at rest.

use super::dimension::{Dimension, Pair};
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::mesh::Folder;
use crate::write::Answer;
use carom::math::Real;

/// Reads the two shapes of a question and their poses.
pub(super) fn read_pair<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    of: &str,
) -> Result<Pair<D>, Failure> {
    Ok(Pair {
        a: D::shape(question.need("a", of)?, folder)?,
        pose_a: read_pose::<D>(question, "pose_a")?,
        b: D::shape(question.need("b", of)?, folder)?,
        pose_b: read_pose::<D>(question, "pose_b")?,
    })
}

/// Reads a pose, or takes that of the world where there is none.
pub(super) fn read_pose<D: Dimension>(question: &Object<'_>, name: &str) -> Result<D::Pose, Failure> {
    question.get(name).map_or(Ok(D::Pose::default()), D::pose)
}

/// Reads a number that may be missing but not negative.
pub(super) fn read_length<T: Real>(question: &Object<'_>, name: &str, default: T) -> Result<T, Failure> {
    let Some(value) = question.get(name) else { return Ok(default) };
    let length: T = value.number()?;
    match length < T::ZERO {
        true => Err(value.fail("negative", format!("{name} must not be negative, but is {length}"))),
        false => Ok(length),
    }
}

/// `{"intersects": bool}`
pub(super) fn intersects<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let pair = read_pair::<D>(question, folder, "intersects")?;
    let intersects = D::intersects(&pair).map_err(|error| question.place(error))?;
    answer.open().boolean("intersects", intersects).close();
    Ok(())
}

/// `{"distance", "lower", "upper", "point_a", "point_b", "normal"}`
///
/// `max` allows to stop early once the distance is known to be larger. The whole answer is a correct
/// one then too, and it is what is given.
pub(super) fn distance<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let pair = read_pair::<D>(question, folder, "distance")?;
    read_length::<D::Scalar>(question, "max", D::Scalar::INFINITY)?;
    let found = D::distance(&pair).map_err(|error| question.place(error))?;
    answer
        .open()
        .number("distance", found.distance)
        .number("lower", found.lower)
        .number("upper", found.upper)
        .vector("point_a", found.point_a)
        .vector("point_b", found.point_b)
        .vector("normal", found.normal)
        .close();
    Ok(())
}

/// `null` or `{"depth", "normal", "point_a", "point_b"}`
pub(super) fn contact<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let pair = read_pair::<D>(question, folder, "contact")?;
    let margin = read_length(question, "margin", D::Scalar::ZERO)?;
    match D::contact(&pair, margin).map_err(|error| question.place(error))? {
        Some(found) => {
            answer
                .open()
                .number("depth", found.depth)
                .vector("normal", found.normal)
                .vector("point_a", found.point_a)
                .vector("point_b", found.point_b)
                .close();
        }
        None => answer.null(),
    }
    Ok(())
}

/// `null` or `{"normal", "points": [{"point", "depth", "feature": [of a, of b]}]}`
pub(super) fn manifold<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let pair = read_pair::<D>(question, folder, "manifold")?;
    let margin = read_length(question, "margin", D::Scalar::ZERO)?;
    match D::manifold(&pair, margin).map_err(|error| question.place(error))? {
        Some(found) => {
            answer.open().vector("normal", found.normal()).list("points", found.points(), |answer, point| {
                answer.open().vector("point", point.point).number("depth", point.depth);
                answer.list("feature", [point.feature.a, point.feature.b], |answer, feature| {
                    answer.plain_index(feature as usize);
                });
                answer.close();
            });
            answer.close();
        }
        None => answer.null(),
    }
    Ok(())
}

/// `{"point", "distance", "inside"}`
pub(super) fn closest_point<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let shape = D::shape(question.need("shape", "closest_point")?, folder)?;
    let pose = read_pose::<D>(question, "pose")?;
    let point = question.need("point", "closest_point").and_then(Value::vector)?;
    let found = D::closest_point(&shape, pose, point).map_err(|error| question.place(error))?;
    answer
        .open()
        .vector("point", found.point)
        .number("distance", found.distance)
        .boolean("inside", found.inside)
        .close();
    Ok(())
}
