//! Ragdolls in the plane: eleven bones, ten hinges with limits, friction and springs (Box2D's "human").

use carom::d2::{
    Body, BodyHandle, Capsule, Collider, ConvexPolygon, Filter, Joint, Pose, Rot2, Rounded, World,
};
use carom::math::Vec2;
use carom::response::Error;

/// What differs between ragdolls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ragdoll {
    /// Where its feet are.
    pub(super) at: [f32; 2],
    /// The torque of friction in the joints, N·m.
    pub(super) friction: f32,
    /// The frequency of the springs in the joints, 1/s.
    pub(super) frequency: f32,
    pub(super) damping_ratio: f32,
    /// Ragdolls of one group pass through each other.
    pub(super) group: i32,
    /// The number that all bodies have as their user data.
    pub(super) tag: u64,
}

/// A bone: its parent, its height, a capsule along y, and how it hangs on the parent.
struct Bone {
    parent: Option<usize>,
    y: f32,
    /// From, to, radius.
    capsule: [f32; 3],
    pivot: f32,
    /// As shares of π.
    limits: [f32; 2],
    friction_scale: f32,
    damping: f32,
}

const fn bone(
    parent: usize,
    y: f32,
    capsule: [f32; 3],
    pivot: f32,
    limits: [f32; 2],
    friction_scale: f32,
    damping: f32,
) -> Bone {
    Bone { parent: Some(parent), y, capsule, pivot, limits, friction_scale, damping }
}

const UPPER_LEG: [f32; 3] = [-0.125, 0.125, 0.06];
const LOWER_LEG: [f32; 3] = [-0.155, 0.125, 0.045];
const UPPER_ARM: [f32; 3] = [-0.125, 0.125, 0.035];
const LOWER_ARM: [f32; 3] = [-0.125, 0.125, 0.03];

const BONES: [Bone; 11] = [
    Bone { parent: None, ..bone(0, 0.95, [-0.02, 0.02, 0.095], 0.0, [0.0, 0.0], 0.0, 0.0) },
    bone(0, 1.2, [-0.135, 0.135, 0.09], 1.0, [-0.25, 0.0], 0.5, 0.0),
    bone(1, 1.475, [-0.038, 0.039, 0.075], 1.4, [-0.3, 0.1], 0.25, 0.1),
    bone(0, 0.775, UPPER_LEG, 0.9, [-0.05, 0.4], 1.0, 0.0),
    bone(3, 0.475, LOWER_LEG, 0.625, [-0.5, -0.02], 0.5, 0.0),
    bone(0, 0.775, UPPER_LEG, 0.9, [-0.05, 0.4], 1.0, 0.0),
    bone(5, 0.475, LOWER_LEG, 0.625, [-0.5, -0.02], 0.5, 0.0),
    bone(1, 1.225, UPPER_ARM, 1.35, [-0.1, 0.8], 0.5, 0.0),
    bone(7, 0.975, LOWER_ARM, 1.1, [-0.2, 0.3], 0.1, 0.1),
    bone(1, 1.225, UPPER_ARM, 1.35, [-0.1, 0.8], 0.5, 0.0),
    bone(9, 0.975, LOWER_ARM, 1.1, [-0.2, 0.3], 0.1, 0.1),
];
/// The bones with a foot.
const LOWER_LEGS: [usize; 2] = [4, 6];
/// The bones whose joint rests bent by an eighth of a turn.
const LOWER_ARMS: [usize; 2] = [8, 10];

/// Adds a ragdoll.
pub(super) fn add(world: &mut World, ragdoll: &Ragdoll) -> Result<(), Error> {
    let pi = core::f32::consts::PI;
    let filter = Filter { category: 2, mask: 3, group: -ragdoll.group };
    let mut bodies: Vec<BodyHandle> = Vec::with_capacity(BONES.len());
    for (index, bone) in BONES.iter().enumerate() {
        let [from, to, radius] = bone.capsule;
        let flesh = Collider::new(Capsule::new([0.0, from], [0.0, to], radius)?).friction(0.2).filter(filter);
        let at = [ragdoll.at[0], ragdoll.at[1] + bone.y];
        let mut body = Body::dynamic().at(at).damping(bone.damping, 0.0).sleep_speed(0.1).shape(flesh);
        if LOWER_LEGS.contains(&index) {
            let sole = [[-0.03, -0.185], [0.11, -0.185], [0.11, -0.16], [-0.03, -0.14]];
            let foot = Rounded::new(ConvexPolygon::from_hull(sole)?, 0.015)?;
            // Feet touch only the ground.
            body = body.shape(Collider::new(foot).friction(0.05).filter(Filter { mask: 1, ..filter }));
        }
        let body = world.add(body.user_data(ragdoll.tag))?;
        if let Some(parent) = bone.parent.and_then(|parent| bodies.get(parent).map(|body| (parent, *body))) {
            let turn =
                if LOWER_ARMS.contains(&index) { Rot2::from_angle(0.25 * pi) } else { Rot2::default() };
            let on_parent = Pose::new(Vec2::new(0.0, bone.pivot - BONES[parent.0].y), turn);
            let on_bone = Pose::at([0.0, bone.pivot - bone.y]);
            let joint = Joint::revolute(parent.1, body)
                .frames(on_parent, on_bone)
                .limits(bone.limits[0] * pi, bone.limits[1] * pi)
                .motor(0.0, bone.friction_scale * ragdoll.friction)
                .spring(0.0, ragdoll.frequency, ragdoll.damping_ratio);
            world.add_joint(joint)?;
        }
        bodies.push(body);
    }
    Ok(())
}

/// Removes all joints, then all bodies, of ragdolls with a tag.
pub(super) fn remove(world: &mut World, tag: u64) -> Result<(), Error> {
    let bodies: Vec<BodyHandle> =
        world.bodies().filter(|body| body.user_data() == tag).map(|body| body.handle()).collect();
    let joints: Vec<_> = world
        .joints()
        .filter(|joint| bodies.binary_search(&joint.bodies()[1]).is_ok())
        .map(|joint| joint.handle())
        .collect();
    joints.into_iter().try_for_each(|joint| world.remove_joint(joint))?;
    bodies.into_iter().try_for_each(|body| world.remove(body))
}
