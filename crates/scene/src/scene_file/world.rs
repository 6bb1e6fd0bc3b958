//! From a scene to a world: bodies with their shapes, then joints, in the order of the file.

use super::joint::unknown_kind;
use super::{
    AxisDescription, BodyDescription, Dimension, JointDescription, MotionKind, Scene, SceneError,
    SceneFilter, SceneOf, SceneSettings,
};
use crate::builtin::Running;
use carom::math::{Vec2, Vec3, Vector};
use carom::response::Error;
use carom::{d2, d3};

fn failure(kind: &'static str, text: String) -> SceneError {
    SceneError { file: None, place: None, kind, text }
}

/// An error of the world with what it is about.
fn about(what: &str, error: &Error) -> SceneError {
    failure(error.kind(), format!("{what}: {error}"))
}

fn filter(given: SceneFilter) -> d2::Filter {
    d2::Filter { category: given.category, mask: given.mask, group: given.group }
}

/// What happens along or about an axis of a joint.
fn axis(given: &AxisDescription<f32>) -> d2::JointAxis {
    let mut axis = if given.is_locked { d2::JointAxis::LOCKED } else { d2::JointAxis::FREE };
    if let Some([lower, upper]) = given.limits {
        axis = axis.limits(lower, upper);
    }
    if let Some(motor) = given.motor {
        axis = axis.motor(motor.speed, motor.max_force.unwrap_or(f32::INFINITY));
    }
    if let Some(spring) = given.spring {
        axis = axis.spring(spring.target.unwrap_or(0.0), spring.frequency, spring.damping_ratio);
    }
    axis
}

/// What the two dimensions have in common, written once.
macro_rules! dimension {
    ($(#[$example:meta])* $world:ident, $settings:ident, $body:ident, $joint:ident, $dimension:ident, $vector:ident) => {
        /// Builds the world of a scene.
        ///
        /// A joint whose anchor is given on one body only has the other where that is in the world, and likewise
        /// for its axis; without any it is at the origin of the second body, but a pulley at those of both. A spring is what the type moves
        /// along, or for `"type": "spring"` what is between the anchors; it is at rest as they are, unless it has a `target`.
        /// `limits` of a rope is its least and its greatest length.
        ///
        /// # Errors
        /// When the world refuses something, or there is no such type of joint; the error says which.
        ///
        $(#[$example])*
        pub fn $world(scene: &SceneOf<$vector<f32>>) -> Result<$dimension::World, SceneError> {
            let mut world = $dimension::World::new();
            let settings = $settings(scene, *world.settings());
            world.set_settings(settings).map_err(|error| about("settings", &error))?;
            let mut handles = Vec::with_capacity(scene.bodies.len());
            for body in &scene.bodies {
                handles.push(world.add($body(body)).map_err(|error| about(&body.name, &error))?);
            }
            for (index, joint) in scene.joints.iter().enumerate() {
                let (Some(&a), Some(&b)) = (handles.get(joint.a), handles.get(joint.b)) else {
                    let text = format!("joints[{index}]: there is no such body: there are {}", handles.len());
                    return Err(failure("no_such_body", text));
                };
                let made = $joint(joint, a, b, [scene.bodies[joint.a].pose, scene.bodies[joint.b].pose])?;
                world.add_joint(made).map_err(|error| about(&format!("joints[{index}]"), &error))?;
            }
            Ok(world)
        }

        fn $settings(scene: &SceneOf<$vector<f32>>, usual: $dimension::Settings) -> $dimension::Settings {
            let SceneSettings {
                sub_steps,
                slop,
                contact_stiffness,
                contact_damping,
                joint_stiffness,
                joint_damping,
                push_speed,
                restitution_speed,
                hit_speed,
                max_speed,
                continuous,
                sleep,
                sleep_time,
                recycle,
            } = scene.settings;
            $dimension::Settings {
                gravity: scene.gravity.unwrap_or(usual.gravity),
                sub_steps: sub_steps.unwrap_or(usual.sub_steps),
                slop: slop.unwrap_or(usual.slop),
                contact_stiffness: contact_stiffness.unwrap_or(usual.contact_stiffness),
                contact_damping: contact_damping.unwrap_or(usual.contact_damping),
                joint_stiffness: joint_stiffness.unwrap_or(usual.joint_stiffness),
                joint_damping: joint_damping.unwrap_or(usual.joint_damping),
                push_speed: push_speed.unwrap_or(usual.push_speed),
                restitution_speed: restitution_speed.unwrap_or(usual.restitution_speed),
                hit_speed: hit_speed.unwrap_or(usual.hit_speed),
                max_speed: max_speed.unwrap_or(usual.max_speed),
                continuous: continuous.unwrap_or(usual.continuous),
                sleep: sleep.unwrap_or(usual.sleep),
                sleep_time: sleep_time.unwrap_or(usual.sleep_time),
                recycle: recycle.unwrap_or(usual.recycle),
            }
        }

        fn $body(given: &BodyDescription<$vector<f32>>) -> $dimension::Body {
            let kind = match given.kind {
                MotionKind::Dynamic => $dimension::BodyKind::Dynamic,
                MotionKind::Fixed => $dimension::BodyKind::Fixed,
                MotionKind::Kinematic => $dimension::BodyKind::Kinematic,
            };
            let mut body = $dimension::Body::new(kind)
                .at(given.pose)
                .velocity(given.velocity)
                .angular_velocity(given.angular)
                .can_sleep(given.can_sleep)
                .name(&*given.name);
            for part in given.shapes.iter() {
                let mut shape = $dimension::Collider::new(part.shape.clone()).at(part.pose);
                if let Some(density) = part.density {
                    shape = shape.density(density);
                }
                if let Some(friction) = part.friction {
                    shape = shape.friction(friction);
                }
                if let Some(restitution) = part.restitution {
                    shape = shape.restitution(restitution);
                }
                let shape = if part.is_sensor { shape.sensor() } else { shape };
                body = body.shape(shape.filter(filter(part.filter)));
            }
            body
        }

        fn $joint(
            given: &JointDescription<$vector<f32>>,
            a: $dimension::BodyHandle,
            b: $dimension::BodyHandle,
            poses: [<$vector<f32> as Dimension>::Pose; 2],
        ) -> Result<$dimension::Joint, SceneError> {
            use $dimension::Joint;
            let main = &given.main;
            let spring = main.spring.map_or((0.0, 0.0), |spring| (spring.frequency, spring.damping_ratio));
            let rest = main.spring.and_then(|spring| spring.target);
            let longest = main.limits.map_or(f32::INFINITY, |limits| limits[1]);
            let place = |side: usize| given.anchors[side].map(|anchor| poses[side].point_to_world(anchor));
            let apart = || place(0).zip(place(1)).map_or(0.0, |(on_a, on_b)| (on_b - on_a).length());
            let ratio = given.ratio.unwrap_or(1.0);
            let most = |given: Option<f32>| given.unwrap_or(f32::INFINITY);
            let mut joint = match &*given.kind {
                "fixed" => Joint::fixed(a, b),
                "revolute" | "hinge" => Joint::revolute(a, b),
                "prismatic" | "slider" => Joint::prismatic(a, b),
                "ball" => Joint::ball(a, b),
                "distance" => Joint::distance(a, b),
                "rope" => Joint::rope(a, b, longest),
                "spring" => Joint::elastic(a, b, rest.unwrap_or_else(apart), spring.0, spring.1),
                "wheel" => Joint::wheel(a, b),
                "filter" => Joint::filter(a, b),
                "gear" => Joint::gear(a, b, ratio),
                "pulley" => Joint::pulley(a, b, given.points.unwrap_or_default(), ratio),
                "motor" => Joint::motor_to(a, b, most(given.max_force), most(given.max_torque)),
                "generic" => Joint::generic(a, b),
                kind => return Err(failure("unknown_type", unknown_kind(kind))),
            };
            // The ends of a rope over a pulley are not in one place.
            let anchors = match &*given.kind {
                "pulley" => given.anchors.map(|anchor| Some(anchor.unwrap_or_default())),
                _ => given.anchors,
            };
            joint = match anchors {
                [Some(on_a), Some(on_b)] => joint.anchors(on_a, on_b),
                _ => joint.at($dimension::Pose::at(place(0).or(place(1)).unwrap_or(poses[1].translation))),
            };
            let has_both = matches!(anchors, [Some(_), Some(_)]);
            let turn = |side: usize| {
                let along = |axis| if has_both { axis } else { poses[side].rotation.rotate(axis) };
                given.axes[side].map(along)
            };
            if let Some(first) = turn(0).or(turn(1)) {
                joint = if has_both { joint.axes(first, turn(1).unwrap_or(first)) } else { joint.axis(first) };
            }
            for (index, given) in given.linear.iter().enumerate() {
                joint = joint.linear(index, axis(given));
            }
            // The plane turns about z.
            for (index, what) in given.angular.iter().enumerate() {
                joint = joint.angular(index + 3 - given.angular.len().min(3), axis(what));
            }
            if let Some(length) = given.length {
                joint = joint.length(length);
            }
            if let Some([lower, upper]) = main.limits {
                joint = joint.limits(lower, upper);
            }
            if let Some(motor) = main.motor {
                joint = joint.motor(motor.speed, most(motor.max_force));
            }
            if let Some(spring) = main.spring.filter(|_| &*given.kind != "spring") {
                joint = joint.spring(spring.target.unwrap_or(0.0), spring.frequency, spring.damping_ratio);
            }
            Ok(joint)
        }
    };
}

dimension!(
    /// # Example
    /// ```
    /// use carom_scene::scene_file::{Scene, parse_scene, world_in_plane};
    /// let text = br#"{"carom": 1, "dim": 2, "gravity": [0, -1], "bodies": [{"kind": "fixed"}]}"#;
    /// let Scene::Plane(scene) = parse_scene(text, None)? else { unreachable!() };
    /// let world = world_in_plane(&scene)?;
    /// assert_eq!((world.body_count(), world.settings().gravity.y), (1, -1.0));
    /// # Ok::<(), carom_scene::scene_file::SceneError>(())
    /// ```
    world_in_plane, settings_in_plane, body_in_plane, joint_in_plane, d2, Vec2
);
dimension!(
    /// # Example
    /// ```
    /// use carom_scene::scene_file::{Scene, parse_scene, world_in_space};
    /// let text = br#"{"carom": 1, "dim": 3, "bodies": [{"kind": "fixed"}, {"kind": "fixed"}],
    ///     "joints": [{"type": "ball", "a": 0, "b": 1}]}"#;
    /// let Scene::Space(scene) = parse_scene(text, None)? else { unreachable!() };
    /// assert_eq!(world_in_space(&scene)?.joint_count(), 1);
    /// # Ok::<(), carom_scene::scene_file::SceneError>(())
    /// ```
    world_in_space, settings_in_space, body_in_space, joint_in_space, d3, Vec3
);

impl Scene<f32> {
    /// The scene as something that can be stepped.
    ///
    /// # Errors
    /// As [`world_in_plane`].
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
            Scene::Plane(scene) => Running::Flat { world: Box::new(world_in_plane(scene)?), action: None },
            Scene::Space(scene) => Running::Solid { world: Box::new(world_in_space(scene)?), action: None },
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::scene_file::{Scene, parse_scene, world_in_plane, world_in_space};

    #[test]
    fn a_scene_becomes_a_world() {
        let text = br#"{"carom": 1, "dim": 2, "bodies": [
            {"name": "post", "kind": "fixed", "pose": {"translation": [0, 5]}},
            {"name": "arm", "pose": {"translation": [1, 5]}, "shapes": [{"shape": {"type": "ball", "radius": 0.2}}]}],
            "joints": [{"type": "hinge", "a": "post", "b": "arm", "anchor_a": [0, 0]}],
            "settings": {"sleep": false}}"#;
        let Ok(Scene::Plane(scene)) = parse_scene::<f32>(text, None) else { panic!("it is a scene") };
        let mut world = world_in_plane(&scene).unwrap();
        for _ in 0..120 {
            world.step(1.0 / 60.0).unwrap();
            let arm = world.bodies().last().unwrap().pose().translation;
            let square = arm.x * arm.x + (arm.y - 5.0) * (arm.y - 5.0);
            assert!((square - 1.0).abs() < 0.02, "{arm:?}");
        }
        let mut wrong = scene.clone();
        wrong.joints[0].kind = "hinges".into();
        let error = world_in_plane(&wrong).unwrap_err();
        assert!(error.kind == "unknown_type" && error.text.contains("did you mean `hinge`?"), "{error}");
    }

    #[test]
    fn gears_pulleys_motors_and_generic_joints_do_what_they_say() {
        let ball = r#"[{"shape": {"type": "ball", "radius": 0.2}}]"#;
        let text = format!(
            r#"{{"carom": 1, "dim": 2, "gravity": [0, -10], "bodies": [
            {{"name": "wall", "kind": "fixed"}},
            {{"name": "small", "pose": {{"translation": [0, 1]}}, "angular": 4, "shapes": {ball}}},
            {{"name": "large", "pose": {{"translation": [9, 1]}}, "shapes": {ball}}},
            {{"name": "left", "pose": {{"translation": [20, 5]}}, "shapes": {ball}}},
            {{"name": "right", "pose": {{"translation": [22, 3]}}, "shapes": [{{"shape": {{"type": "ball", "radius": 0.2}}, "density": 4}}]}},
            {{"name": "held", "pose": {{"translation": [30, 5]}}, "shapes": {ball}}},
            {{"name": "weak", "pose": {{"translation": [40, 5]}}, "shapes": {ball}}},
            {{"name": "lift", "pose": {{"translation": [50, 5]}}, "shapes": {ball}}}],
            "joints": [
            {{"type": "hinge", "a": "wall", "b": "small"}}, {{"type": "hinge", "a": "wall", "b": "large"}},
            {{"type": "gear", "a": "small", "b": "large", "ratio": 2}},
            {{"type": "pulley", "a": "left", "b": "right", "points": [[20, 9], [22, 9]]}},
            {{"type": "motor", "a": "wall", "b": "held"}},
            {{"type": "motor", "a": "wall", "b": "weak", "max_force": 0.1}},
            {{"type": "generic", "a": "wall", "b": "lift", "linear": ["locked",
                {{"limits": [-2, 2], "motor": {{"speed": 1, "max_force": 3}}}}], "angular": ["locked"]}}],
            "settings": {{"sleep": false}}}}"#
        );
        let Ok(Scene::Plane(scene)) = parse_scene::<f32>(text.as_bytes(), None) else {
            panic!("it is a scene")
        };
        let mut world = world_in_plane(&scene).unwrap();
        (0..60).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let bodies: Vec<_> = world.bodies().collect();
        let (at, spin) = (|k: usize| bodies[k].pose().translation, |k: usize| bodies[k].angular_velocity());
        assert!((spin(1) + 2.0 * spin(2)).abs() < 1e-3 && 0.5 < spin(1), "{} {}", spin(1), spin(2));
        // What one end of the rope loses the other gains, and the heavy end goes down.
        assert!(at(4).y < 2.0 && (at(3).y + at(4).y - 8.0).abs() < 0.05, "{:?} {:?}", at(3), at(4));
        assert!((at(5).y - 5.0).abs() < 0.02 && at(6).y < 1.0, "{:?} {:?}", at(5), at(6));
        assert!((at(7).y - 6.0).abs() < 0.05 && (at(7).x - 50.0).abs() < 1e-3, "{:?}", at(7));
        (0..120).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let lift = world.bodies().last().unwrap().pose().translation;
        assert!((lift.y - 7.0).abs() < 0.05, "{lift:?}");
    }

    #[test]
    fn fields_of_other_types_are_refused() {
        let scene = |joint: &str| {
            let text = format!(
                r#"{{"carom": 1, "dim": 2, "bodies": [{{}}, {{}}], "joints": [{{"a": 0, "b": 1, {joint}}}]}}"#
            );
            parse_scene::<f32>(text.as_bytes(), None).map_err(|error| (error.kind, error.text))
        };
        for (joint, kind, part) in [
            (r#""type": "hinge", "ratio": 2"#, "unknown_field", ""),
            (r#""type": "pulley", "ratio": 2"#, "missing_field", "`points`"),
            (r#""type": "pulley", "points": [[0, 1]]"#, "wrong_length", ""),
            (r#""type": "motor", "max_force": -1"#, "negative", "max_force"),
            (
                r#""type": "generic", "linear": ["locked", "lokced"]"#,
                "unknown_kind",
                "did you mean `locked`?",
            ),
            (r#""type": "generic", "angular": ["locked", "free", "free"]"#, "wrong_length", ""),
            (r#""type": "generic", "linear": [{"limits": [1, 0]}, "free"]"#, "empty_interval", ""),
            (
                r#""type": "generic", "linear": [{"limit": [1, 0]}, "free"]"#,
                "unknown_field",
                "did you mean `limits`?",
            ),
        ] {
            let (found, text) = scene(joint).unwrap_err();
            assert!(found == kind && text.contains(part), "{joint}: {found} {text}");
        }
    }

    #[test]
    fn axes_are_those_of_the_bodies() {
        let text = br#"{"carom": 1, "dim": 3, "bodies": [
            {"kind": "fixed"},
            {"pose": {"translation": [0, 0, 2]}, "shapes": [{"shape": {"type": "ball", "radius": 0.2}}]}],
            "joints": [{"type": "slider", "a": 0, "b": 1, "axis_a": [0, 1, 1], "limits": [-1, 1]}]}"#;
        let Ok(Scene::Space(scene)) = parse_scene::<f32>(text, None) else { panic!("it is a scene") };
        let mut world = world_in_space(&scene).unwrap();
        (0..120).for_each(|_| world.step(1.0 / 60.0).unwrap());
        // Down the slope until the limit: by 1 along (0, 1, 1)/√2.
        let at = world.bodies().last().unwrap().pose().translation;
        assert!((at.y + 0.707).abs() < 0.01 && (at.z - 1.293).abs() < 0.01 && at.x.abs() < 1e-3, "{at:?}");
    }
}
