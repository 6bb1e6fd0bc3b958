//! Separating axes of two boxes in space: three faces each and nine pairs of edges.
//!
//! The axis of edge i of a and edge j of b is n = eᵢ × bⱼ, exactly perpendicular to both in floating
//! point too: its components are those of bⱼ, swapped and negated. The reach of b along it is summed
//! from n·bₖ, not from entries of R as in the classical formula: for nearly parallel edges those
//! entries are rounding errors, which the division by |n| would blow up to ε/|n|.

use crate::pair::boxes::{best_face_axis, improve};
use crate::pair::core::Axis;
use crate::pair::place::{Relative, Turn};
use carom_math::{Mat3, Vec3};

/// Edges with a smaller squared sine between them are parallel: their axis could not gain more than
/// 2⁻¹⁰⁰ of the size.
const PARALLEL: f64 = 1.0 / ((1_u128 << 100) as f64 * (1_u128 << 100) as f64);

/// The best of the 15 axes; stops early once the separation exceeds `enough`.
pub(super) fn best_box_axis(
    a: Vec3<f64>,
    b: Vec3<f64>,
    place: &Relative<Vec3<f64>, Mat3<f64>>,
    enough: f64,
) -> Axis<Vec3<f64>> {
    let mut best = best_face_axis(a, b, place);
    if enough < best.separation {
        return best;
    }
    let t = place.translation;
    for i in 0..3 {
        for j in 0..3 {
            let edge = place.rotation.column(j);
            let axis = match i {
                0 => Vec3::new(0.0, -edge.z, edge.y),
                1 => Vec3::new(edge.z, 0.0, -edge.x),
                _ => Vec3::new(-edge.y, edge.x, 0.0),
            };
            let squared = axis.dot(axis);
            if squared <= PARALLEL {
                continue;
            }
            let (next, last) = ((j + 1) % 3, (j + 2) % 3);
            let reach_of_a = a.x * axis.x.abs() + a.y * axis.y.abs() + a.z * axis.z.abs();
            let b = [b.x, b.y, b.z];
            let reach_of_b = b[next] * axis.dot(place.rotation.column(next)).abs()
                + b[last] * axis.dot(place.rotation.column(last)).abs();
            let along = axis.dot(t);
            let numerator = along.abs() - (reach_of_a + reach_of_b);
            if !may_improve(numerator, squared, best.separation) {
                continue;
            }
            let length = squared.sqrt();
            improve(&mut best, numerator / length, along, axis / length);
        }
    }
    best
}

/// Whether numerator/√squared may exceed `best`: an answer without root or division, in doubt yes.
#[inline(always)]
fn may_improve(numerator: f64, squared: f64, best: f64) -> bool {
    const DOUBT: f64 = 16.0 * f64::EPSILON;
    let (ours, theirs) = (numerator * numerator, best * best * squared);
    if best < 0.0 {
        0.0 <= numerator || ours <= theirs * (1.0 + DOUBT)
    } else {
        0.0 < numerator && theirs * (1.0 - DOUBT) <= ours
    }
}
