//! Reading what questions and scenes are about: shapes and poses.

use crate::failure::{Failure, meant};
use crate::json::{Object, Value};
use crate::mesh::Folder;
use carom::math::{Pose2, Pose3, Quat, Real, Rot2, Vec2, Vec3, Vector};
use carom::shape::{Ball, Capsule, Cuboid, Ellipsoid, HalfSpace, Segment, Triangle};
use carom::{d2, d3};
use core::ops::Mul;

/// A shape of the format: its name, its fields in each dimension (empty where it does not exist).
struct Kind {
    name: &'static str,
    fields: [&'static [&'static str]; 2],
}

const fn kind(name: &'static str, plane: &'static [&'static str], space: &'static [&'static str]) -> Kind {
    Kind { name, fields: [plane, space] }
}

/// The shapes of the format.
const KINDS: [Kind; 17] = [
    kind("ball", &["type", "radius"], &["type", "radius"]),
    kind("cuboid", &["type", "half_extents"], &["type", "half_extents"]),
    kind("capsule", &["type", "a", "b", "radius"], &["type", "a", "b", "radius"]),
    kind("segment", &["type", "a", "b"], &["type", "a", "b"]),
    kind("triangle", &["type", "a", "b", "c"], &["type", "a", "b", "c"]),
    kind("half_space", &["type", "normal", "offset"], &["type", "normal", "offset"]),
    kind("polygon", &["type", "points", "hull"], &[]),
    kind("hull", &[], &["type", "points"]),
    kind("cylinder", &[], &["type", "half_height", "radius"]),
    kind("cone", &[], &["type", "half_height", "radius"]),
    kind("ellipsoid", &["type", "radii"], &["type", "radii"]),
    kind("rounded", &["type", "shape", "radius"], &["type", "shape", "radius"]),
    kind("polyline", &["type", "points", "closed"], &[]),
    kind("outline", &["type", "points"], &[]),
    kind("mesh", &[], &["type", "vertices", "triangles", "file"]),
    kind("height_field", &["type", "heights", "spacing"], &["type", "heights", "spacing"]),
    kind("compound", &["type", "parts"], &["type", "parts"]),
];

/// What a shape value is, its fields checked by name: the index of the dimension is 0 or 1.
fn shape_kind<'a>(value: Value<'a>, dimension: usize) -> Result<(&'static str, Object<'a>), Failure> {
    let object = value.object("a shape, such as {\"type\": \"ball\", \"radius\": 1}")?;
    let named = object.need("type", "a shape")?;
    let word = named.word()?;
    let here = |kind: &&Kind| !kind.fields[dimension].is_empty();
    let Some(kind) = KINDS.iter().find(|kind| kind.name == word) else {
        let names: Vec<&str> = KINDS.iter().filter(here).map(|kind| kind.name).collect();
        let hint = meant(&word, names.iter().copied()).map(|name| format!(", did you mean `{name}`?"));
        let text = format!("unknown shape{} (there are: {})", hint.unwrap_or_default(), names.join(", "));
        return Err(named.fail("unknown_type", text));
    };
    if !here(&kind) {
        let (is, not) = [("3D", "2D"), ("2D", "3D")][dimension];
        let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let text = format!("{article} {word} exists in {is} only, and the question is in {not}");
        return Err(named.fail("wrong_dimension", text));
    }
    object.allow(kind.name, kind.fields[dimension])?;
    Ok((kind.name, object))
}

/// A shape that exists in both dimensions.
fn common_shape<V, S>(kind: &'static str, object: &Object<'_>) -> Result<S, Failure>
where
    V: Vector,
    S: From<Ball<V::Scalar>>
        + From<Cuboid<V>>
        + From<Capsule<V>>
        + From<Segment<V>>
        + From<Triangle<V>>
        + From<HalfSpace<V>>
        + From<Ellipsoid<V>>,
{
    let vector = |name| object.need(name, kind)?.vector::<V>();
    let number = |name| object.need(name, kind)?.number::<V::Scalar>();
    let shape = match kind {
        "ball" => Ball::new(number("radius")?).map(S::from),
        "cuboid" => Cuboid::<V>::new(vector("half_extents")?).map(S::from),
        "capsule" => Capsule::<V>::new(vector("a")?, vector("b")?, number("radius")?).map(S::from),
        "segment" => Segment::<V>::new(vector("a")?, vector("b")?).map(S::from),
        "triangle" => Triangle::<V>::new(vector("a")?, vector("b")?, vector("c")?).map(S::from),
        "half_space" => HalfSpace::<V>::new(vector("normal")?, number("offset")?).map(S::from),
        "ellipsoid" => Ellipsoid::<V>::new(vector("radii")?).map(S::from),
        _ => {
            let start = object.get("type").map_or(object.start(), |named| named.start());
            return Err(Failure::unsupported(start, format!("the shape {kind} is not supported yet")));
        }
    };
    shape.map_err(|error| object.place(error))
}

/// Shapes inside of shapes, at most: each costs a call, and nobody needs more.
const DEEPEST: u32 = 64;

/// What is inside of a shape, unless it is nested beyond all reason.
fn inside<'a>(object: &Object<'a>, of: &str, depth: u32) -> Result<Value<'a>, Failure> {
    let shape = object.need("shape", of)?;
    if depth < DEEPEST {
        Ok(shape)
    } else {
        Err(shape.fail("too_deep", format!("shapes are nested more than {DEEPEST} deep")))
    }
}

/// The parts of a compound: `{"shape", "pose"}` each, where no pose stands for the origin. Those of a compound in it are parts of the whole.
fn parts<S: Clone, P: Default + Copy + Mul<Output = P>>(
    object: &Object<'_>,
    depth: u32,
    shape: impl Fn(Value<'_>, u32) -> Result<S, Failure>,
    pose: impl Fn(Value<'_>) -> Result<P, Failure>,
    of_compound: impl Fn(&S) -> Option<&[(S, P)]>,
) -> Result<Vec<(S, P)>, Failure> {
    let mut parts = Vec::new();
    object.need("parts", "compound")?.elements(&"an array of parts", |_, part| {
        let part = part.object("a part, such as {\"shape\": .., \"pose\": ..}")?;
        part.allow("a part", &["shape", "pose"])?;
        let inner = shape(inside(&part, "a part", depth)?, depth + 1)?;
        let place = part.get("pose").map_or(Ok(P::default()), &pose)?;
        match of_compound(&inner) {
            Some(own) => parts.extend(own.iter().map(|(shape, pose)| (shape.clone(), place * *pose))),
            None => parts.push((inner, place)),
        }
        Ok(())
    })?;
    Ok(parts)
}

fn parts_of_flat_compound<T: Real>(shape: &d2::Shape<T>) -> Option<&[(d2::Shape<T>, Pose2<T>)]> {
    if let d2::Shape::Compound(compound) = shape { Some(compound.parts()) } else { None }
}

fn parts_of_solid_compound<T: Real>(shape: &d3::Shape<T>) -> Option<&[(d3::Shape<T>, Pose3<T>)]> {
    if let d3::Shape::Compound(compound) = shape { Some(compound.parts()) } else { None }
}

/// A mesh by its numbers, or from a file of the folder.
fn mesh<T: Real>(object: &Object<'_>, folder: &Folder<T>) -> Result<d3::Shape<T>, Failure> {
    if let Some(file) = object.get("file") {
        let numbers = ["vertices", "triangles"].into_iter().find_map(|name| object.get(name));
        return match numbers {
            None => folder.mesh(file).map(d3::Shape::from),
            Some(other) => {
                Err(other.fail("unknown_field", "a mesh has either a file, or vertices and triangles"))
            }
        };
    }
    let vertices = object.need("vertices", "mesh")?.points::<Vec3<T>>()?;
    let mut triangles = Vec::new();
    object.need("triangles", "mesh")?.elements(&"an array of triangles", |_, triangle| {
        let mut corners = [0; 3];
        triangle.fixed(3, |corner, index| {
            corners[corner] = index.index()?;
            Ok(())
        })?;
        triangles.push(corners);
        Ok(())
    })?;
    d3::TriangleMesh::new(vertices, triangles).map(d3::Shape::from).map_err(|error| object.place(error))
}

/// A shape of the plane.
pub(crate) fn shape2<T: Real>(value: Value<'_>) -> Result<d2::Shape<T>, Failure> {
    nested2(value, 0)
}

fn nested2<T: Real>(value: Value<'_>, depth: u32) -> Result<d2::Shape<T>, Failure> {
    let (kind, object) = shape_kind(value, 0)?;
    let points = || object.need("points", kind)?.points::<Vec2<T>>();
    let shape = match kind {
        "outline" => d2::Outline::new(points()?).map(d2::Shape::from),
        "polyline" => {
            let is_closed = object.get("closed").map_or(Ok(false), Value::boolean)?;
            let points = points()?;
            let polyline = if is_closed { d2::Polyline::closed(points) } else { d2::Polyline::new(points) };
            polyline.map(d2::Shape::from)
        }
        "height_field" => {
            let heights = object.need("heights", kind)?.numbers::<T>()?;
            let spacing = object.need("spacing", kind)?.number()?;
            d2::HeightField::new(heights, spacing).map(d2::Shape::from)
        }
        "compound" => {
            let parts = parts(&object, depth, nested2, pose2, parts_of_flat_compound)?;
            d2::Compound::new(parts).map(d2::Shape::from)
        }
        "polygon" => {
            let takes_hull = object.get("hull").map_or(Ok(false), Value::boolean)?;
            let points = points()?;
            let polygon = if takes_hull {
                d2::ConvexPolygon::from_hull(points)
            } else {
                d2::ConvexPolygon::new(points)
            };
            polygon.map(d2::Shape::from)
        }
        "rounded" => {
            let shape = nested2(inside(&object, kind, depth)?, depth + 1)?;
            d2::Rounded::new(shape, object.need("radius", kind)?.number()?).map(d2::Shape::from)
        }
        _ => return common_shape::<Vec2<T>, d2::Shape<T>>(kind, &object),
    };
    shape.map_err(|error| object.place(error))
}

/// A shape of space, whose mesh files are in the folder.
pub(crate) fn shape3<T: Real>(value: Value<'_>, folder: &Folder<T>) -> Result<d3::Shape<T>, Failure> {
    nested3(value, 0, folder)
}

fn nested3<T: Real>(value: Value<'_>, depth: u32, folder: &Folder<T>) -> Result<d3::Shape<T>, Failure> {
    let (kind, object) = shape_kind(value, 1)?;
    let number = |name| object.need(name, kind)?.number::<T>();
    let shape = match kind {
        "cylinder" => d3::Cylinder::new(number("half_height")?, number("radius")?).map(d3::Shape::from),
        "cone" => d3::Cone::new(number("half_height")?, number("radius")?).map(d3::Shape::from),
        "hull" => d3::ConvexHull::new(object.need("points", kind)?.points::<Vec3<T>>()?).map(d3::Shape::from),
        "mesh" => return mesh(&object, folder),
        "height_field" => {
            let mut heights = Vec::new();
            object.need("heights", kind)?.elements(&"an array of rows of heights", |_, row| {
                heights.push(row.numbers::<T>()?);
                Ok(())
            })?;
            let mut spacing = [T::ZERO; 2];
            object.need("spacing", kind)?.fixed(2, |axis, length| {
                spacing[axis] = length.number()?;
                Ok(())
            })?;
            d3::HeightField::new(heights, spacing).map(d3::Shape::from)
        }
        "compound" => {
            let nested = |value: Value<'_>, depth| nested3(value, depth, folder);
            let parts = parts(&object, depth, nested, pose3, parts_of_solid_compound)?;
            d3::Compound::new(parts).map(d3::Shape::from)
        }
        "rounded" => {
            let shape = nested3(inside(&object, kind, depth)?, depth + 1, folder)?;
            d3::Rounded::new(shape, number("radius")?).map(d3::Shape::from)
        }
        _ => return common_shape::<Vec3<T>, d3::Shape<T>>(kind, &object),
    };
    shape.map_err(|error| object.place(error))
}

/// A pose of the plane.
pub(crate) fn pose2<T: Real>(value: Value<'_>) -> Result<Pose2<T>, Failure> {
    let object = value.object("a pose, such as {\"translation\": [1, 0], \"angle\": 0.5}")?;
    object.allow("a pose in 2D", &["translation", "angle"])?;
    let translation = object.get("translation").map_or(Ok(Vec2::ZERO), Value::vector)?;
    let rotation = match object.get("angle") {
        Some(angle) => Rot2::from_angle(angle.number()?),
        None => Rot2::IDENTITY,
    };
    Ok(Pose2::new(translation, rotation))
}

/// A pose of space; the quaternion may have any length but zero.
pub(crate) fn pose3<T: Real>(value: Value<'_>) -> Result<Pose3<T>, Failure> {
    let object = value.object("a pose, such as {\"translation\": [1, 0, 0], \"rotation\": [0, 0, 0, 1]}")?;
    object.allow("a pose in 3D", &["translation", "rotation"])?;
    let translation = object.get("translation").map_or(Ok(Vec3::ZERO), Value::vector)?;
    let rotation = match object.get("rotation") {
        Some(value) => {
            let mut parts = [T::ZERO; 4];
            value.fixed(4, |index, element| {
                parts[index] = element.number()?;
                Ok(())
            })?;
            let [x, y, z, w] = parts;
            Quat::new(x, y, z, w).ok_or_else(|| {
                let text = "a zero quaternion is not a rotation; [0, 0, 0, 1] stands for none";
                value.fail("zero_rotation", text)
            })?
        }
        None => Quat::IDENTITY,
    };
    Ok(Pose3::new(translation, rotation))
}
