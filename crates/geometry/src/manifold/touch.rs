//! What two shapes of known kinds share, by the shortest way that their kinds allow.

use super::gather::Candidate;
use super::{FeaturePair, MOST};
use carom_math::Vector;

/// The normal and the chosen points of a contact, in the frame of the pair.
#[derive(Clone, Copy)]
pub(crate) struct Points<V> {
    pub(crate) normal: V,
    points: [Candidate<V>; MOST],
    count: usize,
}

impl<V: Vector<Scalar = f64>> Points<V> {
    /// Without points.
    #[inline(always)]
    pub(crate) fn none(normal: V) -> Self {
        let feature = FeaturePair { a: 0, b: 0 };
        Points { normal, points: [Candidate { point: V::ZERO, depth: 0.0, feature }; MOST], count: 0 }
    }
    /// With the first `count` points.
    #[inline(always)]
    pub(crate) fn new(normal: V, (points, count): ([Candidate<V>; MOST], usize)) -> Self {
        Points { normal, points, count }
    }
    /// With one point.
    #[inline(always)]
    pub(crate) fn single(normal: V, point: Candidate<V>) -> Self {
        Points { normal, points: [point; MOST], count: 1 }
    }
    /// Appends a point; one too many is left out.
    #[inline(always)]
    pub(crate) fn push(&mut self, candidate: Candidate<V>) {
        if let Some(place) = self.points.get_mut(self.count) {
            *place = candidate;
            self.count += 1;
        }
    }
    /// Of two points the deeper one first; only one if they are at the same place.
    #[inline(always)]
    pub(crate) fn deepest_first(&mut self) {
        if self.count == 2 {
            let [first, second, ..] = &mut self.points;
            if first.depth < second.depth {
                core::mem::swap(first, second);
            }
            self.count = if first.point == second.point { 1 } else { 2 };
        }
    }
    /// The points, and how many they are.
    #[inline(always)]
    pub(crate) fn parts(self) -> ([Candidate<V>; MOST], usize) {
        (self.points, self.count)
    }
    #[inline(always)]
    pub(crate) fn all(&self) -> &[Candidate<V>] {
        &self.points[..self.count.min(MOST)]
    }
}

/// How two shapes meet.
pub(crate) enum Met<V> {
    /// They are farther apart than the margin.
    Apart,
    /// The points of their contact do not face each other, so it takes more than their kinds to say.
    Aside,
    /// They touch here.
    Here(Points<V>),
    /// They touch in one point, with this normal.
    Point(V, Candidate<V>),
}
