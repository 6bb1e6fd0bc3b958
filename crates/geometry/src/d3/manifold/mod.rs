//! Contact manifolds of space: at most four points.
//!
//! * [`feature`]: the face, edge or rim of each kind of shape that faces a direction;
//! * [`hull`]: the faces of convex hulls;
//! * [`disc`]: the caps of cylinders and the bases of cones on something;
//! * [`reduce`]: four points that span most of what many span.

mod disc;
mod feature;
mod hull;
mod reduce;

use super::closest::nearest_point;
use super::pair::{Pair, Question, ask, contact_within, has_no_contact, not_finite, unsupported};
use super::shape::{AsShape, Shape, ShapeRef};
use crate::Error;
use crate::answer::Separation;
use crate::error::not_negative;
use crate::manifold::clip::Side;
use crate::manifold::feature::{Feature, Offers};
use crate::manifold::gather::{Candidate, Candidates, Facing, gather};
use crate::manifold::query::{BESIDE, PROJECTIONS, manifold_queries};
use crate::manifold::watch::{Shown, Watch};
use crate::manifold::{FeaturePair, MOST, Manifold, ManifoldPoint};
use crate::pair::Relation;
use crate::pair::direct::Found;
use crate::pair::meet::Meets;
use crate::pair::place::{Relative, Turn};
use crate::pair::query::seem_finite;
use crate::shape::Resize;
use carom_math::{Mat3, Pose3, Real, Vec3, Vector};
use feature::has_disc;
use hull::MOST_CORNERS;
use reduce::reduce;
use std::cell::Cell;

pub(crate) use hull::{Faces, HullFaces};

type Matrix = Mat3<f64>;
type Chosen = ([Candidate<Vec3<f64>>; MOST], usize);

manifold_queries! {
    Vec3, Pose3,
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

/// Shapes of kinds that are known go the same way whoever asks.
#[inline]
fn choose(
    first: &Shape<f64>,
    second: &Shape<f64>,
    pair: &Pair,
    found: &Separation<Vec3<f64>>,
    margin: f64,
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Chosen {
    match (first, second) {
        (Shape::Cuboid(a), Shape::Cuboid(b)) => choose_between(a, b, pair, found, margin, watcher),
        (Shape::Cuboid(a), Shape::Capsule(b)) => choose_between(a, b, pair, found, margin, watcher),
        (Shape::Capsule(a), Shape::Capsule(b)) => choose_between(a, b, pair, found, margin, watcher),
        _ if has_disc(first) || has_disc(second) => {
            // A disc has four points, three a side of what it lies on, and the contact has one.
            match first.corners_at_most().max(second.corners_at_most()) {
                ..=4 => choose_among::<4, 17>(first, second, pair, found, margin, watcher),
                5..=16 => choose_among::<16, 53>(first, second, pair, found, margin, watcher),
                _ => choose_among::<MOST_CORNERS, { 3 * MOST_CORNERS + 5 }>(
                    first, second, pair, found, margin, watcher,
                ),
            }
        }
        _ => choose_between(first, second, pair, found, margin, watcher),
    }
}

/// For shapes without discs. A polygon gains at most one corner from each side that clips it, and the contact
/// has one. Room that is not needed costs time.
#[inline(always)]
fn choose_between(
    first: &impl Offers<Vec3<f64>, Matrix>,
    second: &impl Offers<Vec3<f64>, Matrix>,
    pair: &Pair,
    found: &Separation<Vec3<f64>>,
    margin: f64,
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Chosen {
    match first.corners_at_most().max(second.corners_at_most()) {
        ..=2 => choose_among::<2, 3>(first, second, pair, found, margin, watcher),
        3..=4 => choose_among::<4, 9>(first, second, pair, found, margin, watcher),
        5..=16 => choose_among::<16, 33>(first, second, pair, found, margin, watcher),
        _ => choose_among::<MOST_CORNERS, { 2 * MOST_CORNERS + 1 }>(
            first, second, pair, found, margin, watcher,
        ),
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
        let ends = if feature.round { None } else { feature.highest_ends(along) };
        ends.map(|ends| {
            let mut edge = Feature::between(ends, feature.radius);
            edge.spine = feature.spine;
            edge
        })
    }

    fn on_disc<const N: usize, const M: usize>(
        disc: &Feature<Self, N>,
        other: &Feature<Self, N>,
        along: Self,
        error: f64,
        candidates: &mut Candidates<Self, M>,
    ) {
        disc::on_disc(disc, other, along, error, candidates);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::d3::{Ball, Cuboid};

    /// Every step, by how many points it has.
    #[derive(Default)]
    struct Notes(Vec<(&'static str, Vec<Vec3<f64>>)>);

    impl Watch<Vec3<f64>> for Notes {
        fn faces(
            &mut self,
            reference: impl Iterator<Item = Vec3<f64>>,
            incident: impl Iterator<Item = Vec3<f64>>,
        ) {
            self.0.push(("reference", reference.collect()));
            self.0.push(("incident", incident.collect()));
        }
        fn clipped(&mut self, _: Vec3<f64>, polygon: impl Iterator<Item = Vec3<f64>>) {
            self.0.push(("clipped", polygon.collect()));
        }
        fn gathered(&mut self, points: impl Iterator<Item = Vec3<f64>>) {
            self.0.push(("gathered", points.collect()));
        }
        fn reduced(&mut self, points: impl Iterator<Item = Vec3<f64>>) {
            self.0.push(("reduced", points.collect()));
        }
    }

    /// A quarter of the upper box stands on the lower one: two of its sides cut, two do not.
    #[test]
    fn a_watcher_sees_the_steps_in_the_world() {
        let (cube, mut notes) = (Cuboid::new([1.0, 1.0, 1.0]).unwrap(), Notes::default());
        let (below, above) = (Vec3::new(10.0, 0.0, 0.0), Vec3::new(11.0, 1.75, 1.0));
        let (a, b) = (cube.as_shape(), cube.as_shape());
        let found = manifold_watched(a, below.into(), b, above.into(), 0.0, &mut notes).unwrap();
        assert_eq!(found, manifold(&cube, below, &cube, above).unwrap());
        let steps: Vec<(&str, usize)> = notes.0.iter().map(|(name, points)| (*name, points.len())).collect();
        let sides = ("clipped", 4);
        assert_eq!(
            steps,
            [("reference", 4), ("incident", 4), sides, sides, sides, sides, ("gathered", 4), ("reduced", 4)]
        );
        assert!(notes.0[0].1.iter().all(|p| p.y == 1.0) && notes.0[1].1.iter().all(|p| p.y == 0.75));
        let points: Vec<Vec3<f64>> = found.unwrap().points().iter().map(|p| p.point).collect();
        assert_eq!(notes.0.last().unwrap().1, points);
        let mut notes = Notes::default();
        let ball = Ball::new(1.0).unwrap();
        manifold_watched(ball.as_shape(), below.into(), b, above.into(), 0.0, &mut notes).unwrap();
        assert_eq!(notes.0.len(), 1);
    }
}
