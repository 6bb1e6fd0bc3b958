//! Box2D through its C interface.
//!
//! The crate compiles it with -O2 and with assertions: build with `CFLAGS="-O3 -DNDEBUG"`.
#![allow(unsafe_code, reason = "a C library; every call gets identifiers that it handed out itself")]

use super::scene::{BodyData, JointData, Kind, Peer, Place, SceneData, ShapeData, Triple};
use boxdd_sys::ffi::*;
use carom_scene::builtin::STEP;

pub(super) struct World {
    world: b2WorldId,
    bodies: Vec<b2BodyId>,
    sub_steps: i32,
}

fn vector(v: Triple) -> b2Vec2 {
    b2Vec2 { x: v[0], y: v[1] }
}

fn rotation(place: Place) -> b2Rot {
    let (sin, cos) = place.angle().sin_cos();
    b2Rot { c: cos, s: sin }
}

/// A point of a part in the frame of its body.
fn placed(point: Triple, place: Place) -> b2Vec2 {
    let turn = rotation(place);
    let [x, y, _] = point;
    b2Vec2 { x: turn.c * x - turn.s * y + place.at[0], y: turn.s * x + turn.c * y + place.at[1] }
}

impl World {
    pub(super) fn new(scene: &SceneData, threads: usize) -> Self {
        // SAFETY: definitions come from the library's own defaults.
        let world = unsafe {
            let mut def = b2DefaultWorldDef();
            def.gravity = vector(scene.gravity);
            def.enableSleep = scene.sleeps;
            def.enableContinuous = scene.is_continuous;
            def.maximumLinearSpeed = scene.max_speed;
            def.workerCount = threads as i32;
            b2CreateWorld(&raw const def)
        };
        let mut world = World { world, bodies: Vec::new(), sub_steps: scene.sub_steps as i32 };
        for body in &scene.bodies {
            world.add(body);
        }
        scene.joints.iter().for_each(|joint| world.join(joint));
        world
    }

    fn join(&mut self, joint: &JointData) {
        let frame = |place: Place| b2Transform { p: vector(place.at), q: rotation(place) };
        // SAFETY: the bodies are alive, the definition comes from the library's own defaults.
        unsafe {
            let mut def = b2DefaultRevoluteJointDef();
            def.base.bodyIdA = self.bodies[joint.bodies[0]];
            def.base.bodyIdB = self.bodies[joint.bodies[1]];
            def.base.localFrameA = frame(joint.frames[0]);
            def.base.localFrameB = frame(joint.frames[1]);
            if let Some([lower, upper]) = joint.turning.limits {
                (def.enableLimit, def.lowerAngle, def.upperAngle) = (true, lower, upper);
            }
            if let Some(motor) = joint.turning.motor {
                (def.enableMotor, def.motorSpeed) = (true, motor.speed);
                def.maxMotorTorque = motor.max_force.min(1e9);
            }
            if let Some(spring) = joint.turning.spring {
                (def.enableSpring, def.targetAngle) = (true, spring.target);
                (def.hertz, def.dampingRatio) = (spring.frequency, spring.damping_ratio);
            }
            b2CreateRevoluteJoint(self.world, &raw const def);
        }
    }
}

impl Peer for World {
    fn add(&mut self, body: &BodyData) {
        // SAFETY: the world is alive, definitions come from the library's own defaults, shapes are copied.
        unsafe {
            let mut def = b2DefaultBodyDef();
            def.isBullet = body.is_bullet;
            def.type_ = match body.kind {
                Kind::Dynamic => b2BodyType_b2_dynamicBody,
                Kind::Fixed => b2BodyType_b2_staticBody,
                Kind::Kinematic => b2BodyType_b2_kinematicBody,
            };
            def.position = vector(body.place.at);
            def.rotation = rotation(body.place);
            def.linearVelocity = vector(body.velocity);
            def.angularVelocity = body.angular[2];
            def.linearDamping = body.damping[0];
            def.angularDamping = body.damping[1];
            def.gravityScale = body.gravity_scale;
            def.enableSleep = body.can_sleep;
            def.isAwake = body.is_awake;
            let id = b2CreateBody(self.world, &raw const def);
            for part in &body.parts {
                let mut def = b2DefaultShapeDef();
                def.density = part.density;
                def.material.friction = part.friction;
                def.material.restitution = part.restitution;
                def.material.rollingResistance = part.rolling_resistance;
                def.filter.categoryBits = part.filter.category;
                def.filter.maskBits = part.filter.mask;
                def.filter.groupIndex = part.filter.group;
                let def = &raw const def;
                match &part.shape {
                    ShapeData::Ball(radius) => {
                        let circle = b2Circle { center: vector(part.place.at), radius: *radius };
                        b2CreateCircleShape(id, def, &raw const circle);
                    }
                    ShapeData::Box(half) => {
                        let (center, turn) = (vector(part.place.at), rotation(part.place));
                        let polygon = b2MakeOffsetBox(half[0], half[1], center, turn);
                        b2CreatePolygonShape(id, def, &raw const polygon);
                    }
                    ShapeData::Capsule(a, b, radius) => {
                        let (center1, center2) = (placed(*a, part.place), placed(*b, part.place));
                        let capsule = b2Capsule { center1, center2, radius: *radius };
                        b2CreateCapsuleShape(id, def, &raw const capsule);
                    }
                    ShapeData::Segment(a, b) => {
                        let segment =
                            b2Segment { point1: placed(*a, part.place), point2: placed(*b, part.place) };
                        b2CreateSegmentShape(id, def, &raw const segment);
                    }
                    ShapeData::Hull(points, radius) => {
                        let points: Vec<_> = points.iter().map(|p| placed(*p, part.place)).collect();
                        let hull = b2ComputeHull(points.as_ptr(), points.len() as i32);
                        let polygon = b2MakePolygon(&raw const hull, *radius);
                        b2CreatePolygonShape(id, def, &raw const polygon);
                    }
                    ShapeData::Mesh(..) => unreachable!("meshes are in space"),
                }
            }
            self.bodies.push(id);
        }
    }
    fn set_velocities(&mut self, body: usize, velocity: Triple, angular: Triple) {
        // SAFETY: the body is alive.
        unsafe {
            b2Body_SetLinearVelocity(self.bodies[body], vector(velocity));
            b2Body_SetAngularVelocity(self.bodies[body], angular[2]);
        }
    }
    fn step(&mut self) {
        // SAFETY: the world is alive.
        unsafe { b2World_Step(self.world, STEP, self.sub_steps) }
    }
    fn place(&self, body: usize) -> Place {
        // SAFETY: the body is alive.
        let b2Transform { p, q } = unsafe { b2Body_GetTransform(self.bodies[body]) };
        let half = 0.5 * q.s.atan2(q.c);
        Place { at: [p.x, p.y, 0.0], turn: [0.0, 0.0, half.sin(), half.cos()] }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the world is alive and nobody uses it afterwards.
        unsafe { b2DestroyWorld(self.world) }
    }
}
