//! From a scene to a world that can be stepped.
//!
//! What the scene leaves open is left to the world. A body or setting that the world refuses is named.

use super::{BodyDescription, MotionKind, Scene, SceneError, SceneFilter, SceneOf, SceneSettings};
use crate::builtin::Running;
use carom::math::{Vec2, Vec3};
use carom::{d2, d3};

/// What the world said about a part of the scene.
fn refused(what: &str, error: &carom::response::Error) -> SceneError {
    SceneError { file: None, place: None, kind: error.kind(), text: format!("{what}: {error}") }
}

fn kind(kind: MotionKind) -> d2::BodyKind {
    match kind {
        MotionKind::Dynamic => d2::BodyKind::Dynamic,
        MotionKind::Fixed => d2::BodyKind::Fixed,
        MotionKind::Kinematic => d2::BodyKind::Kinematic,
    }
}

fn filter(filter: SceneFilter) -> d2::Filter {
    d2::Filter { category: filter.category, mask: filter.mask, group: filter.group }
}

/// Puts what the scene says about settings in the place of what a world has.
macro_rules! overwrite {
    ($settings:ident, $given:expr, $($field:ident),+) => {
        let SceneSettings { $($field),+ } = $given;
        $(if let Some(value) = $field { $settings.$field = value; })+
    };
}

macro_rules! world_of_scene {
    ($dimension:ident, $vector:ty) => {
        impl SceneOf<$vector> {
            /// The world that the scene describes, before its first step.
            ///
            /// # Errors
            /// When the world refuses a body or a setting; see [`SceneError`].
            pub fn world(&self) -> Result<$dimension::World, SceneError> {
                let mut world = $dimension::World::new();
                let mut settings = *world.settings();
                if let Some(gravity) = self.gravity {
                    settings.gravity = gravity;
                }
                overwrite!(
                    settings,
                    self.settings,
                    sub_steps,
                    slop,
                    contact_stiffness,
                    contact_damping,
                    push_speed,
                    restitution_speed,
                    hit_speed,
                    max_speed,
                    sleep,
                    sleep_time,
                    recycle
                );
                world.set_settings(settings).map_err(|error| refused("settings", &error))?;
                for body in &self.bodies {
                    add(&mut world, body).map_err(|error| refused(&body.name, &error))?;
                }
                if let Some(joint) = self.joints.first() {
                    let text = format!("joints[0]: a world has no joint of the type {} yet", joint.kind);
                    return Err(SceneError { file: None, place: None, kind: "unsupported", text });
                }
                return Ok(world);

                fn add(
                    world: &mut $dimension::World,
                    given: &BodyDescription<$vector>,
                ) -> Result<(), carom::response::Error> {
                    let mut body = $dimension::Body::new(kind(given.kind))
                        .at(given.pose)
                        .velocity(given.velocity)
                        .angular_velocity(given.angular)
                        .can_sleep(given.can_sleep)
                        .name(&*given.name);
                    for shape in given.shapes.iter() {
                        let mut collider = $dimension::Collider::new(shape.shape.clone())
                            .at(shape.pose)
                            .filter(filter(shape.filter));
                        if let Some(density) = shape.density {
                            collider = collider.density(density);
                        }
                        if let Some(friction) = shape.friction {
                            collider = collider.friction(friction);
                        }
                        if let Some(restitution) = shape.restitution {
                            collider = collider.restitution(restitution);
                        }
                        if shape.is_sensor {
                            collider = collider.sensor();
                        }
                        body = body.shape(collider);
                    }
                    world.add(body).map(|_| ())
                }
            }
        }
    };
}

world_of_scene!(d2, Vec2<f32>);
world_of_scene!(d3, Vec3<f32>);

impl Scene<f32> {
    /// The scene as something that can be stepped.
    ///
    /// # Errors
    /// When the world refuses a body or a setting.
    ///
    /// # Example
    /// ```
    /// use carom_scene::scene_file::parse_scene;
    /// let text = br#"{"carom": 1, "dim": 2, "gravity": [0, -9.81], "bodies": [
    ///     {"kind": "fixed", "shapes": [{"shape": {"type": "half_space", "normal": [0, 1], "offset": 0}}]},
    ///     {"pose": {"translation": [0, 3]}, "shapes": [{"shape": {"type": "ball", "radius": 1}}]}
    /// ]}"#;
    /// let mut running = parse_scene::<f32>(text, None)?.start()?;
    /// assert_eq!(running.statistics().bodies, 2);
    /// # Ok::<(), carom_scene::scene_file::SceneError>(())
    /// ```
    pub fn start(&self) -> Result<Running, SceneError> {
        Ok(match self {
            Scene::Plane(scene) => Running::Flat { world: Box::new(scene.world()?), action: None },
            Scene::Space(scene) => Running::Solid { world: Box::new(scene.world()?), action: None },
        })
    }
}
