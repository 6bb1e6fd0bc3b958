//! Contact manifolds of space: at most four points.
//!
//! * [`feature`]: the face, edge or rim of each kind of shape that faces a direction;
//! * [`reduce`]: four points that span most of what many span.

mod feature;
mod reduce;

use super::pair::{Pair, finite_pose, has_no_contact, separation, unsupported};
use super::shape::{AsShape, Shape};
use crate::Error;
use crate::answer::Separation;
use crate::error::not_negative;
use crate::manifold::clip::Side;
use crate::manifold::feature::Feature;
use crate::manifold::gather::{Candidate, Facing, gather};
use crate::manifold::query::manifold_queries;
use crate::manifold::{FeaturePair, MOST, Manifold, ManifoldPoint};
use crate::pair::Relation;
use crate::pair::place::{Relative, Turn};
use carom_math::{Mat3, Pose3, Real, Vec3, Vector};
use feature::{feature_of, has_small_faces};
use reduce::reduce;

manifold_queries! {
    Vec3, Pose3, Mat3::IDENTITY,
    manifold: "use carom_geometry::d3::{Cuboid, HalfSpace, manifold};
let ground = HalfSpace::new([0.0, 1.0, 0.0], 0.0)?;
let crate_ = Cuboid::new([1.0, 0.5, 1.0])?;
let found = manifold(&ground, [0.0, 0.0, 0.0], &crate_, [0.0, 0.5, 0.0])?.expect(\"it stands\");
assert_eq!(found.points().len(), 4);
assert!(found.points().iter().all(|point| point.depth == 0.0 && point.point.y == 0.0));",
    manifold_within: "use carom_geometry::d3::{Capsule, Cuboid, manifold_within};
let table = Cuboid::new([2.0, 1.0, 2.0])?;
let pill = Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.5)?;
let found = manifold_within(&table, [0.0, 0.0, 0.0], &pill, [1.5, 1.75, 0.0], 0.5)?.expect(\"near enough\");
let places: Vec<f64> = found.points().iter().map(|point| point.point.x).collect();
// The pill reaches from 0.5 to 2.5, the table ends at 2.
assert_eq!((found.depth(), places), (-0.25, vec![0.5, 2.0]));"
}

/// A polygon gains at most one corner from each side that clips it.
fn choose(
    first: &Shape<f64>,
    second: &Shape<f64>,
    pair: &Pair,
    found: &Separation<Vec3<f64>>,
    margin: f64,
) -> Option<([Candidate<Vec3<f64>>; MOST], usize)> {
    // The features of round shapes serve a plane; against each other and against faces they are not tried.
    let is_round = |shape: &Shape<f64>| matches!(shape, Shape::Cylinder(_) | Shape::Cone(_));
    let is_plane = |shape: &Shape<f64>| matches!(shape, Shape::HalfSpace(_));
    if (is_round(first) && !is_plane(second)) || (is_round(second) && !is_plane(first)) {
        return None;
    }
    if has_small_faces(first) && has_small_faces(second) {
        choose_among::<4, 9>(first, second, pair, found, margin)
    } else {
        choose_among::<16, 33>(first, second, pair, found, margin)
    }
}

impl Facing for Vec3<f64> {
    fn sides<const N: usize>(reference: &Feature<Self, N>, along: Self, mut visit: impl FnMut(Side<Self>)) {
        let corners = reference.corners();
        for (index, corner) in corners.iter().enumerate() {
            let Some(next) = corners.get((index + 1) % corners.len()) else { continue };
            let outward = (next.point - corner.point).cross(along);
            visit(Side { outward, at: corner.point, name: corner.edge, start: corner.vertex });
        }
    }

    fn highest_edge<const N: usize>(feature: &Feature<Self, N>, along: Self) -> Option<Feature<Self, 2>> {
        let corners = feature.corners();
        let highest = feature.highest(along);
        let corner = corners.get(highest)?;
        let next = corners.get((highest + 1) % corners.len())?;
        let before = corners.get((highest + corners.len() - 1) % corners.len())?;
        let (from, to) =
            if along.dot(next.point) < along.dot(before.point) { (before, corner) } else { (corner, next) };
        let mut edge = Feature::new(from.edge, None, feature.radius);
        edge.push(from.point, from.vertex, from.edge);
        edge.push(to.point, to.vertex, from.edge);
        Some(edge)
    }
}
