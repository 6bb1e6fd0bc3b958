//! Questions about points and the boxes, balls and hulls around them.

use super::dimension::{Dimension, Space};
use crate::failure::{Failure, meant};
use crate::json::{Object, Value};
use crate::write::Answer;
use carom::bound::{Aabb, BoundingBall, Obb};
use carom::d3;
use carom::math::Vector;

/// The kinds of fits.
const FITS: [&str; 6] = ["aabb", "obb_pca", "obb", "rectangle", "ritter", "ball"];

/// Boxes and balls in which every point lies.
pub(super) fn fit<D: Dimension>(question: &Object<'_>, answer: &mut Answer<'_>) -> Result<(), Failure> {
    let named = question.need("kind", "fit")?;
    let kind = named.word()?;
    let given = question.need("points", "fit")?;
    if kind == "rectangle" && D::Vector::DIM != 2 {
        let text = "a rectangle is fitted in 2D only; in 3D ask for `obb`, or give \"dim\": 2";
        return Err(named.fail("wrong_dimension", text));
    }
    let points: Vec<D::Vector> = given.points()?;
    let result = match &*kind {
        "aabb" => Aabb::from_points(&points).map(|fit| write_aabb::<D>(fit, answer)),
        "obb_pca" => Obb::<D::Pose>::from_principal_axes(&points).map(|fit| write_box::<D>(&fit, answer)),
        "obb" | "rectangle" => D::minimum_box(&points).map(|fit| write_box::<D>(&fit, answer)),
        "ritter" => BoundingBall::ritter(&points).map(|fit| write_ball(fit, answer)),
        "ball" => BoundingBall::minimum(&points).map(|fit| write_ball(fit, answer)),
        _ => {
            let hint = meant(&kind, FITS).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
            return Err(
                named.fail("unknown_kind", format!("unknown fit{hint} (there are: {})", FITS.join(", ")))
            );
        }
    };
    result.map_err(|error| question.place(error))
}

fn write_aabb<D: Dimension>(fit: Aabb<D::Vector>, answer: &mut Answer<'_>) {
    answer.open().vector("min", fit.min).vector("max", fit.max).number(D::MEASURE, fit.volume()).close();
}

fn write_box<D: Dimension>(fit: &Obb<D::Pose>, answer: &mut Answer<'_>) {
    answer
        .open()
        .vector("center", fit.center())
        .list("axes", fit.axes(), |answer, axis| {
            answer.plain_vector(axis);
        })
        .vector("half_extents", fit.half_extents())
        .number(D::MEASURE, fit.volume())
        .close();
}

/// A box along the axes of space, as `fit` answers it.
pub(crate) fn write_aabb_in_space(fit: d3::Aabb<f64>, answer: &mut Answer<'_>) {
    write_aabb::<Space<f64>>(fit, answer);
}

/// A turned box of space, as `fit` answers it.
pub(crate) fn write_box_in_space(fit: &d3::Obb<f64>, answer: &mut Answer<'_>) {
    write_box::<Space<f64>>(fit, answer);
}

/// A ball, as `fit` answers it.
pub(crate) fn write_ball<V: Vector>(fit: BoundingBall<V>, answer: &mut Answer<'_>) {
    answer.open().vector("center", fit.center()).number("radius", fit.radius()).close();
}

/// 2D: `{"points", "loop"}`, 3D: `{"points", "faces"}`; the points are the corners of the hull only
pub(super) fn hull<D: Dimension>(question: &Object<'_>, answer: &mut Answer<'_>) -> Result<(), Failure> {
    let points: Vec<D::Vector> = question.need("points", "hull")?.points()?;
    let hull = D::hull(&points).map_err(|error| question.place(error))?;
    let indices = |answer: &mut Answer<'_>, list: Vec<usize>| {
        answer.plain_list(list, |answer, index| answer.plain_index(index));
    };
    answer.open().list("points", hull.points, |answer, point| {
        answer.plain_vector(point);
    });
    match hull.surface {
        Surface::Loop(corners) => indices(answer.name("loop"), corners),
        Surface::Faces(faces) => {
            answer.list("faces", faces, indices);
        }
    }
    answer.close();
    Ok(())
}

/// The corners of a hull, and how they are connected.
pub(super) struct Hull<V> {
    pub(super) points: Vec<V>,
    pub(super) surface: Surface,
}

/// Indices into the points of a hull, counter-clockwise.
pub(super) enum Surface {
    /// The boundary of a hull in the plane.
    Loop(Vec<usize>),
    /// The faces of a hull in space, seen from outside.
    Faces(Vec<Vec<usize>>),
}

/// `{"area"}` or `{"volume"}` of what two axis-aligned boxes share
pub(super) fn overlap_area<D: Dimension>(
    question: &Object<'_>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let a = read_box::<D::Vector>(question.need("a", "overlap_area")?)?;
    let b = read_box::<D::Vector>(question.need("b", "overlap_area")?)?;
    answer.open().number(D::MEASURE, a.overlap_volume(b)).close();
    Ok(())
}

/// The corners of an axis-aligned box.
fn read_box<V: Vector>(value: Value<'_>) -> Result<Aabb<V>, Failure> {
    let of = "an axis-aligned box";
    let object = value.object("a box, such as {\"min\": [0, 0], \"max\": [1, 1]}")?;
    object.allow(of, &["min", "max"])?;
    let low: V = object.need("min", of)?.vector()?;
    let high: V = object.need("max", of)?.vector()?;
    if (0..V::DIM).any(|axis| high.get(axis) < low.get(axis)) {
        return Err(value.fail("inverted_box", "min must not be above max"));
    }
    Ok(Aabb { min: low, max: high })
}
