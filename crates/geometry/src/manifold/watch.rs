//! Watching a manifold being made, for pictures and explanations.

use carom_math::Vector;

/// Is told the steps from two features to contact points, in order. Every method does nothing by default,
/// and `()` is the watcher that costs nothing.
///
/// Points are in the world frame, at the caller's scale. Pairs whose features need no clipping (balls, ends,
/// crossing edges, ellipsoids) only have the last step.
pub(crate) trait Watch<V: Vector> {
    /// Whether there is anybody to be told.
    const LISTENS: bool = true;
    /// Two features face each other: the corners of the reference face, around it, and those of the incident
    /// feature, which is going to be clipped. A disc shows four points of its rim; a half-space one point.
    fn faces(&mut self, reference: impl Iterator<Item = V>, incident: impl Iterator<Item = V>) {
        let _ = (reference, incident);
    }
    /// What one side of the reference, from its corner `from` on, left of the incident feature.
    fn clipped(&mut self, from: V, polygon: impl Iterator<Item = V>) {
        let _ = (from, polygon);
    }
    /// All contact points that were found, before the choice.
    fn gathered(&mut self, points: impl Iterator<Item = V>) {
        let _ = points;
    }
    /// The contact points that were chosen.
    fn reduced(&mut self, points: impl Iterator<Item = V>) {
        let _ = points;
    }
}

impl<V: Vector> Watch<V> for () {
    const LISTENS: bool = false;
}

/// Shows a watcher in the world what happens in another frame.
pub(crate) struct Shown<'a, W, F> {
    pub(crate) watcher: &'a mut W,
    /// From the frame of the pair to the world.
    pub(crate) to_world: F,
}

impl<V: Vector, W: Watch<V>, F: Fn(V) -> V> Watch<V> for Shown<'_, W, F> {
    const LISTENS: bool = W::LISTENS;
    #[inline(always)]
    fn faces(&mut self, reference: impl Iterator<Item = V>, incident: impl Iterator<Item = V>) {
        self.watcher.faces(reference.map(&self.to_world), incident.map(&self.to_world));
    }
    #[inline(always)]
    fn clipped(&mut self, from: V, polygon: impl Iterator<Item = V>) {
        self.watcher.clipped((self.to_world)(from), polygon.map(&self.to_world));
    }
    #[inline(always)]
    fn gathered(&mut self, points: impl Iterator<Item = V>) {
        self.watcher.gathered(points.map(&self.to_world));
    }
    #[inline(always)]
    fn reduced(&mut self, points: impl Iterator<Item = V>) {
        self.watcher.reduced(points.map(&self.to_world));
    }
}
