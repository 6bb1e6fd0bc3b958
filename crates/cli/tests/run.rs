//! `carom run` as a user meets it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).arg("run").args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn scenes_are_listed() {
    let output = run(&["--list"]);
    assert_eq!(output.status.code(), Some(0));
    let list = text(&output.stdout);
    for name in ["2d/large_pyramid", "2d/card_house", "3d/large_pyramid", "3d/jolt_pyramid"] {
        assert!(list.lines().any(|line| line.starts_with(name)), "{list}");
    }
}

#[test]
fn a_scene_is_run_and_drawn_and_its_hash_does_not_depend_on_threads() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-run");
    let folder = out.to_str().expect("a plain path");
    let hash = |extra: &[&str]| {
        let mut arguments = vec!["2d/card_house", "--steps", "20", "--json", "--out", folder];
        arguments.extend(extra);
        let output = run(&arguments);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        let line = text(&output.stdout);
        let at = line.find("\"hash\": \"").expect("a hash") + 9;
        assert!(line.contains("\"bodies\": 41"), "{line}");
        line[at..at + 16].to_owned()
    };
    assert_eq!(hash(&[]), hash(&["--threads", "2", "--lanes", "1"]));
    let picture = std::fs::read_to_string(out.join("2d-card_house.svg")).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.matches("<polygon").count() >= 40);
    let summary = text(&run(&["2d/card_house", "--steps", "2", "--out", folder]).stdout);
    assert!(summary.contains("bodies    41") && summary.contains("hash"), "{summary}");
}

#[test]
fn an_unknown_scene_is_an_error_that_says_what_to_do() {
    let output = run(&["2d/nowhere"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("carom run --list"));
    assert_eq!(run(&[]).status.code(), Some(2));
}
