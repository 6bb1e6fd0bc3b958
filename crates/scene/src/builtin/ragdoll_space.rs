//! Ragdolls in space: fourteen capsules, ten ball joints, three hinges and a filter (Box3D's "human").

use carom::d3::{Body, BodyHandle, Capsule, Collider, Filter, Joint, Pose, Quat, World};
use carom::math::Vec3;
use carom::response::Error;

/// What differs between ragdolls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ragdoll {
    pub(super) at: [f32; 3],
    /// The torque of friction in the joints, N·m.
    pub(super) friction: f32,
    /// The frequency of the springs in the joints, 1/s.
    pub(super) frequency: f32,
    pub(super) damping_ratio: f32,
    /// Some of the bones of one group pass through each other.
    pub(super) group: i32,
    /// The number that all bodies have as their user data.
    pub(super) tag: u64,
}

/// Place, rotation, the two ends of the capsule, its radius, whether it is of the group.
type Bone = ([f32; 3], [f32; 4], [[f32; 3]; 2], f32, bool);

const BONES: [Bone; 14] = [
    (
        [0.0, 0.932_087, -0.051_708],
        [0.739_169, 0.0, 0.0, 0.673_520],
        [[0.07, 0.0, -0.08], [-0.07, 0.0, -0.08]],
        0.13,
        false,
    ),
    (
        [0.0, 1.113_505, -0.034_81],
        [0.739_973, 0.0, 0.0, 0.672_637],
        [[0.06, 0.0, -0.052_264], [-0.06, 0.0, -0.052_264]],
        0.12,
        true,
    ),
    (
        [0.0, 1.194_336, -0.027_087],
        [0.703_611, 0.0, 0.0, 0.710_586],
        [[0.08, -0.015_133, -0.091_801], [-0.08, -0.015_133, -0.091_801]],
        0.10,
        false,
    ),
    (
        [0.0, 1.310_43, -0.028_232],
        [0.669_856, 0.000_001, -0.000_001, 0.742_491],
        [[0.11, -0.039_753, -0.13], [-0.11, -0.039_753, -0.13]],
        0.145,
        false,
    ),
    (
        [0.0, 1.575_582, -0.055_837],
        [0.879_922, 0.0, 0.0, 0.475_118],
        [[-0.000_001, 0.0, -0.02], [0.0, -0.005, -0.08]],
        0.07,
        false,
    ),
    (
        [0.0, 1.653_348, -0.003_241],
        [0.750_288, 0.0, 0.0, 0.661_111],
        [[-0.000_001, 0.016_892, -0.058_69], [0.0, -0.003_629, -0.115_072]],
        0.0975,
        false,
    ),
    (
        [0.090_416, 0.986_104, -0.035_090],
        [-0.703_287, -0.070_715, 0.053_866, 0.705_327],
        [[0.023_719, 0.006_008, -0.039_068], [-0.064_492, -0.004_664, -0.424_718]],
        0.09,
        true,
    ),
    (
        [0.101_198, 0.527_027, -0.037_374],
        [-0.653_328, -0.066_860, 0.058_582, 0.751_838],
        [[0.001_778, 0.0, 0.009_841], [-0.078_577, 0.014_707, -0.418_16]],
        0.075,
        false,
    ),
    (
        [-0.090_416, 0.986_104, -0.035_09],
        [-0.703_287, 0.070_715, -0.053_865, 0.705_326],
        [[-0.023_719, 0.006_008, -0.039_068], [0.064_492, -0.004_664, -0.424_718]],
        0.09,
        true,
    ),
    (
        [-0.101_198, 0.527_027, -0.037_373],
        [-0.653_327, 0.066_86, -0.058_582, 0.751_839],
        [[-0.001_820, 0.0, 0.010_071], [0.077_883, 0.014_825, -0.418_047]],
        0.075,
        false,
    ),
    (
        [0.203_78, 1.484_275, -0.115_897],
        [0.143_082, 0.695_980, -0.690_130, 0.137_33],
        [[0.0, 0.0, 0.0], [-0.091_118, 0.037_775, 0.229_719]],
        0.075,
        false,
    ),
    (
        [0.305_614, 1.242_908, -0.117_599],
        [0.165_048, 0.563_437, -0.802_002, 0.109_959],
        [[0.0, 0.0, 0.0], [-0.142_406, 0.039_392, 0.261_092]],
        0.05,
        false,
    ),
    (
        [-0.203_78, 1.484_276, -0.115_899],
        [0.143_083, -0.695_978, 0.690_132, 0.137_329],
        [[0.0, 0.0, 0.0], [0.091_118, 0.037_775, 0.229_718]],
        0.075,
        false,
    ),
    (
        [-0.305_614, 1.242_907, -0.117_599],
        [0.165_048, -0.563_437, 0.802_002, 0.109_959],
        [[0.0, 0.0, 0.0], [0.142_406, 0.039_392, 0.261_092]],
        0.05,
        false,
    ),
];

/// Bone, parent, the frames on the parent and on the bone, the cone (none for a hinge), the limits in degrees,
/// the share of the friction.
struct Link {
    bone: usize,
    parent: usize,
    on_parent: ([f32; 3], [f32; 4]),
    on_bone: ([f32; 3], [f32; 4]),
    cone: Option<f32>,
    limits: [f32; 2],
    friction_scale: f32,
}

const ORIGIN: [f32; 3] = [0.0; 3];

const LINKS: [Link; 13] = [
    Link {
        bone: 1,
        parent: 0,
        on_parent: ([0.0, 0.0, -0.182_204], [-0.999_999, 0.0, 0.0, 0.001_194]),
        on_bone: ([0.0, 0.0, -0.007_736], [-1.0, 0.0, 0.0, 0.0]),
        cone: Some(25.0),
        limits: [-15.0, 15.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 2,
        parent: 1,
        on_parent: ([0.0, 0.0, -0.088_935], [-0.998_619, 0.0, 0.0, -0.052_540]),
        on_bone: ([0.0, 0.0, -0.008_199], [-1.0, 0.0, 0.0, 0.0]),
        cone: Some(25.0),
        limits: [-15.0, 15.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 3,
        parent: 2,
        on_parent: ([0.0, 0.0, -0.124_298], [-0.998_921, 0.000_001, -0.000_001, -0.046_434]),
        on_bone: (ORIGIN, [-1.0, 0.0, -0.000_001, 0.0]),
        cone: Some(15.0),
        limits: [-10.0, 10.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 4,
        parent: 3,
        on_parent: ([0.000_001, -0.000_259, -0.266_585], [-0.942_192, -0.000_001, 0.0, 0.335_074]),
        on_bone: (ORIGIN, [-1.0, 0.0, -0.000_001, 0.0]),
        cone: Some(45.0),
        limits: [-15.0, 15.0],
        friction_scale: 0.8,
    },
    Link {
        bone: 5,
        parent: 4,
        on_parent: ([0.0, 0.001_321, -0.093_873], [-0.974_301, 0.0, 0.0, -0.225_251]),
        on_bone: ([0.0, 0.001_268, -0.005_104], [-1.0, 0.0, 0.0, 0.0]),
        cone: Some(15.0),
        limits: [-15.0, 15.0],
        friction_scale: 0.4,
    },
    Link {
        bone: 6,
        parent: 0,
        on_parent: ([0.05, 0.011_537, -0.055_325], [-0.714_896, -0.022_305, -0.698_361, -0.026_790]),
        on_bone: (ORIGIN, [-0.002_064, 0.758_987, 0.017_046, 0.650_880]),
        cone: Some(10.0),
        limits: [-60.0, 40.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 7,
        parent: 6,
        on_parent: ([-0.069_989, 0.000_253, -0.453_844], [-0.000_677, 0.760_087, 0.105_674, 0.641_171]),
        on_bone: (ORIGIN, [-0.044_589, 0.765_540, 0.053_368, 0.639_619]),
        cone: None,
        limits: [-5.0, 45.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 8,
        parent: 0,
        on_parent: ([-0.05, 0.011_537, -0.055_326], [-0.039_089, -0.714_094, 0.043_177, 0.697_623]),
        on_bone: (ORIGIN, [0.758_805, -0.019_886, -0.651_012, -0.001_759]),
        cone: Some(10.0),
        limits: [-30.0, 60.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 9,
        parent: 8,
        on_parent: ([0.069_988, 0.000_253, -0.453_844], [0.760_086, -0.000_675, -0.641_171, -0.105_676]),
        on_bone: (ORIGIN, [0.765_540, -0.044_589, -0.639_619, -0.053_368]),
        cone: None,
        limits: [-45.0, 5.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 10,
        parent: 3,
        on_parent: ([0.203_780, -0.069_369, -0.181_921], [-0.278_486, 0.445_600, -0.097_014, 0.845_266]),
        on_bone: (ORIGIN, [-0.201_396, -0.001_586, 0.901_850, 0.382_234]),
        cone: Some(60.0),
        limits: [-5.0, 5.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 11,
        parent: 10,
        on_parent: ([-0.095_482, 0.039_584, 0.240_723], [0.512_487, -0.180_629, 0.839_474, 0.003_742]),
        on_bone: (ORIGIN, [0.503_803, -0.029_831, 0.858_168, 0.094_017]),
        cone: None,
        limits: [-5.0, 60.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 12,
        parent: 3,
        on_parent: ([-0.203_779, -0.069_371, -0.181_922], [-0.253_621, -0.414_842, 0.106_962, 0.867_261]),
        on_bone: (ORIGIN, [-0.201_397, 0.001_587, -0.901_850, 0.382_233]),
        cone: Some(60.0),
        limits: [-5.0, 5.0],
        friction_scale: 1.0,
    },
    Link {
        bone: 13,
        parent: 12,
        on_parent: ([0.095_484, 0.039_585, 0.240_723], [-0.180_627, 0.512_487, -0.003_744, -0.839_474]),
        on_bone: (ORIGIN, [-0.029_831, 0.503_803, -0.094_017, -0.858_169]),
        cone: None,
        limits: [-60.0, 5.0],
        friction_scale: 1.0,
    },
];

fn turn([x, y, z, w]: [f32; 4]) -> Quat<f32> {
    Quat::new(x, y, z, w).unwrap_or_default()
}

/// Adds a ragdoll: all bones, then all joints, then the filter between the thighs.
pub(super) fn add(world: &mut World, ragdoll: &Ragdoll) -> Result<(), Error> {
    let degree = core::f32::consts::PI / 180.0;
    let mut bodies: Vec<BodyHandle> = Vec::with_capacity(BONES.len());
    for (place, rotation, [from, to], radius, is_of_group) in BONES {
        let group = if is_of_group { -ragdoll.group } else { 0 };
        let flesh = Collider::new(Capsule::new(from, to, radius)?)
            .density(1000.0)
            .rolling_resistance(0.2)
            .filter(Filter { group, ..Filter::ALL });
        let at = Vec3::from(ragdoll.at) + Vec3::from(place);
        let body = Body::dynamic().at(Pose::new(at, turn(rotation))).user_data(ragdoll.tag);
        bodies.push(world.add(body.shape(flesh))?);
    }
    for link in &LINKS {
        let (parent, bone) = (bodies[link.parent], bodies[link.bone]);
        let joint = match link.cone {
            Some(cone) => Joint::ball(parent, bone).cone(cone * degree),
            None => Joint::revolute(parent, bone),
        };
        let frame = |(at, rotation): ([f32; 3], [f32; 4])| Pose::new(at, turn(rotation));
        let joint = joint
            .frames(frame(link.on_parent), frame(link.on_bone))
            .limits(link.limits[0] * degree, link.limits[1] * degree)
            .spring(0.0, ragdoll.frequency, ragdoll.damping_ratio)
            .motor(0.0, link.friction_scale * ragdoll.friction);
        world.add_joint(joint)?;
    }
    world.add_joint(Joint::filter(bodies[6], bodies[8]))?;
    Ok(())
}

/// Removes the joints, the last first, then the bodies of ragdolls with a tag.
pub(super) fn remove(world: &mut World, tag: u64) -> Result<(), Error> {
    let bodies: Vec<BodyHandle> =
        world.bodies().filter(|body| body.user_data() == tag).map(|body| body.handle()).collect();
    let joints: Vec<_> = world
        .joints()
        .filter(|joint| bodies.binary_search(&joint.bodies()[1]).is_ok())
        .map(|joint| joint.handle())
        .collect();
    joints.into_iter().rev().try_for_each(|joint| world.remove_joint(joint))?;
    bodies.into_iter().try_for_each(|body| world.remove(body))
}
