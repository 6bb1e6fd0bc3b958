//! From JSON to scenes, each thing with the fields that it may have.

use super::joint::joint;
use super::{
    BodyDescription, Dimension, LONGEST_NAME, MOST_BODIES, MotionKind, Scene, SceneFilter, SceneOf,
    SceneSettings, ShapeDescription,
};
use crate::failure::{Failure, meant};
use crate::json::{Object, Value};
use crate::mesh::Folder;
use crate::query::read::{pose2, pose3, shape2, shape3};
use carom::math::{Real, Vec2, Vec3};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What is read differently in the plane and in space.
trait Read: Dimension {
    fn shape(value: Value<'_>, folder: &Folder<Self::Scalar>) -> Result<Self::Shape, Failure>;
    fn pose(value: Value<'_>) -> Result<Self::Pose, Failure>;
    fn angular(value: Value<'_>) -> Result<Self::Angular, Failure>;
    /// The pose, moved along the axes of the world.
    fn moved(pose: Self::Pose, by: Self) -> Self::Pose;
    fn translation(pose: Self::Pose) -> Self;
}

impl<T: Real> Read for Vec2<T> {
    fn shape(value: Value<'_>, _: &Folder<T>) -> Result<Self::Shape, Failure> {
        shape2(value)
    }
    fn pose(value: Value<'_>) -> Result<Self::Pose, Failure> {
        pose2(value)
    }
    fn angular(value: Value<'_>) -> Result<T, Failure> {
        value.number()
    }
    fn moved(mut pose: Self::Pose, by: Self) -> Self::Pose {
        pose.translation += by;
        pose
    }
    fn translation(pose: Self::Pose) -> Self {
        pose.translation
    }
}

impl<T: Real> Read for Vec3<T> {
    fn shape(value: Value<'_>, folder: &Folder<T>) -> Result<Self::Shape, Failure> {
        shape3(value, folder)
    }
    fn pose(value: Value<'_>) -> Result<Self::Pose, Failure> {
        pose3(value)
    }
    fn angular(value: Value<'_>) -> Result<Self, Failure> {
        value.vector()
    }
    fn moved(mut pose: Self::Pose, by: Self) -> Self::Pose {
        pose.translation += by;
        pose
    }
    fn translation(pose: Self::Pose) -> Self {
        pose.translation
    }
}

/// A whole scene.
pub(super) fn scene<T: Real>(text: &str, folder: &Folder<T>) -> Result<Scene<T>, Failure> {
    let (scene, read) = Object::of_line(text);
    read?;
    let version = scene.need("carom", "a scene")?;
    if version.number::<f64>()? != 1.0 {
        return Err(version.fail("unsupported", "this program reads version 1 of the format"));
    }
    scene.allow("a scene", &["carom", "dim", "gravity", "bodies", "joints", "settings"])?;
    let dim = scene.need("dim", "a scene")?;
    match dim.number::<f64>()? {
        2.0 => scene_in(&scene, folder).map(Scene::Plane),
        3.0 => scene_in(&scene, folder).map(Scene::Space),
        other => Err(dim.fail("out_of_range", format!("dim must be 2 or 3, but is {other}"))),
    }
}

fn scene_in<V: Read>(scene: &Object<'_>, folder: &Folder<V::Scalar>) -> Result<SceneOf<V>, Failure> {
    let bodies = bodies(scene.need("bodies", "a scene")?, folder)?;
    let mut joints = Vec::new();
    if let Some(list) = scene.get("joints") {
        let names = Names::of(&bodies);
        list.elements(&"an array of joints", |_, value| {
            joints.push(joint(value, &names)?);
            Ok(())
        })?;
    }
    Ok(SceneOf {
        gravity: scene.get("gravity").map(Value::vector).transpose()?,
        bodies,
        joints,
        settings: scene.get("settings").map(settings).transpose()?.unwrap_or_default(),
    })
}

fn bodies<V: Read>(list: Value<'_>, folder: &Folder<V::Scalar>) -> Result<Vec<BodyDescription<V>>, Failure> {
    let mut bodies = Vec::new();
    let mut shapes = 0_usize;
    list.elements(&"an array of bodies", |index, value| {
        let object = value.object("a body, such as {\"name\": \"wheel\", \"shapes\": []}")?;
        let name = format!("bodies[{index}]");
        let found = match object.get("repeat") {
            None => vec![body(&object, &name, folder)?],
            Some(repeat) => {
                object.allow("a repeat block", &["repeat"])?;
                repeated(repeat, &name, folder)?
            }
        };
        let more = found.iter().fold(0_usize, |sum, body| sum.saturating_add(body.shapes.len()));
        shapes = shapes.saturating_add(more);
        if MOST_BODIES < bodies.len() + found.len() || MOST_BODIES < shapes {
            return Err(too_many(value));
        }
        bodies.extend(found);
        Ok(())
    })?;
    Ok(bodies)
}

fn too_many(value: Value<'_>) -> Failure {
    value.fail("too_many", format!("a scene may have {MOST_BODIES} bodies and as many shapes at most"))
}

fn body<V: Read>(
    object: &Object<'_>,
    unnamed: &str,
    folder: &Folder<V::Scalar>,
) -> Result<BodyDescription<V>, Failure> {
    object
        .allow("a body", &["name", "kind", "pose", "velocity", "angular", "shapes", "bullet", "can_sleep"])?;
    let mut shapes = Vec::new();
    if let Some(list) = object.get("shapes") {
        list.elements(&"an array of shapes, each {\"shape\": .., \"pose\": ..}", |_, value| {
            shapes.push(shape(value, folder)?);
            Ok(())
        })?;
    }
    let name = object.get("name").map(name).transpose()?;
    Ok(BodyDescription {
        name: name.as_deref().unwrap_or(unnamed).into(),
        kind: object.get("kind").map(kind).transpose()?.unwrap_or_default(),
        pose: object.get("pose").map(V::pose).transpose()?.unwrap_or_default(),
        velocity: object.get("velocity").map(Value::vector).transpose()?.unwrap_or(V::ZERO),
        angular: object.get("angular").map(V::angular).transpose()?.unwrap_or_default(),
        shapes: shapes.into(),
        is_bullet: object.get("bullet").map_or(Ok(false), Value::boolean)?,
        can_sleep: object.get("can_sleep").map_or(Ok(true), Value::boolean)?,
    })
}

fn name(value: Value<'_>) -> Result<Cow<'_, str>, Failure> {
    let word = value.word()?;
    if LONGEST_NAME < word.len() {
        let text = format!("a name may have {LONGEST_NAME} bytes at most, but this has {}", word.len());
        return Err(value.fail("too_long", text));
    }
    Ok(word)
}

fn kind(value: Value<'_>) -> Result<MotionKind, Failure> {
    const NAMES: [&str; 3] = ["dynamic", "fixed", "kinematic"];
    let word = value.word()?;
    match &*word {
        "dynamic" => Ok(MotionKind::Dynamic),
        "fixed" => Ok(MotionKind::Fixed),
        "kinematic" => Ok(MotionKind::Kinematic),
        _ => {
            let hint =
                meant(&word, NAMES).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
            let text = format!("unknown kind{hint} (there are: {})", NAMES.join(", "));
            Err(value.fail("unknown_kind", text))
        }
    }
}

fn shape<V: Read>(value: Value<'_>, folder: &Folder<V::Scalar>) -> Result<ShapeDescription<V>, Failure> {
    let object =
        value.object("a shape of a body, such as {\"shape\": {\"type\": \"ball\", \"radius\": 1}}")?;
    object.allow(
        "a shape of a body",
        &["shape", "pose", "density", "friction", "restitution", "sensor", "filter"],
    )?;
    let restitution = not_negative(&object, "restitution")?;
    if let (Some(share), Some(at)) = (restitution, object.get("restitution"))
        && V::Scalar::ONE < share
    {
        return Err(at.fail("out_of_range", "restitution must be in 0 to 1"));
    }
    Ok(ShapeDescription {
        shape: V::shape(object.need("shape", "a shape of a body")?, folder)?,
        pose: object.get("pose").map(V::pose).transpose()?.unwrap_or_default(),
        density: not_negative(&object, "density")?,
        friction: not_negative(&object, "friction")?,
        restitution,
        is_sensor: object.get("sensor").map_or(Ok(false), Value::boolean)?,
        filter: object.get("filter").map(filter).transpose()?.unwrap_or_default(),
    })
}

fn filter(value: Value<'_>) -> Result<SceneFilter, Failure> {
    let object = value.object("a filter, such as {\"category\": 2, \"mask\": 1}")?;
    object.allow("a filter", &["category", "mask", "group"])?;
    let none = SceneFilter::default();
    Ok(SceneFilter {
        category: whole(&object, "category", "bits as a whole number of 64 bits")?.unwrap_or(none.category),
        mask: whole(&object, "mask", "bits as a whole number of 64 bits")?.unwrap_or(none.mask),
        group: whole(&object, "group", "a whole number of 32 bits")?.unwrap_or(none.group),
    })
}

/// The grid that a repeat block stands for.
fn repeated<V: Read>(
    value: Value<'_>,
    unnamed: &str,
    folder: &Folder<V::Scalar>,
) -> Result<Vec<BodyDescription<V>>, Failure> {
    let object = value.object("an object such as {\"count\": [..], \"spacing\": [..], \"body\": {..}}")?;
    object.allow("a repeat block", &["count", "spacing", "body"])?;
    let mut count = [1_usize; 3];
    let listed = object.need("count", "a repeat block")?;
    listed.fixed(V::DIM, |axis, number| {
        if let Some(count) = count.get_mut(axis) {
            // What does not fit is too many in any case.
            *count = usize::try_from(number.whole()?).unwrap_or(usize::MAX);
        }
        Ok(())
    })?;
    let spacing: V = object.need("spacing", "a repeat block")?.vector()?;
    let inner = object.need("body", "a repeat block")?.object("a body")?;
    let one = body::<V>(&inner, unnamed, folder)?;
    let all = count.iter().try_fold(1_usize, |all, &count| all.checked_mul(count));
    let total = match all {
        _ if count.contains(&0) => return Ok(Vec::new()),
        Some(all) if all <= MOST_BODIES / one.shapes.len().max(1) => all,
        _ => return Err(too_many(listed)),
    };
    let mut bodies = Vec::with_capacity(total);
    for number in 0..total {
        let [i, j, k] = [number % count[0], number / count[0] % count[1], number / count[0] / count[1]];
        let step = V::from_fn(|axis| V::Scalar::from_f64([i, j, k][axis] as f64));
        let pose = V::moved(one.pose, step.zip(spacing, |step, length| step * length));
        if !V::translation(pose).finite() {
            return Err(value.fail("overflow", "the last bodies are too far away for the numbers"));
        }
        let name =
            if V::DIM == 2 { format!("{}[{i},{j}]", one.name) } else { format!("{}[{i},{j},{k}]", one.name) };
        bodies.push(BodyDescription { name: name.into(), pose, ..one.clone() });
    }
    Ok(bodies)
}

/// The bodies by their names; `None` for names that several have.
pub(super) struct Names<'a> {
    number: BTreeMap<&'a str, Option<usize>>,
    count: usize,
}

impl<'a> Names<'a> {
    fn of<V: Dimension>(bodies: &'a [BodyDescription<V>]) -> Self {
        let mut number = BTreeMap::new();
        for (index, body) in bodies.iter().enumerate() {
            number.entry(&*body.name).and_modify(|found| *found = None).or_insert(Some(index));
        }
        Names { number, count: bodies.len() }
    }

    pub(super) fn find(&self, value: Value<'_>) -> Result<usize, Failure> {
        if !value.raw().starts_with('"') {
            let index = value.index()? as usize;
            return match index < self.count {
                true => Ok(index),
                false => {
                    let text = format!("there is no body {index}: there are {}, counted from 0", self.count);
                    Err(value.fail("no_such_index", text))
                }
            };
        }
        let name = value.word()?;
        match self.number.get(&*name) {
            Some(&Some(index)) => Ok(index),
            Some(None) => Err(value.fail("ambiguous", "several bodies have this name; use a number")),
            None => {
                let hint = meant(&name, self.number.keys().copied());
                let hint = hint.map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
                Err(value.fail("no_such_body", format!("there is no body of this name{hint}")))
            }
        }
    }
}

fn settings<T: Real>(value: Value<'_>) -> Result<SceneSettings<T>, Failure> {
    let object = value.object("settings, such as {\"sub_steps\": 4}")?;
    object.allow(
        "settings",
        &[
            "sub_steps",
            "slop",
            "contact_stiffness",
            "contact_damping",
            "joint_stiffness",
            "joint_damping",
            "push_speed",
            "restitution_speed",
            "hit_speed",
            "max_speed",
            "continuous",
            "sleep",
            "sleep_time",
            "recycle",
        ],
    )?;
    let number = |name| not_negative(&object, name);
    let truth = |name| object.get(name).map(Value::boolean).transpose();
    Ok(SceneSettings {
        sub_steps: whole(&object, "sub_steps", "a whole number")?,
        slop: number("slop")?,
        contact_stiffness: number("contact_stiffness")?,
        contact_damping: number("contact_damping")?,
        joint_stiffness: number("joint_stiffness")?,
        joint_damping: number("joint_damping")?,
        push_speed: number("push_speed")?,
        restitution_speed: number("restitution_speed")?,
        hit_speed: number("hit_speed")?,
        max_speed: number("max_speed")?,
        continuous: truth("continuous")?,
        sleep: truth("sleep")?,
        sleep_time: number("sleep_time")?,
        recycle: truth("recycle")?,
    })
}

/// A number that may be absent, but not negative.
pub(super) fn not_negative<T: Real>(object: &Object<'_>, name: &str) -> Result<Option<T>, Failure> {
    let Some(value) = object.get(name) else { return Ok(None) };
    let number: T = value.number()?;
    match T::ZERO <= number {
        true => Ok(Some(number)),
        false => Err(value.fail("negative", format!("{name} must not be negative"))),
    }
}

/// A whole number of some type, in all its digits; it may be absent.
fn whole<N: std::str::FromStr>(object: &Object<'_>, name: &str, sort: &str) -> Result<Option<N>, Failure> {
    let Some(value) = object.get(name) else { return Ok(None) };
    match value.raw().parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(value.fail("wrong_type", format!("expected {sort}"))),
    }
}
