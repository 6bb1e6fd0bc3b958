//! The question what a shape weighs.

use super::dimension::Dimension;
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::mesh::Folder;
use crate::write::Answer;
use carom::math::{Mat3, Real, Vec3};

/// `{"mass", "center", "inertia"}` about the centre: a number in 2D, a 3×3 matrix in 3D
pub(super) fn mass<D: Dimension>(
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let shape = D::shape(question.need("shape", "mass")?, folder)?;
    let density = question.need("density", "mass").and_then(Value::number::<D::Scalar>)?;
    let found = D::mass_properties(&shape, density).map_err(|error| question.place(error))?;
    answer.open().number("mass", found.mass).vector("center", found.center);
    D::write_inertia(found.inertia, answer);
    answer.close();
    Ok(())
}

/// The moment about the centre.
pub(super) fn write_number<T: Real>(inertia: T, answer: &mut Answer<'_>) {
    answer.number("inertia", inertia);
}

/// Rows; the matrix is symmetric.
pub(crate) fn write_matrix<T: Real>(inertia: Mat3<T>, answer: &mut Answer<'_>) {
    answer.list("inertia", inertia.columns, |answer, row: Vec3<T>| {
        answer.plain_vector(row);
    });
}
