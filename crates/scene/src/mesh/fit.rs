//! What `carom fit` tells about a mesh: its bounding volumes, convex hull, mass and health.

use super::{Format, MeshError, MeshFile};
use crate::failure::LibraryError;
use crate::query::{write_aabb_in_space, write_ball, write_box_in_space, write_matrix};
use crate::write::{Answer, write_string};
use carom::Error;
use carom::d3::{
    Aabb, BoundingBall, Mat3, MeshHealth, Obb, Vec3, convex_hull, mesh_health, mesh_mass, minimum_box,
};
use carom::math::power_of_two;

/// Something that can be told about a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FitKind {
    /// The box along the axes.
    Aabb,
    /// The smallest box in any orientation.
    Obb,
    /// The box along the principal axes: quick and not the smallest.
    ObbPca,
    /// The smallest ball.
    Ball,
    /// Ritter's ball: quick and not the smallest.
    Ritter,
    /// The convex hull.
    Hull,
    /// Volume, mass, centre and inertia of the inside.
    Mass,
    /// What is wrong with the triangles.
    Health,
}

/// What is told when nothing is chosen.
pub const DEFAULT_KINDS: [FitKind; 6] =
    [FitKind::Aabb, FitKind::Obb, FitKind::Ball, FitKind::Hull, FitKind::Mass, FitKind::Health];

impl FitKind {
    /// All of them, in the order in which they are told.
    pub const ALL: [FitKind; 8] = [
        FitKind::Aabb,
        FitKind::Obb,
        FitKind::ObbPca,
        FitKind::Ball,
        FitKind::Ritter,
        FitKind::Hull,
        FitKind::Mass,
        FitKind::Health,
    ];

    /// The name, which is that of the field in JSON.
    ///
    /// # Example
    /// ```
    /// assert_eq!(carom_scene::mesh::FitKind::ObbPca.name(), "obb_pca");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FitKind::Aabb => "aabb",
            FitKind::Obb => "obb",
            FitKind::ObbPca => "obb_pca",
            FitKind::Ball => "ball",
            FitKind::Ritter => "ritter",
            FitKind::Hull => "hull",
            FitKind::Mass => "mass",
            FitKind::Health => "health",
        }
    }
}

/// What to find out, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions<'a> {
    /// What to find out; their order does not matter.
    pub kinds: &'a [FitKind],
    /// Mass per volume.
    pub density: f64,
}

impl Default for FitOptions<'_> {
    fn default() -> Self {
        FitOptions { kinds: &DEFAULT_KINDS, density: 1.0 }
    }
}

/// What was found out about a mesh. `None` was not asked for; an error is about that part alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The format of the file.
    pub format: Format,
    /// How many vertices the file has.
    pub vertices: usize,
    /// How many different places its triangles use. All volumes are about these.
    pub places: usize,
    /// How many triangles it has.
    pub triangles: usize,
    /// How many groups they are in.
    pub groups: usize,
    /// The box along the axes.
    pub aabb: Option<Result<Aabb<f64>, Error>>,
    /// The smallest box.
    pub obb: Option<Result<Obb<f64>, Error>>,
    /// The box along the principal axes.
    pub obb_pca: Option<Result<Obb<f64>, Error>>,
    /// The smallest ball.
    pub ball: Option<Result<BoundingBall<f64>, Error>>,
    /// Ritter's ball.
    pub ritter: Option<Result<BoundingBall<f64>, Error>>,
    /// The convex hull.
    pub hull: Option<Result<HullFit, Error>>,
    /// What the inside weighs; [`Error::NotClosed`] when there is none.
    pub mass: Option<Result<MassFit, Error>>,
    /// What is wrong with the triangles.
    pub health: Option<Result<Health, Error>>,
}

/// A convex hull in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullFit {
    /// How many corners it has.
    pub vertices: usize,
    /// How many faces it has: polygons, two for each side of a flat one, none for less than that.
    pub faces: usize,
    /// The volume, 0 for a flat one.
    pub volume: f64,
}

/// The inside of a closed mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassFit {
    /// The volume.
    pub volume: f64,
    /// Volume times density.
    pub mass: f64,
    /// The centre of mass.
    pub center: Vec3<f64>,
    /// The inertia about the centre.
    pub inertia: Mat3<f64>,
}

/// What is wrong with the triangles of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether every edge has as many triangles on one side as on the other, so that there is an inside.
    pub closed: bool,
    /// The lowest edge for which that is not so, as indices of vertices of the file.
    pub open_edge: Option<[usize; 2]>,
    /// How many vertices no triangle uses, or are at the place of another.
    pub surplus_vertices: usize,
    /// Everything that was found, by the indices of the file.
    pub findings: MeshHealth,
}

/// Finds out about a mesh what the options ask for. `watch` is told before each part, because some take
/// seconds for large meshes.
///
/// Volumes are about the vertices that triangles use.
///
/// # Example
/// ```
/// use carom_scene::mesh::{FitOptions, Format, fit, parse_mesh};
/// // A tetrahedron with three edges of length 6 along the axes.
/// let text = b"v 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/// let found = fit(&parse_mesh(text, Format::Obj)?, &FitOptions::default(), |_| {});
/// assert_eq!(found.aabb.unwrap().unwrap().volume(), 216.0);
/// assert_eq!(found.mass.unwrap().unwrap().volume, 36.0);
/// assert!(found.health.unwrap().unwrap().findings.is_clean());
/// # Ok::<(), carom_scene::mesh::MeshError>(())
/// ```
pub fn fit(mesh: &MeshFile, options: &FitOptions<'_>, mut watch: impl FnMut(FitKind)) -> Fit {
    let points = mesh.welded().vertices;
    let mut wanted = |kind: FitKind| {
        let is_wanted = options.kinds.contains(&kind);
        if is_wanted {
            watch(kind);
        }
        is_wanted
    };
    // The hull comes first: boxes and balls that hold its corners hold everything.
    let mut hull = None;
    let mut corners = None;
    if wanted(FitKind::Hull) {
        match convex_hull(&points) {
            Ok(found) => {
                let extreme: Vec<Vec3<f64>> =
                    found.vertices.iter().filter_map(|&vertex| points.get(vertex).copied()).collect();
                hull = Some(hull_volume(&extreme, &found.triangles).map(|volume| HullFit {
                    vertices: found.vertices.len(),
                    faces: found.faces.len(),
                    volume,
                }));
                corners = Some(extreme);
            }
            Err(error) => hull = Some(Err(error)),
        }
    }
    let extreme: &[Vec3<f64>] = corners.as_deref().unwrap_or(&points);
    let mut found = Fit {
        format: mesh.format,
        vertices: mesh.vertices.len(),
        places: points.len(),
        triangles: mesh.triangles.len(),
        groups: mesh.groups.len(),
        aabb: wanted(FitKind::Aabb).then(|| Aabb::from_points(extreme)),
        obb: wanted(FitKind::Obb).then(|| minimum_box(extreme)),
        // The principal axes are those of all points.
        obb_pca: wanted(FitKind::ObbPca).then(|| Obb::from_principal_axes(&points)),
        ball: wanted(FitKind::Ball).then(|| BoundingBall::minimum(extreme)),
        ritter: wanted(FitKind::Ritter).then(|| BoundingBall::ritter(&points)),
        hull,
        mass: None,
        health: None,
    };
    // Health needs to know whether the mesh is closed, which its mass tells.
    let (is_mass_wanted, is_health_wanted) = (wanted(FitKind::Mass), wanted(FitKind::Health));
    if is_mass_wanted || is_health_wanted {
        let mass = mass_of(mesh, options.density);
        found.health = is_health_wanted.then(|| health_of(mesh, points.len(), &mass));
        found.mass = is_mass_wanted.then_some(mass);
    }
    found
}

/// The volume inside the triangles of a hull; a flat one has two sides and none between them.
fn hull_volume(corners: &[Vec3<f64>], triangles: &[[usize; 3]]) -> Result<f64, Error> {
    if triangles.is_empty() {
        return Ok(0.0);
    }
    // Vertices of a mesh are numbered by 32 bits, and these are some of them.
    let triangles: Vec<[u32; 3]> =
        triangles.iter().map(|triangle| triangle.map(|corner| corner as u32)).collect();
    let volume = |corners: &[Vec3<f64>]| mesh_mass(corners, &triangles, 1.0).map(|solid| solid.mass);
    match volume(corners) {
        // The inertia, which has two powers more of the length, leaves the range long before the volume does.
        Err(Error::Overflow { .. }) => {
            const SMALLER: f64 = power_of_two(-512);
            let scaled: Vec<Vec3<f64>> = corners.iter().map(|&corner| corner * SMALLER).collect();
            let volume = volume(&scaled)? / SMALLER / SMALLER / SMALLER;
            match volume.is_finite() {
                true => Ok(volume),
                false => Err(Error::Overflow { what: "the volume", number: "f64" }),
            }
        }
        found => found,
    }
}

fn mass_of(mesh: &MeshFile, density: f64) -> Result<MassFit, Error> {
    let solid = mesh_mass(&mesh.vertices, &mesh.triangles, density)?;
    let volume = match density == 1.0 {
        true => solid.mass,
        false => mesh_mass(&mesh.vertices, &mesh.triangles, 1.0)?.mass,
    };
    Ok(MassFit { volume, mass: solid.mass, center: solid.center, inertia: solid.inertia })
}

/// What is known about the health of a mesh.
fn health_of(mesh: &MeshFile, places: usize, mass: &Result<MassFit, Error>) -> Result<Health, Error> {
    let open_edge = match *mass {
        Err(Error::NotClosed { first, second, .. }) => Some([first, second]),
        _ => None,
    };
    let findings = mesh_health(&mesh.vertices, &mesh.triangles)?;
    let surplus_vertices = mesh.vertices.len().saturating_sub(places);
    Ok(Health { closed: findings.is_closed(), open_edge, surplus_vertices, findings })
}

impl Fit {
    /// Appends one JSON object, with the name of the file first: a field for each part, whose value is
    /// `{"error": {"kind", "message"}}` where the part has no answer.
    ///
    /// # Example
    /// ```
    /// use carom_scene::mesh::{FitKind, FitOptions, Format, fit, parse_mesh};
    /// let mesh = parse_mesh(b"v 0 0 0\nv 2 0 0\nv 0 3 0\nf 1 2 3\n", Format::Obj)?;
    /// let options = FitOptions { kinds: &[FitKind::Aabb], ..FitOptions::default() };
    /// let mut output = Vec::new();
    /// fit(&mesh, &options, |_| {}).write_json("corner.obj", &mut output);
    /// assert_eq!(String::from_utf8_lossy(&output), concat!(
    ///     r#"{"file":"corner.obj","format":"obj","vertices":3,"places":3,"triangles":1,"groups":1,"#,
    ///     r#""aabb":{"min":[0,0,0],"max":[2,3,0],"volume":0}}"#
    /// ));
    /// # Ok::<(), carom_scene::mesh::MeshError>(())
    /// ```
    pub fn write_json(&self, file: &str, output: &mut Vec<u8>) {
        let mut answer = Answer::new(output);
        answer.open().string("file", file).string("format", self.format.name());
        for (name, count) in [
            ("vertices", self.vertices),
            ("places", self.places),
            ("triangles", self.triangles),
            ("groups", self.groups),
        ] {
            answer.name(name).plain_index(count);
        }
        write_part(output, FitKind::Aabb, &self.aabb, |&fit, answer| write_aabb_in_space(fit, answer));
        write_part(output, FitKind::Obb, &self.obb, write_box_in_space);
        write_part(output, FitKind::ObbPca, &self.obb_pca, write_box_in_space);
        write_part(output, FitKind::Ball, &self.ball, |&fit, answer| write_ball(fit, answer));
        write_part(output, FitKind::Ritter, &self.ritter, |&fit, answer| write_ball(fit, answer));
        write_part(output, FitKind::Hull, &self.hull, |fit, answer| {
            answer.open().name("vertices").plain_index(fit.vertices);
            answer.name("faces").plain_index(fit.faces);
            answer.number("volume", fit.volume).close();
        });
        write_part(output, FitKind::Mass, &self.mass, |fit, answer| {
            answer.open().number("volume", fit.volume).number("mass", fit.mass).vector("center", fit.center);
            write_matrix(fit.inertia, answer);
            answer.close();
        });
        write_part(output, FitKind::Health, &self.health, |health, answer| {
            answer.open().boolean("closed", health.closed).name("open_edge");
            match health.open_edge {
                None => answer.null(),
                Some(edge) => drop(answer.plain_list(edge, |answer, vertex| answer.plain_index(vertex))),
            }
            answer.name("surplus_vertices").plain_index(health.surplus_vertices);
            write_findings(&health.findings, answer);
            answer.close();
        });
        output.push(b'}');
    }
}

impl MeshError {
    /// Appends one JSON object that tells why a file has no answer: `{"file", "error": {"kind", "message"}}`.
    ///
    /// # Example
    /// ```
    /// use carom_scene::mesh::{Format, parse_mesh};
    /// let mut output = Vec::new();
    /// parse_mesh(b"v 1 2 3\n", Format::Obj).unwrap_err().write_json("point.obj", &mut output);
    /// let text = String::from_utf8_lossy(&output).into_owned();
    /// assert!(text.starts_with(r#"{"file":"point.obj","error":{"kind":"no_triangles","message":"#));
    /// ```
    pub fn write_json(&self, file: &str, output: &mut Vec<u8>) {
        Answer::new(output).open().string("file", file).name("error");
        write_error(output, self.problem.kind(), &self.to_string());
        output.push(b'}');
    }
}

/// The fields of everything that [`mesh_health`] finds, all lists in full.
fn write_findings(found: &MeshHealth, answer: &mut Answer<'_>) {
    answer.boolean("oriented", found.is_oriented()).boolean("manifold", found.is_manifold());
    answer.name("components").plain_index(found.components.len());
    for (name, list) in [
        ("unused_vertices", &found.unused_vertices),
        ("degenerate_triangles", &found.degenerate_triangles),
        ("non_manifold_vertices", &found.non_manifold_vertices),
        ("inverted_components", &found.inverted_components),
    ] {
        answer.list(name, list, |answer, &index| answer.plain_index(index));
    }
    for (name, list) in [
        ("duplicate_vertices", &found.duplicate_vertices),
        ("duplicate_triangles", &found.duplicate_triangles),
        ("opposite_triangles", &found.opposite_triangles),
        ("boundary_edges", &found.boundary_edges),
        ("non_manifold_edges", &found.non_manifold_edges),
        ("inconsistent_edges", &found.inconsistent_edges),
    ] {
        answer.list(name, list, |answer, &pair| {
            answer.plain_list(pair, |answer, index| answer.plain_index(index));
        });
    }
}

/// A field for a part that was asked for, with its error where it has one.
fn write_part<T>(
    output: &mut Vec<u8>,
    kind: FitKind,
    part: &Option<Result<T, Error>>,
    write: impl FnOnce(&T, &mut Answer<'_>),
) {
    let Some(part) = part else { return };
    Answer::new(output).name(kind.name());
    let start = output.len();
    let written = part.as_ref().map_err(Clone::clone).and_then(|part| {
        let mut answer = Answer::new(output);
        write(part, &mut answer);
        match answer.finite() {
            true => Ok(()),
            false => Err(Error::Overflow { what: "the answer", number: "f64" }),
        }
    });
    if let Err(error) = written {
        output.truncate(start);
        output.extend_from_slice(b"{\"error\":");
        write_error(output, LibraryError::kind(&error), &error.to_string());
        output.push(b'}');
    }
}

fn write_error(output: &mut Vec<u8>, kind: &str, message: &str) {
    output.extend_from_slice(b"{\"kind\":");
    write_string(output, kind);
    output.extend_from_slice(b",\"message\":");
    write_string(output, message);
    output.push(b'}');
}
