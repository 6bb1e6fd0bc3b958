//! Wrong files: the message names the place, what is wrong, and what to do.

use super::valid::file;
use super::write::brick;
use carom_scene::mesh::{Format, parse_mesh, read_mesh};

fn message(content: &[u8], format: Format) -> String {
    match parse_mesh(content, format) {
        Ok(_) => panic!("{} is read", String::from_utf8_lossy(content)),
        Err(error) => error.to_string(),
    }
}

fn check(format: Format, cases: &[(&str, &str)]) {
    for (content, expected) in cases {
        let found = message(content.as_bytes(), format);
        assert!(found.contains(expected), "{content:?}\n found: {found}\n expected: {expected}");
    }
}

#[test]
fn obj() {
    const V: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let with = |text: &str| format!("{V}{text}");
    check(
        Format::Obj,
        &[
            ("", "there is no triangle in it"),
            (V, "there is no triangle in it"),
            ("v 1 2\n", "line 1: expected a number, but found the end"),
            ("\nv 1 2 3,5\n", "line 2: expected a number, but found `3,5`"),
            ("v 1 2 NaN\n", "line 1: coordinates must be finite numbers, but one is NaN"),
            ("v 1 1e999 3\n", "line 1: coordinates must be finite numbers, but one is inf"),
            ("v 1 2 3 red\n", "line 1: expected a number, but found `red`"),
            (&with("f 1 2"), "line 4: a face needs at least 3 corners, but has 2"),
            (&with("f 1 2 4"), "line 4: there is no vertex 4: the vertices are 1 to 3"),
            (&with("f 0 1 2"), "line 4: there is no vertex 0: the vertices are 1 to 3"),
            (&with("f -4 1 2"), "line 4: there is no vertex -4"),
            (&with("f 1 2 4294967297"), "line 4: there is no vertex 4294967297"),
            (&with("f 1 2 -9223372036854775808"), "line 4: there is no vertex -9223372036854775808"),
            (&with("f 1 2 99999999999999999999"), "line 4: expected a corner such as 7, 7/2 or 7//3"),
            (&with("f 1 2 3/x"), "line 4: expected a corner such as 7, 7/2 or 7//3, but found `3/x`"),
            (&with("f 1/1/1/1 2 3"), "expected a corner"),
            (
                &with("surf 0 1 0 1 1 2 3"),
                "line 4: the statement `surf` is not supported; export the surface as polygons",
            ),
            (&with("fly 1 2 3"), "line 4: expected an OBJ statement such as v, f, o or g, but found `fly`"),
            ("\u{0}\u{1}\u{2}\n", "line 1: expected an OBJ statement"),
        ],
    );
}

#[test]
fn stl() {
    let facet =
        "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    check(
        Format::Stl,
        &[
            ("", "byte 0: the header of a binary STL file needs 80 bytes from here, but the file has 0"),
            ("solid x\nendsolid x\n", "there is no triangle in it"),
            (&format!("solid x\n{facet}"), "line 9: expected facet or endsolid, but found the end"),
            (
                &format!("solid x\n{}", facet.replace("vertex 0 1 0\n", "")),
                "line 6: expected vertex, but found `endloop`",
            ),
            (
                &format!("solid x\n{}", facet.replace("endloop", "vertex 1 1 1 endloop")),
                "line 7: expected endloop, but found `vertex`",
            ),
            (
                &format!("solid x\n{}", facet.replace("vertex 1 0", "vertex 1 inf")),
                "line 5: coordinates must be finite numbers, but one is inf",
            ),
            (
                &format!("solid x\n{}", facet.replace("vertex 1 0", "vertex 1 O")),
                "line 5: expected a number, but found `O`",
            ),
            (&format!("solid x\n{facet}endsolid x\nhello"), "line 10: expected solid, but found `hello`"),
        ],
    );
    let bytes = brick().stl_binary();
    assert_eq!(
        message(&bytes[..300], Format::Stl),
        "byte 84: a binary STL file that announces 12 triangles needs 600 bytes from here, but the file has 216; \
         it is cut off or its counts are wrong"
    );
    let mut wrong = bytes.clone();
    wrong[80] = 3;
    assert_eq!(
        message(&wrong, Format::Stl),
        "byte 234: 450 bytes follow after everything that the file announces; its counts are too small"
    );
    let mut wrong = bytes;
    wrong[84 + 12 + 12 + 3] = 0x7f;
    wrong[84 + 12 + 12 + 2] = 0xc0;
    assert!(
        message(&wrong, Format::Stl)
            .starts_with("byte 108: coordinates must be finite numbers, but one is NaN")
    );
}

#[test]
fn ply() {
    let head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let body = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let with = |from: &str, to: &str| format!("{head}{body}").replace(from, to);
    check(
        Format::Ply,
        &[
            ("", "line 1: expected the word ply, with which a PLY file begins, but found the end"),
            (
                "ply\nformat ascii 1.0\n",
                "line 3: expected a line of the header, or end_header, but found the end",
            ),
            (
                &with("ascii", "binary"),
                "line 2: expected ascii, binary_little_endian or binary_big_endian, but found `binary`",
            ),
            (&with("format ascii 1.0\n", ""), "expected a line `format ascii 1.0` or the like"),
            (&with("element vertex 3\n", ""), "line 3: expected an element before its properties"),
            (
                &with("vertex 3", "vertex -3"),
                "line 3: expected the number of elements after their name, but found `-3`",
            ),
            (
                &with("vertex 3", "vertex 4294967295"),
                "line 10: what the header announces needs 25769803769 bytes from here, but the file has 26",
            ),
            (
                &with("face 1", "face 18446744073709551615"),
                "line 12: what the header announces needs 18446744073709551614 bytes",
            ),
            (
                &with("float x", "half x"),
                "line 4: expected a type such as float, double, uchar or int, but found `half`",
            ),
            (&with("float x", "float"), "line 4: expected the name of the property, but found the end"),
            (
                &with("list uchar", "list float"),
                "line 8: expected a whole number type for the length of a list",
            ),
            (
                &with("float y", "float why"),
                "line 3: expected a property `y` of the element, but found `vertex`",
            ),
            (
                &with("list uchar int", "int"),
                "line 7: expected a list property `vertex_indices` of the element, but found `face`",
            ),
            (&with("1 0 0", "1 inf 0"), "line 11: coordinates must be finite numbers, but one is inf"),
            (&with("1 0 0", "1 a 0"), "line 11: expected a number, but found `a`"),
            (
                &with("1 0 0", "1 0 0 0"),
                "line 11: expected the end of the line after the last property, but found `0`",
            ),
            (&with("3 0 1 2", "3 0 1 3"), "line 13: there is no vertex 3: the vertices are 0 to 2"),
            (
                &with("3 0 1 2", "3 0 1 -2"),
                "line 13: expected the index of a vertex, counted from 0, but found `-2`",
            ),
            (
                &with("3 0 1 2", "3 0 1 0.5"),
                "line 13: expected the index of a vertex, counted from 0, but found `0.5`",
            ),
            (&with("3 0 1 2", "2 0 1"), "line 13: a face needs at least 3 corners, but has 2"),
            (&with("3 0 1 2", "-1 0 1 2"), "line 13: expected the length of a list, but found `-1`"),
            (
                &with("3 0 1 2", "4000000000 0 1 2"),
                "line 13: a list needs 7999999999 bytes from here, but the file has 7",
            ),
            (
                &with("3 0 1 2\n", "3 0 1 2\n3 0 1 2\n"),
                "line 14: 8 bytes follow after everything that the file announces",
            ),
            (&with("face 1", "face 0").replace("3 0 1 2\n", ""), "there is no triangle in it"),
        ],
    );
    let mut bytes = brick().ply_big();
    let start = bytes.len() - 12 * 13;
    bytes[start + 1..start + 5].copy_from_slice(&[0xff; 4]);
    assert!(
        message(&bytes, Format::Ply).contains(&format!(
            "byte {start}: expected the index of a vertex, counted from 0, but found `-1`"
        ))
    );
    bytes.push(1);
    bytes[start + 1..start + 5].copy_from_slice(&[0; 4]);
    assert!(message(&bytes, Format::Ply).contains("a byte follows"));
}

#[test]
fn gltf() {
    let brick = brick();
    let short = brick.gltf_with(r#""uri": "data:;base64,AAAA", "#);
    let good = String::from_utf8(brick.gltf()).expect("text");
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    check(
        Format::Gltf,
        &[
            ("{", "the document is cut off here"),
            ("{}", "line 1, column 1: a glTF document needs `asset` with its `version`"),
            (
                r#"{"asset": {"version": "1.0"}}"#,
                "line 1, column 23, asset.version: only version 2 of glTF is supported",
            ),
            (r#"{"asset": {"version": "2.0"}}"#, "there is no triangle in it"),
            (&short, "buffers[0]: the buffer declares 240 bytes, but there are 3; it is cut off"),
            (&with("AAAA", "A*AA"), "buffers[0].uri: expected base64"),
            (
                &with(r#""scene": 0"#, r#""scene": 1"#),
                "line 1, column 40, scene: there is no scene 1: there are 1, counted from 0",
            ),
            (
                &with(r#""nodes": [0]"#, r#""nodes": [1]"#),
                "line 1, column 65, scenes[0].nodes[0]: there is no node 1",
            ),
            (
                &with(r#""nodes": [0]"#, r#""nodes": [0, 0]"#),
                "scenes[0].nodes[1]: node 0 is reached twice; nodes must form trees",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": 0, "children": [0],"#),
                "line 2, column 37, nodes[0].children[0]: node 0 is reached twice",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": -1,"#),
                "nodes[0].mesh: expected a whole number, but found -1",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": 0.5,"#),
                "nodes[0].mesh: expected a whole number, but found 0.5",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": 0, "rotation": [0, 0, 0, 0],"#),
                "nodes[0].rotation: the zero quaternion is no rotation",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": 0, "scale": [1, 1],"#),
                "nodes[0].scale: expected 3 elements, but found 2",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": 0, "matrix": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2],"#),
                "nodes[0].matrix: the last row of the matrix must be 0, 0, 0, 1",
            ),
            (
                &with(r#""indices": 1"#, r#""indices": 0"#),
                "accessors[0].type: expected an accessor of type \"SCALAR\"",
            ),
            (
                &with(r#""indices": 1"#, r#""indices": 1, "mode": 9"#),
                "meshes[0].primitives[0].mode: expected a mode from 0 to 6, but found 9",
            ),
            (
                &with("5126", "5127"),
                "accessors[0].componentType: expected a component type from 5120 to 5126, but found 5127",
            ),
            (&with("5126", "5125"), "accessors[0].componentType: numbers of this type cannot be positions"),
            (&with(r#""count": 8, "#, ""), "accessors[0]: the field `count` is missing"),
            (
                &with(r#""bufferView": 0, "#, ""),
                "accessors[0]: there is no `bufferView`, so the numbers are nowhere",
            ),
            (
                &with(r#""asset""#, r#""extensionsRequired": ["KHR_draco_mesh_compression"], "asset""#),
                "extensionsRequired[0]: the document cannot be shown without this extension",
            ),
            (
                &with(r#""asset""#, "asset"),
                "line 1, column 2: expected a field name in double quotes, but found 'a'",
            ),
            (
                &with(r#""uri""#, r#""url""#),
                "buffers[0]: the buffer needs a `uri` that says where its bytes are",
            ),
            (
                &with(r#""count": 8"#, r#""count": 9"#),
                "accessors[0]: 108 bytes are needed, but the buffer view has 96",
            ),
            (
                &with(r#""count": 8"#, r#""count": 9007199254740991"#),
                "accessors[0]: 108086391056891892 bytes are needed",
            ),
            (
                &with(r#""byteLength": 96"#, r#""byteLength": 960"#),
                "bufferViews[0]: the view goes beyond its buffer, which has 240 bytes",
            ),
            (
                &with(r#""byteLength": 96"#, r#""byteLength": 96, "byteStride": 0"#),
                "bufferViews[0].byteStride: elements of 12 bytes cannot lie 0 bytes apart",
            ),
            (
                &with(r#""count": 8"#, r#""count": 7"#),
                "meshes[0].primitives[0].indices: an index is 7, but there are 7 vertices",
            ),
            (
                &with(r#""count": 36"#, r#""count": 35"#),
                "triangles need a multiple of 3 indices, but there are 35",
            ),
            (
                &with(r#"{"mesh": 0,"#, r#"{"mesh": 0, "scale": [1e308, 1e308, 1e308], "children": [], "#),
                "nodes[0].mesh: placed by its node, the mesh leaves the range of f64",
            ),
        ],
    );
    let glb = brick.glb();
    assert!(
        message(&glb[..11], Format::Gltf)
            .starts_with("byte 8: the length needs 4 bytes from here, but the file has 3")
    );
    assert!(message(&glb[..400], Format::Gltf).starts_with("byte 12: the rest of the file needs "));
    let mut wrong = glb.clone();
    wrong[4] = 1;
    assert!(message(&wrong, Format::Gltf).contains("version 1 of GLB is not supported; export glTF 2.0"));
    let mut wrong = glb.clone();
    wrong[16] = b'j';
    assert!(
        message(&wrong, Format::Gltf).contains("byte 16: expected a chunk of type JSON, but found `jSON`")
    );
    let mut wrong = glb;
    wrong[12..16].copy_from_slice(&[0xff; 4]);
    assert!(message(&wrong, Format::Gltf).contains("byte 20: a chunk needs 4294967295 bytes from here"));
    assert!(
        message(b"{\"asset\": \xff}", Format::Gltf).starts_with("byte 10: expected a JSON text in UTF-8")
    );
}

#[test]
fn the_file_is_named() {
    let path = file("errors", "wrong.obj", b"v 1 2\n");
    let error = read_mesh(&path).unwrap_err();
    assert_eq!(error.file.as_deref(), Some(path.as_path()));
    assert_eq!(
        error.to_string(),
        format!("{}: line 1: expected a number, but found the end", path.display())
    );
    let empty = read_mesh(file("errors", "empty", b"")).unwrap_err();
    assert!(empty.to_string().ends_with("empty: the file is empty"), "{empty}");
    let garbage = read_mesh(file("errors", "garbage.bin", b"\x01\x02\x03")).unwrap_err();
    assert_eq!(garbage.problem.kind(), "unknown_format");
    let folder = read_mesh(env!("CARGO_TARGET_TMPDIR")).unwrap_err();
    assert!(folder.to_string().ends_with("cannot be read: it is not a regular file"), "{folder}");
}
