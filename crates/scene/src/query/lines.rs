//! Questions about points, lines, rays, segments, planes, triangles and parallelograms.

use super::dimension::Dimension;
use crate::failure::{Failure, meant};
use crate::json::{Object, Value};
use crate::write::Answer;
use carom::line::Line;
use carom::math::{Real, Vec2, Vec3};
use carom::shape::{Segment, Triangle};
use carom::{Ray, d2, d3};

/// `{"relation", "point_a", "point_b", "distance", "s", "t"}`
///
/// Points and planes have no parameter: it is `null`. A triangle or parallelogram has `barycentric`
/// in its place; when both things are such, that is the one of a, and `barycentric_b` that of b.
pub(super) fn lines<D: Dimension>(question: &Object<'_>, answer: &mut Answer<'_>) -> Result<(), Failure> {
    let (a, b) = (question.need("a", "lines")?, question.need("b", "lines")?);
    let found = D::relate(D::flat(a)?, D::flat(b)?).map_err(|error| question.place(error))?;
    answer
        .open()
        .string("relation", found.relation.name())
        .vector("point_a", found.point_a)
        .vector("point_b", found.point_b)
        .number("distance", found.distance);
    write_place(answer, "s", "barycentric", found.s, found.barycentric_a);
    let second = if found.barycentric_a.is_some() { "barycentric_b" } else { "barycentric" };
    write_place(answer, "t", second, found.t, found.barycentric_b);
    answer.close();
    Ok(())
}

/// Where on a thing its point is: by one parameter or by two.
fn write_place<T: Real>(
    answer: &mut Answer<'_>,
    one: &str,
    two: &str,
    along: Option<T>,
    across: Option<[T; 2]>,
) {
    match across {
        Some([u, v]) => answer.vector(two, Vec2::new(u, v)),
        None => answer.maybe_number(one, along),
    };
}

/// The flat things: their names and fields. Those from the fifth on exist in space only.
const KINDS: [(&str, &[&str]); 7] = [
    ("point", &["kind", "point"]),
    ("line", &["kind", "point", "direction"]),
    ("ray", &["kind", "origin", "direction"]),
    ("segment", &["kind", "a", "b"]),
    ("plane", &["kind", "normal", "offset"]),
    ("triangle", &["kind", "a", "b", "c"]),
    ("parallelogram", &["kind", "origin", "u", "v"]),
];

/// How many of the kinds exist in the plane.
const KINDS_OF_PLANE: usize = 4;

/// What a flat thing is, its fields checked by name.
fn flat_kind(value: Value<'_>, in_plane: bool) -> Result<(&'static str, Object<'_>), Failure> {
    let object = value.object("a flat thing, such as {\"kind\": \"point\", \"point\": [..]}")?;
    let named = object.need("kind", "a flat thing")?;
    let word = named.word()?;
    let known = if in_plane { &KINDS[..KINDS_OF_PLANE] } else { &KINDS[..] };
    if let Some((kind, fields)) = known.iter().find(|(kind, _)| *kind == word) {
        object.allow(kind, fields)?;
        return Ok((kind, object));
    }
    if KINDS.iter().any(|(kind, _)| *kind == word) {
        let text = format!("a {word} exists in 3D only, and the question is in 2D");
        return Err(named.fail("wrong_dimension", text));
    }
    let names: Vec<&str> = known.iter().map(|(kind, _)| *kind).collect();
    let hint = meant(&word, names.iter().copied()).map(|name| format!(", did you mean `{name}`?"));
    let text = format!("unknown kind{} (there are: {})", hint.unwrap_or_default(), names.join(", "));
    Err(named.fail("unknown_kind", text))
}

/// A flat thing that exists in both dimensions.
fn common_flat<D: Dimension>(kind: &'static str, object: &Object<'_>) -> Result<D::Flat, Failure> {
    let vector = |name| object.need(name, kind)?.vector::<D::Vector>();
    let thing = match kind {
        "point" => Ok(vector("point")?.into()),
        "line" => Line::<D::Vector>::new(vector("point")?, vector("direction")?).map(D::Flat::from),
        "ray" => Ray::<D::Vector>::new(vector("origin")?, vector("direction")?).map(D::Flat::from),
        _ => Segment::<D::Vector>::new(vector("a")?, vector("b")?).map(D::Flat::from),
    };
    thing.map_err(|error| object.place(error))
}

/// A flat thing of the plane.
pub(super) fn flat2<T: Real>(value: Value<'_>) -> Result<d2::Flat<T>, Failure> {
    let (kind, object) = flat_kind(value, true)?;
    common_flat::<super::Plane<T>>(kind, &object)
}

/// A flat thing of space.
pub(super) fn flat3<T: Real>(value: Value<'_>) -> Result<d3::Flat<T>, Failure> {
    let (kind, object) = flat_kind(value, false)?;
    let vector = |name| object.need(name, kind)?.vector::<Vec3<T>>();
    let thing = match kind {
        "plane" => {
            d3::Plane::new(vector("normal")?, object.need("offset", kind)?.number()?).map(d3::Flat::from)
        }
        "triangle" => Triangle::<Vec3<T>>::new(vector("a")?, vector("b")?, vector("c")?).map(d3::Flat::from),
        "parallelogram" => {
            d3::Parallelogram::new(vector("origin")?, vector("u")?, vector("v")?).map(d3::Flat::from)
        }
        _ => return common_flat::<super::Space<T>>(kind, &object),
    };
    thing.map_err(|error| object.place(error))
}
