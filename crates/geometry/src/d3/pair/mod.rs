//! Two shapes: do they touch, how far apart, how deep.

mod box_axes;
mod boxes;
mod coaxial;
pub mod explain;
mod facets;
mod flats;
mod general;
mod glance;
mod round;
mod triangles;

use super::closest::nearest_point;
use super::composite::{gap_by_parts, intersects_by_parts, separation_by_parts};
use super::manifold::Touches;
use super::shape::{AsShape, Ball, Capsule, Cuboid, Shape, ShapeRef};
use super::solid::HullView;
use crate::Error;
use crate::answer::{Contact, Distance, Gap, Separation};
use crate::convex::general::{self as convex_pair, Flat};
use crate::convex::solids;
use crate::error::not_negative;
use crate::gjk::{Block, Posed, Support};
use crate::manifold::feature::Offers;
use crate::manifold::touch::Met;
use crate::pair::boxes::{best_box_axis, best_face_axis};
use crate::pair::core::{self, Core};
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
use crate::pair::rods::BoxAndRod;
use crate::pair::segments::{Clearly, Segments};
use crate::pair::{ROUNDING, Relation, order};
use crate::sat::pairs::solid_pairs;
use crate::sat::{PairCache, Sheet, Solid};
use crate::shape::{Resize, Widen};
use carom_math::{Mat3, Number, Pose3, Quat, Real, Vec3, Vector, power_of_two};
use std::borrow::{Borrow, Cow};
use std::cell::Cell;
use std::marker::PhantomData;

pub use crate::pair::boxes::SatResult;
pub(crate) use box_axes::{Arrival, clear_arrival};
pub(crate) use flats::normal_of;
pub(crate) use general::{Body, body_of};
pub(crate) use round::radial;

use coaxial::relate_coaxial;
use triangles::ask_triangles;
pub(crate) use triangles::relate_triangle;

type Matrix = Mat3<f64>;
type Rotation = Quat<f64>;

pair_queries! {
    Vec3, Pose3,
    intersects: "use carom_geometry::d3::{Ball, Cuboid, intersects};
let (ball, cube) = (Ball::new(1.0)?, Cuboid::new([1.0, 1.0, 1.0])?);
assert!(intersects(&ball, [0.0, 0.0, 0.0], &cube, [2.0, 0.5, 0.0])?);
assert!(!intersects(&ball, [0.0, 0.0, 0.0], &cube, [1.9, 1.9, 0.0])?);",
    distance: "use carom_geometry::d3::{Cuboid, Segment, distance};
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let pole = Segment::new([4.0, -5.0, 0.0], [4.0, 5.0, 0.0])?;
let found = distance(&cube, [0.0, 0.0, 0.0], &pole, [0.0, 0.0, 0.0])?;
assert_eq!((found.distance, found.normal.x, found.point_b.x), (3.0, 1.0, 4.0));",
    distance_within: "use carom_geometry::d3::{Ball, distance_within};
let unit = Ball::new(1.0)?;
assert_eq!(distance_within(&unit, [0.0, 0.0, 0.0], &unit, [3.5, 0.0, 0.0], 2.0)?.map(|found| found.distance), Some(1.5));
assert!(distance_within(&unit, [0.0, 0.0, 0.0], &unit, [3.5, 0.0, 0.0], 1.0)?.is_none());",
    gap: "use carom_geometry::d3::{Ball, gap};
let unit = Ball::new(1.0)?;
assert_eq!(gap(&unit, [0.0, 0.0, 0.0], &unit, [3.5, 0.0, 0.0])?.distance, 1.5);",
    contact: "use carom_geometry::d3::{Cuboid, HalfSpace, contact};
let ground = HalfSpace::new([0.0, 1.0, 0.0], 0.0)?;
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let touch = contact(&ground, [0.0, 0.0, 0.0], &cube, [0.0, 0.75, 0.0])?.expect(\"it sank in\");
assert_eq!((touch.depth, touch.normal.y, touch.point_b.y), (0.25, 1.0, -0.25));",
    contact_within: "use carom_geometry::d3::{Ball, contact_within};
let unit = Ball::new(1.0)?;
let near = contact_within(&unit, [0.0, 0.0, 0.0], &unit, [2.25, 0.0, 0.0], 0.5)?.expect(\"within the margin\");
assert_eq!(near.depth, -0.25);
assert!(contact_within(&unit, [0.0, 0.0, 0.0], &unit, [2.75, 0.0, 0.0], 0.5)?.is_none());",
    sat: "use carom_geometry::d3::{Cuboid, SatResult, sat};
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let found = sat(&cube, [0.0, 0.0, 0.0], &cube, [0.5, -1.75, 0.0])?;
assert_eq!(found, SatResult::Overlapping { axis: [0.0, -1.0, 0.0].into(), depth: 0.25 });"
}

pair_question!(Vec3, Pose3);

pair_direct!(Vec3, Pose3);

pair_plain!(Vec3, Pose3);

pair_frame!(Vec3, Pose3, rotation_numbers);

pair_dispatch!(Vec3, Mat3::IDENTITY);

solid_pairs! {
    Vec3, Pose3, Hull, HullView, [Triangle => Sheet::new],
    "use carom_geometry::d3::{ConvexHull, Cuboid, PairCache, contact_cached, distance_cached, intersects_cached};
let wedge = ConvexHull::new([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])?;
let cube = Cuboid::new([0.5, 0.5, 0.5])?;
let (here, mut cache) = ([0.0, 0.0, 0.0], PairCache::default());
assert!(!intersects_cached(&wedge, here, &cube, [3.0, 0.25, 0.25], &mut cache)?);
assert_eq!(distance_cached(&wedge, here, &cube, [-1.5, 0.25, 0.25], &mut cache)?.distance, 1.0);
let touch = contact_cached(&wedge, here, &cube, [-0.25, 0.5, 0.5], &mut cache)?.expect(\"they overlap\");
assert_eq!((touch.depth, touch.normal.x), (0.25, -1.0));"
}

impl<T: Real> Glance<T, Cuboid<T>> for Cuboid<T> {
    const GLANCES: bool = true;
    const SHOWS_OVERLAPS: bool = true;
    #[inline(always)]
    fn glance(&self, pose: &Pose3<T>, other: &Cuboid<T>, other_pose: &Pose3<T>) -> f32 {
        glance::boxes((self, pose), (other, other_pose))
    }
}

impl<T: Real> Glance<T, Capsule<T>> for Cuboid<T> {
    const GLANCES: bool = true;
    #[inline(always)]
    fn glance(&self, pose: &Pose3<T>, other: &Capsule<T>, other_pose: &Pose3<T>) -> f32 {
        glance::capsule_box((self, pose), (other, other_pose))
    }
}

impl<T: Real> ShortWay<T, Cuboid<T>> for Cuboid<T> {}

/// Without the relative rotation: the ends of the capsule are turned to the axes of the world and from there to those of the box.
impl<T: Real> ShortWay<T, Capsule<T>> for Cuboid<T> {
    const IS_THERE: bool = true;
    const MEASURES_ONLY: bool = true;
    #[inline(always)]
    fn relate_shortly(
        &self,
        pose: &Pose3<T>,
        other: &Capsule<T>,
        other_pose: &Pose3<T>,
        (error, limit): (f64, f64),
    ) -> Clearly<Vec3<f64>> {
        let (pair, turn, ends) = box_and_rod((self, pose), (other, other_pose), error);
        pair.relate_clearly(turn, ends, limit)
    }
    #[inline(always)]
    fn gap_shortly(
        &self,
        pose: &Pose3<T>,
        other: &Capsule<T>,
        other_pose: &Pose3<T>,
        error: f64,
    ) -> Option<(f64, f64)> {
        box_and_rod((self, pose), (other, other_pose), error).0.gap_clearly()
    }
}

/// A capsule in the frame of a box, how that is turned, and the ends of the capsule in the axes of the world about the centre of the box.
#[inline(always)]
fn box_and_rod<T: Real>(
    (a, pose_a): (&Cuboid<T>, &Pose3<T>),
    (b, pose_b): (&Capsule<T>, &Pose3<T>),
    error: f64,
) -> (BoxAndRod<Vec3<f64>, Matrix>, Matrix, [Vec3<f64>; 2]) {
    let (turn, turn_b) = (upright(pose_a.rotation), upright(pose_b.rotation));
    let between = pose_b.translation.widen() - pose_a.translation.widen();
    // No loop over the ends: it would be a call.
    let start = turn_b.apply(b.segment().a().widen()) + between;
    let end = turn_b.apply(b.segment().b().widen()) + between;
    let ends = [turn.undo(start), turn.undo(end)];
    let (half, radius) = (a.half_extents().widen(), b.radius().to_f64());
    (BoxAndRod { half, ends, radius, error, turn: PhantomData }, turn, [start, end])
}

impl<T: Real> Glance<T, Capsule<T>> for Capsule<T> {
    const GLANCES: bool = true;
    #[inline(always)]
    fn glance(&self, pose: &Pose3<T>, other: &Capsule<T>, other_pose: &Pose3<T>) -> f32 {
        glance::capsules((self, pose), (other, other_pose))
    }
}

/// The second rotation as the first sees it.
#[inline(always)]
fn relative_rotation<T: Real>(first: Quat<T>, second: Quat<T>) -> Rotation {
    first.widen().inverse() * second.widen()
}

/// The two, or the two exchanged, where they are.
/// The pose in `f64`; matrices are divided by the norm.
#[inline(always)]
fn straight<T: Real>(pose: impl Borrow<Pose3<T>>) -> Pose3<f64> {
    pose.borrow().widen()
}

/// The matrix of a rotation, for answers in `f32`: right to rounding, but not exact for turns by right angles. Not a number for a quaternion
/// that is not of unit length, which proves nothing.
#[inline(always)]
fn upright<T: Real>(rotation: Quat<T>) -> Matrix {
    let Spin { vector: Vec3 { x, y, z }, w, twice } = spin(rotation);
    let (tx, ty, tz) = (x * twice, y * twice, z * twice);
    let (xx, yy, zz) = (x * tx, y * ty, z * tz);
    let (xy, xz, yz) = (x * ty, x * tz, y * tz);
    let (wx, wy, wz) = (w * tx, w * ty, w * tz);
    Mat3 {
        columns: [
            Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
            Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
            Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
        ],
    }
}

/// The same rotation for one or two vectors, which takes less than the matrix, and less time until the first is known.
#[derive(Clone, Copy)]
struct Spin {
    vector: Vec3<f64>,
    w: f64,
    /// 2/|q|²
    twice: f64,
}

/// With |q|² = 1 + x, where x is what the rounding of `f32` leaves, 2/|q|² is 2 − 2x + 2x² − …, without a quotient, which all else would wait
/// for. What is left out is below 2⁻⁵⁹.
#[inline(always)]
fn spin<T: Real>(rotation: Quat<T>) -> Spin {
    let [x, y, z, w] = rotation.to_array().map(Real::to_f64);
    let excess = ((x * x + y * y) + (z * z + w * w)) - 1.0;
    let twice = 2.0 - (excess + excess) * (1.0 - excess);
    // No branch: what has to be kept for both ways would be written to memory.
    let twice = if excess.abs() <= power_of_two(-20) { twice } else { f64::NAN };
    Spin { vector: Vec3::new(x, y, z), w, twice }
}

impl Spin {
    /// v + 2/|q|²·(w·c + q×c) with c = q×v
    #[inline(always)]
    fn apply(self, v: Vec3<f64>) -> Vec3<f64> {
        let across = self.vector.cross(v);
        v + (across * self.w + self.vector.cross(across)) * self.twice
    }
    /// The rotation back: all of that with −q.
    #[inline(always)]
    fn undo(self, v: Vec3<f64>) -> Vec3<f64> {
        let across = v.cross(self.vector);
        v + (across * self.w + across.cross(self.vector)) * self.twice
    }
}

/// The place of the kinds that only space has in the canonical order.
fn own_rank(shape: &Shape<f64>) -> u8 {
    match shape {
        Shape::Compound(_) => 1,
        Shape::Mesh(_) => 2,
        Shape::HeightField(_) => 3,
        Shape::Hull(_) => 4,
        Shape::Cylinder(_) => 5,
        _ => 6,
    }
}

/// Whether two shapes in the canonical order touch, for kinds with a kernel of their own.
#[inline]
fn own_touch(a: &Shape<f64>, b: &Shape<f64>, place: &Place, error: f64) -> Option<bool> {
    match (a, b) {
        (Shape::Cuboid(a), Shape::Triangle(b)) => Some(a.touch(b, place, error)),
        (Shape::Triangle(a), Shape::Triangle(b)) => Some(a.touch(b, place, error)),
        _ => None,
    }
}

fn own_order(a: &Shape<f64>, b: &Shape<f64>) -> Option<bool> {
    let sizes = |a: [f64; 2], b: [f64; 2]| a.into_iter().zip(b).find_map(|(x, y)| order::before_number(x, y));
    match (a, b) {
        (Shape::Compound(a), Shape::Compound(b)) => a.before(b),
        (Shape::Mesh(a), Shape::Mesh(b)) => a.before(b),
        (Shape::HeightField(a), Shape::HeightField(b)) => a.before(b),
        (Shape::Hull(a), Shape::Hull(b)) => a.before(b),
        (Shape::Cylinder(a), Shape::Cylinder(b)) => {
            sizes([a.half_height(), a.radius()], [b.half_height(), b.radius()])
        }
        (Shape::Cone(a), Shape::Cone(b)) => {
            sizes([a.half_height(), a.radius()], [b.half_height(), b.radius()])
        }
        _ => None,
    }
}

/// The lowest point of a shape that has no core of few corners, along a direction.
#[inline]
fn lowest_of(shape: &Shape<f64>, place: &Place, normal: Vec3<f64>) -> Option<Vec3<f64>> {
    match shape {
        Shape::Cylinder(can) => Some(round::lowest_of_cylinder(can, place, normal)),
        Shape::Cone(cone) => Some(round::lowest_of_cone(cone, place, normal)),
        Shape::Hull(_) | Shape::Ellipsoid(_) => {
            let (body, _) = body_of(shape)?;
            Some(place.point(body.support(-place.rotation.undo(normal)).0))
        }
        _ => None,
    }
}

fn rotation_numbers<T: Real>(rotation: Quat<T>) -> [T; 4] {
    rotation.to_array()
}
