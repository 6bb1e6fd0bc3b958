//! What can be wrong with the input, and how to mend it.

/// Why a shape could not be built or a question could not be answered.
///
/// Every variant names the offending input. Nothing else can go wrong: for valid input every
/// function of this crate has an answer.
///
/// # Example
/// ```
/// use carom_geometry::{Error, d3::Ball};
/// let error = Ball::new(-1.0_f64).unwrap_err();
/// assert_eq!(error, Error::Negative { what: "radius", value: -1.0 });
/// assert_eq!(error.to_string(), "radius must not be negative, but is -1");
/// assert_eq!(error.kind(), "negative");
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is NaN or infinite.
    #[error("{what} must be finite, but is {value}")]
    NotFinite {
        /// The offending input.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number that must be zero or more is less.
    #[error("{what} must not be negative, but is {value}")]
    Negative {
        /// The offending input.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A direction, axis or normal is the zero vector, so it points nowhere.
    #[error("{what} must not be the zero vector: it has to point somewhere")]
    ZeroDirection {
        /// The offending input.
        what: &'static str,
    },
    /// A triangle or parallelogram has no area, so it spans no plane.
    #[error("{what} has no area: give corners that do not lie on one line")]
    Collapsed {
        /// The offending input.
        what: &'static str,
    },
    /// There are fewer points than the question needs.
    #[error("{what} needs at least {least} point{}, but has {count}", if *least == 1 { "" } else { "s" })]
    TooFewPoints {
        /// The offending input.
        what: &'static str,
        /// How many are needed.
        least: usize,
        /// How many there are.
        count: usize,
    },
    /// A mesh has no triangle.
    #[error("{what} must not be empty: a mesh needs at least one triangle")]
    NoTriangles {
        /// The offending input.
        what: &'static str,
    },
    /// Edges of an outline that must be simple cross or touch each other.
    #[error("{what} is not simple: edges {first} and {second} meet; an outline must not touch itself")]
    NotSimple {
        /// The offending input.
        what: &'static str,
        /// The index of one edge.
        first: usize,
        /// The index of the other.
        second: usize,
    },
    /// The corners of a polygon that must be convex turn both ways, or around more than once.
    #[error(
        "{what} is not convex at vertex {index}: every corner must turn the same way; ask for the hull to take it"
    )]
    NotConvex {
        /// The offending input.
        what: &'static str,
        /// The index of the vertex, counted from 0.
        index: usize,
    },
    /// A mesh that must enclose a volume has an edge that is not shared by two triangles wound alike.
    #[error(
        "{what} is not closed: the edge from vertex {first} to {second} needs a triangle on each side, both wound alike"
    )]
    NotClosed {
        /// The offending input.
        what: &'static str,
        /// The index of the vertex where the edge begins.
        first: usize,
        /// The index of the vertex where it ends.
        second: usize,
    },
    /// The rows of a grid are not equally long.
    #[error("row {row} of {what} has {count} entries, but the first has {expected}")]
    UnevenRows {
        /// The offending input.
        what: &'static str,
        /// The first row that differs, counted from 0.
        row: usize,
        /// How long the first row is.
        expected: usize,
        /// How long this one is.
        count: usize,
    },
    /// A closed mesh is wound the wrong way round.
    #[error("{what} are inside out: they must run counter-clockwise as seen from outside")]
    InsideOut {
        /// The offending input.
        what: &'static str,
    },
    /// Triangles are closed and have no volume: a sheet seen from both sides, or pieces that cancel each other.
    #[error("{what} enclose no volume: there is nothing between their two sides")]
    NoVolume {
        /// The offending input.
        what: &'static str,
    },
    /// An index refers to something that does not exist.
    #[error("{what} refers to number {index}, but there are only {count}, counted from 0")]
    NoSuchIndex {
        /// The offending input.
        what: &'static str,
        /// The index.
        index: usize,
        /// How many things there are.
        count: usize,
    },
    /// A coordinate of a vertex of a mesh is NaN or infinite.
    #[error("vertex {vertex} must be finite, but has the coordinate {value}")]
    NotFiniteVertex {
        /// The index of the vertex.
        vertex: usize,
        /// The coordinate.
        value: f64,
    },
    /// A triangle of a mesh refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {vertex}, but there are only {count}, counted from 0")]
    NoSuchVertex {
        /// The index of the triangle.
        triangle: usize,
        /// The index that it refers to.
        vertex: usize,
        /// How many vertices there are.
        count: usize,
    },
    /// A box that a tree shall hold has a coordinate that is NaN or infinite.
    #[error("the box of entry {index} must be finite, but reaches to {value}")]
    BoxNotFinite {
        /// The entry, or the place of the box among those that were given.
        index: usize,
        /// The offending coordinate.
        value: f64,
    },
    /// A box that a tree shall hold contains nothing.
    #[error("the box of entry {index} is empty: its minimum must not be above its maximum")]
    BoxEmpty {
        /// The entry, or the place of the box among those that were given.
        index: usize,
    },
    /// An entry of an index that has been removed, or belongs to another index.
    #[error("entry {index} is not there: it has been removed, or belongs to another index")]
    NoSuchEntry {
        /// The number of the entry.
        index: usize,
    },
    /// Slices that belong together are not equally long.
    #[error("there must be {expected} {what}, one for each question, but there {} {count}", if *count == 1 { "is" } else { "are" })]
    DifferentLengths {
        /// The slice whose length is wrong.
        what: &'static str,
        /// How long it has to be.
        expected: usize,
        /// How long it is.
        count: usize,
    },
    /// An interval of time ends before it begins.
    #[error("the interval from {from} to {to} is empty: it must not end before it begins")]
    EmptyInterval {
        /// Where it begins.
        from: f64,
        /// Where it ends.
        to: f64,
    },
    /// The input is finite, but the answer is too large for the number type.
    #[error("{what} is too large for {number}: use {}lengths in a larger unit", if *number == "f32" { "f64, or " } else { "" })]
    Overflow {
        /// The answer that overflowed.
        what: &'static str,
        /// The number type.
        number: &'static str,
    },
    /// This question has no answer for these kinds of shapes yet.
    #[error("{operation} is not supported for {first} and {second}")]
    UnsupportedPair {
        /// The question.
        operation: &'static str,
        /// The kind of the first shape.
        first: &'static str,
        /// The kind of the second shape.
        second: &'static str,
    },
    /// This question has no answer for this kind of shape yet.
    #[error("{operation} is not supported for {shape}")]
    UnsupportedShape {
        /// The question.
        operation: &'static str,
        /// The kind of the shape.
        shape: &'static str,
    },
}

impl Error {
    /// A short, stable word for the kind of error, as written to streams.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Error::NotFinite { .. } | Error::NotFiniteVertex { .. } => "not_finite",
            Error::Negative { .. } => "negative",
            Error::ZeroDirection { .. } => "zero_direction",
            Error::Collapsed { .. } => "collapsed",
            Error::TooFewPoints { .. } => "too_few_points",
            Error::NoTriangles { .. } => "no_triangles",
            Error::NotSimple { .. } => "not_simple",
            Error::NotConvex { .. } => "not_convex",
            Error::NotClosed { .. } => "not_closed",
            Error::UnevenRows { .. } => "uneven_rows",
            Error::InsideOut { .. } => "inside_out",
            Error::NoVolume { .. } => "no_volume",
            Error::NoSuchIndex { .. } | Error::NoSuchVertex { .. } => "no_such_index",
            Error::BoxNotFinite { .. } => "not_finite",
            Error::BoxEmpty { .. } => "empty_box",
            Error::NoSuchEntry { .. } => "no_such_entry",
            Error::DifferentLengths { .. } => "different_lengths",
            Error::EmptyInterval { .. } => "empty_interval",
            Error::Overflow { .. } => "overflow",
            Error::UnsupportedPair { .. } | Error::UnsupportedShape { .. } => "unsupported",
        }
    }
}

use crate::bound::Placement;
use carom_math::{Real, Vector};

/// The number itself, or an error that names it, when it is NaN or infinite.
pub(crate) fn finite<T: Real>(what: &'static str, value: T) -> Result<T, Error> {
    if value.finite() { Ok(value) } else { Err(Error::NotFinite { what, value: value.to_f64() }) }
}

/// The number itself when it is finite and at least zero.
pub(crate) fn not_negative<T: Real>(what: &'static str, value: T) -> Result<T, Error> {
    let value = finite(what, value)?;
    if value < T::ZERO { Err(Error::Negative { what, value: value.to_f64() }) } else { Ok(value.abs()) }
}

/// An error unless there are as many answers as questions.
pub(crate) fn one_for_each(questions: usize, answers: usize) -> Result<(), Error> {
    if questions == answers {
        Ok(())
    } else {
        Err(Error::DifferentLengths { what: "answers", expected: questions, count: answers })
    }
}

/// The vector itself when all of its components are finite.
pub(crate) fn finite_vector<V: Vector>(what: &'static str, value: V) -> Result<V, Error> {
    for axis in 0..V::DIM {
        finite(what, value.get(axis))?;
    }
    Ok(value)
}

/// The pose itself when all of its numbers are finite.
#[inline]
pub(crate) fn finite_pose<P: Placement>(what: &'static str, pose: P) -> Result<P, Error> {
    // One question for all of them; which it is, is asked when something is wrong.
    let zero = <P::Vector as Vector>::Scalar::ZERO;
    let turns = pose.rotation_numbers().into_iter().fold(true, |all, number| all & (number * zero == zero));
    if pose.origin().finite() & turns { Ok(pose) } else { Err(infinite_pose(what, pose)) }
}

#[cold]
fn infinite_pose<P: Placement>(what: &'static str, pose: P) -> Error {
    let numbers = pose.rotation_numbers().into_iter().map(|number| finite(what, number).err());
    let first = finite_vector(what, pose.origin()).err();
    first.or(numbers.flatten().next()).unwrap_or(Error::NotFinite { what, value: f64::NAN })
}

/// The unit vector of a finite, non-zero direction.
pub(crate) fn direction<V: Vector>(what: &'static str, value: V) -> Result<V, Error> {
    finite_vector(what, value)?.normalized().ok_or(Error::ZeroDirection { what })
}
