//! Rapier, one thread: the build without its feature `parallel` is its best on one.

use super::scene::{BodyData, JointData, Kind, PartData, Peer, Place, SceneData, ShapeData, Triple};
use carom::d2::{Filter, JointKind};
use carom_scene::builtin::STEP;

macro_rules! adapter {
    ($module:ident, $rapier:ident, { $($own:item)* }) => {
        mod $module {
            use super::*;
            use $rapier::prelude::*;

            $($own)*

            pub(super) struct World {
                world: PhysicsWorld,
                bodies: Vec<RigidBodyHandle>,
                sleeps: bool,
            }

            impl World {
                pub(super) fn new(scene: &SceneData) -> Self {
                    let mut world = PhysicsWorld::new();
                    world.gravity = vector(scene.gravity);
                    world.integration_parameters.dt = STEP;
                    world.integration_parameters.num_solver_iterations = scene.sub_steps as usize;
                    let mut world = World { world, bodies: Vec::new(), sleeps: scene.sleeps };
                    for body in &scene.bodies {
                        world.add(body);
                    }
                    for joint in &scene.joints {
                        let [a, b] = joint.bodies.map(|body| world.bodies[body]);
                        let builder = joint_of(joint)
                            .contacts_enabled(false)
                            .softness(SpringCoefficients { natural_frequency: 60.0, damping_ratio: 2.0 });
                        world.world.insert_impulse_joint(a, b, builder.build());
                    }
                    world
                }
            }

            /// Limits about the first of the axes; a spring or a motor about all: Rapier's joints have one of them, so that
            /// ragdolls have no friction there.
            fn with_turning(
                mut builder: GenericJointBuilder,
                joint: &JointData,
                axes: &[JointAxis],
            ) -> GenericJointBuilder {
                if let (Some(limits), Some(axis)) = (joint.turning.limits, axes.first()) {
                    builder = builder.limits(*axis, limits);
                }
                for &axis in axes {
                    if let Some(spring) = joint.turning.spring {
                        let omega = 2.0 * core::f32::consts::PI * spring.frequency;
                        let damping = 2.0 * spring.damping_ratio * omega;
                        builder = builder.motor_position(axis, spring.target, omega * omega, damping);
                    } else if let Some(motor) = joint.turning.motor {
                        builder = builder.motor_velocity(axis, motor.speed, 1e4);
                        builder = builder.motor_max_force(axis, motor.max_force);
                    }
                }
                builder
            }

            fn groups(filter: Filter) -> InteractionGroups {
                let (members, mask) = group_bits(filter);
                InteractionGroups::new(Group::from(members), Group::from(mask), InteractionTestMode::And)
            }

            fn collider(part: &PartData) -> ColliderBuilder {
                shape(&part.shape)
                    .translation(vector(part.place.at))
                    .rotation(turn(part.place))
                    .density(part.density)
                    .friction(part.friction)
                    .restitution(part.restitution)
                    .collision_groups(groups(part.filter))
                    .friction_combine_rule(CoefficientCombineRule::GeometricMean)
                    .restitution_combine_rule(CoefficientCombineRule::Max)
            }

            impl Peer for World {
                fn add(&mut self, body: &BodyData) {
                    let builder = match body.kind {
                        Kind::Dynamic => RigidBodyBuilder::dynamic(),
                        Kind::Fixed => RigidBodyBuilder::fixed(),
                        Kind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
                    };
                    let builder = builder
                        .translation(vector(body.place.at))
                        .rotation(turn(body.place))
                        .linvel(vector(body.velocity))
                        .angvel(angular(body.angular))
                        .linear_damping(body.damping[0])
                        .angular_damping(body.damping[1])
                        .gravity_scale(body.gravity_scale)
                        .can_sleep(self.sleeps && body.can_sleep)
                        .ccd_enabled(body.is_bullet)
                        .sleeping(!body.is_awake);
                    let handle = self.world.insert_body(builder);
                    for part in &body.parts {
                        self.world.insert_collider(collider(part), Some(handle));
                    }
                    self.bodies.push(handle);
                }
                fn set_velocities(&mut self, body: usize, velocity: Triple, turning: Triple) {
                    let body = &mut self.world.bodies[self.bodies[body]];
                    body.set_linvel(vector(velocity), true);
                    body.set_angvel(angular(turning), true);
                }
                fn step(&mut self) {
                    self.world.step();
                }
                fn place(&self, body: usize) -> Place {
                    place(&self.world.bodies[self.bodies[body]])
                }
            }
        }
    };
}

/// Memberships and mask as Rapier has them. A negative group, whose members do not meet, is a bit of its own.
fn group_bits(filter: Filter) -> (u32, u32) {
    let own = match filter.group {
        group @ -20..0 => 1 << (8 - group),
        _ => 0,
    };
    let (category, mask) = (filter.category as u32, filter.mask as u32);
    if own == 0 {
        return (category, mask | !0x1f);
    }
    // Whoever meets category 2 meets all groups but the own one.
    (own, if mask & 2 == 0 { mask & 1 } else { (mask & 1) | (!0x1f & !own) })
}

adapter!(plane, rapier2d, {
    fn joint_of(joint: &JointData) -> GenericJointBuilder {
        let along = |place: Place| {
            let (sin, cos) = place.angle().sin_cos();
            Vector::new(cos, sin)
        };
        let builder = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
            .local_axis1(along(joint.frames[0]))
            .local_axis2(along(joint.frames[1]))
            .local_anchor1(vector(joint.frames[0].at))
            .local_anchor2(vector(joint.frames[1].at));
        with_turning(builder, joint, &[JointAxis::AngX])
    }
    fn vector(v: Triple) -> Vector {
        Vector::new(v[0], v[1])
    }
    fn angular(v: Triple) -> f32 {
        v[2]
    }
    fn turn(place: Place) -> f32 {
        place.angle()
    }
    fn place(body: &RigidBody) -> Place {
        let (at, half) = (body.translation(), 0.5 * body.rotation().angle());
        Place { at: [at.x, at.y, 0.0], turn: [0.0, 0.0, half.sin(), half.cos()] }
    }
    fn shape(shape: &ShapeData) -> ColliderBuilder {
        match shape {
            ShapeData::Ball(radius) => ColliderBuilder::ball(*radius),
            ShapeData::Box(half) => ColliderBuilder::cuboid(half[0], half[1]),
            ShapeData::Capsule(a, b, radius) => {
                ColliderBuilder::capsule_from_endpoints(vector(*a), vector(*b), *radius)
            }
            ShapeData::Segment(a, b) => ColliderBuilder::segment(vector(*a), vector(*b)),
            ShapeData::Hull(points, radius) => {
                let points: Vec<_> = points.iter().copied().map(vector).collect();
                ColliderBuilder::round_convex_hull(&points, *radius)
                    .filter(|_| *radius > 0.0)
                    .or_else(|| ColliderBuilder::convex_hull(&points))
                    .expect("the polygon is convex")
            }
            ShapeData::Mesh(..) => unreachable!("meshes are in space"),
        }
    }
});

adapter!(space, rapier3d, {
    /// Rapier turns about x what turns about z here, and has no cone.
    fn joint_of(joint: &JointData) -> GenericJointBuilder {
        let frame = |place: Place| {
            let [x, y, z, w] = place.turn;
            let z_to_x = Rotation::from_xyzw(0.0, -0.5_f32.sqrt(), 0.0, 0.5_f32.sqrt());
            Pose::from_parts(vector(place.at), Rotation::from_xyzw(x, y, z, w) * z_to_x)
        };
        let (locked, axes) = match joint.kind {
            JointKind::Filter => (JointAxesMask::empty(), &[][..]),
            JointKind::Revolute => (JointAxesMask::LOCKED_REVOLUTE_AXES, &[JointAxis::AngX][..]),
            _ => (
                JointAxesMask::LOCKED_SPHERICAL_AXES,
                &[JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ][..],
            ),
        };
        let builder = GenericJointBuilder::new(locked)
            .local_frame1(frame(joint.frames[0]))
            .local_frame2(frame(joint.frames[1]));
        with_turning(builder, joint, axes)
    }
    fn vector(v: Triple) -> Vector {
        Vector::new(v[0], v[1], v[2])
    }
    fn angular(v: Triple) -> Vector {
        vector(v)
    }
    fn turn(place: Place) -> Vector {
        // The axis times the angle.
        let [x, y, z, w] = place.turn;
        let sin = (x * x + y * y + z * z).sqrt();
        let scale = if sin > 0.0 { 2.0 * sin.atan2(w) / sin } else { 0.0 };
        Vector::new(scale * x, scale * y, scale * z)
    }
    fn place(body: &RigidBody) -> Place {
        let (at, turn) = (body.translation(), body.rotation());
        Place { at: [at.x, at.y, at.z], turn: [turn.x, turn.y, turn.z, turn.w] }
    }
    fn shape(shape: &ShapeData) -> ColliderBuilder {
        match shape {
            ShapeData::Ball(radius) => ColliderBuilder::ball(*radius),
            ShapeData::Box(half) => ColliderBuilder::cuboid(half[0], half[1], half[2]),
            ShapeData::Capsule(a, b, radius) => {
                ColliderBuilder::capsule_from_endpoints(vector(*a), vector(*b), *radius)
            }
            ShapeData::Segment(a, b) => ColliderBuilder::segment(vector(*a), vector(*b)),
            ShapeData::Hull(points, radius) => {
                let points: Vec<_> = points.iter().copied().map(vector).collect();
                debug_assert_eq!(*radius, 0.0);
                ColliderBuilder::convex_hull(&points).expect("the hull has a volume")
            }
            ShapeData::Mesh(vertices, triangles) => {
                let vertices = vertices.iter().copied().map(vector).collect();
                ColliderBuilder::trimesh(vertices, triangles.clone()).expect("the mesh has triangles")
            }
        }
    }
});

pub(super) fn build(scene: &SceneData, is_flat: bool) -> Box<dyn Peer> {
    if is_flat { Box::new(plane::World::new(scene)) } else { Box::new(space::World::new(scene)) }
}
