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

    /// The vector in the facet across that points out of it, of any length: without what is along the side.
    fn back(&self, fold: &Fold<V>) -> V {
        let away = self.point - fold.opposite;
        match self.along.dot(self.along) {
            0.0 => away,
            squared => away - self.along * (away.dot(self.along) / squared),
        }
    }

    /// Whether a normal leans over the side, away from the facet across.
    fn leans_beyond(&self, fold: &Fold<V>, normal: V) -> bool {
        let back = self.back(fold);
        back.dot(normal) < -SLANT * back.length()
    }
}

impl<V: Vector<Scalar = f64>> Facet<V> {
    /// `None` when the facet may have the normal, at a point of it; the normal to take instead otherwise.
    /// `middle`: a point amid the other shape. Points this `near` a side are on it.
    pub(crate) fn instead_of(&self, normal: V, point: V, separation: f64, middle: V, near: f64) -> Option<V> {
        // A surface has two sides: that of the normal or, for what is on both, that of its middle.
        let is_behind = !self.is_solid
            && !if separation <= 0.0 {
                self.is_before(|border| middle - border.point, |_| true)
            } else {
                self.is_before(|_| normal, |border| border.inside(point) <= near)
            };
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

    /// Whether something is on the side of the normal: `seen` from a side of the facet it is in that direction.
    /// Asks the facet or, where the direction leads across a side that `counts`, the wedge of both facets there.
    ///
    /// The plane of the facet alone would not do. At a ridge it runs high above the facet beyond, and what lies on
    /// that one is behind the plane, though before the surface.
    fn is_before(&self, seen: impl Fn(&Border<V>) -> V, counts: impl Fn(&Border<V>) -> bool) -> bool {
        let mut farthest: Option<(f64, &Border<V>)> = None;
        for border in self.borders.iter().flatten().filter(|border| counts(border)) {
            let beyond = border.outward.dot(seen(border)) / border.length;
            if 0.0 < beyond && farthest.is_none_or(|(most, _)| most < beyond) {
                farthest = Some((beyond, border));
            }
        }
        let Some((_, border)) = farthest else {
            // From any of the sides.
            return self
                .borders
                .iter()
                .flatten()
                .next()
                .is_none_or(|border| 0.0 <= self.normal.dot(seen(border)));
        };
        let seen = seen(border);
        let is_above = 0.0 <= self.normal.dot(seen);
        let Some(fold) = &border.beyond else { return is_above };
        let back = border.back(fold);
        // Across the side, x along `outward` and y along the normal: the facet beyond runs along −back = (x, y), and
        // its normal is (−y, x). Lengths are positive factors of both terms.
        let (x, y) = (-back.dot(border.outward), -back.dot(self.normal));
        let is_above_other = 0.0 <= x * self.normal.dot(seen) - y * border.outward.dot(seen);
        match fold.height {
            Ordering::Less => is_above || is_above_other,
            Ordering::Equal => is_above,
            Ordering::Greater => is_above && is_above_other,
        }
    }

    /// Whether a point is over the facet, seen along its normal.
    pub(crate) fn is_below(&self, point: V, near: f64) -> bool {
        self.borders.iter().flatten().all(|border| -near <= border.inside(point))
    }
}
