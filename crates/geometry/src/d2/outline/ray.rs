//! An outline and a ray.

use super::edges::Edges;
use super::point::{Local, Place};
use super::{Outline, taming};
use crate::cast::query::is_late;
use crate::error::finite_pose;
use crate::exact::{orientation, side_of_ray};
use crate::manifold::feature::{Kind, number};
use crate::{Error, Hit, Ray, RayOptions};
use carom_math::{Number, Pose2, Real, Vec2, Vector};
use core::cmp::Ordering;

type Point = Vec2<f64>;

impl<T: Real> Outline<T> {
    /// Where a ray of the world first meets the outline at this pose, or `None`.
    ///
    /// Which edges are met is decided exactly for the ray as it appears in the frame of the outline:
    /// no ray slips through a corner, and grazing a corner or running along an edge counts. A ray that
    /// starts on an edge hits it at t = 0. One that starts inside hits at t = 0 with the normal opposite to
    /// its direction when `solid`, and else the edge where it leaves, whose normal points outwards as
    /// always. Where edges are met at the same t, the one that faces the ray most counts, then the lowest.
    ///
    /// # Errors
    /// When the pose is not finite, `max` is negative or NaN, or the answer is too large.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d2::{Outline, Ray};
    /// let square = Outline::new([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])?;
    /// let ray = Ray::new([-1.0, 4.0], [2.0, -1.0])?;
    /// let hit = square.cast_ray([0.0, 0.0], &ray, Default::default())?.expect("it hits");
    /// assert_eq!((hit.t, hit.point.y, hit.normal.x), (0.5, 3.5, -1.0));
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    pub fn cast_ray(
        &self,
        pose: impl Into<Pose2<T>>,
        ray: &Ray<Vec2<T>>,
        options: RayOptions<T>,
    ) -> Result<Option<Hit<Vec2<T>>>, Error> {
        let options = options.check()?;
        let pose = finite_pose("pose", pose.into())?.widen();
        let (origin, direction) = (ray.origin().widen(), ray.direction().widen());
        let local = Local::new(&self.edges, pose, origin);
        // The direction has a scale of its own: with lengths times f and the direction times g, the
        // parameter is t·f/g.
        let stretch = taming([direction.max_abs()]);
        let local_direction = pose.rotation.inverse().rotate(direction * stretch);
        let (t, normal, feature) = if options.solid && local.place() == Place::Inside {
            (0.0, (-direction).normalized().unwrap_or(Vec2::ZERO), 0)
        } else {
            match local.edges.first_hit(local.point, local_direction) {
                None => return Ok(None),
                Some((t, edge)) => {
                    let outward = local.edges.outward(edge).normalized().unwrap_or(Vec2::ZERO);
                    (t * stretch / local.factor, pose.rotation.rotate(outward), number(Kind::Edge, edge))
                }
            }
        };
        if is_late(t, options.max) {
            return Ok(None);
        }
        let hit = Hit {
            t: T::from_f64(t),
            point: Vec2::narrow(origin + direction * t),
            normal: Vec2::narrow(normal),
            feature,
        };
        if hit.t.finite() && hit.point.finite() {
            Ok(Some(hit))
        } else {
            Err(Error::Overflow { what: "the hit", number: T::NAME })
        }
    }
}

impl Edges {
    /// The smallest t >= 0 at which origin + t·direction is on an edge, and the edge.
    fn first_hit(&self, origin: Point, direction: Point) -> Option<(f64, usize)> {
        let facing = |index: usize| {
            let outward = self.outward(index).normalized().unwrap_or(Vec2::ZERO);
            outward.dot(direction)
        };
        let mut best: Option<(f64, f64, usize)> = None;
        self.tree().cast_ray(origin, direction, f64::INFINITY, |index, _| {
            let t = hit_edge(origin, direction, self.edge(index))?;
            let candidate = (t, facing(index), index);
            if best.is_none_or(|best| candidate < best) {
                best = Some(candidate);
            }
            Some(t)
        })?;
        best.map(|(t, _, index)| (t, index))
    }
}

/// The smallest t >= 0 at which a ray meets an edge. Whether it does is exact, and so are t = 0 and the
/// agreement of neighbouring edges about their common corner.
///
/// Let wₐ and w_b be the distances of the ends from the line of the ray, times |d|. When they lie on
/// opposite sides, d × (b − a) = ±(wₐ + w_b) without cancellation, and the line-intersection technique
/// gives t = ((a − o) × (b − a)) / (d × (b − a)).
fn hit_edge(o: Point, d: Point, [a, b]: [Point; 2]) -> Option<f64> {
    let not_behind = |t: f64| (0.0 <= t).then_some(t.max_of(0.0));
    match (side_of_ray(o, d, a), side_of_ray(o, d, b)) {
        (Ordering::Equal, Ordering::Equal) => match (parameter(o, d, a), parameter(o, d, b)) {
            (t, u) if t < 0.0 && u < 0.0 => None,
            (t, u) if t < 0.0 || u < 0.0 => Some(0.0),
            (t, u) => Some(t.min_of(u)),
        },
        (Ordering::Equal, _) => not_behind(parameter(o, d, a)),
        (_, Ordering::Equal) => not_behind(parameter(o, d, b)),
        (of_a, of_b) if of_a == of_b => None,
        (_, of_b) => {
            // The edge passes the line of the ray towards the side of b; it does so ahead of the origin
            // when the origin lies on the same side of the edge as it would before being passed.
            let of_origin = orientation(a, b, o);
            if of_origin == Ordering::Equal {
                return Some(0.0);
            }
            if of_origin != of_b {
                return None;
            }
            let numerator = (a - o).cross(b - a).abs();
            let denominator = d.cross(a - o).abs() + d.cross(b - o).abs();
            let t = numerator / denominator;
            if t.is_finite() { Some(t) } else { Some(parameter(o, d, a).max_of(0.0)) }
        }
    }
}

/// The parameter of a point that lies on the line of the ray; its sign is exact.
fn parameter(o: Point, d: Point, p: Point) -> f64 {
    if d.x.abs() < d.y.abs() { (p.y - o.y) / d.y } else { (p.x - o.x) / d.x }
}
