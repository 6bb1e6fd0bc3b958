//! The question what a shape weighs.

use super::dimension::Dimension;
use crate::failure::Failure;
use crate::json::{Object, Value};
use crate::mesh::Folder;
use crate::write::Answer;
use carom::math::{Mat3, Real, Vec3};
use carom::{Error, d3};

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

/// What a shape of space weighs. A closed mesh weighs what is inside, though it is a surface to other questions; an open one is an error.
pub(super) fn of_inside<T: Real>(shape: &d3::Shape<T>, density: T) -> Result<d3::MassProperties<T>, Error> {
    match shape {
        d3::Shape::Mesh(mesh) if !mesh.is_solid() => {
            d3::mesh_mass(&mesh.vertices().collect::<Vec<_>>(), mesh.triangles(), density)
        }
        other => d3::mass_properties(other, density),
    }
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
