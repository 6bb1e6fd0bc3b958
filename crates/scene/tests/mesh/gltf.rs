//! glTF: transforms, accessors of every sort, and files beside the document.

use super::valid::{file, parsed, soup};
use super::write::{base64, brick, glb};
use carom_scene::mesh::{Format, MeshFile, Problem, parse_mesh, read_mesh};

/// A document with one triangle (0 0 0, 1 0 0, 0 1 0) as mesh 0, and the given nodes and scenes.
fn placed(rest: &str) -> String {
    let corners: Vec<u8> =
        [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    document(
        &corners,
        r#"{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}"#,
        &format!(
            r#""meshes": [{{"name": "flag", "primitives": [{{"attributes": {{"POSITION": 0}}}}]}}], {rest}"#
        ),
    )
}

/// A document whose buffer view 0 is the whole of its only buffer.
fn document(buffer: &[u8], accessors: &str, rest: &str) -> String {
    let (length, data) = (buffer.len(), base64(buffer));
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": {length}, "uri": "data:;base64,{data}"}}],
"bufferViews": [{{"buffer": 0, "byteLength": {length}}}], "accessors": [{accessors}],
{rest}}}"#
    )
}

/// Mesh 0 made of one primitive.
fn primitive(fields: &str) -> String {
    format!(r#""meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}{fields}}}]}}]"#)
}

fn read(document: &str) -> MeshFile {
    parsed(document, Format::Gltf)
}

#[test]
fn nodes_place_their_meshes() {
    // Scaled by 2, a quarter turn about z, then moved; and the same again inside another.
    let half = 0.5_f64.sqrt();
    let node =
        format!(r#""translation": [10, 0, 0], "rotation": [0, 0, {half}, {half}], "scale": [2, 2, 2]"#);
    let text = placed(&format!(
        r#""scenes": [{{"nodes": [1]}}, {{"nodes": [0]}}], "scene": 1,
        "nodes": [{{{node}, "children": [1], "mesh": 0, "name": "outer"}}, {{{node}, "mesh": 0}}]"#
    ));
    let mesh = read(&text);
    let near = |found: [f64; 3], expected: [f64; 3]| {
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14 * 64.0)
    };
    let found = soup(&mesh);
    // p ↦ (10 − 2y, 2x, 2z), once and twice.
    let expected = [
        [[10.0, 0.0, 0.0], [10.0, 2.0, 0.0], [8.0, 0.0, 0.0]],
        [[10.0, 20.0, 0.0], [6.0, 20.0, 0.0], [10.0, 16.0, 0.0]],
    ];
    for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
        assert!(near(*found, *expected), "{found:?} {expected:?}");
    }
    assert_eq!(found.len(), 2);
    let names: Vec<&str> = mesh.groups.iter().map(|group| &*group.name).collect();
    assert_eq!(names, ["outer", "flag"]);
}

/// Its joints place it.
#[test]
fn the_place_of_a_node_with_a_skin_is_ignored() {
    let node = r#""mesh": 0, "translation": [100, 0, 0]"#;
    let at = |fields: &str| {
        soup(&read(&placed(&format!(r#""nodes": [{{{node}{fields}}}], "skins": [{{"joints": [0]}}]"#))))
    };
    assert_eq!(at(r#", "skin": 0"#), [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]);
    assert_eq!(at(""), [[[100.0, 0.0, 0.0], [101.0, 0.0, 0.0], [100.0, 1.0, 0.0]]]);
}

#[test]
fn a_matrix_keeps_the_digits_of_the_document() {
    let far = 1e7 + 0.1;
    let text =
        placed(&format!(r#""nodes": [{{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, {far},0.1,0,1]}}]"#));
    assert_eq!(soup(&read(&text)), [[[far, 0.1, 0.0], [far + 1.0, 0.1, 0.0], [far, 1.1, 0.0]]]);
}

#[test]
fn mirrored_nodes_still_face_outwards() {
    for (scale, is_turned) in [
        ("[-1, 1, 1]", true),
        ("[-1e-200, 1e-200, 1e-200]", true),
        ("[-2, -2, 1]", false),
        ("[0, 1, 1]", false),
    ] {
        let text = placed(&format!(r#""nodes": [{{"mesh": 0, "scale": {scale}}}]"#));
        let expected = if is_turned { [0, 2, 1] } else { [0, 1, 2] };
        assert_eq!(read(&text).triangles, [expected], "{scale}");
    }
}

#[test]
fn the_scene_decides_what_is_shown() {
    let nodes = r#""nodes": [{"mesh": 0}, {"children": [0]}, {"mesh": 0}]"#;
    for (scenes, count) in [
        (r#""scenes": [{"nodes": [1]}, {"nodes": [1, 2]}], "scene": 1"#, 2),
        (r#""scenes": [{"nodes": [1]}, {"nodes": [1, 2]}]"#, 1),
        (r#""scenes": []"#, 2),
    ] {
        assert_eq!(read(&placed(&format!("{nodes}, {scenes}"))).triangles.len(), count, "{scenes}");
    }
    // Without nodes every mesh is shown once.
    assert_eq!(read(&placed(r#""extras": {"nodes": [7]}"#)).triangles.len(), 1);
}

#[test]
fn deep_trees_are_no_trouble() {
    let mut nodes = String::new();
    for child in 1..50_000 {
        nodes += &format!(r#"{{"children": [{child}], "translation": [0, 0, 1]}}, "#);
    }
    let mesh = read(&placed(&format!(r#""nodes": [{nodes}{{"mesh": 0}}]"#)));
    assert_eq!(mesh.vertices[0].z, 49_999.0);
}

#[test]
fn strips_fans_and_loose_corners() {
    let corners: Vec<u8> =
        (0..15).flat_map(|i| (f32::from(i as u8) * f32::from(i as u8)).to_le_bytes()).collect();
    let positions = r#"{"bufferView": 0, "componentType": 5126, "count": 5, "type": "VEC3"}"#;
    let six = r#"{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}"#;
    let mesh = |mode: u32| read(&document(&corners, positions, &primitive(&format!(r#", "mode": {mode}"#))));
    assert_eq!(mesh(5).triangles, [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    assert_eq!(mesh(6).triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    assert_eq!(read(&document(&corners, six, &primitive(""))).triangles, [[0, 1, 2]]);
    let points =
        parse_mesh(document(&corners, positions, &primitive(r#", "mode": 0"#)).as_bytes(), Format::Gltf);
    assert_eq!(points.unwrap_err().problem.kind(), "no_triangles");
}

#[test]
fn primitives_share_their_vertices() {
    let corners = brick().buffer();
    let accessors = r#"{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
        {"bufferView": 0, "byteOffset": 96, "componentType": 5125, "count": 18, "type": "SCALAR"},
        {"bufferView": 0, "byteOffset": 168, "componentType": 5125, "count": 18, "type": "SCALAR"}"#;
    let rest = r#""meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 99}, "indices": 1},
        {"attributes": {"POSITION": 0}, "indices": 2}]}]"#;
    let mesh = read(&document(&corners, accessors, rest));
    assert_eq!((mesh.vertices.len(), soup(&mesh)), (8, brick().soup()));
}

#[test]
fn strides_offsets_and_small_numbers() {
    // Positions as normalised bytes, 4 apart after 2 bytes of something else; then indices as bytes.
    let buffer = [9, 9, 0, 0, 0, 9, 127, 129, 128, 9, 0, 127, 64, 9, 2, 1, 0];
    let text = |normalized: bool| {
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "extensionsRequired": ["KHR_mesh_quantization", "KHR_materials_unlit"],
        "buffers": [{{"byteLength": 17, "uri": "data:application/gltf-buffer;base64,{}"}}],
        "bufferViews": [{{"buffer": 0, "byteOffset": 1, "byteLength": 13, "byteStride": 4}}, {{"buffer": 0, "byteOffset": 13, "byteLength": 4}}],
        "accessors": [{{"bufferView": 0, "byteOffset": 1, "componentType": 5120, "normalized": {normalized}, "count": 3, "type": "VEC3"}},
          {{"bufferView": 1, "byteOffset": 1, "componentType": 5121, "count": 3, "type": "SCALAR"}}], {}}}"#,
            base64(&buffer),
            primitive(r#", "indices": 1"#)
        )
    };
    let mesh = read(&text(true));
    assert_eq!(soup(&mesh), [[[0.0, 1.0, 64.0 / 127.0], [1.0, -1.0, -1.0], [0.0; 3]]]);
    let mesh = read(&text(false));
    assert_eq!(soup(&mesh), [[[0.0, 127.0, 64.0], [127.0, -127.0, -128.0], [0.0; 3]]]);
}

#[test]
fn sparse_accessors_replace_some() {
    let mut buffer: Vec<u8> =
        [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    buffer.extend([2, 0, 0, 0]);
    let accessor = r#"{"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 2,
        "indices": {"bufferView": 0, "byteOffset": 24, "componentType": 5121}, "values": {"bufferView": 0}}}"#;
    let mesh = read(&document(&buffer, accessor, &primitive("")));
    assert_eq!(soup(&mesh), [[[4.0, 5.0, 6.0], [0.0; 3], [1.0, 2.0, 3.0]]]);
}

#[test]
fn files_beside_the_document() {
    let brick = brick();
    // What an earlier run may have left.
    let _ = std::fs::remove_file(file("beside", "a/more/b c.bin", b""));
    let path = file("beside", "a/brick.gltf", brick.gltf_with(r#""uri": "./more/b%20c.bin", "#).as_bytes());
    let error = read_mesh(&path).unwrap_err();
    assert_eq!(error.problem.kind(), "unreadable");
    assert!(
        error.to_string().contains("brick.gltf: line 9, column ")
            && error.to_string().contains("buffers[0].uri: ./more/b%20c.bin cannot be read"),
        "{error}"
    );
    file("beside", "a/more/b c.bin", &brick.buffer());
    assert_eq!(soup(&read_mesh(&path).expect("all files")), brick.soup());
    // A longer file will do, a shorter one will not.
    file("beside", "a/more/b c.bin", &[brick.buffer(), vec![0; 9]].concat());
    assert_eq!(soup(&read_mesh(&path).expect("all files")), brick.soup());
    file("beside", "a/more/b c.bin", &brick.buffer()[1..]);
    assert_eq!(read_mesh(&path).unwrap_err().problem.kind(), "truncated");
    // Two buffers of one file, which declare different parts of it.
    file("beside", "a/more/b c.bin", &brick.buffer());
    let text = brick.gltf_with(r#""uri": "more/b%20c.bin", "#);
    let text = text.replace(r#""buffers": ["#, r#""buffers": [{"uri": "more/b c.bin", "byteLength": 96}, "#);
    let text = text.replace(r#"{"buffer": 0, "byteOffset""#, r#"{"buffer": 1, "byteOffset""#);
    assert_eq!(soup(&read_mesh(file("beside", "a/two.gltf", text.as_bytes())).expect("both")), brick.soup());
}

#[test]
fn no_file_outside_of_the_folder_is_read() {
    let brick = brick();
    let secret = file("escape", "secret.bin", &brick.buffer());
    for uri in [
        "../secret.bin",
        "x/../../secret.bin",
        "%2e%2e/secret.bin",
        "..\\\\secret.bin",
        &secret.display().to_string(),
        "file:///etc/passwd",
    ] {
        let path =
            file("escape", "inner/brick.gltf", brick.gltf_with(&format!(r#""uri": "{uri}", "#)).as_bytes());
        let error = read_mesh(path).unwrap_err();
        assert_eq!(error.problem.kind(), "outside_folder", "{uri}: {error}");
    }
    #[cfg(unix)]
    {
        let path = file("escape", "inner/brick.gltf", brick.gltf_with(r#""uri": "link.bin", "#).as_bytes());
        let link = path.with_file_name("link.bin");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&secret, &link).expect("a link");
        assert_eq!(read_mesh(&path).unwrap_err().problem.kind(), "outside_folder");
    }
    let error = parse_mesh(brick.gltf_with(r#""uri": "mesh.bin", "#).as_bytes(), Format::Gltf).unwrap_err();
    assert!(matches!(error.problem, Problem::Document { kind: "unreadable", .. }), "{error}");
}

#[test]
fn chunks_of_other_types_are_passed_over() {
    let brick = brick();
    let mut bytes = glb(&brick.gltf_with(""), &brick.buffer());
    bytes.extend([4, 0, 0, 0, b'X', b'T', b'R', b'A', 1, 2, 3, 4]);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(soup(&parsed(bytes, Format::Gltf)), brick.soup());
}
