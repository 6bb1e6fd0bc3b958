//! Separating axes of two boxes in space: three faces each and nine pairs of edges.
//!
//! The axis of edge i of a and edge j of b is n = eᵢ × bⱼ, exactly perpendicular to both in floating
//! point too: its components are those of bⱼ, swapped and negated. The reach of b along it is summed
//! from n·bₖ, not from entries of R as in the classical formula: for nearly parallel edges those
//! entries are rounding errors, which the division by |n| would blow up to ε/|n|.

use super::box_axes;
use crate::pair::boxes::{EdgeAxes, improve};
use crate::pair::core::Axis;
use crate::pair::nearest::sign_of;
use crate::pair::place::Relative;
use carom_math::{Mat3, Number, Vec3, Vector};

/// Edges with a smaller squared sine between them are parallel: their axis could not gain more than
/// 2⁻¹⁰⁰ of the size.
const PARALLEL: f64 = 1.0 / ((1_u128 << 100) as f64 * (1_u128 << 100) as f64);

impl EdgeAxes<Vec3<f64>> for Mat3<f64> {
    /// All nine at once: which of them is the best is a coin toss. They are compared by σ·|σ|, that is by
    /// N·|N|/|n|² where the separation is N/|n|, so that one root is enough, that of the best.
    #[inline(always)]
    fn improve_by_edge_axes(
        best: Axis<Vec3<f64>>,
        a: Vec3<f64>,
        b: Vec3<f64>,
        place: &Relative<Vec3<f64>, Mat3<f64>>,
        _enough: f64,
    ) -> Axis<Vec3<f64>> {
        let (t, [x, y, z]) = (place.translation, place.rotation.columns);
        let [xy, yz, zx] = [x.cross(y), y.cross(z), z.cross(x)].map(Vector::abs_by_axis);
        let across = [
            Across::new(x, xy * b.y + zx * b.z, a, t),
            Across::new(y, yz * b.z + xy * b.x, a, t),
            Across::new(z, zx * b.x + yz * b.y, a, t),
        ];
        let scores = nine(across.map(Across::scores));
        // NaN for axes of length zero: passed over.
        let most = scores.into_iter().fold(f64::NEG_INFINITY, |most, x| x.max_of(most));
        let index = scores.into_iter().rev().fold(0, |after, x| usize::from(x != most) * (after + 1)).min(8);
        let squared = nine(across.map(|across| across.squared))[index];
        if squared <= PARALLEL {
            return improve_one_by_one(best, a, b, place);
        }
        let length = squared.sqrt();
        let separation = nine(across.map(|across| across.numerator))[index] / length;
        if separation <= best.separation {
            return best;
        }
        const EDGES: [[usize; 2]; 9] =
            [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]];
        let [of_b, of_a] = EDGES[index];
        let axis = UNITS[of_a].cross(place.rotation.columns[of_b]);
        let along = nine(across.map(|across| across.along))[index];
        Axis { separation, normal: axis / length * sign_of(along) }
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

    #[inline(always)]
    fn clear_axis(
        a: Vec3<f64>,
        b: Vec3<f64>,
        place: &Relative<Vec3<f64>, Mat3<f64>>,
    ) -> Option<(Axis<Vec3<f64>>, bool)> {
        let index = box_axes::clear_axis(place, [a, b])?;
        Some((axis_of(index, a, b, place), index < 6))
    }
}

/// The axis of a number as [`box_axes::clear_axis`] gives it, by the formulas for all of them.
#[inline(always)]
fn axis_of(
    index: usize,
    a: Vec3<f64>,
    b: Vec3<f64>,
    place: &Relative<Vec3<f64>, Mat3<f64>>,
) -> Axis<Vec3<f64>> {
    let (t, columns) = (place.translation, place.rotation.columns);
    if index < 6 {
        let axis = index % 3;
        let (normal, reach) = if index < 3 {
            let of_b = columns.map(|column| column.get(axis).abs());
            (UNITS[axis], a.get(axis) + (of_b[0] * b.x + of_b[1] * b.y + of_b[2] * b.z))
        } else {
            (columns[axis], b.get(axis) + columns[axis].abs_by_axis().dot(a))
        };
        let along = normal.dot(t);
        return Axis { separation: along.abs() - reach, normal: normal * sign_of(along) };
    }
    let (i, j) = ((index / 3 - 2).min(2), index % 3);
    let [next, after] = [NEXT[j], NEXT[NEXT[j]]];
    let (edge, others) = (columns[j], [columns[next], columns[after]]);
    let component = |v: Vec3<f64>, w: Vec3<f64>| {
        let (k, l) = (NEXT[i], NEXT[NEXT[i]]);
        v.get(k) * w.get(l) - v.get(l) * w.get(k)
    };
    let reach_of_b =
        component(edge, others[0]).abs() * b.get(next) + component(others[1], edge).abs() * b.get(after);
    let across = Across::new(edge, Vec3::new(reach_of_b, reach_of_b, reach_of_b), a, t);
    let length = across.squared.get(i).sqrt();
    let normal = UNITS[i].cross(edge) / length * sign_of(across.along.get(i));
    Axis { separation: across.numerator.get(i) / length, normal }
}

/// The axis after each.
const NEXT: [usize; 3] = [1, 2, 0];

const UNITS: [Vec3<f64>; 3] = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];

#[inline(always)]
fn nine([x, y, z]: [Vec3<f64>; 3]) -> [f64; 9] {
    [x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z]
}

/// The axes n = eᵢ × d across one edge d of b and the three of a, each a component.
#[derive(Clone, Copy)]
struct Across {
    /// n·t
    along: Vec3<f64>,
    /// |n·t| less the reaches of both boxes: the separation times |n|.
    numerator: Vec3<f64>,
    /// |n|²
    squared: Vec3<f64>,
}

impl Across {
    /// The reach of b along n is Σ βₖ·|(eᵢ × d)·bₖ| = Σ βₖ·|d × bₖ|ᵢ over its other two edges.
    #[inline(always)]
    fn new(d: Vec3<f64>, reach_of_b: Vec3<f64>, a: Vec3<f64>, t: Vec3<f64>) -> Self {
        let (size, square) = (d.abs_by_axis(), d.scaled_by(d));
        let reach_of_a =
            Vec3::new(a.y * size.z + a.z * size.y, a.x * size.z + a.z * size.x, a.x * size.y + a.y * size.x);
        let along = d.cross(t);
        Across {
            along,
            numerator: along.abs_by_axis() - (reach_of_a + reach_of_b),
            squared: Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y),
        }
    }

    #[inline(always)]
    fn scores(self) -> Vec3<f64> {
        self.numerator
            .zip(self.numerator.zip(self.squared, |n, squared| n.abs() / squared), |n, rest| n * rest)
    }
}

/// The same, one axis after the other, and without those of edges that are parallel.
#[cold]
#[inline(never)]
fn improve_one_by_one(
    mut best: Axis<Vec3<f64>>,
    a: Vec3<f64>,
    b: Vec3<f64>,
    place: &Relative<Vec3<f64>, Mat3<f64>>,
) -> Axis<Vec3<f64>> {
    let (t, [x, y, z]) = (place.translation, place.rotation.columns);
    for (edge, others) in [(x, [(b.y, y), (b.z, z)]), (y, [(b.z, z), (b.x, x)]), (z, [(b.x, x), (b.y, y)])] {
        for unit in UNITS {
            let axis = unit.cross(edge);
            let squared = axis.dot(axis);
            if PARALLEL < squared {
                let along = axis.dot(t);
                let reach_of_b =
                    others.into_iter().fold(0.0, |sum, (half, edge)| sum + half * axis.dot(edge).abs());
                let numerator = along.abs() - (a.dot(axis.abs_by_axis()) + reach_of_b);
                let length = squared.sqrt();
                improve(&mut best, numerator / length, along, axis / length);
            }
        }
    }
    best
}
