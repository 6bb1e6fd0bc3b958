//! Shapes of many parts in the plane: polylines, outlines, height fields, compounds.

pub(super) mod facets;
mod height_field;
mod polyline;

pub use height_field::HeightField;
pub use polyline::Polyline;

use super::closest::nearest_point;
use super::manifold::{in_number, manifold_along, manifold_within};
use super::motion::{cast_shape, impact_of_parts, span};
use super::pair::{Pair, body_of, relate_in_any_order, shapes_in_order};
use super::shape::{AsShape, Shape};
use crate::answer::{Hit, Separation};
use crate::bound::{Aabb, Bounded, Frame};
use crate::cast::span::Span;
use crate::composite::compound::compound_shape;
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
    "use carom_geometry::d2::{Cuboid, HeightField, manifolds};
let floor = HeightField::new([0.0; 5], 1.0)?;
let mut found = Vec::new();
manifolds(&floor, [0.0, 0.0], &Cuboid::new([1.0, 0.5])?, [2.0, 0.5], 0.0, &mut found)?;
assert!(found.iter().all(|manifold| manifold.normal().y == 1.0 && manifold.depth() == 0.0));
assert!(found.iter().any(|manifold| manifold.parts()[0] == 1));"
}

/// The kernels of the plane.
#[derive(Clone, Copy)]
pub(crate) struct Plane;

impl Kernels for Plane {
    type Vector = Vec2<f64>;
    type Matrix = Mat2<f64>;
    type Pose = Pose2<f64>;
    type Motion = Motion2<f64>;
    type Shape = Shape<f64>;

    #[inline]
    fn parts(shape: &Shape<f64>) -> Option<&dyn Parts<Self>> {
        match shape {
            Shape::Polyline(polyline) => Some(polyline),
            Shape::Outline(outline) => Some(outline),
            Shape::HeightField(field) => Some(field),
            Shape::Compound(compound) => Some(compound),
            _ => None,
        }
    }
    fn plane(shape: &Shape<f64>) -> Option<(Vec2<f64>, f64)> {
        if let Shape::HalfSpace(plane) = shape { Some((plane.normal(), plane.offset())) } else { None }
    }
    fn farthest(shape: &Shape<f64>, direction: Vec2<f64>) -> Vec2<f64> {
        let along = |radius: f64| direction.normalized().map_or(Vec2::ZERO, |unit| unit * radius);
        match shape {
            Shape::Ball(ball) => along(ball.radius()),
            Shape::HalfSpace(plane) => plane.normal() * plane.offset(),
            Shape::Rounded(rounded) => Self::farthest(&rounded.core(), direction) + along(rounded.radius()),
            other => {
                body_of(other).map_or(Vec2::ZERO, |(body, radius)| body.support(direction).0 + along(radius))
            }
        }
    }
    fn relate(
        a: &Shape<f64>,
        b: &Shape<f64>,
        place: &Place<Self>,
        error: f64,
        limit: f64,
    ) -> Option<Relation<Vec2<f64>>> {
        relate_in_any_order(a, b, place, error, limit)
    }
    fn nearest(shape: &Shape<f64>, point: Vec2<f64>) -> Nearest<Vec2<f64>> {
        nearest_point(shape, point)
    }
    fn span(shape: &Shape<f64>, origin: Vec2<f64>, direction: Vec2<f64>) -> (Option<Span<Vec2<f64>>>, bool) {
        span(shape, origin, direction)
    }

    fn composed(outer: &Place<Self>, inner: &Place<Self>) -> Place<Self> {
        Relative { rotation: outer.rotation * inner.rotation, translation: outer.point(inner.translation) }
    }
    fn inverse(place: &Place<Self>) -> Place<Self> {
        let rotation = place.rotation.transposed();
        Relative { rotation, translation: -(rotation * place.translation) }
    }
    fn place_of(pose: Pose2<f64>) -> Place<Self> {
        Relative { rotation: pose.rotation.to_matrix(), translation: pose.translation }
    }
    fn placed(outer: Pose2<f64>, inner: Pose2<f64>) -> Pose2<f64> {
        outer * inner
    }

    fn manifold(
        [(a, pose_a), (b, pose_b)]: [(&Shape<f64>, Pose2<f64>); 2],
        margin: f64,
        along: Option<(Vec2<f64>, bool)>,
    ) -> Result<Option<Manifold<Vec2<f64>>>, Error> {
        match along {
            None => manifold_within(a, pose_a, b, pose_b, margin),
            Some(along) => manifold_along([(a, pose_a), (b, pose_b)], margin, along),
        }
    }
    fn cast(
        [(a, pose_a), (b, pose_b)]: [(&Shape<f64>, Pose2<f64>); 2],
        [velocity_a, velocity_b]: [Vec2<f64>; 2],
        options: CastOptions<f64>,
    ) -> Result<Option<Hit<Vec2<f64>>>, Error> {
        cast_shape(a, pose_a, velocity_a, b, pose_b, velocity_b, options)
    }
    fn moved(motion: Motion2<f64>, time: f64, point: Vec2<f64>) -> Vec2<f64> {
        motion.at(time).point_to_world(point)
    }
    fn turning_speed(motion: Motion2<f64>, arm: f64) -> f64 {
        motion.angular().abs() * arm
    }
    fn velocity(motion: Motion2<f64>) -> Vec2<f64> {
        motion.velocity()
    }
    fn impact(
        parts: [(&Shape<f64>, Option<Pose2<f64>>, Motion2<f64>); 2],
        options: ImpactOptions<f64>,
    ) -> Result<Option<Impact<Vec2<f64>>>, Error> {
        impact_of_parts(parts, options)
    }
}
