//! Mass, centre and inertia of the inside of a closed triangle mesh.

use super::MassProperties;
use crate::Error;
use crate::d3::mesh::{Checked, Edges, places};
use crate::error::not_negative;
use carom_math::{Real, Vec3};

/// Mass, centre and inertia of the inside of a closed mesh of uniform density, in the frame of its
/// vertices.
///
/// Triangles are triples of indices into `vertices`, all wound alike: a mesh that is wound inside out
/// gives the same answer. *Closed*: every edge is run through as often in one direction as in the other,
/// where vertices at equal places are the same, so that lists of loose triangles serve as well. Holes
/// inside count as such when they are wound the other way.
///
/// Accurate to a few units in the last place wherever it lies and however flat it is, down to a volume of
/// some 1e-28 of that of its box, which counts as zero: then the mass and inertia are zero and the
/// centre is the mean of the vertices. That the mesh does not cut itself is not checked: each point counts
/// as often as the surface winds around it.
///
/// # Errors
/// - [`Error::NotFinite`] and [`Error::Negative`] as for [`mass_properties`](super::mass_properties);
/// - [`Error::NotFiniteVertex`] when a coordinate is not finite;
/// - [`Error::TooFewPoints`] when there is no vertex;
/// - [`Error::NoSuchVertex`] when a triangle refers to a vertex that does not exist;
/// - [`Error::NotClosed`] when an edge does not have a triangle on each side;
/// - [`Error::Overflow`] when the answer is too large for the number type.
///
/// # Example
/// ```
/// use carom_geometry::d3::mesh_mass;
/// use carom_math::Vec3;
/// let corner = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 6.0]].map(Vec3::from);
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let mass = mesh_mass(&corner, &faces, 1.0)?;
/// assert_eq!((mass.mass, mass.center), (36.0, Vec3::new(1.5, 1.5, 1.5)));
/// // Without a face there is no inside.
/// assert!(mesh_mass(&corner, &faces[1..], 1.0).is_err());
/// # Ok::<(), carom_geometry::Error>(())
/// ```
pub fn mesh_mass<T: Real>(
    vertices: &[Vec3<T>],
    triangles: &[[u32; 3]],
    density: T,
) -> Result<MassProperties<T>, Error> {
    let density = not_negative("density", density)?.to_f64();
    let mesh = Checked::new(vertices, triangles)?;
    if mesh.points.is_empty() {
        return Err(Error::TooFewPoints { what: "vertices", least: 1, count: 0 });
    }
    Edges::new(&mesh.triangles, &places(&mesh.points)).check_closed()?;
    mesh.solid().with_density(density).narrow()
}
