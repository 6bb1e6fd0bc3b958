//! The questions about motion with the steps that lead to their answers; see [`crate::trace`].

use super::super::pair::explain::Explained;
use super::super::{AsShape, Ray, ShapeRef};
use crate::trace::motion_query::explain_motion;
use crate::trace::{Journey, Region, Step};
use crate::{CastOptions, Error, Hit, Impact, ImpactOptions, RayOptions};
use carom_math::{Motion3, Pose3, Real, Vec3, Vector};

explain_motion! {
    Vec3, Pose3, Motion3,
    cast_ray: "use carom_geometry::d3::{Cuboid, Ray, explain};
use carom_geometry::trace::{Region, Step};
let (cube, ray) = (Cuboid::new([1.0, 1.0, 1.0])?, Ray::new([-5.0, 0.0, 0.0], [2.0, 0.0, 0.0])?);
let found = explain::cast_ray(&cube, [0.0, 0.0, 0.0], &ray, Default::default())?;
assert_eq!(found.answer.map(|hit| hit.t), Some(2.0));
// In through the left side, out through the right one.
let way = found.steps.iter().find_map(|step| match step {
    Step::Passage { enter, exit, region_in, region_out, .. } => Some((*enter, *exit, *region_in, *region_out)),
    _ => None,
});
assert_eq!(way, Some((2.0, 3.0, Region::Face(1), Region::Face(0))));",
    cast_shape: "use carom_geometry::{CastOptions, d3::{Cuboid, ConvexHull, explain}};
use carom_geometry::trace::Step;
let (cube, tip) = (Cuboid::new([1.0, 1.0, 1.0])?, ConvexHull::new([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, -1.0, 0.0], [2.0, 0.0, 1.0]])?);
let (still, left) = ([0.0, 0.0, 0.0], [-1.0, 0.25, 0.0]);
let options = CastOptions { max: 10.0 };
let found = explain::cast_shape(&tip, [4.0, 0.0, 0.0], left, &cube, still, still, options)?;
let hit = found.answer.expect(\"it flies at the cube\");
// Each time that was looked at is proven to be no later than the touch.
assert!(found.steps.iter().all(|step| !matches!(step, Step::Look { t, .. } if hit.t < *t)));",
    time_of_impact: "use carom_geometry::d3::{Ball, Cuboid, explain};
use carom_geometry::trace::Step;
use carom_math::{Motion3, Pose3};
let (blade, ball) = (Cuboid::new([2.0, 0.125, 0.125])?, Ball::new(0.5)?);
let turn = Motion3::from_velocity(Pose3::IDENTITY, [0.0, 0.0, 0.0], [0.0, 0.0, 4.0]);
let still = Motion3::from_velocity(Pose3::at([0.0, 1.5, 0.0]), [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]);
let found = explain::time_of_impact(&blade, turn, &ball, still, Default::default())?;
let hit = found.answer.expect(\"it is in the way\");
let curve: Vec<(f64, f64)> = found.steps.iter().filter_map(|step| match step {
    Step::Look { t, separation, .. } if *t <= hit.lower => Some((*t, *separation)),
    _ => None,
}).collect();
assert!(curve.windows(2).all(|pair| pair[1].1 < pair[0].1)); // closer and closer"
}
