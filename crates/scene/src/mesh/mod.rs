//! Mesh files: OBJ, STL, PLY and glTF become vertices and triangles in `f64`.
//!
//! In order of importance: no file, however broken or hostile, does harm (no crash, no endless loop, and
//! memory within a multiple of the file's size); nothing is guessed silently: what a file says is kept
//! exactly, and what it says wrongly is an error with the file, the place, and how to mend it; every file
//! that the usual programs write is read; and it is quick.
//!
//! ```
//! use carom_scene::mesh::{Format, parse_mesh};
//!
//! let square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
//! let mesh = parse_mesh(square, Format::Obj)?;
//! assert_eq!(mesh.vertices.len(), 4);
//! assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
//!
//! let error = parse_mesh(b"v 0 0 0\nv 1 0 up\n", Format::Obj).unwrap_err();
//! assert_eq!(error.to_string(), "line 2: expected a number, but found `up`");
//! # Ok::<(), carom_scene::mesh::MeshError>(())
//! ```
//!
//! # Why the readers are written here
//! The usual crates were read first. `tobj` splits the vertices of every group and its errors have no
//! line; `stl_io` 0.11 parses the numbers of ASCII files as `f32`; `ply-rs-bw` builds a map for every vertex;
//! `gltf` rounds node transforms to `f32`, and its accessors panic or run on for hostile counts. Checking a
//! file so that it is safe to hand to them takes most of a reader, and the formats are small.

mod bytes;
mod error;
mod fit;
mod folder;
mod gltf;
mod obj;
mod ply;
mod polygon;
mod stl;
mod weld;
mod words;

pub use error::{MeshError, Place, Problem};
pub use fit::{DEFAULT_KINDS, Fit, FitKind, FitOptions, Health, HullFit, MassFit, fit};
pub(crate) use folder::Folder;
pub use folder::MeshFolder;

use carom::d3::Vec3;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The triangles of a mesh file.
///
/// The order of vertices, triangles and groups is that of the file. Coordinates are finite, `-0` is `0`,
/// and every index refers to a vertex; that triangles have an area or fit together is not checked.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFile {
    /// The format that it was read from.
    pub format: Format,
    /// Positions in the units and axes of the file; for glTF in the frame of the scene.
    pub vertices: Vec<Vec3<f64>>,
    /// Three positions in `vertices` each, counter-clockwise seen from outside where the file keeps to that.
    pub triangles: Vec<[u32; 3]>,
    /// The named parts, one after the other; together they are all triangles.
    pub groups: Vec<Group>,
}

/// A named part of a mesh: an object or group of OBJ, a solid of STL, a node of glTF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name in the file, empty where there is none. Shared, because thousands of glTF nodes can have
    /// the name of one mesh.
    pub name: Arc<str>,
    /// Its triangles, never none.
    pub triangles: Range<usize>,
}

/// The formats of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ: polygons; free-form surfaces are refused.
    Obj,
    /// STL, ASCII or binary, which the content decides. Vertices at equal places are united.
    Stl,
    /// PLY, ASCII or binary of either endianness: polygons and triangle strips.
    Ply,
    /// glTF 2.0, as JSON or as GLB: the meshes of the scene, placed by their nodes. Skins and morph
    /// targets are not applied.
    Gltf,
}

/// Reads a mesh file.
///
/// The content decides the format, and the extension where the content could be anything. A glTF document
/// may refer to files in its own folder and below, and to nothing else.
///
/// Polygons become triangles without new vertices: a fan where that covers the polygon, ears otherwise.
///
/// # Errors
/// When the file cannot be read or is not right; see [`MeshError`]. Only regular files are read, so that
/// no pipe or device can keep the reader waiting.
///
/// # Example
/// ```no_run
/// let mesh = carom_scene::mesh::read_mesh("bunny.ply")?;
/// println!("{} triangles", mesh.triangles.len());
/// # Ok::<(), carom_scene::mesh::MeshError>(())
/// ```
pub fn read_mesh(path: impl AsRef<Path>) -> Result<MeshFile, MeshError> {
    let path = path.as_ref();
    let read = || {
        let bytes =
            read_file(path, u64::MAX).map_err(|reason| MeshError::new(Problem::Unreadable { reason }))?;
        let format = Format::of(&bytes, path.extension())
            .ok_or_else(|| MeshError::new(Problem::UnknownFormat { is_empty: bytes.is_empty() }))?;
        match format {
            Format::Gltf => gltf::parse(&bytes, Some(path.parent().unwrap_or(Path::new("")))),
            _ => parse_mesh(&bytes, format),
        }
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads a mesh from the content of a file.
///
/// As [`read_mesh`], for a glTF document that refers to no other files.
///
/// # Errors
/// When the content is not right; see [`MeshError`].
///
/// # Example
/// ```
/// use carom_scene::mesh::{Format, parse_mesh};
/// let text = b"solid s
///   facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet
///   facet normal 0 0 1 outer loop vertex 1 0 0 vertex 1 1 0 vertex 0 1 0 endloop endfacet
/// endsolid s";
/// let mesh = parse_mesh(text, Format::Stl)?;
/// assert_eq!((mesh.vertices.len(), mesh.triangles), (4, vec![[0, 1, 2], [1, 3, 2]]));
/// assert_eq!(&*mesh.groups[0].name, "s");
/// # Ok::<(), carom_scene::mesh::MeshError>(())
/// ```
pub fn parse_mesh(bytes: &[u8], format: Format) -> Result<MeshFile, MeshError> {
    match format {
        Format::Obj => obj::parse(bytes),
        Format::Stl => stl::parse(bytes),
        Format::Ply => ply::parse(bytes),
        Format::Gltf => gltf::parse(bytes, None),
    }
}

/// Reads a mesh that came through standard input, which errors name instead of a file. The content alone decides the
/// format.
///
/// # Errors
/// When the content is not right; see [`MeshError`].
///
/// # Example
/// ```
/// let error = carom_scene::mesh::parse_standard_input(b"").unwrap_err();
/// assert_eq!(error.to_string(), "standard input: the file is empty");
/// ```
pub fn parse_standard_input(bytes: &[u8]) -> Result<MeshFile, MeshError> {
    Format::of(bytes, None)
        .ok_or_else(|| MeshError::new(Problem::UnknownFormat { is_empty: bytes.is_empty() }))
        .and_then(|format| parse_mesh(bytes, format))
        .map_err(|error| error.in_file(Path::new("standard input")))
}

impl MeshFile {
    /// The same triangles over the distinct places that they use: vertices at equal places are one, and
    /// those that no triangle uses are gone. What is left is numbered by first use.
    ///
    /// Places are equal when all coordinates are; nothing is moved.
    ///
    /// # Example
    /// ```
    /// use carom_scene::mesh::{Format, parse_mesh};
    /// let loose = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\nf 4 5 6\n";
    /// let mesh = parse_mesh(loose, Format::Obj)?.welded();
    /// assert_eq!((mesh.vertices.len(), mesh.triangles), (4, vec![[0, 1, 2], [1, 3, 2]]));
    /// # Ok::<(), carom_scene::mesh::MeshError>(())
    /// ```
    #[must_use]
    pub fn welded(&self) -> MeshFile {
        let mut places = weld::Places::default();
        // An index out of range, which only the owner of the fields can have written, stays one.
        let mut renumber = |index: u32| match self.vertices.get(index as usize) {
            Some(&vertex) => places.number(vertex).unwrap_or(u32::MAX),
            None => u32::MAX,
        };
        let triangles = self.triangles.iter().map(|triangle| triangle.map(&mut renumber)).collect();
        MeshFile {
            format: self.format,
            vertices: places.into_vertices(),
            triangles,
            groups: self.groups.clone(),
        }
    }
}

impl Format {
    /// The format of a file: by its content, and by its extension where the content could be anything.
    ///
    /// # Example
    /// ```
    /// use carom_scene::mesh::Format;
    /// assert_eq!(Format::of(b"ply\nformat ascii 1.0\n", None), Some(Format::Ply));
    /// assert_eq!(Format::of(b"# nothing\n", Some("obj".as_ref())), Some(Format::Obj));
    /// assert_eq!(Format::of(b"", None), None);
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8], extension: Option<&OsStr>) -> Option<Format> {
        if bytes.starts_with(gltf::MAGIC) {
            return Some(Format::Gltf);
        }
        if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r") {
            return Some(Format::Ply);
        }
        // Before any text: the header of a binary STL may say anything, even "solid".
        if stl::has_binary_length(bytes) {
            return Some(Format::Stl);
        }
        let text = words::without_mark(bytes).trim_ascii_start();
        if text.starts_with(b"{") {
            return Some(Format::Gltf);
        }
        if stl::is_ascii(text) {
            return Some(Format::Stl);
        }
        if obj::looks_like(text) { Some(Format::Obj) } else { Format::of_extension(extension) }
    }

    fn of_extension(extension: Option<&OsStr>) -> Option<Format> {
        let extension = extension?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(Format::Obj),
            "stl" => Some(Format::Stl),
            "ply" => Some(Format::Ply),
            "gltf" | "glb" => Some(Format::Gltf),
            _ => None,
        }
    }

    /// The usual extension.
    ///
    /// # Example
    /// ```
    /// assert_eq!(carom_scene::mesh::Format::Gltf.name(), "gltf");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Obj => "obj",
            Format::Stl => "stl",
            Format::Ply => "ply",
            Format::Gltf => "gltf",
        }
    }
}

/// The first `most` bytes of a regular file, or why they cannot be had.
pub(crate) fn read_file(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    // Before it is opened: that alone waits at a pipe without a writer.
    let data = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !data.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // A file can grow while it is read.
    file.take(data.len().min(most)).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// A vertex of a file: finite, without negative zeros.
fn vertex(coordinates: [f64; 3]) -> Result<Vec3<f64>, Problem> {
    match coordinates.into_iter().find(|x| !x.is_finite()) {
        Some(x) => Err(Problem::NotFinite { found: x.to_string() }),
        None => Ok(Vec3::from(coordinates.map(|x| x + 0.0))),
    }
}
