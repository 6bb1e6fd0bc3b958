//! Boxes as solids: everything about them is known without looking it up.
//!
//! Side 2i faces +axis i, side 2i + 1 faces −axis i.

use super::{Edge, Faces, Solid, has};
use crate::gjk::{Block, Support};
use carom_math::{Level, Number, Vector};

/// √2, rounded up: the factor by which the chord between perpendicular unit vectors falls short of them.
const RIGHT_ANGLE: f64 = 1.414_213_562_373_096;

impl<V: Vector<Scalar = f64>> Block<V> {
    /// The outward normal of a side.
    #[inline]
    fn normal(index: usize) -> V {
        V::unit(index / 2) * sign(index)
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
            let below = self.0.get(side / 2) - from_center.get(side / 2) * sign(side);
            if below < best.0 {
                best = (below, side);
            }
        }
        best.1
    }
    #[inline]
    fn faces_below(&self, from_center: V, limit: f64, stretched: bool) -> Faces {
        let mut found = [0; super::MAX_FACES / 64];
        for side in 0..2 * V::DIM {
            let below = self.0.get(side / 2) - from_center.get(side / 2) * sign(side);
            let depth = if stretched && below < 0.0 { below * RIGHT_ANGLE } else { below };
            found[0] |= u64::from(depth < limit) << side;
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
    fn is_on_face(&self, index: usize, point: V, tolerance: f64) -> bool {
        (0..V::DIM)
            .filter(|&axis| axis != index / 2)
            .all(|axis| point.get(axis).abs() <= self.0.get(axis) + tolerance)
    }
    fn level(&self) -> Level {
        Level::new()
    }
    #[inline]
    fn visit_edges(&self, faces: &Faces, visit: &mut impl FnMut(Edge<V>)) {
        if V::DIM != 3 {
            return;
        }
        for axis in 0..3 {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            for signs in 0..4 {
                let (side_j, side_k) = (2 * j + (signs & 1), 2 * k + (signs >> 1));
                if !has(faces, side_j) && !has(faces, side_k) {
                    continue;
                }
                // left × right = ±(j × k), and j × k is the axis.
                let turn = sign(side_j) * sign(side_k);
                let half = V::unit(axis) * (turn * self.0.get(axis));
                let (left, right) = (Self::normal(side_j), Self::normal(side_k));
                let middle = left * self.0.get(j) + right * self.0.get(k);
                visit(Edge { from: middle - half, along: half + half, left, right });
            }
        }
    }
}
