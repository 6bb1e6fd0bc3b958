//! First touch under rigid motion in space.

use super::super::composite::impact_by_parts;
use super::super::pair::{Body, body_of};
use super::super::pair::{comes_after, finite_pose, intersects, separation};
use super::super::{AsShape, Shape, ShapeRef};
use super::facing::facing;
use crate::answer::Separation;
use crate::batch::Pairs;
use crate::bound::{Bounded, Frame};
use crate::cast::query::Scales;
use crate::error::{finite_vector, one_for_each};
use crate::gjk::{self, Block, Corners, Posed, Proximity, Status, Support, Vertex, Warm};
use crate::motion::certificate::{Actor, Actors, Clear, Plane, With};
use crate::motion::chase::{Kept, Vertices, chased_pair};
use crate::motion::impact::{self, Impact, ImpactOptions, ImpactStep, Limits, Listener, Pairing};
use crate::motion::least_distance;
use crate::motion::query::{PACES, impact_query};
use crate::motion::side::{Side, side_of_block, side_of_segment, sides_of, turns_with};
use crate::motion::simple::{Simple, SimplePair};
use crate::motion::spin::{Spin, largest_arm};
use crate::pair::Relation;
use crate::pair::place::Turn;
use crate::sat::Solid;
use crate::shape::Resize;
use crate::trace::{Follow, Method, Told};
use crate::{Error, scale};
use carom_math::{Mat3, Motion3, Number, Pose3, Quat, Real, Vec3, Vector, power_of_two};

impact_query! {
    Vec3, Pose3, Motion3, Vec3<f64>, Mat3<f64>,
    /// When and where two shapes in rigid motion first touch: the smallest t in the interval of the options at
    /// which they have a common point; `None` when there is none. They move and turn at constant velocities,
    /// each about its local origin, by as much as they like: screws, spinning rods, many turns.
    ///
    /// No touch is ever missed: `lower` is proven to be before the first one. The first touch lies within
    /// `tolerance` of it, a time, as asked by the options unless the status says otherwise. Shapes that touch
    /// at the start are hit there, whichever way they move. The work is bounded by `options.max_steps`.
    /// Exchanging the shapes negates the normal and changes nothing else.
    ///
    /// All convex shapes and half-spaces, but not two half-spaces. A motion in `f32` is that of its start and
    /// its velocities, computed in `f64`.
    ///
    /// # Errors
    /// When a motion is not finite, the tolerance is negative or not finite, the interval is empty, or the
    /// answer or the way that the shapes go is out of range.
    ///
    /// # Example
    /// ```
    /// use carom_geometry::d3::{Cuboid, time_of_impact};
    /// use carom_math::{Motion3, Pose3};
    /// // A propeller that makes ten turns on its way through a thin wall.
    /// let (blade, wall) = (Cuboid::new([0.01, 2.0, 0.05])?, Cuboid::new([0.0001, 5.0, 5.0])?);
    /// let screw = Motion3::from_velocity(Pose3::at([-3.0, 0.0, 0.0]), [8.0, 0.0, 0.0], [62.8, 0.0, 0.0]);
    /// let still = Motion3::from_velocity(Pose3::IDENTITY, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
    /// let hit = time_of_impact(&blade, screw, &wall, still, Default::default())?.expect("no tunnelling");
    /// assert!((hit.t - (3.0 - 0.01 - 0.0001) / 8.0_f64).abs() < 1e-12);
    /// assert!((hit.normal.x - 1.0).abs() < 1e-12);
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    batch: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d3::{Ball, time_of_impact_batch};
use carom_math::{Motion3, Pose3};
let balls = [Ball::new(1.0)?; 3];
let at = |x: f64, speed: f64| Motion3::from_velocity(Pose3::at([x, 0.0, 0.0]), [speed, 0.0, 0.0], [0.0, 0.0, 0.0]);
let motions = [at(0.0, 0.0), at(6.0, -8.0), at(20.0, -8.0)];
let pairs = IndexedPairs::among(&balls, &motions, &[[0, 1], [0, 2]]);
let mut answers = vec![Ok(None); 2];
time_of_impact_batch(&pairs, Default::default(), &mut answers)?;
assert_eq!(answers[0].clone()?.map(|hit| hit.t), Some(0.5));
assert_eq!(answers[1], Ok(None)); // not within the time asked about, which ends at 1"
}

chased_pair!(Vec3, Pose3, Motion3, Vec3<f64>, Mat3<f64>, turned_about);

/// The rotation about an axis, a unit vector.
#[inline]
fn turned_about(axis: Vec3<f64>, angle: f64) -> Quat<f64> {
    let (sin, cos) = (0.5 * angle).sine_cosine();
    let [x, y, z] = (axis * sin).into();
    Quat::from_parts([x, y, z, cos])
}

/// The axis as seen from the shape: a rotation leaves its own axis alone, so it is the same at all times.
pub(crate) fn local_axis(start: Pose3<f64>, axis: Vec3<f64>) -> Vec3<f64> {
    start.rotation.inverse().rotate(axis)
}

/// No point of the core is farther from the axis through the origin. Exact up to rounding for what has
/// corners; curved shapes have those of their box.
pub(crate) fn largest_arm_of(core: &Shape<f64>, axis: Vec3<f64>) -> f64 {
    match core {
        Shape::Ball(_) => 0.0,
        Shape::Segment(segment) => largest_arm(axis, [segment.a(), segment.b()]),
        Shape::Capsule(capsule) => largest_arm(axis, [capsule.segment().a(), capsule.segment().b()]),
        // The opposite corners have the same.
        Shape::Cuboid(cuboid) => {
            let block = Block(cuboid.half_extents());
            largest_arm(axis, (0..4).map(|number| block.corner(number)))
        }
        Shape::Triangle(triangle) => largest_arm(axis, triangle.corners()),
        Shape::Hull(hull) => largest_arm(axis, hull.vertices()),
        other => largest_arm(axis, other.bounds(&Frame::new(Pose3::<f64>::IDENTITY)).corners()),
    }
}

/// No point of the core is farther from the plane across the axis through the origin.
fn height_of(body: &impl Support<Vec3<f64>>, axis: Vec3<f64>) -> f64 {
    let (below, above) = (-body.least_along(axis), -body.least_along(-axis));
    // As for the arm.
    above.max_of(below).max_of(0.0) + 32.0 * f64::EPSILON * Support::size(body)
}

/// The vertex of a number; `None` for what is curved.
pub(super) fn corner_of(body: &Body<'_>, number: u32) -> Option<Vec3<f64>> {
    match body {
        Body::Hull(hull) => Some(hull.vertex(number)),
        Body::Block(block) => Some(block.corner(number)),
        Body::Triangle(Corners(corners)) => corners.get(number as usize).copied(),
        Body::Segment(Corners(ends)) => ends.get(number as usize).copied(),
        Body::Cylinder(_) | Body::Cone(_) | Body::Ellipsoid(_) => None,
    }
}
