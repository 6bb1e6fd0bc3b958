//! How far a point is from the surface of a mesh, and on which side.
//!
//! The distance comes from the tree: the closest point of each triangle whose box can be close enough, in `f64`,
//! with the bound on its rounding error carried along. Side and distance are decided apart. For a closed mesh
//! the side is exact (see [`super::crossing`]), even where the distance is all rounding error.
//!
//! The angle-weighted pseudonormal of the nearest feature (Bærentzen and Aanæs, "Signed distance computation using
//! the angle weighted pseudonormal", 2005) tells the side as well, provided that the mesh does not cut itself: it
//! is given in the answer, with whether it agrees.

use super::solid::{MeshSolid, Parts, SignSource};
use crate::Error;
use crate::bound::Aabb;
use crate::bvh::squared_distance_below;
use crate::error::finite_vector;
use crate::line::closest::{closest_on_triangle3, normal_of_shortest_edges};
use crate::scale;
use carom_math::{Number, Real, Vec3, Vector};

/// Which part of a triangle is meant; edges and corners are shared with neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshFeature {
    /// The inside of the triangle.
    Face,
    /// The edge from the vertex with this index to the other, as the triangle has them.
    Edge([usize; 2]),
    /// The vertex with this index.
    Vertex(usize),
}

/// The distance from a point to the surface of a mesh; see [`MeshSolid::signed_distance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance<T> {
    /// Negative inside, 0 on the surface.
    pub distance: T,
    /// A number that the true signed distance is never below.
    pub lower: T,
    /// A number that the true signed distance is never above.
    pub upper: T,
    /// Whether the point lies inside or on the surface.
    pub inside: bool,
    /// The closest point of the surface.
    pub point: Vec3<T>,
    /// The triangle that it is on; the lowest of equally close ones.
    pub triangle: usize,
    /// Which part of that triangle.
    pub feature: MeshFeature,
    /// The pseudonormal there: the unit normal of a face; for an edge or a vertex the mean of the normals around
    /// it, weighted by angle. Zero where there is none, as on triangles without area.
    pub normal: Vec3<T>,
    /// What decided the sign.
    pub sign: SignSource,
    /// Whether the pseudonormal points to the same side. Where it does not, the mesh cuts itself, is wound
    /// inside out, is not closed, or the point is closer to the surface than rounding can tell.
    pub normal_agrees: bool,
}

/// What bounds the rounding error of the distance to one triangle, relative to the largest coordinate
/// difference between the point and its corners.
const DISTANCE_ERROR: f64 = 32.0 * f64::EPSILON;

impl<T: Real> MeshSolid<T> {
    /// The distance from a point to the surface, negative inside.
    ///
    /// The side is that of [`contains_point`](Self::contains_point), exact for closed meshes. `lower` and
    /// `upper` enclose the true distance between the numbers as given, some 32ε of the size of the triangles there
    /// apart. O(log n) for ordinary meshes.
    ///
    /// # Errors
    /// [`Error::NotFinite`] when the point is not finite; [`Error::Overflow`] when the answer is too large for the
    /// number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{MeshFeature, MeshSolid};
    /// use carom_math::Vec3;
    /// let corner = [[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 6.0]].map(Vec3::from);
    /// let tetrahedron = MeshSolid::new(&corner, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let outside = tetrahedron.signed_distance([-3.0, -4.0, 1.0])?;
    /// assert_eq!((outside.distance, outside.point), (5.0, Vec3::new(0.0, 0.0, 1.0)));
    /// assert_eq!(outside.feature, MeshFeature::Edge([3, 0]));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn signed_distance(&self, point: impl Into<Vec3<T>>) -> Result<SignedDistance<T>, Error> {
        let p = finite_vector("point", point.into())?.widen();
        let parts = &self.parts;
        let located = parts.locate(p);
        let found = parts.nearest(p);
        let is_on_surface = located.source == SignSource::Surface;
        let (lower, upper) = if is_on_surface { (0.0, 0.0) } else { (found.lower, found.upper) };
        let distance = if is_on_surface { 0.0 } else { found.distance };
        let normal = parts.pseudonormal(found.triangle, found.feature);
        // Zero when the point is on the surface.
        let height = (p * found.factor - found.point).dot(normal);
        let answer = SignedDistance {
            distance: T::from_f64(if located.is_inside { 0.0 - distance } else { distance }),
            lower: T::from_f64_down(if located.is_inside { 0.0 - upper } else { lower }),
            upper: T::from_f64_up(if located.is_inside { 0.0 - lower } else { upper }),
            inside: located.is_inside,
            point: Vec3::narrow(if is_on_surface { p } else { found.point / found.factor }),
            triangle: found.triangle,
            feature: found.feature,
            normal: Vec3::narrow(normal),
            sign: located.source,
            normal_agrees: is_on_surface || if located.is_inside { height < 0.0 } else { 0.0 < height },
        };
        if answer.lower.finite() && answer.upper.finite() && answer.point.finite() {
            Ok(answer)
        } else {
            Err(Error::Overflow { what: "the distance", number: T::NAME })
        }
    }
}

/// The nearest point of a surface; `point` is multiplied by `factor`, the other lengths are not.
struct Found {
    triangle: usize,
    feature: MeshFeature,
    point: Vec3<f64>,
    distance: f64,
    lower: f64,
    upper: f64,
    factor: f64,
}

impl Parts {
    /// The distance from the surface, negative inside.
    pub(super) fn signed(&self, p: Vec3<f64>) -> f64 {
        let distance = self.nearest(p).distance;
        if self.locate(p).is_inside { 0.0 - distance } else { distance }
    }

    /// The nearest point of the surface, at a scale where squares are in range.
    fn nearest(&self, p: Vec3<f64>) -> Found {
        let factor = scale::rescaling(p.max_abs().max_of(self.size)).unwrap_or(1.0);
        let at = p * factor;
        // Differences to the point: the rounding is relative to them, wherever the mesh is.
        let seen = |triangle: usize| self.mesh.corners(triangle).map(|corner| corner * factor - at);
        let mut lower = f64::INFINITY;
        let nearest = self.tree.nearest(
            |bounds| squared_distance_below(Aabb { min: bounds.min * factor, max: bounds.max * factor }, at),
            |triangle| {
                let corners = seen(triangle);
                let (_, foot) = closest_on_triangle3(Vec3::ZERO, corners);
                let squared = foot.length_squared();
                lower = (squared.sqrt() - error_of(corners)).min_of(lower);
                squared
            },
        );
        // There is a triangle, and squares of finite numbers near 1 are no NaN.
        let triangle = nearest.map_or(0, |(triangle, _)| triangle);
        let corners = seen(triangle);
        let (weights, foot) = closest_on_triangle3(Vec3::ZERO, corners);
        let distance = foot.length_squared().sqrt();
        // What was passed over is not closer than the box that it is in, which is no closer than this.
        let lower = lower.min_of(distance * (1.0 - 16.0 * f64::EPSILON)).max_of(0.0);
        let upper = distance + error_of(corners);
        Found {
            triangle,
            feature: feature_of(weights, self.mesh.triangles[triangle]),
            point: at + foot,
            distance: distance / factor,
            lower: lower / factor,
            upper: upper / factor,
            factor,
        }
    }

    /// The unit normal of a feature of a triangle, weighted by angle over the triangles that share it; zero when
    /// there is none.
    fn pseudonormal(&self, triangle: usize, feature: MeshFeature) -> Vec3<f64> {
        let sum = match feature {
            MeshFeature::Face => self.unit_normal(triangle),
            MeshFeature::Edge([from, to]) => {
                let ends = [self.place[from], self.place[to]];
                let is_beside = |&&other: &&usize| {
                    let at = self.mesh.triangles[other].map(|corner| self.place[corner]);
                    at.contains(&ends[1])
                };
                // Every triangle has the same angle, π, at its edge.
                let beside = self.triangles_around(ends[0]).iter().filter(is_beside);
                beside.fold(Vec3::ZERO, |sum, &other| sum + self.unit_normal(other))
            }
            MeshFeature::Vertex(vertex) => {
                let place = self.place[vertex];
                let around = self.triangles_around(place).iter();
                around.fold(Vec3::ZERO, |sum, &other| {
                    let corner = self.mesh.triangles[other].iter().position(|&at| self.place[at] == place);
                    sum + self.unit_normal(other) * self.angle(other, corner.unwrap_or(0))
                })
            }
        };
        sum.normalized().unwrap_or(Vec3::ZERO)
    }

    /// The corners at a scale where neither differences nor their products overflow.
    fn tame_corners(&self, triangle: usize) -> [Vec3<f64>; 3] {
        let factor = scale::towards_one(self.size, 0);
        self.mesh.corners(triangle).map(|corner| corner * factor)
    }

    fn unit_normal(&self, triangle: usize) -> Vec3<f64> {
        normal_of_shortest_edges(self.tame_corners(triangle)).0.normalized().unwrap_or(Vec3::ZERO)
    }

    /// The angle of a triangle at one of its corners.
    fn angle(&self, triangle: usize, corner: usize) -> f64 {
        let corners = self.tame_corners(triangle);
        let toward = |other: usize| (corners[other % 3] - corners[corner]).normalized().unwrap_or(Vec3::ZERO);
        let (u, v) = (toward(corner + 1), toward(corner + 2));
        Vector::length(u.cross(v)).arc_tangent2(u.dot(v))
    }
}

fn error_of(seen: [Vec3<f64>; 3]) -> f64 {
    DISTANCE_ERROR * seen.into_iter().fold(0.0, |size: f64, corner| corner.max_abs().max_of(size))
}

/// Corners with weight zero do not take part.
fn feature_of(weights: [f64; 3], [a, b, c]: [usize; 3]) -> MeshFeature {
    match weights.map(|weight| weight != 0.0) {
        [true, true, true] => MeshFeature::Face,
        [true, true, false] => MeshFeature::Edge([a, b]),
        [false, true, true] => MeshFeature::Edge([b, c]),
        [true, false, true] => MeshFeature::Edge([c, a]),
        [true, false, false] => MeshFeature::Vertex(a),
        [false, true, false] => MeshFeature::Vertex(b),
        [false, false, _] => MeshFeature::Vertex(c),
    }
}
