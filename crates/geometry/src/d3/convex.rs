//! Convex hulls as shapes: vertices, faces and neighbours in flat arrays.
//!
//! Built by [`convex_hull`](super::convex_hull), whose combinatorics is exact: the shape is convex to
//! the last bit, faces that lie in one plane are one face, and edges are edges. Numbers are held in
//! `f64` whatever the number type of the caller, so that a hull of `f32` is widened by sharing it.
//!
//! # Support points
//!
//! Up to [`SCANNED`] vertices by linear scan. Beyond that by climbing: from the farther of two starts
//! (the extreme vertex along the coordinate axis nearest to the direction, and the vertex found last) to
//! any neighbour that is farther, until none is. On a convex surface a vertex without a farther neighbour
//! is the farthest of all; rounding can hide a climb that begins with a short edge, so neighbours
//! that are level up to rounding are searched as well.

use super::hull::{Hull, hull_of};
use super::pair::normal_of;
use crate::Error;
use crate::bound::{Aabb, Bounded, Frame, check_points};
use crate::convex::general::farthest_at_scale;
use crate::gjk::{Support, orient3};
use crate::pair::core::Flats;
use crate::pair::nearest::{Foot, Nearest, on_segment};
use crate::shape::{Resize, Widen};
use carom_math::{Number, Real, Vec3, Vector};
use core::cell::Cell;
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
    number: PhantomData<T>,
}

/// Lists of lists are flat: list i is what lies between start i and start i + 1.
struct Surface {
    dimension: usize,
    /// Sorted by coordinates.
    vertices: Vec<Vec3<f64>>,
    /// The vertices of the faces, counter-clockwise seen from outside.
    face_vertices: Vec<u32>,
    face_starts: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// The vertices that an edge connects with each vertex, in rising order.
    neighbours: Vec<u32>,
    neighbour_starts: Vec<u32>,
    /// The farthest vertices along +x, −x, +y, −y, +z, −z.
    extremes: [u32; 6],
    center: Vec3<f64>,
    /// The largest coordinate.
    size: f64,
    /// The largest distance from the origin, relative to the size.
    reach: f64,
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
        Ok(ConvexHull { surface, factor: 1.0, number: PhantomData })
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

    /// 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.surface.dimension
    }
}

/// List `index` of a flat list of lists.
fn list<'a>(items: &'a [u32], starts: &[u32], index: usize) -> &'a [u32] {
    match (starts.get(index), starts.get(index + 1)) {
        (Some(&from), Some(&to)) => items.get(from as usize..to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

impl Surface {
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
        Surface {
            dimension: hull.dimension,
            reach: vertices.iter().fold(0.0, |reach: f64, p| Vector::length(scaled(p)).max_of(reach)),
            center: sum * size,
            size,
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
        let mut nearest: Option<(Foot<Vec3<f64>>, Vec3<f64>)> = None;
        let mut deepest = Nearest { point: p, distance: f64::NEG_INFINITY, normal: Vec3::unit(0) };
        for index in 0..self.face_count() {
            let face = self.face(index);
            let [a, b, c] = self.widest_corners(face);
            let normal = normal_of([a, b, c]);
            // Flat hulls have two faces, which see p from both sides; on them, the first counts.
            let side = orient3(a, b, c, p);
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
            // Inside, and at most on the surface.
            None => Nearest { distance: deepest.distance.min_of(0.0), ..deepest },
        }
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
        let (second, _) = largest(&|k| (at(k) - at(0)).length_squared());
        let (third, _) = largest(&|k| (at(second) - at(0)).cross(at(k) - at(0)).length_squared());
        [at(0), at(second.min(third)), at(second.max(third))]
    }

    /// Whether the vertices come before those of another; `None` for equal ones.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (ours, theirs) = (&self.surface.vertices, &other.surface.vertices);
        if ours.len() != theirs.len() {
            return Some(ours.len() < theirs.len());
        }
        let mut pairs = ours.iter().zip(theirs);
        pairs.find_map(|(p, q)| crate::pair::order::before([*p * self.factor], [*q * other.factor]))
    }
}

/// Vertices up to which all of them are looked at: climbing reads its neighbours out of order, and does
/// not pay before.
const SCANNED: usize = 32;

/// Neighbours level with the best are searched up to this many; if there are more, all vertices are.
const PLATEAU: usize = 64;

/// A hull that remembers where it found the last support point, for the length of one query.
#[derive(Clone, Debug)]
pub(crate) struct Climber<'a> {
    hull: &'a ConvexHull<f64>,
    last: Cell<u32>,
}

impl<'a> Climber<'a> {
    pub(crate) fn new(hull: &'a ConvexHull<f64>) -> Self {
        Climber { hull, last: Cell::new(0) }
    }

    fn climb(&self, direction: Vec3<f64>) -> u32 {
        let surface = &*self.hull.surface;
        let base = self.hull.vertex(0);
        let height = |vertex: u32| (self.hull.vertex(vertex) - base).dot(direction);
        let size = direction.abs_by_axis();
        let axis = if size.x < size.y {
            if size.y < size.z { 2 } else { 1 }
        } else if size.x < size.z {
            2
        } else {
            0
        };
        let side = 2 * axis + usize::from(direction.get(axis) < 0.0);
        let (extreme, last) = (surface.extremes[side], self.last.get());
        let mut best = if height(extreme) < height(last) { last } else { extreme };
        let mut best_height = height(best);
        // Products of this size differ by rounding only.
        let level = 8.0 * f64::EPSILON * (2.0 * Resize::size(self.hull)) * (size.x + size.y + size.z);
        let mut plateau = [0; PLATEAU];
        let (mut known, mut next) = (1, 0);
        plateau[0] = best;
        // Every turn takes a new vertex from the plateau, or starts a plateau that is higher.
        while next < known {
            let from = plateau[next];
            next += 1;
            for &to in list(&surface.neighbours, &surface.neighbour_starts, from as usize) {
                let reached = height(to);
                if best_height < reached {
                    if best_height + level < reached {
                        (known, next) = (0, 0);
                    }
                    (best, best_height) = (to, reached);
                } else if reached < best_height - level {
                    continue;
                }
                if !plateau[..known].contains(&to) {
                    if known == PLATEAU {
                        // As good as flat: only a look at all of them can tell.
                        let vertices = &surface.vertices;
                        return farthest_at_scale(vertices, self.hull.factor, direction).1;
                    }
                    plateau[known] = to;
                    known += 1;
                }
            }
        }
        self.last.set(best);
        best
    }
}

impl Support<Vec3<f64>> for Climber<'_> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: Vec3<f64>) -> (Vec3<f64>, u32) {
        if self.hull.surface.vertices.len() <= SCANNED {
            return farthest_at_scale(&self.hull.surface.vertices, self.hull.factor, direction);
        }
        let best = self.climb(direction);
        (self.hull.vertex(best), best)
    }
    fn center(&self) -> Vec3<f64> {
        self.hull.surface.center * self.hull.factor
    }
    fn size(&self) -> f64 {
        // The reach has one rounding, and the product another.
        let surface = &self.hull.surface;
        surface.reach * (surface.size * self.hull.factor) * (1.0 + 4.0 * f64::EPSILON)
    }
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

impl<T: Real> Widen for ConvexHull<T> {
    type Wide = ConvexHull<f64>;
    #[inline]
    fn widen(&self) -> ConvexHull<f64> {
        ConvexHull { surface: Arc::clone(&self.surface), factor: self.factor, number: PhantomData }
    }
}

impl Resize for ConvexHull<f64> {
    fn size(&self) -> f64 {
        self.surface.size * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        ConvexHull { factor: self.factor * factor, ..self.clone() }
    }
}

impl Bounded<Vec3<f64>> for ConvexHull<f64> {
    fn bounds(&self, frame: &Frame<Vec3<f64>>) -> Aabb<Vec3<f64>> {
        self.vertices().fold(Aabb::empty(), |all, point| all.merged(frame.placed_point(point)))
    }
}
