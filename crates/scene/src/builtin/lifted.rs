//! Scenes of the plane in space: the same bodies, extruded.
//!
//! What moves is a metre deep (cards are 0.4 m), what is fixed 40 m; discs become balls, capsules of the plane those of
//! space, a line of ground a slab a metre thick below it. Hinges turn about z. Nothing is kept in the plane: that a card
//! house does not fall sideways is part of what is asked.

use super::{Flat, Solid, joints_plane, quality};
use carom::d2::{self, BodyKind};
use carom::d3::{
    Ball, Body, Capsule, Collider, ConvexHull, Cuboid, Joint, Pose, Quat, Settings, Shape, World,
};
use carom::math::{Vec2, Vec3, Vector};
use carom::response::Error;

/// Half of the depth of what moves.
const HALF_DEPTH: f32 = 0.5;
/// Half of the depth of what is fixed.
const GROUND_HALF_DEPTH: f32 = 20.0;
/// Half of the thickness of what was a line.
const SLAB: f32 = 0.5;

pub(super) fn high_mass_ratio_1() -> Result<Solid, Error> {
    lift(quality::high_mass_ratio_1()?, HALF_DEPTH)
}
pub(super) fn high_mass_ratio_2() -> Result<Solid, Error> {
    lift(quality::high_mass_ratio_2()?, HALF_DEPTH)
}
pub(super) fn high_mass_ratio_3() -> Result<Solid, Error> {
    lift(quality::high_mass_ratio_3()?, HALF_DEPTH)
}
pub(super) fn vertical_stack() -> Result<Solid, Error> {
    lift(quality::vertical_stack()?, HALF_DEPTH)
}
pub(super) fn arch() -> Result<Solid, Error> {
    lift(quality::arch()?, HALF_DEPTH)
}
pub(super) fn card_house() -> Result<Solid, Error> {
    lift(quality::card_house()?, 0.2)
}
pub(super) fn far_pyramid() -> Result<Solid, Error> {
    lift(quality::far_pyramid()?, HALF_DEPTH)
}
pub(super) fn ball_and_chain() -> Result<Solid, Error> {
    lift(joints_plane::ball_and_chain()?, HALF_DEPTH)
}

/// The ball of ratio 37,000 so light that it has a thousand times the mass of a link.
pub(super) fn ball_and_chain_1000() -> Result<Solid, Error> {
    let (r, ball) = (0.125_f32, 8.0_f32);
    let density = 1000.0 * 20.0 * (0.75 * r * r + r * r * r) / (ball * ball * ball);
    lift(joints_plane::chain_with_ball(density)?, HALF_DEPTH)
}

fn lift((flat, _): Flat, half_depth: f32) -> Result<Solid, Error> {
    let old = flat.settings();
    let mut world = World::new();
    let (gravity, sub_steps, sleep) = (point(old.gravity), old.sub_steps, old.sleep);
    world.set_settings(Settings { gravity, sub_steps, sleep, ..*world.settings() })?;
    let (mut known, mut handles) = (Vec::new(), Vec::new());
    for body in flat.bodies() {
        let (lifted, depth) = match body.kind() {
            BodyKind::Fixed => (Body::fixed(), GROUND_HALF_DEPTH),
            BodyKind::Kinematic => (Body::kinematic(), half_depth),
            BodyKind::Dynamic => (Body::dynamic(), half_depth),
        };
        let [linear, angular] = body.damping();
        let mut lifted = lifted
            .at(place(body.pose()))
            .velocity(point(body.velocity()))
            .angular_velocity([0.0, 0.0, body.angular_velocity()])
            .damping(linear, angular)
            .gravity_scale(body.gravity_scale());
        // The last one comes first.
        let mut parts: Vec<_> = body.colliders().collect();
        parts.reverse();
        for part in parts {
            let part = flat.collider(part)?;
            let (shape, offset) = extruded(part.shape(), depth)?;
            let mut at = place(part.pose());
            at.translation += offset;
            let collider = Collider::new(shape)
                .at(at)
                .density(part.density())
                .friction(part.friction())
                .restitution(part.restitution())
                .filter(part.filter());
            lifted = lifted.shape(collider);
        }
        known.push(body.handle());
        handles.push(world.add(lifted)?);
    }
    for joint in flat.joints() {
        let ends = joint.bodies().map(|body| known.binary_search(&body).ok().and_then(|at| handles.get(at)));
        if let [Some(a), Some(b)] = ends {
            let [on_a, on_b] = joint.local_frames();
            world.add_joint(Joint::revolute(*a, *b).frames(place(on_a), place(on_b)))?;
        }
    }
    Ok((world, None))
}

fn point(v: Vec2<f32>) -> Vec3<f32> {
    Vec3::new(v.x, v.y, 0.0)
}

fn place(pose: d2::Pose<f32>) -> Pose<f32> {
    let turn = Quat::from_axis_angle([0.0, 0.0, 1.0], pose.rotation.angle()).unwrap_or_default();
    Pose::new(point(pose.translation), turn)
}

/// The shape in space, and how far from its place it belongs. Shapes that none of the scenes has are refused as hulls of no points.
fn extruded(shape: &d2::Shape<f32>, half_depth: f32) -> Result<(Shape<f32>, Vec3<f32>), Error> {
    let prism = |points: &mut dyn Iterator<Item = Vec2<f32>>| {
        let sides = points.flat_map(|p| [-half_depth, half_depth].map(|z| Vec3::new(p.x, p.y, z)));
        Ok::<_, Error>(ConvexHull::new(sides.collect::<Vec<_>>())?)
    };
    let here = Vec3::new(0.0, 0.0, 0.0);
    Ok(match shape {
        d2::Shape::Ball(ball) => (Ball::new(ball.radius())?.into(), here),
        d2::Shape::Capsule(capsule) => {
            let (a, b) = (point(capsule.segment().a()), point(capsule.segment().b()));
            (Capsule::new(a, b, capsule.radius())?.into(), here)
        }
        d2::Shape::Cuboid(cuboid) => {
            let half = cuboid.half_extents();
            (Cuboid::new([half.x, half.y, half_depth])?.into(), here)
        }
        // Those of the ground, which are level.
        d2::Shape::Segment(line) => {
            let half = Vector::length(line.b() - line.a()) * 0.5;
            let middle = (line.a() + line.b()) * 0.5;
            (Cuboid::new([half, SLAB, half_depth])?.into(), point(middle) - Vec3::new(0.0, SLAB, 0.0))
        }
        d2::Shape::Polygon(polygon) => (prism(&mut polygon.points())?.into(), here),
        _ => (prism(&mut core::iter::empty())?.into(), here),
    })
}
