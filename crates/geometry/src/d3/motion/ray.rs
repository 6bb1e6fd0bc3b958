//! Which kernel a shape of space has for lines.

use super::hull::hull_span;
use super::moving::inflated_span;
use super::revolved::{cone_span, cylinder_span};
use super::triangle::triangle_span;
use crate::cast::ellipsoid::ellipsoid_span;
use crate::cast::flat::{cuboid_span, half_space_span};
use crate::cast::query::Motion;
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::span::Span;
use crate::d3::{Shape, ShapeRef};
use crate::shape::{Resize, Widen};
use carom_math::{Real, Vec3, Vector};

/// The part of a line in a shape that needs no preparation, and whether it is thin; `None` for others. `local`
/// gives the line in the frame of a shape of some size, if that is in order.
#[inline(always)]
pub(super) fn direct_span<T: Real>(
    shape: ShapeRef<'_, T>,
    local: impl Fn(f64) -> Option<[Vec3<f64>; 2]>,
) -> Option<(Option<Span<Vec3<f64>>>, bool)> {
    Some(match shape {
        ShapeRef::Ball(ball) => {
            let radius = ball.radius().to_f64();
            let [origin, direction] = local(radius)?;
            (ball_span(origin, direction, Vec3::ZERO, radius), false)
        }
        ShapeRef::Cuboid(cuboid) => {
            let half_extents = cuboid.half_extents().widen();
            let [origin, direction] = local(half_extents.max_abs())?;
            (cuboid_span(origin, direction, half_extents), false)
        }
        ShapeRef::Capsule(capsule) => {
            let capsule = Widen::widen(capsule);
            let [origin, direction] = local(Resize::size(&capsule))?;
            let ends = [capsule.segment().a(), capsule.segment().b()];
            (capsule_span(origin, direction, ends, capsule.radius()), capsule.radius() == 0.0)
        }
        ShapeRef::Triangle(triangle) => {
            let triangle = Widen::widen(triangle);
            let [origin, direction] = local(Resize::size(&triangle))?;
            (triangle_span(origin, direction, triangle.corners()), true)
        }
        ShapeRef::Cylinder(can) => {
            let can = Widen::widen(can);
            let [origin, direction] = local(Resize::size(&can))?;
            (cylinder_span(origin, direction, can.half_height(), can.radius()), false)
        }
        _ => return None,
    })
}

/// The part of the line in the shape, and whether the shape is thin: a ray that starts in a thin
/// shape has hit it, even when it passes through the inside of solids.
pub(in crate::d3) fn span(
    shape: &Shape<f64>,
    origin: Vec3<f64>,
    direction: Vec3<f64>,
) -> (Option<Span<Vec3<f64>>>, bool) {
    match shape {
        Shape::Ball(ball) => (ball_span(origin, direction, Vec3::ZERO, ball.radius()), false),
        Shape::Cuboid(cuboid) => (cuboid_span(origin, direction, cuboid.half_extents()), false),
        Shape::Capsule(capsule) => {
            let segment = [capsule.segment().a(), capsule.segment().b()];
            (capsule_span(origin, direction, segment, capsule.radius()), capsule.radius() == 0.0)
        }
        Shape::Segment(segment) => (capsule_span(origin, direction, [segment.a(), segment.b()], 0.0), true),
        Shape::Triangle(triangle) => (triangle_span(origin, direction, triangle.corners()), true),
        Shape::HalfSpace(half_space) => (half_space_span(origin, direction, half_space, 0.0), false),
        Shape::Cylinder(cylinder) => {
            (cylinder_span(origin, direction, cylinder.half_height(), cylinder.radius()), false)
        }
        Shape::Cone(cone) => (cone_span(origin, direction, cone.half_height(), cone.radius()), false),
        Shape::Hull(hull) => (hull_span(origin, direction, hull), hull.dimension() < 3),
        Shape::Ellipsoid(ellipsoid) => {
            let radii = ellipsoid.radii();
            let thin = (0..3).any(|axis| radii.get(axis) == 0.0);
            (ellipsoid_span(origin, direction, radii), thin)
        }
        Shape::Rounded(rounded) => {
            let radius = rounded.radius();
            (inflated_span(&rounded.core(), radius, Motion { origin, velocity: direction }), radius == 0.0)
        }
        // A line may enter these more than once; their parts are asked one by one.
        Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => (None, false),
    }
}
