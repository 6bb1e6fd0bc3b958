//! Streams: order, blocks, threads, odd line ends, and input that is not what it should be.

use carom_scene::query::{MAX_LINE, Options, StreamError, Summary, answer_stream, field};
use proptest::prelude::*;
use std::io::{self, Read};
use std::num::NonZeroUsize;

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
