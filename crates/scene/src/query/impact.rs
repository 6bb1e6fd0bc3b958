//! Questions about shapes that move and turn, and about moving parts of meshes.

use super::dimension::{Dimension, Moving, Steps};
use super::pair::read_length;
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::mesh::Folder;
use crate::write::Answer;
use carom::d3::{self, Vec3};
use carom::math::{Real, Vector};
use carom::{CcdHit, CcdOptions, Error, ImpactOptions, ImpactStatus};

/// `null` or `{"t", "lower", "point", "normal"}`: the first touch under rigid motion
pub(super) fn time_of_impact<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let (moving, options) = read_impact::<D>(question, folder)?;
    match D::time_of_impact(&moving, options).map_err(|error| question.place(error))? {
        // A bound that holds, and no touch.
        Some(hit) if hit.status == ImpactStatus::Limit => {
            let text = format!(
                "there is no touch before t = {}, and it could not be decided whether there is one after: they turn too fast, or \
                 too close to each other; ask about a part of the motion",
                hit.lower
            );
            return Err(Failure { kind: "undecided", offset: None, text });
        }
        Some(hit) => {
            answer
                .open()
                .number("t", hit.t)
                .number("lower", hit.lower)
                .vector("point", hit.point)
                .vector("normal", hit.normal)
                .close();
        }
        None => answer.null(),
    }
    Ok(())
}

/// The steps of [`time_of_impact`]; `None` where it has no answer.
pub(super) fn impact_steps<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
) -> Option<Steps<D>> {
    let (moving, options) = read_impact::<D>(question, folder).ok()?;
    D::explain_impact(&moving, options).ok()
}

fn read_impact<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
) -> Result<(Moving<D>, ImpactOptions<D::Scalar>), Failure> {
    // What has no motion stands still at the origin.
    let motion = |name| question.get(name).map_or(Ok(D::still()), read_motion::<D>);
    let moving = Moving {
        a: D::shape(question.need("a", "time_of_impact")?, folder)?,
        motion_a: motion("motion_a")?,
        b: D::shape(question.need("b", "time_of_impact")?, folder)?,
        motion_b: motion("motion_b")?,
    };
    let default = ImpactOptions::default();
    let tolerance = read_length(question, "tolerance", default.tolerance)?;
    Ok((moving, ImpactOptions { tolerance, ..default }))
}

/// `{"from": pose, "to": pose}`, or `{"from": pose, "velocity", "angular"}`, all of which may be missing.
fn read_motion<D: Dimension>(value: Value<'_>) -> Result<D::Motion, Failure> {
    let object = value.object("a motion, such as {\"from\": {}, \"to\": {\"translation\": [1, 0, 0]}}")?;
    object.allow("a motion", &["from", "to", "velocity", "angular"])?;
    let from = object.get("from").map_or(Ok(D::Pose::default()), D::pose)?;
    if let Some(to) = object.get("to") {
        if let Some(other) = object.get("velocity").or(object.get("angular")) {
            let text = "a motion ends at a pose (\"to\") or has velocities, but not both";
            return Err(other.fail("contradiction", text));
        }
        return Ok(D::motion_between(from, D::pose(to)?));
    }
    let velocity = object.get("velocity").map_or(Ok(D::Vector::ZERO), Value::vector)?;
    D::motion_by_velocity(from, velocity, object.get("angular"))
}

/// `{"hit": bool, "t"}`: a moving point and a moving triangle
pub(super) fn ccd_vertex_face<D: Dimension>(
    question: &Object<'_>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    ccd::<D>(question, answer, "ccd_vertex_face", d3::ccd_vertex_face)
}

/// `{"hit": bool, "t"}`: two moving edges
pub(super) fn ccd_edge_edge<D: Dimension>(
    question: &Object<'_>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    ccd::<D>(question, answer, "ccd_edge_edge", d3::ccd_edge_edge)
}

type FourPoints<T> = [Vec3<T>; 4];

fn ccd<D: Dimension>(
    question: &Object<'_>,
    answer: &mut Answer<'_>,
    name: &str,
    ask: impl Fn(
        FourPoints<D::Scalar>,
        FourPoints<D::Scalar>,
        CcdOptions<D::Scalar>,
    ) -> Result<Option<CcdHit<D::Scalar>>, Error>,
) -> Result<(), Failure> {
    if D::Vector::DIM != 3 {
        let start = question.get("dim").map_or(question.start(), |dim| dim.start());
        return Err(Failure::at(start, "wrong_dimension", format!("{name} exists in 3D only")));
    }
    let points = |field: &str| -> Result<FourPoints<D::Scalar>, Failure> {
        let mut points = [Vec3::ZERO; 4];
        question.need(field, name)?.fixed(4, |index, element| {
            points[index] = element.vector()?;
            Ok(())
        })?;
        Ok(points)
    };
    let (start, end) = (points("start")?, points("end")?);
    let separation = read_length(question, "separation", D::Scalar::ZERO)?;
    let options = CcdOptions { separation, ..CcdOptions::default() };
    let found = ask(start, end, options).map_err(|error| question.place(error))?;
    answer.open().boolean("hit", found.is_some());
    answer.maybe_number("t", found.map(|hit| hit.t)).close();
    Ok(())
}
