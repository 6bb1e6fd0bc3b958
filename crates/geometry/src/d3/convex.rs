//! Convex hulls as shapes: vertices, faces and neighbours in flat arrays.
//!
//! Built by [`convex_hull`](super::convex_hull), whose combinatorics is exact: the shape is convex to
//! the last bit, faces that lie in one plane are one face, and edges are edges. Numbers are held in
//! `f64` whatever the number type of the caller, so that a hull of `f32` is widened by sharing it.
//!
//! How the pair kernels look at one stands in [`solid`](super::solid).

use super::closest::clearly_nearest;
use super::hull::{Facets, Hull, hull_of, merged_faces};
use super::manifold::{Faces, HullFaces};
use super::pair::normal_of;
use super::shape::Shape;
use super::solid::HullView;
use crate::bound::{Aabb, Bounded, Frame, check_points};
use crate::error::not_negative;
use crate::exact::{Range, orient3d};
use crate::pair::core::Flats;
use crate::pair::nearest::{Foot, Nearest, on_segment};
use crate::pair::product::cross3;
use crate::sat::{PointRows, new_number};
use crate::shape::{Resize, Twin, Widen, lends_twin};
use crate::{Error, scale};
use carom_math::{Number, Real, Vec3, Vector, power_of_two};
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

/// The convex hull of any number of points, with its inside, in its own frame.
///
/// Points inside the hull, inside its faces or edges, and repeated ones are dropped; what remains is
/// sorted by coordinates, so the order of the points makes no difference. Flat hulls are thin sheets,
/// straight ones segments, and one point is a hull too. Cheap to clone: clones share their arrays.
///
/// # Example
/// ```
/// use carom_geometry::d3::{ConvexHull, Cuboid, distance};
/// let octahedron = ConvexHull::new([
///     [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0],
/// ])?;
/// assert_eq!((octahedron.vertices().len(), octahedron.face_count()), (6, 8));
/// let cube = Cuboid::new([1.0, 1.0, 1.0])?;
/// assert_eq!(distance(&octahedron, [0.0, 0.0, 0.0], &cube, [4.0, 0.0, 0.0])?.distance, 2.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct ConvexHull<T> {
    surface: Arc<Surface>,
    /// All lengths are multiplied by this power of two.
    factor: f64,
    twin: Twin<Shape<f64>>,
    number: PhantomData<T>,
}

/// Lists of lists are flat: list i is what lies between start i and start i + 1.
pub(crate) struct Surface {
    /// No other one has it.
    pub(super) number: u64,
    dimension: usize,
    /// Sorted by coordinates.
    pub(super) vertices: Vec<Vec3<f64>>,
    /// The vertices, relative to the first.
    pub(super) rows: PointRows<Vec3<f64>>,
    /// For separating axes.
    pub(super) facets: Option<Facets>,
    /// The vertices of the faces, counter-clockwise seen from outside.
    face_vertices: Vec<u32>,
    face_starts: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// The vertices that an edge connects with each vertex, in rising order.
    neighbours: Vec<u32>,
    neighbour_starts: Vec<u32>,
    /// What manifolds need to know of the faces.
    facing: HullFaces,
    /// The farthest vertices along +x, −x, +y, −y, +z, −z.
    pub(super) extremes: [u32; 6],
    pub(super) center: Vec3<f64>,
    /// The largest coordinate.
    pub(super) size: f64,
    /// The largest distance from the origin, relative to the size.
    pub(super) reach: f64,
    /// The largest distance from the centre, relative to the size; a little more.
    pub(super) outer_radius: f64,
}

impl<T: Real> ConvexHull<T> {
    /// The hull of these points. O(n log n) for ordinary clouds.
    ///
    /// # Errors
    /// When there is no point, or a coordinate is not finite.
    pub fn new(points: impl IntoIterator<Item = impl Into<Vec3<T>>>) -> Result<Self, Error> {
        let points: Vec<Vec3<T>> = points.into_iter().map(Into::into).collect();
        check_points(&points)?;
        // Adding zero makes −0 and 0 the same.
        let wide: Vec<Vec3<f64>> = points.into_iter().map(|point| point.widen() + Vec3::ZERO).collect();
        let surface = Arc::new(Surface::new(&wide, &hull_of(&wide)));
        Ok(ConvexHull { surface, factor: 1.0, twin: Twin::NONE, number: PhantomData }.with_twin())
    }

    /// The vertices, sorted by coordinates.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = Vec3<T>> + Clone + '_ {
        self.surface.vertices.iter().map(|&vertex| Vec3::narrow(vertex * self.factor))
    }

    /// How many faces there are: two for a flat hull, none for a straight one.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.surface.face_starts.len() - 1
    }

    /// The vertices of a face as positions in [`vertices`](Self::vertices), counter-clockwise seen from
    /// outside; empty for an index beyond the last.
    #[must_use]
    pub fn face(&self, index: usize) -> &[u32] {
        list(&self.surface.face_vertices, &self.surface.face_starts, index)
    }

    /// The faces cut into triangles, as positions in [`vertices`](Self::vertices).
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> + Clone + '_ {
        self.surface.triangles.iter().copied()
    }

    /// The faces with those united that lie in one plane but for `tolerance`: outlines as positions in
    /// [`vertices`](Self::vertices), counter-clockwise seen from outside.
    ///
    /// Points that were turned and rounded are seldom in one plane exactly, and the exact faces then are
    /// slivers of what is meant. Here a face takes its neighbours in as long as all their vertices are within
    /// the tolerance of its plane and the outline stays convex, up to the tolerance; large faces first. No
    /// answer of any query depends on it. A tolerance of 0 gives the exact faces; 8ε times the largest
    /// coordinate covers points that were rounded once. O(faces²) at worst; for use when a hull is made.
    ///
    /// # Errors
    /// When the tolerance is negative or not finite.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::ConvexHull;
    /// // A cube, turned about two axes and rounded to f32.
    /// let (c, s) = (0.6_f32, 0.8_f32);
    /// let turned = |[x, y, z]: [f32; 3]| [c * x - s * y, c * (s * x + c * y) - s * z, s * (s * x + c * y) + c * z];
    /// let corners = (0..8).map(|i| turned([i & 1, i >> 1 & 1, i >> 2].map(|bit| bit as f32 / 3.0)));
    /// let cube = ConvexHull::new(corners)?;
    /// let faces = cube.merged_faces(1e-6)?;
    /// assert_eq!(faces.len(), 6);
    /// assert!(faces.iter().all(|face| face.len() == 4));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn merged_faces(&self, tolerance: T) -> Result<Vec<Vec<u32>>, Error> {
        let tolerance = not_negative("tolerance", tolerance)?.to_f64();
        let faces: Vec<&[u32]> = (0..self.face_count()).map(|index| self.face(index)).collect();
        let is_solid = self.dimension() == 3 && 0.0 < tolerance;
        let Some(facets) = self.surface.facets.as_ref().filter(|_| is_solid) else {
            return Ok(faces.into_iter().map(<[u32]>::to_vec).collect());
        };
        Ok(merged_faces(&self.surface.vertices, &faces, &facets.units, tolerance / self.factor))
    }

    /// 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.surface.dimension
    }
}

/// List `index` of a flat list of lists.
fn list<'a>(items: &'a [u32], starts: &[u32], index: usize) -> &'a [u32] {
    match (starts.get(index), starts.get(index.saturating_add(1))) {
        (Some(&from), Some(&to)) => items.get(from as usize..to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

impl Surface {
    /// The faces, and what manifolds know of them.
    pub(super) fn faces(&self) -> (Faces<'_>, &HullFaces) {
        let Surface { vertices, face_vertices: corners, face_starts: starts, facing, .. } = self;
        (Faces { vertices, corners, starts }, facing)
    }

    /// 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vertices that an edge connects with a vertex, in rising order.
    pub(super) fn neighbours_of(&self, vertex: u32) -> &[u32] {
        list(&self.neighbours, &self.neighbour_starts, vertex as usize)
    }

    fn new(points: &[Vec3<f64>], hull: &Hull) -> Self {
        let vertices: Vec<Vec3<f64>> = hull.vertices.iter().map(|&index| points[index]).collect();
        let (mut face_vertices, mut face_starts) = (Vec::new(), vec![0]);
        let mut edges = Vec::new();
        for face in &hull.faces {
            for (k, &vertex) in face.iter().enumerate() {
                let next = face[(k + 1) % face.len()];
                face_vertices.push(vertex as u32);
                edges.extend([[vertex as u32, next as u32], [next as u32, vertex as u32]]);
            }
            face_starts.push(face_vertices.len() as u32);
        }
        edges.sort_unstable();
        edges.dedup();
        let mut neighbour_starts = vec![0; vertices.len() + 1];
        for [from, _] in &edges {
            neighbour_starts[*from as usize + 1] += 1;
        }
        for vertex in 0..vertices.len() {
            neighbour_starts[vertex + 1] += neighbour_starts[vertex];
        }
        let size = vertices.iter().fold(0.0, |size: f64, p| p.max_abs().max_of(size));
        // Relative to the size, so that neither the sum nor a square can overflow.
        let scaled = |p: &Vec3<f64>| if size == 0.0 { *p } else { *p / size };
        let sum = vertices.iter().fold(Vec3::ZERO, |sum, p| sum + scaled(p) / vertices.len() as f64);
        let extremes = core::array::from_fn(|side| {
            let sign = if side % 2 == 0 { 1.0 } else { -1.0 };
            let mut best = 0;
            for (index, vertex) in vertices.iter().enumerate() {
                if vertices[best].get(side / 2) * sign < vertex.get(side / 2) * sign {
                    best = index;
                }
            }
            best as u32
        });
        let center = sum * size;
        // From the centre as it is: among the subnormal numbers it is rounded by more than the rest.
        let middle = scaled(&center);
        let radius = |p: &Vec3<f64>| Vector::length(scaled(p) - middle) * (1.0 + 16.0 * f64::EPSILON);
        Surface {
            number: new_number(),
            dimension: hull.dimension,
            // Points at the ends of the range have no differences; nothing then asks for their rows.
            rows: PointRows::new(vertices.iter().map(|&vertex| vertex - vertices[0])),
            facets: Facets::new(hull.dimension, &vertices, &hull.faces, center, size),
            outer_radius: vertices.iter().fold(0.0, |most: f64, p| radius(p).max_of(most))
                + 16.0 * f64::EPSILON,
            reach: vertices.iter().fold(0.0, |reach: f64, p| Vector::length(scaled(p)).max_of(reach)),
            center,
            size,
            facing: HullFaces::new(Faces {
                vertices: &vertices,
                corners: &face_vertices,
                starts: &face_starts,
            }),
            face_vertices,
            face_starts,
            triangles: hull.triangles.iter().map(|triangle| triangle.map(|index| index as u32)).collect(),
            neighbours: edges.iter().map(|[_, to]| *to).collect(),
            neighbour_starts,
            extremes,
            vertices,
        }
    }
}

impl<T> ConvexHull<T> {
    /// Whether the vertices come before those of another; `None` for equal ones.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (ours, theirs) = (&self.surface.vertices, &other.surface.vertices);
        if ours.len() != theirs.len() {
            return Some(ours.len() < theirs.len());
        }
        let mut pairs = ours.iter().zip(theirs);
        pairs.find_map(|(p, q)| crate::pair::order::before([*p * self.factor], [*q * other.factor]))
    }

    /// What the pair kernels ask.
    #[inline]
    pub(crate) fn view(&self) -> HullView<'_> {
        HullView::new(&self.surface, self.factor)
    }
}

impl ConvexHull<f64> {
    /// The vertex with this number, at scale.
    pub(crate) fn vertex(&self, index: u32) -> Vec3<f64> {
        self.surface.vertices[index as usize] * self.factor
    }

    /// The surface point nearest to p. Inside, the nearest face, the first of equals; which side of a face
    /// p is on is decided exactly. A hull without volume has no inside.
    pub(crate) fn nearest(&self, p: Vec3<f64>) -> Nearest<Vec3<f64>> {
        if self.dimension() < 2 {
            return on_segment(self.vertex(0), self.vertex(self.surface.vertices.len() as u32 - 1), p);
        }
        if let Some(found) = clearly_nearest(self, p) {
            return found;
        }
        let mut nearest: Option<(Foot<Vec3<f64>>, Vec3<f64>)> = None;
        let mut deepest = Nearest { point: p, distance: f64::NEG_INFINITY, normal: Vec3::unit(0) };
        for index in 0..self.face_count() {
            let face = self.face(index);
            let [a, b, c] = self.widest_corners(face);
            let normal = direction_across([a, b, c]);
            // Flat hulls have two faces, which see p from both sides; on them, the first counts.
            let side = orient3d([a, b, c, p], Range::of(&[a, b, c, p]));
            let is_below = if self.dimension() == 2 { 0.0 < side } else { 0.0 <= side };
            if is_below {
                let length = Vector::length(normal);
                let height = normal.dot(p - a) / length;
                if nearest.is_none() && deepest.distance < height {
                    let unit = normal / length;
                    deepest = Nearest { point: p - unit * height, distance: height, normal: unit };
                }
                continue;
            }
            let first = self.vertex(face[0]);
            for pair in face.windows(2).skip(1) {
                let corners = [first, self.vertex(pair[0]), self.vertex(pair[1])];
                let foot = Vec3::foot_on_triangle(corners, normal_of(corners), p);
                if nearest.is_none_or(|(best, _)| foot.distance < best.distance) {
                    nearest = Some((foot, normal));
                }
            }
        }
        match nearest {
            // Just outside, where rounding hides the direction, the normal of the face must do.
            Some((foot, normal)) => foot.with_normal(p.max_abs() + Resize::size(self), || {
                normal.normalized().unwrap_or(Vec3::unit(0))
            }),
            // No face has a normal that is in range: next to its length, or to the distance, it is a needle.
            None if deepest.distance == f64::NEG_INFINITY => {
                let [from, to] = self.longest_extent();
                on_segment(from, to, p)
            }
            None if self.is_flattened() => self.nearest_of_sheet(p),
            // Inside, and at most on the surface.
            None => Nearest { distance: deepest.distance.min_of(0.0), ..deepest },
        }
    }

    /// Whether a hull with volume has none at the scale of the question, where the least of its coordinates are zero
    /// beside the largest. Its faces then see nothing in their common plane, be it ever so far away.
    fn is_flattened(&self) -> bool {
        let is_in_plane = |[a, b, c]: [Vec3<f64>; 3]| {
            let mut vertices = (0..self.surface.vertices.len() as u32).map(|index| self.vertex(index));
            vertices.all(|p| orient3d([a, b, c, p], Range::of(&[a, b, c, p])) == 0.0)
        };
        let mut faces = (0..self.face_count()).map(|index| self.widest_corners(self.face(index)));
        self.dimension() == 3 && self.factor != 1.0 && faces.all(is_in_plane)
    }

    /// The point nearest to p of a hull that is flat, seen from its plane.
    fn nearest_of_sheet(&self, p: Vec3<f64>) -> Nearest<Vec3<f64>> {
        let corners_of = |triangle: [u32; 3]| triangle.map(|index| self.vertex(index));
        let feet = self.triangles().map(corners_of).map(|corners| {
            let normal = direction_across(corners);
            (Vec3::foot_on_triangle(corners, normal_of(corners), p), normal)
        });
        let nearest = feet.reduce(|best, next| if next.0.distance < best.0.distance { next } else { best });
        let (foot, normal) = nearest.unwrap_or((Foot::at(self.vertex(0), p), Vec3::ZERO));
        foot.with_normal(p.max_abs() + Resize::size(self), || normal.normalized().unwrap_or(Vec3::unit(0)))
    }

    /// The vertices farthest apart along the coordinate axis along which that is farthest.
    fn longest_extent(&self) -> [Vec3<f64>; 2] {
        let ends = |axis: usize| [1, 0].map(|side| self.vertex(self.surface.extremes[2 * axis + side]));
        let extent = |axis: usize| ends(axis)[1].get(axis) - ends(axis)[0].get(axis);
        let longest = (1..3).fold(0, |best, axis| if extent(best) < extent(axis) { axis } else { best });
        ends(longest)
    }

    /// Three corners of a face that span a large part of it: the first, the one farthest from it, and the
    /// one farthest from the line through both. In the order of the face.
    fn widest_corners(&self, face: &[u32]) -> [Vec3<f64>; 3] {
        let at = |k: usize| self.vertex(face[k]);
        if face.len() <= 3 {
            return [at(0), at(1), at(2)];
        }
        let largest = |measure: &dyn Fn(usize) -> f64| {
            (1..face.len()).fold(
                (0, 0.0),
                |best: (usize, f64), k| {
                    if best.1 < measure(k) { (k, measure(k)) } else { best }
                },
            )
        };
        let edge = |k: usize| at(k) - at(0);
        let (mut second, _) = largest(&|k| edge(k).length_squared());
        let (mut third, area) = largest(&|k| edge(second).cross(edge(k)).length_squared());
        if area == 0.0 {
            // Squares of what is small beside the size of the question vanish; products of the longest edge, brought to
            // 2⁴⁸⁰, do not.
            (second, _) = largest(&|k| edge(k).max_abs());
            let along = stretched(edge(second));
            (third, _) = largest(&|k| cross3(along, edge(k)).max_abs());
            if third == 0 {
                // Seen from the first one, which is far away, all others are in one place; seen from each other they are not.
                (third, _) = largest(&|k| (at(k) - at(second)).max_abs());
            }
        }
        [at(0), at(second.min(third)), at(second.max(third))]
    }
}

/// Along the normal of a triangle, of any length. Products among the subnormal numbers have no digits to tell a
/// direction by, so the edges are stretched by powers of two where they would be needed.
fn direction_across([a, b, c]: [Vec3<f64>; 3]) -> Vec3<f64> {
    let normal = normal_of([a, b, c]);
    if power_of_two(-500) < normal.max_abs() {
        return normal;
    }
    // From the shortest edge on: between two long ones it would be lost in the rounding of their difference.
    let edges = [b - a, c - b, a - c];
    let shortest =
        (1..3).fold(0, |k, next| if edges[next].max_abs() < edges[k].max_abs() { next } else { k });
    let normal = cross3(stretched(edges[shortest]), stretched(edges[(shortest + 1) % 3]));
    normal * scale::towards_one(normal.max_abs(), 0)
}

/// The vector brought to 2⁴⁸⁰: products of the largest numbers just fit, and those of the smallest keep their digits.
fn stretched(edge: Vec3<f64>) -> Vec3<f64> {
    edge * scale::towards_one(edge.max_abs(), 0) * power_of_two(480)
}

/// The same vertices.
impl<T> PartialEq for ConvexHull<T> {
    fn eq(&self, other: &Self) -> bool {
        self.factor == other.factor
            && (Arc::ptr_eq(&self.surface, &other.surface) || self.surface.vertices == other.surface.vertices)
    }
}

impl<T> fmt::Debug for ConvexHull<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConvexHull ")?;
        let scaled = self.surface.vertices.iter().map(|&vertex| vertex * self.factor);
        f.debug_list().entries(scaled.map(|p| (p.x, p.y, p.z))).finish()
    }
}

lends_twin!(ConvexHull, Shape<f64>);

impl<T: Real> Widen for ConvexHull<T> {
    type Wide = ConvexHull<f64>;
    #[inline]
    fn widen(&self) -> ConvexHull<f64> {
        ConvexHull {
            surface: Arc::clone(&self.surface),
            factor: self.factor,
            twin: Twin::NONE,
            number: PhantomData,
        }
    }
}

impl Resize for ConvexHull<f64> {
    fn size(&self) -> f64 {
        self.surface.size * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        ConvexHull { factor: self.factor * factor, ..self.widen() }
    }
}

impl Bounded<Vec3<f64>> for ConvexHull<f64> {
    fn bounds(&self, frame: &Frame<Vec3<f64>>) -> Aabb<Vec3<f64>> {
        if frame.is_local() {
            let end =
                |axis: usize, side: usize| self.vertex(self.surface.extremes[2 * axis + side]).get(axis);
            return Aabb { min: Vec3::from_fn(|axis| end(axis, 1)), max: Vec3::from_fn(|axis| end(axis, 0)) };
        }
        self.vertices().fold(Aabb::empty(), |all, point| all.merged(frame.placed_point(point)))
    }
}
