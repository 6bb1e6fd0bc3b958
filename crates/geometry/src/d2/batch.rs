//! Many pairs in the plane: see [`crate::batch`].

use super::manifold::manifold_within;
use super::pair::{contact_within, distance, intersects};
use super::shape::{AsShape, Ball, Capsule, Cuboid, ShapeRef};
use crate::answer::{Contact, Distance};
use crate::batch::boxes::{Boxes, CapsuleBox};
use crate::batch::filter::{BallBox, Balls, Capsules, Plane};
use crate::batch::gather::Row;
use crate::batch::query::batch_queries;
use crate::batch::{Pair, Pairs};
use crate::error::{not_negative, one_for_each};
use crate::{Error, Manifold};
use carom_math::{Level, Pose2, Real, Rot2, Vec2, Vector};
use core::ops::Range;

batch_queries! {
    Vec2, Pose2, Plane, rotation_numbers,
    fields: [3, 7, 15, 13, 10],
    intersects: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Ball, intersects_batch};
use carom_math::Pose2;
let balls = [Ball::new(1.0)?; 3];
let poses = [[0.0, 0.0], [1.5, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&balls, &poses, &[[0, 1], [1, 2]]);
let mut answers = [None; 2];
intersects_batch(&pairs, &mut answers)?;
assert_eq!(answers, [Some(true), Some(false)]);",
    level: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Ball, intersects_batch_at};
use carom_math::{Level, Pose2};
let balls = [Ball::new(1.0)?; 3];
let poses = [[0.0, 0.0], [1.5, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&balls, &poses, &[[0, 1], [1, 2]]);
let mut answers = [None; 2];
// The least that every processor has.
intersects_batch_at(Level::baseline(), &pairs, &mut answers)?;
assert_eq!(answers, [Some(true), Some(false)]);",
    distance: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Ball, distance_batch};
use carom_math::Pose2;
let balls = [Ball::new(1.0)?; 3];
let poses = [[0.0, 0.0], [1.5, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&balls, &poses, &[[0, 1], [1, 2]]);
let mut answers = vec![Ok(Default::default()); 2];
distance_batch(&pairs, &mut answers)?;
assert_eq!(answers[1].clone()?.distance, 0.5);",
    contact: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Ball, contact_batch};
use carom_math::Pose2;
let balls = [Ball::new(1.0)?; 3];
let poses = [[0.0, 0.0], [1.5, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&balls, &poses, &[[0, 1], [1, 2]]);
let mut answers = vec![Ok(None); 2];
contact_batch(&pairs, &mut answers)?;
assert_eq!(answers[0].clone()?.map(|touch| touch.depth), Some(0.5));
assert_eq!(answers[1], Ok(None));",
    contact_within: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Ball, contact_within_batch};
use carom_math::Pose2;
let balls = [Ball::new(1.0)?; 3];
let poses = [[0.0, 0.0], [1.5, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&balls, &poses, &[[0, 1], [1, 2]]);
let mut answers = vec![Ok(None); 2];
contact_within_batch(&pairs, 0.75, &mut answers)?;
assert_eq!(answers[1].clone()?.map(|near| near.depth), Some(-0.5));",
    manifold: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Cuboid, manifold_batch};
use carom_math::Pose2;
let boxes = [Cuboid::new([1.0, 1.0])?; 3];
let poses = [[0.0, 0.0], [1.75, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&boxes, &poses, &[[0, 1], [1, 2]]);
let mut answers = vec![Ok(None); 2];
manifold_batch(&pairs, &mut answers)?;
assert_eq!(answers[0].clone()?.map(|touch| touch.points().len()), Some(2));
assert_eq!(answers[1], Ok(None));",
    manifold_within: "use carom_geometry::batch::IndexedPairs;
use carom_geometry::d2::{Cuboid, manifold_within_batch};
use carom_math::Pose2;
let boxes = [Cuboid::new([1.0, 1.0])?; 3];
let poses = [[0.0, 0.0], [1.75, 0.0], [4.0, 0.0]].map(Pose2::at);
let pairs = IndexedPairs::among(&boxes, &poses, &[[0, 1], [1, 2]]);
let mut answers = vec![Ok(None); 2];
manifold_within_batch(&pairs, 0.5, &mut answers)?;
assert_eq!(answers[1].clone()?.map(|near| near.points().len()), Some(2));"
}

#[inline(always)]
fn rotation_numbers<T: Real>(rotation: Rot2<T>) -> [T; 2] {
    [rotation.cos(), rotation.sin()]
}
