//! Contact manifolds of the plane: at most two points.
//!
//! The feature of a shape is the edge whose normal is most parallel to the direction; a segment and a
//! capsule have one edge with two sides. How edges meet stands in [`edges`], and
//! how sides of boxes do, where less is to be found out, in [`boxes`].

mod boxes;
mod edges;
mod rectangles;

use super::closest::nearest_point;
use super::composite::manifold_by_parts;
use super::pair::{
    Pair, Plain, Question, Reading, ShortWay, ask, contact_within, has_range, is_common, plain_balls,
    plain_beside_ball, rank, shows_normal, unsupported,
};
use super::shape::{AsShape, Capsule, Cuboid, Shape, ShapeRef};
use super::solid::PolygonView;
use crate::Error;
use crate::answer::Separation;
use crate::error::not_negative;
use crate::gjk::Support;
use crate::manifold::clip::Side;
use crate::manifold::feature::{Feature, Offers};
use crate::manifold::gather::{Candidate, Candidates, Facing, gather};
use crate::manifold::query::{BESIDE, PROJECTIONS, manifold_queries};
use crate::manifold::touch::{Met, Points};
use crate::manifold::watch::{Shown, Watch};
use crate::manifold::{FeaturePair, MOST, Manifold, ManifoldPoint};
use crate::pair::Relation;
use crate::pair::meet::Meets;
use crate::pair::nearest::sign_if;
use crate::pair::place::{Relative, Turn};
use crate::pair::plain::ask_plainly;
use crate::pair::product::cross2;
use crate::pair::question::Found;
use crate::pair::segments::Segments;
use crate::shape::Resize;
use boxes::side_of_boxes;
use carom_math::{Mat2, Pose2, Real, Vec2, Vector};
use edges::edge_on_edge;
pub(crate) use rectangles::meet as meet_rectangles;
use std::cell::Cell;

type Place = Relative<Vec2<f64>, Mat2<f64>>;
type Edge<const N: usize> = Feature<Vec2<f64>, N>;
type Matrix = Mat2<f64>;
type Chosen = ([Candidate<Vec2<f64>>; MOST], usize);

manifold_queries! {
    Vec2, Pose2,
    manifold: "use carom_geometry::d2::{Cuboid, manifold};
let square = Cuboid::new([1.0, 1.0])?;
let found = manifold(&square, [0.0, 0.0], &square, [0.5, 1.75])?.expect(\"they overlap\");
let places: Vec<f64> = found.points().iter().map(|point| point.point.x).collect();
assert_eq!((found.normal().y, found.depth()), (1.0, 0.25));
assert!(places.contains(&-0.5) && places.contains(&1.0) && places.len() == 2);",
    manifold_within: "use carom_geometry::d2::{Capsule, HalfSpace, manifold_within};
let ground = HalfSpace::new([0.0, 1.0], 0.0)?;
let pill = Capsule::new([-1.0, 0.0], [1.0, 0.0], 0.5)?;
let found = manifold_within(&ground, [0.0, 0.0], &pill, [0.0, 0.75], 0.5)?.expect(\"near enough\");
assert_eq!((found.points().len(), found.depth()), (2, -0.25));"
}

/// The same for shapes of any kind.
#[inline]
fn choose(
    first: &Shape<f64>,
    second: &Shape<f64>,
    place: &Place,
    found: &Separation<Vec2<f64>>,
    bounds: (f64, f64),
    watcher: &mut impl Watch<Vec2<f64>>,
) -> Chosen {
    choose_between(first, second, place, found, bounds, watcher)
}

/// Edges have two corners, clipped or not.
#[inline(always)]
fn choose_between(
    first: &impl Offers<Vec2<f64>, Matrix>,
    second: &impl Offers<Vec2<f64>, Matrix>,
    place: &Place,
    found: &Separation<Vec2<f64>>,
    bounds: (f64, f64),
    watcher: &mut impl Watch<Vec2<f64>>,
) -> Chosen {
    let a = first.feature::<2>(&Relative::IDENTITY, found.normal);
    let b = second.feature::<2>(place, -found.normal);
    match edge_on_edge(&a, &b, found, bounds, watcher) {
        Some(points) => points.parts(),
        None => choose_with_care(first, second, place, found, bounds, watcher),
    }
}

/// The general way, for edges that are points and where no point is as deep as the contact.
#[cold]
#[inline(never)]
fn choose_with_care(
    first: &impl Offers<Vec2<f64>, Matrix>,
    second: &impl Offers<Vec2<f64>, Matrix>,
    place: &Place,
    found: &Separation<Vec2<f64>>,
    bounds: (f64, f64),
    watcher: &mut impl Watch<Vec2<f64>>,
) -> Chosen {
    choose_among::<2, 3>(first, second, place, found, bounds, watcher)
}

impl Touches<PolygonView<'_>> for PolygonView<'_> {}
impl Touches<Cuboid<f64>> for PolygonView<'_> {}

impl Touches<Cuboid<f64>> for Cuboid<f64> {
    /// Boxes that overlap do so along the normal of a side, and need no points of a contact.
    #[inline(always)]
    fn touches<T: Real>(
        &self,
        other: &Cuboid<f64>,
        place: &Place,
        (error, limit): (f64, f64),
        watcher: &mut impl Watch<Vec2<f64>>,
    ) -> Met<Vec2<f64>> {
        match side_of_boxes([self.half_extents(), other.half_extents()], place, (error, limit), watcher) {
            Met::Aside => {}
            met => return met,
        }
        match self.relate_for::<T>(other, place, (error, limit)) {
            Some(found) => touch_at(self, other, place, &found, (error, limit), watcher),
            None => Met::Apart,
        }
    }
}

impl Touches<Capsule<f64>> for Cuboid<f64> {}
impl Touches<Capsule<f64>> for Capsule<f64> {}

/// Where two capsules meet whose contact is known, in the frame of their ends.
#[inline(always)]
fn rods_at(
    rods: &Segments<Vec2<f64>>,
    found: &Separation<Vec2<f64>>,
    (error, margin): (f64, f64),
    watcher: &mut impl Watch<Vec2<f64>>,
) -> Met<Vec2<f64>> {
    if BESIDE * error < aside(found).max_abs() {
        return Met::Aside;
    }
    let a = of_segment::<2>(rods.a[0], rods.a[1], rods.radii[0], found.normal);
    let b = of_segment::<2>(rods.b[0], rods.b[1], rods.radii[1], -found.normal);
    match edge_on_edge(&a, &b, found, (error, margin), watcher) {
        Some(points) => Met::Here(points),
        None => Met::Aside,
    }
}

impl Offers<Vec2<f64>, Matrix> for Cuboid<f64> {
    #[inline(always)]
    fn corners_at_most(&self) -> usize {
        2
    }
    #[inline(always)]
    fn feature<const N: usize>(&self, place: &Place, direction: Vec2<f64>) -> Edge<N> {
        of_box(self.half_extents(), place, direction)
    }
}

impl Offers<Vec2<f64>, Matrix> for Capsule<f64> {
    #[inline(always)]
    fn corners_at_most(&self) -> usize {
        2
    }
    #[inline(always)]
    fn feature<const N: usize>(&self, place: &Place, direction: Vec2<f64>) -> Edge<N> {
        let segment = self.segment();
        let (a, b) = (place.point(segment.a()), place.point(segment.b()));
        of_segment(a, b, self.radius(), direction)
    }
}

impl Offers<Vec2<f64>, Matrix> for PolygonView<'_> {
    #[inline(always)]
    fn corners_at_most(&self) -> usize {
        2
    }
    #[inline]
    fn feature<const N: usize>(&self, place: &Place, direction: Vec2<f64>) -> Edge<N> {
        of_polygon(self, place, direction)
    }
}

impl Offers<Vec2<f64>, Matrix> for Shape<f64> {
    fn corners_at_most(&self) -> usize {
        2
    }
    fn feature<const N: usize>(&self, place: &Place, direction: Vec2<f64>) -> Edge<N> {
        match self {
            Shape::Cuboid(cuboid) => cuboid.feature(place, direction),
            Shape::Triangle(triangle) => {
                of_triangle(triangle.corners().map(|corner| place.point(corner)), direction)
            }
            Shape::Segment(segment) => {
                of_segment(place.point(segment.a()), place.point(segment.b()), 0.0, direction)
            }
            Shape::Capsule(capsule) => capsule.feature(place, direction),
            Shape::Polygon(polygon) => polygon.view().feature(place, direction),
            Shape::HalfSpace(plane) => {
                let normal = place.rotation.apply(plane.normal());
                Feature::plane(normal, plane.offset() + normal.dot(place.translation))
            }
            Shape::Rounded(rounded) => rounded.core().feature(place, direction).inflated(rounded.radius()),
            Shape::Ball(_) | Shape::Ellipsoid(_) => Feature::nowhere_flat(),
            Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_) => {
                Feature::nowhere_flat()
            }
        }
    }
}

/// Of the two edges at the farthest corner the one more parallel to the direction, the earlier of equals:
/// no other can be nearer. Edge i runs from corner i to the next.
fn of_polygon<const N: usize>(polygon: &PolygonView<'_>, place: &Place, direction: Vec2<f64>) -> Edge<N> {
    let count = polygon.count();
    let corner = |index: usize| polygon.corner(index);
    if count <= 2 {
        let last = count.saturating_sub(1);
        let (a, b) = (place.point(corner(0)), place.point(corner(last)));
        return of_segment(a, b, 0.0, direction);
    }
    let local = place.rotation.undo(direction);
    let (_, farthest) = polygon.support(local);
    let next = |index: usize| if index + 1 < count { index + 1 } else { 0 };
    let outward = |index: usize| {
        polygon.unit_normal(index).unwrap_or_else(|| {
            let normal = -(corner(next(index)) - corner(index)).perpendicular();
            normal.normalized().unwrap_or(Vec2::ZERO)
        })
    };
    let after = farthest as usize;
    let before = if after == 0 { count - 1 } else { after - 1 };
    let (low, high) = (after.min(before), after.max(before));
    let index = if outward(low).dot(local) < outward(high).dot(local) { high } else { low };
    let ends = [index, next(index)];
    let normal = place.rotation.apply(outward(index));
    Feature::edge(ends.map(|index| place.point(corner(index))), ends, index, Some(normal), 0.0)
}

/// Corner i is named by bit 0 for the side along x and bit 1 for that along y.
fn of_box<const N: usize>(half: Vec2<f64>, place: &Place, direction: Vec2<f64>) -> Edge<N> {
    let local = place.rotation.undo(direction);
    let axis = usize::from(local.x.abs() < local.y.abs());
    let negative = local.get(axis) < 0.0;
    let sign = if negative { -1.0 } else { 1.0 };
    let corner = |end: f64| {
        let corner = half.with(axis, half.get(axis) * sign);
        place.point(corner.with(1 - axis, half.get(1 - axis) * end))
    };
    let bits = usize::from(!negative) << axis;
    let vertices = [bits, bits | 1 << (1 - axis)];
    let normal = place.rotation.column(axis) * sign;
    Feature::edge([corner(-1.0), corner(1.0)], vertices, axis * 2 + usize::from(negative), Some(normal), 0.0)
}

#[inline(always)]
fn of_segment<const N: usize>(a: Vec2<f64>, b: Vec2<f64>, radius: f64, direction: Vec2<f64>) -> Edge<N> {
    Feature::segment(a, b, side_towards(b - a, direction), radius)
}

/// The unit normal of a line on the side of a direction; the left one when it has no side.
#[inline(always)]
fn side_towards(along: Vec2<f64>, direction: Vec2<f64>) -> Option<Vec2<f64>> {
    let normal = along.perpendicular().normalized()?;
    Some(if normal.dot(direction) < 0.0 { -normal } else { normal })
}

/// Edge i runs from corner i to the next. A triangle without area is its longest edge.
fn of_triangle<const N: usize>(corners: [Vec2<f64>; 3], direction: Vec2<f64>) -> Edge<N> {
    let area = cross2(corners[1] - corners[0], corners[2] - corners[0]);
    let mut best: Option<(f64, usize, Option<Vec2<f64>>)> = None;
    for (index, from) in corners.into_iter().enumerate() {
        let along = corners[(index + 1) % 3] - from;
        let (score, normal) = if area == 0.0 {
            (along.length_squared(), side_towards(along, direction))
        } else {
            let left = along.perpendicular().normalized();
            let outward = left.map(|left| if 0.0 < area { -left } else { left });
            (outward.map_or(-2.0, |normal| normal.dot(direction)), outward)
        };
        if best.is_none_or(|(highest, ..)| highest < score) {
            best = Some((score, index, normal));
        }
    }
    let (_, index, normal) = best.unwrap_or((0.0, 0, None));
    let next = (index + 1) % 3;
    Feature::edge([corners[index], corners[next]], [index, next], index, normal, 0.0)
}

impl Facing for Vec2<f64> {
    fn sides<const N: usize>(reference: &Feature<Self, N>, along: Self, mut visit: impl FnMut(Side<Self>)) {
        // An edge of a box without width is a point, and has both sides there.
        let (Some(from), Some(to)) = (reference.corners().first(), reference.corners().last()) else {
            return;
        };
        let tangent = along.perpendicular();
        let forward = if tangent.dot(to.point - from.point) < 0.0 { -tangent } else { tangent };
        for (corner, outward) in [(from, -forward), (to, forward)] {
            visit(Side { outward, at: corner.point, name: corner.vertex, start: corner.vertex });
        }
    }

    /// Edges of the plane are faces.
    fn highest_edge<const N: usize>(_: &Feature<Self, N>, _: Self) -> Option<Feature<Self, 2>> {
        None
    }
}

/// The deepest point, and the one farthest from it; the first of equals.
fn reduce(points: &[Candidate<Vec2<f64>>], _normal: Vec2<f64>) -> ([Candidate<Vec2<f64>>; MOST], usize) {
    let none = Candidate { point: Vec2::ZERO, depth: 0.0, feature: FeaturePair::default() };
    let mut chosen = [none; MOST];
    let Some(mut first) = points.first() else { return (chosen, 0) };
    for point in points {
        if first.depth < point.depth {
            first = point;
        }
    }
    chosen[0] = *first;
    let mut farthest = 0.0;
    let mut count = 1;
    for point in points {
        let squared = (point.point - first.point).length_squared();
        if farthest < squared {
            (farthest, chosen[1], count) = (squared, *point, 2);
        }
    }
    (chosen, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifold::feature::{Kind, number};

    #[test]
    fn corners_of_a_box_are_named_by_their_sides() {
        let place = Place::IDENTITY;
        let edge = of_box::<2>(Vec2::new(1.0, 2.0), &place, Vec2::new(0.1, -1.0));
        let [from, to] = edge.corners() else { panic!("two corners") };
        assert_eq!((from.point, from.vertex), (Vec2::new(-1.0, -2.0), number(Kind::Vertex, 0)));
        assert_eq!((to.point, to.vertex), (Vec2::new(1.0, -2.0), number(Kind::Vertex, 1)));
        assert_eq!((edge.normal, edge.name), (Some(Vec2::new(0.0, -1.0)), number(Kind::Edge, 3)));
    }
}
