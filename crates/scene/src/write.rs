//! Writing answers: JSON built straight into the output buffer.

use carom::math::{Real, Vector};

/// The value of one answer, under construction at the end of a buffer.
///
/// Fields are written in the order of the calls. A number that is not finite cannot be written; it
/// is noted, and the caller replaces the whole answer by an error.
pub(crate) struct Answer<'a> {
    bytes: &'a mut Vec<u8>,
    finite: bool,
}

impl<'a> Answer<'a> {
    /// An answer that is appended to the buffer.
    pub(crate) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Answer { bytes, finite: true }
    }

    /// Whether every number so far could be written.
    pub(crate) fn finite(&self) -> bool {
        self.finite
    }

    /// The answer `null`.
    pub(crate) fn null(&mut self) {
        self.text("null");
    }

    /// Opens an object.
    pub(crate) fn open(&mut self) -> &mut Self {
        self.text("{")
    }

    /// Closes an object.
    pub(crate) fn close(&mut self) -> &mut Self {
        self.text("}")
    }

    /// A field whose value is a number.
    pub(crate) fn number<T: Real>(&mut self, name: &str, value: T) -> &mut Self {
        self.name(name).plain_number(value)
    }

    /// A field whose value is a number or `null`.
    pub(crate) fn maybe_number<T: Real>(&mut self, name: &str, value: Option<T>) -> &mut Self {
        match value {
            Some(value) => self.number(name, value),
            None => self.name(name).text("null"),
        }
    }

    /// A field whose value is a vector.
    pub(crate) fn vector<V: Vector>(&mut self, name: &str, value: V) -> &mut Self {
        self.name(name).plain_vector(value)
    }

    /// A field whose value is a list; `write` writes one element.
    pub(crate) fn list<E>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = E>,
        write: impl FnMut(&mut Self, E),
    ) -> &mut Self {
        self.name(name).plain_list(elements, write)
    }

    /// A list outside of a field.
    pub(crate) fn plain_list<E>(
        &mut self,
        elements: impl IntoIterator<Item = E>,
        mut write: impl FnMut(&mut Self, E),
    ) -> &mut Self {
        self.text("[");
        for (index, element) in elements.into_iter().enumerate() {
            if 0 < index {
                self.text(",");
            }
            write(self, element);
        }
        self.text("]")
    }

    /// A field whose value is a truth.
    pub(crate) fn boolean(&mut self, name: &str, value: bool) -> &mut Self {
        self.name(name).text(if value { "true" } else { "false" })
    }

    /// A field whose value is a text.
    pub(crate) fn string(&mut self, name: &str, value: &str) -> &mut Self {
        self.name(name);
        write_string(self.bytes, value);
        self
    }

    /// A whole number, such as an index, outside of a field.
    pub(crate) fn plain_index(&mut self, index: usize) {
        self.text(&index.to_string());
    }

    /// A string outside of a field.
    pub(crate) fn plain_string(&mut self, value: &str) {
        write_string(self.bytes, value);
    }

    /// A vector outside of a field.
    pub(crate) fn plain_vector<V: Vector>(&mut self, value: V) -> &mut Self {
        for axis in 0..V::DIM {
            self.text(if axis == 0 { "[" } else { "," }).plain_number(value.get(axis));
        }
        self.text("]")
    }

    /// The shortest digits that read back to the same number of the type `T`. Zero has no sign, and
    /// whole numbers have no point.
    fn plain_number<T: Real>(&mut self, value: T) -> &mut Self {
        if !value.finite() {
            self.finite = false;
            return self;
        }
        let mut buffer = zmij::Buffer::new();
        let value = value + T::ZERO;
        let digits = if size_of::<T>() == size_of::<f32>() {
            buffer.format_finite(value.to_f64() as f32)
        } else {
            buffer.format_finite(value.to_f64())
        };
        self.text(digits.strip_suffix(".0").unwrap_or(digits))
    }

    /// The name of a field, after a comma where one is due.
    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        if self.bytes.last() != Some(&b'{') {
            self.text(",");
        }
        self.text("\"").text(name).text("\":")
    }

    #[inline]
    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }
}

/// Appends a JSON string that stands for `text`.
pub(crate) fn write_string(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(b'"');
    for character in text.chars() {
        match character {
            '"' => bytes.extend_from_slice(b"\\\""),
            '\\' => bytes.extend_from_slice(b"\\\\"),
            '\u{0}'..='\u{1f}' | '\u{7f}' => {
                bytes.extend_from_slice(format!("\\u{:04x}", u32::from(character)).as_bytes());
            }
            _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::math::Vec2;

    fn written(write: impl FnOnce(&mut Answer<'_>)) -> (String, bool) {
        let mut bytes = Vec::new();
        let mut answer = Answer::new(&mut bytes);
        write(&mut answer);
        let finite = answer.finite();
        (String::from_utf8(bytes).expect("text"), finite)
    }

    #[test]
    fn numbers_are_short_in_their_own_precision() {
        let (text, finite) = written(|answer| {
            answer.open().number("a", 0.1_f32).number("b", 0.1_f64).number("c", -0.0_f64).number("d", 1e300);
            answer.number("e", 3.0_f32).vector("f", Vec2::new(-1.5, 2.0)).close();
        });
        assert_eq!(text, r#"{"a":0.1,"b":0.1,"c":0,"d":1e+300,"e":3,"f":[-1.5,2]}"#);
        assert!(finite);
    }

    #[test]
    fn what_is_not_finite_is_noted() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(
                !written(|answer| {
                    answer.open().number("a", value);
                })
                .1
            );
        }
    }

    #[test]
    fn strings_are_escaped() {
        let mut bytes = Vec::new();
        write_string(&mut bytes, "a\"b\\c\nd\u{7f}é");
        assert_eq!(String::from_utf8(bytes).expect("text"), r#""a\"b\\c\u000ad\u007fé""#);
    }
}
