//! Shapes of many parts in space: meshes, height fields, compounds.

mod facets;
mod height_field;
mod mesh;

pub use height_field::HeightField;
pub use mesh::{EdgeKind, TriangleMesh};

use super::closest::nearest_point;
use super::manifold::{in_number, manifold_of_known};
use super::motion::{cast_shape, impact_of_parts, span, triangle_hit};
use super::pair::{Pair, body_of, relate_in_any_order, shapes_in_order};
use super::shape::{AsShape, Shape};
use crate::answer::{Hit, Separation};
use crate::bound::{Aabb, Bounded, Frame};
use crate::cast::quick::Care;
use crate::cast::span::{Passage, Span};
use crate::composite::compound::compound_shape;
use crate::composite::kernels::kernels_of_convex_shapes;
use crate::composite::pair::Both;
use crate::composite::query::composite_queries;
use crate::composite::tree::PartTree;
use crate::composite::{Kernels, Part, Parts, Place, is_composite, motion};
use crate::error::{finite_pose, not_negative};
use crate::gjk::Support;
use crate::manifold::feature::{Kind, number};
use crate::manifold::{MOST, Manifold, ManifoldPoint};
use crate::motion::impact::{Impact, ImpactOptions, ImpactStatus};
use crate::pair::nearest::Nearest;
use crate::pair::place::Relative;
use crate::pair::{Relation, order};
use crate::shape::{Resize, Widen};
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
        fn is_beyond(a: &Shape<f64>, b: &Shape<f64>, place: &Place<Self>, limit: f64, error: f64) -> bool {
            triangles_are_beyond(a, b, place, limit, error)
        }
        fn first_hit(
            shape: &Shape<f64>,
            origin: Vec3<f64>,
            direction: Vec3<f64>,
            solid: bool,
        ) -> Option<Passage<Vec3<f64>>> {
            if let Shape::Triangle(triangle) = shape
                && let Some(found) = triangle_hit(origin, direction, triangle.corners(), Care::of::<f64>())
            {
                return found;
            }
            let (span, thin) = Self::span(shape, origin, direction);
            span?.first_hit(solid || thin)
        }
    }
}

/// Whether the normal of one of two triangles separates them by more than `limit`.
///
/// Heights are products with a normal that is not normalised, so the limit is multiplied by its length. What they are
/// off by is below the error of the kernels, which counts four times.
fn triangles_are_beyond(
    a: &Shape<f64>,
    b: &Shape<f64>,
    place: &Place<Space>,
    limit: f64,
    error: f64,
) -> bool {
    let (Shape::Triangle(a), Shape::Triangle(b)) = (a, b) else { return false };
    let (own, other) = (a.corners(), b.corners().map(|corner| place.point(corner)));
    let is_beside = |[p, q, r]: [Vec3<f64>; 3], points: [Vec3<f64>; 3]| {
        let normal = (q - p).cross(r - p);
        let heights = points.map(|point| normal.dot(point - p));
        // Those of a sliver are not all zero, whatever its normal is.
        let own = [0.0, normal.dot(q - p), normal.dot(r - p)];
        let lowest = |[x, y, z]: [f64; 3]| x.min_of(y).min_of(z);
        let highest = |[x, y, z]: [f64; 3]| x.max_of(y).max_of(z);
        let gap = (lowest(heights) - highest(own)).max_of(lowest(own) - highest(heights));
        let least = limit + 4.0 * error;
        0.0 < gap && least * least * normal.dot(normal) < gap * gap
    };
    is_beside(own, other) || is_beside(other, own)
}
