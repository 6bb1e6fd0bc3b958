//! An outline as a composite shape: its edges, and what they enclose.

use super::Outline;
use super::point::Place;
use crate::composite::facet::Facet;
use crate::composite::tree::PartTree;
use crate::composite::{Part, Parts};
use crate::d2::composite::Plane;
use crate::d2::composite::facets::segment_facet;
use crate::d2::shape::{Segment, Shape};
use carom_math::Vec2;
use core::ops::ControlFlow;
use std::borrow::Cow;

type Point = Vec2<f64>;

impl Outline<f64> {
    /// Which of two outlines comes first by its numbers.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (a, b) = (self.edges.points(), other.edges.points());
        if a.len() != b.len() {
            return Some(a.len() < b.len());
        }
        a.iter().zip(b).find_map(|(x, y)| crate::pair::order::before([*x], [*y]))
    }
}

impl Parts<Plane> for Outline<f64> {
    fn tree(&self) -> &PartTree<Point> {
        &self.parts
    }
    fn factor(&self) -> f64 {
        1.0
    }
    fn count(&self) -> u32 {
        self.parts.len()
    }
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        visit(item)
    }
    fn part(&self, index: u32) -> Part<'_, Plane> {
        let segment = Segment::of_ends(self.edges.edge(index as usize));
        Part { shape: Cow::Owned(Shape::Segment(segment)), local: None, first: index }
    }
    fn facet(&self, index: u32) -> Option<Facet<Point>> {
        let (points, at) = (self.edges.points(), index as usize);
        let count = points.len();
        let neighbours = [Some(points[(at + count - 1) % count]), Some(points[(at + 2) % count])];
        segment_facet(self.edges.edge(at), neighbours, self.edges.is_counter_clockwise(), true)
    }
    fn is_solid(&self) -> bool {
        true
    }
    fn contains(&self, point: Point) -> bool {
        self.edges.locate(point) != Place::Outside
    }
    fn visit_anchors(&self, visit: &mut dyn FnMut(Point) -> ControlFlow<()>) -> ControlFlow<()> {
        visit(self.edges.points()[0])
    }
}
