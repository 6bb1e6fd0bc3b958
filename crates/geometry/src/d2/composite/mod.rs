//! Shapes of many parts in the plane: polylines, outlines, height fields, compounds.

pub(super) mod facets;
mod height_field;
mod polyline;

pub use height_field::HeightField;
pub use polyline::Polyline;

use super::closest::nearest_point;
use super::manifold::{in_number, manifold_of_known};
use super::motion::{cast_shape, impact_of_parts, span};
use super::pair::{Pair, body_of, overlap_by, relate_in_any_order, shapes_in_order, touch_in_any_order};
use super::shape::{AsShape, Shape};
use crate::answer::{Hit, Separation};
use crate::bound::{Aabb, Bounded, Frame};
use crate::cast::span::Span;
use crate::composite::cache::{Guest, PartCache};
use crate::composite::compound::compound_shape;
use crate::composite::descent::Side;
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
use crate::pair::place::Relative;
use crate::pair::query::{is_narrow, rounded_input};
use crate::pair::{Relation, order};
use crate::shape::{Resize, Twin, Widen, lends_twin};
use crate::{CastOptions, Error};
use carom_math::{Mat2, Motion2, Number, Pose2, Real, Vec2, Vector};
use core::ops::ControlFlow;
use std::borrow::Cow;
use std::sync::Arc;

compound_shape! {
    Plane, Vec2, Pose2,
    "use carom_geometry::d2::{Ball, Compound, Cuboid, Shape, distance};
let hammer: [(Shape<f64>, [f64; 2]); 2] =
    [(Cuboid::new([0.25, 2.0])?.into(), [0.0, 0.0]), (Ball::new(1.0)?.into(), [0.0, 3.0])];
let hammer = Compound::new(hammer)?;
let found = distance(&hammer, [0.0, 0.0], &Ball::new(1.0)?, [4.0, 3.0])?;
assert_eq!((found.distance, found.point_a.x), (2.0, 1.0));"
}

composite_queries! {
    Plane, Vec2, Pose2, Motion2,
    "use carom_geometry::d2::{Ball, HeightField, clearance, distance};
let (floor, disc) = (HeightField::new([0.0; 5], 1.0)?, Ball::new(0.5)?);
let (here, above) = ([0.0, 0.0], [2.0, 3.0]);
let known = clearance(&floor, here, &disc, above, 9.0)?;
assert!(2.0 < known && known <= distance(&floor, here, &disc, above)?.distance);
assert_eq!(clearance(&floor, here, &disc, above, 1.0)?, 1.0);",
    "use carom_geometry::d2::{Cuboid, HeightField, manifolds};
let floor = HeightField::new([0.0; 5], 1.0)?;
let mut found = Vec::new();
manifolds(&floor, [0.0, 0.0], &Cuboid::new([1.0, 0.5])?, [2.0, 0.5], 0.0, &mut found)?;
assert!(found.iter().all(|manifold| manifold.normal().y == 1.0 && manifold.depth() == 0.0));
assert!(found.iter().any(|manifold| manifold.parts()[0] == 1));"
}

kernels_of_convex_shapes! {
    /// The kernels of the plane.
    Plane, Vec2, Mat2, Pose2, Motion2, [Polyline, Outline, HeightField, Compound], f64::abs,
    {
        fn across(motion: Motion2<f64>, direction: Vec2<f64>) -> f64 {
            motion.angular().abs() * direction.length()
        }
        fn flat_normal(shape: &Shape<f64>) -> Option<Vec2<f64>> {
            let Shape::Segment(segment) = shape else { return None };
            Some((segment.b() - segment.a()).perpendicular())
        }
    }
}
