//! Simplices of the set of differences: one to four of its points, and the blend of them that is
//! nearest to the origin.
//!
//! The nearest point of an edge is a clamped projection. That of a triangle in space is the foot of
//! the perpendicular if it lies inside, else the best of the edges. That of a full simplex is the
//! origin if exact orientations say so, else the best of the sides that face the origin. Where
//! rounding could prefer the wrong side, all are evaluated and the smallest wins, so the result never
//! depends on region tests that disagree with each other.

use super::space::Space;
use carom_math::Vector;

/// A point of the set of differences, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vertex<V> {
    /// point_a − point_b.
    pub(crate) difference: V,
    pub(crate) point_a: V,
    pub(crate) point_b: V,
    /// The number of the vertex of the first shape, as its [`Support`](super::Support) gives it.
    pub(crate) feature_a: u32,
    /// The number of the vertex of the second shape.
    pub(crate) feature_b: u32,
    /// The direction in which the point is the farthest.
    pub(crate) direction: V,
}

impl<V: Vector<Scalar = f64>> Vertex<V> {
    pub(super) const ZERO: Self = Vertex {
        difference: V::ZERO,
        point_a: V::ZERO,
        point_b: V::ZERO,
        feature_a: 0,
        feature_b: 0,
        direction: V::ZERO,
    };

    /// The difference of two points, each with its number, that are farthest in a direction and against it.
    pub(crate) fn between(
        (point_a, feature_a): (V, u32),
        (point_b, feature_b): (V, u32),
        direction: V,
    ) -> Self {
        Vertex { difference: point_a - point_b, point_a, point_b, feature_a, feature_b, direction }
    }
}

/// Up to four vertices with the weights of the blend that is nearest to the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Simplex<V> {
    vertices: [Vertex<V>; 4],
    weights: [f64; 4],
    count: usize,
}

impl<V: Space> Simplex<V> {
    pub(crate) const EMPTY: Self = Simplex { vertices: [Vertex::ZERO; 4], weights: [0.0; 4], count: 0 };

    /// The vertices in use.
    pub(crate) fn vertices(&self) -> &[Vertex<V>] {
        &self.vertices[..self.count]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn contains_vertex(&self, difference: V) -> bool {
        self.vertices().iter().any(|vertex| vertex.difference == difference)
    }

    /// Adds a vertex; more than the dimension allows are passed over.
    pub(super) fn push(&mut self, vertex: Vertex<V>) {
        if self.count <= V::DIM {
            self.vertices[self.count] = vertex;
            self.count += 1;
        }
    }

    /// Reduces the simplex to the vertices that carry its nearest point, and returns that point. It is
    /// exactly zero when the simplex contains the origin; a full one is then kept whole.
    pub(super) fn reduce(&mut self) -> V {
        if self.count == 0 {
            return V::ZERO;
        }
        let nearest = self.nearest(self.count, false);
        self.count -= 1;
        self.reduce_to(&nearest);
        nearest.point
    }

    /// The nearest point of the simplex with one vertex more. The simplex stays as it is until
    /// [`reduce_to`](Self::reduce_to) takes the vertex in.
    ///
    /// A vertex that was added because it lies beyond the nearest point so far takes part in the new
    /// one. The gain can be smaller than rounding, and a comparison would then drop the vertex and
    /// stand still for ever; so what does not contain it is left out.
    #[inline]
    pub(super) fn nearest_with(&mut self, vertex: Vertex<V>) -> Nearest<V> {
        let place = self.count.min(V::DIM);
        self.vertices[place] = vertex;
        self.nearest(place + 1, true)
    }

    /// Takes in the vertex that was offered last, and keeps those that take part in the nearest point.
    #[inline]
    pub(super) fn reduce_to(&mut self, nearest: &Nearest<V>) {
        let offered = self.count.min(V::DIM) + 1;
        if nearest.contains {
            (self.weights, self.count) = (nearest.weights, offered);
            return;
        }
        let mut kept = 0;
        for index in 0..offered {
            if nearest.weights[index] != 0.0 {
                if kept != index {
                    self.vertices[kept] = self.vertices[index];
                }
                self.weights[kept] = nearest.weights[index];
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The nearest point of the first `count` vertices; `keep_last` leaves out what does not contain the last.
    #[inline]
    fn nearest(&self, count: usize, keep_last: bool) -> Nearest<V> {
        let at = |index: usize| self.vertices[index].difference;
        match count {
            0 | 1 => Nearest::corner(at(0), 0),
            2 => nearest_of_edge(at(0), at(1)),
            3 => V::nearest_of_triangle([at(0), at(1), at(2)], keep_last),
            _ => V::nearest_of_tetrahedron([at(0), at(1), at(2), at(3)], keep_last),
        }
    }

    /// The points of both shapes whose difference is the nearest point.
    pub(super) fn witnesses(&self) -> [V; 2] {
        // Blended as differences from the heaviest vertex, which exist without rounding where all
        // vertices agree, and which a division by the sum of the weights keeps inside.
        let used = 0..self.count;
        let mut heaviest = 0;
        for index in used.clone() {
            if self.weights[heaviest] < self.weights[index] {
                heaviest = index;
            }
        }
        let base = self.vertices[heaviest];
        let (mut sum, mut offset_a, mut offset_b) = (0.0, V::ZERO, V::ZERO);
        for index in used {
            let (vertex, weight) = (self.vertices[index], self.weights[index]);
            sum += weight;
            offset_a += (vertex.point_a - base.point_a) * weight;
            offset_b += (vertex.point_b - base.point_b) * weight;
        }
        if sum == 0.0 {
            return [base.point_a, base.point_b];
        }
        [base.point_a + offset_a / sum, base.point_b + offset_b / sum]
    }
}

/// The point of a simplex nearest to the origin, as a blend of its corners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest<V> {
    pub(super) point: V,
    /// Zero for the corners that do not take part.
    pub(super) weights: [f64; 4],
    /// The simplex has an interior, and the origin lies in it or on its boundary.
    pub(super) contains: bool,
}

impl<V: Space> Nearest<V> {
    #[inline]
    pub(super) fn corner(point: V, index: usize) -> Self {
        let mut weights = [0.0; 4];
        weights[index] = 1.0;
        Nearest { point, weights, contains: false }
    }

    /// The origin itself, given its homogeneous coordinates, which all have one sign.
    pub(super) fn containing(coordinates: [f64; 4]) -> Self {
        let sum = coordinates.iter().sum::<f64>();
        Nearest { point: V::ZERO, weights: coordinates.map(|x| x / sum), contains: true }
    }

    /// The same point as a blend of a larger simplex, of which `corners` are the ones used here.
    #[inline]
    pub(super) fn spread<const N: usize>(self, corners: [usize; N]) -> Self {
        let mut weights = [0.0; 4];
        for (corner, weight) in corners.into_iter().zip(self.weights) {
            weights[corner] = weight;
        }
        Nearest { weights, ..self }
    }
}

/// The nearer of two, the first of equals.
#[inline]
pub(super) fn smaller<V: Space>(best: Option<Nearest<V>>, candidate: Nearest<V>) -> Nearest<V> {
    match best {
        Some(best) if best.point.length_squared() <= candidate.point.length_squared() => best,
        _ => candidate,
    }
}

/// The nearest point of the sides of a triangle whose bits are set, side i being the one opposite to
/// corner i.
pub(super) fn nearest_of_edges<V: Space>(corners: [V; 3], mask: u32) -> Nearest<V> {
    let mut best: Option<Nearest<V>> = None;
    for (omitted, [i, j]) in [[1, 2], [0, 2], [0, 1]].into_iter().enumerate() {
        if mask & (1 << omitted) != 0 {
            best = Some(smaller(best, nearest_of_edge(corners[i], corners[j]).spread([i, j])));
        }
    }
    best.unwrap_or(Nearest::corner(corners[0], 0))
}

/// The nearest point of the segment ab.
#[inline]
pub(super) fn nearest_of_edge<V: Space>(a: V, b: V) -> Nearest<V> {
    let along = b - a;
    // The weights of b and of a, times |b − a|²: where the origin projects to, seen from either end.
    let from_a = -a.dot(along);
    let from_b = b.dot(along);
    let (past_a, before_b) = (0.0 < from_a, 0.0 < from_b);
    if !past_a || !before_b {
        return if past_a { Nearest::corner(b, 1) } else { Nearest::corner(a, 0) };
    }
    let sum = from_a + from_b;
    let weights = [from_b / sum, from_a / sum, 0.0, 0.0];
    let mut point = if from_a <= from_b { a + along * weights[1] } else { b - along * weights[0] };
    // The blend errs by ε times its parts. Where it is much shorter than they are, that turns it away
    // from the perpendicular, and the next support point would be sought in a wrong direction.
    if point.length_squared() * 64.0 <= along.length_squared() {
        point = V::foot_on_line(a, b);
    }
    Nearest { point, weights, contains: false }
}
