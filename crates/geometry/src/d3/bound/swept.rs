//! Boxes and balls of rigid motions in space.

use super::super::motion::{finite_motion, largest_arm_of, local_axis};
use super::super::{AsShape, Shape};
use crate::Error;
use crate::bound::swept::{Sweep, swept_queries};
use crate::bound::{Aabb, Bounded, BoundingBall, Frame};
use crate::motion::spin::Spin;
use carom_math::{Motion3, Number, Pose3, Real, Vec3, Vector};

type Angular = Vec3<f64>;

swept_queries! {
    Vec3, Pose3, Motion3,
"use carom_geometry::d3::{Cuboid, swept_aabb};
use carom_math::{Motion3, Pose3};
// A beam turns by a quarter about the y axis, and covers a quarter of a disc on each side.
let beam = Cuboid::new([2.0, 0.0, 0.0])?;
let turn = Motion3::from_velocity(Pose3::IDENTITY, [0.0, 8.0, 0.0], [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
let swept = swept_aabb(&beam, turn)?;
assert!(2.0 <= swept.max.x && swept.max.x < 2.01 && 2.0 <= swept.max.z && swept.max.z < 2.01);
assert!(swept.min.y <= 0.0 && 8.0 <= swept.max.y && swept.max.y < 8.0 + 1e-12);",
"use carom_geometry::d3::{Ball, swept_ball};
use carom_math::{Motion3, Pose3};
let fall = Motion3::between(Pose3::at([0.0, 4.0, 0.0]), Pose3::at([0.0, 0.0, 0.0]));
let swept = swept_ball(&Ball::new(1.0)?, fall)?;
assert_eq!(swept.center().y, 2.0);
assert!(3.0 <= swept.radius() && swept.radius() < 3.0 + 1e-12);"
}
