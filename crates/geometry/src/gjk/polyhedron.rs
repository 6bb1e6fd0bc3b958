//! The expanding polyhedron of EPA in space: triangles that know their neighbours.
//!
//! A new vertex removes the triangles that it sees and is joined to the horizon around them. Seeing is
//! decided by the exact predicate, strictly: then the region is one piece, its horizon one loop, and
//! no new triangle is degenerate, because a point on the line of a horizon edge would lie in the plane
//! of the triangle behind it, which it sees. Coplanar triangles may remain side by side.

use super::penetration::{Facet, Growth, Hull, State};
use super::polygon::least;
use super::simplex::Vertex;
use super::space::{Space, orient3, triangle_normal};
use carom_math::{Vec3, Vector};

/// Vertices that a polyhedron can have over its life. Each step adds one.
const MAX_VERTICES: usize = 130;
/// A triangulated sphere with n vertices has 2n − 4 triangles.
const MAX_FACES: usize = 2 * MAX_VERTICES - 4;

/// Edge i runs from corner i to corner i + 1; neighbour i lies beyond it.
#[derive(Clone, Copy)]
struct Face {
    /// Outwards, not of unit length.
    normal: Vec3<f64>,
    length: f64,
    /// The triangle is at least this far from the origin.
    lower: f64,
    corners: [u16; 3],
    neighbours: [u16; 3],
    state: State,
}

const NO_FACE: Face = Face {
    normal: Vec3::ZERO,
    length: 0.0,
    lower: 0.0,
    corners: [0; 3],
    neighbours: [0; 3],
    state: State::Free,
};

/// A convex polyhedron inside the set of differences.
pub(crate) struct Polyhedron {
    vertices: [Vertex<Vec3<f64>>; MAX_VERTICES],
    vertex_count: usize,
    faces: [Face; MAX_FACES],
    /// Faces from here on were never used.
    face_count: usize,
}

/// A directed edge of a face outside of the visible region, seen from inside of the region.
#[derive(Clone, Copy, Default)]
struct HorizonEdge {
    from: u16,
    to: u16,
    outer_face: u16,
    outer_edge: u8,
}

impl Polyhedron {
    fn position(&self, vertex: u16) -> Vec3<f64> {
        self.vertices[usize::from(vertex)].difference
    }

    fn make_face(&self, corners: [u16; 3]) -> Face {
        let [a, b, c] = corners.map(|corner| self.position(corner));
        let mut normal = triangle_normal(a, b, c);
        if normal == Vec3::ZERO {
            // Too thin for a normal. Its nearest point serves as well, or any direction.
            normal = Vec3::nearest_of_triangle([a, b, c], false).point;
            normal = if normal == Vec3::ZERO { Vec3::unit(0) } else { normal };
        }
        let length = Vector::length(normal);
        // Any n with n·x >= d at the corners keeps the triangle at distance d, so a bad normal of a
        // sliver makes this bound weak, never wrong.
        let lower = least([normal.dot(a), normal.dot(b), normal.dot(c)]) / length;
        Face { normal, length, lower, corners, neighbours: [0; 3], state: State::Open }
    }

    fn sees(&self, face: u16, point: Vec3<f64>) -> bool {
        let [a, b, c] = self.faces[usize::from(face)].corners.map(|corner| self.position(corner));
        orient3(a, b, c, point) < 0.0
    }

    /// Marks the faces that the point sees, beginning with one that it sees, and lists the edges
    /// around them. Returns (visible faces, horizon) with their counts.
    fn visible_region(&self, start: u16, point: Vec3<f64>) -> Region {
        let mut region = Region {
            faces: [0; MAX_FACES],
            face_count: 1,
            horizon: [HorizonEdge::default(); MAX_VERTICES],
            edge_count: 0,
            overflow: false,
        };
        region.faces[0] = start;
        let mut seen = [0_u64; MAX_FACES.div_ceil(64)];
        let mut hidden = seen;
        let bit = |face: u16| (usize::from(face) / 64, 1_u64 << (face % 64));
        seen[bit(start).0] |= bit(start).1;
        let mut next = 0;
        while next < region.face_count {
            let face_index = region.faces[next];
            let face = &self.faces[usize::from(face_index)];
            next += 1;
            for edge in 0..3 {
                let neighbour = face.neighbours[edge];
                let (word, flag) = bit(neighbour);
                if seen[word] & flag != 0 {
                    continue;
                }
                if hidden[word] & flag == 0 && self.sees(neighbour, point) {
                    seen[word] |= flag;
                    region.faces[region.face_count] = neighbour;
                    region.face_count += 1;
                    continue;
                }
                hidden[word] |= flag;
                if region.edge_count == MAX_VERTICES {
                    region.overflow = true;
                    return region;
                }
                let outer = &self.faces[usize::from(neighbour)];
                let outer_edge = outer.neighbours.iter().position(|&face| face == face_index).unwrap_or(0);
                region.horizon[region.edge_count] = HorizonEdge {
                    from: face.corners[edge],
                    to: face.corners[(edge + 1) % 3],
                    outer_face: neighbour,
                    outer_edge: outer_edge as u8,
                };
                region.edge_count += 1;
            }
        }
        region
    }
}

struct Region {
    faces: [u16; MAX_FACES],
    face_count: usize,
    horizon: [HorizonEdge; MAX_VERTICES],
    edge_count: usize,
    overflow: bool,
}

impl Region {
    /// Sorts the horizon into one loop in which each edge starts where the previous one ends. False if
    /// it is not one, which exact predicates exclude.
    fn close_horizon(&mut self) -> bool {
        let edges = &mut self.horizon[..self.edge_count];
        for index in 1..edges.len() {
            let end = edges[index - 1].to;
            match edges[index..].iter().position(|edge| edge.from == end) {
                Some(offset) => edges.swap(index, index + offset),
                None => return false,
            }
        }
        3 <= edges.len() && edges[edges.len() - 1].to == edges[0].from
    }
}

impl Hull<Vec3<f64>> for Polyhedron {
    const EMPTY: Self = Polyhedron {
        vertices: [Vertex::ZERO; MAX_VERTICES],
        vertex_count: 0,
        faces: [NO_FACE; MAX_FACES],
        face_count: 0,
    };

    fn start(&mut self, vertices: &[Vertex<Vec3<f64>>]) -> bool {
        let &[a, b, c, d] = vertices else { return false };
        let volume = orient3(a.difference, b.difference, c.difference, d.difference);
        if volume == 0.0 || volume.is_nan() {
            return false;
        }
        self.vertices[..4].copy_from_slice(&if 0.0 < volume { [a, b, c, d] } else { [a, c, b, d] });
        (self.vertex_count, self.face_count) = (4, 4);
        // Even permutations of 0123 with the opposite corner last, so that each runs counter-clockwise
        // seen from outside. The neighbour at an edge is the face opposite to the corner not on it.
        let corners = [[0, 1, 2], [1, 0, 3], [2, 1, 3], [0, 2, 3]];
        let neighbours = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
        for (index, (corners, neighbours)) in corners.into_iter().zip(neighbours).enumerate() {
            self.faces[index] = Face { neighbours, ..self.make_face(corners) };
        }
        true
    }

    fn nearest(&self) -> Option<Facet<Vec3<f64>>> {
        let mut best: Option<(usize, f64)> = None;
        for (index, face) in self.faces[..self.face_count].iter().enumerate() {
            if face.state == State::Open && best.is_none_or(|(_, lower)| face.lower < lower) {
                best = Some((index, face.lower));
            }
        }
        best.map(|(index, lower)| {
            let face = &self.faces[index];
            Facet { index, normal: face.normal, length: face.length, lower }
        })
    }

    fn corners(&self, index: usize) -> [Vertex<Vec3<f64>>; 3] {
        self.faces[index].corners.map(|corner| self.vertices[usize::from(corner)])
    }

    fn surface(&self) -> impl Iterator<Item = (usize, f64)> {
        let faces = self.faces[..self.face_count].iter().enumerate();
        faces.filter(|(_, face)| face.state != State::Free).map(|(index, face)| (index, face.lower))
    }

    fn raise(&mut self, index: usize, lower: f64) {
        self.faces[index].lower = lower;
    }

    fn settle(&mut self, index: usize) {
        self.faces[index].state = State::Settled;
    }

    fn expand(&mut self, index: usize, vertex: Vertex<Vec3<f64>>) -> Growth {
        let point = vertex.difference;
        if !self.sees(index as u16, point) {
            return Growth::Blocked;
        }
        if self.vertex_count == MAX_VERTICES {
            return Growth::Full;
        }
        let mut region = self.visible_region(index as u16, point);
        if region.overflow || !region.close_horizon() {
            return Growth::Blocked;
        }
        let edges = &region.horizon[..region.edge_count];
        let new_vertex = self.vertex_count as u16;
        self.vertices[self.vertex_count] = vertex;
        self.vertex_count += 1;
        for &face in &region.faces[..region.face_count] {
            self.faces[usize::from(face)].state = State::Free;
        }
        // New faces take the lowest free places; the relation of faces to vertices leaves enough.
        let mut slots = [0_u16; MAX_VERTICES];
        let mut place = 0;
        for slot in &mut slots[..edges.len()] {
            while place < self.face_count && self.faces[place].state != State::Free {
                place += 1;
            }
            if place == MAX_FACES {
                return Growth::Full;
            }
            self.face_count = self.face_count.max(place + 1);
            *slot = place as u16;
            place += 1;
        }
        let count = edges.len();
        for (index, edge) in edges.iter().enumerate() {
            let (slot, next, previous) =
                (slots[index], slots[(index + 1) % count], slots[(index + count - 1) % count]);
            let face = self.make_face([edge.from, edge.to, new_vertex]);
            self.faces[usize::from(slot)] = Face { neighbours: [edge.outer_face, next, previous], ..face };
            self.faces[usize::from(edge.outer_face)].neighbours[usize::from(edge.outer_edge)] = slot;
        }
        Growth::Grown
    }
}
