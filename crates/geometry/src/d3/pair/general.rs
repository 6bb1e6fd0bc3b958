//! The convex shapes of space as the general kernel sees them.

use crate::convex::landing::FlatSide;
use crate::d3::Shape;
use crate::d3::solid::HullView;
use crate::gjk::{Ball, Block, Cone, Corners, Cylinder, Ellipsoid, Support};
use carom_math::Vec3;

/// A core about the origin of its own frame.
pub(crate) enum Body<'a> {
    Hull(HullView<'a>),
    Block(Block<Vec3<f64>>),
    Triangle(Corners<Vec3<f64>, 3>),
    Segment(Corners<Vec3<f64>, 2>),
    Cylinder(Cylinder),
    Cone(Cone),
    Ellipsoid(Ellipsoid<Vec3<f64>>),
}

/// The core and the radius of a convex, bounded shape that is not rounded.
pub(crate) fn body_of(shape: &Shape<f64>) -> Option<(Body<'_>, f64)> {
    Some(match shape {
        Shape::Hull(hull) => (Body::Hull(hull.view()), 0.0),
        Shape::Cuboid(cuboid) => (Body::Block(Block(cuboid.half_extents())), 0.0),
        Shape::Triangle(triangle) => (Body::Triangle(Corners(triangle.corners())), 0.0),
        Shape::Segment(segment) => (Body::Segment(Corners([segment.a(), segment.b()])), 0.0),
        Shape::Capsule(capsule) => {
            let segment = capsule.segment();
            (Body::Segment(Corners([segment.a(), segment.b()])), capsule.radius())
        }
        Shape::Cylinder(can) => {
            (Body::Cylinder(Cylinder { half_height: can.half_height(), radius: can.radius() }), 0.0)
        }
        Shape::Cone(cone) => {
            (Body::Cone(Cone { half_height: cone.half_height(), radius: cone.radius() }), 0.0)
        }
        Shape::Ellipsoid(ellipsoid) => (Body::Ellipsoid(Ellipsoid(ellipsoid.radii())), 0.0),
        Shape::Ball(_) | Shape::HalfSpace(_) | Shape::Rounded(_) => return None,
        Shape::Mesh(_) | Shape::HeightField(_) | Shape::Compound(_) => return None,
    })
}

impl Body<'_> {
    /// Whether the core has other than finitely many support points.
    pub(crate) fn is_curved(&self) -> bool {
        matches!(self, Body::Cylinder(_) | Body::Cone(_) | Body::Ellipsoid(_))
    }
}

macro_rules! each {
    ($body:expr, $core:ident => $value:expr) => {
        match $body {
            Body::Hull($core) => $value,
            Body::Block($core) => $value,
            Body::Triangle($core) => $value,
            Body::Segment($core) => $value,
            Body::Cylinder($core) => $value,
            Body::Cone($core) => $value,
            Body::Ellipsoid($core) => $value,
        }
    };
}

impl Support<Vec3<f64>> for Body<'_> {
    const CURVED: bool = true;
    #[inline]
    fn support(&self, direction: Vec3<f64>) -> (Vec3<f64>, u32) {
        each!(self, core => core.support(direction))
    }
    #[inline]
    fn least_along(&self, direction: Vec3<f64>) -> f64 {
        each!(self, core => core.least_along(direction))
    }
    fn center(&self) -> Vec3<f64> {
        each!(self, core => core.center())
    }
    fn size(&self) -> f64 {
        each!(self, core => Support::size(core))
    }
    fn flat_side(&self, from_center: Vec3<f64>) -> Option<FlatSide<Vec3<f64>>> {
        each!(self, core => core.flat_side(from_center))
    }
    fn room_on_side(&self, side: &FlatSide<Vec3<f64>>, point: Vec3<f64>) -> f64 {
        each!(self, core => core.room_on_side(side, point))
    }
    fn ball_about(&self, point: Vec3<f64>) -> Option<Ball<Vec3<f64>>> {
        each!(self, core => core.ball_about(point))
    }
    fn deepest_on(&self, from: Vec3<f64>, along: Vec3<f64>) -> Option<f64> {
        each!(self, core => core.deepest_on(from, along))
    }
    fn curve_at(&self, direction: Vec3<f64>) -> [Vec3<f64>; 3] {
        each!(self, core => core.curve_at(direction))
    }
    fn line_at(&self, direction: Vec3<f64>) -> Option<[Vec3<f64>; 2]> {
        each!(self, core => core.line_at(direction))
    }
    fn nearest(&self, point: Vec3<f64>) -> Option<Vec3<f64>> {
        each!(self, core => core.nearest(point))
    }
}
