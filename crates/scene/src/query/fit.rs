//! Questions about points and the boxes, balls and hulls around them.

use super::dimension::Dimension;
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::write::Answer;
use carom_math::{Number, Real, Vector};

/// The kinds of fits, and whether each exists in the plane only.
const FITS: [(&str, bool); 6] = [
    ("aabb", false),
    ("obb_pca", false),
    ("obb", false),
    ("rectangle", true),
    ("ritter", false),
    ("ball", false),
];

/// Boxes and balls in which every point lies.
pub(super) fn fit<D: Dimension>(question: &Object<'_>, _: &mut Answer<'_>) -> Result<(), Failure> {
    let _: Vec<D::Vector> = question.need("points", "fit")?.points()?;
    Err(Failure::unsupported(question.start(), "fit is not supported yet"))
}

/// The convex hull of points.
pub(super) fn hull<D: Dimension>(question: &Object<'_>, _: &mut Answer<'_>) -> Result<(), Failure> {
    let _: Vec<D::Vector> = question.need("points", "hull")?.points()?;
    Err(Failure::unsupported(question.start(), "hull is not supported yet"))
}

/// `{"area"}` or `{"volume"}` of what two axis-aligned boxes share
pub(super) fn overlap_area<D: Dimension>(
    question: &Object<'_>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let a = read_box::<D::Vector>(question.need("a", "overlap_area")?)?;
    let b = read_box::<D::Vector>(question.need("b", "overlap_area")?)?;
    let low = a.0.max_by_axis(b.0);
    let high = a.1.min_by_axis(b.1);
    let mut measure = D::Scalar::ONE;
    for axis in 0..D::Vector::DIM {
        measure = measure * (high.get(axis) - low.get(axis)).max_of(D::Scalar::ZERO);
    }
    answer.open().number(D::MEASURE, measure).close();
    Ok(())
}

/// The corners of an axis-aligned box.
fn read_box<V: Vector>(value: Value<'_>) -> Result<(V, V), Failure> {
    let of = "an axis-aligned box";
    let object = value.object("a box, such as {\"min\": [0, 0], \"max\": [1, 1]}")?;
    object.allow(of, &["min", "max"])?;
    let low: V = object.need("min", of)?.vector()?;
    let high: V = object.need("max", of)?.vector()?;
    if (0..V::DIM).any(|axis| high.get(axis) < low.get(axis)) {
        return Err(value.fail("inverted_box", "min must not be above max"));
    }
    Ok((low, high))
}
