//! What can be written on the command line.

use carom_scene::mesh::{DEFAULT_KINDS, FitKind};
use carom_scene::query::{OPERATIONS, Options, Precision};
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Examples come before everything but the first sentence.
const TEMPLATE: &str = "{about}\n\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

const EXAMPLES: &str = r#"Examples:
  carom                                  a tour: scenes with pictures, questions with answers
  carom run 2d/large_pyramid             steps a scene, measures it and draws it; --list names the others
  carom query < questions.jsonl          one JSON answer for each JSON question
  carom check parts/*.stl --svg out.svg  what clashes, how deep and where
  carom fit model.stl                    boxes, ball, hull, mass and health of a mesh file
  echo '{"op": "intersects", "a": {"type": "ball", "radius": 1}, "b": {"type": "ball", "radius": 1}}' | carom query"#;

const QUERY_EXAMPLES: &str = r#"Examples:
  echo '{"op": "fit", "dim": 2, "kind": "aabb", "points": [[0, 0], [2, 1]]}' | carom query
  carom query questions.jsonl --threads 4 > answers.jsonl
  carom query --precision f32 first.jsonl - < second.jsonl
  echo '{"op": "ray", "shape": {"type": "mesh", "file": "wheel.stl"}, "origin": [0, 9, 0], "direction": [0, -1, 0]}' | carom query
  echo '{"op": "contact", "dim": 2, "a": {"type": "cuboid", "half_extents": [1, 1]}, "b": {"type": "ball", "radius": 1}, "pose_b": {"translation": [1.5, 1.5]}}' | carom query --explain"#;

const FIT_EXAMPLES: &str = "Examples:
  carom fit model.stl
  carom fit --json --density 2700 parts/*.obj > parts.jsonl
  carom fit --kind hull,ball scan.ply scene.glb
  unzip -p model.zip model.ply | carom fit -";

const RUN_EXAMPLES: &str = r#"Examples:
  carom run --list                       the scenes
  carom run 2d/large_pyramid             5050 squares, with a picture of how they ended
  carom run 3d/washer --steps 100 --json
  carom run scene.json --steps 300 --record scene.carom"#;

const REPLAY_EXAMPLES: &str = "Examples:
  carom run 2d/card_house --record cards.carom
  carom replay cards.carom";

const REPLAY_HELP: &str = "\
A recording has the scene, and for each step the poses that changed and a hash of the whole state. A file that ends \
early is replayed up to its last whole step.\n\
The JSON object has file, scene (null for the text of a scene file), steps, hash, same, difference (step, recorded, \
found, body) and truncated_at (a byte); or file and error (kind, offset, message).\n\
\n\
Exit code: 0 when all steps are the same, 1 when one differs, 2 when the file cannot be read or was changed.";

const CHECK_EXAMPLES: &str = "Examples:
  carom check bracket.stl plate.stl bolt.stl
  carom check assembly.glb --clearance 0.5 --svg clashes.svg
  carom check scene.json --touch 1e-6 --json > clashes.json";

/// Do these things touch, where, how deep, when - and what happens then?
#[derive(Debug, Parser)]
#[command(name = "carom", version, help_template = TEMPLATE, before_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Query(QueryArguments),
    Fit(FitArguments),
    Check(CheckArguments),
    Run(RunArguments),
    Replay(ReplayArguments),
}

/// Runs a scene, built in or from a file: steps it, measures it, draws how it ended
#[derive(Debug, clap::Args)]
#[command(help_template = TEMPLATE, before_help = RUN_EXAMPLES)]
pub(crate) struct RunArguments {
    /// The scene: a name such as 2d/large_pyramid, or a file such as scene.json
    #[arg(required_unless_present = "list")]
    pub(crate) scene: Option<String>,
    /// Lists the scenes
    #[arg(long)]
    pub(crate) list: bool,
    /// For how many steps of 1/60 s it runs; by default as many as the scene says, 600 for a file
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<usize>,
    /// On how many threads, 0 for as many as there are processors; the result is the same
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) threads: usize,
    /// Writes the summary as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Writes down every step, for carom replay
    #[arg(long, value_name = "FILE.carom")]
    pub(crate) record: Option<PathBuf>,
    /// Where the picture of the end goes
    #[arg(long, value_name = "FOLDER", default_value = "carom-out")]
    pub(crate) out: PathBuf,
    /// How many contacts are solved side by side at most; the result is the same
    #[arg(long, value_name = "LANES", value_parser = ["1", "4", "8", "16"])]
    pub(crate) lanes: Option<String>,
}

/// Runs a recorded scene again and compares every step
#[derive(Debug, clap::Args)]
#[command(help_template = TEMPLATE, before_help = REPLAY_EXAMPLES, after_help = REPLAY_HELP)]
pub(crate) struct ReplayArguments {
    /// The recording
    pub(crate) file: PathBuf,
    /// On how many threads, 0 for as many as there are processors; the result is the same
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) threads: usize,
    /// Writes the answer as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Answers questions: reads one JSON object a line, writes one JSON object a line, in order
#[derive(Debug, clap::Args)]
#[command(help_template = TEMPLATE, before_help = QUERY_EXAMPLES, after_help = query_help())]
pub(crate) struct QueryArguments {
    /// Files to read, `-` for standard input, which is also read when there are none
    pub(crate) files: Vec<PathBuf>,
    /// The number type to answer in
    #[arg(long, value_enum, default_value_t = PrecisionName::F64)]
    pub(crate) precision: PrecisionName,
    /// How many threads answer, at most 256, 0 for as many as there are processors; the order is kept
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) threads: usize,
    /// Adds to each answer a `trace`: the steps that led to it, as data, for questions about two shapes and about rays
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PrecisionName {
    F32,
    F64,
}

impl QueryArguments {
    pub(crate) fn options(&self) -> Options {
        let precision = match self.precision {
            PrecisionName::F32 => Precision::F32,
            PrecisionName::F64 => Precision::F64,
        };
        Options { precision, explain: self.explain }
    }
}

/// Tells about mesh files (OBJ, STL, PLY, glTF): bounding volumes, convex hull, mass properties, health
#[derive(Debug, clap::Args)]
#[command(help_template = TEMPLATE, before_help = FIT_EXAMPLES, after_help = FIT_HELP)]
pub(crate) struct FitArguments {
    /// Files to read, `-` for standard input; the content decides the format, then the extension
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What to tell, separated by commas: all that is not marked as quick, when nothing is chosen
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KINDS")]
    kind: Vec<KindName>,
    /// Mass per volume
    #[arg(long, default_value_t = 1.0, value_parser = density, allow_negative_numbers = true)]
    pub(crate) density: f64,
    /// Writes one JSON object a file, all numbers in full
    #[arg(long)]
    pub(crate) json: bool,
}

const FIT_HELP: &str = "\
Volumes are about the vertices that triangles use. Mass is that of the inside of a closed mesh; an open one has \
none. Lengths are in the unit of the file, mass is volume times density, inertia is about the centre.\n\
A JSON object has file, format, vertices, places (different ones in use), triangles, groups, and a field for each \
kind, {\"error\": {\"kind\", \"message\"}} where it has no answer; a file that cannot be read gives \
{\"file\", \"error\": {\"kind\", \"message\"}}.\n\
\n\
Exit code: 0 when all files were read, 1 when some were not, 2 when the answers could not be written.";

/// Tells what clashes among mesh files (OBJ, STL, PLY, glTF), or in a scene: what touches, pierces, contains or
/// duplicates what, how deep and where
#[derive(Debug, clap::Args)]
#[command(help_template = TEMPLATE, before_help = CHECK_EXAMPLES, after_help = CHECK_HELP)]
pub(crate) struct CheckArguments {
    /// Mesh files, each group of which is an item, or one scene; `-` for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Items that come closer than this clash as well
    #[arg(long, default_value_t = 0.0, value_name = "LENGTH", value_parser = length, allow_negative_numbers = true)]
    pub(crate) clearance: f64,
    /// Items that overlap by no more than this, or are no farther apart, merely touch
    #[arg(long, default_value_t = 0.0, value_name = "LENGTH", value_parser = length, allow_negative_numbers = true)]
    pub(crate) touch: f64,
    /// Writes the report as one JSON object, all numbers in full
    #[arg(long)]
    pub(crate) json: bool,
    /// Draws the items and where they clash, with the numbers of the table
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

const CHECK_HELP: &str = "\
A closed mesh whose triangles are wound outwards is a solid; any other is a surface without an inside, and the \
report says why. Items that touch clash. Depth is how far the surface of one goes into the other; for two convex \
shapes of a scene, the shortest way apart. Lengths are in the unit of the files.\n\
A scene is {\"carom\": 1, \"dim\": 2 or 3, \"bodies\": [{\"name\", \"pose\", \"shapes\": [{\"shape\", \"pose\"}]}]}; shapes and poses \
are those of carom query, and a mesh may be a \"file\" in the folder of the scene. Shapes of one body do not clash \
with each other, nor those that a filter keeps apart; sensors take no part.\n\
The JSON object has items, clashes, refused (items that could not take part), undecided (pairs without an answer), \
sensors (how many), pairs (how many came close), and unread (inputs that could not be read).\n\
\n\
Exit code: 0 when nothing clashes, 1 when something does or could not be decided, 2 when some input could not be \
read; the rest is checked all the same.";

/// The kinds as they are written.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum KindName {
    /// The box along the axes
    Aabb,
    /// The smallest box in any orientation
    Obb,
    /// The box along the principal axes (quick)
    ObbPca,
    /// The smallest ball
    Ball,
    /// Ritter's ball (quick)
    Ritter,
    /// The convex hull: corners, faces, volume
    Hull,
    /// Volume, mass, centre and inertia
    Mass,
    /// What is wrong with the triangles
    Health,
}

impl FitArguments {
    /// What to tell, each kind once.
    pub(crate) fn kinds(&self) -> Vec<FitKind> {
        if self.kind.is_empty() {
            return DEFAULT_KINDS.to_vec();
        }
        let is_chosen = |kind: &FitKind| self.kind.iter().any(|&name| FitKind::from(name) == *kind);
        FitKind::ALL.into_iter().filter(is_chosen).collect()
    }
}

impl From<KindName> for FitKind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Aabb => FitKind::Aabb,
            KindName::Obb => FitKind::Obb,
            KindName::ObbPca => FitKind::ObbPca,
            KindName::Ball => FitKind::Ball,
            KindName::Ritter => FitKind::Ritter,
            KindName::Hull => FitKind::Hull,
            KindName::Mass => FitKind::Mass,
            KindName::Health => FitKind::Health,
        }
    }
}

/// A density: finite, and not negative.
fn density(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(density) if (0.0..f64::INFINITY).contains(&density) => Ok(density),
        _ => Err("a density is a number, zero or more, such as 2700".to_owned()),
    }
}

/// A length: finite, and not negative.
fn length(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(length) if (0.0..f64::INFINITY).contains(&length) => Ok(length),
        _ => Err("a length is a number, zero or more, such as 0.5".to_owned()),
    }
}

/// The table of operations, from the library's own.
fn query_help() -> String {
    let mut help =
        "Questions (the value of `op`, with the fields that it takes besides `id` and `dim`):\n".to_owned();
    for operation in OPERATIONS {
        let fields: Vec<&str> =
            operation.fields.iter().copied().filter(|field| !["id", "dim", "op"].contains(field)).collect();
        let missing = if operation.supported { "" } else { " (not supported yet)" };
        help += &format!(
            "  {:<16} {}{missing}\n  {:<16}   {}\n",
            operation.name,
            operation.summary,
            "",
            fields.join(", ")
        );
    }
    help + "\n\
`dim` is 2 or 3 (the default). `id` is any JSON value and comes back with the answer.\n\
A shape is {\"type\": ..} with: ball radius; cuboid half_extents; capsule a b radius; segment a b;\n\
triangle a b c; half_space normal offset; ellipsoid radii; rounded shape radius; height_field heights spacing;\n\
compound parts (each shape, pose); in 2D polygon points, and hull (true: the hull of the points); outline points;\n\
polyline points, and closed (true: the last is joined to the first); in 3D hull points; cylinder and cone\n\
half_height radius; mesh vertices triangles, or mesh file.\n\
The file of a mesh is OBJ, STL, PLY or glTF, in the folder of the questions or below it (standard input: in the\n\
current folder), such as {\"type\": \"mesh\", \"file\": \"parts/wheel.stl\"}. It is read once, and is a surface.\n\
A pose is {\"translation\": [x, y], \"angle\": a} or {\"translation\": [x, y, z], \"rotation\": [x, y, z, w]}.\n\
The motions of time_of_impact are {\"from\": pose, \"to\": pose} or {\"from\": pose, \"velocity\": [..], \"angular\": w};\n\
in 3D w is a vector. `start` and `end` of ccd_vertex_face are four points, the vertex first and the corners of the\n\
triangle then; of ccd_edge_edge the ends of both edges. The boxes of overlap_area are {\"min\": [..], \"max\": [..]}.\n\
The `max` of ray and cast is the last parameter or time that counts; that of distance changes no answer.\n\
A flat thing of `lines` is {\"kind\": ..} with: point point; line point direction; ray origin direction;\n\
segment a b; in 3D plane normal offset; triangle a b c; parallelogram origin u v.\n\
The kinds of `fit` are aabb, obb_pca, obb, ritter, ball and, in 2D, rectangle.\n\
With --explain, intersects, distance, contact and manifold tell their `steps`, in the world frame: method,\n\
balls (center_a, center_b, inner, outer),\n\
axis (source, normal, separation, best), simplex and facet (points_a, points_b, lower, upper), nearest\n\
(point_a, point_b, region_a, region_b, distance), radii, separation, for manifolds faces (reference,\n\
incident), clip (from, polygon), candidates and chosen (points), and last verdict (touching).\n\
The steps of ray, cast and time_of_impact are method, frame (of, origin, direction: what moves, seen from a\n\
shape), passage (enter, exit, normal_in, normal_out, region_in, region_out: the way of a ray or of a ball's\n\
centre through a shape), overlap (source, normal, enter, exit: boxes along an axis), clear (from, to),\n\
look (t, separation, lower, upper, normal, clear_until: no touch before), hit (t, lower, point, normal,\n\
region) and verdict. A null is infinite.\n\
Other questions have a trace without steps.\n\
Blank lines are skipped. A line that cannot be answered gives {\"id\", \"error\": {\"kind\", \"message\"}}.\n\
\n\
Exit code: 0 when all lines were answered, 1 when some were not, 2 when the input could not be read."
}
