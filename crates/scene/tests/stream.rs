//! Streams: order, blocks, threads, odd line ends, and input that is not what it should be.

use carom_scene::mesh::MeshFolder;
use carom_scene::query::{
    MAX_LINE, Options, Precision, StreamError, Summary, answer_line_in, answer_stream, answer_stream_in,
    field,
};
use proptest::prelude::*;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Questions that are valid, one of each kind and dimension and more.
const QUESTIONS: &[&str] = &[
    r#"{"id": 1, "op": "intersects", "a": {"type": "ball", "radius": 1}, "b": {"type": "cuboid", "half_extents": [1, 2, 3]}, "pose_b": {"translation": [1, 2, 3], "rotation": [0, 0, 0.6, 0.8]}}"#,
    r#"{"id": "two", "op": "distance", "dim": 2, "a": {"type": "capsule", "a": [0, 0], "b": [1, 0], "radius": 0.5}, "pose_a": {"angle": 0.25}, "b": {"type": "segment", "a": [5, 5], "b": [6, 7]}, "max": 100}"#,
    r#"{"id": [3], "op": "contact", "a": {"type": "cylinder", "half_height": 1, "radius": 0.5}, "b": {"type": "half_space", "normal": [0, 1, 0], "offset": 0}, "margin": 0.1}"#,
    r#"{"op": "closest_point", "dim": 2, "shape": {"type": "triangle", "a": [0, 0], "b": [1, 0], "c": [0, 1]}, "point": [0.25, 0.25]}"#,
    r#"{"op": "ray", "shape": {"type": "cone", "half_height": 1, "radius": 1}, "origin": [0, 5, 0], "direction": [0, -1, 0], "max": 10, "solid": false}"#,
    r#"{"op": "cast", "dim": 2, "a": {"type": "ball", "radius": 1}, "velocity_a": [1, 0], "b": {"type": "ball", "radius": 1}, "pose_b": {"translation": [4, 0]}, "velocity_b": [0, 0], "max": 5}"#,
    r#"{"op": "lines", "a": {"kind": "line", "point": [0, 0, 0], "direction": [1, 0, 0]}, "b": {"kind": "plane", "normal": [1, 1, 0], "offset": 2}}"#,
    r#"{"op": "fit", "dim": 2, "kind": "rectangle", "points": [[0, 0], [2, 1], [1, 3]]}"#,
    r#"{"op": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}"#,
    r#"{"op": "overlap_area", "dim": 2, "a": {"min": [0, 0], "max": [2, 2]}, "b": {"min": [1, 1], "max": [3, 3]}}"#,
    r#"{"op": "respond", "dim": 2, "velocity_a": [1, 0], "velocity_b": [0, 0], "mass_a": 1, "mass_b": 2, "normal": [1, 0], "restitution": 0.5, "friction": 0.1}"#,
    r#"{"op": "mass", "shape": {"type": "ball", "radius": 1}, "density": 2}"#,
];

/// A source that gives a few bytes at a time.
struct Drip<'a> {
    bytes: &'a [u8],
    step: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.step.min(buffer.len()).min(self.bytes.len());
        buffer[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes = &self.bytes[count..];
        Ok(count)
    }
}

fn answered(source: impl Read, threads: usize) -> (String, Summary) {
    let mut output = Vec::new();
    let threads = NonZeroUsize::new(threads).expect("some threads");
    let summary = answer_stream(source, &mut output, Options::default(), threads).expect("readable");
    (String::from_utf8(output).expect("answers are text"), summary)
}

#[test]
fn the_order_is_kept_whatever_the_threads_and_the_pieces() {
    let lines: String = (0..20_000)
        .map(|id| {
            let size = id % 7;
            format!("{{\"id\": {id}, \"op\": \"overlap_area\", \"dim\": 2, \"a\": {{\"min\": [0, 0], \"max\": [{size}, 1]}}, \"b\": {{\"min\": [0, 0], \"max\": [3, 3]}}}}\n")
        })
        .collect();
    let (expected, summary) = answered(lines.as_bytes(), 1);
    assert_eq!(summary, Summary { answered: 20_000, failed: 0 });
    for (id, line) in expected.lines().enumerate() {
        assert_eq!(field(line, "id"), Some(id.to_string().as_str()));
    }
    for threads in [1, 2, 3, 8] {
        for step in [1_000_000, 4096, 333] {
            let (output, counts) = answered(Drip { bytes: lines.as_bytes(), step }, threads);
            assert!(output == expected && counts == summary, "{threads} threads, {step} bytes at a time");
        }
    }
}

#[test]
fn blank_lines_marks_and_line_ends_are_tolerated() {
    let line = "{\"id\":1,\"op\":\"fly\"}";
    let (plain, _) = answered(line.as_bytes(), 1);
    for text in [format!("\u{feff}{line}\r\n"), format!("{line}\r"), format!("{line}\n\n \t\r\n")] {
        for step in [1, 100] {
            assert_eq!(answered(Drip { bytes: text.as_bytes(), step }, 1).0, plain, "{text:?}");
        }
    }
    let (later, _) = answered(format!("\n\n{line}").as_bytes(), 1);
    assert!(later.contains("line 3, column"), "{later}");
    assert_eq!(answered(&b""[..], 1), (String::new(), Summary::default()));
    assert_eq!(answered(&b"\n\n"[..], 2).0, "");
}

#[test]
fn lines_of_absurd_length_are_refused_and_passed_over() {
    // Three times as long as allowed, without ever being held in memory.
    let long = io::repeat(b'[').take(3 * MAX_LINE as u64);
    let source = (&b"{\"id\":1,\"op\":\"a\"}\n"[..]).chain(long).chain(&b"\n{\"id\":3,\"op\":\"b\"}\n"[..]);
    let (output, summary) = answered(source, 1);
    assert_eq!(summary, Summary { answered: 0, failed: 3 });
    let lines: Vec<&str> = output.lines().collect();
    assert!(lines[1].contains("line_too_long") && lines[1].contains("line 2"), "{}", lines[1]);
    assert!(lines[2].starts_with("{\"id\":3,") && lines[2].contains("line 3"), "{}", lines[2]);
}

#[test]
fn what_was_read_before_the_source_broke_is_answered() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    for threads in [1, 2] {
        let mut output = Vec::new();
        let source = (&b"{\"id\":1}\n"[..]).chain(Broken);
        let threads = NonZeroUsize::new(threads).expect("some threads");
        let result = answer_stream(source, &mut output, Options::default(), threads);
        assert!(matches!(result, Err(StreamError::Read(_))));
        assert!(output.starts_with(b"{\"id\":1,"));
    }
}

#[test]
fn a_writer_that_goes_away_ends_the_stream() {
    struct Closed;
    impl io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for threads in [1, 3] {
        let threads = NonZeroUsize::new(threads).expect("some threads");
        // Endless input: the stream can only end because of the writer.
        let result = answer_stream(Endless, Closed, Options::default(), threads);
        assert!(matches!(result, Err(StreamError::Write(_))));
    }
}

struct Endless;
impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for (index, byte) in buffer.iter_mut().enumerate() {
            *byte = b"{}\n"[index % 3];
        }
        Ok(buffer.len())
    }
}

/// An empty folder for mesh files.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join("questions/parts")).expect("a folder");
    path
}

fn about(file: &str) -> String {
    format!(
        "{{\"op\": \"closest_point\", \"shape\": {{\"type\": \"mesh\", \"file\": \"{file}\"}}, \"point\": [1, 7, 1]}}\n"
    )
}

const FLOOR: &str = "v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n";

#[test]
fn mesh_files_are_read_once_for_all_threads() {
    let root = folder("stream_meshes").join("questions");
    std::fs::write(root.join("parts/floor.obj"), FLOOR).expect("a file");
    let meshes = MeshFolder::at(&root);
    let ask = |lines: &str, threads, options| {
        let mut output = Vec::new();
        let threads = NonZeroUsize::new(threads).expect("some threads");
        let summary =
            answer_stream_in(&meshes, lines.as_bytes(), &mut output, options, threads).expect("readable");
        (String::from_utf8(output).expect("text"), summary)
    };
    // By each of the names that it has.
    let names = ["parts/floor.obj", "./parts//floor.obj", "parts/./floor.obj"];
    let lines: String = (0..6000).map(|k| about(names[k % 3])).collect();
    let (first, summary) = ask(&lines, 4, Options::default());
    assert_eq!(summary, Summary { answered: 6000, failed: 0 });
    let answer = r#"{"id":null,"answer":{"point":[1,0,1],"distance":7,"inside":false}}"#;
    assert!(first.lines().all(|line| line == answer), "{}", first.lines().next().unwrap_or(""));
    let single = Options { precision: Precision::F32, ..Options::default() };
    assert_eq!(ask(&about(names[0]), 1, single).0.trim_end(), answer);
    // What was read is not read again, and neither is what could not be.
    std::fs::remove_file(root.join("parts/floor.obj")).expect("it exists");
    assert_eq!(ask(&lines, 3, Options::default()).0, first);
    let missing = ask(&about("parts/late.obj"), 1, Options::default()).0;
    std::fs::write(root.join("parts/late.obj"), FLOOR).expect("a file");
    assert_eq!(ask(&about("parts/late.obj"), 2, Options::default()).0, missing);
    assert!(
        missing.contains("\"unreadable\"") && missing.contains("parts/late.obj cannot be read"),
        "{missing}"
    );
    // Explanations read the shape again, without the file.
    let line = format!(
        "{{\"op\": \"intersects\", \"a\": {{\"type\": \"mesh\", \"file\": \"{}\"}}, \"b\": {{\"type\": \"ball\", \"radius\": 1}}}}",
        names[0]
    );
    let (told, _) = ask(&line, 1, Options { explain: true, ..Options::default() });
    assert!(told.contains("\"intersects\":true") && told.contains("\"pair\":[\"mesh\",\"ball\"]"), "{told}");
}

#[test]
fn mesh_files_that_are_wrong_or_elsewhere_are_errors_of_their_lines() {
    let top = folder("stream_hostile");
    let root = top.join("questions");
    std::fs::write(top.join("outside.obj"), FLOOR).expect("a file");
    std::fs::write(root.join("words.obj"), "v 0 0 0\nv 1 0 up\n").expect("a file");
    std::fs::write(root.join("index.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").expect("a file");
    std::fs::write(root.join("none.obj"), "v 0 0 0\n").expect("a file");
    std::fs::write(root.join("empty.stl"), "").expect("a file");
    let huge = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 4000000000\nproperty list uchar int vertex_indices\nend_header\n\0\0";
    std::fs::write(root.join("huge.ply"), huge).expect("a file");
    std::fs::write(root.join("cut.glb"), b"glTF\x02\0\0\0\xff\xff\xff\x7f\xff\xff\xff\x7fJSON{")
        .expect("a file");
    std::fs::write(root.join("nan.obj"), "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
    std::fs::write(root.join("large.obj"), "v 0 0 1e300\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
    let cases = [
        ("words.obj", "syntax", "words.obj: line 2: expected a number, but found `up`"),
        ("index.obj", "", "index.obj: line 4: there is no vertex 9"),
        ("none.obj", "", "none.obj: "),
        ("empty.stl", "truncated", "empty.stl: byte 0: "),
        ("huge.ply", "", "huge.ply: "),
        ("cut.glb", "", "cut.glb: "),
        ("nan.obj", "", "nan.obj: line 1: "),
        ("../outside.obj", "outside_folder", "own folder"),
        ("/etc/passwd", "outside_folder", "own folder"),
        ("C:outside.obj", "outside_folder", "own folder"),
        ("parts", "unreadable", "not a regular file"),
        ("", "outside_folder", "own folder"),
    ];
    for threads in [1, 2] {
        let meshes = MeshFolder::at(&root);
        let lines: String = cases.iter().map(|(file, ..)| about(file) + &about(file)).collect();
        let mut output = Vec::new();
        let threads = NonZeroUsize::new(threads).expect("some threads");
        let summary = answer_stream_in(&meshes, lines.as_bytes(), &mut output, Options::default(), threads);
        assert_eq!(summary.expect("readable"), Summary { answered: 0, failed: 2 * cases.len() as u64 });
        let output = String::from_utf8(output).expect("text");
        for (index, line) in output.lines().enumerate() {
            let (file, kind, part) = cases[index / 2];
            assert!(
                line.contains(part) && line.contains(&format!("\"line {}, column ", index + 1)),
                "{file}: {line}"
            );
            assert!(
                line.contains("shape.file: ") && line.contains(&format!("\"kind\":\"{kind}")),
                "{file}: {line}"
            );
        }
    }
    // What fits into f64 need not fit into f32.
    let mut output = Vec::new();
    let single = Options { precision: Precision::F32, ..Options::default() };
    let line = about("large.obj");
    assert!(!answer_line_in(&MeshFolder::at(&root), line.as_bytes(), 1, single, &mut output));
    let told = String::from_utf8(output).expect("text");
    assert!(told.contains("large.obj: "), "{told}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(top.join("outside.obj"), root.join("link.obj")).expect("a link");
        let (line, mut output) = (about("link.obj"), Vec::new());
        assert!(!answer_line_in(&MeshFolder::at(&root), line.as_bytes(), 1, Options::default(), &mut output));
        assert!(String::from_utf8(output).expect("text").contains("\"outside_folder\""));
    }
}

/// A few bytes of a question replaced, removed or inserted.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let interesting = b"{}[]\",:\\0123456789-+.eE \t\r\n\x00\x80\xff\xc3tfnau";
    let byte = prop_oneof![prop::sample::select(interesting.to_vec()), any::<u8>()];
    let change = (any::<prop::sample::Index>(), 0..3_u8, byte);
    (prop::sample::select(QUESTIONS.to_vec()), prop::collection::vec(change, 0..6)).prop_map(
        |(question, changes)| {
            let mut bytes = question.as_bytes().to_vec();
            for (place, how, byte) in changes {
                let at = place.index(bytes.len().max(1));
                match how {
                    0 if at < bytes.len() => bytes[at] = byte,
                    1 if at < bytes.len() => drop(bytes.remove(at)),
                    _ => bytes.insert(at.min(bytes.len()), byte),
                }
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Whatever comes in, each line that is not blank gives one line of JSON, and nothing panics.
    #[test]
    fn one_line_out_for_each_line_in(bytes in mutated()) {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| {
            !line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii().is_empty()
        }).count();
        let (output, summary) = answered(bytes.as_slice(), 1);
        prop_assert_eq!(output.lines().count(), lines);
        prop_assert_eq!(summary.answered + summary.failed, lines as u64);
        for line in output.lines() {
            let value: serde_json::Value = serde_json::from_str(line).map_err(|error| {
                TestCaseError::fail(format!("{error}: {line}"))
            })?;
            let object = value.as_object().expect("an object");
            prop_assert!(object.len() == 2 && object.contains_key("id"));
            prop_assert!(object.contains_key("answer") != object.contains_key("error"));
        }
    }
}
