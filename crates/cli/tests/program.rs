//! The program as a user meets it: what it prints, where, and with which exit code.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const QUESTION: &str = r#"{"id": 1, "op": "overlap_area", "dim": 2, "a": {"min": [0, 0], "max": [2, 2]}, "b": {"min": [1, 1], "max": [3, 3]}}"#;
const ANSWER: &str = r#"{"id":1,"answer":{"area":1}}"#;

fn carom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    // Pictures go to the folder for temporary files.
    command
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the program with the given standard input.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = carom(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    // Dropped at once, so that the program sees the end. It need not read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// A file in the folder for temporary files of these tests.
fn file(name: &str, content: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a file for the test");
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn questions_on_standard_input_are_answered() {
    for arguments in [
        &["query"][..],
        &["query", "-"],
        &["query", "--threads", "3"],
        &["query", "--threads", "0"],
        &["query", "--threads", "100000"],
    ] {
        let output = run(arguments, &format!("{QUESTION}\n\n{QUESTION}"));
        assert_eq!(text(&output.stdout), format!("{ANSWER}\n{ANSWER}\n"));
        assert_eq!(text(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn a_line_that_fails_sets_the_exit_code_and_the_rest_is_answered() {
    let output = run(&["query"], &format!("{{\"id\": 7, \"op\": \"fly\"}}\n{QUESTION}\n"));
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with(r#"{"id":7,"error":{"kind":"unknown_op","#), "{}", lines[0]);
    assert_eq!(lines[1], ANSWER);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn files_are_answered_in_order_and_one_that_is_missing_is_named() {
    let good = file("good.jsonl", QUESTION);
    let output = run(&["query", &good, "-", &good], &format!("{QUESTION}\n"));
    assert_eq!(text(&output.stdout), format!("{ANSWER}\n{ANSWER}\n{ANSWER}\n"));
    assert_eq!(output.status.code(), Some(0));

    let output = run(&["query", "no/such/file.jsonl", &good], "");
    assert_eq!(text(&output.stdout), format!("{ANSWER}\n"));
    assert!(
        text(&output.stderr).contains("carom: no/such/file.jsonl: cannot read"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_folder_cannot_be_read() {
    let output = run(&["query", env!("CARGO_TARGET_TMPDIR")], "");
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)));
    assert!(text(&output.stderr).contains("cannot read"));
}

#[test]
fn wrong_usage_is_explained() {
    for arguments in
        [&["query", "--precision", "f16"][..], &["query", "--threads", "-1"], &["fly"], &["--fly"]]
    {
        let output = run(arguments, "");
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)), "{arguments:?}");
        assert!(text(&output.stderr).contains("error:"));
    }
}

#[test]
fn mesh_files_are_found_beside_the_questions_or_in_the_current_folder() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("asked");
    std::fs::create_dir_all(&folder).expect("a folder");
    let floor = |height: u8| format!("v 0 {height} 0\nv 4 {height} 0\nv 0 {height} 4\nf 1 3 2\n");
    file("asked/floor.obj", &floor(1));
    file("floor.obj", &floor(3));
    let question = r#"{"op": "ray", "shape": {"type": "mesh", "file": "floor.obj"}, "origin": [1, 5, 1], "direction": [0, -1, 0]}"#;
    let questions = file("asked/questions.jsonl", question);
    let output = run(&["query", &questions, "-", "asked/questions.jsonl"], question);
    let heights: Vec<String> = text(&output.stdout)
        .lines()
        .map(|line| line.split(['[', ',']).nth(4).unwrap_or("").to_owned())
        .collect();
    assert_eq!(heights, ["1", "3", "1"], "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(0));

    file("asked/floor.obj", "v 0 0 0\nv 1 0 up\n");
    let output = run(&["query", &questions], "");
    let told = text(&output.stdout);
    assert!(told.contains("shape.file: floor.obj: line 2: expected a number, but found `up`"), "{told}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn help_begins_with_examples_that_work() {
    file(
        "wheel.stl",
        "solid w\nfacet normal 0 1 0 outer loop vertex -1 0 -1 vertex 0 0 1 vertex 1 0 -1 endloop endfacet endsolid w",
    );
    for arguments in [&["--help"][..], &["query", "--help"], &["-h"]] {
        let output = run(arguments, "");
        let help = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0));
        let (examples, usage) =
            (help.find("Examples:").expect("examples"), help.find("Usage:").expect("usage"));
        assert!(examples < usage);
        for line in help.lines().filter_map(|line| line.trim().strip_prefix("echo '")) {
            let (question, rest) = line.split_once('\'').expect("a quoted question");
            let arguments = rest.trim().strip_prefix("| carom ").expect("a call");
            let arguments: Vec<&str> = arguments.split_whitespace().collect();
            assert_eq!(run(&arguments, question).status.code(), Some(0), "{question}");
        }
    }
    let help = text(&run(&["query", "--help"], "").stdout);
    for word in
        ["intersects", "overlap_area", "respond", "--precision", "--threads", "--explain", "time_of_impact"]
    {
        assert!(help.contains(word), "{word}");
    }
    // Whatever a field may hold is said.
    for form in [r#""from": pose"#, r#""angular""#, "four points", r#"{"min""#, "closed (true", "hull (true"]
    {
        assert!(help.contains(form), "{form}");
    }
}

#[test]
fn alone_it_gives_a_tour_whose_last_line_can_be_tried() {
    let output = run(&[], "");
    let tour = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(!tour.contains("error") && tour.contains("2D") && tour.contains("3D"), "{tour}");
    for picture in ["2d-smash.svg", "3d-washer.svg", "3d-jolt_pyramid.svg"] {
        assert!(tour.contains(picture), "{tour}");
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-out").join(picture);
        assert!(std::fs::read_to_string(path).expect("a picture").starts_with("<svg"));
    }
    let line = tour.lines().find_map(|line| line.trim().strip_prefix("echo '")).expect("a line to try");
    let (question, _) = line.split_once('\'').expect("a quoted question");
    assert_eq!(run(&["query"], question).status.code(), Some(0), "{question}");
}

#[test]
fn precision_and_explanations_are_options() {
    let third = r#"{"op": "fit", "dim": 2, "kind": "aabb", "points": [[0.1, 0], [0.3333333333333333, 1]]}"#;
    assert!(text(&run(&["query"], third).stdout).contains(r#""min":[0.1,0],"max":[0.3333333333333333,1]"#));
    let single = text(&run(&["query", "--precision", "f32"], third).stdout);
    assert!(single.contains(r#""min":[0.1,0],"max":[0.33333334,1]"#), "{single}");
    let output = text(&run(&["query", "--explain"], QUESTION).stdout);
    assert!(output.contains(r#""trace":{"op":"overlap_area","steps":[]}"#), "{output}");
    let balls =
        r#"{"op": "intersects", "a": {"type": "ball", "radius": 1}, "b": {"type": "ball", "radius": 2}}"#;
    let output = text(&run(&["query", "--explain"], balls).stdout);
    assert!(output.contains(r#"{"step":"method","method":"nearest point","textbook":false}"#), "{output}");
    assert!(output.ends_with("{\"step\":\"verdict\",\"touching\":true}]}}\n"), "{output}");
}

#[test]
fn a_question_is_answered_while_the_input_is_still_open() {
    for threads in ["1", "2"] {
        let mut child = carom(&["query", "--threads", threads])
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        for _ in 0..3 {
            writeln!(input, "{QUESTION}").and_then(|()| input.flush()).expect("the program reads");
            let mut line = String::new();
            output.read_line(&mut line).expect("the program answers");
            assert_eq!(line.trim_end(), ANSWER);
        }
        drop(input);
        assert_eq!(child.wait().expect("the program ends").code(), Some(0));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let many = format!("{QUESTION}\n").repeat(50_000);
    for threads in ["1", "2"] {
        let questions = file(&format!("many-{threads}.jsonl"), &many);
        let mut child =
            carom(&["query", &questions, "--threads", threads]).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a first answer");
        assert_eq!(line.trim_end(), ANSWER);
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)));
    }
    let mut child = carom(&[]).spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)));
}
