//! Reading JSON where it stands: values are ranges of the line, nothing is copied or built.
//!
//! An object is split into its fields by one scan; a field is scanned again when it is read. That
//! makes two or three passes over most bytes and no allocation at all, and a value knows its place
//! for messages. Numbers are read by the standard library: correctly rounded.

mod place;
mod scan;
#[cfg(test)]
mod tests;
mod visit;

pub(crate) use place::{column, path};

use crate::failure::{Failure, LibraryError, meant};
use carom::math::{Real, Vector};
use std::borrow::Cow;

/// A value of a line: the bytes from `start` to `end`, without the space around them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    line: &'a str,
    start: usize,
    end: usize,
}

/// A name and its value, as ranges of the line. Names are compared many times, so they are kept
/// without their quotes, and whether they hold an escape is found out once.
#[derive(Clone, Copy, Debug, Default)]
struct Field {
    name: [u32; 2],
    value: [u32; 2],
    escaped: bool,
}

/// More fields than any thing of the format has, by two at least. Further ones are dropped: with this
/// many, one of those that are kept is unknown or twice there, and that is an error already.
const MAX_FIELDS: usize = 16;

/// The fields of an object in the order of the text.
#[derive(Debug)]
pub(crate) struct Object<'a> {
    line: &'a str,
    start: usize,
    fields: [Field; MAX_FIELDS],
    count: usize,
}

impl<'a> Object<'a> {
    /// The object that a whole line consists of. When the line is broken, the object holds the
    /// fields before the break, and the failure tells what is wrong.
    pub(crate) fn of_line(line: &'a str) -> (Self, Result<(), Failure>) {
        let bytes = line.as_bytes();
        let mut object = Object::empty(line, scan::skip_space(bytes, 0));
        if u32::try_from(line.len()).is_err() {
            return (object, Err(Failure::at(0, "line_too_long", "the line is longer than 4 GiB")));
        }
        let result = match bytes.get(object.start) {
            Some(b'{') => object.read_fields().and_then(|end| {
                let rest = scan::skip_space(bytes, end);
                match rest == bytes.len() {
                    true => Ok(()),
                    false => Err(scan::unexpected(bytes, rest, "the end of the line after the object")),
                }
            }),
            _ => Err(scan::unexpected(bytes, object.start, "a question, an object that starts with `{`")),
        };
        (object, result)
    }

    fn empty(line: &'a str, start: usize) -> Self {
        Object { line, start, fields: [Field::default(); MAX_FIELDS], count: 0 }
    }

    /// Splits the text after the opening bracket into fields; the position after the closing one.
    fn read_fields(&mut self) -> Result<usize, Failure> {
        let bytes = self.line.as_bytes();
        let mut at = scan::skip_space(bytes, self.start + 1);
        if bytes.get(at) == Some(&b'}') {
            return Ok(at + 1);
        }
        loop {
            let (quote, after_colon) = scan::skip_key(bytes, at)?;
            let start = scan::skip_space(bytes, after_colon);
            let end = scan::skip_value(bytes, start)?;
            let name = [at as u32 + 1, quote as u32];
            let escaped = bytes.get(at..quote).is_some_and(|name| name.contains(&b'\\'));
            let field = Field { name, value: [start as u32, end as u32], escaped };
            // Even a hopeless line gets its own `id` back.
            let full = self.count == MAX_FIELDS;
            let index = if full && self.is_named(&field, "id") { MAX_FIELDS - 1 } else { self.count };
            if let Some(slot) = self.fields.get_mut(index) {
                *slot = field;
                self.count += usize::from(!full);
            }
            at = scan::skip_space(bytes, end);
            match bytes.get(at) {
                Some(b',') => at = scan::skip_space(bytes, at + 1),
                Some(b'}') => return Ok(at + 1),
                _ => return Err(scan::unexpected(bytes, at, "`,` or `}`")),
            }
        }
    }

    fn fields(&self) -> &[Field] {
        self.fields.get(..self.count).unwrap_or_default()
    }

    #[inline]
    fn name_of(&self, field: &Field) -> &'a str {
        let [start, end] = field.name;
        self.line.get(start as usize..end as usize).unwrap_or_default()
    }

    #[inline]
    fn is_named(&self, field: &Field, name: &str) -> bool {
        let written = self.name_of(field);
        if field.escaped { unescape(written) == name } else { written == name }
    }

    /// The value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<Value<'a>> {
        let [start, end] = self.fields().iter().find(|field| self.is_named(field, name))?.value;
        Some(Value { line: self.line, start: start as usize, end: end as usize })
    }

    /// The value of a field that must be there. `of` names the thing with its article.
    pub(crate) fn need(&self, name: &str, of: &str) -> Result<Value<'a>, Failure> {
        self.get(name)
            .ok_or_else(|| Failure::at(self.start, "missing_field", format!("{of} needs the field `{name}`")))
    }

    /// An error when a field has none of the names, or when two have the same.
    pub(crate) fn allow(&self, of: &str, names: &[&str]) -> Result<(), Failure> {
        let mut seen = 0_u32;
        for field in self.fields() {
            let Some(index) = names.iter().position(|name| self.is_named(field, name)) else {
                return Err(self.unknown_field(field, of, names));
            };
            if seen >> index & 1 == 1 {
                return Err(Failure::at(place_of(field), "duplicate_field", "the field is there twice"));
            }
            seen |= 1 << index;
        }
        Ok(())
    }

    #[cold]
    fn unknown_field(&self, field: &Field, of: &str, names: &[&str]) -> Failure {
        let word = unescape(self.name_of(field));
        let missing = names.iter().copied().filter(|name| self.get(name).is_none());
        let hint = meant(&word, missing).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
        let names = names.join(", ");
        Failure::at(place_of(field), "unknown_field", format!("unknown field{hint} ({of} has: {names})"))
    }

    /// The failure, placed at the field that it is about.
    #[cold]
    pub(crate) fn place(&self, error: impl LibraryError) -> Failure {
        let offset = error.subject().and_then(|name| self.get(name)).map_or(self.start, Value::start);
        Failure::at(offset, error.kind(), error.to_string())
    }

    /// Where the object starts.
    pub(crate) fn start(&self) -> usize {
        self.start
    }
}

impl<'a> Value<'a> {
    /// The text of the value as it stands.
    #[inline]
    pub(crate) fn raw(self) -> &'a str {
        self.line.get(self.start..self.end).unwrap_or_default()
    }

    /// Where the value starts in the line.
    pub(crate) fn start(self) -> usize {
        self.start
    }

    /// A failure about this value.
    #[cold]
    pub(crate) fn fail(self, kind: &'static str, text: impl Into<String>) -> Failure {
        Failure::at(self.start, kind, text)
    }

    /// A finite number of type `T`: read as `f64`, then rounded to the nearest `T`.
    pub(crate) fn number<T: Real>(self) -> Result<T, Failure> {
        let raw = self.raw();
        let wide = match raw.as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => raw.parse::<f64>().ok(),
            _ => None,
        };
        let number = T::from_f64(wide.ok_or_else(|| self.wrong("a number"))?);
        match number.finite() {
            true => Ok(number),
            false => Err(self.fail("out_of_range", format!("{} is too large for {}", self.shown(), T::NAME))),
        }
    }

    /// `true` or `false`.
    pub(crate) fn boolean(self) -> Result<bool, Failure> {
        match self.raw() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// A string, its escapes resolved.
    pub(crate) fn word(self) -> Result<Cow<'a, str>, Failure> {
        match self.raw().starts_with('"') {
            true => Ok(self.text_of_word()),
            false => Err(self.wrong("a string")),
        }
    }

    /// As many numbers in brackets as the space has axes.
    pub(crate) fn vector<V: Vector>(self) -> Result<V, Failure> {
        let mut vector = V::ZERO;
        self.fixed(V::DIM, |axis, element| {
            vector = vector.with(axis, element.number()?);
            Ok(())
        })
        .map_err(|mut failure| {
            // The usual slip: a question of the plane without its "dim".
            if failure.kind == "wrong_length" {
                failure.text += &format!(" (the question is in {}D; \"dim\" is 2 or 3)", V::DIM);
            }
            failure
        })?;
        Ok(vector)
    }

    /// Exactly `count` elements in brackets.
    pub(crate) fn fixed(
        self,
        count: usize,
        mut read: impl FnMut(usize, Value<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut found = 0;
        self.elements(&format_args!("an array of {count} numbers"), |index, element| {
            found += 1;
            if index < count { read(index, element) } else { Ok(()) }
        })?;
        match found == count {
            true => Ok(()),
            false => Err(self.fail("wrong_length", format!("expected {count} elements, but found {found}"))),
        }
    }

    /// Any number of points.
    pub(crate) fn points<V: Vector>(self) -> Result<Vec<V>, Failure> {
        let mut points = Vec::new();
        self.elements(&"an array of points", |_, element| {
            points.push(element.vector()?);
            Ok(())
        })?;
        Ok(points)
    }

    /// Any number of numbers.
    pub(crate) fn numbers<T: Real>(self) -> Result<Vec<T>, Failure> {
        let mut numbers = Vec::new();
        self.elements(&"an array of numbers", |_, element| {
            numbers.push(element.number()?);
            Ok(())
        })?;
        Ok(numbers)
    }

    /// A whole number, counted from 0.
    pub(crate) fn index(self) -> Result<u32, Failure> {
        self.raw().parse().map_err(|_| self.wrong("an index, counted from 0"))
    }

    /// Hands each element of an array, with its index, to `read`.
    pub(crate) fn elements(
        self,
        expected: &dyn std::fmt::Display,
        mut read: impl FnMut(usize, Value<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let bytes = self.line.as_bytes();
        if bytes.get(self.start) != Some(&b'[') {
            return Err(self.wrong(&expected.to_string()));
        }
        let mut at = scan::skip_space(bytes, self.start + 1);
        if bytes.get(at) == Some(&b']') {
            return Ok(());
        }
        for index in 0.. {
            let end = scan::skip_value(bytes, at)?;
            read(index, Value { line: self.line, start: at, end })?;
            at = scan::skip_space(bytes, end);
            if bytes.get(at) != Some(&b',') {
                break;
            }
            at = scan::skip_space(bytes, at + 1);
        }
        Ok(())
    }

    /// The fields of an object.
    pub(crate) fn object(self, expected: &str) -> Result<Object<'a>, Failure> {
        let mut object = Object::empty(self.line, self.start);
        match self.line.as_bytes().get(self.start) {
            Some(b'{') => object.read_fields().map(|_| object),
            _ => Err(self.wrong(expected)),
        }
    }

    #[cold]
    fn wrong(self, expected: &str) -> Failure {
        self.fail("wrong_type", format!("expected {expected}, but found {}", self.shown()))
    }

    /// The value for a message: its sort, and its text unless that is long.
    fn shown(self) -> String {
        let raw = self.raw();
        let sort = match raw.as_bytes().first() {
            Some(b'{') => return "an object".to_owned(),
            Some(b'[') => return "an array".to_owned(),
            Some(b'"') => "the string ",
            Some(b'-' | b'0'..=b'9') => "the number ",
            _ => "",
        };
        match raw.char_indices().nth(40) {
            Some((end, _)) => format!("{sort}{}…", raw.get(..end).unwrap_or_default()),
            None => format!("{sort}{raw}"),
        }
    }

    /// The text of a string value, escapes resolved.
    fn text_of_word(self) -> Cow<'a, str> {
        let raw = self.raw();
        let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default();
        match inner.contains('\\') {
            true => Cow::Owned(unescape(inner)),
            false => Cow::Borrowed(inner),
        }
    }
}

/// Where the name of a field starts, its quote included.
fn place_of(field: &Field) -> usize {
    field.name[0] as usize - 1
}

/// Resolves the escapes of the inside of a string that the scanner has accepted.
fn unescape(inner: &str) -> String {
    let bytes = inner.as_bytes();
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let at = inner.len() - after.len();
        let length = match after.as_bytes().first() {
            Some(b'u') => {
                let high = scan::hex_unit(bytes, at + 1).unwrap_or_default();
                let low = if matches!(high, 0xD800..=0xDBFF) { scan::hex_unit(bytes, at + 7) } else { None };
                text.extend(
                    char::decode_utf16([high].into_iter().chain(low)).map(|unit| unit.unwrap_or('\u{FFFD}')),
                );
                if low.is_some() { 11 } else { 5 }
            }
            Some(b'b') => text_and_one(&mut text, '\u{8}'),
            Some(b'f') => text_and_one(&mut text, '\u{c}'),
            Some(b'n') => text_and_one(&mut text, '\n'),
            Some(b'r') => text_and_one(&mut text, '\r'),
            Some(b't') => text_and_one(&mut text, '\t'),
            Some(&other) => text_and_one(&mut text, char::from(other)),
            None => 0,
        };
        rest = after.get(length..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

fn text_and_one(text: &mut String, character: char) -> usize {
    text.push(character);
    1
}
