//! Scene files: bodies with their shapes, places and motions, the joints between them, and settings, as JSON.
//!
//! A scene is plain data, checked field by field: what is wrong is named with its line, its column and the
//! way to it. [`repeat` blocks](BodyDescription) are written out, mesh files are read (from the scene's own folder and
//! below, each once), and names of bodies in joints are resolved to their numbers.
//!
//! ```
//! use carom_scene::scene_file::{Scene, parse_scene};
//!
//! let text = br#"{"carom": 1, "dim": 2, "bodies": [
//!     {"name": "floor", "kind": "fixed", "shapes": [{"shape": {"type": "half_space", "normal": [0, 1], "offset": 0}}]},
//!     {"repeat": {"count": [3, 2], "spacing": [2, 1], "body":
//!         {"name": "brick", "shapes": [{"shape": {"type": "cuboid", "half_extents": [0.5, 0.5]}}]}}}
//! ]}"#;
//! let Scene::Plane(scene) = parse_scene::<f64>(text, None)? else { unreachable!() };
//! let names: Vec<&str> = scene.bodies.iter().map(|body| &*body.name).collect();
//! assert_eq!(names[..4], ["floor", "brick[0,0]", "brick[1,0]", "brick[2,0]"]);
//!
//! let error = parse_scene::<f64>(br#"{"carom": 1, "dim": 2, "bodies": [{"nmae": "x"}]}"#, None).unwrap_err();
//! assert!(error.to_string().starts_with(
//!     "line 1, column 36, bodies[0].nmae: unknown field, did you mean `name`?"
//! ));
//! # Ok::<(), carom_scene::scene_file::SceneError>(())
//! ```

mod joint;
mod read;
mod world;

pub use joint::{AxisDescription, JointDescription, MotorDescription, SpringDescription};
pub use world::{world_in_plane, world_in_space};

use crate::failure::Failure;
use crate::json::Object;
use crate::mesh::{Folder, Place, read_file};
use carom::math::{Pose2, Pose3, Real, Vec2, Vec3, Vector};
use carom::{d2, d3};
use std::fmt::{self, Debug, Display};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scene of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Scene<T: Real> {
    /// `"dim": 2`
    Plane(SceneOf<Vec2<T>>),
    /// `"dim": 3`
    Space(SceneOf<Vec3<T>>),
}

/// The plane or space, named by its vectors.
pub trait Dimension: Vector {
    /// Where something is.
    type Pose: Copy + Debug + Default + PartialEq;
    /// How fast something turns: a number in the plane, a vector of the world frame in space.
    type Angular: Copy + Debug + Default + PartialEq;
    /// Any shape.
    type Shape: Clone + Debug + PartialEq;
}

impl<T: Real> Dimension for Vec2<T> {
    type Pose = Pose2<T>;
    type Angular = T;
    type Shape = d2::Shape<T>;
}

impl<T: Real> Dimension for Vec3<T> {
    type Pose = Pose3<T>;
    type Angular = Vec3<T>;
    type Shape = d3::Shape<T>;
}

/// A scene. What the file leaves open is `None`, for the world to decide.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneOf<V: Dimension> {
    /// The acceleration of everything that is dynamic.
    pub gravity: Option<V>,
    /// The bodies in the order of the file, `repeat` blocks written out.
    pub bodies: Vec<BodyDescription<V>>,
    /// The joints between them.
    pub joints: Vec<JointDescription<V>>,
    /// How the world steps.
    pub settings: SceneSettings<V::Scalar>,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MotionKind {
    /// By forces and contacts.
    #[default]
    Dynamic,
    /// Not at all.
    Fixed,
    /// By the velocity it is given.
    Kinematic,
}

/// A body: `{"name", "kind", "pose", "velocity", "angular", "shapes", "bullet", "can_sleep"}`, all optional.
///
/// `{"repeat": {"count": [nx, ny], "spacing": [dx, dy], "body": {..}}}` stands for a grid of them: the one with
/// the numbers [i, j], counted from 0, is moved by (i·dx, j·dy) along the axes of the world, and has them at the
/// end of its name. The first number changes fastest. Likewise with three numbers in space.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDescription<V: Dimension> {
    /// The name; that of its place in the file, such as `bodies[3]`, where it has none.
    pub name: Arc<str>,
    /// How it moves; dynamic by default.
    pub kind: MotionKind,
    /// Where it is.
    pub pose: V::Pose,
    /// Its velocity.
    pub velocity: V,
    /// Its angular velocity.
    pub angular: V::Angular,
    /// Its shapes; shared by the bodies of a `repeat` block.
    pub shapes: Arc<[ShapeDescription<V>]>,
    /// Whether it is fast. Worlds watch every body for tunnelling, so this changes nothing; the setting `continuous` turns
    /// it off for all.
    pub is_bullet: bool,
    /// Whether it may fall asleep; true by default.
    pub can_sleep: bool,
}

/// A shape of a body: `{"shape", "pose", "density", "friction", "restitution", "sensor", "filter"}`.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeDescription<V: Dimension> {
    /// The shape.
    pub shape: V::Shape,
    /// Where it is on the body.
    pub pose: V::Pose,
    /// Mass per area or volume.
    pub density: Option<V::Scalar>,
    /// Coulomb's µ.
    pub friction: Option<V::Scalar>,
    /// The share of the speed that a bounce gives back, at most 1.
    pub restitution: Option<V::Scalar>,
    /// Whether it notices others without touching them.
    pub is_sensor: bool,
    /// Whom it meets.
    pub filter: SceneFilter,
}

/// Whom a shape meets: `{"category", "mask", "group"}`, all optional.
///
/// Two shapes of the same group other than 0 meet when it is positive and do not when it is negative.
/// Otherwise the mask of each must have a bit of the other's category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneFilter {
    /// What the shape is, as bits; 1 by default.
    pub category: u64,
    /// What it meets, as bits; everything by default.
    pub mask: u64,
    /// Overrides both for shapes with the same number; 0 by default.
    pub group: i32,
}

impl Default for SceneFilter {
    fn default() -> Self {
        SceneFilter { category: 1, mask: u64::MAX, group: 0 }
    }
}

impl SceneFilter {
    /// Whether two shapes meet.
    ///
    /// # Example
    /// ```
    /// use carom_scene::scene_file::SceneFilter;
    /// let ghost = SceneFilter { mask: 0, ..SceneFilter::default() };
    /// assert!(!ghost.meets(SceneFilter::default()));
    /// ```
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        if self.group == other.group && self.group != 0 {
            return 0 < self.group;
        }
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// How a world steps: the fields have the names of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SceneSettings<T> {
    /// Into how many sub-steps a step is divided.
    pub sub_steps: Option<u32>,
    /// The overlap that contacts keep.
    pub slop: Option<T>,
    /// The frequency of the spring in a contact, as a share of the sub-step rate.
    pub contact_stiffness: Option<T>,
    /// Its damping ratio.
    pub contact_damping: Option<T>,
    /// The frequency of locks and limits of joints, as a share of the sub-step rate.
    pub joint_stiffness: Option<T>,
    /// Its damping ratio.
    pub joint_damping: Option<T>,
    /// How fast an overlap may be pushed apart.
    pub push_speed: Option<T>,
    /// What approaches slower does not bounce.
    pub restitution_speed: Option<T>,
    /// What approaches faster is reported as a hit.
    pub hit_speed: Option<T>,
    /// No body gets faster.
    pub max_speed: Option<T>,
    /// Whether fast bodies are kept from flying through others.
    pub continuous: Option<bool>,
    /// Whether what has come to rest is put to sleep.
    pub sleep: Option<bool>,
    /// For how long it must have been slow.
    pub sleep_time: Option<T>,
    /// Whether contacts are kept while a pair hardly moves.
    pub recycle: Option<bool>,
}

/// Why a scene could not be read: the file, the place in it, and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file, when the scene was read from one.
    pub file: Option<PathBuf>,
    /// The place, when the problem has one.
    pub place: Option<Place>,
    /// A short, stable word for the kind of problem.
    pub kind: &'static str,
    /// What is wrong and how to mend it.
    pub text: String,
}

/// The most bodies, and the most shapes, that a scene may have: a `repeat` block is short however many it
/// stands for. A scene of this size takes about a gigabyte.
pub const MOST_BODIES: usize = 1 << 21;

/// The longest name of a body, in bytes of UTF-8: each body of a `repeat` block has it with its numbers.
pub const LONGEST_NAME: usize = 256;

/// Reads a scene file. Its mesh files are in its folder or below.
///
/// # Errors
/// When the file cannot be read or is not right; see [`SceneError`].
///
/// # Example
/// ```
/// let error = carom_scene::scene_file::read_scene::<f64>("no/such.json").unwrap_err();
/// assert_eq!(error.kind, "unreadable");
/// ```
pub fn read_scene<T: Real>(path: impl AsRef<Path>) -> Result<Scene<T>, SceneError> {
    read_whole_scene(path.as_ref()).map(|read| read.scene)
}

/// A scene and all that it was read from.
pub(crate) struct WholeScene<T: Real> {
    pub(crate) scene: Scene<T>,
    /// The content of its file.
    pub(crate) bytes: Vec<u8>,
    /// The mesh files that were read for it.
    pub(crate) folder: Folder<T>,
}

/// Reads a scene file and keeps what was read.
pub(crate) fn read_whole_scene<T: Real>(path: &Path) -> Result<WholeScene<T>, SceneError> {
    let folder = Folder::at(path.parent().unwrap_or(Path::new("")));
    let read = || {
        let bytes = read_file(path, u64::MAX).map_err(|reason| {
            let text = format!("cannot be read: {reason}");
            SceneError { file: None, place: None, kind: "unreadable", text }
        })?;
        Ok((parse_scene_in(&bytes, &folder)?, bytes))
    };
    let (scene, bytes) = read().map_err(|error| SceneError { file: Some(path.to_path_buf()), ..error })?;
    Ok(WholeScene { scene, bytes, folder })
}

/// Reads a scene from the content of a file; its mesh files are in the folder, or nowhere.
///
/// # Errors
/// When the content is not right; see [`SceneError`].
///
/// # Example
/// ```
/// use carom_scene::scene_file::{Scene, parse_scene};
/// let scene = parse_scene::<f32>(br#"{"carom": 1, "dim": 3, "gravity": [0, -9.81, 0], "bodies": []}"#, None)?;
/// assert!(matches!(scene, Scene::Space(scene) if scene.gravity.is_some() && scene.bodies.is_empty()));
/// # Ok::<(), carom_scene::scene_file::SceneError>(())
/// ```
pub fn parse_scene<T: Real>(bytes: &[u8], folder: Option<&Path>) -> Result<Scene<T>, SceneError> {
    parse_scene_in(bytes, &folder.map_or_else(Folder::none, Folder::at))
}

/// The same, with the paths of the mesh files that were read for it: whoever writes a file should spare them.
///
/// # Errors
/// As for [`parse_scene`].
///
/// # Example
/// ```
/// use carom_scene::scene_file::parse_scene_and_files;
/// let folder = std::env::temp_dir();
/// std::fs::write(folder.join("carom_ramp.obj"), "v 0 0 0\nv 4 0 0\nv 0 0 4\nf 1 3 2\n")?;
/// let text = br#"{"carom": 1, "dim": 3, "bodies": [{"shapes": [{"shape": {"type": "mesh", "file": "carom_ramp.obj"}}]}]}"#;
/// let (_, files) = parse_scene_and_files::<f32>(text, &folder)?;
/// assert_eq!(files, [folder.join("carom_ramp.obj")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_scene_and_files<T: Real>(
    bytes: &[u8],
    folder: &Path,
) -> Result<(Scene<T>, Vec<PathBuf>), SceneError> {
    let folder = Folder::at(folder);
    let scene = parse_scene_in(bytes, &folder)?;
    Ok((scene, folder.files()))
}

/// The same with its mesh files at hand.
pub(crate) fn parse_scene_in<T: Real>(bytes: &[u8], folder: &Folder<T>) -> Result<Scene<T>, SceneError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (text, broken) = match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            let failure = Failure::at(valid.len(), "encoding", "the text is not UTF-8 from here on");
            (std::str::from_utf8(valid).unwrap_or_default(), Some(failure))
        }
    };
    broken.map_or_else(|| read::scene(text, folder), Err).map_err(|failure| {
        let place = failure.offset.map(|offset| Place::in_json(text, offset));
        // It is read as the lines of questions are.
        let text = failure.text.replace("the question is in", "the scene is in");
        let text = text.replace("expected a question", "expected a scene");
        let text = text
            .replace("the line ends", "the text ends")
            .replace("the end of the line", "the end of the text");
        SceneError { file: None, place, kind: failure.kind, text }
    })
}

/// Whether a file is rather a scene than a mesh: a JSON object that does not present itself as glTF.
///
/// # Example
/// ```
/// use carom_scene::scene_file::is_scene;
/// assert!(is_scene(br#"{"carom": 1, "dim": 2}"#));
/// assert!(!is_scene(br#"{"asset": {"version": "2.0"}}"#) && !is_scene(b"solid"));
/// ```
#[must_use]
pub fn is_scene(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if !text.starts_with(b"{") {
        return false;
    }
    let valid = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            std::str::from_utf8(text.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
    };
    // A broken text has the fields before the break.
    let (object, _) = Object::of_line(valid);
    object.get("carom").is_some() || object.get("asset").is_none()
}

impl Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.text)
    }
}

impl std::error::Error for SceneError {}
