//! `--explain`: the steps of an answer as JSON.
//!
//! A trace is `{"op", "pair": [kinds] or "shape": kind, "steps": [..]}`. A step begins with its name,
//! `"step"`, and has the fields of [`Step`], in the world frame and with the digits of `f64`, in which the
//! kernels run. A number that JSON cannot hold is `null`. Questions about two shapes at rest or in motion have
//! steps, and those about rays.

use super::dimension::{Dimension, Steps};
use super::impact::impact_steps;
use super::motion::{cast_steps, ray_steps};
use super::operation::Operation;
use super::pair::{read_length, read_pair};
use crate::json::Object;
use crate::mesh::Folder;
use crate::write::Answer;
use carom::math::{Real, Vector};
use carom::trace::Step;

/// Writes the field `trace` of a question that was answered.
pub(super) fn explain<D: Dimension>(
    operation: &Operation,
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
    answer: &mut Answer<'_>,
) {
    let kind = |name: &str| {
        let thing = question.get(name)?.object("a shape").ok()?;
        thing.get("type").or(thing.get("kind"))?.word().ok()
    };
    answer.name("trace").open().string("op", operation.name);
    if let (Some(a), Some(b)) = (kind("a"), kind("b")) {
        answer.list("pair", [a, b], |answer, kind| answer.plain_string(&kind));
    } else if let Some(shape) = kind("shape") {
        answer.string("shape", &shape);
    }
    let steps = steps::<D>(operation, question, folder).unwrap_or_default();
    answer.list("steps", &steps, |answer, step| write_step(step, answer)).close();
}

/// The steps of a question that has some. Reading it cannot fail: it was answered.
fn steps<D: Dimension>(
    operation: &Operation,
    question: &Object<'_>,
    folder: &Folder<D::Scalar>,
) -> Option<Steps<D>> {
    match operation.name {
        "intersects" | "distance" | "contact" | "manifold" => {}
        "ray" => return ray_steps::<D>(question, folder),
        "cast" => return cast_steps::<D>(question, folder),
        "time_of_impact" => return impact_steps::<D>(question, folder),
        _ => return None,
    }
    let pair = read_pair::<D>(question, folder, operation.name).ok()?;
    let margin = read_length(question, "margin", D::Scalar::ZERO).ok()?;
    D::explain(operation.name, &pair, margin).ok()
}

/// Every kind of step but the ones to come has its own name and fields.
fn write_step<V: Vector<Scalar = f64>>(step: &Step<V>, answer: &mut Answer<'_>) {
    answer.open();
    match step {
        Step::Method { method, textbook } => {
            answer
                .string("step", "method")
                .string("method", &method.to_string())
                .boolean("textbook", *textbook);
        }
        Step::Balls { center_a, center_b, inner, outer } => {
            answer.string("step", "balls");
            vector("center_a", *center_a, answer);
            vector("center_b", *center_b, answer);
            number("inner", *inner, answer);
            number("outer", *outer, answer);
        }
        Step::Axis { source, normal, separation, best } => {
            answer.string("step", "axis").string("source", &source.to_string());
            vector("normal", *normal, answer);
            number("separation", *separation, answer).boolean("best", *best);
        }
        Step::Simplex { points_a, points_b, lower, upper } => {
            answer.string("step", "simplex");
            points_and_bounds([points_a, points_b], [*lower, *upper], answer);
        }
        Step::Facet { points_a, points_b, lower, upper } => {
            answer.string("step", "facet");
            points_and_bounds([points_a, points_b], [*lower, *upper], answer);
        }
        Step::Nearest { point_a, point_b, region_a, region_b, distance } => {
            answer.string("step", "nearest");
            vector("point_a", *point_a, answer);
            vector("point_b", *point_b, answer);
            answer.string("region_a", &region_a.to_string()).string("region_b", &region_b.to_string());
            number("distance", *distance, answer);
        }
        Step::Radii { a, b } => {
            answer.string("step", "radii");
            number("a", *a, answer);
            number("b", *b, answer);
        }
        Step::Separation { separation, lower, upper, normal, point_a, point_b } => {
            answer.string("step", "separation");
            for (name, value) in [("separation", separation), ("lower", lower), ("upper", upper)] {
                number(name, *value, answer);
            }
            for (name, value) in [("normal", normal), ("point_a", point_a), ("point_b", point_b)] {
                vector(name, *value, answer);
            }
        }
        Step::Faces { reference, incident } => {
            answer.string("step", "faces");
            points("reference", reference, answer);
            points("incident", incident, answer);
        }
        Step::Clip { from, polygon } => {
            answer.string("step", "clip");
            vector("from", *from, answer);
            points("polygon", polygon, answer);
        }
        Step::Candidates { points: found } => {
            answer.string("step", "candidates");
            points("points", found, answer);
        }
        Step::Chosen { points: chosen } => {
            answer.string("step", "chosen");
            points("points", chosen, answer);
        }
        Step::Frame { of, origin, direction } => {
            answer.string("step", "frame").string("of", &of.to_string());
            vector("origin", *origin, answer);
            vector("direction", *direction, answer);
        }
        Step::Passage { enter, exit, normal_in, normal_out, region_in, region_out } => {
            answer.string("step", "passage");
            number("enter", *enter, answer);
            number("exit", *exit, answer);
            vector("normal_in", *normal_in, answer);
            vector("normal_out", *normal_out, answer);
            answer.string("region_in", &region_in.to_string()).string("region_out", &region_out.to_string());
        }
        Step::Overlap { source, normal, enter, exit } => {
            answer.string("step", "overlap").string("source", &source.to_string());
            vector("normal", *normal, answer);
            number("enter", *enter, answer);
            number("exit", *exit, answer);
        }
        Step::Clear { from, to } => {
            answer.string("step", "clear");
            number("from", *from, answer);
            number("to", *to, answer);
        }
        Step::Look { t, separation, lower, upper, normal, clear_until } => {
            answer.string("step", "look");
            number("t", *t, answer);
            for (name, value) in [("separation", separation), ("lower", lower), ("upper", upper)] {
                number(name, *value, answer);
            }
            vector("normal", *normal, answer);
            number("clear_until", *clear_until, answer);
        }
        Step::Hit { t, lower, point, normal, region } => {
            answer.string("step", "hit");
            number("t", *t, answer);
            number("lower", *lower, answer);
            vector("point", *point, answer);
            vector("normal", *normal, answer);
            answer.string("region", &region.to_string());
        }
        Step::Verdict { touching } => {
            answer.string("step", "verdict").boolean("touching", *touching);
        }
        _ => {
            answer.string("step", "other");
        }
    }
    answer.close();
}

fn points_and_bounds<V: Vector<Scalar = f64>>(
    [points_a, points_b]: [&[V]; 2],
    [lower, upper]: [f64; 2],
    answer: &mut Answer<'_>,
) {
    points("points_a", points_a, answer);
    points("points_b", points_b, answer);
    number("lower", lower, answer);
    number("upper", upper, answer);
}

fn points<V: Vector<Scalar = f64>>(name: &str, points: &[V], answer: &mut Answer<'_>) {
    answer.list(name, points, |answer, point| plain_vector(*point, answer));
}

fn vector<V: Vector<Scalar = f64>>(name: &str, value: V, answer: &mut Answer<'_>) {
    plain_vector(value, answer.name(name));
}

fn plain_vector<V: Vector<Scalar = f64>>(value: V, answer: &mut Answer<'_>) {
    if value.finite() {
        answer.plain_vector(value);
    } else {
        answer.null();
    }
}

fn number<'a, 'b>(name: &str, value: f64, answer: &'a mut Answer<'b>) -> &'a mut Answer<'b> {
    answer.maybe_number(name, value.finite().then_some(value))
}
