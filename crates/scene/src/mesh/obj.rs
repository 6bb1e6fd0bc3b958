//! Wavefront OBJ: positions, polygons, and the names of objects and groups.
//!
//! Positions may follow the faces that use them, and comments any statement. Texture coordinates, normals, materials, points and lines
//! are passed over. Free-form curves and surfaces are refused, and so are words that are no statement:
//! leaving out a part of a surface would go unnoticed.

use super::error::{MeshError, Place, Problem};
use super::polygon::Polygons;
use super::words::{Words, name, number, whole};
use super::{Format, MeshFile, vertex};
use carom::d3::Vec3;

/// Statements that add nothing to a surface of polygons.
const PASSED_OVER: [&[u8]; 24] = [
    b"vn",
    b"vt",
    b"vp",
    b"p",
    b"l",
    b"s",
    b"mg",
    b"mtllib",
    b"usemtl",
    b"maplib",
    b"usemap",
    b"lod",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"shadow_obj",
    b"trace_obj",
    b"deg",
    b"cstype",
    b"bmat",
    b"step",
    b"ctech",
    b"stech",
    b"csh",
];

/// Statements that make free-form curves and surfaces, or bring in other files.
const REFUSED: [&[u8]; 16] = [
    b"curv", b"curv2", b"surf", b"parm", b"trim", b"hole", b"scrv", b"sp", b"end", b"con", b"call", b"bsp",
    b"bzp", b"cdc", b"cdp", b"res",
];

/// Whether the first word of a text is one of OBJ's.
pub(super) fn looks_like(text: &[u8]) -> bool {
    let first = Words::of_obj(text).next();
    first.is_some_and(|word| matches!(word, b"v" | b"f" | b"o" | b"g") || PASSED_OVER.contains(&word))
}

pub(super) fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let mut words = Words::of_obj(bytes);
    let mut vertices: Vec<Vec3<f64>> = Vec::new();
    let mut polygons = Polygons::default();
    while let Some(word) = words.next() {
        match word {
            b"v" => {
                let position = [words.number_on_line()?, words.number_on_line()?, words.number_on_line()?];
                vertices.push(vertex(position).map_err(|problem| words.fail(problem))?);
                // A weight or a colour may follow.
                while let Some(word) = words.next_on_line() {
                    number(word).map_err(|problem| words.fail(problem))?;
                }
            }
            b"f" | b"fo" => {
                let line = words.line();
                while let Some(corner) = words.next_on_line() {
                    let index = position_of(corner, vertices.len());
                    polygons.corner(index.map_err(|problem| words.fail(problem))?);
                }
                polygons.end(line).map_err(|problem| words.fail(problem))?;
            }
            b"o" | b"g" => polygons.start_group(name(words.rest_of_line())),
            _ if PASSED_OVER.contains(&word) => words.skip_line(),
            _ => return Err(words.fail(refused(word))),
        }
    }
    polygons.into_mesh(Format::Obj, vertices, 1, Place::Line)
}

#[cold]
fn refused(word: &[u8]) -> Problem {
    if REFUSED.contains(&word) {
        let what = format!("the statement `{}`", String::from_utf8_lossy(word));
        return Problem::Unsupported { what, remedy: "export the surface as polygons, into one file" };
    }
    Problem::expected("an OBJ statement such as v, f, o or g", word)
}

/// The position that a corner `v`, `v/vt`, `v//vn` or `v/vt/vn` refers to, counted from 0. Positions are
/// counted from 1, or backwards from the latest one by negative numbers.
fn position_of(corner: &[u8], known: usize) -> Result<u32, Problem> {
    let expected = || Problem::expected("a corner such as 7, 7/2 or 7//3", corner);
    let mut parts = corner.split(|&byte| byte == b'/');
    let index: i64 = parts.next().and_then(whole).ok_or_else(expected)?;
    if 2 < parts.clone().count() || parts.any(|part| !part.is_empty() && whole::<i64>(part).is_none()) {
        return Err(expected());
    }
    let known = known as i64;
    let position = if index < 0 { known.checked_add(index) } else { index.checked_sub(1) };
    // A positive index may refer to a position that is still to come; that is checked in the end.
    position.and_then(|position| u32::try_from(position).ok()).ok_or(Problem::NoSuchVertex {
        index,
        first: 1,
        last: known,
    })
}
