//! Polygons as the kernels for polytopes see them: support points, edges as faces, balls.

use super::convex::Corners;
use crate::convex::general::farthest_at_scale;
use crate::gjk::Support;
use crate::sat::{
    Edge, Edges, Faces, MAX_FACES, NO_EDGES, NO_FACES, Name, Outer, PlaneRows, Rim, RimBlock, RimRows, Solid,
    name_by_number,
};
use crate::scale;
use crate::shape::{Resize, Widen};
use carom_math::{Level, Number, Vec2, Vector, power_of_two};

/// The edges of a polygon as faces, at the scale of its corners. Edge k begins at corner k.
pub(crate) struct Sides {
    /// Unit normals with the heights above the centre.
    planes: PlaneRows<Vec2<f64>>,
    /// Outward normals of lengths near 1, exact on lattices.
    normals: Vec<Vec2<f64>>,
    units: Vec<Vec2<f64>>,
    /// All of it once more, where there are few corners.
    rim: Option<RimRows>,
    /// Of a ball about the centre that lies inside.
    inner_radius: f64,
}

impl Sides {
    /// `None` for points, and for sizes at the ends of the range: where differences could overflow, and where heights would lose
    /// digits among the subnormal numbers.
    pub(crate) fn new(points: &[Vec2<f64>], center: Vec2<f64>, size: f64) -> Option<Self> {
        let has_digits = (power_of_two(-1000)..=power_of_two(1020)).contains(&size);
        if points.len() < 2 || !has_digits {
            return None;
        }
        let normal = |k: usize| {
            let along = points[(k + 1) % points.len()] - points[k];
            -along.perpendicular() * scale::towards_one(along.max_abs(), 0)
        };
        let normals: Vec<Vec2<f64>> = (0..points.len()).map(normal).collect();
        let units = normals.iter().map(|normal| normal.normalized()).collect::<Option<Vec<_>>>()?;
        let height = |k: usize| units[k].dot(points[k] - center);
        let least = (0..points.len()).fold(f64::INFINITY, |least, k| height(k).min_of(least));
        Some(Sides {
            planes: PlaneRows::new(
                (0..points.len()).map(|k| (units[k], height(k))),
                scale::towards_one(size, 0),
            ),
            inner_radius: (least - 64.0 * f64::EPSILON * size).max_of(0.0),
            rim: RimRows::new((0..points.len()).map(|k| (points[k], units[k], units[k].dot(points[k])))),
            normals,
            units,
        })
    }
}

/// A polygon, borrowed and at scale.
#[derive(Clone, Copy)]
pub(crate) struct PolygonView<'a> {
    corners: &'a Corners,
    factor: f64,
}

impl<'a> PolygonView<'a> {
    pub(crate) fn new(corners: &'a Corners, factor: f64) -> Self {
        PolygonView { corners, factor }
    }

    /// How many corners there are.
    pub(super) fn count(&self) -> usize {
        self.corners.points.len()
    }

    pub(super) fn corner(&self, index: usize) -> Vec2<f64> {
        self.corners.points[index] * self.factor
    }

    /// The outward unit normal of an edge, if it is known.
    pub(super) fn unit_normal(&self, index: usize) -> Option<Vec2<f64>> {
        self.sides().and_then(|sides| sides.units.get(index).copied())
    }

    fn sides(&self) -> Option<&'a Sides> {
        self.corners.sides.as_ref()
    }
}

impl Support<Vec2<f64>> for PolygonView<'_> {
    const CURVED: bool = false;
    #[inline]
    fn support(&self, direction: Vec2<f64>) -> (Vec2<f64>, u32) {
        if self.factor == 1.0 {
            let best = self.corners.rows.farthest(direction);
            return (self.corners.points[best], best as u32);
        }
        farthest_at_scale(&self.corners.points, self.factor, direction)
    }
    #[inline]
    fn center(&self) -> Vec2<f64> {
        self.corners.center * self.factor
    }
    #[inline]
    fn size(&self) -> f64 {
        // The reach has one rounding, and the product another.
        self.corners.reach * (self.corners.size * self.factor) * (1.0 + 4.0 * f64::EPSILON)
    }
}

impl Solid<Vec2<f64>> for PolygonView<'_> {
    #[inline]
    fn inner_radius(&self) -> f64 {
        self.sides().map_or(0.0, |sides| sides.inner_radius * self.factor)
    }
    #[inline]
    fn outer_radius(&self) -> f64 {
        self.corners.outer_radius * (self.corners.size * self.factor)
    }
    #[inline]
    fn name(&self) -> Option<Name> {
        Some(name_by_number(self.corners.number, self.factor))
    }
    fn has_faces(&self) -> bool {
        self.sides().is_some_and(|sides| sides.normals.len() <= MAX_FACES)
    }
    fn nearest_face(&self, from_center: Vec2<f64>) -> usize {
        self.sides().map_or(0, |sides| sides.planes.nearest(from_center, self.factor))
    }
    fn faces_near(&self, outer: &Outer<Vec2<f64>>) -> Faces {
        self.sides().map_or(NO_FACES, |sides| sides.planes.near(self.factor, outer))
    }
    #[inline]
    fn face(&self, index: usize) -> (Vec2<f64>, Vec2<f64>) {
        let normal = self.sides().map_or(Vec2::unit(0), |sides| sides.normals[index]);
        (normal, self.corner(index))
    }
    #[inline]
    fn plane(&self, index: usize) -> (Vec2<f64>, Vec2<f64>) {
        (self.sides().map_or(Vec2::unit(0), |sides| sides.units[index]), self.corner(index))
    }
    fn room_on_face(&self, index: usize, point: Vec2<f64>) -> f64 {
        let next = if index + 1 < self.corners.points.len() { index + 1 } else { 0 };
        let along = self.corner(next) - self.corner(index);
        let length = Vector::length(along);
        let at = along.dot(point - self.corner(index)) / length;
        if 0.0 < length { at.min_of(length - at) } else { f64::NEG_INFINITY }
    }
    fn middle_of_face(&self, index: usize) -> Vec2<f64> {
        let next = if index + 1 < self.corners.points.len() { index + 1 } else { 0 };
        (self.corner(index) + self.corner(next)) * 0.5
    }
    fn level(&self) -> Level {
        self.sides().map_or_else(Level::new, |sides| sides.planes.level())
    }
    fn edges_near(&self, _: &Outer<Vec2<f64>>) -> Edges {
        NO_EDGES
    }
    fn face_count(&self) -> usize {
        self.sides().map_or(0, |sides| sides.units.len())
    }
    fn edge_count(&self) -> usize {
        0
    }
    fn edge(&self, _: usize) -> Option<Edge<Vec2<f64>>> {
        None
    }
    #[inline]
    fn vertex(&self, number: u32) -> Vec2<f64> {
        let points = &self.corners.points;
        points.get(number as usize).map_or(points[0], |&point| point) * self.factor
    }
    #[inline]
    fn rim<'r>(&'r self, _: &'r mut Option<RimBlock>) -> Option<Rim<'r>> {
        Some(self.sides()?.rim.as_ref()?.rim(self.factor))
    }
    #[inline]
    fn ends(&self, face: usize) -> [u32; 2] {
        [face as u32, if face + 1 < self.count() { face as u32 + 1 } else { 0 }]
    }
}

impl Resize for PolygonView<'_> {
    #[inline]
    fn size(&self) -> f64 {
        self.corners.size * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        PolygonView { factor: self.factor * factor, ..*self }
    }
}

/// Numbers are held in `f64` already.
impl<'a> Widen for PolygonView<'a> {
    type Wide = PolygonView<'a>;
    #[inline]
    fn widen(&self) -> PolygonView<'a> {
        *self
    }
}
