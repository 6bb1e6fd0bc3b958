//! glTF 2.0: a JSON document that places meshes, whose numbers stand in buffers; alone or packed as GLB.
//!
//! The default scene is read, or else the first, or else every node; a document without nodes shows each
//! of its meshes once. A mesh is decoded once ([`accessor`]) and copied for each node that shows it, in
//! the frame of the scene ([`transform`]); a mirroring node turns its triangles, so that they still face
//! outwards. Skins and morph targets are not applied. Points and lines are passed over.
//!
//! A short document can place a mesh a million times. How much it may produce is bounded by its size: see
//! [`Budget`].

mod accessor;
mod buffer;
mod transform;

use super::bytes::{Bytes, Kind};
use super::error::{MeshError, Place, Problem};
use super::polygon::push_group;
use super::words::without_mark;
use super::{Format, MeshFile};
use crate::failure::Failure;
use crate::json::Value;
use buffer::Buffers;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use transform::Affine;

/// The first bytes of a GLB file.
pub(super) const MAGIC: &[u8] = b"glTF";

/// Reads a document. The files that it refers to are looked for in the folder, when there is one.
pub(super) fn parse(bytes: &[u8], folder: Option<&Path>) -> Result<MeshFile, MeshError> {
    let (json, chunk) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (without_mark(bytes), None) };
    let text = std::str::from_utf8(json).map_err(|error| {
        let problem =
            Problem::Expected { expected: "a JSON text in UTF-8".into(), found: "other bytes".to_owned() };
        // Both are parts of one slice.
        let start = json.as_ptr().addr() - bytes.as_ptr().addr();
        MeshError::at(Place::Byte((start + error.valid_up_to()) as u64), problem)
    })?;
    Scene::read(text, chunk, folder).map_err(|failure| placed(failure, text))
}

/// The JSON and the binary chunk of a GLB file.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), MeshError> {
    let mut rest = Bytes::new(bytes, MAGIC.len(), false);
    let version = rest.number(Kind::U32, "the version")?;
    if version != 2.0 {
        let what = format!("version {version} of GLB");
        return Err(rest.fail(Problem::Unsupported { what, remedy: "export glTF 2.0" }));
    }
    // The length counts from the start of the file; this far, 12 bytes have been read.
    let length = rest.number(Kind::U32, "the length")? as u64;
    rest.check(length.saturating_sub(12), "the rest of the file")?;
    let mut json = None;
    let mut binary = None;
    // Each turn passes at least the 8 bytes before a chunk.
    while (rest.position() as u64) < length {
        let size = rest.number(Kind::U32, "the length of a chunk")? as u64;
        let place = rest.position() as u64;
        let kind = rest.take(4, "the type of a chunk")?;
        let content = rest.take(size, "a chunk")?;
        match (kind, json) {
            (b"JSON", None) => json = Some(content),
            (b"BIN\0", Some(_)) => binary = binary.or(Some(content)),
            (_, Some(_)) => {}
            (_, None) => {
                return Err(MeshError::at(
                    Place::Byte(place),
                    Problem::expected("a chunk of type JSON", kind),
                ));
            }
        }
    }
    match json {
        Some(json) => Ok((json, binary)),
        None => Err(rest.fail(Problem::expected("a chunk of type JSON", b""))),
    }
}

/// The failure with its place in the document.
#[cold]
fn placed(failure: Failure, text: &str) -> MeshError {
    let offset = failure.offset.unwrap_or(0).min(text.len());
    let place = Place::in_json(text, offset);
    let is_cut = offset == text.len() && failure.kind == "syntax";
    let problem = match is_cut {
        true => Problem::Document { kind: "truncated", text: "the document is cut off here".to_owned() },
        false => Problem::Document { kind: failure.kind, text: failure.text },
    };
    MeshError::at(place, problem)
}

/// How much a document may still produce, in vertices, triangles and the like.
///
/// [`Budget::FREE`] for any document, and [`Budget::PER_BYTE`] for each of its bytes. An element takes up to
/// 24 bytes of memory: 100 MB for the smallest hostile document, and 400 times the size of a large one. A
/// document that shows each mesh once spends less than three elements per byte. At half of the numbers,
/// assemblies of ten thousand small parts are refused.
struct Budget {
    left: u64,
}

impl Budget {
    const FREE: u64 = 1 << 22;
    const PER_BYTE: u64 = 16;

    fn grow(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(Self::PER_BYTE.saturating_mul(bytes as u64));
    }

    fn spend(&mut self, elements: usize, at: Value<'_>) -> Result<(), Failure> {
        match self.left.checked_sub(elements as u64) {
            Some(left) => self.left = left,
            None => {
                let text = "from here on the document makes more than 16 times as many vertices and triangles \
                            as it has bytes; place its meshes less often, or split it";
                return Err(at.fail("too_large", text));
            }
        }
        Ok(())
    }
}

/// The lists of a document.
#[derive(Default)]
struct Document<'a> {
    scene: Option<Value<'a>>,
    scenes: Vec<Value<'a>>,
    nodes: Vec<Value<'a>>,
    meshes: Vec<Value<'a>>,
    accessors: Vec<Value<'a>>,
    views: Vec<Value<'a>>,
    buffers: Vec<Value<'a>>,
}

/// Extensions that change nothing about where triangles are, or that the readers know. Families end with `_`.
const HARMLESS: [&str; 7] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_xmp_",
    "MSFT_texture_",
];

impl<'a> Document<'a> {
    fn read(root: Value<'a>) -> Result<Self, Failure> {
        let mut document = Document::default();
        let mut version = None;
        root.each_field(|name, value| {
            let list = match name {
                "scenes" => &mut document.scenes,
                "nodes" => &mut document.nodes,
                "meshes" => &mut document.meshes,
                "accessors" => &mut document.accessors,
                "bufferViews" => &mut document.views,
                "buffers" => &mut document.buffers,
                "scene" => {
                    document.scene = Some(value);
                    return Ok(());
                }
                "asset" => {
                    version = value.field("version")?;
                    return Ok(());
                }
                "extensionsRequired" => return value.each_element(|_, extension| check_extension(extension)),
                _ => return Ok(()),
            };
            list.clear();
            value.each_element(|_, element| {
                list.push(element);
                Ok(())
            })
        })?;
        let Some(version) = version else {
            return Err(root.fail("missing_field", "a glTF document needs `asset` with its `version`"));
        };
        match version.word()?.starts_with("2.") {
            true => Ok(document),
            false => Err(version.fail("unsupported", "only version 2 of glTF is supported; export glTF 2.0")),
        }
    }

    /// The roots of the trees of nodes to show.
    fn roots(&self) -> Result<Vec<(usize, Value<'a>)>, Failure> {
        let scene = match self.scene {
            Some(reference) => Some(entry(&self.scenes, reference, "scene")?.1),
            None => self.scenes.first().copied(),
        };
        if let Some(scene) = scene {
            return match scene.field("nodes")? {
                Some(nodes) => self.references(nodes),
                None => Ok(Vec::new()),
            };
        }
        let mut is_child = vec![false; self.nodes.len()];
        for node in &self.nodes {
            if let Some(children) = node.field("children")? {
                for (child, _) in self.references(children)? {
                    is_child[child] = true;
                }
            }
        }
        Ok((0..self.nodes.len())
            .filter(|&node| !is_child[node])
            .map(|node| (node, self.nodes[node]))
            .collect())
    }

    /// The nodes that a list refers to, with the places of the references.
    fn references(&self, list: Value<'a>) -> Result<Vec<(usize, Value<'a>)>, Failure> {
        let mut nodes = Vec::new();
        list.each_element(|_, reference| {
            nodes.push((entry(&self.nodes, reference, "node")?.0, reference));
            Ok(())
        })?;
        Ok(nodes)
    }
}

fn check_extension(extension: Value<'_>) -> Result<(), Failure> {
    let name = extension.word()?;
    let is_harmless = |known: &&str| *known == name || known.ends_with('_') && name.starts_with(*known);
    match HARMLESS.iter().any(is_harmless) {
        true => Ok(()),
        false => {
            let text = "the document cannot be shown without this extension, which is not supported; export without it";
            Err(extension.fail("unsupported", text))
        }
    }
}

/// The entry of a list that a value refers to, with its number.
fn entry<'a>(list: &[Value<'a>], reference: Value<'a>, what: &str) -> Result<(usize, Value<'a>), Failure> {
    let number = reference.whole()?;
    let found = usize::try_from(number).ok().and_then(|number| Some((number, *list.get(number)?)));
    found.ok_or_else(|| {
        let text = format!("there is no {what} {number}: there are {}, counted from 0", list.len());
        reference.fail("no_such_index", text)
    })
}

/// A mesh in its own frame.
struct Mesh {
    name: Arc<str>,
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// A mesh that a node shows.
struct Shown<'a> {
    mesh: Rc<Mesh>,
    place: Value<'a>,
    frame: Affine,
    name: Arc<str>,
}

/// What is under construction.
struct Scene<'a> {
    document: Document<'a>,
    buffers: Buffers<'a>,
    budget: Budget,
    /// The meshes that have been decoded.
    meshes: Vec<Option<Rc<Mesh>>>,
    shown: Vec<Shown<'a>>,
}

impl<'a> Scene<'a> {
    fn read(text: &'a str, chunk: Option<&'a [u8]>, folder: Option<&'a Path>) -> Result<MeshFile, Failure> {
        let root = Value::of_text(text)?;
        let document = Document::read(root)?;
        let mut budget = Budget { left: Budget::FREE };
        budget.grow(text.len() + chunk.map_or(0, <[u8]>::len));
        let mut scene = Scene {
            buffers: Buffers::new(document.buffers.clone(), chunk, folder),
            meshes: vec![None; document.meshes.len()],
            document,
            budget,
            shown: Vec::new(),
        };
        scene.show_nodes()?;
        if scene.document.nodes.is_empty() {
            for number in 0..scene.document.meshes.len() {
                let place = scene.document.meshes[number];
                scene.show_mesh(number, place, Affine::IDENTITY, None)?;
            }
        }
        let mesh = scene.into_mesh()?;
        match mesh.triangles.is_empty() {
            true => Err(root.fail("no_triangles", Problem::NoTriangles.to_string())),
            false => Ok(mesh),
        }
    }

    /// Goes through the trees of nodes, parents before children. Nothing recurses: trees may be as deep as
    /// the document is long.
    fn show_nodes(&mut self) -> Result<(), Failure> {
        let mut is_reached = vec![false; self.document.nodes.len()];
        let mut stack: Vec<(usize, Value<'a>, Affine)> = Vec::new();
        let push = |stack: &mut Vec<_>, nodes: Vec<(usize, Value<'a>)>, frame: Affine| {
            // The last one first, because the stack gives back what was put last.
            stack.extend(nodes.into_iter().rev().map(|(node, place)| (node, place, frame)));
        };
        push(&mut stack, self.document.roots()?, Affine::IDENTITY);
        while let Some((number, place, parent)) = stack.pop() {
            if std::mem::replace(&mut is_reached[number], true) {
                let text = format!("node {number} is reached twice; nodes must form trees");
                return Err(place.fail("node_loop", text));
            }
            let mut fields = transform::Fields::default();
            let (mut name, mut mesh, mut children, mut has_skin) = (None, None, None, false);
            self.document.nodes[number].each_field(|field, value| {
                match field {
                    "name" => name = Some(value),
                    "mesh" => mesh = Some(value),
                    "children" => children = Some(value),
                    "skin" => has_skin = true,
                    _ => fields.take(field, value),
                }
                Ok(())
            })?;
            let frame = parent.then(&fields.read()?);
            if let Some(reference) = mesh {
                let (mesh, _) = entry(&self.document.meshes, reference, "mesh")?;
                // Joints place what has a skin, and the specification has the place of its node ignored.
                self.show_mesh(mesh, reference, if has_skin { Affine::IDENTITY } else { frame }, name)?;
            }
            if let Some(children) = children {
                push(&mut stack, self.document.references(children)?, frame);
            }
        }
        Ok(())
    }

    /// Notes that a mesh is shown. `place` is what refers to it.
    fn show_mesh(
        &mut self,
        number: usize,
        place: Value<'a>,
        frame: Affine,
        name: Option<Value<'a>>,
    ) -> Result<(), Failure> {
        let mesh = match &self.meshes[number] {
            Some(mesh) => Rc::clone(mesh),
            None => {
                let mesh = Rc::new(self.decode(number)?);
                self.meshes[number] = Some(Rc::clone(&mesh));
                mesh
            }
        };
        let name = match name {
            Some(name) => Arc::from(&*name.word()?),
            None => Arc::clone(&mesh.name),
        };
        self.budget.spend(1 + mesh.vertices.len() + mesh.triangles.len(), place)?;
        self.shown.push(Shown { mesh, place, frame, name });
        Ok(())
    }

    /// Copies what is shown into the frame of the scene.
    fn into_mesh(self) -> Result<MeshFile, Failure> {
        let count = |of: fn(&Mesh) -> usize| self.shown.iter().map(|shown| of(&shown.mesh)).sum();
        let mut vertices = Vec::with_capacity(count(|mesh| mesh.vertices.len()));
        let mut triangles = Vec::with_capacity(count(|mesh| mesh.triangles.len()));
        let mut groups = Vec::new();
        for Shown { mesh, place, frame, name } in self.shown {
            let (Ok(first), Ok(_)) =
                (u32::try_from(vertices.len()), u32::try_from(vertices.len() + mesh.vertices.len()))
            else {
                return Err(place.fail("too_many_vertices", Problem::TooManyVertices.to_string()));
            };
            for &vertex in &mesh.vertices {
                let placed = super::vertex(frame.apply(vertex)).map_err(|problem| {
                    let text = format!("placed by its node, the mesh leaves the range of f64: {problem}");
                    place.fail("not_finite", text)
                })?;
                vertices.push(placed);
            }
            let is_mirrored = frame.is_mirroring();
            triangles.extend(mesh.triangles.iter().map(|triangle| {
                let [a, b, c] = triangle.map(|index| index + first);
                if is_mirrored { [a, c, b] } else { [a, b, c] }
            }));
            push_group(&mut groups, name, triangles.len());
        }
        Ok(MeshFile { format: Format::Gltf, vertices, triangles, groups })
    }

    /// Reads the triangles of a mesh. Primitives that share their positions share their vertices.
    fn decode(&mut self, number: usize) -> Result<Mesh, Failure> {
        let mut mesh = Mesh { name: "".into(), vertices: Vec::new(), triangles: Vec::new() };
        let mut shared = HashMap::new();
        let mut primitives = None;
        self.document.meshes[number].each_field(|field, value| {
            match field {
                "name" => mesh.name = Arc::from(&*value.word()?),
                "primitives" => primitives = Some(value),
                _ => {}
            }
            Ok(())
        })?;
        let Some(primitives) = primitives else { return Ok(mesh) };
        primitives.each_element(|_, primitive| self.decode_primitive(primitive, &mut shared, &mut mesh))?;
        Ok(mesh)
    }

    fn decode_primitive(
        &mut self,
        primitive: Value<'a>,
        shared: &mut HashMap<usize, (u32, u32)>,
        mesh: &mut Mesh,
    ) -> Result<(), Failure> {
        let (mut positions, mut indices, mut mode) = (None, None, None);
        primitive.each_field(|field, value| {
            match field {
                "attributes" => positions = value.field("POSITION")?,
                "indices" => indices = Some(value),
                "mode" => mode = Some(value),
                _ => {}
            }
            Ok(())
        })?;
        let topology = match mode.map_or(Ok(4), Value::whole)? {
            0..=3 => return Ok(()),
            4 => Topology::List,
            5 => Topology::Strip,
            6 => Topology::Fan,
            other => {
                let text = format!("expected a mode from 0 to 6, but found {other}");
                return Err(mode.unwrap_or(primitive).fail("out_of_range", text));
            }
        };
        // Without positions there is nothing to show, says the specification.
        let Some(positions) = positions else { return Ok(()) };
        let (accessor, _) = entry(&self.document.accessors, positions, "accessor")?;
        let (first, count) = match shared.get(&accessor) {
            Some(&known) => known,
            None => {
                let read =
                    accessor::positions(&self.document, &mut self.buffers, &mut self.budget, accessor)?;
                let range = [mesh.vertices.len(), read.len()].map(u32::try_from);
                let [Ok(first), Ok(count)] = range else {
                    return Err(positions.fail("too_many_vertices", Problem::TooManyVertices.to_string()));
                };
                mesh.vertices.extend(read);
                shared.insert(accessor, (first, count));
                (first, count)
            }
        };
        let order = match indices {
            Some(reference) => {
                let (accessor, _) = entry(&self.document.accessors, reference, "accessor")?;
                let order = accessor::indices(&self.document, &mut self.buffers, &mut self.budget, accessor)?;
                if let Some(index) = order.iter().find(|&&index| count <= index) {
                    let text = format!("an index is {index}, but there are {count} vertices, counted from 0");
                    return Err(reference.fail("no_such_index", text));
                }
                order
            }
            None => {
                self.budget.spend(count as usize, positions)?;
                (0..count).collect()
            }
        };
        if matches!(topology, Topology::List) && order.len() % 3 != 0 {
            let text = format!("triangles need a multiple of 3 indices, but there are {}", order.len());
            return Err(primitive.fail("wrong_length", text));
        }
        self.budget.spend(order.len(), primitive)?;
        topology.triangles(&order, |corners| mesh.triangles.push(corners.map(|corner| corner + first)));
        Ok(())
    }
}

/// How triangles follow from a list of corners.
enum Topology {
    List,
    Strip,
    Fan,
}

impl Topology {
    fn triangles(&self, order: &[u32], mut push: impl FnMut([u32; 3])) {
        match self {
            Topology::List => order.as_chunks().0.iter().for_each(|&corners| push(corners)),
            Topology::Strip => {
                for (position, window) in order.windows(3).enumerate() {
                    if let &[a, b, c] = window {
                        // Every other triangle of a strip is wound the other way.
                        push(if position % 2 == 0 { [a, b, c] } else { [b, a, c] });
                    }
                }
            }
            Topology::Fan => {
                for window in order.windows(2).skip(1) {
                    if let (&[b, c], Some(&a)) = (window, order.first()) {
                        push([a, b, c]);
                    }
                }
            }
        }
    }
}
