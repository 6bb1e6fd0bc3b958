//! Files of every format for a given mesh, as the usual programs write them.

use carom_scene::mesh::Format;

/// Vertices and triangles.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// A box with a corner at the origin, closed and wound counter-clockwise. All coordinates are exact in `f32`.
pub(crate) fn brick() -> Model {
    let corner = |i: u32| [f64::from(i & 1), f64::from(i >> 1 & 1) * 2.0, f64::from(i >> 2) * 0.5];
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Model {
        vertices: (0..8).map(corner).collect(),
        triangles: quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

impl Model {
    fn corners(&self, triangle: [u32; 3]) -> [[f64; 3]; 3] {
        triangle.map(|index| self.vertices[index as usize])
    }

    /// The corners of all triangles.
    pub(crate) fn soup(&self) -> Vec<[[f64; 3]; 3]> {
        self.triangles.iter().map(|&triangle| self.corners(triangle)).collect()
    }

    pub(crate) fn obj(&self) -> Vec<u8> {
        let mut text = "# a comment\nmtllib none.mtl\no thing\n".to_owned();
        for [x, y, z] in &self.vertices {
            text += &format!("v {x} {y} {z}\n");
        }
        text += "vn 0 0 1\nusemtl red\ns off\n";
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|index| index + 1);
            text += &format!("f {a}//1 {b}//1 {c}//1\n");
        }
        text.into_bytes()
    }

    pub(crate) fn stl_text(&self) -> Vec<u8> {
        let mut text = "solid thing\n".to_owned();
        for corners in self.soup() {
            text += "  facet normal 0 0 0\n    outer loop\n";
            for [x, y, z] in corners {
                text += &format!("      vertex {x:e} {y:e} {z:e}\n");
            }
            text += "    endloop\n  endfacet\n";
        }
        (text + "endsolid thing\n").into_bytes()
    }

    pub(crate) fn stl_binary(&self) -> Vec<u8> {
        // Many programs begin their binary files with the word of the other sort.
        let mut bytes = b"solid of bytes".to_vec();
        bytes.resize(80, b' ');
        bytes.extend((self.triangles.len() as u32).to_le_bytes());
        for corners in self.soup() {
            bytes.extend([0; 12]);
            bytes.extend(corners.as_flattened().iter().flat_map(|&x| (x as f32).to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    fn ply_header(&self, encoding: &str, number: &str) -> String {
        format!(
            "ply\nformat {encoding} 1.0\ncomment made by hand\nelement vertex {}\nproperty {number} x\n\
             property {number} y\nproperty {number} z\nproperty uchar red\nelement face {}\n\
             property list uchar int vertex_indices\nend_header\n",
            self.vertices.len(),
            self.triangles.len()
        )
    }

    pub(crate) fn ply_text(&self) -> Vec<u8> {
        let mut text = self.ply_header("ascii", "double");
        for [x, y, z] in &self.vertices {
            text += &format!("{x} {y} {z} 255\n");
        }
        for [a, b, c] in &self.triangles {
            text += &format!("3 {a} {b} {c}\n");
        }
        text.into_bytes()
    }

    pub(crate) fn ply_little(&self) -> Vec<u8> {
        let mut bytes = self.ply_header("binary_little_endian", "float").into_bytes();
        for vertex in &self.vertices {
            bytes.extend(vertex.iter().flat_map(|&x| (x as f32).to_le_bytes()));
            bytes.push(255);
        }
        for triangle in &self.triangles {
            bytes.push(3);
            bytes.extend(triangle.iter().flat_map(|index| index.to_le_bytes()));
        }
        bytes
    }

    pub(crate) fn ply_big(&self) -> Vec<u8> {
        let mut bytes = self.ply_header("binary_big_endian", "double").into_bytes();
        for vertex in &self.vertices {
            bytes.extend(vertex.iter().flat_map(|x| x.to_be_bytes()));
            bytes.push(255);
        }
        for triangle in &self.triangles {
            bytes.push(3);
            bytes.extend(triangle.iter().flat_map(|index| index.to_be_bytes()));
        }
        bytes
    }

    /// Positions as `f32`, then indices as `u32`.
    pub(crate) fn buffer(&self) -> Vec<u8> {
        let positions = self.vertices.as_flattened().iter().flat_map(|&x| (x as f32).to_le_bytes());
        positions.chain(self.triangles.as_flattened().iter().flat_map(|index| index.to_le_bytes())).collect()
    }

    /// A document whose only buffer has the given `uri` field, which ends with a comma, or none.
    pub(crate) fn gltf_with(&self, uri: &str) -> String {
        let (positions, indices) = (12 * self.vertices.len(), 12 * self.triangles.len());
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}],
 "nodes": [{{"mesh": 0, "name": "thing"}}],
 "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
 "accessors": [
  {{"bufferView": 0, "componentType": 5126, "count": {}, "type": "VEC3"}},
  {{"bufferView": 1, "componentType": 5125, "count": {}, "type": "SCALAR"}}],
 "bufferViews": [{{"buffer": 0, "byteLength": {positions}}},
  {{"buffer": 0, "byteOffset": {positions}, "byteLength": {indices}}}],
 "buffers": [{{{uri}"byteLength": {}}}]}}"#,
            self.vertices.len(),
            3 * self.triangles.len(),
            positions + indices
        )
    }

    pub(crate) fn gltf(&self) -> Vec<u8> {
        let data = base64(&self.buffer());
        self.gltf_with(&format!(r#""uri": "data:application/octet-stream;base64,{data}", "#)).into_bytes()
    }

    pub(crate) fn glb(&self) -> Vec<u8> {
        glb(&self.gltf_with(""), &self.buffer())
    }

    /// One file of every sort, with its name.
    pub(crate) fn files(&self) -> Vec<(&'static str, Format, Vec<u8>)> {
        vec![
            ("obj", Format::Obj, self.obj()),
            ("stl text", Format::Stl, self.stl_text()),
            ("stl binary", Format::Stl, self.stl_binary()),
            ("ply text", Format::Ply, self.ply_text()),
            ("ply little", Format::Ply, self.ply_little()),
            ("ply big", Format::Ply, self.ply_big()),
            ("gltf", Format::Gltf, self.gltf()),
            ("glb", Format::Gltf, self.glb()),
        ]
    }
}

/// A GLB file of a document and its binary chunk.
pub(crate) fn glb(document: &str, binary: &[u8]) -> Vec<u8> {
    let mut json = document.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((12 + 8 + json.len() as u32 + 8 + binary.len() as u32).to_le_bytes());
    for (kind, content) in [(b"JSON", json.as_slice()), (b"BIN\0", binary)] {
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(content);
    }
    bytes
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for position in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * position) & 63) as usize];
            text.push(if group.len() < position { '=' } else { char::from(letter) });
        }
    }
    text
}
