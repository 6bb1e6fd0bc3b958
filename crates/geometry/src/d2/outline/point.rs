//! An outline and a point: inside or not, and how far from the edges.

use super::edges::Edges;
use super::predicate::point_on_segment;
use super::{Outline, taming};
use crate::bound::Aabb;
use crate::bvh::squared_distance_below;
use crate::error::{finite_pose, finite_vector};
use crate::exact::orientation;
use crate::pair::nearest::Nearest;
use crate::scale::{largest, shrinking};
use crate::{ClosestPoint, Error};
use carom_math::{Pose2, Real, Vec2, Vector};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use std::borrow::Cow;

type Point = Vec2<f64>;

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Inside,
    Boundary,
    Outside,
}

impl<T: Real> Outline<T> {
    /// Whether a point of the world lies in the outline at this pose; its edges count as inside.
    ///
    /// Exact for the point as it appears in the frame of the outline.
    ///
    /// # Errors
    /// When the pose or the point is not finite.
    pub fn contains_point(
        &self,
        pose: impl Into<Pose2<T>>,
        point: impl Into<Vec2<T>>,
    ) -> Result<bool, Error> {
        let pose = finite_pose("pose", pose.into())?;
        let point = finite_vector("point", point.into())?;
        Ok(Local::new(&self.edges, pose.widen(), point.widen()).place() != Place::Outside)
    }

    /// The point of the edges that is closest to a point of the world, and its distance, negative inside.
    ///
    /// Of equally close edges the lowest counts. The distance is within a few ε of the size of the pair;
    /// whether the point is inside is decided exactly, as by [`contains_point`](Self::contains_point), and
    /// for a point on an edge the distance is 0.
    ///
    /// # Errors
    /// When the pose or the point is not finite, or the answer is too large for the number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Outline;
    /// let square = Outline::new([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])?;
    /// let answer = square.closest_point([10.0, 0.0], [11.0, 2.0])?;
    /// assert_eq!((answer.point.x, answer.point.y, answer.distance, answer.inside), (10.0, 2.0, -1.0, true));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn closest_point(
        &self,
        pose: impl Into<Pose2<T>>,
        point: impl Into<Vec2<T>>,
    ) -> Result<ClosestPoint<Vec2<T>>, Error> {
        let pose = finite_pose("pose", pose.into())?.widen();
        let point = finite_vector("point", point.into())?.widen();
        let local = Local::new(&self.edges, pose, point);
        let place = local.place();
        let (on_edge, distance) = match place {
            Place::Boundary => (point, 0.0),
            _ => {
                let (_, closest, squared) = local.edges.closest(local.point);
                (pose.point_to_world(closest / local.factor), squared.sqrt() / local.factor)
            }
        };
        let signed = if place == Place::Inside { 0.0 - distance } else { distance };
        let answer = ClosestPoint {
            point: Vec2::narrow(on_edge),
            distance: T::from_f64(signed),
            inside: place != Place::Outside,
        };
        if answer.point.finite() && answer.distance.finite() {
            Ok(answer)
        } else {
            Err(Error::Overflow { what: "the closest point", number: T::NAME })
        }
    }
}

impl Outline<f64> {
    /// The nearest point of the edges in the frame of the outline, with the outward normal there: that of
    /// the edge for a point on it. Sizes are within the range in which squares are.
    pub(crate) fn nearest(&self, p: Point) -> Nearest<Point> {
        let (edge, point, squared) = self.edges.closest(p);
        let outward = || self.edges.outward(edge).normalized().unwrap_or(Vec2::unit(0));
        let (distance, away) = (squared.sqrt(), (p - point).normalized());
        match (self.edges.locate(p), away) {
            (Place::Outside, Some(normal)) => Nearest { point, distance, normal },
            (Place::Inside, Some(inward)) => Nearest { point, distance: 0.0 - distance, normal: -inward },
            (Place::Outside, None) => Nearest { point, distance, normal: outward() },
            (Place::Inside, None) => Nearest { point, distance: 0.0 - distance, normal: outward() },
            (Place::Boundary, _) => Nearest { point: p, distance: 0.0, normal: outward() },
        }
    }
}

/// A point in the frame of an outline, both at a scale where nothing overflows.
pub(super) struct Local<'a> {
    pub(super) edges: Cow<'a, Edges>,
    pub(super) point: Point,
    /// What lengths were multiplied by.
    pub(super) factor: f64,
    /// The edges and the point at their own scale, where that serves decisions better.
    plain: Option<(&'a Edges, Point)>,
}

impl<'a> Local<'a> {
    pub(super) fn new(edges: &'a Edges, pose: Pose2<f64>, point: Point) -> Self {
        let size = edges.size();
        let shrink = shrinking(largest([size, pose.translation.max_abs(), point.max_abs()]));
        let apart = point * shrink - pose.translation * shrink;
        let turn_back = pose.rotation.inverse();
        let tame = taming([size * shrink, apart.max_abs()]);
        let factor = shrink * tame;
        // Without a rotation that mixes coordinates no bit is lost at any scale, and the predicates are
        // exact at any scale, but scaling may drop bits of coordinates that are far smaller than others.
        let mixes = pose.rotation.cos() != 0.0 && pose.rotation.sin() != 0.0;
        let plain = pose.point_to_local(point);
        Local {
            edges: edges.scaled_if_needed(factor),
            point: turn_back.rotate(apart * tame),
            factor,
            plain: (!mixes && plain.finite()).then_some((edges, plain)),
        }
    }

    /// Where the point lies.
    pub(super) fn place(&self) -> Place {
        match self.plain {
            Some((edges, point)) => edges.locate(point),
            None => self.edges.locate(self.point),
        }
    }
}

impl Edges {
    /// Where a point lies, exactly: a horizontal ray to the right crosses the edges an odd number of times
    /// from inside. An edge includes its lower end and not its upper one, so that passing through a corner
    /// counts once, and touching one twice or not at all.
    pub(super) fn locate(&self, p: Point) -> Place {
        let to_the_right = Aabb { min: p, max: Vec2::new(f64::INFINITY, p.y) };
        let mut inside = false;
        let walk = self.tree().overlapping(to_the_right, |index| {
            let [a, b] = self.edge(index);
            if point_on_segment(p, [a, b]) {
                return ControlFlow::Break(());
            }
            let (a_is_below, b_is_below) = (a.y <= p.y, b.y <= p.y);
            if a_is_below != b_is_below {
                let (lower, upper) = if a_is_below { (a, b) } else { (b, a) };
                // The edge is to the right of p when p is to the left of the edge, seen upwards.
                inside ^= orientation(lower, upper, p) == Ordering::Greater;
            }
            ControlFlow::Continue(())
        });
        match (walk, inside) {
            (ControlFlow::Break(()), _) => Place::Boundary,
            (_, true) => Place::Inside,
            (_, false) => Place::Outside,
        }
    }

    /// The closest edge, its closest point, and the square of the distance.
    pub(super) fn closest(&self, p: Point) -> (usize, Point, f64) {
        let nearest = self.tree().nearest(
            |bounds| squared_distance_below(bounds, p),
            |index| closest_on_segment(p, self.edge(index)).1,
        );
        let edge = nearest.map_or(0, |(index, _)| index);
        let (point, squared) = closest_on_segment(p, self.edge(edge));
        (edge, point, squared)
    }
}

/// The closest point of a segment, and the square of its distance.
///
/// With d = b − a: the foot of the perpendicular is a + t·d with t = (p − a)·d / d·d. Between the ends the
/// distance is |(p − a) × d| / |d|, which does not inherit the rounding of the foot.
fn closest_on_segment(p: Point, [a, b]: [Point; 2]) -> (Point, f64) {
    let (d, from_a) = (b - a, p - a);
    let along = from_a.dot(d);
    let length_squared = d.dot(d);
    // Written so that a NaN or 0/0 takes the first branch.
    if 0.0 < along && along < length_squared {
        let area = from_a.cross(d);
        (a + d * (along / length_squared), area * area / length_squared)
    } else if length_squared <= along && 0.0 < length_squared {
        (b, (p - b).length_squared())
    } else {
        (a, from_a.length_squared())
    }
}
