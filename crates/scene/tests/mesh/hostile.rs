//! Hostile files: cut off anywhere, bits flipped, counts absurd. Whatever they say, the reader answers, soon
//! and within a multiple of their size.

use super::write::brick;
use carom_scene::mesh::{Format, parse_mesh};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Memory for each byte of a file. The most is taken by OBJ's `f` lines without a `v`: 2 bytes a corner,
/// 4 in the list and 12 as a triangle, and lists grow by doubling.
const BYTES_PER_BYTE: u64 = 80;
/// Memory for any file.
const FREE: u64 = 1 << 16;
/// glTF can make much of little: 24 bytes for each of 2^22 elements, and for 16 more per byte.
const FREE_GLTF: u64 = 24 << 22;
const GLTF_BYTES_PER_BYTE: u64 = 16 * 24 + BYTES_PER_BYTE;

/// Reads a file as a format: right or wrong, what comes back is whole, and memory is bounded.
fn survive(bytes: &[u8], format: Format) -> bool {
    let mut is_read = false;
    let start = Instant::now();
    let memory = allocation_counter::measure(|| {
        is_read = match parse_mesh(bytes, format) {
            Ok(mesh) => {
                let count = mesh.vertices.len() as u32;
                assert!(mesh.triangles.as_flattened().iter().all(|&index| index < count));
                assert!(mesh.vertices.iter().all(|v| v.x.is_finite() && v.y.is_finite() && v.z.is_finite()));
                let mut end = 0;
                for group in &mesh.groups {
                    assert!(group.triangles.start == end && end < group.triangles.end);
                    end = group.triangles.end;
                }
                assert!(0 < end && end == mesh.triangles.len());
                true
            }
            Err(error) => {
                let text = error.to_string();
                assert!(text.len() < 600 && !text.contains('\n'), "{text}");
                false
            }
        };
    });
    let (free, each) = match format {
        Format::Gltf => (FREE_GLTF, GLTF_BYTES_PER_BYTE),
        _ => (FREE, BYTES_PER_BYTE),
    };
    let most = free + each * bytes.len() as u64;
    assert!(memory.bytes_max <= most, "{} of {most} bytes for {}", memory.bytes_max, bytes.len());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    is_read
}

/// A generator of numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

#[test]
fn files_that_end_anywhere() {
    for (name, format, bytes) in brick().files() {
        let read = (0..bytes.len()).filter(|&end| survive(&bytes[..end], format)).count();
        // A line less of a text, or its last line end, may be a file as well.
        match name {
            "obj" => assert!((12..60 * 12).contains(&read), "{read}"),
            "stl text" => assert!(read < 8, "{read}"),
            "ply text" | "gltf" => assert!(read < 3, "{name}: {read}"),
            _ => assert_eq!(read, 0, "{name}"),
        }
    }
}

#[test]
fn files_with_flipped_bits() {
    let mut random = Random(7);
    for (name, format, bytes) in brick().files() {
        let mut read = 0;
        for _ in 0..3000 {
            let mut broken = bytes.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(broken.len());
                broken[at] ^= 1 << random.below(8);
            }
            read += usize::from(survive(&broken, format));
        }
        assert!(read < 3000, "{name} does not look at its bytes");
    }
}

#[test]
fn binary_files_with_absurd_counts() {
    for (_, format, bytes) in brick().files() {
        for at in 0..bytes.len().saturating_sub(4) {
            for absurd in [0xffff_ffff_u32, 0x7fff_ffff, 0x8000_0000, 0x0100_0000] {
                let mut broken = bytes.clone();
                broken[at..at + 4].copy_from_slice(&absurd.to_le_bytes());
                survive(&broken, format);
            }
        }
    }
}

#[test]
fn texts_with_absurd_numbers() {
    let absurd = [
        "4294967295",
        "-1",
        "1e308",
        "nan",
        "99999999999999999999999999",
        "9007199254740991",
        "",
        "0",
        "\u{0}",
    ];
    for (_, format, bytes) in brick().files() {
        let starts = (0..bytes.len())
            .filter(|&at| bytes[at].is_ascii_digit() && (at == 0 || !bytes[at - 1].is_ascii_digit()));
        for start in starts {
            let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            for number in absurd {
                let broken = [&bytes[..start], number.as_bytes(), &bytes[start + digits..]].concat();
                survive(&broken, format);
            }
        }
    }
}

#[test]
fn every_file_as_every_format_and_garbage() {
    let mut random = Random(99);
    let formats = [Format::Obj, Format::Stl, Format::Ply, Format::Gltf];
    for (_, format, bytes) in brick().files() {
        for other in formats {
            assert_eq!(survive(&bytes, other), other == format);
        }
    }
    let starts: [&[u8]; 7] = [
        b"",
        b"ply\n",
        b"glTF\x02\0\0\0",
        b"solid x\n",
        b"{\"asset\":{\"version\":\"2.0\"},",
        b"v 0 0 0\nf ",
        b"ply\nformat binary_little_endian 1.0\n",
    ];
    for round in 0..2000 {
        let mut bytes = starts[round % starts.len()].to_vec();
        let alphabet = if round % 2 == 0 { 256 } else { 96 };
        bytes.extend((0..random.below(400)).map(|_| random.below(alphabet) as u8));
        for format in formats {
            survive(&bytes, format);
        }
    }
}

#[test]
fn large_files_of_little_sense() {
    // Everything that repeats: the memory that one more costs must not exceed its bytes by far.
    for (format, head, body, count) in [
        (Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "f 1 2 3\n", 50_000),
        (Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf", " 1 2 3", 50_000),
        (Format::Obj, "", "g\n", 100_000),
        (Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "v 0 0 0\n", 50_000),
        (Format::Obj, "", "\\\n", 100_000),
        (Format::Ply, "ply\n", "element a 0\n", 50_000),
        (Format::Ply, "ply\nformat ascii 1.0\nelement vertex 9\n", "property int x\n", 50_000),
        (Format::Stl, "", "solid x\nendsolid\n", 50_000),
        (Format::Gltf, r#"{"nodes":["#, "{},", 100_000),
        (Format::Gltf, "", "[", 100_000),
        (Format::Gltf, "", "{\"a\":", 100_000),
    ] {
        let text = format!("{head}{}", body.repeat(count));
        survive(text.as_bytes(), format);
    }
}

#[test]
fn crooked_polygons_take_bounded_time() {
    // A comb of n teeth, seen from its first corner, and a polygon that crosses itself all over.
    for crossing in [false, true] {
        let mut text = String::new();
        let count = 20_000;
        for i in 0..count {
            let y = if crossing { i * 7919 % 1009 } else { i % 2 * 5 };
            let x = if crossing { i * 104_729 % 1013 } else { i };
            let _ = writeln!(text, "v {x} {y} 0");
        }
        text += "v 30000 -9 0\nv -1 -9 0\nf";
        for i in 0..count + 2 {
            let _ = write!(text, " {}", i + 1);
        }
        survive(text.as_bytes(), Format::Obj);
    }
}

#[test]
fn a_small_document_cannot_place_a_mesh_endlessly() {
    // One mesh of 4,096 zero vertices without any bytes, placed 20,000 times: 80 million vertices.
    let accessor = r#"{"componentType": 5126, "count": 4095, "type": "VEC3", "sparse": {"count": 0,
        "indices": {"bufferView": 0, "componentType": 5121}, "values": {"bufferView": 0}}}"#;
    let nodes = vec![r#"{"mesh": 0}"#; 20_000].join(",");
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{nodes}], "accessors": [{accessor}], "bufferViews": [{{"buffer": 0, "byteLength": 0}}],
        "buffers": [{{"byteLength": 0, "uri": "data:;base64,"}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}]}}"#
    );
    assert!(!survive(text.as_bytes(), Format::Gltf));
    let error = parse_mesh(text.as_bytes(), Format::Gltf).unwrap_err();
    assert_eq!(error.problem.kind(), "too_large", "{error}");
    // A few times is fine.
    let text = text.replace(&nodes, &vec![r#"{"mesh": 0}"#; 100].join(","));
    assert!(survive(text.as_bytes(), Format::Gltf));
    // A count alone cannot allocate.
    assert!(!survive(text.replace("4095", "4000000000000000").as_bytes(), Format::Gltf));
}

#[test]
fn a_long_text_that_is_referred_to_often_is_not_read_endlessly() {
    let accessor = format!(
        r#"{{"bufferView": 0, "componentType": 5126, "count": 0, "type": "VEC3", "extras": "{}"}}"#,
        "x".repeat(300_000)
    );
    let primitives = vec![r#"{"attributes": {"POSITION": 0}}"#; 10_000].join(",");
    let meshes = vec![r#"{"primitives": [{"attributes": {"POSITION": 0}}]}"#; 10_000].join(",");
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "accessors": [{accessor}], "bufferViews": [{{"buffer": 0, "byteLength": 0}}],
        "buffers": [{{"byteLength": 0, "uri": "data:;base64,"}}], "meshes": [{{"primitives": [{primitives}]}}, {meshes}]}}"#
    );
    let start = Instant::now();
    assert!(!survive(text.as_bytes(), Format::Gltf));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
