//! What a [`Bvh`] can be asked.

use super::Bvh;
use super::node::Frame;
use super::pairs::Two;
use super::probe::{Around, Half, Spot, squared_above};
use super::view::{Near, View, box_distance};
use crate::bound::Aabb;
use carom_math::{Number, Real, Vector};
use core::ops::ControlFlow;

impl<V: Vector> Bvh<V> {
    /// Visits every item whose box overlaps `bounds` (touching counts), until the visitor breaks.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::bound::Aabb;
    /// use carom_geometry::bvh::Bvh;
    /// use carom_math::Vec2;
    /// use std::ops::ControlFlow;
    /// let point = |x: f64| Aabb::empty().merged_with(Vec2::new(x, 0.0));
    /// let tree = Bvh::build(&[point(1.0), point(2.0), point(3.0)]);
    /// let window = Aabb { min: Vec2::new(1.5, -1.0), max: Vec2::new(2.0, 1.0) };
    /// assert_eq!(tree.overlapping(window, ControlFlow::Break), ControlFlow::Break(1));
    /// ```
    pub fn overlapping<B>(
        &self,
        bounds: Aabb<V>,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.view().overlapping(bounds, visit)
    }

    /// Visits every item whose box comes within `radius` of `center` (touching counts), until the visitor
    /// breaks. Nothing is visited for a NaN or a negative radius.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::{Vec2, Vector};
    /// use std::ops::ControlFlow;
    /// let tree = Bvh::build(&[Aabb { min: Vec2::new(3.0, 4.0), max: Vec2::new(9.0, 9.0) }]);
    /// let touches = |radius: f64| tree.overlapping_ball(Vec2::ZERO, radius, ControlFlow::Break).is_break();
    /// assert!(touches(5.0) && !touches(4.99));
    /// ```
    pub fn overlapping_ball<B>(
        &self,
        center: V,
        radius: V::Scalar,
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.view().overlapping_ball(center, radius, visit)
    }

    /// Visits every item whose box has, for each half-space normal·p <= offset, a point in it, until the
    /// visitor breaks: all boxes that meet the frustum, and a few that pass its corners. Boxes are passed over only when they are outside for
    /// certain; a half-space with a NaN leaves nothing out.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::Vec2;
    /// use std::ops::ControlFlow;
    /// let point = |x: f64| Aabb::empty().merged_with(Vec2::new(x, 0.0));
    /// let tree = Bvh::build(&[point(1.0), point(2.0), point(3.0)]);
    /// let between = [(Vec2::new(1.0, 0.0), 2.0), (Vec2::new(-1.0, 0.0), -1.5)]; // x <= 2 and 1.5 <= x
    /// let mut found = Vec::new();
    /// let _ = tree.in_half_spaces(&between, |item| {
    ///     found.push(item);
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(found, [1]);
    /// ```
    pub fn in_half_spaces<B>(
        &self,
        half_spaces: &[(V, V::Scalar)],
        visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.view().in_half_spaces(half_spaces, visit)
    }

    /// The item that the ray origin + t·direction meets first, with t in [0, max].
    ///
    /// `hit(item, limit)` gives the smallest t at which the ray meets what is inside the item's box, or
    /// `None`; it may also answer `None` when that t is above `limit`, the best so far. Of equal t the
    /// lower index wins. Boxes are passed over only when the ray surely misses them: their range of t is
    /// widened by its rounding error. A NaN anywhere gives `None`.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::{Vec2, Vector};
    /// let wall = |x: f64| Aabb { min: Vec2::new(x, -1.0), max: Vec2::new(x, 1.0) };
    /// let walls = [4.0, 3.0, 5.0];
    /// let tree = Bvh::build(&walls.map(wall));
    /// let first = tree.cast_ray(Vec2::ZERO, Vec2::new(2.0, 0.0), f64::INFINITY, |i, _| Some(walls[i] / 2.0));
    /// assert_eq!(first, Some((1, 1.5)));
    /// ```
    pub fn cast_ray(
        &self,
        origin: V,
        direction: V,
        max: V::Scalar,
        hit: impl FnMut(usize, V::Scalar) -> Option<V::Scalar>,
    ) -> Option<(usize, V::Scalar)> {
        self.view().cast_ray(origin, direction, max, hit)
    }

    /// The item with the smallest distance, of equal ones the lower index.
    ///
    /// `lower_bound(bounds)` must not exceed the distance of anything in the box, rounding included;
    /// `distance(item)` is the distance of what is inside the item's box. Any measure will do, the square
    /// of a distance too. `None` for an empty tree, or when every distance is NaN; items with an empty box are
    /// not asked.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::Vec2;
    /// let points = [Vec2::new(1.0, 0.0), Vec2::new(0.0, 2.0)];
    /// let tree = Bvh::build(&points.map(|p| Aabb { min: p, max: p }));
    /// let to = Vec2::new(0.0, 1.5);
    /// let nearest = tree.nearest(|bounds| bounds.distance_squared(to), |i| (points[i] - to).dot(points[i] - to));
    /// assert_eq!(nearest, Some((1, 0.25)));
    /// ```
    pub fn nearest(
        &self,
        lower_bound: impl Fn(Aabb<V>) -> V::Scalar,
        distance: impl FnMut(usize) -> V::Scalar,
    ) -> Option<(usize, V::Scalar)> {
        self.view().nearest(lower_bound, distance)
    }

    /// The `count` items whose boxes are nearest to a point, with their distances (0 for boxes that contain
    /// it): the nearest first, of equal ones the lower index. Fewer when there are not as many.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::{Vec2, Vector};
    /// let point = |x: f64| Aabb::empty().merged_with(Vec2::new(x, 0.0));
    /// let tree = Bvh::build(&[point(9.0), point(4.0), point(-2.0), point(2.0)]);
    /// assert_eq!(tree.nearest_boxes(Vec2::ZERO, 3), [(2, 2.0), (3, 2.0), (1, 4.0)]);
    /// ```
    #[must_use]
    pub fn nearest_boxes(&self, point: V, count: usize) -> Vec<(usize, V::Scalar)> {
        self.view().nearest_boxes(point, count)
    }

    /// Visits every pair of items i < j whose boxes overlap (touching counts), each once, until the
    /// visitor breaks.
    pub fn self_pairs<B>(&self, mut visit: impl FnMut(usize, usize) -> ControlFlow<B>) -> ControlFlow<B> {
        let view = self.view();
        let two = Two { first: view, second: view, same: true, only_moved: false };
        two.visit(|i, j| visit(i.min(j) as usize, i.max(j) as usize))
    }

    /// Visits every pair of an item of this tree and one of the other whose boxes overlap (touching
    /// counts), until the visitor breaks.
    pub fn pairs<B>(
        &self,
        other: &Self,
        mut visit: impl FnMut(usize, usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let two = Two { first: self.view(), second: other.view(), same: false, only_moved: false };
        two.visit(|i, j| visit(i as usize, j as usize))
    }

    /// All pairs [i, j] of items, i < j, whose boxes overlap (touching counts), in order. Large trees are
    /// searched by all threads at hand; the answer is the same for any number of them.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{bound::Aabb, bvh::Bvh};
    /// use carom_math::Vec2;
    /// let unit_box_at = |x: f64| Aabb { min: Vec2::new(x, 0.0), max: Vec2::new(x + 1.0, 1.0) };
    /// let tree = Bvh::build(&[unit_box_at(2.0), unit_box_at(0.0), unit_box_at(1.0)]);
    /// assert_eq!(tree.all_pairs(), [[0, 2], [1, 2]]);
    /// ```
    #[must_use]
    pub fn all_pairs(&self) -> Vec<[u32; 2]> {
        let view = self.view();
        Two { first: view, second: view, same: true, only_moved: false }.collect([self.len(); 2], true)
    }

    /// All pairs [i, j] of an item i of this tree and an item j of the other whose boxes overlap, in order;
    /// see [`all_pairs`](Self::all_pairs).
    #[must_use]
    pub fn all_pairs_with(&self, other: &Self) -> Vec<[u32; 2]> {
        let two = Two { first: self.view(), second: other.view(), same: false, only_moved: false };
        two.collect([self.len(), other.len()], true)
    }
}

/// The same questions for every tree.
impl<V: Vector> View<'_, V> {
    pub(crate) fn overlapping<B>(
        self,
        bounds: Aabb<V>,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let small = self.frame.small(&bounds);
        if small.is_empty() {
            return ControlFlow::Continue(());
        }
        let sure = Frame::<V>::EXACT;
        self.visit(&small, sure, |own| own.overlaps(bounds), |item| visit(item as usize))
    }

    pub(crate) fn overlapping_ball<B>(
        self,
        center: V,
        radius: V::Scalar,
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let radius = radius.to_f64();
        let valid = center.finite() && 0.0 <= radius;
        if !valid {
            return ControlFlow::Continue(());
        }
        let spot = Spot::new(self.frame, center);
        let around = Around { spot, squared_radius: squared_above(self.frame, radius) };
        let keep = |own: Aabb<V>| box_distance(own, center) <= radius;
        self.visit(&around, false, keep, |item| visit(item as usize))
    }

    pub(crate) fn in_half_spaces<B>(
        self,
        half_spaces: &[(V, V::Scalar)],
        mut visit: impl FnMut(usize) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let certain = |(normal, offset): &&(V, V::Scalar)| normal.finite() && offset.finite();
        let halves: Vec<Half<V>> = half_spaces
            .iter()
            .filter(certain)
            .filter_map(|(normal, offset)| Half::new(self.frame, *normal, *offset))
            .collect();
        let keep = |own: Aabb<V>| {
            half_spaces.iter().filter(certain).all(|(normal, offset)| own.shadow(*normal).min <= *offset)
        };
        self.visit(halves.as_slice(), false, keep, |item| visit(item as usize))
    }

    pub(crate) fn nearest_boxes(self, point: V, count: usize) -> Vec<(usize, V::Scalar)> {
        let near = self.nearest_to(point, count, f64::INFINITY, None);
        near.into_iter()
            .map(|Near { distance, item }| (item as usize, V::Scalar::from_f64(distance)))
            .collect()
    }
}

/// A number that is not above the squared distance, as computed, from `point` to anything in the box.
///
/// The squared distance of the box itself has 2·DIM roundings, and so has that of a point in the box;
/// 16ε covers both with room to spare.
#[inline]
pub(crate) fn squared_distance_below<V: Vector>(bounds: Aabb<V>, point: V) -> V::Scalar {
    let zero = V::Scalar::ZERO;
    let gap = V::from_fn(|axis| {
        let (low, high, p) = (bounds.min.get(axis), bounds.max.get(axis), point.get(axis));
        (low - p).max_of(p - high).max_of(zero)
    });
    let sixteen = V::Scalar::from_f64(16.0);
    gap.length_squared() * (V::Scalar::ONE - sixteen * V::Scalar::EPSILON)
}
