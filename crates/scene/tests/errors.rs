//! What is wrong is named, placed and told how to mend: one row for each kind of mistake.

use carom_scene::query::{Options, Precision, answer_line, field};

/// A line, the kind of its error, and parts of the message.
const MISTAKES: &[(&str, &str, &[&str])] = &[
    // Text that is not JSON.
    ("hello", "syntax", &["column 1:", "object", "'h'"]),
    ("[1, 2]", "syntax", &["column 1:", "object"]),
    ("{\"op\": \"distance\"", "syntax", &["column 18", "`,` or `}`", "line ends"]),
    ("{\"op\": \"distance\",}", "syntax", &["column 19", "field name"]),
    ("{\"op\" \"distance\"}", "syntax", &["column 7", "`:`"]),
    ("{'op': 1}", "syntax", &["column 2", "double quotes"]),
    ("{\"op\": \"distance\"} {}", "syntax", &["column 20", "end of the line"]),
    ("{\"op\": \"dist", "syntax", &["column 13", "closing `\"`"]),
    ("{\"x\": NaN}", "syntax", &["column 7", "NaN", "finite"]),
    ("{\"x\": -Infinity}", "syntax", &["column 8", "digit"]),
    ("{\"x\": 01}", "syntax", &["column 7", "needless 0"]),
    ("{\"x\": 1.}", "syntax", &["column 9", "digit after the decimal point"]),
    ("{\"x\": \"\\ud800\"}", "syntax", &["column 8", "surrogate"]),
    ("{\"x\": tru}", "syntax", &["column 7", "value"]),
    // The question itself.
    ("{}", "missing_field", &["column 1", "`op`"]),
    ("{\"op\": 3}", "wrong_type", &["column 8, op:", "string", "the number 3"]),
    (
        "{\"op\": \"distnace\"}",
        "unknown_op",
        &["column 8, op:", "did you mean `distance`?", "intersects, distance"],
    ),
    ("{\"op\": \"xyzzy\"}", "unknown_op", &["there are: intersects"]),
    ("{\"op\": \"hull\", \"dim\": 4, \"points\": []}", "out_of_range", &["column 23, dim:", "2 or 3", "4"]),
    ("{\"op\": \"hull\", \"dim\": \"2\", \"points\": []}", "wrong_type", &["dim:", "2 or 3"]),
    ("{\"op\": \"hull\", \"op\": \"hull\", \"points\": []}", "duplicate_field", &["column 16, op:", "twice"]),
    (
        "{\"op\": \"hull\", \"point\": []}",
        "unknown_field",
        &["column 16, point:", "did you mean `points`?", "id, dim, op, points"],
    ),
    ("{\"op\": \"fit\", \"kind\": \"aabb\"}", "missing_field", &["fit", "`points`"]),
    // Shapes and poses.
    (
        r#"{"op": "distance", "b": {"type": "ball", "radius": 1}}"#,
        "missing_field",
        &["line 1, column 1: distance needs the field `a`"],
    ),
    (
        r#"{"op": "distance", "a": 1, "b": {"type": "ball", "radius": 1}}"#,
        "wrong_type",
        &["column 25, a:", "a shape", "the number 1"],
    ),
    (r#"{"op": "distance", "a": {}, "b": {}}"#, "missing_field", &["column 25, a:", "`type`"]),
    (
        r#"{"op": "distance", "a": {"type": "bal"}, "b": {}}"#,
        "unknown_type",
        &["column 34, a.type:", "did you mean `ball`?", "cuboid"],
    ),
    (
        r#"{"op": "distance", "dim": 2, "a": {"type": "cone", "half_height": 1, "radius": 1}, "b": {}}"#,
        "wrong_dimension",
        &["a.type:", "3D only", "2D"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "polygon", "points": []}, "b": {}}"#,
        "wrong_dimension",
        &["a.type:", "2D only", "3D"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "raduis": 1}, "b": {}}"#,
        "unknown_field",
        &["column 42, a.raduis:", "did you mean `radius`?"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball"}, "b": {}}"#,
        "missing_field",
        &["column 25, a:", "ball", "`radius`"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": "1"}, "b": {}}"#,
        "wrong_type",
        &["a.radius:", "a number", "the string \"1\""],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": -1}, "b": {}}"#,
        "negative",
        &["column 52, a.radius:", "not be negative", "-1"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": 1e999}, "b": {}}"#,
        "out_of_range",
        &["column 52, a.radius:", "1e999", "f64"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "cuboid", "half_extents": [1, true, 1]}, "b": {}}"#,
        "wrong_type",
        &["column 64, a.half_extents[1]:", "a number", "true"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "cuboid", "half_extents": [1, 1]}, "b": {}}"#,
        "wrong_length",
        &["a.half_extents:", "expected 3", "found 2", "the question is in 3D"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "outline", "points": []}, "b": {}}"#,
        "wrong_dimension",
        &["an outline exists in 2D only"],
    ),
    (r#"{"op": "hull", "points": []}"#, "too_few_points", &["at least 1 point,"]),
    (
        r#"{"op": "time_of_impact", "dim": 2, "a": {"type": "cuboid", "half_extents": [1, 0.05]}, "motion_a": {"angular": 3000}, "b": {"type": "cuboid", "half_extents": [1, 0.05]}, "motion_b": {"from": {"translation": [1.5, 0], "angle": 1.5707963267948966}, "angular": 3000}}"#,
        "undecided",
        &["no touch before t = ", "turn too fast"],
    ),
    (
        r#"{"op": "mass", "shape": {"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}, "density": 1}"#,
        "not_closed",
        &["edge"],
    ),
    (
        r#"{"op": "mass", "shape": {"type": "compound", "parts": [{"shape": {"type": "half_space", "normal": [0, 1, 0], "offset": 0}}]}, "density": 1}"#,
        "unsupported",
        &["to be part of a compound is not supported for half_space"],
    ),
    (
        r#"{"op": "mass", "shape": {"type": "height_field", "heights": [[0, 0], [0, 0]], "spacing": [0, 1]}, "density": 1}"#,
        "collapsed",
        &["spacing is zero"],
    ),
    (
        r#"{"op": "mass", "shape": {"type": "ball", "radius": 1e200}, "density": 1}"#,
        "overflow",
        &["too large for f64: use lengths in a larger unit"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "cuboid", "half_extents": [1, -2, 1]}, "b": {}}"#,
        "negative",
        &["a.half_extents:", "-2"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "half_space", "normal": [0, 0, 0], "offset": 1}, "b": {}}"#,
        "zero_direction",
        &["a.normal:", "zero vector"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": 1}, "pose_a": {"rotation": [0, 0, 0, 0]}, "b": {}}"#,
        "zero_rotation",
        &["pose_a.rotation:", "[0, 0, 0, 1]"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": 1}, "pose_a": {"rotation": [0, 0, 1]}, "b": {}}"#,
        "wrong_length",
        &["pose_a.rotation:", "expected 4"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": 1}, "pose_a": {"angle": 1}, "b": {}}"#,
        "unknown_field",
        &["pose_a.angle:", "translation, rotation"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": 1}, "pose_a": [1, 2, 3], "b": {}}"#,
        "wrong_type",
        &["pose_a:", "a pose", "an array"],
    ),
    (
        r#"{"op": "distance", "dim": 2, "a": {"type": "ball", "radius": 1}, "pose_a": {"rotation": 1}, "b": {}}"#,
        "unknown_field",
        &["pose_a.rotation:", "translation, angle"],
    ),
    // A line alone has no folder to read files from.
    (
        r#"{"op": "distance", "a": {"type": "mesh", "file": "a.obj"}, "b": {}}"#,
        "unsupported",
        &["a.file:", "mesh"],
    ),
    // Shapes of many parts that have none, or bad ones.
    (
        r#"{"op": "distance", "a": {"type": "compound", "parts": []}, "b": {}}"#,
        "too_few_points",
        &["compound"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "compound", "parts": [{"shape": {"type": "ball", "radius": -1}}]}, "b": {}}"#,
        "negative",
        &["radius"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "height_field", "heights": [], "spacing": [1, 1]}, "b": {}}"#,
        "too_few_points",
        &["height field"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "height_field", "heights": [[0, 0], [0]], "spacing": [1, 1]}, "b": {}}"#,
        "uneven_rows",
        &["row 1"],
    ),
    (
        r#"{"op": "distance", "dim": 2, "a": {"type": "polyline", "points": [], "closed": true}, "b": {}}"#,
        "too_few_points",
        &["polyline"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "mesh", "vertices": [[0, 0, 0]], "triangles": []}, "b": {}}"#,
        "no_triangles",
        &["a.triangles:", "at least one triangle"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "mesh", "vertices": [[0, 0, 0]], "triangles": [[0, 0, 1]]}, "b": {}}"#,
        "no_such_index",
        &["triangle 0", "vertex 1"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "mesh", "vertices": [[0, 0, 0]], "triangles": [[0, 0, -1]]}, "b": {}}"#,
        "wrong_type",
        &["an index"],
    ),
    // Convex shapes that are not.
    (
        r#"{"op": "distance", "a": {"type": "hull", "points": []}, "b": {}}"#,
        "too_few_points",
        &["a", "points"],
    ),
    (
        r#"{"op": "distance", "dim": 2, "a": {"type": "polygon", "points": [], "hull": true}, "b": {}}"#,
        "too_few_points",
        &["a", "points"],
    ),
    (
        r#"{"op": "distance", "dim": 2, "a": {"type": "polygon", "points": [[0, 0], [4, 0], [1, 1], [0, 4]]}, "b": {}}"#,
        "not_convex",
        &["polygon", "vertex 2", "hull"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "ellipsoid", "radii": [1, -2, 3]}, "b": {}}"#,
        "negative",
        &["a.radii", "-2"],
    ),
    (
        r#"{"op": "distance", "a": {"type": "rounded", "shape": {"type": "ball", "radius": 1}, "radius": -1}, "b": {}}"#,
        "negative",
        &["a.radius", "-1"],
    ),
    (
        r#"{"op": "distance", "dim": 2, "a": {"type": "rounded", "shape": {"type": "outline", "points": [[0, 0], [1, 0], [0, 1]]}, "radius": 1}, "b": {}}"#,
        "unsupported",
        &["rounding", "outline"],
    ),
    // Questions that exist in the format and not in the library.
    (
        r#"{"op": "mass", "shape": {"type": "ball", "radius": 1}, "density": -1}"#,
        "negative",
        &["density", "-1"],
    ),
    (
        r#"{"op": "mass", "shape": {"type": "half_space", "normal": [0, 1, 0], "offset": 0}, "density": 1}"#,
        "unsupported",
        &["half_space"],
    ),
    // Motions.
    (r#"{"op": "time_of_impact", "a": {}, "b": {}}"#, "missing_field", &["a:", "type"]),
    (
        r#"{"op": "time_of_impact", "a": {"type": "ball", "radius": 1}, "motion_a": {"to": {}, "velocity": [1, 0, 0]}, "b": {"type": "ball", "radius": 1}}"#,
        "contradiction",
        &["motion_a.velocity:", "not both"],
    ),
    (
        r#"{"op": "time_of_impact", "a": {"type": "ball", "radius": 1}, "motion_a": {"speed": 1}, "b": {"type": "ball", "radius": 1}}"#,
        "unknown_field",
        &["motion_a.speed:", "from, to, velocity, angular"],
    ),
    (
        r#"{"op": "time_of_impact", "dim": 2, "a": {"type": "ball", "radius": 1}, "motion_a": {"angular": [0, 0, 1]}, "b": {"type": "ball", "radius": 1}}"#,
        "wrong_type",
        &["motion_a.angular:"],
    ),
    (
        r#"{"op": "time_of_impact", "a": {"type": "ball", "radius": 1}, "b": {"type": "ball", "radius": 1}, "tolerance": -1}"#,
        "negative",
        &["tolerance:", "-1"],
    ),
    (
        r#"{"op": "time_of_impact", "a": {"type": "half_space", "normal": [0, 1, 0], "offset": 0}, "b": {"type": "half_space", "normal": [0, -1, 0], "offset": -9}}"#,
        "unsupported",
        &["time_of_impact", "half_space"],
    ),
    (r#"{"op": "ccd_vertex_face", "start": [], "end": []}"#, "wrong_length", &["start:", "4"]),
    (
        r#"{"op": "ccd_edge_edge", "dim": 2, "start": [], "end": []}"#,
        "wrong_dimension",
        &["dim:", "ccd_edge_edge", "3D"],
    ),
    (
        r#"{"op": "ccd_edge_edge", "start": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "end": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1]]}"#,
        "wrong_length",
        &["end[3]:"],
    ),
    (
        r#"{"op": "ccd_vertex_face", "start": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "end": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "separation": -2}"#,
        "negative",
        &["separation:", "-2"],
    ),
    // Numbers of single questions.
    (
        r#"{"op": "distance", "a": {"type": "ball", "radius": 1}, "b": {"type": "ball", "radius": 1}, "max": -1}"#,
        "negative",
        &["max:", "-1"],
    ),
    (
        r#"{"op": "contact", "a": {"type": "ball", "radius": 1}, "b": {"type": "ball", "radius": 1}, "margin": -0.5}"#,
        "negative",
        &["margin:", "-0.5"],
    ),
    (
        r#"{"op": "ray", "shape": {"type": "ball", "radius": 1}, "origin": [5, 0, 0], "direction": [0, 0, 0]}"#,
        "zero_direction",
        &["direction:", "zero vector"],
    ),
    (
        r#"{"op": "ray", "shape": {"type": "ball", "radius": 1}, "origin": [5, 0, 0], "direction": [1, 0, 0], "solid": 1}"#,
        "wrong_type",
        &["solid:", "true or false"],
    ),
    (
        r#"{"op": "respond", "velocity_a": [1, 0, 0], "velocity_b": [0, 0, 0], "mass_a": -1, "mass_b": 1, "normal": [1, 0, 0], "restitution": 1, "friction": 0}"#,
        "negative",
        &["mass_a:", "-1"],
    ),
    (
        r#"{"op": "respond", "velocity_a": [1, 0, 0], "velocity_b": [0, 0, 0], "mass_a": 1, "mass_b": 1, "normal": [1, 0, 0], "restitution": 2, "friction": 0}"#,
        "above_one",
        &["restitution:", "2"],
    ),
    // Points and flat things.
    (
        r#"{"op": "fit", "kind": "obbb", "points": []}"#,
        "unknown_kind",
        &["kind:", "did you mean `obb`?", "ritter"],
    ),
    (
        r#"{"op": "fit", "kind": "rectangle", "points": [[0, 0, 0]]}"#,
        "wrong_dimension",
        &["kind:", "2D only"],
    ),
    (r#"{"op": "fit", "kind": "aabb", "points": []}"#, "too_few_points", &["points:", "at least 1"]),
    (
        r#"{"op": "fit", "kind": "aabb", "points": [[0, 0, 0], [1, 2, null]]}"#,
        "wrong_type",
        &["points[1][2]:", "a number"],
    ),
    (
        r#"{"op": "fit", "kind": "aabb", "points": [[0, 0, 0], [1, 2]]}"#,
        "wrong_length",
        &["points[1]:", "expected 3"],
    ),
    (
        r#"{"op": "lines", "dim": 2, "a": {"kind": "plane", "normal": [1, 0], "offset": 0}, "b": {}}"#,
        "wrong_dimension",
        &["a.kind:", "3D only"],
    ),
    (
        r#"{"op": "lines", "a": {"kind": "lien"}, "b": {}}"#,
        "unknown_kind",
        &["a.kind:", "did you mean `line`?"],
    ),
    (
        r#"{"op": "lines", "a": {"kind": "line", "point": [0, 0, 0], "direction": [0, 0, 0]}, "b": {}}"#,
        "zero_direction",
        &["a.direction:"],
    ),
    (
        r#"{"op": "lines", "a": {"kind": "point", "point": [0, 0, 0]}, "b": {"kind": "plane", "normal": [0, 0, 0], "offset": 1}}"#,
        "zero_direction",
        &["b.normal:"],
    ),
    (
        r#"{"op": "lines", "a": {"kind": "point", "point": [0, 0, 0]}, "b": {"kind": "triangle", "a": [0, 0, 0], "b": [1, 1, 1], "c": [2, 2, 2]}}"#,
        "collapsed",
        &["b:", "no area"],
    ),
    (
        r#"{"op": "intersects", "dim": 2, "a": {"type": "outline", "points": [[0, 0], [1, 1], [1, 0], [0, 1]]}, "b": {}}"#,
        "not_simple",
        &["a:", "edges 0 and 2"],
    ),
    (
        r#"{"op": "overlap_area", "a": {"min": [1, 0, 0], "max": [0, 1, 1]}, "b": {}}"#,
        "inverted_box",
        &["a", "min"],
    ),
];

fn answer(line: &[u8], options: Options) -> String {
    let mut output = Vec::new();
    answer_line(line, 1, options, &mut output);
    let output = String::from_utf8(output).expect("answers are text");
    assert!(serde_json::from_str::<serde_json::Value>(&output).is_ok(), "{output}");
    output
}

fn error(output: &str) -> (String, String) {
    let error = field(output, "error").unwrap_or_else(|| panic!("no error in {output}"));
    let part = |name| {
        let text = field(error, name).expect("errors have a kind and a message");
        serde_json::from_str::<String>(text).expect("they are strings")
    };
    (part("kind"), part("message"))
}

#[test]
fn each_mistake_has_its_kind_and_its_place() {
    for (line, kind, parts) in MISTAKES {
        let (found, message) = error(&answer(line.as_bytes(), Options::default()));
        assert_eq!(found, *kind, "{line}\n{message}");
        assert!(message.starts_with("line 1"), "{message}");
        for part in *parts {
            assert!(message.contains(part), "{line}\n{message}\nlacks {part}");
        }
    }
}

#[test]
fn the_id_comes_back_as_it_was_written() {
    for id in ["1", "\"a\"", "null", "[1, {\"x\":  2}]", "\"\\u00e9\\n\"", "-0.10", "{}", "\"{\""] {
        let output = answer(format!("{{\"id\": {id}, \"op\": \"fly\"}}").as_bytes(), Options::default());
        assert_eq!(field(&output, "id"), Some(id), "{output}");
    }
}

#[test]
fn the_id_comes_back_from_a_broken_line_when_it_stands_before_the_break() {
    for rest in [
        "\"op\": nonsense}",
        "\"op\": \"hull\"",
        "\"op\": \"fly\"} trailing",
        "\"id\": 2}",
        "\"a\": \"\u{7}\"}",
    ] {
        let output = answer(format!("{{\"id\": [7], {rest}").as_bytes(), Options::default());
        assert_eq!(field(&output, "id"), Some("[7]"), "{output}");
    }
    let output = answer(b"{\"id\": 7, \"op\": \"\xFF\"}", Options::default());
    assert_eq!(field(&output, "id"), Some("7"));
    assert_eq!(error(&output).0, "encoding");
    assert!(error(&output).1.contains("column 18"), "{output}");
    for line in ["{\"op\": \"hull\", \"id\": ", "7", "{\"id\"", ""] {
        assert_eq!(field(&answer(line.as_bytes(), Options::default()), "id"), Some("null"));
    }
}

#[test]
fn single_precision_refuses_numbers_beyond_it() {
    let line = br#"{"op": "hull", "points": [[0, 0, 1e39]]}"#;
    let (kind, message) = error(&answer(line, Options { precision: Precision::F32, explain: false }));
    assert_eq!(kind, "out_of_range");
    assert!(message.contains("points[0][2]") && message.contains("f32"), "{message}");
}

#[test]
fn messages_quote_long_input_in_part() {
    let long = "x".repeat(100_000);
    for line in [
        format!("{{\"op\": \"{long}\"}}"),
        format!("{{\"{long}\": 1, \"op\": \"hull\"}}"),
        format!("{{\"op\": \"hull\", \"points\": \"{long}\"}}"),
    ] {
        assert!(answer(line.as_bytes(), Options::default()).len() < 1000);
    }
}

#[test]
fn overflow_in_single_precision_points_to_double() {
    let mut output = Vec::new();
    let line = br#"{"op": "mass", "shape": {"type": "ball", "radius": 1e20}, "density": 1}"#;
    let options = Options { precision: Precision::F32, ..Options::default() };
    assert!(!answer_line(line, 1, options, &mut output));
    assert!(
        String::from_utf8_lossy(&output).contains("too large for f32: use f64, or lengths in a larger unit")
    );
}

#[test]
fn the_dimension_is_a_number_however_it_is_written() {
    for dim in ["2", "2.0", "2e0", "20e-1"] {
        let line = format!(r#"{{"op": "fit", "dim": {dim}, "kind": "aabb", "points": [[0, 0], [2, 1]]}}"#);
        let mut output = Vec::new();
        assert!(answer_line(line.as_bytes(), 1, Options::default(), &mut output));
        assert!(String::from_utf8_lossy(&output).contains("\"area\":2"));
    }
}
