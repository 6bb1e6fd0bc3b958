//! What a core is: a point, a segment, a triangle or a box, by its corners.

use crate::pair::nearest::Foot;
use crate::pair::place::{Relative, Turn};
use crate::scale;
use carom_math::{Number, Real, Vector};

/// Corners at most: those of a box in space.
pub(crate) const CORNERS: usize = 8;

/// A point, a segment, a triangle or a box, in the frame of the pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Core<V> {
    pub(super) corners: [V; CORNERS],
    pub(super) count: usize,
    pub(crate) form: Form<V>,
}

/// What the corners span.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form<V> {
    /// One corner.
    Point,
    /// Two different corners.
    Segment,
    /// Three corners, not all equal. The normal is (b − a) × (c − a) in space, (area, 0) in the plane;
    /// zero when they lie on one line.
    Triangle { normal: V },
    /// 2 or 2³ corners; bit i of the index chooses the side along axis i.
    Box(PlacedBox<V>),
}

/// A box somewhere: c + Σ λᵢ·axisᵢ with |λᵢ| <= halfᵢ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedBox<V> {
    pub(crate) center: V,
    pub(crate) axes: [V; 3],
    pub(crate) half: V,
}

/// Which corners take part: bit i for corner i.
pub(crate) type Corners = u32;
/// All of them.
pub(crate) const ALL: Corners = u32::MAX;

impl<V: Vector<Scalar = f64>> Core<V> {
    /// A segment, or a point when both ends are equal.
    pub(crate) fn segment(a: V, b: V) -> Self {
        let mut corners = [a; CORNERS];
        corners[1] = b;
        if a == b {
            Core { corners, count: 1, form: Form::Point }
        } else {
            Core { corners, count: 2, form: Form::Segment }
        }
    }

    /// A triangle with the given normal, or less when all corners are equal.
    pub(crate) fn triangle([a, b, c]: [V; 3], normal: V) -> Self {
        if a == b && b == c {
            return Self::segment(a, b);
        }
        let mut corners = [a; CORNERS];
        (corners[1], corners[2]) = (b, c);
        Core { corners, count: 3, form: Form::Triangle { normal } }
    }

    /// A box about the origin of the frame that `place` puts into the frame of the pair.
    pub(crate) fn cuboid<M: Turn<V>>(half: V, place: &Relative<V, M>) -> Self {
        let axes = [0, 1, 2].map(|axis| place.rotation.column(axis));
        let center = place.translation;
        let mut corners = [center; CORNERS];
        for (index, corner) in corners.iter_mut().enumerate().take(1 << V::DIM) {
            for (axis, direction) in axes.into_iter().enumerate().take(V::DIM) {
                let reach = half.get(axis);
                *corner += direction * if index >> axis & 1 == 1 { reach } else { -reach };
            }
        }
        Core { corners, count: 1 << V::DIM, form: Form::Box(PlacedBox { center, axes, half }) }
    }

    /// The corners.
    #[inline(always)]
    pub(crate) fn corners(&self) -> &[V] {
        &self.corners[..self.count]
    }

    /// Pairs of indices of corners that an edge connects.
    pub(crate) fn edges(&self) -> &'static [[usize; 2]] {
        match self.form {
            Form::Point => &[],
            Form::Segment => &[[0, 1]],
            Form::Triangle { .. } => &[[0, 1], [1, 2], [2, 0]],
            Form::Box(_) if V::DIM == 2 => &[[0, 1], [1, 3], [3, 2], [2, 0]],
            Form::Box(_) => &[
                [0, 1],
                [2, 3],
                [4, 5],
                [6, 7],
                [0, 2],
                [1, 3],
                [4, 6],
                [5, 7],
                [0, 4],
                [1, 5],
                [2, 6],
                [3, 7],
            ],
        }
    }

    /// The directions of the edges, each once, not of unit length.
    #[inline]
    pub(crate) fn directions(&self) -> ([V; 3], usize) {
        let [a, b, c, ..] = self.corners;
        match self.form {
            Form::Point => ([V::ZERO; 3], 0),
            Form::Segment => ([b - a, V::ZERO, V::ZERO], 1),
            Form::Triangle { .. } => ([b - a, c - b, a - c], 3),
            Form::Box(placed) => (placed.axes, V::DIM),
        }
    }

    /// The longest edge of a triangle, the only edge of a segment; the first of equals. Brought near to 1 where squares
    /// would vanish: beside what is far away edges may be as short as that, and the first may be none at all.
    pub(crate) fn longest_edge(&self) -> V {
        let (directions, count) = self.directions();
        let size = scale::largest(directions.map(Vector::max_abs));
        let directions = scale::rescaling(size).map_or(directions, |factor| directions.map(|d| d * factor));
        let mut longest = directions[0];
        for direction in directions.into_iter().take(count).skip(1) {
            if longest.length_squared() < direction.length_squared() {
                longest = direction;
            }
        }
        longest
    }

    /// Smallest and largest n·p over the corners: of a box by its axes.
    #[inline]
    pub(crate) fn extent_along(&self, n: V) -> [f64; 2] {
        if let Form::Box(placed) = &self.form {
            let (middle, reach) = (n.dot(placed.center), placed.reach_along(n));
            return [middle - reach, middle + reach];
        }
        let first = n.dot(self.corners[0]);
        let (mut low, mut high) = (first, first);
        for corner in &self.corners()[1..] {
            let along = n.dot(*corner);
            low = along.min_of(low);
            high = along.max_of(high);
        }
        [low, high]
    }

    /// The corner that is highest along n, the first of equals.
    #[inline]
    pub(super) fn highest(&self, n: V) -> V {
        let mut highest = (n.dot(self.corners[0]), self.corners[0]);
        for corner in &self.corners()[1..] {
            let height = n.dot(*corner);
            if highest.0 < height {
                highest = (height, *corner);
            }
        }
        highest.1
    }

    /// The same, moved.
    pub(super) fn moved(mut self, by: V) -> Self {
        for corner in &mut self.corners {
            *corner += by;
        }
        if let Form::Box(placed) = &mut self.form {
            placed.center += by;
        }
        self
    }
}

impl<V: Vector<Scalar = f64>> PlacedBox<V> {
    /// How far the box reaches from its centre along n, times the length of n.
    #[inline]
    fn reach_along(&self, n: V) -> f64 {
        let along = |axis: usize| n.dot(self.axes[axis]).abs() * self.half.get(axis);
        let plane = along(0) + along(1);
        if V::DIM == 2 { plane } else { plane + along(2) }
    }

    /// The foot of `p` on the solid box: `p` itself inside.
    #[inline]
    pub(crate) fn foot(&self, p: V) -> Foot<V> {
        let from_center = p - self.center;
        let mut point = self.center;
        let mut beyond = V::ZERO;
        let mut offset = V::ZERO;
        for (axis, direction) in self.axes.into_iter().enumerate().take(V::DIM) {
            let (along, reach) = (direction.dot(from_center), self.half.get(axis));
            let clamped = along.clamp_to(-reach, reach);
            point += direction * clamped;
            beyond = beyond.with(axis, along - clamped);
            offset += direction * (along - clamped);
        }
        if beyond == V::ZERO {
            return Foot { point: p, offset: V::ZERO, distance: 0.0 };
        }
        Foot { point, offset, distance: Vector::length(beyond) }
    }
}
