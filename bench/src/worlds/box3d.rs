//! Box3D through its C interface.
//!
//! The crate compiles it with -O2 and with assertions: build with `CFLAGS="-O3 -DNDEBUG"`.
#![allow(unsafe_code, reason = "a C library; every call gets identifiers that it handed out itself")]

use super::scene::{BodyData, JointData, Kind, Peer, Place, SceneData, ShapeData, Triple};
use boxddd_sys::ffi::*;
use carom::d3::JointKind;
use carom_scene::builtin::STEP;

pub(super) struct World {
    world: b3WorldId,
    bodies: Vec<b3BodyId>,
    /// The hull that was made last and the points that it is of: scenes use one hull thousands of times.
    hull: Option<(Vec<Triple>, *mut b3HullData)>,
    sub_steps: i32,
}

fn vector(v: Triple) -> b3Vec3 {
    b3Vec3 { x: v[0], y: v[1], z: v[2] }
}

fn rotation(place: Place) -> b3Quat {
    let [x, y, z, s] = place.turn;
    b3Quat { v: b3Vec3 { x, y, z }, s }
}

fn transform(place: Place) -> b3Transform {
    b3Transform { p: vector(place.at), q: rotation(place) }
}

impl World {
    pub(super) fn new(scene: &SceneData, threads: usize) -> Self {
        // SAFETY: definitions come from the library's own defaults.
        let world = unsafe {
            let mut def = b3DefaultWorldDef();
            def.gravity = vector(scene.gravity);
            def.enableSleep = scene.sleeps;
            def.enableContinuous = scene.is_continuous;
            def.maximumLinearSpeed = scene.max_speed;
            def.workerCount = threads as u32;
            b3CreateWorld(&raw const def)
        };
        let mut world = World { world, bodies: Vec::new(), hull: None, sub_steps: scene.sub_steps as i32 };
        for body in &scene.bodies {
            world.add(body);
        }
        scene.joints.iter().for_each(|joint| world.join(joint));
        world
    }

    fn join(&mut self, joint: &JointData) {
        let base = |base: &mut b3JointDef| {
            base.bodyIdA = self.bodies[joint.bodies[0]];
            base.bodyIdB = self.bodies[joint.bodies[1]];
            base.localFrameA = transform(joint.frames[0]);
            base.localFrameB = transform(joint.frames[1]);
        };
        // SAFETY: the bodies are alive, the definitions come from the library's own defaults.
        unsafe {
            match joint.kind {
                JointKind::Filter => {
                    let mut def = b3DefaultFilterJointDef();
                    base(&mut def.base);
                    b3CreateFilterJoint(self.world, &raw const def);
                }
                JointKind::Revolute => {
                    let mut def = b3DefaultRevoluteJointDef();
                    base(&mut def.base);
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
                    b3CreateRevoluteJoint(self.world, &raw const def);
                }
                _ => {
                    let mut def = b3DefaultSphericalJointDef();
                    base(&mut def.base);
                    if let Some(cone) = joint.cone {
                        (def.enableConeLimit, def.coneAngle) = (true, cone);
                    }
                    if let Some([lower, upper]) = joint.turning.limits {
                        def.enableTwistLimit = true;
                        (def.lowerTwistAngle, def.upperTwistAngle) = (lower, upper);
                    }
                    // The scenes have motors with speed 0, that is, friction.
                    if let Some(motor) = joint.turning.motor {
                        (def.enableMotor, def.maxMotorTorque) = (true, motor.max_force.min(1e9));
                    }
                    if let Some(spring) = joint.turning.spring {
                        def.enableSpring = true;
                        (def.hertz, def.dampingRatio) = (spring.frequency, spring.damping_ratio);
                    }
                    b3CreateSphericalJoint(self.world, &raw const def);
                }
            }
        }
    }

    fn hull_of(&mut self, points: &[Triple]) -> *const b3HullData {
        if let Some((known, hull)) = &self.hull
            && known == points
        {
            return *hull;
        }
        let corners: Vec<_> = points.iter().copied().map(vector).collect();
        // SAFETY: the points live until the hull is made; the old hull was copied by its shapes.
        unsafe {
            if let Some((_, old)) = self.hull.take() {
                b3DestroyHull(old);
            }
            let hull = b3CreateHull(corners.as_ptr(), corners.len() as i32, corners.len() as i32);
            self.hull = Some((points.to_vec(), hull));
            hull
        }
    }
}

impl Peer for World {
    fn add(&mut self, body: &BodyData) {
        // SAFETY: the world is alive, definitions come from the library's own defaults, shapes are copied.
        unsafe {
            let mut def = b3DefaultBodyDef();
            def.isBullet = body.is_bullet;
            def.type_ = match body.kind {
                Kind::Dynamic => b3BodyType_b3_dynamicBody,
                Kind::Fixed => b3BodyType_b3_staticBody,
                Kind::Kinematic => b3BodyType_b3_kinematicBody,
            };
            def.position = vector(body.place.at);
            def.rotation = rotation(body.place);
            def.linearVelocity = vector(body.velocity);
            def.angularVelocity = vector(body.angular);
            def.linearDamping = body.damping[0];
            def.angularDamping = body.damping[1];
            def.gravityScale = body.gravity_scale;
            def.enableSleep = body.can_sleep;
            def.isAwake = body.is_awake;
            let id = b3CreateBody(self.world, &raw const def);
            for part in &body.parts {
                let mut def = b3DefaultShapeDef();
                def.density = part.density;
                def.baseMaterial.friction = part.friction;
                def.baseMaterial.restitution = part.restitution;
                def.baseMaterial.rollingResistance = part.rolling_resistance;
                def.filter.categoryBits = part.filter.category;
                def.filter.maskBits = part.filter.mask;
                def.filter.groupIndex = part.filter.group;
                let def = &raw const def;
                match &part.shape {
                    ShapeData::Ball(radius) => {
                        let sphere = b3Sphere { center: vector(part.place.at), radius: *radius };
                        b3CreateSphereShape(id, def, &raw const sphere);
                    }
                    ShapeData::Box(half) => {
                        let [x, y, z] = *half;
                        let hull = b3MakeTransformedBoxHull(x, y, z, transform(part.place));
                        b3CreateHullShape(id, def, &raw const hull.base);
                    }
                    ShapeData::Capsule(a, b, radius) => {
                        // The scenes of the suite place capsules without turning them.
                        let moved = |p: Triple| vector(core::array::from_fn(|k| p[k] + part.place.at[k]));
                        let capsule = b3Capsule { center1: moved(*a), center2: moved(*b), radius: *radius };
                        b3CreateCapsuleShape(id, def, &raw const capsule);
                    }
                    ShapeData::Segment(..) => {}
                    ShapeData::Hull(points, _) => {
                        let hull = self.hull_of(points);
                        let one = b3Vec3 { x: 1.0, y: 1.0, z: 1.0 };
                        b3CreateTransformedHullShape(id, def, hull, transform(part.place), one);
                    }
                    ShapeData::Mesh(vertices, triangles) => {
                        let mut vertices: Vec<_> = vertices.iter().copied().map(vector).collect();
                        let mut indices: Vec<_> = triangles.iter().flatten().map(|k| *k as i32).collect();
                        let mut materials = vec![0; triangles.len()];
                        let mesh = b3MeshDef {
                            vertices: vertices.as_mut_ptr(),
                            indices: indices.as_mut_ptr(),
                            materialIndices: materials.as_mut_ptr(),
                            weldTolerance: 0.0,
                            vertexCount: vertices.len() as i32,
                            triangleCount: triangles.len() as i32,
                            weldVertices: false,
                            useMedianSplit: false,
                            identifyEdges: true,
                        };
                        // Never freed: it must outlive the shape, and a run has few.
                        let mesh = b3CreateMesh(&raw const mesh, core::ptr::null_mut(), 0);
                        let one = b3Vec3 { x: 1.0, y: 1.0, z: 1.0 };
                        b3CreateMeshShape(id, def, mesh, one);
                    }
                }
            }
            self.bodies.push(id);
        }
    }
    fn set_velocities(&mut self, body: usize, velocity: Triple, angular: Triple) {
        // SAFETY: the body is alive.
        unsafe {
            b3Body_SetLinearVelocity(self.bodies[body], vector(velocity));
            b3Body_SetAngularVelocity(self.bodies[body], vector(angular));
        }
    }
    fn step(&mut self) {
        // SAFETY: the world is alive.
        unsafe { b3World_Step(self.world, STEP, self.sub_steps) }
    }
    fn place(&self, body: usize) -> Place {
        // SAFETY: the body is alive.
        let b3Transform { p, q } = unsafe { b3Body_GetTransform(self.bodies[body]) };
        Place { at: [p.x, p.y, p.z], turn: [q.v.x, q.v.y, q.v.z, q.s] }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: the world is alive and nobody uses it afterwards; shapes hold copies of the hull.
        unsafe {
            b3DestroyWorld(self.world);
            if let Some((_, hull)) = self.hull.take() {
                b3DestroyHull(hull);
            }
        }
    }
}
