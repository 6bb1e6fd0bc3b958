//! Moments of polygons and closed meshes, by signed simplices about the mean of the vertices.
//!
//! The divergence theorem in its plainest form: the region is the signed sum of the simplices between a
//! reference point and each edge (each triangle). For a simplex with one corner in the origin, the others
//! c₁ … c_D, determinant d = det(c₁ … c_D) and sum S = Σ c_k:
//!
//! ```text
//! ∫ 1     = d/D!
//! ∫ x_i   = d/(D+1)! · S_i
//! ∫ x_i x_j = d/(D+2)! · (Σ_k c_ki c_kj + S_i S_j)
//! ```
//!
//! The reference point is the mean of the vertices, so that nothing cancels when the shape lies far from
//! the origin. Each axis is first multiplied by a power of two that brings it near 1 (a region stretched
//! along an axis has moments multiplied by known powers), differences from the mean are exact, and sums
//! and products carry 106 bits ([`Double`]). What is left is a relative error of a few 2⁻⁵³, slivers as thin
//! as 2⁻⁴⁰ of their length included.
//!
//! Degenerate input: a measure that does not stand out of the rounding of its own terms (2⁻⁹⁶ each)
//! counts as zero; then the mean of the vertices is the centre.

use super::solid::{Entries, Solid};
use super::unbounded::Unbounded;
use carom_math::double::Double;
use carom_math::{Number, Vec3, power_of_two};

/// Mass, centre and inertia for density 1 of the region whose boundary consists of these simplices
/// (edges in the plane, triangles in space, by indices of points); either orientation of the whole.
/// Indices beyond the last point are passed over. There must be a point, and all must be finite.
pub(crate) fn of_boundary<const D: usize>(
    points: &[[f64; D]],
    simplices: impl Iterator<Item = [usize; D]>,
) -> Solid {
    with_second(points, simplices).0
}

/// The same, and ∫x·xᵀ about the centre as xx, yy, zz, yz, zx, xy, zz being zero in the plane. From the inertia they could not be told: that of a
/// long thing has the square of the length in two of its entries, where those of the others are lost.
pub(crate) fn with_second<const D: usize>(
    points: &[[f64; D]],
    simplices: impl Iterator<Item = [usize; D]>,
) -> (Solid, Entries) {
    let axes = Axes::new(points);
    let placed: Vec<_> = points.iter().map(|point| axes.place(point)).collect();
    let mut sums = Sums::<D>::new();
    for simplex in simplices {
        if simplex.into_iter().all(|index| index < placed.len()) {
            sums.add(simplex.map(|index| placed[index]));
        }
    }
    axes.solid(&sums)
}

/// How each axis is moved and scaled: to (x·2^-exponent − mean).
struct Axes<const D: usize> {
    exponents: [i32; D],
    mean: [f64; D],
    /// The range of the scaled coordinates, before the mean is taken off.
    low: [f64; D],
    high: [f64; D],
}

impl<const D: usize> Axes<D> {
    fn new(points: &[[f64; D]]) -> Self {
        let size =
            |axis: usize| points.iter().fold(0.0, |largest: f64, point| point[axis].abs().max_of(largest));
        let exponents = core::array::from_fn(|axis| Unbounded::from(size(axis)).exponent().unwrap_or(0));
        let mut axes = Axes { exponents, mean: [0.0; D], low: [2.0; D], high: [-2.0; D] };
        for axis in 0..D {
            let mut sum = 0.0;
            for point in points {
                let x = axes.scaled(point, axis);
                sum += x;
                axes.low[axis] = x.min_of(axes.low[axis]);
                axes.high[axis] = x.max_of(axes.high[axis]);
            }
            axes.mean[axis] = sum / (points.len().max(1) as f64);
        }
        axes
    }

    fn scaled(&self, point: &[f64; D], axis: usize) -> f64 {
        Unbounded::from(point[axis]).shifted(-self.exponents[axis]).to_f64()
    }

    fn place(&self, point: &[f64; D]) -> [Double; D] {
        core::array::from_fn(|axis| Double::difference(self.scaled(point, axis), self.mean[axis]))
    }

    /// Undoes the scaling and moves from the mean to the centroid.
    fn solid(&self, sums: &Sums<D>) -> (Solid, Entries) {
        // A component of the centre, in scaled numbers, held within the range of the points.
        let center = |offset: [f64; D]| {
            let component = |axis: usize| {
                let within = (self.mean[axis] + offset[axis]).max_of(self.low[axis]).min_of(self.high[axis]);
                Unbounded::from(within).shifted(self.exponents[axis])
            };
            Vec3::new(component(0), component(1), if D == 3 { component(2) } else { Unbounded::ZERO })
        };
        let Some(central) = sums.central() else {
            return (Solid::massless(center([0.0; D])), [Unbounded::ZERO; 6]);
        };
        let whole: i32 = self.exponents.iter().sum();
        let second = |i: usize, j: usize| {
            // A square has no negative integral; only rounding could say so.
            let value = if i == j { central.second[i][j].max_of(0.0) } else { central.second[i][j] };
            Unbounded::from(value).shifted(whole + self.exponents[i] + self.exponents[j])
        };
        let zero = Unbounded::ZERO;
        let second = if D == 2 {
            [second(0, 0), second(1, 1), zero, zero, zero, second(0, 1)]
        } else {
            [second(0, 0), second(1, 1), second(2, 2), second(1, 2), second(2, 0), second(0, 1)]
        };
        let [x, y, z, yz, zx, xy] = second;
        let inertia =
            if D == 2 { [x + y, zero, zero, zero, zero, zero] } else { [y + z, z + x, x + y, -yz, -zx, -xy] };
        let mass = Unbounded::from(central.measure).shifted(whole);
        (Solid { mass, center: center(central.centroid), inertia }, second)
    }
}

/// Σ d, Σ d·S and Σ d·(Σ c cᵀ + S Sᵀ) over the simplices.
struct Sums<const D: usize> {
    determinant: Double,
    first: [Double; D],
    /// The lower triangle: `second[i][j]` for j <= i.
    second: [[Double; D]; D],
    /// Bounds the error of the determinants that were added.
    error: f64,
    count: f64,
}

/// The moments about the centroid, the measure made positive.
struct Central<const D: usize> {
    measure: f64,
    /// Relative to the mean of the vertices.
    centroid: [f64; D],
    second: [[f64; D]; D],
}

/// A generous bound on the relative error of a determinant: six terms of three factors each.
const TERM_ERROR: f64 = power_of_two(-96);

impl<const D: usize> Sums<D> {
    fn new() -> Self {
        let zero = Double::from(0.0);
        Sums { determinant: zero, first: [zero; D], second: [[zero; D]; D], error: 0.0, count: 0.0 }
    }

    fn add(&mut self, corners: [[Double; D]; D]) {
        let determinant = determinant(&corners);
        let sum: [Double; D] =
            core::array::from_fn(|axis| corners[1..].iter().fold(corners[0][axis], |s, c| s + c[axis]));
        self.determinant = self.determinant + determinant;
        for i in 0..D {
            self.first[i] = self.first[i] + determinant * sum[i];
            for j in 0..=i {
                let products = corners.iter().fold(sum[i] * sum[j], |s, c| s + c[i] * c[j]);
                self.second[i][j] = self.second[i][j] + determinant * products;
            }
        }
        // The product of the corners' largest coordinates bounds each of the D! terms.
        let size = |c: &[Double; D]| c.iter().fold(0.0, |m: f64, x| x.value().abs().max_of(m));
        self.count += 1.0;
        self.error += TERM_ERROR * corners.iter().map(size).product::<f64>();
    }

    /// `None` when the measure is zero to rounding.
    fn central(&self) -> Option<Central<D>> {
        // The n-th addition rounds to 2⁻¹⁰⁴ of a sum that may be as large as all terms together.
        let error = self.error * (1.0 + self.count * power_of_two(-8));
        if self.determinant.value().abs() <= error {
            return None;
        }
        let dimension = D as f64;
        let factorial = if D == 2 { 2.0 } else { 6.0 };
        // Inside out: the sign is that of the whole, and leaves the quotients below untouched.
        let sign = if self.determinant.value() < 0.0 { -1.0 } else { 1.0 };
        let centroid = self.first.map(|f| f / (self.determinant * Double::from(dimension + 1.0)));
        let mut second = [[0.0; D]; D];
        for i in 0..D {
            for j in 0..=i {
                // ∫ x_i x_j about the mean, less measure·c_i·c_j, all times D!.
                let about_mean = self.second[i][j] / Double::from((dimension + 1.0) * (dimension + 2.0));
                let central = about_mean - self.determinant * (centroid[i] * centroid[j]);
                second[i][j] = (central / Double::from(factorial * sign)).value();
                second[j][i] = second[i][j];
            }
        }
        let measure = (self.determinant / Double::from(factorial * sign)).value();
        Some(Central { measure, centroid: centroid.map(Double::value), second })
    }
}

fn determinant<const D: usize>(m: &[[Double; D]; D]) -> Double {
    let minor = |i: usize, j: usize, a: usize, b: usize| m[i][a] * m[j][b] - m[i][b] * m[j][a];
    if D == 2 {
        return minor(0, 1, 0, 1);
    }
    m[0][0] * minor(1, 2, 1, 2) - m[0][1] * minor(1, 2, 0, 2) + m[0][2] * minor(1, 2, 0, 1)
}
