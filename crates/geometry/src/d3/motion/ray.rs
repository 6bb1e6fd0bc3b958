//! Which kernel a shape of space has for lines.

use super::hull::{hull_hit, hull_span};
use super::moving::inflated_span;
use super::revolved::{cone_span, cylinder_span};
use super::triangle::{narrow_triangle_hit, triangle_hit, triangle_span};
use crate::cast::ellipsoid::ellipsoid_span;
use crate::cast::flat::{cuboid_span, half_space_span};
use crate::cast::narrow::{self, Stretched};
use crate::cast::query::{LocalLine, Motion};
use crate::cast::quick::{Care, Quick, capsule_hit, cuboid_hit};
use crate::cast::round::{ball_span, capsule_span};
use crate::cast::span::Span;
use crate::d3::{Shape, ShapeRef};
use crate::shape::Resize;
use carom_math::{Mat3, Quat, Real, Vec3, Vector, power_of_two};

/// What a ray hits first, for shapes that need no preparation; `None` for others and for what is in doubt.
#[inline(always)]
pub(super) fn direct_hit<T: Real>(
    shape: ShapeRef<'_, T>,
    line: impl LocalLine<Vec3<f64>>,
    solid: bool,
    care: Care,
) -> Quick<Vec3<f64>> {
    match shape {
        ShapeRef::Cuboid(cuboid) => {
            let half_extents = cuboid.half_extents().widen();
            let [origin, direction] =
                line.origin_and_direction(care.size(|| half_extents.sum_of_magnitudes()))?;
            cuboid_hit(origin, direction, half_extents)
        }
        ShapeRef::Capsule(capsule) => {
            let (a, b) = (capsule.segment().a().widen(), capsule.segment().b().widen());
            let radius = capsule.radius().to_f64();
            let [origin, direction] = line
                .origin_and_direction(care.size(|| a.sum_of_magnitudes() + b.sum_of_magnitudes() + radius))?;
            capsule_hit(origin, direction, [a, b], radius, care)
        }
        ShapeRef::Triangle(triangle) => {
            let corners = triangle.corners().map(|corner| corner.widen());
            let [origin, direction] =
                line.origin_and_direction(care.size(|| corners.map(Vector::sum_of_magnitudes).iter().sum()))?;
            triangle_hit(origin, direction, corners)
        }
        ShapeRef::Cylinder(can) => {
            let (half_height, radius) = (can.half_height().to_f64(), can.radius().to_f64());
            let [origin, direction] = line.origin_and_direction(Some(half_height + radius))?;
            Some(cylinder_span(origin, direction, half_height, radius).and_then(|span| span.first_hit(solid)))
        }
        ShapeRef::Hull(hull) => {
            let view = hull.view();
            let [origin, direction] = line.origin_and_direction(Some(4.0 * Resize::size(&view)))?;
            hull_hit(origin, direction, &view)
        }
        _ => None,
    }
}

/// What a ray hits first, with a unit normal in the world, for answers in `f32`; `None` for kinds that have no such kernel. The
/// line is seen from the origin of the shape, with the axes of the world.
#[inline(always)]
pub(super) fn narrow_hit<T: Real>(
    shape: ShapeRef<'_, T>,
    rotation: Quat<T>,
    [from, direction]: [Vec3<f64>; 2],
    care: Care,
) -> Option<Quick<Vec3<f64>>> {
    if let ShapeRef::Ball(ball) = shape {
        let radius = ball.radius().to_f64();
        return Some(rotation.finite().then(|| narrow::ball_hit(from, direction, radius, care)).flatten());
    }
    let frame = || stretched(rotation);
    match shape {
        ShapeRef::Cuboid(cuboid) => {
            let half_extents = cuboid.half_extents().widen();
            Some(frame().and_then(|frame| narrow::cuboid_hit(frame, from, direction, half_extents)))
        }
        ShapeRef::Capsule(capsule) => {
            let ends = [capsule.segment().a().widen(), capsule.segment().b().widen()];
            let radius = capsule.radius().to_f64();
            Some(frame().and_then(|frame| narrow::capsule_hit(frame, from, direction, ends, radius, care)))
        }
        ShapeRef::Triangle(triangle) => {
            let corners = triangle.corners().map(|corner| corner.widen());
            Some(frame().and_then(|frame| narrow_triangle_hit(frame, from, direction, corners)))
        }
        _ => None,
    }
}

/// The frame of a rotation without a division; `None` unless its numbers are those of a rotation, up to rounding.
#[inline(always)]
fn stretched<T: Real>(rotation: Quat<T>) -> Option<Stretched<Mat3<f64>>> {
    let [x, y, z, w] = rotation.to_array().map(Real::to_f64);
    let (xx, yy, zz, ww) = (x * x, y * y, z * z, w * w);
    let norm = xx + yy + zz + ww;
    // As in `Quat::to_matrix`.
    let columns = [
        Vec3::new((ww - zz) + (xx - yy), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        Vec3::new(2.0 * (x * y - w * z), (ww - zz) - (xx - yy), 2.0 * (y * z + w * x)),
        Vec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), (ww + zz) - (xx + yy)),
    ];
    ((norm - 1.0).abs() <= power_of_two(-10)).then_some(Stretched { turn: Mat3 { columns }, norm })
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
