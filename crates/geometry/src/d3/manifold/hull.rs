//! The face of a convex hull that faces a direction.
//!
//! It is the one most parallel to the direction among those that meet at the farthest vertex, as they
//! alone can touch something that comes from there. The normals, the faces around each vertex and the
//! numbers of the edges are prepared when the hull is built.
//!
//! A face may have any number of corners. Of more than [`MOST_CORNERS`], those are offered that are farthest
//! in that many directions, evenly spaced once the face is stretched to be as wide as it is long: what is
//! left out is less than 0.2 % of its area, and the deepest point is never left out, since every manifold
//! has that of the contact.

use super::feature::{Face, SLIVER};
use crate::d3::pair::normal_of;
use crate::manifold::feature::{Feature, Kind, number};
use crate::scale;
use carom_math::{Number, Vec2, Vec3, Vector};

/// The most corners of a feature.
pub(super) const MOST_CORNERS: usize = 64;

/// What manifolds need to know of a hull, in its own frame. Lists of lists are flat: list i is what lies
/// between start i and start i + 1.
pub(crate) struct HullFaces {
    /// Unit normals; zero for slivers, whose normals are hardly defined.
    normals: Vec<Vec3<f64>>,
    /// The faces that meet at each vertex, in rising order.
    around: Vec<u32>,
    around_starts: Vec<u32>,
    /// The number of the edge from each corner of a face to the next: the same for both faces at an edge.
    edges: Vec<u32>,
    most_corners: usize,
    /// The power of two that brings coordinates into the range of squares.
    factor: f64,
}

/// Vertices and faces of a hull.
#[derive(Clone, Copy)]
pub(crate) struct Faces<'a> {
    pub(crate) vertices: &'a [Vec3<f64>],
    /// Vertices of all faces, counter-clockwise as seen from outside.
    pub(crate) corners: &'a [u32],
    pub(crate) starts: &'a [u32],
}

impl<'a> Faces<'a> {
    fn count(self) -> usize {
        self.starts.len().saturating_sub(1)
    }
    /// Where the corners of a face are.
    fn range(self, face: usize) -> core::ops::Range<usize> {
        match (self.starts.get(face), self.starts.get(face + 1)) {
            (Some(&from), Some(&to)) => from as usize..to as usize,
            _ => 0..0,
        }
    }
    pub(in crate::d3) fn corners(self, face: usize) -> &'a [u32] {
        self.corners.get(self.range(face)).unwrap_or(&[])
    }
    fn vertex(self, index: u32) -> Vec3<f64> {
        self.vertices.get(index as usize).copied().unwrap_or(Vec3::ZERO)
    }
}

impl HullFaces {
    pub(crate) fn new(faces: Faces<'_>) -> Self {
        let size = faces.vertices.iter().fold(0.0, |size: f64, p| p.max_abs().max_of(size));
        let factor = scale::rescaling(size).unwrap_or(1.0);
        let mut around_starts = vec![0; faces.vertices.len() + 1];
        let mut ends = Vec::with_capacity(faces.corners.len());
        for face in 0..faces.count() {
            let corners = faces.corners(face);
            for (k, &vertex) in corners.iter().enumerate() {
                around_starts[vertex as usize + 1] += 1;
                let next = corners[(k + 1) % corners.len()];
                ends.push([vertex.min(next), vertex.max(next)]);
            }
        }
        for vertex in 0..faces.vertices.len() {
            around_starts[vertex + 1] += around_starts[vertex];
        }
        let mut free: Vec<u32> = around_starts.clone();
        let mut around = vec![0; faces.corners.len()];
        for face in 0..faces.count() {
            for &vertex in faces.corners(face) {
                let place = &mut free[vertex as usize];
                around[*place as usize] = face as u32;
                *place += 1;
            }
        }
        let mut all_edges = ends.clone();
        all_edges.sort_unstable();
        all_edges.dedup();
        HullFaces {
            normals: (0..faces.count()).map(|face| unit_normal(faces, face, factor)).collect(),
            around,
            around_starts,
            edges: ends.iter().map(|edge| all_edges.binary_search(edge).unwrap_or(0) as u32).collect(),
            factor,
            most_corners: (0..faces.count()).fold(2, |most, face| most.max(faces.corners(face).len())),
        }
    }

    /// The most corners that a face has.
    pub(crate) fn most_corners(&self) -> usize {
        self.most_corners
    }

    /// The face most parallel to a direction among those at a vertex; the first of equals.
    fn facing(&self, vertex: u32, direction: Vec3<f64>) -> usize {
        let list =
            match (self.around_starts.get(vertex as usize), self.around_starts.get(vertex as usize + 1)) {
                (Some(&from), Some(&to)) => self.around.get(from as usize..to as usize).unwrap_or(&[]),
                _ => &[],
            };
        let mut best = (f64::NEG_INFINITY, list.first().map_or(0, |&face| face as usize));
        for &face in list {
            let normal = self.normals.get(face as usize).copied().unwrap_or(Vec3::ZERO);
            // A sliver is chosen only among slivers.
            let along = if normal == Vec3::ZERO { -2.0 } else { normal.dot(direction) };
            if best.0 < along {
                best = (along, face as usize);
            }
        }
        best.1
    }

    /// The face at a vertex that faces `direction`, a direction in the frame of the hull, with its corners
    /// and its normal put into the frame of the pair.
    pub(crate) fn feature<const N: usize>(
        &self,
        faces: Faces<'_>,
        (vertex, direction): (u32, Vec3<f64>),
        place: impl Fn(Vec3<f64>) -> Vec3<f64>,
        turn: impl Fn(Vec3<f64>) -> Vec3<f64>,
    ) -> Face<N> {
        let face = self.facing(vertex, direction);
        let (corners, range) = (faces.corners(face), faces.range(face));
        let edges = self.edges.get(range).unwrap_or(&[]);
        let normal = self.normals.get(face).copied().unwrap_or(Vec3::ZERO);
        let mut feature =
            Feature::new(number(Kind::Face, face), (normal != Vec3::ZERO).then(|| turn(normal)), 0.0);
        let mut offer = |vertex: u32, edge: u32| {
            let names = (number(Kind::Vertex, vertex as usize), number(Kind::Edge, edge as usize));
            feature.push(place(faces.vertex(vertex)), names.0, names.1);
        };
        if corners.len() <= N {
            corners.iter().zip(edges).for_each(|(&vertex, &edge)| offer(vertex, edge));
        } else {
            let chosen = self.widest(faces, corners, normal, N);
            // In the order of the face, each once.
            for (index, (&vertex, &edge)) in corners.iter().zip(edges).enumerate() {
                if chosen.contains(&index) {
                    offer(vertex, edge);
                }
            }
        }
        feature
    }

    /// The positions of the corners that are farthest in `count` directions around a face, some repeated.
    fn widest(
        &self,
        faces: Faces<'_>,
        corners: &[u32],
        normal: Vec3<f64>,
        count: usize,
    ) -> [usize; MOST_CORNERS] {
        let mut chosen = [usize::MAX; MOST_CORNERS];
        let at = |k: usize| corners.get(k).map_or(Vec3::ZERO, |&vertex| faces.vertex(vertex) * self.factor);
        let first = at(0);
        // The longest way across from the first corner, and the way across that.
        let mut along = Vec3::ZERO;
        for k in 1..corners.len() {
            let way = at(k) - first;
            if along.max_abs() < way.max_abs() {
                along = way;
            }
        }
        let along = along.normalized().unwrap_or(Vec3::unit(0));
        let across = normal.cross(along);
        let flat = |k: usize| Vec2::new(along.dot(at(k) - first), across.dot(at(k) - first));
        let (mut low, mut high) = (Vec2::ZERO, Vec2::ZERO);
        for k in 0..corners.len() {
            low = low.min_by_axis(flat(k));
            high = high.max_by_axis(flat(k));
        }
        let extent = high - low;
        let mut direction = Vec2::new(1.0, 0.0);
        let stride = MOST_CORNERS / count.max(1);
        for (step, place) in chosen.iter_mut().enumerate() {
            if step % stride.max(1) == 0 {
                let stretched = Vec2::new(direction.x * extent.y, direction.y * extent.x);
                let mut best = (f64::NEG_INFINITY, 0);
                for k in 0..corners.len() {
                    let height = stretched.dot(flat(k));
                    if best.0 < height {
                        best = (height, k);
                    }
                }
                *place = best.1;
            }
            direction = Vec2::new(
                direction.x * STEP.x - direction.y * STEP.y,
                direction.x * STEP.y + direction.y * STEP.x,
            );
        }
        chosen
    }
}

/// Three corners of a face that span a large part of it, and the normal from them.
fn unit_normal(faces: Faces<'_>, face: usize, factor: f64) -> Vec3<f64> {
    let corners = faces.corners(face);
    let at = |k: usize| faces.vertex(corners[k]) * factor;
    if corners.len() < 3 {
        return Vec3::ZERO;
    }
    let largest = |measure: &dyn Fn(usize) -> f64| {
        (1..corners.len()).fold((1, 0.0), |best: (usize, f64), k| {
            let measured = measure(k);
            if best.1 < measured { (k, measured) } else { best }
        })
    };
    let (second, longest) = largest(&|k| (at(k) - at(0)).length_squared());
    let (third, _) = largest(&|k| (at(second) - at(0)).cross(at(k) - at(0)).length_squared());
    let [p, q, r] = [at(0), at(second.min(third)), at(second.max(third))];
    let normal = normal_of([p, q, r]);
    let longest = (r - q).length_squared().max_of(longest);
    if normal.length_squared() < SLIVER * (longest * longest) {
        return Vec3::ZERO;
    }
    normal.normalized().unwrap_or(Vec3::ZERO)
}

/// The cosine and sine of 1/64 of a turn.
const STEP: Vec2<f64> = Vec2 { x: 0.995_184_726_672_196_9, y: 0.098_017_140_329_560_6 };
