//! PLY: a header that lists elements and their properties, then the elements, as text or binary.
//!
//! Read are the positions of `vertex`, the polygons of `face` (`vertex_indices` or `vertex_index`), and the
//! `tristrips` of old scans; everything else is passed over. Elements may come in any order.
//!
//! A count is believed only when the file is long enough for it: each element takes at least a byte for a
//! binary property, or a digit and a space for one in text.

use super::bytes::{Bytes, Kind};
use super::error::{MeshError, Place, Problem};
use super::polygon::Polygons;
use super::words::{Words, number, whole};
use super::{Format, MeshFile, vertex};
use carom::d3::Vec3;

pub(super) fn parse(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    let mut words = Words::new(bytes);
    let header = Header::read(&mut words)?;
    match header.encoding {
        Encoding::Ascii => read_elements(&header, &mut words, Place::Line),
        Encoding::LittleEndian => {
            read_elements(&header, &mut Bytes::new(bytes, words.position(), false), Place::Byte)
        }
        Encoding::BigEndian => {
            read_elements(&header, &mut Bytes::new(bytes, words.position(), true), Place::Byte)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

struct Header<'a> {
    encoding: Encoding,
    elements: Vec<Element<'a>>,
}

struct Element<'a> {
    name: &'a [u8],
    count: u64,
    properties: Vec<Property<'a>>,
    /// The line of the header that announces it.
    line: u64,
}

struct Property<'a> {
    name: &'a [u8],
    kind: Kind,
    /// The type of the length that stands before the values of a list.
    length: Option<Kind>,
}

impl<'a> Header<'a> {
    /// Reads up to the end of the line `end_header`.
    fn read(words: &mut Words<'a>) -> Result<Self, MeshError> {
        let first = words.next().unwrap_or_default();
        if first != b"ply" {
            return Err(words.fail(Problem::expected("the word ply, with which a PLY file begins", first)));
        }
        let mut encoding = None;
        let mut elements: Vec<Element<'a>> = Vec::new();
        loop {
            words.rest_of_line();
            match words.need("a line of the header, or end_header")? {
                b"comment" | b"obj_info" => {}
                b"format" => encoding = Some(read_encoding(words)?),
                b"element" => elements.push(Element::read(words)?),
                b"property" => {
                    let property = Property::read(words)?;
                    match elements.last_mut() {
                        Some(element) => element.properties.push(property),
                        None => {
                            return Err(words
                                .fail(Problem::expected("an element before its properties", b"property")));
                        }
                    }
                }
                b"end_header" => break,
                other => {
                    let expected = "format, comment, element, property or end_header";
                    return Err(words.fail(Problem::expected(expected, other)));
                }
            }
        }
        words.rest_of_line();
        words.pass_line_end();
        match encoding {
            Some(encoding) => Ok(Header { encoding, elements }),
            None => Err(words.fail(Problem::expected(
                "a line `format ascii 1.0` or the like in the header",
                b"end_header",
            ))),
        }
    }
}

fn read_encoding(words: &mut Words<'_>) -> Result<Encoding, MeshError> {
    match words.next_on_line().unwrap_or_default() {
        b"ascii" => Ok(Encoding::Ascii),
        b"binary_little_endian" => Ok(Encoding::LittleEndian),
        b"binary_big_endian" => Ok(Encoding::BigEndian),
        other => {
            Err(words.fail(Problem::expected("ascii, binary_little_endian or binary_big_endian", other)))
        }
    }
}

impl<'a> Element<'a> {
    fn read(words: &mut Words<'a>) -> Result<Self, MeshError> {
        let name = words.next_on_line().unwrap_or_default();
        let written = words.next_on_line().unwrap_or_default();
        match whole(written) {
            Some(count) => Ok(Element { name, count, properties: Vec::new(), line: words.line() }),
            None => Err(words.fail(Problem::expected("the number of elements after their name", written))),
        }
    }

    /// The position of a property.
    fn find(&self, names: &[&[u8]], is_list: bool) -> Option<usize> {
        self.properties
            .iter()
            .position(|property| names.contains(&property.name) && property.length.is_some() == is_list)
    }

    fn need(&self, name: &'static str, is_list: bool) -> Result<usize, MeshError> {
        let found = match name {
            "vertex_indices" => self.find(&[b"vertex_indices", b"vertex_index"], is_list),
            _ => self.find(&[name.as_bytes()], is_list),
        };
        found.ok_or_else(|| {
            let sort = if is_list { "list " } else { "" };
            let expected = format!("a {sort}property `{name}` of the element");
            MeshError::at(Place::Line(self.line), Problem::expected(expected, self.name))
        })
    }
}

impl<'a> Property<'a> {
    fn read(words: &mut Words<'a>) -> Result<Self, MeshError> {
        let mut length = None;
        let mut written = words.next_on_line().unwrap_or_default();
        if written == b"list" {
            let kind = read_kind(words.next_on_line().unwrap_or_default(), words)?;
            if !kind.is_whole() {
                return Err(
                    words.fail(Problem::expected("a whole number type for the length of a list", b"float"))
                );
            }
            length = Some(kind);
            written = words.next_on_line().unwrap_or_default();
        }
        let kind = read_kind(written, words)?;
        match words.next_on_line() {
            Some(name) => Ok(Property { name, kind, length }),
            None => Err(words.fail(Problem::expected("the name of the property", b""))),
        }
    }
}

fn read_kind(word: &[u8], words: &Words<'_>) -> Result<Kind, MeshError> {
    Ok(match word {
        b"char" | b"int8" => Kind::I8,
        b"uchar" | b"uint8" => Kind::U8,
        b"short" | b"int16" => Kind::I16,
        b"ushort" | b"uint16" => Kind::U16,
        b"int" | b"int32" => Kind::I32,
        b"uint" | b"uint32" => Kind::U32,
        b"float" | b"float32" => Kind::F32,
        b"double" | b"float64" => Kind::F64,
        other => {
            return Err(words.fail(Problem::expected("a type such as float, double, uchar or int", other)));
        }
    })
}

/// Where elements are read from: text or bytes.
trait Source {
    /// The next value.
    fn value(&mut self, kind: Kind) -> Result<f64, MeshError>;
    /// An error unless there is room for `count` times the types.
    fn check(&self, count: u64, each: &[Kind], what: &'static str) -> Result<(), MeshError>;
    /// An error when the element goes on.
    fn end_element(&mut self) -> Result<(), MeshError>;
    /// An error when the file goes on.
    fn end(&mut self) -> Result<(), MeshError>;
    /// Where it stands: a line or a byte.
    fn place(&self) -> u64;
    /// Where an element stands that has been read since the place `start`.
    fn place_since(&self, start: u64) -> u64;
    fn fail(&self, problem: Problem) -> MeshError;
}

impl Source for Words<'_> {
    fn value(&mut self, _: Kind) -> Result<f64, MeshError> {
        let word = self.need("a value of an element that the header announces")?;
        number(word).map_err(|problem| self.fail(problem))
    }

    fn check(&self, count: u64, each: &[Kind], what: &'static str) -> Result<(), MeshError> {
        // The last digit needs no space after it.
        let needed = count.saturating_mul(2 * each.len() as u64).saturating_sub(1);
        let left = self.left() as u64;
        match needed <= left {
            true => Ok(()),
            false => Err(self.fail(Problem::Truncated { what: what.into(), needed, left })),
        }
    }

    fn end_element(&mut self) -> Result<(), MeshError> {
        match self.next_on_line() {
            None => Ok(()),
            Some(word) => {
                Err(self.fail(Problem::expected("the end of the line after the last property", word)))
            }
        }
    }

    fn end(&mut self) -> Result<(), MeshError> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(self.fail(Problem::Trailing { bytes: (self.left() + word.len()) as u64 })),
        }
    }

    fn place(&self) -> u64 {
        self.line()
    }

    /// Before it was read, the line was still that of the element before.
    fn place_since(&self, _: u64) -> u64 {
        self.line()
    }

    fn fail(&self, problem: Problem) -> MeshError {
        self.fail(problem)
    }
}

impl Source for Bytes<'_> {
    #[inline]
    fn value(&mut self, kind: Kind) -> Result<f64, MeshError> {
        self.number(kind, "a value of an element that the header announces")
    }

    fn check(&self, count: u64, each: &[Kind], what: &'static str) -> Result<(), MeshError> {
        let size: u64 = each.iter().map(|kind| kind.size() as u64).sum();
        self.check(count.saturating_mul(size), what)
    }

    fn end_element(&mut self) -> Result<(), MeshError> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), MeshError> {
        // Zeros and line ends are padding.
        match self.rest().iter().all(|byte| matches!(byte, 0 | b'\n' | b'\r')) {
            true => Ok(()),
            false => Err(self.fail(Problem::Trailing { bytes: self.rest().len() as u64 })),
        }
    }

    fn place(&self) -> u64 {
        self.position() as u64
    }

    fn place_since(&self, start: u64) -> u64 {
        start
    }

    fn fail(&self, problem: Problem) -> MeshError {
        self.fail(problem)
    }
}

fn read_elements<S: Source>(
    header: &Header<'_>,
    source: &mut S,
    place: fn(u64) -> Place,
) -> Result<MeshFile, MeshError> {
    let mut vertices = Vec::new();
    let mut polygons = Polygons::default();
    for element in &header.elements {
        // Elements without properties take no room, whatever their number.
        if element.properties.is_empty() {
            continue;
        }
        let least: Vec<Kind> = element.properties.iter().map(|p| p.length.unwrap_or(p.kind)).collect();
        source.check(element.count, &least, "what the header announces")?;
        match element.name {
            b"vertex" => read_vertices(element, source, &mut vertices, place)?,
            b"face" => read_faces(element, source, &mut polygons, place)?,
            b"tristrips" => read_strips(element, source, &mut polygons, place)?,
            _ => {
                for _ in 0..element.count {
                    read_element(element, source, |_, _| {})?;
                }
            }
        }
    }
    source.end()?;
    polygons.into_mesh(Format::Ply, vertices, 0, place)
}

/// Reads one element and hands each value over, with the position of its property.
#[inline]
fn read_element<S: Source>(
    element: &Element<'_>,
    source: &mut S,
    mut take: impl FnMut(usize, f64),
) -> Result<(), MeshError> {
    for (position, property) in element.properties.iter().enumerate() {
        let count = match property.length {
            None => 1,
            Some(kind) => read_length(kind, property.kind, source)?,
        };
        for _ in 0..count {
            let value = source.value(property.kind)?;
            take(position, value);
        }
    }
    source.end_element()
}

/// The length of a list, for which there is room.
fn read_length<S: Source>(kind: Kind, each: Kind, source: &mut S) -> Result<u64, MeshError> {
    let value = source.value(kind)?;
    let Some(length) = index(value) else {
        return Err(source.fail(Problem::expected("the length of a list", value.to_string().as_bytes())));
    };
    source.check(length.into(), &[each], "a list")?;
    Ok(length.into())
}

fn read_vertices<S: Source>(
    element: &Element<'_>,
    source: &mut S,
    vertices: &mut Vec<Vec3<f64>>,
    place: fn(u64) -> Place,
) -> Result<(), MeshError> {
    let axes = [element.need("x", false)?, element.need("y", false)?, element.need("z", false)?];
    for _ in 0..element.count {
        let start = source.place();
        let mut position = [0.0; 3];
        read_element(element, source, |property, value| {
            for (x, axis) in position.iter_mut().zip(axes) {
                if axis == property {
                    *x = value;
                }
            }
        })?;
        let read = vertex(position);
        vertices.push(read.map_err(|problem| MeshError::at(place(source.place_since(start)), problem))?);
    }
    Ok(())
}

fn read_faces<S: Source>(
    element: &Element<'_>,
    source: &mut S,
    polygons: &mut Polygons,
    place: fn(u64) -> Place,
) -> Result<(), MeshError> {
    let list = element.need("vertex_indices", true)?;
    for _ in 0..element.count {
        let start = source.place();
        let mut wrong = None;
        read_element(element, source, |property, value| {
            if property == list {
                match index(value) {
                    Some(index) => polygons.corner(index),
                    None => wrong = wrong.or(Some(value)),
                }
            }
        })?;
        let at = source.place_since(start);
        let read = match wrong {
            Some(value) => Err(not_an_index(value)),
            None => polygons.end(at),
        };
        read.map_err(|problem| MeshError::at(place(at), problem))?;
    }
    Ok(())
}

/// Strips of triangles in one list: each index after the second makes a triangle with the two before it,
/// every other one turned, and -1 begins the next strip.
fn read_strips<S: Source>(
    element: &Element<'_>,
    source: &mut S,
    polygons: &mut Polygons,
    place: fn(u64) -> Place,
) -> Result<(), MeshError> {
    let list = element.need("vertex_indices", true)?;
    for _ in 0..element.count {
        let (start, first) = (source.place(), polygons.count());
        // The corners before, and how many there are.
        let mut strip = ([0; 2], 0_u64);
        let mut failure = None;
        read_element(element, source, |property, value| {
            if property != list || failure.is_some() {
                return;
            }
            let ([a, b], length) = strip;
            match index(value) {
                _ if value == -1.0 => strip.1 = 0,
                Some(c) => {
                    if 2 <= length {
                        let ends = if length % 2 == 0 { [a, b] } else { [b, a] };
                        ends.into_iter().chain([c]).for_each(|corner| polygons.corner(corner));
                        failure = polygons.end(start).err();
                    }
                    strip = ([b, c], length + 1);
                }
                None => failure = Some(not_an_index(value)),
            }
        })?;
        let at = source.place_since(start);
        polygons.place_from(first, at);
        if let Some(problem) = failure {
            return Err(MeshError::at(place(at), problem));
        }
    }
    Ok(())
}

/// A whole number that an index can be: one that comes back from the conversion, which rounds and saturates.
#[inline]
fn index(value: f64) -> Option<u32> {
    let index = value as u32;
    (f64::from(index) == value).then_some(index)
}

#[cold]
fn not_an_index(value: f64) -> Problem {
    Problem::expected("the index of a vertex, counted from 0", value.to_string().as_bytes())
}
