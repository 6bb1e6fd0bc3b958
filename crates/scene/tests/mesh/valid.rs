//! Right files: every format gives back the mesh that it was written from.

use super::write::{Model, brick};
use carom_scene::mesh::{Format, MeshFile, parse_mesh, read_mesh};
use std::ffi::OsStr;
use std::path::PathBuf;

pub(crate) fn parsed(bytes: impl AsRef<[u8]>, format: Format) -> MeshFile {
    match parse_mesh(bytes.as_ref(), format) {
        Ok(mesh) => mesh,
        Err(error) => panic!("{error}: {}", String::from_utf8_lossy(bytes.as_ref())),
    }
}

pub(crate) fn soup(mesh: &MeshFile) -> Vec<[[f64; 3]; 3]> {
    let corner = |index: u32| {
        let v = mesh.vertices[index as usize];
        [v.x, v.y, v.z]
    };
    mesh.triangles.iter().map(|triangle| triangle.map(corner)).collect()
}

fn vertices(mesh: &MeshFile) -> Vec<[f64; 3]> {
    mesh.vertices.iter().map(|v| [v.x, v.y, v.z]).collect()
}

fn names(mesh: &MeshFile) -> Vec<(&str, std::ops::Range<usize>)> {
    mesh.groups.iter().map(|group| (&*group.name, group.triangles.clone())).collect()
}

/// A file in a folder of its own for a test.
pub(crate) fn file(folder: &str, name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mesh").join(folder).join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the test");
    std::fs::write(&path, content).expect("a file for the test");
    path
}

#[test]
fn every_format_gives_back_the_mesh() {
    let brick = brick();
    for (name, format, bytes) in brick.files() {
        let mesh = parsed(&bytes, format);
        assert_eq!(soup(&mesh), brick.soup(), "{name}");
        assert_eq!((mesh.format, mesh.vertices.len()), (format, 8), "{name}");
        assert_eq!(mesh.groups.len(), 1, "{name}");
        let named = ["obj", "stl text", "gltf", "glb"].contains(&name);
        assert_eq!(&*mesh.groups[0].name, if named { "thing" } else { "" }, "{name}");
        assert_eq!(mesh.groups[0].triangles, 0..12);
        // The content alone tells the format, even against the extension.
        for extension in [None, Some("txt"), Some("stl"), Some("obj"), Some("glb")] {
            let found = Format::of(&bytes, extension.map(OsStr::new));
            assert_eq!(found, Some(format), "{name} as {extension:?}");
        }
        let path = file("every", &name.replace(' ', "."), &bytes);
        assert_eq!(read_mesh(&path).expect("the same file").triangles, mesh.triangles);
    }
}

#[test]
fn doubles_keep_all_their_digits() {
    let numbers = [
        0.1,
        1e-300,
        123_456_789.123_456_79,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        -1.0 / 3.0,
        2.5,
        1e7 + 1e-9,
    ];
    let vertices: Vec<[f64; 3]> = numbers.as_chunks().0.to_vec();
    let model = Model { vertices, triangles: vec![[0, 1, 2]] };
    for (name, format, bytes) in model.files() {
        if ["obj", "stl text", "ply text", "ply big"].contains(&name) {
            assert_eq!(soup(&parsed(bytes, format)), model.soup(), "{name}");
        }
    }
    // A negative zero is a zero: it must not tear vertices apart.
    let mesh = parsed("v -0 0 0\nv 1 -0.0 0\nv 0 1 -0e9\nf 1 2 3", Format::Obj);
    assert!(mesh.vertices.iter().all(|v| [v.x, v.y, v.z].iter().all(|x| x.is_sign_positive())));
}

#[test]
fn obj_counts_backwards_and_forwards() {
    let text = "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -1/5 -2/-1/7 -4//8\nf +1 2 4\n";
    assert_eq!(parsed(text, Format::Obj).triangles, [[0, 1, 2], [0, 1, 2], [3, 2, 0], [0, 1, 3]]);
}

#[test]
fn obj_names_groups() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng\no empty\ng left hand\nf 1 2 3\nf 3 2 1\no é\nf 1 2 3\ng last\n";
    let mesh = parsed(text.as_bytes(), Format::Obj);
    assert_eq!(names(&mesh), [("", 0..1), ("left hand", 1..3), ("é", 3..4)]);
    let latin = parsed(b"o caf\xe9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", Format::Obj);
    assert_eq!(names(&latin), [("caf\u{fffd}", 0..1)]);
}

#[test]
fn obj_takes_what_programs_write() {
    let text = "\u{feff}# comment \\\r\nv 0 0 0 1\r\nv 1 0 0 0.5 0.5 0.5 # red\r\n\r\nv \\\r\n 1 1\\\r\n 0\r\n\tv 0 1 0\r\nvt 0 0\r\n\
                l 1 2\r\np 1\r\nf 1 2 \\\r\n3 4 #last\r\n#end";
    let mesh = parsed(text, Format::Obj);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(vertices(&mesh)[2], [1.0, 1.0, 0.0]);
}

#[test]
fn concave_polygons_are_not_fanned() {
    // A dart: the fan from its first corner would leave it.
    let text = "v 0 0 0\nv 4 1 0\nv 0 2 0\nv 1 1 0\nf 1 2 3 4\n";
    for (text, format) in [
        (text, Format::Obj),
        (
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
             element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n4 1 0\n0 2 0\n1 1 0\n4 0 1 2 3\n",
            Format::Ply,
        ),
    ] {
        let found = soup(&parsed(text, format));
        for [a, b, c] in &found {
            assert!(0.0 < (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]), "{found:?}");
        }
        assert_eq!(found.len(), 2);
    }
}

#[test]
fn stl_text_may_hold_several_solids_in_any_layout() {
    let facet =
        "FACET NORMAL nan -1.#IND 0 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 1 0 ENDLOOP ENDFACET";
    let text = format!(
        "\n solid\n{facet} endsolid\nsolid b c\r{facet}\r{facet}\rendsolid b c\rsolid none\nendsolid none"
    );
    let mesh = parsed(&text, Format::Stl);
    assert_eq!(names(&mesh), [("", 0..1), ("b c", 1..3)]);
    assert_eq!(mesh.vertices.len(), 3);
    assert_eq!(Format::of(text.as_bytes(), None), Some(Format::Stl));
}

#[test]
fn stl_binary_may_be_padded_with_less_than_a_triangle() {
    let mut bytes = brick().stl_binary();
    bytes.extend([7; 49]);
    assert_eq!(soup(&parsed(&bytes, Format::Stl)), brick().soup());
    // Its length no longer tells, but the extension does.
    assert_eq!(Format::of(&bytes, Some(OsStr::new("STL"))), Some(Format::Stl));
}

#[test]
fn ply_elements_come_in_any_order_with_any_company() {
    let text = "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement nothing 4000000000\r\nelement face 2\r\n\
        property uchar flags\r\nproperty list uchar float weights\r\nproperty list uint8 uint32 vertex_indices\r\n\
        element edge 1\r\nproperty int a\r\nproperty list int int b\r\nelement vertex 4\r\nproperty double z\r\n\
        property list uchar int w\r\nproperty double y\r\nproperty double confidence\r\nproperty double x\r\nend_header\r\n\
        1 2 0.5 0.5 4 0 1 2 3\r\n1 0 3 2 1 0\r\n7 2 8 9\r\n0 0 0 nan 0\r\n0 1 5 0 1 1\r\n\r\n0 0 1 2 1\r\n\
        0 0 1\r\n3 0\r\n";
    let mesh = parsed(text, Format::Ply);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [2, 1, 0]]);
    assert_eq!(vertices(&mesh), [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
}

#[test]
fn ply_strips_alternate() {
    let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
        element tristrips 1\nproperty list int int vertex_indices\nend_header\n\
        0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n9 0 1 2 3 -1 2 3 4 -1\n";
    assert_eq!(parsed(text, Format::Ply).triangles, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
}

#[test]
fn the_content_tells_the_format() {
    for (content, extension, format) in [
        (&b"v 1 2 3"[..], None, Some(Format::Obj)),
        (b"# only a comment", None, None),
        (b"# only a comment", Some("OBJ"), Some(Format::Obj)),
        (b"solid x", None, Some(Format::Stl)),
        (b"solidity", None, None),
        (b"  {\"asset\"", None, Some(Format::Gltf)),
        (b"glTF", None, Some(Format::Gltf)),
        (b"ply\r\n", Some("stl"), Some(Format::Ply)),
        (b"plywood", None, None),
        (b"", Some("ply"), Some(Format::Ply)),
        (b"hello", None, None),
        (b"\xff\xfe\x00", Some("doc"), None),
    ] {
        let found = Format::of(content, extension.map(OsStr::new));
        assert_eq!(found, format, "{} {extension:?}", String::from_utf8_lossy(content));
    }
}

#[test]
fn welding_keeps_places_and_drops_what_is_unused() {
    let text =
        "v 5 5 5\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 0 1 0\nv 1 1 1e-300\no a\nf 2 3 4\no b\nf 5 6 7\n";
    let mesh = parsed(text, Format::Obj);
    let welded = mesh.welded();
    assert_eq!(soup(&welded), soup(&mesh));
    assert_eq!(welded.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(welded.groups, mesh.groups);
}
