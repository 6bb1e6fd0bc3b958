//! `carom check` as a user meets it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const SCENE: &str = r#"{"carom": 1, "dim": 2, "bodies": [
  {"name": "floor", "kind": "fixed", "shapes": [{"shape": {"type": "half_space", "normal": [0, 1], "offset": 0}}]},
  {"name": "sunk", "pose": {"translation": [0, 0.75]}, "shapes": [{"shape": {"type": "ball", "radius": 1}}]},
  {"name": "hovering", "pose": {"translation": [5, 1.5]}, "shapes": [{"shape": {"type": "ball", "radius": 1}}]}
]}"#;

/// A tetrahedron with three edges of length 6 along the axes, from a corner.
fn solid(x: f64) -> String {
    format!("v {x} 0 0\nv {} 0 0\nv {x} 6 0\nv {x} 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", x + 6.0)
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("check")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    path.to_str().expect("a plain path").to_owned()
}

fn file(name: &str, content: &str) -> String {
    let path = path(name);
    std::fs::write(&path, content).expect("a file for the test");
    path
}

/// The words of each line.
fn rows(output: &Output) -> Vec<String> {
    text(&output.stdout).lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_scene_as_a_table() {
    let scene = file("scene.json", SCENE);
    let output = run(&[&scene], "");
    assert_eq!(
        rows(&output),
        [
            "no. first second how how far where",
            "1 floor sunk piercing 0.25 deep [0, -0.125]",
            "",
            "1 clash among 3 items"
        ]
    );
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(1)));
    let output = run(&[&scene, "--clearance", "0.5"], "");
    assert_eq!(rows(&output)[2], "2 floor hovering near 0.5 apart [5, 0.25]");
    let output = run(&["-", "--touch", "0.25"], SCENE);
    assert!(rows(&output)[1].starts_with("1 floor sunk touching 0 "), "{:?}", rows(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn mesh_files_apart_are_clear() {
    let (one, other) = (file("left.obj", &solid(0.0)), file("right.obj", &solid(6.5)));
    let output = run(&[&one, &other], "");
    assert_eq!(rows(&output), ["nothing clashes among 2 items"]);
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)));
    let output = run(&[&one, &other, "--clearance", "0.5"], "");
    assert!(rows(&output)[1].contains("near 0.5 apart [6.25, 0, 0]"), "{:?}", rows(&output));
    assert_eq!(output.status.code(), Some(1));
    // The same file twice is a duplicate.
    let output = run(&[&one, &one], "");
    assert!(rows(&output)[1].contains("duplicate"), "{:?}", rows(&output));
}

#[test]
fn surfaces_are_told() {
    let open = file("open.obj", &solid(0.0).replace("f 2 3 4\n", ""));
    let output = run(&[&open], "");
    let rows = rows(&output);
    assert_eq!(rows[0], "nothing clashes among 1 item");
    assert!(rows[1].starts_with(&format!("{open} is a surface, not a solid: ")), "{rows:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_rest_is_checked_when_a_file_cannot_be_read() {
    let (one, scene) = (file("rest.obj", &solid(0.0)), file("rest.json", SCENE));
    let broken = file("broken.obj", "v 1 2 x\n");
    let output = run(&["no/such.stl", &one, &broken, &one, &scene], "");
    let errors = text(&output.stderr);
    for part in [
        "carom: no/such.stl: cannot be read: ",
        "broken.obj: line 1: expected a number, but found `x`",
        "rest.json: a scene is checked by itself",
    ] {
        assert!(errors.contains(part), "{part}\n{errors}");
    }
    assert!(rows(&output)[1].contains("duplicate"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn one_json_object() {
    let one = file("json.obj", &solid(0.0));
    let output = run(&["--json", &one, "no/such.stl", &one], "");
    let json = text(&output.stdout);
    assert_eq!(json.lines().count(), 1);
    for part in [
        &format!("{{\"items\":[{{\"name\":\"{one}\",\"shape\":\"mesh\",\"solid\":true}},"),
        &format!(
            "\"clashes\":[{{\"number\":1,\"items\":[0,1],\"names\":[\"{one}\",\"{one}\"],\"kind\":\"duplicate\",\"distance\":0,"
        ),
        "\"refused\":[],\"undecided\":[],\"sensors\":0,\"pairs\":1,",
        "\"unread\":[{\"file\":\"no/such.stl\",\"error\":{\"kind\":\"unreadable\",",
    ] {
        assert!(json.contains(part), "{part}\n{json}");
    }
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(2)));
}

#[test]
fn a_picture() {
    let (scene, picture) = (file("drawn.json", SCENE), path("drawn.svg"));
    let output = run(&[&scene, "--svg", &picture], "");
    assert_eq!(output.status.code(), Some(1));
    let svg = std::fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.contains("piercing by 0.25: floor, sunk"), "{svg}");
    let output = run(&[&scene, "--svg", "no/such/folder/x.svg"], "");
    assert!(text(&output.stderr).contains("carom: cannot write no/such/folder/x.svg: "));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_is_read_is_not_written_over() {
    let (first, second) = (file("spared-a.obj", &solid(0.0)), file("spared-b.obj", &solid(1.0)));
    let output = run(&[&first, &second, "--svg", &second], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would be overwritten"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&second).expect("still there"), solid(1.0));
    // So is what a scene reads.
    let scene = r#"{"carom": 1, "dim": 3, "bodies": [{"shapes": [{"shape": {"type": "mesh", "file": "check-spared-a.obj"}}]}]}"#;
    let scene = file("spared.json", scene);
    let output = run(&[&scene, "--svg", &first], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would be overwritten"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(&first).expect("still there"), solid(0.0));
}

#[test]
fn a_corner_is_as_deep_as_it_is() {
    // A cube of side 3 and one of side 1, a corner of which is at (2.5, 2.5, 2.5).
    let cube = |low: f64, high: f64| {
        let corner = |k: usize| [k & 1, k >> 1 & 1, k >> 2].map(|far| if far == 1 { high } else { low });
        let vertices: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
        vertices + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
    };
    let (large, small) = (file("corner-a.obj", &cube(0.0, 3.0)), file("corner-b.obj", &cube(2.5, 3.5)));
    let output = run(&[&large, &small], "");
    assert!(rows(&output).iter().any(|row| row.contains("0.5 deep")), "{:?}", rows(&output));
}

#[test]
fn nonsense_is_answered() {
    for content in [
        "",
        "{",
        "[1, 2]",
        "{\"carom\": 1}",
        "{\"carom\": 1, \"dim\": 2, \"bodies\": 7}",
        "\u{0}\u{1}",
        "null",
    ] {
        for name in ["nonsense.json", "nonsense.obj", "nonsense"] {
            let output = run(&[&file(name, content)], "");
            assert_eq!(
                (text(&output.stdout).as_str(), output.status.code()),
                ("", Some(2)),
                "{name} {content}"
            );
            assert!(text(&output.stderr).starts_with("carom: "), "{name} {content}");
        }
    }
    let output = run(&[env!("CARGO_TARGET_TMPDIR")], "");
    assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)));
}

#[test]
fn wrong_usage_is_explained() {
    let one = file("usage.obj", &solid(0.0));
    for arguments in
        [&[][..], &[&one, "--clearance", "-1"], &[&one, "--touch", "nan"], &[&one, "--touch", "inf"]]
    {
        let output = run(arguments, "");
        assert_eq!((text(&output.stdout).as_str(), output.status.code()), ("", Some(2)), "{arguments:?}");
        assert!(text(&output.stderr).contains("error:"));
    }
}

#[test]
fn help_begins_with_examples() {
    let help = text(&run(&["--help"], "").stdout);
    assert!(help.find("Examples:").expect("examples") < help.find("Usage:").expect("usage"));
    for word in ["--clearance", "--touch", "--json", "--svg", "Exit code"] {
        assert!(help.contains(word), "{word}\n{help}");
    }
}
