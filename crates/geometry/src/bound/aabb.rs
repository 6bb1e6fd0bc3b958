//! Boxes along the coordinate axes.

use crate::Error;
use crate::bound::directed::{add, sum_down, sum_up, sums_up, times};
use crate::bound::placement::narrowed_outward;
use crate::bound::{Frame, Placement, check_points};
use crate::error::{finite_pose, finite_vector, not_negative};
use carom_math::{Interval, Number, Real, Vector};

/// All points p with min <= p <= max along every axis: a rectangle or box along the axes.
///
/// Three forms describe one: two opposite corners (the fields), centre and half extents, corner and
/// size. An empty box has `max < min` (or a NaN) along some axis; it contains nothing, touches nothing
/// and leaves every box unchanged when merged with it. Touching counts as overlap. A box may reach to
/// infinity.
///
/// # Example
/// ```
/// use carom_geometry::d2::Aabb;
/// let a = Aabb::from_points(&[[0.0, 0.0].into(), [4.0, 3.0].into(), [1.0, 5.0].into()])?;
/// let b = Aabb::from_corner_size([2.0, 4.0], [10.0, 10.0])?;
/// assert!(a.overlaps(b));
/// assert_eq!(a.overlap_volume(b), 2.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb<V> {
    /// The corner with the smallest coordinates.
    pub min: V,
    /// The corner with the largest coordinates.
    pub max: V,
}

impl<V: Vector> Default for Aabb<V> {
    /// The empty box.
    fn default() -> Self {
        Self::empty()
    }
}

/// Construction.
impl<V: Vector> Aabb<V> {
    /// The box that contains nothing.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Aabb;
    /// let all = Aabb::empty().merged_with([1.0, 2.0, 3.0]).merged_with([0.0, 5.0, 3.0]);
    /// assert_eq!((all.min.x, all.max.y, all.volume()), (0.0, 5.0, 0.0));
    /// ```
    #[must_use]
    pub fn empty() -> Self {
        let infinite = V::splat(V::Scalar::INFINITY);
        Aabb { min: infinite, max: -infinite }
    }

    /// The box that contains everything.
    ///
    /// # Example
    /// ```
    /// assert!(carom_geometry::d2::Aabb::unbounded().contains_point([1e300, -1e300]));
    /// ```
    #[must_use]
    pub fn unbounded() -> Self {
        let infinite = V::splat(V::Scalar::INFINITY);
        Aabb { min: -infinite, max: infinite }
    }

    /// The smallest box around points.
    ///
    /// # Errors
    /// When there is no point, or a coordinate is not finite.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let fit = Aabb::from_points(&[[1.0, 2.0].into(), [-1.0, 4.0].into()])?;
    /// assert_eq!((fit.min.x, fit.min.y, fit.max.x, fit.max.y), (-1.0, 2.0, 1.0, 4.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_points(points: &[V]) -> Result<Self, Error> {
        check_points(points)?;
        Ok(points.iter().fold(Self::empty(), |all, point| all.merged_with(*point)))
    }

    /// The box between two opposite corners, in any order.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// assert_eq!(Aabb::from_corners([2.0, 0.0], [0.0, 1.0])?.volume(), 2.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_corners(a: impl Into<V>, b: impl Into<V>) -> Result<Self, Error> {
        Self::from_points(&[a.into(), b.into()])
    }

    /// The box that reaches by `half_extents` to both sides of `center`; rounded outwards where the
    /// corners are not representable.
    ///
    /// # Errors
    /// When a number is not finite, or a half extent is negative.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let square = Aabb::from_center_half_extents([1.0, 1.0], [2.0, 2.0])?;
    /// assert_eq!((square.min.x, square.max.x), (-1.0, 3.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_center_half_extents(center: impl Into<V>, half_extents: impl Into<V>) -> Result<Self, Error> {
        let center = finite_vector("center", center.into())?;
        let half_extents = half_extents.into();
        for axis in 0..V::DIM {
            not_negative("half_extents", half_extents.get(axis))?;
        }
        Ok(Aabb { min: center.zip(-half_extents, sum_down), max: center.zip(half_extents, sum_up) })
    }

    /// The box with `corner` as its smallest corner and these edge lengths; the far corner is rounded
    /// outwards where it is not representable.
    ///
    /// # Errors
    /// When a number is not finite, or a length is negative.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let sprite = Aabb::from_corner_size([3.0, 4.0], [2.0, 1.0])?;
    /// assert_eq!((sprite.max.x, sprite.max.y), (5.0, 5.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_corner_size(corner: impl Into<V>, size: impl Into<V>) -> Result<Self, Error> {
        let corner = finite_vector("corner", corner.into())?;
        let size = size.into();
        for axis in 0..V::DIM {
            not_negative("size", size.get(axis))?;
        }
        Ok(Aabb { min: corner, max: corner.zip(size, sum_up) })
    }

    /// The smallest box of this number type around a box in `f64`: lower ends are rounded down and
    /// upper ends up.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::bound::Aabb;
    /// use carom_math::Vec2;
    /// let wide = Aabb { min: Vec2::new(0.1, 0.5), max: Vec2::new(0.1, 0.5) };
    /// let narrow: Aabb<Vec2<f32>> = Aabb::narrowed_outward(wide);
    /// assert!(f64::from(narrow.min.x) < 0.1 && 0.1 < f64::from(narrow.max.x));
    /// assert_eq!((narrow.min.y, narrow.max.y), (0.5, 0.5));
    /// ```
    #[must_use]
    pub fn narrowed_outward(wide: Aabb<V::Wide>) -> Self {
        narrowed_outward(wide)
    }

    /// The same box in `f64`.
    #[must_use]
    pub fn widen(self) -> Aabb<V::Wide> {
        Aabb { min: self.min.widen(), max: self.max.widen() }
    }
}

/// Measures.
impl<V: Vector> Aabb<V> {
    /// The range of the box along an axis (0 = x, 1 = y, 2 = z).
    #[must_use]
    #[inline]
    pub fn interval(self, axis: usize) -> Interval<V::Scalar> {
        Interval::new(self.min.get(axis), self.max.get(axis))
    }

    /// Contains no point.
    #[must_use]
    #[inline]
    pub fn is_empty(self) -> bool {
        (0..V::DIM).any(|axis| self.interval(axis).is_empty())
    }

    /// The point half way between the corners; does not overflow. No meaning for an empty box.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [2.0, 4.0])?;
    /// assert_eq!((a.center().y, a.half_extents().x, a.size().y), (2.0, 1.0, 4.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn center(self) -> V {
        V::from_fn(|axis| self.interval(axis).center())
    }

    /// The edge lengths max − min; negative for an empty box.
    #[must_use]
    pub fn size(self) -> V {
        self.max - self.min
    }

    /// Half the edge lengths; does not overflow.
    #[must_use]
    pub fn half_extents(self) -> V {
        self.max * V::Scalar::HALF - self.min * V::Scalar::HALF
    }

    /// The volume (area in the plane); 0 for an empty or flat box.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Aabb;
    /// assert_eq!(Aabb::from_corner_size([0.0, 0.0, 0.0], [2.0, 3.0, 4.0])?.volume(), 24.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn volume(self) -> V::Scalar {
        if self.is_empty() {
            return V::Scalar::ZERO;
        }
        product(self.size())
    }

    /// The area of the surface (the perimeter in the plane); 0 for an empty box.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{d2, d3};
    /// assert_eq!(d2::Aabb::from_corner_size([0.0, 0.0], [2.0, 3.0])?.surface(), 10.0);
    /// assert_eq!(d3::Aabb::from_corner_size([0.0, 0.0, 0.0], [2.0, 3.0, 4.0])?.surface(), 52.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn surface(self) -> V::Scalar {
        if self.is_empty() {
            return V::Scalar::ZERO;
        }
        let size = self.size();
        let two = V::Scalar::TWO;
        if V::DIM == 2 {
            return two * (size.get(0) + size.get(1));
        }
        let [x, y, z] = [size.get(0), size.get(1), size.get(2)];
        two * (x * y + y * z + z * x)
    }

    /// The distance between opposite corners; 0 for an empty box.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// assert_eq!(Aabb::from_corner_size([0.0, 0.0], [3.0, 4.0])?.diagonal(), 5.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn diagonal(self) -> V::Scalar {
        if self.is_empty() { V::Scalar::ZERO } else { Vector::length(self.size()) }
    }

    /// The corners: four in the plane, eight in space. Corner number i has the upper end of axis k
    /// where bit k of i is set.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let unit = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// let corners: Vec<[f64; 2]> = unit.corners().map(Into::into).collect();
    /// assert_eq!(corners, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn corners(self) -> impl ExactSizeIterator<Item = V> {
        (0..1_usize << V::DIM).map(move |corner| {
            V::from_fn(|axis| if corner >> axis & 1 == 1 { self.max.get(axis) } else { self.min.get(axis) })
        })
    }
}

/// Tests and combinations.
impl<V: Vector> Aabb<V> {
    /// Whether some point lies in both boxes; touching counts. Exact.
    ///
    /// Two boxes are apart when their ranges are apart along some axis, so six comparisons decide in
    /// space and four in the plane.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// assert!(a.overlaps(a.translated([1.0, 1.0]))); // they share a corner
    /// assert!(!a.overlaps(a.translated([1.5, 0.0])));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        (0..V::DIM).all(|axis| self.interval(axis).overlaps(other.interval(axis)))
    }

    /// Whether the point lies inside or on the surface. Exact; false for NaN.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// assert!(a.contains_point([1.0, 0.5]) && !a.contains_point([1.0, 1.5]));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn contains_point(self, point: impl Into<V>) -> bool {
        let point = point.into();
        (0..V::DIM).all(|axis| self.interval(axis).contains(point.get(axis)))
    }

    /// Whether every point of `other` lies in this box; true for an empty `other`.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// assert!(a.contains_box(a) && !a.contains_box(a.grown(0.25)));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn contains_box(self, other: Self) -> bool {
        other.is_empty()
            || (0..V::DIM).all(|axis| self.interval(axis).contains_interval(other.interval(axis)))
    }

    /// The smallest box around both.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// assert_eq!(a.merged(a.translated([2.0, 0.0])).volume(), 3.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn merged(self, other: Self) -> Self {
        Aabb { min: other.min.min_by_axis(self.min), max: other.max.max_by_axis(self.max) }
    }

    /// The smallest box around this one and a point; NaN coordinates are passed over.
    #[must_use]
    #[inline]
    pub fn merged_with(self, point: impl Into<V>) -> Self {
        let point = point.into();
        self.merged(Aabb { min: point, max: point })
    }

    /// The points that lie in both boxes; empty when none does.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// assert_eq!(a.intersection(a.translated([0.5, 0.0])).volume(), 0.5);
    /// assert!(a.intersection(a.translated([2.0, 0.0])).is_empty());
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Aabb { min: other.min.max_by_axis(self.min), max: other.max.min_by_axis(self.max) }
    }

    /// The volume (area in the plane) of the common part; 0 when the boxes merely touch or are apart.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let a = Aabb::from_corner_size([0.0, 0.0], [2.0, 2.0])?;
    /// assert_eq!(a.overlap_volume(Aabb::from_corner_size([1.0, 1.0], [5.0, 0.5])?), 0.5);
    /// assert_eq!(a.overlap_volume(Aabb::from_corner_size([2.0, 0.0], [1.0, 1.0])?), 0.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn overlap_volume(self, other: Self) -> V::Scalar {
        product(V::from_fn(|axis| self.interval(axis).overlap_length(other.interval(axis))))
    }

    /// The box moved by a vector, rounded outwards where the corners are not representable.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let moved = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?.translated([2.0, 3.0]);
    /// assert_eq!((moved.min.x, moved.max.y), (2.0, 4.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn translated(self, by: impl Into<V>) -> Self {
        let by = by.into();
        Aabb { min: self.min.zip(by, sum_down), max: self.max.zip(by, sum_up) }
    }

    /// The box with every side moved outwards by `margin` (inwards when it is negative).
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let fat = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?.grown(0.5);
    /// assert_eq!((fat.min.x, fat.max.y), (-0.5, 1.5));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn grown(self, margin: V::Scalar) -> Self {
        self.grown_inline(margin)
    }

    /// The same within loops that are compiled for wide lanes.
    #[inline(always)]
    pub(crate) fn grown_inline(self, margin: V::Scalar) -> Self {
        self.grown_plainly(margin).unwrap_or_else(|| self.grown_by_sums(margin))
    }

    /// The same, where no end is near the limits of the numbers.
    #[inline(always)]
    pub(crate) fn grown_plainly(&self, margin: V::Scalar) -> Option<Self> {
        // Outwards is up for the upper ends and for the negated lower ones.
        let mut ends = [V::Scalar::ONE; 8];
        for axis in 0..V::DIM {
            (ends[axis], ends[axis + 4]) = (-self.min.get(axis), self.max.get(axis));
        }
        let ends = sums_up(ends, margin)?;
        Some(Aabb { min: V::from_fn(|axis| -ends[axis]), max: V::from_fn(|axis| ends[axis + 4]) })
    }

    #[cold]
    fn grown_by_sums(self, margin: V::Scalar) -> Self {
        Aabb { min: self.min.map(|x| sum_down(x, -margin)), max: self.max.map(|x| sum_up(x, margin)) }
    }

    /// The point of the box that is closest to a given one: each coordinate is pushed into its range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Aabb;
    /// let unit = Aabb::from_corner_size([0.0, 0.0], [1.0, 1.0])?;
    /// let closest = unit.closest_point([3.0, 0.25]);
    /// assert_eq!((closest.x, closest.y), (1.0, 0.25));
    /// assert_eq!(unit.distance_squared([4.0, 5.0]), 25.0);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn closest_point(self, point: impl Into<V>) -> V {
        let point = point.into();
        V::from_fn(|axis| self.interval(axis).clamp(point.get(axis)))
    }

    /// The squared distance from a point to the box; 0 inside.
    #[must_use]
    pub fn distance_squared(self, point: impl Into<V>) -> V::Scalar {
        let point = point.into();
        let away = self.closest_point(point).widen() - point.widen();
        V::Scalar::from_f64(away.length_squared())
    }

    /// The values of normal·p over the box: its shadow on a line, rounded outwards where the products
    /// are not representable. The normal may have any length.
    ///
    /// Each term normalₖ·pₖ is smallest at one end of the k-th range and largest at the other, so two
    /// products an axis are enough where the corners would take sixteen (in space).
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Aabb;
    /// use carom_math::Interval;
    /// let unit = Aabb::from_corner_size([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])?;
    /// assert_eq!(unit.shadow([1.0, -2.0, 0.0]), Interval::new(-2.0, 1.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn shadow(self, normal: impl Into<V>) -> Interval<V::Scalar> {
        if self.is_empty() {
            return Interval::empty();
        }
        let (normal, wide) = (normal.into().widen(), self.widen());
        let mut sum = Interval::point(0.0);
        for axis in 0..V::DIM {
            sum = add(sum, times(normal.get(axis), wide.interval(axis)));
        }
        Interval::new(V::Scalar::from_f64_down(sum.min), V::Scalar::from_f64_up(sum.max))
    }

    /// Whether the plane (line in 2D) normal·p = offset meets the box; touching counts. Never misses:
    /// where the products round, a plane within an ulp or two counts as touching.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::Aabb;
    /// let unit = Aabb::from_corner_size([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])?;
    /// assert!(unit.meets_plane([1.0, 1.0, 1.0], 3.0)); // through the far corner
    /// assert!(!unit.meets_plane([1.0, 1.0, 1.0], 3.5));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    #[must_use]
    pub fn meets_plane(self, normal: impl Into<V>, offset: V::Scalar) -> bool {
        self.shadow(normal).contains(offset)
    }

    /// The box around this box after a pose; see the `transformed` of each dimension.
    pub(crate) fn placed<P: Placement<Vector = V>>(self, pose: P) -> Result<Self, Error> {
        finite_pose("pose", pose)?;
        if self.is_empty() {
            return Ok(Self::empty());
        }
        Ok(narrowed_outward(Frame::new(pose).placed(self.widen())))
    }

    /// The box around points after a pose; see the `from_transformed_points` of each dimension.
    pub(crate) fn around_placed<P: Placement<Vector = V>>(points: &[V], pose: P) -> Result<Self, Error> {
        check_points(points)?;
        finite_pose("pose", pose)?;
        let frame = Frame::new(pose);
        let all = points
            .iter()
            .fold(Aabb::empty(), |all: Aabb<V::Wide>, p| all.merged(frame.placed_point(p.widen())));
        Ok(narrowed_outward(all))
    }
}

/// The product of the components, which are not negative; 0 as soon as one is 0, even beside an infinite one.
///
/// The smallest by the largest first: where that is out of range, so is the product of all.
fn product<V: Vector>(size: V) -> V::Scalar {
    let (mut least, mut most, mut middle) = (size.get(0), size.get(0), V::Scalar::ONE);
    for axis in 1..V::DIM {
        let next = size.get(axis);
        if axis == 2 {
            middle = next.max_of(least).min_of(most);
        }
        (least, most) = (next.min_of(least), next.max_of(most));
    }
    if least == V::Scalar::ZERO { V::Scalar::ZERO } else { least * most * middle }
}
