//! Contact manifolds of space: at most four points.
//!
//! * [`feature`]: the face, edge or rim of each kind of shape that faces a direction;
//! * [`hull`]: the faces of convex hulls;
//! * [`boxes`]: faces of boxes on each other, and under capsules;
//! * [`disc`]: the caps of cylinders and the bases of cones on something;
//! * [`reduce`]: four points that span most of what many span.

mod boxes;
mod disc;
mod feature;
mod hull;
mod reduce;

use super::closest::nearest_point;
use super::composite::manifold_by_parts;
use super::pair::{
    Pair, Plain, Question, Reading, ShortWay, ask, contact_within, has_range, is_common, plain_balls,
    plain_beside_ball, rank, shows_normal, unsupported,
};
use super::shape::{AsShape, Capsule, Cuboid, Shape, ShapeRef, Triangle};
use super::solid::HullView;
use crate::Error;
use crate::answer::Separation;
use crate::error::not_negative;
use crate::manifold::clip::Side;
use crate::manifold::feature::{Feature, Kind, Offers, SIDE_BY_SIDE, is_parallel, number};
use crate::manifold::gather::{Candidate, Candidates, FACING, Facing, gather};
use crate::manifold::query::{BESIDE, PROJECTIONS, manifold_queries};
use crate::manifold::touch::{Met, Points};
use crate::manifold::watch::{Shown, Watch};
use crate::manifold::{FeaturePair, MOST, Manifold, ManifoldPoint};
use crate::pair::Relation;
use crate::pair::boxes::{Boxes, FirstLook};
use crate::pair::core::Axis;
use crate::pair::meet::Meets;
use crate::pair::nearest::sign_if;
use crate::pair::place::{Relative, Turn};
use crate::pair::plain::ask_plainly;
use crate::pair::question::Found;
use crate::pair::segments::Segments;
use crate::shape::Resize;
use boxes::{capsule_on_face, face_of_boxes};
use carom_math::{Mat3, Number, Pose3, Real, Vec3, Vector};
use feature::{box_tip, has_disc};
use hull::MOST_CORNERS;
use reduce::reduce;
use std::cell::Cell;

pub(crate) use hull::{Faces, HullFaces};

type Matrix = Mat3<f64>;
type Place = Relative<Vec3<f64>, Matrix>;
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

/// A disc has four points, three a side of what it lies on, and the contact has one.
#[inline]
fn choose(
    first: &Shape<f64>,
    second: &Shape<f64>,
    place: &Place,
    found: &Separation<Vec3<f64>>,
    bounds: (f64, f64),
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Chosen {
    if !has_disc(first) && !has_disc(second) {
        return choose_between(first, second, place, found, bounds, watcher);
    }
    match first.corners_at_most().max(second.corners_at_most()) {
        ..=4 => choose_among::<4, 17>(first, second, place, found, bounds, watcher),
        5..=16 => choose_among::<16, 53>(first, second, place, found, bounds, watcher),
        _ => choose_among::<MOST_CORNERS, { 3 * MOST_CORNERS + 5 }>(
            first, second, place, found, bounds, watcher,
        ),
    }
}

/// For shapes without discs. A polygon gains at most one corner from each side that clips it, and the contact
/// has one. Room that is not needed costs time.
#[inline(always)]
fn choose_between(
    first: &impl Offers<Vec3<f64>, Matrix>,
    second: &impl Offers<Vec3<f64>, Matrix>,
    place: &Place,
    found: &Separation<Vec3<f64>>,
    bounds: (f64, f64),
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Chosen {
    match first.corners_at_most().max(second.corners_at_most()) {
        ..=2 => choose_among::<2, 3>(first, second, place, found, bounds, watcher),
        3..=4 => choose_among::<4, 9>(first, second, place, found, bounds, watcher),
        5..=16 => choose_among::<16, 33>(first, second, place, found, bounds, watcher),
        _ => choose_among::<MOST_CORNERS, { 2 * MOST_CORNERS + 1 }>(
            first, second, place, found, bounds, watcher,
        ),
    }
}

impl Touches<HullView<'_>> for HullView<'_> {}
impl Touches<Cuboid<f64>> for HullView<'_> {}
impl Touches<Triangle<f64>> for Triangle<f64> {}
impl Touches<Triangle<f64>> for Cuboid<f64> {}

impl Touches<Cuboid<f64>> for Cuboid<f64> {
    #[inline(always)]
    fn touches<T: Real>(
        &self,
        other: &Cuboid<f64>,
        place: &Place,
        (error, limit): (f64, f64),
        watcher: &mut impl Watch<Vec3<f64>>,
    ) -> Met<Vec3<f64>> {
        let halves = [self.half_extents(), other.half_extents()];
        let bounds = (error, limit);
        let found = match (Boxes { a: halves[0], b: halves[1], place, error }).relate_or_face(limit) {
            FirstLook::Beyond => return Met::Apart,
            FirstLook::Found(found) => found,
            FirstLook::Face(axis) => match face_of_boxes(halves, place, axis, bounds, watcher) {
                Some(points) => return Met::Here(points),
                None => self.relate(other, place, error),
            },
        };
        if found.separation <= limit && aside(&found).max_abs() <= BESIDE * error {
            let axis = Axis { separation: found.separation, normal: found.normal };
            if let Some(points) = face_of_boxes(halves, place, axis, bounds, watcher) {
                return Met::Here(points);
            }
            let is_steep =
                found.normal.max_abs().max_of(place.rotation.undo(found.normal).max_abs()) < FACING;
            if is_steep && !has_parallel_edges(place) {
                return one_point(self, other, place, &found, watcher);
            }
        }
        touch_at(self, other, place, &found, bounds, watcher)
    }
}

/// Whether edges of two boxes are parallel up to [`SIDE_BY_SIDE`].
#[inline(always)]
fn has_parallel_edges(place: &Place) -> bool {
    let largest = place.rotation.columns.into_iter().fold(0.0, |most: f64, x| x.max_abs().max_of(most));
    1.0 - SIDE_BY_SIDE * SIDE_BY_SIDE <= largest * largest
}

/// The point of the contact alone, when no face touches.
#[inline(always)]
fn one_point(
    a: &impl HasTip,
    b: &impl HasTip,
    place: &Place,
    found: &Separation<Vec3<f64>>,
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Met<Vec3<f64>> {
    let towards_a = -place.rotation.undo(found.normal);
    let feature = FeaturePair { a: a.tip_towards(found.normal), b: b.tip_towards(towards_a) };
    one_named_point(found, feature, watcher)
}

/// The same, given the features that touch.
#[inline(always)]
fn one_named_point(
    found: &Separation<Vec3<f64>>,
    feature: FeaturePair,
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Met<Vec3<f64>> {
    let point = found.point_a * 0.5 + found.point_b * 0.5;
    watcher.gathered([point].into_iter());
    Met::Point(found.normal, Candidate { point, depth: 0.0 - found.separation, feature })
}

/// A shape that knows what touches something that comes from a unit direction, in its own frame, when no face does: an edge
/// that is level up to [`SIDE_BY_SIDE`], otherwise a corner. See [`Feature::tip`].
trait HasTip {
    fn tip_towards(&self, direction: Vec3<f64>) -> u32;
}

impl HasTip for Cuboid<f64> {
    /// An edge along axis i rises by the i-th number of the direction. Of two that are level, the one along the
    /// lower axis. Boxes without volume have other features.
    #[inline(always)]
    fn tip_towards(&self, direction: Vec3<f64>) -> u32 {
        let half = self.half_extents();
        if half.x.min_of(half.y).min_of(half.z) == 0.0 {
            let face: Feature<_, 4> = self.feature(&Relative::IDENTITY, direction);
            return face.tip(direction);
        }
        let is_far = |x: f64| u32::from(0.0 <= x);
        let bits = is_far(direction.x) | is_far(direction.y) << 1 | is_far(direction.z) << 2;
        let is_level = |x: f64| u32::from(x.abs() <= SIDE_BY_SIDE);
        let level = is_level(direction.x) | is_level(direction.y) << 1 | is_level(direction.z) << 2;
        box_tip(bits as usize, level as usize)
    }
}

impl HasTip for Capsule<f64> {
    #[inline(always)]
    fn tip_towards(&self, direction: Vec3<f64>) -> u32 {
        rod_tip(self.segment().b() - self.segment().a(), direction)
    }
}

/// Of a capsule along a vector.
#[inline(always)]
fn rod_tip(along: Vec3<f64>, direction: Vec3<f64>) -> u32 {
    let (rise, squared) = (direction.dot(along), along.dot(along));
    let is_level = (0.0 < squared) & (rise * rise <= SIDE_BY_SIDE * SIDE_BY_SIDE * squared);
    let end = number(Kind::Vertex, usize::from(0.0 < rise));
    if is_level { number(Kind::Edge, 0) } else { end }
}

impl Touches<Capsule<f64>> for Cuboid<f64> {
    #[inline(always)]
    fn touches<T: Real>(
        &self,
        other: &Capsule<f64>,
        place: &Place,
        (error, limit): (f64, f64),
        watcher: &mut impl Watch<Vec3<f64>>,
    ) -> Met<Vec3<f64>> {
        let Some(found) = self.relate_for::<T>(other, place, (error, limit)) else { return Met::Apart };
        let axis = Axis { separation: found.separation, normal: found.normal };
        if found.separation <= limit
            && let Some(points) = capsule_on_face(
                self.half_extents(),
                &other.feature(place, found.normal),
                axis,
                (error, limit),
                watcher,
            )
        {
            return Met::Here(points);
        }
        touch_at(self, other, place, &found, (error, limit), watcher)
    }
}

impl Touches<Capsule<f64>> for Capsule<f64> {
    /// Most capsules cross, and have one point.
    #[inline(always)]
    fn touches<T: Real>(
        &self,
        other: &Capsule<f64>,
        place: &Place,
        (error, limit): (f64, f64),
        watcher: &mut impl Watch<Vec3<f64>>,
    ) -> Met<Vec3<f64>> {
        let Some(found) = self.relate_for::<T>(other, place, (error, limit)) else { return Met::Apart };
        if found.separation <= limit && aside(&found).max_abs() <= BESIDE * error {
            let (one, two) = (self.segment(), other.segment());
            if !is_parallel(one.b() - one.a(), place.rotation.apply(two.b() - two.a())) {
                return one_point(self, other, place, &found, watcher);
            }
        }
        touch_at(self, other, place, &found, (error, limit), watcher)
    }
}

/// Where two capsules meet whose contact is known, unless they are parallel, in the frame of their ends.
#[inline(always)]
fn rods_at(
    rods: &Segments<Vec3<f64>>,
    found: &Separation<Vec3<f64>>,
    _bounds: (f64, f64),
    watcher: &mut impl Watch<Vec3<f64>>,
) -> Met<Vec3<f64>> {
    let ([a0, a1], [b0, b1]) = (rods.a, rods.b);
    let (along_a, along_b) = (a1 - a0, b1 - b0);
    if is_parallel(along_a, along_b) {
        return Met::Aside;
    }
    let feature = FeaturePair { a: rod_tip(along_a, found.normal), b: rod_tip(along_b, -found.normal) };
    one_named_point(found, feature, watcher)
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
    use crate::d3::Ball;

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
