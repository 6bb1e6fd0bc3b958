//! How far a point is from the edges of an outline, with bounds; the counterpart of
//! [`d3::MeshSolid::signed_distance`](crate::d3::MeshSolid::signed_distance).

use super::Outline;
use super::point::{Local, Place};
use crate::Error;
use crate::error::{finite_pose, finite_vector};
use carom_math::{Number, Pose2, Real, Vec2, Vector};

/// The distance from a point to the edges of an outline; see [`Outline::signed_distance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedDistance<T> {
    /// Negative inside, 0 on an edge.
    pub distance: T,
    /// A number that the true signed distance is never below.
    pub lower: T,
    /// A number that the true signed distance is never above.
    pub upper: T,
    /// Whether the point lies inside or on an edge.
    pub inside: bool,
    /// The closest point of the edges.
    pub point: Vec2<T>,
    /// The edge that it is on; the lowest of equally close ones.
    pub edge: usize,
    /// The outward unit normal there: that of the edge, or at a corner the mean of the normals of both edges.
    pub normal: Vec2<T>,
}

/// What bounds the rounding errors of turning a point into the frame of the outline and of its distance there,
/// relative to the size of the outline and of the point in that frame.
const DISTANCE_ERROR: f64 = 32.0 * f64::EPSILON;

impl<T: Real> Outline<T> {
    /// The distance from a point of the world to the edges, negative inside.
    ///
    /// The side is exact, as for [`contains_point`](Self::contains_point). `lower` and `upper` enclose the true
    /// distance, some 32ε of the size of the outline and its distance apart.
    ///
    /// # Errors
    /// When the pose or the point is not finite, or the answer is too large for the number type.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::Outline;
    /// let square = Outline::new([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])?;
    /// let answer = square.signed_distance([10.0, 0.0], [7.0, -4.0])?;
    /// assert_eq!((answer.distance, answer.point.x, answer.edge), (5.0, 10.0, 0));
    /// assert!(answer.lower <= 5.0 && 5.0 <= answer.upper && answer.normal.x == answer.normal.y);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn signed_distance(
        &self,
        pose: impl Into<Pose2<T>>,
        point: impl Into<Vec2<T>>,
    ) -> Result<SignedDistance<T>, Error> {
        let pose = finite_pose("pose", pose.into())?.widen();
        let point = finite_vector("point", point.into())?.widen();
        let local = Local::new(&self.edges, pose, point);
        let place = local.place();
        let (edge, closest, squared) = local.edges.closest(local.point);
        let found = squared.sqrt();
        let error = DISTANCE_ERROR * (local.edges.size() + local.point.max_abs());
        let (distance, low, high) = match place {
            Place::Boundary => (0.0, 0.0, 0.0),
            _ => (found, (found - error).max_of(0.0), found + error),
        };
        let [distance, low, high] = [distance, low, high].map(|length| length / local.factor);
        let is_inside = place != Place::Outside;
        let on_edge =
            if place == Place::Boundary { point } else { pose.point_to_world(closest / local.factor) };
        let normal = pose.rotation.rotate(local.edges.outward_at(edge, closest));
        let answer = SignedDistance {
            distance: T::from_f64(if is_inside { 0.0 - distance } else { distance }),
            lower: T::from_f64_down(if is_inside { 0.0 - high } else { low }),
            upper: T::from_f64_up(if is_inside { 0.0 - low } else { high }),
            inside: is_inside,
            point: Vec2::narrow(on_edge),
            edge,
            normal: Vec2::narrow(normal),
        };
        if answer.point.finite() && answer.lower.finite() && answer.upper.finite() {
            Ok(answer)
        } else {
            Err(Error::Overflow { what: "the distance", number: T::NAME })
        }
    }
}

impl super::Edges {
    /// The outward unit normal at a point of an edge; at its ends, the mean of those of both edges there.
    fn outward_at(&self, edge: usize, at: Vec2<f64>) -> Vec2<f64> {
        let count = self.points().len();
        let unit = |index: usize| self.outward(index % count).normalized().unwrap_or(Vec2::ZERO);
        let [from, to] = self.edge(edge);
        let beside = if at == from {
            unit(edge + count - 1)
        } else if at == to {
            unit(edge + 1)
        } else {
            Vec2::ZERO
        };
        // Edges that fold back almost onto each other have opposite normals.
        (unit(edge) + beside).normalized().unwrap_or_else(|| unit(edge))
    }
}
