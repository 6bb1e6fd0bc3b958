//! The watcher that writes steps down, and the way from the frame of a kernel to the world.
//!
//! A kernel sees the shapes in their canonical order, from the first, and maybe multiplied by a power of
//! two. Where the canonical order is b, a, every direction changes its sign and the points change sides.

use super::{AxisSource, Method, Region, Side, Step};
use crate::answer::Separation;
use crate::gjk::{Trace, Vertex};
use crate::manifold::watch::Watch;
use crate::pair::place::Turn;
use carom_math::{Number, Vector};

/// From the frame and scale of a kernel to the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<V, M> {
    pub(crate) turn: M,
    pub(crate) origin: V,
    /// Lengths of the kernel are multiplied by this.
    pub(crate) back: f64,
    /// The first shape of the kernel is b.
    pub(crate) swapped: bool,
}

/// Writes down what happens.
pub(crate) struct Recorder<V: Vector<Scalar = f64>, M> {
    view: View<V, M>,
    steps: Vec<Step<V>>,
    /// The least upper bounds so far, at the scale of the kernel: of the distance, of the depth.
    least_distance: f64,
    least_overlap: f64,
}

impl<V: Vector<Scalar = f64>, M: Turn<V>> Recorder<V, M> {
    pub(crate) fn new(view: View<V, M>) -> Self {
        Recorder { view, steps: Vec::new(), least_distance: f64::INFINITY, least_overlap: f64::INFINITY }
    }

    /// All steps, the best axis marked.
    pub(crate) fn finish(mut self, touching: bool) -> Vec<Step<V>> {
        let mut highest = (f64::NEG_INFINITY, None);
        for (index, step) in self.steps.iter().enumerate() {
            if let Step::Axis { separation, .. } = *step
                && highest.0 < separation
            {
                highest = (separation, Some(index));
            }
        }
        if let Some(Step::Axis { best, .. }) = highest.1.and_then(|index| self.steps.get_mut(index)) {
            *best = true;
        }
        self.steps.push(Step::Verdict { touching });
        self.steps
    }

    pub(crate) fn method(&mut self, method: Method, textbook: bool) {
        self.steps.push(Step::Method { method, textbook });
    }

    /// What the first (or second) shape of the kernel is called in the question.
    pub(crate) fn side(&self, is_second: bool) -> Side {
        if self.view.swapped == is_second { Side::A } else { Side::B }
    }

    /// An axis from the first to the second shape of the kernel.
    pub(crate) fn push_axis(&mut self, source: AxisSource, normal: V, separation: f64) {
        let normal = self.direction(normal);
        let separation = separation * self.view.back;
        self.steps.push(Step::Axis { source, normal, separation, best: false });
    }

    /// The nearest points of the first and the second shape of the kernel, with what they lie on.
    pub(crate) fn push_nearest(&mut self, points: [V; 2], regions: [Region; 2], distance: f64) {
        let [point_a, point_b] = self.in_order(points.map(|p| self.point(p)));
        let [region_a, region_b] = self.in_order(regions);
        let distance = distance * self.view.back;
        self.steps.push(Step::Nearest { point_a, point_b, region_a, region_b, distance });
    }

    /// The radii around the cores, unless there are none.
    pub(crate) fn push_radii(&mut self, radii: [f64; 2]) {
        if radii != [0.0, 0.0] {
            let [a, b] = self.in_order(radii.map(|radius| radius * self.view.back));
            self.steps.push(Step::Radii { a, b });
        }
    }

    /// What was found, in the world frame and in the order of the question.
    pub(crate) fn push_separation(&mut self, found: &Separation<V>) {
        self.steps.push(Step::Separation {
            separation: found.separation,
            lower: found.separation - found.error,
            upper: found.separation + found.error,
            normal: found.normal,
            point_a: found.point_a,
            point_b: found.point_b,
        });
    }

    fn point(&self, p: V) -> V {
        self.view.turn.apply(p * self.view.back) + self.view.origin
    }

    fn direction(&self, direction: V) -> V {
        let unit = self.view.turn.apply(direction.normalized().unwrap_or(V::ZERO));
        if self.view.swapped { -unit } else { unit }
    }

    fn in_order<T>(&self, [first, second]: [T; 2]) -> [T; 2] {
        if self.view.swapped { [second, first] } else { [first, second] }
    }

    /// The points of a and those of b behind the vertices.
    fn points_of(&self, vertices: &[Vertex<V>]) -> [Vec<V>; 2] {
        let first = vertices.iter().map(|vertex| self.point(vertex.point_a)).collect();
        let second = vertices.iter().map(|vertex| self.point(vertex.point_b)).collect();
        self.in_order([first, second])
    }
}

impl<V: Vector<Scalar = f64>, M: Turn<V>> Trace<V> for Recorder<V, M> {
    fn simplex(&mut self, vertices: &[Vertex<V>], lower: f64, upper: f64) {
        // A step may stand still up to rounding; the bound that is held does not grow again.
        self.least_distance = upper.min_of(self.least_distance);
        let [points_a, points_b] = self.points_of(vertices);
        let [lower, upper] = [lower, self.least_distance].map(|bound| bound * self.view.back);
        self.steps.push(Step::Simplex { points_a, points_b, lower, upper });
    }

    fn facet(&mut self, corners: &[Vertex<V>], lower: f64, _: f64) {
        let [points_a, points_b] = self.points_of(corners);
        let [lower, upper] = [lower, self.least_overlap].map(|bound| bound * self.view.back);
        self.steps.push(Step::Facet { points_a, points_b, lower, upper });
    }

    fn balls(&mut self, centers: [V; 2], inner: f64, outer: f64) {
        let [center_a, center_b] = self.in_order(centers.map(|center| self.point(center)));
        let [inner, outer] = [inner, outer].map(|sum| sum * self.view.back);
        self.steps.push(Step::Balls { center_a, center_b, inner, outer });
    }

    fn axis(&mut self, direction: V, overlap: f64) {
        // The overlap along any direction bounds the depth.
        self.least_overlap = overlap.min_of(self.least_overlap);
        self.push_axis(AxisSource::Search, direction, -overlap);
    }
}

/// Clipping is shown in the world already.
impl<V: Vector<Scalar = f64>, M: Turn<V>> Watch<V> for Recorder<V, M> {
    fn faces(&mut self, reference: impl Iterator<Item = V>, incident: impl Iterator<Item = V>) {
        self.steps.push(Step::Faces { reference: reference.collect(), incident: incident.collect() });
    }

    fn clipped(&mut self, from: V, polygon: impl Iterator<Item = V>) {
        self.steps.push(Step::Clip { from, polygon: polygon.collect() });
    }

    fn gathered(&mut self, points: impl Iterator<Item = V>) {
        self.steps.push(Step::Candidates { points: points.collect() });
    }

    fn reduced(&mut self, points: impl Iterator<Item = V>) {
        self.steps.push(Step::Chosen { points: points.collect() });
    }
}
