//! A scene as plain numbers, which every engine can be given: read off Carom's own world before the first step.
//!
//! One form for both dimensions: vectors have three components and rotations four, a flat scene has z = 0 and
//! turns about z.

use carom::d2::{BodyHandle, Filter, JointAxis, JointKind};
use carom_scene::builtin::{Action, Running};
use std::collections::HashSet;

/// Three components; the third is 0 in the plane.
pub(crate) type Triple = [f32; 3];

/// Where something is and how it is turned, as the unit quaternion (x, y, z, w).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) at: Triple,
    pub(crate) turn: [f32; 4],
}

impl Place {
    /// The angle about z.
    pub(crate) fn angle(&self) -> f32 {
        2.0 * self.turn[2].atan2(self.turn[3])
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Dynamic,
    Fixed,
    Kinematic,
}

#[derive(Clone, Debug)]
pub(crate) enum ShapeData {
    Ball(f32),
    Box(Triple),
    /// Ends and radius.
    Capsule(Triple, Triple, f32),
    Segment(Triple, Triple),
    /// Points of a convex polygon or hull, and a radius around it.
    Hull(Vec<Triple>, f32),
    /// Vertices and triangles, of something fixed.
    Mesh(Vec<Triple>, Vec<[u32; 3]>),
}

#[derive(Clone, Debug)]
pub(crate) struct PartData {
    pub(crate) shape: ShapeData,
    pub(crate) place: Place,
    pub(crate) density: f32,
    pub(crate) friction: f32,
    pub(crate) restitution: f32,
    #[cfg_attr(
        not(any(feature = "box2d", feature = "box3d")),
        allow(dead_code, reason = "Rapier and Jolt have none")
    )]
    pub(crate) rolling_resistance: f32,
    pub(crate) filter: Filter,
}

#[derive(Clone, Debug)]
pub(crate) struct BodyData {
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    pub(crate) velocity: Triple,
    pub(crate) angular: Triple,
    pub(crate) damping: [f32; 2],
    pub(crate) gravity_scale: f32,
    pub(crate) is_awake: bool,
    pub(crate) can_sleep: bool,
    /// It is to be stopped by moving bodies too, where an engine has to be told.
    pub(crate) is_bullet: bool,
    pub(crate) parts: Vec<PartData>,
}

#[derive(Clone, Debug)]
pub(crate) struct SceneData {
    pub(crate) gravity: Triple,
    pub(crate) sub_steps: u32,
    pub(crate) sleeps: bool,
    #[cfg_attr(not(any(feature = "box2d", feature = "box3d", feature = "jolt")), allow(dead_code))]
    pub(crate) is_continuous: bool,
    /// The most that a body may move, in metres a second.
    #[cfg_attr(not(any(feature = "box2d", feature = "box3d", feature = "jolt")), allow(dead_code))]
    pub(crate) max_speed: f32,
    pub(crate) bodies: Vec<BodyData>,
    pub(crate) joints: Vec<JointData>,
}

/// A hinge, a ball and socket, or a filter, which only keeps its bodies from meeting. Every engine has its own default
/// of softness but Rapier, whose joints are rigid unless told.
#[derive(Clone, Debug)]
pub(crate) struct JointData {
    pub(crate) kind: JointKind,
    pub(crate) bodies: [usize; 2],
    /// The frames of the joint in those of the bodies.
    pub(crate) frames: [Place; 2],
    /// What happens about z; springs and motors of a ball and socket are the same about all axes.
    pub(crate) turning: JointAxis,
    /// How far apart the z axes may be.
    #[cfg_attr(not(feature = "box3d"), allow(dead_code, reason = "only Box3D has a cone"))]
    pub(crate) cone: Option<f32>,
}

impl SceneData {
    /// Whether there are meshes or joints.
    #[cfg_attr(not(feature = "jolt"), allow(dead_code, reason = "only Jolt's C layer has neither"))]
    pub(crate) fn has_meshes_or_joints(&self) -> bool {
        let mut parts = self.bodies.iter().flat_map(|body| &body.parts);
        !self.joints.is_empty() || parts.any(|part| matches!(part.shape, ShapeData::Mesh(..)))
    }
}

/// What the action of a scene did before a step.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// New velocities of the k-th body.
    Velocities(usize, Triple, Triple),
    /// One more body.
    Add(BodyData),
}

/// An engine with a scene in it. Bodies are numbered in the order in which they were given.
pub(crate) trait Peer {
    fn add(&mut self, body: &BodyData);
    fn set_velocities(&mut self, body: usize, velocity: Triple, angular: Triple);
    fn step(&mut self);
    fn place(&self, body: usize) -> Place;
}

/// Carom's world, never stepped: says what actions do and measures overlaps.
pub(crate) struct Mirror {
    running: Running,
    step: usize,
    known: HashSet<BodyHandle>,
}

impl Mirror {
    /// The scene, and the mirror for its actions. None where a shape has no counterpart in other engines.
    pub(crate) fn new(running: Running) -> Option<(SceneData, Self)> {
        let (scene, known) = match &running {
            Running::Flat { world, .. } => flat::scene(world)?,
            Running::Solid { world, .. } => solid::scene(world)?,
        };
        Some((scene, Mirror { running, step: 0, known }))
    }

    /// Lets the action of the scene act before the next step and says what it did.
    pub(crate) fn act(&mut self, peer: &dyn Peer) -> Vec<Change> {
        let Mirror { running, step, known } = self;
        *step += 1;
        match running {
            Running::Flat { world, action: Some(action) } => {
                flat::act(world, *action, *step - 1, known, peer)
            }
            Running::Solid { world, action: Some(action) } => {
                solid::act(world, *action, *step - 1, known, peer)
            }
            _ => Vec::new(),
        }
    }

    /// The deepest overlap with bodies at these places, in metres.
    pub(crate) fn deepest(&self, places: &[Place]) -> f32 {
        match &self.running {
            Running::Flat { world, .. } => flat::deepest(world, places),
            Running::Solid { world, .. } => solid::deepest(world, places),
        }
    }
    /// The widest gap of a joint with bodies at these places, in metres.
    pub(crate) fn widest(&self, places: &[Place]) -> f32 {
        match &self.running {
            Running::Flat { world, .. } => flat::widest(world, places),
            Running::Solid { world, .. } => solid::widest(world, places),
        }
    }
}

/// Where the bodies of a running scene are.
pub(crate) fn places(running: &Running) -> Vec<Place> {
    match running {
        Running::Flat { world, .. } => world.bodies().map(|body| flat::place(body.pose())).collect(),
        Running::Solid { world, .. } => world.bodies().map(|body| solid::place(body.pose())).collect(),
    }
}

/// What is the same in both dimensions.
macro_rules! reader {
    ($dimension:ident) => {
        use super::*;
        use carom::$dimension::{BodyKind, BodyRef, JointRef, Pose, Shape, World};

        pub(super) fn scene(world: &World) -> Option<(SceneData, HashSet<BodyHandle>)> {
            let settings = world.settings();
            let data = SceneData {
                gravity: triple(settings.gravity),
                sub_steps: settings.sub_steps,
                sleeps: settings.sleep,
                is_continuous: settings.continuous,
                max_speed: settings.max_speed,
                bodies: world.bodies().map(|found| body(world, &found)).collect::<Option<_>>()?,
                joints: joints(world)?,
            };
            Some((data, world.bodies().map(|body| body.handle()).collect()))
        }

        fn joints(world: &World) -> Option<Vec<JointData>> {
            let handles: Vec<_> = world.bodies().map(|body| body.handle()).collect();
            let joint_data = |joint: JointRef<'_>| {
                let [a, b] = joint.bodies().map(|body| handles.binary_search(&body).ok());
                Some(JointData {
                    kind: joint.description().kind(),
                    bodies: [a?, b?],
                    frames: joint.local_frames().map(place),
                    turning: joint.description().angular_axis(2),
                    cone: joint.description().cone_angle(),
                })
            };
            world.joints().map(joint_data).collect()
        }

        fn body(world: &World, body: &BodyRef<'_>) -> Option<BodyData> {
            let mut parts = body
                .colliders()
                .map(|handle| {
                    let part = world.collider(handle).ok()?;
                    Some(PartData {
                        shape: shape(part.shape())?,
                        place: place(part.pose()),
                        density: part.density(),
                        friction: part.friction(),
                        restitution: part.restitution(),
                        rolling_resistance: part.rolling_resistance(),
                        filter: part.filter(),
                    })
                })
                .collect::<Option<Vec<_>>>()?;
            // Carom lists the last one first.
            parts.reverse();
            Some(BodyData {
                kind: match body.kind() {
                    BodyKind::Dynamic => Kind::Dynamic,
                    BodyKind::Fixed => Kind::Fixed,
                    BodyKind::Kinematic => Kind::Kinematic,
                },
                place: place(body.pose()),
                velocity: triple(body.velocity()),
                angular: angular(body.angular_velocity()),
                damping: body.damping(),
                gravity_scale: body.gravity_scale(),
                is_awake: body.is_awake() || body.kind() != BodyKind::Dynamic,
                can_sleep: body.can_sleep(),
                is_bullet: false,
                parts,
            })
        }

        pub(super) fn act(
            world: &mut World,
            action: Action<World>,
            step: usize,
            known: &mut HashSet<BodyHandle>,
            peer: &dyn Peer,
        ) -> Vec<Change> {
            let is_kinematic = |(_, body): &(usize, BodyRef<'_>)| body.kind() == BodyKind::Kinematic;
            let pushed: Vec<_> =
                world.bodies().enumerate().filter(is_kinematic).map(|(k, body)| (k, body.handle())).collect();
            for &(k, handle) in &pushed {
                if let Ok(mut body) = world.get_mut(handle) {
                    let _ = body.set_pose(pose(peer.place(k)));
                }
            }
            let _ = action(world, step);
            let mut changes = Vec::new();
            for (k, handle) in pushed {
                if let Ok(body) = world.get(handle) {
                    let angular = angular(body.angular_velocity());
                    changes.push(Change::Velocities(k, triple(body.velocity()), angular));
                }
            }
            for found in world.bodies() {
                if known.insert(found.handle()) {
                    changes.extend(body(world, &found).map(Change::Add));
                }
            }
            changes
        }

        /// The world with bodies at these places, and without those that came later.
        fn moved(world: &World, places: &[Place]) -> World {
            let mut world = world.clone();
            let handles: Vec<_> = world.bodies().map(|body| body.handle()).collect();
            for (k, handle) in handles.into_iter().enumerate() {
                match places.get(k) {
                    Some(place) => {
                        if let Ok(mut body) = world.get_mut(handle) {
                            let _ = body.set_pose(pose(*place));
                        }
                    }
                    None => drop(world.remove(handle)),
                }
            }
            world
        }

        pub(super) fn deepest(world: &World, places: &[Place]) -> f32 {
            let mut world = moved(world, places);
            let _ = world.step(0.0);
            world.statistics().deepest
        }

        pub(super) fn widest(world: &World, places: &[Place]) -> f32 {
            let moved = moved(world, places);
            let holds = |joint: &JointRef<'_>| joint.description().kind() != JointKind::Filter;
            moved.joints().filter(holds).map(|joint| joint.separation()).fold(0.0, f32::max)
        }
    };
}

mod flat {
    reader!(d2);
    use carom::d2::Rot2;
    use carom::math::Vec2;

    fn triple(v: Vec2<f32>) -> Triple {
        [v.x, v.y, 0.0]
    }
    fn angular(rate: f32) -> Triple {
        [0.0, 0.0, rate]
    }
    pub(super) fn place(pose: Pose<f32>) -> Place {
        let half = 0.5 * pose.rotation.angle();
        Place { at: triple(pose.translation), turn: [0.0, 0.0, half.sin(), half.cos()] }
    }
    fn pose(place: Place) -> Pose<f32> {
        Pose::new([place.at[0], place.at[1]], Rot2::from_angle(place.angle()))
    }
    fn shape(shape: &Shape<f32>) -> Option<ShapeData> {
        Some(match shape {
            Shape::Ball(ball) => ShapeData::Ball(ball.radius()),
            Shape::Cuboid(cuboid) => ShapeData::Box(triple(cuboid.half_extents())),
            Shape::Capsule(capsule) => ShapeData::Capsule(
                triple(capsule.segment().a()),
                triple(capsule.segment().b()),
                capsule.radius(),
            ),
            Shape::Segment(segment) => ShapeData::Segment(triple(segment.a()), triple(segment.b())),
            Shape::Polygon(polygon) => ShapeData::Hull(polygon.points().map(triple).collect(), 0.0),
            Shape::Rounded(rounded) => match rounded.shape() {
                Shape::Cuboid(cuboid) => {
                    let Vec2 { x, y } = cuboid.half_extents();
                    let corners = [[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]];
                    ShapeData::Hull(corners.to_vec(), rounded.radius())
                }
                Shape::Polygon(polygon) => {
                    ShapeData::Hull(polygon.points().map(triple).collect(), rounded.radius())
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

mod solid {
    reader!(d3);
    use carom::d3::Quat;
    use carom::math::Vec3;

    fn triple(v: Vec3<f32>) -> Triple {
        [v.x, v.y, v.z]
    }
    fn angular(rate: Vec3<f32>) -> Triple {
        triple(rate)
    }
    pub(super) fn place(pose: Pose<f32>) -> Place {
        Place { at: triple(pose.translation), turn: pose.rotation.to_array() }
    }
    fn pose(place: Place) -> Pose<f32> {
        let [x, y, z, w] = place.turn;
        Pose::new(place.at, Quat::new(x, y, z, w).unwrap_or_default())
    }
    fn shape(shape: &Shape<f32>) -> Option<ShapeData> {
        Some(match shape {
            Shape::Ball(ball) => ShapeData::Ball(ball.radius()),
            Shape::Cuboid(cuboid) => ShapeData::Box(triple(cuboid.half_extents())),
            Shape::Capsule(capsule) => ShapeData::Capsule(
                triple(capsule.segment().a()),
                triple(capsule.segment().b()),
                capsule.radius(),
            ),
            Shape::Hull(hull) => ShapeData::Hull(hull.vertices().map(triple).collect(), 0.0),
            Shape::Mesh(mesh) => {
                ShapeData::Mesh(mesh.vertices().map(triple).collect(), mesh.triangles().to_vec())
            }
            _ => return None,
        })
    }
}
