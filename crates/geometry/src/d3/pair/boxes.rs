//! Separating axes of two boxes in space: three faces each and nine pairs of edges.
//!
//! The axis of edge i of a and edge j of b is n = eᵢ × bⱼ, exactly perpendicular to both in floating
//! point too: its components are those of bⱼ, swapped and negated. The reach of b along it is summed
//! from n·bₖ, not from entries of R as in the classical formula: for nearly parallel edges those
//! entries are rounding errors, which the division by |n| would blow up to ε/|n|.

use crate::pair::boxes::{EdgeAxes, improve};
use crate::pair::core::{Axis, may_improve};
use crate::pair::place::Relative;
use carom_math::{Mat3, Number, Vec3, Vector};

/// Edges with a smaller squared sine between them are parallel: their axis could not gain more than
/// 2⁻¹⁰⁰ of the size.
const PARALLEL: f64 = 1.0 / ((1_u128 << 100) as f64 * (1_u128 << 100) as f64);

impl EdgeAxes<Vec3<f64>> for Mat3<f64> {
    #[inline]
    fn improve_by_edge_axes(
        best: Axis<Vec3<f64>>,
        a: Vec3<f64>,
        b: Vec3<f64>,
        place: &Relative<Vec3<f64>, Mat3<f64>>,
        enough: f64,
    ) -> Axis<Vec3<f64>> {
        let (t, [x, y, z]) = (place.translation, place.rotation.columns);
        let allowance = 16.0 * f64::EPSILON * (t.max_abs() + (a.max_abs() + b.max_abs()));
        let mut search = Search { best, half: a, between: t, allowance };
        search.improve_by_edge(x, [(b.y, y), (b.z, z)]);
        if search.best.separation <= enough {
            search.improve_by_edge(y, [(b.z, z), (b.x, x)]);
        }
        if search.best.separation <= enough {
            search.improve_by_edge(z, [(b.x, x), (b.y, y)]);
        }
        search.best
    }

    /// By the classical formula, whose rounding errors do not matter before the division by the length.
    #[inline(always)]
    fn largest_along_edge_axes(a: Vec3<f64>, b: Vec3<f64>, place: &Relative<Vec3<f64>, Mat3<f64>>) -> f64 {
        let (t, [x, y, z]) = (place.translation, place.rotation.columns);
        let [size_x, size_y, size_z] = place.rotation.columns.map(Vector::abs_by_axis);
        let across = |edge: Vec3<f64>, size: Vec3<f64>, reach_of_b: Vec3<f64>| {
            let along = edge.cross(t).abs_by_axis();
            let reach_of_a = Vec3::new(
                a.y * size.z + a.z * size.y,
                a.x * size.z + a.z * size.x,
                a.x * size.y + a.y * size.x,
            );
            along - (reach_of_a + reach_of_b)
        };
        let most = |v: Vec3<f64>, w: Vec3<f64>| v.max_by_axis(w);
        let along_x = across(x, size_x, size_z * b.y + size_y * b.z);
        let along_y = across(y, size_y, size_x * b.z + size_z * b.x);
        let along_z = across(z, size_z, size_y * b.x + size_x * b.y);
        let of_all = most(along_x, most(along_y, along_z));
        of_all.x.max_of(of_all.y.max_of(of_all.z))
    }
}

/// The best axis so far, the half extents of a and the vector to the centre of b.
struct Search {
    best: Axis<Vec3<f64>>,
    half: Vec3<f64>,
    between: Vec3<f64>,
    /// For the rounding errors of both ways to the reach of b.
    allowance: f64,
}

impl Search {
    /// One edge of b with the three of a. The other edges of b come with their half extents.
    ///
    /// By |(eᵢ × bⱼ)·bₖ| = |eᵢ·bₗ| the classical formula has the reach of b for next to nothing. It decides
    /// which axes are worth the honest sum.
    #[inline(always)]
    fn improve_by_edge(&mut self, edge: Vec3<f64>, others: [(f64, Vec3<f64>); 2]) {
        let [(b_next, next), (b_last, last)] = others;
        let reach_of_b = last.abs_by_axis() * b_next + next.abs_by_axis() * b_last;
        let (d, size, t, a) = (edge, edge.abs_by_axis(), self.between, self.half);
        let squares = Vec3::new(d.x * d.x, d.y * d.y, d.z * d.z);
        let (along_x, rest_x) = (d.y * t.z - d.z * t.y, a.y * size.z + a.z * size.y);
        let (along_y, rest_y) = (d.z * t.x - d.x * t.z, a.x * size.z + a.z * size.x);
        let (along_z, rest_z) = (d.x * t.y - d.y * t.x, a.x * size.y + a.y * size.x);
        if self.is_promising(along_x.abs() - rest_x, reach_of_b.x, squares.y + squares.z) {
            self.improve(Vec3::new(0.0, -d.z, d.y), others);
        }
        if self.is_promising(along_y.abs() - rest_y, reach_of_b.y, squares.x + squares.z) {
            self.improve(Vec3::new(d.z, 0.0, -d.x), others);
        }
        if self.is_promising(along_z.abs() - rest_z, reach_of_b.z, squares.x + squares.y) {
            self.improve(Vec3::new(-d.y, d.x, 0.0), others);
        }
    }

    #[inline(always)]
    fn is_promising(&self, rest: f64, reach_of_b: f64, squared: f64) -> bool {
        may_improve(rest - reach_of_b + self.allowance, squared, self.best.separation)
    }

    #[inline(never)]
    fn improve(&mut self, axis: Vec3<f64>, [(b_next, next), (b_last, last)]: [(f64, Vec3<f64>); 2]) {
        let squared = axis.dot(axis);
        if squared <= PARALLEL {
            return;
        }
        let along = axis.dot(self.between);
        let reach_of_a = self.half.dot(axis.abs_by_axis());
        let reach_of_b = b_next * axis.dot(next).abs() + b_last * axis.dot(last).abs();
        let numerator = along.abs() - (reach_of_a + reach_of_b);
        let length = squared.sqrt();
        improve(&mut self.best, numerator / length, along, axis / length);
    }
}
