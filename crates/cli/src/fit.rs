//! `carom fit`: what there is to know about mesh files.

use crate::arguments::FitArguments;
use crate::terminal::{digits, name, progress, standard_input};
use carom_scene::mesh::{
    Fit, FitKind, FitOptions, MeshError, MeshFile, Problem, fit, parse_standard_input, read_mesh,
};
use std::fmt::{Display, Write as _};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// Tells about all files in order. A file that cannot be read is told as such, and the next one follows.
///
/// # Errors
/// When the answers cannot be written. A reader that has gone away is no error.
pub(crate) fn run(arguments: &FitArguments) -> Result<ExitCode, String> {
    let kinds = arguments.kinds();
    let options = FitOptions { kinds: &kinds, density: arguments.density };
    let progress = progress(arguments.files.len() * (1 + kinds.len()));
    let mut code = ExitCode::SUCCESS;
    for (number, file) in arguments.files.iter().enumerate() {
        let name = name(file);
        let step = |what: &str| progress.set_message(format!("{name}: {what}"));
        step("reading");
        let found = read(file).map(|mesh| {
            fit(&mesh, &options, |kind| {
                progress.inc(1);
                step(title(kind));
            })
        });
        // A file that failed has left out its steps.
        progress.set_position(((number + 1) * (1 + kinds.len())) as u64);
        if found.is_err() {
            code = ExitCode::from(1);
        }
        let written = progress.suspend(|| write(&name, &found, arguments.json, 0 < number));
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            Err(error) => return Err(format!("cannot write the answers: {error}")),
        }
    }
    progress.finish_and_clear();
    Ok(code)
}

fn read(file: &Path) -> Result<MeshFile, MeshError> {
    if file.as_os_str() != "-" {
        return read_mesh(file);
    }
    match standard_input() {
        Ok(bytes) => parse_standard_input(&bytes),
        Err(error) => {
            let problem = Problem::Unreadable { reason: error.to_string() };
            Err(MeshError { file: Some(name(file).into()), place: None, problem })
        }
    }
}

/// Writes what was found about one file: answers to standard output, failures of the table to standard
/// error.
fn write(name: &str, found: &Result<Fit, MeshError>, json: bool, is_later: bool) -> io::Result<()> {
    let mut output = Vec::new();
    match found {
        Ok(found) if json => found.write_json(name, &mut output),
        Err(error) if json => error.write_json(name, &mut output),
        Ok(found) => output.extend_from_slice(table(name, found, is_later).as_bytes()),
        Err(error) => return writeln!(io::stderr(), "carom: {error}"),
    }
    if json {
        output.push(b'\n');
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(&output)?;
    stdout.flush()
}

/// What a part is called in the table and in the progress bar.
fn title(kind: FitKind) -> &'static str {
    match kind {
        FitKind::Aabb => "box along the axes",
        FitKind::Obb => "smallest box",
        FitKind::ObbPca => "box along the principal axes",
        FitKind::Ball => "smallest ball",
        FitKind::Ritter => "Ritter's ball",
        FitKind::Hull => "convex hull",
        FitKind::Mass => "inside",
        FitKind::Health => "health",
    }
}

/// The findings for people: a line for each number, numbers with seven digits.
fn table(name: &str, found: &Fit, is_later: bool) -> String {
    let mut table = Table(String::new());
    if is_later {
        table.0.push('\n');
    }
    let _ = writeln!(table.0, "{name} ({})", found.format.name());
    let used = if found.places == found.vertices {
        String::new()
    } else {
        format!(", {} places in use", found.places)
    };
    let groups = if found.groups == 1 { String::new() } else { format!(", in {} groups", found.groups) };
    table.row("vertices", "", format!("{}{used}", found.vertices));
    table.row("triangles", "", format!("{}{groups}", found.triangles));
    table.part(FitKind::Aabb, &found.aabb, |fit| {
        let size = [fit.max.x - fit.min.x, fit.max.y - fit.min.y, fit.max.z - fit.min.z];
        vec![
            ("size", vector(size)),
            ("min", vector(fit.min.into())),
            ("max", vector(fit.max.into())),
            ("volume", digits(fit.volume())),
        ]
    });
    for (kind, fit) in [(FitKind::Obb, &found.obb), (FitKind::ObbPca, &found.obb_pca)] {
        table.part(kind, fit, |fit| {
            let half: [f64; 3] = fit.half_extents().into();
            let [x, y, z] = fit.axes().map(|axis| vector(axis.into()));
            vec![
                ("size", vector(half.map(|x| 2.0 * x))),
                ("center", vector(fit.center().into())),
                ("axes", format!("{x}, {y}, {z}")),
                ("volume", digits(fit.volume())),
            ]
        });
    }
    for (kind, fit) in [(FitKind::Ball, &found.ball), (FitKind::Ritter, &found.ritter)] {
        table.part(kind, fit, |fit| {
            vec![("radius", digits(fit.radius())), ("center", vector(fit.center().into()))]
        });
    }
    table.part(FitKind::Hull, &found.hull, |fit| {
        vec![
            ("vertices", fit.vertices.to_string()),
            ("faces", fit.faces.to_string()),
            ("volume", digits(fit.volume)),
        ]
    });
    table.part(FitKind::Mass, &found.mass, |fit| {
        let [x, y, z] = fit.inertia.columns.map(|row| vector(row.into()));
        vec![
            ("volume", digits(fit.volume)),
            ("mass", digits(fit.mass)),
            ("center", vector(fit.center.into())),
            ("inertia", format!("{x}, {y}, {z}")),
        ]
    });
    table.part(FitKind::Health, &found.health, |health| {
        let closed = match health.open_edge {
            None => "yes".to_owned(),
            Some([first, second]) => {
                format!("no: the edge from vertex {first} to {second} is open, counted from 0")
            }
        };
        let yes_or_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let found = &health.findings;
        let mut rows = vec![
            ("closed", closed),
            ("wound alike", yes_or_no(found.is_oriented())),
            ("manifold", yes_or_no(found.is_manifold())),
            ("pieces", found.components.len().to_string()),
            ("surplus vertices", health.surplus_vertices.to_string()),
        ];
        // The first two lines tell what stands above already.
        rows.extend(found.to_string().lines().skip(2).map(|line| ("finding", line.to_owned())));
        rows
    });
    table.0
}

/// Rows of a part, a name and a value, under each other.
struct Table(String);

impl Table {
    fn row(&mut self, part: &str, name: &str, value: impl Display) {
        let _ = writeln!(self.0, "  {part:<28}  {name:<16}  {value}");
    }

    fn part<T>(
        &mut self,
        kind: FitKind,
        part: &Option<Result<T, impl Display>>,
        rows: impl FnOnce(&T) -> Vec<(&'static str, String)>,
    ) {
        match part {
            None => {}
            Some(Err(error)) => self.row(title(kind), "none", error),
            Some(Ok(part)) => {
                let mut title = title(kind);
                for (name, value) in rows(part) {
                    self.row(title, name, value);
                    title = "";
                }
            }
        }
    }
}

fn vector(v: [f64; 3]) -> String {
    let [x, y, z] = v.map(digits);
    format!("[{x}, {y}, {z}]")
}
