//! The questions about a pair with the steps that lead to their answers; see [`crate::trace`].

pub use super::super::motion::explain::{cast_ray, cast_shape, time_of_impact};

use super::super::manifold::manifold_watched;
use super::{AsShape, Contact, Distance, Error, Pair, Relation, Relative, Separation, Shape, ShapeRef};
use crate::Manifold;
use crate::pair::core::is_slender;
use crate::trace::query::{explain_queries, record_cores};
use crate::trace::{AxisSource, Method, Recorder, Region, View, region_of};
use carom_math::{Mat3, Pose3, Real, Vec3};
use std::borrow::Cow;

explain_queries! {
    Vec3, Pose3, Mat3<f64>,
    intersects: "use carom_geometry::d3::{ConvexHull, Cuboid, explain};
use carom_geometry::trace::Step;
let tip = ConvexHull::new([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, -1.0, 0.0], [2.0, 0.0, 1.0]])?;
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let found = explain::intersects(&tip, [1.25, 0.0, 0.0], &cube, [0.0, 0.0, 0.0])?;
assert!(!found.answer);
// One direction in which the shapes are apart is enough.
assert!(found.steps.iter().any(|step| matches!(step, Step::Axis { separation, .. } if 0.0 < *separation)));",
    distance: "use carom_geometry::d3::{Ball, Cuboid, explain};
use carom_geometry::trace::{Region, Step};
let (cube, ball) = (Cuboid::new([1.0, 1.0, 1.0])?, Ball::new(0.5)?);
let found = explain::distance(&cube, [0.0, 0.0, 0.0], &ball, [4.0, 5.0, 0.0])?;
assert_eq!(found.answer.distance, 4.5);
// The point of the cube nearest to the centre lies on the edge along z where x and y are positive.
assert!(found.steps.iter().any(|step| matches!(step, Step::Nearest { region_a: Region::Edge(11), .. })));",
    contact: "use carom_geometry::d3::{Cuboid, explain};
use carom_geometry::trace::Step;
use carom_math::{Pose3, Quat, Vec3};
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let turned = Pose3::new([2.0, 0.5, 0.25], Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.5).unwrap());
let found = explain::contact(&cube, [0.0, 0.0, 0.0], &cube, turned)?;
let axes = found.steps.iter().filter(|step| matches!(step, Step::Axis { .. })).count();
assert_eq!(axes, 15);",
    contact_within: "use carom_geometry::d3::{Capsule, explain};
use carom_geometry::trace::{Region, Step};
let pill = Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.25)?;
let found = explain::contact_within(&pill, [0.0, 0.0, 0.0], &pill, [3.0, 0.0, 0.0], 1.0)?;
assert_eq!(found.answer.expect(\"within the margin\").depth, -0.5);
// The end of the first and the beginning of the second are nearest.
let (end, start) = (Region::Corner(1), Region::Corner(0));
assert!(found.steps.iter().any(|step| {
    matches!(step, Step::Nearest { region_a, region_b, .. } if (*region_a, *region_b) == (end, start))
}));",
    manifold: "use carom_geometry::d3::{Cuboid, explain, manifold};
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let found = explain::manifold(&cube, [0.0, 0.0, 0.0], &cube, [0.5, 1.75, 0.0])?;
assert_eq!(found.answer, manifold(&cube, [0.0, 0.0, 0.0], &cube, [0.5, 1.75, 0.0])?);",
    manifold_within: "use carom_geometry::d3::{Cuboid, explain};
use carom_geometry::trace::Step;
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let found = explain::manifold_within(&cube, [0.0, 0.0, 0.0], &cube, [0.5, 2.25, 0.0], 0.5)?;
// The bottom of the upper cube is clipped to the four sides of the top of the lower one.
assert_eq!(found.steps.iter().filter(|step| matches!(step, Step::Clip { .. })).count(), 4);
assert!(found.steps.iter().any(|step| matches!(step, Step::Chosen { points } if points.len() == 4)));"
}
