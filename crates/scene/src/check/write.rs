//! The report as JSON.

use super::{CheckOf, Unread};
use crate::failure::LibraryError;
use crate::scene_file::Dimension;
use crate::write::{Answer, write_string};
use carom::Error;
use carom::clash::Clash;

/// Appends the whole report as one object.
pub(super) fn report<V: Dimension<Scalar = f64>>(
    found: &CheckOf<V>,
    unread: &[Unread],
    output: &mut Vec<u8>,
) {
    let name = |index: usize| found.items.get(index).map_or("", |item| &*item.name);
    output.push(b'{');
    list(output, "items", &found.items, |output, _, item| {
        let mut answer = Answer::new(output);
        answer.open().string("name", &item.name).string("shape", item.kind);
        if item.kind == "mesh" {
            answer.boolean("solid", item.surface.is_none());
        }
        if let Some(reason) = &item.surface {
            answer.string("reason", &reason.to_string());
        }
        answer.close();
    });
    list(output, "clashes", &found.clashes, |output, index, clash| {
        let start = output.len();
        let pair = [clash.first, clash.second];
        head(output, index, pair, name);
        if !numbers(output, clash) {
            output.truncate(start);
            head(output, index, pair, name);
            error(output, &Error::Overflow { what: "the answer", number: "f64" });
        }
        output.push(b'}');
    });
    list(output, "refused", &found.refused, |output, _, (item, reason)| {
        let mut answer = Answer::new(output);
        answer.open().name("item").plain_index(*item);
        answer.string("name", name(*item));
        error(output, reason);
        output.push(b'}');
    });
    list(output, "undecided", &found.undecided, |output, _, &([first, second], ref reason)| {
        output.push(b'{');
        pair_of(output, [first, second], name);
        error(output, reason);
        output.push(b'}');
    });
    for (field, count) in [("sensors", found.sensors), ("pairs", found.pairs)] {
        Answer::new(output).name(field).plain_index(count);
    }
    list(output, "unread", unread, |output, _, file| {
        Answer::new(output).open().string("file", &file.file);
        message(output, file.kind, &file.message);
        output.push(b'}');
    });
    output.push(b'}');
}

fn list<E>(
    output: &mut Vec<u8>,
    field: &str,
    elements: &[E],
    mut write: impl FnMut(&mut Vec<u8>, usize, &E),
) {
    Answer::new(output).name(field);
    output.push(b'[');
    for (index, element) in elements.iter().enumerate() {
        if 0 < index {
            output.push(b',');
        }
        write(output, index, element);
    }
    output.push(b']');
}

fn head<'a>(output: &mut Vec<u8>, index: usize, pair: [usize; 2], name: impl Fn(usize) -> &'a str) {
    Answer::new(output).open().name("number").plain_index(index + 1);
    pair_of(output, pair, name);
}

fn pair_of<'a>(output: &mut Vec<u8>, pair: [usize; 2], name: impl Fn(usize) -> &'a str) {
    let mut answer = Answer::new(output);
    answer.list("items", pair, |answer, item| answer.plain_index(item));
    answer.list("names", pair, |answer, item| answer.plain_string(name(item)));
}

/// The fields of a clash; `false` when a number cannot be written.
fn numbers<V: Dimension<Scalar = f64>>(output: &mut Vec<u8>, clash: &Clash<V>) -> bool {
    let mut answer = Answer::new(output);
    answer
        .string("kind", clash.kind.name())
        .number("distance", clash.distance)
        .number("depth", clash.depth)
        .number("depth_upper", clash.depth_upper)
        .vector("normal", clash.normal)
        .vector("point_first", clash.point_first)
        .vector("point_second", clash.point_second);
    answer.finite()
}

fn error(output: &mut Vec<u8>, error: &Error) {
    message(output, LibraryError::kind(error), &error.to_string());
}

fn message(output: &mut Vec<u8>, kind: &str, message: &str) {
    output.extend_from_slice(b",\"error\":{\"kind\":");
    write_string(output, kind);
    output.extend_from_slice(b",\"message\":");
    write_string(output, message);
    output.push(b'}');
}
