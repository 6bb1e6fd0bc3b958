//! The convex shapes of the plane as the general kernel sees them.

use crate::d2::Shape;
use crate::d2::solid::PolygonView;
use crate::gjk::{Ball, Block, Corners, Ellipsoid, Support};
use carom_math::Vec2;

/// A core about the origin of its own frame.
pub(crate) enum Body<'a> {
    Polygon(PolygonView<'a>),
    Block(Block<Vec2<f64>>),
    Triangle(Corners<Vec2<f64>, 3>),
    Segment(Corners<Vec2<f64>, 2>),
    Ellipse(Ellipsoid<Vec2<f64>>),
}

/// The core and the radius of a convex, bounded shape that is not rounded.
pub(crate) fn body_of(shape: &Shape<f64>) -> Option<(Body<'_>, f64)> {
    Some(match shape {
        Shape::Polygon(polygon) => (Body::Polygon(polygon.view()), 0.0),
        Shape::Cuboid(cuboid) => (Body::Block(Block(cuboid.half_extents())), 0.0),
        Shape::Triangle(triangle) => (Body::Triangle(Corners(triangle.corners())), 0.0),
        Shape::Segment(segment) => (Body::Segment(Corners([segment.a(), segment.b()])), 0.0),
        Shape::Capsule(capsule) => {
            let segment = capsule.segment();
            (Body::Segment(Corners([segment.a(), segment.b()])), capsule.radius())
        }
        Shape::Ellipsoid(ellipse) => (Body::Ellipse(Ellipsoid(ellipse.radii())), 0.0),
        Shape::Ball(_) | Shape::HalfSpace(_) | Shape::Rounded(_) => return None,
        Shape::Outline(_) | Shape::Polyline(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
    })
}

impl Body<'_> {
    /// Whether the core has other than finitely many support points.
    pub(crate) fn is_curved(&self) -> bool {
        matches!(self, Body::Ellipse(_))
    }
}

macro_rules! each {
    ($body:expr, $core:ident => $value:expr) => {
        match $body {
            Body::Polygon($core) => $value,
            Body::Block($core) => $value,
            Body::Triangle($core) => $value,
            Body::Segment($core) => $value,
            Body::Ellipse($core) => $value,
        }
    };
}

impl Support<Vec2<f64>> for Body<'_> {
    const CURVED: bool = true;
    #[inline]
    fn support(&self, direction: Vec2<f64>) -> (Vec2<f64>, u32) {
        each!(self, core => core.support(direction))
    }
    #[inline]
    fn least_along(&self, direction: Vec2<f64>) -> f64 {
        each!(self, core => core.least_along(direction))
    }
    fn center(&self) -> Vec2<f64> {
        each!(self, core => core.center())
    }
    fn size(&self) -> f64 {
        each!(self, core => Support::size(core))
    }
    fn ball_about(&self, point: Vec2<f64>) -> Option<Ball<Vec2<f64>>> {
        each!(self, core => core.ball_about(point))
    }
    fn nearest(&self, point: Vec2<f64>) -> Option<Vec2<f64>> {
        each!(self, core => core.nearest(point))
    }
}
