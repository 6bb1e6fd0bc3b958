//! `carom fit` as a user meets it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A tetrahedron with three edges of length 6 along the axes: volume 36, centre (1.5, 1.5, 1.5).
const SOLID: &str = "v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .arg("fit")
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

fn file(name: &str, content: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("a file for the test");
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn a_table_for_people() {
    let solid = file("solid.obj", SOLID);
    let output = run(&[&solid, "--density", "0.5"], "");
    let table = text(&output.stdout);
    let rows: Vec<String> =
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for row in [
        &format!("{solid} (obj)"),
        "vertices 4",
        "triangles 4",
        "box along the axes size [6, 6, 6]",
        "max [6, 6, 6]",
        "volume 216",
        "convex hull vertices 4",
        "faces 4",
        "inside volume 36",
        "mass 18",
        "center [1.5, 1.5, 1.5]",
        "health closed yes",
    ] {
        assert!(rows.iter().any(|found| found == row), "{row}\n{table}");
    }
    assert!(rows.iter().any(|row| row.starts_with("smallest ball radius 4.8989")), "{table}");
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)));
}

#[test]
fn json_with_one_object_a_file_and_chosen_kinds() {
    let (solid, broken) = (file("json.obj", SOLID), file("broken.obj", "v 1 2 x\n"));
    let output = run(&["--json", "--kind", "mass,aabb", &solid, &broken, "no/such.ply", &solid], "");
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(
        lines[0],
        format!(
            "{{\"file\":\"{solid}\",\"format\":\"obj\",\"vertices\":4,\"places\":4,\"triangles\":4,\"groups\":1,\
             \"aabb\":{{\"min\":[0,0,0],\"max\":[6,6,6],\"volume\":216}},\
             \"mass\":{{\"volume\":36,\"mass\":36,\"center\":[1.5,1.5,1.5],\
             \"inertia\":[[97.2,16.2,16.2],[16.2,97.2,16.2],[16.2,16.2,97.2]]}}}}"
        )
    );
    assert_eq!(
        lines[1],
        format!(
            "{{\"file\":\"{broken}\",\"error\":{{\"kind\":\"syntax\",\
             \"message\":\"{broken}: line 1: expected a number, but found `x`\"}}}}"
        )
    );
    assert!(
        lines[2].starts_with("{\"file\":\"no/such.ply\",\"error\":{\"kind\":\"unreadable\","),
        "{}",
        lines[2]
    );
    assert_eq!(lines[3], lines[0]);
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(1)));
}

/// The volume is that of edges of 6·10⁹⁹; the inertia, which is in the fifth power of the length, is out of range.
#[test]
fn hulls_have_a_volume_where_they_have_no_inertia() {
    let large = file("large.obj", &SOLID.replace('6', "6e99"));
    let output = run(&["--json", "--kind", "hull", &large], "");
    let said = text(&output.stdout);
    let volume = said.split("\"volume\":").nth(1).and_then(|rest| rest.split('}').next()).unwrap_or(&said);
    let volume: f64 = volume.parse().unwrap_or_else(|_| panic!("{said}"));
    assert!((volume / 3.6e298 - 1.0).abs() < 1e-12, "{said}");
    assert!(said.contains("\"vertices\":4,\"faces\":4"), "{said}");
}

#[test]
fn the_rest_of_the_files_goes_on_when_one_fails() {
    let (solid, broken) = (file("rest.obj", SOLID), file("rest-broken.stl", "solid x\nfacet up\n"));
    let output = run(&[&broken, &solid, "--kind", "health"], "");
    assert_eq!(text(&output.stderr), format!("carom: {broken}: line 2: expected normal, but found `up`\n"));
    assert!(text(&output.stdout).contains("closed            yes"), "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn standard_input_is_a_file() {
    let output = run(&["-", "--json", "--kind", "health"], SOLID);
    assert!(text(&output.stdout).starts_with("{\"file\":\"standard input\",\"format\":\"obj\""));
    assert_eq!(output.status.code(), Some(0));
    let output = run(&["-"], "");
    assert_eq!(text(&output.stderr), "carom: standard input: the file is empty\n");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_open_mesh_says_where() {
    let open = file("open.obj", &SOLID.replace("f 2 3 4\n", ""));
    let output = text(&run(&[&open], "").stdout);
    assert!(output.contains("no: the edge from vertex 2 to 1 is open, counted from 0"), "{output}");
    assert!(output.contains("is not closed"), "{output}");
    assert!(output.contains("3 boundary edges: 2-1, 1-3, 3-2"), "{output}");
}

#[test]
fn wrong_usage_is_explained() {
    let solid = file("usage.obj", SOLID);
    for arguments in
        [&[][..], &[&solid, "--kind", "sphere"], &[&solid, "--density", "-1"], &[&solid, "--density", "nan"]]
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
    for word in ["--json", "--kind", "--density", "obb_pca", "Exit code"] {
        assert!(help.contains(word), "{word}\n{help}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let solid = file("pipe.obj", SOLID);
    let files = vec![solid.as_str(); 200];
    let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["fit", "--kind", "aabb"])
        .args(files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)));
}
