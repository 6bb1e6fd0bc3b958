//! The part of a line that lies in a convex shape, and what a ray makes of it.

use crate::manifold::feature::{Kind, number};
use carom_math::{Number, Vector};

/// A point where a line passes the surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Passage<V> {
    /// The parameter on the line.
    pub(crate) t: f64,
    /// An outward normal of any length; the zero vector where there is none to prefer.
    pub(crate) normal: V,
    /// Which face, edge or vertex of the shape, as contact points number them; 0 for a round surface.
    pub(crate) feature: u32,
}

impl<V> Passage<V> {
    /// Through a surface without features.
    #[inline(always)]
    pub(crate) fn new(t: f64, normal: V) -> Self {
        Passage { t, normal, feature: 0 }
    }

    /// The same passage, through a feature of the shape.
    #[inline(always)]
    pub(crate) fn on(self, kind: Kind, index: usize) -> Self {
        Passage { feature: number(kind, index), ..self }
    }

    /// The passage through a segment or capsule that is an edge of something larger; see [`Span::as_edge`].
    pub(crate) fn named_edge(self, edge: usize, ends: [usize; 2]) -> Self {
        match self.feature {
            name if name == number(Kind::Vertex, 0) => self.on(Kind::Vertex, ends[0]),
            name if name == number(Kind::Vertex, 1) => self.on(Kind::Vertex, ends[1]),
            _ => self.on(Kind::Edge, edge),
        }
    }
}

/// The parameters between `enter` and `exit`: where a line runs inside a convex shape. The line is
/// followed in both directions, so the parameters may be negative or infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span<V> {
    /// Where the line comes in.
    pub(crate) enter: Passage<V>,
    /// Where it goes out; not before `enter`.
    pub(crate) exit: Passage<V>,
}

impl<V: Vector<Scalar = f64>> Span<V> {
    /// From the passages in and out; a span that rounding has turned around is closed to a point.
    pub(crate) fn new(enter: Passage<V>, exit: Passage<V>) -> Self {
        Span { enter, exit: if exit.t < enter.t { Passage { t: enter.t, ..exit } } else { exit } }
    }

    /// The smallest span that holds two. A convex shape that is put together from parts has the hull
    /// of their spans as its own. The first wins ties.
    pub(crate) fn hull(first: Option<Self>, second: Option<Self>) -> Option<Self> {
        match (first, second) {
            (Some(a), Some(b)) => Some(Span {
                enter: if b.enter.t < a.enter.t { b.enter } else { a.enter },
                exit: if a.exit.t < b.exit.t { b.exit } else { a.exit },
            }),
            (found, None) | (None, found) => found,
        }
    }

    /// The span of a segment or capsule that is an edge of something larger, under the names that the
    /// edge and its ends have there.
    pub(crate) fn named_edge(self, edge: usize, ends: [usize; 2]) -> Self {
        Span { enter: self.enter.named_edge(edge, ends), exit: self.exit.named_edge(edge, ends) }
    }

    /// What a ray along the line hits first.
    ///
    /// `solid`: a ray that starts inside hits at once, at t = 0, with the normal of the surface when
    /// it starts exactly there and the zero vector otherwise. Not solid: it hits where it leaves.
    pub(crate) fn first_hit(self, solid: bool) -> Option<Passage<V>> {
        let Span { enter, exit } = self;
        if exit.t < 0.0 {
            None
        } else if 0.0 < enter.t {
            Some(enter)
        } else if enter.t == 0.0 {
            Some(Passage { t: 0.0, ..enter })
        } else if exit.t == 0.0 {
            Some(Passage { t: 0.0, ..exit })
        } else if solid {
            Some(Passage::new(0.0, V::ZERO))
        } else {
            exit.t.is_finite().then_some(exit)
        }
    }
}

/// ±|t| with the sign of numerator/denominator, which may be known better than t itself: 0 only for a
/// numerator of 0.
pub(crate) fn with_sign(t: f64, numerator: f64, denominator: f64) -> f64 {
    let size = t.abs().max_of(f64::MIN_POSITIVE);
    if numerator == 0.0 {
        0.0
    } else if (numerator < 0.0) == (denominator < 0.0) {
        size
    } else {
        -size
    }
}

/// The largest lower and the smallest upper end of many slabs low <= t·speed <= high: a box seen by a
/// line, or two boxes seen along their separating axes.
///
/// Every end is a difference and a quotient, each correctly rounded. Rounding is monotone, so with
/// coordinates whose differences are exact no span that exists is ever lost; when the ends are
/// within their rounding errors of each other, the quotients are compared exactly instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slabs<const N: usize> {
    slabs: [Slab; N],
    count: usize,
}

/// low − position <= t·speed <= high − position
#[derive(Clone, Copy, Debug, Default)]
struct Slab {
    low: f64,
    high: f64,
    position: f64,
    speed: f64,
    axis: usize,
}

/// Where the slabs begin and end, and which of them decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SlabSpan {
    pub(crate) enter: f64,
    pub(crate) exit: f64,
    /// The axis that is entered last.
    pub(crate) enter_axis: usize,
    /// The axis that is left first.
    pub(crate) exit_axis: usize,
}

impl<const N: usize> Slabs<N> {
    pub(crate) fn new() -> Self {
        Slabs { slabs: [Slab::default(); N], count: 0 }
    }

    /// Adds the slab low <= position + t·speed <= high; false when the line runs parallel to it
    /// outside, so that there is no span.
    pub(crate) fn add(&mut self, axis: usize, [low, high]: [f64; 2], position: f64, speed: f64) -> bool {
        if speed == 0.0 {
            return low <= position && position <= high;
        }
        if let Some(free) = self.slabs.get_mut(self.count) {
            *free = Slab { low, high, position, speed, axis };
            self.count += 1;
        }
        true
    }

    /// The common span of all slabs; unbounded when none was added. The lower axis wins ties.
    pub(crate) fn span(&self) -> Option<SlabSpan> {
        let slabs = self.slabs.get(..self.count)?;
        let mut span =
            SlabSpan { enter: f64::NEG_INFINITY, exit: f64::INFINITY, enter_axis: 0, exit_axis: 0 };
        for slab in slabs {
            let [near, far] = slab.faces().map(|face| (face - slab.position) / slab.speed);
            if span.enter < near {
                (span.enter, span.enter_axis) = (near, slab.axis);
            }
            if far < span.exit {
                (span.exit, span.exit_axis) = (far, slab.axis);
            }
        }
        // Each end errs by at most ε of itself: one rounding of the difference, one of the quotient.
        let doubt = 4.0 * f64::EPSILON * span.enter.abs().max_of(span.exit.abs());
        if span.exit < span.enter - doubt {
            return None;
        }
        if span.enter + doubt < span.exit || slabs.is_empty() {
            return Some(span);
        }
        for first in slabs {
            if !slabs.iter().all(|second| first.enters_before_exit_of(second)) {
                return None;
            }
        }
        span.exit = span.exit.max_of(span.enter);
        Some(span)
    }
}

impl Slab {
    /// The face where the line comes in, and the one where it goes out.
    fn faces(&self) -> [f64; 2] {
        if self.speed < 0.0 { [self.high, self.low] } else { [self.low, self.high] }
    }

    /// n₁/s₁ <= n₂/s₂ with n the distances to the faces, as n₁·s₂ <= n₂·s₁ or its converse.
    fn enters_before_exit_of(&self, other: &Slab) -> bool {
        use super::precision::Precision;
        use carom_math::double::Double;
        let near = Double::difference(self.faces()[0], self.position) * Double::exact(other.speed);
        let far = Double::difference(other.faces()[1], other.position) * Double::exact(self.speed);
        if (self.speed < 0.0) == (other.speed < 0.0) {
            near.less_or_equal(far)
        } else {
            far.less_or_equal(near)
        }
    }
}
