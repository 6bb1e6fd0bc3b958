//! The expanding polygon of EPA in the plane: a ring of vertices, counter-clockwise.

use super::penetration::{Facet, Growth, Hull, State};
use super::simplex::Vertex;
use super::space::orient2;
use carom_math::{Vec2, Vector};

/// Corners that a polygon can have over its life. Each step adds one.
const MAX_VERTICES: usize = 128;

/// A corner and the edge that starts there.
#[derive(Clone, Copy)]
struct Corner {
    vertex: Vertex<Vec2<f64>>,
    next: usize,
    previous: usize,
    /// Outwards, as long as the edge.
    normal: Vec2<f64>,
    length: f64,
    /// The edge is at least this far from the origin.
    lower: f64,
    /// Of the edge; free when the corner has left the ring.
    state: State,
}

const NO_CORNER: Corner = Corner {
    vertex: Vertex::ZERO,
    next: 0,
    previous: 0,
    normal: Vec2::ZERO,
    length: 0.0,
    lower: 0.0,
    state: State::Free,
};

/// A convex polygon inside the set of differences.
pub(crate) struct Polygon {
    corners: [Corner; MAX_VERTICES],
    count: usize,
}

impl Polygon {
    fn update_edge(&mut self, start: usize) {
        let (a, b) =
            (self.corners[start].vertex.difference, self.corners[self.corners[start].next].vertex.difference);
        let normal = Vec2::new(b.y - a.y, a.x - b.x);
        let corner = &mut self.corners[start];
        corner.normal = normal;
        corner.length = Vector::length(normal);
        corner.lower = least([normal.dot(a), normal.dot(b)]) / corner.length;
        corner.state = State::Open;
    }

    fn sees(&self, start: usize, point: Vec2<f64>) -> bool {
        let corner = &self.corners[start];
        orient2(corner.vertex.difference, self.corners[corner.next].vertex.difference, point) < 0.0
    }

    /// The edge after a passage along `step` over all edges that the point sees.
    fn last_seen(&self, start: usize, point: Vec2<f64>, step: impl Fn(&Corner) -> usize) -> usize {
        let mut edge = start;
        for _ in 0..self.count {
            let following = step(&self.corners[edge]);
            if following == start || !self.sees(following, point) {
                break;
            }
            edge = following;
        }
        edge
    }
}

impl Hull<Vec2<f64>> for Polygon {
    const EMPTY: Self = Polygon { corners: [NO_CORNER; MAX_VERTICES], count: 0 };

    fn start(&mut self, vertices: &[Vertex<Vec2<f64>>]) -> bool {
        let &[a, b, c] = vertices else { return false };
        let area = orient2(a.difference, b.difference, c.difference);
        if area == 0.0 || area.is_nan() {
            return false;
        }
        let ring = if 0.0 < area { [a, b, c] } else { [a, c, b] };
        for (index, vertex) in ring.into_iter().enumerate() {
            self.corners[index] =
                Corner { vertex, next: (index + 1) % 3, previous: (index + 2) % 3, ..NO_CORNER };
        }
        self.count = 3;
        for index in 0..3 {
            self.update_edge(index);
        }
        true
    }

    fn nearest(&self) -> Option<Facet<Vec2<f64>>> {
        let mut best: Option<(usize, f64)> = None;
        for (index, corner) in self.corners[..self.count].iter().enumerate() {
            if corner.state == State::Open && best.is_none_or(|(_, lower)| corner.lower < lower) {
                best = Some((index, corner.lower));
            }
        }
        best.map(|(index, lower)| {
            let corner = &self.corners[index];
            Facet { index, normal: corner.normal, length: corner.length, lower }
        })
    }

    fn corners(&self, index: usize) -> [Vertex<Vec2<f64>>; 3] {
        let corner = &self.corners[index];
        [corner.vertex, self.corners[corner.next].vertex, Vertex::ZERO]
    }

    fn surface(&self) -> impl Iterator<Item = (usize, f64)> {
        let corners = self.corners[..self.count].iter().enumerate();
        corners.filter(|(_, corner)| corner.state != State::Free).map(|(index, corner)| (index, corner.lower))
    }

    fn raise(&mut self, index: usize, lower: f64) {
        self.corners[index].lower = lower;
    }

    fn settle(&mut self, index: usize) {
        self.corners[index].state = State::Settled;
    }

    fn expand(&mut self, index: usize, vertex: Vertex<Vec2<f64>>) -> Growth {
        let point = vertex.difference;
        if !self.sees(index, point) {
            return Growth::Blocked;
        }
        if self.count == MAX_VERTICES {
            return Growth::Full;
        }
        let first = self.last_seen(index, point, |corner| corner.previous);
        let last = self.last_seen(index, point, |corner| corner.next);
        let end = self.corners[last].next;
        // Everything strictly between the two ends disappears behind the new corner.
        let mut hidden = self.corners[first].next;
        for _ in 0..self.count {
            if hidden == end {
                break;
            }
            self.corners[hidden].state = State::Free;
            hidden = self.corners[hidden].next;
        }
        let new = self.count;
        self.count += 1;
        self.corners[new].vertex = vertex;
        (self.corners[new].previous, self.corners[new].next) = (first, end);
        self.corners[first].next = new;
        self.corners[end].previous = new;
        self.update_edge(first);
        self.update_edge(new);
        Growth::Grown
    }
}

/// The least of some numbers.
pub(super) fn least<const N: usize>(numbers: [f64; N]) -> f64 {
    numbers.into_iter().fold(f64::INFINITY, |least, x| if x < least { x } else { least })
}
