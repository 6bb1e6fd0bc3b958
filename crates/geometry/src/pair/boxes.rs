//! Separating axes of two boxes, by Gottschalk, Lin and Manocha (1996): OBBTree.
//!
//! With R the rotation and t the translation of b seen from a, half extents α and β, the separation
//! along a unit vector n is |n·t| − Σ αᵢ|nᵢ| − Σ βⱼ|n·bⱼ|. Frame: a's.

use super::core::Axis;
use super::place::{Relative, Turn};
use crate::Error;
use carom_math::{Real, Vector};

/// What the separating-axis test of two boxes found.
///
/// # Example
/// ```
/// use carom_geometry::d2::{Cuboid, SatResult, sat};
/// let unit = Cuboid::new([1.0, 1.0])?;
/// let found = sat(&unit, [0.0, 0.0], &unit, [1.5, 0.25])?;
/// assert_eq!(found, SatResult::Overlapping { axis: [1.0, 0.0].into(), depth: 0.5 });
/// assert!(matches!(sat(&unit, [0.0, 0.0], &unit, [0.0, -4.0])?, SatResult::Separated { gap: 2.0, .. }));
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SatResult<V: Vector> {
    /// A plane perpendicular to `axis` lies between the boxes.
    Separated {
        /// The unit vector, from a to b, along which they are farthest apart among all axes tested.
        axis: V,
        /// How far apart along it: greater than 0, and never more than the distance.
        gap: V::Scalar,
    },
    /// No axis separates the boxes: they overlap or touch.
    Overlapping {
        /// The unit vector along which b has to move least to become separate.
        axis: V,
        /// How far it has to move; 0 when they touch.
        depth: V::Scalar,
    },
}

impl<V: Vector> SatResult<V> {
    pub(crate) fn new(separation: f64, axis: V::Wide) -> Result<Self, Error> {
        let axis = V::narrow(axis);
        let length = V::Scalar::from_f64(separation.abs());
        if !length.finite() {
            return Err(Error::Overflow { what: "the separation", number: V::Scalar::NAME });
        }
        Ok(if 0.0 < separation {
            SatResult::Separated { axis, gap: length }
        } else {
            SatResult::Overlapping { axis, depth: length }
        })
    }
}

/// Keeps the better of this axis and ±`normal` times the sign of `along` = normal·t; + for zero.
#[inline(always)]
pub(crate) fn improve<V: Vector<Scalar = f64>>(best: &mut Axis<V>, separation: f64, along: f64, normal: V) {
    if best.separation < separation {
        *best = Axis { separation, normal: if along < 0.0 { -normal } else { normal } };
    }
}

/// The best of the face normals of a, then of b. Complete in the plane.
#[inline(always)]
pub(crate) fn best_face_axis<V: Vector<Scalar = f64>, M: Turn<V>>(
    a: V,
    b: V,
    place: &Relative<V, M>,
) -> Axis<V> {
    let t = place.translation;
    let mut best = Axis::none();
    let mut reach_of_b = V::ZERO;
    for axis in 0..V::DIM {
        reach_of_b += place.rotation.column(axis).abs_by_axis() * b.get(axis);
    }
    for axis in 0..V::DIM {
        let along = t.get(axis);
        improve(&mut best, along.abs() - (a.get(axis) + reach_of_b.get(axis)), along, V::unit(axis));
    }
    for axis in 0..V::DIM {
        let normal = place.rotation.column(axis);
        let along = normal.dot(t);
        improve(&mut best, along.abs() - (b.get(axis) + normal.abs_by_axis().dot(a)), along, normal);
    }
    best
}
