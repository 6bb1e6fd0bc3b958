//! Which normals a part of a surface may have, so that nothing trips over internal edges.
//!
//! Take a flat floor made of triangles and a box that slides over it. Triangle by triangle, the shortest way
//! out of a triangle that the box barely reaches points sideways: along the floor, against the motion. The
//! floor as a whole has no such normal. A normal n at a point of a part belongs to the surface only if points
//! along n are nearer to that part than to its neighbours, which is the Voronoi region of the feature:
//!
//! * within the part, the normal of the part;
//! * at a side shared with a neighbour that folds away, the arc between both normals: n·m₁ >= 0 and n·m₂ >= 0,
//!   where mᵢ points out of part i across the side;
//! * at a side shared with a neighbour that is level or folds towards the normal, nothing but the normal;
//! * at a side without neighbour, everything beyond the side.
//!
//! At a corner both of its sides must agree. A normal that the part may not have is replaced by that of the
//! part, and the contact by what lies over the part; where nothing does, it is a contact of other parts.
//!
//! The decisions are about directions and so have no scale: [`SLANT`] is a sine.

use carom_math::Vector;
use core::cmp::Ordering;

/// Directions whose sine is below this are the same: 2⁻²⁰, more than the kernels for curved shapes err.
pub(crate) const SLANT: f64 = 1.0 / (1 << 20) as f64;

/// A part of a surface, in the frame of its shape: a triangle in space, a segment in the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet<V> {
    /// A unit normal; for a solid, the outward one.
    pub(crate) normal: V,
    /// Whether only the side of the normal counts.
    pub(crate) is_solid: bool,
    pub(crate) borders: [Option<Border<V>>; 3],
}

/// A side of a facet: an edge in space, an end in the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Border<V> {
    /// A point of the side.
    pub(crate) point: V,
    /// The vector in the facet that points out of it across the side, of any length, and that length.
    pub(crate) outward: V,
    pub(crate) length: f64,
    /// The direction of the side, of any length; zero in the plane.
    pub(crate) along: V,
    /// What is on the other side; `None` for nothing, or more than one facet.
    pub(crate) beyond: Option<Fold<V>>,
}

/// The facet across a side: its farthest corner, and whether that lies below the plane of the first facet (less), in
/// it, or above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fold<V> {
    pub(crate) opposite: V,
    pub(crate) height: Ordering,
}

impl<V: Vector<Scalar = f64>> Border<V> {
    /// How far inside of this side a point is.
    #[inline]
    fn inside(&self, point: V) -> f64 {
        self.outward.dot(self.point - point) / self.length
    }

    /// Whether a normal leans over the side, away from the facet across.
    fn leans_beyond(&self, fold: &Fold<V>, normal: V) -> bool {
        let away = self.point - fold.opposite;
        // The vector in the other facet that points out of it: without what is along the side.
        let back = match self.along.dot(self.along) {
            0.0 => away,
            squared => away - self.along * (away.dot(self.along) / squared),
        };
        back.dot(normal) < -SLANT * back.length()
    }
}

impl<V: Vector<Scalar = f64>> Facet<V> {
    /// `None` when the facet may have the normal, at a point of it; the normal to take instead otherwise.
    /// `heights`: the least and the largest coordinate of the other shape along the facet's normal, counted
    /// from the facet. Points this `near` a side are on it.
    pub(crate) fn instead_of(
        &self,
        normal: V,
        point: V,
        separation: f64,
        heights: [f64; 2],
        near: f64,
    ) -> Option<V> {
        // A surface has two sides: that of the normal or, for what is on both, that of its larger part.
        let lean = if separation <= 0.0 { heights[0] + heights[1] } else { self.normal.dot(normal) };
        let is_behind = !self.is_solid && lean < 0.0;
        let face = if is_behind { -self.normal } else { self.normal };
        if (normal - face).max_abs() <= SLANT {
            return None;
        }
        let folds_away = if is_behind { Ordering::Greater } else { Ordering::Less };
        let mut is_at_a_side = false;
        for border in self.borders.iter().flatten() {
            if near < border.inside(point) || border.outward.dot(normal) <= SLANT * border.length {
                continue;
            }
            if let Some(fold) = &border.beyond
                && (fold.height != folds_away || border.leans_beyond(fold, normal))
            {
                return Some(face);
            }
            is_at_a_side = true;
        }
        let is_outside = 0.0 <= face.dot(normal) || separation > 0.0 || !self.is_solid;
        if is_at_a_side && is_outside { None } else { Some(face) }
    }

    /// Whether a point is over the facet, seen along its normal.
    pub(crate) fn is_below(&self, point: V, near: f64) -> bool {
        self.borders.iter().flatten().all(|border| -near <= border.inside(point))
    }

    /// A point of the facet.
    pub(crate) fn corner(&self) -> V {
        self.borders.iter().flatten().next().map_or(V::ZERO, |border| border.point)
    }
}
