//! STL, ASCII and binary: loose triangles, whose corners are united where they are equal.
//!
//! Normals are passed over: the winding says the same, and many programs write zeros or NaN. ASCII files may
//! hold several solids.

use super::bytes::{Bytes, Kind};
use super::error::{MeshError, Place, Problem};
use super::polygon::push_group;
use super::weld::Places;
use super::words::{Words, name, number, without_mark};
use super::{Format, MeshFile, vertex};

/// Any 80 bytes, then the number of triangles.
const HEADER: usize = 84;
/// A normal, three corners, and two bytes of attributes.
const TRIANGLE: u64 = 50;

/// Whether the length of a file is exactly that of the triangles that it announces.
pub(super) fn has_binary_length(bytes: &[u8]) -> bool {
    announced(bytes).is_some_and(|count| HEADER as u64 + u64::from(count) * TRIANGLE == bytes.len() as u64)
}

/// Whether a text begins like an ASCII file. Binary files often begin with "solid" too, but soon have
/// bytes that no text has.
pub(super) fn is_ascii(text: &[u8]) -> bool {
    let head = text.get(..HEADER).unwrap_or(text);
    let is_word = text.get(5).is_none_or(u8::is_ascii_whitespace);
    is_word && text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && !head.contains(&0)
}

pub(super) fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let mut soup = Soup::default();
    if !has_binary_length(bytes) && is_ascii(without_mark(bytes).trim_ascii_start()) {
        read_ascii(bytes, &mut soup)?;
    } else {
        read_binary(bytes, &mut soup)?;
    }
    if soup.mesh.triangles.is_empty() {
        return Err(MeshError::new(Problem::NoTriangles));
    }
    Ok(MeshFile { vertices: soup.places.into_vertices(), ..soup.mesh })
}

/// The number of triangles that a binary file announces.
fn announced(bytes: &[u8]) -> Option<u32> {
    bytes.get(HEADER - 4..)?.first_chunk().map(|count| u32::from_le_bytes(*count))
}

/// Triangles that find their neighbours.
struct Soup {
    places: Places,
    mesh: MeshFile,
}

impl Default for Soup {
    fn default() -> Self {
        let mesh =
            MeshFile { format: Format::Stl, vertices: Vec::new(), triangles: Vec::new(), groups: Vec::new() };
        Soup { places: Places::default(), mesh }
    }
}

impl Soup {
    fn corner(&mut self, position: [f64; 3]) -> Result<u32, Problem> {
        self.places.number(vertex(position)?)
    }
}

fn read_binary(bytes: &[u8], soup: &mut Soup) -> Result<(), MeshError> {
    let mut bytes = Bytes::new(bytes, 0, false);
    bytes.take(HEADER as u64 - 4, "the header of a binary STL file")?;
    let count = bytes.number(Kind::U32, "the number of triangles")? as u64;
    bytes.check(count * TRIANGLE, format!("a binary STL file that announces {count} triangles"))?;
    for _ in 0..count {
        bytes.take(12, "a normal")?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            let mut position = [0.0; 3];
            let start = bytes.position();
            for x in &mut position {
                *x = bytes.number(Kind::F32, "a corner")?;
            }
            *corner =
                soup.corner(position).map_err(|problem| MeshError::at(Place::Byte(start as u64), problem))?;
        }
        bytes.take(2, "the attributes of a triangle")?;
        soup.mesh.triangles.push(corners);
    }
    // Less than a triangle is some program's padding.
    let trailing = bytes.rest().len() as u64;
    if TRIANGLE <= trailing {
        return Err(bytes.fail(Problem::Trailing { bytes: trailing }));
    }
    push_group(&mut soup.mesh.groups, "".into(), soup.mesh.triangles.len());
    Ok(())
}

fn read_ascii(bytes: &[u8], soup: &mut Soup) -> Result<(), MeshError> {
    let mut words = Words::new(bytes);
    while let Some(word) = words.next() {
        if !word.eq_ignore_ascii_case(b"solid") {
            return Err(words.fail(Problem::expected("solid", word)));
        }
        let solid = name(words.rest_of_line());
        loop {
            let word = words.need("facet or endsolid")?;
            if word.eq_ignore_ascii_case(b"endsolid") {
                words.rest_of_line();
                break;
            }
            if !word.eq_ignore_ascii_case(b"facet") {
                return Err(words.fail(Problem::expected("facet or endsolid", word)));
            }
            read_facet(&mut words, soup)?;
        }
        push_group(&mut soup.mesh.groups, solid, soup.mesh.triangles.len());
    }
    Ok(())
}

/// What follows the word `facet`.
fn read_facet(words: &mut Words<'_>, soup: &mut Soup) -> Result<(), MeshError> {
    keyword(words, "normal")?;
    for _ in 0..3 {
        // Not read: some programs write NaN in words of their own.
        words.need("a number of the normal")?;
    }
    keyword(words, "outer")?;
    keyword(words, "loop")?;
    let mut corners = [0; 3];
    for corner in &mut corners {
        keyword(words, "vertex")?;
        let mut position = [0.0; 3];
        for x in &mut position {
            let word = words.need("a coordinate")?;
            *x = number(word).map_err(|problem| words.fail(problem))?;
        }
        *corner = soup.corner(position).map_err(|problem| words.fail(problem))?;
    }
    keyword(words, "endloop")?;
    keyword(words, "endfacet")?;
    soup.mesh.triangles.push(corners);
    Ok(())
}

fn keyword(words: &mut Words<'_>, keyword: &'static str) -> Result<(), MeshError> {
    let word = words.need(keyword)?;
    match word.eq_ignore_ascii_case(keyword.as_bytes()) {
        true => Ok(()),
        false => Err(words.fail(Problem::expected(keyword, word))),
    }
}
