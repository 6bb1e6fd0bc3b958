//! What is checked: the groups of mesh files, the shapes of bodies.

use crate::mesh::MeshFile;
use crate::scene_file::{Dimension, SceneFilter, SceneOf};
use carom::Error;
use carom::d3::{self, AsShape as _, TriangleMesh, mesh_health};
use carom::math::{Vec2, Vec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Something that may clash with others.
#[derive(Clone, Debug, PartialEq)]
pub struct Item<V: Dimension> {
    /// How it is called: by file and group, or by body, with the number of the shape where it has several.
    pub name: Arc<str>,
    /// The shape.
    pub shape: V::Shape,
    /// Where it is.
    pub pose: V::Pose,
    /// The kind of shape, such as `mesh`.
    pub kind: &'static str,
    /// Why a mesh is no solid, but a surface; `None` for everything else.
    pub surface: Option<Error>,
    /// The body that it belongs to: nothing clashes with another part of itself.
    pub body: usize,
    /// Whom it meets.
    pub filter: SceneFilter,
}

impl<V: Dimension> Item<V> {
    /// Whether a clash with the other counts.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.body != other.body && self.filter.meets(other.filter)
    }
}

/// The items of a mesh file: its groups, each in a body of its own. A file with one group has its own name, others
/// have the group's after it.
///
/// # Errors
/// When an index refers to no vertex, which no file that was read has.
///
/// # Example
/// ```
/// use carom_scene::check::items_of_mesh;
/// use carom_scene::mesh::{Format, parse_mesh};
/// let file = parse_mesh(b"v 0 0 0\nv 1 0 0\nv 0 1 0\no left\nf 1 2 3\no right\nf 3 2 1\n", Format::Obj)?;
/// let items = items_of_mesh("two.obj", &file)?;
/// assert_eq!([&*items[0].name, &*items[1].name], ["two.obj: left", "two.obj: right"]);
/// assert!(items[0].surface.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn items_of_mesh(file: &str, mesh: &MeshFile) -> Result<Vec<Item<Vec3<f64>>>, Error> {
    let mut items = Vec::new();
    for (index, group) in mesh.groups.iter().enumerate() {
        let triangles = mesh.triangles.get(group.triangles.clone()).unwrap_or_default();
        let name = match (mesh.groups.len(), &*group.name) {
            (1, _) => file.to_owned(),
            (_, "") => format!("{file}: group {}", index + 1),
            (_, name) => format!("{file}: {name}"),
        };
        let (surface, numbers) = part_of(&mesh.vertices, triangles)?;
        let (shape, reason) = as_solid(surface);
        let reason = reason.map(|reason| in_file(reason, &numbers));
        items.push(Item {
            name: name.into(),
            shape: shape.into(),
            pose: Default::default(),
            kind: "mesh",
            surface: reason,
            body: index,
            filter: SceneFilter::default(),
        });
    }
    Ok(items)
}

/// The triangles over the vertices that they use, and the numbers that these have in the file.
fn part_of(vertices: &[Vec3<f64>], triangles: &[[u32; 3]]) -> Result<(TriangleMesh<f64>, Vec<u32>), Error> {
    let mut number_of = BTreeMap::new();
    let (mut used, mut numbers) = (Vec::new(), Vec::new());
    let mut renumbered = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let mut corners = [0; 3];
        for (corner, &number) in corners.iter_mut().zip(triangle) {
            let (what, index, count) = ("triangles", number as usize, vertices.len());
            let &vertex = vertices.get(index).ok_or(Error::NoSuchIndex { what, index, count })?;
            *corner = *number_of.entry(number).or_insert_with(|| {
                used.push(vertex);
                numbers.push(number);
                // Not more than there are numbers of 32 bits.
                (used.len() - 1) as u32
            });
        }
        renumbered.push(corners);
    }
    Ok((TriangleMesh::new(used, renumbered)?, numbers))
}

/// The reason with the numbers of the file.
fn in_file(reason: Error, numbers: &[u32]) -> Error {
    let number = |index: usize| numbers.get(index).map_or(index, |&number| number as usize);
    match reason {
        Error::NotClosed { what, first, second } => {
            Error::NotClosed { what, first: number(first), second: number(second) }
        }
        other => other,
    }
}

/// The solid in a mesh; the surface and the reason where it has none. A piece that is turned inside out, although
/// it is no cavity, would make a hole of what it encloses.
fn as_solid(surface: TriangleMesh<f64>) -> (TriangleMesh<f64>, Option<Error>) {
    let solid = surface.solid().and_then(|solid| {
        let vertices: Vec<_> = surface.vertices().collect();
        match mesh_health(&vertices, surface.triangles())?.inverted_components.is_empty() {
            true => Ok(solid),
            false => Err(Error::InsideOut { what: "some of the triangles" }),
        }
    });
    match solid {
        Ok(solid) => (solid, None),
        Err(reason) => (surface, Some(reason)),
    }
}

/// What differs between the plane and space when a scene is taken apart.
pub(super) trait Part: Dimension<Scalar = f64> {
    /// Where a shape of a body is in the world.
    fn placed(body: Self::Pose, shape: Self::Pose) -> Self::Pose;
    /// The shape as it is checked, its kind, and why it is no solid, if it is a mesh without an inside.
    fn solid(shape: &Self::Shape) -> (Self::Shape, &'static str, Option<Error>);
}

impl Part for Vec2<f64> {
    fn placed(body: Self::Pose, shape: Self::Pose) -> Self::Pose {
        body * shape
    }
    fn solid(shape: &Self::Shape) -> (Self::Shape, &'static str, Option<Error>) {
        use carom::d2::AsShape as _;
        (shape.clone(), shape.as_shape().kind(), None)
    }
}

impl Part for Vec3<f64> {
    fn placed(body: Self::Pose, shape: Self::Pose) -> Self::Pose {
        body * shape
    }
    fn solid(shape: &Self::Shape) -> (Self::Shape, &'static str, Option<Error>) {
        let kind = shape.as_shape().kind();
        match shape {
            d3::Shape::Mesh(mesh) => {
                let (mesh, reason) = as_solid(mesh.clone());
                (mesh.into(), kind, reason)
            }
            other => (other.clone(), kind, None),
        }
    }
}

/// The shapes of the bodies, and how many sensors were left out.
pub(super) fn items_of_scene<V: Part>(scene: &SceneOf<V>) -> (Vec<Item<V>>, usize) {
    let mut items = Vec::new();
    let mut sensors = 0;
    // The bodies of a repeat block stand one after the other and share their shapes: each mesh is examined once.
    let mut last: Option<(&Arc<[_]>, Vec<_>)> = None;
    for (body, description) in scene.bodies.iter().enumerate() {
        let examined = match last.take() {
            Some((shapes, examined)) if Arc::ptr_eq(shapes, &description.shapes) => examined,
            _ => description.shapes.iter().map(|part| V::solid(&part.shape)).collect(),
        };
        for (index, (part, (shape, kind, surface))) in description.shapes.iter().zip(&examined).enumerate() {
            if part.is_sensor {
                sensors += 1;
                continue;
            }
            let name = match description.shapes.len() {
                1 => description.name.clone(),
                _ => format!("{}, shape {index}", description.name).into(),
            };
            items.push(Item {
                name,
                shape: shape.clone(),
                pose: V::placed(description.pose, part.pose),
                kind,
                surface: surface.clone(),
                body,
                filter: part.filter,
            });
        }
        last = Some((&description.shapes, examined));
    }
    (items, sensors)
}
