//! The mesh files of a scene, as they are written down with it.

use super::numbers::{Bytes, read_number, write_number, write_signed, write_varint};
use carom::d3::TriangleMesh;
use carom::math::Vec3;
use std::path::{Path, PathBuf};

/// A mesh that a scene file refers to.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedMesh {
    /// The name that the scene gives it, a path below its folder with `/` between the parts.
    pub name: String,
    /// Its vertices, in the unit of the scene.
    pub vertices: Vec<[f32; 3]>,
    /// Its triangles, as indices of vertices.
    pub triangles: Vec<[u32; 3]>,
}

impl RecordedMesh {
    pub(super) fn new(path: &Path, mesh: &TriangleMesh<f32>) -> Self {
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        RecordedMesh {
            name: parts.join("/"),
            vertices: mesh.vertices().map(|vertex| [vertex.x, vertex.y, vertex.z]).collect(),
            triangles: mesh.triangles().to_vec(),
        }
    }

    /// As the scene asks for it.
    pub(super) fn named(&self) -> Result<(PathBuf, TriangleMesh<f32>), carom::Error> {
        let vertices = self.vertices.iter().map(|&[x, y, z]| Vec3::new(x, y, z));
        Ok((self.name.split('/').collect(), TriangleMesh::new(vertices, self.triangles.iter().copied())?))
    }

    /// Appends the content of its block: a number or an index is near the one before it.
    pub(super) fn write(&self, content: &mut Vec<u8>) {
        write_varint(content, self.name.len() as u64);
        content.extend(self.name.as_bytes());
        write_varint(content, self.vertices.len() as u64);
        let mut last = [0.0; 3];
        for vertex in &self.vertices {
            for (number, last) in vertex.iter().zip(last) {
                write_number(content, *number, [last, last]);
            }
            last = *vertex;
        }
        write_varint(content, self.triangles.len() as u64);
        let mut last = 0_u32;
        for &index in self.triangles.iter().flatten() {
            write_signed(content, index.wrapping_sub(last).cast_signed());
            last = index;
        }
    }

    /// Reads that; `None` when it is not right. What it takes is bounded by the length of the content.
    pub(super) fn read(content: &[u8]) -> Option<Self> {
        let mut content = Bytes { rest: content };
        let length = content.index()? as usize;
        let (name, rest) = content.rest.split_at_checked(length)?;
        let name = std::str::from_utf8(name).ok()?.to_owned();
        content.rest = rest;
        let mut mesh = RecordedMesh { name, vertices: Vec::new(), triangles: Vec::new() };
        let mut last = [0.0; 3];
        for _ in 0..content.index()? {
            for number in &mut last {
                *number = read_number(&mut content, [*number, *number])?;
            }
            mesh.vertices.push(last);
        }
        let mut last = 0_u32;
        for _ in 0..content.index()? {
            let mut triangle = [0; 3];
            for index in &mut triangle {
                last = last.wrapping_add_signed(content.signed()?);
                *index = last;
            }
            mesh.triangles.push(triangle);
        }
        content.rest.is_empty().then_some(mesh)
    }
}
