//! The questions about a pair with the steps that lead to their answers; see [`crate::trace`].

pub use super::super::motion::explain::{cast_ray, cast_shape, time_of_impact};

use super::super::manifold::manifold_watched;
use super::{AsShape, Contact, Distance, Error, Pair, Relation, Relative, Separation, Shape, ShapeRef};
use crate::Manifold;
use crate::pair::core::is_slender;
use crate::trace::query::{explain_queries, record_cores};
use crate::trace::{AxisSource, Method, Recorder, Region, View, region_of};
use carom_math::{Mat2, Pose2, Real, Vec2};
use std::borrow::Cow;

explain_queries! {
    Vec2, Pose2, Mat2<f64>,
    intersects: "use carom_geometry::d2::{ConvexPolygon, Cuboid, explain};
use carom_geometry::trace::Step;
let arrow = ConvexPolygon::new([[0.0, 0.0], [2.0, -1.0], [2.0, 1.0]])?;
let square = Cuboid::new([1.0, 1.0])?;
let found = explain::intersects(&arrow, [1.25, 0.0], &square, [0.0, 0.0])?;
assert!(!found.answer);
// One direction in which the shapes are apart is enough.
assert!(found.steps.iter().any(|step| matches!(step, Step::Axis { separation, .. } if 0.0 < *separation)));",
    distance: "use carom_geometry::d2::{Ball, Cuboid, explain};
use carom_geometry::trace::{Region, Step};
let (square, disc) = (Cuboid::new([1.0, 1.0])?, Ball::new(0.5)?);
let found = explain::distance(&square, [0.0, 0.0], &disc, [4.0, 5.0])?;
assert_eq!(found.answer.distance, 4.5);
// The point of the square nearest to the centre is the corner where x and y are positive.
assert!(found.steps.iter().any(|step| matches!(step, Step::Nearest { region_a: Region::Corner(3), .. })));",
    contact: "use carom_geometry::d2::{Cuboid, explain};
use carom_geometry::trace::Step;
let square = Cuboid::new([1.0, 1.0])?;
let found = explain::contact(&square, [0.0, 0.0], &square, [1.5, 0.25])?;
let axes: Vec<String> = found.steps.iter().filter_map(|step| match step {
    Step::Axis { source, separation, .. } => Some(format!(\"{source}: {separation}\")),
    _ => None,
}).collect();
assert_eq!(axes, [\"face a.x: -0.5\", \"face a.y: -1.75\", \"face b.x: -0.5\", \"face b.y: -1.75\"]);",
    contact_within: "use carom_geometry::d2::{Ball, HalfSpace, explain};
use carom_geometry::trace::{Region, Step};
let (ground, disc) = (HalfSpace::new([0.0, 1.0], 0.0)?, Ball::new(1.0)?);
let found = explain::contact_within(&ground, [0.0, 0.0], &disc, [0.0, 1.25], 0.5)?;
assert_eq!(found.answer.expect(\"within the margin\").depth, -0.25);
assert!(found.steps.iter().any(|step| matches!(step, Step::Nearest { region_a: Region::Face(0), .. })));",
    manifold: "use carom_geometry::d2::{Cuboid, explain, manifold};
let square = Cuboid::new([1.0, 1.0])?;
let found = explain::manifold(&square, [0.0, 0.0], &square, [0.5, 1.75])?;
assert_eq!(found.answer, manifold(&square, [0.0, 0.0], &square, [0.5, 1.75])?);",
    manifold_within: "use carom_geometry::d2::{Cuboid, explain};
use carom_geometry::trace::Step;
let square = Cuboid::new([1.0, 1.0])?;
let found = explain::manifold_within(&square, [0.0, 0.0], &square, [0.5, 2.25], 0.5)?;
// The lower edge of the upper square is clipped at both ends of the upper edge of the lower one.
assert_eq!(found.steps.iter().filter(|step| matches!(step, Step::Clip { .. })).count(), 2);
assert!(found.steps.iter().any(|step| matches!(step, Step::Chosen { points } if points.len() == 2)));"
}
