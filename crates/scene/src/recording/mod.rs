//! Recordings: how a scene went, step by step, so that it can be run again and compared.
//!
//! A `.carom` file is little-endian throughout:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `89 43 41 52 4F 4D 0D 0A`: not text, and broken by whatever rewrites the ends of lines |
//! | 2 | the version, 1 |
//! | … | blocks |
//!
//! A block is a letter, the length of its content (4 bytes), a check of these five bytes (2 bytes), the content, and a
//! check of letter, length and content (4 bytes). Checks are FNV-1a, folded to their size. So a file that ends early and
//! one that was changed can be told apart, and the rest of a long one is never trusted blindly. Blocks are, in this order:
//!
//! - `S`, the scene: one byte for its kind (0: built in, 1: a scene file), one for its dimension (2 or 3), the bits of
//!   the time step (`f32`), then its name or its whole text;
//! - `M`, a mesh file that the scene refers to, if there are any: its name, vertices and triangles, each with its number
//!   before it as a varint; numbers and indices as their distance to the one before;
//! - `P`, poses: first those of the start, then one block for each step: the hash of the whole state (8 bytes), then, as
//!   varints (7 bits a byte, lowest first, the top bit says that more follow), how many bodies are gone and the gaps
//!   between their indices, how many have moved, and for each the gap to its index and the numbers of its pose: position
//!   and (cos, sin), or position and quaternion;
//! - `E`, the end: how many steps there are (8 bytes).
//!
//! Poses are compressed by prediction: a number x that was a in the last step and b in the one before is expected at
//! 2a − b, and what is written is the distance to that, counted in representable numbers, zigzag and as a varint. Bodies
//! that rest are not written at all.
//!
//! What the content of a file may cost is bounded by its size, whatever it says; that of a scene with `repeat` blocks by
//! [`MOST_BODIES`](crate::scene_file::MOST_BODIES), each of which has a name of bounded length.

mod meshes;
mod numbers;
mod read;
mod replay;
mod write;

pub use meshes::RecordedMesh;
pub use read::{End, Reader, Step};
pub use replay::{Difference, Replay, replay};
pub use write::Recorder;

use crate::builtin::{Running, STEP, find};
use crate::mesh::Folder;
use crate::scene_file::{SceneError, parse_scene_in, read_whole_scene};
use numbers::Poses;
use std::fmt::{self, Display};
use std::path::Path;

const MAGIC: [u8; 8] = *b"\x89CAROM\r\n";
const VERSION: u16 = 1;
/// Letter, length and check.
const HEAD: usize = 7;
/// The check after the content.
const TAIL: usize = 4;

/// Where a recorded scene comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A scene that is built in, by its name.
    Builtin(String),
    /// A scene file, complete without the folder that it comes from.
    File {
        /// Its text.
        text: String,
        /// The mesh files that it refers to.
        meshes: Vec<RecordedMesh>,
    },
}

impl Source {
    /// The scene file at a path, and the mesh files that it refers to, to be recorded.
    ///
    /// # Errors
    /// When one of them cannot be read or is not right; see [`SceneError`].
    ///
    /// # Example
    /// ```
    /// use carom_scene::recording::Source;
    /// assert_eq!(Source::file("no/such.json").unwrap_err().kind, "unreadable");
    /// ```
    pub fn file(path: impl AsRef<Path>) -> Result<Self, SceneError> {
        let read = read_whole_scene::<f32>(path.as_ref())?;
        let meshes = read.folder.into_meshes();
        // It has been read as a scene, so it is UTF-8.
        let text = String::from_utf8_lossy(&read.bytes).into_owned();
        let meshes = meshes.iter().map(|(name, mesh)| RecordedMesh::new(name, mesh)).collect();
        Ok(Source::File { text, meshes })
    }

    /// The scene before its first step.
    ///
    /// # Errors
    /// When there is no such scene, or its text is not right.
    ///
    /// # Example
    /// ```
    /// use carom_scene::recording::Source;
    /// assert!(Source::Builtin("2d/arch".into()).start().is_ok());
    /// let error = Source::Builtin("2d/nowhere".into()).start().unwrap_err();
    /// assert_eq!(error.to_string(), "the scene 2d/nowhere is not built into this version");
    /// ```
    pub fn start(&self) -> Result<Running, RecordingError> {
        let refused = |text: String| RecordingError { offset: None, kind: "scene", text };
        match self {
            Source::Builtin(name) => {
                let scene = find(name).ok_or_else(|| {
                    refused(format!("the scene {} is not built into this version", printable(name)))
                })?;
                scene.start().map_err(|error| refused(format!("{name}: {error}")))
            }
            Source::File { text, meshes } => {
                let named = |mesh: &RecordedMesh| {
                    mesh.named()
                        .map_err(|error| refused(format!("the mesh {}: {error}", printable(&mesh.name))))
                };
                let meshes = meshes.iter().map(named).collect::<Result<Vec<_>, _>>()?;
                let scene = parse_scene_in(text.as_bytes(), &Folder::given(meshes));
                let running = scene.and_then(|scene| scene.start());
                running.map_err(|error| refused(format!("the scene: {error}")))
            }
        }
    }
}

/// A name from a file must not write to a terminal what it likes: control characters are replaced, and of a name that is
/// longer than any sensible one the beginning is shown.
fn printable(name: &str) -> String {
    const SHOWN: usize = 64;
    let mut shown: String = name
        .chars()
        .take(SHOWN)
        .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter })
        .collect();
    if SHOWN < name.chars().count() {
        shown.push('…');
    }
    shown
}

/// Why a recording could not be read, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingError {
    /// The byte of the file that the text is about, when it is about one.
    pub offset: Option<usize>,
    /// A short, stable word: `not_a_recording`, `version`, `corrupt`, `scene`.
    pub kind: &'static str,
    /// What is wrong.
    pub text: String,
}

impl RecordingError {
    fn corrupt(offset: usize, text: impl Into<String>) -> Self {
        RecordingError { offset: Some(offset), kind: "corrupt", text: text.into() }
    }
}

impl Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            Some(offset) => write!(f, "byte {offset}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl std::error::Error for RecordingError {}

/// FNV-1a.
fn check(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().copied().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The check of the first five bytes of a block.
fn head_check(head: &[u8]) -> u16 {
    let hash = check(&[head]);
    (hash ^ hash >> 16 ^ hash >> 32 ^ hash >> 48) as u16
}

/// The check of a whole block.
fn block_check(head: &[u8], content: &[u8]) -> u32 {
    let hash = check(&[head, content]);
    (hash ^ hash >> 32) as u32
}

/// The indices of all bodies and the numbers of their poses, by ascending index.
fn poses(running: &Running) -> Poses {
    match running {
        Running::Flat { world, .. } => Poses::new(
            4,
            world.bodies().map(|body| {
                let pose = body.pose();
                let (at, turn) = (pose.translation, pose.rotation);
                (body.handle().index() as u32, [at.x, at.y, turn.cos(), turn.sin(), 0.0, 0.0, 0.0])
            }),
        ),
        Running::Solid { world, .. } => Poses::new(
            7,
            world.bodies().map(|body| {
                let pose = body.pose();
                let (at, [x, y, z, w]) = (pose.translation, pose.rotation.to_array());
                (body.handle().index() as u32, [at.x, at.y, at.z, x, y, z, w])
            }),
        ),
    }
}

/// The time step of all scenes, as it is written.
fn step_bits() -> u32 {
    STEP.to_bits()
}
