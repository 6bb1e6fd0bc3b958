//! Separating axes of two boxes in space: three faces each and nine pairs of edges.
//!
//! The axis of edge i of a and edge j of b is n = eᵢ × bⱼ, exactly perpendicular to both in floating
//! point too: its components are those of bⱼ, swapped and negated. The reach of b along it is summed
//! from n·bₖ, not from entries of R as in the classical formula: for nearly parallel edges those
//! entries are rounding errors, which the division by |n| would blow up to ε/|n|.

use crate::pair::boxes::{EdgeAxes, improve};
use crate::pair::core::Axis;
use crate::pair::place::Relative;
use carom_math::{Mat3, Vec3, Vector};

/// Edges with a smaller squared sine between them are parallel: their axis could not gain more than
/// 2⁻¹⁰⁰ of the size.
const PARALLEL: f64 = 1.0 / ((1_u128 << 100) as f64 * (1_u128 << 100) as f64);

impl EdgeAxes<Vec3<f64>> for Mat3<f64> {
    #[inline]
    fn improve_by_edge_axes(
        mut best: Axis<Vec3<f64>>,
        a: Vec3<f64>,
        b: Vec3<f64>,
        place: &Relative<Vec3<f64>, Mat3<f64>>,
        enough: f64,
    ) -> Axis<Vec3<f64>> {
        let (t, [x, y, z]) = (place.translation, place.rotation.columns);
        // By |nⱼ·bₖ| = |eᵢ·bₗ| the classical formula has the reach of b for next to nothing. It decides
        // which axes are worth the honest sum, with an allowance for the rounding of both.
        let allowance = 16.0 * f64::EPSILON * (t.max_abs() + (a.max_abs() + b.max_abs()));
        let mut test = |axis: Vec3<f64>, classical: f64, honest: [(f64, Vec3<f64>); 2]| {
            let squared = axis.dot(axis);
            let along = axis.dot(t);
            let rest = along.abs() - a.dot(axis.abs_by_axis());
            if !may_improve(rest - classical + allowance, squared, best.separation) || squared <= PARALLEL {
                return false;
            }
            let [(b_next, next), (b_last, last)] = honest;
            let numerator = rest - (b_next * axis.dot(next).abs() + b_last * axis.dot(last).abs());
            let length = squared.sqrt();
            improve(&mut best, numerator / length, along, axis / length);
            enough < best.separation
        };
        for (edge, honest) in
            [(x, [(b.y, y), (b.z, z)]), (y, [(b.z, z), (b.x, x)]), (z, [(b.x, x), (b.y, y)])]
        {
            let [(b_next, next), (b_last, last)] = honest;
            let classical = last.abs_by_axis() * b_next + next.abs_by_axis() * b_last;
            if test(Vec3::new(0.0, -edge.z, edge.y), classical.x, honest)
                || test(Vec3::new(edge.z, 0.0, -edge.x), classical.y, honest)
                || test(Vec3::new(-edge.y, edge.x, 0.0), classical.z, honest)
            {
                break;
            }
        }
        best
    }
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
