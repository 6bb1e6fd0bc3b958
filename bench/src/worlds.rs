//! Worlds: Carom and Rapier on the built-in scenes, same bodies, same step, same sub-steps, in turns.
//!
//! Every engine gets the numbers of Carom's own world before the first step. Step 0 is not timed. The deepest
//! overlap and the widest gap of a joint at the end are measured by one reference for all engines: their poses
//! are put into Carom's world, which looks for contacts without moving anything. Joints have the softness of
//! Carom's default in both: 60 Hz, damping ratio 2. Ragdolls have no friction in Rapier, whose joints have a
//! spring or a motor.

use carom_scene::builtin::{self, Builtin, Running, STEP};
use std::time::{Duration, Instant};

/// Scenes that other engines can build too, with the steps to run.
const SCENES: [(&str, usize); 17] = [
    ("2d/large_pyramid", 200),
    ("2d/many_pyramids", 60),
    ("2d/smash", 200),
    ("2d/compounds", 300),
    ("2d/washer", 150),
    ("3d/large_pyramid", 60),
    ("3d/many_pyramids", 40),
    ("3d/jolt_pyramid", 200),
    ("3d/washer", 60),
    ("3d/convex_pile", 60),
    ("2d/joint_grid", 100),
    ("3d/joint_grid", 60),
    ("2d/tumbler", 200),
    ("2d/spinner", 100),
    ("2d/rain", 100),
    ("2d/bridge", 300),
    ("2d/ball_and_chain", 300),
];

/// What one run of a scene says.
struct Outcome {
    best: f64,
    mean: f64,
    deepest: f32,
    gap: f32,
}

/// Runs the suite and prints it.
pub(crate) fn run(is_json: bool, filter: &str, repeats: usize) {
    if !is_json {
        println!(
            "{:<22} {:>6} {:>10} {:>10} {:>7} {:>12} {:>12} {:>12} {:>12}",
            "scene",
            "steps",
            "carom ms",
            "rapier ms",
            "ratio",
            "deepest mm",
            "rapier mm",
            "gap mm",
            "rapier mm"
        );
    }
    for (name, steps) in SCENES.into_iter().filter(|(name, _)| name.contains(filter)) {
        let Some(scene) = builtin::find(name) else { continue };
        let mut outcomes: [Option<Outcome>; 2] = [None, None];
        for repeat in 0..repeats.clamp(1, 9) {
            // The engines take turns in being first.
            for turn in 0..2 {
                let engine = (repeat + turn) % 2;
                let outcome = if engine == 0 { carom(scene, steps) } else { rapier(scene, steps) };
                let Some(outcome) = outcome else { continue };
                outcomes[engine] = Some(match outcomes[engine].take() {
                    Some(before) if before.mean < outcome.mean => before,
                    _ => outcome,
                });
            }
        }
        let [Some(ours), Some(theirs)] = &outcomes else { continue };
        if is_json {
            for (engine, version, outcome) in
                [("carom", env!("CARGO_PKG_VERSION"), ours), ("rapier", "0.36", theirs)]
            {
                println!(
                    "{{\"suite\": \"worlds\", \"case\": \"{name}\", \"engine\": \"{engine}\", \"version\": \"{version}\", \
                     \"dim\": {}, \"precision\": \"f32\", \"threads\": 1, \"unit\": \"ms_per_step\", \"min\": {:.5}, \
                     \"median\": {:.5}, \"quality\": {{\"worst_penetration\": {}, \"worst_anchor_gap\": {}}}}}",
                    &name[..1],
                    outcome.best,
                    outcome.mean,
                    outcome.deepest,
                    outcome.gap
                );
            }
        } else {
            println!(
                "{name:<22} {steps:>6} {:>10.3} {:>10.3} {:>7.2} {:>12.2} {:>12.2} {:>12.2} {:>12.2}",
                ours.mean,
                theirs.mean,
                ours.mean / theirs.mean,
                1e3 * ours.deepest,
                1e3 * theirs.deepest,
                1e3 * ours.gap,
                1e3 * theirs.gap
            );
        }
    }
}

/// Times steps 1 to `steps`; the mean and the best of a step, in milliseconds.
fn timed(steps: usize, mut step: impl FnMut()) -> (f64, f64) {
    step();
    let (mut total, mut best) = (Duration::ZERO, Duration::MAX);
    for _ in 1..steps {
        let start = Instant::now();
        step();
        let time = start.elapsed();
        total += time;
        best = best.min(time);
    }
    (1e3 * total.as_secs_f64() / (steps - 1).max(1) as f64, 1e3 * best.as_secs_f64())
}

fn carom(scene: &Builtin, steps: usize) -> Option<Outcome> {
    let mut running = prepared(scene)?;
    let (mean, best) = timed(steps, || {
        let _ = running.step();
    });
    let (deepest, gap) = match &running {
        Running::Flat { world, .. } => {
            deepest2(world, &world.bodies().map(|body| body.pose()).collect::<Vec<_>>())
        }
        Running::Solid { world, .. } => {
            deepest3(world, &world.bodies().map(|body| body.pose()).collect::<Vec<_>>())
        }
    };
    Some(Outcome { mean, best, deepest, gap })
}

fn rapier(scene: &Builtin, steps: usize) -> Option<Outcome> {
    match prepared(scene)? {
        Running::Flat { world, .. } => flat(&world, steps),
        Running::Solid { world, .. } => solid(&world, steps),
    }
}

/// A scene as it is timed: without its action, which only Carom knows. Rain when all of it has fallen.
fn prepared(scene: &Builtin) -> Option<Running> {
    let mut running = scene.start().ok()?;
    if scene.name == "2d/rain" {
        (0..320).try_for_each(|_| running.step()).ok()?;
        if let Running::Flat { action, .. } = &mut running {
            *action = None;
        }
    }
    Some(running)
}

/// The deepest overlap and the widest gap of a world, by a reference for one dimension.
macro_rules! deepest {
    ($name:ident, $dimension:ident) => {
        fn $name(world: &carom::$dimension::World, poses: &[carom::$dimension::Pose<f32>]) -> (f32, f32) {
            let mut world = world.clone();
            let handles: Vec<_> = world.bodies().map(|body| body.handle()).collect();
            for (handle, pose) in handles.into_iter().zip(poses) {
                if let Ok(mut body) = world.get_mut(handle) {
                    let _ = body.set_pose(*pose);
                }
            }
            let _ = world.step(0.0);
            let gap = world.joints().map(|joint| joint.separation()).fold(0.0, f32::max);
            (world.statistics().deepest, gap)
        }
    };
}

deepest!(deepest2, d2);
deepest!(deepest3, d3);

/// Memberships and mask as Rapier has them. A negative group, whose members do not meet, is a bit of its own.
fn group_bits(filter: carom::d2::Filter) -> (u32, u32) {
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

fn flat(world: &carom::d2::World, steps: usize) -> Option<Outcome> {
    use carom::d2::{BodyKind, Pose, Rot2, Shape};
    use rapier2d::prelude::*;
    let groups = |filter: carom::d2::Filter| {
        let (members, filter) = group_bits(filter);
        InteractionGroups::new(Group::from(members), Group::from(filter), InteractionTestMode::And)
    };
    let to = |v: carom::math::Vec2<f32>| rapier2d::prelude::Vector::new(v.x, v.y);
    let settings = world.settings();
    let mut peer = PhysicsWorld::new();
    peer.gravity = to(settings.gravity);
    peer.integration_parameters.dt = STEP;
    peer.integration_parameters.num_solver_iterations = settings.sub_steps as usize;
    let mut handles = Vec::new();
    for body in world.bodies() {
        let builder = match body.kind() {
            BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
            BodyKind::Fixed => RigidBodyBuilder::fixed(),
            BodyKind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
        };
        let pose = body.pose();
        let builder = builder
            .translation(to(pose.translation))
            .rotation(pose.rotation.angle())
            .linvel(to(body.velocity()))
            .angvel(body.angular_velocity())
            .linear_damping(body.damping().0)
            .angular_damping(body.damping().1)
            .gravity_scale(body.gravity_scale())
            .can_sleep(settings.sleep)
            .sleeping(body.kind() == BodyKind::Dynamic && !body.is_awake());
        let handle = peer.insert_body(builder);
        let mut colliders: Vec<_> = body.colliders().collect();
        colliders.reverse();
        for collider in colliders {
            let collider = world.collider(collider).ok()?;
            let shape = match collider.shape() {
                Shape::Ball(ball) => ColliderBuilder::ball(ball.radius()),
                Shape::Cuboid(cuboid) => {
                    ColliderBuilder::cuboid(cuboid.half_extents().x, cuboid.half_extents().y)
                }
                Shape::Capsule(capsule) => {
                    let (a, b) = (capsule.segment().a(), capsule.segment().b());
                    ColliderBuilder::capsule_from_endpoints(to(a), to(b), capsule.radius())
                }
                Shape::Rounded(rounded) => match rounded.shape() {
                    Shape::Cuboid(cuboid) => {
                        let half = cuboid.half_extents();
                        ColliderBuilder::round_cuboid(half.x, half.y, rounded.radius())
                    }
                    Shape::Polygon(polygon) => {
                        let points = polygon.points().map(to).collect::<Vec<_>>();
                        ColliderBuilder::round_convex_hull(&points, rounded.radius())?
                    }
                    _ => return None,
                },
                Shape::Segment(segment) => ColliderBuilder::segment(to(segment.a()), to(segment.b())),
                Shape::Polygon(polygon) => {
                    ColliderBuilder::convex_hull(&polygon.points().map(to).collect::<Vec<_>>())?
                }
                _ => return None,
            };
            let place = collider.pose();
            let shape = shape
                .translation(to(place.translation))
                .rotation(place.rotation.angle())
                .density(collider.density())
                .collision_groups(groups(collider.filter()))
                .friction(collider.friction())
                .restitution(collider.restitution())
                .friction_combine_rule(CoefficientCombineRule::GeometricMean)
                .restitution_combine_rule(CoefficientCombineRule::Max);
            peer.insert_collider(shape, Some(handle));
        }
        handles.push(handle);
    }
    let indices: Vec<_> = world.bodies().map(|body| body.handle()).collect();
    for joint in world.joints() {
        let [a, b] = joint.bodies().map(|body| indices.binary_search(&body).ok());
        let (frames, axis) = (joint.local_frames(), joint.description().angular_axis(2));
        let along = |pose: Pose<f32>| to(pose.rotation.rotate(carom::math::Vec2::new(1.0, 0.0)));
        let mut builder = GenericJointBuilder::new(JointAxesMask::LOCKED_REVOLUTE_AXES)
            .local_anchor1(to(frames[0].translation))
            .local_anchor2(to(frames[1].translation))
            .local_axis1(along(frames[0]))
            .local_axis2(along(frames[1]))
            .contacts_enabled(false)
            .softness(SpringCoefficients { natural_frequency: 60.0, damping_ratio: 2.0 });
        if let Some(limits) = axis.limits {
            builder = builder.limits(JointAxis::AngX, limits);
        }
        if let Some(spring) = axis.spring {
            let omega = 2.0 * core::f32::consts::PI * spring.frequency;
            let damping = 2.0 * spring.damping_ratio * omega;
            builder = builder.motor_position(JointAxis::AngX, spring.target, omega * omega, damping);
        } else if let Some(motor) = axis.motor {
            builder = builder.motor_velocity(JointAxis::AngX, motor.speed, 1e4);
            builder = builder.motor_max_force(JointAxis::AngX, motor.max_force);
        }
        peer.insert_impulse_joint(handles[a?], handles[b?], builder.build());
    }
    let (mean, best) = timed(steps, || peer.step());
    let poses: Vec<_> = handles
        .iter()
        .map(|handle| {
            let body = &peer.bodies[*handle];
            let at = body.translation();
            Pose::new([at.x, at.y], Rot2::from_angle(body.rotation().angle()))
        })
        .collect();
    let (deepest, gap) = deepest2(world, &poses);
    Some(Outcome { mean, best, deepest, gap })
}

fn solid(world: &carom::d3::World, steps: usize) -> Option<Outcome> {
    use carom::d3::{BodyKind, Pose, Quat, Shape};
    use rapier3d::prelude::*;
    let groups = |filter: carom::d3::Filter| {
        let (members, filter) = group_bits(filter);
        InteractionGroups::new(Group::from(members), Group::from(filter), InteractionTestMode::And)
    };
    let to = |v: carom::math::Vec3<f32>| rapier3d::prelude::Vector::new(v.x, v.y, v.z);
    let settings = world.settings();
    let mut peer = PhysicsWorld::new();
    peer.gravity = to(settings.gravity);
    peer.integration_parameters.dt = STEP;
    peer.integration_parameters.num_solver_iterations = settings.sub_steps as usize;
    let mut handles = Vec::new();
    for body in world.bodies() {
        let builder = match body.kind() {
            BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
            BodyKind::Fixed => RigidBodyBuilder::fixed(),
            BodyKind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
        };
        let pose = body.pose();
        let builder = builder
            .translation(to(pose.translation))
            .rotation(to(pose.rotation.rotation_vector()))
            .linvel(to(body.velocity()))
            .angvel(to(body.angular_velocity()))
            .linear_damping(body.damping().0)
            .angular_damping(body.damping().1)
            .can_sleep(settings.sleep);
        let handle = peer.insert_body(builder);
        for collider in body.colliders() {
            let collider = world.collider(collider).ok()?;
            let shape = match collider.shape() {
                Shape::Ball(ball) => ColliderBuilder::ball(ball.radius()),
                Shape::Cuboid(cuboid) => {
                    let half = cuboid.half_extents();
                    ColliderBuilder::cuboid(half.x, half.y, half.z)
                }
                Shape::Hull(hull) => {
                    ColliderBuilder::convex_hull(&hull.vertices().map(to).collect::<Vec<_>>())?
                }
                _ => return None,
            };
            let place = collider.pose();
            let shape = shape
                .translation(to(place.translation))
                .rotation(to(place.rotation.rotation_vector()))
                .density(collider.density())
                .collision_groups(groups(collider.filter()))
                .friction(collider.friction())
                .restitution(collider.restitution())
                .friction_combine_rule(CoefficientCombineRule::GeometricMean)
                .restitution_combine_rule(CoefficientCombineRule::Max);
            peer.insert_collider(shape, Some(handle));
        }
        handles.push(handle);
    }
    let indices: Vec<_> = world.bodies().map(|body| body.handle()).collect();
    for joint in world.joints() {
        let [a, b] = joint.bodies().map(|body| indices.binary_search(&body).ok());
        let frames = joint.local_frames();
        let builder = GenericJointBuilder::new(JointAxesMask::LOCKED_SPHERICAL_AXES)
            .local_anchor1(to(frames[0].translation))
            .local_anchor2(to(frames[1].translation))
            .contacts_enabled(false)
            .softness(SpringCoefficients { natural_frequency: 60.0, damping_ratio: 2.0 });
        peer.insert_impulse_joint(handles[a?], handles[b?], builder.build());
    }
    let (mean, best) = timed(steps, || peer.step());
    let poses: Vec<_> = handles
        .iter()
        .map(|handle| {
            let body = &peer.bodies[*handle];
            let (at, turn) = (body.translation(), body.rotation());
            Pose::new([at.x, at.y, at.z], Quat::new(turn.x, turn.y, turn.z, turn.w).unwrap_or_default())
        })
        .collect();
    let (deepest, gap) = deepest3(world, &poses);
    Some(Outcome { mean, best, deepest, gap })
}
