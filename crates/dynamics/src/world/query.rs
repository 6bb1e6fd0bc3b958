//! Questions about what is in a world: rays, overlaps, casts, the nearest point. All go over the trees of the
//! broad phase, and ties go to the lower index.

use super::World;
use super::add::check_vector;
use super::collider::{ColliderRecord, Filter};
use super::dimension::Engine;
use super::handle::{BodyHandle, ColliderHandle};
use crate::Error;
use carom_geometry::bound::Aabb;
use carom_geometry::{CastOptions, Hit, Ray, RayOptions};
use carom_math::{Number, Vector};

/// Whom a question is about.
///
/// # Example
/// ```
/// use carom_dynamics::{Filter, QueryFilter};
/// let everything = QueryFilter::default();
/// let walls = QueryFilter { filter: Filter { mask: 2, ..Filter::ALL }, ..everything };
/// assert!(!walls.sensors);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryFilter {
    /// Only shapes that meet this one.
    pub filter: Filter,
    /// Not the shapes of this body.
    pub except: Option<BodyHandle>,
    /// Whether sensors count; false by default.
    pub sensors: bool,
}

impl Default for QueryFilter {
    fn default() -> Self {
        QueryFilter { filter: Filter::ALL, except: None, sensors: false }
    }
}

/// What a ray or a moving shape met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<V: Vector> {
    /// The shape that was met.
    pub collider: ColliderHandle,
    /// Its body.
    pub body: BodyHandle,
    /// Where and when.
    pub hit: Hit<V>,
}

/// The shape that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<V> {
    /// The shape.
    pub collider: ColliderHandle,
    /// Its body.
    pub body: BodyHandle,
    /// The point of its surface that is closest.
    pub point: V,
    /// How far; negative inside.
    pub distance: f32,
}

impl<D: Engine> World<D> {
    /// The first shape that a ray meets, up to `max` times its direction.
    ///
    /// # Errors
    /// When `max` is negative or NaN, or what is met is too far away for the numbers.
    ///
    /// # Example
    /// ```
    /// use carom_dynamics::d2::{Body, World};
    /// use carom_geometry::d2::{Ball, Ray};
    /// let mut world = World::new();
    /// let ball = world.add(Body::dynamic().at([5.0, 0.0]).shape(Ball::new(1.0)?))?;
    /// let ray = Ray::new([0.0, 0.0], [1.0, 0.0])?;
    /// let met = world.cast_ray(&ray, 100.0, Default::default())?.expect("it hits");
    /// assert_eq!((met.body, met.hit.t), (ball, 4.0));
    /// # Ok::<(), carom_dynamics::Error>(())
    /// ```
    pub fn cast_ray(
        &self,
        ray: &Ray<D::Vector>,
        max: f32,
        filter: QueryFilter,
    ) -> Result<Option<RayHit<D::Vector>>, Error> {
        crate::error::not_negative("max", if max == f32::INFINITY { 0.0 } else { max })?;
        let (origin, direction) = (ray.origin(), ray.direction());
        let limit = core::cell::Cell::new(max);
        let may_meet = |bounds: Aabb<D::Vector>| may_enter(bounds, origin, direction, limit.get());
        self.first(filter, may_meet, &limit, |collider, pose, limit| {
            D::cast_ray(&collider.given.shape, pose, ray, RayOptions { max: limit, solid: true })
        })
    }

    /// The first shape that a moving shape meets: it starts at `pose` and moves by `motion`; t is the share
    /// of the way.
    ///
    /// # Errors
    /// When a number is not finite.
    pub fn cast_shape(
        &self,
        shape: &D::Shape,
        pose: impl Into<D::Pose>,
        motion: impl Into<D::Vector>,
        filter: QueryFilter,
    ) -> Result<Option<RayHit<D::Vector>>, Error> {
        let (pose, motion) = (pose.into(), motion.into());
        check_vector("motion", motion)?;
        let bounds = D::bounds(shape, pose)?;
        let (half, center) = (bounds.half_extents(), bounds.center());
        let limit = core::cell::Cell::new(1.0);
        let may_meet = |target: Aabb<D::Vector>| {
            let grown = Aabb { min: target.min - half, max: target.max + half };
            may_enter(grown, center, motion, limit.get())
        };
        self.first(filter, may_meet, &limit, |collider, at, limit| {
            let options = CastOptions { max: limit };
            D::cast_shape((shape, pose, motion), (&collider.given.shape, at), options)
        })
    }

    /// Every shape that touches the given one, by ascending index, until the visitor says false.
    ///
    /// # Errors
    /// When the pose is not finite, or a pair of shapes is too large for the numbers; those before it have been visited
    /// then.
    pub fn overlapping(
        &self,
        shape: &D::Shape,
        pose: impl Into<D::Pose>,
        filter: QueryFilter,
        mut visit: impl FnMut(ColliderHandle) -> bool,
    ) -> Result<(), Error> {
        let pose = pose.into();
        let bounds = D::bounds(shape, pose)?;
        let mut found = Vec::new();
        for tree in [&self.broad_phase.still, &self.broad_phase.moving] {
            tree.overlapping(bounds, |item| found.push(item));
        }
        found.sort_unstable();
        for item in found {
            let collider = &self.colliders.items[item as usize];
            if !self.is_asked(collider, filter) {
                continue;
            }
            let touches = D::intersects(shape, pose, &collider.given.shape, self.collider_pose(collider))?;
            if touches && !visit(self.colliders.handle(item as usize)) {
                break;
            }
        }
        Ok(())
    }

    /// The shape nearest to a point, no farther than `max`.
    ///
    /// # Errors
    /// When a number is not finite, `max` is negative, or the only shapes are too far away for the numbers.
    pub fn nearest(
        &self,
        point: impl Into<D::Vector>,
        max: f32,
        filter: QueryFilter,
    ) -> Result<Option<Nearest<D::Vector>>, Error> {
        let point = point.into();
        check_vector("point", point)?;
        crate::error::not_negative("max", if max == f32::INFINITY { 0.0 } else { max })?;
        let limit = core::cell::Cell::new(max);
        let mut best: Option<(u32, Nearest<D::Vector>)> = None;
        let mut failed = None;
        for tree in [&self.broad_phase.still, &self.broad_phase.moving] {
            let may_matter = |bounds: Aabb<D::Vector>| {
                // Boxes are fat by more than rounding can take away.
                let squared = bounds.distance_squared(point);
                (squared <= limit.get() * limit.get()).then_some(squared)
            };
            tree.search(may_matter, |item| {
                let collider = &self.colliders.items[item as usize];
                if !self.is_asked(collider, filter) {
                    return true;
                }
                let pose = self.collider_pose(collider);
                let closest = match D::closest_point(&collider.given.shape, pose, point) {
                    Ok(closest) => closest,
                    Err(error) => {
                        failed = Some(error);
                        return true;
                    }
                };
                let wins = match &best {
                    None => closest.distance <= limit.get(),
                    Some((index, nearest)) => {
                        closest.distance < nearest.distance
                            || closest.distance == nearest.distance && item < *index
                    }
                };
                if wins {
                    limit.set(closest.distance.max_of(0.0));
                    best = Some((
                        item,
                        Nearest {
                            collider: self.colliders.handle(item as usize),
                            body: self.bodies.handle(collider.body as usize),
                            point: closest.point,
                            distance: closest.distance,
                        },
                    ));
                }
                true
            });
        }
        // A distance without a number is larger than any that has one.
        match (best, failed) {
            (None, Some(error)) if max == f32::INFINITY => Err(error.into()),
            (best, _) => Ok(best.map(|(_, nearest)| nearest)),
        }
    }

    /// The pose of a shape in the world.
    pub(super) fn collider_pose(&self, collider: &ColliderRecord<D>) -> D::Pose {
        let place = &self.places[collider.body as usize];
        let (translation, turn) = collider.from_center;
        let translation = place.center + D::rotate(place.rotation, translation).widen();
        D::pose(D::Vector::narrow(translation), D::compose(turn, place.rotation))
    }

    pub(super) fn is_asked(&self, collider: &ColliderRecord<D>, filter: QueryFilter) -> bool {
        let body: BodyHandle = self.bodies.handle(collider.body as usize);
        (filter.sensors || !collider.given.is_sensor)
            && filter.except != Some(body)
            && filter.filter.meets(collider.given.filter)
    }

    /// The first hit over both trees, unless somebody on the way cannot be decided: who comes first is not known then.
    pub(super) fn first(
        &self,
        filter: QueryFilter,
        may_meet: impl Fn(Aabb<D::Vector>) -> Option<f32>,
        limit: &core::cell::Cell<f32>,
        cast: impl Fn(&ColliderRecord<D>, D::Pose, f32) -> Result<Option<Hit<D::Vector>>, carom_geometry::Error>,
    ) -> Result<Option<RayHit<D::Vector>>, Error> {
        let mut best: Option<(u32, RayHit<D::Vector>)> = None;
        let mut failed = None;
        for tree in [&self.broad_phase.still, &self.broad_phase.moving] {
            tree.search(&may_meet, |item| {
                let collider = &self.colliders.items[item as usize];
                if !self.is_asked(collider, filter) {
                    return true;
                }
                let hit = match cast(collider, self.collider_pose(collider), limit.get()) {
                    Ok(Some(hit)) => hit,
                    Ok(None) => return true,
                    Err(error) => {
                        failed = Some(error);
                        return false;
                    }
                };
                let wins = best
                    .as_ref()
                    .is_none_or(|(index, best)| hit.t < best.hit.t || hit.t == best.hit.t && item < *index);
                if wins {
                    limit.set(hit.t);
                    let collider = self.colliders.items[item as usize].body as usize;
                    best = Some((
                        item,
                        RayHit {
                            collider: self.colliders.handle(item as usize),
                            body: self.bodies.handle(collider),
                            hit,
                        },
                    ));
                }
                true
            });
        }
        match failed {
            Some(error) => Err(error.into()),
            None => Ok(best.map(|(_, hit)| hit)),
        }
    }
}

/// When a ray enters a box, or a little before; `None` when it is certainly not there for any t in [0, max].
/// Computed in `f64` and with room for its rounding.
fn may_enter<V: Vector<Scalar = f32>>(bounds: Aabb<V>, origin: V, direction: V, max: f32) -> Option<f32> {
    let (mut enter, mut leave) = (0.0_f64, f64::from(max));
    for axis in 0..V::DIM {
        let (low, high) = (f64::from(bounds.min.get(axis)), f64::from(bounds.max.get(axis)));
        let (o, d) = (f64::from(origin.get(axis)), f64::from(direction.get(axis)));
        if d == 0.0 {
            if o < low || high < o {
                return None;
            }
            continue;
        }
        let (first, last) = if 0.0 < d { (low - o, high - o) } else { (high - o, low - o) };
        enter = (first / d).max_of(enter);
        leave = (last / d).min_of(leave);
    }
    (enter <= leave * (1.0 + 1e-12)).then_some((enter * (1.0 - 1e-6)) as f32)
}
