//! Mass, centre and inertia of the inside of a closed triangle mesh.

use super::MassProperties;
use crate::Error;
use crate::error::{finite_vector, not_negative};
use crate::mass::moments;
use carom_math::{Real, Vec3, Vector};

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
/// - [`Error::NotFinite`] and [`Error::Negative`] as for [`mass_properties`](super::mass_properties), and
///   when a vertex is not finite;
/// - [`Error::TooFewPoints`] when there is no vertex;
/// - [`Error::NoSuchIndex`] when a triangle refers to a vertex that does not exist;
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
    let mut points = Vec::with_capacity(vertices.len());
    for &vertex in vertices {
        let wide = finite_vector("vertices", vertex)?.widen();
        points.push([wide.x, wide.y, wide.z]);
    }
    if points.is_empty() {
        return Err(Error::TooFewPoints { what: "vertices", least: 1, count: 0 });
    }
    let triangles = checked_indices(triangles, points.len())?;
    if let Some([first, second]) = open_edge(&points, &triangles) {
        return Err(Error::NotClosed { what: "triangles", first, second });
    }
    moments::of_boundary(&points, triangles.into_iter()).with_density(density).narrow()
}

fn checked_indices(triangles: &[[u32; 3]], count: usize) -> Result<Vec<[usize; 3]>, Error> {
    let mut checked = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let indices = triangle.map(|index| index as usize);
        if let Some(&index) = indices.iter().find(|&&index| count <= index) {
            return Err(Error::NoSuchIndex { what: "triangles", index, count });
        }
        checked.push(indices);
    }
    Ok(checked)
}

/// The lowest edge that is run through more often in one direction than in the other.
pub(crate) fn open_edge(points: &[[f64; 3]], triangles: &[[usize; 3]]) -> Option<[usize; 2]> {
    let place = places(points);
    // Every edge under its lower end, with the direction in which it is run through.
    let mut edges = Vec::with_capacity(3 * triangles.len());
    for &[a, b, c] in triangles {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let [from, to] = [place[from], place[to]];
            if from < to {
                edges.push(([from, to], 1_i64));
            } else if to < from {
                edges.push(([to, from], -1));
            }
        }
    }
    edges.sort_unstable();
    let group = edges.chunk_by(|one, other| one.0 == other.0);
    group.map(|group| (group[0].0, group.iter().map(|edge| edge.1).sum::<i64>())).find_map(
        |([low, high], balance)| match balance {
            0 => None,
            1.. => Some([low, high]),
            _ => Some([high, low]),
        },
    )
}

/// For each point the lowest index of a point at the same place.
pub(crate) fn places(points: &[[f64; 3]]) -> Vec<usize> {
    // Adding zero makes −0 and 0 the same.
    let order_of = |index: usize| points[index].map(|x| (x + 0.0).to_bits());
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_unstable_by_key(|&index| (order_of(index), index));
    let mut place = vec![0; points.len()];
    for group in order.chunk_by(|&one, &other| order_of(one) == order_of(other)) {
        for &index in group {
            place[index] = group[0];
        }
    }
    place
}
