//! `carom query`: one question a line, one answer a line.
//!
//! [`answer_stream`] reads whole streams, [`answer_line`] one line; [`answer_stream_in`] and [`answer_line_in`] let
//! questions name mesh files of a folder. [`OPERATIONS`] lists what can be asked.
//!
//! Each operation is a small function in `pair`, `motion`, `impact`, `fit`, `lines` or `respond`, written once for
//! both dimensions and both precisions over the trait in `dimension`, through which every call into the
//! geometry goes. `read` makes shapes and poses of JSON, `explain` writes how an answer was found.

mod dimension;
mod explain;
mod fit;
mod impact;
mod lines;
mod mass;
mod motion;
mod operation;
mod pair;
pub(crate) mod read;
mod respond;
mod stream;

pub(crate) use fit::{write_aabb_in_space, write_ball, write_box_in_space};
pub(crate) use mass::write_matrix;
pub use operation::{OPERATIONS, Operation};
pub use stream::{MAX_LINE, StreamError, Summary, answer_stream, answer_stream_in};

use crate::failure::{Failure, meant};
use crate::json::{self, Object, Value};
use crate::mesh::{Folder, MeshFolder};
use crate::write::{Answer, write_string};
use carom::math::Real;
use dimension::{Dimension, Plane, Space};

/// The number type that questions are answered in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Single precision: input is rounded to the nearest `f32`, answers have its digits.
    F32,
    /// Double precision.
    #[default]
    F64,
}

/// How questions are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The number type of the answers.
    pub precision: Precision,
    /// Whether each answer is followed by a `trace` that tells how it was found.
    pub explain: bool,
}

/// Answers one line, which is not blank: appends one line to the output, with its line break, and
/// tells whether it holds an answer (and not an error). `number` is the line's number for messages.
///
/// # Example
/// ```
/// use carom_scene::query::{Options, answer_line};
/// let mut output = Vec::new();
/// let line = br#"{"id": "x", "op": "overlap_area", "dim": 2,
///     "a": {"min": [0, 0], "max": [2, 2]}, "b": {"min": [1, 1.5], "max": [3, 3]}}"#;
/// assert!(answer_line(line, 1, Options::default(), &mut output));
/// assert_eq!(output, b"{\"id\":\"x\",\"answer\":{\"area\":0.5}}\n");
/// ```
pub fn answer_line(line: &[u8], number: u64, options: Options, output: &mut Vec<u8>) -> bool {
    answer_line_in(&MeshFolder::none(), line, number, options, output)
}

/// As [`answer_line`], where shapes may be mesh files of the folder.
///
/// # Example
/// See [`MeshFolder`].
pub fn answer_line_in(
    folder: &MeshFolder,
    line: &[u8],
    number: u64,
    options: Options,
    output: &mut Vec<u8>,
) -> bool {
    let (text, broken) = match std::str::from_utf8(line) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = line.get(..error.valid_up_to()).unwrap_or_default();
            let failure = Failure::at(valid.len(), "encoding", "the line is not UTF-8 from here on");
            (std::str::from_utf8(valid).unwrap_or_default(), Some(failure))
        }
    };
    let (question, read) = Object::of_line(text);
    let read = broken.map_or(read, Err);
    let id = question.get("id").map_or("null", Value::raw);

    let start = output.len();
    write_head(output, id);
    let mut answer = Answer::new(output);
    answer.name("answer");
    let result = read.and_then(|()| match options.precision {
        Precision::F32 => answer_question::<f32>(&question, &folder.single, options, &mut answer),
        Precision::F64 => answer_question::<f64>(&question, &folder.double, options, &mut answer),
    });
    let answered = match result {
        Ok(()) => true,
        Err(failure) => {
            output.truncate(start);
            write_head(output, id);
            write_failure(output, &failure, text, number);
            false
        }
    };
    output.extend_from_slice(b"}\n");
    answered
}

/// The text of a field of a JSON object such as a line of answers; `None` where it has no such field
/// or is no object.
///
/// # Example
/// ```
/// use carom_scene::query::field;
/// let line = r#"{"id":1,"answer":{"t":0.5,"point":[1,2]}}"#;
/// let point = field(line, "answer").and_then(|answer| field(answer, "point"));
/// assert_eq!(point, Some("[1,2]"));
/// ```
#[must_use]
pub fn field<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let (object, read) = Object::of_line(object);
    read.ok()?;
    object.get(name).map(Value::raw)
}

/// A line that is too long to be held is answered without having been read.
fn refuse_long_line(number: u64, output: &mut Vec<u8>) {
    write_head(output, "null");
    let text = format!("the line is longer than {} MiB", MAX_LINE >> 20);
    write_failure(output, &Failure { kind: "line_too_long", offset: None, text }, "", number);
    output.extend_from_slice(b"}\n");
}

fn write_head(output: &mut Vec<u8>, id: &str) {
    output.extend_from_slice(b"{\"id\":");
    output.extend_from_slice(id.as_bytes());
}

#[cold]
fn write_failure(output: &mut Vec<u8>, failure: &Failure, line: &str, number: u64) {
    let mut message = format!("line {number}");
    if let Some(offset) = failure.offset {
        message += &format!(", column {}", json::column(line, offset));
        let path = json::path(line, offset);
        if !path.is_empty() {
            message += &format!(", {path}");
        }
    }
    message += ": ";
    message += &failure.text;
    output.extend_from_slice(b",\"error\":{\"kind\":\"");
    output.extend_from_slice(failure.kind.as_bytes());
    output.extend_from_slice(b"\",\"message\":");
    write_string(output, &message);
    output.push(b'}');
}

/// Finds out what is asked, checks the names of the fields, and answers.
fn answer_question<T: Real>(
    question: &Object<'_>,
    folder: &Folder<T>,
    options: Options,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let named = question.need("op", "a question")?;
    let word = named.word()?;
    let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == word) else {
        let names = OPERATIONS.map(|operation| operation.name);
        let hint = meant(&word, names).map(|name| format!(", did you mean `{name}`?")).unwrap_or_default();
        return Err(named.fail("unknown_op", format!("unknown op{hint} (there are: {})", names.join(", "))));
    };
    question.allow(operation.name, operation.fields)?;
    let dim = question.get("dim");
    // 2.0 is the same JSON number as 2.
    let count = dim.map_or(Ok(3.0), Value::number::<f64>);
    match dim.map_or("3", Value::raw) {
        _ if count == Ok(2.0) => answer_in::<Plane<T>>(operation, question, folder, options, answer),
        _ if count == Ok(3.0) => answer_in::<Space<T>>(operation, question, folder, options, answer),
        other => {
            let start = dim.map_or(question.start(), Value::start);
            let kind = if count.is_ok() { "out_of_range" } else { "wrong_type" };
            let shown: String = other.chars().take(20).collect();
            Err(Failure::at(start, kind, format!("dim must be 2 or 3, but is {shown}")))
        }
    }
}

/// Answers in a dimension, with a trace where one is wanted.
fn answer_in<D: Dimension>(
    operation: &Operation,
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    options: Options,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    operation.answer::<D>(question, folder, answer)?;
    if !answer.finite() {
        let text = carom::Error::Overflow { what: "the answer", number: D::Scalar::NAME }.to_string();
        return Err(Failure { kind: "overflow", offset: None, text });
    }
    if options.explain {
        explain::explain::<D>(operation, question, folder, answer);
    }
    Ok(())
}
