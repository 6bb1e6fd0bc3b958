use super::*;
use carom::math::Vec3;
use proptest::prelude::*;

/// The value of the field `x` of a line.
fn x(line: &str) -> Value<'_> {
    let (object, read) = Object::of_line(line);
    read.expect("the line is JSON");
    object.get("x").expect("it has the field")
}

fn syntax(line: &str) -> Failure {
    Object::of_line(line).1.expect_err("the line is broken")
}

#[test]
fn numbers_are_correctly_rounded() {
    for (text, value) in [
        ("0.1", 0.1),
        ("-0", -0.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
        ("9007199254740993.00000000000000000000000001", 9_007_199_254_740_994.0),
        ("2.2250738585072011e-308", f64::from_bits(0x000F_FFFF_FFFF_FFFF)),
        ("4.9e-324", f64::from_bits(1)),
        ("1.7976931348623157e308", f64::MAX),
        ("1E5", 1e5),
        ("1e-400", 0.0),
    ] {
        let line = format!("{{\"x\": {text}}}");
        assert_eq!(x(&line).number::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
    }
    assert_eq!(x("{\"x\":0.1}").number::<f32>(), Ok(0.1_f32));
}

#[test]
fn numbers_that_do_not_fit_are_errors() {
    assert_eq!(x("{\"x\":1e999}").number::<f64>().map_err(|failure| failure.kind), Err("out_of_range"));
    assert_eq!(x("{\"x\":-1e40}").number::<f32>().map_err(|failure| failure.kind), Err("out_of_range"));
    assert_eq!(x("{\"x\":1e40}").number::<f64>(), Ok(1e40));
}

#[test]
fn vectors_have_as_many_numbers_as_the_space_has_axes() {
    assert_eq!(x("{\"x\": [ 1 , 2.5,-3e0 ] }").vector(), Ok(Vec3::new(1.0, 2.5, -3.0)));
    for line in ["{\"x\":[]}", "{\"x\":[1,2]}", "{\"x\":[1,2,3,4]}"] {
        assert_eq!(x(line).vector::<Vec3<f64>>().map_err(|failure| failure.kind), Err("wrong_length"));
    }
    let failure = x("{\"x\":[1,\"2\",3]}").vector::<Vec3<f64>>().expect_err("a string");
    assert_eq!((failure.kind, failure.offset), ("wrong_type", Some(8)));
}

#[test]
fn escaped_names_are_the_names_that_they_stand_for() {
    assert_eq!(x(r#"{"\u0078": 1}"#).number(), Ok(1.0));
    assert_eq!(x(r#"{"x": "a\n\"\\\/\u00e9\ud83d\ude00z"}"#).word().as_deref(), Ok("a\n\"\\/é😀z"));
    let (object, _) = Object::of_line(r#"{"x": 1, "\u0078": 2}"#);
    assert_eq!(object.allow("it", &["x"]).map_err(|failure| failure.kind), Err("duplicate_field"));
}

#[test]
fn the_path_and_the_column_lead_to_the_place() {
    let line = r#"{"é": 1, "a": {"b": [[1, 2], [3, "4"]], "c": {}}}"#;
    let offset = line.find("\"4\"").expect("it is there");
    assert_eq!(path(line, offset), "a.b[1][1]");
    // One less than the byte position suggests: é is two bytes and one character.
    assert_eq!(column(line, offset), offset);
    assert_eq!(path(line, line.find("\"c\"").expect("it is there")), "a.c");
    assert_eq!(path(line, 0), "");
}

#[test]
fn deep_and_endless_brackets_are_refused_in_constant_space() {
    let deep = |depth: usize| format!("{{\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(Object::of_line(&deep(128)).1.is_ok());
    assert_eq!(syntax(&deep(129)).kind, "too_deep");
    assert_eq!(syntax(&format!("{{\"x\":{}", "[".repeat(10_000_000))).kind, "too_deep");
}

#[test]
fn control_characters_must_be_escaped() {
    for code in 0..0x20_u8 {
        let control = char::from(code);
        assert_eq!(syntax(&format!("{{\"x\": \"{control}\"}}")).offset, Some(7), "{control:?}");
        let line = format!("{{\"x\": \"\\u{code:04x}\"}}");
        assert_eq!(x(&line).word().as_deref(), Ok(control.to_string().as_str()));
    }
    assert_eq!(x("{\"x\": \"\u{7f}\"}").word().as_deref(), Ok("\u{7f}"));
}

#[test]
fn the_id_survives_any_number_of_other_fields() {
    let others: String = (0..40).map(|index| format!("\"f{index}\":0,")).collect();
    let line = format!("{{{others}\"id\":7}}");
    let (object, read) = Object::of_line(&line);
    assert!(read.is_ok());
    assert_eq!(object.get("id").map(Value::raw), Some("7"));
    assert!(object.allow("it", &["id"]).is_err());
}

/// Text that is nearly JSON: pieces of it in any order.
fn nearly_json() -> impl Strategy<Value = String> {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\"a\"",
        "\"\\u00e9\"",
        "\\ud83d",
        "\\ude00",
        "0",
        "-",
        "1",
        "01",
        ".",
        "5",
        "e",
        "E+",
        "true",
        "false",
        "null",
        "nul",
        " ",
        "\t",
        "é",
        "\u{1}",
        "{\"a\":1}",
        "[1,2]",
        "{}",
        "[]",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// The scanner accepts exactly what serde_json accepts.
    #[test]
    fn the_grammar_is_that_of_serde_json(text in nearly_json()) {
        let line = format!("{{\"x\":{text}}}");
        let theirs = serde_json::from_str::<serde_json::Value>(&line);
        // It refuses large numbers while parsing; here that is a matter of who reads them.
        if !matches!(&theirs, Err(error) if error.to_string().contains("out of range")) {
            prop_assert_eq!(Object::of_line(&line).1.is_ok(), theirs.is_ok(), "{}", line);
        }
    }

    /// A number reads as the same bits that serde_json reads with all its digits.
    #[test]
    fn numbers_read_the_same_as_in_serde_json(number in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
        let line = format!("{{\"x\":{number:e}}}");
        let theirs: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let ours: f64 = x(&line).number().expect("finite");
        prop_assert_eq!(ours.to_bits(), number.to_bits());
        prop_assert_eq!(Some(ours), theirs["x"].as_f64());
    }

    /// Strings come out as serde_json writes them.
    #[test]
    fn strings_read_back(text in any::<String>()) {
        let line = format!("{{\"x\":{}}}", serde_json::Value::from(text.clone()));
        let word = x(&line).word();
        prop_assert_eq!(word.as_deref(), Ok(text.as_str()));
    }
}
