//! Eight triangles and another one, in lanes: which of them are surely farther apart than a limit.
//!
//! Boxes of triangles overlap far more often than the triangles do: of the pairs in a contact of two meshes one in ten
//! touches. Each of the others would be brought before the kernels by itself.
//!
//! **Axes.** The normals of both triangles and the nine cross products of their edges, of any length. Along an axis n the
//! triangles are at least gap/|n| apart, whatever n is, where the gap is that of their extents; |n| is not more than the sum of
//! its components. A product with an edge is level along that edge, so that two corners tell the extent of a triangle.
//!
//! **Errors.** All corners are seen from one of them, by differences in `f64`, and then rounded, so that everything
//! is relative to what is close by and not to the mesh. Let u = 2⁻²⁴, S the largest coordinate, A and B the
//! largest components of edges of either triangle.
//! * Rounding moves corners by √3·u·S, which takes at most 4·u·S off the distance: the limit is raised by that ([`MOVED`]).
//! * A component of n is at most 2·A·B, and off by 3·u of that; corners that ought to be level differ by 3·A times that, and by the
//!   rounding of the edge itself, 6·u·A²·B: with A <= 2·S, 48·u·S·A·B, once for either triangle. A product n·p is off by
//!   18·u·S·A·B, and there are two: 132·u·S·A·B in all, of which [`LEVEL`] is nearly twice as much.
//! * Numbers so small that products underflow are below [`TINY`].

#![expect(
    clippy::needless_range_loop,
    reason = "axes and corners count through several arrays, and lanes go into no closures"
)]

use crate::bvh::node::WIDTH;
use crate::bvh::probe::row;
use carom_math::prelude_simd::{Simd, SimdBase, SimdMask, f32x8};
use carom_math::{Number, Real, Vector};

/// By how much of the largest coordinate corners may have moved: 2⁻²².
const MOVED: f32 = 1.0 / (1 << 22) as f32;
/// What extents may be off by, relative to S·A·B: 2⁻¹⁶.
const LEVEL: f32 = 1.0 / (1 << 16) as f32;
/// More than what underflows: 2⁻¹⁰⁰.
const TINY: f32 = 1.0 / (1_u128 << 100) as f32;
/// Beyond these coordinates products might overflow: 2²⁰.
const FAR: f32 = (1 << 20) as f32;

/// One vector a lane.
type Vectors<S> = [f32x8<S>; 3];

/// The coordinates of up to eight triangles: those of the first corner of each, of the second and of the third.
pub(crate) type Rows = [[[f32; WIDTH]; 3]; 3];

/// The triangles of a node, one a lane.
pub(super) struct Eight<S: Simd> {
    /// What all corners are seen from, so that they are small numbers.
    from: [f64; 3],
    /// A power of two that brings coordinates near to 1.
    unit: f64,
    /// Slots that hold a triangle.
    slots: u32,
    corners: [Vectors<S>; 3],
    edges: [Vectors<S>; 3],
    normal: Vectors<S>,
    /// The largest component of an edge.
    longest: f32x8<S>,
    /// The sum of all coordinates, which keeps what is no number, and the largest one, which does not.
    all: f32x8<S>,
    largest: f32x8<S>,
}

impl<S: Simd> Eight<S> {
    /// None yet.
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        Eight {
            from: [0.0; 3],
            unit: 1.0,
            slots: 0,
            corners: [[zero; 3]; 3],
            edges: [[zero; 3]; 3],
            normal: [zero; 3],
            longest: zero,
            all: zero,
            largest: zero,
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots == 0
    }

    /// Takes the triangles of a node, of which `slots` are to be told about. `unit` is a power of two that brings coordinates near to 1.
    #[inline(always)]
    pub(super) fn fill<V: Vector<Scalar = f64>>(
        &mut self,
        simd: S,
        slots: u32,
        triangles: &[[V; 3]; WIDTH],
        unit: f64,
    ) {
        if V::DIM != 3 {
            return;
        }
        let first = triangles[0][0];
        let from = [first.get(0), first.get(1), first.get(2)];
        let mut rows = [[[0.0; WIDTH]; 3]; 3];
        for (slot, triangle) in triangles.iter().enumerate() {
            for corner in 0..3 {
                for axis in 0..3 {
                    rows[corner][axis][slot] = ((triangle[corner].get(axis) - from[axis]) * unit) as f32;
                }
            }
        }
        for corner in 0..3 {
            for axis in 0..3 {
                self.corners[corner][axis] = row(simd, &rows[corner][axis]);
            }
        }
        self.complete(simd, slots, from, unit);
    }

    /// The same from coordinates in `f32`, which are to be multiplied by `factor`, a power of two.
    #[inline(always)]
    pub(super) fn fill_from(&mut self, simd: S, slots: u32, rows: &Rows, (factor, unit): (f64, f64)) {
        let (scale, mut from) = ((factor * unit) as f32, [0.0; 3]);
        for axis in 0..3 {
            from[axis] = f64::from(rows[0][axis][0]) * factor;
        }
        for corner in 0..3 {
            for axis in 0..3 {
                let seen = row(simd, &rows[corner][axis]) - rows[0][axis][0];
                self.corners[corner][axis] = seen * scale;
            }
        }
        self.complete(simd, slots, from, unit);
    }

    /// Finds what follows from the corners.
    #[inline(always)]
    fn complete(&mut self, simd: S, slots: u32, from: [f64; 3], unit: f64) {
        let zero = f32x8::splat(simd, 0.0);
        let (mut all, mut largest) = (zero, zero);
        for corner in 0..3 {
            for axis in 0..3 {
                all += self.corners[corner][axis].abs();
                largest = largest.max(self.corners[corner][axis].abs());
            }
        }
        self.edges = edges(self.corners);
        (self.normal, self.longest) = (cross(self.edges[0], self.edges[1]), longest(simd, self.edges));
        (self.from, self.unit, self.slots, self.all, self.largest) = (from, unit, slots, all, largest);
    }

    /// Those of the slots whose triangle may be within `limit` of another one, in the same frame: all that are not certainly beyond.
    #[inline(always)]
    pub(super) fn near<V: Vector<Scalar = f64>>(
        &self,
        simd: S,
        slots: u32,
        other: [V; 3],
        limit: f64,
    ) -> u32 {
        let within = f32::from_f64_up((limit * self.unit).step_up()).max_of(0.0);
        let asked = slots & self.slots;
        if asked == 0 || FAR < within {
            return slots;
        }
        let zero = f32x8::splat(simd, 0.0);
        let (a, edges_a, longest_a) = (self.corners, self.edges, self.longest);
        let (mut b, mut all, mut largest) = ([[zero; 3]; 3], self.all, self.largest);
        for corner in 0..3 {
            for axis in 0..3 {
                let seen = ((other[corner].get(axis) - self.from[axis]) * self.unit) as f32;
                b[corner][axis] = f32x8::splat(simd, seen);
                all += b[corner][axis].abs();
                largest = largest.max(b[corner][axis].abs());
            }
        }
        let edges_b = edges(b);
        let longest_b = longest(simd, edges_b);
        let slack = largest * LEVEL;
        let within = (largest * MOVED + within) * (1.0 + MOVED);
        let normal = cross(edges_b[0], edges_b[1]);
        let [p, q, r] = [dot(normal, a[0]), dot(normal, a[1]), dot(normal, a[2])];
        let level = dot(normal, b[0]);
        let gap = (p.min(q).min(r) - level).max(level - p.max(q).max(r));
        let mut beyond = gap.simd_gt(length(normal) * within + (slack * (longest_b * longest_b) + TINY));
        let normal = self.normal;
        let [p, q, r] = [dot(normal, b[0]), dot(normal, b[1]), dot(normal, b[2])];
        let level = dot(normal, a[0]);
        let gap = (p.min(q).min(r) - level).max(level - p.max(q).max(r));
        beyond |= gap.simd_gt(length(normal) * within + (slack * (longest_a * longest_a) + TINY));
        let is_near = all.simd_lt(FAR);
        let left = asked & !((beyond & is_near).to_bitmask() as u32);
        if left == 0 {
            return slots & !asked;
        }
        let slack = slack * (longest_a * longest_b) + TINY;
        for i in 0..3 {
            for j in 0..3 {
                let axis = cross(edges_a[i], edges_b[j]);
                let [on_a, beside_a] = [dot(axis, a[i]), dot(axis, a[(i + 2) % 3])];
                let [on_b, beside_b] = [dot(axis, b[j]), dot(axis, b[(j + 2) % 3])];
                let forward = on_b.min(beside_b) - on_a.max(beside_a);
                let backward = on_a.min(beside_a) - on_b.max(beside_b);
                beyond |= forward.max(backward).simd_gt(length(axis) * within + slack);
            }
        }
        slots & !(asked & (beyond & is_near).to_bitmask() as u32)
    }
}

/// From each corner to the next.
#[inline(always)]
fn edges<S: Simd>([p, q, r]: [Vectors<S>; 3]) -> [Vectors<S>; 3] {
    [minus(q, p), minus(r, q), minus(p, r)]
}

/// The largest component of any of them.
#[inline(always)]
fn longest<S: Simd>(simd: S, vectors: [Vectors<S>; 3]) -> f32x8<S> {
    let mut most = f32x8::splat(simd, 0.0);
    for [x, y, z] in vectors {
        most = most.max(x.abs()).max(y.abs()).max(z.abs());
    }
    most
}

/// Not less than the length, up to rounding.
#[inline(always)]
fn length<S: Simd>([x, y, z]: Vectors<S>) -> f32x8<S> {
    x.abs() + y.abs() + z.abs()
}

#[inline(always)]
fn minus<S: Simd>(a: Vectors<S>, b: Vectors<S>) -> Vectors<S> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn dot<S: Simd>(a: Vectors<S>, b: Vectors<S>) -> f32x8<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<S: Simd>(a: Vectors<S>, b: Vectors<S>) -> Vectors<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::probe::in_lanes;
    use carom_math::{Vec3, power_of_two};
    use carom_oracle::generate::Rng;

    type Point = Vec3<f64>;

    fn sift(triangles: &[[Point; 3]; WIDTH], other: [Point; 3], unit: f64, limit: f64) -> u32 {
        in_lanes!(simd => {
            let mut eight = Eight::new(simd);
            eight.fill(simd, 0xFF, triangles, unit);
            eight.near(simd, 0xFF, other, limit)
        })
    }

    fn anywhere(rng: &mut Rng, size: f64) -> Point {
        Point::from_fn(|_| rng.uniform(-size, size))
    }

    /// A triangle of about this size, every third of them a sliver.
    fn triangle(rng: &mut Rng, size: f64) -> [Point; 3] {
        let [p, q] = [anywhere(rng, size), anywhere(rng, size)];
        let is_sliver = rng.uniform(0.0, 3.0) < 1.0;
        let r = if is_sliver { p * 0.4 + q * 0.6 + anywhere(rng, size * 1e-5) } else { anywhere(rng, size) };
        [p, q, r]
    }

    /// A point of a triangle, its corners and edges among them.
    fn within(rng: &mut Rng, [p, q, r]: [Point; 3]) -> Point {
        let [s, t] = [0; 2].map(|_| rng.uniform(-0.5, 1.5).clamp_to(0.0, 1.0));
        p * (s * t) + q * (s * (1.0 - t)) + r * (1.0 - s)
    }

    /// A corner of each of eight triangles is a given distance from a point of the other one: what is within that must stay.
    #[test]
    fn what_is_within_the_limit_is_never_sifted_out() {
        let rng = &mut Rng::new(41);
        for round in 0..4000 {
            let unit = power_of_two(rng.uniform(-200.0, 200.0) as i32);
            let sizes = [0; 2].map(|_| power_of_two(rng.uniform(-30.0, 4.0) as i32) / unit);
            let other = triangle(rng, sizes[0]);
            let limit = if round % 2 == 0 { 0.0 } else { rng.uniform(0.0, 1.0) * sizes[0] };
            let triangles = core::array::from_fn(|_| {
                let way = anywhere(rng, 1.0).normalized().unwrap_or_default() * limit;
                let mut own = triangle(rng, sizes[1]);
                let to = within(rng, other) + way;
                // All of it goes there, so that it is as small as it was.
                let by = to - own[0];
                own = own.map(|corner| corner + by);
                own[0] = to;
                own
            });
            let rounding = 1e-14 * (sizes[0] + sizes[1] + limit);
            assert_eq!(sift(&triangles, other, unit, limit + rounding), 0xFF, "round {round}");
        }
    }

    /// Two triangles in parallel planes, or side by side in one, are told apart at a thousandth of their size.
    #[test]
    fn what_is_apart_is_sifted_out() {
        let other = [Point::ZERO, Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        let moved = |by: Point| other.map(|corner| corner + by);
        let [above, beside] = [Point::new(0.1, 0.1, 1e-3), Point::new(1.001, 0.0, 1e-3)];
        let crossing = Point::new(0.1, 0.1, 0.0);
        let triangles = core::array::from_fn(|slot| moved([above, beside, crossing][slot % 3]));
        assert_eq!(sift(&triangles, other, 1.0, 0.0), 0b0010_0100);
        assert_eq!(sift(&triangles, other, 1.0, 1e-2), 0xFF);
        // The edges of a fold that another fold reaches over: nothing but a product of edges tells.
        let (ridge, bridge) = (
            [Point::new(-1.0, 0.0, 0.0), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, -1.0)],
            [Point::new(0.0, -1.0, 0.01), Point::new(0.0, 1.0, 0.01), Point::new(1.0, 0.0, 1.0)],
        );
        assert_eq!(sift(&[bridge; WIDTH], ridge, 1.0, 0.0), 0);
    }

    /// Nothing is told about what is no number, or so far away that products overflow.
    #[test]
    fn extremes_stay() {
        let other = [Point::ZERO, Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        for extreme in [f64::NAN, f64::INFINITY, 1e30] {
            let far = other.map(|corner| corner + Point::new(0.0, 0.0, extreme));
            assert_eq!(sift(&[far; WIDTH], other, 1.0, 0.0), 0xFF, "{extreme}");
            assert_eq!(sift(&[other; WIDTH], far, 1.0, 0.0), 0xFF, "{extreme}");
        }
    }
}
