//! Two shapes: do they touch, how far apart, how deep.

mod boxes;
mod flats;
mod round;

use super::shape::{AsShape, Cuboid, Shape, ShapeRef};
use crate::Error;
use crate::answer::{Contact, Distance, Separation};
use crate::d3::closest::{nearest_cone, nearest_cylinder, nearest_triangle};
use crate::error::{finite, finite_vector, not_negative};
use crate::pair as super_pair;
use crate::pair::core::{Core, relate as relate_cores, touch as touch_cores};
use crate::pair::nearest::{on_cuboid, on_half_space, on_segment};
use crate::pair::order;
use crate::pair::place::{Relative, Turn};
use crate::pair::query::{
    ball_ball, half_space_and_corners, half_spaces, pair_queries, rescaling_of, with_ball,
};
use crate::pair::{Relation, core};
use crate::shape::{Resize, Widen};
use carom_math::{Mat3, Pose3, Quat, Real, Vec3, Vector};

use boxes::best_box_axis;
pub(crate) use flats::normal_of;
pub(crate) use round::radial;

pub use crate::pair::boxes::SatResult;

type Matrix = Mat3<f64>;

fn rotation_numbers<T: Real>(rotation: Quat<T>) -> [T; 4] {
    rotation.to_array()
}

pair_queries! {
    Vec3, Pose3, rotation_numbers,
    intersects: "use carom_geometry::d3::{Ball, Cuboid, intersects};
let (ball, cube) = (Ball::new(1.0)?, Cuboid::new([1.0, 1.0, 1.0])?);
assert!(intersects(&ball, [0.0, 0.0, 0.0], &cube, [2.0, 0.5, 0.0])?);
assert!(!intersects(&ball, [0.0, 0.0, 0.0], &cube, [1.9, 1.9, 0.0])?);",
    distance: "use carom_geometry::d3::{Cuboid, Segment, distance};
let cube = Cuboid::new([1.0, 1.0, 1.0])?;
let pole = Segment::new([4.0, -5.0, 0.0], [4.0, 5.0, 0.0])?;
let found = distance(&cube, [0.0, 0.0, 0.0], &pole, [0.0, 0.0, 0.0])?;
assert_eq!((found.distance, found.normal.x, found.point_b.x), (3.0, 1.0, 4.0));",
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

/// The place of a kind in the canonical order: the first shape lends its frame.
#[inline]
fn rank(shape: &Shape<f64>) -> u8 {
    match shape {
        Shape::HalfSpace(_) => 0,
        Shape::Cylinder(_) => 1,
        Shape::Cone(_) => 2,
        Shape::Cuboid(_) => 3,
        Shape::Triangle(_) => 4,
        Shape::Capsule(_) => 5,
        Shape::Segment(_) => 6,
        Shape::Ball(_) => 7,
    }
}

/// Shapes in the canonical order, seen from the first.
#[inline]
fn relate(
    a: &Shape<f64>,
    b: &Shape<f64>,
    place: &Relative<Vec3<f64>, Matrix>,
    error: f64,
) -> Relation<Vec3<f64>> {
    let identity = Relative { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };
    if let Shape::Ball(ball) = b {
        let center = place.translation;
        let nearest = match a {
            Shape::HalfSpace(plane) => on_half_space(plane.normal(), plane.offset(), center),
            Shape::Cuboid(cuboid) => on_cuboid(cuboid.half_extents(), center),
            Shape::Triangle(triangle) => nearest_triangle(triangle.corners(), center),
            Shape::Capsule(capsule) => {
                on_segment(capsule.segment().a(), capsule.segment().b(), center).inflated(capsule.radius())
            }
            Shape::Segment(segment) => on_segment(segment.a(), segment.b(), center),
            Shape::Cylinder(can) => nearest_cylinder(can.half_height(), can.radius(), center),
            Shape::Cone(cone) => nearest_cone(cone.half_height(), cone.radius(), center),
            Shape::Ball(other) => {
                return Relation::Separated(ball_ball(center, [other.radius(), ball.radius()]));
            }
        };
        return with_ball(nearest, center, ball.radius(), error);
    }
    if let Shape::HalfSpace(plane) = a {
        if let Shape::HalfSpace(other) = b {
            return half_spaces(
                (plane.normal(), plane.offset()),
                (other.normal(), other.offset()),
                place,
                error,
            );
        }
        let corner_of_round = match b {
            Shape::Cylinder(can) => Some(round::lowest_of_cylinder(can, place, plane.normal())),
            Shape::Cone(cone) => Some(round::lowest_of_cone(cone, place, plane.normal())),
            _ => None,
        };
        if let Some(corner) = corner_of_round {
            return half_space_and_corners(plane.normal(), plane.offset(), [corner], 0.0, error);
        }
        let Some((core, radius)) = core_of(b, place) else { return Relation::Unsupported };
        let corners = core.corners().iter().copied();
        return half_space_and_corners(plane.normal(), plane.offset(), corners, radius, error);
    }
    let (Some((core_a, radius_a)), Some((core_b, radius_b))) = (core_of(a, &identity), core_of(b, place))
    else {
        return Relation::Unsupported;
    };
    let radii = [radius_a, radius_b];
    if let (Shape::Cuboid(box_a), Shape::Cuboid(box_b)) = (a, b) {
        let axis = best_box_axis(box_a.half_extents(), box_b.half_extents(), place, f64::INFINITY);
        return Relation::Separated(core::resolve(&core_a, &core_b, axis, radii, error));
    }
    Relation::Separated(relate_cores(&core_a, &core_b, radii, error))
}

/// Whether they touch, where that can be known sooner than how far apart they are.
#[inline]
fn touch(a: &Shape<f64>, b: &Shape<f64>, place: &Relative<Vec3<f64>, Matrix>, error: f64) -> Option<bool> {
    if let (Shape::Cuboid(box_a), Shape::Cuboid(box_b)) = (a, b) {
        let axis = best_box_axis(box_a.half_extents(), box_b.half_extents(), place, 0.0);
        return if 0.0 < axis.separation {
            Some(false)
        } else if axis.separation < -error {
            Some(true)
        } else {
            None
        };
    }
    let identity = Relative { rotation: Mat3::IDENTITY, translation: Vec3::ZERO };
    if matches!(b, Shape::Ball(_)) {
        return None;
    }
    let ((core_a, radius_a), (core_b, radius_b)) = (core_of(a, &identity)?, core_of(b, place)?);
    Some(touch_cores(&core_a, &core_b, [radius_a, radius_b], error))
}

/// The core and the radius of a bounded shape, in the frame of the pair.
#[inline]
fn core_of(shape: &Shape<f64>, place: &Relative<Vec3<f64>, Matrix>) -> Option<(Core<Vec3<f64>>, f64)> {
    match shape {
        Shape::Cuboid(cuboid) => Some((Core::cuboid(cuboid.half_extents(), place), 0.0)),
        Shape::Triangle(triangle) => {
            let corners = triangle.corners().map(|corner| place.point(corner));
            Some((Core::triangle(corners, flats::normal_of(corners)), 0.0))
        }
        Shape::Capsule(capsule) => {
            let segment = capsule.segment();
            Some((Core::segment(place.point(segment.a()), place.point(segment.b())), capsule.radius()))
        }
        Shape::Segment(segment) => {
            Some((Core::segment(place.point(segment.a()), place.point(segment.b())), 0.0))
        }
        Shape::Ball(ball) => Some((Core::segment(place.translation, place.translation), ball.radius())),
        Shape::HalfSpace(_) | Shape::Cylinder(_) | Shape::Cone(_) => None,
    }
}
