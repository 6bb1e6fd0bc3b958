//! Two shapes: do they touch, how far apart, how deep.

pub mod explain;
mod flats;
mod general;
mod glance;
pub(crate) mod rectangles;

use super::closest::nearest_point;
use super::composite::{gap_by_parts, intersects_by_parts, separation_by_parts};
use super::manifold::{Touches, meet_rectangles};
use super::shape::{AsShape, Ball, Capsule, Cuboid, Shape, ShapeRef};
use super::solid::PolygonView;
use crate::Error;
use crate::answer::{Contact, Distance, Gap, Separation};
use crate::convex::general::{self as convex_pair, Flat};
use crate::convex::solids;
use crate::error::not_negative;
use crate::gjk::{Block, Posed, Support};
use crate::manifold::feature::Offers;
use crate::manifold::touch::Met;
use crate::pair::boxes::{EdgeAxes, best_box_axis, best_face_axis};
use crate::pair::core::{self, Axis, Core};
use crate::pair::direct::pair_direct;
use crate::pair::dispatch::pair_dispatch;
use crate::pair::framed::pair_frame;
use crate::pair::meet::{Meets, NearPoint};
use crate::pair::nearest::{self, is_longer};
use crate::pair::place::{Relative, Turn};
use crate::pair::plain::{ask_plainly, pair_plain};
use crate::pair::query::{
    ball_ball, half_space_and_corners, half_spaces, is_at_scale, is_narrow, pair_queries, rescaling_of,
    rounded_input, seem_finite, turns_seem_finite, with_ball,
};
use crate::pair::question::{Found, is_in_range, pair_question};
use crate::pair::segments::{Clearly, Segments};
use crate::pair::{ROUNDING, Relation, order};
use crate::sat::pairs::solid_pairs;
use crate::sat::{PairCache, Solid};
use crate::shape::{Resize, Widen};
use carom_math::{Mat2, Number, Pose2, Real, Rot2, Vec2, Vector, power_of_two};
use flats::normal_of;
use rectangles::Rectangular;
use std::borrow::{Borrow, Cow};
use std::cell::Cell;

pub use crate::pair::boxes::SatResult;
pub(crate) use general::{Body, body_of};

type Matrix = Mat2<f64>;
type Rotation = Rot2<f64>;

pair_queries! {
    Vec2, Pose2,
    intersects: "use carom_geometry::d2::{Ball, Cuboid, intersects};
let (disc, square) = (Ball::new(1.0)?, Cuboid::new([1.0, 1.0])?);
assert!(intersects(&disc, [0.0, 0.0], &square, [2.0, 0.5])?);
assert!(!intersects(&disc, [0.0, 0.0], &square, [1.9, 1.9])?);",
    distance: "use carom_geometry::d2::{Cuboid, Segment, distance};
let square = Cuboid::new([1.0, 1.0])?;
let wall = Segment::new([4.0, -5.0], [4.0, 5.0])?;
let found = distance(&square, [0.0, 0.0], &wall, [0.0, 0.0])?;
assert_eq!((found.distance, found.normal.x, found.point_b.x), (3.0, 1.0, 4.0));",
    distance_within: "use carom_geometry::d2::{Ball, distance_within};
let unit = Ball::new(1.0)?;
assert_eq!(distance_within(&unit, [0.0, 0.0], &unit, [3.5, 0.0], 2.0)?.map(|found| found.distance), Some(1.5));
assert!(distance_within(&unit, [0.0, 0.0], &unit, [3.5, 0.0], 1.0)?.is_none());",
    gap: "use carom_geometry::d2::{Ball, gap};
let unit = Ball::new(1.0)?;
assert_eq!(gap(&unit, [0.0, 0.0], &unit, [3.5, 0.0])?.distance, 1.5);",
    contact: "use carom_geometry::d2::{Cuboid, HalfSpace, contact};
let ground = HalfSpace::new([0.0, 1.0], 0.0)?;
let square = Cuboid::new([1.0, 1.0])?;
let touch = contact(&ground, [0.0, 0.0], &square, [0.0, 0.75])?.expect(\"it sank in\");
assert_eq!((touch.depth, touch.normal.y, touch.point_b.y), (0.25, 1.0, -0.25));",
    contact_within: "use carom_geometry::d2::{Ball, contact_within};
let unit = Ball::new(1.0)?;
let near = contact_within(&unit, [0.0, 0.0], &unit, [2.25, 0.0], 0.5)?.expect(\"within the margin\");
assert_eq!(near.depth, -0.25);
assert!(contact_within(&unit, [0.0, 0.0], &unit, [2.75, 0.0], 0.5)?.is_none());",
    sat: "use carom_geometry::d2::{Cuboid, SatResult, sat};
let square = Cuboid::new([1.0, 1.0])?;
let found = sat(&square, [0.0, 0.0], &square, [0.5, -1.75])?;
assert_eq!(found, SatResult::Overlapping { axis: [0.0, -1.0].into(), depth: 0.25 });"
}

pair_question!(Vec2, Pose2);

pair_direct!(Vec2, Pose2);

pair_plain!(Vec2, Pose2);

pair_frame!(Vec2, Pose2, rotation_numbers);

pair_dispatch!(Vec2, Rot2::IDENTITY.to_matrix());

solid_pairs! {
    Vec2, Pose2, Polygon, PolygonView, [],
    "use carom_geometry::d2::{ConvexPolygon, Cuboid, PairCache, contact_cached, distance_cached, intersects_cached};
let wedge = ConvexPolygon::new([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]])?;
let square = Cuboid::new([0.5, 0.5])?;
let (here, mut cache) = ([0.0, 0.0], PairCache::default());
assert!(!intersects_cached(&wedge, here, &square, [3.0, 0.25], &mut cache)?);
assert_eq!(distance_cached(&wedge, here, &square, [-1.5, 0.25], &mut cache)?.distance, 1.0);
let touch = contact_cached(&wedge, here, &square, [-0.25, 0.5], &mut cache)?.expect(\"they overlap\");
assert_eq!((touch.depth, touch.normal.x), (0.25, -1.0));"
}

/// What turns about an axis is a matter of space.
#[inline(always)]
fn relate_coaxial(
    _: &Shape<f64>,
    _: &Shape<f64>,
    _: &Place,
    _: [f64; 2],
    _: f64,
) -> Option<Separation<Vec2<f64>>> {
    None
}

impl<T: Real> Glance<T, Cuboid<T>> for Cuboid<T> {
    const GLANCES: bool = true;
    const SHOWS_OVERLAPS: bool = true;
    #[inline(always)]
    fn glance(&self, pose: &Pose2<T>, other: &Cuboid<T>, other_pose: &Pose2<T>) -> f32 {
        glance::boxes((self, pose), (other, other_pose))
    }
}

impl<T: Real> Glance<T, Capsule<T>> for Cuboid<T> {
    const GLANCES: bool = true;
    #[inline(always)]
    fn glance(&self, pose: &Pose2<T>, other: &Capsule<T>, other_pose: &Pose2<T>) -> f32 {
        glance::capsule_box((self, pose), (other, other_pose))
    }
}

impl<T: Real> Glance<T, Capsule<T>> for Capsule<T> {
    const GLANCES: bool = true;
    #[inline(always)]
    fn glance(&self, pose: &Pose2<T>, other: &Capsule<T>, other_pose: &Pose2<T>) -> f32 {
        glance::capsules((self, pose), (other, other_pose))
    }
}

/// Boxes, and a box and a capsule, are rectangles with radii.
macro_rules! short_way {
    ($first:ident, $second:ident) => {
        impl<T: Real> ShortWay<T, $second<T>> for $first<T> {
            const IS_THERE: bool = true;
            #[inline(always)]
            fn relate_shortly(
                &self,
                pose: &Pose2<T>,
                other: &$second<T>,
                other_pose: &Pose2<T>,
                bounds: (f64, f64),
            ) -> Clearly<Vec2<f64>> {
                let origin = pose.translation.widen();
                let (a, b) = (self.rectangle(pose, origin), other.rectangle(other_pose, origin));
                rectangles::relate(&a, &b, bounds)
            }
            #[inline(always)]
            fn meet_shortly(
                &self,
                pose: &Pose2<T>,
                other: &$second<T>,
                other_pose: &Pose2<T>,
                bounds: (f64, f64),
            ) -> Met<Vec2<f64>> {
                let origin = pose.translation.widen();
                let (a, b) = (self.rectangle(pose, origin), other.rectangle(other_pose, origin));
                meet_rectangles::<T, Self, $second<T>>(&a, &b, bounds)
            }
        }
    };
}

short_way!(Cuboid, Cuboid);
short_way!(Cuboid, Capsule);

// Tried 2026-11: two capsules as well. Their directions take two more roots before anything is known, and `distance` of random pairs
// took 1.2 times, of parallel ones 1.5 times as long as the nearest points of the segments.

/// The second rotation as the first sees it.
///
/// For answers in `f32` of the numbers as they are: to bring both rotations to unit length first would take longer, and only
/// the product need have it.
#[inline(always)]
fn relative_rotation<T: Real>(first: Rot2<T>, second: Rot2<T>) -> Rotation {
    if !is_narrow::<T>() {
        return first.widen().inverse() * second.widen();
    }
    let a = Vec2::new(first.cos().to_f64(), first.sin().to_f64());
    let b = Vec2::new(second.cos().to_f64(), second.sin().to_f64());
    of_unit_length(a.dot(b), a.x * b.y - a.y * b.x)
}

/// The pose in `f64`, with a rotation of unit length.
#[inline(always)]
fn straight<T: Real>(pose: impl Borrow<Pose2<T>>) -> Pose2<f64> {
    let pose = pose.borrow();
    if !is_narrow::<T>() {
        return pose.widen();
    }
    let rotation = of_unit_length(pose.rotation.cos().to_f64(), pose.rotation.sin().to_f64());
    Pose2 { rotation, translation: pose.translation.widen() }
}

/// The matrix of that rotation, for answers in `f32`; not a number for one that is not of unit length, which proves nothing.
#[inline(always)]
fn upright<T: Real>(rotation: Rot2<T>) -> Matrix {
    unit_or_nan(rotation).to_matrix()
}

/// The same for one or two vectors.
#[inline(always)]
fn spin<T: Real>(rotation: Rot2<T>) -> Matrix {
    upright(rotation)
}

#[inline(always)]
fn unit_or_nan<T: Real>(rotation: Rot2<T>) -> Rotation {
    let (cos, sin) = (rotation.cos().to_f64(), rotation.sin().to_f64());
    let excess = (cos * cos + sin * sin) - 1.0;
    // No branch: what has to be kept for both ways would be written to memory.
    let shrink = if excess.abs() <= power_of_two(-20) { shrinking(excess) } else { f64::NAN };
    Rot2::from_parts(cos - cos * shrink, sin - sin * shrink)
}

/// The rotation, divided by its length.
#[inline(always)]
fn of_unit_length(cos: f64, sin: f64) -> Rotation {
    let excess = (cos * cos + sin * sin) - 1.0;
    if power_of_two(-20) < excess.abs() {
        return Rot2::from_parts(cos, sin).widen();
    }
    let shrink = shrinking(excess);
    Rot2::from_parts(cos - cos * shrink, sin - sin * shrink)
}

/// By which part of itself a rotation with c² + s² = 1 + x is longer than 1. One in `f32` is of unit length up to rounding only: the factor is
/// 1/√(1 + x) = 1 − x/2 + 3x²/8 − …, neither root nor quotient, which all else would wait for. What is left out is
/// below 2⁻⁶¹.
#[inline(always)]
fn shrinking(excess: f64) -> f64 {
    excess * (0.5 - 0.375 * excess)
}

/// Triangles of the plane go the general way.
#[inline(always)]
fn ask_triangles<T: Real, Q: Question<T>>(
    _question: &Q,
    _a: (ShapeRef<'_, T>, &Pose2<T>),
    _b: (ShapeRef<'_, T>, &Pose2<T>),
) -> Option<Result<Q::Answer, Error>> {
    None
}

/// The place of the kinds that only the plane has in the canonical order.
fn own_rank(shape: &Shape<f64>) -> u8 {
    match shape {
        Shape::Compound(_) => 1,
        Shape::Outline(_) => 2,
        Shape::Polyline(_) => 3,
        Shape::HeightField(_) => 4,
        _ => 5,
    }
}

/// No further kinds have a kernel of their own.
#[inline]
fn own_touch(_: &Shape<f64>, _: &Shape<f64>, _: &Place, _: f64) -> Option<bool> {
    None
}

fn own_order(a: &Shape<f64>, b: &Shape<f64>) -> Option<bool> {
    match (a, b) {
        (Shape::Compound(a), Shape::Compound(b)) => a.before(b),
        (Shape::Outline(a), Shape::Outline(b)) => a.before(b),
        (Shape::Polyline(a), Shape::Polyline(b)) => a.before(b),
        (Shape::HeightField(a), Shape::HeightField(b)) => a.before(b),
        (Shape::Polygon(a), Shape::Polygon(b)) => a.before(b),
        _ => None,
    }
}

/// The lowest point of a polygon or an ellipse along a direction.
#[inline]
fn lowest_of(shape: &Shape<f64>, place: &Place, normal: Vec2<f64>) -> Option<Vec2<f64>> {
    if let Shape::Polygon(_) | Shape::Ellipsoid(_) = shape {
        let (body, _) = body_of(shape)?;
        return Some(place.point(body.support(-place.rotation.undo(normal)).0));
    }
    None
}

/// The faces are all the axes there are.
impl EdgeAxes<Vec2<f64>> for Mat2<f64> {
    #[inline(always)]
    fn improve_by_edge_axes(
        best: Axis<Vec2<f64>>,
        _: Vec2<f64>,
        _: Vec2<f64>,
        _: &Place,
        _: f64,
    ) -> Axis<Vec2<f64>> {
        best
    }
    #[inline(always)]
    fn largest_along_edge_axes(_: Vec2<f64>, _: Vec2<f64>, _: &Place) -> f64 {
        f64::NEG_INFINITY
    }
}

fn rotation_numbers<T: Real>(rotation: Rot2<T>) -> [T; 2] {
    [rotation.cos(), rotation.sin()]
}
