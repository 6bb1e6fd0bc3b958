//! Joints of a scene: how they are described, and from JSON to that.

use super::Dimension;
use super::read::{Names, not_negative};
use crate::failure::{Failure, meant};
use crate::json::{Object, Value};
use carom::math::{Real, Vector};

/// A joint: `{"type", "a", "b", "anchor_a", "anchor_b", "axis_a", "axis_b", "limits", "motor", "spring"}`. The last three
/// are for types in which something moves, and a `rope` needs its limits, a `spring` its spring.
///
/// `a` and `b` are names of bodies, or their numbers, counted from 0 with `repeat` blocks written out. The types
/// that a world can be built of are `fixed`, `revolute` or `hinge`, `prismatic` or `slider`, `ball`, `distance`,
/// `rope`, `spring`, `wheel`, `filter`, and these with fields of their own:
///
/// - `gear`: `"ratio"`. The angle of the first body about its axis plus the ratio times that of the second stays
///   what it is; both turn on joints of their own.
/// - `pulley`: `"points"`, two points of the world that the rope runs over, `"ratio"` and `"length"`. The distance of the
///   first anchor from the first point plus the ratio times that of the second gets no more than the length, which is what it
///   is at the begin unless told.
/// - `motor`: `"max_force"` and `"max_torque"`, with which the second frame is drawn to the first.
/// - `generic`: `"linear"`, two axes in the plane and three in space, and `"angular"`, one in the plane and three in
///   space. An axis is `"free"`, `"locked"` or what it does, `{"limits", "motor", "spring"}`; axes that are not
///   told are free.
///
/// See [`world_in_plane`](super::world_in_plane) for what is left open.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription<V: Dimension> {
    /// The type.
    pub kind: Box<str>,
    /// The number of the first body.
    pub a: usize,
    /// The number of the second body.
    pub b: usize,
    /// Where it holds each body, in the body's frame.
    pub anchors: [Option<V>; 2],
    /// Along or about what it moves, in each body's frame; never zero.
    pub axes: [Option<V>; 2],
    /// What moves, of a type that has one such axis.
    pub main: AxisDescription<V::Scalar>,
    /// Of a gear or a pulley; 1 by default.
    pub ratio: Option<V::Scalar>,
    /// The length of the rope of a pulley.
    pub length: Option<V::Scalar>,
    /// What the rope of a pulley runs over, in the world.
    pub points: Option<[V; 2]>,
    /// The force that a motor has; as much as it takes by default.
    pub max_force: Option<V::Scalar>,
    /// The torque that a motor has; as much as it takes by default.
    pub max_torque: Option<V::Scalar>,
    /// What a generic joint does along its axes.
    pub linear: Vec<AxisDescription<V::Scalar>>,
    /// What a generic joint does about its axes.
    pub angular: Vec<AxisDescription<V::Scalar>>,
}

/// What a joint does along or about an axis: `"free"`, `"locked"` or `{"limits", "motor", "spring"}`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisDescription<T> {
    /// Nothing moves.
    pub is_locked: bool,
    /// `[lower, upper]`: how far it moves; never the wrong way round.
    pub limits: Option<[T; 2]>,
    /// What drives it.
    pub motor: Option<MotorDescription<T>>,
    /// What makes it soft.
    pub spring: Option<SpringDescription<T>>,
}

/// What drives a joint: `{"speed", "max_force"}`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorDescription<T> {
    /// The speed that it wants.
    pub speed: T,
    /// The force or torque that it has for that; as much as it takes by default.
    pub max_force: Option<T>,
}

/// What makes a joint soft: `{"frequency", "damping_ratio", "target"}`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDescription<T> {
    /// In Hz.
    pub frequency: T,
    /// 0 swings for ever, 1 does not overshoot.
    pub damping_ratio: T,
    /// Where it is at rest: as it is at the begin unless told.
    pub target: Option<T>,
}

/// The types of joints that a scene may have.
pub(super) const KINDS: [&str; 15] = [
    "fixed",
    "revolute",
    "hinge",
    "prismatic",
    "slider",
    "ball",
    "distance",
    "rope",
    "spring",
    "wheel",
    "filter",
    "gear",
    "pulley",
    "motor",
    "generic",
];

/// What is wrong with a type that there is not.
pub(super) fn unknown_kind(kind: &str) -> String {
    let hint = meant(kind, KINDS).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
    format!("unknown type of joint `{kind}`{hint} (there are: {})", KINDS.join(", "))
}

/// The fields that every joint may have.
const COMMON: [&str; 7] = ["type", "a", "b", "anchor_a", "anchor_b", "axis_a", "axis_b"];

/// The fields that only joints of a type may have. What no part of a joint would heed is refused, not passed over.
fn own_fields(kind: &str) -> &'static [&'static str] {
    match kind {
        "fixed" | "filter" => &[],
        "gear" => &["ratio"],
        "pulley" => &["ratio", "points", "length"],
        "motor" => &["limits", "motor", "spring", "max_force", "max_torque"],
        "generic" => &["limits", "motor", "spring", "linear", "angular"],
        _ => &["limits", "motor", "spring"],
    }
}

/// The field without which a joint of a type does nothing, or cannot be.
fn needed_field(kind: &str) -> Option<&'static str> {
    match kind {
        "pulley" => Some("points"),
        "rope" => Some("limits"),
        "spring" => Some("spring"),
        _ => None,
    }
}

pub(super) fn joint<V: Dimension>(
    value: Value<'_>,
    names: &Names<'_>,
) -> Result<JointDescription<V>, Failure> {
    let object = value.object("a joint, such as {\"type\": \"hinge\", \"a\": \"door\", \"b\": \"wall\"}")?;
    let named = object.need("type", "a joint")?;
    let kind = named.word()?;
    if !KINDS.contains(&&*kind) {
        return Err(named.fail("unknown_type", unknown_kind(&kind)));
    }
    let of = format!("a joint of type {kind}");
    object.allow(&of, &[&COMMON, own_fields(&kind)].concat())?;
    if let Some(field) = needed_field(&kind) {
        object.need(field, &of)?;
    }
    let vector = |name| object.get(name).map(Value::vector::<V>).transpose();
    let axis = |name| match (vector(name)?, object.get(name)) {
        (Some(axis), Some(at)) if axis.max_abs() == V::Scalar::ZERO => {
            Err(at.fail("zero_direction", "an axis must not be zero"))
        }
        (axis, _) => Ok(axis),
    };
    let second = object.need("b", "a joint")?;
    let (a, b) = (names.find(object.need("a", "a joint")?)?, names.find(second)?);
    if a == b {
        return Err(second.fail("same_body", "a joint needs two different bodies"));
    }
    let angles = if V::DIM == 2 { 1 } else { 3 };
    Ok(JointDescription {
        a,
        b,
        anchors: [vector("anchor_a")?, vector("anchor_b")?],
        axes: [axis("axis_a")?, axis("axis_b")?],
        main: functions(&object)?,
        ratio: object.get("ratio").map(Value::number).transpose()?,
        length: not_negative(&object, "length")?,
        points: object.get("points").map(points).transpose()?,
        max_force: not_negative(&object, "max_force")?,
        max_torque: not_negative(&object, "max_torque")?,
        linear: object.get("linear").map_or(Ok(Vec::new()), |list| axes(list, V::DIM))?,
        angular: object.get("angular").map_or(Ok(Vec::new()), |list| axes(list, angles))?,
        kind: kind.into(),
    })
}

/// Two points.
fn points<V: Vector>(value: Value<'_>) -> Result<[V; 2], Failure> {
    let mut points = [V::ZERO; 2];
    value.fixed(2, |index, point| {
        if let Some(slot) = points.get_mut(index) {
            *slot = point.vector()?;
        }
        Ok(())
    })?;
    Ok(points)
}

/// What happens along or about so many axes.
fn axes<T: Real>(value: Value<'_>, count: usize) -> Result<Vec<AxisDescription<T>>, Failure> {
    let mut axes = Vec::with_capacity(count);
    value.fixed(count, |_, axis| {
        axes.push(one_axis(axis)?);
        Ok(())
    })?;
    Ok(axes)
}

fn one_axis<T: Real>(value: Value<'_>) -> Result<AxisDescription<T>, Failure> {
    if !value.raw().starts_with('"') {
        let object = value.object("an axis: \"free\", \"locked\" or such as {\"limits\": [-1, 1]}")?;
        object.allow("an axis", &["limits", "motor", "spring"])?;
        return functions(&object);
    }
    let word = value.word()?;
    let is_locked = match &*word {
        "locked" => true,
        "free" => false,
        _ => {
            let hint = meant(&word, ["free", "locked"]).map(|word| format!(", did you mean `{word}`?"));
            let text = format!("an axis is `free`, `locked` or an object{}", hint.unwrap_or_default());
            return Err(value.fail("unknown_kind", text));
        }
    };
    Ok(AxisDescription { is_locked, limits: None, motor: None, spring: None })
}

/// Limits, motor and spring of an object that may have them.
fn functions<T: Real>(object: &Object<'_>) -> Result<AxisDescription<T>, Failure> {
    Ok(AxisDescription {
        is_locked: false,
        limits: object.get("limits").map(limits).transpose()?,
        motor: object.get("motor").map(motor).transpose()?,
        spring: object.get("spring").map(spring).transpose()?,
    })
}

fn limits<T: Real>(value: Value<'_>) -> Result<[T; 2], Failure> {
    let mut limits = [T::ZERO; 2];
    value.fixed(2, |index, number| {
        if let Some(limit) = limits.get_mut(index) {
            *limit = number.number()?;
        }
        Ok(())
    })?;
    match limits[0] <= limits[1] {
        true => Ok(limits),
        false => Err(value.fail("empty_interval", "the lower limit comes first")),
    }
}

fn motor<T: Real>(value: Value<'_>) -> Result<MotorDescription<T>, Failure> {
    let object = value.object("a motor, such as {\"speed\": 1, \"max_force\": 10}")?;
    object.allow("a motor", &["speed", "max_force"])?;
    Ok(MotorDescription {
        speed: object.need("speed", "a motor")?.number()?,
        max_force: not_negative(&object, "max_force")?,
    })
}

fn spring<T: Real>(value: Value<'_>) -> Result<SpringDescription<T>, Failure> {
    let object = value.object("a spring, such as {\"frequency\": 2, \"damping_ratio\": 0.5}")?;
    object.allow("a spring", &["frequency", "damping_ratio", "target"])?;
    object.need("frequency", "a spring")?;
    Ok(SpringDescription {
        frequency: not_negative(&object, "frequency")?.unwrap_or(T::ZERO),
        damping_ratio: not_negative(&object, "damping_ratio")?.unwrap_or(T::ZERO),
        target: object.get("target").map(Value::number).transpose()?,
    })
}
