//! Hulls as the kernels for polytopes see them: support points, faces, edges, balls.

use super::convex::Surface;
use super::hull::{Facets, HullEdge};
use super::manifold::HullFaces;
use crate::convex::general::farthest_at_scale;
use crate::convex::landing::FlatSide;
use crate::gjk::{Support, farthest, least_product};
use crate::sat::{Edge, Edges, Faces, NO_EDGES, NO_FACES, Name, Outer, Solid, name_by_number};
use crate::shape::{Resize, Widen};
use carom_math::{Level, Vec3, Vector};
use core::cell::Cell;

/// Vertices up to which they are looked at one by one: rows of lanes do not pay before. The products are the same.
const FEW: usize = 8;

/// Vertices up to which all of them are looked at: climbing reads its neighbours out of order, and does
/// not pay before.
const SCANNED: usize = 160;

/// Neighbours level with the best are searched up to this many; if there are more, all vertices are.
const PLATEAU: usize = 64;

/// A hull, borrowed and at scale. Remembers where it found the last support point, for the length of one
/// query.
#[derive(Clone)]
pub(crate) struct HullView<'a> {
    surface: &'a Surface,
    factor: f64,
    last: Cell<u32>,
}

impl<'a> HullView<'a> {
    pub(crate) fn new(surface: &'a Surface, factor: f64) -> Self {
        HullView { surface, factor, last: Cell::new(0) }
    }

    /// The faces, and what manifolds know of them; all coordinates are multiplied by the number.
    pub(super) fn faces(&self) -> (super::manifold::Faces<'a>, &'a HullFaces, f64) {
        let (faces, facing) = self.surface.faces();
        (faces, facing, self.factor)
    }

    /// 0 for a point, 1 for a segment, 2 for a flat polygon, 3 for a solid.
    pub(super) fn dimension(&self) -> usize {
        self.surface.dimension()
    }

    pub(super) fn at(&self, index: u32) -> Vec3<f64> {
        self.surface.vertices[index as usize] * self.factor
    }

    #[inline]
    fn placed_edge(&self, facets: &Facets, number: usize) -> Edge<Vec3<f64>> {
        let HullEdge { from, to, left, right } = facets.edges[number];
        let from = self.at(from);
        Edge {
            number: number as u32,
            from,
            along: self.at(to) - from,
            left: facets.units[left as usize],
            right: facets.units[right as usize],
        }
    }

    /// The faces of a solid by which a line may come in last or go out first; `None` where that is not known.
    pub(super) fn faces_passed(&self, origin: Vec3<f64>, direction: Vec3<f64>) -> Option<Faces> {
        if self.dimension() < 3 || !self.has_faces() {
            return None;
        }
        self.facets()?.planes.passed(origin - self.center(), direction, self.factor)
    }

    /// How far three points are above one of the faces, or less; minus infinity where that is not known.
    pub(super) fn all_above_a_face(&self, points: [Vec3<f64>; 3]) -> f64 {
        self.facets().map_or(f64::NEG_INFINITY, |facets| {
            facets.planes.all_above(points.map(|point| point - self.center()), self.factor)
        })
    }

    fn facets(&self) -> Option<&'a Facets> {
        self.surface.facets.as_ref()
    }

    fn farthest(&self, direction: Vec3<f64>) -> u32 {
        if self.factor == 1.0 {
            if self.surface.vertices.len() <= FEW {
                return farthest(&self.surface.vertices, direction).1;
            }
            return self.surface.rows.farthest(direction) as u32;
        }
        farthest_at_scale(&self.surface.vertices, self.factor, direction).1
    }

    fn climb(&self, direction: Vec3<f64>) -> u32 {
        let surface = self.surface;
        let base = self.at(0);
        let height = |vertex: u32| (self.at(vertex) - base).dot(direction);
        let size = direction.abs_by_axis();
        let axis = if size.x < size.y {
            if size.y < size.z { 2 } else { 1 }
        } else if size.x < size.z {
            2
        } else {
            0
        };
        let side = 2 * axis + usize::from(direction.get(axis) < 0.0);
        let (extreme, last) = (surface.extremes[side], self.last.get());
        let mut best = if height(extreme) < height(last) { last } else { extreme };
        let mut best_height = height(best);
        // Products of this size differ by rounding only.
        let level = 8.0 * f64::EPSILON * (2.0 * Resize::size(self)) * (size.x + size.y + size.z);
        let mut plateau = [0; PLATEAU];
        let (mut known, mut next) = (1, 0);
        plateau[0] = best;
        // Every turn takes a new vertex from the plateau, or starts a plateau that is higher.
        while next < known {
            let from = plateau[next];
            next += 1;
            for &to in surface.neighbours_of(from) {
                let reached = height(to);
                if best_height < reached {
                    if best_height + level < reached {
                        (known, next) = (0, 0);
                    }
                    (best, best_height) = (to, reached);
                } else if reached < best_height - level {
                    continue;
                }
                if !plateau[..known].contains(&to) {
                    if known == PLATEAU {
                        // As good as flat: only a look at all of them can tell.
                        return self.farthest(direction);
                    }
                    plateau[known] = to;
                    known += 1;
                }
            }
        }
        self.last.set(best);
        best
    }
}

impl Support<Vec3<f64>> for HullView<'_> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: Vec3<f64>) -> (Vec3<f64>, u32) {
        // Straight away: the search knows the corner itself.
        if self.factor == 1.0 && self.surface.vertices.len() <= FEW {
            return farthest(&self.surface.vertices, direction);
        }
        let scans = self.surface.vertices.len() <= SCANNED;
        let best = if scans { self.farthest(direction) } else { self.climb(direction) };
        (self.at(best), best)
    }
    #[inline]
    fn least_along(&self, direction: Vec3<f64>) -> f64 {
        if self.factor == 1.0 && self.surface.vertices.len() <= FEW {
            return least_product(&self.surface.vertices, direction);
        }
        direction.dot(self.support(-direction).0)
    }
    #[inline]
    fn center(&self) -> Vec3<f64> {
        self.surface.center * self.factor
    }
    #[inline]
    fn size(&self) -> f64 {
        // The reach has one rounding, and the product another.
        self.surface.reach * (self.surface.size * self.factor) * (1.0 + 4.0 * f64::EPSILON)
    }
    fn flat_side(&self, from_center: Vec3<f64>) -> Option<FlatSide<Vec3<f64>>> {
        if !self.has_faces() {
            return None;
        }
        let number = self.nearest_face(from_center);
        let ((normal, _), (along, anchor)) = (self.plane(number), self.face(number));
        let (length, middle) = (Vector::length(along), self.middle_of_face(number));
        Some(FlatSide { normal, along, length, anchor, middle, number })
    }
    fn room_on_side(&self, side: &FlatSide<Vec3<f64>>, point: Vec3<f64>) -> f64 {
        self.room_on_face(side.number, point)
    }
}

impl Solid<Vec3<f64>> for HullView<'_> {
    #[inline]
    fn inner_radius(&self) -> f64 {
        self.facets().map_or(0.0, |facets| facets.inner_radius * self.factor)
    }
    #[inline]
    fn outer_radius(&self) -> f64 {
        self.surface.outer_radius * (self.surface.size * self.factor)
    }
    fn has_faces(&self) -> bool {
        self.facets().is_some_and(|facets| facets.units.len() <= crate::sat::MAX_FACES)
    }
    fn nearest_face(&self, from_center: Vec3<f64>) -> usize {
        self.facets().map_or(0, |facets| facets.planes.nearest(from_center, self.factor))
    }
    fn faces_near(&self, outer: &Outer<Vec3<f64>>) -> Faces {
        self.facets().map_or(NO_FACES, |facets| facets.planes.near(self.factor, outer))
    }
    #[inline]
    fn face(&self, index: usize) -> (Vec3<f64>, Vec3<f64>) {
        self.facets().map_or((Vec3::unit(0), self.at(0)), |facets| {
            (facets.normals[index], self.at(facets.anchors[index]))
        })
    }
    #[inline]
    fn plane(&self, index: usize) -> (Vec3<f64>, Vec3<f64>) {
        self.facets().map_or((Vec3::unit(0), self.at(0)), |facets| {
            (facets.units[index], self.at(facets.anchors[index]))
        })
    }
    #[inline]
    fn room_on_face(&self, index: usize, point: Vec3<f64>) -> f64 {
        self.facets().map_or(f64::NEG_INFINITY, |facets| facets.room_on_face(index, point, self.factor))
    }
    #[inline]
    fn middle_of_face(&self, index: usize) -> Vec3<f64> {
        let middle = self.facets().and_then(|facets| facets.middles.get(index));
        middle.map_or(self.at(0), |&middle| middle * self.factor)
    }
    fn level(&self) -> Level {
        self.facets().map_or_else(Level::new, |facets| facets.planes.level())
    }
    fn edges_near(&self, outer: &Outer<Vec3<f64>>) -> Edges {
        self.facets().map_or(NO_EDGES, |facets| facets.arcs.near(self.factor, outer))
    }
    fn face_count(&self) -> usize {
        self.facets().map_or(0, |facets| facets.units.len())
    }
    fn edge_count(&self) -> usize {
        self.facets().map_or(0, |facets| facets.edges.len())
    }
    fn edge(&self, number: usize) -> Option<Edge<Vec3<f64>>> {
        let facets = self.facets()?;
        (number < facets.edges.len()).then(|| self.placed_edge(facets, number))
    }
    fn face_between(&self, vertices: [u32; 3]) -> Option<usize> {
        let (faces, ..) = self.faces();
        (0..self.face_count())
            .find(|&face| vertices.iter().all(|vertex| faces.corners(face).contains(vertex)))
    }
    fn edge_between(&self, [p, q]: [u32; 2]) -> Option<usize> {
        let is_this = |edge: &HullEdge| [[p, q], [q, p]].contains(&[edge.from, edge.to]);
        self.facets()?.edges.iter().position(is_this)
    }
    #[inline]
    fn name(&self) -> Option<Name> {
        Some(name_by_number(self.surface.number, self.factor))
    }
    #[inline]
    fn vertex(&self, number: u32) -> Vec3<f64> {
        let vertices = &self.surface.vertices;
        vertices.get(number as usize).map_or(vertices[0], |&vertex| vertex) * self.factor
    }
}

impl Resize for HullView<'_> {
    #[inline]
    fn size(&self) -> f64 {
        self.surface.size * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        HullView { factor: self.factor * factor, ..self.clone() }
    }
}

/// Numbers are held in `f64` already.
impl<'a> Widen for HullView<'a> {
    type Wide = HullView<'a>;
    #[inline]
    fn widen(&self) -> HullView<'a> {
        self.clone()
    }
}
