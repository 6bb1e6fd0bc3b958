//! Boxes as solids: everything about them is known without looking it up.
//!
//! Side 2i faces +axis i, side 2i + 1 faces −axis i.

use super::nearby::name_by_sizes;
use super::{Edge, Edges, Faces, NO_EDGES, NO_FACES, Name, Outer, Rim, RimBlock, Solid};
use crate::gjk::{Block, Support};
use carom_math::{Level, Number, Vec2, Vector};

/// √2, rounded up: the factor by which the chord between perpendicular unit vectors falls short of them.
pub(super) const RIGHT_ANGLE: f64 = 1.414_213_562_373_096;

impl<V: Vector<Scalar = f64>> Block<V> {
    /// The outward normal of a side.
    #[inline]
    fn normal(index: usize) -> V {
        V::unit(index / 2) * sign(index)
    }

    /// How far a point is below a side.
    #[inline]
    fn below(&self, side: usize, point: V) -> f64 {
        self.0.get(side / 2) - point.get(side / 2) * sign(side)
    }

    /// The sides that meet at an edge: four edges run along each axis i, between sides of i + 1 and i + 2.
    #[inline]
    fn sides_of_edge(number: usize) -> [usize; 2] {
        let (axis, signs) = (number / 4, number % 4);
        [2 * ((axis + 1) % 3) + (signs & 1), 2 * ((axis + 2) % 3) + (signs >> 1)]
    }
}

#[inline]
fn sign(side: usize) -> f64 {
    if side & 1 == 0 { 1.0 } else { -1.0 }
}

impl<V: Vector<Scalar = f64>> Solid<V> for Block<V> {
    #[inline]
    fn inner_radius(&self) -> f64 {
        (0..V::DIM).fold(f64::INFINITY, |least, axis| self.0.get(axis).min_of(least))
    }
    #[inline]
    fn outer_radius(&self) -> f64 {
        Support::size(self) * (1.0 + 4.0 * f64::EPSILON)
    }
    fn has_faces(&self) -> bool {
        true
    }
    #[inline]
    fn nearest_face(&self, from_center: V) -> usize {
        let mut best = (f64::INFINITY, 0);
        for side in 0..2 * V::DIM {
            let below = self.below(side, from_center);
            if below < best.0 {
                best = (below, side);
            }
        }
        best.1
    }
    #[inline]
    fn faces_near(&self, outer: &Outer<V>) -> Faces {
        let mut found = NO_FACES;
        for side in 0..2 * V::DIM {
            found[0] |= u64::from(outer.admits_face(|p| self.below(side, p))) << side;
        }
        found
    }
    #[inline]
    fn face(&self, index: usize) -> (V, V) {
        (Self::normal(index), self.0.with(index / 2, self.0.get(index / 2) * sign(index)))
    }
    #[inline]
    fn plane(&self, index: usize) -> (V, V) {
        self.face(index)
    }
    #[inline]
    fn room_on_face(&self, index: usize, point: V) -> f64 {
        self.room_on(index, point)
    }
    #[inline]
    fn middle_of_face(&self, index: usize) -> V {
        Self::normal(index) * self.0.get(index / 2)
    }
    fn level(&self) -> Level {
        Level::new()
    }
    #[inline]
    fn edges_near(&self, outer: &Outer<V>) -> Edges {
        let mut found = NO_EDGES;
        if V::DIM == 3 {
            // Each point is compared with the six sides once, not with those of each edge.
            found[0] = outer.arcs_admitted(RIGHT_ANGLE, |p| {
                let below = std::array::from_fn::<f64, 6, _>(|side| self.below(side, p));
                std::array::from_fn::<f64, 12, _>(|number| {
                    let [left, right] = Self::sides_of_edge(number);
                    below[left].min_of(below[right])
                })
            });
        }
        found
    }
    #[inline]
    fn edge(&self, number: usize) -> Option<Edge<V>> {
        if V::DIM != 3 || 12 <= number {
            return None;
        }
        let axis = number / 4;
        let [side_j, side_k] = Self::sides_of_edge(number);
        // left × right = ±(j × k), and j × k is the axis.
        let turn = sign(side_j) * sign(side_k);
        let half = V::unit(axis) * (turn * self.0.get(axis));
        let (left, right) = (Self::normal(side_j), Self::normal(side_k));
        let middle = left * self.0.get(side_j / 2) + right * self.0.get(side_k / 2);
        Some(Edge { number: number as u32, from: middle - half, along: half + half, left, right })
    }
    fn face_count(&self) -> usize {
        2 * V::DIM
    }
    fn edge_count(&self) -> usize {
        if V::DIM == 3 { 12 } else { 0 }
    }
    #[inline]
    fn vertex(&self, number: u32) -> V {
        V::from_fn(|axis| if number >> axis & 1 == 1 { -self.0.get(axis) } else { self.0.get(axis) })
    }
    #[inline]
    fn name(&self) -> Option<Name> {
        let size = |axis: usize| if axis < V::DIM { self.0.get(axis) } else { 0.0 };
        Some(name_by_sizes([size(0), size(1), size(2)]))
    }
    const IS_BOX: bool = true;
    #[inline]
    fn distance_squared_from(&self, point: V) -> Option<f64> {
        let beyond = V::from_fn(|axis| (point.get(axis).abs() - self.0.get(axis)).max_of(0.0));
        Some(beyond.dot(beyond))
    }
    #[inline]
    fn rim<'r>(&'r self, room: &'r mut Option<RimBlock>) -> Option<Rim<'r>> {
        (V::DIM == 2).then(|| Rim::of_box(Vec2::new(self.0.get(0), self.0.get(1)), room))
    }
    #[inline]
    fn ends(&self, face: usize) -> [u32; 2] {
        let (axis, is_negative) = (face / 2, (face & 1) as u32);
        let corner = is_negative << axis;
        [corner, corner | 1 << (1 - axis.min(1))]
    }
}
