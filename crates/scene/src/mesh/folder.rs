//! Files that a document refers to.
//!
//! A document may come from anywhere, so it gets nothing but files in its own folder and below: no absolute
//! path, no `..`, no scheme, no link that leads out.

use super::read_mesh;
use crate::failure::{Failure, LibraryError};
use crate::json::Value;
use carom::d3::TriangleMesh;
use carom::math::{Real, Vec3, Vector};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The folder whose mesh files a stream of questions may name, and those that were read: each file once, whatever the
/// number of threads, and kept until the end. A file that could not be read is not tried again.
///
/// Only files in the folder and below are read: no absolute path, no `..`, no link that leads out.
///
/// # Example
/// ```
/// use carom_scene::mesh::MeshFolder;
/// use carom_scene::query::{Options, answer_line_in};
///
/// let folder = std::env::temp_dir();
/// std::fs::write(folder.join("carom_floor.obj"), "v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n")?;
/// let line = br#"{"op": "ray", "shape": {"type": "mesh", "file": "carom_floor.obj"},
///     "origin": [1, 2, 1], "direction": [0, -1, 0]}"#;
/// let mut output = Vec::new();
/// assert!(answer_line_in(&MeshFolder::at(&folder), line, 1, Options::default(), &mut output));
/// assert_eq!(output, b"{\"id\":null,\"answer\":{\"t\":2,\"point\":[1,0,1],\"normal\":[0,1,0]}}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct MeshFolder {
    pub(crate) single: Folder<f32>,
    pub(crate) double: Folder<f64>,
}

impl MeshFolder {
    /// No folder: questions that name a file are answered with an error.
    ///
    /// # Example
    /// See [`MeshFolder`].
    #[must_use]
    pub fn none() -> Self {
        MeshFolder { single: Folder::none(), double: Folder::none() }
    }

    /// The folder at a path; the empty one is the current folder. Nothing is read before it is asked for.
    ///
    /// # Example
    /// See [`MeshFolder`].
    #[must_use]
    pub fn at(path: &Path) -> Self {
        MeshFolder { single: Folder::at(path), double: Folder::at(path) }
    }
}

/// The mesh of a file, or the kind of the problem and a text that names file and place.
type Read<T> = Result<TriangleMesh<T>, (&'static str, String)>;

/// The folder of a document, and the meshes that were read from it.
pub(crate) struct Folder<T: Real> {
    path: Option<PathBuf>,
    /// Who comes first reads, and those who want the same file wait for it, but not for others.
    meshes: Mutex<BTreeMap<PathBuf, Arc<OnceLock<Read<T>>>>>,
}

impl<T: Real> Folder<T> {
    /// For a document that was not read from a folder.
    pub(crate) fn none() -> Self {
        Folder { path: None, meshes: Mutex::default() }
    }

    /// The folder at a path; the empty one is the current folder.
    pub(crate) fn at(path: &Path) -> Self {
        Folder { path: Some(path.to_path_buf()), meshes: Mutex::default() }
    }

    /// No folder, but meshes by the names that a document gives them.
    pub(crate) fn given(meshes: impl IntoIterator<Item = (PathBuf, TriangleMesh<T>)>) -> Self {
        let meshes = meshes.into_iter().map(|(name, mesh)| (name, Arc::new(OnceLock::from(Ok(mesh)))));
        Folder { path: None, meshes: Mutex::new(meshes.collect()) }
    }

    /// The meshes that were read, by name.
    pub(crate) fn into_meshes(self) -> Vec<(PathBuf, TriangleMesh<T>)> {
        let meshes = self.meshes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let read = |entry: Arc<OnceLock<Read<T>>>| entry.get()?.clone().ok();
        meshes.into_iter().filter_map(|(name, entry)| Some((name, read(entry)?))).collect()
    }

    /// The files that were asked for, whether they could be read or not.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let Some(folder) = &self.path else { return Vec::new() };
        let meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
        meshes.keys().map(|name| folder.join(name)).collect()
    }

    /// The surface in the mesh file that a value names.
    pub(crate) fn mesh(&self, named: Value<'_>) -> Result<TriangleMesh<T>, Failure> {
        let text = named.word()?;
        let relative = path_within(&text);
        let Some(folder) = &self.path else {
            let meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
            let given = relative.and_then(|relative| meshes.get(&relative)?.get()?.clone().ok());
            let text = "there is no folder to read mesh files from; write out vertices and triangles";
            return given.ok_or_else(|| Failure::unsupported(named.start(), text));
        };
        let Some(relative) = relative else {
            let refused = "a scene or stream may refer only to files in its own folder and below, such as parts/wheel.stl; put the file there";
            return Err(named.fail("outside_folder", refused));
        };
        let entry = {
            let mut meshes = self.meshes.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(meshes.entry(relative.clone()).or_default())
        };
        let read = entry.get_or_init(|| read(folder, &relative, named));
        read.clone().map_err(|(kind, text)| named.fail(kind, text))
    }
}

fn read<T: Real>(folder: &Path, relative: &Path, named: Value<'_>) -> Read<T> {
    let path = found_within(folder, relative, named).map_err(|failure| (failure.kind, failure.text))?;
    // The name in the document says more than the resolved path.
    let file = read_mesh(path).map_err(|error| {
        let error = super::MeshError { file: Some(relative.to_path_buf()), ..error };
        (error.problem.kind(), error.to_string())
    })?;
    let vertices = file.vertices.into_iter().map(Vec3::<T>::narrow);
    TriangleMesh::new(vertices, file.triangles)
        .map_err(|error| (LibraryError::kind(&error), format!("{}: {error}", relative.display())))
}

/// The path of a reference that stays in the folder; `None` for any other.
pub(super) fn path_within(reference: &str) -> Option<PathBuf> {
    // A colon makes a scheme, a drive or a stream; a backslash separates on some systems.
    if reference.starts_with('/') || reference.contains([':', '\\', '\0']) {
        return None;
    }
    let parts = reference.split('/').filter(|part| !matches!(*part, "" | "."));
    let path: PathBuf = parts.map(|part| (part != "..").then_some(part)).collect::<Option<_>>()?;
    (!path.as_os_str().is_empty()).then_some(path)
}

/// The file at a path that stays in the folder, unless a link leads out of it. Failures are about the value
/// that named it.
pub(super) fn found_within(folder: &Path, relative: &Path, named: Value<'_>) -> Result<PathBuf, Failure> {
    let text = named.word()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let found = folder.canonicalize().and_then(|root| Ok((folder.join(relative).canonicalize()?, root)));
    let (path, root) =
        found.map_err(|error| named.fail("unreadable", format!("{text} cannot be read: {error}")))?;
    match path.starts_with(root) {
        true => Ok(path),
        false => Err(named
            .fail("outside_folder", "a link leads out of the folder of the document; copy the file there")),
    }
}
