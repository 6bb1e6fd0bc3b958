//! The winding number of any mesh about a point: how much of the sphere around the point its surface covers.
//!
//! After Jacobson, Kavan and Sorkine-Hornung, "Robust Inside-Outside Segmentation using Generalized Winding
//! Numbers" (2013): w(p) = Σ Ω(p)/4π over the triangles, with signed solid angles Ω. For a closed mesh it is the
//! integer that [`super::crossing`] counts; for a mesh with holes, overlaps or stray triangles it is near 1
//! where most of the surface says inside, near 0 where most of it says outside, and smooth in between.
//!
//! One triangle, by Van Oosterom and Strackee (1983), with the unit vectors u, v, w from p to its corners:
//!
//! ```text
//! tan(Ω/2) = u·(v × w) / (1 + u·v + v·w + w·u)
//! ```
//!
//! Many triangles far away, by the tree of Barill et al., "Fast Winding Numbers for Soups and Clouds" (2018):
//! with K(r) = r/|r|³, 4π·w = ∫ n·K(x − p) dA is expanded about the centre c of a cluster, r = c − p,
//!
//! ```text
//! 4π·w ≈ N·K(r) + T : ∇K(r),    N = ∫ n dA,  T = ∫ n (x − c)ᵀ dA,  ∇K = 1/|r|³ − 3 r rᵀ/|r|⁵
//! ```
//!
//! K is a gradient of 1/|r|, whose third derivatives are at most 6/|r|⁴, so for a cluster of area A within
//! the radius R of c and p at the distance D > R the rest is at most ½·A·R²·6/(D − R)⁴. Unlike in the paper,
//! where a ratio D/R is chosen by experience, a cluster is opened until this bound is within its share of the error
//! that the caller allows; the bounds add up to a certificate.
//!
//! Frame: that of the mesh, multiplied by the power of two that brings its largest coordinate near 1. Degenerate
//! input: triangles without area cover nothing; about a point of the surface the number jumps, and the error
//! says so.

use super::topology::Checked;
use crate::bound::size_of;
use crate::exact::{Range, orient3d};
use crate::scale::towards_one;
use carom_math::{Number, Real, Vec3, Vector, power_of_two};
use core::f64::consts::PI;

/// How often a mesh winds about a point; see [`MeshSolid::winding_number`](super::MeshSolid::winding_number).
///
/// # Example
/// ```
/// use carom_geometry::d3::WindingNumber;
/// let almost_inside = WindingNumber { value: 0.97, error: 0.01 };
/// assert!(almost_inside.value - almost_inside.error > 0.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WindingNumber<T> {
    /// 1 inside of a closed mesh that is wound outward, 0 outside, −1 inside of one that is wound inward; any
    /// number for others.
    pub value: T,
    /// A bound on |value − true winding number|.
    pub error: T,
}

impl<T: Real> WindingNumber<T> {
    pub(crate) fn narrowed(wide: WindingNumber<f64>) -> Self {
        let value = T::from_f64(wide.value);
        WindingNumber { value, error: T::from_f64_up(wide.error + (value.to_f64() - wide.value).abs()) }
    }
}

/// The triangles of a mesh in clusters.
pub(crate) struct Clusters {
    /// What lengths were multiplied by.
    factor: f64,
    /// The corners of the triangles, those of a cluster side by side.
    corners: Vec<[Vec3<f64>; 3]>,
    nodes: Vec<Cluster>,
}

struct Cluster {
    center: Vec3<f64>,
    /// No corner is farther from the centre.
    radius: f64,
    area: f64,
    /// N.
    normal: Vec3<f64>,
    /// The columns of T: ∫ n (x − c)_j dA.
    moment: [Vec3<f64>; 3],
    first: usize,
    count: usize,
    /// The position of the right child, whose sibling is the next node; 0 for a leaf.
    right: usize,
}

/// Triangles in a leaf. A solid angle costs about as much as three expansions.
const LEAF: usize = 4;

/// What bounds the rounding errors of an expansion, relative to A/(D − R)²: some 30 operations.
const EXPANSION_ERROR: f64 = 64.0 * f64::EPSILON;

/// What bounds the rounding errors of numerator and denominator of the solid angle: unit vectors with 2ε each, nine
/// products and eight sums of numbers of at most 1.
const ANGLE_ERROR: f64 = 32.0 * f64::EPSILON;

impl Clusters {
    pub(crate) fn new(mesh: &Checked) -> Self {
        let factor = towards_one(size_of(&mesh.points), 0);
        let scaled = |triangle: usize| mesh.corners(triangle).map(|corner| corner * factor);
        let mut order: Vec<usize> = (0..mesh.triangles.len()).collect();
        let all: Vec<[Vec3<f64>; 3]> = order.iter().map(|&triangle| scaled(triangle)).collect();
        let mut clusters = Clusters { factor, corners: Vec::new(), nodes: Vec::new() };
        if !order.is_empty() {
            clusters.build(&mut order, 0, &all);
        }
        clusters.corners = order.iter().map(|&triangle| all[triangle]).collect();
        clusters
    }

    /// Appends the cluster of these triangles, halved at the median along the longest axis of their middles; the
    /// index has the last word. Recursion goes ⌈log₂ n⌉ deep.
    fn build(&mut self, order: &mut [usize], first: usize, all: &[[Vec3<f64>; 3]]) {
        let at = self.nodes.len();
        self.nodes.push(Cluster::around(order.iter().map(|&triangle| all[triangle]), first, order.len()));
        if order.len() <= LEAF {
            return;
        }
        let middle = |triangle: usize| {
            let [a, b, c] = all[triangle];
            a + b + c
        };
        let (mut low, mut high) = (middle(order[0]), middle(order[0]));
        for &triangle in order.iter() {
            (low, high) = (low.min_by_axis(middle(triangle)), high.max_by_axis(middle(triangle)));
        }
        let extent = high - low;
        let axis = (1..3).fold(0, |best, axis| if extent.get(best) < extent.get(axis) { axis } else { best });
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |&a, &b| {
            middle(a).get(axis).total_cmp(&middle(b).get(axis)).then(a.cmp(&b))
        });
        let (left, right) = order.split_at_mut(half);
        self.build(left, first, all);
        self.nodes[at].right = self.nodes.len();
        self.build(right, first + half, all);
    }

    /// The winding number about `p`, a point of the mesh's own frame. Expansions add at most `tolerance` to the
    /// error; with 0 every triangle is summed.
    pub(crate) fn winding_number(&self, p: Vec3<f64>, tolerance: f64) -> WindingNumber<f64> {
        let Some(root) = self.nodes.first() else { return WindingNumber::default() };
        let p = p * self.factor;
        let farthest = p.max_abs();
        if power_of_two(200) < farthest || !p.finite() {
            // No triangle is bigger than 2·2√3 across: seen from there, all of them are smaller than this.
            return WindingNumber { value: 0.0, error: power_of_two(-390) * self.corners.len() as f64 };
        }
        let share = tolerance * (4.0 * PI) / root.area;
        let (mut sum, mut error) = (0.0, 0.0);
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at];
            if let Some((angle, bound)) = node.expanded(p, share) {
                sum += angle;
                error += bound + 2.0 * f64::EPSILON * sum.abs();
            } else if node.right == 0 {
                for &corners in &self.corners[node.first..node.first + node.count] {
                    let (angle, bound) = solid_angle(p, corners);
                    sum += angle;
                    error += bound + 2.0 * f64::EPSILON * sum.abs();
                }
            } else {
                stack.push(node.right);
                stack.push(at + 1);
            }
        }
        let whole = 4.0 * PI;
        WindingNumber { value: sum / whole, error: error * (1.0 + 1e-9) / whole + 4.0 * f64::EPSILON }
    }
}

impl Cluster {
    fn around(triangles: impl Iterator<Item = [Vec3<f64>; 3]> + Clone, first: usize, count: usize) -> Self {
        let area_normal = |[a, b, c]: [Vec3<f64>; 3]| (b - a).cross(c - a) * 0.5;
        let middle = |[a, b, c]: [Vec3<f64>; 3]| (a + b + c) / 3.0;
        let (mut area, mut weighted, mut plain) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for corners in triangles.clone() {
            let size = Vector::length(area_normal(corners));
            area += size;
            weighted += middle(corners) * size;
            plain += middle(corners);
        }
        let center = if 0.0 < area { weighted / area } else { plain / count as f64 };
        let (mut radius, mut normal, mut moment) = (0.0, Vec3::ZERO, [Vec3::ZERO; 3]);
        for corners in triangles {
            let own = area_normal(corners);
            let away = middle(corners) - center;
            normal += own;
            for (axis, column) in moment.iter_mut().enumerate() {
                *column += own * away.get(axis);
            }
            for corner in corners {
                radius = Vector::length(corner - center).max_of(radius);
            }
        }
        let more = 1.0 + 16.0 * f64::EPSILON;
        let radius = radius * more;
        let area = area * (1.0 + count as f64 * f64::EPSILON) * more;
        Cluster { center, radius, area, normal, moment, first, count, right: 0 }
    }

    /// The solid angle of the whole cluster and a bound on its error, if that is at most `share` of the area.
    fn expanded(&self, p: Vec3<f64>, share: f64) -> Option<(f64, f64)> {
        let r = self.center - p;
        let squared = r.dot(r);
        let distance = squared.sqrt();
        let free = distance * (1.0 - 8.0 * f64::EPSILON) - self.radius;
        // So close to the point that powers of the distance vanish: the triangles one by one.
        if free <= power_of_two(-200) {
            return None;
        }
        let free_squared = free * free;
        let bound = 3.0 * self.area * self.radius * self.radius / (free_squared * free_squared);
        // Not so either when there is no area at all and the share is no number.
        let is_good = bound <= share * self.area;
        if !is_good {
            return None;
        }
        let cubed = squared * distance;
        let [x, y, z] = self.moment;
        let trace = x.x + y.y + z.z;
        // rᵀ T r, with the columns of T.
        let along = r.dot(x) * r.x + r.dot(y) * r.y + r.dot(z) * r.z;
        let angle = (self.normal.dot(r) + trace - 3.0 * along / squared) / cubed;
        let sums = 1.0 + self.count as f64 * power_of_two(-5);
        Some((angle, bound + EXPANSION_ERROR * sums * self.area / free_squared))
    }
}

/// The signed solid angle of a triangle, positive when its clockwise side is seen from `p`, and a bound on its
/// error. In the plane of the triangle it is zero; on the triangle it jumps by a full turn, and so does the bound.
fn solid_angle(p: Vec3<f64>, corners: [Vec3<f64>; 3]) -> (f64, f64) {
    let [Some(u), Some(v), Some(w)] = corners.map(|corner| (corner - p).normalized()) else {
        return (0.0, 2.0 * PI);
    };
    let mut numerator = u.dot(v.cross(w));
    let denominator = 1.0 + u.dot(v) + v.dot(w) + w.dot(u);
    if numerator.abs() <= ANGLE_ERROR {
        // The sign matters most where the angle is near ±2π, and is exact.
        let [a, b, c] = corners;
        let side = orient3d([a, b, c, p], Range::of(&[a, b, c, p]));
        numerator = if side == 0.0 {
            0.0
        } else if side < 0.0 {
            0.0 - numerator.abs()
        } else {
            numerator.abs()
        };
        if side == 0.0 && ANGLE_ERROR < denominator {
            return (0.0, 0.0);
        }
    }
    let length = (numerator * numerator + denominator * denominator).sqrt();
    // In the plane and within the triangle: either side is as good.
    if length <= 4.0 * ANGLE_ERROR || (numerator == 0.0 && denominator < 0.0) {
        return (0.0, 2.0 * PI);
    }
    let angle = 2.0 * numerator.arc_tangent2(denominator);
    (angle, 4.0 * ANGLE_ERROR / length + 4.0 * f64::EPSILON * angle.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_octant_is_an_eighth_of_the_sphere() {
        let corners = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
        let (angle, error) = solid_angle(Vec3::ZERO, corners);
        assert!((angle - PI / 2.0).abs() <= error && error < 1e-13, "{angle} {error}");
        let (turned, _) = solid_angle(Vec3::ZERO, [corners[1], corners[0], corners[2]]);
        assert_eq!(turned, -angle);
    }

    #[test]
    fn next_to_a_triangle_it_fills_half_of_the_sphere() {
        let corners = [[1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]].map(Vec3::from);
        for height in [1e-5, 1e-12, 1e-18, 1e-300, f64::from_bits(1)] {
            for sign in [1.0, -1.0] {
                let (angle, error) = solid_angle(Vec3::new(0.0, 0.0, -height * sign), corners);
                let expected = 2.0 * PI * sign;
                // At most 2π·height by the distance to the nearest edge, 1/√5, is not covered.
                assert!((angle - expected).abs() <= error + 14.1 * height, "{height} {angle} {error}");
                assert!(error < 1e-12);
            }
        }
        assert_eq!(solid_angle(Vec3::ZERO, corners), (0.0, 2.0 * PI));
        assert_eq!(solid_angle(Vec3::new(3.0, 0.0, 0.0), corners), (0.0, 0.0));
    }
}
