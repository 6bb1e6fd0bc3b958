//! Boxes and balls of rigid motions in the plane.

use super::super::motion::{finite_motion, largest_arm_of, local_axis};
use super::super::{AsShape, Shape};
use crate::Error;
use crate::bound::swept::{Sweep, swept_queries};
use crate::bound::{Aabb, Bounded, BoundingBall, Frame};
use crate::motion::spin::Spin;
use carom_math::{Motion2, Number, Pose2, Real, Vec2, Vector};

type Angular = f64;

swept_queries! {
    Vec2, Pose2, Motion2,
"use carom_geometry::d2::{Cuboid, swept_aabb};
use carom_math::{Motion2, Pose2};
// A beam turns by a quarter.
let beam = Cuboid::new([2.0, 0.0])?;
let turn = Motion2::from_velocity(Pose2::IDENTITY, [8.0, 0.0], std::f64::consts::FRAC_PI_2);
let swept = swept_aabb(&beam, turn)?;
assert!(2.0 <= swept.max.y && swept.max.y < 2.01 && swept.min.x <= -2.0);",
"use carom_geometry::d2::{Ball, swept_ball};
use carom_math::{Motion2, Pose2};
let fall = Motion2::between(Pose2::at([0.0, 4.0]), Pose2::at([0.0, 0.0]));
let swept = swept_ball(&Ball::new(1.0)?, fall)?;
assert_eq!(swept.center().y, 2.0);
assert!(3.0 <= swept.radius() && swept.radius() < 3.0 + 1e-12);"
}
