//! Files that a document refers to.
//!
//! A document may come from anywhere, so it gets nothing but files in its own folder and below: no absolute
//! path, no `..`, no scheme, no link that leads out.

use super::read_mesh;
use crate::failure::{Failure, LibraryError};
use crate::json::Value;
use carom::d3::TriangleMesh;
use carom::math::{Real, Vec3, Vector};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of a document, and the meshes that were read from it: each file once.
pub(crate) struct Folder<T: Real> {
    path: Option<PathBuf>,
    meshes: RefCell<BTreeMap<PathBuf, TriangleMesh<T>>>,
}

impl<T: Real> Folder<T> {
    /// For a document that was not read from a folder.
    pub(crate) fn none() -> Self {
        Folder { path: None, meshes: RefCell::default() }
    }

    /// The folder at a path; the empty one is the current folder.
    pub(crate) fn at(path: &Path) -> Self {
        Folder { path: Some(path.to_path_buf()), meshes: RefCell::default() }
    }

    /// The surface in the mesh file that a value names.
    pub(crate) fn mesh(&self, named: Value<'_>) -> Result<TriangleMesh<T>, Failure> {
        let text = named.word()?;
        let Some(folder) = &self.path else {
            let text = "mesh files are read for scenes only; write out vertices and triangles";
            return Err(Failure::unsupported(named.start(), text));
        };
        let Some(relative) = path_within(&text) else {
            let refused = "a scene may refer only to files in its own folder and below, such as parts/wheel.stl; put the file there";
            return Err(named.fail("outside_folder", refused));
        };
        if let Some(mesh) = self.meshes.borrow().get(&relative) {
            return Ok(mesh.clone());
        }
        let path = found_within(folder, &relative, named)?;
        // The name in the scene says more than the resolved path.
        let file = read_mesh(path).map_err(|error| {
            let error = super::MeshError { file: Some(relative.clone()), ..error };
            named.fail(error.problem.kind(), error.to_string())
        })?;
        let vertices = file.vertices.into_iter().map(Vec3::<T>::narrow);
        let mesh = TriangleMesh::new(vertices, file.triangles)
            .map_err(|error| named.fail(LibraryError::kind(&error), format!("{text}: {error}")))?;
        self.meshes.borrow_mut().insert(relative, mesh.clone());
        Ok(mesh)
    }
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
