//! Why a line could not be answered.

/// A kind for programs, a text for people, and the place in the line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    /// A short, stable word.
    pub(crate) kind: &'static str,
    /// The byte of the line that the text is about, when it is about one.
    pub(crate) offset: Option<usize>,
    /// What is wrong and how to mend it; the place is added when the line is written.
    pub(crate) text: String,
}

impl Failure {
    /// A failure at a byte of the line.
    #[cold]
    pub(crate) fn at(offset: usize, kind: &'static str, text: impl Into<String>) -> Self {
        Failure { kind, offset: Some(offset), text: text.into() }
    }

    /// A question or shape that the format knows and the library does not answer yet.
    #[cold]
    pub(crate) fn unsupported(offset: usize, text: impl Into<String>) -> Self {
        Failure::at(offset, "unsupported", text)
    }
}

/// An error of the library.
pub(crate) trait LibraryError: ToString {
    /// A short, stable word.
    fn kind(&self) -> &'static str;
    /// The input that it is about: for shapes and questions, the name of a field.
    fn subject(&self) -> Option<&'static str>;
}

impl LibraryError for carom::Error {
    fn kind(&self) -> &'static str {
        self.kind()
    }
    fn subject(&self) -> Option<&'static str> {
        use carom::Error;
        match *self {
            Error::NotFinite { what, .. }
            | Error::Negative { what, .. }
            | Error::ZeroDirection { what }
            | Error::Collapsed { what }
            | Error::TooFewPoints { what, .. }
            | Error::NoTriangles { what }
            | Error::NotSimple { what, .. } => Some(what),
            _ => None,
        }
    }
}

impl LibraryError for carom::response::Error {
    fn kind(&self) -> &'static str {
        self.kind()
    }
    fn subject(&self) -> Option<&'static str> {
        use carom::response::Error;
        match *self {
            Error::NotFinite { what, .. }
            | Error::Negative { what, .. }
            | Error::AboveOne { what, .. }
            | Error::ZeroDirection { what } => Some(what),
            _ => None,
        }
    }
}

/// The name in the list that `word` was probably meant to be: at most a third of its letters differ.
pub(crate) fn meant<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let closest = names.into_iter().map(|name| (edits(word, name), name)).min_by_key(|&(edits, _)| edits)?;
    (closest.0 <= closest.1.len().div_ceil(3)).then_some(closest.1)
}

/// How many letters must be inserted, removed or replaced to turn one word into the other
/// (Levenshtein's distance, a row of the table at a time).
fn edits(word: &str, name: &str) -> usize {
    // No name is this long, so a word that is needs no comparison to be far from all of them.
    if 40 < word.len() {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, letter) in word.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in name.bytes().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_letters() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", "abc"), 0);
    }

    #[test]
    fn near_words_are_suggested_and_far_ones_are_not() {
        let names = ["radius", "half_extents", "offset"];
        assert_eq!(meant("raduis", names), Some("radius"));
        assert_eq!(meant("halfextents", names), Some("half_extents"));
        assert_eq!(meant("colour", names), None);
    }
}
