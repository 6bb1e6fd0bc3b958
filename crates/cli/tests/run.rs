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

#[test]
fn a_scene_file_is_run_recorded_and_replayed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-replay");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_str().expect("a plain path").to_owned();
    let (scene, recording, out) = (path("pile.json"), path("pile.carom"), path("out"));
    let text_of_scene = r#"{"carom": 1, "dim": 2, "bodies": [
        {"kind": "fixed", "shapes": [{"shape": {"type": "half_space", "normal": [0, 1], "offset": 0}}]},
        {"repeat": {"count": [3, 3], "spacing": [1.5, 1.5], "body": {"pose": {"translation": [0, 2]},
            "shapes": [{"shape": {"type": "cuboid", "half_extents": [0.5, 0.5]}}]}}}]}"#;
    std::fs::write(&scene, text_of_scene).expect("written");
    let ran = run(&[&scene, "--steps", "30", "--record", &recording, "--out", &out, "--json"]);
    assert_eq!((ran.status.code(), text(&ran.stderr)), (Some(0), String::new()));
    assert!(text(&ran.stdout).contains("\"bodies\": 10") && PathBuf::from(path("out/pile.svg")).exists());

    let replay = |file: &str, extra: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["replay", file])
            .args(extra)
            .output()
            .expect("it starts")
    };
    let replayed = replay(&recording, &[]);
    assert_eq!(replayed.status.code(), Some(0));
    assert!(text(&replayed.stdout).contains("all 30 steps are the same"), "{}", text(&replayed.stdout));
    let line = text(&replay(&recording, &["--json", "--threads", "2"]).stdout);
    assert!(line.contains("\"steps\": 30") && line.contains("\"same\": true"), "{line}");

    // Cut in two, it says so; with a byte changed, it says where.
    let bytes = std::fs::read(&recording).expect("a recording");
    let (half, changed) = (path("half.carom"), path("changed.carom"));
    std::fs::write(&half, &bytes[..bytes.len() / 2]).expect("written");
    let cut = replay(&half, &[]);
    assert_eq!(cut.status.code(), Some(0));
    assert!(text(&cut.stdout).contains("the file ends early"), "{}", text(&cut.stdout));
    let mut other = bytes.clone();
    other[bytes.len() / 2] ^= 1;
    std::fs::write(&changed, other).expect("written");
    let refused = replay(&changed, &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("byte "), "{}", text(&refused.stderr));
    let refused = replay(&changed, &["--json"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stdout).contains("\"kind\": \"corrupt\", \"offset\": "));
    assert_eq!(replay(&path("none.carom"), &[]).status.code(), Some(2));

    // A scene that is not right is told where.
    std::fs::write(&scene, r#"{"carom": 1, "dim": 2, "bodies": [{"nmae": 1}]}"#).expect("written");
    let refused = run(&[&scene, "--out", &out]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("did you mean `name`?"));
}

/// A scene of one body as fast as it likes, with this inside of it, in a file of this name.
fn scene_of(file: &str, gravity: &str, body: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    let text = format!(
        r#"{{"carom": 1, "dim": 2, "gravity": [0, {gravity}], "settings": {{"max_speed": 3e38}}, "bodies": [{{"name": "it", {body}}}]}}"#
    );
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn a_recording_that_cannot_be_read_is_told_in_json() {
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["replay", "no/such.carom", "--json"])
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stdout);
    let expected = r#"{"file": "no/such.carom", "error": {"kind": "unreadable", "offset": null, "message": "cannot be read: "#;
    assert!(said.starts_with(expected) && said.ends_with("}}\n"), "{said}");
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn a_recording_does_not_replace_its_scene() {
    let scene = scene_of("own.json", "-10", r#""shapes": [{"shape": {"type": "ball", "radius": 1}}]"#);
    let before = std::fs::read(&scene).expect("the scene");
    let output = run(&[&scene, "--steps", "2", "--record", &scene]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would be overwritten"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read(&scene).expect("the scene"), before);
}

#[test]
fn a_recording_does_not_replace_a_mesh_of_its_scene() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-spared");
    std::fs::create_dir_all(folder.join("parts")).expect("a folder");
    let (scene, mesh) = (folder.join("scene.json"), folder.join("parts").join("ramp.obj"));
    let triangle = "v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n";
    std::fs::write(&mesh, triangle).expect("a file");
    let body = r#"{"kind": "fixed", "shapes": [{"shape": {"type": "mesh", "file": "parts/ramp.obj"}}]}"#;
    std::fs::write(&scene, format!(r#"{{"carom": 1, "dim": 3, "bodies": [{body}]}}"#)).expect("a file");
    let [scene, record] = [&scene, &mesh].map(|path| path.to_str().expect("a plain path"));
    let output = run(&[scene, "--steps", "2", "--record", record]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would be overwritten"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&mesh).expect("still there"), triangle);
}

#[test]
fn what_a_world_refuses_is_named_with_its_file() {
    let file = scene_of("massless.json", "-10", r#""shapes": []"#);
    let output = run(&[&file]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("massless.json: it: a dynamic body needs a mass"), "{said}");
}

#[test]
fn bodies_that_had_to_be_frozen_are_told_of() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("carom-frozen");
    let out = out.to_str().expect("a plain path");
    let ball = r#""shapes": [{"shape": {"type": "ball", "radius": 1}}]"#;
    let [file, usual] = [("frozen.json", "-3e38"), ("usual.json", "-10")]
        .map(|(file, gravity)| scene_of(file, gravity, ball));
    let says =
        |arguments: &[&str]| text(&run(&[arguments, &["--steps", "120", "--out", out]].concat()).stdout);
    assert!(says(&[&file]).contains("frozen    1,"), "{}", says(&[&file]));
    assert!(says(&[&file, "--json"]).contains("\"quarantined\": 1,"));
    assert!(
        !says(&[&usual]).contains("frozen ") && says(&[&usual, "--json"]).contains("\"quarantined\": 0,")
    );
}
