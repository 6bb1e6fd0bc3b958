//! Convex polygons: corners counter-clockwise in one flat array.
//!
//! Whether a polygon is convex is decided exactly, whatever its coordinates. Numbers are held in `f64`
//! whatever the number type of the caller, so that a polygon of `f32` is widened by sharing it.

use super::hull::{Predicates, hull_of};
use super::shape::Shape;
use super::solid::{PolygonView, Sides};
use crate::bound::{Aabb, Bounded, Frame, check_points};
use crate::exact::{Range, orient2d};
use crate::pair::nearest::{Foot, Nearest, foot_on_segment, on_segment};
use crate::pair::product::cross2;
use crate::sat::{PointRows, new_number};
use crate::shape::{Resize, Twin, Widen, lends_twin};
use crate::{Error, scale};
use carom_math::{Number, Real, Vec2, Vector};
use core::fmt;
use core::marker::PhantomData;
use std::sync::Arc;

/// A convex polygon with its inside, in its own frame, with any number of corners.
///
/// Corners are kept counter-clockwise, beginning at the one with the smallest x (of those, the smallest
/// y), without repetitions and without points inside an edge. So two polygons that cover the same points
/// are equal, however they were given. A polygon of one corner is a point, one of two a segment. Cheap to
/// clone: clones share their corners.
///
/// # Example
/// ```
/// use carom_geometry::d2::{ConvexPolygon, closest_point};
/// let stop_sign = ConvexPolygon::new([
///     [1.0, 2.0], [2.0, 1.0], [2.0, -1.0], [1.0, -2.0], [-1.0, -2.0], [-2.0, -1.0], [-2.0, 1.0], [-1.0, 2.0],
/// ])?;
/// assert_eq!(stop_sign.points().len(), 8);
/// assert_eq!(closest_point(&stop_sign, [0.0, 0.0], [0.0, 5.0])?.distance, 3.0);
/// # Ok::<(), carom_geometry::Error>(())
/// ```
#[derive(Clone)]
pub struct ConvexPolygon<T> {
    corners: Arc<Corners>,
    /// All lengths are multiplied by this power of two.
    factor: f64,
    twin: Twin<Shape<f64>>,
    number: PhantomData<T>,
}

pub(crate) struct Corners {
    /// No others have it.
    pub(super) number: u64,
    pub(super) points: Vec<Vec2<f64>>,
    /// The corners, relative to the first.
    pub(super) rows: PointRows<Vec2<f64>>,
    /// For separating axes.
    pub(super) sides: Option<Sides>,
    pub(super) center: Vec2<f64>,
    /// The largest coordinate.
    pub(super) size: f64,
    /// The largest distance from the origin, relative to the size.
    pub(super) reach: f64,
    /// The largest distance from the centre, relative to the size; a little more.
    pub(super) outer_radius: f64,
}

impl<T: Real> ConvexPolygon<T> {
    /// The polygon with these corners, in either winding. O(n log n).
    ///
    /// Repeated points and points inside an edge are dropped. Points that all lie on one line, in any
    /// order, are legal: the polygon is then the segment between the outermost two.
    ///
    /// # Errors
    /// - [`Error::TooFewPoints`] when there is none, [`Error::NotFinite`] when a coordinate is;
    /// - [`Error::NotConvex`] when the corners do not turn the same way all around, or turn around more
    ///   than once. The index is that of the first given point where this shows.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::{Error, d2::ConvexPolygon};
    /// let dented = ConvexPolygon::new([[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]);
    /// assert_eq!(dented, Err(Error::NotConvex { what: "polygon", index: 2 }));
    /// ```
    pub fn new(points: impl IntoIterator<Item = impl Into<Vec2<T>>>) -> Result<Self, Error> {
        let points = collected(points)?;
        let predicates = Predicates::new(&points);
        let hull = hull_of(&predicates);
        let wrong_turn = if 2 < hull.len() { first_wrong_turn(&predicates) } else { None };
        if let Some(index) = wrong_turn {
            return Err(Error::NotConvex { what: "polygon", index });
        }
        Ok(Self::from_corners(hull.into_iter().map(|index| points[index]).collect()))
    }

    /// The convex hull of points, in any order.
    ///
    /// # Errors
    /// When there is no point, or a coordinate is not finite.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::ConvexPolygon;
    /// let hull = ConvexPolygon::from_hull([[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]])?;
    /// assert_eq!(hull.points().len(), 3);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn from_hull(points: impl IntoIterator<Item = impl Into<Vec2<T>>>) -> Result<Self, Error> {
        let points = collected(points)?;
        let hull = hull_of(&Predicates::new(&points));
        Ok(Self::from_corners(hull.into_iter().map(|index| points[index]).collect()))
    }

    fn from_corners(points: Vec<Vec2<f64>>) -> Self {
        let size = points.iter().fold(0.0, |size: f64, p| p.max_abs().max_of(size));
        // Relative to the size, so that neither the sum nor a square can overflow.
        let scaled = |p: &Vec2<f64>| if size == 0.0 { *p } else { *p / size };
        let sum = points.iter().fold(Vec2::ZERO, |sum, p| sum + scaled(p) / points.len() as f64);
        let reach = points.iter().fold(0.0, |reach: f64, p| Vector::length(scaled(p)).max_of(reach));
        // From the centre as it is: among the subnormal numbers it is rounded by more than the rest.
        let middle = scaled(&(sum * size));
        let radius = |p: &Vec2<f64>| Vector::length(scaled(p) - middle) * (1.0 + 16.0 * f64::EPSILON);
        let outermost = points.iter().fold(0.0, |most: f64, p| radius(p).max_of(most));
        let corners = Arc::new(Corners {
            number: new_number(),
            // Points at the ends of the range have no differences; nothing then asks for their rows.
            rows: PointRows::new(points.iter().map(|&point| point - points[0])),
            sides: Sides::new(&points, sum * size, size),
            center: sum * size,
            outer_radius: outermost + 16.0 * f64::EPSILON,
            points,
            size,
            reach,
        });
        ConvexPolygon { corners, factor: 1.0, twin: Twin::NONE, number: PhantomData }.with_twin()
    }

    /// The corners, counter-clockwise.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec2<T>> + Clone + '_ {
        self.corners.points.iter().map(|&point| Vec2::narrow(point * self.factor))
    }
}

fn collected<T: Real>(points: impl IntoIterator<Item = impl Into<Vec2<T>>>) -> Result<Vec<Vec2<f64>>, Error> {
    let points: Vec<Vec2<T>> = points.into_iter().map(Into::into).collect();
    check_points(&points)?;
    // Adding zero makes −0 and 0 the same.
    Ok(points.into_iter().map(|point| point.widen() + Vec2::ZERO).collect())
}

/// The first point of a closed walk around points that are not all on one line where it turns the wrong
/// way, turns back, or begins a second round.
fn first_wrong_turn(predicates: &Predicates<Vec2<f64>>) -> Option<usize> {
    let points = predicates.points();
    let before = |p: Vec2<f64>, q: Vec2<f64>| p.x < q.x || (p.x == q.x && p.y < q.y);
    // Without repetitions; what is left has three different points at least.
    let mut walk: Vec<usize> = Vec::with_capacity(points.len());
    for index in 0..points.len() {
        if walk.last().is_none_or(|&last| points[last] != points[index]) {
            walk.push(index);
        }
    }
    while 1 < walk.len() && points[walk[0]] == points[walk[walk.len() - 1]] {
        walk.pop();
    }
    let count = walk.len();
    let turn =
        |k: usize| predicates.orientation([walk[(k + count - 1) % count], walk[k], walk[(k + 1) % count]]);
    // The smallest point is a corner of the hull: the walk turns there the way it turns everywhere, or back.
    let mut smallest = 0;
    for k in 1..count {
        if before(points[walk[k]], points[walk[smallest]]) {
            smallest = k;
        }
    }
    let winding = turn(smallest);
    if winding == 0.0 {
        return Some(walk[smallest]);
    }
    // A convex walk goes up in the order of the points once and down once.
    let rises = |k: usize| before(points[walk[k % count]], points[walk[(k + 1) % count]]);
    let mut changes = 0;
    for (k, &index) in walk.iter().enumerate() {
        let turns = turn(k);
        let changed = rises(k + count - 1) != rises(k);
        changes += u32::from(changed);
        let is_wrong = (turns < 0.0 && 0.0 < winding) || (0.0 < turns && winding < 0.0);
        // Straight on keeps its direction.
        if is_wrong || (turns == 0.0 && changed) || 2 < changes {
            return Some(index);
        }
    }
    None
}

impl<T> ConvexPolygon<T> {
    /// Whether the corners come before those of another; `None` for equal ones.
    pub(crate) fn before(&self, other: &Self) -> Option<bool> {
        let (ours, theirs) = (&self.corners.points, &other.corners.points);
        if ours.len() != theirs.len() {
            return Some(ours.len() < theirs.len());
        }
        let mut pairs = ours.iter().zip(theirs);
        pairs.find_map(|(p, q)| crate::pair::order::before([*p * self.factor], [*q * other.factor]))
    }

    /// What the pair kernels ask.
    #[inline]
    pub(crate) fn view(&self) -> PolygonView<'_> {
        PolygonView::new(&self.corners, self.factor)
    }
}

impl ConvexPolygon<f64> {
    /// The corner with this number, at scale.
    pub(crate) fn corner(&self, index: usize) -> Vec2<f64> {
        self.corners.points[index] * self.factor
    }

    /// The surface point nearest to p. Inside, the nearest edge, the first of equals; which side of an
    /// edge p is on is decided exactly.
    pub(crate) fn nearest(&self, p: Vec2<f64>) -> Nearest<Vec2<f64>> {
        let count = self.corners.points.len();
        if count <= 2 {
            return on_segment(self.corner(0), self.corner(count - 1), p);
        }
        let edge =
            |index: usize| (self.corner(index), self.corner(if index + 1 < count { index + 1 } else { 0 }));
        let mut inside = true;
        let mut deepest = Nearest { point: p, distance: f64::NEG_INFINITY, normal: Vec2::unit(0) };
        let mut nearest: Option<(Foot<Vec2<f64>>, Vec2<f64>)> = None;
        for (from, to) in (0..count).map(edge) {
            let along = scale::lifted(to - from);
            let length = Vector::length(along);
            let normal = -along.perpendicular() / length;
            if 0.0 <= orient2d([from, to, p], Range::of(&[from, to, p])) {
                let height = cross2(along, p - from) / length;
                if inside && deepest.distance < 0.0 - height {
                    deepest = Nearest { point: p + normal * height, distance: 0.0 - height, normal };
                }
                continue;
            }
            inside = false;
            let foot = foot_on_segment(from, to, p);
            if nearest.is_none_or(|(best, _)| foot.distance < best.distance) {
                nearest = Some((foot, normal));
            }
        }
        match nearest {
            // Just outside, where rounding hides the direction, the normal of the edge must do.
            Some((foot, normal)) => foot.with_normal(p.max_abs() + self.size(), || normal),
            None if self.is_flattened() => {
                // On one line, the order of the coordinates is that along the line.
                let before = |p: Vec2<f64>, q: Vec2<f64>| p.x < q.x || (p.x == q.x && p.y < q.y);
                let ends =
                    (1..count).map(|index| self.corner(index)).fold([self.corner(0); 2], |[low, high], q| {
                        [if before(q, low) { q } else { low }, if before(high, q) { q } else { high }]
                    });
                on_segment(ends[0], ends[1], p)
            }
            // Inside, and at most on the surface.
            None => Nearest { distance: deepest.distance.min_of(0.0), ..deepest },
        }
    }

    /// Whether the corners are on one line at the scale of the question, where the least of their coordinates are zero
    /// beside the largest. The edges then see nothing on that line, be it ever so far away.
    fn is_flattened(&self) -> bool {
        let is_on_line = |[from, to]: [usize; 2]| {
            let (from, to) = (self.corner(from), self.corner(to));
            let mut corners = (0..self.corners.points.len()).map(|index| self.corner(index));
            corners.all(|p| orient2d([from, to, p], Range::of(&[from, to, p])) == 0.0)
        };
        let count = self.corners.points.len();
        self.factor != 1.0 && (0..count).all(|index| is_on_line([index, (index + 1) % count]))
    }
}

/// The same corners.
impl<T> PartialEq for ConvexPolygon<T> {
    fn eq(&self, other: &Self) -> bool {
        self.factor == other.factor
            && (Arc::ptr_eq(&self.corners, &other.corners) || self.corners.points == other.corners.points)
    }
}

impl<T: Real> fmt::Debug for ConvexPolygon<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConvexPolygon ")?;
        f.debug_list().entries(self.points().map(|point| (point.x, point.y))).finish()
    }
}

lends_twin!(ConvexPolygon, Shape<f64>);

impl<T: Real> Widen for ConvexPolygon<T> {
    type Wide = ConvexPolygon<f64>;
    #[inline]
    fn widen(&self) -> ConvexPolygon<f64> {
        ConvexPolygon {
            corners: Arc::clone(&self.corners),
            factor: self.factor,
            twin: Twin::NONE,
            number: PhantomData,
        }
    }
}

impl Resize for ConvexPolygon<f64> {
    fn size(&self) -> f64 {
        self.corners.size * self.factor
    }
    fn resized(&self, factor: f64) -> Self {
        ConvexPolygon { factor: self.factor * factor, ..self.widen() }
    }
}

impl Bounded<Vec2<f64>> for ConvexPolygon<f64> {
    fn bounds(&self, frame: &Frame<Vec2<f64>>) -> Aabb<Vec2<f64>> {
        self.points().fold(Aabb::empty(), |all, point| all.merged(frame.placed_point(point)))
    }
}
