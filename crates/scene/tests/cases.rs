//! Questions with answers that were worked out by hand: one file of cases for each operation in
//! `tests/data`, one case a line.
//!
//! A case is `{"why", "question", "answer"}`. The answer must have the same fields, numbers equal to
//! twelve digits (five in single precision) and everything else equal; `"*"` stands for anything,
//! where an answer is a matter of choice. Every case is asked in both precisions, alone and explained.

use carom_scene::query::{OPERATIONS, Options, Precision, answer_line};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn ask(question: &Value, options: Options) -> Value {
    let mut output = Vec::new();
    answer_line(question.to_string().as_bytes(), 1, options, &mut output);
    serde_json::from_slice(&output).expect("answers are JSON")
}

/// Where the found answer differs from the expected one.
fn difference(expected: &Value, found: &Value, tolerance: f64) -> Option<String> {
    let nested = |name: String, inner: Option<String>| inner.map(|inner| format!("{name}: {inner}"));
    match (expected, found) {
        (Value::String(any), _) if any == "*" => None,
        (Value::Number(expected), Value::Number(found)) => {
            let (expected, found) = (expected.as_f64()?, found.as_f64()?);
            let close = (expected - found).abs() <= tolerance * (1.0 + expected.abs());
            (!close).then(|| format!("{found} instead of {expected}"))
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let mut elements = expected.iter().zip(found).enumerate();
            elements.find_map(|(index, (a, b))| nested(format!("[{index}]"), difference(a, b, tolerance)))
        }
        (Value::Object(expected), Value::Object(found)) => {
            // Fields may be in any order: only the names must be the same.
            let extra = found.keys().find(|name| !expected.contains_key(*name));
            if let Some(name) = extra {
                return Some(format!("{name} should not be there"));
            }
            expected.iter().find_map(|(name, value)| match found.get(name) {
                Some(found) => nested(name.clone(), difference(value, found, tolerance)),
                None => Some(format!("{name} is missing")),
            })
        }
        _ => (expected != found).then(|| format!("{found} instead of {expected}")),
    }
}

/// What holds for every answer of its kind.
fn check_promises(answer: &Value, tolerance: f64) {
    let number = |name: &str| answer[name].as_f64();
    if let (Some(lower), Some(distance), Some(upper)) = (number("lower"), number("distance"), number("upper"))
    {
        assert!(lower <= distance && distance <= upper, "{answer}");
        assert!(upper - lower <= tolerance * (1.0 + distance), "{answer}");
        assert!(0.0 <= lower, "{answer}");
    }
    if let Some(normal) = answer["normal"].as_array() {
        let square: f64 = normal.iter().filter_map(Value::as_f64).map(|x| x * x).sum();
        assert!((square - 1.0).abs() <= tolerance, "{answer}");
    }
    assert!(!answer.to_string().contains("-0.0,") && !answer.to_string().contains("-0,"), "{answer}");
}

/// The last steps of a motion are the answer, if there is one, and the verdict.
fn check_motion(answer: &Value, steps: &[Value]) {
    let hit = steps.iter().find(|step| step["step"] == "hit");
    assert_eq!(hit.is_some(), !answer.is_null(), "{steps:?}");
    assert_eq!(steps.last().map(|step| &step["touching"]), Some(&Value::from(hit.is_some())));
    if let Some(hit) = hit {
        // The answer in single precision has fewer digits of the same number.
        let [t, told] = [answer, hit].map(|from| from["t"].as_f64().expect("a time"));
        assert_eq!(t as f32, told as f32, "{answer} {hit}");
    }
}

fn check_file(name: &str) {
    let text = std::fs::read_to_string(data(name)).expect("the file of cases");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}: {line}"));
        let (question, expected) = (&case["question"], &case["answer"]);
        for (precision, tolerance) in [(Precision::F64, 1e-12), (Precision::F32, 1e-5)] {
            let found = ask(question, Options { precision, explain: false });
            assert!(found.get("answer").is_some(), "{name}: {}: {question}\n{found}", case["why"]);
            if let Some(difference) = difference(expected, &found["answer"], tolerance) {
                panic!("{name}: {}, {precision:?}: {difference}\n{question}\n{found}", case["why"]);
            }
            check_promises(&found["answer"], tolerance);
            let explained = ask(question, Options { precision, explain: true });
            assert_eq!(explained["answer"], found["answer"]);
            assert_eq!(explained["trace"]["op"], question["op"]);
            let steps = explained["trace"]["steps"].as_array().expect("a list");
            let in_motion = ["ray", "cast", "time_of_impact"].map(Value::from).contains(&question["op"]);
            let at_rest =
                ["intersects", "distance", "contact", "manifold"].map(Value::from).contains(&question["op"]);
            assert_eq!(!steps.is_empty(), at_rest || in_motion, "{explained}");
            if in_motion {
                check_motion(&found["answer"], steps);
            }
            if let Some(verdict) = found["answer"].get("intersects").and_then(|_| steps.last()) {
                assert_eq!(verdict["touching"], found["answer"]["intersects"]);
            }
        }
        assert_eq!(format!("{}.jsonl", question["op"].as_str().unwrap_or_default()), name);
        count += 1;
    }
    assert!(0 < count, "{name} is empty");
}

/// A cube of side 2 with points inside it, in its faces and on its edges: whatever their order, the
/// answer has eight corners and six faces of four corners each, whose volume is 8. The volume is that
/// of the tetrahedra over the faces, counter-clockwise faces counting as positive (divergence theorem).
#[test]
fn hull_of_a_cube_in_space() {
    let coordinates = [-1.0, 0.0, 1.0];
    let grid = |index: usize| [coordinates[index % 3], coordinates[index / 3 % 3], coordinates[index / 9]];
    let points: Vec<[f64; 3]> = (0..27).map(|index| grid(index * 5 % 27)).collect();
    let question = serde_json::json!({"op": "hull", "points": points});
    let answer = &ask(&question, Options::default())["answer"];
    let corners: Vec<[f64; 3]> = serde_json::from_value(answer["points"].clone()).expect("points");
    let faces: Vec<Vec<usize>> = serde_json::from_value(answer["faces"].clone()).expect("faces");
    assert_eq!((corners.len(), faces.len()), (8, 6), "{answer}");
    let mut volume = 0.0;
    for face in &faces {
        assert_eq!(face.len(), 4, "{answer}");
        let corner = |index: usize| corners[face[index]];
        for last in 2..face.len() {
            let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) = (corner(0), corner(last - 1), corner(last));
            volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6.0;
        }
    }
    assert_eq!(volume, 8.0);
}

/// Cases with `steps` instead of an answer: what `--explain` tells.
#[test]
fn explain() {
    let text = std::fs::read_to_string(data("explain.jsonl")).expect("the file of cases");
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).expect("JSON");
        for (precision, tolerance) in [(Precision::F64, 1e-12), (Precision::F32, 1e-5)] {
            let found = ask(&case["question"], Options { precision, explain: true });
            let difference = difference(&case["steps"], &found["trace"]["steps"], tolerance);
            assert_eq!(difference, None, "{}: {found}", case["why"]);
        }
    }
}

macro_rules! files_of_cases {
    ($($operation:ident),+ $(,)?) => {
        $(
            #[test]
            fn $operation() {
                check_file(concat!(stringify!($operation), ".jsonl"));
            }
        )+

        #[test]
        fn no_operation_is_without_cases() {
            let tested = [$(stringify!($operation)),+];
            let supported = OPERATIONS.iter().filter(|operation| operation.supported).map(|operation| operation.name);
            assert!(supported.eq(tested));
        }
    };
}

files_of_cases! {
    intersects, distance, contact, manifold, closest_point, ray, cast, time_of_impact,
    ccd_vertex_face, ccd_edge_edge, lines, fit, hull, mass, overlap_area, respond,
}
