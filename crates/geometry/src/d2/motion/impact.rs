//! First touch under rigid motion in the plane.

use super::super::composite::impact_by_parts;
use super::super::pair::{Body, body_of};
use super::super::pair::{comes_after, finite_pose, intersects, separation};
use super::super::{AsShape, Shape, ShapeRef};
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
use carom_math::{Mat2, Motion2, Number, Pose2, Real, Rot2, Vec2, Vector, power_of_two};

impact_query! {
    Vec2, Pose2, Motion2, f64, Mat2<f64>,
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
    /// use carom_geometry::d2::{Cuboid, HalfSpace, time_of_impact};
    /// use carom_math::{Motion2, Pose2};
    /// // A plank topples: half a turn about its middle, which is 1 above the ground, reaches the ground when
    /// // its end does.
    /// let (ground, plank) = (HalfSpace::new([0.0, 1.0], 0.0)?, Cuboid::new([2.0, 0.0])?);
    /// let still = Motion2::from_velocity(Pose2::IDENTITY, [0.0, 0.0], 0.0);
    /// let turn = Motion2::from_velocity(Pose2::at([0.0, 1.0]), [0.0, 0.0], std::f64::consts::PI);
    /// let hit = time_of_impact(&ground, still, &plank, turn, Default::default())?.expect("it turns into it");
    /// assert!((hit.t - 1.0 / 6.0).abs() < 1e-12); // sin 30° = 1/2
    /// # Ok::<(), carom_geometry::Error>(())
    /// ```
    batch: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Ball, time_of_impact_batch};
use carom_math::{Motion2, Pose2};
let balls = [Ball::new(1.0)?; 3];
let at = |x: f64, speed: f64| Motion2::from_velocity(Pose2::at([x, 0.0]), [speed, 0.0], 0.0);
let motions = [at(0.0, 0.0), at(6.0, -8.0), at(20.0, -8.0)];
let pairs = IndexedPairs::among(&balls, &motions, &[[0, 1], [0, 2]]);
let mut answers = vec![Ok(None); 2];
time_of_impact_batch(&pairs, Default::default(), &mut answers)?;
assert_eq!(answers[0].clone()?.map(|hit| hit.t), Some(0.5));
assert_eq!(answers[1], Ok(None)); // not within the time asked about, which ends at 1"
}

chased_pair!(Vec2, Pose2, Motion2, f64, Mat2<f64>, turned_about);

/// Counter-clockwise about the axis 1, clockwise about −1.
#[inline]
fn turned_about(axis: f64, angle: f64) -> Rot2<f64> {
    Rot2::from_angle(axis * angle)
}

/// In the plane there is one axis.
pub(crate) fn local_axis(_: Pose2<f64>, axis: f64) -> f64 {
    axis
}

/// No point of the core is farther from the origin. Exact up to rounding for what has corners; curved shapes
/// have those of their box.
pub(crate) fn largest_arm_of(core: &Shape<f64>, axis: f64) -> f64 {
    match core {
        Shape::Ball(_) => 0.0,
        Shape::Segment(segment) => largest_arm(axis, [segment.a(), segment.b()]),
        Shape::Capsule(capsule) => largest_arm(axis, [capsule.segment().a(), capsule.segment().b()]),
        // The opposite corners have the same.
        Shape::Cuboid(cuboid) => {
            let block = Block(cuboid.half_extents());
            largest_arm(axis, (0..2).map(|number| block.corner(number)))
        }
        Shape::Triangle(triangle) => largest_arm(axis, triangle.corners()),
        other => largest_arm(axis, other.bounds(&Frame::new(Pose2::<f64>::IDENTITY)).corners()),
    }
}

/// In the plane nothing leaves the plane across the axis.
fn height_of(_: &impl Support<Vec2<f64>>, _: f64) -> f64 {
    0.0
}

/// The vertex of a number; `None` for what is curved.
fn corner_of(body: &Body<'_>, number: u32) -> Option<Vec2<f64>> {
    match body {
        Body::Polygon(polygon) => Some(polygon.vertex(number)),
        Body::Block(block) => Some(block.corner(number)),
        Body::Triangle(Corners(corners)) => corners.get(number as usize).copied(),
        Body::Segment(Corners(ends)) => ends.get(number as usize).copied(),
        Body::Ellipse(_) => None,
    }
}

/// Polygons look at all of their sides at once; there is no shorter way.
#[inline(always)]
#[allow(clippy::type_complexity)] // as in space
fn facing(
    _bodies: [&Body<'_>; 2],
    _turns: [Mat2<f64>; 2],
    _between: Vec2<f64>,
    _error: f64,
    _kept: &mut Option<Kept<Vec2<f64>>>,
) -> Option<(Vec2<f64>, [Vertex<Vec2<f64>>; 3], usize)> {
    None
}
