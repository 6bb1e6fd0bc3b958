//! Triangles as parts of a surface.

use super::super::motion::face_normal;
use crate::composite::facet::{Border, Facet, Fold};
use carom_math::{Vec3, Vector};

/// A triangle and what lies across its edges, the first of which runs from its first corner to its second.
/// `None` for a triangle without a normal.
pub(super) fn triangle_facet(
    corners: [Vec3<f64>; 3],
    folds: [Option<Fold<Vec3<f64>>>; 3],
    is_solid: bool,
) -> Option<Facet<Vec3<f64>>> {
    let normal = normal_of_facet(corners)?;
    // Filled in place: it is large.
    let mut facet = Facet { normal, is_solid, borders: [None; 3] };
    for (edge, border) in facet.borders.iter_mut().enumerate() {
        let (point, along) = (corners[edge], corners[(edge + 1) % 3] - corners[edge]);
        let outward = along.cross(normal);
        let length = Vector::length(outward);
        let ends = [point, corners[(edge + 1) % 3]];
        let beyond = folds[edge].filter(|fold| !ends.contains(&fold.opposite));
        *border = (0.0 < length).then_some(Border { point, outward, length, along, beyond });
    }
    Some(facet)
}

/// The normal of a triangle, as it is wound; `None` when it has none.
pub(super) fn normal_of_facet(corners: [Vec3<f64>; 3]) -> Option<Vec3<f64>> {
    face_normal(corners).normalized()
}
