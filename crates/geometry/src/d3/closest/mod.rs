//! The point of a shape closest to a given point.
//!
//! Cylinders and cones are solved in the half-plane of the point and the y axis, where they are a
//! rectangle and a triangle: ρ is the distance from the axis, and the answer is turned back into
//! space about it. On the axis, the half-plane through the first coordinate axis is taken.

mod hull;

use super::composite::Space;
use super::pair::{finite_pose, normal_of, radial};
use super::shape::{AsShape, Rounded, Shape, ShapeRef};
use crate::answer::ClosestPoint;
use crate::composite::point::nearest as nearest_part_of;
use crate::convex::nearest_on_ellipsoid;
use crate::error::{finite_vector, one_for_each};
use crate::pair::closest::closest_query;
use crate::pair::core::{Core, Flats};
use crate::pair::nearest::{self, Foot, Nearest, foot_on_segment};
use crate::pair::place::Turn;
use crate::shape::Resize;
use crate::{Error, scale};
use carom_math::{Mat3, Number, Pose3, Real, Vec2, Vec3, Vector};
use std::borrow::Cow;

closest_query! {
    Vec3, Pose3, Mat3<f64>,
    "use carom_geometry::d3::{Cylinder, closest_point};
let can = Cylinder::new(1.0, 2.0)?;
let found = closest_point(&can, [0.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
assert_eq!((found.distance, found.inside, found.point.y), (3.0, false, 1.0));
let deep = closest_point(&can, [0.0, 0.0, 0.0], [0.0, 0.75, 0.0])?;
assert_eq!((deep.distance, deep.inside), (-0.25, true));",
    batch: "use carom_geometry::d3::{Ball, closest_point_batch};
use carom_math::Vec3;
let (ball, points) = (Ball::new(1.0)?, [[3.0, 0.0, 0.0], [0.0, -0.5, 0.0]].map(Vec3::from));
let mut answers = vec![Ok(Default::default()); 2];
closest_point_batch(&ball, [0.0, 0.0, 0.0], &points, &mut answers)?;
assert_eq!(answers[0].clone()?.distance, 2.0);
assert_eq!(answers[1].clone()?.distance, -0.5);"
}

pub(crate) use hull::clearly_nearest;

/// The nearest point of any shape, in its own frame.
#[inline(always)] // so that the kind, where it is known, decides at compile time
pub(crate) fn nearest_point(shape: &Shape<f64>, p: Vec3<f64>) -> Nearest<Vec3<f64>> {
    match shape {
        Shape::Ball(ball) => nearest::on_ball(ball.radius(), p),
        Shape::Cuboid(cuboid) => nearest::on_cuboid(cuboid.half_extents(), p),
        Shape::Capsule(capsule) => {
            nearest::on_segment(capsule.segment().a(), capsule.segment().b(), p).inflated(capsule.radius())
        }
        Shape::Segment(segment) => nearest::on_segment(segment.a(), segment.b(), p),
        Shape::Triangle(triangle) => nearest_triangle(triangle.corners(), p),
        Shape::HalfSpace(plane) => nearest::on_half_space(plane.normal(), plane.offset(), p),
        Shape::Cylinder(can) => nearest_cylinder(can.half_height(), can.radius(), p),
        Shape::Cone(cone) => nearest_cone(cone.half_height(), cone.radius(), p),
        Shape::Hull(hull) => hull.nearest(p),
        Shape::Ellipsoid(ellipsoid) => nearest_on_ellipsoid(ellipsoid.radii(), p),
        Shape::Rounded(rounded) => nearest_rounded(rounded, p),
        Shape::Mesh(mesh) => nearest_part_of::<Space>(mesh, p).0,
        Shape::HeightField(field) => nearest_part_of::<Space>(field, p).0,
        Shape::Compound(compound) => nearest_part_of::<Space>(compound, p).0,
    }
}

/// The point of the shape inside, moved out by the radius. Inside of a shape without an inside, its normal
/// says which way.
#[inline(never)] // calls itself, though never twice
fn nearest_rounded(rounded: &Rounded<f64>, p: Vec3<f64>) -> Nearest<Vec3<f64>> {
    nearest_point(&rounded.core(), p).inflated(rounded.radius())
}

/// The sheet between three corners; on it, the normal is (b − a) × (c − a).
fn nearest_triangle(corners: [Vec3<f64>; 3], p: Vec3<f64>) -> Nearest<Vec3<f64>> {
    let [a, b, c] = corners;
    let normal = normal_of(corners);
    let size = (p - a).max_abs() + (b - a).max_abs() + (c - a).max_abs();
    Vec3::foot_on_triangle(corners, normal, p).with_normal(size, || {
        let across =
            || nearest::perpendicular_to(Core::triangle(corners, normal).longest_edge()).normalized();
        normal.normalized().or_else(across).unwrap_or(Vec3::unit(0))
    })
}

/// From the half-plane back into space.
fn turned(flat: Nearest<Vec2<f64>>, outward: Vec3<f64>) -> Nearest<Vec3<f64>> {
    let lift = |v: Vec2<f64>| Vec3::new(outward.x * v.x, v.y, outward.z * v.x);
    Nearest { point: lift(flat.point), distance: flat.distance, normal: lift(flat.normal) }
}

/// Distance from the y axis.
fn radius_of(p: Vec3<f64>) -> f64 {
    Vector::length(Vec2::new(p.x, p.z))
}

/// Cylinder about y. Inside, the mantle comes before the caps when equally near.
pub(crate) fn nearest_cylinder(half_height: f64, radius: f64, p: Vec3<f64>) -> Nearest<Vec3<f64>> {
    let in_plane = Vec2::new(radius_of(p), p.y);
    // The rectangle from −radius to radius, whose first axis is the radial one.
    let flat = nearest::on_cuboid(Vec2::new(radius, half_height), in_plane);
    let mut found = turned(flat, radial(p));
    if flat.point.x == in_plane.x {
        // Straight above or below: not a rounding error beside.
        (found.point.x, found.point.z) = (p.x, p.z);
    }
    found
}

/// Cone about y with the tip at +half_height. Inside, the mantle comes before the base when equally
/// near. Without height or radius it is the disc or the segment that it is.
pub(crate) fn nearest_cone(half_height: f64, radius: f64, p: Vec3<f64>) -> Nearest<Vec3<f64>> {
    let in_plane = Vec2::new(radius_of(p), p.y);
    let (tip, rim) = (Vec2::new(0.0, half_height), Vec2::new(radius, -half_height));
    // Out of the mantle: perpendicular to the slope from the rim to the tip.
    let slope = tip - rim;
    // Among the subnormal numbers, as inside of a large rounding, a slope has no exact length, and products with
    // it vanish. Its direction is all that counts.
    let slope = slope * scale::towards_one(slope.max_abs(), 300);
    let length = Vector::length(slope);
    let outward = Vec2::new(slope.y, -slope.x);
    let above_mantle = outward.dot(in_plane - rim);
    let below_base = -half_height - in_plane.y;
    let solid = 0.0 < half_height && 0.0 < radius;
    if solid && above_mantle <= 0.0 && below_base <= 0.0 {
        let mantle = above_mantle / length;
        let flat = if below_base <= mantle {
            let normal = outward / length;
            Nearest { point: in_plane - normal * mantle, distance: mantle, normal }
        } else {
            let point = Vec2::new(in_plane.x, -half_height);
            Nearest { point, distance: below_base, normal: Vec2::new(0.0, -1.0) }
        };
        return turned(flat, radial(p));
    }
    let base = foot_on_segment(Vec2::new(0.0, -half_height), rim, in_plane);
    let mantle = foot_on_segment(rim, tip, in_plane);
    let foot: Foot<Vec2<f64>> = if base.distance < mantle.distance { base } else { mantle };
    let size = in_plane.max_abs().max_of(half_height).max_of(radius);
    let flat = foot.with_normal(size, || {
        let on_base = base.distance < mantle.distance;
        let normal = if on_base { None } else { outward.normalized() };
        normal.unwrap_or(if on_base { Vec2::new(0.0, -1.0) } else { Vec2::unit(0) })
    });
    turned(flat, radial(p))
}
