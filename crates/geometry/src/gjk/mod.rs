//! Distance and penetration depth of convex sets that are known by their support points only.
//!
//! [`distance()`] is GJK (Gilbert, Johnson, Keerthi 1988; van den Bergen 1999), [`penetration()`] is EPA
//! (van den Bergen 2001). Both look at the set of differences C = {a − b}: the pair overlaps when C
//! contains the origin, the distance is that from the origin to C, and the depth is that from the
//! origin to the boundary of C. Both work in the plane and in space, in `f64`, in whatever frame the
//! two [`Support`]s share (the pair queries use the frame of the first shape).
//!
//! What is promised for all finite input within the band of [`scale`](crate::scale):
//! - **Bounds.** `lower <= truth <= upper`, rounding included, however the loop ended. There is no
//!   such outcome as "did not converge"; bounds that are further apart than usual are the worst case.
//! - **Certificates.** For every direction n, the overlap along n, H(n) = n·s_A(n) − n·s_B(−n), is at
//!   least the depth. So the depth that is returned is H at the returned normal, and moving B by
//!   normal·depth separates the pair whatever happened before. H(n) < 0 proves that the pair is apart.
//! - **Exact decisions.** Whether a simplex contains the origin is decided by exact predicates, so
//!   shapes with coordinates on a lattice touch exactly when they should.
//! - **No scale.** Every threshold is relative: multiplying all lengths by a power of two multiplies
//!   the answer by it, to the bit.
//! - **No memory.** Everything lives on the stack.
//!
//! Radii do not belong here: a rounded shape is its core plus a radius, the normal of the rounded
//! pair is the normal of the cores, and the radii are subtracted from the distance afterwards.

mod cap;
mod descent;
mod distance;
mod inside;
mod penetration;
mod polygon;
mod polyhedron;
pub(crate) mod quick;
mod simplex;
mod space;
mod support;
#[cfg(test)]
mod tests;

use carom_math::Vector;

pub(crate) use distance::{
    Proximity, Status, Warm, distance, distance_from, rough_distance, status_or_distance,
};
pub(crate) use inside::Ball;
pub(crate) use penetration::{Penetration, penetration};
#[cfg(test)]
pub(crate) use simplex::Simplex;
pub(crate) use simplex::Vertex;
pub(crate) use space::Space;
#[cfg(test)]
pub(crate) use support::Cloud;
pub(crate) use support::{
    Block, Cone, Corners, Cylinder, Ellipsoid, Posed, Support, farthest, least_product,
};

/// The unit normal of a facet of the set of differences, away from the origin; zero where the corners have none.
fn outward<V: Space>(corners: &[V]) -> V {
    let normal = V::perpendiculars(corners)[0].normalized().unwrap_or(V::ZERO);
    if normal.dot(corners[0]) < 0.0 { -normal } else { normal }
}

/// Watches the loops at work. Every method does nothing by default, and `()` is the watcher that
/// costs nothing.
pub(crate) trait Trace<V: Vector> {
    /// Whether there is anybody to be told.
    #[inline(always)]
    fn listens(&self) -> bool {
        true
    }
    /// GJK holds these one to four points of the set of differences, and these bounds.
    fn simplex(&mut self, vertices: &[Vertex<V>], lower: f64, upper: f64) {
        let _ = (vertices, lower, upper);
    }
    /// EPA looks at the facet with these corners, and holds these bounds.
    fn facet(&mut self, corners: &[Vertex<V>], lower: f64, upper: f64) {
        let _ = (corners, lower, upper);
    }
    /// Balls about these centres are inside of the shapes, others around them; the sums of their radii.
    fn balls(&mut self, centers: [V; 2], inner: f64, outer: f64) {
        let _ = (centers, inner, outer);
    }
    /// The overlap of the pair along a direction (not of unit length) was measured.
    fn axis(&mut self, direction: V, overlap: f64) {
        let _ = (direction, overlap);
    }
}

impl<V: Vector> Trace<V> for () {
    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }
}

/// The computed overlap H(n) along a direction, and the computed difference of two witness points,
/// are off by at most this many times ε·(sum of the sizes): the supports return points of their
/// shapes within 8ε·size and miss the largest product by at most 8ε·size; the difference, the scalar
/// product, the division by the length and the blend of up to four points add less than 8 more.
const ROUNDING: f64 = 32.0 * f64::EPSILON;

/// The rounding error that the bounds of a pair allow for.
pub(crate) fn rounding_error<V: Vector<Scalar = f64>>(a: &impl Support<V>, b: &impl Support<V>) -> f64 {
    ROUNDING * (a.size() + b.size())
}

/// The point of the set of differences that is farthest in a direction.
#[inline]
fn difference_support<V: Vector<Scalar = f64>>(
    a: &impl Support<V>,
    b: &impl Support<V>,
    direction: V,
) -> Vertex<V> {
    let (point_a, feature_a) = a.support(direction);
    let (point_b, feature_b) = b.support(-direction);
    Vertex { difference: point_a - point_b, point_a, point_b, feature_a, feature_b, direction }
}
