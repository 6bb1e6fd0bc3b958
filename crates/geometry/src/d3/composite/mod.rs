//! Shapes of many parts in space: meshes, height fields, compounds.

mod beside;
mod facets;
mod height_field;
mod mesh;

pub use height_field::HeightField;
pub use mesh::{EdgeKind, TriangleMesh};

use super::closest::nearest_point;
use super::manifold::{in_number, manifold_of_known};
use super::motion::{cast_shape, impact_of_parts, span, triangle_hit, triangle_span};
use super::pair::{
    Pair, body_of, overlap_by, relate_in_any_order, relate_triangle, shapes_in_order, touch_in_any_order,
};
use super::shape::{AsShape, Shape};
use crate::answer::{Hit, Separation};
use crate::bound::{Aabb, Bounded, Frame};
use crate::cast::span::{Passage, Span};
use crate::composite::cache::{Guest, PartCache};
use crate::composite::compound::compound_shape;
use crate::composite::descent::{Side, gap_of_boxes};
use crate::composite::kernels::kernels_of_convex_shapes;
use crate::composite::pair::{Both, decisive};
use crate::composite::query::composite_queries;
use crate::composite::tree::PartTree;
use crate::composite::{Kernels, Part, Parts, Place, impact, is_composite, motion};
use crate::error::{finite_pose, not_negative};
use crate::gjk::Support;
use crate::manifold::feature::{Kind, number};
use crate::manifold::{MOST, Manifold, ManifoldPoint};
use crate::motion::impact::{Impact, ImpactOptions, ImpactStatus};
use crate::pair::nearest::Nearest;
use crate::pair::place::{Relative, Turn};
use crate::pair::query::{is_narrow, rounded_input};
use crate::pair::{Relation, order};
use crate::shape::{Resize, Twin, Widen, lends_twin};
use crate::{CastOptions, Error};
use carom_math::{Mat3, Motion3, Number, Pose3, Real, Vec3, Vector};
use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::Arc;

compound_shape! {
    Space, Vec3, Pose3,
    "use carom_geometry::d3::{Ball, Compound, Cuboid, Shape, distance};
let hammer: [(Shape<f64>, [f64; 3]); 2] =
    [(Cuboid::new([0.25, 2.0, 0.25])?.into(), [0.0, 0.0, 0.0]), (Ball::new(1.0)?.into(), [0.0, 3.0, 0.0])];
let hammer = Compound::new(hammer)?;
let found = distance(&hammer, [0.0, 0.0, 0.0], &Ball::new(1.0)?, [4.0, 3.0, 0.0])?;
assert_eq!((found.distance, found.point_a.x), (2.0, 1.0));"
}

composite_queries! {
    Space, Vec3, Pose3, Motion3,
    "use carom_geometry::d3::{Ball, HeightField, clearance, distance};
let (floor, marble) = (HeightField::new([[0.0; 3]; 3], [1.0, 1.0])?, Ball::new(0.5)?);
let (here, above) = ([0.0, 0.0, 0.0], [1.0, 3.0, 1.0]);
let known = clearance(&floor, here, &marble, above, 9.0)?;
assert!(2.0 < known && known <= distance(&floor, here, &marble, above)?.distance);
assert_eq!(clearance(&floor, here, &marble, above, 1.0)?, 1.0);",
    "use carom_geometry::d3::{Cuboid, HeightField, manifolds};
let floor = HeightField::new([[0.0; 3]; 3], [1.0, 1.0])?;
let mut found = Vec::new();
manifolds(&floor, [0.0, 0.0, 0.0], &Cuboid::new([0.5, 0.5, 0.5])?, [1.0, 0.5, 1.0], 0.0, &mut found)?;
assert!(found.iter().all(|manifold| manifold.normal().y == 1.0 && manifold.depth() == 0.0));
assert!(found.iter().any(|manifold| manifold.parts()[0] == 0));"
}

kernels_of_convex_shapes! {
    /// The kernels of space.
    Space, Vec3, Mat3, Pose3, Motion3, [Mesh, HeightField, Compound], |angular: Vec3<f64>| angular.length(),
    {
        fn across(motion: Motion3<f64>, direction: Vec3<f64>) -> f64 {
            motion.angular().cross(direction).length()
        }
        fn flat_normal(shape: &Shape<f64>) -> Option<Vec3<f64>> {
            let Shape::Triangle(triangle) = shape else { return None };
            let [p, q, r] = triangle.corners();
            Some((q - p).cross(r - p))
        }
        fn is_beyond(a: &Shape<f64>, b: &Shape<f64>, place: &Place<Self>, limit: f64, error: f64) -> bool {
            match (a, b) {
                (Shape::Triangle(a), Shape::Triangle(b)) => {
                    triangles_are_beyond(a.corners(), b.corners(), place, limit, error)
                }
                // That is farthest everywhere.
                (_, Shape::HalfSpace(_)) => false,
                (Shape::Triangle(a), _) => {
                    let (gap, normal) = gap_off_plane(a.corners(), b, place);
                    // Faces tell nothing about what overlaps.
                    is_wide(gap, normal, limit, error)
                        || limit.max_of(0.0) + 4.0 * error < gap_off_faces(a.corners(), b, place)
                }
                _ => false,
            }
        }
        fn gap_at_a_glance(a: &Shape<f64>, b: &Shape<f64>, place: &Place<Self>) -> f64 {
            match (a, b) {
                (Shape::Triangle(a), other) if Self::plane(other).is_none() => {
                    let (gap, normal) = gap_off_plane(a.corners(), other, place);
                    let length = normal.dot(normal).sqrt();
                    // Not of a triangle without a normal.
                    let gap = if 0.0 < gap && 0.0 < length { gap / length } else { 0.0 };
                    gap_off_faces(a.corners(), other, place).max_of(gap)
                }
                _ => 0.0,
            }
        }
        fn relate_narrow(
            a: &Shape<f64>,
            b: &Shape<f64>,
            place: &Place<Self>,
            error: f64,
            limit: f64,
        ) -> Option<Relation<Vec3<f64>>> {
            if let Shape::Triangle(triangle) = a
                && let Some(found) = relate_triangle(triangle, b, place, (error, limit))
            {
                return found.map(Relation::Separated);
            }
            Self::relate(a, b, place, error, limit)
        }
        fn first_hit(
            shape: &Shape<f64>,
            origin: Vec3<f64>,
            direction: Vec3<f64>,
            solid: bool,
        ) -> Option<Passage<Vec3<f64>>> {
            if let Shape::Triangle(triangle) = shape {
                return Self::first_hit_of_triangle(triangle.corners(), origin, direction);
            }
            let (span, thin) = Self::span(shape, origin, direction);
            span?.first_hit(solid || thin)
        }
    }
}

impl Space {
    /// Where a ray first hits a triangle, which is thin: what starts in it hits at once.
    #[inline]
    fn first_hit_of_triangle(
        corners: [Vec3<f64>; 3],
        origin: Vec3<f64>,
        direction: Vec3<f64>,
    ) -> Option<Passage<Vec3<f64>>> {
        triangle_hit(origin, direction, corners)
            .unwrap_or_else(|| triangle_span(origin, direction, corners)?.first_hit(true))
    }
}

/// How high a triangle reaches along its normal, which is not normalised, and from where, both seen from its first
/// corner: those of a sliver are not zero, whatever its normal is.
fn extent_along([p, q, r]: [Vec3<f64>; 3], normal: Vec3<f64>) -> [f64; 2] {
    let (q, r) = (normal.dot(q - p), normal.dot(r - p));
    [q.min_of(r).min_of(0.0), q.max_of(r).max_of(0.0)]
}

/// Whether a gap along a normal that is not normalised is wider than `limit`. What heights are off by is below the
/// error of the kernels, which counts four times. A negative gap is by how much they overlap along the normal, and no contact is deeper
/// than that: it is wider than a negative limit if it is less than that.
fn is_wide(gap: f64, normal: Vec3<f64>, limit: f64, error: f64) -> bool {
    let least = limit + 4.0 * error;
    let (own, others) = (gap * gap, least * least * normal.dot(normal));
    if least < 0.0 { 0.0 < gap || own < others } else { 0.0 < gap && others < own }
}

/// Whether the normal of one of two triangles separates them by more than `limit`.
fn triangles_are_beyond(
    a: [Vec3<f64>; 3],
    b: [Vec3<f64>; 3],
    place: &Place<Space>,
    limit: f64,
    error: f64,
) -> bool {
    let b = b.map(|corner| place.point(corner));
    let is_beside = |[p, q, r]: [Vec3<f64>; 3], points: [Vec3<f64>; 3]| {
        let normal = (q - p).cross(r - p);
        let [x, y, z] = points.map(|point| normal.dot(point - p));
        let [low, high] = extent_along([p, q, r], normal);
        let gap = (x.min_of(y).min_of(z) - high).max_of(low - x.max_of(y).max_of(z));
        is_wide(gap, normal, limit, error)
    };
    is_beside(a, b) || is_beside(b, a)
}

/// A lower bound on the distance of a triangle from another shape, as far as the faces of that tell; not positive where
/// they do not.
fn gap_off_faces(corners: [Vec3<f64>; 3], other: &Shape<f64>, place: &Place<Space>) -> f64 {
    let seen = || corners.map(|corner| place.rotation.undo(corner - place.translation));
    match other {
        Shape::Cuboid(cuboid) => {
            let (half, around) =
                (cuboid.half_extents(), seen().into_iter().fold(Aabb::empty(), Aabb::merged_with));
            gap_of_boxes(&Aabb { min: -half, max: half }, &around)
        }
        Shape::Hull(hull) => hull.view().all_above_a_face(seen()),
        _ => 0.0,
    }
}

/// How far all of another shape is from the plane of a triangle, times the length of the normal, and that; not positive
/// where it is on both sides. Of the two sides that of its middle is looked at.
fn gap_off_plane([p, q, r]: [Vec3<f64>; 3], other: &Shape<f64>, place: &Place<Space>) -> (f64, Vec3<f64>) {
    let normal = (q - p).cross(r - p);
    let [low, high] = extent_along([p, q, r], normal);
    let middle = match other {
        Shape::Hull(hull) => place.point(hull.view().center()),
        // Most are about the origin of their frames.
        _ => place.translation,
    };
    let is_above = 0.0 <= normal.dot(middle - p);
    let outward = if is_above { normal } else { -normal };
    if let Shape::Ball(ball) = other {
        let (height, reach) =
            (outward.dot(place.translation - p), outward.dot(outward).sqrt() * ball.radius());
        return (height - reach - if is_above { high } else { -low }, normal);
    }
    let nearest = place.point(Space::farthest(other, -place.rotation.undo(outward)));
    (outward.dot(nearest - p) - if is_above { high } else { -low }, normal)
}
