//! What can be wrong with a mesh file, where, and how to mend it.

use crate::json;
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

/// Why a mesh file could not be read: the file, the place in it, and the problem.
///
/// # Example
/// ```
/// use carom_scene::mesh::{Place, Problem, read_mesh};
/// let error = read_mesh("no/such/file.stl").unwrap_err();
/// assert!(error.to_string().starts_with("no/such/file.stl: cannot be read: "));
/// assert!(matches!(error.problem, Problem::Unreadable { .. }));
/// assert_eq!((error.place, error.problem.kind()), (None, "unreadable"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshError {
    /// The file, when the mesh was read from one.
    pub file: Option<PathBuf>,
    /// The place, when the problem has one.
    pub place: Option<Place>,
    /// What is wrong.
    pub problem: Problem,
}

/// A place in a mesh file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, counted from 1.
    Line(u64),
    /// A byte of a binary file, counted from 0.
    Byte(u64),
    /// A value of a JSON document. In a GLB file lines count from the start of its JSON.
    Json {
        /// The line, counted from 1.
        line: u64,
        /// The column in characters, counted from 1.
        column: u64,
        /// The way to it, such as `accessors[2].count`; empty for the whole document.
        path: Box<str>,
    },
}

impl Place {
    /// The place of a byte of a JSON text.
    #[cold]
    pub(crate) fn in_json(text: &str, offset: usize) -> Self {
        let offset = offset.min(text.len());
        let before = text.get(..offset).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        Place::Json {
            line: 1 + before.bytes().filter(|&byte| byte == b'\n').count() as u64,
            column: json::column(text.get(start..).unwrap_or_default(), offset - start) as u64,
            path: json::path(text, offset).into(),
        }
    }
}

/// What is wrong with a mesh file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file could not be opened or read.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// The reason that the system gave.
        reason: String,
    },
    /// Neither content nor extension tell the format.
    #[error("{}", if *is_empty {
        "the file is empty"
    } else {
        "the content is not OBJ, STL, PLY or glTF; a file whose content says little needs its extension"
    })]
    UnknownFormat {
        /// Whether there is no content at all.
        is_empty: bool,
    },
    /// Something else stands where the format wants something.
    #[error("expected {expected}, but found {found}")]
    Expected {
        /// What belongs there.
        expected: Cow<'static, str>,
        /// What stands there.
        found: String,
    },
    /// A coordinate is NaN, infinite, or too large for `f64`.
    #[error("coordinates must be finite numbers, but one is {found}; export the mesh without it")]
    NotFinite {
        /// The coordinate.
        found: String,
    },
    /// The file ends too early, or announces more than it has.
    #[error(
        "{what} needs {needed} bytes from here, but the file has {left}; it is cut off or its counts are wrong"
    )]
    Truncated {
        /// What is missing.
        what: Cow<'static, str>,
        /// How many bytes it takes at least.
        needed: u64,
        /// How many there are.
        left: u64,
    },
    /// The file goes on after everything that it announces.
    #[error("{} after everything that the file announces; its counts are too small", if *bytes == 1 {
        "a byte follows".to_owned()
    } else {
        format!("{bytes} bytes follow")
    })]
    Trailing {
        /// How many bytes follow.
        bytes: u64,
    },
    /// A face refers to a vertex that does not exist.
    #[error("there is no vertex {index}: the vertices are {first} to {last}")]
    NoSuchVertex {
        /// The index as it is written.
        index: i64,
        /// The first index that exists.
        first: i64,
        /// The last index that exists; less than the first when there is no vertex.
        last: i64,
    },
    /// A face has fewer than three corners.
    #[error("a face needs at least 3 corners, but has {count}; export points and edges separately")]
    TooFewCorners {
        /// How many corners it has.
        count: usize,
    },
    /// The file has no triangle.
    #[error("there is no triangle in it; export the surface, not just points or lines")]
    NoTriangles,
    /// More than 4,294,967,295 vertices.
    #[error("there are more vertices than 32 bits can number; split the mesh")]
    TooManyVertices,
    /// Cutting concave polygons into triangles would take too long.
    #[error("polygons as large and crooked as these take too long to triangulate; export triangles")]
    TooInvolved,
    /// The format allows it, but this reader does not know it.
    #[error("{what} is not supported; {remedy}")]
    Unsupported {
        /// What is not supported.
        what: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A glTF document is not right.
    #[error("{text}")]
    Document {
        /// A short, stable word.
        kind: &'static str,
        /// What is wrong and how to mend it.
        text: String,
    },
}

impl Problem {
    /// A short, stable word for the kind of problem, as written to streams.
    ///
    /// # Example
    /// ```
    /// assert_eq!(carom_scene::mesh::Problem::NoTriangles.kind(), "no_triangles");
    /// ```
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Problem::Unreadable { .. } => "unreadable",
            Problem::UnknownFormat { .. } => "unknown_format",
            Problem::Expected { .. } => "syntax",
            Problem::NotFinite { .. } => "not_finite",
            Problem::Truncated { .. } => "truncated",
            Problem::Trailing { .. } => "trailing",
            Problem::NoSuchVertex { .. } => "no_such_index",
            Problem::TooFewCorners { .. } => "too_few_points",
            Problem::NoTriangles => "no_triangles",
            Problem::TooManyVertices => "too_many_vertices",
            Problem::TooInvolved => "too_involved",
            Problem::Unsupported { .. } => "unsupported",
            Problem::Document { kind, .. } => kind,
        }
    }

    /// Something else than expected, with what was found as it should be shown.
    #[cold]
    pub(super) fn expected(expected: impl Into<Cow<'static, str>>, found: &[u8]) -> Self {
        Problem::Expected { expected: expected.into(), found: shown(found) }
    }
}

impl MeshError {
    /// A problem of the file as a whole.
    #[cold]
    pub(super) fn new(problem: Problem) -> Self {
        MeshError { file: None, place: None, problem }
    }

    /// A problem at a place.
    #[cold]
    pub(super) fn at(place: Place, problem: Problem) -> Self {
        MeshError { file: None, place: Some(place), problem }
    }

    /// The same error with the name of the file.
    #[cold]
    pub(super) fn in_file(self, path: &Path) -> Self {
        MeshError { file: Some(path.to_path_buf()), ..self }
    }
}

impl Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for MeshError {}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
            Place::Json { line, column, path } if path.is_empty() => {
                write!(f, "line {line}, column {column}")
            }
            Place::Json { line, column, path } => write!(f, "line {line}, column {column}, {path}"),
        }
    }
}

/// Bytes of a file for a message: printable and short.
fn shown(found: &[u8]) -> String {
    if found.is_empty() {
        return "the end".to_owned();
    }
    let text = String::from_utf8_lossy(found.get(..160).unwrap_or(found));
    let mut shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    if 40 < text.chars().count() {
        shown.push('…');
    }
    format!("`{shown}`")
}
