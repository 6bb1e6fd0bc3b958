//! Jolt 5.0 through JoltC: its defaults, 10 velocity and 2 position iterations, one collision step.
//!
//! The C layer has neither meshes nor a setting for gravity, so that the scenes with 10 m/s² scale it on each
//! body. Needs cmake, a C++ compiler and libclang.
#![allow(unsafe_code, reason = "a C library; every call gets pointers that it handed out itself")]

use super::scene::{BodyData, Kind, Peer, Place, SceneData, ShapeData, Triple};
use carom_scene::builtin::STEP;
use core::ffi::{c_uint, c_void};
use core::ptr;
use joltc_sys::*;
use std::sync::Once;

// The crate leaves out the library that its C++ needs.
#[link(name = "stdc++")]
unsafe extern "C" {}

const STILL: u16 = 0;
const MOVING: u16 = 1;

pub(super) struct World {
    system: *mut JPC_PhysicsSystem,
    interface: *mut JPC_BodyInterface,
    scratch: *mut JPC_TempAllocatorImpl,
    jobs: *mut JPC_JobSystemThreadPool,
    layers: *mut JPC_BroadPhaseLayerInterface,
    against_layers: *mut JPC_ObjectVsBroadPhaseLayerFilter,
    against_objects: *mut JPC_ObjectLayerPairFilter,
    bodies: Vec<JPC_BodyID>,
    /// The hull that was made last and the points that it is of.
    hull: Option<(Vec<Triple>, *mut JPC_Shape)>,
    gravity_factor: f32,
    sleeps: bool,
    is_continuous: bool,
    max_speed: f32,
    is_optimised: bool,
}

unsafe extern "C" fn layer_count(_: *const c_void) -> c_uint {
    2
}
unsafe extern "C" fn layer_of(_: *const c_void, layer: JPC_ObjectLayer) -> JPC_BroadPhaseLayer {
    layer as JPC_BroadPhaseLayer
}
unsafe extern "C" fn meets_layer(_: *const c_void, a: JPC_ObjectLayer, b: JPC_BroadPhaseLayer) -> bool {
    a == MOVING || b as u16 == MOVING
}
unsafe extern "C" fn meets_object(_: *const c_void, a: JPC_ObjectLayer, b: JPC_ObjectLayer) -> bool {
    a == MOVING || b == MOVING
}

fn vector(v: Triple) -> JPC_Vec3 {
    JPC_Vec3 { x: v[0], y: v[1], z: v[2], _w: v[2] }
}

fn position(v: Triple) -> JPC_RVec3 {
    JPC_RVec3 { x: v[0], y: v[1], z: v[2], _w: v[2] }
}

fn rotation(place: Place) -> JPC_Quat {
    let [x, y, z, w] = place.turn;
    JPC_Quat { x, y, z, w }
}

/// Makes a shape; the settings outlive the call.
macro_rules! create {
    ($create:ident, $settings:expr) => {{
        let (mut shape, mut error) = (ptr::null_mut(), ptr::null_mut());
        let settings = $settings;
        assert!($create(&raw const settings, &raw mut shape, &raw mut error), "Jolt refuses a shape");
        shape
    }};
}

impl World {
    pub(super) fn new(scene: &SceneData, threads: usize) -> Self {
        static ONCE: Once = Once::new();
        let moving = scene.bodies.len() as u32;
        // SAFETY: the order of calls is the one that the library asks for; the filters outlive the system.
        unsafe {
            ONCE.call_once(|| {
                JPC_RegisterDefaultAllocator();
                JPC_FactoryInit();
                JPC_RegisterTypes();
            });
            let layers = JPC_BroadPhaseLayerInterface_new(
                ptr::null(),
                JPC_BroadPhaseLayerInterfaceFns {
                    GetNumBroadPhaseLayers: Some(layer_count),
                    GetBroadPhaseLayer: Some(layer_of),
                },
            );
            let against_layers = JPC_ObjectVsBroadPhaseLayerFilter_new(
                ptr::null(),
                JPC_ObjectVsBroadPhaseLayerFilterFns { ShouldCollide: Some(meets_layer) },
            );
            let against_objects = JPC_ObjectLayerPairFilter_new(
                ptr::null(),
                JPC_ObjectLayerPairFilterFns { ShouldCollide: Some(meets_object) },
            );
            let system = JPC_PhysicsSystem_new();
            JPC_PhysicsSystem_Init(
                system,
                moving + 1024,
                0,
                (32 * moving).clamp(65_536, 1 << 20),
                (16 * moving).clamp(20_480, 1 << 19),
                layers,
                against_layers,
                against_objects,
            );
            let mut world = World {
                system,
                interface: JPC_PhysicsSystem_GetBodyInterface(system),
                scratch: JPC_TempAllocatorImpl_new(512 << 20),
                jobs: JPC_JobSystemThreadPool_new3(2048, 8, threads as i32 - 1),
                layers,
                against_layers,
                against_objects,
                bodies: Vec::new(),
                hull: None,
                gravity_factor: -scene.gravity[1] / 9.81,
                sleeps: scene.sleeps,
                is_continuous: scene.is_continuous,
                max_speed: scene.max_speed.max(500.0),
                is_optimised: false,
            };
            for body in &scene.bodies {
                world.add(body);
            }
            world
        }
    }

    /// A shape around its own origin.
    ///
    /// # Safety
    /// None beyond that the library is initialised.
    unsafe fn shape(&mut self, shape: &ShapeData, density: f32) -> *mut JPC_Shape {
        // SAFETY: settings start from the library's defaults and live through the call.
        unsafe {
            match shape {
                ShapeData::Ball(radius) => create!(
                    JPC_SphereShapeSettings_Create,
                    JPC_SphereShapeSettings { Radius: *radius, Density: density, ..Default::default() }
                ),
                ShapeData::Box(half) => create!(
                    JPC_BoxShapeSettings_Create,
                    JPC_BoxShapeSettings {
                        HalfExtent: vector(*half),
                        // Sharp, as those of the other engines.
                        ConvexRadius: 0.0,
                        Density: density,
                        ..Default::default()
                    }
                ),
                ShapeData::Hull(points, _) => {
                    if let Some((known, hull)) = &self.hull
                        && known == points
                    {
                        return *hull;
                    }
                    let corners: Vec<_> = points.iter().copied().map(vector).collect();
                    let hull = create!(
                        JPC_ConvexHullShapeSettings_Create,
                        JPC_ConvexHullShapeSettings {
                            Points: corners.as_ptr(),
                            PointsLen: corners.len(),
                            MaxConvexRadius: 0.0,
                            Density: density,
                            ..Default::default()
                        }
                    );
                    self.hull = Some((points.clone(), hull));
                    hull
                }
                ShapeData::Capsule(a, b, radius) => {
                    let half = 0.5 * (0..3).map(|k| (b[k] - a[k]).powi(2)).sum::<f32>().sqrt();
                    create!(
                        JPC_CapsuleShapeSettings_Create,
                        JPC_CapsuleShapeSettings {
                            HalfHeightOfCylinder: half,
                            Radius: *radius,
                            Density: density,
                            ..Default::default()
                        }
                    )
                }
                ShapeData::Segment(..) | ShapeData::Mesh(..) => ptr::null_mut(),
            }
        }
    }
}

impl Peer for World {
    fn add(&mut self, body: &BodyData) {
        // SAFETY: the system is alive; shapes are counted by the bodies that have them.
        unsafe {
            let identity = |place: &Place| place.at == [0.0; 3] && place.turn == [0.0, 0.0, 0.0, 1.0];
            let shape = match &body.parts[..] {
                [part] if identity(&part.place) => self.shape(&part.shape, part.density),
                parts => {
                    let parts: Vec<_> = parts
                        .iter()
                        .map(|part| JPC_SubShapeSettings {
                            Shape: self.shape(&part.shape, part.density),
                            Position: vector(part.place.at),
                            Rotation: rotation(part.place),
                            ..Default::default()
                        })
                        .collect();
                    create!(
                        JPC_StaticCompoundShapeSettings_Create,
                        JPC_StaticCompoundShapeSettings {
                            SubShapes: parts.as_ptr(),
                            SubShapesLen: parts.len(),
                            ..Default::default()
                        }
                    )
                }
            };
            let is_fixed = body.kind == Kind::Fixed;
            let settings = JPC_BodyCreationSettings {
                Position: position(body.place.at),
                Rotation: rotation(body.place),
                LinearVelocity: vector(body.velocity),
                AngularVelocity: vector(body.angular),
                ObjectLayer: if is_fixed { STILL } else { MOVING },
                MotionType: match body.kind {
                    Kind::Dynamic => JPC_MOTION_TYPE_DYNAMIC,
                    Kind::Fixed => JPC_MOTION_TYPE_STATIC,
                    Kind::Kinematic => JPC_MOTION_TYPE_KINEMATIC,
                },
                MotionQuality: if self.is_continuous {
                    JPC_MOTION_QUALITY_LINEAR_CAST
                } else {
                    JPC_MOTION_QUALITY_DISCRETE
                },
                AllowSleeping: self.sleeps && body.can_sleep,
                Friction: body.parts[0].friction,
                Restitution: body.parts[0].restitution,
                LinearDamping: body.damping[0],
                AngularDamping: body.damping[1],
                MaxLinearVelocity: self.max_speed,
                GravityFactor: self.gravity_factor * body.gravity_scale,
                Shape: shape,
                ..Default::default()
            };
            let activation = if is_fixed { JPC_ACTIVATION_DONT_ACTIVATE } else { JPC_ACTIVATION_ACTIVATE };
            let id = JPC_BodyInterface_CreateAndAddBody(self.interface, &raw const settings, activation);
            self.bodies.push(id);
        }
    }
    fn set_velocities(&mut self, body: usize, velocity: Triple, angular: Triple) {
        // SAFETY: the body is alive.
        unsafe {
            JPC_BodyInterface_SetLinearVelocity(self.interface, self.bodies[body], vector(velocity));
            JPC_BodyInterface_SetAngularVelocity(self.interface, self.bodies[body], vector(angular));
        }
    }
    fn step(&mut self) {
        // SAFETY: all of it is alive.
        unsafe {
            if !self.is_optimised {
                JPC_PhysicsSystem_OptimizeBroadPhase(self.system);
                self.is_optimised = true;
            }
            let error = JPC_PhysicsSystem_Update(self.system, STEP, 1, self.scratch, self.jobs);
            assert_eq!(error, 0, "Jolt dropped contacts");
        }
    }
    fn place(&self, body: usize) -> Place {
        let mut at = position([0.0; 3]);
        let mut turn = JPC_Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        // SAFETY: the body is alive and the places to write to are ours.
        unsafe {
            JPC_BodyInterface_GetPositionAndRotation(
                self.interface,
                self.bodies[body],
                &raw mut at,
                &raw mut turn,
            );
        }
        Place { at: [at.x, at.y, at.z], turn: [turn.x, turn.y, turn.z, turn.w] }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // SAFETY: each is alive, deleted once, the system before what it refers to.
        unsafe {
            JPC_PhysicsSystem_delete(self.system);
            JPC_ObjectLayerPairFilter_delete(self.against_objects);
            JPC_ObjectVsBroadPhaseLayerFilter_delete(self.against_layers);
            JPC_BroadPhaseLayerInterface_delete(self.layers);
            JPC_JobSystemThreadPool_delete(self.jobs);
            JPC_TempAllocatorImpl_delete(self.scratch);
        }
    }
}
