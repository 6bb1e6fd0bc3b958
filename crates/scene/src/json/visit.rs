//! Whole documents: values of any number of fields and elements, visited one after the other.

use super::{Value, scan, unescape};
use crate::failure::Failure;
use std::borrow::Cow;

impl<'a> Value<'a> {
    /// The value that a whole text consists of.
    pub(crate) fn of_text(text: &'a str) -> Result<Self, Failure> {
        let bytes = text.as_bytes();
        let start = scan::skip_space(bytes, 0);
        let end = scan::skip_value(bytes, start)?;
        let rest = scan::skip_space(bytes, end);
        match rest == bytes.len() {
            true => Ok(Value { line: text, start, end }),
            false => Err(scan::unexpected(bytes, rest, "the end of the text after the value")),
        }
    }

    /// Hands each field of an object, with its name, to `visit`.
    pub(crate) fn each_field(
        self,
        mut visit: impl FnMut(&str, Value<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let bytes = self.line.as_bytes();
        if bytes.get(self.start) != Some(&b'{') {
            return Err(self.wrong("an object"));
        }
        let mut at = scan::skip_space(bytes, self.start + 1);
        // Each turn passes a name.
        while bytes.get(at) == Some(&b'"') {
            let (quote, after_colon) = scan::skip_key(bytes, at)?;
            let start = scan::skip_space(bytes, after_colon);
            let end = scan::skip_value(bytes, start)?;
            let name = self.line.get(at + 1..quote).unwrap_or_default();
            let name = if name.contains('\\') { Cow::Owned(unescape(name)) } else { Cow::Borrowed(name) };
            visit(&name, Value { line: self.line, start, end })?;
            at = scan::skip_space(bytes, end);
            if bytes.get(at) == Some(&b',') {
                at = scan::skip_space(bytes, at + 1);
            }
        }
        Ok(())
    }

    /// The value of a field of an object, the first one of that name.
    pub(crate) fn field(self, wanted: &str) -> Result<Option<Value<'a>>, Failure> {
        let mut found = None;
        self.each_field(|name, value| {
            if name == wanted && found.is_none() {
                found = Some(value);
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Hands each element of an array, with its index, to `visit`.
    pub(crate) fn each_element(
        self,
        visit: impl FnMut(usize, Value<'a>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.elements(&"an array", visit)
    }

    /// A whole number, zero or more.
    pub(crate) fn whole(self) -> Result<u64, Failure> {
        let number: f64 = self.number()?;
        // Beyond 2^53 not every whole number is one of f64.
        match (0.0..9_007_199_254_740_992.0).contains(&number) && number % 1.0 == 0.0 {
            true => Ok(number as u64),
            false => Err(self.fail("wrong_type", format!("expected a whole number, but found {number}"))),
        }
    }
}
