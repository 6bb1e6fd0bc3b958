//! Words and lines of the text formats.
//!
//! Lines end with `\n`, `\r\n` or `\r`. Nothing needs to be UTF-8: names are shown as far as they are, and
//! everything else is ASCII.

use super::error::{MeshError, Place, Problem};

/// A text that is read word by word.
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The line of `at`, counted from 1.
    line: u64,
    /// Whether `#` begins a comment, and a backslash before the end of a line joins it with the next one.
    is_obj: bool,
}

impl<'a> Words<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let text = without_mark(bytes);
        Words { bytes, at: bytes.len() - text.len(), line: 1, is_obj: false }
    }

    /// A text by the rules of OBJ: a backslash at its end continues a line, and a word that begins with `#`
    /// is a comment up to the end of the line.
    pub(super) fn of_obj(bytes: &'a [u8]) -> Self {
        Words { is_obj: true, ..Words::new(bytes) }
    }

    /// The next word, on this line or a later one.
    pub(super) fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.next_on_line() {
                return Some(word);
            }
            self.pass_line_end()?;
        }
    }

    /// The next word of this line.
    #[inline]
    pub(super) fn next_on_line(&mut self) -> Option<&'a [u8]> {
        loop {
            match self.bytes.get(self.at)? {
                b' ' | b'\t' | 0x0b | 0x0c => self.at += 1,
                b'\n' | b'\r' => return None,
                b'#' if self.is_obj => {
                    self.rest_of_line();
                    return None;
                }
                b'\\' if self.continues_at(self.at) => {
                    self.at += 1;
                    self.pass_line_end();
                }
                _ => break,
            }
        }
        let start = self.at;
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() || byte == 0x0b || byte == b'\\' && self.continues_at(self.at) {
                break;
            }
            self.at += 1;
        }
        self.bytes.get(start..self.at)
    }

    /// What is left of this line, without the space around it.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default().trim_ascii()
    }

    /// Passes what is left of this line and the lines that continue it.
    pub(super) fn skip_line(&mut self) {
        // Each turn but the last passes the end of a line.
        while self.rest_of_line().ends_with(b"\\") && self.is_obj {
            if self.pass_line_end().is_none() {
                return;
            }
        }
    }

    /// The next word, which must be there. `expected` says what it should be.
    pub(super) fn need(&mut self, expected: &'static str) -> Result<&'a [u8], MeshError> {
        match self.next() {
            Some(word) => Ok(word),
            None => Err(self.fail(Problem::expected(expected, b""))),
        }
    }

    /// The next word of this line as a number, which need not be finite.
    pub(super) fn number_on_line(&mut self) -> Result<f64, MeshError> {
        let word = self.next_on_line().unwrap_or_default();
        number(word).map_err(|problem| self.fail(problem))
    }

    /// A failure on this line.
    #[cold]
    pub(super) fn fail(&self, problem: Problem) -> MeshError {
        MeshError::at(Place::Line(self.line), problem)
    }

    /// The line of the last word, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// How many bytes have been passed.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Goes to the next line when this one has been read; `None` at the end of the text.
    pub(super) fn pass_line_end(&mut self) -> Option<()> {
        let length = self.line_end(self.at)?;
        self.at += length;
        self.line += 1;
        Some(())
    }

    /// The length of the line's end at a position, if there is one.
    fn line_end(&self, at: usize) -> Option<usize> {
        match self.bytes.get(at)? {
            b'\n' => Some(1),
            b'\r' if self.bytes.get(at + 1) == Some(&b'\n') => Some(2),
            b'\r' => Some(1),
            _ => None,
        }
    }

    /// Whether the backslash at a position continues the line.
    fn continues_at(&self, at: usize) -> bool {
        self.is_obj && self.line_end(at + 1).is_some()
    }
}

/// The number that a word is. NaN and infinities are numbers here; too large ones are infinite.
#[inline]
pub(super) fn number(word: &[u8]) -> Result<f64, Problem> {
    let parsed = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| Problem::expected("a number", word))
}

/// A whole number of a count, such as that of the elements of a PLY file.
pub(super) fn whole<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok().and_then(|text| text.parse().ok())
}

/// A name as text; what is not UTF-8 is replaced.
pub(super) fn name(bytes: &[u8]) -> std::sync::Arc<str> {
    String::from_utf8_lossy(bytes).into()
}

/// The text without the byte order mark that some editors put before it.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        let mut words = Words::new(b"\xef\xbb\xbfa b\nc\r\nd\re\n\n  f");
        let mut found = Vec::new();
        while let Some(word) = words.next() {
            found.push((words.line(), word));
        }
        let expected: [(u64, &[u8]); 6] = [(1, b"a"), (1, b"b"), (2, b"c"), (3, b"d"), (4, b"e"), (6, b"f")];
        assert_eq!(found, expected);
        assert_eq!(words.left(), 0);
    }

    #[test]
    fn obj_continues_lines_and_has_comments() {
        let mut words = Words::of_obj(b"f 1 2\\\r\n3 \\\n 4\\5\nx");
        assert_eq!(words.next(), Some(&b"f"[..]));
        let mut corners = Vec::new();
        while let Some(word) = words.next_on_line() {
            corners.push(word);
        }
        assert_eq!(corners, [&b"1"[..], b"2", b"3", b"4\\5"]);
        assert_eq!((words.next(), words.line()), (Some(&b"x"[..]), 4));
        let mut words = Words::of_obj(b"vn 1 \\\n 2\nx\\");
        words.skip_line();
        assert_eq!((words.next(), words.line(), words.next()), (Some(&b"x\\"[..]), 3, None));
        words.skip_line();
        let mut words = Words::of_obj(b"# one \\\n a#1 # two\n#\nb");
        assert_eq!((words.next(), words.next_on_line()), (Some(&b"a#1"[..]), None));
        assert_eq!((words.next(), words.line(), words.next()), (Some(&b"b"[..]), 4, None));
        let mut words = Words::of_obj(b"a\\\n");
        words.skip_line();
        assert_eq!(words.next(), None);
    }
}
