//! Cylinders, cones and segments that turn about one and the same axis: a question of the plane.
//!
//! The set of differences of two bodies of revolution about one axis is such a body too, and the origin lies on its axis. What a
//! body of revolution casts on a plane through its axis is what it has in common with that plane; so the nearest point of its surface is
//! that of a figure of the plane, the difference of both figures, turned about the axis. Polytopes that grow into such a body (EPA) never come to an end:
//! all directions around the axis are equally good, and to prove it to the last digits takes a facet for each.
//!
//! Frame: that of the first, whose axis is y. Of all directions across the axis x is taken.

use super::{Place, Shape};
use crate::answer::Separation;
use crate::convex::general::inflated;
use crate::d2::{self, pair::separation};
use crate::pair::Relation;
use crate::shape::{Cuboid, Resize, Segment, Triangle};
use carom_math::{Number, Pose2, Rot2, Vec2, Vec3};

/// In ε: how far two axes may be from each other, by the size of the pair, to be one. Rotations that are the same leave a few.
const ASKEW: f64 = 8.0 * f64::EPSILON;

/// How the cores of two shapes relate, with `radii` around them; `None` unless both turn about the same axis. What is off by less than
/// [`ASKEW`] is within `error`.
#[inline]
pub(super) fn relate_coaxial(
    a: &Shape<f64>,
    b: &Shape<f64>,
    place: &Place,
    radii: [f64; 2],
    error: f64,
) -> Option<Separation<Vec3<f64>>> {
    let Place { rotation, translation } = place;
    let [_, axis, _] = rotation.columns;
    let size = a.size() + b.size() + translation.y.abs();
    let is_coaxial = axis.x.abs().max_of(axis.z.abs()) <= ASKEW
        && translation.x.abs().max_of(translation.z.abs()) <= ASKEW * size;
    if !is_coaxial {
        return None;
    }
    let (figure_a, figure_b) = (figure_of(a)?, figure_of(b)?);
    let upright = if axis.y < 0.0 { Rot2::from_parts(-1.0, 0.0) } else { Rot2::IDENTITY };
    let there = Pose2::new([0.0, translation.y], upright);
    let Ok(Relation::Separated(found)) = separation(&figure_a, Pose2::IDENTITY, &figure_b, there) else {
        return None;
    };
    let lifted = |v: Vec2<f64>| Vec3::new(v.x, v.y, 0.0);
    let core = Separation {
        separation: found.separation,
        error: found.error,
        normal: lifted(found.normal),
        point_a: lifted(found.point_a),
        point_b: lifted(found.point_b),
    };
    Some(inflated(core, radii, error))
}

/// What the core of a body of revolution about y has in common with the plane of x and y.
fn figure_of(shape: &Shape<f64>) -> Option<d2::Shape<f64>> {
    let segment = |a: Vec3<f64>, b: Vec3<f64>| {
        let is_on_axis = a.x == 0.0 && a.z == 0.0 && b.x == 0.0 && b.z == 0.0;
        if is_on_axis {
            Segment::new(Vec2::new(0.0, a.y), Vec2::new(0.0, b.y)).ok().map(d2::Shape::Segment)
        } else {
            None
        }
    };
    match shape {
        Shape::Cylinder(can) => {
            let half_extents = Vec2::new(can.radius(), can.half_height());
            Cuboid::new(half_extents).ok().map(d2::Shape::Cuboid)
        }
        Shape::Cone(cone) => {
            let (r, h) = (cone.radius(), cone.half_height());
            let (left, right, tip) = (Vec2::new(-r, -h), Vec2::new(r, -h), Vec2::new(0.0, h));
            Triangle::new(left, right, tip).ok().map(d2::Shape::Triangle)
        }
        Shape::Capsule(capsule) => segment(capsule.segment().a(), capsule.segment().b()),
        Shape::Segment(line) => segment(line.a(), line.b()),
        _ => None,
    }
}
